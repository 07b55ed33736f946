"""Whose word a sentence is, and what it is: rules put as questions, drafts, echoes, findings; marks and types."""

from __future__ import annotations

import pytest

from tests.statements.ground import HIGH, LOW, OWN, House, Said, entry, with_words

# --- a rule put as a question

ASKED_RULES: dict[str, tuple[str, tuple[str, ...]]] = {
    "emojis": ("could you please leave the emojis out of commit messages? plain words will do", ("emojis", "commit")),
    "steps": ("Would you mind not explaining every shell flag to me? I know them.", ("shell flag",)),
    "always": ("can you always answer in bullet points when I write from my phone?", ("bullet points", "phone")),
    "why": ("why do you keep apologising in every answer? please stop that", ("apologis",)),
    "de": ("Kannst du bitte aufhören, mir jede Mail doppelt zu schicken? Einmal reicht.", ("mail", "doppelt|einmal")),
    "es": ("¿Puedes dejar de tutear a los clientes en los correos? Siempre de usted.", ("clientes|usted",)),
    "fr": ("Tu peux arrêter de me vouvoyer ? On se tutoie toujours ici.", ("vouvoyer|tutoie",)),
    "zh": ("以后能不能别再用英文回我？一直用中文就好", ("中文|英文",)),
    "ja": ("これからは敬語をやめてもらえますか？いつも普通の言い方でお願いします", ("敬語|普通",)),
}

# Promises that stay: a question, or a request for one step, is no rule.
PLAIN_QUESTIONS: dict[str, str] = {
    "rename": "can you rename that column to total_net?",
    "weather": "what's the weather like in Bergen tomorrow?",
    "how": "how do I undo the last commit without losing the files?",
    "de": "Wie spät ist es gerade in Tokio?",
    "es": "¿puedes abrir la página otra vez?",
    "fr": "Tu peux me relire ce paragraphe ?",
    "zh": "这个按钮在哪里？",
    "ja": "このボタンはどこですか？",
}

# --- not the user's own word

DRAFT = "\n\n".join(
    (
        'Here is a draft of the mail to the tenants: "Dear tenants, from April on you must always pay the deposit in'
        ' cash. We decided to close the laundry on Sundays. Kind regards, the office"',
        "Should I change the tone?",
    )
)
PASTED_PAGE = """have a look at this, what do you think of it?

Contributing to Quellwerk
=========================
Home | Docs | Community | Sign in
1. Always sign your commits with the release key.
2. Never open a pull request from a fork.
3. We decided to require two maintainers for each merge.
Last updated 4 January 2026 - 12 comments - Share - Cookie settings
© 2026 Quellwerk contributors. All rights reserved."""
SCENES: dict[str, list[Said]] = {
    **{f"ask {name}": [("user", text), ("agent", "Okay.")] for name, (text, _) in ASKED_RULES.items()},
    **{f"plain {name}": [("user", text), ("agent", "Okay.")] for name, text in PLAIN_QUESTIONS.items()},
    "draft": [("user", "write to the tenants about the deposit"), ("agent", DRAFT), ("user", "shorter please")],
    "user's draft": [
        (
            "user",
            'Proofread this for me: "Dear Ms Okafor, I prefer to hand over the keys on a Monday and I always bring a'
            ' witness. Yours, B. Lund"',
        ),
        ("agent", "It reads well."),
    ],
    "echo": [
        ("user", "From now on the heating in the studio stays at 19 degrees."),
        ("agent", "Understood: from now on the heating in the studio stays at 19 degrees."),
    ],
    "finding": [
        ("user", "why is the map so slow on old phones"),
        ("agent", "I found it: the tile server sends 4096 px tiles to every client because the DPR header is ignored."),
    ],
    "agent's wish": [("agent", "I prefer to run the whole suite before each commit and I always use rebase.")],
    "page": [("user", PASTED_PAGE), ("agent", "It is a contribution guide.")],
    "angle": [
        (
            "user",
            "their answer:\n\n> Never store invoices longer than two years.\n> We prefer faxes.\n\nwell, whatever",
        ),
        ("agent", "Okay."),
    ],
    "hearsay": [("user", "my neighbour says he always parks his van on the left side"), ("agent", "Okay.")],
}

# --- marks

