"""`<!-- key: value -->` lines in Markdown: how koog keeps a number where people can read it.  [sinain §4.2]"""

from __future__ import annotations

import re


def _pattern(key: str) -> re.Pattern[str]:
    return re.compile(rf"<!--[ \t]*{re.escape(key)}[ \t]*:(?P<value>.*?)-->", re.DOTALL)


def get(text: str, key: str) -> str | None:
    """Return the value of the first such comment, stripped, or None.

    >>> get("<!-- mining-index: 2026-02-17,2026-02-16 -->", "mining-index")
    '2026-02-17,2026-02-16'
    """
    found = _pattern(key).search(text)
    return found["value"].strip() if found else None


def put(text: str, key: str, value: str) -> str | None:
    """Return the text with the value of the first such comment replaced; None when there is none.

    >>> put("<!-- a: 1 -->\\nbody", "a", "2")
    '<!-- a: 2 -->\\nbody'
    """
    found = _pattern(key).search(text)
    if not found:
        return None
    return text[: found.start()] + comment(key, value) + text[found.end() :]


def comment(key: str, value: str) -> str:
    """Return the comment. `--` in a value would end it early, so it is broken up.

    >>> comment("note", "a ---> b")
    '<!-- note: a - - -> b -->'
    """
    return f"<!-- {key}: {re.sub('-(?=-)', '- ', value)} -->"
