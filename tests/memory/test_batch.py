"""koog remember --batch: of each line comes what would come of it alone; a bad one is told, and the others go on."""

from __future__ import annotations

import fcntl
import json
import shutil
import time
from contextlib import suppress
from pathlib import Path

import pytest

from koog.core.run import Run
from koog.memory import portions, remember
from koog.memory.wanted import Wanted
from tests import warm
from tests.conftest import Koog, git
from tests.fakes.model import FakeModel

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


AGAIN = (
    [{"text": text} for text in TOLD[-1]],
    [
        {"text": "Ana Ruiz is vegan"},
        {"text": "Ana Ruiz is not vegan any more"},
        {"text": "Met Tom at the pool"},
        {"text": "My wife is Rosa Lind"},
        {"text": "Rosa works at Lumen"},
        {"text": "Rosa works at Nine now"},
    ],
    [
        {"text": "The port is 8080", "store": "semantic", "entity": "Planner"},
        {"text": "The port is 9090 now, no longer 8080", "store": "semantic", "entity": "Planner"},
        {"text": "Met Bo at noon", "store": "episodic"},
        {"text": "I live in Bern", "store": "core"},
        {"text": "I moved to Basel, no longer Bern", "store": "core"},
        {"text": "Omar prefers the bicycle brakes 699", "store": "core"},
        {"text": "Omar prefers the bicycle brakes 1399", "store": "core"},
    ],
)


@pytest.mark.parametrize("rows", AGAIN, ids=("life", "people", "stores"))
def test_a_batch_that_is_told_again_on_its_day_is_the_same_thing(koog: Koog, workspace: Path, rows: list[dict]) -> None:
    Path("b.jsonl").write_text("\n".join(map(json.dumps, rows)))
    first = koog("remember", "--batch", "b.jsonl")[1]
    tree = git(workspace, "rev-parse", "HEAD^{tree}")

    again = koog("remember", "--batch", "b.jsonl")[1]

    assert first["count"] > len(rows) * 0.8
    assert again["count"] == 0
    assert git(workspace, "rev-parse", "HEAD^{tree}") == tree


def test_a_row_of_what_was_forgotten_is_told_with_its_number(koog: Koog) -> None:
    koog("remember", "Ana Ruiz plays chess", "--store", "semantic", "--entity", "person--ana-ruiz")
    koog("forget", "entity:person--ana-ruiz", "--confirm")
    rows = ["met Bo", "Ana Ruiz sings in a choir", "met Kim"]
    where = [{"store": "episodic"}, {"store": "semantic", "entity": "person--ana-ruiz"}, {"store": "episodic"}]
    Path("b.jsonl").write_text("\n".join(json.dumps({"text": t} | w) for t, w in zip(rows, where, strict=True)))

    code, line = koog("remember", "--batch", "b.jsonl")

    assert (code, line["count"], [each["line"] for each in line["refused"]]) == (0, 2, [2])
    assert "forgotten" in line["refused"][0]["reason"]
    assert koog("remember", "--batch", "b.jsonl", "--explicit")[1]["count"] == 1


@pytest.fixture
def long(workspace: Path) -> Path:
    """A batch of more than one portion, in the end of which stands what Ana keeps."""
    lines = [f"Ana put lamp {n} into row {n % 7} of the hall by the lake" for n in range(portions.PORTION)]
    rows = [*lines, "Ben keeps a heron of blue glass above the stove"]
    path = workspace.parent / "long.jsonl"
    path.write_text("\n".join(json.dumps({"text": text, "store": "episodic"}) for text in rows))
    return path


def test_what_somebody_forgets_while_a_long_batch_runs_is_not_stored_by_it(
    koog: Koog, workspace: Path, long: Path
) -> None:
    _, known = koog("remember", "Ben keeps a heron of blue glass above the stove", "--store", "episodic")
    batch = warm.Process("remember", "--batch", str(long), cwd=workspace)
    while not is_locked(workspace) and not git(workspace, "log", "--grep", "koog remember --batch"):
        time.sleep(0.01)

    gone = warm.Process("forget", known["id"], "--confirm", cwd=workspace)
    out, err = gone.communicate(timeout=120)
    said = json.loads(batch.communicate(timeout=120)[0])

    assert gone.returncode == 0, (out, err)
    assert [row["line"] for row in said["refused"]] == [portions.PORTION + 1]
    assert said["count"] == portions.PORTION


def is_locked(workspace: Path) -> bool:
    """Return whether some koog writes there."""
    with suppress(FileNotFoundError), (workspace / ".koog/lock").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_a_long_batch_is_several_commits_and_one_session(koog: Koog, workspace: Path, long: Path) -> None:
    koog("remember", "met Bo", "--store", "episodic")
    before = git(workspace, "rev-parse", "HEAD")

    _, line = koog("remember", "--batch", str(long))

    assert (line["ok"], line["count"]) == (True, portions.PORTION + 1)
    assert len(git(workspace, "rev-list", f"{before}..HEAD").split()) > 1
    assert git(workspace, "status", "--porcelain", "--untracked-files=no") == ""
    for commit in git(workspace, "rev-list", f"{before}..HEAD").split():
        _, plan = koog("rollback", "session", commit)
        assert [(row["path"], row["action"]) for row in plan["files"] if "episodes" in row["path"]]
    _, done = koog("rollback", "session", commit, "--confirm", plan["plan"])
    assert done["applied"]
    left = "".join(path.read_text() for path in Path("memory/episodes").glob("*.md"))
    assert ("met Bo" in left, "lamp" in left, "heron" in left) == (True, False, False)


