"""Arithmetic: which failures a text reports, how often, and which playbook line answers one.  [sinain §4.3]

A text is read clause by clause. What a clause denies or reports as mended does not count;
the same failure twice is one trouble with two sightings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from koog.core.clip import clip
from koog.core.named import NamedTuple
from koog.core.text import dates
from koog.core.text.measures import cosine, stems
from koog.core.text.says import NUMBERS
from koog.core.text.sentences import split
from koog.heartbeat import signal_cues as cues
from koog.playbook.texts import patterns, plain

MAX_CHARS = 20_000  # of a summary; it should be three sentences
CLAUSE_CHARS = 400
SAME_TROUBLE = 0.5  # Jaccard of the words around a nameless failure: "docker build failed", "build in docker fails"
# A playbook line answers an error when they share about a third of their words. An exception's name
# in it needs one word more (two shared stems of about eight each give 0.25): there are many TypeErrors.
# A code such as ENOSPC means one thing, and suffices.
PLAYBOOK_FLOOR, EXCEPTION_FLOOR = 0.33, 0.2


class Trouble(NamedTuple):
    """One clause that reports a failure; `name` is its normalised signature, or "" when it has none."""

    name: str
    words: frozenset[str]
    clause: str
    place: int
    sightings: int = 1
    last: int = -1  # the place of its latest report


def clauses(text: str) -> list[str]:
    """Return the parts of a text that can be denied or affirmed by themselves.

    >>> clauses("Tests pass, but the deploy failed. No errors in the log")
    ['Tests pass', 'the deploy failed.', 'No errors in the log']
    """
    sentences = [sentence for row in text[:MAX_CHARS].splitlines() for _, sentence in split(row)]
    parts = (part.rstrip("; ") for sentence in sentences for part in re.split(cues.CLAUSE_END, sentence))
    return [clause for part in parts if (clause := clip(plain(part), CLAUSE_CHARS))]


def troubles(parts: Sequence[str]) -> list[Trouble]:
    """Return the failures that a text reports and does not report as mended, in order.

    The same signature twice is one trouble with two sightings, described by its first clause.
    """
    open_: list[Trouble] = []
    for place, clause in enumerate(parts):
        bare = re.sub(cues.CODE, " ", re.sub(cues.DENIED, " ", clause))
        name, failed = signature(bare), re.search(cues.FAILURE, bare)
        is_often = repeats(bare) > 1 or re.search(cues.REPORTS, "".join(parts[place + 1 : place + 2]))
        failed = failed or (re.search(cues.SOFT, bare) if is_often else None)
        if re.search(cues.EXPECTED, clause) or re.search(cues.HANDLED, clause):
            open_ = [t for t in open_ if t.place < place - 1]  # what this clause and the one before it tell
        elif is_mend(clause) and not re.search(r"\b[1-9]\d*(?: tests?)? (?:fail|error)", bare):
            open_ = without_mended(open_, clause=clause, name=name, place=place)
        elif (name or failed) and not (re.search(cues.EXPLAINED, clause) and open_):
            words = frozenset(stems(re.sub(cues.AGAIN, " ", re.sub(cues.FAILURE, " ", bare))))
            if open_ and not name and re.search(cues.LAST_ONE, clause):
                name, words = open_[-1].name, open_[-1].words
            open_ = merged(open_, Trouble(name, words, clause, place, repeats(clause), last=place))
        elif open_ and place <= open_[-1].last + 2 and re.search(cues.EACH, clause):
            open_[-1] = open_[-1]._replace(sightings=max(open_[-1].sightings, 2), last=place)
        elif open_ and place == open_[-1].last + 1 and tells_how_often(clause):
            open_[-1] = open_[-1]._replace(sightings=max(open_[-1].sightings, repeats(clause)), last=place)
    return open_


def tells_how_often(clause: str) -> bool:
    """Tell whether a clause without a failure of its own says that the one before it came more than once."""
    return repeats(clause) > 1 and bool(re.search(cues.RECURS, clause) or re.search(cues.REPORTS, clause))


def is_mend(clause: str) -> bool:
    """Tell whether a clause reports a failure as over; what helps for the moment only is a part of the failure."""
    if re.search(cues.NOT_MENDED, clause):
        return False
    if re.search(cues.REPAIRED, clause):
        return True
    fine = re.search(cues.MENDED, clause) and not re.search(cues.WORKAROUND, clause)
    return bool(fine) and repeats(re.sub(cues.MENDED, " ", clause)) < 2


def signature(clause: str) -> str:
    """Return the error's name as far as it stays the same from one occurrence to the next, else "".

    >>> signature("java.lang.NullPointerException at 0x7f"), signature("it got 503"), signature("all is well")
    ('nullpointerexception', 'http 5xx', '')
    """
    match = re.search(cues.NAME, clause)
    if match:
        return "http 5xx" if match["http"] else re.sub(r"ed with| with", "", match[match.lastgroup or 0].lower())
    quoted = [q for q in re.findall(cues.QUOTED, clause) if re.search(cues.BAD, q) or re.search(cues.FAILURE, q)]
    if not quoted and re.search(cues.FAILURE, clause):
        quoted = re.findall(cues.QUOTED, clause)
    return re.sub(r"0x[0-9a-f]+|\S*/\S*|\d+", "#", quoted[0].lower()) if quoted else ""


def repeats(clause: str) -> int:
    """Return how often a clause says that its failure happened: "third time" 3, "at 9:00 and 11:30" 2, else 1.

    >>> [repeats(t) for t in ("it failed again", "OOM at 02:10, 05:40 and 08:55", "third night in a row", "failed")]
    [2, 3, 3, 1]
    """
    counted = [n for match in re.finditer(cues.COUNTED, clause) if (n := _count(match))]
    counted += [count_of(match["n"] or match["wide"]) for match in re.finditer(cues.REPORTS, clause)]
    again = 2 if re.search(cues.AGAIN, clause) or re.search(cues.OFTEN, clause) else 1
    days = {day.day for day in dates.found(clause, date(2000, 1, 5)) if day.day <= date(2000, 1, 12)}
    more = bool(counted) and bool(re.search(r"(?i)\bonce more\b|\band again\b", clause))
    return max([again, sum(counted) + more, len(re.findall(cues.HOUR, clause)), len(days)])


def _count(match: re.Match[str]) -> int:
    """Return the number that a match of COUNTED tells, 0 for a word that is none."""
    if match["twice"]:
        return 2
    return count_of(match["n"] or match["fails"] or match["x"] or match["ger"] or match["wide"])


def count_of(word: str) -> int:
    """Return the number of a word or of figures, "third" as 3; 0 for a word that is none."""
    low = word.lower()
    return int(low) if low.isdecimal() else cues.ORDINAL.get(low) or NUMBERS.get(low, 0)


def same(a: Trouble, b: Trouble) -> bool:
    """Tell whether two reports are about one failure: by name, else by the words around it.

    Not whether two lines say the same: the second report of an error says when, where and after what it came back.
    """
    if a.name and b.name:
        return a.name == b.name
    shared, all_ = len(a.words & b.words), len(a.words | b.words)
    return shared > 0 and shared >= SAME_TROUBLE * all_


def merged(seen: Sequence[Trouble], new: Trouble) -> list[Trouble]:
    """Return the troubles with one more report; "it failed again" adds to the last one."""
    for i, old in enumerate(seen):
        if same(old, new) or (i == len(seen) - 1 and not new.name and not new.words):
            total = old.sightings + new.sightings - (1 if new.sightings > 1 else 0)  # "again" counts the earlier one
            return [*seen[:i], *seen[i + 1 :], old._replace(sightings=total, last=new.last)]
    return [*seen, new]


def without_mended(seen: Sequence[Trouble], *, clause: str, name: str, place: int) -> list[Trouble]:
    """Return the troubles that a clause about a repair leaves open: not the named one, not "it" (the last)."""
    words = set(stems(clause))
    left = [t for t in seen if not (t.name == name if name and t.name else t.words & words)]
    # "Solved at 11", and what is repaired in a few words after the only trouble, is that one.
    bare = left and (
        re.match(cues.BARE_MEND, clause) or (len(left) == 1 and re.search(cues.REPAIRED, clause) and not name)
    )
    bare = bare and place - left[-1].last <= 2
    return left[:-1] if len(left) == len(seen) and (re.search(cues.THAT, clause) or bare) else left


def remedy(trouble: Trouble, playbook: str) -> str | None:
    """Return the playbook line that answers the error, or None: what to do before what it means.

    A line that merely reports something answers nothing, and one that advises the
    very thing after which it failed is no remedy.
    """
    found = []
    for p in patterns(playbook):
        rank = 2 if is_advice(p.text) else 1 if re.search(cues.EXPLAINS, p.text) else 0
        value = cosine(trouble.clause, p.text)
        if rank and is_like(trouble, p.text, value) and not is_culprit(trouble.clause, p.text):
            found.append((rank, value, p.text))
    best = max(found, key=lambda f: f[:2], default=None)
    return best[2] if best else None


def is_like(trouble: Trouble, line: str, value: float) -> bool:
    """Tell whether a line of this cosine is about the error: less will do where it names it, one word will not."""
    if trouble.name and re.search(rf"(?<!\w){re.escape(trouble.name)}(?!\w)", line, re.IGNORECASE):
        return value >= (EXCEPTION_FLOOR if trouble.name.endswith(("error", "exception", "fault")) else 0.0)
    return value >= PLAYBOOK_FLOOR and len(set(stems(trouble.clause)) & set(stems(line))) > 1


def is_advice(line: str) -> bool:
    """Tell whether a line says what to do or not to do, or what was decided."""
    return bool(re.search(cues.ADVICE, line))


def is_culprit(failure: str, line: str) -> bool:
    """Tell whether a line advises what a failure came after.

    >>> is_culprit("The build failed after pod update", "Run `pod update` before every build")
    True
    """
    if not is_advice(line) or re.search(cues.DENIES, line):
        return False
    causes = (set(stems(match["cause"])) for match in re.finditer(cues.AFTER, failure))
    return any(len(cause) > 1 and cause <= set(stems(line)) for cause in causes)
