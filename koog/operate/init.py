"""koog init: a workspace, or koog's share of one that exists.  [design §2, §3]

Reads   the folder, and where in it Markdown lies; with --host the host's settings
Writes  what is missing in it, nothing that exists; the workspace's entry in the operator's config, and its state root;
        with --into which notes around it are read; with --host koog's own entries in the host's settings, and in the
        operator's config which sessions are read; with --agents koog's block in AGENTS.md; with --cron what
        `cron install` writes; with --hooks git's hooks in the workspace's repository
Asks    nothing

The first `init` records where the repository is and where it may be pushed; what differs from that later is taken
on a person's word: `--adopt`.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import approval, operator, shipped
from koog.core.errors import Busy, Refused, UsageError, WorkspaceError
from koog.core.files import host as host_files
from koog.core.files import jsonfiles, seal
from koog.core.files.door import Door
from koog.core.files.own_notes import NONE as NO_NOTES
from koog.core.files.own_notes import OwnNotes
from koog.core.files.workspace import is_workspace
from koog.core.git import identity
from koog.core.git.repository import Git
from koog.core.reply import Reply
from koog.core.run import Run
from koog.operate import adoption, agents_block, git_hooks, installed_for, own_notes, registered
from koog.operate import into as placing
from koog.operate.installed_record import Footing
from koog.playbook import document, stack
from koog.sessions.place import OPENCLAW

FOLDERS = ("playbook-logs", "playbook-archive", "meta")
SKILL = "skills/sinain-hud"
LISTED = f"{SKILL}/SKILL.md"  # of a workspace: where OpenClaw lists skills
BASE, REGISTRY = "base-behaviors", "module-registry.json"
HOSTS = (OPENCLAW, "claude", "codex")
# What belongs to the system, whole; and folders in which others keep theirs.
SYSTEM = "/bin /boot /dev /etc /lib /lib64 /proc /run /sbin /sys /usr /System /Library /Applications".split()
AROUND = "/ /home /root /Users /mnt /media /opt /srv /var /tmp /var/tmp /private/tmp /private/etc /dev/shm".split()
IN_MEMORY = Path("/dev/shm")  # noqa: S108  a folder for everybody as /tmp is, though it lies among the devices
TAKEN_IN = ("HEARTBEAT.md", "SKILL.md")  # what a host may have of its own, so that koog's goes beside it
TAKE_IN = {
    "HEARTBEAT.koog.md": "HEARTBEAT.md stood already and is unchanged: read HEARTBEAT.koog.md, then take it in with "
    "cat HEARTBEAT.koog.md >> HEARTBEAT.md (OpenClaw 2026.8 and later read no HEARTBEAT.md: "
    "koog init . --host openclaw --apply)",
    "SKILL.koog.md": "SKILL.md stood already and is unchanged: let the host list koog's own with "
    "mkdir -p skills/sinain-hud && mv SKILL.koog.md skills/sinain-hud/SKILL.md",
}
# The workspace's own layer; everything that decides about keys, models and money is the operator's.
CONFIG: dict[str, Any] = {"engine": "auto", "timezone": "UTC", "heartbeat": {"idleMinutes": 30}}
GITIGNORE = """\
# koog: derived and private
.koog/

# scratch
*.tmp
tmp/
scratch/
.obsidian/workspace*

# large, and no text; attachments/ is kept
*.mp3
*.mp4
*.m4a
*.mkv
*.mov
*.wav
*.flac
*.avi
*.webm
*.zip
*.tar
*.tar.*
*.tgz
*.7z
*.rar
*.iso
*.db
*.db-*
*.sqlite
*.sqlite3
!attachments/**

# of the machine
.DS_Store
Thumbs.db

# secrets, and what a shell remembers of them
.env
secrets/
*.key
*.pem
.*_history
.python_history
.lesshst
"""
# Where git-lfs is there, it keeps the large ones; where it is not, this says nothing.  [autopoiesis §3.8]
GITATTRIBUTES = "".join(
    f"attachments/**/*.{end} filter=lfs diff=lfs merge=lfs -text\n" for end in ("png", "jpg", "pdf", "mp4")
)
ATTRIBUTES = ".gitattributes"


