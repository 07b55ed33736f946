"""Whether a topic needs the gate, from its priority and its similarity score.  [autopoiesis §5.4]

    priority    tier 1   score    gate
    critical    yes      any      no: active at once
    high        yes      ≥ 0.3    no: high confidence
    high        yes      < 0.3    yes
    medium      yes      ≥ 0.2    yes
    medium      yes      < 0.2    dropped
    low         yes      ≥ 0.3    yes
    low         yes      < 0.3    dropped

A topic that tier 1 did not match never gets here, nor does a manual one. The table is for
gated topics; an `auto` one skips the gate and has passed tier 2 when it reaches its threshold
(§5.2), and a critical one is active at once either way. A threshold that a gated topic states
itself is a floor beside the table's: it can only drop more.
"""

from __future__ import annotations

from typing import Final, Literal

Way = Literal["critical", "auto", "high-confidence", "ask", "below-threshold", "dropped"]

CONFIDENT: Final = 0.3  # a high topic's score from which on nobody is asked
FLOORS: Final = {"critical": 0.0, "high": 0.0, "medium": 0.2, "low": 0.3}  # below its floor a gated topic is dropped


def way(*, activation: str, priority: str, score: float, own: float | None, default: float) -> Way:
    """Return what happens to a topic whose pattern matched.

    score     tier 2's, from 0 to 1
    own       the threshold that the topic states, None without one
    default   the threshold of the config
    """
    if priority == "critical":
        return "critical"
    if activation == "auto":
        return "auto" if score >= needed(activation, priority, own=own, default=default) else "below-threshold"
    if score < FLOORS[priority]:
        return "dropped"
    if own is not None and score < own:
        return "below-threshold"
    return "high-confidence" if priority == "high" and score >= CONFIDENT else "ask"


def needed(activation: str, priority: str, *, own: float | None, default: float) -> float:
    """Return the score that a topic must reach to activate or to be asked about."""
    if priority == "critical":
        return 0.0
    if activation == "auto":
        return default if own is None else own
    return max(FLOORS[priority], own or 0.0)
