"""Start-up time counts: what a command does not use it does not import."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = (
    "requests jsonschema git rich.console frontmatter yaml numpy urllib3 http.client zoneinfo ctypes hypothesis".split()
)
ENTRY = json.dumps({"tickId": "t1", "feedbackScores": None, "actionsConsidered": []})
SHOW = """
import json, sys
from koog.cli import main

code = main(sys.argv[1:])
print(json.dumps([code, *sys.modules]), file=sys.stderr)
"""


def imported(*argv: str, cwd) -> set[str]:
    """The modules that one command leaves behind in a process of its own."""
    done = subprocess.run([sys.executable, "-c", SHOW, *argv], cwd=cwd, capture_output=True, text=True, check=True)
    code, *modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0, done.stdout
    return set(modules)


@pytest.mark.parametrize(
    ("argv", "also"),
    [
        (("module", "stack"), ()),
        (("playbook", "show"), ()),
        (("feedback",), ()),
        (("--version",), ()),
        (("signal", "--session-summary", "ENOSPC again, and ENOSPC once more"), ()),
        (("log", "--entry", ENTRY), ("ctypes",)),
        (("mine",), ("ctypes",)),
    ],
    ids=" ".join,
)
def test_a_command_without_a_model_imports_nothing_heavy(sample, argv, also):
    modules = imported(*argv, cwd=sample)

    assert {name for name in HEAVY if name in modules} - set(also) == set()


def test_a_command_imports_no_other_command_and_not_the_models_side(sample):
    modules = imported("feedback", cwd=sample)

    others = {
        "koog.heartbeat.curate",
        "koog.heartbeat.mine",
        "koog.playbook.module",
        "koog.core.model.client",
        "koog.core.human",
    }
    assert not modules & others


def test_a_command_that_asks_a_model_does_import_its_side(sample, llm):
    llm.says({"interpretation": "Two outputs were taken up."})

    assert {"koog.core.model.client", "requests"} <= imported("feedback", cwd=sample)


def test_the_order_of_modules_is_told_without_what_cleans_texts(sample):
    modules = imported("module", "stack", cwd=sample)

    assert not {"koog.core.text.untrusted", "koog.core.text.secrets", "koog.core.files.door", "koog.core.ask"} & modules
