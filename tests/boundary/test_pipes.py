"""Pipes, sockets and devices where a file is looked for: koog says so, or does without, and does not wait."""

from __future__ import annotations

import os
import socket
from contextlib import suppress

import pytest

from tests.boundary.ground import NOW, Ground, clear

PATIENCE_S = 6.0  # of one command, which takes a fifth of a second
FILES = (
    *(".koog/failures.jsonl", ".koog/cron.err", ".koog/index.db", ".koog/topics.json", ".koog/topic-gate.json"),
    *(".koog/recovered", ".koog/compiled", ".koog/.gitignore"),
    *("memory/meta/usage.jsonl", "memory/meta/cursors.json", "memory/meta/active-topics.json", "memory/2026-02-26.md"),
    *("memory/sinain-playbook-effective.md", "memory/observations.md", "memory/session-summaries.jsonl", "MEMORY.md"),
    *("SOUL.md", "USER.md", "topics/deploy.md", "knowledge/identity/me.md", "context.md", "memory/.a.md.koog.tmp"),
    *("modules/base-behaviors/patterns.md", "notes/x.md"),
)
# Without these koog does next to nothing, so that each hides the others.
ALONE = (
    *(".koog/journal.json", ".koog/lock", ".koog/tick.lock", ".koog", "memory", "memory/meta/audit.log"),
    *("koog-config.json", "modules/module-registry.json", f"memory/playbook-logs/{NOW[:10]}.jsonl"),
    *(".git/koog/lock", ".git/koog/behind.json", ".git/koog/behind.json.new"),
)
GITS = (
    *(".gitignore", ".gitattributes", ".git", ".git/config", ".git/HEAD", ".git/index", ".git/packed-refs"),
    *(".git/info/exclude", ".git/info/attributes", ".git/commondir", ".git/refs/heads/main", ".git/shallow"),
    *(".git/objects/info/alternates", ".git/logs/HEAD"),
)
DEVICES = ("/dev/zero", "/dev/full", "/dev/tty")
CALLS = ("log", "mine", "tick", "status", "doctor", "backup", "search", "compile", "out", "check", "startup")


def pipe(ground: Ground, name: str) -> None:
    target = ground.ws / name
    target.parent.mkdir(parents=True, exist_ok=True)
    clear(target)
    os.mkfifo(target)


def plug(ground: Ground, name: str) -> None:
    """Put a socket there that nobody listens on."""
    target = ground.ws / name
    target.parent.mkdir(parents=True, exist_ok=True)
    clear(target)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(f"/proc/self/fd/{(fd := os.open(target.parent, os.O_RDONLY))}/{target.name}")
        os.close(fd)


def waits_at(ground: Ground, name: str, *calls: str) -> list[str]:
    """Return the calls that do not end while a pipe stands at a name; then what stood there stands again."""
    target, aside = ground.ws / name, ground.place / "aside"
    stood = os.path.lexists(target)
    if stood:
        target.rename(aside)
    pipe(ground, name)
    ended = ground.run(*calls)
    with suppress(OSError):  # ENXIO: nobody waits
        os.close(os.open(target, os.O_WRONLY | os.O_NONBLOCK))  # whoever does, goes on
    clear(target)
    if stood:
        aside.rename(target)
    return [f"{name}: {call}" for call, called in ended.items() if called.code < 0]


@pytest.mark.parametrize("kind", ["pipe", "socket", *DEVICES])
def test_a_file_that_is_none_keeps_nobody_waiting(kind: str, ground: Ground) -> None:
    ground.limit_s = PATIENCE_S
    for name in FILES:
        if kind in DEVICES:
            ground.link(name, kind)
        else:
            (pipe if kind == "pipe" else plug)(ground, name)

    for name in CALLS if kind in ("pipe", "/dev/zero") else ("tick", "compile", "doctor"):
        assert ground.run(name)[name].code >= 0, f"{name} waits"

    ground.assert_kept()


@pytest.mark.parametrize("names", [ALONE, GITS], ids=["koog's", "git's"])
def test_a_pipe_in_the_place_of_what_all_stands_on_keeps_nobody_waiting(names: list[str], ground: Ground) -> None:
    ground.limit_s = PATIENCE_S
    waiting: list[str] = []
    for name in names:
        if len(waiting) < 3:  # each costs PATIENCE_S
            waiting += waits_at(ground, name, "log")

    assert waiting == []
    assert ground.broken() == []
