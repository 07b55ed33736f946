"""Which of many literals stand in a text, without looking for each.  Pure.

Each literal is known by three of its letters, those that fewest others have. The text is
cut into all its runs of three once; only literals whose three letters occur are looked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

WIDTH = 3


class Prefilter:
    """Owners (by number) and the literals of which a text holds at least one where an owner can match."""

    def __init__(self, literals: Mapping[int, Sequence[str]]) -> None:
        """Take owner → folded literals; an owner without any is asked for each text."""
        self.always = [owner for owner, needed in literals.items() if not needed]
        owners: dict[str, list[int]] = defaultdict(list)
        for owner, needed in literals.items():
            for literal in dict.fromkeys(needed):
                owners[literal].append(owner)
        common = Counter(piece for literal in owners for piece in _pieces(literal))
        self._by_piece: dict[str, list[tuple[str, list[int]]]] = defaultdict(list)
        for literal, of in owners.items():
            rarest = min(_pieces(literal), key=lambda piece: (common[piece], piece))
            self._by_piece[rarest].append((literal, of))
        self._widths = sorted({len(piece) for piece in self._by_piece})

    def candidates(self, folded: str) -> list[int]:
        """Return the owners that a folded text may concern, sorted."""
        found = set(self.always)
        for width in self._widths:
            pieces = {folded[i : i + width] for i in range(len(folded) - width + 1)}
            for piece in self._by_piece.keys() & pieces:
                for literal, owners in self._by_piece[piece]:
                    if literal in folded:
                        found.update(owners)
        return sorted(found)


def _pieces(literal: str) -> list[str]:
    """Return the runs of three letters of a literal; of a shorter one the whole."""
    return [literal[i : i + WIDTH] for i in range(max(1, len(literal) - WIDTH + 1))]
