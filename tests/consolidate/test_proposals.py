"""What a night proposes of a talk, and what not: thanks and good wishes are no memory.  [moltbot §10.3]"""

from __future__ import annotations

import json
from datetime import date

import pytest

from koog.consolidate import accounts, endings, evolution, hearsay, matters, plan_rows, reflection_log, taken_back
from koog.consolidate.decided import Decided, with_decisions
from koog.consolidate.matters import ideas
from koog.consolidate.plan import Plan, Question
from koog.consolidate.survey import Said
from koog.core.text.of_self import answers, is_spoken_to
from koog.core.text.says import says
from koog.memory.store import core_memory
from koog.memory.store.line import Line
from koog.memory.store.sections import Sections
from tests.consolidate.tools import ANA, NIGHT, approve, of_kind, relayed, remember, slept

THANKS = (
    ("2026-02-02 09:00", "Thanks, Odile! Your support means so much to me, friends like you keep me going."),
    ("2026-02-09 09:00", "Thank you Odile, your support means the world, friends like that keep everybody going!"),
    ("2026-02-10 09:00", "Hey Odile! Long time no talk. So much has happened since we talked. Look at this photo."),
    ("2026-02-12 09:00", "Hey Odile! Long time no talk. A lot has happened since then. Look at the photo I took."),
    ("2026-02-13 09:00", "Wow, Odile! Can't wait to hear more about it. Talk to you soon!"),
    ("2026-02-15 09:00", "Sounds great, can't wait to hear more. Talk to you soon, Odile!"),
)


def test_thanks_and_good_wishes_are_nothing_to_propose(workspace, koog):
    relayed(workspace)
    remember(workspace, THANKS)
    (workspace / "memory/graph/entities/person--ana.md").unlink()

    assert koog(*NIGHT, "consolidate", "run")[1]["operations"] == 0


def test_a_name_that_is_only_called_is_no_subject(workspace, koog):
    told = [
        ("2026-02-02 09:00", "Odile, I'm on the choir's council now, we vote on the concert programme in Lent"),
        ("2026-02-09 09:00", "Yes Odile, the choir's council votes on the concert programme every Lent"),
        ("2026-02-16 09:00", "The choir's council votes on the Lent concert programme, I am on it, Odile."),
    ]
    remember(workspace, told)

    assert [row["target"] for row in of_kind(slept(koog), "fact") if "odile" in row["target"]] == []


@pytest.mark.parametrize(
    ("text", "is_called"),
    [
        ("Thanks, Maria! I will.", True),
        ("Hey Maria, since we last spoke a lot has changed", True),
        ("Maria, I'm glad you like it", True),
        ("Danke Maria!", True),
        ("Maria, my boss, wants one page", False),
        ("I love Maria!", False),
        ("Thanks, Maria! Maria's brother sent the boat", False),
    ],
)
def test_who_is_called_by_name_is_told_from_whom_a_line_is_about(text, is_called):
    assert is_spoken_to(text, "Maria") is is_called


def test_a_line_that_answers_somebody_says_nothing_by_itself():
    assert [answers(t) for t in ("Yeah, it's my studio", "Klar, machen wir", "Yes-men annoy me")] == [True, True, False]


def _pair(older: str, newer: str) -> tuple[Said, Said]:
    return Said("episode:2026-02-02:09:00", older, "2026-02-02"), Said("episode:2026-02-09:09:00", newer, "2026-02-09")


@pytest.mark.parametrize(
    ("older", "newer", "is_over"),
    [
        ("The shore power contract is with Eneco", "The shore power contract was switched, Vandebron since May", True),
        ("Plot 27 is solid clay, raised beds help", "Planted leeks in the raised beds, the clay ate the rest", False),
        ("She passed away a few years ago", "Sorry to tell you, my dad passed away two days ago", False),
        ("Take care and be good to yourself", "No worries, I'm here. Take care of yourself", False),
    ],
)
def test_a_line_ends_what_it_says_is_elsewhere_and_not_what_it_only_shares_a_word_with(older, newer, is_over):
    a, b = _pair(older, newer)

    assert taken_back.leaves(a, b, ideas(older) & ideas(newer)) is is_over


