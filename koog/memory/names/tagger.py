"""Which words of a text are a name, what kind of thing it names, and whether the text is about it. Pure.

Three small linear models, learned from labelled lines (data/train_names.py). The first reads the text in pieces (words;
of Chinese and Japanese, single characters) and marks where a name begins and goes on. The others look at each name in
its place: its kind, and how much the text is about it. No list of words is here: what a name looks like, and what
stands beside one, the models have seen.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import exp
from pathlib import Path
from typing import Any

from koog.core import shipped
from koog.core.lazy_regex import WIDE, compiled, for_text
from koog.core.named import NamedTuple
from koog.sessions.person import is_ordinary, languages

WEIGHTS = Path(__file__).with_name("names.bin")
KINDS = ("person", "project", "concept", "tool", "place", "organization")
SLOTS, SPAN_SLOTS = 1 << 15, 1 << 13
MASK, SPAN_MASK = SLOTS - 1, SPAN_SLOTS - 1
IN_EAST = rf"[{WIDE}々ー]"
PIECE = rf"{IN_EAST}|[^\W{WIDE}々ー]+|[^\w\s]"
EAST, SIGN, WORD = 0, 1, 2
ENDS = ".!?:;\n。！？：；–—-•*"  # signs behind which a sentence begins
OPEN, CLOSE = '"“„«「『`（(', '"”“»」』`）)'
LONGEST = 6  # characters of an ordinary Chinese or Japanese word that are looked at
MOST_PIECES = 12  # of a name
SAME = 0.4  # from here on two names are taken for one thing: 0.6 of certainty
NEAR = 4  # names from one to the next that may be another name of it
FAR = 3  # pieces on each side that tell of what kind a name is
NONE = -1e9


class Piece(NamedTuple):
    """A word or a sign of a text: where it stands, and what there is to see in it alone.

    word, shape   numbers for the word itself and for how it looks
    own           numbers for what else it shows: its beginning and end, its runs of letters
    """

    start: int
    end: int
    sort: int
    word: int
    shape: int
    own: tuple[int, ...]


class Span(NamedTuple):
    """A name: the pieces from `first` up to `end`."""

    first: int
    end: int


class Judged(NamedTuple):
    """What a name is: its kind, and how much the text is about it (0 to 1)."""

    kind: str
    main: float


def number(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def pieces(text: str) -> list[Piece]:
    """Return the words and signs of a text, in order."""
    matches = list(for_text(PIECE, text).finditer(text))
    language = _language([match[0].lower() for match in matches])
    found = []
    for match in matches:
        sort, word, shape, own = _look(match[0], language)
        found.append(Piece(match.start(), match.end(), sort, word, shape, own))
    return found


def _language(words: Sequence[str]) -> str:
    """Return the language with letters of which a text has most words, "" for none."""
    count = Counter(chain.from_iterable(map(_languages, words)))
    return max(sorted(count), key=count.__getitem__, default="")


@lru_cache(maxsize=8192)
def _languages(word: str) -> tuple[str, ...]:
    return tuple(languages(word)) if word.isalpha() else ()


@lru_cache(maxsize=8192)
def _look(word: str, language: str) -> tuple[int, int, int, tuple[int, ...]]:
    """Return what there is to see in one word or sign."""
    first, low = word[0], word.lower()
    if for_text(IN_EAST, first).match(first):
        script = "h" if first < "\u30a0" else "k" if first < "\u3400" else "c"
        return EAST, number(word), number(f"^{script}"), ()
    if not first.isalnum():
        return SIGN, number(word), number(f"^{first}"), ()
    letters = compiled(r"\d+").sub("9", word)
    form = "".join("X" if c.isupper() else "9" if c == "9" else "x" for c in letters)
    form = compiled(r"(.)\1+").sub(r"\1+", form)
    listed = _languages(low)
    usual = 0 if len(word) < 2 else 2 if language in listed else int(bool(listed) or is_ordinary(low))
    shape = number(f"^{form}{usual}")
    own = [f"f{form}", f"o{usual}", f"l{min(len(word), 8)}{form[:2]}"]
    own += [f"<{low[:n]}" for n in (2, 3) if len(low) > n]
    own += [f"{low[-n:]}>" for n in (1, 2, 3, 4) if len(low) > n]
    own += [f"~{low[at : at + 3]}" for at in range(len(low) - 2)][:8]
    return WORD, number(low), shape, tuple(map(number, own))


def _cover(text: str, found: Sequence[Piece]) -> list[str]:
    """Return for each piece how it lies in an ordinary word of more than one character: "" for in none."""
    marks = [""] * len(found)
    at = 0
    while at < len(found):
        length = 1
        if found[at].sort == EAST:
            most = next((n for n in range(1, LONGEST) if at + n == len(found) or found[at + n].sort != EAST), LONGEST)
            start = found[at].start
            length = next((n for n in range(most, 1, -1) if _is_word(text[start : start + n])), 1)
        for n in range(length if length > 1 else 0):
            marks[at + n] = "B" if n == 0 else "E" if n == length - 1 else "M"
        at += length
    return marks


@lru_cache(maxsize=8192)
def _is_word(text: str) -> bool:
    return is_ordinary(text)


def _is_quoted(text: str, found: Sequence[Piece]) -> list[int]:
    """Return for each piece whether it stands in quotation marks or brackets, and closed within a name's length."""
    marks = [0] * len(found)
    for at, piece in enumerate(found):
        if piece.sort != SIGN or (mark := OPEN.find(text[piece.start])) < 0:
            continue
        for to in range(at + 1, min(len(found), at + MOST_PIECES)):
            if text[found[to].start] == CLOSE[mark]:
                marks[at + 1 : to] = [mark + 1] * (to - at - 1)
                break
    return marks


