"""The built-in curator: adds what was mined, joins repeats, promotes by score, prunes by score and directive.

It asks for the same operations as a model would, and is held to the same laws.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypedDict

from koog.core.text.compare import ADDS, JOINS, candidates, compare
from koog.heartbeat import candidates as waiting
from koog.heartbeat import standing
from koog.heartbeat.findings import QUOTED, Finding, with_day
from koog.heartbeat.operations import ESTABLISHED, PROMOTED_SCORE, one_line, says, section_of
from koog.heartbeat.sightings import is_of
from koog.heartbeat.standing import CUE
from koog.playbook import item, origin
from koog.playbook.item import Item

MOST_ADDED = 5  # a playbook of 50 lines that takes in twenty at once has no character left
TWICE, TELLING, BARE = 0.55, 0.5, 0.4  # what a new line starts with: mined twice; with a cue; a bare fact
DATED = re.compile(r"\b\d{4}-\d\d-\d\d\b")  # a line about one day is an event, however well it scored
MOST_PRUNED = {"aggressive_prune": 10, "normal": 3, "stability": 1, "insufficient_data": 0}
WEAK = {"aggressive_prune": 0.5, "normal": 0.3, "stability": 0.15, "insufficient_data": 0.0}


class RawOperation(TypedDict, total=False):
    op: str
    line: int | None
    lines: list[int]
    text: str | None
    section: str | None
    score: float | None
    source: str | None
    reason: str


class CurateAnswer(TypedDict):
    operations: list[RawOperation]


@dataclass(frozen=True)
class CurateInput:
    """lines: the body's, numbered from 1 by position; logs: the latest entries, newest first.

    summary   what mine said about the findings as a whole, for a model
    waiting   what was mined before and found no place
    """

    lines: tuple[str, ...]
    directive: str
    findings: tuple[Finding, ...] = ()
    summary: str = ""
    logs: tuple[dict[str, Any], ...] = ()
    today: date | None = None
    waiting: tuple[str, ...] = ()


def answer(given: CurateInput) -> CurateAnswer:
    """Return the operations, in the order contradictions, solutions, repeats, promotions, prunings, additions."""
    rows = [(n, found) for n, line in enumerate(given.lines, 1) if (found := item.parse(line))]
    taken: set[int] = set()
    operations = [
        *_contradictions(given.findings, rows, taken),
        *_solutions(given.findings, rows, taken),
        *_repeats(rows, taken),
        *_promotions(given.lines, rows, taken),
        *_prunings(rows, given.directive, taken, given.today),
    ]
    said = [Item(text=o["text"] or "") for o in operations if o["op"] == "rewrite"]
    return {"operations": [*operations, *_additions(given, [*(i for _, i in rows), *said])]}


def _contradictions(
    findings: Sequence[Finding], rows: Sequence[tuple[int, Item]], taken: set[int]
) -> list[RawOperation]:
    """Put the newer observation in the contradicted line's place."""
    found: list[RawOperation] = []
    for finding in findings:
        quoted = QUOTED.match(finding.text) if finding.kind == "contradictions" else None
        if not quoted:
            continue
        number = next((n for n, i in rows if says(i.text, quoted["line"])), None)
        if number is None or number in taken:
            continue
        taken.add(number)
        source = with_day(quoted["source"], finding)
        rewrite: RawOperation = {"op": "rewrite", "line": number, "text": quoted["text"], "score": 0.5}
        found.append({**rewrite, "source": source, "reason": f"contradicted by {source}"})
    return found


def _solutions(findings: Sequence[Finding], rows: Sequence[tuple[int, Item]], taken: set[int]) -> list[RawOperation]:
    """Put what tells a way out in the place of the open item that it is about."""
    found: list[RawOperation] = []
    for finding in findings:
        text = one_line(finding.text)
        if finding.kind == "contradictions" or not Item(text=text).solves:
            continue
        open_items = [(n, i) for n, i in rows if n not in taken and (i.since or i.deferred) and i.fixable]
        number = next((n for n, i in open_items if is_of(text, i.text)), None)
        if number is not None:
            taken.add(number)
            reason = "tells a way out"
            rewrite: RawOperation = {"op": "rewrite", "line": number, "text": text, "score": TELLING}
            found.append({**rewrite, "source": finding.source, "reason": reason})
    return found


