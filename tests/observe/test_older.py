"""Older sessions that are never read by themselves: counted, and read by the command that the reply names."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from koog.core.run import Run
from koog.observe import observations, unread
from koog.sessions import taken
from koog.sessions.openclaw import OpenClaw
from koog.sessions.place import Place
from tests.conftest import process, registered
from tests.fakes import stores
from tests.fakes.sessions import FakeReader, turn
from tests.fakes.stores import Database
from tests.fakes.watching import NOW, by_user, grow, openclaw, said

COMMANDS = ("observe", "recover", "startup")
BEFORE = -5 * 24 * 3600  # five days before the fakes' conversations begin
OLD = "2026-02-23"


def session(home: Path, name: str, *texts: str, at: float = BEFORE, project: str = "-home-p") -> Path:
    path = home / ".claude/projects" / project / f"{name}.jsonl"
    return stores.write(path, stores.claude(by_user(list(texts)), first=int(at)))


@pytest.fixture
def three(alone: Path) -> Path:
    """Three older sessions, one of them in which nobody speaks, and one of a subagent."""
    session(alone, "a", *said(1))
    session(alone, "b", *said(2, first=1), at=BEFORE + 24 * 3600)
    path = session(alone, "empty")
    path.write_text(json.dumps({"type": "summary", "summary": "x", "leafUuid": "y"}) + "\n")
    os.utime(path, (1_770_000_000, 1_770_000_000))
    session(alone, "agent-7", *said(1, first=9))
    return alone


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_that_is_named_reads_them_all_whole_and_then_there_are_none(command, koog, workspace, three):
    _, line = koog(*NOW, command)
    assert line["older"] == {"sessions": 2, "command": f"koog observe --since {OLD}"}

    _, done = koog(*NOW, *shlex.split(line["older"]["command"])[1:])

    assert (done["turns"], done["older"]) == (3, None)
    assert len(observations.observations((workspace / "memory/observations.md").read_text())) == 3
    assert [koog(*NOW, name)[1]["older"] for name in COMMANDS] == [None, None, None]


def test_the_day_is_that_on_which_the_first_of_them_began(koog, workspace, alone):
    path = session(alone, "a", *said(1))
    late = stores.claude(by_user(said(1, first=1)), first=BEFORE + 3 * 24 * 3600)
    path.write_bytes(path.read_bytes() + b"".join(map(stores.line, late)))

    _, line = koog(*NOW, "recover")
    _, done = koog(*NOW, *shlex.split(line["older"]["command"])[1:])

    assert line["older"]["command"].endswith(OLD) and done["turns"] == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_new_what_is_observed_and_what_has_begun_to_be_is_not_older(command, koog, workspace, three):
    grow(three, said(1, first=5))
    koog(*NOW, "observe")
    with (three / ".claude/projects/-home-p/a.jsonl").open("ab") as file:
        file.writelines(map(stores.line, stores.claude(by_user(said(1, first=6)), first=60)))

    assert koog(*NOW, command)[1]["older"]["sessions"] == 1


def test_those_that_are_not_taken_are_not_counted(koog, workspace, alone):
    database(alone, "agent:main:telegram:group:-100", last=BEFORE)
    session(alone, "a", *said(1), at=BEFORE + 24 * 3600)

    assert koog(*NOW, "recover")[1]["older"]["sessions"] == 1
    registered(workspace, observe_groups=["telegram:*"])
    assert koog(*NOW, "recover")[1]["older"]["sessions"] == 2
    registered(workspace, observe_sources=["openclaw"])
    assert koog(*NOW, "recover")[1]["older"] == {"sessions": 1, "command": f"koog observe --since {OLD}"}


def database(home: Path, key: str, *, last: int) -> Database:
    """Make a database of one session; of it the last word is known, as the host's own table has it."""
    made = Database(home / ".openclaw", key=key)
    made.append(openclaw(said(1), first=BEFORE))
    made.append(openclaw(said(1, first=1), first=last))
    millis = int((stores.START.timestamp() + last) * 1000)
    made.db.execute("UPDATE session_windows SET updated_at = ?, transcript_updated_at = ?", (millis, millis))
    return made


@pytest.mark.parametrize("how", ["live", "deleted"])
def test_a_session_in_a_database_is_read_from_where_it_began(how, koog, workspace, alone):
    db = database(alone, "agent:main:main", last=BEFORE + 3 * 24 * 3600)
    if how == "deleted":
        db.delete([*openclaw(said(1), first=BEFORE), *openclaw(said(1, first=1), first=BEFORE + 3 * 24 * 3600)])
    db.close()

    _, line = koog("--now", "2026-03-09T12:00:00Z", "recover")
    _, done = koog("--now", "2026-03-09T12:00:00Z", *shlex.split(line["older"]["command"])[1:])

    assert line["older"] == {"sessions": 1, "command": f"koog observe --since {OLD}"}
    assert (done["turns"], done["older"]) == (2, None)


