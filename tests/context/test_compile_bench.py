"""bench/compile.py counts what it says it counts."""

from __future__ import annotations

from bench import compile as bench
from bench.locomo_workspace import build, questions, words

CONVERSATION = {
    "sessions": [
        {
            "session": 1,
            "date": "1:56 pm on 8 May, 2023",
            "turns": [
                {"id": "D1:1", "speaker": "Ana", "text": "I adopted a greyhound yesterday!"},
                {"id": "D1:2", "speaker": "Ben", "text": "What a\nday", "photo": "a grey dog"},
            ],
        }
    ],
    "questions": [
        {
            "question": "Which dog did Ana adopt?",
            "answer": "a greyhound",
            "category": "single-hop",
            "evidence": ["D1:1"],
        },
        {"question": "Who flew?", "answer": "", "category": "adversarial", "evidence": ["D1:2"]},
        {"question": "Gone?", "answer": "", "category": "single-hop", "evidence": ["D9:9"]},
    ],
}


def test_a_turn_stands_where_its_place_says(tmp_path):
    places = build(CONVERSATION, tmp_path)

    for turn in CONVERSATION["sessions"][0]["turns"]:
        place = places[turn["id"]]
        assert (tmp_path / f"ws-{place.path}").read_text().split("\n")[place.line - 1] == words(turn)
    assert places["D1:2"].path == "raw/conversations/2023/05/08/1356-ses_0001-talk.md"
    assert [q.evidence for q in questions(CONVERSATION, places)] == [("D1:1",), ("D1:2",)]


def test_evidence_counts_where_it_stands_in_the_text():
    seen = bench.seen("Ana: I adopted a\ngreyhound\nBen: hi", ["I adopted a greyhound", "not said"])

    assert (seen.share, bench.filled(["a" * 40, "greyhound"], ["greyhound"], 5).share) == (0.5, 1)


def test_every_budget_is_measured_beside_both_references():
    rows, seconds = bench.measured(CONVERSATION, every=1)

    assert set(rows) == {(what, budget) for what in ("compile", "search", "bare") for budget in bench.BUDGETS}
    assert [row.share for values in rows.values() for row in values] == [1.0] * len(rows)
    assert len(seconds) == len(bench.BUDGETS)
