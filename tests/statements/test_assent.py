"""What two people settle in turns: proposal and assent, question and answer, correction. Kept is what was settled,
in a line that can be understood alone; what was only proposed is nobody's decision.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.statements.ground import House, Said, entry, holds, with_words

WHO = {"U": "user", "A": "agent", "T": "tool"}


class Scene(NamedTuple):
    """turns: a line each, `U:` or `A:` before it. kept: each stands in one line. never: stands in no line"""

    turns: str
    kept: tuple[tuple[str, ...], ...] = ()
    never: tuple[tuple[str, ...], ...] = ()

    def said(self) -> list[Said]:
        rows = [row.strip() for row in self.turns.strip().splitlines()]
        return [(WHO[row[0]], row[2:].strip()) for row in rows]


SETTLED = {
    "yes, and more": Scene(
        """
        U: the nightly ledger export trips over the bank's maintenance window
        A: I could start the ledger export at 04:30 and skip the first Sunday of the month.
        U: yes, and Noor signs off the first one
        A: Will do.
        """,
        (("ledger", "04:30", "sunday"), ("noor", "first|ledger|export|sign")),
    ),
    "yes please": Scene(
        """
        A: Shall I archive invoices older than seven years into the cold bucket?
        U: yes please
        A: Scheduled.
        """,
        (("invoices", "seven years", "cold bucket"),),
    ),
    "fine with me": Scene(
        """
        A: For the greenhouse sensors I suggest sampling every 15 minutes instead of every minute.
        U: fine with me
        """,
        (("sensors", "15 minutes"),),
    ),
    "sounds good": Scene(
        """
        A: I propose that support tickets get closed after 21 days of silence.
        U: sounds good
        """,
        (("tickets", "21 days"),),
    ),
    "let's do that": Scene(
        """
        U: the tablets at the till forget their login overnight
        A: We can move the tablets to device tokens, renewed each Monday.
        U: let's do that
        """,
        (("tablets", "device tokens", "monday"),),
    ),
    "bare number": Scene(
        """
        A: How many days should the render cache be kept?
        U: 45
        A: Set.
        """,
        (("render cache", "45"),),
    ),
    "bare name": Scene(
        """
        A: Who approves expenses above 300 euros?
        U: Marisol
        """,
        (("expenses", "marisol"),),
    ),
    "bare choice": Scene(
        """
        A: Should the menu board show prices with or without VAT?
        U: with VAT
        """,
        (("menu board", "with vat"),),
    ),
    "short question": Scene(
        """
        A: I'm setting up the staging box for the choir archive. Port?
        U: 8093
        """,
        (("port", "8093"),),
    ),
    "answer in a sentence": Scene(
        """
        A: Which region should the media bucket live in?
        U: eu-north-1, our photographers sit in Tromsø
        """,
        (("media bucket", "eu-north-1"),),
    ),
    "no, something else": Scene(
        """
        A: Shall I send the rota to the whole team on Fridays?
        U: no, on Wednesdays, people plan their weekends early
        """,
        (("rota", "wednesdays"),),
    ),
    "corrects himself": Scene(
        """
        U: The boiler inspection is booked for the 11th of June.
        A: Noted, 11 June.
        U: sorry, I misread the letter, the boiler inspection is on the 17th of June
        A: Changed to 17 June.
        """,
        (("boiler inspection", "17"),),
    ),
    "de passt": Scene(
        """
        A: Soll ich die Lieferscheine ab jetzt nach Kundennummer ablegen?
        U: ja, passt so
        """,
        (("lieferscheine", "kundennummer"),),
    ),
    "de zahl": Scene(
        """
        A: Wie viele Versuche bekommt der Scanner, bevor er sperrt?
        U: 4
        """,
        (("scanner", "4"),),
    ),
    "es vale": Scene(
        """
        A: ¿Guardo los recibos del taller en una carpeta por trimestre?
        U: sí, hazlo así
        """,
        (("recibos", "trimestre"),),
    ),
    "fr d'accord": Scene(
        """
        A: Je propose d'envoyer les relances le 10 de chaque mois.
        U: oui, parfait
        """,
        (("relances", "10"),),
    ),
    "zh": Scene(
        """
        A: 会议纪要以后都存到共享盘的“周会”文件夹，可以吗？
        U: 可以
        """,
        (("会议纪要", "周会"),),
    ),
    "ja": Scene(
        """
        A: 請求書の控えは毎月25日に倉田さんへ送る、でよろしいですか？
        U: はい、それでお願いします
        """,
        (("請求書", "25日"),),
    ),
}

# Promises that must stay: none of this was ever a decision.
OPEN = {
    "not answered": Scene(
        """
        A: Should I move the wiki to Outline?
        U: what's for lunch at the canteen
        """,
        never=(("outline",),),
    ),
    "put off": Scene(
        """
        A: I could rewrite the parser with Lark.
        U: hmm, not now, let me think about it
        """,
        never=(("User", "lark"), ("decided", "lark")),
    ),
    "refused": Scene(
        """
        A: Shall I switch the newsletter to Mailgrove?
        U: no
        """,
    ),
    "thanks for a report": Scene(
        """
        U: can you run the linter on utils.py once
        A: Done: the linter found two unused imports in utils.py and I removed them.
        U: thanks, great
        """,
        never=(("linter",),),
    ),
    "asked back": Scene(
        """
        A: Do you want the shop closed on the 24th?
        U: what did we do last year?
        A: Last year it was closed.
        """,
    ),
}


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> House:
    house = House(tmp_path_factory.mktemp("assent") / "house")
    for name, scene in (SETTLED | OPEN).items():
        house.session(name, *scene.said())
    house.observe()
    return house


@pytest.mark.parametrize("name", SETTLED)
def test_what_was_settled_stands_in_one_line(talked: House, name: str) -> None:
    for words in SETTLED[name].kept:
        assert with_words(talked.seen(name), *words), (words, talked.seen(name))


@pytest.mark.parametrize("name", OPEN)
def test_what_was_not_settled_is_no_decision(talked: House, name: str) -> None:
    """A promise that stays."""
    for words in OPEN[name].never:
        assert not with_words(talked.seen(name), *words), (words, talked.seen(name))
    assert "decision" not in [line.type for line in talked.seen(name)], talked.seen(name)


def test_no_line_is_a_bare_answer(talked: House) -> None:
    """What nobody can understand alone is worth nothing: "45", "with VAT", "yes please". A promise that stays."""
    bare = {scene.said()[-1][1].casefold() for scene in SETTLED.values()}
    lines = [line.text.casefold().removeprefix("user: ") for line in talked.seen()]
    assert not [text for text in lines if text in bare and len(text.split()) < 4]


def test_a_refused_proposal_is_kept_as_refused_or_not_at_all(talked: House) -> None:
    """A promise that stays."""
    for line in with_words(talked.seen("refused"), "mailgrove"):
        assert holds(line.text, ["no|not|refused|declined|against"]), line


def test_what_was_proposed_before_the_correction_does_not_stand(talked: House) -> None:
    assert not [
        line for line in with_words(talked.seen("no, something else"), "fridays") if "wedn" not in line.text.lower()
    ]


def test_a_corrected_date_is_not_kept_beside_the_right_one(talked: House) -> None:
    lines = with_words(talked.seen("corrects himself"), "11")
    assert not [line for line in lines if "17" not in line.text], talked.seen("corrects himself")


@pytest.mark.parametrize("name", [n for n in SETTLED if n not in ("corrects himself",)])
def test_what_the_user_settled_is_his_own_word(talked: House, name: str) -> None:
    """It rests on his turn, so that the source shows where he said so."""
    lines = [line for words in SETTLED[name].kept for line in with_words(talked.seen(name), *words)]
    assert lines
    mine = {entry(name, n) for n, (role, _) in enumerate(SETTLED[name].said()) if role == "user"}
    assert {each for line in lines for each in line.entries} & mine, lines
