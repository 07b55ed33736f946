"""Operations on observations and the laws that hold whatever an engine asks for.  [design §4, §5]"""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from koog.core.errors import Refused
from koog.observe import observations, reflect_rules, reflection, reflection_laws
from koog.observe.observations import HIGH, Observation
from koog.observe.reflect_rules import ReflectInput
from tests.conftest import examples

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
    operations, refused = reflection.anchor(asked, observations.observations(text))
    done = reflection.reflect(text, operations, today=TODAY)
    done.told += refused
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
    assert done.rows("kept") == [
        {
            "line": "🔴 Deploys go out on Tuesdays",
            "reason": "remove: a 🔴 line goes only for a newer one or into another",
        }
    ]


def test_a_red_line_goes_for_a_newer_red_one_on_its_subject():
    text = file(seen("Harbor deploys go out on Tuesdays"), seen("Harbor deploys go out on Fridays", day="2026-02-25"))

    done = reflect(text, remove(1, newer=2))

    assert texts(done.text) == ["Harbor deploys go out on Fridays"]
    assert done.rows("dropped") == [{"line": "🔴 Harbor deploys go out on Tuesdays", "reason": "because"}]


@pytest.mark.parametrize(
    "newer",
    [
        seen("Harbor deploys go out on Fridays", day="2026-02-10"),  # is older
        seen("Harbor deploys go out on Fridays"),  # of the same minute
        seen("Lena likes tea", day="2026-02-25"),  # speaks of something else
    ],
)
def test_a_red_line_does_not_go_for_a_line_that_cannot_stand_in_its_place(newer):
    old = seen("Harbor deploys go out on Tuesdays")
    text = file(old, newer)
    order = texts(text)

    done = reflect(text, remove(order.index(old.text) + 1, newer=order.index(newer.text) + 1))

    assert done.text == text
    assert len(done.rows("kept")) == 1


@pytest.mark.parametrize("mark", [2, 5, 8])
def test_a_correction_goes_before_what_it_corrects_whatever_it_weighs_and_weighs_as_much_from_then_on(mark):
    text = file(
        seen("We deploy Harbor on Tuesdays"), seen("No, we deploy Harbor on Fridays", day="2026-02-25", mark=mark)
    )

    done = reflect(text, remove(1, newer=2))

    assert [(o.text, o.mark) for o in observations.observations(done.text)] == [
        ("No, we deploy Harbor on Fridays", HIGH)
    ]


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
    assert done.rows("merged")[0]["into"] == "Staging listens on port 4100"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Staging listens on port 4100", "Staging listens on port 4200"),
        ("Deploy Harbor on Monday", "Deploy Harbor on Friday"),
        ("Push to main", "Never push to main"),
        ("We ask Mika about the rollout", "We ask Lena about the rollout"),
        ("Server alder has 16 GB of memory", "Server birch has 16 GB of memory"),
        ("The invoice of 3 July is paid", "The invoice of 3 June is paid"),
        ("Lena likes tea", "Deploys go out at noon"),
    ],
)
@pytest.mark.parametrize("mark", [2, 5, 8])
def test_lines_that_say_different_things_are_never_joined(a, b, mark):
    text = file(seen(a, mark=mark), seen(b, time="10:00", mark=mark))

    for asked in (None, a, b, f"{a}, {b}", "something short"):
        assert texts(reflect(text, merge(1, 2, text=asked)).text) == [a, b]


@pytest.mark.parametrize(
    ("a", "b", "left"),
    [
        ("Deploys go out on Tuesdays", "Deploys go out on Tuesdays at noon", "Deploys go out on Tuesdays at noon"),
        ("The clinic is in autumn", "The autumn clinic is on 12 October", "The autumn clinic is on 12 October"),
        ("Payouts run through the queue", "it's the queue that handles payouts", "it's the queue that handles payouts"),
        ("接口时间统一用UTC。", "所有接口返回的时间都是UTC时间。", "所有接口返回的时间都是UTC时间。"),
    ],
)
@pytest.mark.parametrize("asked", [None, "They said so"])
def test_a_merge_keeps_the_line_that_says_most_whole(a, b, left, asked):
    text = file(seen(a, mark=8), seen(b, time="10:00", mark=5))

    done = reflect(text, merge(1, 2, text=asked))

    assert [(o.mark, o.text) for o in observations.observations(done.text)] == [(HIGH, left)]
    assert done.rows("merged")[0]["lines"] == [a, b]


