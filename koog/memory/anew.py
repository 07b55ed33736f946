"""What was forgotten and is to be remembered again: only where the user asks for it.  [moltbot §8.3]"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from koog.core.errors import Refused
from koog.memory.store import ids
from koog.memory.store.memories import PROCEDURAL, VAULT

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.forgotten import Forgotten
    from koog.core.run import Run
    from koog.memory.store.drafts import Stored

HINT = 'the user asks for it anew: koog remember "…" --explicit'
KEPT_WHOLE = (VAULT, PROCEDURAL)  # stores in which the same file takes it again, and nothing is new then


def lifted(gone: Forgotten, texts: Sequence[str], *, may: bool) -> list[str]:
    """Return the ids of what was forgotten whose words a thing says. Raises Refused where nobody asks for them.

    may   whether the user asks for it
    """
    if not any(map(gone.holds, texts)):
        return []
    if not may:
        raise Refused("this was forgotten, and does not come back by itself", hint=HINT)
    return list(dict.fromkeys(id_ for text in texts for id_ in gone.lifted(text)))


def bar(id_: str, barred: Container[str]) -> None:
    """Raise Refused where a thing would lie in what was forgotten and does not come back. id_: of that, "" for none"""
    if id_ and id_ in barred:
        raise Refused("what this belongs to was forgotten, and does not come back by itself", hint=HINT)


def revive(run: Run, door: Door, stored: Sequence[Stored], gone: Forgotten, named: Sequence[str]) -> None:
    """Stage that what was forgotten is remembered anew: what of it was stored, and ids whose words that says."""
    if not gone:
        return
    here = [each for each in stored if each.created or each.store in KEPT_WHOLE]
    at = dict.fromkeys(id_ for each in here for id_ in (each.id, _fading(each)) if id_ in gone.hidden)
    from koog.memory.forgetting import archive  # hardly ever needed, and a fifth of what starting `remember` costs

    archive.lift(run, door, named, list(at))


def _fading(stored: Stored) -> str:
    """Return what fades: of a fact its entity."""
    id_ = ids.parse(stored.id)
    return f"{ids.ENTITY}:{id_.entity}" if id_.kind == ids.FACT else stored.id
