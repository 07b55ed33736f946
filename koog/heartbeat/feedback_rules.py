"""The built-in answer to `feedback`: what scored well, what badly, and what follows  [sinain §4.4].

Outputs are compared by their words: a term that the well received ones share and the
others lack. The numbers and the directive are computed elsewhere and only explained here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from koog.core.similarity import WORD, document_frequency, stems
from koog.playbook.extract_rules import clip

MIN_OUTPUTS = 5  # sinain §4.4: fewer in 7 days is `insufficient_data`
SHARED_BY = 2  # a term of one output is that output's subject, not a pattern
TERMS = 3  # named per side
EFFECTS = {
    "aggressive_prune": "under 0.4, so the curator removes weak and unverified patterns",
    "normal": "between 0.4 and 0.7, so the curator adds and prunes in balance",
    "stability": "over 0.7, so the curator adds only patterns that score above 0.5",
}


@dataclass(frozen=True)
class FeedbackInput:
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
    """Return a sentence on what sets the well received outputs and the others apart; "" without any."""
    told = [f"{part} score {how}" for how, part in (("well", side(high, low)), ("poorly", side(low, high))) if part]
    if told:
        return f"{' and '.join(told)[:1].upper()}{' and '.join(told)[1:]}."
    return "High and low outputs share no telling words." if high and low else ""


def side(texts: Sequence[str], others: Sequence[str]) -> str:
    """Return what one side's outputs are about: their shared terms, or the one output there is; "" for none."""
    terms = telling(texts, others)
    if terms:
        return f"outputs about {', '.join(terms)}"
    return f"outputs like “{clip(texts[0], 80)}”" if len(texts) == 1 else ""


def telling(texts: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the words that at least two of the texts share and none of the others has, the most shared first."""
    shared, foreign = document_frequency(texts), document_frequency(others)
    roots = [(-n, root) for root, n in shared.items() if n >= SHARED_BY and root not in foreign]
    return [surface(root, texts) for _, root in sorted(roots)[:TERMS]]


def surface(root: str, texts: Sequence[str]) -> str:
    """Return the first word with this stem, as it is written."""
    return next((clip(w, 40) for text in texts for w in WORD.findall(text) if stems(w) == [root]), root)


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
