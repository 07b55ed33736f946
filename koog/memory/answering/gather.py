"""Which lines are looked at for a question: of small stores all, of large ones what the search and the graph lead to.

    pool   a question → the lines that may answer it, and how many lines have each of its words

Everything is asked of the reader's audience, also what no index was asked for.  [moltbot §11.2, §11.3; design §7]
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.errors import WorkspaceError
from koog.core.named import NamedTuple
from koog.memory.answering import items, traversal
from koog.memory.answering.items import CATEGORY, Item
from koog.memory.names.entries import Link, Name
from koog.memory.store import changes, core_memory, entities, episodes, ids, procedures, vault
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, STORES, VAULT
from koog.search import find, hits, replaced, retrieval
from koog.sessions import audience
from koog.sessions.audience import Audience, Seen

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.memory.answering.question import Question
    from koog.memory.names.known import Known
    from koog.search.find import State
    from koog.search.hits import Hit
    from koog.search.retrieval import Index

FEW_PASSAGES = 600  # of the stores' files: then every line is looked at
MOST_PASSAGES = 60  # that the search finds in larger ones
MOST_ENTITIES = 40  # whose files are read
# The last resort. What is noted of a talk has its words again, so that among both each word would tell less.
RAW_CATEGORIES = (("conversation",), ("journal", "observation"))
OF_CATEGORY = {category: store for store, category in CATEGORY.items()}
FOLDERS = {
    EPISODIC: episodes.FOLDER,
    SEMANTIC: entities.FOLDER,
    PROCEDURAL: procedures.FOLDER,
    VAULT: vault.FOLDER,
}


class Pool(NamedTuple):
    """What may answer.

    items    each line once
    found    id of a line → how likely the search holds it for the answer
    total    how many lines there are, about; having: word → how many of them have it, where the index knows
    hops     entity → how many steps it is from those that are meant
    state    how the index stands to the files, None without one
    """

    items: list[Item]
    found: dict[str, float]
    total: int
    having: dict[str, int]
    hops: dict[str, int]
    state: State | None


class Gatherer:
    """Reads the stores for one question; every file once."""

    def __init__(
        self, run: Run, names: Known, *, wanted: frozenset[str] = frozenset(STORES), as_of: str | None = None
    ) -> None:
        """as_of: ISO day; who and what was told later is not known then"""
        self.run, self.names, self.wanted, self.as_of = run, names, wanted, as_of
        self.who: Audience = audience.current(run)
        self._text = run.workspace.texts()
        self.gone = forgotten.of(run.workspace)
        self.changes = changes.Changes(run.workspace, self.gone.hidden)
        self.graph = traversal.Graph(names.entries, self._is_told)
        self._files: dict[tuple[str, bool], list[Item]] = {}
        self._entries: dict[tuple[str, int], Item | None] = {}

    def pool(self, question: Question, index: Index | None, state: State | None, *, depth: int) -> Pool:
        """Return what may answer a question. index: None where there is none: every file is read then"""
        hops = self.graph.around([each.id for each in question.meant], depth)
        if index is None or self._is_small(index):
            every = self.every()
            return Pool(every, self._found(index, question), len(every), {}, hops, state)
        ranked = self._ranked(index, question)
        found = self._confidence(ranked)
        kept = {each.id: each for each in self._lines(ranked)}
        kept |= {each.id: each for each in self._always(hops)}
        kept |= {each.id: each for each in self._later(list(kept.values()))}
        having, total = self._having(index, question)
        return Pool(list(kept.values()), found, total, having, hops, state)

    def every(self) -> list[Item]:
        """Return every line that the reader may be told."""
        return [each for path, category in self._paths() for each in self.of(path, category)]

    def raw(self, index: Index, question: Question, *, limit: int) -> list[Hit]:
        """Return what the sessions, the daily notes and the observations say: for where the stores are silent."""
        from koog.search import sources

        groups = [
            group
            for among in RAW_CATEGORIES
            for group in hits.merged(self._ranked_among(index, question.text, among, limit=limit))[:limit]
        ]
        best = sorted(groups, key=lambda group: -group[0].score)[:limit]
        found = hits.hits(sources.of(self.run), best, who=self.who)
        return find.without_forgotten(self.run, found)

    def having(self, index: Index, words: Sequence[str], *, limit: int) -> list[Hit]:
        """Return what of the sessions has some of these words, the rarest first."""
        return self._of_sessions(index, " ".join(words), mode="keyword", limit=limit)

    def near(self, index: Index, text: str, *, since: str, limit: int) -> list[Hit]:
        """Return what of the sessions of a day and later is likest to a text by meaning."""
        return self._of_sessions(index, text, mode="vector", since=since, limit=limit)

    def _of_sessions(
        self, index: Index, text: str, *, mode: retrieval.Mode, limit: int, since: str | None = None
    ) -> list[Hit]:
        from koog.search import sources

        among = RAW_CATEGORIES[0]
        if not self._has(index, among):
            return []
        found = retrieval.rank(index, text, mode=mode, among=among, since=since, limit=limit).passages
        shown = hits.hits(sources.of(self.run), [[each] for each in found], who=self.who)
        return find.without_forgotten(self.run, shown)

    def _has(self, index: Index, among: tuple[str, ...]) -> bool:
        sql = "SELECT 1 FROM files WHERE passages AND category IN (SELECT value FROM json_each(?)) LIMIT 1"
        return bool(index.db.execute(sql, (json.dumps(among),)).get)

    def _ranked_among(self, index: Index, text: str, among: tuple[str, ...], *, limit: int) -> list[retrieval.Ranked]:
        """Return the passages of some categories that answer a text best; where they have none nothing is asked."""
        if not self._has(index, among):
            return []
        depth = max(find.LEAST_DEPTH, limit * find.DEPTH)
        return retrieval.rank(index, text, limit=depth, among=among).passages

    def of(self, path: str, category: str, *, archived: bool = False) -> list[Item]:
        """Return what a store's file says to this reader. archived: and what was forgotten, for whoever asks by id"""
        key = (path, archived)
        if key not in self._files:
            text = self.text(path)
            every = items.of_file(path, text, category, archived=archived) if text else []
            told = (each for each in every if self.sees(each) is not Seen.HIDDEN)
            self._files[key] = (
                [self._changed(each) for each in told]
                if archived
                else [each for each in map(self._shown, told) if each.text]
            )
        return self._files[key]

    def _shown(self, item: Item) -> Item:
        """Return a line as what was told later leaves it, without the words of what was forgotten elsewhere."""
        item = self._changed(item)
        if not self.gone.stones:
            return item
        steps = (self.gone.shown(step) for step in item.steps)
        return item._replace(text=self.gone.shown(item.text).strip(), steps=tuple(filter(None, steps)))

    def _changed(self, item: Item) -> Item:
        """Return a line as what was told later leaves it; without the id of what this reader may not be told of."""
        item = item.changed(self.changes.of(item.id))
        tree, others = self.run.workspace, [each for each in (item.by, item.newer) if each]
        if all(replaced.is_told(tree, self.who, each, item.path) for each in others):
            return item
        return item._replace(by="", newer="")

    def sees(self, item: Item) -> Seen:
        """Return what becomes of a line for this reader."""
        return self.who.line(item.label, item.path, text=item.text)

    def tells(self, id_: str) -> bool:
        """Return whether this reader may be told of an entity, and so its name: where all of it was said, he may."""
        if self._is_hidden(id_):
            return False
        path = self.run.workspace.in_memory(entities.path(id_))
        text = self.text(path)
        if text is None:
            return False
        read = entities.read(text, id_, path)
        if self.as_of and read.fields.get(entities.CREATED, "")[:10] > self.as_of:
            return False
        return self.who.line(read.place, path) is not Seen.HIDDEN

    def text(self, path: str) -> str | None:
        """Return what a file says, None where there is none or it cannot be read; a warning says why."""
        try:
            return self._text(path)
        except WorkspaceError as e:
            self.run.warnings.append(e.message)
            return None

    def _is_hidden(self, id_: str) -> bool:
        """Return whether an entity was forgotten: it is told by its id alone, and no relation leads to it."""
        return not self.run.is_by_id and forgotten.hides(self.gone.hidden, f"{ids.ENTITY}:{id_}")

    def _is_told(self, entry: Name, link: Link) -> bool:
        if any(map(self._is_hidden, (entry.id, link.start, link.to))) or (self.as_of and link.first > self.as_of):
            return False
        path = self.run.workspace.in_memory(entities.path(entry.id))
        return self.who.line(link.label, path) is not Seen.HIDDEN

    def _paths(self) -> Iterable[tuple[str, str]]:
        """Yield the files of the stores that are wanted, with their categories."""
        tree = self.run.workspace
        if CORE in self.wanted:
            yield core_memory.FILE, CATEGORY[CORE]
        for store, folder in FOLDERS.items():
            if store in self.wanted:
                inside = tree.in_memory(folder)
                for name in tree.names(inside, ".md"):
                    yield f"{inside}/{name}", CATEGORY[store]

    def _is_small(self, index: Index) -> bool:
        """Return whether the stores hold so little that every line is looked at."""
        some = (  # as many files as there may be passages: each has one at least
            "SELECT sum(passages) FROM (SELECT passages FROM files"
            " WHERE passages AND category IN (SELECT value FROM json_each(?)) LIMIT ?)"
        )
        values = (json.dumps(list(OF_CATEGORY)), FEW_PASSAGES + 1)
        return int(index.db.execute(some, values).get or 0) <= FEW_PASSAGES

    # --- large stores

    def _ranked(self, index: Index, question: Question) -> list[retrieval.Ranked]:
        categories = [CATEGORY[store] for store in STORES if store in self.wanted]
        return retrieval.rank(index, " ".join(question.words), limit=MOST_PASSAGES, among=categories).passages

    def _found(self, index: Index | None, question: Question) -> dict[str, float]:
        return self._confidence(self._ranked(index, question)) if index else {}

    def _confidence(self, ranked: Iterable[retrieval.Ranked]) -> dict[str, float]:
        found: dict[str, float] = {}
        for each in ranked:
            if item := self._line(each):
                found[item.id] = max(found.get(item.id, 0.0), each.confidence or 0.0)
        return found

    def _lines(self, ranked: Iterable[retrieval.Ranked]) -> Iterable[Item]:
        return filter(None, map(self._line, ranked))

    def _line(self, passage: retrieval.Ranked) -> Item | None:
        """Return the line in which a passage lies: of a day that was not read yet that entry alone is."""
        path, category = passage.path, passage.category
        if category != CATEGORY[EPISODIC] or (path, False) in self._files:
            return items.beside(self.of(path, category), passage.line)
        key = (path, passage.line)
        if key not in self._entries:
            text = self.text(path)
            found = items.of_file(path, text, category, at=passage.line) if text else []
            told = (self._shown(each) for each in found if self.sees(each) is not Seen.HIDDEN)
            self._entries[key] = next((each for each in told if each.text), None)
        return self._entries[key]

    def _always(self, hops: dict[str, int]) -> Iterable[Item]:
        """Yield what is looked at beside what the search finds: core memory, and whom and what the question names."""
        if CORE in self.wanted:
            yield from self.of(core_memory.FILE, CATEGORY[CORE])
        if SEMANTIC in self.wanted:
            for id_ in list(hops)[:MOST_ENTITIES]:
                if id_ in self.names.entries:
                    yield from self.of(self.run.workspace.in_memory(entities.path(id_)), CATEGORY[SEMANTIC])

    def _later(self, found: Iterable[Item]) -> Iterable[Item]:
        """Yield the lines that change some that were found: whoever is told the one is told the other."""
        for id_ in dict.fromkeys(later for each in found for later in (each.by, each.newer) if later):
            store, path = changes.place(id_)
            if store in self.wanted:
                path = path if store == CORE else self.run.workspace.in_memory(path)
                yield from (each for each in self.of(path, CATEGORY[store]) if each.id == id_)

    def _having(self, index: Index, question: Question) -> tuple[dict[str, int], int]:
        from koog.search import postings

        return postings.having(index.db, question.words), postings.total(index.db)
