"""koog init --host: what goes into each host's settings, and that all else in them stays.  [design §4]"""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.files import jsonedit
from koog.host.hook_lines import merged
from tests.conftest import ROOT

SETTINGS = """{
    "model": "opus",   "effort": 1.0e2,
    "hooks": {
        "Stop": [
            {"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}
        ]
    },
    "permissions": {"allow": []}
}"""
EVENTS = ["SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    (tmp_path / "claude").mkdir()
    return tmp_path / "claude/settings.json"


def commands(settings: dict, event: str) -> list[str]:
    return [hook["command"] for group in settings["hooks"][event] for hook in group["hooks"]]


# --- Claude Code


def test_claude_codes_new_settings_hold_the_five_hooks_and_the_skill_is_listed(koog, workspace, claude):
    code, line = koog("init", ".", "--host", "claude")

    written = json.loads(claude.read_text())
    assert code == 0
    assert list(written["hooks"]) == EVENTS
    (command,) = commands(written, "SessionStart")
    words = shlex.split(command)
    assert words[-6:] == ["hook", "session-start", "--host", "claude", "--workspace", str(workspace)]
    assert line["host"]["file"] == str(claude)
    assert len(line["host"]["did"]) == 6
    shipped = ROOT / "skills/koog-claude/SKILL.md"
    assert (claude.parent / "skills/koog-claude/SKILL.md").read_text() == shipped.read_text()


def test_what_a_person_has_in_the_settings_stays_byte_for_byte(koog, workspace, claude):
    claude.write_text(SETTINGS)
    claude.chmod(0o640)

    koog("init", ".", "--host", "claude")

    text = claude.read_text()
    assert text.startswith(SETTINGS[: SETTINGS.index('"say done"}]}') + len('"say done"}]}')])
    assert text.endswith(',\n    "permissions": {"allow": []}\n}')
    assert commands(json.loads(text), "Stop")[0] == "say done"
    assert len(commands(json.loads(text), "Stop")) == 2
    assert claude.stat().st_mode & 0o777 == 0o640


def test_the_second_time_nothing_changes(koog, workspace, claude):
    koog("init", ".", "--host", "claude")
    before = claude.read_bytes()

    _, line = koog("init", ".", "--host", "claude")

    assert claude.read_bytes() == before
    assert line["host"]["did"] == [
        f"{claude}: has koog's hooks already",
        f"{claude.parent}/skills/koog-claude/SKILL.md: is there already",
    ]


def test_another_program_takes_the_place_of_the_old_one_and_another_workspace_stands_beside_it():
    wanted = {"Stop": "/new/koog hook agent-end --host claude --workspace /w"}
    old = merged("{}", {"Stop": "/old/koog hook agent-end --host claude --workspace /w"})[0]

    renewed, did = merged(old, wanted)
    both, _ = merged(renewed, {"Stop": "/new/koog hook agent-end --host claude --workspace /v"})

    assert did == ["renewed the hook Stop"]
    assert commands(json.loads(renewed), "Stop") == [wanted["Stop"]]
    assert len(commands(json.loads(both), "Stop")) == 2


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "{} // words", '{"a": ' * 5000],
    ids=lambda t: t[:20],
)
def test_settings_that_are_not_as_they_should_be_are_left_alone_and_the_reply_says_what_belongs_in_them(
    koog, workspace, claude, text
):
    claude.write_text(text)

    code, line = koog("init", ".", "--host", "claude")

    assert code == 0
    assert claude.read_text() == text
    assert "merge by hand" in line["host"]["next"][0]


def test_settings_that_are_a_link_are_left_alone(koog, workspace, claude, tmp_path):
    (tmp_path / "dotfiles.json").write_text("{}\n")
    claude.symlink_to(tmp_path / "dotfiles.json")

    _, line = koog("init", ".", "--host", "claude")

    assert (tmp_path / "dotfiles.json").read_text() == "{}\n"
    assert "not a regular file" in line["host"]["next"][0]


