"""Memories put away so that nobody is told of them, and brought back: in one step, all or nothing.  [moltbot §8.3]

An episode, an entity, a procedure and what the vault holds keep their file: their status hides them. A fact's line moves
to `## Archived` of its entity; a line of MEMORY.md, observations.md and the playbook goes. What went is kept in
`memory/meta/archived.jsonl`, so that --undo brings it back to the byte:

    {"id":"core:1a2b3c4d","batch":"f-1a2b3c","path":"MEMORY.md","digest":"…","hunks":[[4,4,["- …"],[],"## Critical Facts"]]}
"""  # noqa: E501  the one line is the format

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from koog.core import clock, forgotten
from koog.core.files import jsonfiles
from koog.core.forgotten import FORGET, LIFT, RESTORE, Row
from koog.core.named import NamedTuple
from koog.memory import decay
from koog.memory.fading import accesses
from koog.memory.forgetting import edits, hunks, targets
from koog.memory.forgetting.targets import LINES, Target
from koog.memory.pin import STORE_OF
from koog.memory.store import core_memory, ids, stores
from koog.memory.store import line as lines
from koog.memory.store.memories import Memory
from koog.sessions import audience, labels
from koog.sessions.audience import Seen

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run

FILE = "meta/archived.jsonl"  # in the memory folder
EFFECTIVE = "sinain-playbook-effective.md"  # repeats the playbook: a line that goes there goes here
ACTOR = "bot:trigger-forget"  # moltbot §12.3
MOST_NAMED = 20  # ids in a summary: `audit log --query ID` finds them


class Kept(NamedTuple):
    """What an edit took out for one memory, as archived.jsonl has it."""

    id: str
    batch: str
    path: str
    digest: str
    hunks: list[hunks.Hunk]
    raw: str


class Put:
    """What is put away and brought back in one step; nothing is written before the door is applied."""

    def __init__(self, run: Run, door: Door) -> None:
        self.run, self.door = run, door
        rows = forgotten.read(door.text(self._in(forgotten.FILE)) or "")
        self.known = forgotten.Forgotten(rows, forgotten.known_key(run.workspace))
        self._rows: list[Row] = []
        self._kept: list[str] = []
        self._accesses: list[str] = []

    def away(self, chosen: Sequence[Target], *, batch: str) -> list[str]:
        """Archive memories, none of which is archived already; return their ids."""
        key = forgotten.key_of(self.run.workspace)
        done = list[str]()
        for id_ in dict.fromkeys(each.id for each in chosen):
            those = [each for each in chosen if each.id == id_]
            for path in dict.fromkeys(each.path for each in those):
                self._take_out(id_, path, batch)
            at = self.moment(id_)
            texts = (text for each in those for text in each.phrases)
            # An entry of a session is not taken from again; of a whole session nothing says what it told.
            heard = (source for each in those for source in each.sources if "#" in source)
            said = forgotten.Said(texts, heard)
            self._rows.append(forgotten.stone(key, ts=at, op=FORGET, id=id_, batch=batch, said=said))
            self._note(id_, accesses.ARCHIVE, at)
            done.append(id_)
        self._flush(done, word="forgot", action="ARCHIVE")
        return done

    def back(self, named: Sequence[str]) -> list[str]:
        """Bring memories back, with what said the same and went with them; return the ids of those that were away."""
        last = {id_: row for id_, row in self.known.last.items() if row.op == FORGET}
        wanted = [last[id_] for id_ in named if id_ in last]
        twins = [
            id_
            for id_, row in last.items()
            if any(row.batch == each.batch and set(row.words) & set(each.words) for each in wanted)
        ]
        away = list(dict.fromkeys([*(id_ for id_ in named if id_ in last), *twins]))
        kept = [each for each in kept_in(self.door.text(self._in(FILE)) or "") if each.id in away]
        for each in reversed(kept):  # the last edit of a file first
            self._put_in(each)
        for id_ in away:
            at = self.moment(id_, later=True)
            self._rows.append(Row(at, RESTORE, id_))
            self._note(id_, accesses.RESTORE, at)
        gone = {each.raw for each in kept}
        if gone:
            self.door.edit(self._in(FILE), lambda text: _without(text, gone), summary="what it held is back")
        self._flush(away, word="brought back", action="EDIT")
        return away

    def _take_out(self, id_: str, path: str, batch: str) -> None:
        """Take one memory's lines out of a file, where it has any of its own there."""
        edit = _edit(id_, self.run.today)
        if edit is None:
            return
        paths = (path, self._in(EFFECTIVE)) if _kind(id_) == targets.PLAYBOOK else (path,)
        for each in paths:
            before = self.door.text(each)
            if before is None or not self.door.edit(each, edit, summary=f"forgot {id_}", action="ARCHIVE"):
                continue
            after = self.door.text(each) or ""
            row = {"id": id_, "batch": batch, "path": each, "digest": hunks.digest(after)}
            self._kept.append(jsonfiles.line(row | {"hunks": hunks.told(hunks.between(before, after))}) + "\n")

    def _put_in(self, kept: Kept) -> None:
        def edit(text: str) -> str:
            return hunks.taken_back(text, kept.hunks, is_same=hunks.digest(text) == kept.digest)

        self.door.edit(kept.path, edit, summary=f"brought back {kept.id}")

    def moment(self, id_: str, *, later: bool = False) -> str:
        """Return now, and never before what was last said of a memory: of two words of one second the last counts."""
        now, last = self.run.now, self.known.standing(id_)
        before = clock.parse(last.ts) if last else None
        return clock.iso(max(now, before + timedelta(seconds=int(later))) if before else now)

    def _note(self, id_: str, op: str, at: str) -> None:
        if store := STORE_OF.get(_kind(id_)):  # lines of observations and the playbook do not fade
            self._accesses.append(accesses.line(at, id_, op=op, store=store, why="forget"))

    def _flush(self, done: Sequence[str], *, word: str, action: str) -> None:
        if not done:
            return
        told = named(word, done)
        self.door.append(self._in(forgotten.FILE), "".join(map(forgotten.line, self._rows)), summary=told)
        if self._kept:
            self.door.append(self._in(FILE), "".join(self._kept), summary=told)
        if self._accesses:
            self.door.append(self._in(accesses.FILE), "".join(self._accesses), summary=told)
            decay.settle(self.run, self.door, self._memories(), action=action, actor=ACTOR)

    def _memories(self) -> list[Memory]:
        """Return all memories: what goes from MEMORY.md now and what comes back to it are both among them."""
        found = {each.id: each for each in stores.every(self.run)}
        for each in core_memory.memories(self.door.text(core_memory.FILE) or ""):
            found.setdefault(each.id, each)
        return list(found.values())

    def _in(self, name: str) -> str:
        return self.run.workspace.in_memory(name)


