"""koog backup: commit what changed in the workspace, and push.  [sinain §4.9, design §5]

Reads   git
Writes  a commit, the daily and weekly tags that are due; nothing in the workspace;
        --allow-push: git.push in the operator's config, the address in the state root
Asks    nothing
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.audit.notice import notice
from koog.core import approval, operator
from koog.core.errors import Refused
from koog.core.git import explored, tags
from koog.core.reply import Reply
from koog.core.run import Run

if TYPE_CHECKING:
    from koog.core.git.repository import Git
    from koog.core.git.sweep import Swept


def backup(
    ctx: typer.Context,
    no_push: Annotated[bool, typer.Option("--no-push", help="Commit only.")] = False,
    allow_push: Annotated[
        bool, typer.Option("--allow-push", help="Approve the upstream's address, and push there from now on.")
    ] = False,
) -> Reply:
    """Commit what changed in the workspace and push what is unpushed; never force."""
    run: Run = ctx.obj
    if no_push:
        run.commits.outgoing.leave_out()
    if allow_push:
        _allow(run)
    return Reply("koog.backup/1", **save(run))


def save(run: Run, *, resting: bool = False) -> dict[str, Any]:
    """Commit and push; return the reply's keys. resting: leave it where only logs have grown since a short while.

    Raises Refused without a repository, on a detached HEAD or during a merge;
    WorkspaceError for conflict markers and for a push that failed or hung. The
    commit stays then, and the next run pushes it.
    """
    git = _git(run)
    outgoing = run.commits.outgoing
    if run.dry_run:
        from koog.core.git.sweep import Swept, waiting

        status, others = waiting(run.commits, git)
        swept = Swept(None, [path for _, path in status], [], others)
        return _keys(run, git, swept, swept.files, pushed=False, not_pushed="--dry-run")
    notice(run)
    with run.workspace.alone():
        swept = run.commits.sweep("heartbeat backup", resting=resting, tells=run.commits.mode == "interval")
    if run.settings.get("knowledge.tagDaily"):
        tags.keep(git, now=run.now, zone=run.zone, warn=run.warnings.append)
        explored.prune(git, now=run.now, warn=run.warnings.append)
    upstream = git.upstream()
    waits = upstream is None or bool(git.unpushed_from(upstream))
    not_pushed = outgoing.push(git, scope=run.commits.scope) if waits else None
    if not_pushed and outgoing.wanted:
        run.warnings.append(f"committed, not pushed: {not_pushed}")
    done = [f for f in swept.files if f not in swept.left_out] if swept.commit else []
    return _keys(run, git, swept, done, pushed=waits and not_pushed is None, not_pushed=not_pushed)


def _allow(run: Run) -> None:
    """Approve the address that the branch's upstream has now. Raises Refused without a person's word."""
    git, state = _git(run), run.state_root
    upstream = git.upstream()
    if state is None:
        raise Refused("this workspace has no state root that koog sees here", hint=f"koog init {run.root}")
    from koog.core.git.outgoing import allow
    from koog.core.git.process import redacted

    if upstream is not None:
        what = f"pushing to {redacted(upstream.url)}"
        digest = approval.digest(upstream.url, upstream.ref)
        approval.require(run, id="push", digest=digest, what=what, command="koog backup --allow-push")
    if run.dry_run:
        return
    allow(git, state, upstream)
    operator.remember(run.root, "git.push", True)
    run.commits.outgoing.enabled = True


def _git(run: Run) -> Git:
    git = run.commits.git
    why = "no git repository" if git is None else git.hindrance()
    if git is None or why:
        raise Refused(f"no backup: {why}", hint="koog init" if git is None else "finish or abort it, then back up")
    return git


def _keys(
    run: Run,
    git: Git,
    swept: Swept,
    files: list[str],
    *,
    pushed: bool,
    not_pushed: str | None,
) -> dict[str, Any]:
    return {
        "commit": swept.commit,
        "status": "committed" if swept.commit else "nothing to commit",
        "backup": run.commits.scope,
        "files": files[:50],
        "fileCount": len(files),
        "leftOut": swept.left_out[:50],
        "others": swept.others,
        "pushed": pushed,
        "notPushed": not_pushed,
        "unpushed": git.unpushed(str(run.settings.get("git.remote"))),
    }
