"""Which modules a person has approved: one that came from elsewhere adds nothing to the playbook before.  [design §4]

Both files lie in the state root, which no agent can write:

    imported.json   {id: when}     what `module import` took in: deleting a manifest's `importedFrom` changes nothing
    approved.json   {id: digest}   the texts that a person approved; whatever is edited afterwards needs a new word

A koog that does not see the state root goes by what the agent could have written itself: the manifest's mark, and
the registry's copy of the digest. So an honest agent in a sandbox has the playbook that its person approved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from koog.core import approval
from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles
from koog.core.files.workspace import Workspace
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.files.tree import Tree

IMPORTED, APPROVED = "imported", "approved"  # files of the state root
NEEDED = "needed"
KEY = "approvedDigest"  # of a registry entry
FILES = ("manifest.json", "patterns.md", "guidance.md")


class Known(NamedTuple):
    """What is known of all modules.

    imported   ids that came from elsewhere, whatever their manifests say
    approved   id → digest, None for a koog that does not see the state root
    """

    imported: frozenset[str]
    approved: Mapping[str, str] | None

    def standing(self, source: Workspace | Door, module_id: str, entry: Mapping[str, Any] | None) -> str | None:
        """Return `needed` or `approved` for an imported module, None for one of the workspace's own.

        source   the files as they are, or as a door has them staged
        entry    the module's registry entry, None without one
        """
        if module_id not in self.imported and not _is_marked(source, module_id):
            return None
        wanted = (entry or {}).get(KEY) if self.approved is None else self.approved.get(module_id)
        try:
            return APPROVED if wanted == digest(source, module_id) else NEEDED
        except WorkspaceError:
            return NEEDED  # nobody can have approved what cannot be read


def known(workspace: Tree) -> Known:
    """Return what the state root says. Raises WorkspaceError."""
    if workspace.state_root is None:
        return Known(frozenset(), None)
    return Known(frozenset(_noted(workspace, IMPORTED)), _noted(workspace, APPROVED))


def digest(source: Workspace | Door, module_id: str) -> str:
    """Return the digest of a module's texts. Raises WorkspaceError."""
    return approval.digest(*(_text(source, module_id, name) for name in FILES))


def remember(workspace: Workspace, module_id: str, *, when: str) -> None:
    """Note that a module came from elsewhere; called under the workspace's lock. Raises WorkspaceError."""
    _note(workspace, IMPORTED, module_id, when)


def approve(workspace: Workspace, module_id: str, digest: str) -> None:
    """Note what a person approved; called under the workspace's lock. Raises WorkspaceError."""
    _note(workspace, APPROVED, module_id, digest)


def _note(workspace: Workspace, name: str, module_id: str, value: str) -> None:
    if workspace.state_root is None:
        return
    table = {**_noted(workspace, name), module_id: value}
    if workspace.dry_run:
        workspace.memo[name] = table
    else:
        workspace.state_root.put(name, table)


def _noted(workspace: Tree, name: str) -> dict[str, str]:
    """Return a table of the state root; under `--dry-run` with what is only pretended."""
    value = workspace.memo.get(name) or (workspace.state_root.get(name) if workspace.state_root else None)
    return {k: v for k, v in value.items() if isinstance(v, str)} if isinstance(value, dict) else {}


def is_whole(workspace: Workspace, module_id: str) -> bool:
    """Return whether a module's texts can be read: what cannot be seen is not approved."""
    try:
        return all(_text(workspace, module_id, name) is not None for name in FILES[:2])
    except WorkspaceError:
        return False


def _is_marked(source: Workspace | Door, module_id: str) -> bool:
    try:
        text = _text(source, module_id, FILES[0]) or "{}"
        manifest = jsonfiles.loads(text.encode("utf-8", "surrogateescape"))
    except WorkspaceError:
        return True
    except ValueError:
        return False  # `doctor` tells; no import of koog's has left it so
    return isinstance(manifest, dict) and "importedFrom" in manifest


def _text(source: Workspace | Door, module_id: str, name: str) -> str | None:
    workspace = source if isinstance(source, Workspace) else source.workspace
    return source.text(workspace.in_modules(f"{module_id}/{name}"))
