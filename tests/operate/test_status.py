"""`koog status`: one read-only look at everything, whatever state the workspace is in."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core import clock
from koog.heartbeat import ticks
from koog.operate import due, health, logs
from koog.operate.status_view import sections
from tests.conftest import examples, git, process, registered
from tests.logs import LOGS, NOW, ODD_ENTRY, before, did, entry, logged, note, playbook, said

WHEN = datetime.fromisoformat(NOW)
CURSORS = "memory/meta/cursors.json"
PROPOSALS = "memory/meta/pending-memories.md"


@pytest.fixture
def status(koog):
    """Return the reply of one look at NOW."""

    def look(*argv: str) -> dict:
        code, line = koog("status", "--now", NOW, *argv)
        assert code == 0, line
        return line

    return look


def put(workspace: Path, name: str, text: str | bytes) -> Path:
    path = workspace / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def what(line: dict) -> dict[str, dict]:
    return {row["what"]: row for row in line["due"]}


def rated(ts: str, score: float) -> list[dict]:
    """Return a tick with an output, and the host's score of it."""
    return [entry(ts, output=said("do it")), {"_type": "score", "tickId": ts, "ts": ts, "compositeScore": score}]


# --- a quiet workspace


def test_an_empty_workspace_is_healthy_and_waits_for_its_first_tick(workspace, status):
    line = status()

    assert line["healthy"] is True
    assert line["problems"] == []
    assert line["lastTick"] is None
    assert line["directive"] == "insufficient_data"
    assert (line["history"], line["spawnsAwaited"], line["failures"], line["cronErrors"]) == ([], [], [], [])
    assert line["due"] == [{"what": "tick", "since": None, "detail": "no tick has run yet", "command": "koog tick"}]
    assert line["workspace"] == str(workspace)
    assert "warnings" not in line["_meta"]


def test_nothing_is_written_and_no_lock_is_asked_for(sample, status):
    note(sample, "2026-02-28-new.md", "The build failed again.\n")
    whole = {p: p.stat().st_mtime_ns for p in sorted(sample.rglob("*"))}
    with (sample / ".koog/lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        whole[sample / ".koog/lock"] = (sample / ".koog/lock").stat().st_mtime_ns
        whole.pop(sample / ".koog")

        status()

    assert {p: p.stat().st_mtime_ns for p in sorted(sample.rglob("*")) if p != sample / ".koog"} == whole


def test_the_sample_month_is_told_within_one_short_line(sample, status):
    line = status()

    assert line["lastTick"]["path"].startswith("memory/playbook-logs/2026-02-")
    assert [row["week"] for row in line["history"]] == ["2026-W08", "2026-W09"]
    assert what(line)["notes"]["detail"].endswith("the oldest memory/2026-02-01.md")
    assert len(json.dumps(line)) < 10_000


# --- the last tick


def test_the_receipt_is_the_one_that_log_printed(sample, koog, status):
    _, closed = koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW, idle=True)))

    last = status()["lastTick"]

    assert last["receipt"] == closed["receipt"]
    assert last["tickId"] == NOW
    assert last["path"] == closed["path"]
    assert (last["idle"], last["ageMinutes"], last["degraded"]) == (True, 0, [])


def test_the_last_tick_is_the_newest_up_to_now_wherever_its_line_stands(workspace, status):
    logged(workspace, entry(before(minutes=30)), entry(before(minutes=90)), entry(before(minutes=-60)))

    assert status()["lastTick"]["ageMinutes"] == 30


def test_a_last_tick_of_years_ago_is_found_in_its_dated_folder(workspace, status):
    old = "2023-05-04T10:00:00Z"
    put(workspace, f"{LOGS}/2023-05/2023-05-04.jsonl", json.dumps(entry(old)) + "\n")

    line = status()

    assert line["lastTick"]["ts"] == old
    assert line["lastTick"]["path"] == f"{LOGS}/2023-05/2023-05-04.jsonl"
    assert line["problems"] == ["the heartbeat is overdue"]


def test_a_line_without_a_tick_id_has_no_receipt(workspace, status):
    logged(workspace, {"ts": before(minutes=5), "signals": []})

    assert status()["lastTick"]["receipt"] is None


# --- effectiveness over time


