"""The one write door, against real files, real locks and a person who saves at the worst moment."""

from __future__ import annotations

import fcntl
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from weakref import ref

import pytest

from koog.core.errors import Busy, KoogError, NotFound, UsageError, WorkspaceError
from koog.core.files import state_root
from koog.core.files import workspace as door_module
from koog.core.files.record import Cause
from koog.core.files.workspace import Workspace
from koog.core.nearest import find, named
from tests.conftest import registered

WHEN = datetime(2026, 2, 28, 12, 0, tzinfo=UTC)
AUDIT = "memory/meta/audit.log"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    folder = tmp_path / "ws"
    folder.mkdir()
    return Workspace(folder, when=WHEN)


def put(ws: Workspace, path: str, data: bytes | str) -> Path:
    """A file as some other program left it."""
    full = ws.root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(data if isinstance(data, bytes) else data.encode())
    return full


def edit(ws: Workspace, path: str, change, summary: str = "changed") -> None:
    with ws.writing() as door:
        door.edit(path, change, summary=summary)


def append(ws: Workspace, path: str, text: str, summary: str = "added") -> None:
    with ws.writing() as door:
        door.append(path, text, summary=summary)


def tree(ws: Workspace) -> dict[str, bytes]:
    """Everything in the workspace but `.koog/`."""
    files = [p for p in ws.root.rglob("*") if p.is_file() and ".koog" not in p.parts]
    return {p.relative_to(ws.root).as_posix(): p.read_bytes() for p in files}


def permissions(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """A disk that is full for every file larger than this (EFBIG where a full one says ENOSPC)."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail instead of hanging."""

    def stop(*_: object) -> None:
        raise AssertionError(f"hung for {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- edit, append, create


def test_an_edit_replaces_the_text_and_is_told_as_one(ws):
    put(ws, "memory/a.md", "one\n")

    edit(ws, "memory/a.md", lambda text: text + "two\n", "added two")

    assert ws.text("memory/a.md") == "one\ntwo\n"
    assert [(c.action, c.path, c.summary) for c in ws.changes] == [("EDIT", "memory/a.md", "added two")]


def test_a_file_that_is_new_is_created_whether_edited_or_appended_to(ws):
    edit(ws, "memory/a.md", lambda text: text + "one\n")
    append(ws, "memory/b.jsonl", "{}\n")

    assert (ws.text("memory/a.md"), ws.text("memory/b.jsonl")) == ("one\n", "{}\n")
    assert [c.action for c in ws.changes] == ["CREATE", "CREATE"]


def test_an_append_adds_at_the_end_and_keeps_the_file_that_is_there(ws):
    path = put(ws, "memory/log.jsonl", "{}\n")
    inode = path.stat().st_ino

    append(ws, "memory/log.jsonl", '{"a":1}\n')

    assert path.read_text() == '{}\n{"a":1}\n'
    assert path.stat().st_ino == inode
    assert ws.changes[0].action == "APPEND"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"whole\n", b"whole\nnew\n"),
        (b"torn", b"torn\nnew\n"),
        (b"", b"new\n"),
        (b"one\r\ntwo\r\n", b"one\r\ntwo\r\nnew\r\n"),
        (b"one\r\ntorn", b"one\r\ntorn\r\nnew\r\n"),
    ],
)
def test_a_torn_last_line_is_ended_before_the_next_one_in_the_files_own_line_ends(ws, before, after):
    path = put(ws, "memory/log.jsonl", before)

    append(ws, "memory/log.jsonl", "new\n")

    assert path.read_bytes() == after


def test_an_edit_that_changes_nothing_writes_nothing(ws):
    path = put(ws, "memory/a.md", "one\n")
    before = path.stat()

    with ws.writing() as door:
        changed = door.edit("memory/a.md", lambda text: text, summary="nothing")
        created = door.edit("memory/new.md", lambda text: text, summary="nothing")

    assert (changed, created) == (False, False)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    assert ws.changes == []
    assert set(tree(ws)) == {"memory/a.md"}


def test_changes_of_one_file_in_one_block_build_on_one_another(ws):
    put(ws, "memory/a.md", "one\n")

    with ws.writing() as door:
        door.edit("memory/a.md", str.upper, summary="upper")
        seen = door.text("memory/a.md")
        door.append("memory/a.md", "two\n", summary="two")
        door.append("memory/a.md", "three\n", summary="three")

    assert seen == "ONE\n"
    assert ws.text("memory/a.md") == "ONE\ntwo\nthree\n"
    assert [(c.action, c.summary) for c in ws.changes] == [("EDIT", "three")]


