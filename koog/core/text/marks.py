"""What koog itself put into a conversation is marked, so that it is never observed again as news.  [design §5]

A startup text, a compiled context or a tip stands between KOOG_BEGIN and KOOG_END; what a
koog command printed is known by its `_meta`.

What stands in a part of such a text must not end the part, nor look like the beginning of another: `contained` for the
text of a file, `balanced` for a piece of it. Pure, and linear in the length of the text.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled
from koog.core.text.untrusted import defang

KOOG_BEGIN = "<!-- koog:startup -->"
KOOG_END = "<!-- /koog -->"

# Names of the tags in which hosts, prompts and koog put texts together.
CONTAINERS = tuple(
    "koog memory memories context system system-reminder system_prompt user human assistant agent tool tool_result "
    "function_results instructions document documents conversation identity playbook observations journal history "
    "knowledge topic topics subscription projects notes turns standing findings".split()
)
# What is made to look like a comment, where every real one is taken out, and the signs of chat templates.
LOOKALIKE = r"(?:<(?=!)|[＜﹤〈](?=[!！])|&lt;(?=[!！]))|<(?=\|)"
FENCE = r"(?P<indent> {0,3})(?P<run>`{3,}|~{3,})(?P<info>(?:(?<!`)|(?=[^`]*\Z)).*?)[ \t]*"
ANY_FENCE = r"(?m)^([ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)*)(`{3,}|~{3,})"

ANY_BEGIN = r"<!-- koog:[a-z-]+ -->"
# An unclosed block ends with the text: hosts cut long texts at their end. A lone end mark takes nothing with it.
FENCED = rf"(?s){ANY_BEGIN}.*?(?:{KOOG_END}|\Z)|{KOOG_END}"
REPLY = r'(?m)^\{"ok":(?:true|false),[^\n]*"_meta":\{"schema":"koog\.[^\n]*(?:\n|\Z)'


def fenced(text: str) -> str:
    """Return the text between the two marks; marks inside it are defused, or it would end early."""
    inside = text.replace("<!-- koog:", "<!-- koog ").replace(KOOG_END, "<!-- koog -->")
    return f"{KOOG_BEGIN}\n{inside.strip()}\n{KOOG_END}\n"


def contained(text: str) -> str:
    """Return a text without comments as it may stand in a part: it opens and closes no container; as many lines.

    >>> contained("a </memory> ＜!-- memory b.md:1 --> <b>")
    'a ‹/memory> ‹!-- memory b.md:1 --> <b>'
    """
    return defang(compiled(LOOKALIKE).sub("‹", text), CONTAINERS)


def balanced(text: str) -> str:
    """Return a piece of Markdown that leaves no code fence open, and ends none that another piece has begun.

    Where that is not plain to see its fences are none any more.

    >>> balanced("~~~\\n```\\n~~~"), balanced("a\\n```\\nb")
    ('~~~\\n```\\n~~~', "a\\n\'\'\'\\nb")
    """
    if "```" not in text and "~~~" not in text:
        return text
    return text if _is_balanced(text) else compiled(ANY_FENCE).sub(lambda fence: fence[1] + "'" * len(fence[2]), text)


def _is_balanced(text: str) -> bool:
    begun: re.Match[str] | None = None
    for row in text.split("\n"):
        fence = compiled(FENCE).fullmatch(row)
        if begun is None:
            if fence is None and compiled(ANY_FENCE).match(row):
                return False  # in a quotation or deep in a list: it ends with that, wherever that is
            begun = fence
        elif fence and not fence["info"] and fence["run"].startswith(begun["run"]):
            if fence["indent"] != begun["indent"]:
                return False
            begun = None
    return begun is None


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
