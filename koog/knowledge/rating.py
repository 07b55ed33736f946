"""What a statement is for a knowledge file, learned from labelled lines: data/placing.jsonl, data/train_placing.py.

    decision    what is settled now
    lesson      what was learned
    procedure   how something is done here, who has to be asked
    person      who somebody is, what is true of him
    event       what happened
    fact        what is true of anything else

A linear model over signs that stand for the same in six languages (core/text/cues.py), the weigher's type, the router's
odds and whom it names: no word of any subject. It says how sure it is; whoever asks decides how sure he wants it.
[autopoiesis §8.3]
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Any, NamedTuple

from koog.core import shipped
from koog.core.text import cues, kinds, weigher
from koog.core.text.statement import TALK
from koog.memory import router
from koog.memory.names.mentions import PERSON, Mention

WEIGHTS = Path(__file__).with_name("rating.json")
PLACES = ("decision", "lesson", "procedure", "person", "event", "fact")
ROUTED = ("episodic", "semantic", "procedural", "persona", "critical", "context")  # places of the router that tell
FIRST_CHARS = 12  # what stands so near the beginning
AT_FIRST = ("settle", "learn", "past", "must", "role")  # signs that count more there
TOGETHER = (
    ("past", "when_past"),
    ("must", "every"),
    ("role", "main person"),
    ("state", "until"),
    ("settle", "we"),
    ("he", "life"),
    ("neg", "every"),
    ("self", "past"),
    ("past", "num"),
)
LONG, SHORT = 110, 50  # characters
MANY = 3  # names that count


class Rated(NamedTuple):
    """How likely each of PLACES is, 0 to 1 together; and the likeliest."""

    odds: dict[str, float]
    best: str

    @property
    def sure(self) -> float:
        return self.odds[self.best]


def rate(text: str, role: str, named: Sequence[Mention], *, today: date) -> Rated:
    """Return what a statement is. named: whom and what it names; role: who says it, user or assistant"""
    found, model = features(text, role, named, today=today), _model()
    scores = {
        place: model["bias"][place]
        + sum(value * model["weights"][place].get(name, 0.0) for name, value in found.items())
        for place in PLACES
    }
    most = max(scores.values())
    odds = {place: exp(score - most) for place, score in scores.items()}
    whole = sum(odds.values())
    odds = {place: value / whole for place, value in odds.items()}
    return Rated(odds, max(odds, key=odds.__getitem__))


def features(text: str, role: str, named: Sequence[Mention], *, today: date) -> dict[str, float]:
    """Return the signs of a statement, each with how much there is of it."""
    line = " ".join(text.split())
    found: dict[str, float] = {}
    for name, pattern in cues.SIGNS.items():
        at = cues.place(pattern, line)
        if at is not None:
            found[name] = 1.0
            if name in AT_FIRST and at < FIRST_CHARS:
                found[f"{name}^"] = 1.0
    weighed = weigher.weigh(line, register=TALK, role=role)
    found |= {f"type {weighed.type}": 1.0, f"cue {kinds.by_cue(line)}": 1.0, f"role {role}": 1.0}
    routed = router.rate(line, named, today=today)
    found |= {f"router {name}": routed.odds[name] for name in ROUTED}
    found |= {f"named {each.kind}": 1.0 for each in named[:MANY]}
    main = max(named, key=lambda each: each.main, default=None)
    if main and main.kind == PERSON:
        found["main person"] = main.main
    if named and named[0].at < MANY:
        found[f"first {named[0].kind}"] = 1.0
    found |= {"long": 1.0} if len(line) > LONG else {"short": 1.0} if len(line) < SHORT else {}
    found |= {f"{a}&{b}": 1.0 for a, b in TOGETHER if a in found and b in found}
    return found


@lru_cache(maxsize=1)
def _model() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shipped.text(WEIGHTS))
    return found
