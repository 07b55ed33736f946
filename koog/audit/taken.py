"""Which commits a session made: a reflection, a tick, an observation run, an import, a rollback.  [moltbot §12.8]

What koog did in one call is one commit, and its hash names it; of a long batch it is several, each of which names all.
A tick that an agent followed step by step is several: those of its steps between its own id, the time at which it
began, and the next tick's.
"""

from __future__ import annotations

from datetime import UTC, datetime

from koog.audit import tick_lines
from koog.audit.history import ROLLBACK, History, Made
from koog.audit.tick_lines import LAST, STEPS
from koog.core import clock
from koog.core.errors import NotFound, Refused
from koog.core.files.record import BATCH
from koog.core.named import NamedTuple
from koog.core.run import Run

SESSION_BACK = f"{ROLLBACK} session "  # what set off the commit that took one back, whose name follows
SWEEP = "heartbeat backup"  # what a commit says that takes whatever waited: of it no session is told by its files


class Tick(NamedTuple):
    """One tick of the log: when it began by its id, when it was logged, and when the next one began."""

    begins: datetime
    logged: datetime
    ends: datetime


def commits(run: Run, past: History, named: str, *, again: bool = False) -> list[Made]:
    """Return the commits of a session, newest first. Raises NotFound, Refused.

    again   whether it may have been taken back before: what then stayed is named now
    """
    if commit := past.found(named):
        # git goes on to an older commit where this one touched nothing in the workspace.
        found = [made for made in past.commits("-1", commit) if made.sha == commit]
        if not found:
            raise NotFound(f"{named} changed nothing in this workspace", hint="koog audit log")
        if not found[0].is_koogs:
            hint = "koog rollback file PATH --to COMMIT takes one file back, whoever changed it"
            raise Refused(f"{named} is no session of koog's: somebody else changed that", hint=hint)
        every = past.commits(past.head)
        if found[0].trigger.startswith(BATCH):  # a long one is several commits
            found = [made for made in every if made.trigger == found[0].trigger]
        if not again:
            _check_stands(past, every, found, named)
        return found
    every = past.commits(past.head)
    found = [made for made in every if made.actor == f"reflection:{named}"]
    return found or _of_tick(run, past, every, named)


def _check_stands(past: History, every: list[Made], found: list[Made], named: str) -> None:
    """Raise Refused for a session that was taken back already: what is there since is another's, however like it."""
    own, undone = {made.sha for made in found}, set[str]()
    for made in every:  # newest first: what took back was perhaps taken back itself
        if not made.trigger.startswith(SESSION_BACK) or made.sha in undone:
            continue
        if (sha := past.found(made.trigger.removeprefix(SESSION_BACK).strip())) is None:
            continue
        undone.add(sha)
        if sha in own:
            raise Refused(
                f"{named} was taken back already", hint=f"koog rollback session {made.sha[:12]} brings it back"
            )


def _of_tick(run: Run, past: History, every: list[Made], named: str) -> list[Made]:
    brought = past.ticks(f'"tickId":"{named}"', run.workspace.in_memory(tick_lines.FOLDER))[-1:]
    own = {made.sha for made in brought if made.is_koogs and SWEEP not in made.subject and _is_of(past, made, named)}
    tick = _ticks(run).get(named)
    if tick is None and not brought:
        hint = "r-012, a tickId, or a commit as _meta.commit has it; koog audit log"
        raise NotFound(f"no session {named} in git's history", hint=hint)
    found = [made for made in every if made.sha in own or (tick and _is_step(made, tick))]
    if not found:
        raise NotFound(f"tick {named} changed nothing but the log of ticks", hint="koog audit log")
    return found


def _is_of(past: History, made: Made, tick: str) -> bool:
    """Return whether a commit is a tick's own, and none that only took its lines along."""
    logs = [touch for touch in made.touched if f"{tick_lines.FOLDER}/" in touch.path]
    return any(tick_lines.named(made, past.content(t.after), past.content(t.before)) == tick for t in logs)


def _is_step(made: Made, tick: Tick) -> bool:
    """Return whether a commit is of a step that an agent ran for a tick."""
    at = clock.of_epoch(made.seconds)
    if made.trigger == LAST:
        return tick.begins <= at < tick.ends
    return made.trigger in STEPS and tick.begins <= at <= tick.logged and at < tick.ends


def _ticks(run: Run) -> dict[str, Tick]:
    """Return the ticks of the log whose ids are times."""
    folder = run.workspace.in_memory(tick_lines.FOLDER)
    found: dict[str, tuple[datetime, datetime]] = {}
    for name in run.workspace.names(folder, ".jsonl"):
        for line in (run.workspace.text(f"{folder}/{name}") or "").splitlines():
            row = tick_lines.read(line)
            begins, logged = clock.parse(str(row.get("tickId"))), clock.parse(str(row.get("ts")))
            if begins and logged and "_type" not in row:
                found[str(row["tickId"])] = (begins, logged)
    starts = sorted(begins for begins, _ in found.values())
    after = dict(zip(starts, [*starts[1:], datetime.max.replace(tzinfo=UTC)], strict=False))
    return {id_: Tick(begins, logged, after[begins]) for id_, (begins, logged) in found.items()}
