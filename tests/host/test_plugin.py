"""The OpenClaw plugin in Node, under a small host that follows the hooks' signatures.  [sinain §3; openclaw.md]"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from koog.core.text import untrusted
from tests.core.text.test_untrusted import CASES, ORDINARY, body, pem

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="the plugin runs in Node, and there is no node on PATH")

HERE = Path(__file__).parent
PLUGIN = HERE.parents[1] / "skills/sinain-hud/plugin"
MAIN = {"sessionKey": "agent:main:main", "sessionId": "5b1f", "agentId": "main"}
RUN = {**MAIN, "runId": "run-1", "trigger": "user"}

Call = dict[str, Any]
Told = dict[str, Any]


def node(script: str, value: object) -> Any:
    """Run one of the scripts beside this file with JSON on stdin; return the JSON that it prints."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(HERE / script)], input=json.dumps(value), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    folder = tmp_path / "a workspace; $HOME"
    folder.mkdir()
    return folder


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a program koog on PATH that records how it was called and then runs these lines of Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"relative:{folder}:/usr/bin:/bin")

    def put(then: str = "print('{}')") -> None:
        text = (
            f"#!{sys.executable} -IS\nimport json, os, sys, time\n"
            "given = sys.stdin.read()\n"
            "call = {'argv': sys.argv[1:], 'given': json.loads(given), 'cwd': os.getcwd(),"
            " 'workspace': os.environ.get('KOOG_WORKSPACE')}\n"
            f"with open({str(tmp_path / 'calls')!r}, 'a') as f:\n    f.write(json.dumps(call) + '\\n')\n"
            f"event = sys.argv[2]\n{then}\n"
        )
        (folder / "koog").write_text(text)
        (folder / "koog").chmod(0o755)

    put()
    return put


