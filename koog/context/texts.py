"""What of the files may be shown: read once, cleaned, in pieces.

Nothing private or secret, nothing hidden, no comment, nothing that koog put there; the line numbers stay true.
"""

from __future__ import annotations

from collections.abc import Sequence

from koog.context import pieces
from koog.context.pieces import Piece
from koog.core.errors import WorkspaceError
from koog.core.lazy_regex import compiled
from koog.core.run import Run
from koog.core.text.marks import blanked
from koog.core.text.untrusted import clean, visible
from koog.search import passages, sources

OBSERVATIONS = "observations.md"
# Turns that wait in observations.md for a model: JSON between two comments, of which only the comments would go.
WAITING = r"(?s)<!-- koog:raw [^\n]*-->.*?(?:<!-- /koog:raw -->|\Z)"
DAY_LINE = r"(?m)^(?=(?:\*\*)?Date: *\d{4}-\d\d-\d\d)"


def shown(text: str) -> str:
    """Return what of a text may be shown; the same number of lines."""
    return visible(blanked(clean(text)))


class Texts:
    """The pieces of files, by the path that search cites them by.

    unreadable   paths that were tried and cannot be read; a warning says why
    """

    def __init__(self, run: Run) -> None:
        self.workspace, self.warnings = run.workspace, run.warnings
        self.roots = sources.of(run)
        self.unreadable: set[str] = set()

    def exists(self, path: str) -> bool:
        return self.read(path) is not None

    def read(self, path: str) -> str | None:
        """Return a file's text as it is, None when there is none or it cannot be read."""
        try:
            if path.startswith(f"{sources.CONVERSATIONS}/"):
                return passages.decoded(sources.Reader(self.roots).read(path).data)
            return self.workspace.text(path)
        except FileNotFoundError:
            return None
        except (OSError, WorkspaceError) as e:
            self.unreadable.add(path)
            self.warnings.append(e.message if isinstance(e, WorkspaceError) else f"{path}: {e.strerror}")
            return None

    def pieces(self, path: str) -> Sequence[Piece]:
        """Return a file's pieces, [] when there is no such file; of an unchanged one those of the call before."""
        key, state = f"context/pieces:{path}", self._state(path)
        known: tuple[object, list[Piece]] | None = self.workspace.memo.get(key)
        if known and state and known[0] == state:
            return known[1]
        found = self.of(self.read(path) or "", path=path)
        self.workspace.memo[key] = (state, found)
        return found

    def of(self, text: str, *, path: str) -> list[Piece]:
        """Return the pieces of a text that stands for a file."""
        if path == self.workspace.in_memory(OBSERVATIONS):
            text = compiled(WAITING).sub(lambda found: "\n" * found[0].count("\n"), text)
            text = compiled(DAY_LINE).sub("## ", text)  # the day orients a reader: it is a heading
        return pieces.of_text(shown(text), path=path)

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
