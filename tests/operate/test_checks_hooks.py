"""doctor: hooks that a host skips, and hooks that come twice."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from koog.core import clock, operator

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
META = {"id": "019a", "source": "exec"}


@pytest.fixture(autouse=True)
def states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))


def session(tmp_path: Path, host: str, *, minutes: float, meta: dict[str, Any] | None = None, **row: Any) -> None:
    """Leave a session that began so many minutes after the install."""
    when = NOW + timedelta(minutes=minutes)
    name = (
        f"claude/projects/-p/{minutes}.jsonl"
        if host == "claude"
        else f"codex/sessions/2026/11/21/rollout-{minutes}.jsonl"
    )
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    kind = {"type": "user"} if host == "claude" else {"type": "session_meta", "payload": meta or META}
    first = {"type": "mode", "mode": "normal"} if host == "claude" else None
    rows = [first] if first else []
    rows.append({"timestamp": when.isoformat().replace("+00:00", "Z"), **kind, **row})
    file.write_text("".join(json.dumps(each) + "\n" for each in rows))
    ended = (when + timedelta(minutes=1)).timestamp()
    os.utime(file, (ended, ended))


def found(koog: Any, *, minutes: float) -> list[dict[str, Any]]:
    _, line = koog("doctor", "--now", clock.iso(NOW + timedelta(minutes=minutes)))
    assert "hooks" in line["checked"]
    return [row for row in line["findings"] if row["check"] == "hooks"]


@pytest.fixture(params=["claude", "codex"])
def host(request: pytest.FixtureRequest, koog: Any, workspace: Path) -> str:
    koog("init", ".", "--host", request.param, "--now", clock.iso(NOW))
    return request.param


def came(workspace: Path, sealed: Any, host: str, *, minutes: float) -> None:
    (sealed.path / f"hooks-{host}").write_text(clock.iso(NOW + timedelta(minutes=minutes)) + "\n")


def test_a_session_that_ran_without_a_hook_is_told_and_how_to_trust_it(koog, host, tmp_path):
    session(tmp_path, host, minutes=10)

    (row,) = found(koog, minutes=30)

    assert row["level"] == "warn"
    assert "2026-11-21T12:10:00Z" in row["message"]
    assert ("trusted" in row["message"]) == (host == "codex")
    assert "/hooks" in row["command"]


@pytest.mark.parametrize("minutes", [-600, 29.5, 45])
def test_a_session_from_before_the_install_or_of_just_now_tells_nothing(koog, host, tmp_path, minutes):
    session(tmp_path, host, minutes=minutes)

    assert found(koog, minutes=30) == []


def test_where_a_hook_came_since_it_is_well_and_where_a_later_session_had_none_it_is_not(
    koog, host, workspace, sealed, tmp_path
):
    session(tmp_path, host, minutes=10)
    came(workspace, sealed, host, minutes=10)
    assert found(koog, minutes=30) == []

    session(tmp_path, host, minutes=20)
    (row,) = found(koog, minutes=30)
    assert "12:20:00Z" in row["message"]


def test_a_subagents_session_has_no_start_of_its_own(koog, workspace, tmp_path):
    koog("init", ".", "--host", "codex", "--now", clock.iso(NOW))
    koog("init", ".", "--host", "claude", "--now", clock.iso(NOW))
    session(tmp_path, "codex", minutes=10, meta={"source": {"subagent": "review"}})
    session(tmp_path, "claude", minutes=10, isSidechain=True)

    assert found(koog, minutes=30) == []


def test_without_hooks_of_koogs_nothing_is_told(koog, workspace, sealed, tmp_path):
    for name in ("claude", "codex"):
        session(tmp_path, name, minutes=10)

    assert found(koog, minutes=30) == []


def test_what_cannot_be_read_hides_nothing(koog, host, tmp_path):
    session(tmp_path, host, minutes=10)
    for file in tmp_path.glob(f"{host}/*/**/*.jsonl"):
        file.with_name(file.name.replace("10", "11")).write_bytes(b"\xff{torn\n[]\n")

    assert len(found(koog, minutes=30)) == 1


def plugin(tmp_path: Path) -> None:
    file = tmp_path / "claude/settings.json"
    file.parent.mkdir(exist_ok=True)
    value = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps(value | {"enabledPlugins": {"koog@koog": True, "other@koog": True}}))


def test_the_plugin_beside_the_settings_is_told_and_which_of_them_works(koog, workspace, tmp_path):
    koog("init", ".", "--host", "claude")
    plugin(tmp_path)

    (row,) = found(koog, minutes=30)

    assert (row["level"], row["command"]) == ("info", "claude plugin uninstall koog@koog")


def test_with_the_plugin_alone_init_writes_who_is_read_and_no_hooks(koog, workspace, tmp_path):
    plugin(tmp_path)
    before = (tmp_path / "claude/settings.json").read_bytes()

    _, line = koog("init", ".", "--host", "claude", "--now", clock.iso(NOW))

    assert (tmp_path / "claude/settings.json").read_bytes() == before
    assert "the plugin koog@koog is installed" in line["host"]["did"][0]
    assert operator.entry(workspace).values["observe"]["sources"] == ["claude"]
    assert not (tmp_path / "claude/skills").exists()
    assert found(koog, minutes=30) == []
    session(tmp_path, "claude", minutes=10)
    assert found(koog, minutes=30)[0]["level"] == "warn"


def test_two_workspaces_that_read_it_are_told_how_one_is_named(koog, workspace, tmp_path, monkeypatch):
    plugin(tmp_path)
    koog("init", ".", "--host", "claude")
    koog("init", str(tmp_path / "other"), "--host", "claude")

    (row,) = found(koog, minutes=30)
    assert row["command"] == f"export KOOG_WORKSPACE={workspace}"

    monkeypatch.setenv("KOOG_WORKSPACE", str(workspace))
    assert found(koog, minutes=30) == []


def test_the_plugin_is_nothing_to_a_workspace_that_does_not_read_its_sessions(koog, workspace, sealed, tmp_path):
    plugin(tmp_path)
    session(tmp_path, "claude", minutes=10)

    assert found(koog, minutes=30) == []
