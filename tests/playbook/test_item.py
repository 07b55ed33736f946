"""One bullet of a playbook: its text, its tags, what they mean.  [sinain §4.6]"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.playbook import item
from koog.playbook.item import Item

FULL = "- Clear the cache (score: 0.7) [error-prevention] [since: 2026-02-17] <!-- from: memory/2026-02-17.md:14 -->"
DEFERRED = '- The job fails (score: 0.4) [deferred: 2026-02-20, reason: "3 actions without resolution"]'

LABEL = "<!-- dc:project=/srv/my%20app dc:scope=private -->"

PLAIN = st.text(alphabet=st.characters(exclude_characters="()[]<>\n", exclude_categories=["Cs", "Cc", "Z"]), min_size=1)
DAY = st.dates().map(lambda d: d.isoformat())
ITEMS = st.builds(
    Item,
    text=PLAIN,
    score=st.none() | st.integers(0, 100).map(lambda n: n / 100),
    since=st.none() | DAY,
    error_prevention=st.booleans(),
    source=st.none() | st.integers(1, 999).map(lambda n: f"memory/2026-02-17-x.md:{n}"),
    lead=st.sampled_from(["- ", "* ", "+  ", "  - "]),
    label=st.sampled_from(["", LABEL, "<!-- dc:project=openclaw/main dc:scope=group dc:group=telegram:group:-1 -->"]),
) | st.builds(Item, text=PLAIN, deferred=DAY, reason=PLAIN.filter(lambda t: '"' not in t))


@given(ITEMS)
def test_what_is_rendered_is_read_again(found):
    assert item.parse(found.render()) == found


@pytest.mark.parametrize(
    "line",
    [
        FULL,
        DEFERRED,
        f"{FULL} {LABEL}",
        f"- text {LABEL}",
        "- text",
        "* text",
        "  - text",
        "- text (score: 0)",
        "- text (score: 1)",
    ],
)
def test_a_line_with_its_tags_in_order_comes_back_as_it_is(line):
    assert item.parse(line).render() == line


@given(st.text())
def test_any_line_is_a_bullet_or_none_and_rendering_it_once_is_enough(line):
    found = item.parse(line)

    if found and found.text:
        once = found.render()
        assert item.parse(once).render() == once


@pytest.mark.parametrize("line", ["", "prose", "## Head", "-no blank", "<!-- a -->", "- ", "* * *", "2026. A", "---"])
def test_what_is_no_bullet_is_none(line):
    assert item.parse(line) is None


def test_the_tags_are_taken_apart():
    assert item.parse(FULL) == Item(
        text="Clear the cache",
        score=0.7,
        since="2026-02-17",
        error_prevention=True,
        source="memory/2026-02-17.md:14",
    )
    assert item.parse(DEFERRED) == Item(
        text="The job fails", score=0.4, deferred="2026-02-20", reason="3 actions without resolution"
    )


def test_tags_in_any_order_and_place_are_read_and_do_not_stay_in_the_text():
    found = item.parse("- [error-prevention] Clear (score:0.75) the cache [since:2026-02-17]")

    assert (found.text, found.score, found.since, found.error_prevention) == (
        "Clear the cache",
        0.75,
        "2026-02-17",
        True,
    )


def test_a_reason_cannot_end_its_own_quotes():
    line = Item(text="x", deferred="2026-02-20", reason='no "answer"').render()

    assert item.parse(line).reason == "no 'answer'"


@pytest.mark.parametrize(("score", "kept"), [(-1, 0.0), (0, 0.0), (0.5, 0.5), (1, 1.0), (1.2, 1.0)])
def test_a_score_stays_within_nought_to_one(score, kept):
    assert item.parse("- x").scored(score).score == kept


@pytest.mark.parametrize(("score", "high"), [(None, False), (0.59, False), (0.6, True), (0.9, True)])
def test_a_score_is_high_from_six_tenths_on(score, high):
    assert Item(text="x", score=score).high_scoring is high


@pytest.mark.parametrize(
    ("text", "fixable"),
    [
        ("The nightly job times out at 03:00, cause unknown", True),
        ("The e2e login test fails on Fridays", True),
        ("Metro hangs with ENOSPC", True),
        ("The build is flaky", True),
        ("The job timed out because of a lock: fixed by a later start", False),
        ("Failing pods: delete ios/Pods", False),
        ("Mika likes squash merges", False),
        ("entries are sorted by name", False),
    ],
)
def test_a_problem_without_a_way_out_is_fixable(text, fixable):
    assert Item(text=text).fixable is fixable


@pytest.mark.parametrize(
    ("line", "protected"),
    [
        ("- anything at all [error-prevention]", True),
        ("- ENOSPC means the watch limit: raise it", True),
        ("- Never push on Fridays", True),
        ("- Avoid floating tags in CI", True),
        ("- Mika likes squash merges", False),
        ("- The login test fails on Fridays", False),  # a problem to solve, not a way to prevent one
    ],
)
def test_the_first_law_protects_what_names_a_failure_and_a_guard(line, protected):
    assert item.parse(line).prevents_errors is protected


@pytest.mark.parametrize(
    "label",
    [
        LABEL,
        "<!-- dc:project=/a -->",
        "<!--  dc:scope=private   dc:project=/a  -->",
        "<!-- dc:project=/a dc:note=kept -->",
        "<!-- dc:project=/a --> <!-- dc:scope=private -->",
    ],
)
def test_a_label_is_kept_as_it_is_written_when_a_line_changes(label):
    found = item.parse(f"- Clear the cache (score: 0.7) <!-- from: memory/a.md:1 --> {label}")

    assert (found.text, found.source, found.label) == ("Clear the cache", "memory/a.md:1", label)
    assert found.scored(0.8).render() == f"- Clear the cache (score: 0.8) <!-- from: memory/a.md:1 --> {label}"


def test_a_comment_that_says_no_project_is_text_as_it_was():
    assert item.parse("- text <!-- see dc:projects -->").label == ""


@pytest.mark.parametrize("mark", ["- ", "* ", "  + ", "• ", "1. ", "12) ", "- [ ] ", "3. [x] ", "・"])
def test_every_mark_is_seen_and_written_back_as_it_was(mark):
    line = f"{mark}Clear the cache (score: 0.7) [error-prevention] [since: 2026-02-17] <!-- from: memory/a.md:3 -->"
    found = item.parse(line)

    assert found and (found.text, found.score, found.lead) == ("Clear the cache", 0.7, mark)
    assert found.render() == line
    assert found.scored(0.8).render() == line.replace("0.7", "0.8")
