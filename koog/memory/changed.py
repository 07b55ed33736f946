"""Which of the lines that were told a new one changes, and how surely, wherever either is kept.  [moltbot §8.2]

    likely   a new line, older ones → those that it may change, the surest first

Beside compare and correction, which go by what two lines say alone: here what speaks for it adds up, over all lines
that may be meant. How much the two share that few lines have, and whether another line shares as much; whether both
give a value of one sort, and the newer another one ("18 March", "26 March"); whether the newer tells a change, and of
what. Six languages. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from math import exp, fsum, log, sqrt

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import dates
from koog.core.text.compare import common
from koog.core.text.pairs import STRONG, seen
from koog.core.text.says import NUMBER, Says, says
from koog.memory.answering import cues
from koog.memory.store.change import Change

CHANGE, NOW, SOURCE = "change", "now", "source"
SELF = "<self>"
KINDS = ("weekday", "part", "rhythm", "season", "place", "colour")  # of which one thing has one at a time
TIME = r"\b\d{1,2}[:h]\d\d\b"
SAID = date(2000, 1, 3)  # both lines' days are read as of one day: only whether they differ is looked at
NEAREST = 12  # older lines that are looked at closely
BARE = 12  # words of an older line that says little but the value that changes
LEAST, SURE = 0.28, 0.7  # from LEAST on it is told beside; from SURE on it takes the older one's place
TELLING = 0.6  # how much a word tells that not everybody says
AIR = 0.5  # so that a line of one word is not all of another
MOST_TOLD = 2.0  # what counts of the older line's words that stand where the newer tells a change
SHORT = 12  # words: who corrects something says little else


class Likely(NamedTuple):
    """An older line that a newer one may change.

    at      its place among the older ones
    sure    how likely that is, 0 to 1
    clash   both give a value of one sort, and not the same
    """

    at: int
    sure: float
    clash: bool


def likely(newer: str, older: Sequence[str], *, total: int = 0) -> list[Likely]:
    """Return which of some older lines a newer one may change, the surest first.

    total   how many lines there are, where `older` leaves out those that share no word with the newer one

    >>> [found] = likely("scrap the 18th, the audit is on 26 March now", ["the audit is on 18 March"])
    >>> found.clash, found.sure > 0.5
    (True, True)
    """
    rows = evidence(newer, older, total=total)
    found = [Likely(at, _odds(seen), bool(seen["clash"])) for at, seen in rows]
    return sorted(found, key=lambda each: (-each.sure, -each.at))


def of(found: Likely, older: str, newer: str, ids: tuple[str, ...], *, told: str = "") -> Change:
    """Return what a newer line is to an older one that it may change. ids: those of the older one, wherever it stands

    told   the day on which the older one was told, YYYY-MM-DD; "" where nobody knows

    It takes its place where it gives the value anew of which the older one says little else, or denies all that it
    says, and says so. Without a word of a change it is nothing to it where both say the same ("once more: …"), where it
    is of another ("the race of group 2 is on 12 May"), and where the older one had come to pass: what happened once
    happened twice. Nor does it take its place where one source has it otherwise than another: the two stand against
    each other.
    """
    a, b = says(older), says(newer)
    tells = bool(b.cues & STRONG) or NOW in b.cues or cues.gives(CHANGE, newer)
    is_hearsay = SOURCE in a.cues | b.cues and not b.cues & STRONG
    if found.clash and is_hearsay and not tells:
        return Change(against=ids)
    if not tells and (not found.clash or _is_of_another(a, b) or _has_happened(older, newer, told)):
        return Change()
    is_otherwise = (found.clash and tells) or _takes_all_back(a, b)
    is_sure = is_otherwise and not is_hearsay and found.sure >= SURE and len(a.words) <= BARE
    return Change(replaced=ids) if is_sure else Change(beside=ids)


def _takes_all_back(old: Says, new: Says) -> bool:
    """Return whether a line denies all that an older one says, and tells a change: "no wifi there, cable instead"."""
    is_told = bool(new.cues & STRONG) and bool(new.ideas - new.denied) and not old.denials
    left = old.ideas - new.denied
    return is_told and left < old.ideas and all(_tells(idea) < TELLING for idea in left)


def _is_of_another(old: Says, new: Says) -> bool:
    """Return whether two lines name two things of one kind, each its own: by a number, or by names."""
    mine, theirs = old.names | old.maybe, new.names | new.maybe
    return seen(old, new).is_of_another or bool(mine - theirs and theirs - mine)


def _has_happened(older: str, newer: str, told: str) -> bool:
    """Return whether the days that an older line names had come when it was told, and the newer one names others."""
    try:
        day = date.fromisoformat(told)
    except ValueError:
        return False
    days = dates.found(older, day)
    return bool(days and _values(newer)[0]) and all(each.day <= day for each in days)


def evidence(newer: str, older: Sequence[str], *, total: int = 0) -> list[tuple[int, dict[str, float]]]:
    """Return what speaks for it that a newer line changes an older one, of those that share most with it."""
    new, held = says(newer), [says(each) for each in older]
    wanted = new.ideas - {SELF}
    having = Counter(idea for each in held for idea in each.ideas & wanted)
    most = log(2 + max(total, len(held)))
    weights = {idea: _tells(idea) * max(0.0, 1 - log(max(1, having[idea])) / most) for idea in new.ideas}
    near = [(_nearness(each, new, weights), at) for at, each in enumerate(held) if _is_of_one(each, new)]
    near = sorted(near, key=lambda each: (-each[0], -each[1]))[:NEAREST]
    tops = [*(nearness for nearness, _ in near[:2]), 0.0]
    return [
        (at, _seen(newer, older[at], weights, nearness, nearness - (tops[0] if n else tops[1])))
        for n, (nearness, at) in enumerate(near)
    ]


def _is_of_one(old: Says, new: Says) -> bool:
    """Return whether two lines have more in common than one name: of somebody one says many things."""
    shared = (old.ideas & new.ideas) - {SELF}
    return len(shared) > 1 or not shared <= (old.names | old.maybe) & (new.names | new.maybe)


def _tells(idea: str) -> float:
    return common().get(idea, 1.0)


def _nearness(old: Says, new: Says, weights: Mapping[str, float]) -> float:
    """Return how much two lines share, of what each says: 0 to 1."""
    shared = fsum(weights[idea] for idea in old.ideas & new.ideas if idea != SELF)
    sides = (fsum(weights.get(idea, _tells(idea)) for idea in each.ideas) + AIR for each in (old, new))
    return shared / sqrt(next(sides) * next(sides))


def _seen(newer: str, older: str, weights: Mapping[str, float], nearness: float, ahead: float) -> dict[str, float]:
    """Return what shows of two lines. ahead: by how much it is nearer than the next, or below 0 less near than that"""
    a, b = says(older), says(newer)
    strong = b.cues & STRONG
    told = (fsum(weights.get(idea, 0.0) for idea in b.told.get(cue, ()) if idea in a.ideas) for cue in strong)
    return {
        "near": nearness,
        "ahead": ahead,
        "clash": float(_clash(older, newer)),
        "cue": float(bool(strong)),
        "hint": float(not strong and (NOW in b.cues or cues.gives(CHANGE, newer))),
        "told": min(max(told, default=0.0), MOST_TOLD) / MOST_TOLD,
        "short": float(len(b.words) < SHORT),
    }


def _clash(older: str, newer: str) -> bool:
    """Return whether both lines give a value of one sort, and the newer none that the older gives."""
    a, b = says(older), says(newer)
    if any(kind in a.kinds and kind in b.kinds and b.kinds[kind] - a.kinds[kind] for kind in KINDS):
        return True
    counts, others = _counted(a), _counted(b)
    if any(counts[what].isdisjoint(others[what]) for what in counts.keys() & others.keys()):
        return True
    return any(one and two and one.isdisjoint(two) for one, two in zip(_values(older), _values(newer), strict=True))


def _counted(found: Says) -> dict[str, set[str]]:
    """Return what is counted → its numbers: "3 copies"; in "hall 3" the number is the hall's name."""
    counted: dict[str, set[str]] = {}
    for (word, mark), (after, kind) in pairwise(zip(found.words, found.marks, strict=True)):
        if mark == NUMBER != kind:
            counted.setdefault(after, set()).add(word)
    return counted


@lru_cache(maxsize=1024)
def _values(line: str) -> tuple[frozenset[object], ...]:
    """Return the days and the times that a line names."""
    return frozenset(each.day for each in dates.found(line, SAID)), frozenset(compiled(TIME).findall(line))


# What each sign counts, and what stands against all of them.
WEIGHTS = {"near": 6.4, "ahead": 6.9, "clash": 1.6, "cue": 1.25, "hint": 1.8, "told": 2.1, "short": 1.55}
BASE = -6.6


def _odds(seen: Mapping[str, float]) -> float:
    """Return how likely it is: fitted to thirteen lives, of which 196 sayings correct or move something.

    Each life judged by what the other twelve gave: of these sayings 57% lead to the line that a reader would name, and
    3% of the 850 others to any; of those from SURE on that give another value, 47 of 50 are right.
    """
    return 1 / (1 + exp(-BASE - fsum(WEIGHTS[name] * value for name, value in seen.items())))