@pytest.mark.parametrize("dry_run", [False, True])
def test_changes_that_cancel_each_other_out_are_none(ws, dry_run):
    put(ws, "memory/a.md", "one\n")
    ws.dry_run = dry_run

    with ws.writing() as door:
        door.edit("memory/a.md", str.upper, summary="upper")
        door.edit("memory/a.md", str.lower, summary="lower")

    assert ws.changes == []
    assert tree(ws) == {"memory/a.md": b"one\n"}


def test_nothing_is_on_disk_before_the_block_ends(ws):
    path = put(ws, "memory/a.md", "one\n")

    with ws.writing() as door:
        door.edit("memory/a.md", str.upper, summary="upper")
        during = path.read_text()

    assert (during, path.read_text()) == ("one\n", "ONE\n")


def test_an_error_in_the_block_leaves_everything_as_it_was(ws):
    put(ws, "memory/a.md", "one\n")
    before = tree(ws)

    with pytest.raises(NotFound), ws.writing() as door:
        door.edit("memory/a.md", str.upper, summary="upper")
        raise NotFound("something")

    assert tree(ws) == before
    assert ws.changes == []


# --- what a file keeps


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\r\nb\r\n", b"a\r\nb\r\nnew\r\n"),
        (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfa\nnew\n"),
        (b"\xef\xbb\xbfa\r\n", b"\xef\xbb\xbfa\r\nnew\r\n"),
        (b"a\r\nb\n", b"a\r\nb\nnew\n"),
        (b"caf\xe9 \xff\x00\n", b"caf\xe9 \xff\x00\nnew\n"),
    ],
    ids=["CRLF", "BOM", "BOM and CRLF", "mixed line ends", "not UTF-8"],
)
def test_an_edit_keeps_line_ends_bom_and_bytes_that_are_not_utf8(ws, before, after):
    path = put(ws, "memory/a.md", before)

    edit(ws, "memory/a.md", lambda text: text + "new\n")

    assert path.read_bytes() == after


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755, 0o400])
def test_an_edited_file_keeps_its_mode(ws, mode):
    path = put(ws, "memory/a.md", "one\n")
    path.chmod(mode)

    edit(ws, "memory/a.md", str.upper)

    assert permissions(path) == mode


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_new_files_and_folders_are_private_whatever_the_umask(ws, umask):
    before = os.umask(umask)
    try:
        edit(ws, "memory/deep/er/a.md", lambda _: "one\n")
        append(ws, "memory/deep/log.jsonl", "{}\n")
        ws.ledger("memory/meta/usage.jsonl", "{}\n")
    finally:
        os.umask(before)

    files = [ws.root / p for p in ("memory/deep/er/a.md", "memory/deep/log.jsonl", "memory/meta/usage.jsonl", AUDIT)]
    assert {permissions(p) for p in files} == {0o600}
    assert {permissions(p) for p in ws.root.rglob("*") if p.is_dir()} == {0o700}


# --- all or nothing


@pytest.mark.parametrize("last", ["memory/log.jsonl", AUDIT])
def test_a_disk_that_fills_up_at_the_last_file_takes_the_whole_transaction_back(ws, last):
    put(ws, "memory/a.md", "one\n")
    put(ws, last, "x" * 999 + "\n")
    before = tree(ws)

    with pytest.raises(WorkspaceError, match=r"File too large"), file_size_limit(1005), ws.writing() as door:
        door.edit("memory/a.md", str.upper, summary="upper")
        door.write("memory/new.md", "new\n", summary="new")
        door.append("memory/new.jsonl", "{}\n", summary="new")
        door.append("memory/log.jsonl", "longer than the five bytes that are left\n", summary="log")

    assert tree(ws) == before
    assert ws.changes == []


def test_a_file_too_large_to_prepare_leaves_no_temporary_behind(ws):
    put(ws, "memory/a.md", "one\n")
    before = tree(ws)

    with pytest.raises(WorkspaceError), file_size_limit(1000), ws.writing() as door:
        door.edit("memory/a.md", str.upper, summary="upper")
        door.write("memory/b.md", "x" * 2000, summary="too large")

    assert tree(ws) == before


