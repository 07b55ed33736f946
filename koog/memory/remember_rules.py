"""The built-in answer to `remember`: in which store a thing belongs, by what it says.  [moltbot §8.2]

The place is the router's (router.py), learned from labelled lines. Where it is not sure, the thing is an episode of low
confidence, which consolidation moves. Steps, names, tags and relations are read from the words themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import first_person, himself, introduction, kinds, weigher
from koog.core.text.measures import STOPWORDS
from koog.core.text.of_self import is_greeted
from koog.core.text.signs import may_be_wide
from koog.core.text.voices import TALK, USER
from koog.memory import homes, router
from koog.memory.names import mentions, speakers
from koog.memory.names.mentions import Mention
from koog.memory.store import core_memory, procedures
from koog.memory.store.core_memory import IDENTITY, PERSONA, TITLES
from koog.memory.store.episodes import HIGH, LOW, MEDIUM
from koog.memory.store.ids import ENTITY_TYPES, slug
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, VAULT
from koog.memory.store.sections import Sections

SURE = 0.3  # from here on the router's place is taken
SURE_OF_CORE = 0.7  # what stands in core memory is read in every conversation
ARROW = r"\s*(?:→|->|=>)\s*"
BETWEEN = (r"\s*[;；]\s*", r"(?<=[.!?])\s+|(?<=[。！？])", r"\s*[,，、]\s*")  # steps, the surest sign first
OF_EPISODE = {
    "decision": "decision",
    "event": "event",
    "preference": "preference",
    "goal": "task",
    "error": "event",
    "fix": "event",
}
# What stands between two names, and the relation of moltbot §6.3 that it tells.
RELATION = (
    (
        "uses",
        r"\b(?:uses?|using|runs? on|built (?:on|with)|powered by|nutzt|verwendet|läuft auf|usa|utiliza|utilise)\b"
        r"|使用|使って|用",
    ),
    (
        "develops",
        r"\b(?:develops?|building|builds|maintains?|leads?|owns?|wrote|works on|entwickelt|leitet|betreut|desarrolla"
        r"|lidera|développe|dirige)\b|负责|开发|担当",
    ),
    (
        "part-of",
        r"\b(?:part of|belongs to|member of|works (?:at|for)|gehört zu|arbeitet bei|forma parte de|trabaja en"
        r"|fait partie de|travaille (?:chez|à))\b|属于|所属",
    ),
    (
        "depends-on",
        r"\b(?:depends? on|needs|requires|blocked by|hängt von|braucht|depende de|necesita|dépend de)\b|依赖|依存",
    ),
    ("prefers", r"\b(?:prefers?|likes?|loves|bevorzugt|mag|prefiere|le gusta|préfère|aime)\b|喜欢|好き"),
    ("avoids", r"\b(?:avoids?|hates?|dislikes?|refuses|meidet|hasst|evita|odia|évite|déteste)\b|讨厌|嫌い"),
)
MOST_TAGS, TAG_CHARS = 5, 60
MOST_NAMES, NAME_CHARS = 12, 120
TRIGGER_CHARS = 400


class RouterInput(NamedTuple):
    """What the router knows.

    content   what is to be remembered, as it was given
    explicit  the user asked for it
    names     names of known entities → their id
    today     the user's day
    core      MEMORY.md
    store     where it was told to go, and so is not rated; "" is for the router to say
    """

    content: str
    explicit: bool
    names: dict[str, str]
    today: date
    core: str = ""
    store: str = ""


def answer(given: RouterInput) -> dict[str, Any]:
    """Return where a thing belongs."""
    text = given.content.strip()
    written = " ".join(text.split())
    line = first_person.own(written)
    named = mentions.found(line, given.names)
    is_his = not himself.is_anothers(line, speakers.of(line, ((each.name, each.kind) for each in named)))
    is_critical = is_his and _is_critical(line)
    place, is_sure = given.store, True
    if place in ("", CORE) or is_critical:
        rated = router.rate(first_person.own(text), named, today=given.today)
        odds = _odds(rated.odds, line)
        best = _place(odds) if place == "" else rated.best
        is_sure = odds[best] >= SURE
        place = place if place not in ("", CORE) else best if is_sure else EPISODIC
        if not given.store and is_his and place not in TITLES and (always := _always(line, named, given)):
            place, is_sure = always, True
        if not given.store and not is_his and place in TITLES:
            place, is_sure = EPISODIC, False
    block = place if place in TITLES else None
    store = given.store or (CORE if block else place)
    entities = _entities([each for each in named if not is_greeted(line, each.name)])
    cue = kinds.by_cue(line)
    kind = cue if cue != "fact" else weigher.weigh(line, register=TALK, role=USER).type
    # What holds each time, of nobody and nothing by name, is said to who hears it.
    is_rule = is_his and cue == "rule" and not named and not given.store and store in (SEMANTIC, EPISODIC)
    return {
        "store": store,
        "type": OF_EPISODE.get(kind, "fact"),
        "block": block,
        "entities": entities,
        "relations": _relations(line, entities),
        "tags": tags(line, entities),
        "confidence": (HIGH if given.explicit else MEDIUM) if is_sure else LOW,
        "core_update": (store != CORE and is_sure and is_critical) or is_rule,
        "summary": text if store == VAULT else written,
        "trigger": trigger(written) if store == PROCEDURAL else None,
        "steps": steps(text) if store == PROCEDURAL else [],
    }


def _people(named: Sequence[Mention]) -> list[str]:
    return [each.name for each in named if each.kind == mentions.PERSON]


def _place(odds: Mapping[str, float]) -> str:
    """Return the likeliest place; a block of core memory only where core memory as a whole is likely enough."""
    if sum(odds[block] for block in TITLES) < SURE_OF_CORE:
        odds = {place: share for place, share in odds.items() if place not in TITLES}
    return max(odds, key=odds.__getitem__)


def _odds(odds: dict[str, float], line: str) -> dict[str, float]:
    """Return how likely each place is for a line: who its speaker is it does not say where it only sounds so."""
    if max(odds, key=odds.__getitem__) == IDENTITY and himself.only_sounds_so(line):
        return odds | {IDENTITY: 0.0}
    return odds


def _always(line: str, named: Sequence[Mention], given: RouterInput) -> str:
    """Return the block of MEMORY.md of what always holds of who speaks, whatever the router says; "" for none."""
    places = homes.places(line, [(each.name, each.kind) for each in named], people=given.names)
    if (
        himself.tells_who(line)
        or himself.tells_family(line)
        or himself.tells_move(line, places)
        or _introduces(line, named, given)
    ):
        return IDENTITY
    if not ("?" in line or may_be_wide(line)):
        return ""
    from koog.core.text import replies  # most lines ask for nothing, and its patterns are long

    return PERSONA if replies.is_wish_of_manner(line) or replies.is_standing_wish(line) else ""


def _introduces(line: str, named: Sequence[Mention], given: RouterInput) -> bool:
    """Return whether somebody says that he is who has a whole name; or gives one alone, while MEMORY.md does not know
    who he is.
    """
    people = _people(named)
    names = [
        each for each in people if (" " in each or may_be_wide(each)) and introduction.introduces(line, each, people)
    ]
    if any(introduction.names_himself(line, each) for each in names) and not himself.tells_of_another(line):
        return True
    if not names or names[0] != people[0]:
        return False
    return all(each.block != IDENTITY for each in core_memory.entries(Sections(given.core, core_memory.FILE)))


def _is_critical(line: str) -> bool:
    return bool(compiled(kinds.OF_HEALTH, re.IGNORECASE).search(line))


def steps(text: str, *, marks: Sequence[str] = (ARROW, *BETWEEN)) -> list[str]:
    """Return the steps that a text tells: as it lists or numbers them, else as one of some marks parts them."""
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    listed = [found for row in rows if (found := compiled(r"(?:[-*+•]|\d{1,2}[.)])\s+(.*)").fullmatch(row))]
    if len(listed) > 1:
        return [found[1] for found in listed]
    line = " ".join(rows)
    if numbered := procedures.split(line):
        return list(numbered)
    head, sign, rest = _head(line)
    body = rest if sign else head
    for mark in marks:
        parts = [part.strip(" .,;。；，") for part in compiled(mark).split(body)]
        if len(parts := [part for part in parts if part]) > 1:
            return parts
    return [body]


def _head(line: str) -> tuple[str, str, str]:
    """Return what stands before the first colon, the colon, and the rest."""
    found = compiled(r"([^:：]{3,80})([:：])\s*(.+)").fullmatch(line)
    return (found[1], found[2], found[3]) if found else (line, "", "")


def trigger(line: str) -> str:
    """Return when a procedure is called for: what stands before its colon, else its first clause."""
    head, sign, _ = _head(line)
    clause = (head if sign else compiled(r"[,.;，。；、]").split(head)[0]).strip()
    return clause if len(clause) <= TRIGGER_CHARS else f"{clause[: TRIGGER_CHARS - 1]}…"


def _entities(named: Sequence[Mention]) -> list[dict[str, str]]:
    """Return what a line names, what it is most about first."""
    return [
        {"name": each.name, "type": each.kind if each.kind in ENTITY_TYPES else mentions.CONCEPT}
        for each in mentions.main_first([e for e in named if not e.of and len(e.name) <= NAME_CHARS])[:MOST_NAMES]
    ]


def _relations(line: str, entities: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return how the first two entities are linked, where a word between them tells."""
    if len(entities) < 2:
        return []
    first, second = sorted(entities[:2], key=lambda row: line.find(row["name"]))
    between = line[line.find(first["name"]) + len(first["name"]) : line.find(second["name"])]
    for name, cue in RELATION:
        if compiled(cue, re.IGNORECASE).search(between):
            return [{"from": first["name"], "relation": name, "to": second["name"]}]
    return []


def tags(line: str, entities: Sequence[dict[str, str]]) -> list[str]:
    """Return a few words of a line's subject: its names, then its longest words."""
    words = [word for word in compiled(r"[^\W\d_]{4,}").findall(line.casefold()) if word not in STOPWORDS]
    named = [slug(row["name"]) for row in entities]
    found = dict.fromkeys([*filter(None, named), *sorted(dict.fromkeys(words), key=len, reverse=True)])
    return [tag[:TAG_CHARS] for tag in found][:MOST_TAGS]
