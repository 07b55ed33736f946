"""The containers in a text that is more than one JSON value.  [design §4, JSON repair]

Reasoning is dropped, prose is passed over, fences are noticed; each top-level opener is
read strictly, then tolerantly. Imported only when a text is not plain JSON: compiling
the patterns of almost-JSON costs some 20 milliseconds.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace

from koog.core.model import jsonstrings, jsontolerant
from koog.core.model.jsonstrings import COMMENT, GAP, KEY, QUOTES, VALUE, Unreadable
from koog.core.model.jsontolerant import MOST_AHEAD, NEXT_MEMBER
from koog.core.model.jsonvalue import TOKEN, JSONRepairError, Repaired, Strict
from koog.core.named import NamedTuple

MAX_CANDIDATES = 4000  # a message with more is no answer, and each costs some 40 microseconds

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
# An answer that went through a page: its quotes are entities.
ENTITIES = re.compile(r"[{\[][{\[\s]{0,8}&(?:quot|#0*34|#x0*22);", re.IGNORECASE)
# A rule of a style sheet, which reads like an answer: a selector right before the brace, properties without quotes.
SELECTOR = re.compile(r"(?:^|[\s`(])([.#@:*>][^\s{}]*+|[a-z][\w-]*+(?:[.#:\[][^\s{}]++)?)(?<![:=,(])[ \t]*\Z")
RULE = re.compile(
    r"\{\s*(?:/\*[^*]{0,200}\*/\s*)?-{0,2}[A-Za-z][\w-]{0,63}\s*:(?!:)\s*"
    r"(?:(?P<quoted>[\"'])|(?!true\b|false\b|null\b)[^{}\"'\n;,\[])"
    r"(?:[^{};,\n]|,(?!\s*[\w-]+\s*:)){0,200}(?:;|\s*\})"
)
RULE_END = re.compile(r"[^{}]*+\}")
BETWEEN_LINES = re.compile(r"[\s,]*")


class Candidate(NamedTuple):
    start: int
    end: int
    fenced: bool
    result: Repaired | None  # None: it looks like JSON and cannot be read

    def rank(self) -> tuple[bool, bool, int, int]:
        """Sort key, best first: see jsonrepair.py."""
        value = self.result.value if self.result else {"": None}
        rich = bool(value) and (isinstance(value, dict) or any(isinstance(v, dict) for v in value))
        return not self.fenced, not rich, self.start - self.end, self.start


def ranked(text: str) -> list[Candidate]:
    """Return what the text may mean, best first."""
    head = HEADLESS.match(text)
    if head:  # the caller began the answer with "{" and the model went on from there
        text = text[: head.end()] + "{" + text[head.end() :]
    text, candidates = _candidates(text)
    if head and candidates and candidates[0].result:
        candidates[0] = candidates[0]._replace(result=replace(candidates[0].result, repaired=True))
    return sorted(_with_lines(text, candidates), key=Candidate.rank)


def _candidates(text: str) -> tuple[str, list[Candidate]]:
    """Return the text, entities read from where an answer begins with them, and the containers at its top level.

    In order; those in reasoning are left out.
    """
    found: list[Candidate] = []
    strict, paged = Strict(text), False
    last_tag = max((m.end() for m in CLOSE_TAG.finditer(text)), default=0)
    at, fence, reads = 0, None, 0
    while event := EVENT.search(text, at):
        at = event.end()
        if event[2]:
            found.clear()
            at = at if event[1] else _end_of_thinking(text, at)
        elif event[3] is not None:
            fence = None if fence is not None and not event[3] else event[3].lower() in JSON_TAGS
        elif not paged and ENTITIES.match(text, event.start()):
            text, paged, at = text[: event.start()] + html.unescape(text[event.start() :]), True, event.start()
            strict = Strict(text)
            last_tag = max((m.end() for m in CLOSE_TAG.finditer(text)), default=0)
        elif _is_style(text, event.start()):
            at = end.end() if (end := RULE_END.match(text, event.end())) else at
        elif PLAUSIBLE.match(text, event.start()):
            if len(found) == MAX_CANDIDATES:
                raise JSONRepairError(f"more than {MAX_CANDIDATES} JSON candidates")
            reads += 1
            ahead = MOST_AHEAD // reads  # the more there is to read, the less of it twice
            candidate = _read(text, event.start(), strict=strict, fenced=bool(fence), ahead=ahead)
            if paged and candidate.result:
                candidate = candidate._replace(result=replace(candidate.result, repaired=True))
            at = candidate.end
            if event.start() < last_tag <= at and _was_thinking(text, candidate, last_tag):
                found.clear()
                at = last_tag
            else:
                found.append(candidate)
    return text, found


def _is_style(text: str, start: int) -> bool:
    """Tell whether the brace at `start` opens a rule of a style sheet: what stands before it on its line selects."""
    rule = RULE.match(text, start)
    if not rule:
        return False
    before = SELECTOR.search(text[max(text.rfind("\n", max(0, start - 80), start) + 1, start - 80, 0) : start])
    return before is not None and (not rule["quoted"] or not before[1].isalnum())


def _end_of_thinking(text: str, at: int) -> int:
    closing = CLOSE_TAG.search(text, at)
    if not closing:
        raise JSONRepairError("the reasoning is never closed: no answer follows")
    return closing.end()


def _was_thinking(text: str, candidate: Candidate, tag_end: int) -> bool:
    """Tell whether a damaged candidate with a closing tag inside is reasoning, and the answer comes behind it."""
    damaged = candidate.result is None or candidate.result.truncated
    return damaged and any(opener in text[tag_end:] for opener in "{[")


def _read(text: str, start: int, *, strict: Strict, fenced: bool, ahead: int) -> Candidate:
    """Read one container: strictly, as the inside of a string, tolerantly; in that order."""
    if MEMBER_NAME.search(text, max(0, start - 140), start):  # the rest of an object whose opener is missing
        return Candidate(start, _extent(text, start), fenced, None)
    value, end = strict.read(start) or (None, start)
    if value and NEXT_MEMBER.match(text, end):
        value = None  # one closer too many has cut it short
    if not value and ESCAPED.match(text, start):
        value, end = _escaped(text, start)
    if not value:
        value, end = _tolerant(text, start, ahead=ahead)
    # What cannot be read is skipped to its last bracket, and never read twice.
    return Candidate(start, end if value else max(end, _extent(text, start)), fenced, value)


def _escaped(text: str, start: int) -> tuple[Repaired | None, int]:
    """Read a container whose quotes are all escaped: the inside of a string."""
    end = ESCAPED_BODY.match(text, start).end()  # type: ignore[union-attr]  # matches "", so always
    inner = jsonstrings.decode(text[start:end], cut=end == len(text))
    value, _ = Strict(inner).read(0) or _tolerant(inner, 0)
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


def inside(text: str) -> Repaired | None:
    """Return the container that a string is the source of, when it is that and nothing else."""
    value, end = Strict(text).read(0) or (None, 0)
    if not value and text.startswith("{") and PLAUSIBLE.match(text):
        value, end = _tolerant(text, 0)
    return replace(value, repaired=True) if value and not text[end:].strip() else None


def _tolerant(text: str, start: int, *, ahead: int = MOST_AHEAD) -> tuple[Repaired | None, int]:
    """Return (value, offset behind it), or (None, offset reached)."""
    try:
        value, end, truncated = jsontolerant.parse(text, start, ahead=ahead)
    except Unreadable as error:
        return None, error.at
    return Repaired(value, truncated, repaired=True), end
