"""The watchers: three tiers from a message, or the agent's own words, to the active topics.  [autopoiesis §4, §5]

    tier 1   a trigger's pattern matches           free; most topics end here
    tier 2   the topic's text is like the message  only where tier 1 matched
    tier 3   the gate says yes                     only where §5.4 asks for it

What comes before the tiers: a manual topic never activates by itself; one that is active
already needs no reason; an event (webhook, schedule) and an output trigger are the explicit
will of whoever wrote the topic, and activate it at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from koog.core.errors import KoogError, WorkspaceError
from koog.core.named import NamedTuple
from koog.topics import active, bypass, decisions, topics
from koog.topics.decisions import Decision
from koog.topics.topics import Problem, Topic
from koog.topics.triggers import matcher
from koog.topics.triggers.events import CRON, WEBHOOK, Event
from koog.topics.triggers.matcher import Fired, Matched, Matcher

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.topics.gate import Gate

ACTIVE = frozenset({"auto", "critical", "high-confidence", "gate-yes", "correction", "event", "already-active"})
DROPS = frozenset({"dropped", "below-threshold"})
RANKS = {"critical": 0, "high": 1, "medium": 2, "low": 3}
EXPLICIT = (WEBHOOK, CRON)
MOST_TOLD = 5  # patterns that ran out of time, as warnings


class Verdict(NamedTuple):
    """Why one topic is active or not.

    fired       tier 1: the triggers that matched
    score       tier 2, from 0 to 1; None where nobody looked
    threshold   what the score has to reach for this topic
    gate        tier 3; None where it does not come to that
    """

    topic: Topic
    reason: str
    fired: Sequence[Fired]
    score: float | None
    threshold: float
    gate: Gate | None

    @property
    def active(self) -> bool:
        return self.reason in ACTIVE


class Correction(NamedTuple):
    """What an output trigger tells the agent for its next turn.  [§4.3]"""

    topic: str
    hint: str
    what: str


class Checked(NamedTuple):
    """What one message came to.

    verdicts       every topic: the active ones first, then by priority, by score and by name
    matched        tier 1, which can tell of each trigger why it fired or not
    problems       what is wrong in topic files, which therefore are no topics
    failure        the gate's last error, None when nothing failed
    message_hash   what its decisions are logged under, None where nothing fired
    """

    verdicts: list[Verdict]
    matched: Matched
    corrections: list[Correction]
    problems: list[Problem]
    failure: KoogError | None
    message_hash: str | None

    @property
    def active(self) -> list[Topic]:
        return [v.topic for v in self.verdicts if v.active]


def check(
    run: Run, text: str, *, direction: str = "input", event: Event | None = None, ask_gate: bool = True
) -> Checked:
    """Run the three tiers over a text and log what was decided.

    direction   "input": the user's words; "output": the agent's own
    event       what a webhook or a schedule says; the text may then be empty
    ask_gate    False: only cached answers of the gate count

    A topic whose gate fails does not activate, and a warning says so. Nothing is activated
    beyond this message: that is the caller's. Raises WorkspaceError.
    """
    loaded = topics.load(run.workspace)
    matched = Matcher(loaded.topics).match(text, direction, event)
    for late in matched.timed_out[:MOST_TOLD]:
        run.warnings.append(f"topic {late.topic}: {late.message}")
    lasting = {a.name for a in active.current(run.workspace, run.now)}
    corrections = _corrections(loaded.topics, text, lasting) if direction == "output" else []
    undecided = _before_the_gate(
        run, loaded.topics, text, fired=matched.fired, lasting=lasting, corrected={c.topic for c in corrections}
    )
    verdicts, failure = _through_the_gate(run, text, sorted(undecided, key=_order), ask=ask_gate)
    hashed = decisions.message_hash(text) if matched.fired else None
    _log(run, [_decision(run, v, hashed) for v in verdicts if hashed and _decided(v)])
    return Checked(
        verdicts=sorted(verdicts, key=_order),
        matched=matched,
        corrections=corrections,
        problems=loaded.problems,
        failure=failure,
        message_hash=hashed,
    )


def _corrections(known: Sequence[Topic], text: str, lasting: set[str]) -> list[Correction]:
    """Return the hints of output triggers, each once; a manual topic gives some only while it is active."""
    awake = [topic for topic in known if topic.activation != "manual" or topic.name in lasting]
    found = {(name, hint): what for name, hint, what in reversed(matcher.corrections(awake, text))}
    return [Correction(name, hint, what) for (name, hint), what in reversed(found.items())]


def _scores(known: Sequence[Topic], text: str, fired: dict[str, list[Fired]]) -> dict[str, float]:
    """Return tier 2 of what tier 1 let through, as it is told and logged: to four places."""
    if not fired or not text:
        return {}
    scores = {name: 1.0 for name, found in fired.items() if any(each.is_exact for each in found)}
    if rest := [name for name in fired if name not in scores]:
        from koog.topics.likeness import Scorer  # most messages end at tier 1

        scores |= {name: round(score, 4) for name, score in Scorer(known).scores(text, rest).items()}
    return scores


def _before_the_gate(
    run: Run,
    known: Sequence[Topic],
    text: str,
    *,
    fired: dict[str, list[Fired]],
    lasting: set[str],
    corrected: set[str],
) -> list[Verdict]:
    """Return what the tiers before the gate say; "ask" is the reason of what it has to decide."""
    scores = _scores(known, text, fired)
    default = run.settings.get("topics.similarityThreshold")
    verdicts = []
    for topic in known:
        own, matched, score = topic.similarity_threshold, fired.get(topic.name, []), scores.get(topic.name)
        if topic.name in corrected:
            reason = "correction"
        elif topic.name in lasting:
            reason = "already-active"
        else:
            reason = _reason(topic, matched, score=score or 0.0, default=default)
        threshold = bypass.needed(topic.activation, topic.priority, own=own, default=default)
        verdicts.append(Verdict(topic, reason, matched, score, threshold, None))
    return verdicts


def _reason(topic: Topic, fired: Sequence[Fired], *, score: float, default: float) -> str:
    if topic.activation == "manual":
        return "manual-only"
    if any(each.type in EXPLICIT for each in fired):
        return "event"
    if not fired:
        return "no-pattern"
    return bypass.way(
        activation=topic.activation,
        priority=topic.priority,
        score=score,
        own=topic.similarity_threshold,
        default=default,
    )


def _through_the_gate(
    run: Run, text: str, undecided: Sequence[Verdict], *, ask: bool
) -> tuple[list[Verdict], KoogError | None]:
    """Return the verdicts with the gate's word on those that wait for it, the first ones first, and its last error."""
    if all(verdict.reason != "ask" for verdict in undecided):
        return list(undecided), None
    from koog.topics.gate import Gatekeeper

    keeper, decided = Gatekeeper(run, text, ask=ask), []
    for verdict in undecided:
        gate = keeper.decide(verdict.topic, verdict.fired) if verdict.reason == "ask" else None
        decided.append(verdict._replace(reason=gate.reason, gate=gate) if gate else verdict)
    keeper.keep()
    return decided, keeper.failure


