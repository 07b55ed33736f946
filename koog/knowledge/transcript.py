"""koog transcript start, message, tool, end: a session told by whoever runs it.  [autopoiesis §2.1, §8.2]

Reads   memory/meta/transcripts.json, the transcript at hand; end: of the audit log what changed meanwhile
Writes  raw/conversations/ in the raw root, memory/meta/transcripts.json in one step; end commits the transcript
Asks    nothing

For hosts whose sessions koog does not read; those of OpenClaw, Claude Code and Codex come by `transcript import`. The
session is named by --session, else by KOOG_SESSION_ID. What is private and what is secret never gets there.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Annotated

import typer

from koog.core.errors import NotFound, Refused, UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.core.text import untrusted
from koog.knowledge.transcripts import format, imports, ledger, naming
from koog.knowledge.transcripts.format import AGENT, ATTACHMENT, MEMORY, SAID, SYSTEM, TOOL, USER, Head, Turn
from koog.knowledge.transcripts.imports import STALE
from koog.knowledge.transcripts.pages import Page, Pages
from koog.sessions import audience, place
from koog.sessions.labels import Label
from koog.sessions.taken import HERE
from koog.sessions.turn import Spent

VARIABLE = "KOOG_SESSION_ID"
ROLES = (USER, AGENT, SYSTEM)
ID_CHARS = 120
SHOWN = 10  # paths in a reply
TEN_YEARS = 24.0 * 3660

Session = Annotated[str | None, typer.Option(metavar="ID", help=f"The session; default {VARIABLE}.")]
Model = Annotated[str | None, typer.Option(help="The model that answers.")]
Channel = Annotated[str | None, typer.Option(help="Over which people write: webchat, telegram, …")]
Topic = Annotated[str | None, typer.Option(help="What it is about; default the person's first words.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A tag; may be repeated.")]
Tokens = Annotated[int, typer.Option(min=0, help="So many more.")]


def start(
    ctx: typer.Context,
    session: Session = None,
    model: Model = None,
    channel: Channel = None,
    topic: Topic = None,
    tag: Tags = None,
) -> Reply:
    """Begin a session's transcript, and say where it lies."""
    run: Run = ctx.obj
    id_ = _named(session) or f"ses_{token_hex(4)}"
    with imports.alone(run):
        pages = Pages(run)
        page = pages.of(_key(id_))
        is_new = page is None
        if page is None:
            past = len(pages.changes.between(run.now, run.now))
            page = pages.begin(_key(id_), _head(run, id_, model, channel, topic, tag), past=past)
            page.put((), Spent(format.one_line(model or "")))
            pages.flush()
    return Reply("koog.transcript.start/1", session=id_, path=page.open.path, created=is_new)


def message(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(help="What was said; '-' reads stdin.")],
    role: Annotated[str, typer.Option(metavar="|".join(ROLES), help="Who says it.")] = USER,
    session: Session = None,
    attachment: Annotated[list[str] | None, typer.Option(metavar="PATH", help="Referenced, never copied.")] = None,
    knowledge: Annotated[
        str | None, typer.Option(metavar="ACTION:PATH", help="The text says what was done to this file of knowledge.")
    ] = None,
    tokens_in: Tokens = 0,
    tokens_out: Tokens = 0,
) -> Reply:
    """Add what the user, the agent or the system said, or what the agent did to a file of knowledge."""
    run: Run = ctx.obj
    if role not in ROLES:
        raise UsageError(f"no role {role!r}", hint="one of " + ", ".join(ROLES))
    run.act_as(run.actor, trigger="koog transcript message")  # what was said is no part of an audit line
    said = text_or_stdin(text, what="TEXT")
    found = [_operation(run.now, role, knowledge, said) if knowledge else Turn(run.now, role, said, SAID)]
    found += [Turn(run.now, role, path, ATTACHMENT) for path in attachment or ()]
    page, added = _put(run, session, found, Spent("", tokens_in, tokens_out))
    return Reply("koog.transcript.message/1", session=_known(session), path=page.open.path, added=added)


def tool(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="The tool's name.")],
    summary: Annotated[str, typer.Argument(help="What it was called for, on one line; '-' reads stdin.")] = "",
    result: Annotated[str, typer.Option(help="What came of it, on one line.")] = "",
    session: Session = None,
) -> Reply:
    """Add one line for a tool's call: `> [tool:NAME] SUMMARY → RESULT`."""
    run: Run = ctx.obj
    run.act_as(run.actor, trigger="koog transcript tool")
    told, came = format.one_line(text_or_stdin(summary, what="SUMMARY")), format.one_line(result)
    line = f"{told}{format.ARROW}{came}".strip() if came else told
    page, added = _put(run, session, [Turn(run.now, AGENT, line, TOOL, name)], Spent())
    return Reply("koog.transcript.tool/1", session=_known(session), path=page.open.path, added=added)


