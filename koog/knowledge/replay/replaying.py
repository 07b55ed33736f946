"""The transcripts read again, one after another, each as of the day on which it was said; resumed where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from koog.core.errors import NotFound
from koog.core.files.record import Change, commit_message
from koog.core.git import branching
from koog.core.git.commit import actor
from koog.core.text import taught, weigher
from koog.knowledge import cursors, reading
from koog.knowledge.extraction import TRIES, Extraction, Late
from koog.knowledge.extractor import Extractor
from koog.knowledge.layout import MEMORY
from koog.knowledge.replay import folder, outcome, plan

if TYPE_CHECKING:
    from datetime import datetime

    from koog.audit.history import History
    from koog.core.git.repository import Git
    from koog.core.run import Run
    from koog.knowledge.replay.plan import Plan

EACH = 40  # transcripts after which the plan is noted


def replay(
    run: Run, made: Plan, extractors: Sequence[Extractor], *, until: float, begin: Callable[[str], None]
) -> Plan:
    """Read what is not through yet; return the plan as it is then. begin: is told of each transcript

    Stops at the deadline. Whatever asking raises is raised; the next call goes on.
    """
    inner = folder.opened(run, made)
    weigher.using(taught.of(inner.workspace, inner.warnings))
    if made.done == len(made.paths):
        return made
    for n, path in enumerate(made.paths[made.done :], made.done):
        if n > made.done and n % EACH == 0:
            made = _noted(run, inner, made, n)
        if time.monotonic() >= until:
            return _noted(run, inner, made, n)
        begin(path)
        try:
            _one(inner, path, extractors, name=made.name, until=until)
        except Late:
            return _noted(run, inner, made, n)
    return _noted(run, inner, made, len(made.paths))


def _one(inner: Run, path: str, extractors: Sequence[Extractor], *, name: str, until: float) -> None:
    """Read one transcript to its end; an answer that cannot be used is asked for again, as often as `extract` does."""
    read = reading.read(inner, path)
    if read is None:
        hint = f"bring it back, or give this one up: koog reconstruct --drop --branch {name}"
        raise NotFound(f"{path} is gone", hint=hint)
    inner.move_to(max((read.started, *(turn.at for turn in read.turns))))
    for _ in range(TRIES):
        work = Extraction(inner, extractors, until=until, is_anew=True)
        if not work.starts(read):
            break
        work.of(read)
    inner.workspace.changes.clear()


def _noted(run: Run, inner: Run, made: Plan, done: int) -> Plan:
    """Note how far it is. What cursors.json has of transcripts that are through is not needed any more."""
    made = made._replace(done=done)
    plan.keep(plan.state(run), made)
    known = cursors.load(inner.workspace)
    if all(path not in known.transcripts for path in made.paths[done : done + 1]):
        folder.put(inner, inner.workspace.in_memory(cursors.NAME), folder.NOTHING)
    return made


def commit(run: Run, git: Git, past: History, made: Plan, *, when: datetime) -> str:
    """Let the branch be what was made; return its commit."""
    inner = folder.opened(run, made)
    changed = _changed(inner, past, made)
    files, warnings = dict[str, bytes | None](), list[str]()
    for path, data in changed.items():
        left = run.commits.looked(path, data, lambda: None) if data is not None else None
        if left:
            warnings.append(left.told(path))
        else:
            files[path] = data
    run.warnings += warnings
    what = f"{len(made.paths)} transcripts read anew by {', '.join(made.extractors)}"
    changes = [Change("EDIT", path, what) for path in files]
    changes = changes or [Change("EDIT", f"extract/{made.name}", f"{what}: no file is another one")]

    message = commit_message(changes, cause=run.workspace.cause, critical=False, kind="extract")
    return branching.commit(
        git, made.ref, made.base, files, message=message, when=when, author=actor(run.workspace.cause.actor)
    )


def _changed(inner: Run, past: History, made: Plan) -> dict[str, bytes | None]:
    """Return the files that came out otherwise than the plan's commit has them."""
    where = folder.layout_of(inner)
    inside = outcome.folders(inner, where)
    before = {p: b for p, b in past.files(made.base).items() if outcome.may_change(p, inside)}
    now = [MEMORY, *(path for each in inside for path in reading.below(inner.workspace.files, each.rstrip("/")))]
    found: dict[str, bytes | None] = {}
    for path in dict.fromkeys((*before, *now)):
        data = inner.workspace.read(path)
        if data != past.content(before.get(path)):
            found[path] = data
    return found
