"""Does a sentence need the one before it to be understood?  Pure.

Signs of grammar in English, German, Spanish, French, Chinese and Japanese, no word of any subject: who begins with a
pronoun speaks of something that was named before.
"""

from __future__ import annotations

from koog.core.lazy_regex import compiled

# At the very beginning, or behind one word: "Set it to 5", "While that runs". Japanese and Chinese have no blanks.
BARE = (
    r"it|its|it['’]s|that|that['’]s|this|these|those|them|they|they['’]\w+|he|she|he['’]s|she['’]s|his|her|their"
    r"|es|das|dies\w*|damit|dadurch|deshalb|daher|dabei|davon|dort|er|sie|ihm|ihn|ihr\w*|sein\w*"
    r"|il|ils|elle|elles|ce|c['’]\w+|cela|ça|celui|celle|ceux|cette|cet|ces|son|sa|ses|leurs?"
    r"|él|ella|ellos|ellas|eso|esto|ese|esa|esos|esas|este|esta|estos|estas|su|sus|lo"
)
BEHIND_ONE = r"it|that|this|them|those|these|es|das|dies\w*|cela|ça|celle|celui|eso|esto"
WIDE = r"[它他她]|这[个些样种]?|那[个些样种]?|其|これ|それ|あれ|この|その|あの|彼"
ARTICLE = r"(?-i:[Dd](?:as|ies\w*) [A-ZÄÖÜ])"  # of a German noun: it names what it speaks of
POINTS_BACK = rf"(?i)\W*(?!{ARTICLE})(?:(?:{BARE})(?![\w'’])|[^\W\d_]+ (?:{BEHIND_ONE})(?![\w'’])|{WIDE})"
# At the very beginning of what somebody says: it goes on with what he said before.
GOES_ON = (
    r"(?i)\W*(?:(?:and|und|et|y|e)\s|而且|还有|并且|そして|それと"
    r"|(?:(?:because|weil|denn|parce qu|porque)\b|因为|なぜなら)[^,;，；、]*$)"  # "Because it rained, we …" is whole
)


def points_back(text: str) -> bool:
    """Return whether a sentence begins with what stands for something named before it.

    >>> [points_back(t) for t in ("She moved in May", "Set it to 5", "Damit lief es", "它明天到期", "Metro died")]
    [True, True, True, True, False]
    """
    return compiled(POINTS_BACK).match(text) is not None


def goes_on(text: str) -> bool:
    """Return whether a sentence goes on with what its speaker has said before.

    >>> [goes_on(t) for t in ("and never on a Friday", "weil es regnet", "Because it rained, we left", "Android first")]
    [True, True, False, False]
    """
    return compiled(GOES_ON).match(text) is not None
