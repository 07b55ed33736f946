"""What `mine` found, as `curate` takes it: mine's own line, or the seed's plain strings.  [sinain §4.5]

Who is behind a finding is known where mine has said so (core/text/trust.py); else it counts as an agent's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from koog.core.text.voices import AGENT, PERSON, TRUSTS
from koog.playbook import origin

OLDER = {"user": PERSON, "note": AGENT}  # as evidence rows had it before
KINDS = ("contradictions", "preferences", "newPatterns")  # the first of them becomes no line of the playbook
QUOTED = re.compile(r'^playbook: "(?P<line>.*)" vs (?P<source>\S+:\d+): "(?P<text>.*)"$', re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """One mined line; `source` is its place (playbook/origin.py), None when the caller gave none."""

    kind: str
    text: str
    source: str | None = None
    trust: str = AGENT

    @property
    def words(self) -> str:
        """Return what was found, of a contradiction the observation alone."""
        quoted = QUOTED.match(self.text) if self.kind == "contradictions" else None
        return quoted["text"] if quoted else self.text

    @property
    def mark(self) -> str:
        """Return by what cursors.json knows that it was counted: a caller may pass the same line twice."""
        return sha256(f"{self.kind}\0{self.text}\0{self.source or ''}".encode(errors="replace")).hexdigest()[:16]


def read(value: dict[str, Any]) -> list[Finding]:
    """Return the findings of mine's reply: its `evidence` says where each text of each list stands, and who said it."""
    places = {at: (_place(row), trust(row)) for at, row in _evidence(value).items()}
    return [
        Finding(kind, text, *places.get((kind, n), (None, AGENT)))
        for kind in KINDS
        for n, given in enumerate(_rows(value, kind))
        if (text := _text(given))
    ]


def _evidence(value: dict[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    """Return (kind, index) → the evidence of that text; what is no such row is left out."""
    return {
        (row["kind"], row["index"]): row
        for row in _rows(value, "evidence")
        if isinstance(row, dict) and isinstance(row.get("kind"), str) and isinstance(row.get("index"), int)
    }


def count(row: dict[str, Any]) -> int:
    """Return how many findings wait in a row."""
    return sum(len(_rows(row, kind)) for kind in KINDS)


def only(row: dict[str, Any], texts: Set[str]) -> dict[str, Any]:
    """Return a waiting row with these texts alone, each with its evidence; its summary and sightings were curated."""
    kept: dict[str, Any] = {kind: [] for kind in KINDS}
    evidence, places = [], _evidence(row)
    for kind in KINDS[1:]:
        for n, given in enumerate(_rows(row, kind)):
            if _text(given) in texts:
                if place := places.get((kind, n)):
                    evidence.append({**place, "index": len(kept[kind])})
                kept[kind].append(given)
    return {**row, **kept, "findings": "", "evidence": evidence, "seenAgain": []}


def as_row(given: Sequence[Finding]) -> dict[str, Any]:
    """Return findings as a waiting row has them: `read` gives them back."""
    kept: dict[str, Any] = {kind: [] for kind in KINDS}
    evidence = []
    for each in given:
        if each.source:
            file, _, line = origin.place(each.source).rpartition(":")
            told = {"file": file, "line": int(line) if line.isdecimal() else line, "date": origin.day(each.source)}
            evidence.append({"kind": each.kind, "index": len(kept[each.kind]), **told, "trust": each.trust})
        kept[each.kind].append(each.text)
    return {"findings": "", **kept, "evidence": evidence, "seenAgain": []}


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
    quoted = [with_day(match["source"], f) for f in given if (match := QUOTED.match(f.text))]
    return {*quoted, *(f.source for f in given if f.source)}


def _place(row: dict[str, Any]) -> str:
    return origin.cited(f"{row.get('file')}:{row.get('line')}", str(row.get("date") or ""), trust=trust(row))


def trust(row: dict[str, Any]) -> str:
    """Return who is behind what an evidence row is about."""
    told = row.get("trust")
    known = OLDER.get(told, told) if isinstance(told, str) else AGENT
    return known if known in TRUSTS else AGENT


def with_day(source: str, finding: Finding) -> str:
    """Return a source that a contradiction quotes with the day that the finding has for it."""
    return finding.source if finding.source and origin.place(finding.source) == source else source


def _rows(value: dict[str, Any], key: str) -> list[Any]:
    rows = value.get(key)
    return rows if isinstance(rows, list) else []  # of a bare text each letter would be a finding


def _text(value: Any) -> str | None:
    if isinstance(value, dict):
        value = value.get("text")
    return value if isinstance(value, str) and value.strip() else None
