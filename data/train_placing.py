"""The lines of placing*.jsonl, a file a hand → koog/knowledge/rating.bin, and one line of figures.  See data/README.md.

python data/train_placing.py                    trains, writes the weights
python data/train_placing.py --without HAND     learns from the other files only: for a figure on what this one is of
python data/train_placing.py --check            trains, and compares with what lies there; exit 1 when they differ
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from koog.core.text.voices import USER  # noqa: E402
from koog.knowledge.rating import PLACES, WEIGHTS, signs, words  # noqa: E402
from koog.memory.names import mentions  # noqa: E402
from koog.memory.router import SLOTS  # noqa: E402

TODAY = date(2026, 3, 4)
STRENGTH = 0.5
NEAR = 0.02  # so much may two machines' weights of signs differ, and a step those of words

Array = Any  # numpy and scikit-learn come without types that hold for all their versions


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def matrices(lines: list[dict[str, Any]]) -> tuple[list[str], Array]:
    """Return the names of the signs, and a row for each line: its words' slots, then its signs."""
    shown = []
    for row in lines:
        named = mentions.found(row["text"])
        found = signs(row["text"], row.get("role", USER), named, today=TODAY, before=row.get("before", ""))
        shown.append((found, words(row["text"], named, today=TODAY)))
    names = sorted({name for found, _ in shown for name in found})
    place = {name: SLOTS + n for n, name in enumerate(names)}
    table = sp.dok_matrix((len(lines), SLOTS + len(names)))
    for n, (found, slots) in enumerate(shown):
        for slot, value in (*slots.items(), *((place[name], value) for name, value in found.items())):
            table[n, slot] = value
    return names, table.tocsr()


def fitted(x: Array, y: Array) -> tuple[Array, Array]:
    """Return the weights and the biases, a row a place."""
    model = LogisticRegression(C=STRENGTH, max_iter=1000, tol=1e-6).fit(x, y)
    order = [list(model.classes_).index(name) for name in PLACES]
    return model.coef_[order], model.intercept_[order]


def packed(names: list[str], weights: Array, bias: Array) -> bytes:
    """Return rating.bin: a line of JSON, then the bytes of the places slot after slot; 128 stands for 0."""
    of_words, of_signs = weights[:, :SLOTS], weights[:, SLOTS:]
    scale = np.abs(of_words).max(axis=1) / 127
    steps = np.round(of_words / scale[:, None]).astype(np.int16) + 128
    head = {
        "bias": {p: round(float(b), 4) for p, b in zip(PLACES, bias, strict=True)},
        "scale": {p: round(float(s), 8) for p, s in zip(PLACES, scale, strict=True)},
        "signs": {
            p: {name: round(float(w), 3) for name, w in zip(names, of_signs[n], strict=True) if abs(w) >= 0.01}
            for n, p in enumerate(PLACES)
        },
    }
    return json.dumps(head, sort_keys=True).encode() + b"\n" + zlib.compress(steps.T.astype(np.uint8).tobytes(), 9)


def by_hands(x: Array, y: Array, hands: Array) -> dict[str, float]:
    """Return how often the place is right on the lines of each hand, learned from the other hands."""
    right = {}
    for hand in sorted(set(hands)):
        weights, bias = fitted(x[hands != hand], y[hands != hand])
        told = np.array(PLACES)[(x[hands == hand] @ weights.T + bias).argmax(axis=1)]
        right[str(hand)] = round(float((told == y[hands == hand]).mean()), 3)
    return right


def differs(old: bytes, new: bytes) -> tuple[float, int]:
    """Return by how much two files' signs differ at most, and by how many steps their words."""
    (head, _, first), (other, _, second) = (each.partition(b"\n") for each in (old, new))
    a, b = json.loads(head)["signs"], json.loads(other)["signs"]
    worst = max(abs(a[p].get(k, 0.0) - b[p].get(k, 0.0)) for p in PLACES for k in {*a[p], *b[p]})
    steps = [np.frombuffer(zlib.decompress(each), np.uint8).astype(int) for each in (first, second)]
    return round(worst, 4), int(np.abs(steps[0] - steps[1]).max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the weights that lie there; write nothing")
    parser.add_argument("--without", metavar="HAND", help="leave out one file, as placing3")
    options = parser.parse_args()
    lines = [(path.stem, row) for path in sorted(HERE.glob("placing*.jsonl")) for row in rows(path)]
    lines = [(hand, row) for hand, row in lines if hand != options.without]
    names, x = matrices([row for _, row in lines])
    hands, y = np.array([hand for hand, _ in lines]), np.array([row["place"] for _, row in lines])
    data = packed(names, *fitted(x, y))
    told = {"lines": len(lines), "signs": len(names), "bytes": len(data)}
    if options.check:
        worst, steps = differs(WEIGHTS.read_bytes(), data)
        sys.stdout.write(json.dumps({**told, "differs": worst, "steps": steps}) + "\n")
        sys.exit(1 if worst > NEAR or steps > 1 else 0)
    WEIGHTS.write_bytes(data)
    sys.stdout.write(json.dumps({**told, "right": by_hands(x, y, hands)}) + "\n")


if __name__ == "__main__":
    main()