def test_directive_and_effectiveness_are_those_of_feedback(sample, koog, status):
    _, fed = koog("feedback", "--now", NOW)

    line = status()

    assert line["directive"] == fed["curateDirective"]
    assert line["effectiveness"] == fed["effectiveness"]
    assert line["effectivenessAlert"] is fed["effectivenessAlert"]


def test_a_bad_week_and_a_good_one_stand_in_rows_of_their_own(workspace, status):
    bad = [f"2026-02-1{n}T10:00:00Z" for n in range(6, 10)] + ["2026-02-22T23:59:59Z"]  # Monday to Sunday
    good = ["2026-02-23T00:00:00Z", *(f"2026-02-2{n}T10:00:00Z" for n in range(4, 8))]
    for ts in bad:
        logged(workspace, *rated(ts, -0.5))
    for ts in good:
        logged(workspace, *rated(ts, 0.9))

    weeks = status()["history"]

    assert weeks == [
        {
            "week": "2026-W08",
            "ticks": 5,
            "outputs": 5,
            "positive": 0,
            "negative": 5,
            "rate": 0.0,
            "directive": "aggressive_prune",
        },
        {
            "week": "2026-W09",
            "ticks": 5,
            "outputs": 5,
            "positive": 5,
            "negative": 0,
            "rate": 1.0,
            "directive": "stability",
        },
    ]


def test_a_week_begins_at_the_users_midnight():
    log = ticks.join([entry("2026-02-22T22:30:00Z"), entry("2026-02-22T23:30:00Z")])

    rows = logs.weeks(log, now=WHEN, zone=ZoneInfo("Europe/Zurich"))

    assert [(r["week"], r["ticks"]) for r in rows] == [("2026-W08", 1), ("2026-W09", 1)]


def test_twelve_weeks_are_told_and_a_week_without_ticks_is_a_row_too(workspace, status):
    logged(workspace, entry("2025-12-07T23:59:59Z"), entry("2025-12-08T00:00:00Z"), entry(before(days=1)))

    weeks = status()["history"]

    assert len(weeks) == 12
    assert (weeks[0]["week"], weeks[0]["ticks"]) == ("2025-W50", 1)
    assert (weeks[1]["week"], weeks[1]["ticks"], weeks[1]["rate"]) == ("2025-W51", 0, None)
    assert (weeks[-1]["week"], weeks[-1]["ticks"]) == ("2026-W09", 1)


def test_logs_in_dated_folders_count_like_those_beside_them(sample, status):
    flat = status()
    for path in (sample / LOGS).glob("*.jsonl"):
        month = path.parent / path.name[:7]
        month.mkdir(exist_ok=True)
        path.rename(month / path.name)

    dated = status()

    assert dated["history"] == flat["history"]
    assert dated["lastTick"]["receipt"] == flat["lastTick"]["receipt"]


@given(st.lists(ODD_ENTRY, max_size=6))
@settings(max_examples=examples(40), deadline=None)
def test_whatever_is_logged_each_tick_is_in_one_week(rows):
    log = ticks.join(rows, until=WHEN)

    weeks = logs.weeks(log, now=WHEN, zone=UTC)

    assert sum(w["ticks"] for w in weeks) == len({e["tickId"] for e in log.entries})


# --- spawns, modules, budget


def test_spawns_are_awaited_until_a_tick_reports_on_them(workspace, status):
    spawned = [
        entry(before(hours=3), actionsConsidered=did("sessions_spawn", "find the leak", "s1")),
        entry(before(hours=2), actionsConsidered=did("sessions_spawn", "fix the map", "s2")),
        entry(before(hours=1), spawnOutcome={"spawnId": "s1", "outcome": "useful"}),
    ]
    logged(workspace, *spawned)

    rows = status()["spawnsAwaited"]

    assert rows == [{"spawnId": "s2", "since": before(hours=2), "task": "fix the map", "ticks": 1}]


def test_the_active_modules_are_the_stack(workspace, koog, status):
    _, stack = koog("module", "stack")

    assert status()["modules"] == stack["stack"]
    assert stack["stack"] != []


def test_a_budget_that_is_used_up_is_due_and_a_problem(workspace, status, monkeypatch):
    monkeypatch.setenv("KOOG_BUDGET_TOKENS_PER_DAY", "100")
    call = {"ts": before(hours=1), "promptTokens": 90, "completionTokens": 10, "costUsd": 0.5}
    put(workspace, "memory/meta/usage.jsonl", json.dumps(call) + "\n")

    line = status()

    assert line["budget"] == {"tokensUsed": 100, "tokensPerDay": 100, "usdUsed": 0.5, "usdPerDay": None}
    assert what(line)["budget"]["command"] == "koog usage --since 1d"
    assert line["problems"] == ["the day's budget is used up"]


