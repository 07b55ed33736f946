"""An answer in a few plain lines that an agent can paste: what, since when, its id. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from koog.core.clip import clip
from koog.core.lazy_regex import compiled
from koog.core.text import dates, sentences, tokens
from koog.memory.answering import bearing
from koog.memory.answering.answer import Answer, Told
from koog.memory.answering.question import WHEN, Question
from koog.memory.store import line as lines
from koog.search.hits import Hit

MOST_TOKENS = 300
AROUND = r"(?m)^#{1,6} .*$|^[-*] |<!--(?:(?!-->).)*-->"  # of a passage: headings, as who spoke when; bullets, comments
WIDTHS = (240, 170, 110)  # characters of the first line, of the second, of each further one: the nearer, the more
STEP_CHARS, OLD_CHARS = 110, 60
NOTHING, UNSURE = "Nothing remembered answers this.", "Not sure; the nearest that is remembered:"
LESS = "Less sure:"


def text(asked: Question, answer: Answer, raw: Sequence[Hit] = ()) -> str:
    """Return the answer in lines, as many as have room: what is sure before what is not.

    raw    what the sessions say
    """
    sure = [of_hit(hit, asked) for hit in raw if not hit.is_weak]
    perhaps = [of_hit(hit, asked) for hit in raw if hit.is_weak]
    told = [*_lines(answer.told, asked), *sure]
    others = answer.weak if not answer.told else answer.rest
    nearest = [*_lines(others, asked, len(told)), *perhaps]
    if not told and not nearest:
        return NOTHING
    heading = LESS if told else UNSURE
    return fitted([*told, *([heading] if nearest else []), *nearest])


def _lines(found: Iterable[Told], asked: Question, at: int = 0) -> list[str]:
    """Return lines of an answer. at: behind how many others they stand"""
    return [line(each, asked, WIDTHS[min(n, len(WIDTHS) - 1)]) for n, each in enumerate(found, at)]


def fitted(rows: Sequence[str]) -> str:
    """Return the first lines that have room, at least two, and no heading without a line below it."""
    kept = list[str]()
    for row in rows:
        if len(kept) > 1 and tokens.estimate("\n".join([*kept, row])) > MOST_TOKENS:
            break
        kept.append(row)
    if kept[-1] in (LESS, UNSURE):
        kept.pop()
    return "\n".join(kept)


def line(told: Told, asked: Question, chars: int) -> str:
    """Return one line of an answer: of a long one what has the words of the question."""
    item, words = told.scored.item, asked.words
    said = telling(item.text, words, chars, kinds=asked.kinds)
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


def telling(said: str, words: Sequence[str], chars: int, *, kinds: Collection[str] = ()) -> str:
    """Return what of a text tells most of what is asked for, in its order: sentences while there is room.

    kinds   what is asked for: a sentence that gives it tells more

    >>> telling("We met Ana. It rained. She likes tea.", ("likes",), 14)
    'She likes tea.'
    """
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


def of_hit(hit: Hit, asked: Question) -> str:
    """Return a line of what the raw sessions say: of a passage, which may begin with a greeting, what answers most."""
    sure = "" if not hit.is_weak else "perhaps: "
    whole = " ".join(compiled(AROUND).sub(" ", hit.text).split())
    said = clip(telling(whole, asked.words, WIDTHS[1], kinds=asked.kinds), WIDTHS[1])
    return f"- {sure}{said} [{hit.date or 'no date'}] {hit.path}:{hit.line}"
