"""koog remember: one thing goes to the store where it will be found again.  [moltbot §8.2]

Reads   MEMORY.md, the day's episodes, the files of the entities that are named
Writes  MEMORY.md, memory/episodes/, memory/graph/entities/, memory/procedures/, memory/vault/: whichever it is for;
        memory/meta/access.jsonl, memory/meta/changes.jsonl; memory/graph/relations.md with the first entity
Asks    the `memory_router` route, once for each thing without --store

The second time on one day it is the same thing: its id comes back, and nothing is written.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import accumulate
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.core import approval
from koog.core.errors import Refused, UsageError
from koog.core.files.record import BATCH
from koog.core.refused import MOST, refusal
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.core.task import Task
from koog.memory import remember_rules, routing
from koog.memory import wanted as wishes
from koog.memory.keeping import Kept
from koog.memory.portions import Left, Storing
from koog.memory.store import core_memory
from koog.memory.store.drafts import Place
from koog.memory.wanted import Wanted
from koog.sessions import audience

if TYPE_CHECKING:
    from collections.abc import Callable

    from koog.core.files.door import Door
    from koog.core.task import Answer
    from koog.memory.names.known import Known

MOST_IN_REPLY, REPLY_CHARS = 100, 8000  # rows of a batch, and about the characters of all of them


TASK = Task(
    file=Path(__file__),
    route="memory_router",
    rules=remember_rules.answer,
    render=lambda given: {
        "content": given.content,
        "entities": "\n".join(f"{id_}: {name}" for name, id_ in given.names.items()),
        "core": given.core,
        "today": given.today.isoformat(),
    },
    writes=False,
)


class Store(StrEnum):
    """memories.STORES and `auto`, as Typer wants them."""

    AUTO = "auto"
    CORE = "core"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    VAULT = "vault"


class Block(StrEnum):
    """core_memory.TITLES, as Typer wants them."""

    IDENTITY = "identity"
    CONTEXT = "context"
    PERSONA = "persona"
    CRITICAL = "critical"


def remember(
    ctx: typer.Context,
    text: Annotated[str | None, typer.Argument(metavar="TEXT|-", help="What to remember; '-' reads stdin.")] = None,
    store: Annotated[Store, typer.Option(help="Where to; auto asks the router.")] = Store.AUTO,
    block: Annotated[Block | None, typer.Option(help="Which block of MEMORY.md, with --store core.")] = None,
    replaces: Annotated[str, typer.Option(metavar="ID|LINE", help="What it takes the place of.")] = "",
    explicit: Annotated[bool, typer.Option("--explicit", help="The user asked for it.")] = False,
    tags: Annotated[str, typer.Option(metavar="A,B", help="Subjects to find it by.")] = "",
    entity: Annotated[str, typer.Option(metavar="ID|NAME", help="What it is about, with --store semantic.")] = "",
    edge: Annotated[
        list[str] | None, typer.Option(metavar="REL:TO", help="How that is linked with another; may be repeated.")
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="A name that is like a known one (candidates) is that one's other name.")
    ] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Over the cap of MEMORY.md, let lines go to the episodes.")
    ] = False,
    batch: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON lines of such things; '-' reads stdin.")
    ] = None,
) -> Reply:
    """Remember one thing, in the store where it belongs; the same thing twice on one day is one."""
    run: Run = ctx.obj
    one = Wanted(
        text or "",
        store.value,
        block.value if block else None,
        explicit,
        replaces,
        wishes.words(tags),
        entity,
        wishes.edges(edge or []),
        merges=merge,
    )
    if batch is not None:
        if text is not None:
            raise UsageError("TEXT and --batch are two ways to say what to remember", hint="one of them")
        wanted = wishes.read_batch(text_or_stdin("-", what="--batch") if str(batch) == "-" else wishes.file(batch), one)
    elif text is None:
        raise UsageError("remember what?", hint='koog remember "Ana is allergic to peanuts"')
    else:
        wanted = [one._replace(text=text_or_stdin(text, what="TEXT"))]
    left: list[Left] = []
    kept, engine = store_all(run, wanted, prune=prune, left=None if batch is None else left)
    if left and not kept:
        raise Refused(f"--batch line {left[0].number}: {left[0].why}", hint="the other lines are refused, too")
    rows = [each.row for each in kept]
    first = rows[0] if batch is None else dict.fromkeys(ROW)
    told = [] if batch is None else _shown(rows)
    if batch is not None and (len(left) > MOST or len(rows) > len(told)):
        run.meta_extra["truncated"] = True
    return Reply(
        "koog.remember/1",
        **first,
        engine=engine,
        memories=told,
        count=sum(row["created"] for row in rows),
        refused=[{"line": each.number, **refusal(each.text, each.why)} for each in left[:MOST]],
        coreTokens=_core_tokens(run),
    )


ROW = (
    "id store path created replaced against block entities relations tags confidence summary type coreId candidates"
).split()


def store_all(
    run: Run,
    wanted: list[Wanted],
    *,
    prune: bool = False,
    word: bool | None = None,
    asks: bool = True,
    actor: str | None = None,
    then: Callable[[Door, list[Kept]], None] | None = None,
    left: list[Left] | None = None,
    lifts: bool = True,
) -> tuple[list[Kept], str]:
    """Put some things into their stores; return what became of each, and the engine that was asked.

    Each finds what those before it leave, as if they had been told one by one. It is one step; with `left` one for
    each PORTION: what has been stored stays, whatever becomes of the rest, and the same call again goes on with that.

    word   whether a person stands behind it; None: whether the command was typed in a terminal
    asks   whether a model may be asked where a thing belongs
    actor  who writes it, where that is neither the user nor the command
    then   stages what is to happen in the same step
    left   takes what is refused, and the rest goes on; None: one that is refused refuses all
    lifts  whether what was forgotten comes back where the user asks for it; else it is refused
    """
    is_persons = approval.at_terminal() if word is None else word
    who = audience.current(run)
    if who.is_nobody:
        raise Refused("this workspace is not for this project: nothing is remembered here")
    is_asked = any(each.explicit for each in wanted) or is_persons
    noticed = "bot:auto-detect" if run.actor == Run.actor else run.actor
    usual = "bot:trigger-remember" if is_asked else noticed
    # Without the words: they must be forgettable. The commits of one batch are told by its name.
    batch = f"{BATCH}{token_hex(4)}" if left is not None else ""
    run.act_as(actor or usual, trigger=batch or f"koog {run.command}")
    engines = list[str]()

    def route(each: Wanted, names: Known, core: str) -> tuple[Wanted, Answer]:
        thing, answer = routing.routed(run, TASK, each, names, core, is_persons=is_persons, asks=asks)
        engines.append(answer.engine)
        return thing, routing.of_group(answer) if who.is_group else answer

    storing = Storing(
        run,
        route,
        place=Place(who.says, run.today, f"{run.now.astimezone(run.zone):%H:%M}"),
        prune=prune,
        asks_model=asks and run.asker.uses_model,
        may=lambda thing: lifts and (is_persons or thing.explicit),
        left=left,
        then=then,
    )
    return storing.stored(wanted), engines[0] if engines else ""


def _shown(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first rows of a batch, as many as one line can hold; one at least."""
    sizes = accumulate(len(str(row)) for row in rows[:MOST_IN_REPLY])
    return rows[: max(1, sum(size <= REPLY_CHARS for size in sizes))]


def _core_tokens(run: Run) -> int:
    text = run.workspace.text(core_memory.FILE) or ""
    return core_memory.size(text, 0).tokens
