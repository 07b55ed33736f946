"""What a reconstruction made, taken into the memory in use as one commit; what has come since is carried over.

File by file three versions are joined: the one that the reconstruction began with, its own, and the one in use. Where
both changed the same lines, what has come and gone since is put into its own, line by line. What was forgotten since
does not come back, nor does a file that has gone since; one that was put away since is joined where it lies now. A file
that it would drop stays where somebody has written into it meanwhile, and what is no knowledge is not taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.audit import merge3
from koog.core import forgotten
from koog.core.errors import Busy, Refused
from koog.core.files import atomic
from koog.core.git import branching, tags
from koog.core.git.owners import MANUAL
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.knowledge import documents, reading
from koog.knowledge.pruning import shelf
from koog.knowledge.replay import clearing, folder, outcome
from koog.memory.store.sections import Sections

if TYPE_CHECKING:
    from koog.audit.history import History, Touch
    from koog.core.git.repository import Git
    from koog.core.run import Run

HEADING = clearing.HEADING
MOST_AGAIN = 10  # of files of one name, put away one after the other


class Joined(NamedTuple):
    """What becomes of one file: its bytes now and then, None for no file."""

    path: str
    present: bytes | None
    target: bytes | None


class Taken(NamedTuple):
    """What was taken over.

    kept      files that stay as they are, though the reconstruction has others in their place
    left      files of the branch that are no knowledge, and so are not taken
    """

    files: list[Joined]
    kept: list[str]
    left: list[str]
    before: str | None


def accept(run: Run, git: Git, past: History, name: str) -> Taken:
    """Join a branch of a reconstruction with the memory in use. Raises NotFound, Refused, Busy.

    What a person has put on top of it is a commit of its own, and his: the next reconstruction leaves it alone.
    """
    of = outcome.found(git, past, name)
    joining = _Joining(run, past, of.base)
    steps = [(run.actor, joining.files(of.base, of.made))]
    if of.has_more:
        steps.append((MANUAL.actor, joining.files(of.made, of.tip)))
    joining.refuse_clashes()
    files = list({each.path: each for _, step in steps for each in step}.values())
    if run.dry_run:
        return Taken(files, joining.kept, joining.left, None)
    before = tags.before(git, f"extract-{name}", when=run.now, what=f"before extract/{name} was accepted")
    for actor, step in steps:
        run.act_as(actor, trigger=f"{outcome.TRIGGER} {outcome.ACCEPTS} --branch {name}")
        with run.one_commit(at_once=True), run.workspace.writing() as door:
            for each in step:
                if run.workspace.read(each.path) != each.present:
                    raise Busy(f"{each.path} has changed meanwhile", hint="again")
                door.put(each.path, each.target, summary=f"reconstructed as extract/{name}", action="EDIT")
    if not joining.left:
        branching.remove(git, of.ref, of.tip)
    return Taken(files, joining.kept, joining.left, before)


class _Joining:
    """Joins what a branch has changed with the files in use, one commit after the other.

    base   the commit that the reconstruction began with
    """

    def __init__(self, run: Run, past: History, base: str) -> None:
        self.run, self.past = run, past
        self.gone, self.known = forgotten.of(run.workspace), past.files(base)
        self.layout = folder.layout_of(run)
        self.inside = outcome.folders(run, self.layout)
        self.kept, self.left, self.clashing = list[str](), list[str](), list[str]()
        self._now: dict[str, bytes | None] = {}  # what the commit before leaves

    def files(self, old: str, new: str) -> list[Joined]:
        """Return what becomes of the files that two commits have differently."""
        found = list[Joined]()
        for touch in self.past.between(old, new):
            if not outcome.may_change(touch.path, self.inside):
                self.left.append(touch.path)
            elif (joined := self._joined(touch)) and joined.present != joined.target:
                self._now[joined.path] = joined.target
                found.append(joined)
        return found

    def refuse_clashes(self) -> None:
        if self.clashing:
            told = ", ".join(self.clashing[:5])
            raise Refused(
                f"what was written since cannot be joined: {told}", hint="koog reconstruct again, under a new name"
            )

    def _read(self, path: str) -> bytes | None:
        return self._now[path] if path in self._now else self.run.workspace.read(path)

    def _joined(self, touch: Touch) -> Joined | None:
        """Return what becomes of a file, None where it stays as it is."""
        old, new = self.past.content(touch.before), self.past.content(touch.after)
        path = touch.path if old is None else self._place(touch.path, old)
        present = self._read(path)
        if new is None or (present is None and old is not None):
            if new is None and present == old:
                return Joined(path, present, None)
            if new is not None or present is not None:
                self.kept.append(path)
            return None
        made = merge3.merged(old or b"", present or b"", new)
        made = made if made is not None else _line_by_line(touch.path, old or b"", present or b"", new)
        if made is None:
            self.clashing.append(path)
            return None
        return Joined(path, present, _without_forgotten(made, self.gone))

    def _place(self, path: str, old: bytes) -> str:
        """Return where a file is now: put away or brought back since the reconstruction began, else where it was."""
        if self._read(path) is not None:
            return path
        if path.startswith(f"{shelf.ARCHIVE}/"):
            places = [shelf.home(path, own=self.layout)]
        else:
            stem = shelf.place(path).removesuffix(reading.SUFFIX)
            places = [f"{stem}{again}{reading.SUFFIX}" for again in ("", *(f"~{n}" for n in range(2, MOST_AGAIN)))]
        return next((each for each in places if each not in self.known and self._read(each) == old), path)


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
