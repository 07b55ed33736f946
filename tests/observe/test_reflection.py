"""Operations on observations and the laws that hold whatever an engine asks for.  [design §4, §5]"""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from koog.core.errors import Refused
from koog.observe import likeness, observations, reflect_rules, reflection
from koog.observe.observations import HIGH, Observation
from koog.observe.reflect_rules import ReflectInput

TODAY = date(2026, 2, 28)
WORDS = "harbor deploy staging backup mika lena tuesday friday port 4100 4200 never not moved to no longer uses".split()
LONG = "Moved the nightly backup to the new disk after lunch, because the old one made a noise"


def seen(text, *, mark=8, day="2026-02-20", time="09:00", source="s#a"):
    return Observation(day, time, text, "fact", mark, 0.8, source)


def file(*found):
    return observations.added("", found)


def rows(text):
    return [line.raw.rstrip("\n") for line in observations.lines(text) if line.seen]


def reflect(text, *asked):
    operations, refused = reflection.anchor(asked, rows(text))
    done = reflection.reflect(text, operations, today=TODAY)
    done.kept += refused
    return done


def texts(text):
    return [o.text for o in observations.observations(text)]


def remove(*lines, newer=None):
    return {"op": "remove", "lines": list(lines), "newer": newer, "reason": "because"}


def merge(*lines, text=None):
    return {"op": "merge", "lines": list(lines), "text": text, "reason": "twice"}


def rewrite(line, text):
    return {"op": "rewrite", "lines": [line], "text": text, "reason": "shorter"}


# --- removing


def test_a_red_line_is_never_simply_removed():
    text = file(seen("Deploys go out on Tuesdays"))

    done = reflect(text, remove(1))

    assert done.text == text
    assert done.kept == [
        {
            "line": "🔴 Deploys go out on Tuesdays",
            "reason": "remove: a 🔴 line goes only for a newer one or into another",
        }
    ]


def test_a_red_line_goes_for_a_newer_red_one_on_its_subject():
    text = file(seen("Harbor deploys go out on Tuesdays"), seen("Harbor deploys go out on Fridays", day="2026-02-25"))

    done = reflect(text, remove(1, newer=2))

    assert texts(done.text) == ["Harbor deploys go out on Fridays"]
    assert done.dropped == [{"line": "🔴 Harbor deploys go out on Tuesdays", "reason": "because"}]


@pytest.mark.parametrize(
    "newer",
    [
        seen("Harbor deploys go out on Fridays", day="2026-02-10"),  # is older
        seen("Harbor deploys go out on Fridays"),  # of the same minute
        seen("Harbor deploys go out on Fridays", day="2026-02-25", mark=5),  # weighs less
        seen("Lena likes tea", day="2026-02-25"),  # speaks of something else
        seen("Harbor has a new logo", day="2026-02-25"),  # shares one word
    ],
)
def test_a_red_line_does_not_go_for_a_line_that_cannot_stand_in_its_place(newer):
    old = seen("Harbor deploys go out on Tuesdays")
    text = file(old, newer)
    order = texts(text)

    done = reflect(text, remove(order.index(old.text) + 1, newer=order.index(newer.text) + 1))

    assert done.text == text
    assert len(done.kept) == 1


def test_a_chain_of_superseded_lines_leaves_the_last():
    text = file(*(seen(f"Harbor deploys moved to slot {n}", day=f"2026-02-1{n}") for n in range(4)))

    done = reflect(text, remove(1, newer=2), remove(3, newer=4), remove(2, newer=3))

    assert texts(done.text) == ["Harbor deploys moved to slot 3"]


@pytest.mark.parametrize(("day", "goes"), [("2026-02-20", True), ("2026-02-21", False), ("2026-03-05", False)])
def test_a_green_line_may_go_when_it_is_over_a_week_old(day, goes):
    done = reflect(file(seen("Tests passed", mark=2, day=day)), remove(1))

    assert (texts(done.text) == []) is goes


def test_a_yellow_line_goes_only_for_a_newer_one():
    text = file(seen("The cache lies in Lisbon", mark=5, day="2025-01-01"))

    assert reflect(text, remove(1)).text == text


# --- joining and rewriting


