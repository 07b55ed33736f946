"""The index follows the files: one changed file costs one file, and what is odd about files harms nothing."""

from __future__ import annotations

import os
import time
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import lock
from koog.core.files.roots import READ_LIMIT
from koog.core.files.tree import private_root
from koog.search import changes, database, indexing, sources
from koog.search.database import from_stored
from koog.search.indexing import Refreshed
from koog.search.sources import Roots, Skipped

OLD = time.time() - 3600


def write(root: Path, path: str, text: str | bytes, *, at: float | None = OLD) -> Path:
    """Write a file, an hour old unless told otherwise."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    if at is not None:
        os.utime(file, (at, at))
    return file


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three notes in a workspace, not indexed."""
    (tmp_path / ".koog").mkdir()
    write(tmp_path, "knowledge/people/mika.md", "# Mika\n\n- likes squash merges\n- walks a lot\n")
    write(tmp_path, "knowledge/people/ana.md", "# Ana\n\nplays the cello\n")
    write(tmp_path, "memory/2026-02-28.md", "- restic waits for the lock\n")
    return tmp_path


def place(root: Path) -> Path:
    return root / ".koog" / database.NAME


def refresh(root: Path, **given: object) -> Refreshed:
    return indexing.update(place(root), Roots(root), wait_s=0, **given)  # type: ignore[arg-type]


def counts(done: Refreshed) -> tuple[int, int, int, int]:
    return done.added, done.changed, done.removed, done.unchanged


def found(root: Path, words: str) -> list[tuple[str, int]]:
    """Return path and line of the passages that FTS5 finds."""
    sql = """SELECT f.path, p.line FROM passages_fts JOIN passages p ON p.id = passages_fts.rowid
             JOIN files f ON f.id = p.file WHERE passages_fts MATCH ? ORDER BY 1, 2"""
    with database.failures(place(root)):
        db = database.reader(place(root))
        rows = [(from_stored(path), line) for path, line in db.execute(sql, (words,))]
        db.close()
    return rows


def intact(root: Path) -> None:
    """Check that every passage has its words, its file, and its neighbours' numbers."""
    db = database.reader(place(root))
    assert db.execute("PRAGMA integrity_check").get == "ok"
    passages = db.execute("SELECT id, file, line FROM passages ORDER BY id").fetchall()
    assert db.execute("SELECT count(*) FROM passages_fts").get == len(passages)
    owned = []
    for file, first, many in db.execute("SELECT id, first, passages FROM files"):
        rows = [(id, line) for id, of, line in passages if of == file]
        assert [id for id, _ in rows] == list(range(first, first + many))
        assert [line for _, line in rows] == sorted(line for _, line in rows)
        owned += rows
    assert len(owned) == len(passages)
    db.close()


# What has changed


def test_the_first_refresh_builds_the_index(root):
    done = refresh(root)

    assert (done.files, done.passages, done.rebuilt) == (3, 4, "absent")
    assert found(root, "squash") == [("knowledge/people/mika.md", 3)]
    assert found(root, "mika") == [("knowledge/people/mika.md", 3), ("knowledge/people/mika.md", 4)]
    intact(root)


def test_a_second_refresh_does_nothing(root):
    refresh(root)
    before = place(root).read_bytes()

    assert counts(refresh(root)) == (0, 0, 0, 3)
    assert place(root).read_bytes() == before


def test_only_what_has_changed_is_cut_again(root):
    refresh(root)
    write(root, "knowledge/people/ana.md", "# Ana\n\nplays the viola\n", at=OLD + 5)
    write(root, "knowledge/people/bo.md", "likes tea\n")
    (root / "memory/2026-02-28.md").unlink()

    done = refresh(root)

    assert counts(done) == (1, 1, 1, 1)
    assert (done.files, done.passages, done.rebuilt) == (3, 4, None)
    assert (found(root, "cello"), found(root, "restic")) == ([], [])
    assert found(root, "viola OR tea") == [("knowledge/people/ana.md", 3), ("knowledge/people/bo.md", 1)]
    intact(root)


def test_a_file_that_was_only_touched_is_not_cut_again(root):
    refresh(root)
    os.utime(root / "knowledge/people/ana.md", (OLD + 60, OLD + 60))

    assert counts(refresh(root)) == (0, 0, 0, 3)
    plan = compared(root)
    assert not plan.has_work


def test_a_renamed_folder_is_another_folder(root):
    refresh(root)
    (root / "knowledge/people").rename(root / "knowledge/reference")

    assert counts(refresh(root)) == (2, 0, 2, 1)
    assert found(root, "cello") == [("knowledge/reference/ana.md", 3)]


