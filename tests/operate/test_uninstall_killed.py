"""koog in and out of a host, killed at every moment: the uninstall after it leaves the home as it was before."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import forked
from tests.conftest import LONG
from tests.conftest import moments as some
from tests.operate.test_uninstall import SETTINGS, below, put
from tests.test_every_moment import run, unstopped

INSTALL = ("init", ".", "--host", "claude", "--project", "app")
UNINSTALL = ("uninstall", "--host", "claude")


@pytest.fixture(params=[None, pytest.param("", marks=LONG), SETTINGS], ids=["no settings", "blank", "a person's"])
def home(request, koog, workspace, tmp_path, monkeypatch) -> Path:
    """A home in which a workspace is registered, and Claude Code has these settings."""
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    folder = tmp_path / "home"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder / "claude"))
    (workspace / "app").mkdir()
    assert koog("init", ".")[0] == 0
    if request.param is not None:
        put(folder / "claude/settings.json", request.param)
    return folder


def kept(home: Path) -> Path:
    """Keep a home as it is; return where."""
    return Path(shutil.copytree(home, home.with_name(f"kept-{len(list(home.parent.iterdir()))}")))


def again(home: Path, before: Path) -> None:
    shutil.rmtree(home)
    shutil.copytree(before, home)


def kills(home: Path, before: Path, *command: str, moments: int) -> Iterator[int]:
    """Kill a command at each moment, in a home as it was before; yield where that leaves something new."""
    known: set[tuple[tuple[str, bytes], ...]] = set()
    for at in some(moments):
        again(home, before)
        run(*command, at=at)
        files = sorted(path for path in home.rglob("*") if path.is_file())
        left = tuple((str(path), path.read_bytes()) for path in files)
        folders = tuple((str(path), b"") for path in sorted(home.rglob("*/")))
        if (found := left + folders) not in known:
            known.add(found)
            yield at


def outside(home: Path) -> dict[str, bytes | None]:
    """Return what stands in a home; what a killed change of koog's own config left beside it, the next one replaces."""
    return {name: data for name, data in below(home).items() if name != "config/koog/.config.json.koog.tmp"}


def test_an_install_that_was_killed_and_done_again_is_taken_back_to_the_byte(home):
    before, whole = below(home), kept(home)
    code, moments, _ = run(*INSTALL)
    assert code == 0
    assert below(home) != before

    for at in kills(home, whole, *INSTALL, moments=moments):
        assert unstopped(*INSTALL) == 0
        assert unstopped(*UNINSTALL) == 0

        assert outside(home) == before, at


def test_an_install_that_was_killed_is_taken_back_to_the_byte(home):
    before, whole = below(home), kept(home)
    moments = run(*INSTALL)[1]

    for at in kills(home, whole, *INSTALL, moments=moments):
        assert unstopped(*UNINSTALL) == 0

        assert outside(home) == before, at


def test_an_uninstall_that_was_killed_ends_as_one_that_was_not(home):
    before = below(home)
    assert unstopped(*INSTALL) == 0
    installed = kept(home)
    moments = run(*UNINSTALL)[1]
    assert below(home) == before

    for at in kills(home, installed, *UNINSTALL, moments=moments):
        assert unstopped(*UNINSTALL) == 0

        assert outside(home) == before, at


@pytest.mark.parametrize("home", [None], indirect=True, ids=["no settings"])
@pytest.mark.parametrize("name", ["SKILL.md", "settings.json"])
def test_a_file_that_cannot_be_removed_is_named_beside_what_was_done_and_goes_with_the_next(home, name):
    before = below(home)
    assert unstopped(*INSTALL) == 0

    def heard(event: str, args: tuple[object, ...]) -> None:
        if event == "os.remove" and args[0] == name:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))

    def closed() -> Callable[[], int]:
        sys.addaudithook(heard)
        return lambda: 0

    code, _, out = forked.run(*UNINSTALL, first=closed)
    line = json.loads(out)
    (row,) = line["taken"]

    assert (code, line["changed"]) == (0, True)
    assert "took out the hooks" in row["did"][0]
    assert row["left"][0].endswith(f"{name}: Permission denied")
    assert line["next"] == [f"koog uninstall {line['workspace']} --host claude"]
    assert unstopped(*UNINSTALL) == 0
    assert outside(home) == before
