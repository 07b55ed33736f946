"""koog condense daily, weekly, monthly: days become weeks, weeks months, and what lasts goes where it belongs.  [§8.4]

Reads   the transcripts that were not extracted yet; knowledge/journal/ and archive/journal/, MEMORY.md, the files of
        projects and people, forgotten.jsonl, cursors.json
Writes  daily: what `extract` writes; weekly: knowledge/journal/weekly/, the notes of projects, `Key Decisions` and
        `Lessons Learned` of MEMORY.md, knowledge/reference/decisions.md and lessons.md, cursors.json, of each week in
        one step, and what daily does; monthly: knowledge/journal/monthly/, archive/, files of projects and people, and
        what weekly does
Asks    weekly, monthly: the `memory_condenser` route, once for each project and group of a week or month, and what
        daily does; daily: the `knowledge_extractor` route

Each of the three does what the one before it does, as far as it is due: weeks and months that are over. Late, twice or
in any split of days comes to the same, and what leaves a file lies in archive/.  [autopoiesis §8.4, §10.3]
"""

from __future__ import annotations

import math
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core.errors import UsageError
from koog.core.refused import MOST
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.task import Answer, Task
from koog.core.text import taught, weigher
from koog.knowledge import condense_rules, core_sections, extract
from koog.knowledge.condense_rules import CondenseInput
from koog.knowledge.condensing.condensation import Condensation
from koog.knowledge.condensing.laws import LEAST, Went
from koog.knowledge.layout import MEMORY
from koog.knowledge.pruning import told as told_files
from koog.sessions import audience
from koog.sessions.audience import Seen

DEADLINE_S = 540.0  # as `observe` has it
REPLY_CHARS = 6000  # of what went where, in the reply: harnesses cut what is over 10,000
MOST_MADE, MOST_MOVED = 30, 30  # rows of the reply
DAILY, WEEKLY, MONTHLY = PERIODS = ("daily", "weekly", "monthly")

Deadline = Annotated[float | None, typer.Option(help="Seconds after which no further week or month begins.")]

TASK = Task(
    file=Path(__file__),
    route="memory_condenser",
    rules=condense_rules.answer,
    render=lambda given: {
        "period": given.period,
        "least": f"{LEAST[given.period]:.0%}",
        "projects": "\n".join(sorted(given.projects)),
        "lines": "\n".join(f"{n}: {s.day} [{s.topic}] {s.text}" for n, s in enumerate(given.lines, 1)),
    },
)


def daily(ctx: typer.Context, deadline: Deadline = None) -> Reply:
    """Let the journal be complete: extract what the transcripts hold that it has not yet."""
    return Reply("koog.condense.daily/1", **work(ctx.obj, DAILY, deadline_s=deadline))


def weekly(ctx: typer.Context, deadline: Deadline = None) -> Reply:
    """Make a file of each week that is over; what lasts goes to MEMORY.md and to the projects."""
    return Reply("koog.condense.weekly/1", **work(ctx.obj, WEEKLY, deadline_s=deadline))


def monthly(ctx: typer.Context, deadline: Deadline = None) -> Reply:
    """Make a file of each month that is over, put its weeks away, and what is stale of projects and people."""
    return Reply("koog.condense.monthly/1", **work(ctx.obj, MONTHLY, deadline_s=deadline))


def work(run: Run, period: str, *, deadline_s: float | None = None) -> dict[str, Any]:
    """Condense what is due, and return the reply's keys.

    Raises UsageError, Busy while another koog condenses, and what asking raises; what came before it stays.
    """
    if deadline_s is not None and not (math.isfinite(deadline_s) and deadline_s >= 0):
        raise UsageError(f"--deadline {deadline_s} is no number of seconds", hint=f"--deadline {DEADLINE_S:g}")
    seconds = DEADLINE_S if deadline_s is None else deadline_s
    until = time.monotonic() + seconds
    with nullcontext() if run.dry_run else run.workspace.locked("condense.lock", wait_s=0, what="the condenser"):
        trigger = run.trigger
        is_off = run.settings.get("knowledge.extractOn") == extract.MANUAL
        extracted = None if is_off else extract.work(run, deadline_s=seconds)["count"]
        run.act_as(run.actor, trigger=trigger)
        weigher.using(taught.of(run.workspace, run.warnings))
        run.asker.until = until
        work = Condensation(run, lambda given: _ask(run, given), until=until)
        if period != DAILY:
            work.weeks()
        if period == MONTHLY:
            work.months()
    if work.failure and not work.done.made:
        raise work.failure
    return {"extracted": extracted, **_keys(run, work)}


def _ask(run: Run, given: CondenseInput) -> Answer:
    return run.ask(TASK, given)


# --- what is told of it


def _keys(run: Run, work: Condensation) -> dict[str, Any]:
    """Return the reply's keys: of what is another project's or group's, only how many lines it was."""
    done, who = work.done, audience.current(run)

    def is_told(went: Went) -> bool:
        return who.line(went.said.label, went.said.path, text=went.said.text) is not Seen.HIDDEN

    told = [each for each in done.went if is_told(each)]
    shown, size = list[dict[str, Any]](), 0
    for each in told:
        row = {"text": each.said.text, "from": each.said.path, "to": each.to or None, "why": each.why}
        size += sum(len(str(value)) for value in row.values())
        if size > REPLY_CHARS:
            run.meta_extra["truncated"] = True
            break
        shown.append(row)
    text = run.workspace.text(MEMORY) or ""
    refused = [row for label, row in done.refused if who.line(label, "") is not Seen.HIDDEN]
    return {
        "made": [
            {
                "name": each.name,
                "path": each.path or None,
                "files": each.files,
                "linesBefore": each.before[0],
                "linesAfter": each.after[0],
                "wordsBefore": each.before[1],
                "wordsAfter": each.after[1],
            }
            for each in done.made[-MOST_MADE:]
        ],
        "went": shown,
        "count": len(done.went),
        "elsewhere": len(done.went) - len(told),
        "moved": told_files.moved(run, done.moved[-MOST_MOVED:]),
        "refused": refused[:MOST],
        "waiting": done.waiting,
        "remaining": done.remaining,
        "coreTokens": core_sections.used(text),
        "coreMost": core_sections.Caps.of(run).sections,
    }