def test_taking_back_spares_what_a_person_saved_over_it(ws):
    """The second file fails after a person has already replaced the first one again."""
    path = put(ws, "memory/a.md", "one\n")
    put(ws, "memory/b.md", "one\n")
    calls = []

    def fails_when_repeated(text: str) -> str:
        calls.append(text)
        if len(calls) == 1:
            put(ws, "memory/b.md", "a person's\n")  # so that the function is called again, under way
            return "koog's\n"
        path.write_text("saved after koog\n")
        raise Busy("no")

    with pytest.raises(Busy), ws.writing() as door:
        door.edit("memory/a.md", str.upper, summary="upper")
        door.edit("memory/b.md", fails_when_repeated, summary="b")

    assert tree(ws) == {"memory/a.md": b"saved after koog\n", "memory/b.md": b"a person's\n"}


def test_a_folder_that_may_not_be_written_is_a_clean_error():
    with tempfile.TemporaryDirectory() as base:
        Path(base).chmod(0o755)
        ws = Workspace(Path(base) / "ws", when=WHEN)
        put(ws, "memory/a.md", "one\n")
        (ws.root / ".koog").mkdir(mode=0o777)
        (ws.root / ".koog").chmod(0o777)
        (ws.root / "memory").chmod(0o555)
        me = os.geteuid()
        try:
            if me == 0:
                os.seteuid(65534)  # root may write everywhere
            with pytest.raises(WorkspaceError, match="Permission denied"):
                edit(ws, "memory/a.md", str.upper)
        finally:
            os.seteuid(me)
            (ws.root / "memory").chmod(0o755)

        assert tree(ws) == {"memory/a.md": b"one\n"}


# --- where it writes


@pytest.fixture
def outside(ws: Workspace) -> Path:
    """A folder beside the workspace, and links that lead there and to git's own folder."""
    folder = ws.root.parent / "outside"
    folder.mkdir()
    (folder / "a.md").write_text("not koog's\n")
    (ws.root / "memory").mkdir()
    (ws.root / "link.md").symlink_to(folder / "a.md")
    (ws.root / "dangling.md").symlink_to(folder / "new.md")
    (ws.root / "linked").symlink_to(folder)
    (ws.root / "memory/inner.md").write_text("one\n")
    (ws.root / "inner-link.md").symlink_to("memory/inner.md")
    return folder


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize("how", ["edit", "append"])
@pytest.mark.parametrize(
    "path",
    [
        "../outside/a.md",
        "memory/../../outside/a.md",
        "memory/../memory/a.md",
        "/etc/koog-test",
        "memory/a\0.md",
        "link.md",
        "dangling.md",
        "linked/a.md",
        "linked/new.md",
        ".git/config",
        "./.git/config",
        "memory/.git/x",
        ".GIT/config",
        "./.koog/lock",
        "memory/.koog/x",
        ".koog/lock",
        "memory",
    ],
)
def test_a_path_that_is_not_koogs_to_write_is_refused(ws, outside, path, how, dry_run):
    ws.dry_run = dry_run
    before = tree(ws)

    with pytest.raises(WorkspaceError), ws.writing() as door:
        door.write("memory/first.md", "first\n", summary="comes before")
        if how == "edit":
            door.edit(path, lambda _: "koog was here\n", summary="escape")
        else:
            door.append(path, "koog was here\n", summary="escape")

    assert tree(ws) == before
    assert {p.name: p.read_text() for p in outside.iterdir()} == {"a.md": "not koog's\n"}


@pytest.mark.parametrize("path", ["../outside/a.md", "/etc/hostname", "link.md", "linked/a.md", "a\0b"])
def test_nothing_outside_is_read_either(ws, outside, path):
    with pytest.raises(WorkspaceError):
        ws.read(path)


def test_a_link_within_the_workspace_may_be_read(ws, outside):
    assert ws.text("inner-link.md") == "one\n"


def test_an_append_parts_a_hard_link_and_leaves_the_other_name_alone(ws):
    other = put(ws, "../elsewhere.txt", "theirs\n")
    (ws.root / "log.jsonl").hardlink_to(other)

    append(ws, "log.jsonl", "{}\n")

    assert (ws.text("log.jsonl"), other.read_text()) == ("theirs\n{}\n", "theirs\n")


@pytest.mark.parametrize("how", [edit, append])
def test_a_link_inside_the_workspace_leads_to_the_file_that_changes(ws, outside, how):
    how(ws, "inner-link.md", (lambda _: "two\n") if how is edit else "two\n")

    assert (ws.root / "inner-link.md").is_symlink()
    assert ws.text("memory/inner.md") == ("two\n" if how is edit else "one\ntwo\n")
    assert [c.path for c in ws.changes] == ["memory/inner.md"]


