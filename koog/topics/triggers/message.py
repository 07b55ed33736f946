"""One text as the triggers see it: each of its sides is worked out once, and only when a trigger asks.  Pure."""

from __future__ import annotations

from functools import cached_property

from koog.topics.triggers import code_language, languages, links, urgency
from koog.topics.triggers.events import Event
from koog.topics.triggers.literals import fold

CLIP = 80  # characters of what matched
LOOKED_AT = 200_000  # characters; a longer message is a file that somebody pasted, and begins with what it is


class Message:
    """A text on its way in or out, or an event with or without one."""

    def __init__(self, text: str, direction: str, event: Event | None = None) -> None:
        self.text = text[:LOOKED_AT]
        self.direction = direction
        self.event = event

    @cached_property
    def folded(self) -> str:
        """Return the text with all letters of one kind made one, each at its own place."""
        return fold(self.text)

    @cached_property
    def paths(self) -> str:
        """Return the paths that the text names, one a line."""
        return "\n".join(links.paths(self.text))

    @cached_property
    def links(self) -> str:
        """Return the links of the text, one a line."""
        return "\n".join(links.links(self.text))

    @cached_property
    def code(self) -> dict[str, str]:
        """Return language → where it was seen."""
        return code_language.found(self.text)

    @cached_property
    def language(self) -> languages.Guess:
        return languages.guess(self.text)

    @cached_property
    def urgency(self) -> list[str]:
        """Return what presses."""
        return urgency.signs(self.text)


def clip(text: str) -> str:
    """Return a text as one short line.

    >>> clip("a\\n  b")
    'a b'
    """
    line = " ".join(text[: 4 * CLIP].split())
    return line if len(line) <= CLIP else line[: CLIP - 1] + "…"
