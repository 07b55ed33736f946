"""koog decay in a workspace: what fades when, told once, whatever happens to the files and to the process."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.errors import WorkspaceError
from koog.core.files import pieces
from koog.core.files.roots import READ_LIMIT
from koog.core.files.workspace import Workspace
from koog.core.run import Run
from koog.memory import matching
from koog.memory.fading import accesses, decay_scores, reckoning
from koog.memory.fading.reckoning import Present
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, Memory
from tests import warm
from tests.conftest import git, process

ROUNDS = int(os.environ.get("KOOG_ROUNDS", "6"))
START = datetime(2026, 1, 10, 9, 0, tzinfo=UTC)
SCORES, LOG, AUDIT = "memory/meta/decay-scores.json", "memory/meta/access.jsonl", "memory/meta/audit.log"
EPISODE = "episode:2026-01-10:09:00"


def on(day: int, hour: int = 9) -> str:
    """Return the moment so many days after the start."""
    return (START + timedelta(days=day)).replace(hour=hour).strftime("%Y-%m-%dT%H:%M:%SZ")


def put(workspace: Path, path: str, text: str) -> Path:
    file = workspace / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def episodes(workspace: Path, count: int = 1, day: str = "2026-01-10") -> None:
    """Write entries of a day by hand, one a minute from 09:00."""
    rows = [f"\n## 09:{n:02} | event\nThing {n} happened at the harbour.\n" for n in range(count)]
    put(workspace, f"memory/episodes/{day}.md", f"# {day} — Episode Log\n{''.join(rows)}")


def logged(workspace: Path, *rows: str) -> None:
    (workspace / "memory/meta").mkdir(parents=True, exist_ok=True)
    with (workspace / LOG).open("a", encoding="utf-8") as file:
        file.writelines(rows)


def access(op: str, day: int, id_: str = EPISODE, base: float | None = None) -> str:
    return accesses.line(on(day), id_, op=op, store=EPISODIC, base=base, why="explicit")


def scores(workspace: Path) -> dict[str, dict[str, object]]:
    return json.loads((workspace / SCORES).read_text("utf-8"))["entries"]


def transitions(workspace: Path) -> Counter[str]:
    """Return `before→now` → how many entries, of all that the audit log tells."""
    found: Counter[str] = Counter()
    for line in (workspace / AUDIT).read_text("utf-8").splitlines():
        if "| DECAY " in line:
            for count, kind in re.findall(r"(\d+) entr(?:y|ies) transitioned: (\w+→\w+)", line):
                found[kind] += int(count)
    return found


def state(workspace: Path) -> dict[str, bytes]:
    return {str(p.relative_to(workspace)): p.read_bytes() for p in (workspace / "memory").rglob("*") if p.is_file()}


# --- the file


def test_the_file_is_as_moltbot_has_it(koog, workspace):
    koog("--now", on(0), "remember", "The ferry was late today.", "--store", "episodic", "--explicit")

    koog("--now", on(2), "decay", "run")

    assert json.loads((workspace / SCORES).read_text("utf-8")) == {
        "version": 1,
        "last_updated": "2026-01-12T09:00:00Z",
        "entries": {
            EPISODE: {
                "store": "episodic",
                "base_relevance": 1.0,
                "created": "2026-01-10T09:00:00Z",
                "last_accessed": "2026-01-10T09:00:00Z",
                "access_count": 1,
                "type_weight": 0.8,
                "current_score": 0.7534,
                "status": "active",
                "pinned": False,
            }
        },
    }
    assert list(scores(workspace)[EPISODE]) == list(decay_scores.KEYS)


def test_what_a_person_wrote_counts_as_written_on_its_day_and_is_worth_all(koog, workspace):
    episodes(workspace)
    put(
        workspace,
        "memory/graph/entities/person--alex.md",
        "# person--alex\n\n<!-- Type: person | Created: 2026-01-05 -->\n\n## Facts\n- Sails.\n",
    )

    koog("--now", on(5), "decay", "run")

    found = scores(workspace)
    assert found[EPISODE] | {"current_score": 0} == found[EPISODE] | {
        "base_relevance": 1.0,
        "created": "2026-01-10T09:00:00Z",
        "access_count": 1,
        "current_score": 0,
    }
    assert found["entity:person--alex"]["last_accessed"] == "2026-01-05T00:00:00Z"
    assert found["entity:person--alex"]["current_score"] == 0.8890  # 10 days of 1.2


def test_what_was_there_before_the_log_knew_of_it_was_written_once_more(koog, workspace):
    episodes(workspace)
    logged(workspace, access("write", 3, base=0.7))

    koog("--now", on(3), "decay", "run")

    assert scores(workspace)[EPISODE]["access_count"] == 2
    assert scores(workspace)[EPISODE]["created"] == on(0)
    assert scores(workspace)[EPISODE]["base_relevance"] == 1.0


def test_without_a_memory_there_is_no_file(koog, workspace):
    code, line = koog("decay", "run")

    assert (code, line["memories"], line["changed"]) == (0, 0, False)
    assert not (workspace / SCORES).exists()


# --- transitions


def test_each_transition_is_told_once_and_in_moltbots_words(koog, workspace):
    episodes(workspace, 2)
    seen = []

    for day in (0, 1, 15, 16, 17, 46, 47, 92, 93, 99):
        _, line = koog("--now", on(day), "decay", "run")
        seen += [(day, row["from"], row["to"], row["count"], row["ids"]) for row in line["transitions"]]
        assert koog("--now", on(day, hour=20), "decay", "run")[1]["changed"] is False

    ids = [EPISODE, "episode:2026-01-10:09:01"]
    assert seen == [
        (16, "active", "fading", 2, ids),
        (47, "fading", "dormant", 2, ids),
        (93, "dormant", "archived", 2, ids),
    ]
    told = [line for line in (workspace / AUDIT).read_text("utf-8").splitlines() if "| DECAY " in line]
    assert told == [
        f"{on(day)[:16]}Z | DECAY   | {SCORES} | system:decay | auto     | 2 entries transitioned: {kind}"
        for day, kind in ((16, "active→fading"), (47, "fading→dormant"), (93, "dormant→archived"))
    ]
    assert git(workspace, "log", "--format=%s", "--grep", "DECAY").splitlines()[0] == (
        f"[DECAY] {SCORES} — 2 entries transitioned: dormant→archived"
    )


def test_an_access_brings_back_what_time_has_archived(koog, workspace):
    episodes(workspace)
    koog("--now", on(1), "decay", "run")
    koog("--now", on(100), "decay", "run")
    logged(workspace, access("access", 120))

    _, line = koog("--now", on(121), "decay", "run")

    assert [(row["from"], row["to"]) for row in line["transitions"]] == [("archived", "active")]
    assert transitions(workspace) == {"active→archived": 1, "archived→active": 1}
    assert scores(workspace)[EPISODE]["access_count"] == 2


def test_several_kinds_are_told_in_one_line(koog, workspace):
    episodes(workspace, 2, "2026-01-10")
    episodes(workspace, 1, "2026-02-20")
    koog("--now", "2026-02-20T09:00:00Z", "decay", "run")

    koog("--now", "2026-03-20T09:00:00Z", "decay", "run")

    assert transitions(workspace) == {"fading→dormant": 2, "active→fading": 1}
    assert "1 entry transitioned: active→fading; 2 entries transitioned: fading→dormant" in (
        workspace / AUDIT
    ).read_text("utf-8")


def test_days_on_which_nothing_ran_make_no_difference(koog, workspace):
    episodes(workspace)
    for day in (0, 1, 2, 30, 60):
        koog("--now", on(day), "decay", "run")
    often = scores(workspace)

    (workspace / SCORES).unlink()
    koog("--now", on(60), "decay", "run")

    assert scores(workspace) == often


def test_a_second_run_of_a_day_changes_nothing_at_all(koog, workspace):
    koog("--now", on(0), "remember", "The ferry was late today.", "--store", "episodic")
    koog("--now", on(3), "decay", "run")
    before, head = state(workspace), git(workspace, "rev-parse", "HEAD")

    _, line = koog("--now", on(3, hour=23), "decay", "run")

    assert (line["changed"], line["folded"], line["_meta"]["changes"]) == (False, 0, [])
    assert state(workspace) == before
    assert git(workspace, "rev-parse", "HEAD") == head


def test_a_clock_that_goes_back_and_forward_again_ends_where_it_was(koog, workspace):
    episodes(workspace)
    for day in (1, 50):
        koog("--now", on(day), "decay", "run")
    right = scores(workspace)

    koog("--now", "2019-01-01T00:00:00Z", "decay", "run")
    back = scores(workspace)
    koog("--now", "2080-01-01T00:00:00Z", "decay", "run")
    koog("--now", on(50), "decay", "run")

    assert back[EPISODE]["current_score"] == 0.8
    assert scores(workspace) == right


def test_a_day_is_the_users(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_TIMEZONE", "Pacific/Auckland")  # 13 hours ahead then
    episodes(workspace)  # 2026-01-10T09:00 there
    koog("--now", "2026-01-10T10:59:00Z", "decay", "run")
    before = scores(workspace)[EPISODE]

    same = koog("--now", "2026-01-10T10:59:59Z", "decay", "run")[1]["changed"]
    koog("--now", "2026-01-10T11:00:00Z", "decay", "run")

    assert (before["created"], before["current_score"]) == ("2026-01-09T20:00:00Z", 0.8)
    assert same is False
    assert scores(workspace)[EPISODE]["current_score"] == 0.7764


def test_a_dry_run_tells_the_transition_and_writes_nothing(koog, workspace):
    episodes(workspace)
    logged(workspace, access("access", 0))
    koog("--now", on(1), "decay", "run")
    before = state(workspace)

    _, line = koog("--now", on(100), "--dry-run", "decay", "run")

    assert line["transitions"][0]["to"] == "dormant"
    assert line["_meta"]["changes"][0]["action"] == "DECAY"
    assert state(workspace) == before


# --- pins, and what somebody forgot


def test_what_is_pinned_never_fades(koog, workspace):
    episodes(workspace)
    put(workspace, "memory/vault/oath.md", "# oath\n\nNever sell the boat.\n")
    put(workspace, "MEMORY.md", "# MEMORY.md — Core Memory\n\n## Critical Facts\n- Blood group 0 negative\n")
    logged(workspace, access("pin", 0))
    koog("--now", on(1), "decay", "run")

    koog("--now", on(2000), "decay", "run")

    assert {(row["current_score"], row["status"], row["pinned"]) for row in scores(workspace).values()} == {
        (1.0, "active", True)
    }
    assert len(scores(workspace)) == 3


def test_what_is_pinned_no_longer_fades_from_then_on(koog, workspace):
    episodes(workspace)
    alex = "# person--alex\n\n<!-- Type: person | Created: 2026-01-10 -->\n<!-- Pinned: {} -->\n"
    put(workspace, "memory/graph/entities/person--alex.md", alex.format("yes"))
    logged(workspace, access("pin", 0))
    koog("--now", on(40), "decay", "run")
    logged(workspace, access("unpin", 40))
    put(workspace, "memory/graph/entities/person--alex.md", alex.format("no"))

    koog("--now", on(41), "decay", "run")

    found = scores(workspace)
    assert (found[EPISODE]["pinned"], found[EPISODE]["current_score"]) == (False, 0.7764)
    assert (found["entity:person--alex"]["pinned"], found["entity:person--alex"]["status"]) == (False, "fading")


@pytest.mark.parametrize("runs", [True, False], ids=["in the scores", "in the log"])
def test_the_last_word_on_a_pin_is_known_before_and_after_it_is_folded(koog, workspace, runs):
    tree = Workspace(workspace)
    episodes(workspace)

    for op, then in (("pin", True), ("unpin", False), ("pin", True)):
        logged(workspace, access(op, 3))
        if runs:
            koog("--now", on(4), "decay", "run")
            (workspace / LOG).write_text("")
        else:
            (workspace / LOG).write_text(access(op, 3))
        assert decay_scores.is_pinned(tree, tree.text, EPISODE) is then
    (workspace / SCORES).unlink(missing_ok=True)
    assert decay_scores.is_pinned(tree, tree.text, EPISODE) is True
    assert decay_scores.is_pinned(tree, tree.text, "procedure:deploy") is False


def test_what_somebody_archived_stays_so_until_it_is_restored(koog, workspace):
    episodes(workspace)
    koog("--now", on(0), "decay", "run")
    logged(workspace, access("archive", 1))

    _, line = koog("--now", on(1), "decay", "run")
    logged(workspace, access("access", 2))
    koog("--now", on(3), "decay", "run")
    linked = scores(workspace)[EPISODE]
    logged(workspace, access("restore", 4))
    koog("--now", on(4), "decay", "run")

    assert [(row["from"], row["to"]) for row in line["transitions"]] == [("active", "archived")]
    assert (linked["current_score"], linked["status"]) == (0.0, "archived")
    assert scores(workspace)[EPISODE]["status"] == "active"


def test_scores_that_another_program_kept_go_on_from_there(koog, workspace):
    episodes(workspace, 2)
    row = {"store": "episodic", "base_relevance": 0.7, "created": "2025-12-01", "access_count": 14, "type_weight": 0.8}
    row |= {"last_accessed": "2026-01-20T10:00:00+01:00", "current_score": 0.9, "status": "active", "pinned": False}
    gone = row | {"current_score": 0.0, "status": "_archived"}  # moltbot §8.3
    entries = {EPISODE: row, "episode:2026-01-10:09:01": gone, "episode:2020-01-01:09:00": row}
    put(workspace, SCORES, json.dumps({"version": 1, "last_updated": on(11), "entries": entries}))
    logged(workspace, access("access", 12))

    _, line = koog("--now", on(13), "decay", "run")

    found = scores(workspace)
    assert (found[EPISODE]["access_count"], found[EPISODE]["last_accessed"]) == (15, on(12))
    assert found[EPISODE]["created"] == "2025-12-01T00:00:00Z"
    assert found["episode:2026-01-10:09:01"]["status"] == "archived"
    assert set(found) == {EPISODE, "episode:2026-01-10:09:01"}  # what is gone is no memory
    assert line["transitions"] == []


# --- the log


def test_the_log_is_moved_to_its_months_and_what_is_no_access_stays_and_is_named(koog, workspace):
    episodes(workspace)
    january, march = access("write", 0, base=0.7), access("access", 60)
    logged(workspace, '{"ts":"2026-01', "\n", january, "# by hand\n", march)

    _, line = koog("--now", on(61), "decay", "run")
    _, again = koog("--now", on(61), "decay", "run")

    assert (workspace / "memory/meta/access/2026-01.jsonl").read_text() == january
    assert (workspace / "memory/meta/access/2026-03.jsonl").read_text() == march
    assert (workspace / LOG).read_text() == '{"ts":"2026-01\n# by hand\n'
    assert line["folded"] == 2
    assert line["_meta"]["warnings"] == [
        f"{LOG} line 1: no JSON; was it cut off?; it is kept",
        f"{LOG} line 3: no JSON; was it cut off?; it is kept",
    ]
    assert len(again["_meta"]["warnings"]) == 2
    assert again["changed"] is False


def test_a_reader_takes_the_lines_that_are_not_folded_yet(koog, workspace):
    episodes(workspace)
    koog("--now", on(0), "decay", "run")
    logged(workspace, access("access", 30))

    _, line = koog("--now", on(30), "decay", "show", EPISODE)

    assert (line["memories"][0]["accesses"], line["memories"][0]["score"]) == (2, 1.0)
    assert line["updated"] == on(0)
    assert scores(workspace)[EPISODE]["access_count"] == 1


def test_what_was_remembered_last_is_known_also_after_its_line_was_moved(koog, workspace):
    for n, words in enumerate(("The ferry was late today.", "The lighthouse is being painted.")):
        koog("--now", on(n), "remember", words, "--store", "episodic")
    logged(workspace, access("access", 1))
    before = matching.latest(Run(folder=str(workspace), now_text=on(1)))

    koog("--now", on(1), "decay", "run")

    assert [each.id for each in before] == ["episode:2026-01-11:09:00"]
    assert matching.latest(Run(folder=str(workspace), now_text=on(1))) == before


def test_a_memory_that_is_back_has_its_accesses_again(koog, workspace):
    episodes(workspace)
    logged(workspace, access("write", 0, base=0.7), access("access", 1))
    koog("--now", on(1), "decay", "run")
    before = scores(workspace)[EPISODE]
    file = workspace / "memory/episodes/2026-01-10.md"
    text = file.read_text("utf-8")
    file.unlink()
    koog("--now", on(2), "decay", "run")
    without = scores(workspace)
    file.write_text(text, "utf-8")

    koog("--now", on(1), "decay", "run")

    assert without == {}
    assert scores(workspace)[EPISODE] == before


TORN = ["", "{", '{"version": 1, "entr', "[]", '{"entries": {}}', '{"version": 1}', "<<<<<<< HEAD\n{}\n", "\x00\udcff"]


@pytest.mark.parametrize("torn", TORN, ids=range(len(TORN)))
def test_a_torn_file_is_reckoned_from_the_logs_again_and_told(koog, workspace, torn):
    episodes(workspace, 2)
    logged(workspace, access("write", 0, base=0.7), access("access", 1), access("pin", 1, "episode:2026-01-10:09:01"))
    koog("--now", on(1), "decay", "run")
    right = scores(workspace)
    logged(workspace, access("write", 1, base=0.5))
    (workspace / SCORES).write_bytes(torn.encode("utf-8", "surrogateescape"))

    shown = koog("--now", on(1), "decay", "show", EPISODE)[1]
    _, line = koog("--now", on(1), "decay", "run")

    assert shown["memories"][0]["accesses"] == 3
    assert (line["rebuilt"], line["changed"]) == (True, True)
    for reply in (shown, line):
        assert SCORES in reply["_meta"]["warnings"][0]
    found = scores(workspace)
    assert found[EPISODE]["access_count"] == 3
    assert found["episode:2026-01-10:09:01"] == right["episode:2026-01-10:09:01"]
    assert koog("--now", on(1), "decay", "run")[1]["_meta"].get("warnings") is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("access_count", "many"),
        ("access_count", True),
        ("base_relevance", None),
        ("last_accessed", "never"),
        ("last_accessed", "0001-01-01"),
        ("pinned", "no"),
        ("status", "lost"),
        ("store", 5),
    ],
)
def test_a_broken_entry_is_named_with_its_line_and_takes_no_other_with_it(koog, workspace, key, value):
    episodes(workspace, 2)
    other = "episode:2026-01-10:09:01"
    logged(workspace, access("write", 0, base=0.7), access("access", 0, other))
    koog("--now", on(0), "decay", "run")
    right, whole = scores(workspace), json.loads((workspace / SCORES).read_text("utf-8"))
    whole["entries"][EPISODE][key] = value
    (workspace / SCORES).write_text(json.dumps(whole, indent=2))

    _, line = koog("--now", on(0), "decay", "run")

    assert f"{SCORES} line 5: the entry of {EPISODE} is broken" in line["_meta"]["warnings"][0]
    assert scores(workspace) == right


@pytest.mark.parametrize("version", [2, 99, "2", 1.5, 0])
def test_a_file_of_another_version_is_left_as_it_is(koog, workspace, version):
    episodes(workspace)
    logged(workspace, access("access", 0))
    put(workspace, SCORES, json.dumps({"version": version, "last_updated": on(0), "entries": {EPISODE: "new"}}))
    before = state(workspace)

    answers = [koog("--now", on(1), "decay", "run"), koog("--now", on(1), "decay", "show")]

    for code, line in answers:
        assert (code, line["error"]["code"]) == (8, "workspace")
        assert SCORES in line["error"]["message"]
        assert "update koog" in line["error"]["hint"]
    assert state(workspace) == before


def test_a_link_in_the_place_of_the_file_is_not_written_through(koog, workspace, tmp_path):
    episodes(workspace)
    (workspace / "memory/meta").mkdir(exist_ok=True)
    (workspace / "memory/other.json").write_text("{}")
    (workspace / SCORES).symlink_to(workspace / "memory/other.json")

    code, line = koog("decay", "run")

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert (workspace / "memory/other.json").read_text() == "{}"


def test_doctor_names_what_is_broken_and_what_mends_it(koog, workspace):
    episodes(workspace)
    logged(workspace, '{"ts":"2026-01', "\n")
    put(workspace, SCORES, "{\n]")
    torn = findings(koog)
    koog("--now", on(0), "decay", "run")
    mended = findings(koog)
    put(workspace, SCORES, '{"version": 2}')

    newer = findings(koog)

    assert [(f["level"], f["file"], f["command"]) for f in torn if f["file"] == SCORES] == [
        ("warn", SCORES, "koog decay run")
    ]
    assert "line 2" in torn[0]["message"]
    assert [(f["file"], f["line"]) for f in mended] == [(LOG, 1)]
    assert [(f["level"], f["file"]) for f in newer if f["file"] == SCORES] == [("error", SCORES)]


def findings(koog) -> list[dict[str, object]]:
    return [row for row in koog("doctor")[1]["findings"] if row["check"] == "memory"]


# --- show


def test_the_least_relevant_come_first_page_by_page(koog, workspace):
    episodes(workspace, 3, "2026-01-10")
    episodes(workspace, 2, "2026-02-10")
    now = ("--now", "2026-02-20T09:00:00Z")

    _, first = koog(*now, "decay", "show", "--limit", "4")
    _, rest = koog(*now, "decay", "show", "--limit", "4", "--offset", str(first["next"]))
    _, fading = koog(*now, "decay", "show", "--status", "fading")

    assert [row["score"] for row in first["memories"]] == [0.2338, 0.2338, 0.2338, 0.5927]
    assert first["_meta"]["truncated"] is True
    assert (first["total"], first["next"], rest["next"], len(rest["memories"])) == (5, 4, None, 1)
    assert first["statuses"] == {"active": 2, "fading": 3, "dormant": 0, "archived": 0}
    assert [row["id"] for row in fading["memories"]] == [f"episode:2026-01-10:09:0{n}" for n in range(3)]
    assert (fading["memories"][1]["path"], fading["memories"][1]["line"]) == ("memory/episodes/2026-01-10.md", 6)


def test_a_fact_stands_where_its_entity_does(koog, workspace):
    koog("--now", on(0), "remember", "Alex lives in Lisbon", "--store", "semantic", "--entity", "person--alex")

    _, line = koog("--now", on(0), "decay", "show", "fact:person--alex:0a1b2c3d")

    assert [row["id"] for row in line["memories"]] == ["entity:person--alex"]


@pytest.mark.parametrize(("id_", "code"), [("entity:person--nobody", 4), ("nothing", 2), ("episode:yesterday", 2)])
def test_a_memory_that_is_not_there_is_one_line(koog, workspace, id_, code):
    assert koog("decay", "show", id_)[0] == code


def test_a_line_of_many_long_names_stays_short(koog, workspace):
    for n in range(60):
        put(workspace, f"memory/vault/{'n' * 70}{n}.md", "# x\n\nKept.\n")

    _, line = koog("decay", "show", "--limit", "1000")

    assert len(json.dumps(line)) < 10_000
    assert line["next"] == len(line["memories"]) < 60


def test_what_was_said_elsewhere_is_not_told_here_and_fades_all_the_same(koog, workspace):
    put(
        workspace,
        "memory/episodes/2026-01-10.md",
        "# 2026-01-10 — Episode Log\n\n## 09:00 | event\nThe key turned.\n\n"
        "## 09:01 | event\nShe laughed. <!-- dc:project=openclaw/main dc:scope=group dc:group=discord:family -->\n",
    )

    _, shown = koog("--now", on(0), "decay", "show")
    koog("--now", on(0), "decay", "run")
    _, line = koog("--now", on(20), "decay", "run")

    assert [row["id"] for row in shown["memories"]] == [EPISODE]
    assert set(scores(workspace)) == {EPISODE, "episode:2026-01-10:09:01"}
    assert [(row["count"], row["ids"]) for row in line["transitions"]] == [(2, [EPISODE])]


# --- the config


def test_the_config_says_how_fast_and_from_where(koog, workspace, monkeypatch):
    episodes(workspace)
    monkeypatch.setenv("KOOG_MEMORY_DECAY_LAMBDA", "0.1")
    monkeypatch.setenv("KOOG_MEMORY_ARCHIVE_BELOW", "0.15")

    _, line = koog("--now", on(17), "decay", "show", EPISODE)

    assert (line["memories"][0]["score"], line["memories"][0]["status"]) == (0.1461, "archived")


# --- any history


IDS = {
    EPISODE: EPISODIC,
    "entity:person--alex": SEMANTIC,
    "procedure:deploy": PROCEDURAL,
    "core:0a1b2c3d": CORE,
}
MEMORIES = [Memory(id_, store, "x", "memory/x.md", 1, "2026-01-10") for id_, store in IDS.items()]
EVENTS = st.lists(  # all of them after the day on which a person wrote what they are about
    st.tuples(st.sampled_from(sorted(IDS)), st.integers(1, 400), st.sampled_from(["write", "access"])), max_size=15
)


@given(EVENTS, st.lists(st.integers(0, 15), max_size=4), st.integers(-10, 500))
def test_when_it_ran_makes_no_difference_to_what_holds_now(events, cuts, day):
    """Whatever was folded when, in whatever order it was logged: the same scores as from the whole log at once."""
    by = Present(START + timedelta(days=day), UTC, 0.03, 0.05)
    rows = [access(op, at, id_, base=0.7 if op == "write" else None) for id_, at, op in events]
    files = dict[str, str]()

    for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(rows)], strict=True):
        files["memory/meta/access.jsonl"] = "".join(rows[begin:end])
        found = reckoning.reckon(Workspace(Path("/nowhere")), MEMORIES, by, files.get)
        files["memory/meta/decay-scores.json"] = decay_scores.render(found.entries, by.now)
    whole = {"memory/meta/access.jsonl": "".join(reversed(rows))}
    once = reckoning.reckon(Workspace(Path("/nowhere")), MEMORIES, by, whole.get)

    assert found.entries == once.entries


@given(st.sets(st.text("abé王-1:~", min_size=1, max_size=300), max_size=60), st.integers(0, 3))
def test_what_the_file_has_of_some_is_what_it_has_of_them_read_as_a_whole(ids, more):
    by = Present(START, UTC, 0.03, 0.05)
    memories = [Memory(f"episode:{id_}", EPISODIC, "x", "memory/x.md", 1, "2026-01-10") for id_ in sorted(ids)]
    found = reckoning.reckon(Workspace(Path("/nowhere")), memories, by, {}.get)
    text = decay_scores.render(found.entries, by.now)
    asked = {*list(found.entries)[more:], "episode:", "fact:zz", "a"}

    some = decay_scores.some(pieces.of(text.encode()), asked)

    every = decay_scores.parse(text, "x").entries
    assert (some is None) is (not ids)
    assert some is None or some.entries == {id_: every[id_] for id_ in asked if id_ in every}


def test_a_file_that_is_one_endless_line_is_not_read_to_its_end(workspace):
    """The agent owns it: of a file of which a little is wanted the whole must not fill the memory."""
    file = put(workspace, SCORES, decay_scores.render({EPISODE: {}}, START).partition("{}")[0])
    os.truncate(file, READ_LIMIT + 1)
    memories, by = MEMORIES[:1], Present(START, UTC, 0.03, 0.05)

    with pytest.raises(WorkspaceError, match="more than koog reads"), Run().workspace.pieces(SCORES):
        pass
    with pytest.raises(WorkspaceError, match="more than koog reads"):
        reckoning.of_some(Run().workspace, memories, by)


# --- ticks


def tick(koog, now: str) -> dict[str, object]:
    code, line = koog("--now", now, "tick", "--idle", "--session-summary", "It is quiet.")
    assert (code, line["degraded"]) == (0, [])
    return line


def test_a_tick_does_it_once_a_day(koog, workspace):
    episodes(workspace)

    told = [tick(koog, f"{on(day)[:10]}T{hour:02}:00:00Z")["decay"] for day in (0, 20) for hour in (1, 12, 23)]

    assert told[0] == {"changed": True, "transitions": []}
    assert told[3] == {
        "changed": True,
        "transitions": [{"from": "active", "to": "fading", "count": 1, "ids": [EPISODE]}],
    }
    assert [told[n] for n in (1, 2, 4, 5)] == [None] * 4


def test_a_tick_that_finds_no_new_status_within_a_day_writes_nothing(koog, workspace):
    episodes(workspace)
    koog("--now", on(0, hour=23), "decay", "run")
    before = (workspace / SCORES).read_bytes()

    next_day = tick(koog, on(1, hour=1))
    unchanged = (workspace / SCORES).read_bytes()
    a_day_later = tick(koog, on(2, hour=1))

    assert next_day["decay"] == {"changed": False, "transitions": []}
    assert unchanged == before
    assert a_day_later["decay"] == {"changed": True, "transitions": []}


def test_a_tick_puts_right_what_a_clock_that_was_ahead_has_written(koog, workspace):
    episodes(workspace)
    koog("--now", on(5), "decay", "run")

    assert tick(koog, on(1))["decay"] == {"changed": True, "transitions": []}
    assert json.loads((workspace / SCORES).read_text("utf-8"))["last_updated"] == on(1)


def test_a_tick_without_a_memory_leaves_no_trace_of_it(koog, workspace):
    assert tick(koog, on(0))["decay"] == {"changed": False, "transitions": []}

    assert not (workspace / SCORES).exists()
    assert not (workspace / LOG).exists()


def test_a_tick_tells_who_did_it(koog, workspace):
    episodes(workspace)
    tick(koog, on(0))

    tick(koog, on(30))

    lines = [line for line in (workspace / AUDIT).read_text("utf-8").splitlines() if SCORES in line]
    assert [line.split(" | ")[3] for line in lines] == ["system:decay"] * 2
    assert lines[1].endswith("1 entry transitioned: active→fading")


def test_what_is_wrong_with_the_file_harms_no_tick(koog, workspace):
    episodes(workspace)
    put(workspace, SCORES, '{"version": 2}')

    line = tick(koog, on(0))
    again = tick(koog, on(0, hour=10))
    (workspace / SCORES).unlink()
    mended = tick(koog, on(0, hour=11))

    assert line["heartbeat"] == "HEARTBEAT_OK"
    assert line["decay"] is None
    assert any("version 2" in told for told in line["_meta"]["warnings"])
    assert any("version 2" in told for told in again["_meta"]["warnings"])  # it is tried until it is mended
    assert mended["decay"] == {"changed": True, "transitions": []}


def test_a_tick_that_is_late_leaves_it_to_the_next(koog, workspace):
    episodes(workspace)

    _, late = koog("--now", on(0), "tick", "--idle", "--session-summary", "It is quiet.", "--deadline", "0")

    assert late["decay"] is None
    assert tick(koog, on(0, hour=10))["decay"] == {"changed": True, "transitions": []}


# --- killed, and at once


def test_two_at_once_tell_each_transition_once(workspace):
    episodes(workspace, 5)
    process("--now", on(0), "decay", "run", cwd=workspace)

    for day in (20, 60, 100):
        both = [warm.Process("--now", on(day), "decay", "run", cwd=workspace) for _ in range(3)]
        replies = [json.loads(each.communicate(timeout=120)[0]) for each in both]
        assert sorted(reply["changed"] for reply in replies) == [False, False, True]

    assert transitions(workspace) == {"active→fading": 5, "fading→dormant": 5, "dormant→archived": 5}


def test_nothing_is_lost_and_nothing_told_twice_when_runs_are_killed_while_somebody_remembers(workspace):
    """Five things fade through all that there is; what is remembered meanwhile lies in the vault, and does not."""
    episodes(workspace, 5)
    chance, takes_s, told, kills = random.Random(16), 0.0, [], 0
    process("--now", on(0), "decay", "run", cwd=workspace)
    rounds = [(1 + 112 * n // ROUNDS, True) for n in range(ROUNDS)]

    # One run between any two boundaries lives.
    for number, (day, may_die) in enumerate(sorted([*rounds, (30, False), (80, False)])):
        begun = time.monotonic()
        text = f"Crate {number} of {chance.getrandbits(40):x} stands on the pier."
        children = [
            warm.Process("--now", on(day), "decay", "run", cwd=workspace),
            warm.Process("--now", on(day), "remember", text, "--store", "vault", cwd=workspace),
        ]
        victims = [child for child in children if takes_s and may_die and chance.random() < 0.6]
        for child in victims:
            time.sleep(chance.uniform(0.1, 0.5) * takes_s)
            child.send_signal(signal.SIGKILL)
        for child in children:
            out, err = child.communicate(timeout=120)
            kills += child.returncode == -signal.SIGKILL
            assert child.returncode == 0 or child in victims, err
            if out.endswith(b"\n") and (line := json.loads(out)).get("created"):
                told.append(line["id"])
        takes_s = takes_s or time.monotonic() - begun
    last = process("--now", on(116), "decay", "run", cwd=workspace)

    logs = [*(workspace / "memory/meta/access").glob("*.jsonl"), workspace / LOG]
    written = Counter(json.loads(row)["id"] for path in logs for row in path.read_text("utf-8").splitlines())
    assert kills >= ROUNDS // 4
    assert last.returncode == 0, last.stdout
    assert {id_: written[id_] for id_ in told} == dict.fromkeys(told, 1)
    assert {scores(workspace)[id_]["access_count"] for id_ in told} == {1}
    assert {row["status"] for row in scores(workspace).values()} == {"archived", "active"}
    assert (workspace / LOG).read_text("utf-8") == ""
    assert git(workspace, "fsck", "--strict", "--no-dangling") == ""
    assert transitions(workspace) == {"active→fading": 5, "fading→dormant": 5, "dormant→archived": 5}
