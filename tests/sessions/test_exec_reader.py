"""Who reads what a command tells that OpenClaw's agent has started: the session that it was started in."""

from __future__ import annotations

from pathlib import Path

import pytest

from koog.core.run import Run
from koog.sessions import audience
from tests.conftest import registered

GROUP = "agent:main:telegram:group:-100123:topic:7"


@pytest.fixture
def shell(workspace: Path, alone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    registered(workspace)
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.chdir(workspace)
    return workspace


def reader(monkeypatch: pytest.MonkeyPatch, ws: Path, key: str) -> tuple[audience.Audience, Run]:
    monkeypatch.setenv("KOOG_SESSION_KEY", key)
    run = Run(folder=str(ws))
    return audience.current(run), run


def test_in_a_group_it_is_the_group(shell, monkeypatch):
    who, _ = reader(monkeypatch, shell, GROUP)

    assert who.is_group and who.group == "telegram:group:-100123"
    assert who.file("MEMORY.md") is audience.Seen.HIDDEN


@pytest.mark.parametrize("key", ["agent:main:main", "agent:main:telegram:direct:p", "main"])
def test_in_private_it_is_the_workspaces_own_agent(key, shell, monkeypatch):
    who, _ = reader(monkeypatch, shell, key)

    assert who.is_own and not who.is_group
    assert "openclaw/main" in who.projects


def test_in_a_group_nobody_asks_for_more_with_project(shell, monkeypatch):
    _, run = reader(monkeypatch, shell, GROUP)

    assert audience.named(run, "all").is_group
    assert "not heard in a group" in run.warnings[-1]


def test_outside_of_openclaws_shell_the_variable_says_nothing(shell, monkeypatch):
    monkeypatch.delenv("OPENCLAW_SHELL")

    who, _ = reader(monkeypatch, shell, GROUP)

    assert not who.is_group