def test_a_ledger_line_without_bounds_spends_nothing(workspace, status):
    put(workspace, "memory/meta/usage.jsonl", json.dumps({"ts": NOW, "costUsd": "inf", "promptTokens": 5}) + "\n")

    assert status()["budget"]["usdUsed"] == 0


# --- git


def test_commits_wait_for_a_push_since_the_oldest_of_them(workspace, tmp_path, status):
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    git(workspace, "remote", "add", "origin", str(remote))
    git(workspace, "push", "-q", "origin", "main")
    pushed = status()
    for days in (3, 1):
        note(workspace, f"a{days}.md", "x\n")
        git(workspace, "add", "-A")
        date = before(days=days)
        subprocess.run(
            ["git", "commit", "-qm", "x"], cwd=workspace, check=True, env={**os.environ, "GIT_COMMITTER_DATE": date}
        )

    line = status()

    assert "unpushed" not in what(pushed)
    assert pushed["git"] == {"branch": "main", "hindrance": None, "uncommitted": 0, "unpushed": 0, "remote": "origin"}
    assert line["git"]["unpushed"] == 2
    assert what(line)["unpushed"] == {
        "what": "unpushed",
        "since": before(days=3),
        "detail": "2 commits not pushed to origin",
        "command": "koog backup",
    }
    assert line["problems"] == ["commits have waited for a push for over a day"]


def test_a_remote_that_never_got_anything_lacks_every_commit(workspace, tmp_path, status):
    git(workspace, "remote", "add", "origin", str(tmp_path / "nowhere.git"))

    assert status()["git"]["unpushed"] == 1


def test_without_a_remote_nothing_waits_for_a_push(workspace, status):
    line = status()

    assert (line["git"]["unpushed"], line["git"]["remote"]) == (None, None)
    assert "unpushed" not in what(line)


def test_files_wait_for_a_commit_since_the_oldest_was_written(workspace, status):
    registered(workspace, git_backup="all")
    for name, days in (("a.md", 2), ("b.md", 5)):
        moment = (WHEN - timedelta(days=days)).timestamp()
        os.utime(note(workspace, name, "x\n"), (moment, moment))

    row = what(status())["uncommitted"]

    assert (row["since"], row["detail"]) == (before(days=5), "2 files not committed")


def test_a_detached_head_is_a_problem(workspace, status):
    git(workspace, "checkout", "-q", "--detach")

    line = status()

    assert (line["git"]["branch"], line["git"]["hindrance"]) == (None, "detached HEAD")
    assert line["problems"] == ["git takes no commit: detached HEAD"]


def test_without_a_repository_git_is_null(workspace, status):
    (workspace / ".git").rename(workspace.parent / "git-elsewhere")

    line = status()

    assert line["git"] is None
    assert "warnings" not in line["_meta"]


# --- what is due


@pytest.mark.parametrize(("minutes", "overdue"), [(60, False), (61, True)])
def test_a_tick_is_overdue_after_twice_the_usual_half_hour(workspace, status, minutes, overdue):
    logged(workspace, entry(before(minutes=minutes)))

    line = status()

    assert ("tick" in what(line)) is overdue
    assert line["healthy"] is not overdue


@pytest.mark.parametrize(
    ("gaps", "usual"),
    [([], 30), ([60, 60, 60], 60), ([60, 60, 600, 60], 60), ([1, 1, 1], 30), ([30] * 20 + [900] * 30, 30)],
    ids=["none", "hourly", "a night off", "a burst", "only the newest count"],
)
def test_the_usual_interval_is_the_median_of_the_newest_gaps_and_never_below_half_an_hour(gaps, usual):
    moments = [WHEN]
    for gap in gaps:
        moments.append(moments[-1] - timedelta(minutes=gap))

    assert due.interval(moments) == timedelta(minutes=usual)


