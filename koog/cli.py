"""Every koog command on one screen, and the only print.

A command is a function that returns a Reply. It is imported when it is called:
of twenty commands an invocation pays for one.
"""

from __future__ import annotations

import atexit
import gc

gc.disable()  # nothing that is imported here is ever garbage: collecting meanwhile is a twentieth of the start

import os
import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from io import StringIO
from typing import TYPE_CHECKING, Any

import typer

from koog import wiring
from koog.core import lazy_regex, reply
from koog.core.errors import Interrupted, KoogError, NotFound, UsageError, WorkspaceError
from koog.core.reply import HostReply, Reply, Stream
from koog.core.run import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from koog.core.view import Section

COMMANDS: dict[str, str | dict[str, str]] = {
    # heartbeat: one tick, step by step or in one call
    "backup": "koog.heartbeat.backup:backup",
    "signal": "koog.heartbeat.signal:signal",
    "mine": "koog.heartbeat.mine:mine",
    "feedback": "koog.heartbeat.feedback:feedback",
    "curate": "koog.heartbeat.curate:curate",
    "log": "koog.heartbeat.log:log",
    "synthesize": "koog.heartbeat.synthesize:synthesize",
    "tick": "koog.heartbeat.tick:tick",
    # playbook: the document and the modules that merge into it
    "playbook": {
        "show": "koog.playbook.playbook:show",
        "build": "koog.playbook.playbook:build",
    },
    "module": {
        "list": "koog.playbook.module:list_modules",
        "activate": "koog.playbook.module:activate",
        "suspend": "koog.playbook.module:suspend",
        "priority": "koog.playbook.module:priority",
        "stack": "koog.playbook.module:stack",
        "info": "koog.playbook.module:info",
        "guidance": "koog.playbook.module:guidance",
        "extract": "koog.playbook.extract:extract",
        "export": "koog.playbook.bundle:export_module",
        "import": "koog.playbook.bundle:import_module",
    },
    # observe: what hosts' sessions say becomes observations
    "observe": "koog.observe.observe:observe",
    "watch": "koog.observe.watch:watch",
    "recover": "koog.observe.recover:recover",
    "reflect": "koog.observe.reflect:reflect",
    "startup": "koog.observe.startup:startup",
    # knowledge: from raw talk to what is kept of it
    "transcript": {
        "start": "koog.knowledge.transcript:start",
        "message": "koog.knowledge.transcript:message",
        "tool": "koog.knowledge.transcript:tool",
        "end": "koog.knowledge.transcript:end",
        "import": "koog.knowledge.transcript_import:import_sessions",
    },
    # context: what the agent needs to know for this message
    "topic": {
        "list": "koog.topics.topic:list_topics",
        "check": "koog.topics.topic_check:check",
        "activate": "koog.topics.topic:activate",
        "deactivate": "koog.topics.topic:deactivate",
        "stats": "koog.topics.topic:stats",
    },
    "compile": "koog.context.compile:compile_context",
    # memory: what the user has remembered and forgotten
    "detect": "koog.memory.detect:detect",
    # host: the program that the agent lives in
    "sync": "koog.host.sync:sync",
    "hook": "koog.host.hook:hook",
    # search: a derived index over the Markdown files
    "index": "koog.search.index:index",
    "search": "koog.search.search:search",
    # memory: five stores, and what fades in them
    "remember": "koog.memory.remember:remember",
    "recall": "koog.memory.recall:recall",
    "graph": {
        "show": "koog.memory.graph:show",
        "path": "koog.memory.graph:path",
        "export": "koog.memory.graph:export",
        "check": "koog.memory.graph:check",
    },
    "pin": "koog.memory.pin:pin",
    "unpin": "koog.memory.unpin:unpin",
    "forget": "koog.memory.forget:forget",
    "why": "koog.audit.why:why",
    "decay": {
        "run": "koog.memory.decay:run_decay",
        "show": "koog.memory.decay:show",
    },
    # consolidate: sleep; a plan, and a person's word on it
    "consolidate": {
        "run": "koog.consolidate.consolidate:run_consolidation",
        "show": "koog.consolidate.consolidate:show",
        "approve": "koog.consolidate.approve:approve",
        "reject": "koog.consolidate.approve:reject",
    },
    # knowledge: what was said becomes files
    "extract": "koog.knowledge.extract:extract",
    "condense": {
        "daily": "koog.knowledge.condense:daily",
        "weekly": "koog.knowledge.condense:weekly",
        "monthly": "koog.knowledge.condense:monthly",
    },
    "prune": "koog.knowledge.prune:prune",
    "reconstruct": "koog.knowledge.reconstruct:reconstruct",
    "history": {
        "when": "koog.knowledge.history:when",
        "where": "koog.knowledge.history:where",
        "diff": "koog.knowledge.history:diff",
        "learned": "koog.knowledge.history:learned",
        "show": "koog.knowledge.history:show",
        "snapshot": "koog.knowledge.history:snapshot",
    },
    # audit: who changed what, by whose leave
    "audit": {
        "log": "koog.audit.log:log",
        "blame": "koog.audit.blame:blame",
        "alerts": "koog.audit.alerts:alerts",
        "ack": "koog.audit.ack:ack",
        "verify": "koog.audit.verify:verify",
        "digest": "koog.audit.digest:digest",
    },
    "rollback": {
        "file": "koog.audit.rollback:file",
        "session": "koog.audit.rollback:session",
        "time": "koog.audit.rollback:moment",
    },
    # audit: who may write, and what waits for somebody's word
    "propose": "koog.audit.propose:propose",
    "review": {
        "list": "koog.audit.review:list_proposals",
        "show": "koog.audit.review:show",
        "commit": "koog.audit.review:commit",
        "keep-both": "koog.audit.review:keep_both",
        "reject": "koog.audit.review:reject",
        "defer": "koog.audit.review:defer",
        "auto": "koog.audit.review:auto",
    },
    # operate
    "init": "koog.operate.init:init",
    "uninstall": "koog.operate.uninstall:uninstall",
    "demo": "koog.operate.demo:demo",
    "status": "koog.operate.status:status",
    "doctor": "koog.operate.doctor:doctor",
    "usage": "koog.operate.usage:usage",
    "teach": "koog.operate.teach:teach",
    "cron": {
        "install": "koog.operate.cron:install",
        "show": "koog.operate.cron:show",
        "remove": "koog.operate.cron:remove",
    },
}

