"""To which store a thing belongs, learned from labelled lines: data/router.jsonl, data/train_router.py.  [moltbot §8.2]

A linear model over the words of a line, what the weigher makes of it, and signs of its shape: steps, quotations, names,
days, who speaks of whom. The four blocks of core memory are places of their own.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Any

from koog.core import shipped
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import dates, kinds, weigher
from koog.core.text.features import COMMON, features
from koog.core.text.of_self import is_of_self
from koog.core.text.says import says
from koog.core.text.voices import TALK, USER
from koog.memory.names.mentions import PERSON, Mention
from koog.memory.store.memories import EPISODIC, PROCEDURAL, SEMANTIC, VAULT

WEIGHTS = Path(__file__).with_name("router.bin")
PLACES = ("identity", "context", "persona", "critical", EPISODIC, SEMANTIC, PROCEDURAL, VAULT)
BITS = 15
SLOTS = 1 << BITS
SHARES = (1.5, 1.0, 0.5)  # words, runs of letters, the weigher's signs
OWN = 1.0  # how much a sign of the router's own counts
QUOTED = r"[\"“„«「『][^\"“”„«»「」『』]{12,}[\"”“»」』]"
MANY = 3


class Rated(NamedTuple):
    """How likely each place is, 0 to 1 together; and the likeliest."""

    odds: dict[str, float]
    best: str

    @property
    def sure(self) -> float:
        return self.odds[self.best]


def rate(text: str, named: Sequence[Mention], *, today: date) -> Rated:
    """Return where a thing belongs. text: as it was given, with its line breaks; named: whom and what it names"""
    model = _model()
    slots = groups(text, named, today=today)
    width = len(PLACES)
    totals = [0.0] * width
    for found, share in slots:
        picked = b"".join([model.weights[slot * width : (slot + 1) * width] for slot in found])
        for at in range(width):
            totals[at] += share * (sum(picked[at::width]) - 128 * len(found))
    scores = {name: total * model.scale[name] + model.bias[name] for name, total in zip(PLACES, totals, strict=True)}
    most = max(scores.values())
    odds = {name: exp(score - most) for name, score in scores.items()}
    whole = sum(odds.values())
    odds = {name: value / whole for name, value in odds.items()}
    return Rated(odds, max(odds, key=odds.__getitem__))


def groups(text: str, named: Sequence[Mention], *, today: date) -> list[tuple[list[int], float]]:
    """Return the slots of a thing by their groups, and how much each slot of a group counts."""
    line = " ".join(text.split())
    base = features(line, register=TALK, role=USER)[:COMMON]
    found = [
        ([slot % SLOTS for slot in slots], share / (len(slots) or 1) ** 0.5)
        for slots, share in zip(base, SHARES, strict=True)
    ]
    own = [zlib.crc32(f"%{sign}".encode()) % SLOTS for sign in signs(text, named, today=today)]
    return [*found, (own, OWN / (len(own) or 1) ** 0.5)]


def signs(text: str, named: Sequence[Mention], *, today: date) -> list[str]:
    """Return what there is to see in a thing beside its words."""
    line = " ".join(text.split())
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    said = says(line)
    weighed = weigher.weigh(line, register=TALK, role=USER)
    people = sum(each.kind == PERSON for each in named)
    days = dates.found(line, today)
    marked = sum(bool(compiled(r"(?:[-*+•]|\d+[.)])\s").match(row)) for row in rows)
    numbers = len(compiled(r"(?:^|\s)\(?\d{1,2}[.)]\s").findall(line))
    quoted = sum(map(len, compiled(QUOTED).findall(line)))
    shown = [
        f"type {weighed.type}",
        f"cue {kinds.by_cue(line)}",
        f"must {int(weighed.must * 4)}",
        f"names {min(MANY, len(named))}",
        f"people {min(2, people)}",
        *(f"cue {cue}" for cue in said.cues),
        *(f"named {each.kind}" for each in named[:MANY]),
    ]
    flags = {
        "self": is_of_self(line),
        "first named": bool(named) and named[0].at < len(line) / 4,
        "standing": kinds.is_standing(line),
        "health": bool(compiled(kinds.OF_HEALTH, 2).search(line)),
        "past": any(day.day <= today for day in days),
        "coming": any(day.day > today for day in days),
        "denies": bool(said.denials),
        "rows": len(rows) > 1,
        "verse": len(rows) > MANY and not marked,
        "listed": marked > 1,
        "numbered": numbers > 1,
        "commas": line.count(",") + line.count("，") + line.count("、") > MANY,
        "semicolons": line.count(";") + line.count("；") > 1,
        "colon": bool(compiled(r"[:：](?!\d)").search(line)),
        "quote": bool(quoted),
        "quotation": quoted * 2 > len(line),
        "arrow": "→" in line or "->" in line,
    }
    shown += [name for name, is_so in flags.items() if is_so]
    who = "self" if flags["self"] else "named" if named else "nobody"
    return [
        *shown,
        f"{who} {weighed.type}",
        *(f"{who} {name}" for name in ("past", "coming", "standing", "denies") if flags[name]),
    ]


class Model(NamedTuple):
    weights: bytes
    scale: dict[str, float]
    bias: dict[str, float]


@lru_cache(maxsize=1)
def _model() -> Model:
    first, _, weights = shipped.data(WEIGHTS).partition(b"\n")
    head: dict[str, Any] = json.loads(first)
    return Model(weights, head["scale"], head["bias"])
