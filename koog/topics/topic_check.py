"""koog topic check: which topics a message activates, and why each of the others stays quiet.  [autopoiesis §4, §5]

Reads   topics/, memory/meta/active-topics.json; feedback: memory/meta/topic-gate.jsonl
Writes  memory/meta/topic-gate.jsonl; outputs and events: memory/meta/active-topics.json
Asks    the `topic_gate` route, once for each topic that needs the gate
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Any, Literal

import typer

from koog.core.clip import clip, fitting
from koog.core.errors import NotFound, UsageError
from koog.core.files import jsonfiles
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.topics import active, decisions, listing, topics, watchers
from koog.topics.active import By
from koog.topics.decisions import Decision
from koog.topics.triggers import events
from koog.topics.triggers.events import Event
from koog.topics.triggers.matcher import Matched
from koog.topics.watchers import Checked, Verdict

Direction = Literal["input", "output"]
Answer = Literal["yes", "no"]

ALL_TOLD = 12  # topics; of more, only those that fired or are active
TRIGGERS_TOLD = 4
NAME_CHARS, WHAT_CHARS, WHY_CHARS, HINT_CHARS = 80, 80, 120, 300
ROWS_CHARS, NAMES_CHARS, HINTS_CHARS = 4000, 1200, 1200  # of the line's 10,000
EVENT_HINT = '--event \'{"type": "webhook", "source": "email", "event": "new_message"}\''


def check(
    ctx: typer.Context,
    text: Annotated[str | None, typer.Option(metavar="TEXT|-", help="The message; '-' reads stdin.")] = None,
    direction: Annotated[Direction, typer.Option(help="Whose words: the user's, or the agent's.")] = "input",
    event: Annotated[str | None, typer.Option(metavar="JSON|-", help="A webhook's or schedule's event.")] = None,
    no_gate: Annotated[bool, typer.Option("--no-gate", help="Ask nobody: only earlier answers count.")] = False,
    useful: Annotated[Answer | None, typer.Option(help="Say whether --topic helped.")] = None,
    name: Annotated[str | None, typer.Option("--topic", metavar="NAME", help="For --useful.")] = None,
    hashed: Annotated[
        str | None,
        typer.Option("--message-hash", metavar="HASH", help="For --useful: of which message; else the last."),
    ] = None,
) -> Reply:
    """Say for each topic whether a message, an output or an event activates it, and why."""
    run: Run = ctx.obj
    if (useful is None) != (name is None) or (hashed is not None and useful is None):
        raise UsageError("--useful, --topic and --message-hash belong together", hint="--useful yes --topic NAME")
    if event is not None and (text is not None or useful is not None or direction == "output"):
        raise UsageError("--event stands alone", hint='its text is a key: {"type": "webhook", …, "text": "…"}')
    if useful is not None and name is not None:
        if text is not None:
            hashed = decisions.message_hash(text_or_stdin(text, what="--text"))
        return _reply(run, direction, None, feedback=_feedback(run, name, useful == "yes", hashed))
    if event is not None:
        checked = _event(run, text_or_stdin(event, what="--event"), ask_gate=not no_gate)
    elif text is not None:
        checked = _message(run, text_or_stdin(text, what="--text"), direction=direction, ask_gate=not no_gate)
    else:
        raise UsageError("one of --text and --event is needed", hint='koog topic check --text "…"')
    if checked.failure and all(v.reason == "gate-failed" for v in checked.verdicts):
        raise checked.failure  # nothing at all could be decided
    return _reply(run, direction, checked, feedback=None)


def _message(run: Run, text: str, *, direction: Direction, ask_gate: bool) -> Checked:
    """Check a message; what the agent's own words set off is active for its next turns."""
    checked = watchers.check(run, text, direction=direction, ask_gate=ask_gate)
    if direction == "output":
        _keep(run, [v for v in checked.verdicts if v.active], by="output")
    return checked


def _event(run: Run, event: str, *, ask_gate: bool) -> Checked:
    """Check an event; whom it names is active for the next turns."""
    given = read_event(run, event)
    checked = watchers.check(run, given.text, event=given.event, ask_gate=ask_gate)
    _keep(run, [v for v in checked.verdicts if v.reason == "event"], by="event")
    return checked


# --- events


class Given(NamedTuple):
    """An event, and the text that came with it, "" without one."""

    event: Event
    text: str


