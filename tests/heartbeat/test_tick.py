"""koog tick: the whole heartbeat in one call, and the gate that closes whatever fails."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from koog.core.files.state_root import StateRoot
from koog.core.git.outgoing import allow
from koog.core.git.repository import Git
from tests.conftest import git, process, registered
from tests.logs import LOGS, NOW, PLAYBOOK, before, did, entry, lines, logged, note, playbook, said, snapshot

STEPS = ["backup", "signal", "mine", "feedback", "curate", "log", "synthesize"]
DECIDED = "- Decided on Drizzle instead of Prisma because its migrations stay plain SQL\n"
ANSWERS = {
    "signal": {
        "signals": ["ENOSPC twice"],
        "recommendedAction": {"action": "telegram_tip", "task": "raise it", "confidence": 0.9},
    },
    "mine": {
        "findings": "One note.",
        "newPatterns": [{"text": "Decided on Drizzle instead of Prisma", "file": "memory/2026-02-27.md", "line": 1}],
        "contradictions": [],
        "preferences": [],
    },
    "feedback": {"interpretation": "Too early to say."},
    "curate": {"operations": [{"op": "add", "text": "Decided on Drizzle", "score": 0.5, "reason": "r"}]},
    "synthesize": {
        "skip": False,
        "suggestion": "Raise the inotify limit before Metro starts",
        "insight": "Both ENOSPC stops came within an hour after switching branches",
    },
}


def tick(koog, *argv, now=NOW):
    code, line = koog("tick", "--now", now, *argv)
    assert code == 0, line
    return line


def answering(**changed):
    """Return a model that answers each step by the schema it asks for; a step's None is an answer that fits nothing."""
    answers = {**ANSWERS, **changed}

    def say(request):
        name = request["body"]["response_format"]["json_schema"]["name"]
        return answers[name] if answers[name] is not None else "I would rather not."

    return say


def by_step(line):
    return {row["step"]: (row["status"], row["code"]) for row in line["steps"]}


def test_the_steps_run_in_their_order(koog, workspace, llm):
    llm.always(answering())
    note(workspace, "2026-02-27.md", DECIDED)

    line = tick(koog, "--idle")

    assert [row["step"] for row in line["steps"]] == STEPS
    assert {row["status"] for row in line["steps"]} == {"ok"}
    asked = [r["body"]["response_format"]["json_schema"]["name"] for r in llm.requests]
    assert asked == ["signal", "mine", "feedback", "curate", "synthesize"]


def test_each_step_is_logged_with_its_engine_tokens_and_time(koog, workspace, llm):
    llm.always(answering())
    note(workspace, "2026-02-27.md", DECIDED)

    line = tick(koog, "--idle")

    rows = {row["step"]: row for row in line["steps"]}
    assert {name: rows[name]["engine"] for name in STEPS} == {
        **dict.fromkeys(STEPS, "llm"),
        "backup": None,
        "log": None,
    }
    assert {name: rows[name]["tokens"] for name in STEPS} == {**dict.fromkeys(STEPS, 15), "backup": 0, "log": 0}
    assert all(row["ms"] >= 0 for row in rows.values())
    assert lines(workspace)[0]["steps"] == line["steps"][:5]


def test_a_tick_is_one_commit(koog, workspace):
    note(workspace, "2026-02-27.md", DECIDED)
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "a note")

    line = tick(koog, "--idle")

    assert git(workspace, "rev-list", "--count", "HEAD") == "3"  # start, the note, the tick
    assert git(workspace, "status", "--porcelain") == ""
    shown = set(git(workspace, "show", "--name-only", "--format=", "HEAD").splitlines())
    assert {PLAYBOOK, f"{LOGS}/2026-02-28.jsonl", "memory/meta/cursors.json", "memory/meta/audit.log"} <= shown
    assert git(workspace, "rev-parse", "HEAD").startswith(line["_meta"]["commit"])


