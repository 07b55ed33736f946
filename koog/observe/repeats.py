"""Which observations are news, and which say again what the file says already.  Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from koog.core.text import compare, measures
from koog.core.text.measures import content_words
from koog.core.text.voices import TRUSTS
from koog.observe import reflection_laws
from koog.observe.observations import Observation
from koog.sessions.labels import Label


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
    words = content_words(new.text)  # a file has thousands of lines: what shares few words is not compared
    if (exact and new.source != old.source) or 2 * len(words & content_words(old.text)) < max(1, len(words)):
        return False
    if reflection_laws.holds(old.text, new.text):
        return True
    is_same = reflection_laws.relation(old, new).kind == compare.SAME
    return is_same and not reflection_laws.lost(old.text, new.text)


def normal(text: str) -> str:
    """Return a text by which the same words are the same, whoever of the two said them.

    >>> normal("User: Deploys go out on Tuesdays.")
    'deploys go out on tuesdays'
    """
    return measures.normal(text).removeprefix("user: ").removeprefix("agent: ").removeprefix("group: ")


def _is_overtaken(old: Observation, new: Observation, known: Sequence[Observation]) -> bool:
    """Return whether a line in between said otherwise: "8080", then "9090", then "8080" again is news."""
    if new.source == old.source or not reflection_laws.older(old, new):
        return False
    later = (o for o in known if o.day >= old.day and reflection_laws.older(old, o))
    return any(reflection_laws.relation(old, o).kind in (compare.SUPERSEDES, compare.CONTRADICTS) for o in later)
