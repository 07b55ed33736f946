"""A session told by command: it grows, ends, and stays; and who looks after it is told of it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.conftest import git, registered
from tests.knowledge.transcripts import files, is_closed, raw, read, said

AT = "2026-02-16T18:45:00Z"
SEEDS = [
    ("18:45", "message", "Read all open issues and give me a summary."),
    ("18:45", "tool", "exec", "gh issue list --state open", "--result", "12 results"),
    ("18:45", "message", "Here are all 12 open issues.", "--role", "agent"),
    (
        "18:52",
        "message",
        "added migration plan",
        "--role",
        "agent",
        "--knowledge",
        "updated:knowledge/projects/autopoiesis/context.md",
    ),
    ("19:30", "message", "That's a wrap.", "--attachment", "plan.pdf"),
]
BODY = """\

# Autopoiesis Restructuring

## 18:45 — user
Read all open issues and give me a summary.

## 18:45 — agent
> [tool:exec] gh issue list --state open → 12 results

Here are all 12 open issues.

## 18:52 — agent [memory]
> [knowledge:updated] knowledge/projects/autopoiesis/context.md — added migration plan

## 19:30 — user
That's a wrap.

> [attachment:plan.pdf]
"""


@pytest.fixture
def ready(workspace):
    registered(workspace)
    return workspace


@pytest.fixture
def tell(koog):
    """Tell a session by command; return the last line."""

    def told(*argv: str, at: str = AT, session: str = "ses_a1b2c3d4") -> dict:
        code, line = koog("--now", at, "transcript", *argv, "--session", session)
        assert code == 0, line
        return line

    return told


def test_a_session_told_by_command_is_the_seeds_format_to_the_letter(ready, koog, tell):
    line = tell("start", "--model", "claude-opus-4.6", "--channel", "webchat", "--topic", "autopoiesis restructuring")
    for at, *argv in SEEDS:
        tell(*argv, at=f"2026-02-16T{at}:20Z")
    tell(
        "end",
        "--tag",
        "coding",
        "--tag",
        "git",
        "--tokens-in",
        "45230",
        "--tokens-out",
        "12840",
        at="2026-02-16T19:32:00Z",
    )

    [path] = files(ready)
    head, _, body = path.read_text().partition("---\n\n#")
    assert line["path"] == "raw/conversations/2026/02/16/1845-ses_a1b2c3d4-autopoiesis-restructuring.md"
    assert f"raw/{path.relative_to(raw(ready))}" == line["path"]
    assert f"\n#{body}" == BODY
    assert head.splitlines() == [
        "---",
        "session_id: ses_a1b2c3d4",
        "started: 2026-02-16T18:45:00Z",
        "ended: 2026-02-16T19:32:00Z",
        "model: claude-opus-4.6",
        "channel: webchat",
        "topic: autopoiesis restructuring",
        "tags: [coding, git]",
        "tokens_in: 45230",
        "tokens_out: 12840",
        'project: "."',
        "scope: private",
        "knowledge_changes:",
        "  - path: knowledge/projects/autopoiesis/context.md",
        "    action: updated",
        "    summary: added migration plan",
    ]
    assert is_closed(path)
    message = git(raw(ready), "log", "-1", "--format=%an%n%B")
    assert message == f"skill:koog\nconversation: autopoiesis-restructuring\n\nSession: {line['path']}"


def test_a_transcript_begun_without_a_topic_is_called_by_the_persons_first_words(ready, koog, tell):
    begun = tell("start")["path"]
    assert begun.endswith("1845-ses_a1b2c3d4-session.md")
    tell("message", "Hello, what is it?", "--role", "agent")
    named = tell("message", "Plan the cider press. Soon.")["path"]
    assert named.endswith("1845-ses_a1b2c3d4-plan-the-cider-press.md")
    assert tell("message", "Buy bottles first.")["path"] == named
    assert tell("end")["paths"] == [named]
    assert [path.name for path in files(ready)] == ["1845-ses_a1b2c3d4-plan-the-cider-press.md"]
    assert [turn.text for turn in said(ready)] == [
        "Hello, what is it?",
        "Plan the cider press. Soon.",
        "Buy bottles first.",
    ]
    assert git(raw(ready), "log", "-1", "--format=%s") == "conversation: plan-the-cider-press"


def test_a_session_is_begun_once_and_named_by_the_environment(ready, koog, monkeypatch):
    monkeypatch.setenv("KOOG_SESSION_ID", "ses_1")
    first, second = koog("transcript", "start")[1], koog("transcript", "start")[1]

    assert (first["created"], second["created"]) == (True, False)
    assert first["path"] == second["path"]
    told = koog("transcript", "message", "Hello")[1]
    assert told["added"] == 1
    assert koog("transcript", "end")[1]["paths"] == [told["path"]]


def test_a_session_without_a_name_gets_one(ready, koog):
    line = koog("transcript", "start")[1]

    assert line["session"].startswith("ses_")
    assert len(files(ready)) == 1


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("message", "x"), "usage"),
        (("message", "x", "--session", "ses_0"), "not_found"),
        (("message", "x", "--role", "robot", "--session", "ses_1"), "usage"),
        (("message", "x", "--knowledge", "updated:a.md", "--session", "ses_1"), "usage"),
        (("message", "x", "--role", "agent", "--knowledge", "a.md", "--session", "ses_1"), "usage"),
        (("start", "--session", "a\nb"), "usage"),
        (("start", "--session", " "), "usage"),
        (("end",), "usage"),
        (("end", "--stale", "--session", "ses_1"), "usage"),
    ],
    ids=str,
)
def test_a_wrong_call_is_told_and_writes_nothing(ready, koog, argv, code):
    koog("transcript", "start", "--session", "ses_1", "--topic", "t")
    before = files(ready)[0].read_bytes()

    assert koog("transcript", *argv)[1]["error"]["code"] == code
    assert [path.read_bytes() for path in files(ready)] == [before]


def test_what_is_private_never_gets_there_nor_into_the_log_of_who_said_it(ready, koog, tell):
    tell("start", "--topic", "t")
    line = tell("message", "<private>the surgery is on Friday</private>")
    tell("message", "the surgery went well, they say")

    log = (ready / "memory/meta/audit.log").read_text()
    assert line["added"] == 0
    assert "surgery" not in log + git(ready, "log", "--format=%B")
    assert [turn.text for turn in said(ready)] == ["the surgery went well, they say"]


def test_a_message_on_standard_input_may_have_many_lines(ready, koog, tell, monkeypatch):
    from io import BytesIO, TextIOWrapper

    tell("start", "--topic", "t")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO("one\n## 09:00 — user\ntwo\n".encode()), "utf-8"))

    tell("message", "-", "--role", "agent")

    assert [turn.text for turn in said(ready)] == ["one\n## 09:00 — user\ntwo"]


def test_sessions_that_never_ended_are_closed_when_nobody_has_spoken_for_hours(ready, koog, tell):
    tell("start", "--topic", "old", session="old")
    tell("start", "--topic", "new", session="new", at="2026-02-17T00:00:00Z")

    status = koog("--now", "2026-02-17T01:00:00Z", "status")[1]
    line = koog("--now", "2026-02-17T01:00:00Z", "transcript", "end", "--stale")[1]

    assert (status["transcripts"]["open"], status["transcripts"]["silent"]) == (2, 1)
    assert [row["command"] for row in status["due"] if row["what"] == "transcripts"] == ["koog transcript end --stale"]
    assert [Path(path).stem[-3:] for path in line["paths"]] == ["old"]
    assert [is_closed(path) for path in files(ready)] == [True, False]
    assert read(files(ready)[0]).head.ended.isoformat() == "2026-02-16T18:45:00+00:00"


def test_messages_make_no_commit_of_their_own_and_ride_along_with_the_next(ready, koog, tell):
    tell("start", "--topic", "t", at="2026-02-28T11:00:00Z")
    koog("--now", "2026-02-28T11:01:00Z", "remember", "Ana lives in Lisbon", "--store", "semantic", "--entity", "Ana")
    before = git(ready, "rev-parse", "HEAD")

    tell("message", "one", at="2026-02-28T11:02:00Z")
    tell("message", "two", at="2026-02-28T11:03:00Z")
    assert git(ready, "rev-parse", "HEAD") == before
    koog("--now", "2026-02-28T11:04:00Z", "remember", "Ben lives in Porto", "--store", "semantic", "--entity", "Ben")

    assert "memory/meta/transcripts.json" in git(ready, "show", "--format=", "--name-only", "HEAD").split()


def test_status_says_how_many_how_old_and_which_are_open(ready, koog, tell):
    assert koog("--now", AT, "status")[1]["transcripts"]["files"] == 0
    tell("start", "--topic", "one", session="a")
    tell("end", session="a")
    path = tell("start", "--topic", "two", session="b", at="2026-02-16T19:00:00Z")["path"]

    found = koog("--now", "2026-02-16T19:30:00Z", "status")[1]["transcripts"]

    assert found == {
        "files": 2,
        "newest": "2026-02-16T19:00:00Z",
        "newestAgeMinutes": 30,
        "open": 1,
        "silent": 0,
        "openPaths": [path],
        "openSince": "2026-02-16T19:00:00Z",
    }


def findings(koog) -> list[tuple[str, int | None, str]]:
    rows = [row for row in koog("doctor")[1]["findings"] if row["check"] == "transcripts"]
    return sorted(((Path(row["file"]).name.rpartition("-")[2], row["line"], row["message"]) for row in rows), key=str)


def test_doctor_finds_what_is_wrong_with_a_transcript_by_file_and_line(ready, koog, tell):
    for session in ("a", "b", "c", "d"):
        tell("start", "--topic", session, session=session)
    for session in ("a", "b"):
        tell("end", session=session)
    assert findings(koog) == []
    first, second, third, fourth = files(ready)
    first.chmod(0o644)
    first.write_text(f"{first.read_text()}\n## 27:00 — user\nHello\n")
    third.unlink()
    fourth.chmod(stat.S_IRUSR)

    found = findings(koog)

    assert found == [
        ("a.md", 1, "has ended, and anybody may write it"),
        ("a.md", 16, "27:00 is no time"),
        ("a.md", None, "is not as it was when its session ended"),
        ("c.md", None, "is gone, though its session lasts: what follows begins another"),
        ("d.md", 1, "is closed, and says not that it has ended"),
        ("raw", None, f"1 have ended and are in no commit, the first: raw/{fourth.relative_to(raw(ready))}"),
    ]
    assert second.exists()


def test_paths_raw_that_is_a_folder_of_the_workspace_is_refused(workspace, koog):
    registered(workspace, paths_raw="memory")

    code, line = koog("transcript", "start", "--session", "a")

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert not (workspace / "memory/.git").exists()


def test_what_happened_earlier_in_the_same_minute_is_not_named_as_changed_meanwhile(ready, koog, tell):
    def remember(name: str, second: int) -> None:
        words = ("remember", f"{name} lives in Lisbon", "--store", "semantic", "--entity", name)
        koog("--now", f"2026-02-16T18:45:{second:02d}Z", *words)

    remember("Ana", 5)
    tell("start", at="2026-02-16T18:45:20Z")
    remember("Bob", 45)
    tell("message", "Hello", at="2026-02-16T18:46:20Z")
    tell("end", at="2026-02-16T18:47:20Z")

    [path] = files(ready)
    told = {row["path"] for row in read(path).head.knowledge_changes}
    assert any("bob" in each for each in told)
    assert not any("ana" in each for each in told)


def test_a_private_block_over_several_messages_is_in_none_of_them(ready, koog, tell):
    tell("start")
    for text in ("Open <private>my salary", "and my illness", "and the rest</private> open again", "all of it"):
        tell("message", text, at="2026-02-16T18:46:20Z")

    [path] = files(ready)
    told = path.read_text()
    assert "Open" in told and "open again" in told and "all of it" in told
    assert not any(word in told for word in ("salary", "illness", "the rest"))


def test_what_a_host_has_cut_off_a_private_block_is_private(ready, koog, tell):
    tell("start")
    tell("message", "the rest of a secret</private> and what is open", at="2026-02-16T18:46:20Z")

    assert [turn.text for turn in read(files(ready)[0]).turns] == ["and what is open"]
