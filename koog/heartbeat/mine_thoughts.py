"""The thoughts of a note that are worth keeping, each understandable alone.  [sinain §4.5]

A short bullet is one thought, and so is an observation; talk goes sentence by sentence; an error and what solved it are
one line. What a thought is worth was learned from labelled lines (core/text/weigher); who said it and what belongs
together is told here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TypedDict

from koog.core.lazy_regex import compiled, personal
from koog.core.text import bullets, kinds, notes, replies, sentences, trust, weigher
from koog.core.text.measures import content_words
from koog.core.text.observation import HIGH, MEDIUM
from koog.core.text.statement import Statement
from koog.core.text.voices import ASSISTANT, NOTE, PERSON, QUOTED, TOOL, USER
from koog.heartbeat import mine_context as context
from koog.heartbeat.notes import Note

MAX_CHARS = 320
WHOLE = 3  # sentences up to which a bullet is one thought
IDLE = 0.2  # weight below which a sentence adds nothing to the others of its bullet
MUST = 0.5  # how likely a note's line must never be lost, for it to be kept whatever else it weighs
STRICTER = 0.24  # over the weigher's own bar: notes hold more that only looks specific than its lines do
AMONG_FRIENDS = 0.7  # weight of what people under their names tell each other: most of it is talk
NAMED = frozenset(("rule", "preference", "decision", "goal", "habit"))
TELLING, SURELY = (0.2, 0.36), 0.9  # what is one of those may weigh so much less; what surely is
STEPS_CHARS = 240  # of steps that are one thought: a line of the playbook has a few more
FIX_REACH = 3  # thoughts after an error in which its fix is looked for
CALLED = r"[^.:：]{1,50}[:：]"
ARROW = " → "  # between what was asked and its answer
ANSWERED = r"(.*[.?!…。？！][\"'”’)»」』]*) → (.+)"  # as observe writes an answer: what was asked is a whole sentence
SOLVED = 0.2  # weight added for an error with what solved it
LONG, LEAST_DIFFERENT = 12, 0.35  # words from which a text must not be the same few over and over
WISHES = frozenset(("preference", "habit", "rule"))  # what a person likes, does and set
LIKED = r"(?i)prefer|vorlieb|préfér|偏好|喜好|好み"  # of a heading
# Signs of trouble and of what ended it, in six languages: a pair of them is one line.
FIX = (
    r"(?i)\b(?:fix(?:ed|es)?|solved|resolved|solution|workaround|root cause|culprit|(?:was|were) the cause"
    r"|turn(?:s|ed) out|traced|behoben|gelöst|lösung|ursache|arregl\w+|solucion\w+|resuelt\w+|causa|corrigé\w*"
    r"|résolu\w*|cause (?:was|is|est|était|venait)|la cause)\b|^(?:the )?cause\b"
    r"|修复|解决|原因|解決|修正|対処"
)
ERROR = (
    r"\b\w*(?:Error|Exception)\b|\bE[A-Z]{4,9}\b|(?i:\b(?:errors?|crash\w*|fail(?:s|ed|ing|ure|ures)?|hangs?|hung"
    r"|broke|breaks|timed? ?out|stopped|cut off|fehler\w*|abgestürzt|bricht|falla\w*|falló|error\w*|erreurs?"
    r"|échou\w+|panne)\b)"
    r"|报错|失败|崩溃|错误|エラー|失敗|落ち"
)


class Mined(TypedDict):
    text: str
    file: str
    line: int


@dataclass(frozen=True)
class Candidate:
    """A line that may be mined.

    text    as it would be printed
    bare    the words alone, without their speaker
    kind    its type, as a statement has it
    times   how often it was said, this time included
    """

    kind: str
    weight: float
    text: str
    bare: str
    said: Statement
    note: Note
    times: int = 1

    def mined(self) -> Mined:
        return {"text": self.text, "file": self.note.path, "line": self.said.line}


def statements(note: Note) -> list[Statement]:
    """Return what people wrote in a note; what is quoted there is nobody's own word and left out."""
    said = notes.of_note(note.text, path=note.path, first_line=note.first_line, day=note.date)
    return [each for each in said if each.trust != QUOTED]


