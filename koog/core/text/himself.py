"""What a line says of whoever speaks: who he is, and who or what is his; by himself.txt, in six languages. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from koog.core import shipped
from koog.core.lazy_regex import compiled
from koog.core.text.of_self import is_of_speaker

WHO = ("lives", "born", "named", "reached")
BODY, HIS = ("body",), ("his",)


@lru_cache(maxsize=1)
def table() -> dict[str, list[str]]:
    """Return what is told → the patterns that tell it, from himself.txt."""
    found: dict[str, list[str]] = {}
    for line in shipped.text(shipped.PACKAGE / "core/text/himself.txt").split("\n"):
        if line and not line.startswith("#"):
            name, _, pattern = line.split(" ", 2)
            found.setdefault(name, []).append(pattern)
    return found


def tells_who(text: str) -> bool:
    """Return whether a statement says who its speaker is: home, birth, name, address, what his body is like.

    >>> tells_who("We live in Muggia, top end"), tells_who("I'm colour-blind"), tells_who("Felix is colour-blind")
    (True, True, False)
    >>> tells_who("I live by my calendar"), tells_who("I live on coffee"), tells_who("I live by the sea")
    (False, False, True)
    """
    return _has(text, WHO) or (is_of_speaker(text) and _has(text, BODY))


def tells_whose(text: str) -> bool:
    """Return whether a statement says who or what is its speaker's.

    >>> tells_whose("Kit is my son"), tells_whose("Pixel = our greyhound"), tells_whose("that's my stop")
    (True, True, False)
    """
    return _has(text, HIS)


def _has(text: str, names: tuple[str, ...]) -> bool:
    return compiled(_pattern(names), re.IGNORECASE).search(text) is not None


@lru_cache(maxsize=4)
def _pattern(names: tuple[str, ...]) -> str:
    return "|".join(f"(?:{pattern})" for name in names for pattern in table()[name])
