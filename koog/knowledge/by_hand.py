"""Which lines that a transcript taught a person has put otherwise since: they are his, whatever their comment says.

Git tells it, as it tells what he has taken out (withdrawn). In a workspace without git nobody knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.audit import blame, history
from koog.core.git.owners import Owners
from koog.knowledge import withdrawn
from koog.knowledge.replay import clearing

if TYPE_CHECKING:
    from koog.audit.history import History
    from koog.core.run import Run


def rows(run: Run, *paths: str) -> dict[str, frozenset[str]]:
    """Return file → its rows that name their source, and that somebody else than koog has written or saved since.

    Of a file that no commit has nobody knows who wrote it.
    """
    git = run.commits.git
    if git is None or git.head() is None:
        return dict.fromkeys(paths, frozenset())
    owners, found = Owners(run.workspace, git), dict[str, frozenset[str]]()
    with history.looked_at(git) as past:
        others = [each for each in past.commits("--no-merges", past.head, paths=paths) if not each.is_koogs]
        touched = {touch.path for each in others for touch in each.touched}
        for path in paths:
            data, before = run.workspace.read(path), withdrawn.decoded(git.at_head(path))
            now, old = withdrawn.decoded(data).split("\n"), before.split("\n")
            theirs = {old[n - 1] for n in committed(past, path, before, past.head)} if path in touched else set[str]()
            if before and now != old and not owners.made(path, data):
                theirs |= set(now) - set(old)
            found[path] = frozenset(row for row in now if row in theirs and clearing.is_taught(row))
    return found


def committed(past: History, path: str, text: str, base: str) -> frozenset[int]:
    """Return the rows, from 1, that a transcript taught and a commit of somebody else than koog has written since.

    text   the file as the commit `base` has it
    """
    taught = {n for n, row in enumerate(text.split("\n"), 1) if clearing.is_taught(row)}
    if not taught:
        return frozenset()
    said = past.git.ask("blame", "--porcelain", base, "--", f"{past.git.prefix}{path}").decode("utf-8", "replace")
    lines = {int(m[3]): m[1] for row in said.split("\n") if (m := blame.HEAD.match(row))}
    whose = {sha: past.commits("-1", sha)[0].is_koogs for sha in {lines[n] for n in taught if n in lines}}
    return frozenset(n for n in taught if n in lines and not whose[lines[n]])
