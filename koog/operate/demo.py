"""koog demo: the main job on a sample month, without key, network or server.

Reads   the sample that ships with koog
Writes  a new folder under .demo/, which git ignores
Asks    the built-in engine only
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock, progress, shipped
from koog.core.errors import WorkspaceError
from koog.core.git.repository import Git
from koog.core.reply import Reply
from koog.core.run import Run
from koog.heartbeat import feedback, tick
from koog.operate import init

SAMPLE = Path(__file__).with_name("sample")
START = datetime(2026, 2, 28, 12, 0, tzinfo=UTC)
EVERY = timedelta(minutes=30)
MODULE = "react-native-dev"  # what the sample's people work on
IDLE_TICKS = 12  # two notes each: the whole month is mined
# What the user was doing, and the score that a host would send for a message about it, from -1 to 1.
SESSIONS = (
    (
        "Metro stopped with ENOSPC again, the third time today. Mika restarted it each time. Still to do: the crash "
        "fix for the map on Monday.",
        0.6,
    ),
    (
        "The iOS build failed after pod update, the same error as on Thursday. Mika deleted ios/Pods by hand again.",
        -0.4,
    ),
    ("The nightly restic backup timed out at 03:00 again. Next: write the cause into the runbook.", 0.6),
)


@dataclass
class Story:
    """What happened over the ticks, for the one line."""

    ticks: int = 0
    mined: set[str] = field(default_factory=set)
    added: list[str] = field(default_factory=list)
    pruned: list[str] = field(default_factory=list)
    promoted: list[str] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)
    outputs: list[dict[str, Any]] = field(default_factory=list)
    degraded: set[str] = field(default_factory=set)
    directive: str | None = None


def demo(
    ctx: typer.Context,
    folder: Annotated[str, typer.Argument(metavar="[DIR]", help="Where the demo's folders go.")] = ".demo",
) -> Reply:
    """Make a sample workspace and run a day of ticks over its month of notes."""
    run: Run = ctx.obj
    run.root = _fresh(Path(folder))
    _fill(run.root)
    story = Story()
    with progress.bar(IDLE_TICKS + len(SESSIONS)) as begin:
        _play(run.root, story, begin)
    return Reply("koog.demo/1", **_keys(run.root, story))


def _play(root: Path, story: Story, begin: Callable[[str], None]) -> None:
    """Run the ticks of one afternoon: idle ones that mine the month, then three sessions."""
    moment = START
    for _ in range(IDLE_TICKS):
        begin(f"idle tick {moment:%H:%M}")
        _tick(root, story, moment, summary=None, idle=True)
        moment += EVERY
    for summary, score in SESSIONS:
        begin(f"session {moment:%H:%M}")
        if _tick(root, story, moment, summary=summary, idle=False):
            # A host that saw the user act on the message, or go the other way, says so.
            feedback.record(_run(root, moment + timedelta(minutes=5)), {clock.iso(moment): score})
        moment += EVERY


def _fresh(parent: Path) -> Path:
    """Return a new numbered folder; an earlier demo stays as it was left."""
    try:
        parent.mkdir(parents=True, exist_ok=True)
        ignore = parent / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "ascii")
        number = 1 + max((int(p.name) for p in parent.iterdir() if p.name.isdigit()), default=0)
        root = parent / str(number)
        root.mkdir()
    except OSError as e:
        raise WorkspaceError(f"{parent.name}: {e.strerror}") from None
    return root.resolve()


def _run(root: Path, moment: datetime) -> Run:
    run = Run(engine="builtin", now_text=clock.iso(moment), command="demo", trigger="koog demo")
    run.root = root  # at first it is no workspace yet
    return run


def _fill(root: Path) -> None:
    """Put the sample month in, then make the folder a workspace around it."""
    run = _run(root, START - EVERY)
    Git.init(root)
    with run.workspace.writing() as door:
        for name, text in shipped.files(SAMPLE).items():
            door.write(name, text, summary="the sample month")
    making = _run(root, START - EVERY)
    making.actor = "system:init"
    init.prepare(making, root, modules=[MODULE])


def _tick(root: Path, story: Story, moment: datetime, *, summary: str | None, idle: bool) -> bool:
    """Run one tick into the story; return whether it had something to say."""
    run = _run(root, moment)
    done = tick.work(run, summary=summary, idle=idle)
    changes = done["changes"] or {"added": [], "pruned": [], "promoted": []}
    story.ticks += 1
    story.mined |= set(done["minedSources"])
    story.added += changes["added"]
    story.pruned += changes["pruned"]
    story.promoted += changes["promoted"]
    story.degraded |= set(done["degraded"])
    story.directive = done["curateDirective"]
    if done["recommendedAction"]["action"] != "skip":
        story.actions.append({**done["recommendedAction"], "rule": done["rule"]})
    if done["output"]:
        story.outputs.append(done["output"])
    return done["output"] is not None


def _keys(root: Path, story: Story) -> dict[str, Any]:
    return {
        "workspace": str(root),
        "ticks": story.ticks,
        "notesMined": len(story.mined),
        "added": len(story.added),
        "pruned": story.pruned[:10],
        "promoted": story.promoted[:10],
        "actions": story.actions[:10],
        "outputs": story.outputs[:5],
        "curateDirective": story.directive,
        "degraded": sorted(story.degraded),
        "look": [
            f"git -C {root} log --stat",
            f"{root}/memory/sinain-playbook.md",
            f"{root}/memory/meta/pending-memories.md",
            f"koog --workspace {root} playbook show --history 5 --human",
        ],
    }
