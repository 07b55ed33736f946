"""What of the files may be shown to the reader: read once, cleaned, in pieces.  [design §7, context.otherProjects]

Nothing of another project or of a private talk that is not his to hear (koog.sessions.audience), nothing private or
secret, nothing hidden, no comment, nothing that koog put there; the line numbers stay true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath

from koog.context import pieces
from koog.core import forgotten
from koog.core.errors import WorkspaceError
from koog.core.files import atomic
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.core.text.marks import blanked, contained
from koog.core.text.shares import Piece
from koog.core.text.untrusted import clean, visible
from koog.memory.store import episodes
from koog.memory.store.changes import Changes
from koog.search import cutting, labelled, origins, passages, sources
from koog.search.labelled import PLAYBOOK, Said
from koog.search.passages import Passage
from koog.sessions import audience
from koog.sessions.audience import Seen
from koog.sessions.labels import NONE

OBSERVATIONS = "observations.md"
# Turns that wait in observations.md for a model: JSON between two comments, of which only the comments would go.
WAITING = r"(?s)<!-- koog:raw [^\n]*-->.*?(?:<!-- /koog:raw -->|\Z)"
DAY_LINE = r"(?m)^(?=(?:\*\*)?Date: *\d{4}-\d\d-\d\d)"


def shown(text: str) -> str:
    """Return what of a text may be shown, and ends no part; the same number of lines."""
    return contained(visible(blanked(clean(text))))


class Told(NamedTuple):
    """What of a text is told, with as many lines.

    said     whose its rows are, from 0
    names    row → the project that is told behind it
    is_cut   whether something of it is not told
    """

    text: str
    said: Mapping[int, Said]
    names: Mapping[int, str]
    is_cut: bool


class Texts:
    """The pieces of files, by the path that search cites them by, as far as this run's reader may see them.

    unreadable   paths that were tried and cannot be read; a warning says why
    cut          paths of which something was not told
    """

    def __init__(self, run: Run) -> None:
        self.workspace, self.warnings = run.workspace, run.warnings
        self.who = audience.current(run)
        self.roots = sources.of(run)
        self.unreadable: set[str] = set()
        self.cut: set[str] = set()
        self._seen: dict[str, Seen] = {}

    def seen(self, path: str) -> Seen:
        """Return what becomes of a file, and of what of it has no label, by its own name and not by a link's.

        In a group a file of two names is hidden, and one outside the workspace to which a link leads: nobody knows
        what else it is.
        """
        if path not in self._seen:
            seen = self.who.identity(self.own_name(path))
            is_other = self.who.is_group and seen is not Seen.HIDDEN and self._is_other(path)
            self._seen[path] = Seen.HIDDEN if is_other else seen
        return self._seen[path]

    def _is_other(self, path: str) -> bool:
        """Return whether a file that is there is reached by more than its own name in its own folder."""
        root, inside = self.roots.place(path)
        try:
            spot = root.spot(inside)
            info = spot.info()
        except (OSError, WorkspaceError):
            return False
        return spot.far or (info is not None and info.st_nlink > 1)

    def hides(self, path: str) -> bool:
        return self.seen(path) is Seen.HIDDEN

    @property
    def hides_all(self) -> bool:
        """Return whether no file is told, whatever it is called, but for who the agent is."""
        return not self.who.files and self.who.file("") is Seen.HIDDEN

    def exists(self, path: str) -> bool:
        return self.read(path) is not None

    def read(self, path: str) -> str | None:
        """Return a file's text as it is, None when there is none or it cannot be read; a very long one is cut."""
        try:
            if path.startswith(f"{sources.CONVERSATIONS}/"):
                return passages.decoded(sources.Reader(self.roots).read(path).data)
            data = self.workspace.read(path)
            return None if data is None else atomic.decode(cutting.beginning(data))
        except FileNotFoundError:
            return None
        except (OSError, WorkspaceError) as e:
            self.unreadable.add(path)
            if self.who.is_group and self.hides(path):
                return None
            self.warnings.append(e.message if isinstance(e, WorkspaceError) else f"{path}: {e.strerror}")
            return None

    def pieces(self, path: str) -> Sequence[Piece]:
        """Return what of a file may be shown, [] when there is no such file; of an unchanged one as the call before."""
        key, state = f"context/pieces:{path}", (self.who, self.seen(path), self._state(path))
        known: tuple[object, list[Piece], bool] | None = self.workspace.memo.get(key)
        if known and state[-1] and known[0] == state:
            self.cut |= {path} if known[2] else set()
            return known[1]
        found = self.of(self.read(path) or "", path=path)
        self.workspace.memo[key] = (state, found, path in self.cut)
        return found

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self.workspace, forgotten.of(self.workspace).hidden)

    def of(self, text: str, *, path: str, paths: Mapping[int, str] | None = None) -> list[Piece]:
        """Return the pieces of a text that stands for a file; `paths`: rows from 0 → of which other file they are."""
        is_observed, rows = path == self.workspace.in_memory(OBSERVATIONS), text.split("\n")
        if is_observed:
            text = compiled(WAITING).sub(lambda found: "\n" * found[0].count("\n"), text)
        text = self.roots.shelved.shown(path, text)
        if path.startswith(self.workspace.in_memory(f"{episodes.FOLDER}/")):
            text = self._changes.struck(text, PurePosixPath(path).stem)
        told = self._told(text, path, paths or {})
        if told.is_cut:
            self.cut.add(path)
        text = told.text
        if is_observed:
            text = compiled(DAY_LINE).sub("## ", text)  # the day orients a reader: it is a heading

        def trust(found: Passage) -> str:
            own, kind = rows[found.line - 1 : found.end], self.roots.category(path)
            return origins.trust(path, kind, own, head=rows[0], speaker=found.speaker)

        return pieces.of_text(shown(text), path=path, said=told.said, names=told.names, trust=trust)

    def _told(self, text: str, path: str, paths: Mapping[int, str]) -> Told:
        """Return what of a text is told: rows that are not are blank."""
        said = labelled.rows(text, path=path)
        if not said and not paths and self.seen(path) is Seen.TOLD:
            return Told(text, said, {}, is_cut=False)
        rows, names, is_cut = text.split("\n"), {}, False
        for at, row in enumerate(rows):
            own, of = said.get(at), paths.get(at, path)
            seen = self._of_row(own, of) if own else self.seen(of)
            if seen is Seen.HIDDEN:
                is_cut = is_cut or bool(row.strip())
                rows[at] = ""
            elif seen is Seen.NAMED:
                names[at] = self.who.name_of(own.label if own else NONE, of)
        return Told("\n".join(rows), said, names, is_cut)

    def _of_row(self, said: Said, path: str) -> Seen:
        """Return what becomes of a labelled row. In the playbook the words of a group are nothing to act by."""
        if said.label.is_group and not self.who.is_group and path.rpartition("/")[2].startswith(PLAYBOOK):
            return Seen.HIDDEN
        return self.who.line(said.label, path, text=said.text, kind=said.kind)

    def own_name(self, path: str) -> str:
        """Return the path as which the search cites what a path, or a link, leads to; what leads outside as it is."""
        try:
            return path if path.startswith(f"{sources.CONVERSATIONS}/") else self.workspace.resolved(path)
        except WorkspaceError:
            return path

    def modified(self, path: str) -> float | None:
        """Return a file's modification time in seconds since the epoch, None when it is not there."""
        info = self.roots.info(path)
        return info.st_mtime if info else None

    def _state(self, path: str) -> tuple[int, int, int] | None:
        info = self.roots.info(path)
        if info is None:
            return None
        pretended = self.workspace.dry_run and self.workspace.state(path) is None
        return None if pretended else (info.st_ino, info.st_size, info.st_mtime_ns)