@pytest.mark.parametrize(
    ("older", "newer", "is_over"),
    [
        ("Ines wants to build a sauna behind the shed", "The sauna is cancelled, the council said no", True),
        ("Froukje and I buy a share in the Stormvogel", "The Stormvogel has been called off, rot in the keel", True),
        ("Drawing course starts Monday in Leeuwarden", "Drawing course: I quit. Six evenings of a mouse", True),
        ("We talk of a boat with her brother, a third-hand one", "We dropped the boat, her brother was glad", True),
        ("Wir bauen ein Gewächshaus hinterm Schuppen", "Das Gewächshaus ist abgesagt, der Sturm war schneller", True),
        ("The vet says half a tablet for Pierogi", "I've given up on the half marathon, no more running", False),
        ("Nobody cleans the pit alone, I'm upstairs", "Pit lamp at the fish market is dead, buy bulbs", False),
        ("Ten working days for the grades, no more", "Bought a bike for the way to work, no more standing", False),
        ("The teacher, Ms Annelies, is strict but fair", "Letter to Ms Annelies: Hania is off on Friday", False),
        ("The office orders a new sign for the door", "Carnival, the office is dead", False),
        ("The office orders a new sign for the door", "Carnival, the office is dead", False),
        ("The sauna is cancelled, so the council says", "The sauna is cancelled, I told everybody by now", False),
        ("The deli on Elm Street opens at seven", "The deli on Elm Street is closing early today, at two", False),
        ("Judo is on Tuesdays at the Old Barn", "Judo at the Old Barn is cancelled tonight", False),
        ("Der Zahnarzt heisst Moser, in Olten", "Den Termin beim Zahnarzt Moser abgesagt", False),
        ("El dentista es el doctor Ruiz en Burgos", "He cancelado la cita con el dentista Ruiz", False),
        ("The Basel studio lease runs to 2028", "The plan to end the Basel studio lease was rejected", False),
    ],
)
def test_a_line_ends_what_it_says_is_over_and_nothing_that_only_has_a_word_of_it(older, newer, is_over):
    a, b = _pair(older, newer)

    assert bool(list(endings.found([a, b]))) is is_over


def test_what_is_over_is_ended_wherever_it_stands_and_told_once(workspace, koog):
    relayed(workspace)
    remember(workspace, [("2026-02-09 09:00", "The sauna is cancelled, the council said no")])
    rows = "- Ines wants a sauna <!-- dc:from=2026-01-02 -->\n- The sauna has two benches <!-- dc:from=2026-01-05 -->\n"
    (workspace / "memory/graph/entities/person--ana.md").write_text(f"{ANA}{rows}")
    plan = slept(koog)
    ends = {row["before"].partition(" <!--")[0]: row["after"] for row in of_kind(plan, "replace")}

    assert ends.keys() == {"Ines wants a sauna", "The sauna has two benches"}
    assert [after for after in ends.values() if after] == []  # Ana has nothing to do with it
    assert [row["after"].partition(" <!--")[0] for row in of_kind(plan, "fact")] == [
        "The sauna is cancelled, the council said no"
    ]
    assert approve(koog, plan)["leftOut"] == []


def test_what_was_taken_up_again_is_not_over_though_it_began_before(workspace, koog):
    remember(workspace, [("2026-02-09 09:00", "The sauna is cancelled, the council said no")])
    of = "dc:of=episode:2026-01-02:09:00%3Bepisode:2026-03-02:09:00"
    row = f"- The sauna gets its benches <!-- dc:from=2026-01-02 {of} -->\n"
    (workspace / "memory/graph/entities/person--ana.md").write_text(f"{ANA}{row}")

    assert of_kind(slept(koog), "replace") == []


def test_of_lines_that_share_different_words_with_what_is_over_none_is_ended():
    a, b = _pair("The rail squeals, a vibration of the liners", "I gave up the vibration logger")
    other = Said("episode:2026-02-03:09:00", "The logger has a second box, soldered today", "2026-02-03")

    assert list(endings.found([a, other, b])) == []


@pytest.mark.parametrize(
    ("older", "newer", "is_odd"),
    [
        ("The surveyor says the boat is of 1931", "The deed says that boat was built in 1938", True),
        ("Norman says the plot costs 48 pounds", "The committee's letter says 64 pounds for the plot", True),
        ("Noor says the shoulder is at 70 percent", "Noor says the shoulder is at 85 percent", False),
        ("Plot 27 of the allotment is clay", "The allotment's letter says 64 pounds for the plot", False),
        ("The band wants 4 tracks, I say yes", "The festival's sheet says the band is on at 21:15", False),
        ("Garage says 600 for the van", "The committee says 64 for the plot", False),
        ("The leaflet says the camp is 145 euro", "Finance says no, someone cried over 34 euro", False),
        ("The leaflet says the camp is 145 euro", "Her mother says that camp is 180 a child", True),
        ("The pastry shop is closed from the 3rd of August", "Flights to Porto are booked, the 8th of August", False),
        ("Ada says she found a coin of 1962", "Tom says he found letters of 1981", False),
        ("Sietse says his exam is on 3 September", "Sietse takes it back, the exam is on 10 September", False),
        ("Dad says the plane lands at 17:40", "Dad has read it again. The plane lands at 21:10", False),
        ("Femke says her parents come on 9 May", "Femke's mother says the parents come on 16 May", True),
        ("The vet in Bern says 2 pills for the dog", "The vet in Thun says 3 pills for the dog", True),
    ],
)
def test_two_sources_with_two_values_of_one_thing_are_at_odds(older, newer, is_odd):
    a, b = _pair(older, newer)

    assert taken_back.at_odds(a, b) is is_odd