def test_an_edit_parts_a_hard_link_and_leaves_the_other_name_alone(ws):
    other = put(ws, "../elsewhere.txt", "theirs\n")
    (ws.root / "a.md").hardlink_to(other)

    edit(ws, "a.md", str.upper)

    assert (ws.text("a.md"), other.read_text()) == ("THEIRS\n", "theirs\n")


@pytest.mark.parametrize("how", ["read", "edit", "append", "ledger"])
def test_a_pipe_is_refused_and_never_waited_for(ws, how):
    os.mkfifo(ws.root / "pipe")

    with at_most(5), pytest.raises(WorkspaceError):
        {
            "read": lambda: ws.read("pipe"),
            "edit": lambda: edit(ws, "pipe", str.upper),
            "append": lambda: append(ws, "pipe", "x\n"),
            "ledger": lambda: ws.ledger("pipe", "x\n"),
        }[how]()


@pytest.mark.parametrize("how", ["edit", "append"])
def test_a_file_where_a_folder_should_be_is_a_clean_error(ws, how):
    put(ws, "memory", "a file\n")

    with pytest.raises(WorkspaceError):
        (edit(ws, "memory/a.md", lambda _: "x\n") if how == "edit" else append(ws, "memory/meta/log", "x\n"))

    assert tree(ws) == {"memory": b"a file\n"}


def test_a_folder_where_a_file_should_be_is_a_clean_error(ws):
    (ws.root / "memory/a.md").mkdir(parents=True)

    with pytest.raises(WorkspaceError, match="not a regular file"):
        ws.text("memory/a.md")


def test_a_name_longer_than_the_disk_takes_is_a_clean_error(ws):
    with pytest.raises(WorkspaceError, match="too long"):
        edit(ws, f"memory/{'n' * 300}.md", lambda _: "x\n")


def test_a_file_larger_than_koog_reads_is_refused_unread(ws):
    with put(ws, "huge.md", "").open("wb") as file:
        file.truncate(door_module.READ_LIMIT + 1)

    with pytest.raises(WorkspaceError, match="more than koog reads"):
        ws.read("huge.md")


# --- reading


def test_what_is_not_there_reads_as_nothing(ws):
    assert ws.read("memory/a.md") is None
    assert ws.text("memory/a.md") is None
    assert ws.names("memory", ".md") == []
    assert ws.folders("modules") == []
    assert (ws.size("a"), ws.modified("a"), ws.exists("a")) == (None, None, False)


def test_names_and_folders_are_sorted_and_of_their_kind(ws):
    for name in ("b.md", "a.md", "c.txt"):
        put(ws, f"memory/{name}", "x")
    (ws.root / "memory/folder.md").mkdir()

    assert ws.names("memory", ".md") == ["a.md", "b.md"]
    assert ws.folders("memory") == ["folder.md"]
    assert ws.size("memory/a.md") == 1
    assert ws.modified("memory/a.md") == (ws.root / "memory/a.md").stat().st_mtime


def test_a_link_is_among_the_names_where_it_leads_to_a_file_or_outside(ws, tmp_path):
    put(ws, "memory/a.md", "x")
    (ws.root / "memory/folder").mkdir()
    (tmp_path / "outside.md").write_text("x")
    for name, to in {"b": "a.md", "c": "folder", "d": "nowhere", "e": tmp_path / "outside.md", "f": "f.md"}.items():
        (ws.root / f"memory/{name}.md").symlink_to(to)
    os.mkfifo(ws.root / "memory/pipe.md")

    assert ws.names("memory", ".md") == ["a.md", "b.md", "e.md"]


def test_a_file_that_goes_meanwhile_hides_no_other(ws):
    put(ws, "memory/a.md", "x")
    coming_and_going = "import os\nwhile True: os.close(os.open('b.md', os.O_CREAT)); os.unlink('b.md')"
    with subprocess.Popen([sys.executable, "-S", "-c", coming_and_going], cwd=ws.root / "memory") as other:
        try:
            while not (ws.root / "memory/b.md").exists():
                pass
            seen = {
                (*ws.names("memory", ".md")[:1], *(e.name for e in ws.files.listed("memory")[:1])) for _ in range(1000)
            }
        finally:
            other.kill()

    assert seen == {("a.md", "a.md")}


# --- a dry run


