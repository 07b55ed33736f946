"""The `extract` part of memory/meta/cursors.json: how far each transcript was extracted, by whom.  [design §3]

    {"extract": {"transcripts": {"raw/conversations/2026/02/16/1845-ses_a1-….md": {
        "decisions": {"turns": 12, "version": 1, "whole": true}, …}},
        "again": {"raw/conversations/…": 1}, "lasting": {"raw/conversations/…": 9}}, …}

turns   so many turns of what was said are done; a transcript only grows
whole   its session had ended, and nothing of it was left
again   how many answers about what comes next were mostly dropped
lasting how long the head was when something was taken of a session that went on

The other parts of the file stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles
from koog.core.files.workspace import Workspace

NAME = "meta/cursors.json"
PART = "extract"
MEMO = "knowledge/cursors"


class Done(NamedTuple):
    """How far an extractor is in a transcript."""

    turns: int = 0
    version: int = 0
    whole: bool = False


class Known:
    """What cursors.json says of extractions."""

    def __init__(self, text: str | None) -> None:
        found = _dict(_parse(text), PART)
        self.transcripts, self.again = _dict(found, "transcripts"), _dict(found, "again")
        self.lasting = _dict(found, "lasting")

    def done(self, path: str, extractor: str) -> Done:
        """Return how far an extractor is in a transcript."""
        row = _dict(_dict(self.transcripts, path), extractor)
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
    value = _parse(text)
    part = _dict(value, PART)
    rows = dict(_dict(part, "transcripts"))
    rows[path] = {**_dict(rows, path), **{name: _row(d) for name, d in done.items()}}
    again = {each: times for each, times in _dict(part, "again").items() if each != path}
    heads = {each: n for each, n in _dict(part, "lasting").items() if each != path}
    heads |= {path: lasting} if lasting is not None else {}
    kept = {key: found for key, found in part.items() if key != "lasting"} | ({"lasting": heads} if heads else {})
    return _render(value, {**kept, "transcripts": rows, "again": again})


def _row(done: Done) -> dict[str, Any]:
    return {"turns": done.turns, "version": done.version, **({"whole": True} if done.whole else {})}


def counted(text: str, path: str, times: int) -> str:
    """Return the file's text with how many answers about what comes next in a transcript were mostly dropped."""
    value = _parse(text)
    part = _dict(value, PART)
    return _render(value, {**part, "again": {**_dict(part, "again"), path: times}})


def _parse(text: str | None) -> dict[str, Any]:
    try:
        value = jsonfiles.loads(text) if text and text.strip() else {}
    except ValueError as e:
        raise WorkspaceError(f"{NAME}: {e}", hint=f"git checkout -- memory/{NAME}") from None
    return value if isinstance(value, dict) else {}


def _render(value: dict[str, Any], part: dict[str, Any]) -> str:
    return jsonfiles.pretty({"version": 1, **value, PART: part})


def _dict(value: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}
