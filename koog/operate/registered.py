"""A workspace's place in the operator's file and its state root: made once, by whoever comes first.  [design §4]"""

from __future__ import annotations

import secrets
from pathlib import Path

from koog.core import operator
from koog.core.files import state_root
from koog.core.files.state_root import StateRoot
from koog.core.run import Run


def ensure(run: Run) -> StateRoot:
    """Return the workspace's state root; register the workspace and make the folder where that was never done.

    Raises ConfigError for an operator's file that cannot be read, WorkspaceError, Busy.
    """
    found = state_root.make(operator.register(run.root))
    for name in ("settings", "state_root", "workspace", "commits"):  # what this run has read before it was registered
        run.__dict__.pop(name, None)
    return found


def log_file(run: Run, name: str) -> Path:
    """Return where a log of unattended work lies; under `--dry-run`, where it would."""
    if run.dry_run:
        found = operator.entry(run.root)
        return state_root.place(found.id if found else secrets.token_hex(6)) / name
    return ensure(run).path / name
