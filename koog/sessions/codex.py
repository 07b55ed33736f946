"""Codex rollouts: CODEX_HOME/sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl.  [design §6]

Shapes by the program's own source, github.com/openai/codex: codex-rs/protocol/src/models.rs (response items),
codex-rs/history/src/lib.rs (kinds of lines), codex-rs/rollout/src/policy.rs (which of them are kept),
codex-rs/rollout/src/recorder.rs (file names).

A line is {"timestamp", "type", "payload"}, since 0.169 with its number, "ordinal", before the type. The same
words stand in it twice, as a `response_item` and as an `event_msg`: the first kind is read. A message has no id of
its own: the hash of its line is it, since a line carries its moment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from koog.core.files import jsonfiles, outside
from koog.core.lazy_regex import compiled
from koog.sessions import place
from koog.sessions.ends import folder_of, head, last_said
from koog.sessions.lines import Form, follow
from koog.sessions.records import Heard, Record, as_dict, moment, result, speech, texts
from koog.sessions.turn import Batch, Cursor, Session, Turn

NAME = re.compile(r"rollout-.*?(?P<id>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})?\.jsonl")
FOLDERS = ("sessions", "archived_sessions")
# What agents say to one another among these, and figures.
SILENT = set(
    "session_meta turn_context event_msg compacted world_state token_usage_record inter_agent_communication "
    "inter_agent_communication_metadata security_risk_score retained_context realtime_item".split()
)
BEGIN = b'{"timestamp":"'
SILENT_LINE = re.compile(
    rb'\{"timestamp":"[0-9T:.Z+-]*",(?:"ordinal":[0-9]+,)?"type":"'
    rb'(?:(?:event_msg|session_meta|compacted|world_state|token_usage_record)"'
    rb'|response_item","payload":\{"type":"reasoning")'
)
SILENT_ITEMS = set(
    "reasoning ghost_snapshot compaction context_compaction image_generation_call tool_search_call "
    "tool_search_output additional_tools agent_message compaction_trigger other".split()
)
CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}
RESULTS = {"function_call_output", "custom_tool_call_output"}
# What Codex itself writes in the user's name.
HOST_WORDS = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<skill>",
    "<user_shell_command>",
    "<hook_prompt",
    "# AGENTS.md instructions",
)
# An editor lays what is open and marked in it before what the user asked: codex-rs/tui/src/ide_context/prompt.rs.
EDITOR_WORDS = ("# Context from my IDE setup:", "# Files mentioned by the user:")
REQUEST = "## My request for Codex:"
AGENT_WORDS = "<subagent_notification>"  # a subagent's report: the answer to it is still the main agent's
TOKENS = "token_count"
EXIT = r"(?m)^(?:Exit code: |Process exited with code )(-?\d+)$"
OUTPUT = "Output:\n"
HEADER_CHARS = 400  # of an output in which the exit code is looked for


class Codex:
    """All rollouts below a folder: CODEX_HOME, its `sessions`, or one day."""

    host = "codex"

    def __init__(self, root: Path) -> None:
        self.root = root

    def sessions(self) -> list[Session]:
        found = {session.key: session for path in files(self.root) if (session := _session(path))}
        return sorted(found.values(), key=lambda session: session.changed, reverse=True)

    def read(self, session: Session, cursor: Cursor | None) -> Iterator[Batch]:
        return follow(lambda: [Path(session.path)], cursor, form=Form(parse, silent), kind=session.kind)


def files(root: Path) -> Iterator[Path]:
    """Yield the rollouts below a folder; a file alone is itself."""
    if outside.is_file(root):
        yield root
        return
    bases = [base for name in FOLDERS if outside.is_folder(base := root / name)] or [root]
    for base in bases:
        yield from _rollouts(base, linked=base != root)


def _rollouts(base: Path, *, linked: bool) -> Iterator[Path]:
    """Yield the rollouts below a folder.

    linked   through links, too: a year's folder may lie on another disk
    """
    seen: set[str] = set()  # a link may lead back up
    for folder, inner, names in outside.walk(base, linked=linked):
        real = outside.real(folder)
        if real in seen:
            inner.clear()
            continue
        seen.add(real)
        inner.sort()
        yield from (Path(folder, name) for name in sorted(names) if NAME.fullmatch(name))


def parse(record: Record, heard: Heard) -> list[Turn]:
    kind = record.get("type")
    item = as_dict(record.get("payload"))
    if kind != "response_item":
        if kind == "event_msg" and item.get("type") == "user_message":  # what the host itself lays in is no event
            heard.prompted(str(record.get("timestamp") or ""), moment(record.get("timestamp"), heard))
        elif kind == "event_msg" and item.get("type") == TOKENS:
            _cost(as_dict(item.get("info")), heard)
        elif kind == "turn_context":
            heard.cost(heard.counted, model=item.get("model"))
        elif kind not in SILENT:
            heard.pass_over(kind)
        return []
    kind = item.get("type")
    if kind == "message":
        heard.run.messages += 1
        return _message(item, heard, at=moment(record.get("timestamp"), heard), entry=_entry(heard.line))
    if kind in CALLS:
        moment(record.get("timestamp"), heard)
        heard.called(item.get("call_id"), item.get("name") or "shell", _arguments(item.get(CALLS[kind])))
        return []
    if kind in RESULTS:
        code, output, failed = _outcome(item.get("output"))
        at, told = moment(record.get("timestamp"), heard), heard.answered(item.get("call_id"))
        entry = str(item.get("call_id") or _entry(heard.line))
        return [result(entry, at, heard, told=told, output=output, code=code, failed=failed)]
    if kind == "web_search_call":
        heard.called(None, "web", None)
    elif kind not in SILENT_ITEMS:
        heard.pass_over(f"response_item of {kind}")
    return []


def silent(line: bytes) -> bool:
    """Return whether a line surely says nothing that another does not say: half of a rollout is that.

    A second beginning in it may be a record behind half of another one, so that line is read.
    """
    if SILENT_LINE.match(line) is None or line.find(b'"token_count"', 0, HEADER_CHARS) >= 0:
        return False
    return line.find(BEGIN, 1) < 0


def _cost(info: dict[str, Any], heard: Heard) -> None:
    """Count what the last answer cost: it is told again each time that something else is."""
    total, last = as_dict(info.get("total_token_usage")), as_dict(info.get("last_token_usage"))
    if last:
        answer = str(total.get("total_tokens", ""))
        heard.cost(answer, sent=[last.get("input_tokens")], answered=last.get("output_tokens"))


def _message(item: dict[str, Any], heard: Heard, *, at: datetime, entry: str) -> list[Turn]:
    text = texts(item.get("content"), "input_text", "output_text", "text")
    role = item.get("role")
    if role == "assistant":
        return speech(entry, at, role="assistant", text=text, origin=heard.origin)
    if role != "user" or text.lstrip().startswith(HOST_WORDS):
        return []  # system and developer: the host's own instructions
    if text.startswith(EDITOR_WORDS):
        text = text.rpartition(REQUEST)[2]  # the last one: what is marked may hold the words, too
    origin = "subagent" if text.startswith(AGENT_WORDS) else heard.user(text)
    return speech(entry, at, role="user", text=text, origin=origin, content=item.get("content"))


def _arguments(given: object) -> object:
    """Return a call's arguments: they are a JSON text, or an object."""
    if not isinstance(given, str):
        return given
    try:
        return jsonfiles.lenient(given.encode("utf-8", "replace"))
    except ValueError:
        return None


