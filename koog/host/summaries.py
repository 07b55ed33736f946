"""memory/session-summaries.jsonl: one line for each run of an agent.  [sinain §3.7]

    {"ts", "sessionKey", "agentId", "durationMs", "success", "error", "toolCallCount", "toolBreakdown",
     "messageCount", "runId", "project", "scope", "group"}

The last four are koog's additions: a host tells a run's end once per retry, and the last of them is how it ended;
and a run belongs to a project, and to a group (null in private). Where a host gives no id, the event has one as long
as it waited in the spool (core/files/spool.py), so that a koog which is killed writes no line twice.
Pure but for `record`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from koog.core.files import jsonfiles
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.core.text.untrusted import clean, without_hidden

NAME = "session-summaries.jsonl"
ERROR_CHARS = 500
NAME_CHARS = 120  # of an id or a tool's name
TOOLS = 60  # names in one breakdown; the rest is counted in toolCallCount


class Summary(NamedTuple):
    """One run, as its host told it; None is what the host did not say.

    tools   a tool's name → how often it was called
    project, scope, group   where it belongs (sessions/place.py); lines of before do not say so
    """

    run_id: str | None
    session_key: str | None
    agent_id: str | None
    success: bool
    error: str | None
    duration_ms: int | None
    message_count: int | None
    tool_calls: int
    tools: Mapping[str, int]
    project: str
    scope: str
    group: str | None

    def limited(self) -> dict[str, Any]:
        """Return the fields as JSON, small enough to be handed on; `row` keeps no more of them."""
        tools = {name[:NAME_CHARS]: count for name, count in Counter(self.tools).most_common(TOOLS)}
        texts = ("run_id", "session_key", "agent_id", "error")
        cut = {name: text[: 4 * ERROR_CHARS] for name in texts if (text := getattr(self, name)) is not None}
        return {**self._asdict(), **cut, "tools": tools}

    def row(self, when: datetime) -> dict[str, Any]:
        """Return the line's object; its texts come without secrets and private blocks."""
        ranked = sorted(self.tools.items(), key=lambda tool: (-tool[1], tool[0]))[:TOOLS]
        return {
            "ts": when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03d}Z",
            "sessionKey": _told(self.session_key, NAME_CHARS),
            "agentId": _told(self.agent_id, NAME_CHARS),
            "durationMs": self.duration_ms,
            "success": self.success,
            "error": _told(self.error, ERROR_CHARS),
            "toolCallCount": self.tool_calls,
            "toolBreakdown": {_told(name, NAME_CHARS): count for name, count in ranked},
            "messageCount": self.message_count,
            "runId": _told(self.run_id, NAME_CHARS),
            "project": self.project,  # as it is: lines are found by it
            "scope": self.scope,
            "group": self.group,
        }


def record(run: Run, summary: Summary, *, when: datetime | None = None) -> bool:
    """Write a run's line, in place of an earlier one of the same run; return whether that changed the file.

    when   it ended, where that is not now
    """
    path, row = run.workspace.in_memory(NAME), summary.row(when or run.now)
    with run.workspace.writing() as door:
        if row["runId"] is None or _quoted(row["runId"]) not in (door.text(path) or ""):
            door.append(path, jsonfiles.line(row) + "\n", summary="a run has ended")
            return True
        return door.edit(path, lambda text: put(text, row), summary="how a run ended after all")


def put(text: str, row: dict[str, Any]) -> str:
    """Return the lines with this run's: where an earlier line of it stands, else at the end. Others stay as they are.

    >>> put('{"runId":"a"}\\nno JSON\\n', {"runId": "a", "success": True})
    '{"runId":"a","success":true}\\nno JSON\\n'
    """
    lines = text.split("\n")  # not splitlines: U+2028 ends no line of JSON
    new, quoted = jsonfiles.line(row), _quoted(row["runId"])
    for i in range(len(lines) - 1, -1, -1):
        if quoted in lines[i] and _run_id(lines[i]) == row["runId"]:
            # A retry that only says the same again, some seconds later, is no news.
            lines[i] = lines[i] if _outcome(lines[i]) == _outcome(new) else new
            return "\n".join(lines)
    healed = "" if not text or text.endswith("\n") else "\n"
    return text + healed + new + "\n"


def _quoted(run_id: str) -> str:
    """Return the id as it stands in a line: only lines that hold it are read as JSON."""
    return jsonfiles.line(run_id)


def _parsed(line: str) -> dict[str, Any]:
    try:
        value = jsonfiles.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _run_id(line: str) -> Any:
    return _parsed(line).get("runId")


def _outcome(line: str) -> dict[str, Any]:
    return {key: value for key, value in _parsed(line).items() if key != "ts"}


def _told(text: str | None, chars: int) -> str | None:
    return None if text is None else clean(without_hidden(" ".join(text[: 4 * chars].split())))[:chars]
