"""Other people's files: garbage, lines without end, no permission, files that vanish, a database that is busy."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from koog.sessions import openclaw_sqlite
from koog.sessions.claude import Claude
from koog.sessions.find import find
from koog.sessions.lines import LINE_LIMIT, TOO_LONG
from koog.sessions.openclaw import OpenClaw
from koog.sessions.records import KINDS
from koog.sessions.turn import Batch, Reader
from tests.conftest import ROOT, examples
from tests.fakes.stores import FILES, RENDER, SESSION, TALK, Database, Said, header, line, openclaw, pack, write

TEXTS = [said.text for said in TALK if said.role != "tool"]


def reader(root: Path) -> Reader:
    [found] = find(str(root), env={}, home=root)
    return found


def read(hosts: Reader) -> list[Batch]:
    return [batch for session in hosts.sessions() for batch in hosts.read(session, None)]


def texts(batches: list[Batch]) -> list[str]:
    return [turn.text for batch in batches for turn in batch.turns if turn.role != "tool"]


def unknown(batches: list[Batch]) -> dict[str, int]:
    return {kind: count for batch in batches for kind, count in batch.unknown.items()}


GARBAGE = [
    b"",
    b"\0\0\0\0",
    b"{",
    b"[]",
    b"7",
    b"null",
    b'"text"',
    b"\xff\xfe\x00",
    b"{" * 3000,
    b"not json",
    b"[" * 3000,
]


@pytest.mark.parametrize("host", RENDER)
def test_lines_that_are_no_records_are_counted_and_passed_over(tmp_path, host):
    path = write(tmp_path / FILES[host], [header()] if host == "openclaw" else [])
    records = [line(record) for record in RENDER[host](TALK)]
    mixed = [piece for pair in zip(records, GARBAGE, strict=False) for piece in (pair[0], pair[1] + b"\n")]
    path.write_bytes(path.read_bytes() + b"".join([*mixed, *records[len(GARBAGE) :]]))

    batches = read(reader(tmp_path))

    assert texts(batches) == TEXTS
    assert sum(unknown(batches).values()) == len([bad for bad in GARBAGE[: len(records)] if bad.strip(b"\0")])


@pytest.mark.parametrize("host", RENDER)
@pytest.mark.parametrize("broken", [b"Deploys go \\ud83d out on Tuesdays", b"Deploys go \xf0\x9f out on Tuesdays"])
def test_half_an_emoji_takes_no_turn_with_it(tmp_path, host, broken):
    path = write(tmp_path / FILES[host], [header()] if host == "openclaw" else [])
    records = b"".join(map(line, RENDER[host]([Said("user", "HERE"), Said("tool", "HERE", "ls", 2)])))
    path.write_bytes(path.read_bytes() + records.replace(b"HERE", broken))

    batches = read(reader(tmp_path))

    said, output = [turn.text for batch in batches for turn in batch.turns]
    assert said.startswith("Deploys go ") and said.endswith(" out on Tuesdays")
    assert output.startswith("exec `ls`, exit 2: Deploys go ")
    assert (said + output).encode()
    assert unknown(batches) == {}


def test_half_an_emoji_in_a_row_of_the_database_takes_no_turn_with_it(tmp_path):
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw([Said("user", "Deploys go out on Tuesdays HERE")])])
        store.db.execute("UPDATE transcript_events SET event_json = replace(event_json, 'HERE', '\\ud83d')")

        batches = read(reader(tmp_path))

    assert texts(batches) == ["Deploys go out on Tuesdays ?"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = "type id uuid timestamp message payload role content details provenance toolUseResult attachment output".split()
STRANGE = st.dictionaries(
    st.sampled_from(KEYS),
    VALUES | st.sampled_from(["message", "user", "assistant", "response_item", "tool_result", "function_call_output"]),
)


@pytest.mark.parametrize("host", RENDER)
@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(strange=st.lists(STRANGE, max_size=6))
def test_records_of_any_shape_raise_nothing(tmp_path, host, strange):
    last = Said("user", "and this is still heard")
    first = [header()] if host == "openclaw" else list(RENDER[host](TALK[:1]))
    write(tmp_path / FILES[host], [*first, *strange, *RENDER[host]([last], first=90)])

    assert texts(read(reader(tmp_path)))[-1:] == [last.text]


def test_kinds_of_unknown_records_are_bounded(tmp_path):
    strange = [{"type": f"kind {n}" + "x" * 500, "id": str(n)} for n in range(500)]
    write(tmp_path / FILES["openclaw"], [header(), *strange, *openclaw(TALK)])

    told = unknown(read(reader(tmp_path)))

    assert sum(told.values()) == 500
    assert len(told) <= KINDS + 1 and max(map(len, told)) <= 60


@pytest.mark.parametrize("host", RENDER)
def test_a_line_of_five_megabytes_is_a_line(tmp_path, host):
    long = Said("user", "x" * 5_000_000)
    tool = Said("tool", "begin " + "y" * 5_000_000 + " end", "cat big", 1)
    first = [header()] if host == "openclaw" else []
    write(tmp_path / FILES[host], [*first, *RENDER[host]([long, tool, Said("user", "after")])])

    user, output, after = [turn for batch in read(reader(tmp_path)) for turn in batch.turns]

    assert (len(user.text), after.text) == (5_000_000, "after")
    assert output.text.startswith("exec `cat big`, exit 1: begin") and output.text.endswith("end")
    assert len(output.text) < 1_200


def test_a_line_beyond_the_limit_is_passed_over_in_bounded_memory(tmp_path):
    path = write(tmp_path / FILES["openclaw"], [header()])
    with path.open("ab") as file:
        file.write(b'{"type":"message","id":"1","message":{"role":"user","content":"' + b"x" * LINE_LIMIT + b'"}}\n')
        file.writelines(map(line, openclaw(TALK)))

    batches = read(reader(tmp_path))

    assert texts(batches) == TEXTS
    assert unknown(batches) == {TOO_LONG: 1}


def test_a_line_beyond_the_limit_that_has_no_end_yet_waits(tmp_path):
    path = write(tmp_path / FILES["openclaw"], [header(), *openclaw(TALK)])
    with path.open("ab") as file:
        file.write(b'{"type":"' + b"x" * LINE_LIMIT)
    hosts = reader(tmp_path)

    batches = read(hosts)

    assert texts(batches) == TEXTS
    assert list(hosts.read(hosts.sessions()[0], batches[-1].cursor)) == []


def test_a_file_that_vanishes_while_it_is_read_ends_the_read(tmp_path):
    many = [Said("user", f"{n}") for n in range(1_200)]
    path = write(tmp_path / FILES["claude"], RENDER["claude"](many))
    hosts = reader(tmp_path)
    batches = hosts.read(hosts.sessions()[0], None)

    first = next(batches)
    path.unlink()

    assert list(batches) == []
    assert len(first.turns) < 1_200
    assert hosts.sessions() == []


LINKED = {"openclaw": ["agents", "agents/main"], "claude": ["projects", "projects/-home-p"], "codex": ["sessions/2026"]}


@pytest.mark.parametrize(("host", "link"), [(host, link) for host, links in LINKED.items() for link in links])
def test_a_folder_that_lies_elsewhere_is_found_through_its_link(tmp_path, host, link):
    write(tmp_path / "disk" / FILES[host], [*([header()] if host == "openclaw" else []), *RENDER[host](TALK)])
    place = tmp_path / "state" / link
    place.parent.mkdir(parents=True)
    place.symlink_to(tmp_path / "disk" / link)
    (tmp_path / "disk" / FILES[host]).parent.joinpath("up").symlink_to(tmp_path / "state")

    assert texts(read(reader(tmp_path / "state"))) == TEXTS


def test_what_cannot_be_read_is_told_and_the_cursor_stays(tmp_path):
    write(tmp_path / FILES["openclaw"], [header(), *openclaw(TALK)])
    hosts = reader(tmp_path)
    [session] = hosts.sessions()
    cursor = [*hosts.read(session, None)][-1].cursor
    path = Path(session.path)
    path.unlink()
    path.symlink_to(path)  # opening it fails, whoever reads

    [batch] = hosts.read(session, cursor)

    assert (batch.turns, batch.cursor) == ((), cursor)
    assert list(batch.unknown) == ["cannot be read: Too many levels of symbolic links"]


@pytest.mark.parametrize("host", RENDER)
def test_a_pipe_named_like_a_session_keeps_nobody_waiting(tmp_path, host):
    path = write(tmp_path / FILES[host], [*([header()] if host == "openclaw" else []), *RENDER[host](TALK)])
    os.mkfifo(path.with_name(path.name.replace("000001", "000002")))

    batches = read(reader(tmp_path))

    assert texts(batches) == TEXTS
    assert unknown(batches) == {"cannot be read: not a regular file": 1}


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up root's rights, which no permission stops."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_without_permission_one_session_says_so_and_the_others_are_read():
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # not tmp_path, which is closed to others
        Path(folder).chmod(0o755)
        write(Path(folder) / "projects/p/aa.jsonl", RENDER["claude"](TALK))
        write(Path(folder) / "projects/p/bb.jsonl", RENDER["claude"](TALK[:2])).chmod(0)
        hosts = Claude(Path(folder))

        with as_nobody():
            found = {session.id: [*hosts.read(session, None)] for session in hosts.sessions()}

        assert texts(found["aa"]) == TEXTS
        assert found["bb"] == [Batch((), {}, {"cannot be read: Permission denied": 1})]


# --- the database


def test_a_database_that_is_none_is_no_failure_and_says_so(tmp_path):
    path = tmp_path / "agents/main/agent/openclaw-agent.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"SQLite format 3\0 and nothing that fits")

    assert read(reader(tmp_path)) == [Batch((), {}, {"cannot be read: file is not a database": 1})]


def test_a_database_of_another_form_says_so_and_the_files_beside_it_are_read(tmp_path):
    other = write(tmp_path / FILES["openclaw"].with_name("other.jsonl"), [header(), *openclaw(TALK)])
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw(TALK)])
        store.db.execute("ALTER TABLE session_windows RENAME COLUMN updated_at TO changed_at")

        batches = read(reader(tmp_path))
        store.db.execute("ALTER TABLE session_windows RENAME COLUMN changed_at TO updated_at")
        other.unlink()
        mended = read(reader(tmp_path))

    assert texts(batches) == texts(mended) == TEXTS
    assert unknown(batches) == {"cannot be read: no such column: w.updated_at": 1}
    assert unknown(mended) == {}


def test_copies_beside_the_database_are_not_it(tmp_path):
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw(TALK)])
    for name in ("openclaw-agent.sqlite.memory-reindex-1", "openclaw-agent.sqlite.bak"):
        (store.path.parent / name).write_bytes(store.path.read_bytes())

    assert len(reader(tmp_path).sessions()) == 1


def test_a_writer_in_the_middle_of_its_transaction_does_not_stop_a_read(tmp_path):
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw(TALK)])
        store.db.execute("BEGIN IMMEDIATE")
        store.append(openclaw([Said("user", "not yet")], first=50))

        inside = texts(read(reader(tmp_path)))
        store.db.execute("COMMIT")
        after = texts(read(reader(tmp_path)))

    assert inside == TEXTS
    assert after == [*TEXTS, "not yet"]


def test_no_lock_is_held_between_two_batches(tmp_path):
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw([Said("user", f"{n}") for n in range(1_200)])])
        hosts = reader(tmp_path)
        batches = hosts.read(hosts.sessions()[0], None)
        first = next(batches)
        store.db.execute("PRAGMA busy_timeout = 0")

        busy, *_ = store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        rest = [turn for batch in batches for turn in batch.turns]

    assert busy == 0
    assert [turn.text for turn in (*first.turns, *rest)] == [f"{n}" for n in range(1_200)]


def test_a_database_that_loses_its_tables_says_so(tmp_path):
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw(TALK)])
        hosts = reader(tmp_path)
        [session] = hosts.sessions()
        store.db.execute("DROP TABLE transcript_events")

        [batch] = hosts.read(session, {"seq": 1})

    assert (batch.cursor, list(batch.unknown)) == ({"seq": 1}, ["cannot be read: no such table: transcript_events"])


def test_rows_that_are_broken_are_counted_and_passed_over(tmp_path):
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw(TALK)])
        for seq, text, packed in ((900, "{", None), (901, None, b"no frame"), (902, None, None), (903, 7, None)):
            row = (SESSION, seq, text, packed)
            store.db.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?, 1)", row)
        store.append(openclaw([Said("user", "after")], first=1_000))

        batches = read(reader(tmp_path))

    assert texts(batches) == [*TEXTS, "after"]
    assert unknown(batches) == {"not JSON": 2, "no object": 1, "compressed record that is broken": 1}


WITHOUT_ZSTD = f"""
import sys; sys.modules["zstandard"] = None; sys.modules["compression"] = None
from pathlib import Path; from koog.sessions.openclaw import OpenClaw
hosts = OpenClaw(Path(sys.argv[1]))
cursor = None
for _ in range(2):
    for session in hosts.sessions():
        for batch in hosts.read(session, cursor):
            cursor = batch.cursor
            print(len(batch.turns), cursor["seq"], batch.unknown == {{{openclaw_sqlite.NO_ZSTD!r}: 1}})