def candidates(note: Note, said: Sequence[Statement]) -> list[Candidate]:
    """Return the thoughts of a note that weigh enough, an error joined with what solved it."""
    if note.told:
        return list(_observed(note, said))
    names = frozenset(each.speaker for each in said if each.speaker)
    turns = _stepwise(note, [list(turn) for _, turn in groupby(said, key=attrgetter("turn"))])
    found = {n: list(_of_turn(note, turn, names)) for n, turn in enumerate(turns)}
    for n, own in found.items():
        for at, fix in enumerate(own):
            is_whole = compiled(ERROR).search(fix.bare)  # it tells itself what it solved
            if (fix.kind == "fix" or compiled(FIX).search(fix.bare)) and not is_whole:
                own[at] = _solving(turns, found, n, fix, names)
    place = {id(each): i for i, each in enumerate(said)}
    told = []
    for each in (each for own in found.values() for each in own):
        error = context.announced(said, place[id(each.said)]) if id(each.said) in place else ""
        if error or not each.bare.endswith((":", "：")):  # what announces something else says nothing
            told.append(replace(each, text=f"{each.text} {error}") if error else each)
    return told


def _stepwise(note: Note, turns: Sequence[list[Statement]]) -> list[list[Statement]]:
    """Return the turns without open to-dos, which tell nothing yet, and numbered steps as one, with what they are of.

    Steps are numbered rows below each other under a heading that names something.
    """
    rows = note.text.split("\n")
    out: list[list[Statement]] = []
    last: Statement | None = None
    for turn in turns:
        first = turn[0]
        bullet = bullets.parse(rows[first.line - note.first_line]) if first.role == NOTE else None
        if bullet and bullet.box == " ":
            continue
        is_on = last is not None and last.heading == first.heading and last.line + 1 == first.line
        is_step = bullet is not None and bullet.mark[0].isdigit() and context.titled("…", first, is_step=True) != "…"
        if is_step and is_on and sum(len(each.text) + 1 for each in (*out[-1], *turn)) <= STEPS_CHARS:
            out[-1] += turn
        else:
            headed = replace(first, text=context.titled(first.text, first, is_step=is_step))
            out.append([headed, *turn[1:]] if is_step else turn)
        last = turn[-1] if is_step else None
    return out


def _observed(note: Note, said: Sequence[Statement]) -> Iterator[Candidate]:
    """Yield the observations that weigh enough, each as one line; what a person set or must not lose weighs enough."""
    for line, own in groupby(said, key=attrgetter("line")):
        first, told = next(own), note.told.get(line)
        if told is None or first.trace or _is_filler(told.words):
            continue
        is_persons = told.trust == PERSON
        whole = replace(first, text=told.words, role=told.voice or (USER if is_persons else NOTE), leans=())
        asked, answer = _answered(told.words)
        if asked and _settles_nothing(asked, answer):
            continue
        readings = [replace(whole, text=text) for text in (f"{asked} {answer}".strip(), *_sentences(answer))]
        judged = max((each for each in readings if _is_kept(each)), key=lambda each: each.weight, default=None)
        is_settled = told.mark == HIGH or (told.mark == MEDIUM and told.kind in NAMED)
        if (judged is None and not (is_persons and is_settled)) or _is_agents_own(whole):
            continue
        speaker = f"{told.voice}: " if told.voice else ""
        is_question = asked.endswith(("?", "？")) and ARROW not in asked
        bare = f"{answer} (asked: {asked})" if is_question else told.words
        text = f"{asked}{ARROW}{speaker}{answer}" if asked and not is_question else f"{speaker}{bare}"
        found = _candidate(bare, judged or whole, whole, note)
        kind = told.kind if is_persons and told.kind != weigher.FACT else found.kind
        yield replace(found, kind=kind, text=text)


def _settles_nothing(asked: str, answer: str) -> bool:
    """Return whether an answer only refuses what was stated, or takes up an offer: of neither anything lasts.

    >>> _settles_nothing("I recommend deploying on Fridays.", "nope."), _settles_nothing("Want me to begin?", "yes")
    (True, True)
    >>> _settles_nothing("Shall I drop the CSV format?", "no")
    False
    """
    found = replies.reply(answer, asked=asked)
    if found is None or found.kind == replies.VALUE:
        return False
    is_asked = replies.is_question(asked)
    if found.kind == replies.NO:
        return not is_asked and not found.rest
    return is_asked and replies.is_offer(_sentences(asked)[-1])


