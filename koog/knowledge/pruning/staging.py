"""Lines on their way from a file into the archive, or back, in one step.  [autopoiesis §8.6]"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from koog.core.errors import Busy
from koog.knowledge.pruning import shelf
from koog.knowledge.pruning.shelf import Leaving

if TYPE_CHECKING:
    from koog.core.files.door import Door


def shelve(door: Door, path: str, leaving: Sequence[Leaving], *, today: str) -> str:
    """Stage that some bullets leave a file for the archive's file of its lines; return the path of that."""
    to = free(door, shelf.place(path), takes_lines=True)
    left, kept = shelf.put_away(door.text(path) or "", door.text(to) or "", leaving, of=path, today=today)
    many = f"{len(leaving)} {'line' if len(leaving) == 1 else 'lines'}"
    exactly(door, to, kept, summary=f"{many} of {path}")
    exactly(door, path, left, summary=f"{many} put away in {to}")
    return to


def unshelve(door: Door, path: str, to: str, *, only: Collection[str] | None = None) -> None:
    """Stage that all that the archive has of a file goes back into it, where that file is there.

    only   the first rows of what goes back, where not all does
    """
    text, kept = door.text(to), door.text(path) or ""
    if text is None:
        return
    made, left = shelf.put_back(text, kept, only=only)
    many = f"{len(shelf.shelved(kept)) if only is None else len(only)} back from {path}"
    if left:
        exactly(door, path, left, summary=many)
    else:
        door.remove(path, summary=many)
    exactly(door, to, made, summary=many)


def exactly(door: Door, path: str, text: str, *, summary: str) -> None:
    """Stage a file's new text, made of the present one. Busy where somebody saves it meanwhile.

    What leaves one file and comes into another is one step, and the lines may stand otherwise then.
    """
    before = door.text(path) or ""

    def change(now: str) -> str:
        if now != before:
            raise Busy(f"{path} has changed meanwhile", hint="try again")
        return text

    door.edit(path, change, summary=summary)


def free(door: Door, path: str, *, takes_lines: bool = False) -> str:
    """Return a name of the archive that is free: that of the file, or with a number behind it.

    takes_lines   one is free, too, that has what has left a file before; a whole file stays byte for byte
    """
    stem, number = path.removesuffix(".md"), 1
    while door.workspace.exists(path) or any(change.to == path for change in door.renames):
        if takes_lines and not shelf.is_whole(door.text(path) or ""):
            break
        number += 1
        path = f"{stem}~{number}.md"
    return path
