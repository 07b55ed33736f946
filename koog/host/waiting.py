"""What waits for a person's word at this moment: id → digest of what would be approved.  [design §4]

Each kind of thing is a function here. An id that two kinds use waits for nothing: whoever says it could mean either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from koog.core import approval, proposals
from koog.memory.forgetting import deletions
from koog.playbook import registry, trust

if TYPE_CHECKING:
    from koog.core.run import Run


def modules(run: Run) -> dict[str, str]:
    """Return the imported modules that no person has approved as they are now, by their ids."""
    workspace, facts = run.workspace, trust.known(run.workspace)
    found = registry.load(workspace)
    entries = {**found["modules"], **dict.fromkeys(registry.unregistered(workspace, found))}
    waits = [name for name, entry in entries.items() if facts.standing(workspace, name, entry) == trust.NEEDED]
    return {name: trust.digest(workspace, name) for name in waits if trust.is_whole(workspace, name)}


def push(run: Run) -> dict[str, str]:
    """Return the push address that nobody has approved, as `push`."""
    from koog.core.git.outgoing import waits

    git, state = run.commits.git, run.state_root
    upstream = waits(git, state) if git and state else None
    return {"push": approval.digest(upstream.url, upstream.ref)} if upstream else {}


def reviews(run: Run) -> dict[str, str]:
    """Return the proposals that wait, as `proposal-3`, for the store that each suggests."""
    text = run.workspace.text(run.workspace.in_memory(proposals.NAME)) or ""
    found = proposals.settled(text, proposals.noted(run.state_root)).entries
    waits = [each for each in found if each.is_waiting and each.number]
    return {proposals.word_id(each.number or 0): proposals.digest(each, each.store) for each in waits}


def deleted(run: Run) -> dict[str, str]:
    """Return what somebody wants deleted for good, as `delete-1a2b3c4d`."""
    return deletions.waiting(run.state_root)


def reflections(run: Run) -> dict[str, str]:
    """Return the reflection whose plan waits, as `r-012`."""
    from koog.consolidate import pending_plan

    plan = pending_plan.load(run)
    return {plan.id: plan.digest} if plan else {}


KINDS: tuple[Callable[[Run], dict[str, str]], ...] = (modules, push, reviews, deleted, reflections)


def waiting(run: Run) -> dict[str, str]:
    """Return what waits, by what a person says to approve it. Raises WorkspaceError."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for kind in KINDS:
        for id_, digest in kind(run).items():
            twice |= {id_} & set(found)
            found[id_] = digest
    return {id_: digest for id_, digest in found.items() if id_ not in twice}