def test_notes_are_due_until_they_are_mined_and_findings_until_they_are_curated(workspace, koog, status):
    text = "- Never push on Fridays: the deploy failed three times.\n- Mika prefers pnpm over npm.\n"
    for day in ("2026-02-26", "2026-02-27"):
        note(workspace, f"{day}.md", text)
    before_mining = what(status())
    _, mined = koog("mine", "--now", NOW)
    after_mining = what(status())
    koog("curate", "--now", NOW)
    after_curating = what(status())

    assert mined["evidence"] != []
    assert before_mining["notes"] == {
        "what": "notes",
        "since": "2026-02-26T00:00:00Z",
        "detail": "2 notes not mined, the oldest memory/2026-02-26.md",
        "command": "koog mine",
    }
    assert "notes" not in after_mining
    assert after_mining["findings"]["since"] == f"{min(r['date'] for r in mined['evidence'])}T00:00:00Z"
    assert after_mining["findings"]["detail"].startswith(f"{len(mined['evidence'])} finding")
    assert not {"notes", "findings"} & set(after_curating)


@pytest.mark.parametrize(
    ("since", "told"),
    [
        ("2026-02-27", None),
        ("2026-02-26", "over 48 hours"),
        ("2026-02-22", "over 48 hours"),
        ("2026-02-21", "over 7 days"),
    ],
)
def test_an_open_problem_is_due_after_48_hours_and_again_after_7_days(since, told):
    rows = due.items(f"- The map crashes [since: {since}]\n", now=WHEN)

    assert [re.search("over .*(?=,)", r["detail"])[0] for r in rows] == ([told] if told else [])


@pytest.mark.parametrize(("seconds", "told"), [(-1, []), (0, ["over 48 hours"])])
def test_an_open_problem_is_due_at_48_hours_to_the_second(seconds, told):
    midnight = datetime(2026, 2, 28, tzinfo=UTC)

    rows = due.items("- The map crashes [since: 2026-02-26]\n", now=midnight + timedelta(seconds=seconds))

    assert [re.search("over .*(?=,)", r["detail"])[0] for r in rows] == told


def test_a_deferred_item_is_not_due_and_the_oldest_open_one_is_named(workspace, status):
    playbook(
        workspace,
        "- The map crashes [since: 2026-02-01]",
        "- The login is slow [since: 2026-01-20]",
        '- The fan is loud [deferred: 2026-02-01, reason: "x"]',
    )

    row = what(status())["items"]

    assert row["since"] == "2026-01-20T00:00:00Z"
    assert row["detail"] == "2 items open over 7 days, the oldest: The login is slow"


def test_pending_proposals_are_due_and_decided_ones_are_not(workspace, status):
    blocks = [
        f"---\n## Proposal #{n}\n- **Timestamp**: {before(days=n)}\n- **Content**: x\n- **Status**: {state}\n"
        for n, state in enumerate(("pending", "accepted", "pending", "rejected"), 1)
    ]
    put(workspace, PROPOSALS, "# Pending\n\n" + "\n".join(blocks))

    row = what(status())["proposals"]

    assert (row["detail"], row["since"]) == ("2 proposals wait for review", before(days=3))
    assert row["command"] == "koog review list"


# --- failures


def test_a_command_that_failed_is_told_and_is_a_problem_until_the_next_tick(workspace, koog, status):
    put(workspace, "modules/module-registry.json", "{")
    failed, _ = koog("module", "stack", "--now", before(minutes=20))
    git(workspace, "checkout", "-q", "--", "modules")
    first = status()
    logged(workspace, entry(before(minutes=10)))
    second = status()

    assert failed == 8
    assert [(r["ts"], r["command"], r["code"]) for r in first["failures"]] == [
        (before(minutes=20), "module stack", "workspace")
    ]
    assert first["problems"][0].startswith("koog module stack failed: modules/module-registry.json")
    assert second["failures"] == first["failures"]
    assert second["problems"] == []


def test_degraded_ticks_of_seven_days_stand_among_the_failures(workspace, status):
    steps = {"degraded": ["signal", "curate"], "skipReason": "signal: llm_unavailable; curate: budget"}
    logged(workspace, entry(before(days=7, minutes=1), **steps), entry(before(days=7), **steps))
    logged(workspace, entry(before(minutes=5), degraded=["mine"]))

    line = status()

    assert line["failures"] == [
        {"ts": before(minutes=5), "command": "tick", "code": "degraded", "message": "mine"},
        {"ts": before(days=7), "command": "tick", "code": "degraded", "message": steps["skipReason"]},
    ]
    assert line["lastTick"]["degraded"] == ["mine"]
    assert line["problems"] == ["the last tick was degraded: mine"]


