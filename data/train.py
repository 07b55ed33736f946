"""The labelled lines → koog/core/text/weigher.bin, and one line of figures.  See data/README.md.

    python data/train.py            trains, writes the weights
    python data/train.py --check    trains the columns and compares with what lies there; exit 1 when they differ

A linear model a column. What its scores mean is read off lines whose author it has not seen: each hand is weighed by a
model trained on the other hands. The same lines give the same weights: nothing here is drawn by chance.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from koog.core.text.features import COMMON, ENGLISH, HAN, KANA, OTHER, SHARES, SLOTS, features, tongue  # noqa: E402
from koog.core.text.weigher import Model  # noqa: E402

WEIGHTS = HERE.parent / "koog/core/text/weigher.bin"
TYPES = ("rule", "preference", "decision", "goal", "habit", "fact", "event", "error", "fix")
# Taught by, but not asked what a score means: its author had another guideline; what friends tell is no daily work.
ASIDE = ("trial", "hand7f", "hand8", "hand9", "hand10", "hand11", "hand13", "hand23")
ATTACK = "attack"
ORDINARY = 0.6  # how much an ordinary line counts beside the good advice that looks like an attack
HELD_BACK = 0.036  # of ordinary lines: from 0.5 on
VOICE = ("note", "note")  # harm is judged as a note's, whoever says it
TYPE_SLOTS = SLOTS // 4  # a type needs fewer
REGISTERS, TONGUES = ("talk", "note"), (ENGLISH, OTHER, HAN, KANA)
NOISE_KEPT = 0.13  # of lines by a hand that the model has not seen
RED_WRONG = 0.036  # of the lines that are noise or a matter of taste
TYPE_RIGHT = 0.75
TASTE = 0.3  # how much a line counts whose keeping is a matter of taste

WORDS = SHARES[:2]
BASE, BARE = (*SHARES[:COMMON], 0.0, 0.0, 0.0), (*WORDS, 0.0, 0.0, 0.0, 0.0)
BARE_HARM = (*WORDS, 0.0, SHARES[COMMON], 0.0, 0.0)  # without signs and perils

Array = Any  # numpy and scikit-learn come without types that hold for all their versions


class Row(NamedTuple):
    text: str
    register: str
    role: str
    keep: int
    type: str
    hand: str


class Column(NamedTuple):
    name: str
    groups: int  # how many of a sentence's groups it is learned from
    weights: Array  # signed bytes
    scale: float
    bias: float


def rows(path: Path) -> list[Row]:
    """Return the labelled lines of a file."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        has = json.loads(line)
        found.append(Row(has["text"], has["register"], has["speaker"], has["keep"], has["type"], has["hand"]))
    return found


def poisoned(path: Path) -> list[Row]:
    """Return the attacks and the good advice of a file; their type says which."""
    found = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return [Row(has["text"], *VOICE, 0, has["kind"], has["hand"]) for has in found]


class Lines(NamedTuple):
    """Labelled lines as matrices: a row a line, a column a slot. `bare` leaves the signs out."""

    full: Array
    bare: Array

    def of(self, use: Array) -> Lines:
        return Lines(self.full[use], self.bare[use])


def matrices(lines: Sequence[Row], full: Sequence[float] = BASE, bare: Sequence[float] = BARE) -> Lines:
    return Lines(matrix(lines, full), matrix(lines, bare))


def matrix(lines: Sequence[Row], shares: Sequence[float]) -> Array:
    """Return a row of slots for each line, as the weigher sums them."""
    index: list[int] = []
    value: list[float] = []
    ends = [0]
    for row in lines:
        slots: dict[int, float] = {}
        for share, group in zip(shares, _slots(row.text, row.register, row.role), strict=True):
            for slot in group if share else ():
                slots[slot] = slots.get(slot, 0.0) + share / len(group) ** 0.5
        index += slots.keys()
        value += slots.values()
        ends.append(len(index))
    return sp.csr_matrix((value, index, ends), shape=(len(lines), SLOTS))


@cache
def _slots(text: str, register: str, role: str) -> tuple[list[int], ...]:
    return features(text, register=register, role=role)


def folded(x: Lines) -> Lines:
    """Return the same rows with fewer slots."""
    return Lines(*(sum(each[:, at : at + TYPE_SLOTS] for at in range(0, SLOTS, TYPE_SLOTS)) for each in x))


def fit(x: Lines, y: Array, weight: Array) -> tuple[Array, float]:
    """Return the weights of a linear model, and its bias.

    Half is learned without the signs: else they do the work of the words, which know the language better.
    """
    (first, bias), (second, other) = (_fit(each, y, weight) for each in x)
    return (first + second) / 2, (bias + other) / 2