def test_a_dry_run_writes_nothing_but_is_read_as_if_it_had(ws):
    put(ws, "memory/a.md", "one\n")
    ws.dry_run = True

    edit(ws, "memory/a.md", str.upper)
    append(ws, "memory/b.md", "new\n")
    edit(ws, "memory/b.md", lambda text: text + "more\n")

    assert (ws.text("memory/a.md"), ws.text("memory/b.md")) == ("ONE\n", "new\nmore\n")
    assert ws.names("memory", ".md") == ["a.md", "b.md"]
    assert (ws.exists("memory/b.md"), ws.size("memory/b.md")) == (True, 9)
    assert [c.action for c in ws.changes] == ["EDIT", "CREATE", "EDIT"]
    assert {p.name for p in ws.root.rglob("*")} == {"memory", "a.md"}
    assert (ws.root / "memory/a.md").read_text() == "one\n"


def test_a_dry_run_needs_no_lock(ws):
    ws.dry_run, ws.lock_wait_s = True, 0.0

    with Workspace(ws.root, when=WHEN).writing():
        edit(ws, "memory/a.md", lambda _: "x\n")

    assert ws.text("memory/a.md") == "x\n"


def test_the_ledger_is_written_under_a_dry_run_too_without_audit_or_change(ws):
    ws.dry_run = True

    ws.ledger("memory/meta/usage.jsonl", '{"a":1}\n')

    assert tree(ws) == {"memory/meta/usage.jsonl": b'{"a":1}\n'}
    assert ws.changes == []


# --- a person at the same moment


def by_rename(path: Path, text: str) -> None:
    beside = path.with_name(f"{path.name}.editor")
    beside.write_text(text)
    beside.replace(path)


def in_place(path: Path, text: str) -> None:
    path.write_text(text)


def saving_once(path: Path, save, text: str):
    """A change that adds a line, and a person who saves while it is first made."""
    calls: list[str] = []

    def change(present: str) -> str:
        calls.append(present)
        if len(calls) == 1:
            save(path, text)
        return present + "koog's line\n"

    return change, calls


@pytest.mark.parametrize("save", [by_rename, in_place])
def test_a_save_between_reading_and_writing_is_kept_and_the_change_is_made_to_it(ws, save):
    path = put(ws, "memory/a.md", "one\n")
    change, calls = saving_once(path, save, "one\na person's line\n")

    edit(ws, "memory/a.md", change)

    assert path.read_text() == "one\na person's line\nkoog's line\n"
    assert calls == ["one\n", "one\na person's line\n"]
    assert set(tree(ws)) == {"memory/a.md", AUDIT}


def test_a_file_that_a_person_makes_while_koog_makes_it_is_kept(ws):
    path = ws.root / "memory/a.md"
    path.parent.mkdir()
    change, calls = saving_once(path, in_place, "a person's line\n")

    edit(ws, "memory/a.md", change)

    assert path.read_text() == "a person's line\nkoog's line\n"
    assert calls == ["", "a person's line\n"]


def test_a_file_that_a_person_deletes_meanwhile_is_begun_anew(ws):
    path = put(ws, "memory/a.md", "one\n")
    change, calls = saving_once(path, lambda path, _: path.unlink(), "")

    edit(ws, "memory/a.md", change)

    assert path.read_text() == "koog's line\n"
    assert calls == ["one\n", ""]


def test_line_ends_and_bom_that_a_person_chose_meanwhile_count(ws):
    path = put(ws, "memory/a.md", "one\n")
    change, _ = saving_once(path, lambda path, _: path.write_bytes(b"\xef\xbb\xbfone\r\n"), "")

    edit(ws, "memory/a.md", change)

    assert path.read_bytes() == b"\xef\xbb\xbfone\r\nkoog's line\r\n"


def test_a_change_that_cannot_be_made_to_the_persons_text_is_busy_and_nothing_is_written(ws):
    path = put(ws, "memory/a.md", "one\n")
    put(ws, "memory/b.md", "one\n")

    def change(text: str) -> str:
        if text != "one\n":
            raise Busy("the line is gone")
        by_rename(path, "a person's\n")
        return "koog's\n"

    with pytest.raises(Busy), ws.writing() as door:
        door.edit("memory/b.md", str.upper, summary="upper")
        door.edit("memory/a.md", change, summary="koog's")

    assert tree(ws) == {"memory/a.md": b"a person's\n", "memory/b.md": b"one\n"}


def test_a_file_that_never_holds_still_is_busy_and_keeps_its_last_save(ws):
    path = put(ws, "memory/a.md", "save 0\n")
    saves = []

    def change(text: str) -> str:
        saves.append(text)
        by_rename(path, f"save {len(saves)}\n")
        return "koog's\n"

    with pytest.raises(Busy, match="keeps changing"):
        edit(ws, "memory/a.md", change)

    assert tree(ws) == {"memory/a.md": f"save {len(saves)}\n".encode()}


