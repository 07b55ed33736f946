"""What a call to a model needs, and what it leaves for `_meta`.  [design §4]"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from koog.core.config import Settings
    from koog.core.files.workspace import Workspace


@dataclass(repr=False, eq=False)
class Asking:
    """One command's way to the model.

    until   the moment of time.monotonic() that no call may outlast, None without one:
            a step that asks six times has one deadline, not six
    """

    settings: Settings
    workspace: Workspace
    command: str
    now: datetime
    zone: tzinfo
    warnings: list[str] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)
    until: float | None = None

    def left_s(self) -> float | None:
        """Return the seconds that are left for a call, None without a deadline."""
        return None if self.until is None else self.until - time.monotonic()
