"""A person's crontab, in which each workspace has one block of its own between two comment lines.

    # >>> koog /srv/agent
    # every 30m: /srv/.local/bin/koog tick
    @reboot sleep 60; cd /srv/agent && …
    */30 * * * * cd /srv/agent && …
    # and every 15m: /srv/.local/bin/koog observe
    12-59/15 * * * * cd /srv/agent && …
    # and every 1h: /srv/.local/bin/koog extract --scheduled
    47 * * * * cd /srv/agent && …
    # and at 0 23 * * *: /srv/.local/bin/koog condense monthly
    0 23 * * * cd /srv/agent && …
    # and at 0 0 * * 0: /srv/.local/bin/koog prune
    0 0 * * 0 cd /srv/agent && …
    # <<< koog /srv/agent

cron itself does not catch up on what it missed while the machine was off; the
`@reboot` line does, once; `observe` goes on from its cursor in any case. All other lines
are the person's and stay as they are, byte for byte. Texts here hold bytes that are not
UTF-8 as surrogates.
"""

from __future__ import annotations

import re
import shlex

from koog.core.errors import NotFound, UsageError, WorkspaceError
from koog.core.files.workspace import Workspace
from koog.core.machine import hint
from koog.operate.job import EXTRACT, EXTRACT_AT, EXTRACT_MINUTES, OBSERVE_AT, OBSERVE_MINUTES, Job, check, period

BEGIN, END = "# >>> koog ", "# <<< koog "
ERRORS_NAME = "cron.err"
TOLD_CHARS = 300  # of one line of it
BOOT_SECONDS = 60  # for network and disks to be there
COMMAND_CHARS = 990  # Vixie cron cuts off at 1000, and a line cut off is a different command
BUSY = 9
SHELLS = ("sh", "ash", "bash", "dash", "ksh", "mksh", "zsh")
# Before a run, so that it holds when koog itself is broken: over 64 KiB (128 blocks) the log makes way.
# Where the state root was removed, nothing may keep koog from running.
READY = (
    '[ -d "${L%/*}" ] || L=/dev/null; '
    """find "$L" -type f -size +128 -exec mv -f "$L" "$L.1" ';' 2>/dev/null"""
)
# After it: E is what it said, C how it ended. Another koog at work is no news, so nothing is written down.
KEPT = (
    f'C=$?; [ $C = 0 ] || E=${{E:-"koog ended with $C"}}; [ $C = {BUSY} ] || [ -z "$E" ] || printf "%s\\n" "$E" >>"$L"'
)
PROGRAM_SECONDS = 30


def block(job: Job) -> str:
    """Return a workspace's block. Raises UsageError for what a crontab cannot hold."""
    check(job)
    run, observe, extract = escaped(command(job)), job.other("observe"), job.other(EXTRACT)
    lines = [
        BEGIN + job.root,
        job.note,
        f"@reboot sleep {BOOT_SECONDS}; {run}",
        f"{times(job.minutes)} {run}",
        f"# and every {period(OBSERVE_MINUTES)}: {shlex.join(observe.argv)}",
        f"{OBSERVE_AT}-59/{OBSERVE_MINUTES} * * * * {escaped(command(observe))}",
        f"# and every {period(EXTRACT_MINUTES)}: {shlex.join(extract.argv)}",
        f"{EXTRACT_AT} * * * * {escaped(command(extract))}",
        *(line for verb, when in job.times for line in _at(job.other(verb), when)),
        END + job.root,
    ]
    return "".join(f"{line}\n" for line in lines)


def _at(job: Job, when: str) -> tuple[str, str]:
    return f"# and at {when}: {shlex.join(job.argv)}", f"{when} {escaped(command(job))}"


def command(job: Job) -> str:
    """Return the shell's words of one run.

    What koog reports of a run stands in the workspace. The rest, of the shell or of
    an installation that is broken, goes to a log in the state root: a shell follows
    whatever link an agent puts in the workspace. The log's end goes to cron's mail when a
    run has failed, and so does everything when the folder is gone. `busy` is no failure: of
    that neither the log nor a mail says anything.
    """
    variables = [f"{name}={shlex.quote(value)}" for name, value in job.environment.items()]
    run = " ".join([*variables, shlex.join(job.argv)])
    told = f'[ $C = 0 ] || [ $C = {BUSY} ] || tail -n 5 "$L"'
    done = f"L={shlex.quote(job.log)}; {READY}; E=$({run} 2>&1 >/dev/null); {KEPT}; {told}"
    return f"cd {shlex.quote(job.root)} && {{ {done}; }}"


