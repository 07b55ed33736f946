"""For which workspace a hook is that names none, and that it is told once: the plugin beside plain settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from koog.core import operator
from koog.core.files import state_root
from koog.host import hook_lines
from tests.conftest import registered
from tests.host.test_hook import CLAUDE, OBSERVATION, answered, call, settle, start, told

PROMPT = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "hello"}
START = {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def reading(workspace: Path, project: Path, monkeypatch: pytest.MonkeyPatch):
    """A workspace that reads Claude Code's sessions of every project, and tells there what it knows."""
    registered(workspace)
    operator.remember(workspace, "observe.sources", ["claude"])
    operator.remember(workspace, "paths.projects", {"*": ["**"]})
    (workspace / "memory/observations.md").write_text(OBSERVATION, "utf-8")
    monkeypatch.chdir(project)
    yield workspace
    settle(workspace)


def text(answer: dict[str, Any]) -> str:
    return answer.get("hookSpecificOutput", {}).get("additionalContext", "")


def noted(workspace: Path, host: str = "claude") -> list[str]:
    state = state_root.find(operator.entry(workspace).id)
    return state.noted(f"hooks-{host}")


@pytest.mark.parametrize("event", ["session-start", "prompt-submit", "agent-end", "session-end", "pre-compaction"])
def test_in_a_folder_that_is_no_workspace_a_hook_says_nothing_at_all(project, event):
    process = start(event, "--host", "claude", cwd=project)
    out, err = process.communicate(json.dumps({**START, "cwd": str(project)}).encode(), timeout=120)

    assert (process.returncode, out, err) == (0, b"{}\n", b"")
    assert list(project.iterdir()) == []


def test_a_workspace_that_was_named_and_is_none_is_told_to_a_person(project, monkeypatch):
    monkeypatch.setenv("KOOG_WORKSPACE", str(project))
    process = start("prompt-submit", "--host", "claude", cwd=project)
    out, err = process.communicate(json.dumps(PROMPT).encode(), timeout=120)

    assert (process.returncode, out) == (0, b"{}\n")
    assert b"workspace" in err


def test_a_hook_that_names_no_workspace_is_for_the_one_that_reads_the_session(reading, project):
    answer = told("session-start", {**START, "cwd": str(project)}, cwd=project)

    assert "SQLite" in text(answer)
    assert len(noted(reading)) == 1


def test_a_workspace_whose_operator_has_switched_reading_off_is_meant_by_no_plugin(reading, project):
    operator.remember(reading, "observe.sources", [])
    values = json.loads(operator.path().read_text())
    operator.path().write_text(json.dumps({**values, "observe": {"sources": ["claude"]}}))

    assert told("session-start", {**START, "cwd": str(project)}, cwd=project) == {}
    assert noted(reading) == []


def test_of_two_that_read_it_by_their_projects_the_right_one_is_meant_and_of_two_that_both_do_none(
    reading, project, tmp_path
):
    other = tmp_path / "other"
    (other / "memory").mkdir(parents=True)
    (other / ".koog").mkdir()
    registered(other)
    operator.remember(other, "observe.sources", ["claude"])
    operator.remember(other, "observe.projects.include", [str(tmp_path / "elsewhere")])

    assert "SQLite" in text(told("session-start", {**START, "cwd": str(project)}, cwd=project))

    operator.remember(other, "observe.projects.include", [str(project)])
    operator.remember(reading, "observe.projects.include", [str(project)])
    assert told("session-start", {**START, "cwd": str(project)}, cwd=project) == {}


def test_a_workspace_around_the_folder_and_one_by_name_come_before_that(reading, workspace, project, monkeypatch):
    inner = workspace / "memory"
    operator.remember(workspace, "observe.sources", [])
    assert "SQLite" in text(told("session-start", {**START, "cwd": str(inner)}, cwd=inner))

    monkeypatch.setenv("KOOG_WORKSPACE", str(workspace))
    assert told("session-start", {**START, "cwd": str(project)}, cwd=project) == {}  # named, but not for this project


def settings_with(hooks: dict[str, str], folder: Path) -> None:
    folder.mkdir()
    (folder / "settings.json").write_text(hook_lines.merged("{}\n", hooks)[0])


