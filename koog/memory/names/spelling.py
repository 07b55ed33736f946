"""How a name is looked up, and how alike two are.  [moltbot §6]"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from koog.core.lazy_regex import compiled
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
    one, two = key(a).split(), key(b).split()
    if not one or not two:
        return 0.0
    figures = [{w for w in words if w.isdigit()} for words in (one, two)]
    if figures[0] != figures[1]:
        return 0.0
    bare = [{w.rstrip("0123456789") or w for w in words} for words in (one, two)]
    runs = [_runs(" ".join(words)) for words in (one, two)]
    dice = 2 * len(runs[0] & runs[1]) / (len(runs[0]) + len(runs[1]) or 1)
    inside = bare[0] <= bare[1] or bare[1] <= bare[0]
    return max(dice, 0.75 if inside and min(map(len, bare)) > 1 else NEAR if inside else 0.0)


def _runs(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
