"""A file of real talk that has grown long: it ends under the limit, keeps what is important, and then rests."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path

import pytest

from koog.observe import observations, reflection_laws
from koog.observe.observations import HIGH, Observation
from tests.conftest import LONG

TALKS = Path(__file__).parents[3] / "shared/corpus/locomo"
WORDS, LIMIT = 14_000, 8000
TODAY = date(2026, 2, 28)
FORCED = ("--now", f"{TODAY}T12:00:00Z", "reflect", "--force")


def talk() -> str:
    """Return observations.md as 14,000 words of talk fill it: of each day the turns that are longest."""
    found: list[Observation] = []
    size = 0
    for path in sorted(TALKS.glob("conversation-*.json")):
        for session in json.loads(path.read_text("utf-8"))["sessions"]:
            begin = datetime.strptime(session["date"], "%I:%M %p on %d %B, %Y")
            turns = sorted(session["turns"], key=lambda turn: -len(turn["text"]))[:8]
            for n, turn in enumerate(turns):
                text = observations.plain(turn["text"])
                mark = (8, 5, 5, 5, 5, 2, 5, 2)[n]
                own = Observation(f"{begin:%Y-%m-%d}", f"{begin:%H}:{n:02}", text, "fact", mark, 0.8, f"s#{turn['id']}")
                size += observations.words(observations.written(own))
                if size <= WORDS:
                    found.append(own)
    return observations.added("", found)


@LONG
@pytest.mark.skipif(not TALKS.is_dir(), reason="no talk here")
def test_fourteen_thousand_words_of_talk_end_under_the_limit_with_all_that_is_important_and_rest_there(koog, workspace):
    path = workspace / "memory/observations.md"
    path.write_text(talk())
    before = observations.observations(path.read_text())

    line = koog(*FORCED)[1]
    after = path.read_bytes()
    again = koog(*FORCED)[1]

    assert line["wordsBefore"] > 13_000
    assert LIMIT / 2 < line["wordsAfter"] <= LIMIT
    assert line["overLimit"] == 0
    left = observations.observations(after.decode())
    for old in (o for o in before if o.mark == HIGH):
        stands = any(o.mark == HIGH and not reflection_laws.lost(o.text, old.text) for o in left if o.text == old.text)
        told = [row for row in line["dropped"] if old.text in row["line"]]
        assert stands or all("superseded" in row["reason"] for row in told)
    assert {o.text for o in left} <= {o.text for o in before}
    assert (again["reflected"], path.read_bytes()) == (False, after)


def test_over_the_limit_with_nothing_that_may_yield_it_says_so(koog, workspace):
    path = workspace / "memory/observations.md"
    texts = [f"Rule {n} {'x' * n} holds for room {n}" for n in range(900)]
    lines = [Observation("2026-02-01", f"{n // 60:02}:{n % 60:02}", text, "rule", 9, 1, f"s#{n}")
             for n, text in enumerate(texts)]  # fmt: skip
    path.write_text(observations.added("", lines))

    line = koog(*FORCED)[1]

    assert (line["reflected"], line["linesAfter"]) == (False, 900)
    assert line["overLimit"] == line["wordsAfter"] - LIMIT > 0
    assert f"{line['overLimit']} over the limit" in line["reason"]
