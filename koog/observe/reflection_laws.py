"""The laws of a reflection, whichever engine asks for it.  [design §5]

1. A 🔴 line stands, or a line that says it, or what corrects it: a newer line on the same subject, whatever it weighs.
2. A 🟡 line goes only into another or for a newer one; a 🟢 line besides when it is a week old and corrects nothing.
3. Joined lines lose no number, unit, name, day or "not": the line that says most stays, where new words would lose one.
4. A line is rewritten shorter and from its own words.
5. An answer that would leave more, or under a fifth, is refused whole.
6. Over the limit, 🟡 and 🟢 lines yield when they are a week old: whole ones, what weighs least first.

What harms is stopped, by what the lines say (core/text/compare.py): words of one's own, another language and a shorter
line are no harm. Ages are computed from each line's own date, so that no step ever compounds.  Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence, Set
from datetime import date, timedelta

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.text import compare
from koog.core.text.compare import Relation
from koog.core.text.pairs import ALIKE, seen
from koog.core.text.says import MOST_CHARS, MOST_WORDS, Says, says
from koog.core.text.voices import TRUSTS
from koog.observe.observations import AGAINST, ALSO, HIGH, LOW, Observation, words

LOW_DAYS = 7  # a 🟢 line older than this may go
SHORT = 3  # letters of a name that other words begin with, too
# What is counted: with another of these the same number is another amount.
UNITS = """
    ms;s sec secs second seconds sekunde sekunden segundo segundos seconde secondes 秒
    min mins minute minutes minuten minuto minutos 分 分钟 分間
    h hour hours stunde stunden hora horas heure heures 小时 時間
    day days tag tage tagen día días jour jours 天 日間
    week weeks woche wochen semana semanas semaine semaines 周 週間
    month months monat monate monaten mes meses mois 个月 か月 ヶ月
    year years jahr jahre jahren año años an ans 年間
    % percent prozent;€ eur euro euros;$ usd dollar dollars;kb;mb;gb;tb;mm;cm;m;km;g;kg;°c;°f
"""
UNIT = {word: n for n, unit in enumerate(re.split("[;\n]", UNITS)) for word in unit.split()}
LETTER = "[0-9a-z\u00df-\u024f]"  # a wide one ends a word of these
APART = "the two speak of different things"
# How sure it must be that two lines speak of two things before an engine's word for it is not taken: to join them,
# where no number, name or "not" is lost, and to take one for the other.
SURE_TO_JOIN, SURE_TO_REPLACE = 0.8, 0.6


def age_days(o: Observation, today: date) -> int | None:
    """Return how old an observation is by its own date, None without one: never by what an earlier run made of it."""
    day = clock.parse_day(o.day)
    return None if day is None else max(0, (today - day) // timedelta(days=1))


def expired(o: Observation, today: date) -> bool:
    """Return whether an observation is 🟢 and over a week old."""
    return o.mark == LOW and yields(o, today)


def yields(o: Observation, today: date) -> bool:
    """Return whether a line may go when there is no room: it is not 🔴, and not of this week."""
    return o.mark != HIGH and (age_days(o, today) or 0) > LOW_DAYS


def older(a: Observation, b: Observation) -> bool:
    """Return whether the first was observed before the second: no where a day, or of one day a time, is not known."""
    if a.day != b.day:
        return "" < a.day < b.day
    return "" < a.time < b.time


def relation(old: Observation, new: Observation) -> Relation:
    """Return what a newer observation is to an older one."""
    return compare.compare(old.text, new.text, same_voice=old.trust == new.trust)


def why_not_remove(old: Observation, by: Observation | None, *, today: date) -> str:
    """Return why a line stays, "" when it may go.

    by   the newer line that is to stand in its place, None without one
    """
    if expired(old, today):
        return ""
    if by is None:
        if old.mark == LOW:
            return f"a 🟢 line stays for {LOW_DAYS} days"
        return f"a {old.mark} line goes only for a newer one or into another"
    if not older(old, by):
        return "what is named as newer is not"
    if home((old, by)) != 1:
        return "what is named as newer is trusted less"
    between = seen(says(old.text), says(by.text))
    if between.subject_differs:
        return f"{APART}: another subject"
    is_new_value = between.shared and (between.numbers or between.names or between.kinds)
    return "" if is_new_value else _apart(old, by, sure=SURE_TO_REPLACE)


def _apart(old: Observation, new: Observation, *, sure: float) -> str:
    """Return why two lines surely speak of two things, "" when they may be about one."""
    found = relation(old, new)
    is_apart = found.kind in (compare.DISTINCT, compare.UNRELATED) and found.sure >= sure
    return f"{APART}: {found.reason}" if is_apart else ""


def joined(asked: str, old: Sequence[Observation]) -> tuple[Observation | None, list[str]]:
    """Return one observation for several, or None; and of each of them why it is not in it, "" where it is.

    asked   the engine's text; without one, or where it would lose something, the line that says most stays whole

    It is the newest's of the most trusted, in their own words, and as important as any of them.
    """
    trust = old[home(old)].trust
    own = [o for o in old if o.trust == trust]
    tried = [([_unlike(best, o) for o in old], best) for best in own]
    refused, best = min(tried, key=lambda each: (sum(map(bool, each[0])), -len(each[1].text)))
    parts = [o for o, why in zip(old, refused, strict=True) if not why]
    if len(parts) == 1:
        return None, [why or "no line says the same" for why in refused]
    newest, text = parts[home(parts)], best.text
    if asked and {o.trust for o in parts} == {newest._replace(text=asked).trust} and _is_grounded(asked, parts):
        is_whole = not any(lost(asked, o.text) for o in parts)
        text = asked if is_whole and words(asked) <= sum(words(o.text) for o in parts) else text
    importance, confidence = max(o.importance for o in parts), max(o.confidence for o in parts)
    more = _heard_in(newest, parts)
    return newest._replace(text=text, importance=importance, confidence=confidence, more=more), refused


def home(old: Sequence[Observation]) -> int:
    """Return which of several lines stays when they are joined: of the most trusted the newest."""
    return max(range(len(old)), key=lambda i: (-TRUSTS.index(old[i].trust), old[i].day, old[i].time, i))


def linked(o: Observation, other: Observation) -> Observation:
    """Return an observation that names another as one that may not hold beside it."""
    return _with(o, AGAINST, [*o.against, other.place])


def places(o: Observation) -> set[str]:
    """Return by what other lines may name an observation: its place, and those of the lines that went into it."""
    return {o.place, *dict(o.more).get(ALSO, "").split(";")} - {""}


def unlinked(o: Observation, gone: Collection[str]) -> Observation:
    """Return an observation that names none of the lines that are gone, by their places."""
    return _with(o, AGAINST, [place for place in o.against if place not in gone])


def _heard_in(newest: Observation, old: Sequence[Observation]) -> tuple[tuple[str, str], ...]:
    """Return the other values of a joined line's comment: where its lines were heard is among them."""
    told = [source for o in old for source in (o.source, *dict(o.more).get(ALSO, "").split(";"))]
    return _with(newest, ALSO, [source for source in told if source != newest.source]).more


