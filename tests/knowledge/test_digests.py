"""A week and a month that koog makes again: what a person has changed there, or taken out, and what koog tells stay."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text import frontmatter
from koog.knowledge.condensing import digests, gathering, laws, periods
from koog.knowledge.condensing.gathering import Said
from koog.sessions.labels import Label
from tests.conftest import registered
from tests.knowledge.test_condense import BEGIN, run, said, text, write

WEEK = digests.of_week("knowledge/journal", periods.week(BEGIN))
MONTH = digests.of_month("knowledge/journal", periods.month(periods.week(BEGIN).month))
ONE_TURN = [
    "We drove to the lake near Potsdam with 12 people on Saturday.",
    "The new oven from Bosch arrived with a broken door.",
    "Our landlord raises the rent by 80 euros from June.",
    "The cat was at the vet in Spandau for a tooth.",
]
LATER = "The neighbours planted 2 cherry trees behind the garage."
MADE = {"weekly": "weekly/2026-W06.md", "monthly": "monthly/2026-02.md"}


@pytest.fixture
def home(workspace: Path) -> Path:
    registered(workspace)
    return workspace


def told(workspace: Path) -> None:
    """Tell four things in one turn, so that all lines have one source."""
    write(workspace, BEGIN, {"general": [f"{each} <!-- dc:day={BEGIN} dc:source=a1:17 -->" for each in ONE_TURN]})


def again(koog, workspace: Path, period: str) -> None:
    day = BEGIN + timedelta(days=2)
    write(workspace, day, {"general": [said(LATER, day, 3)]})
    run(koog, period, "2026-03-11")


def edited(workspace: Path, period: str, change) -> Path:
    path = workspace / "knowledge/journal" / MADE[period]
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    return path


def without_row(words: str):
    return lambda whole: "".join(row for row in whole.splitlines(True) if words not in row)


def below(words: str, *rows: str):
    def change(whole: str) -> str:
        made = whole.splitlines()
        at = next(n for n, row in enumerate(made) if words in row)
        return "\n".join([*made[: at + 1], *rows, *made[at + 1 :], ""])

    return change


def test_a_line_that_a_person_has_put_otherwise_costs_no_other_line_of_its_turn(koog, home):
    told(home)
    run(koog, "weekly", "2026-02-17")
    path = edited(home, "weekly", lambda whole: whole.replace("Bosch", "Siemens"))

    again(koog, home, "weekly")

    now = path.read_text("utf-8")
    assert all(now.count(word) == 1 for word in ("Siemens", "lake", "landlord", "vet", "cherry")) and "Bosch" not in now
    assert len(digests.read(now, "")) == 4


@pytest.mark.parametrize("period", ["weekly", "monthly"])
def test_a_line_that_a_person_has_taken_out_does_not_come_back_by_itself(koog, home, period):
    told(home)
    run(koog, period, "2026-03-10")
    stood = text(home, f"knowledge/journal/{MADE[period]}")
    gone = next(each.split()[-1][:-1] for each in ONE_TURN if each[:-1] in stood)
    path = edited(home, period, without_row(gone))

    for n in range(2):
        again(koog, home, period)
        write(home, BEGIN + timedelta(days=3), {"general": [said(f"Ilse swept {n + 3} chimneys.", BEGIN, n)]})

    now = path.read_text("utf-8")
    assert gone not in now and "\n- " in now


def test_a_week_of_which_a_person_has_taken_out_everything_stays_empty(koog, home):
    write(home, BEGIN, {"general": [said(ONE_TURN[0], BEGIN, 3)]})
    run(koog, "weekly", "2026-02-10")
    path = edited(home, "weekly", without_row("lake"))
    write(home, BEGIN, {"general": [said(ONE_TURN[0], BEGIN, 3)], "people": []})

    run(koog, "weekly", "2026-02-11")

    assert "lake" not in path.read_text("utf-8")


def test_what_koog_left_out_itself_may_come_back():
    one, other = (Said("general", each, f"{BEGIN}", source="a1:17") for each in ONE_TURN[:2])
    first = digests.written("", MONTH, [one, other])
    second = digests.written(first, MONTH, [other])

    assert digests.untold(second, [one, other]) == [one, other]
    assert "Potsdam" not in second and "Potsdam" in digests.written(second, MONTH, [one, other])


def test_a_persons_words_in_a_week_come_into_no_month_as_koogs(koog, home):
    told(home)
    run(koog, "weekly", "2026-02-10")
    own = "Anna drove to the lake near Potsdam with 12 people, maybe, her mother says so."
    path = edited(home, "weekly", lambda whole: whole.replace(ONE_TURN[0], own))
    path = edited(home, "weekly", below("landlord", "  - object in writing"))

    line = run(koog, "monthly", "2026-03-10")

    assert [row["path"] for row in line["made"]] == [f"knowledge/journal/{MADE[each]}" for each in ("monthly",)]
    month = text(home, "knowledge/journal/monthly/2026-02.md")
    assert "Potsdam" not in month and "object" not in month
    assert own in path.read_text("utf-8") and "landlord" in path.read_text("utf-8") and line["moved"] == []


def test_what_stands_below_a_line_stays_below_it(koog, home):
    told(home)
    run(koog, "weekly", "2026-02-10")
    edited(home, "weekly", below("landlord", "", "  We should object in writing."))
    path = edited(home, "weekly", below("lake", "- [ ] ask for the photos"))

    again(koog, home, "weekly")

    rows = [row.partition(" <!--")[0] for row in path.read_text("utf-8").split("\n")]
    at, photos = rows.index("  We should object in writing."), rows.index("- [ ] ask for the photos")
    assert ONE_TURN[2] in rows[at - 2] and rows[at - 1] == "" and ONE_TURN[0] in rows[photos - 1]
    assert [sum(word in row for row in rows) for word in ("lake", "Bosch", "landlord", "vet", "cherry")] == [1] * 5


def test_a_week_or_month_that_says_nothing_is_told_without_a_file(koog, home):
    write(home, BEGIN, {"Key Decisions": [said("We decided to sell the boat in May.", BEGIN, 3)]})

    line = run(koog, "monthly", "2026-03-10")

    assert [(row["name"], row["path"]) for row in line["made"]] == [("2026-W06", None), ("2026-02", None)]
    assert not (home / "knowledge/journal/weekly").exists()


def test_a_line_of_several_takes_all_of_them_with_it_when_a_person_takes_it_out():
    lines = [Said("general", each, f"{BEGIN}", source=f"s:{n}") for n, each in enumerate(ONE_TURN[:2])]
    whole = gathering.joined(lines[0], " ".join(ONE_TURN[:2]), lines)
    week = digests.written("", WEEK, [whole])

    assert digests.untold(without_row("Bosch")(week), lines) == []
    assert digests.read(week, "")[0].origins == lines[0].origins | lines[1].origins


def test_a_line_in_fewer_words_is_known_by_what_was_said():
    was = Said("general", ONE_TURN[0], f"{BEGIN}", source="s:1")
    month = digests.written("", MONTH, [was.saying("We drove to the lake near Potsdam")])

    assert digests.untold(without_row("Potsdam")(month), [was]) == []
    assert laws.applied([], digests.read(month, ""), period=laws.MONTH).kept[0].origins == was.origins


@pytest.mark.parametrize("digest", [WEEK, MONTH])
def test_many_lines_take_no_longer_than_so_many(digest):
    def seconds(n: int) -> float:
        lines = [Said(f"topic {k % 20}", f"Line {k} says {k}.", f"{BEGIN}", source=f"s:{k}") for k in range(n)]
        begun = time.process_time()
        digests.written(digests.written("", digest, lines[::2]), digest, lines)
        return time.process_time() - begun

    assert seconds(8000) < 24 * seconds(1000)


def test_a_day_of_many_headings_takes_no_longer_than_so_many():
    def seconds(n: int) -> float:
        whole = "".join(f"### {k}\n- line {k}\n" for k in range(n))
        begun = time.process_time()
        assert len(list(gathering.bullets(whole, ""))) == n
        return time.process_time() - begun

    assert seconds(8000) < 24 * seconds(1000)


# --- any hand edit


TOPICS = ("general", "people", "the boat")
LINES = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(TOPICS), st.sampled_from("abcdefgh"), st.sampled_from(["", "/o"])),
    min_size=1,
    max_size=9,
    unique_by=lambda each: (each[0], each[2]),
)
OWN = st.sampled_from(
    [
        "- my own",
        "  - nested",
        "  more of it",
        "my prose",
        "",
        "#### a title",
        "## Mine",
        "### my topic",
        "```",
        "1. one",
    ]
)
EDIT = st.tuples(st.sampled_from(["reword", "delete", "insert"]), st.integers(0, 40), OWN)


def as_said(rows) -> list[Said]:
    days = [f"{BEGIN + timedelta(days=n)}" for n, *_ in rows]
    return gathering.in_order(
        Said(topic, f"Ana put the {word} of that day away.", day, Label(project), source="s:1")
        for day, (_, topic, word, project) in zip(days, rows, strict=True)
    )


def changed(whole: str, edits) -> tuple[str, list[str]]:
    """Return a digest as a person has left it, and the rows that are his."""
    rows, own = whole.split("\n")[:-1], list[str]()
    head = frontmatter.lines(rows) + 2
    for n, (kind, place, new) in enumerate(edits):
        at = head + place % max(1, len(rows) - head + 1)
        if kind == "insert":
            mark = f"{new} {n}" if new.strip() and new != "```" else new
            rows[at:at] = [mark, f"code {n}", "```"] if new == "```" else [mark]
            own += [mark, f"code {n}"] if new == "```" else [mark]
        elif at < len(rows) and rows[at].startswith(("- Ana", "- 2026")):
            if kind == "delete":
                del rows[at]
            else:
                rows[at] = rows[at].replace("away", f"aside {n}")
                own.append(rows[at])
    return "\n".join(rows) + "\n", [row for row in own if row.strip() and row in rows]


@given(first=LINES, second=LINES, third=LINES, edits=st.lists(EDIT, max_size=6), digest=st.sampled_from([WEEK, MONTH]))
def test_any_hand_edit_survives_and_no_line_is_lost_or_told_twice(first, second, third, edits, digest):
    was = as_said(first)
    mine, own = changed(digests.written("", digest, was), edits)
    stood, now = {each.origins for each in digests.read(mine, "")}, mine

    for new in (second, third):
        told = list({each.origins: each for each in [*was, *as_said(new)]}.values())
        now = digests.written(now, digest, gathering.in_order(digests.untold(now, told)))

        assert set(own) <= set(now.split("\n"))
        assert {row: above(row, now) for row in own if row[0] != "#"} == {
            row: above(row, mine) for row in own if row[0] != "#"
        }
        koogs = [each.origins for each in digests.read(now, "")]
        assert len(koogs) == len(set(koogs))
        fresh = {each.origins for each in told} - {each.origins for each in was}
        assert set(koogs) == stood | fresh

    assert digests.written(now, digest, gathering.in_order(digests.untold(now, told))) == now


def above(row: str, whole: str) -> str:
    """Return the nearest row above one that says something."""
    rows = whole.split("\n")
    return next(each for each in reversed(rows[: rows.index(row)]) if each.strip())


@pytest.mark.parametrize("period", ["weekly", "monthly"])
def test_what_an_older_koog_wrote_and_signed_by_its_words_alone_is_koogs(koog, home: Path, period: str) -> None:
    told(home)
    run(koog, period, "2026-03-10")

    def older(whole: str) -> str:
        def signed(row: str) -> str:
            mark = gathering.mark(row[2:].partition(" <!--")[0])
            return f"{row[: row.index('dc:words=')]}dc:words={mark} -->" if "dc:words=" in row else row

        rows = [signed(row) for row in whole.splitlines() if not row.startswith("wrote:")]
        return "\n".join(rows) + "\n"

    path = edited(home, period, older)
    assert digests.read(path.read_text("utf-8"), "")
    before = len([row for row in path.read_text("utf-8").splitlines() if row.startswith("- ")])

    again(koog, home, period)

    rows = [row for row in path.read_text("utf-8").splitlines() if row.startswith("- ")]
    assert len(rows) >= before
    assert len(digests.read(path.read_text("utf-8"), "")) == len(rows)
