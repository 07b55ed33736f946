"""`journal.json`: what one transaction is about to put in place, so that a killed one is finished.  [design §4]

Each file is replaced in one step, but several of them are not. A transaction is
decided when its journal is on disk: killed before, it never happened; killed after,
the next koog does what is missing. What a person has saved meanwhile stays theirs.

It lies in the state root, out of the agent's reach, and one transaction may change the
workspace and the state root. A koog that does not see the state root keeps its journal
in `.koog/`; the agent may have written what is found there, so it can finish files of
the workspace only, by the names through which any command may write them.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from koog.core.errors import WorkspaceError
from koog.core.files import atomic, jsonfiles, swap
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.roots import Root, Spot

NAME = "journal.json"
WORKSPACE, STATE = "workspace", "state"  # the roots that a step may name
Roots = Mapping[str, "Root"]


class Step(NamedTuple):
    """One file's part.

    kind     replace, append, insert (append, before what others have appended since), rename or remove
    before   replace, remove: the hash of what was there, None for a new file
    after    replace: the hash of what comes
    at       append, insert: the file's size before; replace: the size of what comes
    data     append, insert: the bytes that come
    to       rename: the new path
    root     where both paths start: the workspace, or the state root
    """

    kind: str
    path: str
    before: str | None = None
    after: str | None = None
    at: int = 0
    data: bytes = b""
    to: str = ""
    root: str = WORKSPACE


def digest(data: bytes | None) -> str | None:
    """Return the hash by which a journal knows a file; None for no file."""
    from hashlib import sha256  # 3 ms that a command which only reads does not pay

    return None if data is None else sha256(data).hexdigest()


def write(place: Root, steps: Sequence[Step]) -> None:
    """Put the journal on disk: from here on the transaction will be finished. Raises WorkspaceError."""
    from base64 import b64encode  # only what writes pays for it

    rows = [{**step._asdict(), "data": b64encode(step.data).decode()} for step in steps]
    target = place.itself(NAME)
    atomic.prepare(target, jsonfiles.line(rows).encode())
    try:
        atomic.beside(target).rename(target)
        target.folder.sync()
    except OSError as e:
        atomic.discard(target)
        raise WorkspaceError(f"{NAME}: {e.strerror}") from None


def clear(place: Root) -> None:
    """Forget a transaction that is done or undone. One that stays by mistake finds everything in place."""
    with suppress(OSError):
        place.itself(NAME).unlink()


def waits(place: Root) -> bool:
    """Return whether a killed transaction waits to be finished."""
    return place.info(NAME) is not None


def finish(place: Root, roots: Roots, *, own: Root) -> list[str]:
    """Do what a killed transaction left undone; return what a person must be told. Only under the write lock.

    place   where the journal lies
    roots   the roots that its steps may name
    own     `.koog`, where a koog that sees no journal has put what it found prepared

    Raises WorkspaceError when the disk will not do it now: the journal stays, and nothing is written on top.
    """
    try:
        data = place.itself(NAME).read()
        if data is None:
            return []
        steps = [_step(row) for row in jsonfiles.loads(data)]
    except (OSError, WorkspaceError, ValueError, TypeError, KeyError, AttributeError):
        clear(place)
        return [f"{NAME} could not be read: a killed command may have left some of its files unchanged"]
    told = []
    for step in steps:
        try:
            places = _places(step, roots)
        except WorkspaceError as e:  # a folder or a link stands there by now: it will not get better
            told.append(f"{step.path}: not finished after a killed command: {e.message}")
            continue
        try:
            if step.kind == "replace":
                _bring_back(step, places[0], own)
            theirs = not _do(step, places)
        except (WorkspaceError, OSError) as e:
            why = e.message if isinstance(e, WorkspaceError) else e.strerror
            raise WorkspaceError(
                f"a killed command is not finished: {step.path}: {why}", hint="koog doctor; is the disk full?"
            ) from None
        if theirs:
            told.append(f"{step.path}: saved by somebody while a command was killed; their version stands")
    clear(place)
    return told


def _places(step: Step, roots: Roots) -> list[Spot]:
    """Return where a step's files are, their folders made. Raises WorkspaceError."""
    if step.root not in roots:
        raise WorkspaceError(f"no root {step.root!r} for it")
    try:
        return [_writable(roots[step.root], path) for path in (step.path, step.to) if path]
    except OSError as e:
        raise WorkspaceError(f"{step.path}: {e.strerror}") from None


