"""Which entities there are and how they are called; a name → the entity that it means.  [moltbot §6, §17.1]

Ten years of memories have thousands of entities, and remembering one thing must not read them all: names are kept in
`entities.json` beside what each file looked like (kept.py), and only files that differ are read again; where none does,
of the names only those that are asked for. It can be deleted. It lies in the state root, since whoever could write it
could have a person's words kept of somebody else; in `.koog/` where koog sees none.
"""

from __future__ import annotations

import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from koog.core.errors import WorkspaceError
from koog.core.files import listing
from koog.core.lazy_regex import compiled
from koog.memory.names import kept
from koog.memory.names.kept import Kept, Row
from koog.memory.store import entities, ids
from koog.sessions.labels import NONE, Label
from koog.sessions.person import is_ordinary

if TYPE_CHECKING:
    from koog.core.files.listing import Listing
    from koog.core.files.tree import Tree
    from koog.core.run import Run

FEW = 8  # texts: for more of them it is worth to put the words of all names together first
CACHE = "entities.json"
Fits = Callable[[str, str], bool]  # a name as names are looked up, and the type of its entity
SURE = 0.9  # so alike are two spellings of one name
NEAR = 0.45  # so alike may be two of one thing: a person decides
PERSON, ORGANIZATION = "person", "organization"
WORD = r"[^\W_]+"
SUFFIX = ".md"
TICK_NS, SECONDS_NS = 20_000_000, 2_000_000_000  # as coarsely as file systems keep times: by the clock's ticks, or so
UNTRUSTED = 0  # in a time's place: no file has it


class Link(NamedTuple):
    """A relation as a line of an entity's file tells it. line: from 1; confidence, first: as entities.Edge has them"""

    line: int
    start: str
    relation: str
    to: str
    confidence: str = "medium"
    first: str = ""
    label: Label = NONE


class Name(NamedTuple):
    """An entity as it is called: its id, the name that a file shows first, all its names; the relations in its file.

    links   of each the line, its ends, what else it says: as the cache has them
    keyed   its names as names are looked up, where the cache has them
    """

    id: str
    label: str
    names: tuple[str, ...]
    links: Sequence[Sequence[Any]] = ()
    keyed: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        return self.keyed or tuple(map(key, self.names))

    @property
    def type(self) -> str:
        return self.id.partition("--")[0]


class Entries(Mapping[str, Name]):
    """The entities as they are kept, each read when somebody asks for it."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._read: dict[str, Name] = {}

    @cached_property
    def _all(self) -> dict[str, Name]:
        return {id_: _name(id_, row) for id_, row in self._kept.every()}

    @property
    def are_read(self) -> bool:
        return "_all" in vars(self)

    def __getitem__(self, id_: str) -> Name:
        if self.are_read:
            return self._all[id_]
        if id_ not in self._read:
            row = self._kept.row(id_)
            if row is None:
                raise KeyError(id_)
            return self._name(id_, row)
        return self._read[id_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._kept)

    def values(self) -> ValuesView[Name]:
        return self._all.values()

    def fitting(self, words: Collection[str], fits: Fits, *, wide: bool) -> list[Name]:
        """Return those that have a name with one of some words that fits. wide: or one with other than ASCII"""
        found = {n for n, said in self._kept.having(words, wide=wide) if fits(said, self._kept.kind(n))}
        return [self._name(*self._kept.at(n)) for n in sorted(found)]

    @property
    def words(self) -> set[str]:
        """Return the words of all names, and signs."""
        return set(self._kept.keys.split())

    def linked(self) -> list[Name]:
        """Return those whose files have relations."""
        return [self._name(id_, row) for id_, row in self._kept.linked()]

    def _name(self, id_: str, row: Row) -> Name:
        return self._read.setdefault(id_, _name(id_, row))


def linked(entries: Mapping[str, Name]) -> Iterable[Name]:
    """Return the entities whose files may have relations, in their order."""
    return entries.linked() if isinstance(entries, Entries) and not entries.are_read else entries.values()


def _name(id_: str, row: Row) -> Name:
    return Name(id_, row[3], tuple(row[4]), row[5], tuple(row[6]))


class Candidate(NamedTuple):
    """An entity that may be the one that is meant. alike: 0 to 1"""

    id: str
    label: str
    alike: float


class Meant(NamedTuple):
    """What a name means: an entity's id, None for a new one; others that may be meant; whether nobody can tell."""

    id: str | None
    candidates: tuple[Candidate, ...] = ()
    is_open: bool = False


