"""The files that koog ships: modules/, skills/, koog-config.json, and those beside its code.

In a wheel the former are inside the package (koog/shipped/), in a checkout at the top level. Whoever can write them
can write koog's code as well: a path is all that is needed here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.lazy_regex import compiled

if TYPE_CHECKING:
    from mmap import mmap

PACKAGE = Path(__file__).resolve().parent.parent


def shipped(name: str) -> Path:
    """Return the path of a shipped file or folder, such as `modules` or `koog-config.json`."""
    inside = PACKAGE / "shipped" / name
    return inside if inside.exists() else PACKAGE.parent / name


def data(path: Path) -> bytes:
    """Return a shipped file's bytes."""
    return path.read_bytes()


def text(path: Path) -> str:
    """Return a shipped file's text."""
    return path.read_text("utf-8")


def rows(path: Path) -> list[str]:
    """Return the rows of a shipped file of patterns; one of blanks and "|" goes on from the one before."""
    return compiled(r"\n +(?=\|)").sub("", text(path)).split("\n")


def files(folder: Path) -> dict[str, str]:
    """Return path in the folder → text of each file in a shipped folder, sorted."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): text(path) for path in sorted(found)}


def check(path: Path) -> None:
    """Raise OSError where a file of an installed package is missing."""
    path.stat()


def mapped(path: Path) -> mmap:
    """Return a file of an installed package without reading it: its pages come when used. Raises OSError."""
    import mmap

    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
