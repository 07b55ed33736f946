"""koog decay run, show: how relevant each memory still is.  [moltbot §9]

Reads   the five stores, memory/meta/decay-scores.json, memory/meta/access.jsonl; its months where the scores lack something
Writes  run: memory/meta/decay-scores.json, memory/meta/access.jsonl and its months in memory/meta/access/
Asks    nothing

Scores are reckoned from dates by the user's calendar day, never from the last result: a second run of a day finds
nothing to do, and days on which none ran are not missed.
"""  # noqa: E501  the header's lines are the table's cells

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.core import clock, failures, forgotten
from koog.core.clip import fitting
from koog.core.errors import KoogError, NotFound
from koog.core.files.record import Cause
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.run import Run
from koog.memory.fading import accesses, decay_scores, reckoning
from koog.memory.fading.decay_scores import Entry
from koog.memory.fading.reckoning import Present, Reckoned
from koog.memory.store import graph_writing, ids, stores
from koog.memory.store.memories import Memory
from koog.sessions import audience
from koog.sessions.audience import Seen

if TYPE_CHECKING:
    from koog.core.files.door import Door

ACTOR = "system:decay"  # moltbot §12.3
NO_TIME, DAY = timedelta(0), timedelta(days=1)
ROWS = 25  # of a reply, where they fit
IDS_TOLD = 10  # of one transition
MARK = "decay-day"  # in .koog: the day on which a tick has done it


class Status(StrEnum):
    """relevance.STATUSES, as Typer wants them."""

    ACTIVE = "active"
    FADING = "fading"
    DORMANT = "dormant"
    ARCHIVED = "archived"


class Done(NamedTuple):
    """What one run did.

    reckoned  what holds now
    moved     (status before, status now) → the memories that went over
    changed   whether anything was written
    folded    lines of the log that the scores have now
    """

    reckoned: Reckoned
    moved: dict[tuple[str, str], list[str]]
    changed: bool
    folded: int


def run_decay(ctx: typer.Context) -> Reply:
    """Reckon anew how relevant each memory is; say which went from one status to another."""
    run: Run = ctx.obj
    run.actor = ACTOR
    audience.own(run)
    memories = stores.every(run)
    done = work(run, memories)
    return Reply(
        "koog.decay.run/1",
        memories=len(done.reckoned.entries),
        changed=done.changed,
        statuses=decay_scores.counts(done.reckoned.entries.values()),
        transitions=_transitions(done.moved, _told(run, memories)),
        folded=done.folded,
        rebuilt=bool(done.reckoned.known.broken),
    )


def show(
    ctx: typer.Context,
    memory: Annotated[str | None, typer.Argument(metavar="[ID]", help="One memory: entity:person--alex.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only these.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many rows.")] = ROWS,
    offset: Annotated[int, typer.Option(min=0, help="Go on from this row.")] = 0,
) -> Reply:
    """Show how relevant memories are today, the least relevant first."""
    run: Run = ctx.obj
    memories = _told(run, stores.every(run))
    found = reckoning.reckon(run.workspace, list(memories.values()), Present.of(run))
    run.warnings += reckoning.warnings(run.workspace, found)
    hidden = forgotten.of(run.workspace).hidden  # by their ids only
    wanted = _named(memory, memories) if memory else [id_ for id_ in memories if id_ not in hidden]
    ranked = sorted(wanted, key=lambda id_: (found.entries[id_]["current_score"], id_))
    chosen = [id_ for id_ in ranked if status is None or found.entries[id_]["status"] == status]
    rows = fitting(_row(memories[id_], found.entries[id_]) for id_ in chosen[offset : offset + limit])
    after = offset + len(rows)
    if after < len(chosen):
        run.meta_extra["truncated"] = True
    return Reply(
        "koog.decay.show/1",
        memories=rows,
        total=len(chosen),
        next=after if after < len(chosen) else None,
        statuses=decay_scores.counts(found.entries[id_] for id_ in wanted),
        updated=clock.iso(found.known.updated) if found.known.updated else None,
    )


def at_tick(run: Run) -> dict[str, Any] | None:
    """Do it once on each of the user's days; None where it was done today. A failure is a warning: a tick goes on."""
    try:
        if run.workspace.cached(MARK) == run.today:
            return None
        memories = stores.every(run)
        done = work(run, memories, lazy=True)
        if not run.dry_run:
            run.workspace.cache(MARK, run.today)
    except KoogError as e:
        run.warnings.append(f"decay: {e.message}")
        # Cron throws the line away: status shows it.
        failures.record(run.root, e, command="tick", message=run.warnings[-1], now=run.now)
        return None
    except Exception as e:
        import traceback

        traceback.print_exc()
        run.warnings.append(f"decay: {type(e).__name__}: {e}")
        return None
    return {"changed": done.changed, "transitions": _transitions(done.moved, _told(run, memories))}


