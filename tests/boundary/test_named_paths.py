"""Paths that a call or the workspace's own config names: `--out`, `--history`, `paths.*` and what is protected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.boundary.ground import Ground
from tests.boundary.test_journal import guarded

OUTS = {
    "a hook": "./.git/hooks/post-commit",
    "a hook by a folder": "memory/../.git/hooks/post-commit",
    "a hook, absolute": "{ws}/.git/hooks/post-commit",
    "git's config": ".git/config",
    "git's config in capitals": ".GIT/new",
    "another repository's": "knowledge/.git/config",
    "the private folder": ".koog/x",
    "the private folder by dots": "./.koog/../.koog/x",
    "above": "../outside/new.md",
    "above by a folder": "memory/../../outside/new.md",
    "absolute": "{outside}/new.md",
    "a link to a file": "memory/file.md",
    "a link to a folder": "memory/way/new.md",
    "a link to nothing": "memory/free.md",
    "a link to git": "memory/gits/hooks/post-commit",
    "home": "~/new.md",
    "a NUL": "memory/a\0b.md",
}


def test_out_writes_into_the_workspace_only(ground: Ground) -> None:
    ground.link("memory/file.md", ground.outside / "empty")
    ground.link("memory/free.md", ground.outside / "new.md")
    ground.link("memory/way", ground.outside)
    ground.link("memory/gits", "../.git")
    ground.put("knowledge/.git/config", "[core]\n")
    before = guarded(ground)

    bad = {}
    for place, path in OUTS.items():
        out = path.format(ws=ground.ws, outside=ground.outside)
        called = ground.koog("module", "export", "base-behaviors", "--out", out)
        if called.code == 0 and place != "home":  # a folder called ~ is one of the workspace
            bad[place] = called.out[:200]
    for place in ("a hook", "a link to git", "another repository's", "above", "a link to a file"):
        called = ground.koog("compile", "--message", "deploy", "--out", OUTS[place])
        if called.code == 0:
            bad[f"{place} by compile"] = called.out[:200]

    assert bad == {}
    assert guarded(ground) == before
    assert not (ground.ws / ".koog/x").exists()
    assert not (ground.ws / ".GIT").exists()
    assert (ground.ws / "knowledge/.git/config").read_text() == "[core]\n"
    ground.assert_kept()


def test_a_module_of_no_such_name_is_no_way_out(ground: Ground) -> None:
    for name in ("../../outside", "..", "a/../../x", str(ground.outside), "x\n", ".git"):
        for verb in ("info", "activate", "suspend", "export", "guidance"):
            assert ground.koog("module", verb, name).code != 0
    bundle = {"id": "../../outside/new"}
    assert ground.koog("module", "import", "-", stdin=json.dumps(bundle).encode()).code != 0

    ground.assert_kept()


# --- the workspace's own config


PROTECTED: dict[str, Any] = {
    "git.push": True,
    "git.remote": "evil",
    "git.trustLocalConfig": True,
    "git.backup": "all",
    "approval": "relayed",
    "provider.baseUrl": "http://127.0.0.1:9/v1",
    "budget.usdPerDay": 1000,
    "paths.raw": "../outside",
    "workspaces.abc.git.push": True,
}


def configure(ground: Ground, key: str, value: Any) -> None:
    """Set one key in the workspace's own config, as the agent may."""
    *parents, last = key.split(".")
    layer: dict[str, Any] = {last: value}
    for name in reversed(parents):
        layer = {name: layer}
    ground.put("koog-config.json", json.dumps(layer))


def test_what_the_operator_alone_decides_is_ignored_with_a_warning(ground: Ground) -> None:
    wrong = {}
    for key, value in PROTECTED.items():
        configure(ground, key, value)
        called = ground.run("log")["log"]
        if called.code or key.removesuffix(".abc.git.push") not in called.warned:
            wrong[key] = called.said or "no warning"

    assert wrong == {}
    ground.assert_kept()


def outside_raw(ground: Ground) -> Path:
    raw = ground.place / "other"
    (raw / "conversations").mkdir(parents=True)
    for name in ("text.md", "folder"):
        (raw / "conversations" / name).symlink_to(ground.outside / name)
    text = (ground.outside / "text.md").read_text()
    for name in ("2026-02-20-a.md", "2026-02-21-b.md"):
        (raw / "conversations" / name).write_text(text)
        (raw / name).write_text(text)
    return raw


def test_transcripts_are_not_read_from_where_the_workspace_says(ground: Ground) -> None:
    raw = outside_raw(ground)
    ground.link("memory/way", raw)
    ground.seal()
    for spelt in ("../other", str(raw), "memory/../../other", "memory/way"):
        configure(ground, "paths.raw", spelt)
        ground.run("search")
    ground.run("compile")

    ground.assert_kept()


def test_transcripts_are_read_from_where_the_operator_says(ground: Ground) -> None:
    raw = ground.place / "said"
    (raw / "conversations").mkdir(parents=True)
    (raw / "conversations/2026-02-20-a.md").write_text("# Talk\n\nThe zeppelin service is owned by Ines.\n")
    ground.operator("paths.raw", str(raw))

    found = ground.koog("search", "zeppelin service owner")

    assert "raw/conversations/2026-02-20-a.md" in found.out


def test_an_operators_file_inside_the_workspace_is_the_agents(ground: Ground) -> None:
    """XDG_CONFIG_HOME may point into the workspace, as in a container with one volume."""
    ground.put("config/koog/config.json", json.dumps({"git": {"push": True}, "paths": {"raw": "../outside"}}))

    called = ground.koog("status", XDG_CONFIG_HOME=str(ground.ws / "config"))

    assert "git.push" in called.warned
    assert "paths.raw" in called.warned
    ground.assert_kept()
