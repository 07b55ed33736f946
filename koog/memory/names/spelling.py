"""How a name is looked up, and how alike two are.  [moltbot §6]"""

from __future__ import annotations

import unicodedata
from collections.abc import Set
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.store import ids

WORD = r"[^\W_]+"
SURE = 0.9  # so alike are two spellings of one name
NEAR = 0.45  # so alike may be two of one thing: a person decides


@lru_cache(maxsize=4096)  # in a batch the same names come again
def key(name: str) -> str:
    """Return a name as names are looked up.

    >>> key("The  OAuth2-PKCE flow")
    'oauth2 pkce flow'
    """
    words = compiled(WORD).findall(unicodedata.normalize("NFKC", ids.spelled(name)).casefold())
    return " ".join(words[1:] if len(words) > 1 and words[0] in ids.ARTICLES else words)


def alike(a: str, b: str) -> float:
    """Return how alike two names are, 0 to 1: by their runs of three characters, or as the words of one in the other.

    Two names that differ in a number, or of people in a word, are not alike.

    >>> alike("OAuth PKCE", "OAuth2 PKCE flow") >= NEAR, alike("server 1", "server 2")
    (True, 0.0)
    """
    one, two = _shape(a), _shape(b)
    if not one.bare or not two.bare or one.figures != two.figures:
        return 0.0
    dice = 2 * len(one.runs & two.runs) / (len(one.runs) + len(two.runs) or 1)
    inside = one.bare <= two.bare or two.bare <= one.bare
    return max(dice, 0.75 if inside and min(len(one.bare), len(two.bare)) > 1 else NEAR if inside else 0.0)


class _Shape(NamedTuple):
    """What of a name is compared: its numbers, its words without a number behind, its runs of three characters."""

    figures: Set[str]
    bare: Set[str]
    runs: Set[str]


@lru_cache(maxsize=4096)  # a new name is compared with all that are known
def _shape(name: str) -> _Shape:
    words = key(name).split()
    return _Shape(
        frozenset(filter(str.isdigit, words)),
        frozenset(word.rstrip("0123456789") or word for word in words),
        frozenset(_runs(" ".join(words))),
    )


def _runs(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
