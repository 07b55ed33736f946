"""The crontab's block: what stands around it stays, byte for byte."""

from __future__ import annotations

import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.errors import UsageError, WorkspaceError
from koog.operate import crontab
from koog.operate.job import EXTRACT, Job

ROOT = "/home/me/agent"
NEIGHBOUR = "# >>> koog /home/me/agent2\n0 * * * * x\n# <<< koog /home/me/agent2\n"

PERSONS_LINE = st.sampled_from(
    [
        "# mine",
        "MAILTO=me@example.invalid",
        "*/5 * * * * run 50\\%",
        "",
        "\r",
        "\t",
        "# <<< koog",
        "# >>> koog /home/me",
    ]
) | st.text(max_size=20)
PERSONS_TEXT = st.builds(
    lambda lines, neighbour, end: "\n".join([*lines, *neighbour]) + end,
    st.lists(PERSONS_LINE, max_size=5),
    st.sampled_from([[], NEIGHBOUR.splitlines()]),
    st.sampled_from(["", "\n", "\n\n"]),
)


def job(root: str = ROOT, *, minutes: int = 30, program: str = "/opt/koog", **variables: str) -> Job:
    return Job(root, minutes, (program,), (), {"PATH": "/usr/bin:/bin", **variables})


@given(text=PERSONS_TEXT)
def test_put_and_take_give_back_the_same_bytes(text):
    block = crontab.block(job())

    there = crontab.put(text, ROOT, block)

    assert crontab.find(there, ROOT) == block
    assert crontab.take(there, ROOT) == text
    assert crontab.take(text, ROOT) == text


@given(text=PERSONS_TEXT)
def test_a_second_put_changes_nothing_and_another_block_takes_the_place_of_the_first(text):
    first, second = crontab.block(job()), crontab.block(job(minutes=60))

    once = crontab.put(text, ROOT, first)

    assert crontab.put(once, ROOT, first) == once
    assert crontab.put(once, ROOT, second) == once.replace(first, second)


def test_bytes_that_are_not_utf_8_stay():
    text = b"# caf\xe9\n0 0 * * * \xff\n".decode("utf-8", "surrogateescape")

    there = crontab.put(text, ROOT, crontab.block(job()))

    assert crontab.take(there, ROOT).encode("utf-8", "surrogateescape") == b"# caf\xe9\n0 0 * * * \xff\n"


def test_the_block_of_a_workspace_whose_path_begins_alike_stays():
    text = crontab.put(NEIGHBOUR, ROOT, crontab.block(job()))

    assert crontab.take(text, ROOT) == NEIGHBOUR
    assert crontab.workspaces(text) == ["/home/me/agent2", ROOT]


def test_of_two_blocks_that_somebody_pasted_one_is_left():
    old, new = crontab.block(job()), crontab.block(job(minutes=60))

    assert crontab.put(f"a\n{old}b\n{old}c\n", ROOT, new) == f"a\n{new}b\nc\n"


def test_a_block_without_its_end_is_no_block_but_an_error():
    text = crontab.block(job()).replace("# <<< koog", "# gone")

    with pytest.raises(WorkspaceError, match="no end line"):
        crontab.put(text, ROOT, crontab.block(job()))


def test_a_block_has_a_line_for_a_start_of_the_machine_and_one_each_for_the_clocks_of_each_command():
    begin, note, boot, clock, other, observe, third, extract, fourth, condense, fifth, prune, end = crontab.block(
        job()
    ).splitlines()

    assert (begin, end) == ("# >>> koog /home/me/agent", "# <<< koog /home/me/agent")
    assert note == "# every 30m: /opt/koog tick"
    assert boot.startswith("@reboot sleep 60; cd /home/me/agent && ")
    assert clock == "*/30 * * * * " + boot.removeprefix("@reboot sleep 60; ")
    assert other == "# and every 15m: /opt/koog observe"
    assert observe == clock.replace("*/30 *", "12-59/15 *", 1).replace("/opt/koog tick", "/opt/koog observe")
    assert third == "# and every 1h: /opt/koog extract --scheduled"
    assert extract == clock.replace("*/30 *", "47 *", 1).replace("/opt/koog tick", "/opt/koog extract --scheduled")
    assert (fourth, fifth) == ("# and at 0 23 * * *: /opt/koog condense monthly", "# and at 0 0 * * 0: /opt/koog prune")
    assert condense == clock.replace("*/30 *", "0 23", 1).replace("/opt/koog tick", "/opt/koog condense monthly")
    assert prune == clock.replace("*/30 * * * *", "0 0 * * 0", 1).replace("/opt/koog tick", "/opt/koog prune")


@pytest.mark.parametrize("name", ["with space", "it's", 'a "b"', "$HOME `x`", "50%", "Ärger 日本", "a\\b"])
def test_the_shell_reads_the_folder_and_the_program_as_they_are(name):
    root = f"/home/{name}"

    clock = crontab.block(job(root, program=f"{root}/koog", KOOG_ENGINE=name)).splitlines()[3]

    line = clock.removeprefix("*/30 * * * * ")
    assert not re.search(r"(?<!\\)%", line)
    words = shlex.split(line.replace("\\%", "%"))
    assert words[:2] == ["cd", root]
    assert {f"{root}/koog", f"KOOG_ENGINE={name}"} <= set(words)


@pytest.mark.parametrize("root", ["/a\nb", "/a\rb", "/a\x1bb", "/a\udcffb", "/a ", "/a\\"])
def test_a_folder_that_no_line_can_name_is_refused(root):
    with pytest.raises(UsageError, match="path"):
        crontab.block(job(root))


@pytest.mark.parametrize("name", ["a\\\\b", "a\\%b"])
def test_a_backslash_that_crons_read_differently_is_refused(name):
    with pytest.raises(UsageError, match="backslash"):
        crontab.block(job(f"/home/{name}"))


def test_a_command_that_cron_would_cut_off_is_refused():
    # The longest of the three.
    fixed = len(crontab.escaped(crontab.command(job(KOOG_X="").other(EXTRACT))))
    room = crontab.COMMAND_CHARS - fixed + 2  # the quotes of the empty value

    assert max(map(len, crontab.block(job(KOOG_X="x" * room)).splitlines())) >= crontab.COMMAND_CHARS
    with pytest.raises(UsageError, match="too long"):
        crontab.block(job(KOOG_X="x" * (room + 1)))
