"""The built-in answer to `remember`: in which store a thing belongs, by what it says.  [moltbot §8.2]

It is sure of what names itself: steps, a text to be kept word for word, what the user says of himself or of how he is
to be dealt with, what happened on a day, what a known name is told of. The rest is an episode of low confidence, which
consolidation moves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.text import dates, kinds
from koog.core.text.measures import STOPWORDS
from koog.core.text.statement import USER, Statement
from koog.core.text.talk import is_of_self
from koog.memory import core_memory, mentions, procedures
from koog.memory.episodes import HIGH, LOW, MEDIUM
from koog.memory.ids import ENTITY_TYPES, slug
from koog.memory.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, VAULT

# How something is done.
HOW = (
    r"(?i)\A\W*(?:(?:here'?s )?how (?:to|we|i) |steps? (?:to|for)|(?:our|the|my) (?:process|procedure|routine|recipe|workflow|checklist)\b|"
    r"to \w+[^.:]{2,60}:|when(?:ever)? [^.:]{4,80}[:,] (?:first|run|do|check|open|start|always)|"
    r"(?:so (?:geht|machen)|ablauf|anleitung|vorgehen)\b|um [^.:]{3,60} zu \w+\W|"
    r"(?:cómo|pasos para|para) [^.:]{3,60}[:,]|(?:comment|étapes pour|pour) [^.:]{3,60}[:,])"
    r"|(?:的步骤|步骤[:：]|流程[:：]|怎么做|手順|やり方|方法[:：])"
)
THEN = r"(?i)\b(?:first|then|next|after that|finally|afterwards|zuerst|dann|danach|anschließend|zuletzt|primero|luego|después|por último|d'abord|ensuite|puis|enfin)\b|先|然后|接着|最后|まず|次に|それから|最後に|→|->"
CLAUSES = r"(?i)\s*(?:[;\n→]|->|,? (?:and )?(?:then|dann|danach|luego|después|puis|ensuite) |[.,;]\s+(?=(?:then|next|finally|dann|danach|luego|después|puis|ensuite|enfin)\b)|[，；。、]?(?:然后|接着|再|最后|次に|それから|最後に))\s*"
# A text that is to be kept as it is.
VERBATIM = (
    r"(?i)\b(?:word for word|verbatim|exact(?:ly as)? (?:words|wording|written)|as[- ]is, forever|the poem|this poem|wortwörtlich|wörtlich|"
    r"palabra por palabra|tal cual|textualmente|mot (?:pour|à) mot|tel quel)\b|一字不差|一字一句|原文|原话|そのまま|全文"
)
# How the user wants to be dealt with.
PERSONA = (
    r"(?i)\b(?:answer|reply|replies|responses?|respond|explain|explanations?|explaining|address me|call me|talk to me|tell me|"
    r"ask me|give me|show me|send me|emojis?|bullet points?|tone|sugar-?coat|jokes?|"
    r"antwort\w*|erklär\w*|duz\w*|siez\w*|nenn mich|frag mich|gib mir|sag mir|respond\w*|contést\w*|explíc\w*|explic\w*|tutéa\w*|"
    r"háblame|dime|pregúntame|répond\w*|expliqu\w*|tutoi\w*|vouvoi\w*|appelle-moi|dis-moi|demande-moi)\b"
    r"|回答|回复|解释|称呼我|叫我|答え|返事|説明して|呼んで|話して"
)
IDENTITY = (
    r"(?i)\b(?:my (?:full |first |last )?name|i(?:'m| am) (?:a|an|the|from|based|\d)|i (?:live|work|speak|was born|moved|grew up|have (?:two|three|four|a|an|one)\b)|"
    r"my (?:wife|husband|partner|son|daughter|kids?|children|birthday|time ?zone|job|role|native language|pronouns|email|phone|address)|"
    r"ich (?:heiße|bin|wohne|arbeite|spreche|komme)|mein(?:e)? (?:name|frau|mann|sohn|tochter|kinder|geburtstag|zeitzone|muttersprache)|"
    r"me llamo|soy|vivo|trabajo|hablo|mi (?:nombre|mujer|esposa|marido|esposo|hij[oa]|cumpleaños|zona horaria|idioma)|mis hijos|"
    r"je (?:m'appelle|suis|vis|travaille|parle|habite)|j'habite|mon (?:nom|mari|fils|anniversaire|fuseau)|ma (?:femme|fille|langue)|mes enfants)\b"
    r"|我(?:叫|是|住|的名字|的生日|妻子|老婆|丈夫|儿子|女儿|在\w{1,8}工作)|(?:私|僕|俺)(?:の名前|は|の誕生日|の妻|の夫|の息子|の娘)|名前は"
)
NOW = (
    r"(?i)\b(?:currently|right now|at the moment|these days|this (?:week|month|quarter|sprint)|working on|focus(?:ing|ed)? on|"
    r"zurzeit|derzeit|momentan|gerade|arbeite(?:n)? an|diese woche|actualmente|ahora mismo|en este momento|esta semana|trabajando en|"
    r"actuellement|en ce moment|cette semaine|je travaille sur)\b|目前|现在|正在|最近|本周|今(?:は|、|週)|現在|取り組んで"
)
PAST = (
    r"(?i)\b(?:\w{3,}ed|was|were|went|had|did|met|made|took|got|came|said|told|found|lost|broke|began|chose|sent|saw|wrote|felt|ran|"
    r"wurde\w*|war(?:en)?|hat(?:te)?n?|haben|ist (?:\w+ )*ge\w+t|gestern|fue(?:ron)?|estuv\w+|hicimos|tuv\w+|ayer|\w+(?:amos|imos|aron|ieron)|"
    r"a été|était|avons|ont|j'ai|hier|s'est)\b|了(?!解)|昨天|昨日|ました|した。|だった"
)
EVENTS = frozenset(("decision", "event", "error", "fix"))
OF_EPISODE = {
    "decision": "decision",
    "event": "event",
    "preference": "preference",
    "goal": "task",
    "error": "event",
    "fix": "event",
}
RELATION = (
    ("uses", r"\b(?:uses?|using|runs? on|built (?:on|with)|powered by|nutzt|verwendet|läuft auf|usa|utiliza|utilise)\b|使用|使って|用"),
    ("develops", r"\b(?:develops?|building|builds|maintains?|leads?|owns?|wrote|works on|entwickelt|leitet|betreut|desarrolla|lidera|développe|dirige)\b|负责|开发|担当"),
    ("part-of", r"\b(?:part of|belongs to|member of|works (?:at|for)|gehört zu|arbeitet bei|forma parte de|trabaja en|fait partie de|travaille (?:chez|à))\b|属于|所属"),
    ("depends-on", r"\b(?:depends? on|needs|requires|blocked by|hängt von|braucht|depende de|necesita|dépend de)\b|依赖|依存"),
    ("prefers", r"\b(?:prefers?|likes?|loves|bevorzugt|mag|prefiere|le gusta|préfère|aime)\b|喜欢|好き"),
    ("avoids", r"\b(?:avoids?|hates?|dislikes?|refuses|meidet|hasst|evita|odia|évite|déteste)\b|讨厌|嫌い"),
)  # fmt: skip
MOST_TAGS = 5


@dataclass(frozen=True)
class RouterInput:
    """What the router knows.

    content   what is to be remembered, as it was given
    explicit  the user asked for it
    names     names of known entities → their id
    today     the user's day
    core      MEMORY.md
    """

    content: str
    explicit: bool
    names: dict[str, str]
    today: date
    core: str = ""


def answer(given: RouterInput) -> dict[str, Any]:
    """Return where a thing belongs."""
    text = given.content.strip()
    line = " ".join(text.split())
    entities = _entities(line, given.names)
    store, block, is_sure, more = _store(text, line, entities, given)
    confidence = (HIGH if given.explicit else MEDIUM) if is_sure else LOW
    return {
        "store": store,
        "type": _episode_type(line),
        "block": block,
        "entities": entities,
        "relations": _relations(line, entities),
        "tags": tags(line, entities),
        "confidence": confidence,
        "core_update": store != CORE and is_sure and _is_critical(line),
        "summary": text if store == VAULT else line,
        "trigger": more.get("trigger"),
        "steps": list(more.get("steps", ())),
    }


def _store(
    text: str, line: str, entities: Sequence[dict[str, str]], given: RouterInput
) -> tuple[str, str | None, bool, dict[str, Any]]:
    """Return store, block, whether that is sure, and what a procedure has."""
    if compiled(VERBATIM).search(line) or _is_verse(text):
        return VAULT, None, True, {}
    if (steps := _steps(text)) and (compiled(HOW).search(line) or len(steps) > 2):
        return PROCEDURAL, None, True, {"steps": steps, "trigger": _trigger(text)}
    said = Statement(text=line, role=USER, trust="person")
    kind = kinds.by_cue(line)
    kind = kind if kind != "fact" else said.type
    is_past = bool(compiled(PAST).search(line))
    happened = any(day.day <= given.today for day in dates.found(line, given.today))
    if compiled(PERSONA).search(line) and not happened and (kinds.is_standing(line) or kind in ("rule", "preference")):
        return CORE, core_memory.PERSONA, True, {}
    if kind == "decision" or (happened and is_past) or (kind in EVENTS and is_past):
        return EPISODIC, None, True, {}
    if _is_critical(line) and is_of_self(line):
        return CORE, core_memory.CRITICAL, True, {}
    if compiled(IDENTITY).search(line) and not is_past:
        return CORE, core_memory.IDENTITY, True, {}
    if is_of_self(line) and kind in ("preference", "habit", "rule"):
        return CORE, core_memory.CRITICAL if kind == "rule" else core_memory.IDENTITY, True, {}
    if kind == "rule" and not entities:
        return CORE, core_memory.CRITICAL, True, {}
    if is_of_self(line) and compiled(NOW).search(line) and not is_past:
        return CORE, core_memory.CONTEXT, True, {}
    if entities and not (is_past and is_of_self(line)):
        return SEMANTIC, None, True, {}
    return EPISODIC, None, kind in EVENTS, {}


def _is_critical(line: str) -> bool:
    return bool(compiled(kinds.OF_HEALTH, re.IGNORECASE).search(line))


def _is_verse(text: str) -> bool:
    """Return whether a text of several lines is one that its line breaks belong to: no list, no steps."""
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    marked = sum(bool(compiled(r"(?:[-*+•]|\d+[.)])\s").match(row)) for row in rows)
    return len(rows) >= 4 and not marked and sum(map(len, rows)) / len(rows) < 80


def _steps(text: str) -> Sequence[str]:
    """Return the steps that a text tells."""
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    listed = [found for row in rows if (found := compiled(r"(?:[-*+•]|\d{1,2}[.)])\s+(.*)").fullmatch(row))]
    if len(listed) > 1:
        return [found[1] for found in listed]
    if numbered := procedures.split(text):
        return numbered
    line = " ".join(text.split())
    _, sign, rest = _head(line)
    body = rest if sign else line
    if compiled(THEN).search(body) or (compiled(HOW).search(line) and sign):
        parts = [part.strip(" .,;") for part in compiled(CLAUSES).split(body)]
        if len([p for p in parts if p]) < 2:
            parts = [part.strip(" .,;") for part in compiled(r"[,.;，。；、]\s*").split(body)]
        return [part for part in parts if part]
    return ()


def _head(line: str) -> tuple[str, str, str]:
    """Return what stands before the first colon, the colon, and the rest."""
    found = compiled(r"([^:：]{3,80})([:：])\s*(.*)").fullmatch(line)
    return (found[1], found[2], found[3]) if found else (line, "", "")


def _trigger(text: str) -> str:
    """Return when a procedure is called for."""
    head, sign, _ = _head(" ".join(text.split()))
    head = head if sign else compiled(CLAUSES).split(head)[0]
    return f"When: {head.strip(' .,;')}"


def _entities(line: str, names: dict[str, str]) -> list[dict[str, str]]:
    """Return what a line is about, the main one first: a person or project before what is only named beside it."""
    rows = []
    for each in mentions.found(line, names):
        kind = names.get(each.name) or names.get(each.name.casefold()) or each.kind
        kind = kind.partition("--")[0] if kind else "concept"
        rows.append({"name": each.name, "type": kind if kind in ENTITY_TYPES else "concept"})
    return sorted(rows[:12], key=lambda row: row["type"] == mentions.PLACE)


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
    return list(dict.fromkeys([*filter(None, named), *sorted(dict.fromkeys(words), key=len, reverse=True)]))[:MOST_TAGS]


def _episode_type(line: str) -> str:
    kind = kinds.by_cue(line)
    kind = kind if kind != "fact" else Statement(text=line, role=USER, trust="person").type
    return OF_EPISODE.get(kind, "fact")
