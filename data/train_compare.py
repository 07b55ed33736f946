"""The labelled pairs → koog/core/text/compare.json, and one line of figures.  See data/README.md.

    python data/train_compare.py            trains, writes the weights
    python data/train_compare.py --check    trains and compares with the weights that lie there; exit 1 when they differ

Over what koog/core/text/pairs.py shows of two lines: trees say that one of the two can go, logistic models that the
newer takes the older's place or that both are opposed. Pairs that share nothing are unrelated by rule and teach
nothing; lines of strangers that share rare words by chance teach how rare a relation is. What a likelihood must reach
is read off pairs of a hand that the model has not seen: at most WRONG of the pairs of which both lines hold may be
taken for one, OPPOSED_WRONG of those that are opposed, and TAKEN of the strangers'. The same pairs give the same.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # the matrices are small

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from koog.core.text import compare as comparing  # noqa: E402
from koog.core.text.compare import (  # noqa: E402
    ADDS,
    CONTRADICTS,
    DISTINCT,
    JOIN,
    JOINS,
    OPPOSED,
    REPLACED,
    SAME,
    SUPERSEDES,
    UNRELATED,
    WEIGHED,
)
from koog.core.text.pairs import features, seen  # noqa: E402
from koog.core.text.says import says  # noqa: E402

WEIGHTS = HERE.parent / "koog/core/text/compare.json"
BARS = {JOIN: (SAME, ADDS), REPLACED: (SUPERSEDES,), OPPOSED: (CONTRADICTS,)}
BOTH_HOLD = (DISTINCT, UNRELATED)
STRENGTH = 0.05
WRONG = 0.02  # of the pairs of which both lines hold: of a new hand, by a model of all, half as many are taken for one
OPPOSED_WRONG = 0.1  # of those that are opposed: one voice that says the opposite later has mostly changed its mind
STRANGER = "stranger"
STRANGERS = 3000  # pairs of strangers' lines
STRANGE = 0.3  # how much one of them counts
TAKEN = 0.011  # of them: more may not be taken for one; hands that live alike tell some things twice
OUSTED = 0.003  # of them: of fewer yet one may take the other's place, for of the two it is the other that is lost
ASIDE = ("trial",)  # lines that are no daily work
HARDER = "f"  # a hand that was asked for what is hard to tell: it teaches, but what must be reached is not read off it
TREES, RATE, LEAVES, LEAST_IN_LEAF, PENALTY = 150, 0.06, 8, 15, 5.0
STEPS = [n / 100 for n in range(96, 29, -2)]
HALF = 0.5  # of those that are called opposed: at least so many are, by a hand's word
OFTEN = 3  # thousandths of the lines: what so many have tells less than a word of its own

Array = Any  # numpy and scikit-learn come without types that hold for all their versions


class Pair(NamedTuple):
    older: str
    newer: str
    relation: str
    lang: str
    hand: str


def pairs(path: Path) -> list[Pair]:
    """Return the labelled pairs of a file."""
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [Pair(row["older"], row["newer"], row["relation"], row["lang"], row["hand"]) for row in rows]


def strangers(lines: Sequence[dict[str, Any]]) -> list[Pair]:
    """Return pairs of lines of two authors that share words by chance: what compare meets most of the time."""
    worth = [line for line in lines if line["keep"] >= 1 and line["hand"] not in ASIDE]
    found = [
        (worth[i], worth[j])
        for i, j in comparing.candidates([line["text"] for line in worth])
        if worth[i]["hand"] != worth[j]["hand"] and worth[i]["lang"] == worth[j]["lang"]
    ]
    step = max(1, len(found) // STRANGERS)
    return [Pair(a["text"], b["text"], UNRELATED, a["lang"], STRANGER) for a, b in found[::step]]


def commonness(lines: Sequence[str]) -> dict[str, float]:
    """Return how much an idea tells that many lines have: half, where a hundredth of them has it."""
    found: Counter[str] = Counter()
    for line in lines:
        found.update(says(line).ideas)
    seldom = len(lines) / 1000
    return {idea: round(1 / (1 + log10(n / seldom)), 2) for idea, n in sorted(found.items()) if n >= OFTEN * seldom}


def fit(shows: Sequence[dict[str, float]], rows: Sequence[Pair]) -> dict[str, Any]:
    """Return the weights (feature → its weight in each model, of "" the bias) and the trees."""
    names = sorted({name for row in shows for name in row})
    use = [n for n, row in enumerate(shows) if row]
    x = np.array([[shows[n].get(name, 0.0) for name in names] for n in use])
    weight = [STRANGE if rows[n].hand == STRANGER else 1.0 for n in use]
    scale = x.std(axis=0) + 0.02  # a feature that few pairs show is no outlier for it
    found: dict[str, list[float]] = {name: [] for name in ["", *names]}
    for bar in WEIGHED:
        model = LogisticRegression(C=STRENGTH, solver="newton-cholesky", max_iter=200)
        model.fit(x / scale, [rows[n].relation in BARS[bar] for n in use], sample_weight=weight)
        for name, value in zip(found, [model.intercept_[0], *(model.coef_[0] / scale)], strict=True):
            found[name].append(round(float(value), 2))
    forest = HistGradientBoostingClassifier(
        max_iter=TREES, learning_rate=RATE, max_leaf_nodes=LEAVES, min_samples_leaf=LEAST_IN_LEAF,
        l2_regularization=PENALTY, early_stopping=False, random_state=0,
    )  # fmt: skip
    forest.fit(x, [rows[n].relation in BARS[JOIN] for n in use], sample_weight=weight)
    # How the library keeps its trees is its own affair; the figures beside show at once when it changes.
    trees = [round(float(forest._baseline_prediction[0][0]), 4)]
    trees += [_tree(each[0].nodes, 0, names) for each in forest._predictors]
    return {"weights": found, "trees": trees}


def _tree(nodes: Array, at: int, names: Sequence[str]) -> Any:
    """Return a tree as compare.py reads it."""
    node = nodes[at]
    if node["is_leaf"]:
        return round(float(node["value"]), 4)
    limit = round(float(node["num_threshold"]), 4)
    return [names[node["feature_idx"]], limit, *(_tree(nodes, node[side], names) for side in ("left", "right"))]


def unseen(rows: Sequence[Pair], shows: Sequence[dict[str, float]], common: Mapping[str, float]) -> list[Any]:
    """Return what speaks for each pair by a model that has not seen its hand; of the strangers', a fourth."""
    hands = sorted({row.hand for row in rows} - {STRANGER})
    of = [row.hand if row.hand in hands else hands[n % len(hands)] for n, row in enumerate(rows)]
    models = {}
    for hand in hands:
        use = [n for n, other in enumerate(of) if other != hand]
        models[hand] = {"common": common, **fit([shows[n] for n in use], [rows[n] for n in use])}
    return [comparing.claims(row.older, row.newer, models[hand]) for row, hand in zip(rows, of, strict=True)]


