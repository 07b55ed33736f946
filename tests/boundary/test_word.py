"""What takes a person's word: a terminal and no agent behind it, and a state folder that no agent can write."""

from __future__ import annotations

import json

import pytest

from tests.boundary.ground import Ground

MODULE = "react-native-dev"  # shipped; here it comes again from elsewhere
AGENTS = (
    {"OPENCLAW_SHELL": "exec"},
    {"CLAUDECODE": "1"},
    {"CODEX_SANDBOX": "seatbelt"},
    {"CODEX_THREAD_ID": "t-1"},
)


@pytest.fixture
def imported(ground: Ground) -> Ground:
    """A workspace that has taken in a module from elsewhere."""
    bundle = ground.koog("module", "export", MODULE).line["bundle"]
    called = ground.koog("module", "import", "-", "--force", stdin=json.dumps(bundle).encode())
    assert called.code == 0, called.out
    ground.calls.clear()
    return ground


def status(ground: Ground) -> str:
    registry = json.loads((ground.ws / "modules/module-registry.json").read_text())
    found: str = registry["modules"][MODULE]["status"]
    return found


def test_an_imported_module_is_activated_from_a_terminal(imported: Ground) -> None:
    called = imported.typed("module", "activate", MODULE, "--approve")

    assert called.line["ok"], called.out
    assert status(imported) == "active"
    imported.assert_kept()


def test_an_imported_module_is_not_activated_without_a_persons_word(imported: Ground) -> None:
    empty = imported.place / "sandbox"
    empty.mkdir()
    imported.seal()
    activate = ("module", "activate", MODULE)

    tried = [
        imported.koog(*activate),
        imported.koog(*activate, "--approve"),
        imported.started(*activate, "--approve"),
        *(imported.typed(*activate, "--approve", **agent) for agent in AGENTS),
        imported.typed(*activate, "--approve", XDG_STATE_HOME=str(empty)),
        imported.typed(*activate, "--approve", XDG_STATE_HOME=str(empty), XDG_CONFIG_HOME=str(empty)),
    ]

    assert [c.argv for c in tried if c.line["ok"]] == []
    assert status(imported) == "suspended"
    assert list(empty.iterdir()) == []
    imported.assert_kept()


def test_a_module_that_came_with_koog_needs_no_word(ground: Ground) -> None:
    called = ground.koog("module", "activate", MODULE)

    assert called.code == 0, called.out


def test_the_workspace_cannot_give_the_word(imported: Ground) -> None:
    """Its own config, a state folder of its own making, and grants in it."""
    imported.put("koog-config.json", json.dumps({"approval": "relayed"}))
    for folder in (".koog", ".koog/state", "state", f"state/koog/{imported.id}"):
        for name in ("grants.json", "approvals.json"):
            imported.put(f"{folder}/{name}", json.dumps([{"id": MODULE, "digest": "*"}, MODULE]))

    tried = [
        imported.koog("module", "activate", MODULE, "--approve"),
        imported.koog("module", "activate", MODULE, "--approve", XDG_STATE_HOME=str(imported.ws / "state")),
        imported.typed("module", "activate", MODULE, "--approve", XDG_STATE_HOME=str(imported.ws / "state")),
    ]

    assert [c.argv for c in tried if c.line["ok"]] == []
    assert status(imported) == "suspended"


def test_where_the_operator_says_so_the_agents_relay_counts_and_is_audited(imported: Ground) -> None:
    imported.operator("approval", "relayed")

    called = imported.koog("module", "activate", MODULE, "--approve")

    assert called.code == 0, called.out
    assert status(imported) == "active"
    assert "| relayed" in (imported.ws / "memory/meta/audit.log").read_text()


def test_in_an_agents_sandbox_koog_reads_writes_and_commits(ground: Ground) -> None:
    """The state folder is hidden there, the config perhaps as well; no state is made up."""
    empty = ground.place / "sandbox"
    empty.mkdir()
    for more in ({}, {"XDG_CONFIG_HOME": str(empty)}):
        entry = {"ts": "2026-02-28T12:00:00Z", "tickId": f"t{len(more)}", "feedbackScores": None}
        called = [
            ground.koog(
                "log", "--entry", json.dumps({**entry, "actionsConsidered": []}), XDG_STATE_HOME=str(empty), **more
            ),
            ground.koog("mine", XDG_STATE_HOME=str(empty), **more),
            ground.koog("search", "metro", XDG_STATE_HOME=str(empty), **more),
            ground.koog("status", XDG_STATE_HOME=str(empty), **more),
            ground.koog("backup", XDG_STATE_HOME=str(empty), **more),
        ]
        assert [c.out for c in called if c.code] == []
        assert called[0].line["_meta"]["commit"]
    assert list(empty.iterdir()) == []


def test_a_state_folder_inside_the_workspace_is_the_agents(ground: Ground) -> None:
    """XDG_STATE_HOME that leads into the workspace is no place for what the agent must not write."""
    ground.run("log")

    called = ground.koog("status", XDG_STATE_HOME=str(ground.ws / "state"))

    assert called.code == 0, called.out
    assert not (ground.ws / "state").exists()


def test_the_state_folder_is_the_persons_alone(ground: Ground) -> None:
    ground.run("log", "backup", "tick")

    assert ground.id
    state = ground.home / "state/koog" / ground.id
    assert oct(state.stat().st_mode & 0o777) == "0o700"
    assert ground.id not in "".join(
        p.read_text("utf-8", "replace") for p in ground.ws.rglob("*") if p.is_file() and p.stat().st_size < 100_000
    )
