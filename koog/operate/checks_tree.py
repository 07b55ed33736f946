"""doctor: what lies in the workspace: who may write it, what is no file, what killed runs left.  [design §4]"""

from __future__ import annotations

import os
import shlex
import stat
from collections import deque
from collections.abc import Iterator, Sequence

from koog.core import config
from koog.core.errors import WorkspaceError
from koog.core.files import atomic, journal
from koog.core.files.listing import led_to
from koog.core.files.roots import Leads, Root, Spot
from koog.core.files.workspace import PRIVATE
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.operate.finding import ERROR, INFO, WARN, Finding

LOOKED_AT = 50_000  # files; beyond it only the first ones
KEPT = (".md", ".json", ".jsonl", ".log")  # what koog and hosts keep as files
AT_ROOT = ("HEARTBEAT.md", "SKILL.md", config.NAME)


class Entry(NamedTuple):
    """One thing in the workspace: its relative path, and what lstat says of it (mtime in seconds)."""

    path: str
    mode: int
    uid: int
    mtime: float

    @property
    def folder(self) -> bool:
        return stat.S_ISDIR(self.mode)

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


def entries(run: Run) -> list[Entry]:
    """Return what lies in koog's folders and the files it reads beside them, links not followed."""
    workspace = run.workspace
    waiting = deque([workspace.memory, workspace.modules, *AT_ROOT])
    found: list[Entry] = []
    while waiting and len(found) < LOOKED_AT:
        path = waiting.popleft()
        info = _itself(workspace.files, path)
        if info is None:
            continue
        found.append(Entry(path, info.st_mode, info.st_uid, info.st_mtime))
        if found[-1].folder:
            waiting.extend(f"{path}/{name}" for name in _inside(workspace.files, path))
    return found


def _itself(root: Root, path: str) -> os.stat_result | None:
    try:
        return root.itself(path).info()
    except (OSError, WorkspaceError):
        return None  # gone meanwhile, or closed to us: permissions tells of that


def _inside(root: Root, path: str) -> list[str]:
    try:
        return [entry.name for entry in root.listed(path)]
    except WorkspaceError:
        return []


# --- permissions


def permissions(run: Run) -> Iterator[Finding]:
    """Say where koog cannot write, and where others can."""
    workspace, files = run.workspace, run.workspace.files
    for path, root, inside in (
        (".", files, ""),
        (workspace.memory, files, workspace.memory),
        (workspace.modules, files, workspace.modules),
        (PRIVATE, workspace.own, ""),
    ):
        if not root.may(inside, os.R_OK | os.W_OK | os.X_OK):
            yield Finding("permissions", ERROR, "koog may not write here", file=path, command=f"chmod u+rwx {path}")
    yield from _private(run)
    yield from open_to_others([e for e in entries(run) if not stat.S_ISLNK(e.mode)], me=os.geteuid())
    for entry in entries(run):
        if stat.S_ISREG(entry.mode) and not files.may(entry.path, os.R_OK):
            quoted = shlex.quote(entry.path)
            yield Finding("permissions", ERROR, "koog may not read it", file=entry.path, command=f"chmod u+rw {quoted}")


def _private(run: Run) -> Iterator[Finding]:
    """Yield what is wrong with `.koog/`."""
    info = Spot(run.workspace.files.folder(), PRIVATE, PRIVATE).info()
    if info is None:
        return
    mode = info.st_mode
    if stat.S_ISLNK(mode):
        message = f"{PRIVATE} is a link: koog refuses to put its locks elsewhere"
        yield Finding("permissions", ERROR, message, file=PRIVATE, command=f"rm {PRIVATE}")
    elif mode & 0o077:
        message = f"others may look into {PRIVATE}/ ({stat.S_IMODE(mode):o})"
        yield Finding("permissions", WARN, message, file=PRIVATE, command=f"chmod 700 {PRIVATE}", mend="private")


