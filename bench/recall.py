"""How often does `koog recall --brief` alone answer a question about a life that was told? Built-in engine.

    python bench/recall.py LIFE.json [--half even|odd] [--missed] [--keep DIR] [--embedding none|encoder]

A life is told saying by saying, each `remember`ed at its time; what is to be forgotten goes through `koog forget`. Then
every question is asked. Figures:

answered       share of the questions with an answer of which the brief text has all that it must; by kind beside it
sure           of those, share that were told as sure (`found`)
false          share of all questions for which a wrong value is told as holding, above what answers or in its place
falseAnywhere  share for which a wrong value is told as holding in any line
neverSure      share of the questions about what was never told that are answered as sure
forgottenShown how many of the questions about what was forgotten show words that must never be shown
privateShown   words of private blocks in any brief
tokens         of a brief, on average

A line of the brief that says until when it held, or that it may be out of date, is not told as holding.
Prints one JSON line.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

PAST = re.compile(r" \(until \d{4}-\d\d-\d\d: .*\)\Z")
PAST_LINE = re.compile(r"\[[^\]]*, (?:until \d{4}-\d\d-\d\d: replaced|perhaps out of date(?:: see \S+)?)\]")
PRIVATE = re.compile(r"<private>(.*?)</private>", re.DOTALL)
ENCODING = 20  # questions
NO_ANSWER = ("never", "forgotten")


class Asked(NamedTuple):
    question: dict[str, Any]
    found: bool
    brief: str
    tokens: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("life", type=Path)
    parser.add_argument("--half", choices=("even", "odd"))
    parser.add_argument("--missed", action="store_true", help="what was answered otherwise, on stderr")
    parser.add_argument("--keep", type=Path, help="the workspace stays there, and is used again where it is there")
    parser.add_argument("--embedding", default="auto")
    given = parser.parse_args()
    life = json.loads(given.life.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        home = given.keep or Path(scratch)
        os.environ |= environment(home, given.embedding)
        begun = time.perf_counter()
        if not (home / "ws").exists():
            live(home / "ws", life)
        if given.embedding == "encoder":
            encode(home / "ws", life["now"])
        told_s = time.perf_counter() - begun
        questions = life["questions"]
        if given.half:
            questions = questions[given.half == "odd" :: 2]
        asked = [ask(home / "ws", each, life["now"]) for each in questions]
        seconds = time.perf_counter() - begun
    private = [word for each in life["sayings"] for word in PRIVATE.findall(each["text"])]
    line = {"bench": "recall", "life": given.life.stem, "half": given.half, "embedding": given.embedding}
    print(json.dumps(line | figures(asked, private) | {"tellS": round(told_s), "seconds": round(seconds)}))
    if given.missed:
        missed(asked)


def environment(home: Path, embedding: str) -> dict[str, str]:
    """Return what keeps koog from everything of the machine's."""
    return {
        "KOOG_ENGINE": "builtin",
        "KOOG_GIT_COMMIT": "off",
        "KOOG_SEARCH_EMBEDDING": embedding,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }


def live(ws: Path, life: dict[str, Any]) -> None:
    """Tell a life: every saying at its time."""
    first = life["sayings"][0]["at"]
    koog(None, first, "init", str(ws))
    day = first[:10]
    for each in life["sayings"]:
        if each["at"][:10] != day:
            koog(ws, each["at"], "decay", "run")
            day = each["at"][:10]
        if each["kind"] == "forget":
            forget(ws, each)
        else:
            koog(ws, each["at"], "remember", each["text"])
    koog(ws, life["now"], "decay", "run")


def encode(ws: Path, now: str) -> None:
    """Have everything encoded before a question counts, as six months of ticks would: each one goes on for a moment."""
    koog(ws, now, "index")
    for _ in range(ENCODING):
        koog(ws, now, "recall", "anything?")


def forget(ws: Path, saying: dict[str, Any]) -> None:
    """Have forgotten what is listed; where this koog cannot forget, nothing is."""
    code, found = koog(ws, saying["at"], "forget", saying["text"])
    if code == 0 and found.get("matches"):
        koog(ws, saying["at"], "forget", "--confirm", *(each["id"] for each in found["matches"]))


