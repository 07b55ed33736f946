"""koog reconstruct: all transcripts read again by another extractor or model, on a branch beside the memory in use.  [autopoiesis §8.7, §3.3]

Reads   the transcripts, the memory as the last commit has it; --questions FILE
Writes  the branch extract/NAME and the tag memory/extract/NAME; what it has so far in the state root;
        --accept: knowledge/, archive/, MEMORY.md, memory/graph/entities/, as one commit (what a person has put on
        the branch as one more, his), behind the tag memory/before/extract-NAME
Asks    the `knowledge_extractor` route, for each extractor once per 12,000 characters of every transcript; where the
        memory in use was condensed the `memory_condenser` route, as `condense` does

The working tree in use is not touched before --accept. One that was stopped, killed or over its budget goes on with
the same command, or is given up by --drop. Lines of a person's hand and what was remembered stay; what was forgotten,
or what a person has taken out, does not come back.
"""  # noqa: E501  the header's lines are the table's cells

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.audit import history
from koog.core import clock, progress
from koog.core.clip import fitting
from koog.core.errors import NotFound, Refused, UsageError
from koog.core.git import tags
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.text import taught, weigher
from koog.core.view import DIM, STRONG, Cell, Section
from koog.knowledge import reading
from koog.knowledge.past import states, views
from koog.knowledge.past.moments import Point
from koog.knowledge.replay import accepting, beginning, costs, folder, plan, questions, remaking, replaying
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.core.git.repository import Git
    from koog.knowledge.replay.plan import Plan

QUESTIONS_CHARS = 2500
DONE, STOPPED, PLANNED, ACCEPTED, DROPPED = "done", "stopped", "planned", "accepted", "dropped"


def reconstruct(
    ctx: typer.Context,
    branch: Annotated[str | None, typer.Option(metavar="NAME", help="extract/NAME; default: the day.")] = None,
    extractors: Annotated[str | None, typer.Option(metavar="A,B", help="Only these; default: all there are.")] = None,
    model: Annotated[str | None, typer.Option(metavar="MODEL", help="In place of the configured one.")] = None,
    ask: Annotated[
        str | None, typer.Option("--questions", metavar="FILE", help="Put to the memory before and after, one a line.")
    ] = None,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which no further transcript begins.")] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Take a branch that is done into the memory in use.")
    ] = False,
    drop: Annotated[
        bool, typer.Option("--drop", help="Give up one that is under way: what it has so far goes.")
    ] = False,
) -> Reply:
    """Replay all transcripts on a branch, and compare what comes of it; --accept takes it over."""
    run: Run = ctx.obj
    if deadline is not None and not (math.isfinite(deadline) and deadline >= 0):
        raise UsageError(f"--deadline {deadline} is no number of seconds", hint="--deadline 3600")
    if accept and drop:
        raise UsageError("--accept and --drop are two things", hint="one of them")
    audience.own(run)
    name = plan.named(branch or run.today)
    asked = questions.read(run, ask) if ask is not None else []
    git = _git(run)
    with plan.state(run).locked("reconstruct.lock", wait_s=0.0):
        if accept:
            keys = _accepted(run, git, name)
        elif drop:
            keys = _dropped(run, name)
        else:
            keys = _replayed(run, git, name, extractors, model, deadline, asked)
    reply = Reply("koog.reconstruct/1", **keys)
    if run.human:
        reply.view = _view(keys)
    return reply


def _replayed(
    run: Run,
    git: Git,
    name: str,
    named: str | None,
    model: str | None,
    deadline: float | None,
    asked: list[str],
) -> dict[str, Any]:
    root = plan.state(run)
    made = plan.load(root, name)
    beginning.look_for_name(git, name, made)
    made = made or beginning.planned(run, git, name, named, model)
    chosen = beginning.chosen(run, made, named, model)
    sizes = {each.path: each.info.st_size for each in reading.listed(run)}
    left = [sizes[path] for path in made.paths[made.done :] if path in sizes]
    cost = costs.estimate(run, left, len(chosen))
    if costs.is_over(cost):
        run.warnings.append(
            "more than is left of today's budget: it stops there, and the same command goes on tomorrow"
        )
    keys = _keys(made, cost)
    if run.dry_run:
        return keys
    with progress.bar(len(left) + 1) as begin:
        begin(costs.told(cost))
        if not made.is_laid:
            plan.keep(root, made)
            if many := folder.lay(run, made):
                run.warnings.append(f"{many} lines of transcripts are in commits of others than koog, and stay")
            made = made._replace(is_laid=True)
            plan.keep(root, made)
        until = math.inf if deadline is None else time.monotonic() + deadline
        try:
            made = replaying.replay(run, made, chosen, until=until, begin=begin)
            if is_whole := made.done == len(made.paths):
                folder.corrected(run, made)
                is_whole = _remade(run, git, made, until)
        finally:
            weigher.using(taught.of(run.workspace, run.warnings))
    keys |= {"done": made.done, "state": STOPPED}
    if not is_whole:
        return keys
    return {**keys, **_finished(run, git, made, asked), "state": DONE}


