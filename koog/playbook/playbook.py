"""koog playbook: show the base or effective playbook, build the effective one.  [sinain §3.4, §5.6]

Reads   show: memory/sinain-playbook.md, modules/, git history; build: memory/sinain-playbook.md, modules/
Writes  build: memory/sinain-playbook-effective.md
Asks    nothing
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from koog.core import clock
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.text import comments
from koog.playbook import document, registry, stack

CHARS = 7000  # of text in one line, which stays under 10,000


def show(
    ctx: typer.Context,
    effective: Annotated[bool, typer.Option("--effective", help="With the active modules merged in.")] = False,
    history: Annotated[int, typer.Option(min=0, max=50, help="Add the last N commits that changed it.")] = 0,
    offset: Annotated[int, typer.Option(min=0, help="Go on from this character.")] = 0,
) -> Reply:
    """Show the playbook, where it stands and how it came about."""
    run: Run = ctx.obj
    path = run.workspace.in_memory(document.EFFECTIVE if effective else document.NAME)
    base = run.workspace.text(run.workspace.in_memory(document.NAME)) or ""
    text = _heard(run, base, effective=effective)
    part = text[offset : offset + CHARS]
    rest = offset + len(part) < len(text)
    return Reply(
        "koog.playbook.show/1",
        which="effective" if effective else "base",
        text=part,
        lines=document.content_lines(document.parse(base).body),
        stack=registry.rows(run.workspace),
        miningIndex=document.mining_index(base),
        effectiveness=comments.get(base, document.EFFECTIVENESS),
        history=_history(run, run.workspace.in_memory(document.NAME), history) if history else [],
        path=path,
        truncated=rest,
        nextOffset=offset + len(part) if rest else None,
    )


def _heard(run: Run, base: str, *, effective: bool) -> str:
    """Return what of the playbook whoever asks may be told; all of it as it stands for the own project."""
    from koog.playbook import heard
    from koog.sessions import audience

    who = audience.current(run)
    if effective:
        return stack.effective_for(run.workspace, who)
    return heard.part(base, run.workspace.in_memory(document.NAME), who)


def build(ctx: typer.Context) -> Reply:
    """Write the effective playbook from the active modules and the base."""
    run: Run = ctx.obj
    path = run.workspace.in_memory(document.EFFECTIVE)
    with run.workspace.writing() as door:
        stack.stage(door)
        changed = bool(door.staged)
    text = run.workspace.text(path) or ""
    lines = sum(1 for line in text.splitlines() if line.strip())
    return Reply("koog.playbook.build/1", path=path, changed=changed, lines=lines, stack=registry.rows(run.workspace))


def _history(run: Run, path: str, count: int) -> list[dict[str, Any]]:
    """Return the last commits of a file, newest first; [] where there is no history."""
    found = run.commits.git
    if found is None or (head := found.head()) is None:
        return []
    from git import Repo

    with Repo(found.own.place.path) as repo:  # not the repository itself, whose configuration names programs
        repo.git.update_environment(**found.own.env)
        return [
            {
                "commit": commit.hexsha[:10],
                "when": clock.iso(commit.committed_datetime),
                "subject": str(commit.summary),
                "actor": _trailer(str(commit.message), "Actor"),
            }
            for commit in repo.iter_commits(head, paths=found.prefix + path, max_count=count)
        ]


def _trailer(message: str, name: str) -> str | None:
    found = [line for line in message.splitlines() if line.startswith(f"{name}: ")]
    return found[-1].removeprefix(f"{name}: ") if found else None
