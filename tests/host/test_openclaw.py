"""koog into OpenClaw by its own program, and out again: settings, heartbeat, what a person has set.  [openclaw.md]"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.run import Run
from koog.host import openclaw, openclaw_apply, openclaw_program
from koog.host.openclaw_back import take_back
from koog.host.openclaw_program import Program
from koog.host.take_back import Back
from tests.conftest import ROOT
from tests.fakes import openclaw as fake

PLUGIN = str(ROOT / "skills/sinain-hud/plugin")
HEARTBEAT = (ROOT / "skills/sinain-hud/HEARTBEAT.md").read_text("utf-8")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=10,
)
Settings = dict[str, Any]


@pytest.fixture
def state(alone: Path, tmp_path: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """OpenClaw's state folder, whose agent works in the workspace, and the program on PATH."""
    folder = alone / ".openclaw"
    folder.mkdir()
    configure(folder, {"agents": {"defaults": {"workspace": str(workspace)}}})
    fake.put(tmp_path / "bin", folder)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return folder


def configure(state: Path, value: Settings) -> None:
    (state / "openclaw.json").write_text(json.dumps(value, indent=2) + "\n")


def settings_of(state: Path) -> Settings:
    value: Settings = json.loads((state / "openclaw.json").read_text())
    return value


def scratch(state: Path, agent: str = "main") -> str | None:
    file = state / "scratches.json"
    found = json.loads(file.read_text()).get(f"job-{agent}", {}) if file.exists() else {}
    text: str | None = found.get("content")
    return text


def set_scratch(state: Path, text: str) -> None:
    (state / "scratches.json").write_text(json.dumps({"job-main": {"content": text, "revision": 3}}))


def calls(state: Path) -> list[list[str]]:
    return [json.loads(line) for line in (state / "calls").read_text().splitlines()]


def back(root: Path, *, dry_run: bool = False) -> Back:
    run = Run()
    run.root = root
    return take_back(root, state=run.state_root, dry_run=dry_run)


def apply(koog: Callable[..., Any], *more: str) -> dict[str, Any]:
    code, line = koog("init", ".", "--host", "openclaw", "--apply", *more)
    assert code == 0, line
    return line


# --- in


def test_apply_sets_everything_by_one_patch_and_gives_the_heartbeat_its_text(koog, state, workspace):
    line = apply(koog)

    now = settings_of(state)
    assert line["host"]["applied"] is True
    assert (line["host"]["version"], line["host"]["next"]) == ("2026.9.6", [])
    assert now["plugins"]["load"]["paths"] == [PLUGIN]
    assert now["plugins"]["entries"]["sinain-hud"]["hooks"] == {"allowConversationAccess": True}
    assert "allow" not in now["plugins"], "a list with koog alone would forbid every other plugin"
    assert now["plugins"]["entries"]["memory-core"]["config"]["dreaming"] == {"enabled": False}
    assert now["hooks"]["internal"]["entries"]["session-memory"] == {"enabled": False}
    beat = now["agents"]["defaults"]["heartbeat"]
    assert (beat["every"], beat["target"]) == ("30m", "none")
    assert "ackMaxChars" not in beat
    assert scratch(state) == HEARTBEAT
    assert sum(words[:3] == ["config", "patch", "--stdin"] and len(words) == 3 for words in calls(state)) == 1
    assert (workspace / "skills/sinain-hud/SKILL.md").read_text("utf-8").startswith("---\nname: sinain-hud\n")


def test_a_skill_of_the_persons_own_at_the_root_is_left_and_koogs_is_listed_all_the_same(koog, state, workspace):
    (workspace / "SKILL.md").write_text("mine\n")

    apply(koog)

    assert (workspace / "SKILL.md").read_text() == "mine\n"
    assert not (workspace / "SKILL.koog.md").exists()
    assert (workspace / "skills/sinain-hud/SKILL.md").read_text("utf-8").startswith("---\nname: sinain-hud\n")


