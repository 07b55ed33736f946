"""memory/meta/pending-memories.md: what waits for a person's word.  [moltbot §13.2]"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core import proposal_form as form
from koog.core import proposals
from koog.core.proposal_form import Draft
from koog.core.proposals import Ledger, Proposal

WHEN = datetime(2026, 2, 28, 12, tzinfo=UTC)


def added(text, *given_proposals):
    return proposals.added(text, given_proposals, command="mine", when=WHEN)


def test_a_proposal_has_the_seeds_fields_and_says_where_it_was_found():
    assert added("", Proposal("Always run the setup", "memory/a.md:3")) == (
        proposals.HEADER
        + "<!-- koog: 1 proposals so far, waiting: #1 -->\n"
        + "\n---\n"
        + "## Proposal #1\n"
        + "- **From**: koog\n"
        + "- **Timestamp**: 2026-02-28T12:00:00Z\n"
        + "- **Trigger**: koog mine: shaped like an instruction, found at memory/a.md:3\n"
        + "- **Suggested store**: procedural\n"
        + "- **Content**: Always run the setup\n"
        + "- **Entities**: []\n"
        + "- **Confidence**: low\n"
        + "- **Core-worthy**: no\n"
        + "- **Status**: pending\n"
    )


def test_numbers_go_on_from_the_highest_that_stands():
    text = added("# Mine\n\n## Proposal #7\n- **Content**: Old\n", Proposal("A"), Proposal("B"))

    assert "## Proposal #8\n" in text
    assert "## Proposal #9\n" in text
    assert text.startswith("# Mine\n\n<!-- koog: 9 proposals so far, waiting: #7 #8 #9 -->\n\n## Proposal #7\n")


def test_what_waits_already_is_not_added_again():
    once = added("", Proposal("Always run the setup"))

    assert added(once, Proposal("Always  run\nthe setup"), Proposal("Always run the setup")) == once


@given(st.text(), st.text())
def test_a_proposal_cannot_forge_another(content, before):
    text = added(before, Proposal(content + "\n## Proposal #99\n- **Status**: approved"))

    assert text.count("\n## Proposal #") - before.count("\n## Proposal #") == 1
    assert "\n- **Status**: approved" not in text.removeprefix(before.rstrip("\n"))


# --- the seed's form, read and written whole


def draft(content="Lives in Lisbon", author="researcher", **more):
    return Draft(content, author, "2026-02-03T10:00:00Z", "auto-detect during research task", **more)


def put(text, *drafts, **more):
    return proposals.with_drafts(text, drafts, **more)


SEED = """# Pending Memory Proposals

<!-- Sub-agents append proposals here. Main agent reviews and commits. -->

---
## Proposal #1
- **From**: researcher
- **Timestamp**: 2026-02-03T10:00:00Z
- **Trigger**: auto-detect during research task
- **Suggested store**: semantic
- **Content**: User prefers academic sources over blog posts for technical topics
- **Entities**: [preference--source-quality]
- **Confidence**: medium
- **Core-worthy**: no
- **Status**: pending

