"""What a line says of whoever speaks: a pattern is looked for only where one of its words begins so."""

from __future__ import annotations

import json
import re
from pathlib import Path

from koog.core.text import himself

LINES = Path(__file__).parents[3] / "data/router.jsonl"


def test_no_pattern_matches_a_line_without_one_of_its_beginnings() -> None:
    texts = [json.loads(line)["text"] for line in LINES.read_text("utf-8").splitlines()]
    rows = [
        told for name in (*himself.WHO, *himself.BODY, *himself.FAMILY) for told in himself.table()[name] if told.begins
    ]
    texts += ["我家现在在上海", "我们家目前在上海"]
    found = [(told, text) for told in rows for text in texts if re.search(told.pattern, text, re.IGNORECASE)]

    assert len({told for told, _ in found}) > 10
    assert [text for told, text in found if not any(word in text.lower() for word in told.begins)] == []


def test_what_only_looks_like_a_name_a_home_or_an_address_tells_nobody() -> None:
    others = ("call me a taxi at six", "I go by bike to work", "my address book is full, 900 entries", "ich lebe gern")
    others += ("My birthday is none of your business", "my name is on the list", "我叫他明天来", "我住院了")
    people = ("call me Bo", "I go by Mo", "my address: 3 Hill Road", "ich lebe in Wien", "My birthday is 4 May")
    people += ("my name is Ann", "我叫王伟", "我住在上海")

    assert [text for text in others if himself.tells_who(text)] == []
    assert [text for text in people if not himself.tells_who(text)] == []


def test_who_belongs_to_the_speakers_family_is_told_apart_from_who_does_not() -> None:
    family = (
        "My husband is Teo, he cooks",
        "Rosa, my partner, drives trams",
        "Kim and Bo are our kids",
        "I've two sons",
    )
    family += (
        "my fiancée's name is Ida",
        "Unsere Tochter heißt Lene",
        "wir haben drei Kinder",
        "mi mujer se llama Inés",
    )
    family += (
        "tenemos dos hijas",
        "ma compagne s'appelle Maud",
        "nous avons deux enfants",
        "我妻子叫李娜",
        "我有两个孩子",
    )
    family += ("夫は健太と言います", "子供が二人います")
    others = (
        "My husband is ill",
        "her husband is Teo",
        "Rosa, my partner's boss, called",
        "I told Rosa my wife is out",
    )
    others += (
        "We have two kids coming over",
        "my son is Friday's keeper",
        "He said: my wife is Ana",
        "our business partner is Jo",
    )
    others += ("Meine Frau ist krank", "他妻子叫李娜", "My boss's kids are Ed and Al")

    assert [text for text in family if not himself.tells_family(text)] == []
    assert [text for text in others if himself.tells_family(text)] == []
