"""How one run of an agent went, as far as its host tells: from what a hook was given, or from the end of a transcript.

Claude Code and Codex give no numbers to their hooks, but the path of the transcript: what follows the
person's last prompt in it is the run, read as koog/sessions/ reads it. Tolerant: whatever is not as
expected counts as nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from koog.core.files import outside
from koog.host.given import Given
from koog.host.summaries import Summary

if TYPE_CHECKING:
    from koog.sessions.records import Stretch

TAIL = 4 * 1024 * 1024  # bytes of a transcript; a longer run is counted from there


def told(given: Given) -> Summary:
    """Return the run as the host tells it at the run's end."""
    tools = _tools(given.payload)
    messages = given.payload.get("messages")
    counted = given.number("messageCount")
    calls = given.number("toolCallCount")
    success = given.payload.get("success")
    at = given.place
    return Summary(
        run_id=given.text("runId", "run_id", "turn_id"),
        session_key=given.session_key or given.text("session_id", "sessionId"),
        agent_id=given.text("agentId", "agent_id") or (None if given.host == "openclaw" else given.host),
        success=success if isinstance(success, bool) else given.text("error") is None,
        error=given.text("error"),
        duration_ms=given.number("durationMs"),
        message_count=len(messages) if counted is None and isinstance(messages, list) else counted,
        tool_calls=tools.total() if calls is None else calls,
        tools=tools,
        project=at.project,
        scope=at.scope,
        group=at.group if at.is_group else None,
    )


def _tools(payload: dict[str, Any]) -> Counter[str]:
    """Return a tool's name → calls: the plugin's breakdown, its list of calls, or what the messages hold."""
    breakdown = payload.get("toolBreakdown")
    if isinstance(breakdown, dict):
        return Counter({k: v for k, v in breakdown.items() if isinstance(v, int) and 0 < v < 2**31})
    used = payload.get("toolUsage")
    if isinstance(used, list):
        names = (entry.get("toolName") or entry.get("name") for entry in used if isinstance(entry, dict))
        return Counter(name for name in names if isinstance(name, str))
    messages = payload.get("messages")
    return Counter(_called(messages)) if isinstance(messages, list) else Counter()


def _called(messages: Iterable[Any]) -> Iterable[str]:
    """Yield the names of the tools that OpenClaw's messages call."""
    for message in messages:
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "toolCall":
                yield str(block.get("name"))


# --- transcripts


def with_transcript(summary: Summary, path: str, *, until: datetime | None = None) -> Summary:
    """Return the summary with what the transcript's last run adds; as it is when there is no such file.

    until   when the run had ended: others may have begun since
    """
    run = _last_run(path, until)
    if run is None:
        return summary
    named = summary.session_key and run.prompt  # the same run has the same id, however often its end is told
    return summary._replace(
        run_id=summary.run_id or (f"{summary.session_key}:{run.prompt}" if named else None),
        duration_ms=int((run.last - run.first).total_seconds() * 1000) if run.first and run.last else None,
        message_count=run.messages,
        tool_calls=run.tools.total(),
        tools=run.tools,
    )


def _last_run(path: str, until: datetime | None) -> Stretch | None:
    """Return what was done since the last prompt before a moment, None where nothing can be read.

    Where all prompts come after that moment one of the two clocks is wrong, and the last prompt counts.
    """
    from koog.sessions.find import parse_of  # a hook that only hands on what it was given needs no reader
    from koog.sessions.lines import Form, turns_of_line
    from koog.sessions.records import Heard, Stretch

    heard, form = Heard(), Form(parse_of(path))
    tail, ended = _tail(path), None
    for line in tail.split(b"\n"):
        before = heard.run
        if line:
            turns_of_line(line, heard, form=form)
        if until and heard.run is not before and heard.run.first and heard.run.first > until and before.prompt:
            ended = ended or before
    run = ended or heard.run
    return run if run != Stretch() else None


def _tail(path: str) -> bytes:
    """Return a regular file's last TAIL bytes, b"" for anything else."""
    try:
        with outside.opened(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL))
            return file.read(TAIL)
    except (OSError, ValueError):
        return b""
