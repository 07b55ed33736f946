"""What a branch of a reconstruction holds: koog's own commit, by its tag, and what a person has put on top of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.core.errors import NotFound, Refused
from koog.core.git import tags
from koog.core.named import NamedTuple
from koog.knowledge import reading
from koog.knowledge.layout import MEMORY
from koog.knowledge.pruning import shelf
from koog.knowledge.replay import plan
from koog.memory.store import entities

if TYPE_CHECKING:
    from koog.audit.history import History
    from koog.core.git.repository import Git
    from koog.core.run import Run
    from koog.knowledge.layout import Layout

TRIGGER, ACCEPTS = "koog reconstruct", "--accept"  # in the messages of commits


class Outcome(NamedTuple):
    """One reconstruction that is done: the commit that it began with, koog's own upon it, and the branch's last."""

    ref: str
    base: str
    made: str
    tip: str

    @property
    def has_more(self) -> bool:
        """Return whether somebody has gone on with what koog made."""
        return self.tip != self.made


def found(git: Git, past: History, name: str) -> Outcome:
    """Return what a branch holds.

    Raises NotFound without a branch, Refused for one that koog did not make, that somebody has made anew, or that is
    checked out: what he has not committed there yet would be lost.
    """
    ref, short = f"{plan.BRANCH}{name}", f"extract/{name}"
    tip = git.refs.resolve(ref)
    if tip is None:
        raise NotFound(f"there is no branch {short}", hint=f"koog reconstruct --branch {name} makes it")
    made = git.refs.resolve(tags.named(tags.EXTRACT, name))
    if made is None or not _is_koogs(git, past, made):
        raise Refused(f"{short} is nothing that koog has reconstructed", hint=f"git merge {short}; git fetch --tags")
    if git.ask("rev-list", "-1", made, f"^{tip}", "--").strip():
        raise Refused(f"{short} does not build on memory/{short} any more", hint=f"git merge {short}")
    if ref in git.refs.heads():
        raise Refused(f"{short} is checked out in a working tree", hint="git worktree list; git switch another branch")
    return Outcome(ref, git.ask("rev-parse", f"{made}^").decode().strip(), made, tip)


def _is_koogs(git: Git, past: History, commit: str) -> bool:
    """Return whether a commit is of a reconstruction: koog's, upon one other."""
    found = past.commit(commit)
    if not found.is_koogs or not found.trigger.startswith(TRIGGER) or ACCEPTS in found.trigger:
        return False
    said = git.ask("log", "-1", "--no-show-signature", "--format=%P", commit, "--")
    return len(said.split()) == 1


def folders(run: Run, where: Layout) -> tuple[str, ...]:
    """Return the folders in which a reconstruction may change files, each with a slash behind it."""
    return (*(f"{each}/" for each in (*where, shelf.ARCHIVE)), f"{run.workspace.in_memory(entities.FOLDER)}/")


def may_change(path: str, inside: tuple[str, ...]) -> bool:
    """Return whether a reconstruction may change a file. inside: those folders"""
    return path == MEMORY or (path.startswith(inside) and path.endswith(reading.SUFFIX))