# What an agent that is not the main one may call: it changes nothing that is remembered, and what it would note beside
# its reply is left out (`dryRun`). Whatever is not named here writes, and is refused. `propose` is how such an agent
# writes; `hook` is called by the host, and not by an agent.  [moltbot §13.1]
READING = frozenset(
    (
        "signal",
        "playbook show",
        "module list",
        "module stack",
        "module info",
        "module guidance",
        "startup",
        "topic list",
        "topic check",
        "topic stats",
        "compile",
        "detect",
        "index",
        "search",
        "decay show",
        "consolidate show",
        "recall",
        "graph show",
        "graph path",
        "graph export",
        "graph check",
        "why",
        "history when",
        "history where",
        "history diff",
        "history learned",
        "history show",
        "audit log",
        "audit blame",
        "audit alerts",
        "audit verify",
        "review list",
        "review show",
        "status",
        "doctor",
        "usage",
        "cron show",
    )
)

# What looks for events that a killed hook left; those that nobody waits for see them digested before they end.
TAKING_UP = {"tick": True, "observe": True, "recover": True, "startup": False}

GROUP_HELP = {
    "playbook": "The base playbook and the effective one that modules and base make together.",
    "module": "Knowledge modules: domain expertise that merges into the effective playbook.",
    "graph": "Whom and what is remembered, and how they are linked.",
    "history": "Git as memory: when something was learned, where it is from, what was known then, what has changed.",
    "decay": "How relevant each memory still is: it fades by the day, and by being spoken of it comes back.",
    "consolidate": "Sleep: what was remembered is looked through, and a person approves what changes.",
    "audit": "Every change's line: who made it, by whose leave, and whether the log is still what koog wrote.",
    "rollback": "What was changed is taken back: a plan first, then --confirm with its id.",
    "review": "What other agents propose, and what was held back for a person: shown, committed, rejected, put off.",
    "transcript": "One Markdown file a session, in the raw root: it only grows, and stays as it is once it has ended.",
    "condense": "From days to weeks to months, and from there to what lasts; what leaves a file lies in archive/.",
    "topic": "Situational playbooks in topics/: which are active, which a message activates, and why.",
    "cron": "The schedule by which ticks run unattended: cron, systemd, launchd or OpenClaw.",
}


def main(argv: list[str] | None = None) -> int:
    """Run one command, print its one line (or the lines of its stream), return its exit code."""
    gc.enable()
    is_own, argv = argv is None, sys.argv[1:] if argv is None else argv
    for_host = wiring.named(argv) == "hook"
    run = Run(human="--human" in argv, for_host=for_host)  # already for a call that is wrong
    with _in_time(argv) if for_host else nullcontext():
        code = _called(argv, run)
    if run.command in TAKING_UP:
        _take_up(run)
    _go_on_deleting(run)
    if is_own and not run.dry_run:
        lazy_regex.keep()
    # Claude Code takes 2, which is a wrong call's code, for "block": a hook never says it.
    return 0 if for_host else code


