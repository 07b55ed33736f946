"""What mostly says how glad somebody is, or hopes to be: it binds nobody, and a month tells it last.

Talk is full of it ("we should really appreciate the small things"), and the learned judges take much of it for what was
learned or decided: it is short, general and earnest. Pure.
"""

from __future__ import annotations

from koog.core.text import cues, kinds, sentiment
from koog.core.text.says import says
from koog.memory.names import mentions


def is_joy(text: str) -> bool:
    """Return whether a text is glad, and names nobody, nothing and no number.

    What was decided, or holds from now on, is more than that.

    >>> is_joy("We should really appreciate the small things."), is_joy("I love how Ruff sorts imports.")
    (True, False)
    """
    told = says(text)
    if told.numbers or "onward" in told.cues or kinds.by_cue(text) == "decision" or mentions.found(text):
        return False
    return cues.has(cues.GLAD, text) or sentiment.valence(text) >= sentiment.NOTABLE
