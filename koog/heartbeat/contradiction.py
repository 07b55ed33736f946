"""Arithmetic: does an observation contradict a line of the playbook?  [sinain §4.5]

Four shapes count, each only with the same subject on both sides: something given up or replaced
that the line relies on, the opposite of what it says, another number for the same quantity, another
name in the same place. Everything else is left alone: a false alarm costs more than a miss.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from koog.core.text import bullets
from koog.core.text.measures import stem, stems
from koog.core.text.negation import is_denied

NEAREST = 8  # playbook lines compared with one sentence

TAGS = re.compile(r"\s*[\[(](?:since|score|deferred|from|seen|source|memory/)[^\])]*[\])]", re.IGNORECASE)
LABEL = re.compile(r"(?:\*\*)?([A-Za-z]\w{0,29})(?:\*\*)?:\s")

# Words of liking are one word with two signs.
LIKES = frozenset(stems("like likes love loves enjoy enjoys prefer prefers favourite favorite adore"))
HATES = frozenset(stems("hate hates dislike dislikes loathe loathes avoid avoids despise detest"))
OPPOSITES = {
    stems(one)[0]: stems(other)[0]
    for one, other in (
        ("disable", "enable"),
        ("short", "long"),
        ("shorter", "long"),
        ("brief", "long"),
        ("dark", "light"),
        ("manual", "automatic"),
        ("late", "early"),
        ("evening", "morning"),
        ("private", "public"),
        ("spaces", "tabs"),
    )
}
USES = frozenset(stems("use uses using used need needs want wants run runs running still any anymore"))
SIGN_WORDS = frozenset(stems("always never user really longer any anymore cannot can't stand")) | {"alway"}
EPISODE = re.compile(
    r"\b(?:yesterday|today|tonight|last|ago|next|tomorrow|this (?:morning|week|time)|if|maybe|might|"
    r"unless|until|yet|almost)\b",
    re.IGNORECASE,
)

# A rule, schedule, tool, version or deadline holds until it is changed; "green at 17:40" was true and stays true.
STANDING = re.compile(
    r"\b(?:every|each|always|never|is|are|uses|runs|starts|begins|ends|listens|lives|stays|needs|requires|wants|"
    r"prefers|likes|expects|has|have|must|should|can|cannot|takes|costs|expires|limit|default|deadline|due|version|"
    r"port|max|min|maximum|minimum|at most|at least|daily|nightly|weekly|monthly)\b"
    r"|\b(?:by|under|over|until|before) (?:the )?\d|^(?:use|run|keep)\b",
    re.IGNORECASE,
)
PAST = re.compile(
    r"\b(?:was|were|had|did|took|went|came|ran|got|(?<!is )(?<!are )(?<!be )[a-z]{2,}[^e\W]ed)\b", re.IGNORECASE
)
CLOCK = re.compile(r"\b\d{1,2}:\d\d\b")

_WORD = r"[^\s,.;:()]+(?:\.[^\s,.;:()]+)*"
_PHRASE = rf"{_WORD}(?:\s{_WORD}){{0,4}}?"  # words split by white space only: anything looser backtracks for minutes
_END = r"(?=\s*(?:[,;:()—–]|\.\s|\.?$|\b(?:because|since|for|so|and|but|as|when|after|in|on|at|due|now)\b))"
CHANGES = tuple(
    re.compile(pattern + _END, re.IGNORECASE)
    for pattern in (
        rf"\b(?:switch|migrat|mov|chang|upgrad|downgrad)\w*"
        rf"\s(?:\S+\s){{0,4}}?from\s(?P<old>{_PHRASE})\s?\b(?:over\s)?to\s(?P<new>{_PHRASE})",
        rf"\breplac(?:ed|ing|es)\s(?P<old>{_PHRASE})\s?\b(?:with|by)\s(?P<new>{_PHRASE})",
        rf"\b(?P<new>(?:[^\s,.;:]+\s){{1,4}}?)(?:instead of|rather than|in place of)\s(?P<old>{_PHRASE})",
        rf"\b(?:no longer|stopped|dropped|gave up|given up|got rid of|moved away from|quit)\s(?P<old>{_PHRASE})",
        rf"\b(?:do|does|is|are)(?:n['’]t| not)\s(?P<old>{_PHRASE})\s?\bany ?more",
    )
)
RELIES = re.compile(
    r"\b(?:us(?:e|es|ing|ed)|prefer(?:s|red)?|likes?|loves?|runs?(?: on| with)?|needs?|wants?|"
    r"installs?|with|via|on|by|through|default(?:s|ed)? to|is|are)\s(?:the |a |an |"
    r"our )?([^\s,.;:()]+)",
    re.IGNORECASE,
)
UNITS = (
    r"%|ms|s|sec|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|months?|years?|kb|mb|gb|tb|kib|mib|"
    r"gib|px|pt|am|pm|chars?|characters?|words?|lines?|tokens?|times|workers?|retries|cores?|users?|"
    r"items?"
)
VALUE = re.compile(
    rf"(?:\b([A-Za-z][\w-]*)[ =:]+(?:is |to |at |of |= ?)?)?(?<![\w.])v?(\d+(?:[.:]\d+)*)\s?({UNITS})?(?![\w])",
    re.IGNORECASE,
)
PLACE = re.compile(
    r"^(?P<subject>[^,.;:]{3,60}?)\s(?:is|are|uses|runs on|lives (?:at|in|on)|deploys (?:to|on)|"
    r"defaults to|is set to)\s(?:now\s)?"
    r"(?P<value>[`\"“]?[^\s,;]*[A-Z0-9/][^\s,;]*(?:\s[^\s,;]+){0,2}?)[.!]?$"
)


@dataclass(frozen=True)
class Claim:
    """A line of the playbook, or a sentence of a note, taken apart once so that comparing is cheap.

    label    the word before a colon at its start, lower-case: perhaps a person
    roots    its stems
    signed   its stems with liking and opposites made one word each; `denied`: whether it says no
    turned   which of those words it says by their opposite: "short" is `long`, turned
    values   its numbers by what they count
    changes  what was given up, and what replaced it, as stems
    """

    text: str
    label: str
    roots: frozenset[str]
    signed: frozenset[str]
    denied: bool
    turned: frozenset[str]
    values: dict[str, set[str]]
    changes: tuple[tuple[frozenset[str], frozenset[str]], ...]


def claim(text: str) -> Claim:
    """Return a text taken apart."""
    label = LABEL.match(text)
    signed, denied, turned = _signed(text)
    return Claim(
        text=text,
        label=label[1].lower() if label else "",
        roots=frozenset(stems(text)),
        signed=signed,
        denied=denied,
        turned=turned,
        values=_values(text),
        changes=tuple(_changes(text)),
    )


def playbook_lines(playbook: str) -> list[Claim]:
    """Return the entries of a playbook: no headings, comments, rules, tables or fences."""
    found = []
    for line in re.sub(r"<!--.*?(?:-->|\Z)", "", playbook, flags=re.DOTALL).splitlines():
        if line.strip() and not line.lstrip().startswith(("#", "```", "~~~", "---", "|")):
            bullet = bullets.parse(line)
            found.append(claim(TAGS.sub("", bullet.text if bullet else line).strip()))
    return [entry for entry in found if entry.roots]


class Contradictions:
    """The playbook's lines, indexed by stem, so that a sentence meets only lines about its subject."""

    def __init__(self, lines: Sequence[Claim]) -> None:
        self.lines = lines
        self.by_root: dict[str, list[int]] = {}
        for i, line in enumerate(lines):
            for root in line.roots | line.signed:
                self.by_root.setdefault(root, []).append(i)

    def of(self, text: str, speaker: str) -> Claim | None:
        """Return the playbook line that this sentence contradicts, the one most like it, or None.

        speaker   who said it, "" when unknown: a line about somebody else is not contradicted
        """
        roots = {root for root in stems(text) if root in self.by_root}
        if not roots:
            return None
        observed = claim(text)
        shared = Counter(i for root in roots | (observed.signed & self.by_root.keys()) for i in self.by_root[root])
        for i, _ in shared.most_common(NEAREST):
            line = self.lines[i]
            if not _is_about_another(line, text=text, speaker=speaker) and contradicts(observed, line):
                return line
        return None


