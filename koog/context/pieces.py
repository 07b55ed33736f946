"""A Markdown file in pieces that know their lines. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from koog.core.text.marks import balanced
from koog.core.text.shares import GAP, Piece
from koog.core.text.voices import AGENT
from koog.search import passages
from koog.search.hits import marked
from koog.search.labelled import Said
from koog.search.passages import Passage

HEADING = "#"
TURNS_GAP = "\n\n"  # turns say themselves where each begins


def of_text(
    text: str,
    *,
    path: str,
    said: Mapping[int, Said] | None = None,
    names: Mapping[int, str] | None = None,
    trust: Callable[[Passage], str] = lambda _: AGENT,
) -> list[Piece]:
    """Return the pieces of a Markdown text. Frontmatter and headings above nothing are in none of them.

    said    whose its rows are, from 0: no piece holds lines of two labels
    names   row → the project that is told behind the piece that begins there
    trust   who is behind a passage
    """
    lines = text.split("\n")
    found = passages.cut(text, path=path, said=said or {}).passages
    shared = _shared_lines(found)
    pieces: list[Piece] = []
    last = 0  # the line that the piece before ends with
    for passage in found:
        lead = _headings(lines, last, passage.line)
        is_whole = passage.line not in shared and passage.end not in shared
        body = "\n".join(lines[passage.line - 1 : passage.end]) if is_whole else passage.text
        line = lead[0] if lead else passage.line
        shown = _under_lead([lines[number - 1] for number in lead], body, speaker=passage.speaker)
        shown = balanced(shown.rstrip())
        if name := names.get(passage.line - 1) if names else None:
            shown = marked(shown, name, {shown.count("\n")})
        under = "" if lead else passages.SEPARATOR.join(filter(None, (passage.heading, passage.speaker)))
        is_turn = bool(lead and passage.speaker)
        joint, gap = ("\n", TURNS_GAP) if is_turn else (_joint(lines, last, line), GAP)
        pieces.append(Piece(shown, line, passage.end, joint, gap, under, trust(passage)))
        last = passage.end
    return pieces


def _under_lead(lead: Sequence[str], body: str, *, speaker: str) -> str:
    """Return a passage below its headings; of a turn's heading, which has the time too, only who speaks.

    >>> _under_lead(["# Talk", "## 18:45 — user"], "Hello", speaker="user")
    '# Talk\\nuser: Hello'
    """
    if not lead or not speaker:
        return "\n".join([*lead, body])
    apart = " " if body[:1].isalnum() else "\n"  # a list, a quote or code begins a line of its own
    return "\n".join([*lead[:-1], f"{speaker}:{apart}{body}"])


def _shared_lines(found: Sequence[passages.Passage]) -> set[int]:
    """Return the lines that hold more than one passage: a long paragraph on one line, cut at its sentences."""
    seen: set[int] = set()
    shared: set[int] = set()
    for passage in found:
        both = {passage.line, passage.end}
        shared |= both & seen
        seen |= both
    return shared


def _headings(lines: Sequence[str], last: int, line: int) -> list[int]:
    """Return the numbers of the headings between the piece before, which ends at `last`, and a passage's line."""
    between = range(last + 1, line)
    first = next((number for number in reversed(between) if not _is_lead(lines[number - 1])), last)
    return [number for number in between if number > first and lines[number - 1].startswith(HEADING)]


def _is_lead(line: str) -> bool:
    return not line.strip() or line.startswith(HEADING)


def _joint(lines: Sequence[str], last: int, line: int) -> str:
    """Return what stands between two passages, or a label and one: but a space where both are on one line."""
    if last >= line:
        return " "
    return "\n" if not last or all(lines[number - 1].strip() for number in range(last + 1, line)) else "\n\n"
