"""A session's history as files have it, read into messages.  [autopoiesis §2.1, §6.4]

A host's own file is read as `observe` reads it (koog/sessions): without what the host, koog and subagents put there.
Else read are JSON lines or a JSON array of `{role, content, …}`, an object with `messages`, records that wrap such a
message (`{"type": …, "message": {…}}`), and the Markdown transcript of §2.1. There of a tool's result one line is
kept; reasoning is left out. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from koog.core.files import jsonfiles
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import frontmatter
from koog.sessions import transcript
from koog.sessions.records import Heard, Parse, as_list, texts, turns_of

SYSTEM, USER, ASSISTANT, TOOL = "system", "user", "assistant", "tool"
ROLES = {
    "developer": SYSTEM,
    "human": USER,
    "agent": ASSISTANT,
    "ai": ASSISTANT,
    "model": ASSISTANT,
    "function": TOOL,
    "toolResult": TOOL,
    "tool_result": TOOL,
}
TURN_HEADING = r"(?m)^## (\d{1,2}:\d\d) [—–-] (\S[^\n]*?)[ \t]*$"
DAY_LINE = rf"\n{transcript.DAY}\s*\Z"  # of the turn below
TEXT_BLOCKS = ("text", "input_text", "output_text")
CALLS = ("tool_use", "toolCall", "tool_call")
RESULTS = ("tool_result", "toolResult")
JSON = r"\s*(?:\{\s*\"|\[\s*[\[{])"  # what no Markdown begins with
BETWEEN = r"[\s,]*"
FIRST_LINE_CHARS = 160  # of a tool's result


class Message(NamedTuple):
    """What one side said, and where in the file.

    role   "system", "user", "assistant", "tool", or whoever a transcript's heading names
    line   where it stands: lines from 1 of a text, or the message's number where the file is one JSON value
    time   HH:MM of a transcript, else ""
    """

    role: str
    text: str
    line: int
    end: int
    time: str = ""


class History(NamedTuple):
    """A session's messages in order, and how many lines of the file were no JSON."""

    messages: list[Message]
    broken: int = 0


def parse(text: str) -> History:
    """Return the messages of a history file, whichever of the forms it has; what is none is left out."""
    if not text.lstrip().startswith(("[", "{")):
        return History(_transcript(text))
    try:
        whole = jsonfiles.loads(text)
    except ValueError:
        return _lines(text)
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        whole = whole["messages"]
    rows = list(enumerate(whole if isinstance(whole, list) else [whole], 1))
    return _history(rows)


def one_line(result: str, *, tool: str) -> str:
    """Return a tool's result as one line; it says how much more there was.

    >>> one_line("a.py\\nb.py", tool="ls")
    '> [tool:ls] a.py … (2 lines, 9 characters)'
    """
    text, tool = result.strip(), " ".join(tool.split())
    first, _, rest = text.partition("\n")
    shown = " ".join(first.split())[:FIRST_LINE_CHARS]
    if not rest and len(first) <= FIRST_LINE_CHARS:
        return f"> [tool:{tool}] {shown}".rstrip()
    return f"> [tool:{tool}] {shown} … ({text.count(chr(10)) + 1} lines, {len(text)} characters)"


# JSON


def _lines(text: str) -> History:
    """Return the messages of JSON lines, or of a JSON array that breaks off.

    A Markdown text that begins with a bracket is one all the same.
    """
    found: list[tuple[int, Any]] = []
    broken = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append((number, jsonfiles.loads(line)))
        except ValueError:
            broken += 1
    if not found and compiled(JSON).match(text):
        return History(_messages(enumerate(_cut_off(text), 1)), broken=1)
    if not found:
        return History(_transcript(text))
    return _history(found, broken)


def _cut_off(text: str) -> list[Any]:
    """Return the values of an array up to where its JSON breaks off."""
    from json import JSONDecoder

    decoder, at = JSONDecoder(), text.find("[") + 1
    found: list[Any] = []
    with suppress(ValueError, RecursionError):
        while start := compiled(BETWEEN).match(text, at):
            value, at = decoder.raw_decode(text, start.end())
            found.append(value)
    return found


def _history(rows: Sequence[tuple[int, Any]], broken: int = 0) -> History:
    own = _of_host(rows)
    return History(_messages(rows) if own is None else own, broken)


