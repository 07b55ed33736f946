"""Which session is a group's: every spelling of a key, through the hosts' stores and through hook input.

The spellings are those of github.com/openclaw/openclaw, src/sessions/session-chat-type-base.ts (the shapes that tell
direct, group and channel, and the legacy ones) and src/routing/session-key.ts (how keys are made: the direct scopes, a
channel's peers, threads). `chatType` of sessions.json and `chat_type` of session_windows are the stores' own fields
(openclaw.md and the samples of both releases).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.told.ground import Machine, openclaw_given, succeeded, told

PRIVATE = [
    "agent:main:main",
    "agent:main:direct:p",
    "agent:main:dm:p",
    "agent:main:telegram:direct:p",
    "agent:main:telegram:dm:p",
    "agent:main:telegram:acct:direct:p",
    "agent:main:telegram:acct:dm:p",
    "agent:main:telegram:direct:p:thread:9",
    "AGENT:MAIN:MAIN",
    "agent:main:Telegram:Direct:P",
    "main",
    "agent:main:home",  # session.mainKey, by buildAgentMainSessionKey in src/routing/session-key.ts
]
# Key → the group's name: the key behind the agent, without its thread or topic.
SHARED = {
    "agent:main:telegram:group:-100": "telegram:group:-100",
    "agent:main:telegram:group:-100:topic:7": "telegram:group:-100",
    "agent:main:telegram:group:-100:thread:7": "telegram:group:-100",
    "agent:main:slack:channel:c1": "slack:channel:c1",
    "agent:main:slack:channel:c1:thread:1700.5": "slack:channel:c1",
    "agent:main:telegram:acct:group:-100": "telegram:acct:group:-100",
    "agent:main:discord:acct:channel:42:thread:9": "discord:acct:channel:42",
    "agent:main:group:-100": "group:-100",
    "group:-100": "group:-100",
    "group:-100:topic:7": "group:-100",
    "channel:c1": "channel:c1",
    "agent:main:channel:c1": "channel:c1",
    "whatsapp:123@g.us": "whatsapp:123@g.us",
    "123@g.us": "123@g.us",
    "agent:main:whatsapp:123@g.us": "whatsapp:123@g.us",
    "discord:guild-1:channel-2": "discord:guild-1:channel-2",
    "agent:main:discord:acct:guild-1:channel-2": "discord:acct:guild-1:channel-2",
    # of no known form: nobody can say that only the person hears it
    "agent:main:msteams:team:abc": "msteams:team:abc",
    "agent:main:msteams:somewhere": "msteams:somewhere",
}
UPPER = {"AGENT:MAIN:TELEGRAM:GROUP:-100": "telegram:group:-100", "agent:main:Slack:Channel:C1": "slack:channel:c1"}
PERSONAL, THERE = "zebrafin", "gannetol"
SAID = f"I decided that the {THERE} release ships on Friday."


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A workspace in which the person has said something, and an agent that has said nothing yet."""
    made = Machine(tmp_path_factory.mktemp("keys"))
    ws = made.workspace("mind")
    made.agents(main=ws)
    made.operator(ws, "observe.sources", ["openclaw", "claude"])
    made.claude(ws, f"I decided that the {PERSONAL} release ships on Monday.")
    succeeded(made.koog(ws, "observe"))
    made.put(ws, "memory/favorites.md", f"- The {PERSONAL} is a favorite.\n")
    return made


@pytest.fixture
def ws(machine: Machine) -> Path:
    return machine.home / "mind"


# --- hooks and the compiler


@pytest.mark.wide(4)
@pytest.mark.parametrize("key", PRIVATE)
def test_in_private_a_hook_tells_the_persons_memory(key, machine, ws):
    assert PERSONAL in machine.hook(ws, "prompt-build", "openclaw", openclaw_given(ws, key, "main"))


@pytest.mark.wide(12)
@pytest.mark.parametrize("nested", [False, True], ids=["flat", "nested"])
@pytest.mark.parametrize("key", [*SHARED, *UPPER])
def test_in_a_group_a_hook_tells_nothing_of_it(key, nested, machine, ws):
    given = openclaw_given(ws, key, "main", nested=nested)

    for event in ("prompt-build", "session-start"):
        assert PERSONAL not in machine.hook(ws, event, "openclaw", given)


@pytest.mark.parametrize("agent", ["main", None])
@pytest.mark.parametrize("key", ["main", "group:-100", "agent:main:telegram:group:-100"])
def test_a_key_without_an_agent_says_the_same(key, agent, machine, ws):
    text = machine.hook(ws, "prompt-build", "openclaw", openclaw_given(ws, key, agent))

    assert (PERSONAL in text) == (key == "main")


@pytest.mark.parametrize("field", ["chatType", "chat_type"])
@pytest.mark.parametrize("kind", ["group", "channel"])
def test_what_the_host_calls_a_group_is_one_whatever_its_key(field, kind, machine, ws):
    given = {**openclaw_given(ws, "agent:main:main", "main"), field: kind}

    assert PERSONAL not in machine.hook(ws, "prompt-build", "openclaw", given)


def test_a_host_that_calls_a_group_direct_is_not_believed(machine, ws):
    given = {**openclaw_given(ws, "agent:main:telegram:group:-100", "main"), "chatType": "direct"}

    assert PERSONAL not in machine.hook(ws, "prompt-build", "openclaw", given)


@pytest.mark.wide(10)
@pytest.mark.parametrize("key", [*PRIVATE, *SHARED, *UPPER, "group"])
def test_the_compiler_is_told_by_the_same_keys(key, machine, ws):
    called = machine.koog(ws, "compile", "--message", "which release?", "--session", key)

    assert (PERSONAL in told(succeeded(called))) == (key in PRIVATE)


