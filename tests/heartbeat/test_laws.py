"""The Three Laws, the loss cap, the line limit and the deferred items, on the two texts.  [sinain §4.6]"""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from koog.heartbeat import laws
from koog.heartbeat.effectiveness import directive
from koog.playbook import document, item
from tests.conftest import examples

SAFE = "- Start a release build on a phone before handing it out (score: 0.2) [error-prevention]"
HIGH = "- Stream large archives to the staging host (score: 0.6)"
WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa".split()
DIRECTIVES = ["aggressive_prune", "normal", "stability", "insufficient_data"]


def weak(n, score=0.3, tail=""):
    """Return a bullet that shares no word with another."""
    return f"- {WORDS[n % 16]}{n} {WORDS[(n + 5) % 16]}{n}x (score: {score}){tail}"


def enforce(before, after, *, directive="normal", max_lines=50, max_deferred=5):
    return laws.enforce(before, after, directive=directive, max_lines=max_lines, max_deferred=max_deferred)


@pytest.mark.parametrize("directive", DIRECTIVES)
@pytest.mark.parametrize("line", [SAFE, HIGH])
def test_error_prevention_and_high_scores_are_put_back_whatever_the_directive(line, directive):
    before = ["## Patterns", line, weak(1)]

    done = enforce(before, ["## Patterns", weak(1)], directive=directive)

    assert line in done.body
    assert done.refused == [{"text": item.parse(line).text, "reason": "remove: protected by the laws"}]


@pytest.mark.parametrize(("score", "kept"), [(0.59, False), (0.6, True), (0.61, True)])
def test_a_score_is_high_from_six_tenths_on(score, kept):
    line = f"- Stream large archives (score: {score})"

    assert (line in enforce([line, weak(1)], [weak(1)]).body) is kept


def test_a_line_that_names_a_failure_and_what_to_do_is_protected_without_a_tag():
    line = "- ENOSPC from Metro means the inotify limit: raise it (score: 0.1)"

    assert line in enforce([line, weak(1)], [weak(1)]).body


def test_a_protected_line_that_was_deferred_may_go():
    line = '- Never push on Fridays (score: 0.7) [deferred: 2026-02-15, reason: "x"]'

    assert line not in enforce([line, weak(1)], [weak(1)]).body


def test_what_is_put_back_returns_to_its_section():
    before = ["## Established", SAFE, "", "## Patterns", weak(1)]

    assert enforce(before, ["## Established", "", "## Patterns", weak(1)]).body == before


def test_a_rewrite_that_says_something_else_is_a_removal_by_another_name():
    done = enforce([SAFE, weak(1)], ["- Mika likes tea [error-prevention]", weak(1)])

    assert SAFE in done.body


def test_a_rewrite_in_other_words_is_kept():
    after = ["- Start each release build on a real phone before handing it out [error-prevention]", weak(1)]

    assert enforce([SAFE, weak(1)], after).body == after


def test_a_rewrite_that_says_only_a_part_is_put_back_in_its_place():
    before = [weak(1), SAFE, weak(2)]

    assert enforce(before, [weak(1), "- Start a build [error-prevention]", weak(2)]).body == before


@pytest.mark.parametrize("rest", ["- A release build", "- Start a build (score: 0.5)", "- Phone"])
def test_a_shorter_line_that_shares_its_words_does_not_stand_in_for_a_protected_one(rest):
    done = enforce([SAFE, rest], [rest])

    assert SAFE in done.body


@pytest.mark.parametrize(
    ("directive", "lines", "lost"),
    [
        ("aggressive_prune", 20, 8),
        ("normal", 20, 4),
        ("stability", 30, 3),
        ("insufficient_data", 30, 3),
        ("stability", 10, 2),  # two may always go
        ("normal", 4, 2),
        ("aggressive_prune", 3, 2),
    ],
)
def test_one_curation_drops_no_more_than_its_share_and_the_weakest_are_what_goes(directive, lines, lost):
    before = [weak(n, score=round(0.1 + n / 100, 2)) for n in range(lines)]

    done = enforce(["## Patterns", *before], ["## Patterns"], directive=directive)

    assert sorted(done.body[1:]) == sorted(before[lost:])
    assert all("loss cap" in r["reason"] for r in done.refused)


@pytest.mark.parametrize(("score", "taken"), [(0.4, False), (0.5, False), (0.51, True), (0.9, True)])
def test_stability_takes_additions_above_a_half_only(score, taken):
    new = f"- quebec romeo sierra (score: {score})"

    done = enforce([weak(1)], [weak(1), new], directive="stability")

    assert (new in done.body) is taken
    assert (done.refused == []) is taken


def test_stability_refuses_an_addition_without_a_score():
    assert enforce([weak(1)], [weak(1), "- quebec romeo"], directive="stability").body == [weak(1)]


@pytest.mark.parametrize("directive", ["normal", "aggressive_prune", "insufficient_data"])
def test_no_other_directive_asks_additions_for_a_score(directive):
    assert (
        "- quebec romeo (score: 0.1)"
        in enforce([weak(1)], [weak(1), "- quebec romeo (score: 0.1)"], directive=directive).body
    )


def test_stability_leaves_a_weak_line_that_stood_before():
    assert enforce([weak(1)], [weak(1)], directive="stability").body == [weak(1)]


def test_the_sixth_deferred_item_pushes_the_oldest_out():
    items = [weak(n, tail=f' [deferred: 2026-02-{n:02}, reason: "r"]') for n in (13, 11, 16, 12, 15, 14)]

    done = enforce(items[:5], items)

    assert done.body == [line for line in items if "02-11" not in line]


