"""koog forget --hard while others write: what comes in that very moment is neither lost nor kept waiting."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from koog.cli import main
from koog.core.files.state_root import StateRoot
from koog.core.files.workspace import Workspace
from tests import warm
from tests.conftest import Koog

NOW = ("--now", "2026-03-05T10:00:00Z")
WORD = "zanzibarquartz"
ROWS = 2000  # of each file that is rewritten: a moment's work


@contextmanager
def another(writing: Callable[[int], object]) -> Iterator[Callable[[], int]]:
    """Have another process write one line after the other; what is yielded ends it, and returns how many it wrote."""
    warm.ready_to_fork()
    reader, writer = os.pipe()
    stop, stopped = os.pipe()
    os.set_blocking(stop, False)
    if not (child := os.fork()):
        code, at = 1, 0
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            while not _is_told(stop):
                writing(at)
                at += 1
            os.write(writer, str(at).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writer)

    def ended() -> int:
        os.write(stopped, b".")
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        return int(os.read(reader, 100) or 0)

    yield ended


def _is_told(stop: int) -> bool:
    try:
        return bool(os.read(stop, 1))
    except BlockingIOError:
        return False


@pytest.fixture
def large(koog: Koog, sealed: StateRoot, workspace: Path) -> Path:
    """A workspace whose transcript and logs hold the words in many rows; return the folder around it."""
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    assert koog(*NOW, "transcript", "start", "--session", "s1")[0] == 0
    (page,) = workspace.with_name("ws-raw").rglob("*.md")
    page.write_text(page.read_text() + "".join(f"\n## 09:14 — user\n\n{n} {WORD}.\n" for n in range(ROWS)))
    for name in ("jotted.log", "noted.log"):
        (sealed.path / name).write_text(f"{json.dumps({'message': WORD})}\n" * (ROWS // 4))
    return workspace.parent


def test_a_line_that_comes_while_a_log_is_rewritten_is_kept(koog: Koog, large: Path, sealed: StateRoot) -> None:
    tree = Workspace(Path.cwd(), state_root=sealed)

    def writing(at: int) -> None:
        tree.jot("jotted.log", f"jotted {at}\n", limit=1 << 30)
        sealed.note("noted.log", f"noted {at}", limit=1 << 30)
        time.sleep(0.005)

    with another(writing) as ended:
        time.sleep(0.05)
        _, line = koog(*NOW, "forget", "--hard", "--confirm", "--words", WORD)
        count = ended()

    assert count > 10
    assert {"state/jotted.log", "state/noted.log"} <= {row["path"] for row in line["places"]}
    for name in ("jotted", "noted"):
        rows = (sealed.path / f"{name}.log").read_text().splitlines()
        assert [row for row in rows if row.startswith(name)] == [f"{name} {n}" for n in range(count)]
        assert WORD not in "".join(rows)


def test_a_message_that_comes_while_its_transcript_is_rewritten_is_kept(koog: Koog, large: Path) -> None:
    codes = list[int]()

    def writing(at: int) -> None:
        codes.append(main([*NOW, "transcript", "message", f"message {at}.", "--session", "s1"]))
        assert not any(codes)

    with another(writing) as ended:
        time.sleep(0.05)
        _, line = koog(*NOW, "forget", "--hard", "--confirm", "--words", WORD)
        count = ended()

    (page,) = (large / "ws-raw").rglob("*.md")
    assert count > 1
    assert [row["path"] for row in line["places"] if row["path"].startswith("raw/")]
    found = [row for row in page.read_text().splitlines() if row.startswith("message ")]
    assert found == [f"message {n}." for n in range(count)]
    assert WORD not in page.read_text()