def test_the_newest_ten_failures_are_told(workspace, status):
    rows = [
        {"ts": before(hours=n), "command": "tick", "code": "workspace", "message": f"no {n}"} for n in range(30, 0, -1)
    ]
    put(workspace, ".koog/failures.jsonl", "".join(json.dumps(r) + "\n" for r in rows) + '{"ts": "2026-')

    assert [r["message"] for r in status()["failures"]] == [f"no {n}" for n in range(1, 11)]


def test_what_cron_said_is_told_by_its_last_lines(workspace, status):
    lines = [f"line {n}" for n in range(9)]
    path = put(workspace, ".koog/cron.err", "\n".join(lines).encode() + b"\n/bin/sh: koog\xff: not found\n\n")
    moment = WHEN.timestamp() - 3600
    os.utime(path, (moment, moment))
    recent = status()
    os.utime(path, (moment - 86400, moment - 86400))
    old = status()

    assert recent["cronErrors"][:4] == lines[-4:]
    assert recent["cronErrors"][4].startswith("/bin/sh: koog")
    assert recent["problems"] == ["cron wrote errors within the last day"]
    assert old["problems"] == []


# --- a damaged workspace


def fifo(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


DAMAGE = {
    "registry": (lambda w: put(w, "modules/module-registry.json", "{ torn"), "modules"),
    "config": (lambda w: put(w, "koog-config.json", "not json"), "budget"),
    "cursors": (lambda w: put(w, CURSORS, "{"), None),
    "cursors as a pipe": (lambda w: fifo(w / CURSORS), None),
    "ledger as a pipe": (lambda w: fifo(w / "memory/meta/usage.jsonl"), "budget"),
    "log leads outside": (lambda w: (w / LOGS / "2026-02-27.jsonl").symlink_to("/etc/hostname"), "directive"),
    "playbook as a folder": (lambda w: (w / "memory/sinain-playbook.md").mkdir(), None),
    "proposals lead outside": (
        lambda w: ((w / "memory/meta").mkdir(), (w / PROPOSALS).symlink_to("/etc/hostname")),
        None,
    ),
    "note leads outside": (lambda w: (w / "memory/2026-02-27.md").symlink_to("/etc/hostname"), None),
    "git": (lambda w: ((w / ".git").rename(w.parent / "g"), put(w, ".git", "gitdir: /nowhere")), "git"),
    "cron.err as a pipe": (lambda w: fifo(w / ".koog/cron.err"), None),
}


@pytest.mark.wide(6)
@pytest.mark.parametrize("name", DAMAGE)
def test_a_part_that_cannot_be_read_is_a_warning_and_the_other_parts_still_come(workspace, status, name):
    damage, part = DAMAGE[name]
    logged(workspace, entry(before(minutes=5)))
    damage(workspace)

    line = status()

    assert line["lastTick"]["ageMinutes"] == 5
    assert len(line["_meta"]["warnings"]) >= 1
    assert line["healthy"] is False
    if part and part != "budget":
        assert line[part] is None
    assert line["modules"] is not None or part == "modules"


def test_without_the_workspaces_config_the_operators_still_counts(workspace, status, monkeypatch):
    monkeypatch.setenv("KOOG_BUDGET_TOKENS_PER_DAY", "7")
    put(workspace, "koog-config.json", '{"timezone": "Nowhere/Land"}')

    line = status()

    assert line["budget"]["tokensPerDay"] == 7
    assert line["_meta"]["warnings"] == ["config: timezone: no zone 'Nowhere/Land'"]
    assert line["problems"] == ["1 part could not be read: see the warnings"]


def test_a_log_of_torn_foreign_and_odd_lines_still_has_its_ticks(workspace, status):
    logged(
        workspace, entry(before(minutes=5), degraded="all", skipReason=7), '{"ts": "2026-02-28T11:', "[1,2]", "\0\0\0"
    )
    put(workspace, f"{LOGS}/2026-02-27.jsonl", b"\xff\xfe{}\n" + json.dumps(entry(before(days=1))).encode())
    put(workspace, f"{LOGS}/notes.jsonl", "{}\n")

    line = status()

    assert line["lastTick"]["degraded"] == []
    assert line["lastTick"]["skipReason"] is None
    assert [w["ticks"] for w in line["history"]] == [2]


def test_a_workspace_that_is_none_is_not_found(tmp_path):
    done = process("status", cwd=tmp_path)

    assert done.returncode == 4
    assert json.loads(done.stdout)["error"]["code"] == "not_found"


# --- problems


QUIET = {"lastTick": None, "git": None, "due": [], "failures": [], "effectivenessAlert": False, "alerts": []}


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({}, []),
        ({"effectivenessAlert": True}, ["fewer than two in five outputs were good"]),
        ({"due": [{"what": "tick", "since": None}]}, []),
        ({"due": [{"what": "unpushed", "since": before(days=1)}]}, []),
        (
            {"due": [{"what": "unpushed", "since": before(days=1, seconds=1)}]},
            ["commits have waited for a push for over a day"],
        ),
        ({"failures": [{"ts": before(days=1, seconds=1), "command": "x", "code": "bug", "message": "m"}]}, []),
        (
            {"failures": [{"ts": before(hours=23), "command": "x", "code": "bug", "message": "m"}]},
            ["koog x failed: m"],
        ),
        ({"failures": [{"ts": "soon", "command": "x", "code": "bug", "message": "m"}]}, []),
    ],
)
def test_a_problem_is_what_somebody_has_to_look_at(keys, told):
    assert health.problems({**QUIET, **keys}, now=WHEN, begun=WHEN, cron_at=None, unread=0) == told


