"""Deleted for good: from the files of the memory, and from every place that koog has made of them.  [moltbot §8.3]

The one exception to append-only. What is to go stands in `deleting.json` of the state root until all of it is gone, so
that a killed deletion is finished by the next koog. First the workspace, in one step with its audit lines and commit:
what was remembered, the host's and the person's notes in it, archives and records. Then what lies elsewhere, file by
file: raw transcripts, `.koog/`, the state root, the spool. The chain notes of each file its digest before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.errors import WorkspaceError
from koog.core.files import atomic, auditlog, chain, sweep
from koog.core.files.chain import Record
from koog.core.files.record import Change
from koog.core.files.roots import BARRED
from koog.core.forgotten import DELETE, Row
from koog.memory.forgetting import archive, deleting, edits, elsewhere, targets
from koog.memory.forgetting.deleting import Place, Wanted
from koog.memory.forgetting.redact import Words, holds, is_text, redacted
from koog.memory.forgetting.targets import LINES
from koog.memory.store import entities, graph_index, ids, procedures, stores, vault

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run

LOCK = "deleting.lock"
STATE = "deleting"  # in the state root: what is to go, until it is gone
NAMED = "words"  # of the tombstone of words that no memory had


def places(run: Run, what: Wanted) -> list[Place]:
    """Return every file that holds the words now."""
    words = what.words(run)
    found = [Place(path, path in _whole(run, what)) for path in _in_workspace(run, what, words)]
    for name, root in elsewhere.roots(run):
        for path, _, after in sweep.changes(root, elsewhere.change(name, words), but=elsewhere.but(name)):
            found.append(Place(f"{name}/{path}", after is None))
    return found


def delete(run: Run, what: Wanted) -> list[Place]:
    """Delete it for good; return the files that held it."""
    state = run.state_root
    if state is None:
        raise WorkspaceError("without a state root nothing notes what was deleted", hint="koog init")
    if run.dry_run:
        return places(run, what)
    with _alone(run, wait_s=run.workspace.lock_wait_s):
        done = _finish(run)  # that of another, who was killed since this command looked
        state.put(STATE, what._asdict())
        return [*done, *_finish(run)]


def finish(run: Run, *, wait_s: float = 0) -> list[Place]:
    """Go on with a deletion that was killed until all of it is gone; [] where none waits. Raises Busy, WorkspaceError.

    One that somebody is at is his: for that it waits so long, and then it is Busy.
    """
    if run.state_root is None or run.state_root.root.info(f"{STATE}.json") is None:
        return []
    with _alone(run, wait_s=wait_s):
        return _finish(run)


def _alone(run: Run, *, wait_s: float) -> AbstractContextManager[None]:
    """Hold the lock of deletions: what is to go has one place where it is noted, so it is noted by one at a time."""
    return run.workspace.locked(LOCK, wait_s=wait_s, what="a deletion")


def _finish(run: Run) -> list[Place]:
    state = run.state_root
    value = state.get(STATE) if state else None
    if not state or not isinstance(value, dict):
        return []
    what = Wanted.read(value)
    run.act_as(archive.ACTOR, trigger="koog forget")
    with run.workspace.writing() as door:
        forgotten.key_of(run.workspace)  # which the marks need
        words = what.words(run)
        done = _workspace(run, door, what, words)
    rows, records = list[Change](), list[Record]()
    for name, root in elsewhere.roots(run):
        for path, before, after in sweep.changes(root, elsewhere.change(name, words), but=elsewhere.but(name)):
            told = f"{name}/{path}"
            if not sweep.put(root, path, after):
                run.warnings.append(f"{told} could not be rewritten; koog forget --hard again")
                continue
            done.append(Place(told, after is None))
            shown = words.cut(told)
            rows.append(Change("DELETE" if after is None else "EDIT", shown, what.told(run)))
            records.append(_record(run, shown, before, after))
    if rows:
        with run.workspace.writing() as door:
            door.note(rows, *records)
    with run.workspace.writing() as door:  # what is written of the step itself names the files that went
        _of_log(run, door, what, words)
    state.remove(STATE)
    return done


# --- the workspace


def _workspace(run: Run, door: Door, what: Wanted, words: Words) -> list[Place]:
    """Stage what goes from the workspace's files, in one step with the tombstones; return the files."""
    tree, told = run.workspace, what.told(run)
    done, records = list[Place](), list[Record]()
    whole = _whole(run, what)
    for path in _in_workspace(run, what, words):
        before = tree.read(path)
        if before is None:
            continue
        if path in whole:
            door.remove(path, summary=told)
            after = None
        else:
            door.edit(path, _edit(run, path, what, words), summary=told, action="DELETE")
            after = atomic.encode(door.text(path) or "", like=before)
            if path in auditlog.files(tree):
                records += _of_lines(run, before, after)
        done.append(Place(path, after is None))
        records.append(_record(run, path, before, after))
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


def _of_log(run: Run, door: Door, what: Wanted, words: Words) -> None:
    """Stage the log without the names of the files that went, which its last lines have."""
    tree, records = run.workspace, list[Record]()
    for path in auditlog.files(tree):
        before = tree.read(path)
        if before and holds(before, words):
            door.edit(path, _edit(run, path, what, words), summary=what.told(run), action="DELETE")
            after = atomic.encode(door.text(path) or "", like=before)
            records += [*_of_lines(run, before, after), _record(run, path, before, after)]
    if records:
        door.note([], *records)


def _in_workspace(run: Run, what: Wanted, words: Words) -> Iterator[str]:
    """Yield the workspace's files that change: those that hold the words, and those of the memories themselves."""
    tree = run.workspace
    named = {path for id_ in what.ids for path in _paths(run, id_)}
    for path in sweep.files(tree.files, but=BARRED):
        if (path in named and tree.exists(path)) or path == tree.in_memory(archive.FILE):
            data = tree.read(path)
            text = data.decode("utf-8", "surrogateescape") if data else ""
            if path in _whole(run, what) or _edit(run, path, what, words)(text) != text:
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


def _whole(run: Run, what: Wanted) -> set[str]:
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


# --- the chain


def _record(run: Run, path: str, before: bytes, after: bytes | None) -> Record:
    """Return what the chain notes of one file: its digests before and after, and a keyed one of its path."""
    key = chain.known_key(run.state_root) if run.state_root else None
    mark = chain.mark(key or b"", path.encode("utf-8", "surrogateescape"))[:16]
    return Record(chain.REDACTED, 0, sha256(before).hexdigest()[:32], mark, chain.file_mark(after), "")


def _of_lines(run: Run, before: bytes, after: bytes) -> Iterator[Record]:
    """Yield what the chain notes of the lines of the log that read otherwise now."""
    key = chain.known_key(run.state_root) if run.state_root else None
    if key is None:
        return
    for old, new in zip(auditlog.rows(before), auditlog.rows(after), strict=False):
        if old != new:
            yield Record(chain.REDACTED, 0, chain.mark(key, old), chain.rest(key, new), chain.mark(key, new), "")