def test_where_the_settings_call_koog_as_well_the_plugin_is_silent_and_the_settings_are_not(
    reading, project, tmp_path, monkeypatch
):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    settings_with(hook_lines.wanted("claude", reading, ("koog",)), tmp_path / "claude")
    given = {**START, "cwd": str(project)}

    assert told("session-start", given, cwd=project) == {}
    process = start("session-start", "--host", "claude", "--workspace", str(reading), cwd=project)
    assert "SQLite" in text(answered(process, json.dumps(given).encode()))
    assert len(noted(reading)) == 2


def test_settings_of_another_workspace_do_not_silence_the_plugin(reading, project, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    settings_with(hook_lines.wanted("claude", tmp_path / "other", ("koog",)), tmp_path / "claude")

    assert "SQLite" in text(told("session-start", {**START, "cwd": str(project)}, cwd=project))


def test_that_hooks_came_is_kept_in_a_short_list(reading, project):
    state = state_root.find(operator.entry(reading).id)
    (state.path / "hooks-claude").write_text("2026-01-01T00:00:00Z\n" * 200)

    call("prompt-submit", {**PROMPT, "cwd": str(project)}, cwd=project)

    assert len(noted(reading)) < 100
    assert noted(reading)[-1] > "2026-01-02"


# --- a resumed session


def line(**row: Any) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


BLOCK = "<!-- koog:startup -->\n# Memory\n<!-- /koog -->\n"
GIVEN = line(type="attachment", attachment={"type": "hook_additional_context", "content": [BLOCK]})
QUOTED = line(type="user", message={"role": "user", "content": f"what is {BLOCK}?"})
PRINTED = line(type="attachment", attachment={"type": "hook_success", "stdout": BLOCK})
COMPACTED = line(type="system", subtype="compact_boundary", content="Conversation compacted")
MESSAGE = {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": BLOCK}]}
ASKED = {**MESSAGE, "role": "user"}
CODEX_GIVEN = line(type="response_item", payload=MESSAGE)
TALK = line(type="user", message={"role": "user", "content": "hello"})


@pytest.mark.wide(5)
@pytest.mark.parametrize(
    ("transcript", "is_told"),
    [
        (GIVEN + TALK, False),
        (GIVEN + COMPACTED + TALK, True),
        (GIVEN + COMPACTED + GIVEN + TALK, False),
        (TALK, True),
        (QUOTED + PRINTED, True),
        (GIVEN + QUOTED + "{torn", False),
        ("[1]\n" + GIVEN.replace("[", "").replace("]", ""), True),
        (CODEX_GIVEN + TALK, False),
        (line(type="response_item", payload=ASKED), True),
        (CODEX_GIVEN + line(type="compacted", payload={"message": "", "replacement_history": [ASKED]}), True),
        (CODEX_GIVEN + line(type="compacted", payload={"message": "", "replacement_history": [MESSAGE]}), False),
        (CODEX_GIVEN + line(type="compacted", payload={"message": "short"}), True),
        (None, True),
    ],
)
def test_a_resumed_session_is_told_again_only_what_its_context_does_not_hold(reading, project, transcript, is_told):
    file = project / "s.jsonl"
    if transcript is not None:
        file.write_text(transcript, "utf-8")
    given = {**START, "cwd": str(project), "transcript_path": str(file), "source": "resume"}

    assert ("SQLite" in text(told("session-start", given, cwd=project))) == is_told


@pytest.mark.parametrize("source", ["startup", "clear", "compact"])
def test_at_every_other_start_it_comes_whatever_the_transcript_holds(reading, project, source):
    (project / "s.jsonl").write_text(GIVEN, "utf-8")
    given = {**START, "cwd": str(project), "transcript_path": str(project / "s.jsonl"), "source": source}

    assert "SQLite" in text(told("session-start", given, cwd=project))


@pytest.mark.parametrize(("again", "is_told"), [("", True), (CODEX_GIVEN, False)], ids=["once", "twice"])
def test_codex_which_compacts_at_a_resume_calls_twice_and_is_told_once(reading, project, again, is_told):
    operator.remember(reading, "observe.sources", ["claude", "codex"])
    file = project / "rollout-1.jsonl"
    file.write_text(CODEX_GIVEN + line(type="compacted", payload={"message": ""}) + TALK + again, "utf-8")
    given = {**START, "cwd": str(project), "transcript_path": str(file), "source": "compact"}

    assert ("SQLite" in text(told("session-start", given, cwd=project))) == is_told
