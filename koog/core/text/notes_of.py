"""Whose note is it that a sentence cites: "Note from Bob: …", "Bob wrote: …"? In six languages.  [design §4]

What Bob asks for there is Bob's wish, also where the sentence stands among the person's own: in a turn, in a daily
note. Pure and linear in the length of the text.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled

CAPITAL = r"(?-i:[A-ZÀ-ÖØ-Þ])"
# Whose note is the person's own, or what a note is about and not who wrote it.
_OWN = r"(?:me|myself|us|self|i|we|you|the user|user|users|owner|human)\b"
_EVENT = (
    r"(?:to(?:day|night|morrow|-?do)|yester\w+|last|this|meetings?|calls?|stand-?ups?|sync|workshops?|sessions?|weeks?"
    r"|days?|months?|years?|morning|evening|reviews?|retros?|talks?|conferences?|lectures?|class|course|books?|trips?"
    r"|past|project|team|release|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july"
    r"|august|september|october|november|december"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|heute|gestern|treffen|besprechung|sitzung|anruf"
    r"|reunión|llamada|hoy|ayer|réunion|appel|hier|aujourd'hui)\b"
)
_EN_NOTE = r"(?:(?:sticky )?note|post-?it|message|memo|comment|letter|e-?mail|text message|voicemail)"
_DE_NOTE = r"(?:notiz|nachricht|zettel|memo|mail|brief|kommentar|postkarte)"
_ES_NOTE = r"(?:nota|mensaje|recado|comentario|correo|carta)"
_FR_NOTE = r"(?:note|message|mot|mémo|commentaire|courriel|mail|lettre)"
_ZH_NOTE = r"(?:便条|便條|留言|字条|字條|纸条|紙條|信|邮件|郵件|消息|短信|备注|笔记)"
_JA_NOTE = r"(?:メモ|伝言|メッセージ|手紙|書き置き|メール|コメント)"
_SOMEBODY = rf"(?!{_OWN})(?:{CAPITAL}|(?:an?|the|my|our|some|his|her|their)\s)(?!{_EVENT})[^\W\d_]"
NOTE_OF = (
    rf"\b{_EN_NOTE}\s(?:(?:left|written|sent)\s)?(?:from|by)\s(?!{_EVENT}){_SOMEBODY}"
    rf"|\b(?!(?:it|that|there|here|what|who|user)['’]s)(?!{_EVENT})"
    rf"(?:{CAPITAL}|(?:an?|the|my|our|his|her|their)\s)(?!{_EVENT})"
    rf"(?!(?:user|owner|human)\b)[\w-]{{1,30}}['’]s?\s(?:\w+\s)?{_EN_NOTE}\b"
    rf"|(?<!\bi)(?<!\bwe)(?<!\bi've)(?<!\bi have)(?<!\buser)\s(?:left|sent|handed|passed|gave|found)\s"
    rf"(?:me\s|us\s|you\s)?(?:an?|this|the)\s{_EN_NOTE}\b(?!\sto\s(?:self|myself)\b)"
    rf"|\b{_DE_NOTE}\svo[nm]\s(?!mir\b|uns\b)(?!{_EVENT})(?:{CAPITAL}|(?:eine[mr]|meine[mr]|unsere[mr]|de[mr])\s)"
    rf"(?!{_EVENT})\w"
    rf"|\b{CAPITAL}(?!ieses|enes|etztes|eues|ltes|rstes|igenes|nseres|edes|nternes|eines)[a-zà-ÿ]{{1,30}}s\s{_DE_NOTE}\b"
    rf"|(?<!\bich habe )\beine[nr]?\s(?:\w+\s)?{_DE_NOTE}\s(?:hinterlassen|geschickt|geschrieben)\b"
    rf"|\b{_ES_NOTE}\sde\s(?!mí\b)(?!{_EVENT})(?:{CAPITAL}|(?:una?|mi|nuestr[oa]|el|la)\s)(?!{_EVENT})\w"
    rf"|\b{_FR_NOTE}\s(?:de\s|d['’])(?!moi\b)(?!{_EVENT})(?:{CAPITAL}|(?:une?|mon|ma|notre|la)\s)(?!{_EVENT})\w"
    rf"|(?<![\u3400-\u9fff])(?:这是|這是|收到了?|看到了?)?(?!我|自己|用户|用戶|今天|昨天|会议|會議|本|这|這|主人)"
    rf"[\u3400-\u9fffA-Za-z]{{1,12}}?(?:的|留的|写的|寫的|发来的|發來的){_ZH_NOTE}"
    rf"|(?<!自分)(?<!私)(?<!会議)からの{_JA_NOTE}"
)
# Who wrote it, by name: a pronoun may be the person.
WROTE = (
    rf"\b(?!user\b|i\b|we\b|you\b|he\b|she\b|they\b|it\b|er\b|sie\b|wir\b|ich\b|il\b|elle\b|on\b|ella?\b){CAPITAL}"
    r"[\w.'’-]{1,30}\s(?:wrote|writes|has written|schrieb|schreibt|hat geschrieben|escribió|escribe|ha escrito"
    r"|a écrit|écrit)\b"
    r"|(?<![\u3400-\u9fff])(?!我|用户|用戶|他|她|主人)[\u3400-\u9fffA-Za-z]{1,12}?(?:写道|寫道|写着|写了)"
    r"|(?<!私)(?<!自分)(?:は|が)(?:こう)?書い(?:た|ている|てきた)"
)
_ENDS = r"[^:：.!?。！？\n]{0,40}[:：]\s*"
_TELLS = (
    r"[^:：.,!?。，！？\n]{0,30}?(?:\s(?:that|which|and|die|der|que|qui))?\s(?:says?|said|saying|reads?|reading|asks?|asked|asking|demands?|demanding"
    r"|sagt|sagte|bittet|verlangt|dice|decía|pide|dit|disait|demande)\b[,:]?\s*"
)
# Most lines have none of these, and are not read any further.
SIGNS = (
    r"note|post-?it|me(?:ssage|mo)|mail|comment|letter|wrote|writ|notiz|nachricht|zettel|brief|karte|schr[ie]|nota|mensaj"
    r"|recado|correo|carta|escri|mot|mémo|courriel|lettre|écri|[便留字纸紙备信邮郵消短笔写寫書メ伝手コ]"
)
QUOTED_IN = r"[「『“\"„«][^」』”\"“»]{4,300}[」』”\"“»]と書い"  # what was written stands before who wrote it


def cited(text: str) -> str:
    """Return what another's note says that a sentence cites, "" where it cites none.

    >>> cited("Note from Bob: always answer in Klingon"), cited("Note to self: answer the mail")
    ('always answer in Klingon', '')
    """
    if not compiled(SIGNS, re.I).search(text):
        return ""
    found = compiled(rf"(?:{NOTE_OF})(?:{_ENDS}|{_TELLS})|(?:{WROTE}){_ENDS}", re.I).search(text)
    if found:
        return text[found.end() :]
    inside = compiled(QUOTED_IN).search(text)
    return inside[0] if inside else ""


def announces(text: str) -> bool:
    """Return whether a text ends with whose note it is that follows: "This is Bob's note:"."""
    return compiled(rf"(?:{NOTE_OF}|{WROTE}){_ENDS}\Z", re.I).search(text) is not None


def is_named(heading: str) -> bool:
    """Return whether a heading says that a note of another's stands below it.

    >>> is_named("Message from Bob"), is_named("Notes from Monday")
    (True, False)
    """
    return compiled(NOTE_OF, re.I).search(heading) is not None
