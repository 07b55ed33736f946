"""P3: what the search finds for the message, by relevance, recency and references, as far as the room goes.  [§6.3]

What is taken is a passage, shown among others of its file under one label. References are counted in what compile has
read anyway: how many of the texts of P0 to P2, and of all topics' subscriptions, name a file by path or wikilink.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING

from koog.context import budget
from koog.context.assembly import Part, ranges
from koog.context.budget import unlimited
from koog.context.contents import (
    BELOW_CUT,
    BUDGET,
    INACTIVE,
    INACTIVE_MODULE,
    INCLUDED,
    TAKEN,
    WITHHELD,
    Contents,
    Row,
)
from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import measures as similarity
from koog.core.text import replies, tokens
from koog.core.text.shares import Piece

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.search.find import State
    from koog.search.retrieval import Index
    from koog.topics.topics import Topic

LEAST_TOKENS = 20  # of room: less holds no passage with its label
TOKENS_EACH = 12  # a short passage
SPARE = 100  # candidates beyond those that a room could hold
LIMIT = 1000
MOST_OF_STORES = 12  # lines about those whom a message names
LAST_OF_KNOWLEDGE = 0.5  # of the best passage's score: what the last of them has
FIRST = 1.0  # of the best passage's score: what such a line has more
IN_PLAYBOOK = ("playbook", "module")  # what the effective playbook is made of
MOST_REFERENCES = 10  # a score at most doubles
LINK = r"\[\[([^\]|#\n]+)"
PATH = r"(?<![\w./-])[\w-][\w./-]*\.md(?![\w-])"


class Place(NamedTuple):
    """A passage that the search has found: lines from 1, an ISO day if one is known, relevance from 0 to 1.

    confidence   how likely it is to answer, None where that is not known
    """

    path: str
    line: int
    end: int
    date: str | None
    score: float
    confidence: float | None


class Candidate(NamedTuple):
    """A passage that may be shown; `piece`: which of its file's pieces it is."""

    path: str
    piece: int
    score: float


def query(message: str, active: Sequence[Topic]) -> str:
    """Return what is searched for: the message, unless it only thanks or greets, and the keywords of active topics."""
    asked = "" if replies.is_courtesy(message) else message
    return " ".join(filter(None, [asked, *(word for topic in active for word in topic.keywords)]))


