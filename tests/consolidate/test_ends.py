"""What ends what: the thing itself that is over, a role that goes to another; nothing of another's, nothing denied."""

from __future__ import annotations

import pytest

from koog.consolidate import endings, holders, plan_rows
from koog.consolidate.survey import Said
from koog.memory.store.line import Line
from tests.consolidate.tools import ANA, approve, of_kind, relayed, remember, slept


def _pair(older: str, newer: str) -> list[Said]:
    return [
        Said("episode:2026-02-02:09:00", older, "2026-02-02"),
        Said("episode:2026-02-09:09:00", newer, "2026-02-09"),
    ]


def _entity(folder, id_: str, *rows: str) -> None:
    text = ANA.replace("person--ana", id_).partition("- Ana")[0] + "".join(f"- {row}\n" for row in rows)
    path = folder / f"memory/graph/entities/{id_}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _ended(plan) -> list[str]:
    return [row["before"].partition(" <!--")[0] for row in plan["operations"] if row["kind"] in ("replace", "core")]


# --- roles


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Marta Frei is head of the Sonnenhof nursery", "Since Monday Jonas Koch is head of the Sonnenhof nursery"),
        ("Marta is the treasurer of the rowing club", "Jonas is the treasurer of the rowing club now"),
        ("Priya is my deputy, she looks after the rota", "Tobiah takes over as deputy from January"),
        ("Marta es la tesorera del coro", "Desde mayo Juan es la nueva tesorera del coro"),
        ("Anne est la présidente du club", "Depuis mai Luc est le nouveau président du club"),
        ("王芳负责向日葵幼儿园的财务", "从三月起李明负责向日葵幼儿园的财务"),
        ("田中さんはひまわり幼稚園の園長です", "四月から佐藤さんがひまわり幼稚園の園長です"),
    ],
)
def test_who_has_a_role_of_which_there_is_one_takes_it_from_who_had_it(older, newer):
    older, newer = _pair(older, newer)

    assert [each.older for each in holders.found([older, newer])] == [(older,)]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ana is allergic to walnut and hazelnut", "Ben is allergic to walnut and hazelnut since last spring"),
        ("Ana is mother of twins in Faro", "Ben is now father of twins in Faro"),
        ("Ana Ruiz is in hospital in Olten", "Ben Koch is in hospital in Olten since Monday"),
        ("Marta is a teacher at the Sonnenhof nursery", "Jonas is a new teacher at the Sonnenhof nursery"),
        ("Ana has the keys to the boathouse", "Ben also has the keys to the boathouse now"),
        ("Marta is the treasurer of the club", "Jonas is also the treasurer of the club now"),
        ("Marta is the treasurer of the rowing club", "Jonas is the treasurer of the chess club now"),
        ("My brother Tom is manager of the Aldi in Thun", "Since May my cousin Kai is manager of an Aldi in Bern"),
        ("Marta is the head of the nursery school", "Jonas wants to be the head of the nursery school from May"),
        ("Marta is head of the nursery", "Jonas was head of the nursery until Marta took over"),
        ("Marta runs the archive", "Jonas now runs the archive tours for Lena"),
        ("My dentist is Dr Imhof, he is at the Bahnhof practice", "Jonas has a new dentist, he is at the Bahnhof"),
        ("Tom is our neighbour", "Since May Kai is our new neighbour"),
        ("王芳是青石书店的会员", "从三月起李明是青石书店的会员"),
    ],
)
def test_what_two_can_be_or_have_and_a_wish_a_past_and_another_place_end_nothing(older, newer):
    assert list(holders.found(_pair(older, newer))) == []