def test_the_second_time_nothing_is_changed_and_the_reply_says_so(koog, state):
    apply(koog)
    before, text = (state / "openclaw.json").read_bytes(), scratch(state)

    line = apply(koog)

    assert (state / "openclaw.json").read_bytes() == before
    assert scratch(state) == text
    assert line["host"]["applied"] is True
    told = " ".join(line["host"]["did"])
    assert "stand there already" in told and "already" in line["host"]["did"][1]
    assert ": set " not in told


def test_what_a_person_has_set_stays_but_for_those_who_write_into_memory(koog, state, workspace):
    theirs = {
        "agents": {"defaults": {"workspace": str(workspace), "heartbeat": {"every": "1h", "target": "telegram"}}},
        "session": {"reset": {"mode": "idle", "idleMinutes": 60}},
        "plugins": {"load": {"paths": ["/theirs"]}, "allow": ["theirs"]},
        "hooks": {"internal": {"enabled": True, "entries": {"session-memory": {"enabled": True, "messages": 5}}}},
    }
    configure(state, theirs)

    line = apply(koog)

    now = settings_of(state)
    beat = now["agents"]["defaults"]["heartbeat"]
    assert (beat["every"], beat["target"]) == ("1h", "telegram")
    assert now["session"]["reset"] == {"mode": "idle", "idleMinutes": 60}
    assert now["plugins"]["load"]["paths"] == ["/theirs", PLUGIN]
    assert now["plugins"]["allow"] == ["theirs", "sinain-hud"]
    assert now["hooks"]["internal"]["entries"]["session-memory"] == {"enabled": False, "messages": 5}
    assert any("agents.defaults.heartbeat.every" in told for told in line["host"]["did"] if "left as" in told)


def test_a_persons_own_text_of_the_heartbeat_stands_above_koogs(koog, state):
    set_scratch(state, "Water the plants.\n")

    apply(koog)

    assert scratch(state) == f"Water the plants.\n\n{HEARTBEAT}"


def test_a_newer_text_of_koogs_takes_the_place_of_the_older_one(koog, state, workspace):
    (workspace / "HEARTBEAT.md").write_text("The host's own.\n")
    (workspace / "HEARTBEAT.koog.md").write_text("An older protocol.\n")
    set_scratch(state, "Water the plants.\n")
    apply(koog)

    (workspace / "HEARTBEAT.koog.md").write_text("A newer protocol.\n")
    apply(koog)

    assert scratch(state) == "Water the plants.\n\nA newer protocol.\n"
    assert back(workspace).left == []
    assert scratch(state) == "Water the plants.\n"


def test_of_several_agents_the_one_that_works_here_gets_the_heartbeat_and_the_default_one_keeps_its_own(
    koog, state, workspace, tmp_path
):
    entries = {"main": {"default": True, "workspace": str(tmp_path / "x")}, "Ops": {"workspace": str(workspace)}}
    configure(state, {"agents": {"entries": entries, "defaults": {"heartbeat": {"target": "last"}}}})

    apply(koog)

    agents = settings_of(state)["agents"]
    assert agents["defaults"]["heartbeat"] == {"target": "last"}
    assert agents["entries"]["Ops"]["heartbeat"]["every"] == "30m"
    assert "target" not in agents["entries"]["Ops"]["heartbeat"], "the defaults have one, of a person"
    assert agents["entries"]["main"]["heartbeat"] == {"every": "30m"}


@pytest.mark.parametrize("pace", [None, "10m"])
def test_a_second_agents_workspace_has_a_heartbeat_though_the_defaults_have_all_of_it(
    koog, state, workspace, tmp_path, pace
):
    first = settings_of(state)
    if pace:
        first["agents"]["defaults"]["heartbeat"] = {"every": pace}
        configure(state, first)
    apply(koog)
    now = settings_of(state)
    second = tmp_path / "second"
    now["agents"]["entries"] = {"main": {"workspace": str(workspace)}, "b": {"workspace": str(second)}}
    configure(state, now)

    line = koog("init", str(second), "--host", "openclaw", "--apply")[1]
    again = koog("init", str(second), "--host", "openclaw", "--apply")[1]

    entries = settings_of(state)["agents"]["entries"]
    assert line["host"]["applied"] is True, line["_meta"]
    assert [entries[name]["heartbeat"]["every"] for name in ("main", "b")] == [pace or "30m"] * 2
    assert scratch(state, "b") == HEARTBEAT
    assert again["host"]["applied"] is True and ": set " not in " ".join(again["host"]["did"])
    assert back(workspace).left == []
    assert settings_of(state)["agents"]["entries"]["b"]["heartbeat"]["target"] == "none"
    assert back(second).left == []
    assert settings_of(state)["agents"] == {**first["agents"], "entries": now["agents"]["entries"]}


