"""What mostly says how glad somebody is, or hopes to be: it binds nobody, and a month tells it last.

Talk is full of it ("we should really appreciate the small things"), and the learned judges take much of it for what was
learned or decided: it is short, general and earnest. Pure.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled
from koog.core.text import cues, kinds, sentiment
from koog.core.text.says import says
from koog.memory.names import mentions

SETTLED = (
    r"\b(?:decid|decision|agreed|settled)|from (?:now|here) on\b"
    r"|\b(?:beschlossen|entschieden|vereinbart|ab jetzt|ab sofort)\b|\b(?:decidi|acord|a partir de ahora)"
    r"|\bdésormais\b|\bdorénavant\b|\bà partir de maintenant\b|决定|从现在起|決め|今後|これから"
)


def is_joy(text: str) -> bool:
    """Return whether a text is glad, and names nobody, nothing and no number; what is decided is more than that.

    >>> is_joy("We should really appreciate the small things."), is_joy("I love how Ruff sorts imports.")
    (True, False)
    """
    if kinds.by_cue(text) == "decision" or cues.has(SETTLED, text):
        return False
    is_glad = sentiment.valence(text) >= sentiment.NOTABLE or compiled(cues.GLAD, re.I).search(text) is not None
    return is_glad and not says(text).numbers and not mentions.found(text)
