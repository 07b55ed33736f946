"""koog uninstall: what `init --host` and `cron install` put outside the workspace is taken back byte for byte."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from koog.core import operator
from koog.core.files import jsonedit, spool
from koog.core.files.host import locked
from koog.core.files.spool import Event, Spool
from koog.host import footprint, hook_lines
from tests.conftest import ROOT, at_home, examples, process
from tests.fakes.schedulers import short_folder
from tests.terminal import at_terminal

SETTINGS = """{
    "model": "opus",   "effort": 1.0e2,
    "hooks": {
        "Stop": [
            {"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}
        ],
        "PreCompact": [ ]
    },
    "permissions": {"allow": []}
}"""
MINE = {"type": "command", "command": "say done"}


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "home/claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "home/codex"))
    return tmp_path / "home/claude/settings.json"


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    yield from short_folder()  # cron's lines are


@pytest.fixture
def crontab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that this machine's crontab program keeps."""
    (tmp_path / "bin").mkdir()
    file = tmp_path / "crontab"
    file.write_text("")
    program = tmp_path / "bin/crontab"
    program.write_text(f'#!/bin/sh\n[ "$1" = -l ] && exec cat "{file}"\nexec cat >"{file}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return file


def below(folder: Path) -> dict[str, bytes | None]:
    """Return every file under a folder with its bytes, and every folder with None; without koog's own state."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if not path.is_relative_to(folder / "state")
    }


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())


def taken(line: dict, name: str) -> dict:
    return next(row for row in line["taken"] if row["from"] == name)


# --- which workspace


def test_an_empty_name_of_a_folder_is_not_this_workspace(koog, workspace, claude):
    koog("init", ".", "--host", "claude")

    code, line = koog("uninstall", "", "--all")

    assert (code, line["error"]["code"]) == (2, "usage")
    assert hook_lines.lines(json.loads(claude.read_text()), "claude")


def test_a_folder_that_is_no_workspace_is_named_as_that(koog, workspace, claude, tmp_path):
    (tmp_path / "other").mkdir()

    _, line = koog("uninstall", str(tmp_path / "other"), "--all")

    assert line["next"] == [f"{tmp_path / 'other'} is no workspace"]


def moved(koog, tmp_path: Path) -> tuple[Path, Path]:
    """Return where a workspace that Claude Code and cron call lay, and where it lies since."""
    was, is_now = tmp_path / "was here", tmp_path / "is here"
    koog("init", str(was), "--host", "claude", "--cron")
    was.rename(is_now)
    return was, is_now


def test_a_workspace_that_was_moved_and_not_taken_on_is_told_the_command_that_takes_koog_out(
    koog, workspace, claude, tmp_path
):
    was, is_now = moved(koog, tmp_path)

    _, line = koog("uninstall", str(is_now), "--all")

    assert line["next"][0].startswith(f"koog uninstall '{was}' --all")
    assert koog("uninstall", str(was), "--all")[1]["changed"]
    assert not claude.exists()


def test_a_workspace_that_was_moved_and_taken_on_takes_back_what_names_the_old_folder(
    koog, workspace, claude, tmp_path, crontab
):
    before = below(tmp_path / "home")
    was, is_now = moved(koog, tmp_path)
    assert str(was) in crontab.read_text()
    code, line = at_terminal("init", str(is_now), "--adopt", cwd=tmp_path)
    assert code == 0, line

    _, line = koog("uninstall", str(is_now), "--all")
    after = below(tmp_path / "home")

    assert line["changed"]
    assert crontab.read_text() == ""
    assert {name for name in after if not name.startswith("config")} == {*before}


def test_a_moved_workspace_leaves_what_calls_another_one_in_its_old_place(koog, workspace, claude, tmp_path):
    was, is_now = moved(koog, tmp_path)
    assert at_terminal("init", str(is_now), "--adopt", cwd=tmp_path)[0] == 0
    koog("init", str(was), "--host", "claude")
    before = claude.read_bytes()

    _, line = koog("uninstall", str(is_now), "--host", "claude")

    assert claude.read_bytes() == before
    assert taken(line, "claude")["left"] == []


def test_a_dry_run_makes_no_folder_where_koog_has_none(koog, workspace, claude, tmp_path):
    before = sorted((tmp_path / "home").rglob("*"))

    koog("uninstall", "--all", "--dry-run")

    assert sorted((tmp_path / "home").rglob("*")) == before


def test_what_hooks_told_and_nobody_has_digested_is_named(koog, workspace, claude, sealed):
    argv = ["hook", "agent-end", "--host", "claude", "--workspace", str(workspace)]
    with Spool(make=True) as waiting:
        waiting.put(Event(spool.new_name(), argv, str(workspace), {}, b"{}"))

    _, line = koog("uninstall", "--all")

    assert f"{spool.path()}, where what hooks told waits for koog recover" in line["next"][-1]


def test_two_that_take_koog_off_the_schedule_at_once_take_turns(koog, workspace, claude, tmp_path):
    koog("init", ".")
    with ThreadPoolExecutor() as pool, locked("init.lock"):
        other = pool.submit(process, "uninstall", "--cron", cwd=workspace)
        with pytest.raises(TimeoutError):
            other.result(timeout=3)
    assert json.loads(other.result().stdout)["ok"]


@pytest.mark.parametrize(
    "row",
    [
        {"hosts": {"claude": {"at": "2026-01-01T00:00:00Z", "lines": {}}}},
        {"hosts": {"claude": {"wants": {"observe.sources": None}}, "codex": {"wants": {}}}, "wrote": {"a": 1}},
        {"hosts": {"claude": {"lines": {"Stop": 1}, "wants": ["claude"]}, "codex": 3}, "had": {"observe": 3}},
        {"hosts": [], "wrote": [], "told": []},
        [],
    ],
    ids=str,
)
def test_a_record_of_another_koog_keeps_nobody_in(koog, workspace, claude, sealed, row):
    koog("init", ".", "--host", "claude")
    sealed.put("installed", row)
    sealed.put("keyfile", {"file": None})

    code, line = koog("uninstall", "--all")

    assert code == 0, line
    assert not hook_lines.lines(json.loads(claude.read_text() if claude.exists() else "{}"), "claude")
    assert koog("init", ".", "--host", "claude")[0] == 0
    assert koog("uninstall", "--all")[0] == 0


# --- the same bytes


@pytest.mark.parametrize("host", ["claude", "codex"])
@pytest.mark.parametrize("project", [(), ("--project", "*"), ("--project", "app")], ids=str)
def test_after_the_uninstall_the_home_is_as_it_was_before_the_host_was_installed(
    koog, workspace, claude, tmp_path, host, project
):
    (workspace / "app").mkdir()
    koog("init", ".")
    before = below(tmp_path / "home")

    koog("init", ".", "--host", host, *project)
    between = below(tmp_path / "home")
    code, line = koog("uninstall", "--host", host)

    assert code == 0, line
    assert between != before
    assert below(tmp_path / "home") == before
    assert line["changed"]
    assert taken(line, host)["left"] == []


@pytest.mark.parametrize("text", [SETTINGS, SETTINGS.replace("\n", "\r\n"), "{}", "{\n}\n", "", '{"hooks": {}}\n'])
def test_a_file_of_settings_gets_its_very_bytes_and_its_mode_back(koog, workspace, claude, text):
    put(claude, text)
    claude.chmod(0o640)

    koog("init", ".", "--host", "claude")
    assert claude.read_bytes() != text.encode()
    koog("uninstall", "--host", "claude")

    assert claude.read_bytes() == text.encode()
    assert stat.S_IMODE(claude.stat().st_mode) == 0o640


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("text", [None, SETTINGS, "{ }\n"])
def test_two_workspaces_leave_in_either_order_and_the_file_is_as_before_the_first(
    koog, workspace, claude, tmp_path, monkeypatch, text, first
):
    if text is not None:
        put(claude, text)
    folders = [workspace, tmp_path / "other"]
    before = below(claude.parent)
    for folder in folders:
        koog("init", str(folder), "--host", "claude")

    gone, stays = folders[first], folders[1 - first]
    koog("uninstall", "--host", "claude", "--workspace", str(gone))

    lines = hook_lines.lines(json.loads(claude.read_text()), "claude")
    assert len(lines) == len(hook_lines.CLAUDE)
    assert all(line.endswith(f"--workspace {stays}") for line in lines)
    assert (claude.parent / "skills/koog-claude/SKILL.md").exists()

    koog("uninstall", "--host", "claude", "--workspace", str(stays))

    assert below(claude.parent) == before
    assert claude.parent.exists() == (text is not None)


def test_two_hosts_share_a_project_and_it_goes_with_the_last_of_them(koog, workspace, claude, tmp_path):
    koog("init", ".")
    app = tmp_path / "app"
    app.mkdir()
    before = operator.path().read_bytes()
    koog("init", ".", "--host", "claude", "--project", str(app))
    koog("init", ".", "--host", "codex", "--project", str(app))

    koog("uninstall", "--host", "claude")
    observe = operator.entry(workspace).values["observe"]
    koog("uninstall", "--host", "codex")

    assert observe == {"sources": ["codex"], "projects": {"include": [str(app)]}}
    assert operator.path().read_bytes() == before


def test_what_the_operator_had_written_stays(koog, workspace, claude, tmp_path):
    koog("init", ".")
    for name in ("mine", "app"):
        (tmp_path / name).mkdir()
    operator.remember(workspace, "observe.projects.include", [str(tmp_path / "mine")])
    operator.remember(workspace, "observe.sources", ["claude"])
    before = operator.path().read_bytes()

    koog("init", ".", "--host", "claude", "--project", str(tmp_path / "app"))
    koog("init", ".", "--host", "claude", "--project", str(tmp_path / "mine"))
    koog("uninstall", "--host", "claude")

    assert operator.path().read_bytes() == before


def test_all_is_every_host_and_the_schedule(koog, workspace, claude, tmp_path):
    koog("init", ".")
    before = below(tmp_path / "home")
    koog("init", ".", "--host", "claude")
    koog("init", ".", "--host", "codex")

    code, line = koog("uninstall", "--all")

    assert code == 0
    assert below(tmp_path / "home") == before
    assert [row["from"] for row in line["taken"]] == ["claude", "codex", "openclaw", "cron"]
    assert line["next"][-1].startswith("the memory stays")


def test_a_dry_run_says_the_same_and_changes_nothing(koog, workspace, claude, tmp_path):
    koog("init", ".", "--host", "claude")
    before = below(tmp_path / "home")

    _, dry = koog("uninstall", "--host", "claude", "--dry-run")
    assert below(tmp_path / "home") == before
    _, line = koog("uninstall", "--host", "claude")

    assert dry["changed"]
    assert {*taken(dry, "claude")["did"]} < {*taken(line, "claude")["did"]}  # which names the folders, too


def test_a_dry_run_of_all_says_what_goes_with_the_last_host(koog, workspace, claude, tmp_path):
    (tmp_path / "app").mkdir()
    for host in ("claude", "codex"):
        koog("init", ".", "--host", host, "--project", str(tmp_path / "app"))
    before = below(tmp_path / "home")

    _, dry = koog("uninstall", "--all", "--dry-run")
    assert below(tmp_path / "home") == before
    _, line = koog("uninstall", "--all")

    told = [[did for did in taken(each, "codex")["did"] if str(operator.path()) in did] for each in (dry, line)]
    assert told[0] == told[1]
    assert len(told[0]) == 3  # the source, the project, and the files that are told there


def test_a_folder_that_is_not_there_is_no_memory_that_stays(koog, workspace, claude, tmp_path):
    assert koog("uninstall", str(tmp_path / "none"), "--all")[1]["next"] == [f"there is no folder {tmp_path}/none"]


def test_a_broken_config_of_the_workspace_keeps_koog_nowhere(koog, workspace, claude, tmp_path):
    koog("init", ".")
    before = below(tmp_path / "home")
    koog("init", ".", "--host", "claude")
    (workspace / "koog-config.json").write_text("{")

    code, line = koog("uninstall", "--all")

    assert (code, line["changed"]) == (0, True)
    assert below(tmp_path / "home") == before


def test_a_second_uninstall_finds_nothing(koog, workspace, claude):
    koog("init", ".", "--host", "claude")
    koog("uninstall", "--host", "claude")

    code, line = koog("uninstall", "--host", "claude")

    assert (code, line["changed"], taken(line, "claude")) == (0, False, {"from": "claude", "did": [], "left": []})


def test_what_is_noted_is_nobody_elses_to_read(koog, workspace, claude, sealed):
    koog("init", ".", "--host", "claude")

    noted = [sealed.path / "installed.json", sealed.path.parent / footprint.NAME]

    assert [stat.S_IMODE(path.stat().st_mode) for path in noted] == [0o600, 0o600]


@pytest.mark.parametrize("is_noted", [True, False])
def test_a_workspace_that_is_gone_is_named_and_taken_back_as_well(koog, workspace, claude, tmp_path, is_noted):
    other = tmp_path / "other"
    koog("init", str(other))
    before = below(tmp_path / "home")
    koog("init", str(other), "--host", "claude")
    shutil.rmtree(other)
    if not is_noted:
        (tmp_path / "home/state/koog" / operator.entry(other).id / "installed.json").unlink()

    code, line = koog("uninstall", str(other), "--host", "claude")

    assert (code, line["workspace"]) == (0, str(other))
    assert below(tmp_path / "home") == before


def test_settings_that_are_a_link_are_the_persons_and_the_rest_goes_once_they_are_free_of_koog(
    koog, workspace, claude, tmp_path
):
    koog("init", ".")
    put(tmp_path / "home/dotfiles/claude.json", "{}\n")
    claude.parent.mkdir()
    claude.symlink_to(tmp_path / "home/dotfiles/claude.json")
    before = below(tmp_path / "home")
    _, line = koog("init", ".", "--host", "claude")
    by_hand = next(step for step in line["host"]["next"] if "merge by hand: " in step).partition("merge by hand: ")[2]
    claude.write_text(by_hand)

    _, first = koog("uninstall", "--host", "claude")
    kept = json.loads(claude.read_text())
    claude.write_text("{}\n")
    _, second = koog("uninstall", "--host", "claude")

    assert (first["changed"], kept) == (False, json.loads(by_hand))
    assert first["next"][0].startswith(f"let koog write {claude}, or take out of it the hooks")
    assert taken(second, "claude")["left"] == []
    assert below(tmp_path / "home") == before


def test_hooks_in_another_folder_of_settings_are_named_with_the_command_that_takes_them_out(
    koog, workspace, claude, tmp_path, monkeypatch
):
    koog("init", ".")
    before = below(tmp_path / "home")
    koog("init", ".", "--host", "claude")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))

    for _ in range(2):
        _, line = koog("uninstall", "--host", "claude")
        (left,) = taken(line, "claude")["left"]
        assert left.startswith(str(claude))
        assert line["next"] == [f"CLAUDE_CONFIG_DIR={claude.parent} koog uninstall {workspace} --host claude"]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(claude.parent))
    koog("uninstall", "--host", "claude")

    assert below(tmp_path / "home") == before


# --- somebody was there meanwhile


def test_koogs_entries_alone_are_cut_out_of_what_a_person_changed(koog, workspace, claude):
    put(claude, SETTINGS)
    koog("init", ".", "--host", "claude")
    text = claude.read_text()
    text = text.replace('"permissions"', '"mine":\t[ 1,2 ],\n  "permissions"')
    claude.write_text(text)
    expected = SETTINGS.replace('"permissions"', '"mine":\t[ 1,2 ],\n  "permissions"')

    koog("uninstall", "--host", "claude")

    assert claude.read_text() == expected


def test_a_persons_own_hook_in_koogs_group_and_list_stays(koog, workspace, claude):
    koog("init", ".", "--host", "claude")
    text = claude.read_text()
    text = jsonedit.add(text, ("hooks", "Stop"), {"hooks": [MINE]})
    text = jsonedit.add(text, ("hooks", "SessionEnd", 0, "hooks"), MINE)
    claude.write_text(text)

    koog("uninstall", "--host", "claude")

    left = {"hooks": {"Stop": [{"hooks": [MINE]}], "SessionEnd": [{"hooks": [MINE]}]}}
    assert json.loads(claude.read_text()) == left | {"hooks": {**left["hooks"], "SessionEnd": [{"hooks": [MINE]}]}}


def test_a_hook_that_a_person_changed_stays_and_is_named(koog, workspace, claude):
    koog("init", ".", "--host", "claude")
    hook = json.loads(claude.read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
    claude.write_text(jsonedit.replace(claude.read_text(), ("hooks", "Stop", 0, "hooks", 0, "command"), f"nice {hook}"))

    _, line = koog("uninstall", "--host", "claude")

    assert taken(line, "claude")["left"] == [f"{claude}: the hook Stop was changed since and stays"]
    assert hook_lines.lines(json.loads(claude.read_text()), "claude") == [f"nice {hook}"]


def test_a_hook_that_a_person_changed_stays_however_often_koog_is_uninstalled(koog, workspace, claude, sealed):
    koog("init", ".", "--host", "claude")
    text = claude.read_text()
    hook = json.loads(text)["hooks"]["Stop"][0]["hooks"][0]["command"]
    claude.write_text(jsonedit.replace(text, ("hooks", "Stop", 0, "hooks", 0, "command"), f"nice {hook}"))
    koog("uninstall", "--host", "claude")
    once = claude.read_bytes()

    _, line = koog("uninstall", "--all")

    assert (claude.read_bytes(), line["changed"]) == (once, False)
    assert taken(line, "claude")["left"] == [f"{claude}: the hook Stop was changed since and stays"]
    claude.write_text("{}")
    koog("uninstall", "--host", "claude")
    assert not (sealed.path / "installed.json").exists()


def test_settings_that_were_broken_and_are_mended_lose_the_same_as_others(koog, workspace, claude, tmp_path):
    koog("init", ".")
    put(claude, SETTINGS)
    before = below(tmp_path / "home")
    koog("init", ".", "--host", "claude")
    known = operator.path().read_bytes()
    claude.write_text(claude.read_text() + "}")

    _, line = koog("uninstall", "--host", "claude")
    assert (line["changed"], operator.path().read_bytes()) == (False, known)  # its hooks still call koog
    assert line["next"][-1] == f"koog uninstall {workspace} --host claude"
    claude.write_text(claude.read_text()[:-1])
    koog("uninstall", "--host", "claude")

    assert below(tmp_path / "home") == before


def test_a_skill_that_a_person_changed_stays_and_is_named(koog, workspace, claude):
    skill = claude.parent / "skills/koog-claude/SKILL.md"
    koog("init", ".", "--host", "claude")
    skill.write_text("mine\n")

    _, line = koog("uninstall", "--host", "claude")

    assert taken(line, "claude")["left"] == [f"{skill}: was changed since and stays"]
    assert skill.read_text() == "mine\n"
    assert not claude.exists()


def test_a_skill_that_was_there_before_stays(koog, workspace, claude):
    skill = claude.parent / "skills/koog-claude/SKILL.md"
    put(skill, (ROOT / "skills/koog-claude/SKILL.md").read_text("utf-8"))
    before = below(claude.parent)

    koog("init", ".", "--host", "claude")
    koog("uninstall", "--host", "claude")

    assert below(claude.parent) == before


def test_a_skill_of_an_older_koog_is_renewed_and_still_koogs(koog, workspace, claude):
    skill = claude.parent / "skills/koog-claude/SKILL.md"
    koog("init", ".", "--host", "claude")
    skill.write_text("of an older koog\n")
    noted = footprint.of(skill)
    footprint.note(skill, noted._replace(digest=footprint.digest("of an older koog\n")))

    _, line = koog("init", ".", "--host", "claude")
    assert f"{skill}: renewed" in line["host"]["did"]
    koog("uninstall", "--host", "claude")

    assert not claude.parent.exists()


def test_settings_of_an_older_koog_which_noted_nothing_lose_koogs_entries(koog, workspace, claude, sealed):
    put(claude, SETTINGS)
    koog("init", ".", "--host", "claude")
    (sealed.path / "installed.json").unlink()
    (sealed.path.parent / footprint.NAME).unlink()

    _, line = koog("uninstall", "--host", "claude")

    assert json.loads(claude.read_text())["hooks"] == {"Stop": [{"matcher": "", "hooks": [MINE]}]}
    assert "claude" not in operator.entry(workspace).values.get("observe", {}).get("sources", [])
    assert line["changed"]


@pytest.mark.parametrize("text", ["{ // words", "[1]"])
def test_settings_that_cannot_be_read_are_left_and_named(koog, workspace, claude, text):
    koog("init", ".", "--host", "claude")
    claude.write_text(text)

    code, line = koog("uninstall", "--host", "claude")

    assert (code, claude.read_text()) == (0, text)
    assert bool(taken(line, "claude")["left"]) == (text != "[1]")


def test_settings_that_cannot_be_read_and_never_called_koog_are_none_of_its_business(koog, workspace, claude):
    koog("init", ".")
    put(claude, "{ // words")

    _, line = koog("uninstall", "--all")

    assert (line["changed"], taken(line, "claude")["left"]) == (False, [])


def test_the_skill_goes_though_the_settings_were_left_alone_first(koog, workspace, claude, tmp_path):
    koog("init", ".")
    put(claude, "{ // words")
    before = below(tmp_path / "home")
    koog("init", ".", "--host", "claude")
    _, line = koog("uninstall", "--host", "claude")
    assert (taken(line, "claude")["left"], below(tmp_path / "home")) == ([], before)

    koog("init", ".", "--host", "claude")
    claude.write_text("{}")
    koog("init", ".", "--host", "claude")
    koog("uninstall", "--host", "claude")

    assert below(tmp_path / "home") == {**before, "claude/settings.json": b"{}"}


def test_where_the_plugin_is_installed_the_reply_says_how_it_goes(koog, workspace, claude):
    put(claude, '{"enabledPlugins": {"koog@koog": true}}\n')

    _, line = koog("uninstall", "--host", "claude")

    assert line["next"] == ["claude plugin uninstall koog@koog"]


def test_the_plugin_stays_for_another_workspace_that_reads_its_sessions(koog, workspace, claude, tmp_path):
    put(claude, '{"enabledPlugins": {"koog@koog": true}}\n')
    for folder in (".", str(tmp_path / "other")):
        koog("init", folder, "--host", "claude")

    _, first = koog("uninstall", "--host", "claude")
    _, last = koog("uninstall", str(tmp_path / "other"), "--host", "claude")

    assert (first["next"], last["next"]) == ([], ["claude plugin uninstall koog@koog"])


def test_something_has_to_be_named(koog, workspace):
    assert koog("uninstall")[1]["error"]["code"] == "usage"
    assert koog("uninstall", "--host", "emacs")[1]["error"]["code"] == "usage"
    assert koog("uninstall", "--all", "--cron")[1]["error"]["code"] == "usage"


# --- any settings

BLANK = st.sampled_from(["", " ", "\n", "\r\n", "\t", "\n    ", " \r\n\t"])
SCALAR = st.sampled_from(["1", "-2.50e3", "true", "null", '"Grüße 🔴 \\u00e9"', '""', '"a, b: {c}"', "[ ]", "{}"])
KEY = st.sampled_from(["model", "été", "a b", "x", "env", "Stop"])


@st.composite
def objects(draw: st.DrawFn, members: st.SearchStrategy[tuple[str, str]], most: int = 4) -> str:
    rows = dict(draw(st.lists(members, max_size=most)))
    blank = [draw(BLANK) for _ in range(4)]
    inner = f",{blank[1]}".join(f"{json.dumps(k, ensure_ascii=False)}{blank[2]}:{blank[3]}{v}" for k, v in rows.items())
    return "{" + blank[0] + inner + (blank[1] if rows else "") + "}"


@st.composite
def lists(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    rows, blank = draw(st.lists(values, max_size=3)), [draw(BLANK) for _ in range(2)]
    return "[" + blank[0] + f",{blank[1]}".join(rows) + (blank[1] if rows else "") + "]"


HANDLER = st.sampled_from([json.dumps(MINE), '{"type":"command","command":"x","timeout":3}'])
GROUP = st.builds(lambda hooks: f'{{"matcher": "", "hooks":{hooks}}}', lists(HANDLER))
HOOKS = objects(st.tuples(st.sampled_from([*hook_lines.CLAUDE, "PreToolUse"]), lists(GROUP)))
MEMBER = st.one_of(st.tuples(KEY, SCALAR), st.tuples(st.just("hooks"), HOOKS))
TEXT = st.builds(lambda before, value, after: before + value + after, BLANK, objects(MEMBER), BLANK)


@given(text=TEXT, order=st.permutations(["one", "two", "three"]), again=st.booleans())
@example(text='{"hooks": { } }', order=["one", "two", "three"], again=True)
@example(text="{\r\n}", order=["three", "one", "two"], again=False)
@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_settings_were_they_are_again_whoever_leaves_first(text, order, again):
    had = jsonedit.standing(text, hook_lines.around(hook_lines.CLAUDE))
    now = text
    for name in ["one", "two", "three"]:
        wanted = hook_lines.wanted("claude", Path("/w") / name, ("koog",))
        now, _ = hook_lines.merged(now, wanted)
        if again:
            now, did = hook_lines.merged(now, hook_lines.wanted("claude", Path("/w") / name, ("/new/koog",)))
            assert did
    for name in order:
        now = hook_lines.cut(now, "claude", Path("/w") / name, had=had).text

    assert now == text


@given(text=TEXT)
@settings(max_examples=examples(200))
def test_a_text_without_koogs_hooks_stays_as_it_is(text):
    assert hook_lines.cut(text, "codex", Path("/w"), had={}) == (text, [], [])


@given(text=TEXT, data=st.data())
@settings(max_examples=examples(200))
def test_a_whole_install_and_uninstall_is_the_identity_on_any_settings(text, data, tmp_path_factory):
    from koog.host import install, take_back

    folder = tmp_path_factory.mktemp("any")
    with pytest.MonkeyPatch.context() as patch:
        at_home(folder / "home", patch)
        patch.setenv("CLAUDE_CONFIG_DIR", str(folder / "claude"))
        put(folder / "claude/settings.json", text)
        roots = [folder / "one", folder / "two"]
        for root in roots:
            install.install("claude", root=root, program=("koog",), dry_run=False)
        for root in data.draw(st.permutations(roots)):
            take_back.take_back("claude", root=root, lines=None, dry_run=False)

        assert below(folder / "claude") == {"settings.json": text.encode()}
