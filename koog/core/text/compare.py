"""Two lines of a memory compared: the same, more, in its place, opposed, or two things.  [design §4 "one reading"]

    compare     an older and a newer line → what the newer is to the older, with the reason
    candidates  many lines → the pairs that are worth comparing
    followed    many lines → which of them most likely tells what has become of which

compare.json, made by data/train_compare.py from labelled pairs, says how likely it is that one of the two can go (by
small trees: what speaks for that is seldom one sign alone), and by weights that the newer takes the older's place, or
that they are opposed.
Rules stand in front that no weight overrides: what differs in a number, a name, a denial or a member of a kind
("Tuesday", "Friday") is never the same and never more of the same. Pure.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import exp, fsum, inf
from typing import Any

from koog.core import shipped
from koog.core.files import jsonfiles
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.pairs import Seen, features, seen
from koog.core.text.says import Says, says

SAME = "same"  # one of the two can go: the fuller one stays
ADDS = "adds"  # the newer says all of the older and more
SUPERSEDES = "supersedes"  # the newer takes the older's place
CONTRADICTS = "contradicts"  # both claim to hold, nobody knows which does
DISTINCT = "distinct"  # looks alike, both hold
UNRELATED = "unrelated"
KINDS = (SAME, ADDS, SUPERSEDES, CONTRADICTS, DISTINCT, UNRELATED)
JOINS = frozenset((SAME, ADDS))
JOIN, REPLACED, OPPOSED = "join", "replaced", "opposed"
WEIGHED = (REPLACED, OPPOSED)
FULLER = 1.3
MAY_JOIN = "may join"  # without a bar: likely by its words, and not told to be of one subject
SELDOM = 1 / 4  # of two lines that somebody holds for one it is likelier than of any two
MOST_NEW = 24  # words of a line that takes another's place
TELLING = 0.6  # how much a word tells that not everybody says
HALF = 0.5  # of what the older line is about, or of the words of both in one order
SURE = 0.99  # of one sentence said again with another value
ANOTHER = "another value for the same"
MOST_OF_ONE_WORD = 200  # lines: a word that so many have tells nothing about two of them


class Relation(NamedTuple):
    """What a newer line is to an older one.

    kind         one of KINDS
    reason       a few words for a person
    sure         how likely the kind is, 0 to 1
    older_says_more  of two that say the same, the older is the fuller one and stays
    """

    kind: str
    reason: str
    sure: float
    older_says_more: bool = False


def compare(older: str, newer: str, *, same_voice: bool = True) -> Relation:
    """Return what a newer line is to an older one.

    same_voice   whether both are of one person or agent: another's word corrects nobody silently

    >>> compare("Staging listens on port 4100", "Staging listens on port 4100").kind
    'same'
    >>> compare("Server 1 has 16 GB", "Server 2 has 16 GB").kind
    'distinct'
    """
    return _compare(older, newer, same_voice)


@lru_cache(maxsize=16384)
def _compare(older: str, newer: str, same_voice: bool) -> Relation:
    return chosen(claims(older, newer, _model(), same_voice=same_voice), _model()["bars"])


class Claims(NamedTuple):
    """What speaks for each claim that no rule forbids: how likely it is, by the name of the bar that it has to reach.

    apart   why the two cannot be the same, "" where nothing forbids it
    more    what of two that say the same is fuller: "older", "newer", ""
    """

    odds: dict[str, float]
    told: str
    apart: str
    more: str
    shared: int


def claims(older: str, newer: str, model: Any, *, same_voice: bool = True) -> Claims:
    """Return what speaks for each relation of two lines."""
    a, b = says(older), says(newer)
    if a.words == b.words and a.denials == b.denials and (a.words or a.text == b.text):
        return Claims({JOIN: 1.0}, "", "", "", 1)
    found = seen(a, b)
    if not found.shared:
        return Claims({}, "", "nothing in common", "", 0)
    if found.is_of_another:
        return Claims({}, "", "another one of its kind", "", len(found.shared))
    values = features(found, model["common"])
    likely = {name: _likely(values, model["weights"], at) for at, name in enumerate(WEIGHED)}
    odds = {OPPOSED: likely[OPPOSED]}
    is_new_value = found.slot == "late" and same_voice
    # Of another, and otherwise; and what replaces a line says so in few words.
    is_another = (values.get("many differ") and not found.told) or len(b.words) > MOST_NEW
    core = values.get("core held", 0.0)
    is_plain = found.strongly or (found.frame >= HALF and found.told == "now")
    is_plain = is_new_value or (is_plain and bool(found.apart) and core >= HALF)
    # Of a name alone, or of what everybody speaks of, one says many things.
    named = (a.names | a.maybe) & (b.names | b.maybe)
    is_thin = found.shared <= named and values.get("rare held", 0.0) < HALF
    is_vague = (values.get("rarest", 0.0) < TELLING or core < HALF) and not is_plain
    says_so = not is_another and not is_thin and not is_vague and (same_voice or found.told)
    if found.slot != "past" and says_so and not _is_hearsay(found) and not found.are_of_two:
        odds[REPLACED] = SURE if is_plain else likely[REPLACED]
    if not found.apart and not found.subject_differs:
        is_held = found.held and not found.strongly
        of_one = values.get("of subject") and not is_thin
        odds[JOIN if of_one else MAY_JOIN] = SURE if is_held and of_one else _grown(values, model["trees"])
    return Claims(odds, found.told, found.apart, found.held or _fuller(a, b), len(found.shared))


def chosen(found: Claims, bars: Mapping[str, float]) -> Relation:
    """Return the relation that is likely enough, else how two lines are that both stay."""
    reached = [name for name in found.odds if name in bars and found.odds[name] >= bars[name]]
    best = max(reached, key=lambda name: (name != OPPOSED, found.odds[name]), default="")
    sure = found.odds.get(best, 0.0)
    if best == JOIN:
        kind, reason = (ADDS, "says all of it and more") if found.more == "newer" else (SAME, "says the same")
        return Relation(kind, reason, sure, found.more == "older")
    if best == REPLACED:
        return Relation(SUPERSEDES, f"tells a change: {found.told}" if found.told else ANOTHER, sure)
    if best == OPPOSED:
        return Relation(CONTRADICTS, found.apart or "cannot both hold", sure)
    sure = 1 - max((found.odds[name] for name in found.odds if name != OPPOSED), default=0.0) ** SELDOM
    return Relation(DISTINCT if found.shared > 1 else UNRELATED, found.apart or "says something else", sure)


class Index:
    """Lines that stand somewhere, by their words: kept by whoever asks of them again when they have grown."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._places: dict[str, list[int]] = {}

    def follow(self, texts: list[str]) -> None:
        """Let these be the lines that stand there: they are read from the first one on that is another."""
        same = len(self._texts)
        if self._texts != texts[:same]:
            pairs = enumerate(zip(self._texts, texts, strict=False))
            same = next((n for n, (old, new) in pairs if old != new), min(same, len(texts)))
            for word in frozenset[str]().union(*map(_words, self._texts[same:])):
                places = self._places[word]
                del places[bisect_left(places, same) :]
            del self._texts[same:]
        for at in range(same, len(texts)):
            for word in _words(texts[at]):
                self._places.setdefault(word, []).append(at)
        self._texts += texts[same:]

    def with_new(self, new: Sequence[str]) -> dict[str, list[int]]:
        """Return word → the places of the lines that have it, for all words of lines that come behind these."""
        found: dict[str, list[int]] = {}
        for at, text in enumerate(new, len(self._texts)):
            for word in _words(text):
                if word not in found:
                    found[word] = list(self._places.get(word, ()))
                found[word].append(at)
        return found


