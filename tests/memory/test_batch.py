"""koog remember --batch: of each line comes what would come of it alone; a bad one is told, and the others go on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from koog.core.run import Run
from koog.memory import remember
from koog.memory.wanted import Wanted
from tests.conftest import Koog, git

pytestmark = pytest.mark.usefixtures("workspace")
HERE = Path(__file__).parent
TOLD = (
    ("Ana Ruiz lives in Porto", "Ana moved to Braga last week", "Ana likes tea"),
    ("Ben Okafor fixes boats", "Ben Sato paints houses", "Ben called about the pipes", "Ben Sato moved to Kyoto"),
    ("Halde Logistics delivers on Tuesdays", "Halde is late again with the crates"),
    ("Met Tom at the pool", "Hello, Signe Aaltonen, ice master in Kuopio", "I live in Kuopio", "Signe moved to Oulu"),
    ("My wife is Rosa Lind", "Rosa works at Lumen", "Mr. Smith runs the bakery", "Mrs. Smith teaches", "Smith is ill"),
    ("田中先生は歯医者です", "田中先生は横浜に引っ越しました", "陈思远在上海工作", "陈思远搬到了杭州"),
    ("The Planner runs on Go", "Everybody calls the Planner just Leo", "Leo crashed again"),
    tuple(json.loads(line)["text"] for line in (HERE / "life_dev.jsonl").read_text("utf-8").splitlines()),
)


def became(texts: tuple[str, ...], *, at_once: bool) -> list[dict]:
    """Remember some things in one step or in one each; return what became of each."""
    run = Run(now_text="2026-03-04T10:00:00Z")
    every = [Wanted(text, explicit=True) for text in texts]
    steps = [every] if at_once else [[each] for each in every]
    return [each.row for step in steps for each in remember.store_all(run, step, word=True, asks=False)[0]]


@pytest.mark.parametrize("texts", TOLD)
def test_a_batch_leaves_what_its_lines_leave_one_by_one(texts: tuple[str, ...]) -> None:
    alone = became(texts, at_once=False)
    for path in ("memory", ".koog/entities.json", "MEMORY.md"):
        where = Path(path)
        shutil.rmtree(where) if where.is_dir() else where.unlink(missing_ok=True)

    together = became(texts, at_once=True)

    assert together == alone


BAD = (
    {"text": "  "},
    {"text": "x" * 5000},
    {"text": "Ana is back", "replaces": "fact:person--ana:00000000"},
    {"text": "Ana is back", "replaces": "core:../x"},
    {"text": "Ana is back", "store": "semantic", "entity": "<!-- nobody -->"},
    {"text": "Ana is back", "store": "semantic", "entity": "person--../x"},
    {"text": "Ana uses Redis", "store": "semantic", "edges": ["uses:tool--.redis"]},
)


@pytest.mark.parametrize("row", BAD)
def test_a_bad_line_is_told_with_its_number_and_the_others_go_on(koog: Koog, row: dict) -> None:
    rows = [{"text": "met Bo", "store": "episodic"}, row, {"text": "met Kim", "store": "episodic"}]
    Path("batch.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))

    code, line = koog("remember", "--batch", "batch.jsonl")

    assert (code, line["count"], [each["line"] for each in line["refused"]]) == (0, 2, [2])
    assert line["refused"][0]["reason"]
    assert not list(Path("memory").glob("graph/entities/*"))


@pytest.mark.parametrize(
    "row",
    [
        {"text": "x", "explicit": "no"},
        {"text": "x", "merge": "false"},
        {"text": "x", "merge": 1},
        {"text": "x", "edges": ["uses"]},
        {"text": "x", "edges": [":Redis"]},
    ],
)
def test_a_value_of_a_wrong_kind_is_told_with_its_line(koog: Koog, row: dict) -> None:
    Path("batch.jsonl").write_text('{"text": "good"}\n' + json.dumps(row) + "\n")

    code, line = koog("remember", "--batch", "batch.jsonl")

    assert (code, line["error"]["code"]) == (2, "usage")
    assert "line 2" in line["error"]["message"]


def test_flags_of_a_line_go_before_those_of_the_call(koog: Koog) -> None:
    Path("batch.jsonl").write_text('{"text": "met Bo at noon", "explicit": false}\n{"text": "met Kim at noon"}\n')

    _, line = koog("remember", "--batch", "batch.jsonl", "--explicit")

    assert [row["confidence"] for row in line["memories"]] == ["medium", "high"]


def test_an_id_that_is_none_makes_no_entity(koog: Koog) -> None:
    _, line = koog("remember", "Ana is back", "--store", "semantic", "--entity", "person--../x")

    assert line["error"]["code"] == "usage"
    assert not Path("memory/graph").exists()


def test_a_batch_that_is_told_again_on_its_day_is_the_same_thing(koog: Koog, workspace: Path) -> None:
    texts = TOLD[-1]
    Path("b.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts))
    first = koog("remember", "--batch", "b.jsonl")[1]
    tree = git(workspace, "rev-parse", "HEAD^{tree}")

    again = koog("remember", "--batch", "b.jsonl")[1]

    assert first["count"] > 50
    assert again["count"] == 0
    assert git(workspace, "rev-parse", "HEAD^{tree}") == tree


def test_a_long_batch_lets_the_workspace_go_now_and_then(koog: Koog, workspace: Path) -> None:
    lines = [json.dumps({"text": f"Ana put lamp {n} into row {n % 7} of the hall by the lake"}) for n in range(1010)]
    Path("b.jsonl").write_text("\n".join(lines))
    before = len(git(workspace, "rev-list", "HEAD").split())

    _, line = koog("remember", "--batch", "b.jsonl")

    assert (line["ok"], line["count"]) == (True, 1010)
    assert len(git(workspace, "rev-list", "HEAD").split()) > before + 1
    assert git(workspace, "status", "--porcelain", "--untracked-files=no") == ""
