"""Pipes, sockets and devices where a file is looked for: koog says so, or does without, and does not wait."""

from __future__ import annotations

import os
import socket
import time

import pytest

from tests.boundary.ground import NOW, Ground, clear

PATIENCE_S = 12.0
PRIVATE = (
    *(".koog/failures.jsonl", ".koog/cron.err", ".koog/index.db", ".koog/topics.json", ".koog/topic-gate.json"),
    *(".koog/recovered", ".koog/compiled", ".koog/.gitignore"),
)
MEMORY = (
    *("memory/meta/usage.jsonl", "memory/meta/cursors.json", "memory/meta/active-topics.json", "memory/2026-02-26.md"),
    *("memory/sinain-playbook-effective.md", "memory/observations.md", "memory/session-summaries.jsonl", "MEMORY.md"),
    *("SOUL.md", "USER.md", "topics/deploy.md", "knowledge/identity/me.md", "context.md", "memory/.a.md.koog.tmp"),
    *("modules/base-behaviors/patterns.md", ".gitattributes", "notes/x.md"),
)
# Without these koog does nothing, so each stands alone.
ALONE = (
    *(".koog", ".koog/lock", ".koog/tick.lock", ".koog/journal.json", "memory", "memory/meta/audit.log"),
    *("koog-config.json", "modules/module-registry.json", f"memory/playbook-logs/{NOW[:10]}.jsonl", ".gitignore"),
    *(".git/koog/lock", ".git/koog/behind.json", ".git/koog/behind.json.new"),
)
GITS = (
    *(".git", ".git/config", ".git/HEAD", ".git/index", ".git/packed-refs", ".git/info/exclude", ".git/commondir"),
    *(".git/refs/heads/main", ".git/info/attributes", ".git/objects/info/alternates", ".git/shallow"),
)
DEVICES = ("/dev/zero", "/dev/full", "/dev/tty")


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


def in_time(ground: Ground, *names: str) -> None:
    begun = time.monotonic()
    for name in names:
        ground.run(name)
        assert time.monotonic() - begun < PATIENCE_S * len(ground.calls), f"{name} waits"
    ground.assert_kept()


@pytest.mark.parametrize("kind", ["pipe", "socket", *DEVICES])
def test_a_file_that_is_none_keeps_nobody_waiting(kind: str, ground: Ground) -> None:
    for name in (*PRIVATE, *MEMORY):
        if kind in DEVICES:
            ground.link(name, kind)
        else:
            (pipe if kind == "pipe" else plug)(ground, name)

    in_time(ground, "log", "mine", "tick", "status", "doctor", "backup", "search", "compile", "out", "check", "startup")


@pytest.mark.parametrize("name", ALONE)
def test_a_pipe_in_the_place_of_what_koog_stands_on_keeps_nobody_waiting(name: str, ground: Ground) -> None:
    ground.limit_s = PATIENCE_S
    pipe(ground, name)

    in_time(ground, "log", "status", "tick")


@pytest.mark.parametrize("name", GITS)
def test_a_pipe_in_the_place_of_a_file_of_gits_keeps_nobody_waiting(name: str, ground: Ground) -> None:
    ground.limit_s = PATIENCE_S
    pipe(ground, name)

    in_time(ground, "log", "status")
