"""koog recover: what was said and never observed, when a session begins.  [openclaw-memory, Layer 5]

Reads   the hosts' sessions, memory/meta/cursors.json
Writes  what `observe` writes; when no model can be asked, the turns themselves into memory/observations.md
Asks    what `observe` asks

Whatever lies behind a session's cursor was not observed: the cursor is the hash of what
was. A session is found by the time of what was said in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.core import forgotten
from koog.core.errors import LLMUnavailable, LLMUnusable, Refused
from koog.core.named import NamedTuple
from koog.core.reply import Reply, told
from koog.core.run import Run
from koog.observe import before, cursors, material, news, observations, unread
from koog.observe.observed import Place
from koog.sessions import taken
from koog.sessions.turn import Cursor, Reader, Session, Turn

if TYPE_CHECKING:
    from koog.core.files.door import Door

LOCK_WAIT_S = 5.0  # for another observer to end
UNREADABLE = "cannot be read"  # how a reader begins what it tells of a store that it cannot open
STORED_TURNS, STORED_CHARS = 200, 60_000  # of one call; the rest waits behind the cursor


class Missed(NamedTuple):
    """A session of which something was not observed: its reader, and how many turns wait in it."""

    reader: Reader
    session: Session
    turns: int


def recover(
    ctx: typer.Context,
    source: Annotated[str, typer.Option(metavar="auto|openclaw|claude|codex|PATH", help="Whose sessions.")] = "auto",
) -> Reply:
    """Observe at once what earlier sessions said and nobody observed; keep it as it is when no model can be asked."""
    return Reply("koog.recover/1", **work(ctx.obj, source=source))


def work(run: Run, *, source: str = "auto") -> dict[str, Any]:
    """Return the reply's keys.

    Raises what `observe` raises, except that no model could be asked: then the turns are kept.
    """
    pairs = taken.sessions(run, source)
    older = unread.older(run, pairs, source=source)
    missed = list(_missed(run, pairs))
    if not missed:
        if pairs and cursors.since(cursors.load(run.workspace)) is None:
            _begin(run)
        return _keys(None, reason=_nothing_new(run, older), older=older)
    from koog.observe import observe  # mostly there is nothing to observe

    newest = missed[0].session.key
    try:
        done = observe.work(run, source=source, flush=True)
    except (LLMUnavailable, LLMUnusable, Refused) as e:
        with nullcontext() if run.dry_run else observe.alone(run, wait_s=LOCK_WAIT_S):
            stored = _store(run, missed)
        return _keys(newest, stored=stored, reason=f"{e.code}: {told(e.message)}", older=older)
    return _keys(newest, observed=done["added"], reason=None, older=older)


def _begin(run: Run) -> None:
    """Let observing begin now: where only sessions' starts are told, it would begin anew with each of them."""
    from koog.observe import observe

    with nullcontext() if run.dry_run else observe.alone(run, wait_s=LOCK_WAIT_S):
        observe.begun(run)


def _nothing_new(run: Run, older: dict[str, Any] | None) -> str:
    """Return why nothing is done: everything was observed, or what was not waits for somebody else."""
    turns = sum(len(block.turns) for block in unread.waiting(run))
    sessions = older["sessions"] if older else 0
    left = [f"{sessions} older {'session was' if sessions == 1 else 'sessions were'} never observed"] if older else []
    left += [f"{turns} {'turn waits' if turns == 1 else 'turns wait'} for a model"] if turns else []
    return f"nothing new; {'; '.join(left)}" if left else "everything was observed"


def _keys(
    session: str | None,
    *,
    observed: list[str] | None = None,
    stored: int = 0,
    reason: str | None,
    older: dict[str, Any] | None,
) -> dict[str, Any]:
    return {
        "mismatch": session is not None,
        "session": session,
        "observed": observed or [],
        "stored": stored,
        "reason": reason,
        "older": older,
    }


def _missed(run: Run, pairs: Sequence[tuple[Reader, Session]]) -> Iterator[Missed]:
    """Yield those of the sessions in which something waits, in their order."""
    observed = cursors.load(run.workspace)
    for reader, session in pairs:
        turns = 0
        for new, batch in _waiting(run, reader, session, observed):
            turns += len(new)
            run.warnings += [f"{session.key}: {kind}" for kind in batch.unknown if kind.startswith(UNREADABLE)]
        if turns:
            yield Missed(reader, session, turns)


def _waiting(
    run: Run, reader: Reader, session: Session, observed: dict[str, Any]
) -> Iterator[tuple[tuple[Turn, ...], Any]]:
    cursor = cursors.session(observed, session.key)
    since = news.began(observed, run.now)
    if cursor is None and session.changed < since:
        return
    done = cursors.partly(observed, session.key)
    yield from news.waiting(reader.read(session, cursor), done=done, since=None if cursor else since)


def _store(run: Run, missed: Sequence[Missed]) -> int:
    """Keep what waits as it is, cleaned, in blocks that the next `observe` digests; return how many turns.

    Blocks and cursors are written together: killed in between, none of them is. A
    session in which another koog has observed something since is read anew.
    """
    file, index = run.workspace.in_memory(observations.NAME), run.workspace.in_memory(cursors.NAME)
    stored, places = 0, list[tuple[Place, list[Turn]]]()
    with run.workspace.writing() as door:
        observed = cursors.part(door.text(index))
        for one in missed:
            kept, cursor, done = _kept(run, one, observed)
            if kept:
                block = observations.raw_block(one.session.key, kept, taken.label(taken.of(run), one.session.place))
                _stage(door, file, index, key=one.session.key, block=block, turns=len(kept), cursor=cursor, done=done)
                stored += len(kept)
                place = Place(one.session.key, cursor or cursors.session(observed, one.session.key), done)
                places.append((place, kept))
    for place, kept in places:
        before.keep(run, place, material.tail(kept))
    return stored


def _stage(
    door: Door, file: str, index: str, *, key: str, block: str, turns: int, cursor: Cursor | None, done: str | None
) -> None:
    summary = f"{turns} turns kept until a model can be asked"
    door.edit(file, lambda text: observations.with_raw(text, block), summary=summary)
    door.edit(index, lambda text: cursors.moved(text, key, cursor, done=done), summary="kept")


def _kept(run: Run, missed: Missed, observed: dict[str, Any]) -> tuple[list[Turn], Cursor | None, str | None]:
    """Return the first turns that wait, and the place behind them as `cursors.moved` takes it."""
    kept: list[Turn] = []
    gone = forgotten.of(run.workspace)
    cursor: Cursor | None = None
    last: str | None = None
    room = STORED_CHARS
    for turns, batch in _waiting(run, missed.reader, missed.session, observed):
        for turn in turns:
            is_gone = gone.holds("", sources=[observations.source(missed.session.key, turn.id)])
            text = "" if is_gone else gone.shown(material.cleaned(turn)).strip()[:STORED_CHARS]
            if kept and (len(kept) >= STORED_TURNS or len(text) > room):
                return kept, cursor, last
            last = turn.id
            if text:
                kept.append(turn._replace(text=text))
                room -= len(text)
        cursor, last = batch.cursor, None
    return kept, cursor, None
