"""memory/meta/decay-scores.json: what is left of each memory, as `decay run` last reckoned it.  [moltbot §9.3]

    {"version": 1, "last_updated": "2026-02-02T16:00:00Z", "entries": {"episode:2026-02-02:14:30": {"store": "episodic", …}}}

It is derived from the stores and the log of accesses. Who reads takes both: the file, and the lines of access.jsonl,
which it does not have yet. What the file cannot tell any more (it was cut, an entry is broken, a memory is back that
was gone) the months of the log can.

A score of exactly 0.0 is somebody's word ("forget that") and stays; what time alone has worn is never quite 0.
"""  # noqa: E501  the one line is the format

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypedDict, cast

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.fading import accesses, relevance
from koog.memory.fading.accesses import NOTHING, Access, Folded

if TYPE_CHECKING:
    from koog.core.files.pieces import Pieces
    from koog.core.files.tree import Tree

FILE = "meta/decay-scores.json"  # in the memory folder
VERSION = 1

Read = Callable[[str], str | None]  # gives a file's text, as it is or as it is staged


class Entry(TypedDict):
    """One memory, as the file has it: a hundred thousand of them are read, and none is made anew before it changes."""

    store: str
    base_relevance: float
    created: str
    last_accessed: str
    access_count: int
    type_weight: float
    current_score: float
    status: str
    pinned: bool


KEYS = tuple(Entry.__annotations__)
TYPES = (str, float, str, str, int, float, float, str, bool)  # as koog writes them
_values = itemgetter(*KEYS)


class Scores(NamedTuple):
    """A file as it was read.

    updated   when it was written; None where there is none, or it cannot be read
    broken    what is wrong with it, in words: those entries are not among the others
    """

    updated: datetime | None
    entries: dict[str, Entry]
    broken: list[str]


def parse(text: str, path: str) -> Scores:
    """Return what a file says, entry by entry. Raises WorkspaceError for one that a newer koog has written."""
    try:
        value = jsonfiles.loads(text)
    except ValueError as e:
        return Scores(None, {}, [f"{path} cannot be read: {e}"])
    version, rows = (value.get("version"), value.get("entries")) if isinstance(value, dict) else (None, None)
    if version not in (VERSION, None):
        raise WorkspaceError(
            f"{path} has version {version!r:.40}, and this koog knows {VERSION}",
            hint="update koog; it leaves the file as it is",
        )
    if version is None or not isinstance(rows, dict):
        return Scores(None, {}, [f"{path} cannot be read: it has no version and entries"])
    entries, broken = dict[str, Entry](), list[str]()
    for id_, row in rows.items():
        try:
            entries[id_] = _entry(row)
        except (KeyError, TypeError, ValueError):
            number = text.count("\n", 0, max(text.find(jsonfiles.line(id_)), 0)) + 1
            broken.append(f"{path} line {number}: the entry of {id_} is broken")
    return Scores(clock.parse(value.get("last_updated")), entries, broken)


def _entry(row: dict[str, Any]) -> Entry:
    """Return one entry; what a newer koog or another program wrote beside its keys stays. Raises for what is none."""
    values = _values(row)
    if tuple(map(type, values)) != TYPES:
        row = {**row, **dict(zip(KEYS, map(_as, values, TYPES), strict=True))}
    if row["status"] not in relevance.STATUSES:
        row = {**row, "status": row["status"].removeprefix("_")}  # moltbot §8.3 has `_archived`
    if row["status"] not in relevance.STATUSES or moment(row["last_accessed"]) is None:
        raise ValueError
    return cast("Entry", row)


def _as(value: object, kind: type) -> object:
    """Return a value of a kind; 1 is a number as 1.0 is. Raises TypeError."""
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise TypeError
    return value


def moment(told: str) -> datetime | None:
    """Return a moment that has a day in every zone, None for anything else; without a zone it is UTC."""
    try:
        found = datetime.fromisoformat(told)
    except ValueError:
        return None
    if not clock.FIRST_YEAR <= found.year <= clock.LAST_YEAR:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def render(entries: Mapping[str, Entry], now: datetime) -> str:
    """Return the file's text, in the order of the ids."""
    rows = {id_: entries[id_] for id_ in sorted(entries)}
    return jsonfiles.pretty({"version": VERSION, "last_updated": clock.iso(now), "entries": rows})


def counts(entries: Iterable[Entry]) -> dict[str, int]:
    """Return status → how many have it."""
    found = dict.fromkeys(relevance.STATUSES, 0)
    for each in entries:
        found[each["status"]] += 1
    return found


