"""Of which thing a clause says something: the thing itself, and not where it is, or of what. Pure.

    place      a clause, and how a change is told (says.py) → where the words for it stand
    object_of  a clause, and that place → the thing

"The trip to Bergen" is a trip, and "Ben's membership in the choir" no choir. Without blanks between words nobody can
tell, and the thing is all that stands before the words for it.
"""

from __future__ import annotations

from functools import lru_cache

from koog.consolidate import matters
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.says import says, table

SUBJECT, OBJECT, EITHER, VERB = "before it", "behind it", "of a participle", "of a verb"
WORD = r"[^\W_]+(?:['’-][^\W_]+)*"
LONGEST = 4  # words of which one is told: "pulled the plug on"
NUMBER = "#"
CLASS = ("<", NUMBER)  # how an idea begins that is of many words, or a number: many things are of such a one
# Said of what stands before it, not done to what follows.
IS = (
    r"(?i)\b(?:got|gets|was|were|been|being|is|are|['’]s|wurden?|ist|sind|wird|werden|fue|fueron|sido|está|quedó|été|est"
    r"|sont)\s+(?:(?:now|finally|all|also|jetzt|nun|ahora|maintenant)\s+)*"
)
ARTICLE = (
    r"(?:the|an?|my|our|your|his|her|their|this|that|any|all|both|de[rnm]|die|das|mein\w*|unser\w*|el|las?|los"
    r"|mis?|nuestr\w+|les?|mon|ma|notre|nos)\s"
)
AN_OBJECT = rf"\s+(?:{ARTICLE}|[A-ZÀ-Þ])"
JOINED = r"(?i)\b(?:and|but|so|und|aber|y|pero|et|mais)\s"
SINCE = r"(?i)\A\s*(?:since|after|because|seit|nachdem|weil|desde que|porque|depuis que|parce que)\s"
HAS = r"(?i)\b(?:habe|haben|hat|hatte|hatten)\b"
HE = r"(?i)\s*(?:ich|wir|sie|er|man)\b"
# Behind these stands of what or where the thing is; behind the others, when, how or why.
WHICH = r"(?i)\s(?:to|at|in|of|from|bei[m]?|ins?|im|zu[rm]?|nach|vo[nm]|des|à|aux?|de|du|dans|en|del|al)\s|\sd['’]"
CUT = (
    r"(?i)\s(?:on|for|with|by|behind|near|under|over|about|as|into|after|before|because|since|when|where|who|that|which"
    r"|für|mit|auf|an|am|aus|hinter|seit|weil|als|pour|avec|chez|par|depuis|que|qui|para|con|por|sobre|desde|and|or|und"
    r"|oder|y|et|ou|this|next|last|today|yesterday|diesen?|heute|gestern|esta|este|hoy|ayer|cette|ce|hier|aujourd['’]hui)\s"
)


class Place(NamedTuple):
    """Where in a clause something is told of a thing. side: where the thing stands"""

    start: int
    end: int
    side: str


class Thing(NamedTuple):
    """A thing.

    own       the words that it is called by
    of        plain ones that tell which one it is
    is_who    it is or does what is told, and may be a person: it has no article
    """

    own: frozenset[str]
    of: frozenset[str] = frozenset()
    is_who: bool = False

    def __bool__(self) -> bool:
        return bool(self.own)


NOTHING = Thing(frozenset())


@lru_cache(maxsize=16384)
def ideas(text: str) -> frozenset[str]:
    """Return what a text says, its numbers among it, without who speaks and without days, sides and the like."""
    read = says(text)
    own = frozenset(each for each in read.ideas if not matters.is_speaker(each) and not _is_member(each))
    return own | {f"{NUMBER}{each}" for each in read.numbers}


def is_named(found: frozenset[str]) -> bool:
    """Return whether one of some words is of no class, so that few things are called by it."""
    return bool(_plain(found))


def place(clause: str, cue: str) -> Place | None:
    """Return where a clause has the first words that tell a change in some way; None where none stands alone."""
    if says(clause).wide:
        known = (word for word, found in table().wide.items() if any(e[:2] == ("cue", cue) for e in found))
        longest = max((word for word in known if word in clause), key=len, default="")
        return Place(clause.index(longest), clause.index(longest) + len(longest), VERB) if longest else None
    words = list(compiled(WORD).finditer(clause))
    for size in range(1, LONGEST + 1):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            if cue in says(clause[run[0].start() : run[-1].end()]).cues:
                return Place(run[0].start(), run[-1].end(), VERB)
    return None


def object_of(clause: str, at: Place) -> Thing | None:
    """Return the thing of which a clause tells something at a place, None where it names none.

    >>> sorted(object_of("I sold the old sofa to Weber's wife", Place(2, 6, VERB)).own)
    ['old', 'sofa']
    >>> object_of("The bus stopped", Place(8, 15, VERB))
    """
    before, behind = compiled(JOINED).split(clause[: at.start])[-1], clause[at.end :]
    if says(clause).wide:
        return _wide(before) or _wide(behind)
    told = clause[at.start : at.end]
    is_passive = compiled(IS).match(told) or compiled(rf"{IS}\Z").search(f"{before.rstrip()} ")
    if has := compiled(HAS).search(before):
        who = compiled(HE).match(before, has.end())
        return named(before[: has.start()] if who and not named(before[who.end() :]) else before[has.end() :]) or None
    if at.side == SUBJECT or (is_passive and at.side != OBJECT):
        return _subject(compiled(rf"{IS}\Z").sub("", f"{before.rstrip()} ")) or None
    if at.side == EITHER and not compiled(AN_OBJECT).match(behind):
        return _subject(before) or named(behind) or None
    return named(behind) or None


def _subject(text: str) -> Thing:
    text = compiled(SINCE).sub("", text)
    return named(text)._replace(is_who=not compiled(rf"(?i)\W*{ARTICLE}").match(text))


def named(text: str) -> Thing:
    """Return what a phrase names: its words up to where it says which one, when or why."""
    if says(text).wide:
        return _wide(text) or NOTHING
    text = compiled(CUT).split(f" {text.strip()} ", maxsplit=1)[0] + " "
    own, *rest = compiled(WHICH).split(text, maxsplit=1)
    return Thing(ideas(own), _plain(ideas(rest[0])) if rest else frozenset())


def _wide(text: str) -> Thing | None:
    found = _plain(ideas(text))
    return Thing(found) if found else None


def _plain(found: frozenset[str]) -> frozenset[str]:
    return frozenset(each for each in found if not each.startswith(CLASS))


def _is_member(idea: str) -> bool:
    """Return whether a word is one of a kind, as days and sides are, and not of one meaning with others."""
    return idea.startswith("<") and idea[-2:-1].isdigit()
