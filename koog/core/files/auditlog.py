"""`memory/meta/audit.log`, the current month's lines, and `memory/meta/audit/YYYY-MM.log`, older ones.  [moltbot §12.4]

    TIMESTAMP | ACTION | FILE | ACTOR | APPROVAL | SUMMARY

Only a koog that sees the state root moves a month's lines into its file: the chain there follows them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.tree import Tree

NAME = "meta/audit.log"  # in the memory folder
MONTHS = "meta/audit"
MONTH = compiled(r"\d{4}-(?:0[1-9]|1[0-2])")
CRITICAL = "⚠️ CRITICAL: "
FIELDS = 6
# A koog without the state root takes no approval, so nothing that it wrote can say so.
OWN_LEAVE = {"auto", "pending", "—", "-", ""}
LIMIT = 1 << 30  # bytes of one file of the log that koog reads


class Entry(NamedTuple):
    """One line's six fields, as they were before `|` and line breaks were escaped."""

    ts: str
    action: str
    file: str
    actor: str
    approval: str
    summary: str

    @property
    def critical(self) -> bool:
        return self.summary.startswith(CRITICAL)


def parse(line: str) -> Entry | None:
    """Return a line's fields, None for a line that has others.

    >>> parse("2026-02-05T10:00Z | EDIT    | SOUL.md | manual | —        | a \\\\| b").summary
    'a | b'
    """
    parts = re.split(r"(?<!\\) \| ", line.rstrip("\n"), maxsplit=FIELDS - 1)
    if len(parts) != FIELDS:
        return None
    return Entry(*(_unescaped(part.strip() if i < FIELDS - 1 else part) for i, part in enumerate(parts)))


def files(tree: Tree) -> list[str]:
    """Return the paths of the files that hold the log, oldest first; the current month's last, also when absent."""
    folder = tree.in_memory(MONTHS)
    months = [name for name in tree.names(folder, ".log") if MONTH.fullmatch(name.removesuffix(".log"))]
    return [*(f"{folder}/{name}" for name in months), tree.in_memory(NAME)]


def claims(line: bytes) -> bool:
    """Return whether a line says that a person did it or approved it."""
    entry = parse(line.decode("utf-8", "surrogateescape"))
    return entry is not None and (entry.approval not in OWN_LEAVE or entry.actor == "manual")


def rows(data: bytes) -> list[bytes]:
    """Return the lines of a log, without their line ends; a last one that was cut off too."""
    found = data.split(b"\n")
    return found[:-1] if not found[-1] else found


def month_file(tree: Tree, month: str) -> str:
    """Return the path of a month's file."""
    return f"{tree.in_memory(MONTHS)}/{month}.log"


def older(lines: Sequence[bytes], month: str) -> list[tuple[str, list[bytes]]]:
    """Return the lines at the beginning that belong to months before one, in runs of a month each.

    A line that a wrong clock wrote, or that has no date, goes with the line before it: the order is kept.
    """
    runs: list[tuple[str, list[bytes]]] = []
    at, waiting = "", list[bytes]()
    for line in lines:
        said = line[:7].decode("ascii", "replace")
        if said == month:
            break
        if MONTH.fullmatch(said) and at < said < month:
            at = said
        if not at:
            waiting.append(line)
            continue
        if not runs or runs[-1][0] != at:
            runs.append((at, waiting))
            waiting = []
        runs[-1][1].append(line)
    return runs


def _unescaped(field: str) -> str:
    found = {"\\\\": "\\", "\\|": "|", "\\n": "\n"}
    return re.sub(r"\\[\\|n]", lambda m: found[m[0]], field)
