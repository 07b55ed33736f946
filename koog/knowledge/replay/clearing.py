"""The memory without what transcripts taught it: what a person wrote and what was remembered stays.  [autopoiesis §8.7]

A line of a transcript names it (`dc:source=SESSION:LINE`). One that a person has changed since is his. A file of koog's
of which nothing is left goes; so do the rows of the two lists that name nothing any more. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from koog.core.lazy_regex import compiled
from koog.core.text import frontmatter
from koog.knowledge import documents, journal, lists, sources
from koog.knowledge.layout import ACTIVE, INDEX, MEMORY, Layout
from koog.knowledge.placing import DECISIONS, FACTS, JOURNAL, LESSONS, PEOPLE, PROCEDURES
from koog.knowledge.pruning import shelf
from koog.memory.store import ids

SOURCE = r"<!--(?:(?!-->).)*\bdc:source=(\S+)"
HEADING = r"#{1,6}[ \t]+(?:\d{4}-\d\d-\d\d: )?(.*?)[ \t#]*"  # in the archive with the day on which it was put there
FRAME = r"#{1,6}[ \t].*|Facts: \[\[[^\]]*\]\]|<!--(?:(?!-->).)*-->|"  # of a file that says nothing
OF_MEMORY = {"key decisions": DECISIONS, "lessons learned": LESSONS}
OF_KIND = {"person": PEOPLE, "procedure": PROCEDURES, "reference": FACTS, "journal": JOURNAL}


def cleared(
    text: str, path: str, *, layout: Layout, sessions: Collection[str], chosen: Collection[str], kept: Collection[int]
) -> str | None:
    """Return a file without what some extractors took of some sessions; None where nothing is left of it.

    path     of a file of the archive the place that it came from
    chosen   names of extractors
    kept     rows, from 1, that a person has written since
    """
    kind = layout.kind(path) or ("entity" if "/entities/" in path else "")
    rows, found = text.split("\n"), list[str]()
    section, indent = "", -1  # of the bullet that goes, with what stands deeper
    for number, row in enumerate(rows, 1):
        if title := compiled(HEADING).fullmatch(row):
            section = title[1].casefold()
        depth = len(row) - len(row.lstrip())
        if indent >= 0 and row.strip() and depth > indent and number not in kept:
            continue
        indent = -1
        if number not in kept and is_taught(row, sessions) and owner(kind, section) in (*chosen, ""):
            indent = depth
            continue
        found.append(row)
    if found == rows:
        return text
    if (kind not in ("memory", "entity") or shelf.shelved(text)) and says_nothing(found):
        return None
    left = "\n".join(found)
    return (
        documents.with_head(left, sessions=[])
        if kind == "journal" and documents.listed(left, journal.SESSIONS)
        else left
    )


def owner(kind: str, section: str) -> str:
    """Return which extractor writes under a heading of a kind of file; "" where several do.

    >>> owner("project_context", "key decisions"), owner("project_progress", "done"), owner("entity", "facts")
    ('decisions', 'facts', '')
    """
    if kind == "memory":
        return OF_MEMORY.get(section, "")
    if kind.startswith("project_"):
        return DECISIONS if section == "key decisions" else LESSONS if section == "lessons learned" else FACTS
    return OF_KIND.get(kind, "")


def lists_of(layout: Layout) -> tuple[str, str]:
    """Return the paths of the lists of projects and people."""
    return f"{layout.projects}/{ACTIVE}", f"{layout.people}/{INDEX}"


def without_gone(text: str, *, path: str, layout: Layout, there: Collection[str]) -> str:
    """Return one of the two lists without the rows of what is gone. there: the paths of all files"""
    if path == f"{layout.projects}/{ACTIVE}":
        names = [each.split("/")[-2] for each in there if layout.kind(each).startswith("project_") and each != path]
    else:
        names = [each.rpartition("/")[2].removesuffix(".md") for each in there if layout.kind(each) == "person"]
    known = set(map(ids.slug, names))
    rows = text.split("\n")
    found = ((row, compiled(lists.ROW).fullmatch(row)) for row in rows)
    left = "\n".join(row for row, match in found if not match or ids.slug(match["name"]) in known)
    return text if left == text else left.rstrip("\n") + "\n"


def touches(path: str, layout: Layout) -> bool:
    """Return whether extractors write into a file."""
    return path == MEMORY or bool(layout.kind(path))


def is_taught(row: str, sessions: Collection[str] | None = None) -> bool:
    """Return whether a row was taken of transcripts; of those of some sessions, where they are named."""
    found = compiled(SOURCE).search(row)
    told = sources.parse(found[1].replace("%3B", ";")) if found else []
    return bool(told) and (sessions is None or all(each.session in sessions for each in told))


def says_nothing(rows: Sequence[str]) -> bool:
    """Return whether a file has a head and headings only."""
    body = rows[frontmatter.lines(rows) :]
    return all(compiled(FRAME).fullmatch(row.strip()) for row in body)
