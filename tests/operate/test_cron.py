"""koog cron: a schedule in the host's own settings, and a run of it as cron would start it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from koog.core import clock
from koog.core.files import lock
from koog.core.files.roots import Root
from tests.conftest import Koog, git, process
from tests.fakes.schedulers import CRONTAB, SYSTEMCTL, calls, put, short_folder
from tests.logs import LOGS

# The tick that holds the lock waits in its first call of git.
WAITING_GIT = '#!/bin/sh\nwhile [ -e "{hold}" ]; do sleep 0.05; done\nexec {git} "$@"\n'
PERSONS = "MAILTO=me@example.invalid\n# mine\n*/5 * * * *  run 50\\%\n\n"


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    yield from short_folder()


@pytest.fixture(autouse=True)
def programs(alone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The host's programs, which keep what they are told in files of the home folder; never the person's own."""
    folder = alone / "programs"
    folder.mkdir()
    put(folder / "crontab", CRONTAB)
    put(folder / "systemctl", SYSTEMCTL)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


@pytest.fixture
def odd(koog: Koog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace in a folder whose name has all that shells and crons stumble over."""
    folder = tmp_path / 'it\'s 50% "Ärger" $HOME'
    koog("init", str(folder))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def in_utc() -> Iterator[None]:
    """The host's own zone, by which schedulers go, is UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def standing(home: Path) -> str:
    path = home / "crontab"
    return path.read_text("utf-8") if path.exists() else ""


def due(home: Path) -> list[str]:
    """Return what cron gives to the shell when the tick's periodic line of its file is due."""
    lines = [
        line.split(" ", 5)[5]
        for line in standing(home).splitlines()
        if line.startswith(("*/", "0 ")) and " tick" in line
    ]
    return ["/bin/sh", "-c", lines[-1].replace("\\%", "%")]


def bare(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "LOGNAME": "me", "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin"}


def run_due(home: Path) -> str:
    """Run the periodic line as cron does and return what it would mail."""
    done = subprocess.run(
        due(home), env=bare(home), cwd=home, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )
    return done.stdout + done.stderr


def ticks_in(workspace: Path) -> int:
    rows = [json.loads(line) for file in (workspace / LOGS).glob("*.jsonl") for line in file.read_text().splitlines()]
    return sum("_type" not in row for row in rows)


def units(home: Path) -> dict[str, str]:
    """Return kind → text of the workspace's units: `.timer`, `-observe.timer`, `-watch.service`, …"""
    found = sorted((home / "config/systemd/user").glob("koog-*"))
    return {re.sub(r".*-[0-9a-f]{8}", "", p.name): p.read_text("utf-8") for p in found}


PARTS = ("-condense", "-extract", "-observe", "-prune", "")
SCHEDULED = [f"{part}.{kind}" for part in PARTS for kind in ("service", "timer")]


def of_kind(suffix: str, files: list[str]) -> str:
    """Return the name of the unit among these files that ends so."""
    (name,) = [Path(f).name for f in files if re.search(rf"-[0-9a-f]{{8}}{re.escape(suffix)}$", f)]
    return name


# --- the crontab


def test_the_block_joins_a_persons_lines_and_a_second_install_changes_nothing(koog, workspace, alone):
    (alone / "crontab").write_text(PERSONS)

    code, first = koog("cron", "install")
    again, second = koog("cron", "install")

    assert (code, again) == (0, 0)
    assert (first["changed"], second["changed"]) == (True, False)
    assert first["active"] and second["active"]
    assert standing(alone) == PERSONS + "\n".join(first["lines"]) + "\n"
    assert calls(alone, "crontab") == ["write"]


def test_other_options_replace_the_block_and_each_workspace_has_its_own(koog, workspace, odd, alone):
    koog("cron", "install", "--workspace", str(workspace))
    koog("cron", "install")

    _, line = koog("cron", "install", "--workspace", str(workspace), "--every", "2h", "--engine", "builtin")

    assert line["changed"] and line["every"] == "2h"
    assert standing(alone).count(f"# >>> koog {workspace}\n") == standing(alone).count(f"# >>> koog {odd}\n") == 1
    assert "0 */2 * * * cd" in standing(alone)
    assert "koog tick --engine builtin 2>&1 >/dev/null" in standing(alone)


def test_remove_gives_the_person_the_same_bytes_and_can_be_done_again(koog, workspace, alone):
    (alone / "crontab").write_text(PERSONS)
    _, put_in = koog("cron", "install")

    _, first = koog("cron", "remove")
    _, second = koog("cron", "remove")

    assert standing(alone) == PERSONS
    assert (first["changed"], first["removed"], first["lines"]) == (True, ["crontab"], put_in["lines"])
    assert (second["changed"], second["removed"], second["lines"]) == (False, [], [])


def test_the_schedule_of_a_folder_that_is_gone_can_be_seen_and_taken_away(koog, workspace, odd, alone):
    koog("cron", "install")
    shutil.rmtree(odd)

    _, shown = koog("cron", "show", "--workspace", str(workspace))
    code, line = koog("cron", "remove", str(odd), "--workspace", str(workspace))

    assert shown["others"] == [{"kind": "crontab", "workspace": str(odd), "exists": False}]
    assert (code, line["changed"]) == (0, True)
    assert standing(alone) == ""


@pytest.mark.parametrize("flags", [[], ["--systemd"], ["--openclaw"]])
def test_a_dry_run_shows_the_lines_and_writes_nothing(flags, koog, workspace, alone):
    before = sorted(p for p in alone.rglob("*"))

    code, line = koog("cron", "install", *flags, "--dry-run")

    assert code == 0
    assert any("tick" in text for text in line["lines"])
    assert not line["active"]
    written = [p.name for p in alone.rglob("*") if p not in before]
    assert [name for name in written if name != "systemctl.calls"] == []
    assert calls(alone, "systemctl") == [c for c in calls(alone, "systemctl") if c.startswith("is-")]


def test_without_a_crontab_program_the_hint_is_systemd_and_the_rest_still_works(koog, workspace, alone, monkeypatch):
    only_git = alone / "only-git"
    only_git.mkdir()
    (only_git / "git").symlink_to(shutil.which("git"))
    monkeypatch.setenv("PATH", str(only_git))

    code, line = koog("cron", "install")

    assert (code, line["error"]["code"]) == (4, "not_found")
    assert line["error"]["hint"] == "koog cron install --systemd"
    assert koog("cron", "show")[1]["schedules"] == []
    assert koog("cron", "remove")[1]["changed"] is False


def test_a_crontab_that_may_not_be_read_is_left_alone(koog, workspace, alone):
    (alone / "crontab.broken").write_text("You (me) are not allowed to use this program (crontab)\n")

    code, line = koog("cron", "install")
    _, shown = koog("cron", "show")

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert "not allowed to use this program" in line["error"]["message"]
    assert any("not allowed" in warning for warning in shown["_meta"]["warnings"])
    assert calls(alone, "crontab") == []


def test_a_crontab_that_may_not_be_read_keeps_no_timer_from_being_taken_away(koog, workspace, alone):
    koog("cron", "install", "--systemd")
    (alone / "crontab.broken").write_text("You (me) are not allowed to use this program (crontab)\n")

    code, line = koog("cron", "remove")

    assert (code, line["removed"]) == (0, ["systemd"])
    assert units(alone) == {}
    assert len([w for w in line["_meta"]["warnings"] if "not allowed" in w]) == 1


def test_a_word_of_the_command_that_no_line_can_hold_is_refused(koog, workspace, alone):
    (workspace / "two\nlines.json").write_text("{}")

    for flags in ([], ["--systemd"]):
        code, line = koog("cron", "install", "--config", "two\nlines.json", *flags)
        assert (code, line["error"]["code"]) == (2, "usage")
    assert (standing(alone), units(alone)) == ("", {})


def test_a_crontab_that_refuses_the_new_text_fails_the_install(koog, workspace, alone):
    (alone / "crontab.full").touch()

    code, line = koog("cron", "install")

    assert (code, line["error"]["message"]) == (8, "crontab: No space left")


@pytest.mark.parametrize("command", [["install"], ["install", "--systemd"], ["remove"]])
def test_a_block_that_somebody_cut_in_half_is_for_them_to_mend(command, koog, workspace, alone):
    koog("cron", "install")
    half = "".join(standing(alone).splitlines(keepends=True)[:-1])
    (alone / "crontab").write_text(half)

    code, line = koog("cron", *command)

    assert (code, line["error"]["hint"]) == (8, "take it out with crontab -e")
    assert standing(alone) == half
    assert units(alone) == {}


def test_a_shell_that_does_not_read_the_line_is_named(koog, workspace, alone):
    (alone / "crontab").write_text("SHELL=/usr/bin/fish\n")

    _, line = koog("cron", "install")

    assert any("SHELL=/usr/bin/fish" in warning for warning in line["_meta"]["warnings"])


def test_many_installs_at_once_all_have_their_block(koog, workspace, alone, tmp_path):
    (alone / "crontab").write_text(PERSONS)
    (alone / "crontab.slow").touch()  # long enough for the others to read what will soon be old
    folders = [tmp_path / f"agent{n}" for n in range(3)]
    for folder in folders:
        (folder / ".koog").mkdir(parents=True)
    command = [sys.executable, "-m", "koog", "cron", "install", "--workspace"]

    started = [subprocess.Popen([*command, str(f)], stdout=subprocess.DEVNULL) for f in folders]

    assert [p.wait(120) for p in started] == [0] * len(folders)
    assert all(f"# <<< koog {folder}\n" in standing(alone) for folder in folders)


# --- a run of it


def test_what_cron_starts_is_a_tick_whatever_the_folder_is_called(koog, odd, alone):
    koog("cron", "install")

    mailed = run_due(alone)

    assert mailed == ""
    assert ticks_in(odd) == 1
    assert "new workspace" in git(odd, "log", "-1", "--format=%s")  # the tick's first step; its log lines rest


def test_two_overlapping_runs_are_one_tick_and_one_busy(koog, odd, alone, programs):
    hold = alone / "hold"
    put(programs / "git", WAITING_GIT.format(hold=hold, git=shutil.which("git")))
    koog("cron", "install")
    hold.touch()

    with subprocess.Popen(
        due(alone), env=bare(alone), cwd=alone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as first:
        try:
            wait_for_tick(odd)
            mailed = run_due(alone)
        finally:
            hold.unlink()
        mailed_of_first = first.communicate(timeout=120)[0]

    assert (mailed, mailed_of_first) == ("", b"")  # that one was busy is no reason to write to anybody
    assert ticks_in(odd) == 1
    assert not error_log(alone).exists()
    assert koog("cron", "show")[1]["errorLog"]["last"] == []
    _, line = koog("status")
    assert (line["cronErrors"], line["failures"], line["problems"]) == ([], [], [])


def test_a_workspace_that_is_busy_for_hours_is_an_alarm_all_the_same(koog, odd, alone):
    koog("cron", "install")
    run_due(alone)

    with lock.held(Root(odd / ".koog", barred=frozenset()).itself("tick.lock"), wait_s=0, what="it"):
        mailed = [run_due(alone) for _ in range(2)]
    later = clock.iso(clock.parse_now(None) + timedelta(hours=5))
    _, status = koog("status", "--now", later)
    _, doctor = koog("doctor", "--now", later)

    assert mailed == ["", ""]
    assert koog("status")[1]["problems"] == []
    assert status["problems"] == ["the heartbeat is overdue"]
    (finding,) = [f for f in doctor["findings"] if f["check"] == "schedule"]
    assert (finding["level"], "no tick for 5 hours" in finding["message"]) == ("error", True)


def test_an_observation_that_finds_another_one_at_work_is_no_failure_either(koog, odd, alone):
    koog("cron", "install")
    line = next(text for text in standing(alone).splitlines() if text.startswith("12-59/15 "))

    with lock.held(Root(odd / ".koog", barred=frozenset()).itself("observe.lock"), wait_s=0, what="it"):
        done = subprocess.run(
            ["/bin/sh", "-c", line.split(" ", 5)[5].replace("\\%", "%")],
            env=bare(alone),
            cwd=alone,
            capture_output=True,
        )
        direct = process("observe", cwd=odd)

    assert (direct.returncode, done.stdout, done.stderr) == (9, b"", b"")
    assert not error_log(alone).exists()
    assert koog("status")[1]["failures"] == []


def test_a_run_that_is_killed_without_a_word_is_told(koog, odd, alone, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(put(alone / "koog", "#!/bin/sh\nkill -9 $$\n"))])
    koog("cron", "install")

    assert run_due(alone).startswith("koog ended with 137\n")
    assert error_log(alone).read_text() == "koog ended with 137\n"


def error_log(alone: Path) -> Path:
    """Return the log of what the shell said, in the one state root that there is."""
    (found,) = (path for path in (alone / "state/koog").iterdir() if path.is_dir())
    return found / "cron.err"


def wait_for_tick(workspace: Path) -> None:
    """Return when a tick holds its lock."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if (workspace / ".koog/tick.lock").exists() and is_held(workspace / ".koog/tick.lock"):
            return
        time.sleep(0.05)
    raise AssertionError("no tick has begun")


def is_held(path: Path) -> bool:
    try:
        with lock.held(Root(path.parent, barred=frozenset()).itself(path.name), wait_s=0, what="it"):
            return False
    except lock.Busy:
        return True


def test_when_the_folder_is_gone_cron_mails_it(koog, odd, alone):
    koog("cron", "install")
    odd.rename(odd.with_name("elsewhere"))

    assert str(odd) in run_due(alone)


def test_when_the_program_is_gone_the_log_has_it_and_cron_mails_it(koog, odd, alone, monkeypatch):
    program = put(alone / "koog", "#!/bin/sh\n")
    monkeypatch.setattr(sys, "argv", [str(program)])
    koog("cron", "install")
    program.unlink()

    mailed = run_due(alone)
    _, shown = koog("cron", "show")

    assert str(program) in mailed
    assert str(program) in error_log(alone).read_text()
    assert str(program) in shown["errorLog"]["last"][-1]
    assert shown["schedules"][0]["programExists"] is False
    assert shown["next"] == ["koog cron install --every 30m"]


def test_a_tick_that_fails_is_mailed_with_its_reason(koog, odd, alone):
    koog("cron", "install")
    (odd / "koog-config.json").write_text("{")

    assert "koog-config.json" in run_due(alone)


def test_the_log_of_an_installation_that_stays_broken_does_not_grow_without_bound(koog, odd, alone, monkeypatch):
    program = put(alone / "koog", "#!/bin/sh\nhead -c 50000 /dev/zero | tr '\\0' x >&2\necho >&2\nexit 1\n")
    monkeypatch.setattr(sys, "argv", [str(program)])
    koog("cron", "install")

    for _ in range(6):
        run_due(alone)

    kept = [p.stat().st_size for p in error_log(alone).parent.glob("cron.err*")]
    assert len(kept) == 2
    assert all(50_000 < size < 64 * 1024 + 60_000 for size in kept)


# --- systemd


def test_a_timer_is_written_started_and_the_second_time_left_alone(koog, odd, alone):
    _, first = koog("cron", "install", "--systemd")
    before = calls(alone, "systemctl")
    _, second = koog("cron", "install", "--systemd")

    timers = " ".join(
        of_kind(f"{part}.timer", first["files"]) for part in ("", "-observe", "-extract", "-condense", "-prune")
    )
    assert (first["changed"], first["active"], second["changed"], second["active"]) == (True, True, False, True)
    assert [c for c in before if not c.startswith("is-")] == ["daemon-reload", f"enable --now {timers}"]
    assert [c for c in calls(alone, "systemctl")[len(before) :] if not c.startswith("is-")] == []
    assert "Persistent=true" in units(alone)[".timer"]
    assert [p for p in map(Path, first["files"]) if p.stat().st_mode & 0o077] == []
    assert any(step.startswith("loginctl enable-linger") for step in first["next"])
    typed = "\n".join(first["next"])  # each of them may be
    assert subprocess.run(["/bin/sh", "-nc", typed], check=False).returncode == 0


def test_a_timer_with_another_period_is_started_again(koog, workspace, alone):
    koog("cron", "install", "--systemd")

    _, line = koog("cron", "install", "--systemd", "--every", "24h")

    assert line["changed"]
    assert "OnCalendar=*-*-* 00:00:00\n" in units(alone)[".timer"]
    timers = " ".join(
        of_kind(f"{part}.timer", line["files"]) for part in ("", "-observe", "-extract", "-condense", "-prune")
    )
    assert calls(alone, "systemctl")[-1] == f"restart {timers}"


def test_where_systemctl_does_not_work_the_files_stand_and_the_reply_says_what_to_run(koog, workspace, alone):
    (alone / "systemctl.broken").touch()

    code, line = koog("cron", "install", "--systemd")

    assert (code, line["changed"], line["active"]) == (0, True, False)
    assert sorted(units(alone)) == SCHEDULED
    assert line["next"][0].startswith("systemctl --user daemon-reload && systemctl --user enable --now koog-ws-")


def test_systemd_takes_the_place_of_the_crontab_and_the_other_way_round(koog, workspace, alone):
    koog("cron", "install")

    _, timer = koog("cron", "install", "--systemd")
    between = standing(alone)
    _, block = koog("cron", "install")

    assert (timer["replaced"], between) == (["crontab"], "")
    assert (block["replaced"], units(alone)) == (["systemd"], {})
    assert not (alone / "systemctl.active").exists()


def test_remove_takes_all_units_and_the_link_that_enabled_them(koog, workspace, alone):
    _, line = koog("cron", "install", "--systemd")
    (alone / "systemctl.broken").touch()
    link = alone / "config/systemd/user/timers.target.wants" / Path(line["files"][1]).name
    link.parent.mkdir()
    link.symlink_to(line["files"][1])
    stranger = alone / "config/systemd/user/mine.timer"
    stranger.write_text("[Timer]\n")

    _, first = koog("cron", "remove")
    _, second = koog("cron", "remove")

    assert (first["removed"], second["changed"]) == (["systemd"], False)
    assert units(alone) == {}
    assert not link.is_symlink()
    assert stranger.exists()


def test_a_link_where_the_unit_should_be_is_not_written_through(koog, workspace, alone, tmp_path):
    _, line = koog("cron", "install", "--systemd", "--dry-run")
    unit, target = Path(line["files"][0]), tmp_path / "target"
    target.write_text("precious")
    unit.parent.mkdir(parents=True)
    unit.symlink_to(target)

    code, answer = koog("cron", "install", "--systemd")

    assert (code, answer["error"]["code"]) == (8, "workspace")
    assert target.read_text() == "precious"


# --- observe beside the tick, and the watcher


def test_the_crontab_runs_observe_every_15_minutes_with_the_same_options(koog, workspace, alone):
    koog("cron", "install", "--engine", "builtin")

    (line,) = [text for text in standing(alone).splitlines() if text.startswith("12-59/15 * * * * cd ")]

    assert " observe --engine builtin 2>&1 >/dev/null" in line


def test_systemd_runs_observe_by_a_timer_of_its_own(koog, workspace, alone):
    koog("cron", "install", "--systemd")

    assert "OnCalendar=*-*-* *:12/15:00\n" in units(alone)["-observe.timer"]
    assert '"observe"\n' in units(alone)["-observe.service"]


@pytest.mark.parametrize("flags", [[], ["--systemd"]])
def test_the_watcher_is_a_service_beside_either_schedule(flags, koog, workspace, alone):
    _, first = koog("cron", "install", "--watch", "--engine", "builtin", *flags)
    _, second = koog("cron", "install", "--watch", "--engine", "builtin", *flags)
    _, shown = koog("cron", "show", "--engine", "builtin")

    name = of_kind("-watch.service", first["files"])
    assert (first["changed"], second["changed"]) == (True, False)
    assert first["watch"] == {"service": name, "active": True}
    assert f"enable --now {name}" in calls(alone, "systemctl")
    assert {"Restart=always", "Type=exec", "WantedBy=default.target"} <= set(
        units(alone)["-watch.service"].splitlines()
    )
    assert '"watch" "--engine" "builtin"\n' in units(alone)["-watch.service"]
    assert shown["watch"] == {"service": name, "active": True, "current": True}
    assert (shown["next"], shown["lines"]) == ([], first["lines"])


def test_an_install_without_watch_takes_the_watcher_away(koog, workspace, alone):
    _, with_it = koog("cron", "install", "--watch")

    _, line = koog("cron", "install")

    assert (line["changed"], line["replaced"], line["watch"]) == (True, ["watch"], None)
    assert f"disable --now {of_kind('-watch.service', with_it['files'])}" in calls(alone, "systemctl")
    assert units(alone) == {}


def test_a_watcher_that_another_install_would_write_otherwise_is_not_current(koog, workspace, monkeypatch):
    koog("cron", "install", "--watch")
    monkeypatch.setenv("KOOG_ENGINE", "builtin")

    _, line = koog("cron", "show")

    assert line["watch"]["current"] is False
    assert line["next"] == ["koog cron install --every 30m --watch"]


def test_where_systemctl_does_not_work_the_watchers_line_is_told(koog, workspace, alone):
    (alone / "systemctl.broken").touch()

    code, line = koog("cron", "install", "--watch")

    assert (code, line["active"], line["watch"]["active"]) == (0, True, False)
    assert line["next"][0].endswith(f"enable --now {line['watch']['service']}")


def test_remove_takes_the_watcher_and_the_link_that_enabled_it(koog, workspace, alone):
    _, line = koog("cron", "install", "--watch")
    link = alone / "config/systemd/user/default.target.wants" / line["watch"]["service"]
    link.parent.mkdir()
    link.symlink_to(line["files"][0])

    _, gone = koog("cron", "remove")

    assert gone["removed"] == ["crontab", "watch"]
    assert gone["lines"] == line["lines"]
    assert (units(alone), link.is_symlink(), standing(alone)) == ({}, False, "")


def test_a_workspace_with_many_units_is_one_neighbour(koog, workspace, odd):
    koog("cron", "install", "--systemd", "--watch")

    _, line = koog("cron", "show", "--workspace", str(workspace))

    assert line["others"] == [{"kind": "systemd", "workspace": str(odd), "exists": True}]


def test_the_folders_of_the_hosts_are_passed_on(koog, workspace, alone, monkeypatch):
    monkeypatch.setenv("OPENCLAW_STATE_DIR", "/srv/claw")

    _, line = koog("cron", "install")

    assert line["environment"]["OPENCLAW_STATE_DIR"] == "/srv/claw"


def test_when_it_condenses_and_prunes_is_a_setting(koog, workspace, alone, monkeypatch):
    monkeypatch.setenv("KOOG_KNOWLEDGE_CONDENSE_AT", "15 22 * * *")
    monkeypatch.setenv("KOOG_KNOWLEDGE_PRUNE_AT", "0 3 * * 7")

    koog("cron", "install")

    starts = [line.partition(" cd ")[0] for line in standing(alone).splitlines()]
    assert "15 22 * * *" in starts
    assert "0 3 * * 7" in starts


@pytest.mark.parametrize("wrong", ["23:00", "0 25 * * *", "*/5 * * * *", "0 23 * * 8", "0 23 1 * *", ""])
def test_a_time_that_no_scheduler_here_can_keep_is_refused(koog, workspace, monkeypatch, wrong):
    monkeypatch.setenv("KOOG_KNOWLEDGE_CONDENSE_AT", wrong)

    code, line = koog("cron", "install")

    assert (code, line["error"]["code"]) == (3, "config")


# --- OpenClaw


def test_for_openclaw_the_reply_has_its_command_and_nothing_is_installed(koog, odd, alone):
    code, line = koog("cron", "install", "--openclaw", "--every", "1h")

    words, observe, extract, condense, prune = (shlex.split(text) for text in line["lines"])
    assert (code, line["changed"], line["active"]) == (0, False, False)
    assert words[:3] == ["openclaw", "cron", "add"]
    assert words[words.index("--every") + 1] == "1h"
    assert words[words.index("--command-cwd") + 1] == str(odd)
    assert json.loads(words[words.index("--command-argv") + 1]) == [*line["program"], "tick"]
    assert f"PATH={line['environment']['PATH']}" in words
    assert "--no-deliver" in words
    assert json.loads(observe[observe.index("--command-argv") + 1]) == [*line["program"], "observe"]
    assert observe[observe.index("--every") + 1] == "15m"
    assert json.loads(extract[extract.index("--command-argv") + 1]) == [*line["program"], "extract", "--scheduled"]
    assert condense[condense.index("--cron") + 1] == "0 23 * * *"
    assert json.loads(prune[prune.index("--command-argv") + 1]) == [*line["program"], "prune"]
    assert observe[observe.index("--name") + 1] == words[words.index("--name") + 1] + "-observe"
    assert (standing(alone), units(alone)) == ("", {})


# --- key and secrets


def test_a_key_in_the_environment_is_not_written_and_the_reply_names_the_file_as_the_way(
    koog, workspace, alone, monkeypatch
):
    secret = "sk-or-v1-" + "0123456789abcdef" * 4
    monkeypatch.setenv("OPENROUTER_API_KEY", secret)

    _, line = koog("cron", "install")

    assert any("OPENROUTER_API_KEY" in w and "--key-file" in w for w in line["_meta"]["warnings"])
    assert secret not in json.dumps(line) + standing(alone)


@pytest.mark.parametrize("way", ["file", "builtin"])
def test_a_key_that_a_run_finds_or_does_not_need_is_no_warning(way, koog, workspace, alone, monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "any")
    key = alone / "key"
    key.write_text("any")
    key.chmod(0o600)
    if way == "file":
        monkeypatch.setenv("KOOG_PROVIDER_API_KEY_FILE", str(key))

    _, line = koog("cron", "install", *(["--engine", "builtin"] if way == "builtin" else []))

    assert "--key-file" not in json.dumps(line["_meta"].get("warnings"))


def test_a_variable_that_looks_like_a_secret_is_named_and_left_out(koog, workspace, alone, monkeypatch):
    monkeypatch.setenv("KOOG_PROVIDER_BASE_URL", "https://me:pass" + "word@host.invalid/v1")

    _, line = koog("cron", "install")

    assert "word@host" not in json.dumps(line) + standing(alone)
    assert any("KOOG_PROVIDER_BASE_URL" in warning for warning in line["_meta"]["warnings"])


@pytest.mark.parametrize("flags", [[], ["--systemd"], ["--openclaw"]])
def test_a_key_file_is_named_in_the_operators_config_for_this_workspace_alone(
    flags, koog, workspace, odd, alone, monkeypatch
):
    monkeypatch.setenv("OPENROUTER_API_KEY", "any")
    key = put(alone / "model key", "sk-or-v1-0123\n")
    key.chmod(0o600)

    code, first = koog("cron", "install", "--key-file", "~/model key", *flags)
    _, second = koog("cron", "install", "--key-file", str(key), *flags)

    config = json.loads((alone / "config/koog/config.json").read_text())
    entries = {entry["path"]: entry for entry in config["workspaces"].values()}
    assert (code, first["keyFile"]) == (0, str(key))
    assert (first["changed"], second["changed"]) == (True, False)
    # A checkout in a temporary folder is told of its own.
    assert not [each for each in first["_meta"].get("warnings", []) if "may not stay there" not in each]
    assert entries[str(odd)]["provider"] == {"apiKeyFile": str(key)}
    assert str(workspace) not in entries
    assert "provider" not in config
    assert "sk-or" not in json.dumps(first) + standing(alone) + "".join(units(alone).values())


def test_a_key_file_that_is_unfit_stops_the_install_before_it_has_begun(koog, odd, alone):
    code, line = koog("cron", "install", "--key-file", "nowhere")

    assert (code, line["error"]["code"]) == (4, "not_found")
    assert line["error"]["hint"].startswith("install -m 600 /dev/null ")
    assert standing(alone) == ""


def test_a_dry_run_with_a_key_file_names_it_nowhere(koog, odd, alone):
    key = put(alone / "key", "k")
    key.chmod(0o600)

    _, line = koog("cron", "install", "--key-file", str(key), "--dry-run")

    assert (line["changed"], line["keyFile"]) == (True, str(key))
    assert "apiKeyFile" not in (alone / "config/koog/config.json").read_text()


def test_a_variable_that_names_another_key_file_is_told(koog, odd, alone, monkeypatch):
    monkeypatch.setenv("KOOG_PROVIDER_API_KEY_FILE", "/elsewhere/key")
    key = put(alone / "key", "k")
    key.chmod(0o600)

    _, line = koog("cron", "install", "--key-file", str(key))

    assert any("/elsewhere/key" in warning for warning in line["_meta"]["warnings"])


# --- what is shown


def test_where_nothing_is_installed_the_reply_says_how(koog, workspace):
    code, line = koog("cron", "show")

    assert code == 0
    assert (line["schedules"], line["others"], line["lastTick"]) == ([], [], None)
    assert line["errorLog"] == {"path": None, "bytes": 0, "last": []}
    assert line["next"] == ["koog cron install"]


@pytest.mark.parametrize(("flags", "kind"), [([], "crontab"), (["--systemd"], "systemd")])
def test_a_schedule_is_shown_with_its_next_run_and_the_last_tick(flags, kind, koog, workspace, in_utc):
    _, put_in = koog("cron", "install", "--every", "6h", *flags)
    koog("tick", "--now", "2026-02-28T12:01:00Z")

    _, line = koog("cron", "show", "--now", "2026-02-28T13:00:00Z")

    (row,) = line["schedules"]
    assert (row["kind"], row["every"], row["nextRun"]) == (kind, "6h", "2026-02-28T18:00:00Z")
    assert (row["active"], row["current"], row["programExists"]) == (True, True, True)
    assert line["lines"] == put_in["lines"]
    assert line["lastTick"]["ts"] == "2026-02-28T12:01:00Z"
    assert line["next"] == []


@pytest.mark.parametrize(("flags", "again"), [([], ""), (["--systemd"], " --systemd")])
def test_a_schedule_that_an_install_would_write_otherwise_is_not_current(flags, again, koog, workspace, monkeypatch):
    koog("cron", "install", "--every", "1h", *flags)
    monkeypatch.setenv("KOOG_ENGINE", "builtin")

    _, line = koog("cron", "show")

    assert line["schedules"][0]["current"] is False
    assert line["next"] == [f"koog cron install --every 1h{again}"]


def test_a_block_that_a_person_edited_is_shown_without_guesses(koog, workspace, alone):
    koog("cron", "install")
    (alone / "crontab").write_text(standing(alone).replace("# every 30m", "# often"))

    _, line = koog("cron", "show")

    (row,) = line["schedules"]
    assert (row["every"], row["nextRun"], row["program"], row["programExists"]) == (None, None, None, None)
    assert row["current"] is False


def test_a_timer_that_systemd_does_not_know_has_no_next_run(koog, workspace, alone):
    (alone / "systemctl.broken").touch()
    koog("cron", "install", "--systemd")

    _, line = koog("cron", "show")

    assert (line["schedules"][0]["active"], line["schedules"][0]["nextRun"]) == (False, None)
    assert line["next"] == ["koog cron install --every 30m --systemd"]


@pytest.mark.parametrize("flag", ["--systemd", "--watch"])
def test_flags_that_install_exclude_the_one_that_only_tells(flag, koog, workspace):
    assert koog("cron", "install", flag, "--openclaw")[1]["error"]["code"] == "usage"


def test_show_without_a_workspace_is_not_found(tmp_path, alone):
    done = process("cron", "show", cwd=tmp_path)

    assert json.loads(done.stdout)["error"]["code"] == "not_found"


@pytest.mark.parametrize("flags", [[], ["--systemd"]])
def test_a_dry_remove_says_what_it_would_take_and_leaves_it(flags, koog, workspace, alone):
    _, put_in = koog("cron", "install", *flags)

    _, line = koog("cron", "remove", "--dry-run")

    assert (line["changed"], line["lines"]) == (True, put_in["lines"])
    assert koog("cron", "show")[1]["schedules"][0]["active"] is True


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--config", "other.json", "--engine", "builtin"), "--config {0}/other.json --engine builtin"),
        (("--memory-dir", "memory"), "--memory-dir {0}/memory"),
        (("--modules-dir", "modules"), "--modules-dir {0}/modules"),
    ],
    ids=["config and engine", "memory", "modules"],
)
def test_the_shared_options_of_the_install_are_the_ticks_with_their_paths_in_full(
    koog, workspace, alone, options, told
):
    (workspace / "other.json").write_text("{}")

    code, line = koog("cron", "install", *options)

    assert code == 0, line
    assert f" tick {told.format(workspace)} 2>&1 >/dev/null" in due(alone)[2]
    assert run_due(alone) == ""
    assert koog("cron", "show", *options)[1]["schedules"][0]["current"] is True
