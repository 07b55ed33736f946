"""A line that says of itself that it does not fit: what it does not fit is the earlier line that is most like it."""

from __future__ import annotations

import pytest

from koog.consolidate import doubts, repeats, shared, telling
from koog.consolidate.survey import Said
from tests.consolidate.test_accounts import OTHERS


def _said(day: int, text: str) -> Said:
    return Said(f"episode:2026-02-{day:02}:09:00", text, f"2026-02-{day:02}")


@pytest.mark.parametrize(
    "remark",
    [
        "That isn't what I'd been told.",
        "Not how we were taught.",
        "Nowhere near where I had it.",
        "The warden told me something else.",
        "I could have sworn it was the other one.",
        "So which one is it?",
        "Two stories.",
        "Odd.",
        "I'm puzzled.",
        "It doesn't square with the card at all.",
        "So what did he sell us?",
        "Was stimmt denn nun?",
        "Das hatte ich anders im Kopf.",
        "No me cuadra.",
        "¿En qué quedamos?",
        "Ça ne colle pas.",
        "Ce n'est pas ce qu'on m'a dit.",
        "到底听谁的？",
        "話が違う。",
    ],
)
def test_whoever_says_that_it_does_not_fit_is_asked_about_the_line_that_it_does_not_fit(remark):
    older = _said(3, "The label in the creamery has the churn down as cast in Leith")
    newer = _said(9, f"The dairyman says the creamery churn was beaten by a smith. {remark}")
    far = _said(5, "The dairyman has a new van")

    assert doubts.is_doubt(newer.text)
    assert (older, newer) in repeats.apart([*OTHERS, older, far, newer])


@pytest.mark.parametrize(
    "text",
    [
        "The rack did not fit in the van, Ada says",
        "The clerk says both are fine. I wonder which of these is better for a letter",
        "Ada says he nodded, which was right",
        "The house which is right next to ours is sold, Ada says",
        "I don't know who to trust with the keys of the lock",
        "I wonder what the squirrels eat in winter",
        "Could have sworn I shut the bolt, walked back twice",
        "The marquee went up. Not what I expected, but lovely, Ada says",
        "Ada says weird dreams come from cheese",
        "Ada says two opinions are better than one",
        "Told Ada what I had read",
        "Die Wanderhose passt nicht, ich tausche sie um",
        "Ich habe Widerspruch gegen den Bescheid eingelegt",
        "Es wundert mich nicht, sagt Ada",
        "¿En qué quedamos para mañana?, dice Ana",
        "Le papier peint ne colle pas, il faut une autre brosse",
        "他说谁对花生过敏要告诉厨师",
        "プリンとケーキ、どちらが本当に好きか聞かれた",
    ],
)
def test_what_only_sounds_like_it_is_no_doubt(text):
    assert not doubts.is_doubt(text)


def test_the_words_of_the_remark_do_not_tell_what_it_is_about():
    head = _said(3, "The nurse says Bo's head needs something, else it swells")
    older = _said(4, "On the plan the cistern of the yard is drawn under the larder")
    newer = _said(9, "The builder says the cistern lies under the yard. I had something else in my head")

    assert repeats.apart([*OTHERS, head, older, newer]) == [(older, newer)]


def test_what_a_remark_is_put_in_is_not_shared_by_another_line():
    older = _said(4, "The plan says the cistern of the yard lies under the larder")
    head = _said(5, "The nurse says Bo's head was hurt in the yard")
    newer = _said(9, "The builder says the cistern lies under the yard. I had something else in my head")

    assert repeats.apart([*OTHERS, head, newer]) == []
    assert repeats.apart([*OTHERS, older, head, newer]) == [(older, newer)]


def test_of_two_claims_it_is_rather_the_one_with_another_value_and_least_the_one_with_the_same():
    other = _said(3, "The deed says the barn loft is 4 metres high")
    plain = _said(4, "The deed says the barn loft is metres high, of larch")
    same = _said(5, "The deed says the barn loft is 3 metres high")
    newer = _said(9, "The mason says the barn loft is 3 metres high. That's not what I was told")

    def chosen(*older: Said) -> list[Said]:
        lines = [*OTHERS, *older, newer]
        return [each for each, _ in doubts.found(lines, shared.counted(lines))]

    assert chosen(other, plain) == [other]
    assert chosen(plain, same) == [plain]


