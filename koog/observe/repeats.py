"""Which observations are news, and which say again what the file says already.  Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from koog.core.text import compare
from koog.core.text.measures import content_words, jaccard
from koog.core.text.says import says
from koog.core.text.statement import TRUSTS
from koog.observe import reflection_laws
from koog.observe.observations import Observation
from koog.sessions.labels import Label

REWORDED = 0.6  # of what one turn says, two wordings may differ so far
SUBJECT = 0.6  # of a line's ideas another has that speaks of the same


def news(new: Iterable[Observation], standing: Sequence[Observation], *, exact: bool) -> list[Observation]:
    """Return the observations that neither the file nor the ones before them say.

    What one project says is no repeat for another: it would be missing there. A line from before there were labels
    counts for its own session.

    What is less trusted says nothing for a person: a page's line is no reason to leave his own out.

    exact   only the same words are a repeat, and what the same turn said: for a flush, which
            must be quick and rather keeps too much
    """
    said: dict[Label, list[Observation]] = defaultdict(list)
    unlabelled: dict[str, list[Observation]] = defaultdict(list)  # by session
    for old in standing:
        label = old.label
        said[label].append(old)
        if not label.project and not label.is_group:
            unlabelled[_session(old)].append(old)
    kept: list[Observation] = []
    for o in new:
        own = said[o.label]
        earlier = unlabelled.get(_session(o)) if o.label.project or o.label.is_group else None
        known = [*earlier, *own] if earlier else own
        known = [old for old in known if TRUSTS.index(old.trust) <= TRUSTS.index(o.trust)]
        if not any(is_repeat(o, old, exact=exact) and not _is_overtaken(old, o, known) for old in known):
            kept.append(o)
            own.append(o)
    return kept


def _session(o: Observation) -> str:
    return o.source.partition("#")[0]


def is_repeat(new: Observation, old: Observation, *, exact: bool) -> bool:
    """Return whether an older line says all of a new one."""
    if normal(new.text) == normal(old.text):
        return True
    new_words = content_words(new.text)
    shared = len(new_words & content_words(old.text))
    if new.source == old.source != "" and jaccard(new.text, old.text) >= REWORDED:
        return not reflection_laws.lost(old.text, new.text)
    if exact or not shared or 2 * shared < len(new_words):
        return False
    if reflection_laws.holds(old.text, new.text):
        return True
    is_same = reflection_laws.relation(old, new).kind == compare.SAME
    return is_same and not reflection_laws.lost(old.text, new.text)


def normal(text: str) -> str:
    """Return a text by which the same words are the same, whatever their case and full stops.

    >>> normal("User: Deploys go  out on Tuesdays.") == normal("deploys go out on tuesdays")
    True
    """
    low = " ".join(text.lower().replace("’", "'").split())
    return low.removeprefix("user: ").removeprefix("agent: ").removeprefix("group: ").rstrip(".!… ")


def _is_overtaken(old: Observation, new: Observation, known: Sequence[Observation]) -> bool:
    """Return whether a line in between said otherwise: "8080", then "9090", then "8080" again is news."""
    if new.source == old.source or not reflection_laws.older(old, new):
        return False
    return any(reflection_laws.older(old, o) and _is_other(old.text, o.text) for o in known if o.day >= old.day)


def _is_other(old: str, new: str) -> bool:
    """Return whether a line speaks of the same and says another number, name or day of it."""
    ideas = says(old).ideas
    return len(ideas & says(new).ideas) >= SUBJECT * len(ideas) and bool(reflection_laws.lost(new, old))