def _repeats(rows: Sequence[tuple[int, Item]], taken: set[int]) -> list[RawOperation]:
    """Join what says the same: the line that says most stays as it is."""
    found: list[RawOperation] = []
    for i, j in candidates([each.text for _, each in rows]):
        (n, a), (m, b) = rows[i], rows[j]
        if n in taken or m in taken or a.deferred or b.deferred:
            continue
        said = compare(a.text, b.text)
        if said.kind in JOINS:
            taken |= {n, m}
            text = b.text if said.kind == ADDS else a.text
            found.append({"op": "merge", "lines": [n, m], "text": text, "reason": said.reason})
    return found


def _promotions(lines: Sequence[str], rows: Sequence[tuple[int, Item]], taken: set[int]) -> list[RawOperation]:
    """Promote what has earned it in a section of candidates; preferences and open items have their own place."""
    found: list[RawOperation] = []
    for n, i in rows:
        home = section_of(list(lines), n - 1).lower()
        candidate = home not in (ESTABLISHED.lower(), "preferences") and not (i.since or i.deferred)
        candidate = candidate and not DATED.search(i.text)
        if n not in taken and candidate and (i.score or 0.0) >= PROMOTED_SCORE:
            taken.add(n)
            found.append({"op": "promote", "line": n, "reason": f"score {i.score:g}"})
    return found


def _prunings(
    rows: Sequence[tuple[int, Item]], directive: str, taken: set[int], today: date | None
) -> list[RawOperation]:
    """Ask for the weakest lines to go, as far as the directive goes."""
    weak = [
        (standing.worth(i, today=today), n, i)
        for n, i in rows
        if n not in taken and i.score is not None and not standing.protected(i) and not i.since and not i.deferred
    ]
    weak = [row for row in weak if row[0] < WEAK[directive] + 1e-9 and not _on_trial(row[2], directive, today)]
    weak.sort(key=lambda row: row[:2])
    return [
        {"op": "remove", "line": n, "reason": f"weighs {worth:g}, directive {directive}"}
        for worth, n, _ in weak[: MOST_PRUNED[directive]]
    ]


def _on_trial(found: Item, directive: str, today: date | None) -> bool:
    """Return whether a line is too new to be weak: nothing speaks against it, and nobody had time to say it again."""
    young = found.source is not None and today is not None and standing.age(found, today=today) < standing.UNPROVEN_DAYS
    return directive == "aggressive_prune" and young and (found.score or 0.0) >= BARE


def _additions(given: CurateInput, old: Sequence[Item]) -> list[RawOperation]:
    """Add what was mined and is new: preferences, then what has a cue, then bare facts; in mined order each."""
    found: list[RawOperation] = []
    rows = [(f, one_line(f.text)) for f in given.findings if f.kind != "contradictions"]
    rows.sort(key=lambda row: (row[0].kind != "preferences", CUE.search(row[1]) is None))
    for finding, text in rows:
        if not text or len(found) >= MOST_ADDED:
            continue
        new = Item(text=text)
        if any(says(i.text, text) for i in old) or any(says(str(other["text"]), text) for other in found):
            continue
        telling = finding.kind == "preferences" or CUE.search(text)
        routine = finding.kind != "preferences" and standing.is_routine(text)
        before = not routine and waiting.again(text, given.waiting)
        twice = before or _is_told_twice(text, rows)
        found.append(
            {
                "op": "add",
                "section": _home(finding, new),
                "text": text,
                "score": TWICE if twice else TELLING if telling else BARE,
                "source": finding.source,
                "reason": "mined twice" if twice else f"mined, directive {given.directive}",
            }
        )
    return found


def _is_told_twice(text: str, rows: Sequence[tuple[Finding, str]]) -> bool:
    """Return whether two findings say it, and not only a day's note what was observed on that day."""
    told = [f.source or "" for f, other in rows if says(text, other) or says(other, text)]
    noted = {origin.day(origin.place(source)) for source in told} - {""}
    return sum(origin.day(origin.place(source)) != "" or origin.day(source) not in noted for source in told) > 1


def _home(finding: Finding, new: Item) -> str:
    if finding.kind == "preferences":
        return "Preferences"
    return "Observing" if new.fixable else "Patterns"
