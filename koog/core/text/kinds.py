"""What a statement is by the few words that say so, where the weigher is not sure.  [design §4 "one reading"]

Only words that hold in six languages as they stand here: who says "deadline" names one. Everything else is a fact.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled

# What holds from now on, each time.
STANDING = (
    r"\A\W*(?:rules?|regeln?|règles?|reglas?)\b[^:：]{0,30}[:：]|\A\W*(?:规则|规定|规矩|ルール|決まり)"
    r"|\b(?:always(?! (?:was|were|ha[sd]|did|gets?|got|been)\b)|never(?! know| mind)|stop \w+ing|from now on"
    r"|going forward|every time|each time|any ?more|no more"
    r"|in (?:the )?future|by default"
    r"|(?:not|never|\w+n'?t) .{1,60}\bagain|under no circumstances|whenever|must(?:n't| not)?|not allowed|may not"
    r"|forbidden|no exceptions?"
    r"|immer(?! noch| wieder| schon| mehr)|(?<!weiß )nie(?:mals)?|ab (?:jetzt|sofort|heute)|künftig"
    r"|zukünftig|in zukunft|jedes mal|nicht mehr|aufhören|hör auf"
    r"|standardmäßig|grundsätzlich|verboten|keinesfalls|auf keinen fall"
    r"|siempre|nunca(?! se sabe)|a partir de ahora|(?:de ahora )?en adelante|cada vez|de(?:jar?|ja) de|por defecto"
    r"|prohibido|toujours|(?<!sait )jamais|désormais|dorénavant|à partir de maintenant|à l'avenir|chaque fois"
    r"|arrête[rz]? de|par défaut|interdit)\b"
    r"|\A\W*(?:no|nothing|nobody|kein\w*|niemand|nichts|ningun[oa]|nadie|aucune?|personne) \w+ (?!\w+ (?:left|yet"
    r"|now)\b)\w+"
    r"|以后|今后|每次|总是|永远|别再|不要再|从现在起|从今|默认|一律|必须|禁止|不许|绝不|绝对不|今後|これから|毎回"
    r"|いつも|必ず|絶対|二度と|やめて|禁止|べからず"
)
DECISION = (
    r"\b(?:deci(?:ded|sion)|settled on|we(?:'re| are) going (?:with|for)|going ahead|goes ahead|it is\W*\Z|voted"
    r"|agreed (?:on|to)|we(?:'ll| will) go with|not going to|forget .{2,30}, |dropp(?:ed|ing) the"
    r"|entschieden|entscheidung|beschlossen|einigen uns|wir nehmen|wird es\W*\Z|geeinigt|decid(?:ido|imos|í|ió|ida)"
    r"|decisión|acord(?:ado|amos)|nos quedamos con|optamos"
    r"|décidé\w*|décision|convenu|on prend|on part sur|tranché)\b|决定|定了|定的是|定下|拍板|选定|确定用|就用|決め"
    r"|決定|に決ま|することにし"
)
GOAL = (
    r"\b(?:deadline|due (?:by|on|date)|is due|(?:my|our|the) (?:goal|aim|target)|has to be .{1,40} by|(?:by"
    r"|until) (?:the )?(?:end of|\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
    r"|next)\w*"
    r"|frist|abgabe\w*|stichtag|ziel|bis (?:zum |spätestens |ende |\d|mon|diens|mitt|donn|frei|sams|sonn)\w*"
    r"|fecha límite|plazo|objetivo|meta|antes del?|a más tardar|vence"
    r"|échéance|date limite|objectif|délai|avant le|au plus tard|d'ici)\b|截止|之前|前要|期限|目标|到期|締め?切|までに"
    r"|目標|期日"
)
PREFERENCE = (
    r"\b(?:i|we|he|she|\w+) (?:prefers?|(?:really )?(?:like|love|hate|enjoy|dislike|can't stand|cannot stand)s?)\b"
    r"|\b(?:i'd rather|doesn't work for me|don't work for me|favou?rite|easier (?:for me )?to|lieber|bevorzug\w*"
    r"|am liebsten|mag (?:ich|keine?n?|lieber)|ich (?:mag|hasse|liebe)"
    r"|prefier[oe]|prefer\w+|me gusta\w*|odio|no soporto|préfèr\w*|j'aime|j'adore|je déteste|je n'aime pas)\b|喜欢"
    r"|更愿意"
    r"|讨厌|受不了|偏好|好き|嫌い|苦手|の方がいい"
)
HABIT = (
    r"\b(?:every (?:mon|tues|wednes|thurs|fri|satur|sun|morning|evening|night|day|week|month|year)\w*|on (?:mon|tues"
    r"|wednes|thurs|fri|satur|sun)days|usually|jeden|jede woche|montags|dienstags|mittwochs|donnerstags|freitags"
    r"|samstags|sonntags"
    r"|cada (?:día|semana|mes|lunes|martes|miércoles|jueves|viernes)|todos los|tous les|chaque (?:jour|semaine|mois"
    r"|lundi|mardi|mercredi|jeudi|vendredi))\b|每(?:天|周|个月|年)|毎(?:日|週|月|朝|晩)"
)
# What harms somebody when it is forgotten.
OF_HEALTH = (
    r"allerg|alérg|intoler|intolér|celi?a[ck]|celíac|cœliaque|coeliac|zöliak|asthma|asma\b|diabet|epilep|过敏|哮喘"
    r"|アレルギー|喘息|vertr[aä]g\w* (?:kein|nicht)|anaphyla|epi-?pen"
)
SELF = r"\b(?:i|i['’]m|ich|je|yo)\b|\bj['’]|[我私僕]"
BY_CUE = (("decision", DECISION), ("rule", STANDING), ("goal", GOAL), ("preference", PREFERENCE), ("habit", HABIT))


def by_cue(text: str) -> str:
    """Return the type that a statement names itself, "fact" when it names none.

    >>> by_cue("Dienstags bin ich immer beim Turnen")
    'habit'
    >>> by_cue("No deployments on Fridays."), by_cue("Die Frist ist am 3. März."), by_cue("My sister lives in Porto.")
    ('rule', 'goal', 'fact')
    """
    found = next((kind for kind, cue in BY_CUE if compiled(cue, re.IGNORECASE).search(text)), "fact")
    is_habit = found in ("rule", "goal") and compiled(f"(?:{HABIT}).*(?:{SELF})|(?:{SELF}).*(?:{HABIT})", re.I).search(
        text
    )
    return "habit" if is_habit else found


def is_of_health(text: str) -> bool:
    """Return whether a text says what harms somebody when it is forgotten.

    >>> is_of_health("My son Leo is allergic to peanuts"), is_of_health("My son Leo likes peanuts")
    (True, False)
    """
    return compiled(OF_HEALTH, re.IGNORECASE).search(text) is not None


def is_standing(text: str) -> bool:
    """Return whether a sentence says what holds from now on, each time."""
    return compiled(STANDING, re.IGNORECASE).search(text) is not None
