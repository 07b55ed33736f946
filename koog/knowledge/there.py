"""Which knowledge files there are, as a person has spelled their names: `People/Ana Ruiz.md` is the file of ana-ruiz.

Pure, but for looking into folders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.memory.store import ids

if TYPE_CHECKING:
    from koog.core.files.roots import Root
    from koog.core.run import Run
    from koog.knowledge.layout import Layout
    from koog.memory.names.known import Known

SUFFIX = ".md"


class There:
    """The files of one workspace; each folder is looked into once."""

    def __init__(self, files: Root, layout: Layout) -> None:
        self.files, self.layout = files, layout
        self._folders: dict[str, dict[str, str]] = {}

    def path(self, path: str) -> str:
        """Return the path of a file, or of one in a project's folder, that is called so but for its spelling."""
        kind = self.layout.kind(path)
        folder, _, name = path.rpartition("/")
        if kind.startswith("project_"):
            slug = folder.rpartition("/")[2]
            return f"{self.layout.projects}/{self._spelled(self.layout.projects, slug, suffix='')}/{name}"
        if kind not in ("person", "procedure", "reference"):
            return path
        return f"{folder}/{self._spelled(folder, name.removesuffix(SUFFIX), suffix=SUFFIX)}{SUFFIX}"

    def _spelled(self, folder: str, slug: str, *, suffix: str) -> str:
        """Return how a file or folder is called whose slug is this one, the slug itself where there is none."""
        if folder not in self._folders:
            entries = [e for e in self.files.entries(folder) if e.is_folder != bool(suffix)]
            names = [e.name.removesuffix(suffix) for e in entries if e.name.endswith(suffix)]
            self._folders[folder] = {ids.slug(name): name for name in names} | {name: name for name in names}
        return self._folders[folder].get(slug, slug)


def project_names(run: Run, where: Layout, names: Known) -> dict[str, str]:
    """Return slug → name of the projects that have files, as the memory calls them."""
    found = {}
    for each in run.workspace.files.entries(where.projects):
        if each.is_folder and run.workspace.names(f"{where.projects}/{each.name}", ".md"):
            known = names.entries.get(f"project--{ids.slug(each.name)}")
            found[ids.slug(each.name)] = known.label if known else each.name.replace("-", " ")
    return found
