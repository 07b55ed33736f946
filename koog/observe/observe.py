"""koog observe: what is new in the main sessions becomes observations.  [seed openclaw-memory, design §5]

Reads   the hosts' sessions since each one's cursor, raw blocks in observations.md
Writes  observations.md with cursors.json and, as `bot:auto-detect`, the stores that `remember` writes, in one step;
        pending-memories.md; what reflect writes, when it is due
Asks    the `observer` route, once per 12,000 characters; the `reflector` route when reflect is due

A session that the workspace does not take (sessions/taken.py) is not read. The reply says how many of those that
it takes are too old to be read by themselves, and with which command they are.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock, forgotten, spans
from koog.core.errors import KoogError, LLMUnusable, NotFound
from koog.core.named import NamedTuple
from koog.core.refused import MOST
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.task import Task
from koog.core.text import taught, weigher
from koog.observe import before as befores
from koog.observe import cursors, judgement, material, news, observations, observe_rules, observed, telling, unread
from koog.observe.material import Part
from koog.observe.observations import RawBlock
from koog.observe.observe_rules import ObserveInput
from koog.observe.observed import Found, Place
from koog.sessions import audience, place, taken
from koog.sessions.audience import Seen
from koog.sessions.labels import Label
from koog.sessions.turn import Batch, Cursor, Reader, Session, Turn

DEADLINE_S, FLUSH_S = 540.0, 20.0  # OpenClaw's scheduler stops at 600; a host waits 30 for a hook before compaction
TRIES = 3  # answers about the same turns that may be mostly dropped; what stands of the last is all that comes of them
STANDING_CHARS = 6000  # of the newest observations, for a model to see what is known
REPLY_CHARS = 6000  # of what was added, in the reply: harnesses cut what is over 10,000

TASK = Task(
    file=Path(__file__),
    route="observer",
    rules=observe_rules.answer,
    render=lambda given: {
        "before": material.told(given.before),
        "standing": given.standing,
        "turns": material.numbered(given.turns),
    },
)


class Wanted(NamedTuple):
    """How to observe.

    flush     everything since the cursor, quickly, and rather too much than too little
    since     read from then on, whatever was read before
    until     the moment of time.monotonic() past which no further part begins
    """

    flush: bool
    since: datetime | None
    until: float


class Again(Exception):
    """Most of an answer was dropped: what it is about is asked at the next run. Never raised out of this module."""


class Late(Exception):
    """The deadline has passed, and what is left waits for the next run. Never raised out of this module."""


def observe(
    ctx: typer.Context,
    flush: Annotated[bool, typer.Option("--flush", help="Before compaction: all since the cursor, quickly.")] = False,
    recover: Annotated[bool, typer.Option("--recover", help="Only the session that was used last.")] = False,
    session: Annotated[str | None, typer.Option(metavar="ID", help="Only this session.")] = None,
    since: Annotated[str | None, typer.Option(metavar="ISO|2h", help="From then on, read before or not.")] = None,
    source: Annotated[str, typer.Option(metavar="auto|openclaw|claude|codex|PATH", help="Whose sessions.")] = "auto",
    deadline: Annotated[float | None, typer.Option(help="Seconds after which no further part begins.")] = None,
) -> Reply:
    """Observe what is new in the main sessions: decisions, preferences, rules, goals, facts."""
    run: Run = ctx.obj
    spans.check_deadline(deadline, usual=FLUSH_S)
    done = work(
        run,
        source=source,
        session=session,
        since=spans.since(since, run.now),
        flush=flush,
        newest_only=recover,
        deadline_s=deadline,
    )
    return Reply("koog.observe/1", **done)


def work(
    run: Run,
    *,
    source: str = "auto",
    session: str | None = None,
    since: datetime | None = None,
    flush: bool = False,
    newest_only: bool = False,
    deadline_s: float | None = None,
    readers: Sequence[Reader] | None = None,
) -> dict[str, Any]:
    """Observe, and reflect when that is due; return the reply's keys.

    session    a session's id or key
    readers    in place of those that `source` names

    Raises Busy when another koog observes, and what asking raises; the parts before it stay done.
    """
    seconds = (FLUSH_S if flush else DEADLINE_S) if deadline_s is None else deadline_s
    wanted = Wanted(flush, since, time.monotonic() + seconds)
    run.asker.until = wanted.until
    weigher.using(taught.of(run.workspace, run.warnings))
    found = Found()
    with _alone(run, wait_s=seconds / 2 if flush else 0.0), _one_commit(run):
        stored = taken.sessions(run, source) if readers is None else taken.main_sessions(run, readers, is_named=True)
        pairs = _chosen(stored, session=session, newest_only=newest_only)
        _observe(run, pairs, wanted, found)
        words = observations.words(_text(run))
        due = words >= run.settings.get("observe.reflectWords")
        reflected = _reflect(run) if due and not flush and time.monotonic() < wanted.until else None
        older = unread.older(run, stored, source=source)
    return _keys(run, found, reflected, due=due) | {"older": older}


def alone(run: Run, *, wait_s: float) -> AbstractContextManager[None]:
    """Hold the lock under which sessions are observed. Raises Busy."""
    return run.workspace.locked("observe.lock", wait_s=wait_s, what="the observer")


def _alone(run: Run, *, wait_s: float) -> AbstractContextManager[None]:
    return nullcontext() if run.dry_run else alone(run, wait_s=wait_s)


@contextmanager
def _one_commit(run: Run) -> Iterator[None]:
    """Make one commit of what the block writes, unless somebody outside it does."""
    with run.one_commit():
        yield


def _chosen(
    pairs: list[tuple[Reader, Session]], *, session: str | None, newest_only: bool
) -> list[tuple[Reader, Session]]:
    if session is not None:
        pairs = [pair for pair in pairs if session in (pair[1].id, pair[1].key)]
        if not pairs:
            raise NotFound(f"no main session {session!r}", hint="koog observe reads what the hosts keep")
    return pairs[:1] if newest_only else pairs


# --- reading


def _observe(run: Run, pairs: Sequence[tuple[Reader, Session]], wanted: Wanted, found: Found) -> None:
    """Digest what waits raw, then go through the sessions, newest first. Raises what the first failure was.

    In a flush it is the other way round: its time is short, and what waits raw is in no danger.
    """
    unusable: LLMUnusable | None = None
    steps: list[Callable[[], None]] = [lambda b=b: _digest(run, b, wanted, found) for b in unread.waiting(run)]  # type: ignore[misc]
    if pairs:
        began = begun(run)
        read = [lambda p=p: _session(run, *p, began=began, wanted=wanted, found=found) for p in pairs]
        steps = [*read, *steps] if wanted.flush else [*steps, *read]
    for n, step in enumerate(steps):
        try:
            step()
        except LLMUnusable as e:  # of this part alone; the other sessions need not wait for it
            unusable = unusable or e
        except Again:
            found.remaining += 1
        except Late:
            found.remaining += len(steps) - n
            break
    if unusable:
        raise unusable


def begun(run: Run) -> datetime:
    """Return since when sessions are observed; the first run says so in cursors.json, before it asks.

    A window that moved along with the clock would lose what is said while no engine can be reached.
    """
    path = run.workspace.in_memory(cursors.NAME)
    known = cursors.load(run.workspace)
    began = news.began(known, run.now)
    if began == cursors.since(known):
        return began
    with run.workspace.writing() as door:
        door.edit(path, lambda text: cursors.begun(text, began), summary=f"observing since {clock.iso(began)}")
    return began


def _session(run: Run, reader: Reader, session: Session, *, began: datetime, wanted: Wanted, found: Found) -> None:
    """Observe what is new in one session, batch by batch."""
    known = cursors.load(run.workspace)
    at = Place(session.key, cursors.session(known, session.key), cursors.partly(known, session.key))
    label = taken.label(taken.of(run), session.place)
    cursor = None if wanted.since else at.cursor
    oldest = wanted.since or (began if cursor is None else None)
    if oldest and session.changed < oldest:
        return
    if time.monotonic() >= wanted.until:
        raise Late
    row: dict[str, Any] = {"key": session.key, "host": session.host, "turns": 0, "observed": 0}
    end: Cursor | None = None
    before: tuple[Turn, ...] | None = None
    try:
        for batch in reader.read(session, cursor):
            found.unknown.update(batch.unknown)
            if not batch.turns and batch.cursor in ({}, at.cursor):
                continue  # it could not be read: what is known of the session stays
            turns = _new(batch.turns, oldest=oldest, after=None if wanted.since else at.done)
            if before is None:
                before = () if wanted.since else befores.of(run, at)
            new = {turn.id for turn in turns}
            before = material.tail((*before, *(turn for turn in batch.turns if turn.id not in new)))
            found.skipped.update(t.origin for t in turns if t.origin not in material.TALK)
            row["turns"] += sum(t.origin in material.TALK for t in turns)
            added = len(found.added)
            try:
                at, before = _batch(run, turns, batch, at, before=before, label=label, wanted=wanted, found=found)
            finally:
                row["observed"] += len(found.added) - added
            end = batch.cursor
        if wanted.since and end is not None:
            last = Place(at.key, end, None)
            observed.write(run, judgement.Judged(), at, last, exact=True, found=found)
            befores.keep(run, last, before or ())
    finally:
        found.turns += row["turns"]
        if row["turns"]:
            found.sessions.append(row)


def _new(turns: Sequence[Turn], *, oldest: datetime | None, after: str | None) -> list[Turn]:
    """Return the turns that are not observed yet: not too old, and behind the one that a broken run came to."""
    ids = [turn.id for turn in turns]
    start = len(ids) - ids[::-1].index(after) if after in ids else 0
    return [turn for turn in turns[start:] if oldest is None or turn.at >= oldest]


def _batch(
    run: Run,
    turns: Sequence[Turn],
    batch: Batch,
    at: Place,
    *,
    before: tuple[Turn, ...],
    label: Label,
    wanted: Wanted,
    found: Found,
) -> tuple[Place, tuple[Turn, ...]]:
    """Ask part by part and write the batch at once; of a batch that breaks off what was answered.

    Return where the session stands now, and what was said right before whatever follows.
    Under `--since` the place stays until the session was read to its end: it may lie far behind this batch.
    """
    new = judgement.Judged(label=label)
    done: str | None = None
    try:
        for part in material.parts(turns, before):
            is_read = _ask(run, part, at.key, wanted, new)
            if not is_read and not wanted.since and not _has_waited(run, at.key):
                raise Again
            done, before = part.last, part.heard
    except BaseException as e:
        if done is not None:
            after = at if wanted.since else at._replace(done=done)
            observed.write(run, new, at, after, exact=wanted.flush, found=found)
            if not wanted.since:
                befores.keep(run, after, before)
        elif isinstance(e, Again):  # what of the answer can be used stands
            observed.write(run, new, at, at, exact=wanted.flush, found=found)
        if isinstance(e, Again):
            _wait(run, at.key)
        raise
    after = at if wanted.since else Place(at.key, batch.cursor, None)
    observed.write(run, new, at, after, exact=wanted.flush, found=found)
    if not wanted.since:
        befores.keep(run, after, before)
    return after, before


def _has_waited(run: Run, key: str) -> bool:
    """Return whether a session has waited for a better answer often enough: it must not wait for ever."""
    return cursors.again(cursors.load(run.workspace), key) + 1 >= TRIES


def _wait(run: Run, key: str) -> None:
    """Note that most of an answer about a session was dropped, so that its cursor stays."""
    run.warnings.append(f"most of an answer about {key} was refused: it is asked about again")
    _count(run, key, cursors.again(cursors.load(run.workspace), key) + 1, "an answer was mostly dropped")


def _count(run: Run, key: str, times: int, summary: str) -> None:
    with run.workspace.writing() as door:
        path = run.workspace.in_memory(cursors.NAME)
        door.edit(path, lambda text: cursors.counted(text, key, times), summary=summary)


def _ask(run: Run, part: Part, key: str, wanted: Wanted, new: judgement.Judged) -> bool:
    """Add what one part of one session says; return whether most of the answer was readable.

    Raises Late, and what asking raises.
    """
    if not part.is_talk:
        return True
    if time.monotonic() >= wanted.until:
        raise Late
    gone = forgotten.of(run.workspace)
    part = part._replace(turns=_told(part.turns, key, gone), before=_told(part.before, key, gone))
    standing = "" if wanted.flush or not run.asker.uses_model else _standing(run, new.label)
    answer = run.ask(TASK, ObserveInput(part.turns, standing, run.zone, part.before))
    rows, quoted = answer.value["observations"], answer.engine == "builtin"
    found = judgement.judged(
        rows, part.turns, key=key, zone=run.zone, quoted=quoted, label=new.label, before=part.before
    )
    _drop_forgotten(found, gone)
    found.refused[:0] = answer.refused
    found.unread += len(answer.refused)
    new.take(found)
    return 2 * found.unread <= len(rows) + len(answer.refused)


def _told(turns: Sequence[Turn], key: str, gone: forgotten.Forgotten) -> tuple[Turn, ...]:
    """Return turns without what was forgotten: an entry from which that was heard says nothing any more."""
    if not gone.stones:
        return tuple(turns)
    return tuple(
        turn._replace(text="" if gone.holds("", sources=[observations.source(key, turn.id)]) else gone.shown(turn.text))
        for turn in turns
    )


def _drop_forgotten(found: judgement.Judged, gone: forgotten.Forgotten) -> None:
    """Take out what was forgotten, in whatever words an engine has it."""
    for each in [o for o in found.observations if gone.holds(o.text, sources=[o.source])]:
        found.observations.remove(each)
        found.refuse(f"({each.source})", "was forgotten")
    found.proposals = [each for each in found.proposals if not gone.holds(each.content, sources=[each.source or ""])]


def _standing(run: Run, label: Label) -> str:
    """Return the newest observations as the file has them, of those that are told where the turns were said."""
    project = label.project or place.project(str(run.home))
    who = audience.reader(run, place.Place(project, label.scope, label.group))
    path = run.workspace.in_memory(observations.NAME)
    rows = [
        f"{o.mark} {o.day} {o.text}"
        for o in observations.observations(_text(run))
        if who.line(o.label, path, text=o.text, kind=o.type) is Seen.TOLD
    ]
    size, kept = 0, list[str]()
    for row in reversed(rows):
        size += len(row) + 1
        if size > STANDING_CHARS:
            break
        kept.append(row)
    return "\n".join(reversed(kept))


def _text(run: Run) -> str:
    return run.workspace.text(run.workspace.in_memory(observations.NAME)) or ""


# --- what recover stored


def _digest(run: Run, block: RawBlock, wanted: Wanted, found: Found) -> None:
    """Observe the turns of a raw block and remove them; those that no engine was asked about stay in it."""
    new = judgement.Judged(label=block.label)
    ids = [turn.id for turn in block.turns]
    left = block.turns
    try:
        for part in material.parts(block.turns):
            if not _ask(run, part, block.session, wanted, new) and not _has_waited(run, block.session):
                _wait(run, block.session)
                found.remaining += 1
                break
            left = block.turns[len(ids) - ids[::-1].index(part.last) :] if part.last else left
    finally:
        if len(left) < len(ids) or not ids or new.observations or new.refused:
            observed.digest(run, new, block, left=left, exact=wanted.flush, found=found)
    if not left and cursors.again(cursors.load(run.workspace), block.session):
        _count(run, block.session, 0, "observed")  # what this one waited for counts against no later one


# --- afterwards


def _reflect(run: Run) -> dict[str, Any] | None:
    """Reflect, under the lock that is held already. What was observed stands, so its failure is a warning."""
    from koog.observe.reflect import consolidate

    run.asker.meta.pop("engine", None)
    try:
        return consolidate(run)
    except KoogError as e:
        run.warnings.append(f"not reflected: {e.code}: {e.message}")
        return None


def _keys(run: Run, found: Found, reflected: dict[str, Any] | None, *, due: bool) -> dict[str, Any]:
    told, ordered = telling.lines(run, found.added), telling.texts(run, found.proposals)
    added, orders = _short(told, REPLY_CHARS), _short(ordered, REPLY_CHARS // 4)
    refused = telling.texts(run, found.refused)
    if (len(added), len(orders)) != (len(told), len(ordered)) or len(refused) > MOST:
        run.meta_extra["truncated"] = True
    return {
        "sessions": found.sessions,
        "turns": found.turns,
        "added": added,
        "elsewhere": len(found.added) - len(told),
        "duplicates": found.duplicates,
        "refused": refused[:MOST],
        "proposals": orders,
        "skippedTurns": dict(found.skipped),
        "unknownRecords": dict(found.unknown),
        "rawDigested": found.digested,
        "remaining": found.remaining,
        "words": observations.words(_text(run)),
        "reflectDue": due,
        "reflected": reflected,
        "path": run.workspace.in_memory(observations.NAME),
    }


def _short(texts: Sequence[str], chars: int) -> list[str]:
    """Return as many of the texts as fit, as the line's ASCII: a mark is twelve characters there."""
    room, kept = chars, list[str]()
    for text in texts:
        room -= len(json.dumps(text))
        if room < 0:
            break
        kept.append(text)
    return kept
