"""The contract of every call: one line, its exit code, and what happens when the call itself is wrong."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from koog import __version__
from koog.cli import COMMANDS
from tests.conftest import git, process

ENTRY = json.dumps({"tickId": "t1", "feedbackScores": None, "actionsConsidered": []})
LOG = ("log", "--entry", ENTRY)
NOON, LATER = "2026-02-28T12:00:00Z", "2026-02-28T13:00:00Z"
KOOG = [sys.executable, "-m", "koog"]
GROUPS = [name for name, target in COMMANDS.items() if isinstance(target, dict)]


# --- the options that every command has


@pytest.mark.parametrize(
    "argv",
    [
        ("--now", NOON, "feedback"),
        ("feedback", "--now", NOON),
        (f"--now={NOON}", "feedback"),
        ("--now", NOON, "module", "stack"),
        ("module", "--now", NOON, "stack"),
        ("module", "stack", "--now", NOON),
        ("--now", LATER, "feedback", "--now", NOON),
        ("--now", LATER, "module", "--now", LATER, "stack", "--now", NOON),
    ],
    ids=" ".join,
)
def test_a_shared_option_stands_before_or_after_the_name_and_the_later_one_wins(koog, argv):
    code, line = koog(*argv)

    assert (code, line["_meta"]["ts"]) == (0, NOON)


@pytest.mark.parametrize("flag", ["--dry-run", "-n"])
@pytest.mark.parametrize("before", [True, False])
def test_a_dry_run_says_what_it_would_do_and_does_nothing(koog, workspace, flag, before):
    head = git(workspace, "rev-parse", "HEAD")

    code, line = koog(*((flag, *LOG) if before else (*LOG, flag)))

    assert (code, line["_meta"]["dryRun"]) == (0, True)
    assert [c["path"] for c in line["_meta"]["changes"]] == [line["path"]]
    assert git(workspace, "status", "--porcelain", "--ignored", "--untracked-files=all") == "!! .koog/.gitignore"
    assert git(workspace, "rev-parse", "HEAD") == head


@pytest.mark.parametrize("before", [True, False])
def test_workspace_and_config_are_taken_on_either_side(koog, tmp_path, monkeypatch, before):
    (tmp_path / "other/.koog").mkdir(parents=True)
    (tmp_path / "my.json").write_text('{"git": {"commit": "off"}}')
    monkeypatch.chdir(tmp_path)
    shared = ("--workspace", "other", "--config", "my.json")

    code, line = koog(*((*shared, *LOG) if before else (*LOG, *shared)))

    assert code == 0
    assert "warnings" not in line["_meta"]
    assert (tmp_path / "other" / line["path"]).exists()


@pytest.mark.parametrize("argv", [("--engine", "gpt", "feedback"), ("feedback", "--engine", "gpt")])
def test_an_engine_that_is_none_is_a_wrong_call_that_lists_the_three(koog, argv):
    code, line = koog(*argv)

    assert (code, line["error"]["code"]) == (2, "usage")
    assert "auto, llm, builtin" in line["error"]["message"]


@pytest.mark.parametrize("argv", [("--now", "soon", "feedback"), ("feedback", "--now", "soon"), ("--now", "-1", *LOG)])
def test_a_now_that_is_no_time_is_a_wrong_call_and_still_one_line(koog, workspace, argv):
    code, line = koog(*argv)

    assert (code, line["error"]["code"]) == (2, "usage")
    assert "--now" in line["error"]["message"]
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", line["_meta"]["ts"])
    assert not (workspace / "memory/playbook-logs").exists()


@pytest.mark.parametrize("option", ["--now", "--workspace", "--config", "--engine", "--memory-dir", "--modules-dir"])
def test_an_empty_option_is_not_taken_for_none(koog, workspace, option):
    """`--workspace "$DIR"` in a crontab, with DIR unset, must not work on whatever folder cron is in."""
    code, line = koog(*LOG, option, "")

    assert (code, line["error"]["code"]) == (2, "usage")
    assert not (workspace / "memory/playbook-logs").exists()


# --- wrong calls


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("module",),
        ("playbook", "--dry-run"),
        ("nope",),
        ("module", "nope"),
        ("feedback", "--nope"),
        ("--nope", "feedback"),
        ("feedback", "extra"),
        ("log",),
        ("log", "--entry"),
        ("--now",),
        ("module", "priority", "rn", "much"),
        ("signal", "--session-summary", "x", "--idle=maybe"),
        ("",),
        ("--",),
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_one_line_of_json_and_exit_2(koog, argv):
    code, line = koog(*argv)

    assert (code, line["error"]["code"], line["error"]["retryable"]) == (2, "usage", False)
    assert line["error"]["message"]
    assert line["_meta"]["schema"] == "koog.error/1"


@pytest.mark.parametrize("argv", [("teach", "x"), ("teach", "x", "--type", "bogus"), ("cron", "nope")], ids=" ".join)
def test_a_wrong_call_names_the_help_of_its_own_command(koog, argv):
    assert koog(*argv)[1]["error"]["hint"] == f"koog {argv[0]} --help"


def test_a_wrong_call_in_a_process_of_its_own_says_it_on_both_streams(workspace):
    done = process("nope", cwd=workspace)

    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["hint"] == "koog --help"
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("koog: ")


@pytest.mark.parametrize("text", ["a\u2028b", "a\nb", "a\x85b", "\x1b[31ma", "a\rb"])
def test_a_message_with_line_breaks_or_escapes_stays_one_plain_line_on_both_streams(workspace, text):
    done = process("feedback", "--config", text, cwd=workspace)

    assert done.returncode == 3
    assert len(done.stdout.splitlines()) == 1
    assert text in json.loads(done.stdout)["error"]["message"]
    assert len(done.stderr.splitlines()) == 1
    assert "\x1b" not in done.stdout + done.stderr


def test_an_argument_that_is_no_text_is_a_wrong_call(workspace):
    done = subprocess.run([*KOOG, b"\xff\xfe"], cwd=workspace, capture_output=True)

    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "usage"
    assert b"Traceback" not in done.stderr


def test_outside_any_workspace_a_command_is_not_found_with_a_way_on(tmp_path):
    done = process("feedback", cwd=tmp_path)

    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (4, "not_found")
    assert "koog init" in error["hint"]


# --- help and version


def test_the_version_is_one_word(tmp_path):
    done = process("--version", cwd=tmp_path)

    assert (done.returncode, done.stdout, done.stderr) == (0, f"{__version__}\n", "")


def test_help_names_every_command(tmp_path):
    done = process("--help", cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    listed = done.stdout.partition("Commands:")[2].split()
    assert set(COMMANDS) <= set(listed)
    assert "--dry-run" in done.stdout


@pytest.mark.parametrize("argv", [("--help",), ("log", "--help"), ("module", "--help"), ("module", "import", "--help")])
def test_help_is_plain_text_on_a_terminal_that_wants_colour_too(tmp_path, argv):
    code, shown = on_terminal(*argv, cwd=tmp_path, FORCE_COLOR="1", CLICOLOR_FORCE="1")

    assert code == 0
    assert "Usage: koog" in shown
    assert "\x1b" not in shown
    assert not re.search("[─│╭╮]", shown)


# --- for people


def on_terminal(*argv: str, cwd: Path, **env: str) -> tuple[int, str]:
    """Run koog with a terminal as standard output; return its exit code and what the person sees."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [*KOOG, *argv],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm-256color", **env},
    )
    os.close(theirs)
    shown = b""
    while chunk := read(ours):
        shown += chunk
    os.close(ours)
    return child.wait(timeout=120), shown.decode()


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says EIO where others say end of file
        return b""


