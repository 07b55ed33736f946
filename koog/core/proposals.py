"""memory/meta/pending-memories.md: what waits for a person's or the main agent's word.  [moltbot §13.2]

The heartbeat and the observer put here what is shaped like an instruction: a note or a
tool's output may hold the words of a web page, and a page must not be able to write the
agent's rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from koog.core import clock
from koog.core.files.door import Door

NAME = "meta/pending-memories.md"
HEADER = "# Pending Memory Proposals\n\n<!-- Sub-agents append proposals here. Main agent reviews and commits. -->\n"
_NUMBER = re.compile(r"^## Proposal #(\d+)", re.MULTILINE)
_CONTENT = re.compile(r"^- \*\*Content\*\*: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Proposal:
    """One text and where it was found (`file:line`)."""

    content: str
    source: str | None = None


def stage(door: Door, proposals: Sequence[Proposal], *, command: str, when: datetime) -> None:
    """Stage new proposals, numbered under the lock, so that two writers never take one number. Repeats are left out."""
    if proposals:
        path = door.workspace.in_memory(NAME)
        door.edit(path, lambda text: added(text, proposals, command=command, when=when), summary=_summary(proposals))


def added(text: str, proposals: Sequence[Proposal], *, command: str, when: datetime) -> str:
    """Return the file with the proposals that it does not hold yet."""
    text = text or HEADER
    standing = set(_CONTENT.findall(text))
    number = max((int(n) for n in _NUMBER.findall(text)), default=0)
    for proposal in proposals:
        content = " ".join(proposal.content.split())
        if content in standing:
            continue
        standing.add(content)
        number += 1
        text = text.rstrip("\n") + "\n\n" + _block(number, content, proposal, command=command, when=when)
    return text


def _block(number: int, content: str, proposal: Proposal, *, command: str, when: datetime) -> str:
    trigger = f"koog {command}: shaped like an instruction"
    lines = [
        "---",
        f"## Proposal #{number}",
        "- **From**: koog",
        f"- **Timestamp**: {clock.iso(when)}",
        f"- **Trigger**: {trigger}, found at {proposal.source}" if proposal.source else f"- **Trigger**: {trigger}",
        "- **Suggested store**: procedural",
        f"- **Content**: {content}",
        "- **Entities**: []",
        "- **Confidence**: low",
        "- **Core-worthy**: no",
        "- **Status**: pending",
    ]
    return "\n".join(lines) + "\n"


def _summary(proposals: Sequence[Proposal]) -> str:
    return f"{len(proposals)} instruction-shaped finding(s) for review"
