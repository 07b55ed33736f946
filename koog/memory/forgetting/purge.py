"""Deleted for good: from the files of the memory, and from every place that koog has made of them.  [moltbot §8.3]

The one exception to append-only. What is to go stands in `deleting.json` of the state root until all of it is gone, so
that a killed deletion is finished by the next koog. First the workspace, in one step with its audit lines and commit:
what was remembered, the host's and the person's notes in it, archives and records. Then what lies elsewhere, file by
file: raw transcripts, `.koog/`, the state root, the spool. The chain notes of each file its digest before and after.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.errors import WorkspaceError
from koog.core.files import sweep
from koog.core.files.chain import Record
from koog.core.files.record import Change
from koog.memory.forgetting import archive, elsewhere, inside, noted
from koog.memory.forgetting.deleting import Place, Wanted
from koog.memory.forgetting.inside import Inside
from koog.memory.forgetting.redact import Words

if TYPE_CHECKING:
    from koog.core.run import Run

LOCK = "deleting.lock"
STATE = "deleting"  # in the state root: what is to go, until it is gone
STUCK = "stuck"  # in it: not all of it could be taken out
AGAIN = "with that mended, the same command takes it out"
MOST_STUCK = 5  # that are named


def places(run: Run, what: Wanted) -> list[Place]:
    """Return every file that holds the words now."""
    words = what.words(run)
    here = Inside(run, what, words)
    found = [Place(path, path in here.gone) for path in here.files()]
    for name, root in elsewhere.roots(run):
        for path, _, after in sweep.changes(root, elsewhere.change(name, words), but=elsewhere.but(name)):
            found.append(Place(f"{name}/{path}", after is None))
    return found


def delete(run: Run, what: Wanted) -> list[Place]:
    """Delete it for good; return the files that held it."""
    state = run.state_root
    if state is None:
        raise WorkspaceError("without a state root nothing notes what was deleted", hint="koog init")
    if run.dry_run:
        return places(run, what)
    with _alone(run, wait_s=run.workspace.lock_wait_s):
        done = _finish(run)  # that of another, who was killed since this command looked
        left = state.get(STATE)  # of what could not be rewritten
        state.put(STATE, (what.beside(Wanted.read(left)) if isinstance(left, dict) else what)._asdict())
        return [*done, *_finish(run)]


def finish(run: Run, *, wait_s: float = 0, anew: bool = False) -> list[Place]:
    """Go on with a deletion that was killed until all of it is gone; [] where none waits. Raises Busy, WorkspaceError.

    One that somebody is at is his: for that it waits so long, and then it is Busy.

    anew   with one of which a file could not be rewritten, too: that is tried when a person asks for it
    """
    value = run.state_root.get(STATE) if run.state_root else None
    if not isinstance(value, dict) or (value.get(STUCK) and not anew):
        return []
    with _alone(run, wait_s=wait_s):
        return _finish(run)


def _alone(run: Run, *, wait_s: float) -> AbstractContextManager[None]:
    """Hold the lock of deletions: what is to go has one place where it is noted, so it is noted by one at a time."""
    return run.workspace.locked(LOCK, wait_s=wait_s, what="a deletion")


def _finish(run: Run) -> list[Place]:
    state = run.state_root
    value = state.get(STATE) if state else None
    if not state or not isinstance(value, dict):
        return []
    what = Wanted.read(value)
    run.act_as(archive.ACTOR, trigger="koog forget")
    with run.workspace.writing() as door:
        forgotten.key_of(run.workspace)  # which the marks need
        words = what.words(run)
        done = inside.take_out(Inside(run, what, words), door)
    rows, records, stuck = list[Change](), list[Record](), list[str]()
    for told, before, after in _elsewhere(run, words, stuck):
        done.append(Place(told, after is None))
        shown = words.cut(told)
        rows.append(Change("DELETE" if after is None else "EDIT", shown, what.told(run)))
        records.append(noted.of_file(run, shown, before, after))
    if rows:
        with run.workspace.writing() as door:
            door.note(rows, *records)
    with run.workspace.writing() as door:  # what is written of the step itself names the files that went
        inside.take_out_of_log(Inside(run, what, words), door)
    if stuck:
        state.put(STATE, value | {STUCK: True})
        run.warnings.append(f"{', '.join(stuck[:MOST_STUCK])} could not be rewritten; {AGAIN}")
    else:
        state.remove(STATE)
    return done


def _elsewhere(run: Run, words: Words, stuck: list[str]) -> Iterator[tuple[str, bytes, bytes | None]]:
    """Rewrite what lies in the other roots, a file at a time; yield each as it is told, its bytes before and after.

    stuck   gets those that could not be rewritten

    Whoever writes there waits for one file and no more, so that what comes meanwhile is neither lost nor kept waiting.
    """
    for name, root in elsewhere.roots(run):
        change = elsewhere.change(name, words)
        for path, before, after in sweep.changes(root, change, but=elsewhere.but(name)):
            told = f"{name}/{path}"
            with run.workspace.alone(), _still(run, name):
                try:
                    made = sweep.put(root, path, before, after, change=change)
                except WorkspaceError:
                    stuck.append(told)
                    continue
            if made:
                yield told, *made


def _still(run: Run, name: str) -> AbstractContextManager[None]:
    """Keep the logs of the state root as they are, which grow without the write lock. name: of the root"""
    if run.state_root is None or name != elsewhere.STATE_ROOT:
        return nullcontext()
    return run.state_root.still(wait_s=run.workspace.lock_wait_s)
