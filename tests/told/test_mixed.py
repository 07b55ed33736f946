"""A workspace that was mixed before: `doctor` says which lines are of other projects, `doctor --fix` moves them out."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.told.ground import Machine, succeeded, told

OTHERS = "memory/meta/other-projects.md"
SAID = "I decided that the {} release ships on Friday."
KEPT = "zebrafin lemurine dugonwort"  # the workspace's own, its agent's, and a person's own line
MOVED = "marlinox narwhalo condoran"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A workspace whose observations were made when every session was taken, without labels."""
    made = Machine(tmp_path / "m")
    ws = made.workspace("mind")
    made.operator(ws, "observe.sources", ["claude"])  # a person has said by now what is taken
    made.operator(ws, "observe.projects.include", [str(ws)])
    made.agents(main=ws, ops=made.folder("elsewhere"))
    sources = {
        "zebrafin": made.claude(ws, SAID.format("zebrafin")),
        "marlinox": made.claude(made.repository("work/harbor"), SAID.format("marlinox")),
        "narwhalo": made.codex(made.repository("work/quarry"), SAID.format("narwhalo"), ordinal=True),
    }
    rows = [
        _line(word, f"{'codex' if word == 'narwhalo' else 'claude'}/{path.stem[-36:]}")
        for word, path in sources.items()
    ]
    for agent, word in (("main", "lemurine"), ("ops", "condoran")):
        name = made.openclaw(agent, f"agent:{agent}:main", SAID.format(word))
        rows.append(_line(word, f"openclaw/{agent}/{name}"))
    rows.append("- 🔴 The dugonwort is watered on Mondays.")  # of a person's own hand
    rows.append(_line("gonewort", "claude/00000000-0000-4000-8000-000000000000"))  # nobody keeps this session any more
    made.put(ws, "memory/observations.md", "# Observations\n\nDate: 2026-02-28\n\n" + "\n".join(rows) + "\n")
    harbor = quote(str(made.home / "work/harbor"), safe="/:@.,+~")
    book = (ws / "memory/sinain-playbook.md").read_text()
    label = f"<!-- from: memory/2026-02-27.md:3 --> <!-- dc:project={harbor} -->"
    pattern = f"- Rehearse the marlinwort release (score: 0.8) {label}"
    made.put(
        ws,
        "memory/sinain-playbook.md",
        book.replace("## Patterns\n", f"## Patterns\n\n{pattern}\n- Keep the ownwort\n"),
    )
    succeeded(made.koog(ws, "playbook", "build"))
    return made


def _line(word: str, source: str) -> str:
    return (
        f"- 🔴 11:00 User: {SAID.format(word)} <!-- dc:type=decision dc:importance=8 dc:date=2026-02-28 "
        f"dc:confidence=0.9 dc:source={source}#e1 -->"
    )


@pytest.fixture
def ws(machine: Machine) -> Path:
    return machine.home / "mind"


def findings(machine: Machine, ws: Path, *argv: str) -> list[dict[str, object]]:
    line = succeeded(machine.koog(ws, "doctor", *argv)).line
    assert "projects" in line["checked"]
    return [found for found in line["findings"] if found["check"] == "projects"]


def test_doctor_finds_the_lines_of_projects_that_are_not_taken_and_changes_nothing(machine, ws):
    before = machine.observations(ws)

    found = findings(machine, ws)

    lost = [row for row in found if "gone" in row["message"]]  # of whose session nobody knows any more
    assert len(lost) == 1 and len(found) > 1
    assert all("doctor --fix" in str(row["command"]) for row in found if row not in lost)
    text = " ".join(str(row["message"]) for row in found)
    assert "harbor" in text and "quarry" in text and "openclaw/ops" in text
    assert not [word for word in MOVED.split() if word in text]  # it says whose lines, not what they say
    assert machine.observations(ws) == before and not (ws / OTHERS).exists()


def test_fix_moves_them_into_a_file_for_the_person_and_labels_what_stays(machine, ws):
    succeeded(machine.koog(ws, "doctor", "--fix"))

    kept, moved = machine.observations(ws), (ws / OTHERS).read_text("utf-8")
    assert all(word in kept and word not in moved for word in KEPT.split())
    assert all(word in moved and word not in kept for word in MOVED.split())
    for word, project in (
        ("marlinox", machine.home / "work/harbor"),
        ("narwhalo", machine.home / "work/quarry"),
        ("condoran", "openclaw/ops"),
    ):
        [row] = [row for row in moved.splitlines() if word in row]
        assert f" dc:project={project} dc:scope=private" in row, row
    for word, project in (("zebrafin", "."), ("lemurine", "openclaw/main")):
        [row] = [row for row in kept.splitlines() if word in row]
        assert f" dc:project={project} dc:scope=private" in row, row
    assert [row for row in findings(machine, ws) if "gone" not in row["message"]] == []


