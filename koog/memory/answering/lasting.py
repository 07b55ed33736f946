"""What the knowledge files hold, asked beside the stores: decisions, lessons, how things are done, what days brought.

    scored     a question and the lines → how they bear on it, the best first
    best       → the best of them
    later      → what may tell what became of others
    unheard    → what the sessions say of that, and none of the lines
    lines_of   the bullets of MEMORY.md's sections, of knowledge/, and of archive/; of the journal those of days: weeks
               and months are made of them

They are compared with a question as the stores' lines are, one by one, each beside the others of its turn: what was
condensed is asked for in other words than it was said in, months ago. What a newer line has taken the place of is left
to its history.  [autopoiesis §8.4]
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from koog.core.lazy_regex import compiled
from koog.core.text import replies, untrusted
from koog.core.text.says import says
from koog.core.text.untrusted import clean
from koog.core.text.voices import PERSON
from koog.memory.answering import bearing, likeness, ranking, replaced, scoring, thesaurus
from koog.memory.answering.became import Later
from koog.memory.answering.gather import Pool
from koog.memory.answering.items import Item
from koog.memory.answering.scoring import Scored
from koog.memory.answering.standing import Standing
from koog.memory.store import core_memory, correction, sections
from koog.memory.store import line as lines
from koog.search import origins, retrieval
from koog.search.database import from_stored
from koog.search.hits import Hit
from koog.sessions import audience
from koog.sessions.audience import Seen
from koog.sessions.labels import NONE

if TYPE_CHECKING:
    from koog.memory.answering.gather import Gatherer
    from koog.memory.answering.likeness import Alike
    from koog.memory.answering.question import Question
    from koog.search.retrieval import Index

CATEGORIES = ("memory", "project", "person", "procedure", "reference", "journal")
JOURNAL = "journal"
DAY = r"\d{4}-\d\d-\d\d\.md"  # the name of a day's file
LIST = "_"  # with which the name of a file begins that lists what others hold
MOST_PASSAGES = 2000  # of such files: of more only what the search finds is compared
MOST_FOUND = 300  # passages that it finds then
MORE_CHANGES = frozenset(("person", "sold"))  # somebody takes over, something is bought
DATED = r" \(\d{4}-\d\d-\d\d\)"  # which koog has put behind what names a day
NEAR_TO, NEAR_EACH = 2, 20  # lines to which later sessions are looked for, and passages of each
UNHEARD = 12  # characters of which no line was made: "First night in Porto"
OF_KIND = 40  # passages with a word for the kind of thing that a question asks of
LINES_EACH = 3  # of the knowledge files, beside one passage of a session
# Of a row: its mark, a speaker, the date in front; a heading; comments.
BESIDE = r"\A\s*(?:#+ .*|(?:[-*•]\s+)?(?:user:|agent:)?\s*(?:\d{4}-\d\d-\d\d: +)?)|<!--(?:(?!-->).)*-->"
OF_TURN = 0.7  # of how like the nearest line of a turn is: what its others have of that at least
LIKENESS = 0.5  # what likeness by meaning counts at least: of five years' facts as many are found from 0.4 to 0.6


def scored(gatherer: Gatherer, index: Index, asked: Question, found: Mapping[Item, str]) -> list[Scored]:
    """Return the lines that hold and have anything of a question, the best first. found: what `lines_of` has found"""
    items = list(found)
    alike = likeness.of_files(index, asked.text, items)
    alike = _of_turns(alike._replace(weight=max(alike.weight, LIKENESS)), items) if alike.of else alike
    standing = {each.id: Standing() for each in items}
    pool = Pool(items, {}, len(items), {}, {}, None)
    rated = scoring.score(asked, pool, standing, gatherer.names, alike=alike)
    return [each for each in replaced.resolved(rated, asked.kinds) if not each.item.until]


def best(gatherer: Gatherer, rated: Sequence[Scored], found: Mapping[Item, str], *, limit: int) -> list[Hit]:
    """Return the lines that bear best on a question, each as a hit that is a line of its file."""
    return [hit(gatherer, each, found[each.item]) for each in rated[:limit]]


def _of_turns(alike: Alike, items: Sequence[Item]) -> Alike:
    """Return how like lines are, those of one turn nearly as much as the best of them: "the Skoda is serviced" says of
    which car it is that "it takes 0W-30 and nothing else".
    """
    best: dict[str, float] = {}
    for item in items:
        for turn in item.about:
            best[turn] = max(best.get(turn, 0.0), alike.of.get(item.id, 0.0))
    of = {each.id: max([alike.of.get(each.id, 0.0), *(OF_TURN * best[turn] for turn in each.about)]) for each in items}
    return alike._replace(of=of)


def later(gatherer: Gatherer, rated: Sequence[Scored], found: Mapping[Item, str]) -> list[Later]:
    """Return the lines as what may tell what became of others, none as sure: nobody has asked for them.

    found   the lines, each with its file's category: those that have nothing of the question, too
    """
    bears = {each.item.id: each.relevance for each in rated}
    told = {item.text: item for item in found if item.at}
    lines = [(item, bears.get(item.id, 0.0), _tells_change(item.text)) for item in told.values()]
    return [
        Later(hit(gatherer, Scored(item, Standing(), 0.0, ranking.BESIDE_IT), found[item]), bearing, tells)
        for item, bearing, tells in lines
        if bearing or tells
    ]


def kinds_of(asked: Question) -> frozenset[int]:
    """Return the kinds of things that a question asks of, as thesaurus has them."""
    return bearing.line(asked.text).things.intersection(thesaurus.kinds())


def unheard(
    gatherer: Gatherer, index: Index, asked: Question, olds: Sequence[Hit], found: Mapping[Item, str]
) -> list[Later]:
    """Return what a person said of the kind of thing that is asked of, or later than the best lines and near to them,
    and of all of which no line was made.

    Who says that he has a pot of rooibos on the desk tells nothing that is worth a line, but what he drinks now.
    """
    heard = defaultdict[str, list[str]](list)
    for item in found:
        heard[item.day].append(_plain(compiled(DATED).sub("", item.text)))
    words = thesaurus.words(kinds_of(asked))
    raw = gatherer.having(index, words, limit=OF_KIND) if words else []
    for old in olds[:NEAR_TO] if likeness.is_quick(index.embedder) else ():
        raw += gatherer.near(index, f"{asked.text} {old.text}", since=old.date or "", limit=NEAR_EACH)
    near = dict[tuple[str, int], Hit]()
    for each in raw:
        said = _plain(each.text)
        left = len(said) - sum(len(line) for line in set(heard[(each.date or "")[:10]]) if line in said)
        if left >= UNHEARD and each.trust == PERSON and not replies.asks(each.text):
            near[each.path, each.line] = each._replace(confidence=ranking.BESIDE_IT)
    items = [Item(f"{h.path}:{h.line}", "", h.text, h.path, h.line, NONE, h.date or "") for h in near.values()]
    alike = likeness.of(index.embedder, asked.text, items)._replace(weight=LIKENESS)
    pool = Pool(items, {}, len(found) + len(items), {}, {}, None)
    rated = scoring.score(asked, pool, {each.id: Standing() for each in items}, gatherer.names, alike=alike)
    bears = {each.item.id: each.relevance for each in rated}
    return [
        Later(hit, bears.get(item.id, 0.0), _tells_change(item.text))
        for item, hit in zip(items, near.values(), strict=True)
    ]


def _tells_change(text: str) -> bool:
    """Return whether a line tells a change of something: a wrong beer is none, unless the line says what is not so."""
    found = says(text).cues
    if found & correction.CHANGES == {correction.WRONG}:
        return bool(correction.denied(text))
    return bool(found & MORE_CHANGES) or replaced.tells_change(text)


def lines_of(gatherer: Gatherer, index: Index, asked: Question | None = None) -> dict[Item, str]:
    """Return the lines that the reader may be told, each with its file's category. asked: what large files are asked"""
    own = f"{gatherer.run.workspace.in_memory('')}".rstrip("/") + "/"
    sql = "SELECT path, category, passages FROM files WHERE category IN (SELECT value FROM json_each(?))"
    rows: Any = index.db.execute(sql, (json.dumps(CATEGORIES),)).fetchall()
    files = {
        path: (category, many) for stored, category, many in rows if _holds(path := from_stored(stored), category, own)
    }
    near: dict[str, list[tuple[int, int]]] | None = None
    if asked is not None and sum(many for _, many in files.values()) > MOST_PASSAGES:
        near = {}
        ranked = retrieval.rank(index, " ".join(asked.words), limit=MOST_FOUND, among=CATEGORIES).passages
        for each in ranked:
            near.setdefault(each.path, []).append((each.line, each.end))
    found: dict[Item, str] = {}
    for path, (category, _) in sorted(files.items()):
        spans = None if near is None else near.get(path, [])
        if spans is None or spans:
            for item in _of_file(gatherer, index, path):
                if spans is None or any(first <= item.line <= last for first, last in spans):
                    found[item] = category
    return found


