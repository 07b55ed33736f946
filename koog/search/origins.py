"""Who is behind the words of a file: by its folder, the speaker, and what a line says of itself. Pure.  [design §4]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from koog.core.text import observation
from koog.core.text.voices import AGENT, IMPORTED, PERSON, TRUSTS
from koog.search.categories import CONVERSATIONS

# What a person has approved as it stands, and what the house keeps for its agents to go by.
APPROVED = frozenset(("module",))
KEPT = frozenset(("identity", "memory", "playbook", "topic", "procedure"))
USER = "user"  # who speaks, by a transcript's heading
UNSAID = ("Date: ", "# ", "<!-- ")  # how rows of observations.md begin that tell nothing
FROM_ELSEWHERE = "<!-- imported: "  # what `module import` begins a module's patterns with


def trust(path: str, category: str | None, rows: Sequence[str], *, head: str = "", speaker: str = "") -> str:
    """Return who is behind some rows of a file, as a Statement has it; of several the one who is least trusted.

    rows   as they stand in the file, comments and all
    head   the file's first row
    """
    if category == "module":
        return IMPORTED if head.startswith(FROM_ELSEWHERE) else AGENT
    if category == "observation":
        told = [_observed(row.strip()) for row in rows if row.strip() and not row.startswith(UNSAID)]
        return least(told) if told else AGENT
    is_persons = category == "identity" or (speaker.lower() == USER and path.startswith(f"{CONVERSATIONS}/"))
    return PERSON if is_persons else AGENT


def _observed(row: str) -> str:
    """Return who is behind a row of observations.md: what is no observation an agent may have written."""
    seen = observation.read(row)
    return observation.behind(seen.text, seen.values, source=seen.values.get("source", "")) if seen else AGENT


def least(told: Iterable[str]) -> str:
    """Return who is least trusted of some that lines tell; where none does it is the person's own."""
    return max((each for each in told if each in TRUSTS), key=TRUSTS.index, default=PERSON)
