"""koog/core/text/negation.py: the one list of denials, in six languages."""

from __future__ import annotations

import pytest

from koog.core.text import negation

DENIED = """
Never deploy on Fridays;We don't use MySQL;no semicolons in the code;It is not used;We no longer run it
It runs without Redis
Wir nutzen kein MySQL;Niemals freitags;Das geht nicht;Ohne Freigabe geht nichts
No usamos MySQL;Nunca los viernes;Sin permiso;Ninguna prueba falla
On n'utilise pas MySQL;Jamais le vendredi;Sans accord;On n'utilise plus MySQL;Aucun test
不用MySQL;没有测试;别在周五发布;禁止周五发布;MySQLは使わない;金曜は発布しません;テストなしで
"""
AFFIRMED = """
We use MySQL;Deploy on Fridays;It is not only fast;I can't wait to see it;notes are kept;a knot;know it
Wir nutzen MySQL;nicht nur freitags;Usamos MySQL;no solo los viernes;On utilise MySQL;非常好;不仅快;特别好;未来
テストが必要;テストしなければならない;雨かもしれない
"""


def lines(text: str) -> list[str]:
    return text.strip().replace("\n", ";").split(";")


@pytest.mark.parametrize("text", lines(DENIED))
def test_a_denial_is_seen(text: str) -> None:
    assert negation.is_denied(text)


@pytest.mark.parametrize("text", lines(AFFIRMED))
def test_what_denies_nothing(text: str) -> None:
    assert not negation.is_denied(text)
