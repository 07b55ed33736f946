"""A person's index, which follows what koog commits; and the lock that koogs hold among themselves.

Own files, in the git folder because they belong to its index: `koog/lock`,
`koog/behind.json` (what a locked index is still owed, or a crash left in it) and
`koog/held-…` (the second name of a lock, while a koog holds it).
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from koog.core.errors import Busy, WorkspaceError
from koog.core.git import index_file
from koog.core.git.fenced import Fenced, Locked
from koog.core.git.index_file import IndexFile
from koog.core.git.objects import TreeEntry
from koog.core.git.own import Own
from koog.core.git.process import ask, joined, split
from koog.core.git.trees import Changed
from koog.core.named import NamedTuple

Held = tuple[str, str]  # a path, and the "mode sha" that an index has for it

LOCK_WAIT_S = 10.0
INDEX_TRIES = 3  # a prompt's `git status` holds the index for milliseconds; a stale lock for ever
BEHIND = "koog/behind.json"


class IndexRow(NamedTuple):
    """Where a tree and the index differ: "mode sha" of each, all zeros where there is none."""

    wanted: str
    held: str
    kind: str
    path: str


class Look(NamedTuple):
    """What was seen of the index.

    copied  its bytes
    rows    where it differs from a tree
    written when it was, in seconds; where koog reads it
    known   the index as koog reads it; None where git does, in a copy that `env` names
    """

    copied: bytes | None
    rows: list[IndexRow]
    known: IndexFile | None = None
    written: int = 0
    env: dict[str, str] | None = None


class Index(NamedTuple):
    """The index of one working tree.

    top     the repository's working tree
    folder  its git folder
    own     koog's own, through which git looks at a copy
    """

    top: Path
    folder: Fenced
    own: Own

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold off other koogs: two of them would take each other's index entries for a person's."""
        deadline = time.monotonic() + LOCK_WAIT_S
        if self.folder.info("koog") is None:
            self.folder.make("koog")
        lock = self.folder.handle("koog/lock")
        try:
            while not _locked(lock):
                if time.monotonic() > deadline:
                    raise Busy("another koog is committing", hint="try again")
                time.sleep(0.02)
            yield
        except OSError as e:
            raise WorkspaceError(f"git folder: {e}") from e
        finally:
            os.close(lock)

    def follow(self, tree: str, changes: Sequence[Changed]) -> tuple[set[Held], list[str]]:
        """Bring the person's index up to `tree` for the changed paths.

        This comes before the branch moves: a crash in between leaves the change staged.
        The other way round the index would hold its undoing, ready for a person's next commit.
        Until `settle`, whatever the index holds of koog's is on record, so that the next
        commit does not take what a crash left staged for a person's.

        Returns what a locked index is still owed, for `settle`, and a warning that says so.
        """
        width = len(tree)
        expected = {*((c.path, _text(c.old, width)) for c in changes), *self._behind()}
        if not expected:
            return set(), []
        refused = None
        for attempt in range(INDEX_TRIES):
            time.sleep(0.03 * attempt)
            look = self._looked(tree, changes, expected)
            due = [c for c in look.rows if (c.path, c.held) in expected]
            held = {(c.path, c.held) for c in due}
            if attempt == 0:
                self.settle(held | {(c.path, _text(c.new, width)) for c in changes})
            if not due:
                return set(), []
            fresh = self._edited(look, due)
            try:
                # Unsynced: after a power cut git makes an index anew.
                with self.folder.locked("index", twins=self.folder, sync=False) as put:
                    if self.folder.read("index") == look.copied:
                        put(fresh)
                        return set(), []
                refused = "somebody keeps changing it"
            except Locked as e:
                refused = str(e)
        return held, [f"git's index is not up to date until the next commit: {refused}"]

    def _looked(self, tree: str, changes: Sequence[Changed], expected: Collection[Held]) -> Look:
        """Look where the index differs from a tree: of what is changed it is koog that looks, else git."""
        width = len(tree)
        wanted = {c.path: _text(c.new, width) for c in changes}
        info = self.folder.info("index") if all(path in wanted for path, _ in expected) else None
        data = self.folder.read("index") if info else None
        if info and data is not None and (known := index_file.read(data, width // 2)):
            try:
                rows = [IndexRow(new, _text(known.held(path), width), "M", path) for path, new in wanted.items()]
                look = Look(data, [row for row in rows if row.wanted != row.held], known, int(info.st_mtime))
                self._edited(look, look.rows)
                return look
            except ValueError:
                pass  # a person has marked one of them
        env, copied = self.own.copy_index(self.folder)
        return Look(copied, self._differences(tree, env), env=env)

    def _edited(self, look: Look, due: Sequence[IndexRow]) -> bytes:
        """Return the index in which the rows are as they are wanted."""
        if look.known:
            return look.known.edited({row.path: _entry(row.wanted) for row in due}, written=look.written)
        entries = [f"{row.wanted}\t{row.path}" for row in due]
        ask(self.top, "update-index", "-z", "--index-info", stdin=joined(entries), env=look.env)
        return self.own.index_bytes()

    def _differences(self, tree: str, env: dict[str, str]) -> list[IndexRow]:
        options = ("--cached", "--raw", "-z", "--no-renames", "--ita-invisible-in-index")
        fields = split(ask(self.top, "diff-index", *options, tree, env=env))
        found = []
        for head, path in zip(fields[::2], fields[1::2], strict=True):
            tree_mode, index_mode, tree_sha, index_sha, kind = head.removeprefix(":").split(" ")
            if kind != "U":
                found.append(IndexRow(f"{tree_mode} {tree_sha}", f"{index_mode} {index_sha}", kind, path))
        return found

    def _behind(self) -> set[Held]:
        """Return what the index may hold of koog's although HEAD says otherwise."""
        try:
            return {(str(path), str(entry)) for path, entry in json.loads(self.folder.read(BEHIND) or b"[]")}
        except (ValueError, TypeError):
            return set()

    def settle(self, owed: Collection[Held]) -> None:
        """Record what the index may hold of koog's although HEAD says otherwise; nothing, once all is well."""
        if owed:
            self.folder.put(BEHIND, json.dumps(sorted(owed)).encode(), sync=False)
        else:
            self.folder.remove(BEHIND)


def _text(entry: TreeEntry | None, width: int) -> str:
    return f"{entry.mode} {entry.sha}" if entry else f"{'0' * 6} {'0' * width}"


def _entry(text: str) -> TreeEntry | None:
    mode, _, sha = text.partition(" ")
    return TreeEntry(mode, sha) if int(mode, 8) else None


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
