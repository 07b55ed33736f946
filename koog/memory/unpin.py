"""koog unpin: a pinned memory fades again.  [moltbot §4, §9.1]

Reads   the memory's file
Writes  as koog pin does
Asks    nothing
"""

from __future__ import annotations

import typer

from koog.core.reply import Reply
from koog.memory.pin import Which, set_pinned


def unpin(ctx: typer.Context, memory: Which) -> Reply:
    """Let a pinned memory fade again; what the vault holds stays as it is."""
    return set_pinned(ctx.obj, memory, pinned=False)
