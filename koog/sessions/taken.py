"""Which conversations a workspace takes: what is read here, and what may be told here.  [design §7, observe.*]

    observe.sources            what `auto` means: hosts, or folders of theirs; none: every host, but only the sessions
                               of the workspace's own project
    observe.projects.include   globs of real paths, `openclaw/AGENT`; none of a kind: every project of that kind
    observe.projects.exclude   wins over everything
    observe.groups             the groups and channels whose words are observed

A session goes to every workspace that names its project: as its own, or by an `include`. One that nobody names goes to
the first workspace of the operator's file that takes its host.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from koog.core import operator
from koog.core.errors import ConfigError
from koog.core.files import outside
from koog.core.files.globs import fits, fits_folder
from koog.core.run import Run
from koog.sessions import agents, labels, place
from koog.sessions.find import PLACES, find
from koog.sessions.labels import Label
from koog.sessions.place import OPENCLAW, Place
from koog.sessions.turn import Reader, Session

AUTO = "auto"
HERE = "."  # the own project, as labels and keys of paths.projects have it
MEMO = "sessions/taking"  # what of this workspace is computed once a run


@dataclass(frozen=True)
class Taking:
    """What one workspace takes.

    own      the names of its own project: its folder's, and OpenClaw's agents that work in it
    agents   the names of all of OpenClaw's agents that its settings know
    root     the workspace's folder, or that of the notes around it: a folder or repository in it is no other project
    others   what the workspaces of this person before and behind it take; the first in the operator's file come first
    """

    own: frozenset[str]
    sources: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    agents: frozenset[str] = frozenset()
    root: str = ""
    before: tuple[Taking, ...] = ()
    behind: tuple[Taking, ...] = ()

    def excludes(self, at: Place) -> bool:
        return any(_fits(pattern, at) for pattern in self.exclude)

    def is_own(self, at: Place) -> bool:
        return at.project in self.own or self.holds(at.project)

    def holds(self, project: str) -> bool:
        """Return whether a project lies in the workspace."""
        return bool(self.root) and project.startswith(f"{self.root}/")

    def names(self, at: Place) -> bool:
        """Return whether this workspace names a project: as its own, or in its `include`."""
        return not self.excludes(at) and (self.is_own(at) or any(_fits(pattern, at) for pattern in self.include))

    def may_read(self, at: Place) -> bool:
        """Return whether a session may be read where somebody has named its store: no other workspace matters."""
        if at.is_group and not self.lists(at.group, project=at.project):
            return False
        if self.excludes(at):
            return False
        return self.names(at) or not any(_is_of_kind(pattern, at) for pattern in self.include)

    def lists(self, group: str, *, project: str = "") -> bool:
        """Return whether what is said in a group is observed."""
        return any(fits_group(pattern, group, project=project) for pattern in self.groups)

    def covers(self, host: str, at: Place) -> bool:
        """Return whether what is said in a project, private or not, is this workspace's."""
        if self.excludes(at):
            return False
        if self.names(at):
            return True
        if not self._takes_all(host, at):
            return self.may_read(at) and any(_is_path(source) for source in self.sources)
        others = (*self.before, *self.behind)
        return not any(t.names(at) for t in others) and not any(t._takes_all(host, at) for t in self.before)

    def takes(self, session: Session) -> bool:
        """Return whether a session is read here when nobody names a store."""
        at = session.place
        return self.covers(session.host, at) and (not at.is_group or self.lists(at.group, project=at.project))

    def takes_every(self, host: str) -> bool:
        """Return whether the workspace takes every project of a host, but for what is excluded or named elsewhere."""
        sample = Place(f"{OPENCLAW}/" if host == OPENCLAW else "/")
        is_open = not any(_is_of_kind(pattern, sample) for pattern in self.include)
        return is_open and host in self.sources

    def _takes_all(self, host: str, at: Place) -> bool:
        """Return whether the workspace takes every project of this kind."""
        is_open = not any(_is_of_kind(pattern, at) for pattern in self.include)
        return is_open and not self.excludes(at) and host in self.sources


def of(run: Run) -> Taking:
    """Return what the run's workspace takes."""
    known: Taking | None = run.workspace.memo.get(MEMO)
    if known is None:
        folders = agents.folders(env=os.environ, home=Path.home())
        before, behind = _others(run, folders)
        named = agents.folders(env=os.environ, home=Path.home(), usual=False)
        known = _taking(
            run.root,
            run.settings.get("observe"),
            folders,
            home=run.home,
            known=frozenset(f"{OPENCLAW}/{name}" for name in named),
            before=before,
            behind=behind,
        )
        run.workspace.memo[MEMO] = known
    return known


def _taking(
    root: Path,
    observe: dict[str, Any],
    folders: dict[str, str],
    *,
    home: Path,
    known: frozenset[str] = frozenset(),
    before: tuple[Taking, ...] = (),
    behind: tuple[Taking, ...] = (),
) -> Taking:
    projects = observe.get("projects")
    projects = projects if isinstance(projects, dict) else {}
    include = _texts(projects.get("include"))
    return Taking(
        own=own_names(root, folders, home=home, include=include),
        sources=_texts(observe.get("sources")),
        include=include,
        exclude=_texts(projects.get("exclude")),
        groups=_texts(observe.get("groups")),
        agents=known,
        root=os.fspath(home),
        before=before,
        behind=behind,
    )


