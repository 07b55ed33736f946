"""What a killed command wrote and did not commit, in files that the present one does not touch.  [design.md §4 "Git"]

The lines of the audit log that HEAD has not tell of it: they were written with the files, in one step, and would have
been committed with them. Who commits next commits these first, as that command's, so that it can be taken back by its
name. Where `git.commit` lets changes wait, they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.git import resting

if TYPE_CHECKING:
    from koog.core.files.record import Cause, Change
    from koog.core.git.commit import Commit
    from koog.core.git.maker import Maker
    from koog.core.git.owners import Owners
    from koog.core.git.repository import Git

Files = Mapping[str, bytes | None]  # path → content, None for a file that is to go


def elsewhere(maker: Maker, git: Git, owners: Owners, *, beside: Iterable[str] = ()) -> dict[str, bytes | None]:
    """Return the files that are as koog left them, and that HEAD has otherwise; not those beside. Inside of `reading`.

    Without a state root nobody knows what koog left, and it waits for the sweep. So does it where another koog is at
    work: it may be that one's.
    """
    if maker.mode != "command" or maker.workspace.state_root is None:
        return {}
    named = owners.left - set(beside) - set(owners.beside)
    named = {path for path in named if not resting.are_logs(maker.workspace, [path])}
    if not named:
        return {}
    with maker.undisturbed() as is_alone:
        found = dict(_as_left(maker, owners, sorted(named))) if is_alone else {}
    there = git.apart({path: data for path, data in found.items() if data is not None})
    gone = git.held([path for path, data in found.items() if data is None])
    return {path: found[path] for path in sorted([*there, *gone])}


def _as_left(maker: Maker, owners: Owners, paths: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
    for path in paths:
        with suppress(WorkspaceError):  # a folder or a link by now: no file of koog's
            data = maker.workspace.read(path)
            if owners.made(path, data):
                yield path, data


def commit(maker: Maker, git: Git, files: Files, owners: Owners) -> Commit | None:
    """Make one commit of the files of each command, as the log tells whose it was; return the last."""
    last: Commit | None = None
    by_cause: dict[Cause | None, dict[str, Change]] = {}
    for path in files:
        change = owners.change(path)
        by_cause.setdefault(change.cause, {})[path] = change
    for told in by_cause.values():
        there = {path: data for path in told if (data := files[path]) is not None}
        taken = git.take(list(there), screen=maker.looked, given=there)
        entries = taken.entries | dict.fromkeys(path for path in told if path not in there)
        last = maker.make(git, entries, [told[path] for path in entries]) if entries else None
    return last
