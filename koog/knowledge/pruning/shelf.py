"""archive/: where what leaves a knowledge file lies, so that it can be put back as it was.  [autopoiesis §8.5, §8.6]

    archive/journal/2026-02-16.md      a whole file: it lies there byte for byte, under the path it had in knowledge/
    archive/memory/MEMORY.md           lines of a file that stays: in the order in which they left, below headings

    ## 2026-05-01: Key Decisions
    - … <!-- dc:source=ses_a1:45 --> <!-- dc:shelved=2026-05-01 dc:batch=2 dc:row=17 dc:level=2 dc:beside=0a1b2c3d -->

shelved  when it left; batch: with which others; row: in which row it stood before they left
level    of how many # its heading was; beside: by what the other headings of this level, and its place among them, are
         known again: where these are the same, and it alone has another name, it was renamed

Put back in the order in which they left, the last batch first, the lines make the file that there was. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import frontmatter
from koog.knowledge import documents
from koog.knowledge.layout import MEMORY, ROOT
from koog.memory.store import ids
from koog.memory.store.sections import Sections

ARCHIVE = "archive"
CORE = f"{ARCHIVE}/memory/{MEMORY}"
ARCHIVED = "archived"  # the type of a file that has lines of another
HEAD = r" dc:level=([12]) dc:beside=([0-9a-f]{8})"  # older lines have it not
MARK = rf" <!-- dc:shelved=(\d{{4}}-\d\d-\d\d) dc:batch=(\d{{1,9}}) dc:row=(\d{{1,9}})(?:{HEAD})? -->(?=\r?$)"
FRAME = r"## \d{4}-\d\d-\d\d: (.*)"
AGAIN = r"~\d+(?=\.md$)"  # in the name of a file that is put away a second time


class Shelved(NamedTuple):
    """One bullet that left a file, with the rows that go on with it.

    section, row    where it stood; rows from 0
    level, beside   of its heading, as in its mark; 2 and "" where that does not say it
    """

    batch: int
    row: int
    day: str
    section: str
    rows: tuple[str, ...]
    level: int = 2
    beside: str = ""


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
    found = Sections(text, of)
    added, section, head = list[str](), None, ""
    for each in sorted(leaving, key=lambda one: one.row):
        if each.section != section:
            added += ["", f"## {today}: {each.section}"]
            section, head = each.section, _head(found, each.section)
        first, *more = rows[each.row : each.end]
        end = "\r" if first.endswith("\r") else ""
        mark = f" <!-- dc:shelved={today} dc:batch={batch} dc:row={each.row}{head} -->"
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


def _head(found: Sections, section: str) -> str:
    """Return what a mark says of a heading, "" for what stands above all of them."""
    for level, heads in ((2, found.sections), (1, found.titles)):
        titles = [each.title for each in heads]
        if section and section in titles:
            return f" dc:level={level} dc:beside={_beside(titles, titles.index(section))}"
    return ""


def _beside(titles: Sequence[str], at: int) -> str:
    """Return by what a heading's place among the others of its level is known again, whatever its own name is."""
    return ids.of_words(f"{at} {' | '.join((*titles[:at], *titles[at + 1 :]))}")


class _Target:
    """A file's rows, into which bullets are put back: its sections are read once, and followed as they grow."""

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows
        found = Sections("\n".join(rows), "")
        self.title, self.top = found.title, frontmatter.lines(rows)
        own = next((each for each in found.titles if each.title == self.title), None)
        self.heads = {1: found.titles, 2: found.sections}
        heads = [each for each in (*found.titles, *found.sections) if each is not own]
        self.sections = [[each.row, each.end] for each in heads]
        self.titles = [each.title.casefold() for each in heads]
        self.renamed = dict[tuple[int, str], str | None]()

    def take(self, each: Shelved) -> None:
        """Put a bullet in, below its heading made again where that has gone."""
        behind = len(self.rows) - (self.rows[-1] == "")
        if (at := self._place(each, behind)) is not None:
            self._insert(at, each.rows)
            return
        gap = [""] if behind and self.rows[behind - 1].strip() else []
        self._insert(behind, [*gap, f"{'#' * each.level} {each.section}", *each.rows])
        row = behind + len(gap)
        for span in self.sections:
            span[1] = min(span[1], row)
        self.sections.append([row, row + 1 + len(each.rows)])
        self.titles.append(each.section.casefold())

    def _place(self, each: Shelved, behind: int) -> int | None:
        """Return the row at which a bullet comes back, None where its section is not there."""
        spans, section = self._spans(each.section), each.section
        if not spans and section not in ("", self.title) and (now := self._renamed(each)) is not None:
            spans, section = self._spans(now), now
        if section in ("", self.title):  # below the title itself, though another heading may have its name
            spans = [*spans, (self.top, min((row for row, _ in self.sections), default=behind))]
        if not spans:
            return None
        if any(first <= each.row <= last for first, last in spans):
            return each.row
        first, at = spans[0]
        while at > first and not self.rows[at - 1].strip():
            at -= 1
        return at

    def _spans(self, section: str) -> list[tuple[int, int]]:
        """Return the first row and the row behind the last one of each section of a name, but of the title's."""
        named = zip(self.titles, self.sections, strict=True)
        return [(row + 1, end) for title, (row, end) in named if title == section.casefold()]

    def _renamed(self, each: Shelved) -> str | None:
        """Return what a bullet's heading is called now, where it alone of its level has another name."""
        key = each.level, each.beside
        if key not in self.renamed:
            titles = [head.title for head in self.heads[each.level]]
            found = (title for at, title in enumerate(titles) if _beside(titles, at) == each.beside)
            self.renamed[key] = next(found, None)
        return self.renamed[key]

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
        day, batch, row, level, beside = found.groups(default="")
        more = (first, *rows[start + 1 : inside])
        shelved = Shelved(int(batch), int(row), day, sections[start], more, int(level or 2), beside)
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
