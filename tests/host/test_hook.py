"""koog hook as hosts call it: a process, JSON in, JSON out, exit code 0, nothing left behind.  [sinain §3]"""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from koog.core import operator, schema
from koog.core.text.marks import KOOG_BEGIN, KOOG_END
from koog.host import frozen
from tests import warm
from tests.conftest import PATIENT_S, ROOT, git, registered
from tests.faults.contract import still_runs
from tests.processes import processes

ROUNDS = int(os.environ.get("KOOG_ROUNDS", "4"))
SCHEMA = ROOT / "koog/host/hook.schema.json"
SUMMARIES = "memory/session-summaries.jsonl"
OBSERVATION = (
    "Date: 2026-11-21\n\n- 🔴 10:00 The user decided to use SQLite. <!-- dc:type=decision dc:importance=0.9 "
    "dc:date=2026-11-21 dc:confidence=0.9 dc:source=s1#1 -->\n"
)
# As https://code.claude.com/docs/en/hooks has them.
CLAUDE = {"session_id": "8c5e", "transcript_path": "/nowhere/8c5e.jsonl", "permission_mode": "default"}
# As codex-rs/hooks/schema/generated in https://github.com/openai/codex has them.
CODEX = {"session_id": "019a", "transcript_path": "/nowhere/rollout-2026-11-21T10-00-00-019a.jsonl", "model": "m"}
# As skills/sinain-hud/plugin sends them.
OPENCLAW = {
    "host": "openclaw",
    "runId": "run-1",
    "sessionId": "s-1",
    "sessionKey": "agent:main:main",
    "agentId": "main",
    "trigger": "user",
}
ENDED = {
    "durationMs": 45000,
    "success": True,
    "error": None,
    "toolCallCount": 12,
    "toolBreakdown": {"sessions_history": 3, "exec": 9},
    "messageCount": 8,
}


def start(event: str, *options: str, cwd: Path, **given: Any) -> warm.Process | subprocess.Popen[bytes]:
    """Begin a hook; `given` is what subprocess.Popen takes, for a start of the interpreter with it."""
    if not given:
        return warm.Process("hook", event, *options, cwd=cwd)
    command = [sys.executable, "-m", "koog", "hook", event, *options]
    piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=cwd, **{**piped, **given})


def answered(process: warm.Process | subprocess.Popen[bytes], stdin: bytes | None = None) -> dict[str, Any]:
    """Return a hook's answer; insist on exit code 0, one line and one object."""
    out, err = process.communicate(stdin, timeout=120)
    assert process.returncode == 0, err
    assert out.endswith(b"\n") and out.count(b"\n") == 1, (out, err)
    assert b"Traceback" not in err, err
    value = json.loads(out)
    assert isinstance(value, dict)
    return value


def call(event: str, payload: Any, *options: str, cwd: Path) -> dict[str, Any]:
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return answered(start(event, *options, cwd=cwd), data)


def patient(event: str, *, cwd: Path) -> warm.Process:
    """Begin a hook that a busy machine may keep waiting: one that takes its usual time answers nothing then."""
    return warm.Process("hook", event, cwd=cwd, hook_s=PATIENT_S)


def told(event: str, payload: Any, *, cwd: Path) -> dict[str, Any]:
    """Return an answer that has something in it."""
    return answered(patient(event, cwd=cwd), json.dumps(payload).encode())


def kept_texts(workspace: Path) -> list[Path]:
    return sorted(workspace.parent.glob("home/state/koog/*/told/*.json")) + sorted(workspace.glob(".koog/told/*"))


def more_is_said(workspace: Path) -> None:
    file = workspace / "memory/observations.md"
    file.write_text(f"{file.read_text('utf-8')}- 🔴 11:00 The user decided on Postgres for the shop.\n", "utf-8")


def at_work(workspace: Path) -> list[str]:
    """Return the process ids of what hooks of this workspace have set off, and of what that has started."""
    return [pid for pid, args in processes() if str(workspace.parent) in args]


