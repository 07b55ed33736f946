"""Which rows of a turn are a page, a letter or a chat that was pasted, or were passed on.  [design §4 "one reading"]

A page shows its furniture: a row to navigate by, a copyright line, when it was changed. A letter has headers, or begins
and ends as letters do. A chat says before each message who wrote it when. What was passed on is marked so, or speaks to
all AI assistants, which no person does to his own. Signs of six languages; what lies before the first sign's paragraph
is the speaker's own word, and what lies behind the last one's. Pure and linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from koog.core.lazy_regex import compiled

LEAST_ROWS = 3  # of a page: fewer are no paste
MOST = 300  # characters of a row that are looked at
SIGNED = 2  # rows behind a letter's close: who wrote it
# A row of short names between bars, dots or arrows.
NAVIGATES = r"\s*[^|·•›»]{1,24}(?:\s[|·•›»]\s?[^|·•›».!?。]{1,24}){2,}\s*\Z"
FOOT = (
    r"\s*(?:©|\(c\) (?:19|20)\d\d|copyright\b|all rights reserved|alle rechte vorbehalten"
    r"|todos los derechos|tous droits|版权所有|無断転載"
    r"|(?:last (?:updated|modified|edited)|updated on|posted (?:by|on|in)|published (?:on|by)"
    r"|zuletzt (?:geändert|aktualisiert|bearbeitet)|veröffentlicht am|última (?:actualización|modificación)"
    r"|publicado (?:el|por)|dernière (?:mise à jour|modification)|publié (?:le|par)|mis à jour le"
    r"|最后(?:更新|修改)|更新于|发布于|最終更新|更新日|投稿日)\b[^.!?。]{0,60}\Z"
    r"|(?:sign in|log ?in|subscribe|cookies?|impressum|datenschutz|anmelden|iniciar sesión|se connecter|登录|ログイン)"
    r"(?:\s\S+){0,2}\s*\Z)|.{1,80}[·|–-]\s*\d+ (?:min read|comments?|replies|views|kommentare|comentarios|commentaires)"
)
HEADER = (
    r"\s*\W{0,3}(?:from|to|cc|bcc|subject|sent|date|reply-to|von|an|betreff|gesendet|datum|de|para|asunto|enviado|fecha"
    r"|à|objet|envoyé|发件人|收件人|主题|日期|发送时间|差出人|宛先|件名|日時)\W{0,3}\s?[:：]\W{0,3}\s?\S"
)
MAILED = r"\W{0,3}(?:subject|betreff|asunto|objet|主题|件名|sent|gesendet|enviado|envoyé|发送时间)\W{0,3}\s?[:：]"
HEAD_ROWS = 5  # of a mail: who, to whom, when, about what
GREETS = (
    r"\s*[\"“„«「]?(?:(?:dear|liebe[rs]?|sehr geehrte\w*|querid[oa]s?|estimad[oa]s?|cher|chère|chers|hi|hello|hallo"
    r"|hola|bonjour|madame|monsieur)\b\s?[^\W\d_][^.!?:：]{0,60}[,:]|(?:尊敬的|亲爱的)\w{1,20}[:：，,]|\w{1,20}(?:様|各位)\s*\Z|拝啓)"
)
CLOSES = (
    r"\s*(?:(?:(?:kind|best|warm|many) )?regards|yours(?: \w+)?|best wishes|best|sincerely|many thanks"
    r"|(?:mit )?(?:freundlichen|herzlichen|besten|lieben|viele|liebe|beste|schöne) grü(?:ß|ss)en?|hochachtungsvoll"
    r"|(?:un )?(?:cordial )?saludos?(?: cordial(?:es)?)?|atentamente|un abrazo|(?:bien )?cordialement|bien à vous"
    r"|sincères salutations|amicalement|此致|敬礼|祝好|敬具|よろしくお願い(?:いた|致)?します)(?![^\W_])[,.，。!]?\s*"
    r"[\w .,'’-]{0,40}[\"”“»」]?\s*\Z"
)

MARK = r"(?:fwd?|wg|rv|tr|weitergeleitet\w*|forwarded|transféré\w*|reenviad[oa]|转发|轉發|転送)(?![a-zà-ÿ])"
FORWARDED = rf"\s*(?:[\[【(（<«*_-]{{1,12}}\s?{MARK}[^\]】)）>»*_-]{{0,40}}[\]】)）>»*_-]|{MARK}\s?[:：])"
TO_MACHINES = (
    r".{0,80}?(?:\b(?:to|dear|attention|all|any|every|an|alle|liebe|à|tous|toutes|chers|a|todos|todas)\s(?:\w+\s){0,2}"
    r"(?:(?:ai|ki|llm)[- ]?(?:assistants?|agents?|models?|bots?|systems?|assistenten|agenten|modelle|systeme)"
    r"|(?:assistants|agents|modèles|asistentes|agentes|modelos)(?:\sde?)?[\s'’]ia)\b[^.!?:：]{0,30}[:：,!]"
    r"|(?:所有|各位|致|全ての|すべての)(?:的|の)?(?:ai|人工智能)(?:助手|代理|模型|智能体|アシスタント|エージェント)?.{0,6}?[请:：，,、!へ])"
)
# Who wrote a message and when: with its day in front of it, with the time in brackets, or in a row of their own.
CLOCK = r"\d{1,2}[:.]\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?"
DATED = (
    rf"\[?\d{{1,4}}[./-]\d{{1,2}}[./-](?:\d{{2,4}})?,?\s{{1,2}}{CLOCK}\]?\s?[-–]?\s?[^\W\d_][^:：]{{0,30}}[:：]\s?\S"
)
TIMED = rf"(?:\[{CLOCK}\]\s?<?[^\W\d_][\w .'-]{{0,24}}[>:：]|(?:{CLOCK}\s)?<[\w .'-]{{1,24}}>)\s?\S"
NAMED = rf"[^\W\d_]\S{{0,24}}(?:\s\S{{1,24}}){{0,4}}?\s{{1,4}}\[?{CLOCK}\]?\s*\Z"


def rows(text: str) -> frozenset[int]:
    """Return the rows of a turn that are another's, counted from 1.

    >>> sorted(rows("what of this?\\n\\nHome | Docs | About\\nAlways sign.\\n© 2026 Quell\\n\\nwe never sign"))
    [3, 4, 5]
    >>> sorted(rows("Dear tenants,\\n\\nalways pay in cash.\\n\\nKind regards\\nThe office"))
    [1, 2, 3, 4, 5, 6]
    >>> sorted(rows("[20.11., 18:02] Petra: never again\\nfwd: always pay\\n\\nwhat now?"))
    [1, 2]
    >>> sorted(rows("Hi,\\nnever push on Fridays.\\nWe use pnpm."))
    []
    """
    own = text.split("\n")
    return frozenset({*_letters(own), *_page(own), *_chat(own), *_passed_on(own)})


def mailed(text: str) -> frozenset[int]:
    r"""Return the rows of a note, from 1, that are letters or were passed on: a letter ends with its section.

    >>> sorted(mailed("A quiet day.\n\nFrom: bo@example.com\nSubject: style\n\nAlways be brief.\n\n# Later\nI sign."))
    [3, 4, 5, 6, 7]
    """
    own = text.split("\n")
    begins = [0, *(at for at, row in enumerate(own) if row.startswith(("#", "---")) and not _is(FORWARDED, row))]
    found: set[int] = set()
    for begin, end in pairwise([*begins, len(own)]):
        section = own[begin:end]
        found |= {begin + at for at in (*_letters(section), *_passed_on(section))}
    return frozenset(found)


def _page(own: Sequence[str]) -> range:
    signs = [at for at, row in enumerate(own) if _is(NAVIGATES, row) or _is(FOOT, row)]
    if not signs or sum(bool(row.strip()) for row in own) <= LEAST_ROWS:
        return range(0)
    blank = [at for at, row in enumerate(own) if not row.strip()]
    # With a foot alone the page begins behind the first paragraph; a row to navigate by stands near its head.
    head = signs[0] if _is(NAVIGATES, own[signs[0]]) else next((at for at in blank if at < signs[0]), 0) + 1
    first = max((at + 1 for at in blank if at < head), default=0)
    if not first and _is(r".*[:：?？]\s*\Z", own[0]):
        first = 1  # "look at this:", and the page follows at once
    ends = _is(FOOT, own[signs[-1]])
    last = next((at for at in blank if at > signs[-1]), len(own)) if ends else len(own)
    return range(first + 1, last + 1)


def _letters(own: Sequence[str]) -> list[int]:
    """Return the rows of letters: from a head of two rows to the end, from a greeting to what closes it."""
    found: list[int] = []
    begun = -1
    for at, row in enumerate(own):
        if _is(HEADER, row) and at + 1 < len(own) and _is(HEADER, own[at + 1]) and _is_mail(own[at : at + HEAD_ROWS]):
            return [*found, *range(at + 1, len(own) + 1)]
        if begun < 0 and _is(GREETS, row):
            begun = at
        elif begun >= 0 and _is(CLOSES, row):
            found += range(begun + 1, min(at + SIGNED, len(own)) + 1)
            begun = -1
    return found


def _is_mail(head: Sequence[str]) -> bool:
    """Return whether rows as "from: Berlin" and "to: Paris" are a mail's: one has an address, or what it is about."""
    return any("@" in row or _is(MAILED, row) for row in head)


