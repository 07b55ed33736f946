"""What was deleted for good does not come back by a rollback: the plan leaves it out, and says so."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Koog, git
from tests.memory.test_deleted import holding

BEFORE = "2026-03-05T10:00:00Z"
THEN = ("--now", BEFORE)
LATER = ("--now", "2026-03-07T10:00:00Z")
NOTE = "memory/graph/entities/person--mara.md"


@pytest.fixture
def deleted(koog: Koog, sealed: Any, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A workspace from which a person was deleted; return the commit before that."""
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    monkeypatch.setenv("GIT_COMMITTER_DATE", BEFORE)

    def keep(text: str, entity: str) -> None:
        assert koog(*THEN, "remember", text, "--explicit", "--store", "semantic", "--entity", entity)[0] == 0

    keep("Zoltan Vexler repairs old church organs", "Zoltan Vexler")
    keep("Mara plays chess with Zoltan Vexler", "Mara")
    keep("Mara lives in Porto", "Mara")
    koog(*THEN, "remember", "The gate opens at seven sharp", "--explicit", "--store", "episodic")
    assert Path(NOTE).exists()
    commit = str(git(workspace, "rev-parse", "HEAD")).strip()
    monkeypatch.setenv("GIT_COMMITTER_DATE", LATER[1])
    assert koog(*LATER, "forget", "--hard", "--confirm", "entity:person--zoltan-vexler")[0] == 0
    assert left(workspace) == []
    Path(NOTE).unlink()
    koog(*LATER, "remember", "The harbour is closed on Monday", "--explicit", "--store", "episodic")
    return commit


def left(workspace: Path) -> list[str]:
    found = [path for word in ("zoltan", "vexler", "church organs") for path in holding(workspace.parent, word)]
    return [path for path in found if "/.git/" not in path]


def back(koog: Koog, *words: str) -> dict[str, Any]:
    plan = koog(*LATER, "rollback", *words)[1]
    code, line = koog(*LATER, "rollback", *words, "--confirm", plan["plan"])
    assert code == 0, line
    return line


def test_time_leaves_the_deleted_out_and_says_so(koog: Koog, deleted: str, workspace: Path) -> None:
    line = back(koog, "time", "2026-03-06T00:00:00Z", "--also", NOTE)

    why = {row["path"]: row["why"] for row in line["files"] if row["why"]}
    assert left(workspace) == []
    assert "vexler" not in json.dumps(line).lower()
    assert "deleted for good: it does not come back" in why.values()
    assert why[NOTE] == "without what was deleted for good"
    assert "lives in Porto" in Path(NOTE).read_text()


def test_a_file_comes_back_without_it_and_its_own_file_does_not(koog: Koog, deleted: str, workspace: Path) -> None:
    own = koog(*LATER, "rollback", "file", "memory/graph/entities/person--zoltan-vexler.md", "--to", deleted)[1]
    back(koog, "file", NOTE, "--to", deleted)

    assert (own["count"], own["files"][0]["action"]) == (0, "keep")
    assert left(workspace) == []
    assert "lives in Porto" in Path(NOTE).read_text()


def test_the_session_that_deleted_it_is_not_taken_back(koog: Koog, deleted: str, workspace: Path) -> None:
    for commit in str(git(workspace, "rev-list", f"{deleted}..HEAD")).split():
        code, plan = koog(*LATER, "rollback", "session", commit)
        if code == 0:
            koog(*LATER, "rollback", "session", commit, "--confirm", plan["plan"])
        assert left(workspace) == []


def test_words_alone_that_were_deleted_do_not_come_back(koog: Koog, deleted: str, workspace: Path) -> None:
    assert koog(*LATER, "forget", "--hard", "--confirm", "--words", "Porto")[0] == 0

    back(koog, "file", NOTE, "--to", deleted)

    assert [path for path in holding(workspace, "porto") if "/.git/" not in f"/{path}"] == []
