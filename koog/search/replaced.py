"""Which lines of what was found were replaced, and by what; the newer stands before the older.  [moltbot §5, §11.3]

A line's being replaced is a property of the line, as its label is: of a fact its own comment says so, of an episode the
log of changes, and whoever is shown the one is told of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from koog.core import changes, forgotten
from koog.core.changes import Changes, Later, Replaced
from koog.core.lazy_regex import compiled
from koog.core.text import entries
from koog.sessions import audience, labels
from koog.sessions.audience import Seen

if TYPE_CHECKING:
    from koog.core.files.tree import Tree
    from koog.core.run import Run
    from koog.search.hits import Hit
    from koog.sessions.audience import Audience


OF_KNOWLEDGE = ("knowledge/", "archive/")  # what took the place of a line of theirs has no id


def told(run: Run, found: Sequence[Hit]) -> list[Hit]:
    """Return hits with what was replaced in them, each behind what took its place, where both are there."""
    if run.searched is not None:
        return list(found)
    tree, who = run.workspace, audience.current(run)
    later = Changes(tree, forgotten.of(tree).hidden)
    seen = [hit._replace(replaced=tuple(_in_hit(tree, hit, later))) for hit in found]
    return [
        hit._replace(
            replaced=tuple(r if is_told(tree, who, r.by, hit.path) else r._replace(by="") for r in hit.replaced)
        )
        for hit in newer_first(tree, seen)
    ]


def is_told(tree: Tree, who: Audience, by: str, path: str) -> bool:
    """Return whether a reader of a file may have the id of what took a line's place: a fact's has a name in it."""
    if by.partition(":")[0] not in (changes.FACT, changes.PROCEDURE) or changes.file_of(tree, by) == path:
        return True
    newer = changes.file_of(tree, by)
    rows = [row for row in changes.text_of(tree, newer).split("\n") if row.strip()]
    naming = [row for row in rows if any(f"dc:{name}=" in row for name in changes.NAMED_BY.values())]
    return all(who.line(labels.of_line(row), newer, text=row) is not Seen.HIDDEN for row in naming or rows)


def newer_first(tree: Tree, found: Sequence[Hit]) -> list[Hit]:
    """Return hits so that one of which all is replaced stands behind the one that holds the newer line."""
    order = list(found)
    for old in found:
        if not old.replaced or not _is_past(old):
            continue
        newer = next((hit for hit in order if hit is not old and any(_holds(tree, hit, r) for r in old.replaced)), None)
        if newer is not None and order.index(newer) > order.index(old):
            order.remove(newer)
            order.insert(order.index(old), newer)
    return order


def _is_past(hit: Hit) -> bool:
    """Return whether all of a hit's passages begin with a line that was replaced."""
    return {each.line for each in hit.replaced} >= set(hit.matches)


def _holds(tree: Tree, hit: Hit, old: Replaced) -> bool:
    """Return whether a hit shows the line that took another's place."""
    if not old.by or hit.path != changes.file_of(tree, old.by):
        return False
    text = changes.text_of(tree, hit.path)
    return any(row in range(hit.lines[0], hit.lines[1] + 1) for row in changes.rows_of(text, old.by))


def _in_hit(tree: Tree, hit: Hit, later: Changes) -> Iterator[Replaced]:
    """Yield the lines of a hit that were replaced."""
    folders = tuple(tree.in_memory(f"{folder}/") for folder in changes.FOLDERS.values())
    if hit.path != changes.CORE_FILE and not hit.path.startswith((*folders, *OF_KNOWLEDGE)):
        return
    text = changes.text_of(tree, hit.path)
    rows, first, last = text.split("\n"), hit.lines[0], min(hit.lines[1], text.count("\n") + 1)
    whole = _whole(tree, hit.path, text, later)
    for line in range(first, last + 1):
        own = changes.own(rows[line - 1])
        said = next((each for (start, end), each in whole if start < line <= end), None)
        if own:
            yield Replaced(line, own[1] if compiled(changes.ID).fullmatch(own[1]) else "", own[0])
        elif said and rows[line - 1].strip():
            yield Replaced(line, said.by, said.day)


def _whole(tree: Tree, path: str, text: str, later: Changes) -> list[tuple[entries.Span, Later]]:
    """Return what of a file the log of changes says was replaced: entries of a day, or all of a procedure."""
    if not later:
        return []
    day = path.rpartition("/")[2].removesuffix(".md")
    if path.startswith(tree.in_memory(f"{changes.FOLDERS[changes.EPISODE]}/")):
        spans = list(entries.of_day(text, day))
    else:
        spans = [(f"procedure:{day}", (0, text.count("\n") + 1))]
    return [(span, by) for id_, span in spans if (by := later.replaced(id_))]
