"""Which turn a model's observation rests on, and who is behind it.  [design §4, §5]

A turn that holds enough of its words; what a page says is not laid into the user's mouth, nor is what the user only
quotes. Where the user agrees to what an agent stated, both turns hold it, and it is the user's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from koog.core.named import NamedTuple
from koog.core.text.grounding import FRAME, GROUNDED, held
from koog.core.text.measures import content_words
from koog.core.text.negation import is_denied
from koog.core.text.replies import NO
from koog.core.text.statement import Statement
from koog.core.text.voices import AGENT, PERSON, QUOTED, TOOL
from koog.sessions.turn import Turn

SETTLED = frozenset(("rule", "preference", "habit", "goal", "decision"))  # what is the user's when he agreed to it


class Ground(NamedTuple):
    """What an observation rests on.

    turn    its number, from 1, among those that were asked about
    trust   who is behind it
    rows    of a tool or a page that say it; of a person what he said there, with what he answered
    """

    turn: int
    trust: str
    rows: tuple[str, ...] = ()


class Read:
    """Turns that an engine was asked about, as far as they are needed to look where an observation comes from."""

    def __init__(self, turns: Sequence[Turn], before: Sequence[Turn] = ()) -> None:
        self.turns, self.first = (*before, *turns), len(before)

    def ground(self, text: str, row: dict[str, Any]) -> Ground | None:
        """Return what an observation rests on, None when no turn says it.

        The cited turn if it holds enough of the words, and no tool holds more; else the one that holds most.
        """
        words = content_words(text) - FRAME
        needed = max(1.0, GROUNDED * len(words))
        spoken = max(needed, max((self._held(words, n) for n in self._of("tool")), default=0))
        told = (row["turn"], *(row.get("with") or ()))
        numbers = [n + self.first for n in told if n is not None]
        cited = [n for n in numbers if self.first < n <= len(self.turns)]
        denies = is_denied(text)
        for n in cited:
            if self.turns[n - 1].role == "user" and held(words, self._users(n, cited, denies=denies)) >= spoken:
                return self._persons(n, cited)
        at = cited[0] if cited and self._held(words, cited[0]) >= spoken else None
        if at is None or row["type"] in SETTLED:
            users = ((held(words, self._users(n, cited, denies=denies)), n) for n in self._of("user"))
            most, own = max(users, default=(0, 0))
            if most >= spoken:
                return self._persons(own, cited)
        if at is None:
            new = range(self.first + 1, len(self.turns) + 1)
            most, at = max(((self._held(words, n), -n) for n in new), default=(0, 0))
            at = -at
            if most < needed:
                return None
        role = self.turns[at - 1].role
        if role == "assistant" and row["type"] in SETTLED and not denies and self._is_refused(at):
            return None
        rows = [
            each for each in self.turns[at - 1].text.split("\n") if 2 * held(words, content_words(each)) >= len(words)
        ]
        who = {"user": QUOTED, "assistant": AGENT}.get(role, TOOL)
        return Ground(at - self.first, who, tuple(rows) if who in (QUOTED, TOOL) else ())

    def _of(self, role: str) -> list[int]:
        return [n for n, turn in enumerate(self.turns, 1) if turn.role == role and n > self.first]

    def _held(self, words: frozenset[str], n: int) -> int:
        return held(words, content_words(self.turns[n - 1].text))

    def _persons(self, n: int, cited: Sequence[int]) -> Ground:
        return Ground(n - self.first, PERSON, tuple(each.told for m in {n, *cited} for each in self._own.get(m, ())))

    def _users(self, n: int, cited: Sequence[int], *, denies: bool) -> frozenset[str]:
        """Return the user's own words in a turn and in those cited with it, and those that he answers there.

        denies   the text that is looked for says no: else what he refused is not his
        """
        words = content_words(" ".join(each.text for m in {n, *cited} for each in self._own.get(m, ())))
        answers = [each for each in self._own.get(n, ()) if each.reply and (each.reply != NO or denies)]
        if not answers:
            return words
        said = self.turns[agents[-1] - 1].text if (agents := self._agents_before(n)) else ""
        return words | content_words(" ".join((said, *(lean for each in answers for lean in each.leans))))

    def _is_refused(self, n: int) -> bool:
        """Return whether the user says no to what an agent said in a turn."""
        return any(
            each.reply == NO and self._agents_before(m)[-1:] == [n] for m, said in self._own.items() for each in said
        )

    def _agents_before(self, n: int) -> list[int]:
        return [m for m, turn in enumerate(self.turns[: n - 1], 1) if turn.role == "assistant"]

    @cached_property
    def _own(self) -> dict[int, list[Statement]]:
        """Return by turn what is the user's own."""
        from koog.core.text import talk

        own: dict[int, list[Statement]] = {}
        for each in talk.of_turns([talk.Said(turn.role, turn.text) for turn in self.turns]):
            if each.trust == PERSON:
                own.setdefault(each.turn, []).append(each)
        return own
