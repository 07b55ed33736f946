"""What somebody has one of at a time, as a line tells it: a home, a workplace, a number, a mail address.

    told        a line → the slots that it fills, each with its value
    is_another  whether a value is another one than that which stood there
    are_apart   whether two lines give one of these of the same person two values

A line that fills a slot anew ("Ana moved to Braga") takes back what stood there ("Ana lives in Porto"), though the two
have no word in common but the name. Six languages. Pure.
"""

from __future__ import annotations

import re
from itertools import takewhile

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.says import MAYBE, NAME, says
from koog.core.text.signs import may_be_wide

HOME, WORK, NUMBER, MAIL = "home", "work", "number", "mail"
NEW, HOLDS = True, False
PART = r"[^\W\d_a-zß-öø-ÿ][\w’'&-]*"
NAMED = rf"(?P<value>{PART}(?: (?:(?:de|del|da|do|la|le|am|an der|of) )?{PART})*)"
DIGITS = r"(?P<value>\+?\(?\d[\d ()/.-]{5,}\d)"
ADDRESS = r"(?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
EAST = r"(?P<value>[\u3400-\u9fff\u30a0-\u30ff]{2,8}?)"
ENDS = r"(?=[了的]|\W|\Z)"
OBJECT = r"(?:the|an?|our|my|his|her|its|it|this|that|these|those|all)\b"  # then something else was moved
FEW = r"(?:\s+[\w’'-]+){0,3}?\s+"  # words between
# What one starts at a workplace, and when: of anything else that is started with somebody nothing is told of his work.
A_JOB = (
    r"(?:(?:a|the|my|his|her|their)\s+(?:new\s+|first\s+)?(?:job|position|role|post|internship|apprenticeship)"
    r"|working|(?:to\s+)?work|as\s+an?(?:\s+[\w-]+){1,2})"
)
A_TIME = r"(?:again|today|yesterday|just|now|recently|(?:on|in|last|this)\s+\w+)"
WAS = r"\b(?:was|were|is|am|been|got|gets|['’]m|['’]s)"

