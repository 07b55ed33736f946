"""koog forget: what somebody wants forgotten is listed, archived by --confirm, and brought back by --undo.  [moltbot §8.3]

Reads   the five stores, observations.md, favorites.md, the playbook, the lines of knowledge/ and archive/; with --hard every file of the workspace, the raw transcripts, .koog/, the state root
Writes  with --hard --confirm: all of these; with --confirm and --undo: MEMORY.md, an entity's file, observations.md, the playbook, a file of knowledge/ or archive/, whichever holds it; memory/meta/forgotten.jsonl, memory/meta/archived.jsonl, memory/meta/access.jsonl, memory/meta/decay-scores.json, memory/graph/index.md
Asks    nothing

Without --confirm it lists, and changes nothing. What is archived is told to nobody, but by its id. --hard deletes for
good, and needs a person's word.
"""  # noqa: E501  the header's lines are the table's cells

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Annotated, Any

import typer

from koog.core import approval, forgotten
from koog.core.clip import clip, fitting
from koog.core.errors import NotFound, Refused, UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.memory import decay
from koog.memory.forgetting import archive, deleting, deletions, left, matches, purge, targets
from koog.memory.forgetting.archive import Put
from koog.memory.forgetting.matches import Match
from koog.memory.forgetting.meant import Found
from koog.memory.forgetting.targets import Target
from koog.memory.store import stores
from koog.sessions import audience

SHOWN_CHARS = 160
IDS_TOLD = 100
MOST_CHANGES = 10  # of a row
NEAR_CHARS = 2000


def forget(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None, typer.Argument(metavar="[QUERY|ID]...", help="What is meant; with --confirm, --undo: ids.")
    ] = None,
    confirm: Annotated[bool, typer.Option("--confirm", help="Archive these ids.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Bring these ids back; without any, the last ones.")] = False,
    session: Annotated[str, typer.Option(metavar="ID", help="What this session taught.")] = "",
    hard: Annotated[
        bool, typer.Option("--hard", help="For good, from every place; with --confirm it is done.")
    ] = False,
    words: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="With --hard: these words too, wherever they stand.")
    ] = None,
) -> Reply:
    """List what would be forgotten; archive it with --confirm, bring it back with --undo, delete it with --hard."""
    run: Run = ctx.obj
    reply = _done(run, query or [], session, words or [], confirm=confirm, undo=undo, hard=hard)
    if run.human:
        from koog.memory import forget_view

        reply.view = forget_view.sections(reply.keys)
    return reply


def _done(
    run: Run, query: list[str], session: str, words: list[str], *, confirm: bool, undo: bool, hard: bool
) -> Reply:
    """Do what the options ask for. Raises UsageError, Refused, NotFound."""
    run.act_as(archive.ACTOR, trigger="koog forget")  # without the words: they must be forgettable
    if audience.current(run).is_nobody:
        raise Refused("this workspace is not for this project: nothing is forgotten here")
    if words and not hard:
        raise UsageError("--words is for what is deleted for good", hint="--hard")
    if confirm and undo:
        raise UsageError("--confirm and --undo are two things", hint="one of them")
    if hard:
        if undo:
            raise UsageError("what is deleted for good cannot be brought back", hint="--undo without --hard")
        return _delete(run, query, session, words, confirm=confirm)
    if undo:
        return _undo(run, query)
    if confirm:
        return _confirm(run, query, session)
    wanted = " ".join(query).strip()
    if not wanted and not session:
        raise UsageError("forget what?", hint='koog forget "the gate code"')
    every = targets.every(run)
    found = (
        Found(_of_session(every, session), []) if session else _meant(run, every, text_or_stdin(wanted, what="QUERY"))
    )
    return _listed(matches.with_same(every, found.meant), matches.with_same(every, found.near))


def _meant(run: Run, every: Sequence[Target], said: str) -> Found:
    if targets.is_id(said):
        return Found(targets.chosen(every, [targets.parse(said)]), [])
    from koog.search import alike

    query = matches.wished(said)
    return matches.like(every, query, matches.searched(run, query), alike.of_sentences(run), said=said)


def _of_session(every: Sequence[Target], session: str) -> list[Target]:
    """Return what was heard in a session, by its key, or by the end of it: `3f2a…` of `claude/3f2a…`."""

    def is_of(source: str) -> bool:
        key = source.partition("#")[0]
        return session == key or key.endswith(f"/{session}")

    return [each for each in every if any(map(is_of, each.sources))]


def _with_session(
    every: Sequence[Target], chosen: list[Target], session: str, *, is_gone: bool = False
) -> list[Target]:
    """Return what is chosen, with what was heard in a session, each thing once. Raises NotFound for nothing.

    is_gone   it may just have been deleted
    """
    if not session:
        return chosen
    heard = _of_session(every, session)
    if not heard and not is_gone:
        raise NotFound(f"nothing that is remembered was heard in session {clip(session, 80)!r}", hint="koog why ID")
    return list({(e.id, e.path, e.line): e for e in (*chosen, *heard)}.values())


def _listed(found: Sequence[Match], near: Sequence[Match]) -> Reply:
    rows = fitting(map(_row, found))
    named = [row["id"] for row in rows]
    reply = _keys(matches=rows, near=fitting(map(_row, near), chars=NEAR_CHARS), total=len(found))
    if named:
        reply["command"] = f"koog forget --confirm {' '.join(dict.fromkeys(named))}"
    return Reply("koog.forget/1", **reply)


