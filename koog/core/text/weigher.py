"""How much a sentence is worth remembering, and what it is: a linear model, learned from labelled lines.

The weights lie in weigher.bin, made by data/train.py: a head of one JSON line, then, each table deflated by itself, a
byte a slot for each column. Pure Python; no list of words decides.  [design §4 "one reading"]
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import exp, log, sqrt
from typing import Any

from koog.core import shipped
from koog.core.named import NamedTuple
from koog.core.text import taught
from koog.core.text.features import COMMON, SHARES, features, tongue
from koog.core.text.taught import Groups, Lesson

FACT, NOTE = "fact", "note"
KEEP, MUST, HARM = "keep", "must", "harm"
VOICES = ((NOTE, NOTE), ("talk", "user"))  # as which a sentence may be worth keeping
# How much it counts against harm that nobody would keep a sentence. On hands that taught nothing (data/train.py): as
# many attacks are held, .651 of them, and as much good advice; of two friends' talk half, .4% of its sentences.
IDLE = 0.5


class Weighed(NamedTuple):
    """What a sentence is worth.

    keep        how likely a careful person would write it down, 0 to 1, where half of all sentences are worth it
    must        how likely it must never be lost, 0 to 1
    type        rule, preference, decision, goal, habit, fact, event, error, fix; "fact" where that is not sure
    confidence  how likely that type (before it said "fact") is right, 0 to 1
    """

    keep: float
    must: float
    type: str
    confidence: float


class Table:
    """The columns that have the same number of slots, and of groups of them."""

    def __init__(self, slots: int, groups: int, columns: list[list[Any]], packed: bytes) -> None:
        self.slots, self.groups, self.columns, self.packed = slots, groups, columns, packed

    @cached_property
    def data(self) -> bytes:
        """The columns' bytes slot after slot; 128 stands for 0. A command does not need every table."""
        return zlib.decompress(self.packed)

    def add(self, found: dict[str, float], groups: Groups) -> None:
        """Put column → score into what was found."""
        width = len(self.columns)
        totals = [0.0] * width
        if width == 1:
            for slots, share in groups[: self.groups]:
                totals[0] += (sum([self.data[slot % self.slots] for slot in slots]) - 128 * len(slots)) * share
            groups = ()
        for slots, share in groups[: self.groups]:
            starts = [slot % self.slots * width for slot in slots]
            picked = b"".join([self.data[start : start + width] for start in starts])
            zero = 128 * len(slots)
            for at in range(width):
                totals[at] += (sum(picked[at::width]) - zero) * share
        for (name, scale, bias), total in zip(self.columns, totals, strict=True):
            found[name] = scale * total + bias


