"""What of a file as it once was may be told to who reads now: what is hidden from him, or forgotten since, is blank.

The past has no rules of its own: labels, `paths.projects`, archived memories and tombstones are those of today, so
that nothing that was forgotten comes back by asking for the day before.  [design §7]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.files import atomic
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import bullets, frontmatter
from koog.core.text.untrusted import clean, visible
from koog.search import labelled, sources
from koog.search import visible as sight
from koog.search.labelled import NOTHING
from koog.sessions import audience
from koog.sessions.audience import Seen

if TYPE_CHECKING:
    from koog.core.run import Run

HEADING = r"(#{1,6})[ \t]+(.*?)[ \t#]*"
EVERY_LEVEL = frozenset(range(1, 7))
SOURCE = r"dc:source=(\S+)"
DAY = r"dc:day=(\d{4}-\d\d-\d\d)"
DATED = r"(?:~~)?(\d{4}-\d\d-\d\d): "


class Row(NamedTuple):
    """One line of a file that says something.

    number    from 1
    section   the heading that it stands under
    text      its words, without bullet and comments, with the project's name where it is another's rule
    raw       the line as it was written
    """

    number: int
    section: str
    text: str
    raw: str = ""

    @property
    def words(self) -> str:
        """Return by what two lines are the same, wherever they stand."""
        return folded(self.text)

    @property
    def source(self) -> str | None:
        """Return session and line of the transcript that it was taken from."""
        found = compiled(SOURCE).search(self.raw)
        return found[1].replace("%3B", ";") if found else None

    @property
    def day(self) -> str:
        """Return the day that the line itself names, "" for none."""
        found = compiled(DAY).search(self.raw) or compiled(DATED).match(self.text)
        return found[1] if found else ""


class Telling:
    """What one reader is told of files of the past."""

    def __init__(self, run: Run) -> None:
        self.who = audience.current(run)
        self.roots = sources.of(run)
        self.gone = forgotten.of(run.workspace)

    def covers(self, path: str) -> bool:
        """Return whether a file is memory, and not what koog keeps count in."""
        return self.roots.category(path) is not None

    def text(self, path: str, data: bytes | None) -> str:
        """Return a file's text as it may be told, row for row; "" for no file, and for one that is no text."""
        if data is None or b"\0" in data[:1024]:
            return ""
        text = self.roots.shelved.shown(path, atomic.decode(data))
        said, whole = labelled.rows(text, path=path), text.split("\n")
        rows, is_hidden = list(whole), False
        for at, row in enumerate(whole):
            own = said.get(at, NOTHING)
            seen = sight.of_passage(self.who, own, path)
            if seen is Seen.HIDDEN or not row.strip():
                rows[at] = ""
                is_hidden = is_hidden or bool(row.strip())
            elif seen is Seen.NAMED:
                rows[at] = f"{row.rstrip()}{audience.mark(self.who.name_of(own.label, path))}"
        if is_hidden:
            _without_empty(rows, whole)
        return self.gone.shown(visible(clean("\n".join(rows)))) if any(rows) else ""

    def rows(self, path: str, data: bytes | None, *, titles: bool = False) -> list[Row]:
        """Return the lines of a file that say something, as they may be told; its head says nothing.

        titles   headings, too: of whom a file is may stand nowhere else
        """
        lines, raw = self.text(path, data).split("\n"), atomic.decode(data or b"").split("\n")
        found, section = list[Row](), ""
        start = frontmatter.lines(lines) or 0
        for number, row in enumerate(lines[start:], start + 1):
            bare = row.strip()
            if title := compiled(HEADING).fullmatch(bare):
                section = " | ".join(title[2].split(" | ")[:2])  # of an episode's heading its time and type
                if titles and section:
                    found.append(Row(number, section, title[2], raw[number - 1]))
                continue
            item = bullets.parse(bare)
            words = (item.text if item else bare).strip()
            if any(map(str.isalnum, words)):
                found.append(Row(number, section, words, raw[number - 1]))
        return found


def _without_empty(rows: list[str], whole: Sequence[str]) -> None:
    """Blank the headings below which nothing is left of what stood there: their tags and names are of that.

    whole   the rows as the file has them
    """
    levels = [len(found[1]) if (found := compiled(HEADING).fullmatch(row.strip())) else 0 for row in whole]
    is_told = any(row.strip() for row, level in zip(rows, levels, strict=True) if not level)
    said, left = set[int](), set[int]()  # levels whose section says something, and those that still do
    for at in range(len(rows) - 1, -1, -1):
        level = levels[at]
        if not level:
            said |= EVERY_LEVEL if whole[at].strip() else set()
            left |= EVERY_LEVEL if rows[at].strip() else set()
            continue
        if level not in left and (level in said or not is_told):
            rows[at] = ""
        said, left = ({each for each in found if each < level} for found in (said, left))


def folded(text: str) -> str:
    """Return a text by which what is written in another case, or broken over lines otherwise, is the same.

    >>> folded("File-based  Memory")
    'file-based memory'
    """
    return " ".join(text.lower().split())
