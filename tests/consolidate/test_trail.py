"""koog why: every change that reflections made is told, whatever became of the line later.  [moltbot §12.7]"""

from __future__ import annotations

import json
from typing import Any

from koog.consolidate import plan_rows
from koog.memory.fading import accesses
from koog.memory.store import core_memory
from koog.memory.store.sections import Sections
from tests.conftest import Koog, git
from tests.consolidate.tools import MORNING, approve, of_kind, relayed, remember, slept

MOVED = "Ana has moved, she no longer lives in Berlin but in Lisbon"
LATER = ("--now", "2026-03-12T03:00:00Z")


def _trail(koog: Koog, asked: str) -> list[dict[str, Any]]:
    code, line = koog(*LATER, "why", asked)
    assert code == 0, line
    return list(line["trail"])


def _did(koog: Koog, asked: str) -> list[tuple[str, str | None]]:
    return [(step["did"], step["reflection"]) for step in _trail(koog, asked)]


def test_a_month_of_reflections_is_explained_by_why_and_the_audit_log(workspace, koog, tmp_path):
    relayed(workspace)
    remember(workspace)
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "a life")
    plan = slept(koog)
    kept, said, odd = (of_kind(plan, kind)[0] for kind in ("fact", "core", "oppose"))
    file = tmp_path / "changes.json"
    file.write_text(json.dumps([{"id": kept["id"], "text": "Parveen takes PDFs alone"}]))
    approve(koog, plan, "--only", ",".join(row["id"] for row in (kept, said, odd)), "--edit", str(file))
    koog(*MORNING, "consolidate", "reject", "r-001", "--why", "not now")

    for words, row in [("Parveen takes PDFs alone", kept), *((plan_rows.shown(r["after"]), r) for r in (said, odd))]:
        (made,) = [step for step in _trail(koog, words) if step["text"] == words and step["reflection"]]
        assert (made["did"], made["reflection"], made["path"]) == ("wrote", "r-001", row["file"])
        assert (made["entry"]["actor"], made["entry"]["file"]) == ("reflection:r-001", row["file"])
    assert [step["did"] for step in _trail(koog, "Parveen takes PDFs alone")] == ["wrote"]  # nobody had said so before
    assert [step["did"] for step in _trail(koog, plan_rows.shown(said["after"]))].count("said") == 1

    remember(workspace, [("2026-03-11 09:00", MOVED)])
    koog(*LATER, "consolidate", "run")
    second = koog(*LATER, "consolidate", "show")[1]
    (change,) = of_kind(second, "replace")
    koog(*LATER, "consolidate", "approve", "r-002", "--confirm", second["digest"], "--only", change["id"])
    for words in ("Ana lives in Berlin", MOVED):  # asked by the old words or the new ones
        assert {("ended", "r-002"), ("wrote", "r-002")} <= set(_did(koog, words))

    shown = koog(*LATER, "rollback", "session", "r-002")[1]
    assert koog(*LATER, "rollback", "session", "r-002", *shown["confirm"].split())[0] == 0
    assert _did(koog, "Ana lives in Berlin") == [("said", None)]
    (entry,) = koog(*LATER, "audit", "log", "--action", "REVERT", "--file", change["file"])[1]["entries"]
    assert "r-002" in entry["summary"]


def test_what_was_moved_out_of_core_memory_and_what_was_archived_is_told(workspace, koog):
    relayed(workspace)
    remember(workspace)
    question = "How deep does a raised bed need to be for carrots?"
    (workspace / "MEMORY.md").write_text(f"# MEMORY.md\n\n## Identity\n- {question}\n")
    (entry,) = core_memory.entries(Sections((workspace / "MEMORY.md").read_text(), "MEMORY.md"))
    with (workspace / "memory/meta/access.jsonl").open("a") as file:
        file.write(accesses.line("2025-12-01T09:00:00Z", entry.id, op=accesses.WRITE, store="core", base=0.7, why="x"))
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "a life")
    plan = slept(koog)
    assert plan_rows.shown(next(row for row in of_kind(plan, "core") if not row["after"])["before"]) == question
    approve(koog, plan)

    assert ("moved", "r-001") in _did(koog, question)
    assert ("archived", "r-001") in _did(koog, of_kind(plan, "archive")[0]["sources"][0])
