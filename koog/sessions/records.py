"""What all hosts' records have in common: who caused them, how a tool's output is told, what was heard before.

A reader goes through records in their order and keeps a Heard. Its bounded form is
part of the cursor, so that a conversation can be followed after it was rewritten:

    ids    hashes of the last 32 entries that became turns
    at     the moment of the last one (not the latest of all: one wrong clock would hide what follows)
    calls  tools that were called and have not answered yet: call id → how they are told
    cause  who set the agent going: user, heartbeat, cron or subagent
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, TypeVar

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.text.marks import without_koog
from koog.core.text.untrusted import clean, strip_private
from koog.sessions.turn import Cursor, Spent, Turn

BATCH_TURNS = 500
BATCH_CHARS = 1 << 20  # a batch is a few hundred turns, fewer when they are long
WINDOW = 32  # entries whose ids are remembered
CALLS = 16  # calls without an answer that are remembered
KINDS = 40  # kinds of unknown records that are told apart
HEAD, TAIL = 400, 600  # characters of a tool's output that are kept
MOST_TOKENS = 1 << 32  # of one answer
COMMAND = 160  # characters of a command that are kept
BREAKS = frozenset(" \t\n\"'`,;")  # no secret goes on behind one of them, but for one of a line or a block
KEY_MARKER = r"-----(BEGIN|END) (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"

ATTACHMENTS = ("image", "input_image", "document", "file", "input_file", "audio", "input_audio")
UNATTENDED = ("heartbeat", "cron", "subagent")
OPENINGS = {"[OpenClaw heartbeat poll]": "heartbeat", "[cron:": "cron", "[Subagent Context]": "subagent"}
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LAST_MILLIS = 253_402_300_800_000  # the year 10000

Place = TypeVar("Place")

Record = dict[str, Any]


@dataclass
class Stretch:
    """What was done since a person's last prompt: one run of the agent. It is no part of the cursor.

    prompt       id of the record that began it, None before the first
    messages     records of what was said, and of tools' results where the host keeps those as messages
    tools        a tool's name → calls
    first, last  its moments
    """

    prompt: str | None = None
    messages: int = 0
    tools: Counter[str] = field(default_factory=Counter)
    first: datetime | None = None
    last: datetime | None = None

    def at(self, moment: datetime) -> None:
        """Take a record's moment into it."""
        self.first = moment if self.first is None or moment < self.first else self.first
        self.last = moment if self.last is None or moment > self.last else self.last


class Heard:
    """What a reader remembers of what it has read; `cursor` is its bounded form.

    line   the bytes of the record at hand
    spent  what the agent's words cost since somebody last took it; counted: the last answer that is in it
    run    what was done since the last prompt
    """

    def __init__(self, cursor: Cursor | None = None, *, kind: str = "main") -> None:
        known = cursor or {}
        self.old = [mark for mark in as_list(known.get("ids")) if isinstance(mark, str)]
        self.new: dict[str, None] = {}  # in their order
        self.at = clock.parse(known.get("at"))
        calls = as_dict(known.get("calls"))
        self.calls: dict[str, str] = {key: told for key, told in calls.items() if isinstance(told, str)}
        cause = known.get("cause")
        self.cause = cause if cause in UNATTENDED else kind if kind in UNATTENDED else "user"
        self.kind = kind
        self.unknown: Counter[str] = Counter()
        self.spent, self.counted = Spent(), ""
        self.line = b""
        self.run = Stretch()

    @property
    def origin(self) -> str:
        """Return the origin of what the agent and its tools say now."""
        return self.cause if self.cause in UNATTENDED else "agent"

    def user(self, text: str, *, told: str | None = None) -> str:
        """Return the origin of what was said to the agent, and remember it as the cause of what follows."""
        opening = next((origin for start, origin in OPENINGS.items() if text.startswith(start)), None)
        origin = told or opening or (self.kind if self.kind in UNATTENDED else "user")
        self.cause = origin
        return origin

    def called(self, call: object, name: object, arguments: object) -> None:
        """Remember a call until its result comes: the result names neither tool nor command with every host."""
        bare = tool_name(name, None)
        self.run.tools[bare if bare in self.run.tools or len(self.run.tools) < KINDS else "other"] += 1
        if isinstance(call, str) and call:
            self.calls[call] = tool_name(name, arguments)
            while len(self.calls) > CALLS:
                del self.calls[next(iter(self.calls))]

    def answered(self, call: object, name: object = None) -> str:
        """Return how the tool is told whose result has come."""
        told = self.calls.pop(call, None) if isinstance(call, str) else None
        return told or tool_name(name, None)

    def prompted(self, entry: str, at: datetime) -> None:
        """Begin a new run: a person has asked for something."""
        self.run = Stretch(prompt=entry)
        self.run.at(at)

    def knows(self, turn: Turn) -> bool:
        """Return whether this turn is among the last that were heard."""
        return turn.id in self.new or (self.old != [] and fingerprint(turn.id) in self.old)

    def hear(self, turn: Turn) -> None:
        self.new[turn.id] = None
        if len(self.new) > WINDOW:
            del self.new[next(iter(self.new))]
        self.at = turn.at

    def cost(self, answer: object, *, model: object = None, sent: Iterable[object] = (), answered: object = 0) -> None:
        """Count the tokens of an answer, once: a host may write it in several records.

        answer   what tells it from others, "" where nothing does
        sent     the parts of what was sent
        """
        name = model if isinstance(model, str) else ""
        if answer and answer == self.counted:
            self.spent += Spent(name)
            return
        self.counted = str(answer or "")
        self.spent += Spent(name[:COMMAND], sum(map(_tokens, sent)), _tokens(answered))

    def take_spent(self) -> Spent:
        """Return what was spent since this was last asked."""
        found, self.spent = self.spent, Spent()
        return found

    def pass_over(self, kind: object, count: int = 1) -> None:
        """Count a record of an unknown kind; other people's files name as many kinds as they like."""
        name = str(kind)[:60]
        self.unknown[name if name in self.unknown or len(self.unknown) < KINDS else "other"] += count

    def cursor(self) -> Cursor:
        """Return what goes into the cursor of every reader."""
        ids = [*self.old, *map(fingerprint, self.new)][-WINDOW:]
        return {
            "ids": ids,
            "at": self.at.isoformat() if self.at else None,
            "calls": {call: clean(told) for call, told in self.calls.items()},  # a cursor is kept on disk
            "cause": self.cause,
        }


