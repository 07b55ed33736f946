"""A curation of one project's lines among those of others: what is not its own stands byte for byte."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.heartbeat import operations
from koog.heartbeat.curate_rules import CurateInput, answer
from koog.heartbeat.findings import Finding
from koog.heartbeat.parts import Parts, uncovered
from koog.heartbeat.revision import Plan, revise, revise_parts
from koog.heartbeat.sightings import Sighting
from koog.heartbeat.whose import OWN
from koog.playbook import item
from koog.sessions import labels
from koog.sessions.audience import Audience
from koog.sessions.labels import Label

TODAY = date(2026, 2, 28)
HARBOR = Label("/srv/harbor")
GROUP = Label("openclaw/main", "group", "telegram:group:-100")
READER = Audience(projects=frozenset({"/ws", "openclaw/main"}), is_own=True, own=frozenset({"/ws", "openclaw/main"}))
PARTS = Parts(READER, "memory/sinain-playbook.md")
TEXTS = [
    "Use pnpm for workspaces (score: 0.8)",
    "Clear the Metro cache after a rename (score: 0.5)",
    "Clear the Metro cache after each rename (score: 0.4)",
    "Write good tests (score: 0.1)",
    "The nightly restic job fails, cause unknown (score: 0.2)",
    "Never push on Fridays",
    "Keyset pagination needs a unique column (score: 0.9)",
]
LABELS = [OWN, OWN, Label("/ws"), HARBOR, Label("openclaw/ops"), GROUP]
LINE = st.sampled_from(
    ["", "## Patterns", "## Established", "## Preferences", "## Of my own", "prose", "\0", "\0\0" + "1"]
)
BULLET = st.tuples(st.sampled_from(TEXTS), st.sampled_from(LABELS)).map(
    lambda pair: f"- {pair[0]} {labels.comment(pair[1])}".rstrip()
)
BODY = st.lists(st.one_of(LINE, BULLET, BULLET), max_size=24)


def planned(body, label=OWN, *, found=(), directive="aggressive_prune", most=50, **more):
    """Return the built-in curator's plan for one label's lines."""
    who = replace(READER, projects=frozenset({label.project}), is_own=False) if label != OWN else READER
    lines = PARTS.seen(body, label, who)
    asked = answer(CurateInput(lines=lines, directive=directive, findings=tuple(found), today=TODAY))["operations"]
    anchored, _ = operations.anchor(asked, lines, label=PARTS.comment(label))
    return Plan(tuple(anchored), directive, TODAY, max_lines=most, **more)


def others(body, label=OWN):
    """Return the lines that are not a label's bullets, empty ones and headings aside: in their order."""
    return [
        line
        for line in body
        if line.strip() and not line.startswith("## ") and (item.parse(line) is None or PARTS.key(line) != label)
    ]


@given(BODY)
def test_what_is_not_the_own_projects_stands_byte_for_byte_where_it_stood(body):
    found = [Finding("newPatterns", "Harbor's tests need Redis 7, because of the streams", "memory/2026-02-27.md:1")]

    made = revise_parts(body, {OWN: planned(body, found=found)}, PARTS)

    assert others(made.body) == others(body)
    assert sections(made.body) == sections(body)


def sections(body):
    """Return each bullet that is not the own project's, with the heading above it."""
    rows = [(operations.section_of(list(body), n), line) for n, line in enumerate(body)]
    return [(head, line) for head, line in rows if item.parse(line) and PARTS.key(line) != OWN]


@given(BODY)
def test_another_projects_findings_move_that_projects_lines_alone(body):
    found = [Finding("newPatterns", "Harbor's tests need Redis 7, because of the streams", "memory/harbor.md:1")]
    quiet = Plan((), "normal", TODAY)

    made = revise_parts(body, {OWN: quiet, HARBOR: planned(body, HARBOR, found=found)}, PARTS)

    assert (made.added, made.pruned, made.promoted, made.rewritten) == ([], [], [], [])
    assert others(made.body, HARBOR) == others(body, HARBOR)
    new = [line for line in made.body if "Redis" in line]
    assert new == [
        "- Harbor's tests need Redis 7, because of the streams (score: 0.5) <!-- from: memory/harbor.md:1 --> "
        "<!-- dc:project=/srv/harbor dc:scope=private -->"
    ]


