"""koog backup: commit what changed in the workspace, and push.  [sinain §4.9, design §5]

Reads   git
Writes  a commit; nothing in the workspace
Asks    nothing
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from koog.core.errors import Refused
from koog.core.git.names import is_private
from koog.core.reply import Reply
from koog.core.run import Run


def backup(
    ctx: typer.Context,
    no_push: Annotated[bool, typer.Option("--no-push", help="Commit only.")] = False,
) -> Reply:
    """Commit whatever changed in the workspace and push what is unpushed; never force."""
    run: Run = ctx.obj
    return Reply("koog.backup/1", **save(run, push=not no_push))


def save(run: Run, *, push: bool) -> dict[str, Any]:
    """Commit and push; return the reply's keys.

    Raises Refused without a repository, on a detached HEAD or during a merge;
    WorkspaceError for conflict markers and for a push that failed or hung. The
    commit stays then, and the next run pushes it.
    """
    git = run.commits.git
    why = "no git repository" if git is None else git.hindrance()
    if git is None or why:
        raise Refused(f"no backup: {why}", hint="koog init" if git is None else "finish or abort it, then back up")
    if run.dry_run:
        files = [path for path in git.changed() if not is_private(path)]
        return _keys(commit=None, files=files, left_out=[], pushed=False, unpushed=git.unpushed(_remote(run)))
    with run.workspace.locked("lock", wait_s=run.workspace.lock_wait_s, what="the workspace"):
        commit, files, left_out = run.commits.sweep("heartbeat backup")
    if not push:
        run.commits.push_to = None  # `--no-push` wins over `git.push`
    unpushed = git.unpushed(_remote(run))
    pushed = False
    if push and unpushed:
        git.push(_remote(run), timeout_s=run.commits.push_seconds())
        pushed, unpushed = True, 0
    done = [f for f in files if f not in left_out] if commit else []
    return _keys(commit=commit, files=done, left_out=left_out, pushed=pushed, unpushed=unpushed)


def _remote(run: Run) -> str:
    return str(run.settings.get("git.remote"))


def _keys(
    *, commit: str | None, files: list[str], left_out: list[str], pushed: bool, unpushed: int | None
) -> dict[str, Any]:
    return {
        "commit": commit,
        "status": "committed" if commit else "nothing to commit",
        "files": files[:50],
        "fileCount": len(files),
        "leftOut": left_out[:50],
        "pushed": pushed,
        "unpushed": unpushed,
    }