def test_human_shows_the_reply_without_json_and_piped_without_escapes(sample):
    done = process("--human", "module", "list", cwd=sample)

    assert done.returncode == 0
    assert "modules" in done.stdout
    assert "│" in done.stdout
    assert "{" not in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "argv",
    [("--human", "module", "info", "nope"), ("module", "info", "nope", "--human"), ("log", "--human")],
    ids=" ".join,
)
def test_human_shows_a_failure_too_with_the_same_exit_code(workspace, argv):
    done = process(*argv, cwd=workspace)

    assert done.returncode in (2, 4)
    assert re.match("(usage|not_found): ", done.stdout)
    assert "{" not in done.stdout


COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]")


def test_human_is_coloured_on_a_terminal_unless_no_colour_is_wanted(workspace):
    argv = ("--human", "module", "info", "nope")

    _, shown = on_terminal(*argv, cwd=workspace)
    _, plain = on_terminal(*argv, cwd=workspace, NO_COLOR="1")

    assert COLOUR.search(shown)
    assert not COLOUR.search(plain)


def test_json_is_json_on_a_terminal_too(workspace):
    code, shown = on_terminal("feedback", cwd=workspace)

    assert code == 0
    assert json.loads(shown)["ok"] is True


# --- interrupted, and nobody reading


def test_an_interrupt_is_one_line_and_130(workspace, llm):
    asked, done = threading.Event(), threading.Event()

    def hold(_) -> None:
        asked.set()
        done.wait(120)

    llm.raw(hold)
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*KOOG, "signal", "--session-summary", "x"],
        cwd=workspace,
        stdout=pipe,
        stderr=pipe,
        text=True,
        # Where these tests run in a shell's background, ^C is ignored, and a child would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  it takes no lock
    ) as child:
        assert asked.wait(120)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=120)
    done.set()

    assert child.returncode == 130
    assert len(out.splitlines()) == 1
    assert json.loads(out)["error"]["code"] == "interrupted"
    assert err == "koog: interrupted\n"


