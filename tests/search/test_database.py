"""`.koog/index.db` whatever becomes of it: cut, strange, killed at any write, on a full disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from koog.core.errors import Busy, WorkspaceError
from koog.search import database, indexing
from koog.search.database import Unusable
from koog.search.sources import Roots
from tests import warm
from tests.conftest import process
from tests.test_disk import NOW, the_line


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with forty indexed notes."""
    (tmp_path / ".koog").mkdir()
    for number in range(40):
        note(tmp_path, number, f"- old text of note {number}\n" * 20)
    refresh(tmp_path)
    return tmp_path


def note(root: Path, number: int, text: str) -> None:
    file = root / f"memory/2026-01-{number:02}.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)


def place(root: Path) -> Path:
    return root / ".koog" / database.NAME


def refresh(root: Path, *, full: bool = False) -> indexing.Refreshed:
    return indexing.update(place(root), Roots(root), full=full, wait_s=5)


@contextmanager
def reading(root: Path) -> Iterator[apsw.Connection]:
    db = database.reader(place(root))
    try:
        with database.failures(place(root)):
            yield db
    finally:
        db.close()


def counted(root: Path) -> tuple[int, int]:
    """Return how many passages have the old and the new word; what is stored must be sound."""
    with reading(root) as db:
        assert db.execute("PRAGMA integrity_check").get == "ok"
        old, new = (
            db.execute("SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?", (word,)).get
            for word in ("old", "new")
        )
        assert db.execute("SELECT count(*) FROM passages").get == old + new
    return old, new


# What is no index


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: 3 * 4096 + 100])


def scrambled(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[4096:] = bytes(byte ^ 0x55 for byte in data[4096:])
    file.write_bytes(bytes(data))


def with_a_table_less(file: Path) -> None:
    with apsw.Connection(str(file)) as db:
        db.execute("DROP TABLE passages")


def of_version(number: int) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with apsw.Connection(str(file)) as db:
            db.execute(f"PRAGMA user_version = {number}")

    return change


def somebody_elses(file: Path) -> None:
    file.unlink()
    with apsw.Connection(str(file)) as db:
        db.execute("CREATE TABLE mine (x)")


def linked(file: Path) -> None:
    file.rename(file.with_name("elsewhere.db"))
    file.symlink_to("elsewhere.db")


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()
    (file / "something").write_text("kept")


def a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "absent": (Path.unlink, "absent"),
    "no bytes": (lambda file: file.write_bytes(b""), "empty"),
    "a text": (lambda file: file.write_text("no database at all " * 300), "corrupt"),
    "cut": (truncated, "corrupt"),
    "scrambled": (scrambled, "corrupt"),
    "a table less": (with_a_table_less, "corrupt"),
    "foreign": (somebody_elses, "foreign"),
    "newer": (of_version(database.VERSION + 1), "newer"),
    "older": (of_version(database.VERSION - 1), "older"),
    "a link": (linked, "not a file"),
    "a folder": (a_folder, "not a file"),
    "a pipe": (a_pipe, "not a file"),
}


@pytest.mark.wide(5)
@pytest.mark.parametrize("kind", DAMAGE)
def test_what_is_no_index_of_this_version_is_built_anew(root, kind):
    damage, reason = DAMAGE[kind]
    damage(place(root))

    with pytest.raises(Unusable) as told, reading(root) as db:
        db.execute("SELECT count(*) FROM passages_fts WHERE passages_fts MATCH 'old'").get  # noqa: B018
        db.execute("SELECT sum(line) FROM passages").get  # noqa: B018
    note(root, 0, "- new text\n")
    done = refresh(root)

    assert (told.value.reason, done.rebuilt) == (reason, reason)
    assert counted(root) == (39 * 20, 1)


def test_nobody_else_may_read_it(root):
    assert place(root).stat().st_mode & 0o077 == 0


def test_what_a_link_led_to_is_left_alone(root):
    linked(place(root))
    before = (root / ".koog/elsewhere.db").read_bytes()

    refresh(root)

    assert (root / ".koog/elsewhere.db").read_bytes() == before
    assert not place(root).is_symlink()


def test_what_lay_in_a_folder_of_that_name_is_kept(root):
    a_folder(place(root))

    refresh(root)

    (aside,) = (root / ".koog").glob("*.aside")
    assert (aside / "something").read_text() == "kept"


# Killed


class Dying(apsw.VFS):
    """A file system on which this process dies at its n-th write, half of it done."""

    def __init__(self, at: int) -> None:
        self.left = at
        super().__init__("dying", "", makedefault=True)

    def xOpen(self, name, flags):  # noqa: N802  apsw's name
        return DyingFile(self, name, flags)