# --- ends


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "Ana is a member of the Lindenhof choir",
            "Ben was thrown out, his membership in the Lindenhof choir is cancelled",
        ),
        ("Ana plays bass in the band Quarzlicht", "Ben has left the band Quarzlicht for good, he quit"),
        ("I sing in the Lindenhof choir", "Petra quit the Lindenhof choir"),
        ("Marta writes for the Falter newspaper", "I cancelled my Falter subscription"),
        ("Our dentist is Dr Weber in Olten", "I sold the old sofa to Dr Weber's wife"),
        ("My sister Petra lives in Bergen", "The trip to Bergen fell through"),
        ("My wife Petra works at the Aster cinema", "The film course at the Aster cinema was cancelled"),
        ("Marta runs the Rosenfeld nursery", "We turned down the heating at Rosenfeld"),
        ("I rent a plot at Rosenfeld", "He got rid of the weeds on the Rosenfeld plot"),
        ("I rent a plot at Rosenfeld", "I sold the first jars of Rosenfeld honey"),
        ("Marta prepares the Lindenhof plan with Ben", "Nobody rejected the Lindenhof plan"),
        ("Petra plant den Umzug nach Thun", "Der Umzug nach Thun ist nicht vom Tisch"),
        ("王芳管罗森菜园", "罗森菜园没有被搁置"),
        ("田中さんは琴の発表会を準備している", "琴の発表会は見送りにならなかった"),
        ("王芳负责香蕉园的财务", "香蕉园的香蕉黄了，可以摘了"),
        ("I sing in the Lindenhof choir", "The Lindenhof choir was never abandoned"),
        ("I sing in the Lindenhof choir", "I almost quit the Lindenhof choir"),
        ("I rent a plot at Rosenfeld", "We packed it in the van at Rosenfeld"),
        ("I rent a plot at Rosenfeld", "We called it a day at the Rosenfeld plot at six"),
        ("We take the Lindenhof lift", "The Lindenhof lift is closing too fast"),
        ("Rosa keeps the books at Rosenfeld", "Rosa is done with the Rosenfeld paperwork"),
        ("Rosa keeps the books at Rosenfeld", "Rosa is off. She'll do the books on Monday"),
        ("Ines skates at Rosenfeld", "Ines fell through the ice at Rosenfeld"),
        ("Le jardin Rosenfeld est à nous", "C'est fini pour aujourd'hui au jardin Rosenfeld"),
        ("Die Bäckerei Huber hat gutes Brot", "Die Bäckerei Huber macht zu Mittag auf"),
        ("I read the Falter", "I unsubscribed from the Falter by mistake and signed up again"),
        ("I work for Siemens", "Ben has left Siemens"),
        ("I work for Siemens", "I have not left Siemens"),
        ("I live in Zurich", "I left Zurich at six"),
        ("Quarry needs a conveyor belt", "The conveyor stopped in the right place"),
        ("Bashir comes by train from Hull", "The train from Hull is cancelled"),
    ],
)
def test_what_is_anothers_or_another_thing_or_denied_or_passing_is_no_end(older, newer):
    assert list(endings.found(_pair(older, newer))) == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ich singe im Lindenhofchor, immer donnerstags", "Den Lindenhofchor gibt es nicht mehr, er wurde aufgelöst"),
        ("Je chante dans la chorale Mistral à Lyon", "La chorale Mistral est dissoute"),
        ("I work for Siemens in Munich", "I have left Siemens"),
        ("Ich arbeite bei Siemens in München", "Ich habe bei Siemens gekündigt"),
        (
            "Ben is a member of the Lindenhof choir",
            "Ben was thrown out, his membership in the Lindenhof choir is cancelled",
        ),
        ("We plan a trip to Bergen in May", "The trip to Bergen fell through"),
        ("Pauline stamped it, so the polytunnel bid is in", "Letter for Reg and me: polytunnel turned down, too late"),
        ("Lattice go-live is in May", "Since Lattice is scrapped nobody has collected the scanners"),
        ("我每周三上日语课", "取消了日语课"),
        ("我在健身房锻炼", "我取消了健身房会员"),
        ("Ich gehe ins Fitnessstudio am Ring", "Das Fitnessstudio habe ich gekündigt"),
    ],
)
def test_what_is_over_by_its_own_name_or_by_who_has_left_it_ends(older, newer):
    older, newer = _pair(older, newer)

    assert [each.older for each in endings.found([older, newer])] == [(older,)]


def test_of_what_is_over_by_a_name_alone_every_line_that_has_it_ends_and_no_other():
    lines = [
        Said("episode:2026-02-01:09:00", "The Rosenfeld plot gives beans", "2026-02-01"),
        Said("episode:2026-02-02:09:00", "Marta runs the Rosenfeld nursery", "2026-02-02"),
        Said("episode:2026-02-03:09:00", "I pay 40 a month for the plot in Rosenfeld", "2026-02-03"),
        Said("episode:2026-02-09:09:00", "I gave up the Rosenfeld plot", "2026-02-09"),
    ]

    assert [each.older for each in endings.found(lines)] == [(lines[0], lines[2])]


