"""What `mine` found, as `curate` takes it: mine's own line, or the seed's plain strings.  [sinain §4.5]"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

KINDS = ("contradictions", "preferences", "newPatterns")
QUOTED = re.compile(r'^playbook: "(?P<line>.*)" vs (?P<source>\S+:\d+): "(?P<text>.*)"$', re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """One mined line; `source` is `file:line`, None when the caller gave none."""

    kind: str
    text: str
    source: str | None = None

    @property
    def mark(self) -> str:
        """Return by what cursors.json knows that it was counted: a caller may pass the same line twice."""
        return sha256(f"{self.kind}\0{self.text}\0{self.source or ''}".encode(errors="replace")).hexdigest()[:16]


def read(value: dict[str, Any]) -> list[Finding]:
    """Return the findings of mine's reply: its `evidence` says where each text of each list stands."""
    places = {
        (row.get("kind"), row.get("index")): f"{row.get('file')}:{row.get('line')}"
        for row in _rows(value, "evidence")
        if isinstance(row, dict) and isinstance(row.get("kind"), str) and isinstance(row.get("index"), int)
    }
    return [
        Finding(kind, text, places.get((kind, n)))
        for kind in KINDS
        for n, given in enumerate(_rows(value, kind))
        if (text := _text(given))
    ]


def summary(value: dict[str, Any]) -> str:
    """Return the summary of mine's reply: background for a curator, no pattern by itself; "" without one."""
    told = value.get("findings")
    return told.strip() if isinstance(told, str) else ""


def contradicted(given: Sequence[Finding]) -> tuple[str, ...]:
    """Return the playbook lines that the contradictions quote."""
    found = [QUOTED.match(f.text) for f in given if f.kind == "contradictions"]
    return tuple(match["line"] for match in found if match)


def sources(given: Sequence[Finding]) -> set[str]:
    """Return every `file:line` that the findings rest on."""
    quoted = [match["source"] for f in given if (match := QUOTED.match(f.text))]
    return {*quoted, *(f.source for f in given if f.source)}


def _rows(value: dict[str, Any], key: str) -> list[Any]:
    rows = value.get(key)
    return rows if isinstance(rows, list) else []  # of a bare text each letter would be a finding


def _text(value: Any) -> str | None:
    if isinstance(value, dict):
        value = value.get("text")
    return value if isinstance(value, str) and value.strip() else None
