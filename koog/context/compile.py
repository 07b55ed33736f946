"""koog compile: what the agent needs to know for this message, within a budget of tokens.  [autopoiesis §6]

Reads   identity, core memory, journal, projects, playbook and modules, observations; topics/ and what they subscribe
        to; whatever `search` covers; the file named by --history: of all that what the reader may see
Writes  the file named by --out, else .koog/compiled/ for a text that is too long for the line; what `search` and
        `topic check` write
Asks    the `topic_gate` route, where a topic's gate does

What the seed leaves open is decided so: with a history, knowledge has half of what the fixed slots leave and the
history the rest; whatever either does not need the other may have.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koog.context import assembly, budget, history, report, scored, slots
from koog.context.compiled import Compiled
from koog.context.contents import BUDGET, SLOT_FULL, TAKEN, Contents
from koog.core import judged
from koog.core.errors import NotFound, UsageError, WorkspaceError
from koog.core.files import outside
from koog.core.reply import Reply, line
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.core.text import tokens
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.context.window import Window
    from koog.topics.watchers import Checked

MAIN, GROUP = "main", "group"
KEY_MARKS = (":", "@")  # a session's key has one of them
LINE_CHARS = 9_500  # of the line but its other keys: all of it stays below 10,000
ROWS_CHARS, CONSIDERED_CHARS = 2_500, 3_000  # that a text in the line leaves for the rows beside it
COMPILED = "compiled"  # folder in .koog
KEPT = 20  # files in it
MOST_PROBLEMS = 5  # of topic files that are told
HISTORY_LIMIT = 64 * 1024 * 1024  # bytes


def compile_context(
    ctx: typer.Context,
    message: Annotated[str, typer.Option(metavar="TEXT", help="What the user says; '-' reads standard input.")],
    budget_tokens: Annotated[
        int | None, typer.Option("--budget", metavar="TOKENS", min=1, help="Never more; else context.tokenBudget.")
    ] = None,
    session: Annotated[
        str, typer.Option(metavar="main|group|KEY", help="Who hears it; in a group nothing told in private.")
    ] = MAIN,
    project: Annotated[
        str | None, typer.Option(metavar="P|all", help="For that project, or for all; else for that of this folder.")
    ] = None,
    history_file: Annotated[
        str | None, typer.Option("--history", metavar="FILE", help="The session so far: JSON lines, JSON or Markdown.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what was considered, and why it is in or not.")
    ] = False,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Into a file of the workspace, not the line.")] = None,
) -> Reply:
    """Compile the context for a message: identity, memory, topics, what the search finds, history."""
    run: Run = ctx.obj
    if out == "":
        raise UsageError("--out is empty", hint="a variable that is not set?")
    if history_file == "":
        raise UsageError("--history is empty", hint="a variable that is not set?")
    _read_by(run, session, project)
    said = text_or_stdin(message, what="--message")
    limit = budget_tokens or run.settings.get("context.tokenBudget")
    with judged.kept(run):
        made = work(run, said, limit=limit, history_file=history_file)
    if out is not None:
        run.put_out(out, made.text, of="koog", summary="the context compiled for a message")
    return _reply(run, made, limit=limit, explain=explain, out=out)


def _read_by(run: Run, session: str, project: str | None) -> None:
    """Make the reader whom the options name this run's. Raises UsageError.

    A group stays one, whatever else is asked for: whoever writes in it could have its agent ask.
    """
    is_key = any(mark in session for mark in KEY_MARKS)
    if not is_key and session not in (MAIN, GROUP):
        raise UsageError(f"--session {session!r} is not main, group, or a session's key", hint="agent:main:main")
    who = audience.current(run)
    if session != MAIN and not who.is_group:
        who = audience.of_session(run, session)
    if not who.is_group:
        audience.named(run, project)
    elif project is not None:
        run.warnings.append("--project is not heard in a group")


def work(run: Run, message: str, *, limit: int, history_file: str | None = None) -> Compiled:
    """Fill the slots by priority and put the text together; `limit`: tokens, never exceeded.

    It is for this run's reader: audience.current.

    Raises NotFound, UsageError and WorkspaceError for the history file, WorkspaceError for the workspace.
    """
    contents = Contents(run, room=assembly.room(limit))
    slots.identity(contents)
    window = _window(contents, history_file) if history_file is not None else None
    slots.session(contents)
    checked = _checked(contents, message)
    active = checked.active if checked else []
    subscriptions = slots.topics(contents, active)
    if window:  # its share first; what knowledge leaves comes on top
        share = int(contents.left * (1 - budget.KNOWLEDGE_SHARE))
        contents.put(window.part, budget.unlimited(share), window.newest, misses=0)
    known = [verdict.topic for verdict in checked.verdicts] if checked else []
    stale = scored.knowledge(contents, message, active, known)
    if window:
        contents.put(window.part, budget.unlimited(contents.left), window.newest, misses=0)
        window.part.why = TAKEN if window.whole else BUDGET
    return Compiled(assembly.assemble(contents.parts), contents, checked, subscriptions, stale)


def _checked(contents: Contents, message: str) -> Checked | None:
    """Return what the watchers say of the message; None, with a warning, when they cannot: the rest stands anyway.

    Topics that the reader may not be told are not in it.
    """
    from koog.topics import watchers

    run, texts = contents.run, contents.texts
    if texts.hides_all:
        return None
    before = len(run.warnings)
    try:
        checked = watchers.check(run, message)
    except WorkspaceError as e:
        run.warnings.append(f"topics: {e.message}")
        return None
    if texts.who.is_group or not texts.who.is_own:
        del run.warnings[before:]  # they name topics
    checked = checked._replace(
        verdicts=[verdict for verdict in checked.verdicts if not texts.hides(verdict.topic.path)],
        problems=[problem for problem in checked.problems if not texts.hides(problem.file)],
    )
    run.warnings += [f"{p.file}:{p.line}: {p.message}" for p in checked.problems[:MOST_PROBLEMS]]
    return checked


# The session's history


def _window(contents: Contents, file: str) -> Window:
    """Return the history's window with its system messages taken: like the identity, they are never dropped."""
    from koog.context.window import Window

    run = contents.run
    found = history.parse(_read(run, file))
    if found.broken:
        run.warnings.append(f"history: {found.broken} lines of {Path(file).name} are no JSON and were left out")
    window = Window(found.messages, path=_cited(run, file), room=contents.left)
    contents.put(window.part, budget.unlimited(contents.left), window.system)
    if not window.part.chosen.issuperset(window.system):
        run.warnings.append("the history's system messages do not fit the budget and are cut")
    return window


