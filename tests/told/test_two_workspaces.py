"""Two workspaces on one machine: a session goes to those that name it, and to no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.told.ground import Machine, succeeded

SAID = "I decided that the zebrafin release ships on Friday."


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "m")


@pytest.fixture
def two(machine: Machine) -> tuple[Path, Path]:
    """The first and the second of the operator's file."""
    return machine.workspace("first"), machine.workspace("second")


def takers(machine: Machine, workspaces: tuple[Path, ...], said: str = "zebrafin") -> list[str]:
    """Return the names of the workspaces that observed it; in both orders, since nobody must be quicker."""
    for ws in reversed(workspaces):
        succeeded(machine.koog(ws, "observe"))
    return [ws.name for ws in workspaces if said in machine.observations(ws)]


def names(machine: Machine, ws: Path, *include: str | Path, sources: tuple[str, ...] = ("claude", "codex")) -> None:
    machine.operator(ws, "observe.sources", list(sources))
    machine.operator(ws, "observe.projects.include", [str(i) for i in include])


def test_without_any_config_a_session_goes_to_the_workspace_it_was_said_in_alone(machine, two):
    machine.claude(two[1], SAID)

    assert takers(machine, two) == ["second"]


def test_without_any_config_a_session_elsewhere_goes_to_none(machine, two):
    machine.claude(machine.repository("work/harbor"), SAID)

    assert takers(machine, two) == []


def test_one_that_names_the_project_takes_it_although_the_other_names_its_host(machine, two):
    harbor = machine.repository("work/harbor")
    machine.claude(harbor, SAID)
    names(machine, two[0])
    names(machine, two[1], harbor)

    assert takers(machine, two) == ["second"]


def test_both_that_name_it_take_it(machine, two):
    harbor = machine.repository("work/harbor")
    machine.codex(harbor / "..", "unrelated talk, nothing more")
    machine.codex(harbor, SAID, ordinal=True)
    names(machine, two[0], "~/work/*")
    names(machine, two[1], harbor)

    assert takers(machine, two) == ["first", "second"]


def test_what_none_names_goes_to_the_first_that_names_the_host(machine, two):
    machine.claude(machine.repository("work/harbor"), SAID)
    names(machine, two[0], sources=("codex",))
    names(machine, two[1], sources=("claude",))

    assert takers(machine, two) == ["second"]


def test_of_two_that_name_the_host_only_the_first_of_the_operators_file_takes_it(machine, two):
    machine.claude(machine.repository("work/harbor"), SAID)
    names(machine, two[0])
    names(machine, two[1])

    assert takers(machine, two) == ["first"]


def test_an_include_that_is_not_empty_and_does_not_match_takes_nothing(machine, two):
    machine.claude(machine.repository("work/harbor"), SAID)
    names(machine, two[0], "~/elsewhere/**")
    names(machine, two[1], sources=("codex",))

    assert takers(machine, two) == []


def test_a_session_in_a_workspace_is_its_own_also_where_another_names_every_project(machine, two):
    machine.claude(two[1], SAID)
    names(machine, two[0])

    assert takers(machine, two) == ["second"]


def test_what_one_excludes_another_may_take(machine, two):
    harbor = machine.repository("work/harbor")
    machine.claude(harbor, SAID)
    names(machine, two[0], harbor)
    machine.operator(two[0], "observe.projects.exclude", [str(harbor)])
    names(machine, two[1], harbor)

    assert takers(machine, two) == ["second"]


@pytest.mark.parametrize("shape", ["entries", "list"])
@pytest.mark.parametrize("store", ["files", "sqlite"])
def test_an_agents_sessions_go_to_the_workspace_it_works_in(shape, store, machine, two):
    machine.agents(shape=shape, main=two[0], ops=two[1])
    machine.openclaw("main", "agent:main:main", "I decided that the lemurine release ships on Friday.", store=store)
    machine.openclaw("ops", "agent:ops:main", "We fire the condoran vendor on Friday.", store=store)

    assert takers(machine, two, "lemurine") == ["first"]
    assert takers(machine, two, "condoran") == ["second"]


def test_an_agent_that_shares_a_folder_shares_its_memory(machine, two):
    machine.agents(main=two[0], writer=two[0], ops=two[1])
    machine.openclaw("writer", "agent:writer:main", SAID)

    assert takers(machine, two) == ["first"]