def settle(workspace: Path) -> None:
    """Wait until nothing that a hook has set off is at work, at two looks: a process begins without its arguments."""
    quiet = 0
    for _ in range(2000):
        quiet = 0 if at_work(workspace) else quiet + 1
        if quiet == 2:
            return
        time.sleep(0.02)
    raise AssertionError(f"still at work: {at_work(workspace)}")


@contextmanager
def locked(workspace: Path) -> Iterator[None]:
    with (workspace / ".koog/lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def rows(workspace: Path) -> list[dict[str, Any]]:
    path = workspace / SUMMARIES
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def fits(answer: dict[str, Any], host: str) -> bool:
    return schema.problem(answer, schema.definition(SCHEMA, host)) is None


@pytest.fixture
def sealed(observed: Path) -> Path:
    """The same workspace, which `koog init` has registered: koog has a place there that no agent writes."""
    registered(observed)
    return observed


@pytest.fixture
def observed(workspace: Path) -> Iterator[Path]:
    """A workspace with an observation; at the end nothing of its hooks is left."""
    (workspace / "memory/observations.md").write_text(OBSERVATION, "utf-8")
    yield workspace
    settle(workspace)


# --- answers


def test_claude_code_gets_the_startup_text_as_additional_context_between_koogs_marks(observed):
    given = {**CLAUDE, "cwd": str(observed), "hook_event_name": "SessionStart", "source": "startup"}

    answer = told("session-start", given, cwd=observed)

    text = answer["hookSpecificOutput"]["additionalContext"]
    assert fits(answer, "claude")
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert text.startswith(KOOG_BEGIN) and text.rstrip().endswith(KOOG_END)
    assert "decided to use SQLite" in text


def test_codex_gets_the_same_form_which_has_no_key_that_it_refuses(observed):
    given = {**CODEX, "cwd": str(observed), "hook_event_name": "SessionStart", "source": "resume"}

    answer = told("session-start", given, cwd=observed)

    assert fits(answer, "claude")
    assert "SQLite" in answer["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("event", ["pre-compaction", "session-end"])
def test_each_turn_of_openclaw_is_told_the_same_bytes_until_the_session_begins_anew(sealed, event):
    first = told("prompt-build", OPENCLAW, cwd=sealed)
    more_is_said(sealed)
    second = told("prompt-build", {**OPENCLAW, "runId": "the-next"}, cwd=sealed)
    beat = told("prompt-build", {**OPENCLAW, "trigger": "heartbeat"}, cwd=sealed)
    call("session-start", OPENCLAW, cwd=sealed)
    restarted = told("prompt-build", OPENCLAW, cwd=sealed)
    call(event, OPENCLAW, cwd=sealed)
    third = told("prompt-build", OPENCLAW, cwd=sealed)

    assert fits(first, "openclaw")
    assert "SQLite" in first["appendSystemContext"]
    assert first == second == beat == restarted
    assert "Postgres" in third["appendSystemContext"]


def test_what_came_late_of_before_a_session_began_takes_nothing_from_it_and_what_began_anew_is_not_told_the_old(
    sealed,
):
    first = told("prompt-build", {**OPENCLAW, "ts": "2026-11-24T10:00:00.000Z"}, cwd=sealed)
    more_is_said(sealed)
    call("session-end", {**OPENCLAW, "ts": "2026-11-24T09:59:59.900Z"}, cwd=sealed)
    same = told("prompt-build", {**OPENCLAW, "ts": "2026-11-24T10:01:00.000Z"}, cwd=sealed)
    anew = {**OPENCLAW, "ts": "2026-11-24T10:03:00.000Z", "since": "2026-11-24T10:02:00.000Z"}

    assert same == first
    assert "Postgres" in told("prompt-build", anew, cwd=sealed)["appendSystemContext"]


def test_another_session_another_place_and_other_settings_are_told_their_own(sealed):
    first = told("prompt-build", OPENCLAW, cwd=sealed)
    more_is_said(sealed)
    other = told("prompt-build", {**OPENCLAW, "sessionId": "another"}, cwd=sealed)
    group = call("prompt-build", {**OPENCLAW, "sessionKey": "agent:main:telegram:group:-1001"}, cwd=sealed)
    settings = operator.path()
    value = json.loads(settings.read_text()) if settings.exists() else {}
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({**value, "context": {"otherProjects": "none"}}))
    told_now = told("prompt-build", OPENCLAW, cwd=sealed)

    assert "Postgres" not in first["appendSystemContext"]
    assert "Postgres" in other["appendSystemContext"]
    assert "SQLite" not in str(group)
    assert "Postgres" in told_now["appendSystemContext"]


def test_of_the_texts_that_sessions_were_given_the_newest_are_kept(sealed):
    told("prompt-build", OPENCLAW, cwd=sealed)
    (mine,) = kept_texts(sealed)
    for n in range(frozen.SESSIONS + 5):
        file = mine.parent / f"{n:032x}.json"
        file.write_text("{}")
        os.utime(file, (n, n))

    told("prompt-build", {**OPENCLAW, "sessionId": "another"}, cwd=sealed)

    assert len(kept_texts(sealed)) == frozen.SESSIONS


def test_what_an_agent_writes_into_the_workspace_is_in_no_other_sessions_system_prompt(sealed):
    first = told("prompt-build", OPENCLAW, cwd=sealed)
    (mine,) = kept_texts(sealed)
    planted = mine.read_text().replace("SQLite", "PLANTED")
    (sealed / ".koog/told").mkdir(exist_ok=True)
    (sealed / ".koog/told" / mine.name).write_text(planted)

    assert not mine.is_relative_to(sealed)
    assert told("prompt-build", OPENCLAW, cwd=sealed) == first


def test_where_only_the_agent_could_keep_it_a_text_is_made_on_each_turn(observed):
    told("prompt-build", OPENCLAW, cwd=observed)
    more_is_said(observed)

    assert "Postgres" in told("prompt-build", OPENCLAW, cwd=observed)["appendSystemContext"]
    assert not (observed / ".koog/told").exists()


def test_a_clock_that_was_put_back_keeps_no_session_from_beginning_anew(sealed):
    told("prompt-build", {**OPENCLAW, "ts": "2026-11-25T10:00:00.000Z"}, cwd=sealed)
    more_is_said(sealed)
    call("session-end", {**OPENCLAW, "ts": "2026-11-24T10:00:00.000Z"}, cwd=sealed)

    anew = told("prompt-build", {**OPENCLAW, "ts": "2026-11-24T10:01:00.000Z"}, cwd=sealed)

    assert "Postgres" in anew["appendSystemContext"]


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'{"sessionKey": "agent:main:telegram:gro', b'{"pad": "' + b"x" * 9_000_000]
)
def test_whoever_is_not_understood_may_be_a_group_and_is_told_nothing(data, sealed):
    assert answered(patient("prompt-build", cwd=sealed), data) == {}