COPIES = "The nightly pipeline copies orders and invoices, " * 13
ORDERS = "我们的项目使用数据库保存订单，每天晚上备份，" * 9


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("[prod] The database is postgres", "[staging] The database is postgres"),
        ("The limit is -5 degrees", "The limit is 5 degrees"),
        ("The timeout is 30 seconds", "The timeout is 30 minutes"),
        ("Rent is 900 €", "Rent is 900 $"),
        ("The release is on 2026-05-02", "The release is on 2026-02-05"),
        ("Standup is in the morning", "Standup is in the evening"),
        ("User prefers tabs", "User prefers spaces"),
        ("会議は午前です", "会議は午後です"),
        (f"{COPIES} to Lena", f"{COPIES} to Mika"),
        (f"{ORDERS}联系人是王丽", f"{ORDERS}联系人是赵敏"),
    ],
)
def test_what_only_one_line_says_is_not_lost_in_a_merge(a, b):
    text = file(seen(a, mark=5), seen(b, mark=5, day="2026-02-21"))
    lines = tuple(observations.observations(text))
    built_in = reflect_rules.answer(ReflectInput(lines, TODAY))["operations"]

    assert reflect(text, merge(1, 2)).text == text
    assert not reflect(text, *built_in).rows("merged")


def test_a_name_is_not_there_because_another_word_begins_like_it():
    assert reflection_laws.lost("Lena asks Kofi and Anna", "Lena asks Kof") == "kof would be lost"
    assert reflection_laws.lost("接口统一用UTC", "Use UTC everywhere") == ""


@pytest.mark.parametrize(
    "asked",
    [
        rewrite(1, "the harbor deploy window is Tuesday"),
        merge(1, 2, text="the deploy window of harbor is Tuesday"),
    ],
)
def test_what_an_agent_said_stays_an_agents(asked):
    lines = [
        seen("Agent: I think the harbor deploy window is Tuesday", mark=5, source="claude/p/s#1"),
        seen("Agent: the deploy window of harbor is Tuesday", mark=5, source="claude/p/s#2"),
    ]

    left = observations.observations(reflect(file(*lines), asked).text)

    assert {o.trust for o in left} == {"agent"}


def test_an_engines_text_that_is_too_long_is_not_cut():
    long = " ".join(f"harbor alpha{n}" for n in range(25))
    text = file(seen(long, mark=5), seen(f"{long} also", mark=5, time="10:00"))

    assert texts(reflect(text, merge(1, 2, text=f"{long} also and {long[:80]}")).text) == [f"{long} also"]


@pytest.mark.parametrize(
    ("line", "asked", "is_taken"),
    [
        ("User likes deploying staging builds before lunch", "User likes deploying production builds", False),
        ("Lena drinks green tea in the kitchen every morning", "Lena drinks black tea every morning", False),
        ("用户说他非常喜欢在早上喝一杯热的绿茶然后开始工作", "用户喜欢早上喝绿茶", True),
    ],
)
def test_a_rewrite_puts_no_other_word_in_ones_place_in_any_script(line, asked, is_taken):
    done = reflect(file(seen(line, mark=5)), rewrite(1, asked))

    assert texts(done.text) == [asked if is_taken else line]


def test_of_lines_that_are_to_be_one_those_stay_apart_that_would_lose_something():
    lines = ["The backup ran", "The nightly backup ran", "The backup ran on server 7"]
    text = file(*(seen(line, time=f"10:0{n}") for n, line in enumerate(lines)))

    done = reflect(text, merge(1, 2, 3))

    assert texts(done.text) == ["The nightly backup ran", "The backup ran on server 7"] or len(texts(done.text)) == 1
    assert any("7" in line for line in texts(done.text))


# --- a merge beside other operations


@pytest.mark.parametrize("order", [1, -1])
def test_a_merge_beside_a_removal_leaves_no_duplicate_standing(order):
    text = file(
        seen("Harbor deploys go out on Tuesdays", day="2026-02-10"),
        seen("The Harbor deploys go out on Tuesdays", day="2026-02-12"),
        seen("Harbor deploys go out on Fridays", day="2026-02-25"),
    )

    done = reflect(text, *[remove(1, newer=3), merge(1, 2)][::order])

    assert texts(done.text) == ["Harbor deploys go out on Fridays"]