@pytest.mark.parametrize(
    ("older", "newer", "is_odd"),
    [
        ("Wiebe says my insurer pays for the skylight", "Insurance wrote: the landlord pays for the skylight", True),
        ("The dean says Rob does the timetable at school", "A memo names Femke for the timetable at school", True),
        (
            "The surgeon's note on Kai says his knee heals at school",
            "Jo says the knee of Kai is worn from school",
            True,
        ),
        ("A doctor wrote the knee heals at school", "The nurse's sheet has the knee as worn from school", True),
        ("The manual has the ropes of lift 4 run dry", "The inspector says oil these ropes of the lift", True),
        ("A doctor told me the knee is worn", "The nurse told me a tale of the knee", False),
        ("The dean says Rob does the timetable at school", "The dean told me Femke does the timetable there", False),
        ("The dean says Rob does the timetable at school", "I do the timetable at school and like it", False),
        ("The dean says Rob does the timetable", "A memo has it wrong, Rob does the timetable", False),
        ("The log of the timetable is signed at school", "My list of the timetable hangs at school", False),
        ("The dean says Rob likes the school", "A memo names Femke for the school", False),
    ],
)
def test_what_two_sources_alone_speak_of_they_tell_otherwise(older, newer, is_odd):
    a, b = _pair(older, newer)
    others = [
        Said(f"episode:2026-01-0{n}:09:00", f"The school has a bell, number {n}", f"2026-01-0{n}") for n in (1, 2)
    ]
    others += [
        Said(f"episode:2026-01-03:09:00:{n}", f"Bought a lamp, that makes {n}", "2026-01-03") for n in range(200)
    ]

    assert list(accounts.found([*others, b, a])) == [(a, b)] * is_odd


@pytest.mark.parametrize(
    ("older", "newer", "is_right_now"),
    [
        ("Wessel says the cat gets a whole tablet", "Wessel misread it, half a tablet it is for the cat", True),
        ("Dad says the plane lands at 17:40 at Eelde", "Dad has read it again. It lands at Eelde at 21:10", True),
        ("Mum says the plane lands at 17:40 at Eelde", "Dad has read it again. It lands at Eelde at 21:10", False),
        ("Noor says the shoulder heals well", "Noor says the shoulder may carry a bag", False),
    ],
)
def test_what_one_source_says_otherwise_takes_the_place_of_what_it_said(older, newer, is_right_now):
    a, b = _pair(older, newer)

    assert taken_back.corrects(a, b) is is_right_now


@pytest.mark.parametrize(("other", "is_asked"), [("The letter says 64 pounds for the plot", True), ("I tea", False)])
def test_what_was_put_beside_another_line_as_it_was_told_is_asked_about_where_it_is_at_odds(
    workspace, koog, other, is_asked
):
    remember(workspace, [("2026-02-09 09:00", "Bought a lamp for the hall")])
    first = Line("Norman says the plot costs 48 pounds", values={"from": "2026-02-02"})
    against = f"fact:person--ana:{first.hash}"
    row = Line(other, values={"from": "2026-02-09", "against": against}).raw
    (workspace / "memory/graph/entities/person--ana.md").write_text(f"{ANA}- {first.raw}\n- {row}\n")
    koog(*NIGHT, "consolidate", "run")
    asked = [question["text"] for question in koog(*NIGHT, "consolidate", "show")[1].get("questions", ())]

    assert [t for t in asked if "Which" in t] == [f"Which holds: “{first.text}” or “{other}”?"] * is_asked


def test_hearsay_is_compared_though_it_shares_one_word():
    a, b = _pair(
        "Hull plates are stamped 1931, the surveyor says", "The hull was laid in 1938, the seller says, some year"
    )

    assert hearsay.differs(says(a.text), says(b.text))


