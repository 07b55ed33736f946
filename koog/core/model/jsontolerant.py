"""One container of almost-JSON, read from its opening bracket.  [design §4, JSON repair]

An explicit stack instead of recursion; each step looks a bounded distance ahead, so
reading is linear. Forgiven: comments, bare words, Python and JavaScript literals,
missing or doubled commas, colons and brackets, damaged strings (jsonstrings.py), a
text that stops anywhere. What cannot be read one way only is Unreadable.
"""

from __future__ import annotations

import math
import re
from typing import Any

from koog.core.model import jsonstrings
from koog.core.model.jsonstrings import (
    BODY,
    COMMENT,
    FOLLOWS,
    GAP,
    INVISIBLE,
    KEY,
    QUOTED_KEY,
    QUOTES,
    VALUE,
    Unreadable,
)
from koog.core.model.jsonvalue import MAX_DEPTH, TOKEN, JSONRepairError
from koog.core.named import NamedTuple

OPENER_OF = {"}": "{", "]": "[", ")": "("}
SKIP = re.compile(rf"(?:[{INVISIBLE}]++|\\[nrt]|\*\*|(?<=\n)>|//[^\n]*+|#[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z))*+")
SEPARATORS = ",;，、"
MEMBER = re.compile(QUOTED_KEY)
ELLIPSIS = re.compile(r"\.{3,}|…")
COLON = re.compile(r"[:=：]{1,2}>?")
VALUE_START = re.compile(rf"{GAP}{VALUE}", re.IGNORECASE)

BARE_KEY = re.compile(r"""([\w$@][\w$.@/-]*+)["'”]?\s*(?=[:=：])""")
HALF_QUOTED_KEY = re.compile(r"""["'“]([\w$.-]++)\s*(?=[:=：])""")
KEY_WITH_QUOTES = re.compile(r'"([^{}\[\]:,\n]{0,256}?)"\s*(?=[:：])')
PLUS = re.compile(r"\s*\+\s*(?=[\"'`])")
# The inner quotes around a colon are escaped: {"a\\": \\"b"}. The value's closing quote may be, too.
ESCAPED_COLON = re.compile(r'"([^"\\\n]{1,128})\\"(?=\s*:)')
ESCAPED_STRING = re.compile(r'\\"((?:[^"\\\n]|\\[^"\n])*+)\\"(?=\s*(?:[}\]]|,\s*\\?["{\[\d-]))')
CUT_KEY = re.compile(r"[\w$.-]*\Z")
NEXT_MEMBER = re.compile(rf"{GAP},{GAP}{QUOTED_KEY}")
NEXT_CONTAINER = re.compile(rf"{GAP},{GAP}[{{\[]")
CLOSER_OR_MEMBER = re.compile(rf"{GAP}(?:[\]}}]|,{GAP}(?:{QUOTED_KEY}|[{{\[]))")
MOST_AHEAD = 16384  # characters read ahead of closers of the wrong kind; a message may hold thousands of them

ATOM = re.compile(rf"(?:[^{INVISIBLE},;，{{}}\[\]()\"“”‘’\\/]|\\(?![nrt])|/(?!\*))++")
GROUPED_NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})+(?=\s*(?:[}\n]|,\s*[\"'\n]))")
AFTER_ATOM = re.compile(rf"{GAP}(?:[,;，\]}})]|\Z|{COMMENT}|```|<\|)")
BARE_TEXT = re.compile(r"[^,，{}\[\]\"“”\n]*+")
AFTER_BARE = re.compile(rf"\"?\s*(?:\Z|[\]}}\n]|[,，]\s*(?:\Z|[\]}}]|{KEY}|{COMMENT}))")

NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*+(?:_\d+)*)(\.\d*)?([eE][-+]?\d+)?|[-+]?(\.\d+)")
CUT_NUMBER = re.compile(r"([-+]?\d*\.?\d*)[eE]?[-+]?")
LITERALS: dict[str, Any] = {
    "true": True, "false": False, "null": None, "none": None, "undefined": None,
    "nan": None, "infinity": None, "-infinity": None, "+infinity": None, "inf": None, "-inf": None,
}  # fmt: skip
STRUCTURE = re.compile(r'["{}\[\]]')
NOTHING = object()  # what is left of a value that was cut before it said anything


