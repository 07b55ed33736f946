"""archive/: where what leaves a knowledge file lies, so that it can be put back as it was.  [autopoiesis §8.5, §8.6]

    archive/journal/2026-02-16.md      a whole file: it lies there byte for byte, under the path it had in knowledge/
    archive/memory/MEMORY.md           lines of a file that stays: in the order in which they left, below headings

    ## 2026-05-01: Key Decisions
    - 2026-02-14: … <!-- dc:source=ses_a1:45 --> <!-- dc:shelved=2026-05-01 dc:batch=2 dc:row=17 -->

shelved  when it left; batch: with which others; row: in which row it stood before they left

Put back in the order in which they left, the last batch first, the lines make the file that there was. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import frontmatter
from koog.knowledge import documents
from koog.knowledge.layout import MEMORY, ROOT
from koog.memory.store.sections import Sections

ARCHIVE = "archive"
CORE = f"{ARCHIVE}/memory/{MEMORY}"
ARCHIVED = "archived"  # the type of a file that has lines of another
MARK = r" <!-- dc:shelved=(\d{4}-\d\d-\d\d) dc:batch=(\d{1,9}) dc:row=(\d{1,9}) -->(?=\r?$)"
FRAME = r"## \d{4}-\d\d-\d\d: (.*)"
AGAIN = r"~\d+(?=\.md$)"  # in the name of a file that is put away a second time


class Shelved(NamedTuple):
    """One bullet that left a file, with the rows that go on with it. section, row: where it stood; rows from 0"""

    batch: int
    row: int
    day: str
    section: str
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
    begun = kept or documents.head({"type": ARCHIVED, "of": of}) + f"\n# Archived: {of}\n"
    return left, begun.rstrip("\n") + "\n" + "\n".join(added) + "\n"


def is_whole(kept: str) -> bool:
    """Return whether a file of the archive is one that was put away as it was, and takes no lines of another."""
    return documents.values(kept).get("type") != ARCHIVED and not shelved(kept)


def shelved(kept: str) -> list[Shelved]:
    """Return the bullets that the archive has of a file, as they left it."""
    return [found for found, _ in _shelved(kept.split("\n"))]


def put_back(text: str, kept: str, *, only: Collection[str] | None = None) -> tuple[str, str]:
    """Return a file with all that has left it where it stood, and what of the archive's file is left: "" for nothing.

    Where the file has become another since, the end of the section takes what stood in it.

    only   the first rows of the bullets that go back, where not all do
    """
    every = list(_shelved(kept.split("\n")))
    rows, found = text.split("\n"), [each for each in every if only is None or each[0].rows[0] in only]
    for batch in sorted({each.batch for each, _ in found}, reverse=True):
        target = _Target(rows)
        for each in sorted((one for one, _ in found if one.batch == batch), key=lambda one: one.row):
            target.take(each)
    taken = {row for _, span in found for row in span}
    is_all = len(found) == len(every)
    left = [row for n, row in enumerate(kept.split("\n")) if n not in taken and not (is_all and _is_frame(row))]
    return "\n".join(rows), kept if not found else "\n".join(left) if any(row.strip() for row in _body(left)) else ""


class _Target:
    """A file's rows, into which bullets are put back: its sections are read once, and followed as they grow."""

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows
        found = Sections("\n".join(rows), "")
        self.title, self.top = found.title, frontmatter.lines(rows)
        self.sections = [[each.row, each.end] for each in found.sections]
        self.titles = [each.title.casefold() for each in found.sections]

    def take(self, each: Shelved) -> None:
        """Put a bullet in, below a heading of its own where its section has gone."""
        behind = len(self.rows) - (self.rows[-1] == "")
        if (at := self._place(each, behind)) is not None:
            self._insert(at, each.rows)
            return
        self._insert(behind, ["", f"## {each.section}", *each.rows])
        for span in self.sections:
            span[1] = min(span[1], behind + 1)
        self.sections.append([behind + 1, behind + 2 + len(each.rows)])
        self.titles.append(each.section.casefold())

    def _place(self, each: Shelved, behind: int) -> int | None:
        """Return the row at which a bullet comes back, None where its section is not there."""
        wanted = each.section.casefold()
        named = zip(self.titles, self.sections, strict=True)
        spans = [(row + 1, end) for title, (row, end) in named if title == wanted]
        if not spans and each.section in ("", self.title):
            spans = [(self.top, min((row for row, _ in self.sections), default=behind))]
        if not spans:
            return None
        if any(first <= each.row <= last for first, last in spans):
            return each.row
        first, at = spans[0]
        while at > first and not self.rows[at - 1].strip():
            at -= 1
        return at

    def _insert(self, at: int, new: Sequence[str]) -> None:
        self.rows[at:at] = new
        for span in self.sections:
            if span[0] >= at:
                span[0] += len(new)
            if span[1] >= at:
                span[1] += len(new)


def without(text: str, is_gone: Callable[[str], bool]) -> str:
    """Return a file without some bullets, and the rows that go on with them."""
    kept, indent = list[str](), -1  # of the bullet that goes
    for row in text.split("\n"):
        depth = len(row) - len(row.lstrip())
        if indent >= 0 and row.strip() and depth > indent:
            continue
        indent = depth if row.lstrip().startswith("- ") and is_gone(row) else -1
        if indent < 0:
            kept.append(row)
    return "\n".join(kept)


def _shelved(rows: Sequence[str]) -> Iterator[tuple[Shelved, range]]:
    """Yield each bullet with the rows that it takes in the archive's file."""
    starts = [n for n, row in enumerate(rows) if compiled(MARK).search(row)]
    sections, section = list[str](), ""
    for each in rows:
        here = _section(each)
        section = section if here is None else here
        sections.append(section)
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
        shelved = Shelved(int(batch), int(row), day, sections[start], (first, *rows[start + 1 : inside]))
        yield shelved, range(start, inside)


def _is_frame(row: str) -> bool:
    """Return whether a row is one of the headings that put_away writes."""
    return _section(row) is not None


def _section(row: str) -> str | None:
    """Return which section one of the headings names that put_away writes, None for any other row."""
    found = compiled(FRAME).fullmatch(row.rstrip("\r"))
    return found[1] if found else None


def _body(rows: Sequence[str]) -> Sequence[str]:
    """Return the rows behind the head, without the title."""
    return [row for row in rows[frontmatter.lines(rows) :] if not row.startswith("# Archived: ")]
