"""koog watch: real processes that watch a conversation grow."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from koog.core import schema
from tests.conftest import REPLY_SCHEMAS, git, process
from tests.fakes.watching import CLAUDE, NOW, OPENCLAW, PATIENCE_S, Database, configure, grow, openclaw, said, watching

OBSERVATIONS = "memory/observations.md"


def once(workspace: Path, *argv: str) -> list[dict]:
    """Run `watch --once` and return its events."""
    done = process(*NOW, "watch", "--once", *argv, cwd=workspace)
    assert done.returncode == 0, done.stderr
    return [json.loads(text) for text in done.stdout.splitlines()]


def names(events: list[dict]) -> list[str]:
    return [e["event"] for e in events]


def observed(workspace: Path) -> str:
    path = workspace / OBSERVATIONS
    return path.read_text() if path.exists() else ""


def problem(event: dict) -> str | None:
    """Return what is wrong with a line by the published schema."""
    path, definition = REPLY_SCHEMAS["watch"]
    keys = {k: v for k, v in event.items() if k not in ("ok", "error", "_meta")}
    return schema.problem(keys, schema.definition(path, definition))


# --- when it observes


@pytest.mark.parametrize(("count", "expected"), [(39, []), (40, ["observed"])])
def test_forty_entries_are_observed_and_thirty_nine_are_not(count, expected, workspace, alone):
    grow(alone, said(count))

    events = once(workspace)

    assert names(events) == ["started", "entries", *expected, "stopped"]
    assert events[1]["entries"] == count
    assert ("port 8000" in observed(workspace)) is bool(expected)
    assert [problem(e) for e in events] == [None] * len(events)
    assert {e["_meta"]["schema"] for e in events} == {"koog.watch/1"}


def test_what_was_observed_is_not_counted_again(workspace, alone):
    configure(workspace, entries=5)
    grow(alone, said(5))
    once(workspace)
    grow(alone, said(4, first=5), first=5)

    events = once(workspace)

    assert names(events) == ["started", "entries", "stopped"]
    assert events[1]["entries"] == 4


def test_only_main_sessions_count(workspace, alone):
    configure(workspace, entries=5)
    grow(alone, said(9), name="agent-7.jsonl")
    cron = Database(alone, key="agent:main:cron:7")
    cron.append(openclaw(said(9)))
    cron.close()

    assert names(once(workspace)) == ["started", "stopped"]


def test_entries_of_the_database_are_seen_in_its_log_while_the_host_holds_it_open(workspace, alone):
    configure(workspace, entries=5)
    host = Database(alone)
    host.append(openclaw(said(2)))

    with watching(cwd=workspace) as watch:
        watch.wait("entries")
        host.append(openclaw(said(3, first=2), first=2))
        watch.wait("observed")
        code = watch.end()
    host.close()

    assert code == 0
    assert "port 8004" in observed(workspace)


def test_entries_that_come_in_a_cooldown_wait_for_its_end_and_need_no_event_then(workspace, alone):
    configure(workspace, entries=3, cooldown_s=4)
    grow(alone, said(3))

    with watching(cwd=workspace) as watch:
        watch.wait("observed")
        grow(alone, said(3, first=3), first=3)
        skipped = watch.wait("skipped-cooldown")
        watch.wait("observed", times=2)
        watch.end()

    assert 1 <= skipped["waitSeconds"] <= 4
    assert len(watch.named("skipped-cooldown")) == 1
    assert "port 8005" in observed(workspace)
    assert [problem(e) for e in watch.events] == [None] * len(watch.events)


# --- what it survives


def test_a_folder_that_appears_later_is_found(workspace, alone):
    configure(workspace, entries=3)
    live = alone / OPENCLAW
    live.parent.mkdir(parents=True)
    write(live, openclaw(said(1)))

    with watching(cwd=workspace) as watch:
        watch.wait("entries")
        grow(alone, said(1, first=1), first=1)
        found = watch.wait("rescanned")
        grow(alone, said(1, first=2), first=2)
        watch.wait("observed")
        watch.end()

    assert (found["folders"], found["entries"]) == (2, 2)
    assert "port 8000" in observed(workspace) and "port 8002" in observed(workspace)


def test_a_file_that_is_renamed_and_begun_anew_is_followed(workspace, alone):
    configure(workspace, entries=4, cooldown_s=0)
    live = alone / OPENCLAW
    live.parent.mkdir(parents=True)
    write(live, openclaw(said(4)))

    with watching(cwd=workspace) as watch:
        watch.wait("observed")
        live.rename(f"{live}.reset.2026-02-28T09-30-00.000Z")
        write(live.with_name("7.jsonl"), openclaw(said(4, first=4), first=4, session="7"))
        watch.wait("observed", times=2)
        watch.end()

    text = observed(workspace)
    assert [text.count(f"port {8000 + n}") for n in range(8)] == [1] * 8


def write(path: Path, records: list[dict]) -> None:
    path.write_text("".join(json.dumps(r) + "\n" for r in records))


def test_a_folder_that_was_removed_and_made_again_is_watched_again(workspace, alone):
    configure(workspace, entries=3, cooldown_s=0)
    path = grow(alone, said(3))

    with watching(cwd=workspace) as watch:
        watch.wait("observed")
        path.unlink()
        path.parent.rmdir()
        watch.wait("rescanned")
        grow(alone, said(3, first=3), first=3, name="other.jsonl")
        watch.wait("observed", times=2)
        watch.end()

    assert "port 8005" in observed(workspace)


def test_an_observe_that_fails_is_an_event_and_the_next_one_makes_up_for_it(workspace, alone, llm):
    configure(workspace, entries=3, cooldown_s=1)
    grow(alone, said(3))
    llm.fails(400).always({"observations": []})

    with watching(cwd=workspace) as watch:
        failed = watch.wait("error")
        watch.wait("observed")
        code = watch.end()

    assert (code, failed["ok"], failed["error"]["code"]) == (0, False, "llm_unusable")
    assert watch.named("observed")[-1]["entries"] == 0


def test_a_source_that_is_not_there_is_told_once_and_waited_for(workspace, alone):
    configure(workspace, entries=3)
    place = alone / CLAUDE

    with watching("--source", str(place), cwd=workspace) as watch:
        failed = watch.wait("error")
        grow(alone, said(3))
        watch.wait("observed")
        watch.end()

    assert failed["error"]["code"] == "not_found"
    assert len(watch.named("error")) == 1


# --- how it ends, and that there is one


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_a_last_event_and_code_0(number, workspace, alone):
    grow(alone, said(1))

    with watching(cwd=workspace) as watch:
        watch.wait("entries")
        code = watch.end(number)
        said_to_people = watch.process.stderr.read()

    assert (code, watch.events[-1]["event"], said_to_people) == (0, "stopped", "")


def test_a_signal_interrupts_a_model_that_thinks_and_nothing_is_marked_as_observed(workspace, alone, llm):
    configure(workspace, entries=3)
    grow(alone, said(3))
    llm.raw(lambda connection: connection.recv(1))  # it hears the question's first byte and says nothing

    with watching(cwd=workspace) as watch:
        watch.wait("entries")
        while not llm.requests:
            pass
        code = watch.end()
    assert (code, watch.events[-1]["event"]) == (0, "stopped")
    assert names(once(workspace, "--engine", "builtin"))[2] == "observed"


def test_a_second_watch_is_busy_and_one_that_was_killed_leaves_no_lock(workspace, alone):
    grow(alone, said(1))

    with watching(cwd=workspace) as first:
        first.wait("started")
        second = process(*NOW, "watch", cwd=workspace)
        first.end(signal.SIGKILL)
    events = once(workspace)

    assert (second.returncode, json.loads(second.stdout)["error"]["code"]) == (9, "busy")
    assert names(events) == ["started", "entries", "stopped"]


def test_the_workspace_is_free_while_it_waits(workspace, alone):
    (workspace / "memory/2026-02-28.md").write_text("- Learned: the lock is free\n")
    grow(alone, said(1))

    with watching(cwd=workspace) as watch:
        watch.wait("entries")
        mined = process(*NOW, "mine", cwd=workspace)
        watch.end()

    assert mined.returncode == 0, mined.stdout


def test_it_ends_by_itself_after_the_seconds_it_was_given(workspace, alone):
    done = process(*NOW, "watch", "--for", "0.2", cwd=workspace)

    assert done.returncode == 0
    assert names([json.loads(text) for text in done.stdout.splitlines()]) == ["started", "stopped"]


def test_a_folder_whose_name_is_no_text_is_looked_at_and_ends_no_watch(workspace, alone):
    configure(workspace, entries=5)
    grow(alone, said(9))
    folder = (alone / CLAUDE).parent
    folder.rename(os.fsdecode(os.fsencode(folder) + b"\xff"))

    done = process(*NOW, "watch", "--for", "1", cwd=workspace)

    assert done.returncode == 0, done.stderr
    assert names([json.loads(text) for text in done.stdout.splitlines()])[-2:] == ["observed", "stopped"]


def test_it_ends_when_nobody_reads_it_any_more(workspace, alone):
    configure(workspace, entries=1000)
    grow(alone, said(1))
    command = [sys.executable, "-m", "koog", *NOW, "watch", "--rescan", "1"]

    with subprocess.Popen(command, cwd=workspace, stdout=subprocess.PIPE, text=True) as reader:
        reader.stdout.readline()
        reader.stdout.close()
        grow(alone, said(1, first=1), first=1)
        code = reader.wait(PATIENCE_S)

    assert code == 0


def test_a_dry_run_tells_and_writes_nothing(workspace, alone):
    configure(workspace, entries=3)
    grow(alone, said(3))
    before = git(workspace, "status", "--porcelain")

    events = once(workspace, "--dry-run")

    assert names(events) == ["started", "entries", "observed", "stopped"]
    assert git(workspace, "status", "--porcelain") == before


@pytest.mark.parametrize("argv", [["--rescan", "0"], ["--rescan", "nan"], ["--for", "-1"], ["--for", "inf"]])
def test_figures_that_are_no_seconds_are_a_wrong_call(argv, koog):
    assert koog("watch", *argv)[1]["error"]["code"] == "usage"
