"""What is particular to each host: who speaks, what is the host's own, and which files hold sessions.

Shapes: openclaw.md; for Claude Code and Codex the public sources that their readers name.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from koog.core.errors import NotFound
from koog.core.text.marks import KOOG_BEGIN, KOOG_END, fenced, without_koog
from koog.sessions.claude import Claude
from koog.sessions.codex import Codex
from koog.sessions.find import find
from koog.sessions.openclaw import OpenClaw
from koog.sessions.openclaw_records import kind_of
from koog.sessions.turn import Reader
from tests.fakes.stores import FILES, RENDER, SESSION, TALK, Database, Record, Said, header, openclaw, stamp, write


def told(hosts: Reader) -> list[tuple[str, str, str]]:
    """Return role, text and origin of all turns there are."""
    return [
        (turn.role, turn.text, turn.origin)
        for session in hosts.sessions()
        for batch in hosts.read(session, None)
        for turn in batch.turns
    ]


def unknown(hosts: Reader) -> list[dict[str, int]]:
    return [batch.unknown for session in hosts.sessions() for batch in hosts.read(session, None)]


# --- OpenClaw


def message(number: int, **fields: Any) -> Record:
    return {"type": "message", "id": f"{number:08x}", "timestamp": stamp(number), "message": fields}


def heard(tmp_path: Path, *records: Record) -> list[tuple[str, str, str]]:
    write(tmp_path / FILES["openclaw"], [header(), *records])
    return told(OpenClaw(tmp_path))


@pytest.mark.parametrize(
    ("text", "provenance", "origin"),
    [
        ("[OpenClaw heartbeat poll]", None, "heartbeat"),
        ("look after things", {"kind": "internal_system", "sourceTool": "heartbeat"}, "heartbeat"),
        ("the job is done", {"kind": "internal_system", "sourceTool": "exec"}, "agent"),
        ("from a sister", {"kind": "inter_session"}, "subagent"),
        ("[cron:77 nightly] tidy up", None, "cron"),
        ("[Subagent Context] You are", None, "subagent"),
        ("what does [OpenClaw heartbeat poll] mean?", None, "user"),
    ],
)
def test_who_spoke_is_told_by_the_host_or_by_how_the_text_opens(tmp_path, text, provenance, origin):
    asked = {"role": "user", "content": text, **({"provenance": provenance} if provenance else {})}
    answer = {"role": "assistant", "content": [{"type": "text", "text": "done"}]}

    [first, second] = heard(tmp_path, message(0, **asked), message(1, **answer))

    assert first == ("user", text, origin)
    assert second == ("assistant", "done", origin if origin in ("heartbeat", "cron", "subagent") else "agent")


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("[Sat 2026-02-28 09:00 UTC] Never push to main.", "Never push to main."),
        ("[Telegram Anna (@anna) id:12 +5m 2026-02-28 10:00 GMT+1] Never push.\n[message_id: 77]", "Never push."),
        ("[WhatsApp +1555 2026-02-28T09:00Z] [urgent] Never push.", "[urgent] Never push."),
        ("[urgent] Never push before 2026-03-01 09:00.", "[urgent] Never push before 2026-03-01 09:00."),
        ("The line was [2026-02-28 09:00] started", "The line was [2026-02-28 09:00] started"),
    ],
)
def test_what_the_gateway_writes_around_a_message_is_not_what_was_typed(tmp_path, stored, typed):
    assert heard(tmp_path, message(0, role="user", content=stored)) == [("user", typed, "user")]


def test_a_cron_job_with_a_date_in_its_name_is_one(tmp_path):
    [(_, _, origin)] = heard(tmp_path, message(0, role="user", content="[cron:77 from 2026-02-28 09:00] tidy up"))

    assert origin == "cron"


def test_the_cause_of_an_answer_is_known_in_the_next_read(tmp_path):
    path = write(tmp_path / FILES["openclaw"], [header(), message(0, role="user", content="[OpenClaw heartbeat poll]")])
    hosts = OpenClaw(tmp_path)
    [batch] = hosts.read(hosts.sessions()[0], None)
    answer = message(1, role="assistant", content=[{"type": "text", "text": "NO_REPLY"}])
    path.write_bytes(path.read_bytes() + json.dumps(answer).encode() + b"\n")

    [later] = hosts.read(hosts.sessions()[0], batch.cursor)

    assert [turn.origin for turn in later.turns] == ["heartbeat"]


def test_a_result_in_the_next_read_still_names_its_command(tmp_path):
    call, answer = openclaw([Said("tool", "boom", "make all", 2)])
    path = write(tmp_path / FILES["openclaw"], [header(), call])
    hosts = OpenClaw(tmp_path)
    [batch] = hosts.read(hosts.sessions()[0], None)
    write(path, [header(), call, answer])

    [later] = hosts.read(hosts.sessions()[0], batch.cursor)

    assert [turn.text for turn in later.turns] == ["exec `make all`, exit 2: boom"]


def test_settings_summaries_errors_and_nested_copies_say_nothing(tmp_path):
    silent = [{"type": kind, "id": kind} for kind in ("model_change", "compaction", "reset", "custom")]
    nested = message(1, role="custom", customType="openclaw.nested-tool.v1", content="", details={"result": "x"})
    error = message(2, role="assistant", content=[], stopReason="error", errorMessage="400")

    assert heard(tmp_path, *silent, nested, error) == []
    assert unknown(OpenClaw(tmp_path)) == [{}]


def test_what_is_unknown_is_counted_by_kind(tmp_path):
    heard(tmp_path, {"type": "vote", "id": "1"}, {"type": "vote", "id": "2"}, message(3, role="referee", content="x"))

    assert unknown(OpenClaw(tmp_path)) == [{"vote": 2, "message of referee": 1}]


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("agent:main:main", "main"),
        ("agent:main:telegram:group:-100", "main"),
        ("agent:main:cron:0045c151", "cron"),
        ("agent:work:subagent:c0ded7ca", "subagent"),
        ("agent:main:main:heartbeat", "heartbeat"),
        ("agent:main:hook:gmail:19a2", "cron"),
        ("agent:codex:acp:77c1", "subagent"),
    ],
)
def test_the_kind_of_a_session_is_told_by_its_key(key, kind):
    assert kind_of(key) == kind


def test_files_that_say_the_same_things_again_are_no_sessions(tmp_path):
    path = write(tmp_path / FILES["openclaw"], [header(), *openclaw(TALK)])
    for suffix in ("trajectory.jsonl", "checkpoint.81fbe6ad.jsonl", "jsonl.lock", "jsonl.bak"):
        (path.parent / f"{SESSION}.{suffix}").write_bytes(path.read_bytes())

    assert [session.path for session in OpenClaw(tmp_path).sessions()] == [str(path)]


def test_several_files_of_one_session_are_read_in_their_order(tmp_path):
    folder = (tmp_path / FILES["openclaw"]).parent
    write(folder / f"{SESSION}.jsonl.reset.2026-02-28T10-00-00.000Z", [header(), *openclaw(TALK[:2])])
    write(folder / f"{SESSION}.jsonl.reset.2026-02-28T11-00-00.000Z", [header(), *openclaw(TALK[2:3], first=2)])
    write(folder / f"{SESSION}.jsonl", [header(), *openclaw(TALK[3:], first=3)])
    hosts = OpenClaw(tmp_path)

    [session] = hosts.sessions()
    batches = [*hosts.read(session, None)]

    assert [text for _, text, _ in told(hosts)][::6] == [TALK[0].text, TALK[6].text]
    assert len(told(hosts)) == len(TALK)
    assert [*hosts.read(session, batches[-1].cursor)] == []


def test_a_database_goes_before_the_files_that_were_imported_into_it(tmp_path):
    write(tmp_path / FILES["openclaw"], [header(), *openclaw(TALK)])
    with closing(Database(tmp_path)) as store:
        store.append([header(), *openclaw(TALK)])

        [session] = OpenClaw(tmp_path).sessions()

    assert Path(session.path).name == "openclaw-agent.sqlite"


# --- Claude Code


def claude(number: int, kind: str, content: object, **more: Any) -> Record:
    record = {"type": kind, "uuid": f"u{number}", "timestamp": stamp(number), "sessionId": SESSION}
    return {**record, "message": {"role": kind, "content": content}, **more}


def project(tmp_path: Path, *records: Record) -> list[tuple[str, str, str]]:
    write(tmp_path / FILES["claude"], records)
    return told(Claude(tmp_path))


def test_sidechains_thinking_and_the_hosts_own_words_are_passed_over(tmp_path):
    found = project(
        tmp_path,
        claude(0, "user", "a subagent's task", isSidechain=True),
        claude(1, "user", "Stop hook feedback", isMeta=True),
        claude(2, "user", "This session is being continued", isCompactSummary=True),
        claude(3, "user", "said before the fork", forkedFrom={"sessionId": "x", "messageUuid": "y"}),
        claude(4, "user", "<local-command-stdout>Set model</local-command-stdout>"),
        claude(5, "user", [{"type": "text", "text": "[Request interrupted by user]"}]),
        claude(6, "assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yes."}]),
        claude(7, "assistant", [{"type": "text", "text": "API Error"}], isApiErrorMessage=True),
        {"type": "file-history-snapshot", "messageId": "m"},
        {"type": "summary", "summary": "s", "leafUuid": "l"},
    )

    assert found == [("assistant", "Yes.", "agent")]
    assert unknown(Claude(tmp_path)) == [{}]


def test_what_the_user_typed_is_found_where_the_host_puts_it(tmp_path):
    queued = {"type": "queued_command", "commandMode": "prompt", "prompt": "and use tabs"}
    notice = {"type": "queued_command", "commandMode": "task-notification", "prompt": "done"}
    found = project(
        tmp_path,
        claude(0, "user", "<system-reminder>be good</system-reminder>\nFix it"),
        {"type": "attachment", "uuid": "u1", "timestamp": stamp(1), "attachment": queued},
        {"type": "attachment", "uuid": "u2", "timestamp": stamp(2), "attachment": notice},
        claude(3, "user", "<command-name>/fix</command-name><command-args>the tests first</command-args>"),
        claude(4, "user", "<task-notification><result>found it</result></task-notification>"),
        claude(5, "user", "<ide_opened_file>The user opened the file /a</ide_opened_file>\nwhy is it there?"),
        claude(6, "user", [{"type": "text", "text": "<ide_selection>lines 1 to 2:\nNever push</ide_selection>"}]),
        claude(7, "user", "what does <ide_selection>this\nNever push</ide_selection> mean?"),
    )

    assert [(text[:20], origin) for _, text, origin in found] == [
        ("Fix it", "user"),
        ("and use tabs", "user"),
        ("the tests first", "user"),
        ("<task-notification><", "subagent"),
        ("why is it there?", "user"),
        ("what does  mean?", "user"),
    ]


@pytest.mark.parametrize(
    ("host", "report"),
    [
        ("claude", "<task-notification><result>it is slow</result></task-notification>"),
        ("codex", "<subagent_notification>it is slow</subagent_notification>"),
    ],
)
def test_what_the_agent_says_to_a_subagents_report_is_its_own(tmp_path, host, report):
    talk = [Said("user", "measure it"), Said("user", report), Said("assistant", "Then we use SQLite.")]
    write(tmp_path / FILES[host], RENDER[host](talk))

    [hosts] = find(str(tmp_path), env={}, home=tmp_path)

    assert [origin for _, _, origin in told(hosts)] == ["user", "subagent", "agent"]


def test_results_keep_exit_codes_and_a_failure_without_one_is_told(tmp_path):
    calls = [
        {"type": "tool_use", "id": f"t{n}", "name": name, "input": given}
        for n, (name, given) in enumerate([("Bash", {"command": "npm test"}), ("Edit", {"file_path": "/a"})])
    ]
    results = [
        {"type": "tool_result", "tool_use_id": "t0", "is_error": True, "content": "Exit code 1\nFAIL"},
        {
            "type": "tool_result",
            "tool_use_id": "t1",
            "is_error": True,
            "content": [{"type": "text", "text": "no file"}],
        },
    ]

    found = project(tmp_path, claude(0, "assistant", calls), claude(1, "user", results))

    assert [text for _, text, _ in found] == ["Bash `npm test`, exit 1: FAIL", "Edit, failed: no file"]


def test_subagents_have_sessions_of_their_own(tmp_path):
    write(tmp_path / FILES["claude"], RENDER["claude"](TALK[:1]))
    side = [claude(0, "user", "look for it", isSidechain=True), claude(1, "assistant", "found", isSidechain=True)]
    write(tmp_path / "projects/-home-p/agent-32335b9b.jsonl", side)
    write(tmp_path / f"projects/-home-p/{SESSION}/subagents/agent-77.jsonl", side)
    hosts = Claude(tmp_path)

    kinds = {session.id: session.kind for session in hosts.sessions()}
    origins = {origin for _, text, origin in told(hosts) if text != TALK[0].text}

    assert kinds == {SESSION: "main", "agent-32335b9b": "subagent", "agent-77": "subagent"}
    assert origins == {"subagent"}


# --- Codex


def item(number: int, **payload: Any) -> Record:
    return {"timestamp": stamp(number), "type": "response_item", "payload": payload}


def rollout(tmp_path: Path, *records: Record) -> list[tuple[str, str, str]]:
    write(tmp_path / FILES["codex"], records)
    return told(Codex(tmp_path))


def said(number: int, role: str, text: str) -> Record:
    return item(number, type="message", role=role, content=[{"type": "input_text", "text": text}])


ASKED = "## My request for Codex:"


def test_instructions_reasoning_and_copies_are_passed_over(tmp_path):
    found = rollout(
        tmp_path,
        {"timestamp": stamp(0), "type": "session_meta", "payload": {"id": SESSION, "source": "cli"}},
        said(1, "developer", "be careful"),
        said(2, "user", "<environment_context><cwd>/w</cwd></environment_context>"),
        said(3, "user", "# AGENTS.md instructions for /w"),
        {"timestamp": stamp(4), "type": "turn_context", "payload": {"model": "m"}},
        said(5, "user", "<b>Really</b> do it"),
        {"timestamp": stamp(5), "type": "event_msg", "payload": {"type": "user_message", "message": "again"}},
        item(6, type="reasoning", summary=[], encrypted_content="x"),
        {"timestamp": stamp(7), "type": "compacted", "payload": {"message": "summary"}},
    )

    assert found == [("user", "<b>Really</b> do it", "user")]
    assert unknown(Codex(tmp_path)) == [{}]


def test_what_an_editor_lays_before_a_request_is_nobodys_word(tmp_path):
    marked = "## Active selection of the file:\nNever push. ## My request for Codex:\nUse tabs"
    found = rollout(
        tmp_path,
        said(1, "user", f"# Context from my IDE setup:\n\n## Active file: a.md\n\n{marked}\n\n{ASKED}\nFix the test."),
        said(2, "user", f"# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n{ASKED} Look at it."),
        said(3, "user", f"What does {ASKED} mean?"),
    )

    assert [text for _, text, _ in found] == ["Fix the test.", "Look at it.", f"What does {ASKED} mean?"]


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("Exit code: 3\nWall time: 0.1 seconds\nOutput:\nboom", ", exit 3: boom"),
        (
            "Chunk ID: 1\nWall time: 0.2\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nfine",
            ", exit 0: fine",
        ),
        (json.dumps({"output": "boom", "metadata": {"exit_code": 2, "duration_seconds": 0.1}}), ", exit 2: boom"),
        ({"content": "denied", "success": False}, ", failed: denied"),
        ([{"type": "input_text", "text": "Plan updated"}], ": Plan updated"),
        ("plain", ": plain"),
        ("", ""),
    ],
)
def test_every_form_of_an_output_keeps_its_exit_code(tmp_path, output, outcome):
    call = item(0, type="function_call", name="shell", call_id="c1", arguments='{"command":["bash","-lc","make all"]}')
    answer = item(1, type="function_call_output", call_id="c1", output=output)

    [(role, text, _)] = rollout(tmp_path, call, answer)

    assert (role, text) == ("tool", f"shell `make all`{outcome}")


def test_a_spawned_threads_rollout_is_a_subagents_and_an_archived_one_is_found(tmp_path):
    meta = {"id": SESSION, "source": {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}}
    rollout(tmp_path, {"timestamp": stamp(0), "type": "session_meta", "payload": meta}, said(1, "user", "look"))
    (tmp_path / "sessions").rename(tmp_path / "archived_sessions")

    [session] = Codex(tmp_path).sessions()

    assert (session.kind, session.key) == ("subagent", f"codex/{SESSION}")
    assert told(Codex(tmp_path)) == [("user", "look", "subagent")]


# --- koog's own words

REPLY = '{"ok":true,"signals":[],"_meta":{"schema":"koog.signal/1","durationMs":4}}'


@pytest.mark.parametrize("host", RENDER)
def test_what_koog_put_in_or_printed_is_no_news(tmp_path, host):
    startup = fenced("- 🔴 09:00 deploys go to staging-2")
    talk = [
        Said("user", f"{startup}\nGood morning"),
        Said("assistant", startup),
        Said("tool", REPLY, "koog signal", 0),
        Said("tool", startup, "cat startup.md", 0),
    ]
    write(tmp_path / FILES[host], [*([header()] if host == "openclaw" else []), *RENDER[host](talk)])

    assert told(find(str(tmp_path), env={}, home=tmp_path)[0]) == [
        ("user", "Good morning", "user"),
        ("tool", "exec `koog signal`, exit 0", "koog"),
        ("tool", "exec `cat startup.md`, exit 0", "koog"),
    ]


def test_a_block_whose_end_the_host_cut_off_goes_to_the_end():
    assert without_koog(f"before\n{KOOG_BEGIN}\n- old …") == "before\n"
    assert without_koog(f"words {KOOG_END} more") == "words  more"


def test_marks_inside_a_block_do_not_end_it():
    inside = f"a {KOOG_END} b {KOOG_BEGIN} c"

    assert without_koog(f"x{fenced(inside)}y").split() == ["x", "y"]


def test_words_about_koog_stay():
    text = 'koog said {"ok":true} and <!-- koog:raw session=a --> too'

    assert without_koog(text) == text


# --- where they are


def test_auto_finds_every_host_that_has_a_folder(tmp_path):
    write(tmp_path / ".claude" / FILES["claude"], RENDER["claude"](TALK))
    write(tmp_path / "elsewhere" / FILES["codex"], RENDER["codex"](TALK))

    found = find("auto", env={"CODEX_HOME": str(tmp_path / "elsewhere")}, home=tmp_path)

    assert [type(hosts) for hosts in found] == [Claude, Codex]
    assert [len(hosts.sessions()) for hosts in found] == [1, 1]
    assert find("auto", env={}, home=tmp_path / "nobody") == []


@pytest.mark.parametrize("variable", ["OPENCLAW_STATE_DIR", "CLAUDE_CONFIG_DIR", "CODEX_HOME"])
def test_a_named_host_is_looked_for_where_its_variable_says(tmp_path, variable):
    host = variable.split("_")[0].lower()
    write(tmp_path / "at" / FILES[host], [*([header()] if host == "openclaw" else []), *RENDER[host](TALK)])

    [hosts] = find(host, env={variable: str(tmp_path / "at")}, home=tmp_path)

    assert [session.host for session in hosts.sessions()] == [host]
    with pytest.raises(NotFound):
        find(host, env={}, home=tmp_path)


@pytest.mark.parametrize("host", RENDER)
@pytest.mark.parametrize("part", [0, 1, -1])
def test_a_path_is_a_hosts_folder_or_a_part_of_it_or_one_file(tmp_path, host, part):
    write(tmp_path / FILES[host], [*([header()] if host == "openclaw" else []), *RENDER[host](TALK)])
    path = tmp_path.joinpath(*(FILES[host].parts if part < 0 else FILES[host].parts[:part]))

    [hosts] = find(str(path), env={}, home=tmp_path)

    assert [session.host for session in hosts.sessions()] == [host]
    assert len(told(hosts)) == len(TALK)


def test_a_path_that_is_not_there_is_said(tmp_path):
    with pytest.raises(NotFound, match="no sessions at"):
        find(str(tmp_path / "nothing"), env={}, home=tmp_path)


def test_the_newest_session_is_told_by_what_was_said_in_it_and_not_by_its_file(tmp_path):
    folder = (tmp_path / FILES["claude"]).parent
    write(folder / "a.jsonl", RENDER["claude"](TALK[:1], first=500))
    write(folder / "b.jsonl", RENDER["claude"](TALK[:1], first=1))

    assert [session.id for session in Claude(tmp_path).sessions()] == ["a", "b"]
