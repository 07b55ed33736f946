"""Meta-reflection: what all earlier reflections together say, as a model sees it.  [moltbot §10.4]

The built-in engine adds nothing here: what it proposes is made in any case (night.py).
"""

from __future__ import annotations

from pathlib import Path

from koog.core.task import Task

TASK: Task[dict[str, str]] = Task(
    file=Path(__file__),
    route="consolidator",
    rules=lambda _: {"guidance": None},
    render=lambda given: {
        "log": given["log"],
        "evolution": given["evolution"],
    },
    writes=False,
)
