"""What every test stands on: a workspace of its own, koog as a call, a model that is a real server."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from koog.cli import main
from koog.core import operator, schema
from koog.core.files import state_root
from koog.core.files.state_root import StateRoot
from tests import copies, warm
from tests.copies import copy_repository
from tests.fakes.model import FakeModel

ROOT = Path(__file__).resolve().parent.parent
CLOSED = "http://127.0.0.1:1/v1"  # nothing listens there: a test that forgets the fake model fails at once

PATIENT_S = 100.0  # for a hook that a busy machine may keep waiting: one that takes its time answers nothing then

Koog = Callable[..., tuple[int, dict[str, Any]]]

# A property takes the same examples in every run, so that a red one is the change's own doing and not the find of a
# day. New ones are for whoever asks, also by asking for many. How long an example takes is the machine's affair.
NEW_EXAMPLES = os.environ.get("KOOG_EXAMPLES") == "new" or "KOOG_FUZZ" in os.environ
MOMENTS = 6
FEW = 15  # more of the same every day find nothing new; whoever asks for new ones has a hundred
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", CALM, max_examples=FEW, derandomize=True, database=None)
settings.register_profile("new", CALM, derandomize=False, print_blob=True)
settings.load_profile("new" if NEW_EXAMPLES else "same")


def examples(usual: int) -> int:
    """Return how many a property takes that wants another number than the rest: as many for whoever asks only."""
    return usual if NEW_EXAMPLES else min(usual, FEW)


def moments(count: int, most: int = MOMENTS) -> list[int]:
    """Return the moments of `count` at which a command is stopped: each for whoever asks for new examples, else some.

    They lie evenly, with the first and the last among them: the same in every run.
    """
    if NEW_EXAMPLES or count <= most:
        return list(range(1, count + 1))
    if most == 1:
        return [1]
    return sorted({1 + round(n * (count - 1) / (most - 1)) for n in range(most)})


LONG = pytest.mark.skipif(not NEW_EXAMPLES, reason="a long round: KOOG_EXAMPLES=new takes it")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "wide(most): of a table's rows so many are tried, unless somebody asks for all")


@pytest.hookimpl(trylast=True)  # of what was asked for by -k
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if rows := rows_left_out(items):
        config.hook.pytest_deselected(items=[*rows])
        items[:] = [item for item in items if item not in rows]


def rows_left_out(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return which rows of the tables of tests that are `wide` are not tried: none for whoever asks for new examples.

    Those that are lie evenly, with the first and the last among them: the same in every run.
    """
    tables: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("wide"):
            tables.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out: set[pytest.Item] = set()
    for rows in tables.values():
        mark = rows[0].get_closest_marker("wide")
        taken = moments(len(rows), *(mark.args if mark else ()))
        left_out |= {row for number, row in enumerate(rows, 1) if number not in taken}
    return left_out


def pytest_collection_finish() -> None:
    """Let no collection of garbage look through the thousands of tests that were collected, nor come too often."""
    gc.freeze()
    gc.set_threshold(50_000)  # as koog has it in a process of its own


@pytest.fixture(scope="module")
def folder_of_module(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder for those of a module's tests; it stays where one of them has failed.

    It goes at once: what is young costs the disk nothing, and half a million files at the end of a later run, as
    pytest does it, take minutes.
    """
    folder = tmp_path_factory.mktemp("m")
    failed = request.session.testsfailed
    yield folder
    if request.session.testsfailed == failed and not request.session.shouldstop:
        copies.remove(folder)


def pytest_sessionfinish() -> None:
    copies.all_removed()


@pytest.fixture
def tmp_path(folder_of_module: Path, request: pytest.FixtureRequest) -> Path:
    """A folder of the test's own, as pytest gives one; it looks through all there are to find a free name."""
    path = folder_of_module / f"{re.sub(r'[^A-Za-z0-9_]', '_', request.node.name)[:30]}{next(NUMBERS)}"
    path.mkdir(mode=0o700)
    return path


NUMBERS = count()


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep a test away from the person's config, keys, git settings and any network."""
    return at_home(tmp_path / "home", monkeypatch)


def at_home(home: Path, patch: pytest.MonkeyPatch) -> Path:
    """Make a home where nothing is set, and let the environment name it.

    What koog keeps for the life of its process, and what a killed one leaves, lies in a temporary folder of the test's
    own: in one for all, every koog would look through what thousands have left.
    """
    home.mkdir()
    temporary = home.parent.with_name(f"{home.parent.name}-temporary")  # beside what a test may look at whole
    temporary.mkdir()
    for name in [n for n in os.environ if n.startswith(("KOOG_", "GIT_", "OPENROUTER_", "OPENCLAW_"))]:
        patch.delenv(name)
    patch.setenv("HOME", str(home))
    patch.setenv("TMPDIR", str(temporary))
    patch.setattr(tempfile, "tempdir", None)  # what this process has found before
    patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    patch.setenv("XDG_STATE_HOME", str(home / "state"))
    patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    patch.setenv("KOOG_PROVIDER_BASE_URL", CLOSED)
    patch.setenv("PYTHONPATH", str(ROOT))
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n"
    )
    return home


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a workspace that is empty and one with the demo's month: what `workspace` and `sample` copy."""
    place = tmp_path_factory.mktemp("templates")
    with pytest.MonkeyPatch.context() as patch:
        at_home(place / "home", patch)
        made = {"empty": empty(place / "empty"), "sample": month(empty(place / "sample"))}
        for folder in made.values():
            git(folder, "repack", "-adnq")  # one file to copy in place of fifty
        return made


