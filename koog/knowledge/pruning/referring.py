"""How old a knowledge file is, how often it came up, and whether it may be put away at all.  [autopoiesis §8.5]

Only a file that is koog's own may: one with a line of a person's own hand, or one that a topic subscribes to, stays.
A file's age is that of its newest line, so that a clone finds the same. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.text import frontmatter
from koog.knowledge import documents, filing, sources
from koog.memory.store.sections import Section, Sections

LINK = r"\[\[([^\]|#]+)"
FACTS = r"Facts: \[\[[^\]]+\]\]"  # how `extract` leads from a file to its entity


def age_days(text: str, path: str, today: date) -> int | None:
    """Return how old the newest line of a file is, None where nothing says so."""
    told = [each.day for each in documents.entries(text, path)]
    told.append(str(documents.values(text).get("updated", ""))[:10])
    days = [day for each in told if (day := clock.parse_day(each))]
    return (today - max(days)).days if days else None


def references(text: str, path: str, others: Iterable[str]) -> int:
    """Return how often a file came up: in so many sessions, and in so many other files that link to it.

    others   the texts of the other files
    """
    told = (each.line.values.get(documents.SOURCE, "") for each in documents.entries(text, path))
    sessions = {source.session for each in told for source in sources.parse(each)}
    names = {path, path.removesuffix(".md"), path.rpartition("/")[2].removesuffix(".md")}
    linking = sum(bool(names & {each.strip() for each in compiled(LINK).findall(other)}) for other in others)
    return len(sessions) + linking


def is_koogs(text: str, path: str) -> bool:
    """Return whether all that a file says was written by koog: bullets with their source, headings and the head."""
    found = Sections(text, path)
    rows, whole = found.rows, Section("", -1, len(found.rows))
    own = {each.item.row for each in documents.entries(text, path) if filing.is_koogs(each)}
    items = list(found.items_of(whole))
    if not own or any(item.row not in own or item.end != item.row + 1 for item in items):
        return False
    head = frontmatter.lines(rows)
    rest = (row.strip() for n, row in enumerate(rows) if n >= head and n not in own)
    return all(not row or row.startswith("#") or compiled(FACTS).fullmatch(row) for row in rest)


def title(text: str) -> str:
    """Return the title of a file: of a person's the name."""
    return Sections(text, "").title
