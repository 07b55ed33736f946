"""Phase 1: on what a reflection should work, as a model says it.  [moltbot §10.3]

The built-in engine adds nothing here: what it proposes is made in any case (night.py).
"""

from __future__ import annotations

from pathlib import Path

from koog.core.task import Task

TASK: Task[dict[str, str]] = Task(
    file=Path(__file__),
    route="consolidator",
    rules=lambda _: {"areas": []},
    render=lambda given: {
        "today": given["today"],
        "core": given["core"],
        "lines": given["lines"],
    },
    writes=False,
)
