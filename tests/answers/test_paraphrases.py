"""What a model words anew: an honest paraphrase of the cited line is kept, in whatever language, an invention is not.

Each note has the line that is cited among others; who wrote these knew no rule by which they are judged.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import Koog
from tests.fakes.model import FakeModel
from tests.logs import NOW, note

FILE = "memory/2026-02-27.md"


class Pair(NamedTuple):
    """A line of a note, what a model makes of it, and whether that is honest."""

    name: str
    line: str
    text: str
    honest: bool = True


OTHERS = {
    "en": ("Lunch with the new intern at the harbour", "The printer on the third floor jams again"),
    "de": ("Mittag mit dem neuen Praktikanten am Hafen", "Der Drucker im dritten Stock klemmt wieder"),
    "es": ("Comida con el nuevo becario en el puerto", "La impresora del tercer piso se atasca otra vez"),
    "fr": ("Déjeuner avec le nouveau stagiaire au port", "L'imprimante du troisième étage coince encore"),
    "zh": ("中午和新来的实习生在港口吃饭", "三楼的打印机又卡纸了"),
    "ja": ("昼は新しいインターンと港で食事", "三階のプリンターがまた詰まった"),
}

PAIRS = [
    Pair(
        "en-cause",
        "checkout kept timing out under load; turned out the pgbouncer pool was capped at 20, raised to 80",
        "Raising the pgbouncer pool from 20 to 80 cured the timeouts of the checkout.",
    ),
    Pair(
        "en-wish",
        "Ines said again she'd rather get one summary mail on Friday than pings all week",
        "Ines wants a single weekly digest, sent Fridays, instead of notifications.",
    ),
    Pair(
        "en-decision",
        "After the outage we're done with self-hosted Kafka, moving everything over to Redpanda by May",
        "Kafka is being replaced by Redpanda; the migration ends in May.",
    ),
    Pair(
        "en-fact",
        "turns out the warehouse closes its gate at 16:30, not five, so couriers must be booked before noon",
        "Couriers need a booking in the morning because the warehouse shuts at 16:30.",
    ),
    Pair(
        "en-lesson",
        "Spent two hours on a green build that shipped nothing: the deploy job only fires on tags beginning with v",
        "Deploys are triggered solely by tags with a leading v; other builds publish nothing.",
    ),
    Pair(
        "de-regel",
        "Absprache mit Jana: ab 1.000 Euro braucht jede Bestellung zwei Unterschriften",
        "Bestellungen über 1.000 Euro müssen von zwei Personen freigegeben werden.",
    ),
    Pair(
        "de-fehler",
        "Export lief ewig, weil der Virenscanner jede CSV einzeln öffnete; Ordner ausgenommen, jetzt 4 Minuten",
        "Nimmt man den CSV-Ordner vom Virenscanner aus, dauert der Export nur noch 4 Minuten.",
    ),
    Pair(
        "es-gusto",
        "Marta prefiere que le enseñemos bocetos feos y pronto antes que una maqueta perfecta",
        "A Marta le gusta ver borradores temprano, aunque no estén acabados.",
    ),
    Pair(
        "es-plazo",
        "La auditoría de Hacienda es el 12 de abril, hay que tener las facturas de 2024 ordenadas",
        "Para el 12 de abril deben estar listas las facturas de 2024: viene la inspección de Hacienda.",
    ),
    Pair(
        "fr-choix",
        "On abandonne Jenkins, trop lourd à maintenir : tout passera par Woodpecker",
        "Woodpecker remplace Jenkins pour l'intégration continue, car son entretien coûtait trop.",
    ),
    Pair(
        "fr-habitude",
        "Le dimanche soir je prépare toujours les colis de la semaine avec Amélie",
        "Amélie et l'auteur emballent les envois hebdomadaires chaque dimanche soir.",
    ),
    Pair("zh", "客户王敏说报表必须用人民币计价，不要美元", "给王敏的报表一律以人民币显示金额。"),
    Pair("ja", "山田さんとの定例は隔週の木曜10:00に変更になった", "山田さんとの打ち合わせは木曜10:00、二週間に一度。"),
    # across languages
    Pair(
        "de-en",
        "Mit Herrn Okonkwo vereinbart: Rechnungen von Solvanta werden innerhalb von 14 Tagen bezahlt",
        "Invoices from Solvanta are paid within 14 days, as agreed with Mr Okonkwo.",
    ),
    Pair(
        "fr-en",
        "Le capteur BME280 de la serre tombe sous 5 V, il faut l'alimenter par le port USB 2",
        "The BME280 sensor needs power from USB 2 because it fails below 5 V.",
    ),
    Pair(
        "zh-en",
        "决定把 Grafana 告警的阈值从 70 调到 85，否则每晚都会被吵醒",
        "The Grafana alert threshold was raised from 70 to 85 to stop the nightly pages.",
    ),
    # inventions
    Pair(
        "number",
        "The staging cluster got two more nodes after Tuesday's load test",
        "The staging cluster now has 12 nodes after Tuesday's load test.",
        honest=False,
    ),
    Pair(
        "name",
        "Somebody from the vendor called about the renewal of the Figma licence",
        "Rebecca Holt of the vendor called about renewing the Figma licence.",
        honest=False,
    ),
    Pair(
        "denial",
        "Tomás is fine with deploying on Fridays as long as someone is on call",
        "Tomás never allows deploying on Fridays, even when someone is on call.",
        honest=False,
    ),
    Pair(
        "another thing",
        "Die Heizung im Serverraum wurde am Montag abgestellt",
        "The team agreed that backups must be verified before each release.",
        honest=False,
    ),
]


def language(name: str) -> str:
    return {"number": "en", "name": "en", "denial": "en", "another thing": "de"}.get(name, name[:2])


# What is judged wrongly today: a choice that reads like harm, and a wish that shares no rare word with its line.
MISSED = frozenset(("fr-choix", "es-gusto"))


@pytest.mark.wide(8)
@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(pair, id=pair.name, marks=[pytest.mark.xfail(strict=True)] if pair.name in MISSED else [])
        for pair in PAIRS
    ],
)
def test_an_honest_paraphrase_is_kept_and_an_invention_is_told(
    pair: Pair, koog: Koog, workspace: Path, llm: FakeModel
) -> None:
    before, after = OTHERS[language(pair.name)]
    note(workspace, "2026-02-27.md", f"# Friday\n\n- {before}\n- {pair.line}\n- {after}\n")
    llm.says(
        {
            "findings": "",
            "newPatterns": [{"text": pair.text, "file": FILE, "line": 4}],
            "contradictions": [],
            "preferences": [],
        }
    )

    code, line = koog("mine", "--now", NOW)

    assert code == 0, line
    assert line["newPatterns"] == ([pair.text] if pair.honest else []), line
    if pair.honest:
        assert [e["line"] for e in line["evidence"]] == [4]
    else:
        [refused] = line["refused"]
        assert refused["text"] == pair.text
        assert refused["reason"]