def empty(folder: Path) -> Path:
    """Make an empty koog workspace under git."""
    (folder / "memory").mkdir(parents=True)
    (folder / ".koog").mkdir()
    (folder / ".koog/.gitignore").write_text("*\n")
    shutil.copytree(ROOT / "modules", folder / "modules")
    git(folder, "init", "-q", "-b", "main")
    for example in (folder / ".git/hooks").glob("*.sample"):
        example.unlink()
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "start")
    return folder


def month(folder: Path) -> Path:
    """Put the demo's month of notes, logs and playbook into a workspace, committed."""
    shutil.copytree(ROOT / "koog/operate/sample", folder, dirs_exist_ok=True)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "a month")
    return folder


@pytest.fixture
def workspace(
    tmp_path: Path, templates: dict[str, Path], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    """An empty koog workspace under git, which is also the current folder; with the month where a test has `sample`."""
    folder = tmp_path / "ws"
    copy_repository(templates["sample" if "sample" in request.fixturenames else "empty"], folder)
    monkeypatch.chdir(folder)
    return folder


def registered(folder: Path, **keys: Any) -> Path:
    """Give a workspace its entry in the operator's file and its state root, as `koog init` does; return that.

    keys   of the entry, `git_backup="all"` for git.backup
    """
    made = state_root.make(operator.register(folder)).path
    for name, value in keys.items():
        operator.remember(folder, name.replace("_", "."), value)
    return made


@pytest.fixture
def sealed(workspace: Path) -> StateRoot:
    """The state root of a workspace that `koog init` has registered."""
    return state_root.make(operator.register(workspace))


@pytest.fixture
def sample(workspace: Path) -> Path:
    """The demo's month of notes, logs and playbook, committed."""
    assert (workspace / "memory/sinain-playbook.md").exists()
    return workspace


@pytest.fixture
def koog(workspace: Path, capsys: pytest.CaptureFixture[str]) -> Koog:
    """Run one command in this process; insist on one line of ASCII JSON that fits its published schema."""

    def run(*argv: str) -> tuple[int, dict[str, Any]]:
        capsys.readouterr()
        code = main(list(argv))
        out = capsys.readouterr().out
        assert out.isascii() and out.endswith("\n") and len(out.splitlines()) == 1, out
        line = json.loads(out)
        assert line["ok"] is (code == 0)
        if line["ok"]:
            assert fits(line) is None
        return code, line

    return run


@pytest.fixture
def llm(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModel]:
    """A model that says what it is told; koog takes it because it needs no key."""
    with FakeModel() as model:
        monkeypatch.setenv("KOOG_PROVIDER_BASE_URL", model.url)
        monkeypatch.setenv("KOOG_PROVIDER_API_KEY_ENV", "null")
        yield model


def fits(line: dict[str, Any]) -> str | None:
    """Return what is wrong with a successful line by its command's published reply schema, None when nothing is."""
    name = line["_meta"]["schema"]
    command = name.removeprefix("koog.").rsplit("/", 1)[0]
    path, definition = REPLY_SCHEMAS[command]
    reply = {k: v for k, v in line.items() if k not in ("ok", "_meta")}
    return schema.problem(reply, schema.definition(path, definition))


def reply_schemas() -> dict[str, tuple[Path, str]]:
    """Return command → (schema file, definition): `signal` is `reply`, `module.stack` is `reply.stack`."""
    found: dict[str, tuple[Path, str]] = {}
    for path in sorted((ROOT / "koog").glob("*/*.schema.json")):
        value = json.loads(path.read_text("utf-8"))
        verb = value["$id"].removeprefix("koog.").rsplit("/", 1)[0]
        for name in value["$defs"]:
            if name == "reply":
                found[verb] = (path, name)
            elif name.startswith("reply."):
                found[f"{verb}.{name.removeprefix('reply.')}"] = (path, name)
    return found


REPLY_SCHEMAS = reply_schemas()


def git(folder: Path, *args: str) -> str:
    """Run git and return what it printed, stripped."""
    done = subprocess.run(["git", "-C", str(folder), *args], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def process(*argv: str, cwd: Path, stdin: str | None = None, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run koog as a process of its own."""
    done = warm.run(*argv, cwd=cwd, stdin=(stdin or "").encode(), timeout=timeout)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def hooked(event: str, *options: str, given: Any, cwd: Path, **env: str) -> str:
    """Call a hook as a host does, one that may take its time; return what it answers."""
    process = warm.Process("hook", event, *options, cwd=cwd, hook_s=PATIENT_S, **env)
    out, err = process.communicate(json.dumps(given).encode(), timeout=120)
    assert process.returncode == 0, err
    return out.decode()
