"""Make an environment in which this checkout runs: koog editable, exact versions from pyproject.toml.

    python set_up.py FOLDER --stamp TEXT [--dev] [--train]

By `uv` where it is on PATH, else by venv and pip. Only the standard library, because
nothing else is there yet. The stamp is written last, so that a set-up which was cut
off starts again. Says little, on stderr; exits 1 with the installer's own words.
"""

from __future__ import annotations

import argparse
import fcntl
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stamp", required=True)
    parser.add_argument("--dev", action="store_true")
    parser.add_argument("--train", action="store_true")
    options = parser.parse_args()
    stamp = options.folder / "koog-stamp"
    # This file is the lock: two first starts at once become one set-up and one wait.
    with Path(__file__).open("rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text("utf-8").strip() == options.stamp:
            return
        sys.stderr.write(f"koog: setting up {options.folder.name}; once, it takes a moment\n")
        try:
            set_up(options.folder, groups=[name for name in ("dev", "train") if getattr(options, name)])
        except subprocess.CalledProcessError as e:
            sys.exit(f"koog: this failed: {' '.join(map(str, e.cmd))}")
        stamp.write_text(f"{options.stamp}\n", "utf-8")


def set_up(folder: Path, *, groups: list[str]) -> None:
    """Make or mend the environment, with these groups of dependencies. Raises CalledProcessError."""
    python = folder / "bin" / "python"
    uv = shutil.which("uv")
    needed = "import sys; assert sys.version_info >= (3, 11)"
    if not works(python, needed if uv else f"{needed}; import pip"):  # uv makes environments without pip
        make(folder, uv)
    pip: list[str | Path] = (
        [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install", "--no-input"]
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    with tempfile.NamedTemporaryFile("w", prefix="koog-pins-", suffix=".txt") as pins:
        pins.write("\n".join(constraints(project)))
        pins.flush()
        named = [each for group in groups for each in project["dependency-groups"][group]]
        # bin/test keeps what Python compiles elsewhere: what pip compiles, for half a minute, nobody would read.
        lazy = ["--no-compile"] if groups and not uv else []
        run(*pip, "-qq", *lazy, "--constraint", pins.name, "--editable", ROOT, *named)


def make(folder: Path, uv: str | None) -> None:
    """Make an empty environment, in place of one that will not do."""
    if uv:
        run(uv, "venv", "--quiet", "--clear", "--no-project", "--python", sys.executable, folder)
    else:
        run(sys.executable, "-m", "venv", "--clear", folder)


def constraints(project: dict[str, Any]) -> list[str]:
    """Return the pinned versions of a pyproject.toml."""
    pins: list[str] = project["tool"]["uv"]["constraint-dependencies"]
    return pins


def works(python: Path, code: str) -> bool:
    """Return whether a Python is there and runs this."""
    try:
        return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def run(*command: str | Path) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


if __name__ == "__main__":
    main()
