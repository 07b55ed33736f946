"""When a message is good enough to be sent: both halves, new, distinct, under 500 characters.  [sinain §4.7]"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from koog.core.lazy_regex import compiled
from koog.core.text.measures import repeats

LEAST_INSIGHT = 50  # characters; what is left of a longer insight below this says nothing


@dataclass(frozen=True)
class Output:
    """What to send, or why nothing is sent."""

    suggestion: str | None
    insight: str | None
    skip_reason: str | None = None

    @property
    def skip(self) -> bool:
        return self.skip_reason is not None

    @property
    def chars(self) -> int:
        return 0 if self.skip else len(self.suggestion or "") + len(self.insight or "")


def judge(
    suggestion: str | None, insight: str | None, *, earlier: Sequence[str], known: Sequence[str], limit: int
) -> Output:
    """Return the output if it passes.

    earlier   suggestions and insights of recent outputs
    known     the playbook's lines: an insight that one of them says already is no insight
    limit     characters; the message stays under it, the insight is cut first
    """
    suggestion, insight = _line(suggestion), _line(insight)
    if not suggestion or not insight:
        missing = "suggestion" if not suggestion else "insight"
        return _skip(f"no {missing}: both are needed")
    if any(repeats(told(suggestion), told(text)) for text in earlier):
        return _skip("the suggestion repeats a recent output")
    if repeats(suggestion, insight):
        return _skip("the insight restates the suggestion")
    if any(repeats(told(insight), told(text)) for text in earlier):
        return _skip("the insight repeats a recent output")
    if any(insight == line or insight in line for line in known):
        return _skip("the insight stands in the playbook: obvious")
    room = limit - 1 - len(suggestion)
    if len(insight) > room:
        insight = _cut(insight, room)
        if len(insight) < LEAST_INSIGHT:
            return _skip(f"under {LEAST_INSIGHT} characters are left for the insight")
    return Output(suggestion, insight)


def told(text: str) -> str:
    """Return what a message quotes, or all of it when it quotes nothing: the words around are the same in each.

    >>> told("Make time for what is due tomorrow: “Call Ana” (memory/2026-02-15.md).")
    'Call Ana'
    """
    return " ".join(compiled(r"“([^”]+)”").findall(text)) or text


def _cut(text: str, room: int) -> str:
    """Return the text cut at a word, an ellipsis in place of the rest; "" when there is no room."""
    return text[: room - 1].rsplit(" ", 1)[0].rstrip(" ,;:—-") + "…" if room > 1 else ""


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _skip(reason: str) -> Output:
    return Output(None, None, reason)
