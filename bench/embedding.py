"""The embedded embedding beside the package that it reads: texts a second, start to first vector, agreement.

    python bench/embedding.py [--texts 20000] [--runs 5]

Texts are drawn from a fixed list of words, 8 to 40 words each. "library" is the wordllama package itself, in a
process of its own as koog's is. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORDS = Path(__file__).with_name("retention_facts.txt")

# Each program answers one query or, given a file of texts, writes their vectors and prints the seconds it took.
KOOG = """
import sys, time
from koog.search.embedding import folder
from koog.search.wordllama import WordLlama
model = WordLlama(folder("wordllama"))
if len(sys.argv) == 1:
    model.embed(["where did we leave the keys"], kind="query")
    sys.exit()
texts = open(sys.argv[1]).read().split("\\n")
started = time.perf_counter()
vectors = model.embed(texts, kind="passage")
print(time.perf_counter() - started)
open(sys.argv[2], "wb").write(b"".join(vectors))
"""
LIBRARY = """
import sys, time
from pathlib import Path
import wordllama
model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
if len(sys.argv) == 1:
    model.embed(["where did we leave the keys"])
    sys.exit()
texts = open(sys.argv[1]).read().split("\\n")
started = time.perf_counter()
vectors = model.embed(texts, norm=True)
print(time.perf_counter() - started)
vectors.tofile(sys.argv[2])
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder) / "texts"
        texts.write_text("\n".join(drawn(given.texts)))
        own, library = Path(folder) / "own", Path(folder) / "library"
        seconds = {"koog": [], "library": []}
        first = {"python": [], "koog": [], "library": []}
        for _ in range(given.runs):
            seconds["koog"].append(float(run(KOOG, str(texts), str(own))))
            seconds["library"].append(float(run(LIBRARY, str(texts), str(library))))
            for name, program in {"python": "pass", "koog": KOOG, "library": LIBRARY}.items():
                started = time.perf_counter()
                run(program)
                first[name].append((time.perf_counter() - started) * 1000)
        line = {
            "bench": "embedding",
            "texts": given.texts,
            "textsPerSecond": {name: round(given.texts / min(took)) for name, took in seconds.items()},
            "startToFirstVectorMs": {name: round(statistics.median(took), 1) for name, took in first.items()},
            "leastCosine": least_cosine(own, library),
        }
    print(json.dumps(line, separators=(",", ":")))


def run(program: str, *argv: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled once, like any installed package
    done = subprocess.run([sys.executable, "-c", program, *argv], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def drawn(count: int) -> list[str]:
    """Return texts of words from the bench's own notes, the same each time."""
    words = WORDS.read_text("utf-8").split()
    draw = random.Random(1)
    return [" ".join(draw.choices(words, k=draw.randint(8, 40))) for _ in range(count)]


def least_cosine(own: Path, library: Path) -> float:
    """Return the least cosine of koog's stored vector and the library's own, over all texts."""
    import numpy as np

    stored = np.fromfile(own, dtype=np.int8).reshape(-1, 256).astype(np.float32)
    exact = np.fromfile(library, dtype=np.float32).reshape(-1, 256)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    return round(float((stored * exact).sum(axis=1).min()), 5)


if __name__ == "__main__":
    main()