def test_what_many_lines_speak_of_is_no_name_of_what_is_over():
    lines = [Said(f"episode:2026-01-{n:02}:09:00", f"Bought a lamp, the {n}th", f"2026-01-{n:02}") for n in range(1, 9)]
    over = Said("episode:2026-02-09:09:00", "I gave up the lamp", "2026-02-09")

    assert list(endings.found([*lines, over])) == []
    assert [each.older for each in endings.found([*lines[:3], over])] == [tuple(lines[:3])]


# --- a whole night


def test_an_end_stands_where_it_is_told_of_and_not_with_whoever_had_to_do_with_it(workspace, koog):
    relayed(workspace)
    remember(workspace, [("2026-02-09 09:00", "The pottery course is cancelled, the kiln broke")])
    _entity(workspace, "person--ines", "Ines takes the pottery course <!-- dc:from=2026-01-02 -->")
    plan = slept(koog)

    assert [(row["target"].split(":")[1], row["after"]) for row in of_kind(plan, "replace")] == [("person--ines", None)]
    assert all(row["target"] != "person--ines" for row in of_kind(plan, "fact"))
    assert [plan_rows.shown(row["after"]) for row in of_kind(plan, "fact")] == [
        "The pottery course is cancelled, the kiln broke"
    ]


def test_a_fact_that_another_fact_ends_held_until_the_day_on_which_that_was_said(workspace, koog):
    relayed(workspace)
    remember(workspace, [])
    _entity(workspace, "person--marta", "Marta is head of the nursery <!-- dc:from=2026-01-07 -->")
    _entity(workspace, "person--jonas", "Since Monday Jonas is head of the nursery <!-- dc:from=2026-02-07 -->")
    plan = slept(koog)
    approve(koog, plan)

    row = (workspace / "memory/graph/entities/person--marta.md").read_text().partition("Marta is head")[2]
    assert "dc:to=2026-02-07" in row


@pytest.mark.parametrize("newer", ["The penicillin allergy test was cancelled", "The penicillin allergy is over, wow"])
def test_what_somebody_cannot_stand_is_ended_by_no_guess(workspace, koog, newer):
    relayed(workspace)
    remember(workspace, [("2026-02-09 09:00", newer)])
    (workspace / "MEMORY.md").write_text("# MEMORY.md\n\n## Critical Facts\n- I am allergic to penicillin\n")
    _entity(workspace, "person--leo", "Leo has a penicillin allergy <!-- dc:from=2026-01-02 -->")

    assert _ended(slept(koog)) == []


def test_what_is_of_health_does_not_fade_away(workspace, koog):
    relayed(workspace)
    remember(workspace, [("2025-06-01 08:00", "Leo is allergic to peanuts"), ("2025-06-01 09:00", "Leo bought a lamp")])

    assert [row["before"] for row in of_kind(slept(koog), "archive")] == ["Leo bought a lamp"]


MARA = "Mara likes to work in the early morning"


@pytest.mark.parametrize(
    ("older", "newer", "kinds"),
    [
        ("My sister Lena lives in Utrecht", "Lena moved to Rotterdam", []),
        ("Lives in Utrecht", "Lena moved to Rotterdam", []),
        ("Lena works at Lumen", "Lena started working at Nine", []),
        ("Lena likes to work in the early morning", "Lena now works late at night", []),
        ("Lena has the spare key", "Ask next door <!-- dc:against=fact:person--lena:{} -->", []),
        ("Lena lives in Utrecht", "Lena's brother moved to Faro", ["archive"]),
        ("Lena lives in Utrecht", "Lena bought a lamp", ["archive"]),
    ],
)
def test_what_is_newer_than_a_line_that_holds_is_left_alone(workspace, koog, older, newer, kinds):
    relayed(workspace)
    remember(workspace, [("2025-06-11 09:00", newer.format(Line(older).hash))])
    _entity(workspace, "person--lena", f"{older} <!-- dc:from=2025-05-02 -->")

    assert [row["kind"] for row in slept(koog)["operations"]] == kinds


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Lena lives in Porto", ("Lena moved to Braga", "Lena moved back to Porto")),
        ("Lena works at Siemens", ("Lena joined Zoom at nine", "Lena joined Planet Fitness")),
        ("Lena lives in Porto", ("Lena moved to Linux", "Lena moved to Postgres in March")),
    ],
)
def test_what_only_sounds_like_another_home_or_work_ends_none(workspace, koog, older, newer):
    remember(workspace, [(f"2025-0{month}-11 09:00", text) for month, text in enumerate(newer, 6)])
    _entity(workspace, "person--lena", f"{older} <!-- dc:from=2025-05-02 -->")

    assert _ended(slept(koog)) == []


