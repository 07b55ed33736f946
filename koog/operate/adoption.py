"""A workspace that was moved, or whose repository is another one now: taken on by a person's word.  [design §4]

The id of a workspace stands with its path in the operator's file, so a folder under a
new path is nobody's. Which entry was its own is told by the digests in the state root:
most of the files that koog left there are here, byte for byte.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from koog.core import approval, operator
from koog.core.errors import ConfigError, NotFound, WorkspaceError
from koog.core.files import digests, outside, state_root
from koog.core.files.roots import Root
from koog.core.files.state_root import StateRoot
from koog.core.git.repository import Git
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.host import install
from koog.sessions.place import OPENCLAW

SHARE = 0.5  # of the files that koog left, so many at least are here as they were
LOOKED_AT = 200  # of them
FORMER = "former"  # in the state root: the folders where the workspace lay, which hosts and schedules may still name


class Fit(NamedTuple):
    """How well an entry of the operator's file fits a folder: the share of files found as koog left them."""

    share: float
    id: str


def adopt(run: Run) -> Path | None:
    """Take on a folder that was moved, and what its repository is now. Only by a person's word.

    Return where it was, None for a folder that was not moved.

    Raises Refused without that word, NotFound where no workspace that is gone fits the folder, Busy.
    """
    entry = operator.entry(run.root)
    paths = {e.id: e.path for e in operator.all_entries()}
    found = state_root.find(entry.id) if entry else _moved(run)
    if found is None:
        raise WorkspaceError("this koog does not see the workspace's state", hint="koog init, outside the sandbox")
    run.__dict__["state_root"] = found
    digest = sha256(str(run.root).encode("utf-8", "surrogateescape")).hexdigest()
    approval.require(
        run, id="adopt", digest=digest, what="a moved workspace", command="koog init --adopt", state_root=found
    )
    was = paths.get(found.id) if entry is None else None
    if run.dry_run:
        return was
    if entry is None:
        if was:
            found.put(FORMER, [*dict.fromkeys([*_former(found), str(was)])])
        operator.move(found.id, run.root)
    if git := Git.find(run.root, state=found):
        git.record(found)
    return was


def former(run: Run) -> list[Path]:
    """Return where the workspace lay before it was moved and taken on, as far as no other one lies there now."""
    paths = [Path(path) for path in _former(run.state_root)] if run.state_root else []
    return [path for path in paths if operator.entry(path) is None]


def left_behind(run: Run) -> list[Path]:
    """Return where a folder without an entry lay, if it was moved here: most of what koog left there is here."""
    if operator.entry(run.root):
        return []
    fits = {fit.id for fit in fitting(run)}
    return [entry.path for entry in operator.all_entries() if entry.id in fits]


def _former(state: StateRoot) -> list[str]:
    try:
        kept = state.get(FORMER)
    except WorkspaceError:
        kept = None
    return [path for path in kept if isinstance(path, str)] if isinstance(kept, list) else []


def hooks(run: Run, was: Path, *, sources: Iterable[str], done: str | None) -> list[str]:
    """Return what is left to do in the hosts whose settings call koog for the old folder.

    sources   the hosts of which it was said what is read here
    done      the host for which koog has just been installed anew
    """
    steps = []
    for host in install.installed(was):
        how = f"koog init {shlex.quote(str(run.root))} --host {host}"
        how += "" if host in sources or host == OPENCLAW else " --project DIR"
        rest = "let its agent work here" if host == OPENCLAW else "take out those lines"
        steps.append(f"{host}'s settings name the old folder {was}: {rest}" + ("" if host == done else f", then {how}"))
    return steps


def _moved(run: Run) -> StateRoot:
    """Return the state root of the workspace that was moved here."""
    fits = sorted(fitting(run), reverse=True)
    if not fits:
        raise NotFound("no workspace that koog knows was moved here", hint="koog init makes a new one of it")
    if len(fits) > 1 and fits[0].share == fits[1].share:
        ids = ", ".join(f.id for f in fits if f.share == fits[0].share)
        raise ConfigError(f"several workspaces fit this folder: {ids}", hint=f"set the path in {operator.path()}")
    found = state_root.find(fits[0].id)
    if found is None:
        raise NotFound("its state root is gone", hint="koog init makes a new one")
    return found


def fitting(run: Run) -> list[Fit]:
    """Return the entries whose folder is gone and whose files are here."""
    here = Root(run.root)
    found = []
    for entry in operator.all_entries():
        state = None if outside.is_folder(entry.path) else state_root.find(entry.id)
        known = digests.load(state) if state else {}
        sample = sorted(known.items())[:LOOKED_AT]
        same = sum(1 for path, mark in sample if _content(here, path) == mark)
        if sample and same / len(sample) >= SHARE:
            found.append(Fit(same / len(sample), entry.id))
    return found


def _content(here: Root, path: str) -> digests.Mark | None:
    try:
        data = here.read(path)
    except WorkspaceError:
        return None
    return None if data is None else digests.mark(data)
