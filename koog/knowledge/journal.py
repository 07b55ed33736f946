"""knowledge/journal/YYYY-MM-DD.md: what happened on a day, by topic and not by time.  [autopoiesis §2.2]

    ---
    type: journal
    date: 2026-02-16
    sessions: [ses_a1b2c3d4, ses_e5f6g7h8]
    ---

    ## 2026-02-16

    ### autopoiesis
    - Decided file-based memory system architecture <!-- dc:source=ses_a1b2c3d4:45 -->

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from koog.core.lazy_regex import compiled
from koog.core.text import markdown
from koog.knowledge import documents, filing, layout
from koog.knowledge.filing import Filed, New

TOPIC = r"###[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*"
SESSIONS = "sessions"


def filed(text: str, path: str, new: Sequence[New], *, day: str, sessions: Sequence[str]) -> Filed:
    """Return a day's journal with some lines more, each under its topic, and their sessions in its head."""
    made = filing.filed(text or layout.new("journal", title=day, today=day, date=day, sessions=[]), path, new, put=put)
    if not made.added:
        return made
    known = list(dict.fromkeys((*documents.listed(made.text, SESSIONS), *sessions)))
    return made._replace(text=documents.with_head(made.text, sessions=known))


def put(text: str, _: str, section: str, raw: str) -> str:
    """Return a journal with one line more under a topic; a topic that it lacks comes last."""
    rows = text.split("\n")
    heads = list(_topics(rows))
    at = next((n for n, (row, title, _) in enumerate(heads) if title.casefold() == section.casefold()), None)
    if at is None:
        body = text.rstrip("\n")
        return f"{body}\n\n### {section}\n- {raw}\n"
    end = heads[at][2]
    while end > heads[at][0] + 1 and not rows[end - 1].strip():
        end -= 1
    return "\n".join((*rows[:end], f"- {raw}", *rows[end:]))


def topics(text: str) -> list[str]:
    """Return the topics of a journal, in their order."""
    return [title for _, title, _ in _topics(text.split("\n"))]


def topic(row: str) -> str | None:
    """Return the topic that a row is a heading of, None for any other row.

    >>> topic("### 12"), topic("## 2026-02")
    ('12', None)
    """
    found = compiled(TOPIC).fullmatch(row)
    return found[1] or None if found else None


def _topics(rows: Sequence[str]) -> list[tuple[int, str, int]]:
    """Return each topic with its row and the row behind its last one."""
    shown = [row.rstrip("\r") for row in rows]
    heads = [start for kind, start, _ in markdown.blocks(shown) if kind == markdown.HEADING]
    ends = dict(zip(heads, [*heads[1:], len(rows)], strict=True))
    found = [(row, compiled(TOPIC).fullmatch(shown[row])) for row in heads]
    return [(row, title[1], ends[row]) for row, title in found if title]
