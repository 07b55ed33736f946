"""The words by which the built-in synthesis tells a claim from a report, and advice from either.  [sinain §4.7]

Data only, plain strings as in `signal_cues`.
"""

from __future__ import annotations

from koog.core.text import dates
from koog.core.text.measures import stems

# Somebody says that a failure will not come back; not that he wishes so.
CLAIM = (
    r"(?i)\b(?:gone(?! (?:to|for|through|up|down|over|from))|went away|fixed(?! (?:time|point|price|size|rate|date|in "
    r"advance)s?)|solved|resolved|cured|sorted out|no longer (?:fail|crash|happen|hang|break|leak)\w*"
    r"|no (?:\S+ ){1,3}since|works? again|(?:is|are|now) in place|in place$|for good$)\b"
)
WISHED = (
    r"(?i)\b(?:not|never|n['’]t|wants?|needs?|must|should|could|will|to be|until|unless|if|deadline|due|plan\w*|hopes?"
    r"|try|trying|why|how)\b[^.;]{0,40}\b(?:gone|fixed|solved|resolved|in place|sorted out)\b|\bfix (?:planned|needs)\b"
)
BECAUSE = r"(?i)\b(?:because|since (?!the\b|then|\d)|so that|due to|caused by|comes? from|which is why|without which)\b"
CLOCK = r"(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])"
CLOCK_WORDS = {
    r"(?i)\b(?:noon|midday|mittags?|mediodía|midi)\b|中午|正午": "12:00",
    r"(?i)\b(?:midnight|mitternacht|medianoche|minuit)\b|午夜|真夜中": "00:00",
}
FINE = r"(?i)\b(?:fine|succe\w+|pass(?:es|ed)|green|works|worked|ran through|went through|ok)\b"
# What runs by itself, as against what somebody noticed at that hour.
SCHEDULED = (
    r"(?i)\b(?:starts?|runs?|begins?|is seeded|cron|schedul\w+|timer|every (?:night|day|morning|\w+day)|nightly"
    r"|imports?|exports?|backups?|sync)\b"
)

