"""One bullet of a playbook: its text and the tags that carry its history.  [sinain §4.6]

- text (score: 0.7) [error-prevention] [since: 2026-02-17] <!-- from: memory/2026-02-17.md:14 -->
- text [deferred: 2026-02-20, reason: "3 actions without resolution"]
- text <!-- from: memory/2026-02-17-acme.md:3 --> <!-- dc:project=/srv/acme dc:scope=private -->
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.text import bullets

_SCORE = compiled(r"\s*\(score:\s*(-?\d+(?:\.\d+)?)\)")
_SINCE = compiled(r"\s*\[since:\s*(\d{4}-\d\d-\d\d)\]")
_DEFERRED = compiled(r"\s*\[deferred:\s*(\d{4}-\d\d-\d\d)(?:,\s*reason:\s*\"([^\"]*)\")?\]")
_ERROR = compiled(r"\s*\[error-prevention\]")
_FROM = compiled(r"\s*<!--\s*from:\s*(.*?)\s*-->")
_LABEL = compiled(r"\s*(<!--(?=(?:(?!<!--|-->).)*\sdc:(?:project|scope|group)=)(?:(?!<!--|-->).)*-->)")

# What a line must say to count as error prevention without the tag: a failure, or a guard against one.
_FAILURE = compiled(
    r"\b(?:error|exception|crash\w*|fail\w*|(?-i:E[A-Z]{4,}|\w+Error)|broken|breaks?|corrupt\w*|data loss|outage"
    r"|timeouts?|times? out|never|don't|do not|avoid|prevent\w*|beware|otherwise|or else|before .{3,60} (?:or|else))\b",
    re.IGNORECASE,  # a line begins with a capital: "Never push …"
)
_OPEN_PROBLEM = compiled(
    r"\b(?:errors?|exception|crash\w*|fail(?:s|ed|ing|ure)?|flaky|broken|breaks?|stuck|leak\w*|slow|hangs?|timeouts?"
    r"|times? out|timed out|unknown|unsolved|(?-i:\w+Error|E[A-Z]{4,}))\b",
    re.IGNORECASE,
)
_SOLUTION = compiled(
    r"(?:\bfix(?:ed|es)?\b|\bsolved\b|\bresolved\b|\bworkaround\b|\buse\b|\braise\b|\brun\b|\bset\b|\badd\b|\bdelete\b"
    r"|\bclear\b|\bremoves?\b|\brestore\b|\bpin\b|→|=>|->|: [a-z]+ )",
    re.IGNORECASE,
)

HIGH_SCORE = 0.6  # an approach at or above it is "high-scoring" to the Second Law


@dataclass(frozen=True)
class Item:
    """A bullet, taken apart.

    score   from 0 to 1
    source  `file:line`; dates are YYYY-MM-DD
    lead    what stands before the text as it was written: indent, mark (- 1. • …), checkbox
    label   the comment that says of which project it is, as it stands; "" for the playbook's own lines
    """

    text: str
    score: float | None = None
    since: str | None = None
    deferred: str | None = None
    reason: str | None = None
    error_prevention: bool = False
    source: str | None = None
    lead: str = "- "
    label: str = ""

    @property
    def prevents_errors(self) -> bool:
        """Return whether the First Law protects it: by its tag, or because it names a failure and what to do."""
        if self.error_prevention:
            return True
        return bool(_FAILURE.search(self.text)) and not self.fixable

    @property
    def high_scoring(self) -> bool:
        return self.score is not None and self.score >= HIGH_SCORE

    @property
    def fixable(self) -> bool:
        """Return whether the text names a problem and no way out of it."""
        return bool(_OPEN_PROBLEM.search(self.text)) and not _SOLUTION.search(self.text)

    @property
    def solves(self) -> bool:
        """Return whether the text names a problem and a way out of it."""
        return bool(_OPEN_PROBLEM.search(self.text)) and not self.fixable

    def render(self) -> str:
        """Return the line, tags in their order."""
        parts = [self.lead + self.text]
        if self.score is not None:
            parts.append(f"(score: {round(self.score, 2):g})")
        if self.error_prevention:
            parts.append("[error-prevention]")
        if self.since:
            parts.append(f"[since: {self.since}]")
        if self.deferred:
            reason = (self.reason or "").replace('"', "'")
            parts.append(f'[deferred: {self.deferred}, reason: "{reason}"]')
        if self.source:
            parts.append(f"<!-- from: {self.source} -->")
        if self.label:
            parts.append(self.label)
        return " ".join(parts)

    def scored(self, score: float) -> Item:
        return replace(self, score=max(0.0, min(1.0, score)))


@lru_cache(maxsize=4096)  # a tick reads the same lines some sixty times
def parse(line: str) -> Item | None:
    """Return the bullet of a line, None for a heading, a comment, prose or a blank.

    >>> parse("- use pnpm (score: 0.7) [since: 2026-02-17]").since
    '2026-02-17'
    """
    found = bullets.parse(line)
    if not found:
        return None
    labels = _LABEL.findall(found.text)
    rest = _LABEL.sub("", found.text) if labels else found.text
    score, since = _SCORE.search(rest), _SINCE.search(rest)
    deferred, source = _DEFERRED.search(rest), _FROM.search(rest)
    text = rest
    for pattern in (_FROM, _DEFERRED, _SINCE, _SCORE, _ERROR):
        text = pattern.sub("", text)
    return Item(
        text=text.strip(),
        score=float(score[1]) if score else None,
        since=since[1] if since else None,
        deferred=deferred[1] if deferred else None,
        reason=deferred[2] if deferred else None,
        error_prevention=bool(_ERROR.search(rest)),
        source=source[1] if source else None,
        lead=found.lead,
        label=" ".join(labels),
    )
