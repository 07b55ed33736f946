"""koog prune: MEMORY.md keeps to its caps, old journals and files nobody speaks of go to archive/.  [autopoiesis §8.5]

Reads   MEMORY.md, knowledge/, topics/ for what they subscribe to; --restore: archive/
Writes  MEMORY.md, knowledge/ and archive/: what leaves the one comes into the other in one step
Asks    nothing

Without an option it does all three. Nothing is lost: a file lies in archive/ as it was, a line says where it stood, and
--restore puts them back. Lines of a person's own hand stay, and so does a file that has one.  [autopoiesis §8.6]
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated, Any

import typer

from koog.core.errors import UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.knowledge.layout import MEMORY
from koog.knowledge.pruning import told as told_files
from koog.knowledge.pruning.pruner import Pruner, Went
from koog.memory.store import core_memory
from koog.sessions import audience
from koog.sessions.audience import Audience, Seen

REPLY_CHARS = 6000  # of what went where, in the reply
MOST_MOVED = 30  # rows of the reply


def prune(
    ctx: typer.Context,
    memory: Annotated[bool, typer.Option("--memory", help="MEMORY.md: what is over its caps.")] = False,
    journals: Annotated[bool, typer.Option("--journals", help="Days older than knowledge.journalDays.")] = False,
    evict: Annotated[bool, typer.Option("--evict", help="Files of knowledge/ that score too little.")] = False,
    restore: Annotated[
        str | None, typer.Option(metavar="PATH", help="Put back a file of archive/, or all of a folder of it.")
    ] = None,
) -> Reply:
    """Put away what is over its cap, too old, or not spoken of for long; or put it back."""
    run: Run = ctx.obj
    if restore is not None and (memory or journals or evict):
        raise UsageError("--restore goes alone", hint=f"koog prune --restore {restore}")
    every = not (memory or journals or evict)
    with nullcontext() if run.dry_run else run.workspace.locked("condense.lock", wait_s=0, what="the condenser"):
        work = Pruner(run)
        with run.one_commit():
            if restore is not None:
                work.restore(restore)
            else:
                steps = ((work.memory, memory), (work.journals, journals), (work.evict, evict))
                for step, is_wanted in steps:
                    if every or is_wanted:
                        step()
    return Reply("koog.prune/1", **_keys(run, work))


def _keys(run: Run, work: Pruner) -> dict[str, Any]:
    """Return the reply's keys: of what is another project's or group's, only how many lines it was."""
    done, who = work.done, audience.current(run)
    told = [each for each in done.went if _is_told(who, each)]
    shown, size = list[dict[str, Any]](), 0
    for each in told:
        row = {"text": each.text, "from": each.path, "to": each.to, "why": each.why}
        size += sum(map(len, row.values()))
        if size > REPLY_CHARS:
            run.meta_extra["truncated"] = True
            break
        shown.append(row)
    core = core_memory.size(run.workspace.text(MEMORY) or "", work.caps.tokens)
    is_over = core.tokens > work.caps.tokens or core.lines > work.caps.lines
    return {
        "went": shown,
        "count": len(done.went),
        "elsewhere": len(done.went) - len(told),
        "moved": told_files.moved(run, done.moved[:MOST_MOVED]),
        "movedCount": len(done.moved),
        "memory": {"tokens": core.tokens, "lines": core.lines, "over": is_over},
    }


def _is_told(who: Audience, went: Went) -> bool:
    return who.line(went.label, went.path, text=went.text) is not Seen.HIDDEN