# "never X", "no longer likes X", "I don't want X": X, up to the words that only say where and when.
DENIAL = (
    r"(?i)\b(?:never|no longer|(?:do|does)(?:n['’]t| not))\s(?:(?:wants?|likes?|needs?|uses?|runs?|have)\s)?(?:to\s)?"
    r"(?!know|think|mind|worry|forget|feel|believe|care|understand|want|like)"
    r"(?P<what>[^\s,.;:()—]+(?:\s[^\s,.;:()—]+){0,2}?)"
    r"(?=\s(?:on|in|at|for|from|before|after|as|when|without|to|until|again|any|because|since)\b|[,.;:()—\"”]|$)"
)
ADOPTED = (
    r"(?i)\b(?:changed (?:his|her|my|our|their) minds?|after all|installed|adopted|switched|moved to|started using"
    r"|uses|using|signed up|bought)\b"
)
FORBIDS = (
    r"(?i)\b(?:no|never|not|don['’]t|free of|without)\b[^.;:]{0,60}"
    rf"\b(?P<day>{dates.WEEKDAY}|weekend)s?\b"
)
WISH = (
    r"(?i)\b(?:wants?|wish(?:es)?|hopes?|would (?:love|like|rather)|dream\w*|goal|passionate|interested in"
    r"|can['’]t wait|thinking (?:of|about)|considering|plann?(?:s|ed|ing)?)\b"
)
DONE = (
    r"(?i)\b(?:finished|done|completed?|merged|shipped|released|delivered|submitted|sent|paid|booked|bought|ready|went"
    r"|fixed|solved|renewed|rotated|labell?ed|has (?:it|the|them)|confirmed|cancel\w+|dropped|erledigt|fertig"
    r"|gesendet|geschickt|verschickt|bezahlt|abgegeben"
    r"|hech[oa]|terminad[oa]|enviad[oa]|pagad[oa]|entregad[oa]|listo|faite?|terminée?|envoyée?|payée?|livrée?)\b"
    r"|\b(?:(?:has|have|got) (?:his|her|their|its|my|your|our)|(?:hat|haben) (?:die|das|den|es|sie|ihn|seine?n?"
    r"|ihre?n?)(?= \w+$| \w+[.,;])|g(?:ing|ehen)[^.;,]{1,60}(?: raus|$)"
    r"|ya tiene\w* (?:su|el|la|los|las)|(?:est|sont) (?:bien )?partie?s?|a reçu|ont reçu|en ligne|mis(?:e"
    r"|es)? en ligne|publicad[oa]|desplegad[oa]s?"
    r"|out (?:the door|already|last night|yesterday))\b"
    r"|\[x\]|完成|已发给|已交|发给了|顺利|已发|发了|已付|搞定|済み|送っ|終わっ"
)
BEFORE = r"(?i),|;| (?:before|because|so that|so|since|vor|weil|damit|antes|para que|avant|pour que) "
# Somebody gave his word to somebody else.
PROMISE = (
    r"(?i)\b(?:promised|(?:i|we)(?:['’]ll| will) (?:send|get|give|bring|call|write|forward|share|deliver|let)|(?:she"
    r"|he|they|you)(?:['’]ll| will) (?:get|have)|(?:she|he|they) gets? (?:it|them|this|that)|(?:told"
    r"|said to) .{2,40} (?:we|i)(?:['’]ll| will| would)"
    r"|owe[sd]? (?:him|her|them|you|\w+) (?:a|an|the)|(?:habe?|hat) .{0,40}(?:versprochen|zugesagt)|versprach|zugesagt"
    r"|prometí|prometido|he quedado en|quedé en|promis|promete\w*|je (?:lui|leur|vous) envoie)\b"
    r"|答应|承诺|约好|約束"
)
# What has a day of its own that others come to.
EVENT = (
    r"(?i)\b(?:demo|review|tender|visit|showing|call|revisión|visita|remise|revue|audit|deadline|release|launch|exam"
    r"|meeting|presentation|workshop|interview|appointment|flight"
    r"|go-live|inspection|hand-?over"
    r"|kick-?off|wedding|termin|abgabe|prüfung|vorführung|präsentation|besprechung|frist|übergabe|reunión|entrega"
    r"|examen|auditoría|plazo|cita|vuelo"
    r"|réunion|livraison|soutenance|échéance|rendez-vous|examen|démo)\b|演示|会议|审计|截止|考试|评审|会議|納期|締切"
    r"|試験|打ち合わせ|デモ|監査"
)
MOVED = (
    r"(?i)\b(?:moved|postponed|rescheduled|pushed back|brought forward|cancel\w+|instead of|now on|verschoben"
    r"|verlegt|abgesagt|vorgezogen|statt"
    r"|pas(?:ó|aron) .{2,40} al? |aplazad[oa]|pospuest[oa]|adelantad[oa]|cancelad[oa]|reportée?|déplacée?|avancée?"
    r"|annulée?|au lieu)\b|推迟"
    r"|改到|提前|取消|延期|変更|中止"
)
# A weekday, also a short one, and a time of day: others come then, whatever it is called.
SHORT_DAY = r"(?:Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun|Mo|Di|Mi|Do|Fr|Sa|So)\.?"
HOUR_OF_DAY = (
    r"(?:um |at |a las |à |ab )?(?:(?:[01]?\d|2[0-3])[:.h][0-5]\d"
    r"|(?:[01]?\d|2[0-3]) ?(?:Uhr|h\b|o['’]clock|am\b|pm\b)|noon|midday)"
)
AT_HOUR = rf"\b(?:(?i:{dates.WEEKDAY})|{SHORT_DAY}),? {HOUR_OF_DAY}"
ON_WEEKDAY = (
    rf"\b(?P<day>(?i:{dates.WEEKDAY})\b(?!['’]s)|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?=(?:s|rs?|\.)?,? {HOUR_OF_DAY}))"
)
# The day that it was on before.
NO_MORE_ON = (
    r"(?i)\b(?:instead of|not|from|statt|nicht|en vez de|en lugar de|au lieu d[eu'’]|von|del?|du)\s+(?:the |am |on )?$"
)
CALENDAR = frozenset(stems(" ".join((*dates.WEEKDAYS, *dates.MONTHS))))
UNITS = frozenset(
    """
    kb mb gb tb kib mib gib ms km kg cm mm px min sec utc ios android mac linux windows web app api ui ux url ci cd pr
    prs http https json html css sql xml pdf csv id ids ok tv usa uk eu cpu gpu ram ssd usb wifi wi-fi e2e ai mp
    """.split()
)
# What every report of a failure says: sharing these is no subject in common.
COMMON = frozenset(
    stems(
        """
        fail failed failure error errors crash again time times same first second third minute minutes hour hours day
        days week month today tonight cause fix fixed gone solved since start stop stopped one two three new old still
        red green work works working happen back place problem issue user now
        """
    )
)
