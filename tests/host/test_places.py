"""koog hook knows where a session is: who it tells, and what it sets off, by the real input of the three hosts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from koog.cli import main
from koog.host import given, orders, words, work
from koog.observe import startup
from koog.sessions import audience
from koog.sessions.audience import Audience, Seen
from tests.conftest import git, registered

# https://code.claude.com/docs/en/hooks
CLAUDE = {"session_id": "8c5e", "transcript_path": "/nowhere/8c5e.jsonl", "permission_mode": "default"}
# codex-rs/hooks/schema/generated/session-start.command.input.schema.json in https://github.com/openai/codex
CODEX = {"session_id": "019a", "transcript_path": "/nowhere/rollout-2026-11-21T10-00-00-019a.jsonl", "model": "m"}
# PluginHookAgentContext in src/plugins/hook-types.ts of https://github.com/openclaw/openclaw, as the plugin passes it
OPENCLAW = {"runId": "run-1", "sessionId": "s-1", "sessionKey": "agent:main:main", "agentId": "main", "trigger": "user"}
# src/sessions/session-chat-type-base.ts and src/routing/session-key.ts there
GROUPS = {
    "agent:main:telegram:group:-100123": "telegram:group:-100123",
    "agent:main:telegram:group:-100123:topic:7": "telegram:group:-100123",
    "agent:main:slack:channel:c1:thread:1700.5": "slack:channel:c1",
    "agent:main:discord:acct:channel:42": "discord:acct:channel:42",
    "agent:main:whatsapp:123@g.us": "whatsapp:123@g.us",
    "AGENT:MAIN:Telegram:Group:-100": "telegram:group:-100",
    "group:-100:topic:7": "group:-100",
    "agent:main:msteams:team:abc": "msteams:team:abc",  # of no known form
}


class Heard(NamedTuple):
    """What a hook answered, to whom, what it set off, and whether it listened for an approval."""

    answer: dict[str, Any]
    readers: list[Audience]
    orders: list[dict[str, Any]]
    listened: bool


Fire = Callable[..., Heard]


@pytest.fixture
def fire(workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fire:
    """Call a hook in this process; nothing is started."""

    def call(event: str, host: str, payload: dict[str, Any]) -> Heard:
        heard = Heard({}, [], [], listened=False)
        listened: list[object] = []

        def text(run: Any, *, budget: int) -> str:
            heard.readers.append(audience.current(run))
            return "what is loaded"

        monkeypatch.setattr(given, "read", lambda: json.dumps(payload).encode())
        monkeypatch.setattr(startup, "text", text)
        monkeypatch.setattr(work, "start", lambda _run, **order: heard.orders.append(order))
        monkeypatch.setattr(words, "take", lambda _run, call: listened.append(call))
        monkeypatch.setattr("koog.host.arrival.HOOK_SECONDS", 60)
        capsys.readouterr()
        assert main(["hook", event, "--host", host, "--workspace", str(workspace)]) == 0
        return heard._replace(answer=json.loads(capsys.readouterr().out), listened=bool(listened))

    return call


@pytest.fixture
def harbor(alone: Path, workspace: Path) -> Path:
    registered(workspace)
    git(alone, "init", "-q", "code/harbor")
    return alone / "code/harbor"


def coding(host: str, cwd: Path, event: str = "SessionStart") -> dict[str, Any]:
    return {**{"claude": CLAUDE, "codex": CODEX}[host], "cwd": str(cwd), "hook_event_name": event, "source": "startup"}


def openclaw(ws: Path, **more: Any) -> dict[str, Any]:
    return {"host": "openclaw", **OPENCLAW, "workspaceDir": str(ws), **more}


# --- projects


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_in_the_workspaces_own_folder_everything_is_as_ever(host, fire, harbor, workspace):
    heard = fire("session-start", host, coding(host, workspace / "memory"))

    assert "what is loaded" in json.dumps(heard.answer)
    assert heard.readers[0].is_own
    assert [order["commands"][0] for order in heard.orders] == [["recover"]]


@pytest.mark.wide(9)
@pytest.mark.parametrize("event", ["session-start", "prompt-submit", "pre-compaction", "agent-end", "session-end"])
@pytest.mark.parametrize("why", ["no sources", "another host", "excluded", "another is named", "another workspace"])
def test_where_the_workspace_is_not_for_a_project_nothing_is_told_or_set_off(
    event, why, fire, harbor, workspace, tmp_path
):
    if why == "another workspace":
        (tmp_path / "second").mkdir()
        registered(tmp_path / "second", observe_projects={"include": [str(harbor)]})
    sources = {"no sources": [], "another host": ["codex"]}.get(why, ["claude"])
    code = str(harbor.parent)
    projects = {"excluded": {"exclude": [code]}, "another is named": {"include": [f"{code}/quarry"]}}
    registered(workspace, observe_sources=sources, observe_projects=projects.get(why, {}))

    heard = fire(event, "claude", {**coding("claude", harbor), "prompt": "approve rn", "prompt_id": "p1"})

    assert (heard.answer, heard.readers, heard.orders) == ({}, [], [])
    assert heard.listened == (event == "prompt-submit")  # a person's word is about the workspace, not the project


@pytest.mark.parametrize("place", ["", "src/deep", "worktree", "gone"])
def test_a_session_anywhere_in_a_project_reads_as_the_project(place, fire, harbor, workspace, alone):
    registered(workspace, observe_sources=["claude"])
    (harbor / "src/deep").mkdir(parents=True)
    git(harbor, "commit", "-q", "--allow-empty", "-m", "x")
    git(harbor, "worktree", "add", "-q", str(alone / "tree"))
    folder = alone / "tree" if place == "worktree" else harbor / place

    heard = fire("session-start", "claude", coding("claude", folder))

    (reader,) = heard.readers
    assert (reader.projects, reader.is_own) == ({str(harbor)}, False)
    assert reader.file("memory/favorites.md") is Seen.HIDDEN
    assert [order["commands"][0] for order in heard.orders] == [["recover"]]


def test_a_runs_summary_says_where_it_was(fire, harbor, workspace):
    registered(workspace, observe_sources=["codex"])
    group = openclaw(workspace, sessionKey="agent:main:telegram:group:-100:topic:7", success=True)

    summaries = [
        fire("agent-end", "codex", coding("codex", harbor, "Stop")).orders[0]["summary"],
        fire("agent-end", "openclaw", openclaw(workspace, success=True)).orders[0]["summary"],
        fire("agent-end", "openclaw", group).orders[0]["summary"],
    ]

    assert [(s["project"], s["scope"], s.get("group")) for s in summaries] == [
        (str(harbor), "private", None),
        ("openclaw/main", "private", None),
        ("openclaw/main", "group", "telegram:group:-100"),
    ]


# --- agents and groups


@pytest.mark.parametrize("nested", [False, True], ids=["as the plugin says it", "event and ctx as they are"])
@pytest.mark.parametrize("key", GROUPS)
def test_in_a_group_the_reader_is_the_group(key, nested, fire, harbor, workspace):
    payload = openclaw(workspace, sessionKey=key)
    if nested:
        payload = {"host": "openclaw", "event": {"prompt": "hello"}, "ctx": payload}

    heard = fire("prompt-build", "openclaw", payload)

    (reader,) = heard.readers
    assert reader.is_group and reader.group == GROUPS[key]
    assert (reader.file("MEMORY.md"), reader.file("memory/2026-02-28.md")) == (Seen.HIDDEN, Seen.HIDDEN)


@pytest.mark.parametrize("event", ["session-start", "pre-compaction", "session-end"])
def test_a_group_sets_off_an_observation_only_where_it_is_listed(event, fire, harbor, workspace):
    payload = openclaw(workspace, sessionKey="agent:main:telegram:group:-100123")

    assert fire(event, "openclaw", payload).orders == []
    registered(workspace, observe_groups=["telegram:group:*"])
    assert [orders.COMMANDS[event] in order["commands"] for order in fire(event, "openclaw", payload).orders] == [True]


@pytest.mark.parametrize("name", ["chatType", "chat_type"])
def test_what_the_host_calls_a_group_is_one(name, fire, harbor, workspace):
    assert fire("prompt-build", "openclaw", openclaw(workspace, **{name: "channel"})).readers[0].is_group


@pytest.mark.parametrize("agent", [None, "main"])
def test_the_agent_in_the_key_is_the_one_that_speaks(agent, fire, harbor, workspace):
    payload = openclaw(workspace, sessionKey="agent:Explore:main", agentId=agent)

    (reader,) = fire("prompt-build", "openclaw", payload).readers

    assert "openclaw/explore" in reader.projects and "openclaw/main" not in reader.projects


def test_an_agent_that_works_elsewhere_is_told_nothing(fire, harbor, workspace, alone):
    payload = openclaw(alone, sessionKey="agent:ops:main", agentId="ops")

    assert fire("prompt-build", "openclaw", payload).readers == []
    registered(workspace, observe_sources=["openclaw"])
    assert fire("prompt-build", "openclaw", payload).readers[0].projects == {"openclaw/ops"}


def test_an_agent_with_a_folder_of_its_own_is_not_this_workspaces_whatever_folder_is_named(
    fire, harbor, workspace, alone
):
    (alone / ".openclaw").mkdir()
    config = {"agents": {"entries": {"main": {"workspace": str(workspace)}, "ops": {"workspace": str(alone / "ops")}}}}
    (alone / ".openclaw/openclaw.json").write_text(json.dumps(config))
    registered(workspace, observe_sources=["openclaw"])

    (reader,) = fire("prompt-build", "openclaw", openclaw(workspace, sessionKey="agent:ops:main")).readers

    assert (reader.projects, reader.is_own) == ({"openclaw/ops"}, False)


# --- whose word it is

APPROVING = ["main", "direct:p", "dm:p", "telegram:direct:p", "telegram:acct:dm:p", "telegram:direct:p:thread:9"]
SILENT = [
    *GROUPS, "agent:main:global", "agent:main:dashboard", "agent:main:tui", "agent:main:openai:1f", "main", "",
    "agent:main:telegram:group:direct:p", "agent:main:group:direct:p", "agent:main:cron:1f", "agent:main:room:dm:p",
]  # fmt: skip


@pytest.mark.wide(9)
@pytest.mark.parametrize("key", [*(f"agent:main:{form}" for form in APPROVING), *SILENT])
def test_only_a_private_session_of_the_persons_own_approves(key, workspace):
    payload = openclaw(workspace, sessionKey=key, prompt="approve rn")
    call = given.parse(json.dumps(payload).encode(), host="openclaw")
    shared = given.parse(json.dumps({**payload, "chatType": "group"}).encode(), host="openclaw")

    assert words.approved(call) == (["rn"] if key not in SILENT else [])
    assert words.approved(shared) == []
