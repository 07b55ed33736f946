"""A text cut short for a line that has to stay short."""

from __future__ import annotations


def clip(text: str, chars: int) -> str:
    """Return the text cut at a word to at most so many characters, with an ellipsis where it was cut.

    >>> clip("raise the inotify limit", 12)
    'raise the…'
    """
    if len(text) <= chars:
        return text
    words = text[:chars].rsplit(None, 1) or [""]
    return words[0][: chars - 1].rstrip(" ,;:") + "…"
