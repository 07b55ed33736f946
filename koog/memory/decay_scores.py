"""memory/meta/decay-scores.json: what is left of each memory, as `decay run` last reckoned it.  [moltbot §9.3]

It is derived from the stores and the log of accesses. Who reads takes both: the file, and the lines of access.jsonl,
which it does not have yet. What the file cannot tell any more (it was cut, an entry is broken, a memory is back that
was gone) is reckoned from the log and its months again.

A score of exactly 0.0 is somebody's word ("forget that") and stays; what time alone has worn is never quite 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles
from koog.memory import accesses, relevance
from koog.memory.accesses import NOTHING, Access, Folded
from koog.memory.memories import CORE, SEMANTIC, VAULT, Memory

if TYPE_CHECKING:
    from koog.core.files.tree import Tree
    from koog.core.run import Run

FILE = "meta/decay-scores.json"  # in the memory folder
VERSION = 1
TOLD = 3  # lines of one file that are no access, and are named
BASE = 1.0  # of what nobody has logged: a person wrote it
PINNED_IN_TEXT = (CORE, SEMANTIC, VAULT)  # stores whose files say themselves what is pinned

Read = Callable[[str], str | None]  # gives a file's text, as it is or as it is staged


class Entry(NamedTuple):
    """One memory as the file has it, key by key."""

    store: str
    base_relevance: float
    created: str
    last_accessed: str
    access_count: int
    type_weight: float
    current_score: float
    status: str
    pinned: bool


class Scores(NamedTuple):
    """A file as it was read.

    updated   when it was written; None where there is none, or it cannot be read
    broken    what is wrong with it, in words: those entries are not among the others
    """

    updated: datetime | None
    entries: dict[str, Entry]
    broken: list[str]


class Present(NamedTuple):
    """By what scores are reckoned: the moment, the user's day, and the config."""

    now: datetime
    zone: tzinfo
    lambda_: float
    archive_below: float

    @classmethod
    def of(cls, run: Run) -> Present:
        settings = run.settings
        return cls(run.now, run.zone, settings.get("memory.decayLambda"), settings.get("memory.archiveBelow"))

    def day(self, moment: datetime) -> int:
        """Return the number of the user's calendar day in which a moment lies."""
        return moment.astimezone(self.zone).toordinal()

    def moment(self, told: str) -> datetime | None:
        """Return the moment of a memory's own date; without a zone it is the user's."""
        try:
            found = datetime.fromisoformat(told) if "T" in told else datetime.combine(date.fromisoformat(told), time())
            return _moment((found if found.tzinfo else found.replace(tzinfo=self.zone)).isoformat())
        except ValueError:
            return None


class Standing(NamedTuple):
    """What holds now, and what it was made of.

    entries    of all memories that there are
    known      the file that it goes on from
    log        what access.jsonl holds: none of it is in the file
    """

    entries: dict[str, Entry]
    known: Scores
    log: accesses.Log


# --- the file


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
    """Return one entry. Raises KeyError, TypeError, ValueError for what is none."""
    found = Entry(*(row[key] for key in Entry._fields))
    texts = found.store, found.created, found.last_accessed, found.status
    numbers = found.base_relevance, found.type_weight, found.current_score
    is_whole = all(isinstance(each, str) for each in texts)
    is_whole = is_whole and all(isinstance(each, float | int) and not isinstance(each, bool) for each in numbers)
    is_whole = is_whole and type(found.access_count) is int and type(found.pinned) is bool
    if not is_whole:
        raise TypeError
    found = found._replace(status=found.status.removeprefix("_"))  # moltbot §8.3 has `_archived`
    if found.status not in relevance.STATUSES or _moment(found.last_accessed) is None:
        raise ValueError
    return found


def _moment(told: str) -> datetime | None:
    """Return a moment that has a day in every zone, None for anything else."""
    found = clock.parse(told)
    return found if found and clock.FIRST_YEAR <= found.year <= clock.LAST_YEAR else None


def render(entries: Mapping[str, Entry], now: datetime) -> str:
    """Return the file's text, in the order of the ids."""
    rows = {id_: entries[id_]._asdict() for id_ in sorted(entries)}
    return jsonfiles.pretty({"version": VERSION, "last_updated": clock.iso(now), "entries": rows})


# --- what holds now


def standing(tree: Tree, memories: Sequence[Memory], by: Present, read: Read | None = None) -> Standing:
    """Return what is left of each memory now: the file, what was logged since, and the time that has passed.

    Raises WorkspaceError for a file that a newer koog has written.
    """
    text = read or tree.text
    known, log = load(tree, text), opened(tree, text)
    since = accesses.fold(log.accesses)
    earlier = _from_months(tree, text, _missing(memories, known, since)) if memories else {}
    entries = {}
    for memory in memories:
        id_, old = memory.id, known.entries.get(memory.id)
        more = since.get(id_, NOTHING)
        more = accesses.joined(earlier[id_], more) if id_ in earlier else more
        entries[id_] = _reckoned(memory, _begun(memory, more, by) if old is None else _gone_on(old, more), by)
    return Standing(entries, known, log)


