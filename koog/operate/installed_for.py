"""What `init --host X [--project DIR|*]` installs for: which sessions are read here, and where the files are told.

It adds to the workspace's entry in the operator's file and takes nothing away:

    observe.sources           the host; OpenClaw only where one of its agents is named: without any, every one would be
    observe.projects.include  the project; of OpenClaw the agents that work in the folder
    paths.projects            where nothing is said of it: the files are told in the named project too
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from koog.core import operator
from koog.core.errors import KoogError, NotFound, UsageError
from koog.core.files import outside
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.observe import unread
from koog.operate import registered
from koog.sessions import agents, place, taken
from koog.sessions.place import OPENCLAW
from koog.sessions.taken import Taking

EVERY, OWN = "*", "."  # keys of paths.projects; `--project *`
NAMES = {"openclaw": "OpenClaw", "claude": "Claude Code", "codex": "Codex"}
OTHERS = {
    "rules": "in others only rules about you that name nothing of a project",
    "all": "in others too, with the project's name",
    "none": "and in no other",
}


class Plan(NamedTuple):
    """What the entry is to say.

    sources, include, exclude   the lists as they are afterwards
    told                        paths.projects as it is afterwards
    """

    sources: list[str]
    include: list[str]
    exclude: list[str]
    told: dict[str, list[str]]

    def row(self) -> dict[str, list[str]]:
        """Return the reply's part of it."""
        return {"sources": self.sources, "include": self.include, "exclude": self.exclude}


def checked(host: str | None, project: str | None) -> str | None:
    """Return a project as the config names it: a real path, `openclaw/AGENT`, or `*`.

    Raises UsageError, NotFound for a folder that does not exist.
    """
    if project is None:
        return None
    if host is None:
        raise UsageError("--project without --host", hint="--host openclaw|claude|codex says whose sessions")
    if not project.strip():
        raise UsageError("--project is empty", hint="a variable that is not set?")
    if project == EVERY:
        return EVERY
    if host == OPENCLAW:
        if not place.is_agent(project) or project == f"{OPENCLAW}/":
            raise UsageError("OpenClaw's projects are its agents", hint="--project openclaw/AGENT, or '*'")
        return project.lower()
    path = os.path.expanduser(project)  # noqa: PTH111  never raises without a home
    if not outside.is_folder(path):
        raise NotFound(f"no folder {project!r}", hint="--project DIR, or '*' for every project")
    real = outside.real(path)
    if not real.isprintable():
        raise UsageError("--project: a name that no config can hold")
    return real


def current(run: Run) -> Plan:
    """Return what holds for the workspace now."""
    observe = run.settings.get("observe")
    projects = observe["projects"]
    told = run.settings.get("paths.projects")
    return Plan([*observe["sources"]], [*projects["include"]], [*projects["exclude"]], dict(told))


def plan(run: Run, host: str, project: str | None) -> Plan:
    """Return what is to hold once a host is installed for a project."""
    now = current(run)
    wanted = included(run, host, project)
    if project is None and not wanted and is_agentless(run, host, now):
        return now
    told = now.told or (_told(run, project) if project else {})
    return Plan([*dict.fromkeys([*now.sources, host])], [*dict.fromkeys([*now.include, *wanted])], now.exclude, told)


def is_agentless(run: Run, host: str, now: Plan) -> bool:
    """Return whether OpenClaw is meant, no agent of its works in the folder, and none was ever named."""
    is_named = host in now.sources or any(map(place.is_agent, now.include))
    return host == OPENCLAW and not is_named and not any(map(place.is_agent, _own(run)))


def write(run: Run, planned: Plan) -> Plan:
    """Add to the operator's file what is planned; return what holds then. Where that cannot be done it is a warning.

    The run reads its settings anew.
    """
    before = current(run)
    if run.dry_run or planned == before:
        return planned
    try:
        operator.extend(run.root, "observe.sources", planned.sources)
        operator.extend(run.root, "observe.projects.include", planned.include)
        if planned.told != before.told:
            operator.remember(run.root, "paths.projects", planned.told)
    except KoogError as e:
        run.warnings.append(f"which sessions are read here is not written down: {e.message}")
    for name in registered.READ:
        run.__dict__.pop(name, None)
    return current(run)


