"""Where a damaged JSON string ends, and what it says.  [design §4, JSON repair]

Models forget to escape quotes inside strings, forget the closing quote, break lines
and stop in mid-escape. A quote ends a string when what follows it fits the place the
string stands in; inner quotes come in pairs, and a pair is skipped. Every decision
looks a bounded distance ahead, so that reading stays linear.
"""

from __future__ import annotations

import re

from koog.core.model.jsonvalue import whole_characters
from koog.core.named import NamedTuple

QUOTES = "\"'“”„‘’`"
DOUBLE, SINGLE = '“”„"', "‘’'"
CLOSING = {'"': '"', "'": "'", "`": "`", **dict.fromkeys("“”„", DOUBLE), **dict.fromkeys("‘’", SINGLE)}

# What is between one unescaped quote and the next, escapes skipped in pairs.
BODY = {q: re.compile(rf"[^\\{c}]*+(?:\\.[^\\{c}]*+)*+", re.DOTALL) for q, c in CLOSING.items()}

INVISIBLE = r"\s\ufeff\u200b-\u200f\u2060\x00-\x1f"
# Between tokens: blanks, line ends written as escapes, markdown bold, markdown quote marks.
GAP = rf"(?:[{INVISIBLE}]++|\\[nrt]|\*\*|(?<=\n)>)*+"
COMMAS = rf"(?:[,;，、]{GAP})++"
COLON = rf"{GAP}[:=：]"
COMMENT = r"(?://|/\*|#)"
QUOTED_KEY = rf"""(?:"[^"\n]{{0,128}}"|'[^'\n]{{0,128}}'|[“”„][^“”„"\n]{{0,128}}[“”"]){COLON}"""
KEY = rf"""(?:{QUOTED_KEY}|[\w$@][\w$@./-]{{0,63}}["'”]?{COLON})"""
# A word or a number as far as the text goes.
CUT_WORD = r"(?:\b(?:t(?:ru?)?|f(?:al?|als)?|n(?:ul?|on?|a)?|u(?:nd?|nde\w{0,4})?)|[-+.])\Z"
VALUE = rf"(?:[{QUOTES}\[{{(]|[-+.]?\d|\b(?:true|false|null|none|nan|undefined)\b|{CUT_WORD}|\.\.\.|…)"
# A "#" that touches the quote is text ("#4" passed), a comment keeps a blank.
_ENDS = rf"\Z|[\]}})]|```|<\||(?<=\s){COMMENT}|/\*|\+\s*[\"'`]"
# An element that a lost comma leaves on a line of its own.
_ON_A_LINE = r"(?<=\s)(?:[{\[]|(?:[-+]?\d[\d.eE+-]*+|true|false|null)[ \t]*[,\]\n])"

# What may follow a string: as a member's value, and as an element.
FOLLOWS = {
    "{": re.compile(
        rf"{GAP}(?:{_ENDS}|{COMMAS}(?:\Z|[\]}}){{{QUOTES}]|{KEY}|{COMMENT}|\.\.\.)|{QUOTED_KEY}|(?<=\s){KEY})"
    ),
    "[": re.compile(
        rf"{GAP}(?:{_ENDS}|{COMMAS}(?:\Z|[\]}})]|{VALUE}|{COMMENT})|(?<=\s)[{QUOTES}]|{_ON_A_LINE})", re.IGNORECASE
    ),
}
CLOSERS_TO_THE_END = re.compile(r"\s*(?:[\]})]\s*)++(?:\Z|```)")
NEW_MEMBER = re.compile(QUOTED_KEY)
NEW_ELEMENT = re.compile(r'"[^"\n]{0,128}"\s*[,\]]')
LINE_END = re.compile(r"[ \t]*\n")
CLOSER_LINE = re.compile(r"[ \t,]*\r?\n\s*[\]}]")

BLANK = " \t\r\n"

ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{0,3}\Z|.|\Z)", re.DOTALL)
ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": "",
    **{c: c for c in "/\\\"'`_"},  # "_": escaped for markdown
}  # fmt: skip


class Unreadable(ValueError):
    """Not almost-JSON, or readable in more than one way. `at` is the offset reached."""

    def __init__(self, at: int) -> None:
        super().__init__(f"unreadable at offset {at}")
        self.at = at


class String(NamedTuple):
    """One string read: what it says, the offset behind it, and whether its end was supplied."""

    value: str
    end: int
    closed_here: bool


