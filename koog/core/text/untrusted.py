"""Text from outside is data: private blocks, hidden characters, tags that would end a prompt's section.  [design.md §4]

    clean           what may go to disk, log and git: no private block, no secret
    visible         what a person would see: no comment, no hidden character
    defang          what may stand between <name> and </name> in a prompt

Pure and linear in the length of the text; no line break is ever lost, so that file:line
stays true. Secrets are found in secret_scan, orders to the agent in directives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from koog.core.lazy_regex import compiled, personal
from koog.core.text.secrets import line_breaks, redact_secrets

# --- private blocks

# An unfinished tag counts, and so does <private/>: whoever wrote it meant something to stay private.
PRIVATE = compiled(r"<\s*(?:(?P<close>/)\s*)?private(?![\w:-])[^<>]*(?:>|(?=<)|\Z)", re.IGNORECASE)


def strip_private(text: str) -> str:
    """Return the text without its <private>…</private> blocks, their line breaks kept.

    Depth is counted; unclosed means to the end; a closing tag too many is removed.

    >>> strip_private("a <private>b <PRIVATE why='x'>c</private> d</private> e </private>f")
    'a  e f'
    """
    return _until_stable(text, _without_private, found=PRIVATE)


def is_left_open(text: str) -> bool:
    """Return whether a private block of a text ends in another one, which follows."""
    return _depths(text)[0] > 0


def is_closed_here(text: str) -> bool:
    """Return whether a text ends a private block that began in another one, before it."""
    return _depths(text)[1] < 0


def _depths(text: str) -> tuple[int, int]:
    """Return how many blocks are open at the end of a text, none being too few, and the least that ever were."""
    depth = least = total = 0
    for tag in PRIVATE.finditer(text):
        total += -1 if tag["close"] else 1
        depth, least = max(0, depth - 1) if tag["close"] else depth + 1, min(least, total)
    return depth, least


def _without_private(text: str) -> str:
    out, last, depth = [], 0, 0
    for tag in PRIVATE.finditer(text):
        before = text[last : tag.start()]
        out += [line_breaks(before) if depth else before, line_breaks(tag[0])]
        depth = max(0, depth - 1) if tag["close"] else depth + 1
        last = tag.end()
    rest = text[last:]
    return "".join((*out, line_breaks(rest) if depth else rest))


def clean(text: str) -> str:
    """Return what may go to disk, log and git: without private blocks and secrets."""
    return redact_secrets(strip_private(text))


def _until_stable(text: str, remove: Callable[[str], str], *, found: re.Pattern[str]) -> str:
    """Remove until nothing is found: taking one thing out can put another together ("<pri<private></private>vate>").

    Who nests that deeper than a few levels attacks; then the `<` of the rest becomes `‹`.
    """
    for _ in range(4):
        if not found.search(text):
            return text
        text = remove(text)
    return found.sub(lambda match: match[0].replace("<", "‹"), text)


# --- what a person would see

# Zero-width and joining characters, bidi controls, fillers, variation selectors but the two of emoji, musical and
# shorthand controls, interlinear marks, tags; half a surrogate pair.
HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff"
)
CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
# CSI sequences, then strings (window titles, links; unfinished ones end with the line), then the short ones. Not their
# one-byte forms: those bytes are in every text that was decoded wrongly, and would take the line with them.
ANSI = r"\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?"
COMMENT = compiled(r"<!--.*?(?:--!?>|\Z)", re.DOTALL)


def visible(text: str) -> str:
    """Return the text without HTML comments, hidden characters, terminal escapes and control characters.

    An unclosed comment ends with the text. Tab and line break stay, carriage returns go.
    """
    text = without_hidden(text)
    return _until_stable(text, lambda t: COMMENT.sub(lambda comment: line_breaks(comment[0]), t), found=COMMENT)


def without_hidden(text: str) -> str:
    """Return the text without hidden characters, terminal escapes and control characters; comments stay."""
    return compiled(f"{ANSI}|[{HIDDEN}{CONTROLS}]").sub("", text)


def defang(text: str, names: Iterable[str]) -> str:
    """Return a text that opens and closes none of these tags: their `<` becomes `‹`.

    >>> defang("see </Notes > and <b>", ["notes"])
    'see ‹/Notes > and <b>'
    """
    named = [name for name in sorted(names) if name]
    if not named or "<" not in text or not _may_hold(text, named):
        return text
    hidden = f"[{HIDDEN}{CONTROLS}]*"
    spelled = "|".join(hidden.join(map(re.escape, name)) for name in named)
    return re.sub(rf"<(?=[\s/\\{HIDDEN}{CONTROLS}]*(?:{spelled})(?!\w))", "‹", text, flags=re.IGNORECASE)


def _may_hold(text: str, names: Iterable[str]) -> bool:
    """Return whether a text may open or close such a tag: the pattern that sees all spellings is slow to compile."""
    plain = compiled(f"[{HIDDEN}{CONTROLS}]+").sub("", text)
    return personal(rf"(?i)<[\s/\\]*(?:{'|'.join(map(re.escape, names))})").search(plain) is not None
