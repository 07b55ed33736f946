"""Every koog command on one screen, and the only print.

A command is a function that returns a Reply. It is imported when it is called:
of twenty commands an invocation pays for one.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Annotated, Any

import typer

from koog import __version__
from koog.core import reply
from koog.core.errors import Interrupted, KoogError, UsageError
from koog.core.reply import Reply
from koog.core.run import Run

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
}

GROUP_HELP = {
    "playbook": "The base playbook and the effective one that modules and base make together.",
    "module": "Knowledge modules: domain expertise that merges into the effective playbook.",
}

# The base of every error that Typer raises for a wrong call, under whichever name this version has it.
CallError = typer.BadParameter.__mro__[2]


def shared(
    ctx: typer.Context,
    workspace: Annotated[str | None, typer.Option(metavar="DIR", help="The workspace's folder.")] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE", help="In place of the operator's config.")] = None,
    engine: Annotated[str | None, typer.Option(metavar="auto|llm|builtin", help="Who judges.")] = None,
    now: Annotated[str | None, typer.Option(metavar="ISO", help="Take this for the present moment.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Write and commit nothing.")] = False,
    human: Annotated[bool, typer.Option("--human", help="Print tables instead of the line.")] = False,
    memory_dir: Annotated[str | None, typer.Option(metavar="DIR", help="The workspace's memory folder.")] = None,
    modules_dir: Annotated[str | None, typer.Option(metavar="DIR", help="The workspace's modules folder.")] = None,
) -> None:
    """Take the options that every command has, before or after its name; the later one wins."""
    run: Run = ctx.obj
    run.folder = workspace or run.folder
    run.config_file = config or run.config_file
    run.engine = engine or run.engine
    run.now_text = now or run.now_text
    run.dry_run = dry_run or run.dry_run
    run.human = human or run.human
    run.memory_dir = memory_dir or run.memory_dir
    run.modules_dir = modules_dir or run.modules_dir
    if run.engine not in (None, "auto", "llm", "builtin"):
        raise UsageError(f"--engine {run.engine!r} is not one of auto, llm, builtin")


def top(ctx: typer.Context, version: bool = False, **options: Any) -> None:
    """Plumbing commands that keep an agent's memory in Markdown and git; each prints one JSON line."""
    if version:
        print(__version__)
        raise typer.Exit
    shared(ctx, **options)


def build(argv: list[str]) -> typer.Typer:
    """Return the app with the commands that these arguments can mean: the named ones, else all."""
    app = _group()
    app.callback()(_with_options(top, hidden=False))
    named = [name for name in COMMANDS if name in argv] or list(COMMANDS)
    for name in named:
        target = COMMANDS[name]
        if isinstance(target, str):
            _add(app, name, target, path=name)
            continue
        group = _group()
        group.callback()(_with_options(_nothing, hidden=True))
        inner = [sub for sub in target if sub in argv] or list(target)
        for sub in inner:
            _add(group, sub, target[sub], path=f"{name} {sub}")
        app.add_typer(group, name=name, help=GROUP_HELP[name])
    return app


def main(argv: list[str] | None = None) -> int:
    """Run one command, print its one line, return its exit code."""
    argv = sys.argv[1:] if argv is None else argv
    run = Run()
    try:
        answer = typer.main.get_command(build(argv)).main(args=argv, prog_name="koog", standalone_mode=False, obj=run)
        if isinstance(answer, Reply):
            _say(reply.success(answer, run.meta()), run)
        elif answer:  # Typer has turned ^C into an exit code and returned it
            raise Interrupted("interrupted")
        return 0
    except KoogError as e:
        return _fail(e, run)
    except CallError as e:
        return _fail(UsageError(e.format_message(), hint="koog --help"), run)
    except (KeyboardInterrupt, typer.Abort):
        return _fail(Interrupted("interrupted"), run)
    except Exception as e:
        import traceback

        traceback.print_exc()
        return _fail(KoogError(f"{type(e).__name__}: {e}", hint="a bug in koog: report it with stderr"), run)


def entry() -> None:
    """The console script. A reader that has gone away is not koog's failure."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _say(value: dict[str, Any], run: Run) -> None:
    if run.human:
        from koog.core.human import show

        show(value)
    else:
        print(reply.line(value))


def _fail(error: KoogError, run: Run) -> int:
    try:
        meta = run.meta()
    except KoogError:  # a malformed --now is the error itself
        run.now_text = None
        run.__dict__.pop("now", None)
        meta = run.meta()
    _say(reply.failure(error, meta), run)
    print(f"koog: {error.message}", file=sys.stderr)
    return error.exit_code


def _group() -> typer.Typer:
    # Without Rich, help is plain text that depends on no terminal's width.
    return typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


def _nothing(ctx: typer.Context, **options: Any) -> None:
    shared(ctx, **options)


def _add(app: typer.Typer, name: str, target: str, *, path: str) -> None:
    module, function = target.split(":")
    command = getattr(import_module(module), function)
    app.command(name)(_with_options(_noted(command, path), hidden=True))


def _noted(command: Callable[..., Any], path: str) -> Callable[..., Any]:
    """Wrap a command so that its run knows what set it off: the command and its arguments, no option's text."""

    @wraps(command)
    def noted(ctx: typer.Context, **given: Any) -> Any:
        run: Run = ctx.obj
        run.command = path
        run.trigger = " ".join(["koog", path, *_arguments(command, given)])
        return command(ctx, **given)

    return noted


def _arguments(command: Callable[..., Any], given: dict[str, Any]) -> list[str]:
    hints = inspect.get_annotations(command, eval_str=True)
    names = [n for n, h in hints.items() if any(_is_argument(m) for m in getattr(h, "__metadata__", ()))]
    return [str(given[n])[:80] for n in names if given.get(n) is not None]


def _is_argument(mark: object) -> bool:
    return type(mark).__name__ == "ArgumentInfo"


def _with_options(command: Callable[..., Any], *, hidden: bool) -> Callable[..., Any]:
    """Return the command with the shared options added, so that they work before and after its name.

    A function that takes `**options` gets them itself; for any other they are taken off first.
    """
    own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.kind is not p.VAR_KEYWORD]
    wants = any(p.kind is p.VAR_KEYWORD for p in inspect.signature(inspect.unwrap(command)).parameters.values())
    common = [p for n, p in inspect.signature(shared, eval_str=True).parameters.items() if n != "ctx"]
    if hidden:
        common = [p.replace(annotation=_hidden(p.annotation)) for p in common]

    @wraps(command)
    def run_it(ctx: typer.Context, **given: Any) -> Any:
        if wants:
            return command(ctx, **given)
        shared(ctx, **{p.name: given.pop(p.name) for p in common})
        return command(ctx, **given)

    keyword_only = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in [*own[1:], *common]]
    signature = inspect.Signature([own[0], *keyword_only])
    run_it.__signature__ = signature  # type: ignore[attr-defined]  # what inspect, and so Typer, reads
    run_it.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    del run_it.__wrapped__  # type: ignore[attr-defined]  # else inspect looks through to the bare command
    return run_it


def _hidden(annotation: Any) -> Any:
    from copy import copy

    kind, option = annotation.__origin__, copy(annotation.__metadata__[0])
    option.hidden = True
    return Annotated[kind, option]
