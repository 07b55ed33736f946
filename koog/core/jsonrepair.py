"""Messy model output in, one JSON value out. Pure; linear in the text.  [sinain §4.2, design §4]

Stages, in this order:

1. The whole text as JSON. A string that holds a JSON container is opened (doubled encoding).
2. Reasoning: everything up to a real `</think>` is dropped. A tag inside a value is not real.
3. Candidates: each top-level `{` or `[`, left to right; strict JSON first, then the tolerant
   reader from the same opener. Never from an inner opener: a part is not the answer.
4. Choice: the first candidate, best first, that the schema accepts.

Best first means: in a fence marked as JSON (or not marked) before outside; objects and lists of
objects before other containers; longer before shorter; earlier before later. Objects with nothing
but blanks and commas between them (JSON lines) are also one list, ranked by its whole length. A
candidate that cannot be read takes part in the ranking, and without a schema it is an error when
it comes first: the answer is damaged, and something else in the text is not the answer.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from koog.core import jsonstrings, jsontolerant
from koog.core.jsonstrings import COMMENT, GAP, KEY, QUOTES, VALUE, Unreadable
from koog.core.jsontolerant import MAX_DEPTH, NEXT_MEMBER, TooDeep

MAX_BYTES = 8 * 1024 * 1024
MAX_CANDIDATES = 4000  # a message with more is no answer, and each costs some 40 microseconds
MAX_VERDICTS = 100  # candidates shown to the schema: a verdict may cost a millisecond

EVENT = re.compile(r"\{{3,}|[{\[]|<(/?)(think(?:ing)?)\b[^>\n]{0,64}>|```[ \t]*([\w+-]*)", re.IGNORECASE)
CLOSE_TAG = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
JSON_TAGS = ("", "json", "json5", "jsonc", "jsonl", "javascript", "js")
# An opener worth reading; anything else in braces or brackets is prose, such as [note] or {name}.
PLAUSIBLE = re.compile(
    rf"\{{{GAP}(?:\{{{GAP})?+(?:\Z|\}}|\\\"|[{QUOTES}]|{KEY}|{COMMENT}|\.\.\.|…)"
    rf"|\[{GAP}(?:\Z|\]|\\\"|{VALUE}|//|/\*|-?infinity|-\Z|[tfn][a-z]{{0,3}}\Z)",
    re.IGNORECASE,
)
HEADLESS = re.compile(r"\s*(?:```[ \t]*[\w+-]*\s*)?(?=\"[^\"\n]{1,128}\"\s*:)")
MEMBER_NAME = re.compile(r'"[^"\n]{1,128}"\s*:\s*\Z')
ESCAPED = re.compile(r"""[{\[](?:[^"'\\]|\\(?!")){0,200}+\\\"""")
ESCAPED_BODY = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[{}\[\]]', re.DOTALL)
END_MARKS = re.compile(r"(?:\s*(?:<\|[\w ]{1,40}\|>|</s>))+\s*\Z")
LONE_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})(?!\\?\Z|\\u[0-9a-fA-F]{0,3}\Z)|.)",
    re.DOTALL,
)
BETWEEN_LINES = re.compile(r"[\s,]*")


class JSONRepairError(ValueError):
    """No value could be made out of the text with confidence. The only error of this module."""


@dataclass(frozen=True)
class Repaired:
    """One value and what it took.

    truncated   something was closed here that the text left open, or the model left parts out
    repaired    the value's own text was not JSON (prose, fences and reasoning around it do not count)
    """

    value: Any
    truncated: bool
    repaired: bool


class Candidate(NamedTuple):
    start: int
    end: int
    fenced: bool
    result: Repaired | None  # None: it looks like JSON and cannot be read

    def rank(self) -> tuple[bool, bool, int, int]:
        """Sort key, best first: see the module's docstring."""
        value = self.result.value if self.result else {"": None}
        rich = bool(value) and (isinstance(value, dict) or any(isinstance(v, dict) for v in value))
        return not self.fenced, not rich, self.start - self.end, self.start


class _Text(str):
    """The text as json's scanner sees it.

    JSONDecodeError counts the lines before the error, which makes many small failures
    in a long text quadratic; nobody reads that number here.
    """

    def count(self, *_: object) -> int:
        return 0

    def rfind(self, *_: object) -> int:
        return 0


def extract(text: str, *, accepts: Callable[[Any], bool] | None = None) -> Repaired:
    """Return the JSON value that a model's message holds.

    accepts   the schema's verdict on a value; without it the best candidate wins

    NaN, infinities and numbers too large become null, lone surrogates U+FFFD, so that the
    value can always be written as JSON again. Raises JSONRepairError when no value is
    there, none is accepted, the reasoning never ends, or the text is larger than 8 MB or
    nested deeper than 1,000 levels.
    """
    text = _cleaned(text)
    try:
        for whole in _whole(text):
            if accepts is None or accepts(whole.value):
                return whole
        candidates = sorted(_with_lines(text, _candidates(text)), key=Candidate.rank)
    except TooDeep as error:
        raise JSONRepairError(str(error)) from None
    if not candidates:
        raise JSONRepairError("no JSON object or array in the text")
    if accepts is None:
        return _readable(candidates[0])
    for candidate in candidates[:MAX_VERDICTS]:
        if candidate.result and accepts(candidate.result.value):
            return candidate.result
    raise JSONRepairError(f"none of {len(candidates)} JSON candidates is accepted")


def _readable(candidate: Candidate) -> Repaired:
    if not candidate.result:
        raise JSONRepairError(f"the JSON at offset {candidate.start} is damaged beyond repair")
    return candidate.result


def _cleaned(text: str) -> str:
    """Return the text without byte order mark, end-of-turn marks and half characters."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise JSONRepairError(f"larger than {MAX_BYTES} bytes")
    text = jsonstrings.whole_characters(text).lstrip().lstrip("\ufeff").lstrip()
    if text.rstrip().endswith(">"):
        tail = END_MARKS.search(text, max(0, len(text) - 200))
        text = text[: tail.start()] if tail else text
    if "\\ud" in text.lower():
        text = LONE_ESCAPE.sub(lambda m: r"\ufffd" if m[1] else m[0], text)
    return text


def _whole(text: str) -> list[Repaired]:
    """Read the whole text as strict JSON, scalars included; a string that holds a container is opened first."""
    found = _Strict(text).read(0)
    if not found or text[found[1] :].strip():
        return []
    whole, _ = found
    if isinstance(whole.value, str) and whole.value.lstrip()[:1] in ("{", "["):
        inner = _inside(_cleaned(whole.value))
        return [inner, whole] if inner else [whole]
    return [whole] if not whole.repaired or isinstance(whole.value, (dict, list)) else []


def _inside(text: str) -> Repaired | None:
    """Return the container that a string is the source of, when it is that and nothing else."""
    value, end = _Strict(text).read(0) or (None, 0)
    if not value and text.startswith("{") and PLAUSIBLE.match(text):
        value, end = _tolerant(text, 0)
    return replace(value, repaired=True) if value and not text[end:].strip() else None


def _tolerant(text: str, start: int) -> tuple[Repaired | None, int]:
    """Return (value, offset behind it), or (None, offset reached)."""
    try:
        value, end, truncated = jsontolerant.parse(text, start)
    except Unreadable as error:
        return None, error.at
    return Repaired(value, truncated, repaired=True), end


class _Strict:
    """Strict JSON at any offset of one text. NaN, infinities and overflow are read as null."""

    def __init__(self, text: str) -> None:
        self.text = _Text(text)
        self.nulled: list[str] = []
        self.decoder = json.JSONDecoder(parse_float=self._finite, parse_constant=self.nulled.append)

    def _finite(self, digits: str) -> float | None:
        value = float(digits)
        if math.isfinite(value):
            return value
        self.nulled.append(digits)
        return None

    def read(self, start: int) -> tuple[Repaired, int] | None:
        """Return the value that starts here and the offset behind it, or None."""
        self.nulled.clear()
        try:
            value, end = self.decoder.raw_decode(self.text, start)
        except (ValueError, RecursionError):  # ValueError: also an integer beyond 4,300 digits
            return None
        if _depth(self.text, start, end) > MAX_DEPTH:
            raise TooDeep(f"nested deeper than {MAX_DEPTH} levels")
        return Repaired(value, truncated=False, repaired=bool(self.nulled)), end


def _depth(text: str, start: int, end: int) -> int:
    """Return how deep valid JSON nests; 0 where it is too short to matter."""
    if str.count(text, "[", start, end) + str.count(text, "{", start, end) <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    for token in TOKEN.finditer(text, start, end):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        deepest = max(deepest, depth)
    return deepest


def _candidates(text: str) -> list[Candidate]:
    """Return the containers at the top level of the text, in order, behind any reasoning."""
    found: list[Candidate] = []
    if head := HEADLESS.match(text):  # the caller began the answer with "{" and the model went on from there
        text = text[: head.end()] + "{" + text[head.end() :]
    strict = _Strict(text)
    last_tag = max((m.end() for m in CLOSE_TAG.finditer(text)), default=0)
    at, fence = 0, None
    while event := EVENT.search(text, at):
        at = event.end()
        if event[2]:
            found.clear()
            at = at if event[1] else _end_of_thinking(text, at)
        elif event[3] is not None:
            fence = None if fence is not None and not event[3] else event[3].lower() in JSON_TAGS
        elif PLAUSIBLE.match(text, event.start()):
            if len(found) == MAX_CANDIDATES:
                raise JSONRepairError(f"more than {MAX_CANDIDATES} JSON candidates")
            candidate = _read(text, event.start(), strict=strict, fenced=bool(fence))
            at = candidate.end
            if event.start() < last_tag <= at and _was_thinking(text, candidate, last_tag):
                found.clear()
                at = last_tag
            else:
                found.append(candidate)
    if head and found and found[0].start == head.end() and found[0].result:
        found[0] = found[0]._replace(result=replace(found[0].result, repaired=True))
    return found


def _end_of_thinking(text: str, at: int) -> int:
    closing = CLOSE_TAG.search(text, at)
    if not closing:
        raise JSONRepairError("the reasoning is never closed: no answer follows")
    return closing.end()


def _was_thinking(text: str, candidate: Candidate, tag_end: int) -> bool:
    """Tell whether a damaged candidate with a closing tag inside is reasoning, and the answer comes behind it."""
    damaged = candidate.result is None or candidate.result.truncated
    return damaged and bool(re.compile(r"[{\[]").search(text, tag_end))


def _read(text: str, start: int, *, strict: _Strict, fenced: bool) -> Candidate:
    """Read one container: strictly, as the inside of a string, tolerantly; in that order."""
    if MEMBER_NAME.search(text, max(0, start - 140), start):  # the rest of an object whose opener is missing
        return Candidate(start, _extent(text, start), fenced, None)
    value, end = strict.read(start) or (None, start)
    if value and NEXT_MEMBER.match(text, end):
        value = None  # one closer too many has cut it short
    if not value and ESCAPED.match(text, start):
        value, end = _escaped(text, start)
    if not value:
        value, end = _tolerant(text, start)
    # What cannot be read is skipped to its last bracket, and never read twice.
    return Candidate(start, end if value else max(end, _extent(text, start)), fenced, value)


def _escaped(text: str, start: int) -> tuple[Repaired | None, int]:
    """Read a container whose quotes are all escaped: the inside of a string."""
    end = ESCAPED_BODY.match(text, start).end()  # type: ignore[union-attr]
    inner = jsonstrings.decode(text[start:end], cut=end == len(text))
    value, _ = _Strict(inner).read(0) or _tolerant(inner, 0)
    return replace(value, repaired=True) if value else None, end


def _extent(text: str, start: int) -> int:
    """Return where an unreadable container ends by its brackets, so that no inner one is taken for an answer."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        if depth <= 0:
            return token.end()
    return len(text)


def _with_lines(text: str, candidates: list[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates, and each run of neighbouring objects as one list (JSON lines)."""
    run: list[Candidate] = []
    for candidate in candidates:
        yield candidate
        if run and not BETWEEN_LINES.fullmatch(text, run[-1].end, candidate.start):
            yield from _joined(run)
            run = []
        if candidate.result and isinstance(candidate.result.value, dict):
            run.append(candidate)
        else:
            run = []
    yield from _joined(run)


def _joined(run: list[Candidate]) -> Iterator[Candidate]:
    results = [c.result for c in run if c.result]
    if len(results) > 1:
        values = [r.value for r in results]
        joined = Repaired(values, any(r.truncated for r in results), repaired=True)
        yield Candidate(run[0].start, run[-1].end, run[0].fenced, joined)
