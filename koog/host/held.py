"""Whether a session that is resumed still has the startup text before it: by its transcript, and nothing else knows.

    Claude Code   {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [TEXT]}}
                  {"type": "system", "subtype": "compact_boundary"}: what stands before it, the model does not see
    Codex         {"type": "response_item", "payload": {"type": "message", "role": "developer", "content": [{"text"}]}}
                  {"type": "compacted", "payload": {"replacement_history": [MESSAGE]}}

Seen in Claude Code 2.1.197 and Codex 0.169. A copy of the text in what somebody said or a program printed is none.
Where the transcript cannot be read or has another form, the text is told again: twice is better than never.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from koog.core.files import jsonfiles, outside
from koog.core.text.marks import KOOG_BEGIN

LIMIT = 64 * 1024 * 1024  # bytes from the end of a transcript: a tenth of a second
# How a session may begin that has something before it. At a resume that compacts at once, Codex calls twice, and has
# written down by then what the first call was answered; Claude Code may not have written the compaction itself.
GOES_ON = {"claude": ("resume",), "codex": ("resume", "compact")}
MARK = KOOG_BEGIN.encode()
LOOKED_AT = re.compile(re.escape(MARK) + rb'|"compact_boundary"|"compacted"')


def is_held(host: str, *, source: str | None, path: str | None) -> bool:
    """Return whether a session goes on, and has the text before it still.

    source   how it begins, as its host says
    path     its transcript
    """
    return path is not None and source in GOES_ON.get(host, ()) and _is_in(path)


def _is_in(path: str) -> bool:
    try:
        with outside.opened(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - LIMIT))
            data = file.read(LIMIT)
    except (OSError, ValueError):
        return False
    for line in _lines_back(data):
        try:
            row = jsonfiles.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and (found := _of(row)) is not None:
            return found
    return False


def _lines_back(data: bytes) -> Iterator[bytes]:
    """Yield the lines that may decide it, the last first."""
    end = len(data) + 1
    for found in reversed([match.start() for match in LOOKED_AT.finditer(data)]):
        if found < end:
            start = data.rfind(b"\n", 0, found) + 1
            stop = data.find(b"\n", found)
            end = start
            yield data[start : stop if stop >= 0 else len(data)]


def _of(row: dict[str, Any]) -> bool | None:
    """Return what a line says of it: True for the text, False for a compaction without it, None for nothing."""
    payload = row.get("payload")
    if row.get("type") == "attachment":
        found = row.get("attachment")
        if not isinstance(found, dict) or found.get("type") != "hook_additional_context":
            return None
        return True if _has_mark(found.get("content")) else None
    if row.get("type") == "system" and row.get("subtype") == "compact_boundary":
        return False
    if row.get("type") == "response_item":
        return True if _is_given(payload) else None
    if row.get("type") == "compacted":
        history = payload.get("replacement_history") if isinstance(payload, dict) else None
        return any(_is_given(message) for message in history) if isinstance(history, list) else False
    return None


def _is_given(message: Any) -> bool:
    """Return whether a message of Codex is a hook's text."""
    if not isinstance(message, dict) or message.get("role") != "developer":
        return False
    content = message.get("content")
    return _has_mark(
        [part.get("text") for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    )


def _has_mark(texts: Any) -> bool:
    return isinstance(texts, list) and any(isinstance(text, str) and KOOG_BEGIN in text for text in texts)
