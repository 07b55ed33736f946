"""Two git indexes: koog's private one, where a commit is put together, and the person's, which follows.

Own files, in the git folder because they belong to its index: `koog/lock`, `koog/index-PID`
(while a commit is made) and `koog/behind.json` (what a locked index is still owed, or a
crash left in it).
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from koog.core.errors import Busy, WorkspaceError
from koog.core.git.process import ask, checked, joined, quietly, split, words

Entry = tuple[str, str]  # a path, and the "mode sha" that an index has for it

LOCK_WAIT_S = 10.0
MANY = 500  # files of one commit: a sync for each would take seconds
BYTES_PER_S = 10_000_000  # what the slowest disk and git's packing still do
FILES_PER_S = 100
INDEX_TRIES = 3  # a prompt's `git status` holds the index for milliseconds; a stale lock for ever


class Change(NamedTuple):
    """One line of `git diff --raw`. An entry is "mode sha", all zeros where there is none."""

    old: str
    new: str
    kind: str
    path: str


@dataclass(frozen=True)
class Index:
    """The indexes of one working tree.

    top  the repository's working tree
    own  koog's folder in its git folder
    """

    top: Path
    own: Path

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold off other koogs: two of them would take each other's index entries for a person's."""
        deadline = time.monotonic() + LOCK_WAIT_S
        try:
            self.own.mkdir(exist_ok=True)
            with (self.own / "lock").open("ab") as lock:
                while not _locked(lock.fileno()):
                    if time.monotonic() > deadline:
                        raise Busy("another koog is committing", hint="try again")
                    time.sleep(0.02)
                yield
        except OSError as e:
            raise WorkspaceError(f"git folder: {e}") from e

    def tree(self, base: str | None, wanted: Sequence[str]) -> tuple[str, list[Change]]:
        """Write the tree that is `base` with the wanted paths as on disk; return it and what it changes."""
        # By process: the git of a koog that was killed may still be writing to the index of its own.
        index = self.own / f"index-{os.getpid()}"
        for left_over in self.own.glob("index*"):
            left_over.unlink(missing_ok=True)  # that git may rename it
        env = {"GIT_INDEX_FILE": str(index)}
        ask(self.top, "read-tree", base or "--empty", env=env)
        # "./", because check-ignore takes a name that starts with ":" for a pattern.
        asked = [f"./{path}" for path in wanted]
        done = quietly(self.top, "check-ignore", "-z", "--stdin", stdin=joined(asked), env=env)
        ignored = set(split(checked(done, allowed=(0, 1))))
        names = [path for path in wanted if f"./{path}" not in ignored]
        together = ("-c", "core.fsyncMethod=batch") if len(names) > MANY else ()
        command = (*together, "update-index", "--add", "--remove", "--replace", "-z", "--stdin")
        ask(self.top, *command, stdin=joined(names), env=env, extra_s=self._patience_s(names))
        # --missing-ok: in a partial clone, looking for HEAD's other blobs would fetch them.
        tree = ask(self.top, "write-tree", "--missing-ok", env=env).decode().strip()
        index.unlink(missing_ok=True)
        before = base or ask(self.top, "hash-object", "-t", "tree", "--stdin").decode().strip()
        return tree, _changes(ask(self.top, "diff-tree", "-r", "--raw", "-z", "--no-renames", before, tree))

    def _patience_s(self, names: Sequence[str]) -> float:
        """Return the seconds that taking up these files may last beyond those of any call."""
        size = 0
        for name in names:
            with suppress(OSError):  # deleted, which is a change too
                size += (self.top / name).lstat().st_size
        return size / BYTES_PER_S + len(names) / FILES_PER_S

    def follow(self, tree: str, changes: Sequence[Change]) -> tuple[set[Entry], list[str]]:
        """Bring the person's index up to `tree` for the changed paths.

        This comes before the branch moves: a crash in between leaves the change staged.
        The other way round the index would hold its undoing, ready for a person's next commit.
        Until `settle`, whatever the index holds of koog's is on record, so that the next
        commit does not take what a crash left staged for a person's.

        Returns what a locked index is still owed, for `settle`, and a warning that says so.
        """
        behind = self._behind()
        expected = {*((c.path, c.old) for c in changes), *behind}
        if not expected:
            return set(), []
        options = ("--cached", "--raw", "-z", "--no-renames", "--ita-invisible-in-index")
        staged = [c for c in _changes(ask(self.top, "diff-index", *options, tree)) if c.kind != "U"]
        due = [c for c in staged if (c.path, c.new) in expected]
        held = {(c.path, c.new) for c in due}
        self.settle(held | {(c.path, c.new) for c in changes})
        refused = self._update_index([f"{c.old}\t{c.path}" for c in due]) if due else None
        if not refused:
            return set(), []
        return held, [f"git's index is not up to date until the next commit: {refused}"]

    def _update_index(self, entries: Sequence[str]) -> str | None:
        """Set entries of the person's index; return git's words when it refuses."""
        for attempt in range(INDEX_TRIES):
            time.sleep(0.03 * attempt)
            done = quietly(self.top, "update-index", "-z", "--index-info", stdin=joined(entries))
            if done.returncode == 0:
                return None
        return words(done.stderr)

    def _behind(self) -> set[Entry]:
        """Return what the index may hold of koog's although HEAD says otherwise."""
        try:
            return {(str(path), str(entry)) for path, entry in json.loads((self.own / "behind.json").read_bytes())}
        except (FileNotFoundError, ValueError, TypeError):
            return set()

    def settle(self, owed: Collection[Entry]) -> None:
        """Record what the index may hold of koog's although HEAD says otherwise; nothing, once all is well."""
        behind = self.own / "behind.json"
        if owed:
            fresh = self.own / "behind.json.new"
            fresh.write_text(json.dumps(sorted(owed)))
            fresh.replace(behind)
        else:
            behind.unlink(missing_ok=True)


def _changes(raw: bytes) -> list[Change]:
    fields = split(raw)
    out = []
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_sha, new_sha, kind = head.removeprefix(":").split(" ")
        out.append(Change(old=f"{old_mode} {old_sha}", new=f"{new_mode} {new_sha}", kind=kind, path=path))
    return out


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