def _chat(own: Sequence[str]) -> range:
    """Return the rows of a chat: from its first message to the end of the last one's paragraph."""
    found = [at for at, row in enumerate(own) if _is(DATED, row)]
    timed = [at for at, row in enumerate(own) if _is(TIMED, row)]
    named = {at for at, row in enumerate(own) if _is(NAMED, row)}
    heads = [at for at in named if at + 1 < len(own) and own[at + 1].strip() and at + 1 not in named]
    found += timed if len(timed) > 1 else []
    found += heads if len(heads) == len(named) > 1 else []
    return range(min(found) + 1, _end(own, max(found)) + 1) if found else range(0)


def _passed_on(own: Sequence[str]) -> list[int]:
    """Return the rows from a sign that they were passed on to the end of the paragraph, or of the next one."""
    found: list[int] = []
    for at, row in enumerate(own):
        if (not found or at >= found[-1]) and (_is(FORWARDED, row) or _is(TO_MACHINES, row)):
            bare = at + 1 < len(own) and not own[at + 1].strip() and _is(rf"(?:{FORWARDED}|{TO_MACHINES})\W*\Z", row)
            found += range(at + 1, _end(own, at + 2 if bare else at) + 1)
    return found


def _end(own: Sequence[str], at: int) -> int:
    """Return how many rows there are up to the end of a paragraph."""
    return next((blank for blank in range(at, len(own)) if not own[blank].strip()), len(own))


def _is(sign: str, row: str) -> bool:
    return compiled(sign, re.I).match(row.strip()[:MOST]) is not None