def test_what_nobody_claims_has_to_be_much_like_a_doubt():
    little = _said(3, "Swept the school by the boiler")
    newer = _said(9, "The janitor says the school has no boiler. That's not what I was told")

    assert repeats.apart([*OTHERS, little, newer]) == []
    assert repeats.apart([*OTHERS, little._replace(text="The notice says the school has a boiler"), newer])


def test_i_ve_is_nothing_that_two_lines_share():
    assert not {"i've", "i'm"} & shared.things("The paper I've got says otherwise, I'm sure of the jar")


def test_a_claim_is_rather_what_a_line_does_not_fit_than_what_is_more_like_it():
    plain = _said(3, "Swept the larder, then the cistern lid and the yard")
    older = _said(4, "The plan says the cistern is under the larder")
    newer = _said(9, "The builder says the cistern lies under the yard by the larder. That's not what I was told")

    assert repeats.apart([*OTHERS, plain, older, newer])[-1:] == [(older, newer)]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "Angus Roe was over about the march fence. According to him the committee put it up and owns it",
            "In the register the march fence is shown as part of our croft. Doesn't square with what Angus Roe told me",
        ),
        (
            "The chemist at the quay told Effie there's no wheat in the thyroid tablets",
            "Effie read the leaflet of her thyroid tablets: it lists wheat starch! So who do we believe?",
        ),
    ],
)
def test_who_is_named_in_the_doubt_or_was_only_told_is_not_who_says_it(older, newer):
    a, b = _said(3, older), _said(9, newer)

    assert repeats.apart([*OTHERS, a, b]) == [(a, b)]


def test_a_doubt_that_shares_one_word_with_what_was_told_is_about_something_else():
    older = _said(4, "The sexton says the bell was cast in Ghent")
    newer = _said(9, "The letter has the fee at 60 euros, and a bell rang. That isn't what I'd been told")

    assert repeats.apart([*OTHERS, older, newer]) == []


def test_what_no_source_claims_stands_against_no_doubt_though_remember_put_it_beside():
    older = _said(3, "We make three cheeses: Hafod the hard raw one, Gors the blue, Rhos the washed")
    newer = _said(9, "Dr Madoc says thirty days is enough for a hard raw cheese like Hafod. Not what I was told")
    count = shared.counted([*OTHERS, older, newer])

    assert not doubts.is_of(older, newer, count)
    assert doubts.is_of(older._replace(text="The council says a hard raw cheese like Hafod needs sixty"), newer, count)


@pytest.mark.parametrize(
    ("text", "is_claim"),
    [
        ("Talked to Ada who runs the mill. She says the sieve is brass", True),
        ("Told me the sieve is brass, Ada did", True),
        ("Ada came by and told me the sieve is brass", True),
        ("Told Ada that the sieve is brass", False),
        ("Ran by the mill and told Ada", False),
        ("War im Bad. Sie meint, das Becken wird im Mai gestrichen", True),
        ("Der sagt wieder, das Becken ist dicht", True),
        ("In der Hausordnung steht, dass Hunde draußen bleiben", True),
        ("Die Anlage war in Ordnung", False),
        ("Packed wool, wax, an ice pack, the letter, tape, label on top", False),
        ("The lease says tenants pay water, gas, heating, cleaning, garden, and lift", True),
        ("The sweep looked up, tapped, swept, and says, quite sure, it is 7 metres", True),
        ("How it is packed: wool, wax in the middle, ice pack, letter, tape both ways, string", False),
        ("Wool, wax in the middle, ice pack, letter, tape both ways, string", False),
        ("Im Wartungsprotokoll steht, dass der Kessel dicht ist", True),
        ("Im Sonnenschein lag die Katze unter der Bank", False),
        ("Marie raconte des histoires à Bo", False),
    ],
)
def test_who_claims_something_is_told_by_the_verb_and_the_paper(text, is_claim):
    assert bool(telling.claims(text)) is is_claim
