"""Any arguments, any bytes on standard input and in every file: one JSON line, an exit code of the table, no traceback.

In this process, by koog.cli.main, with the built-in engine; a few calls are processes of their own, for raw bytes and
closed streams. KOOG_FUZZ=5000 sets how many examples each property tries (here a few dozen, for the time it takes);
a failure prints its arguments and its file, which become a test of their own where the defect is mended.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, assume, currently_in_test_context, event, given, note, settings
from hypothesis import strategies as st

from koog.cli import main
from koog.core.errors import KoogError
from tests import wild
from tests.conftest import fits, git
from tests.copies import copy

EXAMPLES = int(os.environ.get("KOOG_FUZZ", "0"))
HANGS_S = 60
NOW = ["--now", "2026-02-28T12:00:00Z"]
CODES = {error.code: error.exit_code for error in KoogError.__subclasses__()}
# Commands whose work is a file outside the workspace: a new workspace, a bundle, a person's timetable.
ENTRY = '{"tickId":"t9","feedbackScores":null,"actionsConsidered":[],"skipped":true}'
WRITES_OUTSIDE = {"init", "demo", "export", "install", "remove"}
SLOW = {("demo",)}  # fifteen ticks: with KOOG_FUZZ alone
# What koog reads beside the files that the ground has.
OTHER_FILES = [
    *("SOUL.md", "IDENTITY.md", "HEARTBEAT.md", "memory/.gitkeep", "memory/2026-02-27-0815.md", ".koog/failures.jsonl"),
    *("memory/meta/usage.jsonl", ".koog/usage.jsonl", ".koog/cron.err", ".koog/lock", "modules/new/manifest.json"),
    *("topics/metro.md", "knowledge/projects/_active.md", "memory/observations.md", "memory/meta/active-topics.json"),
    *("memory/meta/topic-gate.jsonl", ".koog/topic-gate.json", ".koog/topics.json", ".koog/index.db"),
]


class Called(NamedTuple):
    code: int
    out: str
    err: str


def example_count(usual: int) -> settings:
    """Return the settings of a property. Nothing is shrunk: an example is short, and each costs a whole command."""
    return settings(
        max_examples=EXAMPLES or usual,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


# --- the ground: a workspace after two ticks, copied for each example


@pytest.fixture
def ground(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of workspace, home and outside that every example gets a copy of; no real crontab is near."""
    monkeypatch.setenv("KOOG_ENGINE", "builtin")
    monkeypatch.setenv("PATH", f"{fakes(tmp_path / 'bin')}{os.pathsep}{os.environ['PATH']}")
    for n in (1, 2):
        assert call([*NOW, "tick", "--session-summary", f"error in build {n}"]).code == 0
    shutil.rmtree(sample / ".git/hooks", ignore_errors=True)
    ground = tmp_path / "ground"
    shutil.copytree(tmp_path / "home", ground / "home", symlinks=True)
    (ground / "outside").mkdir()
    (ground / "outside/file").write_text("not koog's\n")
    sample.rename(ground / "ws")
    monkeypatch.chdir(ground / "ws")
    return ground


def fakes(folder: Path) -> Path:
    """Put programs there that would otherwise change this machine's timetable."""
    folder.mkdir()
    (folder / "crontab").write_text(
        '#!/bin/sh\ncase "$1" in -l) cat "$HOME/crontab" 2>/dev/null || { echo "no crontab" >&2; exit 1; };;\n'
        '-r) rm -f "$HOME/crontab";; *) cat "${1:--}" > "$HOME/crontab";; esac\n'
    )
    for name in ("systemctl", "loginctl", "openclaw", "at"):
        (folder / name).write_text("#!/bin/sh\nexit 0\n")
    for program in folder.iterdir():
        program.chmod(0o755)
    return folder


@pytest.fixture
def fresh(ground: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """Return how to enter a copy of the ground, which is gone afterwards."""
    numbers = itertools.count()

    @contextmanager
    def entered() -> Iterator[Path]:
        place = tmp_path / "runs" / str(next(numbers)) / "deep"
        place.parent.mkdir(parents=True)
        copy(ground, place)
        monkeypatch.setenv("HOME", str(place / "home"))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "home/config"))
        monkeypatch.setenv("XDG_STATE_HOME", str(place / "home/state"))
        monkeypatch.chdir(place / "ws")
        try:
            yield place
        finally:
            monkeypatch.chdir(ground / "ws")
            shutil.rmtree(place, ignore_errors=True)

    return entered