def bars(rows: Sequence[Pair], claims: Sequence[Any]) -> dict[str, float]:
    """Return what each likelihood must reach: such that most is rightly found of each relation, and little wrongly."""
    asked = [n for n, row in enumerate(rows) if row.hand != HARDER]
    rows, claims = [rows[n] for n in asked], [claims[n] for n in asked]
    both = np.array([row.relation in BOTH_HOLD and row.hand != STRANGER for row in rows])
    strange = np.array([row.hand == STRANGER for row in rows])
    against = np.array([row.relation == CONTRADICTS for row in rows])
    odds = {bar: np.array([each.odds.get(bar, 0.0) for each in claims]) for bar in BARS}
    right = {bar: np.array([row.relation in kinds for row in rows]) for bar, kinds in BARS.items()}
    counted = {
        bar: [
            np.array([(odds[bar] >= step) & of for of in (both, strange, against, right[bar])]).sum(axis=1)
            for step in STEPS
        ]
        for bar in BARS
    }
    best, limits = 0.0, dict.fromkeys(BARS, 1.01)
    for joined, replaced in product(range(len(STEPS)), repeat=2):
        join, new = counted[JOIN][joined], counted[REPLACED][replaced]
        wrong, strangers, opposed, _ = join + new
        gain = 2 * join[-1] / right[JOIN].sum() + new[-1] / right[REPLACED].sum()
        is_safe = wrong <= WRONG * both.sum() and strangers <= TAKEN * strange.sum()
        is_safe = is_safe and new[1] <= OUSTED * strange.sum()
        if is_safe and opposed <= OPPOSED_WRONG * against.sum() and gain > best:
            best, limits = gain, {JOIN: STEPS[joined], REPLACED: STEPS[replaced]}
    limits[OPPOSED] = min(
        step for step, (_, strangers, _, found) in zip(STEPS, counted[OPPOSED], strict=True)
        if strangers <= TAKEN * strange.sum() and found >= HALF * (odds[OPPOSED] >= step).sum()
    )  # fmt: skip
    return limits


