"""koog demo: the whole job on the sample month, offline."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, NamedTuple

from tests import warm
from tests.conftest import fits, git, process
from tests.logs import snapshot


class Played(NamedTuple):
    """A demo that has been played."""

    folder: Path
    root: Path
    line: dict[str, Any]


def test_a_demo_does_the_whole_job_and_a_second_leaves_it_alone(tmp_path):
    """One test for all: a demo is a day of ticks, and each worker that has one of several tests would play its own."""
    done = process("demo", str(tmp_path / "demo"), cwd=tmp_path, timeout=600)
    line = json.loads(done.stdout)
    assert done.returncode == 0
    assert fits(line) is None
    played = Played(tmp_path / "demo", Path(line["workspace"]), line)

    mines_the_month_curates_it_and_has_something_to_say(played)
    writes_nothing_that_is_private_or_secret(played)
    a_second_leaves_it_alone(played)


def mines_the_month_curates_it_and_has_something_to_say(played: Played) -> None:
    _, root, line = played

    assert line["degraded"] == []
    assert line["notesMined"] == len(list((root / "memory").glob("2026-*.md")))
    assert line["added"] > 10
    assert line["outputs"]
    assert line["actions"]
    assert (root / "memory/playbook-archive").is_dir()
    assert int(git(root, "rev-list", "--count", "HEAD")) > line["ticks"]
    assert git(root, "fsck", "--strict") == ""


def writes_nothing_that_is_private_or_secret(played: Played) -> None:
    root = played.root

    written = [p for p in (root / "memory").rglob("*") if p.is_file() and not p.name.startswith("2026-02-")]
    texts = "".join(p.read_text() for p in written)
    assert "clinic" not in texts
    assert "not-a-real-key" not in texts
    assert "install script as root" not in (root / "memory/sinain-playbook.md").read_text()


def a_second_leaves_it_alone(played: Played) -> None:
    before, second = snapshot(played.root), played.root.with_name("2")

    begun = warm.Process("demo", str(played.folder), cwd=played.folder)
    until = time.monotonic() + 120
    while not list(second.glob("memory/playbook-logs/*")) and time.monotonic() < until:  # its first tick has written
        time.sleep(0.02)
    begun.kill()
    begun.communicate()

    assert played.root.name == "1"
    assert list(second.glob("memory/playbook-logs/*"))
    assert snapshot(played.root) == before
