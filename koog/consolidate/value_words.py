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
PERCENT = frozenset("% percent prozent".split())
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
MINUS = r"(?<![\w.,)])[-−](?P<n>\d+(?:[.,]\d+)?)(?![\w-])"  # degrees below nothing
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
    rf"(?:\bowner(?: is|:| =)|, owner) {THE}{WHO}",
)
BEARERS = (
    rf"\b(?:down to|up to|falls? (?:on|to)|lies with|(?:paid|borne|covered) by|responsibility of) {THE}{WHO}",
    rf"\b{WHO} (?:pays|covers|has to pay|must pay|is (?:responsible|liable)|zahlt|bezahlt|übernimmt|trägt|paga|paie)\b",
    rf"\b(?:sache|aufgabe|zu lasten) (?:des|der|von) {THE}{WHO}",
    rf"\b(?:a cargo|por cuenta) del? {THE}{WHO}",
    rf"\bà la charge (?:du |de ){THE}{WHO}",
    r"由(?P<who>[\u3400-\u9fff]{2,3})(?:负责|承担|支付)",
    rf"\b(?:is|that's|it's) {THE}{WHO} (?:job|duty|responsibility|business)\b",
)
ORIGINS = (
    rf"\b(?:comes?|came|is|are|was|it's|that's|hails) (?:out of|from) {THE}(?:[^\W\d_]+ in )?{WHO}",
    rf"\b(?:made|built|manufactured|produced|born|bred|brewed) in {THE}{WHO}",
    rf"\bplace of birth:? {WHO}",
    rf"\b(?:kommt|kommen|stammt|stammen|kam|kamen|ist|sind) (?:[^\W_]+ ){{0,2}}aus {THE}{WHO}",
    rf"\b(?:hergestellt|gebaut|geboren|gefertigt) in {WHO}",
    rf"\bin {WHO} (?:hergestellt|gebaut|geboren|gefertigt)\b",
    rf"\b(?:viene|vienen|vino|procede|proceden) del? {THE}{WHO}",
    rf"\b(?:hech[oa]s?|fabricad[oa]s?|nacid[oa]s?|nació) en {WHO}",
    rf"\b(?:vient|viennent|venait|provient|proviennent) (?:de |du |des |d'){THE}{WHO}",
    rf"\b(?:fabriquée?s?|construite?s?|née?s?) (?:en |à |au ){WHO}",
    r"(?:来自|产自|产于|出生于|生于)(?P<who>[\u3400-\u9fff]{2,4})",
    r"(?P<who>[\u30a0-\u30ff\u3400-\u9fff]{2,6})(?:産|製|生まれ|出身)",
)

