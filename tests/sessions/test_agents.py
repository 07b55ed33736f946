"""OpenClaw's agents and the folders they work in, as src/agents/agent-scope-config.ts in openclaw/openclaw has them."""

from __future__ import annotations

import pytest

from koog.sessions import agents

SHARED = {"workspace": "/srv/shared"}
CASES = {
    "nothing": ({}, {"main": "STATE/workspace"}),
    "no object": ([1], {"main": "STATE/workspace"}),
    "defaults": ({"agents": {"defaults": SHARED}}, {"main": "/srv/shared"}),
    "entries": ({"agents": {"entries": {"Ops": {"workspace": "/srv/ops"}}}}, {"ops": "/srv/ops"}),
    "a list": ({"agents": {"list": [{"id": "ops", "workspace": "/srv/ops"}]}}, {"ops": "/srv/ops"}),
    "the default is named": (
        {"agents": {"entries": {"ops": {}, "main": {"default": True}}}},
        {"main": "STATE/workspace", "ops": "STATE/workspace-ops"},
    ),
    "others below the defaults": (
        {"agents": {"defaults": SHARED, "entries": {"main": {}, "ops": {}}}},
        {"main": "/srv/shared", "ops": "/srv/shared/ops"},
    ),
    "no texts": (
        {"agents": {"defaults": {"workspace": 7}, "entries": {"main": {"workspace": " "}, "ops": None}}},
        {"main": "STATE/workspace", "ops": "STATE/workspace-ops"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_agent_works_in_its_own_folder_the_default_one_first(case, tmp_path):
    value, wanted = CASES[case]

    found = agents.of_config(value, state=tmp_path)

    assert list(found.items()) == [(name, path.replace("STATE", str(tmp_path))) for name, path in wanted.items()]


@pytest.mark.parametrize(("text", "value"), [(b"{a: 1,}", {"a": 1}), (b"// x\n{}", {}), (b"", {}), (b"!", None)])
def test_a_persons_json_is_read_and_what_is_none_is_none(text, value):
    assert agents.parsed(text) == value
