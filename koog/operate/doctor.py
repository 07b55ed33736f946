"""koog doctor: what is wrong here, where, and the command that mends it.

Reads   config, key, git, every file that koog reads, the machine, its schedule, the hosts' settings
Writes  nothing; with --fix what is safe: .koog/, a killed command's rest, the effective playbook, which project a
        line is of, and memory/meta/other-projects.md
Asks    nothing; with --online the endpoint, one short question

Whatever is found, the exit code is 0: doctor did its work. It is what one runs when
nothing else does, so no damage may end it: each check stands by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core.errors import KoogError, NotFound, Refused
from koog.core.files.roots import Root
from koog.core.files.workspace import PRIVATE, Workspace
from koog.core.reply import Reply
from koog.core.run import Run
from koog.operate import (
    checks_config,
    checks_files,
    checks_git,
    checks_hooks,
    checks_machine,
    checks_memory,
    checks_openclaw,
    checks_projects,
    checks_schedule,
    checks_search,
    checks_spool,
    checks_texts,
    checks_transcripts,
    checks_tree,
    hosts,
)
from koog.operate.finding import ERROR, LEVELS, Finding
from koog.operate.mend import mend

Check = Callable[[Run], Iterable[Finding]]

CHECKS: dict[str, Check] = {
    "key": checks_config.key,
    "git": checks_git.git,
    "permissions": checks_tree.permissions,
    "files": checks_tree.kinds,
    "disk": checks_machine.disk,
    "clock": checks_machine.clock,
    "locks": checks_machine.locks,
    "schedule": checks_schedule.schedule,
    "leftovers": checks_tree.leftovers,
    "playbook": checks_texts.playbook,
    "modules": checks_files.modules,
    "cursors": checks_files.cursor_file,
    "logs": checks_files.logs,
    "ledgers": checks_files.ledgers,
    "spool": checks_spool.hooks_spool,
    "memory": checks_memory.memory_stores,
    "notes": checks_texts.notes,
    "proposals": checks_texts.pending,
    "heartbeat": checks_texts.host_files,
    "projects": checks_projects.projects,
    "openclaw": checks_openclaw.openclaws,
    "hooks": checks_hooks.hooks,
    "topics": checks_search.topics,
    "search": checks_search.search,
    "transcripts": checks_transcripts.transcripts,
}
LINE_CHARS = 7000  # of findings in one line, which stays under 10,000


def doctor(
    ctx: typer.Context,
    online: Annotated[bool, typer.Option("--online", help="Ask the endpoint one short question.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what is safe to mend.")] = False,
) -> Reply:
    """Say what is wrong with this workspace and its machine, and which command mends it."""
    run: Run = ctx.obj
    if fix and run.agent is not None:
        raise Refused(f"{run.agent} is not the main agent, and koog doctor --fix writes", hint="koog doctor")
    checks = {**CHECKS, **({"endpoint": checks_config.endpoint} if online else {})}
    root, findings = _workspace(run)
    findings += _config(run, root)
    finished: list[dict[str, str]] = []
    if root:
        findings += _opened(run, root, finished)
    for name, check in checks.items() if root else ():
        findings += guarded(name, partial(check, run))
    found: list[hosts.Host] = []
    findings += guarded("hosts", lambda: hosts.look(root, found))
    findings, fixed = mend(run, findings) if fix and root else (findings, [])
    shown = _shown(findings)
    reply = Reply(
        "koog.doctor/1",
        healthy=not any(f.level == ERROR for f in findings),
        findings=shown,
        omitted=len(findings) - len(shown),
        fixed=finished + fixed,
        checked=["workspace", "config", *(checks if root else ()), "hosts"],
        hosts=[host._asdict() for host in found],
    )
    if run.human:
        from koog.operate import doctor_view

        reply.view = doctor_view.sections(reply.keys)
    return reply


def _workspace(run: Run) -> tuple[Path | None, list[Finding]]:
    """Return the workspace's folder, None without one: then only the machine is looked at. Raises UsageError."""
    try:
        root = run.root
    except NotFound as e:
        return None, [Finding("workspace", ERROR, e.message, command="koog init DIR")]
    if not run.memory_dir and Root(root).itself("memory").info() is None:
        return root, [Finding("workspace", ERROR, "no memory folder", file="memory", command="koog init .")]
    return root, []


def _config(run: Run, root: Path | None) -> list[Finding]:
    """Look at the config, and see that the other checks have settings: the shipped ones where it cannot be loaded."""
    found = guarded("config", lambda: checks_config.layers(run, root))
    if not _broken(found):
        found += guarded("config", lambda: checks_config.merged(run, root))
    if _broken(found):
        run.settings = checks_config.defaults()
    return found


def _opened(run: Run, root: Path, finished: list[dict[str, str]]) -> list[Finding]:
    """Open the workspace, which finishes what a killed command began. Raises UsageError for a wrong --memory-dir."""
    before = len(run.warnings)
    was_half_done = Workspace(root, state_root=run.state_root).is_half_done
    is_half_done = run.workspace.is_half_done
    if was_half_done and not is_half_done:
        finished.append({"check": "leftovers", "message": "what a killed command began is finished"})
    told = run.warnings[before:] if is_half_done else []  # why it cannot be finished now
    return [Finding("workspace", ERROR, message, PRIVATE, command=f"ls -la {PRIVATE}") for message in told]


def _broken(found: Sequence[Finding]) -> bool:
    return any(f.level == ERROR for f in found)


def guarded(name: str, check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return what a check finds; a check that fails is a finding, and hides no other."""
    found: list[Finding] = []
    try:
        for finding in check():
            found.append(finding)  # one by one: what was found before the failure is kept
    except KoogError as e:
        found.append(Finding(name, ERROR, f"{e.message} ({e.hint})" if e.hint else e.message))
    except OSError as e:
        found.append(Finding(name, ERROR, f"{e.filename or name}: {e.strerror or e}"))
    except Exception as e:
        found.append(Finding(name, ERROR, f"this check failed itself, a bug in koog: {type(e).__name__}: {e}"))
    return found


def _shown(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the rows that one line holds, the gravest first."""
    rows, room = [], LINE_CHARS
    for finding in sorted(findings, key=lambda f: LEVELS.index(f.level)):
        row = finding.row()
        room -= len(json.dumps(row))
        if room < 0:
            break
        rows.append(row)
    return rows
