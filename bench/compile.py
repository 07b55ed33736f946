"""Does the compiled context hold what answers a question?  One JSON line.

    python -m bench.compile ../shared/corpus/locomo --every 3
    python -m bench.compile ../shared/corpus/locomo --every 3 --standing

Each LoCoMo conversation becomes raw transcripts beside an empty workspace (bench/locomo_workspace.py), and every n-th
question with evidence, the adversarial ones left out, a message; with --standing the workspace is not empty, but has
what an agent has who works in it: identity, core memory, a playbook, a journal and observations. Counted is the share
of a question's evidence turns that stand in the compiled text, of questions of which all do, and of the turns' words
in sentences that do: of a turn that seems to steer single ones may be withheld. Beside it, in the same
run, the same budget filled with what the search finds for the question, best first, each that still fits:

search    the text of the hits that `koog search` returns, and nothing else of them
bare      the single turns as the search ranks them, without file, day or who spoke: no text to give to a model, but
          no label or joint costs less

All in one process, by the functions that `koog compile` and `koog search` call.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.locomo_workspace import ADVERSARIAL, build, conversations, questions, words
from koog.context.compile import work
from koog.core.run import Run
from koog.core.text import tokens, trust
from koog.search import find, hits, retrieval, sources

BUDGETS = (1000, 2000, 4000, 8000)
GOAL = 0.75  # of the evidence, at 4,000 tokens
NOW = "2026-02-28T12:00:00Z"  # years behind all talk
# What stands in a workspace before anybody asks: path → head and how many lines; more than 2,000 tokens hold.
STANDING = {
    "SOUL.md": ("# Soul\n", 4),
    "MEMORY.md": ("# Core memory\n", 40),
    "memory/sinain-playbook.md": ("# Playbook\n", 60),
    "memory/2026-02-28.md": ("# Saturday\n", 30),
    "memory/observations.md": ("# Observations\n\nDate: 2026-02-27\n", 60),
}
SEARCHED = 500  # hits or passages that the references may fill their budget with


class Seen(NamedTuple):
    """What one text holds of a question's evidence: the share of its turns, and of their words; and what it cost."""

    share: float
    words: float
    tokens: int


def compiled(run: Run, question: str, evidence: Sequence[str], budget: int) -> Seen:
    """Return what the compiled context holds."""
    return seen(work(run, question, limit=budget).text, evidence)


def found(run: Run, question: str) -> dict[str, list[str]]:
    """Return the texts that the references fill their budget with, best first."""
    with find.opened(run) as (index, _):
        ranked = retrieval.rank(index, question, limit=SEARCHED).passages
    return {
        "search": [hit.text for hit in find.find(run, question, limit=SEARCHED).hits],
        "bare": hits.texts(sources.of(run), ranked),
    }


def filled(texts: Sequence[str], evidence: Sequence[str], budget: int) -> Seen:
    """Return what a budget filled with texts holds."""
    taken, left = [], budget * tokens.UNITS
    for text in texts:
        price = tokens.cost(f"{text}\n")
        if price <= left:
            taken.append(text)
            left -= price
    return seen("\n".join(taken), evidence)


def seen(text: str, evidence: Sequence[str]) -> Seen:
    plain = " ".join(text.split())
    told = fmean(turn in plain or told_of(turn, plain) for turn in evidence)
    return Seen(fmean(turn in plain for turn in evidence), told, tokens.estimate(text))


def told_of(turn: str, plain: str) -> float:
    """Return which share of a turn is in sentences that a text holds."""
    sentences = re.split(trust.SENTENCE, turn)
    return sum(len(each) for each in sentences if each in plain) / sum(map(len, sentences))


def summary(rows: Sequence[Seen]) -> dict[str, Any]:
    return {
        "evidence": round(fmean(row.share for row in rows), 3),
        "allOfIt": round(fmean(row.share == 1 for row in rows), 3),
        "words": round(fmean(row.words for row in rows), 3),
        "tokens": round(fmean(row.tokens for row in rows)),
    }


def stand(workspace: Path) -> None:
    """Write what stands in a workspace whatever is asked."""
    for path, (head, many) in STANDING.items():
        lines = "".join(
            f"- machine {n} in hall {path[:3]} is oiled by the shift before it starts\n" for n in range(many)
        )
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_text(f"{head}\n{lines}", "utf-8")


def measured(
    conversation: dict[str, Any], *, every: int, standing: bool = False
) -> tuple[dict[tuple[str, int], list[Seen]], list[float]]:
    """Return (what, budget) → what was seen for each question, and the seconds that each compilation took."""
    rows: dict[tuple[str, int], list[Seen]] = {}
    seconds = []
    said = {turn["id"]: words(turn) for session in conversation["sessions"] for turn in session["turns"]}
    with TemporaryDirectory() as folder:
        places = build(conversation, Path(folder))
        if standing:
            stand(Path(folder) / "ws")
        run = Run(folder=f"{folder}/ws", engine="builtin", now_text=NOW)
        asked = [q for q in questions(conversation, places) if q.category != ADVERSARIAL]
        for question in asked[::every]:
            evidence = [said[turn] for turn in question.evidence]
            references = found(run, question.text)
            for budget in BUDGETS:
                started = time.perf_counter()
                rows.setdefault(("compile", budget), []).append(compiled(run, question.text, evidence, budget))
                seconds.append(time.perf_counter() - started)
                for name, texts in references.items():
                    rows.setdefault((name, budget), []).append(filled(texts, evidence, budget))
    return rows, seconds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--every", type=int, default=1, help="every n-th question of a conversation")
    parser.add_argument("--standing", action="store_true", help="beside what stands in a workspace whatever is asked")
    given = parser.parse_args()
    rows: dict[tuple[str, int], list[Seen]] = {}
    seconds: list[float] = []
    for conversation in conversations(given.corpus).values():
        shares, took = measured(conversation, every=given.every, standing=given.standing)
        seconds += took
        for key, values in shares.items():
            rows.setdefault(key, []).extend(values)
    line = {
        "bench": "compile",
        "questions": len(rows["compile", BUDGETS[0]]),
        "budgets": {str(b): {what: summary(rows[what, b]) for what in ("compile", "search", "bare")} for b in BUDGETS},
        "medianMs": round(median(seconds) * 1000, 1),
        "goal": GOAL,
    }
    print(json.dumps(line, separators=(",", ":")))


if __name__ == "__main__":
    main()
