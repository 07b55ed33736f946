"""The tree of a commit: HEAD's with some files changed, and nothing else.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
from collections.abc import Mapping

from koog.core.git.objects import FOLDER_MODE, Objects, TreeEntry, tree_bytes
from koog.core.named import NamedTuple


class Changed(NamedTuple):
    """A file that two trees have differently; None where one of them has none."""

    path: str
    old: TreeEntry | None
    new: TreeEntry | None

    @property
    def kind(self) -> str:
        """Return git's letter: A for added, D for deleted, M for everything else."""
        if self.old is None:
            return "A"
        return "D" if self.new is None else "M"


class Trees:
    """A tree that is read folder by folder as it is needed.

    root   its name, None for an empty one
    """

    def __init__(self, objects: Objects, root: str | None) -> None:
        self.objects, self.root = objects, root
        self._read: dict[str, Mapping[bytes, TreeEntry]] = {}

    def entry(self, path: str) -> TreeEntry | None:
        """Return what the tree has at a path."""
        folder, found = self.root, None
        for part in os.fsencode(path).split(b"/"):
            if folder is None:
                return None
            found = self._entries(folder).get(part)
            folder = found.sha if found and found.is_folder else None
        return found

    def in_module(self, path: str) -> bool:
        """Return whether a path lies at or in a commit of another repository, a submodule's."""
        parts = path.split("/")
        heads = ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
        return any((found := self.entry(head)) is not None and found.mode == "160000" for head in heads)

    def edited(self, wanted: Mapping[str, TreeEntry | None]) -> tuple[str, list[Changed]]:
        """Add the tree that has these files so (None: not at all); return its name and what differs.

        A file takes the place of a folder of its name, and the other way round.
        """
        nested: dict[bytes, object] = {}
        for path, entry in wanted.items():
            node = nested
            *folders, leaf = os.fsencode(path).split(b"/")
            for part in folders:
                inner = node.setdefault(part, {})
                if inner is not None and not isinstance(inner, dict):
                    break  # a file has taken the folder's place
                if inner is None:
                    inner = node[part] = {}
                node = inner
            else:
                if not (entry is None and isinstance(node.get(leaf), dict)):
                    node[leaf] = entry
        changes: list[Changed] = []
        root = self._edit(self.root, nested, b"", changes)
        return root or self.objects.add("tree", b""), sorted(changes, key=lambda change: change.path)

    def _edit(
        self, folder: str | None, nested: Mapping[bytes, object], at: bytes, changes: list[Changed]
    ) -> str | None:
        """Return the name of a folder's new tree, None when nothing is left in it."""
        entries = dict(self._entries(folder)) if folder else {}
        before = dict(entries)
        for name, wish in nested.items():
            old, path = entries.pop(name, None), at + name
            if isinstance(wish, dict):
                if old and not old.is_folder:
                    if not _puts(wish):
                        entries[name] = old  # nothing is there to take its place
                        continue
                    self._tell(changes, path, old, None)
                inner = self._edit(old.sha if old and old.is_folder else None, wish, path + b"/", changes)
                if inner:
                    entries[name] = TreeEntry(FOLDER_MODE, inner)
                continue
            new = wish if isinstance(wish, TreeEntry) else None
            if new is None and old and old.is_folder:
                entries[name] = old  # a folder is not gone for being no file
                continue
            if new:
                entries[name] = new
            self._tell(changes, path, old, new)
        if entries == before:
            return folder
        return self.objects.add("tree", tree_bytes(entries)) if entries else None

    def _tell(self, changes: list[Changed], path: bytes, old: TreeEntry | None, new: TreeEntry | None) -> None:
        if old and old.is_folder:
            for name, inner in self._entries(old.sha).items():
                self._tell(changes, path + b"/" + name, inner, None)
            old = None
        if old != new:
            changes.append(Changed(os.fsdecode(path), old, new))

    def _entries(self, name: str) -> Mapping[bytes, TreeEntry]:
        if name not in self._read:
            self._read[name] = self.objects.tree(name)
        return self._read[name]


def _puts(nested: Mapping[bytes, object]) -> bool:
    """Return whether any file is put somewhere below."""
    return any(_puts(wish) if isinstance(wish, dict) else wish is not None for wish in nested.values())
