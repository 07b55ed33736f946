"""How fast topics are read and matched, at 1,000 topics, beside the naive way in the same run; and how rightly.

    python bench/topics.py [--topics 1000] [--messages 200]
    python bench/topics.py --file FILE --tree ../elsewhere --missed   # what a person expects of each message, by koog

FILE is JSON, {"topics": [{"name", "file"}], "messages": [{"text", "active"}]}, as written by hand. Only with it the
share of messages is told whose active topics are exactly those that are expected, with the built-in gate; a trigger
`schedule` is koog's `cron`, and the activation `immediate` (a trigger is enough) its priority `critical`.

Reference for tier 1: each topic's patterns compiled beforehand and searched one after the other;
for tier 2: a loop that compares the message's TF-IDF vector with each topic's. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.statements import ROOT, Place, share
from koog.core.files.workspace import Workspace
from koog.core.text.measures import cosine, document_frequency
from koog.topics import topics
from koog.topics.likeness import Scorer
from koog.topics.topics import Topic
from koog.topics.triggers.matcher import Matcher

T = TypeVar("T")
SYLLABLES = (
    "ba ce di fo gu ka le mi no pu ra se ti vo xu zan bren clor drif glan prest quin stal trom vesk lim tor".split()
)
EVERYDAY, SPECIAL = 3_000, 9_000  # words that everybody uses, words that triggers look for
COMMON = "the a of to in is it we for and that this with on have will need check please can after before".split()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=200)
    parser.add_argument("--file", type=Path, help="topics and messages, with what a person expects")
    parser.add_argument("--tree", type=Path, default=ROOT, help="whose koog decides about the messages of --file")
    parser.add_argument("--missed", action="store_true", help="what was decided otherwise than expected, on stderr")
    given = parser.parse_args()
    if given.file:
        print(json.dumps(rightness(json.loads(given.file.read_text("utf-8")), given.tree, missed=given.missed)))
        return
    dice = random.Random(4)
    words = dice.sample(
        sorted({a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES}), EVERYDAY + SPECIAL
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "topics").mkdir()
        (root / ".koog").mkdir()
        for i in range(given.topics):
            (root / f"topics/t{i:04}.md").write_text(topic_file(dice, words, i), "utf-8")
        cold, loaded = timed(lambda: topics.load(Workspace(root=root)))
        cached, again = timed(lambda: topics.load(Workspace(root=root)))
    assert loaded == again and not loaded.problems, loaded.problems[:3]
    messages = [sentence(dice, words, dice.randint(20, 90)) for _ in range(given.messages)]
    print(json.dumps(figures(loaded.topics, messages) | {"loadMs": {"cold": cold, "cached": cached}}))


def figures(known: list[Topic], messages: list[str]) -> dict[str, object]:
    """Return the milliseconds of each message, once everything is warm; the matches of both ways must be the same."""
    building, matcher = timed(lambda: Matcher(known))
    indexing, scorer = timed(lambda: warm(Scorer(known)))
    loop = NaiveLoop(known)
    assert all(matcher.match(m, "input").fired.keys() == loop.match(m) for m in messages)
    frequency = document_frequency(t.said for t in known)
    texts = {t.name: t.said for t in known[:100]}

    def naive_scores(message: str) -> dict[str, float]:
        return {n: cosine(message, text, frequency=frequency, documents=len(known)) for n, text in texts.items()}

    return {
        "bench": "topics",
        "topics": len(known),
        "triggers": sum(len(t.triggers) for t in known),
        "messages": len(messages),
        "firedPerMessage": statistics.mean(len(loop.match(m)) for m in messages),
        "buildMs": {"matcher": building, "scorer": indexing},
        "tier1Ms": spread(lambda m: matcher.match(m, "input"), messages),
        "tiers12Ms": spread(lambda m: (matcher.match(m, "input"), scorer.scores(m)), messages),
        "naiveTier1Ms": spread(loop.match, messages),
        "naiveTier2Ms": {k: v * len(known) / len(texts) for k, v in spread(naive_scores, messages[:10]).items()},
        "oneMegabyteMs": spread(
            lambda m: (matcher.match(m, "input"), scorer.scores(m)), ["\n".join(messages) * 20] * 3
        ),
        "goalMs": {"tier1": 1.0, "tiers12": 10.0},
    }


def rightness(said: dict[str, Any], tree: Path, *, missed: bool) -> dict[str, object]:
    """Return the share of messages whose active topics are exactly the expected ones, and the errors by kind.

    unfired   a topic that is expected and whose triggers found nothing; dropped: its likeness was too small;
    denied    the gate said no; wrong, wrongAtOnce: active and not expected, by the gate or without one
    """
    sys.path.insert(0, str(tree.resolve()))
    os.environ["PYTHONPATH"] = str(tree.resolve())  # else what is installed would be measured
    run = importlib.import_module("tests.warm").run
    errors = Counter(dict.fromkeys(("unfired", "dropped", "denied", "wrong", "wrongAtOnce"), 0))
    exact = []
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), run)
        (place.ws / "topics").mkdir(exist_ok=True)
        for topic in said["topics"]:
            (place.ws / f"topics/{topic['name']}.md").write_text(as_koog_has_it(topic["file"]), "utf-8")
        for message in said["messages"]:
            line = place.koog("topic", "check", "--text", "-", stdin=message["text"].encode())
            assert not line["problems"], line["problems"]
            reasons = {row["name"]: row["reason"] for row in line["topics"]}
            wanted, found = set(message["active"]), set(line["active"])
            exact.append(wanted == found)
            for name in sorted(wanted ^ found):
                kind = error_of(reasons.get(name, "no-pattern"), name in found)
                errors[kind] += 1
                if missed:
                    print(f"{kind}: {name}: {message['text']!r}", file=sys.stderr)
    quiet = [right for right, message in zip(exact, said["messages"], strict=True) if not message["active"]]
    return {
        "bench": "topics",
        "topics": len(said["topics"]),
        "messages": len(exact),
        "exact": share(exact),
        "exactOfQuiet": share(quiet),
        "errors": errors,
        "goal": {"exact": 0.9},
    }


def error_of(reason: str, is_active: bool) -> str:
    if is_active:
        return "wrong" if reason == "gate-yes" else "wrongAtOnce"
    return {"no-pattern": "unfired", "gate-no": "denied"}.get(reason, "dropped")


def as_koog_has_it(file: str) -> str:
    """Return a topic file in koog's words for what its author calls `schedule` and `immediate`."""
    head, line, body = file.partition("\n---\n")
    head = re.sub(r"type: schedule, match:", "type: cron, schedule:", head)
    head = re.sub(r"^activation: immediate\npriority: .*$", "activation: gated\npriority: critical", head, flags=re.M)
    return head + line + body


