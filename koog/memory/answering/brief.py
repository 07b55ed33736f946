"""An answer in a few plain lines that an agent can paste: what, since when, its id. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from koog.core.clip import clip
from koog.core.text import dates, sentences, tokens
from koog.memory.answering import bearing
from koog.memory.answering.answer import Told
from koog.memory.answering.question import WHEN, Question
from koog.memory.store import line as lines
from koog.search.hits import Hit

MOST_TOKENS = 300
LINE_CHARS, STEP_CHARS, OLD_CHARS = 170, 110, 60
NOTHING, UNSURE = "Nothing remembered answers this.", "Not sure; the nearest that is remembered:"


def text(asked: Question, told: Sequence[Told], weak: Sequence[Told], more: Iterable[str] = ()) -> str:
    """Return the answer in lines, as many as have room.

    more    lines that the raw sessions give
    """
    rows = [line(each, asked) for each in told or weak] + list(more)
    if not rows:
        return NOTHING
    return fitted([*([] if told else [UNSURE]), *rows])


def fitted(rows: Sequence[str]) -> str:
    """Return the first lines that have room, at least two."""
    kept = list[str]()
    for row in rows:
        if len(kept) > 1 and tokens.estimate("\n".join([*kept, row])) > MOST_TOKENS:
            break
        kept.append(row)
    return "\n".join(kept)


def line(told: Told, asked: Question) -> str:
    """Return one line of an answer: of a long one what has the words of the question."""
    item, words = told.scored.item, asked.words
    said = telling(item.text, words, kinds=asked.kinds)
    if item.steps and item.steps != (item.text,):
        said += ": " + "; ".join(f"{n}. {clip(step, STEP_CHARS)}" for n, step in enumerate(item.steps, 1))
    at = told.scored.at[:10]
    when = "" if at and at in item.id else at or "no date"
    past = f", until {item.until}: replaced" if item.until else ""
    past = past or (f", perhaps out of date: see {told.scored.newer}" if told.scored.newer else "")
    before = "".join(
        f" (until {old.item.until}: {telling(old.item.text, words, OLD_CHARS)})" for old in told.replaced[:1]
    )
    days = _days(said, at) if WHEN in asked.kinds else ""
    return f"- {said}{days} [{f'{when} {item.id}{past}'.strip()}]{before}"


def telling(said: str, words: Sequence[str], chars: int | None = None, *, kinds: Collection[str] = ()) -> str:
    """Return what of a text tells most of what is asked for, in its order: sentences while there is room.

    kinds   what is asked for: a sentence that gives it tells more

    >>> telling("We met Ana. It rained. She likes tea.", ("likes",), 14)
    'She likes tea.'
    """
    chars = chars or LINE_CHARS
    if len(said) <= chars:
        return said
    parts = [part for _, part in sentences.split(said)]
    ranked = sorted(range(len(parts)), key=lambda n: (-_tells(parts[n], words, kinds), n))
    kept, room = set[int](), chars
    for n in ranked:
        if not kept or len(parts[n]) < room:
            kept.add(n)
            room -= len(parts[n]) + 1
    return clip(" ".join(parts[n] for n in sorted(kept)), chars)


def _tells(part: str, words: Sequence[str], kinds: Collection[str]) -> float:
    of = bearing.line(part)
    given = sum(bool(bearing.gives(kind, of, asked=frozenset())) for kind in kinds)
    return sum(bearing.has(word, of) for word in words) + given


def _days(said: str, at: str) -> str:
    """Return which days a line means that it does not name by their dates: "next Friday" (2026-05-08)."""
    day = lines.day(at)
    if day is None or not dates.has_day(said):
        return ""
    named = [each.day.isoformat() for each in dates.found(said, day)]
    new = [each for each in dict.fromkeys(named) if each not in said]
    return f" (= {', '.join(new[:3])})" if new else ""


def of_hit(hit: Hit) -> str:
    """Return a line of what the raw sessions say."""
    sure = "" if not hit.is_weak else "perhaps: "
    return f"- {sure}{clip(' '.join(hit.text.split()), LINE_CHARS)} [{hit.date or 'no date'}] {hit.path}:{hit.line}"
