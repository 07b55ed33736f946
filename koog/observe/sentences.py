"""Talk → the sentences that people wrote in it; code, quotations, tables and machine output left out.

Pure and linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from koog.core.lazy_regex import compiled
from koog.core.text.untrusted import visible

MAX_SENTENCE = 600  # a longer run without a full stop is a dump
FENCE = r"\s*(?:`{3,}|~{3,})"
MARK = r"\s*(?:(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?|#{1,6}\s+)"
MACHINE = (
    r"\s*(?:[{}\])|<>$]|\[\s*[{\"'\[\]]|\"[^\"]{1,60}\"\s*:|(?:at|in)\s\S+[(:]\S*\d|File\s\"|Traceback\b|[-+]{3}\s|@@\s"
    r"|\S+\.\w+:\d+(?::\d+)?[:\s]|[\^~=\s_-]+$"
    r"|(?:npm|yarn|pip|error|fatal|warning|debug|info|warn)(?:\s\w+)?[!:]\s?[\[\S]"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\s+\[?[A-Z]{4,5}\b|[✓✔✗✘√×⎿●]\s?|HEARTBEAT_OK|NO_REPLY"
    r"|[^|]*\s\|\s[^|]*\s\|\s|(?:export\s)?[A-Z][A-Z0-9_]{2,}=\S"
    r"|(?:sudo|git|npm|npx|pip|cd|ls|docker|kubectl|make|cargo|curl|uv)\s[\w./-]+(?:\s\S+)?\s*$)"
)
END = r"(?<=[.!?…])[\"'”’)\]*]{0,3}\s+(?=[\"“'(\[`*@]?[A-Z0-9`“])|(?<=[!?])\s+|\s+(?=[-–—]{2}\s)|;\s+(?=[a-zA-Z])"
ABBREVIATION = r"(?:\b(?:e\.g|i\.e|etc|vs|approx|Dr|Mr|Mrs|Ms|St|No|Jr|Sr|cf|incl|min|max|a\.m|p\.m)|\b[A-Z])\.$"


def sentences(text: str) -> list[str]:
    """Return the sentences of one turn in their order, white space made single, emphasis marks gone."""
    found: list[str] = []
    for paragraph in _paragraphs(visible(text)):
        begin = ""
        for each in compiled(END).split(paragraph):
            piece = f"{begin} {each}".strip()
            begin = piece if compiled(ABBREVIATION).search(piece) else ""
            if not begin and 1 < len(piece) <= MAX_SENTENCE:
                found.append(piece)
        if begin:
            found.append(begin)
    return found


def _paragraphs(text: str) -> Iterator[str]:
    """Yield each line's words; a line that goes on in lower case after one without a full stop is joined to it."""
    fenced, held = False, ""
    for row in text.split("\n"):
        if compiled(FENCE).match(row):
            fenced = not fenced
            continue
        if fenced or compiled(MACHINE).match(row) or row.startswith(("    ", "\t")):
            continue
        marked = compiled(MARK).match(row)
        words = " ".join(row[marked.end() if marked else 0 :].replace("**", "").replace("__", "").split())
        if held and words[:1].islower() and not marked and held[-1] not in ".!?:;…":
            held = f"{held} {words}"
            continue
        if held:
            yield held
        held = words
    if held:
        yield held
