"""What the writing of a word tells of names: where one ends, and that there is one though none was seen. Pure.

A code ("CM-700d", "srv-paris-07") is one word to whoever reads it, though the tagger sees pieces; what is written as no
word of a language is ("pgBackRest", "NAS", "HR-480") names something; what a path consists of names nobody, nor does a
verb that begins its sentence, where everything has a capital ("Researching flights now").
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

from koog.core.lazy_regex import WIDE, compiled, for_text
from koog.core.text.of_self import CALLS
from koog.memory.names.tagger import ENDS, Piece, Span
from koog.search import irregular
from koog.sessions.person import is_ordinary

WORD = rf"[^\s,;:!?()\[\]\"“”„«»'’`。，、：；！？（）「」{WIDE}]+"
PATH_CHARS = 200  # of a path that are looked at
PATH = r"[/~]\S|[^/]*/[^/]*/"
JOINTS = "-_"
JOINED = r"[A-ZÀ-Þ]\w+/[A-ZÀ-Þ]\w+"  # "Domat/Ems"
# Letters and figures, joined by a hyphen or behind a capital; a capital behind a small letter; capitals alone.
CODE = r"(?=\S*\d)[^\W\d_][^\W_]*(?:[-_]\S+|(?<=[A-ZÀ-Þ])\w+|(?<=[A-ZÀ-Þ]\d)\w*)"
INNER = r"[^\W\d_]*[a-zà-ÿ][A-ZÀ-Þ]\w*"
CAPITALS = r"[A-ZÀ-Þ]{3,}"  # not "PDFs": many of them are no one thing
VERB = r"\w{3,}ing"  # of what is being done; "Ming" and "Jing" are names
SHOUTED = 0.5  # of a text's letters are capitals: there they tell nothing


def spans(text: str, pieces: Sequence[Piece], seen: Sequence[Span]) -> list[Span]:
    """Return the names that were seen, each with all of its word, and those that their writing tells, in order."""
    starts = {piece.start: at for at, piece in enumerate(pieces)}
    ends = {piece.end: at + 1 for at, piece in enumerate(pieces)}
    waiting, found = deque(span for each in seen if (span := _ungreeted(text, pieces, each))), list[Span]()
    for match in for_text(WORD, text).finditer(text):
        word = match[0].rstrip(".-/")
        start, end = match.start(), match.start() + len(word)
        while waiting and pieces[waiting[0].end - 1].end <= start:
            found.append(waiting.popleft())
        within = list[Span]()
        while waiting and pieces[waiting[0].first].start < end:
            within.append(waiting.popleft())
        at = Span(starts.get(start, -1), ends.get(end, -1))
        if compiled(PATH).match(word):
            continue
        if -1 not in at and any(_is_cut(word, at, each, text[pieces[each.end - 1].start]) for each in within):
            within = [Span(min(at.first, within[0].first), max(at.end, within[-1].end))]
        elif -1 not in at and not within and _is_name(word, text):
            within = [at]
        waiting.extendleft(reversed(within))
    return [*found, *waiting]


def in_path(text: str, start: int) -> bool:
    """Return whether a place in a text is within a path or an address."""
    before = compiled(r"\S*\Z").search(text, max(0, start - PATH_CHARS), start)
    return bool(before and (word := for_text(WORD, text).match(text, before.start())) and compiled(PATH).match(word[0]))


def begins_as_verb(text: str, pieces: Sequence[Piece], span: Span) -> bool:
    """Return whether a name of one word begins its sentence and has the form of a verb, so that its capital tells
    nothing: "Researching flights now", "Went to the lake"; in "Drew wants the keys" another verb stands behind it.
    """
    first, end = span
    if end > first + 1 or (first and text[pieces[first - 1].start] not in ENDS):
        return False
    word = text[pieces[first].start : pieces[first].end].casefold()
    if compiled(VERB).fullmatch(word):
        return True
    behind = text[pieces[end].start : pieces[end].end] if end < len(pieces) else ""
    return bool(irregular.forms(word)) and not is_ordinary(word) and not behind.endswith("s")


def _ungreeted(text: str, pieces: Sequence[Piece], span: Span) -> Span | None:
    """Return a name without the greeting that was taken for its beginning: "Thanks Maria"; None for one alone."""
    if not compiled(CALLS, re.IGNORECASE).fullmatch(text, pieces[span.first].start, pieces[span.first].end):
        return span
    return Span(span.first + 1, span.end) if span.end > span.first + 1 else None


def _is_cut(word: str, whole: Span, seen: Span, last: str) -> bool:
    """Return whether a name is a piece of one word: of a code, or the hyphen at its end joins it with the rest."""
    is_part = seen.first > whole.first or seen.end < whole.end
    return is_part and (last in JOINTS or compiled(f"{CODE}|{JOINED}").fullmatch(word) is not None)


def _is_name(word: str, text: str) -> bool:
    """Return whether a word of a text is written as a name alone is."""
    if compiled(f"{CODE}|{INNER}").fullmatch(word):
        return True
    return compiled(CAPITALS).fullmatch(word) is not None and not _is_shouted(text) and not is_ordinary(word.lower())


def _is_shouted(text: str) -> bool:
    letters = [each for each in text if each.isalpha()]
    return sum(map(str.isupper, letters)) > SHOUTED * len(letters)
