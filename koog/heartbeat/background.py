"""What the notes of these days say of the thing that a subagent is to look into. Pure.  [sinain §4.3]

A subagent begins with nothing but its task: "Research Typst" does not tell what is asked of Typst, and the note in
which somebody wrote it down does. What only retells the session is left out, and what steers: a note is no order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from koog.core.clip import clip
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import bullets, trust
from koog.core.text.says import says
from koog.core.text.voices import AGENT
from koog.heartbeat import signal_cues as cues

NOTED = ". Noted: "  # what stands between a task and its notes
ROWS, ROW_CHARS = 2, 180
LEAST_SHARED = 3  # ideas, unless a row names the very thing
RETOLD = 0.5  # of a row's ideas: from there on the session has told it already
NAMED = r"`[^`\n]+`|\b[^\W\d_]+ \d+\b|\b(?=\w*\d)(?=\w*[^\W\d_])\w+\b"  # code, "ward 7", "4B"
ATTEMPTS = (cues.TRIED_AGAIN, cues.RETRIED, cues.CHANGES)
NO_ROW = ("#", ">", "|", "```", "<!--")


class Row(NamedTuple):
    shared: int
    text: str
    path: str


def beside(task: str, *, subject: str, summary: str, notes: Iterable[tuple[str, str]]) -> str:
    """Return a task with the rows of notes that say most of its subject and that the session does not tell.

    Who is in a loop is not helped by what was tried again.

    notes   (path, text), the newest first

    >>> note = "- Typst? Questions: fonts embedded, PDF/A-3\\n- Typst is looked at\\n- coffee at nine"
    >>> beside("Research Typst", subject="Typst", summary="Looked at Typst.", notes=[("memory/2026-05-18.md", note)])
    'Research Typst. Noted: “Typst? Questions: fonts embedded, PDF/A-3” (memory/2026-05-18.md)'
    """
    in_loop = task.startswith("Debug")
    wanted, told, named = _ideas(subject), _ideas(summary), _named(subject)
    found: list[Row] = []
    for path, text in notes:
        for row in _rows(text):
            if in_loop and any(compiled(each).search(row) for each in ATTEMPTS):
                continue
            words = _ideas(row)
            shared = len(words & wanted) + LEAST_SHARED * len(_named(row) & named)
            is_about = shared >= min(LEAST_SHARED, len(wanted))
            if is_about and words and len(words & told) < RETOLD * len(words) and not trust.shown(row, AGENT)[1]:
                found.append(Row(shared, row, path))
    best = sorted(found, key=lambda row: -row.shared)[:ROWS]
    return f"{task.rstrip('.')}{NOTED}{'; '.join(map(_cited, best))}" if best else task


def without(task: str) -> str:
    """Return a task without what was noted."""
    return task.partition(NOTED)[0]


def _cited(row: Row) -> str:
    said = row.text.replace("“", '"').replace("”", '"').rstrip(".")
    return f"“{clip(said, ROW_CHARS)}” ({row.path})"


def _ideas(text: str) -> frozenset[str]:
    return says(text).ideas


def _named(text: str) -> set[str]:
    return {name.strip("`").casefold() for name in compiled(NAMED).findall(text)}


def _rows(text: str) -> Iterator[str]:
    """Yield what each row says, without its marks."""
    for line in text.split("\n"):
        row = line.strip()
        if row and not row.startswith(NO_ROW):
            bullet = bullets.parse(line)
            yield re.sub(r"\*\*|__", "", bullet.text if bullet else row)
