"""A hook loses nothing: what a host told it is digested once and in order, whatever is killed, late or full."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from koog import wiring
from koog.core import operator
from koog.core.files import spool
from koog.core.files.spool import Event, Spool
from koog.host import arrival, digest
from tests import warm
from tests.conftest import PATIENT_S, git, registered
from tests.copies import copy_repository
from tests.host.test_hook import (
    CLAUDE,
    ENDED,
    OBSERVATION,
    OPENCLAW,
    ROUNDS,
    answered,
    at_work,
    call,
    claude_transcript,
    locked,
    more_is_said,
    rows,
    settle,
    start,
    told,
)
from tests.playbook.imported import RN, bring_in

# A hook that is killed when its event is on disk, and nothing else of koog is imported yet.
KILLED = "import os, sys; from koog.host import arrival; arrival.begin(sys.argv[1:]); os.kill(os.getpid(), 9)"
# One that has so many seconds for its answer: {} more of its time than that is gone before.
SHORT = "import sys; from koog.host import arrival; arrival.HOOK_SECONDS = arrival.START_SECONDS = {}; {}"
SLOW = (  # a busy machine, which lets nobody go on for a while who has started something
    "import os, time; spawn = os.posix_spawn; "
    "os.posix_spawn = lambda *a, **more: (spawn(*a, **more), time.sleep(0.5))[0]; "
)
ENTRY = "from koog.__main__ import entry; entry()"


@pytest.fixture
def ws(workspace: Path) -> Iterator[Path]:
    """A workspace that `koog init` has registered; at the end nothing of its hooks is left."""
    registered(workspace)
    yield workspace
    settle(workspace)


def ended(run_id: str | None, **more: Any) -> dict[str, Any]:
    return {**OPENCLAW, **ENDED, "runId": run_id, **more}


def begin(code: str, payload: Any, *argv: str, cwd: Path) -> subprocess.Popen[bytes]:
    """Begin a process with a payload in its standard input, which is a file: it is there from the start."""
    with (cwd.parent / "given").open("wb+") as given:
        given.write(payload if isinstance(payload, bytes) else json.dumps(payload).encode())
        given.seek(0)
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, "-c", code, *argv], cwd=cwd, stdin=given, stdout=pipe, stderr=pipe)


def left(payload: Any, *argv: str, cwd: Path) -> None:
    """Leave an event as a hook does that is killed at once."""
    process = begin(KILLED, payload, *(argv or ("hook", "agent-end")), cwd=cwd)
    process.communicate()
    assert process.returncode == -signal.SIGKILL


def spooled() -> list[str]:
    try:
        return sorted(file.name for file in Path(spool.path()).iterdir() if file.name != spool.ASIDE)
    except FileNotFoundError:
        return []


def runs(workspace: Path) -> list[str]:
    return [row["runId"] for row in rows(workspace)]


def noted(workspace: Path) -> list[str]:
    found = [*workspace.parent.glob("home/state/koog/*/failures.jsonl"), workspace / ".koog/failures.jsonl"]
    lines = [line for file in found if file.exists() for line in file.read_text().splitlines()]
    return [json.loads(line)["message"] for line in lines]


# --- on disk


def test_an_event_is_on_disk_before_the_rest_of_koog_is_imported(ws):
    code = (
        "import sys; from koog.host import arrival; arrival.begin(sys.argv[1:]); "
        "print([m for m in ('typer', 'orjson', 'koog.cli', 'koog.core.run', 'koog.sessions') if m in sys.modules])"
    )

    out, _ = begin(code, ended("r"), "hook", "agent-end", cwd=ws).communicate()

    (name,) = spooled()
    file = Path(spool.path(), name)
    assert out == b"[]\n"
    assert json.loads(file.read_bytes().partition(b"\n")[2]) == ended("r")
    assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700)


@pytest.mark.parametrize("event", ["prompt-build", "prompt-submit", "tool-result", "no-such-event"])
def test_what_sets_nothing_off_is_never_on_disk(event, ws):
    begin(KILLED, OPENCLAW, "hook", event, cwd=ws).communicate()

    assert spooled() == []


@pytest.mark.parametrize("dry", ["--dry-run", "-n"])
def test_a_dry_run_leaves_nothing(dry, ws):
    begin(KILLED, ended("r"), "hook", "agent-end", dry, cwd=ws).communicate()

    assert spooled() == []


def test_where_koog_has_no_state_there_is_no_spool_and_the_run_is_written_all_the_same(workspace):
    call("agent-end", ended("r"), cwd=workspace)
    settle(workspace)

    assert not (workspace.parent / "home/state").exists()
    assert runs(workspace) == ["r"]


def test_the_early_part_knows_every_option_that_a_value_follows():
    import inspect

    from koog.host.hook import hook

    own = {f"--{name}" for name in inspect.signature(hook).parameters if name not in ("ctx", "event")}

    assert set(arrival.TAKING) == wiring.TAKING | own


@pytest.mark.parametrize("how", ["workspace", "variable", "cwd", "payload", "reads it", "relative"])
def test_an_event_belongs_to_the_workspace_that_the_hook_itself_finds(how, ws, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    folder = {"cwd": ws / "memory"}.get(how, tmp_path / "elsewhere")
    options = ["--workspace", str(ws)] if how == "workspace" else []
    options += ["--workspace=../ws"] if how == "relative" else []
    payload = ended("r", **({"workspaceDir": str(ws)} if how == "payload" else {}))
    if how == "reads it":
        operator.remember(ws, "observe.sources", ["claude"])
        payload = {**CLAUDE, "hook_event_name": "Stop"}
    if how == "variable":
        monkeypatch.setenv("KOOG_WORKSPACE", str(ws))

    left(payload, *options, "hook", "agent-end", cwd=folder)

    assert digest.waits(ws)
    assert not digest.waits(tmp_path / "elsewhere")


# --- digested


@pytest.mark.parametrize("command", ["tick", "observe", "recover", "startup"])
def test_what_a_killed_hook_left_the_next_koog_digests(command, ws):
    left(ended("r"), cwd=ws)

    assert warm.run("--engine", "builtin", command, cwd=ws).returncode == 0
    settle(ws)

    assert runs(ws) == ["r"]
    assert spooled() == []


def test_the_next_hook_digests_what_was_left_before_its_own_and_tells_when_each_run_ended(ws):
    left(ended("first", success=False, error="overloaded"), cwd=ws)
    left(ended("second"), cwd=ws)
    before = time.time()

    call("agent-end", ended("first"), cwd=ws)
    settle(ws)

    assert [(row["runId"], row["success"]) for row in rows(ws)] == [("first", True), ("second", True)]
    assert spooled() == []
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(before + 1))
    assert rows(ws)[1]["ts"] < moment


@pytest.mark.parametrize("run_id", ["r", None])
def test_a_worker_that_is_killed_loses_and_doubles_nothing(run_id, ws):
    chance = random.Random(3)
    for number in range(ROUNDS):
        payload = ended(run_id and f"{run_id}{number}")
        answered(begin(SHORT.format(PATIENT_S, ENTRY), payload, "hook", "agent-end", cwd=ws))
        time.sleep(chance.uniform(0, 0.5))
        for pid in at_work(ws):
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(int(pid), signal.SIGKILL)
        settle(ws)
        for name in spooled():  # each kill was an attempt
            Path(spool.path(), name).rename(Path(spool.path(), name[:-1] + "0"))
        if number == ROUNDS // 2:
            warm.run("recover", cwd=ws)

    warm.run("recover", cwd=ws)
    settle(ws)

    assert (len(rows(ws)), spooled(), noted(ws)) == (ROUNDS, [], [])
    assert len(set(runs(ws))) == ROUNDS
    assert spooled() == []


def test_killed_between_its_line_and_the_spool_a_run_is_written_once(ws):
    left(ended(None), cwd=ws)
    (name,) = spooled()
    content = Path(spool.path(), name).read_bytes()
    warm.run("recover", cwd=ws)
    once = rows(ws)
    Path(spool.path(), name).write_bytes(content)
    Path(spool.path(), name).chmod(0o600)

    warm.run("recover", cwd=ws)

    assert len(once) == 1
    assert rows(ws) == once
    assert spooled() == []


def test_ten_runs_that_end_at_once_are_ten_lines(ws):
    several = [start("agent-end", cwd=ws) for _ in range(10)]
    for number, process in enumerate(several):
        answered(process, json.dumps(ended(f"r{number}")).encode())
    settle(ws)

    assert sorted(runs(ws)) == [f"r{number}" for number in range(10)]
    assert spooled() == []


def test_two_koogs_that_digest_at_once_write_each_run_once(ws):
    for _ in range(4):
        left(ended(None), cwd=ws)
    both = [warm.Process("recover", cwd=ws) for _ in range(2)]
    for process in both:
        process.communicate()
    settle(ws)

    assert len(rows(ws)) == 4
    assert spooled() == []


def test_two_workspaces_side_by_side_digest_each_its_own(ws, tmp_path):
    other = tmp_path / "other"
    (other / "memory").mkdir(parents=True)
    (other / ".koog").mkdir()
    git(other, "init", "-q", "-b", "main")
    registered(other)
    left(ended("theirs"), cwd=other)
    left(ended("ours"), cwd=ws)

    warm.run("recover", cwd=ws)
    settle(ws)
    still = len(spooled())
    warm.run("recover", cwd=other)
    settle(other)

    assert (runs(ws), runs(other)) == (["ours"], ["theirs"])
    assert (still, spooled()) == (1, [])


def test_a_run_of_claude_code_that_is_digested_late_is_the_one_that_had_ended_then(ws, tmp_path):
    moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 3600))
    later = {"type": "user", "uuid": "u9", "timestamp": moment, "message": {"role": "user", "content": "and then"}}
    given = {**CLAUDE, "transcript_path": str(tmp_path / "8c5e.jsonl"), "hook_event_name": "Stop", "cwd": str(ws)}
    at_last = claude_transcript().replace("2026-11-21", "2025-11-21").rpartition("\n")[0]
    (tmp_path / "8c5e.jsonl").write_text(at_last + "\n", "utf-8")
    left(given, cwd=ws)
    (tmp_path / "8c5e.jsonl").write_text(f"{at_last}\n{json.dumps(later)}\n", "utf-8")

    warm.run("recover", cwd=ws)
    settle(ws)

    (row,) = rows(ws)
    assert (row["runId"], row["toolCallCount"]) == ("8c5e:u3", 3)


def test_commands_that_were_left_run_once_for_all_who_asked_for_them(ws):
    for _ in range(3):
        left({**CLAUDE, "cwd": str(ws), "hook_event_name": "SessionEnd"}, "hook", "session-end", cwd=ws)

    warm.run("startup", cwd=ws)
    settle(ws)

    assert spooled() == []
    assert noted(ws) == []


def test_what_waits_for_the_workspace_waits_in_the_spool(ws):
    with locked(ws):
        call("agent-end", ended("r"), "--deadline", "1", cwd=ws)
        settle(ws)
        assert len(spooled()) == 1

    warm.run("recover", cwd=ws)
    settle(ws)

    assert runs(ws) == ["r"]
    assert spooled() == []


def test_a_config_that_is_broken_at_the_moment_costs_no_run(ws):
    file = ws.parent / "home/config/koog/config.json"
    sound = file.read_text()
    file.write_text("{")
    call("agent-end", ended("r"), cwd=ws)
    settle(ws)
    file.write_text(sound)

    warm.run("recover", cwd=ws)
    settle(ws)

    assert runs(ws) == ["r"]


@pytest.mark.parametrize("argv", [["--engine", "vim"], ["--no-such"], ["--host", "vim"]], ids=str)
def test_a_wrong_call_leaves_nothing(argv, ws):
    call("agent-end", ended("r"), *argv, cwd=ws)

    assert spooled() == []


def test_a_session_that_the_workspace_is_not_for_leaves_nothing(ws, tmp_path):
    (tmp_path / "client").mkdir()
    given = {**CLAUDE, "cwd": str(tmp_path / "client"), "hook_event_name": "Stop"}
    options = ("--workspace", str(ws))

    call("agent-end", given, *options, cwd=tmp_path / "client")
    left(given, *options, "hook", "agent-end", cwd=tmp_path / "client")
    warm.run("recover", cwd=ws)
    settle(ws)

    assert (rows(ws), spooled()) == ([], [])


def test_an_event_whose_folder_is_no_name_of_one_keeps_no_other_from_being_digested(ws, tmp_path):
    left(ended("r"), cwd=ws)
    left({**CLAUDE, "hook_event_name": "Stop", "cwd": "a\0b"}, cwd=tmp_path)

    done = warm.run("recover", cwd=ws)
    settle(ws)

    assert done.returncode == 0 and b"Traceback" not in done.stderr
    assert runs(ws) == ["r"]
    assert noted(ws) == []


def test_an_event_that_fails_each_time_is_put_aside_and_noted(ws):
    (ws / "memory/session-summaries.jsonl").mkdir()
    left(ended("r"), cwd=ws)

    for _ in range(digest.ATTEMPTS):
        warm.run("recover", cwd=ws)
        settle(ws)
        assert len(spooled()) == 1
    (ws / "memory/session-summaries.jsonl").rmdir()
    warm.run("recover", cwd=ws)
    settle(ws)

    assert (rows(ws), spooled()) == ([], [])
    assert len(list(Path(spool.path(), spool.ASIDE).iterdir())) == 1
    assert any("given up after 5 attempts" in message for message in noted(ws))
    assert "put aside" in told_by_doctor(ws)


# --- in time


@pytest.mark.wide(5)
@pytest.mark.parametrize("limit", [0.0001, 0.001, 0.01, 0.03, 0.06, 0.1, 0.2])
@pytest.mark.parametrize("run_id", ["r", None])
def test_a_hook_that_is_cut_answers_notes_it_and_its_run_is_written_once(limit, run_id, ws):
    answer = answered(begin(SHORT.format(limit, ENTRY), ended(run_id), "hook", "agent-end", cwd=ws))
    settle(ws)

    assert answer == {}
    assert len(rows(ws)) == 1
    assert spooled() == []
    if limit <= 0.03:
        assert noted(ws) == [f"no answer within {limit:g} s, so the host went on without it"]


@pytest.mark.parametrize("limit", [0.0001, 0.03])
def test_a_hook_that_is_cut_loses_nothing_without_a_spool_either(limit, workspace):
    answered(begin(SHORT.format(limit, ENTRY), ended(None), "hook", "agent-end", cwd=workspace))
    settle(workspace)

    assert len(rows(workspace)) == 1
    assert noted(workspace) == [f"no answer within {limit:g} s, so the host went on without it"]


@pytest.mark.parametrize("event", ["session-start", "prompt-build", "tool-result"])
def test_a_cut_answer_of_any_kind_is_noted(event, ws):
    answer = answered(begin(SHORT.format(0.02, ENTRY), OPENCLAW, "hook", event, cwd=ws))
    settle(ws)

    assert answer == {}
    assert noted(ws) == ["no answer within 0.02 s, so the host went on without it"]


def test_what_a_hook_had_no_time_to_tell_the_next_turn_is_told_at_once(ws):
    (ws / "memory/observations.md").write_text(OBSERVATION, "utf-8")
    cut = answered(begin(SHORT.format(0.02, ENTRY), OPENCLAW, "hook", "prompt-build", cwd=ws))
    settle(ws)
    more_is_said(ws)

    answer = told("prompt-build", {**OPENCLAW, "runId": "the-next"}, cwd=ws)

    assert cut == {}
    assert "SQLite" in answer["appendSystemContext"] and "Postgres" not in answer["appendSystemContext"]


@pytest.mark.parametrize(
    "differing", [{"sessionKey": "agent:main:telegram:group:-1"}, {"trigger": "memory"}], ids=["group", "memory"]
)
def test_who_is_told_nothing_is_told_nothing_after_a_cut_either(differing, ws):
    (ws / "memory/observations.md").write_text(OBSERVATION, "utf-8")
    answered(begin(SHORT.format(0.02, ENTRY), {**OPENCLAW, **differing}, "hook", "prompt-build", cwd=ws))
    settle(ws)

    kept = [file.read_text() for file in ws.parent.glob("home/state/koog/*/told/*.json")]
    assert not any("SQLite" in text for text in kept)


def test_status_and_doctor_show_a_cut_answer(ws):
    answered(begin(SHORT.format(0.02, ENTRY), OPENCLAW, "hook", "prompt-build", cwd=ws))
    settle(ws)

    shown = json.loads(warm.run("status", cwd=ws).stdout)
    assert [(row["command"], row["message"][:16]) for row in shown["failures"]] == [
        ("hook prompt-build", "no answer within")
    ]
    assert "no answer within 0.02 s" in told_by_doctor(ws)


def told_by_doctor(workspace: Path) -> str:
    findings = json.loads(warm.run("doctor", cwd=workspace).stdout)["findings"]
    return " ".join(f["message"] for f in findings if f["check"] == "spool")


def test_doctor_says_what_waits(ws):
    assert told_by_doctor(ws) == ""
    left(ended("r"), cwd=ws)

    assert told_by_doctor(ws) == "events of hooks wait that a killed koog left"


def test_a_persons_approval_in_a_prompt_that_was_cut_is_kept(koog, ws):
    bring_in(koog, ws)
    payload = {**OPENCLAW, "prompt": f"approve {RN}"}

    answered(begin(SHORT.format(0.02, ENTRY), payload, "hook", "prompt-build", cwd=ws))
    settle(ws)

    (grants,) = ws.parent.glob("home/state/koog/*/grants.json")
    assert RN in grants.read_text()


def test_each_event_has_its_limit():
    limits = {event: arrival.Arrival(["hook", event]).limit for event in ("session-start", "agent-end", "tool-result")}

    assert limits == {"session-start": 3.0, "agent-end": 0.8, "tool-result": 0.8}


# --- the host's words


@pytest.mark.parametrize("said", ["nothing", "half"])
def test_words_that_come_when_the_answer_is_out_are_heard(said, ws):
    code = SHORT.format(0.3, ENTRY)
    command, pipe = [sys.executable, "-c", code, "hook", "agent-end"], subprocess.PIPE
    process = subprocess.Popen(command, cwd=ws, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
    data = json.dumps(ended("r")).encode()
    process.stdin.write(data[:40] if said == "half" else b"")

    line = process.stdout.readline()
    process.wait(timeout=120)
    process.stdin.write(data[40:] if said == "half" else data)
    process.communicate()
    settle(ws)

    assert line == b"{}\n"
    assert runs(ws) == ["r"]
    assert spooled() == []


def test_a_limit_that_is_reached_while_the_listener_is_started_loses_no_words(ws):
    code = SHORT.format(0.3, SLOW + ENTRY)
    command, pipe = [sys.executable, "-c", code, "hook", "agent-end"], subprocess.PIPE
    process = subprocess.Popen(command, cwd=ws, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
    process.wait(timeout=120)
    process.stdin.write(json.dumps(ended("r")).encode())
    process.communicate()
    settle(ws)

    assert (runs(ws), spooled()) == (["r"], [])


def test_a_host_that_never_closes_its_pipe_is_heard(ws):
    process = warm.Process("hook", "agent-end", cwd=ws, hook_s=PATIENT_S)
    process.stdin.write(json.dumps(ended("r")).encode())
    process.stdin.flush()

    assert process.stdout.readline() == b"{}\n"
    settle(ws)
    assert runs(ws) == ["r"]
    process.communicate()


def test_fifty_megabytes_are_drained_and_never_on_disk(ws):
    call("agent-end", b'{"error": "' + b"x" * 50_000_000 + b'"}', cwd=ws)
    settle(ws)

    assert (rows(ws), spooled()) == ([], [])


def test_some_megabytes_are_an_event(ws):
    call("agent-end", ended("r", messages=[{"role": "user", "content": "x" * 3_000_000}]), cwd=ws)
    settle(ws)

    assert runs(ws) == ["r"]
    assert spooled() == []


# --- a spool that is no good


def test_a_full_spool_hands_the_event_over_without_it(ws, tmp_path):
    with Spool(make=True) as full:
        for _ in range(spool.MOST):
            full.put(Event(spool.new_name(), ["hook", "agent-end"], str(tmp_path), {}, b"{}"))

    call("agent-end", ended("r"), cwd=ws)
    settle(ws)

    assert runs(ws) == ["r"]
    assert len(spooled()) == spool.MOST


def test_a_disk_that_is_full_leaves_no_half_of_an_event(ws):
    code = (
        "import resource, sys; from koog.host import arrival; resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50)); "
        "sys.exit(arrival.begin(sys.argv[1:]).stored)"
    )

    process = begin(code, ended("r"), "hook", "agent-end", cwd=ws)
    process.communicate()

    assert process.returncode == 0
    assert spooled() == []


@pytest.mark.parametrize("what", ["a file", "a link", "others may write it"])
def test_where_the_spool_is_no_folder_of_ones_own_the_run_is_written_without_it(what, ws, tmp_path):
    place = Path(spool.path())
    (tmp_path / "elsewhere").mkdir()
    if what == "a file":
        place.write_text("")
    elif what == "a link":
        place.symlink_to(tmp_path / "elsewhere")
    else:
        place.mkdir()
        place.chmod(0o777)

    call("agent-end", ended("r"), cwd=ws)
    settle(ws)

    assert runs(ws) == ["r"]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_spool_in_the_workspace_is_none(ws, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(ws / "state"))
    (ws / "state/koog").mkdir(parents=True)
    left(ended("planted"), cwd=ws)

    warm.run("recover", cwd=ws)
    call("agent-end", ended("r"), cwd=ws)
    settle(ws)

    assert runs(ws) == ["r"]


def test_junk_in_the_spool_harms_nobody(ws, tmp_path):
    left(ended("r"), cwd=ws)
    place, (whole,) = Path(spool.path()), spooled()
    (tmp_path / "mine").write_bytes((place / whole).read_bytes().replace(b'"r"', b'"l"'))
    (place / "notes.txt").write_text("a person's")
    (place / "01000000000000000001-0000000a.0").symlink_to(tmp_path / "mine")
    (place / "01000000000000000002-0000000a.0").mkdir()
    os.mkfifo(place / "01000000000000000003-0000000a.0", 0o600)
    for number, junk in enumerate([b"", b"\xff\xfe", b"[]\n{}", b"{}\n{}", b'{"argv":["x"],"cwd":1,"env":{}}\n{}']):
        (place / f"0100000000000000001{number}-0000000a.0").write_bytes(junk)
    others = place / "01000000000000000020-0000000a.0"
    others.write_bytes((tmp_path / "mine").read_bytes().replace(b'"l"', b'"o"'))
    others.chmod(0o666)

    warm.run("recover", cwd=ws)
    settle(ws)

    assert runs(ws) == ["r"]
    assert spooled() == ["01000000000000000002-0000000a.0", "notes.txt"]
    assert (tmp_path / "mine").exists()


@pytest.mark.parametrize("whose", ["its own", "another workspace's"])
def test_after_weeks_without_any_koog_what_waits_is_digested_all_the_same(whose, ws, tmp_path):
    other = tmp_path / "other"
    copy_repository(ws, other)
    registered(other)
    left(ended("r"), cwd=ws)
    (name,) = spooled()
    os.utime(Path(spool.path(), name), (time.time() - (spool.DAYS + 3) * 86400,) * 2)
    if whose != "its own":
        warm.run("recover", cwd=other)
        left(ended("o"), cwd=other)
        warm.run("recover", cwd=other)
        settle(other)

    warm.run("recover", cwd=ws)
    settle(ws)

    assert (runs(ws), spooled()) == (["r"], [])


def test_what_is_too_old_goes_and_what_a_killed_hook_had_half_written(ws, tmp_path):
    left(ended("theirs"), cwd=tmp_path)
    (name,) = spooled()
    half = Path(spool.path(), f".{spool.new_name()}.tmp")
    half.write_text("{")
    for file, days in ((Path(spool.path(), name), spool.DAYS + 1), (half, 1)):
        os.utime(file, (time.time() - days * 86400,) * 2)
    left(ended("r"), cwd=ws)

    warm.run("recover", cwd=ws)
    settle(ws)

    assert (runs(ws), spooled()) == (["r"], [])
