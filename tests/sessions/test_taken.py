"""Which sessions a workspace takes, and who of two takes one."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.run import Run
from koog.sessions import place, taken
from koog.sessions.place import Place
from koog.sessions.taken import Taking, fits_group
from koog.sessions.turn import Session
from tests.conftest import git, registered

WHEN = datetime(2026, 2, 28, tzinfo=UTC)
HARBOR, QUARRY = Place("/srv/work/harbor", folder="/srv/work/harbor/src"), Place("/srv/work/quarry")
MAIN, OPS = place.of("openclaw", key="agent:main:main"), place.of("openclaw", key="agent:ops:main")
GROUP = place.of("openclaw", key="agent:main:telegram:group:-100:topic:7")
OWN = Place("/srv/mind")
ALL = ("openclaw", "claude", "codex")


def session(at: Place) -> Session:
    host = "openclaw" if at.project.startswith("openclaw/") else "claude"
    return Session(host, "s", f"{host}/s", "main", "/nowhere/s.jsonl", WHEN, at)


def mind(**keys: Any) -> Taking:
    return Taking(own=frozenset({"/srv/mind", "openclaw/main"}), **keys)


def takes(taking: Taking) -> set[str]:
    named = {"own": OWN, "harbor": HARBOR, "quarry": QUARRY, "main": MAIN, "ops": OPS, "group": GROUP}
    return {name for name, at in named.items() if taking.takes(session(at))}


@pytest.mark.parametrize(
    ("taking", "wanted"),
    [
        (mind(), {"own", "main"}),
        (mind(sources=("claude",)), {"own", "main", "harbor", "quarry"}),
        (mind(sources=ALL), {"own", "main", "harbor", "quarry", "ops"}),
        (mind(sources=ALL, include=("/srv/work/harbor",)), {"own", "main", "harbor", "ops"}),
        (mind(sources=ALL, include=("/srv/work/*/src",)), {"own", "main", "harbor", "ops"}),
        (mind(sources=ALL, include=("openclaw/main",)), {"own", "main", "harbor", "quarry"}),
        (mind(sources=ALL, include=("openclaw/O*", "/nowhere")), {"own", "main", "ops"}),
        (mind(sources=ALL, exclude=("/srv/work/**",)), {"own", "main", "ops"}),
        (mind(sources=ALL, include=("/srv/work/quarry",), exclude=("**/quarry",)), {"own", "main", "ops"}),
        (mind(sources=ALL, exclude=("/srv/mind", "openclaw/*")), {"harbor", "quarry"}),
        (mind(groups=("telegram:*",)), {"own", "main", "group"}),
        (mind(groups=("agent:main:telegram:group:-100",)), {"own", "main", "group"}),
        (mind(groups=("discord:*",)), {"own", "main"}),
        (mind(sources=("/mnt/disk",)), {"own", "main", "harbor", "quarry", "ops"}),
    ],
)
def test_what_is_taken(taking, wanted):
    assert takes(taking) == wanted


def test_a_named_store_is_read_whatever_other_workspaces_take_but_for_what_is_excluded():
    other = Taking(own=frozenset({"/srv/other"}), sources=ALL)
    alone = mind(before=(other,), exclude=("**/quarry",), groups=("telegram:*",))

    assert not alone.takes(session(HARBOR))
    assert alone.may_read(HARBOR) and alone.may_read(GROUP) and not alone.may_read(QUARRY)
    assert not mind(include=("/srv/work/quarry",)).may_read(HARBOR)
    assert not mind().may_read(GROUP)


@pytest.mark.parametrize(
    ("pattern", "group", "does"),
    [
        ("*", "telegram:group:-100", True),
        ("telegram:*", "telegram:group:-100", True),
        ("telegram:group:-100", "telegram:group:-100", True),
        ("agent:main:telegram:group:-100:topic:7", "telegram:group:-100", True),
        ("Telegram:Group:-100", "telegram:group:-100", True),
        ("telegram:group:-1", "telegram:group:-100", False),
        ("telegram", "telegram:group:-100", False),
        ("matrix:room:*", "matrix:room:!a/b", True),
        ("", "telegram:group:-100", False),
    ],
)
def test_a_group_is_named_by_its_name_or_by_a_key(pattern, group, does):
    assert fits_group(pattern, group) is does


@pytest.mark.parametrize(("agent", "does"), [("ops", True), ("main", False)])
def test_a_key_names_the_group_of_one_agent(agent, does):
    assert fits_group("agent:ops:*", "telegram:group:-100", project=f"openclaw/{agent}") is does
    assert fits_group("agent:ops:telegram:group:-100", "telegram:group:-100", project=f"openclaw/{agent}") is does


# --- two workspaces

PATTERNS = st.lists(
    st.sampled_from(["/srv/work/*", "/srv/work/harbor", "/srv/**", "openclaw/*", "openclaw/ops"]), max_size=2
).map(tuple)
TAKINGS = st.builds(
    Taking,
    own=st.sampled_from([frozenset({"/srv/mind", "openclaw/main"}), frozenset({"/srv/other", "openclaw/ops"})]),
    sources=st.lists(st.sampled_from(ALL), max_size=3, unique=True).map(tuple),
    include=PATTERNS,
    exclude=PATTERNS,
)


@given(first=TAKINGS, second=TAKINGS, at=st.sampled_from([OWN, HARBOR, QUARRY, MAIN, OPS, Place(place.UNKNOWN)]))
def test_a_session_is_taken_by_all_that_name_it_else_by_the_first_that_takes_its_host(first, second, at):
    one = Taking(first.own, first.sources, first.include, first.exclude, behind=(second,))
    two = Taking(second.own, second.sources, second.include, second.exclude, before=(first,))
    said = session(at)

    for this in (one, two):
        if this.excludes(at):
            assert not this.takes(said)
        elif this.names(at):
            assert this.takes(said)
    if not first.names(at) and not second.names(at):
        assert not (one.takes(said) and two.takes(said))
        assert not two.takes(said) or at.project not in first.own
    if first.names(at) != second.names(at):
        assert [one.takes(said), two.takes(said)] == [first.names(at), second.names(at)]


@pytest.fixture
def two(workspace: Path, alone: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Two workspaces in the operator's file, the first of them first, and three projects with a session each."""
    place.project.cache_clear()
    other = tmp_path / "other"
    (other / "memory").mkdir(parents=True)
    (other / ".koog").mkdir()
    for n, folder in enumerate((workspace, other, alone / "work/harbor", alone / "work/quarry")):
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "-q")
        path = alone / f".claude/projects/p{n}/s{n}.jsonl"
        path.parent.mkdir(parents=True)
        row = {"type": "user", "uuid": "u", "cwd": str(folder), "timestamp": "2026-02-28T09:00:00Z"}
        path.write_text(json.dumps({**row, "message": {"role": "user", "content": "hello"}}) + "\n")
    return workspace, other


