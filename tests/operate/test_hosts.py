"""Which hosts koog doctor sees, and what it says of their settings."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.operate.test_doctor import found, one, put

CORPUS = ROOT.parent / "shared/corpus/openclaw"
GOOD = {
    "plugins": {"entries": {"memory-core": {"config": {"dreaming": {"enabled": False}}}}},
    "agents": {"defaults": {"compaction": {"memoryFlush": {"enabled": True}}, "heartbeat": {"every": "30m"}}},
}


@pytest.fixture
def state(alone: Path, workspace: Path) -> Path:
    """OpenClaw's state folder, whose agent works in the workspace, and nothing to say against its settings."""
    configure(alone / ".openclaw", workspace=str(workspace))
    return alone / ".openclaw"


def configure(state: Path, *, workspace: str | None = None, **changed: object) -> None:
    value = json.loads(json.dumps(GOOD))
    if workspace:
        value["agents"]["defaults"]["workspace"] = workspace
    put(state, "openclaw.json", json.dumps({**value, **changed}))


def old_store(state: Path) -> None:
    put(state, "agents/main/sessions/sessions.json", "{}")
    put(state, "agents/main/sessions/a.jsonl", "")
    put(state, "agents/main/sessions/a.trajectory.jsonl", "")


def new_store(state: Path) -> None:
    put(state, "agents/main/agent/openclaw-agent.sqlite", "")
    put(state, "agents/main/agent/openclaw-agent.sqlite.memory-reindex-1", "")


def test_a_machine_without_hosts_has_none(workspace, koog):
    assert koog("doctor")[1]["hosts"] == []


def test_the_store_of_files_is_2026_7_and_its_settings_are_fine(state, koog, workspace):
    old_store(state)

    _, line = koog("doctor")

    assert line["hosts"] == [
        {
            "host": "openclaw",
            "version": "2026.7",
            "path": str(state),
            "store": "files",
            "sessions": 1,
            "workspace": str(workspace),
            "dreaming": False,
            "memoryFlush": True,
            "heartbeatEvery": "30m",
        }
    ]
    assert found(line, "hosts") == []


def test_a_database_is_2026_9_also_beside_old_files(state, koog):
    old_store(state)
    new_store(state)

    _, line = koog("doctor")

    assert [(h["version"], h["store"], h["sessions"]) for h in line["hosts"]] == [("2026.9", "sqlite", 1)]


def test_the_state_folder_follows_the_environment(workspace, koog, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "elsewhere"))
    old_store(tmp_path / "elsewhere")

    assert koog("doctor")[1]["hosts"][0]["path"] == str(tmp_path / "elsewhere")


@pytest.mark.parametrize("entry", [{}, {"config": {"dreaming": {"enabled": True}}}, {"config": {"dreaming": "no"}}])
def test_dreaming_is_on_unless_it_is_set_to_false(state, koog, workspace, entry):
    configure(state, workspace=str(workspace), plugins={"entries": {"memory-core": entry}})

    told = one(koog("doctor")[1], "hosts", "dreaming")

    assert told["level"] == "warn"
    assert told["command"] == "openclaw config set plugins.entries.memory-core.config.dreaming.enabled false"


def test_where_the_memory_plugin_is_off_nothing_dreams(state, koog, workspace):
    configure(state, workspace=str(workspace), plugins={"entries": {"memory-core": {"enabled": False}}})

    assert found(koog("doctor")[1], "hosts") == []


@pytest.mark.parametrize(("flush", "level"), [({"enabled": False}, "warn"), ({}, "info")])
def test_a_memory_flush_that_is_off_is_told(state, koog, workspace, flush, level):
    agents = {"defaults": {"workspace": str(workspace), "compaction": {"memoryFlush": flush}}}
    configure(state, agents=agents)

    told = one(koog("doctor")[1], "hosts", "memory flush")

    assert (told["level"], told["command"].split()[-1]) == (level, "true")


