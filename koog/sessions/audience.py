"""Who reads, and what he may be told: every reading command asks here.  [design §7, context.otherProjects]

    a line      what its label says (labels.py); without one it counts as its file
    a file      as the operator's `paths.projects` lists it; unlisted it is of the workspace's own project
    a group     sees what was said in it, who the agent is, and the files that are listed for it; nothing private

The same function says where something was said and where it is read (place.py): what is written under a project is
found under it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from koog.core import approval
from koog.core.errors import Refused, UsageError
from koog.core.files import outside
from koog.core.files.globs import fits
from koog.core.run import Run
from koog.sessions import person, place, taken
from koog.sessions.labels import Label
from koog.sessions.place import GROUP, OPENCLAW, PRIVATE, Place
from koog.sessions.taken import HERE

MEMO = "sessions/audience"
SHELL, KEY = "OPENCLAW_SHELL", "KOOG_SESSION_KEY"  # of the exec tool of OpenClaw's agent; the key is from koog's plugin
ALL, EVERY = "all", "*"  # `--project all`; every project, as a key of paths.projects
RULES, NONE = "rules", "none"
GROUP_KEY = "group:"
# Who the agent is and how it behaves, told in groups too. What is known of the person (USER.md) or of the machines
# (TOOLS.md) is not.
IN_IDENTITY = tuple(f"knowledge/identity/{name}.md" for name in "soul identity agents rules".split())
IDENTITY = ("SOUL.md", "IDENTITY.md", "AGENTS.md", *IN_IDENTITY)


class Seen(Enum):
    """What becomes of a line or a file: told, told with its project's name, or not."""

    TOLD, NAMED, HIDDEN = "told", "named", "hidden"


@dataclass(frozen=True)
class Audience:
    """One reader.

    projects    the names of his project
    is_own      whether that is the workspace's own, whose files are told
    own         the names of the workspace's own project
    others      what he is told of other projects: rules, all, none
    files       paths.projects
    is_nobody   a project that this workspace is not for: nothing is told
    """

    projects: frozenset[str]
    is_own: bool
    own: frozenset[str]
    scope: str = PRIVATE
    group: str = ""
    others: str = RULES
    files: tuple[tuple[str, tuple[str, ...]], ...] = ()
    taking: taken.Taking | None = None
    is_nobody: bool = False

    @property
    def is_group(self) -> bool:
        return self.scope == GROUP

    @property
    def project(self) -> str | None:
        """Return the reader's project as replies name it, None for the workspace's own."""
        return None if self.is_own else min(self.projects, default=None)

    @property
    def says(self) -> Label:
        """Return under which label is remembered what he says; an empty one for the workspace's own project."""
        return Label(min(self.projects), self.scope, self.group) if self.is_group else Label(self.project or "")

    def line(self, label: Label, path: str, *, text: str = "", kind: str = "") -> Seen:
        """Return what becomes of a line.

        path    its file
        text    what it says, and `kind` of what type it is: what `rules` looks at
        """
        if self.is_group:
            same = label.is_group and self._is_of(label.project) and _same_group(label.group, self.group)
            return Seen.TOLD if same else Seen.HIDDEN
        if label.project in ("", place.UNKNOWN):  # of some project, where it was heard in a session
            is_heard = label.is_heard or label.project == place.UNKNOWN
            is_anybodys = label.is_group or (is_heard and not self.is_own and self.others != ALL)
            return Seen.HIDDEN if is_anybodys else self.file(path)
        if self.is_nobody or self._is_excluded(label.project):
            return Seen.HIDDEN
        if self._is_of(label.project) or (self.is_own and self._holds(label.project)):
            return Seen.TOLD
        if self.others == ALL:
            return Seen.NAMED
        is_rule = self.others == RULES and not label.is_group
        is_rule = is_rule and person.is_rule(text, kind=kind, names=self._names(label.project))
        return Seen.NAMED if is_rule else Seen.HIDDEN

    def file(self, path: str) -> Seen:
        """Return what becomes of a file, or of what of it has no label."""
        if self.is_nobody:
            return Seen.HIDDEN
        if self.is_group:
            listed = any(_fits_any(globs, path) for key, globs in self.files if self._is_groups(key))
            return Seen.TOLD if listed else Seen.HIDDEN
        listed_for = [key for key, globs in self.files if not key.startswith(GROUP_KEY) and _fits_any(globs, path)]
        mine = any(self._is_mine(key) for key in listed_for) if listed_for else self.is_own
        return Seen.TOLD if mine else Seen.NAMED if self.others == ALL else Seen.HIDDEN

    def is_home(self, label: Label, path: str) -> bool:
        """Return whether a file of the workspace's own is told, by paths.projects, where something was said.

        Whoever looks after the workspace looks after that project: its first `--project`.
        """
        if label.is_group or not label.project or self._is_excluded(label.project):
            return False
        keys = [key for key, globs in self.files if key not in (HERE, EVERY) and _fits_any(globs, path)]
        return any(_means(key, label.project) for key in keys if not key.startswith(GROUP_KEY))

    def identity(self, path: str) -> Seen:
        """Return what becomes of a file that says who the agent is. path: its own name, links resolved"""
        return Seen.TOLD if self.is_group and not self.is_nobody and path in IDENTITY else self.file(path)

    def name_of(self, label: Label, path: str) -> str:
        """Return the project of a line or file as it is told behind it."""
        if label.project and label.project != HERE:
            return place.short(label.project)
        keys = [] if label.project else [key for key, globs in self.files if _fits_any(globs, path)]
        named = [key for key in keys if key not in (HERE, EVERY) and not key.startswith(GROUP_KEY)]
        own = sorted((place.is_agent(name), name) for name in self.own if name != HERE)
        return place.short(named[0] if named else own[0][1] if own else "")

    def project_of(self, label: Label, path: str) -> str | None:
        """Return the project of a line or file as hits name it; None for the workspace's own."""
        if label.project:
            return None if label.project in self.own or self._holds(label.project) else label.project
        keys = [key for key, globs in self.files if _fits_any(globs, path) and not key.startswith(GROUP_KEY)]
        return None if not keys or {HERE, EVERY} & set(keys) else keys[0]

    def label_of(self, path: str) -> Label:
        """Return the label of what is taken from a file and written down elsewhere; NONE where it is his own."""
        key = self.project_of(Label(), path)
        return Label() if key is None or self.file(path) is Seen.TOLD else Label(meant(key))

    def _is_of(self, project: str) -> bool:
        """Return whether a label's project is the reader's; one that is a bare name is taken from paths.projects."""
        if project in self.projects:
            return True
        if any("/" not in p and _means(p, project) for p in self.projects):
            return True  # `--project app`
        return "/" not in project and project != place.UNKNOWN and any(_means(project, p) for p in self.projects)

    def _holds(self, project: str) -> bool:
        return self.taking is not None and self.taking.holds(project)

    def _is_excluded(self, project: str) -> bool:
        return self.taking is not None and self.taking.excludes(Place(project))

    def _names(self, project: str) -> Iterator[str]:
        for name in (project, *self.projects, *self.own):
            yield place.short(name).removeprefix(f"{OPENCLAW}/main")

    def _is_mine(self, key: str) -> bool:
        if key in (HERE, EVERY):
            return key == EVERY or self.is_own
        return any(_means(key, project) for project in self.projects)

    def _is_groups(self, key: str) -> bool:
        return key.startswith(GROUP_KEY) and taken.fits_group(key.removeprefix(GROUP_KEY), self.group)