def test_a_skill_that_a_person_has_changed_stays(koog, workspace, claude):
    koog("init", ".", "--host", "claude")
    skill = claude.parent / "skills/koog-claude/SKILL.md"
    skill.write_text("mine\n")

    _, line = koog("init", ".", "--host", "claude")

    assert skill.read_text() == "mine\n"
    assert any("is left alone" in step for step in line["host"]["next"])


def test_a_dry_run_says_what_it_would_do_and_does_nothing(koog, workspace, claude):
    _, line = koog("init", ".", "--host", "claude", "--dry-run")

    assert len(line["host"]["did"]) == 6
    assert list(claude.parent.iterdir()) == []


# --- Codex and OpenClaw


def test_codex_gets_the_four_hooks_that_it_has_and_a_person_is_told_to_trust_them(
    koog, workspace, tmp_path, monkeypatch
):
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))

    _, line = koog("init", ".", "--host", "codex")

    written = json.loads((tmp_path / "codex/hooks.json").read_text())
    assert list(written["hooks"]) == EVENTS[:4]
    assert "--host codex" in commands(written, "Stop")[0]
    assert any("trust" in step for step in line["host"]["next"])
    assert any("[features]" in step for step in line["host"]["next"])


def test_openclaws_config_is_not_touched_and_the_reply_has_the_patch(koog, workspace, tmp_path, monkeypatch):
    state = tmp_path / "openclaw"
    state.mkdir()
    config = "{plugins: {load: {paths: ['/theirs']}}, // mine\n}\n"
    (state / "openclaw.json").write_text(config)
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))

    _, line = koog("init", ".", "--host", "openclaw")

    (line_of_patch,) = [step for step in line["host"]["next"] if "openclaw config patch --stdin" in step]
    patch = json.loads(shlex.split(line_of_patch.removeprefix("or: "))[1])
    assert (state / "openclaw.json").read_text() == config
    assert [path.name for path in state.iterdir()] == ["openclaw.json"]
    assert patch["plugins"]["load"]["paths"] == ["/theirs", str(ROOT / "skills/sinain-hud/plugin")]
    assert patch["plugins"]["entries"]["sinain-hud"]["hooks"]["allowConversationAccess"] is True
    assert patch["plugins"]["entries"]["memory-core"]["config"]["dreaming"]["enabled"] is False
    assert patch["session"]["resetByType"]["group"] == {"mode": "daily", "atHour": 5, "idleMinutes": 180}
    assert "heartbeat" not in patch["agents"]["defaults"], "no agent works here"
    assert "openclaw agents add NAME" in line["host"]["next"][0]


def test_without_a_host_there_is_none_and_an_unknown_one_is_a_wrong_call(koog, workspace):
    assert koog("init", ".")[1]["host"] is None
    assert koog("init", ".", "--host", "vim")[0] == 2


# --- a JSON text that is a person's


@given(JSON.filter(lambda v: isinstance(v, dict)), st.sampled_from([None, 0, 2, "\t"]), JSON)
@settings(deadline=None)
def test_a_member_is_added_and_all_else_means_what_it_meant(value, indent, added):
    text = json.dumps(value, indent=indent, ensure_ascii=False)

    new = jsonedit.add(text, (), added, key="koog's")

    assert json.loads(new) == {**value, "koog's": added}
    assert new.startswith(text.rstrip("} \n\t") if value else "{")


@given(JSON, JSON)
@settings(deadline=None)
def test_an_item_is_added_at_a_lists_end_and_an_item_is_replaced(inner, added):
    text = json.dumps({"a": [[inner]]}, indent=2)

    assert json.loads(jsonedit.add(text, ("a", 0), added)) == {"a": [[inner, added]]}
    assert json.loads(jsonedit.replace(text, ("a", 0, 0), added)) == {"a": [[added]]}


def test_there_is_nothing_to_change_where_the_path_ends():
    assert jsonedit.find('{"a": 1}', ("a", "b")) is None
    with pytest.raises(KeyError):
        jsonedit.replace('{"a": 1}', ("b",), 2)
