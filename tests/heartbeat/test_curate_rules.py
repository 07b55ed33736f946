"""The built-in curator: contradictions, repeats, promotions, prunings, additions."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core import schema
from koog.heartbeat import curate
from koog.heartbeat.curate_rules import CUE, MOST_ADDED, CurateInput, answer
from koog.heartbeat.findings import Finding
from tests.conftest import examples

BODY = (
    "## Established",
    "- Run pod update before each iOS build (score: 0.8)",
    "## Patterns",
    "- Write good tests (score: 0.3)",
    "- Stream large archives to the staging host (score: 0.5)",
    "- The map tiles come from Stadia (score: 0.1)",
    "## Preferences",
    "- Mika likes squash merges (score: 0.9)",
)


def ask(*findings, lines=BODY, directive="normal"):
    return answer(CurateInput(lines=lines, directive=directive, findings=findings))["operations"]


def pattern(text, source="memory/2026-02-17.md:3"):
    return Finding("newPatterns", text, source)


def only(op, operations):
    return [o for o in operations if o["op"] == op]


@pytest.mark.parametrize(
    ("directive", "pruned"),
    [("aggressive_prune", [6, 4, 5]), ("normal", [6, 4]), ("stability", [6]), ("insufficient_data", [])],
)
def test_the_directive_says_how_weak_a_line_must_be_to_go(directive, pruned):
    assert [o["line"] for o in only("remove", ask(directive=directive))] == pruned


@pytest.mark.parametrize(
    ("directive", "most"), [("aggressive_prune", 10), ("normal", 3), ("stability", 1), ("insufficient_data", 0)]
)
def test_the_directive_says_how_many_may_go_at_once(directive, most):
    lines = tuple(f"- alpha{n} bravo{n} (score: 0.0)" for n in range(12))

    assert len(only("remove", ask(lines=lines, directive=directive))) == most


@pytest.mark.parametrize(
    "line",
    [
        "- Prove a setting by a reboot (score: 0.0) [error-prevention]",
        "- ENOSPC means the watch limit: raise it (score: 0.0)",
        "- The job fails (score: 0.0) [since: 2026-02-01]",
        '- Tea is out (score: 0.0) [deferred: 2026-02-01, reason: "r"]',
        "- A line without a score",
    ],
)
def test_a_protected_an_open_a_deferred_and_an_unscored_line_are_not_asked_away(line):
    assert ask(lines=(line,), directive="aggressive_prune") == []


@pytest.mark.parametrize(("score", "promoted"), [(0.69, False), (0.7, True), (0.8, True)])
def test_a_pattern_is_promoted_by_its_score(score, promoted):
    operations = ask(lines=("## Patterns", f"- Stream archives (score: {score})"))

    assert (operations == [{"op": "promote", "line": 2, "reason": f"score {score:g}"}]) is promoted


@pytest.mark.parametrize(
    "lines",
    [
        ("## Established", "- Stream archives (score: 0.9)"),
        ("## Preferences", "- Mika likes tea (score: 0.9)"),
        ("## Observing", "- The job fails (score: 0.9) [since: 2026-02-01]"),
        ("## Patterns", "- On 2026-02-17 the release went out (score: 0.9)"),
    ],
)
def test_what_is_established_a_preference_open_or_an_event_is_not_promoted(lines):
    assert ask(lines=lines) == []


def test_lines_that_say_the_same_are_merged_once():
    lines = ("- Clear the Metro cache", "- Metro cache: clear it", "- Clear the Metro cache.")

    assert only("merge", ask(lines=lines)) == [
        {"op": "merge", "lines": [1, 2], "text": "Clear the Metro cache", "reason": "says the same"}
    ]


def test_a_mined_line_is_added_with_its_source_in_its_section():
    found = ask(
        pattern("Decided on Drizzle because migrations stay plain SQL"),
        Finding("preferences", "Mika wants the command first", "memory/a.md:1"),
        pattern("The login test fails on Friday afternoons"),
    )

    added = only("add", found)
    assert [(o["section"], o["source"]) for o in added] == [
        ("Preferences", "memory/a.md:1"),
        ("Patterns", "memory/2026-02-17.md:3"),
        ("Observing", "memory/2026-02-17.md:3"),
    ]


def test_what_the_playbook_says_already_is_not_added():
    assert only("add", ask(pattern("Large archives: stream them to the staging host"))) == []


@pytest.mark.parametrize(
    ("sources", "score"),
    [
        (["memory/2026-02-17.md:3", "memory/observations.md:9 2026-02-17"], 0.5),  # the note tells what was said
        (["memory/2026-02-17.md:3", "memory/observations.md:9 2026-02-18"], 0.55),
        (["memory/observations.md:7 2026-02-17", "memory/observations.md:9 2026-02-17"], 0.55),
        ([None, None], 0.55),
    ],
)
def test_a_note_of_what_was_observed_on_its_day_is_no_second_time(sources, score):
    texts = [
        "Clear the Metro cache because renames break it",
        "Renames break it: clear the Metro cache because of that",
    ]

    (added,) = only("add", ask(*map(pattern, texts, sources)))

    assert added["score"] == score


def test_a_line_that_was_mined_twice_is_added_once_and_scores_higher():
    once = pattern("Decided on Drizzle because migrations stay plain SQL")
    twice = [pattern("Clear the Metro cache after a rename"), pattern("After a rename: clear the Metro cache")]

    added = only("add", ask(once, *twice))

    assert [(o["text"], o["score"]) for o in added] == [
        ("Decided on Drizzle because migrations stay plain SQL", 0.5),
        ("Clear the Metro cache after a rename", 0.55),
    ]


def test_a_bare_fact_scores_lower_than_what_tells_a_reason():
    added = only("add", ask(pattern("The map tiles weigh 40 MB"), pattern("Chose MapLibre instead of Mapbox")))

    assert [(o["text"], o["score"]) for o in added] == [
        ("Chose MapLibre instead of Mapbox", 0.5),
        ("The map tiles weigh 40 MB", 0.4),
    ]


def test_one_curation_takes_in_a_handful():
    found = [pattern(f"alpha{n} bravo{n} charlie{n}") for n in range(MOST_ADDED + 3)]

    assert len(only("add", ask(*found))) == MOST_ADDED


def test_a_line_is_rewritten_by_a_close_observation_that_contradicts_it():
    quoted, seen = "Run pod update before each iOS build", "No pod update before each iOS build any more"
    text = f'playbook: "{quoted}" vs memory/2026-02-20.md:8: "{seen}"'

    assert ask(Finding("contradictions", text))[0] == {
        "op": "rewrite",
        "line": 2,
        "text": seen,
        "score": 0.5,
        "source": "memory/2026-02-20.md:8",
        "reason": "contradicted by memory/2026-02-20.md:8",
    }


def test_another_sentence_takes_the_contradicted_lines_place():
    text = (
        'playbook: "Stream large archives to the staging host" vs memory/b.md:8: "Uploads go through S3 since Tuesday"'
    )

    rewrite = ask(Finding("contradictions", text))[0]

    assert (rewrite["op"], rewrite["line"], rewrite["source"]) == ("rewrite", 5, "memory/b.md:8")
    assert rewrite["text"] == "Uploads go through S3 since Tuesday"


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("Server 1 of the render farm has 16 GB", "Server 2 of the render farm has 16 GB"),
        ("Alice wants the release notes in French", "Bob wants the release notes in French"),
        ("Never push to the main branch on Fridays", "Push to the main branch on Fridays"),
    ],
)
def test_what_differs_in_a_number_a_name_or_a_not_is_neither_joined_nor_left_out(line, other):
    assert only("merge", ask(lines=(f"- {line}", f"- {other}"))) == []
    assert [each["text"] for each in only("add", ask(pattern(other), lines=(f"- {line}",)))] == [other]
    assert [each["text"] for each in only("add", ask(pattern(line), pattern(other)))] == [line, other]


def test_of_two_lines_that_say_the_same_the_fuller_one_stays():
    short, full = "Clear the Metro cache", "Clear the Metro cache after a branch switch, stale modules stay in it"

    for lines in ((short, full), (full, short)):
        [merge] = only("merge", ask(lines=tuple(f"- {line}" for line in lines)))
        assert merge["text"] == full


@pytest.mark.parametrize(
    "text",
    ["playbook entry X contradicts Y", 'playbook: "Drink more water" vs memory/b.md:8: "Coffee is fine"'],
)
def test_a_contradiction_that_quotes_no_line_of_the_playbook_asks_for_nothing(text):
    lines = BODY[:3]

    assert ask(Finding("contradictions", text), lines=lines) == []


TEXT = st.text(max_size=40) | st.sampled_from([line.removeprefix("- ") for line in BODY])
FOUND = st.builds(Finding, st.sampled_from(["newPatterns", "preferences", "contradictions"]), TEXT)


@settings(deadline=None, max_examples=examples(150))
@given(
    st.lists(FOUND, max_size=6).map(tuple),
    st.lists(TEXT.map(lambda t: f"- {t}") | st.sampled_from(BODY), max_size=8).map(tuple),
    st.sampled_from(["aggressive_prune", "normal", "stability", "insufficient_data"]),
)
def test_whatever_it_is_given_its_answer_fits_the_models_schema(findings, lines, directive):
    value = answer(CurateInput(lines=lines, directive=directive, findings=findings))

    assert schema.problem(value, curate.TASK.answer_schema()) is None
    assert all(1 <= o.get("line", 1) <= max(1, len(lines)) for o in value["operations"])


def test_a_cue_is_a_reason_a_lesson_or_a_rule():
    assert CUE.search("fixed by a later start")
    assert not CUE.search("The map tiles weigh 40 MB")


@pytest.mark.parametrize(
    ("directive", "score", "noted", "asked"),
    [
        ("aggressive_prune", 0.5, "2026-02-15", False),  # thirteen days: nobody had time to say it again
        ("aggressive_prune", 0.5, "2026-02-14", True),
        ("aggressive_prune", 0.3, "2026-02-27", True),  # something speaks against it
        ("aggressive_prune", 0.55, "2026-02-01", False),
        ("aggressive_prune", 0.55, "2026-01-31", True),  # four weeks: it weighs 0.5
        ("normal", 0.5, "2025-11-09", False),
        ("normal", 0.5, "2025-11-08", True),  # sixteen weeks: it weighs 0.3
        ("stability", 0.5, "2020-01-01", False),
    ],
)
def test_a_line_that_no_note_says_any_more_goes_before_a_new_one(directive, score, noted, asked):
    line = f"- Tea is out (score: {score}) <!-- from: memory/{noted}.md:3 -->"

    wanted = answer(CurateInput(lines=(line,), directive=directive, today=date(2026, 2, 28)))

    assert [o["op"] for o in wanted["operations"]] == ["remove"] * asked


def test_numbered_lines_are_pruned_promoted_and_merged_as_others_are():
    numbered = tuple(f"{n}. {line[2:]}" if line.startswith("- ") else line for n, line in enumerate(BODY, 1))

    assert ask(lines=numbered) == ask()
    assert only("remove", ask(lines=numbered))