class Known:
    """The entities of a workspace by their names; each way to look them up is made when it is first asked for."""

    def __init__(self, entries: Mapping[str, Name]) -> None:
        self.entries = entries
        self._looked = 0

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Return a whole name → the entities that are called so."""
        found: dict[str, list[str]] = {}
        for each in self.entries.values():
            for said in each.keys:
                _into(found, said, each.id)
        return found

    @cached_property
    def by_head(self) -> dict[str, set[str]]:
        """Return the last word of what is no person → the entities that have it behind others: "planner"."""
        found: dict[str, set[str]] = {}
        for each in self.entries.values():
            for said in each.keys if each.type != PERSON else ():
                words = said.split()
                if len(words) > 1:
                    found.setdefault(words[-1], set()).add(each.id)
        return found

    @cached_property
    def by_part(self) -> dict[str, list[str]]:
        """Return a first or last name → the people who have it."""
        found: dict[str, list[str]] = {}
        for each in self.entries.values():
            for said in each.keys if each.type == PERSON else ():
                for part in _parts(said):
                    _into(found, part, each.id)
        return found

    @cached_property
    def _by_end(self) -> dict[str, list[int]]:
        """Return the first word of a name, of people the last too → as `_by_word`: made in a third of the time."""
        found = defaultdict[str, list[int]](list)
        for at, each in enumerate(self.entries.values()):
            for said in filter(None, each.keys):
                first, _, rest = said.partition(" ")
                found[first].append(at)
                if rest and each.type == PERSON:
                    found[rest[rest.rfind(" ") + 1 :]].append(at)
                if not said.isascii():
                    found[""].append(at)
        return found

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """Return the words with which a name in a text may be found → the numbers of the entities; "": of all texts.

        Of a name that has to stand there whole it is the word that fewest names have.
        """
        found: dict[str, list[int]] = {}
        count = Counter(word for each in self.entries.values() for said in each.keys for word in said.split())
        for at, each in enumerate(self.entries.values()):
            for said in filter(None, each.keys):
                rarest = min(said.split(), key=lambda word: count[word])
                for word in _parts(said) if each.type == PERSON else {rarest, _led(said, each.type) or rarest}:
                    found.setdefault(word, []).append(at)
                if not said.isascii():
                    found.setdefault("", []).append(at)
        return found

    def meant(self, name: str, kind: str, *, about: Sequence[str] = ()) -> Meant:
        """Return which entity a name means.

        about   other words that are said with it: of two people of one first name they tell which
        """
        exact = self.called(key(name))
        same = [id_ for id_ in exact if id_.startswith(f"{kind}--")] or exact
        if len(same) == 1:
            if kind == PERSON and self._others(name, same[0]):  # another has that first name: nobody is mixed up
                return self._by_part(name, about)
            return Meant(same[0])
        if same:
            return Meant(None, self._rows((id_, 1.0) for id_ in same), is_open=True)
        if kind == PERSON and len(key(name).split()) == 1:
            return self._by_part(name, about)
        if len(headed := self._headed(key(name)) or self._brand(key(name))) == 1:
            return Meant(next(iter(headed)))
        near = sorted(self._near(name, kind), key=lambda c: (-c.alike, c.id))
        if near and near[0].alike >= SURE and (len(near) == 1 or near[1].alike < SURE):
            return Meant(near[0].id, tuple(near[1:3]))
        return Meant(None, tuple(near[:3]))

    def called(self, name: str) -> list[str]:
        """Return the entities that are called just so. name: as names are looked up"""
        if not name or not self._are_few:
            return self.by_name.get(name, [])
        return [each.id for each in self._fitting(name.split()[:1], lambda said, _: said == name)]

    def people(self, word: str) -> list[Name]:
        """Return the people of whom a word is the first or last name."""
        if not self._are_few:
            return [self.entries[id_] for id_ in self.by_part.get(word, ())]
        return self._fitting((word,), lambda said, kind: kind == PERSON and word in _parts(said))

    def having(self, words: Set[str]) -> list[Name]:
        """Return the entities that have one of some words in a name, in their order."""
        return self._fitting(words, lambda said, _: not words.isdisjoint(said.split()))

    @cached_property
    def words(self) -> Set[str]:
        """Return the words of all names, and what is none."""
        if isinstance(self.entries, Entries) and not self.entries.are_read:
            return self.entries.words
        return {word for each in self.entries.values() for said in each.keys for word in said.split()}

    def _headed(self, word: str) -> set[str]:
        """Return what by_head has of a word."""
        if not self._are_few:
            return self.by_head.get(word, set())
        found = self._fitting((word,), lambda said, kind: kind != PERSON and said.split()[1:][-1:] == [word])
        return {each.id for each in found}

    def _brand(self, word: str) -> set[str]:
        """Return the organizations of whose names of several words one is the first."""
        found = self._fitting((word,), lambda said, kind: _led(said, kind) == word)
        return {each.id for each in found}

    def _fitting(self, words: Collection[str], fits: Fits, *, wide: bool = False) -> list[Name]:
        """Return the entities that have a name that fits, in their order; such a name has one of some words.

        wide   or other than ASCII in it
        """
        if isinstance(self.entries, Entries) and not self.entries.are_read:
            return self.entries.fitting(words, fits, wide=wide)
        return [each for each in self.entries.values() if any(fits(said, each.type) for said in each.keys)]

    @property
    def _are_few(self) -> bool:
        """Return whether only those are read that are asked for."""
        return isinstance(self.entries, Entries) and not self.entries.are_read

    def within(self, text: str) -> dict[str, str]:
        """Return the names in a text that mean known entities, each with the entity's id.

        Beside whole names: one of a person's names, what a thing is with its article: "the planner", and the first
        word of an organization's name, which stands for it where nobody is called so: "Halde" of "Halde Logistics".
        """
        row = compiled(WORD).findall(unicodedata.normalize("NFKC", text))
        folded = [word.casefold() for word in row]
        words, whole = set(folded), " ".join(folded)
        capitals = {low for word, low in zip(row, folded, strict=True) if word[0].isupper()}
        found: dict[str, str] = {}
        led: dict[str, list[str]] = {}
        for each in self._likely(words):
            for name, said in zip(each.names, each.keys, strict=True):
                if said and (set(said.split()) <= words or (not said.isascii() and said in whole)):
                    found[name] = each.id
                elif each.type == PERSON:
                    for part in _parts(said) & words:
                        if part in capitals or not is_ordinary(part):
                            found.setdefault(part, each.id)
                elif (first := _led(said, each.type)) and first in capitals and not is_ordinary(first):
                    _into(led, first, each.id)
        for word, ids_ in led.items():
            if len(ids_) == 1 and word not in map(str.casefold, found):
                found[word] = ids_[0]
        for article, word in pairwise(folded):
            headed = self._headed(word) if article in ids.ARTICLES - ids.INDEFINITE else set()
            if len(headed) == 1 and (word not in capitals or is_ordinary(word)):
                found.setdefault(word, next(iter(headed)))
        return found

    def _likely(self, words: Set[str]) -> list[Name]:
        """Return the entities of which a text with these words may have a name, in their order."""
        self._looked += 1
        if self._are_few:
            return self._fitting(words, lambda said, kind: _may_stand(said, kind, words), wide=True)
        every, found = list(self.entries.values()), self._by_end if self._looked <= FEW else self._by_word
        return [every[at] for at in sorted({at for word in ("", *words) for at in found.get(word, ())})]

    def _by_part(self, name: str, about: Sequence[str]) -> Meant:
        part = key(name)
        found = self.people(part)
        if len(found) == 1:
            return Meant(found[0].id)
        if not found:
            return Meant(None)
        said = {word for text in about for word in key(text).split()} - {part}
        fits = [(len(said & {w for n in e.names for w in key(n).split()}), e) for e in found]
        best = max(score for score, _ in fits)
        chosen = [e for score, e in fits if score == best]
        if best and len(chosen) == 1:
            return Meant(chosen[0].id)
        return Meant(None, self._rows((e.id, 0.5) for e in found), is_open=True)

    def _others(self, name: str, id_: str) -> tuple[Candidate, ...]:
        """Return the people who have the first name too, where it is all that was said."""
        if len(key(name).split()) > 1:
            return ()
        first = key(name)
        return self._rows(
            (e.id, 0.5)
            for e in self._fitting((first,), lambda said, kind: kind == PERSON and said.split()[:1] == [first])
            if e.id != id_ and key(e.label).split()[:1] == [first]
        )

    def _near(self, name: str, kind: str) -> Iterable[Candidate]:
        for each in self.entries.values():
            if (each.type == PERSON) != (kind == PERSON):
                continue
            score = max((alike(name, other) for other in each.names), default=0.0)
            if score >= NEAR:
                yield Candidate(each.id, each.label, round(score, 2))

    def _rows(self, found: Iterable[tuple[str, float]]) -> tuple[Candidate, ...]:
        return tuple(Candidate(id_, self.entries[id_].label, score) for id_, score in found)


def _into(found: dict[str, list[str]], word: str, id_: str) -> None:
    them = found.setdefault(word, [])
    if id_ not in them:
        them.append(id_)


def _may_stand(said: str, kind: str, words: Set[str]) -> bool:
    """Return whether a text with these words may have a name: it says nothing of one that is written without blanks."""
    parts = said.split()
    if kind == PERSON and parts and (parts[0] in words or parts[-1] in words):
        return True
    if kind == ORGANIZATION and parts and parts[0] in words:
        return True
    return (bool(parts) and all(part in words for part in parts)) or not said.isascii()


def _parts(name: str) -> set[str]:
    """Return a person's first and last name."""
    words = name.split()
    return {words[0], words[-1]} if words else set()