def init(
    ctx: typer.Context,
    folder: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="Default: --workspace, else the current folder.")
    ] = None,
    host: Annotated[
        str | None, typer.Option(metavar="openclaw|claude|codex", help="Also let this program call koog.")
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="With --host openclaw: do it by OpenClaw's own program, not by hand.")
    ] = False,
    project: Annotated[
        str | None, typer.Option(metavar="DIR|*", help="With --host: this project's sessions, or every project's.")
    ] = None,
    into: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Keep koog's files in this folder of DIR, which holds your notes."),
    ] = None,
    module: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Also this module of koog's; it starts suspended.")
    ] = None,
    scheduled: Annotated[
        bool, typer.Option("--cron", help="Also let this machine's scheduler run it, as `cron install` does.")
    ] = False,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="This folder was moved, or its repository changed: that is right so.")
    ] = False,
    agents: Annotated[
        bool, typer.Option("--agents", help="Also tell agents in AGENTS.md (or CLAUDE.md) how to use the memory.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="With --agents: take that away again.")] = False,
    knowledge: Annotated[
        bool | None,
        typer.Option("--knowledge/--no-knowledge", help="Lay out knowledge/; by default in a new workspace."),
    ] = None,
    hooks: Annotated[bool, typer.Option("--hooks", help="Also let git look at what is committed by hand.")] = False,
) -> Reply:
    """Make a workspace: folders, config, git, HEARTBEAT.md, SKILL.md, modules. Changes nothing that exists."""
    run: Run = ctx.obj
    if host not in (None, *HOSTS):
        raise UsageError(f"--host {host!r}", hint="one of " + ", ".join(HOSTS))
    if remove and not agents:
        raise UsageError("--remove is for --agents", hint="koog uninstall --host HOST")
    if apply and host != OPENCLAW:
        raise UsageError("--apply is for --host openclaw", hint="the others are installed without it")
    named = installed_for.checked(host, project)
    modules = _named(module or [])
    chosen = Path(folder or run.folder or ".")
    place = placing.place(chosen, into)
    if place.notes_root:
        _check_fit(place.notes_root)
        run.__dict__["notes_root"] = place.notes_root
    is_laid_out = not is_workspace(place.root) if knowledge is None else knowledge
    root = start(run, place.root)
    theirs = own_notes.noted(run)
    was = None
    if adopt:
        was = adoption.adopt(run)
    with registered.alone(run):
        if placing.place(chosen, into) != place:
            raise Busy("another koog init is at work in this folder", hint="call it again")
        is_new = not adopt and lacks_repository(run, root)
        if is_new and not run.dry_run:
            registered.claim(
                run, all_is_koogs=not theirs.stands
            )  # first: killed after it, the next `init` makes the repository
            placing.remember(run, theirs)
            Git.init(root)
        known = registered.known(run, all_is_koogs=is_new and not theirs.stands, is_openclaws=host == OPENCLAW)
        placing.remember(run, theirs)
        planned, footing = installed_for.current(run), None
        if host:
            planned = installed_for.plan(run, host, named)
            footing = Footing(run, host, named, _program(run))
            footing.begin(planned)
            planned = installed_for.write(run, planned)
    laid_out = _laid_out(run, theirs.new if theirs.written else run.workspace.own_notes) if is_laid_out else {}
    made = prepare(run, root, modules=modules, config=theirs.config, is_listed=host == OPENCLAW, more=laid_out)
    put_hooks, by_hand = git_hooks.put(run, _program(run)) if hooks and not run.dry_run else ([], [])
    made["next"][-1:-1] = by_hand
    made["next"][:0] = [*_before(run, root), *theirs.next]
    told = agents_block.put(run, host=host, remove=remove) if agents else []
    if host:
        words = installed_for.words(run, host, planned, id_=known["id"])
        made["next"][-1:-1] = [*words, *installed_for.older(run)]
    if was:
        made["next"][-1:-1] = adoption.hooks(run, was, sources=planned.sources, done=host)
    schedule = _scheduled(run) if scheduled else None
    made["next"][-1:-1] = schedule.pop("next") if schedule else []
    return Reply(
        "koog.init/1",
        **made,
        notesRoot=str(run.notes_root) if run.notes_root else None,
        repository="created" if is_new else "existing",
        **known,
        projects=planned.row(),
        notes=theirs.row(),
        host=_install(run, footing, apply=apply) if footing else None,
        cron=schedule,
        agents=told,
        gitHooks=put_hooks,
    )


def prepare(
    run: Run,
    root: Path,
    *,
    modules: Sequence[str] = (),
    config: Mapping[str, Any] | None = None,
    is_listed: bool = False,
    more: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Add what a folder lacks; return the reply's keys.

    modules    those of koog's that are put in beside BASE
    config     what the workspace's config begins with, beside CONFIG
    is_listed  the skill lies where OpenClaw lists it, too: one at the workspace's root it does not see
    more       other files, path → text
    """
    files = {**_files(run, (BASE, *modules), {**CONFIG, **(config or {})}), **(more or {})}
    if is_listed:
        files[LISTED] = files["SKILL.md"]
    kept = [path for path in files if run.workspace.exists(path)]
    apart = [path for path in kept if path in TAKEN_IN and not (is_listed and path == "SKILL.md")]
    beside = {path: _beside(path) for path in apart if run.workspace.text(path) != files[path]}
    wanted = {beside.get(path, path): text for path, text in files.items() if path not in kept or path in beside}
    with run.workspace.writing() as door:
        for path, text in wanted.items():
            _create(door, path, text)
        if not run.workspace.exists(run.workspace.in_memory(document.EFFECTIVE)):
            stack.stage(door)
    _folders(run)
    created = [c.path for c in run.workspace.changes if c.action == "CREATE"]
    return {
        "workspace": str(root),
        "created": created,
        "kept": kept,
        "next": _next([path for path in beside.values() if run.workspace.exists(path) or path in wanted]),
    }


def _install(run: Run, footing: Footing, *, apply: bool) -> dict[str, Any]:
    """Install koog in a host and note it; return the reply's part about it."""
    from koog.host import openclaw_apply
    from koog.host.install import install

    program = footing.program
    if footing.host == OPENCLAW:
        done = openclaw_apply.install(
            run.root, program, state=run.state_root, apply=apply, dry_run=run.dry_run, warnings=run.warnings
        )
    else:
        done = install(footing.host, root=run.root, program=program, dry_run=run.dry_run)
    footing.keep()
    return done._asdict()


def _program(run: Run) -> tuple[str, ...]:
    """Return the words that start koog from a host."""
    from koog.operate import job

    program = job.program(sys.argv[0], python=sys.executable)
    if job.is_fleeting(program):
        run.warnings.append(f"{program[0]} may not stay there: install koog, then run this again")
    return program


def _scheduled(run: Run) -> dict[str, Any] | None:
    """Let a scheduler run the workspace; return the reply's part about it."""
    from koog.operate import cron

    return cron.begun(run)


def start(run: Run, folder: Path) -> Path:
    """Make the folder that the run is about, where it is missing; return its real path.

    Raises UsageError for a file, Refused for a folder that is no agent's, WorkspaceError.
    """
    _check_fit(Path(os.path.realpath(folder)))
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder.name} is not a folder")
    try:
        if not run.dry_run:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        root = folder.resolve()
    except OSError as e:
        raise WorkspaceError(f"{folder.name}: {e.strerror}") from None
    run.root = root
    run.actor = "system:init"
    approval.by_hand(run)
    return root


def _check_fit(folder: Path) -> None:
    if wrong := unfit(folder):
        raise Refused(f"{wrong} is no folder for a workspace", hint="koog init a folder of its own")


def unfit(folder: Path) -> str | None:
    """Return how a folder is called that must not become a workspace: a sweep would commit what lies in it."""
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111  never raises without a home
    if str(folder) == home or Path(home).is_relative_to(folder):
        return f"{folder} (your home is there)"
    kept = [operator.folder().parent, *map(Path, SYSTEM)]
    with suppress(WorkspaceError):
        kept.append(host_files.state_home())
    if IN_MEMORY in folder.parents:
        kept = [each for each in kept if each not in IN_MEMORY.parents]
    inside = any(folder == each or each in folder.parents for each in kept)
    return str(folder) if inside or str(folder) in AROUND else None


def lacks_repository(run: Run, root: Path) -> bool:
    """Return whether no repository takes the workspace's commits, or one that ignores it."""
    if run.dry_run and not root.exists():
        return True
    found = Git.find(root)
    return found is None or (found.top != root and found.ignores(root))


def _named(modules: Sequence[str]) -> list[str]:
    """Return the modules that were named, in the registry's order. Raises UsageError for one that koog has not."""
    known = [name for name in _registry() if name != BASE]
    if wrong := next((name for name in modules if name not in known), None):
        raise UsageError(f"--module {wrong!r}", hint="koog has " + ", ".join(known))
    return [name for name in known if name in modules]


def _registry() -> dict[str, Any]:
    """Return the modules that come with koog, and how each is registered."""
    rows: dict[str, Any] = jsonfiles.loads(shipped.data(shipped.shipped("modules") / REGISTRY))["modules"]
    return rows


def _files(run: Run, names: Sequence[str], config: Mapping[str, Any]) -> dict[str, str]:
    """Return path → text of everything that a whole workspace has, and of the modules these."""
    skill, modules = shipped.shipped(SKILL), shipped.shipped("modules")
    registry = {"version": 1, "modules": {name: row for name, row in _registry().items() if name in names}}
    found = {
        ".gitignore": GITIGNORE,
        "koog-config.json": jsonfiles.pretty(config),
        "HEARTBEAT.md": (skill / "HEARTBEAT.md").read_text("utf-8"),
        "SKILL.md": (skill / "SKILL.md").read_text("utf-8"),
        run.workspace.in_memory(document.NAME): document.EMPTY,
    }
    for path in sorted(path for name in names for path in (modules / name).rglob("*")):
        if path.is_file():
            found[run.workspace.in_modules(path.relative_to(modules).as_posix())] = path.read_text("utf-8")
    found[run.workspace.in_modules(REGISTRY)] = jsonfiles.pretty(registry)
    return found


def _laid_out(run: Run, notes: OwnNotes) -> dict[str, str]:
    """Return path → text of what knowledge begins with; its folders are made with the first file in each.

    A vault keeps its own folders, as `paths.notes` names them; what lies around the workspace is not written.

    notes   what the workspace's config says of them, or will say
    """
    from koog.knowledge import layout

    where = layout.of(notes if run.notes_root is None else NO_NOTES)
    return {ATTRIBUTES: GITATTRIBUTES, **layout.laid_out(where, run.today)}


def _beside(path: str) -> str:
    """Return where koog's version goes when the host or the person has one of their own."""
    return path.replace(".md", ".koog.md")


def _create(door: Door, path: str, text: str) -> None:
    door.edit(path, lambda present: present or text, summary="new workspace")


def _folders(run: Run) -> None:
    """Make the folders that git cannot keep while they are empty."""
    if run.dry_run:
        return
    for name in FOLDERS:
        run.workspace.make_folder(run.workspace.in_memory(name))


def _before(run: Run, root: Path) -> list[str]:
    """Return what a person has to say where a workspace lay here before, whose records koog still has."""
    if run.dry_run:
        return []
    git = Git.find(root, state=run.state_root)
    is_doubted = git is not None and identity.doubt(git.place, run.state_root)
    steps = [f"koog init --adopt {shlex.quote(str(root))}"] if is_doubted else []
    return [*steps, *(["koog audit ack log"] if seal.alerts(run.workspace) else [])]


def _next(beside: list[str]) -> list[str]:
    """Return what is left for a person to do."""
    steps = [TAKE_IN[path] for path in beside]
    return [*steps, "koog tick"]
