"""The labelled lines of router*.jsonl and names.jsonl → koog/memory/names/names.bin, and one line of figures.

python data/train_names.py            trains, writes the weights; also: what is found in lines that were left out
python data/train_names.py --check    trains, and compares with what lies there; exit 1 when they differ
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from koog.memory.names import mentions, tagger  # noqa: E402
from koog.memory.names.tagger import KINDS, SLOTS, SPAN_SLOTS, WEIGHTS, Model, Piece, Span  # noqa: E402

FILES = ("router.jsonl", "router2.jsonl", "names.jsonl")
FOLDS = 5
UNSEEN = HERE / "unseen_names.jsonl"
STEADY, KIND_STRENGTH, MAIN_STRENGTH, SAME_STRENGTH = 0.2, 0.5, 0.5, 4.0
RENAMED, SEED = 0.7, 1
BUCKETS = 24  # lines of about one length are reckoned side by side
EASTERN = ("zh", "ja")
MISSED = 1.0  # how much dearer a missed name is than a wrong one, as a bias of the first mark

Array = Any  # numpy and scikit-learn come without types that hold for all their versions


class Line(NamedTuple):
    """A labelled line: its pieces, its names in them, what they are, which one it is about (None: none)."""

    text: str
    lang: str
    pieces: list[Piece]
    spans: list[Span]
    kinds: list[str]
    main: int | None
    same: frozenset[tuple[int, int]] = frozenset()  # which are two names of one thing


def hand(name: str) -> list[Line]:
    """Return the lines of one file."""
    return [line(json.loads(row)) for row in (HERE / name).read_text("utf-8").splitlines()]


def lines() -> list[Line]:
    return [row for name in FILES for row in hand(name)]


def line(row: dict[str, Any]) -> Line:
    """Return a labelled line with the places of its names: each name wherever it stands, longer ones first."""
    text = row["text"]
    named = dict(row["names"])
    if row["main"]:
        named[row["main"]] = row["type"]
    found = tagger.pieces(text)
    starts = {piece.start: at for at, piece in enumerate(found)}
    ends = {piece.end: at + 1 for at, piece in enumerate(found)}
    spans: dict[Span, str] = {}
    taken = [False] * len(found)
    for name in sorted(named, key=len, reverse=True):
        at = -1
        while (at := text.find(name, at + 1)) >= 0:
            span = Span(starts.get(at, -1), ends.get(at + len(name), -1))
            if -1 not in span and not any(taken[span.first : span.end]):
                taken[span.first : span.end] = [True] * (span.end - span.first)
                spans[span] = name
    order = sorted(spans)
    main = next((at for at, span in enumerate(order) if spans[span] == row["main"]), None)
    twins = {frozenset(pair) for pair in row.get("alias", _aliases().get(text, ()))}
    same = frozenset(
        (a, b)
        for a, one in enumerate(order)
        for b, other in enumerate(order)
        if a < b and frozenset((spans[one], spans[other])) in twins
    )
    return Line(text, row["lang"], found, order, [named[spans[span]] for span in order], main, same)


@lru_cache(maxsize=1)
def _aliases() -> dict[str, list[list[str]]]:
    """Return text → pairs of names for one thing, of lines whose hand did not say so."""
    rows = map(json.loads, (HERE / "aliases.jsonl").read_text("utf-8").splitlines())
    return {row["text"]: row["alias"] for row in rows}


def varied(rows: Sequence[Line]) -> list[Line]:
    """Return each line once more: with other names of the same kinds in it, and another line behind it.

    So the marker learns to go by what stands beside a name, and sees names in a second sentence.
    """
    pool: dict[tuple[str, str], list[str]] = {}
    by_lang: dict[str, list[Line]] = {}
    for row in rows:
        by_lang.setdefault(row.lang, []).append(row)
        for span, kind in zip(row.spans, row.kinds, strict=True):
            pool.setdefault((row.lang, kind), []).append(text_of(row, span))
    draw = Random(SEED)  # noqa: S311  no secret
    found = []
    for row in rows:
        first, second = _renamed(row, pool, draw), _renamed(draw.choice(by_lang[row.lang]), pool, draw)
        text, spans, kinds = first
        joint = "" if text[-1:] in "。！？" else " " if text[-1:] in ".!?" else "。" if row.lang in EASTERN else ". "
        shift = len(text) + len(joint)
        found.append(
            _line(
                text + joint + second[0],
                row.lang,
                [*spans, *((a + shift, b + shift) for a, b in second[1])],
                [*kinds, *second[2]],
                row.main,
            )
        )
    return found


def _renamed(
    row: Line, pool: dict[tuple[str, str], list[str]], draw: Random
) -> tuple[str, list[tuple[int, int]], list[str]]:
    text, at = "", 0
    spans = []
    for span, kind in zip(row.spans, row.kinds, strict=True):
        start, end = row.pieces[span.first].start, row.pieces[span.end - 1].end
        text += row.text[at:start]
        new = draw.choice(pool[row.lang, kind]) if draw.random() < RENAMED else row.text[start:end]
        spans.append((len(text), len(text) + len(new)))
        text += new
        at = end
    return text + row.text[at:], spans, list(row.kinds)


def _line(text: str, lang: str, places: Sequence[tuple[int, int]], kinds: list[str], main: int | None) -> Line:
    found = tagger.pieces(text)
    starts = {piece.start: at for at, piece in enumerate(found)}
    ends = {piece.end: at + 1 for at, piece in enumerate(found)}
    whole = [
        (Span(starts[a], ends[b]), kind)
        for (a, b), kind in zip(places, kinds, strict=True)
        if a in starts and b in ends
    ]
    return Line(
        text,
        lang,
        found,
        [span for span, _ in whole],
        [kind for _, kind in whole],
        main if len(whole) == len(places) else None,
    )


def text_of(row: Line, span: Span) -> str:
    return row.text[row.pieces[span.first].start : row.pieces[span.end - 1].end]


def marks(row: Line) -> list[int]:
    found = [0] * len(row.pieces)
    for first, end in row.spans:
        found[first] = 1
        found[first + 1 : end] = [2] * (end - first - 1)
    return found


def matrix(rows: Sequence[Sequence[int]], width: int) -> Array:
    ends = np.cumsum([0, *map(len, rows)])
    index = np.fromiter((slot for row in rows for slot in row), np.int64, int(ends[-1]))
    x = sp.csr_matrix((np.ones(len(index)), index, ends), shape=(len(rows), width))
    x.sum_duplicates()
    return x


class Bucket:
    """Lines of about one length, side by side: which pieces theirs are, and their marks."""

    def __init__(self, rows: Sequence[Line], starts: Array, lengths: Array) -> None:
        self.count, self.most = len(rows), int(lengths.max())
        at = np.arange(self.most)[None, :]
        self.valid = at < lengths[:, None]
        self.flat = np.where(self.valid, starts[:, None] + at, 0)
        self.order = self.flat[self.valid]
        gold = np.zeros((self.count, self.most), np.int64)
        for n, row in enumerate(rows):
            gold[n, : lengths[n]] = marks(row)
        both = self.valid[:, 1:]
        self.follow = np.zeros((3, 3))
        np.add.at(self.follow, (gold[:, :-1][both], gold[:, 1:][both]), 1)
        self.gold = np.eye(3)[gold]

    def loss(self, emit: Array, step: Array, off: Array) -> tuple[float, Array]:
        """Return how unlikely the true marks are, and how each step should change; `off` gets it for each piece."""
        scores = np.where(self.valid[:, :, None], emit[self.flat], 0.0)
        alpha = np.zeros((self.count, self.most, 3))
        alpha[:, 0] = scores[:, 0] + np.array([0.0, 0.0, -1e4])
        for t in range(1, self.most):
            new = _lse(alpha[:, t - 1, :, None] + step[None], 1) + scores[:, t]
            alpha[:, t] = np.where(self.valid[:, t, None], new, alpha[:, t - 1])
        total = _lse(alpha[:, -1], 1)
        beta = np.zeros_like(alpha)
        for t in range(self.most - 2, -1, -1):
            new = _lse(step[None] + (scores[:, t + 1] + beta[:, t + 1])[:, None, :], 2)
            beta[:, t] = np.where(self.valid[:, t + 1, None], new, 0.0)
        share = np.exp(alpha + beta - total[:, None, None])
        pair = np.exp(
            alpha[:, :-1, :, None] + step[None, None] + (scores + beta)[:, 1:, None, :] - total[:, None, None, None]
        )
        pair *= self.valid[:, 1:, None, None]
        right = (scores * self.gold)[self.valid].sum() + (self.follow * np.where(self.follow > 0, step, 0)).sum()
        off[self.order] = (share - self.gold)[self.valid]
        return float(total.sum() - right), pair.sum((0, 1)) - self.follow


class Marker:
    """A chain over the marks O, B, I: what each piece shows, and which mark follows which; O weighs nothing.

    Trained by the likelihood of whole lines, held down by their squares.
    """

    def __init__(self, rows: Sequence[Line]) -> None:
        by_line = [tagger.slots(row.text, row.pieces) for row in rows]
        self.x = matrix([slots for line in by_line for slots in line], SLOTS)
        lengths = np.array([len(line) for line in by_line])
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        by_length = np.argsort(lengths, kind="stable")
        self.buckets = [
            Bucket([rows[n] for n in some], starts[some], lengths[some]) for some in np.array_split(by_length, BUCKETS)
        ]

    def fit(self, steady: float) -> tuple[Array, Array, Array]:
        size = 2 * SLOTS
        start = np.zeros(size + 2 + 9)
        done = minimize(self._loss, start, args=(steady,), jac=True, method="L-BFGS-B", options={"maxiter": 80})
        return done.x[:size].reshape(2, SLOTS), done.x[size : size + 2], done.x[size + 2 :].reshape(3, 3)

    def _loss(self, theta: Array, steady: float) -> tuple[float, Array]:
        size = 2 * SLOTS
        w, bias, steps = theta[:size].reshape(2, SLOTS), theta[size : size + 2], theta[size + 2 :]
        step = steps.reshape(3, 3).copy()
        step[0, 2] = -1e4
        emit = np.zeros((self.x.shape[0], 3))
        emit[:, 1:] = self.x @ w.T + bias
        off = np.zeros_like(emit)
        done = [bucket.loss(emit, step, off) for bucket in self.buckets]
        loss = sum(each for each, _ in done) + steady / 2 * (w**2).sum() + 0.005 * (steps**2).sum()
        g_w = (self.x.T @ off[:, 1:]).T + steady * w
        g_step = sum(each for _, each in done) + 0.01 * steps.reshape(3, 3)
        g_step[0, 2] = 0
        return float(loss), np.concatenate([g_w.ravel(), off[:, 1:].sum(0), g_step.ravel()])


def _lse(values: Array, axis: int) -> Array:
    most = values.max(axis=axis, keepdims=True)
    return np.log(np.exp(values - most).sum(axis=axis)) + most.squeeze(axis)


def fitted(rows: Sequence[Line]) -> bytes:
    """Return names.bin: a line of JSON, then a byte for each weight."""
    w, bias, step = Marker([*rows, *varied(rows)]).fit(STEADY)
    slots, kinds, places, is_main = [], [], [], []
    for row in rows:
        slots += tagger.span_slots(row.pieces, row.spans)
        kinds += row.kinds
        if row.main is not None:
            places += tagger.main_slots(row.pieces, row.spans, row.kinds)
            is_main += [at == row.main for at in range(len(row.spans))]
    x, y = matrix(slots, SPAN_SLOTS), matrix(places, SPAN_SLOTS)
    of_kind = LogisticRegression(C=KIND_STRENGTH, max_iter=2000, tol=1e-7, fit_intercept=False).fit(x, kinds)
    of_main = LogisticRegression(C=MAIN_STRENGTH, max_iter=2000, tol=1e-7, fit_intercept=False).fit(y, is_main)
    pairs, is_same = [], []
    for row in rows:
        for (a, one), (b, other) in combinations(enumerate(row.spans), 2):
            if b - a < tagger.NEAR and one.end < other.first and text_of(row, one) != text_of(row, other):
                pairs.append(tagger.pair_slots(row.text, row.pieces, one, other))
                is_same.append((a, b) in row.same)
    z = matrix(pairs, SPAN_SLOTS)
    of_same = LogisticRegression(C=SAME_STRENGTH, max_iter=2000, tol=1e-7, fit_intercept=False).fit(z, is_same)
    order = [list(of_kind.classes_).index(kind) for kind in KINDS]
    marked, mark_scale = _packed(w)
    kinded, kind_scale = _packed(of_kind.coef_[order])
    mained, main_scale = _packed(of_main.coef_)
    samed, same_scale = _packed(of_same.coef_)
    rounded = [[round(float(v), 4) for v in row] for row in step]
    head = {
        "scale": mark_scale,
        "bias": [round(float(bias[0]) + MISSED, 4), round(float(bias[1]), 4)],
        "steps": [rounded[0][:2], rounded[1], rounded[2]],
        "kindScale": kind_scale,
        "mainScale": main_scale[0],
        "sameScale": same_scale[0],
    }
    return json.dumps(head).encode() + b"\n" + marked + kinded + mained + samed


def _packed(weights: Array) -> tuple[bytes, list[float]]:
    scale = [round(float(np.abs(row).max()) / 127, 8) or 1.0 for row in weights]
    return b"".join(np.round(row / s).astype(np.int8).tobytes() for row, s in zip(weights, scale, strict=True)), scale


# --- figures


def folds(rows: Sequence[Line]) -> Array:
    """Return the fold of each line: lines that share a name are in one."""
    group = list(range(len(rows)))

    def root(at: int) -> int:
        while group[at] != at:
            at = group[at]
        return at

    seen: dict[str, int] = {}
    for at, row in enumerate(rows):
        for first, end in row.spans:
            name = row.text[row.pieces[first].start : row.pieces[end - 1].end].casefold()
            if name in seen:
                group[root(at)] = root(seen[name])
            seen[name] = at
    return np.array([zlib.crc32(str(root(at)).encode()) % FOLDS for at in range(len(rows))])


class Found(NamedTuple):
    lang: str
    right: int  # name exact
    kind: int  # name and kind
    told: int
    there: int
    about: int  # lines that are about a name, where that one is found and rated highest
    abouts: int


def measured(model: Model, rows: Sequence[Line]) -> Iterator[Found]:
    for row in rows:
        names = tagger.spans(row.text, row.pieces, model)
        judged = tagger.judged(row.pieces, names, model=model)
        true = {text_of(row, s): k for s, k in zip(row.spans, row.kinds, strict=True)}
        told = {text_of(row, s): j for s, j in reversed(list(zip(names, judged, strict=True)))}
        right = sum(name in true for name in told)
        kind = sum(true.get(name) == j.kind for name, j in told.items())
        best = max(told, key=lambda n: told[n].main, default="")
        main = text_of(row, row.spans[row.main]) if row.main is not None else None
        yield Found(row.lang, right, kind, len(told), len(true), int(best == main), int(main is not None))


def figures(found: Sequence[Found]) -> dict[str, float]:
    """Return how many names are found and told rightly: F1 of the name, of name and kind; the right main one."""
    told, there = sum(f.told for f in found), sum(f.there for f in found)
    whole = told + there or 1
    return {
        "name": round(2 * sum(f.right for f in found) / whole, 3),
        "kind": round(2 * sum(f.kind for f in found) / whole, 3),
        "precision": round(sum(f.right for f in found) / (told or 1), 3),
        "recall": round(sum(f.right for f in found) / (there or 1), 3),
        "main": round(sum(f.about for f in found if f.abouts) / (sum(f.abouts for f in found) or 1), 3),
    }


def by_folds(rows: Sequence[Line]) -> dict[str, Any]:
    """Return the figures of lines that were left out, and write what was found in them: the router learns from that."""
    fold = folds(rows)
    found = list[Found]()
    unseen: dict[str, list[list[Any]]] = {}
    for at in range(FOLDS):
        model = tagger.read(fitted([r for r, f in zip(rows, fold, strict=True) if f != at]))
        left = [r for r, f in zip(rows, fold, strict=True) if f == at]
        found += measured(model, left)
        unseen |= {row.text: [list(each[:3]) for each in mentions.found(row.text, model=model)] for row in left}
    told = (json.dumps({"text": text, "found": each}, ensure_ascii=False) for text, each in sorted(unseen.items()))
    UNSEEN.write_text("\n".join(told) + "\n", "utf-8")
    by_lang = {lang: figures([f for f in found if f.lang == lang]) for lang in sorted({f.lang for f in found})}
    return {**figures(found), "languages": by_lang}


def by_hands() -> dict[str, Any]:
    """Return the figures of each hand's lines, learned from the others."""
    found = {}
    for name in FILES:
        model = tagger.read(fitted([row for other in FILES if other != name for row in hand(other)]))
        found[name] = figures(list(measured(model, hand(name))))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the weights that lie there; write nothing")
    options = parser.parse_args()
    rows = lines()
    data = fitted(rows)
    told = {"lines": len(rows), "names": sum(len(row.spans) for row in rows), "bytes": len(data)}
    if not options.check:
        WEIGHTS.write_bytes(data)
        sys.stdout.write(json.dumps({**told, **by_folds(rows), "hands": by_hands()}) + "\n")
        return
    old, new = (each.partition(b"\n")[2] for each in (WEIGHTS.read_bytes(), data))
    steps = (
        np.abs(np.frombuffer(old, np.int8).astype(int) - np.frombuffer(new, np.int8)) if len(old) == len(new) else 999
    )
    sys.stdout.write(json.dumps({**told, "steps": int(np.max(steps))}) + "\n")
    sys.exit(1 if np.max(steps) > 2 else 0)


if __name__ == "__main__":
    main()