def ask(ws: Path, question: dict[str, Any], now: str) -> Asked:
    """Ask one question and return what is told."""
    from koog.core.text import tokens

    as_of = ("--as-of", question["asOf"]) if question["asOf"] else ()
    code, line = koog(ws, now, "recall", question["q"], "--brief", *as_of)
    if code:
        raise SystemExit(f"recall failed: {line}")
    return Asked(question, line["found"], line["brief"], tokens.estimate(line["brief"]))


def koog(ws: Path | None, now: str, *argv: str) -> tuple[int, dict[str, Any]]:
    """Run one command in this process; return its exit code and its line."""
    from koog.cli import main as call

    out, err = io.StringIO(), io.StringIO()
    where = ["--workspace", str(ws)] if ws else []
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = call([*where, "--now", now, *argv])
    return code, json.loads(out.getvalue().splitlines()[-1])


# --- figures


def figures(asked: list[Asked], private: list[str]) -> dict[str, Any]:
    """Return what the answers are worth."""
    kinds = defaultdict(list)
    for each in asked:
        kinds[each.question["kind"]].append(each)
    answerable = [each for each in asked if each.question["kind"] not in NO_ANSWER]
    right = [each for each in answerable if answers(each)]
    never, forgotten = kinds["never"], kinds["forgotten"]
    return {
        "answered": share(len(right), len(answerable)),
        "sure": share(sum(each.found for each in right), len(right)),
        "byKind": {k: f"{sum(map(answers, those))}/{len(those)}" for k, those in kinds.items() if k not in NO_ANSWER},
        "false": share(sum(is_false(each) for each in answerable), len(asked)),
        "falseAnywhere": share(sum(bool(wrong_lines(each)) for each in answerable), len(asked)),
        "neverSure": share(sum(each.found for each in never), len(never)),
        "forgottenShown": sum(shows(each.brief, each.question["wrong"]) for each in forgotten),
        "privateShown": sum(shows(each.brief, private) for each in asked),
        "tokens": round(sum(each.tokens for each in asked) / len(asked)),
        "mostTokens": max(each.tokens for each in asked),
    }


def share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def shows(text: str, words: list[str]) -> bool:
    low = text.casefold()
    return any(word.strip().casefold() in low for word in words if word.strip())


def answers(asked: Asked) -> bool:
    """Return whether the brief has one of each list of what must be in it."""
    return all(shows(asked.brief, alternatives) for alternatives in asked.question["must"])


def holding(line: str) -> str:
    """Return what of a line is told as holding."""
    return "" if PAST_LINE.search(line) else PAST.sub("", line)


def wrong_lines(asked: Asked) -> list[int]:
    """Return the numbers of the lines that tell a wrong value as holding, and nothing that answers."""
    rows = asked.brief.splitlines()
    musts = [word for alternatives in asked.question["must"] for word in alternatives]
    return [
        n
        for n, row in enumerate(rows)
        if shows(holding(row), asked.question["wrong"]) and not shows(holding(row), musts)
    ]


def is_false(asked: Asked) -> bool:
    """Return whether a wrong value is told as holding before what answers, or in its place."""
    wrong = wrong_lines(asked)
    musts = [word for alternatives in asked.question["must"] for word in alternatives]
    right = [n for n, row in enumerate(asked.brief.splitlines()) if shows(holding(row), musts)]
    return bool(wrong) and (not right or wrong[0] < right[0])


def missed(asked: list[Asked]) -> None:
    """Say on stderr what was answered otherwise."""
    for each in asked:
        kind, said = each.question["kind"], each.question
        told = []
        if kind not in NO_ANSWER:
            told += [] if answers(each) else ["MISSED"]
            told += ["FALSE"] if is_false(each) else ["wrong below"] if wrong_lines(each) else []
        elif kind == "never":
            told += ["SURE"] if each.found else []
        elif shows(each.brief, said["wrong"]):
            told += ["SHOWN"]
        if told:
            print(f"\n{' '.join(told)} [{kind}] {said['q']} found={each.found}", file=sys.stderr)
            print(f"  must {said['must']} wrong {said['wrong']}", file=sys.stderr)
            print("  " + each.brief.replace("\n", "\n  "), file=sys.stderr)


if __name__ == "__main__":
    main()
