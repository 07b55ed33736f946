"""Conflict markers in a file: somebody's merge is not finished, and nobody should commit it.  [design.md §4 "Git"]"""

from __future__ import annotations

import re
from pathlib import Path

from koog.core.errors import WorkspaceError


def has_conflict_markers(path: Path) -> bool:
    """Say whether a text file has lines of <<<<<<<, ======= and >>>>>>> in this order; False for links and binaries."""
    expected = [re.compile(rb"<{7}( |\r?$)"), re.compile(rb"={7}\r?$"), re.compile(rb">{7}( |\r?$)")]
    try:
        if path.is_symlink() or not path.is_file():
            return False
        with path.open("rb") as lines:
            for line in lines:
                if b"\0" in line:
                    return False
                if expected[0].match(line) and not expected[1:]:
                    return True
                if expected[0].match(line):
                    del expected[0]
    except OSError as e:
        raise WorkspaceError(f"cannot read {path.name}: {e.strerror}") from e
    return False
