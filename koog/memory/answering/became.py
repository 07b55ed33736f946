"""What has become of what is told: a later line that tells it may have no word of the question.

    beside   the lines that are told → the same, behind a line what was told later and seems to change it

"Where does my wife work?" finds "a double day at Keenan's, the pharmacy she works in". That Orlaith "starts in the
hospital on the 29th, no more retail" is near to this line, and not to the question; that "Beatrix has got his back
straight" says nothing of a change, and is near to both. Nobody knows that the one changes the other: so it is told
beside it, and as nothing sure. Pure, but for the embedder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from math import fsum, sqrt

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import compare
from koog.core.text.says import says
from koog.memory.answering import bearing, likeness
from koog.memory.answering.question import BEFORE, MANY, WHEN
from koog.memory.store import correction
from koog.search.embedder import Embedder
from koog.search.hits import Hit

FIRST = 12  # of the lines that are told: of what stands below nobody asks what became of it
OF_STORES = 3  # of the stores' lines before them
MOST = 5  # lines that are told beside others
LOOKED_AT = 80  # later lines, by how they bear on the question: in eight lives what holds now was always among them
TELLS = 0.15  # that the later line tells a change
LEAST = 0.2  # of likeness and words in common, where the later line tells a change: less is another matter
LEAST_OF_WORDS = 0.1  # of words in common, where nobody tells likeness in time
LEAST_UNTOLD = 0.4  # of likeness and words in common, where it tells none
HALF = 8  # lines above a line: what became of it counts half as much
TAKES_BACK = 0.5  # that the later line denies a word or a figure of the older: "no more 23 for me"
OF_ONE_KIND = 0.5  # that both have a word for the kind of thing that the question asks of, or a make of it
SAME_SORT = 0.25  # that both name a day of the week, where a time is asked for
BESIDE = 3  # lines below another: so near is still beside it
WEEKDAY = "weekday"
COMMENT = r"<!--(?:(?!-->).)*-->"


class Later(NamedTuple):
    """A line that may tell what became of another.

    bears   how well it answers the question itself
    tells   whether it tells a change
    """

    hit: Hit
    bears: float
    tells: bool

    @property
    def likely(self) -> float:
        return self.bears + TELLS * self.tells


class Pair(NamedTuple):
    """A line that is told, by its place, and a later one.

    rating   how surely the one changes the other
    weight   that, by the older one's place: what became of a line that hardly answers is little to who asks
    """

    rating: float
    weight: float
    old: int
    new: Hit


def beside(
    told: Sequence[Hit],
    later: Sequence[Later],
    *,
    before: Sequence[Hit] = (),
    embedder: Embedder | None,
    kinds: Collection[str] = (),
    of: Collection[int] = (),
) -> list[Hit]:
    """Return the lines that are told with those that seem to tell what became of them.

    told      the best first
    later     lines that may tell what became of one of them, whatever of
    before    what is told before them, of the stores
    kinds     what the question asks for: where that is a day or a number, both lines have to give one
    of        the kinds of things that it asks of, as thesaurus has them
    """
    if BEFORE in kinds or not later:
        return list(told)
    olds = [*before[:OF_STORES], *told[:FIRST]]
    later = sorted(later, key=lambda each: (-each.likely, each.hit.path, each.hit.line))[:LOOKED_AT]
    here, known = [_said(each) for each in olds], {_said(each): each for each in reversed(told)}
    later = [each for each in later if each.tells or _said(each.hit) not in known]
    pairs = sorted(_pairs(olds, later, embedder, kinds, of), key=lambda pair: (-pair.weight, pair.new.path))
    found: dict[str, Pair] = {}
    for pair in pairs:
        if len(found) == MOST:
            break
        said = _said(pair.new)
        if said not in found and not any(said in other for other in here[: pair.old + BESIDE]):
            found[said] = pair._replace(new=known.get(said, pair.new))
    after: dict[int, list[Hit]] = {}
    for pair in found.values():
        after.setdefault(pair.old - len(olds) + len(told[:FIRST]), []).append(pair.new)
    rows = [new for at in sorted(after) if at < 0 for new in after[at]]
    for at, each in enumerate(told):
        if _said(each) not in found:
            rows.append(each)
        rows += after.get(at, ())
    return rows


def _pairs(
    olds: Sequence[Hit], later: Sequence[Later], embedder: Embedder | None, kinds: Collection[str], of: Collection[int]
) -> Iterator[Pair]:
    """Yield which later line may tell what became of which."""
    texts, news = [_bare(each) for each in olds], [each.hit.text for each in later]
    like = likeness.between(embedder, texts, news)
    least = LEAST if likeness.is_quick(embedder) else LEAST_OF_WORDS
    for at, old in enumerate(olds):
        for n, each in enumerate(later):
            new = each.hit
            if (old.date or "~")[:10] >= (new.date or "") or (old.project, old.scope) != (new.project, new.scope):
                continue
            worth = _gives_the_same(texts[at], new.text, kinds)
            if worth is None:
                continue
            taken = TAKES_BACK * bool(correction.denied(new.text) & correction.held(texts[at]))
            is_one = not bearing.line(texts[at]).things.isdisjoint(bearing.line(new.text).things.intersection(of))
            near = like[at][n] + _in_common(texts[at], new.text) + worth + taken + OF_ONE_KIND * is_one
            if near >= (least if each.tells else LEAST_UNTOLD):
                rating = near + each.likely
                yield Pair(rating, rating * HALF / (HALF + at), at, new)


def _gives_the_same(old: str, new: str, kinds: Collection[str]) -> float | None:
    """Return what it counts that two lines give what is asked for, None where one of them does not, and it shows."""
    one, other = bearing.line(old), bearing.line(new)
    if WHEN in kinds:
        weekdays = [WEEKDAY in says(each).kinds for each in (old, new)]
        if not (one.has_day and other.has_day) or weekdays == [True, False]:
            return None
        return SAME_SORT * all(weekdays)
    return 0.0 if MANY not in kinds or (one.has_number and other.has_number) else None


@lru_cache(maxsize=4096)
def _in_common(old: str, new: str) -> float:
    """Return how much two lines have in common of what they speak of, 0 to 1: the rarer a word is, the more."""
    one, other = (found.ideas | found.names | found.maybe for found in (says(old), says(new)))
    whole = _heft(one) * _heft(other)
    return _heft(one & other) ** 2 / whole if whole else 0.0


def _heft(ideas: Collection[str]) -> float:
    common = compare.common()
    return sqrt(fsum(common.get(idea, 1.0) ** 2 for idea in sorted(ideas)))


def _bare(hit: Hit) -> str:
    return " ".join(compiled(COMMENT).sub(" ", hit.text).split())


def _said(hit: Hit) -> str:
    """Return the words of a line, to see whether another one says them."""
    return " ".join(compiled(r"\w+").findall(_bare(hit).casefold()))
