"""What a matter is about: the entity that its lines name most, else a new one called by what they say again.

§17.1: a name that is like a known one, and not the same, makes no second entity while nobody can tell: known.meant says
which one is meant.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from koog.consolidate.matters import Matter, ideas
from koog.consolidate.survey import Said, Survey
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.of_self import is_spoken_to
from koog.core.text.says import says
from koog.memory.names import mentions
from koog.memory.store import ids

MOST_LINES = 8  # of a matter whose names are read
MAIN = 0.5  # how much a line has to be about a name that is new
LEAST_LINES = 2  # that name somebody new
WORD = r"[^\W_](?:[\w'’-]*\w)?"
LEAST_CHARS = 3  # of a word of such a name
AUXILIARY = frozenset("doit doivent debe deben puede peut soll sollte darf kann".split())
WIDE_SAYS = r"[说称讲]\B"


class Subject(NamedTuple):
    """An entity's id and how it is called. is_new: it has no file yet"""

    id: str
    name: str
    is_new: bool = False


class Subjects:
    """Finds what matters are about."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self._of_line: dict[str, list[tuple[Subject, float]]] = {}

    def of(self, matter: Matter) -> Subject | None:
        """Return what a matter is about, None where nothing names it."""
        count: Counter[Subject] = Counter()
        weight: defaultdict[Subject, float] = defaultdict(float)
        for said in matter.lines[-MOST_LINES:]:
            for subject, main in self.named(said):
                count[subject] += 1
                weight[subject] += main
        known = [s for s in count if not s.is_new]
        fresh = [s for s in count if s.is_new and count[s] >= LEAST_LINES]
        if found := known or fresh:
            return max(found, key=lambda s: (count[s], weight[s], s.id))
        return self._called(matter)

    def named(self, said: Said) -> list[tuple[Subject, float]]:
        """Return whom and what a line names: those that are known, and new ones that it is about."""
        if said.id not in self._of_line:
            self._of_line[said.id] = list(self._named(said))
        return self._of_line[said.id]

    def _named(self, said: Said) -> list[tuple[Subject, float]]:
        if said.entity:
            return [(self._known(said.entity), 2.0)]
        names, found = self.survey.names, list[tuple[Subject, float]]()
        for each in mentions.found(said.text, names.within(said.text)):
            if is_spoken_to(said.text, each.name):
                continue
            meant = names.meant(each.name, each.kind, about=(said.text,))
            if meant.id and f"{ids.ENTITY}:{meant.id}" not in self.survey.hidden:
                found.append((self._known(meant.id), 1.0 + each.main))
            elif meant.id is None and not meant.is_open and not meant.candidates and ids.slug(each.name):
                new = Subject(ids.entity(each.kind, each.name), each.name, is_new=True)
                found += [(new, each.main)] if each.main >= MAIN else []
        linked = (id_ for id_ in said.entities if id_ in self.survey.entities)
        found += [(self._known(id_), 1.0) for id_ in linked if not self._is_spoken_to(said, id_)]
        return list({subject: (subject, main) for subject, main in found}.values())

    def _is_spoken_to(self, said: Said, id_: str) -> bool:
        return any(is_spoken_to(said.text, name) for name in self.survey.entities[id_].names)

    def _known(self, id_: str) -> Subject:
        entity = self.survey.entities.get(id_)
        return Subject(id_, entity.label if entity else id_.partition("--")[2].replace("-", " ").title())

    def _called(self, matter: Matter) -> Subject | None:
        """Return an entity called by the words that the lines have in common."""
        common = {i: n * matter.weights[i] for i, n in matter.common.items() if not i.startswith("#")}
        text = matter.fullest().text
        name = _called_in_wide(text, common) if says(text).wide else _called_in(text, common)
        if not ids.slug(name):
            return None
        id_ = ids.entity(mentions.CONCEPT, name)
        return Subject(id_, name, is_new=id_ not in self.survey.entities)


def _called_in(text: str, common: Mapping[str, float]) -> str:
    """Return two words that stand together in a text and that lines have in common, else one; "" for none.

    One behind an article goes first: "die Heizung" of "die Heizung muss" is a thing.
    """
    words = compiled(WORD).findall(text.casefold())
    worth = [max((common[i] for i in ideas(w) & common.keys()), default=0.0) for w in words]
    known = [at for at, word in enumerate(words) if worth[at] and len(word) >= LEAST_CHARS]
    named = [at for at in known if at and words[at - 1] in ids.ARTICLES]
    pairs = [
        (worth[at] + worth[at + 1], f"{words[at]} {words[at + 1]}")
        for at in named or known
        if at + 1 in known and words[at] != words[at + 1] and (not named or _is_thing(words[at + 1]))
    ]
    single = [(worth[at], words[at]) for at in named or known]
    return max(pairs or single, default=(0.0, ""))[1]


def _is_thing(word: str) -> bool:
    """Return whether a word may be of a name: "must" and "every" are none."""
    return word not in AUXILIARY and not any(idea.startswith("<") for idea in says(word).ideas)


def _called_in_wide(text: str, common: Mapping[str, float]) -> str:
    """Return the first word of a text without blanks that lines have in common, behind who says so."""
    told = compiled(WIDE_SAYS).search(text)
    found = ((text.find(idea, told.end() if told else 0), -len(idea), idea) for idea in common if len(idea) > 1)
    return min((each for each in found if each[0] >= 0), default=(0, 0, ""))[2]
