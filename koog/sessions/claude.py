"""Claude Code's transcripts: CONFIG/projects/PROJECT/SESSION.jsonl.  [design §6]

No official description exists. The shapes read here were seen in public files:
DRMacIver/claude-reliability notes/transcript-format.md (records, tool results, isMeta),
oneryalcin/agent-schemas claude-code/v2.1.144 (kinds of records),
alosec/claude-editor-hook memory-bank/03-guides/jsonl-analysis.md (agent-*.jsonl, isSidechain).

- A failed command is an `is_error` result that begins `Exit code N`; a result does not name its tool.
- `isSidechain` marks a subagent's records, `isMeta` and `isCompactSummary` the host's own words,
  `forkedFrom` a copy of what was said in another session.
- An editor puts what is open or marked in it into the user's text, as `<ide_opened_file>` and `<ide_selection>`
  (anthropics/claude-code issue 9561, kenn-io/agentsview issue 1238).
- What the user types while the agent works is an `attachment` of type `queued_command`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from koog.core.files import outside
from koog.core.lazy_regex import compiled
from koog.sessions import place
from koog.sessions.ends import folder_of, last_said
from koog.sessions.lines import Form, follow
from koog.sessions.records import Heard, Record, as_dict, as_list, moment, result, speech, texts
from koog.sessions.turn import Batch, Cursor, Session, Turn

SILENT = set(
    "system summary file-history-snapshot queue-operation progress attachment last-prompt custom-title ai-title "
    "agent-name agent-color agent-setting mode permission-mode pr-link tag cost-state worktree-state "
    "content-replacement marble-origami-commit marble-origami-snapshot started result".split()
)
EXIT = r"\A(?:Error: )?Exit code (-?\d+)(?:\n|\Z)"
ADDED = r"(?s)<(system-reminder|ide_\w+)>.*?</\1>"
ARGUMENTS = r"(?s)<command-args>(.*?)</command-args>"
COMMAND = "<command-"
HOST_WORDS = (COMMAND, "<local-command-", "<bash-", "[Request interrupted by user", "Caveat: The messages below")
TASK = "<task-notification>"  # a background agent's report: the answer to it is still the main agent's


class Claude:
    """All projects below a folder: Claude Code's configuration folder, its `projects`, or one project."""

    host = "claude"

    def __init__(self, root: Path) -> None:
        self.root = root

    def sessions(self) -> list[Session]:
        found = [_session(path) for path in files(self.root)]
        return sorted(found, key=lambda session: session.changed, reverse=True)

    def read(self, session: Session, cursor: Cursor | None) -> Iterator[Batch]:
        return follow(lambda: [Path(session.path)], cursor, form=Form(parse), kind=session.kind)


def files(root: Path) -> Iterator[Path]:
    """Yield the transcripts below a folder; a file alone is itself."""
    if outside.is_file(root):
        yield root
        return
    base = root / "projects" if outside.is_folder(root / "projects") else root
    for pattern in ("*.jsonl", "*/*.jsonl", "*/subagents/*.jsonl", "*/*/subagents/*.jsonl"):
        yield from sorted(outside.matching(base, pattern))


def parse(record: Record, heard: Heard) -> list[Turn]:
    kind = record.get("type")
    if record.get("isSidechain") is True and heard.kind != "subagent":
        return []
    if record.get("isMeta") is True or record.get("isCompactSummary") is True or "forkedFrom" in record:
        return []
    if kind == "attachment":
        return _queued(record, heard)
    if kind not in ("user", "assistant"):
        if kind not in SILENT:
            heard.pass_over(kind)
        return []
    content = as_dict(record.get("message")).get("content")
    at = moment(record.get("timestamp"), heard)
    if kind == "user":
        results = [part for part in as_list(content) if as_dict(part).get("type") == "tool_result"]
        if results:
            heard.run.messages += 1
            return _results(record, results, heard, at=at)
        return _prompt(str(record["uuid"]), at, texts(content, "text"), heard, content=content)
    if record.get("isApiErrorMessage") is True:
        return []
    heard.run.messages += 1
    for part in as_list(content):
        if as_dict(part).get("type") == "tool_use":
            heard.called(part.get("id"), part.get("name"), part.get("input"))
    message = as_dict(record.get("message"))
    usage = as_dict(message.get("usage"))
    sent = (usage.get(f"{kind}input_tokens") for kind in ("", "cache_read_", "cache_creation_"))
    heard.cost(message.get("id"), model=message.get("model"), sent=sent, answered=usage.get("output_tokens"))
    return speech(str(record["uuid"]), at, role="assistant", text=texts(content, "text"), origin=heard.origin)


def _prompt(entry: str, at: datetime, text: str, heard: Heard, *, content: object) -> list[Turn]:
    """Return what the user asked for; a slash command without arguments begins a run, too."""
    turns = _user(entry, at, text, heard, content=content)
    if turns or text.startswith(COMMAND):
        heard.prompted(entry, at)
        heard.run.messages += 1
    return turns


def _user(entry: str, at: datetime, text: str, heard: Heard, *, content: object = None) -> list[Turn]:
    """Return what the user typed, without what the host wrote around it; of a slash command its arguments."""
    if "<" in text[:1] or "<system-reminder>" in text or "<ide_" in text:
        text = compiled(ADDED).sub("", text).strip()
        typed = compiled(ARGUMENTS).search(text) if text.startswith(COMMAND) else None
        text = typed[1] if typed else text
    if text.startswith(HOST_WORDS):
        return []
    origin = "subagent" if text.startswith(TASK) else heard.user(text)
    return speech(entry, at, role="user", text=text, origin=origin, content=content)


def _queued(record: Record, heard: Heard) -> list[Turn]:
    attachment = as_dict(record.get("attachment"))
    if attachment.get("type") != "queued_command" or attachment.get("commandMode", "prompt") != "prompt":
        return []
    text = texts(attachment.get("prompt"), "text")
    return _user(str(record["uuid"]), moment(record.get("timestamp"), heard), text, heard)


def _results(record: Record, parts: list[dict[str, Any]], heard: Heard, *, at: datetime) -> list[Turn]:
    """Return the results in one record; a second one in it gets an id of its own."""
    turns = []
    for number, part in enumerate(parts):
        output = texts(part.get("content"), "text")
        failed = part.get("is_error") is True
        exit_line = compiled(EXIT).match(output) if failed else None
        code = int(exit_line[1]) if exit_line else _succeeded(record) if not failed and len(parts) == 1 else None
        entry = str(record["uuid"]) if number == 0 else f"{record['uuid']}.{number}"
        told = heard.answered(part.get("tool_use_id"))
        rest = output[exit_line.end() :] if exit_line else output
        turns.append(result(entry, at, heard, told=told, output=rest, code=code, failed=failed))
    return turns


def _succeeded(record: Record) -> int | None:
    """Return 0 for a shell command that ended well, None for other tools: only a shell's result has a stdout."""
    told = as_dict(record.get("toolUseResult"))
    well = "stdout" in told and not told.get("interrupted") and not told.get("returnCodeInterpretation")
    return 0 if well and not told.get("backgroundTaskId") else None


def _session(path: Path) -> Session:
    agent = path.name.startswith("agent-") or path.parent.name == "subagents"
    kind = "subagent" if agent else "main"
    at = place.of("claude", folder=folder_of(path))
    return Session("claude", path.stem, f"claude/{path.stem}", kind, os.fspath(path), last_said(path), at)