def candidates(
    texts: Sequence[str], *, since: int = 0, nearest: int = 0, kept: Index | None = None
) -> list[tuple[int, int]]:
    """Return the places (i, j), i before j, of lines that share an idea which few others have, or two.

    By an index, so that a file of thousands of lines is not compared line by line with itself.

    since    the place of the first line that is new: of those before it none is paired with another of them
    nearest  so many of those before it a new line is paired with at most, of whose words it shares most; 0 for all
    kept     the index of those before it, as it was left the last time
    """
    standing = kept or Index()
    standing.follow(list(texts[:since]))
    index = standing.with_new(texts[since:])
    found: Counter[tuple[int, int]] = Counter()
    for places in index.values():
        if len(places) <= MOST_OF_ONE_WORD:
            rare = 2 if len(places) <= RARE else 1
            found.update({(i, j): rare for n, j in enumerate(places) if j >= since for i in places[:n]})
    pairs = sorted(pair for pair, n in found.items() if n > 1 or any(len(says(texts[at]).ideas) <= n for at in pair))
    return _nearest(pairs, texts, index, since=since, most=nearest) if nearest else pairs


@lru_cache(maxsize=16384)
def _words(text: str) -> frozenset[str]:
    """Return the ideas and numbers of a line: of a file that grows most stand there each time."""
    of = says(text)
    return of.ideas | of.numbers.keys()


RARE = 8  # lines that share a word: fewer make a pair worth comparing by it alone


