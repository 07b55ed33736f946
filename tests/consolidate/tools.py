"""What the tests of sleep share: a small memory, a night, a person's word."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.conftest import Koog, registered

NIGHT = ("--now", "2026-03-10T03:00:00Z")
MORNING = ("--now", "2026-03-10T08:00:00Z")
TOLD = (
    ("2026-02-02 09:00", "Parveen in accounts wants supplier invoices as real PDFs, never photos"),
    ("2026-02-09 09:00", "Parveen sent three supplier invoices back again, they were photos and no PDFs"),
    ("2026-02-16 09:00", "The wholesaler mailed supplier invoices as PDFs to Parveen, as she wants"),
    (
        "2026-02-03 10:00",
        "Closing the shop: lock the drugs cabinet, note the fridge temperature, check the kennels, set the alarm",
    ),
    ("2026-02-19 10:00", "Closed up: drugs cabinet locked, fridge temperature noted, kennels checked, alarm set"),
    ("2026-02-04 11:00", "Mum says Hattie's wedding is on the 12th of September"),
    ("2026-02-20 11:00", "The invitation says Hattie's wedding is on the 19th of September"),
    ("2026-02-05 12:00", "Someone had left a single boot on the steps"),
    ("2026-02-21 12:00", "I'm allergic to latex, it's gloves and balloons, I come up like a lobster"),
)
OLD = ("2025-06-01 08:00", "Bought a lamp for the hall")
ANA = "# person--ana\n\n<!-- Type: person | Created: 2026-01-02 | Last updated: 2026-01-02 -->\n\n## Facts\n"
ANA += "- Ana lives in Berlin <!-- dc:from=2026-01-02 -->\n- Ana likes tea <!-- dc:from=2026-01-03 -->\n"


def remember(folder: Path, told: Iterable[tuple[str, str]] = (*TOLD, OLD)) -> None:
    """Log episodes as they were said, each with its access; what is known of Ana stands in her file."""
    log = []
    for at, text in told:
        day, time = at.split()
        path = folder / f"memory/episodes/{day}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = path.read_text() if path.exists() else f"# {day} — Episode Log\n"
        path.write_text(f"{head}\n## {time} | fact | confidence:medium | tags:[] | source:conversation\n{text}\n")
        row = {"ts": f"{day}T{time}:00Z", "id": f"episode:{day}:{time}", "op": "write", "store": "episodic"}
        log.append(json.dumps({**row, "base": 0.7, "why": "remember"}))
    (folder / "memory/meta").mkdir(exist_ok=True)
    with (folder / "memory/meta/access.jsonl").open("a") as file:
        file.write("\n".join(log) + "\n")
    graph = folder / "memory/graph/entities"
    graph.mkdir(parents=True, exist_ok=True)
    (graph / "person--ana.md").write_text(ANA)


def relayed(folder: Path) -> Path:
    """Let the agent's call count as the person's word."""
    return registered(folder, approval="relayed")


def slept(koog: Koog, *argv: str) -> dict[str, Any]:
    """Run a reflection; return the plan as it is shown."""
    code, line = koog(*NIGHT, "consolidate", "run", *argv)
    assert code == 0, line
    return koog(*NIGHT, "consolidate", "show")[1]


def approve(koog: Koog, plan: dict[str, Any], *argv: str) -> dict[str, Any]:
    code, line = koog(*MORNING, "consolidate", "approve", plan["id"], "--confirm", plan["digest"], *argv)
    assert code == 0, line
    return line


def of_kind(plan: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [row for row in plan["operations"] if row["kind"] == kind]


def stores(folder: Path) -> dict[str, str]:
    """Return path → text of what is remembered, without what only fades."""
    found = [folder / "MEMORY.md"]
    for name in ("episodes", "graph/entities", "procedures", "vault"):
        found += sorted((folder / "memory" / name).glob("*.md"))
    rows = {path.relative_to(folder).as_posix(): path.read_text().splitlines() for path in found if path.exists()}
    return {name: "\n".join(r for r in text if not r.startswith("<!-- Decay score")) for name, text in rows.items()}