def test_lines_that_another_program_appends_meanwhile_stay(ws):
    path = put(ws, "memory/log.jsonl", "1\n")

    with ws.writing() as door:
        door.append("memory/log.jsonl", "3\n", summary="three")
        with path.open("a") as file:
            file.write("2\n")

    assert path.read_text() == "1\n2\n3\n"


def test_no_save_of_a_busy_editor_is_ever_lost(ws):
    """A person's process saves by rename as fast as it can and finds its own save again each time."""
    path = put(ws, "memory/a.md", "save 0\n")
    command, pipe = [sys.executable, "-c", EDITOR, str(path)], subprocess.PIPE
    done = 0

    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as person:
        person.stdout.readline()
        for _ in range(150):
            with suppress(Busy):  # that often in a row: no save is lost, koog's line waits
                edit(ws, "memory/a.md", lambda text: text + "koog's line\n")
                done += 1
        said, _ = person.communicate("stop\n", timeout=120)

    saves, lost = map(int, said.split())
    assert lost == 0
    assert path.read_text().splitlines()[0] == f"save {saves}"
    assert saves > 5
    assert done > 5
    assert list(path.parent.glob(".*.tmp")) == []


EDITOR = """
import os, select, sys, time
path, n, lost = sys.argv[1], 0, 0
print("ready", flush=True)
while not select.select([sys.stdin], [], [], 0.001)[0]:
    found = open(path).readline()
    if found != f"save {n}\\n":
        time.sleep(0.2)  # for an instant the older text may be in front, until the newer one is put back
        found = open(path).readline()
    lost += found != f"save {n}\\n"
    n += 1
    with open(path + ".editor", "w") as file:
        file.write(f"save {n}\\n")
    os.replace(path + ".editor", path)
print(n, lost)
"""


# --- what a killed run leaves


def test_what_a_killed_run_left_beside_a_file_is_moved_aside_and_kept(ws):
    put(ws, "memory/a.md", "one\n")
    left = put(ws, "memory/.a.md.koog.tmp", "perhaps a person's only copy\n")

    edit(ws, "memory/a.md", str.upper)

    (kept,) = (ws.root / ".koog/recovered").iterdir()
    assert not left.exists()
    assert kept.name.startswith("a.md.")
    assert kept.read_text() == "perhaps a person's only copy\n"
    assert permissions(kept.parent) == 0o700
    assert ws.text("memory/a.md") == "ONE\n"


def test_a_left_over_of_a_file_that_is_never_written_again_is_moved_aside_with_the_next_write_in_its_folder(ws):
    """An archive's name has the minute in it: no later command would write the same one."""
    left = put(ws, "memory/archive/.a-1200.md.koog.tmp", "half\n")

    with ws.writing() as door:
        door.write("memory/archive/a-1230.md", "one\n", summary="archive")
        door.write("memory/archive/b-1230.md", "two\n", summary="archive")

    assert not left.exists()
    assert [p.read_text() for p in (ws.root / ".koog/recovered").iterdir()] == ["half\n"]
    assert set(tree(ws)) == {"memory/archive/a-1230.md", "memory/archive/b-1230.md", AUDIT}


def test_a_link_left_in_the_temporary_files_place_is_not_written_through(ws, outside):
    (ws.root / "memory/.inner.md.koog.tmp").symlink_to(outside / "a.md")

    edit(ws, "memory/inner.md", str.upper)

    assert (outside / "a.md").read_text() == "not koog's\n"
    assert ws.text("memory/inner.md") == "ONE\n"


# --- the audit line


def test_every_change_is_one_audit_line(ws):
    ws.cause = Cause(actor="agent:main", approval="auto", trigger="koog test")
    put(ws, "memory/a.md", "one\n")

    with ws.writing() as door:
        door.edit("memory/a.md", str.upper, summary="upper")
        door.append("memory/log.jsonl", "{}\n", summary="tick")
    edit(ws, "memory/a.md", str.lower, "lower")

    assert ws.text(AUDIT) == (
        "2026-02-28T12:00Z | EDIT    | memory/a.md | agent:main | auto     | upper\n"
        "2026-02-28T12:00Z | CREATE  | memory/log.jsonl | agent:main | auto     | tick\n"
        "2026-02-28T12:00Z | EDIT    | memory/a.md | agent:main | auto     | lower\n"
    )


