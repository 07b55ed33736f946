"""What a statement is for a knowledge file, learned from labelled lines: data/placing*.jsonl, data/train_placing.py.

    decision    what is settled now
    lesson      what was learned
    procedure   how something is done here, who has to be asked
    person      who somebody is, what is true of him
    event       what happened
    fact        what is true of anything else

A linear model over signs that stand for the same in six languages (core/text/cues.py), the weigher's type, the router's
odds, whom it names, the signs of the sentence before it, and its words. It says how sure it is; whoever asks decides
how sure he wants it.
[autopoiesis §8.3]
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from math import exp
from pathlib import Path

from koog.core import shipped
from koog.core.named import NamedTuple
from koog.core.text import cues, kinds, weigher
from koog.core.text.voices import TALK
from koog.memory import router
from koog.memory.names.mentions import PERSON, Mention

WEIGHTS = Path(__file__).with_name("rating.bin")
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
SIGN, BEFORE, WORDS = 0.5, 0.3, 2.0  # how much a sign, one of the sentence before, and what the words are count
LONG, SHORT = 110, 50  # characters
MANY = 3  # names that count


class Rated(NamedTuple):
    """How likely each of PLACES is, 0 to 1 together; and the likeliest."""

    odds: dict[str, float]
    best: str

    @property
    def lead(self) -> float:
        """Return by how much the likeliest is likelier than the next."""
        most, second, *_ = sorted(self.odds.values(), reverse=True)
        return most - second


def rate(text: str, role: str, named: Sequence[Mention], *, today: date, before: str = "") -> Rated:
    """Return what a statement is.

    role     who says it: user, assistant
    named    whom and what it names
    before   the sentence before it, of the same turn
    """
    model = _model()
    scores = dict(model.bias)
    for name, value in signs(text, role, named, today=today, before=before).items():
        for place in PLACES:
            scores[place] += value * model.signs[place].get(name, 0.0)
    for slot, share in words(text, named, today=today).items():
        row = model.weights[slot * len(PLACES) : (slot + 1) * len(PLACES)]
        for place, weight in zip(PLACES, row, strict=True):
            scores[place] += share * (weight - 128) * model.scale[place]
    most = max(scores.values())
    odds = {place: exp(score - most) for place, score in scores.items()}
    whole = sum(odds.values())
    odds = {place: value / whole for place, value in odds.items()}
    return Rated(odds, max(odds, key=odds.__getitem__))


def signs(text: str, role: str, named: Sequence[Mention], *, today: date, before: str = "") -> dict[str, float]:
    """Return the signs of a statement and of the sentence before it, each with how much it counts."""
    found = {name: SIGN * value for name, value in features(text, role, named, today=today).items()}
    return found | {f"before {name}": BEFORE for name, pattern in cues.SIGNS.items() if cues.has(pattern, before)}


def words(text: str, named: Sequence[Mention], *, today: date) -> dict[int, float]:
    """Return the slots of a statement's words, each with how much it counts."""
    found: dict[int, float] = {}
    for slots, share in router.groups(text, named, today=today):
        for slot in slots:
            found[slot] = found.get(slot, 0.0) + WORDS * share
    return found


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


class Model(NamedTuple):
    """Weights: of the signs by their names, of the words by their slots (128 stands for 0)."""

    bias: dict[str, float]
    signs: dict[str, dict[str, float]]
    scale: dict[str, float]
    weights: bytes


@lru_cache(maxsize=1)
def _model() -> Model:
    head, _, rest = shipped.data(WEIGHTS).partition(b"\n")
    told = json.loads(head)
    return Model(told["bias"], told["signs"], told["scale"], zlib.decompress(rest))
