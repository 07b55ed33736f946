"""How often does a search find what answers a question? LoCoMo conversations, beside plain FTS5 in the same run.

    python bench/retrieval.py [FOLDER] [--dated today|three-years|mixed] [--modes keyword,hybrid] [--fusion rrf]
                              [--shape turns|bullets|…|all] [--every N]

Each conversation-*.json of the folder becomes a workspace with one transcript a session, as koog would write them,
indexed and searched by koog's own code. Recall is the mean share of a question's evidence turns among the first k
passages (`turns`), or inside the first k hits as `koog search` shows them (`hits`); a session counts by its best
passage. Questions without evidence in the conversation are left out. `all` is categories 1 to 4; adversarial
questions, whose premise is false, stand apart. Prints one JSON line.

`sure` is how far `confidence` can be trusted, by questions of another hand (tests/search/questions.json) to the notes
of a house and to a fresh workspace: for each threshold the share of right first hits that fall below it, and that of
the questions without an answer that do not.

--dated    write every session as of the same day: today, three years ago, or every other one three years ago
--shape    how a turn stands in its file, one of SHAPES: below `## HH:MM — Name` as koog writes it, in a bullet, a
           quotation, a table's row, …, or in one wall of text (there a hit has every turn that begins or ends in its
           lines); `all`: each of the ten, by the hits alone
--every    only every n-th question of a conversation
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from koog.core.run import Run  # noqa: E402  the checkout's own package
from koog.search import retrieval  # noqa: E402
from koog.search.find import find, opened  # noqa: E402
from koog.search.hits import Hit  # noqa: E402

QUESTIONS = ROOT / "tests/search/questions.json"
THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
CORPUS = ROOT.parent / "shared/corpus/locomo"
SESSION_TIME = "%I:%M %p on %d %B, %Y"  # "1:56 pm on 8 May, 2023"
TODAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
THREE_YEARS = timedelta(days=3 * 365 + 1)
SHAPES = {
    "turns": "## {time} — {name}\n{text}\n",
    "bullets": "- **{name}**: {text}",
    "names": "### {name}\n{text}\n",
    "times": "## {time}\n{name}: {text}\n",
    "paragraphs": "{name}: {text}\n",
    "lines": "{name}: {text}",
    "quotes": "> **{name}:** {text}\n",
    "obsidian": "- {time} [[{name}]] {text} #chat",
    "table": "| {time} | {name} | {text} |",
    "wall": "{name}: {text}",
}
OF_TABLE = ["| time | who | what |", "|---|---|---|"]
ONE_LINE = ("lines", "obsidian", "quotes", "table", "wall")  # there a photo's caption stands behind the words
WALL_CHARS = 100
MODES = ("keyword", "vector", "hybrid")
ADVERSARIAL = "adversarial"
DEPTH = 400  # passages that are ranked: enough for ten sessions
MEASURES = ("r5", "r10", "mrr", "sessionR5", "sessionR10")

Answer = list[frozenset[str]]  # the turns of each passage or hit, best first


class Conversation(NamedTuple):
    """A conversation in a workspace.

    turns   file → its turns as (first line, last line, id)
    """

    run: Run
    turns: dict[str, list[tuple[int, int, str]]]
    questions: list[dict[str, Any]]
    texts: dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--dated", choices=("today", "three-years", "mixed"))
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--shape", choices=(*SHAPES, "all"), default="turns")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--fusion", choices=("weighted", "rrf"))
    parser.add_argument("--weight", type=float)
    given = parser.parse_args()
    files = sorted(given.folder.glob("conversation-*.json"))
    if not files:
        parser.error(f"no conversation-*.json in {given.folder}")
    line: dict[str, Any] = {"bench": "retrieval", "conversations": len(files), "dated": given.dated}
    used: set[str | None] = set()
    with tempfile.TemporaryDirectory() as scratch:
        if given.shape == "all":
            found = {shape: searched(files, Path(scratch) / shape, shape, given, used, [])["hits"] for shape in SHAPES}
            line["hits"] = {shape: row["all"] for shape, row in found.items()}
        else:
            line |= {"shape": given.shape}
            line |= searched(files, Path(scratch), given.shape, given, used, given.modes.split(","))
            line["sure"] = curve(json.loads(QUESTIONS.read_text("utf-8")), Path(scratch))
    print(json.dumps(line | {"embedding": [*used]}))


def searched(
    files: Sequence[Path],
    scratch: Path,
    shape: str,
    given: argparse.Namespace,
    used: set[str | None],
    modes: Sequence[str],
) -> dict[str, dict[str, dict[str, float]]]:
    """Return the figures of each way to ask the conversations, which are written in a shape."""
    rows: dict[str, list[tuple[str, tuple[float, ...]]]] = {}
    for file in files:
        source = json.loads(file.read_text("utf-8"))
        conversation = written(source, scratch / file.stem, given.dated, shape)
        asked = conversation.questions[:: given.every]
        for name, answer in answers(conversation, modes, given, used):
            rows.setdefault(name, []).extend((q["category"], measured(answer(q), set(q["evidence"]))) for q in asked)
    return {name: figures(found) for name, found in rows.items()}


# --- a conversation as files


def written(source: dict[str, Any], folder: Path, dated: str | None, shape: str) -> Conversation:
    """Write a conversation's transcripts beside a workspace."""
    workspace = folder / "workspace"
    (workspace / ".koog").mkdir(parents=True)
    turns: dict[str, list[tuple[int, int, str]]] = {}
    texts: dict[str, str] = {}
    last = TODAY
    for session in source["sessions"]:
        number = session["session"]
        told = datetime.strptime(session["date"], SESSION_TIME).replace(tzinfo=UTC)
        when = told if dated is None else TODAY if is_new(dated, number) else TODAY - THREE_YEARS
        last = when + timedelta(days=1) if dated is None else TODAY
        path = f"raw/conversations/{when:%Y/%m/%d}/{when:%H%M}-ses_{number:04d}-talk.md"
        text, turns[path] = transcript(session, when, shape)
        place = folder / f"workspace-{path}"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
        texts |= {turn["id"]: said(turn) for turn in session["turns"]}
    questions = [q | {"evidence": [e for e in q["evidence"] if e in texts]} for q in source["questions"]]
    run = Run(folder=str(workspace), now_text=last.isoformat())
    return Conversation(run, turns, [q for q in questions if q["evidence"]], texts)


