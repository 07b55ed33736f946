"""One commit of whatever waits: what a killed koog left, what others did, what koog did.  [design.md §4 "Git"]"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import auditlog
from koog.core.files.record import Change
from koog.core.git import left as killed
from koog.core.git import sentence
from koog.core.git.names import is_private
from koog.core.git.owners import MANUAL, NO_REPOSITORY, OUTSIDE, Owners
from koog.core.git.sight import UNMERGED
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from koog.core.git.maker import Maker
    from koog.core.git.objects import TreeEntry
    from koog.core.git.repository import Git
    from koog.core.git.working import Left


class Swept(NamedTuple):
    """What a sweep did.

    commit    the last commit's short hash, None when nothing was committed
    files     the files that differed from HEAD and were looked at
    left_out  those of them that stayed out
    others    how many more differ, which koog did not write: `git.backup: own` leaves them alone
    """

    commit: str | None
    files: list[str]
    left_out: list[str]
    others: int


def waiting(maker: Maker, git: Git) -> tuple[list[tuple[str, str]], int]:
    """Return the status of the files that a sweep would look at, and how many more there are."""
    status = [(code, path) for code, path in git.status() if not is_private(path)]
    if maker.scope == "all":
        return status, 0
    with git.reading():
        written = Owners(maker.workspace, git).written
    mine = [(code, path) for code, path in status if path in written]
    return mine, len(status) - len(mine)


def sweep(maker: Maker, summary: str, *, resting: bool = False, tells: bool = False) -> Swept:
    """Commit whatever differs from HEAD, as far as `git.backup` goes; with `resting` not yet where it is only logs.

    tells   a sentence from the diff stands behind the summary

    Raises WorkspaceError when conflict markers stand in a changed file or git will not do it,
    Busy when another koog is committing.
    """
    git = maker.git
    if git is None:
        maker.warnings.append(f"{NO_REPOSITORY}: written, not committed")
        return Swept(None, [], [], 0)
    status, others = waiting(maker, git)
    files = [path for _, path in status]
    if not files or (resting and maker.rests(files) and _are_ours(maker, git, files)):
        return Swept(None, [], [], others)
    with git.alone(), git.reading():
        owners = Owners(maker.workspace, git)
        left = killed.commit(maker, git, killed.elsewhere(maker, git, owners, beside=maker.gathered), owners)
        seen: dict[str, bytes] = {}
        ours: set[str] = set()

        def look(path: str, data: bytes, before: Callable[[], bytes | None]) -> Left | None:
            if owners.made(path, data):
                ours.add(path)
            if path in owners.written:
                seen[path] = data
            return maker.looked(path, data, before)

        taken = git.take(files, screen=look)
        marked = [*taken.conflicts, *(path for code, path in status if code in UNMERGED)]
        if marked:
            told = ", ".join(list(dict.fromkeys(marked))[:5])
            raise WorkspaceError(f"conflict markers in {told}", hint="resolve them, then back up")
        maker.warnings += [left.told(path) for path, left in taken.left.items()]
        ours |= {path for path, entry in taken.entries.items() if entry is None and owners.made(path, None)}
        theirs = {path: entry for path, entry in taken.entries.items() if path not in ours}
        manual = maker.make(git, theirs, [Change("EDIT", p, OUTSIDE, cause=MANUAL) for p in theirs])
        mine = {path: entry for path, entry in taken.entries.items() if path in ours}
        said = sentence.of(_sides(git, mine)) if tells else sentence.Told("", [])
        changes = [Change("EDIT", path, f"{summary}: {said.sentence}" if said.sentence else summary) for path in mine]
        made = maker.make(git, mine, changes, sessions=said.sessions) if mine else None
    _learn(maker, {path: seen[path] for path in theirs if path in seen})
    last = made or manual or left
    return Swept(last.short if last else None, files, _known(taken.left, files), others)


def _sides(git: Git, entries: Mapping[str, TreeEntry | None]) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Return what files were and are. Inside of `reading`."""
    return {
        path: (git.at_head(path), git.objects.get(entry.sha, "blob") if entry else None)
        for path, entry in entries.items()
    }


def _are_ours(maker: Maker, git: Git, files: Iterable[str]) -> bool:
    """Return whether these are as koog left them: what others did to a log waits for nothing."""
    owners = Owners(maker.workspace, git)
    try:
        return all(owners.made(path, maker.workspace.read(path)) for path in files)
    except WorkspaceError:
        return False


def _learn(maker: Maker, contents: dict[str, bytes]) -> None:
    """Take for known what a commit has just taken from others in koog's own files, but for the audit log.

    What others wrote there is known once the chain has it: the next transaction tells of it.
    """
    workspace = maker.workspace
    told = {path: data for path, data in contents.items() if path != workspace.in_memory(auditlog.NAME)}
    with suppress(Busy):  # whoever writes next tells of it once more
        workspace.learn(told)


def _known(left: Iterable[str], files: list[str]) -> list[str]:
    return [path for path in files if path in set(left)]
