"""A Markdown file in sections, edited row by row: what is not touched stays byte for byte.  [moltbot §3 to §7]

A section is a heading of two `#` with the rows below it, up to the next heading of one or two. A heading in a code
fence or in a comment is none. Pure.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice, starmap

from koog.core.errors import WorkspaceError
from koog.core.named import NamedTuple
from koog.core.text import bullets, markdown
from koog.memory.store import apart, comments, line, read_on
from koog.memory.store.entry import Entry, Item, entry
from koog.memory.store.read_on import ROW, Stretch

BLANKS = (" ", "\t")
FILES = 32  # that are not read twice: what was written is what the next line is put into
PATHS = 64  # of files that are read on from where they have changed


class Section(NamedTuple):
    """A heading of two `#`: its words, its row, and the row behind the section's last one; rows count from 0."""

    title: str
    row: int
    end: int


class Sections:
    """The rows of a file, and where its sections are.

    path   what an error names
    """

    def __init__(self, text: str, path: str, *, before: Sections | None = None) -> None:
        """before: the same file as it was read last; of one that has changed little only that is looked through"""
        self.path = path
        self.rows = text.split("\n")
        self._shown = [row.rstrip("\r") for row in self.rows] if "\r" in text else self.rows
        new = read_on.stretch(before._shown, before._every, self._shown) if before else None
        if new:
            self._every = new.blocks
        known = before if before and not before._has_long_comment else None
        looked = self.rows[new.start : new.stop] if known and new else self.rows
        self._has_long_comment: bool = "<!--" in text and any(map(comments.opens, looked))
        self._hidden = comments.hidden(self.rows) if self._has_long_comment else set[int]()
        has_fence = "```" in text or "~~~" in text
        self.titles, self.sections = self._read(
            [start for kind, start, _ in self._every if kind == markdown.HEADING]
            if has_fence
            else markdown.headings(self._shown)
        )
        if known and new and not self._has_long_comment and "entries" in vars(known):
            self.entries = self._entries_on(known, new)

    @cached_property
    def _every(self) -> list[markdown.Block]:
        return markdown.blocks(self._shown)

    @cached_property
    def _blocks(self) -> list[markdown.Block]:
        """Return the blocks, but those in a comment: read when somebody asks for what stands under a heading."""
        return [each for each in self._every if each[1] not in self._hidden] if self._hidden else self._every

    def _read(self, headings: Sequence[int]) -> tuple[list[Section], list[Section]]:
        """Return the headings of one `#`, and the sections."""
        titles, found, starts = list[tuple[str, int]](), list[tuple[str, int]](), list[int]()
        for start in headings:
            seen = _heading(self._shown[start]) if start not in self._hidden else None
            if seen is None:
                continue
            starts.append(start)
            is_title, words = seen
            (titles if is_title else found).append((words, start))
        ends = dict(zip(starts, [*starts[1:], self._behind_all], strict=False))
        of_titles, sections = ([Section(words, row, ends[row]) for words, row in each] for each in (titles, found))
        return of_titles, sections

    @cached_property
    def title(self) -> str:
        """Return the words of the first heading of one `#`, "" without one."""
        return next((each.title for each in self.titles if each.title), "")

    @property
    def _behind_all(self) -> int:
        """Return the row behind the last one: the empty one behind the last line end is none."""
        return len(self.rows) - (self.rows[-1] == "")

    def get(self, title: str) -> Section | None:
        """Return the first section of a title, in any case."""
        wanted = title.casefold()
        return next((each for each in self.sections if each.title.casefold() == wanted), None)

    def items(self, title: str) -> Iterator[Item]:
        """Yield the bullets of a section, those below others as part of these."""
        section = self.get(title)
        return self.items_of(section) if section else iter(())

    def items_of(self, section: Section) -> Iterator[Item]:
        """Yield the bullets of a section that was read here."""
        return self._items(section.row + 1, section.end)

    def _items(self, row: int, behind: int) -> Iterator[Item]:
        """Yield the bullets that begin in some rows of one section."""
        found = list[tuple[str, int, int]]()
        depth = 0
        for kind, start, end in islice(self._blocks, bisect_left(self._blocks, row, key=ROW), None):
            if start >= behind:
                break
            bullet = _bullet(self.rows[start]) if kind == markdown.BULLET else None
            if bullet is None:
                continue
            column, words = bullet
            if found and column > depth:
                found[-1] = (*found[-1][:2], end)
                continue
            depth = column
            found.append((words, start, end))
        for text, start, end in found:
            more = [row.strip() for row in self.rows[start + 1 : end]] if end > start + 1 else ()
            if any(apart.LABEL in row for row in more):
                yield from starmap(Item, apart.by_label(self.rows, self._bullets(start, end)))
            else:
                yield Item(" ".join(filter(None, (text, *more))) if more else text, start, end)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Return the bullets of all sections that have words, in their order."""
        return tuple(self._entries(0, len(self.rows)))

    def _entries(self, start: int, stop: int) -> Iterator[Entry]:
        for section in self.sections:
            if section.row < stop and start < section.end:
                for item in self._items(max(section.row + 1, start), min(section.end, stop)):
                    if found := entry(section.title, item):
                        yield found

    def _entries_on(self, before: Sections, new: Stretch) -> tuple[Entry, ...]:
        """Return the bullets of all sections, as they were before but for a stretch of rows that is new.

        Only a bullet at the very left is one of its own whatever stands above it.
        """
        found = before.entries
        at = bisect_left(found, new.start, key=_row) - 1
        while at >= 0 and before._is_deeper(found[at]):
            at -= 1
        behind = bisect_left(found, new.was, key=_row)
        while behind < len(found) and before._is_deeper(found[behind]):
            behind += 1
        stop = _row(found[behind]) + new.moved if behind < len(found) else len(self.rows)
        if behind < len(found) and self._title_at(stop) != found[behind].section:
            behind, stop = len(found), len(self.rows)
        between = self._entries(_row(found[at]) if at >= 0 else 0, stop)
        rest = found[behind:] if not new.moved else [_moved(each, new.moved) for each in found[behind:]]
        return (*found[: max(at, 0)], *between, *rest)

    def _is_deeper(self, entry: Entry) -> bool:
        return self._shown[_row(entry)][0] in markdown.INDENT

    def _title_at(self, row: int) -> str | None:
        """Return the title of the section in which a row stands, None for one above the first."""
        return next((each.title for each in self.sections if each.row < row < each.end), None)

    def _bullets(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the rows in which bullets begin, each with the row behind it."""
        for kind, row, stop in islice(self._blocks, bisect_left(self._blocks, start, key=ROW), None):
            if row >= end:
                return
            if kind == markdown.BULLET:
                yield row, stop

    def body(self, title: str) -> str:
        """Return what a section's rows say, "" without one."""
        section = self.get(title)
        return "\n".join(self.rows[section.row + 1 : section.end]).strip("\n") if section else ""

    # --- the text with one thing changed

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    def with_item(self, title: str, words: str, *, order: Sequence[str] = ()) -> str:
        """Return the text with one bullet more, the last of its section. Raises WorkspaceError.

        order   titles as they follow one another: where a section that is missing is made
        """
        section = self.get(title)
        if section is None:
            made = self._with_section(title, order)
            if made.get(title) is None:
                raise self._open(title, len(self.rows))
            return made.with_item(title, words)
        at = section.end
        while at > section.row + 1 and not self.rows[at - 1].strip():
            at -= 1
        rest = self.rows[at:] or [""]
        gap = [""] if rest[0].strip() else []
        made = of("\n".join((*self.rows[:at], f"- {words}", *gap, *rest)), self.path)
        if not made._is_bullet_of(title, at):  # below it a fence or a comment is open
            raise self._open(title, at)
        return made.text

    def _is_bullet_of(self, title: str, row: int) -> bool:
        """Return whether a bullet begins in a row, and belongs to a section."""
        section, n = self.get(title), bisect_left(self._blocks, row, key=ROW)
        is_there = n < len(self._blocks) and self._blocks[n][:2] == (markdown.BULLET, row)
        return is_there and section is not None and section.row < row < section.end

    def _open(self, title: str, line: int) -> WorkspaceError:
        return WorkspaceError(
            f"{self.path}:{line}: nothing can be added to {title!r}: a code fence or comment above is not closed",
            hint=f"close it in {self.path}",
        )

    def without(self, item: Item) -> str:
        """Return the text without a bullet."""
        return "\n".join((*self.rows[: item.row], *self.rows[item.end :]))

    def marked(self, item: Item, **values: str) -> str:
        """Return the text with more said in the comment of a bullet's first row; the rows below stay as they are."""
        bullet = bullets.parse(self.rows[item.row])
        if bullet is None:
            return self.text
        row = line.marked(bullet.text.rstrip("\r"), strikes=item.end == item.row + 1, **values)
        end = "\r" if self.rows[item.row].endswith("\r") else ""
        return "\n".join((*self.rows[: item.row], f"{bullet.lead}{row}{end}", *self.rows[item.row + 1 :]))

    def _with_section(self, title: str, order: Sequence[str]) -> Sections:
        """Return the file with a section that it lacks: in front of the first of those that follow it, else last."""
        follow = order[order.index(title) + 1 :] if title in order else ()
        later = [found.row for name in follow if (found := self.get(name))]
        at = min(later, default=self._behind_all)
        above = self.rows[:at]
        gap = [""] if above and above[-1].strip() else []
        rest = ["", *self.rows[at:]] if later else [""]
        return Sections("\n".join((*above, *gap, f"## {title}", *rest)), self.path)


