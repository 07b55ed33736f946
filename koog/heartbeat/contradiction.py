"""Which line of the playbook does a sentence of a note speak against?  [sinain §4.5]

Against a line is what takes its place, cannot hold beside it or denies it (core/text/compare.py). One question more is
asked here, of things and not of lines: whether something is given up or replaced that the line relies on ("We switched
from npm to pnpm", "Use npm for installs"). A false alarm costs more than a miss.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from koog.core.lazy_regex import compiled
from koog.core.text.compare import ANOTHER, CONTRADICTS, RARE, SUPERSEDES, compare
from koog.core.text.grounding import FRAME
from koog.core.text.measures import content_words, stems
from koog.core.text.negation import is_denied
from koog.core.text.pairs import ALIKE, seen
from koog.core.text.says import says

NEAREST = 4  # playbook lines compared with one sentence
LEAST = 2  # words in common with it, of which one that few lines have counts twice
LABEL = r"(?:\*\*)?([A-Za-z]\w{0,29})(?:\*\*)?:\s"
USES = frozenset(stems("use uses using used need needs want wants run runs running still any anymore really longer"))
_WORD = r"[^\s,.;:()]+(?:\.[^\s,.;:()]+)*"
_PHRASE = rf"{_WORD}(?:\s{_WORD}){{0,4}}?"  # words split by white space only: anything looser backtracks for minutes
_END = r"(?=\s*(?:[,;:()—–]|\.\s|\.?$|\b(?:because|since|for|so|and|but|as|when|after|in|on|at|due|now)\b))"
CHANGES = (
    rf"\b(?:switch|migrat|mov|chang|upgrad|downgrad)\w*"
    rf"\s(?:\S+\s){{0,4}}?from\s(?P<old>{_PHRASE})\s?\b(?:over\s)?to\s(?P<new>{_PHRASE})",
    rf"\breplac(?:ed|ing|es)\s(?P<old>{_PHRASE})\s?\b(?:with|by)\s(?P<new>{_PHRASE})",
    rf"\b(?P<new>(?:[^\s,.;:]+\s){{1,4}}?)(?:instead of|rather than|in place of)\s(?P<old>{_PHRASE})",
    rf"\b(?:no longer|stopped|dropped|gave up|given up|got rid of|moved away from|quit)\s(?P<old>{_PHRASE})",
    rf"\b(?:do|does|is|are)(?:n['’]t| not)\s(?P<old>{_PHRASE})\s?\bany ?more",
)
RELIES = (
    r"(?i)\b(?:us(?:e|es|ing|ed)|prefer(?:s|red)?|likes?|loves?|runs?(?: on| with)?|needs?|wants?|"
    r"installs?|with|via|on|by|through|default(?:s|ed)? to|is|are)\s(?:the |a |an |our )?([^\s,.;:()]+)"
)


class Contradictions:
    """The playbook's lines, indexed by stem, so that a sentence meets only lines about its subject."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.by_root: dict[str, list[int]] = {}
        for i, line in enumerate(lines):
            for root in content_words(line):
                self.by_root.setdefault(root, []).append(i)

    def of(self, text: str, speaker: str) -> str | None:
        """Return the playbook line that this sentence speaks against, the one most like it, or None.

        speaker   who said it, "" when unknown: a line about somebody else is not contradicted
        """
        shared: Counter[int] = Counter()
        for places in (self.by_root.get(root, ()) for root in content_words(text)):
            shared.update(dict.fromkeys(places, LEAST if len(places) <= RARE else 1))
        near = (self.lines[i] for i, n in shared.most_common(NEAREST) if n >= LEAST)
        return next(
            (line for line in near if not _is_about_another(line, text, speaker) and is_against(text, line)), None
        )


def label(line: str) -> str:
    """Return the word before a colon at a line's start, in lower case: perhaps a person."""
    found = compiled(LABEL).match(line)
    return found[1].lower() if found else ""


def _is_about_another(line: str, text: str, speaker: str) -> bool:
    """Return whether a labelled line speaks of somebody or something else than this speaker's sentence."""
    who = label(line)
    return bool(speaker and who) and who != speaker.lower() and who not in text.lower()


def is_against(text: str, line: str) -> bool:
    """Return whether what was observed cannot hold beside what is known.

    >>> is_against("We switched from npm to pnpm.", "Use npm for installs")
    True
    >>> is_against("We cleared the npm cache.", "Use npm for installs")
    False
    """
    if not (content_words(text) & content_words(line)) - FRAME:  # whom both speak of is no subject
        return False
    found = compare(line, text)
    is_once = found.reason == ANOTHER and "past" in says(text).cues  # what happened one day takes nothing's place
    if (found.kind in (SUPERSEDES, CONTRADICTS) and not is_once) or _gives_up(text, line):
        return True
    between = seen(says(line), says(text))
    return between.denied and between.frame >= ALIKE


def _gives_up(text: str, line: str) -> bool:
    """Return whether a text drops or replaces something that a line relies on."""
    known = content_words(line)
    if is_denied(line) or any(compiled(each + _END, re.IGNORECASE).search(line) for each in CHANGES):
        return False
    relied = [content_words(match[1]) for match in compiled(RELIES).finditer(line)]
    for each in CHANGES:
        for match in compiled(each + _END, re.IGNORECASE).finditer(text):
            old, new = (content_words(match.groupdict().get(name) or "") - USES for name in ("old", "new"))
            is_changed = bool(old) and old <= known and not (new and new <= known)
            if is_changed and (len(old) > 1 or any(old & words for words in relied)):
                return True
    return False
