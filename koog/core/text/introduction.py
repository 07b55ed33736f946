"""Whether a name in a line is its speaker's: "Hello, Ann Lee, I tune pianos", "I'm Ann Lee". Six languages. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from koog.core.lazy_regex import compiled
from koog.core.text import speaker
from koog.core.text.himself import SPEAKS
from koog.core.text.of_self import is_of_speaker

# What stands behind the name of who introduces himself, and before it in its sentence.
ALONE = r"\s*(?:[.,;:!–—(。，、！]|\Z|(?:here|hier|aquí|ici)\b|です)"
# What stands behind the name of somebody else: "the" one who is known, or what he does.
DOES = (
    r"(?:is|was|has|had|will|can|ist|hat|war|wird|kommt|will|möchte|ruft|es|ha|era|va|viene|quiere|est|a|vient|veut"
    r"|(?-i:[a-z]{2,}ed|[a-z]{3,}[óé])|said|told|rang|came|left|sent|wrote|got|(?-i:[a-z]{3,})(?<!s)s)"
)
ANOTHER = (
    r"\s*[,，(–—]\s*(?:(?:the|who|whose|der|die|das|el|la|los|las|le|les|quien|qui)\b|l['’])"
    rf"|\s*[,，][^,，.!?]{{2,60}}[,，]\s*{DOES}\s"
)
I_AM = (
    r"(?:\b(?:i['’]m|i am|my name(?:['’]s| is)|ich (?:bin|heiße)|mein name ist|soy|me llamo|mi nombre es|je suis"
    r"|je m['’]appelle)|我[是叫]|[私僕]は)\s*\Z"
)
BY_HERE = r"\s*(?:here|hier|aquí|ici)\b"
HERE = r"\b(?:this is|hier ist|aquí|ici)\s\Z"
# Nobody gives his name alone: he greets, says that he gives it, or speaks of himself.
GREETS = (
    r"\b(?:hello|hi|hey|good (?:morning|day|afternoon|evening)|morning|evening|greetings|introduc\w+|formalit\w+"
    r"|to (?:start|begin)|first(?: things)? first|about me|hallo|guten (?:morgen|tag|abend)|moin|servus|grüezi"
    r"|grüß gott|vorstell\w*|zu (?:mir|meiner person)|hola|buen[oa]s|me presento|presentaci\w*|bonjour|bonsoir|salut"
    r"|coucou|présent\w*)\b|你好|您好|大家好|自我介绍|はじめまして|初めまして|こんにちは|自己紹介"
)
HIM = r"\b(?:he|she|him|her|his|hers|er|sie|ihn|ihm|él|ella|elle|lui)\b|[他她彼]"
BEFORE = rf"[^\w@#/]*|[^@#]{{0,40}}[,，:：]\s*|.{{0,40}}{HERE}|.{{0,40}}{I_AM}"
# A note of somebody, not what one says of himself: a number but an age, an address, who else is meant.
NOTED = (
    r"(?<!\d)(?!(?:19|20)\d\d\b)\d{3}|\d[:./-]\d|\d ?(?:am|pm|uhr|h)\b|[時点号月]|@"
    r"|\b(?!aged? )[a-zà-ÿ]+\.? \d{1,2}\b(?! ?(?:years?|jahre?|años|ans)\b)"
    r"|\b\d{1,2}\.? (?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])"
)


def introduces(text: str, name: str, people: Iterable[str] = ()) -> bool:
    """Return whether a name that a statement gives is its speaker's, as in an introduction: nothing is said of him.

    people   all names of people in it

    >>> introduces("hello. Signe Aaltonen, ice master in Kuopio", "Signe Aaltonen")
    True
    >>> introduces("Signe Aaltonen runs the hall", "Signe Aaltonen"), introduces("our boss: Ann Lee", "Ann Lee")
    (False, False)
    >>> introduces("Claire Duhamel, registrar", "Claire Duhamel"), introduces("Hi, Dr. Ann Lee here", "Dr. Ann Lee")
    (False, False)
    """
    before, _, behind = text.partition(name)
    *greeted, last = compiled(r"[.!?。！？]").split(before)
    if compiled(I_AM, re.IGNORECASE).search(last):
        return compiled(ALONE, re.IGNORECASE).match(behind) is not None
    rest, *more = compiled(r"[.!?。！？](?=\s|\Z|[^\x00-\x7f])").split(behind)
    others = any(" " in each and each != name and each in f"{last}{rest}" for each in people)
    if others or speaker.is_titled(name, before) or not _stands_alone(last, rest):
        return False
    is_here = compiled(BY_HERE, re.IGNORECASE).match(behind) or compiled(HERE, re.IGNORECASE).search(last)
    if is_here or (rest.strip(" ,;") and compiled(GREETS, re.IGNORECASE).search(" ".join((*greeted, last)))):
        return True
    is_of_him = compiled(HIM, re.IGNORECASE).search(behind) is not None
    speaks = compiled(SPEAKS, re.IGNORECASE).search(" ".join((rest, *more))) is not None
    return not last.strip() and speaks and not is_of_him


def _stands_alone(before: str, behind: str) -> bool:
    """Return whether of a name nothing is said in its sentence, which is no note of somebody."""
    if not compiled(ALONE, re.I).match(behind) or not compiled(BEFORE, re.I).fullmatch(before):
        return False
    if compiled(ANOTHER, re.IGNORECASE).match(behind) or compiled(NOTED, re.IGNORECASE).search(behind):
        return False
    is_own = compiled(rf"[,，;–—]\s*(?:and |und |y |et )?(?:{SPEAKS})", re.IGNORECASE).search(behind) is not None
    return is_own or not is_of_speaker(f"{before}{behind}")


def names_himself(text: str, name: str) -> bool:
    """Return whether a statement says that its speaker is who has a name, whatever it goes on with.

    >>> names_himself("I'm Ann Lee and I tune pianos", "Ann Lee"), names_himself("I'm with Ann Lee", "Ann Lee")
    (True, False)
    """
    before, found, _ = text.partition(name)
    return bool(found) and compiled(I_AM, re.IGNORECASE).search(before) is not None
