"""All transcripts read anew on a branch: the tree in use stays as it is, and so does what a person wrote."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from koog.core.files import state_root
from tests.conftest import Koog, git, registered
from tests.fakes.model import FakeModel

NOW = ("--now", "2026-04-01T10:00:00Z")
SAID = (
    "We decided to cut the Apollo release from main on day {n}, because rollbacks ruined {n} weekends.",
    "Lesson learned: we should have run migration {n} on a copy, it locked table {n} for 40 minutes.",
    "Mara{n} Lindqvist is our new accountant, she used to work for city {n} and sits in Bergen.",
)


def told(koog: Koog, *argv: str, code: int = 0) -> dict[str, Any]:
    got, line = koog(*NOW, *argv)
    assert got == code, line
    return line


def transcribed(workspace: Path, many: int, *, first: int = 1, more: str = "") -> None:
    """Lay transcripts of ended sessions, one a day."""
    for n in range(first, first + many):
        day = f"2026-03-{n:02d}"
        path = workspace.parent / f"{workspace.name}-raw/conversations/{day.replace('-', '/')}/0900-ses_{n}-talk.md"
        path.parent.mkdir(parents=True)
        head = f"---\nsession_id: ses_{n}\nstarted: {day}T09:00:00Z\nended: {day}T09:10:00Z\n---\n\n# Talk\n"
        turns = (
            f"\n## 09:0{at} — user\n{text.format(n=n)}\n" for at, text in enumerate((*SAID, more) if more else SAID)
        )
        path.write_text(head + "".join(turns))
        path.chmod(0o444)


@pytest.fixture
def home(workspace: Path, koog: Koog) -> Path:
    registered(workspace)
    transcribed(workspace, 4)
    told(koog, "extract")
    return workspace


def tree(folder: Path, name: str) -> str:
    return git(folder, "rev-parse", f"extract/{name}^{{tree}}")


def test_read_anew_by_the_same_extractors_the_same_is_known(home, koog):
    before = git(home, "rev-parse", "HEAD"), git(home, "status", "--porcelain")

    line = told(koog, "reconstruct", "--branch", "same")

    assert (line["state"], line["done"], line["cost"]["usd"]) == ("done", 4, 0)
    assert line["compared"]["words"] == "nothing that the memory knows has changed"
    assert (git(home, "rev-parse", "HEAD"), git(home, "status", "--porcelain")) == before
    assert git(home, "branch", "--list", "extract/*").strip() == "extract/same"
    assert git(home, "rev-parse", "memory/extract/same") == git(home, "rev-parse", "extract/same")
    assert "Type: extract" in git(home, "log", "-1", "--format=%B", "extract/same")
    assert told(koog, "reconstruct", "--branch", "same", code=5)["error"]["code"] == "refused"


def test_what_was_remembered_since_hides_nothing_that_a_transcript_taught(home, koog):
    more = (
        "We decided to use PostgreSQL for the project Atlas because the client already runs it.",
        "For Atlas the deadline is 15 March 2026.",
        "Atlas deadline moved: it is now 30 April 2026.",
    )
    for n, text in enumerate(more, 10):
        transcribed(home, 1, first=n, more=text)
        told(koog, "extract")
    files = {path: path.read_text("utf-8") for path in (home / "knowledge").rglob("*.md")}
    code, line = koog("--now", "2026-03-12T18:00:00Z", "--engine", "builtin", "remember", more[2])
    assert (code, line["store"]) == (0, "semantic")

    told(koog, "reconstruct", "--branch", "v1")
    told(koog, "reconstruct", "--accept", "--branch", "v1")

    assert {path: path.read_text("utf-8") for path in (home / "knowledge").rglob("*.md")} == files


def test_nothing_begins_while_a_file_that_was_put_away_is_not_committed(home, koog):
    path = "projects/apollo/context.md"
    (home / "archive/projects/apollo").mkdir(parents=True)
    (home / f"knowledge/{path}").rename(home / f"archive/{path}")  # as a command that is killed before its commit

    line = told(koog, "reconstruct", "--branch", "v1", code=5)

    assert line["error"]["message"].startswith(f"knowledge/{path} is gone or was moved")
    told(koog, "backup")
    assert told(koog, "reconstruct", "--branch", "v1")["state"] == "done"


def test_one_that_changes_nothing_says_so_and_is_accepted(home, koog):
    told(koog, "reconstruct", "--branch", "v1")
    told(koog, "reconstruct", "--accept", "--branch", "v1")
    told(koog, "reconstruct", "--branch", "v2")
    assert git(home, "diff", "--name-only", "extract/v2^", "extract/v2") == ""
    assert git(home, "log", "-1", "--format=%s", "extract/v2").startswith("[EDIT] extract/v2 — ")

    line = told(koog, "reconstruct", "--accept", "--branch", "v2")

    assert (line["state"], line["fileCount"]) == ("accepted", 0)
    assert git(home, "branch", "--list", "extract/*").strip() == ""


def test_what_says_that_it_has_ended_is_read_though_a_clone_has_left_it_writable(home, koog):
    paths = sorted((home.parent / f"{home.name}-raw/conversations").rglob("*.md"))
    for path in paths[:2]:
        path.chmod(0o644)

    line = told(koog, "reconstruct", "--branch", "v1", "--dry-run")
    assert line["transcripts"] == len(paths)
    for path in paths:
        path.chmod(0o644)
    assert told(koog, "reconstruct", "--branch", "v1", "--dry-run")["transcripts"] == len(paths)
    (home / "memory/meta/cursors.json").unlink()
    assert told(koog, "status")["knowledge"]["waiting"] == len(paths)


def test_what_was_condensed_and_put_away_is_so_again(workspace, koog):
    registered(workspace)
    transcribed(workspace, 3, more="The alarm code of house {n} is 471{n} and must be changed every May.")
    late = ("--now", "2026-08-01T10:00:00Z")
    for command in (("condense", "monthly"), ("prune", "--journals")):
        assert koog(*late, *command)[0] == 0
    assert len(list((workspace / "archive/journal").glob("*.md"))) == 3
    assert "alarm code" in (workspace / "knowledge/projects/apollo/notes.md").read_text()

    line = koog(*late, "reconstruct", "--branch", "same")[1]

    assert line["compared"]["words"] == "nothing that the memory knows has changed"
    assert git(workspace, "diff", "--stat", "main", "extract/same").strip() == ""


def test_a_day_that_was_put_away_and_that_a_person_has_changed_stays_one_file(workspace, koog):
    registered(workspace)
    transcribed(workspace, 1, more="The alarm code of house {n} is 471{n} and must be changed every May.")
    told(koog, "extract")
    assert koog("--now", "2026-08-01T10:00:00Z", "prune", "--journals")[1]["movedCount"] == 1
    day = workspace / "archive/journal/2026-03-01.md"
    day.write_text(day.read_text() + "- By hand\n")
    git(workspace, "commit", "-qam", "mine")

    told(koog, "reconstruct", "--branch", "same")

    assert git(workspace, "diff", "--name-only", "main", "extract/same").split() == ["archive/journal/2026-03-01.md"]
    now = git(workspace, "show", "extract/same:archive/journal/2026-03-01.md")
    assert sorted(now.splitlines()) == sorted(day.read_text().splitlines())


def test_a_persons_lines_and_what_was_remembered_stay_and_what_was_taught_goes(home, koog):
    context = home / "knowledge/projects/apollo/context.md"
    text = context.read_text()
    assert "on day 1," in text
    text = text.replace("on day 2,", "on day 2 at noon,").replace("## Key Decisions\n", "## Key Decisions\n- By hand\n")
    context.write_text(text)
    notes = home / "knowledge/reference/own.md"
    notes.parent.mkdir(exist_ok=True)
    notes.write_text("# Own\n\nThe key is blue.\n")
    git(home, "add", "-A")
    git(home, "commit", "-qm", "mine")
    kept = told(koog, "remember", "Ana likes green tea", "--explicit")["path"]

    line = told(koog, "reconstruct", "--branch", "few", "--extractors", "journal")

    shown = git(home, "show", "extract/few:knowledge/projects/apollo/context.md")
    assert "By hand" in shown and "on day 2 at noon" in shown
    assert "on day 1," in shown  # not the journal's to read anew
    line = told(koog, "reconstruct", "--branch", "all")
    shown = git(home, "show", "extract/all:knowledge/projects/apollo/context.md")
    assert "By hand" in shown and "on day 2 at noon" in shown and "on day 1," in shown
    assert git(home, "show", "extract/all:knowledge/reference/own.md").endswith("The key is blue.")
    assert "green tea" in git(home, "show", f"extract/all:{kept}")
    assert "in commits of others" in " ".join(line["_meta"]["warnings"])


def test_a_changed_transcript_store_gives_gains_and_losses_and_accept_takes_them(home, koog):
    transcribed(home, 1, first=20)
    corrected_store(home)
    line = told(koog, "reconstruct", "--branch", "v2", "--questions", _questions(home))
    texts = {(row["change"], row["text"]) for row in line["compared"]["lines"]}
    assert any(change in ("learned", "changed") and "on day 31," in text for change, text in texts)
    assert any("Mara20" in text for _, text in texts)
    assert line["compared"]["files"]
    (asked,) = line["questions"]
    assert "<!--" not in str(asked)
    assert "Mara20" in asked["after"]["text"] and asked["same"] is False
    # meanwhile the memory goes on: a line more, by hand, and one forgotten
    context = home / "knowledge/projects/apollo/context.md"
    context.write_text(context.read_text() + "- 2026-04-01: Written since\n")
    gone = told(koog, "forget", "we should have run migration 3 on a copy")["matches"]
    told(koog, "forget", "--confirm", gone[0]["id"])

    plan = told(koog, "--dry-run", "reconstruct", "--accept", "--branch", "v2")
    assert git(home, "branch", "--list", "extract/*") != ""
    done = told(koog, "reconstruct", "--accept", "--branch", "v2")

    assert (done["state"], done["files"]) == ("accepted", plan["files"])
    text = context.read_text()
    assert "on day 31," in text and "on day 1," not in text and "Written since" in text
    assert "Mara20" in (home / "memory/graph/entities/person--mara20.md").read_text()
    assert "migration 3 " not in (home / "MEMORY.md").read_text()
    assert "migration 2 " in (home / "MEMORY.md").read_text()
    assert git(home, "branch", "--list", "extract/*") == ""
    assert git(home, "rev-parse", "memory/before/extract-v2")
    assert git(home, "log", "-1", "--format=%B").count("Type: extract") == 1
    assert told(koog, "reconstruct", "--accept", "--branch", "v2", code=4)["error"]["code"] == "not_found"


def corrected_store(home: Path, *, day: str = "01", old: str = "on day 1,", new: str = "on day 31,") -> None:
    """Let a transcript, usually the first one, say something else."""
    for path in home.parent.glob(f"ws-raw/conversations/2026/03/{day}/*.md"):
        path.chmod(0o600)
        path.write_text(path.read_text().replace(old, new))
        path.chmod(0o444)


def test_what_a_person_puts_on_the_branch_comes_along_and_nothing_but_knowledge_does(home, koog):
    corrected_store(home)
    told(koog, "reconstruct", "--branch", "v1")
    look = home.parent / "look"
    git(home, "worktree", "add", "-q", str(look), "extract/v1")
    context = look / "knowledge/projects/apollo/context.md"
    context.write_text(context.read_text().replace("on day 31,", "on day 32,"))
    (look / "koog-config.json").write_text("{}\n")
    (look / "memory/meta").mkdir(exist_ok=True)
    (look / "memory/meta/forgotten.jsonl").write_text("")
    git(look, "add", "-A")
    git(look, "commit", "-qm", "better")
    audit = (home / "memory/meta/audit.log").read_bytes()

    refused = told(koog, "reconstruct", "--accept", "--branch", "v1", code=5)
    assert "checked out" in refused["error"]["message"]
    git(home, "worktree", "remove", str(look))
    line = told(koog, "reconstruct", "--accept", "--branch", "v1")

    text = (home / "knowledge/projects/apollo/context.md").read_text()
    assert "on day 32," in text and "on day 31," not in text and "on day 1," not in text
    assert "koog-config.json" in " ".join(line["_meta"]["warnings"])
    assert not (home / "koog-config.json").exists() and not (home / "memory/meta/forgotten.jsonl").exists()
    assert (home / "memory/meta/audit.log").read_bytes().startswith(audit)
    assert git(home, "branch", "--list", "extract/*").strip() == "extract/v1"
    assert git(home, "log", "-2", "--format=%(trailers:key=Actor,valueonly,separator=)").split() == [
        "manual",
        "skill:koog",
    ]


@pytest.mark.parametrize("at", ["HEAD", "memory/extract/v1^"])
def test_a_branch_that_koog_did_not_make_is_refused(home, koog, at):
    told(koog, "reconstruct", "--branch", "v1", "--extractors", "journal")
    git(home, "branch", "extract/mine", "HEAD")
    git(home, "branch", "-f", "extract/v1", at)
    head = git(home, "rev-parse", "HEAD")

    for name in ("mine", "v1"):
        assert told(koog, "reconstruct", "--accept", "--branch", name, code=5)["error"]["code"] == "refused"

    assert git(home, "rev-parse", "HEAD") == head
    assert git(home, "branch", "--list", "extract/*").split() == ["extract/mine", "extract/v1"]


def test_what_a_person_changed_deleted_or_put_away_before_and_since_is_as_he_left_it(home, koog):
    transcribed(home, 1, first=20, more="The alarm code of house {n} is 471{n} and must be changed every May.")
    told(koog, "extract")
    context, core = home / "knowledge/projects/apollo/context.md", home / "MEMORY.md"
    context.write_text(context.read_text().replace("on day 2,", "on day 22,"))
    core.write_text("".join(row for row in core.read_text().splitlines(True) if "migration 3 " not in row))
    (home / "memory/graph/entities/person--mara4.md").unlink()
    git(home, "commit", "-qam", "mine")
    corrected_store(home)
    corrected_store(home, day="20", old="47120", new="47121")
    told(koog, "reconstruct", "--branch", "v1")
    assert koog("--now", "2026-08-01T10:00:00Z", "prune", "--journals")[1]["movedCount"] == 1

    told(koog, "reconstruct", "--accept", "--branch", "v1")

    text = context.read_text()
    assert "on day 22," in text and "on day 2," not in text and "on day 31," in text
    assert "migration 3 " not in core.read_text() and "migration 2 " in core.read_text()
    assert not (home / "memory/graph/entities/person--mara4.md").exists()
    assert (home / "memory/graph/entities/person--mara3.md").exists()
    assert list((home / "knowledge/journal").glob("*.md")) == []
    assert "47121" in (home / "archive/journal/2026-03-20.md").read_text()


def _questions(home: Path) -> str:
    path = home.parent / "questions.txt"
    path.write_text("# two\nWho is Mara20 Lindqvist?\n")
    return str(path)


def test_killed_in_the_middle_it_goes_on_to_the_same_tree(home, koog):
    transcribed(home, 12, first=10)
    told(koog, "reconstruct", "--branch", "whole")
    argv = [sys.executable, "-m", "koog", *NOW, "reconstruct", "--branch", "cut"]
    place = Path(os.environ["XDG_STATE_HOME"], "koog", _id(home), "reconstruct/cut")
    process = subprocess.Popen(argv, cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while time.monotonic() < until and not list(place.glob("tree/knowledge/journal/2026-03-1*.md")):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list(place.glob("tree/*"))

    line = told(koog, "reconstruct", "--branch", "cut")

    assert line["state"] == "done"
    assert tree(home, "cut") == tree(home, "whole")
    assert not place.exists()


def test_stopped_by_its_deadline_it_says_how_to_go_on_and_two_at_once_are_one(home, koog):
    line = told(koog, "reconstruct", "--branch", "slow", "--deadline", "0")
    assert (line["state"], line["done"], line["next"]) == ("stopped", 0, ["koog reconstruct --branch slow"])
    assert told(koog, "reconstruct", "--accept", "--branch", "slow", code=5)
    assert told(koog, "reconstruct", "--branch", "slow", "--extractors", "people", code=5)
    root = state_root.find(_id(home))
    assert root
    with root.locked("reconstruct.lock"):
        assert told(koog, "reconstruct", "--branch", "slow", code=9)["error"]["retryable"]

    assert told(koog, "reconstruct", "--branch", "slow")["state"] == "done"


def test_a_name_that_was_used_is_refused_before_any_work_and_one_under_way_can_be_given_up(home, koog):
    told(koog, "reconstruct", "--branch", "v1", "--extractors", "journal")
    told(koog, "reconstruct", "--accept", "--branch", "v1")
    assert "tag" in told(koog, "reconstruct", "--branch", "v1", code=5)["error"]["message"]

    told(koog, "reconstruct", "--branch", "v2", "--deadline", "0")
    (gone,) = home.parent.glob("ws-raw/conversations/2026/03/02/*.md")
    gone.unlink()
    assert "--drop --branch v2" in told(koog, "reconstruct", "--branch", "v2", code=4)["error"]["hint"]
    assert told(koog, "reconstruct", "--drop", "--branch", "v2")["state"] == "dropped"
    assert told(koog, "reconstruct", "--drop", "--branch", "v2", code=4)
    assert told(koog, "reconstruct", "--branch", "v2")["transcripts"] == 3


def test_one_under_way_goes_on_with_the_engine_that_it_began_with(home, koog, llm: FakeModel):
    llm.always({"decisions": []})
    argv = ("reconstruct", "--branch", "slow", "--extractors", "decisions")
    told(koog, "--engine", "builtin", *argv, "--deadline", "0")

    assert told(koog, "--engine", "llm", *argv, code=5)["error"]["hint"].startswith("koog --engine builtin")
    assert told(koog, *argv)["cost"]["engine"] == "builtin"
    assert llm.requests == []


def test_no_hook_and_no_filter_of_the_repository_runs(home, koog):
    canary = home.parent / "canary"
    (home / ".gitattributes").write_text("*.md filter=x\n")
    git(home, "add", ".gitattributes")
    git(home, "commit", "-qm", "attributes")  # where a checkout of that commit would find them
    for hook in ("post-checkout", "post-commit", "reference-transaction", "pre-commit"):
        path = home / ".git/hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {canary}\n")
        path.chmod(0o755)
    git(home, "config", "filter.x.smudge", f"touch {canary}; cat")
    git(home, "config", "filter.x.clean", f"touch {canary}; cat")

    told(koog, "reconstruct", "--branch", "quiet")

    assert not canary.exists()


def test_it_stays_within_the_budget_and_names_the_model_that_it_was_told(home, koog, llm: FakeModel, monkeypatch):
    monkeypatch.setenv("KOOG_BUDGET_TOKENS_PER_DAY", "400")
    llm.always({"decisions": []})
    argv = ("reconstruct", "--branch", "paid", "--extractors", "decisions", "--model", "other/model")

    plan = told(koog, "--dry-run", *argv)
    assert plan["cost"]["tokens"] > 400
    assert "today's budget" in " ".join(plan["_meta"]["warnings"])
    assert told(koog, *argv, code=5)["error"]["message"].startswith("budget")
    monkeypatch.setenv("KOOG_BUDGET_TOKENS_PER_DAY", "100000")
    done = told(koog, *argv)

    assert done["state"] == "done"
    assert {request["body"]["model"] for request in llm.requests} == {"other/model"}
    assert {row["change"] for row in done["compared"]["lines"]} == {"gone"}


@pytest.mark.parametrize("wrong", ["../x", "a..b", "", "x.lock", "-x"])
def test_a_name_that_git_would_not_take_is_refused(home, koog, wrong):
    assert koog("reconstruct", f"--branch={wrong}")[0] == (0 if wrong == "" else 2)


def _id(home: Path) -> str:
    import json

    settings = json.loads(Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json").read_text())
    return str(next(iter(settings["workspaces"])))
