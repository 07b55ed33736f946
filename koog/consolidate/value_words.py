"""The words by which lines give values, in six languages: how many days each span has, and patterns made of them.

values.py reads with them.
"""

from __future__ import annotations

import re

from koog.core.text import dates
from koog.core.text.says import NUMBERS

# A number before one of these is a measure, whatever word stands before it.
MEASURES = frozenset(
    """
    % kg kilo kilos g grams gram gramm mg t tons tonnes l litre litres liter liters litros ml cl cm mm m metre metres
    meter meters metros mètres km miles mile feet foot ft inch inches degrees degree grad grados degrés bar volt volts
    watt watts kw kwh amp amps mbit gb mb tb percent prozent
    """.split()
)
# How many days: words for it.
UNITS = """
    0.0007 minute minutes min mins minuten minuto minutos 分钟 分間
    0.0417 hour hours hrs stunde stunden hora horas heure heures 小时 時間
    1 day days tag tage tagen día días jour jours 天 日 日間
    7 week weeks woche wochen semana semanas semaine semaines 周 星期 週 週間
    14 fortnight fortnights
    30.4 month months monat monate monaten mes meses mois 个月 か月 ヶ月 ヵ月
    91.3 quarter quarters quartal trimestre trimestres
    365 year years yr yrs winter winters summer summers jahr jahre jahren año años an ans année années 年 年間
"""
RHYTHMS = """
    1 daily täglich diario diaria diariamente quotidien quotidienne
    7 weekly wöchentlich semanal semanalmente hebdomadaire
    14 fortnightly biweekly quincenal
    30.4 monthly monatlich mensual mensualmente mensuel mensuelle
    91.3 quarterly vierteljährlich trimestral trimestriel trimestrielle
    182.5 half-yearly halbjährlich semestral semestriel semestrielle
    365 yearly annual annually jährlich anual anualmente annuel annuelle annuellement
    730 biennial bienal biennal
"""
SPOKEN = """
    0.5 half_a half_an ein_halbes medio media un_demi une_demi 半
    1 a an one ein eine einem einen einer un una une uno 一
"""
ORDINALS = """
    2 other second zweite zweites zweiten
    3 third dritte drittes dritten
"""
TIMES = """
    1 once einmal una_vez une_fois
    2 twice zweimal
    3 thrice dreimal
"""


def _table(rows: str) -> dict[str, float]:
    split = (row.split() for row in rows.strip().splitlines())
    return {word.replace("_", " "): float(value) for value, *words in split for word in words}