def _of_host(rows: Sequence[tuple[int, Any]]) -> list[Message] | None:
    """Return the messages of a host's own records, None where they are none."""
    records = (record for _, record in rows if isinstance(record, dict))
    reader = next((known for record in records if (known := _reader(record))), None)
    if reader is None:
        return None
    parse, kind = reader
    heard = Heard(kind=kind)
    found: list[Message] = []
    for number, record in rows:
        heard.line = str(number).encode()  # only told from others
        turns = turns_of(record, heard, parse=parse)
        # What a heartbeat or a subagent says in the user's place is nobody's word; in a session of its own it is.
        said = [turn for turn in turns if turn.role != USER or turn.origin in (USER, kind)]
        found += [Message(turn.role, turn.text, number, number) for turn in said]
    return found


def _reader(record: dict[str, Any]) -> tuple[Parse, str] | None:
    """Return how a host's record is read, and of what kind its session is; None for what no host writes."""
    kind, names = record.get("type"), record.keys()
    if kind in ("session_meta", "response_item", "turn_context") and {"timestamp", "payload"} <= names:
        from koog.sessions import codex

        return codex.parse, "main"
    if kind in (USER, ASSISTANT) and {"uuid", "message"} <= names:
        from koog.sessions import claude

        return claude.parse, "subagent" if record.get("isSidechain") is True else "main"
    if (kind == "session" and "version" in names) or (kind == "message" and {"parentId", "message"} <= names):
        from koog.sessions import openclaw_records

        return openclaw_records.parse, "main"
    return None


def _messages(rows: Iterable[tuple[int, Any]]) -> list[Message]:
    tools: dict[str, str] = {}  # call id → the tool's name
    found = []
    for number, record in rows:
        message = _message(record)
        if message:
            found += [Message(role, text, number, number) for role, text in _said(message, tools) if text.strip()]
    return found


def _message(record: Any) -> dict[str, Any] | None:
    """Return the message of a record: itself, or what it wraps; None for what is none."""
    for candidate in (record, record.get("message") if isinstance(record, dict) else None):
        if isinstance(candidate, dict) and isinstance(candidate.get("role"), str):
            return candidate
    return None


def _said(message: dict[str, Any], tools: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield role and text of what a message says: its own text, then its calls and the results it carries."""
    role = ROLES.get(message["role"], message["role"])
    content = message.get("content")
    said = texts(content, *TEXT_BLOCKS)  # pictures, reasoning and what else there is say nothing
    if role == TOOL:
        name = message.get("name") or message.get("toolName") or tools.get(_id(message))
        yield TOOL, one_line(said, tool=str(name or TOOL))
        return
    calls = [*_dicts(message.get("tool_calls")), *(b for b in _dicts(content) if b.get("type") in CALLS)]
    yield role, "\n".join([said, *(_call(call, tools) for call in calls)]).strip()
    for block in _dicts(content):
        if block.get("type") in RESULTS:
            yield TOOL, one_line(texts(block.get("content"), *TEXT_BLOCKS), tool=tools.get(_id(block), TOOL))


def _call(call: dict[str, Any], tools: dict[str, str]) -> str:
    """Return a tool call as one line, and remember whose result is to come."""
    function = call.get("function")
    inner = function if isinstance(function, dict) else call
    name = str(inner.get("name") or TOOL)
    tools[_id(call)] = name
    given = next((inner[key] for key in ("arguments", "input") if inner.get(key)), "")
    shown = given if isinstance(given, str) else jsonfiles.line(given)
    return one_line(shown, tool=name)


def _id(of: dict[str, Any]) -> str:
    return str(next((of[key] for key in ("tool_call_id", "tool_use_id", "toolCallId", "id") if key in of), ""))


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in as_list(value) if isinstance(item, dict)]


# Markdown


def _transcript(text: str) -> list[Message]:
    """Return the messages of a Markdown transcript; a text without any turn's heading is a single one."""
    headings = list(compiled(TURN_HEADING).finditer(text))
    if not headings:
        return _single(text)
    messages = []
    line, counted = 1, 0
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        line += text.count("\n", counted, heading.start())
        counted = heading.start()
        said = text[heading.end() : following.start() if following else len(text)]
        said = transcript.unescaped(compiled(DAY_LINE).sub("", said).rstrip())
        role = ROLES.get(heading[2], heading[2])
        words = one_line(said, tool=TOOL) if role == TOOL else said.strip()
        if words:
            messages.append(Message(role, words, line, line + said.count("\n"), heading[1]))
    return messages


def _single(text: str) -> list[Message]:
    rows = text.split("\n")
    body = "\n".join(rows[frontmatter.lines(rows) :])
    said = body.strip()
    if not said:
        return []
    line = text.count("\n", 0, len(text) - len(body.lstrip())) + 1
    return [Message(USER, said, line, line + said.count("\n"))]
