"""Which of the lines that were gathered answer, how well, and why.  [moltbot §11]

    score   the lines of a pool → the same with their relevance and confidence, the best first

What a line is about often stands in another one: "My sister Ana visits in May", "Ana works at Siemens". So a line has a
share of the words of others about the same entity, or with the same seldom name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from koog.core.named import NamedTuple
from koog.core.text import dates
from koog.memory.answering import asker, bearing, ranking
from koog.memory.answering.bearing import Line
from koog.memory.answering.gather import Pool
from koog.memory.answering.items import Item
from koog.memory.answering.likeness import NOBODY_KNOWS, Alike
from koog.memory.answering.question import HOW, LATEST, MANY, WHEN, WHERE, WHO, WHY, Meant, Question
from koog.memory.answering.standing import Standing
from koog.memory.names import spelling
from koog.memory.names.known import Known
from koog.memory.store import ids
from koog.memory.store import line as remembered
from koog.memory.store.memories import CORE, PROCEDURAL
from koog.sessions.labels import Label

LEAST_LINES = 100  # a word tells no less in a memory that has just begun
SELDOM = 25  # lines: a name that more of them have joins nothing
BY_HOP = (1.0, 0.6, 0.4)  # of a name: a line about who is so many steps away
OF_SEARCH = 0.35  # of a relevance: what the search holds of the line
ALIKE = 0.2  # so like is a line that has none of its words and may answer it
ON_THE_DAY = 1.15
LATEST_GAIN = 0.12  # of the newest beside the oldest, for what is asked to be the latest
MANDATORY = {WHEN: 0.9, MANY: 0.8, WHO: 0.88, WHERE: 0.92, WHY: 0.92}  # of a line that does not give that


class Scored(NamedTuple):
    """A line and how well it answers.

    relevance   0 to 1, by which lines are ordered; `ranked` is that with what is left of the memory
    confidence  how likely it is to answer, 0 to 1
    has         the words of the question that it has itself
    near        those that another line about the same has
    hop         how many steps it is from whom the question names, None where it names nobody
    newer       the id of a line that tells a change of the same matter: this one may be out of date
    """

    item: Item
    standing: Standing
    relevance: float
    confidence: float
    has: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    hop: int | None = None
    newer: str = ""

    @property
    def ranked(self) -> float:
        return ranking.ranked(self.relevance, self.standing.score)

    @property
    def at(self) -> str:
        return self.item.at or self.standing.created


def score(
    question: Question,
    pool: Pool,
    standing: Mapping[str, Standing],
    names: Known,
    *,
    alike: Alike = NOBODY_KNOWS,
) -> list[Scored]:
    """Return the lines that have anything of a question, the best first.

    alike   how like lines are to the question by meaning
    """
    lines = [bearing.line(each.said) for each in pool.items]
    named = _names(question, names)
    own = [
        [_own(word, line, item, question, named) for word in question.words]
        for item, line in zip(pool.items, lines, strict=True)
    ]
    total = max(pool.total, len(lines), LEAST_LINES)
    counted = [sum(shares[n] >= bearing.PART for shares in own) for n in range(len(question.words))]
    weights = [
        ranking.weight(total, max(pool.having.get(word, 0), counted[n])) for n, word in enumerate(question.words)
    ]
    beside = _beside(pool.items, lines, own)
    days = sorted({at for each in pool.items if (at := each.at or standing[each.id].created)})
    anothers = asker.of_others(question, pool.items, own, names)
    found = []
    for n, item in enumerate(pool.items):
        shares = [max(one, ranking.ELSEWHERE * other) for one, other in zip(own[n], beside[n], strict=True)]
        share = ranking.covered(weights, shares)
        hop = _hop(item, pool.hops)
        share = max(share, _of_hop(hop, weights, own[n], question))
        share += OF_SEARCH * (pool.found.get(item.id, 0.0) - share) if pool.found else 0.0
        like = alike.of.get(item.id, 0.0)
        if share <= 0 and like < ALIKE:
            continue
        fits, is_named = _kinds(question, item, lines[n]), _named(question, own[n], shares, hop)
        likely = fits * (1.0 if is_named else ranking.NO_NAME) * _asked_for(question, weights, shares, share)
        sure = ranking.confidence(likely)
        if n in anothers or not _speaks_of_it(question, item, lines[n], own[n]):
            sure = min(sure, ranking.BESIDE_IT)
        at = item.at or standing[item.id].created
        is_near = is_named or bool(hop)  # a neighbour's line may answer, though nobody is sure of it
        order = share * fits * (1.0 if is_near else ranking.NAMELESS) * _order(question, item, at, days)
        order *= ranking.ANOTHERS if n in anothers else 1.0
        order = min(1.0, order) + alike.weight * (like - min(1.0, order))
        has = tuple(w for w, s in zip(question.words, own[n], strict=True) if s)
        others = tuple(w for w, s, e in zip(question.words, own[n], beside[n], strict=True) if e and not s)
        found.append(Scored(item, standing[item.id], order, sure, has, others, hop))
    return _once(sorted(found, key=lambda each: (-each.ranked, each.item.id)))


def _once(found: Sequence[Scored]) -> list[Scored]:
    """Return the lines without those that say the same again: what is always needed stands in core memory, too."""
    kept: dict[tuple[str, Label], Scored] = {}
    for each in found:
        key = (ids.of_words(each.item.text), each.item.label)
        other = kept.get(key)
        if other is None or (other.item.store == CORE and each.item.until == other.item.until):
            kept[key] = each
    return sorted(kept.values(), key=lambda each: (-each.ranked, each.item.id))


def _asked_for(question: Question, weights: Sequence[float], shares: Sequence[float], share: float) -> float:
    """Return a share in which names count for less, where something else of them is asked: "how old is Yara?" """
    asked = [n for n, word in enumerate(question.words) if word not in question.named]
    if not asked or len(asked) == len(question.words):
        return share
    rest = ranking.covered([weights[n] for n in asked], [shares[n] for n in asked])
    names = [n for n in range(len(shares)) if n not in asked]
    of_names = ranking.covered([weights[n] for n in names], [shares[n] for n in names])
    return min(share, ranking.OF_NAMES * of_names + (1 - ranking.OF_NAMES) * rest)


def _speaks_of_it(question: Question, item: Item, line: Line, own: Sequence[float]) -> bool:
    """Return whether a line speaks of what is asked for, and not of its neighbour alone: it gives what the question's
    kind asks for, or has itself every word of the question that is no name.

    A number is asked for by its words: "how much did the ferry cost" is not answered by how many cabins were booked.
    """
    if any(bearing.gives(kind, line, asked=question.named) for kind in question.kinds - {MANY}):
        return True
    if HOW in question.kinds and item.store == PROCEDURAL:
        return True
    asked = (share for word, share in zip(question.words, own, strict=True) if word not in question.named)
    return all(share >= bearing.PART for share in asked)


def _names(question: Question, names: Known) -> dict[str, list[tuple[Meant, list[set[str]]]]]:
    """Return word of a question → whom it names, with the words of each of his names."""
    found: dict[str, list[tuple[Meant, list[set[str]]]]] = {}
    for each in question.meant:
        called = [set(said.split()) for said in names.entries[each.id].keys if said]
        for word in spelling.key(each.said).split():
            found.setdefault(word, []).append((each, called))
    return found


def _own(
    word: str, line: Line, item: Item, question: Question, named: Mapping[str, Sequence[tuple[Meant, list[set[str]]]]]
) -> float:
    """Return how far a line has a word; the name of whom it is about it has by whatever name it calls him."""
    share = bearing.names(word, line) if word in question.named else bearing.has(word, line)
    if share == bearing.SAME:
        return share
    for each, called in named.get(word, ()):
        if each.id in item.about:
            return bearing.SAME * each.alike
        if any(words <= line.tokens for words in called):
            share = max(share, bearing.SAME * each.alike)
    return share


def _beside(items: Sequence[Item], lines: Sequence[Line], own: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return of each line how far others about the same have each word."""
    groups: dict[str, list[int]] = defaultdict(list)
    for n, (item, line) in enumerate(zip(items, lines, strict=True)):
        for id_ in item.about:
            groups[id_].append(n)
        for name in line.names:
            groups[f"name {name}"].append(n)
    size = len(own[0]) if own else 0
    beside = [[0.0] * size for _ in items]
    for members in groups.values():
        if not 1 < len(members) <= SELDOM:
            continue
        best = [max(own[n][w] for n in members) for w in range(size)]
        for n in members:
            beside[n] = [max(old, new) for old, new in zip(beside[n], best, strict=True)]
    return beside


