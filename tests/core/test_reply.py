"""The error tree and the one line (errors.py, reply.py)."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.core import errors, reply
from koog.core.errors import KoogError
from koog.core.reply import Reply

KINDS = [KoogError, *KoogError.__subclasses__()]


def test_every_kind_of_error_has_a_code_and_an_exit_code_of_its_own():
    assert len({kind.code for kind in KINDS}) == len(KINDS)
    assert len({kind.exit_code for kind in KINDS}) == len(KINDS)
    assert 0 not in {kind.exit_code for kind in KINDS}


def test_the_codes_are_those_of_the_contract():
    assert {kind.code: kind.exit_code for kind in KINDS} == {
        "bug": 1,
        "usage": 2,
        "config": 3,
        "not_found": 4,
        "refused": 5,
        "llm_unavailable": 6,
        "llm_unusable": 7,
        "workspace": 8,
        "busy": 9,
        "interrupted": 130,
    }
    assert {kind.code for kind in KINDS if kind.retryable} == {"llm_unavailable", "llm_unusable", "busy"}


def test_a_success_is_flat_beside_ok_and_meta():
    value = reply.success(Reply("koog.test/1", id="rn", changed=True), {"dryRun": False})

    assert value == {"ok": True, "id": "rn", "changed": True, "_meta": {"schema": "koog.test/1", "dryRun": False}}


def test_a_failure_says_what_and_what_next():
    value = reply.failure(errors.NotFound("no module 'nope'", hint="koog module list"), {"dryRun": False})

    assert value == {
        "ok": False,
        "error": {
            "code": "not_found",
            "message": "no module 'nope'",
            "hint": "koog module list",
            "retryable": False,
        },
        "_meta": {"schema": "koog.error/1", "dryRun": False},
    }


@pytest.mark.parametrize("key", reply.RESERVED)
def test_a_reply_cannot_take_a_reserved_key(key):
    with pytest.raises(ValueError, match="reserved"):
        Reply("koog.test/1", **{key: 1})


@given(st.text())
@example("a line separator \u2028, a next-line \x85, an escape \x1b[31m")
def test_any_text_stays_on_one_line_of_ascii_and_comes_back(text):
    line = reply.line(reply.failure(errors.NotFound(text), {}))

    assert len(line.splitlines()) == 1
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["error"]["message"] == text


def test_half_a_letter_is_a_mark_that_strict_readers_take():
    line = reply.line({"names": ["memory/\udcff.md", "\ud83d\ude00 whole", "\ud800 half"], "n": 1})

    assert orjson.loads(line) == {"names": ["memory/\ufffd.md", "\N{GRINNING FACE} whole", "\ufffd half"], "n": 1}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_json_does_not_know_is_never_written(value):
    with pytest.raises(ValueError, match="JSON"):
        reply.line({"rate": value})


@pytest.mark.parametrize("quoted", ["a b " * 300_000, "\N{GRINNING FACE}" * 9000, "9" * 1_000_000])
def test_an_error_that_quotes_a_megabyte_is_still_a_short_line(quoted):
    line = reply.line(reply.failure(errors.UsageError(f"--x {quoted}"), {}))

    assert len(line) < 10_000
    assert json.loads(line)["error"]["message"].startswith("--x ")


def test_an_error_that_quotes_a_secret_or_a_private_block_does_not_tell_it():
    secret = "sk-ant-abcdefghijklmnopqrstuvwxyz012345"

    told = reply.failure(errors.UsageError(f"--x {secret} <private>the vault</private> {secret}"), {})["error"][
        "message"
    ]

    assert told.startswith("--x ")
    assert secret not in told and "vault" not in told
