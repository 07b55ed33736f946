"""koog demo: the whole job on the sample month, offline."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import warm
from tests.conftest import at_home, fits, git, process
from tests.logs import snapshot


class Played(NamedTuple):
    """A demo that has been played."""

    folder: Path
    root: Path
    line: dict[str, Any]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return one demo for every test here: it is a day of ticks."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        at_home(folder / "home", patch)
        done = process("demo", str(folder / "demo"), cwd=folder, timeout=600)
    line = json.loads(done.stdout)
    assert done.returncode == 0
    assert fits(line) is None
    return Played(folder / "demo", Path(line["workspace"]), line)


def test_the_demo_mines_the_month_curates_it_and_has_something_to_say(played):
    _, root, line = played

    assert line["degraded"] == []
    assert line["notesMined"] == len(list((root / "memory").glob("2026-*.md")))
    assert line["added"] > 10
    assert line["outputs"]
    assert line["actions"]
    assert (root / "memory/playbook-archive").is_dir()
    assert int(git(root, "rev-list", "--count", "HEAD")) > line["ticks"]
    assert git(root, "fsck", "--strict") == ""


def test_what_is_private_or_secret_in_the_sample_reaches_no_file_of_koogs(played):
    root = played.root

    written = [p for p in (root / "memory").rglob("*") if p.is_file() and not p.name.startswith("2026-02-")]
    texts = "".join(p.read_text() for p in written)
    assert "clinic" not in texts
    assert "not-a-real-key" not in texts
    assert "install script as root" not in (root / "memory/sinain-playbook.md").read_text()


def test_a_second_demo_leaves_the_first_alone(played):
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
