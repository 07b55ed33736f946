"""A workspace that took every session before: koog doctor finds what is of other projects, and --fix moves it out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from koog.core import operator
from koog.operate import mixed, status_view
from koog.search import categories
from tests.conftest import git, registered
from tests.conftest import moments as some
from tests.test_every_moment import as_next_koog_finds_it, differing, fail, kill, restored, run, states

OTHERS, OBSERVATIONS, PLAYBOOK = (
    "memory/meta/other-projects.md", "memory/observations.md", "memory/sinain-playbook.md"
)  # fmt: skip
IDS = {
    word: f"aaaaaaaa-0000-4000-8000-00000000000{n}"
    for n, word in enumerate("zebra marlin okapi lemur condor gannet".split())
}
# As koog wrote it before a line had a project: of each host, of two agents, of a group, of a session that is gone.
BEFORE = """\
# Observations

Date: 2026-02-28

- 🔴 11:00 User: We decided that the okapi index is kept in SQLite. <!-- dc:type=decision dc:importance=8 dc:date=2026-02-28 dc:confidence=0.88 dc:source=codex/{okapi}#b8c57a3521cac713 -->
- 🔴 11:00 User: We decided that the condor index is kept in SQLite. <!-- dc:type=decision dc:importance=8 dc:date=2026-02-28 dc:confidence=0.88 dc:source=openclaw/ops/{condor}#4b2449a1 -->
- 🔴 11:00 User: We decided that the lemur index is kept in SQLite. <!-- dc:type=decision dc:importance=8 dc:date=2026-02-28 dc:confidence=0.88 dc:source=openclaw/main/{lemur}#db20616b -->
- 🔴 11:00 User: We decided that the gannet index is kept in SQLite. <!-- dc:type=decision dc:importance=8 dc:date=2026-02-28 dc:confidence=0.88 dc:source=openclaw/main/{gannet}#950df38e -->
- 🔴 11:00 User: We decided that the zebra index is kept in SQLite. <!-- dc:type=decision dc:importance=8 dc:date=2026-02-28 dc:confidence=0.88 dc:source=claude/{zebra}#c8482875-331e-56a2-b064-3021b636c363 -->
- 🔴 11:00 User: We decided that the marlin index is kept in SQLite. <!-- dc:type=decision dc:importance=8 dc:date=2026-02-28 dc:confidence=0.88 dc:source=claude/{marlin}#e5e23901-5473-56f9-a14f-508a22248540 -->
  and a line of somebody's own below it
- 🔴 11:00 User: We decided that the dodo index is gone. <!-- dc:type=decision dc:importance=8 dc:date=2026-02-28 dc:confidence=0.88 dc:source=claude/bbbbbbbb-0000-4000-8000-000000000001#e1 -->
- 🔴 The roses are watered on Mondays.

<!-- koog:raw session=claude/{marlin} from=e1 to=e1 -->
{{"id":"e1","at":"2026-02-28T11:00:00+00:00","role":"user","text":"marlin, as it was said","origin":"user"}}
<!-- /koog:raw -->