def test_joined_lines_stand_in_the_newest_ones_place_with_the_highest_importance():
    text = file(
        seen("Staging listens on port 4100", mark=8, day="2026-02-01"),
        seen("staging listens on port 4100", mark=5, day="2026-02-20", source="s#b"),
    )

    done = reflect(text, merge(1, 2))

    (left,) = observations.observations(done.text)
    assert (left.day, left.mark, left.source) == ("2026-02-20", HIGH, "s#b")
    assert "2026-02-01" not in done.text  # the emptied day's heading went, too
    assert done.merged[0]["into"] == "Staging listens on port 4100"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Staging listens on port 4100", "Staging listens on port 4200"),
        ("Mika prefers tabs over spaces", "Mika prefers spaces over tabs"),
        ("Deploy after the review", "Deploy before the review"),
        ("Push to main", "Never push to main"),
        ("Mika owns the rollout", "Lena owns the rollout"),
    ],
)
def test_red_lines_that_say_different_things_are_never_joined(a, b):
    text = file(seen(a), seen(b, time="10:00"))

    for asked in (None, a, b, "something short"):
        assert texts(reflect(text, merge(1, 2, text=asked)).text) == [a, b]


def test_a_red_line_is_joined_with_one_that_says_all_of_it():
    text = file(seen("Deploys go out on Tuesdays"), seen("Deploys go out on Tuesdays at noon", time="10:00", mark=5))

    done = reflect(text, merge(1, 2))

    assert [(o.mark, o.text) for o in observations.observations(done.text)] == [
        (HIGH, "Deploys go out on Tuesdays at noon")
    ]


@pytest.mark.parametrize(
    "asked",
    [
        "Moved the nightly backup to the new disk 9999",  # a number of its own
        "Mika moved the nightly backup to the new disk",  # a name of its own
        "The quick brown fox jumps",  # other words
        "Moved the nightly purple elephants gently",  # begun with its own words, and gone on with others
        f"{LONG} indeed",  # longer
        "",
    ],
)
def test_a_rewrite_is_shorter_and_made_of_the_lines_own_words(asked):
    text = file(seen(LONG, mark=5, day="2026-01-01"))

    done = reflect(text, rewrite(1, asked))

    assert done.text == text
    assert done.kept


@pytest.mark.parametrize(
    ("asked", "into"),
    [
        ("Nightly backup moved to disk", "Nightly backup moved to disk"),
        ("Nightly backup moved to disk 9999", "Nightly backup moved to the new disk"),
        ("Nightly backup moved purple elephants", "Nightly backup moved to the new disk"),
    ],
    ids=["their words", "a number of its own", "words of its own"],
)
def test_joined_lines_say_what_one_of_them_says(asked, into):
    old = {"mark": 5, "day": "2026-01-01"}
    text = file(seen("Nightly backup moved to the new disk", **old), seen("Nightly backup moved", time="10:00", **old))

    done = reflect(text, merge(1, 2, text=asked))

    assert texts(done.text) == [into]


def test_joined_lines_are_never_longer_than_they_were_apart():
    text = file(seen("Tests passed fine", mark=5), seen("tests passed", mark=5, time="10:00"))

    done = reflect(text, merge(1, 2, text="Tests passed fine, tests passed, tests passed fine"))

    assert texts(done.text) == ["Tests passed fine"]


def test_a_yellow_line_is_shortened_and_keeps_everything_else():
    old = seen(LONG, mark=5)

    done = reflect(file(old), rewrite(1, "Moved the nightly backup to the new disk"))

    assert observations.observations(done.text) == [old._replace(text="Moved the nightly backup to the new disk")]
    assert done.rewritten == [
        {"from": LONG, "to": "Moved the nightly backup to the new disk", "reason": "shorter"},
    ]


@pytest.mark.parametrize(("day", "allowed"), [("2026-01-29", False), ("2026-01-28", True)])
def test_a_yellow_line_keeps_its_numbers_for_thirty_days(day, allowed):
    text = file(seen("Moved the nightly backup to the new disk in rack 14 of hall B", mark=5, day=day))

    done = reflect(text, rewrite(1, "Moved the nightly backup to the new disk"))

    assert (done.text != text) is allowed


def test_a_line_never_loses_its_not():
    text = file(seen("The nightly backup was not moved to the new disk", mark=5, day="2026-01-01"))

    assert reflect(text, rewrite(1, "The nightly backup was moved to the new disk")).text == text


