"""memory/sinain-playbook.md: header comments, body, footer comments.  [sinain §4.5, §4.6]

The parts joined are the file again, byte for byte; only the body is curated.
"""

from __future__ import annotations

import re
from functools import cache

from koog.core.named import NamedTuple
from koog.core.text import comments

NAME = "sinain-playbook.md"
EFFECTIVE = "sinain-playbook-effective.md"
SECTIONS = ("Established", "Patterns", "Preferences", "Observing")  # koog's own headings
EMPTY = (
    "<!-- mining-index:  -->\n\n# Sinain Playbook\n\n## Established\n\n## Patterns\n\n"
    "## Preferences\n\n## Observing\n\n"
    "<!-- effectiveness: outputs=0,positive=0,negative=0,neutral=0,rate=0 -->\n"
)

MINING_INDEX = "mining-index"
EFFECTIVENESS = "effectiveness"

_COMMENT = r"<!--(?:(?!-->).)*-->[ \t]*"


class Document(NamedTuple):
    """One playbook: what stands before the body, the body's lines, what stands after.

    ended   whether the last line had a line end
    """

    header: str
    body: tuple[str, ...]
    footer: str
    ended: bool = True

    def render(self) -> str:
        """Return the whole text."""
        middle = "".join(f"{line}\n" for line in self.body)
        if middle and not self.footer and not self.ended:
            middle = middle[:-1]
        return self.header + middle + self.footer

    def with_body(self, body: tuple[str, ...]) -> Document:
        """Return the playbook with another body, below the header also where that had no line end."""
        joint = "\n" if body and self.header and not self.header.endswith("\n") else ""
        return Document(self.header + joint, body, self.footer, self.ended)


def parse(text: str) -> Document:
    """Split a playbook. Comments and blank lines at either end are not body."""
    found = _header().match(text)
    start = found.end() if found else 0
    lines = text[start:].split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    end = len(lines)
    while end and _footer_line().fullmatch(lines[end - 1]):
        end -= 1
    footer = "\n".join(lines[end:]) + ("\n" if ended and end < len(lines) else "")
    return Document(text[:start], tuple(lines[:end]), footer, ended)


def set_comment(text: str, key: str, value: str, *, at_end: bool) -> str:
    """Return the playbook with a header or footer comment set, added at its end of the file when it is missing."""
    if (changed := comments.put(text, key, value)) is not None:
        return changed
    line = comments.comment(key, value) + "\n"
    if at_end:
        return text + ("" if text.endswith("\n") or not text else "\n") + line
    return line + text


def mining_index(text: str) -> list[str]:
    """Return the dates of the `mining-index` comment, newest first.

    >>> mining_index("<!-- mining-index: 2026-02-17,2026-02-16 -->")
    ['2026-02-17', '2026-02-16']
    """
    value = comments.get(text, MINING_INDEX) or ""
    return [part.strip() for part in value.split(",") if re.fullmatch(r"\s*\d{4}-\d\d-\d\d\s*", part)]


def content_lines(body: tuple[str, ...]) -> int:
    """Return how many lines of a body count towards the limit: blank ones do not."""
    return sum(1 for line in body if line.strip())


# Compiled on first use: commands that only name the playbook's path should not pay for them.
@cache
def _header() -> re.Pattern[str]:
    return re.compile(rf"(?:[ \t]*\n|{_COMMENT}(?:\n|\Z))*", re.DOTALL)


@cache
def _footer_line() -> re.Pattern[str]:
    return re.compile(rf"[ \t]*(?:{_COMMENT})?[ \t]*\Z")
