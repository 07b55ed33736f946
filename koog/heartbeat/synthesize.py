"""koog synthesize: is there something worth saying?  [sinain §4.7, design §5]

Reads   the effective playbook after curation, the logs of 3 days, the notes of 3 days
Writes  one `{"_type":"output"}` line for the tick that was logged last
Asks    the `insight_synthesizer` route, once
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock
from koog.core.errors import Refused
from koog.core.files import jsonfiles
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import object_or_stdin
from koog.core.task import Task
from koog.core.text.untrusted import clean
from koog.heartbeat import output_gate, recent_notes, synthesize_rules, ticks
from koog.heartbeat.output_gate import Output
from koog.heartbeat.signal import brief
from koog.heartbeat.synthesize_rules import SynthesizeInput
from koog.playbook import document, stack
from koog.sessions import audience

LOG_DAYS = 3
REPEAT_DAYS = 7
SHOWN_TICKS = 18  # and those of the same quarter of a day: thirty at most, half an hour apart
NAMED = 12  # files a skip reason lists

TASK = Task(
    file=Path(__file__),
    route="insight_synthesizer",
    rules=synthesize_rules.answer,
    render=lambda given: {
        "playbook": given.playbook,
        # Oldest first, and what changes with each tick last: a provider's cache holds what two prompts begin with.
        "notes": "\n\n".join(_told(given.notes, latest=False)),
        "recent_outputs": "\n".join(jsonfiles.line(o) for o in reversed(given.recent_outputs)),
        "recent_logs": "\n".join(jsonfiles.line(brief(e)) for e in _shown(given.logs)),
        "latest_notes": "\n\n".join(_told(given.notes, latest=True)),
        "changes": jsonfiles.line(given.changes),
    },
)


def _shown(logs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return ticks.window(logs, least=SHOWN_TICKS)[::-1]


def _told(notes: Sequence[tuple[str, str]], *, latest: bool) -> list[str]:
    """Return the notes of the latest day, which still grow, or the others; oldest first."""
    days = [Path(path).name[:10] for path, _ in notes]
    return [
        f"File {path}\n{text}"
        for day, (path, text) in reversed(list(zip(days, notes, strict=True)))
        if (day == days[0]) is latest
    ]


@dataclass(frozen=True)
class Material:
    """What one synthesis looks at."""

    tick: dict[str, Any]
    given: SynthesizeInput
    earlier: tuple[str, ...]


def synthesize(
    ctx: typer.Context,
    curator_changes: Annotated[
        str | None, typer.Option(metavar="JSON|-", help="curate's `changes`, or its whole line.")
    ] = None,
) -> Reply:
    """Write a suggestion and an insight, or skip and say why."""
    run: Run = ctx.obj
    changes = None
    if curator_changes is not None:
        changes = _changes(curator_changes)
    return Reply("koog.synthesize/1", **work(run, changes=changes))


def work(run: Run, *, changes: dict[str, Any] | None) -> dict[str, Any]:
    """Ask, judge, and log what is to be sent; return the reply's keys.

    Raises Refused when no tick is logged: the gate (step 4) comes before the output.
    """
    found = gather(run, changes)
    if found.tick["output"]:
        return _keys(found, Output(None, None, f"tick {found.tick['tickId']} has its output already"))
    answer = run.ask(TASK, found.given).value
    if answer["skip"]:
        output = Output(None, None, clean(answer.get("skipReason") or "").strip() or "nothing that connects")
    else:
        output = output_gate.judge(
            clean(answer.get("suggestion") or ""),
            clean(answer.get("insight") or ""),
            earlier=found.earlier,
            known=[line.strip() for line in found.given.playbook.splitlines() if line.strip()],
            limit=run.settings.get("heartbeat.outputChars"),
        )
    keys = _keys(found, output)
    _record(run, keys)
    return keys


def gather(run: Run, changes: dict[str, Any] | None) -> Material:
    """Read the material. Raises Refused without a logged tick."""
    workspace = run.workspace
    log = ticks.read(workspace, now=run.now, days=REPEAT_DAYS)
    if not log.entries:
        raise Refused("no tick is logged: the gate comes before the output", hint="koog log --entry -")
    since = clock.iso(run.now - timedelta(days=LOG_DAYS))
    logs = tuple(e for e in log.entries if e["ts"] >= since) or log.entries[:1]
    outputs = [{"ts": e["ts"], **e["output"]} for e in log.entries if e["output"]]
    who = audience.own(run)
    notes = recent_notes.recent(run, who, days=LOG_DAYS)
    logged = [f for f in log.files if Path(f).stem >= since[:10]]
    return Material(
        tick=log.entries[0],
        given=SynthesizeInput(
            playbook=stack.effective_for(workspace, who),
            logs=logs,
            recent_outputs=tuple(outputs),
            changes=changes or log.entries[0]["playbookChanges"] or {},
            notes=notes,
            examined=(workspace.in_memory(document.EFFECTIVE), *logged, *(path for path, _ in notes)),
        ),
        earlier=tuple(o[k] for o in outputs for k in ("suggestion", "insight") if o[k]),
    )


def record_none(run: Run, tick_id: str, *, why: str, failed: str | None) -> None:
    """Log that a tick has no output because its synthesis was not done: why, and the code when it failed."""
    _append(run, tick_id, said=None, why=why, failed=failed)


def _record(run: Run, keys: dict[str, Any]) -> None:
    """Log the output, or why there is none: sinain §6.2 records the reason of a skip too."""
    said = None if keys["skip"] else {"suggestion": keys["suggestion"], "insight": keys["insight"]}
    _append(run, keys["tickId"], said=said, why=keys["skipReason"])


def _append(run: Run, tick_id: str, *, said: dict[str, str] | None, why: str | None, failed: str | None = None) -> None:
    row = {"_type": "output", "tickId": tick_id, "ts": clock.iso(run.now), "output": said}
    line = jsonfiles.line({**row, "skipped": said is None, "skipReason": why, "failed": failed})
    told = "output" if said else "no output"
    with run.workspace.writing() as door:
        door.append(ticks.path_for(run.workspace, run.now), line + "\n", summary=f"{told} for tick {tick_id}")


def _keys(found: Material, output: Output) -> dict[str, Any]:
    examined = list(found.given.examined)
    reason = output.skip_reason
    if reason and not any(path in reason for path in examined):
        reason = f"{reason} (examined: {', '.join(examined[:NAMED])})"
    return {
        "skip": output.skip,
        "skipReason": reason,
        "suggestion": output.suggestion,
        "insight": output.insight,
        "totalChars": output.chars,
        "tickId": found.tick["tickId"],
        "examined": examined,
    }


def _changes(text: str) -> dict[str, Any]:
    """Return `changes` from curate's line or from itself. Raises UsageError."""
    value = object_or_stdin(text, what="--curator-changes", hint="pass curate's `changes`")
    inner = value.get("changes")
    return inner if isinstance(inner, dict) else value
