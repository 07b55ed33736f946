"""The lines of router*.jsonl, a file a hand → koog/memory/router.bin, and one line of figures.  See data/README.md.

What statements.jsonl has for talk that teaches nothing is taught as an episode, a little: people say such things too.

python data/train_router.py            trains, writes the weights
python data/train_router.py --check    trains, and compares with what lies there; exit 1 when they differ
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from koog.memory.names import mentions  # noqa: E402
from koog.memory.names.mentions import Mention  # noqa: E402
from koog.memory.router import PLACES, SLOTS, WEIGHTS, groups  # noqa: E402

TODAY = date(2026, 3, 4)
STRENGTH = 20.0
CHAT = 0.06  # how much a line of talk counts that teaches nothing, beside 1 for any other
CHAT_TYPES = ("chat", "question", "noise")

Array = Any  # numpy and scikit-learn come without types that hold for all their versions


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def matrix(lines: list[dict[str, Any]]) -> Array:
    """Return a row of slots for each line; names as a tagger finds them that has not learned the line.

    The shipped tagger has learned the lines of unseen_names.jsonl, and no others.
    """
    seen = {row["text"]: [Mention(*each) for each in row["found"]] for row in rows(HERE / "unseen_names.jsonl")}
    index: list[int] = []
    value: list[float] = []
    ends = [0]
    for row in lines:
        slots: dict[int, float] = {}
        named = seen[row["text"]] if row["text"] in seen else mentions.found(row["text"])
        for found, share in groups(row["text"], named, today=TODAY):
            for slot in found:
                slots[slot] = slots.get(slot, 0.0) + share
        index += slots.keys()
        value += slots.values()
        ends.append(len(index))
    return sp.csr_matrix((value, index, ends), shape=(len(lines), SLOTS))


def wanted(row: dict[str, Any]) -> str:
    return str(row["block"]) if row["store"] == "core" else str(row["store"])


def chat() -> list[dict[str, Any]]:
    """Return what users say that teaches nothing."""
    said = [row for row in rows(HERE / "statements.jsonl") if row["register"] == "talk" and row["speaker"] == "user"]
    return [row for row in said if row["keep"] == 0 and row["type"] in CHAT_TYPES]


def fitted(x: Array, y: Array, idle: Array) -> tuple[Array, Array]:
    """Return the weights and the biases, a row a place: of a softmax over all of them. idle: rows of talk"""
    model = LogisticRegression(C=STRENGTH, max_iter=3000, tol=1e-8)
    counts = np.concatenate([np.ones(x.shape[0]), np.full(idle.shape[0], CHAT)])
    model.fit(sp.vstack([x, idle]), np.concatenate([y, ["episodic"] * idle.shape[0]]), sample_weight=counts)
    order = [list(model.classes_).index(name) for name in PLACES]
    return model.coef_[order], model.intercept_[order]


def packed(weights: Array, bias: Array) -> bytes:
    """Return router.bin: a line of JSON, then the bytes of the places slot after slot; 128 stands for 0."""
    scale = np.abs(weights).max(axis=1) / 127
    steps = np.round(weights / scale[:, None]).astype(np.int16) + 128
    head = {
        "scale": {name: round(float(s), 8) for name, s in zip(PLACES, scale, strict=True)},
        "bias": {name: round(float(b), 4) for name, b in zip(PLACES, bias, strict=True)},
    }
    return json.dumps(head).encode() + b"\n" + steps.T.astype(np.uint8).tobytes()


def by_hands(x: Array, y: Array, hands: Array, idle: Array) -> dict[str, float]:
    """Return how often the place is right on the lines of each hand, learned from the other hands."""
    right = {}
    for hand in sorted(set(hands)):
        weights, bias = fitted(x[hands != hand], y[hands != hand], idle)
        told = np.array(PLACES)[(x[hands == hand] @ weights.T + bias).argmax(axis=1)]
        right[str(hand)] = round(float((told == y[hands == hand]).mean()), 4)
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the weights that lie there; write nothing")
    options = parser.parse_args()
    files = [(path, rows(path)) for path in sorted(HERE.glob("router*.jsonl"))]
    lines = [row for _, found in files for row in found]
    hands = np.array([path.stem for path, found in files for _ in found])
    x, y, idle = matrix(lines), np.array([wanted(row) for row in lines]), matrix(chat())
    data = packed(*fitted(x, y, idle))
    told = {"lines": len(lines), "bytes": len(data)}
    if not options.check:
        WEIGHTS.write_bytes(data)
        sys.stdout.write(json.dumps({**told, "right": by_hands(x, y, hands, idle)}) + "\n")
        return
    old, new = (each.partition(b"\n")[2] for each in (WEIGHTS.read_bytes(), data))
    steps = (
        np.abs(np.frombuffer(old, np.uint8).astype(int) - np.frombuffer(new, np.uint8))
        if len(old) == len(new)
        else [999]
    )
    sys.stdout.write(json.dumps({**told, "steps": int(max(steps))}) + "\n")
    sys.exit(1 if max(steps) > 1 else 0)


if __name__ == "__main__":
    main()
