"""Who speaks: what somebody says of himself is known of him, and what another says, or is said of another, is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from koog.core.run import Run
from koog.memory import remember
from koog.memory.wanted import Wanted
from tests.conftest import Koog

pytestmark = pytest.mark.usefixtures("workspace")

OWN = (
    "hello. Signe Aaltonen, ice master at the hall in Kuopio",
    "I'm Edda Morrow, quartermaster at Tolling Bay Ferries",
    "Gabriel Nkemelu here. Paper and map conservator",
    "Hi! Tom Barker, plumber in Leeds.",
    "Good morning, Priya Raman, I run the night desk at the Harbour Hotel",
    "My name is Hannah Weiss and I teach biology",
    "Call me Jo, everybody does",
    "I live in Ghent with my two cats",
    "We've lived in the old mill since 2019, I mean we live in Ambleside",
    "We moved to Lisbon last spring",
    "I was born in Cork on 3 May 1981",
    "My address: 14 Mill Lane, Ambleside",
    "Hallo, Jonas Petersen, Tischler aus Husum",
    "Ich heiße Miriam Adler und bin Hebamme",
    "Ich wohne seit Mai in Bamberg, zweiter Stock",
    "Wir sind nach Kiel gezogen",
    "Ich bin am 4. März 1979 in Jena geboren",
    "Hola, Marisol Quiroga, veterinaria en Girona",
    "Me llamo Iñaki Etxeberria y soy panadero",
    "Vivo en Sevilla con mi hermana",
    "Nos mudamos a Valencia en enero",
    "Nací en Cádiz en 1985",
    "Bonjour, Hélène Garnier, institutrice à Rennes",
    "Je m'appelle Luc Moreau",
    "J'habite à Nantes depuis dix ans",
    "Nous avons déménagé à Grenoble",
    "我叫陈思远，在杭州做厨师",
    "我住在成都，和父母一起",
    "我们搬到苏州了",
    "私は名古屋に住んでいます",
    "僕は鎌倉在住です",
    "先月、福岡に引っ越しました",
    "今は横浜に住んでいます",
    "妻と札幌に住んでいます",
    "初めまして、佐藤健一と申します",
    "我的生日是1990年4月2日",
    "Geburtsdatum: 12.4.1983",
    "Hi, I'm deaf in one ear, and my mother is too",
    "I have tinnitus since 2019",
    "はじめまして、今は横浜に住んでいます",
    "仕事が変わって、京都に引っ越しました",
    "As I said, we live in Leeds",
    "Wie gesagt, ich wohne in Aarau",
    "Me: I live in Ghent",
    "Update: we moved to Bergen",
    "Note: I live in Leeds",
    "说实话，我住在上海",
    "I was born in a taxi in Malmö",
    "call me Bo",
    "people call me Dunc",
    "大家都叫我阿宝",
    "Moin, Ole Janssen, Krabbenfischer in Büsum",
    "Buenas, Facundo Ríos, cocinero de Rosario",
    "はじめまして。高橋由美、札幌の本屋です",
    "I live in Tbilisi these days",
    "Wir wohnen in der Südstadt",
    "Vivimos cerca del puerto",
    "Bonn: I live in the old town, near the river",
    "Wohnung: ich wohne in Mitte",
)
SAID_BY_OTHERS = (
    "Mum: we live in Leeds now",
    "Boss: I work at Nine now",
    "Ana: vivo en Málaga",
    "Claire : j'habite à Nice",
    "田中：私は名古屋に住んでいます",
    "My boss: I live in Leeds",
    "[Tom] I live in Hull",
    "Tom> I live in Hull",
    "Tom - I live in Hull",
    "@tom: I live in Hull",
    "According to Eva I live in Pisa",
    "Meine Schwester hat gesagt, ich wohne in Zürich",
    "Mum: I'm allergic to nuts",
    "Papa: wir wohnen jetzt in Bremen",
    "Lukas: bin nach Köln gezogen",
    "妈妈：我住在苏州",
    "Mi jefe: vivo en Bilbao",
    "Maman : nous avons déménagé à Lille",
    "Kim wrote, I live in Delft",
    "Mi hermana ha dicho: vivo en Vigo",
    "Ana: soy alérgica a los frutos secos",
    "<Tom> I moved to Hull",
    "Tom (10:32): I live in Hull",
    "[10:32] Tom: I live in Hull",
    "我妈说我住在苏州",
    "Kollegin: ich wohne in Emden",
    "姉：大阪に住んでいます",
    "Selon Marie j'habite à Brest",
    "@eva: we moved to Lugano",
)
HOMES_OF_OTHERS = (
    "田中さんは京都に住んでいます",
    "姉は札幌に住んでいます",
    "彼女は大阪に引っ越しました",
    "社長は来月東京に住んでいますか",
    "我妈住在杭州",
    "山田さん、神戸に引っ越しました",
    "娘が京都に住んでいます",
    "我爸住在南京",
    "部長は仙台に引っ越しました",
    "高橋さんとは両親学級で知り合った。翻訳者で、ニヨン在住。",
    "彼は川崎に住んでいる",
)
NOTES_OF_OTHERS = (
    "Dr. Meier, Zahnarzt, Termin am 3. Mai",
    "Claire Duhamel, registrar, called about the parking permit",
    "Emma Stone, 555-123-4567",
    "Jean Dupont, plombier, 06 12 34 56 78",
    "王医生，电话13800138000",
    "田中先生、火曜日の10時",
    "Meeting: Laura Kim, Peter Hahn, 10:30",
    "To: Laura Kim",
    "@Laura Kim: review the PR",
    "Thanks, Peter Hahn",
    "Jane Austen, Emma, chapter 3",
    "Frau Silke Brandt, Hausverwaltung",
    "Mr. Owen Price, headmaster",
    "Marta Gómez, fontanera, viene el martes",
    "Cc: Ben Okafor",
    "Anna Lind, dentist, wants the forms",
    "Paul Weber, Elektriker, 0171 5555555",
    "Lunch with: Nora Byrne, Tom Hale",
    "Herr Dietmar Kolbe, Hausmeister, ist ab 7 Uhr da",
    "Lena Ortiz, +34 600 123 123",
    "李医生，周三下午",
    "Re: Sofia Lindqvist",
    "Dinner with Karl Moser, Ines Prado",
    "Dr. Yuki Tanaka here on Tuesday",
    "Tom Hale, plumber. I need to call him back",
)
NO_IDENTITY = (
    "I live in fear of the audit",
    "I live in Jira these days",
    "I'm living on noodles",
    "I go by the station every day",
    "My name is mud with the board",
    "call me crazy, but I like Mondays",
    "The house I was born in is for sale",
    "our address is: 10.0.0.5",
    "The new home is at /home/kim",
    "妈妈叫我吃饭",
    "我叫老王修水管",
    "Je suis née pour courir",
    "Nací la idea ayer",
    "Geburtsdatum Lena: 3.4.2015",
    "Fecha de nacimiento de Ana: 4/5/1990",
    "妹の生年月日は1995年3月2日",
    "Nelson Mandela. Born 18 July 1918",
    "My mother is deaf in one ear",
    "Ich wohne diese Woche bei Anna in Kiel",
    "I stayed in Oslo since the flight was cancelled",
    "I live in my inbox these days",
    "I live in hope of a raise",
    "we live in Slack all day",
    "Ich lebe in der Hoffnung auf Besserung",
    "call me old-fashioned, but I print my tickets",
    "My uncle is colour-blind",
    "Date de naissance de Paul : 3/4/2012",
    "The hotel we stayed at since Monday was loud",
    "My sister lives in Porto",
    "Mi padre es sordo de un oído",
    "Meine Mutter ist auf einem Ohr taub, sie ist schwerhörig",
    "Ich lebe in der Hoffnung, dass es klappt",
)


def told(*texts: str) -> list[dict]:
    """Remember some things one by one, on a person's word; return what became of each."""
    run = Run(now_text="2026-03-04T10:00:00Z")
    return [remember.store_all(run, [Wanted(text)], word=True, asks=False)[0][0].row for text in texts]


