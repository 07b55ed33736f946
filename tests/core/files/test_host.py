"""The host's settings: written whole, inside their folder, never through a link."""

from __future__ import annotations

import pytest

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import host


def test_a_file_is_made_private_with_its_folders_and_the_same_text_again_is_no_change(tmp_path):
    folder = tmp_path / "a/b"

    assert host.write(folder, "x.service", "one\n") is True
    assert host.write(folder, "x.service", "one\n") is False
    assert host.write(folder, "x.service", "two\n") is True

    assert host.read(folder, "x.service") == "two\n"
    assert (folder / "x.service").stat().st_mode & 0o777 == 0o600
    assert [p.name for p in folder.iterdir()] == ["x.service"]


def test_a_persons_mode_stays(tmp_path):
    (tmp_path / "x").write_text("one\n")
    (tmp_path / "x").chmod(0o640)

    host.write(tmp_path, "x", "two\n")

    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "/etc/x", "x\0", "x\n"])
def test_a_name_that_leads_elsewhere_is_refused(name, tmp_path):
    for touch in (host.read, host.remove, lambda f, n: host.write(f, n, "")):
        with pytest.raises(WorkspaceError, match="no name of a file"):
            touch(tmp_path, name)


def test_neither_a_link_nor_a_folder_is_written(tmp_path):
    (tmp_path / "target").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder").mkdir()

    for name in ("link", "dangling", "folder"):
        with pytest.raises(WorkspaceError, match="not a regular file"):
            host.write(tmp_path, name, "x")

    assert (tmp_path / "target").read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()


def test_a_file_is_removed_once_and_a_link_without_what_it_leads_to(tmp_path):
    (tmp_path / "target").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "target")

    assert (host.remove(tmp_path, "link"), host.remove(tmp_path, "link")) == (True, False)
    assert host.remove(tmp_path / "gone", "link") is False
    assert (tmp_path / "target").exists()


def test_where_no_folder_can_be_made_the_error_names_it(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(WorkspaceError, match="file"):
        host.write(tmp_path / "file/units", "x", "")


def test_two_who_change_the_settings_wait_for_one_another():
    with host.locked("cron.lock"), pytest.raises(Busy), host.locked("cron.lock", wait_s=0):
        pass

    with host.locked("cron.lock", wait_s=0):
        pass


@pytest.mark.parametrize(
    ("variable", "function", "default"),
    [("XDG_CONFIG_HOME", host.config_home, ".config"), ("XDG_STATE_HOME", host.state_home, ".local/state")],
)
def test_the_homes_are_where_xdg_says(variable, function, default, alone, monkeypatch):
    monkeypatch.setenv(variable, "/elsewhere")
    assert str(function()) == "/elsewhere"

    monkeypatch.setenv(variable, "")
    assert function() == alone / default
