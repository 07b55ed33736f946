"""What shows of two lines beside one another: what they share, what each has that the other lacks, in numbers.

seen      two readings → what differs, and whether that forbids to take them for the same
features  the same as named numbers, which compare.json weighs
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import fsum, log

from koog.core.lazy_regex import compiled, personal
from koog.core.named import NamedTuple
from koog.core.text.says import KIND, MAYBE, NAME, NUMBER, WORD, Says, says

ALIKE = 0.5  # of the words stand in the same order in both: one sentence with something put in another's place
STRONG = frozenset("over onward moved person rather wrong back".split())
AGAIN = frozenset(("onward", "moved"))
FIRM = frozenset("weekday month season side pole height order place rhythm colour".split())  # kinds that always differ
MUCH = 0.6  # of a line's ideas
LEAST = 4  # letters of a word whose forms are looked for
WIDE = "\u3040"
LONGEST_VALUE = 2  # words
FRAME = 0.5
LATE = 0.5  # of a line: before it stands what it speaks of
LEAST_HELD = 3  # words
FEW = 0.8  # of an idea
ONE_MORE = 1.1
YEAR = r"#(?:19|20)\d\d"
TWO = r"(?<![\d.,:])0*(\d+)(\D{1,40})(?=0*(\d+))"  # numbers behind one another
IS = r"(?i)\b(?:is|are|was|were|ist|sind|war|waren|lautet|es|son|era|eran|est|sont|était|étaient)\b|[=:]\s"
HIRAGANA = r"((?!これ|それ|ここ|わた|ぼく|おれ)[ぁ-ん]{2,5}?)(?:さん|ちゃん|くん)?[のはが]"
CUES = ("over", "onward", "moved", "person", "now", "rather", "wrong", "back", "settled", "sold", "reports")
CHANGE = frozenset(CUES[:6])  # by which a line tells of itself that something is otherwise: a fifth of such lines do


class Seen(NamedTuple):
    """Two lines beside one another.

    newer     in the older's words wherever it has a form of one
    shared    ideas and numbers of both
    frame     share of their words that stand in the same order, 0 to 1
    blocks    what stands in one in the place of what in the other: (older's places, newer's places)
    apart     why they cannot be the same, "" when nothing forbids it
    slot      where the one value stands in which they differ: "early", "late", of what is "past"; "" when there is more
    begins_otherwise  whether of one frame the first words differ: "Server 1 has …", "Server 2 has …"
    is_of_another     whether a number says that they speak of two things: "house 2 is …", "house 6 is …"
    told      how the newer says that something changed, "" when it does not
    """

    older: Says
    newer: Says
    shared: frozenset[str]
    frame: float
    blocks: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    numbers: bool
    same_key: bool
    names: bool
    kinds: frozenset[str]
    denied: bool
    swapped: frozenset[str]
    apart: str
    told: str
    begins_otherwise: bool
    slot: str = ""
    is_of_another: bool = False

    @property
    def subject_differs(self) -> bool:
        return self.begins_otherwise or self.is_of_another

    @property
    def are_of_two(self) -> bool:
        """Return whether they differ in what they begin with and again in what they say of it: of two things, each its
        own. Not where the newer says who takes over, or denies what the older has.
        """
        sides = [block for block in self.blocks if block[0] and block[1]]
        if len(sides) < 2 or "person" in self.told or not self.newer.denied.isdisjoint(self.older.words):
            return False
        (first, other), (_, last) = sides[0], sides[-1]
        is_early = first[0] < LATE * len(self.older.words) and other[0] < LATE * len(self.newer.words)
        return (
            is_early and all(_has_value(self.newer, side) for side in (other, last)) and _has_value(self.older, first)
        )

    @property
    def held(self) -> str:
        """Return which line has all words of the other in their order: "older", "newer", "" when none has."""
        short = min(len(self.older.words), len(self.newer.words))
        if self.apart or short < LEAST_HELD or self.frame * max(len(self.older.words), len(self.newer.words)) < short:
            return ""
        return "newer" if len(self.newer.words) > len(self.older.words) else "older"

    @property
    def strongly(self) -> bool:
        """Return whether the newer line says it in words that hardly mean anything else."""
        return not STRONG.isdisjoint(self.told.split(", "))


def seen(a: Says, b: Says) -> Seen:
    """Return two readings beside one another."""
    b = _in_words_of(a, b)
    shared = (a.ideas & b.ideas) | {f"#{n}" for n in a.numbers.keys() & b.numbers.keys()}
    blocks, common = _aligned(a.words, b.words)
    frame = common / max(1, len(a.words), len(b.words))
    left, right = a.numbers.keys() - b.numbers.keys(), b.numbers.keys() - a.numbers.keys()
    numbers = bool(left and right)
    same_key = any(a.numbers[x] & b.numbers[y] for x in left for y in right)
    names = bool(a.names - b.ideas and b.names - a.ideas) or _are_twins(a.ideas - b.ideas, b.ideas - a.ideas)
    names = names or (a.wide and b.wide and _are_called(a.text, b.text))
    kinds = frozenset(
        kind
        for kind, members in a.kinds.items()
        if kind in b.kinds and members - b.kinds[kind] and b.kinds[kind] - members
    )
    swapped = frozenset(_swapped(a, b, blocks))
    denied = _one_denies(a, b, frame)
    # Both may tell a change, one after the other: then the newer denies what the older has made of it.
    follows = denied and a.denials > 0 and not (b.denied - _names(a, b)).isdisjoint(a.ideas - a.denied)
    # So they may without a denial, where one sentence is said again with another day: "from now on we meet on Friday".
    is_again = bool(kinds) and frame >= ALIKE and not names and not numbers
    follows = follows or (is_again and not AGAIN.isdisjoint(a.cues & b.cues))
    told = ", ".join(name for name in CUES if name in (b.cues if follows else b.cues - a.cues))
    reasons = (
        (numbers, "another number"),
        (names or (frame >= ALIKE and swapped & {NAME, MAYBE}), "another name"),
        (kinds and (frame >= ALIKE or kinds & FIRM), f"another {', '.join(sorted(kinds))}"),
        (denied, "one denies it"),
        (_is_turned(a.words, b.words), "the other way round"),
    )
    apart = next((reason for holds, reason in reasons if holds), "")
    first = blocks[0] if blocks else ((), ())
    begins = bool(frame >= ALIKE and first[0] and first[1] and first[0][0] <= 1 and len(a.words) > 2)
    found = Seen(a, b, shared, frame, blocks, numbers, same_key, names, kinds, denied, swapped, apart, told, begins)
    return found._replace(slot=_slot(found), is_of_another=_is_of_another(found))


def tells_change(text: str) -> bool:
    """Return whether a line says that something is otherwise than it was, whatever it was.

    >>> tells_change("Antifouling is Coastline from now on"), tells_change("Antifouling is Coastline")
    (True, False)
    """
    return not says(text).cues.isdisjoint(CHANGE)


def _has_value(line: Says, places: Sequence[int]) -> bool:
    """Return whether a name, a figure or a member of a kind stands at one of some places of a line."""
    return any(line.marks[at] in (NAME, MAYBE, NUMBER, KIND) for at in places)


def _are_twins(left: frozenset[str], right: frozenset[str]) -> bool:
    """Return whether two things are told apart by their last part alone: "deploy-eu", "deploy-us"."""
    heads = [{word.rpartition("-")[0] for word in side if "-" in word} for side in (left, right)]
    return not heads[0].isdisjoint(heads[1])


def _are_called(text: str, other: str) -> bool:
    """Return whether two Japanese lines begin with two names in hiragana, which is read as no word."""
    found = [compiled(HIRAGANA).match(each) for each in (text, other)]
    return bool(found[0] and found[1] and found[0][1] != found[1][1])


def _is_turned(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether two words have changed places: "from mysql to postgres", "from postgres to mysql"."""
    if len(words) != len(others):
        return False
    places = [at for at, (x, y) in enumerate(zip(words, others, strict=True)) if x != y]
    return len(places) == 2 and [words[at] for at in places] == [others[at] for at in reversed(places)]