class NaiveLoop:
    """What tier 1 is measured against: every trigger as a compiled pattern, one after the other."""

    def __init__(self, known: list[Topic]) -> None:
        self._rules = [(re.compile(p, re.IGNORECASE), t.name) for t in known for p in self._patterns(t)]

    def match(self, text: str) -> set[str]:
        return {name for pattern, name in self._rules if pattern.search(text)}

    @staticmethod
    def _patterns(topic: Topic) -> Iterator[str]:
        for trigger in topic.triggers:
            if trigger.type == "pattern":
                yield trigger.match[0]
            else:
                yield rf"(?<!\w)(?:{'|'.join(map(re.escape, trigger.match))})(?!\w)"


def topic_file(dice: random.Random, words: list[str], number: int) -> str:
    """Return a topic with a pattern, a list of keywords and, every second time, a mention; a hundred words of text."""
    own = dice.sample(words[EVERYDAY:], 12)
    mention = f"  - type: mention\n    match: [{own[7].title()}, '@{own[8]}']\n" if number % 2 else ""
    return (
        "---\ntype: topic\ntriggers:\n"
        f'  - type: pattern\n    match: "\\\\b({own[0]}|{own[1]}s?|{own[2]}[- ]?{own[3]})\\\\b"\n    scope: input\n'
        f"  - type: keyword\n    match: [{own[4]}, {own[5]}, {own[5]} {own[6]}]\n{mention}"
        "activation: gated\npriority: medium\nmax_context_kb: 4\n---\n\n"
        f"# {own[0].title()} {own[4].title()}\n\n{sentence(dice, [*own, *dice.sample(words[:EVERYDAY], 40)], 30)}\n\n"
        f"## Instructions\n\n{sentence(dice, [*own, *dice.sample(words[:EVERYDAY], 40)], 70)}\n"
    )


def sentence(dice: random.Random, words: list[str], length: int) -> str:
    """Return words: half of them small ones, of the others a tenth special ones."""
    everyday = words[:EVERYDAY]
    chosen = (
        dice.choice(COMMON if dice.random() < 0.5 else words if dice.random() < 0.15 else everyday)
        for _ in range(length)
    )
    return " ".join(chosen).capitalize() + "."


def warm(scorer: Scorer) -> Scorer:
    scorer.scores("warm")
    return scorer


def timed(call: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    value = call()
    return round((time.perf_counter() - started) * 1000, 2), value


def spread(call: Callable[[str], object], messages: list[str]) -> dict[str, float]:
    """Return p50 and p95 of a call's milliseconds over the messages, each after one call that warms it."""
    times = []
    for message in messages:
        call(message)
        times.append(timed(lambda text=message: call(text))[0])
    times.sort()
    return {"p50": round(statistics.median(times), 3), "p95": round(times[int(0.95 * (len(times) - 1))], 3)}


if __name__ == "__main__":
    main()
