"""Who and what a sentence names: the entities that are known, and those that look like one. Pure.  [moltbot §8.2]

A name is known by its capital where a language has capitals and the word is none that begins a sentence or a German
noun; by quotation marks or ticks; by how a product is spelled (GitHub, k8s, Next.js); or by what stands before it: "my
sister Ana", "project Atlas", "人名さん". What it is, those words tell as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from koog.core.lazy_regex import compiled
from koog.sessions.person import is_ordinary

PERSON, PROJECT, CONCEPT, TOOL, PLACE, ORGANIZATION = "person", "project", "concept", "tool", "place", "organization"
LETTER = r"[^\W\d_]"
UPPER = r"[A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĢĪĮİĶŁŃŇŐŒŘŚŞŠŤŪŮŰŲŹŻŽА-Я]"
WORD = rf"{LETTER}[\w'’.+#/-]*[\w+#]|{LETTER}"
# Capitalised words that follow one another, with the small ones that names have inside.
INNER = r"(?:de|del|da|do|dos|di|la|van|von|der|den|of|y|&)"
RUN = (
    rf"\b{UPPER}[\w'’+#-]*(?:\.\w+)*"
    rf"(?: (?:{INNER} ){{0,2}}{UPPER}[\w'’+#-]*(?:\.\w+)*| \d+(?:\.\d+)*\b)*"
)
SPELLED = (
    r"\b(?=\w*[a-z])(?=\w*[A-Z]\w*[A-Z]|\w*[a-z]\w*[A-Z]|\w*[A-Za-z]\d|\w*\d[A-Za-z])[A-Za-z][A-Za-z0-9]+"
    r"(?:[.-][A-Za-z0-9]+)*\b|\b[A-Z]{2,}[A-Z0-9-]*\b|\b\w+\.(?:js|py|io|ai|rs)\b"
)
TICKED = r"`([^`\n]{2,40})`|[“„«「『]([^”“»」』\n]{2,40})[”“»」』]|\"([^\"\n]{2,40})\""
KIN = (
    r"wife|husband|partner|fianc[ée]e?|girlfriend|boyfriend|son|daughter|kid|child|baby|brother|sister|mother|mom|mum|"
    r"father|dad|aunt|uncle|cousin|niece|nephew|grand(?:ma|pa|mother|father|son|daughter)|friend|neighbou?r|colleague|"
    r"coworker|boss|manager|mentor|teacher|coach|dentist|doctor|dr\.?|mr\.?|mrs\.?|ms\.?|prof\.?|lawyer|accountant|"
    r"designer|developer|engineer|intern|client|landlord|roommate|flatmate|therapist|vet|babysitter|"
    r"frau|mann|sohn|tochter|bruder|schwester|mutter|vater|mama|papa|oma|opa|tante|onkel|freund(?:in)?|kolleg(?:e|in)|"
    r"chef(?:in)?|nachbar(?:in)?|herr|cousine?|"
    r"esposa|esposo|mujer|marido|hij[oa]|herman[oa]|madre|padre|mamá|papá|tí[oa]|prim[oa]|amig[oa]|jef[ea]|vecin[oa]|"
    r"compañer[oa]|señora?|doña|don|abuel[oa]|"
    r"femme|mari|fils|fille|frère|s(?:œ|oe)ur|mère|père|maman|tante|oncle|ami[e]?|collègue|voisine?|monsieur|madame|"
    r"mme|m\."
)
BEFORE = {
    PERSON: rf"(?i:\b(?:{KIN}),?|\b(?:with|met|called|ask|tell|told|from|mit|con|avec))\s+\Z",
    PROJECT: (
        r"(?i:\b(?:project|repo(?:sitory)?|app|codebase|projekt|proyecto|projet|service|product|codename[d]?))\s+"
        r"(?:called\s+|namens\s+|llamad[oa]\s+)?\W?\Z"
    ),
    PLACE: (r"(?i:\b(?:in|at|to|near|from|nach|aus|bei|en|a|à|au|desde|hacia|live[sd]? in|moved to|based in))\s+\Z"),
    TOOL: (
        r"(?i:\b(?:use|uses|using|with|via|on|mit|nutz\w+|benutz\w+|verwend\w+|usa\w*|utilis\w+|run|runs|"
        r"migrat\w+ to|switch\w* to|deploy\w* (?:to|on)))\s+\Z"
    ),
}
AFTER = {
    PERSON: (
        r"(?i)\A(?:'s|’s)?\s+(?:is (?:my|our|the)|(?:my|our) |who|said|says|told|wants?|likes?|prefers?|works?|lives?|"
        r"asked|called|joined|left|will|hates?|loves?|owns?|handles?|leads?|reviews?|signed|approved|and I\b|"
        r"ist (?:mein|unser|die|der)|sagt|wohnt|arbeitet|mag|hat|kommt|es (?:mi|nuestr|la|el)|dice|vive|trabaja|"
        r"est (?:mon|ma|notre|la|le)|habite|travaille|dit)"
    ),
    PROJECT: r"(?i)\A\s+(?:project|repo|app|codebase|launch|release|projekt|migration)\b",
    ORGANIZATION: r"(?i)\A,?\s+(?:Inc|GmbH|Ltd|LLC|Corp|S\.?A|AG|Co)\b",
    TOOL: r"(?i)\A\s+(?:version|v\d|server|cluster|database|plugin|library|SDK|API|CLI)\b",
}
IN_NAME = {
    ORGANIZATION: (
        r"(?i)\b(?:GmbH|Inc|Ltd|LLC|Corp|University|Universität|Universidad|Bank|School|Hospital|Clinic|Verein)\b"
    ),
    PLACE: (
        r"(?i)\b(?:Street|Straße|Road|Avenue|Park|Platz|Square|Lake|Airport|Station|Hotel|Beach|Island)\b"
        r"|stra(?:ße|sse)\Z"
    ),
}
EASTERN = (
    r"(?P<p>[\u3040-\u30ff\u4e00-\u9fff]{1,4}?)(?:さん|くん|ちゃん|先生|部長|課長)"
    r"|(?:妻子?|老婆|丈夫|老公|儿子|女儿|姐姐|妹妹|哥哥|弟弟|妈妈|爸爸|同事|朋友|老板|经理|医生|老师"
    r"|妻の|夫の|息子の|娘の|同僚の|友人の|上司の|部下の)"
    r"(?:叫|是)?(?P<q>[\u4e00-\u9fff\u30a0-\u30ff]{2,4}?)(?=[\W是在的说喜住对はがのをにと]|\Z)"
)
NOT_NAMES = frozenset(
    """
    i i'm i've i'll i'd the a an my our your his her their it its we he she they this that these those there here what
    when where who why how if and or but so then also please note remember important fyi always never don't do not no yes
    ok okay hi hey hello thanks thank just for from to in on at by with of as is are was were be been has have had will
    can could should would may might must let let's new old first last next monday tuesday wednesday thursday friday
    saturday sunday january february march april may june july august september october november december today
    tomorrow yesterday am pm utc gmt cet api url http https json yaml html css sql pdf csv todo fyi btw asap eta pr prs
    ci cd qa ui ux id ids ip ssh vpn usb tv ceo cto cfo hr faq mr mrs ms dr montag dienstag mittwoch donnerstag freitag
    samstag sonntag januar februar märz mai juni juli oktober dezember ich wir du sie er es der die das ein eine mein
    meine unser unsere bitte merk merke wichtig immer nie nicht lunes martes miércoles jueves viernes sábado domingo el
    la los las un una mi mis yo nosotros recuerda importante siempre nunca no le les un une je nous mon ma mes notre
    souviens rappelle important toujours jamais ne lundi mardi mercredi jeudi vendredi samedi dimanche english german
    spanish french chinese japanese deutsch englisch español inglés français anglais europe
    """.split()
)


FULL_NAME = (2, 3)  # words of a first and a last name


class Mention(NamedTuple):
    """A name in a text. kind: what it is by the words around it, "" where they do not tell; at: where it begins"""

    name: str
    kind: str
    at: int


def found(text: str, known: Iterable[str] = ()) -> list[Mention]:
    """Return what a text names, in its order, each once.

    known   names of entities that there are: found in any case

    >>> [(m.name, m.kind) for m in found("My sister Ana works on Project Atlas with Redis")]
    [('Ana', 'person'), ('Atlas', 'project'), ('Redis', 'tool')]
    """
    taken = bytearray(len(text) + 1)
    rows = list[Mention]()
    for name in sorted({name for name in known if len(name) > 1}, key=len, reverse=True):
        for match in _places(text, name):
            if compiled(rf"[ ]{UPPER}").match(text, match.end()) and " " not in name:
                continue  # "Ana Ruiz" is not the Ana that is known
            _take(rows, taken, text, match.start(), match.end())
    for match in compiled(EASTERN).finditer(text):
        group = "p" if match["p"] else "q"
        _take(rows, taken, text, *match.span(group), kind=PERSON)
    for match in compiled(TICKED).finditer(text):
        at = match.lastindex or 1
        if len(match[at].split()) <= 4:
            _take(rows, taken, text, *match.span(at))
    for pattern in (RUN, SPELLED):
        for match in compiled(pattern).finditer(text):
            start, end = _trimmed(text, *match.span())
            if start < end and not _is_ordinary(text, start, end):
                _take(rows, taken, text, start, end)
    longer = [row.name.casefold() for row in rows if " " in row.name]
    whole = [row for row in rows if not any(name.startswith(f"{row.name.casefold()} ") for name in longer)]
    return list({m.name.casefold(): m for m in sorted(whole, key=lambda m: -m.at)}.values())[::-1]


def _places(text: str, name: str) -> Iterable[re.Match[str]]:
    edge = r"(?<!\w){}(?!\w)" if name[0].isascii() and name[-1].isascii() else "{}"
    return compiled(edge.format(re.escape(name)), re.IGNORECASE).finditer(text)


def _take(rows: list[Mention], taken: bytearray, text: str, start: int, end: int, kind: str = "") -> None:
    if 1 in taken[start:end]:
        return
    taken[start:end] = b"\1" * (end - start)
    name = text[start:end].removesuffix("'s").removesuffix("’s")
    rows.append(Mention(name, kind or _kind(text, name, start, end), start))


def _kind(text: str, name: str, start: int, end: int) -> str:
    before, after = text[max(0, start - 40) : start], text[end : end + 30]
    for kind, pattern in IN_NAME.items():
        if compiled(pattern).search(name):
            return kind
    for kind in (PERSON, PROJECT, ORGANIZATION, TOOL):
        if kind in AFTER and compiled(AFTER[kind]).match(after):
            return kind
    if compiled(SPELLED).fullmatch(name):
        return TOOL
    for kind in (PROJECT, PERSON, TOOL, PLACE):
        if compiled(BEFORE[kind]).search(before):
            return kind
    words = name.split()
    is_full = len(words) in FULL_NAME and all(word.isalpha() and not is_ordinary(word.casefold()) for word in words)
    return PERSON if is_full and not name.isupper() else ""


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where a run of capitals begins and ends without the words in front that are no name."""
    while start < end:
        word = text[start:end].split(" ", 1)[0]
        bare = word.casefold().rstrip(".,'’")
        is_name = compiled(LETTER).search(word) and not {bare, bare.removesuffix("s")} & NOT_NAMES
        if is_name and bare not in _titles():
            break
        start += len(word) + 1
    return start, max(start, end)


@lru_cache(maxsize=1)
def _titles() -> frozenset[str]:
    return frozenset(KIN.replace("\\", "").replace("?", "").split("|")) | frozenset(
        ("project", "projekt", "proyecto", "projet")
    )


def _is_ordinary(text: str, start: int, end: int) -> bool:
    """Return whether a capital only begins a sentence, or stands before a German noun."""
    name = text[start:end]
    if " " in name or compiled(SPELLED).fullmatch(name) or any(c.isdigit() for c in name):
        return False
    before, after = text[max(0, start - 40) : start], text[end : end + 30]
    begins = not before.strip() or compiled(r"[.!?:;\n–—-]\W*\Z").search(before)
    if not begins and not _is_german(text):
        return False
    word = name.casefold().removesuffix("'s").removesuffix("’s")
    if compiled(AFTER[PERSON]).match(after) or compiled(BEFORE[PERSON]).search(before):
        return is_ordinary(word)
    return is_ordinary(word) or _is_german(text)


def _is_german(text: str) -> bool:
    from koog.core.text.says import NOUNS

    words = compiled(LETTER + "+").findall(text.lower())
    return sum(word in NOUNS for word in words) * 5 >= len(words)
