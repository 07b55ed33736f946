"""A question asked of the memory, from the stores as they are to the answer.  [moltbot §11.1 to §11.3]

recalled   the stores by the strategy that the question's kind asks for, then the raw sessions where they are silent
present    ids → the lines that have them, archived ones, too
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from koog.core.named import NamedTuple
from koog.memory.answering import answer as answers
from koog.memory.answering import likeness, question, replaced, scoring, standing
from koog.memory.answering.answer import Answer, Told
from koog.memory.answering.gather import FOLDERS, Gatherer
from koog.memory.answering.items import CATEGORY, Item
from koog.memory.answering.question import Question
from koog.memory.answering.scoring import Scored
from koog.memory.names import known
from koog.memory.store import core_memory, entities, ids
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, STORES, VAULT

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.memory.names.known import Known
    from koog.search.find import State
    from koog.search.hits import Hit
    from koog.search.retrieval import Index

MOST_RAW = 18  # passages of the raw sessions, and lines of the knowledge files: of both as many as have room are told
MOST_OF_KNOWLEDGE = 20  # lines of the knowledge files beside a message
MOST_BESIDE = (
    6  # lines of them beside a sure line of the stores: its words may be the question's, and its matter another
)
MOST_OF_MESSAGE = 2000  # characters in which names are looked for
AS_NEAR = 0.75  # of the best of these lines: what a line of the stores has, so that it matters what became of it
SPEAKS = 0.75  # how sure a line of the stores is that needs no look at what was said
OF_STORES, OF_SESSIONS = "stores", "sessions"
STORE_OF = {
    ids.EPISODE: EPISODIC,
    ids.ENTITY: SEMANTIC,
    ids.FACT: SEMANTIC,
    ids.PROCEDURE: PROCEDURAL,
    ids.VAULT: VAULT,
    ids.CORE: CORE,
}


class Wish(NamedTuple):
    """What is asked, and how.

    as_of   ISO day: what was known and held then; None: now
    least   relevance below which a line is no answer
    """

    text: str
    store: str | None = None
    as_of: str | None = None
    depth: int = 2
    limit: int = 20
    least: float = 0.3
    dormant: bool = False


@dataclass
class Recalled:
    """An answer, and what it was made of."""

    wish: Wish
    question: Question
    answer: Answer
    gatherer: Gatherer
    hops: dict[str, int] = field(default_factory=dict)
    raw: list[Hit] = field(default_factory=list)  # of the knowledge files, too
    stale: bool = False

    @property
    def is_sure(self) -> bool:
        return self.answer.found or any(not hit.is_weak for hit in self.raw)

    @property
    def source(self) -> str | None:
        """Return what answers: the stores, else the sessions; None where nothing does."""
        if self.answer.found:
            return OF_STORES
        return OF_SESSIONS if self.is_sure else None


def recalled(run: Run, wish: Wish) -> Recalled:
    """Return what is remembered that answers."""
    id_ = _id(wish.text)
    wanted = frozenset((wish.store,)) if wish.store else frozenset(STORES)
    today = date.fromisoformat(wish.as_of or run.today)
    with ExitStack() as opened:
        index, state = (None, None) if id_ else _index(run, opened)
        names = _names(run, state)
        gatherer = Gatherer(run, names, wanted=wanted, as_of=wish.as_of)
        asked = _told_of(gatherer, question.read(wish.text, names, today=today))
        if id_:
            return _by_id(run, wish, asked, gatherer, id_)
        pool = gatherer.pool(asked, index, state, depth=wish.depth)
        scores = standing.of(run, pool.items)
        if wish.as_of:
            created = {id_: each.created for id_, each in scores.items()}
            pool = pool._replace(items=replaced.as_of(pool.items, wish.as_of, created))
        alike = likeness.of(index.embedder if index else None, wish.text, pool.items)
        found = replaced.resolved(scoring.score(asked, pool, scores, names, alike=alike), asked.kinds)
        dormant = wish.dormant or bool(wish.as_of)
        answer = answers.of(asked, found, least=wish.least, limit=wish.limit, dormant=dormant, lines=pool.total)
        recalled = Recalled(wish, asked, answer, gatherer, pool.hops, stale=bool(state and state.stale))
        is_silent = not answer.found or max(each.scored.confidence for each in answer.told) < SPEAKS
        if index and not wish.store and not wish.as_of:
            recalled.raw = _elsewhere(recalled, index, found, is_silent=is_silent)
    return recalled


def _elsewhere(recalled: Recalled, index: Index, scored: Sequence[Scored], *, is_silent: bool) -> list[Hit]:
    """Return what the knowledge files hold, and what became of it and of what the stores tell.

    scored      the stores' lines
    is_silent   whether no line of the stores is sure: then what the sessions say, too
    """
    from koog.memory.answering import became, lasting

    gatherer, asked, answer = recalled.gatherer, recalled.question, recalled.answer
    most = min(MOST_RAW if is_silent else MOST_BESIDE, recalled.wish.limit)
    lines = lasting.lines_of(gatherer, index, asked)
    rated = lasting.scored(gatherer, index, asked, lines)
    best = lasting.best(gatherer, rated, lines, limit=most)
    found = lasting.with_sessions(best, gatherer.raw(index, asked, limit=most) if is_silent else ())
    near = [each.scored for each in answer.told or answer.weak]
    least = AS_NEAR * max((each.score for each in best), default=0.0)
    told = [lasting.hit(gatherer, each, CATEGORY[each.item.store]) for each in near if each.relevance >= least]
    here = {each.scored.item.id for each in (*answer.told, *answer.rest)}
    facts = {each.item: CATEGORY[SEMANTIC] for each in scored if _is_fact(each) and each.item.id not in here}
    later = lasting.later(gatherer, [*rated, *scored], {**lines, **facts})
    later += lasting.unheard(gatherer, index, asked, [*told[:1], *best], {**lines, **facts})
    of = lasting.kinds_of(asked)
    return became.beside(found, later, before=told, embedder=index.embedder, kinds=asked.kinds, of=of)


def _is_fact(each: Scored) -> bool:
    """Return whether a line is an entity's fact that holds, and that nobody has archived."""
    return each.item.store == SEMANTIC and not each.item.until and not each.standing.is_archived


