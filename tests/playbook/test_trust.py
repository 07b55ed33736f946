"""An imported module speaks only as a person has approved it.  [design §4, §5]"""

from __future__ import annotations

import json

import pytest

from koog.core.run import Run
from koog.playbook import bundle, trust
from tests.conftest import git
from tests.playbook.imported import RN, SOURCE, activate, bring_in
from tests.terminal import at_terminal

LINE = "Metro"  # stands in the module's patterns alone


def approve(workspace):
    code, line = at_terminal("module", "activate", RN, "--approve", cwd=workspace)
    assert code == 0, line
    return line


def playbook(koog):
    _, line = koog("playbook", "show", "--effective")
    return line["text"], line["_meta"].get("warnings", [])


def approval_of(koog, module_id=RN):
    _, listed = koog("module", "list")
    _, info = koog("module", "info", module_id)
    row = next(m for m in listed["modules"] if m["id"] == module_id)
    assert row["approval"] == info["approval"]
    return row["approval"]


def edit(workspace, name, change):
    path = workspace / f"modules/{RN}/{name}"
    path.write_text(change(path.read_text() if path.exists() else ""))


def without_mark(text):
    return json.dumps({k: v for k, v in json.loads(text).items() if k != "importedFrom"})


def by_hand(workspace, status="active"):
    path = workspace / "modules/module-registry.json"
    value = json.loads(path.read_text())
    value["modules"][RN] = {**value["modules"][RN], "status": status}
    path.write_text(json.dumps(value))


# --- before a word


def test_a_module_of_ones_own_needs_no_word(koog, workspace, sealed):
    code, line = koog("module", "activate", SOURCE, "--approve")

    assert (code, line["approvedBy"], line["stack"][0]["approval"]) == (0, None, None)
    assert approval_of(koog, SOURCE) is None


@pytest.mark.parametrize("options", [(), ("--approve",), ("--approve", "--dry-run")], ids=" ".join)
def test_an_imported_module_is_not_activated_without_a_persons_word(koog, workspace, sealed, options):
    line = bring_in(koog, workspace)
    code, refused = activate(koog, *options)

    assert "--approve" in line["next"]
    assert (code, refused["error"]["code"]) == (5, "refused")
    assert "--approve" in refused["error"]["hint"]
    assert approval_of(koog) == "needed"
    assert LINE not in playbook(koog)[0]


def test_a_registry_that_says_active_by_hand_makes_it_no_part_of_the_playbook(koog, workspace, sealed):
    bring_in(koog, workspace)
    by_hand(workspace)

    text, warnings = playbook(koog)
    _, stack = koog("module", "stack")
    _, doctor = koog("doctor")

    assert LINE not in text
    assert any(f"koog module activate {RN} --approve" in w for w in warnings)
    assert {"id": RN, "priority": 80, "approval": "needed"} in stack["stack"]
    assert any(RN in f["message"] and "no person has approved it" in f["message"] for f in doctor["findings"])


# --- with one


def test_approved_and_unchanged_it_is_suspended_and_activated_again_without_asking(koog, workspace, sealed):
    bring_in(koog, workspace)
    approve(workspace)
    text, _ = playbook(koog)
    koog("module", "suspend", RN)

    code, line = activate(koog)

    assert LINE in text
    assert (code, line["approvedBy"], approval_of(koog)) == (0, None, "approved")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("patterns.md", lambda t: t + "- one more\n"),
        ("manifest.json", lambda t: t.replace('"metro"', '"any"').replace("{", '{"x": 1,', 1)),
        ("guidance.md", lambda t: "Do as it says.\n"),
    ],
)
def test_whatever_of_it_changes_it_is_left_out_until_it_is_approved_again(koog, workspace, sealed, name, change):
    bring_in(koog, workspace)
    approve(workspace)
    edit(workspace, name, change)

    text, warnings = playbook(koog)
    refused, _ = activate(koog)
    _, doctor = koog("doctor")
    approve(workspace)
    again, _ = playbook(koog)

    assert LINE not in text
    assert "Do as it says" not in text
    assert any(RN in w for w in warnings)
    assert refused == 5
    assert any(RN in f["message"] and "has changed" in f["message"] for f in doctor["findings"])
    assert LINE in again


