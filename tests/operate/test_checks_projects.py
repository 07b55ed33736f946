"""koog doctor's check `projects`: whose sessions the workspace takes, and whether its hooks and neighbours agree."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import registered


@pytest.fixture
def ws(workspace: Path, alone: Path) -> Path:
    for name in (".claude", ".codex", ".openclaw"):
        (alone / name).mkdir()
    registered(workspace)
    return workspace


def told(koog: Any) -> list[tuple[str, str, str]]:
    found = koog("doctor")[1]["findings"]
    return [(row["level"], row["message"], row["command"]) for row in found if row["check"] == "projects"]


def test_a_new_workspace_has_nothing_to_say(ws, koog):
    assert told(koog) == []


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_hooks_of_a_host_that_is_no_source_are_told_with_the_command(host, ws, koog):
    koog("init", ".", "--host", host)
    assert told(koog) == []
    registered(ws, observe_sources=[])

    ((level, message, command),) = told(koog)

    assert (level, command) == ("warn", f"koog init . --host {host} --project DIR")
    assert "only sessions of this folder" in message
    koog(*command.replace("DIR", ".").split()[1:])
    assert told(koog) == []


def test_hooks_of_another_workspace_are_not_ones(ws, koog, tmp_path):
    koog("init", str(tmp_path / "other"), "--host", "claude")

    assert told(koog) == []


def test_a_source_that_is_the_hosts_folder_names_it(ws, alone, koog):
    koog("init", ".", "--host", "claude")
    registered(ws, observe_sources=[str(alone / ".claude/projects")])
    (alone / ".claude/projects").mkdir()

    assert told(koog) == []


def test_openclaws_plugin_counts_where_an_agent_works_in_the_folder(ws, alone, koog):
    entry = {"sinain-hud": {"enabled": True}}
    for shape, agents in (
        ("entries", {"ops": {"workspace": str(ws)}}),
        ("list", [{"id": "ops", "workspace": str(ws)}]),
    ):
        config = {"plugins": {"entries": entry}, "agents": {shape: agents}}
        (alone / ".openclaw/openclaw.json").write_text(json.dumps(config))
        assert [(row[0], row[2]) for row in told(koog)] == [("warn", "koog init . --host openclaw")]
    (alone / ".openclaw/openclaw.json").write_text(json.dumps({"plugins": {"entries": entry}}))
    assert told(koog) == []


def test_of_two_workspaces_that_take_every_project_it_is_told_which_gets_what(ws, koog, tmp_path):
    koog("init", str(tmp_path / "second"))
    for folder in (ws, tmp_path / "second"):
        registered(folder, observe_sources=["codex"])

    ((level, first, _),) = told(koog)
    ((_, second, _),) = told(lambda *words: koog(*words, "--workspace", str(tmp_path / "second")))

    assert level == "info"
    assert f"this one gets what none of them names, {tmp_path / 'second'} only its own" in first
    assert f"{ws} gets what none of them names, this one only its own" in second
    registered(ws, observe_projects={"include": ["~/work"]})
    assert told(koog) == []


def test_sources_that_are_not_here_are_told(ws, alone, koog):
    (alone / ".codex").rmdir()
    registered(ws, observe_sources=["codex", "claude", "/mnt/nowhere"])

    assert [(level, message) for level, message, _ in told(koog)] == [
        ("info", f"observe.sources names codex, and there is no {alone}/.codex"),
        ("info", "observe.sources names /mnt/nowhere, and there is no /mnt/nowhere"),
    ]


def test_older_sessions_that_were_never_observed_are_counted_with_the_command(ws, alone, koog):
    turn = {"type": "user", "cwd": str(ws), "timestamp": "2026-02-01T10:00:00Z"}
    for n in "12":
        id_ = f"aaaaaaaa-0000-4000-8000-00000000000{n}"
        row = {**turn, "sessionId": id_, "uuid": f"e{n}", "message": {"role": "user", "content": "Deploy on Mondays"}}
        path = alone / f".claude/projects/p/{id_}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(row) + "\n")
        os.utime(path, (1769940000, 1769940000))

    assert told(koog) == [("info", "2 older sessions were never observed", "koog observe --since 2026-02-01")]