# A slot, whether a change is told, a beginning of a word without which it is not looked for; what stands before the
# value, the value, what stands behind it.
ROWS = (
    (HOME, NEW, "moved relocated", rf"\b(?:moved|relocated)(?!\s+{OBJECT}){FEW}(?:to|into)\s+(?:the\s+)?", NAMED, ""),
    (HOME, NEW, "gezogen", r"\bnach\s+", NAMED, rf"{FEW[:-3]}\s+(?:um)?gezogen\b"),
    (HOME, NEW, "zog ", rf"\bzog{FEW}nach\s+", NAMED, ""),
    (HOME, NEW, "mud", rf"\b(?:se|me|nos)\s(?:ha\s|he\s|hemos\s)?mud(?:é|ó|ado|aron|amos){FEW}a\s+", NAMED, ""),
    (HOME, NEW, "déménag", rf"\bdéménagé{FEW}(?:à|au|en)\s+", NAMED, ""),
    (HOME, NEW, "搬", "搬(?:家)?(?:到|去|至)了?", EAST, ENDS),
    (HOME, NEW, "引 移住 転居", "", EAST, "[にへ](?:引っ越し|引越し?|移住し|転居し)(?:た|ました)"),
    (HOME, HOLDS, "liv resid based", rf"\b(?:lives?|living|resides?|based){FEW}(?:in|at)\s+(?:the\s+)?", NAMED, ""),
    (HOME, HOLDS, "wohn leb", rf"\b(?:wohn|leb)(?:t|e|en){FEW}in\s+", NAMED, ""),
    (HOME, HOLDS, "viv", rf"\bviv(?:e|o|en|imos){FEW}en\s+", NAMED, ""),
    (HOME, HOLDS, "habit vit", rf"\b(?:habit(?:e|ent|ons)|vit){FEW}(?:à|au|en)\s+", NAMED, ""),
    (HOME, HOLDS, "住在", "住在", EAST, ENDS),
    (HOME, HOLDS, "住 暮", "", EAST, "に(?:住|暮ら)"),
    (WORK, NEW, "job", rf"\b(?:new|changed)\s+jobs?{FEW}(?:at|with)\s+", NAMED, ""),
    (WORK, NEW, "start", rf"\bstarted(?:\s+{A_JOB})?(?:\s+{A_TIME})?\s+at\s+(?:the\s+)?", NAMED, ""),
    (WORK, NEW, "start", rf"\bstarted\s+{A_JOB}\s+(?:with|for)\s+(?:the\s+)?", NAMED, ""),
    (WORK, NEW, "hired", rf"{WAS}\s+(?:\w+\s+)?hired(?:\s+as\s+an?(?:\s+[\w-]+){{1,2}})?\s+(?:at|by)\s+", NAMED, ""),
    (WORK, NEW, "joined", r"\bjoined\s+", NAMED, ""),
    (WORK, NEW, "gewechselt", r"\bzu\s+", NAMED, rf"{FEW[:-3]}\s+gewechselt\b"),
    (WORK, NEW, "angefangen", r"\bbei\s+(?:der\s+)?", NAMED, rf"{FEW[:-3]}\s+angefangen\b"),
    (WORK, NEW, "empez trabajo", rf"\b(?:(?:ha )?empez(?:ó|ado)|nuevo trabajo){FEW}en\s+", NAMED, ""),
    (WORK, NEW, "commencé nouve", rf"\b(?:commencé|nouveau travail|nouvel emploi){FEW}(?:chez|à)\s+", NAMED, ""),
    (WORK, NEW, "跳槽 入职", "(?:跳槽|入职)(?:到|去)?了?", EAST, ENDS),
    (WORK, NEW, "転職", "", EAST, "[にへ]転職"),
    (WORK, HOLDS, "work", rf"\b(?:works?|working){FEW}(?:at|for)\s+(?:the\s+)?", NAMED, ""),
    (WORK, HOLDS, "employ", rf"\bemployed{FEW}(?:at|for|with|by)\s+(?:the\s+)?", NAMED, ""),
    (WORK, HOLDS, " is a", r"\bis\s+an?(?:\s+[\w-]+){1,3}\s+at\s+(?:the\s+)?", NAMED, ""),
    (WORK, HOLDS, "arbeite", rf"\barbeite[tn]?{FEW}(?:bei(?:\s+der)?|beim|für)\s+", NAMED, ""),
    (WORK, HOLDS, "trabaj", rf"\btrabaja[ns]?{FEW}(?:en|para)\s+", NAMED, ""),
    (WORK, HOLDS, "travaill", rf"\btravaille(?:nt)?{FEW}(?:chez|pour|à)\s+", NAMED, ""),
    (WORK, HOLDS, "上班 工作", "在", EAST, "(?:上班|工作)"),
    (WORK, HOLDS, "働", "", EAST, "で働"),
    (NUMBER, HOLDS, "phone cell mobile number", r"\b(?:phone|cell|mobile|number)\b[^\n\d+;]{0,30}", DIGITS, ""),
    (NUMBER, HOLDS, "handy telefon nummer", r"(?:handy|telefon|nummer)\b[^\n\d+;]{0,30}", DIGITS, ""),
    (NUMBER, HOLDS, "fono móvil númer", r"\b(?:teléfono|móvil|número|numéro|téléphone)\b[^\n\d+;]{0,30}", DIGITS, ""),
    (NUMBER, HOLDS, "电话 手机 号码 電話 携帯", "(?:电话|手机|号码|電話|携帯)[^\n\\d+]{0,12}", DIGITS, ""),
    (MAIL, HOLDS, "@", "", ADDRESS, ""),
)  # fmt: skip
# What is called by a place and is none that somebody lives at: "Paris time", "Room Porto", "Frankfurt as AWS region".
NO_HOME_BEFORE = (
    r"(?i)\b(?:room|table|desk|seat|booth|hall|gate|platform|channel|server|raum|tisch|saal|zimmer|kanal|sala|mesa"
    r"|canal|salle|table|bureau|canal)\s+\Z"
)
NO_HOME = (
    r"(?i)\A(?:[’']s)?[\s-]+(?:(?:office )?hours|time ?zone|timezone|(?:standard |summer )?time|data ?cent(?:er|re)"
    r"|servers?|cluster|channel|zeit|zeitzone|raum)\b(?! ago)"
    r"|\A\s+(?:as|als|como|comme)\s[^.,;!?]{0,20}\b(?:region|time ?zone|data ?cent(?:er|re)|host|server|backup|failover"
    r"|venue|default|región|région)\b|\A(?:时间|时区|时|时間|時間|会议室)"
)
# For a while, or for what one does there: the home stays where it was.
A_WHILE = (
    r"(?i)\b(?:for|over|during)\s+(?:the|a|an|one|two|three|four|six|some|this|our|my|all|\d+)?\s*(?:\w+\s+)??(?:summer|winter"
    r"|spring|autumn|fall|season|holidays?|vacation|weekend|weeks?|months?|nights?|days?|while|semester|term"
    r"|time being|calls?|meetings?|stand-?ups?|sprints?|demos?|workshops?|conference|retro|chats?)\b"
    r"|\b(?:temporarily|vorübergehend|temporalmente|temporairement|provisoirement)\b"
    r"|\b(?:für|über)\s+(?:den|die|das|ein\w*|zwei|drei|\d+)\s+(?:sommer|winter|ferien|urlaub|woche\w*|wochenende|monat\w*"
    r"|semester|tage?|zeit|besprechung\w*|anrufe?)\b"
    r"|\b(?:para|durante|por)\s+(?:el|la|las|los|un|una|unos|unas|dos|tres|\d+)\s+(?:verano|invierno|vacaciones|temporada"
    r"|fin|semanas?|meses|mes|días?|reunion\w*|llamadas?)\b"
    r"|\b(?:pour|pendant)\s+(?:l[’']|les?|la|un|une|deux|trois|\d+)\s*(?:été|hiver|vacances|saison|week-end|semaines?|mois"
    r"|jours?|réunions?|appels?)\b|过(?:夏|冬|暑假|寒假)|暂时|临时|[一两二三四五六几]个?(?:月|周|星期|天)|の間(?:だけ)?|夏の間|一時的"
)
PLACED = (
    r"(?:San|Santa|Santo|São|Sankt|St\.?|Saint|Sainte|New|Los|Las|Le|La|Bad|Port|Porto|Puerto|Fort|Mount|Villa|Rio|Cape"
    r"|North|South|East|West|Nueva|Nuevo|Nouvelle|Upper|Lower) [^\W\d_]"
)
# In Chinese and Japanese, what is moved to and is no place: programs, floors, parts of a firm.
NO_PLACE = (
    r"(?:飞书|钉钉|微信|腾讯会议|语雀|石墨|スラック|ズーム|ノーション|チームズ)\Z"
    r"|(?:楼|层|室|群|系统|平台|软件|版|组|部门?|云|库|服务器|階|フロア|部署|会議室|チーム|クラウド|サーバー)\Z"
)
DREAM = (
    r"(?i)\b(?:dream(?:t|ed|s)?|imagined?|pretend(?:ed)?|geträumt|träumte?|soñ(?:é|ado|aba|ó)|sueño|rêv(?:é|ais|e)"
    r"|in (?:the|my) (?:game|novel|book|film|movie|story)|im (?:spiel|roman|film)|en (?:el juego|la novela)"
    r"|dans (?:le jeu|le roman))\b|梦见|梦到|夢"
)
# What is no employer: weather, a part of a book, somebody's home.
NO_WORK = (
    r"(?i)\A(?:chapter|part|lesson|level|unit|page|step|phase|section|kapitel|teil|lektion|seite|schritt|null|capítulo"
    r"|lección|parte|chapitre|leçon|partie|home|noon|midnight|regen|schnee|sonne|sonnenschein|wind|nebel|sturm|gewitter"
    r"|hitze|kälte|frost|licht|nacht|tag|tagesanbruch|sonnenaufgang|sonnenuntergang|dunkelheit|vollmond|mir|uns|ihm|ihr)\b"
)
# What is a thought or a wish, or denied: nothing has changed.
UNSURE = (
    r"(?i)\b(?:(?<!since )(?<!in )(?<!until )(?<!from )(?<!of )may"  # "since May" is a month
    r"|might|maybe|perhaps|would|could|should|wants?|thinks?|thinking|considers?|considering|plans?"
    r"|planning|hop(?:es?|ing)|almost|nearly|if"
    r"|vielleicht|überlegt|möchte|würde|könnte|falls|fast|quizás?|tal vez|quiere|quizá|casi|peut-être|veut|presque"
    r"|not|never|nicht|nie|nunca|jamais|used to|no longer|formerly|früher|ya no|antes|autrefois)\b|n[’']t\b"
    r"|\bn[’']\w+ plus\b|不再|以前|可能|也许|想要|打算|没有|如果|かも|たい|ない"
)
NOW = (
    r"(?i)\b(?:now|new|these days|since|from now on|jetzt|neue?[rns]?|nun|inzwischen|ahora|nuev[oa]|ya|maintenant"
    r"|nouve\w+|again|wieder|otra vez|de nuevo|(?:de|à) nouveau)\b|现在|如今|新|又|今は|新し|また"
)
CLAUSE = r"[.;!?。；！？，、]|,|\b(?:and|but|und|aber|y|pero|et|mais)\b"
OF = r"(?i)\b(?:of|von|van|de|del|du|di)\b|[的の]"  # "a friend of Ana": not Ana
SELF = "<self>"  # as says.py has "I" and "the user"
COLOUR = "colour"  # the name of a place may begin as that of one does: Rotterdam, Grünwald
LEAST = 2  # words of another clause that say another thing