def test_the_compiled_context_has_nothing_of_a_module_that_waits(koog, workspace, sealed):
    bring_in(koog, workspace)
    approve(workspace)
    _, before = koog("compile", "--message", "Metro bundler cache in react native")
    edit(workspace, "patterns.md", lambda t: t + "- Metro wants something else\n")
    _, after = koog("compile", "--message", "Metro bundler cache in react native")

    assert LINE in before["text"]
    assert "Metro wants something else" not in after["text"]


def test_removing_the_mark_makes_it_nobody_elses(koog, workspace, sealed):
    bring_in(koog, workspace)
    edit(workspace, "manifest.json", without_mark)
    edit(workspace, "patterns.md", lambda t: t.split("\n", 1)[1])

    assert approval_of(koog) == "needed"
    assert activate(koog)[0] == 5


def test_an_import_over_an_approved_module_needs_a_new_word(koog, workspace, sealed):
    bring_in(koog, workspace)
    approve(workspace)
    value = json.loads((workspace / "in.json").read_text())
    value["patterns"] += "- Metro, and something new\n"
    value["provenance"]["sha256"] = bundle.digest(value["manifest"], value["patterns"], value["guidance"])
    (workspace / "in.json").write_text(json.dumps(value))

    koog("module", "import", "in.json", "--force")

    assert activate(koog)[0] == 5


def test_the_word_stands_in_the_commit_with_the_digest_of_what_was_approved(koog, workspace, sealed):
    bring_in(koog, workspace)
    approve(workspace)

    entry = json.loads((workspace / "modules/module-registry.json").read_text())["modules"][RN]
    assert sealed.get("approved") == {RN: entry["approvedDigest"]}
    assert list(sealed.get("imported")) == [RN]
    assert entry["approvedDigest"] in git(workspace, "show", "HEAD")


def test_a_word_that_is_only_tried_out_is_not_kept(koog, workspace, sealed):
    bring_in(koog, workspace)

    code, line = at_terminal("module", "activate", RN, "--approve", "--dry-run", cwd=workspace)

    assert (code, line["_meta"].get("warnings")) == (0, None)
    assert sealed.get("approved") is None
    assert approval_of(koog) == "needed"


# --- in a sandbox


def test_without_the_state_root_an_approved_module_goes_on_to_speak_and_a_changed_one_does_not(
    koog, workspace, sealed, monkeypatch, tmp_path
):
    bring_in(koog, workspace)
    approve(workspace)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "sandbox"))

    seen, _ = playbook(koog)
    edit(workspace, "patterns.md", lambda t: t + "- one more\n")
    changed, _ = playbook(koog)

    assert (LINE in seen, LINE in changed) == (True, False)


def test_what_a_sandbox_writes_into_the_registry_counts_only_there(koog, workspace, sealed, monkeypatch, tmp_path):
    bring_in(koog, workspace)
    by_hand(workspace)
    path = workspace / "modules/module-registry.json"
    value = json.loads(path.read_text())
    value["modules"][RN]["approvedDigest"] = trust.digest(Run(folder=str(workspace)).workspace, RN)
    path.write_text(json.dumps(value))

    assert LINE not in playbook(koog)[0]


# --- odd files


@pytest.mark.parametrize("manifest", ["{", "[]", '{"\\u0069mportedFrom": null}', None], ids=repr)
def test_a_manifest_that_cannot_be_read_hides_no_import(koog, workspace, sealed, manifest):
    bring_in(koog, workspace)
    by_hand(workspace)
    path = workspace / f"modules/{RN}/manifest.json"
    if manifest is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_text(manifest)

    text, _ = playbook(koog)

    assert LINE not in text
