"""What an extractor is: it reads a piece of a talk and says which files are to hold what.  [autopoiesis §8.3]

An installed package adds its own under the entry point group `koog.extractors`; each name is an object with `name`,
`version` and `extract`. Whoever proposes a change names the turn that it rests on: koog looks whether that turn says
so, who is behind it, and whether a file holds it already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, tzinfo
from typing import Any, Protocol

from koog.core.named import NamedTuple
from koog.core.task import Answer, Task
from koog.knowledge.layout import Layout
from koog.memory.names.known import Known
from koog.sessions.turn import Turn

APPEND, REMEMBER = "append", "remember"


class KnowledgeChange(NamedTuple):
    """One line that a file is to hold.

    path      a knowledge file, MEMORY.md, or "" with `entity`
    action    append: a line of a section; remember: a fact of an entity, in the memory's own file
    section   the heading, without its marks
    content   the line's words, without a date in front
    turn      number of the turn that it rests on, from 1, 0 unknown; line in it; also: turns that it needs, too
    kind      decision, preference, rule, goal, habit, fact, event or context
    title     how a new file is headed
    head      what a new file's head says beside its type
    entity    the name of whom or what a fact is about, and `of` its type: person, project, tool …
    is_dated  the day on which it was said stands in front of it
    """

    path: str
    action: str
    section: str
    content: str
    turn: int
    also: tuple[int, ...] = ()
    kind: str = "fact"
    importance: int = 5
    confidence: float = 0.7
    title: str = ""
    head: Mapping[str, str] = {}
    entity: str = ""
    of: str = ""
    is_dated: bool = True
    line: int = 1


@dataclass(frozen=True, eq=False)
class Talk:
    """A piece of one session.

    turns, before   what is to be read, and what was said right before it; a turn's id is its line in the transcript
    names           whom and what the memory knows by name
    projects        slug → name of the projects that have a folder
    project         what the session is about, "" where nobody says so
    """

    turns: tuple[Turn, ...]
    layout: Layout
    names: Known
    before: tuple[Turn, ...] = ()
    zone: tzinfo = UTC
    today: date = date.min
    projects: Mapping[str, str] = field(default_factory=dict)
    project: str = ""


Ask = Callable[[Task[Talk], Talk], Answer]


class Extractor(Protocol):
    """A named, versioned way to read a talk. With another version a transcript may be read anew."""

    name: str
    version: int

    def extract(self, talk: Talk, ask: Ask) -> Iterable[KnowledgeChange]:
        """Return what the talk says of the extractor's matter. ask: puts a task to the engine of the settings"""
        ...


@dataclass(frozen=True)
class Asking:
    """An extractor of koog's own: one task, and what becomes of each row of the answer.

    rows      the answer's key
    changes   a row → the changes that it asks for
    """

    name: str
    version: int
    task: Task[Talk]
    rows: str
    changes: Callable[[dict[str, Any], Talk], Iterable[KnowledgeChange]]

    def extract(self, talk: Talk, ask: Ask) -> Iterable[KnowledgeChange]:
        answer = ask(self.task, talk)
        for row in answer.value[self.rows]:
            yield from self.changes(row, talk)