def is_new(dated: str, number: int) -> bool:
    return dated == "today" or (dated == "mixed" and number % 2 == 1)


def transcript(session: dict[str, Any], when: datetime, shape: str) -> tuple[str, list[tuple[int, int, str]]]:
    """Return a session as autopoiesis §2.1 writes it, its turns in a shape, and the lines of its turns."""
    rows = ["---", f"session_id: ses_{session['session']:04d}", f"started: {when:%Y-%m-%dT%H:%M:%SZ}", "---", ""]
    rows += [f"# Session {session['session']}", ""]
    rows += OF_TABLE if shape == "table" else []
    turns: list[tuple[int, int, str]] = []
    for number, turn in enumerate(session["turns"]):
        first = len(rows) + 1
        time = f"{when + timedelta(seconds=20 * number):%H:%M}"
        text = said(turn).replace("\n> ", " ") if shape in ONE_LINE else said(turn)
        text = text.replace("\n", "\n  ") if shape == "bullets" else text
        own = SHAPES[shape].format(time=time, name=turn["speaker"], text=text).split("\n")
        if shape == "wall":
            first -= bool(turns and len(rows[-1]) < WALL_CHARS)
            own = textwrap.wrap(" ".join([*rows[first - 1 :], *own]), WALL_CHARS)
            del rows[first - 1 :]
        rows += own
        turns.append((first, len(rows), turn["id"]))
    return "\n".join(rows), turns


def said(turn: dict[str, Any]) -> str:
    """Return a turn's text; a photo is told by its caption."""
    words = " ".join(turn["text"].split())
    return f"{words}\n> [photo: {' '.join(turn['photo'].split())}]" if turn.get("photo") else words


# --- ways to ask


def answers(
    conversation: Conversation, modes: Sequence[str], given: argparse.Namespace, used: set[str | None]
) -> Iterator[tuple[str, Callable[[dict[str, Any]], Answer]]]:
    """Yield the name of each way to search, and how it answers a question."""
    yield "fts5", plain(conversation.texts)
    with opened(conversation.run) as (made, _):
        index = made._replace(
            fusion=given.fusion or made.fusion, share=made.share if given.weight is None else given.weight
        )
        used.add(index.embedder.id if index.embedder else None)
        for mode in modes:
            if mode != "keyword" and index.embedder is None:
                continue
            yield mode, passages(conversation, index, mode)
    if not given.fusion and given.weight is None:
        yield (
            "hits",
            lambda question: [
                turns_in(conversation, hit.path, *hit.lines)
                for hit in find(conversation.run, question["question"]).hits
            ],
        )