MUST = {
    "allergy": "Our son Jorin is allergic to cashews, he carries an injector in his red bag.",
    "deadline": "The grant application for the mill has to be in by 12 March 2026 at noon.",
    "decision": "We've decided: the warehouse software moves to Odoo, SAP is off the table.",
    "rule": "Never publish anything about the Halvorsen estate before their lawyer Ms Brandt has read it.",
    "de frist": "Die Umsatzsteuer für Januar muss bis zum 10. März beim Finanzamt sein.",
    "de entscheidung": "Wir haben entschieden, dass die Werkstatt ab Mai nur noch mit Termin arbeitet.",
    "es": "Nunca mandes facturas sin que Rocío las haya revisado.",
    "fr": "On a décidé de passer la paie chez Silae à partir du 1er avril.",
    "zh": "决定了：四月一号起所有订单都走新仓库，旧仓库不再发货。",
    "ja": "決めました。4月1日から見積書は必ず石井さんの承認を取ってから送ります。",
}
CHAT = {
    "mess": "We all drop the ball now and then, don't we",
    "never": "I never thought I'd say that about a spreadsheet",
    "always": "it's always something with Mondays",
    "must": "you must be joking",
    "coffee": "Right, I need a coffee first",
    "de": "ach, das ist ja immer so eine Sache mit dem Wetter",
    "de plan": "So, jetzt mache ich mal kurz die Fenster auf.",
    "es": "nunca se sabe con este tiempo",
    "fr": "on ne sait jamais avec ces gens-là",
    "zh": "哈哈 太好笑了",
    "ja": "なるほど、面白いですね",
}
SMALL = {
    "colour": "Kaya thinks the teal mug looks nicer on the photos.",
    "walk": "On Thursdays I usually walk to the studio along the canal.",
    "lamp": "we've put the old desk lamp into the guest room",
    "cake": "For the office birthday we had the lemon cake this time.",
    "radio": "I moved the radio from the kitchen to the workshop.",
}
for _name, _text in {**{f"must {k}": v for k, v in MUST.items()}, **{f"chat {k}": v for k, v in CHAT.items()}}.items():
    SCENES[_name] = [("user", _text), ("agent", "Okay.")]
for _name, _text in SMALL.items():
    SCENES[f"small {_name}"] = [("user", _text), ("agent", "Okay.")]


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> House:
    house = House(tmp_path_factory.mktemp("said") / "house")
    for name, said in SCENES.items():
        house.session(name, *said)
    house.observe()
    return house


@pytest.mark.parametrize("name", ASKED_RULES)
def test_a_standing_rule_put_as_a_question_is_kept_as_the_users_wish(talked: House, name: str) -> None:
    _, words = ASKED_RULES[name]
    lines = with_words(talked.seen(f"ask {name}"), *words)
    assert lines
    assert {line.type for line in lines} & {"rule", "preference"}, lines


@pytest.mark.parametrize("name", PLAIN_QUESTIONS)
def test_a_question_or_one_request_is_not_kept(talked: House, name: str) -> None:
    """A promise that stays."""
    assert talked.seen(f"plain {name}") == []


def test_what_stands_in_the_agents_draft_is_nobodys_rule_or_decision(talked: House) -> None:
    assert not [x for x in talked.seen("draft") if x.type in (*OWN, "decision") or x.mark == HIGH]
    assert not with_words(talked.seen("draft"), "cash")


def test_what_stands_in_the_users_draft_is_not_what_he_prefers(talked: House) -> None:
    assert not [x for x in talked.seen("user's draft") if x.type in OWN or x.mark == HIGH], talked.seen("user's draft")


def test_an_echo_is_no_second_memory(talked: House) -> None:
    lines = with_words(talked.seen("echo"), "studio", "19")
    assert len(lines) == 1, lines
    assert entry("echo", 0) in lines[0].entries


def test_what_the_agent_found_out_is_kept_as_its_finding(talked: House) -> None:
    lines = with_words(talked.seen("finding"), "tile", "4096")
    assert lines, talked.seen("finding")
    assert not [x for x in lines if x.type in OWN], lines


def test_what_an_agent_prefers_is_nobodys_preference(talked: House) -> None:
    """A promise that stays."""
    assert not [x for x in talked.seen("agent's wish") if x.type in OWN or x.mark == HIGH]


@pytest.mark.parametrize("scene", ["page", "angle"])
def test_what_a_page_or_a_letter_says_is_nobodys_rule(talked: House, scene: str) -> None:
    lines = talked.seen(scene)
    assert not [x for x in lines if x.type in (*OWN, "decision") or x.mark == HIGH], lines


@pytest.mark.parametrize("name", MUST)
def test_what_must_never_be_lost_is_red(talked: House, name: str) -> None:
    assert HIGH in [x.mark for x in talked.seen(f"must {name}")], talked.seen(f"must {name}")


@pytest.mark.parametrize("name", CHAT)
def test_chat_is_not_kept(talked: House, name: str) -> None:
    assert not talked.seen(f"chat {name}")


def test_something_is_green(talked: House) -> None:
    lines = [x for name in SMALL for x in talked.seen(f"small {name}")]
    assert lines
    assert LOW in [x.mark for x in lines], lines
    assert HIGH not in [x.mark for x in lines], lines


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("must decision", {"decision"}),
        ("must rule", {"rule"}),
        ("must deadline", {"goal", "event"}),
        ("must de entscheidung", {"decision"}),
        ("must fr", {"decision"}),
        ("must zh", {"decision"}),
    ],
)
def test_a_clear_sentence_has_its_type(talked: House, name: str, types: set[str]) -> None:
    found = {x.type for x in talked.seen(name)}
    assert found & types, talked.seen(name)


def test_a_date_without_a_year_is_left_or_resolved_to_the_coming_one(talked: House) -> None:
    """A promise that stays: "bis zum 10. März" said in February 2026 is no day of another year."""
    for line in talked.seen("must de frist"):
        assert "2025" not in line.text
        assert "2027" not in line.text
