"""Where what was said belongs: to the project and the person that are being talked about."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from koog.core.files.own_notes import NONE
from koog.core.run import Run
from koog.knowledge import layout, placing
from koog.knowledge.extractor import Talk
from koog.knowledge.placing import Placed
from koog.memory.names import known
from koog.sessions.turn import Turn

START = datetime(2026, 3, 10, 9, tzinfo=UTC)


@pytest.fixture
def talk(workspace: Path):
    names = known.load(Run(folder=str(workspace), engine="builtin"))

    def of(*said: tuple[str, str], project: str = "") -> list[Placed]:
        turns = tuple(
            Turn(str(n), START + timedelta(minutes=n), role, text, role) for n, (role, text) in enumerate(said, 1)
        )
        talk = Talk(turns, layout.of(NONE), names, today=date(2026, 3, 10), project=project)
        return list(placing.placed(talk))

    return of


@pytest.fixture
def placed(talk):
    return lambda *said, project="": talk(*(("user", text) for text in said), project=project)


def project(found: Placed) -> str:
    return found.about.project.name if found.about.project else ""


def test_a_decision_is_of_the_project_that_is_named_and_not_of_the_folder(placed):
    said = ("Let's look at the Apollo release, it runs on Postgres.", *["And so on, and so on."] * 12)

    found = placed(*said, "We decided to keep the old logo for another year.", project="web-app")[-1]

    assert (found.extractor, project(found)) == ("decisions", "Apollo")


def test_where_no_project_is_named_the_folder_is_the_project(placed):
    [found] = placed("We decided to keep the old logo for another year.", project="web-app")

    assert (found.extractor, project(found)) == ("decisions", "web-app")


def test_where_two_projects_are_named_far_away_the_folder_is_the_project(placed):
    said = ("The Apollo release runs on Postgres.", "The Hermes release runs on Redis.", *["And so on."] * 12)

    found = placed(*said, "We decided to keep the old logo for another year.", project="web-app")[-1]

    assert project(found) == "web-app"


@pytest.mark.parametrize(
    "said",
    [
        "Actually, Mara Lindqvist lives in Oslo now, not in Bergen.",
        "No, Mara Lindqvist is our accountant and not our lawyer.",
    ],
)
def test_what_is_said_of_one_person_by_name_is_the_persons_whatever_the_project(placed, said):
    [found] = placed(said, project="web-app")

    assert (found.extractor, found.about.person and found.about.person.name) == ("people", "Mara Lindqvist")


def test_a_place_in_which_something_is_makes_no_project(placed):
    found = placed("The van is parked in Schiedam.", "The depot in Schiedam closes at six in the evening.")

    assert not any(project(each) for each in found)


def test_what_comes_next_for_a_project_and_what_is_in_its_way_are_parts_of_it(placed):
    found = placed(
        "Next for the Apollo release is the payment page, it's due in May.",
        "The Apollo release is blocked until Hetzner has sent the certificate.",
    )

    assert [(each.extractor, each.section, project(each)) for each in found] == [
        ("facts", placing.NEXT, "Apollo"),
        ("facts", placing.BLOCKED, "Apollo"),
    ]


@pytest.mark.parametrize("greeting", ["Hey John! ", "Thanks, Maria! ", "Ja, Maria, "])
def test_who_is_greeted_is_not_whom_it_is_about(placed, greeting):
    found = placed(f"{greeting}Last Tuesday the lease of the Rotterdam office was signed for five years.")

    assert [each.about.person for each in found] == [None]


def test_who_is_only_answered_by_name_is_not_whom_it_is_about(talk):
    found = talk(
        ("assistant", "Have you noticed any changes in your fitness since you started?"),
        ("user", "Yeah Maria!"),
    )

    assert "Maria" not in {each.about.person.name for each in found if each.about.person}


@pytest.mark.parametrize(
    "said",
    [
        "Never saw this coming.",
        "We go a few times a week.",
        "I want to live authentically and help others to do the same.",
        "It's such a blessing to have family who always supports us and reminds us that we're not alone.",
        "We should really appreciate the small things in life and not take anything for granted.",
    ],
)
def test_what_weighs_little_or_only_is_glad_binds_nobody(placed, said):
    assert not {each.extractor for each in placed(said)} & {"decisions", "lessons", "procedures"}


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("Lesson: nothing goes to a funder before she has seen the numbers.", "lessons"),
        ("We've settled on cedar shingles for the shed roof, everyone is happy.", "decisions"),
        ("We decided to drop the newsletter, I'm so happy about it.", "decisions"),
        ("From now on we never deploy on a weekend, great.", "decisions"),
        ("So from now on wedding cakes are 40% down, not refundable.", "decisions"),
    ],
)
def test_what_was_settled_or_learned_stays_so(placed, said, of):
    assert [each.extractor for each in placed(said)] == [of]


@pytest.mark.parametrize("heard", ["Cool, Melanie!", "That's great!", "Klingt super.", "D'accord, merci."])
def test_of_what_only_says_that_it_was_heard_nothing_is_kept_but_what_it_was_said_to(talk, heard):
    found = talk(
        ("user", "What did the vet say about Luna?"),
        ("assistant", "Luna was vaccinated at the clinic in Utrecht on Monday, and has to come back in May."),
        ("user", heard),
    )

    assert found
    assert not any(heard in each.text or "→" in each.text for each in found)


def test_a_proposal_that_is_agreed_to_stands_with_the_word_that_agrees(talk):
    [found] = talk(
        ("assistant", "Shall we move the Apollo release to the first Monday of May?"),
        ("user", "Sounds good!"),
    )

    assert "first Monday of May" in found.text
    assert "Sounds good" in found.text


def test_what_the_other_one_asked_on_about_may_be_longer_in_the_journal(talk):
    told = (
        "We sat on the porch for a while with a cup of tea while the neighbours were moving all their furniture down "
        "the stairs and later we all had soup and bread and talked about this and that until it got dark outside."
    )

    assert not talk(("user", told), ("assistant", "Thanks for telling me."))
    assert talk(("user", told), ("assistant", "What kind of soup was it?"))


def test_an_aside_in_brackets_waits_in_the_journal(placed):
    text = "We decided to keep the old logo for another year."

    assert [each.extractor for each in placed(text)] == ["decisions"]
    assert [each.extractor for each in placed(f"({text})")] == ["journal"]