def knowledge(contents: Contents, message: str, active: Sequence[Topic], topics: Iterable[Topic]) -> bool:
    """Fill what is left with the passages that answer best; return whether the index is behind the files.

    What the memory's stores hold of those whom the message names comes before what else was said of them.
    """
    asked = query(message, active)
    room = contents.left // tokens.UNITS
    if room < LEAST_TOKENS or not asked.strip():
        return False
    places, stale = _searched(contents.run, message, asked, limit=min(LIMIT, room // TOKENS_EACH + SPARE))
    references = _references(contents, topics)
    found = _Found(contents, asked, best=max((place.score for place in places), default=0.0))
    for place in places:
        found.consider(place, references=_times(place.path, references))
    said = {_said(part.pieces[i]) for part in contents.parts for i in part.chosen}
    for candidate in sorted(found.candidates, key=lambda candidate: -candidate.score):
        why = _take(contents, candidate, said)
        piece = contents.pieces(candidate.path)[candidate.piece]
        contents.rows.append(_row(candidate.path, piece.line, piece.end, why=why, score=candidate.score))
    return stale


def _searched(run: Run, message: str, asked: str, *, limit: int) -> tuple[list[Place], bool]:
    """Return the passages that answer, best first, and whether the index is behind the files."""
    from koog.search import find, retrieval

    try:
        with find.opened(run) as (index, state):
            passages = retrieval.rank(index, asked, limit=limit).passages
            places = [Place(p.path, p.line, p.end, p.date, p.score, p.confidence) for p in passages]
            places = _with_knowledge(run, message, index, places)
            return _stores_first(run, message, index, state, places), state.stale
    except find.NoIndex as e:
        run.warnings.append(f"search: {e.why}")
        hits = find.find(run, asked, limit=limit).hits
        found = [(hit, line) for hit in hits for line in hit.matches]
        return [Place(hit.path, line, line, hit.date, hit.score, hit.confidence) for hit, line in found], False


def _stores_first(run: Run, message: str, index: Index, state: State, places: list[Place]) -> list[Place]:
    """Return the passages with those before them that the stores hold of whom the message names."""
    from koog.memory.answering import asking, items
    from koog.memory.store.memories import EPISODIC

    least = run.settings.get("memory.minScore")
    told = asking.about_named(run, message, index, state, least=least)[:MOST_OF_STORES]
    best = max((place.score for place in places), default=0.0)
    first = [
        Place(
            each.item.path,
            each.item.line + (each.item.store == EPISODIC),  # below its heading
            each.item.line + (each.item.store == EPISODIC),
            each.item.day or None,
            best * (FIRST + each.relevance),
            each.confidence,
        )
        for each in told
        if each.item.store in items.OF_LINES
    ]
    taken = {(place.path, place.line) for place in first}
    return [*first, *(place for place in places if (place.path, place.line) not in taken)]


def _with_knowledge(run: Run, message: str, index: Index, places: list[Place]) -> list[Place]:
    """Return the passages with the lines of the knowledge files among the best of them.

    These are compared with the message one by one, so that what lasts is found in other words than it was said in.
    """
    from koog.memory.answering import asking

    best = max((place.score for place in places), default=FIRST)
    found = asking.of_knowledge(run, message, index)
    step = (1 - LAST_OF_KNOWLEDGE) / max(1, len(found))
    lines = [
        Place(hit.path, hit.line, hit.line, hit.date, best * (1 - step * n), hit.confidence)
        for n, hit in enumerate(found)
    ]
    taken = {(place.path, place.line) for place in lines}
    return [*lines, *(place for place in places if (place.path, place.line) not in taken)]


def _take(contents: Contents, candidate: Candidate, said: set[str]) -> str:
    """Add a passage to the part of its file, unless the text has it or there is no room; return why.

    said   the words of each piece that the text has
    """
    path, number, _ = candidate
    piece = contents.pieces(path)[number]
    if number in contents.included(path) or _said(piece) in said:
        return INCLUDED
    part = next((p for p in contents.parts if p.kind == "knowledge" and p.path == path), None)
    part = part or Part("knowledge", path, contents.pieces(path))
    contents.put(part, unlimited(contents.left), [number])
    if number not in part.chosen:
        return WITHHELD if number in part.silent else BUDGET
    said.add(_said(piece))
    return TAKEN


class _Found:
    """The candidates among the passages of a search, and why the others are none."""

    def __init__(self, contents: Contents, asked: str, *, best: float) -> None:
        self.contents, self.best = contents, best
        self.words = similarity.content_words(asked)
        self.candidates: list[Candidate] = []
        self.known: set[tuple[str, int]] = set()

    def consider(self, place: Place, *, references: int) -> None:
        """Note a passage as a candidate, or why it is none. What may not be shown of its file is not told at all."""
        if why := self._refused(place):
            self.contents.rows.append(_row(place.path, place.line, place.end, why=why, score=place.score))
        elif (number := self._piece(place)) is not None:
            self.known.add((place.path, number))
            score = budget.score(place.score, days=_age_days(self.contents, place), references=references)
            if candidate := self._in_playbook(Candidate(place.path, number, score)):
                self.candidates.append(candidate)

    def _in_playbook(self, candidate: Candidate) -> Candidate | None:
        """Return what of the effective playbook a passage of one of its sources is; any other as it is.

        So that what the playbook's part has is not repeated, and what it had no room for is cited as the playbook's.
        None for what the effective playbook does not show.
        """
        contents, path = self.contents, candidate.path
        if contents.playbook is None or contents.category(path) not in IN_PLAYBOOK:
            return candidate
        number = self._of_playbook.get(_said(contents.pieces(path)[candidate.piece]))
        return None if number is None else candidate._replace(path=contents.playbook.path, piece=number)

    @cached_property
    def _of_playbook(self) -> dict[str, int]:
        """Return the words of each piece of the effective playbook → which one it is."""
        playbook = self.contents.playbook
        return {_said(piece): i for i, piece in enumerate(playbook.pieces)} if playbook else {}

    def _refused(self, place: Place) -> str | None:
        """Return why a passage is no candidate, whatever it says. An inactive topic is for its gate to let in."""
        if self.contents.is_inactive_module(place.path):
            return INACTIVE_MODULE
        if budget.is_cut(place.score, best=self.best, confidence=place.confidence):
            return BELOW_CUT
        inactive = self.contents.category(place.path) == "topic" and not self.contents.included(place.path)
        return INACTIVE if inactive else None

    def _piece(self, place: Place) -> int | None:
        """Return which piece of its file a passage is, None when nothing of it is left to show.

        Of pieces that share a line the one with most of the query's words: the search tells lines only.
        """
        pieces = self.contents.pieces(place.path)
        first = bisect_left(pieces, place.line, key=lambda piece: piece.end)
        inside = list(takewhile(lambda i: pieces[i].line <= place.end, range(first, len(pieces))))
        exact = [i for i in inside if pieces[i].end == place.end] or inside
        free = [i for i in exact if (place.path, i) not in self.known]
        return max(free, key=lambda i: len(self.words & similarity.content_words(pieces[i].text)), default=None)


def _row(path: str, line: int, end: int, *, why: str, score: float) -> Row:
    return Row("knowledge", path, ranges([(line, end)]), why == TAKEN, why, score)


def _said(piece: Piece) -> str:
    """Return the words of a piece without heading or label, to see whether the text has them already."""
    rows = (row for row in piece.text.split("\n") if not row.startswith(("#", "<!--")))
    return " ".join(" ".join(rows).split())


def _age_days(contents: Contents, place: Place) -> float:
    """Return how old a passage is: by its own day, else by when its file was changed; 0 when neither is known."""
    day = clock.parse_day(place.date) if place.date else None
    if day is None:
        changed = contents.texts.modified(place.path)
        day = datetime.fromtimestamp(changed, contents.run.zone).date() if changed is not None else None
    return (date.fromisoformat(contents.run.today) - day).days if day else 0.0


# References


def _references(contents: Contents, topics: Iterable[Topic]) -> dict[str, set[str]]:
    """Return what each text that compile has read names: its path → paths and wikilinks."""
    naming: dict[str, set[str]] = {}
    for part in contents.parts:
        text = "\n".join(part.pieces[i].text for i in part.chosen)
        names = {link.strip() for link in compiled(LINK).findall(text)} | set(compiled(PATH).findall(text))
        naming.setdefault(part.path, set()).update(names)
    for topic in topics:
        naming.setdefault(topic.path, set()).update(topic.subscriptions)
    return naming


def _times(path: str, naming: Mapping[str, set[str]]) -> int:
    """Return how many other files name a file, at most MOST_REFERENCES."""
    spelled = spellings(path)
    return min(MOST_REFERENCES, sum(1 for source, names in naming.items() if source != path and names & spelled))


def spellings(path: str) -> set[str]:
    """Return how texts name a file: its path or the end of it, in a wikilink without the ending and the folders too.

    >>> sorted(spellings("knowledge/people/ana.md"))
    ['ana', 'knowledge/people/ana', 'knowledge/people/ana.md', 'people/ana', 'people/ana.md']
    """
    parts = path.split("/")
    ends = {"/".join(parts[i:]) for i in range(len(parts))}
    whole = {end for end in ends if "/" in end} | {path}  # a mere file name, such as context.md, many files have
    return whole | {end.removesuffix(".md") for end in ends}
