"""How old a knowledge file is, how often it came up, and whether it may be put away at all.  [autopoiesis §8.5]

Only a file that is koog's own may: one with a line of a person's own hand, or one that a topic subscribes to, stays.
A file's age is that of its newest line, so that a clone finds the same. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.text import frontmatter
from koog.knowledge import documents, filing, layout, sources
from koog.memory.store import ids
from koog.memory.store.sections import Section, Sections

LINK = r"\[\[([^\]|#]+)"
HEAD = {"type", "name", "project", "updated"}  # what `extract` writes into heads
HEADINGS = {f"## {title}" for found in layout.SECTIONS.values() for title in found} | {f"## {layout.LESSONS}"}
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
    """Return whether all that a file says was written by koog: bullets with their source, its headings, its head."""
    found = Sections(text, path)
    rows, whole = found.rows, Section("", -1, len(found.rows))
    own = {each.item.row for each in documents.entries(text, path) if filing.is_koogs(each)}
    items = list(found.items_of(whole))
    if not own or any(item.row not in own or item.end != item.row + 1 for item in items):
        return False
    head = frontmatter.lines(rows)
    rest = [row.strip() for n, row in enumerate(rows) if n >= head and n not in own]
    values = documents.values(text)
    return values.keys() <= HEAD and all(
        not row or row in HEADINGS or row == _title(values, found.title) or compiled(FACTS).fullmatch(row)
        for row in rest
    )


def _title(values: Mapping[str, object], said: str) -> str:
    """Return the heading that koog begins a file with; "" where the file says another one than its head.

    A file of a person or project has his or its name there; the head of the others does not tell it, so that any does.
    """
    if "name" in values:
        return f"# {values['name']}"
    name = said.partition(" — ")[0]
    return f"# {said}" if values.get("project") in (None, ids.slug(name)) else ""


def title(text: str) -> str:
    """Return the title of a file: of a person's the name."""
    return Sections(text, "").title