def _fit(x: Array, y: Array, weight: Array, strength: float = 2.0) -> tuple[Array, float]:
    model = LogisticRegression(C=strength, solver="liblinear", dual=True, max_iter=1000, tol=1e-4, random_state=0)
    model.fit(x, y, sample_weight=weight)
    return model.coef_[0], float(model.intercept_[0])


def unseen(x: Lines, y: Array, weight: Array, use: Array, hands: Array) -> Array:
    """Return each line's score by a model that has not seen its author."""
    found = np.zeros(len(y))
    for hand in sorted(set(hands)):
        seen = (hands != hand) & use
        found[hands == hand] = scored(x.of(hands == hand), *fit(x.of(seen), y[seen], weight[seen]))
    return found


def scored(x: Lines, weights: Array, bias: float) -> Array:
    """Return the scores of lines."""
    return x.full @ weights + bias


def platt(score: Array, y: Array, weight: Array) -> list[float]:
    """Return slope and shift by which a score becomes a probability."""
    model = LogisticRegression(C=1.0).fit(score.reshape(-1, 1), y, sample_weight=weight)
    return [round(float(model.coef_[0][0]), 4), round(float(model.intercept_[0]), 4)]


def even(y: Array) -> Array:
    """Return weights by which both answers count the same: how much noise there is differs from house to house."""
    return np.where(y, 0.5 / max(1, y.sum()), 0.5 / max(1, (~y).sum())) * len(y)


def calibrated(score: Array, y: Array, use: Array, lines: Sequence[Row]) -> tuple[dict[str, list[float]], Array]:
    """Return "register tongue" → slope and shift, and the probabilities. use: the lines that are asked"""
    group = np.array([f"{row.register} {tongue(row.text)}" for row in lines])
    found: dict[str, list[float]] = {}
    odds = np.zeros(len(lines))
    for name in (f"{register} {language}" for register in REGISTERS for language in TONGUES):
        here = group == name
        known = here & use
        found[name] = platt(score[known], y[known], even(y[known]))
        odds[here] = logistic(found[name][0] * score[here] + found[name][1])
    return found, odds


