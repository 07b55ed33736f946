"""koog hook: what a host calls at the moments of a session; it never blocks, and never fails.  [sinain §3; design §2]

Reads   the host's JSON on standard input, memory/observations.md, memory/favorites.md, daily notes, transcripts
Writes  what a person asks to be remembered; the spool beside the state root, memory/session-summaries.jsonl, what
        `sync` writes, .koog/told.json, told/ and grants in the state root; and what transcript import, observe and
        recover write
Asks    nothing itself; pre-compaction, session-start and session-end set those three off

    session-start    answers with the startup text, unless a resumed session has it before it still; looks for what
                     the last session left unobserved
    prompt-build     answers with the startup text, the same on each turn of a session (frozen.py)
    prompt-submit    takes a person's `approve ID` for what waits for it, and what he asks the memory for
                     (wishes.py); prompt-build does so too
    agent-start      syncs from the places that the plugin's config names
    tool-result      answers with the tool's message without private blocks and secrets
    pre-compaction   writes the transcript, and observes everything, before it is compacted away
    agent-end        writes the run's line of session-summaries.jsonl
    session-end      closes the transcript, and observes what was said last

A session in a project that the workspace is not for is told nothing, and nothing of it is observed or written down;
a group's session is told what is the group's. Only a person's `approve ID` is heard from everywhere. Where a hook
names no workspace and none is meant (whose.py), nothing is done and nothing said.

The answer is there within 0.8 seconds, at a session's start within 3; whatever takes longer goes on in
koog/host/work.py, and an answer that was cut is noted. The event itself is in the spool before anything of this is
imported (koog/host/arrival.py), and stays there until it is digested (koog/host/digest.py). The exit code is always
0, and what went wrong stands on stderr and in `failures.jsonl` of the state root.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.core import clock
from koog.core.errors import KoogError, UsageError
from koog.core.files import jsonfiles
from koog.core.reply import HostReply
from koog.core.run import Run
from koog.host import answers, arrival, frozen, given, held, orders, whose, work
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.host.given import Given

EVENTS = tuple(
    "agent-start prompt-build prompt-submit tool-result pre-compaction agent-end session-start session-end".split()
)
HOSTS = (given.OPENCLAW, given.CLAUDE, given.CODEX)
TOLD = "told.json"  # session → when it was given its startup text
TOLD_SESSIONS = 200


def hook(
    ctx: typer.Context,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="One of " + ", ".join(EVENTS) + ".")],
    host: Annotated[str | None, typer.Option(metavar="openclaw|claude|codex", help="Default: told by stdin.")] = None,
    deadline: Annotated[float, typer.Option(min=1, max=3600, help="Seconds for the detached work.")] = work.SECONDS,
) -> HostReply:
    """Answer a host's hook in the host's own form; always exit 0, within a second, at a session's start three."""
    run: Run = ctx.obj
    if event not in EVENTS:
        raise UsageError(f"no hook {event!r}", hint="one of " + ", ".join(EVENTS))
    if host not in (None, *HOSTS):
        raise UsageError(f"--host {host!r}", hint="one of " + ", ".join(HOSTS))
    call = given.parse(given.read(), host=host)
    if event == "tool-result":
        return HostReply(answers.stripped(call.payload.get("message")) if call.host == given.OPENCLAW else {})
    root = whose.workspace_of(run, call)
    if root is None:
        return HostReply({})
    run.root = root
    whose.came(run, call)
    if whose.is_told_by_settings(run, call):
        return HostReply({})
    at = call.place
    is_meant = not audience.of_place(run, at, host=call.host).is_nobody
    if is_meant and event not in arrival.PROMPTS and (order := orders.order(run, event, call, at)):
        work.start(run, event=event, deadline=deadline, **order)
    note = ""
    if event in arrival.PROMPTS:
        _take_words(run, call)
        note = _grant(run, call, event=event, deadline=deadline) if is_meant else ""
    answer = _answer(run, event, call) if is_meant else answers.nothing(host=call.host, event=event)
    return HostReply(answers.with_note(answer, note, host=call.host, event=event))


# --- what a person approves


def _take_words(run: Run, call: Given) -> None:
    """Keep what the person approves; where that fails it is noted, and the answer goes its way."""
    from koog.core import failures, reply
    from koog.host import words

    try:
        words.take(run, call)
    except KoogError as e:
        failures.record(run.root, e, command=run.command, message=reply.told(e.message), now=run.now)


def _grant(run: Run, call: Given, *, event: str, deadline: float) -> str:
    """Do what the person asks the memory for; return what the agent is told of it."""
    from koog.core import failures, reply
    from koog.host import wishes

    try:
        note, waits = wishes.grant(run, call)
    except KoogError as e:
        failures.record(run.root, e, command=run.command, message=reply.told(e.message), now=run.now)
        return ""
    if waits:
        arrival.keep()
        work.start(run, event=event, deadline=deadline, wishes=wishes.prompt_of(call), certain=wishes.is_certain(call))
    return note


# --- what is answered


def _answer(run: Run, event: str, call: Given) -> dict[str, Any]:
    if call.host == given.OPENCLAW:
        return _openclaws(run, event, call)
    if event in ("pre-compaction", "session-end"):
        _forget(run, call)  # the startup text goes too, also where what begins anew keeps the session's id
    if event not in ("session-start", "prompt-build") or not call.is_persons:
        return {}
    if event == "prompt-build" and call.session in _told(run):
        return {}
    transcript = call.text("transcript_path")
    if event == "session-start" and held.is_held(call.host, source=call.text("source"), path=transcript):
        return {}
    answer = answers.context(frozen.startup(run, call.host), host=call.host, event=event)
    _remember(run, call)
    return answer


def _openclaws(run: Run, event: str, call: Given) -> dict[str, Any]:
    """Answer OpenClaw: it takes no text at a session's start, and forgets a prompt's after each turn.

    2026.7 tells of a start also where a gateway that was started again goes on with a session.
    """
    if event in ("pre-compaction", "session-end"):
        frozen.forget(run, call)
    if event != "prompt-build" or not call.is_told:
        return {}
    told = answers.context(frozen.of_turn(run, call), host=call.host, event=event)
    return told or answers.nothing(host=call.host, event=event)


def _told(run: Run) -> dict[str, str]:
    try:
        value = jsonfiles.loads(run.workspace.cached(TOLD) or "{}")
    except (ValueError, KoogError):
        return {}
    return value if isinstance(value, dict) else {}


def _remember(run: Run, call: Given) -> None:
    if call.session:
        _keep(run, {**_told(run), call.session: clock.iso(run.now)})


def _forget(run: Run, call: Given) -> None:
    if call.session in (told := _told(run)):
        _keep(run, {session: when for session, when in told.items() if session != call.session})


def _keep(run: Run, told: dict[str, str]) -> None:
    """Write down the newest. Where that fails, or two do it at once, a session is told twice: better than never."""
    if not run.dry_run:
        newest = dict(sorted(told.items(), key=lambda entry: str(entry[1]))[-TOLD_SESSIONS:])
        with suppress(KoogError):
            run.workspace.cache(TOLD, jsonfiles.line(newest))
