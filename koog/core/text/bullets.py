"""One line of a list: its mark, its checkbox, its words. The one reader of bullets.  [design §4 "one reading"]

Marks: - * + • and their like, `1.` and `1)`, and in Chinese and Japanese ・ and `1、`, which need no blank behind them.
"""

from __future__ import annotations

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

# Every row of every note is tried against this when the index is built, so it is the shortest that is right.
MARKS = r"(?:[-*+•‣◦▪]|[0-9]{1,3}[.)])(?=[ \t\u00a0\u3000])|・|[0-9]{1,2}、"
# "30. November" at the beginning of a row is a date that was wrapped; a row of marks alone is a rule.
NO_ITEM = (
    r"[-*+•‣◦▪_\s]*\Z|(?<=\d\.\s)(?:Jan|Feb|März|Apr(?:il|\.)|Mai|Jun[i.]|Jul[i.]|Aug(?:ust|\.)|Sep|Okt|Nov|Dez)\w*\b"
)
ROW = (
    rf"(?P<lead>(?P<indent>\s*+)(?P<mark>{MARKS})\s*+(?:\[(?P<box>[ xX])\][ \t]++(?=\S))?+)"
    rf"(?!{NO_ITEM})(?P<text>\S[^\n]*)"
)


class Bullet(NamedTuple):
    """A row that is an item of a list: `lead + text` is the row as it was written, without its line end.

    mark   -, *, 1., 2) …
    box    " ", "x" or "X" of a checkbox, None without one
    lead   all that stands before the words
    """

    indent: str
    mark: str
    box: str | None
    text: str
    lead: str

    @property
    def is_done(self) -> bool:
        return self.box is not None and self.box in "xX"

    @property
    def column(self) -> int:
        """Return at which column the mark stands."""
        return len(self.indent.expandtabs(4))


def parse(row: str) -> Bullet | None:
    """Return the item that a row is, None for any other.

    >>> parse("  2) [x] Rotate the keys")
    Bullet(indent='  ', mark='2)', box='x', text='Rotate the keys', lead='  2) [x] ')
    >>> parse("2026 was good"), parse("* * *"), parse("30. November 2026")
    (None, None, None)
    """
    found = compiled(ROW).match(row)
    return Bullet(found["indent"], found["mark"], found["box"], found["text"], found["lead"]) if found else None
