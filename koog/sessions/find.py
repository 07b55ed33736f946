"""`--source auto|openclaw|claude|codex|PATH`: which hosts keep conversations here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import NotFound, UsageError
from koog.core.files import outside
from koog.sessions.turn import Reader

if TYPE_CHECKING:
    from koog.sessions.records import Parse

# host → the variable that names its folder, and where it lies without one
PLACES = {
    "openclaw": ("OPENCLAW_STATE_DIR", ".openclaw"),
    "claude": ("CLAUDE_CONFIG_DIR", ".claude"),
    "codex": ("CODEX_HOME", ".codex"),
}


def find(source: str, *, env: Mapping[str, str], home: Path) -> list[Reader]:
    """Return a reader for each host that a source names.

    auto   every host that has a folder here; [] when none has
    PATH   a host's folder, a part of it, or one session's file: the host is told by what lies there

    Raises NotFound when a named host or path is not here, UsageError for no name at all: it would mean this folder.
    """
    if not source:
        raise UsageError("--source is empty", hint="a variable that is not set?")
    if source == "auto":
        return [_made(host, root) for host in PLACES if outside.is_folder(root := folder(host, env=env, home=home))]
    if source in PLACES:
        root = folder(source, env=env, home=home)
        if not outside.is_folder(root):
            raise NotFound(f"{source} has no folder {root}", hint=f"set {PLACES[source][0]}, or --source PATH")
        return [_made(source, root)]
    root = Path(source).expanduser()
    if not outside.exists(root):
        raise NotFound(f"no sessions at {source}", hint="--source auto|openclaw|claude|codex|PATH")
    return [_made(host, root) for host in _hosts(root)]


def folder(host: str, *, env: Mapping[str, str], home: Path) -> Path:
    """Return where a host keeps its state."""
    variable, name = PLACES[host]
    given = env.get(variable)
    return Path(given).expanduser() if given else home / name


def parse_of(path: str) -> Parse:
    """Return how the records of one transcript of Claude Code's or Codex's become turns, by the file's name."""
    from koog.sessions import claude, codex

    return codex.parse if _is_rollout(Path(path)) else claude.parse


def _made(host: str, root: Path) -> Reader:
    if host == "openclaw":
        from koog.sessions.openclaw import OpenClaw

        return OpenClaw(root)
    if host == "claude":
        from koog.sessions.claude import Claude

        return Claude(root)
    from koog.sessions.codex import Codex

    return Codex(root)


def _hosts(root: Path) -> Iterator[str]:
    """Yield the hosts whose sessions lie at a path."""
    from koog.sessions import claude, codex, openclaw_files, openclaw_sqlite

    if openclaw_files.sessions(root) or openclaw_sqlite.sessions(root):
        yield "openclaw"
        return  # whatever else lies in there belongs to it
    tests: dict[str, Callable[[Path], Iterator[Path]]] = {"codex": codex.files, "claude": claude.files}
    for host, files in tests.items():
        if (first := next(files(root), None)) is not None and (host == "codex") == _is_rollout(first):
            yield host


def _is_rollout(path: Path) -> bool:
    return path.name.startswith("rollout-")