def _one_denies(a: Says, b: Says, frame: float) -> bool:
    """Return whether one line denies what the other says."""
    if _cross(a, b):
        return True
    if frame >= ALIKE:
        return a.denials % 2 != b.denials % 2
    if (a.denials > 0) == (b.denials > 0):
        return False
    shared = a.ideas & b.ideas
    denied = (a.denied | b.denied) & shared
    return len(denied) > len(shared) / 2 and len(shared) >= MUCH * min(len(a.ideas), len(b.ideas))


def _names(a: Says, b: Says) -> frozenset[str]:
    return a.names | a.maybe | b.names | b.maybe


def _cross(a: Says, b: Says) -> bool:
    """Return whether two lines deny two things, one of which the other says: "not in A, in B", "not in B, in C".

    A name is what both are about, in whichever of their clauses it stands. Of another day, number or name it is another
    thing: "no meat on Friday, fish instead", "no fish on Monday, soup instead".
    """
    if any(a.kinds[kind].isdisjoint(b.kinds[kind]) for kind in a.kinds.keys() & b.kinds.keys()):
        return False
    own = ((a.numbers.keys(), b.numbers.keys()), (a.names | a.maybe, b.names | b.maybe))
    if any(one and two and one.isdisjoint(two) for one, two in own):
        return False
    both = _names(a, b) | {"<self>"}
    left, right = a.denied - b.denied - both, b.denied - a.denied - both
    return bool(left and right and ((left & b.ideas) | (right & a.ideas)))