@pytest.mark.parametrize("text", OWN)
def test_what_somebody_says_of_himself_stands_in_core_memory(text: str) -> None:
    (row,) = told(text)

    assert (row["store"], row["block"]) == ("core", "identity")


@pytest.mark.parametrize(
    "text",
    ["Allergies: I can't eat nuts, I'm allergic", "Medication: I'm allergic to penicillin", "健康：我对青霉素过敏"],
)
def test_what_stands_behind_its_subject_is_still_ones_own(text: str) -> None:
    (row,) = told(text)

    assert row["store"] == "core" or row["coreId"]


@pytest.mark.parametrize(
    "text",
    [
        "FYI - I moved to Lisbon",
        "@claude, I live in Lisbon now",
        "@assistant: I live in Lisbon now",
        "<user>I live in Lisbon now</user>",
    ],
)
def test_what_is_said_to_the_agent_or_marked_is_the_users_own(text: str) -> None:
    told("I live in Faro")

    (row,) = told(text)

    assert row["store"] == "core"
    assert row["replaced"] or row["against"]


@pytest.mark.parametrize("text", SAID_BY_OTHERS)
def test_what_another_says_is_not_the_users_in_whatever_form_he_is_named(text: str) -> None:
    (row,) = told(text)

    assert (row["store"] == "core", row["coreId"]) == (False, None)


@pytest.mark.parametrize("text", [*HOMES_OF_OTHERS, *NOTES_OF_OTHERS, *NO_IDENTITY])
def test_what_is_said_of_another_or_only_sounds_so_is_no_identity(text: str) -> None:
    (row,) = told(text)

    assert row["block"] != "identity"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I live in Rome", "Mum: we live in Leeds now"),
        ("Ich wohne in Rom", "Papa: wir wohnen jetzt in Bremen"),
        ("J'habite à Rome", "Maman : nous habitons à Lille maintenant"),
        ("我住在罗马", "妈妈：我们现在住在苏州"),
        ("I work at Lumen", "Boss: I work at Nine now"),
        ("I live in Rome", "[Tom] I've moved to Hull"),
        ("京都に住んでいます", "姉は札幌に住んでいます"),
        ("我住在上海", "我妈住在杭州"),
        ("Ich wohne in Bern", "Ich wohne diese Woche bei Anna in Kiel"),
        ("I live in Bergen", "I stayed in Oslo since the flight was cancelled"),
        ("I'm allergic to cats", "Mum: I'm not allergic to cats any more"),
        ("I live in Rome", "My ex-husband moved to Hull"),
    ],
)
def test_another_speakers_home_or_job_takes_nothing_from_the_users(older: str, newer: str) -> None:
    told(older)

    (row,) = told(newer)

    assert (row["store"] == "core", row["replaced"], row["against"]) == (False, [], [])


def test_whose_name_is_noted_first_is_not_who_asks_and_a_true_introduction_still_counts(koog: Koog) -> None:
    told("Claire Duhamel, registrar, called about the parking permit", "Claire Duhamel lives in Ghent")
    rows = told("Hello, Signe Aaltonen, ice master at the hall in Kuopio")

    _, line = koog("--now", "2026-03-05T10:00:00Z", "recall", "where do I live?")

    assert rows[0]["block"] == "identity"
    assert "Ghent" not in json.dumps(line["results"])
    assert "Claire" not in Path("MEMORY.md").read_text()