def passages(conversation: Conversation, index: retrieval.Index, mode: Any) -> Callable[[dict[str, Any]], Answer]:
    def answer(question: dict[str, Any]) -> Answer:
        found = retrieval.rank(index, question["question"], limit=DEPTH, mode=mode).passages
        return [turns_in(conversation, passage.path, passage.line, passage.end) for passage in found]

    return answer


def turns_in(conversation: Conversation, path: str, first: int, last: int) -> frozenset[str]:
    return frozenset(id for begin, end, id in conversation.turns[path] if begin <= last and first <= end)


def plain(texts: dict[str, str]) -> Callable[[dict[str, Any]], Answer]:
    """Return what SQLite finds by itself: one row a turn, an OR of all words, its own ranking."""
    import apsw

    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE turns USING fts5(id UNINDEXED, text, tokenize='porter unicode61')")
    db.executemany("INSERT INTO turns VALUES (?, ?)", texts.items())

    def answer(question: dict[str, Any]) -> Answer:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question["question"]))
        return [
            frozenset([id]) for (id,) in db.execute("SELECT id FROM turns WHERE turns MATCH ? ORDER BY rank", (words,))
        ]

    return answer


# --- how sure an answer is


def curve(questions: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return how many first hits are right, and what each threshold of confidence makes of them."""
    house = questions["house"]
    home, fresh = (initialised(folder / name) for name in ("house", "fresh"))
    for name, text in house["notes"].items():
        (Path(home.root) / "memory" / name).write_text(text, "utf-8")
    right = [hit.confidence or 0.0 for q in house["questions"] if (hit := answer_to(home, q))]
    silent = [first(home, text) for text in house["nothing"]]
    strange = [first(fresh, text) for text in questions["fresh"]]
    return {
        "right": len(right),
        "of": len(house["questions"]),
        "byThreshold": {
            str(least): {
                "rightCalledWeak": mean([value < least for value in right]),
                "nothingCalledSure": mean([value >= least for value in silent]),
                "freshCalledSure": mean([value >= least for value in strange]),
                "unansweredCalledSure": mean([value >= least for value in silent + strange]),
            }
            for least in THRESHOLDS
        },
    }


def initialised(folder: Path) -> Run:
    """Return a run in a workspace as `koog init` makes it."""
    folder.mkdir(parents=True)
    here = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": f"{folder}-s", "XDG_CONFIG_HOME": f"{folder}-c"}
    # With a module that nobody here wrote: it must not answer for them.
    command = [sys.executable, "-m", "koog", "--workspace", str(folder), "init", "--module", "react-native-dev"]
    subprocess.run(command, check=True, capture_output=True, env=here, cwd=folder)
    return Run(folder=str(folder), now_text="2026-03-13T09:00:00Z")


def answer_to(run: Run, question: dict[str, Any]) -> Hit | None:
    """Return the first hit where it is the answer: in its note, with one of the answer's words."""
    for hit in find(run, question["q"]).hits[:1]:
        if hit.path.endswith(question["where"]) and any(word.lower() in hit.text.lower() for word in question["words"]):
            return hit
    return None


def first(run: Run, text: str) -> float:
    """Return the first hit's confidence, 0 without one."""
    return max((hit.confidence or 0.0 for hit in find(run, text).hits[:1]), default=0.0)


# --- figures


def measured(answer: Answer, evidence: set[str]) -> tuple[float, ...]:
    """Return one question's figures, in the order of MEASURES."""
    first = next((rank for rank, turns in enumerate(answer, 1) if turns & evidence), None)
    sessions = list(dict.fromkeys(sorted(turns)[0].split(":")[0] for turns in answer if turns))
    wanted = {turn.split(":")[0] for turn in evidence}
    return (
        share(evidence, frozenset().union(*answer[:5])),
        share(evidence, frozenset().union(*answer[:10])),
        1 / first if first else 0.0,
        share(wanted, set(sessions[:5])),
        share(wanted, set(sessions[:10])),
    )


def share(wanted: set[str], found: set[str] | frozenset[str]) -> float:
    return len(wanted & found) / len(wanted)


def figures(rows: list[tuple[str, tuple[float, ...]]]) -> dict[str, dict[str, float]]:
    """Return the means by category, and over categories 1 to 4."""
    groups = {"all": [values for category, values in rows if category != ADVERSARIAL]}
    for category, values in rows:
        groups.setdefault(category, []).append(values)
    return {
        name: {"n": len(group), **dict(zip(MEASURES, map(mean, zip(*group, strict=True)), strict=True))}
        for name, group in groups.items()
    }


def mean(column: Sequence[float]) -> float:
    return round(sum(column) / len(column), 4)


if __name__ == "__main__":
    main()