class Told(NamedTuple):
    """A slot that a line fills.

    start     where in the line the words begin that tell it
    is_new    it was another before
    is_alone  the line says no more than this
    """

    slot: str
    value: str
    start: int
    is_new: bool
    is_alone: bool


def told(text: str) -> list[Told]:
    """Return the slots that a line fills.

    >>> [(t.slot, t.value, t.is_new) for t in told("Ana moved to Braga last week")]
    [('home', 'Braga', True)]
    >>> told("Ana might have moved to Braga"), told("We moved the standup to 10:15")
    ([], [])
    """
    found, low = dict[str, Told](), text.lower()
    for slot, is_new, hints, before, value, after in ROWS:
        if slot in found or not any(hint in low for hint in hints.split(" ") if hint):
            continue
        match = compiled(f"(?i:{before}){value}(?i:{after})").search(text)
        if match is None or says(match["value"]).kinds.keys() - {COLOUR}:  # a day, a month
            continue
        if (slot == HOME and not _is_home(text, match)) or (slot == WORK and compiled(NO_WORK).match(match["value"])):
            continue
        clause = _clause(text, match.start(), match.end("value"))
        if not compiled(UNSURE).search(clause):
            is_change = is_new or compiled(NOW).search(clause) is not None
            found[slot] = Told(slot, match["value"], match.start(), is_change, _is_alone(text, clause))
    return list(found.values())


