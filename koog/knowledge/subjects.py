"""Whom and what a talk is about: its names, which of them are projects or people, and what is spoken of at a turn.

What a name is shows over a whole session: "Apollo" beside "release" and "runs on" is a project in the other sentences,
too. A sentence that names no project is of the one that was named last, as long as that is near, else of the session's:
the only one that is named in it, where its folder is called like no project; else that folder's.  [autopoiesis §8.3]
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from koog.core.lazy_regex import compiled, personal
from koog.core.named import NamedTuple
from koog.core.text import cues
from koog.core.text.statement import Statement
from koog.knowledge.extractor import Talk
from koog.memory.names import mentions, spelling
from koog.memory.names.mentions import CONCEPT, PERSON, PLACE, PROJECT, Mention
from koog.memory.store import ids
from koog.sessions.person import is_ordinary

NEAR = 8  # turns for which a project is spoken of
HIS = 3  # turns for which "she" means who was named
ENOUGH = 1.0  # of what speaks for a project, or a person
TWICE = 2.0  # of a name that sounds like a project's, where nothing around it speaks for one
MOSTLY = 0.6  # of what speaks for anything
USER = "User"  # whoever speaks with the agent, where nobody has told a name


class Subject(NamedTuple):
    """What a statement is about.

    name   as it was written first
    kind   a type of ids.ENTITY_TYPES
    """

    name: str
    kind: str

    @property
    def slug(self) -> str:
        return ids.slug(self.name)


class About(NamedTuple):
    """The subjects of one statement.

    project, person   None where it has none
    things            what else it names, what it is most about first
    is_named          the project stands in the statement itself, or in what it leans on, or the session is of it
    is_alone          the person is named or meant, and nobody and nothing else is
    is_main           it is most about the person, whom it tells by the whole name, and names no project
    """

    project: Subject | None
    person: Subject | None
    things: tuple[Subject, ...] = ()
    is_named: bool = False
    is_alone: bool = False
    is_main: bool = False


class Subjects:
    """The names of a talk, and what each of its statements is about."""

    def __init__(self, given: Talk, said: Sequence[Statement]) -> None:
        self.given = given
        self.mentions = {id(each): self._mentions(each) for each in said}
        self.surely: set[str] = set()  # keys of those that are called a project by what stands around them
        self.kinds, self.names = self._judged(said)
        self.default = self._default()
        self.at = self._followed(said)

    def about(self, said: Statement) -> About:
        """Return what a statement is about."""
        return self.at[id(said)]

    def _mentions(self, said: Statement) -> list[Mention]:
        text = said.told
        told = dict(self.given.names.within(text))
        low = text.casefold()
        told |= {name: f"project--{slug}" for slug, name in self.given.projects.items() if name.casefold() in low}
        rest = _unaddressed(said)
        named = [each for each in mentions.found(text, told) if each.name in rest]
        found = [each._replace(name=_core(each.name)) for each in named]
        return [each for each in found if each.name in told or _is_name(each.name)]

    def _judged(self, said: Iterable[Statement]) -> tuple[dict[str, str], dict[str, str]]:
        """Return key → kind and key → name of all that is named: what most of its sentences say that it is.

        Only what surely is a project or a person is called one, since a file is made for it.
        """
        votes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        project: dict[str, float] = defaultdict(float)
        names: dict[str, str] = {}
        for each in said:
            text = each.told
            for mention in self.mentions[id(each)]:
                name = spelling.key(mention.name)
                names.setdefault(name, mention.name)
                votes[name][mention.kind] += 0.2 + mention.main
                project[name] += sum(cues.of_project(text, *at) for at in _places(text, mention.name))
        kinds = {}
        self.surely = {
            name for name in votes if project[name] >= ENOUGH or ids.slug(names[name]) in self.given.projects
        }
        for name, found in votes.items():
            best = max(found, key=found.__getitem__)
            id_ = self.given.names.meant(names[name], best).id or ""
            known_kind = PROJECT if ids.slug(names[name]) in self.given.projects else id_.partition("--")[0]
            kinds[name] = known_kind or _kind(best, found, project[name], words=len(name.split()))
        for part, whole in _whole(kinds).items():
            kinds[part], names[part] = PERSON, names[whole]
        return kinds, names

    def _default(self) -> Subject | None:
        """Return the project that the whole session is of, None where nobody can tell."""
        kinds = {name: kind for name, kind in self.kinds.items() if name in self.surely}
        named = [Subject(self.names[name], kind) for name, kind in kinds.items() if kind == PROJECT]
        folder = Subject(self.given.project, PROJECT) if self.given.project else None
        is_one = folder and (folder.slug in self.given.projects or folder.slug in {each.slug for each in named})
        return folder if is_one or len(named) != 1 else named[0]

    def _followed(self, said: Sequence[Statement]) -> dict[int, About]:
        """Return what each statement is about, read in their order: a name holds on for some turns."""
        found: dict[int, About] = {}
        project: tuple[Subject | None, int] = (self.default, -NEAR)
        person: tuple[Subject | None, int] = (None, -NEAR)
        for each in said:
            named = [self._subject(m) for m in mentions.main_first(self.mentions[id(each)])]
            own = next((s for s in named if s.kind == PROJECT), None)
            who = next((s for s in named if s.kind == PERSON), None)
            if own:
                project = (own, each.turn)
            near = project[0] if each.turn - project[1] <= NEAR else None
            if who is None and cues.begins(cues.HE, each.text) and each.turn - person[1] <= HIS:
                who = person[0]
            elif who:
                person = (who, each.turn)
            others = [s for s in named if s != who]
            is_alone = who is not None and not others
            if who is None and cues.has(cues.I, each.text):
                who = Subject(USER, PERSON)
            things = tuple(s for s in named if s.kind not in (PROJECT, PERSON))
            of = own or near or self.default
            is_named = own is not None or (bool(self.given.project) and of is not None)
            is_main = who is not None and named[:1] == [who] and own is None and " " in who.name
            found[id(each)] = About(of, who, things, is_named, is_alone, is_main)
        return found

    def _subject(self, mention: Mention) -> Subject:
        name = spelling.key(mention.name)
        return Subject(self.names.get(name, mention.name), self.kinds.get(name, mention.kind))


def _unaddressed(said: Statement) -> str:
    """Return what is told without the greeting in front: whom it speaks to is not what it is about."""
    bare = ("" if cues.says_nothing(each) else cues.without_lead(each) for each in (*said.leans, said.text))
    *leans, text = bare
    return replace(said, text=text, leans=tuple(leans)).told


def _whole(kinds: Mapping[str, str]) -> dict[str, str]:
    """Return first or last name → whole name of the people of a talk, where it can be one of them only."""
    people = [name for name, kind in kinds.items() if kind == PERSON and " " in name]
    parts = [(part, name) for name in people for part in (name.partition(" ")[0], name.rpartition(" ")[2])]
    once = {part for part, _ in parts if sum(each == part for each, _ in parts) == 1}
    return {part: name for part, name in parts if part in once & kinds.keys() and kinds[part] != PLACE}


def _core(name: str) -> str:
    """Return a name without the common words around it: "deploy Apollo", "Apollo release".

    >>> _core("deploy Apollo"), _core("Apollo release"), _core("TU Delft")
    ('Apollo', 'Apollo', 'TU Delft')
    """
    words = name.split()
    while len(words) > 1 and words[0].islower():
        del words[0]
    while len(words) > 1 and (words[-1].islower() or cues.is_of_project(words[-1])):
        del words[-1]
    return " ".join(words)


def _is_name(name: str) -> bool:
    """Return whether something may be a name: not an ordinary word at the beginning of a sentence."""
    words = compiled(r"[^\W\d_]+").findall(name)
    return bool(words) and name != name.lower() and not all(is_ordinary(word.casefold()) for word in words)


def _kind(best: str, found: Mapping[str, float], project: float, *, words: int) -> str:
    """Return what a name is. project: how much around it speaks for a project; words: how many it has"""
    if best == PLACE:
        return PLACE
    if project >= max(ENOUGH, MOSTLY * found.get(PERSON, 0.0)):
        return PROJECT
    if best == PERSON:
        is_sure = found[PERSON] >= MOSTLY * sum(found.values()) and (words > 1 or found[PERSON] >= ENOUGH)
        return PERSON if is_sure else _other(found)
    return best if best != PROJECT or project or found[PROJECT] >= TWICE else _other(found)


def _other(found: Mapping[str, float]) -> str:
    """Return what a name is that is no person and no project for sure: the next that it may be."""
    return max((kind for kind in found if kind not in (PERSON, PROJECT)), key=found.__getitem__, default=CONCEPT)


def _places(text: str, name: str) -> Iterable[tuple[int, int]]:
    return (found.span() for found in personal(re.escape(name), re.I).finditer(text))
