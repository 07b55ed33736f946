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

from koog.core.text.measures import STOPWORDS, WORD, stems
from koog.heartbeat import mine_context as context
from koog.heartbeat.contradiction import Claim, Contradictions, playbook_lines
from koog.heartbeat.mine_cues import FIRST, TIME, Kind
from koog.heartbeat.mine_talk import SOFT
from koog.heartbeat.mine_weight import DANGLING, HEADED, Trimmer, Weighed, is_kept, weigh
from koog.heartbeat.note_lines import Statement, statements
from koog.heartbeat.notes import Note

PER_LIST, PER_NOTE = 12, 6
CANDIDATES = 250  # the weightiest sentences looked at per call: bounds the pairwise work
MAX_CHARS = 320
SAME = 0.6  # share of stems in common (over all) from which two lines say one thing
CONTAINED = 0.85  # or: share of the new line's stems that a known line already has
FIX_REACH = 3  # statements after an error in which its fix is looked for
REPEATED, FOCUSED = 0.5, 0.3  # weight added per repetition, and for touching the current focus


class Mined(TypedDict):
    text: str
    file: str
    line: int


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


@dataclass(frozen=True)
class Candidate:
    """A line that may be mined.

    text    as it would be printed
    roots   stems of the words themselves, without the speaker's name
    times   how often it was said, this time included
    """

    kind: Kind
    weight: float
    text: str
    said: Statement
    note: Note
    roots: frozenset[str]
    times: int = 1

    def mined(self) -> Mined:
        return {"text": self.text, "file": self.note.path, "line": self.said.line}


def answer(given: MineInput) -> MineAnswer:
    """Return what the notes add to the playbook, best first; at most 12 per list and 6 per note."""
    known = playbook_lines(given.playbook)
    book = Contradictions(known)
    candidates: list[Candidate] = []
    against: list[Candidate] = []
    for note in given.notes:
        said = statements(note)
        names = _names(said)
        candidates += _candidates(note, said, names)
        against += _against(note, said, book)
    focus = frozenset(stems(given.context))
    ranked = sorted(_merged(candidates, known), key=lambda c: -_rank(c, focus))
    preferences = _capped(c for c in ranked if c.kind == "preference")
    patterns = _capped(c for c in ranked if c.kind != "preference")
    contrary = _capped(_distinct(against))
    return {
        "findings": _findings(given.notes, patterns=patterns, preferences=preferences, contrary=contrary),
        "newPatterns": [c.mined() for c in patterns],
        "contradictions": [c.mined() for c in contrary],
        "preferences": [c.mined() for c in preferences],
    }


def _names(said: Sequence[Statement]) -> frozenset[str]:
    """Return the speakers' names and their short forms: people call a Melanie Mel."""
    whole = {each.speaker for each in said if each.speaker}
    return frozenset(name[:n] for name in whole for n in range(min(3, len(name)), len(name) + 1))


def _candidates(note: Note, said: Sequence[Statement], names: frozenset[str]) -> list[Candidate]:
    """Return the sentences of a note that weigh enough, an error joined with what solved it."""
    found: dict[int, Candidate] = {}
    trimmer = Trimmer(names)
    for i, each in enumerate(said):
        weighed = weigh(trimmer(each.text), each)
        if not weighed:
            continue
        text, weighed, brought = _in_context(said, i, trimmer=trimmer, weighed=weighed)
        for n in brought:
            found.pop(n, None)
        found[i] = _candidate(weighed, text, each, note)
    for fix in [i for i, c in found.items() if c.kind == "fix"]:
        error = _solved_by(found, fix)
        if error is not None:
            found[error] = _pair(found[error], found.pop(fix))
    kept = [c for c in found.values() if is_kept(Weighed(c.kind, c.weight))]
    return [replace(c, text=context.titled(c.text, c.said)) for c in kept]


def _in_context(
    said: Sequence[Statement], i: int, *, trimmer: Trimmer, weighed: Weighed
) -> tuple[str, Weighed, list[int]]:
    """Return a sentence with what it leans on, its weight (less, when that cannot be had) and what came along."""
    text, brought = trimmer(said[i].text), list[int]()
    dangles = context.dangles(text, said[i])
    if dangles or context.continues(said, i):
        brought = context.before(said, i, trimmer)
    if dangles and not brought:
        headed = not said[i].speaker and not context.is_unexplained(text)
        weighed = replace(weighed, weight=weighed.weight - (HEADED if headed else DANGLING))
    text = context.joined([*(trimmer(said[n].text) for n in brought), text])
    return f"{text} {context.announced(said, i)}".rstrip(": "), weighed, brought


def _candidate(weighed: Weighed, text: str, said: Statement, note: Note) -> Candidate:
    return Candidate(
        kind=weighed.kind,
        weight=weighed.weight,
        text=_attributed(text, said.speaker),
        said=said,
        note=note,
        roots=frozenset(stems(text)),
    )


def _attributed(text: str, speaker: str) -> str:
    """Return the words with their speaker made explicit; words in the first person stay a quotation."""
    text = _short(text, MAX_CHARS)
    if not speaker:
        return text
    if not FIRST.search(text):
        return f"{speaker}: {text}"
    inner = text.replace('"', "'")
    return f'{speaker}: "{inner}"'


def _solved_by(found: dict[int, Candidate], fix: int) -> int | None:
    """Return the error that a fix belongs to: near above it under the same heading, told by a person if possible."""
    near = [
        i
        for i in range(fix - 1, fix - 1 - FIX_REACH, -1)
        if i in found and found[i].kind == "error" and found[i].said.heading == found[fix].said.heading
    ]
    return next((i for i in near if not found[i].said.trace), near[0] if near else None)


