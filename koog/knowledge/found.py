"""What passes from an extraction to the files: what was found, what of it was written, what became of all.  [§8.3]"""

from __future__ import annotations

from dataclasses import dataclass, field

from koog.core.named import NamedTuple
from koog.core.refused import Refusal
from koog.core.text.voices import PERSON
from koog.knowledge import documents
from koog.knowledge.extractor import KnowledgeChange
from koog.sessions.labels import Label


class Found(NamedTuple):
    """One change that the turns bear out.

    extractor  who proposed it
    text       its words as they may be written; day: when that was said; source: session:line
    trust      who is behind it
    whole      all that was said in its turn
    """

    change: KnowledgeChange
    extractor: str
    text: str
    day: str
    time: str
    source: str
    trust: str
    label: Label
    whole: str = ""

    @property
    def values(self) -> tuple[tuple[str, str], ...]:
        """Return what the comment of its line says of where it comes from."""
        source = (documents.SOURCE, self.source)
        return (source,) if self.trust == PERSON else (source, ("trust", self.trust))


class Written(NamedTuple):
    """One line that was written: into which file, under which heading."""

    extractor: str
    path: str
    section: str
    text: str
    source: str
    label: Label


@dataclass
class Applied:
    """What became of an extraction."""

    written: list[Written] = field(default_factory=list)
    refused: list[tuple[Label, Refusal]] = field(default_factory=list)
    known: int = 0
