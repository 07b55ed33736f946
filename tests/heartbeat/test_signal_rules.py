"""The built-in signal engine on summaries as agents write them: what it acts on, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.heartbeat.signal_rules import (
    CONFIDENCE,
    SignalInput,
    answer,
    confidence,
    open_step,
)
from tests.conftest import examples

PLAYBOOK = """## Error prevention
- On ENOSPC from file watchers raise fs.inotify.max_user_watches (score: 0.8)
- TypeError in the cart: check the coupon for null first [since: 2026-02-17]
- Docker build fails on arm64: pass --platform linux/amd64
- Keep tips short (score: 0.7)
- Temporal workers need their own queue
"""


def tick(summary: str, **more: Any) -> dict[str, Any]:
    return {"ts": "2026-02-17T10:00:00Z", "idle": False, "sessionHistorySummary": summary, "signals": []} | more


def ask(summary: str, *logs: dict[str, Any], playbook: str = "") -> Any:
    return answer(SignalInput(playbook, logs, summary))


def action(summary: str, *logs: dict[str, Any], playbook: str = "") -> tuple[str, str | None, float]:
    chosen = ask(summary, *logs, playbook=playbook)["recommendedAction"]
    return chosen["action"], chosen["task"], chosen["confidence"]


# --- errors that came back ---


@pytest.mark.parametrize(
    "summary",
    [
        "ENOSPC while starting the dev server. Rebooted, then ENOSPC.",
        "TypeError in cart.ts when the coupon is empty. Later a TypeError in checkout.ts.",
        "API returned 502 from the gateway. A minute later it got HTTP 503.",
        "The job ended with exit code 137. More memory did not help: exit code 137.",
        'Build failed: cannot resolve "@app/theme". After npm ci: build failed, cannot resolve "@app/theme".',
        "The docker build failed. Changed the base image. Failed: docker build.",
        "docker build keeps failing on the CI runner.",
        "Cargo build fails with E0502 in parser.rs. User changed the borrow, error persists.",
        "Deploy failed again with a timeout, not fixed by the restart.",
        "The heating is broken again.",
        "The payment was declined twice.",
        "The import timed out two times.",
        "The checkout page gave a 504 Gateway Timeout twice, each time gone after a reload.",
        "The upload failed yesterday. It keeps doing that.",
        'The log says "pool exhausted" at 09:10 and 11:20.',
        "Der Export ist schon wieder fehlgeschlagen.",
        "La sincronización ha vuelto a fallar, el mismo error.",
        "Le serveur a planté à nouveau.",
        "导出又失败了。",
    ],
)
def test_an_error_that_came_back_calls_for_its_root_cause(summary):
    name, task, sure = action(summary)

    assert name == "sessions_spawn"
    assert task is not None and task.startswith("Find root cause for: ")
    assert sure == 0.7


def test_the_task_quotes_the_first_clause_and_the_signal_counts_the_sightings():
    found = ask("The printer jammed for the third time this week.")

    assert found == {
        "signals": [
            {"description": "Error seen 3 times: The printer jammed for the third time this week.", "priority": "high"}
        ],
        "recommendedAction": {
            "action": "sessions_spawn",
            "task": "Find root cause for: The printer jammed for the third time this week.",
            "confidence": 0.8,
        },
    }


@pytest.mark.parametrize(
    "log",
    [
        tick("Backup ended: exit code 137 after 20 minutes."),
        tick("Quiet.", signals=[{"description": "Error seen once: exit code 137", "priority": "medium"}]),
        {"signals": ["backup: exit code 137"]},
    ],
)
def test_an_error_of_an_earlier_tick_counts_whether_summary_or_signal_told_it(log):
    name, task, sure = action("The nightly backup failed with exit code 137.", log)

    assert (name, sure) == ("sessions_spawn", 0.7)
    assert task == "Find root cause for: The nightly backup failed with exit code 137."


def test_an_earlier_tick_with_another_error_does_not_count():
    name, _, _ = action("The nightly backup failed with exit code 137.", tick("The mail import failed: ENOENT"))

    assert name == "skip"


def test_a_first_error_is_a_medium_signal_and_no_action():
    found = ask("TypeError: cannot read properties of undefined in cart.ts.")

    assert [s["priority"] for s in found["signals"]] == ["medium"]
    assert found["recommendedAction"] == {"action": "skip", "task": None, "confidence": 0.3}


def test_the_explanation_of_an_error_is_not_its_second_occurrence():
    name, _, _ = action("TypeError in cart.ts. The TypeError comes from an empty coupon.")

    assert name == "skip"


@pytest.mark.parametrize(
    "summary",
    [
        "All tests pass, no errors in the log. No errors again today. User merged the branch.",
        "CI ran twice: 212 passed, 0 failed, then 213 passed, 0 failed again.",
        "Fixed the TypeError in cart.ts by adding a null check; deploy is green.",
        "Got TypeError in parser.py twice. Fixed it with a guard and finished the ticket.",
        "Deploy failed twice with a timeout. After a restart the deploy works again.",
        "The daemon crashed five times this morning. Solved at 11: the heap was too small.",
        "connection refused six times in the log, which is what the resilience test expects.",
        "Started `fix/error-404-page` again.",
        "User improved the error handling in api.py again and wrote error messages twice.",
        "Wrote docs about failover and fail-fast, again.",
        "No longer stuck: the build works now.",
        "The query returned 500 rows, then again returned 500 rows.",
        "Without errors this time: the import finished again.",
        "Planned the trip to Lisbon with Maria; booked the hotel.",
        "User is still working on the quarterly report, good progress.",
        "No remaining tasks, nothing left to do. Next: none.",
        "Working tree clean, no uncommitted changes. No need to run it again.",
        "Meeting went well, everyone agreed on the plan for Q3.",
        "User read the news and had lunch.",
        "",
        "   \n\n - ",
    ],
)
def test_denied_mended_or_ordinary_things_call_for_nothing(summary):
    found = ask(summary)

    assert found == {"signals": [], "recommendedAction": {"action": "skip", "task": None, "confidence": 0.0}}


def test_an_error_that_persists_is_the_one_before_it():
    found = ask("Cargo build fails with E0502 in parser.rs. User changed the borrow, error persists.")

    assert [s["description"] for s in found["signals"]] == [
        "Error seen 2 times: Cargo build fails with E0502 in parser.rs."
    ]


@pytest.mark.parametrize(
    ("second", "signals"),
    [
        ("The docker build failed.", 1),
        ("The docker build of the runner failed.", 1),
        ("The build of the garage failed.", 2),
    ],
)
def test_nameless_failures_are_one_when_half_of_their_words_are_shared(second, signals):
    found = ask(f"The docker build failed. {second}")

    assert len(found["signals"]) == signals


def test_a_repair_of_one_error_leaves_the_other_open():
    found = ask("Deploy failed again with HTTP 502. ESLint crashed on startup. Fixed the ESLint crash.")

    assert [s["description"] for s in found["signals"]] == ["Error seen 2 times: Deploy failed again with HTTP 502."]


def test_a_repair_that_did_not_hold_repairs_nothing():
    name, _, _ = action("Deploy failed with a timeout twice. The restart has not fixed it.")

    assert name == "sessions_spawn"


def test_passed_tests_do_not_hide_the_failed_one_beside_them():
    found = ask("41 passed, 1 failed in test_login.")

    assert len(found["signals"]) == 1


# --- what the playbook knows ---


def test_a_playbook_line_turns_the_spawn_into_a_tip_that_quotes_it_and_is_surer():
    summary = "ENOSPC while starting the file watchers. Rebooted, then ENOSPC."

    without, with_line = action(summary), action(summary, playbook=PLAYBOOK)

    assert (without[0], without[2]) == ("sessions_spawn", 0.7)
    assert (with_line[0], with_line[2]) == ("telegram_tip", 0.8)
    assert (with_line[1] or "").startswith("Playbook: “On ENOSPC from file watchers raise fs.inotify.max_user_watches”")


def test_a_first_error_that_the_playbook_knows_is_worth_a_tip():
    assert action("docker build failed on arm64.", playbook=PLAYBOOK) == (
        "telegram_tip",
        "Playbook: “Docker build fails on arm64: pass --platform linux/amd64” (for: docker build failed on arm64.)",
        0.7,
    )


# --- a user in a loop ---


@pytest.mark.parametrize(
    ("summary", "sure"),
    [
        ("User has been stuck on the webpack config for an hour.", 0.5),
        ("The build is stuck on linking.", 0.5),
        ("Petra is stuck on the tax form.", 0.5),
        ("Going in circles with the invoice layout. Nothing helped.", 0.65),
        ("Tried `pod install` again, same result.", 0.5),
        ("Tried three fixes for the source maps.", 0.5),
        ("Went back and forth between the two drivers.", 0.5),
        ("Der Drucker druckt nicht, wir drehen uns im Kreis.", 0.5),
        ("Set TZ, unset TZ, froze time, unfroze time, bumped tzdata.", 0.5),
        ("Edited webpack.config.js, no change. Changed webpack.config.js a bit. Reverted webpack.config.js.", 0.5),
        ("Retried the upload twice. The form is still not working on the tablet. Back to square one.", 0.75),
    ],
)
def test_a_user_in_a_loop_gets_a_debugging_subagent(summary, sure):
    name, task, found_sure = action(summary)

    assert name == "sessions_spawn"
    assert task is not None and task.startswith("Debug: ")
    assert found_sure == sure


def test_a_loop_that_found_its_end_is_none():
    assert action("Tried four fixes for the source maps. Solved: one missing option.")[0] == "skip"


def test_the_loop_is_described_without_the_word_user():
    assert action("User has been stuck on the webpack config.")[1] == "Debug: stuck on the webpack config."


@pytest.mark.parametrize(
    "summary",
    [
        "We stuck to the plan.",
        "Not stuck any more, moving on.",
        "the customer portal has to work on Safari 16, the tablets on the ferries are stuck on it.",
        "The tills are still stuck on version 4.0.",
        "User is still not sure about the colour.",
        "Edited app.py for the header and changed app.py for the footer.",
        "She is running for office again.",
    ],
)
def test_working_on_something_is_no_loop(summary):
    assert ask(summary)["signals"] == []


def test_two_earlier_ticks_that_read_the_same_are_a_loop_and_one_is_not():
    same = "User aligns the totals column of the invoice template in CSS."

    assert action(same, tick(same))[0] == "skip"
    assert action(same, tick(same), tick(same))[0] == "sessions_spawn"


@pytest.mark.parametrize(
    ("summary", "logs"),
    [
        ("Quiet afternoon, no activity since the last tick.", ({},) * 2),
        ("User finished another chapter of the CSS invoice manual.", ({},) * 2),
        ("User aligns the totals column of the invoice template in CSS.", ({"idle": True},) * 2),
        ("Still here.", ({},) * 2),
    ],
)
def test_idle_ticks_and_steady_progress_are_no_loop(summary, logs):
    assert action(summary, *(tick(summary, **more) for more in logs))[0] == "skip"


@pytest.mark.parametrize(("other_words", "loop"), [(1, True), (2, False)])
def test_ticks_are_alike_while_they_differ_by_few_words(other_words, loop):
    words = "invoice template totals column css border padding header".split()
    earlier = " ".join(words[:-other_words] + ["violin", "garden", "market"][:other_words])

    assert (action(" ".join(words), tick(earlier), tick(earlier))[0] != "skip") is loop


# --- a next step left open ---


@pytest.mark.parametrize(
    ("summary", "task", "sure"),
    [
        ("Refactored the importer. Still need to push the branch.", "Push the branch", 0.6),
        ("- parser done\n- TODO: add a changelog entry", "Add a changelog entry", 0.6),
        ("Next: review the pull request of Ana.", "Review the pull request of Ana", 0.6),
        ("Next step is to book the dentist.", "Book the dentist", 0.6),
        ("Groceries in the car, forgot to buy oat milk.", "Buy oat milk", 0.6),
        (
            "Should renew the passport before booking the flight.",
            "Renew the passport before booking the flight",
            0.6,
        ),
        ("The invoice has not been sent yet.", "Open: The invoice has not been sent yet", 0.6),
        ("Three files uncommitted in the workspace.", "Three files uncommitted in the workspace", 0.6),
        (
            "Changed the schema without rerunning the migration.",
            "Changed the schema without rerunning the migration",
            0.6,
        ),
        ("Remaining: two chapters of the thesis", "Two chapters of the thesis", 0.6),
        ("Only the landlord's signature is still open.", "Only the landlord's signature", 0.6),
        ("Wrote the tax form. It is due tomorrow.", "Wrote the tax form; It is due tomorrow.", 0.75),
        ("Still need to hand in the report by tomorrow.", "Hand in the report by tomorrow", 0.75),
        ("Release notes written, still need to send them to Ana.", None, 0.6),
        ("Committed but not pushed.", "Committed; not pushed.", 0.6),
    ],
)
def test_an_open_step_becomes_a_tip_in_the_summarys_own_words(summary, task, sure):
    name, found_task, found_sure = action(summary)

    assert (name, found_sure) == ("telegram_tip", sure)
    assert found_task == (task or summary.strip("."))


@pytest.mark.parametrize(
    "summary",
    [
        "Ana has not decided anything about the colours yet.",
        "Nobody is hurt, we don't know the reason yet.",
        "The date is not yet decided.",
    ],
)
def test_what_is_undecided_is_no_step(summary):
    assert action(summary)[0] == "skip"


def test_a_step_due_tomorrow_is_a_high_signal():
    assert [s["priority"] for s in ask("The report is due tomorrow.")["signals"]] == ["high"]


def test_a_failed_test_that_was_patched_and_not_run_again_is_an_open_step():
    name, task, _ = action("test_login failed. Patched auth.py and went on with the docs.")

    assert (name, task) == ("telegram_tip", "Run it again: test_login failed.")


@pytest.mark.parametrize("end", ["Reran it.", "All green.", ""])
def test_a_failed_test_that_was_run_again_or_not_touched_is_none(end):
    patched = "Patched auth.py. " if end else ""

    assert action(f"test_login failed. {patched}{end}")[0] == "skip"


def test_a_plain_clause_leaves_no_step():
    assert open_step("We do not need to push") == ("", 0)
    assert open_step("Pushed the branch today") == ("", 0)


# --- a topic that is new here ---


@pytest.mark.parametrize(
    ("summary", "topic", "sure"),
    [
        ("User is exploring Temporal for workflow orchestration.", "Temporal", 0.6),
        ("User spent the evening looking into heat pumps for the house.", "heat pumps", 0.6),
        ("Reading about CRDTs and local-first sync.", "CRDTs", 0.6),
        ("Compared next.js with the old setup.", "next.js", 0.5),
        ("Deployed to Pulumi; set up Pulumi on the runner.", "Pulumi", 0.5),
        ("Candidate is pgvector since Postgres is there. Read half a page, no result yet.", "pgvector", 0.7),
        ("We drop Pinecone and look at Qdrant. Nothing decided so far.", "Qdrant", 0.6),
        ("Somebody suggested Zig on Tuesday. User has begun to look into it, no conclusion.", "Zig", 0.7),
        ("Neues Thema: MQTT für die Sensoren. Eine Entscheidung gibt es noch nicht.", "MQTT", 0.6),
    ],
)
def test_a_new_topic_is_researched(summary, topic, sure):
    assert action(summary) == ("sessions_spawn", f"Research {topic}", sure)


def test_a_term_merely_named_is_a_low_signal():
    found = ask("The agent answered a question on ClickHouse.")

    assert found["signals"] == [{"description": "New topic: ClickHouse", "priority": "low"}]
    assert found["recommendedAction"]["action"] == "skip"


@pytest.mark.parametrize(
    "summary",
    [
        "The demo was moved to Thursday.",
        "Standup got moved to Thursday, retro to Friday.",
        "Installed Pulumi on the runner.",
        "We looked into Svelte last month, decided against it.",
    ],
)
def test_a_day_and_what_is_merely_used_or_decided_against_are_not_researched(summary):
    assert action(summary)[0] == "skip"


@pytest.mark.parametrize(
    ("playbook", "logs"),
    [(PLAYBOOK, ()), ("", (tick("Read the Temporal docs."),)), ("", ({"signals": ["New topic: Temporal"]},))],
)
def test_a_topic_known_to_the_playbook_or_a_recent_tick_is_not_new(playbook, logs):
    assert ask("User is exploring Temporal.", *logs, playbook=playbook)["signals"] == []


@pytest.mark.parametrize(
    "summary",
    [
        "Exploring src/app.py.",
        "Exploring nature trails.",
        "Looking into it.",
        "Looking into the issue.",
        "Met Maria in Lisbon.",
    ],
)
def test_files_errors_and_plain_words_are_no_topics(summary):
    assert ask(summary)["signals"] == []


# --- the answer as a whole ---


def test_signals_stand_by_priority_and_then_by_place():
    found = ask(
        "Installed Pulumi on the runner. Still need to push the branch. TypeError in cart.ts. "
        "The report is due tomorrow. docker build keeps failing."
    )

    assert [s["priority"] for s in found["signals"]] == ["high", "high", "medium", "medium", "low"]
    assert [s["description"].split(":")[0] for s in found["signals"]] == [
        "Next step",
        "Error seen 2 times",
        "Next step",
        "Error seen once",
        "New topic",
    ]


def test_the_strongest_evidence_names_the_action():
    name, task, _ = action("Still need to push the branch. The printer jammed for the fourth time.")

    assert (name, task) == ("sessions_spawn", "Find root cause for: The printer jammed for the fourth time.")


@pytest.mark.parametrize("kind", sorted(CONFIDENCE))
def test_more_evidence_is_never_less_sure(kind):
    row = [confidence(kind, n) for n in range(1, 12)]

    assert row == sorted(row)
    assert row[0] > 0 and row[-1] <= 0.9


@pytest.mark.parametrize(
    ("kind", "acts"),
    [("error", [False, True]), ("stuck", [True, True]), ("step", [True, True]), ("topic", [False, True])],
)
def test_one_sighting_of_an_error_or_a_topic_is_not_enough(kind, acts):
    assert [confidence(kind, n) >= 0.5 for n in (1, 2)] == acts


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
LOG = JUNK | st.fixed_dictionaries({}, optional=dict.fromkeys(("ts", "idle", "sessionHistorySummary", "signals"), JUNK))
WORDS = st.lists(
    st.sampled_from(
        "TypeError ENOSPC failed again. keeps, not yet due tomorrow Next: TODO: exploring Kafka `make` fixed it no "
        'errors; stuck still tried “ " ( ) \n - exit code 1 returned 502 before'.split(" ")
    ),
    max_size=40,
).map(" ".join)


@settings(deadline=None, max_examples=examples(150))
@given(st.text(max_size=120) | WORDS, st.text(max_size=120), st.lists(LOG, max_size=3).map(tuple))
def test_no_text_and_no_log_makes_the_engine_fail(summary, playbook, logs):
    found = answer(SignalInput(playbook, logs, summary))

    chosen = found["recommendedAction"]
    assert all(
        list(s) == ["description", "priority"] and s["priority"] in ("high", "medium", "low") for s in found["signals"]
    )
    assert chosen["action"] in ("sessions_spawn", "telegram_tip", "skip")
    assert (chosen["task"] is None) is (chosen["action"] == "skip")
    assert chosen["confidence"] <= 0.3 if chosen["action"] == "skip" else 0.5 <= chosen["confidence"] <= 0.9
    assert answer(SignalInput(playbook, logs, summary)) == found


@pytest.mark.parametrize(
    ("summary", "start"),
    [
        ("The certificate runs out on Saturday.", "Due: The certificate"),
        ("Der Vertrag muss bis morgen zurück.", "Due: Der Vertrag"),
        ("El informe vence mañana.", "Due: El informe"),
        ("周五前要交安全报告。", "Due: 周五前要交安全报告"),
        ("Promised Ms Okonkwo an answer today.", "Due: Promised Ms Okonkwo"),
        ("The quote lies in the folder since Monday.", "Open: The quote lies"),
        ("Lunch with the team on Saturday.", None),
        ("The certificate was renewed on Saturday.", None),
        ("Two usages are left for tomorrow as planned.", None),
    ],
)
def test_what_ends_is_promised_or_lies_is_a_step_in_any_language(summary, start):
    action = answer(SignalInput("", (), summary))["recommendedAction"]

    assert (action["task"] or "").startswith(start or "")
    assert action["action"] == ("telegram_tip" if start else "skip")


@pytest.mark.parametrize(
    "summary",
    [
        "The plan is to try NATS for the events. It is unclear how consumers acknowledge.",
        "We lean towards NATS. None of us has experience with it.",
        "Das Team prüft, ob NATS genügt. Bisher nur die Startseite gelesen.",
    ],
)
def test_what_is_chosen_and_unknown_is_a_topic_to_research(summary):
    assert answer(SignalInput("", (), summary))["recommendedAction"]["task"] == "Research NATS"


def test_a_clause_that_only_says_each_time_takes_its_subject_from_the_one_before():
    summary = "The billing group was rebalanced; each time messages pile up for ten minutes."

    task = answer(SignalInput("", (), summary))["recommendedAction"]["task"]

    assert "billing group" in task
