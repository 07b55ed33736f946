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


@pytest.mark.parametrize("text", ["The user clicks Save and the dialog closes", "Every user has a key"])
def test_whoever_works_a_program_is_not_the_user(koog: Koog, text: str) -> None:
    assert koog("remember", text)[1]["store"] != "core"
