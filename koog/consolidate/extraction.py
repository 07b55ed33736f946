"""Phase 3: what a model would change of entities, relations and procedures.  [moltbot §10.3]

The built-in engine adds nothing here: what it proposes is made in any case (night.py).
"""

from __future__ import annotations

from pathlib import Path

from koog.core.task import Task

TASK: Task[dict[str, str]] = Task(
    file=Path(__file__),
    route="consolidator",
    rules=lambda _: {"operations": []},
    render=lambda given: {
        "today": given["today"],
        "guidance": given["guidance"],
        "lines": given["lines"],
    },
    writes=False,
)
