"""koog index: the search index brought up to date with the files.  [autopoiesis §7.3]

Reads   every Markdown file that koog keeps, and the raw transcripts
Writes  .koog/index.db, which may be deleted
Asks    the embedding endpoint, where `search.embedding` names one

A refresh reads what has changed. What is wrong with the index itself (absent, cut, of
another version) is answered by building it anew; until the new one is whole, the old one
is searched.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core.errors import ConfigError, UsageError
from koog.core.files import found_notes
from koog.core.reply import Reply
from koog.core.run import Run
from koog.search import database, embedding, indexing, sources
from koog.search.pending import Vectors
from koog.search.sources import Roots, Skipped

COUNTS = ("files", "passages", "added", "changed", "removed", "unchanged")
MOST_TOLD = 50  # skipped files: the reply stays one short line


def index(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH]...", help="Refresh only these files and folders.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Build it anew from all files.")] = False,
) -> Reply:
    """Bring the search index up to date with the files: what has changed is read, and nothing else."""
    run: Run = ctx.obj
    started = time.monotonic()
    roots = sources.of(run)
    only = [cited(roots, path) for path in paths or ()]
    place = run.workspace.database(database.NAME)
    embedder, without = embedding.choose(run.settings, lambda: run.asker)
    try:
        done = indexing.update(
            place,
            roots,
            full=full,
            only=only,
            wait_s=run.settings.get("workspace.lockWaitSeconds"),
            dry_run=run.dry_run,
            embedder=embedder,
        )
    except ImportError as e:  # apsw is compiled: some machine may be without it
        raise ConfigError(f"{e.name} is not installed", hint="search goes on without an index") from None
    skipped = [*done.skipped, *_not_covered(roots, only), *([] if only else _not_named(run))]
    if len(skipped) > MOST_TOLD:
        run.meta_extra["truncated"] = True
    return Reply(
        "koog.index/1",
        **{key: getattr(done, key) for key in COUNTS},
        skipped=[{"path": path, "why": why} for path, why in skipped[:MOST_TOLD]],
        full=done.rebuilt is not None,
        rebuilt=done.rebuilt,
        embedding=_embedding(done.vectors or Vectors(None, None, 0, without or None)),
        bytes=_bytes(run),
        ms=round((time.monotonic() - started) * 1000),
    )


def cited(roots: Roots, path: str) -> str:
    """Return a file or folder, named relative to the workspace or by its full path, as the index cites it.

    "" for the workspace itself, and for the folder of notes around it. Raises UsageError for what lies elsewhere.
    """
    if not path:
        raise UsageError("an empty PATH", hint="a variable that is not set?")
    full = os.path.normpath(path if path.startswith("/") else roots.file(path))
    for root, name in ((roots.raw, sources.RAW), (roots.workspace, ""), (roots.notes_root, "")):
        if root and Path(full).is_relative_to(root):
            inside = Path(full).relative_to(root).as_posix()
            return "/".join(part for part in (name, inside) if part not in ("", "."))
    raise UsageError(f"{path} lies outside the workspace", hint="PATH is relative to the workspace")


def _not_covered(roots: Roots, only: list[str]) -> list[Skipped]:
    """Return which of the asked files are there and are no part of the index."""
    return [Skipped(path, "not covered") for path in only if roots.is_file(path) and not roots.category(path)]


def _not_named(run: Run) -> list[Skipped]:
    """Return the folders with Markdown that is no part of the index, since the config names no pattern for it."""
    missed = found_notes.uncovered(run.workspace)
    return [Skipped(f"{top}/", f"paths.notes names no pattern for {many} of its files") for top, many in missed.items()]


def _embedding(found: Vectors) -> dict[str, Any]:
    return {"id": found.model, "dimensions": found.dimensions, "pending": found.pending, "reason": found.reason}


def _bytes(run: Run) -> int:
    info = run.workspace.own.info(database.NAME)
    return info.st_size if info else 0  # a dry run where there is none yet