def _called(argv: list[str], run: Run) -> int:
    try:
        answer = wiring.call(COMMANDS, GROUP_HELP, argv, run, reading=READING)
        if isinstance(answer, HostReply):
            from koog.host import arrival

            arrival.answering()
            arrival.drop()  # what nobody was set on asks for nothing
            _say(answer.keys, run)
        elif isinstance(answer, Reply):
            run.finish()
            _say(reply.success(answer, run.meta()), run, answer.view)
        elif isinstance(answer, Stream):
            _tell(answer, run)
        elif answer:  # Typer has turned ^C into an exit code and returned it
            raise Interrupted("interrupted")
        return 0
    except KoogError as e:
        return _fail(e, run)
    except wiring.CALL_ERROR as e:
        return _fail(UsageError(wiring.words(e), hint=wiring.help_for(e)), run)
    except (KeyboardInterrupt, typer.Abort):
        return _fail(Interrupted("interrupted"), run)
    except Exception as e:
        import traceback

        traceback.print_exc()
        return _fail(KoogError(f"{type(e).__name__}: {e}", hint="a bug in koog: report it with stderr"), run)


def entry() -> None:
    """The console script. A reader that has gone away is not koog's failure.

    The line is out and every file is synced, so the process ends here: taking the
    interpreter down module by module costs a tenth of the whole command.
    """
    # Without one (2>&-) print would put the words for people on stdout, behind the line.
    sys.stderr = sys.stderr or StringIO()
    gc.freeze()  # or the first collection looks at all that was imported: a tenth of a search
    gc.set_threshold(50_000)  # of 700 things, what a command has read is looked at again and again: a tenth of a recall
    code = main()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(BrokenPipeError):
            stream.flush()
    if sys.gettrace() or sys.getprofile():
        sys.exit(code)  # somebody is measuring and wants to write it down
    atexit._run_exitfuncs()  # a temporary folder goes with the process
    os._exit(code)


def _in_time(argv: Sequence[str]) -> AbstractContextManager[object]:
    from koog.host import arrival  # of all commands one needs it

    return arrival.in_time(argv)


def _take_up(run: Run) -> None:
    """Have digested what a killed hook left; its line is printed, so it is no failure of this command."""
    from koog.core.files import spool

    if spool.is_empty():
        return
    from koog.host import work

    with suppress(KoogError):
        if (pid := work.take_up(run)) and TAKING_UP[run.command]:
            work.wait_for(pid)


def _go_on_deleting(run: Run) -> None:
    """Finish a deletion that was killed; this command's line is printed, so it is no failure of it."""
    if run.for_host or run.dry_run or "workspace" not in run.__dict__ or not (state := run.state_root):
        return
    if state.root.info("deleting.json") is not None:
        from koog.memory.forgetting import purge

        with suppress(KoogError):
            if purge.finish(run):
                print("koog: a deletion that was cut off is finished", file=sys.stderr)


def _tell(stream: Stream, run: Run) -> None:
    """Print the lines of a command that goes on, until it ends or nobody reads them any more."""
    for line in stream.lines:
        if not _say(line, run):
            break


def _say(value: dict[str, Any], run: Run, view: Sequence[Section] | None = None) -> bool:
    """Print one line; return whether there is somebody who reads it."""
    try:
        value, view = _veiled(value, view, run)
        if run.human and not run.for_host:
            from koog.core.human import show

            show(value, view)
        else:
            print(reply.line(value), flush=True)
    except BrokenPipeError:
        return False
    except OSError as e:  # a full disk: there is no line, and the interpreter's own last flush would end with 120
        print(f"koog: standard output: {e.strerror}", file=sys.stderr)
        os._exit(0 if run.for_host else WorkspaceError.exit_code)
    return True


def _veiled(
    value: dict[str, Any], view: Sequence[Section] | None, run: Run
) -> tuple[dict[str, Any], Sequence[Section] | None]:
    """Return what is said without what was forgotten; most workspaces have nothing to look for."""
    if "workspace" not in run.__dict__ or not run.workspace.has_forgotten:
        return value, view
    from koog.core import veil

    return veil.over(run, value), veil.over(run, view)


def _fail(error: KoogError, run: Run) -> int:
    try:
        meta = run.meta()
    except KoogError:  # a malformed --now is the error itself
        run.now_text = None
        run.__dict__.pop("now", None)
        meta = run.meta()
    if run.for_host:
        from koog.host import arrival

        arrival.answering()
        if isinstance(error, UsageError | NotFound):
            arrival.drop()  # it would be no better later
    _say({} if run.for_host else reply.failure(error, meta), run)
    told = reply.told(error.message)
    _note(error, told, run)
    words = "".join(c if c.isprintable() else " " for c in told)
    with suppress(BrokenPipeError):
        print(f"koog: {words}", file=sys.stderr)
    return error.exit_code


def _note(error: KoogError, told: str, run: Run) -> None:
    from koog.core import failures

    try:
        if not run.dry_run and not run.agent:  # what another agent may not do is no failure here
            failures.record(run.root, error, command=run.command, message=told, now=run.now)
    except KoogError:
        pass  # no workspace here