def own_names(root: Path, folders: dict[str, str], *, home: Path, include: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the names of a workspace's own project: HERE, which stays when it is moved, its folder's, its agents'.

    home      the folder that the workspace is for: its own, or that of the notes around it
    folders   OpenClaw's agents and where they work; where none is seen from here (a scheduler's environment may not
              say where it is), the one agent that `include` names
    """
    real = [os.fspath(root), os.fspath(home)]
    here = [f"{OPENCLAW}/{name}" for name, folder in folders.items() if folder in real]
    if not folders:
        listed = [pattern.lower() for pattern in include if place.is_agent(pattern) and "*" not in pattern]
        here = listed if len(listed) == 1 else []
    return frozenset([HERE, *real, *map(place.project, real), *here])


def label(taking: Taking, at: Place) -> Label:
    """Return the label of what is said in a place; the own project's is HERE, wherever that lies one day."""
    said = labels.of_place(at)
    return said._replace(project=HERE) if taking.is_own(at) and not place.is_agent(at.project) else said


def _others(run: Run, folders: dict[str, str]) -> tuple[tuple[Taking, ...], tuple[Taking, ...]]:
    """Return what the workspaces before and behind this one in the operator's file take."""
    try:
        entries, general = operator.all_entries(), operator.general().get("observe", {})
    except ConfigError:
        return (), ()
    entries = [e for e in entries if outside.is_folder(e.path)]  # one that was removed takes nothing
    observe = {e.id: _over(_dict(general), _dict(e.values.get("observe"))) for e in entries}
    rows = [(str(e.path), _taking(e.path, observe[e.id], folders, home=e.notes_root or e.path)) for e in entries]
    at = next((i for i, (path, _) in enumerate(rows) if path == str(run.root)), len(rows))
    return tuple(t for _, t in rows[:at]), tuple(t for _, t in rows[at + 1 :])


def _over(general: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the general keys with an entry's over them."""
    projects = {**_dict(general.get("projects")), **_dict(own.get("projects"))}
    return {**general, **own, "projects": projects}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> tuple[str, ...]:
    """Return the texts in a list of the operator's; another workspace's entry is not checked before it is read here."""
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()


# --- reading


def readers(run: Run, source: str = AUTO) -> list[Reader]:
    """Return the readers of the stores that a source names; `auto`: those of `observe.sources`, or every host's.

    Raises what `find` raises for a source that somebody named; one of the config that is not here is left out.
    """
    wanted = of(run).sources if source == AUTO else (source,)
    if not wanted:
        return find(AUTO, env=os.environ, home=Path.home())
    if source != AUTO:
        return find(source, env=os.environ, home=Path.home())
    here = {reader.host: reader for reader in find(AUTO, env=os.environ, home=Path.home())}
    return [r for name in wanted for r in ([here[name]] if name in here else _at(name) if _is_path(name) else [])]


def _at(path: str) -> list[Reader]:
    from koog.core.errors import NotFound

    try:
        return find(path, env=os.environ, home=Path.home())
    except NotFound:
        return []


def sessions(run: Run, source: str = AUTO) -> list[tuple[Reader, Session]]:
    """Return the main sessions that the workspace takes of a source, with their readers, newest first."""
    return main_sessions(run, readers(run, source), is_named=source != AUTO)


def main_sessions(run: Run, stores: Sequence[Reader], *, is_named: bool) -> list[tuple[Reader, Session]]:
    """Return the main sessions that the workspace takes, with their readers, newest first.

    is_named   somebody has named the stores: what other workspaces take does not matter
    """
    taking = of(run)
    found = [(reader, _named(session)) for reader in stores for session in reader.sessions() if session.kind == "main"]
    fitting = [(r, s) for r, s in found if (taking.may_read(s.place) if is_named else taking.takes(s))]
    return sorted(fitting, key=lambda pair: pair[1].changed, reverse=True)


def _named(session: Session) -> Session:
    """Return the session under a key that can be written: a file's name need not be UTF-8."""
    return session._replace(key=session.key.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


# --- patterns


def fits_group(pattern: str, group: str, *, project: str = "") -> bool:
    """Return whether a pattern names a group, by its name or by a whole session key of it.

    project   of whose agent the group is; a key names that agent, too
    """
    agent = place.agent_of(pattern)
    if agent and project not in ("", f"{OPENCLAW}/{agent.lower()}"):
        return False
    bare = pattern.lower() if "*" in pattern else place.group(pattern) or pattern.lower()
    return fits(bare.removeprefix(f"agent:{agent}:".lower()).replace("/", "|"), group.lower().replace("/", "|"))


def _fits(pattern: str, at: Place) -> bool:
    if not _is_of_kind(pattern, at):
        return False
    if place.is_agent(at.project):
        return fits(pattern.lower(), at.project)
    return any(fits_folder(pattern, path) for path in (at.project, at.folder) if path)


def _is_of_kind(pattern: str, at: Place) -> bool:
    """Return whether a pattern speaks of such projects: paths say nothing of OpenClaw's, nor the other way round."""
    return (pattern.partition("/")[0] == OPENCLAW) == place.is_agent(at.project)


def _is_path(source: str) -> bool:
    return source not in PLACES