def call(argv: list[str], stdin: bytes = b"") -> Called:
    """Run one command in this process with streams of its own. One that hangs is interrupted, and a bug."""
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace", write_through=True)
    before = signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(HANGS_S)
    try:
        code = main(argv)
        return Called(code, out.getvalue().decode(), err.getvalue().decode())
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        sys.stdin, sys.stdout, sys.stderr = streams


def _hangs(*_: object) -> None:
    raise AssertionError(f"still at work after {HANGS_S} s")


def judge(argv: list[str], called: Called) -> None:
    """Assert what holds for every call; help, version and tables are text, everything else is one line."""
    if currently_in_test_context():
        note(f"koog {argv!r}\n{called}")
        event(str(called.code))
    assert "Traceback" not in called.err
    assert called.code in (0, *CODES.values())
    if called.code == 0 and {"--help", "--version"} & set(argv):
        return
    if any("--human".startswith(word.split("=")[0]) and len(word) > 3 for word in argv):
        return
    assert called.out.isascii()
    assert called.out.count("\n") == 1 and called.out.endswith("\n")
    line = json.loads(called.out)
    if "hook" in argv and called.code == 0:  # it answers in its host's form, and never stands in its way
        assert isinstance(line, dict)
        return
    assert line["ok"] is (called.code == 0)
    if line["ok"]:
        assert fits(line) is None
    else:
        assert CODES[line["error"]["code"]] == called.code


def outside(place: Path) -> dict[str, bytes | None]:
    """Return every file beside the workspace with its bytes."""
    found: dict[str, bytes | None] = {}
    for folder in ("home", "outside"):
        for path in (place / folder).rglob("*"):
            found[str(path.relative_to(place))] = path.read_bytes() if path.is_file() else None
    return found


def untouched(place: Path, before: dict[str, bytes | None], argv: list[str]) -> None:
    now = outside(place)
    assert {name: now.get(name) for name in before} == before, "a file outside the workspace was changed"
    if not WRITES_OUTSIDE & set(argv):
        assert now.keys() == before.keys(), "a file outside the workspace was made"


def placed(argv: list[str], place: Path) -> list[str]:
    return [word.replace(wild.OUTSIDE, str(place / "outside")) for word in argv]


# --- the properties


@pytest.fixture
def replies(ground: Path) -> dict[str, Any]:
    """Return option → a JSON value that it takes, as the steps before it reply."""
    said = {name: json.loads(call([*NOW, "-n", name]).out) for name in ("feedback", "mine", "curate")}
    row = (ground / "ws/memory/playbook-logs/2026-02-28.jsonl").read_text().splitlines()[-1]
    return {
        "--scores": said["feedback"],
        "--mining-findings": said["mine"],
        "--curator-changes": said["curate"],
        "--entry": json.loads(row),
    }


@example_count(25)
@given(data=st.data())
def test_any_arguments_and_any_standard_input(fresh, replies, data):
    path = data.draw(st.sampled_from([p for p in wild.paths() if EXAMPLES or p not in SLOW]))
    argv = data.draw(wild.command_line(path, replies))
    stdin = data.draw(wild.BYTES | st.sampled_from(list(replies.values())).flatmap(wild.json_text).map(str.encode))
    with fresh() as place:
        before = outside(place)
        argv = placed(argv, place)

        called = call(argv, stdin)

        judge(argv, called)
        untouched(place, before, argv)


READERS = [
    *(["signal", "--session-summary", "error in build"], ["mine"], ["feedback"], ["curate"], ["synthesize"], ["tick"]),
    *(["tick", "--session-summary", "error in build"], ["backup"], ["log", "--entry", ENTRY]),
    *(["module", "extract", "new", "--domain", "builds"], ["module", "export", "react-native-dev"], ["module", "list"]),
    *(["module", "activate", "react-native-dev"], ["module", "info", "react-native-dev"], ["module", "stack"]),
    *(["module", "guidance", "react-native-dev"], ["module", "suspend", "react-native-dev"], ["doctor", "--fix"]),
    *(
        ["playbook", "show", "--effective", "--history", "3"],
        ["playbook", "build"],
        ["module", "priority", "base-behaviors", "5"],
    ),
    *(
        ["index"],
        ["search", "why did Metro stop?"],
        ["compile", "--message", "Metro died", "--explain"],
        ["topic", "list"],
    ),
    *(["topic", "check", "--text", "Metro died"], ["topic", "activate", "metro", "--minutes", "5"], ["topic", "stats"]),
]


