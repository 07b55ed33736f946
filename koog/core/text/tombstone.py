"""Words that are to stay away, known again without being kept: keyed digests of runs of words. Pure.  [moltbot §8.3]

    mark       a text and a key → the mark that is kept of it: how many words it has, and two digests
    Marked     whether a text holds words of which there is a mark, and the text without them

What is looked for is the run of words itself, wherever it stands in a line: case, signs, emphasis and line breaks make
no difference. Of two words or fewer only a whole line or sentence that says no more counts, since they stand in others
that mean something else. Letters of a script without blanks are words of their own here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import sentences
from koog.core.text.words import LETTER

WORD = r"[^\W_]"
RUN = rf"({WORD}+)"
UNSEEN = r"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"  # soft hyphen, joiners, directions
BESIDE = rf"[\u0300-\u036f\u3099\u309a{UNSEEN}]"  # no letter of its own: an accent, as a decomposed text has it, too
ODD_RUN = rf"((?:{WORD}+|{BESIDE}+)+)"
ESCAPE = r"\\(?:[nrtbf]|u[0-9a-fA-F]{4})"  # of JSON
SLASHES = r"\\{1,8}"  # of JSON in JSON
ESCAPED_RUN = rf"{SLASHES}[nrtbf]|((?:{WORD}+|{BESIDE}+|{SLASHES}u[0-9a-fA-F]{{4}})+)"
ONE = rf"(?s:{SLASHES}u([0-9a-fA-F]{{4}})|.)"
MOST_SIGNS = 8  # of one letter: nobody writes more
ANCHOR = 3  # words by which the beginning of a run is found, so that long texts cost one digest a word
LEAST_UNSPACED = 5  # letters of a script without blanks that are looked for within a line
GAP = "[…]"
MOST_COVERED = 0.5  # of a row's words: with more of them gone the row says nothing
# What stands before the words of a line: a mark, a time, a day. They are none of what it says.
BEFORE = r"(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d)[:,]?\s+"


class Mark(NamedTuple):
    """What is kept of some words.

    size    how many there are
    anchor  the digest of the first of them
    whole   the digest of all
    """

    size: int
    anchor: str
    whole: str


class Word(NamedTuple):
    """One word as it is compared, and where it stands in its text."""

    said: str
    start: int
    end: int


def words(text: str, *, escaped: bool = False) -> list[Word]:
    """Return the words of a text as they are compared: an accent by itself and a soft hyphen make no difference.

    escaped   the text is JSON, or has some in it: `\\n` divides words, and `\\u00e9` is a letter

    >>> [word.said for word in words("Ana’s **Code**: ４２, 東京")]
    ['ana', 's', 'code', '42', '東', '京']
    >>> [word.said for word in words("one\\\\nJos\\\\u00e9", escaped=True)]
    ['one', 'josé']
    """
    found = list[Word]()
    is_odd = escaped or compiled(BESIDE).search(text)
    parts, pattern = (_letter_by_letter, ESCAPED_RUN if escaped else ODD_RUN) if is_odd else (_parts, RUN)
    for run in compiled(pattern).finditer(text):
        if run[0].isascii() and "\\" not in run[0]:
            found.append(Word(run[0].lower(), run.start(), run.end()))
        elif run[1]:
            found += parts(run[0], run.start())
    return found


def readings(text: str) -> list[list[Word]]:
    """Return the words of a text in each way in which it may be read."""
    is_escaped = "\\" in text and compiled(ESCAPE).search(text)
    return [words(text), *([words(text, escaped=True)] if is_escaped else [])]


def _parts(run: str, at: int) -> Iterator[Word]:
    """Yield the words of a run of letters: what no blank divides letter by letter."""
    last = 0
    for letter in compiled(LETTER).finditer(run):
        if letter.start() > last:
            yield Word(_folded(run[last : letter.start()]), at + last, at + letter.start())
        yield Word(_folded(letter[0]), at + letter.start(), at + letter.end())
        last = letter.end()
    if last < len(run):
        yield Word(_folded(run[last:]), at + last, at + len(run))


def _letter_by_letter(run: str, at: int) -> Iterator[Word]:
    """Yield the words of a run some of whose letters are written in several signs."""
    said, start = "", at
    for letter, first, end in _letters(run, at):
        is_word = compiled(LETTER).match(letter)
        if is_word or not compiled(WORD).match(letter):
            if said:
                yield Word(_folded(said), start, first)
            if is_word:
                yield Word(_folded(letter), first, end)
            said, start = "", end
        else:
            said += letter
    if said:
        yield Word(_folded(said), start, at + len(run))


def _letters(run: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Yield the letters of a run, each with its accents, and where it stands."""
    signs, start, end = list[str](), at, at
    for one in compiled(ONE).finditer(run):
        sign = chr(int(one[1], 16)) if one[1] else one[0]
        if signs and not compiled(BESIDE).match(sign):
            yield unicodedata.normalize("NFC", "".join(signs)), start, end
            signs, start = [], end
        end = at + one.end()
        if len(signs) < MOST_SIGNS and not compiled(f"[{UNSEEN}]").match(sign):
            signs.append(sign)
    if signs:
        yield unicodedata.normalize("NFC", "".join(signs)), start, end


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()


