"""The lines of placing.jsonl → koog/knowledge/rating.json, and one line of figures.  See data/README.md.

python data/train_placing.py            trains, writes the weights
python data/train_placing.py --check    trains, and compares with what lies there; exit 1 when they differ
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from koog.core.text.statement import USER  # noqa: E402
from koog.knowledge.rating import PLACES, WEIGHTS, features  # noqa: E402
from koog.memory.names import mentions  # noqa: E402

TODAY = date(2026, 3, 4)
STRENGTH = 0.2
NEAR = 0.02  # so much may two machines' weights differ

Array = Any  # numpy and scikit-learn come without types that hold for all their versions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the weights that lie there; write nothing")
    options = parser.parse_args()
    rows = [json.loads(line) for line in (HERE / "placing.jsonl").read_text("utf-8").splitlines()]
    seen = [features(row["text"], USER, mentions.found(row["text"]), today=TODAY) for row in rows]
    names = sorted({name for each in seen for name in each})
    x = np.array([[each.get(name, 0.0) for name in names] for each in seen])
    y = np.array([row["place"] for row in rows])
    model = LogisticRegression(C=STRENGTH, max_iter=3000, tol=1e-8).fit(x, y)
    order = [list(model.classes_).index(name) for name in PLACES]
    made = {
        "bias": {p: round(float(model.intercept_[n]), 3) for p, n in zip(PLACES, order, strict=True)},
        "weights": {
            p: {name: round(float(w), 3) for name, w in zip(names, model.coef_[n], strict=True) if abs(w) >= 0.01}
            for p, n in zip(PLACES, order, strict=True)
        },
    }
    if options.check:
        worst = differs(json.loads(WEIGHTS.read_text("utf-8")), made)
        sys.stdout.write(json.dumps({"lines": len(rows), "differs": worst}) + "\n")
        sys.exit(1 if worst > NEAR else 0)
    WEIGHTS.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", "utf-8")
    right = cross_val_score(LogisticRegression(C=STRENGTH, max_iter=3000), x, y, cv=5).mean()
    sys.stdout.write(json.dumps({"lines": len(rows), "signs": len(names), "right": round(float(right), 3)}) + "\n")


def differs(old: dict[str, Any], new: dict[str, Any]) -> float:
    """Return by how much two sets of weights differ at most."""
    found = [abs(old["bias"][p] - new["bias"][p]) for p in PLACES]
    for p in PLACES:
        keys = {*old["weights"][p], *new["weights"][p]}
        found += [abs(old["weights"][p].get(k, 0.0) - new["weights"][p].get(k, 0.0)) for k in keys]
    return round(max(found), 4)


if __name__ == "__main__":
    main()
