"""What was mined and found no place in the playbook: a second sighting makes it more than a first.  [sinain §8.2]

Without it a pattern noted once a month is new each time, and never gets past a season that takes strong
additions only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from koog.heartbeat.findings import Finding
from koog.heartbeat.operations import kept, one_line
from koog.heartbeat.standing import about
from koog.playbook.item import Item

MOST = 100  # texts kept, the newest


def read(curated: dict[str, Any]) -> tuple[str, ...]:
    """Return the waiting texts of cursors.json's `curate`, oldest first."""
    waiting = curated.get("waiting")
    return tuple(text for text in waiting if isinstance(text, str)) if isinstance(waiting, list) else ()


def after(waiting: Sequence[str], found: Sequence[Finding], standing: Sequence[Item]) -> list[str]:
    """Return who waits after a curation: those without a place before and now, and the new ones.

    standing   the bullets of the curated playbook
    """
    new = [one_line(f.text) for f in found if f.kind != "contradictions"]
    texts = dict.fromkeys(text for text in [*waiting, *new] if text)
    return [text for text in texts if not kept(Item(text=text), standing, floor=0.8)][-MOST:]


def again(text: str, waiting: Sequence[str]) -> bool:
    """Return whether a text says what one that waits said already."""
    return any(about(text, earlier) for earlier in waiting)