def test_a_line_may_be_the_newer_one_and_joined():
    text = file(
        seen("Harbor deploys go out on Tuesdays", day="2026-02-10"),
        seen("Harbor deploys go out on Fridays", day="2026-02-20"),
        seen("The Harbor deploys go out on Fridays", day="2026-02-25"),
    )

    done = reflect(text, remove(1, newer=2), merge(2, 3))

    assert texts(done.text) == ["The Harbor deploys go out on Fridays"]


def test_merges_that_share_a_line_make_one():
    text = file(*(seen("Deploys go out on Tuesdays", time=f"10:0{n}") for n in range(3)))

    done = reflect(text, merge(1, 2), merge(2, 3))

    assert texts(done.text) == ["Deploys go out on Tuesdays"]
    ((sources, _),) = done.made[-1:]
    assert len(sources) == 3


def link(*lines):
    return {"op": "link", "lines": list(lines), "reason": "two sources"}


def test_lines_that_cannot_both_be_true_stay_and_name_each_other_once():
    text = file(
        seen("The field is 3 acres", source="s#a"), seen("The survey says 2 acres", day="2026-02-25", source="s#b")
    )

    done = reflect(text, link(1, 2))
    again = reflect(done.text, link(1, 2))

    assert [dict(o.more)["against"] for o in observations.observations(done.text)] == ["s#b", "s#a"]
    assert done.rows("linked") == [
        {"lines": ["The field is 3 acres", "The survey says 2 acres"], "reason": "two sources"}
    ]
    assert again.text == done.text


def against(text):
    return {o.text: o.against for o in observations.observations(text)}


def test_a_link_to_a_line_that_is_dropped_goes_with_it():
    text = file(
        seen("Tests passed on the new disk", mark=2, source="s#a"),
        seen("The disk is noisy", mark=5, day="2026-02-25", source="s#b"),
        seen("The disk is 3 TB", mark=5, day="2026-02-26", source="s#c"),
    )
    linked = reflect(reflect(text, link(1, 2)).text, link(2, 3)).text

    left = against(reflect(linked, remove(1)).text)

    assert against(linked)["The disk is noisy"] == ("s#a", "s#c")
    assert left == {"The disk is noisy": ("s#c",), "The disk is 3 TB": ("s#b",)}


def test_a_line_whose_only_link_went_has_none():
    text = file(seen("Tests passed", mark=2, source="s#a"), seen("Tests failed", day="2026-02-25", source="s#b"))

    left = reflect(reflect(text, link(1, 2)).text, remove(1)).text

    assert "against" not in left and texts(left) == ["Tests failed"]


def test_a_link_stays_where_another_line_of_that_place_stands():
    text = file(
        seen("Tests passed", mark=2, source="s#a"),
        seen("Tests ran on the new disk", mark=5, source="s#a"),
        seen("Tests failed", day="2026-02-25", source="s#b"),
    )

    left = reflect(reflect(text, link(1, 3)).text, remove(1)).text

    assert against(left)["Tests failed"] == ("s#a",)


def test_a_link_to_what_yields_goes_with_it():
    text = file(
        long(1, mark=4, day="2026-02-01")._replace(source="s#a"),
        long(2, mark=8, day="2026-02-10")._replace(source="s#b"),
    )
    linked = reflect(text, link(1, 2)).text

    assert [o.against for o in observations.observations(fitted(linked, 30).text)] == [()]


# --- over the limit


def long(n, *, mark, day):
    return seen(
        f"Note {n} " + " ".join(f"word{n}x{k}" for k in range(20)), mark=mark, day=day, time=f"{n // 60:02}:{n % 60:02}"
    )


def fitted(text, limit):
    return reflection.fitted(text, limit, today=TODAY)


def test_over_the_limit_whole_lines_yield_the_lightest_and_oldest_first_until_there_is_room():
    lines = [long(n, mark=8 if n % 3 == 0 else 4 + n % 2, day=f"2026-0{1 + n % 2}-1{n % 10}") for n in range(60)]
    text = file(*lines)

    done = fitted(text, 900)

    left = observations.observations(done.text)
    assert 700 < observations.words(done.text) <= 900
    assert [o for o in left if o.mark == HIGH] == [o for o in observations.observations(text) if o.mark == HIGH]
    assert set(left) <= set(lines)
    assert not [o for o in left if o.importance == 4]
    assert fitted(done.text, 900).text == done.text


def test_what_is_important_or_of_this_week_never_yields():
    text = file(
        *(long(n, mark=8, day="2026-01-01") for n in range(9)), *(long(n, mark=5, day="2026-02-21") for n in range(9))
    )

    assert fitted(text, 50).text == text


