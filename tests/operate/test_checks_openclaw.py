"""What koog doctor says of OpenClaw's settings where its agent works here, and of ticks that do not come."""

from __future__ import annotations

import json
import os
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, registered
from tests.fakes import openclaw as fake
from tests.logs import entry, logged
from tests.operate.test_doctor import found, one, put

Settings = dict[str, Any]
WHOLE: Settings = {
    "agents": {"defaults": {"heartbeat": {"every": "30m", "target": "none"}}},
    "plugins": {
        "load": {"paths": [str(ROOT / "skills/sinain-hud/plugin")]},
        "entries": {"sinain-hud": {"enabled": True, "hooks": {"allowConversationAccess": True}}},
    },
    "hooks": {"internal": {"enabled": True, "entries": {"session-memory": {"enabled": False}}}},
    "env": {"vars": {"OPENCLAW_TRAJECTORY": "0"}},
}


@pytest.fixture
def state(alone: Path, workspace: Path) -> Path:
    """OpenClaw's state folder: koog is installed, and there is nothing to say against its settings."""
    folder = alone / ".openclaw"
    folder.mkdir()
    configure(folder)
    return folder


def configure(state: Path, *keys: str, value: Any = None) -> None:
    """Write the settings, with one of them otherwise, or without it for None."""
    settings = deepcopy(WHOLE)
    settings["agents"]["defaults"]["workspace"] = str(Path.cwd())
    inner = settings
    for key in keys[:-1]:
        inner = inner.setdefault(key, {})
    if keys and value is None:
        inner.pop(keys[-1])
    elif keys:
        inner[keys[-1]] = value
    (state / "openclaw.json").write_text(json.dumps(settings))


def told(koog) -> list[tuple[str, str]]:
    return [(f["level"], f["message"]) for f in found(koog("doctor")[1], "openclaw")]


def test_where_openclaw_is_as_koog_sets_it_only_a_heartbeat_without_koogs_text_is_told(koog, state):
    assert told(koog) == []
    put(state, "agents/main/agent/openclaw-agent.sqlite", "")
    assert [level for level, _ in told(koog)] == ["info"]
    assert "reads no HEARTBEAT.md" in told(koog)[0][1]


def test_what_apply_sets_is_well(koog, state, tmp_path, monkeypatch):
    (state / "openclaw.json").write_text(json.dumps({"agents": {"defaults": {"workspace": str(Path.cwd())}}}))
    fake.put(tmp_path / "bin", state)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("OPENCLAW_TRAJECTORY", "0")

    koog("init", ".", "--host", "openclaw", "--apply")

    assert told(koog) == []


@pytest.mark.wide(6)
@pytest.mark.parametrize(
    ("keys", "value", "level", "message"),
    [
        (("plugins", "load", "paths"), ["/nowhere"], "error", "is not loaded"),
        (("plugins", "load", "paths"), None, "error", "is not loaded"),
        (("plugins", "allow"), ["other"], "error", "plugins.allow does not name"),
        (("plugins", "deny"), ["sinain-hud"], "error", "plugins.deny names"),
        (("plugins", "enabled"), False, "error", "plugins.enabled is false"),
        (("plugins", "entries", "sinain-hud", "enabled"), False, "warn", "switched off"),
        (("plugins", "entries", "sinain-hud", "hooks"), None, "error", "may not read conversations"),
        (("plugins", "entries"), None, "info", "is not in its settings"),
        (("agents", "defaults", "heartbeat"), {"every": "30m"}, "error", "it never runs"),
        (("agents", "defaults", "heartbeat"), {"target": "owner"}, "error", "it never runs"),
        (("hooks", "internal", "entries"), {"session-memory": {"enabled": True}}, "warn", "raw dialogue"),
        (("hooks", "internal", "entries"), None, "warn", "raw dialogue"),
        (("env",), None, "info", "trajectories"),
    ],
    ids=str,
)
def test_each_setting_that_keeps_koog_from_working_is_told(koog, state, keys, value, level, message):
    configure(state, *keys, value=value)

    finding = one(koog("doctor")[1], "openclaw", message)

    assert (finding["level"], bool(finding["command"])) == (level, True)
    assert koog("doctor")[1]["healthy"] is (level != "error")


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("channels",), {"telegram": {"enabled": True}}),
        (("commands",), {"ownerAllowFrom": ["telegram:1"]}),
    ],
    ids=str,
)
def test_an_owner_whom_somebody_names_is_reached(koog, state, keys, value):
    configure(state, *keys, value=value)
    settings = json.loads((state / "openclaw.json").read_text())
    del settings["agents"]["defaults"]["heartbeat"]["target"]
    (state / "openclaw.json").write_text(json.dumps(settings))

    assert not [message for _, message in told(koog) if "never runs" in message]


def test_the_older_release_runs_its_heartbeat_without_a_channel(koog, state):
    configure(state, "agents", "defaults", "heartbeat", value={"every": "30m"})
    (state / "agents/main/sessions").mkdir(parents=True)
    (state / "agents/main/sessions/sessions.json").write_text("{}")

    assert told(koog) == []


def test_the_gateways_own_file_of_variables_counts(koog, state):
    configure(state, "env", value=None)
    (state / ".env").write_text("OTHER=1\nOPENCLAW_TRAJECTORY=0\n")

    assert not [message for _, message in told(koog) if "trajectories" in message]


# --- ticks that do not come


def begun_long_ago(workspace: Path) -> None:
    root = registered(workspace)
    (root / "repository.json").write_text("{}")
    os.utime(root / "repository.json", (time.time() - 9 * 3600,) * 2)


def test_a_heartbeat_that_brought_no_tick_for_hours_is_no_health(koog, state, workspace):
    begun_long_ago(workspace)

    finding = one(koog("doctor")[1], "openclaw", "no tick for 9 hours")

    assert (finding["level"], finding["command"]) == ("error", "openclaw cron list --all")
    assert koog("doctor")[1]["healthy"] is False


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("agents", "defaults", "heartbeat", "every"), "0m"),
        (("agents", "defaults", "heartbeat", "every"), "6h"),
        (("agents", "defaults", "heartbeat", "activeHours"), {"start": "09:00", "end": "22:00"}),
        (("plugins", "entries", "sinain-hud", "enabled"), False),
    ],
    ids=str,
)
def test_where_no_tick_is_to_come_yet_none_is_missed(koog, state, workspace, keys, value):
    configure(state, *keys, value=value)
    begun_long_ago(workspace)

    assert not [message for _, message in told(koog) if "no tick" in message]


def test_a_tick_of_an_hour_ago_is_well(koog, state, workspace):
    begun_long_ago(workspace)
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3600))
    logged(workspace, entry(now))

    assert not [message for _, message in told(koog) if "no tick" in message]
