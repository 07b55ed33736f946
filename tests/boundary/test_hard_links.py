"""A name in the workspace that is a second name of a file outside: whoever writes it replaces it, never appends."""

from __future__ import annotations

import os

import pytest

from tests.boundary.ground import NOW, Ground

DAY = NOW[:10]
# Names, what stands in the file outside, and the calls that write it.
NAMES: dict[str, tuple[dict[str, str], list[str]]] = {
    "the audit log": ({"memory/meta/audit.log": "text.md"}, ["log", "mine", "tick", "backup"]),
    "the ledger": (
        {"memory/meta/usage.jsonl": "empty", "memory/meta/topic-gate.jsonl": "empty"},
        ["mine", "tick", "compile", "check", "signal"],
    ),
    "the playbook": (
        {"memory/sinain-playbook.md": "text.md", "memory/sinain-playbook-effective.md": "text.md"},
        ["mine", "curate", "build", "tick"],
    ),
    "the day's log": ({f"memory/playbook-logs/{DAY}.jsonl": "empty"}, ["log", "tick"]),
    "cursors": ({"memory/meta/cursors.json": "empty", "memory/observations.md": "empty"}, ["mine", "observe", "tick"]),
    "logs": (
        {".koog/failures.jsonl": "rows.jsonl", ".koog/cron.err": "text.md", ".koog/.gitignore": "empty"},
        ["wrong", "status", "wrong"],
    ),
    "the journal": ({".koog/journal.json": "object.json"}, ["log", "fix"]),
    "what waits beside": (
        {"memory/meta/.audit.log.koog.tmp": "text.md", "memory/.sinain-playbook.md.koog.tmp": "text.md"},
        ["log", "tick", "fix"],
    ),
    "the index": ({".koog/index.db": "empty", ".koog/index.db-wal": "empty"}, ["index", "search", "compile"]),
    "git's logs": ({".git/logs/HEAD": "empty", ".git/logs/refs/heads/main": "empty"}, ["log", "backup", "tick"]),
    "koog's files in git": (
        {".git/koog/lock": "text.md", ".git/koog/behind.json": "object.json", ".git/koog/behind.json.new": "empty"},
        ["log", "backup", "tick"],
    ),
    "git's lists": (
        {".git/packed-refs": "empty", ".git/info/exclude": "empty", ".git/objects/info/commit-graph": "empty"},
        ["log", "backup", "tick"],
    ),
    "a file that is written on demand": ({"context.md": "text.md", "HEARTBEAT.md": "text.md"}, ["out", "backup"]),
}


@pytest.mark.wide(6)
@pytest.mark.parametrize("group", NAMES)
def test_the_file_outside_stays_as_it_is(group: str, ground: Ground) -> None:
    names, calls = NAMES[group]
    for name, source in names.items():
        own = ground.outside / f"{name.strip('.').replace('/', '-')}"
        own.write_text((ground.outside / source).read_text())
        target = ground.ws / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        os.link(own, target)
    ground.seal()

    ground.run(*calls)

    # What it says may be read: who can make a second name of a file can read it, or nobody here can.
    assert ground.changed() == []
    assert ground.programs_run() == []
    assert ground.broken() == []


def test_a_file_with_two_names_is_written_all_the_same(ground: Ground) -> None:
    """A backup program that links what has not changed is no reason to stop."""
    ground.run("log")
    audit = ground.ws / "memory/meta/audit.log"
    kept = ground.outside / "audit.log"
    os.link(audit, kept)
    before = kept.read_bytes()

    called = ground.run("mine")["mine"]

    assert called.code == 0
    assert audit.read_bytes().startswith(before)
    assert len(audit.read_bytes()) > len(before)
    assert kept.read_bytes() == before
