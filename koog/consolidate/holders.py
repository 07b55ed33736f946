"""Who has a role now, and which older lines name another one for it: who is the manager, does the timesheets. Pure.

Both lines say of somebody what he is or does; the newer one says since when, or that he is new, and names nobody whom
the older one names. What they say of the two has to be the same: two words that few lines have.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from koog.consolidate import hearsay, matters
from koog.consolidate.endings import Ending
from koog.consolidate.survey import Said
from koog.core.lazy_regex import compiled
from koog.core.text.says import says

SHARED = 2  # words of what somebody is or does
REACH = 6  # words behind the one that says that he is or does something
NEW = (
    r"\b(?:since (?:monday|tuesday|wednesday|thursday|friday|last|yesterday|january|the)|hands|start(?:s|ed|ing)?"
    r"|join(?:s|ed|ing)?|began|begins|new|as (?:of|from)|from (?:now|today|tomorrow|next"
    r"|monday|january"
    r"|february|march|april|may|june|july|august|september|october|november|december)|tak(?:es|en|ing) over"
    r"|took over|first day"
    r"|appointed|elected|promoted|succeeds|instead of|now|(?:'ll|will) be|ab sofort|ab (?:heute|morgen|montag|januar"
    r"|mai|jetzt)"
    r"|seit|neue[rsn]?|übernimmt|übernommen|angefangen|jetzt|wird|desde|a partir|nuev[oa]|empez(?:ó|ado)|ahora|será"
    r"|asume"
    r"|dès|depuis|à partir|nouve(?:au|lle)|commencé|désormais|maintenant|sera|reprend)\b|新来|新任|接替|接手"
    r"|从今|开始|就任|新しい|から"
    r"|引き継"
)
ROLE = (
    r"\b(?:as|is|was|be|are|(?:he|she)'s|has|have|having|does|do|doing|runs?|running|handles?|signs?|manages?|leads?"
    r"|looks? after"
    r"|in charge of|responsible for|takes? over|took over|taking over|ist|war|wird|als|macht|leitet|betreut"
    r"|unterschreibt|übernimmt"
    r"|zuständig für|verantwortlich für|es|era|será|como|lleva|hace|dirige|firma|se encarga de|responsable de|asume"
    r"|est|sera|comme"
    r"|fait|gère|dirige|signe|s'occupe de|reprend)\s+(?:(?:the|my|our|their|an?|all|der|die|das|den|mein\w*|unser\w*"
    r"|el|la|los|las|mi|mis"
    r"|nuestr[oa]s?|le|les|mon|ma|mes|notre|nos)\s+)?"
)
WIDE = r"(?:负责|担任|是|が|は)"
HANDED = (
    r"\b(?:hand(?:s|ed|ing)?|pass(?:es|ed|ing)?|giv(?:es|ing)|gave)\b.{1,40}\b(?:over|on) to\b|\bübergibt\b"
    r"|\bübergeben\b"
    r"|\b(?:cede|pasa|traspasa)\b.{1,40}\ba\b|\b(?:passe|cède|confie)\b.{1,40}\bà\b|交给|引き継"
)
SOMEBODY = r"(?i)(?<![^\W_])(?:s?he|who|er|sie|él|ella|quien|il|elle|qui)(?![^\W_])|[他她]|彼"
CLAUSE = r"[.!?;:,()。！？；：，、—–\n]"


def found(lines: Sequence[Said], among: Collection[str]) -> Iterator[Ending]:
    """Yield which lines name another one for what a newer line says that somebody is or does; of one label each.

    among   ids of those that may be ended
    """
    by_label: dict[object, list[Said]] = defaultdict(list)
    for each in sorted(lines, key=lambda s: (s.day, s.id)):
        by_label[each.label].append(each)
    for group in by_label.values():
        count = Counter(idea for text in {each.text for each in group} for idea in roles(text))
        index: dict[str, list[Said]] = defaultdict(list)
        for newer in group:
            if compiled(NEW).search(newer.text.casefold()):
                shared = Counter(
                    older.id for idea in roles(newer.text) if count[idea] <= matters.LEAST_MOST for older in index[idea]
                )
                held = {each.id: each for idea in roles(newer.text) for each in index[idea] if each.id in among}
                ended = tuple(each for id_, each in held.items() if shared[id_] >= SHARED and _is_another(each, newer))
                if ended:
                    yield Ending(newer, ended)
            for idea in roles(newer.text):
                index[idea].append(newer)


@lru_cache(maxsize=8192)
def roles(text: str) -> frozenset[str]:
    """Return what a line says that somebody is or does.

    >>> sorted(roles("Ada runs the archive and signs my timesheet"))
    ['archiv', 'timesheet']
    """
    ideas = set[str]()
    for clause in compiled(CLAUSE).split(text.replace("-", " ")):
        for match in compiled(f"(?i){ROLE}|{WIDE}").finditer(clause):
            before, behind = clause[: match.start()], " ".join(clause[match.end() :].split()[:REACH])
            if not (compiled(SOMEBODY).search(before + match[0]) or says(before).names | says(before).maybe):
                continue  # "it has", "we do": nobody is named
            ideas |= {each for each in says(behind).ideas if hearsay.tells(each) and not each.startswith("<month")}
    return frozenset(ideas)


def _is_another(older: Said, newer: Said) -> bool:
    """Return whether each of two lines names somebody whom the other does not name."""
    a, b = says(older.text), says(newer.text)
    ours, theirs = a.names | a.maybe, b.names | b.maybe
    is_left = bool(ours - b.ideas - theirs) or compiled(HANDED, re.I).search(newer.text) is not None
    return older.day < newer.day and is_left and bool(theirs - a.ideas - ours)
