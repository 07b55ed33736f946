"""One workspace's files as they are: read by name, listed, and where a name leads.  [design §4]

What only `--dry-run` has written is read back as if it were there.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from koog.core.errors import WorkspaceError
from koog.core.files import atomic, listing, own_notes, pieces, raw_root
from koog.core.files.own_notes import OwnNotes
from koog.core.files.pieces import Pieces
from koog.core.files.record import Cause
from koog.core.files.roots import Root, Spot

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot

PRIVATE = ".koog"
WORKSPACE = "workspace"  # the root that paths are in which say nothing else
FORGOTTEN = "meta/forgotten.jsonl"  # in the memory folder: see core/forgotten.py


@dataclass(repr=False, eq=False)
class Tree:
    """One folder that agent, operator and cron share.

    root, memory, modules   the folder, and the names of two folders in it
    critical_files          whose change is told to a person; `hooks/` means all that lies in that folder
    cause                   who changes what is changed now, and why; a change may have its own
    when                    the command's moment, for audit lines
    at_head                 gives a file as the last commit has it
    state_root              where koog keeps what the agent must not write; None when this koog does not see it
    outside                 folders elsewhere to which the operator lets links in the workspace lead
    own_notes               which other files in it are a person's notes
    notes_root              where these lie when the workspace is a folder in theirs; None for in it
    apart                   a folder in it that is no part of it
    raw                     where the transcripts lie, which are no part of it either; None for nowhere
    warnings                takes what a person must be told
    memo                    what this process has read and parsed, by path; whoever fills it looks at `state` first
    """

    root: Path
    memory: str = "memory"
    modules: str = "modules"
    dry_run: bool = False
    critical_files: tuple[str, ...] = ()
    cause: Cause = field(default_factory=Cause)
    when: datetime | None = None
    at_head: Callable[[str], bytes | None] = lambda _: None
    state_root: StateRoot | None = None
    outside: tuple[Path, ...] = ()
    own_notes: OwnNotes = own_notes.NONE
    notes_root: Path | None = None
    apart: str = ""
    raw: Path | None = None
    warnings: list[str] = field(default_factory=list)
    memo: dict[str, Any] = field(default_factory=dict)
    _unsaved: dict[str, bytes] = field(default_factory=dict)

    def is_critical(self, path: str) -> bool:
        """Return whether a path is one of the critical files, or lies in one of the folders among them."""
        return path in self.critical_files or path.startswith(self.critical_folders)

    @property
    def critical_folders(self) -> tuple[str, ...]:
        return tuple(name for name in self.critical_files if name.endswith("/"))

    @cached_property
    def files(self) -> Root:
        """Return the root of the workspace's files: everything but `.git` and `.koog`."""
        return Root(self.root, outside=self.outside, apart=self.apart)

    @cached_property
    def own(self) -> Root:
        """Return the root of `.koog/`: derived, private, never committed; no links in it."""
        return private_root(self.root)

    @cached_property
    def notes(self) -> Tree:
        """Return the tree of the person's notes: the workspace's own, or the one that it lies in, to be read only."""
        if self.notes_root is None:
            return self
        return Tree(
            self.notes_root,
            memory=self.memory,
            modules=self.modules,
            outside=self.outside,
            own_notes=self.own_notes,
            apart=self.root.relative_to(self.notes_root).as_posix(),
        )

    @cached_property
    def transcripts(self) -> Root:
        """Return the root of the transcripts. Raises WorkspaceError where there are none to be."""
        if self.raw is None:
            raise WorkspaceError("this folder has no transcripts")
        return raw_root.of(self.raw, Root(self.root))

    def is_note(self, path: str) -> bool:
        """Return whether a path is one of the notes around the workspace, and so of no file in it.

        What the operator's patterns cover is there, every other path is here: no name means two files.
        """
        if self.notes_root is None:
            return False
        return self.own_notes.holds(path, own_notes.taken(self.memory, self.modules, around=True))

    def in_memory(self, name: str) -> str:
        """Return the workspace path of a file in the memory folder."""
        return f"{self.memory}/{name}"

    def in_modules(self, name: str) -> str:
        return f"{self.modules}/{name}"

    @property
    def has_forgotten(self) -> bool:
        """Return whether anything was ever forgotten here."""
        try:
            return bool(self.size(self.in_memory(FORGOTTEN)))
        except WorkspaceError:
            return True  # whoever reads it is told what is wrong

    # Reading

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, None when there is none. Raises WorkspaceError for what is no regular file."""
        if path in self._unsaved:
            return self._unsaved[path]
        return self.root_of(path).read(_inner(path))

    @contextmanager
    def pieces(self, path: str) -> Iterator[Pieces | None]:
        """Open a large file of which little is wanted; None when there is none. Raises as `read`."""
        if path in self._unsaved:
            yield pieces.of(self._unsaved[path])
            return
        try:
            spot = self.root_of(path).spot(_inner(path))
        except (FileNotFoundError, NotADirectoryError):
            yield None
            return
        with pieces.opened(spot) as found:
            yield found

    def text(self, path: str) -> str | None:
        """Return a file's text: without BOM, CRLF as LF, bytes that are not UTF-8 kept as surrogates."""
        data = self.read(path)
        return None if data is None else atomic.decode(data)

    def texts(self) -> Callable[[str], str | None]:
        """Return what reads one file after another as `text` does: for one piece of work, folders stay open."""
        reader = listing.Reader(self.files)

        def text(path: str) -> str | None:
            if path not in self._unsaved and self.root_of(path) is self.files:
                try:
                    return atomic.decode(reader.read(path).data)
                except FileNotFoundError:
                    return None
                except OSError:
                    pass  # what is wrong is said as ever
            return self.text(path)

        return text

    def names(self, folder: str, suffix: str) -> list[str]:
        """Return the sorted names of the regular files in a folder that end so; [] when there is no folder.

        Links that lead outside are among them: whoever reads one is told.
        """
        found = set(self.files.names(folder, suffix))
        prefix = f"{folder}/"
        pending = {p.removeprefix(prefix) for p in self._unsaved if p.startswith(prefix) and p.endswith(suffix)}
        return sorted(found | {p for p in pending if "/" not in p})

    def sizes(self, folder: str, suffix: str) -> dict[str, int]:
        """Return path → size in bytes of the regular files in a folder that end so; nothing for what cannot be read."""
        try:
            entries = self.files.entries(folder)
        except WorkspaceError:
            entries = []
        found = {f"{folder}/{e.name}": e.info.st_size for e in entries if e.name.endswith(suffix) and e.is_file}
        return found | {p: len(data) for p, data in self._unsaved.items() if p in found}

    def exists(self, path: str) -> bool:
        """Return whether there is something. Raises WorkspaceError for a name that leads outside."""
        return path in self._unsaved or self._info(path) is not None

    def modified(self, path: str) -> float | None:
        """Return a file's modification time in seconds since the epoch, None when koog may not know it."""
        info = self.root_of(path).info(_inner(path))
        return info.st_mtime if info else None

    def size(self, path: str) -> int | None:
        """Return a file's size in bytes, None when there is none."""
        if path in self._unsaved:
            return len(self._unsaved[path])
        info = self._info(path)
        return info.st_size if info else None

    def state(self, path: str) -> tuple[int, int, int] | None:
        """Return what differs once a file has changed; None when there is none, or when it is only pretended."""
        info = None if path in self._unsaved else self._info(path)
        return (info.st_ino, info.st_size, info.st_mtime_ns) if info else None

    def folders(self, folder: str) -> list[str]:
        """Return the sorted names of the folders in a folder; [] when there is none."""
        return [e.name for e in self.files.entries(folder) if e.is_folder]

    def _info(self, path: str) -> os.stat_result | None:
        try:
            return self.root_of(path).spot(_inner(path)).info()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def root_of(self, path: str) -> Root:
        """Return the root that a path is read in."""
        if raw_root.is_cited(path):
            return self.transcripts
        return self.notes.files if self.is_note(path) else self.files

    def root_name(self, path: str) -> str:
        """Return the name of the root that a path is written in, as changes and the journal have it."""
        return raw_root.NAME if raw_root.is_cited(path) else WORKSPACE

    @property
    def journal(self) -> Root:
        """Return where a transaction's journal lies."""
        return self.state_root.root if self.state_root else self.own

    # Paths

    def place(self, path: str) -> Spot:
        """Return where to write a file, its folders made. Raises WorkspaceError where koog may not write."""
        try:
            return self._target(path, make=True)
        except FileNotFoundError as e:  # the workspace itself is gone
            raise WorkspaceError(f"{path}: {e.strerror}") from None

    def check(self, path: str) -> None:
        """Raise WorkspaceError where `place` would, with nothing made."""
        with suppress(FileNotFoundError):  # a folder is missing: nothing can be there
            self._target(path, make=False)

    def is_link(self, path: str) -> bool:
        """Return whether a link stands at the end of a name. Raises WorkspaceError for one that leads outside."""
        try:
            info = self.root_of(path).itself(_inner(path)).info()
        except (FileNotFoundError, NotADirectoryError):
            return False
        return info is not None and stat.S_ISLNK(info.st_mode)

    def resolved(self, path: str) -> str:
        """Return a path with the links inside the workspace resolved; as it is while there is nothing there."""
        try:
            found = self.root_of(path).spot(_inner(path)).path
        except OSError:
            return path
        return raw_root.cited(found) if raw_root.is_cited(path) else found

    def _target(self, path: str, *, make: bool) -> Spot:
        """Return the spot to write at: as `Root.spot`, and no other kind of file than a regular one."""
        if self.is_note(path):
            raise WorkspaceError(f"{path} is one of your notes", hint="koog writes in its own folder only")
        is_transcript = raw_root.is_cited(path)
        try:
            spot = (self.transcripts if is_transcript else self.files).spot(_inner(path), make=make)
            info = spot.info()
        except FileNotFoundError:
            raise
        except NotADirectoryError:
            raise WorkspaceError(f"{path}: a file is in a folder's place") from None
        except OSError as e:
            raise WorkspaceError(f"{path}: {e.strerror}") from None
        if info is not None and not stat.S_ISREG(info.st_mode):
            raise WorkspaceError(f"{path} is not a regular file", hint="koog writes files only, no links or pipes")
        if is_transcript and raw_root.has_ended(info):
            raise WorkspaceError(f"{path} has ended, and stays as it is", hint="what follows is a new transcript")
        return spot


def _inner(path: str) -> str:
    """Return the name of a path in its root."""
    return raw_root.inner(path) if raw_root.is_cited(path) else path


def has_own(workspace: Path) -> bool:
    """Return whether a workspace has koog's private folder, and that is no link."""
    try:
        private_root(workspace).open()
    except OSError:
        return False
    return True


def private_root(workspace: Path) -> Root:
    """Return the root of a workspace's `.koog/`. It must be a folder of its own, and nothing in it is a link."""
    return Root(workspace / PRIVATE, name=PRIVATE, barred=frozenset({".git"}), linked=False, base=Root(workspace).open)