<!-- koog:raw session=claude/{zebra} from=e1 to=e1 -->
{{"id":"e1","at":"2026-02-28T11:00:00+00:00","role":"user","text":"zebra, as it was said","origin":"user"}}
<!-- /koog:raw -->
"""  # noqa: E501  the lines are as they were written
FIXED = "lines have their project, and those of others stand in meta/other-projects.md of the memory folder"
LOST = "1 line whose session or folder is gone: project unknown"
STAYS, GOES = ("zebra", "lemur", "dodo", "roses"), ("okapi", "condor", "gannet", "marlin", "somebody's own")

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

Koog = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def old(workspace: Path, alone: Path) -> Path:
    """The workspace with its lines of before, and the hosts' sessions that they come from."""
    registered(workspace, observe_sources=["claude"], observe_projects={"include": [str(workspace)]})
    (alone / "notes/my orchard").mkdir(parents=True)
    git(alone, "init", "-q", "code/harbor")
    for word, folder in (("zebra", workspace), ("marlin", alone / "code/harbor")):
        rows = {
            "type": "user",
            "sessionId": IDS[word],
            "cwd": str(folder),
            "message": {"role": "user", "content": word},
        }
        store(alone / f".claude/projects/p-{word}/{IDS[word]}.jsonl", {**rows, "uuid": "e1", "timestamp": at(0)})
    meta = {"id": IDS["okapi"], "cwd": str(alone / "notes/my orchard"), "source": "cli"}
    rollout = alone / f".codex/sessions/2026/02/28/rollout-2026-02-28T11-00-00-{IDS['okapi']}.jsonl"
    store(rollout, {"timestamp": at(0), "type": "session_meta", "payload": meta})
    keys = {"main": {"lemur": "agent:main:main", "gannet": "agent:main:telegram:group:-100123:topic:7"}}
    for agent, known in {**keys, "ops": {"condor": "agent:ops:main"}}.items():
        folder = alone / f".openclaw/agents/{agent}/sessions"
        for word in known:
            head = {"type": "session", "version": 3, "id": IDS[word], "timestamp": at(0), "cwd": str(workspace)}
            store(folder / f"{IDS[word]}.jsonl", head)
        index = {key: {"sessionId": IDS[word]} for word, key in known.items()}
        (folder / "sessions.json").write_text(json.dumps(index))
    agents = {"main": {"workspace": str(workspace)}, "ops": {"workspace": str(alone / "ops")}}
    (alone / ".openclaw/openclaw.json").write_text(json.dumps({"agents": {"entries": agents}}))
    (workspace / OBSERVATIONS).write_text(BEFORE.format(**IDS), "utf-8")
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "as it was")
    return workspace


def store(path: Path, row: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(row) + "\n")


def at(second: int) -> str:
    return f"2026-02-28T11:00:{second:02}.000Z"


def playbook(ws: Path, *lines: str) -> str:
    text = "<!-- mining-index:  -->\n\n# Sinain Playbook\n\n## Patterns\n\n" + "".join(f"{line}\n" for line in lines)
    (ws / PLAYBOOK).write_text(text)
    return text


def findings(line: dict[str, Any]) -> list[dict[str, Any]]:
    every = [found for found in line["findings"] if found["check"] == "projects"]
    return [found for found in every if "never observed" not in found["message"]]


def told(koog: Koog, *argv: str) -> list[dict[str, Any]]:
    return findings(koog("doctor", *argv)[1])


# --- finding


def test_each_project_that_is_not_taken_is_told_with_its_first_line(old, alone, koog):
    found = told(koog)

    warned = {row["message"]: (row["file"], row["line"]) for row in found if row["level"] == "warn"}
    assert warned == {
        f"1 line of {alone}/notes/my orchard, which this workspace does not take": (OBSERVATIONS, 5),
        "1 line of openclaw/ops, which this workspace does not take": (OBSERVATIONS, 6),
        "1 line of the group telegram:group:-100123 of openclaw/main, which this workspace does not take": (
            OBSERVATIONS,
            8,
        ),
        f"2 lines of {alone}/code/harbor, which this workspace does not take": (OBSERVATIONS, 10),
    }
    unlabelled, lost = (row for row in found if row["level"] == "info")
    assert unlabelled["message"].startswith("3 lines have no project yet")
    assert lost["message"] == LOST
    assert all(row["fixable"] and row["command"] == "koog doctor --fix" for row in found if row is not lost)
    assert (old / OBSERVATIONS).read_text() == BEFORE.format(**IDS)


def test_what_the_operator_takes_is_no_finding_but_that_it_has_no_project(old, alone, koog):
    registered(old, observe_sources=["claude", "codex", "openclaw"], observe_groups=["telegram:*"], observe_projects={})

    found = told(koog)

    assert [row["level"] for row in found] == ["info", "info"]
    assert found[0]["message"].startswith("8 lines have no project yet")


def test_a_line_that_says_its_project_is_judged_by_it_and_a_folder_within_counts(old, alone, koog):
    line = "- 🔴 The {} is blue. <!-- dc:type=fact dc:source=claude/x#1 dc:project={} dc:scope=private -->\n"
    (old / OBSERVATIONS).write_text(line.format("sea", f"{alone}/mono") + line.format("sky", f"{alone}/nda"), "utf-8")
    registered(old, observe_sources=["claude"], observe_projects={"include": ["~/mono/inner"], "exclude": ["~/nda"]})

    (row,) = told(koog)

    assert row["message"] == f"1 line of {alone}/nda, which this workspace does not take"


