"""Which lines tell of another what somebody asks of himself: "where do I work?", "Maria works at Hotel Adria".

Only where he is who does what is asked for, and the question names nobody: who is to be called, and how a thing is
done, another's line may tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from koog.core.lazy_regex import compiled
from koog.core.text import introduction, kinds
from koog.memory.answering import bearing
from koog.memory.answering.question import HOW, WHO, Question
from koog.memory.names import known, mentions, spelling
from koog.memory.store.memories import CORE, SEMANTIC

if TYPE_CHECKING:
    from koog.memory.answering.items import Item
    from koog.memory.names.known import Known

OWN = rf"{kinds.SELF}|\b(?:we|wir|nous|nosotros)\b|[我私]"


def of_others(question: Question, items: Sequence[Item], own: Sequence[Sequence[float]], names: Known) -> set[int]:
    """Return the places of the lines that say of another what the asker asks of himself.

    own   how far each line has each word of the question
    """
    if question.named or question.kinds & {HOW, WHO} or not compiled(kinds.SELF, re.IGNORECASE).search(question.text):
        return set()
    near = [n for n, shares in enumerate(own) if shares and min(shares) >= bearing.PART]
    others = {n: who for n in near if (who := _whose(question, items[n], names))}
    users = _users(items) if others else set()
    return {n for n, who in others.items() if not who <= users}


def _whose(question: Question, item: Item, names: Known) -> set[str]:
    """Return the names of the person of whom a line says what is asked for; none where that is who speaks."""
    if compiled(OWN, re.IGNORECASE).search(item.text):
        return set()
    people = [each for each in mentions.found(item.text, names.within(item.text)) if each.kind == known.PERSON]
    if people:
        return set(spelling.key(people[0].name).split()) if people[0].at < _at(question, item.text) else set()
    first = item.about[0] if item.store == SEMANTIC and item.about else ""
    return set(spelling.key(names.entries[first].label).split()) if first.startswith(f"{known.PERSON}--") else set()


def _at(question: Question, text: str) -> int:
    """Return where in a line the first word stands that is asked for."""
    words = (each for each in compiled(r"\w+").finditer(text))
    had = (each.start() for each in words if any(_has(word, each[0]) for word in question.words))
    return next(had, len(text))


def _has(word: str, said: str) -> bool:
    return bearing.has(word, bearing.line(said)) >= bearing.PART


def _users(items: Iterable[Item]) -> set[str]:
    """Return the words of the names by which core memory knows who asks."""
    own = ((item.text, mentions.found(item.text)) for item in items if item.store == CORE)
    told = (
        each.name
        for text, named in own
        for each in named
        if introduction.names_himself(text, each.name)
        or introduction.introduces(text, each.name, [one.name for one in named])
    )
    return {word for name in told for word in spelling.key(name).split()}