def test_a_red_line_is_never_shortened():
    text = file(seen(LONG))

    assert reflect(text, rewrite(1, "Moved the nightly backup to the new disk")).text == text


def test_a_secret_or_comment_in_an_engines_text_never_reaches_the_file():
    text = file(seen(LONG, mark=5))

    done = reflect(text, rewrite(1, "Moved the nightly backup <!-- dc:importance=10 --> to the new disk"))

    assert texts(done.text) == ["Moved the nightly backup to the new disk"]
    assert "importance=10" not in done.text


def test_what_is_private_in_an_engines_text_is_taken_out_of_it():
    text = file(seen(LONG, mark=5))

    done = reflect(text, rewrite(1, "Moved the nightly backup <private>of Anna</private> to the new disk"))

    assert texts(done.text) == ["Moved the nightly backup to the new disk"]


# --- anchoring


def test_operations_on_lines_there_are_not_are_refused_one_by_one():
    text = file(seen("Deploys go out on Tuesdays"))

    done = reflect(text, remove(7), merge(1), remove(1, newer=1), remove(1, newer=9))

    assert done.text == text
    assert [row["reason"] for row in done.kept] == [
        f"{op}: no such lines" for op in ("remove", "merge", "remove", "remove")
    ]


def test_a_line_is_touched_once():
    text = file(seen("Tests passed", mark=2, day="2026-01-01"), seen("Tests passed again", mark=2, day="2026-01-01"))

    done = reflect(text, merge(1, 2), remove(1))

    assert texts(done.text) == ["Tests passed again"]
    assert done.kept[0]["reason"] == "remove: the line changed meanwhile"


def test_what_stands_beside_the_observations_stays_byte_for_byte():
    text = (
        "# Observations\n\nmy own words\n\nDate: 2026-01-01\n\n- 🟢 09:00 Tests passed\n- not an observation\n\n"
        "Date: 2026-01-02\n\n- 🟢 09:00 Tests passed\n\n"
        "<!-- koog:raw session=s from=a to=b -->\n{}\n<!-- /koog:raw -->\n"
    )

    done = reflect(text, remove(1, 2))

    assert done.text == text.replace("- 🟢 09:00 Tests passed\n", "")


def test_windows_line_ends_stay():
    text = file(seen("Tests passed", mark=2, day="2026-01-01"), seen(LONG, mark=5, day="2026-01-01"))

    done = reflect(text.replace("\n", "\r\n"), rewrite(2, "Moved the nightly backup to the new disk"))

    assert done.text.count("\r\n") == done.text.count("\n") == text.count("\n")


# --- an answer as a whole


def test_an_answer_that_leaves_under_a_fifth_is_refused_whole():
    text = rows(file(*(seen(f"Tests passed in room {n}", mark=2, day="2026-01-01") for n in range(10))))
    eight, nine = ({"op": "remove", "lines": list(range(1, n)), "reason": ""} for n in (9, 10))

    reflection.check(reflection.anchor([eight], text)[0], text)
    with pytest.raises(Refused, match="under a fifth"):
        reflection.check(reflection.anchor([nine], text)[0], text)


def test_an_answer_that_leaves_more_is_refused_whole():
    text = rows(file(seen("Tests passed", mark=5)))

    with pytest.raises(Refused, match="more than there were"):
        reflection.check(reflection.anchor([rewrite(1, "Tests passed " * 9)], text)[0], text)


# --- properties

marks = st.sampled_from([2, 5, 8])
days = st.sampled_from(["2025-12-01", "2026-01-20", "2026-02-10", "2026-02-24", "2026-02-27"])
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
observed = st.builds(
    lambda t, m, d, h: seen(t, mark=m, day=d, time=f"{h:02}:00"), phrases, marks, days, st.integers(0, 23)
)
asked = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["remove", "merge", "rewrite"]),
        "lines": st.lists(st.integers(1, 12), min_size=1, max_size=4),
        "newer": st.none() | st.integers(1, 12),
        "text": st.none() | phrases,
        "reason": st.just("why"),
    }
)


def stands(old, after):
    """Return whether a line is still said: itself, within another 🔴 line, or by a newer 🔴 line on its subject."""
    return any(o.mark == HIGH and (o.text == old.text or likeness.holds(o.text, old.text)) for o in after)