def test_a_session_that_nothing_is_left_to_be_told_is_told_so(sealed):
    group = {**OPENCLAW, "sessionKey": "agent:main:telegram:group:-1001"}

    assert told("prompt-build", group, cwd=sealed) == {"appendSystemContext": ""}


@pytest.mark.parametrize(
    "differing",
    [
        {"trigger": "memory"},
        {"sessionKey": "agent:main:cron:1f"},
        {"sessionKey": "agent:main:subagent:2e"},
        {"sessionKey": "agent:main:hook:gmail:19a2"},
        {"sessionKey": "agent:codex:acp:77c1"},
        {"config": {"sessionKey": "agent:main:other"}},
    ],
    ids=str,
)
def test_nothing_is_told_where_no_person_speaks_or_another_session_was_configured(observed, differing):
    assert call("prompt-build", {**OPENCLAW, **differing}, cwd=observed) == {}


def test_a_startup_text_longer_than_claude_code_shows_is_cut_at_a_line_and_closed(observed):
    line = "- 🔴 10:0{} The user decided on ein längeres Wort für Größe, Übung und Äpfel, number {}.\n"
    text = "Date: 2026-11-21\n\n" + "".join(line.format(i % 10, i) for i in range(2000))
    (observed / "memory/observations.md").write_text(text, "utf-8")

    answer = told("session-start", {**CLAUDE, "cwd": str(observed), "hook_event_name": "SessionStart"}, cwd=observed)

    assert fits(answer, "claude")
    assert answer["hookSpecificOutput"]["additionalContext"].rstrip().endswith(KOOG_END)


