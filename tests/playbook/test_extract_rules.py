"""The built-in extraction of a module: what belongs, how sure it is, and nothing invented."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.playbook.extract_rules import (
    ExtractInput,
    Sighting,
    answer,
    file_patterns,
    members,
    vocabulary,
)
from tests.conftest import examples

PLAYBOOK = """<!-- mining-index: 2026-02-17,2026-02-16 -->
# Playbook

## Established patterns
- React Native: clear the Metro cache after renaming an asset (score: 0.8)
- Keep tips under 500 characters (score: 0.7)

## Build & Metro
- Metro bundler port 8081 taken: kill the packager (score: 0.3) [since: 2026-02-17] <!-- from: memory/a.md:1 -->
- React Native release builds need the JS bundle: edit index.android.tsx first

## Habits
- Ask before booking anything that costs money (score: 0.6)
- Native speakers proofread the Spanish newsletter
<!-- effectiveness: outputs=8,positive=4,rate=0.5 -->
"""
NOTES = (
    (
        "memory/2026-02-17.md",
        "# Tuesday\n- Metro cache was stale again after renaming an asset\n- Paid the dentist bill",
    ),
    (
        "memory/2026-02-16.md",
        "- Hermes is a JavaScript engine for React Native apps\n- Bought bread and a birthday card",
    ),
)

# (domain, lines that belong as (heading, text), lines that do not)
LABELLED = (
    (
        "React Native mobile",
        (
            ("", "React Native: clear the Metro cache after renaming an asset"),
            ("Build & Metro", "Metro bundler port 8081 taken: kill the old packager first"),
            ("Build & Metro", "React Native release build of the Android app needs the JS bundle"),
            ("", "Metro cache was stale again after renaming an asset"),
            ("", "Hermes is a JavaScript engine for React Native apps"),
            ("", "Android emulator needs 4 GB before the app bundle fits"),
        ),
        (
            ("", "Keep tips under 500 characters"),
            ("Habits", "Ask before booking anything that costs money"),
            ("Habits", "Native speakers proofread the Spanish newsletter"),
            ("Habits", "Mobile number of the plumber is in contacts"),
            ("", "Paid the dentist bill"),
            ("", "Watered the plants on the balcony"),
            ("", "Cleared the desk and renamed the photo album"),
            ("", "Built a shelf for the clear glass jars"),
            ("", "Postgres connection pool exhausted after the deploy"),
        ),
    ),
    (
        "Cooking and meal planning",
        (
            ("Kitchen", "Meal planning works best on Sunday, before the market closes"),
            ("Kitchen", "Cooking for six: double the lentil curry, not the rice"),
            ("", "Lentil curry keeps three days in the fridge"),
            ("Kitchen", "Sourdough starter needs feeding before cooking the weekend meal"),
            ("", "Market on Sunday closes at noon, plan the meal on Saturday"),
            ("Kitchen", "Rice cooker burns the curry below the first line"),
        ),
        (
            ("", "Plan the quarterly review with Ana"),
            ("", "Planning poker on Monday moved to ten"),
            ("", "Git hooks must not print to stdout"),
            ("", "The Sunday train is often late"),
            ("", "Invoice number 12 is still open"),
            ("Work", "Run the tests before pushing"),
        ),
    ),
    (
        "PostgreSQL database operations",
        (
            ("Database", "PostgreSQL vacuum stalls when a replica holds a long query"),
            ("Database", "Database backups: pg_dump to a second disk, then verify the restore"),
            ("", "Replica lag grows during vacuum of the orders table"),
            ("Database", "Verify the restore of a backup every month"),
            ("", "A long query on the replica blocks vacuum"),
            ("", "PostgreSQL upgrade needs a database dump first"),
        ),
        (
            ("Travel", "Verify the flight number the evening before"),
            ("", "Second opinion from the dentist in March"),
            ("", "Back up photos of the holiday"),
            ("Build", "Metro cache goes stale after renaming an asset"),
            ("", "Operations meeting on Tuesday"),
            ("", "The dinner table needs oil"),
        ),
    ),
    (
        "React Native mobile",
        (
            ("Established patterns", "React Native: clear the Metro cache after renaming an asset"),
            ("Build & Metro", "Metro bundler port 8081 taken: kill the old packager first"),
            ("Build & Metro", "Expo prebuild overwrites ios/Podfile: keep changes in a config plugin"),
            (
                "Build & Metro",
                "React Native release build of the Android app needs the JS bundle: edit index.android.tsx then bundle",
            ),
            ("", "Metro cache was stale again after renaming an asset, cleared the Metro cache"),
            ("", "Hermes is a JavaScript engine for React Native apps"),
            ("", "Packager on port 8081 was taken by an old Metro bundler; killed it"),
            ("", "Bridge module (native code called from JS) crashed on Android"),
        ),
        (
            ("Established patterns", "Keep tips under 500 characters"),
            ("Habits", "Ask before booking anything that costs money"),
            ("Habits", "The user reads mail before nine, batch news for then"),
            ("Habits", "Native speakers proofread the Spanish newsletter"),
            ("Habits", "Mobile number of the plumber is in contacts"),
            ("", "Paid the dentist bill"),
            ("", "Watered the plants on the balcony"),
            ("", "Bought milk, bread and a birthday card"),
            ("", "Reviewed the quarterly budget with Ana"),
        ),
    ),
)


def extract(**changed: Any) -> Any:
    usual: dict[str, Any] = {
        "module_id": "react-native-dev",
        "domain": "React Native mobile development",
        "playbook": PLAYBOOK,
        "logs": (),
        "notes": NOTES,
    }
    return answer(ExtractInput(**usual | changed))


def test_of_56_labelled_lines_most_of_a_domain_is_found_and_hardly_anything_else():
    found = wrong = 0

    for domain, inside, outside in LABELLED:
        seen = [Sighting(text, f"n{i}", heading) for i, (heading, text) in enumerate(inside + outside)]
        taken = members(domain, seen)
        found += sum(s in taken for s in seen[: len(inside)])
        wrong += sum(s in taken for s in seen[len(inside) :])

    assert (found, wrong) == (23, 1)
    assert sum(len(inside) + len(outside) for _, inside, outside in LABELLED) == 56


def test_a_line_that_shares_no_word_with_the_domain_is_found_by_the_company_it_keeps():
    found = extract()

    assert "Metro bundler port 8081 taken: kill the packager" in found["emerging"]


def test_a_long_sentence_that_shares_two_words_by_accident_stays_out():
    bread = "sourdough starter bread flour oven crust crumb rye wheat salt dough levain"
    own = [Sighting(bread, "a"), Sighting(f"{bread} again", "b")]
    long = Sighting(
        "Starter motor of the van died near the bread factory, towing, garage, invoice, insurance, taxi, hotel, "
        "phone calls, apology to Ana, moved meeting, lost umbrella, cold dinner, late train, long walk, short night",
        "c",
    )
    short = Sighting("Starter for rye bread", "d")

    taken = members("sourdough", [*own, long, short])

    assert taken == [*own, short]


@pytest.mark.parametrize(
    ("tag", "list_name"),
    [("(score: 0.5)", "established"), ("(score: 0.49)", "emerging"), ("", "emerging"), ("(score: -1)", "emerging")],
)
def test_a_score_of_one_half_establishes_a_line(tag, list_name):
    playbook = f"## Build\n- React Native builds need the JS bundle {tag}\n"

    found = extract(playbook=playbook, notes=())

    assert found[list_name] == ["React Native builds need the JS bundle"]


@pytest.mark.parametrize(("sightings", "list_name"), [(1, "emerging"), (2, "emerging"), (3, "established")])
def test_three_places_establish_a_line_and_two_do_not(sightings, list_name):
    line = "- React Native builds need the JS bundle\n"
    notes = tuple((f"memory/2026-02-{day}.md", line) for day in range(10, 10 + sightings - 1))

    found = extract(playbook=line, notes=notes)

    assert found[list_name] == ["React Native builds need the JS bundle"]


def test_a_line_under_an_established_heading_needs_no_score():
    found = extract(playbook="## Established\n- React Native builds need the JS bundle\n", notes=())

    assert found["established"] == ["React Native builds need the JS bundle"]


def test_a_line_that_a_log_says_was_promoted_is_established():
    log = {"playbookChanges": {"promoted": ["React Native builds need the JS bundle"]}}

    found = extract(playbook="- React Native builds need the JS bundle\n", notes=(), logs=(log,))

    assert found["established"] == ["React Native builds need the JS bundle"]


def test_a_note_becomes_a_pattern_only_when_it_recurs():
    twice = "- React Native crashed on a null bridge"

    found = extract(playbook="", notes=(("a.md", twice + "\n- React Native was fun today"), ("b.md", twice)))

    assert (found["established"], found["emerging"]) == ([], ["React Native crashed on a null bridge"])


def test_a_summary_and_a_signal_of_a_log_count_as_sightings():
    logs = (
        {"sessionHistorySummary": "React Native builds need the JS bundle."},
        {"signals": [{"description": "React Native builds need the JS bundle", "priority": "low"}]},
    )

    found = extract(playbook="- React Native builds need the JS bundle\n", notes=(), logs=logs)

    assert found["established"] == ["React Native builds need the JS bundle"]


def test_tags_and_comments_leave_no_trace_in_the_answer():
    found = extract()

    text = " ".join([*found["established"], *found["emerging"]])
    assert not {"score", "since", "<!--", "[", "memory/"} & set(text.split())
    assert "<!--" not in text


@pytest.mark.parametrize(
    ("text", "term", "definition"),
    [
        ("Hermes engine: a JavaScript runtime", None, None),
        ("Metro is the bundler of React Native", "Metro", "the bundler of React Native"),
        ("OTA: over-the-air update without a store review.", "OTA", "over-the-air update without a store review"),
        ("Ship by OTA (over the air update) on Fridays", "OTA", "over the air update"),
        ("Metro: a bundler that watches files", "Metro", "a bundler that watches files"),
        ("Metro: clear the cache", None, None),
        ("Metro is slow", None, None),
        ("When Metro hangs: a restart helps", None, None),
        ("Restart Metro (again and again)", None, None),
    ],
)
def test_a_term_is_defined_only_by_words_that_define_it(text, term, definition):
    found = vocabulary("Metro bundler", [text])

    assert [(t["term"], t["definition"]) for t in found] == ([(term, definition)] if term else [])


def test_the_notes_definition_reaches_the_answer():
    found = extract(domain="Hermes and React Native")

    assert {"term": "Hermes", "definition": "a JavaScript engine for React Native apps"} in found["vocabulary"]


def test_keywords_are_lower_case_three_to_ten_and_from_the_domain_first():
    found = extract()

    assert 3 <= len(found["keywords"]) <= 10
    assert found["keywords"][:3] == ["react", "native", "mobile"]
    assert "metro" in found["keywords"]
    assert all(word == word.lower() for word in found["keywords"])


def test_a_word_as_common_outside_the_domain_triggers_nothing():
    inside = "- React Native dentist app\n- React Native dentist reminder app\n"
    outside = "- The dentist called\n- Paid the dentist\n- Dentist moved\n"

    found = extract(playbook="", notes=(("a.md", inside + outside),))

    assert "app" in found["keywords"]
    assert "dentist" not in found["keywords"]


def test_file_patterns_come_from_file_names_and_not_from_hosts_or_runtimes():
    texts = [
        "edit App.tsx, index.android.tsx and *.kt",
        "node.js on example.com, e.g. at 3.5",
        "see ios/Podfile, a.swift.",
    ]

    assert file_patterns(texts) == ["*.tsx", "*.kt", "*.swift"]


def test_a_domain_that_nobody_wrote_about_gives_empty_lists_and_its_own_words():
    found = extract(module_id="falconry", domain="Falconry")

    assert found["established"] == found["emerging"] == found["vocabulary"] == found["filePatterns"] == []
    assert found["keywords"] == ["falconry"]
    assert (found["name"], found["description"]) == ("Falconry", "Patterns for Falconry")


def test_a_long_description_leaves_the_name_to_the_id():
    found = extract(domain="Everything we know about building mobile apps with React Native")

    assert found["name"] == "React Native Dev"


def test_every_text_of_the_answer_stands_in_the_sources():
    found = extract()

    sources = " ".join([PLAYBOOK, *(text for _, text in NOTES)])
    for text in [*found["established"], *found["emerging"], *(t["definition"] for t in found["vocabulary"])]:
        assert text in " ".join(sources.split())


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
LOGS = st.lists(
    JUNK
    | st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(("ts", "sessionHistorySummary", "signals", "miningFindings", "playbookChanges"), JUNK),
    ),
    max_size=4,
).map(tuple)


@settings(deadline=None, max_examples=examples(60))
@given(st.text(max_size=40), st.text(max_size=200), LOGS, st.text(max_size=200))
def test_no_text_and_no_log_makes_extraction_fail(domain, playbook, logs, note):
    found = answer(ExtractInput("some-id", domain, playbook, logs, (("memory/a.md", note),)))

    assert list(found) == ["name", "description", "established", "emerging", "vocabulary", "keywords", "filePatterns"]
    assert isinstance(found["name"], str) and found["name"]
    assert len(found["keywords"]) <= 10
