"""Deleted for good from the workspace's own files, in one step with its tombstones.  [moltbot §8.3]

Inside     the files that change, and what becomes of each
take_out   all of them staged at a door
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.files import atomic, auditlog, sweep
from koog.core.files.chain import Record
from koog.core.files.roots import BARRED
from koog.core.forgotten import DELETE, Row
from koog.memory.forgetting import archive, deleting, edits, elsewhere, noted, targets
from koog.memory.forgetting.called import FILES
from koog.memory.forgetting.deleting import Place, Wanted
from koog.memory.forgetting.redact import Words, holds, is_text, redacted
from koog.memory.forgetting.targets import LINES
from koog.memory.store import entities, graph_index, ids, stores

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run

NAMED = "words"  # of the tombstone of words that no memory had
Edit = Callable[[str], str]


class Inside:
    """The workspace's files as a deletion looks at them: by where they really lie, whatever links lead to them.

    gone   those that go whole: an entity's, a procedure's, what the vault kept
    """

    def __init__(self, run: Run, what: Wanted, words: Words) -> None:
        self.run, self.tree, self.what, self.words = run, run.workspace, what, words
        own = ((id_.partition(":")[0], id_.partition(":")[2]) for id_ in what.ids)
        self.gone = frozenset(self._at(f"{FILES[kind]}/{name}.md") for kind, name in own if kind in FILES)
        self._edits = self._of_memories()
        self._archived, self._index = self._at(archive.FILE), self._at(graph_index.INDEX)
        self._graph = f"{self._at(entities.FOLDER)}/"

    def files(self) -> Iterator[str]:
        """Yield the files that change: those that hold the words, and those of the memories themselves."""
        for path in sweep.files(self.tree.files, but=BARRED):
            if path in self.gone:
                yield path
            elif path in self._edits or path == self._archived:
                data = sweep.read(self.tree.files, path)
                text = atomic.decode(data) if data else ""
                if self.edit(path)(text) != text:
                    yield path
            elif (found := sweep.read(self.tree.files, path)) and is_text(found) and holds(found, self._of(path)):
                yield path

    def edit(self, path: str) -> Edit:
        """Return what takes the memories and the words out of one file."""

        def edit(text: str) -> str:
            for each in self._edits.get(path, ()):
                text = each(text)
            if path == self._archived:
                gone = {each.raw for each in archive.kept_in(text) if each.id in self.what.ids}
                text = "".join(f"{row}\n" for row in text.split("\n") if row and row not in gone)
            if path == self._index:
                cut = self.words.ids.cut
                text = "\n".join(row for row in text.split("\n") if not row.startswith("| ") or cut(row) == row)
            elif path.startswith(self._graph):
                text = edits.without_links(text, stores.name_of(path) or "", self.words.ids.gone)
            left = redacted(text.encode("utf-8", "surrogateescape"), self._of(path))
            return left.decode("utf-8", "surrogateescape")

        return edit

    def of_log(self) -> list[str]:
        """Return the files of the audit log."""
        return [self.tree.resolved(path) for path in auditlog.files(self.tree)]

    def _of(self, path: str) -> Words:
        """Return the words as they go from one file."""
        return self.words._replace(is_own=elsewhere.is_own(self.run, path))

    def _at(self, name: str) -> str:
        """Return where something of the memory folder really lies."""
        return self.tree.resolved(self.tree.in_memory(name))

    def _of_memories(self) -> dict[str, list[Edit]]:
        """Return what takes the memories out of the files in which they are lines among others."""
        lines, facts = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        found = defaultdict[str, list[Edit]](list)
        for id_ in self.what.ids:
            kind, _, name = id_.partition(":")
            if kind == ids.FACT:
                facts[name.rpartition(":")[0]].add(name.rpartition(":")[2])
            elif kind == ids.EPISODE:
                found[self._at(f"episodes/{name[:10]}.md")].append(partial(edits.without_episode, id_=id_))
            elif kind not in FILES:
                lines[kind].add(name)
        for entity, figures in facts.items():
            path = self._at(f"{entities.FOLDER}/{entity}.md")
            found[path].append(partial(edits.without_facts, entity=entity, hashes=figures))
        for kind, figures in lines.items():
            edit = edits.without_core if kind == ids.CORE else edits.without_lines
            for path in self._with_lines(kind):
                found[path].append(partial(edit, hashes=figures))
        return found

    def _with_lines(self, kind: str) -> Collection[str]:
        """Return the files whose lines are memories of a kind."""
        if kind == ids.CORE:
            return [self.tree.resolved("MEMORY.md")]
        more = [self.tree.in_memory(archive.EFFECTIVE)] if kind == targets.PLAYBOOK else []
        return [self.tree.resolved(path) for path in (*targets.paths(self.run, kind), *more)] if kind in LINES else []


def take_out(inside: Inside, door: Door) -> list[Place]:
    """Stage what goes from the workspace's files, in one step with the tombstones; return the files."""
    run, tree, told = inside.run, inside.tree, inside.what.told(inside.run)
    done, records, log = list[Place](), list[Record](), inside.of_log()
    for path in inside.files():
        before = tree.read(path)
        if before is None:
            continue
        if path in inside.gone:
            door.remove(path, summary=told)
            after = None
        else:
            door.edit(path, inside.edit(path), summary=told, action="DELETE")
            after = atomic.encode(door.text(path) or "", like=before)
            if path in log:
                records += noted.of_lines(run, before, after)
        done.append(Place(path, after is None))
        records.append(noted.of_file(run, path, before, after))
    if stones := list(_stones(run, inside.what)):
        door.append(tree.in_memory(forgotten.FILE), "".join(map(forgotten.line, stones)), summary=told)
    if records:
        door.note([], *records)
    return done


def take_out_of_log(inside: Inside, door: Door) -> None:
    """Stage the log without the names of the files that went, which its last lines have."""
    run, records = inside.run, list[Record]()
    for path in inside.of_log():
        before = inside.tree.read(path)
        if before and holds(before, inside.words):
            door.edit(path, inside.edit(path), summary=inside.what.told(run), action="DELETE")
            after = atomic.encode(door.text(path) or "", like=before)
            records += [*noted.of_lines(run, before, after), noted.of_file(run, path, before, after)]
    if records:
        door.note([], *records)


def _stones(run: Run, what: Wanted) -> Iterator[Row]:
    """Yield the tombstones of what has none yet, by the marks of the ids: no word, and no name."""
    key, tree = deleting.key(run), run.workspace
    gone = forgotten.Forgotten(forgotten.read(tree.text(tree.in_memory(forgotten.FILE)) or ""), key)
    ids_ = what.ids or [f"{NAMED}:{' '.join(what.named)}"]  # words alone come back with no text of the past either
    last = {id_: row for id_ in ids_ if (row := gone.standing(id_))}
    new = [id_ for id_ in ids_ if id_ not in last or last[id_].op != DELETE]
    at = max([what.since, *(last[id_].ts for id_ in new if id_ in last)])
    for id_ in new:
        mark, heard = forgotten.mark_of(key, id_), last[id_].sources if id_ in last else ()
        said = forgotten.Said(what.phrases, what.sources, what.named)
        stone = forgotten.stone(key, ts=at, op=DELETE, id=mark, batch="", said=said)
        yield stone._replace(sources=tuple(dict.fromkeys((*heard, *stone.sources))))
