"""koog pin: what never fades, whatever happens.  [moltbot §4, §9.1]

Reads   the memory's file
Writes  memory/meta/access.jsonl; MEMORY.md (a line moves to Critical Facts and back), an entity's file (`Pinned: yes`)
Asks    nothing
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from koog.core import approval
from koog.core.clock import iso
from koog.core.errors import NotFound, Refused
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.text import trust
from koog.core.text.voices import AGENT, NOTE, PERSON
from koog.memory.fading import accesses
from koog.memory.store import core_memory, entities, episodes, ids, procedures, vault
from koog.memory.store.core_memory import CONTEXT, CRITICAL
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, VAULT
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.memory.store.core_memory import Entry
    from koog.memory.store.ids import Id

Which = Annotated[str, typer.Argument(metavar="ID", help="As remember and decay show name it: core:1a2b3c4d.")]
STORE_OF = {
    ids.EPISODE: EPISODIC,
    ids.ENTITY: SEMANTIC,
    ids.FACT: SEMANTIC,
    ids.PROCEDURE: PROCEDURAL,
    ids.VAULT: VAULT,
    ids.CORE: CORE,
}


def pin(ctx: typer.Context, memory: Which) -> Reply:
    """Keep one memory from fading; a line of MEMORY.md moves to its Critical Facts."""
    return set_pinned(ctx.obj, memory, pinned=True)


def set_pinned(run: Run, named: str, *, pinned: bool) -> Reply:
    audience.own(run)
    id_ = ids.parse(named)
    if id_.kind == ids.FACT:  # a fact does not fade by itself: its entity does
        id_ = ids.Id(ids.ENTITY, id_.entity)
    if id_.kind == ids.VAULT and not pinned:
        raise Refused("nothing in the vault fades", hint="move the file out of memory/vault/")
    if approval.at_terminal():
        run.act_as("bot:trigger-remember", trigger=run.trigger)
    with run.workspace.writing() as door:
        path, changed = _PLACED[id_.kind](run, door, id_, pinned)
        if changed and id_.kind != ids.VAULT:
            op = accesses.PIN if pinned else accesses.UNPIN
            full = f"{id_.kind}:{id_.name}"
            line = accesses.line(iso(run.now), full, op=op, store=STORE_OF[id_.kind], why="explicit")
            door.append(run.workspace.in_memory(accesses.FILE), line, summary=f"{op} {full}")
    return Reply(
        "koog.pin/1" if pinned else "koog.unpin/1",
        id=f"{id_.kind}:{id_.name}",
        store=STORE_OF[id_.kind],
        path=path,
        pinned=pinned or id_.kind == ids.VAULT,
        changed=changed,
    )


def _core(run: Run, door: Door, id_: Id, pinned: bool) -> tuple[str, bool]:
    """Move a line of MEMORY.md to its Critical Facts, or from there to what is going on now."""
    text = door.text(core_memory.FILE) or ""
    found = core_memory.find(text, id_.name)
    if found is None:
        raise _missing(id_)
    if (found.block == CRITICAL) == pinned:
        return core_memory.FILE, False
    _check(run, found, pinned=pinned)
    block = CRITICAL if pinned else CONTEXT

    def move(now: str) -> str:
        entry = core_memory.find(now, id_.name)
        if entry is None:
            return now
        return core_memory.moved(now, entry, block)

    return core_memory.FILE, door.edit(
        core_memory.FILE, move, summary=f"{'' if pinned else 'un'}pinned core:{id_.name}"
    )


def _check(run: Run, found: Entry, *, pinned: bool) -> None:
    """Raise Refused for a line that no person pins and that would steer who reads it for good."""
    del run
    who = PERSON if approval.at_terminal() else AGENT
    if pinned and trust.verdict(found.line.text, who, register=NOTE, kind=trust.PATTERN) != trust.TAKEN:
        raise Refused("this reads like an order to whoever reads it", hint="a person pins it, in a terminal")


def _entity(run: Run, door: Door, id_: Id, pinned: bool) -> tuple[str, bool]:
    path = run.workspace.in_memory(entities.path(id_.name))
    text = door.text(path)
    if text is None:
        raise _missing(id_)
    if entities.read(text, id_.name, path).is_pinned == pinned:
        return path, False
    word = "yes" if pinned else "no"

    def edit(now: str) -> str:
        if entities.PINNED in entities.read(now, id_.name, path).fields:
            return entities.with_field(now, entities.PINNED, word)
        return entities.with_comment(now, f"{entities.PINNED}: {word}")

    return path, door.edit(path, edit, summary=f"{'' if pinned else 'un'}pinned entity:{id_.name}")


def _episode(run: Run, door: Door, id_: Id, pinned: bool) -> tuple[str, bool]:
    day = id_.name[:10]
    path = run.workspace.in_memory(episodes.path(day))
    if all(each.id != f"{ids.EPISODE}:{id_.name}" for each in episodes.read(door.text(path) or "", day, path)):
        raise _missing(id_)
    return path, _is_news(run, door, id_, pinned)


def _procedure(run: Run, door: Door, id_: Id, pinned: bool) -> tuple[str, bool]:
    path = run.workspace.in_memory(procedures.path(id_.name))
    if door.text(path) is None:
        raise _missing(id_)
    return path, _is_news(run, door, id_, pinned)


def _vault(run: Run, door: Door, id_: Id, _: bool) -> tuple[str, bool]:
    path = run.workspace.in_memory(vault.path(id_.name))
    if door.text(path) is None:
        raise _missing(id_)
    return path, False


def _is_news(run: Run, door: Door, id_: Id, pinned: bool) -> bool:
    """Return whether the last word on a memory, which only the log has, was another one."""
    from koog.memory.fading import decay_scores

    return decay_scores.is_pinned(run.workspace, door.text, f"{id_.kind}:{id_.name}") != pinned


def _missing(id_: Id) -> NotFound:
    return NotFound(f"there is no {id_.kind}:{id_.name}", hint="koog decay show")


_PLACED = {
    ids.CORE: _core,
    ids.ENTITY: _entity,
    ids.EPISODE: _episode,
    ids.PROCEDURE: _procedure,
    ids.VAULT: _vault,
}
