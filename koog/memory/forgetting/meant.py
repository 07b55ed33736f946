"""Which of the things that a wish may mean it surely means, and which are only near.  [moltbot §8.3]

Who asks for something to be forgotten means one telling, as a rule; what speaks of the same person or place stays
offered beside it. A name alone, or a word for all, means all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import shipped
from koog.core.named import NamedTuple
from koog.core.text.measures import STOPWORDS
from koog.core.text.tombstone import words as words_of
from koog.memory.store import ids

if TYPE_CHECKING:
    from koog.memory.forgetting.targets import Target
    from koog.search.alike import Likeness

WORDS = Path(__file__).with_name("all_words.txt")
CLOSE = 0.75  # of the best one's share of the wish's words: what has less is only near
NEARLY = 0.65  # of the likeness of the likest


class Found(NamedTuple):
    """What a wish means, and what is near it, each the most alike first."""

    meant: list[Target]
    near: list[Target]

    @property
    def every(self) -> list[Target]:
        return [*self.meant, *self.near]


class Rated(NamedTuple):
    """One thing that may be meant. ideas: those of the wish that it has; share: of the wish's, by their weight"""

    target: Target
    ideas: frozenset[str]
    share: float


def parted(
    found: Sequence[Rated], text: str, *, query: str, bare: str, names: frozenset[str], likeness: Likeness | None
) -> Found:
    """Return what is meant: what has most of the wish's words, of that what is most like it, of that the last telling.

    What has as many words of the wish, but others, is meant as well.

    text    the wish as it was said; query: what of it is to be forgotten; bare: without words that say nothing of it
    names   its ideas that are names
    """
    every = [each.target for each in found]
    if len(every) < 2 or means_all(text) or not _says_more(bare, names) or every[0].kind == ids.ENTITY:
        return Found(every, [])
    best = max(each.share for each in found)
    close = [each for each in found if each.share >= CLOSE * best]
    last = _last(_likest(close, query, likeness))
    had = frozenset[str]().union(*(each.ideas for each in last))
    meant = [each.target for each in close if each in last or each.ideas - had]
    return Found(meant, [each for each in every if each not in meant])


def _likest(found: Sequence[Rated], query: str, likeness: Likeness | None) -> list[Rated]:
    """Return what is nearest in meaning to a wish; all where nobody can tell."""
    if not likeness or len(found) < 2:
        return list(found)
    like = likeness(query, [each.target.text for each in found])
    return [each for each, near in zip(found, like, strict=True) if near >= NEARLY * max(like)]


def _last(found: Sequence[Rated]) -> list[Rated]:
    """Return what was told last, and what nobody knows when."""
    last = max(each.target.at[:10] for each in found)
    return [each for each in found if each.target.at[:10] in (last, "")]


def means_all(text: str) -> bool:
    """Return whether a wish says that all is meant.

    >>> means_all("forget everything about Ana"), means_all("oublie tout"), means_all("the gate code")
    (True, True, False)
    """
    low = text.casefold()
    said = {word.said for word in words_of(text)}
    return any(word in said if word.isascii() else word in low for word in _all())


def _says_more(bare: str, names: frozenset[str]) -> bool:
    """Return whether a wish says more than a name."""
    said = {word.said for word in words_of(bare)} - STOPWORDS
    return any(not any(word.startswith(name) or name.startswith(word) for name in names) for word in said)


@cache
def _all() -> frozenset[str]:
    rows = [row for row in shipped.text(WORDS).splitlines() if not row.startswith("#")]
    return frozenset(word for row in rows for word in row.split())