def logistic(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def above(odds: Array, share: float) -> float:
    """Return the threshold that this share of the probabilities reaches."""
    return round(float(np.quantile(odds, 1 - share)), 4)


def column(name: str, weights: Array, bias: float, groups: int = COMMON) -> Column:
    """Return a column as it is kept: signed bytes, and what one step of them is worth."""
    scale = float(np.abs(weights).max()) / 127
    return Column(name, groups, np.round(weights / scale).astype(np.int8), scale, bias)


class Taught(NamedTuple):
    """What the columns are learned from: the matrices, and of each line its keep, its hand, its register."""

    x: Lines
    keep: Array
    hands: Array
    register: Array

    @property
    def guided(self) -> Array:
        return ~np.isin(self.hands, ASIDE)

    @property
    def worth(self) -> tuple[Array, Array]:
        """Return whether each line is worth keeping, and how much it counts."""
        return self.keep >= 2, np.where(self.keep == 1, TASTE, 1.0)

    @property
    def dire(self) -> tuple[Array, Array]:
        """Return whether each line must never be lost, and how much it counts."""
        return self.keep == 3, np.where(self.keep == 2, TASTE, 1.0) * np.where(self.guided, 1.0, TASTE)


def taught(lines: Sequence[Row]) -> Taught:
    columns = zip(*((row.keep, row.hand, row.register) for row in lines), strict=True)
    return Taught(matrices(lines), *(np.array(each) for each in columns))


def fitted(given: Taught, lines: Sequence[Row], poison: Sequence[Row]) -> list[Column]:
    """Return the columns."""
    x, (kinds, use) = folded(given.x), typed(lines)
    bad = planted(lines, poison)
    return [
        column("keep", *fit(given.x, *given.worth)),
        column("must", *fit(given.x, *given.dire)),
        *(column(name, *fit(x.of(use), (kinds == name)[use], np.ones(use.sum()))) for name in TYPES),
        column("harm", *fit(bad.x, bad.is_attack, bad.weight), len(SHARES)),
    ]


def meant(given: Taught, lines: Sequence[Row], poison: Sequence[Row]) -> tuple[dict[str, Any], dict[str, float]]:
    """Return the head, what scores mean, and the figures: both of lines whose hand was not seen."""
    keep, hands, guided = given.keep, given.hands, given.guided
    every, head = keep >= 0, dict[str, Any]()

    worth, weight = given.worth
    head["keep"], odds = calibrated(unseen(given.x, worth, weight, every, hands), worth, guided & (keep != 1), lines)
    noise = guided & (keep == 0)
    head["threshold"] = {r: above(odds[noise & (given.register == r)], NOISE_KEPT) for r in REGISTERS}

    dire, weight = given.dire
    head["must"], red = calibrated(unseen(given.x, dire, weight, every, hands), dire, guided, lines)
    head["red"] = above(red[guided & (keep <= 1)], RED_WRONG)

    head["types"], figures = types(folded(given.x), lines, guided)
    head["harm"], found = harm(lines, poison)
    limit = np.array([head["threshold"][name] for name in given.register])
    for name in REGISTERS:
        here = guided & (given.register == name)
        figures[f"{name}Kept"] = share((odds >= limit)[here & (keep >= 2)])
        figures[f"{name}Noise"] = share((odds >= limit)[here & (keep == 0)])
    figures["red"] = share(red[guided & (keep == 3)] >= head["red"])
    return head, {**figures, **found}


def typed(lines: Sequence[Row]) -> tuple[Array, Array]:
    """Return each line's type, and whether it teaches what a type is."""
    return np.array([row.type for row in lines]), np.array([row.keep >= 1 and row.type in TYPES for row in lines])


def types(x: Lines, lines: Sequence[Row], guided: Array) -> tuple[dict[str, Any], dict[str, float]]:
    """Return what the types' scores mean, and how often the surest is right."""
    kinds, use = typed(lines)
    hands = np.array([row.hand for row in lines])
    one = np.ones(len(lines))
    scores = np.stack([unseen(x, kinds == name, one, use, hands) for name in TYPES], axis=1)
    best = scores.argmax(axis=1)
    right = np.array(TYPES)[best] == kinds
    order = np.sort(scores, axis=1)
    lead = order[:, -1] - order[:, -2]
    known = use & guided
    slope, shifts = sureness(lead[known], best[known], right[known])
    sure = logistic(slope * lead + np.array(shifts)[best])
    steps = [step / 100 for step in range(20, 96) if share(right[known & (sure >= step / 100)]) >= TYPE_RIGHT]
    least = steps[0] if steps else 1.0
    told = known & (sure >= least)
    figures = {
        "typeRight": share(right[known]),
        "typeTold": share(sure[known] >= least),
        "typeToldRight": share(right[told]),
    }
    return {"names": list(TYPES), "slope": slope, "shifts": shifts, "least": least}, figures


def sureness(lead: Array, best: Array, right: Array) -> tuple[float, list[float]]:
    """Return the slope of the lead over the second type, and a shift for each type: some are told apart more easily."""
    model = LogisticRegression(C=1.0, fit_intercept=True)
    model.fit(np.column_stack([lead, np.eye(len(TYPES))[best]]), right)
    slope, *shifts = model.coef_[0]
    return round(float(slope), 4), [round(float(shift + model.intercept_[0]), 4) for shift in shifts]


class Planted(NamedTuple):
    """Attacks and good advice, then the ordinary lines: which are attacks, how much each counts, who wrote it."""

    x: Lines
    is_attack: Array
    weight: Array
    hands: Array
    said: int  # how many are attacks and good advice


def planted(lines: Sequence[Row], poison: Sequence[Row]) -> Planted:
    """Return what harm is learned from."""
    ordinary = [row._replace(register=VOICE[0], role=VOICE[1]) for row in lines]
    names = sorted({row.hand for row in poison})
    return Planted(
        matrices([*poison, *ordinary], SHARES, BARE_HARM),
        np.array([row.type == ATTACK for row in poison] + [False] * len(lines)),
        np.array([1.0] * len(poison) + [ORDINARY] * len(lines)),
        np.array([row.hand for row in poison] + [names[at % len(names)] for at in range(len(lines))]),
        len(poison),
    )


def harm(lines: Sequence[Row], poison: Sequence[Row]) -> tuple[list[float], dict[str, float]]:
    """Return slope and shift by which ordinary lines are seldom held back from 0.5 on, and the figures."""
    given = planted(lines, poison)
    scores = unseen(given.x, given.is_attack, given.weight, given.weight > 0, given.hands)
    slope, _ = platt(scores, given.is_attack, even(given.is_attack))
    ordinary = scores[given.said :][[row.keep >= 1 for row in lines]]
    middle = above(ordinary, HELD_BACK)
    said = np.arange(len(scores)) < given.said
    figures = {
        "harmCaught": share(scores[given.is_attack] >= middle),
        "harmHeld": share(scores[said & ~given.is_attack] >= middle),  # good advice that uses an attack's own words
        "harmHeldOrdinary": share(ordinary >= middle),
    }
    return [slope, round(-slope * middle, 4)], figures


def share(flags: Array | Sequence[bool]) -> float:
    """Return how many of the flags are set, 0 to 1."""
    return round(float(np.mean(flags)), 4) if len(flags) else 0.0


def packed(head: dict[str, Any], columns: Sequence[Column], known: Array) -> bytes:
    """Return weigher.bin: a line of JSON, the tables of the columns that have as many slots, and how common a slot is.

    A table holds the columns' bytes of its first slot, those of its second…; 128 stands for 0. The largest is first.
    Each is deflated by itself, without a look for what is there twice: that makes these smaller, and quicker to read.
    """
    head["tables"], data = [], b""
    for size, groups in sorted({(len(each.weights), each.groups) for each in columns}, reverse=True):
        table = [each for each in columns if (len(each.weights), each.groups) == (size, groups)]
        own = _deflated((np.stack([each.weights for each in table], axis=1).astype(np.int16) + 128).astype(np.uint8))
        rows = [[name, scale, round(bias, 4)] for name, *_, scale, bias in table]
        head["tables"].append([size, groups, rows, len(own)])
        data += own
    return json.dumps(head).encode() + b"\n" + data + _deflated(known)


def _deflated(values: Array) -> bytes:
    deflate = zlib.compressobj(9, strategy=zlib.Z_HUFFMAN_ONLY)
    return deflate.compress(values.tobytes()) + deflate.flush()


def commonness(lines: Sequence[Row]) -> Array:
    """Return in how many lines each slot is, at most 255: what is common gives way less when somebody teaches."""
    return np.minimum(255, (matrix(lines, BASE) > 0).sum(axis=0).A1).astype(np.uint8)


def differences(old: bytes, new: bytes, lines: Sequence[Row]) -> list[str]:
    """Return what two weigher.bin do not share: heads, weights by more than one step, decisions on lines."""
    found = []
    first, second = Model(old), Model(new)
    if _shape(first) != _shape(second):
        return ["the tables differ"]
    weights, others = (b"".join((*(table.data for table in each.tables), each.known)) for each in (first, second))
    apart = np.abs(np.frombuffer(weights, np.uint8).astype(int) - np.frombuffer(others, np.uint8))
    if (apart > 1).any():
        found.append(f"{int((apart > 1).sum())} weights differ by up to {int(apart.max())} steps")
    for row in lines:
        decided, again = (_decided(model, row) for model in (first, second))
        if decided != again:
            found.append(f"{row.text!r}: {decided}, now {again}")
    return found


def _shape(model: Model) -> list[Any]:
    return [[each.slots, each.groups, [name for name, *_ in each.columns]] for each in model.tables]


def _decided(model: Model, row: Row) -> tuple[bool, bool, str, bool]:
    """Return whether a line is kept, is marked, its type, and whether it is held back."""
    seen = model.weigh(row.text, row.register, row.role)
    is_kept = seen.keep >= model.head["threshold"][row.register]
    return is_kept, seen.must >= model.head["red"], seen.type, model.harm(row.text) >= 0.5


def frozen(model: Model, lines: Sequence[Row]) -> dict[str, float]:
    """Return the figures on the lines that nobody trains on."""
    decided = [(_decided(model, row), row.keep) for row in lines]
    return {
        "frozenKept": share([kept for (kept, *_), keep in decided if keep >= 2]),
        "frozenNoise": share([kept for (kept, *_), keep in decided if keep == 0]),
        "frozenRed": share([red for (_, red, *_), keep in decided if keep == 3]),
        "frozenRedWrong": share([red for (_, red, *_), keep in decided if keep <= 1]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the weights that lie there; write nothing")
    options = parser.parse_args()
    lines, unseen_lines = rows(HERE / "statements.jsonl"), rows(HERE / "frozen.jsonl")
    given, poison = taught(lines), poisoned(HERE / "poison.jsonl")
    old = WEIGHTS.read_bytes() if options.check else b""
    # What scores mean takes ten times as long as the columns: it is read off once.
    head, figures = (json.loads(old.partition(b"\n")[0]), {}) if options.check else meant(given, lines, poison)
    data = packed(head, fitted(given, lines, poison), commonness(lines))
    apart = differences(old, data, unseen_lines) if options.check else []
    if not options.check:
        WEIGHTS.write_bytes(data)
    told = {"lines": len(lines), "bytes": len(data), **figures, **frozen(Model(data), unseen_lines)}
    sys.stdout.write(json.dumps({**told, "differences": apart[:20]}) + "\n")
    sys.exit(1 if apart else 0)


if __name__ == "__main__":
    main()