def _holds(path: str, category: str, stores: str) -> bool:
    """Return whether a file's bullets are lines of knowledge: not those of the stores, of the root, of mere lists."""
    folder, _, name = path.rpartition("/")
    if path.startswith(stores) or name.startswith(LIST) or (category == JOURNAL and not compiled(DAY).fullmatch(name)):
        return False
    return path == core_memory.FILE or folder != ""


def _of_file(gatherer: Gatherer, index: Index, path: str) -> Iterator[Item]:
    text = gatherer.text(path) or ""
    if index.roots:
        text = index.roots.shelved.shown(path, text)
    if "private" in text.casefold():
        text = untrusted.strip_private(text)
    taken = set(core_memory.TITLES.values()) if path == core_memory.FILE else set()
    read = sections.of(text, path)
    for each in (item for section in read.sections if section.title not in taken for item in read.items_of(section)):
        line = lines.read(each.text)
        if line.is_past or lines.SHELVED in line.values:
            continue
        day, words = lines.dated(line.text)
        words = gatherer.gone.shown(words).strip()
        at, turns = day or line.values.get(lines.DAY, ""), filter(None, line.values.get(lines.SOURCE, "").split(";"))
        item = Item(f"{path}:{each.row}", "", words, path, each.row + 1, line.label, at, about=tuple(turns))
        if words and gatherer.sees(item) is not Seen.HIDDEN:
            yield item