def test_below_the_limit_nothing_yields():
    text = file(*(long(n, mark=5, day="2026-01-01") for n in range(9)))

    assert fitted(text, observations.words(text)).text == text


# --- rewriting


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
    assert done.rows("kept")


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
    assert done.rows("rewritten") == [
        {"from": LONG, "to": "Moved the nightly backup to the new disk", "reason": "shorter"},
    ]


def test_a_yellow_line_keeps_its_numbers_however_old_it_is():
    text = file(seen("Moved the nightly backup to the new disk in rack 14 of hall B", mark=5, day="2024-01-28"))

    assert reflect(text, rewrite(1, "Moved the nightly backup to the new disk")).text == text


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
    assert [row["reason"] for row in done.rows("kept")] == [
        f"{op}: no such lines" for op in ("remove", "merge", "remove", "remove")
    ]


def test_a_removal_of_what_was_joined_is_done_with_that():
    text = file(seen("Tests passed", mark=2, day="2026-01-01"), seen("Tests passed again", mark=2, day="2026-01-01"))

    done = reflect(text, merge(1, 2), remove(1))

    assert texts(done.text) == ["Tests passed again"]
    assert done.rows("kept") == []


def test_a_line_is_touched_once():
    text = file(seen(LONG, mark=2, day="2026-01-01"))

    done = reflect(text, rewrite(1, "Moved the nightly backup to the new disk"), remove(1))

    assert texts(done.text) == ["Moved the nightly backup to the new disk"]
    assert done.rows("kept")[0]["reason"] == "remove: the line changed meanwhile"


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


# --- what stands there in another shape


def test_the_same_words_of_two_days_are_two_lines_whatever_their_order():
    text = "Date: 2026-02-27\n\n- 🟢 Tests passed\n\nDate: 2026-01-02\n\n- 🟢 Tests passed\n"

    done = reflect(text, remove(2))

    assert done.rows("kept") == []
    assert done.text == "Date: 2026-02-27\n\n- 🟢 Tests passed\n\n"


def test_what_is_written_under_a_line_goes_with_it_and_is_named():
    text = "Date: 2026-01-02\n\n- 🟡 Lena likes tea\n- 🟢 Ran the import\n  - it took 20 minutes\n\n## Mine\n\nstays\n"

    done = reflect(text, remove(2))

    assert done.text == "Date: 2026-01-02\n\n- 🟡 Lena likes tea\n\n## Mine\n\nstays\n"
    assert done.rows("dropped") == [{"line": "🟢 Ran the import - it took 20 minutes", "reason": "because"}]


def test_a_line_with_more_under_it_is_joined_into_no_other():
    text = "Date: 2026-02-20\n\n- 🟡 Lena likes tea\n  - green\n\nDate: 2026-02-21\n\n- 🟡 Lena likes tea\n"

    done = reflect(text, merge(1, 2))

    assert done.text == text
    assert done.rows("kept") == [{"line": "🟡 Lena likes tea", "reason": "merge: more is written under it"}]


def test_a_line_that_a_person_has_commented_out_is_none():
    text = "Date: 2026-01-02\n\n<!--\n- 🟢 Ran the import\n-->\n- 🟢 Tests passed\n"

    assert texts(text) == ["Tests passed"]


def test_a_day_that_there_is_not_is_not_the_day_before():
    text = "Date: 2026-02-10\nDate: 2026-02-31\n- 🟢 Tests passed\n"

    assert [o.day for o in observations.observations(text)] == [""]


def test_a_line_of_any_length_is_read_at_once():
    comment = "<!--" + " dc:a=b=c=d=e=f=g" * 30
    for row in (f"- 🔴 text {comment} x", f"- 🔴 a{' ' * 20_000}b{' ' * 20_000}"):
        assert observations.observations(row)[0].mark == HIGH


def test_any_number_of_lines_that_say_the_same_are_one():
    found = [seen("Tests passed", source=f"s#{n}") for n in range(1100)]

    assert texts(reflect(file(*found), merge(*range(1, 1101))).text) == ["Tests passed"]


def test_the_built_in_engines_own_answer_is_never_refused():
    found = [seen(f"Staging port is {4000 + n}", time=f"{9 + n // 60:02}:{n % 60:02}") for n in range(60)]
    found.append(seen(" ".join(f"word{n}" for n in range(70))))

    operations, _ = reflection.anchor(reflect_rules.answer(ReflectInput(tuple(found), TODAY))["operations"], found)

    reflection.check(operations, found)


