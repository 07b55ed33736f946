"""Does a sentence speak of whoever says it? Pure."""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled

SELF = (
    r"\b(?:i|me|my|mine|myself|we|our|us|you|your|ich|mich|mir|mein\w*|wir|uns|unser\w*|du|dir|dich|ihr|yo|mí?|mis|me"
    r"|nos|nosotros|nuestr\w+|tú?|tus?"
    r"|je|j|moi|mon|ma|mes|nous|notre|nos|tu|vous|votre)\b|[我咱你您]|私|僕|俺|うち|あなた"
)


def is_of_self(text: str) -> bool:
    """Return whether a sentence speaks of its speaker, so that it has to be said who that is.

    >>> is_of_self("My sister lives in Porto"), is_of_self("Ana lives in Porto")
    (True, False)
    """
    return compiled(SELF, re.IGNORECASE).search(text) is not None