def _writable(root: Root, path: str) -> Spot:
    spot = root.spot(path, make=True)
    info = spot.info()
    if info is not None and not stat.S_ISREG(info.st_mode):
        raise WorkspaceError("it is not a regular file")
    return spot


def _step(row: dict[str, Any]) -> Step:
    from base64 import b64decode

    step = Step(**{**row, "data": b64decode(row["data"])})
    texts = (step.path, step.to, step.root, step.before or "", step.after or "")
    if step.kind not in KINDS or not all(isinstance(t, str) for t in texts) or not isinstance(step.at, int):
        raise ValueError(step.kind)
    if not step.path or step.at < 0 or (step.kind == "rename") != bool(step.to):
        raise ValueError(step.path)
    return step


def _replace(step: Step, target: Spot) -> bool:
    """Bring the prepared version into place, or a person's back that it displaced; False when theirs stands."""
    beside, present = atomic.beside(target), atomic.content(target)
    waiting = atomic.content(beside)
    # What the same transaction, or the ledger, has appended to it since stands behind it.
    if present is not None and digest(present[: step.at]) == step.after:
        if waiting is not None and digest(waiting) != step.before:
            atomic.put_back(beside, target, placed=present, displaced=waiting)
            return False
        atomic.discard(target)
        return True
    if digest(present) == step.before and digest(waiting) == step.after:
        return atomic.replace(target, expected=present) is atomic.AS_EXPECTED
    return False


def _bring_back(step: Step, target: Spot, own: Root) -> None:
    """Prepare a version again that a koog in a sandbox took for a killed one's and moved away."""
    if atomic.content(atomic.beside(target)) is not None or digest(atomic.content(target)) != step.before:
        return
    with suppress(OSError, WorkspaceError):  # a link out in that folder's place holds nothing up
        for kept in atomic.rescued(target, own):
            data = atomic.content(kept)
            if data is not None and digest(data) == step.after:
                atomic.prepare(target, data)
                kept.unlink()
                return


def _append(step: Step, target: Spot) -> bool:
    behind = (atomic.content(target) or b"")[step.at :]
    if behind and step.data.startswith(behind) and behind != step.data:
        atomic.truncate(target, step.at)  # a kill cut it off: the rest by itself would stand on a line of its own
    if step.data not in behind:
        atomic.append(target, step.data)
    return True


def _insert(step: Step, target: Spot) -> bool:
    """Append where it was to stand: a koog in a sandbox, which sees no journal, has written behind it since.

    The chain has these lines already, before those that nobody has sealed.
    """
    present = atomic.content(target) or b""
    head, behind = present[: step.at], present[step.at :]
    is_whole = len(head) == step.at and (not head or head.endswith(b"\n"))
    if not is_whole or not behind or step.data in behind or step.data.startswith(behind):
        return _append(step, target)
    atomic.prepare(target, head + step.data + behind)
    if atomic.replace(target, expected=present) is not atomic.AS_EXPECTED:
        return _append(step, target)
    return True


def _rename(source: Spot, target: Spot) -> bool:
    if source.info() and not target.info():
        swap.place(source, target)
        sync(source, target)
    return True


def _remove(step: Step, target: Spot) -> bool:
    """Take a file away, or what is left of it beside its place; False when it is no longer the one that was to go."""
    present = atomic.content(target)
    if present is not None and digest(present) != step.before:
        return False
    if present is not None:
        target.unlink()
    if digest(atomic.content(atomic.beside(target))) == step.before:
        atomic.discard(target)
    sync(target)
    return True


def _do(step: Step, places: Sequence[Spot]) -> bool:
    """Do one step where it is not done; False when a person's version stands instead."""
    if step.kind == "rename":
        return _rename(*places)
    return {"replace": _replace, "append": _append, "insert": _insert, "remove": _remove}[step.kind](step, *places)


def sync(*files: Spot) -> None:
    """Bring the names of these files to disk."""
    for folder in dict.fromkeys(f.folder for f in files):
        folder.sync()


KINDS = ("replace", "append", "insert", "rename", "remove")
