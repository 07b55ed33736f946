"""doctor: whose sessions the workspace takes, and what stands in it of projects that it does not take.  [design §7]"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from koog.core import operator
from koog.core.errors import ConfigError, KoogError
from koog.core.files import outside
from koog.core.run import Run
from koog.host import install
from koog.observe import unread
from koog.operate import adoption, installed_for, mixed
from koog.operate.finding import INFO, WARN, Finding, edit
from koog.operate.words import count
from koog.sessions import find, taken
from koog.sessions.place import OPENCLAW

CHECK = "projects"
FIX = "koog doctor --fix"


def projects(run: Run) -> Iterator[Finding]:
    """Look at the sources and their hooks, at the other workspaces, and at the lines of other projects."""
    sessions = mixed.sessions_of(run)
    found = {path: mixed.found(run, run.workspace.text(path) or "", sessions) for path in mixed.files(run)}
    every = [one for here in found.values() for one in here]
    unsaid = [] if mixed.is_said(run) else list(_unsaid(run, has_strange=any(one.is_strange for one in every)))
    yield from unsaid
    yield from _sources(run)
    yield from _unnamed(run)
    yield from _shared(run)
    for path, here in found.items():
        yield from _lines(path, here, first=unsaid[0] if unsaid else None)
    if lost := sum(not one.is_known for one in every):
        yield Finding(CHECK, INFO, f"{count(lost, 'line')} whose session or folder is gone: project unknown")
    yield from _older(run)


def _unsaid(run: Run, *, has_strange: bool) -> Iterator[Finding]:
    """Yield what a person has to say before any line is moved out."""
    if run.settings.workspace_id is None:
        try:
            has_entry, fits = operator.entry(run.root) is not None, adoption.fitting(run)
        except ConfigError:
            has_entry, fits = True, []
        if has_entry:  # a config that is no good: another check tells of it
            told, command = "the config cannot be read, so nobody has said what this workspace takes", None
        elif fits:
            told = f"the folder looks moved from where the workspace {max(fits).id} was, so nobody has said"
            told, command = f"{told} what it takes: say first that it is that one", "koog init . --adopt"
        else:
            told = "the folder has no entry in the operator's file, so nobody has said what it takes"
            command = "koog init ."
        if has_strange or fits:
            yield Finding(CHECK, WARN, told, command=command)
    elif has_strange:
        hosts = install.installed(run.root)
        command = _init(hosts[0] if hosts else "X")
        message = "nobody has said what this workspace takes, and nothing is moved out: say first what it takes"
        yield Finding(CHECK, WARN, f"{message}: koog init DIR --host X --project DIR", command=command)


def _init(host: str) -> str:
    """Return the command that says what is read of a host; of OpenClaw those agents are that work in the folder."""
    return f"koog init . --host {host}" + ("" if host == OPENCLAW else " --project DIR")


def _lines(path: str, found: Sequence[mixed.Found], *, first: Finding | None) -> Iterator[Finding]:
    """Yield a finding for each project that is not taken, and one for the lines that have no project yet.

    first   what a person has to say before anything is moved, None where that was said
    """
    strange: dict[str, list[mixed.Found]] = {}
    for one in found:
        if one.is_strange:
            strange.setdefault(_name(one), []).append(one)
    for name, here in strange.items():
        message = f"{count(len(here), 'line')} of {name}, which this workspace does not take"
        command, mend = (first.command, None) if first else (FIX, CHECK)
        yield Finding(CHECK, WARN, message, path, here[0].piece.number, command, mend=mend)
    if unlabelled := [one for one in found if one.is_taken]:
        has = "has" if len(unlabelled) == 1 else "have"
        message = (
            f"{count(len(unlabelled), 'line')} {has} no project yet: whoever said it, it counts as the workspace's"
        )
        yield Finding(CHECK, INFO, message, path, unlabelled[0].piece.number, FIX, mend="labels" if first else CHECK)


def _name(one: mixed.Found) -> str:
    return f"the group {one.label.group} of {one.label.project}" if one.label.is_group else one.label.project


# --- what is taken


def _sources(run: Run) -> Iterator[Finding]:
    """Yield the sources that are not on this machine."""
    for source in taken.of(run).sources:
        folder = _folder(source)
        if not outside.exists(folder):
            message = f"observe.sources names {source}, and there is no {folder}"
            yield Finding(CHECK, INFO, message, command=edit(str(operator.path())))


def _unnamed(run: Run) -> Iterator[Finding]:
    """Yield the hosts that call koog for this workspace and are no source of it: so it is after an upgrade."""
    sources = taken.of(run).sources
    folders = [outside.real(_folder(source)) for source in sources]
    for host in install.installed(run.root):
        own = outside.real(_folder(host))
        if any(folder == own or folder.startswith(f"{own}/") for folder in folders):
            continue
        read = "none of its sessions is read here" if sources else "only sessions of this folder are read and told here"
        message = f"{host}'s hooks call koog, and observe.sources does not name {host}: {read}"
        yield Finding(CHECK, WARN, message, command=_init(host))


def _older(run: Run) -> Iterator[Finding]:
    """Yield how many sessions are never read by themselves; what cannot be read for that, another check tells of."""
    try:
        older = unread.older(run, taken.sessions(run))
    except KoogError:
        older = None
    if older:
        is_one = older["sessions"] == 1
        message = f"{count(older['sessions'], 'older session')} {'was' if is_one else 'were'} never observed"
        yield Finding(CHECK, INFO, message, command=older["command"])


def _folder(source: str) -> Path:
    """Return where a source lies: a host's folder, or the path that it is."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  never raises without a home
    if source in find.PLACES:
        return find.folder(source, env=os.environ, home=home)
    return Path(os.path.expanduser(source))  # noqa: PTH111


def _shared(run: Run) -> Iterator[Finding]:
    """Yield the hosts of which two workspaces take every project: a session goes to one of them."""
    taking = taken.of(run)
    for host in find.PLACES:
        if not taking.takes_every(host):
            continue
        first = next((other for other in taking.before if other.takes_every(host)), None)
        other = first or next((other for other in taking.behind if other.takes_every(host)), None)
        if other is None:
            continue
        where = installed_for.folder(other)
        gets = f"{where} gets" if first else "this one gets"
        rest = "this one" if first else where
        message = f"{host}: two workspaces take every project; {gets} what none of them names, {rest} only its own"
        yield Finding(CHECK, INFO, message, command=edit(str(operator.path())))