@lru_cache(maxsize=FILES)
def of(text: str, path: str) -> Sections:
    """Return the sections of a file. Nothing that is called on them changes them."""
    found = Sections(text, path, before=_last.pop(path, None))
    _last[path] = found
    if len(_last) > PATHS:
        del _last[next(iter(_last))]
    return found


_last: dict[str, Sections] = {}  # the files by their paths, as they were read last


def _heading(row: str) -> tuple[bool, str] | None:
    """Return whether a heading is the file's own, of one `#`, and its words; None for one of three or more.

    >>> _heading("## 08:30 | fact  ##"), _heading("# Ana"), _heading("### Ana")
    ((False, '08:30 | fact'), (True, 'Ana'), None)
    """
    marks = "##" if row.startswith("##") else "#"
    if row[len(marks) : len(marks) + 1] not in BLANKS:
        return None
    words = row[len(marks) :].strip(" \t")
    before = words.rstrip("#")
    return marks == "#", before.rstrip(" \t") if before != words and before[-1:] in BLANKS else words


@lru_cache(maxsize=line.KEPT)
def _bullet(row: str) -> tuple[int, str] | None:
    """Return at which column a bullet stands, and its words; None for any other row."""
    found = bullets.parse(row)
    return (found.column, found.text.strip()) if found else None


def _row(entry: Entry) -> int:
    return entry.item.row


def _moved(entry: Entry, by: int) -> Entry:
    """Return a bullet that stands some rows further down."""
    section, read, text, day, (words, row, end) = entry
    return Entry(section, read, text, day, Item(words, row + by, end + by))
