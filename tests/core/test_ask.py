"""One question: which engine answers, what an answer must be, what it costs, and where the key may appear."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from koog.core.operator import path as operator_path
from tests.conftest import git, process

SIGNAL = ("signal", "--session-summary", "ENOSPC again while watching files, and ENOSPC once more")
FOUND = {
    "signals": [{"description": "ENOSPC twice", "priority": "high"}],
    "recommendedAction": {"action": "telegram_tip", "task": "raise the inotify limit", "confidence": 0.8},
}
ADDED = {
    "operations": [
        {
            "op": "add",
            "section": "Patterns",
            "text": "Metro needs a higher inotify limit than the default",
            "score": 0.6,
            "reason": "x",
        }
    ]
}
KEY = "koog-test-key-" + "0123456789" * 3
DAY = "2026-02-28T12:00:00Z"


def operator(**values: Any) -> None:
    operator_path().parent.mkdir(parents=True, exist_ok=True)
    operator_path().write_text(json.dumps(values))


def ledger(workspace: Path) -> list[dict[str, Any]]:
    path = workspace / "memory/meta/usage.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def written(workspace: Path) -> str:
    """What differs from the last commit, but for the ledger."""
    lines = git(workspace, "status", "--porcelain", "--untracked-files=all").splitlines()
    return "\n".join(line for line in lines if not line.endswith("meta/usage.jsonl"))


# --- who answers


def test_auto_is_the_builtin_engine_where_there_is_no_key(koog):
    code, line = koog(*SIGNAL)

    assert (code, line["_meta"]["engine"]) == (0, "builtin")
    assert "model" not in line["_meta"]


def test_auto_is_the_model_where_the_key_is_set(koog, llm, monkeypatch):
    monkeypatch.setenv("KOOG_PROVIDER_API_KEY_ENV", "MY_KEY")
    monkeypatch.setenv("MY_KEY", KEY)
    llm.says(FOUND)

    code, line = koog(*SIGNAL)

    assert (code, line["_meta"]["engine"]) == (0, "llm")
    assert llm.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"


def test_auto_is_the_model_where_the_endpoint_needs_no_key(koog, llm):
    llm.says(FOUND)

    code, line = koog(*SIGNAL)

    assert (code, line["_meta"]["engine"]) == (0, "llm")
    assert "authorization" not in llm.requests[0]["headers"]


@pytest.mark.parametrize("where", ["flag", "config"])
def test_builtin_asks_no_model_even_where_there_is_one(koog, llm, where):
    operator(engine="builtin" if where == "config" else "auto")
    argv = ("--engine", "builtin", *SIGNAL) if where == "flag" else SIGNAL

    code, line = koog(*argv)

    assert (code, line["_meta"]["engine"]) == (0, "builtin")
    assert llm.requests == []


def test_llm_without_its_key_is_a_config_error_that_names_the_variable(koog, workspace):
    code, line = koog("--engine", "llm", *SIGNAL)

    assert (code, line["error"]["code"]) == (3, "config")
    assert "OPENROUTER_API_KEY" in line["error"]["message"]
    assert "--engine builtin" in line["error"]["hint"]


def test_the_line_names_model_prompt_and_tokens(koog, llm):
    llm.says(FOUND, usage=(120, 34), model="vendor/exact")

    _, line = koog(*SIGNAL)

    meta = line["_meta"]
    assert (meta["model"], meta["prompt"]) == ("vendor/exact", "heartbeat.signal@1")
    assert meta["tokens"] == {"prompt": 120, "completion": 34}
    assert meta["ms"] >= 0


# --- a model that fails


@pytest.mark.parametrize("command", [SIGNAL, ("curate",), ("feedback",)])
def test_a_failing_endpoint_is_unavailable_and_nothing_is_written(koog, llm, sample, command):
    llm.fails(401 if command == ("feedback",) else 402)

    code, line = koog("--now", DAY, *command)

    assert (code, line["error"]["code"]) == ((3, "config") if command == ("feedback",) else (6, "llm_unavailable"))
    assert written(sample) == ""
    assert line["_meta"]["changes"] == []


def test_a_closed_port_is_unavailable_and_worth_another_try(koog, monkeypatch, sample):
    monkeypatch.setenv("KOOG_PROVIDER_API_KEY_ENV", "null")

    code, line = koog("--now", DAY, "curate")

    assert (code, line["error"]["code"], line["error"]["retryable"]) == (6, "llm_unavailable", True)
    assert written(sample) == ""


@pytest.mark.parametrize("failure", ["unavailable", "unusable"])
def test_the_builtin_engine_stands_in_only_where_the_config_says_so_and_it_is_said(koog, llm, failure):
    operator(fallback="builtin")
    llm.fails(402) if failure == "unavailable" else llm.says("I had rather not.")

    code, line = koog(*SIGNAL)

    assert (code, line["_meta"]["engine"]) == (0, "builtin-fallback")
    (warning,) = line["_meta"]["warnings"]
    assert warning.startswith(f"signal: llm_{failure}, answered by the built-in engine: ")


def test_a_refused_budget_is_not_answered_by_the_builtin_engine_instead(koog, llm):
    operator(fallback="builtin", budget={"tokensPerDay": 0})

    code, line = koog(*SIGNAL)

    assert (code, line["error"]["code"]) == (5, "refused")


# --- an answer that is none


@pytest.mark.parametrize(
    "answer",
    [
        "I had rather not.",
        "",
        "[]",
        {"signals": []},
        {**FOUND, "recommendedAction": {"action": "reboot", "confidence": 1}},
    ],
    ids=json.dumps,
)
def test_an_answer_that_does_not_fit_its_schema_is_unusable(koog, llm, answer):
    llm.says(answer)

    code, line = koog(*SIGNAL)

    assert (code, line["error"]["code"], line["error"]["retryable"]) == (7, "llm_unusable", True)


def test_keys_that_nobody_asked_for_are_dropped(koog, llm):
    llm.says({**FOUND, "reasoning": "long", "recommendedAction": {**FOUND["recommendedAction"], "mood": "good"}})

    code, line = koog(*SIGNAL)

    assert code == 0
    assert set(line["recommendedAction"]) == {"action", "task", "confidence"}
    assert "reasoning" not in line


@pytest.mark.parametrize("cut", ["by the endpoint", "in the text"])
def test_a_cut_answer_changes_no_document(koog, llm, sample, cut):
    whole = json.dumps(ADDED)
    if cut == "by the endpoint":
        llm.says(whole, finish="length")
    else:
        llm.says(whole.removesuffix("]}"))

    code, line = koog("--now", DAY, "curate")

    assert (code, line["error"]["code"]) == (7, "llm_unusable")
    assert written(sample) == ""
    assert "scripts.playbook_curator.maxTokens" in line["error"]["hint"]


def test_a_whole_answer_does_change_it(koog, llm, sample):
    llm.says(ADDED)

    code, line = koog("--now", DAY, "curate")

    assert code == 0
    assert line["changes"]["added"] != []
    assert "Metro needs a higher inotify limit than the default" in (sample / "memory/sinain-playbook.md").read_text()


def test_a_cut_answer_is_good_enough_where_no_document_changes_by_it(koog, llm):
    llm.says(json.dumps({"interpretation": "Two outputs were taken up."}), finish="length")

    code, line = koog("feedback")

    assert (code, line["interpretation"]) == (0, "Two outputs were taken up.")


# --- the ledger


def test_a_call_is_one_ledger_line_without_prompt_or_answer(koog, llm, workspace):
    llm.says(FOUND, usage=(120, 34), model="vendor/exact")

    koog("--now", DAY, *SIGNAL)

    (entry,) = ledger(workspace)
    assert entry.pop("ms") >= 0
    assert entry == {
        "ts": DAY,
        "command": "signal",
        "task": "signal",
        "ok": True,
        "code": None,
        "model": "vendor/exact",
        "promptTokens": 120,
        "completionTokens": 34,
        "costUsd": None,
        "attempts": 1,
    }


def test_a_dry_run_pays_and_is_accounted_for(koog, llm, sample):
    llm.says(ADDED)

    code, line = koog("--dry-run", "--now", DAY, "curate")

    assert (code, line["_meta"]["dryRun"]) == (0, True)
    assert line["_meta"]["changes"] != []
    assert [e["task"] for e in ledger(sample)] == ["curate"]
    assert written(sample) == ""


@pytest.mark.parametrize(
    ("answer", "code", "tokens"), [(402, "llm_unavailable", None), ("I had rather not.", "llm_unusable", 120)]
)
def test_a_failed_call_is_in_the_ledger_with_its_code_and_what_it_cost(koog, llm, workspace, answer, code, tokens):
    llm.fails(answer) if isinstance(answer, int) else llm.says(answer, usage=(120, 34))

    koog(*SIGNAL)

    (entry,) = ledger(workspace)
    assert (entry["ok"], entry["code"], entry.get("promptTokens")) == (False, code, tokens)


def test_the_builtin_engine_costs_nothing_and_is_not_in_the_ledger(koog, workspace):
    koog(*SIGNAL)

    assert ledger(workspace) == []


def test_the_ledger_makes_no_commit_and_no_audit_line_of_its_own(koog, llm, workspace):
    before = git(workspace, "rev-parse", "HEAD")
    llm.says(FOUND)

    _, line = koog(*SIGNAL)

    assert git(workspace, "rev-parse", "HEAD") == before
    assert line["_meta"]["changes"] == []
    assert not (workspace / "memory/meta/audit.log").exists()


# --- the budget


def spend(workspace: Path, **entry: Any) -> None:
    path = workspace / "memory/meta/usage.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps({"ts": "2026-02-28T01:00:00Z", **entry}) + "\n")


@pytest.mark.parametrize(
    ("budget", "spent"),
    [
        ({"tokensPerDay": 10_000}, {"promptTokens": 9_000, "completionTokens": 900}),
        ({"tokensPerDay": 0}, {}),
        ({"usdPerDay": 0.5}, {"costUsd": 0.5}),
        ({"usdPerDay": 0}, {}),
    ],
)
def test_a_day_that_is_spent_is_refused_before_anything_is_sent(koog, llm, workspace, budget, spent):
    operator(budget=budget)
    spend(workspace, **spent)

    code, line = koog("--now", DAY, *SIGNAL)

    assert (code, line["error"]["code"]) == (5, "refused")
    assert "budget" in line["error"]["message"]
    assert llm.requests == []
    assert len(ledger(workspace)) == 1


@pytest.mark.parametrize(
    ("budget", "spent"),
    [
        ({"tokensPerDay": 100_000}, {"promptTokens": 9_000, "completionTokens": 900}),
        ({"usdPerDay": 0.5}, {"costUsd": 0.49}),
        ({"tokensPerDay": 10_000}, {"ts": "2026-02-27T23:59:59Z", "promptTokens": 10_000}),
        ({"usdPerDay": 0.5}, {"ts": "2026-02-27T23:59:59Z", "costUsd": 5}),
        ({"tokensPerDay": None, "usdPerDay": None}, {"promptTokens": 10**9, "costUsd": 10**6}),
    ],
)
def test_a_day_with_something_left_is_asked(koog, llm, workspace, budget, spent):
    operator(budget=budget)
    spend(workspace, **spent)
    llm.says(FOUND)

    code, _ = koog("--now", DAY, *SIGNAL)

    assert code == 0


def test_the_agents_own_file_cannot_lift_the_budget(koog, llm, workspace):
    operator(budget={"tokensPerDay": 0})
    (workspace / "koog-config.json").write_text(json.dumps({"budget": {"tokensPerDay": None}}))

    code, line = koog("--now", DAY, *SIGNAL)

    assert (code, line["error"]["code"]) == (5, "refused")
    assert "budget.tokensPerDay ignored" in line["_meta"]["warnings"][0]


# --- the mode that an endpoint accepts


def test_the_mode_that_an_endpoint_accepted_is_where_the_next_command_starts(koog, llm, workspace):
    llm.fails(400, {"error": {"message": "response_format json_schema is not supported"}}).says(FOUND).says(FOUND)

    koog(*SIGNAL)
    koog(*SIGNAL)

    modes = [request["body"].get("response_format", {}).get("type") for request in llm.requests]
    assert modes == ["json_schema", "json_object", "json_object"]
    assert json.loads((workspace / ".koog/structured.json").read_text()) == {llm.url: "json_object"}


def test_another_endpoint_is_not_judged_by_the_first(koog, llm, workspace):
    (workspace / ".koog/structured.json").write_text('{"http://elsewhere.example/v1": "none"}')
    llm.says(FOUND)

    koog(*SIGNAL)

    assert llm.requests[0]["body"]["response_format"]["type"] == "json_schema"
    assert json.loads((workspace / ".koog/structured.json").read_text()) == {
        "http://elsewhere.example/v1": "none",
        llm.url: "json_schema",
    }


@pytest.mark.parametrize("damaged", ["", "[]", "{", "null"])
def test_a_damaged_note_of_modes_costs_no_more_than_a_try(koog, llm, workspace, damaged):
    (workspace / ".koog/structured.json").write_text(damaged)
    llm.says(FOUND)

    code, _ = koog(*SIGNAL)

    assert code == 0


# --- what is sent


def test_the_system_text_is_the_same_in_every_call(koog, llm):
    llm.says(FOUND).says(FOUND)

    koog("signal", "--session-summary", "one")
    koog("--now", DAY, "signal", "--session-summary", "another", "--idle")

    first, second = (request["body"]["messages"] for request in llm.requests)
    assert (first[0]["role"], first[1]["role"]) == ("system", "user")
    assert first[0] == second[0]
    assert first[1] != second[1]


def test_what_changes_slowly_comes_before_what_changes_with_each_call(koog, llm, sample):
    llm.says(FOUND)

    koog("--now", DAY, "signal", "--session-summary", "the volatile part")

    user = llm.requests[0]["body"]["messages"][1]["content"]
    assert user.index("inotify watch limit") < user.index("the volatile part")


def test_the_script_decides_on_model_and_size(koog, llm):
    operator(models={"fast": "vendor/quick"}, scripts={"signal_analyzer": {"maxTokens": 77, "temperature": 0}})
    llm.says(FOUND)

    koog(*SIGNAL)

    body = llm.requests[0]["body"]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("vendor/quick", 77, 0)


# --- the key


@pytest.mark.parametrize("answer", ["fine", "echoed in an error", "echoed in the answer"])
def test_the_key_is_in_no_output_no_file_and_no_commit(llm, sample, monkeypatch, answer):
    monkeypatch.setenv("KOOG_PROVIDER_API_KEY_ENV", "MY_KEY")
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setenv("KOOG_DEBUG", "1")
    if answer == "fine":
        llm.says(ADDED)
    elif answer == "echoed in an error":
        llm.fails(402, f"no credit for {KEY}")
    else:
        llm.says(f"Your key is {KEY}, and I had rather not.")

    done = process("--now", DAY, "curate", cwd=sample)

    assert llm.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"
    assert KEY not in done.stdout + done.stderr
    assert KEY not in git(sample, "log", "-p", "--all")
    assert [p for p in sample.rglob("*") if p.is_file() and KEY.encode() in p.read_bytes()] == []