def slots(text: str, found: Sequence[Piece]) -> list[list[int]]:
    """Return for each piece the slots of what it shows in its place."""
    cover, quoted = _cover(text, found), _is_quoted(text, found)
    nouns = _language([text[p.start : p.end].lower() for p in found if p.sort == WORD]) == "german"
    frame = nouns + 2 * text.islower()  # where every noun has a capital, and where nothing has
    word = [1, 2, *(p.word for p in found), 3, 4]
    shape = [1, 2, *(p.shape for p in found), 3, 4]
    rows = []
    begins = True
    for at, piece in enumerate(found):
        w0, w1, w2, w3, w4 = word[at : at + 5]
        s0, s1, s2, s3, s4 = shape[at : at + 5]
        joined = piece.start > 0 and at > 0 and found[at - 1].end == piece.start
        row = [
            w2,
            s2 * 3 + begins,
            s2 * 5 + quoted[at],
            s2 * 93 + frame * 3 + begins,
            s1 * 97 + s2 * 99 + frame,
            w1 * 7 + 1,
            w3 * 9 + 2,
            w0 * 11 + 3,
            w4 * 13 + 4,
            s1 * 15 + s2 * 17,
            s3 * 19 + s2 * 21,
            w1 * 23 + s2 * 25,
            w3 * 27 + s2 * 29,
            s1 * 31 + s2 * 33 + s3 * 35,
            w0 * 37 + w1 * 39 + 5,
            w3 * 41 + w4 * 43 + 6,
            s0 * 45 + s1 * 47 + s2 * 49,
            w1 * 51 + w3 * 53 + s2,
        ]
        if piece.sort == EAST:
            covered = number(cover[at])
            row += [
                w1 * 55 + w2 * 57,
                w2 * 59 + w3 * 61,
                w0 * 63 + w2 * 65 + 7,
                w1 * 67 + w2 * 69 + w3 * 71,
                s2 * 73 + covered,
                w2 * 75 + covered,
                covered * 77 + number(cover[at + 1] if at + 1 < len(found) else "$"),
                covered * 79 + number(cover[at - 1] if at else "$"),
                s0 * 81 + s1 * 83 + s2 * 85 + s3 * 87 + s4 * 89,
            ]
        else:
            row += [each * 91 for each in piece.own]
            row.append(s2 * 95 + joined)
        rows.append([each & MASK for each in row])
        begins = piece.sort == SIGN and (begins or text[piece.start] in ENDS)
    return rows


