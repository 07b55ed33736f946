"""koog hook: what a host calls at the moments of a session; it never blocks, and never fails.  [sinain §3; design §2]

Reads   the host's JSON on standard input, memory/observations.md, memory/favorites.md, daily notes, transcripts
Writes  memory/session-summaries.jsonl, what `sync` writes, .koog/told.json, grants in the state root; and what
        observe and recover write
Asks    nothing itself; pre-compaction, session-start and session-end set observe and recover off

    session-start    answers with the startup text; looks for what the last session left unobserved
    prompt-build     answers with the startup text, once a session and again after a compaction or its end
    prompt-submit    takes a person's `approve ID` for what waits for it; prompt-build does so too
    agent-start      syncs from the places that the plugin's config names
    tool-result      answers with the tool's message without private blocks and secrets
    pre-compaction   observes everything before it is compacted away
    agent-end        writes the run's line of session-summaries.jsonl
    session-end      observes what was said last

A session in a project that the workspace is not for is told nothing, and nothing of it is observed or written down;
a group's session is told what is the group's. Only a person's `approve ID` is heard from everywhere.

The answer is there within a second; whatever takes longer goes on in koog/host/work.py. The
exit code is always 0, and what went wrong stands on stderr and in `.koog/failures.jsonl`.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.core import clock
from koog.core.errors import KoogError, UsageError
from koog.core.files import jsonfiles, outside, tree, workspace
from koog.core.reply import HostReply
from koog.core.run import Run
from koog.host import answers, given, work
from koog.sessions import audience, taken

if TYPE_CHECKING:
    from koog.host.given import Given
    from koog.sessions.place import Place

EVENTS = tuple(
    "agent-start prompt-build prompt-submit tool-result pre-compaction agent-end session-start session-end".split()
)
PROMPTS = ("prompt-build", "prompt-submit")  # the moments at which a host says what the person has said
HOSTS = (given.OPENCLAW, given.CLAUDE, given.CODEX)
STDIN_SECONDS = 0.3  # for a host that keeps the pipe open; one that closes it is not waited for
TOLD = "told.json"  # session → when it was given its startup text
TOLD_SESSIONS = 200
COMMANDS = {"pre-compaction": ["observe", "--flush"], "session-start": ["recover"], "session-end": ["observe"]}


def hook(
    ctx: typer.Context,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="One of " + ", ".join(EVENTS) + ".")],
    host: Annotated[str | None, typer.Option(metavar="openclaw|claude|codex", help="Default: told by stdin.")] = None,
    deadline: Annotated[float, typer.Option(min=1, max=3600, help="Seconds for the detached work.")] = work.SECONDS,
) -> HostReply:
    """Answer a host's hook in the host's own form; always exit 0, within a second."""
    run: Run = ctx.obj
    if event not in EVENTS:
        raise UsageError(f"no hook {event!r}", hint="one of " + ", ".join(EVENTS))
    if host not in (None, *HOSTS):
        raise UsageError(f"--host {host!r}", hint="one of " + ", ".join(HOSTS))
    call = given.parse(given.read(seconds=STDIN_SECONDS), host=host)
    if event == "tool-result":
        return HostReply(answers.stripped(call.payload.get("message")) if call.host == given.OPENCLAW else {})
    _find_workspace(run, call)
    at = call.place
    is_meant = not audience.of_place(run, at, host=call.host).is_nobody
    if is_meant and (order := _order(run, event, call, at)):
        work.start(run, event=event, deadline=deadline, **order)
    if event in PROMPTS:
        _take_words(run, call)
    return HostReply(_answer(run, event, call) if is_meant else {})


def _find_workspace(run: Run, call: Given) -> None:
    """Take the workspace that was named, else the one around the folder that the host works in."""
    if not run.folder and not os.environ.get("KOOG_WORKSPACE") and call.folder:
        run.root = workspace.find(Path(outside.real(call.folder)))
    if not tree.has_own(run.root):
        raise UsageError(f"{run.root.name!r} is no workspace of koog's", hint="koog init makes one of it")


# --- what is set off


def _order(run: Run, event: str, call: Given, at: Place) -> dict[str, Any] | None:
    """Return what the detached process is to do, None for nothing.

    at   where the session belongs
    """
    if event == "agent-end":
        from koog.host import runs

        # What the host names as transcript is only read where the host itself gives no numbers.
        transcript = None if call.host == given.OPENCLAW else call.text("transcript_path")
        return {"summary": runs.told(call).limited(), "transcript": transcript} if call.payload else None
    if event == "agent-start":
        return {"sources": call.sources, "state": _state(call)} if call.sources else None
    command = COMMANDS.get(event)
    is_observed = not at.is_group or taken.of(run).lists(at.group, project=at.project)
    return {"argv": command} if command and is_observed and call.is_persons else None


def _state(call: Given) -> str:
    """Return OpenClaw's state folder, where the config's relative paths start."""
    named = call.text("stateDir") or os.environ.get("OPENCLAW_STATE_DIR")
    return named or os.path.join(os.path.expanduser("~"), ".openclaw")  # noqa: PTH111, PTH118  never raises


# --- what a person approves


def _take_words(run: Run, call: Given) -> None:
    """Keep what the person approves; where that fails it is noted, and the answer goes its way."""
    from koog.core import failures, reply
    from koog.host import words

    try:
        words.take(run, call)
    except KoogError as e:
        failures.record(run.root, e, command=run.command, message=reply.told(e.message), now=run.now)


# --- what is answered


def _answer(run: Run, event: str, call: Given) -> dict[str, Any]:
    if event in ("pre-compaction", "session-end"):
        _forget(run, call)  # the startup text goes too, also where what begins anew keeps the session's id
    if event not in ("session-start", "prompt-build") or not call.is_persons:
        return {}
    if event == "prompt-build" and call.session in _told(run):
        return {}
    answer = answers.context(_startup(run, call.host), host=call.host, event=event)
    # OpenClaw takes no text at a session's start: there the first prompt brings it.
    if event == "prompt-build" or call.host != given.OPENCLAW:
        _remember(run, call)
    else:
        _forget(run, call)
    return answer


def _startup(run: Run, host: str) -> str:
    """Return what the agent starts with, between koog's marks, so that it is not observed as news; "" for nothing."""
    from koog.observe.startup import text

    return answers.cut(text(run, budget=answers.BUDGET[host]), host=host)


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
