"""Format: the texts that koog's rules read, as bare sentences: playbook lines, notes, log entries.

What koog itself composed is left out: tags, comments, mining findings, a summary made of the last one.
Patterns are compiled at their first use, so that importing this costs nothing.
"""

from __future__ import annotations

import re
from typing import Any

from koog.core.named import NamedTuple
from koog.core.text import bullets, markdown
from koog.core.text.secrets import line_breaks
from koog.core.text.sentences import split
from koog.playbook import item, origin

COMMENT = r"(?s)<!--.*?(?:-->|$)"
SOURCE = r"<!--\s*from:.*?-->"
TAG = r"(?i)\(score:[^()\n]*\)|\[(?:since|deferred|promoted|score|seen|error-prevention)\b[^\]\n]*\]"
DAY = r"\d{4}-\d\d-\d\d"
UNSAID = frozenset({"code", "table", "head"})  # pieces in which nobody speaks
NOTHING_NEW = "Nothing new"
NOTHING_YET = "Nothing is written yet."
OWN_WORDS = (NOTHING_NEW, NOTHING_YET, "No notes today")  # how a tick begins a summary when nobody told it anything
RUNTIMES = frozenset("node next vue nuxt express three d3 react ember backbone".split())  # Node.js is no file


class Pattern(NamedTuple):
    """One bullet of the playbook: its words without tags, and what the tags said."""

    text: str
    section: str
    score: float | None = None
    deferred: str | None = None  # YYYY-MM-DD
    day: str | None = None  # when it was observed, YYYY-MM-DD
    source: str | None = None  # the note it was mined from


def plain(line: str) -> str:
    """Return a line without bullet, HTML comments and the playbook's tags.

    >>> plain("- Clear the cache (score: 0.7) [since: 2026-02-17] <!-- from: memory/a.md:1 -->")
    'Clear the cache'
    """
    bare = re.sub(COMMENT, " ", line)
    bullet = bullets.parse(bare)
    return " ".join(re.sub(TAG, " ", bullet.text if bullet else bare).split())


def patterns(playbook: str) -> list[Pattern]:
    """Return the bullets of a playbook, each under its heading.

    A bullet's day is that of the note it came from, else the day since which it is observed.
    """
    out, section = [], ""
    for line in re.sub(COMMENT, lambda m: m[0] if re.fullmatch(SOURCE, m[0]) else "", playbook).splitlines():
        if line.startswith("#"):
            section = line.strip("# ")
        elif (found := item.parse(line)) and (text := plain(line)):
            day = origin.day(found.source) or found.since
            file = origin.place(found.source).partition(":")[0] if found.source else None
            out.append(Pattern(text, section, found.score, found.deferred, day, file))
    return out


def sentences(text: str) -> list[str]:
    """Return the sentences and bullets of a text without markup; headings, code and tables are left out."""
    pieces = markdown.pieces(re.sub(COMMENT, lambda comment: line_breaks(comment[0]), text))
    said = (plain(piece.text) for piece in pieces if piece.kind not in UNSAID)
    return [sentence for text in said for _, sentence in split(text)]


def log_sentences(log: object) -> list[str]:
    """Return what a log entry recorded of its session: summary and signals. Any shape, old or broken, is read.

    Findings are left out: koog composed them from notes that are read anyway, and
    counting both would make two sightings of one.
    """
    if not isinstance(log, dict):
        return []
    signals, summary = log.get("signals"), log.get("sessionHistorySummary")
    said: list[Any] = [summary] if isinstance(summary, str) and not summary.startswith(OWN_WORDS) else []
    for signal in signals if isinstance(signals, list) else []:
        said.append(signal.get("description") if isinstance(signal, dict) else signal)
    return [s for text in said if isinstance(text, str) for s in sentences(text)]
