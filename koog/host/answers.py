"""What each host takes for an answer: one JSON object, {} for "go on".  Pure.

    OpenClaw           {"appendSystemContext": text} before a prompt is built, behind what of its own system prompt
                       changes with the day; {"prependContext": note} beside it, for one turn; {"message": …} for a
                       tool's result
    Claude Code, Codex {"hookSpecificOutput": {"hookEventName": …, "additionalContext": text}}

Claude Code's form: https://code.claude.com/docs/en/hooks (SessionStart and UserPromptSubmit take additional
context, of at most 10,000 characters; PreCompact, Stop and SessionEnd take none). Codex' form, which refuses
unknown keys: codex-rs/hooks/schema/generated in https://github.com/openai/codex.
"""

from __future__ import annotations

from typing import Any

from koog.core.text.marks import KOOG_END, balanced
from koog.core.text.untrusted import clean
from koog.host.given import OPENCLAW

Answer = dict[str, Any]

# In tokens; both coding hosts show the model no more than 10,000 characters of a hook's answer.
BUDGET = {"openclaw": 6000, "claude": 2000, "codex": 2000}
CHARS = {"openclaw": 40_000, "claude": 9_500, "codex": 9_500}
CUT = "\n… (cut here: the rest is in memory/)\n"
EVENT_NAMES = {
    "session-start": "SessionStart",
    "agent-start": "SessionStart",
    "prompt-build": "UserPromptSubmit",
    "prompt-submit": "UserPromptSubmit",
}
DEPTH = 50  # of a message; deeper than any host nests, far from Python's own limit


def context(text: str, *, host: str, event: str) -> Answer:
    """Return the answer that puts a text before the agent; {} for an empty one."""
    if not text.strip():
        return {}
    if host == OPENCLAW:
        return {"appendSystemContext": text}
    return {"hookSpecificOutput": {"hookEventName": EVENT_NAMES[event], "additionalContext": text}}


def with_note(answer: Answer, note: str, *, host: str, event: str) -> Answer:
    """Return an answer that also says something for this turn alone; OpenClaw puts that before the user's words."""
    if not note:
        return answer
    if host == OPENCLAW:
        return {**answer, "prependContext": note}
    own = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    return context(f"{own}\n{note}" if own else note, host=host, event=event)


def nothing(*, host: str, event: str) -> Answer:
    """Return the answer to whom nothing is told; OpenClaw's plugin takes one without a text for one that was cut."""
    return {"appendSystemContext": ""} if (host, event) == (OPENCLAW, "prompt-build") else {}


def cut(text: str, *, host: str) -> str:
    """Return a startup text that the host takes whole: cut at the end of a line where it is too long, then closed."""
    end = CUT + KOOG_END + "\n"
    limit = CHARS[host]
    return text if len(text) <= limit else balanced(text[: limit - len(end)].rpartition("\n")[0]) + end


def stripped(message: Any) -> Answer:
    """Return a tool's message without private blocks and secrets; {} when it has none.  [sinain §3.6]"""
    safe = _safe(message, DEPTH)
    return {} if safe == message else {"message": safe}


def _safe(value: Any, levels: int) -> Any:
    if isinstance(value, str):
        return clean(value)
    if levels and isinstance(value, list):
        return [_safe(item, levels - 1) for item in value]
    if levels and isinstance(value, dict):
        return {key: _safe(item, levels - 1) for key, item in value.items()}
    return None if isinstance(value, list | dict) else value