def test_fix_moves_the_playbooks_lines_too(machine, ws):
    succeeded(machine.koog(ws, "doctor", "--fix"))

    book = (ws / "memory/sinain-playbook.md").read_text()
    effective = (ws / "memory/sinain-playbook-effective.md").read_text()
    assert "marlinwort" not in book and "marlinwort" not in effective
    assert "ownwort" in book
    assert "marlinwort" in (ws / OTHERS).read_text("utf-8")


def test_a_line_whose_session_is_gone_stays_and_is_the_files(machine, ws):
    succeeded(machine.koog(ws, "doctor", "--fix"))

    assert "gonewort" in machine.observations(ws)


def test_what_was_moved_is_neither_found_nor_told(machine, ws):
    machine.operator(ws, "context.otherProjects", "all")
    succeeded(machine.koog(ws, "doctor", "--fix"))
    succeeded(machine.koog(ws, "index"))

    for words in (
        ("search", "marlinox narwhalo condoran marlinwort", "--limit", "50"),
        ("startup", "--dry-run", "--project", "all"),
        ("compile", "--message", "the release", "--project", "all"),
    ):
        line = succeeded(machine.koog(ws, *words)).line
        line.pop("query", None)
        text = f"{line}"
        assert not [word for word in (*MOVED.split(), "marlinwort") if word in text], words


def test_fix_again_changes_nothing(machine, ws):
    succeeded(machine.koog(ws, "doctor", "--fix"))
    before = machine.observations(ws), (ws / OTHERS).read_text("utf-8")

    succeeded(machine.koog(ws, "doctor", "--fix"))

    assert (machine.observations(ws), (ws / OTHERS).read_text("utf-8")) == before


def test_what_is_moved_later_comes_behind_what_is_there(machine, ws):
    succeeded(machine.koog(ws, "doctor", "--fix"))
    first = (ws / OTHERS).read_text("utf-8")
    name = machine.claude(machine.home / "work/harbor", SAID.format("pelican")).stem
    text = machine.observations(ws)
    machine.put(ws, "memory/observations.md", text + _line("pelican", f"claude/{name}") + "\n")

    succeeded(machine.koog(ws, "doctor", "--fix"))

    moved = (ws / OTHERS).read_text("utf-8")
    assert "pelican" in moved and "pelican" not in machine.observations(ws)
    assert all(row in moved.splitlines() for row in first.splitlines())


def test_what_the_config_takes_is_labelled_and_stays(machine, ws):
    machine.operator(ws, "observe.sources", ["claude", "codex", "openclaw"])
    machine.operator(ws, "observe.projects.include", ["~/work/harbor", "openclaw/*"])

    succeeded(machine.koog(ws, "doctor", "--fix"))

    kept = machine.observations(ws)
    assert all(word in kept for word in ("marlinox", "condoran")) and "narwhalo" not in kept
    [row] = [row for row in kept.splitlines() if "marlinox" in row]
    assert f" dc:project={machine.home / 'work/harbor'} dc:scope=private" in row


def test_a_dry_run_says_what_would_be_moved_and_moves_nothing(machine, ws):
    before = machine.observations(ws)

    called = succeeded(machine.koog(ws, "doctor", "--fix", "--dry-run"))

    assert machine.observations(ws) == before and not (ws / OTHERS).exists()
    assert "projects" in told(called)


def test_a_clean_workspace_is_told_nothing(tmp_path):
    made = Machine(tmp_path / "n")
    ws = made.workspace("mind")
    made.claude(ws, SAID.format("zebrafin"))
    succeeded(made.koog(ws, "observe"))

    assert findings(made, ws) == []
    succeeded(made.koog(ws, "doctor", "--fix"))
    assert not (ws / OTHERS).exists()


def test_before_it_is_mended_a_mixed_line_is_told_to_nobody_else(machine, ws):
    """A line without a label counts as its file: the workspace's own. An agent's source says whose it is, though."""
    machine.operator(ws, "context.otherProjects", "none")
    machine.operator(ws, "observe.sources", ["claude", "codex", "openclaw"])

    text = told(succeeded(machine.koog(ws, "startup", "--dry-run")))

    assert "zebrafin" in text and "lemurine" in text
    assert "condoran" not in text
    other = told(succeeded(machine.koog(ws, "startup", "--dry-run", "--project", str(machine.home / "work/harbor"))))
    assert not [word for word in (*KEPT.split(), "condoran") if word in other]
