"""JSON arguments, and `-` in their place."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

from koog.core.errors import UsageError
from koog.core.stdin import json_or_stdin, object_or_stdin
from tests.conftest import process


@pytest.mark.parametrize("text", ["", "not json", "[]", '"text"', "7", "NaN", "{", '{"a": 1} x'])
def test_what_is_no_object_is_a_usage_error_that_names_the_option(text):
    with pytest.raises(UsageError, match="--scores") as caught:
        object_or_stdin(text, what="--scores", hint="do this")

    assert caught.value.hint == "do this"


@pytest.mark.parametrize(("text", "value"), [("null", {}), ("{}", {}), ('{"a": 1}', {"a": 1})])
def test_an_object_comes_through_and_null_is_an_empty_one(text, value):
    assert object_or_stdin(text, what="--x", hint="") == value


def test_any_json_value_is_json():
    assert json_or_stdin("[1, 2]", what="--x", hint="") == [1, 2]


def test_a_dash_reads_standard_input_with_or_without_a_bom(sample):
    done = process("feedback", "--scores", "-", cwd=sample, stdin='\ufeff{"2026-02-28T11:00:00Z": 0.4}')

    assert json.loads(done.stdout)["recorded"] == ["2026-02-28T11:00:00Z"]


def test_bytes_that_are_not_utf8_are_a_usage_error(workspace):
    command = [sys.executable, "-m", "koog", "feedback", "--scores", "-"]
    done = subprocess.run(command, cwd=workspace, input=b"\xff\xfe", capture_output=True)

    assert done.returncode == 2
    assert "not UTF-8" in json.loads(done.stdout)["error"]["message"]


def test_a_dash_at_a_terminal_fails_at_once_instead_of_waiting(workspace):
    near, far = pty.openpty()
    command = [sys.executable, "-m", "koog", "feedback", "--scores", "-"]

    done = subprocess.run(command, cwd=workspace, stdin=far, capture_output=True, timeout=120)

    os.close(near)
    os.close(far)
    assert done.returncode == 2
    assert "terminal" in json.loads(done.stdout)["error"]["message"]


@pytest.mark.parametrize("text", ["[" * 201 + "]" * 201, '{"a":' * 300 + "1" + "}" * 300, "[" * 5000 + "]" * 5000])
def test_json_that_is_too_deep_to_be_written_again_is_a_usage_error(text):
    with pytest.raises(UsageError, match="--x"):
        json_or_stdin(text, what="--x", hint="")


def test_json_of_many_brackets_and_few_levels_is_taken():
    flat = "[" * 200 + "]" * 200

    assert json_or_stdin(f"[{','.join(['[{}]'] * 500)}]", what="--x", hint="") == [[{}]] * 500
    assert json.dumps(json_or_stdin(flat, what="--x", hint="")) == flat


@pytest.mark.parametrize(
    "argv",
    [
        (b"tick", b"--session-summary", b"caf\xe9"),
        (b"tick", b"--spawn-outcome", b"useful:\xff"),
        (b"signal", b"--session-summary", b"\xed\xa0\x80"),
    ],
)
def test_an_argument_that_is_not_utf8_is_a_usage_error(workspace, argv):
    done = subprocess.run([sys.executable, "-m", "koog", *argv], cwd=workspace, capture_output=True, check=False)

    assert done.returncode == 2
    assert f"{argv[1].decode()} is not UTF-8" in json.loads(done.stdout)["error"]["message"]