def load(tree: Tree, read: Read) -> Scores:
    """Return the file, nothing where there is none. Raises WorkspaceError for one that a newer koog has written."""
    path = tree.in_memory(FILE)
    text = read(path)
    return Scores(None, {}, []) if text is None else parse(text, path)


def opened(tree: Tree, read: Read) -> accesses.Log:
    """Return the lines that the file does not have yet."""
    return accesses.read(read(tree.in_memory(accesses.FILE)) or "")


def is_pinned(tree: Tree, read: Read, id_: str) -> bool:
    """Return whether the last word on an episode or a procedure, of which only the log knows, is that it is pinned."""
    since = accesses.fold(opened(tree, read).accesses).get(id_, NOTHING)
    if since.pinned[0]:
        return since.pinned[1]
    if entry := load(tree, read).entries.get(id_):
        return entry.pinned
    return _from_months(tree, read, {id_}).get(id_, NOTHING).pinned[1]


def warnings(tree: Tree, found: Standing) -> list[str]:
    """Return what a person must be told of the file and the log."""
    path = tree.in_memory(accesses.FILE)
    told = [f"{each}; it is reckoned again from the log of accesses" for each in found.known.broken[:TOLD]]
    told += [f"{path} line {each.number}: {each.why}; it is kept" for each in found.log.foreign[:TOLD]]
    if more := max(len(found.known.broken) - TOLD, 0) + max(len(found.log.foreign) - TOLD, 0):
        told.append(f"and {more} more such lines in {tree.in_memory('meta/')}")
    return told


def counts(entries: Iterable[Entry]) -> dict[str, int]:
    """Return status → how many have it."""
    found = dict.fromkeys(relevance.STATUSES, 0)
    for each in entries:
        found[each.status] += 1
    return found


def _missing(memories: Sequence[Memory], known: Scores, since: Mapping[str, Folded]) -> set[str]:
    """Return the memories of which the file knows nothing, and not because they are new."""
    unknown = {m.id for m in memories if m.id not in known.entries}
    if known.updated is None or known.broken:
        return unknown
    return {id_ for id_ in unknown if not (id_ in since and since[id_].created)}


def _from_months(tree: Tree, read: Read, ids: Collection[str]) -> dict[str, Folded]:
    """Return what the months' logs say of some memories."""
    if not ids:
        return {}
    found = accesses.fold(_in_months(tree, read))
    return {id_: found[id_] for id_ in ids if id_ in found}


def _in_months(tree: Tree, read: Read) -> Iterator[Access]:
    folder = tree.in_memory(accesses.FOLDER)
    for name in tree.names(folder, ".jsonl"):
        yield from accesses.read(read(f"{folder}/{name}") or "").accesses


class _Life(NamedTuple):
    """What a score is reckoned from."""

    base: float
    created: str
    last: str
    times: int
    pinned: bool
    forgotten: bool


def _begun(memory: Memory, told: Folded, by: Present) -> _Life:
    """Return a memory that the file does not have; what stood there before the log knew of it was written once more."""
    own = by.moment(memory.at)
    first = clock.parse(told.created)
    if first is None or (own is not None and by.day(own) < by.day(first)):
        at = clock.iso(own or clock.parse(told.first) or by.now)
        told = accesses.joined(told, Folded(at, at, at, 1, BASE))
    base = BASE if told.base is None else told.base
    return _Life(base, told.created, told.last, told.times, told.pinned[1], told.archived[1])


def _gone_on(old: Entry, more: Folded) -> _Life:
    """Return a memory that the file has, with what was logged since."""
    forgotten = more.archived[1] if more.archived[0] else old.current_score == relevance.FORGOTTEN
    pinned = more.pinned[1] if more.pinned[0] else old.pinned
    if more is NOTHING:
        return _Life(old.base_relevance, old.created, old.last_accessed, old.access_count, pinned, forgotten)
    base = old.base_relevance if more.base is None else max(old.base_relevance, more.base)
    created = accesses.earliest(_utc(old.created), more.created)
    last = max(_utc(old.last_accessed), more.last)
    return _Life(base, created, last, old.access_count + more.times, pinned, forgotten)


def _utc(told: str) -> str:
    """Return a moment as the log has it, so that one text is before another as their moments are."""
    found = clock.parse(told)
    return clock.iso(found) if found else told


def _reckoned(memory: Memory, life: _Life, by: Present) -> Entry:
    store = memory.store
    pinned = memory.pinned or (life.pinned and store not in PINNED_IN_TEXT)
    if life.forgotten:
        score = relevance.FORGOTTEN
    elif pinned:
        score = relevance.PINNED
    else:
        days = by.day(by.now) - by.day(clock.parse(life.last) or by.now)
        score = relevance.score(life.base, days, life.times, store, by.lambda_)
    status = relevance.status(score, by.archive_below)
    weight = relevance.WEIGHTS[store]
    return Entry(store, life.base, life.created, life.last, life.times, weight, score, status, pinned)
