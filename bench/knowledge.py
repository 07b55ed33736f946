"""What do the knowledge files hold of what was said, in how much room, and in the right place?  One JSON line.

    python -m bench.knowledge facts FACTS.json              planted facts of working talk: kept, misplaced, noise
    python -m bench.knowledge locomo ../shared/corpus/locomo [--every 3]

Each session becomes a transcript in the raw root beside an empty workspace, as `koog transcript` writes it, and `koog
extract` makes files of them, with the built-in engine. Everything an extraction writes counts as knowledge files:
knowledge/, the two sections of MEMORY.md, the facts of entities.

facts    FACTS.json has `sessions` [{id, at, turns[{who, text}]}], `facts` [{session, turn, must, where}] and `noise`
         [{session, turn}]. A fact is kept where for each of the lists in `must` a line that comes from its turn has one
         of the alternatives. It is misplaced where it stands in a file or section of another kind only; what stands in
         the journal waits for its place and is counted apart. Noise is the share of lines that come from noise turns.
locomo   A question is answered where each of its evidence turns has a line in the files. Size is what the files have
         of text, without frontmatter and comments, beside what was said; and, as stored, with all of it, beside the
         transcripts' bytes.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.locomo_workspace import ADVERSARIAL, SESSION_TIME, conversations, words
from koog.core.clock import parse
from koog.core.run import Run
from koog.knowledge import documents, extract
from koog.knowledge.sources import parse as sources_of
from koog.knowledge.transcripts import format, naming
from koog.knowledge.transcripts.format import AGENT, USER, Head, Last, Turn
from koog.sessions import transcript
from koog.sessions.labels import NONE

GOALS = {"kept": 0.85, "misplaced": 0.10, "noise": 0.20, "answered": 0.60, "size": 0.25}
COMMENT = re.compile(r"[ \t]*<!--.*?-->", re.DOTALL)
ROLES = {"user": USER, "assistant": AGENT}


class Line(NamedTuple):
    """One line of a knowledge file: what kind of place it stands in, its words, the turns it comes from."""

    where: str
    text: str
    turns: frozenset[tuple[str, int]]


class Session(NamedTuple):
    """One session: its id, when it began, who says what."""

    id: str
    at: datetime
    turns: Sequence[tuple[str, str]]


def told(root: Path, sessions: Sequence[Session]) -> tuple[Run, dict[tuple[str, int], int], dict[str, int]]:
    """Write the sessions as transcripts and extract them.

    Return the run, the turn (its place) of each session and line, and how large the transcripts and the talk are.
    """
    (root / "ws/memory").mkdir(parents=True)
    (root / "ws/.koog").mkdir()
    places: dict[tuple[str, int], int] = {}
    size = Counter[str]()
    for session in sessions:
        read = write(root, session)
        numbers = {each.line: n for n, each in enumerate(read.turns)}
        for start, number in numbers.items():
            for row in range(read.turns[number].text.count("\n") + 1):
                places[session.id, start + row] = number
        size.update(transcripts=read.size, talk=sum(len(t.text.encode()) for t in read.turns))
    last = max(session.at for session in sessions) + timedelta(days=1)
    run = Run(folder=str(root / "ws"), engine="builtin", now_text=last.isoformat(), command="extract")
    extract.work(run, deadline_s=100_000)
    return run, places, dict(size)


class Wrote(NamedTuple):
    """A transcript that was written: its turns, and its size in bytes."""

    turns: Sequence[Turn]
    size: int


def write(root: Path, session: Session) -> Wrote:
    """Write a session as a transcript, as `koog transcript` does, into the raw root beside the workspace."""
    found = [Turn(session.at + timedelta(minutes=n), ROLES[who], text) for n, (who, text) in enumerate(session.turns)]
    turns = [each for each in map(format.turn, found) if each]
    head = Head(session=session.id, started=session.at, channel="webchat", topic=naming.topic(turns))
    text = format.begun(head) + format.written(turns, Last(session.at.date()))[0]
    text = format.ended(text, head._replace(ended=turns[-1].at))
    path = root / f"ws-{naming.path(NONE, session.at, session.id, head.topic)}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(0o444)
    return Wrote(transcript.read(text).turns, len(text.encode()))


def files(workspace: Path) -> dict[str, str]:
    """Return path → text of everything that an extraction writes."""
    paths = [*(workspace / "knowledge").rglob("*.md"), *(workspace / "memory/graph/entities").glob("*.md")]
    paths += [path for path in [workspace / "MEMORY.md"] if path.exists()]
    return {path.relative_to(workspace).as_posix(): path.read_text("utf-8") for path in sorted(paths)}


def where(path: str, section: str) -> str:
    """Return what kind of place a line stands in: decisions, lessons, procedures, people, projects, …"""
    if section in ("Key Decisions", "Lessons Learned"):
        return "decisions" if section == "Key Decisions" else "lessons"
    if "/entities/" in path:
        return {"person": "people", "project": "projects"}.get(path.rpartition("/")[2].partition("--")[0], "entity")
    return path.split("/")[1]


def knowledge(workspace: Path, places: Mapping[tuple[str, int], int]) -> Iterator[Line]:
    """Yield the lines of the knowledge files that come from a turn."""
    for path, text in files(workspace).items():
        for entry in documents.entries(text, path):
            found = sources_of(entry.line.values.get(documents.SOURCE, ""))
            turns = frozenset((s.session, places[s.session, s.line]) for s in found if (s.session, s.line) in places)
            if turns:
                yield Line(where(path, entry.section), entry.text, turns)


def shown(text: str) -> int:
    """Return how many bytes of a file are text: no frontmatter, no comment."""
    body = text.partition("\n---\n")[2] if text.startswith("---\n") else text
    return len(COMMENT.sub("", body).encode())


def is_held(must: Sequence[Sequence[str]], found: Sequence[Line]) -> bool:
    """Return whether for each list one of its alternatives stands in some lines."""
    whole = "\n".join(each.text for each in found).casefold()
    return all(any(alternative.casefold() in whole for alternative in each) for each in must)


def facts(path: Path) -> dict[str, Any]:
    """Measure planted facts."""
    data = json.loads(path.read_text("utf-8"))
    sessions = [
        Session(s["id"], parse(s["at"]) or datetime.min, [(t["who"], t["text"]) for t in s["turns"]])
        for s in data["sessions"]
    ]
    started = time.perf_counter()
    with TemporaryDirectory() as folder:
        run, places, size = told(Path(folder), sessions)
        found = list(knowledge(run.root, places))
        stored = sum(map(shown, files(run.root).values()))
    noise = {(row["session"], row["turn"]) for row in data["noise"]}
    verdicts, by_kind = Counter[str](), Counter[tuple[str, str]]()
    for fact in data["facts"]:
        of = [each for each in found if (fact["session"], fact["turn"]) in each.turns]
        verdict = _verdict(fact, of)
        verdicts[verdict] += 1
        by_kind[fact["where"], verdict] += 1
    many = len(data["facts"])
    return {
        "facts": many,
        "kept": round(1 - verdicts["lost"] / many, 3),
        "inPlace": round(verdicts["placed"] / many, 3),
        "inJournal": round(verdicts["waits"] / many, 3),
        "misplaced": round(verdicts["misplaced"] / many, 3),
        "lines": len(found),
        "noise": round(fmean(each.turns <= noise for each in found), 3),
        "size": round(stored / size["talk"], 3),
        "byKind": {
            kind: {v: by_kind[kind, v] for v in ("placed", "waits", "misplaced", "lost")}
            for kind in sorted({kind for kind, _ in by_kind})
        },
        "seconds": round(time.perf_counter() - started, 1),
    }


def _verdict(fact: Mapping[str, Any], of: Sequence[Line]) -> str:
    """Return what became of a fact: placed, waits (in the journal), misplaced, lost."""
    if not is_held(fact["must"], of):
        return "lost"
    kinds = {fact["where"], "entity", "projects"} if fact["where"] == "entity" else {fact["where"]}
    if is_held(fact["must"], [each for each in of if each.where in kinds]):
        return "placed"
    return "waits" if is_held(fact["must"], [e for e in of if e.where in (*kinds, "journal")]) else "misplaced"


def locomo(folder: Path, *, every: int) -> dict[str, Any]:
    """Measure everyday talk whose questions have known evidence."""
    answered, some, sizes, stored = list[bool](), list[bool](), Counter[str](), Counter[str]()
    started = time.perf_counter()
    for conversation in conversations(folder).values():
        ids: dict[str, tuple[str, int]] = {}
        told_in = list(sessions(conversation, ids))
        with TemporaryDirectory() as place:
            run, places, size = told(Path(place), told_in)
            held = {turn for each in knowledge(run.root, places) for turn in each.turns}
            made = files(run.root)
        sizes.update(size)
        stored.update(text=sum(map(shown, made.values())), bytes=sum(len(t.encode()) for t in made.values()))
        asked = [q for q in conversation["questions"] if q["category"] != ADVERSARIAL]
        for question in asked[::every]:
            evidence = [ids[turn] in held for turn in question["evidence"] if turn in ids]
            if evidence:
                answered.append(all(evidence))
                some.append(any(evidence))
    return {
        "questions": len(answered),
        "answered": round(fmean(answered), 3),
        "partly": round(fmean(some), 3),
        "size": round(stored["text"] / sizes["talk"], 3),
        "sizeStored": round(stored["bytes"] / sizes["transcripts"], 3),
        "seconds": round(time.perf_counter() - started, 1),
    }


def sessions(conversation: Mapping[str, Any], ids: dict[str, tuple[str, int]]) -> Iterator[Session]:
    """Yield a conversation's sessions; its first speaker is the person, the other one the agent."""
    first = conversation["sessions"][0]["turns"][0]["speaker"]
    speakers = conversation.get("speakers") or [first]
    person = speakers[0] if isinstance(speakers, list) else first
    for session in conversation["sessions"]:
        name = f"ses_{session['session']:04d}"
        turns = []
        for n, turn in enumerate(session["turns"]):
            ids[turn["id"]] = (name, n)
            turns.append(("user" if turn["speaker"] == person else "assistant", words(turn)))
        at = datetime.strptime(f"{session['date']} +0000", f"{SESSION_TIME} %z")
        yield Session(name, at, turns)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("facts", "locomo"))
    parser.add_argument("path", type=Path)
    parser.add_argument("--every", type=int, default=1, help="every n-th question of a conversation")
    given = parser.parse_args()
    found = facts(given.path) if given.what == "facts" else locomo(given.path, every=given.every)
    goals = {
        name: goal
        for name, goal in GOALS.items()
        if name in found and (given.what == "locomo") == (name in ("answered", "size"))
    }
    print(json.dumps({"bench": f"knowledge {given.what}", **found, "goals": goals}, separators=(",", ":")))


if __name__ == "__main__":
    main()
