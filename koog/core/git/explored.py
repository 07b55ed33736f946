"""Branches of exploration, `explore/*`: what nobody went on with for 7 days goes, but no person's work.  [§3.3]

One goes when its last commit and its last move are older, no working tree has it checked out, and whatever is on it
alone is what koog makes by itself: what somebody told it to remember, or said in a session whose transcript lies in
the same repository, stands nowhere else. Its name is all that goes: `git branch NAME COMMIT` brings it back as long as
git keeps the commit.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import auditlog
from koog.core.git.commit import OURS
from koog.core.git.fenced import Locked
from koog.core.git.refs import Moved
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.git.repository import Git

FOLDER = "refs/heads/explore/"
KEPT = timedelta(days=7)
KOOGS = ("skill:koog", "system:audit")  # as whom it commits what nobody but koog has said
TALKS = ":(top,glob)**/conversations/**/*.md"  # transcripts
FIELDS = 4  # of a commit that is looked at


class Pruned(NamedTuple):
    """A branch that is gone, and the commit that it named."""

    branch: str
    commit: str


def prune(git: Git | None, *, now: datetime, warn: Callable[[str], None]) -> list[Pruned]:
    """Remove what nobody explores any more. What is in the way is a warning."""
    if git is None or (head := git.head()) is None or git.hindrance():
        return []
    gone = []
    try:
        out = git.refs.heads()
        for ref, tip in git.refs.below(FOLDER).items():
            if ref in out or not _is_old(git, ref, tip, now) or _holds_work(git, tip, head):
                continue
            with git.alone():
                git.refs.remove(ref, tip)
            gone.append(Pruned(ref.removeprefix("refs/heads/"), tip[:12]))
    except (WorkspaceError, Busy, Moved, Locked) as e:
        warn(f"branches of exploration stay: {e}")
    return gone


def _is_old(git: Git, ref: str, tip: str, now: datetime) -> bool:
    made = int(git.ask("log", "-1", "--no-show-signature", "--format=%ct", tip, "--"))
    return max(made, git.refs.logged(ref) or 0) < (now - KEPT).timestamp()


def _holds_work(git: Git, tip: str, head: str) -> bool:
    """Return whether a person stands behind what is on this branch alone: he made, asked for, said or approved it.

    A commit of koog's that was amended since has koog's name and words still, but another date of its committer.
    """
    if git.ask("diff", "--no-ext-diff", "--no-renames", "--diff-filter=A", "--name-only", head, tip, "--", TALKS):
        return True
    told = "".join(f"%x00%(trailers:key={key},valueonly)" for key in ("Actor", "Approval"))
    said = git.ask("log", "--no-show-signature", "-z", f"--format=%ae%x00%at %ct{told}", tip, f"^{head}")
    fields = said.decode("utf-8", "replace").split("\0")
    rows = zip(*(fields[n::FIELDS] for n in range(FIELDS)), strict=False)
    return any(
        email != OURS["email"]
        or len(set(dates.split())) > 1
        or actor.strip() not in KOOGS
        or leave.strip() not in auditlog.OWN_LEAVE
        for email, dates, actor, leave in rows
    )
