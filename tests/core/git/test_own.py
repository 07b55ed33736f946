"""koog's fleeting git folder: what a killed process left of one goes away at the next, and nothing else does."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest

from koog.core.git import own

DAY = 86_400


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def left(place: Path, name: str, *, days: float) -> Path:
    """Make a folder as a killed process leaves it."""
    folder = place / name
    (folder / "refs").mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/none\n")
    aged(folder, days=days)
    return folder


def aged(path: Path, *, days: float) -> None:
    then = time.time() - days * DAY
    os.utime(path, (then, then), follow_symlinks=False)


def test_what_was_left_more_than_a_day_ago_goes_at_the_next_making(temporary):
    old = left(temporary, "koog-git-old", days=1.1)
    young = left(temporary, "koog-git-young", days=0.9)
    others = left(temporary, "other-git-old", days=9)

    made = own.fleeting()

    assert made.is_dir()
    assert (old.exists(), young.exists(), others.exists()) == (False, True, True)


def test_a_link_is_never_followed(temporary, tmp_path):
    persons = left(tmp_path, "persons", days=9)
    (temporary / "koog-git-link").symlink_to(persons)
    aged(temporary / "koog-git-link", days=9)
    old = left(temporary, "koog-git-old", days=9)
    (old / "objects").symlink_to(persons)
    aged(old, days=9)

    own.fleeting()

    assert (persons / "HEAD").exists()
    assert (temporary / "koog-git-link").is_symlink()
    assert not old.exists()


def test_a_file_of_that_name_stays(temporary):
    file = temporary / "koog-git-file"
    file.write_text("a person's")
    aged(file, days=9)

    own.fleeting()

    assert file.exists()


def test_what_is_another_users_stays(temporary, monkeypatch):
    old = left(temporary, "koog-git-old", days=9)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)

    own.fleeting()

    assert old.exists()


def test_what_vanishes_meanwhile_is_no_error(temporary, monkeypatch):
    old = left(temporary, "koog-git-old", days=9)
    real, gone = os.stat, temporary / "gone"

    def vanishes(path, *args, **kwargs):
        found = real(path, *args, **kwargs)
        if path == old.name:
            old.rename(gone)
        return found

    monkeypatch.setattr(os, "stat", vanishes)

    assert own.fleeting().is_dir()
    assert gone.exists()


def test_what_cannot_be_listed_is_no_error(temporary, monkeypatch):
    def fails(*_args):
        raise PermissionError

    monkeypatch.setattr(os, "listdir", fails)

    assert own.fleeting().is_dir()
