"""The `consolidate` part of memory/meta/cursors.json: what was decided, how far the last one read.  [design §3]

    {"consolidate": {"last": {"id": "r-012", "ts": "…", "day": "…", "input": "9f…"}, "read": {"2026-02-02": 14},
                     "decided": {"fact person--alex 5d…": ["a1b2c3d4", …]}, "asked": {"0a1b2c3d": "2026-02-03"}}, …}

read      day → how many of its episodes the last reflection has seen: what came since is new
decided   what was proposed and applied or rejected → marks of the sources that it rested on, each by its words: it is
          not proposed again before it rests on something else
asked     the figures of a question → the day on which a person has decided on its plan: it rests for a while

No words stand here, so that they can be forgotten. The other parts of the file stay as they are. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from koog.consolidate.plan import ARCHIVE, PROCEDURE, Operation, Question
from koog.consolidate.survey import Survey
from koog.core import cursor_parts
from koog.core.named import NamedTuple
from koog.core.text.untrusted import visible
from koog.memory.store import ids
from koog.memory.store import line as lines

NAME = cursor_parts.NAME
PART = "consolidate"
MOST = 5000  # decisions that are kept, the newest; and questions
RESTS_DAYS = 30  # a question that was asked, before it is asked again


class Last(NamedTuple):
    """The last reflection that looked at everything.

    input   the digest of what it looked at
    more    "1" where it kept operations for another night
    """

    id: str = ""
    ts: str = ""
    day: str = ""
    input: str = ""
    more: str = ""


class Decided:
    """What cursors.json says of reflections."""

    def __init__(self, text: str | None) -> None:
        part = cursor_parts.part(cursor_parts.parse(text), PART)
        last = cursor_parts.part(part, "last")
        self.last = Last(*(str(last.get(name, "")) for name in Last._fields))
        self.read = {day: n for day, n in cursor_parts.part(part, "read").items() if isinstance(n, int)}
        self.decided = {
            key: tuple(map(str, v)) for key, v in cursor_parts.part(part, "decided").items() if isinstance(v, list)
        }

        self.asked = {mark: day for mark, day in cursor_parts.part(part, "asked").items() if isinstance(day, str)}

    def rests(self, question: Question, today: date) -> bool:
        """Return whether a question was asked a short while ago."""
        day = lines.day(self.asked.get(question.mark, ""))
        return day is not None and abs((today - day).days) < RESTS_DAYS

    def holds(self, op: Operation, survey: Survey) -> bool:
        """Return whether an operation was decided upon, and rests on nothing that has come or changed since."""
        marks = set(sources(op, survey))
        return any(key in self.decided and marks <= set(self.decided[key]) for key in keys(op))

    def unread(self, days: Iterable[str]) -> int:
        """Return how many episodes came since the last reflection. days: of each episode"""
        count = Counter(days)
        return sum(max(0, n - self.read.get(day, 0)) for day, n in count.items())


def keys(op: Operation) -> tuple[str, str]:
    """Return what an operation is known by: what it is about, with its words and without."""
    if op.kind == ARCHIVE:
        return ARCHIVE, ARCHIVE
    about = op.kind if op.kind == PROCEDURE else f"{op.kind} {op.target}"
    return f"{about} {ids.of_words(visible(op.after or ''))}", f"{about} *"


def sources(op: Operation, survey: Survey) -> list[str]:
    """Return marks of what an operation rests on: of each its id and words, and of what is archived its use."""
    found = []
    for each in op.sources:
        memory = survey.memories.get(each)
        said = survey.every[each].text if each in survey.every else memory.text if memory else ""
        found.append(ids.of_words(f"{each} {said} {used(each, survey) if op.kind == ARCHIVE else ''}"))
    return found or [ids.of_words(f"#{op.proposal}")]


def used(id_: str, survey: Survey) -> str:
    """Return when a memory was used last, as a mark has it."""
    return survey.scores[id_]["last_accessed"] if id_ in survey.scores else ""


def with_decisions(
    text: str, closed: Sequence[Operation], applied: Sequence[Operation], asked: Sequence[Question], survey: Survey
) -> str:
    """Return the file's text with what became of operations.

    closed   what was rejected, or put in a person's own words: nothing about the same is proposed from the same sources
    applied  is not proposed again in its words, also after a rollback
    asked    questions that a person has seen
    """
    value = cursor_parts.parse(text)
    part = cursor_parts.part(value, PART)
    known = dict(cursor_parts.part(part, "decided"))
    for op, key in [*((op, keys(op)[1]) for op in closed), *((op, keys(op)[0]) for op in applied)]:
        before = known.pop(key, [])
        known[key] = sorted({*(before if isinstance(before, list) else []), *sources(op, survey)})
    kept = dict(list(known.items())[-MOST:])
    day = survey.today.isoformat()
    seen = {**cursor_parts.part(part, "asked"), **{each.mark: day for each in asked}}
    return cursor_parts.rendered(
        value,
        PART,
        {**part, "decided": kept, "asked": dict(sorted(seen.items(), key=lambda pair: str(pair[1]))[-MOST:])},
    )


def with_last(text: str, last: Last, days: Iterable[str]) -> str:
    """Return the file's text with a reflection as the last one. days: of each episode that it has seen"""
    value = cursor_parts.parse(text)
    read = dict(sorted(Counter(days).items()))
    return cursor_parts.rendered(value, PART, {**cursor_parts.part(value, PART), "last": last._asdict(), "read": read})
