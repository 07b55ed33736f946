"""An agent that is at work while koog is: a folder becomes a link between koog's look and koog's deed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.boundary.ground import Ground

TRIES = 12


@contextmanager
def swapping(first: Path, second: Path) -> Iterator[None]:
    """Exchange two names over and over, in a process of its own."""
    aside = first.with_name(f"{first.name}.aside")

    def swap() -> None:
        first.rename(aside)
        second.rename(first)
        aside.rename(second)

    with _going_on(swap):
        yield


@contextmanager
def _going_on(do: Callable[[], None]) -> Iterator[None]:
    if not (child := os.fork()):
        try:
            while os.getppid() != 1:
                do()
                time.sleep(0.0005)
        finally:
            os._exit(0)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_folder_that_becomes_a_link_meanwhile_takes_nothing_outside(ground: Ground) -> None:
    (ground.ws / "notes").mkdir()
    ground.link("way", ground.outside)

    with swapping(ground.ws / "notes", ground.ws / "way"):
        for _ in range(TRIES):
            ground.koog("module", "export", "base-behaviors", "--out", "notes/empty")
            ground.koog("module", "export", "base-behaviors", "--out", "notes/new")

    assert ground.changed() == []
    assert ground.told() == []


def test_a_file_that_becomes_a_link_meanwhile_is_not_read(ground: Ground) -> None:
    ground.put("memory/meta/usage.jsonl", "")
    ground.put("memory/observations.md", "# Observations\n")
    ground.link("memory/way.md", ground.outside / "text.md")

    with swapping(ground.ws / "memory/observations.md", ground.ws / "memory/way.md"):
        for _ in range(TRIES):
            ground.run("startup")

    assert ground.changed() == []
    assert ground.told() == []


def test_a_private_folder_that_becomes_a_link_meanwhile_takes_nothing_outside(ground: Ground) -> None:
    ground.run("index")
    ground.link("way", ground.outside / "folder")

    with swapping(ground.ws / ".koog", ground.ws / "way"):
        for _ in range(TRIES // 2):
            ground.run("log", "wrong")

    assert ground.changed() == []
    assert ground.told() == []
