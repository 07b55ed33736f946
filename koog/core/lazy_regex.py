"""Regular expressions that are compiled at first use."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile at first use: most commands never look for most of these."""
    return re.compile(pattern, flags)