def test_what_was_mined_of_a_file_that_is_listed_for_a_project_is_known(old, alone, koog):
    registered(old, paths_projects={f"{alone}/code/quarry": ["memory/q.md"], "lantern": ["memory/l.md"]})
    (old / OBSERVATIONS).unlink()
    named = (f"{alone}/code/quarry", "lantern", "other")
    playbook(old, *(f"- Water it <!-- from: memory/x.md:1 --> <!-- dc:project={name} -->" for name in named))

    assert [row["message"].split(",")[0] for row in told(koog) if row["level"] == "warn"] == ["1 line of other"]


def test_without_hosts_only_what_says_itself_is_found(old, alone, koog):
    for name in (".claude", ".codex", ".openclaw/agents"):
        shutil.rmtree(alone / name)

    warned = [row["message"].split(",")[0] for row in told(koog) if row["level"] == "warn"]
    assert warned == ["1 line of openclaw/ops"]


def test_status_counts_what_says_that_it_is_of_others_and_names_the_sources(old, koog):
    registered(old, observe_sources=["claude"], observe_projects={"include": ["~/code"], "exclude": ["~/code/nda"]})

    _, line = koog("status")

    assert line["observes"] == {
        "sources": ["claude"], "include": ["~/code"], "exclude": ["~/code/nda"], "groups": [], "linesOfOthers": 1
    }  # fmt: skip
    (row,) = [row for row in status_view.sections(line, now=NOW)[1].rows if row[0].text == "reads"]
    assert row[1].text == "claude · ~/code · not ~/code/nda · 1 line of other projects: koog doctor"


# --- mending


def test_fix_moves_each_line_under_its_project_as_it_stood_and_labels_what_stays(old, alone, koog):
    before = git(old, "rev-list", "--count", "HEAD")

    _, line = koog("doctor", "--fix", "--now", "2026-03-01T12:00:00Z")

    kept, moved = (old / OBSERVATIONS).read_text(), (old / OTHERS).read_text()
    assert {"check": "projects", "message": FIXED} in line["fixed"]
    assert not [word for word in STAYS if word not in kept or f"{word} index" in moved]
    assert not [word for word in GOES if word in kept or word not in moved]
    headings = [row for row in moved.splitlines() if row.startswith("#")]
    assert headings == [
        "# Of other projects",
        f"## {alone}/notes/my orchard",
        "## openclaw/ops",
        "## openclaw/main (telegram:group:-100123)",
        f"## {alone}/code/harbor",
    ]
    assert moved.count(f"From {OBSERVATIONS}, moved on 2026-03-01:") == 4
    source = f"dc:source=codex/{IDS['okapi']}#b8c57a3521cac713"
    assert f"{source} dc:project={alone}/notes/my%20orchard dc:scope=private -->" in moved
    assert "dc:project=openclaw/main dc:scope=group dc:group=telegram:group:-100123 -->" in moved
    assert "dc:project=. dc:scope=private -->" in kept
    assert f"<!-- koog:raw session=claude/{IDS['zebra']} from=e1 to=e1 project=. scope=private -->" in kept
    assert f"from=e1 to=e1 project={alone}/code/harbor scope=private -->" in moved
    assert "\n\n\n" not in kept
    assert git(old, "rev-list", "--count", "HEAD") == str(int(before) + 1)
    assert [row["message"] for row in told(koog)] == [LOST]


def test_of_the_playbook_too_and_the_effective_one_follows(old, koog):
    text = playbook(
        old,
        "- Raise the watcher limit (score: 0.5) <!-- from: memory/2026-02-27.md:3 -->",
        "- Rehearse the marlin (score: 0.8) <!-- from: memory/2026-02-27.md:4 --> <!-- dc:project=/nda/marlin -->",
    )
    koog("playbook", "build")

    (row,) = [row for row in told(koog) if row["file"] == PLAYBOOK]
    koog("doctor", "--fix")

    assert (row["line"], row["message"].split(",")[0]) == (8, "1 line of /nda/marlin")
    gone = text.splitlines(keepends=True)[7]
    assert (old / PLAYBOOK).read_text() == text.replace(gone, "")
    assert "marlin" not in (old / "memory/sinain-playbook-effective.md").read_text()
    assert gone in (old / OTHERS).read_text()


