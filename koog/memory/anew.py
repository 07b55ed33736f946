"""What was forgotten and is to be remembered again: only where the user asks for it.  [moltbot §8.3]"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from koog.core.errors import Refused
from koog.memory.store.memories import PROCEDURAL, VAULT

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.forgotten import Forgotten
    from koog.core.run import Run
    from koog.memory.store.drafts import Stored

HINT = 'the user asks for it anew: koog remember "…" --explicit'
KEPT_WHOLE = (VAULT, PROCEDURAL)  # stores in which the same file takes it again, and nothing is new then


class Back:
    """What was forgotten, and what of it some things that are stored now bring back.

    named   ids whose words they say
    """

    def __init__(self, gone: Forgotten) -> None:
        self.gone = gone
        self.named: dict[str, None] = {}
        self._files = set[str]()

    def lift(self, texts: Sequence[str], *, may: bool) -> None:
        """Know that a thing says some words. Raises Refused where they were forgotten and nobody asks for them.

        may   whether the user asks for it
        """
        if not any(map(self.gone.holds, texts)):
            return
        found = dict.fromkeys(id_ for text in texts for id_ in self.gone.lifted(text))
        if not may and not (found and found.keys() <= self.named.keys()):
            raise Refused("this was forgotten, and does not come back by itself", hint=HINT)
        self.named |= found

    def take(self, stored: Stored) -> None:
        """Know that something is stored for which the user asks: what it lies in is no longer forgotten."""
        if self.gone:
            self._files.update((stored.id, stored.fades))

    def is_hidden(self, id_: str) -> bool:
        """Return whether what an id names is forgotten still."""
        return id_ in self.gone.hidden and id_ not in self._files


def bar(id_: str, is_barred: Callable[[str], bool] | None) -> None:
    """Raise Refused where a thing would lie in what was forgotten and does not come back. id_: of that, "" for none"""
    if id_ and is_barred and is_barred(id_):
        raise Refused("what this belongs to was forgotten, and does not come back by itself", hint=HINT)


def revive(run: Run, door: Door, stored: Sequence[Stored], back: Back) -> None:
    """Stage that what was forgotten is remembered anew: what of it was stored, and whose words that says."""
    if not back.gone:
        return
    here = [each for each in stored if each.created or each.store in KEPT_WHOLE]
    at = dict.fromkeys(id_ for each in here for id_ in (each.id, each.fades) if id_ in back.gone.hidden)
    from koog.memory.forgetting import archive  # hardly ever needed, and a fifth of what starting `remember` costs

    archive.lift(run, door, list(back.named), list(at))
