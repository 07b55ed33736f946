"""memory/meta/changes.jsonl: which line changes which, where the older one stays as it was written.  [moltbot §5, §8.2]

    {"ts":"2026-03-06T10:00:00Z","old":"episode:2026-02-09:08:10","by":"fact:organization--mattilsynet:0a1b2c3d","how":"replaced"}

An episode is never edited, and of a procedure one line alone may have changed: the newer line names the older one in
its comment (`dc:replaces`, `dc:against`). That is the truth; this log only leads to it, so that whoever reads the older
line finds the newer one without reading all others. A row whose newer line is forgotten, was taken back or names the
older one no longer is nothing: the older one holds again. It has ids and no words.

    replaced  the newer takes its place
    against   one of the two may not hold
    beside    it seems to tell a change of it: often both hold
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from koog.core import forgotten
from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from koog.core.files.tree import Tree

FILE = "meta/changes.jsonl"  # in the memory folder
REPLACED, AGAINST, BESIDE = HOWS = ("replaced", "against", "beside")
NAMED_BY = {REPLACED: "replaces", AGAINST: "against", BESIDE: "against"}
CORE, EPISODE, FACT, PROCEDURE = "core", "episode", "fact", "procedure"
CORE_FILE = "MEMORY.md"
FOLDERS = {EPISODE: "episodes", FACT: "graph/entities", PROCEDURE: "procedures"}  # in the memory folder
ID = r"(?:core|fact|episode|procedure):[\w.:-]+"
DAY_CHARS = len("2026-03-06")
VALUE = r"\sdc:{}=(\S*)"
SHELVED = r"\sdc:archived="  # on a line that was forgotten


class Later(NamedTuple):
    """What changes a line. by: the id of the newer one; day: of its telling; how: one of HOWS"""

    by: str
    day: str
    how: str


class Replaced(NamedTuple):
    """One line that does not hold any more. line: from 1; by: the id of what took its place, "" unknown; on: a day"""

    line: int
    by: str
    on: str


def row(at: str, old: str, by: str, how: str) -> str:
    """Return one change as it is written, with its line end."""
    return json.dumps({"ts": at, "old": old, "by": by, "how": how}, separators=(",", ":"), ensure_ascii=False) + "\n"


@lru_cache(maxsize=4)
def read(text: str) -> dict[str, tuple[Later, ...]]:
    """Return the older line's id → what changes it, in the order of the log; rows that are none are left out."""
    found: dict[str, list[Later]] = {}
    for each in text.splitlines():
        try:
            told = told_by(jsonfiles.loads(each))
        except ValueError:
            continue
        if told:
            found.setdefault(told[0], []).append(told[1])
    return {old: tuple(laters) for old, laters in found.items()}


def told_by(value: Any) -> tuple[str, Later] | None:
    """Return which line a row says is changed, and by what; None for a row that is none."""
    try:
        old, later = value["old"], Later(value["by"], value["ts"][:10], value["how"])
        is_one = later.how in HOWS and isinstance(old, str) and bool(compiled(ID).fullmatch(later.by))
    except (LookupError, TypeError, AttributeError):
        return None
    return (old, later) if is_one else None


class Changes:
    """What changes the lines of a workspace; one reader reads each file once. hidden: ids of what was forgotten"""

    def __init__(self, tree: Tree, hidden: frozenset[str]) -> None:
        self._tree, self._hidden = tree, hidden
        self.rows = read(text_of(tree, tree.in_memory(FILE)))
        self._named: dict[tuple[str, str], frozenset[str]] = {}

    def __bool__(self) -> bool:
        return bool(self.rows)

    def of(self, old: str) -> list[Later]:
        """Return what changes a line now, the last one told last."""
        return [each for each in self.rows.get(old, ()) if self._holds(old, each)]

    def replaced(self, old: str) -> Later | None:
        """Return what took a line's place, None where it holds."""
        return next((each for each in reversed(self.of(old)) if each.how == REPLACED), None)

    def _holds(self, old: str, later: Later) -> bool:
        if forgotten.hides(self._hidden, later.by):
            return False
        key = (later.by, NAMED_BY[later.how])
        if key not in self._named:
            text = text_of(self._tree, file_of(self._tree, later.by))
            rows = text.split("\n")
            self._named[key] = frozenset(_named([rows[n - 1] for n in rows_of(text, later.by)], key[1]))
        return old in self._named[key]


def file_of(tree: Tree, id_: str) -> str:
    """Return the file in which a line that changes another stands."""
    kind, _, name = id_.partition(":")
    if kind == CORE:
        return CORE_FILE
    told = {EPISODE: name[:DAY_CHARS], FACT: name.rpartition(":")[0]}
    return tree.in_memory(f"{FOLDERS[kind]}/{told.get(kind, name)}.md")


def own(row_: str) -> tuple[str, str] | None:
    """Return what a row's comment says of itself: until which day it held, and the id of what took its place.

    >>> own("- ~~Lives in Berlin~~ (until 2026-03-04) <!-- dc:to=2026-03-04 dc:by=fact:person--alex:99aabbcc -->")
    ('2026-03-04', 'fact:person--alex:99aabbcc')
    """
    until, by = next(_values(row_, "to"), None), next(_values(row_, "by"), "")
    return None if until is None else (until[:DAY_CHARS], unquote(by))


def rows_of(text: str, id_: str) -> range:
    """Return the rows of a file, from 1, in which a line stands: of an episode its own, else all of them."""
    if not id_.startswith(f"{EPISODE}:"):
        return range(1, text.count("\n") + 2)
    spans = dict(entries.of_day(text, id_.partition(":")[2][:DAY_CHARS]))
    start, end = spans.get(id_, (0, 0))
    return range(start + 1, end + 1)


def _named(rows: Sequence[str], name: str) -> Iterator[str]:
    """Yield the ids that lines name in their comments; what was forgotten names nothing."""
    for each in rows:
        if not compiled(SHELVED).search(each):
            for told in _values(each, name):
                yield from map(unquote, told.split(";"))


def _values(row_: str, name: str) -> Iterator[str]:
    """Yield what a row's comments have under a name; in pieces, since a row may open many and close none."""
    for piece in row_.split("<!--")[1:]:
        if found := compiled(VALUE.format(name)).search(piece.partition("-->")[0]):
            yield found[1]


def text_of(tree: Tree, path: str) -> str:
    """Return a file's text, "" where there is none or it cannot be read."""
    try:
        return tree.text(path) or ""
    except WorkspaceError:
        return ""
