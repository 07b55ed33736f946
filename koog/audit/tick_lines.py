"""Which lines of a day's log of ticks a commit brought of its own.  [moltbot §12.8, sinain §6]

A tick that changed nothing leaves its lines in the file, and the next commit of any command takes them along: who
takes that one back takes back what it did, and not that others had been there. Data in, data out.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from koog.core.files import jsonfiles

if TYPE_CHECKING:
    from koog.audit.history import Made

FOLDER = "playbook-logs"
STEPS = ("koog signal", "koog mine", "koog feedback", "koog curate", "koog log")
LAST = "koog synthesize"  # comes after the log entry, which is the gate
TICK, SCORED = "koog tick", "koog feedback"


def is_a_days(folder: str, path: str) -> bool:
    """Return whether a file holds a day's ticks, and is no day that was moved to its month."""
    return path.startswith(f"{folder}/") and "/" not in path[len(folder) + 1 :]


def before(made: Made, after: bytes | None, was: bytes | None, *, tick: str) -> bytes | None:
    """Return the log as it would be, had this commit not been made: what it took along stays.

    after, was   as the commit left the log, and as it found it
    tick         the id of the tick that is taken back, "" where a commit is named
    """
    if after is None or made.is_rollback:  # whatever rests has a commit of its own before one
        return was
    own = tick or named(made, after, was)
    rows, old = after.splitlines(keepends=True), (was or b"").splitlines(keepends=True)
    found: list[bytes] = []
    for tag, a, b, c, d in SequenceMatcher(None, rows, old, autojunk=False).get_opcodes():
        if tag == "equal":
            found += rows[a:b]
        else:
            found += old[c:d] + [row for row in rows[a:b] if not _is_own(made, read(row), own)]
    return b"".join(found) if found or was is not None else None


def named(made: Made, after: bytes | None, was: bytes | None) -> str:
    """Return the id of the tick that a commit is of, "" for one that only took a tick's lines along."""
    ids = [str(read(row).get("tickId") or "") for row in _added(after or b"", was or b"")]
    return ids[-1] if ids and made.trigger in (TICK, *STEPS, LAST) else ""  # the lines that were there come first


def _is_own(made: Made, row: dict[str, Any], tick: str) -> bool:
    """Return whether a commit brought a line: its tick's, or a score that feedback was given for any."""
    return row.get("tickId") == tick or (made.trigger == SCORED and row.get("_type") == "score")


def _added(after: bytes, was: bytes) -> list[bytes]:
    known = set(was.splitlines())
    return [row for row in after.splitlines() if row not in known]


def read(row: bytes | str) -> dict[str, Any]:
    """Return a line of the log, {} for what is none."""
    try:
        value = jsonfiles.loads(row)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