def _any(words: dict[str, float]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


ARTICLES = frozenset("a an ein eine einem einen einer un una une".split())
UNIT_OF, RHYTHM_OF, TIMES_OF, SPOKEN_OF, NTH_OF = map(_table, (UNITS, RHYTHMS, TIMES, SPOKEN, ORDINALS))
COUNT_OF = {**{word: float(n) for word, n in NUMBERS.items()}, **SPOKEN_OF}
B = r"(?<![^\W_\u3040-\u9fff])"  # a word's beginning, and its end; scripts without blanks have none
E = r"(?![^\W\d_\u3040-\u9fff])"
N = rf"(?:\d+(?:[.,]\d+)?|{_any(COUNT_OF)}(?:-(?:{_any(COUNT_OF)}))?)"
COUNT = rf"(?P<n>{B}(?<![-.,/:]){N}(?![-.,/:]\d))"
UNIT = rf"(?P<unit>{_any(UNIT_OF)}){E}"
EVERY = rf"(?:{B}(?:every|each|alle|jede[nmsr]?|cada|(?:tous|toutes) les|chaque)\s|每隔?|毎)"
PER = r"(?:\s(?:an?|per|each|every|im|pro|in der|am|al|por|a la|par)\s|/)"
OFTEN = (
    rf"{EVERY}(?:(?:{COUNT}|(?P<nth>{_any(NTH_OF)}))\s?)?{UNIT}",
    rf"{B}(?:(?P<once>{_any(TIMES_OF)})|{COUNT}\s?(?:times?|mal|veces|fois)){PER}{UNIT}",
    rf"(?:{COUNT}[- ]?)?(?P<adjective>{_any(RHYTHM_OF)})(?!\w)",
    rf"{COUNT}?(?P<unit>年|个月|か月|ヶ月|周|週間?|天|日)(?:[にへ]|[\u3400-\u9fff]{{1,3}}?)?(?P<times>{N})[次回度]",
    rf"{COUNT}(?P<unit>年|个月|か月|ヶ月|周|週間?|天|日)ごと",
)
FOR = rf"{B}(?:for|within|least|lasts?|takes?|another|für|binnen|por|durante|pendant|sous|dans)\s\Z"  # before "a week"
LASTS = (rf"{COUNT}[-\s]?(?:working |business )?{UNIT}",)
SIGN = r"[€£$¥]"
PRICE = rf"{SIGN}\s?(?P<n>\d+(?:[.,]\d+)*)"
COUNTED = rf"{COUNT}\s?(?P<what>%|{SIGN}|[^\W\d_]+)?"
MONEYS = r"[€£$¥]|pounds?|quid|euros?|dollars?|bucks|francs?|franken|yen|yuan|libras?|dólar(?:es)?|元|円|块"
MONTH = rf"(?P<month>{dates.MONTH})"
DATED = (
    rf"{B}(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s(?:of |de )?{MONTH}\b",
    rf"{B}{MONTH}\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:])",
    r"(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号號]",
)
CLOCKS = (
    rf"{B}(?P<h>\d{{1,2}}):(?P<m>\d\d)(?:\s?(?P<half>[ap])\.?m)?",
    rf"{B}(?P<h>\d{{1,2}})(?:[.h](?P<m>\d\d))?\s?(?P<half>[ap])\.?m\b",
    rf"{B}(?P<h>\d{{1,2}})(?:[.h](?P<m>\d\d))?\s?(?:uhr|heures)\b",
    rf"{B}(?P<h>\d{{1,2}})\s?[点點時时](?:(?P<m>\d\d)分)?(?!間)",
)
YEARS = (r"(?<![\d.,€£$])(?:1[89]|20)\d\d(?![\d.,:]*\d)",)
DUTIES = (
    r"\b(?:no (?:obligation|need|duty)|(?:do|does|did)(?:n't| not) (?:have|need) to|needn't|need not"
    r"|(?:not|isn't|aren't) (?:required|obliged|liable|necessary|needed|mandatory|compulsory)|exempt(?:ed)?|optional"
    r"|voluntary|(?:muss|müssen|musst|brauchst?|brauchen) (?:\w+ ){0,3}nicht|nicht (?:verpflichtet|nötig)|befreit"
    r"|keine (?:pflicht|verpflichtung)|freiwillig|no (?:teng[oa]|tienen?) que|no hace falta|no hay que"
    r"|no (?:hay|teng[oa]|tiene) (?:ninguna )?obligación|exent[oa]s?|voluntari[oa]|pas besoin"
    r"|pas (?:obligé|obligatoire)\w*|aucune obligation|exemptée?s?|dispensée?s?|facultati(?:f|ve)s?)\b"
    r"|不用|不必|无需|没有义务|不需要|必要(?:は)?な[いく]|義務はな",
    r"\b(?:ha(?:ve|s|d) to|must(?!n)|needs? to|(?:is|are|am|be|being|i'm) (?:required|obliged|liable)|obligatory"
    r"|mandatory|compulsory|muss|müssen|musst|verpflichtet|pflicht|teng[oa] que|tienen? que|hay que|obligatori[oa]"
    r"|obligad[oa]s?|(?:doi[st]|doivent) \w+(?:er|ir|re|oir)|il faut|obligatoires?|obligée?s?)\b"
    r"|必须|必須|有义务|なければなら|義務があ",
)
LEAVES = (
    r"\b(?:(?:not|isn't|aren't|never) (?:allowed|permitted|safe to)|must(?:n't| not)|forbidden|banned|prohibited"
    r"|off limits|nicht erlaubt|verboten|(?:darf|dürfen) (?:\w+ ){0,3}(?:nicht|kein\w*)|prohibid[oa]s?|no se puede"
    r"|no está permitido|interdite?s?|défendue?s?|pas (?:permis|autorisé)\w*)\b|禁止|不许|不可以|てはいけない",
    r"\b(?:(?:is|are|am|'re|'m) (?:allowed|permitted|fine to|safe to)|darf|dürfen|erlaubt|se puede|está permitido"
    r"|on peut|est (?:permis|autorisé)e?)\b|可以|允许|てもいい|てよい",
)
WHO = r"(?P<who>[^\W\d_][\w'-]*)"
THE = r"(?:the |our |my |der |die |das |dem |den |des |el |la |los |las |le |les |l'|un |a )?"
OWNERS = (
    rf"\b{WHO} owns\b",
    rf"\b(?:owned by|belongs? to|property of) {THE}{WHO}",
    rf"\bgehör(?:t|en) {THE}{WHO}",
    rf"\bpertenecen? (?:al |a ){THE}{WHO}",
    rf"\bappartien(?:t|nent) (?:à |aux? ){THE}{WHO}",
    r"属于(?P<who>[\u3400-\u9fff]{2,3})",
)
BEARERS = (
    rf"\b(?:down to|up to|falls? (?:on|to)|lies with|(?:paid|borne|covered) by|responsibility of) {THE}{WHO}",
    rf"\b{WHO} (?:pays|covers|has to pay|must pay|is (?:responsible|liable)|zahlt|bezahlt|übernimmt|trägt|paga|paie)\b",
    rf"\b(?:sache|aufgabe|zu lasten) (?:des|der|von) {THE}{WHO}",
    rf"\b(?:a cargo|por cuenta) del? {THE}{WHO}",
    rf"\bà la charge (?:du |de ){THE}{WHO}",
    r"由(?P<who>[\u3400-\u9fff]{2,3})(?:负责|承担|支付)",
)