def test_what_is_newer_than_a_line_that_was_written_since_the_night_is_not_put_away(workspace, koog):
    relayed(workspace)
    remember(workspace, [("2025-06-11 09:00", "Mara now works late at night")])
    plan = slept(koog)
    (gone,) = of_kind(plan, "archive")
    _entity(workspace, "person--mara", f"{MARA} <!-- dc:from=2025-05-02 -->")
    done = approve(koog, plan)

    assert done["leftOut"] == [{"id": gone["id"], "why": "episode:2025-06-11:09:00 is newer than a line that holds"}]


def test_the_end_of_a_line_of_core_memory_names_the_line_that_says_it_and_its_day(workspace, koog):
    relayed(workspace)
    remember(workspace, [("2026-02-09 09:00", "The Mistral choir is dissolved")])
    rows = "- I sing in the Mistral choir <!-- dc:from=2026-01-02 -->\n- The Mistral choir is dissolved\n"
    (workspace / "MEMORY.md").write_text(f"# MEMORY.md\n\n## Critical Facts\n{rows}")
    row = of_kind(slept(koog), "core")[0]

    assert row["before"] == "I sing in the Mistral choir"
    assert row["reason"].startswith("taken back on 2026-02-09")
    assert row["sources"][1:] in (["episode:2026-02-09:09:00"], [f"core:{Line('The Mistral choir is dissolved').hash}"])


def test_a_line_of_core_memory_that_is_at_odds_with_another_is_asked_about_and_not_ended(workspace, koog):
    remember(workspace, [("2026-02-16 09:00", "I gave up the plot for good")])
    first, other = "Norman says the plot costs 48 pounds", "The letter says 64 pounds for the plot"
    against = f"core:{Line(first).hash}"
    rows = f"- {first} <!-- dc:from=2026-02-02 -->\n- {other} <!-- dc:from=2026-02-09 dc:against={against} -->\n"
    (workspace / "MEMORY.md").write_text(f"# MEMORY.md\n\n## Critical Facts\n{rows}")
    plan = slept(koog)

    assert [each["text"] for each in plan["questions"] if first in each["text"] and other in each["text"]]
    assert _ended(plan) == []


def test_an_entity_on_whose_fact_the_night_rests_is_not_archived(workspace, koog):
    relayed(workspace)
    remember(workspace, [])
    _entity(workspace, "person--marta", "Marta is my boss at the Aster cinema <!-- dc:from=2026-01-02 -->")
    late = ("--now", "2026-07-01T03:00:00Z")
    assert koog(*late, "consolidate", "run")[0] == 0
    rows = koog(*late, "consolidate", "show")[1]["operations"]

    assert [row["kind"] for row in rows if row["sources"][0].startswith("fact:person--marta:")] == ["core"]
    assert [row["target"] for row in rows if row["kind"] == "archive"] == ["entity:person--ana"]


# --- lists


MINUTES = (
    (
        "2026-01-05 09:00",
        "Minutes of the board: 1. budget approved. 2. roof repair postponed. 3. summer party in July.",
    ),
    (
        "2026-02-05 09:00",
        "Minutes of the board: 1. budget discussed. 2. roof repair postponed. 3. summer party in June.",
    ),
)
RADIATORS = (
    (
        "2026-01-05 09:00",
        "To bleed the radiators: 1. turn off the pump. 2. open the valve. 3. hold the cup. 4. close it.",
    ),
    (
        "2026-02-05 09:00",
        "Radiators again: 1. turn off the pump. 2. open the valve. 3. hold the cup. 4. close the valve.",
    ),
    ("2026-03-05 09:00", "Bled the radiators: 1. pump off. 2. valve open. 3. cup held. 4. valve closed. 5. pump on."),
)


def test_minutes_and_a_diary_are_no_fact(workspace, koog):
    relayed(workspace)
    remember(workspace, MINUTES)

    assert of_kind(slept(koog), "fact") == []


def test_a_procedure_is_called_as_who_told_it_first_calls_it(workspace, koog):
    relayed(workspace)
    remember(workspace, RADIATORS)

    assert [row["target"] for row in of_kind(slept(koog), "procedure")] == ["procedure:to-bleed-the-radiators"]