def test_a_second_fix_changes_nothing_and_a_later_one_adds_behind_what_is_there(old, koog):
    koog("doctor", "--fix")
    first = (old / OTHERS).read_text()
    before = (old / OBSERVATIONS).read_text()
    koog("doctor", "--fix")
    assert ((old / OBSERVATIONS).read_text(), (old / OTHERS).read_text()) == (before, first)

    late = f"- 🔴 12:00 The pelican. <!-- dc:type=fact dc:source=claude/{IDS['marlin']}#e2 -->\n"
    (old / OBSERVATIONS).write_text(before + late)
    koog("doctor", "--fix")

    assert (old / OBSERVATIONS).read_text() == before
    rows = iter((old / OTHERS).read_text().splitlines())
    assert all(row in rows for row in first.splitlines())  # in their order
    assert "The pelican." in (old / OTHERS).read_text()


def test_a_dry_run_says_what_would_be_done(old, koog):
    _, line = koog("doctor", "--fix", "--dry-run")

    assert "projects" in [f["check"] for f in line["fixed"]]
    assert (old / OBSERVATIONS).read_text() == BEFORE.format(**IDS)
    assert not (old / OTHERS).exists()


def test_what_a_person_saves_meanwhile_is_not_lost(old, koog, monkeypatch):
    def saved(text: str, here: Any) -> str:
        (old / OBSERVATIONS).write_text(text + "- 🔴 saved meanwhile\n")
        return real(text, here)

    real = mixed.mended
    monkeypatch.setattr(mixed, "mended", saved)

    _, line = koog("doctor", "--fix")

    assert "saved meanwhile" in (old / OBSERVATIONS).read_text()
    assert not (old / OTHERS).exists()
    assert any("changed meanwhile" in row["message"] for row in findings(line))


def test_nothing_is_moved_before_somebody_has_said_what_the_workspace_takes(old, koog):
    """As it is after an upgrade: hooks, and an entry that says nothing of whose sessions are read."""
    koog("init", ".", "--host", "codex")
    registered(old, observe_sources=[], observe_projects={})

    found = told(koog)
    koog("doctor", "--fix")

    assert "say first what it takes: koog init DIR --host X --project DIR" in found[0]["message"]
    assert (found[0]["level"], found[0]["command"]) == ("warn", "koog init . --host codex --project DIR")
    strange = [row for row in found if "does not take" in row["message"]]
    assert len(strange) == 4 and not any(row["fixable"] for row in strange)
    kept = (old / OBSERVATIONS).read_text()
    assert not [word for word in STAYS + GOES if word not in kept] and not (old / OTHERS).exists()
    assert "dc:project=. dc:scope=private -->" in kept


def test_an_include_alone_says_it_too(old, alone, koog):
    registered(old, observe_sources=[], observe_projects={"include": ["~/code/harbor"]})

    koog("doctor", "--fix")

    assert "marlin" in (old / OBSERVATIONS).read_text() and "okapi" in (old / OTHERS).read_text()


def test_nothing_is_moved_out_of_a_workspace_without_an_entry(old, koog):
    operator.path().write_text('{"observe": {"sources": ["claude"], "projects": {"include": ["~/mono"]}}}')

    found = told(koog)
    koog("doctor", "--fix")

    assert ("no entry" in found[0]["message"], found[0]["command"]) == (True, "koog init .")
    assert "okapi" in (old / OBSERVATIONS).read_text() and not (old / OTHERS).exists()


def test_nothing_is_moved_out_of_one_that_was_moved_itself(old, tmp_path, koog, monkeypatch):
    koog("doctor", "--fix")
    late = (old / OBSERVATIONS).read_text() + f"\n- 🔴 12:00 The pelican. <!-- dc:source=codex/{IDS['okapi']}#e2 -->\n"
    old.rename(tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / OBSERVATIONS).write_text(late)
    before = (tmp_path / "elsewhere" / OTHERS).read_text()

    found = told(koog)
    koog("doctor", "--fix")

    assert ("looks moved" in found[0]["message"], found[0]["command"]) == (True, "koog init . --adopt")
    assert (tmp_path / "elsewhere" / OBSERVATIONS).read_text() == late
    assert (tmp_path / "elsewhere" / OTHERS).read_text() == before


