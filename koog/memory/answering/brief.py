"""An answer in a few plain lines that an agent can paste: what, since when, its id. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from koog.core.clip import clip
from koog.core.text import dates, sentences, tokens
from koog.memory.answering import bearing
from koog.memory.answering.answer import Told
from koog.memory.store import line as lines
from koog.search.hits import Hit

MOST_TOKENS = 300
LINE_CHARS, STEP_CHARS, OLD_CHARS = 170, 110, 80
NOTHING, UNSURE = "Nothing remembered answers this.", "Not sure; the nearest that is remembered:"


def text(words: Sequence[str], told: Sequence[Told], weak: Sequence[Told], more: Iterable[str] = ()) -> str:
    """Return the answer in lines, as many as have room.

    words   of the question: of a long line what has them is told
    more    lines that the raw sessions give
    """
    rows = [line(each, words) for each in told or weak] + list(more)
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


def line(told: Told, words: Sequence[str]) -> str:
    """Return one line of an answer."""
    item = told.scored.item
    said = telling(item.text, words)
    if item.steps and item.steps != (item.text,):
        said += ": " + "; ".join(f"{n}. {clip(step, STEP_CHARS)}" for n, step in enumerate(item.steps, 1))
    at = told.scored.at[:10]
    when = "" if at and at in item.id else at or "no date"
    past = f", until {item.until}: replaced" if item.until else ""
    past = past or (f", perhaps out of date: see {told.scored.newer}" if told.scored.newer else "")
    before = "".join(
        f" (until {old.item.until}: {telling(old.item.text, words, OLD_CHARS)})" for old in told.replaced[:1]
    )
    return f"- {said}{_days(said, at)} [{f'{when} {item.id}{past}'.strip()}]{before}"


def telling(said: str, words: Sequence[str], chars: int = LINE_CHARS) -> str:
    """Return what of a text tells most of what is asked for, in its order: sentences while there is room.

    >>> telling("We met Ana. It rained. She likes tea.", ("likes",), 14)
    'She likes tea.'
    """
    if len(said) <= chars:
        return said
    parts = [part for _, part in sentences.split(said)]
    ranked = sorted(range(len(parts)), key=lambda n: (-sum(bearing.has(w, bearing.line(parts[n])) for w in words), n))
    kept, room = set[int](), chars
    for n in ranked:
        if not kept or len(parts[n]) < room:
            kept.add(n)
            room -= len(parts[n]) + 1
    return clip(" ".join(parts[n] for n in sorted(kept)), chars)


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