def open_to_others(found: Sequence[Entry], *, me: int) -> Iterator[Finding]:
    """Yield the files that others may change, and those that belong to another user: one finding each."""
    if writable := [e.path for e in found if e.mode & 0o022]:
        tops = " ".join(shlex.quote(top) for top in dict.fromkeys(p.split("/")[0] for p in writable))
        message = f"{len(writable)} file(s) that group or others may change: they could write the agent's memory"
        yield Finding("permissions", WARN, message, file=writable[0], command=f"chmod -R go-w {tops}")
    if foreign := [e for e in found if e.uid != me]:
        message = f"{len(foreign)} file(s) belong to user {foreign[0].uid}, koog runs as {me}: one of them cannot write"
        tops = " ".join(shlex.quote(top) for top in dict.fromkeys(e.path.split("/")[0] for e in foreign))
        yield Finding("permissions", WARN, message, file=foreign[0].path, command=f"sudo chown -R {me} {tops}")


# --- kinds of file, and what killed runs left


def kinds(run: Run) -> Iterator[Finding]:
    """Yield links, pipes and folders that stand where koog reads a file."""
    files = run.workspace.files
    for name in (run.workspace.memory, run.workspace.modules):
        if (info := files.info(name)) and not stat.S_ISDIR(info.st_mode):
            yield Finding("files", ERROR, "a file where a folder should be", file=name, command=f"mv {name} {name}.old")
    for entry in entries(run):
        quoted = shlex.quote(entry.path)
        if stat.S_ISLNK(entry.mode):
            yield from _link(files, entry.path, quoted)
        elif entry.folder and entry.name.endswith(KEPT):
            message = "a folder where a file should be"
            yield Finding("files", ERROR, message, file=entry.path, command=f"mv {quoted} {quoted}.old")
        elif not entry.folder and not stat.S_ISREG(entry.mode):
            message = "a pipe, socket or device where a file should be: koog does not read it"
            yield Finding("files", ERROR, message, file=entry.path, command=f"rm {quoted}")


def _link(files: Root, path: str, quoted: str) -> Iterator[Finding]:
    remove = f"rm {quoted}"  # the link alone; to copy what it leads to would bring a planted one's target in
    try:
        spot = files.spot(path)
        info = spot.info()
    except Leads:
        message = "a link that leads outside the workspace, or to what is koog's own: koog does not follow it"
        if led_to(files.itself(path)) is None:
            message = "a link that leads nowhere"
        yield Finding("files", ERROR, message, path, command=remove)
        return
    except (OSError, WorkspaceError):
        info = None
    if info is None:
        yield Finding("files", ERROR, "a link that leads nowhere", path, command=remove)


def leftovers(run: Run) -> Iterator[Finding]:
    """Yield what killed runs left: half-done changes, and versions that a person should compare."""
    workspace = run.workspace
    if workspace.is_half_done:
        message = "a command is at work, or was killed while it put its files in place: the next one finishes it"
        own = workspace.state_root is None or journal.waits(workspace.own)
        file = f"{PRIVATE}/{journal.NAME}" if own else str(workspace.journal.path / journal.NAME)
        yield Finding("leftovers", INFO, message, file, command="koog playbook build")
    for entry in entries(run):
        if entry.name.startswith(".") and entry.name.endswith(atomic.SUFFIX):
            beside = entry.path.replace(entry.name, entry.name[1:].removesuffix(atomic.SUFFIX))
            message = "left by a killed run, perhaps a person's version; the next write keeps it in .koog/recovered"
            command = f"diff {shlex.quote(entry.path)} {shlex.quote(beside)}"
            yield Finding("leftovers", INFO, message, file=entry.path, command=command)
    kept = _inside(workspace.own, atomic.RECOVERED)
    if kept:
        path = f"{PRIVATE}/{atomic.RECOVERED}/{kept[-1]}"
        message = f"{len(kept)} version(s) that killed runs left: compare the last one, then delete them"
        yield Finding(
            "leftovers", INFO, message, file=path, command=f"ls -l {PRIVATE}/recovered; less {shlex.quote(path)}"
        )