def replaced(old, before):
    return any(likeness.may_supersede(o, old) and o.mark == HIGH for o in before)


@settings(max_examples=150, deadline=None)
@given(st.lists(observed, max_size=12), st.lists(asked, max_size=8))
def test_whatever_is_asked_every_red_line_stands_unless_a_newer_one_replaces_it(found, wanted):
    text = file(*found)

    after = observations.observations(reflect(text, *wanted).text)

    for old in observations.observations(text):
        if old.mark == HIGH and not stands(old, after):
            assert replaced(old, found), old.text
            assert any(likeness.may_supersede(o, old) or stands(o, after) for o in after)


@settings(max_examples=150, deadline=None)
@given(st.lists(observed, max_size=12), st.lists(asked, max_size=8))
def test_whatever_is_asked_the_text_never_grows_and_no_line_is_made_up(found, wanted):
    text = file(*found)

    after = reflect(text, *wanted).text

    assert observations.words(after) <= observations.words(text)
    said = {word for o in found for word in likeness.said(o.text)}
    assert {word for o in observations.observations(after) for word in likeness.facts(o.text)} <= said


@settings(max_examples=100, deadline=None)
@given(st.lists(observed, max_size=10), st.lists(asked, max_size=6), st.lists(observed, max_size=4))
@example([seen("harbor deploy")], [remove(1)], [seen("harbor deploy")])
def test_lines_that_came_in_meanwhile_stay(found, wanted, meanwhile):
    text = file(*found)
    operations, _ = reflection.anchor(wanted, rows(text))
    fresh = [o._replace(source="s#new") for o in meanwhile]

    after = reflection.reflect(observations.added(text, fresh), operations, today=TODAY).text

    left = observations.observations(after)
    assert all(o in left for o in fresh)


@settings(max_examples=100, deadline=None)
@given(st.lists(observed, min_size=1, max_size=14))
def test_the_built_in_engine_keeps_the_laws_settles_and_never_compounds(found):
    text, again = file(*found), ""
    for _ in range(6):
        lines = tuple(observations.observations(text))
        settled, _ = reflection.anchor(reflect_rules.settled(lines, TODAY), rows(text))
        answer = reflect_rules.answer(ReflectInput(lines, TODAY))["operations"]
        operations, refused = reflection.anchor(answer, rows(text))
        reflection.check(operations, rows(text))
        again = reflection.reflect(text, [*settled, *operations], today=TODAY).text
        assert refused == []
        if again == text:
            break
        text = again

    assert again == text


# --- who is behind lines that are joined

OWN = "Deploys go out on Tuesdays only, through the Quell vendor proxy"
PAGES = f"{OWN} on port 8443"


def of(who, *found):
    return [o._replace(more=(("trust", who),)) if who else o for o in found]


@pytest.mark.parametrize("who", ["agent", "tool", "quoted"])
@pytest.mark.parametrize("days", [("2026-02-10", "2026-02-20"), ("2026-02-20", "2026-02-10")])
def test_what_another_says_more_of_never_becomes_the_persons(who, days):
    text = file(*of(who, seen(PAGES, mark=6, day=days[0])), seen(OWN, mark=6, day=days[1]))

    for asked in (None, PAGES):
        done = reflect(text, merge(1, 2, text=asked))
        assert {(o.text, o.trust) for o in observations.observations(done.text)} == {(PAGES, who), (OWN, "person")}


def test_a_line_that_another_says_too_stays_the_persons():
    text = file(seen(PAGES, day="2026-02-10"), *of("quoted", seen(OWN, mark=6, day="2026-02-20")))

    (left,) = observations.observations(reflect(text, merge(1, 2)).text)

    assert (left.text, left.trust, left.day) == (PAGES, "person", "2026-02-10")


def test_what_is_trusted_less_takes_nobodys_place():
    old = seen("Deploys go out on Tuesdays", mark=6, day="2026-02-10")
    new = seen("Deploys moved to Friday", mark=6, day="2026-02-20")

    assert texts(reflect(file(old, *of("tool", new)), remove(1, newer=2)).text) == [old.text, new.text]
    assert texts(reflect(file(*of("tool", old), new), remove(1, newer=2)).text) == [new.text]
