"""What a power cut leaves: a disk has what was synced, and of the rest nothing that koog may count on.

A child of the test's process keeps this account while it runs a command:

    contents   a file's bytes are on disk as they were when it was last synced; a new one is empty until then
    names      a name is on disk when its folder was synced; without that an old one still stands there. Only of a new
               version beside a file it is taken that its name came with its contents, as file systems do with new files

Names come folder by folder, in any order. At each moment it may find afterwards a disk to which no other names have
come, or all, or those of one folder alone, or all but those of one.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Any

Files = dict[str, bytes]  # path below the common folder → contents


class Disk:
    """The account of some folders below a common one, from now on."""

    def __init__(self, base: Path, folders: Sequence[str], kept: Path) -> None:
        self.base, self.tops, self.kept = base, [base / name for name in folders], kept
        self.contents: dict[int, bytes] = {}  # inode → bytes on disk
        self.names: dict[int, dict[str, int]] = {}  # inode of a folder → its names on disk
        self.held: dict[int, int] = {}  # inode → descriptor, so that no number is given away again
        self.found: list[Files] = []
        self.syncs = 0
        self.seen: object = None  # what stood in the folders, and how much was synced, when it was last looked at
        self.busy = False
        for folder in self.folders():
            self.names[folder.stat().st_ino] = self.listing(folder)
            for path in folder.iterdir():
                self.hold(path)
                if path.is_file():
                    self.contents[path.stat().st_ino] = path.read_bytes()
        sys.addaudithook(self.heard)
        for name in ("write", "ftruncate"):
            setattr(os, name, self.before(getattr(os, name)))
        os.fsync = self.syncing(os.fsync)  # type: ignore[assignment]

    def heard(self, event: str, args: tuple[object, ...]) -> None:
        if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.link"):
            self.look()

    def before(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def calling(*args: Any) -> Any:
            self.look()
            return call(*args)

        return calling

    def syncing(self, call: Callable[[int], None]) -> Callable[[int], None]:
        def sync(fd: int) -> None:
            self.look()
            call(fd)
            self.busy = True
            self.synced(os.fstat(fd))
            self.busy = False
            self.look()

        return sync

    def synced(self, info: os.stat_result) -> None:
        """Take down what one fsync has brought to disk."""
        self.syncs += 1
        for folder in self.folders():
            if folder.stat().st_ino == info.st_ino:
                self.names[info.st_ino] = self.listing(folder)
                return
            for name, number in self.listing(folder).items():
                if number == info.st_ino and stat.S_ISREG(info.st_mode):
                    self.contents[number] = (folder / name).read_bytes()
                    if name.endswith(".koog.tmp"):
                        self.names.setdefault(folder.stat().st_ino, {})[name] = number

    def look(self) -> None:
        """Note what a power cut would leave at this moment."""
        if self.busy:
            return
        self.busy = True
        folders = self.folders()
        seen = (self.syncs, {folder: self.listing(folder) for folder in folders})
        if seen != self.seen:
            self.seen = seen
            self.note(folders)
        self.busy = False

    def note(self, folders: Sequence[Path]) -> None:
        for folder in folders:
            for path in folder.iterdir():
                self.hold(path)
        every = {folder.stat().st_ino for folder in folders}
        for came in (set(), every, *({one} for one in every), *(every - {one} for one in every)):
            if (files := self.disk(came)) not in self.found:
                self.found.append(files)

    def disk(self, came: Set[int]) -> Files:
        """Return what is on disk when the names of these folders have come, too."""
        files: Files = {}

        def walk(folder: Path, number: int) -> None:
            there = self.listing(folder) if folder.is_dir() else {}
            for name, inner in (there if number in came else self.names.get(number, {})).items():
                if inner in self.names or (folder / name).is_dir():
                    walk(folder / name, inner)
                else:
                    files[(folder / name).relative_to(self.base).as_posix()] = self.contents.get(inner, b"")

        for top in self.tops:
            walk(top, top.stat().st_ino)
        return files

    def folders(self) -> list[Path]:
        return [folder for top in self.tops for folder in (top, *top.rglob("*")) if folder.is_dir()]

    def listing(self, folder: Path) -> dict[str, int]:
        return {entry.name: entry.inode() for entry in os.scandir(folder)}

    def hold(self, path: Path) -> None:
        if (number := path.stat().st_ino) not in self.held:
            self.held[number] = os.open(path, os.O_RDONLY)

    def told(self) -> int:
        """Keep what was found where the test's process can read it; return how many of the last were so at the end."""
        self.look()
        self.busy = True
        every = {folder.stat().st_ino for folder in self.folders()}
        last = [self.disk(set()), *(self.disk({one}) for one in every)]
        rows = [*(files for files in self.found if files not in last), *last]
        self.kept.write_text(json.dumps([{p: b64encode(d).decode() for p, d in files.items()} for files in rows]))
        return len(last)


def cuts(kept: Path) -> list[Files]:
    """Return what a child's account has found."""
    return [{path: b64decode(data) for path, data in files.items()} for files in json.loads(kept.read_text())]


def lay_out(base: Path, folders: Sequence[str], files: Files) -> None:
    """Make folders below a common one as a power cut has left them."""
    for top in folders:
        for path in (base / top).rglob("*"):
            if path.is_file() and path.relative_to(base).as_posix() not in files:
                path.unlink()
    for name, data in files.items():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_bytes(data)
