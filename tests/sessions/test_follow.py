"""A conversation grows, is cut, reset, compacted or renumbered between reads: nothing is lost, nothing comes twice.

The property replays random histories against a model that knows which entries stood
whole in the store at some read: those, in their order, once each, is what must come.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from koog.sessions.find import find
from koog.sessions.records import WINDOW
from koog.sessions.turn import Cursor, Reader
from tests.conftest import examples
from tests.fakes.stores import FILES, RENDER, SESSION, Database, Record, Said, header, line, openclaw, stamp, write

SOME = st.integers(1, 2 * WINDOW)  # more than the window, too
STEP = st.one_of(
    st.tuples(st.just("append"), SOME),
    st.tuples(st.just("read"), st.just(0)),
    st.tuples(st.just("compact"), SOME),
    st.tuples(st.just("truncate"), SOME),
    st.tuples(st.just("half"), st.integers(1, 200)),
    st.tuples(st.just("die"), st.just(0)),
    st.tuples(st.just("cut"), st.integers(2, 60)),
    st.tuples(st.just("reset"), st.just(0)),
)
HISTORY = st.lists(STEP, max_size=25)
CALM = settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def said(number: int) -> Said:
    role = ("user", "assistant", "user")[number % 3]
    return Said(role, f"<{number}> " + 'ab"{' * (number % 7))


def number_of(text: str) -> int:
    return int(text[1 : text.index(">")])


class Log:
    """A session's file and what of it stands whole in it; `half` bytes of the next entry may follow."""

    def __init__(self, root: Path, host: str) -> None:
        self.path, self.host = root / FILES[host], host
        self.whole: list[int] = []
        self.next, self.half = 0, 0
        self.required: set[int] = set()
        write(self.path, [header()] if host == "openclaw" else [])

    def text(self, number: int) -> bytes:
        return b"".join(line(record) for record in RENDER[self.host]([said(number)], first=number))

    def do(self, step: str, much: int) -> None:
        if step == "append":
            data = b"".join(self.text(n) for n in range(self.next, self.next + much))
            self._append(data[self.half :])
            self.whole += range(self.next, self.next + much)
            self.next, self.half = self.next + much, 0
        elif step == "half" and not self.half:
            data = self.text(self.next).split(b"\n")[0]
            self.half = min(much, len(data) - 1)
            self._append(data[: self.half])
        elif step == "die" and self.half:  # the host was killed while it wrote, and goes on with another entry
            self.next, self.half = self.next + 1, 0
        elif step == "compact" and not self.half:
            self._rewrite(self.whole[-much:])
        elif step == "truncate":
            self.half = 0
            self._rewrite(self.whole[: max(0, len(self.whole) - much)])
            self.next += 1  # ids of removed entries are not given again
        elif step == "cut" and self._ends_whole():  # in the middle of the last line, which was read or not
            self._truncate(much)
        elif step == "reset" and self.host == "openclaw" and self.path.suffix == ".jsonl" and not self.half:
            self.path = self.path.rename(f"{self.path}.reset.2026-02-28T10-00-00.000Z")

    def _ends_whole(self) -> bool:
        """Return whether the last whole entry is the file's end: half of one that died may stand behind it."""
        return bool(self.whole) and self.path.read_bytes().endswith(self.text(self.whole[-1]))

    def _append(self, data: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(data)

    def _truncate(self, much: int) -> None:
        """Cut the last entry's first line in its middle; what follows is written right behind."""
        last = self.text(self.whole[-1])
        left = min(much, len(last.split(b"\n")[0]) - 1)
        os.truncate(self.path, self.path.stat().st_size - len(last) + left)
        self.whole = self.whole[:-1]

    def _rewrite(self, left: list[int]) -> None:
        """Write the file anew, as a rename does it."""
        new = self.path.with_name("new")
        first = line(header()) if self.host == "openclaw" else b""
        new.write_bytes(first + b"".join(map(self.text, left)))
        new.rename(self.path)
        self.whole = left


def read(hosts: Reader, cursor: Cursor | None) -> tuple[list[int], Cursor | None]:
    """Return the numbers of what is new, and the cursor behind it."""
    found: list[int] = []
    for session in hosts.sessions():
        for batch in hosts.read(session, cursor):
            found += [number_of(turn.text) for turn in batch.turns]
            cursor = batch.cursor
    return found, cursor


@pytest.mark.parametrize("host", RENDER)
@CALM
@given(history=HISTORY)
def test_a_file_replayed_in_random_slices_gives_each_entry_once(host, history):
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder), host)
        [hosts] = find(folder, env={}, home=Path(folder)) or [None]
        if hosts is None:  # an empty file says of no host what it is
            log.do("append", 1)
            [hosts] = find(folder, env={}, home=Path(folder))
        found: list[int] = []
        cursor = None
        for step, much in [*history, ("read", 0)]:
            log.do(step, much)
            if step == "read":
                log.required |= set(log.whole)
                new, cursor = read(hosts, cursor)
                found += new

        assert found == sorted(log.required)