def test_a_tools_result_comes_back_without_private_blocks_and_secrets(observed):
    token = "ghp_" + "a1B2c3D4e5" * 4
    message = {"role": "toolResult", "content": [{"type": "text", "text": f"x <private>y</private>\nz {token}"}]}

    answer = told("tool-result", {**OPENCLAW, "message": message}, cwd=observed)

    assert answer["message"]["content"] == [{"type": "text", "text": "x \nz [redacted:github]"}]
    assert call("tool-result", {**OPENCLAW, "message": {"content": "plain"}}, cwd=observed) == {}


def test_half_an_emoji_in_what_a_host_says_keeps_nothing_from_being_read(observed):
    said = {**OPENCLAW, "message": {"role": "toolResult", "content": "<private>Dana earns 9,000</private> HERE"}}
    data = json.dumps(said).replace("HERE", "\\ud83d").encode()

    answer = json.loads(patient("tool-result", cwd=observed).communicate(data, timeout=120)[0])

    assert answer == {"message": {"role": "toolResult", "content": " ?"}}


# --- what is set off


def test_a_runs_end_becomes_one_line_of_the_seeds_form_and_one_commit(observed):
    answer = call("agent-end", {**OPENCLAW, **ENDED}, cwd=observed)
    settle(observed)

    (row,) = rows(observed)
    ts = row.pop("ts")
    assert answer == {}
    assert ts.endswith("Z") and len(ts) == len("2026-02-18T12:00:00.000Z")
    belongs = {"project": "openclaw/main", "scope": "private", "group": None}
    assert row == {"sessionKey": "agent:main:main", "agentId": "main", **ENDED, "runId": "run-1", **belongs}
    assert list(row)[-3:] == ["project", "scope", "group"]
    assert list(rows(observed)[0])[:9] == (
        "ts sessionKey agentId durationMs success error toolCallCount toolBreakdown messageCount".split()
    )
    assert SUMMARIES in git(observed, "show", "--stat", "--format=%s%n%b")


def test_what_is_compacted_away_was_observed_before_by_a_process_of_its_own(observed, alone):
    folder = alone / ".claude/projects/p"
    folder.mkdir(parents=True)
    (folder / "8c5e.jsonl").write_text(
        json.dumps(
            {
                "type": "user",
                "uuid": "u1",
                "parentUuid": None,
                "sessionId": "8c5e",
                "cwd": str(observed),
                "isSidechain": False,
                "timestamp": "2026-11-21T10:00:00.000Z",
                "message": {"role": "user", "content": "We decided to keep the index in DuckDB from now on."},
            }
        )
        + "\n"
    )
    given = {**CLAUDE, "cwd": str(observed), "hook_event_name": "PreCompact", "trigger": "auto"}

    shared = ("--engine", "builtin", "--now", "2026-11-21T10:30:00Z")  # they hold for what is set off, too
    answer = call("pre-compaction", {**given, "custom_instructions": ""}, *shared, cwd=observed)
    settle(observed)

    assert answer == {}
    assert "DuckDB" in (observed / "memory/observations.md").read_text()