def _by_id(run: Run, wish: Wish, asked: Question, gatherer: Gatherer, id_: str) -> Recalled:
    run.is_by_id = True  # what was forgotten is told to whoever names it so
    items = present(run, [id_], gatherer=gatherer)
    scores = standing.of(run, items.values())
    told = [Told(Scored(each, scores[each.id], 1.0, 1.0)) for each in items.values()]
    return Recalled(wish, asked, Answer(told, [], 0, 0), gatherer)


def about_named(run: Run, message: str, index: Index, state: State, *, least: float) -> list[Scored]:
    """Return what the stores hold of those whom a message names and that bears on it, the best first; [] for nobody."""
    names = _names(run, state)
    asked = question.read(message[:MOST_OF_MESSAGE], names, today=date.fromisoformat(run.today))
    gatherer = Gatherer(run, names)
    asked = _told_of(gatherer, asked)
    if not asked.meant:
        return []
    pool = gatherer.pool(asked, index, state, depth=1)
    found = replaced.resolved(scoring.score(asked, pool, standing.of(run, pool.items), names), asked.kinds)
    return [
        each
        for each in found
        if each.relevance >= least
        and not each.item.until
        and not each.standing.is_archived
        and (each.hop is not None or set(each.has) & asked.named)
    ]


def of_knowledge(run: Run, message: str, index: Index) -> list[Hit]:
    """Return the lines of the knowledge files, and the facts of entities, that bear on a message, the best first.

    Whoever asks who has the spare key does not name the neighbour whose it is.
    """
    names = known.load(run)
    gatherer = Gatherer(run, names)
    asked = question.read(message[:MOST_OF_MESSAGE], names, today=date.fromisoformat(run.today))
    from koog.memory.answering import became, lasting

    asked = _told_of(gatherer, asked)
    lines = lasting.lines_of(gatherer, index, asked)
    facts = [each for each in gatherer.pool(asked, index, None, depth=0).items if each.store == SEMANTIC]
    left = standing.of(run, facts)
    lines |= {each: CATEGORY[SEMANTIC] for each in facts if not left[each.id].is_archived}
    rated = lasting.scored(gatherer, index, asked, lines)
    best = lasting.best(gatherer, rated, lines, limit=MOST_OF_KNOWLEDGE)
    later = [*lasting.later(gatherer, rated, lines), *lasting.unheard(gatherer, index, asked, best, lines)]
    of = lasting.kinds_of(asked)
    return became.beside(best, later, embedder=index.embedder, kinds=asked.kinds, of=of)


def _names(run: Run, state: State | None) -> Known:
    """Return the entities that there are, by the look at their folder that the index has been compared with."""
    folder = run.workspace.in_memory(entities.FOLDER)
    return known.load(run, state.scan.look_at(folder) if state and state.scan else None)


def _told_of(gatherer: Gatherer, asked: Question) -> Question:
    """Return a question without the entities of which its reader may not be told."""
    return asked._replace(meant=tuple(each for each in asked.meant if gatherer.tells(each.id)))


def _index(run: Run, opened: ExitStack) -> tuple[Index | None, State | None]:
    """Return the open index; None, with a warning, where there is none: the files are read then."""
    from koog.search import find

    try:
        return opened.enter_context(find.opened(run))
    except find.NoIndex as e:
        run.warnings.append(f"no index ({e.why}): the stores' files themselves were read")
        return None, None


def _id(text: str) -> str:
    """Return the id that a question is, "" for any other."""
    kind, sign, _ = text.partition(":")
    if not sign or kind not in ids.KINDS or " " in text:
        return ""
    found = ids.parse(text)
    return f"{found.kind}:{found.name}"


def present(run: Run, wanted: Iterable[str], *, gatherer: Gatherer | None = None) -> dict[str, Item]:
    """Return the lines that have these ids and that the reader may be told; of an entity's id its first line."""
    reader = gatherer or Gatherer(run, known.load(run))
    found: dict[str, Item] = {}
    for id_ in wanted:
        parsed = ids.parse(id_)
        path = _path(run, parsed)
        every = reader.of(path, CATEGORY[STORE_OF[parsed.kind]], archived=True)
        item = next((each for each in every if each.id == id_), None)
        if item is None and parsed.kind == ids.ENTITY and every:
            item = every[0]._replace(id=id_)
        item = item or _taken_out(run, id_)
        if item is not None:
            found[id_] = item
    return found


def _taken_out(run: Run, id_: str) -> Item | None:
    """Return a line that was forgotten and does not stand in its file any more."""
    from koog.memory.forgetting import archive

    found = next((each for each in archive.taken_out(run) if each.id == id_), None)
    return None if found is None else Item(id_, found.store, found.text, found.path, found.line, found.label)


def _path(run: Run, id_: ids.Id) -> str:
    """Return the file in which an id's line lies."""
    tree = run.workspace
    store = STORE_OF[id_.kind]
    if store == CORE:
        return core_memory.FILE
    if store == SEMANTIC:
        return tree.in_memory(entities.path(id_.entity if id_.kind == ids.FACT else id_.name))
    name = id_.name[:10] if store == EPISODIC else id_.name
    return tree.in_memory(f"{FOLDERS[store]}/{name}.md")
