"""doctor's look at the schedule, and `init --cron`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from koog.operate import cron, crontab
from tests.conftest import Koog, git
from tests.fakes.schedulers import CRONTAB, LAUNCHCTL, SYSTEMCTL, calls, put, short_folder

KINDS = ["crontab", "systemd", "launchd"]


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    yield from short_folder()


@pytest.fixture(autouse=True)
def programs(alone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with git and the three schedulers, and with no other program but the shell's few."""
    folder = alone / "programs"
    folder.mkdir()
    for name, text in (("crontab", CRONTAB), ("systemctl", SYSTEMCTL), ("launchctl", LAUNCHCTL)):
        put(folder / name, text)
    for name in ("git", "cat", "touch", "rm", "sleep", "mkdir", "basename", "cp", "mv"):
        (folder / name).symlink_to(str(shutil.which(name)))
    monkeypatch.setenv("PATH", str(folder))
    return folder


def flags(kind: str) -> list[str]:
    return [] if kind == "crontab" else [f"--{kind}"]


def told(koog: Koog, *argv: str) -> list[dict[str, Any]]:
    return [f for f in koog("doctor", *argv)[1]["findings"] if f["check"] == "schedule"]


# --- doctor


@pytest.mark.parametrize("kind", KINDS)
def test_a_schedule_that_stands_and_runs_is_no_finding(kind, koog, workspace):
    koog("cron", "install", *flags(kind))

    assert told(koog) == []


def test_where_none_was_asked_for_there_is_nothing_to_say(koog, workspace, alone):
    (alone / "crontab.broken").write_text("not allowed\n")

    assert told(koog, "--now", "2099-01-01T00:00:00Z") == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_that_is_gone_is_an_error_with_the_install_that_mends_it(kind, koog, workspace, alone, monkeypatch):
    program = put(alone / "koog", "#!/bin/sh\n")
    monkeypatch.setattr(sys, "argv", [str(program)])
    koog("cron", "install", *flags(kind))
    program.unlink()

    (found,) = told(koog)

    assert (found["level"], str(program) in found["message"]) == ("error", True)
    assert found["command"] == " ".join(["koog cron install --every 30m", *flags(kind)])


@pytest.mark.parametrize("kind", KINDS)
def test_the_install_that_mends_it_keeps_how_often_it_ran_and_the_watcher(kind, koog, workspace, alone, monkeypatch):
    program = put(alone / "koog", "#!/bin/sh\n")
    monkeypatch.setattr(sys, "argv", [str(program)])
    koog("cron", "install", "--every", "2h", "--watch", *flags(kind))
    before = koog("cron", "show")[1]["lines"]
    program.unlink()
    commands = {f["command"] for f in told(koog)}
    put(program, "#!/bin/sh\n")

    (command,) = commands
    koog(*command.split()[1:])

    assert koog("cron", "show")[1]["lines"] == before


def test_a_block_that_was_cut_in_half_is_named_with_what_mends_it_wherever_koog_meets_it(koog, workspace, alone):
    koog("cron", "install")
    file = alone / "crontab"
    file.write_text(file.read_text().rpartition("# <<< koog")[0])

    (found,) = told(koog)
    _, out = koog("uninstall", "--cron")
    _, made = koog("init", ".", "--cron")

    assert (found["level"], found["command"]) == ("error", "crontab -e")
    assert out["next"] == ["take it out with crontab -e", f"koog uninstall {workspace} --cron"]
    (warning,) = made["_meta"]["warnings"]
    assert "take it out with crontab -e, then koog --workspace" in warning


@pytest.mark.parametrize(("kind", "broken"), [("systemd", "systemctl.broken"), ("launchd", "launchctl.broken")])
def test_what_is_installed_and_does_not_run_is_an_error(kind, broken, koog, workspace, alone):
    (alone / broken).touch()
    koog("cron", "install", *flags(kind))

    assert [(f["level"], f["command"]) for f in told(koog)] == [("error", "koog cron show")]


def test_a_block_that_somebody_edited_is_a_warning(koog, workspace, alone):
    koog("cron", "install")
    file = alone / "crontab"
    file.write_text(file.read_text().replace("# every 30m", "# often"))

    assert [(f["level"], f["command"]) for f in told(koog)] == [("warn", "koog cron install")]


def test_the_lines_of_an_older_koog_are_a_warning_until_they_are_installed_anew(koog, workspace, alone):
    koog("cron", "install", "--every", "1h")
    file = alone / "crontab"
    file.write_text(file.read_text().replace(crontab.escaped(crontab.KEPT), 'printf "\\%s" "$E" >>"$L"'))

    found = told(koog)
    koog(*found[0]["command"].split()[1:])

    assert [(f["level"], f["command"]) for f in found] == [("warn", "koog cron install --every 1h")]
    assert "older koog" in found[0]["message"]
    assert told(koog) == []