def _is_home(text: str, match: re.Match[str]) -> bool:
    """Return whether somebody may live at what a line calls his home, and not only for a while or in a dream.

    >>> told("We moved to Paris time"), told("I moved to Room Porto"), told("I dreamt we moved to Paris")
    ([], [], [])
    """
    start, end = match.span("value")
    value = match["value"]
    first = value.partition(" ")[0] + " "
    sentence = compiled(r"\. |。").split(text[: match.start()])[-1] + _clause(text, match.start(), end)
    return not (
        compiled(NO_HOME_BEFORE).search(text, 0, start)
        or (" " in value and compiled(NO_HOME_BEFORE).search(first))
        or compiled(NO_HOME).match(text[end:])
        or compiled(A_WHILE).search(sentence if may_be_wide(text) else _clause(text, match.start(), end))
        or compiled(DREAM).search(sentence)
    )


def is_placed(value: str) -> bool:
    """Return whether a name begins as only that of a place does, or, in a wide script, ends as no other thing's.

    >>> is_placed("San José"), is_placed("New York"), is_placed("Zoom")
    (True, True, False)
    """
    if may_be_wide(value):
        return compiled(NO_PLACE).search(value) is None
    return compiled(PLACED).match(value) is not None


def is_another(value: str, other: str, *, slot: str = "") -> bool:
    """Return whether a value is another one, and not the same said more or less fully.

    slot   which they fill: a home is said more fully behind its name alone

    >>> is_another("Porto", "Porto Campanhã"), is_another("Porto", "Braga"), is_another("Studio Nine", "Nine")
    (False, True, False)
    >>> is_another("New York", "York", slot=HOME), is_another("Porto", "Porto Campanhã", slot=HOME)
    (True, False)
    """
    if slot == HOME and not may_be_wide(f"{value}{other}"):
        fewer, more = sorted((compiled(r"\w+").findall(each.casefold()) for each in (value, other)), key=len)
        return more[: len(fewer)] != fewer
    one, two = (_bare(each) for each in (value, other))
    return one not in two and two not in one