def span_slots(found: Sequence[Piece], spans: Sequence[Span]) -> list[list[int]]:
    """Return for each name the slots of what it is made of and what stands beside it."""
    word = [*(p.word for p in found)]
    shape = [*(p.shape for p in found)]
    start_words = word[:3]
    rows = []
    for nth, (first, end) in enumerate(spans):
        row = [number(f"#{min(end - first, 4)}"), number(f"##{min(nth, 3)}{min(len(spans), 4)}"), number("bias")]
        for at in range(first, end):
            row += [word[at] * 3 + 1, shape[at] * 5 + 2, *(each * 7 for each in found[at].own)]
            if found[at].sort == EAST and at + 1 < end:
                row.append(word[at] * 9 + word[at + 1] * 11)
        row += [word[first] * 13 + 3, word[end - 1] * 15 + 4, shape[first] * 17 + shape[end - 1] * 19]
        for n in range(1, FAR + 1):
            before, after = first - n, end + n - 1
            row.append((word[before] if before >= 0 else 1) * 21 + n)
            row.append((word[after] if after < len(word) else 2) * 23 + n)
            row.append((word[before] if before >= 0 else 1) * 25)
            row.append((word[after] if after < len(word) else 2) * 27)
        row.append((word[first - 1] if first else 1) * 29 + (word[first - 2] if first > 1 else 1) * 31)
        row.append((word[end] if end < len(word) else 2) * 33 + (word[end + 1] if end + 1 < len(word) else 2) * 35)
        row.append((shape[first - 1] if first else 1) * 37 + (shape[end] if end < len(word) else 2) * 39)
        row.append(number(f"@{first * 5 // (len(word) or 1)}"))
        row.append(number(f"@@{min(first, 3)}"))
        row += [each * 41 for each in start_words]
        rows.append([each & SPAN_MASK for each in row])
    return rows


def main_slots(found: Sequence[Piece], spans: Sequence[Span], kinds: Sequence[str]) -> list[list[int]]:
    """Return for each name the slots of its place among the others: what a text is about mostly stands first."""
    all_kinds = "".join(sorted(set(kinds)))
    rows = []
    for nth, ((first, end), kind) in enumerate(zip(spans, kinds, strict=True)):
        before, after = (found[first - 1] if first else None), (found[end] if end < len(found) else None)
        row = [
            number("bias"),
            number(f"n{min(nth, 3)}{min(len(spans), 4)}"),
            number(f"k{kind}"),
            number(f"k{kind}{nth == 0}"),
            number(f"k{kind} {all_kinds}"),
            number(f"a{min(first, 4)}"),
            number(f"p{first * 5 // len(found)}"),
            (before.word if before else 1) * 3,
            (after.word if after else 2) * 5,
            (before.word if before else 1) * 7 + (found[first - 2].word if first > 1 else 1) * 9,
            (before.shape if before else 1) * 11,
            (after.shape if after else 2) * 13,
            found[first].shape * 15,
        ]
        rows.append([each & SPAN_MASK for each in row])
    return rows


def pair_slots(text: str, found: Sequence[Piece], one: Span, other: Span) -> list[int]:
    """Return the slots of two names, in their order: what stands between, before and behind; how alike they are."""
    (first, end), (start, last) = one, other
    before, behind = found[first - 1].word if first else 1, found[last].word if last < len(found) else 1
    left, right = (text[found[a].start : found[b - 1].end].casefold() for a, b in (one, other))
    initials = ["".join(part[0] for part in name.split()) for name in (left, right)]
    row = [
        number("bias"),
        number(f"gap{min(start - end, 8)}"),
        number(f"part{right in left or left in right}"),
        number(f"initials{initials[0] == right or initials[1] == left}"),
        number(f"begin{left[:2] == right[:2]}"),
        number(f"script{left.isascii() != right.isascii()}"),
        before * 3,
        behind * 5,
        found[end].word * 7,
        found[start - 1].word * 9,
        found[end].word * 11 + behind * 13,
        found[start - 1].word * 15 + behind * 17,
        *(each.word * 19 for each in found[end : min(start, end + 8)]),
        *(each.word * 21 for each in found[last : last + 3]),
        *(each.word * 23 for each in found[max(0, first - 4) : first]),
    ]
    return [each & SPAN_MASK for each in row]