def _remade(run: Run, git: Git, made: Plan, until: float) -> bool:
    """Let what is made of the journal be made of the new one; return whether that is done."""
    inner = folder.opened(run, made)
    inner.move_to(clock.parse(made.started) or run.now)
    with history.looked_at(git) as past:
        if not remaking.condensed(inner, past, made, until=until):
            return False
        remaking.put_away(inner, past, made, folder.layout_of(run))
    folder.corrected(run, made)
    return True


def _finished(run: Run, git: Git, made: Plan, asked: list[str]) -> dict[str, Any]:
    """Make branch and tag of what was made; return the comparison."""
    when = clock.parse(made.started) or run.now
    with history.looked_at(git) as past:
        tip = replaying.commit(run, git, past, made, when=when)
        compared = states.between(run, past, Point(made.base, "in use"), Point(tip, f"extract/{made.name}"), None)
        del compared["diff"]  # git has it, and the line is short
    ref = tags.named(tags.EXTRACT, made.name)
    tags.put(git, ref, tip, when=run.now)
    answers = questions.answered(asked, run, folder.opened(run, made, raw=False)) if asked else []
    plan.drop(plan.state(run), made.name)
    behind = compared["next"]
    return {
        "tag": ref.removeprefix("refs/tags/"),
        "commit": tip[:12],
        "compared": compared,
        "questions": fitting(answers, chars=QUESTIONS_CHARS) if answers else [],
        "next": [
            f"git diff --stat {made.base[:10]} extract/{made.name}",
            f"koog reconstruct --accept --branch {made.name}",
            *([f"koog history diff {made.base[:10]} extract/{made.name} --offset {behind}"] if behind else []),
        ],
    }


def _accepted(run: Run, git: Git, name: str) -> dict[str, Any]:
    if plan.load(plan.state(run), name):
        raise Refused(f"extract/{name} is not done yet", hint=f"koog reconstruct --branch {name} goes on with it")
    if why := git.hindrance():
        raise Refused(f"nothing is accepted: {why}", hint="finish it, or go back to a branch")
    with history.looked_at(git) as past:
        done = accepting.accept(run, git, past, name)
    if done.kept:
        run.warnings.append(f"written into or taken away since, and so left as it is: {', '.join(done.kept[:5])}")
    if done.left:
        run.warnings.append(f"no knowledge, so not taken, and extract/{name} stays: {', '.join(done.left[:5])}")
    return {
        "branch": f"extract/{name}",
        "state": ACCEPTED,
        "extractors": [],
        "cost": None,
        "transcripts": 0,
        "done": 0,
        "tag": done.before,
        "commit": run.meta_extra.get("commit"),
        "compared": None,
        "questions": [],
        "files": [each.path for each in done.files][: states.MOST_FILES],
        "fileCount": len(done.files),
        "next": [f"git diff {done.before}"] if done.before else [],
    }


def _dropped(run: Run, name: str) -> dict[str, Any]:
    """Give up a reconstruction under way. Raises NotFound."""
    made = plan.load(plan.state(run), name)
    if made is None:
        raise NotFound(f"no extract/{name} is under way", hint="a branch that is done: git branch -D")
    if not run.dry_run:
        plan.drop(plan.state(run), name)
    return {**_keys(made, None), "state": DROPPED, "done": made.done, "next": []}


def _keys(made: Plan, cost: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "branch": f"extract/{made.name}",
        "state": PLANNED,
        "extractors": list(made.extractors),
        "cost": cost,
        "transcripts": len(made.paths),
        "done": made.done,
        "tag": None,
        "commit": None,
        "compared": None,
        "questions": [],
        "files": [],
        "fileCount": 0,
        "next": [f"koog reconstruct --branch {made.name}"],
    }


def _git(run: Run) -> Git:
    git = run.commits.git
    if git is None:
        raise Refused("there is no git repository, so there is no branch to work on", hint="koog init makes one")
    return git


def _view(keys: dict[str, Any]) -> list[Section]:
    cost = f", {costs.told(keys['cost'])}" if keys["cost"] else ""
    told = f"{keys['state']}: {keys['done']} of {keys['transcripts']} transcripts{cost}"
    found = [Section(keys["branch"], [[Cell(told, STRONG)]])]
    found += views.diff(keys["compared"]) if keys["compared"] else []
    rows = [
        [
            Cell(row["question"]),
            Cell((row["before"] or {}).get("text", "–"), DIM),
            Cell((row["after"] or {}).get("text", "–")),
        ]
        for row in keys["questions"]
    ]
    found += [Section("Questions", rows, heads=("question", "before", "after"))] if rows else []
    return [*found, Section("Next", [[Cell(step)] for step in keys["next"]])]
