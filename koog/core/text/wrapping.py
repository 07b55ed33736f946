"""Which rows of a paragraph are one thought that was wrapped, and which are thoughts of their own.  Pure.

People write one thought a line without an empty line between; editors and agents wrap one thought over many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from koog.core.lazy_regex import compiled
from koog.core.text.sentences import CJK, ends

NARROWEST = 40  # characters; who writes shorter rows does not wrap
NARROWEST_WIDE = 30  # of Chinese and Japanese, which are twice as wide
# A row that begins like this is no continuation: a word before a colon, a time, a tag, an arrow, a picture.
APART = (
    r"(?:\*\*)?(?:[\w.'’-]{1,30}(?: [\w.'’-]{1,30})?\** ?[:：](?=\s|\**\s|\Z)|[^*\n]{1,60}[:：]\*\*)|\d{1,2}:\d\d\b"
    r"|[\[→←⇒►▶☐☑\u2600-\u27bf\U0001f300-\U0001faff]"
)
# Words after which something must follow, so that a row that ends with one goes on.
DANGLING = frozenset(
    """
    a an the and or of to in on at by for from with as is are was were be that which who when if because than into our
    my your their its his her not every each
    der die das den dem des ein eine einen einem einer und oder von zu zum zur mit für auf im am bei nach als dass weil
    wenn nicht ist sind kein keine
    le la les un une des du de et ou à au aux en dans pour par sur avec que qui est sont ne pas chaque
    el los las una unos del al y o con por para sin sobre es son no cada
    """.split()
)


def width(rows: Iterable[str]) -> int:
    """Return at which width a text is wrapped, by rows that go on in lower case; 0 when none does."""
    most, before = 0, ""
    for row in rows:
        if before and row.lstrip()[:1].islower() and len(before) >= NARROWEST and not ends(before):
            most = max(most, len(before))
        before = row.rstrip()
    return most


def thoughts(rows: Sequence[str], *, width: int = 0) -> Iterator[tuple[int, int]]:
    """Yield (first row, row behind the last) of each thought of a paragraph.

    width   at which the whole text is wrapped, 0 when unknown

    >>> list(thoughts(["We deploy on Fridays", "Fatima signs off", "and then we wait, but", "Only an hour"]))
    [(0, 1), (1, 3), (3, 4)]
    """
    start, longest = 0, max(map(len, rows), default=0)
    for at in range(1, len(rows)):
        if not _goes_on(rows, start, at, width=width, longest=longest):
            yield start, at
            start = at
    if rows:
        yield start, len(rows)


def joined(rows: Sequence[str]) -> str:
    """Return the rows as one; between Chinese or Japanese letters no blank is put."""
    text = ""
    for row in rows:
        words = row.strip().removesuffix("\\")
        wide = text and words and compiled(f"[{CJK}，、。]").match(text[-1]) and compiled(f"[{CJK}]").match(words)
        text = words if not text else f"{text}{'' if wide else ' '}{words}"
    return text


def _goes_on(rows: Sequence[str], start: int, at: int, *, width: int, longest: int) -> bool:
    """Return whether a row goes on with the thought of the one before it."""
    before, row = rows[at - 1].rstrip(), rows[at].strip()
    last, first = before[-1:], row[:1]
    if rows[at - 1].endswith(("  ", "\\")) or ends(before) or last in ":;：；" or compiled(APART).match(row):
        return False
    if last in ",，、(/" or before.rpartition(" ")[2].lower() in DANGLING:
        return True
    if compiled(f"[{CJK}]").match(first):
        return len(before) >= max(NARROWEST_WIDE, longest - 2)
    room = len(before) + 1 + len(row.partition(" ")[0])
    if first.islower():
        deeper = rows[at][:1].isspace() and not rows[start][:1].isspace()  # below a bullet's words
        return deeper or not rows[start].lstrip()[:1].islower() or room > max(longest, NARROWEST)
    return bool(width) and room > width
