"""The `extract` part of memory/meta/cursors.json: how far each transcript was extracted, by whom.  [design §3]

    {"extract": {"transcripts": {"raw/conversations/2026/02/16/1845-ses_a1-….md": {
        "decisions,lessons,…": {"turns": 12, "version": 1, "whole": true}, …}},
        "again": {"raw/conversations/…": 1}, "lasting": {"raw/conversations/…": 9}}, …}

turns   so many turns of what was said are done; a transcript only grows
whole   its session had ended, and nothing of it was left
        Extractors that are equally far share a row: every tick reads the file, and a year has hundreds of transcripts.
again   how many answers about what comes next were mostly dropped
lasting how long the head was when something was taken of a session that went on

The other parts of the file stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from koog.core import cursor_parts
from koog.core.files.workspace import Workspace
from koog.core.named import NamedTuple

NAME = cursor_parts.NAME
PART = "extract"
MEMO = "knowledge/cursors"
BETWEEN = ","  # extractors that share a row


class Done(NamedTuple):
    """How far an extractor is in a transcript."""

    turns: int = 0
    version: int = 0
    whole: bool = False


class Known:
    """What cursors.json says of extractions."""

    def __init__(self, text: str | None) -> None:
        found = cursor_parts.part(cursor_parts.parse(text), PART)
        self.transcripts, self.again = cursor_parts.part(found, "transcripts"), cursor_parts.part(found, "again")
        self.lasting = cursor_parts.part(found, "lasting")

    def is_whole(self, path: str, extractors: Sequence[str]) -> bool:
        """Return whether all of these extractors are through with a transcript that has ended."""
        rows = _apart(cursor_parts.part(self.transcripts, path))
        return all(cursor_parts.part(rows, each).get("whole") is True for each in extractors)

    def done(self, path: str, extractor: str) -> Done:
        """Return how far an extractor is in a transcript."""
        row = cursor_parts.part(_apart(cursor_parts.part(self.transcripts, path)), extractor)
        values = [row.get(key) for key in ("turns", "version")]
        turns, version = (value if isinstance(value, int) and value >= 0 else 0 for value in values)
        return Done(turns, version, row.get("whole") is True)

    def tries(self, path: str) -> int:
        """Return how many answers about what comes next in a transcript were mostly dropped."""
        times = self.again.get(path)
        return times if isinstance(times, int) else 0


def load(workspace: Workspace) -> Known:
    """Return what is known. Raises WorkspaceError for a file that cannot be read.

    It is read once for as long as it is the same: each transcript is asked about, and a year has hundreds.
    """
    path = workspace.in_memory(NAME)
    state = None if workspace.dry_run else workspace.state(path)  # what is only pretended has no state
    kept = workspace.memo.get(MEMO)
    if kept is not None and state is not None and kept[0] == state:
        found: Known = kept[1]
        return found
    made = Known(workspace.text(path))
    workspace.memo[MEMO] = (state, made)
    return made


def moved(text: str, path: str, done: Mapping[str, Done], *, lasting: int | None = None) -> str:
    """Return the file's text with how far some extractors are now in a transcript.

    lasting   lines of its head, while its session goes on
    """
    value = cursor_parts.parse(text)
    part = cursor_parts.part(value, PART)
    rows = dict(cursor_parts.part(part, "transcripts"))
    rows[path] = _together({**_apart(cursor_parts.part(rows, path)), **{name: _row(d) for name, d in done.items()}})
    again = {each: times for each, times in cursor_parts.part(part, "again").items() if each != path}
    heads = {each: n for each, n in cursor_parts.part(part, "lasting").items() if each != path}
    heads |= {path: lasting} if lasting is not None else {}
    kept = {key: found for key, found in part.items() if key != "lasting"} | ({"lasting": heads} if heads else {})
    return cursor_parts.rendered(value, PART, {**kept, "transcripts": rows, "again": again})


def _apart(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Return extractor → row, of rows that several extractors share."""
    return {name: row for names, row in rows.items() for name in names.split(BETWEEN)}


def _together(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Return rows of which those that are the same have become one.

    >>> _together({"facts": {"turns": 2}, "journal": {"turns": 1}, "people": {"turns": 2}})
    {'facts,people': {'turns': 2}, 'journal': {'turns': 1}}
    """
    found = list[tuple[list[str], Any]]()
    for name, row in rows.items():
        names = next((names for names, other in found if other == row), None)
        if names is None:
            found.append(([name], row))
        else:
            names.append(name)
    return {BETWEEN.join(names): row for names, row in found}


def _row(done: Done) -> dict[str, Any]:
    return {"turns": done.turns, "version": done.version, **({"whole": True} if done.whole else {})}


def counted(text: str, path: str, times: int) -> str:
    """Return the file's text with how many answers about what comes next in a transcript were mostly dropped."""
    value = cursor_parts.parse(text)
    part = cursor_parts.part(value, PART)
    return cursor_parts.rendered(value, PART, {**part, "again": {**cursor_parts.part(part, "again"), path: times}})
