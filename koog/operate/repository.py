"""The workspace's git repository, as `status` tells it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.git import upstream
from koog.core.git.names import is_secret
from koog.core.git.repository import Git
from koog.core.git.screen import Looked
from koog.core.git.sweep import waiting
from koog.core.named import NamedTuple
from koog.core.run import Run

LOOKED_INTO = 20  # changed files; a backup looks into all of them


class Repository(NamedTuple):
    """What waits in a repository.

    uncommitted   how many files a backup would commit; changed: when the longest waiting of them was written
    unpushed      commits that the remote lacks, None without a remote; committed: the date of the oldest
    remote        the configured remote's name, None when the repository has no such remote
    resting       whether those files are a tick's logs alone, which wait for the next commit of something else
    kept_out      files that no backup takes, because they look as if they held a secret
    """

    branch: str | None
    hindrance: str | None
    uncommitted: int
    changed: datetime | None
    unpushed: int | None
    committed: datetime | None
    remote: str | None
    resting: bool = False
    kept_out: tuple[str, ...] = ()

    @property
    def row(self) -> dict[str, Any]:
        """Return it as the reply has it."""
        return {key: getattr(self, key) for key in ("branch", "hindrance", "uncommitted", "unpushed", "remote")}


def look(run: Run) -> Repository | None:
    """Return the state of the repository around the workspace, None without one. Raises WorkspaceError."""
    git = run.commits.git
    if git is None:
        return None
    remote = str(run.settings.get("git.remote"))
    paths = [path for _, path in waiting(run.commits, git)[0]]
    kept_out = tuple(path for path in paths[:LOOKED_INTO] if is_secret(path) or _holds_secret(run, path))
    files = [path for path in paths if path not in kept_out]
    times = [t for path in files if (t := run.workspace.modified(path)) is not None]
    unpushed = git.unpushed(remote)
    return Repository(
        branch=git.branch(),
        hindrance=git.hindrance(),
        uncommitted=len(files),
        # Under a `--now` before the files' own times they wait since this moment.
        changed=min(clock.of_epoch(min(times)), run.now) if times else None,
        unpushed=unpushed,
        committed=_oldest_unpushed(git, remote) if unpushed else None,
        remote=remote if remote in upstream.remotes(git.own.local) else None,
        resting=run.commits.rests(files),
        kept_out=kept_out,
    )


def _holds_secret(run: Run, path: str) -> bool:
    """Return whether a backup would leave a file out for what it holds."""
    try:
        data = run.workspace.read(path)
    except WorkspaceError:
        return False
    return data is not None and Looked()(path, data, lambda: run.workspace.at_head(path)) is not None


def _oldest_unpushed(git: Git, remote: str) -> datetime | None:
    """Return the committer date of the oldest commit that the remote's branch lacks."""
    shas = git.unpushed_commits(remote) or []
    times = git.ask(
        "log", "--no-walk=unsorted", "--no-show-signature", "--format=%ct", "--stdin", stdin="\n".join(shas).encode()
    )
    return clock.of_epoch(min(map(int, times.split()))) if times.strip() else None
