"""What of a turn is not its speaker's own word: drafts, pages, quotations, machine output.  [design §4 "one reading"]

Signs that hold in six languages. Pure and linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from koog.core.lazy_regex import compiled
from koog.core.text import directives, kinds, notes_of
from koog.core.text.markdown import Piece

MOST = 300  # characters of a row that are looked at
PASTED_CHARS = 1500  # of a turn: what is longer and announced as somebody else's is so to its end

# A row that a program has printed.
MACHINE = (
    r"(?:[{}\])|<$]|\[\s*[{\"'\[\]]|\"[^\"]{1,60}\"\s*:|(?:at|in)\s\S+[(:]\S*\d|File\s\"|Traceback\b|[-+]{3}\s|@@\s"
    r"|\S+\.\w+:\d+(?::\d+)?[:\s]|(?=[~\s]*\^)[\^~\s]+$"
    r"|(?:npm|yarn|pip|error|fatal|warning|debug|info|warn)(?:\s\w+)?[!:]\s?[\[\S]"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\s+\[?[A-Z]{4,5}\b|[✓✔✗✘√×⎿●]\s?|HEARTBEAT_OK|NO_REPLY"
    r"|[^|]*(?<=\s)\|\s[^|]*(?<=\s)\|\s|(?:export\s)?[A-Z][A-Z0-9_]{2,}=\S"
    r"|(?:sudo|git|npm|npx|pip|cd|ls|docker|kubectl|make(?!\s(?:it|that|this|sure)\b)|cargo|curl|uv)\s[\w./-]+(?:\s\S+)?\s*$)"
)
BRACKETED = r"\[(?!redacted:)\w+:[^\]]*\]?"  # [tool: …] is a command to a program, not a word to anybody
# A wish for a text that is not the speaker's statement: somebody is to write a mail, a post, a reply.
TEXT = (
    r"(?:e-?mails?|mail|messages?|letters?|repl(?:y|ies)|answer|posts?|tweet|announcement|note to|text to|invitation"
    r"|notice|blurb|caption|headline|press release|release notes?|poem|story|speech|slogan|ad|"
    r"nachricht|brief|antwort|ankündigung|einladung|beitrag|gedicht|rede|anzeige|aushang|mensaje|correo|carta|respuesta"
    r"|anuncio|aviso|cartel|affiche|invitación|poema|discurso|courriel|lettre|réponse|annonce|invitation|poème|discours)"
)
DRAFT = (
    rf"\bdraft (?:a|an|the|me|us|my|our|some|it)\b|\b(?:write|compose|word|phrase|rephrase|reply|answer|translate"
    rf"|proofread)\b.{{0,60}}?\b(?:{TEXT}\b|(?:to|for) \w+.{{0,30}}\b(?:saying|that says)|saying\b|that says\b)"
    rf"|\bsay something like\b|\b(?:schreib\w*|formulier\w*|entwirf|verfass\w*|übersetz\w*)\b.{{0,60}}?\b{TEXT}\b"
    rf"|\b(?:escrib\w*|redact\w*|traduc\w*)\b.{{0,60}}?\b{TEXT}\b|\b(?:écri[st]\w*|rédige\w*"
    rf"|tradui\w*)\b.{{0,60}}?\b{TEXT}\b"
    r"|(?:写|起草|拟|翻译).{0,20}?(?:邮件|信|消息|通知|回复|公告|文案|稿)|(?:メール|手紙|返信|お知らせ|文面|投稿"
    r"|メッセージ).{0,20}?(?:書い|作っ|下書き|訳し)"
)
# A text that is handed over to be worked on, or that was wished for: what follows the colon is neither's own word.
HANDED = (
    r"(?:\b(?:translate|proofread|summari[sz]e|rephrase|reword|paraphrase|übersetz\w*|korrigier\w*|umformulier\w*"
    r"|formulier\w* um|tradu[cz]\w{1,4}|trad[uú]ce\w*|reformul\w*|tradui\w*)\b|翻译|翻成|译成|润色|校对|訳し|校正し)"
    r"[^.!?。！？:：]{0,60}[:：]"
)
A_DRAFT = r"\W{0,3}(?:[^.!?:：]{0,20}\s)?(?:draft|entwurf|borrador|brouillon|草稿|下書き)(?:\s[^.!?:：]{1,40})?\s?[:：]"
# How a letter begins.
SALUTATION = (
    r"(?:subject|betreff|asunto|objet|主题|件名)\s?[:：]|(?:dear|hi|hello|hey|liebe[rs]?|sehr geehrte\w*|hallo"
    r"|guten tag"
    r"|querid[oa]s?|estimad[oa]s?|hola|cher|chère|chers|bonjour|madame|monsieur)\b[^.!?:]{0,60},\s*$"
    r"|(?:尊敬的|亲爱的)\w{1,20}[:：，,]|\w{1,20}(?:様|各位)[、,]?\s*$|(?:拝啓|お世話になって)"
)
# Announced as somebody else's: it says, they wrote, from their page; what follows the colon is theirs.
ANNOUNCED = (
    r"(?:\b(?:say|says|said|states?|reads?|wrote|writes|claims?|tells? (?:me|us)|quote[sd]?|paste[ds]?|copied|kopiert"
    r"|copiado|copié|(?:from|aus|von|de|du)(?: the| dem)? (?:slack|whatsapp|telegram|chat)"
    r"|schreibt|schrieb|sagt|steht|heißt es|meldet|dice|dijo|escribe|escribió|pone|dit|écrit|a écrit)\b"
    r"|(?P<source>\b(?:page|article|docs?|documentation|readme|website|manual|mail|email|support|newsletter|draft"
    r"|output|log|error message|transcript|seite|artikel|anleitung|entwurf|página|artículo|manual|borrador|page"
    r"|brouillon|courriel)\b)"
    r"|复制|聊天记录|说|写道|写着|原文|上写|页面|文档|邮件|草稿|書いて|と言|原文|ページ|下書き|メール)[^:：.!?]{0,40}[:：]\s*"
)
# What stands before a source that only names what the speaker's own words are about: "for the docs: always …".
ABOUT = (
    r"\b(?:for|about|on|of|regarding|re|für|über|zu[mr]?|bezüglich|para|sobre|pour|sur|concernant)"
    r"(?:\s(?:the|our|my|all|every|any|die|der|das|den|dem|unsere?n?|el|la|los|las|le|les|nuestr\w+|notre|nos))?"
    r"(?:\s[\w-]+)?\s*\Z"
)
# What somebody else thinks that one should do.
THINKS = (
    r"(?:\b(?:thinks|reckons|believes|suggests|suggested)\b[^.!?]{0,30}?\b(?:we|one|you|people|i)\b[^.!?]{0,12}?"
    r"\b(?:should|must|ought|have to|need)|(?<!\bich )\b(?:meint|meinte|findet|glaubt)\b[^.!?]{0,40}?"
    r"\b(?:wir|man|ich|ihr|du)\b[^.!?]{0,30}?\b(?:soll|müss|muss|dürf|darf)|\b(?:opina|cree|piensa)\sque\b"
    r"[^.!?]{0,20}?\b(?:hay que|habría que|debe|debería|tenemos que|tendríamos)|(?<!\bje )(?<!\bon )"
    r"\b(?:pense|trouve|estime|croit)\sq[^.!?]{0,20}?\b(?:fau|doit|dev[ro])"
    r"|(?<![我们])(?:觉得|认为)[^。！？]{0,12}?(?:应该|必须|该|不要)|べきだ?と(?:言って|思って)(?:いる|いた|る|た))"
)
QUOTE = r"(?<!\w)[\"“„«「『‹](?=\S)[^\"”“»」』›]{12,1500}+(?<=\S)[\"”“»」』›](?!\w)"
QUOTED_MOST = 0.5  # of a sentence: more of it in quotation marks, and it is another's


def written(text: str) -> str:
    """Return a text whose rows that a program has printed are empty."""
    return "\n".join("" if compiled(MACHINE, re.I).match(row.strip()[:MOST]) else row for row in text.split("\n"))


def asks_for_draft(text: str) -> bool:
    """Return whether a sentence wishes for a text: what it says of it is the text's, not the speaker's."""
    wish = compiled(rf"{DRAFT}|{HANDED}", re.I).search(text)
    return wish is not None and not kinds.is_standing(text[: wish.end()])  # "never write a mail without …" is a rule


def own(pieces: Sequence[Piece], *, chars: int, is_drafting: bool = False) -> Iterator[tuple[Piece, bool]]:
    """Yield the pieces of one turn that are words, each with whether they are its speaker's own.

    is_drafting   the turn before has asked for a text: this one holds it
    """
    theirs, line, is_announced = is_drafting, 0, False
    for piece in pieces:
        if theirs and chars <= PASTED_CHARS and not (is_drafting or is_announced) and piece.line > line + 1:
            theirs = False  # a blank row lies between; one behind the colon that announces it ends nothing
        line = piece.line
        if piece.kind in ("code", "table", "head"):
            is_announced = False  # this is what was announced, or a section of its own
            continue
        theirs = theirs or compiled(SALUTATION, re.I).match(piece.text) is not None
        yield piece, not theirs and piece.kind != "quote"
        is_announced = announces(piece.text)
        theirs = theirs or is_announced


def announces(text: str) -> bool:
    """Return whether what follows a text is said to be another's, or was handed over to be worked on.

    >>> announces("The docs say: "), announces("For the docs: "), announces("Translate this: ")
    (True, False, True)
    """
    return bool(_announced(text, r"\Z") or _handed(text)) or notes_of.announces(text)


def quoted(text: str) -> list[tuple[int, int]]:
    """Return the parts of a piece that stand in quotation marks or were handed over, over sentences, too."""
    handed = _handed(text)
    return [mark.span() for mark in compiled(QUOTE).finditer(text)] + [(mark.start(), len(text)) for mark in handed]


def _handed(text: str) -> list[re.Match[str]]:
    found = (compiled(HANDED, re.I).search(text), compiled(A_DRAFT, re.I).match(text))
    return [mark for mark in found if mark]


def is_within(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether most of what stands between two places lies in one of some parts."""
    shared = max((min(end, last) - max(start, first) for first, last in spans), default=0)
    return shared > QUOTED_MOST * (end - start)


def is_anothers(sentence: str) -> bool:
    """Return whether a sentence is said to be somebody else's: what follows the colon is his, or what he thinks."""
    if compiled(rf"{directives.HEARSAY}|{THINKS}", re.I).search(sentence) or notes_of.cited(sentence):
        return True
    announced = _announced(sentence, r"(?=[\"“„«「'*_]?\w)")
    if announced is None or (announced["source"] and not compiled(r"\w").search(sentence[: announced.start()])):
        return False  # "Website: we are closed" has a label
    return announced.start() <= len(sentence) / 2 and len(sentence) - announced.end() > 12


def _announced(text: str, behind: str) -> re.Match[str] | None:
    """Return what announces another's words; a source that the speaker only speaks about does not."""
    found = compiled(ANNOUNCED + behind, re.I).finditer(text)
    about = compiled(ABOUT, re.I)
    return next((mark for mark in found if not (mark["source"] and about.search(text[: mark.start()]))), None)
