"""What a line says of whoever speaks: who he is, and who or what is his; by himself.txt, in six languages. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from koog.core import shipped
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import first_person, slots, speaker
from koog.core.text.of_self import is_of_speaker

WHO = ("lives", "born", "named", "reached")
MOVED = ("moved",)
FAMILY = ("family",)
BODY, HIS = ("body",), ("his",)
IDLE, OF_OTHERS = ("idle",), ("others",)
# Before words that are somebody else's: an open quotation, "she told me: …"; or that only might be so.
OPEN = r"[“„«「『][^”»」』]*\Z|\A(?:[^\"]*\"[^\"]*\")*[^\"]*\"[^\"]*\Z"
SAYS = (
    r"(?:said|says|told (?:me|us|\w+)|writes|wrote|claim(?:s|ed)|texted|sagt|sagte|gesagt|meinte?|schreibt|schrieb"
    r"|geschrieben|erzählte?|dice|dijo|dicho|cuenta|escrib(?:e|ió)|escrito|dit|écrit|raconte)"
)
# "As I said, we live in Leeds" is his who speaks.
I_SAY = (
    rf"\b(?:i|we|ich|wir|je|as|like|wie|como|comme)(?:['’]\w+)?(?: \w+){{0,3}}? {SAYS}|\bhe(?:mos)? dicho"
    rf"|\bj['’]ai (?:\w+ )?{SAYS}"
)
OTHERS = (
    rf"{OPEN}|\b{SAYS}\b[^.!?]{{0,30}}\Z|(?:\A|[.!?] )(?:if|wenn|falls|si)\b[^.!?,]*\Z"
    r"|\b(?:according to|según|selon|d['’]après|laut (?-i:[A-ZÄÖÜ]))[^.!?]{0,30}\Z"
    r"|(?<![我你您来听])说(?!实话|真|起来|来)[^。！？]{0,10}\Z|(?:によると|曰く)[^。！？]{0,10}\Z"
)
FIRST = r"\b(?:soy|estoy|tengo|trabajo|bin|habe?)\b"  # said of oneself without a word for that
# A word for whoever speaks, as the subject.
SPEAKS = r"\b(?:i|i['’]\w+|we|we['’]\w+|ich|wir|je|nous)\b|\bj['’]|[我私僕俺]|" + FIRST


class Told(NamedTuple):
    """How something is told. begins: of these words a text has one, else the pattern is not even compiled"""

    begins: tuple[str, ...]
    pattern: str


@lru_cache(maxsize=1)
def table() -> dict[str, list[Told]]:
    """Return what is told → how, from himself.txt."""
    found: dict[str, list[Told]] = {}
    for line in shipped.rows(shipped.PACKAGE / "core/text/himself.txt"):
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
    return _has(text, WHO) or (_has(text, BODY) and is_of_speaker(text) and not _is_of_relative(text, BODY))


def tells_family(text: str) -> bool:
    """Return whether a statement says who its speaker's husband, wife or children are.

    >>> tells_family("My wife is Ana, she teaches"), tells_family("we've two kids, Bo and Kim")
    (True, True)
    >>> tells_family("My wife is ill"), tells_family("She said my husband is Jun")
    (False, False)
    """
    return _has(text, FAMILY)


def only_sounds_so(text: str) -> bool:
    """Return whether a statement has the words of one that says who its speaker is, and says no such thing.

    >>> only_sounds_so("I live in fear of the audit"), only_sounds_so("My mother is deaf in one ear")
    (True, True)
    >>> only_sounds_so("I live in fear of the audit, but I live in Bern"), only_sounds_so("I like tea")
    (False, False)
    """
    text = first_person.own(text)
    at = _at(text, IDLE)
    is_idle = at >= 0 and not compiled(r"[,.;:!?，。；：！？]").search(text, 0, at)  # else it says more than that
    return not tells_who(text) and (is_idle or _is_of_relative(text, (*BODY, *OF_OTHERS)))


def tells_of_relative(text: str) -> bool:
    """Return whether a statement says of a relative of its speaker's, with whom it begins, where he lives or was born.

    >>> tells_of_relative("我妈住在杭州"), tells_of_relative("My sister and I live in Porto")
    (True, False)
    """
    return _is_of_relative(text, OF_OTHERS)


def _is_of_relative(text: str, names: tuple[str, ...]) -> bool:
    """Return whether a statement, which begins with a relative of its speaker's, tells one of these of him."""
    text = first_person.own(text)
    at = _at(text, names)
    found = compiled(rf"\W*(?:{speaker.HIS_RELATIVE})", re.IGNORECASE).match(text, 0, max(at, 0))
    return found is not None and compiled(rf"[.!?。！？]|{SPEAKS}", re.IGNORECASE).search(text, found.end(), at) is None


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

    >>> is_anothers("Ana: vivo en Lisboa", ["Ana"]), is_anothers("Ana: lives in Lisbon", ["Ana"])
    (True, False)
    """
    told = speaker.spoken(text, people)
    return (told is not None and _is_own(told.said)) or tells_of_another(text)


def _is_own(said: str) -> bool:
    """Return whether somebody speaks of himself."""
    return is_of_speaker(said) or _has(said, (*WHO, *MOVED)) or compiled(FIRST, re.IGNORECASE).search(said) is not None


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


def tells_whose(text: str) -> bool:
    """Return whether a statement says who or what is its speaker's.

    >>> tells_whose("Kit is my son"), tells_whose("Pixel = our greyhound"), tells_whose("that's my stop")
    (True, True, False)
    """
    return _has(text, HIS)


def _has(text: str, names: tuple[str, ...], *, whose: bool = True) -> bool:
    """Return whether a text tells one of these. whose: only where it is its speaker's own word"""
    return _at(first_person.own(text), names, whose=whose) >= 0


def _at(text: str, names: tuple[str, ...], *, whose: bool = False) -> int:
    """Return where a text tells one of these, -1 for nowhere. whose: only where it is its speaker's own word"""
    low = text.lower()
    for name in names:
        for told in table()[name]:
            if told.begins and not any(word in low for word in told.begins):
                continue
            for found in compiled(told.pattern, re.IGNORECASE).finditer(text):
                if name in WHO and _is_idle(text, found.start()):
                    continue
                if not (whose and _is_others(text[: found.start()])):
                    return found.start()
    return -1


def _is_idle(text: str, start: int) -> bool:
    """Return whether what begins at a place only sounds so."""
    low = text.lower()
    return any(
        compiled(told.pattern, re.IGNORECASE).match(text, start) is not None
        for told in table()[IDLE[0]]
        if not told.begins or any(word in low for word in told.begins)
    )


def _is_others(before: str) -> bool:
    """Return whether what stands behind some words is somebody else's."""
    own = compiled(I_SAY, re.IGNORECASE).sub("", before)
    return compiled(OTHERS, re.IGNORECASE).search(own) is not None
