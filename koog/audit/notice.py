"""What others did to koog's files becomes `manual` lines of the audit log.  [moltbot §12.1, §12.3]

Called by the tick, by backup and by the audit's own commands; a command that writes a file looks at that file itself
(core/files/door.py), and every one that writes at the critical files.
"""

from __future__ import annotations

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import seen
from koog.core.run import Run


def notice(run: Run) -> int:
    """Tell of what was changed outside koog since the last look; return how many files. A failure is a warning."""
    if run.state_root is None or run.dry_run:
        return 0
    try:
        with run.state_root.locked(seen.LOCK):  # of two that look at once, one tells
            found = seen.scan(run.workspace)
            with run.workspace.writing() as door:
                if found.changes:  # before it had the lock, another koog may have told of some
                    found = seen.scan(run.workspace)
                door.note(found.changes)
            if found.rows != (run.state_root.get(seen.NAME) or {}):
                run.state_root.put(seen.NAME, found.rows)
    except (Busy, WorkspaceError) as e:
        run.warnings.append(f"hand edits not looked for: {e.message}")
        return 0
    return len(found.changes)
