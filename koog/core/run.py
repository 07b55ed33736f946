"""What one invocation may use: its options, settings, clock, workspace and engine.

Everything is made when it is first asked for, because `koog --help` needs none of
it and every import counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from koog.core import clock, config, nearest, operator
from koog.core.errors import NotFound, Refused, UsageError
from koog.core.files import outside, raw_root, state_root, workspace
from koog.core.files.own_notes import OwnNotes
from koog.core.files.record import Cause, Change
from koog.core.files.workspace import Workspace

if TYPE_CHECKING:
    from koog.core.ask import Asker
    from koog.core.files.state_root import StateRoot
    from koog.core.git.commits import Commits
    from koog.core.task import Answer, Task

G = TypeVar("G")
TRANSCRIPTS_TOLD, CHANGES_TOLD = 10, 60  # in `_meta.changes`


@dataclass(repr=False, eq=False)
class Run:
    """One koog command, from its options to the `_meta` of its line."""

    folder: str | None = None
    config_file: str | None = None
    engine: str | None = None
    now_text: str | None = None
    dry_run: bool = False
    human: bool = False
    memory_dir: str | None = None
    modules_dir: str | None = None
    command: str = ""
    trigger: str = "koog"
    actor: str = "skill:koog"
    approval: str = "auto"
    agent_named: str | None = None  # by --agent
    agent: str | None = None  # who calls, where that is not the main agent or a person: see sessions/roles.py
    reading: Set[str] = frozenset()  # the commands that such an agent may call
    searched: Path | None = None  # a folder of Markdown that is searched in place of the workspace's files
    is_by_id: bool = False  # what is archived was asked for by its id: then, and only then, its words are told
    for_host: bool = False  # a hook: answered in the host's form, with exit code 0 whatever happens
    warnings: list[str] = field(default_factory=list)
    meta_extra: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def now(self) -> datetime:
        return clock.parse_now(self.now_text)

    @cached_property
    def zone(self) -> tzinfo:
        return clock.zone(self.settings.get("timezone"))

    @property
    def today(self) -> str:
        """Return the user's calendar day, YYYY-MM-DD."""
        return self.now.astimezone(self.zone).date().isoformat()

    @cached_property
    def root(self) -> Path:
        """Return the workspace's folder: `--workspace`, `KOOG_WORKSPACE`, `--memory-dir`'s parent, or the nearest."""
        if named := self.folder or os.environ.get("KOOG_WORKSPACE"):
            return nearest.named(Path(named))
        if self.memory_dir or self.modules_dir:
            return nearest.named(Path(outside.real(self.memory_dir or self.modules_dir or "")).parent)
        return nearest.find(_here())

    @cached_property
    def settings(self) -> config.Settings:
        flags = {"engine": self.engine} if self.engine else {}
        named = Path(self.config_file) if self.config_file else None
        settings = config.load(workspace=self.root, operator_file=named, flags=flags)
        self.warnings += settings.warnings
        return settings

    @cached_property
    def notes_root(self) -> Path | None:
        """Return the folder of the person's notes, where the workspace is one folder in it: see core/nearest.py."""
        named = self.settings.get(f"paths.{operator.NOTES_ROOT}")
        return Path(os.path.normpath(self.root / named)) if named else None

    @property
    def home(self) -> Path:
        """Return the folder that the workspace is for: that of the notes around it, else its own."""
        return self.notes_root or self.root

    @cached_property
    def state_root(self) -> StateRoot | None:
        """Return the workspace's state root, None when this koog does not see it: see core/files/state_root.py."""
        id_ = self.settings.workspace_id
        found = state_root.find(id_) if id_ else None
        # XDG_STATE_HOME may be anybody's choice; a state that the agent can write is none.
        return None if found is None or Path(outside.real(found.path)).is_relative_to(self.root) else found

    @cached_property
    def raw(self) -> Path:
        """Return where raw transcripts lie: the operator's `paths.raw`, else a folder beside the workspace's home."""
        named = self.settings.get("paths.raw")
        if not named:
            return self.home.with_name(f"{self.home.name}-raw")
        path = Path(os.path.normpath(self.root / os.path.expanduser(named)))  # noqa: PTH111  Path's raises where nobody has that home
        return path if path.is_relative_to(self.root) else Path(outside.real(path))

    @cached_property
    def workspace(self) -> Workspace:
        opened = Workspace(
            root=self.root,
            memory=self._folder("--memory-dir", self.memory_dir, "memory"),
            modules=self._folder("--modules-dir", self.modules_dir, "modules"),
            dry_run=self.dry_run,
            lock_wait_s=self.settings.get("workspace.lockWaitSeconds"),
            critical_files=tuple(self.settings.get("audit.criticalFiles")),
            cause=Cause(actor=self.actor, approval=self.approval, trigger=self.trigger),
            when=self.now,
            after=lambda applied: self.commits.gather(applied),  # noqa: PLW0108  git is looked for only when needed
            at_head=lambda path: self.commits.at_head(path),  # noqa: PLW0108  as above
            state_root=self.state_root,
            outside=tuple(Path(outside.real(path)) for path in self.settings.get("paths.linked")),
            own_notes=OwnNotes.of(self.settings.get("paths.journal"), self.settings.get("paths.notes")),
            notes_root=self.notes_root,
            raw=self.raw,
            warnings=self.warnings,
        )
        opened.recover()
        return opened

    @cached_property
    def asker(self) -> Asker:
        from koog.core.ask import Asker

        return Asker(
            settings=self.settings,
            workspace=self.workspace,
            command=self.command,
            now=self.now,
            zone=self.zone,
            warnings=self.warnings,
            meta=self.meta_extra,
        )

    def ask(self, task: Task[G], given: G) -> Answer:
        """Ask a task of the engine that the settings choose."""
        return self.asker.ask(task, given)

    @cached_property
    def commits(self) -> Commits:
        from koog.core.git.commits import Commits
        from koog.core.git.outgoing import Outgoing

        return Commits(
            workspace=self.workspace,
            mode=self.settings.get("git.commit"),
            now=self.now,
            warnings=self.warnings,
            meta=self.meta_extra,
            scope=self.settings.get("git.backup"),
            trusted=self.settings.get("git.trustLocalConfig"),
            rest_hours=self.settings.get("git.restHours"),
            every_minutes=self.settings.get("knowledge.commitMinutes"),
            outgoing=Outgoing(
                enabled=self.settings.get("git.push"),
                state=self.state_root,
                timeout_s=self.settings.get("git.pushTimeoutSeconds"),
            ),
        )

    @contextmanager
    def one_commit(self, *, at_once: bool = False) -> Iterator[None]:
        """Make one commit of all that is written in the block, also when it ends with an error.

        at_once   whatever `git.commit` says of when, but for `off`
        """
        self.commits.hold(at_once=at_once)
        try:
            yield
        finally:
            self.commits.release()

    def act_as(self, actor: str, *, trigger: str) -> None:
        """Say who changes what follows and why, in audit lines and commits, where that is not the command as called."""
        self.actor, self.trigger = actor, trigger
        if "workspace" in self.__dict__:
            self.workspace.cause = self.workspace.cause._replace(actor=actor, trigger=trigger)

    def apart(self, folder: Path, *, raw: Path) -> Run:
        """Return a run of the same settings in another folder, whose changes are in no commit.

        What a model is asked there is in this workspace's ledger, and within its budget.
        """
        made = Run(command=self.command, trigger=self.trigger, actor=self.actor, warnings=self.warnings)
        own: dict[str, Any] = {} if self.notes_root is None else {"notes": {}, "journal": []}
        values = {**self.settings.values, "paths": {**self.settings.get("paths"), **own}}
        known = {"root": folder, "settings": self.settings._replace(values=values), "notes_root": None, "raw": raw}
        made.__dict__ |= {**known, "now": self.now, "state_root": None, "asker": self.asker}
        made.workspace.after = None
        return made

    def move_to(self, moment: datetime) -> None:
        """Let what follows happen at another moment: when what is read anew was said."""
        self.__dict__["now"] = self.workspace.when = moment

    def put_out(self, path: str, text: str, *, of: str, summary: str) -> None:
        """Write a text between koog's marks to the file of --out. Raises Refused for one that holds anything else."""
        from koog.core import forgotten
        from koog.core.text.marks import KOOG_BEGIN

        present = self.workspace.text(path)
        if present and not present.startswith(KOOG_BEGIN):
            raise Refused(f"{path} is not a text of {of}", hint="name a file that does not exist")
        with self.workspace.writing() as door:
            door.write(path, forgotten.of(self.workspace).shown(text), summary=summary)

    def finish(self) -> None:
        """Do what comes after the command itself: push its commit, where the config says so."""
        if "commits" in self.__dict__:
            self.commits.push()

    def meta(self) -> dict[str, Any]:
        """Return `_meta` without the schema's name."""
        opened = self.__dict__.get("workspace")
        every = _shown(opened.changes) if opened else []
        changes = every[:CHANGES_TOLD]
        meta: dict[str, Any] = {
            "ts": clock.iso(self.now),
            "dryRun": self.dry_run,
            "changes": [{"action": c.action, "path": c.path, "summary": c.summary} for c in changes],
            **self.meta_extra,
        }
        if len(every) > len(changes):
            meta["moreChanges"] = len(every) - len(changes)
        if self.warnings:
            meta["warnings"] = list(dict.fromkeys(self.warnings))
        return meta

    def _folder(self, flag: str, given: str | None, default: str) -> str:
        if given is None:
            return default
        try:
            inside = Path(outside.real(given)).relative_to(self.root)
        except ValueError:
            raise UsageError(f"{flag} must lie inside the workspace", hint="or name the workspace above it") from None
        if inside.parts[:1] in ((".git",), (workspace.PRIVATE,)):
            raise UsageError(f"{flag}: {inside.parts[0]} is no place for it")
        return inside.as_posix()


def _shown(changes: Sequence[Change]) -> list[Change]:
    """Return the changes that one line tells: of thousands of transcripts that are taken at once the first few."""
    apart = [change for change in changes if change.root == raw_root.NAME]
    left = {id(change) for change in apart[TRANSCRIPTS_TOLD:]}
    return [change for change in changes if id(change) not in left]


def _here() -> Path:
    """Return the current folder. Raises NotFound when it was removed under this process."""
    try:
        return outside.here()
    except OSError:
        raise NotFound("the current folder is gone", hint="cd to the workspace, or --workspace DIR") from None