ROW_STEP = st.tuples(st.sampled_from(["append", "append packed", "read", "compact", "reset"]), SOME)


@settings(CALM, max_examples=examples(30))
@given(history=st.lists(ROW_STEP, max_size=15))
def test_rows_replayed_in_random_slices_give_each_entry_once(history):
    with tempfile.TemporaryDirectory() as folder, closing(Database(Path(folder))) as store:
        [hosts] = seen(store, folder)
        whole: list[int] = []
        required: set[int] = set()
        found: list[int] = []
        cursor, after = None, 0
        for at, (step, much) in enumerate([*history, ("read", 0)]):
            if step.startswith("append"):
                numbers = range(after, after + much)
                store.append(entries(numbers), packed=step.endswith("packed"))
                whole += numbers
                after += much
            elif step == "compact":
                whole = whole[-much:]
                store.compact(len(whole), generation=f"g{at + 1}")
            elif step == "reset":
                store.append([{"type": "reset", "id": f"r{at}", "reason": "new", "timestamp": "2026-02-28T09:00:00Z"}])
                whole.append(None)
            else:
                required |= {number for number in whole if number is not None}
                new, cursor = read(hosts, cursor)
                found += new

        assert found == sorted(required)


def seen(store: Database, folder: str) -> list[Reader]:
    """Return the reader of a database that has a row already, so that it is known for one."""
    store.append([header()])
    return find(folder, env={}, home=Path(folder))


def entries(numbers: range) -> Iterator[Record]:
    return (record for number in numbers for record in openclaw([said(number)], first=number))


# --- histories with a name


def openclaw_log(tmp_path: Path, much: int) -> tuple[Log, Reader, Cursor | None]:
    """Return a file of so many entries that was read, its reader and the cursor."""
    log = Log(tmp_path, "openclaw")
    log.do("append", much)
    [hosts] = find(str(tmp_path), env={}, home=tmp_path)
    return log, hosts, read(hosts, None)[1]


def test_a_half_written_line_waits_until_it_is_whole(tmp_path):
    log, hosts, cursor = openclaw_log(tmp_path, 3)

    log.do("half", 40)
    waiting, cursor = read(hosts, cursor)
    log.do("append", 1)

    assert waiting == []
    assert read(hosts, cursor)[0] == [3]


def test_what_follows_a_line_that_a_killed_host_left_half_is_read(tmp_path):
    log, hosts, cursor = openclaw_log(tmp_path, 3)

    log.do("half", 60)
    log.do("die", 0)
    log.do("append", 2)

    assert read(hosts, cursor)[0] == [4, 5]


def test_a_last_line_without_its_line_end_is_read_once(tmp_path):
    log, hosts, cursor = openclaw_log(tmp_path, 1)
    log.path.write_bytes(log.path.read_bytes() + log.text(1).rstrip(b"\n"))

    first, cursor = read(hosts, cursor)
    log.path.write_bytes(log.path.read_bytes() + b"\n" + log.text(2))

    assert first == [1]
    assert read(hosts, cursor)[0] == [2]


def test_more_than_the_window_cut_off_is_found_by_the_moments(tmp_path):
    log, hosts, cursor = openclaw_log(tmp_path, 3 * WINDOW)

    log.do("truncate", 2 * WINDOW)
    log.do("append", 2)

    assert read(hosts, cursor)[0] == [3 * WINDOW + 1, 3 * WINDOW + 2]


