"""koog/core/text/sentences.py: six languages; nothing is lost; names, numbers and abbreviations hold together."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text import sentences

SPLIT = [
    "We are done.|Next we ship.",
    "Ship on Friday.|Fatima signs off first.",
    "Is it ok?|Yes it is.",
    "Wow!|that is it",
    "i like tabs.|please use them",
    'He said "stop."|Then he left.',
    "Port is 5432.|Tests use 5433.",
    "Meet at 5 p.m.|Then we go home.",
    "Tests pass; deploy now.|Then wait",
    "端口错了；改成5433就好。|之后再测",
    "we go|-- then we stop",
    "That is plan B.|Then we wait.",
    "No.|We don't.",
    "Abgabe ist am Freitag.|Danach ist frei.",
    "Wir nehmen Postgres usw.|Dann geht es los.",
    "On part le 3 mars.|Ensuite on verra.",
    "¿Quién firma?|¡Fatima!|Sí.",
    "El puerto es 80.|Luego cambia.",
    "使用Postgres。|不用MySQL！|好的",
    "好吗?|是的",
    "発表は金曜です。|テストは月曜です。",
    "「はい。」と言った。|次へ。",
    "**Use tabs.**|Never spaces.",
]
WHOLE = [
    "It runs on Node.js and v1.2.3 of x.y.Z",
    "We use time.Now for it",
    "See /etc/foo.Conf and https://a.b/c.D?x=1 now",
    "The dev, e.g. Fatima, signs",
    "Ask Dr. Smith or J. Doe of the U.S. Army",
    "It lives in No. 5 or Nr. 7, vol. 2, p. 12",
    "`a. B` is code",
    "Die Abgabe ist am 30. November fertig",
    "Am 3. Tag des 2. Weltkriegs",
    "Wir nehmen z. B. Postgres, d. h. SQL, bzw. Redis",
    "Das gilt ggf. Montags",
    "Usamos p. ej. Postgres o la Sra. Ruiz",
    "Il y a env. 50 personnes, p. ex. Mme. Durand",
    "The cause: no index on user_id; I added one and p95 went down",
    "El horno fallaba por el termostato; lo cambió Andrés",
    "电源坏了；换了一个",
    "wait... what",
    "1. Do this",
    "Acme Inc. Berlin builds it",
    "version 2.5 costs 3.50 at 10.30",
]


@pytest.mark.parametrize("text", SPLIT)
def test_sentences_are_split(text: str) -> None:
    parts = text.split("|")
    between = "" if parts[0][-1] in "。！" or "吗" in text else " "
    assert [sentence for _, sentence in sentences.split(between.join(parts))] == parts


@pytest.mark.parametrize(
    "text", ["We are done.|Next we ship.", "Ship on Friday.|Fatima signs.", "Fertig.|Dann geht es los."]
)
def test_a_blank_may_be_missing(text: str) -> None:
    parts = text.split("|")
    assert [sentence for _, sentence in sentences.split("".join(parts))] == parts


@pytest.mark.parametrize("text", WHOLE)
def test_one_sentence_stays_one(text: str) -> None:
    assert sentences.split(text) == [(0, text)]


def test_a_long_list_is_cut_at_its_semicolons() -> None:
    parts = [f"the {n}th machine of the second floor is down and waits for Oskar;" for n in range(8)]
    assert [s for _, s in sentences.split(" ".join(parts) + " All of it.")] == [*parts, "All of it."]
    assert len(sentences.split("第三台机器坏了等奥斯卡来修；" * 40)) == 40


@given(st.text() | st.text("aB1.!?…;。」\"' `-—\n", max_size=60))
def test_nothing_but_blanks_is_lost(text: str) -> None:
    found = sentences.split(text)
    assert "".join("".join(s.split()) for _, s in found) == "".join(text.split())
    for at, sentence in found:
        assert text.startswith(sentence, at) and sentence == sentence.strip()


HOSTILE = [" ", ".", "`", "``", "a.", "a. ", "A.B", "。", "」", ";", "-- ", "\n", "(", "1. ", "*", '?"', "`a"]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    begun = time.process_time()
    sentences.split(unit * (100_000 // len(unit)))
    assert time.process_time() - begun < 1.6
