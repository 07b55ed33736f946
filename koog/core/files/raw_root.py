"""The raw root: transcripts, in a folder outside the workspace that is a repository of its own.  [autopoiesis §1, §2.1]

A transcript is cited as `raw/conversations/…`, whatever its folder is called; nothing of the workspace is called so.
While its session lasts it grows, and only grows. One that has ended is closed to everybody, koog included.
"""

from __future__ import annotations

import os
from pathlib import Path

from koog.core.errors import WorkspaceError
from koog.core.files.roots import Root

NAME = "raw"  # of the root, and what cited paths begin with
CONVERSATIONS = "raw/conversations"
ENDED = 0o444  # the mode of a transcript whose session has ended
WRITABLE = 0o222


def is_cited(path: str) -> bool:
    """Return whether a path is a transcript's, as it is cited."""
    return path.startswith(f"{CONVERSATIONS}/")


def inner(path: str) -> str:
    """Return the name in the raw root of a cited path."""
    return path.removeprefix(f"{NAME}/")


def cited(name: str) -> str:
    """Return the path under which a name in the raw root is cited."""
    return f"{NAME}/{name}"


def has_ended(info: os.stat_result | None) -> bool:
    """Return whether a transcript's mode says that its session has ended."""
    return info is not None and not info.st_mode & WRITABLE


def has_all(left: bytes, standing: bytes) -> bool:
    """Return whether a transcript has all that is said in a version of it: only its frontmatter is another one's.

    >>> has_all(b"---\\na: 1\\n---\\nHi\\n", b"---\\na: 1\\nended: 2\\n---\\nHi\\nBye\\n")
    True
    """
    return standing.partition(b"\n---\n")[2].startswith(left.partition(b"\n---\n")[2] or left)


def inside(raw: Path, workspace: Path) -> str | None:
    """Return where in the workspace the transcripts lie, None where they do not."""
    return raw.relative_to(workspace).as_posix() if raw.is_relative_to(workspace) and raw != workspace else None


def of(raw: Path, files: Root) -> Root:
    """Return the raw root: no link stands in its place, and inside the workspace none leads out on the way to it.

    files   the root of the workspace's files
    """
    if raw == files.path:
        return Root(raw)
    within = inside(raw, files.path)
    if within is None:
        return Root(raw, name="the transcripts", base=Root(raw.parent).open)
    above = within.rpartition("/")[0]
    return Root(raw, name="the transcripts", base=lambda: files.folder(above))


def make(raw: Path, files: Root) -> None:
    """Make the raw root where there is none, private to its owner. Raises WorkspaceError."""
    within = inside(raw, files.path)
    try:
        if within is not None:
            files.folder(within, make=True)
        else:
            raw.mkdir(mode=0o700, parents=True, exist_ok=True)
        of(raw, files).open()
    except OSError as e:
        hint = "paths.raw of the operator's config names where transcripts lie"
        raise WorkspaceError(f"{raw}: {e.strerror}", hint=hint) from None
