"""bin/koog: the first start makes an environment, every later one only starts.

The real installers need a network, so a small `uv` stands in; the shell, the lock and the processes are real.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYTHON = Path(sys.executable).resolve()
TOOLS = "sh dirname readlink cksum date cat mkdir ln chmod sleep".split()
# What the installed program does: say what it was called with and what it was given.
PROGRAM = '#!/bin/sh\\necho called with: "$@"\\ncat\\n'
UV = f"""#!/bin/sh
echo "$1" >>"$UV_LOG"
[ "$1" = venv ] || exit 0
for folder; do :; done
mkdir -p "$folder/bin"
sleep 0.3
ln -s {PYTHON} "$folder/bin/python"
printf '{PROGRAM}' >"$folder/bin/koog"
chmod +x "$folder/bin/koog"
"""


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout of the shell alone; on the PATH a few tools, a dead `python3.13` and the `uv` above."""
    folder, tools = tmp_path / "checkout", tmp_path / "tools"
    shutil.copytree(ROOT / "bin", folder / "bin", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    tools.mkdir()
    for name in TOOLS:
        (tools / name).symlink_to(shutil.which(name) or name)
    program(tools / "python3.13", "#!/bin/sh\necho 'command not found' >&2\nexit 127\n")  # a version manager's shim
    (tools / "python3").symlink_to(PYTHON)
    program(tools / "uv", UV)
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setenv("UV_LOG", str(tmp_path / "uv.log"))
    return folder


def program(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def start(checkout: Path, *argv: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [checkout / "bin/koog", *argv]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120, check=False, cwd=cwd)


def uv_calls() -> list[str]:
    log = Path(os.environ["UV_LOG"])
    return log.read_text().split() if log.exists() else []


def test_the_first_start_sets_up_and_hands_over_arguments_and_standard_input(checkout):
    done = start(checkout, "log", "--entry", "-", stdin="an entry\n")

    assert done.stdout == "called with: log --entry -\nan entry\n"
    assert done.returncode == 0
    assert done.stderr.startswith("koog: setting up .venv")
    assert uv_calls() == ["venv", "pip"]


def test_the_second_start_only_starts(checkout):
    start(checkout)

    done = start(checkout, "tick")

    assert (done.stdout, done.stderr) == ("called with: tick\n", "")
    assert uv_calls() == ["venv", "pip"]


def test_a_changed_pyproject_is_installed_into_the_same_environment(checkout):
    start(checkout)
    with (checkout / "pyproject.toml").open("a") as file:
        file.write("# another line\n")

    start(checkout)

    assert uv_calls() == ["venv", "pip", "pip"]


def test_a_checkout_that_was_moved_is_installed_anew(checkout):
    start(checkout)

    moved = checkout.rename(checkout.with_name("moved"))
    start(moved)

    assert uv_calls() == ["venv", "pip", "pip"]


def test_it_runs_from_anywhere_and_through_links(checkout, tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far/absolute").symlink_to(checkout / "bin/koog")
    (tmp_path / "koog").symlink_to("far/absolute")

    done = subprocess.run(
        [tmp_path / "koog", "tick"], cwd=tmp_path / "far", capture_output=True, text=True, input="", check=False
    )

    assert done.stdout == "called with: tick\n"


def test_two_first_starts_at_once_are_one_set_up(checkout):
    both = [
        subprocess.Popen([checkout / "bin/koog", n], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        for n in ("one", "two")
    ]

    said = [each.communicate(timeout=120)[0] for each in both]

    assert said == ["called with: one\n", "called with: two\n"]
    assert uv_calls() == ["venv", "pip"]


def test_without_a_python_that_works_it_says_so_in_one_line(checkout, tmp_path):
    program(tmp_path / "tools/python3", "#!/bin/sh\nexit 1\n")

    done = start(checkout, "tick")

    line = json.loads(done.stdout)
    assert done.returncode == 3
    assert (line["ok"], line["error"]["code"]) == (False, "config")
    assert "Python 3.11" in line["error"]["hint"]
    assert line["_meta"]["schema"] == "koog.error/1"
    assert len(done.stdout.splitlines()) == len(done.stderr.splitlines()) == 1


def test_a_set_up_that_fails_is_one_line_and_is_tried_again(checkout, tmp_path):
    program(tmp_path / "tools/uv", "#!/bin/sh\necho no network >&2\nexit 2\n")

    done = start(checkout, "tick")

    assert done.returncode == 3
    assert len(done.stdout.splitlines()) == 1
    assert json.loads(done.stdout)["error"]["code"] == "config"
    assert "no network" in done.stderr

    program(tmp_path / "tools/uv", UV)

    assert start(checkout, "tick").stdout == "called with: tick\n"
