"""What mostly says how glad somebody is, or hopes to be: it binds nobody, and a month tells it last.

Talk is full of it ("we should really appreciate the small things"), and the learned judges take much of it for what was
learned or decided: it is short, general and earnest. Pure.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled
from koog.core.text import cues, sentiment
from koog.core.text.says import says
from koog.memory.names import mentions


def is_joy(text: str) -> bool:
    """Return whether a text is glad, and names nobody, nothing and no number.

    >>> is_joy("We should really appreciate the small things."), is_joy("I love how Ruff sorts imports.")
    (True, False)
    """
    is_glad = sentiment.valence(text) >= sentiment.NOTABLE or compiled(cues.GLAD, re.I).search(text) is not None
    return is_glad and not says(text).numbers and not mentions.found(text)
