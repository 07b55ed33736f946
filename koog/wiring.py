"""How the table of commands becomes a Typer app, and the options that every command has.

Of twenty commands an invocation imports one: only the commands that the arguments
name are put into the app, and all of them only when help needs the whole list.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence, Set
from copy import copy
from importlib import import_module
from typing import Annotated, Any

import typer

from koog import __version__
from koog.core.errors import Refused, UsageError
from koog.core.run import Run

Command = Callable[..., Any]
Table = Mapping[str, str | Mapping[str, str]]

# The base of every error that Typer raises for a wrong call, under whichever name this version has it.
CALL_ERROR: type[Exception] = typer.BadParameter.__mro__[2]
PROPOSING = "propose"  # how an agent that is not the main one writes
PROPOSE = 'koog --agent {agent} propose "…" --store semantic; the main agent decides (memory.mainAgent)'
# What cannot be proposed.
INSTEAD = {"forget": "koog --agent {agent} recall QUERY finds it; the person or the main agent has it forgotten"}
NAMING = {"KOOG_AGENT", "KOOG_SESSION_KEY"}  # variables that may name the agent that calls
TRIGGER_CHARS = 80  # of one argument, in audit lines and commits


def call(table: Table, group_help: Mapping[str, str], argv: list[str], run: Run, *, reading: Set[str]) -> Any:
    """Run the command that the arguments name; return what it returned.

    reading   the commands that an agent which is not the main one may call, beside PROPOSING

    ^C inside it comes back as the number 130. Raises CALL_ERROR for a wrong call.
    """
    run.reading = reading
    return _made(table, group_help, argv).main(args=argv, prog_name="koog", standalone_mode=False, obj=run)


def named(argv: Sequence[str]) -> str | None:
    """Return the command's name: the first word that is neither an option nor the value of a shared one.

    >>> named(["--workspace", "hook", "--human", "tick"]), named(["--help"])
    ('tick', None)
    """
    words = iter(argv)
    for word in words:
        if not word.startswith("-"):
            return word
        if word in TAKING:
            next(words, None)
    return None


def words(error: Exception) -> str:
    """Return what is wrong with a call, as Typer words it."""
    return str(error.format_message()) if hasattr(error, "format_message") else str(error)


def help_for(error: Exception) -> str:
    """Return what tells how the command that was called wrong is called."""
    context: typer.Context | None = getattr(error, "ctx", None)
    return f"{context.command_path if context else 'koog'} --help"


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
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which agent calls; not the main one: proposes.")
    ] = None,
) -> None:
    """Take the options that every command has, before or after its name; the later one wins."""
    run: Run = ctx.obj
    if "" in (workspace, config, engine, now, memory_dir, modules_dir, agent):
        raise UsageError("a shared option is empty", hint="a variable that is not set?")
    run.folder = workspace or run.folder
    run.config_file = config or run.config_file
    run.engine = engine or run.engine
    run.now_text = now or run.now_text
    run.dry_run = dry_run or run.dry_run
    run.human = human or run.human
    run.memory_dir = memory_dir or run.memory_dir
    run.modules_dir = modules_dir or run.modules_dir
    run.agent_named = agent or run.agent_named
    if run.engine not in (None, "auto", "llm", "builtin"):
        raise UsageError(f"--engine {run.engine!r} is not one of auto, llm, builtin")


SHARED = [p for name, p in inspect.signature(shared, eval_str=True).parameters.items() if name != "ctx"]
# The shared options that a value follows.
TAKING = {f"--{p.name.replace('_', '-')}" for p in SHARED if p.default is None}


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


def top(
    ctx: typer.Context,
    # Eager, or Typer would ask for a command first.
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_version, help="Print it.")] = False,
) -> None:
    """Plumbing commands that keep an agent's memory in Markdown and git; each prints one JSON line."""


def group(ctx: typer.Context) -> None:
    """Hold commands; do nothing itself."""


def _made(table: Table, group_help: Mapping[str, str], argv: list[str]) -> Any:
    """Return what takes these arguments; who calls koog many times in one process waits for it once a command."""
    names = {*table, *(sub for target in table.values() if not isinstance(target, str) for sub in target)}
    named_here = frozenset(names.intersection(argv))
    if named_here not in _kept:
        _kept[named_here] = typer.main.get_command(_app(table, group_help, argv))
    return _kept[named_here]


_kept: dict[frozenset[str], Any] = {}


def _app(table: Table, group_help: Mapping[str, str], argv: list[str]) -> typer.Typer:
    app = _empty(top, hidden=False)
    for name in [n for n in table if n in argv] or list(table):
        target = table[name]
        if isinstance(target, str):
            app.command(name)(_with_shared(_load(target), path=name))
            continue
        inner = _empty(group, hidden=True)
        for sub in [s for s in target if s in argv] or list(target):
            inner.command(sub)(_with_shared(_load(target[sub]), path=f"{name} {sub}"))
        app.add_typer(inner, name=name, help=group_help[name])
    return app


def _empty(callback: Command, *, hidden: bool) -> typer.Typer:
    # Without Rich, help is plain text that depends on no terminal's width.
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
    app.callback()(_with_shared(callback, hidden=hidden))
    return app


def _load(target: str) -> Command:
    module, function = target.split(":")
    command: Command = getattr(import_module(module), function)
    return command


def _with_shared(command: Command, *, path: str | None = None, hidden: bool = True) -> Command:
    """Return the command with the shared options added, which it does not see.

    path   the command's name, for `Run`: what set a change off is the command and
           its arguments, never an option's text
    """
    own = list(inspect.signature(command, eval_str=True).parameters.values())
    arguments = [p.name for p in own if _is_argument(p)]

    def called(ctx: typer.Context, **given: Any) -> Any:
        shared(ctx, **{p.name: given.pop(p.name) for p in SHARED})
        if path:
            run: Run = ctx.obj
            told = [str(given[name])[:TRIGGER_CHARS] for name in arguments if given[name] is not None]
            run.command, run.trigger = path, " ".join(["koog", path, *told])
            _admit(run)
        return command(ctx, **given)

    common = [p.replace(annotation=_hidden(p.annotation)) for p in SHARED] if hidden else SHARED
    keyword_only = [p.replace(kind=p.KEYWORD_ONLY) for p in [*own[1:], *common]]
    called.__signature__ = inspect.Signature([own[0], *keyword_only])  # type: ignore[attr-defined]  # Typer reads it
    called.__annotations__ = {p.name: p.annotation for p in (own[0], *keyword_only)}
    called.__name__, called.__doc__ = command.__name__, command.__doc__
    return called


def _admit(run: Run) -> None:
    """Let an agent that is not the main one read and propose. Raises Refused for all else.  [moltbot §13.1]"""
    if not (run.agent_named or os.environ.keys() & NAMING):
        return
    from koog.sessions import roles

    run.agent = roles.caller(run, named=run.agent_named, is_hook=run.for_host)
    if run.agent is None or run.command == PROPOSING:
        return
    if run.command not in run.reading:
        raise Refused(
            f"{run.agent} is not the main agent, and koog {run.command} writes",
            hint=INSTEAD.get(run.command, PROPOSE).format(agent=run.agent),
        )
    run.dry_run = True


def _is_argument(parameter: inspect.Parameter) -> bool:
    return any(type(m).__name__ == "ArgumentInfo" for m in getattr(parameter.annotation, "__metadata__", ()))


def _hidden(annotation: Any) -> Any:
    """Return the annotation with its option left out of help: `koog --help` shows it once."""
    option = copy(annotation.__metadata__[0])
    option.hidden = True
    return Annotated[annotation.__origin__, option]
