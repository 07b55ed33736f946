"""A folder of Markdown that is no workspace, searched like one: its index lies among what programs may lose.

Nothing is written there, and no setting of a workspace holds for it.  [design §3]
"""

from __future__ import annotations

import os
import shlex
from hashlib import blake2b
from pathlib import Path

from koog.core import nearest
from koog.core.errors import NotFound, Refused, UsageError
from koog.core.files import host, outside
from koog.core.run import Run
from koog.sessions import audience


def search_in(run: Run, folder: str) -> None:
    """Make a folder the one that is searched. Raises UsageError for none, Refused for a workspace and in a group."""
    real = Path(outside.real(folder)) if folder else None
    if real is None or not outside.is_folder(real):
        raise UsageError(f"--in {folder!r} is no folder")
    try:
        inside = nearest.find(real)
    except NotFound:
        inside = None
    if inside is not None:
        hint = f"koog --workspace {shlex.quote(str(inside))} search …"
        raise Refused(f"{real.name} belongs to a workspace, which says who hears what", hint=hint)
    run.root = host.cache_folder(blake2b(os.fsencode(real), digest_size=8).hexdigest())
    run.searched = real
    audience.of_folder(run)
