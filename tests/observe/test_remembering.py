"""What was observed is remembered, by nobody's wish: where it goes, how much it weighs, and what is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from koog.core import forgotten
from koog.core.run import Run
from koog.memory.fading import accesses, relevance
from koog.memory.store import core_memory, stores
from koog.memory.store.memories import CORE, EPISODIC, Memory
from koog.memory.wanted import DETECTED, INFERRED
from koog.observe import observe
from koog.sessions import place
from koog.sessions.place import Place
from tests.conftest import Koog, git
from tests.fakes.sessions import FakeReader, turn
from tests.logs import NOW

ALLERGY = "I'm allergic to peanuts."
POSTGRES = "We decided to use Postgres 16 for the Harbour Gateway because Mongo lost writes."


def run_in(workspace: Path) -> Run:
    return Run(folder=str(workspace), now_text=NOW, command="observe", engine="builtin")


def observed(workspace: Path, *said: tuple[str, str], at: Place | None = None) -> dict[str, Any]:
    reader = FakeReader(a=[turn(n, text, role=role) for n, (role, text) in enumerate(said)])
    reader.place = at or Place(place.project(str(workspace)))
    return observe.work(run_in(workspace), readers=[reader])


def remembered(workspace: Path) -> list[Memory]:
    return stores.every(run_in(workspace))


def test_what_a_person_says_in_passing_is_remembered_as_detected(workspace: Path):
    observed(workspace, ("user", POSTGRES))

    (found,) = remembered(workspace)
    assert (found.store, found.text) == (EPISODIC, POSTGRES)
    assert "confidence:medium" in (workspace / found.path).read_text("utf-8")
    assert "source:conversation" in (workspace / found.path).read_text("utf-8")
    (written,) = accesses.read((workspace / "memory" / accesses.FILE).read_text("utf-8")).accesses
    assert (written.id, written.base) == (found.id, DETECTED)


def test_its_audit_lines_name_ids_and_who_detected_it(workspace: Path):
    observed(workspace, ("user", POSTGRES))

    log = (workspace / "memory/meta/audit.log").read_text("utf-8")
    (row,) = [line for line in log.splitlines() if "memory/episodes/" in line]
    assert "| bot:auto-detect |" in row
    assert "Postgres" not in log


def test_the_observation_and_the_memory_are_one_commit(workspace: Path):
    observed(workspace, ("user", POSTGRES))

    changed = git(workspace, "show", "--name-only", "--format=", "HEAD").split()
    assert {"memory/observations.md", "memory/meta/access.jsonl"} <= set(changed)


def test_what_an_agent_has_said_is_inferred_and_only_an_episode(workspace: Path):
    observed(
        workspace,
        ("user", "why do the uploads fail?"),
        ("assistant", "Root cause found: the uploads fail because the disk of Harbour Gateway is full. I fixed it."),
    )

    (found,) = remembered(workspace)
    assert found.store == EPISODIC
    (written, *_) = accesses.read((workspace / "memory" / accesses.FILE).read_text("utf-8")).accesses
    assert written.base == INFERRED


def test_an_agents_word_replaces_nothing_that_a_person_said(workspace: Path):
    core = core_memory.FILE
    (workspace / core).write_text("# MEMORY.md\n\n## Identity\n- I live in Lisbon\n", "utf-8")

    observed(workspace, ("user", "Where do I live?"), ("assistant", "You no longer live in Lisbon, you live in Oslo."))

    assert (workspace / core).read_text("utf-8") == "# MEMORY.md\n\n## Identity\n- I live in Lisbon\n"


def test_what_is_said_in_another_project_does_not_get_into_core_memory(workspace: Path):
    observed(workspace, ("user", ALLERGY), at=Place("/srv/other"))

    assert not any(each.store == CORE for each in remembered(workspace))
    assert all(each.label.project == "/srv/other" for each in remembered(workspace))


def test_nothing_that_nobody_asked_for_is_pinned(workspace: Path):
    observed(workspace, ("user", ALLERGY))

    assert remembered(workspace)
    assert not any(each.pinned for each in remembered(workspace))


def test_a_full_core_memory_sends_it_to_the_episodes(workspace: Path):
    rows = "".join(f"- Fact {n} about the house and its many rooms, kept by hand\n" for n in range(195))
    (workspace / core_memory.FILE).write_text(f"## Critical Facts\n{rows}", "utf-8")

    observed(workspace, ("user", ALLERGY))

    assert [each.text for each in remembered(workspace) if each.store == EPISODIC] == [ALLERGY]


def test_the_same_is_not_remembered_twice(workspace: Path):
    observed(workspace, ("user", POSTGRES))
    reader = FakeReader(b=[turn(60, POSTGRES)])
    reader.place = Place(place.project(str(workspace)))

    observe.work(run_in(workspace), readers=[reader])

    assert len(remembered(workspace)) == 1


def test_a_dry_run_remembers_nothing(workspace: Path):
    reader = FakeReader(a=[turn(0, POSTGRES)])
    reader.place = Place(place.project(str(workspace)))

    observe.work(
        Run(folder=str(workspace), now_text=NOW, command="observe", engine="builtin", dry_run=True), readers=[reader]
    )

    assert remembered(workspace) == []


def test_first_relevances_are_as_the_design_has_them():
    assert (DETECTED, INFERRED) == (0.7, 0.5)
    assert relevance.score(DETECTED, 0, 1, EPISODIC, 0.03) > relevance.score(INFERRED, 0, 1, EPISODIC, 0.03)


def test_who_was_forgotten_does_not_come_back_by_being_named(workspace: Path, koog: Koog) -> None:
    told = ("remember", "Ewa Lind works at Siemens", "--store", "semantic", "--entity", "Ewa Lind", "--explicit")
    hidden = f"entity:{koog(*told)[1]['entities'][0]['id']}"
    koog("forget", "--confirm", hidden)

    observed(workspace, ("user", "My sister Ewa Lind moved to Oslo and leads the Harbour team there now."))

    assert hidden in forgotten.of(run_in(workspace).workspace).hidden
    assert not any("Oslo" in each.text for each in remembered(workspace))
