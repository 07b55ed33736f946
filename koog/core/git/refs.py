"""Where a repository's branches stand, and how one is moved.  [design.md §4 "Git"]

Read and written as git does it, but without following a link: of `logs/HEAD` or
`refs/heads` leading elsewhere, git itself would write there.
"""

from __future__ import annotations

import os
import re
import stat
import time
from contextlib import suppress

from koog.core.errors import WorkspaceError
from koog.core.git.fenced import Fenced
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

NAME = compiled(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
LOGGED = ("HEAD", "refs/heads/", "refs/remotes/", "refs/notes/")  # what git itself begins a log for
DEPTH = 5  # git's own limit for a ref that names a ref


class Moved(Exception):
    """The branch is no longer where it was read."""


class Refs(NamedTuple):
    """The refs of one working tree.

    own     its git folder: HEAD is there
    common  the git folder that it shares with other working trees: branches are there
    logs    whether a branch without a log gets one
    """

    own: Fenced
    common: Fenced
    logs: bool = True

    def tip(self) -> tuple[str | None, str | None]:
        """Return the current branch's name, None for a detached HEAD, and HEAD's commit, None before the first."""
        head = self._head()
        if not head.startswith("ref:"):
            return None, head
        ref = head[4:].strip()
        if not ref.startswith("refs/heads/") or not is_safe(ref):
            return None, self.resolve(ref) if is_safe(ref) else None
        return ref.removeprefix("refs/heads/"), self.resolve(ref)

    def resolve(self, ref: str) -> str | None:
        """Return the commit that a ref such as refs/heads/main names, None when there is no such ref."""
        for _ in range(DEPTH):
            if not is_safe(ref):
                return None
            said = self._loose(ref)
            if said is None:
                return self._packed().get(ref)
            if not said.startswith("ref:"):
                return said
            ref = said[4:].strip()
        return None

    def move(self, ref: str, new: str, old: str | None, *, who: str, why: str) -> list[str]:
        """Move a ref from a commit (None: from nowhere) to another, with a line in its log; return warnings.

        who  "NAME <EMAIL>", for the log

        To be called while other koogs are held off (Index.alone).
        Raises Moved when it is elsewhere, Locked while another git moves it.
        """
        if not is_safe(ref) or not NAME.fullmatch(new):
            raise WorkspaceError(f"{ref} is no name of a branch")
        if old is None and (taken := self._taken(ref)):
            raise WorkspaceError(f"{ref} cannot be made while there is {taken}")
        self._make_folders(ref)
        at_head = self._head()[4:].strip() == ref
        with self.common.locked(ref, twins=self.own) as put:
            if self.resolve(ref) != old:
                raise Moved(f"{ref} has moved")
            line = f"{old or '0' * len(new)} {new} {who} {int(time.time())} {time.strftime('%z')}\t{why}\n"
            if at_head:
                with self.own.locked("HEAD", twins=self.own):
                    warnings = self._log("HEAD", self.own, line)
            else:
                warnings = []
            warnings += self._log(ref, self.common, line)
            put(new.encode() + b"\n")
        return warnings

    def below(self, folder: str) -> dict[str, str]:
        """Return the refs in a folder such as refs/tags/memory/, by their names, each with what it names.

        One that is broken names nothing, and is in nobody's way.
        """
        found = {ref: sha for ref, sha in self._packed().items() if ref.startswith(folder)}
        waiting = [folder.rstrip("/")]
        while waiting:
            at = waiting.pop()
            for name in self.common.names(at):
                ref, info = f"{at}/{name}", self.common.info(f"{at}/{name}")
                if info is not None and stat.S_ISDIR(info.st_mode):
                    waiting.append(ref)
                elif is_safe(ref):
                    with suppress(WorkspaceError):
                        found |= {ref: sha} if (sha := self.resolve(ref)) else {}
        return dict(sorted(found.items()))

    def names(self, folder: str) -> set[str]:
        """Return what the refs right in a folder are called, whatever they name: there may be thousands."""
        packed = (ref.removeprefix(folder) for ref in self._packed() if ref.startswith(folder))
        return {name for name in (*packed, *self.common.names(folder.rstrip("/"))) if "/" not in name}

    def remove(self, ref: str, old: str) -> None:
        """Remove a ref that names a commit, with its log; to be called as `move` is. Raises Moved, Locked."""
        if not is_safe(ref):
            raise WorkspaceError(f"{ref} is no name of a branch")
        self._make_folders(ref)
        with self.common.locked(ref, twins=self.own):
            if self.resolve(ref) != old:
                raise Moved(f"{ref} has moved")
            if ref in self._packed():
                with self.common.locked("packed-refs", twins=self.own) as put:
                    put(_without(self.common.read("packed-refs") or b"", ref))
            self.common.remove(ref)
            self.common.remove(f"logs/{ref}")

    def logged(self, ref: str) -> int | None:
        """Return when a ref was last moved, in seconds, by its log; None where that says nothing."""
        lines = (self.common.read(f"logs/{ref}") or b"").splitlines()
        found = re.search(rb"> (\d+) [-+]\d{4}(?:\t|$)", lines[-1]) if lines else None
        return int(found[1]) if found else None

    def heads(self) -> set[str]:
        """Return the branches that some working tree of the repository has checked out."""
        folders = [self.own, self.common, *(Fenced(self.common.path / "worktrees" / n) for n in self._trees())]
        said = [os.fsdecode(folder.read("HEAD", limit=4096) or b"").strip() for folder in folders]
        return {each[4:].strip() for each in said if each.startswith("ref:")}

    def _trees(self) -> list[str]:
        return self.common.names("worktrees")

    def _head(self) -> str:
        if (said := self._loose("HEAD", self.own)) is None:
            raise WorkspaceError(f"no HEAD in {self.own.path}", hint="git status; git fsck")
        return said

    def _loose(self, ref: str, folder: Fenced | None = None) -> str | None:
        """Return what a ref's own file says, None when it has none. Raises WorkspaceError for one that is broken."""
        where = folder or self.common
        info = where.info(ref)
        if info is None or stat.S_ISDIR(info.st_mode):
            return None
        said = os.fsdecode(where.read(ref, limit=4096) or b"").strip()
        if not (said.startswith("ref:") or NAME.fullmatch(said)):
            raise WorkspaceError(f"{where.path / ref} names no commit", hint="git status; git fsck")
        return said

    def _packed(self) -> dict[str, str]:
        data = self.common.read("packed-refs") or b""
        found = {}
        for line in os.fsdecode(data).splitlines():
            name, _, ref = line.partition(" ")
            if ref and NAME.fullmatch(name):
                found[ref] = name
        return found

    def _taken(self, ref: str) -> str | None:
        """Return a packed ref that a new one of this name would be inside of, or the other way round."""
        return next((r for r in self._packed() if r.startswith(f"{ref}/") or ref.startswith(f"{r}/")), None)

    def _make_folders(self, ref: str) -> None:
        folder = ref.rpartition("/")[0]
        if self.common.info(folder) is None:
            self.common.make(folder)

    def _log(self, name: str, folder: Fenced, line: str) -> list[str]:
        """Add a line to a log that is there, or that the repository wants; return a warning when it cannot be."""
        log = f"logs/{name}"
        missing = folder.info(log) is None
        if (missing and not (self.logs and name.startswith(LOGGED))) or folder.append(
            log, os.fsencode(line), create=missing
        ):
            return []
        return [f"no line in {folder.path.name}/{log}: it is a link, or a file with a second name"]


def _without(packed: bytes, ref: str) -> bytes:
    """Return packed-refs without one ref, and without the line below it that says what a tag leads to."""
    kept, is_gone = list[bytes](), False
    for line in packed.splitlines(keepends=True):
        is_gone = line.rstrip(b"\n").endswith(b" " + os.fsencode(ref)) or (is_gone and line.startswith(b"^"))
        if not is_gone:
            kept.append(line)
    return b"".join(kept)


def is_safe(ref: str) -> bool:
    """Say whether a ref's name is one that git allows, and stays inside refs/.

    >>> [is_safe(r) for r in ("refs/heads/a/b", "refs/heads/../x", "HEAD", "refs/heads/x.lock", "refs/heads/.x")]
    [True, False, False, False, False]
    """
    parts = ref.split("/")
    return (
        parts[0] == "refs"
        and len(parts) > 2
        and not any(not p or p.startswith(".") or p.endswith((".lock", ".")) or ".." in p for p in parts)
        and "@{" not in ref
        and not re.search(r"[\x00-\x20\x7f~^:?*\[\\]", ref)
    )