class Model(NamedTuple):
    """begin, inside: weights by slot; kinds, main and same: of a name's slots, its place's, a pair's.

    steps: what the marks O, B, I add after O, B, I and at the start (O and B)
    """

    begin: Sequence[int]
    inside: Sequence[int]
    kinds: Sequence[Sequence[int]]
    main: Sequence[int]
    same: Sequence[int]
    head: dict[str, Any]


@lru_cache(maxsize=1)
def _model() -> Model:
    return read(shipped.data(WEIGHTS))


def read(data: bytes) -> Model:
    first, _, weights = data.partition(b"\n")
    whole = memoryview(weights).cast("b")
    rows = [whole[n * SLOTS : (n + 1) * SLOTS] for n in range(2)]
    rest = whole[2 * SLOTS :]
    spans = [rest[n * SPAN_SLOTS : (n + 1) * SPAN_SLOTS] for n in range(len(KINDS) + 2)]
    return Model(rows[0], rows[1], spans[:-2], spans[-2], spans[-1], json.loads(first))


def spans(text: str, found: Sequence[Piece], model: Model | None = None) -> list[Span]:
    """Return the names in a text: the likeliest marks of all its pieces together."""
    model = model or _model()
    begin, inside, head = model.begin.__getitem__, model.inside.__getitem__, model.head
    (oo, ob), (bo, bb, bi), (io, ib, ii) = head["steps"]
    (b_scale, i_scale), (b_bias, i_bias) = head["scale"], head["bias"]
    o, b, i = 0.0, NONE, NONE
    first = True
    back = []
    for row in slots(text, found):
        b_now = sum(map(begin, row)) * b_scale + b_bias
        i_now = sum(map(inside, row)) * i_scale + i_bias
        if first:
            o, b, i, first = 0.0, b_now, NONE, False
            back.append((0, 0, 0))
            continue
        to_o = max((o + oo, 0), (b + bo, 1), (i + io, 2))
        to_b = max((o + ob, 0), (b + bb, 1), (i + ib, 2))
        to_i = max((b + bi, 1), (i + ii, 2))
        o, b, i = to_o[0], to_b[0] + b_now, to_i[0] + i_now
        back.append((to_o[1], to_b[1], to_i[1]))
    if not back:
        return []
    mark = max((o, 0), (b, 1), (i, 2))[1]
    marks = []
    for step in reversed(back):
        marks.append(mark)
        mark = step[mark]
    return _of_marks(marks[::-1])


def _of_marks(marks: Sequence[int]) -> list[Span]:
    found = list[Span]()
    for at, mark in enumerate(marks):
        if mark == 1:
            found.append(Span(at, at + 1))
        elif mark == 2 and found and found[-1].end == at:
            found[-1] = Span(found[-1].first, at + 1)
    return found


def judged(
    found: Sequence[Piece],
    names: Sequence[Span],
    told: Mapping[Span, str] | None = None,
    model: Model | None = None,
) -> list[Judged]:
    """Return the kind of each name, and how much the text is about it. told: kinds that are known"""
    model = model or _model()
    head = model.head
    kinds = list[str]()
    for span, row in zip(names, span_slots(found, names), strict=True):
        scores = [sum(map(of.__getitem__, row)) * s for of, s in zip(model.kinds, head["kindScale"], strict=True)]
        kinds.append((told or {}).get(span) or KINDS[scores.index(max(scores))])
    rows = []
    for kind, row in zip(kinds, main_slots(found, names, kinds), strict=True):
        main = sum(map(model.main.__getitem__, row)) * head["mainScale"]
        rows.append(Judged(kind, 1 / (1 + exp(-max(-30.0, min(30.0, main))))))
    return rows


def same(text: str, found: Sequence[Piece], names: Sequence[Span], model: Model | None = None) -> list[tuple[int, int]]:
    """Return which names are two of one thing, as places in the list: "everybody calls the Planner just Leo"."""
    model = model or _model()
    pairs = []
    for a, one in enumerate(names):
        for b in range(a + 1, min(a + NEAR, len(names))):
            if one.end >= names[b].first:
                continue
            row = pair_slots(text, found, one, names[b])
            if sum(map(model.same.__getitem__, row)) * model.head["sameScale"] > SAME:
                pairs.append((a, b))
    return pairs
