"""The transcripts' own repository: what has ended is committed at once.  [autopoiesis §3.1, §3.2]

    conversation: autopoiesis-restructuring

    Session: raw/conversations/2026/02/16/1845-ses_a1b2c3d4-autopoiesis-restructuring.md

A commit that could not be made, because somebody is rebasing or the disk is full, is made by the next command: what
has ended and is in no commit is found by git itself. Nothing is pushed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import raw_root
from koog.core.files.state_root import StateRoot
from koog.core.git.commit import actor
from koog.core.git.repository import Git

if TYPE_CHECKING:
    from koog.core.files.workspace import Workspace
    from koog.core.git.maker import Maker

STATE = "raw"  # folder of the state root: what is recorded of this repository, and koog's own git folder for it
NEW = "??"
EACH = 20  # transcripts that get a commit each; of more than that, an old store that is imported, all get one
FOLDER = "conversations/"


def find(workspace: Workspace, *, make: bool = False) -> Git | None:
    """Return the repository of the transcripts, None where there is none. Raises WorkspaceError.

    make   make one in the folder that is there; it is in nobody else's, whatever lies around it
    """
    raw, state = workspace.raw, workspace.state_root
    if raw is None or state is None or not _is_there(workspace):
        return None
    own = StateRoot(state.id, state.folder(STATE))
    is_apart = raw_root.inside(raw, workspace.root) is None  # where nobody but koog can have begun one
    try:
        found = Git.find(raw, state=own)
    except WorkspaceError:
        if not (make and is_apart):
            raise
        found = None  # `git init` was killed, or the disk was full
    if found is not None and not found.prefix:
        return found
    if not make:
        return None
    made = Git.init(raw, state=own, again=is_apart)
    made.record(own)
    return made


def keep(maker: Maker, *, slug: Callable[[str], str]) -> list[str]:
    """Commit the transcripts that have ended and are in no commit yet; return the commits' short hashes.

    slug   gives a transcript's slug by its cited path

    Where git will not do it, that is a warning: they are written.
    """
    if maker.mode == "off" or maker.workspace.dry_run:
        return []
    try:
        git = find(maker.workspace, make=True)
        return _kept(maker, git, slug) if git else []
    except (WorkspaceError, Busy) as e:
        maker.warnings.append(f"transcripts: written, not committed: {e.message}")
        return []


def waiting(workspace: Workspace, git: Git) -> tuple[list[str], list[str]]:
    """Return the cited paths of those that have ended and are in no commit, and of those that differ from theirs."""
    new, changed = [], []
    for code, path in git.status():
        if path.startswith(FOLDER) and path.endswith(".md"):
            if code != NEW:
                changed.append(raw_root.cited(path))
            elif raw_root.has_ended(workspace.transcripts.info(path)):
                new.append(raw_root.cited(path))
    return new, changed


def _kept(maker: Maker, git: Git, slug: Callable[[str], str]) -> list[str]:
    new, _ = waiting(maker.workspace, git)
    if not new:
        return []
    if why := git.hindrance():
        maker.warnings.append(f"transcripts: written, not committed: {why}")
        return []
    groups = [[path] for path in new] if len(new) <= EACH else [new]
    return [made for group in groups if (made := _commit(maker, git, group, slug))]


def _commit(maker: Maker, git: Git, paths: Sequence[str], slug: Callable[[str], str]) -> str | None:
    title = slug(paths[0]) if len(paths) == 1 else f"{len(paths)} sessions"
    message = "\n".join([f"conversation: {title}", "", *(f"Session: {path}" for path in paths), ""])
    author = actor(maker.workspace.cause.actor)
    made = git.commit(
        [raw_root.inner(path) for path in paths], message=message, when=maker.now, author=author, screen=maker.looked
    )
    if made is None:
        return None
    maker.warnings += made.warnings
    return made.short


def _is_there(workspace: Workspace) -> bool:
    try:
        workspace.transcripts.folder()
    except OSError:
        return False
    return True