def _with(o: Observation, name: str, places: Sequence[str]) -> Observation:
    told = ";".join(filter(None, dict.fromkeys(places)))
    rest = tuple(pair for pair in o.more if pair[0] != name)
    return o._replace(more=(*rest, (name, told)) if told else rest)


def _unlike(best: Observation, o: Observation) -> str:
    """Return why a line cannot stand for another that says no more, "" where it can."""
    if best.text == o.text:
        return ""
    if why := lost(best.text, o.text):
        return why
    old, new = (o, best) if older(o, best) else (best, o)
    a, b = says(old.text), says(new.text)
    between = seen(a, b)
    if between.apart and ((between.denied and between.frame >= ALIKE) or between.kinds):
        return f"{APART}: {between.apart}"
    if between.subject_differs or not between.shared:
        return f"{APART}: another subject"
    return "" if holds(best.text, o.text) else _apart(old, new, sure=SURE_TO_JOIN)


def is_other(a: str, b: str) -> bool:
    """Return whether two lines are one sentence with another word put in its place: two things that were said.

    >>> is_other("The staging backup runs at night", "The production backup runs at night")
    True
    """
    found = seen(says(a), says(b))
    return bool(found.apart or (found.frame >= ALIKE and any(x and y for x, y in found.blocks)))


def are_alike(a: str, b: str) -> bool:
    """Return whether two lines are one sentence, whatever of it differs: half of the words are the same, in one order.

    >>> are_alike("I walked 3 km to the lake", "I walked 5 km to the lake")
    True
    """
    one, other = says(a), says(b)
    least = ALIKE * max(len(one.words), len(other.words))
    # Most pairs have too few words in common, which is soon seen: their order takes long to compare.
    return len([word for word in one.words if word in other.words]) >= least and seen(one, other).frame >= ALIKE