def are_apart(one: str, other: str, *, of: tuple[str, str] = ("", "")) -> bool:
    """Return whether two lines give the same person, or thing, another home, workplace, number or address.

    of   whom each is about, where it does not name anybody

    >>> are_apart("Ana works at Lumen", "Ana works at Nine"), are_apart("Ana lives in Rome", "Bob lives in Pisa")
    (True, False)
    >>> are_apart("Lives in Rome", "Ana moved to Pisa", of=("Ana", ""))
    True
    """
    there = {each.slot: each for each in told(one)}
    for each in told(other) if there else ():
        was = there.get(each.slot)
        if was and is_another(was.value, each.value, slot=each.slot):
            return _is_one(_whose(one, was, of[0]), _whose(other, each, of[1]))
    return False


class _Who(NamedTuple):
    words: frozenset[str]
    names: frozenset[str]  # of the words, those that are names or may be


def _whose(text: str, told: Told, default: str) -> _Who:
    """Return whose slot it is: the words before it, or the name that these end with."""
    before = text[_clause_start(text, told.start) : told.start]
    found = says(before if says(before).ideas else text[: told.start])
    if not found.ideas:
        found = says(default)
    names = found.names | found.maybe
    last = list(
        takewhile(lambda pair: pair[1] in (NAME, MAYBE), zip(found.words[::-1], found.marks[::-1], strict=True))
    )
    if last and not compiled(OF).search(before):
        names = frozenset(word for word, _ in last)
        return _Who(names, names)
    return _Who(found.ideas or frozenset({SELF}), names)


def _is_one(a: _Who, b: _Who) -> bool:
    """Return whether two are the same, one of them perhaps with more of the name: "Ana", "Ana Ruiz"."""
    fewer, more = sorted((a, b), key=lambda each: len(each.words))
    return fewer.words <= more.words and more.words - fewer.words <= more.names


def _bare(value: str) -> str:
    return "".join(compiled(r"\w+").findall(value)).casefold().lstrip("0")


def _clause(text: str, start: int, end: int) -> str:
    """Return the clause around a place in a text."""
    last = compiled(CLAUSE).search(text, end)
    return text[_clause_start(text, start) : last.start() if last else len(text)]


def _clause_start(text: str, at: int) -> int:
    return max((found.end() for found in compiled(CLAUSE).finditer(text, 0, at)), default=0)


def _is_alone(text: str, clause: str) -> bool:
    rest = text.replace(clause, ",", 1)
    return all(len(compiled(r"\w+").findall(part)) < LEAST for part in compiled(CLAUSE).split(rest))
