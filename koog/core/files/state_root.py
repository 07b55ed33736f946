"""The state root: what koog knows of a workspace, in a place where the agent cannot write.  [design §4]

It is `$XDG_STATE_HOME/koog/<id>/`. The id is random and stands, with the workspace's real path, in the
operator's config (core/operator.py), never in the workspace: whoever can write a workspace must not choose
whose state it has. A koog that does not find it, because nobody has called `koog init`
here or because it runs inside the agent's sandbox, goes on without: it reads, writes and
commits, takes no approval, and pushes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.files import atomic, host, jsonfiles, lock
from koog.core.files.roots import Root
from koog.core.lazy_regex import compiled

ID = compiled(r"[0-9a-f]{12}")
LOCK_WAIT_S = 10.0
STILL_WAIT_S = 0.2  # as long as a hook's host waits


@dataclass(frozen=True)
class StateRoot:
    """One workspace's state root.

    id    the folder's name
    path  where it lies
    memo  what this process has read and parsed, by name; whoever fills it looks at `state` first
    """

    id: str
    path: Path
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def root(self) -> Root:
        """Return it as a root: nobody but koog writes there, so no link in it is followed."""
        return Root(self.path, name="the state root", barred=frozenset(), linked=False)

    def get(self, name: str) -> Any:
        """Return the value of `<name>.json`, None when there is none. Raises WorkspaceError for what is no JSON."""
        data = self.root.read(f"{name}.json")
        if data is None:
            return None
        try:
            return jsonfiles.loads(data)
        except ValueError as e:
            hint = "mend the JSON; removed, it is made again empty"
            raise WorkspaceError(f"{self.path / name}.json: {e}", hint=hint) from None

    def state(self, name: str) -> tuple[int, int, int] | None:
        """Return what differs once `<name>.json` has changed; None when there is none."""
        info = self.root.info(f"{name}.json")
        return (info.st_ino, info.st_size, info.st_mtime_ns) if info else None

    def put(self, name: str, value: Any) -> None:
        """Replace `<name>.json`, atomic and synced. Raises WorkspaceError."""
        target = self.root.itself(f"{name}.json")
        with self.still():
            atomic.prepare(target, jsonfiles.pretty(value).encode())
            try:
                atomic.beside(target).rename(target)
                target.folder.sync()
            except OSError as e:
                atomic.discard(target)
                raise target.error(e) from None

    def note(self, name: str, line: str, *, limit: int) -> None:
        """Append a line to a list, unsynced; over `limit` bytes the older half of it goes. Raises WorkspaceError.

        For what costs little when a power cut takes it.
        """
        target = self.root.itself(name)
        with self.still():
            try:
                fd = target.open(os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK)
                with os.fdopen(fd, "ab") as file:
                    file.write(f"{line}\n".encode())
                    size = file.tell()
            except OSError as e:
                raise target.error(e) from None
            if size > limit:
                atomic.prepare(target, (target.read() or b"")[-limit // 2 :].partition(b"\n")[2])
                atomic.beside(target).rename(target)

    def noted(self, name: str) -> list[str]:
        """Return the lines of a list; [] when there is none. Raises WorkspaceError."""
        return (self.root.read(name) or b"").decode().splitlines()

    def remove(self, name: str) -> None:
        """Forget `<name>.json`. Raises WorkspaceError."""
        target = self.root.itself(f"{name}.json")
        try:
            target.unlink()
        except FileNotFoundError:
            pass
        except OSError as e:
            raise target.error(e) from None

    def folder(self, name: str) -> Path:
        """Return the path of a folder in it, made: for git, which takes paths. Raises WorkspaceError."""
        try:
            self.root.folder(name, make=True)
        except OSError as e:
            raise WorkspaceError(f"{self.path / name}: {e.strerror}") from None
        return self.path / name

    def clear(self, name: str) -> None:
        """Remove a folder in it with all that it holds. Raises WorkspaceError."""
        for entry in self.root.listed(name):
            path = f"{name}/{entry.name}"
            if entry.is_folder:
                self.clear(path)
            else:
                self.root.itself(path).unlink()
        try:
            spot = self.root.itself(name)
            os.rmdir(spot.name, dir_fd=spot.folder.fd)
        except FileNotFoundError:
            pass
        except OSError as e:
            raise WorkspaceError(f"{self.path / name}: {e.strerror}") from None

    @contextmanager
    def still(self, *, wait_s: float = STILL_WAIT_S) -> Iterator[None]:
        """Hold the folder itself for the moment in which a log in it grows, or one of its files is replaced.

        Whoever cannot have it in time goes on without: a line beside another's work is better than none.
        """
        try:
            folder = self.root.open()
        except OSError as e:
            raise WorkspaceError(f"{self.path}: {e.strerror}") from None
        with lock.asked_for(folder, wait_s=wait_s):
            yield

    @contextmanager
    def locked(self, name: str, *, wait_s: float = LOCK_WAIT_S) -> Iterator[None]:
        """Hold a lock of the state root. Raises Busy, WorkspaceError."""
        try:
            spot = self.root.itself(name)
        except OSError as e:
            raise WorkspaceError(f"{self.path}: {e.strerror}") from None
        with lock.held(spot, wait_s=wait_s, what="the workspace's state"):
            yield


def place(id_: str) -> Path:
    """Return where the state root of an id lies. Raises WorkspaceError for what is no id."""
    if not ID.fullmatch(id_):
        raise WorkspaceError(f"{id_!r} is no workspace's id")
    return host.state_home() / "koog" / id_


def find(id_: str) -> StateRoot | None:
    """Return the state root of an id; None where this process does not see it, or must not write it."""
    try:
        path = place(id_)
        here = path.lstat()
    except (OSError, WorkspaceError):
        return None
    mine = here.st_uid == os.geteuid() and not here.st_mode & 0o022
    return StateRoot(id_, path) if mine and path.is_dir() and os.access(path, os.W_OK | os.X_OK) else None


def make(id_: str) -> StateRoot:
    """Make the state root of an id, where there is none. Raises WorkspaceError."""
    path = place(id_)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as e:
        raise WorkspaceError(f"{path}: {e.strerror}", hint="XDG_STATE_HOME names another place") from None
    found = find(id_)
    if found is None:
        raise WorkspaceError(f"{path} cannot be used", hint="it must be a folder of yours that nobody else may write")
    return found