def _led(said: str, kind: str) -> str:
    """Return the first word of an organization's name of several, which alone may stand for the whole; "" for none."""
    first, _, rest = said.partition(" ")
    return first if rest and kind == ORGANIZATION else ""


def key(name: str) -> str:
    """Return a name as names are looked up.

    >>> key("The  OAuth2-PKCE flow")
    'oauth2 pkce flow'
    """
    words = compiled(WORD).findall(unicodedata.normalize("NFKC", ids.spelled(name)).casefold())
    return " ".join(words[1:] if len(words) > 1 and words[0] in ids.ARTICLES else words)


def alike(a: str, b: str) -> float:
    """Return how alike two names are, 0 to 1: by their runs of three characters, or as the words of one in the other.

    Two names that differ in a number, or of people in a word, are not alike.

    >>> alike("OAuth PKCE", "OAuth2 PKCE flow") >= NEAR, alike("server 1", "server 2")
    (True, 0.0)
    """
    one, two = key(a).split(), key(b).split()
    if not one or not two:
        return 0.0
    figures = [{w for w in words if w.isdigit()} for words in (one, two)]
    if figures[0] != figures[1]:
        return 0.0
    bare = [{w.rstrip("0123456789") or w for w in words} for words in (one, two)]
    runs = [_runs(" ".join(words)) for words in (one, two)]
    dice = 2 * len(runs[0] & runs[1]) / (len(runs[0]) + len(runs[1]) or 1)
    inside = bare[0] <= bare[1] or bare[1] <= bare[0]
    return max(dice, 0.75 if inside and min(map(len, bare)) > 1 else NEAR if inside else 0.0)


