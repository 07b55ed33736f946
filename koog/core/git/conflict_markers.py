"""Conflict markers in a file: somebody's merge is not finished, and nobody should commit it.  [design.md §4 "Git"]"""

from __future__ import annotations

import re

MARKERS = (re.compile(rb"^<{7}( |\r?$)", re.MULTILINE), re.compile(rb"^={7}\r?$", re.MULTILINE))
LAST = re.compile(rb"^>{7}( |\r?$)", re.MULTILINE)


def has_conflict_markers(data: bytes) -> bool:
    """Say whether a text has lines of <<<<<<<, ======= and >>>>>>> in this order; False for what is no text.

    >>> [has_conflict_markers(text) for text in (b"<<<<<<< a\\n=======\\n>>>>>>> b", b"=======\\n<<<<<<< a")]
    [True, False]
    """
    if b"<<<<<<<" not in data or b"\0" in data:
        return False
    at = 0
    for marker in (*MARKERS, LAST):
        found = marker.search(data, at)
        if found is None:
            return False
        at = found.end()
    return True
