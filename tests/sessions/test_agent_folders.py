"""OpenClaw's agents and where they work, in every shape of its settings."""

from __future__ import annotations

import json

import pytest

from koog.sessions import agents


def folders(home, value, **env):
    state = home / ".openclaw"
    state.mkdir(exist_ok=True)
    if value is not None:
        (state / "openclaw.json").write_text(value if isinstance(value, str) else json.dumps(value))
    return agents.folders(env=env, home=home)


def test_without_an_openclaw_there_are_no_agents(tmp_path):
    assert agents.folders(env={}, home=tmp_path) == {}


def test_without_settings_the_default_agent_works_in_the_state_folder(tmp_path):
    assert folders(tmp_path, None) == {"main": str(tmp_path / ".openclaw/workspace")}
    assert folders(tmp_path, "{ not json") == {"main": str(tmp_path / ".openclaw/workspace")}
    assert folders(tmp_path, {"agents": [1]}) == {"main": str(tmp_path / ".openclaw/workspace")}


OWN = {"main": "/srv/mind", "Ops": "/srv/ops"}


@pytest.mark.parametrize(
    "settings",
    [
        {"entries": {name: {"workspace": path} for name, path in OWN.items()}},  # since 2026.9
        {"list": [{"id": name, "workspace": path} for name, path in OWN.items()]},
        {"list": [{"id": "main", "workspace": "/srv/old"}], "entries": {n: {"workspace": p} for n, p in OWN.items()}},
    ],
)
def test_agents_are_read_from_entries_and_from_the_list(tmp_path, settings):
    assert folders(tmp_path, {"agents": settings}) == {"main": "/srv/mind", "ops": "/srv/ops"}


def test_a_folder_is_a_real_path_and_the_state_may_lie_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mind").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "mind")
    (tmp_path / "elsewhere").mkdir()
    config = tmp_path / "openclaw.json5"
    config.write_text('{\n  // mine\n  "agents": {"entries": {"main": {"workspace": "~/linked"}, "ops": {},},},\n}\n')

    env = {"OPENCLAW_STATE_DIR": str(tmp_path / "elsewhere"), "OPENCLAW_CONFIG_PATH": str(config)}

    assert agents.folders(env=env, home=tmp_path) == {
        "main": str(tmp_path / "mind"),
        "ops": str(tmp_path / "elsewhere/workspace-ops"),
    }


@pytest.mark.parametrize("row", [None, 7, {}, {"id": ""}, {"id": 7}, {"id": "x", "workspace": 7}, {"id": "x\0y"}])
def test_what_is_no_agent_does_no_harm(tmp_path, row):
    found = folders(tmp_path, {"agents": {"list": [{"id": "main", "workspace": "/srv/mind"}, row]}})

    assert found["main"] == "/srv/mind"