# How one host's record becomes turns; what it cannot place it counts in `heard.unknown`.
Parse = Callable[[Record, Heard], list[Turn]]


def fingerprint(entry: str) -> str:
    """Return the short hash by which an entry's id is remembered: 48 bits, against at most 32 others."""
    return blake2b(entry.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def turns_of(record: object, heard: Heard, *, parse: Parse) -> list[Turn]:
    """Return a record's turns that were not heard before, and hear them. Nothing is raised, whatever it holds."""
    if not isinstance(record, dict):
        heard.pass_over("no object")
        return []
    try:
        found = parse(record, heard)
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError, RecursionError):
        heard.pass_over("malformed")
        return []
    fresh = [turn for turn in found if not heard.knows(turn)] if found else []
    for turn in fresh:
        heard.hear(turn)
    return fresh


def resume(entries: Iterable[tuple[Place, Place, list[Turn]]], heard: Heard) -> Place | None:
    """Return where to go on in a conversation that was rewritten, None at its beginning.

    entries   of the whole conversation: the places before and after each record, and its turns

    Entries keep their order and their ids, so what follows the last known entry is
    new. When no known entry is left (more than the window was cut off, or compaction
    kept only what is new), moments decide: what was written after the last read is
    not earlier than what was read. An equal moment counts as new, since the entry is
    not among the known ones: rather twice than not at all.
    """
    known = newer = last = None
    for before, after, turns in entries:
        last = after
        if any(map(heard.knows, turns)):
            known = after
        elif newer is None and heard.at is not None and any(turn.at >= heard.at for turn in turns):
            newer = before
    if heard.at is None:
        return None
    return known if known is not None else newer if newer is not None else last


# --- turns


def moment(stamp: object, heard: Heard, *, millis: object = None) -> datetime:
    """Return a record's moment: its ISO text, else its epoch milliseconds, else that of the turn before."""
    at = _stamped(stamp)
    if at is None and isinstance(millis, int | float) and 0 < millis < LAST_MILLIS:
        at = datetime.fromtimestamp(millis / 1000, UTC)
    if at is None:
        return heard.at or EARLIEST
    heard.run.at(at)
    return at


def _stamped(stamp: object) -> datetime | None:
    if isinstance(stamp, str) and stamp.endswith("Z"):
        try:
            return datetime.fromisoformat(stamp)  # the usual form: no conversion
        except ValueError:
            pass
    return clock.parse(stamp)