def test_a_change_that_hides_behind_the_same_time_and_size_is_seen(root):
    note = write(root, "memory/2026-02-28.md", "- red\n", at=None)
    refresh(root)
    seen = note.stat()
    with note.open("r+") as file:
        file.write("- tan")
    os.utime(note, ns=(seen.st_mtime_ns, seen.st_mtime_ns))
    assert (note.stat().st_size, note.stat().st_ino) == (seen.st_size, seen.st_ino)

    assert counts(refresh(root)) == (0, 1, 0, 2)
    assert found(root, "tan") == [("memory/2026-02-28.md", 1)]


def test_a_young_file_is_trusted_once_it_was_seen_again(root):
    note = write(root, "memory/2026-02-28.md", "- red\n", at=None)
    refresh(root)
    os.utime(note, (OLD, OLD))  # as if two seconds had gone by

    assert compared(root).touch
    refresh(root)
    assert not compared(root).has_work


def test_a_refresh_of_some_paths_leaves_the_others(root):
    refresh(root)
    write(root, "knowledge/people/ana.md", "viola\n")
    write(root, "knowledge/people/bo.md", "tea\n")
    (root / "memory/2026-02-28.md").unlink()

    assert counts(refresh(root, only=["knowledge/people/bo.md"])) == (1, 0, 0, 3)
    assert counts(refresh(root, only=["memory"])) == (0, 0, 1, 3)
    assert counts(refresh(root)) == (0, 1, 0, 2)


def test_when_most_files_are_new_the_index_is_built_anew(root):
    refresh(root)
    for number in range(indexing.MANY + 1):
        write(root, f"knowledge/reference/n{number}.md", f"number {number}\n")

    done = refresh(root)

    assert done.rebuilt == "mostly new"
    assert done.files == indexing.MANY + 4
    intact(root)


def compared(root: Path) -> changes.Plan:
    db = database.reader(place(root))
    plan = changes.compare(db, sources.scan(Roots(root)))
    db.close()
    return plan


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["", "one\n", "two\n\nthree\n", None])), max_size=12))
def test_after_any_changes_the_index_is_as_one_built_anew(tmp_path_factory, steps):
    root = tmp_path_factory.mktemp("ws")
    (root / ".koog").mkdir()
    for number, (name, text) in enumerate(steps):
        if text is None:
            (root / f"memory/{name}.md").unlink(missing_ok=True)
        else:
            write(root, f"memory/{name}.md", text)
        if number % 2:
            refresh(root)
    refresh(root)
    refreshed = found(root, "one OR two OR three")

    intact(root)
    refresh(root, full=True)
    assert found(root, "one OR two OR three") == refreshed


# What is odd about files


def test_a_binary_file_is_skipped_and_read_once(root):
    write(root, "knowledge/reference/image.md", b"\x89PNG\0\0words")
    refresh(root)

    done = refresh(root)

    assert [tuple(skipped) for skipped in done.skipped] == [("knowledge/reference/image.md", "no text")]
    assert not compared(root).has_work


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_skipped_and_tried_again(root):
    write(root, "knowledge/people/ana.md", "viola\n").chmod(0)

    assert refresh(root).skipped[0].why == "Permission denied"
    (root / "knowledge/people/ana.md").chmod(0o600)
    assert found(root, "viola") == []
    refresh(root)
    assert found(root, "viola")


def test_a_file_of_four_megabytes_is_indexed_and_of_a_longer_one_the_beginning(root):
    rows = [f"- entry {number} about nothing in particular, and then some more words" for number in range(150_000)]
    rows[50_000], rows[100_000] = "- the needle", "- the thimble"
    file = write(root, "knowledge/reference/large.md", "\n".join(rows))

    done = refresh(root)

    assert file.stat().st_size > 10_000_000
    assert found(root, "needle") == [("knowledge/reference/large.md", 50_001)]
    assert found(root, "thimble") == []
    told = "of its 9 MB the first 4 are searched, and no more"
    assert done.skipped == [Skipped("knowledge/reference/large.md", told)]
    assert refresh(root).skipped == done.skipped


def test_a_line_of_five_megabytes_is_cut_too(root):
    write(root, "knowledge/reference/line.md", "the needle and the thread " + "é" * 5_000_000 + " the thimble")

    refresh(root)

    assert found(root, "needle") == [("knowledge/reference/line.md", 1)]
    assert found(root, "thimble") == []


def test_a_file_that_is_larger_than_koog_reads_is_skipped(root):
    file = write(root, "knowledge/reference/huge.md", "words\n")
    with file.open("r+b") as opened:
        opened.truncate(READ_LIMIT + 1)  # a hole: no disk is used

    done = refresh(root)

    assert [skipped.path for skipped in done.skipped] == ["knowledge/reference/huge.md"]
    assert done.files == 3


