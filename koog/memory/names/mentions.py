"""Who and what a text names: the entities that are known, and those that the tagger sees in it. Pure.  [moltbot §8.2]

What a name looks like is learned (tagger.py), in six languages. A known name is found in any case and wins, except
where it is only the beginning of a longer one: "Ana Ruiz" is not the Ana that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile, permutations

from koog.core.lazy_regex import compiled, personal
from koog.core.named import NamedTuple
from koog.core.text.measures import STOPWORDS
from koog.core.text.says import says
from koog.core.text.speaker import TITLES
from koog.memory.names import tagger, written
from koog.memory.names.tagger import Model, Piece, Span

TITLE = "sex"  # as says.py has "Mr" and "Mrs"
REACH = 40  # characters behind a name
QUOTES = "'‘’\""
SHORT = 300  # characters of a text that may be asked for again
PERSON, PROJECT, CONCEPT, TOOL, PLACE, ORGANIZATION = tagger.KINDS


class Mention(NamedTuple):
    """A name in a text.

    kind   what it is, by its look and the words around it
    at     where it begins
    main   how much the text is about it, 0 to 1
    of     the name in the text that it is only another name of, "" for none
    """

    name: str
    kind: str
    at: int
    main: float = 0.0
    of: str = ""


def found(text: str, known: Mapping[str, str] | None = None, *, model: Model | None = None) -> list[Mention]:
    """Return what a text names, in its order, each once.

    known   names of entities that there are, each with its id or kind: found in any case
    model   other weights than the shipped ones

    >>> [(m.name, m.kind) for m in found("My sister Ana moved to Lisbon")]
    [('Ana', 'person'), ('Lisbon', 'place')]
    """
    pieces, told, spans = _placed(text, known or {}, model)
    judged = tagger.judged(pieces, spans, told, model)
    verbs = {
        span
        for span, each in zip(spans, judged, strict=True)
        if each.kind == PERSON and span not in told and written.begins_as_verb(text, pieces, span)
    }
    if verbs:
        spans = [span for span in spans if span not in verbs]
        judged = tagger.judged(pieces, spans, told, model)
    judged = [
        each._replace(kind=PERSON) if span not in told and written.is_namesake(text, pieces, span) else each
        for span, each in zip(spans, judged, strict=True)
    ]
    rows = [
        Mention(_name(text, pieces, span), each.kind, pieces[span.first].start, round(each.main, 4))
        for span, each in zip(spans, judged, strict=True)
    ]
    for a, b in tagger.same(text, pieces, spans, model):
        kept, other = sorted((a, b), key=lambda at: _own(rows[at], is_known=spans[at] in told), reverse=True)
        is_new = spans[other] not in told and not rows[kept].of
        if is_new and not any(_is_part(*pair) for pair in permutations((rows[kept], rows[other]))):
            rows[other] = rows[other]._replace(of=rows[kept].name)
    by_name: dict[str, Mention] = {}
    for row in rows:
        by_name.setdefault(row.name.casefold(), row)
    return [
        row._replace(main=max([row.main, *(part.main for part in by_name.values() if _is_part(part, row))]))
        for row in by_name.values()
        if not any(_is_part(row, other) for other in by_name.values())
    ]


def others(text: str, known: Mapping[str, str]) -> list[Mention]:
    """Return what `found` does, those that are other names of one that stands in the text too."""
    if len(_placed(text, known)[2]) < 2:  # of most texts this is all that has to be known
        return []
    return [each for each in found(text, known) if each.of]


def _placed(
    text: str, known: Mapping[str, str], model: Model | None = None
) -> tuple[Sequence[Piece], Mapping[Span, str], list[Span]]:
    """Return the words and signs of a text, the known names in it with their kinds, and where all its names are."""
    pieces, seen = _seen_again(text) if model is None and len(text) <= SHORT else _seen(text, model)
    told = _known(text, pieces, seen, known)
    taken = {at for span in told for at in range(*span)}
    return pieces, told, sorted([*told, *(span for span in seen if taken.isdisjoint(range(*span)))])


def _seen(text: str, model: Model | None = None) -> tuple[Sequence[Piece], Sequence[Span]]:
    """Return the words and signs of a text, and the names that are seen in it, whatever is known."""
    pieces = tagger.pieces(text)
    return pieces, written.spans(text, pieces, tagger.spans(text, pieces, model))


@lru_cache(maxsize=4096)  # it is asked again with other names that are known, for all of a batch
def _seen_again(text: str) -> tuple[Sequence[Piece], Sequence[Span]]:
    return _seen(text)


def _own(row: Mention, *, is_known: bool) -> tuple[bool, int, float]:
    """Return how much of two names for one thing this is its own: the known one, a person's whole one, the main one."""
    return is_known, row.name.count(" ") if row.kind == PERSON else 0, row.main


