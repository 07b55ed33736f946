"""Regular expressions that are compiled at first use."""

from __future__ import annotations

import re
from functools import cache

WIDE = "\u3040-\u30ff\u3400-\u9fff"  # kana and Chinese characters, within a set: "[^\\W{WIDE}]"
FIRST = "\u2e80"  # below it no text has any of a script that is written without blanks


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile at first use: most commands never look for most of these."""
    return re.compile(pattern, flags)


def for_text(pattern: str, text: str) -> re.Pattern[str]:
    """Compile a pattern that will search one text, which may leave its wide characters out where the text has none.

    A set that counts thousands of them in takes as long to compile as all else that is looked for in a line.

    >>> for_text(f"[{WIDE}]", "word").search("word"), for_text(rf"[^\\W{WIDE}]+", "des mots").match("des mots")[0]
    (None, 'des')
    """
    return compiled(pattern if max(text, default="") >= FIRST else pattern.replace(WIDE, WIDE[0]))
