"""A knowledge file is edited row by row: what is not touched stays, what is newer takes the older one's place."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text.voices import USER
from koog.knowledge import core_sections, documents, filing, journal, lists, rating
from koog.knowledge.core_sections import Caps
from koog.knowledge.filing import New
from koog.knowledge.lists import Row
from koog.memory.names import mentions
from koog.memory.store import core_memory
from koog.sessions import labels
from koog.sessions.labels import NONE, Label
from tests.conftest import ROOT

HEAD = "---\ntype: project_context\nproject: apollo\nupdated: 2026-01-01\n---\n\n# Apollo\n"
PATH = "knowledge/projects/apollo/context.md"


def new(text: str, day: str = "2026-03-10", *, section: str = "Key Decisions", source: str = "s:1") -> New:
    return New(section, text, day, NONE, (("source", source),), is_dated=True)


def rows(text: str) -> list[str]:
    return [row.partition(" <!--")[0] for row in text.split("\n") if row.startswith("- ")]


def test_a_new_line_stands_last_in_its_section_which_is_made_where_it_belongs():
    once = filing.filed(
        HEAD, PATH, [new("Runs on Go", section="Stack")], order=("Current State", "Key Decisions", "Stack")
    )

    twice = filing.filed(once.text, PATH, [new("We cut from main")], order=("Current State", "Key Decisions", "Stack"))

    assert twice.text.index("## Key Decisions") < twice.text.index("## Stack")
    assert twice.text.startswith(HEAD)


def test_the_same_again_is_not_added():
    once = filing.filed(HEAD, PATH, [new("We cut the release from main")])

    again = filing.filed(once.text, PATH, [new("we cut the release from main.", "2026-04-01")])

    assert (again.text, again.added) == (once.text, ())
    assert again.refused[0].reason == filing.KNOWN


def test_what_is_older_than_what_stands_there_changes_nothing():
    once = filing.filed(
        HEAD, PATH, [new("The Apollo release goes out on Mondays now, not on Thursdays.", "2026-03-10")]
    )

    older = filing.filed(
        once.text, PATH, [new("The Apollo release goes out on Mondays now, not on Thursdays.", "2026-02-01")]
    )

    assert older.text == once.text


def test_no_more_than_half_of_the_lines_is_crossed_out_at_once():
    names = "Apollo Hermes Athena Kepler Newton Darwin Fermi Planck Euler Gauss Noether Curie".split()
    stand = filing.filed(
        HEAD, PATH, [new(f"The {name} release goes out on Thursdays.", "2026-01-01") for name in names]
    )
    moved = [new(f"The {name} release goes out on Mondays now, not on Thursdays.") for name in names]

    made = filing.filed(stand.text, PATH, moved)

    struck = [row for row in rows(made.text) if row.startswith("- ~~")]
    assert len(struck) == len(made.added) == 6
    assert {each.reason for each in made.refused} == {filing.MANY}


def test_a_new_value_crosses_out_the_line_of_its_own_subject_alone():
    stand = filing.filed(
        HEAD, PATH, [new(f"The {name} release goes out on Thursdays.") for name in ("Apollo", "Hermes")]
    )

    made = filing.filed(stand.text, PATH, [new("The Hermes release goes out on Mondays now, not on Thursdays.")])

    assert [row for row in rows(made.text) if row.startswith("- ~~")] == [
        "- ~~2026-03-10: The Hermes release goes out on Thursdays.~~ (until 2026-03-10)"
    ]


@given(
    st.lists(st.text(alphabet="ab \n-#`>|~é漢", max_size=40), max_size=6),
    st.text(alphabet="abc é漢", min_size=3, max_size=30),
)
def test_every_row_of_a_persons_own_hand_stays(own, words):
    text = (
        HEAD + "\n## Key Decisions\n" + "".join(f"- own {n} {' '.join(each.split())}\n" for n, each in enumerate(own))
    )

    made = filing.filed(text, PATH, [new(f"x {words}")])

    kept = made.text.split("\n")
    assert [row for row in text.split("\n") if row.startswith("- own")] == [r for r in kept if r.startswith("- own")]


def test_a_journal_has_topics_below_its_day_and_its_sessions_in_its_head():
    made = journal.filed("", "j.md", [new("a b c", section="apollo")], day="2026-03-10", sessions=["s1"])
    more = journal.filed(
        made.text,
        "j.md",
        [new("d e f", section="people"), new("g h i", section="apollo")],
        day="2026-03-10",
        sessions=["s2", "s1"],
    )

    assert journal.topics(more.text) == ["apollo", "people"]
    assert documents.listed(more.text, "sessions") == ["s1", "s2"]
    assert more.text.index("a b c") < more.text.index("g h i") < more.text.index("### people")
    assert documents.problem(more.text, "journal") is None


def test_core_memory_keeps_within_its_sections_share():
    blocks = core_memory.new(3000)
    lines = [
        new(f"Lesson number {n} is about the {word} in the cellar", section="Lessons Learned")
        for n, word in enumerate(
            "pump boiler lift gate door roof fence shed lamp stove sink tap drain pipe meter fuse".split() * 6
        )
    ]

    caps = Caps(3000, 200)

    made = core_sections.filed(blocks, lines, caps)

    assert core_sections.used(made.text) <= caps.sections == 2400
    assert core_sections.FULL in {each.reason for each in made.refused}
    assert made.text.startswith(blocks.rstrip("\n"))


def test_where_the_blocks_fill_core_memory_nothing_is_added():
    full = core_memory.new(3000) + "- a line of the person's own\n" * 190

    made = core_sections.filed(full, [new("a lesson", section="Lessons Learned")], Caps(3000, 200))

    assert (made.text, made.added) == (full, ())


def test_the_list_of_projects_has_what_is_worked_on_first_and_ends_at_a_kilobyte():
    text = ""
    for n in range(40):
        text = lists.active(text, [Row(f"project-{n}", "what it is for and how it stands today")], "2026-03-10")

    assert len(text.encode()) <= lists.MOST_BYTES
    assert text.index("project-39") < text.index("project-38")
    assert "project-0**" not in text


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("no", '"no"'),
        ("1e5", '"1e5"'),
        ("David Feldhofer", "David Feldhofer"),
        ("a: b", '"a: b"'),
        ("2026-02-16", "2026-02-16"),
    ],
)
def test_a_value_that_yaml_would_take_for_something_else_is_quoted(value, told):
    text = documents.head({"type": "person", "name": value})

    assert f"name: {told}\n" in text
    assert str(documents.values(text)["name"]) == value


def test_a_head_that_a_person_wrote_over_several_rows_gets_one_new_value_and_keeps_the_rest():
    text = "---\ntype: journal\nsessions:\n  - a\n  - b\n# mine\ndate: 2026-03-10\n---\nx\n"

    made = documents.with_head(text, sessions=["a", "b", "c"])

    assert made == "---\ntype: journal\nsessions: [a, b, c]\n# mine\ndate: 2026-03-10\n---\nx\n"


def test_the_weights_know_the_lines_that_they_were_learned_from():
    """They were trained on these; data/train_placing.py tells how many of others are right."""
    found = [json.loads(line) for line in (ROOT / "data/placing.jsonl").read_text("utf-8").splitlines()][::6]

    def right(row: dict[str, str]) -> bool:
        named = mentions.found(row["text"])
        return rating.rate(row["text"], USER, named, today=date(2026, 3, 4)).best == row["place"]

    assert sum(map(right, found)) >= 0.7 * len(found)


HADES = "- 2026-03-01: We use Oracle in Hades <!-- dc:source=s:1 dc:project=/srv/other dc:scope=private -->\n"


def test_a_row_says_whose_it_is_where_only_another_project_has_told_of_it():
    text = f"{HEAD}\n## Key Decisions\n{HADES}"

    row = lists.row("hades", text, PATH, "Current State", "Key Decisions")
    again = lists.active(lists.active("", [row], "2026-03-10"), [row], "2026-03-10")

    assert labels.of_line(row.raw) == Label("/srv/other")
    assert again.count("**hades**") == 1


def test_what_the_own_project_says_goes_into_the_row_before_what_another_one_does():
    text = f"{HEAD}\n## Key Decisions\n- 2026-02-01: We cut from main <!-- dc:source=s:2 -->\n{HADES}"

    row = lists.row("apollo", text, PATH, "Key Decisions")

    assert (row.words, row.label) == ("We cut from main", NONE)


def test_a_decision_crosses_out_no_line_of_another_section():
    once = filing.filed(HEAD, PATH, [new("The Ledger project uses Python 3.12 and Django.", section="Stack")])

    made = filing.filed(
        once.text, PATH, [new("We decided to use SQLite instead of PostgreSQL for the Ledger project.", "2026-04-01")]
    )

    assert "~~" not in made.text