def _pair(error: Candidate, fix: Candidate) -> Candidate:
    return replace(
        error,
        kind="fix",
        weight=max(error.weight, fix.weight) + 1.0,
        text=f"{error.text} → {fix.text}",
        roots=error.roots | fix.roots,
    )


def _against(note: Note, said: Sequence[Statement], book: Contradictions) -> list[Candidate]:
    """Return the sentences of a note that contradict the playbook, both sides in the text."""
    found = []
    for each in said:
        if each.trace or each.text.endswith("?") or len(each.text.split()) < 3:
            continue
        line = book.of(each.text, each.speaker)
        if line:
            seen = each.text if not each.speaker else f"{each.speaker}: {each.text}"
            text = f'playbook: "{line.text}" vs {note.path}:{each.line}: "{seen}"'
            roots = frozenset(stems(each.text))
            found.append(Candidate("decision", float(len(roots & line.roots)), text, each, note, roots))
    return found


def _distinct(against: Iterable[Candidate]) -> list[Candidate]:
    """Return contradictions best first, each observation once."""
    seen = {(c.said.text, c.said.speaker): c for c in sorted(against, key=lambda c: c.weight)}
    return sorted(seen.values(), key=lambda c: -c.weight)


def _merged(candidates: Sequence[Candidate], known: Sequence[Claim]) -> list[Candidate]:
    """Return the heaviest candidates, what says one thing as one (times counted), what is known left out."""
    exact: dict[tuple[str, frozenset[str]], Candidate] = {}
    for each in candidates:
        key = (each.said.speaker, each.roots)
        first = exact.get(key)
        exact[key] = replace(first, times=first.times + 1) if first else each
    kept: list[Candidate] = []
    for each in heapq.nlargest(CANDIDATES, exact.values(), key=lambda c: (c.weight, c.times)):
        if any(_is_known(each, line) for line in known):
            continue
        same = next(
            (i for i, k in enumerate(kept) if k.said.speaker == each.said.speaker and _same(each.roots, k.roots)), None
        )
        if same is None:
            kept.append(each)
        else:
            kept[same] = replace(kept[same], times=kept[same].times + each.times)
    return kept


def _is_known(each: Candidate, line: Claim) -> bool:
    other_person = each.said.speaker and line.label and line.label != each.said.speaker.lower()
    return not other_person and _same(each.roots, line.roots)


def _same(new: frozenset[str], old: frozenset[str]) -> bool:
    """Return whether two lines say one thing: most stems shared, or the new ones nearly all there already."""
    shared = len(new & old)
    if shared < 2 or (shared < SAME * len(new | old) and shared < CONTAINED * len(new)):
        return False
    # "port 8081" and "port 8090" are two statements
    return not (any(root[0].isdigit() for root in new - old) and any(root[0].isdigit() for root in old - new))


def _rank(each: Candidate, focus: frozenset[str]) -> float:
    return each.weight + REPEATED * (min(each.times, 4) - 1) + (FOCUSED if len(each.roots & focus) > 1 else 0.0)


def _capped(ranked: Iterable[Candidate]) -> list[Candidate]:
    """Return the first 12, of each note no more than 6."""
    kept: list[Candidate] = []
    per_note: Counter[str] = Counter()
    for each in ranked:
        if len(kept) < PER_LIST and per_note[each.note.path] < PER_NOTE:
            per_note[each.note.path] += 1
            kept.append(each)
    return kept


def _findings(
    notes: Sequence[Note],
    *,
    patterns: Sequence[Candidate],
    preferences: Sequence[Candidate],
    contrary: Sequence[Candidate],
) -> str:
    """Return two or three sentences made of what was counted."""
    dates = sorted({note.date for note in notes})
    if not dates:
        return "No notes to read. Nothing was mined."
    span = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    head = f"Read {_count(len(notes), 'note')} ({span}): {_count(len(patterns), 'new pattern')}"
    head += f", {_count(len(preferences), 'preference')}, {_count(len(contrary), 'contradiction')}."
    if not patterns and not preferences:
        return head + " Nothing else in them is new and specific enough to keep."
    best = max([*patterns, *preferences], key=lambda c: c.weight)
    strongest = f" Strongest: {_short(best.text, 200).rstrip('.')} ({best.note.path}:{best.said.line})."
    return head + _topics([*patterns, *preferences]) + strongest


def _topics(kept: Sequence[Candidate]) -> str:
    """Return the sentence about the words that most of the kept lines share, or nothing."""
    lines = Counter(word for each in kept for word in _topic_words(each))
    spelled = {word.lower(): word for each in kept for word in WORD.findall(each.said.text)}
    top = [(spelled[word], n) for word, n in lines.most_common(3) if n > 1]
    return f" Most repeated: {', '.join(f'{word} ({n} lines)' for word, n in top)}." if top else ""


def _topic_words(each: Candidate) -> list[str]:
    """Return the words of a line that can name a topic, in order, each once."""
    skip = {each.said.speaker.lower(), "user", "assistant"} | STOPWORDS
    words = dict.fromkeys(word.lower() for word in WORD.findall(each.said.text) if len(word) > 3)
    return [word for word in words if word not in skip and not set(stems(word)) & (SOFT | TIME)]


def _short(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[:chars].rsplit(" ", 1)[0] + " …"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