def test_a_heartbeat_of_no_minutes_is_told(state, koog, workspace):
    defaults = {**GOOD["agents"]["defaults"], "workspace": str(workspace), "heartbeat": {"every": "0m"}}
    configure(state, agents={"defaults": defaults})

    assert one(koog("doctor")[1], "hosts", "heartbeat is off")["level"] == "warn"


def test_a_heartbeat_that_is_off_for_the_agent_that_works_here_is_told(state, koog, workspace):
    own = {"workspace": str(workspace), "heartbeat": {"every": "0m"}}
    configure(state, agents={**GOOD["agents"], "entries": {"main": {"workspace": "/elsewhere"}, "b": own}})

    line = koog("doctor")[1]

    assert one(line, "hosts", "heartbeat is off")["command"] == (
        "openclaw config set agents.entries.b.heartbeat.every 30m"
    )
    assert line["hosts"][0]["heartbeatEvery"] == "0m"


def test_an_agent_that_works_elsewhere_is_told_and_any_agent_that_works_here_is_enough(state, koog, workspace):
    configure(state, workspace="~/another")
    assert "/another, not here" in one(koog("doctor")[1], "hosts", "works in")["message"]

    agents = {**GOOD["agents"], "list": [{"id": "main"}, {"id": "b", "workspace": str(workspace)}]}
    configure(state, agents=agents)
    assert found(koog("doctor")[1], "hosts") == []


def test_comments_and_trailing_commas_are_openclaws_custom(state, koog, workspace):
    text = "// mine\n{ agents: { defaults: { workspace: 'HERE', /* x */ heartbeat: { every: '1h', }, }, }, }"
    put(state, "openclaw.json", text.replace("HERE", str(workspace)))

    host = koog("doctor")[1]["hosts"][0]

    assert (host["workspace"], host["heartbeatEvery"]) == (str(workspace), "1h")


@pytest.mark.parametrize("text", ["{{{", "\0\0", "no settings"])
def test_settings_that_cannot_be_read_are_told_and_the_host_is_still_found(state, koog, text):
    put(state, "openclaw.json", text)

    _, line = koog("doctor")

    assert line["hosts"][0]["host"] == "openclaw"
    assert all(f["level"] != "error" for f in found(line, "hosts"))


def test_claude_code_and_codex_are_found_with_what_they_keep(workspace, koog, alone):
    put(alone, ".claude/projects/-home-me-x/1.jsonl", "")
    put(alone, ".codex/sessions/2026/02/28/rollout-1.jsonl", "")
    put(alone, ".codex/sessions/2026/02/28/other.jsonl", "")

    hosts = koog("doctor")[1]["hosts"]

    assert [(h["host"], h["store"], h["sessions"]) for h in hosts] == [("claude", "files", 1), ("codex", "files", 1)]


def test_a_host_that_has_kept_nothing_yet_has_no_store(workspace, koog, alone):
    (alone / ".claude").mkdir()

    assert [(h["host"], h["store"]) for h in koog("doctor")[1]["hosts"]] == [("claude", None)]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the sample of real stores does not lie beside this checkout")
@pytest.mark.parametrize(
    ("sample", "inside", "version"),
    [("file-store-2026.7.1", "main", "2026.7"), ("sqlite-store-2026.9.6", "openclaw-agent.sqlite", "2026.9")],
)
def test_what_the_releases_really_wrote_is_told_apart(workspace, koog, alone, sample, inside, version):
    place = alone / ".openclaw/agents/main"
    if version == "2026.7":
        shutil.copytree(CORPUS / sample / inside, place)
    else:
        (place / "agent").mkdir(parents=True)
        shutil.copy(CORPUS / sample / inside, place / "agent")

    host = koog("doctor")[1]["hosts"][0]

    assert host["version"] == version
    assert host["sessions"] == (5 if version == "2026.7" else 1)
