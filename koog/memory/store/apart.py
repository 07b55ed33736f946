"""A bullet with others below it that were said in other places: each is one of its own. Pure.  [design §7]

Whoever may be told the one may not be told the other. What has no label goes on with what it stands below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from koog.core.text import bullets
from koog.sessions import labels

LABEL = "dc:"  # stands in every row that says where it was said


def by_label(rows: Sequence[str], found: Iterable[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield words, row and the row behind it of each bullet, with what goes on with it.

    found   the rows of a bullet and of those below it, each with the row behind it

    >>> rows = ["- a", "  - b <!-- dc:project=/srv/app -->", "    - c", "  - d"]
    >>> [words for words, _, _ in by_label(rows, [(n, n + 1) for n in range(4)])]
    ['a - d', 'b <!-- dc:project=/srv/app --> - c']
    """
    made = list[tuple[labels.Label, list[str], int, int]]()
    above = list[tuple[int, int]]()  # column and number of the bullets that one stands below
    for row, stop in found:
        bullet = bullets.parse(rows[row])
        if bullet is None:
            continue
        while above and above[-1][0] >= bullet.column:
            above.pop()
        said = [each.strip() for each in rows[row:stop]]
        own = next((label for each in said if (label := labels.of_line(each)) != labels.NONE), None)
        at = above[-1][1] if above else len(made)
        if at == len(made) or (own is not None and own != made[at][0]):
            at = len(made)
            made.append((own or labels.NONE, [bullet.text.strip(), *said[1:]], row, stop))
        else:
            label, words, first, _ = made[at]
            made[at] = (label, [*words, *said], first, stop)
        above.append((bullet.column, at))
    for _, words, first, stop in made:
        yield " ".join(filter(None, words)), first, stop