def work(run: Run, memories: Sequence[Memory], *, lazy: bool = False) -> Done:
    """Reckon, write what is new, and move the lines that the scores have now to their months.

    lazy   leave it where no status has changed and the file is younger than a day

    Raises WorkspaceError for a file that a newer koog has written, Busy.
    """
    with run.workspace.writing() as door:
        return settle(run, door, memories, lazy=lazy)


def settle(
    run: Run, door: Door, memories: Sequence[Memory], *, lazy: bool = False, action: str = "DECAY", actor: str = ACTOR
) -> Done:
    """Stage it, as `work` does. action, actor: as what the change of a status is told, and whose it is"""
    by, tree = Present.of(run), run.workspace
    found = reckoning.reckon(tree, memories, by, door.text)
    moved = transitions(found.known.entries, found.entries)
    known, folded = found.known, len(found.log.accesses)
    is_same = found.entries == known.entries and not known.broken and not folded
    is_young = known.updated is not None and not known.broken and NO_TIME <= by.now - known.updated < DAY
    run.warnings += reckoning.warnings(tree, found)
    if is_same or (lazy and is_young and not moved):
        return Done(found, moved, changed=False, folded=0)
    door.write(
        tree.in_memory(decay_scores.FILE),
        decay_scores.render(found.entries, by.now),
        summary=told(moved) or f"{len(found.entries)} entries, {folded} accesses",
        action=action if moved else None,
        cause=Cause(actor, trigger=run.trigger),
    )
    if folded:
        log = tree.in_memory(accesses.FILE)
        for month, lines in accesses.by_month(found.log.accesses).items():
            to = f"{tree.in_memory(accesses.FOLDER)}/{month}.jsonl"
            door.append(to, lines, summary=f"lines of {month} from {log}")
        door.edit(
            log,
            lambda text: accesses.without(text, found.log.accesses),
            summary=f"{folded} accesses moved by month",
        )
    graph_writing.index(run, door, found.entries)
    return Done(found, moved, changed=True, folded=folded)


def transitions(before: Mapping[str, Entry], now: Mapping[str, Entry]) -> dict[tuple[str, str], list[str]]:
    """Return which memories went from one status to another; a new one has none yet."""
    found: dict[tuple[str, str], list[str]] = {}
    for id_, entry in now.items():
        old = before.get(id_)
        if old is not None and old["status"] != entry["status"]:
            found.setdefault((old["status"], entry["status"]), []).append(id_)
    return dict(sorted(found.items()))


def told(moved: Mapping[tuple[str, str], Sequence[str]]) -> str:
    """Return transitions in moltbot §12.4's words.

    >>> told({("fading", "dormant"): ["core:1", "core:2"], ("active", "fading"): ["core:3"]})
    '2 entries transitioned: fading→dormant; 1 entry transitioned: active→fading'
    """
    return "; ".join(
        f"{len(them)} {'entry' if len(them) == 1 else 'entries'} transitioned: {before}→{now}"
        for (before, now), them in moved.items()
    )


def _transitions(moved: Mapping[tuple[str, str], Sequence[str]], seen: Mapping[str, Memory]) -> list[dict[str, Any]]:
    return [
        {"from": before, "to": now, "count": len(them), "ids": [id_ for id_ in them if id_ in seen][:IDS_TOLD]}
        for (before, now), them in moved.items()
    ]


def _told(run: Run, memories: Sequence[Memory]) -> dict[str, Memory]:
    """Return the memories whose names the reader may be told; of two of one id the first."""
    who, found = audience.current(run), dict[str, Memory]()
    for each in memories:
        if who.line(each.label, each.path, text=each.text) is not Seen.HIDDEN:
            found.setdefault(each.id, each)
    return found


def _named(told: str, memories: Mapping[str, Memory]) -> list[str]:
    """Return the id of one memory, of a fact its entity's. Raises UsageError, NotFound."""
    id_ = ids.parse(told)
    full = f"{ids.ENTITY}:{id_.entity}" if id_.kind == ids.FACT else f"{id_.kind}:{id_.name}"
    if full not in memories:
        raise NotFound(f"there is no {full}", hint="koog decay show")
    return [full]


def _row(memory: Memory, entry: Entry) -> dict[str, Any]:
    return {
        "id": memory.id,
        "store": entry["store"],
        "score": entry["current_score"],
        "status": entry["status"],
        "pinned": entry["pinned"],
        "base": entry["base_relevance"],
        "weight": entry["type_weight"],
        "accesses": entry["access_count"],
        "created": entry["created"],
        "lastAccessed": entry["last_accessed"],
        "path": memory.path,
        "line": memory.line,
    }