def _log(run: Run, made: Sequence[Decision]) -> None:
    try:
        decisions.record(run.workspace, made)
    except WorkspaceError as e:  # tuning misses a line; the topics are active all the same
        run.warnings.append(f"topic decisions not logged: {e.message}")


def _order(verdict: Verdict) -> tuple[bool, int, float, str]:
    return not verdict.active, RANKS[verdict.topic.priority], -(verdict.score or 0.0), verdict.topic.name


def _decided(verdict: Verdict) -> bool:
    """Return whether a verdict is a decision about this message: the gate's, an activation without one, or a drop.

    An earlier answer of the gate is logged already; an event has no message, and what lasts was decided before.
    """
    if verdict.gate:
        return verdict.gate.answer is not None and not verdict.gate.cached
    return verdict.reason in DROPS or (verdict.active and verdict.reason not in ("event", "already-active"))


def _decision(run: Run, verdict: Verdict, hashed: str) -> Decision:
    gate = verdict.gate
    return Decision(
        timestamp=run.now,
        message_hash=hashed,
        topic_name=verdict.topic.name,
        tier1_matched=bool(verdict.fired),
        tier2_score=verdict.score,
        gate_result=gate.answer == "yes" if gate else None,
        engine=gate.engine if gate else None,
        dropped=verdict.reason in DROPS,
    )
