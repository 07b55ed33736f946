"""The lines that cron runs: the shell before koog writes nowhere in the workspace, where the agent lays links."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.boundary.ground import Ground
from tests.fakes.schedulers import short_folder

CRONTAB = """#!/bin/sh
case $1 in
    -l) [ -f "$HOME/crontab" ] || { echo "no crontab for me" >&2; exit 1; }; cat "$HOME/crontab" ;;
    -) cat >"$HOME/crontab" ;;
esac
"""
# A koog that is broken, and says what the agent may choose: the name of a file, a line of a text.
BROKEN = "#!/bin/sh\necho 'touch \"$HOME/owned\"' >&2\nhead -c 70000 /dev/zero | tr '\\0' '\\n' >&2\nexit 3\n"


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    yield from short_folder()


@pytest.fixture
def installed(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> Ground:
    """A workspace with a schedule in a crontab; its koog breaks down in the shell's hands."""
    programs = ground.place / "bin"
    for name, text in (("crontab", CRONTAB), ("koog", BROKEN)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    ground.started_as = str(programs / "koog")
    called = ground.koog("cron", "install")
    assert called.code == 0, called.out
    ground.seal()
    return ground


def lines(ground: Ground) -> list[str]:
    """Return the commands of the crontab's lines, as the shell gets them."""
    text = (ground.home / "crontab").read_text()
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [re.sub(r"^(@reboot sleep \d+; |@\w+ |(\S+ ){5})", "", row).replace("\\%", "%") for row in rows]


def run_all(ground: Ground) -> str:
    said = ""
    env = {"HOME": str(ground.home), "LOGNAME": "me", "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin"}
    for command in lines(ground):
        done = subprocess.run(
            ["/bin/sh", "-c", command], env=env, cwd=ground.home, capture_output=True, text=True, timeout=60
        )
        said += done.stdout + done.stderr
    return said


def test_the_line_names_no_file_of_the_workspace_to_write(installed: Ground) -> None:
    for line in lines(installed):
        command = line.replace('"$L"', re.findall(r"L=(\S+?);", line)[0])
        targets = re.findall(r">>?\s*([^\s;&|}]+)", command)
        absolute = [t.strip("'\"") for t in targets if t not in ("/dev/null", "&1", "&2", "1", "2")]
        inside = [t for t in absolute if not t.startswith("/") or Path(t).is_relative_to(installed.ws)]
        assert inside == [], command
        assert not re.search(r"\b(mkdir|mv|cp|touch|tee)\b[^;&|]*(\.koog|\bws\b)", command), command


@pytest.mark.parametrize("name", [".koog/cron.err", ".koog/cron.err.1", ".koog", "cron.err"])
def test_what_the_shell_says_goes_through_no_link(name: str, installed: Ground) -> None:
    to = installed.home / ".bashrc" if name != ".koog" else installed.outside / "folder"
    installed.link(name, to)
    if name == ".koog":
        (installed.outside / "folder/cron.err").symlink_to(installed.home / ".bashrc")
    if name.endswith(".1"):
        installed.put(".koog/cron.err", "x" * 70_000)
    installed.seal()

    run_all(installed)
    said = run_all(installed)

    installed.assert_kept()
    assert "canary" not in said


def test_what_the_shell_says_is_kept_for_status(installed: Ground) -> None:
    run_all(installed)

    called = installed.koog("status")

    assert "owned" in called.out


def test_no_folder_is_made_again_that_is_gone(installed: Ground) -> None:
    shutil.rmtree(installed.ws)

    run_all(installed)

    assert not installed.ws.exists()