def test_a_run_whose_end_is_told_once_per_retry_is_one_line_with_its_last_outcome(observed):
    failed = {**ENDED, "success": False, "error": "overloaded"}
    for ended in (failed, ENDED):
        call("agent-end", {**OPENCLAW, **ended}, cwd=observed)
        settle(observed)

    assert [(row["runId"], row["success"], row["error"]) for row in rows(observed)] == [("run-1", True, None)]


def test_two_runs_that_end_at_once_are_two_lines(observed):
    """The second is told only when the first is answered: its hook may have given up waiting by then."""
    both = [start("agent-end", cwd=observed) for _ in range(2)]
    for number, process in enumerate(both):
        answered(process, json.dumps({**OPENCLAW, **ENDED, "runId": f"run-{number}"}).encode())
    settle(observed)

    assert sorted(row["runId"] for row in rows(observed)) == ["run-0", "run-1"]


def test_claude_codes_numbers_come_from_the_last_run_of_its_transcript(observed, tmp_path):
    transcript = tmp_path / "8c5e.jsonl"
    transcript.write_text(claude_transcript(), "utf-8")
    given = {**CLAUDE, "transcript_path": str(transcript), "hook_event_name": "Stop", "stop_hook_active": False}

    for _ in range(2):
        answer = call("agent-end", {**given, "cwd": str(observed)}, cwd=observed)
        settle(observed)

    (row,) = rows(observed)
    assert answer == {}
    assert (row["runId"], row["sessionKey"], row["agentId"]) == ("8c5e:u3", "8c5e", "claude")
    assert (row["toolBreakdown"], row["toolCallCount"]) == ({"Bash": 2, "Read": 1}, 3)
    assert (row["messageCount"], row["durationMs"]) == (4, 9000)


def claude_transcript() -> str:
    def record(kind: str, uuid: str, second: int, content: Any, **more: Any) -> str:
        message = {"role": kind, "content": content}
        when = f"2026-11-21T10:00:{second:02d}.000Z"
        return json.dumps({"type": kind, "uuid": uuid, "timestamp": when, "message": message, **more})

    def use(name: str) -> dict[str, str]:
        return {"type": "tool_use", "id": name, "name": name}

    lines = [
        record("user", "u1", 0, "an earlier prompt"),
        record("assistant", "u2", 1, [use("Write")]),
        record("user", "u3", 10, [{"type": "text", "text": "the prompt"}]),
        record("assistant", "u4", 12, [use("Bash"), use("Bash")]),
        record("assistant", "u5", 13, [use("Grep")], isSidechain=True),
        record("user", "u6", 14, [{"type": "tool_result", "content": "ok"}]),
        record("assistant", "u7", 19, [{"type": "text", "text": "done"}, use("Read")]),
        '{"type": "assistant", "half',
    ]
    return "\n".join(lines)


