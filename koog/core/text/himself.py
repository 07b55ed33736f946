"""What a line says of whoever speaks: who he is, and who or what is his; by himself.txt, in six languages. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from koog.core import shipped
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import slots
from koog.core.text.of_self import is_of_speaker

WHO = ("lives", "born", "named", "reached")
MOVED = ("moved",)
FAMILY = ("family",)
BODY, HIS = ("body",), ("his",)
# Before words that are somebody else's: an open quotation, "she told me: …"; or that only might be so.
OPEN = r"[“„«「『][^”»」』]*\Z|\A(?:[^\"]*\"[^\"]*\")*[^\"]*\"[^\"]*\Z"
SAYS = r"(?:said|says|told \w+|writes|wrote|sagt|sagte|schreibt|schrieb|dice|dijo|dit|écrit)"
OTHERS = rf"{OPEN}|\b{SAYS}\b[^.!?]{{0,30}}\Z|(?:\A|[.!?] )(?:if|wenn|falls|si)\b[^.!?,]*\Z"
SPEAKS = r"\**\s*(?:\([^)]*\))?\s*[:：]\**\s*(.+)"  # behind a name: it is said by who has that
# What stands behind the name of who introduces himself, and before it in its sentence.
ALONE = r"\s*(?:[.,;:!–—(。，、！]|\Z|(?:here|hier|aquí|ici)\b)"
# What stands behind the name of somebody else: "the" one who is known, or what he does.
DOES = r"(?:is|was|has|had|will|can|ist|hat|war|wird|kommt|es|ha|era|va|est|vient|(?-i:[a-z]{3,})(?<!s)s)"
ANOTHER = (
    r"\s*[,，(–—]\s*(?:(?:the|who|whose|der|die|das|el|la|los|las|le|les|quien|qui)\b|l['’])"
    rf"|\s*[,，][^,，.!?]{{2,60}}[,，]\s*{DOES}\s"
)
I_AM = (
    r"(?:\b(?:i['’]m|i am|my name(?:['’]s| is)|ich (?:bin|heiße)|mein name ist|soy|me llamo|mi nombre es|je suis"
    r"|je m['’]appelle)|我[是叫]|[私僕]は)\s*\Z"
)
BEFORE = rf"\W*|[^:：]{{0,40}}[,，:：]\s*|.{{0,40}}\b(?:this is|hier ist|aquí|ici)\s|.{{0,40}}{I_AM}"


class Told(NamedTuple):
    """How something is told. begins: of these words a text has one, else the pattern is not even compiled"""

    begins: tuple[str, ...]
    pattern: str


@lru_cache(maxsize=1)
def table() -> dict[str, list[Told]]:
    """Return what is told → how, from himself.txt."""
    found: dict[str, list[Told]] = {}
    for line in shipped.text(shipped.PACKAGE / "core/text/himself.txt").split("\n"):
        if line and not line.startswith("#"):
            name, _, begins, pattern = line.split(" ", 3)
            words = () if begins == "-" else tuple(begins.replace("_", " ").split(","))
            found.setdefault(name, []).append(Told(words, pattern))
    return found


def tells_who(text: str) -> bool:
    """Return whether a statement says who its speaker is: home, birth, name, address, what his body is like.

    >>> tells_who("We live in Muggia, top end"), tells_who("I'm colour-blind"), tells_who("Felix is colour-blind")
    (True, True, False)
    >>> tells_who("I live by my calendar"), tells_who("I live on coffee"), tells_who("I live by the sea")
    (False, False, True)
    """
    return _has(text, WHO) or (_has(text, BODY) and is_of_speaker(text))


def tells_family(text: str) -> bool:
    """Return whether a statement says who its speaker's husband, wife or children are.

    >>> tells_family("My wife is Ana, she teaches"), tells_family("we've two kids, Bo and Kim")
    (True, True)
    >>> tells_family("My wife is ill"), tells_family("She said my husband is Jun")
    (False, False)
    """
    return _has(text, FAMILY)


def tells_of_another(text: str) -> bool:
    """Return whether what a statement says of an "I" is somebody else's, or only might be so.

    >>> tells_of_another("She told me: I live in Lyon"), tells_of_another("I live in Lyon, she told me")
    (True, False)
    """
    told = (*WHO, *MOVED)
    return not _has(text, told) and _has(text, told, whose=False)


def is_anothers(text: str, people: Iterable[str] = ()) -> bool:
    """Return whether what a statement says of an "I" is somebody else's, also who is named as in a play.

    people   names of people in it

    >>> is_anothers("Ana: I live in Lisbon", ["Ana"]), is_anothers("Ana: lives in Lisbon", ["Ana"])
    (True, False)
    """
    begun = (compiled(SPEAKS).match(text.partition(name)[2]) for name in people if _begins(text, name))
    return any(found and is_of_speaker(found[1]) for found in begun) or tells_of_another(text)


def _begins(text: str, name: str) -> bool:
    return text.lstrip(" >*-•–—").startswith(name)


def tells_home(text: str) -> bool:
    """Return whether a statement says where its speaker lives."""
    return _has(text, WHO[:1])


def tells_move(text: str, places: Iterable[str]) -> bool:
    """Return whether a statement says that its speaker has moved to one of some places.

    >>> tells_move("I've just moved to Lisbon with Ana", ["Lisbon"]), tells_move("We moved to Slack", [])
    (True, False)
    """
    known = {place.casefold() for place in places}
    return (
        bool(known)
        and _has(text, MOVED)
        and any(each.slot == slots.HOME and each.value.casefold() in known for each in slots.told(text))
    )


def introduces(text: str, name: str) -> bool:
    """Return whether a name that a statement gives stands for itself, as in an introduction: nothing is said of it.

    >>> introduces("hello. Signe Aaltonen, ice master in Kuopio", "Signe Aaltonen")
    True
    >>> introduces("Signe Aaltonen runs the hall", "Signe Aaltonen"), introduces("our boss: Ann Lee", "Ann Lee")
    (False, False)
    >>> introduces("Claire Duhamel, the registrar, has the key", "Claire Duhamel")
    False
    """
    before, _, behind = text.partition(name)
    last = compiled(r"[.!?。！？]").split(before)[-1]
    if compiled(ANOTHER, re.IGNORECASE).match(behind) and not compiled(I_AM, re.IGNORECASE).search(last):
        return False
    if not compiled(ALONE, re.IGNORECASE).match(behind) or not compiled(BEFORE, re.IGNORECASE).fullmatch(last):
        return False
    return not is_of_speaker(last + compiled(r"[.!?。！？]").split(behind)[0]) or bool(
        compiled(I_AM, re.I).search(last)
    )


def names_himself(text: str, name: str) -> bool:
    """Return whether a statement says that its speaker is who has a name, whatever it goes on with.

    >>> names_himself("I'm Ann Lee and I tune pianos", "Ann Lee"), names_himself("I'm with Ann Lee", "Ann Lee")
    (True, False)
    """
    before, found, _ = text.partition(name)
    return bool(found) and compiled(I_AM, re.IGNORECASE).search(before) is not None


def tells_whose(text: str) -> bool:
    """Return whether a statement says who or what is its speaker's.

    >>> tells_whose("Kit is my son"), tells_whose("Pixel = our greyhound"), tells_whose("that's my stop")
    (True, True, False)
    """
    return _has(text, HIS)


def _has(text: str, names: tuple[str, ...], *, whose: bool = True) -> bool:
    """Return whether a text tells one of these. whose: only where it is its speaker's own word"""
    low = text.lower()
    return any(
        (found := compiled(told.pattern, re.IGNORECASE).search(text)) is not None
        and not (whose and compiled(OTHERS, re.IGNORECASE).search(text[: found.start()]))
        for name in names
        for told in table()[name]
        if not told.begins or any(word in low for word in told.begins)
    )
