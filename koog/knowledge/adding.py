"""How a knowledge file gets some lines more, by what kind of file it is; a new one with its head.  [§2.2]"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from koog.core.named import NamedTuple
from koog.knowledge import core_sections, documents, entity_facts, filing, journal, layout, sources
from koog.knowledge.core_sections import Caps
from koog.knowledge.filing import Filed, New
from koog.knowledge.layout import MEMORY, Layout

if TYPE_CHECKING:
    from koog.knowledge.found import Found


class Adding(NamedTuple):
    """What the files of one extraction have in common."""

    layout: Layout
    caps: Caps
    today: str

    def edit(self, path: str, rows: Sequence[tuple[Found, New]]) -> Callable[[str], Filed]:
        """Return how a file gets some lines more, whatever it holds by then."""
        new = [each for _, each in rows]
        first, kind = rows[0][0], self.kind(path)
        if path == MEMORY:
            return lambda text: self._counted(core_sections.filed(text, new, self.caps))
        if kind == "journal":
            sessions = list(dict.fromkeys(each.session for found, _ in rows for each in sources.parse(found.source)))
            return lambda text: journal.filed(text, path, new, day=first.day, sessions=sessions)
        order = layout.SECTIONS.get(kind, ())

        def edit(text: str) -> Filed:
            made = filing.filed(text or self._begun(path, kind, first), path, new, order=order)
            newest = max((each.day for each in made.added), default="")
            return made._replace(text=documents.with_updated(made.text, newest))

        return edit

    def kind(self, path: str) -> str:
        """Return what kind of file a path is of; the journal's folder is one, too."""
        return "journal" if path == self.layout.journal else self.layout.kind(path)

    def _counted(self, made: Filed) -> Filed:
        return made._replace(text=core_sections.with_count(made.text, self.today)) if made.added else made

    def _begun(self, path: str, kind: str, found: Found) -> str:
        """Return a new file, with a link to the entity whose facts stand in the memory."""
        title = found.change.title
        named = {"project_context": f"{title} — Architecture Context", "project_progress": f"{title} — Progress"}
        text = layout.new(kind, title=named.get(kind, title), today=found.day, **found.change.head)
        id_ = entity_facts.of(self.layout, path)
        return f"{text}\nFacts: [[{id_}]]\n" if id_ and kind in ("person", "project_context") else text


def summary(added: Sequence[New]) -> str:
    """Return what was done to a file, without its words: these must be forgettable."""
    sections = ", ".join(dict.fromkeys(each.section for each in added))
    return f"{len(added)} {'line' if len(added) == 1 else 'lines'}: {sections}"
