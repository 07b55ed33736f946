"""`koog init --into NAME`: koog's files in one folder of a person's notes, which stay where they are.  [design §3, §4]

The workspace is that folder, and nothing that koog writes or commits is outside of it. Which of the notes around it
count is said in the workspace's entry of the operator's file, `paths.notesRoot`, `paths.journal` and `paths.notes`:
the agent can write the workspace, and must not choose what is read elsewhere.
"""

from __future__ import annotations

import shlex
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from koog.core import nearest, operator
from koog.core.errors import Refused, UsageError
from koog.core.files import outside
from koog.core.files.own_notes import is_of_tool
from koog.core.files.tree import has_own
from koog.core.files.workspace import is_workspace
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.operate.own_notes import Noted


class Place(NamedTuple):
    """The workspace's folder, and that of the notes around it; None where they lie in it."""

    root: Path
    notes_root: Path | None


def place(folder: Path, into: str | None) -> Place:
    """Return where the workspace of a folder is, or is to be made.

    Raises UsageError for what is no name of a folder, Refused for one that is not free, ConfigError.
    """
    real = Path(outside.real(folder))
    is_plain = is_workspace(real)
    known = None if is_plain else nearest.within(real) or _begun(real) or _moved(real)
    root = None if into is None else real / _checked(into)
    if not (is_plain or known):
        _check_forgotten(real, root)
    if root is None:
        return Place(known, real) if known else Place(folder, None)
    if is_plain:
        how = f"koog init {shlex.quote(str(real))}"
        raise Refused(f"{real.name} is a workspace itself, with koog's files beside the notes", hint=how)
    if known and known != root:
        inside = known.relative_to(real)
        raise Refused(f"koog's files are in {inside} there", hint=f"koog init {shlex.quote(str(real))}")
    _check_free(real, root)
    return Place(root, real)


def _begun(real: Path) -> Path | None:
    """Return the workspace that an `init` has begun in a folder of notes, at this moment or until it was killed."""
    begun = [e.path for e in operator.all_entries() if e.notes_root == real]
    return next((path for path in begun if outside.is_folder(path) and not outside.is_link(path)), None)


def _moved(real: Path) -> Path | None:
    """Return the workspace in a folder of notes that was moved with it, None where it holds none."""
    gone = [e for e in operator.all_entries() if e.notes_root and not outside.is_folder(e.path)]
    there = (real / e.path.relative_to(e.notes_root) for e in gone if e.notes_root)
    return next((root for root in there if is_workspace(root)), None)


def _check_forgotten(real: Path, root: Path | None) -> None:
    """Raise where koog's files lie in a folder of notes, and the operator's file has lost them or knows another path.

    A second workspace beside them would know nothing of what koog remembers there.
    """
    if root and is_workspace(root):
        return
    registered = {e.path for e in operator.all_entries()}
    for found in _inner(real, registered):
        if has_own(found) or (is_workspace(found) and outside.is_folder(found / "memory")):
            name, there = found.relative_to(real).as_posix(), shlex.quote(str(real))
            how = f"koog init {there} --into {shlex.quote(name)}; where it is one for itself koog init {name} first"
            raise Refused(f"koog's files are in {name} there, it seems", hint=how)


def _inner(real: Path, registered: Collection[Path]) -> Iterator[Path]:
    """Yield the folders where `--into` may have put koog's files: a folder's, and those in them; no registered one."""
    for at, names, _ in outside.walk(real, linked=False):
        inner = [(name, Path(at, name)) for name in sorted(names) if not is_of_tool(name)]
        inner = [(name, each) for name, each in inner if each not in registered and not outside.is_link(each)]
        yield from (each for _, each in inner)
        names[:] = [name for name, _ in inner] if Path(at) == real else []


def remember(run: Run, theirs: Noted) -> None:
    """Write into the operator's file which notes around the workspace count. What a person set there stays."""
    entry = operator.entry(run.root)
    if run.notes_root is None or run.dry_run or (entry and entry.notes_root):
        return
    if entry is None:  # no state is kept, and the warnings say why
        run.warnings.append(f"the notes in {run.notes_root.name} are not read: only the operator's file can say so")
        return
    above = "/".join(".." for _ in run.root.relative_to(run.notes_root).parts)
    paths = {**theirs.whole, operator.NOTES_ROOT: above}
    operator.remember_all(run.root, {f"paths.{key}": value for key, value in paths.items()})


def _checked(into: str) -> str:
    """Return the path of a folder in another one as it was named. Raises UsageError."""
    parts = into.rstrip("/").split("/")
    if not into or Path(into).is_absolute() or any(part in ("", ".", "..") for part in parts):
        raise UsageError(f"--into {into!r} is no folder in the one that is named", hint="--into _koog")
    if any(part.startswith(".") for part in parts):
        raise UsageError(f"--into {into!r} is hidden: what koog remembers is there to be read", hint="--into _koog")
    if any(part != part.strip() or part.startswith(("~", "-")) or not part.isprintable() for part in parts):
        raise UsageError(f"--into {into!r} is no name that every program takes", hint="--into _koog")
    return "/".join(parts)


def _check_free(real: Path, root: Path) -> None:
    """Raise where a link, a file or somebody's folder is in the workspace's place."""
    for folder in reversed([root, *(above for above in root.parents if above != real and real in above.parents)]):
        name, info = folder.relative_to(real), outside.link_info(folder)
        if info is None:
            return
        if stat.S_ISLNK(info.st_mode):
            raise Refused(f"{name} is a link: nothing that koog writes leaves the folder", hint="name another folder")
        if not stat.S_ISDIR(info.st_mode):
            raise UsageError(f"{name} is not a folder", hint="name another one")
    held = [name for name in outside.names(root) if not name.startswith(".")]
    if held and not is_workspace(root):
        raise Refused(f"{root.relative_to(real)} holds {held[0]} already", hint="name a folder that is koog's alone")