def test_a_workspace_in_which_no_tick_ever_ran_is_a_problem_after_a_day():
    def wrong(**ago):
        begun = WHEN - timedelta(**ago)
        return health.problems({**QUIET, "lastTick": None}, now=WHEN, begun=begun, cron_at=None, unread=0)

    assert wrong(hours=23) == []
    assert wrong(days=1, seconds=1) == ["no tick has ever run here"]


def test_what_a_broken_shell_said_is_shown_without_its_secrets(workspace, status):
    secret = "sk-or-v1-" + "0123456789abcdef" * 4
    (workspace / ".koog/cron.err").write_text(f"curl: bad key {secret}\n")

    told = status()["cronErrors"]

    assert len(told) == 1 and "curl: bad key" in told[0]
    assert secret not in told[0]


def test_a_link_that_leads_outside_does_not_hide_the_repository(workspace, status):
    registered(workspace, git_backup="all")
    (workspace / "h").symlink_to("/etc/hostname")

    assert status()["git"]["uncommitted"] == 1


def test_a_failed_synthesis_degrades_its_tick_although_the_entry_stood_before_it(workspace, koog, status, llm):
    llm.always("I would rather not.")

    assert koog("tick", "--now", before(minutes=5), "--active")[1]["degraded"][-1] == "synthesize"

    found = status()
    assert found["lastTick"]["degraded"][-1] == "synthesize"
    assert found["healthy"] is False


# --- for people


COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]")


