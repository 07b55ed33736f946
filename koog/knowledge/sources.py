"""Where a line of a knowledge file comes from: `dc:source=SESSION:LINE`, a line of a transcript.  [autopoiesis §8.3]

A transcript that ends gets a longer head, and its lines move down by as many as that is longer: what was taken before,
before a host compacted the session, is then told anew. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote, unquote

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.knowledge.extractor import KnowledgeChange
from koog.observe.observations import Observation
from koog.sessions import labels
from koog.sessions.turn import Turn


class Source(NamedTuple):
    """A session, and a line of its transcript."""

    session: str
    line: int


def source(session: str, line: int) -> str:
    """Return a source as a line's comment has it, before it is quoted there.

    >>> source("ses_a1b2c3d4", 45)
    'ses_a1b2c3d4:45'
    """
    return f"{quote(session, safe='')}:{line}"


def parse(told: str) -> list[Source]:
    """Return the sources in a comment's value: a line that was joined has several.

    >>> parse("ses_a1:45;ses_b2:7")
    [Source(session='ses_a1', line=45), Source(session='ses_b2', line=7)]
    """
    found = [compiled(r"(.+):(\d+)").fullmatch(each) for each in told.split(";")]
    return [Source(unquote(each[1]), int(each[2])) for each in found if each]


def of(seen: Observation, turns: Sequence[Turn], change: KnowledgeChange, session: str) -> str:
    """Return the sources of a line: the turn that it rests on, behind those that it cannot be understood without."""
    line = line_of(seen, turns, change)
    others = [int(turns[n - 1].id) for n in change.also if 1 <= n <= len(turns)]
    return ";".join(source(session, each) for each in dict.fromkeys([*sorted({*others} - {line}), line]))


def line_of(seen: Observation, turns: Sequence[Turn], change: KnowledgeChange) -> int:
    """Return the line of a transcript that an observation rests on."""
    turn = turn_of(seen, turns)
    first = int(turn.id)
    is_cited = change.turn > 0 and turns[change.turn - 1] is turn
    return first + min(max(change.line - 1, 0), turn.text.count("\n")) if is_cited else first


def turn_of(seen: Observation, turns: Sequence[Turn]) -> Turn:
    """Return the turn that an observation rests on."""
    id_ = unquote(seen.source.rpartition("#")[2])
    return next(each for each in turns if each.id == id_)


def names(text: str, session: str) -> bool:
    """Return whether a file has lines of a session."""
    return re.search(rf"{_of(session)}\d", text) is not None


def moved(text: str, session: str, by: int) -> str:
    """Return a file in which the lines of one session stand further down in its transcript.

    >>> moved("- a <!-- dc:source=ses_2:45%3Bses_1:7 -->", "ses_1", 3)
    '- a <!-- dc:source=ses_2:45%3Bses_1:10 -->'
    """
    return re.sub(rf"({_of(session)})(\d+)", lambda found: f"{found[1]}{int(found[2]) + by}", text)


def _of(session: str) -> str:
    """Return a pattern for what stands before a line's number in the comment of a line of this session."""
    return rf"(?:dc:source=|(?<=\d)(?:;|%3B)){re.escape(labels.quoted(quote(session, safe='')))}:"