def test_what_corrects_a_correction_weighs_as_much_as_the_first():
    lines = [
        seen("Harbor deploys go out on Tuesdays"),
        seen("Harbor deploys go out on Fridays now", mark=5, day="2026-02-21"),
        seen("Harbor deploys go out on Mondays now", mark=2, day="2026-02-22"),
    ]

    left = observations.observations(reflect(file(*lines), remove(2, newer=3), remove(1, newer=2)).text)

    assert [(o.mark, o.text) for o in left] == [(HIGH, "Harbor deploys go out on Mondays now")]


# --- an answer as a whole


def test_an_answer_that_leaves_under_a_fifth_is_refused_whole():
    text = [seen(f"Tests passed in room {n}", mark=2, day="2026-01-01") for n in range(10)]
    eight, nine = ({"op": "remove", "lines": list(range(1, n)), "reason": ""} for n in (9, 10))

    reflection.check(reflection.anchor([eight], text)[0], text)
    with pytest.raises(Refused, match="under 20%"):
        reflection.check(reflection.anchor([nine], text)[0], text)


def test_an_answer_that_leaves_more_is_refused_whole():
    text = [seen("Tests passed", mark=5)]

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
        "op": st.sampled_from(["remove", "merge", "rewrite", "link"]),
        "lines": st.lists(st.integers(1, 12), min_size=1, max_size=4),
        "newer": st.none() | st.integers(1, 12),
        "text": st.none() | phrases,
        "reason": st.just("why"),
    }
)


def stands(old, after):
    """Return whether a line is still said: by itself, or by one that loses nothing of it."""
    return any(o.mark == HIGH and (o.text == old.text or not reflection_laws.lost(o.text, old.text)) for o in after)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(observed, max_size=12), st.lists(asked, max_size=8))
def test_whatever_is_asked_every_red_line_stands_unless_a_newer_one_replaces_it(found, wanted):
    text = file(*found)

    after = observations.observations(reflect(text, *wanted).text)

    for old in observations.observations(text):
        if old.mark == HIGH and not stands(old, after):
            assert any(not reflection_laws.why_not_remove(old, o, today=TODAY) for o in found), old.text


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(observed, max_size=12), st.lists(asked, max_size=8))
def test_whatever_is_asked_the_text_never_grows_and_no_line_is_made_up(found, wanted):
    text = file(*found)

    after = reflect(text, *wanted).text

    assert observations.words(after) <= observations.words(text)
    said = " ".join(o.text for o in found).split()
    assert {word for o in observations.observations(after) for word in o.text.split() if word[0].isdigit()} <= {*said}


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(observed, max_size=12), st.lists(asked, max_size=8))
def test_whatever_is_asked_every_line_that_is_gone_is_named(found, wanted):
    text = file(*found)

    done = reflect(text, *wanted)

    left = [o.text for o in observations.observations(done.text)]
    named = [row["line"][2:] for row in done.rows("dropped")] + [row["from"] for row in done.rows("rewritten")]
    named += [line for row in done.rows("merged") for line in row["lines"]]
    assert {o.text for o in found} <= {*left, *named}


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(observed, max_size=10), st.lists(asked, max_size=6), st.lists(observed, max_size=4))
@example([seen("harbor deploy")], [remove(1)], [seen("harbor deploy")])
def test_lines_that_came_in_meanwhile_stay(found, wanted, meanwhile):
    text = file(*found)
    operations, _ = reflection.anchor(wanted, observations.observations(text))
    fresh = [o._replace(source="s#new") for o in meanwhile]

    after = reflection.reflect(observations.added(text, fresh), operations, today=TODAY).text

    left = observations.observations(after)
    assert all(o in left for o in fresh)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(observed, min_size=1, max_size=14))
def test_the_built_in_engine_keeps_the_laws_settles_and_never_compounds(found):
    text, again = file(*found), ""
    for _ in range(6):
        again = text
        for rule in (
            reflect_rules.doubled,
            lambda lines: reflect_rules.answer(ReflectInput(tuple(lines), TODAY))["operations"],
            lambda lines: reflect_rules.expired(lines, TODAY),
        ):
            lines = observations.observations(again)
            operations, refused = reflection.anchor(rule(lines), lines)
            if rule is not reflect_rules.doubled:
                assert refused == []
            again = reflection.reflect(again, operations, today=TODAY).text
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
