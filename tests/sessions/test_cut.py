"""What of a long output and a long command is left, and that nothing half hidden is."""

from __future__ import annotations

import json

import pytest

from koog.observe import material
from koog.sessions.claude import Claude
from koog.sessions.openclaw import OpenClaw
from koog.sessions.turn import Batch, Reader
from tests.fakes.stores import FILES, RENDER, Said, header, openclaw, write

TOKEN = "ghp_" + "a1B2c3D4e5" * 4
KEY = "\n".join(
    [f"-----BEGIN {'OPENSSH'} PRIVATE KEY-----", *["b3BlbnNzaC1rZXkt" * 4] * 30, "-----END OPENSSH PRIVATE KEY-----"]
)
BLOCK = "<private>" + "Dana earns 9,000\n" * 60 + "</private>"


def read(hosts: Reader) -> list[Batch]:
    return [batch for session in hosts.sessions() for batch in hosts.read(session, None)]


@pytest.mark.parametrize(
    ("hidden", "part"), [(TOKEN, "3D4e5a1"), (f"the token\n{TOKEN}\n", "3D4e5a1"), (KEY, "BlbnNz"), (BLOCK, "9,000")]
)
def test_wherever_an_output_is_cut_no_part_of_a_secret_or_a_private_block_is_left(tmp_path, hidden, part):
    outputs = ["word " * (n // 5) + hidden + " " + "word " * ((1500 - n) // 5) for n in range(0, 1500, 25)]
    write(tmp_path / FILES["claude"], RENDER["claude"]([Said("tool", output, "cat it", 1) for output in outputs]))

    found = [turn for batch in read(Claude(tmp_path)) for turn in batch.turns]

    assert len(found) == len(outputs)
    assert [turn for turn in found if part in material.cleaned(turn)] == []
    assert all("exit 1: " in turn.text and len(turn.text) < 1_200 for turn in found)


def test_a_long_command_is_cut_between_words_and_a_waiting_call_is_kept_without_its_secrets(tmp_path):
    commands = [f"echo {'x' * n} {TOKEN} end of {'a long line ' * 20}" for n in range(100, 160, 5)]
    calls = [record for c in commands for record in list(openclaw([Said("tool", "", c)]))[:1]]
    for number, record in enumerate(calls):
        record["id"] = record["message"]["content"][0]["id"] = f"c{number}"
    write(tmp_path / FILES["openclaw"], [header(), *calls])
    hosts = OpenClaw(tmp_path)

    [batch] = hosts.read(hosts.sessions()[0], None)

    assert len(batch.cursor["calls"]) == len(commands)
    assert "a1B2" not in json.dumps(batch.cursor)