def _in_words_of(a: Says, b: Says) -> Says:
    """Return the second line with the first one's word wherever it has a form of it, or a compound with it."""
    # In one order, since the last that fits is taken.
    left, right = sorted(a.ideas - b.ideas - a.names), sorted(b.ideas - a.ideas - b.names)
    forms = {}
    for word in right:
        if len(word) >= LEAST and word[0] < WIDE and word[0] != "<":
            for other in left:
                if (
                    len(other) >= LEAST
                    and other[0] < WIDE
                    and _is_form(word, other, may_be_name=other in a.maybe or word in b.maybe)
                ):
                    forms[word] = other
    if not forms:
        return b
    swap = {**forms}.get
    return b._replace(
        words=tuple(swap(word, word) for word in b.words),
        ideas=frozenset(swap(word, word) for word in b.ideas),
        maybe=frozenset(swap(word, word) for word in b.maybe),
        denied=frozenset(swap(word, word) for word in b.denied),
        told={cue: frozenset(swap(word, word) for word in ideas) for cue, ideas in b.told.items()},
    )


def _is_form(word: str, other: str, *, may_be_name: bool) -> bool:
    """Return whether one of two words begins or ends with the other, or both begin alike."""
    if not (word.isalpha() and other.isalpha()):
        return False  # "deploy-eu" is no form of "deploy-us"
    short, long = sorted((word, other), key=len)
    if long.endswith(short) or long.startswith(short):
        return len(long) - len(short) >= 3 if may_be_name else len(long) - len(short) <= len(short) + 6
    same = next((n for n, (x, y) in enumerate(zip(word, other, strict=False)) if x != y), len(short))
    return not may_be_name and same >= max(LEAST, len(long) - 3)


def _swapped(a: Says, b: Says, blocks: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]) -> Iterator[str]:
    """Yield what kind of word stands in another's place."""
    for left, right in blocks:
        if left and right:
            marks = {a.marks[at] for at in left if a.words[at] not in b.ideas} & {
                b.marks[at] for at in right if b.words[at] not in a.ideas
            }
            yield from marks
            if not marks:
                yield "mixed"


