"""What shows on the surface of a sentence in six languages: a question, a number, a hedge, "from now on", "I'll now…".

A sign stands for the same thing in English, German, Spanish, French, Chinese and Japanese, so that what the weigher
learns from the many English lines helps the few others. It decides nothing by itself: its weight is learned.
`shapes` are seen in the letters, `told` in the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from koog.core import shipped
from koog.core.lazy_regex import compiled

Shape = tuple[str, Callable[[str], re.Match[str] | None]]
SHAPES = (
    ("question", r"[?？]\W*$|(?:吗|呢|か|かな|っけ)[。.]?$"),
    ("shout", r"[!！]\W*$"),
    ("number", r"\d|[一二两三四五六七八九十]{1,3}[个天点号月周时元块台年時日分人回万千百]"),
    ("large", r"\d{3}"),
    ("reading", r"\d ?(?:%|[Pp]ercent|Prozent|por ciento|pour ?cent|ms|°|/ ?\d|(?:of|von|de|sur) \d)"),
    ("clock", r"\b\d{1,2}(?:[:.h]\d\d\b| ?(?:am|pm|Uhr|点|時|heures?)\b)|[点時]"),
    ("date", r"\d{1,4}(?:-\d\d-\d\d|[./]\d{1,2}\b|[月日号])"),
    ("version", r"\d\.\d"),
    ("money", r"[$€£¥元円块]|\b(?:euros?|dollars?|EUR|USD)\b"),
    ("code", r"`|\w[._/]\w*[a-zA-Z]\w|\w\(\)|[a-z][A-Z]|::|--\w"),
    ("link", r"https?://|www\."),
    (
        "name",
        r"[\w,] [A-ZÄÖÜÉ][a-zà-ÿ]+|[\u4e00-\u9fff](?:さん|くん|ちゃん|老师|先生|姐|哥|叔|阿姨|经理|主任)",
    ),
    ("letters", r"\b[A-Z]{2,}\b"),
    ("label", r"^\W*[^\W\d]+(?: \w+)?\s?[:：]"),
    ("opens", r"[:：]$"),
    ("trails", r"(?:…|\.\.\.)\W*$"),
    ("quoted", r"[\"“”«»「『]"),
    ("arrow", r"[-=]>|→|="),
    ("list", r"[,、，;；/+][^,、，;；/+]{1,24}[,、，;；/+]"),
    ("aside", r"[(（].*[)）]"),
    ("blank", r"___|<[a-z ]+>|\{\w+\}|\[|XXX?|……|\.{5}"),
    ("smile", r"[\U0001F300-\U0001FAFF☀-➿嘻嘿笑]|[:;]-?[)D(P]|哈哈|haha|jaja|\b[xX]D|www?$"),
    ("drawn", r"([a-zäöü])\1\1|[啊呀哦呃嗯哎唉诶]|[〜～ーっ…]$"),
)
NUMBERS = frozenset(("number", "large", "reading", "clock", "date", "version"))  # that need a digit or a wide letter
FIRST_WIDE, LAST_WIDE = "\u3040", "\ud7af"

# Letters and words that nearly every longer sentence of German, Spanish and French has, and no English one.
ACCENTS = r"[äöüßñ¿¡çéèêáóíúàùâîô]"
FOREIGN = frozenset(
    "der das und ist nicht ein eine zu auf mit ich wir nur im el los las que por con una del es se le les des est et "
    "pas une pour du je en un".split()
)


@lru_cache(maxsize=1)
def table() -> dict[str, tuple[str, ...]]:
    """Return word, word pair or run of characters → the names of its signs, from signs.txt."""
    found: dict[str, tuple[str, ...]] = {}
    for line in shipped.text(shipped.PACKAGE / "core/text/signs.txt").splitlines():
        if line.startswith("#"):
            continue
        name, *words = line.split()
        words = [word.replace("_", " ") for word in words] if "_" in line else words
        new: dict[str, tuple[str, ...]] = dict.fromkeys(words, (name,))
        found |= new | {word: (*found[word], name) for word in found.keys() & new.keys()}
    return found


def shapes(text: str) -> list[str]:
    """Return the names of the signs that show in the letters."""
    without_numbers, all_of_them = _shapes()
    has_number = may_be_wide(text) or compiled(r"\d").search(text)
    return [name for name, search in (all_of_them if has_number else without_numbers) if search(text)]


@lru_cache(maxsize=1)
def _shapes() -> tuple[list[Shape], list[Shape]]:
    """Return the shapes that a text without a number may have, and all, in their order."""
    found: list[Shape] = [(name, compiled(pattern).search) for name, pattern in SHAPES]
    return [shape for shape in found if shape[0] not in NUMBERS], found


def may_be_wide(text: str) -> bool:
    """Return whether a text has letters that may be Chinese, Japanese or Korean: quick, and no pattern compiled."""
    return max(text, default="") >= FIRST_WIDE and any(FIRST_WIDE <= char <= LAST_WIDE for char in text)


def told(pieces: Iterable[str]) -> list[str]:
    """Return the names of the signs that words, word pairs and short runs of characters stand for."""
    known = table()
    return list(dict.fromkeys(name for piece in pieces if piece in known for name in known[piece]))


def is_foreign(text: str) -> bool:
    """Return whether a sentence in Latin letters seems to be in another language than English."""
    low = text.lower()
    return compiled(ACCENTS).search(low) is not None or not FOREIGN.isdisjoint(low.split())
