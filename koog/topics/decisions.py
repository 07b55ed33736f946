"""memory/meta/topic-gate.jsonl: what was decided about which topic; and the gate's cache.  [autopoiesis §5.5]

    {"timestamp": "2026-02-28T12:00:00Z", "message_hash": "1f…", "topic_name": "deployment", "tier1_matched": true,
     "tier2_score": 0.28, "gate_result": true, "was_useful": null, "engine": "llm"}

gate_result   null where no gate was needed: the topic was activated without one, or dropped
dropped       true, and only there, where its score was too small for it to be asked about or to activate
was_useful    null until somebody says so: feedback is the decision's line once more, with it

Lines are appended, without a commit of their own; of the lines about one message and topic
the last one holds. No message is kept, only its hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from koog.core import clock
from koog.core.errors import Busy, WorkspaceError
from koog.core.files import jsonfiles
from koog.core.files.workspace import Workspace
from koog.core.named import NamedTuple

FILE = "meta/topic-gate.jsonl"
CACHE = "topic-gate.json"  # in .koog/: key → "yes" or "no", oldest first
MESSAGE_CHARS = 500  # of a message: what the gate sees, and what it is told apart by
MOST_CACHED = 2000
LARGE = 512 * 1024  # bytes, some 2,500 lines: then the older half goes; git has it


class Decision(NamedTuple):
    """One line. timestamp is UTC; tier2_score from 0 to 1, None where no similarity was asked for."""

    timestamp: datetime
    message_hash: str
    topic_name: str
    tier1_matched: bool
    tier2_score: float | None
    gate_result: bool | None
    was_useful: bool | None = None
    engine: str | None = None
    dropped: bool = False

    @property
    def activated(self) -> bool:
        return self.gate_result is not False and not self.dropped


def message_hash(message: str) -> str:
    """Return what a message is told apart by: its first 500 characters, hashed."""
    return digest(message[:MESSAGE_CHARS])


def digest(*parts: str) -> str:
    from hashlib import blake2b  # a third of bare Python's start: only a message that a topic fires on pays it

    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=8).hexdigest()


# --- the log


def record(workspace: Workspace, made: Sequence[Decision]) -> None:
    """Append decisions; nothing under `--dry-run`. A log that has become large loses its older half."""
    if not made or workspace.dry_run:
        return
    path = workspace.in_memory(FILE)
    workspace.ledger(path, "".join(_line(decision) for decision in made))
    if (workspace.size(path) or 0) > LARGE:
        with suppress(Busy), workspace.writing() as door:  # whoever writes now, the next decision finds it large too
            door.edit(path, _newer_half, summary="the older gate decisions left out")


def read(workspace: Workspace) -> list[Decision]:
    """Return the decisions, oldest first, one a message and topic. What is no decision is passed over."""
    found: dict[tuple[str, str], Decision] = {}
    for line in (workspace.read(workspace.in_memory(FILE)) or b"").splitlines():
        if decision := _parse(line):
            key = decision.message_hash, decision.topic_name
            before = found.pop(key, None)
            if before and decision.was_useful is None:
                decision = decision._replace(was_useful=before.was_useful)
            found[key] = decision
    return list(found.values())


def latest(made: Iterable[Decision], topic: str, hashed: str | None) -> Decision | None:
    """Return the last decision about a topic, of one message where its hash is given."""
    fitting = [d for d in made if d.topic_name == topic and hashed in (None, d.message_hash)]
    return fitting[-1] if fitting else None


def _line(decision: Decision) -> str:
    row = {**decision._asdict(), "timestamp": clock.iso(decision.timestamp)}
    if not decision.dropped:
        del row["dropped"]
    return jsonfiles.line(row) + "\n"


def _parse(line: bytes) -> Decision | None:
    """Return a line's decision, None for a torn line or another program's."""
    try:
        row: dict[str, Any] = jsonfiles.loads(line)
        when = clock.parse(row["timestamp"])
        score, result, useful = row["tier2_score"], row["gate_result"], row.get("was_useful")
        hashed, topic = row["message_hash"], row["topic_name"]
        usable = isinstance(hashed, str) and isinstance(topic, str) and {result, useful} <= {True, False, None}
        if when is None or not usable or not (score is None or 0 <= score <= 1):
            return None
        engine = row.get("engine")
        dropped = row.get("dropped") is True
        return Decision(when, hashed, topic, bool(row["tier1_matched"]), score, result, useful, engine, dropped)
    except (ValueError, TypeError, KeyError):
        return None


def _newer_half(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[len(lines) // 2 :])


# --- the cache


def cached(workspace: Workspace) -> dict[str, str]:
    """Return the kept answers; {} where they cannot be read: they are asked again."""
    try:
        found = jsonfiles.loads(workspace.cached(CACHE) or "{}")
    except (WorkspaceError, ValueError):
        return {}
    answers = found if isinstance(found, dict) else {}
    return {key: answer for key, answer in answers.items() if answer in ("yes", "no")}


def keep(workspace: Workspace, answers: dict[str, str]) -> None:
    """Write the newest answers; nothing under `--dry-run`."""
    if workspace.dry_run:
        return
    newest = dict(list(answers.items())[-MOST_CACHED:])
    with suppress(WorkspaceError):  # the worst that a lost write costs is one more question
        workspace.cache(CACHE, jsonfiles.line(newest))