def test_an_agent_without_an_entry_works_in_the_default_workspace(machine):
    ws, other = machine.workspace(".openclaw/workspace"), machine.workspace("other")
    machine.openclaw("main", "agent:main:main", SAID)

    assert takers(machine, (other, ws)) == ["workspace"]


def test_the_default_workspace_may_be_named_for_all(machine, two):
    machine.agents(defaults=str(two[1]), main=None)
    machine.openclaw("main", "agent:main:main", SAID)

    assert takers(machine, two) == ["second"]


def test_another_agent_without_a_workspace_is_not_the_default_ones(machine, two):
    """The host gives each further agent a folder of its own: openclaw/openclaw src/agents/agent-scope-config.ts."""
    own = machine.workspace("second/ops")
    machine.agents(defaults=str(two[1]), main=None, ops=None)
    machine.openclaw("ops", "agent:ops:main", SAID)

    assert takers(machine, (*two, own)) == ["ops"]


def test_a_link_to_a_workspace_is_the_workspace(machine, two):
    link = machine.home / "linked"
    link.symlink_to(two[1])
    machine.claude(link, SAID)
    machine.agents(main=two[0], ops=link)
    machine.openclaw("ops", "agent:ops:main", "We fire the condoran vendor on Friday.")

    assert takers(machine, two) == ["second"]
    assert takers(machine, two, "condoran") == ["second"]


def test_one_workspace_never_moves_the_cursor_of_another(machine, two):
    harbor = machine.repository("work/harbor")
    for ws in two:
        names(machine, ws, harbor)
    name = "0f0f0f0f-1111-4222-8333-444455556666"
    machine.claude(harbor, SAID, name=name)
    assert takers(machine, two) == ["first", "second"]

    machine.claude(harbor, "I decided that the marlinox release ships on Monday.", name=name)
    succeeded(machine.koog(two[0], "observe"))

    assert takers(machine, two, "marlinox") == ["first", "second"]


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_init_says_for_which_host_and_project_it_was(host, machine):
    harbor = machine.repository("work/harbor")

    called = machine.run("init", str(machine.home / "mind"), "--host", host, "--project", str(harbor), cwd=machine.home)

    succeeded(called)
    entry = machine.entry(machine.home / "mind")
    assert entry["observe"]["sources"] == [host]
    assert entry["observe"]["projects"]["include"] == [str(harbor)]
    assert entry["paths"]["projects"] == {".": ["**"], str(harbor): ["**"]}
    machine.claude(harbor, SAID) if host == "claude" else machine.codex(harbor, SAID)
    assert takers(machine, (machine.home / "mind",)) == ["mind"]


def test_init_again_adds_and_takes_nothing_away(machine):
    ws, harbor, quarry = machine.home / "mind", machine.repository("work/harbor"), machine.repository("work/quarry")
    calls = [("claude", harbor), ("codex", quarry), ("claude", harbor)]

    for host, project in calls:
        succeeded(machine.run("init", str(ws), "--host", host, "--project", str(project), cwd=machine.home))

    entry = machine.entry(ws)
    assert entry["observe"]["sources"] == ["claude", "codex"]
    assert entry["observe"]["projects"]["include"] == [str(harbor), str(quarry)]
    assert entry["paths"]["projects"] == {".": ["**"], str(harbor): ["**"]}


def test_init_for_every_project(machine):
    ws = machine.home / "mind"

    succeeded(machine.run("init", str(ws), "--host", "claude", "--project", "*", cwd=machine.home))

    entry = machine.entry(ws)
    assert entry["observe"]["sources"] == ["claude"]
    assert entry["paths"]["projects"] == {"*": ["**"]}
    machine.claude(machine.repository("work/harbor"), SAID)
    assert takers(machine, (ws,)) == ["mind"]


def test_init_for_openclaw_names_the_agents_of_the_folder(machine):
    ws = machine.home / "mind"
    ws.mkdir()
    machine.agents(main=machine.folder("other"), ops=ws)

    succeeded(machine.run("init", str(ws), "--host", "openclaw", cwd=machine.home))

    entry = machine.entry(ws)
    assert entry["observe"]["sources"] == ["openclaw"]
    assert entry["observe"]["projects"]["include"] == ["openclaw/ops"]