def test_a_session_is_taken_back_once(koog: Koog, workspace: Path) -> None:
    Path("b.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in ("met Bo", "met Kim at noon")))
    first = koog("remember", "--batch", "b.jsonl")[1]["_meta"]["commit"]
    plan = koog("rollback", "session", first)[1]["plan"]
    back = koog("rollback", "session", first, "--confirm", plan)[1]["_meta"]["commit"]
    koog("remember", "--batch", "b.jsonl")

    code, line = koog("rollback", "session", first)

    assert (code, line["error"]["code"]) == (5, "refused")
    assert back[:12] in line["error"]["hint"]
    assert "met Kim" in "".join(path.read_text() for path in Path("memory/episodes").glob("*.md"))


FILL = [{"text": f"Lamp {n} stands in row {n % 9}", "store": "episodic"} for n in range(portions.PORTION)]


@pytest.mark.parametrize("between", [[], FILL], ids=("one portion", "two"))
@pytest.mark.parametrize(
    "rows",
    [
        ["Ana lives in Porto", "Ana lives in Faro", "Ana lives in Porto"],
        ["I live in Milan", "I moved to Rome", "I live in Milan"],
    ],
    ids=("hers", "mine"),
)
def test_what_a_batch_takes_back_and_tells_again_holds(koog: Koog, rows: list[str], between: list[dict]) -> None:
    *first, last = [{"text": text} for text in rows]
    Path("b.jsonl").write_text("\n".join(map(json.dumps, [*first, *between, last])))

    _, line = koog("remember", "--batch", "b.jsonl")

    assert line["count"] == len(rows) + len(between)


def test_a_batch_told_again_after_the_log_was_folded_is_the_same_thing(koog: Koog) -> None:
    at = ("--now", "2026-03-01T10:00:00Z")
    Path("b.jsonl").write_text("\n".join(json.dumps({"text": f"Ana lives in {place}"}) for place in ("Porto", "Faro")))
    koog(*at, "remember", "--batch", "b.jsonl")
    koog("--now", "2026-03-01T11:00:00Z", "decay", "run")

    assert koog(*at, "remember", "--batch", "b.jsonl")[1]["count"] == 0


def test_a_row_that_took_a_lines_place_has_done_so(koog: Koog) -> None:
    rows = [{"text": "I live in Milan"}, {"text": "I live in Rome", "replaces": "I live in Milan"}]
    Path("b.jsonl").write_text("\n".join(map(json.dumps, rows)))
    koog("remember", "--batch", "b.jsonl")

    code, line = koog("remember", "--batch", "b.jsonl")

    assert (code, line["count"], line["refused"]) == (0, 0, [])


def test_what_a_full_core_memory_let_go_is_told_once(koog: Koog) -> None:
    words = "the tall lamp by the long wall of hall"
    rows = [{"text": f"Fact {n}: {f'{words} {n} ' * 8}", "store": "core", "block": "context"} for n in range(60)]
    Path("b.jsonl").write_text("\n".join(map(json.dumps, rows)))
    koog("remember", "--batch", "b.jsonl", "--prune")

    assert koog("remember", "--batch", "b.jsonl", "--prune")[1]["count"] == 0


def test_what_a_row_brings_back_is_there_for_those_behind_it(koog: Koog) -> None:
    koog("remember", "Ana Ruiz plays chess", "--store", "semantic", "--entity", "person--ana-ruiz")
    koog("forget", "entity:person--ana-ruiz", "--confirm")
    rows = [{"text": "Ana Ruiz sings in a choir", "explicit": True}, {"text": "Ana Ruiz likes tea"}]
    Path("b.jsonl").write_text("\n".join(map(json.dumps, rows)))

    _, line = koog("remember", "--batch", "b.jsonl")

    assert (line["count"], line["refused"]) == (2, [])


@pytest.mark.parametrize(
    "row",
    [
        {"text": "To deploy the site: " + "run the build and then look at the log and " * 40 + "restart"},
        {"text": "The lamp of the hall is blue and " * 15 + "Ana fills the pump", "store": "procedural"},
        {"text": "Start:\n" + "\n".join(f"{n}. turn valve {n}" for n in range(1, 81)), "store": "procedural"},
        {"text": "A" + "b" * 200 + " lives in Porto"},
        {"text": " ".join(f"w1x{n}" for n in range(60))},
    ],
    ids=("step", "trigger", "steps", "name", "words"),
)
def test_a_long_row_is_stored_as_any_other(koog: Koog, row: dict) -> None:
    Path("b.jsonl").write_text("\n".join(map(json.dumps, [{"text": "met Bo"}, row])))

    code, line = koog("remember", "--batch", "b.jsonl")

    assert (code, line["count"]) == (0, 2)


def test_the_line_of_a_long_batch_is_no_longer_than_any(koog: Koog, long: Path) -> None:
    _, line = koog("remember", "--batch", str(long))

    assert len(json.dumps(line)) < 20_000
    assert line["_meta"]["truncated"]


def test_what_a_model_has_said_is_stored_when_it_fails(koog: Koog, llm: FakeModel) -> None:
    texts = [f"Ana put lamp {n} into hall {n * 7}" for n in range(8)]
    Path("b.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts))
    for n in range(5):
        llm.says(json.dumps({"store": "episodic", "summary": texts[n]}))
    llm.fails(400)

    code, line = koog("--engine", "llm", "remember", "--batch", "b.jsonl")

    assert code != 0
    assert "5 of 8" in line["error"]["message"]
    assert "hall 28" in next(Path("memory/episodes").glob("*.md")).read_text()