def test_no_summary_can_forge_an_audit_field_or_line(ws):
    edit(ws, "a.md", lambda _: "x\n", "a | b\\\nDELETE\u2028SOUL.md\x85end")

    (line,) = (ws.text(AUDIT) or "").splitlines()
    assert line.endswith(" | a \\| b\\\\\\nDELETE\\nSOUL.md\\nend")
    assert line.count(" | ") == 5


def test_a_critical_file_is_marked(ws):
    ws.critical_files = ("SOUL.md",)

    edit(ws, "SOUL.md", lambda _: "I\n", "soul")
    edit(ws, "memory/SOUL.md", lambda _: "I\n", "another")

    first, second = (ws.text(AUDIT) or "").splitlines()
    assert first.endswith("| ⚠️ CRITICAL: soul")
    assert second.endswith("| another")


def test_without_a_clock_nothing_is_written(ws):
    ws.when = None

    with pytest.raises(ValueError, match="clock"):
        edit(ws, "a.md", lambda _: "x\n")

    assert tree(ws) == {}


# --- the lock


def test_the_private_folder_ignores_itself(ws):
    edit(ws, "a.md", lambda _: "x\n")

    assert (ws.root / ".koog/.gitignore").read_text() == "*\n"
    assert (ws.root / ".koog/lock").exists()


def test_a_workspace_that_another_koog_writes_is_busy_and_can_still_be_read(ws):
    put(ws, "a.md", "one\n")
    other = Workspace(ws.root, when=WHEN, lock_wait_s=0.05)

    with ws.writing():
        with pytest.raises(Busy, match="another koog holds"):
            edit(other, "a.md", str.upper)
        seen = other.text("a.md")

    assert (seen, ws.text("a.md")) == ("one\n", "one\n")


def test_a_wait_for_the_lock_ends_as_soon_as_it_is_free(ws):
    with hold_lock(ws) as holder:
        threading.Timer(0.1, holder.kill).start()

        edit(ws, "a.md", lambda _: "x\n")

    assert ws.text("a.md") == "x\n"


def test_the_lock_of_a_killed_process_is_free_though_its_child_lives_on(ws):
    """Close-on-exec: a `git` that outlives its koog must not hold the workspace."""
    with hold_lock(
        ws, "print(subprocess.Popen(['sleep', '30'], stdout=subprocess.DEVNULL, close_fds=False).pid, flush=True)"
    ) as holder:
        child = int(holder.stdout.readline())
        holder.kill()
    ws.lock_wait_s = 0.0

    try:
        edit(ws, "a.md", lambda _: "x\n")
    finally:
        os.kill(child, signal.SIGKILL)

    assert ws.text("a.md") == "x\n"


def test_the_lock_file_stays_the_same_one(ws):
    edit(ws, "a.md", lambda _: "x\n")
    first = (ws.root / ".koog/lock").stat().st_ino

    edit(ws, "a.md", lambda _: "y\n")

    assert (ws.root / ".koog/lock").stat().st_ino == first


def test_a_lock_file_that_is_a_link_is_refused(ws, tmp_path):
    (ws.root / ".koog").mkdir()
    (ws.root / ".koog/lock").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(WorkspaceError):
        edit(ws, "a.md", lambda _: "x\n")

    assert not (tmp_path / "elsewhere").exists()


def test_the_lock_is_held_until_what_follows_the_write_is_done(ws):
    held = []

    def look(changes) -> None:
        with (ws.root / ".koog/lock").open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                held.extend(row.change.path for row in changes)

    ws.after = look

    edit(ws, "a.md", lambda _: "x\n")

    assert held == ["a.md"]


HOLDER = """
import subprocess, sys, time
from datetime import UTC, datetime
from pathlib import Path
from koog.core.files.workspace import Workspace

with Workspace(Path(sys.argv[1]), when=datetime.now(UTC)).writing():
    print("held", flush=True)
    exec(sys.argv[2])
    time.sleep(60)
"""


@contextmanager
def hold_lock(ws: Workspace, then: str = "") -> Iterator[subprocess.Popen[str]]:
    """A process that holds the workspace's lock until it is killed."""
    command = [sys.executable, "-c", HOLDER, str(ws.root), then]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        yield holder
        holder.kill()


# --- finding it


@pytest.mark.parametrize("is_dry", [False, True])
def test_what_was_staged_is_let_go_with_its_block_though_the_edit_holds_the_door(tmp_path, is_dry):
    ws = Workspace(tmp_path, when=WHEN, dry_run=is_dry)
    with ws.writing() as door:
        door.edit("notes.md", lambda text: text or door.text("other.md") or "one\n", summary="begun")
        staged = ref(door.staged[0])

    assert staged() is None  # not only when Python looks for rings