def test_the_agent_that_openclaw_itself_names_is_the_one_that_keeps_its_heartbeat(koog, state, workspace, tmp_path):
    entries = {"ops": {"workspace": str(workspace)}, "main": {"workspace": str(tmp_path / "x")}}
    configure(state, {"agents": {"entries": entries, "defaults": {"heartbeat": {"agentId": "main", "every": "1h"}}}})

    apply(koog)

    agents = settings_of(state)["agents"]
    assert agents["entries"]["main"]["heartbeat"] == {"every": "1h"}
    assert agents["entries"]["ops"]["heartbeat"]["target"] == "none"


def test_without_apply_nothing_is_touched_and_the_lines_do_the_same(koog, state, workspace, monkeypatch):
    before = (state / "openclaw.json").read_bytes()

    _, line = koog("init", ".", "--host", "openclaw")

    first, patch, text = line["host"]["next"]
    assert (state / "openclaw.json").read_bytes() == before
    assert scratch(state) is None
    assert line["host"]["applied"] is None
    assert first == f"koog init {workspace} --host openclaw --apply"
    printed = json.loads(shlex.split(patch.removeprefix("or: "))[1])
    assert text == f"openclaw cron scratch job-main --file {workspace}/HEARTBEAT.md"
    apply(koog)
    assert settings_of(state) == {
        **settings_of(state),
        **{k: v for k, v in printed.items() if k in ("hooks", "session")},
    }
    assert settings_of(state)["plugins"] == printed["plugins"]


def test_the_older_release_gets_its_own_key_and_reads_the_heartbeat_itself(koog, state, tmp_path):
    fake.put(tmp_path / "bin", state, version="2026.7.1")

    line = apply(koog)

    assert settings_of(state)["agents"]["defaults"]["heartbeat"]["ackMaxChars"] == 0
    assert scratch(state) is None
    assert line["host"]["applied"] is True
    assert any("reads HEARTBEAT.md itself" in told for told in line["host"]["did"])


def test_a_key_that_this_release_does_not_know_is_left_out_and_told(koog, state, tmp_path):
    fake.put(tmp_path / "bin", state, version="2026.8.2")
    (state / "agents/main/sessions").mkdir(parents=True)
    (state / "agents/main/sessions/sessions.json").write_text("{}")
    wanted = openclaw.wishes({}, agent="main", version=(2026, 7, 1), program=("koog",))
    program = openclaw_program.find()

    assert any(wish.path[-1] == "ackMaxChars" for wish in wanted)
    assert program and program.check(openclaw.applied({}, wanted)) == [
        ("agents", "defaults", "heartbeat", "ackMaxChars")
    ]


def test_a_dry_run_changes_nothing_and_says_what_it_would_do(koog, state):
    before = (state / "openclaw.json").read_bytes()

    line = apply(koog, "--dry-run")

    assert (state / "openclaw.json").read_bytes() == before
    assert scratch(state) is None
    assert any(": set plugins.load.paths" in told for told in line["host"]["did"])


@pytest.mark.parametrize("host", [[], ["--host", "claude"], ["--host", "codex"]])
def test_apply_is_for_openclaw_alone(koog, workspace, host):
    code, line = koog("init", ".", *host, "--apply")

    assert (code, line["error"]["code"]) == (2, "usage")


# --- where it does not go well


