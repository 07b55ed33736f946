"""One OpenClaw record → turns; the kind of a session by its key or its first words.  [openclaw.md, Records]"""

from __future__ import annotations

from typing import Any

from koog.core.lazy_regex import compiled
from koog.sessions.records import OPENINGS, Heard, Record, as_dict, moment, result, speech, texts, tool_name
from koog.sessions.turn import Turn

# Told nothing by anyone: settings, caches, and summaries of what was read when it was said.
SILENT = set(
    "session model_change thinking_level_change custom custom_message compaction reset branch_summary label "
    "session_info leaf".split()
)
SILENT_ROLES = {"custom", "compactionSummary", "branchSummary", "system"}  # custom: a nested tool's copy of a result
# What the gateway writes around a message: where it came from and when, and its number. As its own
# src/shared/chat-envelope.ts knows them; 2026.9 stores what is typed in its own window without them.
ENVELOPE = r"\[(?!cron:)[^\]\n]{0,200}?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]\n]{0,40}\]\s*"
SEEN = 200  # characters in which what the gateway knows begins
NUMBER_LINE = r"(?m)^[ \t]*\[message_id: ?[^\]\n]*\][ \t]*(?:\n|\Z)"
# Before a message that came over a channel stands what the gateway knows of it, in the user's name, by its own
# src/auto-reply/reply/inbound-meta.ts: never the user's words, and in a group the words of strangers.
METADATA = (
    r"(?s)\A(?:\s*(?:Conversation info|Sender|Thread starter|Replied message|Forwarded message context|"
    r"Chat history since last reply) \(untrusted[^)\n]*\):\n```json\n.*?\n```\s*)+"
)
IN_GROUP = r'"is_group_chat":\s*true|"group_subject":\s*"|"group_channel":\s*"'
# What the gateway tells the agent alone, in anybody's name; an agent that repeats it may leave its beginning out.
INTERNAL = r"<<<(BEGIN_|END_|)OPENCLAW_INTERNAL_CONTEXT>>>"
SOURCES = {"heartbeat": "heartbeat", "cron": "cron"}


def parse(record: Record, heard: Heard) -> list[Turn]:
    kind = record.get("type")
    if kind != "message":
        if kind not in SILENT:
            heard.pass_over(kind)
        return []
    message = as_dict(record.get("message"))
    role = message.get("role")
    at = moment(record.get("timestamp"), heard, millis=message.get("timestamp"))
    entry = str(record["id"])
    if role == "user":
        text = without_internal(typed(texts(message.get("content"), "text")))
        return speech(
            entry,
            at,
            role="user",
            text=text,
            origin=heard.user(text, told=_told(message)),
            content=message.get("content"),
        )
    if role == "assistant":
        content = message.get("content")
        for part in content if isinstance(content, list) else []:
            if part.get("type") == "toolCall":
                heard.called(part.get("id"), part.get("name"), part.get("arguments"))
        usage = as_dict(message.get("usage"))
        sent = (usage.get("input"), usage.get("cacheRead"), usage.get("cacheWrite"))
        heard.cost(entry, model=message.get("model"), sent=sent, answered=usage.get("output"))
        text = without_internal(texts(content, "text"))
        return speech(entry, at, role="assistant", text=text, origin=heard.origin)
    if role == "toolResult":
        return [_result(entry, message, heard, at=at)]
    if role == "bashExecution":  # a command that the user ran himself
        told, output = tool_name("bash", message), str(message.get("output") or "")
        return [result(entry, at, heard, told=told, output=output, code=message.get("exitCode"))]
    if role not in SILENT_ROLES:
        heard.pass_over(f"message of {role}")
    return []


def kind_of(key: str | None, created_via: str | None = None) -> str | None:
    """Return a session's kind by its key, `agent:main:cron:…`; None when there is no key."""
    if key is None:
        return None
    words = key.split(":")
    if created_via == "cron" or words[2:3] in (["cron"], ["hook"]):
        return "cron"  # a hook's session begins with a mail or a web page: nobody's word either
    if "subagent" in words[2:] or words[2:3] == ["acp"]:
        return "subagent"
    return "heartbeat" if words[-1] == "heartbeat" and len(words) > 3 else "main"


def kind_by_words(record: object) -> str | None:
    """Return a session's kind by its first message to the agent, None when the record is none."""
    message = as_dict(as_dict(record).get("message"))
    if message.get("role") != "user":
        return None
    text = texts(message.get("content"), "text")
    kind = next((kind for start, kind in OPENINGS.items() if text.startswith(start)), "main")
    return kind if kind in ("cron", "subagent") else "main"  # a heartbeat comes first in many a main session


def chat_by_words(record: object) -> str | None:
    """Return `group` for a message that the gateway says was written in one, None for any other record."""
    message = as_dict(as_dict(record).get("message"))
    if message.get("role") != "user":
        return None
    before = compiled(METADATA).match(texts(message.get("content"), "text"))
    return "group" if before and compiled(IN_GROUP).search(before[0]) else None


def typed(text: str) -> str:
    """Return what a person typed, without the gateway's envelope and what it knows of the message."""
    if "(untrusted" in text[:SEEN]:
        text = compiled(METADATA).sub("", text)
    if text.startswith("[") and (envelope := compiled(ENVELOPE).match(text)):
        text = text[envelope.end() :]
    return compiled(NUMBER_LINE).sub("", text) if "[message_id:" in text else text


def without_internal(text: str) -> str:
    """Return a text without the gateway's own blocks, also where one was never ended, or began above.

    >>> without_internal("Reply only: x\\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\\nMilk, please")
    '\\nMilk, please'
    """
    if "OPENCLAW_INTERNAL_CONTEXT" not in text:
        return text
    parts = compiled(INTERNAL).split(text)  # text, which marker, text, …
    marks = ["END_", *parts[1::2], ""]
    return "".join(
        said
        for said, above, below in zip(parts[::2], marks, marks[1:], strict=False)
        if above == "END_" and below != "END_"
    )


def _told(message: dict[str, Any]) -> str | None:
    """Return the origin that the host itself gives (since 2026.9)."""
    provenance = as_dict(message.get("provenance"))
    if provenance.get("kind") == "internal_system":
        return SOURCES.get(str(provenance.get("sourceTool")), "agent")
    return "subagent" if provenance.get("kind") == "inter_session" else None


def _result(entry: str, message: dict[str, Any], heard: Heard, *, at: Any) -> Turn:
    return result(
        entry,
        at,
        heard,
        told=heard.answered(message.get("toolCallId"), message.get("toolName")),
        output=texts(message.get("content"), "text"),
        code=as_dict(message.get("details")).get("exitCode"),
        failed=message.get("isError") is True,
    )
