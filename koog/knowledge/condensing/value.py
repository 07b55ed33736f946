"""How much a line tells for its room: whom it names, when, how much, what few lines speak of, and whether it happened.

The weights were chosen on four LoCoMo conversations (bench/condense.py), where they decide which third of a month's
lines stays; what a person said must never be lost stays in any case. Pure.  [autopoiesis §8.4]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import lru_cache
from math import fsum

from koog.core.text import compare, dates, weigher
from koog.core.text.measures import content_words
from koog.core.text.observation import OF_AGENT
from koog.core.text.says import says
from koog.core.text.voices import AGENT, ASSISTANT, PERSON, TALK, USER
from koog.knowledge import joy, rating
from koog.knowledge.condensing.gathering import Said
from koog.memory.names import mentions

LEAST, EVENT, OF_PERSON, NAMED, NUMBER, DATED = 0.3, 1.0, 0.6, 0.15, 0.3, 0.5
MOST = 3  # names, or numbers, that count
SELDOM, USUAL = 0.12, 0.5  # of an idea, by how much it tells more than one that many lines have
JOY = 0.5  # of what a line tells that mostly says how glad somebody is
EMPTY_CHARS = 30  # so long a line of no words would be
AGAIN = 0.15  # of a further line of the same turn: the turn is there already
LATER = 1 + 1e-6  # how much more a line is worth than one of the same matter that was said before it
LEAST_WORDS = 2  # of a line that says something
GRAVE = 0.9  # how much a person's line must not be lost, so that a month keeps it whole


@lru_cache(maxsize=8192)
def value(text: str, trust: str, day: date) -> float:
    """Return how much a line tells for each of its characters; only to compare lines with one another."""
    bare = text.removeprefix(OF_AGENT)
    if len(content_words(bare)) < LEAST_WORDS:
        return 0.0
    role = ASSISTANT if trust == AGENT else USER
    named = mentions.found(bare)
    rated = rating.rate(bare, role, named, today=day)
    told = LEAST + EVENT * rated.odds["event"] + OF_PERSON * rated.odds["person"]
    told += NAMED * min(len(named), MOST) + NUMBER * min(len(says(bare).numbers), MOST) + DATED * dates.has_day(bare)
    common = compare.common()
    told += SELDOM * fsum(max(0.0, common.get(idea, 1.0) - USUAL) for idea in says(bare).ideas)
    told *= JOY if joy.is_joy(bare) else 1.0
    return told / (EMPTY_CHARS + len(text))


def must(said: Said) -> float:
    """Return how much a line is one that a person said and that must never be lost, 0 to 1."""
    return weigher.weigh(said.text, register=TALK, role=USER).must if said.trust == PERSON else 0.0


def is_grave(said: Said) -> bool:
    return must(said) >= GRAVE


def ranked(lines: Sequence[Said], elsewhere: Collection[str] = (), since: Mapping[int, int] | None = None) -> list[int]:
    """Return the places of lines, the most telling first: of each turn one line before any gets a second.

    elsewhere   sources of what other files tell of these turns
    since       the place of a line → of a later one of the same matter, which comes before it
    """
    told = [value(each.text, each.trust, date.fromisoformat(each.day)) for each in lines]
    order = sorted(range(len(lines)), key=lambda n: (-told[n], n))
    seen, worth = Counter(elsewhere), dict[int, float]()
    for n in order:
        sources = [each for each in lines[n].source.split(";") if each]
        worth[n] = told[n] * AGAIN ** max((seen[each] for each in sources), default=0)
        seen.update(sources)
    for old, new in sorted((since or {}).items(), key=lambda pair: lines[pair[1]].day):
        worth[new] = max(worth[new], worth[old] * LATER)
    return sorted(order, key=lambda n: (-worth[n], n))