def test_without_the_program_the_lines_are_left_and_it_is_told(koog, state, tmp_path):
    (tmp_path / "bin/openclaw").unlink()
    if shutil.which("openclaw"):
        pytest.skip("there is a real openclaw on PATH")

    line = apply(koog)

    assert line["host"]["applied"] is False
    assert any("no program openclaw" in told for told in line["_meta"]["warnings"])
    assert any("openclaw config patch --stdin" in step for step in line["host"]["next"])


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("refuses", "not allowed here"),
        ("half", "hooks.internal.entries.session-memory.enabled"),
        ("no-gateway", "Gateway not reachable"),
    ],
)
def test_what_openclaw_does_not_do_is_told_and_doing_it_again_does_the_rest(koog, state, workspace, fault, told):
    (state / "fault").write_text(fault)
    before = settings_of(state)

    line = apply(koog)

    assert line["host"]["applied"] is False
    assert any(told in warning for warning in line["_meta"]["warnings"])
    assert line["host"]["next"] == [f"koog init {workspace} --host openclaw --apply"]
    assert (settings_of(state) == before) == (fault == "refuses")
    (state / "fault").unlink()
    assert apply(koog)["host"]["applied"] is True
    assert scratch(state) == HEARTBEAT
    assert back(workspace).left == []
    assert settings_of(state) == before


def test_after_an_upgrade_that_leaves_settings_invalid_a_person_is_told_what_mends_them(koog, state, tmp_path):
    fake.put(tmp_path / "bin", state, version="2026.7.1")
    apply(koog)
    before = settings_of(state)
    del before["hooks"]  # so that there is something to do
    configure(state, before)
    fake.put(tmp_path / "bin", state, version="2026.9.6")

    line = apply(koog)

    assert settings_of(state) == before
    assert line["host"]["applied"] is False
    (told,) = [warning for warning in line["_meta"]["warnings"] if "openclaw" in warning]
    assert told.startswith("openclaw doctor --fix comes first") and "ackMaxChars" in told
    before["agents"]["defaults"]["heartbeat"].pop("ackMaxChars")
    configure(state, before)
    assert apply(koog)["host"]["applied"] is True


def test_a_patch_that_came_through_though_its_answer_was_cut_off_is_gone_on_from(koog, state):
    (state / "fault").write_text("cut-late")

    line = apply(koog)

    assert line["host"]["applied"] is True
    assert scratch(state) == HEARTBEAT


def test_a_program_that_hangs_is_ended_and_told(state, workspace, koog):
    (state / "fault").write_text("hangs")
    program = openclaw_program.find()
    assert program
    warnings: list[str] = []

    done = openclaw_apply.install(
        workspace,
        ("koog",),
        state=None,
        apply=True,
        dry_run=False,
        warnings=warnings,
        program=Program(program.path, dict.fromkeys(program.limits_s, 0.5)),
    )

    assert done.applied is False
    assert any("no answer within 0.5 s" in warning for warning in warnings)


def test_where_no_agent_works_in_the_folder_nothing_is_applied(koog, state, tmp_path):
    configure(state, {"agents": {"defaults": {"workspace": str(tmp_path / "elsewhere")}}})
    before = settings_of(state)

    line = apply(koog)

    assert settings_of(state) == before
    assert line["host"]["applied"] is False
    assert "openclaw agents add NAME --workspace" in line["host"]["next"][0]


def test_settings_that_stand_in_several_files_are_left_to_the_person(koog, state, workspace):
    configure(state, {**settings_of(state), "plugins": {"$include": "./plugins.json5"}})
    before = settings_of(state)

    line = apply(koog)

    assert settings_of(state) == before
    assert line["host"]["applied"] is False
    assert any("includes other files" in told for told in line["_meta"]["warnings"])


def test_comments_that_openclaw_will_not_keep_are_told_before_they_go(koog, state, workspace):
    text = (state / "openclaw.json").read_text()
    (state / "openclaw.json").write_text(f"// mine\n{text}")

    assert any("without its comments" in told for told in apply(koog)["_meta"]["warnings"])


