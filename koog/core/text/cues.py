"""What a statement is about, by the few words that say so in six languages: how far a project is, what was learned.

    STACK, DONE, NEXT, BLOCKED   of a project: what it is made of, what is behind, before and in the way of it
    LESSON                       what was learned, so that it does not happen again
    COMMUNICATION                how somebody is to be spoken or written to
    PROJECT                      what stands beside the name of a project, and seldom beside a person's

They only choose between the places of what is worth keeping anyway (kinds.py has the types themselves). Pure.
[autopoiesis §2.2]
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled

STACK = (
    r"\b(?:runs? (?:on|under|in)|(?:is|are|was) (?:now )?(?:built|written|hosted|deployed|coded|running) (?:on|in|with|by|at)"
    r"|built (?:on|with)|written in|hosted (?:on|at|in|by)|powered by|backed by|(?:we|it|they|\w+) uses?|(?:we're|we are|is|are) using"
    r"|moved? (?:\w+ )?(?:from .{1,40} )?to|migrat\w+|switch\w* (?:\w+ )?(?:from .{1,40} )?to|upgrad\w+|stack|framework|database is|frontend|backend"
    r"|läuft (?:auf|unter|mit|bei)|laufen auf|nutz(?:t|en)|verwende[tn]|gebaut (?:mit|auf)|geschrieben in|gehostet|umgestellt auf"
    r"|corre (?:en|sobre)|usa(?:mos|n)?|utiliza(?:mos|n)?|está (?:hecho|escrito|alojado) (?:en|con)|migra\w+"
    r"|tourne (?:sur|sous)|utilise(?:nt|z)?|est (?:écrit|hébergé|construit) (?:en|sur|chez|avec)|hébergé)\b"
    r"|运行在|跑在|使用|用的是|基于|部署在|迁移|で動い|を使っ|で書か|に移行"
)
DONE = (
    r"\b(?:done|finished|shipped|merged|released|deployed|completed|launched|closed|landed|signed off|went live|(?:is|are) live"
    r"|goes? live|rolled out|passed|delivered|signed"
    r"|erledigt|fertig|ausgeliefert|gemergt|abgeschlossen|veröffentlicht|ausgerollt|live gegangen"
    r"|terminad\w+|list[oa]s?|desplegad\w+|publicad\w+|entregad\w+|completad\w+"
    r"|terminée?s?|fini\w*|livrée?s?|déployée?s?|publiée?s?|achevée?s?)\b|完成|上线了|合并了|发布了|搞定|完了|リリースし|終わっ"
)
NEXT = (
    r"\b(?:next (?:step|up|on|is|for|we)|to-?do|(?:still )?(?:need|have|has|needs) to|remaining|left to|plan(?:s|ned)? (?:to|for)|planning to"
    r"|upcoming|due|deadline|milestone|will (?:\w+ )?(?:start|begin|add|build|write|ship|launch|release|move|do)"
    r"|als nächstes|nächste[rsn]? schritt|müssen (?:noch|wir)|steht (?:noch )?an|geplant|frist|bis (?:zum|ende|spätestens)"
    r"|próxim[oa] paso|falta|hay que|tenemos que|pendiente|plazo|antes del?"
    r"|prochaine étape|reste à|il faut|on doit|prévue?s?|échéance|avant le)\b|下一步|接下来|还需要|待办|截止|次は|次の|残って|予定|までに"
)
BLOCKED = (
    r"\b(?:block(?:ed|er|ers|ing|s)|waiting (?:for|on)|waits (?:for|on)|stuck|held up|on hold|stalled|can(?:'|no)t (?:\w+ )+until|pending"
    r"|blockier\w*|wartet? (?:noch )?auf|warten (?:noch )?auf|hängt (?:noch )?(?:an|fest)"
    r"|bloquead\w+|esperando|a la espera|parad[oa]|atascad\w+"
    r"|bloquée?s?|en attente|on attend|attend)\b|卡住|卡在|阻塞|在等|等待|被.{1,8}阻|ブロック|待ち|待って"
)
LESSON = (
    r"\b(?:lessons?|learne?d|learnt|turns? out|turned out|next time|in hindsight|root cause|(?:was|were) the (?:cause|culprit|reason)"
    r"|the (?:cause|culprit) was|take-?away|gotcha|pitfall|mistake|should(?:n't)? have|never again|the hard way|bit us|burned us|moral"
    r"|lehre|gelernt|nächstes mal|beim nächsten mal|stellte sich heraus|ursache|im nachhinein|hätten wir"
    r"|lecci[oó]n|aprendi\w*|la próxima vez|resulta que|resultó|la causa|a la próxima|deberíamos haber"
    r"|leçons?|appris|la prochaine fois|s'est avéré|la cause|on aurait dû|il s'avère)\b"
    r"|教训|经验|学到|下次|原来是|根本原因|吃一堑|教訓|学んだ|学び|次回|原因は|今度から"
)
COMMUNICATION = (
    r"\b(?:e-?mails?|mails?|calls?|calling|phones?|text(?:s|ed|ing)? (?:me|him|her|them)|messages?|slack|chat|meetings?|zoom|voice|speaks?|talk(?:s|ing)?"
    r"|languages?|tone|formal\w*|informal|direct|blunt|polite|brief|short answers?|bullet\w*|prose|summar\w+|repl(?:y|ies)|answers?|reports?|reach(?:es|able|ed)?|contact\w*"
    r"|ping\w*|write to|written|in writing|feedback|reviews?|first name|pronouns?|time ?zone|native"
    r"|anruf\w*|anrufen|telefon\w*|nachricht\w*|spricht|sprache|ton|förmlich|direkt|kurz\w*|stichpunkt\w*|duzen|siezen|schriftlich|antwort\w*|erreich\w+"
    r"|correos?|llamadas?|llamar|teléfono|mensajes?|reunión|reuniones|habla|idioma|tono|formal\w*|viñetas|por escrito|respuestas?|tutea\w*"
    r"|courriels?|appels?|appeler|téléphone|réunions?|parle|langue|ton|formel\w*|puces|par écrit|réponses?|tutoie\w*|vouvoie\w*)\b"
    r"|邮件|电话|消息|微信|会议|说话|语言|语气|正式|简短|回复|联系|称呼|メール|電話|メッセージ|会議|話し方|言語|敬語|返信|連絡|箇条書き"
)
# Behind a name, with a genitive or none between; and before it.
OF_PROJECT = (
    r"projects?|projekt\w*|proyectos?|projets?|releases?|repo(?:sitory|s)?|codebase|back-?end|front-?end|rewrite|migration|roadmap|sprint|launch"
    r"|roll-?out|milestones?|deploy(?:ment|s)?|pipeline|branch|staging|prod(?:uction)?|database|schema|api|service|servers?|app|website|site|dashboard"
    r"|beta|mvp|prototype|team|board|backlog|spec|build|tests?|design|budget|deadline"
)
PROJECT_BEHIND = rf"\A(?:['’]s?)?[\s-]+(?:{OF_PROJECT})\b|\A(?:项目|の?プロジェクト)"
PROJECT_BEFORE = (
    r"(?:\b(?:projects?|projekt|proyecto|projet|(?:work(?:ing|ed|s)? )?on|within|into|across|deploy(?:ing|ed|s)?|ship(?:ping|ped)?|releas(?:e|ing|ed)|launch(?:ing|ed)?"
    r"|rewrit(?:e|ing)|migrat(?:e|ing)|build(?:ing)?|status of|state of|about the|in|im|am|an|beim?|auf|en el|sobre|sur|dans)\s+(?:the\s+)?|项目|プロジェクト)\Z"
)
FOR_PROJECT = r"\b(?:for|für|para|pour)\s+\Z"
RUNS_BEHIND = (
    r"\A\s+(?:(?:now|currently|still|already|also|only|nur|jetzt|noch)\s+)?(?:runs?|uses?|needs|depends|listens|is (?:built|written|hosted|deployed|live|blocked"
    r"|behind|on track|delayed|done|due)|ships?|goes live|will (?:use|run|ship|launch)|läuft|nutzt|verwendet|braucht|corre|usa|utiliza|necesita"
    r"|tourne|utilise|dépend)\b|\A(?:使用|用|运行|は.{0,8}(?:使|動))"
)

# Who speaks of himself alone; a sentence that begins with who was named before.
I = (  # noqa: E741
    r"\b(?:i|i['’]m|my|me|mine|myself|ich|mein\w*|mir|mich|yo|mis?|mí|je|mon|ma|mes|moi)\b|\bj['’]|[我私僕]"
)
HE = (
    r"\W*(?:(?:and|but|also|so|und|aber|auch|y|pero|et|mais),? )?(?:he|she|his|her|er|sie|seine?|ihre?|él|ella|su|il|elle|son|sa|ses)\b"
    r"|\W*[他她彼]"
)


def begins(pattern: str, text: str) -> bool:
    """Return whether a text begins with one of the words of a cue."""
    return compiled(pattern, re.IGNORECASE).match(text) is not None


def has(pattern: str, text: str) -> bool:
    """Return whether a text has one of the words of a cue.

    >>> has(BLOCKED, "wartet noch auf die Zugangsdaten"), has(DONE, "We shipped it"), has(LESSON, "nice weather")
    (True, True, False)
    """
    return compiled(pattern, re.IGNORECASE).search(text) is not None


def of_project(text: str, start: int, end: int) -> float:
    """Return how much what stands around a name speaks for a project, 0 for nothing.

    >>> of_project("The Apollo release is due", 4, 10) > 0, of_project("Tom called", 0, 3)
    (True, 0.0)
    """
    before, behind = text[max(0, start - 40) : start], text[end : end + 40]
    found = 1.0 if has(PROJECT_BEHIND, behind) else 0.0
    found += 1.0 if has(PROJECT_BEFORE, before) else 0.0
    found += 0.5 if has(FOR_PROJECT, before) else 0.0
    return found + (1.0 if has(RUNS_BEHIND, behind) else 0.0)
