"""How a text is split into words, the same way in the index and in a query. Pure.

FTS5's tokenizer takes a run of Chinese, Japanese, Thai … letters for one word, because
no blank divides them: then nothing but the whole run is ever found. Each letter is
made a word of its own here; a query turns a run into a phrase of its letters.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled

# Han and its extensions, kana, bopomofo, Thai, Lao, Khmer, Myanmar; Hangul has blanks between words.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c"
    "\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U0003fffd"
)
LETTER = f"[{UNSPACED}]"  # compiled at first use: it takes 3 ms, and most texts have none
COMMENT = r"<!--.*?(?:-->|\Z)"


def spaced(text: str) -> str:
    """Return the text with blanks around each letter of a script that is written without blanks.

    >>> spaced("東京 and more")
    ' 東  京  and more'
    """
    return text if text.isascii() else compiled(LETTER).sub(r" \g<0> ", text)


def indexed(text: str) -> str:
    """Return what of a passage the index takes: no HTML comment, because a person who reads the note sees none.

    >>> indexed("- 09:14 Deploys go out on Tuesdays <!-- dc:type=rule -->")
    '- 09:14 Deploys go out on Tuesdays  '
    """
    return spaced(compiled(COMMENT, re.DOTALL).sub(" ", text) if "<!--" in text else text)