def test_a_line_is_paired_with_few_of_those_that_are_like_it():
    lines = [
        Said(f"episode:{n:04}", f"Ana says the boiler in hall {n} costs {n} euro", f"2026-01-{n % 28 + 1:02}")
        for n in range(300)
    ]

    assert len(matters.find(lines).pairs) <= matters.PAIRED * len(lines)


# --- MEMORY.md

CORE = """# MEMORY.md

## Identity
- I'm Rosalind Ketteridge on paper, please call me Roz
- Hello, I'm Rosalind Ketteridge and I'll talk to you about pretty much everything
- How deep does a raised bed need to be for carrots?
## Active Context
- I'm operations lead at the Otter Trust now
## Persona
- can you stop the morning message too. only sunday evening a list for the week, that's enough for me
"""


def test_a_question_leaves_core_memory_and_who_the_user_is_stays(workspace, koog):
    relayed(workspace)
    remember(workspace, [("2025-12-01 09:00", "Bought a lamp for the hall")])
    (workspace / "MEMORY.md").write_text(CORE)
    for entry in core_memory.entries(Sections(CORE, "MEMORY.md")):
        row = {
            "ts": "2025-12-01T09:00:00Z",
            "id": entry.id,
            "op": "write",
            "store": "core",
            "base": 0.7,
            "why": "remember",
        }
        with (workspace / "memory/meta/access.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")
    gone = [row["before"] for row in of_kind(slept(koog), "core") if row["after"] is None]

    assert gone == ["How deep does a raised bed need to be for carrots?"]


def test_what_somebody_else_says_does_not_always_hold(workspace, koog):
    told = [("2026-02-02 09:00", "The second plumber says my boiler has a broken valve, so I don't know who I believe")]
    remember(workspace, told)

    assert of_kind(slept(koog), "core") == []


def test_where_somebody_lives_and_was_born_always_holds_however_seldom_it_is_said(workspace, koog):
    told = [
        "We live in Muggia, top end where the car can't turn. Deliveries have to ring from below",
        "Wir wohnen in Kassel, im Hinterhaus, der Postbote klingelt nie",
        "J'habite à Nantes, au quatrième sans ascenseur",
        "My aunt found letters from Adelaide. I was born there, 3 november 1981, in a heatwave",
        "A man on the train had a parsnip in his pocket",
    ]
    remember(workspace, [(f"2026-02-0{day} 09:00", text) for day, text in enumerate(told, 2)])

    assert {plan_rows.shown(row["after"]) for row in of_kind(slept(koog), "core")} == set(told[:4])


def test_who_the_user_is_goes_beside_another_line_of_its_matter_and_not_beside_the_same(workspace, koog):
    core = "# MEMORY.md\n\n## Identity\n- Nina is my only child, she lives in Montréal and builds bridges for cars\n"
    remember(
        workspace,
        [
            (
                "2026-02-02 09:00",
                "Nina is my only child, born on the 3rd of May 1999 in a snowstorm, the midwife came on skis",
            ),
            ("2026-02-09 09:00", "Nina is my only child, bridges for cars is what she builds in Montréal"),
        ],
    )
    (workspace / "MEMORY.md").write_text(core)

    assert [plan_rows.shown(row["after"])[:30] for row in of_kind(slept(koog), "core")] == [
        "Nina is my only child, born on"
    ]


# --- what was asked, refused, understood


def test_a_question_rests_for_a_month_in_whatever_words_it_is_asked():
    class Survey:
        today = date(2026, 3, 1)

    text = with_decisions("{}", [], [], [Question("q1", "Which holds? (o2 keeps both.)", about="Which holds?")], Survey)
    again = Question("q3", "Ana: Which holds?", about="Which holds?")

    assert Decided(text).rests(again, date(2026, 3, 20))
    assert not Decided(text).rests(again, date(2026, 4, 1))
    assert not Decided(text).rests(Question("q1", "Another one?"), date(2026, 3, 20))


def test_what_the_built_in_engine_counts_is_told_and_not_kept_as_an_insight():
    log = reflection_log.HEADER + "\n## r-001 — 2026-03-01 — rejected\n- **Rejected**: o1 o2 — I might need it\n"
    told = evolution.noticed(log, [])
    plan = Plan("r-002", "2026-03-02T03:00:00Z", "2026-03-02", "03:00", "builtin", "manual", (), insights=told)

    assert told == {
        "What I've Learned About Learning": "So far 1 reflection: 1 rejected. Refused because: “I might need it”."
    }
    assert "So far" not in evolution.updated("", plan, [], log, "2026-03-02")
