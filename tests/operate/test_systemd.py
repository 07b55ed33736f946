"""systemd's units: what systemd itself says of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from koog.operate import job, systemd
from koog.operate.job import Job

needs_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")


def made(folder: Path) -> Job:
    """Return a job whose program really is in the folder."""
    folder.mkdir(parents=True)
    program = folder / "koog"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    variables = {"PATH": "/usr/bin:/bin", "KOOG_X": str(folder)}
    return Job(str(folder), 30, (str(program),), ("--config", f"{folder}/c"), variables)


def verify(units: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    for name, text in units.items():
        (folder / name).write_text(text, "utf-8")
    command = ["systemd-analyze", "verify", *(str(folder / name) for name in units)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.wide(4)
@needs_systemd
@pytest.mark.parametrize("name", ["plain", "with space", "50% off", "$HOME", "Ärger 日本", "it's", 'a "b"', "a\\tb"])
def test_systemd_takes_the_units_of_any_folder(name, tmp_path):
    wanted = made(tmp_path / name)

    done = verify(systemd.units(wanted) | systemd.watch_unit(wanted), tmp_path / "units")

    assert (done.returncode, done.stderr) == (0, "")


@needs_systemd
def test_a_program_that_is_gone_is_seen_by_that_check(tmp_path):
    wanted = made(tmp_path / "50% off")
    Path(wanted.program[0]).unlink()

    done = verify(systemd.units(wanted), tmp_path / "units")

    assert done.returncode != 0
    assert f"{wanted.program[0]} is not executable" in done.stderr


@pytest.mark.wide(5)
@needs_systemd
@pytest.mark.parametrize("minutes", job.PERIODS)
def test_systemd_reads_each_period_as_the_next_multiple(minutes):
    command = ["systemd-analyze", "calendar", "--base-time=2026-02-28 00:00:00 UTC", systemd.calendar(minutes)]

    said = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"TZ": "UTC", "PATH": "/usr/bin:/bin"}
    )

    hours, rest = divmod(minutes, 60)
    day = "2026-03-01" if hours == 24 else "2026-02-28"
    assert re.search(rf"Next elapse: \w+ {day} {hours % 24:02}:{rest:02}:00 UTC", said.stdout)


def test_a_missed_run_is_made_up_for_and_a_busy_one_is_no_failure(tmp_path):
    service, timer, *observe = systemd.units(made(tmp_path / "ws")).values()

    assert {"OnCalendar=*-*-* *:00/30:00", "Persistent=true", "WantedBy=timers.target"} <= set(timer.splitlines())
    assert {"Type=oneshot", "SuccessExitStatus=9", "TimeoutStartSec=600"} <= set(service.splitlines())
    assert {"Type=oneshot", "SuccessExitStatus=9", "TimeoutStartSec=600"} <= set(observe[0].splitlines())
    assert {"Persistent=true", "WantedBy=timers.target"} <= set(observe[1].splitlines())


def test_a_percent_sign_is_doubled_and_a_dollar_sign_is_no_variable(tmp_path):
    folder = tmp_path / "5% $HOME"

    service = next(iter(systemd.units(made(folder)).values()))

    escaped = str(folder).replace("%", "%%")
    assert f"WorkingDirectory={escaped}" in service.splitlines()
    assert f'ExecStart=":{escaped}/koog" "tick" "--config" "{escaped}/c"' in service.splitlines()
    assert f'Environment="KOOG_X={escaped}"' in service.splitlines()