def mark(name: str) -> str:
    """Return what follows a line of another project."""
    return f" [project: {name}]"


# --- who reads


def current(run: Run) -> Audience:
    """Return who reads what this run tells."""
    known: Audience | None = run.workspace.memo.get(MEMO)
    if known is None:
        known = use(run, _of_shell(run))
        if known.is_nobody:
            run.warnings.append(f"this workspace is not for {place.short(min(known.projects))}: nothing is told here")
    return known


def _of_shell(run: Run) -> Audience:
    """Return who has started this command."""
    return _of_exec(run) or _of_folder(run)


def use(run: Run, audience: Audience) -> Audience:
    """Make someone the reader of this run."""
    run.workspace.memo[MEMO] = audience
    return audience


def named(run: Run, project: str | None) -> Audience:
    """Make the project of `--project` the reader's; without one that of the folder. Raises UsageError.

    A group stays one: whoever writes in it could have its agent ask for more.
    """
    if project is not None and not project.strip():
        raise UsageError("--project is empty", hint="a variable that is not set?")
    if project is None or (known := _of_shell(run)).is_group or known.is_nobody:
        if project is not None:
            where = "in a group" if known.is_group else "where this workspace is not for"
            run.warnings.append(f"--project {project} is not heard {where}")
        return current(run)
    own = _own(run)
    if project == ALL:
        return use(run, replace(own, others=ALL))
    if project == HERE:
        return use(run, own)
    return use(run, _of_place(run, Place(_project(project))))


def of_folder(run: Run) -> Audience:
    """Make whoever has started the command the reader of a folder that is no workspace. Raises Refused in a group."""
    known = _of_exec(run)
    if known is not None and known.is_group:
        raise Refused("a group is told nothing of other folders")
    return use(run, _own(run))


def own(run: Run) -> Audience:
    """Make the own project the reader of a command that works for it alone. Raises Refused.

    A person or a scheduler may call such a command from anywhere. An agent that works on another project would be
    told what is not its project's.
    """
    who = current(run)
    if who.is_own and not who.is_group and not who.is_nobody:
        return who
    if any(name in os.environ for name in approval.AGENT_SHELLS):
        raise Refused("this is for the workspace's own project, and not for another one's agent")
    return use(run, _own(run))


def of_place(run: Run, at: Place, *, host: str) -> Audience:
    """Make whoever speaks with an agent there the reader. He is told nothing where koog is not meant to be."""
    taking = taken.of(run)
    found = _of_place(run, at)
    is_meant = found.is_own or taking.covers(host, at)
    return use(run, found if is_meant else replace(found, is_nobody=True))


