"""The steps of one tick: each done within the deadline, its result kept, its failure told.  [sinain §6.1]"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from koog.core.errors import KoogError
from koog.core.reply import told
from koog.core.run import Run

NOTHING_NEW = "nothing_new"


@dataclass
class Steps:
    """The steps of one tick: what each returned, and what became of it.

    until   the moment of time.monotonic() after which no step begins
    quiet   nothing is new and nobody is there: no model is asked
    """

    run: Run
    until: float
    begin: Callable[[str], None]
    quiet: bool = False
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)

    def take(
        self, name: str, work: Callable[[], dict[str, Any]], *, must: bool = False, if_new: bool = False
    ) -> dict[str, Any] | None:
        """Do one step and keep its result; None when it failed, had nothing to do or the deadline has passed.

        must     the gate: it closes late rather than not at all, and raises when it cannot
        if_new   only a model's judgement, so there is none of it in a quiet tick
        """
        self.begin(name)
        if self.quiet and if_new:
            self.skip(name, NOTHING_NEW)
            return None
        left = self.until - time.monotonic()
        if left <= 0 and not must:
            self.skip(name, "deadline")
            return None
        self.run.asker.until = self.until
        self.run.commits.outgoing.limit(max(left, 1.0))
        self.run.asker.meta.pop("engine", None)
        started, before = time.monotonic(), self._tokens()
        row: dict[str, Any] = {"step": name, "status": "ok", "code": None, "message": None}
        try:
            self.results[name] = work()
        except KoogError as e:
            if must:
                raise
            row |= {"status": "failed", "code": e.code, "message": told(e.message)[:300]}
        except Exception as e:  # a bug in one step must not keep the gate open
            if must:
                raise
            import traceback

            traceback.print_exc(file=sys.stderr)
            row |= {"status": "failed", "code": "bug", "message": f"{type(e).__name__}: {e}"[:300]}
        row["engine"] = self.run.asker.meta.get("engine")
        row["tokens"] = self._tokens() - before
        row["ms"] = int((time.monotonic() - started) * 1000)
        self.rows.append(row)
        return self.results.get(name)

    def skip(self, name: str, why: str) -> None:
        self.rows.append(
            {"step": name, "status": "skipped", "code": why, "message": None, "engine": None, "tokens": 0, "ms": 0}
        )

    @property
    def degraded(self) -> list[str]:
        return [r["step"] for r in self.rows if is_degraded(r)]

    def _tokens(self) -> int:
        return sum((self.run.asker.meta.get("tokens") or {}).values())


def is_degraded(row: dict[str, Any]) -> bool:
    """Return whether a step did not do its work; one that had none is none of them."""
    return bool(row["status"] == "failed" or row["code"] == "deadline")
