"""The ground of every test here: a workspace made by `koog init`, with canaries outside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.boundary.ground import CANARY, Ground
from tests.copies import copy, copy_repository

NOTE = """# 2026-02-27

- Deployed the metro app with `make deploy`; it failed with ECONNRESET, fixed by raising the timeout to 30 s.
- Decided: releases of the metro app go out on Tuesdays.
- TODO: renew the certificate of the metro app.
"""
TOPIC = "---\nid: metro\ntriggers: [metro, deploy]\n---\n\n# Metro\n\nDeploy on Tuesdays.\n"


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """Return the ground after `koog init`, which every test has a copy of."""
    place = tmp_path_factory.mktemp("ground")
    made = plain(place)
    called = made.koog("init", str(made.ws), "--module", "react-native-dev", cwd=place)
    assert called.code == 0, called
    (made.ws / "memory/2026-02-27.md").write_text(NOTE)
    (made.ws / "AGENTS.md").write_text("# Agents\n\nBe brief.\n")
    return made


@pytest.fixture
def ground(tmp_path: Path, template: Ground) -> Ground:
    """Return a workspace with a day's notes, and everything outside it taken down."""
    made = copied(template, tmp_path)
    made.seal()
    return made


def copied(template: Ground, place: Path) -> Ground:
    """Return a ground at another place, as if `koog init` had made it there."""
    made = plain(place)
    copy_repository(template.ws, made.ws)
    for name in ("config", "state"):
        copy(template.home / name, made.home / name)
    (entry,) = (made.home / "state/koog").glob("*/repository.json")
    of_there = [made.home / "config/koog/config.json", entry, entry.parent / "git/config"]
    for file in of_there:
        file.write_text(file.read_text().replace(str(template.place), str(place)))
    known = json.loads(entry.read_text())
    entry.write_text(json.dumps(known | {"inode": (made.ws / ".git").stat().st_ino}, indent=2) + "\n")
    return made


def plain(place: Path) -> Ground:
    """Return the ground before `koog init`: home and what lies outside."""
    made = Ground(place)
    for folder in (made.home, made.ran, made.outside / "folder", place / "bin"):
        folder.mkdir(parents=True, exist_ok=True)
    (made.home / ".gitconfig").write_text(
        "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n"
    )
    (made.home / ".bashrc").write_text(f"# {CANARY}\n")
    row = {"ts": "2026-02-28T11:00:00Z", "command": "tick", "code": "workspace", "message": f"{CANARY} deploy metro"}
    (made.outside / "rows.jsonl").write_text(json.dumps(row) + "\n")
    (made.outside / "text.md").write_text(f"# {CANARY}\n\n- {CANARY}: deploy the metro app on Fridays (score: 0.9)\n")
    (made.outside / "object.json").write_text(json.dumps({CANARY: 1}) + "\n")
    (made.outside / "empty").write_text("")
    for n in range(25):
        (made.outside / f"folder/{n}.md").write_text(f"# {CANARY} {n}\n\nDeploy the metro app on Fridays.\n")
    return made