def test_a_session_that_was_reset_is_read_from_its_first_part(koog, workspace, alone):
    folder = alone / ".openclaw/agents/main/sessions"
    stores.write(folder / "s.jsonl.reset.2026-02-24T09-00-00.000Z", openclaw(said(1), first=BEFORE, session="s"))
    stores.write(folder / "s.jsonl", openclaw(said(1, first=1), first=BEFORE + 24 * 3600, session="s"))

    _, line = koog(*NOW, "recover")
    _, done = koog(*NOW, *shlex.split(line["older"]["command"])[1:])

    assert line["older"] == {"sessions": 1, "command": f"koog observe --since {OLD}"}
    assert (done["turns"], done["older"]) == (2, None)


def test_a_store_that_somebody_names_is_named_in_the_command(koog, workspace, alone, tmp_path):
    folder = tmp_path / "a copy"
    stores.write(folder / "projects/-w/s.jsonl", stores.claude(by_user(said(1)), first=BEFORE))

    _, line = koog(*NOW, "recover", "--source", str(folder))
    words = shlex.split(line["older"]["command"])
    _, done = koog(*NOW, *words[1:])

    assert words == ["koog", "observe", "--since", OLD, "--source", str(folder)]
    assert (done["turns"], done["older"]) == (1, None)


def test_a_store_that_cannot_be_read_is_no_session(koog, workspace, alone):
    path = alone / ".openclaw/agents/main/agent/openclaw-agent.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database")
    os.utime(path, (1_000_000, 1_000_000))

    assert [s.id for s in OpenClaw(alone / ".openclaw").sessions()] == ["?"]
    assert koog(*NOW, "recover")[1]["older"] is None


def test_a_long_session_is_counted_by_its_listing(workspace, alone):
    class Reader(FakeReader):
        def sessions(self) -> list[Any]:
            return [s._replace(path=str(path), place=Place("/w")) for s in super().sessions()]

    path = alone / "long.jsonl"
    path.write_bytes(b" " * (unread.HEAD_BYTES + 1))
    reader = Reader(a=[turn(BEFORE, "x")])
    run = Run(folder=str(workspace), now_text="2026-02-28T12:00:00Z")

    found = unread.older(run, taken.main_sessions(run, [reader], is_named=True))

    assert found is not None and found["sessions"] == 1 and reader.reads == []


# --- what recover says


@pytest.mark.parametrize(("count", "words"), [(1, "1 older session was"), (2, "2 older sessions were")])
def test_everything_was_observed_is_said_only_when_it_is_so(count, words, koog, workspace, alone):
    for n in range(count):
        session(alone, f"s{n}", *said(1, first=n))

    _, first = koog(*NOW, "recover")
    koog(*NOW, *shlex.split(first["older"]["command"])[1:])
    _, second = koog(*NOW, "recover")

    assert first["reason"] == f"nothing new; {words} never observed"
    assert (second["reason"], second["older"]) == ("everything was observed", None)


def test_turns_that_wait_and_older_sessions_are_both_said(koog, workspace, alone, monkeypatch):
    monkeypatch.setenv("KOOG_PROVIDER_API_KEY_ENV", "null")
    session(alone, "a", *said(1))
    grow(alone, said(2, first=5))
    koog(*NOW, "recover")

    assert koog(*NOW, "recover")[1]["reason"] == (
        "nothing new; 1 older session was never observed; 2 turns wait for a model"
    )


def test_a_dry_run_counts_too_and_begins_nothing(koog, workspace, three):
    assert koog(*NOW, "observe", "--dry-run")[1]["older"]["sessions"] == 2
    assert not (workspace / "memory/meta/cursors.json").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_person_reads_how_many_there_are_and_what_to_do(command, workspace, three):
    done = process(*NOW, command, "--human", cwd=workspace)

    assert done.returncode == 0
    rows = [row.strip() for row in done.stdout.splitlines()]
    assert any(row.startswith("older") and row.endswith("sessions: 2") for row in rows)
    assert f"command: koog observe --since {OLD}" in rows


@pytest.mark.parametrize(("key", "entries"), [("agent:main:main", 2), ("agent:main:telegram:group:-100", 0)])
def test_the_watch_counts_only_what_is_taken(key, entries, workspace, alone):
    database(alone, key, last=1).close()

    done = process("--now", "2026-02-23T10:00:00Z", "watch", "--once", cwd=workspace)

    events = [json.loads(row) for row in done.stdout.splitlines()]
    assert [e["entries"] for e in events if e["event"] == "entries"] == ([entries] if entries else [])
    assert events[-1]["entries"] == entries
