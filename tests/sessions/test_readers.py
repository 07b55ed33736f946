"""One conversation, four formats, one result; and the real stores of OpenClaw, read whole."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from koog.sessions.find import find
from koog.sessions.turn import Batch, Reader, Session, Turn
from tests.fakes.stores import FILES, RENDER, SESSION, START, TALK, Database, Said, header, openclaw, write

CORPUS = Path(__file__).resolve().parents[2].parent / "shared/corpus/openclaw"
EXPECTED = [
    ("user", TALK[0].text, "user"),
    ("assistant", TALK[1].text, "agent"),
    ("user", TALK[2].text, "user"),
    ("tool", "exec `make test`, exit 2: 3 failed, 41 passed", "agent"),
    ("tool", "exec `make test-fast`, exit 0: 44 passed", "agent"),
    ("assistant", TALK[5].text, "agent"),
    ("user", TALK[6].text, "user"),
]


def reader(root: Path) -> Reader:
    [found] = find(str(root), env={}, home=root)
    return found


def turns(batches: list[Batch]) -> list[Turn]:
    return [turn for batch in batches for turn in batch.turns]


def told(found: list[Turn]) -> list[tuple[str, str, str]]:
    return [(turn.role, turn.text, turn.origin) for turn in found]


@pytest.mark.parametrize("host", [*RENDER, "database", "archive"])
def test_one_conversation_is_the_same_in_every_format(tmp_path, host):
    if host in RENDER:
        first = [header()] if host == "openclaw" else []
        write(tmp_path / FILES[host], [*first, *RENDER[host](TALK)])
    else:
        with closing(Database(tmp_path)) as store:
            store.append([header(), *openclaw(TALK[:4])])
            store.append(openclaw(TALK[4:], first=4), packed=True)
            if host == "archive":
                store.delete([header(), *openclaw(TALK)])

    hosts = reader(tmp_path)
    [session] = hosts.sessions()
    batches = list(hosts.read(session, None))

    assert told(turns(batches)) == EXPECTED
    assert turns(batches)[0].at == START
    assert (session.id, session.kind) == (SESSION, "main")
    assert len({turn.id for turn in turns(batches)}) == len(EXPECTED)
    assert [batch.unknown for batch in batches] == [{}]
    assert list(hosts.read(session, batches[-1].cursor)) == []


@pytest.mark.parametrize("host", RENDER)
def test_a_long_session_comes_in_batches_and_goes_on_from_each_of_them(tmp_path, host):
    talk = [Said("user" if n % 2 else "assistant", f"thing {n}") for n in range(1_200)]
    write(tmp_path / FILES[host], [*([header()] if host == "openclaw" else []), *RENDER[host](talk)])
    hosts = reader(tmp_path)
    [session] = hosts.sessions()

    batches = list(hosts.read(session, None))
    later = list(hosts.read(session, batches[0].cursor))

    assert [turn.text for turn in turns(batches)] == [said.text for said in talk]
    assert len(batches) > 2
    assert turns(later) == turns(batches[1:])


def test_long_turns_make_small_batches(tmp_path):
    write(tmp_path / FILES["claude"], RENDER["claude"]([Said("user", f"{n} " + "x" * 400_000) for n in range(6)]))
    hosts = reader(tmp_path)

    batches = list(hosts.read(hosts.sessions()[0], None))

    assert [len(batch.turns) for batch in batches] == [3, 3]


# --- the real stores

needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"{CORPUS} is not here: OpenClaw's real stores")


def counts(store: str) -> tuple[Counter[str], Counter[tuple[str, str]], Counter[str], list[Session]]:
    """Return sessions by kind, turns by role and origin, unknown records, and the sessions of a real store."""
    hosts = reader(CORPUS / store)
    sessions = hosts.sessions()
    batches = [batch for session in sessions for batch in hosts.read(session, None)]
    said = Counter((turn.role, turn.origin) for turn in turns(batches))
    unknown = Counter[str]()
    for batch in batches:
        unknown.update(batch.unknown)
    return Counter(session.kind for session in sessions), said, unknown, sessions


@needs_corpus
def test_the_real_file_store_is_read_whole():
    kinds, said, unknown, sessions = counts("file-store-2026.7.1")

    assert kinds == {"main": 3, "cron": 1, "subagent": 1}
    assert said == {
        ("user", "user"): 13,
        ("assistant", "agent"): 14,  # and one that only says the host's internal context again, which nobody said
        ("tool", "agent"): 14,
        **{(role, "heartbeat"): 2 for role in ("user", "assistant")},
        **{(role, origin): 1 for role in ("user", "assistant", "tool") for origin in ("cron", "subagent")},
    }
    assert unknown == {}
    assert sessions[0].id == "2856553b-e02f-4b01-99c4-29b843d1367e"  # the newest, by what was said and not by name


@needs_corpus
def test_the_real_database_is_read_whole_with_its_compressed_rows_and_archive():
    kinds, said, unknown, sessions = counts("sqlite-store-2026.9.6")

    assert kinds == {"main": 2, "cron": 1, "subagent": 1}
    assert said == {
        ("user", "user"): 34,
        ("assistant", "agent"): 34,
        ("tool", "agent"): 8,
        **{(role, "heartbeat"): 1 for role in ("user", "assistant")},
        **{(role, origin): 1 for role in ("user", "assistant", "tool") for origin in ("cron", "subagent")},
    }
    assert unknown == {}
    assert {session.key.rsplit("/", 1)[0] for session in sessions} == {"openclaw/main"}


@needs_corpus
def test_a_failed_command_of_the_real_database_keeps_its_exit_code():
    hosts = reader(CORPUS / "sqlite-store-2026.9.6")

    found = [turn.text for session in hosts.sessions() for turn in turns(list(hosts.read(session, None)))]

    assert any(text.startswith("exec `ls /nonexistent; exit 3`, exit 3: ls: cannot access") for text in found)


@needs_corpus
def test_a_real_store_read_twice_has_nothing_new_and_is_left_as_it_was(tmp_path):
    shutil.copytree(CORPUS, tmp_path / "stores")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "stores").rglob("*")}
    hosts = reader(tmp_path / "stores")
    cursors = {session.key: [*hosts.read(session, None)][-1].cursor for session in hosts.sessions()}

    again = [batch for session in hosts.sessions() for batch in hosts.read(session, cursors[session.key])]

    assert again == []
    assert len(cursors) == 9
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "stores").rglob("*")} == before


@pytest.mark.parametrize("host", RENDER)
def test_a_moment_inside_a_tools_result_makes_no_session_old(tmp_path, host):
    records = list(RENDER[host](TALK[:4]))
    records[-1]["toolUseResult"] = {"event": {"timestamp": "2024-01-01T00:00:00.000Z"}}
    write(tmp_path / FILES[host], [*([header()] if host == "openclaw" else []), *records])

    [session] = reader(tmp_path).sessions()

    assert session.changed == START + timedelta(seconds=3)


def test_a_long_last_record_leaves_the_moment_of_the_files_change(tmp_path):
    talk = [Said("user", "hello"), Said("tool", "x" * 20_000, "cat big")]
    path = write(tmp_path / FILES["claude"], RENDER["claude"](talk))
    os.utime(path, (1_800_000_000, 1_800_000_000))

    [session] = reader(tmp_path).sessions()

    assert session.changed.timestamp() == 1_800_000_000


def test_a_deleted_session_is_as_new_as_its_deletion_however_early_it_began(tmp_path):
    with closing(Database(tmp_path)) as store:
        store.delete([header(), *openclaw(TALK)])

    [session] = reader(tmp_path).sessions()

    assert session.changed.isoformat() == "2026-03-01T09:00:00+00:00"
