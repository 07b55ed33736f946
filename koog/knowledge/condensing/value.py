"""How much a line tells for the room that it takes: whom it names, when, how much, and whether something happened.

The weights were chosen on four LoCoMo conversations (bench/condense.py), where they decide which third of a month's
lines stays; what a person said must never be lost stays in any case. Pure.  [autopoiesis §8.4]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.text import cues, dates, sentences, weigher
from koog.core.text.measures import content_words
from koog.core.text.observation import OF_AGENT
from koog.core.text.says import says
from koog.core.text.voices import AGENT, ASSISTANT, PERSON, TALK, USER
from koog.knowledge import rating
from koog.knowledge.condensing.gathering import Said
from koog.memory.names import mentions
from koog.observe import reflection_laws

LEAST, EVENT, OF_PERSON, NAMED, NUMBER, DATED = 0.3, 1.0, 0.6, 0.15, 0.3, 0.5
MOST = 3  # names, or numbers, that count
EMPTY_CHARS = 20  # so long a line of no words would be
AGAIN = 0.15  # of a further line of the same turn: the turn is there already
CLAUSE = ",;—–，；、"
WIDE = 0x2E80  # from here on, words are written without blanks
LEAST_WORDS, LEAST_OF_LINE = 3, 2  # of a clause that says something; of a line
GRAVE = 0.9  # how much a person's line must not be lost, so that a month keeps it whole


@lru_cache(maxsize=8192)
def value(text: str, trust: str, day: date) -> float:
    """Return how much a line tells for each of its characters; only to compare lines with one another."""
    bare = text.removeprefix(OF_AGENT)
    if len(content_words(bare)) < LEAST_OF_LINE:
        return 0.0
    role = ASSISTANT if trust == AGENT else USER
    named = mentions.found(bare)
    rated = rating.rate(bare, role, named, today=day)
    told = LEAST + EVENT * rated.odds["event"] + OF_PERSON * rated.odds["person"]
    told += NAMED * min(len(named), MOST) + NUMBER * min(len(says(bare).numbers), MOST) + DATED * dates.has_day(bare)
    return told / (EMPTY_CHARS + len(text))


def must(said: Said) -> float:
    """Return how much a line is one that a person said and that must never be lost, 0 to 1."""
    return weigher.weigh(said.text, register=TALK, role=USER).must if said.trust == PERSON else 0.0


def is_grave(said: Said) -> bool:
    return must(said) >= GRAVE


def ranked(lines: Sequence[Said]) -> list[int]:
    """Return the places of lines, the most telling first: of each turn one line before any gets a second."""
    told = [value(each.text, each.trust, date.fromisoformat(each.day)) for each in lines]
    order = sorted(range(len(lines)), key=lambda n: (-told[n], n))
    seen, worth = dict[str, int](), dict[int, float]()
    for n in order:
        said = lines[n]
        worth[n] = told[n] * AGAIN ** seen.get(said.source, 0)
        if said.source:
            seen[said.source] = seen.get(said.source, 0) + 1
    return sorted(order, key=lambda n: (-worth[n], n))


def shortened(said: Said) -> str:
    """Return that part of a line which tells most for its length and loses nothing: no number, name, day or "not".

    A sentence, or what of it says something: without the clauses that say next to nothing, or one side of an "and".

    >>> shortened(Said("people", "Wow! We went to a shelter in March, you know, and it felt good.", "2026-04-01"))
    'We went to a shelter in March'
    """
    lead = OF_AGENT if said.text.startswith(OF_AGENT) else ""
    day = date.fromisoformat(said.day)
    found = [lead + part for part in _parts(said.text.removeprefix(OF_AGENT))]
    whole = [part for part in found if not reflection_laws.lost(part, said.text)]
    best = max(whole, key=lambda part: value(part, said.trust, day), default=said.text)
    return best if len(best) < len(said.text) else said.text


def _parts(text: str) -> Iterator[str]:
    """Yield the sentences of a text, and what of each says something by itself."""
    for _, sentence in sentences.split(text):
        yield sentence
        clauses = [each for each in _clauses(sentence) if _tells(each)] or [sentence]
        left = " ".join(clauses).rstrip(CLAUSE + " ")
        yield from (part for part in (left, *compiled(cues.CONNECTIVE).split(left)) if _tells(part))


def _tells(text: str) -> bool:
    return len(content_words(text)) >= LEAST_WORDS


def _clauses(text: str) -> list[str]:
    """Return what stands between the commas of a sentence, each with the one behind it."""
    found, begin = list[str](), 0
    for at, char in enumerate(text):
        if char in CLAUSE and (at + 1 == len(text) or text[at + 1].isspace() or ord(char) > WIDE):
            found.append(text[begin : at + 1].strip())
            begin = at + 1
    return [*found, text[begin:].strip()]
