"""What was one thing and is another: "we switched Atlas from PostgreSQL to MySQL".  Six languages. Pure.

It says by its words which value it takes the place of, so nothing has to be weighed: an older line of the same matter
that has the value is replaced. A plan, a wish and a question turn nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.says import says

# of: what is turned; old, new: its values
THING = r"(?P<{}>[^\s,;:.!?、。，]+(?: [\d.]*\d)?)"
OLD, NEW = THING.format("old"), THING.format("new")
OF = r"(?P<of>(?:[^\s,;:.!?]+ ){0,5}?)"
WIDE_OLD, WIDE_NEW = r"(?P<old>[^\s、。，从由将把はをが]{1,20}?)", r"(?P<new>[^\s、。，]{1,20}?)"
WORD = r"[^\W_][\w+#'’-]*(?:\.\w+)*"
TURNS = (
    rf"\b(?:switched|moved|migrated|changed) {OF}(?:over )?from {OLD} (?:over )?to {NEW}",
    rf"\b(?:haben|hat|habe|sind|ist|wurden?|wir|ich) {OF}von {OLD} (?:auf|zu|nach) {NEW} "
    r"(?:umgestellt|gewechselt|umgestiegen|migriert|umgezogen|verlegt)",
    rf"\b(?:cambi|pas|migr)(?:amos|é|ó|aron|ado) {OF}de {OLD} a {NEW}",
    rf"\b(?:passés?|changé|migrés?|basculé) {OF}de {OLD} (?:à|vers) {NEW}",
    rf"(?P<of>[^\s、。，]*?)(?:は|を)?{WIDE_OLD}から{WIDE_NEW}(?:に|へ)(?:移行|変更|切り替え|乗り換え)(?:した|しました|ました|た)",
    rf"(?P<of>[^\s、。，]*?)从{WIDE_OLD}(?:换|改|迁移|切换|变)(?:成|到|为)了?{WIDE_NEW}",
)
OPEN = (
    r"\b(?:if|might|maybe|perhaps|should|could|would|want(?:ed)? to|plan\w*|almost|nearly|never|not|falls|wenn"
    r"|vielleicht|fast|beinahe|nicht|nie|sollten?|si|quizás?|casi|nunca|no|peut-être|presque|jamais|ne)\b|n['’]t\b|[?？]|没有|如果|もし|かも"
)


def is_turned(older: str, newer: str) -> bool:
    """Return whether a newer line says that what an older one has is another thing now.

    >>> is_turned("Atlas runs on PostgreSQL 14.", "We switched Atlas from PostgreSQL to MySQL.")
    True
    >>> is_turned("Hermes runs on PostgreSQL 14.", "We switched Atlas from PostgreSQL to MySQL.")
    False
    """
    turn = _turn(newer)
    if turn is None or turn.is_open or not _has(older, turn.old) or _has(older, turn.new):
        return False
    return not turn.matter.isdisjoint(says(older).ideas)


def is_thought_of(text: str) -> bool:
    """Return whether a line speaks of turning something into something else, and does not say that it was.

    >>> is_thought_of("Have we switched Atlas from PostgreSQL to MySQL?"), is_thought_of("Atlas is on MySQL now.")
    (True, False)
    """
    turn = _turn(text)
    return turn is not None and turn.is_open


class Turn(NamedTuple):
    """What a line says is turned, from which value to which.

    matter    the ideas of what it is turned of
    is_open   it is asked, planned or denied
    """

    old: str
    new: str
    matter: frozenset[str]
    is_open: bool


@lru_cache(maxsize=4096)
def _turn(text: str) -> Turn | None:
    found = next((match for each in TURNS if (match := compiled(each, re.I).search(text))), None)
    if not found:
        return None
    is_open = compiled(OPEN, re.I).search(text[: found.end()]) is not None or text.rstrip().endswith(("?", "？"))
    return Turn(found["old"].casefold(), found["new"].casefold(), _matter(text, found), is_open)


def _matter(newer: str, found: re.Match[str]) -> frozenset[str]:
    """Return the ideas of what was turned; where nothing stands between, of the names of the line beside the values."""
    if of := says(found["of"]).ideas:
        return of
    whole, values = says(newer), says(f"{found['old']} {found['new']}").ideas
    return (whole.names | whole.maybe) & whole.ideas - values


def _has(text: str, value: str) -> bool:
    """Return whether a value stands in a text, as words of their own where they are written with blanks."""
    low = text.casefold()
    return value in low if not value.isascii() else f" {value} " in f" {' '.join(compiled(WORD).findall(low))} "
