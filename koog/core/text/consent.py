"""Which ids a person approves in a turn: only in lines that say that and nothing else.  Pure.  [design §4]

    approve r-012
    I approve module rn-copy. Approve push.

A line that merely mentions the word, a question, a condition or a "not" approves nothing, nor does what the
person quotes: a line after `>`, in code, between quotation marks, or after a line that opens something of another's
(a tag, a bracket, words that end in a colon). A turn longer than people type may be pasted: of it, only the lines at
its beginning count.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled
from koog.core.text.markdown import FENCE, blocks

ONE = compiled(
    r"(?:i[ \t]+)?approve[ \t]+(?:(?:the[ \t]+)?module[ \t]+)?(?P<id>[a-z0-9](?:[\w-]{0,62}[a-z0-9])?)",
    re.IGNORECASE | re.ASCII,
)
# Words for what was just spoken of: no id, whatever somebody has called a module.
MEANT = frozenset("it this that these those them all any both one everything anything the my your".split())
BETWEEN = compiled(r"[.!](?:[ \t]+|\Z)|[,;][ \t]+(?=\S)")
# From such a line on, the words may be another's: a tag, a host's note, a mail's header, a table, words before a colon.
OPENS = compiled(r"\s*(?:[<\[{|]|System\b)|.*:\s*\Z", re.IGNORECASE)
QUOTED = compiled(r"\s*>|\t| {4}")
TYPED_LINES, TYPED_CHARS = 12, 600  # a turn that is no longer was typed


def approved(text: str) -> list[str]:
    """Return the ids that a turn approves, in lower case and in their order.

    >>> approved("Thanks, read it.\\nI approve module RN-copy.\\nDon't forget the tests")
    ['rn-copy']
    >>> approved("> approve a\\nShould I approve b?\\napprove c if it is safe\\nHe wrote:\\napprove d")
    []
    """
    found: list[str] = []
    lines = text.replace("\r\n", "\n").strip("\n").split("\n")
    pasted = len(lines) > TYPED_LINES or len(text) > TYPED_CHARS
    fenced = {at for kind, start, stop in blocks(lines) if kind == FENCE for at in range(start, stop)}
    marks = 0
    for at, line in enumerate(lines):
        if at not in fenced and not marks and not QUOTED.match(line):
            if OPENS.match(line):
                break
            ids = _of(line.strip(" \t"))
            if pasted and not ids:
                break
            found += ids
        marks = _open_marks(line, marks)
    return list(dict.fromkeys(found))


def _of(line: str) -> list[str]:
    """Return the ids of a line that consists of approvals, [] for any other."""
    found, at = [], 0
    while at < len(line):
        one = ONE.match(line, at)
        if one is None or one["id"].lower() in MEANT:
            return []
        found.append(one["id"].lower())
        at = one.end()
        if at < len(line):
            between = BETWEEN.match(line, at)
            if between is None:
                return []
            at = between.end()
    return found


def _open_marks(line: str, open_before: int) -> int:
    """Return whether a quotation goes on after a line: 1 after an odd number of marks, 0 after an even one."""
    return (open_before + sum(line.count(mark) for mark in '"“”„«»')) % 2
