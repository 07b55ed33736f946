"""Deleted for good from the workspace's own files, in one step with its tombstones.  [moltbot §8.3]"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.files import atomic, auditlog, sweep
from koog.core.files.chain import Record
from koog.core.files.roots import BARRED
from koog.core.forgotten import DELETE, Row
from koog.memory.forgetting import archive, deleting, edits, elsewhere, noted, targets
from koog.memory.forgetting.deleting import Place, Wanted
from koog.memory.forgetting.redact import Words, holds, is_text, redacted
from koog.memory.forgetting.targets import LINES
from koog.memory.store import entities, graph_index, ids, procedures, stores, vault

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run

NAMED = "words"  # of the tombstone of words that no memory had


def take_out(run: Run, door: Door, what: Wanted, words: Words) -> list[Place]:
    """Stage what goes from the workspace's files, in one step with the tombstones; return the files."""
    tree, told = run.workspace, what.told(run)
    done, records = list[Place](), list[Record]()
    gone = whole(run, what)
    for path in files(run, what, words):
        before = tree.read(path)
        if before is None:
            continue
        if path in gone:
            door.remove(path, summary=told)
            after = None
        else:
            door.edit(path, _edit(run, path, what, words), summary=told, action="DELETE")
            after = atomic.encode(door.text(path) or "", like=before)
            if path in auditlog.files(tree):
                records += noted.of_lines(run, before, after)
        done.append(Place(path, after is None))
        records.append(noted.of_file(run, path, before, after))
    if stones := list(_stones(run, what)):
        door.append(tree.in_memory(forgotten.FILE), "".join(map(forgotten.line, stones)), summary=told)
    if records:
        door.note([], *records)
    return done


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


def of_log(run: Run, door: Door, what: Wanted, words: Words) -> None:
    """Stage the log without the names of the files that went, which its last lines have."""
    tree, records = run.workspace, list[Record]()
    for path in auditlog.files(tree):
        before = tree.read(path)
        if before and holds(before, words):
            door.edit(path, _edit(run, path, what, words), summary=what.told(run), action="DELETE")
            after = atomic.encode(door.text(path) or "", like=before)
            records += [*noted.of_lines(run, before, after), noted.of_file(run, path, before, after)]
    if records:
        door.note([], *records)


def files(run: Run, what: Wanted, words: Words) -> Iterator[str]:
    """Yield the workspace's files that change: those that hold the words, and those of the memories themselves."""
    tree = run.workspace
    named = {path for id_ in what.ids for path in _paths(run, id_)}
    for path in sweep.files(tree.files, but=BARRED):
        if (path in named and tree.exists(path)) or path == tree.in_memory(archive.FILE):
            data = tree.read(path)
            text = data.decode("utf-8", "surrogateescape") if data else ""
            if path in whole(run, what) or _edit(run, path, what, words)(text) != text:
                yield path
        elif (found := sweep.read(tree.files, path)) and is_text(found) and holds(found, _of(run, path, words)):
            yield path


def _edit(run: Run, path: str, what: Wanted, words: Words) -> Callable[[str], str]:
    """Return what takes the memories and the words out of one file."""

    def edit(text: str) -> str:
        for id_ in what.ids:
            if path in _paths(run, id_):
                text = _of_memory(id_)(text)
        if path == run.workspace.in_memory(archive.FILE):
            gone = {each.raw for each in archive.kept_in(text) if each.id in what.ids}
            text = "".join(f"{row}\n" for row in text.split("\n") if row and row not in gone)
        if path == run.workspace.in_memory(graph_index.INDEX):
            text = "\n".join(row for row in text.split("\n") if not row.startswith("| ") or words.ids.cut(row) == row)
        elif path.startswith(run.workspace.in_memory(f"{entities.FOLDER}/")):
            text = edits.without_links(text, stores.name_of(path) or "", words.ids.gone)
        left = redacted(text.encode("utf-8", "surrogateescape"), _of(run, path, words))
        return left.decode("utf-8", "surrogateescape")

    return edit


def _of(run: Run, path: str, words: Words) -> Words:
    """Return the words as they go from one file."""
    return words._replace(is_own=elsewhere.is_own(run, path))


def _paths(run: Run, id_: str) -> list[str]:
    """Return the files in which a memory has lines of its own."""
    kind, _, name = id_.partition(":")
    memory = run.workspace.in_memory
    if kind == ids.CORE:
        return ["MEMORY.md"]
    if kind in LINES:
        return [*targets.paths(run, kind), *([memory(archive.EFFECTIVE)] if kind == targets.PLAYBOOK else [])]
    folder = {ids.EPISODE: f"episodes/{name[:10]}", ids.FACT: f"{entities.FOLDER}/{name.rpartition(':')[0]}"}
    folder |= {ids.ENTITY: f"{entities.FOLDER}/{name}", ids.PROCEDURE: f"{procedures.FOLDER}/{name}"}
    return [memory(f"{({**folder, ids.VAULT: f'{vault.FOLDER}/{name}'})[kind]}.md")]


def whole(run: Run, what: Wanted) -> set[str]:
    """Return the files that go whole: an entity's, a procedure's, what the vault kept."""
    kinds = (ids.ENTITY, ids.PROCEDURE, ids.VAULT)
    return {path for id_ in what.ids if id_.partition(":")[0] in kinds for path in _paths(run, id_)}


def _of_memory(id_: str) -> Callable[[str], str]:
    kind, _, name = id_.partition(":")
    figures = {name.rpartition(":")[2]}
    edit: Mapping[str, Callable[[str], str]] = {
        ids.CORE: lambda text: edits.without_core(text, figures),
        ids.FACT: lambda text: edits.without_facts(text, name.rpartition(":")[0], figures),
        ids.EPISODE: lambda text: edits.without_episode(text, f"{kind}:{name}"),
        **dict.fromkeys(LINES, lambda text: edits.without_lines(text, figures)),
    }
    return edit.get(kind, lambda text: text)