def _nearest(
    pairs: Sequence[tuple[int, int]],
    texts: Sequence[str],
    index: Mapping[str, Sequence[int]],
    *,
    since: int,
    most: int,
) -> list[tuple[int, int]]:
    """Return the pairs without those of a new line and one before it that shares little of its words beside others.

    A word counts the more the fewer lines have it; of two that share as much the later one is the nearer.
    index: the lines that have a word, of the words of new lines
    """
    near: dict[int, list[tuple[float, int]]] = defaultdict(list)
    tells = {word: 1 / len(places) ** 0.5 for word, places in index.items()}
    for i, j in pairs:
        if i < since:
            words = _words(texts[i])
            shared = fsum(map(tells.__getitem__, words & _words(texts[j])))
            near[j].append((shared / max(1, len(words)) ** 0.5, i))
    kept = {(i, j) for j, found in near.items() for _, i in sorted(found, reverse=True)[:most]}
    return [pair for pair in pairs if pair[0] >= since or pair in kept]


def followed(
    texts: Sequence[str], is_older: Callable[[int, int], bool], *, least: float | None = None
) -> list[tuple[int, int]]:
    """Return pairs (older, newer) of lines that are best told beside each other: of one matter, at two times.

    is_older   whether the first of two places was said before the second: only such two are paired
    least      how near they have to be, BESIDE where nothing is told

    Nothing is known of what the one does to the other: half of such pairs are an old value and a new one. A line is
    the older one of one pair at most, and the newer one of one.
    """
    common = _model()["common"]
    of = [says(compiled(CONTEXT).sub("", text)) for text in texts]
    heft = [AIR + fsum(common.get(idea, 1.0) for idea in sorted(each.ideas)) for each in of]
    near: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for i, j in candidates(texts):
        for old, new in ((i, j), (j, i)):
            if is_older(old, new):
                shared = fsum(common.get(idea, 1.0) for idea in sorted(of[old].ideas & of[new].ideas))
                near[new].append((shared / (heft[old] * heft[new]) ** 0.25, -old))
    nearest = [(odds, -old, new) for new, found in near.items() for odds, old in sorted(found, reverse=True)[:NEAREST]]
    told = sorted((_speaks(of[old], of[new], common) - odds, old, new) for odds, old, new in nearest)
    after: dict[int, int] = {}
    taken = set[int]()
    for odds, old, new in told:
        if -odds >= (BESIDE if least is None else least) and old not in after and new not in taken:
            after[old] = new
            taken.add(new)
    return sorted(after.items())


def _speaks(a: Says, b: Says, common: Mapping[str, float]) -> float:
    """Return what, beside the words they share, speaks against one matter at two times, below 0 for it."""
    found = seen(a, b)
    if found.subject_differs:
        return inf  # one sentence of two things: "Server 1 has …", "Server 2 has …"
    values = features(found, common)
    return -sum(values.get(name, 0.0) * worth for name, worth in SIGNS.items()) - TELLS * ("told share" in values)


CONTEXT = r"\A(?:User: )?\(Agent: .*?\) → "  # what was asked, before the answer
AIR = 0.2  # so that a line of one word is not all of another
NEAREST = 2  # of the lines that share words with one
BESIDE = 0.65
TELLS = 0.2  # the newer line tells a change, of a word of the older
SIGNS = {"of subject": 0.15, "same count": 0.3, "no value apart": -0.15}


def _is_hearsay(found: Seen) -> bool:
    """Return whether a line tells what somebody or some paper has: another's word puts nothing right."""
    return "source" in found.older.cues | found.newer.cues and "wrong" not in found.newer.cues


def _fuller(a: Says, b: Says) -> str:
    """Return which of two lines that say the same says what the other leaves out."""
    for name, side, other in (("newer", b, a), ("older", a, b)):
        more = side.numbers.keys() - other.numbers.keys() or side.names - other.names
        if more or len(side.ideas) > FULLER * len(other.ideas):
            return name
    return ""


def _likely(values: Mapping[str, float], weights: Mapping[str, Sequence[float]], at: int) -> float:
    score = weights[""][at] + sum(weights[name][at] * value for name, value in values.items() if name in weights)
    return 1 / (1 + exp(-score))


def _grown(values: Mapping[str, float], trees: Sequence[Any]) -> float:
    """Return how likely trees find it; a tree is a number, or [feature, limit, tree up to it, tree above]."""
    score, value = 0.0, values.get
    for at in trees:
        node = at
        while type(node) is list:  # a hundred times for two lines
            name, limit, below, above = node
            node = below if value(name, 0.0) <= limit else above
        score += node
    return 1 / (1 + exp(-score))


def common() -> Mapping[str, float]:
    """Return the ideas that many lines have, and how much each of them tells, 0 to 1; any other tells 1."""
    found: Mapping[str, float] = _model()["common"]
    return found


@lru_cache(maxsize=1)
def _model() -> Any:
    return jsonfiles.loads(shipped.data(shipped.PACKAGE / "core/text/compare.json"))