def _sentences(text: str) -> list[str]:
    return [sentence for _, sentence in sentences.split(text)]


def _answered(words: str) -> tuple[str, str]:
    """Return what an observation answers ("" where it is no answer), and what it says.

    >>> _answered("Shall I drop the CSV format? → no, keep it")
    ('Shall I drop the CSV format?', 'no, keep it')
    >>> _answered("We moved from npm → pnpm")
    ('', 'We moved from npm → pnpm')
    """
    found = compiled(ANSWERED).fullmatch(words)
    return (found[1], found[2]) if found else ("", words)


def _of_turn(note: Note, turn: Sequence[Statement], names: frozenset[str]) -> Iterator[Candidate]:
    """Yield what is worth keeping of a bullet, a paragraph or a turn of talk: a short bullet is one thought."""
    first = turn[0]
    if first.trust == TOOL:
        return
    is_steps = first.turn != turn[-1].turn
    own = _strong(turn) if first.role == NOTE and not is_steps else turn
    first, text = own[0], " ".join(each.text for each in own)
    if first.role == NOTE and (is_steps or len(own) <= WHOLE) and len(text) <= MAX_CHARS and not _is_filler(text):
        thought = replace(first, text=text)
        is_fix = bool(compiled(FIX).match(text)) or (thought.type == "fix" and len(own) == 1)
        headed = replace(first, text=context.titled(context.whole(thought), thought, is_fix=is_fix, with_kind=True))
        judged = max(thought, headed, key=lambda s: s.weight) if is_fix or thought.weight >= IDLE else thought
        if _is_kept(judged):
            whole = context.whole(thought)
            found = _candidate(whole, judged, first, note)
            yield replace(found, text=context.titled(found.text, thought, is_fix=is_fix))
            return
    yield from _said(note, turn, names)


def _is_kept(said: Statement) -> bool:
    """Return whether a statement is worth keeping; a note that surely tells a rule or a wish was written for that."""
    weighed, least = said.weighed, weigher.threshold(said.register)
    if said.role != NOTE:
        return weighed.keep >= (max(least, AMONG_FRIENDS) if said.speaker else least)
    if weighed.type in NAMED:
        least -= TELLING[weighed.confidence >= SURELY]
    elif not compiled(FIX).search(said.text):
        least += STRICTER
    return weighed.must >= MUST or weighed.keep >= least


def _strong(turn: Sequence[Statement]) -> Sequence[Statement]:
    """Return a bullet's sentences without the idle ones at its beginning and end: "Lunch was late. We agreed …".

    What calls itself a cause or a fix says of what in the sentence before it, and so does a very short one.
    """
    leant = {text for each in turn for text in each.leans}
    at = [
        i
        for i, each in enumerate(turn)
        if each.weight >= IDLE or each.text in leant or (i and compiled(FIX).match(each.text))
    ]
    if not at:
        return turn
    first = next(i for i in range(at[0], -1, -1) if i == 0 or not _needs_another(turn[i].text))
    return turn[first : at[-1] + 1]


def _needs_another(text: str) -> bool:
    return context.is_short(text) or _is_of_another(text)


def _is_of_another(text: str) -> bool:
    """Return whether a sentence calls itself the cause or the fix of something.

    >>> _is_of_another("Cause after three weeks: the USB hub"), _is_of_another("The hub was the cause")
    (True, False)
    """
    found = compiled(CALLED).match(text)
    return found is not None and compiled(FIX).search(found[0]) is not None


def _said(note: Note, turn: Sequence[Statement], names: frozenset[str]) -> Iterator[Candidate]:
    """Yield what is worth keeping of a turn sentence by sentence; what points back to a kept one goes on with it."""
    last: Candidate | None = None
    for each in turn:
        asked = [q for q in each.leans if q.endswith(("?", "？"))]
        is_short = bool(asked) and len(each.text.split()) < WHOLE
        judged = replace(each, text=f"{asked[-1]} {each.text}") if is_short else each
        least = weigher.threshold(each.register)
        if last and each.leans and not asked and each.weight >= least / 2:
            text = f"{last.bare} {each.text}"
            if len(text) <= MAX_CHARS:
                last = replace(_candidate(text, last.said, last.said, note), weight=max(last.weight, each.weight))
                continue
        if last:
            yield last
        last = None
        if _is_kept(judged) and not _is_filler(each.text) and not _is_agents_own(each):
            last = _candidate(context.whole(replace(each, text=_trimmed(each.text, names))), judged, each, note)
    if last:
        yield last


