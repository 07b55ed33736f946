"""How one run of an agent went, as far as its host tells: from what a hook was given, or from the end of a transcript.

Claude Code and Codex give no numbers to their hooks, but the path of the transcript: what follows the
person's last prompt in it is the run. Record shapes: Claude Code's `type`, `uuid`, `timestamp`, `isSidechain`,
`message.content[]` with `tool_use`; Codex' `event_msg` and `response_item` (codex-rs/protocol in
https://github.com/openai/codex). Tolerant: whatever is not as expected counts as nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from koog.core import clock
from koog.core.files import jsonfiles, outside
from koog.host.given import Given
from koog.host.summaries import Summary

TAIL = 4 * 1024 * 1024  # bytes of a transcript; a longer run is counted from there
CODEX_CALLS = {"function_call": None, "custom_tool_call": None, "local_shell_call": "shell", "web_search_call": "web"}


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
    """Yield the names of the tools that messages of OpenClaw (`toolCall`) or Claude Code (`tool_use`) call."""
    for message in messages:
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") in ("toolCall", "tool_use"):
                yield str(block.get("name"))


# --- transcripts


def with_transcript(summary: Summary, path: str) -> Summary:
    """Return the summary with what the transcript's last run adds; as it is when there is no such file."""
    records = _last_run(list(_records(path)))
    if not records:
        return summary
    times = [t for t in (clock.parse(r.get("timestamp")) for r in records) if t]
    codex = [r["payload"] for r in records if isinstance(r.get("payload"), dict)]
    messages = [r["message"] for r in records if isinstance(r.get("message"), dict)]
    said = [p for p in codex if p.get("type") == "message"]
    tools = Counter([*_called(messages), *_codex_calls(codex)])
    return summary._replace(
        run_id=summary.run_id or _run_id(summary.session_key, records),
        duration_ms=_milliseconds(times),
        message_count=len(messages) or len(said),
        tool_calls=tools.total(),
        tools=tools,
    )


def _records(path: str) -> Iterable[dict[str, Any]]:
    """Yield the records at a transcript's end; half ones and those of subagents are left out."""
    for line in _tail(path).split(b"\n"):
        try:
            value = jsonfiles.lenient(line) if line else None
        except ValueError:
            continue
        if isinstance(value, dict) and not value.get("isSidechain"):
            yield value


def _tail(path: str) -> bytes:
    """Return a regular file's last TAIL bytes, b"" for anything else."""
    try:
        with outside.opened(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL))
            return file.read(TAIL)
    except (OSError, ValueError):
        return b""


def _last_run(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    starts = [i for i, record in enumerate(records) if _is_prompt(record)]
    return records[starts[-1] :] if starts else records


def _is_prompt(record: dict[str, Any]) -> bool:
    """Return whether a person's words begin here; Claude Code also stores tools' results as the user's."""
    if record.get("type") == "event_msg":
        payload = record.get("payload")
        return isinstance(payload, dict) and payload.get("type") == "user_message"
    message = record.get("message")
    if record.get("type") != "user" or record.get("isMeta") or not isinstance(message, dict):
        return False
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return isinstance(content, str) or any(isinstance(b, dict) and b.get("type") == "text" for b in blocks)


def _codex_calls(payloads: Iterable[dict[str, Any]]) -> Iterable[str]:
    for payload in payloads:
        kind = payload.get("type")
        if isinstance(kind, str) and kind in CODEX_CALLS:
            yield CODEX_CALLS[kind] or str(payload.get("name"))


def _run_id(session: str | None, records: list[dict[str, Any]]) -> str | None:
    """Return the session and its prompt: the same run has the same id, however often its end is told."""
    first = records[0].get("uuid") or records[0].get("timestamp")
    return f"{session}:{first}" if session and isinstance(first, str) else None


def _milliseconds(times: list[datetime]) -> int | None:
    return int((max(times) - min(times)).total_seconds() * 1000) if times else None
