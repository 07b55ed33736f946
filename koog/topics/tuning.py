"""What the log of gate decisions says about a topic: counts, and what its person might change.  [autopoiesis §5.5]

A decision was good when the topic was useful, or, as long as nobody has said, when the gate said
yes; it was bad when it was useless, or the gate said no. An activation without a gate that nobody
has judged is neither, nor is a drop; but what is dropped each time can never be of use. Pure
arithmetic: nothing is applied, a proposal is a text with its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from koog.core.named import NamedTuple
from koog.topics import bypass
from koog.topics.decisions import Decision

ENOUGH = 8  # judged decisions of a topic: fewer say nothing
FEWER_ERRORS = 2  # a threshold that would have decided one message better is chance
NEAR = 0.05  # above the threshold: what lies there tells what lies just below
ENOUGH_NEAR, GOOD_NEAR = 4, 0.9
LOWEST = 0.05  # no threshold is proposed below: there any text is like any other
HIGHER = {"low": "medium", "medium": "high"}


class Counts(NamedTuple):
    """One topic's decisions, counted.

    fired       it was activated, by the gate or without one
    dropped     its triggers matched, but its likeness was too small
    precision   useful of useful and useless, None as long as nobody has said
    """

    decisions: int
    fired: int
    dropped: int
    gate_yes: int
    gate_no: int
    useful: int
    useless: int
    precision: float | None


class Rule(NamedTuple):
    """What decides about a topic now; default is the config's threshold."""

    activation: str
    priority: str
    own: float | None
    default: float

    @property
    def threshold(self) -> float:
        return bypass.needed(self.activation, self.priority, own=self.own, default=self.default)


class Proposal(NamedTuple):
    """One change that the log speaks for: a frontmatter key of the topic, its value now and then."""

    key: str
    now: float | str | None
    then: float | str | None
    decisions: int
    why: str


def counts(made: Sequence[Decision]) -> Counts:
    useful, useless = (sum(d.was_useful is said for d in made) for said in (True, False))
    return Counts(
        decisions=len(made),
        fired=sum(d.activated for d in made),
        dropped=sum(d.dropped for d in made),
        gate_yes=sum(d.gate_result is True for d in made),
        gate_no=sum(d.gate_result is False for d in made),
        useful=useful,
        useless=useless,
        precision=round(useful / (useful + useless), 3) if useful + useless else None,
    )


def good(decision: Decision) -> bool | None:
    """Return whether the topic was wanted, None as long as nobody knows. A person's word comes before the gate's."""
    return decision.gate_result if decision.was_useful is None else decision.was_useful


def proposals(made: Sequence[Decision], rule: Rule) -> list[Proposal]:
    """Return what to change about a topic, by the judged ones of its decisions."""
    if rule.priority == "critical" or rule.activation == "manual":
        return []
    judged = [(d.tier2_score, wanted) for d in made if d.tier2_score is not None and (wanted := good(d)) is not None]
    if len(made) >= ENOUGH and all(d.dropped and d.was_useful is not False for d in made):
        return _lower(rule, len(made), f"its triggers matched {len(made)} times, and each time it was dropped")
    if len(judged) < ENOUGH:
        return []
    if not any(wanted for _, wanted in judged):
        why = f"none of its {len(judged)} judged decisions was wanted: its patterns look for something else"
        return [Proposal("triggers", None, None, len(judged), why)]
    if found := _raised(judged, rule):
        return [found]
    if lowered := _lowered(judged, rule):
        return lowered
    asked = sum(d.gate_result is not None for d in made)
    if asked >= ENOUGH and all(wanted for _, wanted in judged):
        why = f"the gate said yes all {asked} times: it only costs"
        return [Proposal("activation", rule.activation, "auto", asked, why)]
    return []


def _raised(judged: Sequence[tuple[float, bool]], rule: Rule) -> Proposal | None:
    """Return the threshold that would have decided best, where it is higher and clearly better than the present one."""
    best = separating(judged)
    before, after = errors(judged, rule.threshold), errors(judged, best)
    if best <= rule.threshold or before - after < FEWER_ERRORS:
        return None
    why = f"of {len(judged)} judged decisions {before} were wrong; at {best} it would have been {after}"
    return Proposal("similarity_threshold", rule.own, best, len(judged), why)


def _lowered(judged: Sequence[tuple[float, bool]], rule: Rule) -> list[Proposal]:
    """Return a lower threshold, or a higher priority, where nearly all that lies near the present one was wanted.

    What lies below is judged only where a person says so of a drop: a guess, and a small step.
    """
    threshold = rule.threshold
    near = [wanted for score, wanted in judged if threshold - NEAR <= score < threshold + NEAR]
    if len(near) < ENOUGH_NEAR or sum(near) < GOOD_NEAR * len(near):
        return []
    why = f"{sum(near)} of the {len(near)} decisions near {threshold} were right: more may lie just below"
    return _lower(rule, len(near), why)


def _lower(rule: Rule, count: int, why: str) -> list[Proposal]:
    """Return the step down: the floor of a gated topic is its priority's, which no threshold of its own can lower."""
    threshold = rule.threshold
    if threshold <= LOWEST:
        return []
    floor = LOWEST if rule.activation == "auto" else bypass.FLOORS[rule.priority]
    if threshold > floor:
        return [Proposal("similarity_threshold", rule.own, round(max(floor, threshold - NEAR), 3), count, why)]
    if rule.activation == "gated" and rule.priority in HIGHER:
        return [Proposal("priority", rule.priority, HIGHER[rule.priority], count, why)]
    return []


def errors(judged: Iterable[tuple[float, bool]], threshold: float) -> int:
    """Return how many decisions a threshold gets wrong: wanted below it, unwanted from it on.

    >>> errors([(0.2, False), (0.4, True)], 0.15), errors([(0.2, False), (0.4, True)], 0.3)
    (1, 0)
    """
    return sum(wanted != (score >= threshold) for score, wanted in judged)


def separating(judged: Sequence[tuple[float, bool]]) -> float:
    """Return the threshold with the fewest errors: halfway between two scores, the lowest of equals.

    >>> separating([(0.2, False), (0.4, True), (0.5, True)])
    0.3
    """
    scores = sorted({score for score, _ in judged})
    halves = [scores[0], *(round((a + b) / 2, 3) for a, b in pairwise(scores))]
    return min(halves, key=lambda t: (errors(judged, t), t))
