"""koog recall: what is remembered that answers a question, the stores first, and how sure that is.  [moltbot §11]

Reads   the five stores, decay scores and the log of accesses, .koog/index.db, MEMORY.md, knowledge/ and archive/; where
        the stores are silent the raw sessions, daily notes and observations: of all that what the reader may see
Writes  .koog/index.db, as `search` does; with --used memory/meta/access.jsonl
Asks    the embedding endpoint, where `search.embedding` names one

Being shown is no use: a memory that was used in a reply is named with --used, and is the stronger for it.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.core import clock
from koog.core.clip import fitting
from koog.core.errors import NotFound, Refused, UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.memory.answering import asking, brief, rows
from koog.memory.answering.asking import Wish
from koog.memory.fading import accesses
from koog.memory.store import ids
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.memory.answering.asking import Recalled

QUERY_CHARS = 200
ROWS_CHARS, WEAK_CHARS = 7000, 1500


class Store(StrEnum):
    """memories.STORES, as Typer wants them."""

    CORE = "core"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    VAULT = "vault"


def recall(
    ctx: typer.Context,
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY|ID", help="A question, or a memory's id; '-' reads stdin.")
    ] = None,
    store: Annotated[Store | None, typer.Option(help="Only this store.")] = None,
    as_of: Annotated[str | None, typer.Option(metavar="DATE", help="What was known and held on that day.")] = None,
    depth: Annotated[
        int | None, typer.Option(min=0, max=2, help="Steps along relations; else memory.graphDepth.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=100, help="At most so many; else memory.maxResults.")] = None,
    dormant: Annotated[bool, typer.Option("--dormant", help="What has faded, too.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say how each was found.")] = False,
    in_brief: Annotated[bool, typer.Option("--brief", help="A few plain lines to paste, and no rows.")] = False,
    used: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A memory that was used in a reply; may be repeated.")
    ] = None,
    project: Annotated[
        str | None, typer.Option(metavar="P|all", help="For that project, or for all; else for that of this folder.")
    ] = None,
) -> Reply:
    """Recall what answers a question; say where it stands, since when it holds, and how sure it is."""
    run: Run = ctx.obj
    if query is None and not used:
        raise UsageError("recall what?", hint='koog recall "when is the release?"')
    audience.named(run, project)
    strengthened = _strengthen(run, used or [])
    if query is None:
        return _reply(run, "", None, strengthened, explain=explain, in_brief=in_brief)
    text = text_or_stdin(query, what="QUERY")
    if not text.strip():
        raise UsageError("the question is empty", hint='koog recall "when is the release?"')
    wish = Wish(
        text.strip(),
        store=store.value if store else None,
        as_of=_day(as_of, today=run.today) if as_of is not None else None,
        depth=run.settings.get("memory.graphDepth") if depth is None else depth,
        limit=limit or run.settings.get("memory.maxResults"),
        least=run.settings.get("memory.minScore"),
        dormant=dormant,
    )
    return _reply(run, text, asking.recalled(run, wish), strengthened, explain=explain, in_brief=in_brief)


def _day(text: str, *, today: str) -> str:
    """Return the day of --as-of. Raises UsageError."""
    day = clock.parse_day(text)
    if day is None:
        raise UsageError(f"--as-of {text!r} is no day", hint="--as-of 2026-03-31")
    return min(day, date.fromisoformat(today)).isoformat()


def _strengthen(run: Run, used: list[str]) -> list[str]:
    """Note that memories were used; return their ids. Raises UsageError, NotFound, and Refused for another agent."""
    if not used:
        return []
    if run.agent:
        raise Refused("what another agent uses strengthens nothing", hint="without --used")
    told = [f"{each.kind}:{each.name}" for each in map(ids.parse, used)]
    present = asking.present(run, told)
    if missing := [id_ for id_ in told if id_ not in present]:
        raise NotFound(f"there is no {missing[0]}", hint="koog recall: an id as it is told")
    stores = {id_: item.store for id_, item in present.items()}
    rows_ = [
        accesses.line(clock.iso(run.now), id_, op=accesses.ACCESS, store=stores[id_], why="used")
        for id_ in dict.fromkeys(told)
    ]
    with run.workspace.writing() as door:
        door.append(run.workspace.in_memory(accesses.FILE), "".join(rows_), summary=f"{len(rows_)} used")
    return list(dict.fromkeys(told))


def _reply(run: Run, query: str, found: Recalled | None, used: list[str], *, explain: bool, in_brief: bool) -> Reply:
    answer = found.answer if found else None
    told, weak = (answer.told, answer.weak) if answer else ([], [])
    raw = found.raw if found else []
    shown = (
        []
        if in_brief
        else fitting((rows.row(found, each, explain=explain) for each in told if found), chars=ROWS_CHARS)
    )
    there = {(hit.path, hit.line) for hit in raw}
    others = [each for each in weak if (each.scored.item.path, each.scored.item.line) not in there]
    nearest = (
        []
        if in_brief
        else fitting((rows.row(found, each, explain=explain) for each in others if found), chars=WEAK_CHARS)
    )
    left = ROWS_CHARS + WEAK_CHARS - sum(map(len, map(str, (*shown, *nearest))))
    sessions = (
        []
        if in_brief or left < WEAK_CHARS
        else fitting((rows.of_hit(hit, found.question) for hit in raw if found), chars=left)
    )
    if len(shown) < len(told) and not in_brief:
        run.meta_extra["truncated"] = True
    year = (found.wish.as_of or run.today)[:4] if found else ""
    lines: dict[str, Any] = (
        {"brief": brief.text(found.question, found.answer, raw, year=year)} if in_brief and found else {"brief": None}
    )
    reply = Reply(
        "koog.recall/1",
        query=query[:QUERY_CHARS],
        kind=found.question.kind if found else None,
        asOf=found.wish.as_of if found else None,
        found=bool(found and found.is_sure),
        source=found.source if found else None,
        **lines,
        results=shown,
        sessions=sessions,
        weak=nearest,
        entities=[rows.entity(each) for each in found.question.meant] if found else [],
        related=rows.related(found) if found and not in_brief else [],
        total=len(told),
        hidden={"dormant": answer.dormant if answer else 0, "archived": answer.archived if answer else 0},
        used=used,
        stale=bool(found and found.stale),
    )
    if run.human:
        from koog.memory import recall_view

        reply.view = recall_view.sections(reply.keys)
    return reply
