"""koog recover: what was said and not observed, with a model, without one, and twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from koog.observe import observations
from tests.conftest import git
from tests.fakes.stores import SESSION
from tests.fakes.watching import NOW, OPENCLAW, Database, grow, openclaw, said

KEY = f"claude/{SESSION}"
UNCHANGED = {
    "mismatch": False,
    "session": None,
    "observed": [],
    "stored": 0,
    "reason": "everything was observed",
    "older": None,
}


def reply(line: dict) -> dict:
    return {k: v for k, v in line.items() if k not in ("ok", "_meta")}


def text(workspace: Path) -> str:
    path = workspace / "memory/observations.md"
    return path.read_text() if path.exists() else ""


def kept(workspace: Path) -> list[str]:
    """Return the texts of the turns that wait in raw blocks."""
    return [turn.text for block in observations.raw_blocks(text(workspace)) for turn in block.turns]


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings ask for a model, and nothing listens where it should be."""
    monkeypatch.setenv("KOOG_PROVIDER_API_KEY_ENV", "null")


def test_where_nobody_spoke_nothing_is_missing(koog, workspace):
    code, line = koog(*NOW, "recover")

    assert (code, reply(line), line["_meta"]["changes"]) == (0, UNCHANGED, [])


def test_what_was_said_after_the_cursor_is_observed_at_once_and_then_nothing_is_missing(koog, workspace, alone):
    grow(alone, said(2))
    koog(*NOW, "observe")
    grow(alone, said(1, first=2), first=2)

    _, first = koog(*NOW, "recover")
    _, second = koog(*NOW, "recover")

    assert (first["mismatch"], first["session"], first["stored"], first["reason"]) == (True, KEY, 0, None)
    assert len(first["observed"]) == 1 and "port 8002" in first["observed"][0]
    assert reply(second) == UNCHANGED


def test_the_newest_session_is_the_one_in_which_something_was_said_last(koog, workspace, alone):
    grow(alone, said(1, first=500), first=500, name="a-newer.jsonl")
    grow(alone, said(1), name="z-older.jsonl")

    _, line = koog(*NOW, "recover")

    assert line["session"] == "claude/a-newer"
    assert len(line["observed"]) == 2


def test_a_session_that_has_just_begun_does_not_hide_the_one_before_it(koog, workspace, alone):
    live = alone / OPENCLAW
    live.parent.mkdir(parents=True)
    before = live.with_name(f"{live.name}.reset.2026-02-28T09-30-00.000Z")
    before.write_text("".join(json.dumps(r) + "\n" for r in openclaw(said(1))))
    live.with_name("7.jsonl").write_text(
        json.dumps(openclaw([], session="7")[0] | {"timestamp": "2026-02-28T09:45:00.000Z"}) + "\n"
    )

    _, line = koog(*NOW, "recover")

    assert (line["mismatch"], line["session"]) == (True, f"openclaw/main/{SESSION}")


def test_a_store_that_cannot_be_read_is_not_taken_for_one_in_which_nothing_was_said(koog, workspace, alone):
    path = alone / ".openclaw/agents/main/agent/openclaw-agent.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database")

    code, line = koog("recover")

    assert (code, line["mismatch"]) == (0, False)
    assert line["_meta"]["warnings"] == ["openclaw/main/?: cannot be read: file is not a database"]


def test_cron_sessions_and_subagents_are_nobodys_loss(koog, workspace, alone):
    grow(alone, said(1), name="agent-7.jsonl")
    cron = Database(alone, key="agent:main:cron:7")
    cron.append(openclaw(said(1)))
    cron.close()

    assert reply(koog(*NOW, "recover")[1]) == UNCHANGED


@pytest.mark.parametrize("why", ["llm_unavailable", "llm_unusable", "refused"])
def test_without_a_model_the_turns_are_kept_and_the_next_observe_digests_them(
    why, koog, workspace, alone, llm, monkeypatch
):
    grow(alone, said(2))
    if why == "llm_unavailable":
        monkeypatch.setenv("KOOG_PROVIDER_BASE_URL", "http://127.0.0.1:1/v1")
    elif why == "refused":
        monkeypatch.setenv("KOOG_BUDGET_TOKENS_PER_DAY", "0")
    else:
        llm.fails(400)

    code, line = koog(*NOW, "recover")
    waiting = kept(workspace)
    _, again = koog(*NOW, "recover")
    _, observed = koog(*NOW, "observe", "--engine", "builtin")

    assert (code, line["mismatch"], line["session"], line["stored"], line["observed"]) == (0, True, KEY, 2, [])
    assert line["reason"].startswith(f"{why}: ")
    assert waiting == said(2)
    assert reply(again) == UNCHANGED | {"reason": "nothing new; 2 turns wait for a model"}
    assert (observed["rawDigested"], len(observed["added"])) == (1, 2)
    assert kept(workspace) == [] and text(workspace).count("port 800") == 2