def _is_about_another(line: Claim, *, text: str, speaker: str) -> bool:
    """Return whether a labelled line speaks of somebody or something else than this speaker's sentence."""
    return bool(speaker and line.label) and line.label != speaker.lower() and line.label not in text.lower()


def contradicts(observed: Claim, known: Claim) -> bool:
    """Return whether what was observed cannot hold beside what is known.

    >>> contradicts(claim("We switched from npm to pnpm."), claim("Use npm for installs"))
    True
    >>> contradicts(claim("We cleared the npm cache."), claim("Use npm for installs"))
    False
    """
    return (
        _given_up(observed, known)
        or _opposite(observed, known)
        or _revalued(observed, known)
        or _renamed(observed, known)
    )


def _changes(text: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield the stems of what was given up and of what took its place."""
    for pattern in CHANGES:
        for match in pattern.finditer(text):
            old = _signed(match["old"])[0] - USES
            if old:
                yield old, frozenset(stems(match.groupdict().get("new") or "")) - USES


def _given_up(observed: Claim, known: Claim) -> bool:
    """Return whether the observation drops or replaces something that the known line relies on."""
    if known.denied or known.changes:
        return False
    for old, new in observed.changes:
        if not old <= known.signed or (new and new <= known.signed):
            continue
        about_the_same = len((observed.signed & known.signed) - USES) > 2
        if len(old - LIKES) > 1 or about_the_same or _relies(known.text, old):
            return True
    return False


def _relies(known: str, old: frozenset[str]) -> bool:
    """Return whether the known line says that the old thing is used, liked or where things are."""
    return any(old & set(stems(match[1])) for match in RELIES.finditer(known))


def _signed(text: str) -> tuple[frozenset[str], bool, frozenset[str]]:
    """Return the stems with liking and opposites made one word each, whether the text denies them, and the turned."""
    denied = is_denied(text)
    roots, turned = set(), set()
    for root in stems(text):
        denied ^= root in HATES
        if root in OPPOSITES:
            turned.add(OPPOSITES[root])
        roots.add("like" if root in LIKES or root in HATES else OPPOSITES.get(root, root))
    return frozenset(roots - SIGN_WORDS), denied, frozenset(turned)


def _opposite(observed: Claim, known: Claim) -> bool:
    """Return whether both say the same of the same, one of them denying it, and neither tells of one occasion."""
    a, b = observed.signed, known.signed
    shared = a & b
    # An opposite turns a sentence only against one that has its counterpart: "stays short" denies nothing else.
    turns = len(shared & (observed.turned ^ known.turned)) % 2 == 1
    if (observed.denied != known.denied) == turns or len(shared) < 2 or not shared - {"like"}:
        return False
    if len(shared) / len(a | b) < 0.5 or len(shared) / min(len(a), len(b)) < 0.75:
        return False
    return not EPISODE.search(observed.text) and not EPISODE.search(known.text)


def _values(text: str) -> dict[str, set[str]]:
    """Return the numbers of a text by what they count: their unit, else the word before them. Years are no values."""
    found: dict[str, set[str]] = {}
    for before, number, unit in VALUE.findall(text):
        key = stem(unit or before)
        if key and not re.fullmatch(r"(?:19|20)\d\d", number):
            found.setdefault(key, set()).add(number)
    return found


def _revalued(observed: Claim, known: Claim) -> bool:
    """Return whether the same quantity of the same subject has another number."""
    left, right = observed.values, known.values
    if not any(key in right and not numbers & right[key] for key, numbers in left.items()):
        return False
    a = {root for root in observed.roots if not root[0].isdigit()}
    b = {root for root in known.roots if not root[0].isdigit()}
    shared = a & b
    if len(shared) < 2 or len(shared) / len(b) < 0.6 or len(shared) / len(a | b) < 0.45:
        return False
    return not _is_past(known.text) and not (_is_past(observed.text) and EPISODE.search(observed.text))


def _is_past(text: str) -> bool:
    """Return whether a sentence tells of something that happened, at an hour or in the past tense."""
    return bool(PAST.search(text) or CLOCK.search(text)) and not STANDING.search(text)


def _renamed(observed: Claim, known: Claim) -> bool:
    """Return whether two short sentences of one form, "<subject> is <Name>", name different things."""
    if len(observed.roots & known.roots) < 2:
        return False
    a, b = PLACE.match(observed.text), PLACE.match(known.text)
    if not a or not b:
        return False
    subject, value = set(stems(a["subject"])), set(stems(a["value"]))
    return (
        len(subject) >= 2 and subject == set(stems(b["subject"])) and bool(value) and not value & set(stems(b["value"]))
    )
