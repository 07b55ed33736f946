"""What two states of the memory have differently: lines learned, gone, changed, moved; in words and as a diff.

A line that says the same in another file was moved. One that took another's place was changed, and what it said before
stands beside it: by its source, its day and where it stands, whatever it says, or by what `compare` says of the two.
What a week or a month tells of the journal was only carried over: it counts as moved.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from difflib import unified_diff

from koog.core.named import NamedTuple
from koog.core.text import compare
from koog.core.text.says import says
from koog.knowledge import layout
from koog.knowledge.condensing import digests
from koog.knowledge.past.learning import GONE, LEARNED, MOVED
from koog.knowledge.past.telling import Row
from koog.knowledge.pruning import shelf

CHANGED = "changed"
MOST_COMPARED = 600  # lines of each side: beyond it nobody reads which became which
BECAME = (compare.SUPERSEDES, compare.ADDS, compare.CONTRADICTS, compare.SAME)
CONTEXT = 2  # lines around a change of a diff


class Turned(NamedTuple):
    """One line that is otherwise.

    path   where it stands, of one that is gone where it stood
    was    what it said before; came: the file that it stood in
    """

    change: str
    path: str
    row: Row
    was: str = ""
    came: str = ""


class Sides(NamedTuple):
    """The lines of one file before and after."""

    path: str
    before: Sequence[Row]
    after: Sequence[Row]


def turned(files: Sequence[Sides]) -> list[Turned]:
    """Return what is otherwise, file by file; `carried` says what of it was no news."""
    lost, gained = _apart(files)
    found, lost, gained = _moved(lost, gained)
    became = _became(lost, gained)
    taken = {id(lost[i][1]) for i, _ in became}
    of = {j: lost[i][1].text for i, j in became}
    for n, (path, row) in enumerate(gained):
        found.append(Turned(CHANGED, path, row, was=of[n]) if n in of else Turned(LEARNED, path, row))
    found += [Turned(GONE, path, row) for path, row in lost if id(row) not in taken]
    order = {side.path: n for n, side in enumerate(files)}
    return sorted(found, key=lambda each: (order[each.path], each.row.number))


def is_digest(path: str) -> bool:
    """Return whether a file is that of a week or a month, in its place or put away.

    >>> is_digest("archive/journal/weekly/2026-W07.md"), is_digest("knowledge/journal/2026-02-16.md")
    (True, False)
    """
    return is_journal(path) and path.split("/")[-2] in (digests.WEEKLY, digests.MONTHLY)


def is_journal(path: str) -> bool:
    return path.startswith((f"{layout.ROOT}/{layout.JOURNAL}/", f"{shelf.ARCHIVE}/{layout.JOURNAL}/"))


def may_be_carried(each: Turned) -> bool:
    """Return whether a line is new in a week or a month, and made of what was said in a session."""
    return each.change == LEARNED and each.row.source is not None and is_digest(each.path)


def carried(found: Sequence[Turned], stood: Mapping[str, str]) -> list[Turned]:
    """Return what is otherwise, without calling learned what a week or a month tells again.

    stood   source → the file of the journal that had it
    """
    told = list[Turned]()
    for each in found:
        sources = (each.row.source or "").split(";")
        is_known = may_be_carried(each) and all(source in stood for source in sources)
        told.append(each._replace(change=MOVED, came=stood[sources[0]]) if is_known else each)
    return told


Placed = tuple[str, Row]


def _apart(files: Sequence[Sides]) -> tuple[list[Placed], list[Placed]]:
    """Return the lines that a file has no longer, and those that it has more than before."""
    lost, gained = list[Placed](), list[Placed]()
    for side in files:
        before, after = Counter(r.words for r in side.before), Counter(r.words for r in side.after)
        lost += [(side.path, row) for row in _more(side.before, before - after)]
        gained += [(side.path, row) for row in _more(side.after, after - before)]
    return lost, gained


def _more(rows: Sequence[Row], left: Counter[str]) -> list[Row]:
    found = []
    for row in reversed(rows):  # a line that was there before is the one further up
        if left[row.words] > 0:
            left[row.words] -= 1
            found.append(row)
    return found[::-1]


def _moved(lost: list[Placed], gained: list[Placed]) -> tuple[list[Turned], list[Placed], list[Placed]]:
    """Return what was moved, and what is left of both."""
    at: dict[str, list[Placed]] = defaultdict(list)
    for each in lost:
        at[each[1].words].append(each)
    found, rest, gone = list[Turned](), list[Placed](), set[int]()
    for path, row in gained:
        if before := at[row.words]:
            came, old = before.pop(0)
            gone.add(id(old))
            found.append(Turned(MOVED, path, row, came=came))
        else:
            rest.append((path, row))
    return found, [each for each in lost if id(each[1]) not in gone], rest


def _became(lost: Sequence[Placed], gained: Sequence[Placed]) -> list[tuple[int, int]]:
    """Return which lost line has become which gained one, each at most once.

    Those come first of which `compare` is surest; of the others one that is the only lost line of its source, and the
    only one that came of it, where the two have anything in common.
    """
    if not (0 < len(lost) <= MOST_COMPARED and 0 < len(gained) <= MOST_COMPARED):
        return []
    texts = [row.text for _, row in (*lost, *gained)]
    sure = dict[tuple[int, int], float]()
    for a, b in compare.candidates(texts):
        i, j = min(a, b), max(a, b) - len(lost)
        if i >= len(lost) or j < 0:
            continue
        relation = compare.compare(lost[i][1].text, gained[j][1].text)
        if relation.kind in BECAME:
            sure[i, j] = relation.sure
    of = defaultdict[Origin, list[int]](list)
    for i, placed in enumerate(lost):
        of[_origin(placed)].append(i)
    new = defaultdict[Origin, list[int]](list)
    for j, placed in enumerate(gained):
        new[_origin(placed)].append(j)
    alone = (
        (olds[0], new[each][0]) for each, olds in of.items() if len(olds) == len(new.get(each, ())) == 1 and each[2]
    )
    same = {(i, j) for i, j in alone if says(lost[i][1].text).ideas & says(gained[j][1].text).ideas}
    pairs = [
        ((i, j) not in sure, lost[i][0] != gained[j][0], -sure.get((i, j), 0.0), i, j) for i, j in same | sure.keys()
    ]
    found, olds, news = list[tuple[int, int]](), set[int](), set[int]()
    for *_, i, j in sorted(pairs):
        if i not in olds and j not in news:
            olds.add(i)
            news.add(j)
            found.append((i, j))
    return found


Origin = tuple[str, str, str | None, str]


def _origin(placed: Placed) -> Origin:
    """Return by what a line is the same one, whatever it says: file, section, source and day."""
    path, row = placed
    return path, row.section, row.source, row.day


# --- told


def counted(found: Sequence[Turned]) -> dict[str, int]:
    """Return how many lines were learned, changed, moved, and are gone."""
    many = Counter(each.change for each in found)
    return {change: many[change] for change in (LEARNED, CHANGED, MOVED, GONE)}


def in_words(counts: Mapping[str, int], files: int) -> str:
    """Return what has changed, as a sentence.

    >>> in_words({"learned": 2, "changed": 1, "moved": 0, "gone": 0}, 1)
    '2 lines learned, 1 changed, in 1 file'
    """
    told = [(counts[change], change) for change in (LEARNED, CHANGED, MOVED, GONE) if counts[change]]
    if not told:
        return "nothing that the memory knows has changed"
    first, *rest = told
    lines = "line" if first[0] == 1 else "lines"
    parts = [f"{first[0]} {lines} {first[1]}", *(f"{many} {change}" for many, change in rest)]
    return f"{', '.join(parts)}, in {files} {'file' if files == 1 else 'files'}"


def diff(path: str, before: str, after: str) -> str:
    """Return a unified diff of one file's text as it is told; "" where nothing of it differs."""
    rows = unified_diff(before.splitlines(), after.splitlines(), f"a/{path}", f"b/{path}", n=CONTEXT, lineterm="")
    return "\n".join(rows)
