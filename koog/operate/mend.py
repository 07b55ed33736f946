"""doctor --fix: the repairs that take nothing from anybody, each through the write door.

What a person owns stays with them: no note, no lock of git's, no key file outside the
workspace. A torn last line is left alone too: the next append ends it, and until then
somebody may still be writing it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from koog.core.errors import KoogError
from koog.core.files.workspace import PRIVATE
from koog.core.run import Run
from koog.operate import mixed
from koog.operate.finding import WARN, Finding
from koog.playbook import stack

Mended = tuple[list[Finding], list[dict[str, str]]]


def _private(run: Run) -> None:
    """Close `.koog/` to others. A folder's mode is no text, so the door has no part in it."""
    if not run.dry_run:
        run.workspace.close_to_others()


def _ignore(run: Run) -> None:
    if not run.dry_run:
        run.workspace.cache(".gitignore", "*\n")


def _effective(run: Run) -> None:
    with run.workspace.writing() as door:
        stack.stage(door)


# In this order: the private folder first, because the others write into it; the effective playbook last, of what stays.
MENDS: dict[str, tuple[str, Callable[[Run], None]]] = {
    "private": (f"{PRIVATE}/ is private now (0700)", _private),
    "ignore": (f"{PRIVATE}/.gitignore ignores the folder", _ignore),
    "projects": (
        f"lines have their project, and those of others stand in {mixed.NAME} of the memory folder",
        mixed.mend,
    ),
    "labels": ("lines have their project", mixed.mend),
    "effective": ("the effective playbook is rebuilt", _effective),
}


def mend(run: Run, findings: Sequence[Finding]) -> Mended:
    """Do what can be mended; return the findings that are left, and what was fixed (under `--dry-run`: would be)."""
    wanted = {f.mend: f.check for f in findings if f.mend}
    fixed, failed = [], []
    done: set[str | None] = set()
    for name, (message, repair) in MENDS.items():
        if name not in wanted:
            continue
        try:
            repair(run)
        except (KoogError, OSError) as e:
            failed.append(Finding(wanted[name], WARN, f"not mended: {e}"))
            continue
        done.add(name)
        fixed.append({"check": wanted[name], "message": message})
    return [*(f for f in findings if f.mend is None or f.mend not in done), *failed], fixed
