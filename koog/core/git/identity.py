"""Which repository takes a workspace's commits, and where they are pushed: recorded, and compared.  [design.md §4]

Whoever can write the workspace can lead its `.git` elsewhere. The state root, which they cannot write, holds
what the first `koog init` found (`repository.json`), and afterwards what a person approved.
"""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from koog.core.errors import WorkspaceError
from koog.core.git.fenced import Fenced

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot
    from koog.core.git.place import RepositoryPlace
    from koog.core.git.upstream import Upstream

NAME = "repository"
ADDRESS = ("remote", "pushUrl", "pushRefs")  # what `pushed` gives
MARK = "koog/mark"


def recorded(state: StateRoot | None) -> dict[str, Any] | None:
    """Return what is recorded of the workspace's repository, None when nothing is."""
    found = state.get(NAME) if state else None
    return found if isinstance(found, dict) and found.get("top") else None


def marked(place: RepositoryPlace) -> dict[str, Any]:
    """Leave a mark in a repository's git folder; return what is recorded of it.

    A copy that is put in its place has neither its inode nor the mark. One of them is enough: some file systems
    number anew at each mount, and a person may clear away git's folders that he does not know.
    """
    mark = os.urandom(8).hex()
    folder = Fenced(place.git_dir)
    with suppress(WorkspaceError):
        if folder.info("koog") is None:
            folder.make("koog")
        folder.put(MARK, mark.encode())
    return {**place.row(), "inode": place.inode(), "mark": mark}


def pushed(upstream: Upstream | None, *refs: str) -> dict[str, Any]:
    """Return what is recorded of where a repository is pushed. refs: branches there that are approved already."""
    if upstream is None:
        return {"remote": None, "pushUrl": None, "pushRefs": []}
    known = list(dict.fromkeys([*refs, upstream.ref]))
    return {"remote": upstream.remote, "pushUrl": upstream.url, "pushRefs": known}


def doubt(place: RepositoryPlace, state: StateRoot | None) -> str | None:
    """Return why koog must not commit to this repository, None when it may."""
    known = recorded(state)
    way = f"koog init --adopt {shlex.quote(str(place.top / place.prefix))} approves it"
    if known is None:
        return None if place.is_plain else f"git's folder is {place.git_dir}, and nobody has approved it ({way})"
    row = place.row()
    for key in place.changed(known):
        return f"the repository is not the recorded one: {key} is {row[key]}, was {known.get(key)} ({way})"
    if known.get("inode") != place.inode() and not _has_mark(place, known.get("mark")):
        return f"another repository lies in the place of the recorded one ({way})"
    return None


def _has_mark(place: RepositoryPlace, mark: Any) -> bool:
    try:
        return bool(mark) and Fenced(place.git_dir).read(MARK, limit=100) == str(mark).encode()
    except WorkspaceError:
        return False
