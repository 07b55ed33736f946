"""Lines that are about one matter, found by the rare words that they share, however else they are put.

    matters    many lines → the groups of them, and the pairs that are less alike
    Matter     its lines in order of time; which of them says most of what is said again

A line goes to the group that it is most like, or begins one. What many lines have tells nothing; two lines have to
share two things, so that one name alone makes no matter of all that is said of somebody. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from math import log, sqrt

from koog.consolidate.survey import Said
from koog.core.named import NamedTuple
from koog.core.text.of_self import is_of_speaker
from koog.core.text.says import says

ALIKE = 0.26  # from which likeness on a line goes to a group
LOOSE = 0.12  # from which on two lines may yet be of one thing
SHARE, MOST, LEAST_MOST = 0.08, 60, 12  # of the lines may have a word that tells something; at most, at least
USUAL = 50  # lines of a small memory: of three that are alike each word would else be everybody's
FEW = 2.0  # weight that is added to each line's, so that short lines are not alike by a little
SHARED = 2  # things that two lines have to share
SELF = "<self>"
NEAREST = 144  # lines that a line is measured by
PAIRED = 12  # of those before it that a line is like, the nearest: more are no pairs


class Matter(NamedTuple):
    """One matter. lines: in order of time; weights: what each line says → how much it tells"""

    lines: tuple[Said, ...]
    weights: Mapping[str, float]

    @property
    def days(self) -> int:
        """Return on how many days it was spoken of."""
        return len({each.day for each in self.lines if each.day})

    @property
    def common(self) -> Counter[str]:
        """Return what is said in more than one line → in how many more."""
        found = Counter(idea for each in self.lines for idea in ideas(each.text) & self.weights.keys())
        return Counter({idea: n - 1 for idea, n in found.items() if n > 1})

    def coverage(self, text: str) -> float:
        """Return how much of what is said again a line says, 0 to 1."""
        common = self.common
        total = sum(n * self.weights[idea] for idea, n in common.items())
        said = ideas(text)
        return sum(n * self.weights[idea] for idea, n in common.items() if idea in said) / total if total else 0.0

    def again(self, text: str) -> tuple[int, float]:
        """Return how many things of a line are said again, and how much of it they are, 0 to 1."""
        own = ideas(text) & self.weights.keys()
        common = own & self.common.keys()
        return len(common), sum(self.weights[i] for i in common) / (sum(self.weights[i] for i in own) or 1)

    def fullest(self, among: Sequence[Said] = ()) -> Said:
        """Return the line that says most of what is said again, of equals the shortest, then the newest."""
        found = list(among or self.lines)
        return max(found, key=lambda s: (round(self.coverage(s.text), 2), -len(s.text), s.day))


class Pair(NamedTuple):
    """Two lines that share something. shared: what, the rare things alone; alike: how alike they are, 0 to 1"""

    older: Said
    newer: Said
    shared: frozenset[str]
    alike: float


class Found(NamedTuple):
    """What many lines have in common."""

    matters: list[Matter]
    pairs: list[Pair]

    def without(self, ids: Collection[str]) -> Found:
        """Return it without some lines."""
        matters = [each._replace(lines=tuple(s for s in each.lines if s.id not in ids)) for each in self.matters]
        pairs = [each for each in self.pairs if each.older.id not in ids and each.newer.id not in ids]
        return Found([each for each in matters if each.lines], pairs)


def ideas(text: str) -> frozenset[str]:
    """Return what a line says, its numbers and names among it."""
    found = says(text)
    said = frozenset(each for each in found.ideas | found.names if not is_speaker(each))
    return said | frozenset(f"#{number}" for number in found.numbers)


@lru_cache(maxsize=16384)
def is_speaker(idea: str) -> bool:
    """Return whether a word only says that somebody speaks of himself: it tells nothing of what."""
    return idea == SELF or is_of_speaker(idea)


def most(count: int) -> int:
    """Return how many of so many lines may have a word that tells something."""
    return min(MOST, max(LEAST_MOST, int(SHARE * count)))


def find(lines: Sequence[Said]) -> Found:
    """Return the groups of lines that are about one matter, those of one line too, and the pairs that are less alike.

    Lines of one label alone belong together.
    """
    by_label: dict[object, list[Said]] = defaultdict(list)
    for each in sorted(lines, key=lambda s: (s.day, s.id)):
        by_label[each.label].append(each)
    made = [_Groups(group) for group in by_label.values()]
    return Found([each for one in made for each in one.matters], [pair for one in made for pair in one.pairs])


class _Groups:
    """The lines of one label, put into groups one after the other."""

    def __init__(self, lines: Sequence[Said]) -> None:
        self.lines = lines
        self.pairs: list[Pair] = []
        of = [ideas(each.text) for each in lines]
        count = Counter(idea for each in of for idea in each)
        self.weights = {
            idea: log(max(len(lines), USUAL) / n) + 0.1 for idea, n in count.items() if n <= most(len(lines))
        }
        self.told = [frozenset(idea for idea in each if idea in self.weights) for each in of]
        self.heft = [sqrt(FEW + sum(self.weights[idea] for idea in each)) for each in self.told]
        self.matters = self._made()

    def _made(self) -> list[Matter]:
        group_of: list[int] = []
        groups: list[list[int]] = []
        index: dict[str, list[int]] = defaultdict(list)
        for at in range(len(self.lines)):
            sums: dict[int, list[float]] = defaultdict(list)
            for n, (other, likeness) in enumerate(self._near(at, index)):
                sums[group_of[other]].append(likeness)
                if likeness >= LOOSE and n < PAIRED:
                    shared = self.told[at] & self.told[other]
                    self.pairs.append(Pair(self.lines[other], self.lines[at], shared, likeness))
            rated = [(self._rated(found, len(groups[n])), n) for n, found in sums.items()]
            best, n = max(rated, default=(0.0, 0))
            if best < ALIKE:
                n = len(groups)
                groups.append([])
            groups[n].append(at)
            group_of.append(n)
            for idea in self.told[at]:
                index[idea].append(at)
        return [Matter(tuple(self.lines[at] for at in found), self.weights) for found in groups]

    def _near(self, at: int, index: Mapping[str, list[int]]) -> list[tuple[int, float]]:
        """Return the earlier lines that share something with one, each with how alike the two are."""
        shared: dict[int, float] = defaultdict(float)
        count: Counter[int] = Counter()
        for idea in self.told[at]:
            for other in index.get(idea, ()):
                shared[other] += self.weights[idea]
                count[other] += 1
        found = [
            (other, weight / (self.heft[at] * self.heft[other]))
            for other, weight in shared.items()
            if count[other] >= SHARED or self.told[at] == self.told[other]
        ]
        return sorted(found, key=lambda pair: -pair[1])[:NEAREST]

    @staticmethod
    def _rated(likenesses: Sequence[float], size: int) -> float:
        """Return how alike a line is to a group: half by its nearest line, half by all of them."""
        return (max(likenesses) + sum(likenesses) / max(size, 1)) / 2
