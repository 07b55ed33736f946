"""What is quoted is nobody's own word: fences of every kind, quotes, indented code, in talk and in notes alike.

In each text OURS stands outside and is to be kept, THEIRS stands inside and is not.
"""

from __future__ import annotations

import pytest

from tests.statements.ground import HIGH, OWN, House, holds, rows_with, with_words

Words = tuple[str, ...]

# name → the text, what is ours, what is theirs
TEXTS: dict[str, tuple[str, list[Words], list[Words]]] = {
    "tilde": (
        "From now on every migration of the archive gets a dry run first.\n\n~~~md\n# how they do it\n```\n"
        "Never run migrations by hand.\n```\nAlways skip the rehearsal on weekends.\n~~~\n\n"
        "And never deploy the harvest app on market days.",
        [("migration", "dry run"), ("harvest app", "market days")],
        [("rehearsal",), ("by hand",)],
    ),
    "longer": (
        "~~~~text\n~~~\nAlways indent with tabs in the ledger.\n~~~\nWe decided to drop the spell checker.\n~~~~\n\n"
        "We decided to keep two spaces in every template file.",
        [("two spaces", "template")],
        [("tabs",), ("spell checker",)],
    ),
    "ticks in ticks": (
        "````md\n```sh\nNever call the vet on Sundays.\n```\nWe decided that all goats get a chip.\n````\n\n"
        "We decided that the hay goes to Lindqvist for 40 euros a bale.",
        [("lindqvist", "40")],
        [("goats",), ("vet",)],
    ),
    "info is no end": (
        "```\nfirst\n```python\nNever trust the meter in the barn.\n```\n\nAlways call Femke before changing prices.",
        [("femke", "prices")],
        [("meter",)],
    ),
    "in a list": (
        "- what their page says:\n  ```\n  Never use sessions for kiosks.\n  ```\n"
        "- We decided to use signed cookies for the museum login.",
        [("signed cookies", "museum")],
        [("sessions",)],
    ),
    "tilde in a list": (
        "1. their guide:\n   ~~~\n   We decided to publish salaries.\n   ```\n   ~~~\n"
        "2. From now on invoices carry the order number in the subject.",
        [("invoices", "order number")],
        [("salaries",)],
    ),
    "in a quote": (
        "> ```\n> Always commit to the trunk.\n> ```\n> We prefer squash merges here.\n\n"
        "In our songbook repository we always rebase, never squash.",
        [("songbook", "rebase")],
        [("trunk",), ("prefer squash merges here",)],
    ),
    "never closed": (
        "We decided to keep the old turbine running until May.\n\n```\nAlways drop the customer table first.\n"
        "Never ask Rolf.",
        [("turbine", "may")],
        [("customer table",), ("rolf",)],
    ),
    "indented": (
        "The script of theirs says:\n\n    # We decided to wipe the spool on boot.\n    # Never keep a copy.\n\n"
        "We decided to keep our scripts in tools/print.",
        [("scripts", "tools/print")],
        [("spool",), ("keep a copy",)],
    ),
    "de": (
        "Ab sofort bekommt jede Rechnung der Werkstatt eine laufende Nummer.\n\n~~~\n```\n"
        "Wir haben entschieden, alle Konten zu löschen.\n```\nNiemals Belege aufheben.\n~~~",
        [("rechnung", "laufende nummer")],
        [("konten",), ("belege",)],
    ),
    "zh": (
        "以后所有发票都要写订单号。\n\n~~~\n```\n决定了：所有备份每天删除。\n```\n永远不要保留合同。\n~~~",
        [("发票", "订单号")],
        [("备份",), ("合同",)],
    ),
}


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> House:
    house = House(tmp_path_factory.mktemp("quotes") / "house")
    for name, (text, _, _) in TEXTS.items():
        house.session(name, ("user", text), ("agent", "Okay."))
    house.observe()
    return house


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return what was mined and became the playbook, and what waits for a person's word."""
    house = House(tmp_path_factory.mktemp("noted") / "house")
    for n, (text, _, _) in enumerate(TEXTS.values()):
        house.note(f"2026-02-{10 + n}.md", text + "\n")
    mined = house.mine_all()
    house.tick_all()
    return "\n".join([*mined, house.playbook()]), house.waiting()


@pytest.mark.parametrize("name", TEXTS)
def test_what_stands_outside_is_kept_as_the_users(talked: House, name: str) -> None:
    for words in TEXTS[name][1]:
        assert with_words(talked.seen(name), *words), (words, talked.seen(name))


@pytest.mark.parametrize("name", TEXTS)
def test_what_stands_inside_is_not_the_users_rule_or_decision(talked: House, name: str) -> None:
    lines = [x for words in TEXTS[name][2] for x in with_words(talked.seen(name), *words)]
    assert not [x for x in lines if x.mark == HIGH or x.type in (*OWN, "decision")], lines


@pytest.mark.parametrize("name", TEXTS)
def test_of_a_note_what_stands_outside_is_read(noted: tuple[str, str], name: str) -> None:
    for words in TEXTS[name][1]:
        assert rows_with("\n".join(noted), *words), words


@pytest.mark.parametrize("name", TEXTS)
def test_of_a_note_what_stands_inside_is_not(noted: tuple[str, str], name: str) -> None:
    for words in TEXTS[name][2]:
        assert not holds(noted[0], words), rows_with(noted[0], *words)