def test_what_was_kept_is_known_when_it_is_answered(koog, workspace, alone, no_model):
    grow(alone, said(1))
    koog(*NOW, "recover")
    grow(alone, ["no, not 8000 but 8099"], first=1)

    koog(*NOW, "observe", "--engine", "builtin")

    assert f"{said(1)[0]} → no, not 8000 but 8099" in text(workspace)


def test_block_and_cursor_are_one_commit(koog, workspace, alone, no_model):
    grow(alone, said(2))

    koog(*NOW, "recover")

    files = git(workspace, "show", "--name-only", "--format=", "HEAD").splitlines()
    assert {"memory/observations.md", "memory/meta/cursors.json"} <= set(files)
    assert git(workspace, "status", "--porcelain") == ""


def test_what_is_kept_has_no_secret_and_nothing_private(koog, workspace, alone, no_model):
    secret = "sk-" + "or-v1-" + "0123456789abcdef" * 4
    grow(
        alone, [f"The key is {secret}", "<private>my illness</private> but this stays", "<private>all of it</private>"]
    )

    _, line = koog(*NOW, "recover")

    assert line["stored"] == 2
    assert secret not in text(workspace) and "illness" not in text(workspace)
    assert kept(workspace)[1] == "but this stays"


def test_more_than_fits_waits_behind_the_cursor_and_nothing_is_kept_twice(koog, workspace, alone, no_model):
    grow(alone, said(450))

    stored = [koog(*NOW, "recover")[1]["stored"] for _ in range(4)]

    assert stored == [200, 200, 50, 0]
    assert kept(workspace) == said(450)


def test_a_huge_turn_is_kept_up_to_a_bound(koog, workspace, alone, no_model):
    grow(alone, ["words and words " * 20_000])

    _, line = koog(*NOW, "recover")

    assert line["stored"] == 1
    assert len(text(workspace)) < 70_000


def test_turns_of_several_sessions_are_all_kept(koog, workspace, alone, no_model):
    grow(alone, said(1), name="a.jsonl")
    grow(alone, said(1, first=1), name="b.jsonl")

    _, line = koog(*NOW, "recover")

    assert line["stored"] == 2
    assert sorted(kept(workspace)) == said(2)


def test_a_key_that_is_missing_is_for_the_person_to_mend_and_nothing_moves(koog, workspace, alone):
    grow(alone, said(1))

    code, line = koog(*NOW, "--engine", "llm", "recover")

    assert (code, line["error"]["code"]) == (3, "config")
    assert kept(workspace) == []
    assert koog(*NOW, "recover")[1]["mismatch"] is True


def test_a_dry_run_says_what_would_be_kept_and_keeps_nothing(koog, workspace, alone, no_model):
    grow(alone, said(2))

    _, line = koog(*NOW, "recover", "--dry-run")

    assert line["stored"] == 2
    assert text(workspace) == "" and git(workspace, "status", "--porcelain", "--", "memory/observations.md") == ""


def test_startup_recovers_first_and_loads_what_was_recovered(koog, workspace, alone, no_model):
    grow(alone, said(1))

    _, line = koog(*NOW, "startup")

    assert line["recovered"]["stored"] == 1
    assert "Said, and not yet observed" in line["text"] and "port 8000" in line["text"]


def test_a_startup_text_that_comes_back_in_a_session_is_not_observed_as_news(koog, workspace, alone):
    (workspace / "memory/favorites.md").write_text("- We decided that metric units are always used\n")
    loaded = koog(*NOW, "startup")[1]["text"]
    printed = json.dumps({"ok": True, "text": loaded, "_meta": {"schema": "koog.startup/1"}}, separators=(",", ":"))
    grow(alone, [f"{loaded}\nGood morning", printed])

    _, line = koog(*NOW, "observe")

    assert line["added"] == []
