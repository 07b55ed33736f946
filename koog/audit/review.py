"""koog review: what other agents propose, and what was held back, is decided.  [moltbot §13.3 to §13.7]

Reads   memory/meta/pending-memories.md; what is remembered, for conflicts with it
Writes  list, show: nothing; commit, keep-both, auto: the store that it goes to, memory/meta/pending-memories.md;
        reject, defer: memory/meta/pending-memories.md
Asks    commit, keep-both, auto: the `memory_router` route, for what names no store

Committed and rejected ones leave the file; the audit log tells what became of each, by its number.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from koog.audit import committing, pending
from koog.audit.propose import Store
from koog.core import proposals
from koog.core.errors import UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.view import DIM, GOOD, STRONG, WARN, Cell, Section
from koog.sessions import audience

Number = Annotated[str, typer.Argument(metavar="ID", help="A proposal's number.")]
SHOWN = 100  # proposals in a list
VIEW_CHARS = 200


def list_proposals(ctx: typer.Context) -> Reply:
    """List the proposals that wait, the oldest first."""
    run: Run = ctx.obj
    audience.own(run)
    settled = pending.look(run)
    found = [each for each in settled.entries if each.is_waiting]
    if gone := pending.vanished(run, settled):
        named = ", ".join(f"#{n}" for n in gone)
        run.warnings.append(f"{named} waited and was taken out by another hand: koog audit blame {pending.path(run)}")
    rows = [pending.row(run, entry) for entry in found[:SHOWN]]
    reply = Reply(
        "koog.review.list/1",
        proposals=rows,
        count=len(found),
        mode=run.settings.get("memory.reviewMode"),
        path=pending.path(run),
    )
    if run.human:
        reply.view = _view(rows, len(found))
    return reply


def show(ctx: typer.Context, proposal: Number) -> Reply:
    """Show one proposal whole, with what it is in conflict with in words."""
    run: Run = ctx.obj
    audience.own(run)
    settled = pending.look(run)
    entry = pending.one(settled, _number(proposal))
    found = pending.rivals(run, settled, entry)
    rivals = [{"id": f"#{e.number}", "text": e.content} for e in settled.entries if f"#{e.number}" in found]
    rivals += [{"id": each.id, "text": each.text} for each in pending.opposed(run, entry.content, entry.entities)]
    why = pending.hindrance(run, settled, entry, proposals.made_here(run.state_root))
    return Reply("koog.review.show/1", **pending.row(run, entry, whole=True), rivals=rivals, notByItself=why or None)


def commit(
    ctx: typer.Context,
    proposal: Number,
    store: Annotated[Store | None, typer.Option(help="Another store than it suggests.")] = None,
    over: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="What it is right against: a proposal's number, a memory's id; repeatable."),
    ] = None,
) -> Reply:
    """Put a proposal into its store."""
    run: Run = ctx.obj
    audience.own(run)
    over = [each.removeprefix("#") for each in over or []]
    row = committing.commit(run, _number(proposal), store=store.value if store else "", over=over)
    return Reply("koog.review.commit/1", **row, rejected=[int(n) for n in over if n.isdecimal()], waiting=_left(run))


def keep_both(
    ctx: typer.Context,
    proposal: Number,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="A proposal's number, or a memory's id.")],
) -> Reply:
    """Store both sides of a conflict, with low confidence and linked as contradictory."""
    run: Run = ctx.obj
    audience.own(run)
    rows = committing.keep_both(run, _number(proposal), other.removeprefix("#"))
    return Reply("koog.review.keep-both/1", committed=rows, waiting=_left(run))


def reject(
    ctx: typer.Context,
    proposal: Number,
    why: Annotated[str, typer.Option(metavar="TEXT", help="Why: it stands in the audit log for good.")],
) -> Reply:
    """Take a proposal away; the audit log keeps that it was there, and why it went."""
    run: Run = ctx.obj
    audience.own(run)
    if not why.strip():
        raise UsageError("--why is empty", hint='--why "duplicate"')
    entry = committing.reject(run, _number(proposal), why=why)
    return Reply("koog.review.reject/1", id=_number(proposal), **{"from": entry.author}, waiting=_left(run))


def defer(ctx: typer.Context, proposal: Number) -> Reply:
    """Leave a proposal for later: until the user was asked, or to the next consolidation."""
    run: Run = ctx.obj
    audience.own(run)
    entry = committing.defer(run, _number(proposal))
    return Reply("koog.review.defer/1", id=_number(proposal), status=entry.status, waiting=_left(run))


def auto(ctx: typer.Context) -> Reply:
    """Commit what may go by itself: of high confidence, from trusted agents, in no conflict and no instruction."""
    run: Run = ctx.obj
    audience.own(run)
    done = committing.auto(run)
    reply = Reply("koog.review.auto/1", committed=done.committed, left=done.left, waiting=_left(run))
    if run.human:
        rows = [[_cell(f"#{r['proposal']}", STRONG), _cell(r["from"]), _cell(r["id"])] for r in done.committed]
        left = [[_cell(f"#{r['id']}", STRONG), _cell(r["from"]), _cell(r["why"], WARN)] for r in done.left]
        reply.view = [
            Section("Committed", rows, ("", "from", "memory"))
            if rows
            else Section("", [[Cell("nothing was committed", DIM)]]),
            *([Section("Waiting", left, ("", "from", "why"))] if left else []),
        ]
    return reply


def _number(told: str) -> int:
    bare = told.strip().removeprefix("#").removeprefix("proposal-")
    if not (bare.isdecimal() and bare.isascii()):
        raise UsageError(f"{told[:40]!r} is no proposal's number", hint="koog review list")
    return int(bare)


def _left(run: Run) -> int:
    return len(pending.waiting(run))


def _view(rows: list[dict[str, Any]], count: int) -> list[Section]:
    """Return the proposals as a person reads them: what, from whom, what stands in the way."""
    if not rows:
        return [Section("", [[Cell("● nothing waits for review", GOOD)]])]
    told = []
    for row in rows:
        rivals = ", ".join([*(f"#{n}" for n in row["conflicts"]), *row["against"]])
        notes = [
            f"⚠ conflict with {rivals}" if rivals else "",
            row["needsWord"] and f"needs your word: {row['needsWord']}",
        ]
        notes.append("not as koog wrote it: by whom is not known" if row["byHand"] else "")
        notes.append("deferred" if row["status"] == "deferred" else "")
        content = " ".join(row["content"].split())
        core = ", core-worthy" if row["coreWorthy"] else ""
        where = f"from {row['from'] or '?'}, for {row['store'] or 'auto'}, confidence {row['confidence']}{core}"
        told += [
            [
                _cell(f"#{row['id']}", STRONG),
                _cell(content if len(content) <= VIEW_CHARS else content[: VIEW_CHARS - 1] + "…", STRONG),
            ],
            [_cell(""), _cell(where, DIM)],
            *([_cell(""), _cell(note, WARN)] for note in notes if note),
        ]
    title = f"{count} waiting for review"
    ways = "koog review show ID, commit ID, reject ID --why TEXT, defer ID"
    of_conflicts = "in conflict: koog review commit ID --over OTHER, keep-both ID OTHER"
    return [
        Section(title, told, whole=(0,)),
        Section("", [[_cell(ways, DIM)], [_cell(of_conflicts, DIM)]]),
    ]


def _cell(text: Any, level: str = "plain") -> Cell:
    return Cell(str(text), level)
