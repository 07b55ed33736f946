"""A git folder of koog's own, through which git looks at a repository.  [design.md §4 "Git"]

git runs what a repository's configuration names and writes wherever a link in its
folder leads, and whoever works in the repository can change both at any moment. So koog
lets git see this folder in place of it:

    config             what counts of the repository's configuration (config.py), as data
    HEAD, refs/        the commit that the branch stands at, and no branch
    info/              what the repository ignores and what attributes it gives
    shallow            where its history is cut off
    sharedindex.*      parts of the person's index
    index-PID          a copy of it, or one that a commit is put together in
    objects/           what git itself makes; the repository's objects count beside it, to be read

The working tree is the real one. Nothing here is needed twice: it can be deleted at any time.
"""

from __future__ import annotations

import atexit
import json
import os
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from stat import S_ISDIR
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.git import local_config
from koog.core.git.fenced import Fenced
from koog.core.git.local_config import LocalConfig
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.git.place import RepositoryPlace

TOLD = ("info/exclude", "info/attributes", "info/sparse-checkout", "shallow")
FLEETING = "koog-git-"  # how the name of a folder in the temporary one begins
LEFT_SECONDS = 24 * 60 * 60  # after which nobody is at work in it any more
NOWHERE = "ref: refs/heads/none\n"


class Own(NamedTuple):
    """koog's own git folder for one repository.

    place   where it is
    local   the repository's configuration, as data
    env     git's variables that make it look through this folder
    trusted whether they make it look at the repository as it is, because its operator says so
    """

    place: Fenced
    local: LocalConfig
    env: dict[str, str]
    trusted: bool = False

    def at(self, commit: str | None) -> None:
        """Let HEAD be this commit, or a branch without one."""
        said = (commit + "\n" if commit else NOWHERE).encode()
        if self.place.read("HEAD") != said:
            self.place.put("HEAD", said, sync=False)

    def copy_index(self, folder: Fenced) -> tuple[dict[str, str], bytes | None]:
        """Copy a person's index; return the variables that name the copy, and what was copied."""
        own, info, data = self._free(), folder.info("index"), folder.read("index")
        if data is not None:
            for name in (n for n in folder.names() if n.startswith("sharedindex.")):
                if self.place.info(name) is None and (part := folder.read(name)) is not None:
                    self.place.put(name, part, sync=False)
            # By its time git tells which files may have changed in the same second, unseen.
            self.place.put(own, data, sync=False, mtime_ns=info.st_mtime_ns if info else 0)
        return {**self.env, "GIT_INDEX_FILE": str(self.place.path / own)}, data

    def index_bytes(self) -> bytes:
        """Return the index that git has left in the place of the copy."""
        return self.place.read(_index()) or b""

    def done(self) -> None:
        """Remove this process's index."""
        self._free()

    def _free(self) -> str:
        for name in self.place.names():
            if name.startswith("index-") and (name.split(".")[0] == _index() or not _lives(name)):
                self.place.remove(name)
        return _index()


def fleeting() -> Path:
    """Return a new folder that goes away with this process: for a koog that sees no state root.

    Raises WorkspaceError where no temporary folder can be made.
    """
    from tempfile import TemporaryDirectory, gettempdir  # costs start-up time, and is for a few

    try:
        _clear(gettempdir())
        made = TemporaryDirectory(prefix=FLEETING)
    except OSError as e:
        raise WorkspaceError(f"no temporary folder for git: {e.strerror}", hint="is the disk full?") from None
    atexit.register(made.cleanup)
    return Path(made.name)


def _clear(temporary: str) -> None:
    """Remove what killed processes of this user have left. What is in the way, or gone meanwhile, is no error."""
    import shutil

    if not shutil.rmtree.avoids_symlink_attacks:
        return
    with suppress(OSError):
        # By its descriptor, so that no name is looked up in another folder than the one that was listed.
        folder = os.open(temporary, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for name in os.listdir(folder):  # noqa: PTH208  # a descriptor is no path
                if name.startswith(FLEETING) and _is_left(name, folder):
                    shutil.rmtree(name, ignore_errors=True, dir_fd=folder)  # follows no link, in it or to it
        finally:
            os.close(folder)


def _is_left(name: str, folder: int) -> bool:
    """Return whether a name is this user's own folder, no link to one, that nobody has worked in for a day."""
    try:
        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    is_own = S_ISDIR(info.st_mode) and info.st_uid == os.geteuid()
    return is_own and info.st_mtime < time.time() - LEFT_SECONDS


def look(at: Path, place: RepositoryPlace, *, trusted: bool) -> Own:
    """Bring koog's own folder up to date with a repository; return it. Raises WorkspaceError."""
    git_dir, common = Fenced(place.git_dir), Fenced(place.common)
    common.refuse_pipe("objects/info/alternates")
    own = _made(at)
    raw = local_config.read(git_dir, common)
    local = _local(own, raw, storage=common.path / "lfs")
    for name in TOLD:
        said = common.read(name) if name != "info/sparse-checkout" else git_dir.read(name)
        if said is None:
            own.remove(name)
        elif own.read(name) != said:
            own.put(name, said, sync=False)
    env = {
        "GIT_DIR": str(at),
        "GIT_WORK_TREE": str(place.top),
        "GIT_OBJECT_DIRECTORY": str(at / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(place.objects),
        "GIT_NO_LAZY_FETCH": "1",
    }
    if trusted:
        env["GIT_DIR"] = str(git_dir.path)
    return Own(own, local, env, trusted)


def _made(place: Path) -> Fenced:
    """Make the folder with what git wants to find in one."""
    own = Fenced(place)
    try:
        for folder in (place, place / "refs", place / "info", place / "objects"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as e:
        raise WorkspaceError(f"{place}: {e.strerror}", hint="koog keeps a git folder of its own there") from None
    if own.read("HEAD") is None:
        own.put("HEAD", NOWHERE.encode(), sync=False)
    return own


def _local(own: Fenced, raw: tuple[bytes, bytes], *, storage: Path) -> LocalConfig:
    """Return a repository's configuration; git is asked only when its bytes are others than last time."""
    said = (*raw, os.fsencode(storage), *(key.encode() for key in sorted(local_config.COUNT)))
    mark = sha256(b"\0".join(said)).hexdigest()
    with suppress(ValueError, TypeError, KeyError, WorkspaceError):
        known = json.loads(own.read("config.json") or b"{}")
        if known["mark"] == mark and own.info("config"):
            return LocalConfig(tuple((str(key), str(value)) for key, value in known["rows"]))
    local = local_config.parse(raw)
    own.put("config", os.fsencode(local.text(storage)), sync=False)
    own.put("config.json", json.dumps({"mark": mark, "rows": local.rows}).encode(), sync=False)
    return local


def _index() -> str:
    return f"index-{os.getpid()}"


def _lives(name: str) -> bool:
    """Return whether the process that an index belongs to runs."""
    try:
        os.kill(int(name.removeprefix("index-").partition(".")[0]), 0)
    except (ValueError, ProcessLookupError):
        return False
    except OSError:
        pass
    return True


def _quoted(path: Path) -> str:
    """Return a folder for a list that is parted by colons."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
