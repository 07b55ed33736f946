"""What is pushed, and where to: koog's commits, to the address that a person approved.  [design.md §4 "Git"]

Only where the operator's file says `git.push: true`, only to the branch's own upstream, and only while that is
the address on record. Whatever stands against it is told in words that say what to do.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.git import identity
from koog.core.git.process import redacted

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot
    from koog.core.git.repository import Git
    from koog.core.git.upstream import Upstream

MADE = "commits"  # file of the state root: what koog committed; of another koog, or on another branch, it may wait
MADE_BYTES = 1_000_000  # of it: some 12,000 commits at least
ALLOW = "koog backup --allow-push"


@dataclass(eq=False)
class Outgoing:
    """The pushes of one run.

    enabled    the operator's `git.push`
    state      the workspace's state root, None where koog does not see it
    timeout_s  how long a push may take
    at_end     whether the command ends with a push of what it committed
    """

    enabled: bool = False
    state: StateRoot | None = None
    timeout_s: float = 60.0
    at_end: bool = False
    _limit_s: float = math.inf
    _off: bool = False

    @property
    def wanted(self) -> bool:
        return self.enabled and not self._off

    def leave_out(self) -> None:
        """Push nothing in this run: `--no-push`."""
        self._off = True

    def limit(self, seconds: float) -> None:
        """Let no push from now on take longer than what is left of a deadline, or the config's own limit."""
        self._limit_s = seconds

    def made(self, sha: str) -> None:
        """Remember a commit of koog's own, which the branch is about to move to."""
        if self.state:  # also while nothing is pushed: it is koog's own when that begins
            self.state.note(MADE, sha, limit=MADE_BYTES)

    def push(self, git: Git, *, scope: str) -> str | None:
        """Push what the upstream lacks; return why not, None when it was done or nothing was to be done.

        Raises WorkspaceError for a push that failed or hung. The commits stay then, and go with the next.
        """
        upstream = git.upstream()
        if upstream is not None and git.unpushed_from(upstream) == []:
            return None
        why = self.against(git, upstream, scope=scope)
        if why is None and upstream is not None:
            from koog.core.git.push import push

            push(git, upstream, timeout_s=min(self.timeout_s, self._limit_s))
        return why

    def against(self, git: Git, upstream: Upstream | None, *, scope: str) -> str | None:
        """Return what stands against a push, None when nothing does."""
        if self._off:
            return "--no-push"
        if not self.enabled:
            return f"the operator's config does not say git.push: true ({ALLOW})"
        if self.state is None:
            return (
                "koog sees no state root of this workspace here: it has no entry in the operator's config (koog init)"
            )
        if upstream is None:
            return f"the branch has no upstream: git push -u {git.remote_named()} {git.branch() or 'BRANCH'}, once"
        if why := suspicious(upstream.url, git.top):
            return why
        known = identity.recorded(self.state) or {}
        approved = known.get("pushUrl")
        if approved != upstream.url:
            was = f", approved is {redacted(str(approved))}" if approved else ""
            return f"nobody has approved the push address {redacted(upstream.url)}{was} ({ALLOW})"
        if upstream.ref not in (known.get("pushRefs") or []):
            return f"nobody has approved pushes to {upstream.ref} at {redacted(upstream.url)} ({ALLOW})"
        return self._foreign(git, upstream) if scope == "own" else None

    def _foreign(self, git: Git, upstream: Upstream) -> str | None:
        """Return how many of the commits that would be pushed are not koog's own."""
        unpushed, ours = git.unpushed_from(upstream), set(self._made())
        foreign = [sha for sha in unpushed if sha not in ours]
        if not foreign:
            return None
        return f"{len(foreign)} of {len(unpushed)} unpushed commits are not koog's own: git push, when they may go"

    def _made(self) -> list[str]:
        return self.state.noted(MADE) if self.state else []


def waits(git: Git, state: StateRoot) -> Upstream | None:
    """Return the upstream whose address nobody has approved yet, None where there is none."""
    upstream, known = git.upstream(), identity.recorded(state) or {}
    if upstream is None or suspicious(upstream.url, git.top):
        return None
    approved = known.get("pushUrl") == upstream.url and upstream.ref in (known.get("pushRefs") or [])
    return None if approved else upstream


def allow(git: Git, state: StateRoot, upstream: Upstream | None) -> str:
    """Record an upstream's address, and its branch there, as where to push; return the address. A person's word."""
    if upstream is None:
        hint = f"git push -u {git.remote_named()} {git.branch() or 'BRANCH'}, once"
        raise WorkspaceError("the branch has no upstream, so there is no address to approve", hint=hint)
    if why := suspicious(upstream.url, git.top):
        raise WorkspaceError(why, hint="git remote set-url")
    known = identity.recorded(state) or identity.marked(git.place)
    refs = known.get("pushRefs") if known.get("pushUrl") == upstream.url else None
    state.put(identity.NAME, {**known, **identity.pushed(upstream, *(refs or []))})
    return upstream.url


def suspicious(url: str, top: Path) -> str | None:
    """Return why no push goes to an address, whoever approved it: one that runs a program, or the workspace's own."""
    if url.startswith("-") or "::" in url.partition("/")[0] or any(not c.isprintable() for c in url):
        return f"{redacted(url)!r} is no address that koog pushes to"
    local = _local(url, top)
    if local is not None and Path(os.path.realpath(local)).is_relative_to(top):
        # Whoever can write the workspace can write that repository's hooks, too.
        return f"{url!r} lies inside the working tree"
    return None


def _local(url: str, top: Path) -> Path | None:
    """Return the folder that an address names, None for one elsewhere."""
    if url.startswith("file://"):
        from urllib.parse import unquote, urlsplit

        return Path(unquote(urlsplit(url).path))
    is_remote = "://" in url or (":" in url.partition("/")[0])
    return None if is_remote else top / url
