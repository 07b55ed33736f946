"""The files of a working tree as a commit takes them: read once, by descriptor.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping, Sequence

from koog.core.errors import WorkspaceError
from koog.core.git.conflict_markers import has_conflict_markers
from koog.core.git.fenced import Fenced
from koog.core.git.objects import LINK_MODE, Objects, TreeEntry
from koog.core.git.own import Own
from koog.core.git.process import ask, checked, joined, quietly, split
from koog.core.git.trees import Trees
from koog.core.named import NamedTuple

READ_LIMIT = 64 * 1024 * 1024  # bytes; what is larger cannot be looked through
CONVERTED = re.compile(rb"\r\n|\$Id")  # what git may store otherwise than it stands in the file
ATTRIBUTES = ("filter", "working-tree-encoding")


class Left(NamedTuple):
    """Why a file stays out of a commit, and the line that says so."""

    why: str
    line: int | None = None

    def told(self, path: str) -> str:
        return f"{path}{f':{self.line}' if self.line else ''}: {self.why}: not committed"


# Says why a file's bytes must not be committed, None when they may: (path, bytes, HEAD's bytes when asked for).
Screen = Callable[[str, bytes, Callable[[], "bytes | None"]], Left | None]


class Taken(NamedTuple):
    """What was looked at for a commit.

    entries    path → what a tree is to have there, None for nothing
    left       path → why it stays out
    conflicts  the files with somebody's unfinished merge
    """

    entries: dict[str, TreeEntry | None]
    left: dict[str, Left]
    conflicts: list[str]


class Working(NamedTuple):
    """One working tree.

    objects   takes the contents, open for reading
    head      the tree of the commit that they are compared with
    settings  git's configuration as it counts here
    """

    top: Fenced
    own: Own
    objects: Objects
    head: Trees
    settings: Mapping[str, str]

    def take(self, paths: Sequence[str], *, screen: Screen | None, given: Mapping[str, bytes]) -> Taken:
        """Look at files as they are on disk, or as `given`; keep the contents that may be committed."""
        taken = Taken({}, {}, [])
        seen: dict[str, tuple[str, bytes] | None] = {}
        for path in paths:
            try:
                found = self._seen(path, given.get(path))
            except WorkspaceError as e:
                taken.left[path] = Left(e.message)
                continue
            if isinstance(found, str):
                continue  # a folder, a pipe: nothing that git would take
            seen[path] = found
        attributes = self._attributes([path for path, found in seen.items() if found and found[0] != LINK_MODE])
        for path, found in seen.items():
            if found is None:
                taken.entries[path] = None
            elif why := self._kept_out(attributes.get(path, {})):
                taken.left[path] = why
            else:
                self._look(path, *found, attributes.get(path, {}), taken, screen)
        return taken

    def ignored(self, paths: Sequence[str]) -> set[str]:
        """Return those of these paths that the repository wants nobody to commit; not those that HEAD has."""
        new = [path for path in paths if self.head.entry(path) is None]
        if not new:
            return set()
        # "./", because check-ignore takes a name that starts with ":" for a pattern.
        asked = joined([f"./{path}" for path in new])
        done = quietly(self.top.path, "check-ignore", "-z", "--stdin", "--no-index", stdin=asked, env=self.own.env)
        return {path.removeprefix("./") for path in split(checked(done, allowed=(0, 1)))}

    def _look(
        self,
        path: str,
        mode: str,
        data: bytes,
        attributes: Mapping[str, str],
        taken: Taken,
        screen: Screen | None,
    ) -> None:
        before, stored = self.head.entry(path), data
        if mode != LINK_MODE and (attributes or CONVERTED.search(data)):
            stored = self._converted(path, data)
        entry = TreeEntry(mode, self.objects.name("blob", stored))
        if before == entry:
            taken.entries[path] = before
            return
        if mode != LINK_MODE and has_conflict_markers(data):
            taken.conflicts.append(path)
        for text in dict.fromkeys((data, stored)):  # a filter may have decoded what it was given
            if screen and (why := screen(path, text, lambda: self._at_head(before))):
                taken.left[path] = why
                return
        self.objects.add("blob", stored)
        taken.entries[path] = entry

    def _at_head(self, entry: TreeEntry | None) -> bytes | None:
        return self.objects.get(entry.sha, "blob") if entry else None

    def _seen(self, path: str, given: bytes | None) -> tuple[str, bytes] | str | None:
        """Return a file's mode and bytes, None when there is none, a word for what git would not take.

        Raises WorkspaceError for what cannot be read whole.
        """
        info = self.top.info(path)
        if given is None and info is None:
            return None
        if given is None and info and stat.S_ISLNK(info.st_mode):
            return LINK_MODE, self.top.target(path) or b""
        if given is None and info and not stat.S_ISREG(info.st_mode):
            return "no file"
        before = self.head.entry(path)
        mode = "100755" if info and info.st_mode & stat.S_IXUSR else "100644"
        if before and before.mode.startswith("1") and self._keeps(before.mode, mode):
            mode = before.mode
        if given is not None:
            return mode, given
        if info and info.st_size > READ_LIMIT:
            raise WorkspaceError("larger than koog reads, so a secret in it would go unseen")
        data = self.top.read(path, limit=READ_LIMIT)
        return None if data is None else (mode, data)

    def _keeps(self, before: str, now: str) -> bool:
        """Return whether a file system that knows no such mode leaves git's as it was."""
        if before == LINK_MODE:
            return not self.own.local.is_on("core.symlinks", default=True)
        return now != before and not self.own.local.is_on("core.filemode", default=True)

    def _attributes(self, paths: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return path → attribute → value, of the files that git stores otherwise than they are."""
        if not paths:
            return {}
        said = ask(self.top.path, "check-attr", "-z", "--stdin", *ATTRIBUTES, stdin=joined(paths), env=self.own.env)
        fields = os.fsdecode(said).split("\0")[:-1]
        found: dict[str, dict[str, str]] = {}
        for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
            if value not in ("unspecified", "unset"):
                found.setdefault(path, {})[name] = value
        return found

    def _kept_out(self, attributes: Mapping[str, str]) -> Left | None:
        wanted = attributes.get("filter")
        known = any(f"filter.{wanted}.{how}" in self.settings for how in ("clean", "process"))
        if wanted is None or known or self.own.trusted:
            return None
        return Left(f"needs the filter {wanted!r}, which only the repository's own configuration can define")

    def _converted(self, path: str, data: bytes) -> bytes:
        """Return what git stores of a file; it is made in koog's own folder, and nothing of it stays there."""
        said = ask(self.top.path, "hash-object", "-w", "--stdin", f"--path={path}", stdin=data, env=self.own.env)
        sha = said.decode().strip()
        stored = self.objects.get(sha, "blob")
        self.own.place.remove(f"objects/{sha[:2]}/{sha[2:]}")
        if stored is None:
            raise WorkspaceError(f"git did not keep {path}")
        return stored
