"""memory/meta/access.jsonl: when each memory was written and spoken of; a log that only grows.  [moltbot §9.3, §9.4]

    {"ts":"2026-02-02T14:30:00Z","id":"episode:2026-02-02:14:30","op":"write","store":"episodic","base":1.0,"why":"remember"}

It is the truth about accesses, of which decay-scores.json is made. Lines may stand in any order, and those of two
clones that were merged may be mixed: how they are folded does not depend on it. `decay run` moves the lines that it has
folded to memory/meta/access/YYYY-MM.jsonl: those that stand in access.jsonl are those that the scores do not have yet.
Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from koog.core import clock
from koog.core.files import jsonfiles
from koog.core.named import NamedTuple

FILE, FOLDER = "meta/access.jsonl", "meta/access"  # in the memory folder; a file a month in the folder
WRITE, ACCESS, PIN, UNPIN, ARCHIVE, RESTORE = OPS = ("write", "access", "pin", "unpin", "archive", "restore")
COUNTED = (WRITE, ACCESS)
REVIVING = (WRITE, PIN, RESTORE)  # brings back what was archived by hand; being linked with does not
ID_CHARS = 300


class Access(NamedTuple):
    """One line. at: RFC 3339 in UTC, to the second; base: of a write; raw: the line as it stands there."""

    at: str
    id: str
    op: str
    base: float | None
    raw: str

    @property
    def month(self) -> str:
        return self.at[:7]


class Foreign(NamedTuple):
    """One line that is no access, and why. number: from 1."""

    number: int
    why: str


class Log(NamedTuple):
    """What a log says, and the lines in it that koog does not understand."""

    accesses: list[Access]
    foreign: list[Foreign]


class Folded(NamedTuple):
    """What some lines say of one memory, whatever order they stand in.

    created   of the earliest write, "" for none
    first     of the earliest line
    last      of the latest line that is no archiving
    times     how many writes and accesses there are
    base      the highest of the writes
    pinned    the last word on whether it is pinned, with its moment; ("", False) for none
    archived  the last word on whether somebody has archived it, as well
    """

    created: str = ""
    first: str = ""
    last: str = ""
    times: int = 0
    base: float | None = None
    pinned: tuple[str, bool] = ("", False)
    archived: tuple[str, bool] = ("", False)


NOTHING = Folded()


def line(at: str, id_: str, *, op: str, store: str, base: float | None = None, why: str) -> str:
    """Return one access as it is written, with its line end.

    at     RFC 3339 in UTC
    base   of a write: the first relevance, 0 to 1
    why    remember, observe, explicit, linked, consolidated, used
    """
    value: dict[str, object] = {"ts": at, "id": id_, "op": op, "store": store}
    if base is not None:
        value["base"] = base
    return jsonfiles.line({**value, "why": why}) + "\n"


def read(text: str) -> Log:
    """Return a log's lines; one that was cut, or that another program wrote, is told and stays where it is."""
    log = Log([], [])
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            log.accesses.append(_access(row))
        except ValueError as e:
            log.foreign.append(Foreign(number, str(e)))
    return log


def _access(row: str) -> Access:
    """Return one line's access. Raises ValueError for what is none."""
    try:
        value = jsonfiles.loads(row)
    except ValueError:
        raise ValueError("no JSON; was it cut off?") from None
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    at, id_, op, base = clock.parse(value.get("ts")), value.get("id"), value.get("op"), value.get("base")
    if at is None or not clock.FIRST_YEAR <= at.year <= clock.LAST_YEAR:
        raise ValueError('"ts" is no time')
    if not isinstance(id_, str) or not 0 < len(id_) <= ID_CHARS:
        raise ValueError('"id" is no id')
    if op not in OPS:
        raise ValueError('"op" is none of ' + ", ".join(OPS))
    is_number = isinstance(base, int | float) and not isinstance(base, bool)
    if base is not None and not (is_number and 0 <= base <= 1):
        raise ValueError('"base" is no number from 0 to 1')
    return Access(clock.iso(at), id_, op, base if op == WRITE else None, row)


def fold(accesses: Iterable[Access]) -> dict[str, Folded]:
    """Return what lines say of each memory; of a fact its writes and accesses are those of its entity."""
    found = dict[str, Folded]()
    for each in accesses:
        id_ = each.id
        if id_.startswith("fact:"):
            if each.op not in COUNTED:
                continue  # of one line, and not of all that is known of somebody
            id_ = f"entity:{id_[5:].rpartition(':')[0]}"
        found[id_] = joined(found.get(id_, NOTHING), _one(each))
    return found


def _one(each: Access) -> Folded:
    at, op = each.at, each.op
    return Folded(
        created=at if op == WRITE else "",
        first=at,
        last=at if op != ARCHIVE else "",
        times=int(op in COUNTED),
        base=each.base,
        pinned=(at, op == PIN) if op in (PIN, UNPIN) else ("", False),
        archived=(at, op == ARCHIVE) if op == ARCHIVE or op in REVIVING else ("", False),
    )


def joined(one: Folded, other: Folded) -> Folded:
    """Return what both say together, in whatever order they are taken."""
    bases = [base for base in (one.base, other.base) if base is not None]
    return Folded(
        earliest(one.created, other.created),
        earliest(one.first, other.first),
        max(one.last, other.last),
        one.times + other.times,
        max(bases, default=None),
        max(one.pinned, other.pinned),
        max(one.archived, other.archived),
    )


def earliest(*moments: str) -> str:
    """Return the first of some moments, of which "" is none."""
    return min(filter(None, moments), default="")


def by_month(accesses: Iterable[Access]) -> dict[str, str]:
    """Return month → the lines of its file."""
    found: dict[str, list[str]] = {}
    for each in accesses:
        found.setdefault(each.month, []).append(f"{each.raw}\n")
    return {month: "".join(rows) for month, rows in sorted(found.items())}


def without(text: str, gone: Iterable[Access]) -> str:
    """Return a log without lines that lie elsewhere now; what was appended meanwhile, and what is none, stays."""
    left = Counter(each.raw for each in gone)
    rows = []
    for row in text.split("\n"):
        if left[row] > 0:
            left[row] -= 1
        else:
            rows.append(row)
    return "\n".join(rows).lstrip("\n") if any(row.strip() for row in rows) else ""
