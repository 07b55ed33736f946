"""The built-in engine of `koog mine`: what is worth keeping in daily notes, offline.  [sinain §4.5]

It extracts and ranks and never invents: each mined text is the note's own words, made attributable
(`Caroline: "I'm keen on counseling"`), with the file and line where they stand. What the playbook
already says is not mined again; what several notes say is one line, ranked higher.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from koog.core.text import compare
from koog.core.text.measures import STOPWORDS, WORD, content_words, normal, stems
from koog.core.text.statement import Statement
from koog.core.text.voices import TRUSTS
from koog.heartbeat.contradiction import Contradictions, label
from koog.heartbeat.mine_thoughts import WISHES, Candidate, Mined, candidates, short, statements
from koog.heartbeat.notes import Note
from koog.playbook import texts
from koog.playbook.item import Item

CANDIDATES = 600  # the weightiest lines looked at per call: 12,000 characters have fewer
NAME_WORDS = 2  # before a colon, that may name who speaks
REPEATED, FOCUSED = 0.1, 0.1  # weight added per repetition, and for touching the current focus


class MineAnswer(TypedDict):
    findings: str
    newPatterns: list[Mined]
    contradictions: list[Mined]
    preferences: list[Mined]


@dataclass(frozen=True)
class MineInput:
    """context   the text of devmatrix-summary.md: what the user is busy with, "" when unknown"""

    playbook: str
    notes: tuple[Note, ...]
    context: str = ""


def answer(given: MineInput) -> MineAnswer:
    """Return what the notes add to the playbook, best first: all that is worth keeping."""
    known = [line.text for line in texts.patterns(given.playbook)]
    book = Contradictions(known)
    found: list[Candidate] = []
    against: list[Candidate] = []
    for note in given.notes:
        said = statements(note)
        found += candidates(note, said)
        against += _against(note, said, book)
    focus = frozenset(stems(given.context))
    ranked = sorted(_merged(found, known), key=lambda c: -_rank(c, focus))
    preferences = [c for c in ranked if c.kind in WISHES]
    patterns = [c for c in ranked if c.kind not in WISHES]
    found_in = [c.mined() for c in patterns], [c.mined() for c in preferences], [c.mined() for c in _distinct(against)]
    return {
        "findings": findings(given.notes, *found_in),
        "newPatterns": found_in[0],
        "contradictions": found_in[2],
        "preferences": found_in[1],
    }


def _against(note: Note, said: Sequence[Statement], book: Contradictions) -> list[Candidate]:
    """Return the sentences of a note that contradict the playbook, both sides in the text."""
    found = []
    for each in said:
        if each.trace or each.text.endswith(("?", "？")):
            continue
        line = book.of(each.text, each.speaker)
        if line:
            seen = each.text if not each.speaker else f"{each.speaker}: {each.text}"
            text = f'playbook: "{line}" vs {note.path}:{each.line}: "{seen}"'
            shared = float(len(content_words(each.text) & content_words(line)))
            found.append(Candidate("decision", shared, text, text, each, note))
    return found


def _distinct(against: Iterable[Candidate]) -> list[Candidate]:
    """Return contradictions best first, each observation once."""
    seen = {(c.said.text, c.said.speaker): c for c in sorted(against, key=lambda c: c.weight)}
    return sorted(seen.values(), key=lambda c: -c.weight)


def _merged(found: Sequence[Candidate], known: Sequence[str]) -> list[Candidate]:
    """Return the heaviest candidates, what says one thing as one (times counted), what is known left out.

    Of those that say one thing the most trusted stands: nobody else's line takes a person's own away.
    """
    exact: dict[tuple[str, str], Candidate] = {}
    for each in found:
        key = (each.said.speaker, normal(each.bare))
        first = exact.get(key)
        exact[key] = replace(min(first, each, key=_distrust), times=first.times + 1) if first else each
    ranked = heapq.nlargest(CANDIDATES, exact.values(), key=lambda c: (-_distrust(c), c.weight, c.times))
    near: dict[int, list[int]] = {}
    for i, j in compare.candidates([*known, *(c.bare for c in ranked)]):
        near.setdefault(j, []).append(i)
    kept: dict[int, Candidate] = {}
    for n, each in enumerate(ranked, len(known)):
        if any(_is_known(each, known[i]) for i in near.get(n, ()) if i < len(known)):
            continue
        of_one = (i for i in near.get(n, ()) if i in kept and kept[i].said.speaker == each.said.speaker)
        home = next((i for i in of_one if _says_again(kept[i].bare, each.bare, is_whole=bool(each.note.told))), n)
        first = kept.get(home)
        kept[home] = replace(first, times=first.times + each.times) if first else each
    return list(kept.values())


def _distrust(each: Candidate) -> int:
    """Return how little the one who is behind a line is trusted, 0 for a person."""
    return TRUSTS.index(each.note.trust_at(each.said.line) or each.said.trust)


def _is_known(each: Candidate, line: str) -> bool:
    """Return whether the playbook says all of it; a line that names a problem alone does not say the way out of it."""
    who = label(line)
    if each.said.speaker and who and who != each.said.speaker.lower():
        return False
    is_open = Item(text=line).fixable and Item(text=each.bare).solves
    return not is_open and _says_again(line, each.bare)


def _says_again(first: str, other: str, *, is_whole: bool = False) -> bool:
    """Return whether another line says no more than a first one: what adds to it is a line of its own.

    is_whole   the other was observed by itself: that another line leans on it makes it no less
    """
    found = compare.compare(first, other)
    return found.kind == compare.SAME and not (is_whole and found.older_says_more)


def _rank(each: Candidate, focus: frozenset[str]) -> float:
    is_focused = len(content_words(each.bare) & focus) > 1
    return each.weight + REPEATED * (min(each.times, 4) - 1) + FOCUSED * is_focused


def findings(
    notes: Sequence[Note], patterns: Sequence[Mined], preferences: Sequence[Mined], contrary: Sequence[Mined]
) -> str:
    """Return two or three sentences made of what was counted; each list best first."""
    dates = sorted({note.date for note in notes})
    if not dates:
        return "No notes to read. Nothing was mined."
    span = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    head = f"Read {_count(len(notes), 'note')} ({span}): {_count(len(patterns), 'new pattern')}"
    head += f", {_count(len(preferences), 'preference')}, {_count(len(contrary), 'contradiction')}."
    kept = [*patterns, *preferences]
    if not kept:
        return head + " Nothing else in them is new and specific enough to keep."
    strongest = f" Strongest: {short(kept[0]['text'], 200).rstrip('.')} ({kept[0]['file']}:{kept[0]['line']})."
    return head + _topics([each["text"] for each in kept]) + strongest


def left(lines: int) -> str:
    """Return the sentence about the lines that are not taken, however they read."""
    stays = "stays" if lines == 1 else "stay"
    return f"{_count(lines, 'line')} {stays} in the notes alone: may do harm, or is nobody's own word."


def _topics(texts: Sequence[str]) -> str:
    """Return the sentence about the words that most of the kept lines share, or nothing."""
    lines = Counter(word for text in texts for word in _topic_words(text))
    spelled = {word.lower(): word for text in texts for word in WORD.findall(text)}
    top = [(spelled[word], n) for word, n in lines.most_common(3) if n > 1]
    return f" Most repeated: {', '.join(f'{word} ({n} lines)' for word, n in top)}." if top else ""


def _topic_words(text: str) -> list[str]:
    """Return the words of a line that can name a topic, in order, each once; who speaks is none."""
    speaker, colon, said = text.partition(": ")
    words = WORD.findall(said if colon and len(speaker.split()) <= NAME_WORDS else text)
    topics = dict.fromkeys(word.lower() for word in words if len(word) > 3)
    return [word for word in topics if word not in STOPWORDS and not word[0].isdigit()]


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
