"""koog init --host X --project DIR: what it writes into the operator's file, and that all else in it stays."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from koog.core import operator
from koog.core.errors import ConfigError
from tests.conftest import git, hooked, registered


@pytest.fixture
def home(alone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the three hosts in it, and two projects."""
    for name in (".claude", ".codex", ".openclaw", "work/quarry"):
        (alone / name).mkdir(parents=True)
    git(alone, "init", "-q", "work/harbor")
    monkeypatch.chdir(alone)
    return alone


def entry(root: Path) -> dict[str, Any]:
    found = operator.entry(root)
    assert found is not None
    return found.values


def agents(home: Path, **folders: Path) -> None:
    rows = {name: {"workspace": str(folder)} for name, folder in folders.items()}
    (home / ".openclaw/openclaw.json").write_text(json.dumps({"agents": {"entries": rows}}))


def test_a_host_and_a_project_are_written_down_and_the_reply_says_so_in_words(koog, home):
    code, line = koog("init", "mind", "--host", "claude", "--project", "work/harbor")

    harbor = str(home / "work/harbor")
    assert code == 0
    assert entry(home / "mind")["observe"] == {"sources": ["claude"], "projects": {"include": [harbor]}}
    assert entry(home / "mind")["paths"] == {"projects": {".": ["**"], harbor: ["**"]}}
    assert line["projects"] == {"sources": ["claude"], "include": [harbor], "exclude": []}
    read, told, change, last = line["next"]
    assert f"the sessions of this workspace and {harbor}" in read
    assert "only rules about you" in told and f"in its own project, {harbor}" in told
    assert f"workspaces.{line['id']}" in change and str(operator.path()) in change
    assert last == "koog tick"


def test_what_a_person_wrote_there_stays_byte_for_byte_and_nothing_stands_twice(koog, home):
    koog("init", "mind", "--host", "claude", "--project", "work/harbor")
    path = operator.path()
    text = path.read_text().replace('"sources": ', '"sources"  :').replace("{", "{  ", 1)
    path.write_text(text)

    koog("init", "mind", "--host", "claude", "--project", "work/harbor")
    assert path.read_text() == text
    _, line = koog("init", "mind", "--host", "codex", "--project", "work/quarry")

    harbor, quarry = (str(home / "work" / name) for name in ("harbor", "quarry"))
    assert line["projects"] == {"sources": ["claude", "codex"], "include": [harbor, quarry], "exclude": []}
    after = path.read_text().splitlines()
    assert [row for row in text.splitlines() if row not in after] == ['          "claude"', f'            "{harbor}"']
    assert [row.strip() for row in after if row not in text.splitlines()] == [
        '"claude",', '"codex"', f'"{harbor}",', f'"{quarry}"'
    ]  # fmt: skip
    assert entry(home / "mind")["paths"] == {"projects": {".": ["**"], harbor: ["**"]}}


def test_every_project_by_a_star(koog, home):
    _, line = koog("init", "mind", "--host", "codex", "--project", "*")

    assert entry(home / "mind")["paths"] == {"projects": {"*": ["**"]}}
    assert "projects" not in entry(home / "mind")["observe"]
    assert "the sessions of every project" in line["next"][0]


def test_a_star_after_a_project_means_every_project_too(koog, home):
    koog("init", "mind", "--host", "codex", "--project", "work/harbor")

    _, line = koog("init", "mind", "--host", "codex", "--project", "*")

    assert line["projects"]["include"] == [str(home / "work/harbor"), "**"]


def test_the_project_that_the_workspace_lies_in_needs_no_word_about_its_files(koog, home):
    koog("init", "work/harbor/mind", "--host", "claude", "--project", "work/harbor")

    assert entry(home / "work/harbor/mind")["observe"]["projects"]["include"] == [str(home / "work/harbor")]
    assert "paths" not in entry(home / "work/harbor/mind")


def test_of_openclaw_its_agents_that_work_there_are_named(koog, home):
    agents(home, main=home / "other", ops=home / "mind", writer=home / "mind")

    koog("init", "mind", "--host", "openclaw")

    assert entry(home / "mind")["observe"] == {
        "sources": ["openclaw"], "projects": {"include": ["openclaw/ops", "openclaw/writer"]}
    }  # fmt: skip


def test_an_entry_goes_on_from_what_the_operator_says_of_every_workspace(koog, home):
    operator.path().parent.mkdir(parents=True, exist_ok=True)
    operator.path().write_text('{"observe": {"sources": ["claude"], "projects": {"exclude": ["~/nda"]}}}')

    _, line = koog("init", "mind", "--host", "codex")

    assert entry(home / "mind")["observe"]["sources"] == ["claude", "codex"]
    assert line["projects"] == {"sources": ["claude", "codex"], "include": [], "exclude": ["~/nda"]}
    assert "but of ~/nda" in line["next"][0]