class DyingFile(apsw.VFSFile):
    def __init__(self, disk: Dying, name, flags) -> None:
        self.disk = disk
        super().__init__("unix", name, flags)

    def xWrite(self, data, offset):  # noqa: N802  apsw's name
        self.disk.left -= 1
        if not self.disk.left:
            super().xWrite(data[: len(data) // 2], offset)
            os.kill(os.getpid(), signal.SIGKILL)
        super().xWrite(data, offset)


def killed(root: Path, *, at: int, full: bool) -> bool:
    """Refresh in a child that dies at its n-th write; return whether it did."""
    if not (child := os.fork()):
        try:
            disk = Dying(at)
            refresh(root, full=full)
            os._exit(0 if disk.left > 0 else 1)
        finally:
            os._exit(2)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL)
    return code != 0


@pytest.mark.parametrize("full", [False, True])
def test_killed_at_any_write_the_old_index_answers_or_the_whole_new_one(root, full):
    note(root, 7, "- new text of note 7\n" * 20)
    before = place(root).read_bytes()
    moments = 0

    while killed(root, at=moments + 1, full=full):
        moments += 1
        assert counted(root) in [(40 * 20, 0), (39 * 20, 20)]
        for left in (root / ".koog").glob(f"{database.NAME}-*"):
            left.unlink()
        place(root).write_bytes(before)

    assert moments > 10
    assert counted(root) == (39 * 20, 20)


def test_a_rebuild_after_a_kill_is_not_spoilt_by_what_the_killed_one_left(root):
    note(root, 7, "- new text of note 7\n" * 20)
    before = place(root).read_bytes()
    journal = root / f".koog/{database.NAME}-journal"
    at = 1
    while killed(root, at=at, full=False) and place(root).read_bytes() == before:
        journal.unlink(missing_ok=True)
        at += 1
    assert journal.exists()  # the database is half written, and this takes it back
    for number in range(40):
        note(root, number, "- new text in new places\n")

    done = refresh(root, full=True)

    assert done.rebuilt == "asked"
    assert counted(root) == (0, 40)
    assert sorted(path.name for path in (root / ".koog").iterdir()) == [database.NAME, database.LOCK]


def test_what_a_killed_rebuild_left_is_taken_away(root):
    assert killed(root, at=5, full=True)
    assert (root / f".koog/{database.NAME}.new").exists()

    refresh(root, full=True)

    assert sorted(path.name for path in (root / ".koog").iterdir()) == [database.NAME, database.LOCK]


# Two at once


def test_two_indexers_at_once_both_end_well(sample):
    command = [sys.executable, "-m", "koog", "index", "--full"]
    both = [subprocess.Popen(command, cwd=sample, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    lines = [json.loads(each.communicate()[0]) for each in both]

    assert [line["ok"] for line in lines] == [True, True]
    assert json.loads(process("index", cwd=sample).stdout)["changed"] == 0


def test_a_writer_waits_for_no_reader_for_ever(root, monkeypatch):
    monkeypatch.setattr(database, "BUSY_MS", 50)
    note(root, 7, "- new text\n")
    with reading(root) as db:
        rows = db.execute("SELECT id FROM passages")
        next(rows)

        with pytest.raises(Busy):
            refresh(root)
        rows.close()

    assert refresh(root).changed == 1


# Disks that refuse


@pytest.mark.parametrize("size", [0, 4096, 30_000])
def test_on_a_full_disk_the_old_index_stays(sample, size):
    assert process("index", cwd=sample).returncode == 0
    before = (sample / ".koog/index.db").read_bytes()

    line = the_line(warm.run(*NOW, "index", "--full", cwd=sample, file_size=size))

    assert line["error"]["code"] == "workspace"
    assert (sample / ".koog/index.db").read_bytes() == before
    assert not (sample / ".koog/index.db.new").exists()


def test_a_path_that_sqlite_cannot_open_is_told(tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    (folder / ".koog").mkdir(parents=True)

    with pytest.raises(WorkspaceError, match="UTF-8"):
        refresh(folder)


def test_sqlite_opens_nothing_where_a_link_has_come_into_its_path(root):
    """Also when the link took its place after koog had looked."""
    real = place(root)
    (root / ".koog/moved.db").write_bytes(real.read_bytes())
    (root.parent / "private").symlink_to(root / ".koog")

    with pytest.raises(WorkspaceError), database.failures(real):
        database._connect(root.parent / "private/moved.db")


def test_a_private_folder_that_is_a_link_holds_no_index(root, tmp_path):
    (root / ".koog").rename(tmp_path / "elsewhere")
    (root / ".koog").symlink_to(tmp_path / "elsewhere")
    before = sorted((tmp_path / "elsewhere").iterdir())

    for work in (lambda: database.reader(place(root)), lambda: refresh(root, full=True)):
        with pytest.raises((WorkspaceError, Unusable)):
            work()

    assert sorted((tmp_path / "elsewhere").iterdir()) == before
