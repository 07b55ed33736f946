"""Which imported modules wait for a person's word, as they are now."""

from __future__ import annotations

from koog.core.run import Run
from koog.playbook import registry, trust


def waiting(run: Run) -> dict[str, str]:
    """Return id → digest of the imported modules that no person has approved as they are now. Raises WorkspaceError."""
    workspace, facts = run.workspace, trust.known(run.workspace)
    found = registry.load(workspace)
    entries = {**found["modules"], **dict.fromkeys(registry.unregistered(workspace, found))}
    waits = [name for name, entry in entries.items() if facts.standing(workspace, name, entry) == trust.NEEDED]
    return {name: trust.digest(workspace, name) for name in waits if trust.is_whole(workspace, name)}
