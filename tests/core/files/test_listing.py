"""Many files of a root: what a folder holds, and that no link or pipe is read in a file's place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from koog.core.files.listing import Reader, below, led_to, look
from koog.core.files.roots import Root


@pytest.fixture
def root(tmp_path: Path) -> Root:
    for name in ("notes/a.md", "notes/b.md", "notes/c.txt", "notes/inner/d.md"):
        (tmp_path / "ws" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "ws" / name).write_text(name)
    (tmp_path / "secret.md").write_text("secret")
    return Root(tmp_path / "ws")


def test_a_folder_is_listed_by_what_its_names_are(root, tmp_path):
    (root.path / "notes/link.md").symlink_to("a.md")
    os.mkfifo(root.path / "notes/pipe.md")

    found = look(root.folder("notes"), ".md")

    info = (root.path / "notes/a.md").stat()
    assert sorted(found.names) == ["a.md", "b.md"] and len(found.stats) == 6
    assert (found.folders, found.links) == (["inner"], ["link.md"])
    at = 3 * found.names.index("a.md")
    assert found.stats[at : at + 3] == [info.st_size, info.st_mtime_ns, info.st_ino]


def test_a_file_that_was_written_to_is_seen_whatever_its_time_says(root):
    path = root.path / "notes/a.md"
    before, found = path.stat(), look(root.folder("notes"), ".md")
    assert found.states["a.md"] == (before.st_size, before.st_ctime_ns, before.st_ino)
    assert look(root.folder("notes"), ".md").mark == found.mark

    path.write_text("notes/z.md")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert look(root.folder("notes"), ".md").stats == found.stats
    assert look(root.folder("notes"), ".md").mark != found.mark


def test_a_folder_is_not_opened_through_a_link(root):
    (root.path / "notes/there").symlink_to(root.path.parent)

    with pytest.raises(NotADirectoryError):
        below(root.folder("notes"), "there")


def test_a_reader_follows_what_stays_inside_and_nothing_else(root):
    (root.path / "notes/inside.md").symlink_to("inner/d.md")
    (root.path / "notes/outside.md").symlink_to(root.path.parent / "secret.md")
    (root.path / "elsewhere").symlink_to(root.path.parent)
    os.mkfifo(root.path / "notes/pipe.md")
    reader = Reader(root)

    assert reader.read("notes/a.md").data == b"notes/a.md"
    assert reader.read("notes/inside.md").data == b"notes/inner/d.md"
    for path in ("notes/outside.md", "elsewhere/secret.md", "notes/pipe.md", "notes", "notes/../../secret.md"):
        with pytest.raises(OSError):
            reader.read(path)
    with pytest.raises(FileNotFoundError):
        reader.read("notes/nothing.md")


def test_a_file_that_became_a_link_while_its_folder_is_open_is_not_followed_out(root):
    reader = Reader(root)
    reader.read("notes/a.md")
    (root.path / "notes/b.md").unlink()
    (root.path / "notes/b.md").symlink_to(root.path.parent / "secret.md")

    with pytest.raises(OSError, match="leads outside"):
        reader.read("notes/b.md")


def test_a_folder_that_became_a_link_is_read_as_it_was_opened(root):
    """Whoever swaps the folder for a link moves nothing: the next name is read in the folder that was open."""
    reader = Reader(root)
    reader.read("notes/a.md")
    (root.path / "notes").rename(root.path / "moved")
    (root.path / "notes").symlink_to(root.path.parent)

    with pytest.raises(FileNotFoundError):
        reader.read("notes/secret.md")
    with pytest.raises(OSError, match="leads outside"):
        Reader(root).read("notes/secret.md")


def test_what_a_link_leads_to_is_only_looked_at(root):
    (root.path / "out").symlink_to(root.path.parent)
    (root.path / "gone").symlink_to("nothing")

    there, nowhere = led_to(root.itself("out")), led_to(root.itself("gone"))

    assert there is not None and there.st_ino == root.path.parent.stat().st_ino
    assert nowhere is None
