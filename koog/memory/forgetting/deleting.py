"""What is to go for good: ids, words and names, as the state root has it until all of it is gone.  [moltbot §8.3]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from koog.core import clock, forgotten
from koog.core.named import NamedTuple
from koog.memory.forgetting import archive, called
from koog.memory.forgetting.redact import KEY, Words
from koog.memory.names import known

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.memory.forgetting.targets import Target


class Wanted(NamedTuple):
    """What is to go for good.

    ids      of memories
    phrases  their words
    named    further words, wherever they stand: an entity's names
    since    when that was asked for
    sources  entries of sessions where it was heard
    kept     names that stay, since they mean something else too
    """

    ids: list[str]
    phrases: list[str]
    named: list[str]
    since: str
    sources: Sequence[str] = ()
    kept: Sequence[str] = ()

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Wanted:
        """Return what the state root has of it."""
        return cls(**{name: each for name, each in value.items() if name in cls._fields})

    def beside(self, other: Wanted) -> Wanted:
        """Return it with another's, of which not all could be taken out."""
        ids, phrases, named, sources, kept = (
            list(dict.fromkeys((*mine, *others)))
            for mine, others in (
                (self.ids, other.ids),
                (self.phrases, other.phrases),
                (self.named, other.named),
                (self.sources, other.sources),
                (self.kept, other.kept),
            )
        )
        return Wanted(ids, phrases, named, self.since, sources, kept)

    def words(self, run: Run) -> Words:
        living = known.load(run).entries if self.named else ()
        return Words.of(self.phrases, self.named, called.marks(key(run), self.ids, living))

    def told(self, run: Run) -> str:
        """Return what its audit lines say: no id, which may be a name."""
        return archive.named("deleted", [forgotten.mark_of(key(run), id_) for id_ in self.ids])


class Place(NamedTuple):
    """One file: its path as it is told, and whether it goes whole."""

    path: str
    is_gone: bool

    @property
    def row(self) -> dict[str, str]:
        return {"path": self.path, "what": "removed" if self.is_gone else "redacted"}


def wanted(run: Run, chosen: Sequence[Target], named: Sequence[str]) -> Wanted:
    """Return what is to go for some things that are remembered. named: further words"""
    words, rows, kept = called.names(run, chosen)
    phrases = [*(text for each in chosen for text in each.phrases), *rows]
    found = list(dict.fromkeys(each.id for each in chosen))
    heard = list(dict.fromkeys(source for each in chosen for source in each.sources if "#" in source))
    own = [name for name in named if called.is_own(name)]
    going = [name for name in dict.fromkeys((*named, *words)) if name not in own]
    left = list(dict.fromkeys((*own, *(name for name in kept if name not in named))))
    return Wanted(found, list(dict.fromkeys(phrases)), going, clock.iso(run.now), heard, left)


def key(run: Run) -> bytes:
    """Return the key of the tombstones; any, where there is none yet and nothing is written."""
    return forgotten.known_key(run.workspace) or KEY
