"""Registry, manifests, the stack and the effective playbook."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from koog.core.errors import UsageError
from koog.playbook import registry, stack
from koog.playbook.stack import Layer


@pytest.mark.parametrize("module_id", ["a", "rn", "react-native-dev", "x2", "a" * 64])
def test_an_id_of_lower_case_words_is_taken(module_id):
    assert registry.check_id(module_id) == module_id


@pytest.mark.parametrize(
    "module_id", ["", ".", "..", "../x", "a/b", "A", "a_b", "-a", "a-", "a\n", "a\0", "a b", "a" * 65, "ä"]
)
def test_an_id_that_could_lead_out_of_the_folder_is_refused(module_id):
    with pytest.raises(UsageError):
        registry.check_id(module_id)


def test_the_stack_runs_from_the_highest_priority_down_and_by_id_among_equals():
    modules = {
        "b": {"status": "active", "priority": 50},
        "a": {"status": "active", "priority": 50},
        "top": {"status": "active", "priority": 90},
        "base": {"status": "active", "priority": 0},
        "off": {"status": "suspended", "priority": 99},
        "gone": {"status": "disabled", "priority": 99},
    }

    found = registry.active({"modules": modules})

    assert found == [("top", 90), ("a", 50), ("b", 50), ("base", 0)]


def test_a_malformed_registry_names_the_file_and_the_place(koog, workspace):
    (workspace / "modules/module-registry.json").write_text('{"version": 1, "modules": {"a": {"status": "on"}}}')

    code, line = koog("module", "stack")

    assert code == 8
    assert "modules/module-registry.json" in line["error"]["message"]
    assert "modules.a" in line["error"]["message"]


def test_a_manifest_whose_id_is_not_its_folder_is_refused(koog, workspace):
    path = workspace / "modules/react-native-dev/manifest.json"
    path.write_text(path.read_text().replace('"react-native-dev"', '"other"', 1))

    code, line = koog("module", "info", "react-native-dev")

    assert code == 8
    assert "other" in line["error"]["message"]


@pytest.mark.parametrize(
    ("text", "hit"),
    [
        ("Metro stopped with ENOSPC", True),
        ("the metronome", False),
        ("changed src/screens/Home.tsx", True),
        ("changed src/screens/home.ts", False),
        ("nothing of the kind", False),
    ],
)
def test_a_module_is_triggered_by_whole_keywords_and_by_file_names(text, hit):
    manifest = {"triggers": {"keywords": ["metro"], "filePatterns": ["*.tsx"]}}

    assert registry.triggered(manifest, text) is hit


def test_the_effective_playbook_has_the_seeds_form():
    layers = [Layer("rn", 80, "# RN\n- metro", "say which screen\n"), Layer("base", 0, "- base\n")]

    text = stack.merge(layers, "- own line")

    assert text == (
        "<!-- module-stack: rn(80), base(0) -->\n"
        "<!-- module: rn (priority 80) -->\n# RN\n- metro\n"
        "<!-- guidance: rn -->\nsay which screen\n"
        "<!-- module: base (priority 0) -->\n- base\n"
        "<!-- base-playbook -->\n- own line\n"
    )


def test_a_stale_effective_file_never_wins_over_a_newer_base(koog, workspace: Path):
    koog("playbook", "build")
    (workspace / "memory/sinain-playbook.md").write_text("- brand new line\n")

    _, shown = koog("playbook", "show", "--effective")
    _, built = koog("playbook", "build")
    _, again = koog("playbook", "build")

    assert "brand new line" in shown["text"]
    assert built["changed"] is True
    assert again["changed"] is False
    assert "brand new line" in (workspace / "memory/sinain-playbook-effective.md").read_text()


def test_a_priority_of_zero_is_a_number(koog, workspace):
    registry_file = workspace / "modules/module-registry.json"
    manifest_file = workspace / "modules/react-native-dev/manifest.json"
    manifest = json.loads(manifest_file.read_text())
    manifest["priority"] = {"default": 80, "range": [0, 100]}
    manifest_file.write_text(json.dumps(manifest))

    code, line = koog("module", "activate", "react-native-dev", "--priority", "0")

    assert (code, line["priority"]) == (0, 0)
    assert json.loads(registry_file.read_text())["modules"]["react-native-dev"]["priority"] == 0


@pytest.mark.parametrize("text", ["y" * 300_000, "a.b." * 75_000, "." * 300_000, "/-" * 150_000])
def test_triggers_are_looked_for_in_linear_time(text):
    began = time.process_time()

    registry.triggered({"triggers": {"keywords": ["metro"], "filePatterns": ["*.tsx"]}}, text)

    assert time.process_time() - began < 10  # a quadratic search takes minutes, under the write lock
