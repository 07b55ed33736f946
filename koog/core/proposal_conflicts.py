"""Which proposals cannot stand beside one another.  Pure.  [moltbot §13.6]"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import islice

from koog.core import proposal_form as form
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.proposal_form import Entry

# Pairs that are compared in one step, the newest first: the lock is held meanwhile, and who appends a thousand by hand
# holds everybody up. What is committed is compared with all others once more (audit/pending.py).
MOST_PAIRS = 3_000
COMPARED_CHARS = 600  # of a content
TOLD_APART = ("contradicts", "supersedes")  # of compare's kinds: whose word counts has to be said by somebody


class Compared(NamedTuple):
    """A line as it is compared with others. of: whom it is about where it names nobody."""

    text: str
    of: str = ""


def found(entries: Sequence[Entry], numbers: Sequence[int], *, known: Set[int]) -> dict[int, set[int]]:
    """Return number → the numbers of those that say another thing of the same. known: those that were compared"""
    waiting = [(n, compared(e.content, e.entities)) for e, n in zip(entries, numbers, strict=True) if e.is_waiting]
    pairs: dict[int, set[int]] = {}
    here = {number for number, _ in waiting}
    for entry, number in zip(entries, numbers, strict=True):
        told = {int(each[1:]) for each in entry.others if compiled(r"#[0-9]{1,9}").fullmatch(each)}
        for other in told & here & known if number in here & known else ():
            pairs.setdefault(number, set()).add(other)
            pairs.setdefault(other, set()).add(number)
    if len(waiting) < 2 or here <= known:
        return pairs
    fresh = (
        (a, older, b, newer)
        for j, (b, newer) in reversed([*enumerate(waiting)])
        for a, older in reversed(waiting[:j])
        if not (a in known and b in known)
    )
    for a, older, b, newer in islice(fresh, MOST_PAIRS):
        if differ(older, newer):
            pairs.setdefault(a, set()).add(b)
            pairs.setdefault(b, set()).add(a)
    return pairs


def compared(content: str, entities: Sequence[str]) -> Compared:
    """Return a proposal's words as they are compared; `person--ana-ruiz` is Ana Ruiz."""
    named = entities[0].rpartition("--")[2].replace("-", " ").title() if entities else ""
    return Compared(form.key(content), named)


def differ(older: Compared, newer: Compared) -> bool:
    """Return whether two lines cannot both hold: as if one voice said both, for a new value then takes the old's place.

    >>> differ(Compared("Project deadline is March 15"), Compared("Project deadline is March 30"))
    True
    >>> differ(Compared("Ana works at Lumen"), Compared("Has started at Nine", of="Ana"))
    True
    """
    from koog.core.text.compare import compare
    from koog.core.text.slots import are_apart

    a, b = (each.text[:COMPARED_CHARS] for each in (older, newer))
    return compare(a, b).kind in TOLD_APART or are_apart(a, b, of=(older.of, newer.of))