NOT = r"(?:\b(?:not|never|nicht|nie|noch nicht|no|nunca|pas|jamais)|n't)\s(?:[^\W_]+\s)?\Z"  # before what it denies
# Two states of which a thing is in one. "no" is looked for first: what is overdue is not paid.
STATES = {
    "test": {
        "no": r"\b(?:failed|durchgefallen|suspendid[oa]|suspendió|recalée?s?|échoué)\b|不合格|没通过|不通过",
        "yes": r"\b(?:passed|bestanden|aprobad[oa]s?|aprobó|superó|réussie?s?|reçue?s?)\b|合格|通过",
    },
    "hire": {
        "no": r"\b(?:rent(?:ed|al)|(?:a|on) hire|hired|leased|on loan|borrowed|gemietet|geleast|geliehen|leihweise"
        r"|alquilad[oa]s?|de alquiler|prestad[oa]s?|louée?s?|en location|empruntée?s?)\b|租的|借的|レンタル|借り",
        "yes": r"\b(?:owned|bought|purchased|gekauft|eigentum|comprad[oa]s?|en propiedad|achetée?s?|propriété)\b"
        r"|买的|買った|購入",
    },
    "done": {
        "no": r"\b(?:outstanding|overdue|unpaid|missing|is blank|nothing (?:noted|entered)|not yet"
        r"|still (?:due|owing|open|to come)|ausstehend"
        r"|steht noch aus|überfällig|unbezahlt|fehlt noch|pendientes?|sin pagar|falta|impayée?s?|en attente"
        r"|manquante?s?)\b"
        r"|还没|未付|未打|未済|未払",
        "yes": r"\b(?:(?:had|got) (?:both|all|every|the full)|all (?:done|paid|settled)|paid(?: in full| up)?|settled"
        r"|complete|erledigt|bezahlt|geimpft|vollständig|pagad[oa]s?|complet[oa]s?|todas? puestas?|réglée?s?"
        r"|payée?s?|à jour)\b|打完|付清|付了|済み",
    },
    "price": {
        "no": r"\b(?:not included|excluded|costs? extra|zuzüglich|nicht (?:inbegriffen|enthalten)|no incluid[oa]s?"
        r"|aparte|non compris(?:es?)?|en sus)\b|不含|另付|別料金",
        "yes": r"\b(?:included|inclusive|inbegriffen|inklusive|enthalten|incluid[oa]s?|compris(?:es?)?)\b|包含|込み",
    },
    "safe": {
        "no": r"\b(?:unsafe|dangerous|toxic|poisonous|unfit|giftig|gefährlich|venenos[oa]s?|tóxic[oa]s?|peligros[oa]s?"
        r"|toxiques?|dangereu(?:x|se|ses))\b|有毒|危险|危険",
        "yes": r"\b(?:safe|harmless|non-toxic|fit for|ungiftig|unbedenklich|ungefährlich|inofensiv[oa]s?|segur[oa] para"
        r"|inoffensi(?:f|ve)s?|sans danger)\b|无毒|安全",
    },
    "real": {
        "no": r"\b(?:a copy|replica|reproduction|fake|forgery|kopie|fälschung|nachbau|copia|réplica|falso|copie"
        r"|réplique)\b|复制品|假的|偽物|複製",
        "yes": r"\b(?:an? original|the original|genuine|authentic|ein original|echt|auténtic[oa]|original"
        r"|authentique)\b|真品|原作|本物",
    },
}
MATERIALS = """
    oak eiche eichenholz roble chêne 橡木 オーク
    pine kiefer pino pin 松木
    spruce fichte abeto épicéa 云杉
    fir tanne
    beech buche haya hêtre
    ash esche fresno frêne
    alder erle aliso aulne
    birch birke abedul bouleau
    maple ahorn arce érable 枫木
    walnut nussbaum nogal noyer 胡桃木
    cherry kirschbaum cerezo merisier
    mahogany mahagoni caoba acajou 桃花心木
    teak teca teck 柚木
    cedar zeder cedro cèdre
    larch lärche alerce mélèze
    chestnut kastanie castaño châtaignier
    plywood sperrholz contrachapado contreplaqué
    steel stahl acero acier 钢 鋼
    iron eisen hierro fer 铁 鉄
    copper kupfer cobre cuivre 铜 銅
    brass messing latón laiton 黄铜 真鍮
    bronze bronce 青铜
    aluminium aluminum aluminio 铝 アルミ
    lead blei plomo plomb 铅 鉛
    zinc zink
    tin zinn estaño étain
    silver silber plata argent 银 銀
    gold oro or 金
    leather leder cuero cuir 皮革 革
    wool wolle lana laine 羊毛
    cotton baumwolle algodón coton 棉 綿
    linen leinen lino lin 亚麻
    silk seide seda soie 丝绸 絹
    polyester poliéster
    slate schiefer pizarra ardoise
    granite granit granito 花岗岩
    marble marmor mármol marbre 大理石
    limestone kalkstein caliza calcaire
    sandstone sandstein arenisca grès
    concrete beton hormigón béton 混凝土 コンクリート
    brick ziegel ladrillo brique 砖
    plastic kunststoff plastik plástico plastique 塑料
    asbestos asbest amianto amiante 石棉
"""
MATERIAL_OF = {word: row.split()[0] for row in MATERIALS.strip().splitlines() for word in row.split()}
MADE_OF = (
    r"(?:\b(?:is|are|was|were|ist|sind|war|es|son|era|est|sont|était|of|aus|de|en|solid|sheet|massiv)|['’]s)\s"
    r"(?:(?:all|solid|pure|real|cast|made|of|aus|de|en|just|only|massive[rsmn]?|reine[rsmn]?) ){0,3}"
    rf"(?P<material>{_any(dict.fromkeys(MATERIAL_OF, 0.0))}){E}"
)