def included(run: Run, host: str, project: str | None) -> list[str]:
    """Return the patterns that a call wants in observe.projects.include."""
    include = current(run).include
    kind = [pattern for pattern in include if place.is_agent(pattern) == (host == OPENCLAW)]
    if project == EVERY:  # without a pattern of its kind it means every project already
        return [] if not kind else [f"{OPENCLAW}/*" if host == OPENCLAW else "**"]
    if project is not None:
        return [project]
    return sorted(filter(place.is_agent, _own(run))) if host == OPENCLAW else []


def _told(run: Run, project: str) -> dict[str, list[str]]:
    """Return where the workspace's files are to be told; {} for in its own project, which needs no word."""
    if project == EVERY:
        return {EVERY: ["**"]}
    name = project if place.is_agent(project) else place.project(project)
    return {} if name in _own(run) else {OWN: ["**"], project: ["**"]}


def _own(run: Run) -> frozenset[str]:
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  never raises without a home
    return taken.own_names(run.root, agents.folders(env=os.environ, home=home), home=run.home)


# --- in words


def words(run: Run, host: str, planned: Plan, *, id_: str | None) -> list[str]:
    """Return what is read and told where, and how that is changed; of what was not written down only that."""
    if is_agentless(run, host, planned):
        how = f"koog init {shlex.quote(str(run.root))} --host {OPENCLAW} --project {OPENCLAW}/AGENT"
        return [f"OpenClaw: no agent of its works in this folder, so none is read here; to name one: {how}"]
    if host not in planned.sources:
        read = "none of its sessions is read here" if planned.sources else "only sessions of this folder are read here"
        return [f"{NAMES[host]}: nothing is written down, the warnings say why; {read}"]
    kind = [pattern for pattern in planned.include if place.is_agent(pattern) == (host == OPENCLAW)]
    every, noun = ("every agent", "the agents") if host == OPENCLAW else ("every project", "this workspace and")
    which = f"{noun} {', '.join(kind)}" if kind else every
    first = None if kind else next((t for t in taken.of(run).before if t.takes_every(host)), None)
    if first:
        which = f"this workspace's own project alone: it names no other, and {folder(first)} takes every one"
    without = [pattern for pattern in planned.exclude if place.is_agent(pattern) == (host == OPENCLAW)]
    but = f", but of {', '.join(without)}" if without else ""
    elsewhere = OTHERS[run.settings.get("context.otherProjects")]
    entry = f"workspaces.{id_}" if id_ else "the workspace's entry"
    return [
        f"{NAMES[host]}: read here are the sessions of {which}{but}; of groups and channels those in observe.groups",
        f"what was said in a project is told there, {elsewhere}; the workspace's own files are told {_where(planned)}",
        f"to change it, in {operator.path()}, {entry}: observe.projects.include and .exclude, paths.projects",
    ]


def older(run: Run) -> list[str]:
    """Return how many sessions are never read by themselves, and the command that reads them."""
    try:
        found = unread.older(run, taken.sessions(run)) if not run.dry_run else None
    except (KoogError, OSError):
        return []
    if found is None:
        return []
    which = "session was" if found["sessions"] == 1 else "sessions were"
    return [f"{found['sessions']} older {which} never observed: {found['command']}"]


def folder(taking: Taking) -> str:
    """Return the folder of a workspace, as what it takes has it."""
    return taking.root


def _where(planned: Plan) -> str:
    if not planned.told:
        return "in its own project alone"
    named = [{OWN: "its own project", EVERY: "every project"}.get(key, key) for key in planned.told]
    return f"as paths.projects lists them, in {', '.join(named)}"
