"""What a reconstruction made, taken into the memory in use: one commit; what has come since is carried over.

File by file three versions are joined: the one that the reconstruction began with, its own, and the one in use. Where
both changed the same lines, what has come and gone since is put into its own, line by line. What was forgotten since
does not come back, and a file that it would drop stays where somebody has written into it meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from koog.audit import merge3
from koog.core import forgotten
from koog.core.errors import Busy, NotFound, Refused
from koog.core.files import atomic
from koog.core.git import branching, tags
from koog.core.lazy_regex import compiled
from koog.knowledge import documents
from koog.knowledge.replay import clearing, plan
from koog.memory.store.sections import Sections

if TYPE_CHECKING:
    from koog.audit.history import History
    from koog.core.git.repository import Git
    from koog.core.run import Run

HEADING = clearing.HEADING


class Joined(NamedTuple):
    """What becomes of one file: its bytes now and then, None for no file."""

    path: str
    present: bytes | None
    target: bytes | None


class Taken(NamedTuple):
    """What was taken over. kept: files that stay as they are, though the reconstruction would drop them"""

    files: list[Joined]
    kept: list[str]
    before: str | None


def accept(run: Run, git: Git, past: History, name: str) -> Taken:
    """Join a branch of a reconstruction with the memory in use. Raises NotFound, Refused, Busy."""
    ref = f"{plan.BRANCH}{name}"
    tip = git.refs.resolve(ref)
    if tip is None:
        raise NotFound(f"there is no branch extract/{name}", hint=f"koog reconstruct --branch {name} makes it")
    base = git.ask("rev-parse", f"{tip}^").decode().strip()
    joined, kept = _joined(run, past, base, tip)
    if run.dry_run:
        return Taken(joined, kept, None)
    before = tags.before(git, f"extract-{name}", when=run.now, what=f"before extract/{name} was accepted")
    run.act_as(run.actor, trigger=f"koog reconstruct --accept --branch {name}")
    with run.one_commit(at_once=True), run.workspace.writing() as door:
        for each in joined:
            if run.workspace.read(each.path) != each.present:
                raise Busy(f"{each.path} has changed meanwhile", hint="again")
            door.put(each.path, each.target, summary=f"reconstructed as extract/{name}", action="EDIT")
    branching.remove(git, ref, tip)
    return Taken(joined, kept, before)


def _joined(run: Run, past: History, base: str, tip: str) -> tuple[list[Joined], list[str]]:
    gone = forgotten.of(run.workspace)
    joined, kept, clashing = list[Joined](), list[str](), list[str]()
    for touch in past.between(base, tip):
        old, new = past.content(touch.before), past.content(touch.after)
        present = run.workspace.read(touch.path)
        if new is None:
            if present == old:
                joined.append(Joined(touch.path, present, None))
            elif present is not None:
                kept.append(touch.path)
            continue
        made = merge3.merged(old or b"", present or b"", new) if present is not None or old is None else new
        made = made if made is not None else _line_by_line(touch.path, old or b"", present or b"", new)
        if made is None:
            clashing.append(touch.path)
            continue
        made = _without_forgotten(made, gone)
        if made != present:
            joined.append(Joined(touch.path, present, made))
    if clashing:
        told = ", ".join(clashing[:5])
        raise Refused(
            f"what was written since cannot be joined: {told}", hint="koog reconstruct again, under a new name"
        )
    return joined, kept


def _line_by_line(path: str, old: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Return the reconstruction's file with the bullets that came since put in and those that went taken out.

    None where something else than bullets was changed since.
    """
    was, now = atomic.decode(old).split("\n"), atomic.decode(ours).split("\n")
    known, there = set(was), set(now)
    text = atomic.decode(theirs)
    went = [row for row in was if row not in there and row.strip()]
    came = [(section, row) for section, row in _sectioned(now) if row not in known and row.strip()]
    if any(not _is_bullet(row) and not _is_head(row) for row in (*went, *(row for _, row in came))):
        return None
    gone = {row for row in went if _is_bullet(row)}
    text = "\n".join(row for row in text.split("\n") if row not in gone)
    present = set(text.split("\n"))
    for section, row in came:
        if _is_bullet(row) and row not in present:
            text = documents.with_line(text, path, section or Sections(text, path).sections[0].title, row[2:])
    return atomic.encode(text, like=theirs)


def _sectioned(rows: list[str]) -> list[tuple[str, str]]:
    found, section = list[tuple[str, str]](), ""
    for row in rows:
        if title := compiled(HEADING).fullmatch(row):
            section = title[1]
            continue
        found.append((section, row))
    return found


def _is_bullet(row: str) -> bool:
    return row.startswith("- ")


def _is_head(row: str) -> bool:
    """Return whether a row is koog's own of a file's head: its day, its sessions, its lines counted."""
    return compiled(r"(?:updated|sessions|line_count): .*|#{1,6} .*").fullmatch(row) is not None


def _without_forgotten(data: bytes, gone: forgotten.Forgotten) -> bytes:
    """Return a file without the lines that were forgotten since it was made."""
    text = atomic.decode(data)
    left = "\n".join(row for row in text.split("\n") if not row.strip() or not gone.holds(row))
    return data if left == text else atomic.encode(left, like=data)
