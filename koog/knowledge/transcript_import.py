"""koog transcript import: what hosts keep of the workspace's sessions becomes transcripts.  [autopoiesis §2.1, §8.2]

Reads   the hosts' main sessions since each one's cursor; of the audit log what changed meanwhile
Writes  raw/conversations/ in the raw root, memory/meta/transcripts.json in one step; commits those that have ended
Asks    nothing

A session that the workspace does not take (sessions/taken.py) is not read, and a group's only where it is listed. One
in which nothing was said for six hours has ended. Reasoning, heartbeats and cron jobs are in no transcript.
"""

from __future__ import annotations

import time
from typing import Annotated

import typer

from koog.core import spans
from koog.core.errors import NotFound
from koog.core.reply import Reply
from koog.core.run import Run
from koog.knowledge.transcripts import imports
from koog.sessions import taken

DEADLINE_S = 540.0  # OpenClaw's scheduler stops at 600
SHOWN = 10  # paths of each kind in the reply
MOST_UNKNOWN = 20


def import_sessions(
    ctx: typer.Context,
    source: Annotated[str, typer.Option(metavar="auto|openclaw|claude|codex|PATH", help="Whose sessions.")] = "auto",
    session: Annotated[str | None, typer.Option(metavar="ID", help="Only this session.")] = None,
    since: Annotated[str | None, typer.Option(metavar="ISO|2d", help="Leave out older ones not begun yet.")] = None,
    end: Annotated[str | None, typer.Option(metavar="ID", help="This session has just ended.")] = None,
    deadline: Annotated[float, typer.Option(help="Seconds after which no further session is begun.")] = DEADLINE_S,
) -> Reply:
    """Write what is new in the hosts' sessions into transcripts, and close those that have ended."""
    run: Run = ctx.obj
    spans.check_deadline(deadline, usual=DEADLINE_S)
    until = time.monotonic() + deadline
    oldest = spans.since(since, run.now)
    pairs = taken.sessions(run, source)
    if session is not None:
        pairs = [pair for pair in pairs if session in (pair[1].id, pair[1].key)]
        if not pairs:
            raise NotFound(f"no main session {session!r}", hint="koog transcript import reads what the hosts keep")
    done = imports.take(run, pairs, since=oldest, ends=end, until=until)
    if max(len(done.created), len(done.ended), len(done.commits)) > SHOWN:
        run.meta_extra["truncated"] = True
    return Reply(
        "koog.transcript.import/1",
        sessions=done.sessions,
        turns=done.turns,
        created=len(done.created),
        paths=done.created[:SHOWN],
        ended=len(done.ended),
        closed=done.ended[:SHOWN],
        remaining=done.remaining,
        unknown=dict(done.unknown.most_common(MOST_UNKNOWN)),
        commits=done.commits[:SHOWN],
    )