def mark(text: str, key: bytes) -> Mark | None:
    """Return the mark of a text's words, None for a text without any."""
    said = [word.said for word in words(bare(text))]
    return Mark(len(said), _digest(key, said[:ANCHOR]), _digest(key, said)) if said else None


def bare(text: str) -> str:
    """Return a line without the day or time that it begins with.

    >>> bare("2026-03-04: moved to Lübeck")
    'moved to Lübeck'
    """
    found = compiled(BEFORE).match(text)
    return text[found.end() :] if found else text


def reference(source: str) -> str:
    """Return the mark of where something was heard: without a key, since it names a session's entry and no words."""
    return blake2b(source.encode("utf-8", "replace"), digest_size=12).hexdigest()


def _digest(key: bytes, said: Sequence[str]) -> str:
    return blake2b("\0".join(said).encode("utf-8", "replace"), key=key, digest_size=12).hexdigest()


class Marked:
    """Some marks, looked for in texts.

    anywhere   a word or two count wherever they stand, not only where a line says no more: names
    """

    def __init__(self, marks: Iterable[Mark], key: bytes, *, anywhere: bool = False) -> None:
        self.key = key
        self.anywhere = anywhere
        self._within: dict[str, set[tuple[int, str]]] = {}
        self._alone: dict[int, set[str]] = {}
        for each in set(marks):
            self._alone.setdefault(each.size, set()).add(each.whole)
            if anywhere or each.size >= ANCHOR:
                self._within.setdefault(each.anchor, set()).add((each.size, each.whole))

    def __bool__(self) -> bool:
        return bool(self._alone)

    def holds(self, text: str) -> bool:
        """Return whether a text holds words of which there is a mark."""
        return bool(self) and next(self.spans(text), None) is not None

    def without(self, text: str, *, gap: str = GAP, most: float = MOST_COVERED) -> str:
        """Return a text without them: a row that says little else is empty then; no row is lost.

        gap   what stands in their place in a row that says more
        most  share of a row's words with which gone it says nothing
        """
        if not self or not (spans := joined(self.spans(text))):
            return text
        return "\n".join(_rows(text, spans, gap, most))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where they stand."""
        anchors = {min(size, ANCHOR) for found in self._within.values() for size, _ in found}
        for said in readings(text) if anchors else ():
            yield from self._runs(said, anchors)
        if not self.anywhere:
            yield from self._whole_pieces(text)

    def _runs(self, said: Sequence[Word], anchors: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield where runs of words stand of which there is a mark. anchors: by how many words they are found"""
        for at in range(len(said)):
            sizes = {
                each
                for length in anchors
                for each in self._within.get(_digest(self.key, [word.said for word in said[at : at + length]]), ())
            }
            for size, whole in sorted(sizes):
                run = said[at : at + size]
                is_it = len(run) == size and _digest(self.key, [word.said for word in run]) == whole
                if is_it and (self.anywhere or _is_long(run)):
                    yield run[0].start, run[-1].end

    def _whole_pieces(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the lines and sentences that say no more than a few words of which there is a mark."""
        short = {size for size in self._alone if size < max(ANCHOR, LEAST_UNSPACED)}
        if not short:
            return
        for start, end in _pieces(text):
            piece = words(bare(text[start:end]))
            if len(piece) in short and _digest(self.key, [w.said for w in piece]) in self._alone[len(piece)]:
                yield start, end


def _is_long(run: Sequence[Word]) -> bool:
    """Return whether a run says enough to be known by itself: three letters of Chinese are a word or two."""
    return len(run) >= LEAST_UNSPACED or not any(compiled(LETTER).match(word.said) for word in run)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the lines of a text and the sentences of a line stand, without what is no word of theirs."""
    at = 0
    for row in text.split("\n"):
        shown = compiled(r"<!--(?:(?!-->).)*-->").sub(lambda found: " " * len(found[0]), row)
        pieces = [(0, shown), *sentences.split(shown)]
        for start, piece in pieces:
            found = compiled(r"[\W_]*").match(piece)
            lead = found.end() if found else 0
            end = len(piece.rstrip())
            if lead < end:
                yield at + start + lead, at + start + end
        at += len(row) + 1


def joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in their order, those that meet as one."""
    found = list[tuple[int, int]]()
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _rows(text: str, spans: Sequence[tuple[int, int]], gap: str, most: float) -> Iterator[str]:
    at = 0
    for row in text.split("\n"):
        here = [(max(s - at, 0), min(e - at, len(row))) for s, e in spans if s < at + len(row) and e > at]
        at += len(row) + 1
        if not here:
            yield row
            continue
        left = row
        for start, end in reversed(here):
            left = left[:start] + gap + left[end:]
        total = len(words(compiled(r"<!--(?:(?!-->).)*-->").sub("", row)))
        gone = sum(len(words(row[start:end])) for start, end in here)
        yield "" if gone >= most * total else left
