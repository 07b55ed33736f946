"""The built-in engine of `koog observe`: what in talk is worth keeping, offline.  [seed openclaw-memory]

It extracts and ranks and never invents: an observation is a sentence that somebody said, with what it leans on. Who
said it, what it answers and what is quoted is read by core/text/talk, what it is worth is weighed by core/text/worth.
Tools are not listened to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, tzinfo
from typing import TYPE_CHECKING, TypedDict

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import secrets
from koog.sessions.turn import Turn

if TYPE_CHECKING:
    from koog.core.text.statement import Statement

MOST = 400  # lines of one part: the schema's limit, and more than 12,000 characters of talk hold
SUREST = 0.95
# Behind a weekday: "Thursday the 19th" is no Thursday that comes next.
NUMBERED = r"(?i),?\s*(?:the |den |der |el |le )?\d{1,2}(?:th|st|nd|rd|\.|\b)(?!\s?(?::|h\b|uhr|am\b|pm\b|o'clock))"


class Observed(TypedDict):
    turn: int
    type: str
    importance: int
    confidence: float
    text: str


class ObserveAnswer(TypedDict):
    observations: list[Observed]


class ObserveInput(NamedTuple):
    """What an engine is asked about.

    before     what was said right before them: they are read with it, and nothing is observed of it
    standing   the newest observations, as the file has them; for a model, so that it does not repeat them
    zone       the person's own, in which "tomorrow" is a day
    """

    turns: tuple[Turn, ...]
    standing: str = ""
    zone: tzinfo = UTC
    before: tuple[Turn, ...] = ()


def answer(given: ObserveInput) -> ObserveAnswer:
    """Return what the turns say, in their order; the weightiest 400 when there is more."""
    found = [observed(each) for each in told(given)]
    weightiest = sorted(range(len(found)), key=lambda n: -found[n]["importance"])[:MOST]
    return {"observations": [found[n] for n in sorted(weightiest)]}


def told(given: ObserveInput) -> list[Statement]:
    """Return what the turns say that is worth keeping, in their order."""
    return worth_telling(said(given))


def said(given: ObserveInput) -> list[Statement]:
    """Return all that the turns say; a statement of what was said before has a turn below 1."""
    from koog.core.text import talk  # asked of a model, nothing of it is needed

    turns, first = (*given.before, *given.turns), len(given.before)
    found = talk.of_turns([talk.Said(turn.role, turn.text, at=turn.at.astimezone(given.zone)) for turn in turns])
    return [replace(each, turn=each.turn - first) for each in found]


def worth_telling(found: Sequence[Statement]) -> list[Statement]:
    """Return those of the new statements that are worth keeping, none of them twice."""
    from koog.core.text import worth
    from koog.core.text.voices import AGENT

    new = [each for each in found if each.turn > 0]
    kept = [each for each in new if worth.is_kept(each) and not secrets.tells_credential(each.told)]
    answered = "\n".join(lean for each in kept if each.reply for lean in each.leans)
    brought = {(each.turn, lean) for each in kept if not each.reply for lean in each.leans}
    # What an agent proposed is told with the person's answer, and what a sentence needs to be understood with it.
    return [e for e in kept if (e.turn, e.text) not in brought and (e.trust != AGENT or e.text not in answered)]


def observed(said: Statement, *, dated: bool = True) -> Observed:
    """Return a statement as an observation, understandable alone.

    dated   a date stands behind each day that it names without one; else only behind "tomorrow" and the like, for where
            the day on which it was said is told with it
    """
    from koog.core.text import of_self, replies, talk, worth
    from koog.core.text.observation import OF_AGENT, OF_USER
    from koog.core.text.voices import AGENT
    from koog.observe.observations import MAX_TEXT

    speaker = OF_AGENT if said.trust == AGENT else OF_USER if said.reply or of_self.is_of_self(said.text) else ""
    kind, shown = worth.kind(said), said
    if talk.stands_alone(said):
        shown = replace(said, leans=())
    elif (
        said.to == AGENT and said.reply != replies.YES and not replies.is_question(said.leans[-1])
    ):  # who said the wrong one
        shown = replace(said, leans=(*said.leans[:-1], f"({OF_AGENT}{said.leans[-1]})"))
    text = speaker + shown.told_within(MAX_TEXT - len(speaker))
    return {
        "turn": said.turn,
        "type": kind,
        "importance": worth.importance(said),
        "confidence": round(min(SUREST, worth.worth(said)), 2),
        "text": text if kind == "habit" else _dated(text, said.day, figures=dated),
    }


def _names_weekday(text: str) -> bool:
    from koog.core.text.dates import WEEKDAYS

    return any(word in WEEKDAYS for word in compiled(r"[^\W\d_]+").findall(text.lower()))


def _dated(text: str, day: str, *, figures: bool = True) -> str:
    """Return a text with the date behind each day that it names without one: "tomorrow" holds for a day.

    figures   also behind a weekday, and behind what names a day in figures, but no year
    """
    from koog.core.text import dates
    from koog.observe.observations import MAX_TEXT

    said, told = date.fromisoformat(day), set[date]()
    parts, at = list[str](), 0
    for each in dates.found(text, said):
        is_whole = compiled(r"\d{4}").search(each.text) or compiled(NUMBERED).match(text, each.end)
        is_told = not figures and (compiled(r"\d").search(each.text) or _names_weekday(each.text))
        if each.exact and each.day not in told and not is_whole and not is_told:
            parts.append(f"{text[at : each.end]} ({each.day})")
            at = each.end
        told.add(each.day)
    whole = "".join((*parts, text[at:]))
    return whole if len(whole) <= MAX_TEXT else text
