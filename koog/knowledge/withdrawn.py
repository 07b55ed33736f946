"""What a person has taken out of the knowledge files, or put otherwise: koog does not bring it back.

Git tells it: a line that names its source, that somebody else's commit took away, and that no file of the same home has
now. A merge is nobody's word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from koog.audit import history
from koog.core.git.owners import Owners
from koog.knowledge import documents
from koog.knowledge.pruning import shelf
from koog.memory.store import line as lines

if TYPE_CHECKING:
    from koog.audit.history import History
    from koog.core.run import Run


def key(row: str) -> str:
    """Return by what a bullet of koog's is known again, "" for any other row.

    >>> key("- 2026-02-14: Ship on Mondays <!-- dc:source=s:3 -->"), key("- mine")
    ('Ship on Mondays', '')
    """
    bullet = row.strip()
    if not bullet.startswith("- "):
        return ""
    found = lines.read(bullet[2:])
    return lines.bare(found.text) if documents.SOURCE in found.values else ""


def keys(text: str) -> frozenset[str]:
    """Return the keys of a file's lines."""
    return frozenset(filter(None, map(key, text.split("\n"))))


def of(past: History, tip: str, home: Callable[[str], str | None], *places: str) -> dict[str, set[str]]:
    """Return home → the keys of what persons have taken out since the beginning; what stands there again is among it.

    home     where a file belongs, whose lines may wander between several; None for a file that is not looked at
    places   of the workspace: only these files; none: all
    """
    found: dict[str, set[str]] = {}
    for each in past.commits("--no-merges", tip, paths=places):
        for touch in () if each.is_koogs else each.touched:
            at = home(touch.path)
            if at is None or touch.before is None:
                continue
            old, new = (decoded(past.content(name)) for name in (touch.before, touch.after))
            if went := keys(old) - keys(new):
                found.setdefault(at, set()).update(went)
    return found


def from_files(run: Run, *paths: str) -> set[str]:
    """Return the keys of what persons have taken out of some files, between which lines may wander.

    A file that somebody has saved since the last commit counts as he has left it.
    """
    git = run.commits.git
    if git is None or git.head() is None:
        return set()
    owners, found, there = Owners(run.workspace, git), set[str](), frozenset[str]()
    with history.looked_at(git) as past:
        for path in paths:
            data = run.workspace.read(path)
            there |= keys(decoded(data))
            if not owners.made(path, data):
                found |= keys(decoded(git.at_head(path)))
        return (found | of(past, past.head, lambda _: "", *paths).get("", set())) - there


def without(text: str, gone: Collection[str]) -> str:
    """Return a file without lines of koog's of some keys, and what stands below them."""
    return shelf.without(text, lambda row: key(row) in gone)


def decoded(data: bytes | None) -> str:
    """Return what a file says, "" for one that is not there."""
    return (data or b"").decode("utf-8", "surrogateescape")
