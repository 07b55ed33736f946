"""Whose word a line is, where its beginning says so: "Mum: we live in Leeds", "[Tom] I'm late", "@kim: call me". Pure.

Also what a person's relatives are called, and titles, which nobody gives himself. Six languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

KIN = (
    r"(?:(?:step|grand|great[- ]grand)?(?:mother|father|son|daughter|ma|pa)(?:[- ]in[- ]law)?|mum|mom|mumm?y|mommy"
    r"|dad|daddy|sister(?:[- ]in[- ]law)?|brother(?:[- ]in[- ]law)?|wife|husband|partner|boyfriend|girlfriend"
    r"|fianc[ée]e?|uncle|aunt(?:ie|y)?|gran(?:ny|dad|d?pa)?|nan(?:a|ny)?|cousin|niece|nephew|boss|manager|colleague"
    r"|neighbou?r|landlord|landlady|friend|mate|roommate|flatmate|teacher|doctor|kid|child|baby|twin"
    r"|(?:schwieger|groß|stief)?(?:mutter|vater|sohn|tochter)|mama|mutti|papa|vati|schwester|bruder|schwägerin"
    r"|schwager|frau|mann|partnerin|freund(?:in)?|oma|opa|onkel|tante|cousine|nichte|neffe|chef(?:in)?|kolleg(?:e|in)"
    r"|nachbar(?:in)?|vermieter(?:in)?|mitbewohner(?:in)?|kind"
    r"|madre|mamá|padre|papá|hij[oa]|herman[oa]|mujer|espos[oa]|marido|pareja|novi[oa]|abuel[oa]|tí[oa]|prim[oa]"
    r"|sobrin[oa]|suegr[oa]|cuñad[oa]|jef[ea]|vecin[oa]|amig[oa]|compañer[oa]"
    r"|mère|maman|père|fils|fille|sœur|soeur|frère|femme|mari|copain|copine|compagn(?:e|on)|oncle|mamie|papi|papy"
    r"|grand[- ](?:mère|père)|beau[- ](?:père|frère)|belle[- ](?:mère|sœur)|nièce|neveu|patronn?e?|cheffe|collègue"
    r"|voisine?|amie?)"
)
HIS_EN = r"(?:my|our|the|his|her|their|mein(?:e|er)?|unser(?:e|er)?|der|die|mi|nuestr[oa]|la|el|mon|ma|notre|le|l['’])"
EAST_KIN = (
    r"(?:妈妈?|爸爸?|母亲|父亲|姐姐?|妹妹?|哥哥?|弟弟?|老婆|老公|妻子|丈夫|太太|先生|儿子|女儿|孩子|爷爷|奶奶|外公|外婆|姥姥|叔叔|阿姨|舅舅"
    r"|姑姑|老板|经理|同事|邻居|朋友|室友|房东|医生|老师|お?(?:母|父|姉|妹|兄|弟)(?:さん)?|妻|夫|旦那|息子|娘|祖母|祖父|叔父|叔母|社長|上司"
    r"|部長|課長|同僚|友達|友人|彼女|彼氏?|彼|她|他)"
)
RELATIVE = rf"(?:{HIS_EN}\s*)?(?:\w+ )?{KIN}|(?:我们?的?|他的?|她的?|咱|(?:私|僕|俺|うち)の)?{EAST_KIN}"
HIS_RELATIVE = (
    rf"\b(?:my|our|mein(?:e|er)?|unser(?:e|er)?|mis?|nuestr[oa]s?|mon|ma|notre) (?:\w+ )?{KIN}\b|我们?的?{EAST_KIN}"
    rf"|(?:{EAST_KIN}|\w{{1,6}}(?:さん|くん|ちゃん|様))[はが、]"
)
AT = r"\s*(?:[-*•>]\s+)?(?:[\[(]?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?[\])]?[\s,:–-]*)?"
WHO = r"\**(?P<{}>[^\W\d_][^:：<>\[\](){{}}@\n]{{0,40}}?)\**"
MARKS = (
    r"<(?P<f>\w[\w.-]*)>",
    rf"[\[<]{WHO.format('a')}[\]>]\s*[:：]?",
    rf"{WHO.format('b')}\s*>\s",
    rf"{WHO.format('c')}\s*(?:\([^)]*\))?\s*[:：]",
    rf"{WHO.format('d')}\s+[-–—]\s",
    r"@(?P<e>\w[\w.-]*)\s*[:：]",
)
LINE = rf"{AT}(?:{'|'.join(MARKS)})\**\s*(?P<said>\S.*)"
SIGNS, REACH = frozenset(":：]>-–—@"), 60  # one of these stands that near to the beginning of such a line
# One word with a capital before a colon that is no name: what follows is a note of some sort, or the speaker's own.
NOTES = (
    r"(?:notes?|nb|ps|fyi|btw|update|reminder|remember|correction|edit|news|home|house|address|location|identity|facts?"
    r"|context|background|intro|about|bio|also|so|ok(?:ay)?|todo|info|important|please|name|job|work|now|today|actually"
    r"|me|myself|i|user|human|q|a|notiz|hinweis|merke?|wichtig|achtung|nachtrag|korrektur|neu|wohnort|wohnung|adresse"
    r"|zuhause|ich|nutzer|jetzt|heute|nota|aviso|ojo|importante|recuerda|recordatorio|actualización|corrección|casa"
    r"|dirección|medication|meds|diagnosis|diet|allergy|allergies|health|nationality|backend|frontend|editor|git|phone"
    r"|birthday|languages?|diagnose|ernährung|diät|allergien?|gesundheit|rückmeldung|telefon|geburtstag|sprachen?"
    r"|diagnóstico|dieta|alergias?|salud|teléfono|cumpleaños|diagnostic|régime|santé|téléphone|timezone|wohnung|logement|yo|usuario|ahora|hoy|remarque|rappel|attention|moi|utilisateur|maison|maintenant)"
)
# What stands in angle brackets or behind "@" and is nobody who says something: markup, the user, who is spoken to.
NOBODY = (
    r"(?:user|human|me|context|note|quote|private|system|assistant|agent|bot|claude|codex|koog|chatgpt|copilot|gemini"
    r"|all|here|channel|everyone|[abiu]|p|br|div|span|em|strong|code|pre|ul|ol|li|t[dhr]|h[1-6])"
)
WORD = r"[A-ZÀ-Þ][a-zß-ÿ'’-]+"
EAST_NAME = r"[\u3400-\u9fff々ヶ]{2,4}|[\u30a0-\u30ff・]{2,12}"
EAST_NOTES = (
    r"备注|注意|更新|补充|提醒|记住|住址|地址|用户|追記|住所|補足|訂正|連絡先|自己紹介|自我介绍|介绍|重要"
    r"|现在|今天|現在|今日|饮食|住处|住まい"
)
TITLES = frozenset(
    "dr dra prof professor professora mr mrs ms mx miss sir madam dame herr hr frau fräulein señor señora señorita sr "
    "sra srta monsieur madame mademoiselle mme mlle docteur doctor doktor rev reverend pastor pater".split()
)
EAST_TITLE = r"(?:先生|女士|小姐|医生|醫生|大夫|老师|老師|师傅|经理|教授|博士|さん|くん|ちゃん|様|氏|部長|課長|社長)"


class Spoken(NamedTuple):
    """Who says something, as the line has it, and what."""

    who: str
    said: str


def spoken(text: str, people: Iterable[str] = ()) -> Spoken | None:
    """Return who says what a line says, None where its beginning names nobody.

    people   names of people in it

    >>> spoken("Mum: we live in Leeds now"), spoken("Tom - I'm late", ["Tom"]), spoken("Note: I live in Leeds")
    (Spoken(who='Mum', said='we live in Leeds now'), Spoken(who='Tom', said="I'm late"), None)
    """
    if (found := _marked(text)) is None:
        return None
    if nick := found["e"] or found["f"]:
        is_nobody = compiled(NOBODY, re.IGNORECASE).fullmatch(nick) is not None
        return None if is_nobody else Spoken(nick, found["said"])
    who = _who(found)
    if compiled(NOTES, re.IGNORECASE).fullmatch(who):  # whatever it looks like
        return None
    is_one = who in set(people) or compiled(RELATIVE, re.IGNORECASE).fullmatch(who) is not None
    return Spoken(who, found["said"]) if is_one else None


def label(text: str) -> str:
    """Return the one word before a line's first colon, where it has the form of a name and is no note's; "" for none.

    >>> label("Claire : j'habite à Nice"), label("Update: we moved"), label("To my boss: I moved")
    ('Claire', '', '')
    """
    found = _marked(text)
    who = _who(found) if found and found["c"] else ""
    form, notes = (EAST_NAME, EAST_NOTES) if compiled(EAST_NAME).fullmatch(who) else (WORD, rf"{NOTES}\Z")
    is_name = compiled(form).fullmatch(who) and not compiled(notes, re.IGNORECASE).match(who)
    return who if is_name else ""


def _marked(text: str) -> re.Match[str] | None:
    """Return the beginning of a line that has the form of a speaker's."""
    if SIGNS.isdisjoint(text[:REACH]):
        return None
    return compiled(LINE, re.IGNORECASE | re.DOTALL).match(text)


def _who(found: re.Match[str]) -> str:
    return next(filter(None, found.group("a", "b", "c", "d")), "").strip(" *")


def is_titled(name: str, before: str = "") -> bool:
    """Return whether a name has a title, as a person has it in others' mouths. before: what stands before it in a text

    >>> is_titled("Dr. Meier"), is_titled("王医生"), is_titled("Meier", "I saw Dr. "), is_titled("Drew Meier")
    (True, True, True, False)
    """
    return bool(title(name, before)) or compiled(EAST_TITLE + r"\Z").search(name) is not None


def title(name: str, before: str = "") -> str:
    """Return the title that begins a name or stands right before it, in small letters, "" for none.

    >>> title("Dr. Meier"), title("Meier", "with Frau "), title("Miss"), title("Miss", "no ")
    ('dr', 'frau', '', '')
    """
    first, _, rest = name.partition(" ")
    last = compiled(r"(\w+)\.?\s+\Z").search(before[-REACH:])
    found = (first.rstrip(".") if rest else "", last[1] if last else "")
    return next((each.casefold() for each in found if each.casefold() in TITLES), "")
