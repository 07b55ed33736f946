"""What of a talk is worth remembering: what structure tells, whatever the words weigh."""

import pytest

from koog.core.text import talk, worth
from koog.core.text.statement import Statement

ASKED = """
    Hello, please remember that the deploy target is staging-2.
    remember the wifi at the lake house is in the second floor box
    don't forget we close at noon on Fridays
    can you remember that my dentist is Dr. Okafor
    Could you remember that the deploy target is staging-2?
    remember the deploy target is staging-2, ok?
    Bitte merk dir, dass Jonas keine Nüsse verträgt.
    Vergiss nicht, dass wir montags zu haben
    Recuerda que el servidor de pruebas es staging-2
    Hola, por favor recuerda que Ana no come gluten.
    Retiens que le serveur de test est staging-2
    N'oublie pas que la boulangerie ferme à 13 h
    请记住，部署目标是staging-2。
    デプロイ先はstaging-2だと覚えておいて。
"""
NOT_ASKED = """
    Do you remember that the deploy target is staging-2?
    I remember that the deploy target was staging-2 once
    remember when we broke staging?
    remember the time we broke staging
    Remember that movie we saw in Paris last June?
    Remember it was you who broke the build?
    记住了吗?
    Remember that!
    note the failing test and go on
    te acuerdas de cuando se cayó todo
"""


def rows(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def said(text: str) -> Statement:
    (found,) = talk.of_turns([talk.Said("user", text, "s#1", None)])
    return found


@pytest.mark.parametrize("text", rows(ASKED))
def test_what_a_person_asks_to_be_remembered_is_never_lost(text: str) -> None:
    assert worth.is_kept(said(text))
    assert worth.importance(said(text)) >= worth.RED


@pytest.mark.parametrize("text", rows(NOT_ASKED))
def test_what_only_speaks_of_remembering_is_weighed_by_its_words(text: str) -> None:
    assert not worth.is_to_remember(said(text))


def test_what_is_no_trifle_stays_longer_than_a_week() -> None:
    text = "Mia reviews all our pull requests, so assign her."

    assert worth.is_kept(said(text)) and worth.importance(said(text)) > worth.LEAST


@pytest.mark.parametrize(
    "text",
    [
        "das ist ja immer so eine Sache mit dem Finanzamt",
        "such is life with three cats and one Roomba",
        "así es la vida con dos gemelos en marzo",
        "c'est la vie avec le RER B, toujours en retard",
        "年末のバスはそういうものだよね、いつも満員",
    ],
)
def test_a_saying_holds_of_nothing(text: str) -> None:
    assert not worth.is_kept(said(text))