def rewritten(text: str, old: Observation) -> tuple[Observation | None, str]:
    """Return an observation in fewer of its words, or why there is none."""
    if not text or words(text) >= words(old.text):
        return None, "not shorter"
    if old.mark == HIGH:
        return None, "a 🔴 line keeps its words"
    if old._replace(text=text).trust != old.trust or not _is_grounded(text, [old]) or not says(text).ideas:
        return None, "says what the line does not say"
    if why := lost(text, old.text):
        return None, why
    return old._replace(text=text), ""


def holds(text: str, line: str) -> bool:
    """Return whether a text says all of a line: each of its words in their order, and as much of a "not".

    >>> holds("Deploys go out on Tuesdays at noon", "Deploys go out on Tuesdays"), holds("Tabs not spaces", "Tabs")
    (True, False)
    """
    new, old = says(text), says(line)
    said = iter(new.words)
    is_whole = bool(old.words) and all(word in said for word in old.words)
    return is_whole and new.denials == old.denials and not lost(text, line)


def lost(text: str, line: str) -> str:
    """Return what of a line a text does not say that may not be lost: a number, a name, a day, a "not"; "" for nothing.

    Of what is too long to be read to its end nobody knows that, nor what "[staging]" in front of it limits.

    >>> lost("Staging is up", "Staging is not up"), lost("Ewa is away in May", "Ewa is away")
    ('a not would be lost', '')
    """
    if text == line:
        return ""
    new, old = says(text), says(line)
    if max(len(new.text), len(old.text)) >= MOST_CHARS or max(len(new.words), len(old.words)) >= MOST_WORDS:
        return "too long to be compared"
    gone = sorted(_figures(old) - _figures(new)) or sorted(_whole_days(old) - (_whole_days(new) or _whole_days(old)))
    gone += [n for n in [*old.names, *_labels(line)] if not _has(text, n.partition("'")[0])]
    amounts = _amounts(text)
    gone += [n for n, unit in _amounts(line).items() if amounts.get(n, unit) != unit]
    if gone:
        return f"{gone[0]} would be lost"
    return "a not would be lost" if old.denials and not new.denials else ""


def _labels(line: str) -> list[str]:
    """Return what stands in brackets before a line, which its reading leaves out."""
    found = compiled(r"(?:[^\W\d_]+: )?((?:\[[^\]\n]{1,30}\]\s*)+)").match(line)
    return compiled(r"\[([^\]]*)\]").findall(found[1].casefold()) if found else []


def _has(text: str, name: str) -> bool:
    """Return whether a text has a name: at the beginning of a word, and a short one as a whole word."""
    begin, end = (f"(?<!{LETTER})", f"(?:'?s)?(?!{LETTER})") if name[:1].isascii() else ("", "")
    return bool(re.search(f"{begin}{re.escape(name)}{end if len(name) <= SHORT else ''}", text.casefold()))


def _amounts(text: str) -> dict[str, int]:
    """Return the numbers of a text that have a unit, each with which one."""
    longest_first = "|".join(re.escape(unit) for unit in sorted(UNIT, key=len, reverse=True))
    found = compiled(rf"(\d[\d.,]*)[ -]?({longest_first})(?!{LETTER})").findall(text.casefold())
    return {number: UNIT[unit] for number, unit in found}


def _figures(said: Says) -> Set[str]:
    """Return the numbers of a line and its days, however they are written: "2 May 2026" as 2026-05-02."""
    parts = [part for number in said.numbers for part in number.removesuffix(":00").split("-")]
    months = [str(int(month.removeprefix("month")) + 1) for month in said.kinds.get("month", ())]
    below = compiled(r"(?<![^\s(])[-−](\d+)").findall(said.text)  # zero
    figures = {part.lstrip("0") for part in parts} - set(below)
    return figures.union(months, (f"-{n}" for n in below), said.kinds.get("weekday", ()))


def _whole_days(said: Says) -> frozenset[str]:
    return frozenset(n for n in said.numbers if compiled(r"\d{4}-\d\d-\d\d").fullmatch(n))


def _is_grounded(text: str, old: Sequence[Observation]) -> bool:
    """Return whether a text is made of its lines: no number or name of its own, no "not", no other word.

    What it begins with has a capital in any case and may be a name: that word must be one of theirs.
    """
    new, theirs = says(text), [says(o.text) for o in old]
    low = " ".join(o.text for o in old).casefold()
    own = new.ideas if not new.wide else frozenset(idea for idea in new.ideas if not set(idea) <= set(low))
    for each in theirs:
        own &= seen(each, new).newer.ideas - each.ideas
    known = frozenset[str]().union(*(each.numbers.keys() for each in theirs))
    has_not = not new.denials or any(each.denials for each in theirs)
    is_known = new.numbers.keys() <= known and all(n.partition("'")[0] in low for n in new.names | new.maybe)
    return is_known and has_not and not own
