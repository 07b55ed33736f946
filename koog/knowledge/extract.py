"""koog extract: what was said in transcripts becomes knowledge files.  [autopoiesis §8.3, §6.4]

Reads   the transcripts that were not extracted yet, the knowledge files, MEMORY.md, the entities; with --scheduled
        what hosts keep, as `transcript import` does
Writes  knowledge/, `Key Decisions` and `Lessons Learned` of MEMORY.md, memory/graph/entities/, pending-memories.md and
        cursors.json: of each piece of a transcript in one step
Asks    the `knowledge_extractor` route, for each extractor once per 12,000 characters

A transcript is read when its session has ended; with --flush, before a host compacts it, what was said so far. A
scheduler's run first brings the transcripts up to date, since not every host calls koog: `tick` does not, which has to
end soon. A session that was told by command and has fallen silent is closed then, too.
"""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer

from koog.core import spans
from koog.core.errors import NotFound
from koog.core.refused import MOST
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.text import taught, weigher
from koog.knowledge import reading, registry
from koog.knowledge.extraction import Extraction, Late
from koog.knowledge.reading import Read
from koog.knowledge.transcripts import imports, naming
from koog.knowledge.transcripts.listing import Listed
from koog.sessions import audience, transcript
from koog.sessions.audience import Seen
from koog.sessions.labels import Label

DEADLINE_S, FLUSH_S = 540.0, 20.0  # as `observe` has them
DAY, MANUAL = timedelta(days=1), "manual"
REPLY_CHARS = 6000  # of what was written, in the reply: harnesses cut what is over 10,000
MOST_TRANSCRIPTS = 30  # rows of the reply


def extract(
    ctx: typer.Context,
    session: Annotated[str | None, typer.Option(metavar="ID|PATH", help="Only this session's transcripts.")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="ISO|2h", help="Sessions begun from then on, extracted before or not.")
    ] = None,
    extractors: Annotated[str | None, typer.Option(metavar="A,B", help="Only these; default: all there are.")] = None,
    flush: Annotated[
        bool, typer.Option("--flush", help="Before compaction: decisions, lessons, journal of what still lasts, too.")
    ] = False,
    scheduled: Annotated[
        bool,
        typer.Option("--scheduled", help="For a scheduler: import first; nothing where knowledge.extractOn is manual."),
    ] = False,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which no further part begins.")] = None,
) -> Reply:
    """Extract decisions, lessons, people, procedures, facts and the journal from what was said."""
    run: Run = ctx.obj
    spans.check_deadline(deadline, usual=FLUSH_S)
    is_off = scheduled and run.settings.get("knowledge.extractOn") == MANUAL
    if scheduled and not is_off:
        imports.catch_up(run, until=time.monotonic() + (DEADLINE_S if deadline is None else deadline) / 2)
    done = work(
        run,
        session=session,
        since=spans.since(since, run.now),
        named=extractors,
        flush=flush,
        deadline_s=deadline,
        is_off=is_off,
    )
    return Reply("koog.extract/1", **done)


def work(
    run: Run,
    *,
    session: str | None = None,
    since: datetime | None = None,
    named: str | None = None,
    flush: bool = False,
    deadline_s: float | None = None,
    is_off: bool = False,
) -> dict[str, Any]:
    """Extract, and return the reply's keys.

    named   the extractors, by commas; None: all, in a flush those of registry.FLUSHED
    is_off  nobody is to extract: nothing is done

    Raises NotFound, UsageError, Busy while another koog extracts, and what asking raises; what came before it stays.
    """
    seconds = (FLUSH_S if flush else DEADLINE_S) if deadline_s is None else deadline_s
    run.asker.until = time.monotonic() + seconds
    weigher.using(taught.of(run.workspace, run.warnings))
    usual = ",".join(registry.FLUSHED) if flush else None
    chosen = [] if is_off else registry.chosen(usual if named is None else named, run.warnings)
    work = Extraction(run, chosen, until=run.asker.until, again=since is not None)
    with _alone(run, wait_s=seconds / 2 if flush else 0.0):
        found = work.maybe_due(_chosen(run, session, since))
        for n, each in enumerate(found):
            try:
                _one(run, work, each, lasting=flush or session is not None, since=since)
            except Late:
                work.remaining += len(found) - n
                break
    if work.hearing.failure and not work.done.written:  # else its transcript waits, and a warning says so
        raise work.hearing.failure
    return _keys(run, work)


def _alone(run: Run, *, wait_s: float) -> AbstractContextManager[None]:
    if run.dry_run:
        return nullcontext()
    return run.workspace.locked("extract.lock", wait_s=wait_s, what="the extraction")


def _one(run: Run, work: Extraction, listed: Listed, *, lasting: bool, since: datetime | None) -> None:
    """Extract one transcript, and make one commit of that, which names it. lasting: also of a session that goes on"""
    read = reading.read(run, listed.path)
    if read is None or not (read.has_ended or lasting) or (since and read.started < since):
        return
    if not work.is_due(read):
        return
    run.act_as(run.actor, trigger=f"koog extract {listed.path}")
    with run.one_commit():
        work.of(read)


def _chosen(run: Run, session: str | None, since: datetime | None) -> list[Listed]:
    """Return the transcripts that are looked at, the oldest first. Raises NotFound."""
    found = [e for e in reading.listed(run) if since is None or e.began is None or e.began >= since - DAY]
    if session is None:
        return found
    found = [each for each in found if each.path == session or _is_of(run, each.path, session)]
    if not found:
        raise NotFound(f"no transcript of {session!r}", hint="koog transcript import brings in what hosts keep")
    return found


def _is_of(run: Run, path: str, session: str) -> bool:
    if f"-{naming.safe(session)}-" not in path.rpartition("/")[2]:
        return False
    return transcript.read(run.workspace.text(path) or "").head.session == session


# --- what is told of it


def _keys(run: Run, work: Extraction) -> dict[str, Any]:
    """Return the reply's keys: of what is another project's or group's, only how many lines it was."""
    who = audience.current(run)

    def is_told(label: Label, path: str) -> bool:
        return who.line(label, path) is not Seen.HIDDEN

    told = [each for each in work.done.written if is_told(each.label, each.path)]
    rows = [
        {"extractor": w.extractor, "path": w.path, "section": w.section, "text": w.text, "source": w.source}
        for w in told
    ]
    shown, size = list[dict[str, str]](), 0
    for row in rows:
        size += sum(map(len, row.values()))
        if size > REPLY_CHARS:
            run.meta_extra["truncated"] = True
            break
        shown.append(row)
    refused = [row for label, row in work.done.refused if is_told(label, "")]
    return {
        "transcripts": [_row(read, turns, lines) for read, turns, lines in work.read][:MOST_TRANSCRIPTS],
        "extractors": [{"name": each.name, "version": each.version} for each in work.extractors],
        "written": shown,
        "count": len(work.done.written),
        "elsewhere": len(work.done.written) - len(told),
        "known": work.done.known,
        "refused": refused[:MOST],
        "proposals": work.proposals,
        "waiting": work.waiting,
        "remaining": work.remaining,
    }


def _row(read: Read, turns: int, lines: int) -> dict[str, Any]:
    return {"path": read.path, "session": read.session, "turns": turns, "lines": lines}