@pytest.mark.parametrize("line", [SAFE, HIGH])
def test_a_protected_line_that_a_curator_defers_comes_back_as_it_was_and_never_falls_with_the_oldest(line):
    items = [weak(n, tail=f' [deferred: 2026-02-{n:02}, reason: "r"]') for n in (11, 12)]
    turned = f'{line} [deferred: 2026-02-10, reason: "r"]'

    done = enforce([line, *items], [turned, *items], max_deferred=2)

    assert done.body == [line, *items]


def test_over_the_limit_the_weakest_go_and_never_the_tail():
    before = ["## Patterns", *[weak(n, score=0.5) for n in range(48)]]
    worst = weak(60, score=0.1)

    done = enforce([*before[:20], worst, *before[20:]], [*before[:20], worst, *before[20:], weak(99, score=0.55)])

    assert document.content_lines(tuple(done.body)) == 50
    assert worst not in done.body
    assert done.body[-1] == weak(99, score=0.55)
    assert done.refused == [{"text": item.parse(worst).text, "reason": "the weakest over 50 lines"}]


@pytest.mark.parametrize(("lines", "dropped"), [(49, 0), (50, 0), (51, 1)])
def test_fifty_lines_fit(lines, dropped):
    body = [weak(n) for n in range(lines)]

    assert len(body) - len(enforce(body, body).body) == dropped


def test_blank_lines_do_not_count():
    body = [line for n in range(50) for line in (weak(n), "")]

    assert enforce(body, body).body == body


def test_of_equally_strong_lines_the_one_with_the_older_source_goes():
    body = [weak(n, tail=f" <!-- from: memory/2026-02-{20 - n:02}.md:1 -->") for n in range(3)]

    assert enforce(body, body, max_lines=2).body == body[:2]


def test_a_deferred_item_goes_before_a_weak_line():
    body = [weak(1, score=0.0), weak(2, score=0.9, tail=' [deferred: 2026-02-20, reason: "r"]')]

    assert enforce(body, body, max_lines=1).body == body[:1]


def test_protected_lines_that_a_person_wrote_stay_over_the_limit_and_new_ones_go():
    before = [weak(n, score=0.8) for n in range(4)]

    assert enforce(before, [*before, weak(9, score=0.9)], max_lines=3).body == before


def test_a_curation_that_takes_a_lines_score_does_not_take_the_line_with_it():
    before = [HIGH, weak(1, score=0.5)]

    done = enforce(before, [HIGH.replace("0.6", "0.0"), weak(1, score=0.5)], max_lines=1)

    assert done.body == [HIGH.replace("0.6", "0.0")]


def test_a_heading_that_the_curation_emptied_gives_its_line_when_lines_are_short():
    before = ["## Old", weak(1), "", "## Patterns", weak(2), weak(3)]
    after = ["## Old", "", "## Patterns", weak(2), weak(3)]

    assert "## Old" not in enforce(before, after, max_lines=3).body
    assert "## Old" in enforce(before, after, max_lines=4).body


LINE = st.builds(
    lambda n, score, tail: weak(n, score=score, tail=tail),
    st.integers(0, 60),
    st.sampled_from([0.0, 0.3, 0.5, 0.6, 0.9]),
    st.sampled_from(["", " [error-prevention]", ' [deferred: 2026-02-20, reason: "r"]', " [since: 2026-02-20]"]),
)
BODY = st.lists(LINE | st.sampled_from(["", "## Patterns", "## Established"]), max_size=14)


@settings(deadline=None, max_examples=examples(150))
@given(BODY, BODY, st.sampled_from(DIRECTIVES), st.integers(1, 12))
@example([SAFE], [f'{line} [deferred: 2026-02-1{n}, reason: "r"]' for n, line in enumerate([SAFE, weak(1), weak(2)])],
         "normal", 12)  # fmt: skip
def test_whatever_a_curator_returns_the_laws_hold(before, after, directive, max_lines):
    done = enforce(before, after, directive=directive, max_lines=max_lines, max_deferred=2)

    texts = {i.text for i in laws.items(done.body)}
    protected = [i for i in laws.items(before) if i.error_prevention and not i.deferred]
    assert all(i.text in texts for i in protected)
    assert sum(i.deferred is not None for i in laws.items(done.body)) <= 2
    assert set(done.body) <= {*before, *after, "", "## Patterns", "## Established"}
    over = document.content_lines(tuple(done.body)) - max_lines
    guarded = {i.text for i in laws.items(before) if laws.strength(i)[0]}
    assert over <= 0 or all(laws.strength(i)[0] or i.text in guarded for i in laws.items(done.body))


def test_every_directive_that_feedback_gives_has_a_loss_cap():
    given = {directive(outputs, positive) for outputs in (0, 5) for positive in (0, 3, 5)}

    assert given == set(DIRECTIVES) == set(laws.LOSS_CAP)


def test_stability_is_not_got_around_by_a_short_old_line_that_a_long_new_one_holds():
    old = "- Clear Metro cache (score: 0.5)"
    new = "- Metro cache lives under /tmp, and clear as day it grows two GB a week (score: 0.4)"

    assert enforce([old], [old, new], directive="stability").body == [old]


@pytest.mark.parametrize("mark", ["1. ", "12) ", "• ", "- [x] ", "* "])
def test_a_protected_line_of_any_mark_is_put_back_byte_for_byte(mark):
    line = mark + SAFE.removeprefix("- ")

    assert line in enforce(["## Patterns", line, weak(1)], ["## Patterns", weak(1)]).body