@example_count(12)
@given(data=st.data())
def test_any_bytes_in_the_files_that_a_command_reads(fresh, ground, data):
    names = [str(p.relative_to(ground / "ws")) for p in sorted((ground / "ws").rglob("*")) if p.is_file()]
    names = [n for n in names if not n.startswith(".git/")]
    plain = [list(path) for path in wild.paths()]
    with fresh() as place:
        for _ in range(data.draw(st.integers(1, 3))):
            damage(place, place / "ws" / data.draw(st.sampled_from(names + OTHER_FILES)), data)
        for command in data.draw(st.lists(st.sampled_from(READERS + plain), min_size=1, max_size=2)):
            before = outside(place)
            argv = [*data.draw(st.sampled_from([NOW, NOW, ["--now", "2026-03-01T12:00:00+14:00"]])), *command]

            called = call(argv)

            judge(argv, called)
            untouched(place, before, argv)


def damage(place: Path, file: Path, data: st.DataObject) -> None:
    """Put other bytes into a file, or something else in its place."""
    kinds = [*["bytes"] * 12, "folder", "link", "dangling", "gone"]
    # A pipe for a .gitignore hangs git itself, for everybody; koog's calls of it end after a minute.
    kind = data.draw(st.sampled_from(kinds if file.name == ".gitignore" else [*kinds, "fifo"]))
    if file.is_symlink() or not (file.is_file() or not file.exists()):
        return
    held = file.read_bytes() if file.exists() else b""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    note(f"{file.name}: {kind}")
    if kind == "bytes":
        file.write_bytes(data.draw(wild.content(held)))
    elif kind == "folder":
        file.mkdir()
    elif kind == "fifo":
        os.mkfifo(file)
    elif kind != "gone":
        file.symlink_to(place / "outside" / ("file" if kind == "link" else "nothing"))


@example_count(10)
@given(data=st.data())
def test_any_bytes_in_the_settings_and_the_files_of_other_programs(fresh, data):
    own = json.dumps(
        {"git": {"commit": "off", "push": True, "remote": "x"}, "timezone": "Europe/Berlin", "engine": "auto"}
    )
    host = json.dumps(
        {"agents": {"defaults": {"workspace": "x", "heartbeat": {"every": "30m"}}}, "plugins": {"slots": {}}}
    )
    with fresh() as place:
        places = {
            "ws/koog-config.json": own,
            "home/config/koog/config.json": own,
            "home/.openclaw/openclaw.json": host,
            "home/.claude/settings.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}',
            "home/.codex/config.toml": "[features]\nhooks = true\n",
            "home/crontab": "# BEGIN koog\n*/30 * * * * x\n# END koog\n",
        }
        name = data.draw(st.sampled_from(sorted(places)))
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(data.draw(wild.content(places[name].encode())))
        before = outside(place)
        argv = list(
            data.draw(
                st.sampled_from(
                    [["doctor"], ["tick"], ["cron", "show"], ["cron", "install"], ["signal"], *wild.paths()]
                )
            )
        )

        called = call(argv)

        judge(argv, called)
        if argv[0] != "cron":
            untouched(place, before, argv)


# --- processes of their own


@settings(parent=example_count(4))
@given(data=st.data())
def test_raw_bytes_and_closed_streams_in_a_process_of_its_own(fresh, data):
    argv = [
        *NOW,
        *data.draw(st.sampled_from([["log", "--entry", "-"], ["tick", "--session-summary", "-"], ["status"]])),
    ]
    stdin = data.draw(wild.BYTES | st.just(b'{"skipped": true, "skipReason": "\xff"}'))
    closed = data.draw(st.sampled_from(["", "<&-", "2>&-"]))
    assume(not (closed == "<&-" and "-" not in argv))
    with fresh() as place:
        before = outside(place)

        done = subprocess.run(
            ["sh", "-c", f'exec "$0" -m koog "$@" {closed}', sys.executable, *argv],
            input=stdin,
            capture_output=True,
            timeout=HANGS_S,
        )

        judge(argv, Called(done.returncode, done.stdout.decode(), done.stderr.decode()))
        untouched(place, before, argv)


def test_the_fuzz_knows_every_command_and_no_real_timetable(ground):
    assert git(ground / "ws", "log", "-1", "--format=%s")
    assert all(wild.options(path) for path in wild.paths())
    assert Path(shutil.which("crontab") or "").parent.name == "bin"
    assert Path(shutil.which("crontab") or "").is_relative_to(ground.parent)


# --- what the fuzz has found


def test_a_failure_that_names_a_file_of_no_utf8_is_noted_and_one_line(workspace):
    argv = ["playbook", "build", "--config", os.fsdecode(b"x\xed\xb3\x91")]

    called = call(argv)

    judge(argv, called)
    assert called.code == CODES["config"]
    assert "\\udced" in json.loads((workspace / ".koog/failures.jsonl").read_text("utf-8"))["message"]
