"""How a text is split into words: by measures, by the index and by a query. Pure.  [design §4 "one reading"]

FTS5's tokenizer takes a run of Chinese, Japanese, Thai … letters for one word, because
no blank divides them: then nothing but the whole run is ever found. Each letter is
made a word of its own here; a query turns a run into a phrase of its letters. Measures
compare letters and pairs of them, which are nearer to words.
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
HANGUL = "\uac00-\ud7a3"
# What Korean hangs on to a noun; with it, no two sentences have the same words.
PARTICLES = (
    rf"(?<=[{HANGUL}]{{2}})(?:에서는?|에게서?|으로는?|이라는|라는|까지는?|부터|에는|하고|처럼|보다"
    r"|[은는이가을를에의로와과도만])\Z"
)
WORD = compiled(r"[^\W_]+(?:[._/'’+#-][^\W_]+)*[+#]*")
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


def tokens(text: str) -> list[str]:
    """Return the words of a text as they stand, in their order; what is written without blanks in letters and pairs.

    >>> tokens("Use v1.2 of c++"), tokens("每周五deploy"), tokens("서버를 배포")
    (['Use', 'v1.2', 'of', 'c++'], ['每', '每周', '周', '周五', '五', 'deploy'], ['서버', '배포'])
    """
    found = WORD.findall(text)
    return found if text.isascii() else [part for word in found for part in _parts(word)]


def runs(word: str) -> list[tuple[str, bool]]:
    """Return a word in runs of one kind of script, each with whether it is written without blanks.

    >>> runs("東京v2")
    [('東京', True), ('v2', False)]
    """
    if word.isascii():
        return [(word, False)]
    found = compiled(f"(?P<unspaced>{LETTER}+)|[{HANGUL}]+|[^{UNSPACED}{HANGUL}]+").finditer(word)
    return [(run[0], bool(run["unspaced"])) for run in found]


def _parts(word: str) -> list[str]:
    parts: list[str] = []
    for run, unspaced in runs(word):
        if unspaced:
            pairs = (run[at : at + 2] for at in range(len(run)))
            parts += [part for pair in pairs for part in dict.fromkeys((pair[0], pair))]
        elif part := compiled(PARTICLES).sub("", run).strip("._/'’-"):
            parts.append(part)
    return parts
