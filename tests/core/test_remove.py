"""A file that goes through the write door: undone with the rest, and never one that somebody has just changed."""

from __future__ import annotations

import os
import resource
import signal
from datetime import UTC, datetime

import pytest

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import atomic, journal
from koog.core.files.journal import Step
from koog.core.files.workspace import Workspace

WHEN = datetime(2026, 2, 28, 12, 0, tzinfo=UTC)
COPY = "memory/copies/old.md"


@pytest.fixture
def ws(tmp_path):
    folder = tmp_path / "ws"
    (folder / "memory/copies").mkdir(parents=True)
    (folder / COPY).write_text("as it was\n")
    (folder / ".koog").mkdir()
    return Workspace(folder, when=WHEN)


def test_a_removed_file_is_gone_and_the_audit_log_says_so(ws):
    with ws.writing() as door:
        assert door.remove(COPY, summary="one too many")

    assert not (ws.root / COPY).exists()
    assert [(c.action, c.path) for c in ws.changes] == [("DELETE", COPY)]
    assert f"| DELETE  | {COPY} |" in (ws.root / "memory/meta/audit.log").read_text()
    assert list((ws.root / "memory/copies").iterdir()) == []


def test_a_file_that_is_not_there_or_goes_already_cannot_be_removed(ws):
    with ws.writing() as door:
        assert not door.remove("memory/copies/none.md", summary="x")
        assert door.remove(COPY, summary="x")
        assert not door.remove(COPY, summary="x")

    assert len(ws.changes) == 1


def test_a_dry_run_removes_nothing_and_tells_what_it_would_remove(ws):
    ws.dry_run = True

    with ws.writing() as door:
        door.remove(COPY, summary="x")

    assert (ws.root / COPY).read_text() == "as it was\n"
    assert [(c.action, c.path) for c in ws.changes] == [("DELETE", COPY)]


def test_a_file_that_somebody_saves_meanwhile_stays_and_so_does_everything_else(ws):
    with pytest.raises(Busy), ws.writing() as door:
        door.write("memory/new.md", "new\n", summary="x")
        door.remove(COPY, summary="x")
        (ws.root / COPY).write_text("a person's\n")

    assert (ws.root / COPY).read_text() == "a person's\n"
    assert not (ws.root / "memory/new.md").exists()
    assert list((ws.root / "memory/copies").iterdir()) == [ws.root / COPY]


def test_a_link_is_not_removed_but_refused(ws, tmp_path):
    (tmp_path / "elsewhere.md").write_text("theirs\n")
    (ws.root / "memory/copies/link.md").symlink_to(tmp_path / "elsewhere.md")

    with pytest.raises(WorkspaceError), ws.writing() as door:
        door.remove("memory/copies/link.md", summary="x")

    assert (tmp_path / "elsewhere.md").read_text() == "theirs\n"
    assert (ws.root / "memory/copies/link.md").is_symlink()


def test_a_removal_comes_back_when_a_later_step_fails(ws):
    (ws.root / "memory/meta").mkdir()
    (ws.root / "memory/meta/audit.log").write_text("x" * 299 + "\n")  # no room for another line
    child = os.fork()
    if not child:
        code = 99
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            with ws.writing() as door:
                door.remove(COPY, summary="x")
        except WorkspaceError:
            code = 8
        finally:
            os._exit(code)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 8
    assert (ws.root / COPY).read_text() == "as it was\n"
    assert list((ws.root / "memory/copies").iterdir()) == [ws.root / COPY]


@pytest.mark.parametrize("stopped", ["before", "aside", "after"])
def test_a_killed_removal_is_finished_by_the_next_command(ws, stopped):
    target = ws.root / COPY
    journal.write(ws.own, [Step("remove", COPY, before=journal.digest(target.read_bytes()))])
    if stopped == "aside":
        target.replace(target.with_name(f".{target.name}{atomic.SUFFIX}"))
    elif stopped == "after":
        target.unlink()

    ws.recover()

    assert list((ws.root / "memory/copies").iterdir()) == []
    assert ws.warnings == []


def test_a_killed_removal_leaves_what_somebody_has_saved_since(ws):
    journal.write(ws.own, [Step("remove", COPY, before=journal.digest(b"as it was\n"))])
    (ws.root / COPY).write_text("a person's\n")

    ws.recover()

    assert (ws.root / COPY).read_text() == "a person's\n"
    assert "their version stands" in ws.warnings[0]