def _runs(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


# --- the names that files say


def load(run: Run, looked: Listing | None = None) -> Known:
    """Return the entities that there are. looked: the look at their folder, where somebody has just taken one"""
    tree = run.workspace
    folder = tree.in_memory(entities.FOLDER)
    looked = looked or _look(tree, folder)
    has_links = any(name.endswith(SUFFIX) for name in looked.links)  # which somebody has to follow
    mark = "" if has_links else looked.mark
    text = _cached(run)
    names = kept.opened(text)
    if names is not None and names.mark == mark != "" and run.state_root:
        return Known(Entries(names))
    was, at_ns = kept.rows(text, is_own=run.state_root is not None), time.time_ns()
    states = _followed(tree, folder) if has_links else looked.states
    now: dict[str, Row] = {}
    for name, state in sorted(states.items()):
        id_ = name.removesuffix(SUFFIX)
        row = was.get(id_)
        if row is None or row[:3] != [*state]:
            if not ids.is_entity(id_):
                continue
            row = _read(run, f"{folder}/{name}", id_, state)
            if row is None:
                mark = ""  # it is tried again, and told of again
                continue
            if _is_young(state[1], at_ns):
                row[1], mark = UNTRUSTED, ""
        now[id_] = row
    is_marked = names is not None and names.mark == mark
    is_same = is_marked and len(now) == len(was) and all(row is was[id_] for id_, row in now.items())
    if not is_same and not run.dry_run:
        with suppress(WorkspaceError):  # a folder that koog may only read, a full disk: the next one reads them again
            tree.cache(CACHE, kept.render(mark, now), kept=True)
    return Known({id_: _name(id_, row) for id_, row in now.items()})


def _look(tree: Tree, folder: str) -> Listing:
    """Return what the entities' folder holds."""
    try:
        return listing.look(tree.files.folder(folder), SUFFIX)
    except (FileNotFoundError, NotADirectoryError):
        return listing.Listing([], [], [], [], [])
    except OSError as e:
        raise WorkspaceError(f"{folder}: {e.strerror}") from None


def _followed(tree: Tree, folder: str) -> dict[str, tuple[int, int, int]]:
    """Return the entities' files with size, ctime_ns and inode of each; of a link, those of what it leads to."""
    every = [e for e in tree.files.entries(folder) if e.name.endswith(SUFFIX) and e.is_file]
    return {e.name: (e.info.st_size, e.info.st_ctime_ns, e.info.st_ino) for e in every}


def _is_young(changed_ns: int, at_ns: int) -> bool:
    """Return whether what is read now may be changed once more without another time, as git has it too.

    A time that is to come, of a clock that was put back, is young until then.
    """
    return changed_ns + (TICK_NS if changed_ns % 1_000_000_000 else SECONDS_NS) >= at_ns


def _read(run: Run, path: str, id_: str, state: Sequence[int]) -> Row | None:
    """Return the row of one entity's file, None, with a warning, for one that cannot be read."""
    try:
        text = run.workspace.text(path)
    except WorkspaceError as e:
        run.warnings.append(e.message)
        return None
    read = entities.read(text or "", id_, path)
    return [*state, read.label, list(read.names), list(_links(read)), list(map(key, read.names))]


def _links(entity: entities.Entity) -> Iterator[list[object]]:
    """Yield an entity's relations as the cache keeps them."""
    for item in entity.sections.items(entities.RELATIONS):
        for edge in entities.edges_of(entity.id, item.text):
            told = edge.label.stored
            yield [item.row + 1, *edge[:5], *(told if any(told[::2]) else ())]


def link(row: Sequence[Any]) -> Link:
    """Return one relation that the cache has."""
    line, start, relation, to, confidence, first, *told = row
    return Link(line, start, relation, to, confidence, first, Label(*told) if told else NONE)


def _cached(run: Run) -> str:
    """Return the text of the cache, "" where there is none."""
    try:
        return run.workspace.cached(CACHE, kept=True)
    except WorkspaceError:
        return ""