"""


def test_without_the_package_compressed_rows_wait_and_that_is_said(tmp_path):
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw(TALK[:2])])
        store.append(openclaw(TALK[2:3], first=2), packed=True)
        store.append(openclaw(TALK[3:], first=3))

        command = [sys.executable, "-c", WITHOUT_ZSTD, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        hosts = reader(tmp_path)
        cursor = {"generation": "g0", "seq": 2, "entry": openclaw_sqlite.fingerprint("00000001")}
        later = [turn.role for batch in hosts.read(hosts.sessions()[0], cursor) for turn in batch.turns]

    assert done.stdout.splitlines() == ["2 2 True", "0 2 True"], done.stderr
    assert later == ["user", "tool", "tool", "assistant", "user"]


def test_the_same_seq_with_another_entry_is_seen_without_a_new_generation(tmp_path):
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw([Said("user", f"{n}") for n in range(9)])])
        hosts = reader(tmp_path)
        cursor = read(hosts)[-1].cursor
        store.db.execute("DELETE FROM transcript_events WHERE seq > 4")
        store.append(openclaw([Said("user", f"new {n}") for n in range(9)], first=20))

        [batch] = hosts.read(hosts.sessions()[0], cursor)

    assert [turn.text for turn in batch.turns] == [f"new {n}" for n in range(9)]


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: b"no archive", lambda data: b""])
def test_an_archive_that_is_cut_or_none_is_no_failure(tmp_path, damage):
    with closing(Database(tmp_path)) as store:
        path = store.delete([header(), *openclaw(TALK)])
        path.write_bytes(damage(path.read_bytes()))
    hosts = OpenClaw(tmp_path)
    [session] = hosts.sessions()

    found = [*hosts.read(session, None)]

    assert session.id == SESSION
    assert texts(found) == TEXTS[: len(texts(found))]
    assert all(kind.startswith("cannot be read: broken archive") for kind in unknown(found))


def test_an_archive_of_several_frames_is_read_to_its_end(tmp_path):
    with closing(Database(tmp_path)) as store:
        path = store.delete([header(), *openclaw(TALK[:3])])
        path.write_bytes(path.read_bytes() + pack(b"".join(map(line, openclaw(TALK[3:], first=3)))))

    assert texts(read(OpenClaw(tmp_path))) == TEXTS
