"""The built-in engine of `koog observe`: what in talk is worth keeping, offline.  [seed openclaw-memory]

It extracts and ranks and never invents: an observation is a sentence that somebody said,
with the sentence it leans on. Of a user everything counts; of an agent what was decided
and what came out, because the rest is about its next step. Tools are not listened to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple, TypedDict

from koog.core.lazy_regex import compiled
from koog.core.text.measures import content_words
from koog.observe import observe_cues as cues
from koog.observe import observe_noise as noise
from koog.observe.sentences import sentences
from koog.sessions.turn import Turn

_I = re.IGNORECASE
KEPT = 2.0  # weight from which a sentence is kept
MOST = 400  # lines of one part: the schema's limit, and more than 12,000 characters of talk hold
CONFIDENCE = 0.25  # of ten quarters: weight 2 is 0.5, weight 3 is 0.75
LISTENED = {"user": None, "assistant": ("decision", "fact", "event", "goal")}  # None: to all types
AGENT_LESS = 0.4  # an agent talks more, and more of it is about the moment
ECHO = 0.6  # share of an agent's words that the user has just said: it repeats him
LONG_QUESTION, ANSWER_WORDS = 220, 6


BY_WEIGHT = sorted(cues.CUES, key=lambda cue: -cue.weight)  # of equals the first: a rule before a decision
STATEMENT = cues.Cue("fact", 1.9, 4, "")  # no cue at all: kept for a name, a date or a figure in it, or for its length
STATEMENT_WORDS = 4


class Observed(TypedDict):
    turn: int
    type: str
    importance: int
    confidence: float
    text: str


class ObserveAnswer(TypedDict):
    observations: list[Observed]


class ObserveInput(NamedTuple):
    """standing   the newest observations, as the file has them; for a model, so that it does not repeat them"""

    turns: tuple[Turn, ...]
    standing: str = ""


class Weighed(NamedTuple):
    type: str
    weight: float
    importance: int


def answer(given: ObserveInput) -> ObserveAnswer:
    """Return what the turns say, in their order; the weightiest 400 when there is more."""
    found: list[Observed] = []
    asked: list[str] = []
    for n, turn in enumerate(given.turns, 1):
        if turn.role not in LISTENED:
            continue
        said = sentences(turn.text)
        mine = list(_of_turn(n, turn.role, said, asked))
        found += [o for o in mine if turn.role == "user" or not _echoes(o, found)]
        asked = said if turn.role == "assistant" else []
    kept = sorted(sorted(found, key=lambda o: -o["importance"])[:MOST], key=lambda o: o["turn"])
    return {"observations": kept}


def _of_turn(n: int, role: str, said: Sequence[str], asked: Sequence[str]) -> list[Observed]:
    found: list[Observed] = []
    if role == "user" and (chosen := _choice(said, asked)):
        found.append(_observed(n, role, chosen, Weighed("decision", 2.4, 7)))
        said = said[1:]
    before = ""
    for sentence in said:
        text = _without_lead(sentence)
        weighed = _weigh(text, role)
        if weighed:
            found.append(_observed(n, role, _in_context(text, before, asked), weighed))
        before = "" if weighed or _is_empty(text) else text
    return found


def _observed(n: int, role: str, text: str, weighed: Weighed) -> Observed:
    speaker = {"user": "User", "assistant": "Agent"}[role]
    attributed = f"{speaker}: {text}" if compiled(noise.FIRST, _I).search(text) or role == "assistant" else text
    return {
        "turn": n,
        "type": weighed.type,
        "importance": weighed.importance,
        "confidence": round(min(0.9, CONFIDENCE * weighed.weight), 2),
        "text": attributed,
    }


# --- one sentence


def _weigh(text: str, role: str) -> Weighed | None:
    """Return what a sentence is, None when it is not worth keeping."""
    if _is_empty(text) or text.rstrip("\"”')").endswith("?") or compiled(noise.CREDENTIAL, _I).search(text):
        return None
    found = (cue for cue in BY_WEIGHT if _listens(role, cue.type) and compiled(cue.pattern, _I).search(text))
    hits = list(islice(found, 2))
    if not hits and role == "user" and _is_statement(text):
        hits = [STATEMENT]
    if not hits:
        return None
    best = hits[0]
    weight = (
        best.weight + _signs(text, len(hits)) - _noise(text, best, role) - (AGENT_LESS if role == "assistant" else 0.0)
    )
    if weight < KEPT:
        return None
    strong = best.type == "preference" and compiled(noise.STRONG, _I).search(text)
    return Weighed(best.type, weight, min(10, best.importance + (2 if strong else 0)))


def _is_statement(text: str) -> bool:
    """Return whether a sentence without a cue can still say how things are: of somebody else, and in some words."""
    said = compiled(noise.BRACKETED, _I).sub(" ", text)
    return len(content_words(said)) >= STATEMENT_WORDS and not compiled(noise.TO_YOU, _I).search(text)


def _signs(text: str, hits: int) -> float:
    """Return what a sentence gains for what is specific in it."""
    named = compiled(r"(?<=[a-z0-9,;:)’'&-] )[\"“`]?[A-Z][\w’'-]+|`[^`]+`|\b\w+[._/]\w[\w./]*").search(text)
    dated = compiled(cues.WHEN, _I).search(text)
    figured = compiled(cues.NUMBER, _I).search(text)
    full = len(content_words(text)) > STATEMENT_WORDS
    return 0.1 * full + 0.2 * bool(named) + 0.3 * bool(dated) + 0.3 * bool(figured) + 0.2 * (hits > 1)


def _noise(text: str, best: cues.Cue, role: str) -> float:
    """Return what a sentence loses for being talk, a question, a request, or about the moment."""
    lasting = best.type in ("rule", "decision", "preference") and best.weight >= 2.5
    loss = 0.0
    if best.type != "rule" and compiled(noise.QUESTION, _I).match(text):  # without its mark
        loss += 3.0
    if compiled(noise.TALK, _I).search(text):
        loss += 0.4 if best.type in ("rule", "decision") else 0.8 if lasting else 1.6
    if compiled(noise.MOMENT, _I).search(text):
        loss += 0.5 if lasting else 1.4
    if best.type not in ("rule", "goal") and not lasting and compiled(noise.REQUEST, _I).match(text):
        loss += 2.0
    if role == "assistant" and compiled(noise.OFFER, _I).match(text):
        loss += 0.6 if lasting else 1.5
    if best.type in ("fact", "event", "context") and compiled(noise.WORKPIECE, _I).search(text):
        loss += 0.7
    if compiled(noise.SENTIMENT, _I).search(text) and best.importance < 9:
        loss += 0.8
    if compiled(noise.HEDGE, _I).search(text):
        loss += 1.0
    words = len(content_words(text))
    return loss + (2.0 if words < 1 else 0.5 if words < 2 else 0.0)


def _listens(role: str, kind: str) -> bool:
    listened = LISTENED[role]
    return listened is None or kind in listened


def _is_empty(text: str) -> bool:
    return len(text) < 3 or bool(compiled(noise.EMPTY, _I).match(text))


def _without_lead(sentence: str) -> str:
    """Return a sentence without "by the way" and its like, its first letter large."""
    rest = compiled(noise.LEAD, _I).sub("", sentence, count=1)
    return rest[0].upper() + rest[1:] if len(rest) > 1 else sentence


# --- what it leans on


def _in_context(text: str, before: str, asked: Sequence[str]) -> str:
    """Return a sentence with the one that it leans on: the speaker's own before it, else what was asked."""
    leans = compiled(noise.LEANS, _I).match(text) or len(content_words(text)) < 2
    if not leans:
        return text
    if before:
        return f"{before} {text}"
    question = _question(asked)
    return f"{text} (asked: {question})" if question else text


