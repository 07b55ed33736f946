"""What a curated text must keep, whoever curated it.  [sinain §4.6, design §5]

1. Error-prevention patterns are not removed.
2. High-scoring approaches are preserved.
3. Then evolve, within a loss cap, the line limit and the directive.

The laws are applied to the two texts, not to the operations: a rewrite into
something else is a removal by another name.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import date

from koog.core.refused import Refusal
from koog.core.text.compare import JOINS, compare
from koog.heartbeat import standing
from koog.heartbeat.operations import insert, section_of
from koog.playbook import document, item, origin
from koog.playbook.item import Item

# How much of a playbook one curation may drop: at least two lines, else this share of the bullets.
LOSS_CAP = {"aggressive_prune": 0.4, "normal": 0.2, "stability": 0.1, "insufficient_data": 0.1}
LEAST_LOSS = 2
STABLE_SCORE = 0.5
UNSCORED = 0.4  # where a bullet without a score ranks


@dataclass
class Enforced:
    body: list[str]
    refused: list[Refusal]


def enforce(
    before: Sequence[str],
    after: Sequence[str],
    *,
    directive: str,
    max_lines: int | None,
    max_deferred: int,
    today: date | None = None,
) -> Enforced:
    """Return the curated body as the laws allow it. max_lines: None where the limit is for somebody else to keep"""
    done = Enforced(list(after), [])
    _restore(before, done, directive, today)
    if directive == "stability":
        _only_strong_additions(before, done)
    _drop_deferred(before, done, max_deferred)
    return done if max_lines is None else limited(before, done, max_lines, today)


def strength(found: Item, today: date | None = None) -> tuple[bool, float, str]:
    """Return how much a bullet weighs when something must go: protected, then worth, then how recent its source is."""
    score = UNSCORED if found.score is None else standing.worth(found, today=today)
    return (
        standing.protected(found) and not found.deferred,
        -1.0 if found.deferred else score,
        found.since or origin.day(found.source),
    )


def items(body: Sequence[str]) -> list[Item]:
    """Return the bullets of a body."""
    return [found for found in map(item.parse, body) if found]


def _restore(before: Sequence[str], done: Enforced, directive: str, today: date | None) -> None:
    """Put back what the first two laws protect, and the strongest of what exceeds the loss cap."""
    old, present = items(before), items(done.body)
    lost = [i for i in old if not _stands(i, present)]
    protected = [i for i in lost if standing.protected(i) and not i.deferred]
    others = sorted((i for i in lost if i not in protected), key=lambda i: strength(i, today))
    cap = max(LEAST_LOSS, int(len(old) * LOSS_CAP[directive]))
    for found in [*protected, *others[cap:]]:
        line = found.render() if found.render() in before else _original(before, found)
        if (at := _stand_in(found, done.body, {i.text for i in old})) is not None:
            done.body[at] = line
        else:
            insert(done.body, line, section_of(list(before), list(before).index(line)) or "Patterns")
        why = "protected by the laws" if found in protected else f"over the loss cap of {cap}"
        done.refused.append({"text": found.text, "reason": f"remove: {why}"})


def _stands(before: Item, after: Sequence[Item]) -> bool:
    """Return whether a bullet is still said: in its own words, or in another bullet that says it or more."""
    if any(before.text == i.text for i in after):
        return True
    found = (compare(before.text, i.text) for i in after)
    return any(each.kind in JOINS and not each.older_says_more for each in found)


def _stand_in(lost: Item, body: Sequence[str], old: Set[str]) -> int | None:
    """Return where a new line took a lost one's place by saying a part of it; None when there is none."""
    rows = [(n, i) for n, line in enumerate(body) if (i := item.parse(line)) and i.text not in old]
    return next((n for n, i in rows if _stands(i, [lost])), None)


def _original(before: Sequence[str], found: Item) -> str:
    return next(line for line in before if item.parse(line) == found)


def _only_strong_additions(before: Sequence[str], done: Enforced) -> None:
    old = items(before)
    for line in list(done.body):
        found = item.parse(line)
        if found and not _stands(found, old) and (found.score or 0.0) <= STABLE_SCORE:
            done.body.remove(line)
            done.refused.append({"text": found.text, "reason": "add: stability takes scores above 0.5 only"})


def _drop_deferred(before: Sequence[str], done: Enforced, limit: int) -> None:
    """Keep the newest deferred items; the oldest go when one too many comes in.

    One that this curation has deferred, and that was protected until then, is what it was instead.
    """
    guarded = {i.text: line for line in before if (i := item.parse(line)) and standing.protected(i) and not i.deferred}
    deferred = [(found, line) for line in done.body if (found := item.parse(line)) and found.deferred]
    deferred.sort(key=lambda row: (row[0].deferred, row[1]))
    present = {i.text for i in items(done.body) if not i.deferred}
    for found, line in deferred[: max(0, len(deferred) - limit)]:
        at = done.body.index(line)
        is_back = found.text in guarded and found.text not in present
        done.body[at : at + 1] = [guarded[found.text]] if is_back else []
        present.add(found.text)


def limited(before: Sequence[str], done: Enforced, limit: int, today: date | None) -> Enforced:
    """Drop the weakest, whosever they are, until the body fits; protected lines only when they are new.

    So koog never makes a playbook too long. One that a person filled with
    protected lines stays theirs.
    """
    _drop_empty_sections(before, done, limit)
    old = items(before)
    # A curation that takes the score must not take the line, too.
    guarded = {(i.text, i.label) for i in old if strength(i)[0]}
    while document.content_lines(tuple(done.body)) > limit:
        rows = [(found, line) for line in done.body if (found := item.parse(line))]
        free = [r for r in rows if not strength(r[0])[0] and (r[0].text, r[0].label) not in guarded]
        loose = free or [r for r in rows if not _stands(r[0], [i for i in old if i.label == r[0].label])]
        if not loose:
            break
        found, line = min(loose, key=lambda r: strength(r[0], today))
        done.body.remove(line)
        done.refused.append({"text": found.text, "reason": f"the weakest over {limit} lines"})
    return done


def _drop_empty_sections(before: Sequence[str], done: Enforced, limit: int) -> None:
    """Remove headings that the curation emptied, when lines are short."""
    if document.content_lines(tuple(done.body)) <= limit:
        return
    body = done.body
    for i in range(len(body) - 1, -1, -1):
        after = next((line for line in body[i + 1 :] if line.strip()), "## ")
        if body[i].startswith("## ") and after.startswith("## ") and body[i] in before:
            del body[i]