@pytest.fixture
def host(ws: Path, tmp_path: Path, program: Callable[[str], None]) -> Callable[..., tuple[Told, list[Call]]]:
    """Fire hooks at the plugin; return what the host saw, and the calls of koog."""

    def fire(
        *calls: Call,
        version: str = "2026.9.6",
        config: Call | None = None,
        agents: Call | None = None,
        access: bool = True,
    ) -> tuple[Told, list[Call]]:
        scene = {
            "plugin": str(PLUGIN),
            "version": version,
            "config": {"agents": agents or {}},
            "pluginConfig": config or {},
            "allowConversationAccess": access,
            "calls": [{**call, "ctx": {"workspaceDir": str(ws), **call["ctx"]}} for call in calls],
        }
        told = node("plugin_host.mjs", scene)
        log = tmp_path / "calls"
        return told, [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    return fire


def call(hook: str, event: Call | None = None, ctx: Call | None = None, **more: Any) -> Call:
    return {"hook": hook, "event": event or {}, "ctx": RUN if ctx is None else ctx, **more}


def prompt(text: str = "and now?", **ctx: Any) -> Call:
    return call("before_prompt_build", {"prompt": text, "messages": []}, {**RUN, **ctx})


def result(text: str, tool: str = "exec") -> Call:
    message = {
        "role": "toolResult", "toolCallId": "call_1", "toolName": tool, "isError": False, "timestamp": 1795316086262,
        "content": [{"type": "text", "text": text}],
        "details": {"status": "completed", "exitCode": 0, "durationMs": 152, "aggregated": text, "cwd": "/w"},
    }  # fmt: skip
    ctx = {"agentId": "main", "sessionKey": "agent:main:main", "toolName": tool, "toolCallId": "call_1"}
    return call("tool_result_persist", {"toolName": tool, "toolCallId": "call_1", "message": message}, ctx)


def written(message: Call) -> Call:
    ctx = {"agentId": "main", "sessionKey": "agent:main:main"}
    return call("before_message_write", {"message": message, **ctx}, ctx)


def end(success: bool = True, **event: Any) -> Call:
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": []}]
    return call("agent_end", {"runId": "run-1", "messages": messages, "success": success, "durationMs": 45000, **event})


def events(calls: list[Call]) -> list[str]:
    return [each["argv"][1] for each in calls]


CONTEXT = "print(json.dumps({'appendSystemContext': 'from ' + event}))"


# --- loading


def test_it_loads_on_both_releases_and_knows_every_hook_of_both(host):
    old, _ = host(version="2026.7.1")
    new, _ = host(version="2026.9.6")

    assert (old["unknown"], old["warnings"]) == ([], [])
    assert (new["unknown"], new["warnings"]) == ([], [])


def test_without_access_to_conversations_the_private_text_is_taken_out_all_the_same(host):
    told, _ = host(result("a <private>b</private> c"), access=False)

    assert told["blocked"] == ["before_prompt_build", "agent_end"]
    assert told["answers"][0]["message"]["content"] == [{"type": "text", "text": "a  c"}]


def test_the_manifest_takes_the_five_keys_of_the_seed_and_no_other():
    schema = json.loads((PLUGIN / "openclaw.plugin.json").read_text("utf-8"))["configSchema"]

    assert set(schema["properties"]) == {"heartbeatPath", "skillPath", "koogPath", "modulesPath", "sessionKey"}
    assert schema["additionalProperties"] is False


# --- private text, in the synchronous hooks

PRIVATE = [
    "a <private>b</private> c",
    "a <PRIVATE>b</Private> c",
    "a < private >b</ private\n> c",
    "a < / private> c",
    '<private reason="x" y=1>b</private>c',
    '<private note="a>b">c</private>d',
    "<private>a<private>b</private>c</private>d",
    "<private>a\nb\r\nc\rd</private>\ne",
    "a<private>b\nc",
    "a<private>b<private>c</private>d",
    "a</private></private>b<private>c</private>d",
    "a<private",
    "a<private reason",
    "a<private <b>c",
    "a<private/>b",
    "<privately>a</privately> <private-key>b</private-key> <private:c> <privateé>",
    "a private matter, if a <b and c> private",
    "<pri<private>x</private>vate>y</private>z",
    "<pri" * 3 + "<private>x</private>" + "vate>x</private>" * 3,
    "<pri" * 12 + "<private>x</private>" + "vate>x</private>" * 12 + " rest",
    "über 🙂 <private>🙂\u2028</private> 𝒳 \ud800 <private>",
    "<PRİVATE>a</prıvate>b",
    "",
]
# Python and JavaScript differ on blanks, letters and upper case; here each character stands where that would show.
CHARACTERS = [chr(c) for c in (*range(0x250), *range(0x2000, 0x2070), 0x1680, 0x3000, 0xFEFF)]
EACH = [f"x<{c}private{c}>y</{c}private>z<pr{c}vate>" for c in CHARACTERS]


def test_private_blocks_are_those_of_python():
    texts = [*PRIVATE, *EACH]

    found = node("privacy_host.mjs", {"privacy": str(PLUGIN / "privacy.js"), "texts": texts})

    differing = [t for t, f in zip(texts, found, strict=True) if f["stripped"] != untrusted.strip_private(t)]
    assert differing == []


COVERED = (
    "anthropic openrouter openai groq xai huggingface github gitlab slack aws google google-oauth stripe sendgrid npm"
    " pypi digitalocean jwt"
).split()
FRAMES = ["{}", "see {} there", "({})", "x={}", '"note": "a\\n{}\\nb"', "go?u%3D{}&z=1", "- `{}`,", "a\r\n{}\r\nb"]


def test_well_known_secrets_are_redacted_as_python_does():
    tokens = [token for kind, token in CASES if kind in COVERED and not token.startswith(("gldt-", "ya29."))]
    texts = [frame.format(secret) for secret in [*tokens, pem(), pem("EC PRIVATE KEY")] for frame in FRAMES]

    found = node("privacy_host.mjs", {"privacy": str(PLUGIN / "privacy.js"), "texts": texts})

    assert {kind for kind, token in CASES if token in tokens} == set(COVERED)
    assert [f["cleaned"] for f in found] == [untrusted.clean(t) for t in texts]


def test_ordinary_lines_and_masks_stay_as_they_are():
    texts = [*ORDINARY, "ghp_" + "x" * 36, "\n".join(ORDINARY), "-----BEGIN PRIVATE KEY----- is how it begins"]

    found = node("privacy_host.mjs", {"privacy": str(PLUGIN / "privacy.js"), "texts": texts})

    assert [f["cleaned"] for f in found] == texts


def test_a_megabyte_of_what_almost_matches_is_read_in_one_go():
    parts = ["<", "< ", "<private ", "<pri<private></private>vate>", "-eyJ", "sk-ant-", "eyJaaaaaaaa.", "SG.", "x", " "]
    texts = [(part * (1_000_000 // len(part)))[:1_000_000] for part in [*parts, "-----BEGIN PRIVATE KEY-----\n"]]
    texts.append("<" + " " * 1_000_000)

    found = node("privacy_host.mjs", {"privacy": str(PLUGIN / "privacy.js"), "texts": texts})

    assert len(found) == len(texts)  # a quadratic one would run into the time limit
    assert found[-1]["stripped"] == untrusted.strip_private(texts[-1])


def test_content_and_details_of_a_tool_result_are_stripped_alike(host):
    secret = "ghp" + "_" + body(36)

    told, calls = host(result(f"pin <private>4711</private> and {secret}"))

    message = told["answers"][0]["message"]
    assert message["content"] == [{"type": "text", "text": "pin  and [redacted:github]"}]
    assert message["details"]["aggregated"] == "pin  and [redacted:github]"
    assert (message["details"]["exitCode"], message["toolCallId"], calls) == (0, "call_1", [])


def test_a_block_that_one_text_opens_goes_on_in_the_next(host):
    blocks = [{"type": "text", "text": t} for t in ("a <private>b", "c\nd", "e </private> f")]
    content = [blocks[0], {"type": "image", "data": "aGk=", "mimeType": "image/png"}, *blocks[1:]]

    told, _ = host(written({"role": "user", "content": content}))

    kept = told["answers"][0]["message"]["content"]
    assert [block.get("text") for block in kept] == ["a ", None, "\n", " f"]
    assert kept[1] == content[1]


def test_a_text_a_tool_call_and_a_reply_are_stripped_before_they_are_written(host):
    command = {"type": "toolCall", "id": "c", "name": "exec", "arguments": {"command": "echo <private>x</private> y"}}
    thinking = {"type": "thinking", "thinking": "<private>signed</private>", "thinkingSignature": "s"}

    told, _ = host(
        written({"role": "user", "content": "my <private>pin</private> is"}),
        written({"role": "assistant", "content": [thinking, command], "stopReason": "toolUse"}),
        written({"role": "assistant", "content": [{"type": "text", "text": "ok <private>x"}], "stopReason": "stop"}),
    )

    user, tool_call, reply = (answer["message"] for answer in told["answers"])
    assert user["content"] == "my  is"
    assert tool_call["content"] == [thinking, {**command, "arguments": {"command": "echo  y"}}]
    assert reply["content"] == [{"type": "text", "text": "ok "}]


def test_the_older_release_keeps_a_reply_as_it_was_sent_or_it_would_store_it_twice(host):
    reply = {"role": "assistant", "content": [{"type": "text", "text": "<private>x</private>"}], "stopReason": "stop"}
    use = {**reply, "stopReason": "toolUse"}

    told, _ = host(written(reply), written(use), version="2026.7.1")

    assert told["answers"][0]["message"] == reply
    assert told["answers"][1]["message"]["content"] == [{"type": "text", "text": ""}]


def test_what_is_nested_too_deep_to_be_read_is_not_stored(host):
    nested: Any = "<private>x</private>"
    for _ in range(200):
        nested = [nested]

    told, _ = host(written({"role": "toolResult", "content": "a", "details": {"deep": nested}}))

    assert "private" not in json.dumps(told["answers"])
    assert told["warnings"] == []


def test_ten_thousand_tool_results_are_stripped_and_no_process_is_started(host):
    many = {**result("line\n" * 200 + "<private>x</private>"), "times": 10_000}

    told, calls = host(many, end())

    assert told["children"] == 0
    assert events(calls) == ["agent-end"]
    assert calls[0]["given"]["toolCallCount"] == 10_000


def test_the_privacy_code_can_reach_neither_files_nor_processes():
    text = (PLUGIN / "privacy.js").read_text("utf-8")

    assert "import " not in text and "require(" not in text


# --- runs


def test_the_context_of_a_prompt_comes_from_koog(host, program, ws):
    program(CONTEXT)

    told, calls = host(prompt("deploy <private>now</private>"))

    assert told["answers"] == [{"appendSystemContext": "from prompt-build"}]
    assert [(c["argv"], c["cwd"], c["workspace"]) for c in calls] == [(["hook", "prompt-build"], str(ws), str(ws))]
    given = calls[0]["given"]
    assert (given["prompt"], given["runId"], given["sessionId"]) == ("deploy ", "run-1", "5b1f")
    assert (given["host"], given["trigger"], given["workspaceDir"]) == ("openclaw", "user", str(ws))


@pytest.mark.parametrize(
    ("ctx", "told"),
    [({}, None), ({"senderIsOwner": False}, False), ({"requester": {"senderIsOwner": True}}, True)],
)
def test_koog_is_told_whether_the_owner_speaks_where_the_host_knows(host, ctx, told):
    _, calls = host(prompt("approve rn", **ctx))

    assert (calls[0]["given"]["prompt"], calls[0]["given"]["senderIsOwner"]) == ("approve rn", told)


def test_a_repeated_attempt_is_given_the_same_context_without_asking_again(host, program):
    program(CONTEXT)

    told, calls = host(prompt(), prompt(), prompt(runId="run-2"))

    assert told["answers"] == [{"appendSystemContext": "from prompt-build"}] * 3
    assert [c["given"]["runId"] for c in calls] == ["run-1", "run-2"]


SOURCES = {"heartbeatPath": "src/HEARTBEAT.md", "modulesPath": "/abs/modules"}


@pytest.mark.parametrize("cut", ["sys.exit(1)", "print('{}'), sys.exit()"], ids=["failed", "cut"])
@pytest.mark.parametrize("version", ["2026.7.1", "2026.9.6"])
def test_every_turn_of_a_session_has_koogs_text_and_one_without_an_answer_has_the_last_one(
    host, program, tmp_path, version, cut
):
    asked = tmp_path / "asked"
    program(
        f"n = os.path.getsize({str(asked)!r}) if os.path.exists({str(asked)!r}) else 0\n"
        f"open({str(asked)!r}, 'a').write('x')\n"
        f"if n == 1: {cut}\n"
        "print(json.dumps({'appendSystemContext': 'the memory'}))"
    )

    told, _ = host(*(prompt(runId=f"run-{n}") for n in range(3)), version=version)

    assert told["answers"] == [{"appendSystemContext": "the memory"}] * 3


def test_a_session_that_is_no_longer_told_anything_loses_the_text(host, program, tmp_path):
    program(
        f"n = os.path.exists({str(tmp_path / 'asked')!r})\n"
        f"open({str(tmp_path / 'asked')!r}, 'w').close()\n"
        "print(json.dumps({'appendSystemContext': '' if n else 'the memory'}))"
    )

    told, _ = host(prompt(runId="run-1"), prompt(runId="run-2"))

    assert told["answers"] == [{"appendSystemContext": "the memory"}, None]


@pytest.mark.parametrize(
    "anew",
    [
        [call("session_end", {"reason": "reset", **MAIN}, MAIN), call("session_start", {"resumedFrom": "5b1f"}, MAIN)],
        [call("before_compaction", {"messageCount": 9}, MAIN), call("after_compaction", {"messageCount": 2}, MAIN)],
    ],
    ids=["reset", "compaction"],
)
def test_what_was_kept_of_before_a_session_began_anew_is_not_asked_for(host, program, anew):
    program(CONTEXT)

    told, calls = host(prompt(), *anew, prompt())

    first, second = (c["given"] for c in calls if c["argv"][1] == "prompt-build")
    assert first["since"] == ""
    assert first["ts"] < second["since"] <= second["ts"]  # the same run, whose next attempt comes after a compaction
    assert told["answers"][-1] == {"appendSystemContext": "from prompt-build"}


def test_a_run_on_the_newer_release_starts_with_a_sync_of_what_the_config_names(host, program, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "state"))
    program(CONTEXT)

    told, calls = host(prompt(), prompt(), config=SOURCES)

    assert told["answers"] == [{"appendSystemContext": "from prompt-build"}] * 2
    assert sorted(events(calls)) == ["agent-start", "prompt-build"]
    start = next(c["given"] for c in calls if c["argv"][1] == "agent-start")
    assert (start["config"], start["stateDir"]) == (SOURCES, str(tmp_path / "state"))


def test_a_run_ends_with_its_summary(host):
    told, calls = host(prompt(), result("a"), result("b"), result("c", tool="Write"), end())

    given = calls[-1]["given"]
    assert told["warnings"] == []
    assert calls[-1]["argv"] == ["hook", "agent-end"]
    assert given["toolBreakdown"] == {"exec": 2, "Write": 1}
    wanted = {"toolCallCount": 3, "messageCount": 2, "durationMs": 45000, "success": True, "error": None}
    assert wanted.items() <= given.items()
    assert (given["sessionKey"], given["agentId"], given["runId"]) == ("agent:main:main", "main", "run-1")


def test_a_run_is_told_once_however_often_its_end_is_fired(host):
    _, calls = host(prompt(), end(), end(), end(success=False))

    assert events(calls) == ["prompt-build", "agent-end"]


def test_a_failed_attempt_that_went_well_the_next_time_is_told_as_a_success_with_all_its_tool_calls(host):
    failed = end(success=False, error="overloaded <private>x</private>")

    _, calls = host(prompt(), result("a"), failed, failed, prompt(), result("b"), end())

    ends = [c["given"] for c in calls if c["argv"][1] == "agent-end"]
    assert [(e["success"], e["error"], e["toolCallCount"]) for e in ends] == [
        (False, "overloaded ", 1),
        (True, None, 2),
    ]


def test_the_tool_calls_of_a_failed_run_are_not_counted_in_the_next_one(host):
    following = {**RUN, "runId": "run-2"}

    _, calls = host(
        prompt(), result("a"), end(success=False), prompt(runId="run-2"), {**end(runId="run-2"), "ctx": following}
    )

    assert calls[-1]["given"]["toolCallCount"] == 0


def test_a_synthetic_tool_result_counts_as_no_call(host):
    made_up = result("[missing]")
    made_up["event"]["isSynthetic"] = True

    _, calls = host(made_up, end())

    assert calls[-1]["given"]["toolCallCount"] == 0


# --- compaction and sessions


def test_a_compaction_is_preceded_by_a_flush(host):
    before = call("before_compaction", {"messageCount": 40, "tokenCount": 90000})
    after = call("after_compaction", {"messageCount": 12, "compactedCount": 28})

    _, calls = host(before, after)

    assert events(calls) == ["pre-compaction"]
    assert {"messageCount": 40, "tokenCount": 90000}.items() <= calls[0]["given"].items()


def test_a_flush_that_failed_is_tried_once_more_after_the_compaction(host, program):
    program("sys.exit(1)")

    _, calls = host(call("before_compaction"), call("after_compaction"), call("after_compaction"))

    assert events(calls) == ["pre-compaction", "pre-compaction"]


def test_a_session_is_told_when_it_begins_and_ends(host):
    began = call("session_start", {"sessionId": "5b1f", "resumedFrom": "0a"}, MAIN)
    ended = call("session_end", {"sessionId": "5b1f", "messageCount": 6, "reason": "new", "nextSessionId": "77"}, MAIN)

    _, calls = host(began, ended)

    assert events(calls) == ["session-start", "session-end"]
    assert calls[0]["given"]["resumedFrom"] == "0a"
    assert {"reason": "new", "nextSessionId": "77", "messageCount": 6}.items() <= calls[1]["given"].items()


def test_a_session_hook_that_is_told_no_workspace_takes_its_agents(host, ws, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    began = call("session_start", {"sessionId": "5b1f"}, {**MAIN, "workspaceDir": None})
    other = call(
        "session_start", {"sessionId": "9"}, {"agentId": "ops", "sessionKey": "agent:ops:main", "workspaceDir": None}
    )
    listed = [{"id": "main"}, {"id": "ops", "workspace": "~/" + ws.name}]
    agents = {"defaults": {"workspace": str(tmp_path)}, "list": listed}

    _, calls = host(began, other, prompt(), began, agents=agents)

    assert [c["workspace"] for c in calls] == [str(tmp_path), str(ws), str(ws), str(ws)]


AGENTS = {
    # agents of openclaw.json → (the folder of main, that of ops): openclaw/openclaw src/agents/agent-scope-config.ts
    "entries": ({"entries": {"main": {"workspace": "~/one"}, "ops": {"workspace": "~/two"}}}, ("one", "two")),
    "a list": ({"list": [{"id": "main", "workspace": "~/one"}, {"id": "Ops", "workspace": "~/two"}]}, ("one", "two")),
    "the default agent's": (
        {"defaults": {"workspace": "~/one"}, "entries": {"main": {}, "ops": {}}},
        ("one", "one/ops"),
    ),
    "another is the default": (
        {"defaults": {"workspace": "~/two"}, "entries": {"main": {"workspace": "~/one"}, "ops": {"default": True}}},
        ("one", "two"),
    ),
    "none has any": ({"entries": {"main": {}, "ops": None}}, (".openclaw/workspace", ".openclaw/workspace-ops")),
    "nothing is set": ({}, (".openclaw/workspace", ".openclaw/workspace-ops")),
}


@pytest.mark.parametrize("case", AGENTS)
def test_a_hook_that_is_told_no_folder_runs_where_its_agent_works(case, host, tmp_path, monkeypatch):
    agents, folders = AGENTS[case]
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("OPENCLAW_STATE_DIR", raising=False)
    for name in folders:
        (tmp_path / name).mkdir(parents=True)
    keys = [{"sessionKey": f"agent:{agent}:main", "workspaceDir": None} for agent in ("main", "ops")]

    _, calls = host(*(call("session_start", {"sessionId": "9"}, ctx) for ctx in keys), agents=agents)

    assert [c["workspace"] for c in calls] == [str(tmp_path / name) for name in folders]


@pytest.mark.parametrize(
    "ctx", [{"chatType": "group"}, {"channelContext": {"chat": {"id": "-100", "chatType": "group"}}}]
)
def test_koog_is_told_agent_key_kind_of_chat_and_folder(ctx, host, ws):
    key = "agent:ops:telegram:group:-100:topic:7"

    _, (one,) = host(prompt(sessionKey=key, agentId="ops", **ctx))

    given = one["given"]
    assert (given["agentId"], given["sessionKey"], given["chatType"]) == ("ops", key, "group")
    assert given["workspaceDir"] == str(ws)


def test_a_command_of_the_agent_is_told_its_session(host):
    told, calls = host(
        call("resolve_exec_env", {"toolName": "exec", "host": "gateway"}, MAIN),
        call("resolve_exec_env", {"toolName": "exec", "host": "gateway"}, {}),
    )

    assert told["answers"] == [{"KOOG_SESSION_ID": "5b1f", "KOOG_SESSION_KEY": "agent:main:main"}, None]
    assert calls == []


# --- whom it leaves alone

HOOKS = ["before_prompt_build", "agent_end", "before_compaction", "session_start", "session_end"]


@pytest.mark.parametrize(
    "ctx",
    [
        {"trigger": "cron"},
        {"trigger": "memory"},
        {"sessionKey": "agent:main:cron:nightly"},
        {"sessionKey": "agent:main:subagent:0d9f"},
        {"sessionKey": "agent:main:hook:gmail:19a2"},
    ],
)
def test_cron_jobs_subagents_memory_flushes_and_mails_are_left_alone(host, ctx):
    told, calls = host(*(call(hook, {}, {**RUN, **ctx}) for hook in HOOKS))

    assert calls == []
    assert told["answers"] == [None] * len(HOOKS)


def test_other_sessions_than_the_configured_one_are_left_alone(host):
    other = {**RUN, "sessionKey": "agent:main:telegram:group:1"}

    told, calls = host(*(call(hook, {}, other) for hook in HOOKS), config={"sessionKey": "agent:main:main"})

    assert calls == []
    assert told["answers"] == [None] * len(HOOKS)


@pytest.mark.parametrize("ctx", [{}, {"trigger": "heartbeat"}, {"sessionKey": "agent:main:telegram:group:1"}])
def test_a_person_and_a_heartbeat_are_heard_in_every_session_when_none_is_configured(host, ctx):
    _, calls = host(prompt(**ctx))

    assert events(calls) == ["prompt-build"]


# --- what goes wrong

TROUBLE = {
    "crash": "sys.exit(3)",
    "prose": "print('Sure! Here you are')",
    "a list": "print('[1]')",
    "no context": "print(json.dumps({'appendSystemContext': 7}))",
    "nothing": "",
    "five megabytes": "sys.stdout.write('x' * 5_000_000)",
    "five megabytes to stderr": "sys.stderr.write('x' * 5_000_000); sys.exit(1)",
}


@pytest.mark.parametrize("then", TROUBLE.values(), ids=TROUBLE)
def test_whatever_koog_does_the_agent_goes_on(host, program, then):
    program(then)

    told, calls = host(prompt(), end())

    assert told["answers"] == [None, None]
    assert events(calls) == ["prompt-build", "agent-end"]
    assert all("hook" in warning and len(warning) < 2500 for warning in told["warnings"])


def test_a_program_that_does_not_read_its_input_is_no_trouble(host, tmp_path, ws):
    (tmp_path / "bin/koog").write_text('#!/bin/sh\nexec <&-\necho \'{"appendSystemContext":"unread"}\'\n')

    told, _ = host(prompt("x" * 1_000_000), config={"heartbeatPath": "/" + "h" * 500_000})

    assert told["answers"] == [{"appendSystemContext": "unread"}]
    assert told["warnings"] == []


def test_trouble_is_told_once_and_without_secrets(host, program):
    secret = "ghp" + "_" + body(36)
    program(f"sys.stderr.write({secret[:4]!r} + {secret[4:]!r}); sys.exit(1)")

    told, _ = host(prompt(), prompt(runId="run-2"), prompt(runId="run-3"))

    assert len(told["warnings"]) == 1
    assert "[redacted:github]" in told["warnings"][0]


def test_a_missing_program_is_told_and_stops_nothing(host, tmp_path):
    (tmp_path / "bin/koog").unlink()

    told, _ = host(prompt(), result("a <private>b</private>"))

    assert told["answers"][0] is None
    assert told["answers"][1]["message"]["content"][0]["text"] == "a "
    assert "no program koog" in told["warnings"][0]


def test_a_program_that_hangs_is_killed_with_its_children_before_the_host_loses_patience(host, program, tmp_path):
    child = "import subprocess; p = subprocess.Popen(['sleep', '600']);"
    program(f"{child} open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}} {{p.pid}} '); time.sleep(600)")
    hanging = [call("session_end", {"sessionId": "5b1f"}, MAIN), prompt(), end()]

    told, _ = host(*({**each, "together": True} for each in hanging))

    assert told["answers"] == [None] * 3
    assert [w for w in told["warnings"] if "timed out" in w] == []  # the host's word when its own limit is over
    assert len(told["warnings"]) == 3
    assert [pid for pid in (tmp_path / "pids").read_text().split() if alive(int(pid))] == []


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def test_work_that_koog_leaves_running_is_neither_waited_for_nor_killed(host, program, tmp_path):
    left = "import subprocess; p = subprocess.Popen(['sleep', '120'], start_new_session=True);"
    program(
        f"{left} open({str(tmp_path / 'pid')!r}, 'w').write(str(p.pid)); print('{{\"appendSystemContext\": \"now\"}}')"
    )

    told, _ = host(prompt())

    pid = int((tmp_path / "pid").read_text())
    assert told["answers"] == [{"appendSystemContext": "now"}]
    assert alive(pid)
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("named", ["checkout", "checkout/bin/koog"])
def test_the_configured_program_comes_before_the_one_on_path(host, tmp_path, named):
    checkout = tmp_path / "checkout/bin"
    checkout.mkdir(parents=True)
    (checkout / "koog").write_text('#!/bin/sh\necho \'{"appendSystemContext":"the checkout"}\'\n')
    (checkout / "koog").chmod(0o755)

    told, calls = host(prompt(), config={"koogPath": str(tmp_path / named)})

    assert told["answers"] == [{"appendSystemContext": "the checkout"}]
    assert calls == []


def test_a_program_in_the_config_is_nothing_to_sync(host, tmp_path):
    _, calls = host(prompt(), config={"koogPath": str(tmp_path / "bin/koog")})

    assert events(calls) == ["prompt-build"]