@given(BODY)
def test_a_cover_is_taken_off_again(body):
    covered, under = PARTS.covered(body, OWN)

    assert uncovered(covered, under) == body
    assert all(PARTS.key(line) == OWN for line in covered if item.parse(line))


@given(st.lists(st.sampled_from(["", "## Patterns", *(f"- {text}" for text in TEXTS)]), max_size=20))
def test_a_playbook_of_one_project_is_curated_as_ever(body):
    plan = planned(body)

    assert revise_parts(body, {OWN: plan}, PARTS) == revise(body, plan)


def test_two_projects_lines_that_say_the_same_are_not_merged_and_do_not_stand_for_one_another():
    mark = labels.comment(HARBOR)
    body = ["## Patterns", f"- {TEXTS[1]} {mark}", f"- {TEXTS[2]}"]

    assert planned(body, directive="normal").operations == ()
    assert planned(["## Patterns", f"- {TEXTS[1]}", f"- {TEXTS[2]}"], directive="normal").operations[0].op == "merge"
    new = Finding("newPatterns", "Clear the Metro cache after a rename", "memory/harbor.md:1")
    assert [o.op for o in planned(body[2:], HARBOR, found=[new]).operations] == ["add"]


def test_what_a_note_says_again_moves_its_own_projects_line():
    text = "Write good tests"
    body = ["## Patterns", f"- {text} (score: 0.5)", f"- {text} (score: 0.5) {labels.comment(HARBOR)}"]
    seen = (Sighting(text, "memory/2026-02-27-harbor.md:4"),)

    made = revise_parts(body, {OWN: Plan((), "normal", TODAY), HARBOR: Plan((), "normal", TODAY, sighted=seen)}, PARTS)

    assert made.body[1] == body[1]
    assert made.body[2].startswith(f"- {text} (score: 0.6) <!-- from: memory/2026-02-27-harbor.md:4 --> <!-- dc:")


@pytest.mark.parametrize(("weak", "gone"), [(0, OWN), (1, HARBOR), (2, GROUP)])
def test_over_the_limit_the_weakest_goes_whosever_it_is(weak, gone):
    scores = [0.1 if n == weak else 0.5 for n in range(3)]
    rows = zip(("Alpha apples", "Beta bread", "Gamma grapes"), (OWN, HARBOR, GROUP), scores, strict=True)
    body = ["## Patterns", *(f"- {t} are kept (score: {s}) {labels.comment(each)}".rstrip() for t, each, s in rows)]

    made = revise_parts(body, {OWN: Plan((), "normal", TODAY, max_lines=3)}, PARTS)

    assert [line for line in body if line not in made.body] == [body[1 + weak]]
    assert PARTS.key(body[1 + weak]) == gone
    assert made.pruned == (["Alpha apples are kept"] if weak == 0 else [])
    assert len(made.refused) == (1 if weak == 0 else 0)  # of the others' lines no text is told


def test_a_section_that_holds_other_projects_lines_is_not_empty():
    mark = labels.comment(HARBOR)
    body = [
        "## Preferences",
        f"- {TEXTS[0]} {mark}",
        "## Patterns",
        "- Write good tests (score: 0.1)",
        "- A (score: 1)",
    ]

    made = revise_parts(body, {OWN: Plan((), "normal", TODAY, max_lines=4)}, PARTS)

    assert made.body == ("## Preferences", f"- {TEXTS[0]} {mark}", "## Patterns", "- A (score: 1)")


def test_a_curator_of_another_project_sees_its_bullets_and_koogs_headings():
    mark = labels.comment(HARBOR)
    body = (
        "prose of a person",
        "## Of my own",
        "- mine",
        "## Patterns",
        f"- theirs {mark}",
        f"- a group's {labels.comment(GROUP)}",
    )
    harbor = replace(READER, projects=frozenset({"/srv/harbor"}), is_own=False)

    assert PARTS.seen(body, HARBOR, harbor) == ("", "", "", "## Patterns", f"- theirs {mark}", "")
    assert PARTS.seen(body, OWN, READER) == (*body[:4], "", "")


def test_in_a_playbook_that_is_listed_for_another_project_the_bare_lines_are_that_projects():
    listed = Parts(replace(READER, files=(("openclaw/ops", ("memory/sinain-playbook.md",)),)), PARTS.path)

    assert listed.key("- bare") == Label("openclaw/ops")
    assert listed.comment(Label("openclaw/ops")) == ""
    assert listed.comment(OWN) == "<!-- dc:project=. dc:scope=private -->"
