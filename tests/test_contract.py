"""What holds for every koog command: help, a wrong call, a published reply, one error table.  [style.md §3]"""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import Any

import pytest

from docs.generate import commands
from koog import __version__
from koog.cli import COMMANDS, GROUP_HELP, main
from koog.core import errors
from koog.core.reply import Reply
from tests.conftest import REPLY_SCHEMAS, process
from tests.heartbeat_lines import command_lines

CONTRACTS = Path(__file__).with_name("contracts")
NAMES = dict(commands())
EVERY = pytest.mark.parametrize("name", NAMES)
UPDATE = os.environ.get("KOOG_UPDATE") == "1"  # read before a test's own environment is made
SKILLS = sorted((Path(__file__).parents[1] / "skills").rglob("*.md"))
TREE_ROW = re.compile(r"^ +(?:[├└]── )?(\w+) +(\d+)  \S", re.MULTILINE)


def sentence(name: str) -> str:
    """Return what a command's docstring says it does."""
    module, function = NAMES[name].split(":")
    return (getdoc(getattr(import_module(module), function)) or "").split("\n")[0]


def kinds() -> list[type[errors.KoogError]]:
    return [errors.KoogError, *errors.KoogError.__subclasses__()]


# --- help


@EVERY
def test_help_is_plain_text_with_a_sentence_and_the_options(name, capsys):
    code = main([*name.split(), "--help"])

    out = capsys.readouterr().out
    assert code == 0
    assert out.startswith(f"Usage: koog {name} [OPTIONS]")
    assert sentence(name).endswith(".")
    assert sentence(name) in " ".join(out.split())
    assert "\x1b" not in out


@pytest.mark.parametrize("name", GROUP_HELP)
def test_the_help_of_a_group_lists_its_commands(name, capsys):
    code = main([name, "--help"])

    out = capsys.readouterr().out
    assert code == 0
    assert GROUP_HELP[name] in " ".join(out.split())
    assert re.findall(r"^  ([\w-]+)  ", out.split("Commands:")[1], re.MULTILINE) == list(COMMANDS[name])


def test_the_help_of_koog_lists_every_command(capsys):
    code = main(["--help"])

    listed = re.findall(r"^  (\w+)  ", capsys.readouterr().out.split("Commands:")[1], re.MULTILINE)
    assert code == 0
    assert sorted(listed) == sorted(COMMANDS)


def test_version_is_the_one_other_prose(capsys):
    assert main(["--version"]) == 0

    assert capsys.readouterr().out == f"{__version__}\n"


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.name)
def test_every_command_that_a_skill_shows_exists(path):
    called = [
        [word for word in line[1:] if not word.startswith("-")] for line in command_lines(path.read_text("utf-8"))
    ]

    assert [words for words in called if not {" ".join(words[:1]), " ".join(words[:2])} & set(NAMES)] == []


# --- a wrong call


# A hook never fails: its host may take the code of a wrong call for "block" (tests/host/test_hook.py).
def test_a_wrong_option_is_one_usage_line(koog, subtests):
    for name in NAMES.keys() - {"hook"}:
        with subtests.test(name):
            code, line = koog(*name.split(), "--no-such-option")

            assert code == 2
            assert line["error"]["code"] == "usage"
            assert "--no-such-option" in line["error"]["message"]


@pytest.mark.parametrize("argv", [[], ["no-such-command"], ["module"], ["module", "no-such-command"]], ids=str)
def test_a_call_without_a_command_is_one_usage_line(argv, koog):
    code, line = koog(*argv)

    assert code == 2
    assert line["error"]["code"] == "usage"
    assert line["error"]["hint"]


def test_a_piped_failure_is_one_line_on_each_stream_without_colour(workspace):
    done = process("module", "info", "nope", cwd=workspace)

    assert done.returncode == 4
    assert json.loads(done.stdout)["error"]["code"] == "not_found"
    assert done.stderr.startswith("koog: ")
    assert len(done.stdout.splitlines()) == len(done.stderr.splitlines()) == 1
    assert "\x1b" not in done.stdout + done.stderr


# --- the reply


@EVERY
def test_a_command_publishes_its_reply_in_its_own_slice(name):
    path, definition = REPLY_SCHEMAS[name.replace(" ", ".")]
    module = NAMES[name].split(":")[0]
    shape = json.loads(path.read_text("utf-8"))["$defs"][definition]

    assert path.parent.name == module.split(".")[1]
    assert shape["additionalProperties"] is False
    assert sorted(shape["required"]) == sorted(shape["properties"])  # no key comes and goes between calls
    assert not {"ok", "error", "_meta"} & set(shape["properties"])


def test_no_reply_is_published_for_a_command_that_does_not_exist():
    assert sorted(REPLY_SCHEMAS) == sorted(name.replace(" ", ".") for name in NAMES)


@EVERY
def test_the_reply_is_as_it_was_promised(name):
    golden = CONTRACTS / f"{name.replace(' ', '.')}.json"
    now = json.dumps(contract(*REPLY_SCHEMAS[name.replace(" ", ".")]), indent=2, ensure_ascii=False) + "\n"
    if UPDATE:
        CONTRACTS.mkdir(exist_ok=True)
        golden.write_text(now, "utf-8")

    assert golden.read_text("utf-8") == now, "a changed contract: KOOG_UPDATE=1, then read the diff"


def test_no_contract_is_left_of_a_command_that_is_gone():
    assert sorted(path.stem for path in CONTRACTS.glob("*")) == sorted(name.replace(" ", ".") for name in NAMES)


def contract(path: Path, definition: str) -> dict[str, Any]:
    """Return a reply's schema by itself: with the definitions that it refers to and no others."""
    whole = json.loads(path.read_text("utf-8"))
    shape, waiting, needed = whole["$defs"][definition], [whole["$defs"][definition]], {}
    while waiting:
        for name in re.findall(r'"#/\$defs/([^"]+)"', json.dumps(waiting.pop())):
            if name not in needed:
                needed[name] = whole["$defs"][name]
                waiting.append(needed[name])
    return {**shape, "$defs": dict(sorted(needed.items()))} if needed else shape


@pytest.mark.parametrize("key", ["ok", "error", "_meta"])
def test_a_reply_cannot_take_a_reserved_key(key):
    with pytest.raises(ValueError, match="reserved"):
        Reply("koog.x/1", **{key: 1})


# --- errors


def test_codes_and_exit_codes_are_unique():
    assert len({k.code for k in kinds()}) == len({k.exit_code for k in kinds()}) == len(kinds())


def test_the_tree_in_the_docstring_is_the_tree_of_classes():
    told = {name: int(number) for name, number in TREE_ROW.findall(errors.__doc__ or "")}

    assert told == {k.__name__: k.exit_code for k in kinds()}


def test_an_error_class_has_no_subclasses_which_the_table_would_miss():
    """What stands under one is the same to a caller: its code, and so its exit code and whether to try again."""
    below = [(k, sub) for k in kinds()[1:] for sub in k.__subclasses__()]

    assert [
        sub.__name__
        for k, sub in below
        if (sub.code, sub.exit_code, sub.retryable) != (k.code, k.exit_code, k.retryable)
    ] == []
    assert {sub.__module__ for _, sub in below} <= {"koog.core.files.roots"}