# --- the stores


def observed(machine: Machine, ws: Path, key: str, *, store: str, chat_type: str | None = None) -> list[str]:
    """Return the lines that a session of this key leaves, in a machine that is put back afterwards."""
    with machine.restored():
        machine.openclaw("main", key, SAID, "Please always answer me in rhymes.", store=store, chat_type=chat_type)
        succeeded(machine.koog(ws, "observe"))
        return [row for row in machine.observations(ws).splitlines() if THERE in row or "rhymes" in row]


def stores(keys: list[str]) -> list[tuple[str, str]]:
    """Return each key with a store, taking turns; both stores see every form of the other list's neighbours."""
    return [(key, ("files", "sqlite")[n % 2]) for n, key in enumerate(keys)]


@pytest.mark.wide(4)
@pytest.mark.parametrize(("key", "store"), stores(PRIVATE))
def test_what_is_said_in_private_is_observed_as_such(key, store, machine, ws):
    rows = observed(machine, ws, key, store=store)

    assert len(rows) == 2
    assert all(" dc:project=openclaw/main dc:scope=private" in row for row in rows), rows


@pytest.mark.wide(6)
@pytest.mark.parametrize(("key", "store"), stores(list(SHARED)))
def test_what_is_said_in_a_group_is_not_observed_unless_the_config_lists_it(key, store, machine, ws):
    assert observed(machine, ws, key, store=store) == []


@pytest.mark.wide(6)
@pytest.mark.parametrize("pattern", ["name", "key", "*"])
@pytest.mark.parametrize(("key", "store"), stores([*SHARED, *UPPER])[::3])
def test_a_group_that_is_listed_is_observed_under_its_name_and_nobodys_words_are_a_rule(
    key, store, pattern, machine, ws
):
    name = {**SHARED, **UPPER}[key]
    with machine.restored():
        machine.operator(ws, "observe.groups", [{"name": name, "key": key, "*": "*"}[pattern]])
        machine.openclaw("main", key, SAID, "Please always answer me in rhymes.", store=store)
        succeeded(machine.koog(ws, "observe"))
        rows = [row for row in machine.observations(ws).splitlines() if "openclaw/main" in row]

    assert any(THERE in row for row in rows), rows
    for row in rows:
        assert f" dc:scope=group dc:group={name}" in row, row
        assert not any(f"dc:type={kind} " in row for kind in ("rule", "preference", "habit", "goal")), row


@pytest.mark.parametrize("store", ["files", "sqlite"])
@pytest.mark.parametrize("chat_type", ["group", "channel"])
def test_the_stores_own_field_makes_a_group_of_any_key(store, chat_type, machine, ws):
    """A group may be routed into the main session: sessions.json says `chatType`, session_windows `chat_type`."""
    assert observed(machine, ws, "agent:main:main", store=store, chat_type=chat_type) == []


@pytest.mark.parametrize("store", ["files", "sqlite"])
def test_a_field_that_says_direct_makes_no_private_session_of_a_groups_key(store, machine, ws):
    key = "agent:main:telegram:group:-100"

    assert observed(machine, ws, key, store=store, chat_type="direct") == []


def test_a_groups_session_stays_its_own_when_the_index_forgets_it(machine, ws):
    """After /new the index names only the current session; koog has seen the older one under its key."""
    key = "agent:main:telegram:group:-100"
    with machine.restored():
        name = machine.openclaw("main", key, "Hello there, all of you.")
        succeeded(machine.koog(ws, "observe"))
        machine.openclaw("main", key, SAID, name=name)
        folder = machine.state / "agents/main/sessions"
        (folder / f"{name}.jsonl").rename(folder / f"{name}.jsonl.reset.2026-02-28T11-30-00.000Z")
        machine.openclaw("main", key, "Hello again.")
        succeeded(machine.koog(ws, "observe"))
        rows = [row for row in machine.observations(ws).splitlines() if THERE in row]
        text = machine.hook(ws, "prompt-build", "openclaw", openclaw_given(ws, "agent:main:main", "main"))

    assert all("dc:scope=group" in row for row in rows), rows
    assert THERE not in text


def test_what_waits_for_a_model_is_marked_as_the_groups(machine, ws):
    """`recover` keeps turns as they are where no model can be asked: in a block that says whose they are."""
    with machine.restored():
        machine.operator(ws, "observe.groups", ["telegram:*"])
        machine.openclaw("main", "agent:main:telegram:group:-100:topic:7", SAID)
        machine.claude(ws, "I decided that the marlinox release ships on Tuesday.")
        closed = {"KOOG_ENGINE": "llm", "KOOG_PROVIDER_API_KEY_ENV": "null"}
        succeeded(machine.koog(ws, "recover", **closed))
        marks = [row for row in machine.observations(ws).splitlines() if row.startswith("<!-- koog:raw ")]
        private = machine.hook(ws, "session-start", "claude", {"cwd": str(ws), "hook_event_name": "SessionStart"})
        shared = machine.hook(ws, "prompt-build", "openclaw", openclaw_given(ws, "agent:main:slack:channel:c1", "main"))

    [group] = [mark for mark in marks if "scope=group" in mark]
    assert " project=openclaw/main scope=group group=telegram:group:-100" in group
    [own] = [mark for mark in marks if "scope=private" in mark]
    assert " project=. " in own
    assert "marlinox" in private
    assert "marlinox" not in shared and THERE not in shared
