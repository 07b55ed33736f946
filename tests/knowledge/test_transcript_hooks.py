"""Where hooks are installed transcripts are written by themselves, by processes that no host waits for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from koog.core.files import spool
from tests.conftest import git, registered
from tests.fakes.sessions import START, claude_session
from tests.host.test_hook import call, settle
from tests.knowledge.transcripts import files, is_closed, raw, said

ID = "11111111-2222-4333-8444-555555555555"
SHARED = ("--engine", "builtin", "--now", "2026-02-28T11:30:00Z")


@pytest.fixture
def ready(workspace):
    registered(workspace)
    yield workspace
    settle(workspace)


def given(workspace: Path, event: str, **more: Any) -> dict[str, Any]:
    return {"session_id": ID, "cwd": str(workspace), "hook_event_name": event, "transcript_path": "/nowhere", **more}


def test_what_is_compacted_away_stands_in_the_transcript_and_the_session_goes_on_in_it(ready, alone):
    claude_session(alone, ("user", "We keep the index in DuckDB from now on."), cwd=ready)

    assert call("pre-compaction", given(ready, "PreCompact", trigger="auto"), *SHARED, cwd=ready) == {}
    settle(ready)
    [path] = files(ready)
    assert not is_closed(path)
    assert "DuckDB" in (ready / "memory/observations.md").read_text()

    claude_session(alone, ("assistant", "Noted."), cwd=ready)
    call("session-end", given(ready, "SessionEnd", reason="exit"), *SHARED, cwd=ready)
    settle(ready)

    assert [turn.text for turn in said(ready)] == ["We keep the index in DuckDB from now on.", "Noted."]
    assert files(ready) == [path]
    assert is_closed(path)
    assert git(raw(ready), "log", "--format=%s") == "conversation: we-keep-the-index-in-duckdb-from-now"
    assert spool.is_empty()


def test_a_session_that_never_ended_is_closed_when_another_begins_hours_later(ready, alone):
    claude_session(alone, ("user", "Which NAS?"), cwd=ready, at=START)
    call("pre-compaction", given(ready, "PreCompact", trigger="auto"), *SHARED, cwd=ready)
    settle(ready)
    later = (*SHARED[:2], "--now", "2026-02-28T19:00:00Z")

    call("session-start", given(ready, "SessionStart", source="startup", session_id="another"), *later, cwd=ready)
    settle(ready)

    assert [is_closed(path) for path in files(ready)] == [True]


def test_a_transcript_that_cannot_be_written_keeps_nothing_from_being_observed(workspace, alone):
    registered(workspace, paths_raw="memory")
    claude_session(alone, ("user", "We keep the index in DuckDB from now on."), cwd=workspace)

    call("pre-compaction", given(workspace, "PreCompact", trigger="auto"), *SHARED, cwd=workspace)
    settle(workspace)

    state = next((alone / "state/koog").glob("*/failures.jsonl"))
    assert "DuckDB" in (workspace / "memory/observations.md").read_text()
    assert [json.loads(row)["command"] for row in state.read_text().splitlines()] == ["transcript import"]


def test_where_koog_sees_no_state_root_a_hook_observes_as_ever(workspace, alone):
    claude_session(alone, ("user", "We keep the index in DuckDB from now on."), cwd=workspace)

    call("pre-compaction", given(workspace, "PreCompact", trigger="auto"), *SHARED, cwd=workspace)
    settle(workspace)

    assert "DuckDB" in (workspace / "memory/observations.md").read_text()
    assert not raw(workspace).exists()