def at_moment(number: int, moment: float) -> Record:
    [record] = openclaw([said(number)], first=number)
    return {**record, "timestamp": stamp(moment)}


def test_what_is_known_tells_the_place_even_when_the_clock_was_set_back(tmp_path):
    path = write(tmp_path / FILES["openclaw"], [header(), *(at_moment(n, 1_000 + n) for n in range(5))])
    [hosts] = find(str(tmp_path), env={}, home=tmp_path)
    _, cursor = read(hosts, None)

    write(path, [header(), at_moment(3, 1_003), at_moment(4, 1_004), at_moment(5, 10), at_moment(6, 2_000)])

    assert read(hosts, cursor)[0] == [5, 6]


def test_with_nothing_known_left_an_entry_of_the_same_moment_is_not_lost(tmp_path):
    path = write(tmp_path / FILES["openclaw"], [header(), *(at_moment(n, n) for n in range(5))])
    [hosts] = find(str(tmp_path), env={}, home=tmp_path)
    _, cursor = read(hosts, None)

    write(path, [header(), at_moment(9, 4), at_moment(10, 5)])

    assert read(hosts, cursor)[0] == [9, 10]


def test_compaction_in_the_middle_of_a_read_loses_nothing_and_repeats_nothing(tmp_path):
    log, hosts, _ = openclaw_log(tmp_path, 1_200)
    batches = hosts.read(hosts.sessions()[0], None)

    first = next(batches)
    log.do("compact", 800)
    rest = [turn for batch in batches for turn in batch.turns]

    assert [number_of(turn.text) for turn in (*first.turns, *rest)] == list(range(1_200))


def test_a_reset_in_the_middle_of_a_read_is_followed(tmp_path):
    log, hosts, _ = openclaw_log(tmp_path, 1_200)
    batches = hosts.read(hosts.sessions()[0], None)

    first = next(batches)
    log.do("reset", 0)
    rest = [turn for batch in batches for turn in batch.turns]

    assert [number_of(turn.text) for turn in (*first.turns, *rest)] == list(range(1_200))


def test_a_session_keeps_its_key_and_its_cursor_over_a_reset_an_upgrade_and_its_deletion(tmp_path):
    log, hosts, cursor = openclaw_log(tmp_path, 3)
    keys = {hosts.sessions()[0].key}
    found = []

    log.do("append", 1)
    log.do("reset", 0)
    keys |= {session.key for session in hosts.sessions()}
    new, cursor = read(hosts, cursor)
    found += new
    with closing(Database(tmp_path)) as store:
        store.append([header(), *entries(range(5))])
        keys |= {session.key for session in hosts.sessions()}
        new, cursor = read(hosts, cursor)
        found += new
        log.path.unlink()
        store.delete([header(), *entries(range(6))])
    keys |= {session.key for session in hosts.sessions()}
    new, cursor = read(hosts, cursor)
    found += new

    assert found == [3, 4, 5]
    assert keys == {f"openclaw/main/{SESSION}"}
    assert read(hosts, cursor)[0] == []


def test_an_imported_file_is_read_on_where_it_was_moved_to(tmp_path):
    log, hosts, cursor = openclaw_log(tmp_path, 3)
    log.do("append", 1)
    archive = tmp_path / "agents/main/session-sqlite-import-archive"
    archive.mkdir()

    log.path.rename(archive / f"{SESSION}.jsonl.imported-1795294669149")

    assert read(hosts, cursor)[0] == [3]


@pytest.mark.parametrize("cursor", [{}, {"offset": "x"}, {"offset": -4, "ids": 7, "calls": [], "at": 3}, {"seq": None}])
def test_a_cursor_that_is_none_reads_from_the_beginning(tmp_path, cursor):
    _, hosts, _ = openclaw_log(tmp_path, 3)

    assert read(hosts, cursor)[0] == [0, 1, 2]


@pytest.mark.parametrize("host", RENDER)
def test_a_cursor_stays_small(tmp_path, host):
    write(tmp_path / FILES[host], [*([header()] if host == "openclaw" else [])])
    log = Log(tmp_path, host)
    log.do("append", 2_000)
    [hosts] = find(str(tmp_path), env={}, home=tmp_path)

    assert len(str(read(hosts, None)[1])) < 1_000
