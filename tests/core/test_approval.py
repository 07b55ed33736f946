"""A person's word: a terminal, a grant, or the operator's leave; and never without a state root.  [design §4]"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from koog.core import approval, grants, operator
from koog.core.errors import Refused
from koog.core.run import Run
from tests.conftest import git, process
from tests.playbook.imported import RN, activate, bring_in
from tests.terminal import at_terminal, persons

NOW = datetime.now(UTC)
ASK = {"id": "rn", "digest": "d1", "what": "module 'rn'", "command": "koog module activate rn --approve"}


def run_of(workspace, **options):
    return Run(folder=str(workspace), **options)


def lines(workspace):
    return (workspace / "memory/meta/audit.log").read_text().splitlines()


# --- a terminal


def test_a_person_at_a_terminal_approves_and_the_log_and_the_commit_say_so(koog, workspace, sealed):
    bring_in(koog, workspace)

    code, line = at_terminal("module", "activate", RN, "--approve", cwd=workspace)

    assert (code, line["approvedBy"]) == (0, "terminal")
    assert line["stack"][0] == {"id": RN, "priority": 80, "approval": "approved"}
    assert "| skill:koog | approved | activated rn-copy" in "\n".join(lines(workspace))
    assert "Approval: approved" in git(workspace, "log", "-1", "--format=%B")


def test_a_terminal_that_a_host_gives_its_agent_is_no_persons(koog, workspace, sealed, subtests):
    bring_in(koog, workspace)

    for variable in approval.AGENT_SHELLS:
        with subtests.test(variable):
            code, line = at_terminal("module", "activate", RN, "--approve", cwd=workspace, env={variable: "1"})

            assert (code, line["error"]["code"]) == (5, "refused")
            assert f"approve {RN}" in line["error"]["hint"]
            assert "approval: relayed" in line["error"]["hint"]
            assert f"koog module activate {RN} --approve" in line["error"]["hint"]


def test_a_pipe_is_no_terminal_nor_is_half_of_one(koog, workspace, sealed):
    bring_in(koog, workspace)
    half = (
        f"import os, pty, sys; _, fd = pty.openpty(); os.dup2(fd, 0); os.execv({sys.executable!r}, [{sys.executable!r}"
    )
    words = ", ".join(repr(w) for w in ("-m", "koog", "module", "activate", RN, "--approve"))

    piped = process("module", "activate", RN, "--approve", cwd=workspace)
    halved = subprocess.run(
        [sys.executable, "-c", f"{half}, {words}])"], cwd=workspace, env=persons(), capture_output=True, check=False
    )

    assert (piped.returncode, halved.returncode) == (5, 5)


def test_without_a_state_root_not_even_a_terminal_approves_and_the_message_says_why(koog, workspace):
    bring_in(koog, workspace)

    code, line = at_terminal("module", "activate", RN, "--approve", cwd=workspace)

    assert code == 5
    assert "does not see the workspace's state root" in line["error"]["message"]


# --- a grant


def test_a_grant_is_good_once_and_for_this_id_and_digest_alone(workspace, sealed):
    grants.give(sealed, {"rn": "d1"}, now=NOW)
    run = run_of(workspace)

    others = [
        approval.word(run, id="rn", digest="d2"),
        approval.word(run, id="rn2", digest="d1"),
        approval.word(run_of(workspace, dry_run=True), id="rn", digest="d1"),
    ]
    first = approval.require(run, **ASK)
    with pytest.raises(Refused, match="needs a person's word"):
        approval.require(run_of(workspace), **ASK)

    assert others == [None, None, ("grant",)]
    assert (first.how, run.approval, run.workspace.cause.approval) == ("grant", "approved", "approved")


@pytest.mark.parametrize(("days", "holds"), [(grants.DAYS - 0.01, True), (grants.DAYS, False)])
def test_a_grant_expires_and_an_earlier_now_makes_it_no_younger(workspace, sealed, days, holds):
    given = datetime.now(UTC) - timedelta(days=days)  # NOW may be a quarter of an hour ago
    grants.give(sealed, {"rn": "d1"}, now=given)
    run = run_of(workspace, now_text=given.isoformat())

    assert bool(approval.word(run, id="rn", digest="d1")) is holds


def test_a_later_now_ages_a_grant(workspace, sealed):
    grants.give(sealed, {"rn": "d1"}, now=NOW)

    later = run_of(workspace, now_text=(NOW + timedelta(days=grants.DAYS + 1)).isoformat())

    assert approval.word(later, id="rn", digest="d1") is None


def test_a_newer_grant_takes_the_place_of_the_ids_older_one_and_only_the_newest_stay(workspace, sealed):
    for number in range(grants.MOST + 5):
        grants.give(sealed, {f"m{number}": "d"}, now=NOW)
    grants.give(sealed, {"m54": "e"}, now=NOW)

    rows = sealed.get("grants")
    assert len(rows) == grants.MOST
    assert [r["digest"] for r in rows if r["id"] == "m54"] == ["e"]
    assert not grants.use(sealed, id="m0", digest="d", now=NOW)


@pytest.mark.parametrize("value", [{}, "x", [1], [{"id": 1}], [{"id": "rn", "ts": 4, "digest": "d1"}], None], ids=repr)
def test_what_is_no_grant_grants_nothing(workspace, sealed, value):
    sealed.put("grants", value)

    assert approval.word(run_of(workspace), id="rn", digest="d1") is None


# --- relayed


def test_the_operator_may_let_the_agents_call_count_and_the_log_says_relayed(koog, workspace, sealed):
    bring_in(koog, workspace)
    operator.remember(workspace, "approval", "relayed")

    code, line = activate(koog, "--approve")

    assert (code, line["approvedBy"]) == (0, "relayed")
    assert "| relayed  | activated rn-copy" in "\n".join(lines(workspace))
    assert "Approval: relayed" in git(workspace, "log", "-1", "--format=%B")


def test_neither_the_workspaces_config_nor_a_variable_relays(koog, workspace, sealed, monkeypatch):
    bring_in(koog, workspace)
    (workspace / "koog-config.json").write_text(json.dumps({"approval": "relayed"}))
    monkeypatch.setenv("KOOG_APPROVAL", "relayed")

    assert activate(koog, "--approve")[0] == 5


# --- what is approved


def test_each_part_counts_and_one_that_is_missing_is_no_empty_one():
    parts = [("a", "b"), ("ab", ""), ("a", None, "b"), ("a", "", "b"), ("", "ab"), ("ab", None), ("ab",)]

    assert len({approval.digest(*each) for each in parts}) == len(parts)