def speech(entry: str, at: datetime, *, role: str, text: str, origin: str, content: object = None) -> list[Turn]:
    """Return what a user or the agent said as a turn; no turn when nothing is left without koog's own text.

    content   the message's parts, for what is attached to it
    """
    left = without_koog(text).strip()
    return [Turn(entry, at, role, left, origin, attached(content))] if left else []


def attached(content: object) -> tuple[str, ...]:
    """Return what a message's parts hold beside text, each by its name, else by its kind; never the thing itself.

    >>> attached([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"}}])
    ('image/png',)
    """
    found = []
    for part in as_list(content):
        row = as_dict(part)
        if row.get("type") in ATTACHMENTS:
            source = as_dict(row.get("source"))
            told = [row.get(key) for key in ("title", "name", "filename", "path", "mimeType")]
            told += [source.get(key) for key in ("url", "path", "media_type")]
            told.append(_address(row.get("image_url")))
            name = next((each for each in told if isinstance(each, str) and each), str(row["type"]))
            found.append(name[:COMMAND])
    return tuple(found)


def _address(url: object) -> str | None:
    """Return where a picture lies, of one that is embedded its kind alone."""
    if not isinstance(url, str) or not url.startswith("data:"):
        return url if isinstance(url, str) else None
    return url[5:].partition(";")[0].partition(",")[0]


def result(
    entry: str, at: datetime, heard: Heard, *, told: str, output: str, code: object = None, failed: bool = False
) -> Turn:
    """Return a tool's result as a turn: `exec `make`, exit 2: …`. What koog printed is of origin koog, and left out."""
    kept = without_koog(output)
    outcome = f", exit {code}" if isinstance(code, int) and not isinstance(code, bool) else ", failed" if failed else ""
    text = f"{told}{outcome}: {cut(kept.strip())}" if kept.strip() else f"{told}{outcome}"
    return Turn(entry, at, "tool", text, heard.origin if kept == output else "koog")


def tool_name(name: object, arguments: object) -> str:
    """Return how a tool's call is told: its name, and the command that a shell was given."""
    told = name[:COMMAND] if isinstance(name, str) and name else "tool"
    given = as_dict(arguments)
    command = given.get("command") or given.get("cmd")
    if isinstance(command, list):  # bash -lc …: the last word is the command
        command = command[-1] if command[:1] in (["bash"], ["sh"], ["zsh"]) else " ".join(map(str, command))
    if not isinstance(command, str) or not command.strip():
        return told
    line = " ".join(command[: 4 * COMMAND].split())
    whole = len(line) <= COMMAND and len(command) <= 4 * COMMAND
    return f"{told} `{line if whole else _head(line[:COMMAND]) + '…'}`"


def cut(output: str) -> str:
    """Return the head and the tail of a tool's output, in whole lines or words.

    Half of a secret, or of a private block, is not known as one by whoever cleans what is left.
    """
    if len(output) <= HEAD + TAIL:
        return output
    if "<" in output:
        output = strip_private(output)
    if len(output) <= HEAD + TAIL:
        return output
    head, tail = _head(output[:HEAD]), _tail(output)
    return f"{head}\n… ({len(output) - len(head) - len(tail)} characters) …\n{tail}"


def _head(text: str) -> str:
    """Return the beginning of what was cut off: to the end of a line in its second half, else of a word."""
    end = text.rfind("\n", len(text) // 2)
    if end < 0:
        end = len(text)
        while end and text[end - 1] not in BREAKS:
            end -= 1
    return text[:end]


def _tail(output: str) -> str:
    """Return the end of an output: from a line that begins in its first half, else from a word; of no private key."""
    first = len(output) - TAIL
    text = output[first:]
    markers = compiled(KEY_MARKER).findall(output, 0, first) if "PRIVATE KEY" in output else []
    if markers and markers[-1] == "BEGIN":
        end = compiled(KEY_MARKER).search(text)
        return text[end.end() :] if end and end[1] == "END" else ""
    start = text.find("\n", 0, TAIL // 2) + 1
    if not start:
        while start < TAIL and text[start] not in BREAKS:
            start += 1
    return text[start:]


def texts(content: object, *kinds: str) -> str:
    """Return the text of a content that is one, or a list of parts of which those of these kinds are text."""
    if isinstance(content, str):
        return content
    found = []
    for part in as_list(content):
        if isinstance(part, dict) and part.get("type") in kinds and isinstance(text := part.get("text"), str):
            found.append(text)
    return found[0] if len(found) == 1 else "\n".join(found)


def _tokens(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < MOST_TOKENS else 0


def as_dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
