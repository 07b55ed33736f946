"""What becomes of an engine's answer: grounded in what was said, told apart by who said it.  [design §4, §5]

Laws live here and not in the prompt: what no turn says is dropped; what a tool, a page or a quotation says is never the
user's rule; what tries to steer the agent waits for a person's word. What an agent states and the user agrees to is the
user's. In a group anybody writes in the user's place: nothing there is the user's rule either, and each line begins
with `Group: `, whoever reads it where.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.proposals import Proposal
from koog.core.refused import Refusal, refusal
from koog.core.text import trust
from koog.core.text.grounding import behind
from koog.core.text.secrets import tells_credential
from koog.core.text.untrusted import clean
from koog.core.text.voices import AGENT, OF_ROLE, PERSON, QUOTED, TALK, TOOL
from koog.observe import grounding, observations
from koog.observe.grounding import Ground
from koog.observe.observations import Observation
from koog.sessions import labels
from koog.sessions.labels import Label
from koog.sessions.turn import Turn

REWORDED = 0.25  # share of a model's words that may be others than a person's
SECONDHAND = 6  # the most importance of what a tool said, or somebody in a group
SPEAKER = r"^(?:User|Agent): "
SENDER = r"^[^\s:][^:\n]{0,60}: "  # in a group a text begins with who wrote it
IN_GROUP = "Group: "
TRUST = "trust"  # in a line's comment, when it is not the person's own


@dataclass
class Judged:
    """What one session says. label: where it was said; refused: what is in neither list; unread: no turn says it"""

    observations: list[Observation] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    label: Label = labels.NONE
    refused: list[Refusal] = field(default_factory=list)
    unread: int = 0

    def refuse(self, text: str, reason: str) -> None:
        self.refused.append(refusal(text, reason))

    def take(self, found: Judged) -> None:
        """Add what an answer about a part of the session says."""
        self.observations += found.observations
        self.proposals += found.proposals
        self.refused += found.refused
        self.unread += found.unread


def judged(
    rows: Sequence[dict[str, Any]],
    turns: Sequence[Turn],
    *,
    key: str,
    zone: tzinfo,
    quoted: bool,
    label: Label = labels.NONE,
    before: Sequence[Turn] = (),
) -> Judged:
    """Return what may be written of an answer.

    turns    those that were put to the engine, numbered from 1
    key      the session's key
    quoted   the engine quotes, and its turn numbers are right: the built-in one
    label    where it was said
    before   what was said right before them
    """
    judge = Judge(turns, key=key, zone=zone, quoted=quoted, label=label, before=before)
    done = Judged(label=label)
    for row in rows:
        done.take(judge.of(row))
    return done


class Judge:
    """Judges an answer's rows one by one; the arguments are those of `judged`."""

    def __init__(
        self,
        turns: Sequence[Turn],
        *,
        key: str,
        zone: tzinfo,
        quoted: bool,
        label: Label = labels.NONE,
        before: Sequence[Turn] = (),
    ) -> None:
        self.turns, self.key, self.zone, self.quoted, self.label = turns, key, zone, quoted, label
        self.read = grounding.Read(turns, before)

    def of(self, row: dict[str, Any]) -> Judged:
        """Return what becomes of a row: one observation, or one proposal, or why it is neither."""
        done, label = Judged(label=self.label), self.label
        text = observations.plain(clean(row["text"]))
        ground = _quoted(row, self.turns) if self.quoted else self.read.ground(text, row)
        if not text or ground is None:
            done.unread += 1
            done.refuse(text, "no turn says so" if text else "no text")
            return done
        if tells_credential(text):
            done.refuse(f"(turn {ground.turn})", "tells a credential")
            return done
        turn, who = self.turns[ground.turn - 1], QUOTED if label.is_group and ground.trust == PERSON else ground.trust
        if label.is_group:
            text = IN_GROUP + compiled(SPEAKER).sub("", text)
        elif who == PERSON and ground.rows and _is_more(text, ground.rows):
            who = AGENT
        found = _verdict(text, who, row["type"], ground)
        if found == trust.LEFT and who in trust.SECONDHAND and _orders(text):
            done.refuse(f"(turn {ground.turn})", "what a page or a group orders is no fact")
        elif found != trust.PERSON_FIRST:
            left = found == trust.LEFT
            seen = _observation(row, text, turn, who, key=self.key, zone=self.zone, label=label, left=left)
            done.observations.append(seen)
        elif not label.is_group:  # there, whoever is in it could fill the person's list
            done.proposals.append(Proposal(text, observations.source(self.key, turn.id)))
        else:
            done.refuse(f"(turn {ground.turn})", "orders in a group")
        return done


def _quoted(row: dict[str, Any], turns: Sequence[Turn]) -> Ground:
    role = turns[row["turn"] - 1].role
    return Ground(row["turn"], OF_ROLE.get(role, TOOL))


def _is_more(text: str, rows: Sequence[str]) -> bool:
    """Return whether a model says more than a person did: in one of his sentences, in all of them, it does not stand.

    Where it only takes other words, it is as much more as it steers or harms more.
    """
    whole = "\n".join(rows)
    if all(behind(text, each, PERSON, reworded=REWORDED) == AGENT for each in (whole, *rows)):
        return True
    return behind(text, whole, PERSON) == AGENT and _as_agents(text) > max(map(_as_agents, rows))


def _as_agents(text: str) -> int:
    return trust.STRICTER.index(trust.verdict(text, AGENT, register=TALK, kind="fact"))


def _verdict(text: str, who: str, kind: str, ground: Ground) -> str:
    """Return what becomes of a line: it is judged as it stands, as it reads alone, and by the lines it rests on."""
    readings = [*_readings(text), *ground.rows]
    return trust.strictest(*(trust.verdict(each, who, register=TALK, kind=kind) for each in readings))


def _orders(text: str) -> bool:
    return any(trust.orders(each) for each in _readings(text))


def _readings(text: str) -> list[str]:
    """Return a line as it stands and as it reads alone, without who said it."""
    said = compiled(SPEAKER).sub("", text.removeprefix(IN_GROUP))
    return [text, said, *([compiled(SENDER).sub("", said)] if text.startswith(IN_GROUP) else [])]


def _observation(
    row: dict[str, Any], text: str, turn: Turn, who: str, *, key: str, zone: tzinfo, label: Label, left: bool
) -> Observation:
    kind, importance = row["type"], row["importance"]
    if left or who in trust.SECONDHAND:
        settles = kind == "decision" and (who == TOOL or not label.is_group)  # a page settles nothing, people do
        kind = "fact" if left or settles else kind
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
        more=(*labels.values(label), *([(TRUST, who)] if who != PERSON else [])),
    )
