"""Where a workspace's repository is, found without asking it.  [design.md §4 "Git"]

git asks the repository itself, and `core.worktree` or a `.git` that leads elsewhere
then decide what koog commits, and where to.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.git.fenced import Fenced
from koog.core.git.process import checked, run
from koog.core.named import NamedTuple

SAME = ("top", "gitDir", "commonDir", "objects")  # what makes it the repository that was recorded
LINE = 4096


class RepositoryPlace(NamedTuple):
    """One repository.

    top      its working tree
    git_dir  this working tree's git folder (a linked worktree has its own)
    common   the git folder that all working trees share
    objects  its object folder
    prefix   the workspace inside the working tree: "" or "folder/"
    """

    top: Path
    git_dir: Path
    common: Path
    objects: Path
    prefix: str

    @property
    def is_plain(self) -> bool:
        """Return whether all of it lies in a real `.git` at the workspace or above, where nobody led it elsewhere."""
        inside = self.top / ".git"
        return (self.git_dir, self.common, self.objects) == (inside, inside, inside / "objects")

    def row(self) -> dict[str, str]:
        """Return what is recorded of it."""
        return dict(zip(SAME, map(str, (self.top, self.git_dir, self.common, self.objects)), strict=True))

    def inode(self) -> int:
        """Return the number of the git folder, which another in its place does not have."""
        return self.git_dir.stat().st_ino

    def changed(self, recorded: dict[str, Any]) -> list[str]:
        """Return what differs from the repository that was recorded."""
        return [key for key, value in self.row().items() if recorded.get(key) != value]


def find(folder: Path) -> RepositoryPlace | None:
    """Return the repository around an existing folder, None when there is none.

    Raises WorkspaceError for a `.git` that is no repository, and for one of somebody git does not trust.
    """
    start = Path(os.path.realpath(folder))
    device = start.stat().st_dev
    for top in (start, *start.parents):
        if top.stat().st_dev != device:
            return None  # as git: the disk above is somebody else's
        found = _at(top)
        if found is not None:
            git_dir, common = found
            inside = start.relative_to(top).as_posix()
            _trusted(start, top, git_dir)
            objects = Path(os.path.realpath(common / "objects"))
            return RepositoryPlace(top, git_dir, common, objects, "" if inside == "." else f"{inside}/")
    return None


def _at(top: Path) -> tuple[Path, Path] | None:
    """Return the git folder of a working tree and the one that it shares; None when there is none."""
    try:
        mode = (top / ".git").lstat().st_mode
    except OSError:
        return None
    git_dir = _led(top) if stat.S_ISREG(mode) else Path(os.path.realpath(top / ".git"))
    shared = Fenced(git_dir).read("commondir", limit=LINE) if git_dir.is_dir() else None
    common = Path(os.path.realpath(git_dir / os.fsdecode(shared).strip())) if shared else git_dir
    if all((common / name).is_dir() for name in ("objects", "refs")) and os.path.lexists(git_dir / "HEAD"):
        return git_dir, common
    if stat.S_ISDIR(mode) and not os.path.lexists(top / ".git/HEAD"):
        return None  # git looks further up, too
    raise WorkspaceError(f"not a git repository: {git_dir}", hint="git status says more")


def _led(top: Path) -> Path:
    said = os.fsdecode(Fenced(top).read(".git", limit=LINE) or b"").strip()
    if not said.startswith("gitdir:"):
        raise WorkspaceError(f"not a git repository: {top / '.git'}", hint="git status says more")
    return Path(os.path.realpath(top / said.removeprefix("gitdir:").strip()))


def _trusted(folder: Path, top: Path, git_dir: Path) -> None:
    """Leave it to git whether a repository of another owner may be used: safe.directory."""
    if any(path.stat().st_uid != os.geteuid() for path in (top, git_dir)):
        checked(run(folder, "rev-parse", "--git-dir"))
