"""What is recalled, as the line shows it: every row with its id, place, days, trust, project and confidence. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from koog.core.clip import clip
from koog.core.lazy_regex import compiled
from koog.core.text.untrusted import clean
from koog.memory.answering import brief
from koog.memory.answering.answer import Told
from koog.memory.answering.items import CATEGORY
from koog.memory.answering.question import Meant, Question
from koog.memory.store import entities
from koog.search import origins
from koog.search.hits import Hit
from koog.sessions import audience
from koog.sessions.audience import Seen

if TYPE_CHECKING:
    from koog.memory.answering.asking import Recalled

TEXT_CHARS, OLD_CHARS = 500, 200
HIT_CHARS = 260  # of a passage: its file has the rest, and a further passage has room
COMMENT = r"<!--(?:(?!-->).)*-->"  # of a line: where it was said, which is in its file
MOST_RELATED = 12


def row(found: Recalled, told: Told, *, explain: bool) -> dict[str, Any]:
    """Return one line that answers."""
    scored, item, who = told.scored, told.scored.item, found.gatherer.who
    name = who.name_of(item.label, item.path) if found.gatherer.sees(item) is Seen.NAMED else ""
    made: dict[str, Any] = {
        "id": item.id,
        "store": item.store,
        "text": clip(clean(item.text), TEXT_CHARS) + (audience.mark(name) if name else ""),
        "steps": [clip(clean(step), OLD_CHARS) for step in item.steps],
        "path": item.path,
        "line": item.line,
        "date": scored.at or None,
        "from": scored.at[:10] or None,
        "until": item.until or None,
        "replacedBy": item.by or None,
        "newer": scored.newer or None,
        "replaced": [_old(each.item, each.at) for each in told.replaced],
        "trust": origins.trust(item.path, CATEGORY[item.store], [item.text]),
        "project": who.project_of(item.label, item.path),
        "scope": item.label.scope,
        "confidence": round(scored.confidence, 2),
        "score": round(scored.ranked, 3),
        "status": scored.standing.told,
    }
    if explain:
        made["why"] = {
            "has": list(scored.has),
            "beside": list(scored.near),
            "hop": scored.hop,
            "relevance": round(scored.relevance, 3),
            "left": scored.standing.score,
        }
    return made


def _old(item: Any, at: str) -> dict[str, Any]:
    return {
        "id": item.id,
        "text": clip(clean(item.text), OLD_CHARS),
        "from": at[:10] or None,
        "until": item.until or None,
    }


def of_hit(hit: Hit, asked: Question) -> dict[str, Any]:
    """Return what the raw sessions say: of a long passage what tells most of what is asked for."""
    whole = " ".join(compiled(COMMENT).sub(" ", hit.text).split())
    return {
        "path": hit.path,
        "line": hit.line,
        "text": clip(brief.telling(whole, asked.words, HIT_CHARS, kinds=asked.kinds), HIT_CHARS),
        "date": hit.date,
        "trust": hit.trust,
        "project": hit.project,
        "scope": hit.scope,
        "confidence": None if hit.confidence is None else round(hit.confidence, 2),
        "weak": hit.is_weak,
    }


def entity(meant: Meant) -> dict[str, Any]:
    return {"id": meant.id, "label": meant.label, "said": meant.said, "alike": meant.alike}


def related(found: Recalled) -> list[dict[str, Any]]:
    """Return the relations of whom the question names, and of those that are near."""
    rows, seen = [], set()
    for id_, hop in found.hops.items():
        for _, entry, link in found.gatherer.graph.of(id_) if hop < max(found.wish.depth, 1) else ():
            key = link.start, link.relation, link.to
            if key in seen:
                continue
            seen.add(key)
            path = found.gatherer.run.workspace.in_memory(entities.path(entry.id))
            rows.append(
                {
                    "from": link.start,
                    "relation": link.relation,
                    "to": link.to,
                    "hop": hop,
                    "path": path,
                    "line": link.line,
                }
            )
            if len(rows) >= MOST_RELATED:
                return rows
    return rows
