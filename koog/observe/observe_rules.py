"""The built-in engine of `koog observe`: what in talk is worth keeping, offline.  [seed openclaw-memory]

It extracts and ranks and never invents: an observation is a sentence that somebody said, with what it leans on. Who
said it, what it answers and what is quoted is read by core/text/talk, what it is worth is weighed by core/text/worth.
Tools are not listened to.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, tzinfo
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from koog.core.lazy_regex import compiled
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
    from koog.core.text import talk, worth  # asked of a model, nothing of it is needed
    from koog.core.text.statement import AGENT

    turns, first = (*given.before, *given.turns), len(given.before)
    said = [talk.Said(turn.role, turn.text, at=turn.at.astimezone(given.zone)) for turn in turns]
    new = [replace(each, turn=each.turn - first) for each in talk.of_turns(said) if each.turn > first]
    kept = [each for each in new if worth.is_kept(each) and not secrets.tells_credential(each.told)]
    answered = "\n".join(lean for each in kept if each.reply for lean in each.leans)
    brought = {(each.turn, lean) for each in kept if not each.reply for lean in each.leans}
    # What an agent proposed is told with the person's answer, and what a sentence needs to be understood with it.
    told = [e for e in kept if (e.turn, e.text) not in brought and (e.trust != AGENT or e.text not in answered)]
    found = [_observed(each) for each in told]
    weightiest = sorted(range(len(found)), key=lambda n: -found[n]["importance"])[:MOST]
    return {"observations": [found[n] for n in sorted(weightiest)]}


def _observed(said: Statement) -> Observed:
    from koog.core.text import replies, talk, worth
    from koog.core.text.observation import OF_AGENT, OF_USER
    from koog.core.text.statement import AGENT
    from koog.observe.observations import MAX_TEXT

    speaker = OF_AGENT if said.trust == AGENT else OF_USER if said.reply or talk.is_of_self(said.text) else ""
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
        "text": text if kind == "habit" else _dated(text, said.day),
    }


def _dated(text: str, day: str) -> str:
    """Return a text with the date behind each day that it names without one: "tomorrow" holds for a day."""
    from koog.core.text import dates
    from koog.observe.observations import MAX_TEXT

    said, told = date.fromisoformat(day), set[date]()
    parts, at = list[str](), 0
    for each in dates.found(text, said):
        is_whole = compiled(r"\d{4}").search(each.text) or compiled(NUMBERED).match(text, each.end)
        if each.exact and each.day not in told and not is_whole:
            parts.append(f"{text[at : each.end]} ({each.day})")
            at = each.end
        told.add(each.day)
    whole = "".join((*parts, text[at:]))
    return whole if len(whole) <= MAX_TEXT else text
