"""Who calls: the main agent and a person write, every other agent reads and proposes.  [moltbot §13.1]"""

from __future__ import annotations

import ast
import json
from hashlib import sha256
from pathlib import Path

import pytest

from docs.generate import HEADER, share
from koog.cli import READING
from koog.core import operator
from koog.wiring import PROPOSING
from tests.conftest import registered
from tests.test_contract import NAMES

# What each command needs to be called at all; a new command with an argument has its line here.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "audit ack": ("SOUL.md",),
    "audit blame": ("topics/git.md",),
    "rollback file": ("topics/git.md", "--to", "2026-01-01"),
    "rollback session": ("r-001",),
    "rollback time": ("2026-01-01",),
    "signal": ("--session-summary", "All is quiet."),
    "log": ("--entry", '{"tickId": "t1"}'),
    "tick": ("--session-summary", "All is quiet."),
    "module activate": ("base-behaviors",),
    "module suspend": ("base-behaviors",),
    "module priority": ("base-behaviors", "5"),
    "module info": ("base-behaviors",),
    "module guidance": ("base-behaviors",),
    "module extract": ("new", "--domain", "git"),
    "module export": ("base-behaviors",),
    "module import": ("bundle.json",),
    "topic check": ("--text", "A question about git"),
    "topic activate": ("git",),
    "topic deactivate": ("git",),
    "compile": ("--message", "What is new?"),
    "detect": (
        "--text",
        "Remember that I like tea",
    ),
    "sync": ("--source", "."),
    "consolidate approve": ("r-001", "--confirm", "0a1b2c3d4e5f"),
    "consolidate reject": ("r-001", "--why", "not now"),
    "search": ("git",),
    "recall": ("What does Ana like?",),
    "graph show": ("Ana",),
    "graph path": ("Ana", "git"),
    "graph export": ("json",),
    "why": ("Ana likes tea",),
    "reconstruct": ("--branch", "v2"),
    "history when": ("Ana likes tea",),
    "history where": ("Ana likes tea",),
    "history diff": ("1d",),
    "history show": ("now",),
    "history snapshot": ("launch",),
    "transcript message": ("good morning",),
    "transcript tool": ("bash",),
    "remember": ("Ana likes tea",),
    "pin": ("core:0a1b2c3d",),
    "unpin": ("core:0a1b2c3d",),
    "review show": ("1",),
    "review commit": ("1",),
    "review keep-both": ("1", "2"),
    "review reject": ("1", "--why", "duplicate"),
    "review defer": ("1",),
    "init": (".",),
    "uninstall": ("--host", "claude"),
    "teach": ("Ana likes tea", "--type", "preference"),
    "cron install": ("--every", "1h"),
    "hook": ("prompt",),
}
WRITING = sorted(set(NAMES) - READING - {PROPOSING, "hook"})  # the host calls `hook`, and no agent


