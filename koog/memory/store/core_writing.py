"""MEMORY.md, changed: a line put into a block, what it takes the place of, what gives way to the cap.  [moltbot §3]"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core.errors import Refused
from koog.core.text.compare import ADDS, SAME, SUPERSEDES
from koog.memory.store import core_memory, episodes, ids
from koog.memory.store import line as lines
from koog.memory.store.change import NOTHING, Change
from koog.memory.store.drafts import Stored, compared
from koog.memory.store.episodes import Episode
from koog.memory.store.memories import CORE
from koog.memory.store.sections import Sections

if TYPE_CHECKING:
    from koog.memory.store.drafts import Drafts
    from koog.memory.store.episode_writing import EpisodeWriter
    from koog.memory.store.line import Line


class CoreWriter:
    """Changes MEMORY.md; what has to leave it goes to the day's episodes."""

    def __init__(self, drafts: Drafts, episodes: EpisodeWriter) -> None:
        self.drafts, self.episodes = drafts, episodes
        self.most = int(drafts.run.settings.get("memory.coreTokens"))
        self._read: tuple[str, list[core_memory.Entry]] | None = None  # a text and its lines

    @property
    def text(self) -> str:
        """Return MEMORY.md as it is to be."""
        return self.drafts.file(core_memory.FILE).now

    def entries(self) -> list[core_memory.Entry]:
        """Return the lines of MEMORY.md as it is to be."""
        now = self.text
        if self._read is None or self._read[0] != now:
            self._read = now, list(core_memory.entries(Sections(now, core_memory.FILE)))
        return self._read[1]

    def put(
        self, line: Line, block: str, *, prune: bool = False, replaces: str = "", change: Change = NOTHING
    ) -> Stored:
        """Put a line into a block of MEMORY.md. Raises Refused where that would be over its cap.

        change   what else it takes the place of, and beside what it stands: in the block of that one then
        """
        file = self.drafts.file(core_memory.FILE)
        present = self.entries()
        id_ = f"{ids.CORE}:{line.hash}"
        replaced, against = list[str](), list[str]()
        for each in present:
            kind = compared(each.line, line)
            if each.id in change.beside:
                block = each.block or block
            if (each.id == replaces and self.drafts.may_replace(each.line)) or each.id in change.replaced:
                replaced.append(each.id)
            elif each.id in change.against:
                against.append(each.id)
                block = each.block or block
            elif kind in (SUPERSEDES, ADDS) and not replaces:
                replaced.append(each.id)
            elif kind == SAME:
                return Stored(each.id, CORE, core_memory.FILE, created=False)
        stays = change.kept
        beside = tuple(each for each in change.beside if each not in replaced)
        # What replaced a line that stays as it was goes with it: the newer line has the place of both.
        before = (each.line.values.get(lines.REPLACES, "").split(";") for each in present if each.id in replaced)
        taken = dict.fromkeys([*stays.replaced, *filter(None, chain.from_iterable(before))])
        made = Change(tuple(taken), (*against, *stays.against), beside)
        line = made.told(line)
        gone = frozenset(one.rpartition(":")[2] for one in replaced)

        def op(text: str) -> str:
            old = [e for e in core_memory.entries(Sections(text, core_memory.FILE)) if e.line.hash in gone]
            blocks = [e.block for e in old if e.block]
            kept = core_memory.without(text, old)
            for other in against:
                if found := core_memory.find(kept, other.rpartition(":")[2]):
                    kept = Sections(kept, core_memory.FILE).marked(found.item, **{lines.AGAINST: id_})
            return core_memory.added(kept, blocks[0] if blocks else block, line, most=self.most)

        new = op(file.now)
        if core_memory.size(new, self.most).is_over:
            pruned = self._pruned(new, line, prune=prune)
            file.becomes(pruned, id_)
        else:
            file.apply(op, id_)
        for each in present:
            if each.id in replaced:
                self._keep_past(each.line, id_)
        self.drafts.change(id_, made)
        every = (*replaced, *(each for each in taken if each not in replaced))
        return Stored(id_, CORE, core_memory.FILE, created=True, replaced=every, against=made.named)

    def said(self, line: Line) -> Stored | None:
        """Return the line of MEMORY.md that has the very same words."""
        found = next(
            (each for each in self.entries() if (each.line.hash, each.line.label) == (line.hash, line.label)), None
        )
        return Stored(found.id, CORE, core_memory.FILE, created=False) if found else None

    def _keep_past(self, old: Line, by: str) -> None:
        """Log what was replaced in MEMORY.md, which holds only what is so now: what held then can be asked for."""
        from koog.memory.fading import decay_scores  # few things take another's place there

        since = clock.parse(
            decay_scores.created(self.drafts.run.workspace, self.drafts.door.text, f"{ids.CORE}:{old.hash}")
        )
        values = {lines.SINCE: since.astimezone(self.drafts.run.zone).date().isoformat()} if since else {}
        past = old.with_values(**values, **{lines.UNTIL: self.drafts.place.day, lines.BY: by})
        self.episodes.log(Episode(self.drafts.place.day, self.drafts.place.time, past, source=episodes.REFLECTION))

    def _pruned(self, text: str, line: Line, *, prune: bool) -> str:
        """Return MEMORY.md within its caps: what gives way goes to the day's episodes. Raises Refused."""
        size = core_memory.size(text, self.most)
        gone = core_memory.to_prune(text, self.most, keep=line.hash)
        left = core_memory.without(text, gone)
        if core_memory.size(left, self.most).is_over:
            raise Refused(
                f"MEMORY.md would have {size.told}, and what is in it is pinned or your own",
                hint="shorten MEMORY.md, or koog remember --store semantic",
            )
        if not prune:
            named = ", ".join(f"{each.id} (line {each.item.row + 1})" for each in gone)
            raise Refused(f"MEMORY.md would have {size.told}; what could go: {named}", hint="again with --prune")
        day, time = self.drafts.place.day, self.drafts.place.time
        for each in gone:
            self.episodes.log(Episode(day, time, each.line, confidence=episodes.MEDIUM, source=episodes.REFLECTION))
        return left
