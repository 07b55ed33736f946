"""What was done to a log: its lines beside the records of the chain. Data in, data out.  [design §4]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from koog.core.files.chain import Record
from koog.core.named import NamedTuple

EDIT, FORGED, DELETION, INSERTION = "edit", "forged", "deletion", "insertion"
DUPLICATION, REORDER, TRUNCATION = "duplication", "reorder", "truncation"
CLOSELY = 2_000  # lines that differ; more are only counted: matching them costs their square


class Found(NamedTuple):
    """One thing that was done. number: of the first record that it concerns; lines: how many."""

    kind: str
    number: int
    lines: int


class Compared(NamedTuple):
    """What was done to the log, in the order of the numbers, and how many lines stand behind its last record."""

    found: list[Found]
    unsealed: int


def compare(records: Sequence[Record], marks: Sequence[str], rest: Callable[[int], str]) -> Compared:
    """Return what was done to a log.

    records  of the lines as koog left them
    marks    the keyed digests of the lines as they stand
    rest     gives a standing line's digest without actor and approval
    """
    size, most = 0, min(len(records), len(marks))
    while size < most and records[size].line == marks[size]:
        size += 1
    if size == len(records):
        return Compared([], len(marks) - size)
    end = 0
    while end < most - size and records[-1 - end].line == marks[-1 - end]:
        end += 1
    gone, come = range(size, len(records) - end), range(size, len(marks) - end)
    if min(len(gone), len(come)) > CLOSELY:
        return Compared([_coarse(records, marks, gone, come)], 0)
    return _closely(records, marks, gone, come, rest)


def _coarse(records: Sequence[Record], marks: Sequence[str], gone: range, come: range) -> Found:
    is_same = Counter(records[i].line for i in gone) == Counter(marks[i] for i in come)
    return Found(REORDER if is_same else EDIT, records[gone[0]].number, len(gone))


def _closely(
    records: Sequence[Record], marks: Sequence[str], gone: range, come: range, rest: Callable[[int], str]
) -> Compared:
    parts = SequenceMatcher(None, [records[i].line for i in gone], [marks[j] for j in come], autojunk=False)
    lost, added, pairs = list[int](), list[int](), dict[int, int]()
    before: dict[int, int] = {}  # a line that came → the record that it stands before, or in the place of
    for tag, a, b, c, d in parts.get_opcodes():
        if tag == "equal":
            continue
        lost += [gone.start + i for i in range(a, b)]
        added += [come.start + j for j in range(c, d)]
        pairs |= {come.start + j: gone.start + i for i, j in zip(range(a, b), range(c, d), strict=False)}
        before |= {come.start + j: gone.start + min(a + j - c, b) for j in range(c, d)}

    kinds: dict[str, list[int]] = {}

    def say(kind: str, at: int) -> None:
        kinds.setdefault(kind, []).append(records[min(at, len(records) - 1)].number)

    for line, record in _moved(records, marks, lost, added):
        say(REORDER, min(record, before[line]))
        lost.remove(record)
        added.remove(line)
    known, waiting = {record.line for record in records}, set(lost)
    for line in [*added]:
        if (record := pairs.get(line, -1)) in waiting:
            same = rest(line) == records[record].rest
            say(DUPLICATION if marks[line] in known else FORGED if same else EDIT, record)
            waiting.discard(record)
            added.remove(line)
    ending = _ending(waiting, len(records))
    for record in sorted(waiting):
        say(TRUNCATION if record in ending else DELETION, record)
    behind = [line for line in added if before[line] >= len(records)]
    for line in added:
        if line not in behind:
            say(DUPLICATION if marks[line] in known else INSERTION, before[line])
    found = [Found(kind, min(numbers), len(numbers)) for kind, numbers in kinds.items()]
    return Compared(sorted(found, key=lambda one: one.number), len(behind))


def _moved(
    records: Sequence[Record], marks: Sequence[str], lost: Sequence[int], added: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the lines that stand elsewhere than koog left them: (line, record)."""
    places: dict[str, list[int]] = {}
    for record in reversed(lost):
        places.setdefault(records[record].line, []).append(record)
    return [(line, places[marks[line]].pop()) for line in added if places.get(marks[line])]


def _ending(lost: set[int], size: int) -> set[int]:
    """Return those that are the last ones, without a gap."""
    found: set[int] = set()
    while size - 1 - len(found) in lost:
        found.add(size - 1 - len(found))
    return found