def _read(run: Run, file: str) -> str:
    path = Path(file)
    try:
        data = outside.given(file, workspace=run.workspace.files, limit=HISTORY_LIMIT)
    except FileNotFoundError:
        raise NotFound(f"no history file {path.name}", hint="--history takes an existing file") from None
    except OSError as e:
        if e.errno == errno.EFBIG:
            raise UsageError(f"{path.name}: {e.strerror}") from None
        raise WorkspaceError(f"{path.name}: {e.strerror}") from None
    except ValueError as e:  # a NUL in the name
        raise WorkspaceError(f"{path.name}: {e}") from None
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _cited(run: Run, file: str) -> str:
    """Return how the history file is named: by its path in the workspace; outside of it by its name alone."""
    return outside.within(file, run.workspace.files) or Path(file).name


# The reply


def _reply(run: Run, made: Compiled, *, limit: int, explain: bool, out: str | None) -> Reply:
    room = LINE_CHARS - len(line(run.meta()))
    inline = len(line({"text": made.text}))
    fits = out is None and inline <= room - ROWS_CHARS - (CONSIDERED_CHARS if explain else 0)
    room -= inline if fits else 0
    topics = report.bounded(report.topics(made), share=0.3, room=room)
    parts = report.bounded(report.parts(made), share=0.5 if explain else 1, room=topics.left)
    considered = report.bounded(report.considered(made) if explain else [], share=1, room=parts.left)
    return Reply(
        "koog.compile/1",
        text=made.text if fits else None,
        out=out if fits or out is not None else _kept(run, made.text),
        budget=limit,
        tokens=tokens.estimate(made.text),
        session=GROUP if made.contents.is_group else MAIN,
        truncated=any(p.why in (BUDGET, SLOT_FULL) for p in made.contents.parts if p.kind != "knowledge"),
        withheld=sum(part.withheld for part in made.contents.parts),
        stale=made.stale,
        topics=topics.rows,
        moreTopics=topics.more,
        parts=parts.rows,
        moreParts=parts.more,
        considered=considered.rows if explain else None,
        moreConsidered=considered.more,
    )


def _kept(run: Run, text: str) -> str | None:
    """Put a text that is too long for the line into a file of `.koog/`; return its path, None under `--dry-run`."""
    from hashlib import blake2b

    name = f"{blake2b(text.encode(), digest_size=8).hexdigest()}.md"
    if run.dry_run:
        run.warnings.append(f"dry run: the text of {len(text)} characters is too long for the line and was not written")
        return None
    return run.workspace.cache_among(COMPILED, name, text, keep=KEPT)