def _is_part(part: Mention, whole: Mention) -> bool:
    """Return whether a name is the beginning of a longer one in the same text: "Stefan" beside "Stefan Ahlers"."""
    return f"{whole.name.casefold()} ".startswith(f"{part.name.casefold()} ") and part.name != whole.name


def main_first(mentions: Sequence[Mention]) -> list[Mention]:
    """Return them, the one that the text is most about first."""
    return sorted(mentions, key=lambda each: -each.main)


def beside(text: str, name: str) -> list[str]:
    """Return the small words that tell which one of several is meant: joined to a name, or behind it in brackets or
    after a preposition.

    >>> beside("Stefan from accounting wants it", "Stefan"), beside("Accounting-Stefan again", "Stefan")
    (['accounting'], ['accounting'])
    """
    found = []
    for match in _places(text, name):
        if joined := compiled(r"(\w+)-\Z").search(text, 0, match.start()):
            found.append(joined[1].casefold())
        rest = [word.casefold() for word in compiled(r"\w+|[^\w\s]").findall(text[match.end() : match.end() + REACH])]
        behind = list(dropwhile(lambda word: word in STOPWORDS or word in "-(（", rest))
        if behind and len(behind) < len(rest) and behind[0].isalpha():
            found.append(behind[0])
    return found


def _name(text: str, pieces: Sequence[Piece], span: Span) -> str:
    """Return a name as it is written, without the quotation mark before it where one stands behind it as well."""
    end = pieces[span.end - 1].end
    name = text[pieces[span.first].start : end]
    is_quoted = name[0] in QUOTES and len(name) > 1 and text[end : end + 1].startswith(tuple(QUOTES))
    return name[1:] if is_quoted else name


def _known(text: str, pieces: Sequence[Piece], seen: Sequence[Span], known: Mapping[str, str]) -> dict[Span, str]:
    """Return where known names stand in a text, longer ones first, and of what kind they are."""
    starts = {piece.start: at for at, piece in enumerate(pieces)}
    ends = {piece.end: at + 1 for at, piece in enumerate(pieces)}
    taken = bytearray(len(pieces))
    kept: dict[Span, str] = {}
    for name in sorted((name for name in known if len(name) > 1), key=lambda name: (-len(name), name)):
        for match in _places(text, name):
            span = Span(starts.get(match.start(), -1), ends.get(match.end(), -1))
            if -1 in span or 1 in taken[span.first : span.end] or _goes_on(text, pieces, span, seen):
                continue
            if known[name].startswith(ORGANIZATION) and _is_titled(text, pieces, span, seen):
                continue
            if known[name].startswith(PERSON) and written.in_path(text, match.start()):
                continue  # whose folder it is tells nothing of him
            if known[name].startswith(PERSON) and _is_family_name(text, pieces, span, seen):
                continue
            taken[span.first : span.end] = b"\1" * (span.end - span.first)
            kept[span] = known[name].partition("--")[0]
    return kept


def _places(text: str, name: str) -> Iterable[re.Match[str]]:
    return personal(re.escape(name), re.IGNORECASE).finditer(text)


def _is_titled(text: str, pieces: Sequence[Piece], known: Span, spans: Sequence[Span]) -> bool:
    """Return whether a known name of one word is somebody's: behind a title, or at the end of a longer name."""
    if known.end - known.first > 1 or not known.first:
        return False
    before = text[pieces[known.first - 1].start : pieces[known.first - 1].end]
    if before == "." and known.first > 1:  # "Mr. Halde"
        before = text[pieces[known.first - 2].start : pieces[known.first - 2].end]
    return TITLE in says(before).kinds or any(each.first < known.first and each.end == known.end for each in spans)


def _is_family_name(text: str, pieces: Sequence[Piece], known: Span, spans: Sequence[Span]) -> bool:
    """Return whether a known name of one word is the end of a longer one, behind more than titles: "Ana Weber" is not
    the Weber that is known.
    """
    if known.end - known.first > 1:
        return False
    whole = (each for each in spans if each.first < known.first and each.end == known.end)
    before = (text[pieces[at].start : pieces[at].end] for each in whole for at in range(each.first, known.first))
    return any(word[0].isalpha() and word.casefold() not in TITLES for word in before)


def _goes_on(text: str, pieces: Sequence[Piece], known: Span, spans: Sequence[Span]) -> bool:
    """Return whether a known name of one word is the beginning of a longer one: a capital follows in the same name."""
    if known.end - known.first > 1 or known.end >= len(pieces) or not text[pieces[known.end].start].isupper():
        return False
    return any(each.first == known.first and each.end > known.end for each in spans)
