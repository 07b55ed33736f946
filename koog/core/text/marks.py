"""What koog itself put into a conversation is marked, so that it is never observed again as news.  [design §5]

A startup text, a compiled context or a tip stands between KOOG_BEGIN and KOOG_END; what a
koog command printed is known by its `_meta`. Pure.
"""

from __future__ import annotations

from koog.core.lazy_regex import compiled

KOOG_BEGIN = "<!-- koog:startup -->"
KOOG_END = "<!-- /koog -->"

ANY_BEGIN = r"<!-- koog:[a-z-]+ -->"
# An unclosed block ends with the text: hosts cut long texts at their end. A lone end mark takes nothing with it.
FENCED = rf"(?s){ANY_BEGIN}.*?(?:{KOOG_END}|\Z)|{KOOG_END}"
REPLY = r'(?m)^\{"ok":(?:true|false),[^\n]*"_meta":\{"schema":"koog\.[^\n]*(?:\n|\Z)'


def fenced(text: str) -> str:
    """Return the text between the two marks; marks inside it are defused, or it would end early."""
    inside = text.replace("<!-- koog:", "<!-- koog ").replace(KOOG_END, "<!-- koog -->")
    return f"{KOOG_BEGIN}\n{inside.strip()}\n{KOOG_END}\n"


def without_koog(text: str) -> str:
    """Return the text without koog's own blocks and reply lines.

    >>> without_koog(f"Hello {KOOG_BEGIN}- 🔴 old news{KOOG_END} there")
    'Hello  there'
    """
    if "koog" not in text:
        return text
    return compiled(REPLY).sub("", compiled(FENCED).sub("", text))


def blanked(text: str) -> str:
    """Return what `without_koog` does with the line breaks kept, so that file:line stays true.

    >>> blanked(f"Hello {KOOG_BEGIN}\\n- old news\\n{KOOG_END} there")
    'Hello \\n\\n there'
    """
    if "koog" not in text:
        return text
    for pattern in (FENCED, REPLY):
        text = compiled(pattern).sub(lambda found: "\n" * found[0].count("\n"), text)
    return text
