"""archive/: where what leaves a knowledge file lies, so that it can be put back as it was.  [autopoiesis §8.5, §8.6]

    archive/journal/2026-02-16.md      a whole file: it lies there byte for byte, under the path it had in knowledge/
    archive/memory/MEMORY.md           lines of a file that stays: in the order in which they left, below headings

    ## 2026-05-01: Key Decisions
    - 2026-02-14: … <!-- dc:source=ses_a1:45 --> <!-- dc:shelved=2026-05-01 dc:batch=2 dc:row=17 -->

shelved  when it left; batch: with which others; row: in which row it stood before they left

Put back in the order in which they left, the last batch first, the lines make the file that there was. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from koog.core.lazy_regex import compiled
from koog.knowledge import documents
from koog.knowledge.layout import MEMORY, ROOT

ARCHIVE = "archive"
CORE = f"{ARCHIVE}/memory/{MEMORY}"
MARK = r" <!-- dc:shelved=(\d{4}-\d\d-\d\d) dc:batch=(\d+) dc:row=(\d+) -->(?=\r?$)"
AGAIN = r"~\d+(?=\.md$)"  # in the name of a file that is put away a second time


class Shelved(NamedTuple):
    """One bullet that left a file, with the rows that go on with it. row: where it stood, from 0"""

    batch: int
    row: int
    day: str
    rows: tuple[str, ...]


class Leaving(NamedTuple):
    """One bullet that is to leave a file: under which heading it stands, its row and the row behind it, from 0."""

    section: str
    row: int
    end: int


def place(path: str) -> str:
    """Return where the archive has a file, or what has left it; of a file of the archive that is itself.

    >>> place("knowledge/people/ana.md"), place("MEMORY.md")
    ('archive/people/ana.md', 'archive/memory/MEMORY.md')
    """
    if path == MEMORY:
        return CORE
    if path.startswith(f"{ARCHIVE}/"):
        return path
    return f"{ARCHIVE}/{path.removeprefix(f'{ROOT}/')}"


def home(path: str, *, own: Iterable[str] = ()) -> str:
    """Return where a file of the archive belongs. own: a person's own folders, which lie beside knowledge/

    >>> home("archive/people/ana~2.md"), home("archive/memory/MEMORY.md"), home("archive/People/ana.md", own=["People"])
    ('knowledge/people/ana.md', 'MEMORY.md', 'People/ana.md')
    """
    if path == CORE:
        return MEMORY
    inside = compiled(AGAIN).sub("", path.removeprefix(f"{ARCHIVE}/"))
    is_own = any(inside.startswith(f"{folder}/") for folder in own if not folder.startswith(f"{ROOT}/"))
    return inside if is_own else f"{ROOT}/{inside}"


def put_away(text: str, kept: str, leaving: Sequence[Leaving], *, of: str, today: str) -> tuple[str, str]:
    """Return a file without some bullets, and the archive's file with them. of: the file's path; kept: the archive's"""
    rows, batch = text.split("\n"), max((each.batch for each in shelved(kept)), default=0) + 1
    added, section = list[str](), None
    for each in sorted(leaving, key=lambda one: one.row):
        if each.section != section:
            added += ["", f"## {today}: {each.section}"]
            section = each.section
        first, *more = rows[each.row : each.end]
        end = "\r" if first.endswith("\r") else ""
        mark = f" <!-- dc:shelved={today} dc:batch={batch} dc:row={each.row} -->"
        added += [f"{first.removesuffix(chr(13))}{mark}{end}", *more]
    if not added:
        return text, kept
    gone = {row for each in leaving for row in range(each.row, each.end)}
    left = "\n".join(row for n, row in enumerate(rows) if n not in gone)
    begun = kept or documents.head({"type": "archived", "of": of}) + f"\n# Archived: {of}\n"
    return left, begun.rstrip("\n") + "\n" + "\n".join(added) + "\n"


def shelved(kept: str) -> list[Shelved]:
    """Return the bullets that the archive has of a file, as they left it."""
    return [found for found, _ in _shelved(kept.split("\n"))]


def put_back(text: str, kept: str) -> tuple[str, str]:
    """Return a file with all that has left it where it stood, and what of the archive's file is left: "" for nothing.

    Where the file has become shorter since, its end takes what stood behind it.
    """
    rows, found = text.split("\n"), list(_shelved(kept.split("\n")))
    for batch in sorted({each.batch for each, _ in found}, reverse=True):
        for each in sorted((one for one, _ in found if one.batch == batch), key=lambda one: one.row):
            at = min(each.row, len(rows) - (rows[-1] == ""))
            rows[at:at] = each.rows
    taken = {row for _, span in found for row in span}
    left = [row for n, row in enumerate(kept.split("\n")) if n not in taken and not _is_frame(row)]
    return "\n".join(rows), kept if not found else "\n".join(left) if any(row.strip() for row in _body(left)) else ""


def _shelved(rows: Sequence[str]) -> Iterator[tuple[Shelved, range]]:
    """Yield each bullet with the rows that it takes in the archive's file."""
    starts = [n for n, row in enumerate(rows) if compiled(MARK).search(row)]
    for n, start in enumerate(starts):
        found = compiled(MARK).search(rows[start])
        if found is None:
            continue
        end = starts[n + 1] if n + 1 < len(starts) else len(rows)
        inside = next((at for at in range(start + 1, end) if _is_frame(rows[at])), end)
        while inside > start + 1 and not rows[inside - 1].strip():
            inside -= 1
        first = rows[start][: found.start()] + rows[start][found.end() :]
        day, batch, row = found.groups()
        yield Shelved(int(batch), int(row), day, (first, *rows[start + 1 : inside])), range(start, inside)


def _is_frame(row: str) -> bool:
    """Return whether a row is one of the headings that put_away writes."""
    return compiled(r"## \d{4}-\d\d-\d\d: .*").fullmatch(row.rstrip("\r")) is not None


def _body(rows: Sequence[str]) -> Sequence[str]:
    """Return the rows behind the head and the title."""
    text = "\n".join(rows)
    return text.rpartition("\n---\n")[2].split("\n# Archived: ")[-1].split("\n")[1:]