def _row(match: Match) -> dict[str, Any]:
    each = match.target
    every = (each, *match.same)
    return {
        "id": each.id,
        "store": each.store,
        "text": clip(" ".join(each.text.split()), SHOWN_CHARS),
        "path": each.path,
        "line": each.line,
        "project": each.label.project or None,
        "changes": [{"id": e.id, "path": e.path, "line": e.line, "what": matches.would(e)} for e in every][
            :MOST_CHANGES
        ],
        "more": max(0, len(every) - MOST_CHANGES),
    }


def _confirm(run: Run, named: Sequence[str], session: str) -> Reply:
    """Archive what is named, and what says the same."""
    wanted = list(dict.fromkeys(map(targets.parse, named)))
    if not wanted and not session:
        raise UsageError("--confirm what?", hint="koog forget QUERY lists the ids")
    approval.by_hand(run)
    with run.workspace.writing() as door:
        every = targets.every(run)
        chosen, missing = matches.known_ids(every, wanted)
        hidden = forgotten.of(run.workspace).hidden
        if unknown := [id_ for id_ in missing if id_ not in hidden]:
            raise NotFound(f"there is no {', '.join(unknown[:3])}", hint="koog forget QUERY")
        chosen = _with_session(every, chosen, session)
        going = matches.everything(matches.with_same(every, chosen))
        done = Put(run, door).away(going, batch=_batch(run, going))
    return Reply("koog.forget/1", **_keys(archived=done, total=len(done), command=_undoing(done)))


def _undo(run: Run, named: Sequence[str]) -> Reply:
    """Bring back what is named, or what was forgotten last."""
    wanted = list(dict.fromkeys(map(targets.parse, named)))
    approval.by_hand(run)
    with run.workspace.writing() as door:
        put = Put(run, door)
        kept = archive.kept_in(door.text(run.workspace.in_memory(archive.FILE)) or "")
        told = {each.id for each in targets.every(run, archived=True)} | archive.told_in(run, kept)
        told &= put.known.hidden
        wanted = wanted or archive.last_batch(put.known, told)
        if any((row := put.known.standing(id_)) and row.op == forgotten.DELETE for id_ in wanted):
            raise Refused("what was deleted for good does not come back", hint='koog remember "…" --explicit')
        if unknown := [id_ for id_ in wanted if id_ not in told]:
            raise NotFound(f"{', '.join(unknown[:3])} is not forgotten", hint="koog why ID")
        done = put.back(wanted)
    return Reply("koog.forget/1", **_keys(restored=done, total=len(done)))


def _delete(run: Run, named: Sequence[str], session: str, words: Sequence[str], *, confirm: bool) -> Reply:
    """Delete what is named for good, and what says the same; without --confirm list where it stands."""
    audience.own(run)  # the words go from every project's files
    finished = purge.finish(run, wait_s=run.workspace.lock_wait_s, anew=True) if not run.dry_run else []
    ids = list(dict.fromkeys(map(targets.parse, named)))
    every = [*targets.every(run, archived=True), *archive.taken_out(run)]
    chosen, missing = matches.known_ids(every, ids)
    chosen = _with_session(every, chosen, session, is_gone=bool(finished))
    if missing and not finished:
        raise NotFound(f"there is no {', '.join(missing[:3])}", hint="koog forget QUERY")
    if not chosen and not words and not finished:
        raise UsageError("--hard what?", hint="koog forget QUERY lists the ids")
    going = matches.everything(matches.with_same(every, chosen))
    what = deleting.wanted(run, going, words)
    if not confirm:
        found = purge.places(run, what)
        named_ = [f"--words {quote(text)}" for text in words]
        told = " ".join(("koog forget --hard --confirm", *dict.fromkeys(each.id for each in chosen), *named_))
        return Reply(
            "koog.forget/1", **_keys(places=_rows(found), total=len(what.ids), command=told, **_left(run, what))
        )
    if what.ids or what.named:
        deletions.require(run, what)
        finished += purge.delete(run, what)
        if not run.dry_run:
            decay.work(run, stores.every(run))
    keys = _keys(deleted=what.ids, total=len(what.ids), places=_rows(finished), **_left(run, what))
    return Reply("koog.forget/1", **keys)


def _rows(found: Sequence[deleting.Place]) -> list[dict[str, str]]:
    return fitting(each.row for each in found)


def _left(run: Run, what: deleting.Wanted) -> dict[str, Any]:
    return {"notCleaned": left.not_cleaned(run, what)}


def _batch(run: Run, going: Sequence[Target]) -> str:
    """Return what a forgetting is called, so that --undo knows what went together."""
    told = approval.digest(run.now.isoformat(), *(each.id for each in going))
    return f"f-{told[:10]}"


def _undoing(done: Sequence[str]) -> str | None:
    return f"koog forget --undo {' '.join(done)}" if done else None


def _keys(**given: Any) -> dict[str, Any]:
    """Return every key of the reply."""
    for name in ("archived", "restored", "deleted"):
        if len(given.get(name, ())) > IDS_TOLD:
            given[name] = given[name][:IDS_TOLD]
    empty: dict[str, Any] = {
        name: [] for name in ("matches", "near", "archived", "restored", "deleted", "places", "notCleaned")
    }
    return {**empty, "total": 0, "command": None, **given}
