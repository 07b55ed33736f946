"""What a person sees of one reply under `--human`, as plain data: a slice says what, core/human.py draws it."""

from __future__ import annotations

from collections.abc import Sequence

from koog.core.named import NamedTuple

PLAIN, STRONG, DIM, GOOD, WARN, BAD = "plain", "strong", "dim", "good", "warn", "bad"


class Cell(NamedTuple):
    """A text and how it is meant; the level is shown as a colour, so the text must say it too."""

    text: str
    level: str = PLAIN


class Section(NamedTuple):
    """One table.

    heads   the columns' names, () for a table without a head
    right   the columns, from 0, that hold numbers and are set to the right
    whole   the columns, from 0, that are never broken over lines
    """

    title: str
    rows: Sequence[Sequence[Cell]]
    heads: Sequence[str] = ()
    right: Sequence[int] = ()
    whole: Sequence[int] = ()
