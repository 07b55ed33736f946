"""doctor: whose sessions the workspace takes, and what stands in it of projects that it does not take.  [design §7]"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from koog.core import operator
from koog.core.files import outside
from koog.core.run import Run
from koog.operate import mixed
from koog.operate.finding import INFO, WARN, Finding, edit
from koog.operate.words import count
from koog.sessions import find, taken
from koog.sessions.place import OPENCLAW
from koog.sessions.taken import Taking

CHECK = "projects"
FIX = "koog doctor --fix"


def projects(run: Run) -> Iterator[Finding]:
    """Look at the sources and their hooks, at the other workspaces, and at the lines of other projects."""
    yield from _sources(run)
    yield from _unnamed(run)
    yield from _shared(run)
    sessions = mixed.sessions_of(run)
    for path in mixed.files(run):
        yield from _lines(path, mixed.found(run, run.workspace.text(path) or "", sessions))


def _lines(path: str, found: Sequence[mixed.Found]) -> Iterator[Finding]:
    """Yield a finding for each project that is not taken, and one for the lines that have no project yet."""
    strange: dict[str, list[mixed.Found]] = {}
    for one in found:
        if not one.is_taken:
            strange.setdefault(_name(one), []).append(one)
    for name, here in strange.items():
        message = f"{count(len(here), 'line')} of {name}, which this workspace does not take"
        yield Finding(CHECK, WARN, message, path, here[0].piece.number, FIX, mend=CHECK)
    if unlabelled := [one for one in found if one.is_taken]:
        has = "has" if len(unlabelled) == 1 else "have"
        message = (
            f"{count(len(unlabelled), 'line')} {has} no project yet: whoever said it, it counts as the workspace's"
        )
        yield Finding(CHECK, INFO, message, path, unlabelled[0].piece.number, FIX, mend=CHECK)


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
    from koog.host import install

    sources = taken.of(run).sources
    folders = [outside.real(_folder(source)) for source in sources]
    for host in install.installed(run.root):
        own = outside.real(_folder(host))
        if any(folder == own or folder.startswith(f"{own}/") for folder in folders):
            continue
        read = "none of its sessions is read here" if sources else "only sessions of this folder are read and told here"
        message = f"{host}'s hooks call koog, and observe.sources does not name {host}: {read}"
        yield Finding(CHECK, WARN, message, command=f"koog init . --host {host}")


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
        where = _workspace(other)
        gets = f"{where} gets" if first else "this one gets"
        rest = "this one" if first else where
        message = f"{host}: two workspaces take every project; {gets} what none of them names, {rest} only its own"
        yield Finding(CHECK, INFO, message, command=edit(str(operator.path())))


def _workspace(taking: Taking) -> str:
    return min(name for name in taking.own if not name.startswith(f"{OPENCLAW}/"))