def hit(gatherer: Gatherer, found: Scored, category: str) -> Hit:
    """Return a line as what is told of it."""
    item, who = found.item, gatherer.who
    name = who.name_of(item.label, item.path) if gatherer.sees(item) is Seen.NAMED else ""
    return Hit(
        path=item.path,
        line=item.line,
        lines=(item.line, item.line),
        matches=(item.line,),
        heading="",
        category=category,
        date=item.day or None,
        score=found.relevance,
        text=clean(item.text) + (audience.mark(name) if name else ""),
        project=who.project_of(item.label, item.path),
        scope=item.label.scope,
        name=name,
        trust=origins.trust(item.path, category, [item.text]),
        confidence=found.confidence,
    )


def with_sessions(lasting: Sequence[Hit], raw: Sequence[Hit]) -> list[Hit]:
    """Return both by turns, of each what is sure first: LINES_EACH of the knowledge files, one passage of a session.

    A passage that says no more than what stands before it is left out: a day's line is in its week and month, too.
    """
    lasting, others, told = list(lasting), list[Hit](), "\n".join(map(_plain, (each.text for each in lasting)))
    for each in raw:
        if all(row in told for row in map(_plain, each.text.splitlines())):
            continue
        others.append(each)
        told += "\n" + "\n".join(map(_plain, each.text.splitlines()))
    mixed = list[Hit]()
    one, other = (sorted(found, key=lambda hit: hit.is_weak) for found in (lasting, others))
    for at in range(max(-(-len(one) // LINES_EACH), len(other))):
        mixed += [*one[LINES_EACH * at : LINES_EACH * (at + 1)], *other[at : at + 1]]
    return mixed


def _plain(text: str) -> str:
    """Return the words of a row, without mark, comment, speaker and the date in front; "" for a heading."""
    words = compiled(BESIDE).sub("", text)
    return " ".join(compiled(r"\w+").findall(words.casefold()))
