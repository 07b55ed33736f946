"""An answer in a few plain lines that an agent can paste: what, since when; the id of the nearest. Pure.

An id and a day cost as much as half of what a line says, and any line may be the one that answers: so the first two
have them in full, and what is below has the day alone, without this year's number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from koog.core.clip import clip
from koog.core.lazy_regex import compiled
from koog.core.text import dates, sentences, tokens
from koog.memory.answering import bearing
from koog.memory.answering.answer import Answer, Told
from koog.memory.answering.question import WHEN, Question
from koog.memory.store import line as lines
from koog.memory.store import procedures
from koog.search.hits import Hit

MOST_TOKENS = 450
AROUND = r"(?m)^#{1,6} .*$|^[-*] |<!--(?:(?!-->).)*-->"  # of a passage: headings, as who spoke when; bullets, comments
WIDTHS = (240, 170, 150)  # characters of the first line, of the second, of each further one: the nearer, the more
NAMED = 2  # of the first lines: their ids are told
STEP_CHARS, OLD_CHARS = 110, 60
LEAST_PART = 40  # characters of a part of a sentence
NOTHING, UNSURE = "Nothing remembered answers this.", "Not sure; the nearest that is remembered:"
LESS = "Less sure:"


def text(asked: Question, answer: Answer, raw: Sequence[Hit] = (), *, year: str = "") -> str:
    """Return the answer in lines, as many as have room: what is sure before what is not.

    raw    what the sessions say
    year   of the question: only days of another one are told with theirs
    """
    others = answer.weak if not answer.told else answer.rest
    here = {(each.scored.item.path, each.scored.item.line) for each in others}
    sure = [of_hit(hit, asked) for hit in raw if not hit.is_weak]
    perhaps = [of_hit(hit, asked) for hit in raw if hit.is_weak and (hit.path, hit.line) not in here]
    told = [*_lines(answer.told, asked, year), *sure]
    nearest = [*_lines(others, asked, year, len(told)), *perhaps]
    if not told and not nearest:
        return NOTHING
    heading = LESS if told else UNSURE
    return fitted([*told, *([heading] if nearest else []), *nearest])


def _lines(found: Iterable[Told], asked: Question, year: str, at: int = 0) -> list[str]:
    """Return lines of an answer. at: behind how many others they stand"""
    return [line(each, asked, at=n, year=year) for n, each in enumerate(found, at)]


def fitted(rows: Sequence[str]) -> str:
    """Return the lines that have room, at least two, and no heading without a line below it.

    A line that has none leaves its room to a shorter one behind it.
    """
    kept, cost = list[str](), 0
    for row in rows:
        if len(kept) < 2 or tokens.counted(cost + tokens.cost(row)) <= MOST_TOKENS:
            kept.append(row)
            cost += tokens.cost(f"{row}\n")
    if kept[-1] in (LESS, UNSURE):
        kept.pop()
    return "\n".join(kept)


def line(told: Told, asked: Question, *, at: int, year: str) -> str:
    """Return one line of an answer: of a long one what has the words of the question.

    at   how many stand above it
    """
    item, words, chars = told.scored.item, asked.words, WIDTHS[min(at, len(WIDTHS) - 1)]
    said = telling(item.text, words, chars, kinds=asked.kinds)
    if item.steps and item.steps != (item.text,):
        steps = "; ".join(f"{n}. {clip(step, STEP_CHARS)}" for n, step in enumerate(item.steps, 1))
        said = steps if procedures.is_title_told(item.text, item.steps) else f"{said}: {steps}"
    day = told.scored.at[:10]
    is_named = at < NAMED
    when = "" if is_named and day and day in item.id else (day if is_named else _short(day, year)) or "no date"
    past = f", until {item.until}: replaced" if item.until else ""
    past = past or (", perhaps out of date" if told.scored.newer else "")
    past += f": see {told.scored.newer}" if told.scored.newer and is_named and not item.until else ""
    before = "".join(
        f" (until {old.item.until}: {telling(old.item.text, words, OLD_CHARS)})"
        for old in (told.replaced[:1] if is_named else ())
    )
    days = _days(said, day) if WHEN in asked.kinds else ""
    return f"- {said}{days} [{f'{when} {item.id}'.strip() if is_named else when}{past}]{before}"


def _short(day: str, year: str) -> str:
    """Return a day without its year, where that is the one of the question."""
    return day.removeprefix(f"{year}-") if year else day


def telling(said: str, words: Sequence[str], chars: int, *, kinds: Collection[str] = ()) -> str:
    """Return what of a text tells most of what is asked for, in its order: sentences while there is room, a part of one
    where more than a few words of it have.

    kinds   what is asked for: a sentence that gives it tells more

    >>> telling("We met Ana. It rained. She likes tea.", ("likes",), 14)
    'She likes tea.'
    """
    if len(said) <= chars:
        return said
    parts = [part for _, part in sentences.split(said)]
    ranked = sorted(range(len(parts)), key=lambda n: (-_tells(parts[n], words, kinds), n))
    kept, room = dict[int, str](), chars
    for n in ranked:
        if not kept or len(parts[n]) <= room or room >= LEAST_PART:
            kept[n] = clip(parts[n], room)
            room -= len(kept[n]) + 1
    return " ".join(kept[n] for n in sorted(kept))


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