def reader(run: Run, at: Place) -> Audience:
    """Return whoever speaks with an agent in a place, and leave the reader of this run as it is."""
    return _of_place(run, at)


def of_session(run: Run, key: str) -> Audience:
    """Make a session the reader by its key, or `group` for some group of the own agent."""
    at = Place(_agents(run), GROUP, place.UNKNOWN) if key == GROUP else place.of(OPENCLAW, key=key)
    found = _of_place(run, at)
    return use(run, replace(found, is_own=True) if key == GROUP or place.agent_of(key) is None else found)


def of_label(run: Run, label: Label) -> Audience:
    """Return who is told all that has a label, without making him the reader; the own project's reader for none."""
    return _of_place(run, Place(label.project, label.scope, label.group)) if label.project else _own(run)


def _own(run: Run) -> Audience:
    taking = taken.of(run)
    settings = run.settings
    return Audience(
        projects=taking.own,
        is_own=True,
        own=taking.own,
        others=settings.get("context.otherProjects"),
        files=tuple((key, tuple(globs)) for key, globs in settings.get("paths.projects").items()),
        taking=taking,
    )


def _of_place(run: Run, at: Place) -> Audience:
    """Return the reader of a place. An agent of OpenClaw has its own lines, and those of the folder it works in.

    Which that is OpenClaw's settings say; the folder that it stands in counts for an agent that they do not know.
    """
    own = _own(run)
    if own.taking and own.taking.excludes(at):
        return replace(own, projects=frozenset({at.project}), is_own=False, is_nobody=True)
    is_elsewhere = own.taking is not None and at.project in own.taking.agents
    is_own = taken.of(run).is_own(at) or (_is_inside(at.folder, run) and not is_elsewhere)
    projects = own.own if is_own else frozenset({at.project})
    if place.is_agent(at.project):  # not those of another agent that works in the same folder
        projects = frozenset({at.project, *(name for name in projects if not place.is_agent(name))})
    return replace(own, projects=projects, is_own=is_own, scope=at.scope, group=at.group)


def _of_exec(run: Run) -> Audience | None:
    """Return who reads in the session from which an agent of OpenClaw has started the command, None where none did.

    That keeps a group's agent from telling by accident; an agent that takes the variable away is not kept from it.
    """
    key = os.environ.get(KEY)
    if not key or SHELL not in os.environ:
        return None
    try:
        folder = str(outside.here())
    except OSError:
        folder = ""
    return _of_place(run, place.of(OPENCLAW, folder=folder, key=key))


def _of_folder(run: Run) -> Audience:
    """Return who reads a command's reply: the project of the folder that it was started in, where that is another one.

    A person who names the workspace from somewhere else means the workspace. An agent works where it stands, and is
    told nothing where koog was not installed for that, or where the operator's file, which says so, is not seen. Where
    koog was installed for no host at all, it is as a person.
    """
    own = _own(run)
    try:
        at = place.of("", folder=str(outside.here()))
    except OSError:
        return own
    taking = taken.of(run)
    if taking.is_own(at) or _is_inside(at.folder, run):
        return own
    if taking.excludes(at) or taking.names(at):
        return _of_place(run, at)
    if not any(name in os.environ for name in approval.AGENT_SHELLS):
        return own
    if run.settings.workspace_id is not None and not taking.sources:
        return own
    if taking.sources and taking.may_read(at):
        return _of_place(run, at)
    return replace(_of_place(run, at), is_nobody=True)


def _agents(run: Run) -> str:
    """Return the name of the agent whose workspace this is."""
    return min((name for name in taken.of(run).own if place.is_agent(name)), default=f"{OPENCLAW}/main")


def _is_inside(folder: str, run: Run) -> bool:
    return bool(folder) and (folder == str(run.home) or folder.startswith(f"{run.home}/"))


def _project(given: str) -> str:
    """Return the project that a person names: an agent's, a folder's, else by its last part."""
    if place.is_agent(given):
        return given.lower()
    path = Path(os.path.expanduser(given))  # noqa: PTH111  never raises without a home
    return place.project(str(path)) if path.is_absolute() or outside.is_folder(path) else given


def _means(key: str, project: str) -> bool:
    """Return whether a key of paths.projects means a project: its path, its agent, or the last part of its path."""
    is_whole = place.is_agent(key) or "/" in key or key.startswith("~")
    return meant(key) == project if is_whole else key == place.short(project)


def meant(key: str) -> str:
    """Return the project of a key of paths.projects as labels have it; a bare name stays one."""
    if place.is_agent(key):
        return key.lower()
    return place.project(os.path.expanduser(key)) if "/" in key or key.startswith("~") else key  # noqa: PTH111


def _same_group(a: str, b: str) -> bool:
    return bool(a) and a.lower() == b.lower() and a != place.UNKNOWN


def _fits_any(globs: tuple[str, ...], path: str) -> bool:
    return any(fits(pattern, path) for pattern in globs)
