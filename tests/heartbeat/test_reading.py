"""Which parts of the daily notes are still to be mined."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.files import daily
from koog.core.files.workspace import Workspace
from koog.heartbeat import foreign, reading
from koog.heartbeat.reading import Unread

TODAY = date(2026, 2, 28)
NEW = "memory/2026-02-27.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir(exist_ok=True)
    return tmp_path


def write(folder, name, data=b"- a line\n"):
    (folder / "memory" / name).write_bytes(data)


def unread(folder, known=None):
    return reading.unread(Workspace(folder), known or {}, today=TODAY, warnings=[])


def test_daily_notes_with_and_without_a_slug_are_found_newest_first(folder):
    for name in (
        "2026-02-17.md",
        "2026-02-26-pods.md",
        "2026-02-26.md",
        "2026-02-27-v1.2_x.md",
        "notes.md",
        "2026-02-30.md",
        "2026-02-27.txt",
        "x2026-02-27.md",
        "2026-02-27 copy.md",
    ):
        write(folder, name)

    assert [(note.path, note.day) for note in daily.every(Workspace(folder))] == [
        ("memory/2026-02-27-v1.2_x.md", "2026-02-27"),
        ("memory/2026-02-26.md", "2026-02-26"),
        ("memory/2026-02-26-pods.md", "2026-02-26"),
        ("memory/2026-02-17.md", "2026-02-17"),
    ]


def test_a_note_that_was_moved_is_not_mined_again_and_one_of_the_same_words_is(folder):
    write(folder, "2026-02-27-new.md", b"- a\n")
    write(folder, "2026-02-26.md", b"- b\n")
    known = {"Old/2026-02-27.md": reading.cursor(b"- a\n", 4), "memory/2026-02-26.md": reading.cursor(b"- b\n", 4)}
    write(folder, "2026-02-26-copy.md", b"- b\n")

    found = unread(folder, known)

    assert [item.path for item in reading.pick(found, most=9)] == ["memory/2026-02-26-copy.md"]
    assert [item.path for item in reading.empty(found)] == ["memory/2026-02-27-new.md"]


def test_a_mined_file_has_nothing_new(folder):
    write(folder, "2026-02-27.md", b"- a\n")

    assert unread(folder, {NEW: reading.cursor(b"- a\n", 4)}) == []


def test_what_was_appended_is_new_from_where_it_stopped(folder):
    write(folder, "2026-02-27.md", b"- a\n- b\n")

    assert [u.start for u in unread(folder, {NEW: reading.cursor(b"- a\n", 4)})] == [4]


@pytest.mark.parametrize("data", [b"- A\n- b\n", b"- b\n", b"-"])
def test_a_file_whose_mined_part_changed_is_new_from_its_beginning(folder, data):
    write(folder, "2026-02-27.md", data)

    assert [u.start for u in unread(folder, {NEW: reading.cursor(b"- a\n", 4)})] == [0]


@pytest.mark.parametrize("cursor", [None, 7, {}, {"bytes": "4"}, {"bytes": -1, "sha256": "x"}, {"bytes": 4}])
def test_a_cursor_of_another_shape_counts_as_none(folder, cursor):
    write(folder, "2026-02-27.md", b"- a\n")

    assert [u.start for u in unread(folder, {NEW: cursor})] == [0]


@pytest.mark.parametrize("rest", [b"", b"\n", b"  \r\n\t\n", b"\0\0\0"])
def test_white_space_at_the_end_is_nothing_new(folder, rest):
    write(folder, "2026-02-27.md", b"- a\n" + rest)

    assert unread(folder, {NEW: reading.cursor(b"- a\n", 4)}) == []


def test_a_date_stays_mined_however_old_it_gets(folder):
    write(folder, "2025-11-01.md", b"- a\n")

    assert unread(folder, {"memory/2025-11-01.md": reading.cursor(b"- a\n", 4)}) == []


def test_an_old_file_that_grew_is_new_all_the_same(folder):
    write(folder, "2025-11-01.md", b"- a\n- b\n")

    assert [u.start for u in unread(folder, {"memory/2025-11-01.md": reading.cursor(b"- a\n", 4)})] == [4]


@pytest.mark.parametrize(("name", "read"), [("2026-02-28.md", True), ("2026-03-01.md", True), ("2026-03-02.md", False)])
def test_a_note_of_a_day_to_come_waits_for_it_and_tomorrow_may_be_here_already_elsewhere(folder, name, read):
    write(folder, name)

    assert bool(unread(folder)) is read


def some(*sizes):
    return [Unread(f"f{n}", "2026-02-17", b"x" * size, 0) for n, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("found", "picked"),
    [
        (some(), []),
        (some(1), ["f0"]),
        (some(1, 1), ["f0", "f1"]),
        (some(1, 1, 1, 1), ["f0", "f3"]),  # the newest and the oldest
        (some(0, 0, 1, 0, 1, 1, 0), ["f2", "f5"]),  # empty ones take no place
    ],
)
def test_the_newest_and_the_oldest_are_picked_and_empty_files_block_nothing(found, picked):
    assert [u.path for u in reading.pick(found, most=2)] == picked


def whole(data, start=0):
    return list(reading.parts(Unread(NEW, "2026-02-27", data, start)))


def test_only_what_is_new_is_cut_out_and_its_line_numbers_are_the_files():
    (part,) = whole(b"- a\n- b\n- c\n", start=8)

    assert (part.note.first_line, part.note.text.strip()) == (3, "- c")


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_after_a_mined_line_without_a_line_end_the_next_line_is_what_is_new(end):
    (part,) = whole(b"- a" + end + b"- b\n", start=3)

    assert (part.note.first_line, part.note.text.strip()) == (2, "- b")


def test_a_mined_line_that_goes_on_is_read_as_a_whole():
    (part,) = whole(b"- a and more\n", start=3)

    assert (part.note.first_line, part.note.text.strip()) == (1, "- a and more")


def test_a_long_file_is_cut_at_line_ends_and_the_last_cursor_is_its_end():
    data = b"".join(b"- line number %d of a long day\n" % n for n in range(1200))

    parts = whole(data)

    assert len(parts) > 2
    assert all(len(p.note.text) <= reading.PART_CHARS for p in parts)
    ends = [p.cursor["bytes"] for p in parts]
    assert ends == sorted(set(ends)) and ends[-1] == len(data)


def test_a_private_block_that_was_opened_in_the_mined_part_hides_what_was_appended():
    (part,) = whole(b"- a\n<private>\n- secret plan\n", start=14)

    assert "secret" not in part.note.text


def test_secrets_are_gone_before_anybody_is_asked():
    (part,) = whole(b"- key sk-ant-abcdefghijklmnopqrstuvwxyz012345\n")

    assert part.note.text.strip() == "- key [redacted:anthropic]"


def test_of_a_note_of_megabytes_the_first_part_is_cut_without_the_rest(monkeypatch):
    read = []
    redact = foreign.redact_secrets
    monkeypatch.setattr(foreign, "redact_secrets", lambda text: read.append(len(text)) or redact(text))

    first = next(reading.parts(Unread(NEW, "2026-02-27", b"- line of a long day\n" * 100_000, 0)))

    assert first.note.first_line == 1 and sum(read) < 2 * reading.PART_CHARS


@pytest.mark.parametrize("at", [500, 570, 600])
def test_a_secret_at_a_parts_edge_is_gone_whole(at):
    key = (
        "-----BEGIN RSA PRIVATE KEY-----\n"
        + "MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn\n" * 80
        + "-----END RSA PRIVATE KEY-----\n"
    )
    rows = "- a line of the day\n"

    told = "".join(p.note.text for p in whole((rows * at + key + rows * 900).encode()))

    assert "MIIE" not in told and told.count("a line of the day") == at + 900


LINES = st.lists(st.text(alphabet="ab \t\x0b\u2028é", max_size=9), min_size=1, max_size=12)


@settings(deadline=None)
@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.data())
def test_going_on_from_any_cursor_reads_every_line_once(lines, end, ended, data):
    raw = (end.join(lines) + (end if ended else "")).encode()
    stops = [0, *(i + 1 for i, byte in enumerate(raw) if byte == 10)]
    start = data.draw(st.sampled_from(stops))

    parts = whole(raw, start)

    told = "\n".join(p.note.text for p in parts)
    assert told == raw[start:].decode().replace("\r\n", "\n")
    assert parts[0].note.first_line == raw[:start].count(b"\n") + 1
    assert parts[-1].cursor == reading.cursor(raw, len(raw))


def test_of_a_line_that_is_longer_than_a_call_every_sentence_is_read_and_its_cursor_is_its_end():
    sentences = [f"Rule {n}: the oven number {n} stays below 200 degrees." for n in range(1000)]
    data = ("- short\n" + " ".join(sentences) + "\n- after\n").encode()

    found = list(reading.parts(reading.Unread("memory/2026-02-27.md", "2026-02-27", data, 0)))

    read = "\n".join(part.note.text for part in found)
    assert len(found) > 2 and all(each in read for each in sentences)
    assert {part.note.first_line for part in found if "Rule" in part.note.text} == {2}
    begun = [part.cursor for part in found if "Rule" in part.note.text][:-1]
    assert begun and all(each["bytes"] == len(b"- short\n") for each in begun)
    assert found[-1].cursor["bytes"] == len(data)


def test_each_part_of_a_long_code_block_begins_with_its_fence(folder):
    rows = ["# Log", "", "~~~ sh", *("x" * 99 for _ in range(300)), "```", "~~~", "- Fatima signs off"]
    write(folder, "2026-02-27.md", "\n".join(rows).encode())

    parts = list(reading.parts(unread(folder)[0]))

    begins = [(part.note.text.split("\n")[0], part.note.first_line) for part in parts]
    assert len(parts) == 3 and begins[0] == ("# Log", 1)
    for (begin, line), before in zip(begins[1:], parts, strict=False):
        assert begin == "~~~ sh"
        assert line == before.note.first_line + before.note.text.count("\n")