def files(folder: Path) -> dict[str, str]:
    """Return path → digest of all that stands in a workspace, git's own folder and what is derived apart."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.relative_to(folder).parts[0] != ".koog")
    kept = (path for path in found if ".git" not in path.relative_to(folder).parts[:1])
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in kept}


@pytest.fixture
def shared(sample, koog):
    """A month of notes with a topic and a proposal, ready for a second agent."""
    registered(sample)
    (sample / "topics").mkdir()
    graph = sample / "memory/graph/entities"
    graph.mkdir(parents=True)
    (graph / "person--ana.md").write_text(
        "# person--ana\n\n## Facts\n- Ana likes tea\n\n## Relations\n- Uses: [[tool--git]]\n"
    )
    (graph / "tool--git.md").write_text("# tool--git\n\n## Facts\n- Git keeps the notes\n")
    (sample / "topics/git.md").write_text("---\nname: git\nkeywords: [git, rebase]\n---\n# Git\n\nRebase first.\n")
    koog("--agent", "coder", "propose", "Atlas has six services")
    return sample


# --- the table of commands


# One workspace serves all: whatever changes it fails.


def test_every_writing_command_refuses_another_agent_and_says_how_to_propose(shared, koog, subtests):
    before = files(shared)

    for name in WRITING:
        with subtests.test(name):
            code, line = koog("--agent", "researcher", *name.split(), *ARGUMENTS.get(name, ()))

            assert (code, line["error"]["code"]) == (5, "refused"), line
            # That something be forgotten is nothing to propose.
            way = "recall QUERY" if name == "forget" else 'propose "'
            assert f"koog --agent researcher {way}" in line["error"]["hint"]
            assert files(shared) == before


def test_a_reading_command_answers_another_agent_and_changes_nothing(shared, koog, subtests):
    before = files(shared)

    for name in sorted(READING):
        with subtests.test(name):
            code, line = koog("--agent", "researcher", *name.split(), *ARGUMENTS.get(name, ()))

            assert code == 0, line
            assert files(shared) == before


def test_a_doctor_that_mends_is_for_the_main_agent(workspace, koog):
    code, line = koog("--agent", "researcher", "doctor", "--fix")

    assert (code, line["error"]["code"]) == (5, "refused")


def test_what_says_that_it_writes_nothing_is_for_every_agent():
    package = Path(__file__).parents[2] / "koog"
    silent = set()
    for name, target in NAMES.items():
        path = package.parent / (target.split(":")[0].replace(".", "/") + ".py")
        told = HEADER["Writes"].search(ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "")
        if not told or share(told[1], name.split()[-1]).startswith("nothing"):
            silent.add(name)

    assert silent <= READING


def test_every_name_in_the_list_is_a_commands():
    assert set(NAMES) >= READING


# --- who it is


@pytest.mark.parametrize("name", ["main", "Main"])
def test_the_main_agent_writes_as_if_nobody_was_named(name, workspace, koog):
    registered(workspace)

    assert koog("--agent", name, "remember", "Ana likes tea", "--store", "episodic")[0] == 0


def test_the_operators_file_says_who_the_main_agent_is(workspace, koog):
    registered(workspace, memory_mainAgent="atlas")

    assert koog("--agent", "atlas", "remember", "Ana likes tea", "--store", "episodic")[0] == 0
    assert koog("--agent", "main", "remember", "Bo likes tea", "--store", "episodic")[0] == 5


def test_the_option_may_stand_behind_the_command(workspace, koog):
    assert koog("remember", "Ana likes tea", "--agent", "coder")[0] == 5


@pytest.mark.parametrize("name", ["", "a b", "x|y", "../x", "x\n"])
def test_what_is_no_name_is_a_wrong_call(name, workspace, koog):
    assert koog("--agent", name, "remember", "Ana likes tea")[0] == 2


def test_the_variable_names_the_agent_and_no_option_makes_it_the_main_one(workspace, koog, monkeypatch):
    registered(workspace)
    monkeypatch.setenv("KOOG_AGENT", "coder")

    assert koog("remember", "Ana likes tea")[0] == 5
    assert koog("--agent", "main", "remember", "Ana likes tea")[0] == 5
    assert koog("propose", "Ana likes tea")[1]["from"] == "coder"


@pytest.mark.parametrize(
    ("key", "writes", "name"),
    [
        ("agent:main:main", True, "main"),
        ("agent:main:telegram:direct:p", True, "main"),
        ("main", True, "main"),
        ("agent:researcher:main", False, "researcher"),
        ("agent:main:subagent:5b1f", False, "subagent"),
    ],
)
def test_openclaws_session_says_which_agent_calls(key, writes, name, workspace, koog, monkeypatch):
    registered(workspace)
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.setenv("KOOG_SESSION_KEY", key)

    assert (koog("remember", "Ana likes tea", "--store", "episodic")[0] == 0) is writes
    line = koog("--agent", "main", "propose", "Bo likes tea")[1]
    assert line["from"] == name


def test_a_host_that_names_the_agent_is_believed_before_the_agent(workspace, koog, monkeypatch):
    registered(workspace)
    operator.remember(workspace, "memory.trustedAgents", ["coder"])
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.setenv("KOOG_SESSION_KEY", "agent:researcher:main")

    assert koog("--agent", "coder", "propose", "Ana likes tea")[1]["from"] == "researcher"


def test_an_agent_that_has_the_workspace_for_itself_is_its_main_one(workspace, koog, monkeypatch, alone):
    registered(workspace)
    (alone / ".openclaw").mkdir()
    agents = {"agents": {"list": [{"id": "main"}, {"id": "ops", "workspace": str(workspace)}]}}
    (alone / ".openclaw/openclaw.json").write_text(json.dumps(agents))
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.setenv("KOOG_SESSION_KEY", "agent:ops:main")

    assert koog("remember", "Ana likes tea", "--store", "episodic")[0] == 0


def test_a_hook_is_called_by_the_host(workspace, koog, monkeypatch, capsys):
    """KOOG_AGENT in the host's environment says where something is said; a hook answers as it does without."""
    from koog.cli import main

    registered(workspace)
    monkeypatch.setenv("KOOG_AGENT", "coder")
    capsys.readouterr()

    assert main(["hook", "prompt", "--host", "claude", "--dry-run"]) == 0
    assert "not the main agent" not in capsys.readouterr().err


def test_what_another_agent_may_not_do_is_no_failure_of_the_workspace(workspace, koog):
    registered(workspace)
    koog("--agent", "coder", "remember", "Ana likes tea")

    assert koog("status")[1]["failures"] == []
