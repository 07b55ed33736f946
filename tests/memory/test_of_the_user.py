"""What an agent notes of the user is the user's, as if he had said it: it goes to MEMORY.md, and replaces a line."""

from __future__ import annotations

import pytest

from tests.conftest import Koog

pytestmark = pytest.mark.usefixtures("workspace")
MOVES = (
    ("The user lives in Rome", "I live in Milan now"),
    ("I live in Milan", "The user moved to Rome"),
    ("Der Nutzer wohnt in Rom", "Der Nutzer wohnt jetzt in Bern"),
    ("El usuario vive en Sevilla", "La usuaria se mudó a Cádiz"),
    ("L'utilisateur habite à Lyon", "L'utilisateur a déménagé à Nantes"),
    ("用户住在上海", "用户现在住在杭州"),
)


@pytest.mark.parametrize(("older", "newer"), MOVES)
def test_a_home_noted_of_the_user_gives_way_to_the_next(koog: Koog, older: str, newer: str) -> None:
    _, first = koog("--now", "2026-01-05T10:00:00Z", "remember", older)

    _, second = koog("--now", "2026-03-05T10:00:00Z", "remember", newer)

    assert (first["store"], first["block"], first["summary"]) == ("core", "identity", older)
    assert second["replaced"] == [first["id"]]


@pytest.mark.parametrize(
    "text",
    ["The user's name is Kim Lee", "The user's wife is Ana", "ユーザーは東京に住んでいます", "The user works at Lumen"],
)
def test_who_the_user_is_goes_to_identity(koog: Koog, text: str) -> None:
    assert koog("remember", text)[1]["block"] == "identity"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("L'utilisateur s'appelle Tom", "L'utilisateur a déménagé à Milan"),
        ("The user is called Tom", "The user moved to Milan"),
        ("我住在罗马", "每个用户搬到了米兰"),
        ("我住在罗马", "新用户住在米兰"),
        ("我住在罗马", "这个软件的用户搬到了米兰"),
        ("私はローマに住んでいる", "アプリのユーザーはミラノに引っ越した"),
        ("I live in Rome", "The user of our app moved to Milan"),
        ("J'habite à Rome", "L'utilisateur de notre application habite maintenant à Milan"),
        ("Ich wohne in Rom", "Der Nutzer der App wohnt jetzt in Mailand"),
        ("Vivo en Roma", "El usuario de la app vive ahora en Milán"),
    ],
)
def test_what_is_told_of_any_user_or_of_something_else_replaces_nothing(koog: Koog, older: str, newer: str) -> None:
    koog("--now", "2026-01-05T10:00:00Z", "remember", older)

    assert koog("--now", "2026-03-05T10:00:00Z", "remember", newer)[1]["replaced"] == []


@pytest.mark.parametrize("text", ["The user clicks Save and the dialog closes", "Every user has a key"])
def test_whoever_works_a_program_is_not_the_user(koog: Koog, text: str) -> None:
    assert koog("remember", text)[1]["store"] != "core"
