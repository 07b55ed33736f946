"""A person's files: read as the system names them, without waiting, and never out of a workspace by a planted link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from koog.core.errors import WorkspaceError
from koog.core.files import outside
from koog.core.files.roots import Root


@pytest.fixture
def workspace(tmp_path: Path) -> Root:
    (tmp_path / "ws/folder").mkdir(parents=True)
    (tmp_path / "ws/folder/a.md").write_text("inside")
    (tmp_path / "secret.md").write_text("outside")
    return Root(tmp_path / "ws")


def test_a_pipe_keeps_nobody_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match="not a regular file"):
        outside.read(tmp_path / "pipe")


def test_no_more_is_read_than_asked_for(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")

    assert outside.read(tmp_path / "a", limit=5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        outside.read(tmp_path / "a", limit=4)


def test_a_persons_link_is_followed(tmp_path):
    (tmp_path / "a").write_text("words")
    (tmp_path / "link").symlink_to("a")

    assert outside.read(tmp_path / "link") == b"words"


def test_an_argument_outside_the_workspace_is_read_as_it_is_named(workspace, monkeypatch):
    monkeypatch.chdir(workspace.path / "folder")

    assert outside.given("../../secret.md", workspace=workspace) == b"outside"
    assert outside.given(str(workspace.path.parent / "secret.md"), workspace=workspace) == b"outside"


@pytest.mark.parametrize("way", ["ws/{}", "alias/{}", "ws/folder/../{}"])
def test_an_argument_in_the_workspace_leads_nowhere_else(workspace, monkeypatch, way):
    """However the workspace is reached: also by a link that a person has to it."""
    monkeypatch.chdir(workspace.path.parent)
    (workspace.path.parent / "alias").symlink_to("ws")
    (workspace.path / "out.md").symlink_to("../secret.md")
    (workspace.path / "above").symlink_to("..")
    (workspace.path / "in.md").symlink_to("folder/a.md")
    (workspace.path / ".git").mkdir()
    (workspace.path / ".git/config").write_text("url")

    assert outside.given(way.format("in.md"), workspace=workspace) == b"inside"
    for name in ("out.md", "above/secret.md", ".git/config"):
        with pytest.raises(WorkspaceError):
            outside.given(way.format(name), workspace=workspace)
    with pytest.raises(FileNotFoundError):
        outside.given(way.format("nothing.md"), workspace=workspace)


def test_an_argument_is_no_pipe_and_no_more_than_asked_for(workspace):
    os.mkfifo(workspace.path / "pipe")

    with pytest.raises(WorkspaceError, match="not a regular file"):
        outside.given(str(workspace.path / "pipe"), workspace=workspace)
    with pytest.raises(OSError, match="larger than 3 bytes"):
        outside.given(str(workspace.path / "folder/a.md"), workspace=workspace, limit=3)


@pytest.mark.parametrize("name", ["nothing", "a\0b", "x" * 5000])
def test_what_is_not_there_is_nothing(tmp_path, name):
    assert outside.info(tmp_path / name) is None
    assert not outside.exists(tmp_path / name)
    assert outside.names(tmp_path / name) == []
