"""Names inside a root: where links lead that stay inside, and that nothing leads out of it."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from koog.core.errors import WorkspaceError
from koog.core.files.roots import FOLDER, Barred, Leads, Root, clear_halves, put_unsynced
from koog.core.files.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Root:
    for path in ("ws/a/b/c.md", "ws/.koog/x", "ws/a/.git/config", "out/secret.md", "out/inner/d.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    return Root(tmp_path / "ws", outside=(tmp_path / "out/inner",))


def link(root: Root, name: str, target: str | Path) -> None:
    (root.path / name).symlink_to(target)


@pytest.mark.parametrize(
    ("target", "path"),
    [("a/b/c.md", "a/b/c.md"), ("./a/../a/b/c.md", "a/b/c.md"), ("../ws/a/b/c.md", "a/b/c.md"), ("a/b", "a/b")],
)
def test_a_link_that_stays_inside_is_resolved(root, target, path):
    link(root, "here", target)

    assert root.spot("here").path == path


def test_an_absolute_link_into_the_root_is_resolved(root):
    link(root, "here", root.path / "a/b/c.md")

    assert root.read("here") == b"ws/a/b/c.md"


@pytest.mark.parametrize(
    ("name", "target", "path"),
    [("a/self", ".", "a"), ("a/up", "..", ""), ("a/b/up", "../..", ""), ("a/b/one", "..", "a")],
)
def test_a_link_to_a_folder_above_leads_to_that_folder(root, name, target, path):
    link(root, name, target)

    spot = root.spot(name)

    assert (spot.path, os.fstat(spot.open(FOLDER)).st_ino) == (path, (root.path / path).stat().st_ino)
    assert {e.name for e in root.entries(name)} == {e.name for e in root.entries(path)}
    with pytest.raises(WorkspaceError, match="not a regular file"):
        root.read(name)


@pytest.mark.parametrize("target", ["../out/secret.md", "/etc/passwd", "a/../../out/secret.md", "../out"])
def test_a_link_that_leads_outside_is_refused(root, target):
    link(root, "there", target)

    for look in (root.spot, root.read):
        with pytest.raises(Leads):
            look("there")
    assert root.info("there") is None
    assert [e.is_link for e in root.entries() if e.name == "there"] == [True]


@pytest.mark.parametrize("target", [".koog/x", "a/.git/config", "a/.git", "a/b/../.git/config"])
def test_a_link_to_what_another_root_keeps_is_refused(root, target):
    link(root, "there", target)

    with pytest.raises(Barred):
        root.spot("there")


def test_links_in_a_circle_are_an_error_and_no_way_out(root):
    link(root, "one", "two")
    link(root, "two", "one")

    with pytest.raises(WorkspaceError, match="levels of symbolic links"):
        root.read("one")


def test_a_link_to_a_folder_that_the_operator_named_is_followed_and_told_apart(root):
    link(root, "a/there", root.path.parent / "out/inner")

    spot = root.spot("a/there/d.md")

    assert (spot.far, spot.path, spot.read()) == (True, "a/there/d.md", b"out/inner/d.md")
    assert [e.name for e in root.entries("a/there")] == ["d.md"]
    assert not root.spot("a/b/c.md").far


def test_a_listing_has_links_as_links_and_entries_as_what_they_lead_to(root):
    link(root, "a/inside", "b/c.md")
    link(root, "a/nowhere", "nothing")

    assert {e.name: e.is_link for e in root.listed("a")} == {".git": False, "b": False, "inside": True, "nowhere": True}
    assert {e.name: e.is_file for e in root.entries("a")} == {".git": False, "b": False, "inside": True}


def test_what_koog_writes_whole_is_not_written_through_a_link(root, tmp_path):
    """A link from a file that koog derives to one that a person writes would put the one in the other's place."""
    from datetime import UTC, datetime

    workspace = Workspace(root.path, when=datetime(2026, 2, 28, tzinfo=UTC))
    link(root, "derived.md", "a/b/c.md")

    with pytest.raises(WorkspaceError, match="is a link"), workspace.writing() as door:
        door.write("derived.md", "all new", summary="derived")

    assert (root.path / "a/b/c.md").read_text() == "ws/a/b/c.md"


def test_a_folder_that_is_another_root_s_is_reached_by_no_way(tmp_path):
    for path in ("ws/a/mine.md", "ws/a/apart/x.md", "ws/apart/y.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    root = Root(tmp_path / "ws", apart="a/apart")
    link(root, "way", "a/apart")
    link(root, "file.md", "a/apart/x.md")
    link(root, "a/up", "..")

    for name in ("a/apart", "a/apart/x.md", "a/./apart/x.md", "a/APART", "way", "way/x.md", "file.md", "a/up/a/apart"):
        with pytest.raises(Barred):
            root.spot(name)
    assert [e.name for e in root.entries("a") if not e.is_link] == ["mine.md", "up"]
    assert root.read("apart/y.md") == b"ws/apart/y.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


def test_nothing_half_written_stays_of_a_full_disk(folder: Path) -> None:
    put_unsynced(Root(folder), "names.json", "before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            put_unsynced(Root(folder), "names.json", "x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert {path.name: path.read_text() for path in folder.iterdir()} == {"names.json": "before"}


def test_what_a_killed_process_left_half_written_is_cleared_away(folder: Path) -> None:
    for name in ("names.json.17.tmp", "names.json.18.tmp", "other.json.17.tmp", "names.json.17"):
        (folder / name).write_text("half")
        os.utime(folder / name, (0, 0) if "17" in name else None)  # somebody may be at the other yet

    clear_halves(Root(folder), "names.json")

    left = {"names.json.18.tmp", "other.json.17.tmp", "names.json.17"}
    assert {path.name for path in folder.iterdir()} == left
