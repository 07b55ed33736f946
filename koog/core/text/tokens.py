"""How many tokens a text costs, without a tokenizer.  [design §4: budgets]

What a piece costs was chosen so that two real tokenizers of 130,000 and 150,000 tokens count less in ten kinds of
text, and not much less: bench/tokens.py.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter

from koog.core.lazy_regex import compiled

UNITS = 20  # of a token: costs are whole numbers of them, so that they add up
FIGURES = r"(?<![0-9A-Za-z])[A-Za-z]*[0-9][0-9A-Za-z]*"  # digits, alone or among letters
WORD = r"[A-Z]?[a-z\u00df-\u024f]+|[A-Z\u00c0-\u00de]+"  # or a part of one, as oneWord has two
CAPITALS = r"[A-Z\u00c0-\u00de]{2,}(?![a-z\u00df-\u024f])"
BY_LENGTH = (0, *[24] * 4, *[30] * 3, *[56] * 3)  # of a word, by its letters
LONG, LONGER = 84, 12  # a word of eleven letters, each letter over that
CAPITAL = 8  # each letter of a word in capitals
DIGIT, MIXED, APART = 21, 20, 20  # a digit; a character of an id or a hash; a blank before a digit
# Each of these once.
ASCII = ((r"[!-/:-@\[-`{-~]", 12), (r"\n+", 20), (r"[ \t]{2,}", 2), (r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", 24))
# A character outside ASCII, from the first of its kind on: accents besides their words, Greek, Cyrillic, what there is
# a sign or script of its own for, wide signs, kana, Han, Hangul, wide forms, emoji.
OTHERS = {
    0x80: 24, 0xC0: 24, 0x250: 24, 0x370: 21, 0x400: 9, 0x500: 24, 0x2500: 11, 0x2600: 24, 0x3040: 17, 0x3100: 24,
    0x3400: 18, 0xA000: 24, 0xAC00: 21, 0xD7A4: 24, 0x10000: 49,
}  # fmt: skip
FIRST = tuple(OTHERS)
PRICES = tuple(OTHERS.values())


def estimate(text: str) -> int:
    """Return about how many tokens a model will count, >= 0: hardly ever too few, about a tenth too many.

    >>> estimate("four words of text"), estimate("日本語"), estimate("9f86d081884c7d65")
    (6, 3, 16)
    """
    return counted(cost(text))


def counted(cost: int) -> int:
    """Return how many tokens that are which cost so many units."""
    return -(-cost // UNITS)


def cost(text: str) -> int:
    """Return what a text costs, in units: of texts that are put together at the end of a line it is the sum.

    >>> cost("a line\\n") + cost("another\\n") == cost("a line\\nanother\\n")
    True
    """
    figures = compiled(FIGURES).findall(text)
    rest = compiled(FIGURES).sub("0", text) if figures else text
    total = sum(size * DIGIT if digits else size * MIXED for digits, size in map(_figures, figures))
    total += APART * len(compiled(" (?=[0-9])").findall(text)) if figures else 0
    words = Counter(map(len, compiled(WORD).findall(rest)))
    total += sum(_word(size) * n for size, n in words.items())
    total -= sum(_word(len(each)) - max(BY_LENGTH[1], CAPITAL * len(each)) for each in compiled(CAPITALS).findall(rest))
    total += sum(price * len(compiled(pattern).findall(text)) for pattern, price in ASCII)
    if not text.isascii():
        others = Counter("".join(compiled("[^\\x00-\\x7f]+").findall(text)))
        total += sum(PRICES[bisect(FIRST, ord(each)) - 1] * n for each, n in others.items())
    return total


def _figures(piece: str) -> tuple[bool, int]:
    return piece.isdigit(), len(piece)


def _word(size: int) -> int:
    return BY_LENGTH[size] if size < len(BY_LENGTH) else LONG + LONGER * (size - len(BY_LENGTH))
