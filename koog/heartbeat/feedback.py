"""koog feedback: what did the last outputs achieve?  [sinain §4.4, design §5]

Reads   playbook-logs of 7 days
Writes  with --scores: one `score` line each in today's log
Asks    the `feedback_analyzer` route, for the interpretation only
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock
from koog.core.errors import LLMUnavailable, LLMUnusable, Refused, UsageError
from koog.core.files import jsonfiles
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import object_or_stdin
from koog.core.task import Task
from koog.heartbeat import effectiveness, feedback_rules, ticks, whose
from koog.heartbeat.effectiveness import Scored
from koog.heartbeat.feedback_rules import FeedbackInput

TICK_ID_CHARS = 200
MOST_TOLD = 50  # recorded tickIds in the reply

TASK = Task(
    file=Path(__file__),
    route="feedback_analyzer",
    rules=feedback_rules.answer,
    render=lambda given: {
        "directive": given.curate_directive,
        "effectiveness": jsonfiles.line(given.effectiveness),
        "high": "\n".join(f"- {text}" for text in given.feedback_scores["high"]),
        "low": "\n".join(f"- {text}" for text in given.feedback_scores["low"]),
    },
    writes=False,
)


class Found(NamedTuple):
    """The arithmetic of one moment."""

    scores: dict[str, Any]
    effectiveness: dict[str, Any]
    directive: str
    scored: list[Scored]
    log: ticks.Log


def feedback(
    ctx: typer.Context,
    scores: Annotated[
        str | None, typer.Option(metavar="JSON|-", help='The host\'s compositeScore by tickId: {"<tickId>": 0.4}.')
    ] = None,
) -> Reply:
    """Score the last outputs, compute effectiveness, choose the curate directive."""
    run: Run = ctx.obj
    recorded = record(run, _parsed(scores)) if scores is not None else []
    found = _heard(run, measure(run))
    return Reply("koog.feedback/1", **keys(found), interpretation=_if_possible(run, found), recorded=recorded)


def measure(run: Run) -> Found:
    """Compute scores, effectiveness and directive from the logs. No model."""
    log = ticks.read(run.workspace, now=run.now, days=effectiveness.WINDOW_DAYS)
    scored = effectiveness.score_outputs(log.entries, log.scores)
    figures = effectiveness.effectiveness(scored)
    return Found(
        scores=effectiveness.feedback_scores(scored, effectiveness.already_scored(log.entries)),
        effectiveness=figures,
        directive=effectiveness.directive(figures["outputs"], figures["positive"]),
        scored=scored,
        log=log,
    )


def _heard(run: Run, found: Found) -> Found:
    """Return what the reader may be told of the outputs: their texts are of the project that they were written for."""
    if whose.hears_ticks(run):
        return found
    return found._replace(scores={**found.scores, "high": [], "low": [], "scored": []}, log=ticks.Log((), {}))


def keys(found: Found) -> dict[str, Any]:
    """Return the reply's keys that arithmetic fills."""
    return {
        "feedbackScores": found.scores,
        "effectiveness": found.effectiveness,
        "effectivenessAlert": found.directive == "aggressive_prune",
        "curateDirective": found.directive,
    }


def interpret(run: Run, found: Found) -> str:
    """Return what an engine makes of the numbers, in a sentence or two."""
    found = _heard(run, found)
    given = FeedbackInput(
        feedback_scores=found.scores,
        effectiveness=found.effectiveness,
        curate_directive=found.directive,
        logs=found.log.entries,
    )
    return str(run.ask(TASK, given).value["interpretation"])


def _if_possible(run: Run, found: Found) -> str | None:
    """Return the interpretation; None, with a warning, when the model fails.

    The numbers are computed by then, and a model may only add to them (design §5).
    """
    try:
        return interpret(run, found)
    except (LLMUnavailable, LLMUnusable, Refused) as e:
        run.warnings.append(f"no interpretation: {e.code}: {e.message}")
        return None


def record(run: Run, scores: dict[str, float]) -> list[str]:
    """Keep the host's scores in today's log, each once; return the tickIds that are new or changed, at most 50."""
    known = ticks.read(run.workspace, now=run.now, days=effectiveness.WINDOW_DAYS).scores
    new = {tick: score for tick, score in scores.items() if known.get(tick) != score}
    if not new:
        return []
    ts = clock.iso(run.now)
    lines = [jsonfiles.line({"_type": "score", "tickId": t, "ts": ts, "compositeScore": s}) for t, s in new.items()]
    with run.workspace.writing() as door:
        path = ticks.path_for(run.workspace, run.now)
        door.append(path, "\n".join(lines) + "\n", summary=f"scores for {len(new)} outputs")
    return list(new)[:MOST_TOLD]


def _parsed(text: str) -> dict[str, float]:
    """Return tickId → score. Raises UsageError: a misread score would steer the curator."""
    hint = "--scores '{\"2026-02-17T12:00:00Z\": 0.4}', each from -1 to 1"
    value = object_or_stdin(text, what="--scores", hint=hint)
    for tick, score in value.items():
        if len(tick) > TICK_ID_CHARS:
            raise UsageError(f"--scores: {tick[:40]}... is no tickId: more than {TICK_ID_CHARS} characters", hint=hint)
        if isinstance(score, bool) or not isinstance(score, (int, float)) or not -1 <= score <= 1:
            raise UsageError(f"--scores: {tick}: {score!r} is not a number from -1 to 1", hint=hint)
    return {str(k): float(v) for k, v in value.items()}