def _edit(id_: str, today: str) -> Callable[[str], str] | None:
    """Return what takes a memory out of its file, None for one whose status alone hides it."""
    kind, _, name = id_.partition(":")
    figures = {name.rpartition(":")[2]}
    if kind == ids.CORE:
        return lambda text: edits.without_core(text, figures)
    if kind == ids.FACT:
        entity = name.rpartition(":")[0]
        return lambda text: edits.shelved(text, entity, figures, today=today)
    return (lambda text: edits.without_lines(text, figures)) if kind in LINES else None


def lift(run: Run, door: Door, lifted: Sequence[str], revived: Sequence[str]) -> None:
    """Note that a person has something remembered anew: its tombstones go, and its file is told of again.

    lifted    ids whose words it says
    revived   ids that it is remembered under, which were archived
    """
    put = Put(run, door)
    rows = [Row(put.moment(id_), LIFT, id_) for id_ in lifted]
    rows += [Row(put.moment(id_, later=True), RESTORE, id_) for id_ in revived]
    if rows:
        told = named_ids(list(dict.fromkeys(row.id for row in rows)))
        text = "".join(map(forgotten.line, rows))
        door.append(run.workspace.in_memory(forgotten.FILE), text, summary=f"remembered anew: {told}")
        back = [(id_, store, put.moment(id_, later=True)) for id_ in revived if (store := STORE_OF.get(_kind(id_)))]
        seen = "".join(
            accesses.line(at, id_, op=accesses.RESTORE, store=store, why="remember") for id_, store, at in back
        )
        if seen:
            door.append(run.workspace.in_memory(accesses.FILE), seen, summary=f"remembered anew: {told}")


def kept_in(text: str) -> list[Kept]:
    """Return the lines of archived.jsonl; one that is none is left out."""
    found = []
    for row in text.split("\n"):
        with suppress(ValueError, TypeError, KeyError):
            value: dict[str, Any] = jsonfiles.loads(row)
            said = (value["id"], value["batch"], value["path"], value["digest"], hunks.read(value["hunks"]))
            found.append(Kept(*said, raw=row))
    return found


def told_in(run: Run, kept: Sequence[Kept]) -> set[str]:
    """Return the ids of which the reader may be told all that was taken out."""
    who, found, hidden = audience.current(run), set[str](), set[str]()
    for each in kept:
        found.add(each.id)
        rows = [row for hunk in each.hunks for row in hunk.gone if row.strip()]
        if any(who.line(labels.of_line(row), each.path, text=targets.said(row)) is Seen.HIDDEN for row in rows):
            hidden.add(each.id)
    return found - hidden


def taken_out(run: Run) -> list[Target]:
    """Return the lines that were taken out of files and that the reader may be told of, as what can be forgotten."""
    kept = kept_in(run.workspace.text(run.workspace.in_memory(FILE)) or "")
    told, found = told_in(run, kept), list[Target]()
    for each in kept:
        rows = [row for hunk in each.hunks for row in hunk.gone if targets.said(row)]
        store = STORE_OF.get(_kind(each.id), _kind(each.id))
        if each.id in told and _kind(each.id) != ids.FACT:
            found += [Target(each.id, store, lines.read(targets.said(row)).text, each.path, 1) for row in rows]
    return found


def last_batch(known: forgotten.Forgotten, told: Collection[str]) -> list[str]:
    """Return the ids that were forgotten together last, and still are. told: those that the reader may be told of"""
    away = [row for row in known.last.values() if row.op == FORGET and row.id in told]
    batch = max(away, key=lambda row: row.ts).batch if away else ""
    return [row.id for row in away if row.batch == batch]


def named(word: str, found: Sequence[str]) -> str:
    """Return what a change is called: the ids, of many how many there are.

    >>> named("forgot", ["core:1a2b3c4d"])
    'forgot core:1a2b3c4d'
    """
    return f"{word} {named_ids(found)}"


def named_ids(found: Sequence[str]) -> str:
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return f"{', '.join(found[:MOST_NAMED])}{more}"


def _kind(id_: str) -> str:
    return id_.partition(":")[0]


def _without(text: str, gone: set[str]) -> str:
    return "".join(f"{row}\n" for row in text.split("\n") if row and row not in gone)