def test_what_a_person_changed_is_committed_apart_and_pushed_before(koog, workspace, tmp_path):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "remote.git")
    git(workspace, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(workspace, "push", "-q", "-u", "origin", "main")
    state, found = registered(workspace, git_backup="all", git_push=True), Git.find(workspace)
    allow(found, StateRoot(state.name, state), found.upstream())
    (workspace / "MEMORY.md").write_text("# Memory\n")

    tick(koog)

    assert git(tmp_path / "remote.git", "show", "--name-only", "--format=", "main~1") == "MEMORY.md"
    assert "Actor: manual" in git(tmp_path / "remote.git", "log", "-1", "--format=%B", "main~1")
    assert git(workspace, "rev-list", "--count", "HEAD") == "3"


def test_the_gate_closes_with_a_receipt_and_the_entry_holds_what_the_steps_found(koog, workspace, llm):
    llm.always(answering())
    note(workspace, "2026-02-27.md", DECIDED)

    line = tick(koog, "--idle", "--session-summary", "ENOSPC, twice")

    assert (line["heartbeat"], line["receipt"].split("#")[0]) == ("HEARTBEAT_OK", NOW)
    logged_entry = lines(workspace)[0]
    assert logged_entry["tickId"] == line["tickId"] == NOW
    assert logged_entry["sessionHistorySummary"] == "ENOSPC, twice"
    assert logged_entry["signals"] == [{"description": "ENOSPC twice", "priority": "medium"}]
    assert logged_entry["minedSources"] == ["2026-02-27.md"]
    assert logged_entry["miningFindings"] == "One note."
    assert logged_entry["playbookChanges"]["added"] == line["changes"]["added"] == ["Decided on Drizzle"]
    assert logged_entry["curateDirective"] == "insufficient_data"
    assert logged_entry["feedbackScores"]["avg"] is None
    assert logged_entry["degraded"] == line["degraded"] == []


def test_what_a_rule_set_aside_is_logged_as_weighed(koog, workspace, llm):
    llm.always(answering())

    tick(koog, "--idle")

    assert lines(workspace)[0]["actionsConsidered"] == [
        {"action": "skip", "chosen": True, "spawnId": None, "task": None, "reason": "idle"},
        {"action": "telegram_tip", "chosen": False, "spawnId": None, "task": "raise it", "reason": "idle"},
    ]


def test_a_spawn_gets_an_id_that_the_log_and_the_reply_share(koog, workspace, llm):
    spawn = {"signals": [], "recommendedAction": {"action": "sessions_spawn", "task": "find it", "confidence": 0.9}}
    llm.always(answering(signal=spawn))

    line = tick(koog, "--active")

    assert line["spawnId"] == f"spawn-{NOW}"
    assert lines(workspace)[0]["actionsConsidered"][0] == {
        "action": "sessions_spawn",
        "chosen": True,
        "spawnId": f"spawn-{NOW}",
        "task": "find it",
        "reason": "recommended",
    }
    awaited = tick(koog, "--active", now="2026-02-28T12:30:00Z")["spawns"]["awaited"]
    assert [(s["spawnId"], s["task"]) for s in awaited] == [(f"spawn-{NOW}", "find it")]


def test_the_output_is_joined_to_the_tick_and_the_next_one_scores_it(koog, workspace, llm):
    llm.always(answering())
    first = tick(koog, "--active")
    llm.always(answering(synthesize={"skip": True, "skipReason": "nothing"}))

    second = tick(
        koog,
        "--active",
        "--session-summary",
        "The user raised the inotify limit, Metro starts",
        now="2026-02-28T12:30:00Z",
    )
    third = tick(koog, "--active", now="2026-02-28T13:00:00Z")
    for now in ("2026-02-28T13:30:00Z", "2026-02-28T14:00:00Z"):
        tick(koog, "--active", now=now)

    assert first["output"]["suggestion"] == ANSWERS["synthesize"]["suggestion"]
    assert [row["_type"] for row in lines(workspace) if "_type" in row] == ["output"] * 5
    waiting = {"outputs": 1, "positive": 0, "negative": 0, "neutral": 1, "rate": 0.0}  # nothing had followed it yet
    assert second["effectiveness"] == waiting
    assert third["effectiveness"] == {"outputs": 1, "positive": 1, "negative": 0, "neutral": 0, "rate": 1.0}
    assert lines(workspace)[-2]["feedbackScores"]["scored"] == [{"tickId": NOW, "score": 0.5, "source": "derived"}]


@pytest.mark.parametrize("idle", [True, False])
def test_notes_are_mined_on_idle_ticks_only(koog, workspace, idle):
    note(workspace, "2026-02-27.md", DECIDED)

    line = tick(koog, "--idle" if idle else "--active")

    assert by_step(line)["mine"] == (("ok", None) if idle else ("skipped", "active"))
    assert line["minedSources"] == (["2026-02-27.md"] if idle else [])
    assert line["degraded"] == []


def test_an_idle_tick_takes_no_action_even_on_a_stale_item(koog, workspace):
    playbook(workspace, "## Observing", "- The nightly job times out [since: 2026-02-10]")

    assert tick(koog, "--idle")["recommendedAction"]["action"] == "skip"
    assert tick(koog, "--active", now="2026-02-28T12:30:00Z")["rule"] == "stale-item"


@pytest.mark.parametrize("broken", ["signal", "mine", "feedback", "curate", "synthesize"])
def test_a_step_that_fails_is_named_and_the_others_and_the_gate_go_on(koog, workspace, llm, broken):
    llm.always(answering(**{broken: None}))
    note(workspace, "2026-02-27.md", DECIDED)

    line = tick(koog, "--idle")

    assert line["degraded"] == [broken]
    assert by_step(line) == {**dict.fromkeys(STEPS, ("ok", None)), broken: ("failed", "llm_unusable")}
    assert line["heartbeat"] == "HEARTBEAT_OK"
    if broken != "synthesize":
        logged_entry = lines(workspace)[0]
        assert logged_entry["degraded"] == [broken]
        assert f"{broken}: llm_unusable" in logged_entry["skipReason"]


def test_with_a_model_that_refuses_every_call_the_gate_closes_all_the_same(koog, workspace, llm):
    for _ in range(4):
        llm.fails(402)

    line = tick(koog, "--idle")

    assert line["degraded"] == ["signal", "feedback", "curate", "synthesize"]
    assert {row["code"] for row in line["steps"] if row["status"] == "failed"} == {"llm_unavailable"}
    assert line["heartbeat"] == "HEARTBEAT_OK"
    assert lines(workspace)[0]["actionsConsidered"][0]["reason"] == "signal analysis failed"


def test_what_a_failed_mine_left_is_mined_by_the_next_tick(koog, workspace, llm):
    note(workspace, "2026-02-27.md", DECIDED)
    llm.always(answering(mine=None))
    tick(koog, "--idle")
    llm.always(answering())

    assert tick(koog, "--idle", now="2026-02-28T12:30:00Z")["minedSources"] == ["2026-02-27.md"]


def test_findings_whose_curation_failed_are_curated_by_the_next_tick(koog, workspace, llm):
    found = {
        **ANSWERS["mine"],
        "newPatterns": [{"text": DECIDED[2:].strip(), "file": "memory/2026-02-27.md", "line": 1}],
    }
    note(workspace, "2026-02-27.md", DECIDED)
    llm.always(answering(mine=found, curate=None))
    tick(koog, "--idle")

    line = tick(koog, "--active", "--engine", "builtin", now="2026-02-28T12:30:00Z")

    assert line["changes"]["added"] == [DECIDED[2:].strip()]


def test_malformed_files_degrade_steps_and_never_the_gate(koog, workspace):
    (workspace / "modules/module-registry.json").write_text('{"version": 1')
    (workspace / "memory/meta").mkdir()
    (workspace / "memory/meta/cursors.json").write_text('{"mine":')

    line = tick(koog, "--idle")

    assert set(line["degraded"]) == {"signal", "mine", "curate", "synthesize"}
    assert {row["code"] for row in line["steps"] if row["status"] == "failed"} == {"workspace"}
    assert line["heartbeat"] == "HEARTBEAT_OK"
    assert line["moduleStack"] == []


def test_without_a_repository_only_the_backup_fails(koog, workspace):
    import shutil

    shutil.rmtree(workspace / ".git")

    line = tick(koog)

    assert line["degraded"] == ["backup"]
    assert by_step(line)["backup"] == ("failed", "refused")
    assert line["heartbeat"] == "HEARTBEAT_OK"


def test_past_the_deadline_the_steps_are_skipped_and_the_gate_still_closes(koog, workspace, llm):
    note(workspace, "2026-02-27.md", DECIDED)

    line = tick(koog, "--idle", "--deadline", "0")

    assert by_step(line) == {**dict.fromkeys(STEPS, ("skipped", "deadline")), "log": ("ok", None)}
    assert line["degraded"] == [s for s in STEPS if s != "log"]
    assert line["heartbeat"] == "HEARTBEAT_OK"
    assert llm.requests == []
    assert "curate: deadline" in lines(workspace)[0]["skipReason"]


def test_a_step_of_many_calls_does_not_outlast_the_deadline(koog, workspace, llm):
    import time

    asked = []

    def slow(request):
        name = request["body"]["response_format"]["json_schema"]["name"]
        asked.append(name)
        time.sleep(1.5 if name == "mine" else 0)
        return {**ANSWERS[name], "newPatterns": []} if name == "mine" else ANSWERS[name]

    llm.always(slow)
    path = note(workspace, "2026-02-27.md", "".join(f"- line {n} of a long and busy day\n" for n in range(3000)))

    line = tick(koog, "--idle", "--deadline", "6")

    assert 0 < asked.count("mine") <= 4  # the miner alone would make six calls
    assert by_step(line)["mine"] == ("ok", None)
    mined = json.loads((workspace / "memory/meta/cursors.json").read_text())["mine"]["files"]
    assert 0 < mined["memory/2026-02-27.md"]["bytes"] < path.stat().st_size  # what was mined in time is kept
    assert line["heartbeat"] == "HEARTBEAT_OK"


def test_overlapping_ticks_are_one_run_and_one_busy(koog, workspace):
    kept = snapshot(workspace)
    with (workspace / ".koog/tick.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)

        code, line = koog("tick", "--now", NOW)

    assert (code, line["error"]["code"], line["error"]["retryable"]) == (9, "busy", True)
    assert snapshot(workspace) == kept


def test_of_two_ticks_started_together_one_runs_and_one_is_busy(workspace):
    command = [sys.executable, "-m", "koog", "tick", "--now", NOW]

    ticks = [subprocess.Popen(command, cwd=workspace, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for _ in "ab"]
    told = [json.loads(t.communicate(timeout=120)[0]) for t in ticks]

    done = [line for line in told if line["ok"]]
    assert len(lines(workspace)) == 2 * len(done)  # an entry and its output each
    assert all(line["ok"] or line["error"]["code"] == "busy" for line in told)
    assert done


def test_a_dry_run_goes_through_every_step_and_changes_nothing_on_disk(koog, workspace):
    note(workspace, "2026-02-27.md", DECIDED)
    (workspace / "MEMORY.md").write_text("# Memory\n")
    kept, head = snapshot(workspace), git(workspace, "rev-parse", "HEAD")
    private = sorted(p.name for p in (workspace / ".koog").iterdir())

    line = tick(koog, "--idle", "--dry-run")

    assert by_step(line) == dict.fromkeys(STEPS, ("ok", None))
    assert line["changes"]["added"]
    assert {c["path"] for c in line["_meta"]["changes"]} >= {PLAYBOOK, f"{LOGS}/2026-02-28.jsonl"}
    assert snapshot(workspace) == kept
    assert git(workspace, "rev-parse", "HEAD") == head
    assert sorted(p.name for p in (workspace / ".koog").iterdir()) == private


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ("useful", {"spawnId": None, "outcome": "useful"}),
        ("ignored:s1", {"spawnId": "s1", "outcome": "ignored"}),
        ("error:a:b", {"spawnId": "a:b", "outcome": "error"}),
    ],
)
def test_what_became_of_a_spawn_is_logged(koog, workspace, given, outcome):
    tick(koog, "--spawn-outcome", given)

    assert lines(workspace)[0]["spawnOutcome"] == outcome


@pytest.mark.parametrize("given", ["", "great", "timeout", "useful-ish"])
def test_another_outcome_is_a_usage_error(koog, workspace, given):
    code, line = koog("tick", "--now", NOW, "--spawn-outcome", given)

    assert (code, line["error"]["code"]) == (2, "usage")
    assert lines(workspace) == []


def test_a_late_spawn_times_out_in_the_log(koog, workspace):
    logged(workspace, entry(before(hours=5), actionsConsidered=did("sessions_spawn", "find it", "s1")))
    logged(workspace, *(entry(before(hours=n)) for n in (4, 3, 2)))

    tick(koog)

    mine = next(row for row in lines(workspace) if row.get("tickId") == NOW)
    assert mine["spawnOutcome"] == {"spawnId": "s1", "outcome": "timeout"}


def test_a_second_tick_in_the_same_second_has_an_id_of_its_own(koog, workspace):
    first, second = tick(koog), tick(koog)

    assert (first["tickId"], second["tickId"]) == (NOW, f"{NOW}-2")
    assert first["receipt"] != second["receipt"]


def test_the_module_stack_is_told(koog, workspace):
    assert tick(koog)["moduleStack"] == [{"id": "base-behaviors", "priority": 0, "approval": None}]


def test_a_months_tick_with_the_builtin_engine_is_whole(koog, sample):
    line = tick(koog, "--idle", now="2026-02-28T18:00:00Z")

    assert line["degraded"] == []
    assert line["minedSources"]
    assert line["effectiveness"]["outputs"] >= 1
    assert line["heartbeat"] == "HEARTBEAT_OK"


def test_the_summary_may_come_by_standard_input(workspace):
    done = process("tick", "--now", NOW, "--session-summary", "-", cwd=workspace, stdin="Wrote notes")

    assert json.loads(done.stdout)["sessionSummary"] == "Wrote notes"


def test_the_real_clock_is_used_without_now(koog, workspace):
    code, line = koog("tick")

    assert code == 0
    assert abs((datetime.now(UTC) - datetime.fromisoformat(line["tickId"])).total_seconds()) < 60


def test_an_output_that_was_said_is_not_said_again_by_the_next_tick(koog, workspace, llm):
    logged(workspace, entry(before(hours=3), output=said(ANSWERS["synthesize"]["suggestion"], "Other words")))
    llm.always(answering())

    line = tick(koog, "--active")

    assert line["output"] is None
    assert "repeats a recent output" in line["skipReason"]


def test_a_gate_that_cannot_close_is_a_failure_and_what_the_steps_wrote_is_committed(koog, workspace):
    note(workspace, "2026-02-27.md", DECIDED)
    (workspace / "memory/playbook-logs/2026-02-28.jsonl").mkdir(parents=True)

    code, line = koog("tick", "--now", NOW, "--idle")

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert "playbook-logs/2026-02-28.jsonl" in line["error"]["message"]
    assert "memory/meta/cursors.json" in git(workspace, "show", "--name-only", "--format=", "HEAD").splitlines()


def test_a_summary_outside_ascii_does_not_make_the_line_long(koog, workspace):
    code, line = koog("tick", "--now", NOW, "--session-summary", "\N{GRINNING FACE}" * 2000)

    assert code == 0
    assert len(json.dumps(line)) < 10_000
    assert lines(workspace)[0]["sessionHistorySummary"] == "\N{GRINNING FACE}" * 2000


def test_an_idle_tick_with_nothing_new_asks_no_model_and_still_closes_the_gate(koog, workspace, llm):
    note(workspace, "2026-02-27.md", DECIDED)
    llm.always(answering())
    tick(koog, "--idle")
    asked = len(llm.requests)

    line = tick(koog, "--idle", now="2026-02-28T12:30:00Z")

    assert len(llm.requests) == asked
    assert line["receipt"].startswith("2026-02-28T12:30:00Z#")
    assert line["degraded"] == []
    steps = by_step(line)
    assert (steps["signal"], steps["synthesize"]) == (("skipped", "nothing_new"), ("skipped", "nothing_new"))
    assert {steps[name] for name in ("backup", "mine", "feedback", "curate", "log")} == {("ok", None)}
    assert line["skipReason"] == "nothing new"
    rows = lines(workspace)
    assert rows[-2]["actionsConsidered"] == [
        {"action": "skip", "chosen": True, "spawnId": None, "task": None, "reason": "nothing new"}
    ]
    assert (rows[-1]["_type"], rows[-1]["skipReason"]) == ("output", "nothing new")


@pytest.mark.parametrize(
    "news",
    [
        lambda koog, ws: note(ws, "2026-02-28.md", "- Decided on pnpm because its store is shared\n"),
        lambda koog, ws: koog("feedback", "--now", NOW, "--scores", json.dumps({NOW: 0.9})),
        lambda koog, ws: ("--session-summary", "The user wrote from the train: the release moves to Friday."),
        lambda koog, ws: ("--spawn-outcome", "useful"),
        lambda koog, ws: ("--active",),
    ],
    ids=["a note", "a score", "a summary", "a spawn's outcome", "a person"],
)
def test_whatever_is_new_is_judged_again(koog, workspace, llm, news):
    note(workspace, "2026-02-27.md", DECIDED)
    llm.always(answering())
    tick(koog, "--idle")
    asked = len(llm.requests)

    argv = news(koog, workspace)

    argv = argv if isinstance(argv, tuple) and isinstance(argv[0], str) else ("--idle",)
    tick(koog, *argv, *([] if "--active" in argv else ["--idle"]), now="2026-02-28T12:30:00Z")
    assert len(llm.requests) > asked


def test_an_idle_tick_of_the_builtin_engine_looks_in_any_case(koog, workspace):
    tick(koog, "--idle")

    line = tick(koog, "--idle", now="2026-02-28T12:30:00Z")

    assert {by_step(line)[name] for name in STEPS} == {("ok", None)}


def test_a_synthesis_that_failed_is_in_the_log_with_its_reason(koog, workspace, llm):
    llm.always(answering(synthesize=None))

    line = tick(koog, "--active")

    assert line["degraded"] == ["synthesize"]
    assert line["skipReason"] == "synthesize: llm_unusable"
    assert lines(workspace)[-1] == {
        "_type": "output",
        "tickId": NOW,
        "ts": NOW,
        "output": None,
        "skipped": True,
        "skipReason": "synthesize: llm_unusable",
        "failed": "llm_unusable",
    }


def test_what_a_failed_tick_did_not_judge_is_judged_by_the_next_one(koog, workspace, llm):
    llm.always("I would rather not.")
    tick(koog, "--idle", "--session-summary", "Postgres replication stopped after the disk filled up")
    llm.always(answering())
    asked = len(llm.requests)

    line = tick(
        koog,
        *("--idle", "--session-summary", "Postgres replication stopped after the disk filled up"),
        now="2026-02-28T12:30:00Z",
    )

    assert len(llm.requests) > asked
    assert line["degraded"] == []


def test_what_a_caller_hides_in_the_summary_is_not_told_back(koog, workspace):
    secret = "sk-or-v1-" + "0123456789abcdef" * 4

    line = tick(koog, "--session-summary", f"The key is {secret} <private>and a secret</private> today")

    assert secret not in json.dumps(line)
    assert "a secret" not in json.dumps(line)


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1"])
def test_a_deadline_is_a_number_of_seconds(koog, workspace, seconds):
    code, line = koog("tick", "--now", NOW, "--deadline", seconds)

    assert (code, line["error"]["code"]) == (2, "usage")


def test_with_commits_off_a_tick_makes_none(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    note(workspace, "2026-02-27.md", DECIDED)
    head = git(workspace, "rev-parse", "HEAD")

    line = tick(koog, "--idle")

    assert by_step(line)["backup"] == ("skipped", "off")
    assert line["degraded"] == []
    assert git(workspace, "rev-parse", "HEAD") == head


def test_a_days_budget_stops_the_model_for_the_day_and_no_tick(koog, workspace, monkeypatch, llm):
    """Three days of a tick every four hours, each with a note: the circuit opens each day, and closes at midnight."""
    monkeypatch.setenv("KOOG_BUDGET_TOKENS_PER_DAY", "20000")
    monkeypatch.setenv("KOOG_TIMEZONE", "America/New_York")  # five hours behind UTC: its day ends at 05:00Z
    llm.always(answering(), usage=(1200, 300))
    asked, refused = {}, {}

    for hour in range(5, 5 + 3 * 24, 4):
        now = datetime(2026, 2, 26, tzinfo=UTC) + timedelta(hours=hour)
        day = (now - timedelta(hours=5)).date().isoformat()
        note(workspace, f"{day}-{hour}.md", f"- Decided on plan {hour} because the build of hour {hour} was slow\n")
        before = len(llm.requests)
        line = tick(koog, "--idle", now=now.strftime("%Y-%m-%dT%H:%M:%SZ"))
        assert line["heartbeat"] == "HEARTBEAT_OK"
        asked.setdefault(day, []).append(len(llm.requests) - before)
        refused[day] = refused.get(day, 0) + sum(row["code"] == "refused" for row in line["steps"])

    assert len(asked) == 3
    for day, calls in asked.items():
        assert calls[0] > 0, "a new day is a new budget"
        assert calls[-1] == 0, "the budget was used up"
        assert refused[day] > 0
    ledger = [json.loads(row) for row in (workspace / "memory/meta/usage.jsonl").read_text().splitlines()]
    for day in asked:
        spent = [r for r in ledger if (datetime.fromisoformat(r["ts"]) - timedelta(hours=5)).date().isoformat() == day]
        assert sum((r.get("promptTokens") or 0) + (r.get("completionTokens") or 0) for r in spent) <= 20_000 + 1_500, (
            "one call beyond at most"
        )