@pytest.mark.parametrize(
    ("every", "hours", "alarms"), [("30m", 2, False), ("30m", 4, True), ("6h", 17, False), ("6h", 19, True)]
)
def test_no_tick_for_hours_is_an_error_by_the_schedules_own_measure(every, hours, alarms, koog, workspace):
    koog("cron", "install", "--every", every)
    koog("tick", "--now", "2026-02-28T00:00:00Z")

    found = told(koog, "--now", f"2026-02-28T{hours:02}:00:00Z")

    assert [f["level"] for f in found] == (["error"] if alarms else [])


def test_a_schedule_that_was_installed_a_moment_ago_is_not_late(koog, workspace):
    koog("tick", "--now", "2026-01-01T00:00:00Z")
    koog("cron", "install", "--systemd")

    assert told(koog) == []


def test_a_key_that_only_this_shell_has_is_a_warning(koog, workspace, monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "any")
    koog("cron", "install")

    (found,) = told(koog)

    assert (found["level"], "--key-file" in found["command"]) == ("warn", True)
    assert told(koog, "--engine", "builtin") == []


# --- init --cron


def test_init_installs_what_the_machine_has_and_says_so_once(koog, tmp_path, alone):
    folder = tmp_path / "agent"

    code, first = koog("init", str(folder), "--cron")
    _, second = koog("init", str(folder), "--cron")

    assert code == 0
    assert {k: first["cron"][k] for k in ("kind", "every", "changed", "active")} == {
        "kind": "crontab",
        "every": "30m",
        "changed": True,
        "active": True,
    }
    assert first["next"] == ["koog cron show", "koog tick"]
    assert second["cron"] == first["cron"] | {"changed": False}
    assert calls(alone, "crontab") == ["write"]
    assert koog("init", str(folder))[1]["cron"] is None


def test_a_schedule_that_a_person_chose_stays(koog, workspace, alone):
    koog("cron", "install", "--every", "2h", "--systemd")

    _, line = koog("init", str(workspace), "--cron")

    assert (line["cron"]["kind"], line["cron"]["every"], line["cron"]["changed"]) == ("systemd", "2h", False)
    assert calls(alone, "crontab") == []


def test_without_cron_it_is_systemd_where_one_runs(koog, tmp_path, programs):
    (programs / "crontab").unlink()

    _, line = koog("init", str(tmp_path / "agent"), "--cron")

    assert (line["cron"]["kind"], line["cron"]["active"]) == ("systemd", True)
    assert any(step.startswith("loginctl enable-linger") for step in line["next"])


OF_A_CLONE = "may not stay there"  # what is said of a koog that runs from a temporary folder, as a checkout may


def test_without_any_scheduler_the_workspace_is_made_with_a_warning_that_says_what_to_do(
    koog, tmp_path, alone, programs
):
    (programs / "crontab").unlink()
    (alone / "systemctl.broken").touch()
    folder = tmp_path / "a gent"

    code, line = koog("init", str(folder), "--cron")

    assert (code, line["cron"]) == (0, None)
    assert git(folder, "rev-list", "--count", "HEAD") == "1"
    (warning,) = (each for each in line["_meta"]["warnings"] if OF_A_CLONE not in each)
    assert "there is no crontab program here" in warning
    assert f"koog --workspace '{folder}' cron install" in warning
    assert not (alone / "config/systemd").exists()


def test_a_cron_that_refuses_makes_way_for_systemd(koog, tmp_path, alone):
    (alone / "crontab.full").touch()

    _, line = koog("init", str(tmp_path / "agent"), "--cron")

    assert line["cron"]["kind"] == "systemd"


def test_a_dry_run_of_both_writes_neither(koog, tmp_path, alone):
    code, line = koog("init", str(tmp_path / "agent"), "--cron", "--dry-run")

    assert (code, line["cron"]["kind"], line["cron"]["active"]) == (0, "crontab", False)
    assert not (tmp_path / "agent").exists()
    assert calls(alone, "crontab") == []


def test_the_key_that_a_schedule_will_not_have_is_told_by_init_too(koog, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "any")

    _, line = koog("init", str(tmp_path / "agent"), "--cron")

    assert any("--key-file" in warning for warning in line["_meta"]["warnings"])


@pytest.mark.parametrize(
    ("platform", "systemd", "kinds"),
    [("linux", True, ["crontab", "systemd"]), ("linux", False, ["crontab"]), ("darwin", True, ["launchd"])],
)
def test_each_platform_is_asked_for_its_own(platform, systemd, kinds):
    assert cron.fitting(platform, systemd=systemd) == kinds
