"""47 shapes that capable models give their answers in: understood, or one row is dropped with its reason.

Black box: a model that is a real server answers, a command is called, its line is read. Each shape says what of it must
be done and what must be refused; the good rows stand whatever lies beside them, nothing crashes, nothing is lost in
silence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from koog.core.run import Run
from koog.observe import observations, observe
from koog.observe.observations import Observation
from tests.conftest import Koog
from tests.fakes.model import FakeModel
from tests.fakes.sessions import FakeReader, turn
from tests.logs import NOW, PLAYBOOK, entry, logged, note, playbook

FILE = "memory/2026-02-27.md"
DRIZZLE = "Decided on Drizzle instead of Prisma because its migrations stay plain SQL"
SQUASH = "Mika prefers squash merges over merge commits"
METRO = "Metro stopped with ENOSPC; fixed by raising the inotify watch limit"
PORT = "The staging database listens on port 5433"
NOTE = [DRIZZLE, SQUASH, METRO, PORT]
BOAT = "The whole team moved to Lisbon and bought a sailing boat"

BODY = (
    "## Established",  # 1
    "- Use pnpm for workspaces (score: 0.8)",  # 2
    "## Patterns",  # 3
    "- The map tiles come from Stadia (score: 0.4)",  # 4
    "- Mika reads mail at noon (score: 0.4)",  # 5
    "- Mika reads her mail at noon (score: 0.3)",  # 6
    "- Write good tests (score: 0.2)",  # 7
)

TURNS = (
    turn(0, "We decided to use Postgres for the billing service."),
    turn(1, "Noted. Shall I keep invoices for seven years?", role="assistant"),
    turn(2, "Yes, keep invoices for seven years."),
    turn(3, "I always take the 7:40 train to Basel on Mondays."),
)
POSTGRES, TRAIN = (
    "User decided to use Postgres for the billing service",
    "User takes the 7:40 train to Basel on Mondays",
)

SEEN = (
    ("Harbor deploys go out on Tuesdays", 5, "2026-02-10"),
    ("Harbor deploys go out on Tuesdays now", 5, "2026-02-12"),
    ("Staging listens on port 4100", 5, "2026-02-13"),
    ("Lena likes green tea", 5, "2026-02-14"),
)


class Done(NamedTuple):
    """What became of an answer: what was done, and what was refused, each with its reason."""

    done: str
    refused: list[dict[str, str]]


# --- one call of each command


def mine(koog: Koog, workspace: Path, llm: FakeModel, answer: Any) -> Done:
    note(workspace, "2026-02-27.md", "".join(f"- {line}\n" for line in NOTE))
    llm.says(answer)
    code, line = koog("mine", "--now", NOW)
    assert code == 0, line
    return Done(
        json.dumps([line[k] for k in ("newPatterns", "contradictions", "preferences")]), line.get("refused", [])
    )


def curate(koog: Koog, workspace: Path, llm: FakeModel, answer: Any) -> Done:
    playbook(workspace, *BODY)
    evidence = [{"kind": "newPatterns", "index": n, "file": FILE, "line": n + 1} for n in range(4)]
    llm.says(answer)
    code, line = koog(
        "curate", "--now", NOW, "--mining-findings", json.dumps({"newPatterns": NOTE, "evidence": evidence})
    )
    assert code == 0, line
    text = (workspace / PLAYBOOK).read_text("utf-8")
    told = json.dumps([line["changes"], line["rewritten"]], ensure_ascii=False)
    return Done(f"{told}\n{text}", line.get("refused", []))


def observed(koog: Koog, workspace: Path, llm: FakeModel, answer: Any) -> Done:
    llm.says(answer)
    run = Run(folder=str(workspace), now_text=NOW, command="observe", engine="llm")
    line = observe.work(run, readers=[FakeReader(a=TURNS)])
    text = (workspace / "memory/observations.md").read_text("utf-8") if line["added"] else ""
    return Done(text, line.get("refused", []))


def reflect(koog: Koog, workspace: Path, llm: FakeModel, answer: Any) -> Done:
    found = [Observation(day, "09:00", text, "fact", mark, 0.8, "s#a") for text, mark, day in SEEN]
    (workspace / "memory/observations.md").write_text(observations.added("", found), "utf-8")
    llm.says(answer)
    code, line = koog("--now", NOW, "reflect", "--force")
    assert code == 0, line
    told = [line[k] for k in ("dropped", "merged", "rewritten")]
    return Done(json.dumps(told), line["keptAgainst"])


def feedback(koog: Koog, workspace: Path, llm: FakeModel, answer: Any) -> Done:
    logged(workspace, entry("2026-02-28T11:00:00Z"))
    llm.says(answer)
    code, line = koog("feedback", "--now", NOW)
    assert code == 0, line
    told = [{"text": "the answer", "reason": text} for text in line["_meta"].get("warnings", [])]
    return Done(str(line["interpretation"]), told)


def synthesize(koog: Koog, workspace: Path, llm: FakeModel, answer: Any) -> Done:
    logged(workspace, entry("2026-02-28T11:00:00Z"))
    llm.says(answer)
    code, line = koog("synthesize", "--now", NOW)
    assert code == 0, line
    return Done(json.dumps([line[k] for k in ("skip", "suggestion", "insight", "skipReason")]), [])


# --- the table


class Shape(NamedTuple):
    """One way to answer. kept, refused: what must stand in what was done, in what was refused"""

    name: str
    ask: Callable[[Koog, Path, FakeModel, Any], Done]
    answer: Any
    kept: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def row(text: str, line: Any = 1, file: Any = FILE, **more: Any) -> dict[str, Any]:
    return {"text": text, "file": file, "line": line, **more}


def seen(text: str, turn: Any = 1, **more: Any) -> dict[str, Any]:
    return {"turn": turn, "type": "decision", "importance": 8, "confidence": 0.9, "text": text, **more}


def mined(patterns: Any, **more: Any) -> dict[str, Any]:
    return {"findings": "A quiet day.", "newPatterns": patterns, "contradictions": [], "preferences": [], **more}


def ops(*operations: Any) -> dict[str, Any]:
    return {"operations": list(operations)}


def add(text: str = DRIZZLE, **more: Any) -> dict[str, Any]:
    return {
        "op": "add",
        "text": text,
        "section": "Patterns",
        "score": 0.5,
        "source": f"{FILE}:1",
        "reason": "noted",
        **more,
    }


SAYS = {"suggestion": "Pin the simulator version today.", "insight": "Both red builds followed an update of Xcode."}
WORDS = "Short technical tips did well; general ones were ignored."
TEA = {"op": "remove", "lines": [3], "newer": 4, "reason": "other"}  # of another subject: the laws keep it
MERGED = "Harbor deploys go out on Tuesdays now"

SHAPES = [
    # mine
    Shape("numbers as strings", mine, mined([row(DRIZZLE, "1"), row(METRO, "3")]), ("Drizzle", "ENOSPC")),
    Shape("numbers with a point", mine, mined([row(DRIZZLE, 1.0), row(METRO, 3.0)]), ("Drizzle", "ENOSPC")),
    Shape("line words", mine, mined([row(DRIZZLE, "line 1"), row(METRO, "L3")]), ("Drizzle", "ENOSPC")),
    Shape(
        "null lists",
        mine,
        mined([row(DRIZZLE)], findings=None, contradictions=None, preferences=None),
        ("Drizzle",),
    ),
    Shape("absent lists", mine, {"newPatterns": [row(DRIZZLE)]}, ("Drizzle",)),
    Shape("one object for a list", mine, mined(row(DRIZZLE), preferences=row(SQUASH, 2)), ("Drizzle", "squash")),
    Shape("the seed's plain strings", mine, mined([DRIZZLE, METRO], preferences=[SQUASH]), ("Drizzle", "squash")),
    Shape("a bare file name", mine, mined([row(DRIZZLE, 1, "2026-02-27.md")]), ("Drizzle",)),
    Shape(
        "an odd file name", mine, mined([row(PORT, None, f"File ./{FILE}:4"), row(METRO, 3, "2026-02-27")]), ("5433",)
    ),
    Shape(
        "snake case and keys nobody asked for",
        mine,
        {"summary": "…", "new_patterns": [row(DRIZZLE, confidence=0.9, tags=["db"])], "Preferences": []},
        ("Drizzle",),
    ),
    Shape(
        "a row that nobody can read beside good ones",
        mine,
        mined([row(DRIZZLE), {"file": FILE, "line": 2}, 17, row(METRO, 3)]),
        ("Drizzle", "ENOSPC"),
        ("17", FILE),
    ),
    Shape("an invented row beside good ones", mine, mined([row(DRIZZLE), row(BOAT, 2)]), ("Drizzle",), ("sailing",)),
    Shape(
        "ranges and lists of lines",
        mine,
        mined([{"pattern": DRIZZLE, "fileName": FILE, "lineNumber": [1]}, row(METRO, "3-4")]),
        ("Drizzle", "ENOSPC"),
    ),
    # curate
    Shape(
        "line numbers as strings", curate, ops({"op": "remove", "line": "7", "reason": "vague"}), ("pruned", "Write")
    ),
    Shape(
        "line numbers with a point",
        curate,
        ops({"op": "merge", "lines": [5.0, 6.0], "text": None, "reason": "same"}),
        ('"pruned": ["Mika reads her mail at noon"]',),
    ),
    Shape("a score in percent", curate, ops(add(score="50%")), ("Drizzle", "score: 0.5")),
    Shape(
        "a score as a string, a hundredth", curate, ops(add(score="0.5"), add(METRO, score=45)), ("Drizzle", "ENOSPC")
    ),
    Shape("operations in capitals", curate, ops(add(op="ADD"), add(METRO, op="Add")), ("Drizzle", "ENOSPC")),
    Shape("a section as a heading", curate, ops(add(SQUASH, section="## Preferences")), ("## Preferences\n- Mika",)),
    Shape(
        "an operation that there is not",
        curate,
        ops({"op": "archive", "line": 2, "text": "Use pnpm", "reason": "old"}, add()),
        ("Drizzle",),
        ("archive",),
    ),
    Shape("one operation without its list", curate, {"operations": add()}, ("Drizzle",)),
    Shape("no operations but null", curate, {"operations": None}),
    Shape(
        "the seed's changes",
        curate,
        {"changes": {"added": [DRIZZLE], "pruned": ["Write good tests"], "promoted": []}, "playbookLines": 6},
        ("Drizzle", '"pruned": ["Write good tests"]'),
    ),
    Shape("no reason, null beside it", curate, ops({**add(), "reason": None, "line": None, "lines": []}), ("Drizzle",)),
    Shape("a bare file for a source", curate, ops(add(source="2026-02-27.md:1")), ("Drizzle", f"{FILE}:1")),
    Shape("changes as strings", curate, ops(f"Add: {DRIZZLE}", "remove line 7"), ("Drizzle", '"pruned": ["Write')),
    Shape(
        "keys by other names, the list alone",
        curate,
        [{"operation": "add", "content": DRIZZLE, "rationale": "noted"}],
        ("Drizzle",),
    ),
    # observe
    Shape("turn and weight as strings", observed, {"observations": [seen(POSTGRES, "1", importance="8")]}, ("🔴",)),
    Shape("turn and weight with a point", observed, {"observations": [seen(POSTGRES, 1.0, importance=8.0)]}, ("🔴",)),
    Shape(
        "confidence in percent", observed, {"observations": [seen(POSTGRES, confidence="90%")]}, ("dc:confidence=0.9",)
    ),
    Shape("a kind in capitals", observed, {"observations": [seen(POSTGRES, type="DECISION")]}, ("dc:type=decision",)),
    Shape(
        "null and one number for a list",
        observed,
        {"observations": [seen(POSTGRES, **{"with": None}), seen(TRAIN, 4, type="habit", **{"with": 3})]},
        ("Postgres", "Basel"),
    ),
    Shape("one object", observed, {"observations": seen(POSTGRES)}, ("Postgres",)),
    Shape("a kind that there is not", observed, {"observations": [seen(TRAIN, 4, type="routine")]}, ("Basel",)),
    Shape(
        "weights in words, confidence left out",
        observed,
        {"observations": [{"turn": 1, "type": "decision", "importance": "high", "text": POSTGRES}]},
        ("🔴", "Postgres"),
    ),
    Shape(
        "a row without words beside a good one",
        observed,
        {"observations": [seen(POSTGRES), {**seen("", 2), "text": None}, seen(BOAT, 3)]},
        ("Postgres",),
        ("null", "sailing"),
    ),
    Shape("the rows alone, as plain strings", observed, [POSTGRES, TRAIN], ("Postgres", "Basel")),
    # reflect
    Shape("numbers as strings", reflect, ops({"op": "merge", "lines": ["1", "2"], "reason": "same"}), (MERGED,)),
    Shape("in capitals, with a point", reflect, ops({"op": "MERGE", "lines": [1.0, 2.0], "reason": "same"}), (MERGED,)),
    Shape("no reason, a key too many", reflect, ops({"op": "merge", "lines": [1, 2], "kept": 2}), (MERGED,)),
    Shape(
        "an operation that there is not",
        reflect,
        ops({"op": "demote", "lines": [3], "reason": "old"}, {"op": "merge", "lines": [1, 2], "reason": "same"}),
        (MERGED,),
        ("demote",),
    ),
    Shape(
        "one line number and one newer as text",
        reflect,
        ops({**TEA, "lines": 3, "newer": "4"}, {"op": "merge", "lines": "1, 2", "reason": "same"}),
        (MERGED,),
        ("4100",),
    ),
    # feedback
    Shape("sentences in a list", feedback, {"interpretation": [WORDS, "The rate is good."]}, (WORDS, "rate is good")),
    Shape("prose alone", feedback, WORDS, refused=("no JSON in the answer",)),  # it may as well be a refusal
    # synthesize
    Shape("a word for yes or no", synthesize, {"skip": "false", **SAYS}, ("false", "Xcode", "Pin the")),
    Shape("no word on skipping, the seed's count", synthesize, {**SAYS, "totalChars": 80}, ("false", "Xcode")),
    Shape(
        "snake case, nothing else", synthesize, {"skip": True, "skip_reason": "read 2 notes"}, ("true", "read 2 notes")
    ),
]


def test_there_are_47_shapes() -> None:
    assert len(SHAPES) == 47


@pytest.mark.wide(16)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: f"{s.ask.__name__}-{s.name}".replace(" ", "-"))
def test_a_capable_models_answer_is_understood_or_told(
    shape: Shape, koog: Koog, workspace: Path, llm: FakeModel
) -> None:
    became = shape.ask(koog, workspace, llm, shape.answer)

    assert not missing(shape.kept, [became.done]), became
    assert not missing(shape.refused, [json.dumps(r, ensure_ascii=False) for r in became.refused]), became
    assert all(r["reason"].strip() for r in became.refused)


def missing(needles: Iterable[str], texts: list[str]) -> list[str]:
    return [needle for needle in needles if not any(needle in text for text in texts)]
