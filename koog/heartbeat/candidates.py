"""What was mined and found no place in the playbook: a second sighting makes it more than a first.  [sinain §8.2]

Without it a pattern noted once a month is new each time, and never gets past a season that takes strong
additions only.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from koog.core.text.trust import PATTERN, TAKEN, verdict
from koog.core.text.voices import NOTE
from koog.heartbeat import whose
from koog.heartbeat.findings import Finding
from koog.heartbeat.operations import one_line, says
from koog.heartbeat.sightings import is_of
from koog.playbook.item import Item
from koog.sessions.labels import Label

MOST = 100  # texts kept of each project, the newest


def read(curated: dict[str, Any], label: Label = whose.OWN) -> tuple[str, ...]:
    """Return what waits of one label, oldest first."""
    return read_all(curated).get(label, ())


def read_all(curated: dict[str, Any]) -> dict[Label, tuple[str, ...]]:
    """Return label → the waiting texts of cursors.json's `curate`, oldest first.

    The own project's are bare texts there; another one's are rows: {"text": …, "project": …, "scope": …}.
    """
    found: dict[Label, list[str]] = {}
    waiting = curated.get("waiting")
    for row in waiting if isinstance(waiting, list) else []:
        text = row.get("text") if isinstance(row, dict) else row
        if isinstance(text, str):
            found.setdefault(whose.of_row(row) if isinstance(row, dict) else whose.OWN, []).append(text)
    return {label: tuple(texts) for label, texts in found.items()}


def rows(waiting: Mapping[Label, Sequence[str]]) -> list[Any]:
    """Return waiting texts as cursors.json has them: of each label the newest."""
    kept_of = [(label, text) for label, texts in waiting.items() for text in texts[-MOST:]]
    return [text if label == whose.OWN else {"text": text, **whose.as_row(label)} for label, text in kept_of]


def after(
    waiting: Sequence[str],
    found: Sequence[Finding],
    standing: Sequence[Item],
    *,
    back: Sequence[str] = (),
    stood: Collection[str] = (),
) -> list[str]:
    """Return who waits after a curation: those without a place before and now, and the new ones that may have one.

    standing   the bullets of the curated playbook
    back       who has lost a place in it
    stood      what of its bullets stood before: with these nobody would wait who has waited before
    """
    may = (f for f in found if f.kind != "contradictions" and may_stand(f))
    new = [one_line(f.text) for f in may]
    texts = dict.fromkeys(text for text in [*waiting, *back, *new] if text)
    fresh = [each.text for each in standing if each.text not in stood]
    every, before = [each.text for each in standing], set(waiting)
    return [text for text in texts if not _stands(text, fresh if text in before else every)][-MOST:]


def _stands(text: str, lines: Sequence[str]) -> bool:
    """Return whether one of some lines says a text: most of who may lose a place has it still, word for word."""
    return text in lines or any(says(line, text) for line in lines)


def may_stand(found: Finding) -> bool:
    """Return whether what was found counts without a person's word."""
    return verdict(found.words, found.trust, register=NOTE, kind=PATTERN) == TAKEN


def again(text: str, waiting: Sequence[str]) -> bool:
    """Return whether one that waits is of the same: to be worth more it need not say all of it a second time."""
    return any(is_of(text, earlier) for earlier in waiting)