def _choice(said: Sequence[str], asked: Sequence[str]) -> str | None:
    """Return a short answer to a question of choice, with the question; None when there is none."""
    question = _question(asked)
    if not said or not question or not compiled(noise.CHOICE, _I).search(question):
        return None
    first = said[0]
    if compiled(noise.BARE, _I).match(first):
        is_answer = compiled(noise.LASTING, _I).search(question) is not None
    else:
        is_answer = len(first.split()) <= ANSWER_WORDS and first[-1] not in "?!" and not _is_talk(first)
    return f"{first.rstrip('.')} (asked: {question})" if is_answer else None


def _is_talk(text: str) -> bool:
    patterns = (noise.TALK, noise.MOMENT, noise.HEDGE, noise.REQUEST)
    return _is_empty(text) or any(compiled(pattern, _I).search(text) for pattern in patterns)


def _question(asked: Sequence[str]) -> str:
    last = asked[-1] if asked else ""
    return last if last.endswith("?") and len(last) <= LONG_QUESTION else ""


def _echoes(o: Observed, found: Sequence[Observed]) -> bool:
    """Return whether an agent only repeats what was said shortly before."""
    own = content_words(o["text"])
    near = [content_words(f["text"]) for f in found[-8:]]
    return any(len(own & other) >= ECHO * min(len(own), len(other)) for other in near if own and other)