class Parsed(NamedTuple):
    """A container's value, the offset behind it, and whether anything of it had to be closed."""

    value: Any
    end: int
    truncated: bool


class Frame(NamedTuple):
    """An open container. items: dict for "{", list for "[" and "("; doubled: {{ from a template."""

    opener: str
    items: Any
    doubled: bool


def parse(text: str, start: int, *, ahead: int = MOST_AHEAD) -> Parsed:
    """Return the container that opens at start.

    ahead   how many characters may be read ahead, in all, to tell what a closer of the wrong kind closes

    Raises Unreadable when it cannot be understood, JSONRepairError beyond MAX_DEPTH levels.
    """
    return _Parser(text, start, ahead).container()


class _Parser:
    def __init__(self, text: str, start: int, ahead: int) -> None:
        self.text = text
        self.at = start
        self.ahead = ahead
        self.balanced_to = start  # up to here each closer closes one container, whatever its kind
        self.stack: list[Frame] = []
        self.open = {"{": 0, "[": 0, "(": 0}
        self.truncated = False

    def container(self) -> Parsed:
        root = self._push()
        while self.stack:
            self._skip(separators=True)
            if self._ended() or not self._item():
                self.truncated = True
                break
        return Parsed(root, self.at, self.truncated)

    def _skip(self, *, separators: bool = False) -> None:
        self.at = SKIP.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches "", so always
        while separators and self.at < len(self.text) and self.text[self.at] in SEPARATORS:
            self.at = SKIP.match(self.text, self.at + 1).end()  # type: ignore[union-attr]  # matches "", so always

    def _ended(self) -> bool:
        return self.at >= len(self.text) or self.text.startswith(("```", "<|"), self.at)

    def _item(self) -> bool:
        """Read one step: a closer, a member or an element. False: only prose is left."""
        char = self.text[self.at]
        if char in OPENER_OF:
            self._closer(char)
        elif char in ".…" and (found := ELLIPSIS.match(self.text, self.at)):
            self.at, self.truncated = found.end(), True  # the model left something out
        elif self.stack[-1].opener == "{":
            return self._member()
        elif char in QUOTES and self._parent() == "{" and (member := MEMBER.match(self.text, self.at)):
            self._member_among_elements(member[0])
        else:
            self._value(None)
        return True

    def _member_among_elements(self, member: str) -> None:
        """An opening brace is missing, where the list has none yet or its last object has this key; else a closer."""
        items = self.stack[-1].items
        key = member.rstrip(" \t\r\n:=：")[1:-1]
        if not items or (isinstance(items[-1], dict) and key in items[-1]):
            items.append(self._enter("{"))
        else:
            self._pop(closed_here=True)

    # brackets

    def _parent(self) -> str:
        return self.stack[-2].opener if len(self.stack) > 1 else ""

    def _push(self) -> Any:
        opener = self.text[self.at]
        self.at += 1
        return self._enter(opener, doubled=opener == "{" and self._doubled())

    def _enter(self, opener: str, *, doubled: bool = False) -> Any:
        if len(self.stack) == MAX_DEPTH:
            raise JSONRepairError(f"nested deeper than {MAX_DEPTH} levels")
        items: Any = {} if opener == "{" else []
        self.stack.append(Frame(opener, items, doubled))
        self.open[opener] += 1
        return items

    def _doubled(self) -> bool:
        """Skip the second brace of {{, from a template that was never filled."""
        self._skip()
        doubled = self.text.startswith("{", self.at)
        self.at += doubled
        return doubled

    def _pop(self, *, closed_here: bool = False) -> None:
        self.open[self.stack.pop().opener] -= 1
        self.truncated |= closed_here

    def _closer(self, char: str) -> None:
        """Close what this bracket closes; ignore one too many; take a wrong one for the right one."""
        wanted = OPENER_OF[char]
        doubled = self.stack[-1].doubled
        wrong = self.stack[-1].opener != wanted
        more = self.stack[0].opener == "{" and bool(NEXT_MEMBER.match(self.text, self.at + 1))
        closes_root = self.open[wanted] == 1 and self.stack[0].opener == wanted
        if wrong and self._stands_for_the_right_one():
            self._pop()
        elif self.open[wanted] and not (closes_root and more):
            while self.stack[-1].opener != wanted:
                self._pop(closed_here=True)
            self._pop()
        elif not self._repeats(char) and (len(self.stack) > 1 or not more):
            self._pop()
        self.at += 1
        if doubled and self.text.startswith("}", self.at):
            self.at += 1

    def _stands_for_the_right_one(self) -> bool:
        """Tell whether a closer of the wrong kind closes one container only: as many follow as are open then.

        Where the end is out of sight, a list that goes on with a container behind it decides.
        """
        if self.at < self.balanced_to:
            return True
        depth, last = len(self.stack), self.at + self.ahead
        self.ahead = max(0, self.ahead - (len(self.text) - self.at))  # what is not read to the end is used up
        for token in TOKEN.finditer(self.text, self.at, last) if last > self.at else ():
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
            if depth == 0:
                self.ahead = last - token.end()
                self.balanced_to = token.end() if not CLOSER_OR_MEMBER.match(self.text, token.end()) else self.at
                return self.at < self.balanced_to
        return self._parent() == "[" and bool(NEXT_CONTAINER.match(self.text, self.at + 1))

    def _repeats(self, char: str) -> bool:
        before = self.at - 1
        while self.text[before].isspace():
            before -= 1
        return self.text[before] == char

    # members and values

    def _member(self) -> bool:
        if self.text[self.at] == "{" and self._parent() == "[":
            self._pop(closed_here=True)  # [{"a": 1, {"b": 2}]
            return True
        start = self.at
        key = self._key()
        if key is None:
            if self.at < len(self.text) and STRUCTURE.search(self.text, start):
                raise Unreadable(self.at)
            return False
        self._skip()
        colon = COLON.match(self.text, self.at)
        self.at = colon.end() if colon else self.at
        self._skip()
        if self._ended():
            return False
        if self.text[self.at] in ",}]":
            self.stack[-1].items[key] = None
        else:
            self._value(key)
        return True

    def _key(self) -> str | None:
        """Return the key here, or None where the text ends in it or no key can be made out."""
        text, at = self.text, self.at
        if text[at] not in QUOTES:
            bare = BARE_KEY.match(text, at)
            if bare:
                self.at = bare.end()
                return bare[1]
            if CUT_KEY.match(text, at):
                self.at = len(text)
            return None
        if text.startswith(text[at], at + 1) and text[at + 2 : at + 3].isalnum():
            at += 1  # ""key": the opening quote twice
        end = BODY[text[at]].match(text, at + 1).end()  # type: ignore[union-attr]  # matches "", so always
        past = end + 2 if text.startswith(text[at], end + 1) else end + 1  # "key"": the closing quote twice
        behind = SKIP.match(text, min(past, len(text))).end()  # type: ignore[union-attr]  # matches "", so always
        if COLON.match(text, behind):
            self.at = behind
            return jsonstrings.decode(text[at + 1 : end])
        if found := ESCAPED_COLON.match(text, at) or HALF_QUOTED_KEY.match(text, at):
            self.at = found.end()
            return found[1]
        if end >= len(text) - 1 or behind >= len(text):
            self.at = len(text)
            return None
        if VALUE_START.match(text, end + 1):  # the colon is missing
            self.at = end + 1
            return jsonstrings.decode(text[at + 1 : end])
        if found := KEY_WITH_QUOTES.match(text, at):
            self.at = found.end()
            return jsonstrings.decode(found[1])
        raise Unreadable(max(at, end))

    def _value(self, key: str | None) -> None:
        """Read one value and store it: under the key, or as an element."""
        if self.text.startswith('\\"', self.at) and not ESCAPED_STRING.match(self.text, self.at):
            self.at += 1
        char = self.text[self.at]
        frame = self.stack[-1]
        if char in "{[(":
            value = self._push()
        elif char in QUOTES:
            value = self._string("{" if key is not None else "[")
        elif escaped := ESCAPED_STRING.match(self.text, self.at):
            value, self.at = jsonstrings.decode(escaped[1]), escaped.end()
        else:
            value = self._bare(in_object=key is not None)
        if value is NOTHING:
            return
        if key is None:
            frame.items.append(value)
        else:
            frame.items[key] = value

    def _string(self, place: str) -> str:
        parts = []
        while True:
            value, self.at, closed_here = jsonstrings.read(self.text, self.at, place)
            parts.append(value)
            self.truncated |= closed_here
            plus = PLUS.match(self.text, self.at)
            if not plus:
                return "".join(parts)
            self.at = plus.end()

    def _bare(self, *, in_object: bool) -> Any:
        """Read a number, a literal, or a string that has lost its quotes."""
        if in_object and (grouped := GROUPED_NUMBER.match(self.text, self.at)):
            self.at = grouped.end()
            return int(grouped[0].replace(",", ""))
        found = ATOM.match(self.text, self.at)
        if not found:
            raise Unreadable(self.at)
        start, end = found.span()
        value = _atom(found[0], cut=end == len(self.text), at=start)
        ends = AFTER_ATOM.match(self.text, end) or (in_object and FOLLOWS["{"].match(self.text, end))
        if not ends and (in_object or isinstance(value, str)):
            words = self._bare_text(in_object=in_object)
            return value if words == found[0] else words
        self.at = end
        return value

    def _bare_text(self, *, in_object: bool) -> str:
        """Read an unquoted string up to the line's or the container's end, or to what follows a comma."""
        start = self.at
        end = BARE_TEXT.match(self.text, start).end()  # type: ignore[union-attr]  # matches "", so always
        while in_object and self.text[end : end + 1] in (",", "，") and not AFTER_BARE.match(self.text, end):
            end = BARE_TEXT.match(self.text, end + 1).end()  # type: ignore[union-attr]  # matches "", so always
        words = self.text[start:end].strip()
        if ": " in words or not (AFTER_BARE.match(self.text, end) or self.text[end] in ",，"):
            raise Unreadable(end)
        self.at = end + self.text.startswith('"', end)
        return words


def _atom(token: str, *, cut: bool, at: int) -> Any:
    """Return the number, literal or bare word that a token is. NaN, infinities and overflow are null.

    cut   the text ends with this token: the start of a literal or number counts
    """
    if NUMBER.fullmatch(token) and not token.endswith("."):
        return _number(token.replace("_", ""), at)
    low = token.lower()
    if low in LITERALS:
        return LITERALS[low]
    if cut and (head := CUT_NUMBER.fullmatch(token)) and not re.match(r"[-+]?0\d", token):
        return _number(head[1].rstrip("."), at) if head[1].strip("+-.") else NOTHING
    if NUMBER.fullmatch(token):
        return float(token)
    if cut:
        for word, value in LITERALS.items():
            if word.startswith(low):
                return value
    return token


def _number(digits: str, at: int) -> int | float | None:
    try:
        return int(digits)
    except ValueError:
        if digits.lstrip("+-").isdecimal():  # beyond Python's limit of 4,300 digits
            raise Unreadable(at) from None
    value = float(digits)
    return value if math.isfinite(value) else None
