"""Does `koog recall` find what two people said, by the stores and with the sessions beneath? LoCoMo, built-in engine.

    python bench/recall_talk.py [FOLDER] [--conversations 2] [--every 4]

Each conversation becomes transcripts, as koog would write them, and sessions of Claude Code in which the first speaker
is the user; `observe` takes these into the stores. Then questions of categories 1 to 4 are asked, of `recall` and of
`koog search` over the raw talk. Recall is the mean share of a question's evidence turns in the first 1,000 tokens:

stores   by the lines of the stores alone: such a line is a turn where most of its words are that turn's; so is an
         observation
recall   with the sessions beneath, as `recall` gives them
search   by the hits of `koog search --category conversation`
tokens   of what is shown of each, on average

Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import locomo_workspace as locomo  # noqa: E402  the checkout's own package
from bench.recall import environment, koog  # noqa: E402
from koog.core.run import Run  # noqa: E402
from koog.core.text import measures, tokens  # noqa: E402

CORPUS = ROOT.parent / "shared/corpus/locomo"
MOST_TOKENS = 1000
OF_TURN = 0.75  # of a line's words: that many are the turn's
NOW = datetime(2024, 3, 1, 12, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--conversations", type=int, default=2)
    parser.add_argument("--every", type=int, default=4)
    given = parser.parse_args()
    found: dict[str, list[float]] = {}
    lines = 0
    for name, talk in list(locomo.conversations(given.folder).items())[: given.conversations]:
        with tempfile.TemporaryDirectory() as scratch:
            lines += asked(talk, Path(scratch), name, given.every, found)
    figures = {key: round(statistics.fmean(values), 3) for key, values in found.items()}
    print(json.dumps({"bench": "recall_talk", "questions": len(found["search"]), "remembered": lines, **figures}))


def asked(talk: dict[str, Any], root: Path, name: str, every: int, found: dict[str, list[float]]) -> int:
    """Ask the questions of one conversation; return how many lines the stores hold."""
    import os

    os.environ |= environment(root, "auto")
    koog(None, NOW.isoformat(), "init", str(root / "ws"))
    places = locomo.build(talk, root)
    sessions(talk, root)
    code, line = koog(root / "ws", NOW.isoformat(), "observe", "--source", "claude", "--since", "2000-01-01T00:00:00Z")
    if code:
        raise SystemExit(f"{name}: {line}")
    texts = {turn["id"]: locomo.words(turn) for each in talk["sessions"] for turn in each["turns"]}
    for question in [q for q in locomo.questions(talk, places) if q.category != locomo.ADVERSARIAL][::every]:
        for key, share, size in answers(root / "ws", question, places, texts):
            found.setdefault(key, []).append(share)
            found.setdefault(f"{key}Tokens", []).append(size)
    return sum(len(file.read_text().splitlines()) for file in (root / "ws/memory/episodes").glob("*.md")) // 3


def sessions(talk: dict[str, Any], root: Path) -> None:
    """Write each session of the talk as one of Claude Code: the first speaker is the user."""
    folder = root / ".claude/projects" / str(root / "ws").replace("/", "-").replace("_", "-").replace(".", "-")
    folder.mkdir(parents=True, exist_ok=True)
    user = talk["sessions"][0]["turns"][0]["speaker"]
    for session in talk["sessions"]:
        at = datetime.strptime(session["date"], locomo.SESSION_TIME).replace(tzinfo=UTC)
        key = f"{session['session']:08x}-0000-4000-8000-00000000001f"
        rows = []
        for n, turn in enumerate(session["turns"]):
            role = "user" if turn["speaker"] == user else "assistant"
            text = locomo.words(turn)
            rows.append(
                {
                    "parentUuid": rows[-1]["uuid"] if rows else None,
                    "sessionId": key,
                    "cwd": str(root / "ws"),
                    "version": "2.1.197",
                    "isSidechain": False,
                    "type": role,
                    "uuid": f"{key}-{n}",
                    "message": {"role": role, "content": text if role == "user" else [{"type": "text", "text": text}]},
                    "timestamp": (at + timedelta(seconds=30 * n)).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                }
            )
        (folder / f"{key}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def answers(
    ws: Path, question: locomo.Question, places: dict[str, locomo.Place], texts: dict[str, str]
) -> Iterable[tuple[str, float, int]]:
    """Yield of each way its name, the share of the evidence that it finds, and the tokens that it shows."""
    from koog.memory.answering import asking
    from koog.search import find

    run = Run(folder=str(ws), now_text=NOW.isoformat())
    got = asking.recalled(run, asking.Wish(question.text))
    told = [each.scored.item.text for each in got.answer.told or got.answer.weak]
    stores, size = within(told)
    of_stores = {id_ for id_ in question.evidence if any(is_of(line, texts[id_]) for line in stores)}
    yield "stores", len(of_stores) / len(question.evidence), size
    sure = [each.scored.item.text for each in got.answer.told]
    first, size = within(sure)
    rest, more = within([hit.text for hit in got.raw], room=MOST_TOKENS - size)
    seen = {id_ for id_ in question.evidence if any(is_of(line, texts[id_]) for line in first)}
    for hit in got.raw[: len(rest)]:
        lines = hit.text.splitlines() if hit.category == "observation" else []
        told_there = (id_ for id_ in question.evidence if any(is_of(bare(line), texts[id_]) for line in lines))
        seen |= {*told_there, *(id_ for id_ in question.evidence if holds(hit, places[id_]))}
    yield "recall", len(seen) / len(question.evidence), size + more
    hits = find.find(run, question.text, category="conversation", limit=20).hits
    kept, size = within([hit.text for hit in hits])
    seen = {id_ for id_ in question.evidence for hit in hits[: len(kept)] if holds(hit, places[id_])}
    yield "search", len(seen) / len(question.evidence), size


def within(lines: Iterable[str], *, room: int = MOST_TOKENS) -> tuple[list[str], int]:
    """Return the first lines that have room, and their tokens."""
    kept, size = list[str](), 0
    for line in lines:
        if size + (more := tokens.estimate(line)) > room:
            break
        kept.append(line)
        size += more
    return kept, size


def bare(line: str) -> str:
    """Return the words of an observation."""
    return re.sub(r"<!--.*?-->", "", line).strip("- 🔴🟡🟢")


def is_of(line: str, turn: str) -> bool:
    words = measures.content_words(line)
    return bool(words) and len(words & measures.content_words(turn)) >= OF_TURN * len(words)


def holds(hit: Any, place: locomo.Place) -> bool:
    return bool(hit.path == place.path and hit.lines[0] <= place.line <= hit.lines[1])


if __name__ == "__main__":
    main()