def _aligned(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], int]:
    """Return the runs of places where two sequences differ, and how many words they have in common in order."""
    width = len(b) + 1
    table = [[0] * width for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        row, below, word = table[i], table[i + 1], a[i]
        for j in range(len(b) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if word == b[j] else max(below[j], row[j + 1])
    blocks: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    left: list[int] = []
    right: list[int] = []
    i = j = 0
    while i < len(a) or j < len(b):
        if i < len(a) and j < len(b) and a[i] == b[j]:
            if left or right:
                blocks.append((tuple(left), tuple(right)))
                left, right = [], []
            i, j = i + 1, j + 1
        elif j == len(b) or (i < len(a) and table[i + 1][j] >= table[i][j + 1]):
            left.append(i)
            i += 1
        else:
            right.append(j)
            j += 1
    if left or right:
        blocks.append((tuple(left), tuple(right)))
    return tuple(blocks), table[0][0]


def features(found: Seen, common: Mapping[str, float]) -> dict[str, float]:
    """Return what shows of two lines, by name.

    common   idea → how much it tells, 0 to 1, for those that many lines have
    """
    a, b = found.older, found.newer
    left, right = a.ideas - b.ideas, b.ideas - a.ideas
    both = [common.get(idea, 1.0) for idea in found.shared]
    rare = fsum(both)  # of sets, whose order differs from run to run: a plain sum would, too
    weight, heft = (fsum([rare, *(common.get(idea, 1.0) for idea in side)]) for side in (left, right))
    held = len(a.ideas & b.ideas) / max(1, len(a.ideas))
    more, less = b.numbers.keys() - a.numbers.keys(), a.numbers.keys() - b.numbers.keys()
    values: dict[str, float] = {
        "rare": min(rare, 5.0) / 5,
        "rarest": max(both, default=0.0),
        "rare held": rare / max(1.0, weight),
        "rare holds": rare / max(1.0, heft),
        "frame": found.frame,
        "alike": float(found.frame >= ALIKE),
        "order": sum(x == y for x, y in zip(a.words, b.words, strict=False)) / max(1, min(len(a.words), len(b.words))),
        "left": log(1 + len(left)),
        "added": float(not left) * log(1 + len(right)),
        "length": log(1 + len(a.words)),
        "newer length": log(1 + len(b.words)),
        "blocks": log(1 + sum(1 for x, y in found.blocks if x and y)),
        "one block": float(found.frame >= ALIKE and len(found.blocks) == 1 and not found.begins_otherwise),
        "numbers equal": float(bool(a.numbers) and not more and not less),
        "numbers more": float(bool(more) and not less),
        "numbers many": log(1 + len(more)),
        "same count": float(found.same_key) * (1 + held),
        "number shared": max((min(len(n), 4) / 4 for n in a.numbers.keys() & b.numbers.keys()), default=0.0),
        "numbers whole": float(not less and not more) * len(a.numbers.keys() & b.numbers.keys()),
        "names shared": log(1 + len((a.names | a.maybe) & (b.names | b.maybe))),
        "names differ": float(found.names),
        "names less": log(1 + len(a.names - b.ideas)),
        "kinds more": float(bool(b.kinds.keys() - a.kinds.keys())),
        "conflict held": held * float(bool(found.apart)),
        "both deny": float(a.denials > 0 and b.denials > 0),
        "denials differ": float((a.denials > 0) != (b.denials > 0)),
        "source older": float("source" in a.cues),
        "source newer": float("source" in b.cues),
        "past": float("past" in b.cues),
        "past older": float("past" in a.cues),
        "self one": float(("self" in a.cues) != ("self" in b.cues)),
        "now older": float("now" in a.cues),
        "told": float(bool(found.told)),
        "strongly": float(found.strongly),
        "heads": float(bool(a.words and b.words) and a.words[0] == b.words[0]),
        "head known": float(bool(b.words) and b.words[0] in a.ideas),
        "tail differs": float(bool(a.words and b.words) and a.words[-1] not in b.words and b.words[-1] not in a.words),
    }
    first = next(((x, y) for x, y in found.blocks if x and y), None)
    values["first block"] = first[1][0] / len(b.words) if first else 0.0
    for mark in (NAME, KIND, MAYBE):
        values[f"swapped {mark}"] = float(mark in found.swapped)
        values[f"swapped {mark} alike"] = float(mark in found.swapped and found.frame >= ALIKE)
    for cue in CUES:
        values[f"cue {cue}"] = float(cue in b.cues and cue not in a.cues)
    values |= _rest(found, common) | _told_of(found, common)
    return {name: round(value, 3) for name, value in values.items() if value}


def _rest(found: Seen, common: Mapping[str, float]) -> dict[str, float]:
    """Return what is left over on each side, the values (numbers, names, members of kinds) and the words apart."""
    a, b = found.older, found.newer
    left, right = (
        {word: mark for word, mark in zip(side.words, side.marks, strict=True) if word not in other.words}
        for side, other in ((a, b), (b, a))
    )
    words, others = (
        sum(common.get(word, 1.0) for word, mark in side.items() if mark == WORD) for side in (left, right)
    )
    shared = fsum(
        common.get(word, 1.0) for word, mark in set(zip(a.words, a.marks, strict=True))
        if mark in (WORD, MAYBE) and word in b.words
    )  # fmt: skip
    core, holds = shared / max(0.5, shared + words), shared / max(0.5, shared + others)
    firm, firmer = (sum(mark in (NUMBER, NAME, KIND) for mark in side.values()) for side in (left, right))
    apart = len(found.kinds) + sum(
        min(list(left.values()).count(mark), list(right.values()).count(mark)) for mark in (NUMBER, NAME)
    )
    maybe = MAYBE in left.values() and MAYBE in right.values()
    places = [at for at, word in enumerate(b.words) if word in a.words]
    ident = all(
        any(m != WORD and w in rest for w, m in zip(side.words[:2], side.marks[:2], strict=True))
        for side, rest in ((a, left), (b, right))
    )
    return {
        "words left": min(words, 4) / 4,
        "words more": min(others, 4) / 4,
        "words shared": min(shared, 4) / 4,
        "few shared": float(shared < FEW),
        "values less": min(max(0, firm - firmer), 2) / 2,
        "values more": min(max(0, firmer - firm), 2) / 2,
        "no value apart": float(not apart and not maybe),
        "one value apart": float(apart == 1),
        "values apart": float(apart > 1),
        "only a value": float(apart == 1) * max(0.0, 1 - (words + others) / 2),
        "all but a value": float(apart == 1 and words < ONE_MORE and core >= ALIKE),
        "no value": float(not (apart or maybe or firm or firmer)) * min(core, holds),
        "named first": float(ident),
        "slot": float(found.slot == "late"),
        "early slot": float(found.slot == "early"),
        "past slot": float(found.slot == "past"),
        "of subject": float(is_of_subject(found)),
        "subject differs": float(found.begins_otherwise),
        "apart": float(bool(found.apart)),
        "held": float(bool(found.held)),
        "many differ": float(found.names and (found.numbers or bool(found.kinds))),
        "ends apart": 1 - (places[-1] + 1) / len(b.words) if places else 0.0,
        "core held": core,
        "told of it": core * float(found.strongly),
    }


def _told_of(found: Seen, common: Mapping[str, float]) -> dict[str, float]:
    """Return how much of the older line stands in the very clauses that tell a change, by cue and by any strong one."""
    a, b = found.older, found.newer
    known = a.ideas | {f"#{n}" for n in a.numbers}
    values: dict[str, float] = {}
    best = 0.0
    for cue, ideas in b.told.items():
        hits = ideas & known
        if not hits or cue in a.cues:
            continue
        weight = fsum(common.get(idea, 1.0) for idea in hits)
        values[f"told {cue}"] = min(weight, 2.0) / 2
        if cue in STRONG:
            best = max(best, weight)
            if hits & (a.names | a.maybe):
                values["told name"] = 1.0
            values["told share"] = max(values.get("told share", 0.0), len(hits) / len(ideas))
            values["told held"] = max(values.get("told held", 0.0), len(hits) / len(known))
    values["told strongly"] = min(best, 3.0) / 3
    return values


def is_of_subject(found: Seen) -> bool:
    """Return whether the newer line speaks of what the older one begins with, names, or two of its ideas."""
    a, b = found.older, found.newer
    named = (a.names | a.maybe) & (b.names | b.maybe)
    return len(found.shared - {"<self>"}) > 1 or bool(named) or bool(a.words and a.words[0] in b.ideas)


def _is_of_another(found: Seen) -> bool:
    """Return whether they differ in the number of the thing that another number is told of, in one frame."""
    if found.frame < FRAME or not found.numbers or found.begins_otherwise:
        return False
    # Where one value stands in another's place the words are as many on both sides.
    places = [pair for x, y in found.blocks if len(x) == len(y) for pair in zip(x, y, strict=True)]
    return any(_is_told_of(found.older, x) and _is_told_of(found.newer, y) for x, y in places)


def _is_told_of(side: Says, at: int) -> bool:
    """Return whether a number stands in front of another that something is: "house 2 is 4712"."""
    if at == 0 or side.marks[at : at + 2] != (NUMBER, NUMBER):
        return False
    first, second = (word.removeprefix("#") for word in side.words[at : at + 2])
    between = (
        found[2] for found in compiled(TWO).finditer(side.text) if found[1] == first and second.startswith(found[3])
    )
    return any(compiled(IS).search(each) for each in between)


def _is_company(side: Says, places: tuple[int, ...]) -> bool:
    """Return whether a value is told as with whom or what something is."""
    value = re.escape(side.words[places[0]])
    return personal(rf"\b(?:with|mit|con|avec)\s+{value}").search(side.text) is not None


def _slot(found: Seen) -> str:
    """Return where the one value stands that differs in one frame: "early", "late", "past"; "" when there is more."""
    a, b = found.older, found.newer
    swaps = [(x, y) for x, y in found.blocks if x and y]
    rest = sum(len(x) + len(y) for x, y in found.blocks if not (x and y))
    if len(swaps) != 1 or rest > 1 or max(map(len, swaps[0])) > LONGEST_VALUE or found.frame < FRAME:
        return ""
    left, right = swaps[0]
    sides = ((a, left), (b, right))
    marks = {side.marks[at] for side, places in sides for at in places}
    values = {side.words[at] for side, places in sides for at in places}
    ends = all(places[-1] == len(side.words) - 1 for side, places in sides)
    if not (marks <= {NUMBER, KIND} or (marks == {NAME} and ends)) or a.denials % 2 != b.denials % 2:
        return ""
    if marks == {NAME} and _is_company(a, left) != _is_company(b, right):
        return ""  # "I live in Porto", "I live with Ana"
    if len(marks) > 1 and found.kinds != {"month"}:
        return ""  # two things differ: "8 on weekdays", "10 on Saturdays"
    is_past = "past" in a.cues | b.cues and "moved" not in b.cues
    if is_past or all(compiled(YEAR).fullmatch(word) for word in values):
        return "past"
    at = min(left[0], right[0])
    is_late = at > 1 or (marks != {NAME} and at >= LATE * min(len(a.words), len(b.words)))
    return "late" if rest == 0 and is_late else "early"
