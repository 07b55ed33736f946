"""What becomes of an engine's answer: grounded in a turn, told apart by who said it.  [design §4, §5]

Laws live here and not in the prompt: what no turn says is dropped; what a tool or a page
says is never the user's rule; what tries to steer the agent waits for a person's word.
In a group anybody writes in the user's place: nothing there is the user's rule either,
and each line begins with `Group: `, whoever reads it where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import tzinfo
from typing import Any, NamedTuple

from koog.core.lazy_regex import compiled
from koog.core.proposals import Proposal
from koog.core.text.directives import INJECTION, is_directive
from koog.core.text.measures import content_words, stems
from koog.core.text.untrusted import clean
from koog.observe import observations
from koog.observe.observations import Observation
from koog.observe.observe_noise import CREDENTIAL
from koog.sessions import labels
from koog.sessions.labels import Label
from koog.sessions.turn import Turn

GROUNDED = 0.4  # share of an observation's words that its turn must hold: a model may word it shorter
PERSONS_OWN = frozenset(("rule", "preference", "habit", "goal"))  # types that only a user's words can be
SECONDHAND = 6  # the most importance of what a tool said, or somebody in a group
# How a model reports: these words need not be in the turn.
FRAME = frozenset(
    stems("user agent assistant decided decides prefers wants said says asked plans likes uses needs noted")
)
SPEAKER = r"^(?:User|Agent): "
SENDER = r"^[^\s:][^:\n]{0,60}: "  # in a group a text begins with who wrote it
IN_GROUP = "Group: "


class Judged(NamedTuple):
    """What one session says. label: where it was said"""

    observations: list[Observation]
    proposals: list[Proposal]
    label: Label = labels.NONE


def judged(
    rows: Sequence[dict[str, Any]],
    turns: Sequence[Turn],
    *,
    key: str,
    zone: tzinfo,
    quoted: bool,
    label: Label = labels.NONE,
) -> Judged:
    """Return what may be written of an answer.

    turns    those that were put to the engine, numbered from 1
    key      the session's key
    quoted   the engine quotes, and its turn numbers are right: the built-in one
    label    where it was said
    """
    done = Judged([], [], label)
    for row in rows:
        text = observations.plain(clean(row["text"]))
        n = row["turn"] if quoted else _place(text, turns, row["turn"])
        if not text or n is None or compiled(CREDENTIAL, re.IGNORECASE).search(text):
            continue
        n = n if turns[n - 1].role == "user" or row["type"] not in PERSONS_OWN else _said_by_user(text, turns) or n
        turn = turns[n - 1]
        is_order = _steers(text, turn, in_group=label.is_group)
        if label.is_group:
            text = IN_GROUP + compiled(SPEAKER).sub("", text)
        if is_order and label.is_group:
            continue  # whoever is in there could fill the person's list
        if is_order:
            done.proposals.append(Proposal(text, observations.source(key, turn.id)))
        else:
            done.observations.append(_observation(row, text, turn, key=key, zone=zone, label=label))
    return done


def _observation(row: dict[str, Any], text: str, turn: Turn, *, key: str, zone: tzinfo, label: Label) -> Observation:
    kind, importance = row["type"], row["importance"]
    if (turn.role != "user" or label.is_group) and kind in PERSONS_OWN:
        kind, importance = "fact", min(importance, SECONDHAND)
    if turn.role == "tool":
        kind, importance = "fact" if kind == "decision" else kind, min(importance, SECONDHAND)
    if label.is_group:
        importance = min(importance, SECONDHAND)
    at = turn.at.astimezone(zone)
    return Observation(
        day=at.date().isoformat(),
        time=f"{at:%H:%M}",
        text=text,
        type=kind,
        importance=importance,
        confidence=round(row["confidence"], 2),
        source=observations.source(key, turn.id),
        more=labels.values(label),
    )


def _steers(text: str, turn: Turn, *, in_group: bool) -> bool:
    """Return whether a text is an order that is not the user's own.

    A user may order what he likes; only what is made to override the agent's orders he
    cannot have meant, and has pasted from somewhere. In a group nobody is the user.
    """
    if turn.role == "user" and not in_group:
        return compiled(INJECTION).search(text.lower()) is not None
    said = compiled(SPEAKER).sub("", text)
    if is_directive(said) or (in_group and is_directive(compiled(SENDER).sub("", said))):
        return True
    words = content_words(text)
    return turn.role == "tool" and any(
        is_directive(row) for row in turn.text.split("\n") if 2 * len(words & content_words(row)) >= len(words)
    )


def _place(text: str, turns: Sequence[Turn], cited: int) -> int | None:
    """Return the number of the turn that a model's observation rests on, None when it rests on none.

    The cited one if it holds enough of the words, and no tool holds more: what a page says is not laid into the
    user's mouth. Else the turn that holds most.
    """
    words = content_words(text) - FRAME
    needed = max(1.0, GROUNDED * len(words))
    held = [len(words & content_words(turn.text)) for turn in turns]
    by_tools = max((h for h, turn in zip(held, turns, strict=True) if turn.role == "tool"), default=0)
    if 1 <= cited <= len(turns) and held[cited - 1] >= max(needed, by_tools):
        return cited
    best = max(range(len(turns)), key=held.__getitem__)
    return best + 1 if held[best] >= needed else None


def _said_by_user(text: str, turns: Sequence[Turn]) -> int | None:
    """Return the number of a user's turn that says it too, None when no user does: an agent often only confirms."""
    words = content_words(text) - FRAME
    needed = max(1.0, GROUNDED * len(words))
    by_tools = max((len(words & content_words(t.text)) for t in turns if t.role == "tool"), default=0)
    held = [(len(words & content_words(t.text)), n) for n, t in enumerate(turns, 1) if t.role == "user"]
    most, n = max(held, default=(0, 0))
    return n if most >= max(needed, by_tools) else None