def test_the_nearest_folder_with_a_private_folder_is_the_workspace(tmp_path):
    (tmp_path / "outer/.koog").mkdir(parents=True)
    (tmp_path / "outer/inner/deep").mkdir(parents=True)

    assert find(tmp_path / "outer/inner/deep") == tmp_path / "outer"

    (tmp_path / "outer/inner/.koog").mkdir()

    assert find(tmp_path / "outer/inner/deep") == tmp_path / "outer/inner"


def test_no_workspace_above_is_not_found_with_a_way_on(tmp_path):
    with pytest.raises(NotFound) as raised:
        find(tmp_path)

    assert "koog init" in (raised.value.hint or "")


def test_a_workspace_that_is_named_must_be_a_folder(tmp_path):
    put(Workspace(tmp_path), "file", "x")
    with pytest.raises(NotFound, match="no workspace of koog's"):
        named(tmp_path)
    (tmp_path / "koog-config.json").write_text("{}")

    assert named(tmp_path) == tmp_path
    for name in ("missing", "file"):
        with pytest.raises(UsageError):
            named(tmp_path / name)


# --- the cache


def test_a_cache_file_is_replaced_whole_and_leaves_nothing_beside(ws):
    ws.cache("modes.json", "{}\n")
    ws.cache("modes.json", '{"a":1}\n')

    assert ws.cached("modes.json") == '{"a":1}\n'
    assert {p.name for p in (ws.root / ".koog").iterdir()} == {"modes.json", ".gitignore"}
    assert ws.changes == []


def test_a_private_folder_that_is_a_file_is_a_clean_error(ws):
    put(ws, ".koog", "a file")

    with pytest.raises(KoogError) as raised:
        edit(ws, "a.md", lambda _: "x\n")

    assert raised.value.code == "workspace"


def test_a_private_folder_that_is_a_link_is_refused_and_nothing_is_written_behind_it(koog, workspace, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (workspace / ".koog/.gitignore").unlink()
    (workspace / ".koog").rmdir()
    (workspace / ".koog").symlink_to(outside)

    code, line = koog("module", "activate", "react-native-dev", "--workspace", str(workspace))

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert list(outside.iterdir()) == []


def test_a_lock_file_that_was_made_anew_lets_no_second_koog_at_the_state(workspace):
    state = state_root.StateRoot("0" * 12, registered(workspace))
    first, second = (Workspace(workspace, when=WHEN, state_root=state, lock_wait_s=0.05) for _ in range(2))

    with first.writing() as door:
        door.write("a.md", "one\n", summary="x")
        (workspace / ".koog/lock").unlink()
        with pytest.raises(Busy), second.writing():
            pass


def test_pieces_of_a_file_are_its_bytes_and_nothing_else_has_any(ws):
    put(ws, "memory/large.json", b"0123456789")
    put(ws, "memory/folder/a", b"")
    for path, data in (("memory/large.json", b"0123456789"), ("memory/none.json", None), ("none/a.json", None)):
        with ws.pieces(path) as found:
            assert (found and (found.size, found.read(0, 99), found.read(8, 5), found.read(11, 5))) == (
                data and (10, data, b"89", b"")
            )
    with pytest.raises(WorkspaceError, match="not a regular file"), ws.pieces("memory/folder"):
        pass
    dry = Workspace(ws.root, when=WHEN, dry_run=True)
    with dry.writing() as door:
        door.write("memory/large.json", "pretended", summary="x")
    with dry.pieces("memory/large.json") as found:
        assert found and found.read(0, found.size) == b"pretended"


def test_one_file_after_another_is_read_as_each_by_itself(ws):
    put(ws, "memory/a.md", b"\xef\xbb\xbfwith BOM\r\n")
    put(ws, "memory/b.md", b"b\xff")
    put(ws, "memory/folder/c.md", "c")
    (ws.root / "memory/link.md").symlink_to("b.md")
    (ws.root / "memory/out.md").symlink_to("/etc/hostname")
    read = ws.texts()

    for path in ("memory/a.md", "memory/b.md", "memory/none.md", "none/a.md", "memory/link.md", "memory/folder/c.md"):
        assert read(path) == ws.text(path)
    for path in ("memory/out.md", "memory/folder"):
        with pytest.raises(WorkspaceError) as told:
            ws.text(path)
        with pytest.raises(WorkspaceError, match=re.escape(told.value.message)):
            read(path)
