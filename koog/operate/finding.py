"""What a check of `koog doctor` says: one finding, and how a file becomes findings."""

from __future__ import annotations

import shlex
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.files.workspace import PRIVATE, Workspace
from koog.core.named import NamedTuple
from koog.core.reply import told

ERROR, WARN, INFO = "error", "warn", "info"
LEVELS = (ERROR, WARN, INFO)
PER_FILE = 3  # findings about one file that are told; a log of a thousand torn lines is one trouble
CHARS = 300  # of a message


class Finding(NamedTuple):
    """One thing that is not as it should be.

    check    the check that found it
    level    error: something does not work; warn: it will, or it costs; info: worth knowing
    file     relative to the workspace, absolute outside it; line from 1
    command  what mends it, as one types it in the workspace
    mend     the name of the repair that `--fix` does, None when a person has to
    """

    check: str
    level: str
    message: str
    file: str | None = None
    line: int | None = None
    command: str | None = None
    mend: str | None = None

    def row(self) -> dict[str, Any]:
        """Return the finding as the reply shows it: no secret that a message quotes, and no long one."""
        return {
            "check": self.check,
            "level": self.level,
            "file": self.file,
            "line": self.line,
            "message": told(self.message)[:CHARS],
            "command": self.command,
            "fixable": self.mend is not None,
        }


def edit(path: str, line: int | None = None) -> str:
    """Return how one opens a file at a line; vi, nano and emacs all read it so."""
    return f"${{EDITOR:-vi}} {f'+{line} ' if line else ''}{shlex.quote(path)}"


def few(found: Iterable[Finding]) -> list[Finding]:
    """Return the first findings about one file, and one that counts the others."""
    every = sorted(found, key=lambda f: LEVELS.index(f.level))
    rest = every[PER_FILE:]
    if not rest:
        return every
    more = rest[0]._replace(message=f"and {len(rest)} more like this, the first: {rest[0].message}")
    return [*every[:PER_FILE], more]


def examined(
    workspace: Workspace, path: str, judge: Callable[[bytes, str], Iterable[Finding]], *, check: str
) -> Iterator[Finding]:
    """Yield what a judge finds in a file's bytes and path; nothing without a file, one error when it is unreadable."""
    private = path.startswith(f"{PRIVATE}/")
    root, inside = (workspace.own, path.removeprefix(f"{PRIVATE}/")) if private else (workspace.root_of(path), path)
    try:
        info = root.itself(inside).info()
    except (OSError, WorkspaceError):
        info = None  # a folder on the way is missing, or a link that leads outside: the check "files" tells of it
    if info is None or not stat.S_ISREG(info.st_mode):
        return
    try:
        data = root.read(inside) if private else workspace.read(path)
    except WorkspaceError as e:
        yield Finding(check, ERROR, e.message, file=path, command=f"ls -l {shlex.quote(path)}")
        return
    if data is not None:
        yield from few(judge(data, path))
