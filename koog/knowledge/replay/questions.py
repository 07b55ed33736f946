"""The same questions put to the memory in use and to the reconstructed one: what the best place of each says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from koog.core.clip import clip
from koog.core.errors import NotFound, UsageError
from koog.core.files import outside
from koog.core.stdin import text_or_stdin
from koog.core.text.untrusted import visible
from koog.search import find
from koog.search.categories import CONVERSATIONS

if TYPE_CHECKING:
    from koog.core.run import Run

MOST, ANSWER_CHARS, DEEP = 40, 160, 8


def read(run: Run, named: str) -> list[str]:
    """Return the questions of a file, one a line; `-` is stdin. Raises NotFound, UsageError."""
    if named == "-":
        text = text_or_stdin(named, what="--questions")
    else:
        try:
            text = outside.given(named, workspace=run.workspace.files).decode("utf-8", "replace")
        except OSError as e:
            raise NotFound(f"{named}: {e.strerror}", hint="--questions FILE: one question a line") from None
    questions = [row.strip() for row in text.splitlines() if row.strip() and not row.startswith("#")]
    if not questions:
        raise UsageError(f"no question in {named}", hint="one question a line")
    return questions[:MOST]


def answered(questions: list[str], before: Run, after: Run) -> list[dict[str, Any]]:
    """Return what both say to each question; what a transcript itself says is in both, and left out."""
    rows = []
    for question in questions:
        old, new = _best(before, question), _best(after, question)
        is_same = (old or {}).get("text") == (new or {}).get("text")
        rows.append({"question": clip(question, ANSWER_CHARS), "before": old, "after": new, "same": is_same})
    return rows


def _best(run: Run, question: str) -> dict[str, Any] | None:
    hits = find.find(run, question, limit=DEEP).hits
    hit = next((each for each in hits if not each.path.startswith(f"{CONVERSATIONS}/")), None)
    if hit is None:
        return None
    sure = None if hit.confidence is None else round(hit.confidence, 2)
    return {"path": hit.path, "text": clip(" ".join(visible(hit.text).split()), ANSWER_CHARS), "confidence": sure}