def end(
    ctx: typer.Context,
    session: Session = None,
    stale: Annotated[bool, typer.Option("--stale", help="Every session without a word for --hours.")] = False,
    hours: Annotated[float, typer.Option(min=0, max=TEN_YEARS, help="With --stale.")] = STALE / timedelta(hours=1),
    model: Model = None,
    channel: Channel = None,
    topic: Topic = None,
    tag: Tags = None,
    tokens_in: Tokens = 0,
    tokens_out: Tokens = 0,
) -> Reply:
    """End a session's transcript: its frontmatter is made whole, and it is closed and committed."""
    run: Run = ctx.obj
    id_ = None if stale and session is None else _named(session)
    if stale == bool(id_):
        raise UsageError("name a session, or --stale", hint=f"--session ID, or {VARIABLE}")
    told = Head(
        model=format.one_line(model or ""),
        channel=format.one_line(channel or ""),
        topic=format.one_line(topic or ""),
        tags=_tags(tag),
    )
    with imports.alone(run):
        pages = Pages(run)
        for page in imports.silent(pages, run.now, timedelta(hours=hours)) if stale else [_page(pages, id_ or "")]:
            pages.name(page, told.topic)
            page.put((), Spent("", tokens_in, tokens_out))
            pages.end(page, None if stale else run.now, told=told)
        pages.flush()
        commits = pages.keep()
    if len(pages.ended) > SHOWN:
        run.meta_extra["truncated"] = True
    shown = pages.ended[:SHOWN]
    return Reply("koog.transcript.end/1", ended=len(pages.ended), paths=shown, commits=commits[:SHOWN])


# --- the session at hand


def _put(run: Run, session: str | None, turns: list[Turn], spent: Spent) -> tuple[Page, int]:
    """Put turns on the session's page; return it, and how many of them there were to write."""
    id_ = _known(session)
    with imports.alone(run):
        pages = Pages(run)
        page = _page(pages, id_)
        found = [turn for given in turns if (turn := format.turn(_bare(run, page, given))) is not None]
        pages.name(page, naming.topic(found))
        page.put(found, spent)
        pages.flush()
    return page, len(found)


def _bare(run: Run, page: Page, turn: Turn) -> Turn:
    """Return a turn whose private block may have begun in an earlier one of its role, or end in a later one."""
    if turn.kind != SAID:
        return turn
    is_open = page.open.private == turn.role
    text = f"{format.PRIVATE}{turn.text}" if is_open else turn.text
    goes_on = untrusted.is_left_open(text)
    if is_open or goes_on:
        page.open = page.open._replace(private=turn.role if goes_on else "")
    if is_open and goes_on:
        run.warnings.append("a <private> block goes on since an earlier message: nothing is kept until </private>")
    return turn._replace(text=text)


def _page(pages: Pages, id_: str) -> Page:
    """Return the open transcript of a session: one that was begun by command, else a host's. Raises NotFound."""
    keys = [key for key in pages.ledger.open if key == _key(id_) or key.rpartition("/")[2] == id_]
    for key in sorted(keys, key=lambda key: key != _key(id_)):
        if page := pages.of(key):
            return page
    raise NotFound(f"no open transcript of session {id_!r}", hint=f"koog transcript start --session {id_}")


def _head(
    run: Run, id_: str, model: str | None, channel: str | None, topic: str | None, tags: list[str] | None
) -> Head:
    return Head(
        session=id_,
        started=run.now.replace(second=0, microsecond=0),
        model=format.one_line(model or ""),
        channel=format.one_line(channel or ""),
        topic=format.one_line(topic or "", most=naming.TOPIC_CHARS),
        tags=_tags(tags),
        label=_label(run),
    )


def _label(run: Run) -> Label:
    """Return whose the session is: that of whoever has started the command. Raises Refused where koog is not meant."""
    who = audience.current(run)
    if who.is_nobody:
        raise Refused(f"this workspace is not for {place.short(min(who.projects))}")
    return Label(HERE if who.is_own else min(who.projects), who.scope, who.group)


def _operation(now: datetime, role: str, knowledge: str, summary: str) -> Turn:
    action, colon, path = knowledge.partition(":")
    if role != AGENT or not (action and colon and path):
        raise UsageError(f"--knowledge {knowledge!r}", hint="--role agent --knowledge updated:knowledge/x.md SUMMARY")
    return Turn(now, AGENT, f"{path} — {summary}", MEMORY, action)


def _tags(given: list[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for each in given or () if (tag := format.one_line(each))))


def _known(session: str | None) -> str:
    """Return the session's id. Raises UsageError where nobody names one."""
    if id_ := _named(session):
        return id_
    raise UsageError("which session?", hint=f"--session ID, or {VARIABLE}")


def _named(session: str | None) -> str | None:
    """Return the id that was named, None for none. Raises UsageError for what is none."""
    given = os.environ.get(VARIABLE) if session is None else session
    if given is None:
        return None
    if not given.strip() or len(given) > ID_CHARS or not given.isprintable() or given != format.one_line(given):
        raise UsageError(f"{given[:ID_CHARS]!r} is no session's id", hint="letters, digits, '.', '_' and '-'")
    return given


def _key(id_: str) -> str:
    return f"{ledger.TOLD}/{id_}"