class Model:
    """The tables of the linear model, and what their scores mean (head)."""

    def __init__(self, data: bytes) -> None:
        first, _, packed = data.partition(b"\n")
        self.head: dict[str, Any] = json.loads(first)
        self.tables: list[Table] = []
        for slots, groups, columns, size in self.head["tables"]:
            self.tables.append(Table(slots, groups, columns, packed[:size]))
            packed = packed[size:]
        self.deltas: dict[tuple[Lesson, ...], taught.Delta] = {}
        self._packed = packed

    @cached_property
    def known(self) -> bytes:
        """Slot → in how many of the lines that it was taught by, at most 255."""
        return zlib.decompress(self._packed)

    def scores(self, groups: Groups, *, harm: bool = False) -> dict[str, float]:
        """Return column → score: of harm alone, whose table is its own, or of all others."""
        found: dict[str, float] = {}
        for table in self.tables:
            if any(name == HARM for name, *_ in table.columns) == harm:
                table.add(found, groups)
        return found

    def weigh(self, text: str, register: str, role: str, lessons: tuple[Lesson, ...] = ()) -> Weighed:
        """Return what one sentence is worth to a house that taught these lessons.

        What must never be lost is not forgotten for an agent's lines that are only like it.
        """
        groups = shared(text, register=register, role=role)
        group = f"{register} {tongue(text)}"
        scores = self.scores(groups)
        own = tuple(lesson for lesson in lessons if lesson.by == taught.PERSON)
        least = (0.0, 0.0)
        if own != lessons:
            before = dict(scores)
            taught.add(self.delta(own), before, groups[:COMMON])
            keep, must = (_odds(before[name], *self.head[name][group]) for name in (KEEP, MUST))
            least = (keep, must) if must >= self.head["red"] else least
        if lessons:
            taught.add(self.delta(lessons), scores, groups[:COMMON])
        found = (_odds(scores[name], *self.head[name][group]) for name in (KEEP, MUST))
        keep, must = map(max, found, least)
        kind, sure = self._type(scores)
        return Weighed(keep, must, kind, sure)

    def harm(self, text: str) -> float:
        """Return how likely a sentence was planted, whoever says it.

        What nobody would keep, in a note or in a talk, steers nobody: the odds against its keeping count for it.
        """
        score = _logit(self.scores(shared(text, register=NOTE, role=NOTE), harm=True)[HARM], *self.head[HARM])
        if score > 0:
            kept = max(self._kept(text, register, role) for register, role in VOICES)
            score += IDLE * min(0.0, kept)
        return _of_logit(score)

    def _kept(self, text: str, register: str, role: str) -> float:
        """Return how likely one keeps a sentence, whatever a house taught, as the logarithm of its odds."""
        found = self.scores(shared(text, register=register, role=role))
        return _logit(found[KEEP], *self.head[KEEP][f"{register} {tongue(text)}"])

    def delta(self, lessons: tuple[Lesson, ...]) -> taught.Delta:
        """Return what some lessons add to the weights; it is made once."""
        if lessons not in self.deltas:
            last = dict(list(self.deltas.items())[-1:])  # a house's, and its person's own
            self.deltas = {**last, lessons: taught.learned(lessons, self.seen, known=self.known)}
        return self.deltas[lessons]

    def seen(self, text: str, register: str, role: str) -> taught.Seen:
        """Return a sentence as it is weighed without what was taught."""
        groups = shared(text, register=register, role=role)
        group = f"{register} {tongue(text)}"
        bars = {
            KEEP: _score(self.head["threshold"][register], *self.head[KEEP][group]),
            MUST: _score(self.head["red"], *self.head[MUST][group]),
        }
        types = self.head["types"]
        for name, shift in zip(types["names"], types["shifts"], strict=True):
            bars[name] = _score(types["least"], types["slope"], shift)
        return taught.Seen(groups[:COMMON], self.scores(groups), bars)

    def _type(self, scores: dict[str, float]) -> tuple[str, float]:
        """Return the type and how sure it is."""
        types = self.head["types"]
        second, best = sorted(types["names"], key=scores.__getitem__)[-2:]
        sure = _odds(scores[best] - scores[second], types["slope"], types["shifts"][types["names"].index(best)])
        return (best if sure >= types["least"] else FACT), sure


def shared(text: str, *, register: str, role: str) -> Groups:
    """Return the groups of a sentence's slots, and how much each slot of a group counts."""
    groups = zip(features(text, register=register, role=role), SHARES, strict=True)
    return [(slots, share / sqrt(len(slots) or 1)) for slots, share in groups]


def weigh(text: str, *, register: str, role: str) -> Weighed:
    """Return what one sentence is worth. register: talk or note; role: user, assistant, tool, note"""
    return _weigh(text, register, role, _House.lessons)


def harm(text: str) -> float:
    """Return how likely a sentence was planted to steer an agent or to do harm, 0 to 1; few ordinary ones have 0.5."""
    return _model().harm(text)


def threshold(register: str) -> float:
    """Return the least `keep` of what is remembered: of noise by unknown hands, one line in eight reaches it."""
    found: float = _model().head["threshold"][register]
    return found


def red() -> float:
    """Return the least `must` of what is marked as never to be lost: few trifles reach it."""
    found: float = _model().head["red"]
    return found


def using(lessons: Sequence[Lesson]) -> None:
    """Weigh from now on as a house taught it: `taught.of(workspace)`; () for as it was shipped.

    A command calls it once, before it weighs. What was taught is learned when the first sentence is weighed.
    """
    _House.lessons = tuple(lessons)


class _House:
    """What was taught to the one that is weighed for."""

    lessons: tuple[Lesson, ...] = ()


@lru_cache(maxsize=4096)
def _weigh(text: str, register: str, role: str, lessons: tuple[Lesson, ...]) -> Weighed:
    return _model().weigh(text, register, role, lessons)


def _odds(score: float, slope: float, shift: float) -> float:
    return _of_logit(_logit(score, slope, shift))


def _logit(score: float, slope: float, shift: float) -> float:
    return slope * score + shift


def _of_logit(logit: float) -> float:
    return 1 / (1 + exp(-max(-60.0, min(60.0, logit))))


def _score(odds: float, slope: float, shift: float) -> float:
    """Return the score that has these odds."""
    return (log(odds / (1 - odds)) - shift) / slope


@lru_cache(maxsize=1)
def _model() -> Model:
    return Model(shipped.data(shipped.PACKAGE / "core/text/weigher.bin"))
