"""A first run says how many older sessions wait and with which command they are read; no run says more than is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.told.ground import OLD, Machine, succeeded

COMMANDS = {"observe": ("observe",), "recover": ("recover",), "startup": ("startup",)}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path / "m")
    ws = made.workspace("mind")
    made.operator(ws, "observe.sources", ["claude", "codex"])
    made.operator(ws, "observe.projects.exclude", ["~/work/quarry"])
    return made


@pytest.fixture
def ws(machine: Machine) -> Path:
    return machine.home / "mind"


def older(machine: Machine, ws: Path) -> None:
    """Let three old sessions be taken, and three not: an excluded project's, a subagent's, an empty one."""
    machine.claude(ws, "I decided that the zebrafin release ships on Friday.", at=OLD)
    machine.claude(machine.repository("work/harbor"), "I decided on the marlinox release for Monday.", at=OLD)
    machine.codex(machine.folder("notes/orchard"), "I decided on the okapine release for Sunday.", at=OLD, ordinal=True)
    machine.claude(machine.repository("work/quarry"), "I decided on the narwhalo release for today.", at=OLD)
    machine.claude(ws, "I decided on the lemurine release for today.", at=OLD, name="agent-1a2b3c")
    machine.codex(ws, at=OLD)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_first_run_counts_the_older_sessions_and_names_the_command_that_reads_them(name, machine, ws):
    older(machine, ws)

    line = succeeded(machine.koog(ws, *COMMANDS[name])).line

    assert line["older"]["sessions"] == 3
    command = line["older"]["command"]
    assert re.match(r"koog observe --since \S", command)
    assert "zebrafin" not in machine.observations(ws)

    done = succeeded(machine.koog(ws, *shlex.split(command)[1:]))

    text = machine.observations(ws)
    assert all(word in text for word in ("zebrafin", "marlinox", "okapine")), text
    assert not [word for word in ("narwhalo", "lemurine") if word in text]
    assert done.line["older"] is None
    for words in COMMANDS.values():
        assert succeeded(machine.koog(ws, *words)).line["older"] is None


@pytest.mark.parametrize("name", COMMANDS)
def test_where_nothing_is_older_there_is_nothing_to_say(name, machine, ws):
    machine.claude(ws, "I decided that the zebrafin release ships on Friday.")

    assert succeeded(machine.koog(ws, *COMMANDS[name])).line["older"] is None


@pytest.mark.parametrize("name", COMMANDS)
def test_what_was_observed_is_not_older(name, machine, ws):
    older(machine, ws)
    machine.claude(ws, "I decided that the pelican release ships on Friday.")
    succeeded(machine.koog(ws, "observe"))

    assert succeeded(machine.koog(ws, *COMMANDS[name])).line["older"]["sessions"] == 3
    succeeded(machine.koog(ws, "observe", "--since", "2026-02-01"))
    assert succeeded(machine.koog(ws, *COMMANDS[name])).line["older"] is None


def test_everything_was_observed_is_said_when_it_is_so(machine, ws):
    assert succeeded(machine.koog(ws, "recover")).line["reason"] == "everything was observed"
    machine.claude(ws, "I decided that the zebrafin release ships on Friday.")
    succeeded(machine.koog(ws, "observe"))
    assert succeeded(machine.koog(ws, "recover")).line["reason"] == "everything was observed"


def test_everything_was_observed_is_not_said_while_older_ones_wait(machine, ws):
    older(machine, ws)

    line = succeeded(machine.koog(ws, "recover")).line

    assert line["reason"] != "everything was observed"
    assert line["older"]["sessions"] == 3


def test_everything_was_observed_is_not_said_while_turns_wait_for_a_model(machine, ws):
    machine.claude(ws, "I decided that the zebrafin release ships on Friday.")
    closed = {"KOOG_ENGINE": "llm", "KOOG_PROVIDER_API_KEY_ENV": "null"}
    assert succeeded(machine.koog(ws, "recover", **closed)).line["stored"] == 1

    assert succeeded(machine.koog(ws, "recover", **closed)).line["reason"] != "everything was observed"


def test_sessions_that_this_workspace_does_not_take_are_not_counted(machine, ws):
    other = machine.workspace("other")
    machine.operator(other, "observe.sources", ["claude"])
    harbor = machine.repository("work/harbor")
    machine.operator(other, "observe.projects.include", [str(harbor)])
    machine.claude(harbor, "I decided that the marlinox release ships on Friday.", at=OLD)

    assert succeeded(machine.koog(ws, "observe")).line["older"] is None
    assert succeeded(machine.koog(other, "observe")).line["older"]["sessions"] == 1


def test_groups_that_are_not_listed_are_not_counted(machine, ws):
    machine.agents(main=ws)
    machine.operator(ws, "observe.sources", ["openclaw"])
    said = "I decided that the gannetol release ships on Friday."
    machine.openclaw("main", "agent:main:telegram:group:-100", said, at=OLD)
    machine.openclaw("main", "agent:main:main", said.replace("gannetol", "lemurine"), at=OLD)

    assert succeeded(machine.koog(ws, "observe")).line["older"]["sessions"] == 1
