"""The built-in answer to `feedback`: what scored well, what badly, and what follows  [sinain §4.4].

Outputs are compared by their words: a term that the well received ones share and the
others lack. The numbers and the directive are computed elsewhere and only explained here.
This module is on the way of every `koog feedback`, so it imports what it needs where it needs it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypedDict

from koog.core.named import NamedTuple

MIN_OUTPUTS = 5  # sinain §4.4: fewer in 7 days is `insufficient_data`
SHARED_BY = 2  # a term of one output is that output's subject, not a pattern
TERMS = 3  # named per side
LEAST_LETTERS = 4
QUOTE_CHARS = 60
# An article, preposition or possessive before a word tells a noun from a verb, or it is written as a name.
NOUN = r"(?i)\b(?:the|an?|of|in|on|for|with|from|by|per|this|that|each|every|no|its|your|our|my)\s+(?:\w+\s)?{}\b"
NAME = r"\w[A-Z]|\d|\w[./_-]\w"
# Nouns in form that name no subject, and verbs that follow a noun as it does.
EMPTY = frozenset(
    """
    also been before case check comes does done each else ever fail failed failing fails first fixed from gets
    goes half hand have hour hours into just last later look made make makes means minute minutes more most much
    need needs next once only other over part passes past place playbook read runs said same says second should
    sits still such take takes than that them then there they thing this time times today tomorrow wait waits want
    wants were what when which while will with work works would year your
    """.split()
)
EFFECTS = {
    "aggressive_prune": "under 0.4, so the curator removes weak and unverified patterns",
    "normal": "between 0.4 and 0.7, so the curator adds and prunes in balance",
    "stability": "over 0.7, so the curator adds only patterns that score above 0.5",
}


class FeedbackInput(NamedTuple):
    """What the arithmetic found. A tuple, since making a dataclass would double the cost of the import."""

    feedback_scores: dict[str, Any]  # {"avg": float | None, "high": [str], "low": [str]}; a text or a tickId each
    effectiveness: dict[str, Any]  # {outputs, positive, negative, neutral, rate}, of 7 days
    curate_directive: str
    logs: tuple[dict[str, Any], ...]


class FeedbackAnswer(TypedDict):
    interpretation: str


def answer(given: FeedbackInput) -> FeedbackAnswer:
    """Return one or two sentences: the terms that score well and badly, then the directive and its reason."""
    high, low = (outputs(given.feedback_scores.get(side), given.logs) for side in ("high", "low"))
    return {"interpretation": f"{contrast(high, low)} {effect(given.effectiveness, given.curate_directive)}".strip()}


def outputs(named: object, logs: Sequence[object]) -> list[str]:
    """Return the words of each named output: those of the tick with that id where the logs have it, else the name."""
    spoken = {}
    for log in logs:
        output = log.get("output") if isinstance(log, dict) else None
        if isinstance(output, dict) and isinstance(log, dict) and isinstance(log.get("tickId"), str):
            said = (output.get("suggestion"), output.get("insight"))
            spoken[log["tickId"]] = " ".join(text for text in said if isinstance(text, str))
    return [spoken.get(name) or name for name in named if isinstance(name, str)] if isinstance(named, list) else []


def contrast(high: Sequence[str], low: Sequence[str]) -> str:
    """Return a sentence on what sets the well received outputs and the others apart; "" without any.

    high, low   the best, and the worst, first
    """
    sides = (side(high, low, how="well", extreme="best"), side(low, high, how="poorly", extreme="worst"))
    sentence = " and ".join(filter(None, sides))
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


def side(texts: Sequence[str], others: Sequence[str], *, how: str, extreme: str) -> str:
    """Return what one side is about, or its first output where it shares no telling term; "" without any."""
    terms = telling(texts, others)
    if terms:
        return f"outputs about {', '.join(terms)} score {how}"
    return f"{quoted(texts[0])} scores {extreme}" if texts else ""


def quoted(text: str) -> str:
    """Return how a text begins, in quotation marks."""
    short = " ".join(text.replace("“", "").replace("”", "").split())
    if len(short) > QUOTE_CHARS:
        short = short[:QUOTE_CHARS].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"
    return f"“{short.rstrip('.')}”"


def telling(texts: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the terms that at least two of the texts share and none of the others has, the most shared first.

    A term is a whole word as it stands in the texts: a noun by what precedes it, or a name.
    """
    from collections import Counter

    foreign = {word.lower() for text in others for word in words(text)}
    count = Counter(word for text in texts for word in {w.lower() for w in words(text)})
    shared = [w for w, n in sorted(count.items(), key=lambda c: (-c[1], c[0])) if n >= SHARED_BY and w not in foreign]
    return [shown for word in shared if (shown := as_term(word, texts))][:TERMS]


def words(text: str) -> list[str]:
    found: list[str] = re.findall(r"[^\W_]+(?:[._/'’+#-][^\W_]+)*", text)
    return [w for w in found if len(w) >= LEAST_LETTERS]


def as_term(word: str, texts: Sequence[str]) -> str | None:
    """Return a lower-case word as it is written in the texts, None when it is no noun and no name."""
    if word in EMPTY or re.search(r"(?:ed|ly)$|^\d", word):
        return None
    written = [w for text in texts for w in words(text) if w.lower() == word]
    inside: list[str] = [
        w for text in texts for w in re.findall(rf"(?<=[a-z,] ){re.escape(word)}\b", text, re.IGNORECASE)
    ]
    name = next((w for w in [*inside, *written] if re.search(NAME, w) or (w in inside and w[0].isupper())), None)
    if name:
        return name[:40]
    noun = any(re.search(NOUN.format(re.escape(word)), text) for text in texts)
    return written[0].lower()[:40] if noun and written else None


def effect(effectiveness: dict[str, Any], directive: str) -> str:
    """Return what the directive does and why; with too few outputs, how many are missing."""
    count, rate = effectiveness.get("outputs"), effectiveness.get("rate")
    made = count if isinstance(count, int) and count > 0 else 0
    if directive in EFFECTS and isinstance(rate, (int, float)):
        return f"The rate of {rate:.2f} over {made} outputs is {EFFECTS[directive]}."
    missing = max(0, MIN_OUTPUTS - made)
    return (
        f"{made} of the {MIN_OUTPUTS} outputs needed in 7 days: {missing} more before the rate counts; "
        "the curator leaves effectiveness aside."
    )
