"""koog module: list, activate, suspend, priority, stack, info, guidance."""

from __future__ import annotations

import json

from tests.conftest import git

RN = "react-native-dev"


def test_list_shows_registered_and_unregistered_modules(koog, workspace):
    (workspace / "modules/loose").mkdir()
    manifest = json.loads((workspace / f"modules/{RN}/manifest.json").read_text())
    (workspace / "modules/loose/manifest.json").write_text(json.dumps({**manifest, "id": "loose"}))

    _, line = koog("module", "list")

    rows = {m["id"]: m for m in line["modules"]}
    assert rows["base-behaviors"]["locked"] is True
    assert (rows["loose"]["registered"], rows["loose"]["status"]) == (False, None)


def test_activate_merges_the_patterns_and_commits_once(koog, workspace):
    code, line = koog("module", "activate", RN, "--priority", "90", "--now", "2026-02-28T12:00:00Z")

    assert code == 0
    assert line["stack"][0] == {"id": RN, "priority": 90, "approval": None}
    entry = json.loads((workspace / "modules/module-registry.json").read_text())["modules"][RN]
    assert (entry["status"], entry["activatedAt"]) == ("active", "2026-02-28T12:00:00Z")
    effective = (workspace / "memory/sinain-playbook-effective.md").read_text()
    assert effective.startswith(f"<!-- module-stack: {RN}(90), base-behaviors(0) -->\n")
    assert git(workspace, "rev-list", "--count", "HEAD") == "2"
    message = git(workspace, "log", "-1", "--format=%B")
    assert message.splitlines()[0] == f"[EDIT] modules/module-registry.json (+1) — activated {RN}"
    assert f"Trigger: koog module activate {RN}" in message


def test_the_second_time_nothing_changes(koog, workspace):
    koog("module", "activate", RN)
    before = git(workspace, "rev-parse", "HEAD")

    code, line = koog("module", "activate", RN)

    assert (code, line["changed"]) == (0, False)
    assert git(workspace, "rev-parse", "HEAD") == before


def test_suspend_takes_the_patterns_out_and_leaves_the_files(koog, workspace):
    koog("module", "activate", RN)

    code, line = koog("module", "suspend", RN)

    assert code == 0
    assert [m["id"] for m in line["stack"]] == ["base-behaviors"]
    assert "Metro" not in (workspace / "memory/sinain-playbook-effective.md").read_text()
    assert (workspace / f"modules/{RN}/patterns.md").exists()


def test_a_locked_module_stays_active_whatever_the_registry_says(koog, workspace):
    path = workspace / "modules/module-registry.json"
    path.write_text(path.read_text().replace('"locked": true', '"locked": false'))

    code, line = koog("module", "suspend", "base-behaviors")

    assert (code, line["error"]["code"]) == (5, "refused")


def test_a_priority_outside_the_manifests_range_is_refused(koog, workspace):
    results = [koog("module", "priority", RN, value)[0] for value in ("49", "50", "100", "101")]

    assert results == [5, 0, 0, 5]


def test_an_unknown_module_is_not_found_with_the_next_command(koog):
    code, line = koog("module", "info", "nope")

    assert (code, line["error"]["hint"]) == (4, "koog module list")


def test_guidance_joins_the_effective_playbook_and_can_be_cleared(koog, workspace):
    koog("module", "activate", RN)
    token = "ghp_" + "a1B2" * 9

    _, written = koog("module", "guidance", RN, "--set", f"Use Expo only. Never show {token}")
    effective = (workspace / "memory/sinain-playbook-effective.md").read_text()
    _, cleared = koog("module", "guidance", RN, "--clear")

    assert "Use Expo only" in effective
    assert token not in effective
    assert written["changed"] is True
    assert cleared["guidance"] == ""
    assert "Use Expo only" not in (workspace / "memory/sinain-playbook-effective.md").read_text()


def test_dry_run_shows_the_changes_and_makes_none(koog, workspace):
    before = git(workspace, "rev-parse", "HEAD")

    code, line = koog("module", "activate", RN, "--dry-run")

    assert code == 0
    assert line["_meta"]["dryRun"] is True
    assert next(c["path"] for c in line["_meta"]["changes"]) == "modules/module-registry.json"
    assert (git(workspace, "rev-parse", "HEAD"), git(workspace, "status", "--short")) == (before, "")
