"""Every koog command on one screen, and the only print.

A command is a function that returns a Reply. It is imported when it is called:
of twenty commands an invocation pays for one.
"""

from __future__ import annotations

import gc

gc.disable()  # nothing that is imported here is ever garbage: collecting meanwhile is a twentieth of the start

import os
import sys
from contextlib import suppress
from io import StringIO
from typing import TYPE_CHECKING, Any

import typer

from koog import wiring
from koog.core import reply
from koog.core.errors import Interrupted, KoogError, UsageError, WorkspaceError
from koog.core.reply import Reply
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
    # operate
    "init": "koog.operate.init:init",
    "demo": "koog.operate.demo:demo",
    "status": "koog.operate.status:status",
    "doctor": "koog.operate.doctor:doctor",
    "usage": "koog.operate.usage:usage",
    "cron": {
        "install": "koog.operate.cron:install",
        "show": "koog.operate.cron:show",
        "remove": "koog.operate.cron:remove",
    },
}

GROUP_HELP = {
    "playbook": "The base playbook and the effective one that modules and base make together.",
    "module": "Knowledge modules: domain expertise that merges into the effective playbook.",
    "cron": "The schedule by which ticks run unattended: cron, systemd or OpenClaw.",
}


def main(argv: list[str] | None = None) -> int:
    """Run one command, print its one line, return its exit code."""
    gc.enable()
    argv = sys.argv[1:] if argv is None else argv
    run = Run(human="--human" in argv)  # already for a call that is wrong
    try:
        answer = wiring.call(COMMANDS, GROUP_HELP, argv, run)
        if isinstance(answer, Reply):
            run.finish()
            _say(reply.success(answer, run.meta()), run, answer.view)
        elif answer:  # Typer has turned ^C into an exit code and returned it
            raise Interrupted("interrupted")
        return 0
    except KoogError as e:
        return _fail(e, run)
    except wiring.CALL_ERROR as e:
        return _fail(UsageError(wiring.words(e), hint="koog --help"), run)
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
    code = main()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(BrokenPipeError):
            stream.flush()
    if sys.gettrace() or sys.getprofile():
        sys.exit(code)  # somebody is measuring and wants to write it down
    os._exit(code)


def _say(value: dict[str, Any], run: Run, view: Sequence[Section] | None = None) -> None:
    try:
        if run.human:
            from koog.core.human import show

            show(value, view)
        else:
            print(reply.line(value), flush=True)
    except BrokenPipeError:
        pass
    except OSError as e:  # a full disk: there is no line, and the interpreter's own last flush would end with 120
        print(f"koog: standard output: {e.strerror}", file=sys.stderr)
        os._exit(WorkspaceError.exit_code)


def _fail(error: KoogError, run: Run) -> int:
    try:
        meta = run.meta()
    except KoogError:  # a malformed --now is the error itself
        run.now_text = None
        run.__dict__.pop("now", None)
        meta = run.meta()
    _say(reply.failure(error, meta), run)
    told = reply.told(error.message)
    _note(error, told, run)
    words = "".join(c if c.isprintable() else " " for c in told)
    with suppress(BrokenPipeError):
        print(f"koog: {words}", file=sys.stderr)
    return error.exit_code


def _note(error: KoogError, told: str, run: Run) -> None:
    from koog.core import failures

    try:
        if not run.dry_run:
            failures.record(run.root, error, command=run.command, message=told, now=run.now)
    except KoogError:
        pass  # no workspace here
