"""Pieces of files, and the choice of those that a room holds: of `startup` and of `compile`. Pure.

A piece is taken whole or not at all. A share is what one file has of the text: a label that names the file, and those
of its pieces that were chosen, in the order of the file. How a file is cut, what its label looks like, and what is
wanted first is for each command to say.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from koog.core.named import NamedTuple
from koog.core.text import tokens, trust
from koog.core.text.marks import balanced
from koog.core.text.voices import AGENT

GAP = "\n…\n"


class Amount(NamedTuple):
    """What a text takes: units of a token, and bytes of UTF-8."""

    units: int = 0
    size: int = 0

    def plus(self, other: Amount) -> Amount:
        return Amount(self.units + other.units, self.size + other.size)

    def minus(self, other: Amount) -> Amount:
        return Amount(self.units - other.units, self.size - other.size)

    def within(self, room: Amount) -> bool:
        return self.units <= room.units and self.size <= room.size


def measure(text: str) -> Amount:
    """Return what a text takes.

    >>> measure("né")
    Amount(units=48, size=3)
    """
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return Amount(tokens.cost(text), size)


of_joint = lru_cache(maxsize=256)(measure)  # a few texts, thousands of times


@dataclass(frozen=True, slots=True)
class Piece:
    """One passage, row or heading of a file.

    text        what is shown, without a last line break
    line, end   where it stands, from 1; 0 where nobody cites it
    joint       what stands between it and the piece before, or the label, when both are shown
    gap         what stands there instead when that piece is not shown, "" for the same
    under       what then orients a reader: its headings; "" where its text begins with them
    trust       who is behind it, as a Statement has it
    above       indices of the pieces it stands under, which are taken along
    heading     it is taken only with what stands under it
    rank        the class it is of; the lower one is taken first
    order       its place in that class, the lower one first
    behind      index of the piece in whose line it is told where both are taken, and `beside` what it is there
    """

    text: str
    line: int = 0
    end: int = 0
    joint: str = "\n"
    gap: str = ""
    under: str = ""
    trust: str = AGENT
    above: tuple[int, ...] = ()
    heading: bool = False
    rank: int = 0
    order: tuple[int, ...] = ()
    behind: int = -1
    beside: str = ""
    amount: Amount = field(init=False)  # of the text alone

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", measure(self.text))


class Share(ABC):
    """One file's share of the text, while it is being chosen.

    last     what stands behind it
    chosen   the indices of the pieces that are taken
    withheld how many lines of them are left out because they steer, and no person is behind them
    silent   the indices of the pieces of which nothing is left then
    """

    last = "\n"

    def __init__(self, path: str, pieces: Sequence[Piece]) -> None:
        self.path, self.pieces = path, pieces
        self.chosen: set[int] = set()
        self.withheld, self.silent = 0, set[int]()

    @abstractmethod
    def label(self, indices: Sequence[int]) -> str:
        """Return what names the file above these pieces."""

    def amount(self, chosen: Iterable[int] | None = None) -> Amount:
        """Return what the share takes with these pieces, by default those it has; nothing without any."""
        indices = sorted(self.chosen if chosen is None else chosen)
        if not indices:
            return Amount()
        units, size = measure(self.label(indices) + self.last)
        for before, i in self._with_joints(indices):
            joint = of_joint(before)
            units += joint.units + self.pieces[i].amount.units
            size += joint.size + self.pieces[i].amount.size
        return Amount(units, size)

    def price(self, new: set[int]) -> Amount:
        """Return by how much the share grows with these pieces, of which it has none yet."""
        return self.amount(self.chosen | new).minus(self.amount())

    def needed(self, i: int) -> set[int]:
        """Return what of the share is not chosen yet and is taken with a piece: itself and what it stands under."""
        if i in self.chosen:
            return set()
        piece = self.pieces[i]
        return {i, *(piece.above if piece.behind not in self.chosen else ())} - self.chosen

    def withhold(self, indices: Iterable[int], *, kind: str = trust.SHOWN) -> None:
        """Leave out what steers of these chosen pieces, unless a person is behind it."""
        pieces = list(self.pieces)
        for i in indices:
            text, lines = trust.shown(pieces[i].text, pieces[i].trust, kind=kind)
            if lines:
                pieces[i] = replace(pieces[i], text=balanced(text))
                self.withheld += lines
                self.silent |= set() if text.strip() else {i}
        self.pieces = pieces
        self.chosen -= self.silent

    def text(self, indices: Iterable[int] | None = None) -> str:
        """Return the share as it is shown with these pieces, by default those it has; "" without any."""
        found = sorted(self.chosen if indices is None else indices)
        if not found:
            return ""
        shown = (before + self.pieces[i].text for before, i in self._with_joints(found))
        return self.label(found) + "".join(shown) + self.last

    def _with_joints(self, indices: Sequence[int]) -> Iterator[tuple[str, int]]:
        """Yield each index with what stands before its piece."""
        last, under = -1, ""
        for i in indices:
            piece = self.pieces[i]
            if i == last + 1:
                yield piece.joint, i
            else:  # the headings are shown once, as long as they stay the same
                is_under = piece.under not in ("", under)
                yield f"{GAP.rstrip()} {piece.under}\n" if is_under else piece.gap or piece.joint, i
            last, under = i, piece.under


def take(wanted: Iterable[tuple[Share, int]], room: Amount, *, misses: int = sys.maxsize) -> Amount:
    """Choose pieces in this order, each that still fits with what it needs; return what they take.

    misses   how many may be too large one after the other; with one more the room is full
    """
    used, missed = Amount(), 0
    for share, i in wanted:
        new = share.needed(i)
        grown = used.plus(share.price(new)) if new else used
        if grown.within(room):
            share.chosen |= new
            used, missed = grown, 0
        elif (missed := missed + 1) > misses:
            break
    return used
