"""launchd's plists: what macOS reads in them, and what a machine does that carries them out."""

from __future__ import annotations

import json
import os
import plistlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.errors import UsageError
from koog.core.files import lock
from koog.core.files.roots import Root
from koog.operate import job, launchd, schedules
from koog.operate.job import Job
from tests.conftest import Koog
from tests.fakes.schedulers import CRONTAB, LAUNCHCTL, SYSTEMCTL, calls, put, short_folder
from tests.logs import LOGS

WORDS = st.text(
    st.characters(exclude_categories=("C", "Z")) | st.sampled_from(" &<>'\"%$`\\]"), min_size=1, max_size=12
)
PATHS = (
    st.lists(WORDS, min_size=1, max_size=4).map(lambda names: ("/" + "/".join(names)).rstrip(" \\")).filter("/".__ne__)
)
SCHEDULED = ["", "-condense", "-extract", "-observe", "-prune"]


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    yield from short_folder()


@pytest.fixture(autouse=True)
def programs(alone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with all three schedulers."""
    folder = alone / "programs"
    folder.mkdir()
    for name, text in (("crontab", CRONTAB), ("systemctl", SYSTEMCTL), ("launchctl", LAUNCHCTL)):
        put(folder / name, text)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


@pytest.fixture
def odd(koog: Koog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace in a folder whose name has what XML and shells stumble over."""
    folder = tmp_path / 'it\'s 50% "Ärger" & <$HOME>'
    koog("init", str(folder))
    monkeypatch.chdir(folder)
    return folder


def made(root: str = "/Users/me/agent", *, minutes: int = 30, **more: Any) -> Job:
    return Job(root, minutes, more.pop("program", ("/opt/koog",)), more.pop("options", ()), more, log="/state/cron.err")


def agents(home: Path) -> dict[str, dict[str, Any]]:
    """Return what the plists of the home say, by the end of their names."""
    found = sorted((home / "Library/LaunchAgents").glob("koog-*.plist"))
    return {p.stem.partition("-ws-")[2][8:]: plistlib.loads(p.read_bytes()) for p in found}


def loaded(home: Path) -> list[str]:
    return sorted(p.name for p in (home / "loaded").iterdir()) if (home / "loaded").exists() else []


def told(home: Path) -> list[str]:
    """Return what launchctl was told to change."""
    return [line for line in calls(home, "launchctl") if not line.startswith("print ")]


def carry_out(home: Path, values: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Start a job as launchd does: its folder, its variables and next to nothing beside."""
    env = {
        "HOME": str(home),
        "USER": "me",
        "SHELL": "/bin/zsh",
        "PATH": "/usr/bin:/bin",
        **values["EnvironmentVariables"],
    }
    return subprocess.run(
        values["ProgramArguments"],
        env=env,
        cwd=values["WorkingDirectory"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


def of_tick(home: Path) -> dict[str, Any]:
    return next(values for values in plists(home) if "tick" in values["ProgramArguments"])


def plists(home: Path) -> Iterator[dict[str, Any]]:
    for path in sorted((home / "Library/LaunchAgents").glob("koog-*.plist")):
        yield plistlib.loads(path.read_bytes())


def error_log(home: Path) -> Path:
    (found,) = (path for path in (home / "state/koog").iterdir() if path.is_dir())
    return found / "cron.err"


# --- the text


@given(root=PATHS, program=PATHS, option=WORDS, value=WORDS, minutes=st.sampled_from(job.PERIODS))
def test_a_plist_says_every_path_and_word_as_it_is(root, program, option, value, minutes):
    wanted = made(root, minutes=minutes, program=(program,), options=("--config", option), KOOG_X=value)

    texts = launchd.units(wanted) | launchd.watch_unit(wanted)

    plists = [plistlib.loads(text.encode()) for text in texts.values()]
    verbs = ("tick", "observe", "extract --scheduled", "condense monthly", "prune", "watch")
    for values, verb in zip(plists, verbs, strict=True):
        assert values["ProgramArguments"][5:] == [program, *verb.split(), "--config", option]
        assert values["WorkingDirectory"] == root
        assert values["EnvironmentVariables"] == {"KOOG_X": value}
    assert launchd.noted("".join(launchd.units(wanted).values())) == (minutes, program)
    assert [f"{values['Label']}.plist" for values in plists] == list(texts)


@pytest.mark.parametrize("minutes", job.PERIODS)
def test_each_period_is_its_multiples_from_midnight_on(minutes):
    moments = [
        (hour, m["Minute"]) for m in launchd.calendar(minutes) for hour in ([m["Hour"]] if "Hour" in m else range(24))
    ]

    assert sorted(moments) == [divmod(minute, 60) for minute in range(0, 24 * 60, minutes)]


def test_observe_runs_three_minutes_before_each_tick_of_the_usual_period():
    observe = plistlib.loads(list(launchd.units(made()).values())[1].encode())

    assert observe["StartCalendarInterval"] == [{"Minute": minute} for minute in (12, 27, 42, 57)]


@pytest.mark.parametrize(("minutes", "at_login"), [(30, False), (60, False), (120, True), (1440, True)])
def test_a_long_period_runs_at_login_too_because_launchd_makes_up_for_sleep_only(minutes, at_login):
    tick, observe, *_ = (plistlib.loads(t.encode()) for t in launchd.units(made(minutes=minutes)).values())

    assert (tick["RunAtLoad"], observe["RunAtLoad"]) == (at_login, False)
    assert (tick["ProcessType"], tick["LowPriorityIO"]) == ("Background", True)


def test_the_watcher_comes_back_whatever_ended_it():
    (text,) = launchd.watch_unit(made()).values()

    values = plistlib.loads(text.encode())
    assert (values["KeepAlive"], values["RunAtLoad"], values["ThrottleInterval"]) == (True, True, 60)


@pytest.mark.parametrize("word", ["a\nb", "a\x00b", "a\udcffb", "a\x1bb"])
def test_what_no_plist_can_hold_is_refused(word):
    with pytest.raises(UsageError):
        launchd.units(made(f"/x/{word}"))
    with pytest.raises(UsageError):
        launchd.units(made(options=("--config", word)))


@given(text=st.text(max_size=60) | st.binary(max_size=60).map(lambda b: b.decode("utf-8", "surrogateescape")))
def test_a_text_that_somebody_has_edited_says_nothing_and_breaks_nothing(text):
    whole = "".join(launchd.units(made()).values())

    assert launchd.noted(text) is None
    assert launchd.noted(f"{text}{whole}") in (None, launchd.noted(whole))


@given(words=st.lists(WORDS, max_size=5), code=st.sampled_from([0, 1, 9, 137]))
def test_the_shell_in_between_hands_every_word_on_and_takes_busy_for_no_failure(tmp_path_factory, words, code):
    folder = tmp_path_factory.mktemp("run")
    program = put(
        folder / "a program",
        '#!/bin/sh\nfor w; do printf "%s\\0" "$w"; done >"${0%/*}/words"\necho said >&2\nexit $CODE\n',
    )
    log = folder / "cron.err"

    done = subprocess.run(
        ["/bin/sh", "-c", launchd.RUN, "koog", str(log), str(program), *words],
        env={"PATH": "/usr/bin:/bin", "CODE": str(code)},
        capture_output=True,
        text=True,
    )

    assert (folder / "words").read_text().split("\0")[:-1] == words
    assert (done.returncode, done.stdout, done.stderr) == (0 if code == 9 else code, "", "")
    assert (log.read_text() if log.exists() else None) == (None if code == 9 else "said\n")


# --- in place and out again


def test_agents_are_written_loaded_and_the_second_time_left_alone(koog, workspace, alone):
    code, first = koog("cron", "install", "--launchd")
    before = told(alone)
    _, second = koog("cron", "install", "--launchd")

    session, names = f"gui/{os.getuid()}", [Path(file).stem for file in first["files"]]
    assert (code, first["kind"]) == (0, "launchd")
    assert (first["changed"], first["active"], second["changed"], second["active"]) == (True, True, False, True)
    assert before == [
        line
        for name in names
        for line in (f"enable {session}/{name}", f"bootstrap {session} {alone}/Library/LaunchAgents/{name}.plist")
    ]
    assert told(alone) == before
    assert loaded(alone) == sorted(names)
    assert [p for p in map(Path, first["files"]) if p.stat().st_mode & 0o077] == []
    assert first["next"] == ["koog cron show"]


def test_another_period_takes_the_old_one_out_and_waits_until_it_is_gone(koog, workspace, alone):
    koog("cron", "install", "--launchd")

    _, line = koog("cron", "install", "--launchd", "--every", "2h")

    assert (line["changed"], line["active"]) == (True, True)
    assert len(agents(alone)[""]["StartCalendarInterval"]) == 12
    assert plistlib.loads((alone / "loaded" / Path(line["files"][0]).stem).read_bytes()) == agents(alone)[""]


def test_where_no_session_answers_the_plists_stand_for_the_next_login(koog, workspace, alone):
    (alone / "launchctl.broken").touch()

    code, line = koog("cron", "install", "--launchd")

    assert (code, line["changed"], line["active"]) == (0, True, False)
    assert sorted(agents(alone)) == SCHEDULED
    assert any("next login" in warning for warning in line["_meta"]["warnings"])
    assert line["next"][0].startswith(f"launchctl bootstrap gui/{os.getuid()} ~/Library/LaunchAgents/koog-ws-")


def test_without_launchctl_nothing_is_written(koog, workspace, alone, programs):
    (programs / "launchctl").unlink()

    code, line = koog("cron", "install", "--launchd")

    assert (code, line["error"]["code"], line["error"]["hint"]) == (4, "not_found", "koog cron install")
    assert agents(alone) == {}


def test_each_scheduler_takes_the_place_of_the_others(koog, workspace, alone):
    koog("cron", "install")

    _, launch = koog("cron", "install", "--launchd")
    between = (alone / "crontab").read_text()
    _, timer = koog("cron", "install", "--systemd")
    _, again = koog("cron", "install", "--launchd")
    _, block = koog("cron", "install")

    assert (launch["replaced"], between) == (["crontab"], "")
    assert (timer["replaced"], again["replaced"], block["replaced"]) == (["launchd"], ["systemd"], ["launchd"])
    assert (agents(alone), loaded(alone)) == ({}, [])


def test_what_works_is_not_given_up_for_what_does_not(koog, workspace, alone):
    koog("cron", "install")
    (alone / "launchctl.broken").touch()

    _, line = koog("cron", "install", "--launchd")

    assert line["replaced"] == []
    assert "koog tick" in (alone / "crontab").read_text()
    assert any("the crontab keeps its block" in warning for warning in line["_meta"]["warnings"])


def test_remove_takes_all_of_it_once_and_nothing_of_anybody_elses(koog, workspace, odd, alone):
    koog("cron", "install", "--launchd")
    stranger = alone / "Library/LaunchAgents/com.example.mine.plist"
    stranger.write_bytes(plistlib.dumps({"Label": "com.example.mine"}))
    _, put_in = koog("cron", "install", "--launchd", "--watch", "--workspace", str(workspace))

    _, dry = koog("cron", "remove", str(workspace), "--dry-run")
    standing = sorted(agents(alone))
    _, first = koog("cron", "remove", str(workspace))
    _, second = koog("cron", "remove", str(workspace))

    assert sorted(dry["removed"]) == sorted(first["removed"]) == ["launchd", "watch"]
    assert standing == [*SCHEDULED, "-watch"]
    assert first["lines"] == put_in["lines"]
    assert (second["changed"], second["removed"]) == (False, [])
    assert stranger.exists()
    assert [p["WorkingDirectory"] for p in plists(alone)] == [str(odd)] * 5
    assert len(loaded(alone)) == 5


def test_the_watcher_is_an_agent_too_and_goes_when_it_is_not_asked_for(koog, workspace, alone):
    _, first = koog("cron", "install", "--launchd", "--watch")
    _, shown = koog("cron", "show")
    _, second = koog("cron", "install", "--launchd")

    name = Path(first["files"][5]).name
    assert first["watch"] == {"service": name, "active": True}
    assert shown["watch"] == {"service": name, "active": True, "current": True}
    assert second["replaced"] == ["watch"]
    assert sorted(agents(alone)) == SCHEDULED


def test_a_dry_run_writes_and_loads_nothing(koog, workspace, alone):
    code, line = koog("cron", "install", "--launchd", "--watch", "--dry-run")

    assert (code, line["active"]) == (0, False)
    assert any("<string>tick</string>" in text for text in line["lines"])
    assert not (alone / "Library").exists()
    assert told(alone) == []


def test_what_stands_is_shown(koog, odd, alone, workspace):
    _, put_in = koog("cron", "install", "--launchd", "--every", "1h")

    _, line = koog("cron", "show")
    _, other = koog("cron", "show", "--workspace", str(workspace))

    (row,) = line["schedules"]
    assert (row["kind"], row["every"], row["active"], row["current"]) == ("launchd", "1h", True, True)
    assert (row["program"], row["programExists"]) == (put_in["program"][0], True)
    assert (line["lines"], line["next"]) == (put_in["lines"], [])
    assert other["others"] == [{"kind": "launchd", "workspace": str(odd), "exists": True}]


@pytest.mark.parametrize(
    "edit", [lambda b: b[:-30], lambda b: plistlib.dumps(plistlib.loads(b), fmt=plistlib.FMT_BINARY)]
)
def test_a_plist_that_a_person_edited_is_shown_without_guesses_and_mended_by_an_install(edit, koog, workspace, alone):
    _, line = koog("cron", "install", "--launchd")
    file = Path(line["files"][0])
    file.write_bytes(edit(file.read_bytes()))

    _, shown = koog("cron", "show")
    _, again = koog("cron", "install", "--launchd")

    (row,) = shown["schedules"]
    assert (row["every"], row["program"], row["current"]) == (None, None, False)
    assert shown["next"] == ["koog cron install --launchd"]
    assert (again["changed"], koog("cron", "show")[1]["schedules"][0]["current"]) == (True, True)


def test_flags_exclude_one_another(koog, workspace):
    for flag in ("--systemd", "--openclaw"):
        assert koog("cron", "install", "--launchd", flag)[1]["error"]["code"] == "usage"


def test_a_folder_that_macos_keeps_from_programs_in_the_background_is_named(koog, alone, monkeypatch):
    folder = alone / "Documents/vault"
    koog("init", str(folder))
    monkeypatch.chdir(folder)

    _, line = koog("cron", "install", "--launchd")

    assert any("~/Documents" in w and "Full Disk Access" in w for w in line["_meta"]["warnings"])


def test_no_key_ever_stands_in_a_plist(koog, workspace, alone, monkeypatch):
    secret = "sk-or-v1-" + "0123456789abcdef" * 4
    monkeypatch.setenv("OPENROUTER_API_KEY", secret)
    monkeypatch.setenv("KOOG_API_KEY", secret)

    _, line = koog("cron", "install", "--launchd")

    assert secret not in json.dumps(line) + "".join(Path(file).read_text() for file in line["files"])


def test_on_a_mac_it_is_what_an_install_takes():
    assert schedules.usual("darwin") == "launchd"
    assert schedules.usual("linux") == schedules.usual("freebsd14") == "crontab"


# --- a run of it


def ticks_in(workspace: Path) -> int:
    rows = [json.loads(line) for file in (workspace / LOGS).glob("*.jsonl") for line in file.read_text().splitlines()]
    return sum("_type" not in row for row in rows)


def test_what_launchd_starts_is_a_tick_whatever_the_folder_is_called(koog, odd, alone):
    koog("cron", "install", "--launchd")

    done = carry_out(alone, of_tick(alone))

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert ticks_in(odd) == 1
    assert not error_log(alone).exists()


def test_another_koog_at_work_is_a_success_of_which_nothing_is_written(koog, odd, alone):
    koog("cron", "install", "--launchd")

    with lock.held(Root(odd / ".koog", barred=frozenset()).itself("tick.lock"), wait_s=0, what="it"):
        done = carry_out(alone, of_tick(alone))

    assert (done.returncode, done.stderr, ticks_in(odd)) == (0, "", 0)
    assert not error_log(alone).exists()


def test_a_failure_is_one_with_its_words_in_the_log(koog, odd, alone):
    koog("cron", "install", "--launchd")
    (odd / "koog-config.json").write_text("{")

    done = carry_out(alone, of_tick(alone))

    assert done.returncode == 3
    assert "koog-config.json" in error_log(alone).read_text()


def test_the_log_of_a_broken_installation_does_not_grow_without_bound(koog, odd, alone, monkeypatch):
    program = put(alone / "koog", "#!/bin/sh\nhead -c 50000 /dev/zero | tr '\\0' x >&2\nexit 1\n")
    monkeypatch.setattr(sys, "argv", [str(program)])
    koog("cron", "install", "--launchd", "--watch")

    for values in plists(alone):
        for _ in range(6):
            carry_out(alone, values)

    for name in ("cron.err", "watch.err"):
        kept = [p.stat().st_size for p in error_log(alone).parent.glob(f"{name}*")]
        assert len(kept) == 2
        assert max(kept) < 64 * 1024 + 60_000


def test_the_watcher_is_the_process_that_launchd_ends(koog, odd, alone, monkeypatch):
    program = put(alone / "koog", '#!/bin/sh\necho $$ >"$HOME/pid"\nexec sleep 600\n')
    monkeypatch.setattr(sys, "argv", [str(program)])
    koog("cron", "install", "--launchd", "--watch")
    watch = next(values for values in plists(alone) if "watch" in values["ProgramArguments"])

    with subprocess.Popen(watch["ProgramArguments"], env={"HOME": str(alone), "PATH": os.environ["PATH"]}) as process:
        until = time.monotonic() + 60
        while not (alone / "pid").exists() or not (alone / "pid").read_text().strip():
            assert time.monotonic() < until
            time.sleep(0.02)
        process.terminate()

    assert process.returncode == -15
    assert int((alone / "pid").read_text()) == process.pid
