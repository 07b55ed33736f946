"""A workspace's place in the operator's file and its state root: made once, by whoever comes first.  [design §4]"""

from __future__ import annotations

import secrets
import shlex
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from koog.core import operator
from koog.core.errors import ConfigError, KoogError, Refused, WorkspaceError
from koog.core.files import host, outside, state_root
from koog.core.files.state_root import StateRoot
from koog.core.git.repository import Git
from koog.core.run import Run
from koog.operate import adoption

REPOSITORY = "repository"  # file of the state root: where git and its upstream are
READ = ("settings", "state_root", "workspace", "commits")  # what a run has read before the workspace was registered


def alone(run: Run) -> ExitStack:
    """Hold off other `init`s of this person until it is closed; where no lock can be kept, nobody is."""
    stack = ExitStack()
    if not run.dry_run:
        with suppress(WorkspaceError):
            stack.enter_context(host.locked("init.lock"))
    return stack


def ensure(run: Run) -> StateRoot:
    """Return the workspace's state root; register the workspace and make the folder where that was never done.

    Raises ConfigError for an operator's file that cannot be read, Refused for a workspace that was moved here and
    waits for a person's word, WorkspaceError, Busy.
    """
    _check(run)
    found = state_root.make(operator.register(run.root))
    for name in READ:
        run.__dict__.pop(name, None)
    return found


def kept(run: Run) -> StateRoot | None:
    """Return the workspace's state root as the operator's file names it, whatever its own config has become.

    Raises ConfigError for an operator's file that cannot be read.
    """
    try:
        return run.state_root
    except ConfigError:
        entry = operator.entry(run.root)
    found = state_root.find(entry.id) if entry else None
    return None if found is None or Path(outside.real(found.path)).is_relative_to(run.root) else found


def _check(run: Run) -> None:
    """Raise for a folder that must not get an id: an agent could write its state, or it has one already elsewhere."""
    for name, path in (("XDG_STATE_HOME", host.state_home()), ("XDG_CONFIG_HOME", operator.path())):
        if Path(outside.real(path)).is_relative_to(run.root):
            raise WorkspaceError(f"{name} lies in the workspace, where its agent writes", hint=f"{name}=…, elsewhere")
    if operator.entry(run.root) is None and (fits := adoption.fitting(run)):
        was = max(fits).id
        hint = (
            f"koog init --adopt {shlex.quote(str(run.root))}; if it is a new one, take {was} out of {operator.path()}"
        )
        raise Refused(f"it looks like the workspace {was}, whose folder is gone", hint=hint)


def claim(run: Run, *, all_is_koogs: bool) -> None:
    """Register a workspace whose repository koog is about to make; `known` tells where that fails."""
    with suppress(KoogError):
        ensure(run)
        if all_is_koogs:
            operator.remember(run.root, "git.backup", "all")


def known(run: Run, *, all_is_koogs: bool, is_openclaws: bool) -> dict[str, Any]:
    """Register the workspace and record its repository; return the reply's keys about it.

    all_is_koogs   koog makes the repository, and no person keeps notes in it: a backup takes everything in it
    is_openclaws   and so it does where the folder is the whole of a repository that OpenClaw's agent works in

    Where no state can be kept, inside an agent's sandbox say, that is a warning: nothing is pushed then.
    """
    if run.dry_run:
        entry = operator.entry(run.root)
        mode = "all" if all_is_koogs else run.settings.get("git.backup")
        return {"id": entry.id if entry else None, "backup": mode, "stateRoot": None}
    try:
        is_first = operator.entry(run.root) is None
        found = ensure(run)
        git = Git.find(run.root, state=found)
        if all_is_koogs or (is_openclaws and git and git.top == run.root):
            operator.remember(run.root, "git.backup", "all")
            ensure(run)
        if git and found.get(REPOSITORY) is None:
            git.record(found, is_first=is_first)
    except KoogError as e:
        way = f" ({e.hint})" if e.hint else ""
        run.warnings.append(
            f"no state of this workspace is kept, so koog pushes nothing and takes no approval: {e.message}{way}"
        )
        return {"id": None, "backup": run.settings.get("git.backup"), "stateRoot": None}
    return {"id": found.id, "backup": run.settings.get("git.backup"), "stateRoot": str(found.path)}


def log_file(run: Run, name: str) -> Path:
    """Return where a log of unattended work lies; under `--dry-run`, where it would."""
    if run.dry_run:
        entry = operator.entry(run.root)
        return state_root.place(entry.id if entry else secrets.token_hex(6)) / name
    return ensure(run).path / name
