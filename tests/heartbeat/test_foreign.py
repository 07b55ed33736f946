"""What stands in notes and is nobody's words there: sessions that are observed, koog's own replies."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.heartbeat import foreign
from koog.sessions.notes import dumps
from tests.conftest import registered
from tests.logs import NOW, bullets, note

CURSORS = "memory/meta/cursors.json"
REPLY = '{"ok":true,"signals":["Decided on marlin because it is cheap"],"_meta":{"schema":"koog.signal/1","ts":"x"}}'
SAID = "We decided on Turso instead of SQLite because it replicates"
NAME = "2026-02-28-1104.md"


def dump(said=SAID, *, key="agent:main:main", identity="8219d174", at="2026-02-28 11:04:03"):
    return (
        f"# Session: {at} UTC\n\n- **Session Key**: {key}\n- **Session ID**: {identity}\n"
        f"- **Source**: gateway:agent\n\n## Conversation Summary\n\nuser: {said}\nassistant: Noted.\n"
    )


def observing(workspace, *, since=None, sessions=()):
    (workspace / "memory/meta").mkdir(exist_ok=True)
    value = {"observe": {"since": since, "sessions": {key: {"offset": 7} for key in sessions}, "partly": {}}}
    (workspace / CURSORS).write_text(json.dumps(value))


def openclaw(alone):
    (alone / ".openclaw").mkdir()


def mine(koog):
    code, line = koog("mine", "--now", NOW)
    assert code == 0, line
    return line


# --- sessions that OpenClaw keeps as notes


def test_a_session_that_nobody_observes_is_all_there_is_of_it_and_its_turns_are_read(koog, workspace):
    note(workspace, NAME, dump())

    line = mine(koog)

    assert "Turso" in line["newPatterns"][0] and line["minedSources"] == [NAME]
    assert line["evidence"][0]["line"] == 9


def test_a_session_that_was_observed_is_not_mined_a_second_time(koog, workspace):
    observing(workspace, since="2026-02-28T08:00:00Z", sessions=["openclaw/main/8219d174"])
    note(workspace, NAME, dump())

    first = mine(koog)
    read = json.loads((workspace / CURSORS).read_text())["mine"]["files"]

    assert first["newPatterns"] == first["minedSources"] == [] and first["remaining"] == 0
    assert list(read) == [f"memory/{NAME}"]
    assert mine(koog)["_meta"]["changes"] == []


def test_a_session_that_is_to_be_observed_waits_for_that_and_is_read_where_it_never_is(koog, workspace, alone):
    openclaw(alone)
    registered(workspace, observe_sources=["openclaw"])
    observing(workspace, since="2026-02-28T08:00:00Z")
    note(workspace, NAME, dump())

    waits = mine(koog)
    registered(workspace, observe_sources=["claude"])
    line = mine(koog)

    assert waits["minedSources"] == [] and waits["_meta"]["changes"] == []
    assert "Turso" in line["newPatterns"][0]


@pytest.mark.parametrize(
    "header",
    [
        {"at": "2026-02-27 23:00:00"},  # before observing began
        {"key": "agent:main:telegram:direct:42", "at": "2026-02-27 23:00:00"},
    ],
)
def test_a_session_of_before_observing_began_is_read(koog, workspace, alone, header):
    openclaw(alone)
    registered(workspace, observe_sources=["openclaw"])
    observing(workspace, since="2026-02-28T08:00:00Z")
    note(workspace, NAME, dump(**header))

    assert "Turso" in mine(koog)["newPatterns"][0]


@pytest.mark.parametrize("key", ["agent:main:cron:abc", "agent:main:hook:mail", "agent:main:subagent:1"])
def test_a_session_of_no_person_is_never_read(koog, workspace, key):
    note(workspace, NAME, dump(key=key))

    assert mine(koog)["newPatterns"] == []
    assert mine(koog)["_meta"]["changes"] == []


def test_of_two_sessions_in_a_note_one_that_nobody_observed_is_enough_to_read_it(koog, workspace):
    observing(workspace, since="2026-02-28T08:00:00Z", sessions=["openclaw/main/8219d174"])
    note(workspace, NAME, dump("hello there") + "\n" + dump(identity="99b88471", at="2026-02-28 07:00:00"))

    assert "Turso" in mine(koog)["newPatterns"][0]


def test_an_observed_session_is_no_activity_and_no_summary(koog, workspace):
    observing(workspace, since="2026-02-28T08:00:00Z", sessions=["openclaw/main/8219d174"])
    note(workspace, NAME, dump("The build failed with ENOSPC again."))

    code, line = koog("tick", "--now", NOW)

    assert code == 0
    assert (line["sessionSummary"], line["idle"]) == ("Nothing is written yet.", True)
    assert "ENOSPC" not in json.dumps(line)


LESSONS = "\n## Lessons\n\n- The invoices are numbered by quarter because the accountant wants no gaps.\n"
ADDED = "\n- Never restart the billing service between 9 and 10, the invoices go out then.\n"


def test_what_a_hand_writes_below_an_observed_session_is_mined_with_its_line(koog, workspace):
    observing(workspace, since="2026-02-28T08:00:00Z", sessions=["openclaw/main/8219d174"])
    note(workspace, NAME, dump() + LESSONS)

    line = mine(koog)

    assert len(line["newPatterns"]) == 1 and "accountant" in line["newPatterns"][0]
    assert line["evidence"][0]["line"] == 14


def test_what_is_added_to_a_session_that_was_read_is_mined(koog, workspace):
    observing(workspace, since="2026-02-28T08:00:00Z", sessions=["openclaw/main/8219d174"])
    note(workspace, NAME, dump())
    first = mine(koog)
    note(workspace, NAME, dump() + ADDED)
    told = json.dumps(koog("status", "--now", NOW)[1])

    second = mine(koog)

    assert first["newPatterns"] == [] and "1 note not mined" in told
    assert len(second["preferences"]) == 1 and "billing" in second["preferences"][0]
    assert mine(koog)["_meta"]["changes"] == []


def test_the_turn_of_a_session_with_a_heading_in_code_ends_with_it():
    code = "assistant: Run it.\n\n```\n\n# a comment\n```\n"

    assert [text[each.start : each.end] == text for text in (dump() + code,) for each in dumps(text)] == [True]
    (found,) = dumps(dump() + code + LESSONS)
    assert found.end == len(dump() + code) + 1


def test_what_a_hand_writes_below_an_observed_session_is_activity_and_summary(koog, workspace):
    observing(workspace, since="2026-02-28T08:00:00Z", sessions=["openclaw/main/8219d174"])
    note(workspace, NAME, dump("The build failed with ENOSPC again.") + LESSONS)

    told = koog("tick", "--now", NOW)[1]["sessionSummary"]

    assert "accountant" in told and "ENOSPC" not in told


@pytest.mark.parametrize(
    "text",
    [
        "- I wrote this\n\n" + dump(),
        "# Session notes\n\n- **Session Key**: agent:main:main\n",
        "# Session: of the board\n\n- **Session Key**: agent:main:main\n",
        "# Session: 2026-02-28 11:04:03 UTC\n\n- We met\n",
        "",
    ],
)
def test_what_somebody_wrote_is_no_session(text):
    assert dumps(text) == []


def test_what_is_said_of_a_session_is_read():
    (found,) = dumps("\ufeff" + dump().replace("\n", "\r\n"))

    assert (found.key, found.id, found.at.isoformat()) == ("agent:main:main", "8219d174", "2026-02-28T11:04:03+00:00")


# --- koog's own replies


@pytest.mark.parametrize(
    ("row", "left"),
    [
        (REPLY, ""),
        (f"- {REPLY}", "-"),
        (f"assistant: {REPLY}", "assistant:"),
        (f"user: what is {REPLY}", "user: what is"),
        (f"user: {json.dumps('what is ' + REPLY)}", 'user: "what is"'),
        (f"assistant: {json.dumps(json.dumps(json.loads(REPLY), indent=1))}", 'assistant: ""'),
        ('{"ok":true,"n":1}', '{"ok":true,"n":1}'),
        ('the schema "koog.signal/1" is new', 'the schema "koog.signal/1" is new'),
    ],
)
def test_a_reply_goes_and_what_stands_before_it_stays(row, left):
    assert [each.rstrip() for each in foreign.said(f"a\n{row}\nb").split("\n")] == ["a", left, "b"]


def test_nothing_of_a_reply_is_mined_and_lines_stay_true(koog, workspace):
    block = "<!-- koog:startup -->\n- 🔴 Decided on narwhal because it is cheap\n<!-- /koog -->"
    note(workspace, "2026-02-27.md", f"{REPLY}\n- {REPLY}\n{block}\nuser: {json.dumps(REPLY)}\n- {SAID}\n")

    line = mine(koog)

    assert len(line["newPatterns"]) == 1 and "Turso" in line["newPatterns"][0]
    assert line["evidence"][0]["line"] == 7
    koog("curate", "--now", NOW)
    assert not any("marlin" in row or "narwhal" in row for row in bullets(workspace))


@given(
    st.lists(
        st.sampled_from([REPLY, "- a line", "", f"user: {json.dumps(REPLY)}", "<!-- koog:x -->", "<!-- /koog -->"])
    )
)
def test_no_line_is_lost(rows):
    text = "\n".join(rows)

    assert foreign.said(text).count("\n") == text.count("\n")


def test_status_counts_no_note_of_an_observed_session(koog, workspace):
    note(workspace, NAME, dump())
    before = koog("status", "--now", NOW)[1]
    observing(workspace, since="2026-02-28T08:00:00Z", sessions=["openclaw/main/8219d174"])

    after = koog("status", "--now", NOW)[1]

    assert "1 note not mined" in json.dumps(before) and "not mined" not in json.dumps(after)


def test_of_hundreds_of_kept_sessions_what_was_observed_is_read_once(koog, workspace, monkeypatch):
    ids = [f"8219d{n:03}" for n in range(30)]
    observing(workspace, since="2026-01-01T08:00:00Z", sessions=[f"openclaw/main/{each}" for each in ids])
    for n, each in enumerate(ids):
        note(workspace, f"2026-01-{n + 1:02}-1430.md", dump(identity=each))
    loads, load = [], foreign.cursors.load
    monkeypatch.setattr(foreign.cursors, "load", lambda found: loads.append(1) or load(found))

    assert mine(koog)["minedSources"] == []
    assert len(loads) <= 2
