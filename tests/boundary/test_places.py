"""Where koog does nothing at all: system folders for `init`, and folders that are no workspace for all the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.boundary.conftest import plain
from tests.boundary.ground import CALLS, Ground, snapshot

SYSTEM = ("/", "/etc", "/usr", "/usr/local", "/var", "/bin", "/home", "/dev", "/dev/shm", "/proc")
OTHERS: dict[str, list[str]] = {
    "synthesize": ["synthesize"],
    "feedback": ["feedback"],
    "activate": ["module", "activate", "base-behaviors"],
    "suspend": ["module", "suspend", "base-behaviors"],
    "priority": ["module", "priority", "base-behaviors", "1"],
    "guidance": ["module", "guidance", "base-behaviors", "--set", "x"],
    "extract": ["module", "extract", "new", "--domain", "x"],
    "export": ["module", "export", "base-behaviors"],
    "sync": ["sync", "--source", "."],
    "topic activate": ["topic", "activate", "metro"],
    "stats": ["topic", "stats"],
    "install": ["cron", "install"],
}


def test_init_refuses_a_folder_of_the_system(ground: Ground) -> None:
    """With --dry-run, so that a koog that does not refuse does no harm here."""
    called = {folder: ground.koog("--dry-run", "init", folder) for folder in SYSTEM}

    assert [folder for folder, c in called.items() if c.line["ok"]] == []
    assert ground.broken() == []


def test_init_refuses_the_home_folder(tmp_path: Path) -> None:
    made = plain(tmp_path)
    made.seal()

    for cwd, folder in ((tmp_path, str(made.home)), (made.home, "."), (made.home, f"../{made.home.name}")):
        assert made.koog("init", folder, cwd=cwd).code not in (0, 1)
    (tmp_path / "way").symlink_to(made.home)
    assert made.koog("init", str(tmp_path / "way"), cwd=tmp_path).code not in (0, 1)

    assert not (made.home / ".koog").exists()
    assert not (made.home / ".git").exists()


@pytest.fixture
def elsewhere(ground: Ground) -> Path:
    """A folder with a person's notes and a repository, which is no workspace."""
    folder = ground.outside / "notes"
    (folder / "memory").mkdir(parents=True)
    (folder / "modules").mkdir()
    (folder / "memory/2026-02-27.md").write_text("# Day\n\n- a person's\n")
    (folder / "AGENTS.md").write_text("# Agents\n")
    ground.git("init", "-q", cwd=folder)
    ground.seal()
    return folder


@pytest.mark.parametrize("way", ["option", "variable", "folder"])
def test_in_a_folder_that_is_no_workspace_nothing_is_made(way: str, ground: Ground, elsewhere: Path) -> None:
    calls = CALLS | OTHERS if way == "option" else {n: CALLS[n] for n in ("log", "tick", "status", "backup", "index")}
    before = snapshot(elsewhere)
    wrong = {}
    for name, argv in calls.items():
        if way == "option":
            called = ground.koog("--workspace", str(elsewhere), *argv, cwd=ground.place)
        elif way == "variable":
            called = ground.koog(*argv, cwd=ground.place, KOOG_WORKSPACE=str(elsewhere))
        else:
            called = ground.koog(*argv, cwd=elsewhere)
        if called.code != 4 and name not in ("doctor", "fix"):  # who looks for what is wrong finds that
            wrong[name] = called.out[:200]
        assert snapshot(elsewhere) == before, name

    assert wrong == {}
    ground.assert_kept()


def test_a_hook_in_a_folder_that_is_no_workspace_makes_nothing(ground: Ground, elsewhere: Path) -> None:
    given = json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(elsewhere)}).encode()

    ground.koog("hook", "session-start", "--host", "claude", cwd=elsewhere, stdin=given)

    assert ground.changed() == []


def test_a_workspace_whose_private_folder_was_deleted_is_one(ground: Ground) -> None:
    ground.run("log")
    for name in (".koog", "koog-config.json"):
        path = ground.ws / name
        path.rename(ground.place / "ran" / path.name.strip("."))

    called = ground.koog("--workspace", str(ground.ws), "status", cwd=ground.place)

    assert called.code == 0, called.out