@contextmanager
def nobody_reads() -> Iterator[int]:
    """A pipe whose reader has gone away."""
    theirs, ours = os.pipe()
    os.close(theirs)
    yield ours
    os.close(ours)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("argv", "code"),
    [(("feedback",), 0), (("module", "info", "nope"), 4), (("nope",), 2), (("--human", "feedback"), 0)],
    ids=["success", "failure", "wrong call", "human"],
)
def test_a_reader_that_has_gone_changes_neither_the_exit_code_nor_makes_noise(workspace, argv, code, unbuffered):
    with nobody_reads() as pipe:
        done = subprocess.run(
            [*KOOG, *argv],
            cwd=workspace,
            stdout=pipe,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )

    assert done.returncode == code
    assert len(done.stderr.splitlines()) == (1 if code else 0)


def test_nobody_reading_either_stream_is_no_other_exit_code(workspace):
    with nobody_reads() as pipe:
        done = subprocess.run([*KOOG, "module", "info", "nope"], cwd=workspace, stdout=pipe, stderr=pipe)

    assert done.returncode == 4


def test_a_closed_standard_output_is_no_crash(workspace):
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *KOOG, "feedback"], cwd=workspace, capture_output=True, text=True
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_line_that_could_not_be_written_is_no_success(workspace):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*KOOG, *LOG], cwd=workspace, stdout=full, stderr=subprocess.PIPE)

    assert done.returncode != 0


def test_long_work_shows_a_bar_on_a_terminal_and_only_there(sample):
    near, far = pty.openpty()
    shown = bytearray()
    reader = threading.Thread(target=shown.extend, args=(_until_closed(near),))
    reader.start()  # while it runs: a terminal that nobody reads is full after a few seconds, and whoever writes waits
    command = [sys.executable, "-m", "koog", "tick", "--idle", "--now", "2026-02-28T20:00:00Z"]
    env = {**os.environ, "TERM": "xterm"}

    on_terminal = subprocess.run(
        command, cwd=sample, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=far, env=env
    )
    os.close(far)
    reader.join()
    os.close(near)
    piped = process("tick", "--idle", "--now", "2026-02-28T20:30:00Z", cwd=sample)

    assert b"synthesize" in shown or b"%" in shown
    assert json.loads(on_terminal.stdout)["ok"] is True
    assert piped.stderr == ""


def _until_closed(terminal: int) -> Iterator[int]:
    """Yield the bytes that come from a terminal, until nobody has its other end any more."""
    with suppress(OSError):  # how Linux says so
        while part := os.read(terminal, 4096):
            yield from part


# --- a caller's odd surroundings


@pytest.mark.parametrize("now", ["0001-01-01", "0001-01-10T00:00:00+14:00", "1969-12-31", "9999-01-01", "9999-12-31"])
def test_a_now_that_has_no_weeks_around_it_is_a_wrong_call(koog, now):
    code, line = koog("feedback", "--now", now)

    assert (code, line["error"]["code"]) == (2, "usage")


@pytest.mark.parametrize("now", ["1970-01-01", "9998-12-31T23:59:59Z"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_every_other_now_is_taken_in_every_zone(koog, sample, monkeypatch, now, zone):
    monkeypatch.setenv("KOOG_TIMEZONE", zone)

    code, line = koog("tick", "--now", now, "--idle")

    assert code == 0
    assert line["degraded"] == []


@pytest.mark.parametrize("option", ["--workspace", "--memory-dir", "--modules-dir"])
@pytest.mark.parametrize("name", ["a" * 300, "a/" * 3000, "circle/memory"])
def test_a_folder_with_an_impossible_name_is_no_bug(koog, workspace, option, name):
    (workspace / "circle").symlink_to("circle")

    _, line = koog("mine", option, name)

    assert line["error"]["code"] in ("usage", "workspace")


@pytest.mark.parametrize("folder", [".git", ".git/memory", ".koog"])
def test_the_memory_does_not_lie_in_gits_folder_or_koogs_own(koog, workspace, folder):
    code, line = koog("--workspace", ".", "feedback", "--memory-dir", folder)

    assert (code, line["error"]["code"]) == (2, "usage")


def shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line in which `KOOG` stands for koog."""
    line = command.replace("KOOG", " ".join(KOOG))
    return subprocess.run(["sh", "-c", line], cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def test_in_a_folder_that_is_gone_there_is_no_workspace(tmp_path):
    done = shell("mkdir gone && cd gone && rmdir ../gone && KOOG feedback", tmp_path)

    assert done.returncode == 4
    assert json.loads(done.stdout)["error"]["code"] == "not_found"


def test_with_standard_error_closed_stdout_has_the_line_and_nothing_else(workspace):
    done = shell("KOOG nonsense 2>&-", workspace)

    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "usage"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_line_that_cannot_be_written_ends_with_the_code_of_a_full_disk(workspace):
    done = shell("KOOG feedback >/dev/full", workspace)

    assert done.returncode == 8
    assert "Traceback" not in done.stderr
