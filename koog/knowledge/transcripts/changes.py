"""What changed in the workspace while a session lasted, by the audit log.  [autopoiesis §2.1]

Its lines tell paths, actions and short summaries. A group is told nothing of it: what changes there is private.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core.files import auditlog, raw_root
from koog.core.files.atomic import decode
from koog.core.files.record import BOOKKEEPING
from koog.core.named import NamedTuple
from koog.knowledge.transcripts.format import AGENT, MEMORY, MOST_CHANGES, Turn, one_line

if TYPE_CHECKING:
    from koog.core.files.tree import Tree

DONE = {"CREATE": "created", "EDIT": "updated", "APPEND": "appended", "DELETE": "deleted", "RENAME": "moved"}
BETWEEN = " — "  # a path and what was done
LOGS = (*BOOKKEEPING, "/playbook-logs/")


class Changed(NamedTuple):
    """One line of the audit log that tells of knowledge."""

    at: datetime
    path: str
    action: str
    summary: str


class Changes:
    """The changes of a workspace, read when they are first asked for."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._from: datetime | None = None
        self._rows: list[Changed] = []

    def between(self, start: datetime, end: datetime) -> list[Changed]:
        """Return what was changed from the minute of one moment to that of another, both included."""
        first, last = start.replace(second=0, microsecond=0), end.replace(second=0, microsecond=0)
        if self._from is None or first < self._from:
            self._from, self._rows = first, list(self._read(first))
        return [row for row in self._rows if first <= row.at <= last]

    def _read(self, start: datetime) -> Iterable[Changed]:
        """Yield the changes since a moment. A month's file that is older is not looked into."""
        month = f"{start:%Y-%m}"
        for path in auditlog.files(self.tree):
            name = path.rpartition("/")[2].removesuffix(".log")
            if auditlog.MONTH.fullmatch(name) and name < month:
                continue
            for line in auditlog.rows(self.tree.read(path) or b""):
                entry = auditlog.parse(decode(line))
                at = clock.parse(entry.ts) if entry else None
                if entry and at and at >= start and _is_knowledge(entry.file):
                    summary = one_line(entry.summary.removeprefix(auditlog.CRITICAL))
                    yield Changed(at, entry.file, DONE.get(entry.action, entry.action.lower()), summary)


def told(rows: Sequence[Changed]) -> tuple[dict[str, str], ...]:
    """Return changes as the frontmatter has them: one a file, with what was done to it last."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        first = found.pop(row.path, None)
        action = "created" if first and first["action"] == "created" and row.action != "deleted" else row.action
        found[row.path] = {"path": row.path, "action": action, "summary": row.summary}
    return tuple(found.values())[-MOST_CHANGES:]


def turns(rows: Iterable[Changed]) -> list[Turn]:
    """Return changes as turns of the agent's memory."""
    return [Turn(row.at, AGENT, f"{row.path}{BETWEEN}{row.summary}", MEMORY, row.action) for row in rows]


def reported(told: Iterable[Turn]) -> list[Changed]:
    """Return what turns of the agent's memory tell: a host says what it has changed with its own hands."""
    found = ((each, each.text.partition(BETWEEN)) for each in told if each.kind == MEMORY)
    return [Changed(each.at, path, each.name, summary) for each, (path, _, summary) in found if path.strip()]


def _is_knowledge(path: str) -> bool:
    return path.endswith(".md") and not raw_root.is_cited(path) and not any(part in f"/{path}" for part in LOGS)