# --- out again


def test_what_is_taken_back_is_as_it_was(koog, state, workspace):
    before = {
        "agents": {"defaults": {"workspace": str(workspace)}},
        "plugins": {"allow": ["theirs"], "entries": {"memory-core": {"config": {"dreaming": {"enabled": True}}}}},
        "hooks": {"internal": {"entries": {"session-memory": {"enabled": True}}}},
    }
    configure(state, before)
    set_scratch(state, "Water the plants.\n")
    apply(koog)
    apply(koog)

    dry, done, again = back(workspace, dry_run=True), back(workspace), back(workspace)

    assert settings_of(state) == before
    assert scratch(state) == "Water the plants.\n"
    assert (done.left, done.next) == ([], [])
    assert dry.did == done.did
    assert again == Back([], [], [])


def test_what_a_person_changed_since_stays_and_is_named_and_what_he_put_beside_it_stays(koog, state, workspace):
    apply(koog)
    now = settings_of(state)
    now["agents"]["defaults"]["heartbeat"]["every"] = "2h"
    now["agents"]["defaults"]["heartbeat"]["model"] = "own/small"
    now["plugins"]["load"]["paths"].append("/theirs")
    configure(state, now)
    set_scratch(state, f"{scratch(state)}\nAnd call mother.\n")

    done = back(workspace)

    after = settings_of(state)
    assert after["agents"]["defaults"]["heartbeat"] == {"every": "2h", "model": "own/small"}
    assert after["plugins"] == {"load": {"paths": ["/theirs"]}}
    assert [told for told in done.left if "agents.defaults.heartbeat.every was changed" in told]
    assert scratch(state) == "And call mother."


def test_what_two_workspaces_want_stays_until_the_second_one_goes(koog, state, workspace, tmp_path):
    second = tmp_path / "second"
    entries = {"main": {"default": True, "workspace": str(workspace)}, "b": {"workspace": str(second)}}
    configure(state, {"agents": {"entries": entries}})
    before = settings_of(state)
    apply(koog)
    koog("init", str(second), "--host", "openclaw", "--apply")

    first = back(workspace)

    between = settings_of(state)
    assert between["plugins"]["load"]["paths"] == [PLUGIN]
    assert "heartbeat" not in between["agents"]["entries"]["main"]
    assert any("another workspace" in told for told in first.did)
    assert scratch(state) is None
    assert back(second).left == []
    assert settings_of(state) == before


def test_the_command_takes_it_back(koog, state, workspace):
    before = settings_of(state)
    apply(koog)

    _, line = koog("uninstall", ".", "--host", "openclaw")

    assert line["changed"] is True
    assert line["taken"][0]["left"] == []
    assert settings_of(state) == before
    assert scratch(state) is None


def test_a_failure_while_it_is_taken_back_loses_nothing(koog, state, workspace):
    before = settings_of(state)
    apply(koog)
    (state / "fault").write_text("refuses")

    failed = back(workspace)
    (state / "fault").unlink()

    assert "not allowed here" in failed.left[-1]
    assert failed.next == [f"koog uninstall {workspace} --host openclaw"]
    assert back(workspace).left == []
    assert settings_of(state) == before


def test_a_plugin_that_nobody_noted_is_named_and_left(state, workspace, koog):
    value = settings_of(state) | {"plugins": {"entries": {"sinain-hud": {"enabled": True}}}}
    configure(state, value)

    done = back(workspace)

    assert settings_of(state) == value
    assert "noted nowhere" in done.left[0]
    assert "openclaw config patch --stdin" in done.next[0]


# --- settings as values


@given(
    st.dictionaries(st.sampled_from("abc"), JSON, max_size=3), st.dictionaries(st.sampled_from("abc"), JSON, max_size=3)
)
@settings(deadline=None)
def test_the_difference_between_two_settings_makes_one_of_the_other(old, new):
    assert fake.merged(old, openclaw.difference(old, new)) == new or has_null(new)


def has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(inner is None or has_null(inner) for inner in value.values())
    return False
