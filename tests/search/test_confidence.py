"""How sure an answer is called: by questions of another hand to a house's notes and to a fresh workspace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import retrieval as bench
from koog.core.run import Run
from koog.search.embedding import folder
from koog.search.find import find

with_vectors = pytest.mark.skipif(folder("sqlite_vec") is None, reason="the extra `vectors` is not installed")


@pytest.fixture(scope="module")
def asked(tmp_path_factory) -> dict:
    return bench.curve(json.loads(bench.QUESTIONS.read_text("utf-8")), tmp_path_factory.mktemp("asked"))


@with_vectors
def test_a_fresh_workspace_answers_no_strangers_question(asked):
    assert asked["byThreshold"]["0.5"]["freshCalledSure"] == 0


@with_vectors
def test_what_nothing_answers_is_seldom_called_sure(asked):
    at = asked["byThreshold"]["0.5"]

    assert at["unansweredCalledSure"] <= 0.12
    assert at["rightCalledWeak"] <= 0.25


@with_vectors
def test_five_of_six_first_hits_are_right(asked):
    assert asked["right"] >= 5 / 6 * asked["of"]


@pytest.mark.parametrize(
    ("note", "query"),
    [
        ("세탁기에서 이상한 소리가 났다", "세탁기"),
        ("언니가 6월에 온다", "언니는 언제 와?"),
        ("Die Kellerabdichtung kostet 4.850 Euro", "Abdichtung"),
        ("Die Kellerabdichtung kostet 4.850 Euro", "Abdichtungen"),
        ("Vier lose Ziegel ersetzt", "Dachziegel"),
        ("Der Wasserzähler wird gewechselt", "Zähler"),
    ],
)
def test_words_that_are_written_together_are_found_by_their_letters(workspace: Path, note, query):
    (workspace / "memory/2026-02-10.md").write_text(f"# Tag\n\n- {note}\n")

    found = find(Run(folder=str(workspace)), query, mode="keyword")

    assert note in found.hits[0].text


def test_a_word_that_only_looks_alike_is_not_found(workspace: Path):
    (workspace / "memory/2026-02-10.md").write_text("# Day\n\n- The station was closed, the release is out\n")

    assert find(Run(folder=str(workspace)), "nation leash", mode="keyword").hits == []


def test_words_found_nowhere_make_a_hit_weak_and_the_reply_says_so(koog, workspace: Path):
    (workspace / "memory/2026-02-10.md").write_text("# Day\n\n- The lamp of the hall is blue\n- Rain\n- Sun\n")

    _, sure = koog("search", "--mode", "keyword", "lamp of the hall")
    _, weak = koog("search", "--mode", "keyword", "lamp zandomel krivvit flurbic")

    assert [sure["hits"][0]["weak"], weak["hits"][0]["weak"]] == [False, True]
    assert sure["hits"][0]["confidence"] > 0.5 > weak["hits"][0]["confidence"]


def test_what_is_shown_is_counted_and_an_offset_goes_on_behind_it(koog, workspace: Path):
    for n in range(7):
        (workspace / f"memory/2026-02-{n + 10}.md").write_text("# Day\n\n- the boiler hums\n- the boiler hums on\n")
    pages = [koog("search", "--mode", "keyword", "--limit", "3", "--offset", str(at), "boiler")[1] for at in (0, 3, 6)]

    assert [page["total"] for page in pages] == [7, 7, 7]
    assert [page["truncated"] for page in pages] == [True, True, False]
    assert [len(page["hits"]) for page in pages] == [3, 3, 1]
    assert len({hit["path"] for page in pages for hit in page["hits"]}) == 7