def test_a_file_deleted_while_indexing_was_never_there(root):
    refresh(root)
    write(root, "knowledge/people/ana.md", "viola\n")
    write(root, "knowledge/people/bo.md", "tea\n")
    scan = sources.scan(Roots(root))
    with database.writer(place(root)) as db:
        plan = changes.compare(db, scan)
        (root / "knowledge/people/ana.md").unlink()
        (root / "knowledge/people/bo.md").unlink()
        done = indexing.apply(db, plan, scan)

    assert counts(done) == (0, 0, 1, 2)
    assert done.skipped == []
    assert counts(refresh(root)) == (0, 0, 0, 2)
    intact(root)


def test_a_file_changed_between_look_and_reading_is_looked_at_again(root):
    refresh(root)
    scan = sources.scan(Roots(root))
    write(root, "memory/2026-02-28.md", "- green\n", at=OLD + 5)
    with database.writer(place(root)) as db:
        indexing.apply(db, changes.compare(db, scan), scan)

    assert counts(refresh(root)) == (0, 1, 0, 2)
    assert found(root, "green")


@pytest.mark.parametrize(
    "name", [b"new\nline.md", b"quo\"te's; DROP.md", b"caf\xe9.md", "日本語.md".encode(), b"-rf.md", b" .md", b"%s.md"]
)
def test_any_file_name_is_cited_as_it_is(root, name):
    file = write(root, os.fsdecode(b"knowledge/people/" + name), "a needle\n")

    refresh(root)

    assert found(root, "needle") == [(os.fsdecode(b"knowledge/people/" + name), 1)]
    assert counts(refresh(root)) == (0, 0, 0, 4)
    file.unlink()
    assert counts(refresh(root)) == (0, 0, 1, 3)


@pytest.mark.parametrize(
    "text", [b"", b"\n\n", b"\xff\xfe\xff", b"\r\n", b"---\n", b"\xef\xbb\xbf", b"# \xed\xa0\x80 x\n"]
)
def test_any_bytes_are_indexed_or_skipped(root, text):
    write(root, "knowledge/people/odd.md", text)

    assert refresh(root).files == 4
    intact(root)


def test_private_blocks_are_not_in_the_index(root):
    write(root, "memory/2026-02-28.md", "open\n\n<private>\nhidden words\n</private>\n\nend\n")

    refresh(root)

    assert found(root, "hidden") == []
    assert found(root, "end") == [("memory/2026-02-28.md", 7)]
    assert b"hidden" not in place(root).read_bytes()


def test_chinese_is_found_by_a_part_of_a_run(root):
    write(root, "memory/2026-02-28.md", "我们决定使用东京服务器\n")

    refresh(root)

    assert found(root, '"东 京"') == [("memory/2026-02-28.md", 1)]


def test_nothing_of_the_users_files_is_changed(root):
    before = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in root.rglob("*.md")}

    refresh(root)
    refresh(root, full=True)

    assert {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in root.rglob("*.md")} == before


# Two at once, and a dry run


def test_a_second_indexer_is_told_that_another_is_at_work(root):
    with lock.held(private_root(root).itself(database.LOCK), wait_s=0, what="the index"), pytest.raises(Busy):
        refresh(root)


def test_readers_go_on_with_the_old_index_until_the_new_one_is_whole(root):
    refresh(root)
    with database.writer(place(root)) as db:
        db.execute("BEGIN IMMEDIATE; DELETE FROM files")
        assert found(root, "cello")
        db.execute("ROLLBACK")
    with database.rebuilt(place(root)):
        assert found(root, "restic")


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(root):
    assert (refresh(root, dry_run=True).added, list((root / ".koog").iterdir())) == (3, [])
    refresh(root)
    write(root, "knowledge/people/bo.md", "tea\n")
    before = place(root).read_bytes()

    done = refresh(root, dry_run=True)

    assert (counts(done), done.files) == ((1, 0, 0, 3), 4)
    assert place(root).read_bytes() == before


def test_an_error_of_the_disk_is_one_of_the_workspace(root):
    (root / ".koog").rename(root / ".gone")

    with pytest.raises(WorkspaceError):
        refresh(root)


def test_the_schema_is_the_sqlite_that_apsw_brings():
    assert "ENABLE_FTS5" in apsw.compile_options


def test_the_index_holds_the_files_in_the_order_of_their_paths_whatever_the_disks_is(root):
    for n in (30, 7, 22, 1, 15, 9, 28, 3):
        write(root, f"knowledge/reference/note-{n:02}.md", "- the same line everywhere\n")

    refresh(root)

    db = database.reader(place(root))
    names = [from_stored(path) for (path,) in db.execute("SELECT path FROM files ORDER BY first")]
    db.close()
    assert names == sorted(names, key=lambda path: path.rpartition("/"))
