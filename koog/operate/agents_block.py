"""The block of AGENTS.md that says how the memory is used; pure but for `place` and `put`.  [moltbot §13.5, §14]

It stands between `<!-- koog:agents -->` and `<!-- /koog -->`, as all that koog puts into a host's texts does. Nothing
else of the file changes; taken away, the file is byte for byte what it was without.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import approval, shipped
from koog.core.errors import Refused
from koog.core.lazy_regex import compiled
from koog.core.text.marks import KOOG_END

if TYPE_CHECKING:
    from koog.core.run import Run

AGENTS, CLAUDE = "AGENTS.md", "CLAUDE.md"
BEGIN = "<!-- koog:agents -->"
BLOCK = rf"(?s){BEGIN}\r?\n.*?{KOOG_END}(?:\r?\n|\Z)"
ENTRY = r"(?m)^@(?:\./)?AGENTS\.md\s*$"  # how a CLAUDE.md takes AGENTS.md in
MOST_TOKENS = 600


def text() -> str:
    """Return what the block says."""
    return shipped.text(Path(__file__).with_suffix(".md"))


def added(present: str) -> str:
    """Return a file with the block as it is today: in its place, else at the end. Raises Refused for half a block.

    >>> without(added("# Mine")) == "# Mine", without(added("# Mine\\n")) == "# Mine\\n"
    (True, True)
    """
    block = f"{BEGIN}\n{text().strip()}\n{KOOG_END}"
    if found := _find(present):
        start, end = found
        return present[:start] + block + ("\n" if present[start:end].endswith("\n") else "") + present[end:]
    if present and not present.endswith("\n"):  # no line end behind the block says that there was none before it
        return f"{present}\n{block}"
    return f"{present}{block}\n"


def without(present: str) -> str:
    """Return a file without the block. Raises Refused for half a block."""
    found = _find(present)
    if not found:
        return present
    start, end = found
    is_bare_end = not present[start:end].endswith("\n")
    return present[: start - 1 if is_bare_end and start else start] + present[end:]


def _find(present: str) -> tuple[int, int] | None:
    found = compiled(BLOCK).search(present)
    if found:
        return found.start(), found.end()
    if BEGIN in present:
        raise Refused(f"{BEGIN} has no {KOOG_END} behind it", hint="put that line where koog's block ends")
    return None


def place(run: Run, host: str | None) -> str:
    """Return the file that the host reads: AGENTS.md; CLAUDE.md for Claude Code where that does not take it in."""
    claude = run.workspace.text(CLAUDE)
    takes_in = bool(claude and compiled(ENTRY).search(claude))
    is_only_one = claude is not None and run.workspace.text(AGENTS) is None
    return CLAUDE if (host == "claude" or is_only_one) and not takes_in else AGENTS


def put(run: Run, *, host: str | None, remove: bool) -> list[dict[str, str]]:
    """Write the block, or take it away wherever it stands; return path and action of each file."""
    paths = [each for each in (AGENTS, CLAUDE) if BEGIN in (run.workspace.text(each) or "")]
    paths = paths if remove or paths else [place(run, host)]
    approval.by_hand(run)
    rows = []
    with run.workspace.writing() as door:
        for path in paths:
            present = door.text(path)
            edit = without if remove else added
            if remove and not edit(present or ""):
                done = door.remove(path, summary="koog's block for agents, and nothing else")
            else:
                done = door.edit(path, edit, summary=f"{'without ' if remove else ''}koog's block for agents")
            changed = "removed" if remove else "created" if present is None or BEGIN not in present else "updated"
            rows.append({"path": path, "action": changed if done else "unchanged"})
    return rows