def some(file: Pieces, ids: Collection[str]) -> Scores | None:
    """Return of a file as koog writes it the entries of some ids, without reading the others; None for any other file.

    Its ids are in order: each is looked for by halves. What is not found may be there all the same where somebody has
    put it elsewhere: the log of accesses knows of it.
    """
    head = compiled(HEAD).match(file.read(0, HEAD_BYTES).decode("ascii", "replace"))
    if head is None:
        return None
    rows = _Rows(file, head.end())
    entries, broken = dict[str, Entry](), list[str]()
    for id_ in ids:
        row = rows.find(f"    {jsonfiles.line(id_)}: {{".encode())
        try:
            if row is not None:
                entries[id_] = _entry(jsonfiles.loads(row))
        except (KeyError, TypeError, ValueError):
            broken.append(f"the entry of {id_} is broken")
    return Scores(clock.parse(head[1]), entries, broken)


HEAD = r'\A\{\n  "version": 1,\n  "last_updated": "([^"\n]{1,40})",\n  "entries": \{\n'
HEAD_BYTES = 200
BEGIN, END = b'\n    "', b"\n    }"
PIECE, NEAR = 1024, 4096  # bytes: a few entries, and so many that they are read at once


class _Rows:
    """The entries of a file, each looked for by the line with which it begins. begin: where the first one does"""

    def __init__(self, file: Pieces, begin: int) -> None:
        self._file, self._begin = file, begin
        self._first = cache(self._first_from)  # most are looked for on the same way

    def find(self, wanted: bytes) -> bytes | None:
        """Return the JSON of the entry that begins with a line, None where there is none."""
        low, high = self._begin, self._file.size
        while high - low > NEAR:
            half = (low + high) // 2
            at, line = self._first(half)
            if at >= high or line > wanted:
                high = half
            else:
                low = at
        at = self._file.read(low - 1, high - low + 1 + len(wanted)).find(b"\n" + wanted)
        return None if at < 0 else self._entry(low + at + len(wanted) - 1)

    def _first_from(self, place: int) -> tuple[int, bytes]:
        """Return where the first entry begins from a place on, and its line; for none the end of the file."""
        size = PIECE
        while True:
            piece = self._file.read(place - 1, size)
            begins = piece.find(BEGIN)
            ends = piece.find(b"\n", begins + 1)
            if 0 <= begins < ends:
                return place + begins, piece[begins + 1 : ends]
            if len(piece) < size:
                return self._file.size, b""
            size *= 4

    def _entry(self, at: int) -> bytes:
        """Return the JSON that begins at a place, to the end of the file where nothing ends it."""
        size = PIECE
        while (piece := self._file.read(at, size)).find(END) < 0 and len(piece) == size:
            size *= 4
        return piece[: piece.find(END) + len(END)] if END in piece else piece


# --- the file and the logs


def load(tree: Tree, read: Read) -> Scores:
    """Return the file, nothing where there is none. Raises WorkspaceError for one that a newer koog has written."""
    path = tree.in_memory(FILE)
    text = read(path)
    return Scores(None, {}, []) if text is None else parse(text, path)


def unfolded(tree: Tree, read: Read) -> accesses.Log:
    """Return the lines that the file does not have yet."""
    return accesses.read(read(tree.in_memory(accesses.FILE)) or "")


def from_months(tree: Tree, read: Read, ids: Collection[str]) -> dict[str, Folded]:
    """Return what the months of the log say of some memories."""
    found = accesses.fold(_in_months(tree, read)) if ids else {}
    return {id_: found[id_] for id_ in ids if id_ in found}


def _in_months(tree: Tree, read: Read) -> Iterator[Access]:
    folder = tree.in_memory(accesses.FOLDER)
    for name in tree.names(folder, ".jsonl"):
        yield from accesses.read(read(f"{folder}/{name}") or "").accesses


def archived_by(tree: Tree, read: Read, why: Collection[str]) -> dict[str, str]:
    """Return the memories that somebody has archived for some reasons, and that still are, with their stores."""
    every = [*_in_months(tree, read), *unfolded(tree, read).accesses]
    last = accesses.fold(every)
    told = [jsonfiles.loads(each.raw) for each in every if each.op == accesses.ARCHIVE]
    return {row["id"]: str(row.get("store")) for row in told if row.get("why") in why and last[row["id"]].archived[1]}


def is_pinned(tree: Tree, read: Read, id_: str) -> bool:
    """Return whether the last word on an episode or a procedure, of which only the log knows, is that it is pinned."""
    since = accesses.fold(unfolded(tree, read).accesses).get(id_, NOTHING)
    if since.pinned[0]:
        return since.pinned[1]
    if entry := load(tree, read).entries.get(id_):
        return entry["pinned"]
    return from_months(tree, read, {id_}).get(id_, NOTHING).pinned[1]


def created(tree: Tree, read: Read, id_: str) -> str:
    """Return when a memory was written first, RFC 3339 in UTC; "" where neither the file nor the log knows."""
    since = accesses.fold(unfolded(tree, read).accesses).get(id_, NOTHING)
    entry = load(tree, read).entries.get(id_)
    return accesses.earliest(since.created, entry["created"] if entry else "")