def escaped(text: str) -> str:
    """Return a command as a crontab spells it: a percent sign would end it. Raises UsageError.

    Crons disagree on what a backslash before a backslash or a percent sign becomes.
    """
    if re.search(r"\\[\\%]", text):
        raise UsageError("a path holds a backslash that crontabs cannot tell", hint=hint("schedule"))
    text = text.replace("%", "\\%")
    if len(text.encode("utf-8", "surrogateescape")) > COMMAND_CHARS:
        raise UsageError("paths and variables make a line too long for cron", hint=hint("schedule"))
    return text


def times(minutes: int) -> str:
    """Return a period as the five fields of a crontab line.

    >>> times(30), times(60), times(120), times(1440)
    ('*/30 * * * *', '0 * * * *', '0 */2 * * *', '0 0 * * *')
    """
    if minutes < 60:
        return f"*/{minutes} * * * *"
    hours = {60: "*", 24 * 60: "0"}.get(minutes, f"*/{minutes // 60}")
    return f"0 {hours} * * *"


def find(text: str, root: str) -> str | None:
    """Return the workspace's block as it stands, None when there is none. Raises WorkspaceError when it has no end."""
    found = _blocks(root).search(text)
    if found is None and re.search(rf"^{re.escape(BEGIN + root)}$", text, re.MULTILINE):
        raise WorkspaceError(f"the crontab's block of {root} has no end line", hint="take it out with crontab -e")
    return found[0] if found else None


def put(text: str, root: str, block: str) -> str:
    """Return the crontab with this block: where the old one stands, else at the end."""
    if (present := find(text, root)) is not None:
        before, _, after = text.partition(present)
        return before + block + take(after, root)
    # Behind a last line without its end the block would become part of that line.
    return text + block if not text or text.endswith("\n") else block + text


def take(text: str, root: str) -> str:
    """Return the crontab without the workspace's block."""
    return _blocks(root).sub("", text)


def workspaces(text: str) -> list[str]:
    """Return the folders that have a block."""
    return list(dict.fromkeys(re.findall(rf"^{re.escape(BEGIN)}(.+)$", text, re.MULTILINE)))


def is_of_this_koog(block: str) -> bool:
    """Return whether a block's lines keep what a run says as this koog's do; those of an older one stay as they were.

    >>> is_of_this_koog("*/30 * * * * cd /w && E=$(koog tick 2>&1 >/dev/null) || printf x")
    False
    """
    return all(escaped(part) in block for part in (READY, KEPT))


def strange_shell(text: str) -> str | None:
    """Return the shell that the person's lines set for all below them, None when it reads koog's line.

    >>> strange_shell("SHELL=/usr/bin/fish\\n"), strange_shell("SHELL=/bin/bash\\n")
    ('/usr/bin/fish', None)
    """
    set_here = re.findall(r"""^[ \t]*SHELL[ \t]*=[ \t]*["']?([^"'\n]*?)["']?[ \t]*$""", text, re.MULTILINE)
    return set_here[-1] if set_here and set_here[-1].rsplit("/", 1)[-1] not in SHELLS else None


def _blocks(root: str) -> re.Pattern[str]:
    return re.compile(rf"^{re.escape(BEGIN + root)}\n(?:.*\n)*?{re.escape(END + root)}(?:\n|\Z)", re.MULTILINE)


def last_errors(workspace: Workspace, *, most: int) -> list[str]:
    """Return the last lines of what the shell and a broken installation have said, without secrets."""
    from koog.core.text.untrusted import clean

    lines = [line.strip() for line in workspace.jotted(ERRORS_NAME).splitlines()]
    return [clean(line)[:TOLD_CHARS] for line in lines if line][-most:]


def read() -> str:
    """Return the person's crontab, "" when there is none. Raises NotFound without the program, WorkspaceError."""
    code, out, said = _crontab("-l")
    if code and "no crontab" not in said:
        raise WorkspaceError(f"crontab -l: {said or f'ended with {code}'}", hint=hint("schedule"))
    return "" if code else out


def write(text: str) -> None:
    """Replace the person's crontab. Raises NotFound, WorkspaceError with crontab's words; then nothing has changed."""
    code, _, said = _crontab("-", stdin=text)
    if code:
        raise WorkspaceError(f"crontab: {said or f'ended with {code}'}", hint=hint("schedule"))


def _crontab(argument: str, *, stdin: str = "") -> tuple[int, str, str]:
    """Return exit code, what it printed, and its words on one line."""
    import os
    import subprocess

    try:
        done = subprocess.run(
            ["crontab", argument],
            input=stdin.encode("utf-8", "surrogateescape"),
            capture_output=True,
            env={**os.environ, "LC_ALL": "C"},
            timeout=PROGRAM_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise NotFound("there is no crontab program here", hint=hint("schedule")) from None
    except (OSError, subprocess.TimeoutExpired) as e:
        raise WorkspaceError(f"crontab: {e}", hint=hint("schedule")) from None
    words = " ".join(done.stderr.decode("utf-8", "replace").split())[:300]
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), words
