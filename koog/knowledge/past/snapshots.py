"""What the memory is now, kept under a name; and the daily and weekly tags that are due.  [autopoiesis §3.3, §3.4]"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from koog.core.errors import NotFound, Refused
from koog.core.git import explored, tags

if TYPE_CHECKING:
    from koog.core.git.repository import Git
    from koog.core.run import Run


def taken(run: Run, name: str | None, *, before: bool, message: str | None) -> dict[str, Any]:
    """Take a tag of that name, or without one what is due; return the reply's keys. Raises Refused, NotFound."""
    git = _git(run)
    if name is None:
        return kept(run, git)
    ref = tags.named(tags.BEFORE if before else tags.MILESTONE, name)
    if not run.dry_run:
        with run.workspace.alone():
            run.commits.sweep(f"before {name}" if before else f"milestone {name}")
    head = git.head()
    if head is None:
        raise NotFound("there is no commit yet")
    is_new = run.dry_run or tags.put(git, ref, head, message=message or name, when=run.now)
    found = [ref.removeprefix("refs/tags/")] if is_new else []
    return {"taken": found, "commit": head[:12], "changed": bool(found) and not run.dry_run, "pruned": []}


def kept(run: Run, git: Git) -> dict[str, Any]:
    """Take the tags that are due, and let go of what nobody explores any more."""
    if run.dry_run:
        refs = tags.due(git, now=run.now, zone=run.zone)
        return {"taken": [r.removeprefix("refs/tags/") for r in refs], "commit": None, "changed": False, "pruned": []}
    found = tags.keep(git, now=run.now, zone=run.zone, warn=run.warnings.append)
    gone = explored.prune(git, now=run.now, warn=run.warnings.append)
    pruned = [{"branch": each.branch, "commit": each.commit} for each in gone]
    return {"taken": found, "commit": None, "changed": bool(found or gone), "pruned": pruned}


def _git(run: Run) -> Git:
    git = run.commits.git
    why = "there is no git repository" if git is None else git.hindrance()
    if git is None or why:
        raise Refused(f"no snapshot: {why}", hint="koog init" if git is None else "finish it, or go back to a branch")
    return git