def _hop(item: Item, hops: Mapping[str, int]) -> int | None:
    found = [hops[id_] for id_ in item.about if id_ in hops]
    return min(found) if found else None


def _of_hop(hop: int | None, weights: Sequence[float], own: Sequence[float], question: Question) -> float:
    """Return the share of a line about who is a few steps away: his name counts by the distance."""
    if not hop or hop >= len(BY_HOP):
        return 0.0
    of_names = [max(s, BY_HOP[hop]) if w in question.named else s for w, s in zip(question.words, own, strict=True)]
    return ranking.covered(weights, of_names)


def _kinds(question: Question, item: Item, line: Line) -> float:
    """Return what speaks for a line by what it gives of what is asked for, or against it."""
    factor = 1.0
    for kind in question.kinds:
        given = bearing.gives(kind, line, asked=question.named)
        if given is not None:
            factor *= ranking.OF_KIND if given else MANDATORY[kind]
    if HOW in question.kinds and item.store == PROCEDURAL:
        factor *= ranking.OF_KIND
    return factor


def _named(question: Question, own: Sequence[float], shares: Sequence[float], hop: int | None) -> bool:
    """Return whether a line has to do with whom the question names, where it names somebody.

    What is known of his neighbours is not known of him: such a line has to name him itself.
    """
    of_names = [n for n, word in enumerate(question.words) if word in question.named]
    if not of_names or hop == 0:
        return True
    return any(own[n] or (not hop and shares[n]) for n in of_names)


def _order(question: Question, item: Item, at: str, days: Sequence[str]) -> float:
    """Return what counts for the order alone: a day that is named, and that the latest is asked for."""
    factor = 1.0
    if question.days:
        named = {day.isoformat() for day in question.days}
        told = remembered.day(at) or question.days[0]
        is_named = at[:10] in named or any(
            each.day.isoformat() in named for each in dates.found(item.text, told) if dates.has_day(item.text)
        )
        factor *= ON_THE_DAY if is_named else 1.0
    if LATEST in question.kinds and at and len(days) > 1:
        factor *= 1 + LATEST_GAIN * days.index(at) / (len(days) - 1)
    return factor