def _is_agents_own(said: Statement) -> bool:
    """Return whether an agent says what it likes or has resolved itself: nobody decided that."""
    is_first = said.role == ASSISTANT and compiled(notes.FIRST_PERSON).match(said.text)
    return bool(is_first) and _kind(said) in (*WISHES, "decision", "goal")


def _candidate(text: str, judged: Statement, said: Statement, note: Note) -> Candidate:
    return Candidate(
        kind=_kind(judged),
        weight=judged.weight,
        text=_attributed(text, said),
        bare=text,
        said=said,
        note=note,
    )


def _kind(said: Statement) -> str:
    """Return what a statement is: in a note's own voice a rhythm is of the project, unless it says whose."""
    found = said.type if said.type != weigher.FACT else kinds.by_cue(said.text)
    if said.role == NOTE and compiled(LIKED).search(said.heading):
        return "preference"
    is_persons = said.role != NOTE or compiled(notes.FIRST_PERSON).search(said.text)
    return "fact" if trust.reports(said.text) or (found == "habit" and not is_persons) else found


def _trimmed(text: str, names: frozenset[str]) -> str:
    """Return a sentence of talk without the name of who is spoken to.

    >>> _trimmed("Yeah, Mel, I painted that lake last year, Mel!", frozenset(["Melanie"]))
    'I painted that lake last year!'
    """
    short = sorted({name[:n] for name in names for n in range(min(3, len(name)), len(name) + 1)}, key=len, reverse=True)
    if not short:
        return text
    who = "|".join(map(re.escape, short))
    out = personal(rf"^(?:[^\W\d_]+[,!.]*\s+)?(?:{who})\s*[,!.…]+\s*(?=\S)").sub("", text)
    out = personal(rf",? \b(?:{who})(?=[.!]*$)").sub("", out)
    return out if out == text else out[:1].upper() + out[1:]


def _attributed(text: str, said: Statement) -> str:
    """Return the words with their speaker made explicit; words in the first person stay a quotation."""
    text = short(text, MAX_CHARS)
    speaker = said.speaker or (said.role if said.role != NOTE else "")
    if not speaker:
        return text
    if not compiled(notes.FIRST_PERSON).search(text):
        return f"{speaker}: {text}"
    inner = text.replace('"', "'")
    return f'{speaker}: "{inner}"'


def _solving(
    turns: Sequence[Sequence[Statement]],
    found: dict[int, list[Candidate]],
    n: int,
    fix: Candidate,
    names: frozenset[str],
) -> Candidate:
    """Return a fix with the error that it belongs to: near above it under one heading, told by a person if possible."""
    near = [i for i in range(n - 1, max(-1, n - 1 - FIX_REACH), -1) if turns[i][0].heading == fix.said.heading]
    for i in sorted(near, key=lambda i: (turns[i][0].trace, -i)):
        text = " ".join(each.text for each in turns[i])
        is_told = compiled(ERROR).search(text) and not compiled(FIX).search(text)
        is_apart = i < n - 1 and not turns[i][0].trace and not content_words(text) & content_words(fix.bare)
        own = found[i][0] if len(found[i]) == 1 else None
        if own and own.kind in (*WISHES, "decision", "goal"):
            continue
        if not is_told or len(text) > MAX_CHARS or is_apart:
            continue
        found[i] = [] if own else found[i]
        before = own.text if own else _attributed(_trimmed(text, names), turns[i][0])
        said = fix.said if turns[i][0].trace else turns[i][0]
        weight = max(fix.weight, own.weight if own else 0.0) + SOLVED
        text = f"{before} → {_attributed(fix.bare, fix.said)}"
        return Candidate("fix", weight, text, text, said, fix.note)
    return fix


def short(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[:chars].rsplit(" ", 1)[0] + " …"


def _is_filler(text: str) -> bool:
    """Return whether a long text says the same few words over and over."""
    words = [re.sub(r"\d+", "", word.lower()) for word in text.split()]
    return len(words) > LONG and len(set(words)) < len(words) * LEAST_DIFFERENT