def test_a_config_that_cannot_be_read_says_nothing_and_moves_nothing(old, koog):
    (old / "koog-config.json").write_text("{")

    found = told(koog)
    koog("doctor", "--fix")

    assert "the config cannot be read" in found[0]["message"]
    assert not (old / OTHERS).exists()


def test_what_was_said_in_a_folder_that_is_gone_stays_and_is_counted(old, alone, koog):
    shutil.rmtree(alone / "code/harbor")

    found = told(koog)
    koog("doctor", "--fix")

    assert [row["message"] for row in found if "gone" in row["message"]] == [LOST.replace("1 line", "3 lines")]
    kept = (old / OBSERVATIONS).read_text()
    assert "marlin index" in kept and "marlin" not in (old / OTHERS).read_text()
    (row,) = [row for row in kept.splitlines() if "marlin index" in row]
    assert "dc:project" not in row


def test_a_day_that_the_fix_emptied_loses_its_heading(old, koog):
    day = "Date: 2026-02-{}\n\n- 🔴 12:00 The pelican. <!-- dc:source={} -->\n\n"
    marlin, zebra = (f"claude/{IDS[word]}#e2" for word in ("marlin", "zebra"))
    empty = "Date: 2026-02-20\n\n"
    raw = f"<!-- koog:raw session=claude/{IDS['zebra']} from=e1 to=e1 project={old} -->\n<!-- /koog:raw -->\n\n"
    said = [day.format(21, marlin), day.format(22, zebra), day.format(23, marlin), raw, day.format(24, marlin)]
    (old / OBSERVATIONS).write_text(f"# Observations\n\n{empty}" + "".join(said))

    koog("doctor", "--fix")

    text = (old / OBSERVATIONS).read_text()
    assert [row for row in text.splitlines() if row.startswith("Date")] == ["Date: 2026-02-20", "Date: 2026-02-22"]
    assert "\n\n\n" not in text and text.endswith("<!-- /koog:raw -->\n")


@pytest.mark.parametrize("stop", [kill, fail], ids=["killed", "disk fails"])
def test_stopped_at_any_moment_each_line_stands_in_one_place(stop, old, koog, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    koog("playbook", "build")
    (old / ".koog").chmod(0o700)
    fix = ("doctor", "--fix", "--now", "2026-03-01T12:00:00Z")
    before, state = as_next_koog_finds_it(old), states(old)
    code, moments, _ = run(*fix)
    after = as_next_koog_finds_it(old)
    assert code == 0
    assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} >= {
        OBSERVATIONS, OTHERS
    }  # fmt: skip
    seen = set()

    for moment in some(moments):
        restored(old, before, state)
        run(*fix, stop=stop, at=moment)
        found = as_next_koog_finds_it(old)

        assert found in (before, after), differing(moment, found, before, after)
        seen.add(found == after)
    assert seen == {True, False}


# --- and then


def test_the_file_is_neither_indexed_nor_loaded_at_a_start(old, koog):
    koog("doctor", "--fix")
    koog("index")

    assert categories.category(OTHERS) is None
    assert koog("search", "okapi condor marlin index SQLite", "--limit", "50")[1]["hits"] != []
    for words in (("search", "okapi condor marlin"), ("startup", "--dry-run")):
        line = json.dumps({**koog(*words)[1], "query": ""})
        assert not [word for word in ("okapi", "condor", "marlin", "gannet") if word in line], words


def test_a_section_keeps_what_a_person_wrote_into_the_file(old, koog):
    (old / "memory/meta").mkdir(exist_ok=True)
    (old / OTHERS).write_text("# Mine\n\n## openclaw/ops\n\nold\n\n## Another\n\nlast\n")

    koog("doctor", "--fix")

    text = (old / OTHERS).read_text()
    assert text.startswith("# Mine\n\n## openclaw/ops\n\nold\n\nFrom memory/observations.md")
    assert text.index("condor index") < text.index("## Another\n\nlast\n") < text.index("okapi index")
