"""Outputs and what followed them → scores, rate, directive. Arithmetic only.  [sinain §4.4, §8.2]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from koog.core.named import NamedTuple
from koog.core.text.measures import about, repeats

WINDOW_DAYS = 7
MIN_OUTPUTS = 5  # fewer in seven days say nothing
POSITIVE, NEGATIVE = 0.2, -0.1  # a score above is positive, one below negative
LOW_RATE, HIGH_RATE = 0.4, 0.7
FOLLOWING = 3  # ticks that may show what became of an output

# What followed an output is worth, when the host sends no score. Signs are sinain §8.2's
# (errorCleared, re-escalation, dwell); sizes keep one weak sign within neutral.
TAKEN_UP, ERROR_GONE, ERROR_BACK, REPEATED = 0.5, 0.4, -0.4, -0.2
SPAWN_SCORES = {"useful": 0.5, "ignored": -0.3, "error": -0.4, "timeout": -0.3}


class Scored(NamedTuple):
    """One output and its score, from -1 to 1; `source` is host, next (the next tick's average), derived or none.

    final   no later tick changes it: a derived score is one once three ticks have followed; none is 0 until then
    """

    tick_id: str
    score: float
    source: str
    suggestion: str
    final: bool = True

    @property
    def mark(self) -> str:
        """Return by what it is known to have been counted; a host's score that comes late counts, too."""
        return f"{self.tick_id}#host" if self.source == "host" else self.tick_id


def score_outputs(entries: Sequence[dict[str, Any]], scores: Mapping[str, float]) -> list[Scored]:
    """Return the score of each output, newest first.

    entries   normalized ticks, newest first
    scores    the host's compositeScore by tickId

    An output is paired with the next *tick*. The newest tick has none yet: unless the host scored it, its output
    counts as one that neither pleased nor displeased.
    """
    found = []
    for i, entry in enumerate(entries):
        if not entry["output"]:
            continue
        later = list(reversed(entries[max(0, i - FOLLOWING) : i]))  # oldest first
        score, source = _score(entry, later, scores) or (0.0, "none")
        final = source in ("host", "next") or len(later) >= FOLLOWING
        found.append(Scored(entry["tickId"], score, source, entry["output"]["suggestion"], final))
    return found


def effectiveness(scored: Sequence[Scored]) -> dict[str, Any]:
    """Return {outputs, positive, negative, neutral, rate}; rate is null without outputs.

    >>> effectiveness([Scored("a", 0.5, "host", ""), Scored("b", 0.0, "host", "")])
    {'outputs': 2, 'positive': 1, 'negative': 0, 'neutral': 1, 'rate': 0.5}
    """
    positive = sum(s.score > POSITIVE for s in scored)
    negative = sum(s.score < NEGATIVE for s in scored)
    return {
        "outputs": len(scored),
        "positive": positive,
        "negative": negative,
        "neutral": len(scored) - positive - negative,
        "rate": round(positive / len(scored), 4) if scored else None,
    }


def directive(outputs: int, positive: int) -> str:
    """Return the curate directive. 0.4 and 0.7 themselves are `normal`, five outputs suffice.

    >>> [directive(5, n) for n in (1, 2, 3, 4)], directive(4, 4), directive(10, 7)
    (['aggressive_prune', 'normal', 'normal', 'stability'], 'insufficient_data', 'normal')
    """
    if outputs < MIN_OUTPUTS:
        return "insufficient_data"
    # Compared as integers: 7/10 must not land on the wrong side of 0.7 by a rounding error.
    if positive * 10 < outputs * round(LOW_RATE * 10):
        return "aggressive_prune"
    if positive * 10 > outputs * round(HIGH_RATE * 10):
        return "stability"
    return "normal"


def feedback_scores(scored: Sequence[Scored], already: set[str]) -> dict[str, Any]:
    """Return {avg, high, low, scored}: the average of the outputs that no log entry has scored yet, and the extremes.

    already   marks of what an earlier entry's `feedbackScores.scored` names
    """
    new = [s for s in scored if s.final and s.mark not in already]
    best = sorted((s for s in scored if s.score > POSITIVE), key=lambda s: -s.score)[:5]
    worst = sorted((s for s in scored if s.score < NEGATIVE), key=lambda s: s.score)[:5]
    return {
        "avg": round(sum(s.score for s in new) / len(new), 4) if new else None,
        "high": [_told(s) for s in best],
        "low": [_told(s) for s in worst],
        "scored": [{"tickId": s.tick_id, "score": s.score, "source": s.source} for s in new],
    }


def already_scored(entries: Sequence[dict[str, Any]]) -> set[str]:
    """Return the marks of the scores that stand in a log entry."""
    lists = [(e["feedbackScores"] or {}).get("scored") for e in entries]
    rows = [r for rows in lists if isinstance(rows, list) for r in rows]  # an agent writes what it likes there
    told = [r for r in rows if isinstance(r, dict) and "tickId" in r]
    sources = ("host", "derived")  # an entry that does not say which means both
    return {Scored(str(r["tickId"]), 0.0, s, "").mark for r in told for s in sources if r.get("source", s) == s}


def footer(found: Mapping[str, Any]) -> str:
    """Return the value of the playbook's `effectiveness` comment.  [sinain §5.6]"""
    rate = f"{found['rate']:g}" if found["rate"] is not None else "0"
    counts = ",".join(f"{k}={found[k]}" for k in ("outputs", "positive", "negative", "neutral"))
    return f"{counts},rate={rate}"


def _score(
    entry: dict[str, Any], later: Sequence[dict[str, Any]], scores: Mapping[str, float]
) -> tuple[float, str] | None:
    if entry["tickId"] in scores:
        return scores[entry["tickId"]], "host"
    if not later:
        return None
    told = later[0]["feedbackScores"] or {}
    average = told.get("avg")
    # An entry that lists what it scored may have averaged other outputs; a bare average is about the tick before it.
    if isinstance(average, (int, float)) and not isinstance(average, bool) and "scored" not in told:
        return max(-1.0, min(1.0, float(average))), "next"
    return derived(entry, later), "derived"


def derived(entry: dict[str, Any], later: Sequence[dict[str, Any]]) -> float:
    """Return a score from what followed an output, from -1 to 1; 0.0 when nothing tells.

    later   the following ticks, oldest first

    Error gone: the tick named a high-priority signal and no later tick does.
    Taken up: a later summary shares most of the suggestion's words.
    Repeated: a later output had to say the same again.
    """
    suggestion = entry["output"]["suggestion"]
    total = 0.0
    pains = [s["description"] for s in entry["signals"] if s["priority"] == "high"]
    if pains:
        seen = [s["description"] for e in later for s in e["signals"]] + [e["sessionHistorySummary"] for e in later]
        back = any(repeats(pain, text) for pain in pains for text in seen)
        total += ERROR_BACK if back else ERROR_GONE
    if any(about(e["sessionHistorySummary"], suggestion) for e in later):
        total += TAKEN_UP
    if any(repeats(suggestion, (e["output"] or {}).get("suggestion", "")) for e in later):
        total += REPEATED
    outcomes = [spawn_outcome(e) for e in later]
    total += next((SPAWN_SCORES[o] for o in outcomes if o in SPAWN_SCORES), 0.0)
    return max(-1.0, min(1.0, round(total, 4)))


def spawn_outcome(entry: Mapping[str, Any]) -> str | None:
    """Return the word of an entry's `spawnOutcome`, which may be a word or an object with `outcome`."""
    told = entry["spawnOutcome"]
    word = told.get("outcome") if isinstance(told, dict) else told
    return word if isinstance(word, str) else None


def _told(scored: Scored) -> str:
    return scored.suggestion[:160] or scored.tick_id
