"""git's objects: read through git where they are packed, written by koog.  [design.md §4 "Git"]

What is written is exactly the bytes that were looked through. Loose objects are put
in place by descriptor: git itself would follow a link that lies among its folders.
"""

from __future__ import annotations

import hashlib
import os
import re
import select
import stat
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, TYPE_CHECKING

from koog.core import machine
from koog.core.errors import WorkspaceError
from koog.core.git import process
from koog.core.git.fenced import Fenced
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Ask = Callable[[str], tuple[str, bytes] | None]

FOLDER_MODE, LINK_MODE, MODULE_MODE = "40000", "120000", "160000"
HELD = 32 * 1024 * 1024  # bytes of objects in memory
HEX, WIDTHS = frozenset("0123456789abcdef"), (40, 64)
HELD_TREES = 64
MANY = 500  # objects of one commit: a sync for each would take seconds


class TreeEntry(NamedTuple):
    """What a tree has under a name: a mode as git writes it, and an object's name."""

    mode: str
    sha: str

    @property
    def is_folder(self) -> bool:
        return self.mode == FOLDER_MODE


class Objects:
    """The objects of one repository.

    store       its object folder
    algorithm   what names them: sha1 or sha256
    by_git      git reads also those that lie there as files of their own
    """

    def __init__(self, store: Fenced, algorithm: str = "sha1", *, by_git: bool = False) -> None:
        self.store, self.algorithm, self.by_git = store, algorithm, by_git
        self._waiting: dict[str, bytes] = {}
        self._size = 0
        self._trees: dict[str, Mapping[bytes, TreeEntry]] = {}
        self._ask: Ask | None = None

    @property
    def is_open(self) -> bool:
        return self._ask is not None

    @contextmanager
    def reading(self, folder: Path, env: Mapping[str, str]) -> Iterator[None]:
        """Let `get` read the repository's objects for the length of the block, through one git, begun when needed."""
        if self._ask is not None:  # inside of a block that reads already
            yield
            return
        with ExitStack() as begun:
            asked: list[Ask] = []

            def ask(name: str) -> tuple[str, bytes] | None:
                if not asked:
                    asked.append(begun.enter_context(_batch(folder, env)))
                return asked[0](name)

            self._ask = ask
            try:
                yield
            finally:
                self._ask = None

    def get(self, name: str, kind: str) -> bytes | None:
        """Return an object's bytes by its name or a revision; None when it is missing or of another kind."""
        if name in self._waiting:
            found = zlib.decompress(self._waiting[name]).partition(b"\0")
            return found[2] if found[0].startswith(kind.encode()) else None
        if self._ask is None:
            raise RuntimeError("objects are read inside of reading()")
        answer = self._loose(name) or self._ask(name)
        return answer[1] if answer and answer[0] == kind else None

    def _loose(self, name: str) -> tuple[str, bytes] | None:
        """Return kind and bytes of an object that lies in a file of its own and is whole; None for any other."""
        if self.by_git or len(name) not in WIDTHS or not set(name) <= HEX:
            return None
        try:
            packed = self.store.read(f"{name[:2]}/{name[2:]}")
            head, _, data = zlib.decompress(packed).partition(b"\0") if packed else (b"", b"", b"")
        except (WorkspaceError, zlib.error):
            return None  # git says what is wrong
        kind = head.partition(b" ")[0].decode("ascii", "replace")
        return (kind, data) if packed and self.name(kind, data) == name else None

    def name(self, kind: str, data: bytes) -> str:
        """Return the name that git has for these bytes."""
        hashed = hashlib.new(self.algorithm, usedforsecurity=False)
        hashed.update(f"{kind} {len(data)}\0".encode())
        hashed.update(data)
        return hashed.hexdigest()

    def add(self, kind: str, data: bytes) -> str:
        """Keep an object for `save`, which comes by itself when much is kept; return its name."""
        name = self.name(kind, data)
        if name not in self._waiting:
            self._waiting[name] = zlib.compress(f"{kind} {len(data)}\0".encode() + data, 1)
            self._size += len(self._waiting[name])
            if self._size > HELD:
                self.save()
        return name

    def save(self) -> None:
        """Write what was added; synced, so that no branch ever leads to half an object."""
        together = len(self._waiting) > MANY
        mode = 0o444
        for name, packed in self._waiting.items():
            place = f"{name[:2]}/{name[2:]}"
            if _is_file(self.store, place):
                continue
            if self.store.info(name[:2]) is None:
                self.store.make(name[:2])
            self.store.put(place, packed, mode=mode, sync=not together)
        if together:
            os.sync()
        self._waiting.clear()
        self._size = 0

    def tree(self, name: str) -> Mapping[bytes, TreeEntry]:
        """Return a tree's entries by their names. Raises WorkspaceError when it is missing.

        The last ones stay: of a folder with thousands of files a commit asks again and again.
        """
        found = self._trees.get(name)
        if found is None:
            data = self.get(name, "tree")
            if data is None:
                raise WorkspaceError(f"git's object {name[:10]} is missing", hint="git fsck")
            if len(self._trees) >= HELD_TREES:
                self._trees.clear()
            found = self._trees[name] = parse_tree(data, len(name) // 2)
        return found


def parse_tree(data: bytes, width: int) -> dict[bytes, TreeEntry]:
    """Return the entries of a tree object whose object names take so many bytes."""
    rows = re.findall(rb"([0-7]+) ([^\0]+)\0(.{%d})" % width, data, re.DOTALL)
    if sum(len(mode) + len(name) + width + 2 for mode, name, _ in rows) != len(data):
        raise ValueError("no tree of git's")
    modes = {mode: mode.decode("ascii") for mode, _, _ in rows}
    return {name: TreeEntry(modes[mode], sha.hex()) for mode, name, sha in rows}


def tree_bytes(entries: Mapping[bytes, TreeEntry]) -> bytes:
    """Return the tree object of these entries, in git's order: a folder sorts as if its name ended in "/"."""
    rows = sorted(entries.items(), key=lambda row: row[0] + b"/" if row[1].is_folder else row[0])
    return b"".join(b"%s %s\0%s" % (e.mode.encode(), name, bytes.fromhex(e.sha)) for name, e in rows)


def _is_file(folder: Fenced, name: str) -> bool:
    info = folder.info(name)
    return info is not None and stat.S_ISREG(info.st_mode)


@contextmanager
def _batch(folder: Path, env: Mapping[str, str]) -> Iterator[Ask]:
    """Yield a function from an object's name to its kind and bytes, None for a missing one."""
    import subprocess

    pipe = subprocess.PIPE
    command = ["git", "-C", str(folder), *process.QUIET, "cat-file", "--batch"]
    whole = {**process.environment(), **env}
    try:
        running = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=whole, start_new_session=True
        )
    except FileNotFoundError:
        raise WorkspaceError("git is not installed", hint=machine.hint("git")) from None
    except OSError as e:
        raise WorkspaceError(f"git cannot be started: {e}") from e
    try:
        if running.stdin is None or running.stdout is None:
            raise RuntimeError("no pipes")
        questions, answers = running.stdin, running.stdout
        yield lambda name: _one(name, questions, answers)
    finally:
        for end in (running.stdin, running.stdout):
            with suppress(OSError):
                end and end.close()
        try:
            running.wait(1)
        except subprocess.TimeoutExpired:
            process.end_group(running)


def _one(name: str, questions: IO[bytes], answers: IO[bytes]) -> tuple[str, bytes] | None:
    if "\n" in name:
        return None
    try:
        questions.write(os.fsencode(name) + b"\n")
        questions.flush()
        # Nothing is left of the answer before, so the pipe alone says whether git has anything to tell.
        if not select.select([answers], [], [], process.LIMIT_S)[0]:
            raise WorkspaceError(f"git cat-file was cut off after {process.LIMIT_S:g} s", hint="does the disk hang?")
        head = answers.readline()
        if not head:
            raise WorkspaceError("git cat-file ended early: is the repository whole?", hint="git fsck")
        words = head.split()
        if len(words) != 3 or words[-1] in (b"missing", b"ambiguous"):
            return None
        size = int(words[2])
        data = answers.read(size)
        answers.read(1)
    except OSError as e:
        raise WorkspaceError(f"git cat-file: {e.strerror}", hint="git fsck") from None
    if len(data) < size:
        raise WorkspaceError("git cat-file ended early: is the repository whole?", hint="git fsck")
    return words[1].decode("ascii"), data