def test_codex_calls_are_counted_from_its_rollout_under_the_turns_own_id(observed, tmp_path):
    call_of = {"type": "response_item", "payload": {"type": "function_call", "name": "shell"}}
    said = {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": []}}
    prompt = {"type": "event_msg", "payload": {"type": "user_message", "message": "x"}}
    transcript = tmp_path / "rollout-1.jsonl"
    transcript.write_text("".join(json.dumps(record) + "\n" for record in (call_of, prompt, call_of, call_of, said)))
    given = {**CODEX, "transcript_path": str(transcript), "hook_event_name": "Stop", "turn_id": "t-9"}

    call("agent-end", {**given, "cwd": str(observed)}, cwd=observed)
    settle(observed)

    (row,) = rows(observed)
    assert (row["runId"], row["agentId"], row["toolBreakdown"], row["messageCount"]) == (
        "t-9",
        "codex",
        {"shell": 2},
        1,
    )


def test_an_agents_start_syncs_from_the_places_that_the_plugins_config_names(observed, tmp_path, monkeypatch):
    state = tmp_path / "state"
    (state / "src").mkdir(parents=True)
    (state / "src/HEARTBEAT.md").write_text("# from the source\n")
    (state / "src/koog").touch()
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    config = {"heartbeatPath": "src/HEARTBEAT.md", "koogPath": "src", "sessionKey": "agent:main:main"}

    call("agent-start", {**OPENCLAW, "config": config}, cwd=observed)
    settle(observed)

    assert (observed / "HEARTBEAT.md").read_text() == "# from the source\n"
    assert not (observed / "sinain-koog").exists()  # that folder holds the program, not scripts for a workspace


def test_a_failure_of_what_was_set_off_is_noted_where_status_looks(observed):
    (observed / "memory/session-summaries.jsonl").mkdir()

    call("agent-end", {**OPENCLAW, **ENDED}, cwd=observed)
    settle(observed)

    (noted,) = (json.loads(line) for line in (observed / ".koog/failures.jsonl").read_text().splitlines())
    assert (noted["command"], noted["code"]) == ("hook agent-end", "workspace")


def test_a_workspace_that_stays_busy_is_noted_because_nobody_can_try_again(observed):
    with locked(observed):
        call("agent-end", {**OPENCLAW, **ENDED}, "--deadline", "1.5", cwd=observed)
        settle(observed)

    (noted,) = (json.loads(line) for line in (observed / ".koog/failures.jsonl").read_text().splitlines())
    assert "another koog holds the workspace" in noted["message"]


def test_a_secret_in_a_runs_error_is_nowhere_on_disk(observed):
    token = "sk-or-" + "v1-0123456789abcdef" * 2
    call("agent-end", {**OPENCLAW, **ENDED, "success": False, "error": f"401 for {token}"}, cwd=observed)
    settle(observed)

    assert token not in (observed / SUMMARIES).read_text()
    assert "401 for [redacted" in rows(observed)[0]["error"]


def test_a_dry_run_sets_nothing_off(observed):
    call("agent-end", {**OPENCLAW, **ENDED}, "--dry-run", cwd=observed)

    assert at_work(observed) == []
    assert rows(observed) == []


# --- never in the way


@pytest.mark.parametrize(
    "stdin",
    [b"", b"{", b"[1]", b"null", b"\xff\xfe", b'{"hook_event_name": 7, "config": [], "event": {"trigger": {}}}'],
    ids=["nothing", "half", "a list", "null", "no UTF-8", "strange"],
)
def test_whatever_stands_on_standard_input_the_answer_is_one_object_and_code_0(observed, stdin):
    call("prompt-build", stdin, cwd=observed)
    call("agent-end", stdin, cwd=observed)


@pytest.mark.parametrize("event", ["session-start", "pre-compaction", "agent-end"])
def test_a_hook_answers_while_another_koog_holds_the_workspace(observed, event):
    with locked(observed):
        call(event, {**OPENCLAW, **ENDED}, cwd=observed)


def test_what_waited_for_the_lock_is_written_when_it_is_free(observed):
    with locked(observed):
        call("agent-end", {**OPENCLAW, **ENDED}, cwd=observed)
        assert rows(observed) == []
    settle(observed)

    assert [row["runId"] for row in rows(observed)] == ["run-1"]


@pytest.mark.parametrize("event", ["session-start", "pre-compaction", "agent-end"])
def test_a_hook_answers_although_the_model_never_does(observed, event, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("KOOG_PROVIDER_BASE_URL", f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        monkeypatch.setenv("KOOG_PROVIDER_API_KEY_ENV", "null")

        call(event, {**OPENCLAW, **ENDED}, "--deadline", "2", cwd=observed)
        settle(observed)


def test_fifty_megabytes_are_drained_and_nothing_comes_of_them(observed):
    call("agent-end", b'{"error": "' + b"x" * 50_000_000 + b'"}', cwd=observed)
    settle(observed)

    assert rows(observed) == []


def test_a_closed_standard_input_is_an_empty_one(observed):
    process = start("prompt-build", cwd=observed, stdin=None, preexec_fn=lambda: os.close(0))

    assert answered(process) == {}


def test_a_host_that_never_closes_its_pipe_is_not_waited_for(observed):
    process = patient("prompt-build", cwd=observed)
    process.stdin.write(json.dumps(OPENCLAW).encode())
    process.stdin.flush()

    assert process.wait(timeout=120) == 0
    assert "SQLite" in process.stdout.read().decode()
    process.stdin.close()
    process.stdout.close()
    process.stderr.close()


def test_a_hook_that_hangs_in_a_read_answers_nothing_and_ends(observed, tmp_path):
    os.mkfifo(tmp_path / "config.json")

    answer = call("session-start", OPENCLAW, "--config", str(tmp_path / "config.json"), "--deadline", "1", cwd=observed)

    assert answer == {}


@pytest.mark.parametrize("event", ["agent-end", "session-start"])
def test_without_a_workspace_there_is_nothing_to_do(tmp_path, event):
    assert call(event, {**OPENCLAW, "workspaceDir": str(tmp_path)}, cwd=tmp_path) == {}
    assert not (tmp_path / ".koog").exists()
    assert not (tmp_path / "memory").exists()


@pytest.mark.parametrize(
    "argv",
    [["--no-such"], ["--host", "vim"], ["--deadline", "soon"], ["--workspace", "/no/such"], ["--now", "x"]],
    ids=str,
)
def test_a_wrong_call_blocks_nobody_either(observed, argv):
    process = start("agent-end", *argv, cwd=observed)

    assert answered(process, b"{}") == {}
    assert call("no-such-event", {}, cwd=observed) == {}


def test_tables_for_people_are_no_answer_for_a_host(observed):
    assert call("agent-end", b"", "--human", cwd=observed) == {}


def test_a_shared_options_value_that_reads_hook_makes_no_hook_of_another_command(workspace):
    command = [sys.executable, "-m", "koog", "--memory-dir", "hook", "no-such-command"]

    done = subprocess.run(command, cwd=workspace, capture_output=True, check=False)

    assert done.returncode == 2


# --- what it leaves behind


def test_at_the_deadline_the_detached_work_ends_with_everything_that_it_has_started(observed, tmp_path, monkeypatch):
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "git").write_text(f"#!/bin/sh\nsleep 300 & echo $! > {tmp_path}/asleep\nwait\n")
    (programs / "git").chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    call("agent-end", {**OPENCLAW, **ENDED}, "--deadline", "2", cwd=observed)
    settle(observed)

    asleep = (tmp_path / "asleep").read_text().strip()  # it was git that it hung in
    assert not still_runs(asleep)
    assert "did not end within 2 s" in (observed / ".koog/failures.jsonl").read_text()


def test_what_is_set_off_outlives_the_hooks_process_group(observed):
    with locked(observed):
        process = start("agent-end", cwd=observed, start_new_session=True)
        answered(process, json.dumps({**OPENCLAW, **ENDED}).encode())
        with suppress(ProcessLookupError):  # nothing of the group is left: what was set off has one of its own
            os.killpg(process.pid, signal.SIGKILL)
    settle(observed)

    assert [row["runId"] for row in rows(observed)] == ["run-1"]


def test_killed_at_any_moment_a_hook_leaves_whole_lines_and_the_next_one_writes_the_run_once(observed):
    chance = random.Random(7)
    given = [json.dumps({**OPENCLAW, **ENDED, "runId": f"run-{number}"}).encode() for number in range(ROUNDS)]
    for stdin in given:
        process = start("agent-end", cwd=observed)
        process.stdin.write(stdin)
        process.stdin.close()
        time.sleep(chance.uniform(0.02, 0.3))
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
        for pid in at_work(observed):
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(int(pid), signal.SIGKILL)
    for stdin in given:
        call("agent-end", stdin, cwd=observed)
    settle(observed)

    assert sorted(row["runId"] for row in rows(observed)) == sorted(f"run-{number}" for number in range(ROUNDS))