def read(ws: Path, source: str = taken.AUTO) -> list[str]:
    return sorted(s.id for _, s in taken.sessions(Run(folder=str(ws)), source))


def test_two_workspaces_do_not_both_take_what_neither_names(two):
    first, second = two
    registered(first, observe_sources=["claude"])
    registered(second, observe_sources=["claude"])

    assert read(first) == ["s0", "s2", "s3"]
    assert read(second) == ["s1"]
    assert read(second, "claude") == ["s0", "s1", "s2", "s3"]


def test_both_take_what_both_name_and_an_include_goes_before_the_order(two):
    first, second = two
    registered(first, observe_sources=["claude"])
    registered(second, observe_sources=["claude"], observe_projects_include=["~/work/harbor"])
    assert (read(first), read(second)) == (["s0", "s3"], ["s1", "s2"])

    registered(first, observe_projects_include=["~/work/*"])

    assert (read(first), read(second)) == (["s0", "s2", "s3"], ["s1", "s2"])


def test_a_workspace_without_sources_takes_its_own_folders_sessions_alone(two):
    first, second = two
    registered(first)

    assert (read(first), read(second)) == (["s0"], ["s1"])


def test_the_workspaces_own_config_file_has_no_say(two):
    first, _ = two
    (first / "koog-config.json").write_text(json.dumps({"observe": {"sources": ["claude"]}}))
    run = Run(folder=str(first))

    assert [s.id for _, s in taken.sessions(run)] == ["s0"]
    assert any("observe.sources" in warning for warning in run.warnings)


def test_a_source_of_the_config_that_is_not_here_is_left_out(two):
    first, _ = two
    registered(first, observe_sources=["codex", "/mnt/nowhere", f"{os.environ['HOME']}/.claude/projects/p2"])

    assert read(first) == ["s2"]