def on_terminal(*argv: str, cwd: Path, **env: str) -> str:
    """Run koog with a terminal as standard output; return what the person sees."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "koog", *argv]
    given = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", **env}
    child = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=theirs, env=given)
    os.close(theirs)
    shown = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux says EIO where others say end of file
            break
        if not chunk:
            break
        shown += chunk
    os.close(ours)
    assert child.wait(timeout=120) == 0
    return shown.decode()


def test_a_person_sees_tables_of_80_columns_without_json_or_escapes_in_a_pipe(sample):
    put(sample, "memory/meta/usage.jsonl", "")

    done = process("status", "--human", "--now", NOW, cwd=sample)

    assert done.returncode == 0
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    assert not set(done.stdout) & set("{}\x1b")
    assert re.search(r"^last tick +\d+ (min|h|days) ago", done.stdout, re.MULTILINE)
    assert re.search(r"^By week  [▁▂▃▄▅▆▇█·]{2} *$", done.stdout, re.MULTILINE)
    assert "→ koog mine" in done.stdout


def test_levels_are_coloured_on_a_terminal_unless_no_colour_is_wanted(workspace):
    logged(workspace, entry(before(minutes=5), degraded=["mine"]))

    shown = on_terminal("status", "--human", "--now", NOW, cwd=workspace)
    plain = on_terminal("status", "--human", "--now", NOW, cwd=workspace, NO_COLOR="1")

    assert COLOUR.search(shown)
    assert not COLOUR.search(plain)
    assert "✗ the last tick was degraded: mine" in shown
    assert "✗ the last tick was degraded: mine" in plain


def test_a_terminal_of_ascii_shows_what_it_can(workspace, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    logged(workspace, entry(before(minutes=5)))

    done = process("status", "--human", "--now", NOW, cwd=workspace)

    assert done.returncode == 0
    assert "? healthy" in done.stdout


def test_a_task_from_a_log_cannot_drive_the_terminal(workspace):
    logged(workspace, entry(before(minutes=5), actionsConsidered=did("sessions_spawn", "\x1b[31mred\x07", "s\x1b]0;x")))

    done = process("status", "--human", "--now", NOW, cwd=workspace)

    assert "red" in done.stdout
    assert all(c == "\n" or c.isprintable() for c in done.stdout)


def test_every_part_that_has_something_is_a_section(sample, status):
    put(sample, ".koog/cron.err", "no such shell\n")
    logged(sample, entry(before(minutes=1), actionsConsidered=did("sessions_spawn", "look", "s1"), degraded=["signal"]))

    titles = [s.title for s in sections(_keys(status()), now=WHEN)]

    assert [t.split("  ")[0] for t in titles] == [
        "",
        "Now",
        "Due",
        "By week",
        "Spawns awaited",
        "Failures",
        "What cron said",
    ]


def test_an_unknown_part_is_shown_as_unknown(workspace, status):
    parts = (
        "lastTick",
        "directive",
        "effectiveness",
        "modules",
        "budget",
        "git",
        "observes",
        "transcripts",
        "knowledge",
        "memory",
    )
    keys = _keys(status()) | dict.fromkeys(parts, None) | {"way": []}

    now = sections(keys, now=WHEN)[1]

    told = ["none yet", "–", "no output scored", "–", "–", "no repository", "–", "–", "–", "–", "–"]
    assert [row[1].text for row in now.rows] == told


def _keys(line: dict) -> dict:
    return {k: v for k, v in line.items() if k not in ("ok", "_meta")}


def test_a_moment_is_written_as_every_reply_writes_it(workspace, status):
    logged(workspace, entry("2026-02-28T12:30:00+01:00"))

    assert clock.parse(status()["lastTick"]["ts"]) == WHEN - timedelta(minutes=30)


def test_a_file_that_no_backup_takes_is_due_as_a_secret_and_not_for_a_commit(workspace, status):
    registered(workspace, git_backup="all")
    secret = "sk-ant-" + "abcdefghij0123456789" * 2
    (workspace / "memory/2026-02-16.md").write_text(f"the key is {secret}\n")

    found = status()

    assert found["git"]["uncommitted"] == 0
    row = what(found)["secrets"]
    assert "memory/2026-02-16.md" in row["detail"]
    assert row["command"] == "${EDITOR:-vi} memory/2026-02-16.md"
    assert "uncommitted" not in what(found)


def test_the_way_from_talk_to_prompt_is_told_stage_by_stage_with_what_is_due(koog, workspace, status):
    folder = workspace / "knowledge/journal"
    folder.mkdir(parents=True)
    (folder / "2026-01-14.md").write_text("- the boiler hums <!-- dc:day=2026-01-14 dc:source=s:1 -->\n", "utf-8")

    before = status()
    koog("--now", NOW, "condense", "monthly")
    koog("--now", NOW, "index")
    after = status()

    assert [row["stage"] for row in before["way"]] == ["raw", "extracted", "condensed", "indexed", "compiled"]
    rows = [{row["stage"]: row for row in line["way"]} for line in (before, after)]
    assert (rows[0]["condensed"]["due"], rows[0]["indexed"]["count"]) == (1, 0)
    assert (rows[1]["condensed"]["count"], rows[1]["condensed"]["due"]) == (2, 0)
    assert rows[1]["indexed"]["count"] > 1
    assert "koog condense monthly" in [row["command"] for row in before["due"]]
    assert "koog condense monthly" not in [row["command"] for row in after["due"]]


def test_what_is_to_be_put_away_and_tagged_is_due(workspace, koog):
    put(workspace, "knowledge/journal/2026-02-20.md", "- said long ago\n")
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "mine")
    later = ("--now", "2036-01-01T12:00:00Z")  # after whatever day this runs on

    before = what(koog(*later, "status")[1])
    koog(*later, "prune")
    koog(*later, "history", "snapshot")
    after = what(koog(*later, "status")[1])

    assert before["pruning"]["detail"] == "1 file to put away" and "tags" in before
    assert not after.keys() & {"pruning", "tags"}
