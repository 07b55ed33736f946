"""Words that share a run of letters: what stands for a word that is found nowhere.  [issue 14]

    words     what is kept of a text for that
    may_be    whether a word can have others in its place
    akin      a word → those of the kept ones that share a run of its letters

German joins words ("Kellerabdichtung") and every language bends them; Korean hangs particles on them. No list knows
all of that, the letters do. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from koog.core.lazy_regex import compiled
from koog.core.text.words import HANGUL, PARTICLES, UNSPACED

LETTERS, SYLLABLES = 4, 2  # of the shortest run; a syllable of Hangul is one character
WHOLE, PART = 0.5, 0.6  # of the word that a run has, where the run is all of the other word, and where it is not
MOST = 6  # that stand for one word
LONGEST = 40  # letters of a word


def words(texts: Iterable[str]) -> Iterator[str]:
    """Yield the words of lower-case texts that others may be akin to.

    >>> sorted(words(["(kellertür,", "an", "언니가", "電話", "b2b"]))
    ['kellertür', '언니가']
    """
    for text in texts:
        for run in [text] if text.isalpha() and text.isascii() else compiled(rf"[^\W\d_{UNSPACED}]+").findall(text):
            if len(run) <= LONGEST and len(run) >= _shortest(run):
                yield run


def is_bound(word: str) -> bool:
    """Return whether a word is written together with what belongs to it: Korean is, whether it was found or not."""
    return not word.isascii() and compiled(f"[{HANGUL}]{{2}}").match(word) is not None


def may_be(word: str) -> bool:
    """Return whether a word is long enough, and of letters only."""
    return _shortest(word) <= len(word) <= LONGEST and word.isalpha() and not compiled(f"[{UNSPACED}]").search(word)


def akin(word: str, known: str) -> list[str]:
    """Return the words that have most of a word's letters in one run, with which one of the two begins or ends.

    known   words, each on a line

    >>> akin("abdichtung", "kellerabdichtung\\ndicht"), akin("dachziegel", "ziegel\\nregel"), akin("nation", "station")
    (['kellerabdichtung'], ['ziegel'], [])
    """
    if is_bound(word):
        word = compiled(PARTICLES).sub("", word)
    shortest = _shortest(word)
    found: dict[str, int] = {}
    text = f"\n{known}\n"
    size = max(shortest, round(PART * len(word)))
    for length in range(len(word), size - 1, -1):
        _take(found, text, f"\n{word[:length]}", length)
        _take(found, text, f"{word[:length]}\n", length)  # its own beginning, as the end of another
        for at in range(1, len(word) - length + 1):  # what is inside it, as the beginning of another
            _take(found, text, "\n" + word[at : at + length], length)
        if len(found) >= MOST:
            break
    for length in range(len(word) - 1, max(shortest, round(WHOLE * len(word))) - 1, -1):
        for part in {word[:length], word[-length:]}:
            if f"\n{part}\n" in text:
                found.setdefault(part, length)
    found.pop(word, None)
    return sorted(found, key=lambda other: (-found[other], len(other), other))[:MOST]


def _take(found: dict[str, int], text: str, run: str, length: int) -> None:
    """Note the words of a text, one a line, that have a run."""
    at = text.find(run)
    while at >= 0 and len(found) < MOST * MOST:
        begin, end = text.rfind("\n", 0, at + 1) + 1, text.index("\n", at + 1)
        found.setdefault(text[begin:end], length)
        at = text.find(run, end)


def _shortest(word: str) -> int:
    return LETTERS if word.isascii() or not compiled(f"[{HANGUL}]").match(word) else SYLLABLES