def read(text: str, start: int, place: str) -> String:
    """Return the string value whose opening quote is at start.

    place   "{" for a member's value, "[" for an element: decides what may follow

    A string that the text ends in, or whose closing quote is missing, comes back with
    closed_here. Raises Unreadable when it has inner quotes and no end.
    """
    triple = _triple(text, start)
    if triple:
        return triple
    body, follows = BODY[text[start]], FOLLOWS[place]
    in_pair, inner, braces, last = False, False, 0, start
    line_ends = []
    at = body.match(text, start + 1).end()  # type: ignore[union-attr]  # matches "", so always
    while at < len(text) and text[at] != "\\":  # a backslash here is the last character of the text
        braces += text.count("{", last, at) - text.count("}", last, at)
        if follows.match(text, at + 1) if not in_pair else CLOSERS_TO_THE_END.match(text, at + 1):
            return String(decode(text[start + 1 : at]), at + 1, False)
        if doubled := _doubled_quote(text, start, at, last=last, follows=follows):
            return doubled
        if not in_pair and braces <= 0 and (end := _end_before(text, start, at, place)):
            return _without_end(text[start + 1 : end], end)
        if LINE_END.match(text, at + 1):
            line_ends.append(at)
        if not _is_apostrophe(text, at):
            inner, in_pair = True, not in_pair and _opens_pair(text, start, at)
        last, at = at, body.match(text, at + 1).end()  # type: ignore[union-attr]  # matches "", so always
    if len(line_ends) == 1:
        return String(decode(text[start + 1 : line_ends[0]]), line_ends[0] + 1, False)
    if inner:  # which of its quotes ended it, nobody can tell
        raise Unreadable(len(text))
    return _cut(text, start)


def _triple(text: str, start: int) -> String | None:
    """Return a Python triple-quoted string, if one starts here and ends somewhere."""
    marks = text[start] * 3
    if text[start] not in "\"'" or not text.startswith(marks, start):
        return None
    end = text.find(marks, start + 3)
    return String(decode(text[start + 3 : end]), end + 3, False) if end > 0 else None


def _doubled_quote(text: str, start: int, at: int, *, last: int, follows: re.Pattern[str]) -> String | None:
    """Return a string whose opening or closing quote was written twice: ""text" or "text"".

    last   the offset of the quote before the one at `at`
    """
    if last == start and text.startswith(text[at], at + 1) and follows.match(text, at + 2):
        return String(decode(text[start + 1 : at]), at + 2, False)
    if last == start + 1 and follows.match(text, at + 1):
        return String(decode(text[start + 2 : at]), at + 1, False)
    return None


def _is_apostrophe(text: str, at: int) -> bool:
    """Tell whether a quote stands between two letters or digits."""
    return text[at - 1].isalnum() and text[at + 1 : at + 2].isalnum()


def _opens_pair(text: str, start: int, at: int) -> bool:
    """Tell whether an inner quote opens a quotation: after a blank or a sign, before neither blank nor end."""
    before, after = text[at - 1], text[at + 1 : at + 2]
    return (at - 1 == start or not before.isalnum()) and bool(after) and not after.isspace()


def _end_before(text: str, start: int, at: int, place: str) -> int | None:
    """Return where a string without its closing quote ends, when the quote at `at` opens what comes next."""
    member = NEW_MEMBER.match(text, at)
    if not member and (place == "{" or not NEW_ELEMENT.match(text, at)):
        return None
    end = _back_over(BLANK, text, start + 1, at)
    if text[end - 1] in ",;，" and end > start + 1:
        end -= 1
    elif "\n" not in text[end:at]:
        return None
    before_closers = _back_over(BLANK + "[]{},", text, start + 1, end)
    if CLOSER_LINE.match(text, before_closers):
        return before_closers
    return None if member and place == "[" else end


def _back_over(characters: str, text: str, floor: int, at: int) -> int:
    """Return the offset behind the last character before `at` that is none of these."""
    while at > floor and text[at - 1] in characters:
        at -= 1
    return at


def _without_end(raw: str, end: int) -> String:
    r"""Decode a string without closing quote, or with one that a lone backslash swallowed, as in "C:\dir\"."""
    if raw.endswith('\\"') and raw.count('\\"') % 2:
        return String(decode(raw[:-2]) + "\\", end, False)
    return String(decode(raw), end, True)


def _cut(text: str, start: int) -> String:
    """Return a string that has no end: up to closing brackets on lines of their own, else all of it."""
    kept = len(text.rstrip(" \t\r\n]}`"))
    if kept > start and CLOSER_LINE.match(text, kept):
        return String(decode(text[start + 1 : kept]), kept, True)
    return String(decode(text[start + 1 :], cut=True), len(text), True)


def decode(raw: str, *, cut: bool = False) -> str:
    r"""Return what a string's source says. Unknown escapes stay as they are (\d, \s of a regex).

    cut   the text stopped inside this string: half an escape at its end is dropped

    >>> decode("a\\tb \\u00e9 \\d+"), decode("smile \\ud83d", cut=True)
    ('a\tb é \\d+', 'smile ')
    """
    if "\\" not in raw:
        return raw

    def replaced(match: re.Match[str]) -> str:
        code = match[1]
        if len(code) > 2 and (len(code) == 5 or code[0] == "x"):
            return chr(int(code[1:], 16))
        if cut and match.end() == len(raw) and code[:1] in ("u", ""):
            return ""
        return ESCAPES.get(code, match[0])

    value = ESCAPE.sub(replaced, raw)
    if cut and value and "\ud800" <= value[-1] <= "\udbff":
        value = value[:-1]
    return whole_characters(value)
