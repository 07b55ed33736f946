"""A sync that means it: F_FULLFSYNC where there is one, else fsync."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from koog.core.files import durable


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The descriptors that fsync was asked for."""
    found: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (found.append(fd), real(fd))[1])
    return found


@pytest.mark.parametrize(
    ("full", "falls_back"),
    [(None, True), (0x7FFF, True), (fcntl.F_GETFD, False)],
    ids=["a system without it", "a file system that does not know it", "done"],
)
def test_a_file_and_a_folder_come_to_disk(full, falls_back, synced, tmp_path: Path):
    for path in (tmp_path / "file", tmp_path):
        fd = os.open(path, os.O_RDONLY if path.exists() else os.O_CREAT | os.O_WRONLY, 0o600)
        synced.clear()

        durable.sync(fd, full=full)

        os.close(fd)
        assert synced == ([fd] if falls_back else [])


def test_a_disk_that_fails_is_an_error(tmp_path):
    with pytest.raises(OSError, match="Bad file"):
        durable.sync(999_999, full=fcntl.F_GETFD)


def test_this_system_is_asked_for_what_it_has():
    assert getattr(fcntl, "F_FULLFSYNC", None) == durable.FULL
