"""When something came into the memory and when it went again: git's own search, and what it found read line by line.

git counts in which commits a file got more or fewer places with the words (`git log -S`); the lines there are then read
as the reader may be told them. Words that only went from one file to another, to the archive for instance, were moved.
Walked is the history that HEAD has gone through, so that what a branch brought is known since it was merged.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core.named import NamedTuple
from koog.knowledge.past.telling import Row, Telling, folded

if TYPE_CHECKING:
    from koog.audit.history import History, Made, Touch

LEARNED, GONE, MOVED = "learned", "gone", "moved"
SPECIAL = r"\.^$*+?()[]{}|"
LEFT_OUT = ("meta", "playbook-logs", "playbook-archive", "observation-backups")  # folders of memory/: no line of it


class Event(NamedTuple):
    """What one commit did to what is known.

    gained, lost   path and line, each as often as it is there more, or fewer times, than before
    """

    made: Made
    change: str
    gained: Sequence[tuple[str, Row]]
    lost: Sequence[tuple[str, Row]]

    @property
    def ts(self) -> str:
        return clock.iso(clock.of_epoch(self.made.seconds))

    @property
    def rows(self) -> Sequence[tuple[str, Row]]:
        return self.lost if self.change == GONE else self.gained


def events(past: History, telling: Telling, words: str, *, memory: str) -> list[Event]:
    """Return what became of some words, the oldest first. memory: the workspace's folder of that name"""
    prefix = past.git.prefix
    but = [f":(top,exclude,literal){prefix}{memory}/{name}" for name in LEFT_OUT]
    places = [f":(top,literal){prefix}" if prefix else ":(top)", *but]
    found = (_event(past, telling, made, folded(words)) for made in past.counting(pattern(words), *places))
    return [each for each in found if each is not None][::-1]


def pattern(words: str) -> str:
    """Return the words as git looks for them: in any case, broken over lines anywhere.

    >>> pattern("2.5  GB")
    '2\\\\.5[[:space:]]+GB'
    """
    return "[[:space:]]+".join("".join(map(_letter, word)) for word in words.split())


def _letter(letter: str) -> str:
    if letter.isascii():
        return f"\\{letter}" if letter in SPECIAL else letter
    # git folds the case of ASCII alone, and knows bytes, not letters.
    forms = {letter, letter.lower(), letter.upper()}
    forms |= {unicodedata.normalize(form, each) for form in ("NFC", "NFD") for each in forms}
    return f"({'|'.join(sorted(''.join(_plain(c) for c in each) for each in forms))})"


def _plain(letter: str) -> str:
    return f"\\{letter}" if letter in SPECIAL else letter


def holding(rows: Sequence[Row], wanted: str) -> list[Row]:
    """Return the lines with some words. wanted: folded"""
    return [row for row in rows if wanted in composed(row.words)]


def composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _event(past: History, telling: Telling, made: Made, wanted: str) -> Event | None:
    """Return what a commit did to some words, None where the reader is told of nothing."""
    gained, lost = list[tuple[str, Row]](), list[tuple[str, Row]]()
    for touch in made.touched:
        if telling.covers(touch.path):
            more, fewer = _changed(past, telling, touch, composed(wanted))
            gained += [(touch.path, row) for row in more]
            lost += [(touch.path, row) for row in fewer]
    if not gained and not lost:
        return None
    change = MOVED if len(gained) == len(lost) else LEARNED if len(gained) > len(lost) else GONE
    return Event(made, change, gained, lost)


def _changed(past: History, telling: Telling, touch: Touch, wanted: str) -> tuple[list[Row], list[Row]]:
    """Return the lines with the words that a file has more, and those that it has fewer, than before.

    A line that says something else around them has not learned them.
    """
    before = holding(telling.rows(touch.path, past.content(touch.before), titles=True), wanted)
    after = holding(telling.rows(touch.path, past.content(touch.after), titles=True), wanted)
    if len(before) == len(after):
        return [], []
    fewer, more = list(_beyond(before, after)), list(_beyond(after, before))
    extra = len(after) - len(before)
    return (more[-extra:], []) if extra > 0 else ([], fewer[extra:])


def _beyond(rows: Sequence[Row], others: Sequence[Row]) -> Iterator[Row]:
    """Yield the lines that are not among others, as often as they are there more times."""
    left = Counter(row.words for row in others)
    for row in rows:
        if left[row.words]:
            left[row.words] -= 1
        else:
            yield row
