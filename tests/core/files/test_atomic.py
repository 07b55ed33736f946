"""Bytes in and out of a text, and putting a new file in an old one's place (atomic.py, swap.py)."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.core.errors import WorkspaceError
from koog.core.files import atomic, swap
from koog.core.files.roots import Root

LINES = st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"\r", b"\xef\xbb\xbf", b"\xe9", "ü".encode(), b"\0"])).map(
    b"".join
)


@given(st.one_of(st.binary(), LINES))
@example(b"\xef\xbb\xbfa\r\nb\r\n")
@example(b"a\r\r\n")
@example(b"\xef\xbb\xbf\xef\xbb\xbf")
@example(b"\xed\xa0\x80")
def test_decoding_and_encoding_gives_any_bytes_back(data):
    assert atomic.encode(atomic.decode(data), like=data) == data


@given(LINES)
def test_no_carriage_return_of_a_crlf_file_reaches_the_text(data):
    text = atomic.decode(b"one\r\n" + data.replace(b"\r", b"").replace(b"\n", b"\r\n"))

    assert "\r" not in text


def test_a_new_file_has_unix_line_ends_and_no_bom():
    assert atomic.encode("a\nü\n", like=None) == b"a\n\xc3\xbc\n"


def spot(path):
    return Root(path.parent).itself(path.name)


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "memory/a.md"
    path.parent.mkdir()
    path.write_bytes(b"old\n")
    return path


def beside(target):
    return [p.name for p in target.parent.iterdir() if p != target]


def test_a_replacement_takes_the_place_of_what_was_expected(target):
    atomic.prepare(spot(target), b"new\n")

    assert atomic.replace(spot(target), expected=b"old\n") is atomic.AS_EXPECTED
    assert target.read_bytes() == b"new\n"
    assert beside(target) == []


@pytest.mark.parametrize("present", [b"a person's\n", b"", None])
def test_what_was_not_expected_stays_and_is_returned(target, present):
    atomic.prepare(spot(target), b"new\n")
    target.unlink()
    if present is not None:
        target.write_bytes(present)

    assert atomic.replace(spot(target), expected=b"old\n") == present
    assert (target.read_bytes() if target.exists() else None) == present
    assert beside(target) == []


def test_a_file_that_appeared_where_none_was_expected_stays(target):
    atomic.prepare(spot(target), b"new\n")

    assert atomic.replace(spot(target), expected=None) == b"old\n"
    assert target.read_bytes() == b"old\n"
    assert beside(target) == []


def test_a_replacement_is_taken_back(target):
    atomic.prepare(spot(target), b"new\n")
    atomic.replace(spot(target), expected=b"old\n")

    atomic.restore(spot(target), ours=b"new\n", before=b"old\n")

    assert target.read_bytes() == b"old\n"
    assert beside(target) == []


def test_a_creation_is_taken_back_by_removing_the_file(target):
    atomic.restore(spot(target), ours=b"old\n", before=None)

    assert not target.exists()


@pytest.mark.parametrize("before", [b"older\n", None])
def test_what_a_person_saved_afterwards_is_not_taken_back(target, before):
    atomic.restore(spot(target), ours=b"koog's\n", before=before)

    assert target.read_bytes() == b"old\n"


@pytest.mark.parametrize("existed", [True, False])
def test_an_append_is_taken_back_to_what_was_there(target, existed):
    if not existed:
        target.unlink()

    undo = atomic.append(spot(target), b"line\n")
    undo()

    assert (target.read_bytes() if target.exists() else None) == (b"old\n" if existed else None)


def test_an_append_that_somebody_wrote_behind_is_not_taken_back(target):
    undo = atomic.append(spot(target), b"line\n")
    with target.open("ab") as file:
        file.write(b"theirs\n")

    undo()

    assert target.read_bytes() == b"old\nline\ntheirs\n"


@pytest.mark.parametrize("plant", ["symlink_to", "hardlink_to"])
def test_what_somebody_put_in_the_temporary_files_place_is_not_written_into(target, tmp_path, plant):
    (tmp_path / "elsewhere").write_text("not koog's\n")
    getattr(target.with_name(f".a.md{atomic.SUFFIX}"), plant)(tmp_path / "elsewhere")

    atomic.prepare(spot(target), b"new\n")

    assert atomic.replace(spot(target), expected=b"old\n") is atomic.AS_EXPECTED
    assert (target.read_bytes(), (tmp_path / "elsewhere").read_text()) == (b"new\n", "not koog's\n")


def test_an_append_to_a_file_with_another_name_leaves_that_one_as_it_is(target, tmp_path):
    (tmp_path / "elsewhere").hardlink_to(target)

    undo = atomic.append(spot(target), b"line\n")

    assert (target.read_bytes(), (tmp_path / "elsewhere").read_bytes()) == (b"old\nline\n", b"old\n")
    undo()
    assert (target.read_bytes(), (tmp_path / "elsewhere").read_bytes()) == (b"old\n", b"old\n")


def test_a_folder_that_is_gone_is_a_clean_error(tmp_path):
    (tmp_path / "gone").mkdir()
    target = spot(tmp_path / "gone/a.md")
    (tmp_path / "gone").rmdir()

    with pytest.raises(WorkspaceError):
        atomic.prepare(target, b"x")
    with pytest.raises(WorkspaceError):
        atomic.append(target, b"x")


def test_two_names_are_exchanged(tmp_path):
    a, b = tmp_path / "a", tmp_path / "b"
    a.write_text("a")
    b.write_text("b")

    if not swap.exchange(spot(a), spot(b)):
        pytest.skip("this file system cannot exchange two names")

    assert (a.read_text(), b.read_text()) == ("b", "a")


def test_an_exchange_with_nothing_changes_nothing(tmp_path):
    a = tmp_path / "a"
    a.write_text("a")

    assert not swap.exchange(spot(a), spot(tmp_path / "b"))
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["a"]


@pytest.mark.parametrize("platform", [sys.platform, "elsewhere"])
def test_a_name_is_taken_only_when_it_is_free(tmp_path, monkeypatch, platform):
    monkeypatch.setattr(sys, "platform", platform)
    new, target = tmp_path / "new", tmp_path / "target"
    new.write_text("new")

    assert swap.place(spot(new), spot(target))
    assert (target.read_text(), new.exists()) == ("new", False)

    new.write_text("newer")

    assert not swap.place(spot(new), spot(target))
    assert (target.read_text(), new.read_text()) == ("new", "newer")


def test_a_system_that_cannot_exchange_still_replaces(target, monkeypatch):
    monkeypatch.setattr(sys, "platform", "elsewhere")
    atomic.prepare(spot(target), b"new\n")

    assert atomic.replace(spot(target), expected=b"old\n") is atomic.AS_EXPECTED
    assert target.read_bytes() == b"new\n"
    assert beside(target) == []
