"""A person's word for what is deleted for good: `approve delete-1a2b3c4d`.  [design §4 "A person's word"]

Which deletions were asked for stands in the state root, so that a hook knows what such a word is for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.core import approval
from koog.core.errors import Refused

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot
    from koog.core.run import Run
    from koog.memory.forgetting.deleting import Wanted

STATE = "deletions"  # in the state root: id → digest, of the last ones that were asked for
MOST = 20


def require(run: Run, what: Wanted) -> None:
    """Take a person's word for a deletion. Raises Refused, and notes that it was asked for, where there is none yet."""
    digest = approval.digest(*what.ids, *what.phrases, *what.named)
    id_ = f"delete-{digest[:8]}"
    many = f"{len(what.ids)} {'memory' if len(what.ids) == 1 else 'memories'}"
    command = f"koog forget --hard --confirm {' '.join(what.ids[:3])}"
    known = waiting(run.state_root)
    try:
        approval.require(run, id=id_, digest=digest, what=f"deleting {many} for good", command=command)
    except Refused:
        if run.state_root and not run.dry_run:
            run.state_root.put(STATE, dict(list((known | {id_: digest}).items())[-MOST:]))
        raise
    if known.pop(id_, None) and run.state_root and not run.dry_run:
        run.state_root.put(STATE, known)


def waiting(state_root: StateRoot | None) -> dict[str, str]:
    """Return what was asked for, by what a person says to approve it."""
    value = state_root.get(STATE) if state_root else None
    return {str(id_): str(digest) for id_, digest in value.items()} if isinstance(value, dict) else {}