def _outcome(output: object) -> tuple[int | None, str, bool]:
    """Return exit code, output and whether it failed. Three forms are in use: JSON in a text, a header, parts."""
    told = as_dict(_arguments(output)) if isinstance(output, str) and output.startswith("{") else as_dict(output)
    if "output" in told or "content" in told:
        code = as_dict(told.get("metadata")).get("exit_code", told.get("exit_code"))
        text = texts(told.get("output", told.get("content")), "input_text", "text")
        return (code if isinstance(code, int) else None), text, told.get("success") is False
    text = texts(output, "input_text", "text")
    code_line = compiled(EXIT).search(text, 0, HEADER_CHARS)
    if code_line is None:
        return None, text, False
    start = text.find(OUTPUT, code_line.end(), code_line.end() + HEADER_CHARS)
    return int(code_line[1]), text[start + len(OUTPUT) :] if start >= 0 else text[code_line.end() :], False


def _entry(line: bytes) -> str:
    return blake2b(line.strip(), digest_size=8).hexdigest()


def _session(path: Path) -> Session | None:
    match = NAME.fullmatch(path.name)
    if match is None:
        return None
    meta = as_dict(as_dict(next(head(path), None)).get("payload"))
    identity = match["id"] or str(meta.get("id") or path.stem)
    kind = "subagent" if "subagent" in as_dict(meta.get("source")) else "main"
    at = place.of("codex", folder=folder_of(path))
    return Session("codex", identity, f"codex/{identity}", kind, os.fspath(path), last_said(path), at)
