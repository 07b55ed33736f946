"""The machine's schedulers: programs that keep what they are told in files of the home folder; never the person's own.

crontab, crontab.calls       the person's crontab, and how often it was written
crontab.broken, .full        cron refuses, with these words; the disk is full
systemctl.calls, .active     what systemctl was told; whether the units run
systemctl.broken             no session of systemd answers
launchctl.calls, loaded/     what launchctl was told; the plists that it has, by their labels
launchctl.broken             no session of launchd answers
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

CRONTAB = """#!/bin/sh
[ -f "$HOME/crontab.broken" ] && { cat "$HOME/crontab.broken" >&2; exit 1; }
case $1 in
    -l) [ -f "$HOME/crontab" ] || { echo "no crontab for me" >&2; exit 1; }; cat "$HOME/crontab"
        [ ! -f "$HOME/crontab.slow" ] || sleep 0.4 ;;
    -) [ -f "$HOME/crontab.full" ] && { echo "No space left" >&2; exit 1; }; cat >"$HOME/crontab"
       echo write >>"$HOME/crontab.calls" ;;
esac
"""
SYSTEMCTL = """#!/bin/sh
[ -f "$HOME/systemctl.broken" ] && { echo "Failed to connect to bus" >&2; exit 1; }
shift
echo "$*" >>"$HOME/systemctl.calls"
case $1 in
    enable) touch "$HOME/systemctl.active" ;;
    disable) rm -f "$HOME/systemctl.active" ;;
    is-active | is-enabled) [ -f "$HOME/systemctl.active" ] ;;
esac
"""
# A job that is told to go is there a moment longer, and nothing of its name is loaded meanwhile.
LAUNCHCTL = """#!/bin/sh
echo "$*" >>"$HOME/launchctl.calls"
[ -f "$HOME/launchctl.broken" ] && { echo "Could not find domain for user" >&2; exit 125; }
mkdir -p "$HOME/loaded"
name=${2##*/}; [ "$1" != bootstrap ] || name=$(basename "$3" .plist)
job=$HOME/loaded/$name
case $1 in
    bootstrap) [ ! -e "$job.leaving" ] || exit 37
        [ ! -e "$job" ] && [ -f "$3" ] || { echo "Bootstrap failed: 5: Input/output error" >&2; exit 5; }
        cp "$3" "$job" ;;
    bootout) [ -e "$job" ] || exit 3; mv "$job" "$job.leaving" ;;
    print) [ ! -e "$job.leaving" ] || { rm "$job.leaving"; exit 0; }; [ -e "$job" ] || exit 113 ;;
esac
"""


def short_folder() -> Iterator[Path]:
    """A folder with a short name: a line of cron is cut off at 1000 bytes, and the runner's own names grow."""
    with TemporaryDirectory(prefix="c-", dir="/tmp") as folder:
        yield Path(folder).resolve()


def put(path: Path, text: str) -> Path:
    """Make a program."""
    path.write_text(text)
    path.chmod(0o755)
    return path


def calls(home: Path, program: str) -> list[str]:
    """Return what a program was told, one line a call."""
    path = home / f"{program}.calls"
    return path.read_text().splitlines() if path.exists() else []
