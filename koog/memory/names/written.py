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
from koog.core.text.speaker import TITLES
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
# What begins a sentence before a name and is none: "Sadly Rex died", "Woah, nice!".
CRIES = (
    r"(?:wh?oa+h?|wow|ugh|ouch|oops|yikes|hooray|hurray|yay|phew|huh|hm+|argh|damn|gosh|jee?z|blimey|alas|uff|puh|hurra"
    r"|juhu|mist|verdammt|vaya|ostras|uf|ay|zut|mince|ouf|youpi|hélas)"
)
ADVERBS = (
    r"(?:well|so|now|then|maybe|perhaps|yesterday|today|tomorrow|tonight|anyway|still|also|but|and|because|when|since"
    r"|luckily|thankfully|fortunately|hopefully|leider|vielleicht|gestern|heute|morgen|dann|also|aber|weil|quizás?|ayer|hoy|mañana|entonces|pero|hier"
    r"|peut-être|aujourd'hui|demain|alors|mais)"
)
MADE = (("ily", "y"), ("ally", ""), ("ally", "al"), ("edly", "ed"), ("ently", "ent"), ("antly", "ant"))
ROOT = 4  # letters of the word that an adverb is made of
ASKS = r"(?:will|can|did|does|has|is|was|should|would|could)"
# First names that are also words of their own: in front of a last name they begin it, "Will Park lives in Hull".
NAMESAKES = frozenset("will mark rose grace hope bill frank rob drew art pat sue dawn joy faith".split())
LOWER_TITLES = frozenset("señor señora señorita monsieur madame doctor doctora docteur".split())  # within a sentence
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
    return [span for each in _titled(text, pieces, [*found, *waiting]) if (span := _whole(text, pieces, each))]


def _titled(text: str, pieces: Sequence[Piece], found: Sequence[Span]) -> list[Span]:
    """Return the names, those of one word with the title before it: "Mrs. Smith" is another than Mr. Smith.

    A title that was seen alone is a name with the word behind it, and nobody's by itself.
    """
    rows = list[Span]()
    for first, end in found:
        if rows and first < rows[-1].end:
            continue
        title = first if _is_title(text, pieces, first) else _behind(text, pieces, first)
        at = title + 1 + (title + 1 < len(pieces) and text[pieces[title + 1].start] == ".")
        if title == first and end <= at:
            if at < len(pieces) and text[pieces[at].start].isupper():
                rows.append(Span(first, max([at + 1, *(other.end for other in found if other.first == at)])))
        else:
            rows.append(Span(title, end) if end == first + 1 and title >= 0 and title != first else Span(first, end))
    return rows


def _behind(text: str, pieces: Sequence[Piece], at: int) -> int:
    """Return where the title stands that is right before a word, -1 for none."""
    before = at - 1 - (at > 1 and text[pieces[at - 1].start] == ".")
    return before if before >= 0 and _is_title(text, pieces, before) else -1


def _is_title(text: str, pieces: Sequence[Piece], at: int) -> bool:
    word = _word(text, pieces, at)
    return word in TITLES and (text[pieces[at].start].isupper() or word in LOWER_TITLES)


def is_namesake(text: str, pieces: Sequence[Piece], span: Span) -> bool:
    """Return whether a name of two words begins with a first name that is a word as well, and its sentence with it."""
    is_two = span.end == span.first + 2 and _word(text, pieces, span.first) in NAMESAKES
    begins = not span.first or text[pieces[span.first - 1].start] in ENDS
    return is_two and begins and span.end < len(pieces) and _word(text, pieces, span.end).endswith("s")


def _whole(text: str, pieces: Sequence[Piece], span: Span) -> Span | None:
    """Return a name at the beginning of a sentence without the adverb or cry before it, and with a first name that is a
    word as well: "Sadly Rex died", "Will Park lives in Hull"; None for a cry alone.
    """
    first, end = span
    at = first - 1 if first and text[pieces[first - 1].start].isalpha() else first
    if at and text[pieces[at - 1].start] not in ENDS:
        return span
    word = _word(text, pieces, at)
    if at < first:
        is_said = end < len(pieces) and _word(text, pieces, end).endswith("s") and "?" not in text
        is_name = word in NAMESAKES and text[pieces[at].start].isupper() and end == first + 1 and is_said
        return Span(at, end) if is_name else span
    is_more = end > first + 1
    is_adverb = _is_adverb(word) or (is_more and word.endswith("ly") and is_ordinary(word))
    is_asked = is_more and "?" in text and compiled(ASKS).fullmatch(word)
    if compiled(CRIES).fullmatch(word) or is_adverb or is_asked:
        return Span(first + 1, end) if is_more else None
    return span


def _is_adverb(word: str) -> bool:
    """Return whether a word with which a sentence begins tells how or when: "funnily" is of "funny".

    "Holly" and "Carly" end as adverbs do, and are made of no ordinary word.
    """
    if compiled(ADVERBS).fullmatch(word):
        return True
    made_of = [
        whole for end, rest in MADE if word.endswith(end) and len(whole := word.removesuffix(end) + rest) >= ROOT
    ]
    return any(map(is_ordinary, made_of))


def _word(text: str, pieces: Sequence[Piece], at: int) -> str:
    return text[pieces[at].start : pieces[at].end].casefold()


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