def read_event(run: Run, text: str) -> Given:
    """Return what `--event` says. Raises UsageError."""
    try:
        event = events.read_event(text, now=run.now, zone=run.zone)
        words = jsonfiles.loads(text).get("text") or ""
    except ValueError as e:
        raise UsageError(f"--event: {e}", hint=EVENT_HINT) from None
    if not isinstance(words, str):
        raise UsageError("--event: text is not a text", hint=EVENT_HINT)
    return Given(event, words)


def _keep(run: Run, verdicts: Sequence[Verdict], *, by: By) -> None:
    """Let what an output or an event has set off last for the next turns."""
    names = [v.topic.name for v in verdicts if v.reason != "already-active"]
    if not names:
        return
    until = run.now + timedelta(minutes=run.settings.get("topics.activeMinutes"))
    told = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    with run.workspace.writing() as door:
        door.edit(
            run.workspace.in_memory(active.NAME),
            active.by_itself(names, by=by, now=run.now, until=until),
            summary=f"{by} activated {told}",
        )


# --- feedback


def _feedback(run: Run, name: str, useful: bool, hashed: str | None) -> dict[str, Any]:
    """Append what somebody says about a decision. Raises NotFound where there is none."""
    made = decisions.read(run.workspace)
    found = decisions.latest(made, name, hashed)
    if found is None:
        if all(d.topic_name != name for d in made):
            topics.named(topics.load(run.workspace).topics, name)
        about = f"topic {name!r}" if hashed is None else f"topic {name!r} and that message"
        raise NotFound(f"no decision about {about} is logged", hint="koog topic stats")
    changed = found.was_useful is not useful
    if changed:
        decisions.record(run.workspace, [found._replace(was_useful=useful)])
    return _feedback_row(found, useful=useful, changed=changed)


def _feedback_row(decision: Decision, *, useful: bool, changed: bool) -> dict[str, Any]:
    return {
        "topic": decision.topic_name,
        "messageHash": decision.message_hash,
        "useful": useful,
        "changed": changed,
    }


# --- the reply


def _reply(run: Run, direction: str, checked: Checked | None, *, feedback: dict[str, Any] | None) -> Reply:
    verdicts = checked.verdicts if checked else []
    names = [v.topic.name for v in verdicts if v.active]
    rows, hints, named = _rows(checked), _hints(checked), [{"name": clip(n, NAME_CHARS)} for n in names]
    told = fitting(rows, chars=ROWS_CHARS)
    told_hints = fitting(hints, chars=HINTS_CHARS)
    told_names = fitting(named, chars=NAMES_CHARS)
    if len(told) + len(told_hints) + len(told_names) < len(rows) + len(hints) + len(named):
        run.meta_extra["truncated"] = True
    return Reply(
        "koog.topic.check/1",
        direction=direction,
        messageHash=checked.message_hash if checked else None,
        active=[row["name"] for row in told_names],
        corrections=told_hints,
        topics=told,
        considered=len(verdicts),
        listed=len(told),
        reasons=dict(sorted(Counter(v.reason for v in verdicts).items())),
        problems=listing.problems(run, checked.problems if checked else []),
        feedback=feedback,
    )


def _hints(checked: Checked | None) -> list[dict[str, Any]]:
    return [
        {"topic": clip(c.topic, NAME_CHARS), "hint": clip(c.hint, HINT_CHARS), "what": clip(c.what, WHAT_CHARS)}
        for c in (checked.corrections if checked else [])
    ]


def _rows(checked: Checked | None) -> list[dict[str, Any]]:
    """Return a row for each topic; where there are many, for those that are active or fired."""
    if checked is None:
        return []
    many = len(checked.verdicts) > ALL_TOLD
    return [_row(v, checked.matched) for v in checked.verdicts if not many or v.active or v.fired]


def _row(verdict: Verdict, matched: Matched) -> dict[str, Any]:
    gate, about = verdict.gate, verdict.topic
    why = matched.why(about)
    first = [why[f.number] for f in verdict.fired]
    told = [clip(line, WHY_CHARS) for line in dict.fromkeys(first + why)][:TRIGGERS_TOLD]
    method = about.similarity if verdict.score is not None else None
    return {
        "name": clip(about.name, NAME_CHARS),
        "priority": about.priority,
        "activation": about.activation,
        "tier1": {"matched": bool(verdict.fired), "triggers": told},
        "tier2": {"score": verdict.score, "threshold": verdict.threshold, "method": method},
        "tier3": {"asked": gate.asked, "cached": gate.cached, "answer": gate.answer, "engine": gate.engine}
        if gate
        else None,
        "active": verdict.active,
        "reason": verdict.reason,
    }