def figures(rows: Sequence[Pair], found: Sequence[str]) -> dict[str, float]:
    """Return how much of each relation is found, and how often two that both hold are taken for one."""
    one_goes = {*JOINS, SUPERSEDES}
    told: dict[str, float] = {}
    for hand, relation in sorted({(row.hand == STRANGER, row.relation) for row in rows}):
        kinds = [
            k for row, k in zip(rows, found, strict=True) if (row.hand == STRANGER, row.relation) == (hand, relation)
        ]
        name = STRANGER if hand else relation
        told[name] = share([k == relation for k in kinds])
        if relation in JOINS:
            told[f"{name}Joined"] = share([k in JOINS for k in kinds])
        if relation not in one_goes:
            told[f"{name}Wrong"] = share([k in one_goes for k in kinds])
    return told


def share(flags: Sequence[bool]) -> float:
    return round(sum(flags) / len(flags), 4) if flags else 0.0


def text(value: dict[str, Any]) -> str:
    """Return the file: a line a feature, a line a tree."""
    rows = ",\n".join(f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in value["weights"].items())
    trees = ",\n".join(f"    {json.dumps(tree)}" for tree in value["trees"])
    return (
        f'{{\n  "bars": {json.dumps(value["bars"])},\n'
        f'  "common": {json.dumps(value["common"], ensure_ascii=False)},\n  "weights": {{\n{rows}\n  }},\n'
        f'  "trees": [\n{trees}\n  ]\n}}\n'
    )


def decided(rows: Sequence[Pair], model: dict[str, Any]) -> list[str]:
    """Return what compare says with these weights."""
    return [comparing.chosen(comparing.claims(row.older, row.newer, model), model["bars"]).kind for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the weights that lie there; write nothing")
    options = parser.parse_args()
    every = pairs(HERE / "comparisons.jsonl")
    lines = [json.loads(line) for line in (HERE / "statements.jsonl").read_text("utf-8").splitlines()]
    common = commonness([line["text"] for line in lines])
    rows = every + strangers(lines)
    between = [seen(says(row.older), says(row.newer)) for row in rows]
    shows = [features(each, common) if each.shared else {} for each in between]
    claims = unseen(rows, shows, common)
    model = {"bars": bars(rows, claims), "common": common, **fit(shows, rows)}
    found = [comparing.chosen(each, model["bars"]).kind for each in claims]
    apart = []
    if options.check:
        before = decided(every, json.loads(WEIGHTS.read_text("utf-8")))
        apart = [p.older for p, x, y in zip(every, before, decided(every, model), strict=True) if x != y]
    else:
        WEIGHTS.write_text(text(model), "utf-8")
    told = {"pairs": len(rows), "unseen": figures(rows, found), "bars": model["bars"], "differences": apart[:20]}
    sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
    sys.exit(1 if apart else 0)


if __name__ == "__main__":
    main()