---
## Proposal #2
- **From**: coder
- **Timestamp**: 2026-02-03T10:15:00Z
- **Trigger**: user said "remember this pattern"
- **Suggested store**: procedural
- **Content**: When refactoring, user wants tests written before changing implementation
- **Entities**: [procedure--refactoring-workflow]
- **Confidence**: high
- **Core-worthy**: yes
- **Status**: pending
"""


def test_the_seeds_own_file_is_read_whole():
    one, two = form.read(SEED)

    assert (one.number, one.author, one.store, one.confidence, one.is_core_worthy) == (
        1,
        "researcher",
        "semantic",
        "medium",
        False,
    )
    assert one.entities == ("preference--source-quality",)
    assert (two.number, two.value(form.TRIGGER)) == (2, 'user said "remember this pattern"')
    assert (two.store, two.confidence, two.is_core_worthy, two.is_waiting) == ("procedural", "high", True, True)


def test_all_that_koog_adds_to_the_seeds_file_is_one_comment():
    told = proposals.settled(SEED).text

    assert told.replace("<!-- koog: 2 proposals so far, waiting: #1 #2 -->\n", "") == SEED
    assert proposals.settled(told).text == told


def test_the_seeds_conflict_is_read_and_written():
    text = proposals.settled(
        "## Proposal #3\n- **From**: researcher\n- **Content**: Project deadline is March 15\n"
        "\n## Proposal #4\n- **From**: coder\n- **Content**: Project deadline is March 30\n- **Status**: pending\n"
    ).text

    assert "## Proposal #3 ⚠️ CONFLICT with #4\n" in text
    assert "## Proposal #4 ⚠️ CONFLICT with #3\n" in text
    assert text.count("- **Status**: conflict — see #") == 2
    three, four = form.read(text)
    assert (three.others, four.others, four.is_waiting) == (("#4",), ("#3",), True)
    alone = proposals.settled(form.without(text, [four])).text
    assert "CONFLICT" not in alone and "- **Status**: pending" in alone


@given(st.text(), st.text(), st.sampled_from(form.STORES))
def test_what_is_written_is_read_back(content, author, store):
    text, given_numbers = put("", draft(content, author, store=store))

    (found,) = form.read(text)
    assert given_numbers == [(1, True)]
    assert (found.number, found.content, found.store) == (1, form.tidy(content), store)
    assert found.author == form.key(form.tidy(author))
    assert form.without(text, [found]).rstrip("\n") + "\n" == proposals.HEADER + (
        "<!-- koog: 1 proposals so far, waiting: #1 -->\n"
    )


@given(st.text(), st.integers(0, 3))
def test_whatever_stands_there_stays_and_is_settled_once(before, many):
    blocks = "".join(f"## Proposal #N\n- **Content**: words of {n}\n" for n in range(many))
    text = before + ("\n" if before and not before.endswith("\n") else "") + blocks

    found = proposals.settled(text)

    kept = found.text.split("\n")
    for row in before.split("\n"):
        if not row.startswith(("## Proposal", "- **")):
            assert row in kept
    assert proposals.settled(found.text).text == found.text
    numbers = [each.number for each in found.entries]
    assert len(set(numbers)) == len(numbers)


def test_a_content_of_several_lines_goes_on_indented_and_as_markdown_has_it():
    text = "## Proposal #1\n- **Content**: one\n  two\n\n      code\n- **From**: x\n"
    text += "## Proposal\n- **Content**: a\nb\n\nmine\n"

    one, two = form.read(text)

    assert (one.content, one.author, two.content) == ("one\ntwo\n\n    code", "x", "a\nb")
    assert form.without(text, [one, two]) == "mine\n"


def test_a_proposal_in_a_comment_is_none():
    assert form.read("<!--\n## Proposal #1\n- **Content**: a\n-->\n") == []


# --- numbers


def test_what_was_appended_without_a_number_or_with_a_taken_one_gets_the_next():
    text, _ = put("", draft("first words"), draft("second words"))
    for heading in ("## Proposal #N", "## Proposal", "## Proposal #2", "## Proposal #77", "## Proposal #999999999999"):
        text += f"\n{heading}\n- **From**: hand\n- **Content**: {heading} said\n"

    found = proposals.settled(text)

    assert [each.number for each in found.entries] == [1, 2, 3, 4, 5, 6, 7]
    assert found.ledger == Ledger(7, frozenset(range(1, 8)))


def test_a_number_that_has_gone_is_never_given_again():
    text, _ = put("", draft("first words"), draft("second words"))
    left = proposals.settled(form.without(text, form.read(text))).text

    again, numbers = put(left + "\n## Proposal #1\n- **Content**: by hand\n", draft("third words"))

    assert numbers == [(4, True)]
    assert [each.number for each in form.read(again)] == [3, 4]


def test_a_lost_file_and_an_older_one_go_on_from_what_the_state_root_knows():
    known = Ledger(17, frozenset({16}))

    assert put("", draft(), known=known)[1] == [(18, True)]
    text = "## Proposal #16\n- **Content**: a b c\n\n## Proposal #3\n- **Content**: d e f\n"
    assert [each.number for each in proposals.settled(text, known).entries] == [16, 18]


def test_the_same_content_of_the_same_agent_is_one_proposal():
    text, _ = put("", draft("Lives in  Lisbon"))

    again, numbers = put(text, draft("Lives in\nLisbon"), draft("Lives in Lisbon", "coder"))

    assert numbers == [(1, False), (2, True)]
    assert len(form.read(again)) == 2


def test_conflicts_with_what_is_remembered_stay_until_they_are_looked_at_again():
    text, _ = put("", draft(), against={"Lives in Lisbon": ["fact:person--ana:0a1b2c3d"]})
    assert "## Proposal #1 ⚠️ CONFLICT with fact:person--ana:0a1b2c3d\n" in text

    assert proposals.settled(text).text == text
    assert "CONFLICT" not in proposals.settled(text, against={1: ()}).text


def test_a_proposal_is_compared_when_it_gets_its_number_and_its_marks_hold():
    text, _ = put("", draft("Project deadline is March 15"), draft("Ana lives in Lisbon"))
    again, _ = put(text, draft("Project deadline is March 30", "coder"))

    assert [each.others for each in form.read(again)] == [("#3",), (), ("#1",)]
    assert proposals.settled(again).text == again
    added_later, _ = put(again, draft("The logo is green"))
    assert [each.others for each in form.read(added_later)] == [("#3",), (), ("#1",), ()]


def test_two_homes_of_one_person_are_in_conflict_though_they_share_no_word_but_the_name():
    text, _ = put("", draft("Ana moved to Braga"), draft("Ana works at Lumen"))
    again, _ = put(text, draft("Ana moved to Faro", "coder"), draft("Has started at Nine", entities=("person--ana",)))

    assert [each.others for each in form.read(again)] == [("#3",), ("#4",), ("#1",), ("#2",)]


# --- a file that somebody has forged


@pytest.mark.parametrize("digits", ["999999999", "500000"])
def test_a_forged_count_does_not_use_the_numbers_up(digits):
    text, _ = put("", draft("first words"))
    forged = text.replace("koog: 1 proposals", f"koog: {digits} proposals")

    assert put(forged, draft("second words"), known=Ledger(1, frozenset({1})))[1] == [(2, True)]
    by_hand = f"## Proposal #{digits}\n- **Content**: by hand\n"
    assert put(by_hand, draft("second words"))[1] == [(2, True)]


def test_a_number_that_is_gone_is_not_given_again_because_the_file_says_that_it_waits():
    text, _ = put("", draft("first words"), draft("second words"))
    left = form.without(text, form.read(text)[:1]) + "\n## Proposal #1\n- **Content**: by hand\n"

    found = proposals.settled(left, Ledger(2, frozenset({2})))

    assert "waiting: #1 #2" in left
    assert [each.number for each in found.entries] == [2, 3]


def test_of_two_with_one_number_koogs_own_keeps_it_wherever_it_stands():
    text, _ = put("", draft("first words"), draft("second words"))
    (mine, _) = form.read(text)
    known = Ledger(2, frozenset({1, 2}), frozenset({(1, proposals.digest(mine, mine.store))}))
    forged = text.replace("---\n## Proposal #1", "## Proposal #1\n- **Content**: by hand\n\n---\n## Proposal #1", 1)

    found = proposals.settled(forged, known)

    assert [(each.number, each.content) for each in found.entries] == [
        (3, "by hand"),
        (1, "first words"),
        (2, "second words"),
    ]


def test_who_appends_many_by_hand_holds_nobody_up_and_the_newest_are_compared():
    pairs = ["## Proposal\n- **Content**: Ana lives in {}\n", "## Proposal\n- **Content**: Bo works at {}\n"]
    said = [pairs[0].format(place) for place in ("Rome", "Pisa")]
    said += [f"## Proposal\n- **Content**: thing {n} is done\n" for n in range(90)]
    said += [pairs[1].format(place) for place in ("Nine", "Ten")]

    found = proposals.settled("\n".join(said)).entries

    assert [each.others for each in (*found[:2], *found[-2:])] == [(), (), ("#94",), ("#93",)]
