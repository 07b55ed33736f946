"""Text: what a line of a note needs beside it so that it can be understood alone.  [sinain §4.5]

Three things make a line readable outside its note: the sentence that it leans on ("She moved in May"), the error that
it announces ("It failed with this:"), and the heading above it ("By raising the limit"). All are the note's own words.
"""

from __future__ import annotations

from collections.abc import Sequence

from koog.core.lazy_regex import compiled
from koog.core.text import leaning
from koog.core.text.measures import stems
from koog.core.text.statement import Statement
from koog.core.text.voices import NOTE

SHORT, SHORT_WIDE = 6, 14  # words, or letters of a script without blanks: up to which a line may lack its subject
LONGEST_LEAN = 200  # characters of a sentence that comes along
DATED = r"\s*\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d\S*)?(?: \([^)]*\))?[\s:,–—-]*"
ASIDE = r"[,;(（，；]"  # "Backup, root cause": what follows says what kind of line it is, not of what
LABELLED = r"\W*[^\W\d_][\w-]*\s?[:：]"
# Headings that say of what kind the lines below are, and those that say nothing of them; neither names a subject.
KIND = (
    r"(?i)(?:to[ -]?dos?|open|decisions?|lessons?(?: learn(?:ed|t))?|preferences?|fix(?:es)?|changes?|plans?|facts?"
    r"|goals?|rules?|entscheidungen|offen|regeln|ziele|decisiones|pendientes?|reglas|objetivos|décisions|règles|à faire"
    r"|待办|决定|规则|目标|決定|目標|ルール)\W*"
)
GENERIC = (
    r"(?i)(?:daily )?(?:notes?|log|diary|journal|summary|session|today|morning|noon|afternoon|evening|night|misc|other"
    r"|done|results?|standup|review|context|updates?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|notizen|heute|sonstiges|notas|hoy|journée|笔记|日志|今天|メモ|今日)\W*"
)


def joined(sentences: Sequence[str]) -> str:
    """Return sentences as one text; a bullet without a full stop gets one.

    >>> joined(["The mirror copies at 03:00", "While that runs, SFTP is slow"])
    'The mirror copies at 03:00. While that runs, SFTP is slow'
    """
    *earlier, last = sentences
    return " ".join(
        [*(text if text.rstrip("\"”')*`")[-1:] in ".!?…;:。！？；：" else f"{text}." for text in earlier), last]
    )


def whole(said: Statement) -> str:
    """Return a sentence with what it leans on: what it points back to before it, what was asked behind it."""
    asked = [text for text in said.leans if text.endswith(("?", "？"))]
    before = [text for text in said.leans if text not in asked and len(text) <= LONGEST_LEAN]
    text = joined([*before, said.text])
    return f"{text} (asked: {asked[-1]})" if asked and len(asked[-1]) <= LONGEST_LEAN else text


def announced(said: Sequence[Statement], i: int) -> str:
    """Return the error line that a sentence ending in a colon announces, or ""."""
    if not said[i].text.endswith((":", "：")) or i + 1 == len(said):
        return ""
    after = said[i + 1]
    return after.text if after.trace and after.heading == said[i].heading else ""


def titled(text: str, said: Statement, *, is_fix: bool = False, is_step: bool = False, with_kind: bool = False) -> str:
    """Return a line of a note's own voice with its heading before it, when only that says what it is about.

    is_fix      it says what helped, and nothing says against what
    is_step     it is a step of something, and nothing says of what
    with_kind   also a heading that names no subject, but says of what kind the lines are: "Decisions"

    >>> titled("By raising the limit", Statement("", "note", "agent", heading="2026-02-10: Metro bundler"))
    'Metro bundler: By raising the limit'
    """
    if said.role != NOTE or not said.heading or compiled(LABELLED).match(text):
        return text
    title = compiled(ASIDE).split(compiled(DATED).sub("", said.heading), maxsplit=1)[0].strip(" :.#*_")
    about = {root for root in stems(title) if not root[0].isdigit()}
    if not about or 2 * len(about & set(stems(text))) > len(about):
        return text
    if compiled(GENERIC).fullmatch(title) or (compiled(KIND).fullmatch(title) and not with_kind):
        return text
    return f"{title}: {text}" if is_fix or is_step or is_short(text) or leaning.points_back(text) else text


def is_short(text: str) -> bool:
    """Return whether a sentence is so short that it may lack its subject."""
    is_wide = any(char >= "\u3040" for char in text)
    return len(text.split()) <= SHORT and (not is_wide or len(text) <= SHORT_WIDE)
