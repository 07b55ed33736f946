"""Ranked passages → what is shown of them: neighbours in one hit, and their text.  [autopoiesis §7; issue 5]

    merged    pure: passages that stand beside one another, in one group
    texts     what the files hold in their lines
    hits      both

The index keeps no text but that of rules: what is shown is what the file says now, without private blocks and secrets,
and nothing when that is not what was found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from koog.core.named import NamedTuple
from koog.core.text.untrusted import clean
from koog.core.text.voices import AGENT
from koog.search import origins, sources
from koog.search.cutting import LONGEST
from koog.search.labelled import NOTHING, bare
from koog.search.passages import cut, decoded
from koog.search.ranking import SURE
from koog.search.retrieval import Ranked, Seen
from koog.search.sources import Reader, Roots
from koog.sessions import audience
from koog.sessions.place import PRIVATE

if TYPE_CHECKING:
    from koog.core.changes import Replaced
    from koog.sessions.audience import Audience

FENCES = ("```", "~~~")
MOST_MERGED = 5  # passages of one hit: more is no passage any more
JOINS = 0.6  # of the best passage's score: what is worse says something else


class Hit(NamedTuple):
    """A place that answers.

    line      where its best passage begins, from 1
    lines     its first and last line
    matches   where each of its passages begins, the best first
    score     of its best passage, 0 to 1
    project   whose it is, None for the workspace's own
    scope     private, or group
    name      the project that is told behind each passage of its text, "" for none
    trust     who is behind it, as a Statement has it
    confidence  how likely its best passage is to answer, None for FTS5's syntax
    replaced  the lines of it that do not hold any more
    """

    path: str
    line: int
    lines: tuple[int, int]
    matches: tuple[int, ...]
    heading: str
    category: str
    date: str | None
    score: float
    text: str
    project: str | None = None
    scope: str = PRIVATE
    name: str = ""
    trust: str = AGENT
    confidence: float | None = None
    replaced: tuple[Replaced, ...] = ()

    @property
    def is_weak(self) -> bool:
        """Return whether nobody should take it for the answer."""
        return self.confidence is not None and self.confidence < SURE


def merged(ranked: Iterable[Ranked]) -> list[list[Ranked]]:
    """Return the passages in groups, the best first, and in each its best passage first.

    A passage directly beside one that is better joins it, if both stand in the same section of the same file under the
    same label and it is not much worse.
    """
    groups: list[list[Ranked]] = []
    group_of: dict[int, list[Ranked]] = {}
    for passage in ranked:
        group = _beside(passage, group_of)
        if group is None:
            group = []
            groups.append(group)
        group.append(passage)
        group_of[passage.id] = group
    return groups


def hits(roots: Roots, groups: Sequence[Sequence[Ranked]], *, who: Audience | None = None) -> list[Hit]:
    """Return the groups as what is shown of them; without those whose file is gone, or holds others in these lines.

    who   who reads
    """
    spans = [_span(group) for group in groups]
    found = _texts(roots, [(group, span) for group, span in zip(groups, spans, strict=True)])
    return [
        Hit(
            path=best.path,
            line=best.line,
            lines=span,
            matches=tuple(dict.fromkeys(passage.line for passage in (best, *others))),
            heading=clean(best.heading),
            category=best.category,
            date=best.date,
            score=best.score,
            text=text,
            trust=trust,
            project=who.project_of(best.said.label, best.path) if who else best.said.label.project or None,
            scope=best.said.label.scope,
            name=best.name,
            confidence=best.confidence,
        )
        for (best, *others), span, (text, trust) in zip(groups, spans, found, strict=True)
        if text is not None
    ]


def texts(roots: Roots, passages: Sequence[Ranked]) -> list[str]:
    """Return what each passage's lines hold, "" where they are no more those that were indexed."""
    return [text or "" for text, _ in _texts(roots, [([passage], (passage.line, passage.end)) for passage in passages])]


def _texts(roots: Roots, places: Sequence[tuple[Sequence[Ranked], tuple[int, int]]]) -> list[tuple[str | None, str]]:
    """Return what the lines hold, None where they are no more those that were indexed, and who is behind them."""
    reader = Reader(roots)
    seen = {group[0].path: group[0].seen for group, _ in places}
    files = {path: _rows(reader, path, file) for path, file in seen.items()}
    return [
        (None, "") if (rows := files[group[0].path]) is None else (_text(rows, group, span), _trust(rows, group, span))
        for group, span in places
    ]


def _trust(rows: Sequence[str], group: Sequence[Ranked], span: tuple[int, int]) -> str:
    each = (
        origins.trust(p.path, p.category, rows[span[0] - 1 : span[1]], head=rows[0], speaker=p.speaker) for p in group
    )
    return origins.least(each)


def _text(rows: Sequence[str], group: Sequence[Ranked], span: tuple[int, int]) -> str:
    """Return what the lines hold. Where its line is longer than a passage the text begins with the best one."""
    best = group[0]
    text = clean("\n".join(rows[span[0] - 1 : span[1]]))
    text = text if best.said == NOTHING else bare(text)
    if best.name:
        text = marked(text, best.name, {passage.end - span[0] for passage in group})
    text = text.strip()
    if len(rows[best.line - 1]) <= LONGEST:
        return text
    found = cut("\n".join(rows), path=best.path).passages
    at = best.id - best.seen.first
    return text[max(0, text.find(found[at].text)) :] if at < len(found) else text


def marked(text: str, name: str, ends: Collection[int]) -> str:
    """Return a text with its project's name behind the rows, from 0, with which passages end; below a fence.

    >>> marked("- a\\n- b", "shop", {0, 1})
    '- a [project: shop]\\n- b [project: shop]'
    """
    rows = text.split("\n")
    for at in ends:
        row, mark = rows[at].rstrip(), audience.mark(name)
        rows[at] = f"{row}\n{mark.strip()}" if row.lstrip().startswith(FENCES) else row + mark
    return "\n".join(rows)


def _rows(reader: Reader, path: str, seen: Seen) -> list[str] | None:
    """Return a file's lines; None when it is gone meanwhile, or has changed otherwise than by what was added below."""
    try:
        data, info = reader.read(path, seen.size)
    except OSError:
        return None
    if (info.st_size, info.st_mtime_ns, info.st_ino) != seen[:3] and sources.digest(data[: seen.size]) != seen.digest:
        return None
    text = decoded(data)
    # A key in armour is known by its first line, which may not be among those that are shown.
    return (clean(text) if "PRIVATE KEY" in text else text).split("\n")


def _beside(passage: Ranked, group_of: dict[int, list[Ranked]]) -> list[Ranked] | None:
    """Return the group that a passage joins: its better neighbour's, while that has room."""
    near = [group_of[id] for id in (passage.id - 1, passage.id + 1) if id in group_of]
    near = [group for group in near if len(group) < MOST_MERGED and _may_join(passage, group[0])]
    return max(near, key=lambda group: group[0].score, default=None)


def _may_join(passage: Ranked, best: Ranked) -> bool:
    same = (passage.file, passage.section, passage.said.label) == (best.file, best.section, best.said.label)
    return same and passage.score >= JOINS * best.score


def _span(group: Sequence[Ranked]) -> tuple[int, int]:
    return min(passage.line for passage in group), max(passage.end for passage in group)
