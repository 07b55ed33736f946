"""What is left of each memory now: its entry in the file, what was logged since, the time that has passed. No writing.

Days are the user's calendar days, as moltbot §9.1 has them, so that on one day every reader finds the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core.named import NamedTuple
from koog.memory.fading import accesses, decay_scores, relevance
from koog.memory.fading.accesses import NOTHING, Folded
from koog.memory.fading.decay_scores import Entry, Read, Scores, moment
from koog.memory.store.memories import CORE, SEMANTIC, VAULT, Memory

if TYPE_CHECKING:
    from koog.core.files.tree import Tree
    from koog.core.run import Run

TOLD = 3  # lines of one file that are no access, and are named
BASE = 1.0  # of what nobody has logged: a person wrote it
PINNED_IN_TEXT = (CORE, SEMANTIC, VAULT)  # stores whose files say themselves what is pinned


class Present(NamedTuple):
    """By what scores are reckoned: the moment, the user's zone, and the config."""

    now: datetime
    zone: tzinfo
    lambda_: float
    archive_below: float

    @classmethod
    def of(cls, run: Run) -> Present:
        settings = run.settings
        return cls(run.now, run.zone, settings.get("memory.decayLambda"), settings.get("memory.archiveBelow"))

    def day(self, at: datetime) -> int:
        """Return the number of the user's calendar day in which a moment lies."""
        return at.astimezone(self.zone).toordinal()

    def written(self, told: str) -> datetime | None:
        """Return the moment of a memory's own date; without a zone it is the user's."""
        try:
            found = datetime.fromisoformat(told) if "T" in told else datetime.combine(date.fromisoformat(told), time())
        except ValueError:
            return None
        return moment((found if found.tzinfo else found.replace(tzinfo=self.zone)).isoformat())


class Reckoned(NamedTuple):
    """What holds now, and what it was made of.

    entries    of all memories that there are
    known      the file that it goes on from
    log        what access.jsonl holds: none of it is in the file
    """

    entries: dict[str, Entry]
    known: Scores
    log: accesses.Log


def of_some(tree: Tree, memories: Sequence[Memory], by: Present) -> Reckoned:
    """Return what is left of a few memories of many, without reading what the file has of the others."""
    with tree.pieces(tree.in_memory(decay_scores.FILE)) as file:
        known = decay_scores.some(file, {each.id for each in memories}) if file else None
    return reckon(tree, memories, by, known=known)


def reckon(
    tree: Tree, memories: Sequence[Memory], by: Present, read: Read | None = None, *, known: Scores | None = None
) -> Reckoned:
    """Return what is left of each memory now. Raises WorkspaceError for a file that a newer koog has written.

    known   what the file has of them, where it has been read
    """
    text = read or tree.text
    known, log = known or decay_scores.load(tree, text), decay_scores.unfolded(tree, text)
    since = accesses.fold(log.accesses)
    earlier = decay_scores.from_months(tree, text, _missing(memories, known, since))
    entries, today = dict[str, Entry](), by.day(by.now)
    for memory in memories:
        id_, more = memory.id, since.get(memory.id, NOTHING)
        if id_ in earlier:
            more = accesses.joined(earlier[id_], more)
        old = known.entries.get(id_)
        if old is None:
            old = _begun(memory, more, by)
        elif more is not NOTHING:
            old = _gone_on(old, more)
        entries[id_] = _reckoned(memory, old, by, today)
    return Reckoned(entries, known, log)


def warnings(tree: Tree, found: Reckoned) -> list[str]:
    """Return what a person must be told of the file and the log."""
    path = tree.in_memory(accesses.FILE)
    told = [f"{each}; it is reckoned again from the log of accesses" for each in found.known.broken[:TOLD]]
    told += [f"{path} line {each.number}: {each.why}; it is kept" for each in found.log.foreign[:TOLD]]
    if more := max(len(found.known.broken) - TOLD, 0) + max(len(found.log.foreign) - TOLD, 0):
        told.append(f"and {more} more such lines in {tree.in_memory('meta/')}")
    return told


def _missing(memories: Sequence[Memory], known: Scores, since: Mapping[str, Folded]) -> set[str]:
    """Return the memories of which the file knows nothing, and not because they are new."""
    unknown = {memory.id for memory in memories if memory.id not in known.entries}
    if known.updated is None or known.broken:
        return unknown
    return {id_ for id_ in unknown if not (id_ in since and since[id_].created)}


def _begun(memory: Memory, told: Folded, by: Present) -> Entry:
    """Return a memory that the file does not have; what stood there before the log knew of it was written once more."""
    own, first = by.written(memory.at), clock.parse(told.created)
    if first is None or (own is not None and by.day(own) < by.day(first)):
        at = clock.iso(own or clock.parse(told.first) or by.now)
        told = accesses.joined(told, Folded(at, at, at, 1, BASE))
    return {
        "store": memory.store,
        "base_relevance": BASE if told.base is None else told.base,
        "created": told.created,
        "last_accessed": told.last,
        "access_count": told.times,
        "type_weight": relevance.WEIGHTS[memory.store],
        "current_score": _said(told, relevance.PINNED),
        "status": relevance.ACTIVE,
        "pinned": told.pinned[1],
    }


def _gone_on(old: Entry, more: Folded) -> Entry:
    """Return a memory that the file has, with what was logged since."""
    base = old["base_relevance"]
    return {
        **old,
        "base_relevance": base if more.base is None else max(base, more.base),
        "created": accesses.earliest(_utc(old["created"]), more.created),
        "last_accessed": max(_utc(old["last_accessed"]), more.last),
        "access_count": old["access_count"] + more.times,
        "current_score": _said(more, old["current_score"]),
        "pinned": more.pinned[1] if more.pinned[0] else old["pinned"],
    }


def _said(told: Folded, score: float) -> float:
    """Return FORGOTTEN or not, by the last word of somebody; a score by which nobody can tell where none was said."""
    if not told.archived[0]:
        return score
    return relevance.FORGOTTEN if told.archived[1] else relevance.PINNED


def _utc(told: str) -> str:
    """Return a moment as the log has it, so that one text is before another as their moments are."""
    found = clock.parse(told)
    return clock.iso(found) if found else told


def _reckoned(memory: Memory, entry: Entry, by: Present, today: int) -> Entry:
    """Return an entry with the score of today; of the one that it had only FORGOTTEN counts.

    today   the number of the user's day
    """
    store = memory.store
    pinned = memory.pinned or (entry["pinned"] and store not in PINNED_IN_TEXT)
    if entry["current_score"] == relevance.FORGOTTEN:
        score, status = relevance.FORGOTTEN, relevance.ARCHIVED
    elif pinned:
        score, status = relevance.PINNED, relevance.ACTIVE
    else:
        days = today - by.day(moment(entry["last_accessed"]) or by.now)
        count = entry["access_count"]
        score, status = _of_days(entry["base_relevance"], days, count, store, by.lambda_, by.archive_below)
    weight = relevance.WEIGHTS[store]
    made = entry.copy()
    made["store"], made["type_weight"], made["pinned"] = store, weight, pinned
    made["current_score"], made["status"] = score, status
    return made


@lru_cache(maxsize=1 << 16)  # most have been accessed once or twice, and what is of one day is worth the same
def _of_days(base: float, days: int, count: int, store: str, lambda_: float, archive_below: float) -> tuple[float, str]:
    score = relevance.score(base, days, count, store, lambda_)
    return score, relevance.status(score, archive_below)
