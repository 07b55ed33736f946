"""What extractors say of one piece of a talk, as far as its turns bear it out.  [§8.3]

A change that names no turn, no place among the knowledge files, or what nobody has said, is dropped and told of; an
answer of which most is dropped, or that is longer than what was said, cannot be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from koog.core import forgotten
from koog.core.errors import KoogError, LLMUnusable
from koog.core.refused import refusal
from koog.core.text.trust import PERSONS_OWN
from koog.knowledge import layout, sources
from koog.knowledge.extractor import REMEMBER, Extractor, KnowledgeChange, Talk
from koog.knowledge.found import Applied, Found
from koog.observe.judgement import Judge

if TYPE_CHECKING:
    from koog.core.proposals import Proposal
    from koog.core.run import Run
    from koog.core.task import Answer, Task
    from koog.knowledge.reading import Read


LONG, SOME = 1.0, 400  # an answer longer than so many times what was said, and some characters, is none
ALLOWED = (layout.DECISIONS, layout.LESSONS)  # sections of MEMORY.md


@dataclass
class Asked:
    """What one extractor said of one piece. is_usable: most of it stands in what was said"""

    found: list[Found] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    is_usable: bool = True


class Hearing:
    """Asks the extractors of one run, and looks whether what they say was said.

    done      where it is noted what was refused
    failure   why the first answer that could not be used could not be
    """

    def __init__(self, run: Run, done: Applied) -> None:
        self.run, self.done = run, done
        self.failure: LLMUnusable | None = None

    def all(
        self, extractors: Sequence[Extractor], talk: Talk, read: Read
    ) -> tuple[list[tuple[Extractor, Asked | None]], KoogError | None]:
        """Return what the extractors say of a piece, and why those behind them could not be asked.

        A slow model's answers are not thrown away because there was no time for the last one. Raises what asking the
        first one raises.
        """
        asked = list[tuple[Extractor, Asked | None]]()
        for each in extractors:
            try:
                asked.append((each, self._ask(each, talk, read)))
            except KoogError as e:
                if not asked:
                    raise
                return asked, e
        return asked, None

    def _ask(self, extractor: Extractor, talk: Talk, read: Read) -> Asked | None:
        """Return what an extractor says of a piece, None where the answer cannot be used."""
        if not talk.turns:
            return Asked()
        answers: list[Answer] = []

        def ask(task: Task[Talk], given: Talk) -> Answer:
            answers.append(self.run.ask(task, given))
            return answers[-1]

        try:
            changes = list(extractor.extract(talk, ask))
            _check_length(changes, talk)
        except LLMUnusable as e:  # of this extractor and piece alone
            self.failure = self.failure or e
            return None
        is_quoted = bool(answers) and all(each.engine == "builtin" for each in answers)
        return self._judged(extractor, changes, talk, read, quoted=is_quoted, answers=answers)

    def _judged(
        self,
        extractor: Extractor,
        changes: Sequence[KnowledgeChange],
        talk: Talk,
        read: Read,
        *,
        quoted: bool,
        answers: Sequence[Answer],
    ) -> Asked:
        judge = Judge(talk.turns, key=read.session, zone=talk.zone, quoted=quoted, label=read.label, before=talk.before)
        asked, unread = Asked(), sum(len(each.refused) for each in answers)
        rows, gone = len(changes) + unread, forgotten.of(self.run.workspace)
        for change in changes:
            if wrong := _misplaced(change, talk):
                self.done.refused.append((read.label, refusal(change.content, wrong)))
                unread += 1
                continue
            done = judge.of(_row(change))
            unread += done.unread
            asked.proposals += [each for each in done.proposals if not gone.holds(each.content)]
            self.done.refused += [(read.label, row) for row in done.refused]
            for seen in (each for each in done.observations if not gone.holds(each.text)):
                source = sources.of(seen, talk.turns, change, read.session)
                is_lowered = seen.type != change.kind and change.kind in PERSONS_OWN
                placed = _as_fact(change, talk) if is_lowered else change
                told = (extractor.name, seen.text, seen.day, seen.time, source, seen.trust, read.label)
                asked.found.append(Found(placed, *told, sources.turn_of(seen, talk.turns).text))
        self.done.refused += [(read.label, row) for each in answers for row in each.refused]
        asked.is_usable = 2 * unread <= rows
        return asked


def _misplaced(change: KnowledgeChange, talk: Talk) -> str:
    """Return why a change has no place, "" where it has one: only knowledge files, by names that stay in them."""
    if not 0 <= change.turn <= len(talk.turns):
        return "it rests on no turn"
    if not change.content:
        return "it says nothing"
    if change.action == REMEMBER:
        return "" if change.entity else "it is of nobody"
    path = change.path
    parts = path.split("/")
    if any(part in ("", ".", "..") or part.startswith(".") for part in parts) or not change.section.strip():
        return "no such place"
    kind = "journal" if path == talk.layout.journal else talk.layout.kind(path)
    if kind in ("", "project_index", "person_index") or (kind == "memory" and change.section not in ALLOWED):
        return "no such place"
    return ""


def _row(change: KnowledgeChange) -> dict[str, Any]:
    return {
        "text": change.content,
        "turn": change.turn or None,
        "with": list(change.also),
        "type": change.kind,
        "importance": change.importance,
        "confidence": change.confidence,
    }


def _as_fact(change: KnowledgeChange, talk: Talk) -> KnowledgeChange:
    """Return a change whose speaker cannot set it: what an agent calls a rule is a line of the journal."""
    return change._replace(path=talk.layout.journal, section="general", action="append", kind="fact")


def _check_length(changes: Iterable[KnowledgeChange], talk: Talk) -> None:
    """Raise LLMUnusable for an answer that says more than was said."""
    said = sum(len(turn.text) for turn in (*talk.before, *talk.turns))
    told = sum(len(each.content) for each in changes)
    if told > LONG * said + SOME:
        raise LLMUnusable(f"the answer has {told} characters about {said}: more than was said", hint="koog extract")