def test_a_dry_run_says_what_it_would_write(koog, home):
    _, line = koog("init", "mind", "--host", "claude", "--project", "work/harbor", "--dry-run")

    assert line["projects"]["include"] == [str(home / "work/harbor")]
    assert not operator.path().exists()


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("--project", "work/harbor"), 2, "without --host"),
        (("--host", "claude", "--project", ""), 2, "empty"),
        (("--host", "claude", "--project", "work/nowhere"), 4, "no folder"),
        (("--host", "openclaw", "--project", "work/harbor"), 2, "its agents"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_made(words, code, error, koog, home):
    ended, line = koog("init", "mind", *words)

    assert (ended, error in line["error"]["message"]) == (code, True)
    assert not (home / "mind").exists()


@pytest.mark.parametrize("text", ['{"observe": {"sources": "claude"}}', '{"observe": {"sources": {"claude": 1}}}'])
def test_what_is_no_list_is_not_added_to(text, home):
    registered(home / "work/harbor")
    operator.path().write_text(text[:-1] + "," + operator.path().read_text().strip()[1:])
    before = operator.path().read_text()

    with pytest.raises(ConfigError, match="no list"):
        operator.extend(home / "work/harbor", "observe.sources", ["codex"])
    assert operator.path().read_text() == before


def test_where_nothing_can_be_written_down_it_is_a_warning(koog, home, monkeypatch):
    def full(*_: object) -> None:
        raise ConfigError("no space left")

    monkeypatch.setattr(operator, "extend", full)

    code, line = koog("init", "mind", "--host", "claude")

    assert (code, line["projects"]["sources"]) == (0, [])
    assert any("not written down: no space left" in w for w in line["_meta"]["warnings"])


def test_installed_lines_of_two_workspaces_run_side_by_side_each_in_its_project(koog, home):
    """As the host runs them: every line of an event, in the session's folder, with its JSON on standard input."""
    for name in ("harbor", "quarry"):
        koog("init", f"mind-{name}", "--host", "claude", "--project", f"work/{name}")
        note = f"- 🔴 10:00 The {name} is blue. <!-- dc:type=fact dc:importance=9 dc:date=2026-02-28 -->\n"
        (home / f"mind-{name}/memory/observations.md").write_text(f"Date: 2026-02-28\n\n{note}")

    settings = json.loads((home / ".claude/settings.json").read_text())
    lines = [hook["command"] for group in settings["hooks"]["SessionStart"] for hook in group["hooks"]]
    assert [shlex.split(line)[-1] for line in lines] == [str(home / "mind-harbor"), str(home / "mind-quarry")]
    for name in ("harbor", "quarry", "elsewhere"):
        folder = home / "work" / name
        folder.mkdir(exist_ok=True)
        answers = [ran(line, folder) for line in lines]
        assert [f"The {other} is blue" in text for other, text in zip(("harbor", "quarry"), answers, strict=True)] == [
            name == "harbor", name == "quarry"
        ]  # fmt: skip
        assert name != "elsewhere" or answers == ["{}\n", "{}\n"]


def ran(line: str, folder: Path) -> str:
    words = shlex.split(line)
    given = {"session_id": "8c5e", "cwd": str(folder), "hook_event_name": "SessionStart", "source": "startup"}
    return hooked(*words[words.index("hook") + 1 :], "--dry-run", given=given, cwd=folder)


# --- what is said of it is so


def test_what_could_not_be_written_down_is_not_claimed(koog, home):
    """A workspace that was moved here and is not adopted has no entry to write into."""
    koog("init", "mind")
    (home / "mind").rename(home / "moved")

    _, line = koog("init", "moved", "--host", "claude", "--project", "work/harbor")

    assert (line["id"], line["projects"]) == (None, {"sources": [], "include": [], "exclude": []})
    assert not [step for step in line["next"] if "every project" in step or "harbor" in step]
    assert "nothing is written down" in line["next"][0] and "only sessions of this folder" in line["next"][0]


def test_what_was_written_down_in_part_is_told_as_it_stands(koog, home, monkeypatch):
    def full(root: Path, dotted: str, values: list[str]) -> None:
        if dotted != "observe.sources":
            raise ConfigError("no space left")
        extend(root, dotted, values)

    extend = operator.extend
    monkeypatch.setattr(operator, "extend", full)

    _, line = koog("init", "mind", "--host", "claude", "--project", "work/harbor")

    assert line["projects"] == {"sources": ["claude"], "include": [], "exclude": []}


def test_behind_a_workspace_that_takes_every_project_only_the_own_one_is_read(koog, home):
    koog("init", "first", "--host", "claude")

    _, line = koog("init", "mind", "--host", "claude")
    _, other = koog("init", "mind", "--host", "codex")

    told = line["next"][0]
    assert "every project;" not in told and f"own project alone: it names no other, and {home}/first takes" in told
    assert "every project" in other["next"][0]


@pytest.mark.parametrize("before", [None, "claude"])
def test_in_a_folder_where_no_agent_works_none_is_taken(before, koog, home):
    agents(home, main=home / "other")
    if before:
        koog("init", "mind", "--host", before)

    _, line = koog("init", "mind", "--host", "openclaw")

    assert line["projects"] == {"sources": [before] if before else [], "include": [], "exclude": []}
    assert "no agent of its works in this folder" in line["next"][0]
    assert f"koog init {home}/mind --host openclaw --project openclaw/AGENT" in line["next"][0]
    assert not [step for step in line["next"] if "every agent" in step]
    _, line = koog("init", "mind", "--host", "openclaw", "--project", "openclaw/main")
    assert (line["projects"]["sources"][-1], line["projects"]["include"]) == ("openclaw", ["openclaw/main"])


def test_older_sessions_that_are_taken_from_now_on_are_counted_with_the_command(koog, home):
    turn = {"type": "user", "cwd": str(home / "work/harbor"), "timestamp": "2026-02-01T10:00:00Z"}
    id_ = "aaaaaaaa-0000-4000-8000-000000000001"
    row = {**turn, "sessionId": id_, "uuid": "e1", "message": {"role": "user", "content": "Deploy on Mondays"}}
    path = home / f".claude/projects/p/{id_}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(row) + "\n")
    os.utime(path, (1769940000, 1769940000))

    said = "1 older session was never observed: koog observe --since 2026-02-01"
    assert said in koog("init", "mind", "--host", "claude", "--project", "work/harbor")[1]["next"]
    assert said not in koog("init", "other", "--host", "claude", "--project", "work/quarry")[1]["next"]
