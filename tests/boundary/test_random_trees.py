"""Random workspaces, as an agent could leave them: no command changes, tells or runs what lies outside.

KOOG_FUZZ=500 sets how many are tried, each time others; by default a few, always the same. A failure prints what was
planted and what was called, which becomes a row of the tables beside this file where the defect is mended.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from tests.boundary.conftest import copied
from tests.boundary.ground import CALLS, Ground
from tests.boundary.test_links import FILES, FOLDERS
from tests.boundary.test_other_repositories import TEXTS as GITS
from tests.copies import copy

EXAMPLES = int(os.environ.get("KOOG_FUZZ", "0"))
FEW = 12

# What koog and git look for by name: from the tables beside this file, and git's own.
TEXTS = sorted(
    {name for names, _ in FILES.values() for name in names} | {f".git/{n}" for g in GITS.values() for n in g}
)
WRITTEN = (
    *("logs/HEAD", "logs/refs/heads/main", "koog/lock", "koog/behind.json", "koog/behind.json.new", "gc.log"),
    *("info/attributes", "config", "hooks/post-commit", "index", "refs/heads/main"),
)
WHOLE = sorted({name for names, _ in FOLDERS.values() for name in names})
GIT_FOLDERS = (".git/koog", ".git/logs", ".git/objects", ".git/refs", ".git/info", ".git/objects/pack", ".git")
OUTSIDE = ("text.md", "rows.jsonl", "object.json", "empty", "folder", "new", "repo", "repo/.git", "repo/.git/config")
PREFIXES = ("", "./", "memory/../", ".koog/../", "a/./", "//", "../ws/", "memory//", "memory/way/", "memory/gits/")
KEYS = (
    *("filter.x.clean", "filter.x.smudge", "filter.x.process", "core.fsmonitor", "core.sshCommand", "core.pager"),
    *("core.hooksPath", "diff.external", "diff.x.textconv", "gpg.program", "credential.helper", "core.askPass"),
    *("include.path", "core.worktree", "core.attributesFile", "core.excludesFile", "remote.origin.url"),
    *("remote.origin.receivepack", "url.x.insteadOf", "extensions.worktreeConfig", "core.gitProxy", "alias.status"),
)

PATH = st.sampled_from(TEXTS) | st.sampled_from(WRITTEN).map(".git/{}".format) | st.sampled_from((*WHOLE, *GIT_FOLDERS))
TARGET = st.sampled_from(OUTSIDE)
NAMED = st.builds(
    "{}{}".format,
    st.sampled_from(PREFIXES),
    PATH | st.sampled_from(("../outside/empty", "../outside/new", ".GIT/config", "../home/.bashrc")),
)
STEP = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(("append", "replace", "rename", "remove")),
        "path": NAMED,
        "before": st.none(),
        "after": st.none(),
        "at": st.sampled_from((0, 5)),
        "data": st.just(b64encode(b"evil\n").decode()),
        "to": st.just("") | NAMED,
    }
)
PLANT = st.one_of(
    st.tuples(st.just("link"), PATH, TARGET, st.booleans()),
    st.tuples(st.just("hard link"), PATH, st.sampled_from(("empty", "rows.jsonl"))),
    st.tuples(st.just("config"), st.sampled_from(KEYS), st.sampled_from(("program", "text.md", "repo", "config"))),
    st.tuples(st.just("attributes"), st.sampled_from((".gitattributes", ".git/info/attributes"))),
    st.tuples(st.just("journal"), st.lists(STEP, min_size=1, max_size=3)),
    st.tuples(st.just("hook"), st.sampled_from(("pre-commit", "post-commit", "reference-transaction", "pre-push"))),
    st.tuples(st.just("pointer"), st.sampled_from((".git", ".git/commondir", ".git/objects/info/alternates"))),
    st.tuples(st.just("text"), PATH, st.sampled_from(("", "{", "[]", "null\n", "ref: ../../x\n", "a\0b", "é\n" * 9))),
)
CALL = st.sampled_from(list(CALLS)) | st.tuples(st.just("out"), NAMED)
TREE = st.lists(PLANT, min_size=2, max_size=8)


def plant(ground: Ground, what: tuple) -> None:
    """Do one thing that an agent can do to its workspace; what stands in its way by now is left."""
    kind, *rest = what
    if kind == "link":
        path, to, relative = rest
        target = ground.outside / to
        ground.link(path, os.path.relpath(target, (ground.ws / path).parent) if relative else target)
    elif kind == "hard link":
        path, to = rest
        os.link(ground.outside / to, ground.put(path).with_suffix(".new"))
        (ground.ws / path).with_suffix(".new").replace(ground.ws / path)
    elif kind == "config":
        key, to = rest
        if key.startswith("filter"):
            ground.put(".gitattributes", "* filter=x\n")
        value = {"program": ground.program(key, then="exit 1"), "config": "included"}.get(to, str(ground.outside / to))
        ground.put(".git/included", f"[core]\n\tfsmonitor = {ground.program('included', then='exit 1')}\n")
        ground.git("config", "--file", ".git/config", "--add", key, value, check=False)
    elif kind == "attributes":
        ground.put(rest[0], "* filter=x diff=x merge=x\n")
    elif kind == "journal":
        ground.put(".koog/journal.json", json.dumps(rest[0]))
    elif kind == "hook":
        ground.put(f".git/hooks/{rest[0]}", Path(ground.program(f"hook-{rest[0]}")).read_bytes()).chmod(0o755)
    elif kind == "pointer":
        at = ground.outside / "repo/.git"
        text = {".git": f"gitdir: {at}\n", ".git/commondir": f"{at}\n"}.get(rest[0], f"{at / 'objects'}\n")
        ground.put(rest[0], text)
    else:
        ground.put(rest[0], rest[1])


@pytest.fixture(scope="module")
def ticked(template: Ground, tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """Return a workspace with a tick behind it, and another repository."""
    ground = copied(template, tmp_path_factory.mktemp("ticked"))
    (ground.ws / "AGENTS.md").unlink()
    repo = ground.outside / "repo"
    repo.mkdir()
    ground.git("init", "-q", cwd=repo)
    (repo / "text.md").write_text((ground.outside / "text.md").read_text())
    ground.git("add", "-A", cwd=repo)
    ground.git("commit", "-qm", "first", cwd=repo)
    ground.run("log", "index")
    return ground


def made(ticked: Ground, place: Path) -> Ground:
    """Return a copy of it, and two links that paths are named through."""
    ground = copied(ticked, place)
    copy(ticked.outside / "repo", ground.outside / "repo")
    ground.link("memory/way", ground.outside)
    ground.link("memory/gits", "../.git")
    ground.limit_s = 20.0
    return ground


def test_nothing_leaves_a_random_workspace(ticked: Ground, tmp_path: Path) -> None:
    numbers = itertools.count()

    @settings(
        max_examples=EXAMPLES or FEW,
        derandomize=not EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],  # an example is short, and each costs whole commands
        suppress_health_check=list(HealthCheck),
    )
    @given(tree=TREE, calls=st.lists(CALL, min_size=1, max_size=3))
    def attempt(tree: list[tuple], calls: list) -> None:
        place = tmp_path / str(next(numbers))
        place.mkdir()
        ground = made(ticked, place)
        for what in tree:
            note(f"planted {what}")
            try:
                plant(ground, what)
            except (OSError, ValueError) as e:  # through a link planted before, or where a file stands
                note(f"not planted: {e}")
        shutil.rmtree(ground.ran)
        ground.ran.mkdir()
        hard = any(what[0] == "hard link" for what in tree)
        ground.seal()

        for call in ("log", *calls, "status"):
            note(f"called {call}")
            if isinstance(call, tuple):
                ground.koog("compile", "--message", "deploy the metro app", "--out", call[1])
            else:
                ground.run(call)

        if hard:  # what has a name in the workspace is there to be read
            assert ground.changed() == ground.programs_run() == ground.broken() == []
        else:
            ground.assert_kept()
        shutil.rmtree(place)

    attempt()
