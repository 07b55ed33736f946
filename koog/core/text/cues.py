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
    r"\b(?:runs? (?:on|under|in)|(?:is|are|was) (?:now )?(?:built|written|hosted|deployed|coded|running) (?:on"
    r"|in|with|by|at)|built (?:on|with)|written in|hosted (?:on|at|in|by)|powered by|backed by|(?:we|it|they"
    r"|\w+) uses?|(?:we're|we are|is|are) using|moved? (?:\w+ )?(?:from .{1,40} )?to|migrat\w+"
    r"|switch\w* (?:\w+ )?(?:from .{1,40} )?to|upgrad\w+|stack|framework|database is|frontend|backend"
    r"|läuft (?:auf|unter|mit|bei)|laufen auf|nutz(?:t|en)|verwende[tn]|gebaut (?:mit|auf)|geschrieben in"
    r"|gehostet|umgestellt auf|corre (?:en|sobre)|usa(?:mos|n)?|utiliza(?:mos|n)?|está (?:hecho|escrito"
    r"|alojado) (?:en|con)|migra\w+|tourne (?:sur|sous)|utilise(?:nt|z)?|est (?:écrit|hébergé|construit) (?:en"
    r"|sur|chez|avec)|hébergé)\b|运行在|跑在|使用|用的是|基于|部署在|迁移|で動い|を使っ|で書か|に移行"
)
DONE = (
    r"\b(?:done|finished|shipped|merged|released|deployed|completed|launched|closed|landed|signed off"
    r"|went live|(?:is|are) live|goes? live|rolled out|passed|delivered|signed|erledigt|fertig|ausgeliefert"
    r"|gemergt|abgeschlossen|veröffentlicht|ausgerollt|live gegangen|terminad\w+|list[oa]s?|desplegad\w+"
    r"|publicad\w+|entregad\w+|completad\w+|terminée?s?|fini\w*|livrée?s?|déployée?s?|publiée?s?|achevée?s?)\b"
    r"|完成|上线了|合并了|发布了|搞定|完了|リリースし|終わっ"
)
NEXT = (
    r"\b(?:next (?:step|up|on|is|for|we)|to-?do|(?:still )?(?:need|have|has|needs) to|remaining|left to"
    r"|plan(?:s|ned)? (?:to|for)|planning to|upcoming|due|deadline|milestone|will (?:\w+ )?(?:start|begin|add"
    r"|build|write|ship|launch|release|move|do)|als nächstes|nächste[rsn]? schritt|müssen (?:noch|wir)"
    r"|steht (?:noch )?an|geplant|frist|bis (?:zum|ende|spätestens)|próxim[oa] paso|falta|hay que|tenemos que"
    r"|pendiente|plazo|antes del?|prochaine étape|reste à|il faut|on doit|prévue?s?|échéance|avant le)\b|下一步"
    r"|接下来|还需要|待办|截止|次は|次の|残って|予定|までに"
)
BLOCKED = (
    r"\b(?:block(?:ed|er|ers|ing|s)|waiting (?:for|on)|waits (?:for|on)|stuck|held up|on hold|stalled|can(?:'"
    r"|no)t (?:\w+ )+until|pending|blockier\w*|wartet? (?:noch )?auf|warten (?:noch )?auf"
    r"|hängt (?:noch )?(?:an|fest)|bloquead\w+|esperando|a la espera|parad[oa]|atascad\w+|bloquée?s?"
    r"|en attente|on attend|attend)\b|卡住|卡在|阻塞|在等|等待|被.{1,8}阻|ブロック|待ち|待って"
)
LESSON = (
    r"\b(?:lessons?|learne?d|learnt|turns? out|turned out|next time|in hindsight|root cause|(?:was"
    r"|were) the (?:cause|culprit|reason)|the (?:cause|culprit) was|take-?away|gotcha|pitfall|mistake"
    r"|should(?:n't)? have|never again|the hard way|bit us|burned us|moral|lehre|gelernt|nächstes mal"
    r"|beim nächsten mal|stellte sich heraus|ursache|im nachhinein|hätten wir|lecci[oó]n|aprendi\w*"
    r"|la próxima vez|resulta que|resultó|la causa|a la próxima|deberíamos haber|leçons?|appris"
    r"|la prochaine fois|s'est avéré|la cause|on aurait dû|il s'avère)\b|教训|经验|学到|下次|原来是"
    r"|根本原因|吃一堑|教訓|学んだ|学び|次回"
    r"|原因は|今度から"
)
COMMUNICATION = (
    r"\b(?:e-?mails?|mails?|calls?|calling|phones?|text(?:s|ed|ing)? (?:me|him|her|them)|messages?|slack|chat"
    r"|meetings?|zoom|voice|speaks?|talk(?:s|ing)?|languages?|tone|formal\w*|informal|direct|blunt|polite"
    r"|brief|short answers?|bullet\w*|prose|summar\w+|repl(?:y|ies)|answers?|reports?|reach(?:es|able|ed)?"
    r"|contact\w*|ping\w*|write to|written|in writing|feedback|reviews?|first name|pronouns?|time ?zone|native"
    r"|anruf\w*|anrufen|telefon\w*|nachricht\w*|spricht|sprache|ton|förmlich|direkt|kurz\w*|stichpunkt\w*"
    r"|duzen|siezen|schriftlich|antwort\w*|erreich\w+|correos?|llamadas?|llamar|teléfono|mensajes?|reunión"
    r"|reuniones|habla|idioma|tono|formal\w*|viñetas|por escrito|respuestas?|tutea\w*|courriels?|appels?"
    r"|appeler|téléphone|réunions?|parle|langue|ton|formel\w*|puces|par écrit|réponses?|tutoie\w*"
    r"|vouvoie\w*)\b|邮件|电话|消息|微信|会议|说话|语言|语气|正式|简短|回复|联系|称呼|メール|電話|メッセージ|会議|話し方|言語|敬語|返信|連絡|箇条書き"
)
# Behind a name, with a genitive or none between; and before it.
OF_PROJECT = (
    r"projects?|projekt\w*|proyectos?|projets?|releases?|repo(?:sitory|s)?|codebase|back-?end|front-?end"
    r"|rewrite|migration|roadmap|sprint|launch|roll-?out|milestones?|deploy(?:ment|s)?|pipeline|branch|staging"
    r"|prod(?:uction)?|database|schema|api|service|servers?|app|website|site|dashboard|beta|mvp|prototype|team"
    r"|board|backlog|spec|build|tests?|design|budget|deadline"
)
PROJECT_BEHIND = rf"\A(?:['’]s?)?[\s-]+(?:{OF_PROJECT})\b|\A(?:项目|の?プロジェクト)"
PROJECT_BEFORE = (
    r"(?:\b(?:projects?|projekt|proyecto|projet|work(?:ing|ed|s)? on|within|into|across|deploy(?:ing|ed"
    r"|s)?|ship(?:ping|ped)?|releas(?:e|ing|ed)|launch(?:ing|ed)?|rewrit(?:e|ing)|migrat(?:e|ing)"
    r"|build(?:ing)?|status of|state of|about the)\s+(?:the\s+)?|项目|プロジェクト)\Z"
)
IN_PROJECT = r"\b(?:in|on|im|am|an|beim?|auf|en el|sobre|sur|dans)\s+(?:the\s+)?\Z"  # a place or a tool, too
FOR_PROJECT = r"\b(?:for|für|para|pour)\s+\Z"
RUNS_BEHIND = (
    r"\A\s+(?:(?:now|currently|still|already|also|only|nur|jetzt|noch)\s+)?(?:runs?|uses?|needs|depends"
    r"|listens|is (?:built|written|hosted|deployed|live|blocked|behind|on track|delayed|done|due)|ships?"
    r"|goes live|will (?:use|run|ship|launch)|läuft|nutzt|verwendet|braucht|corre|usa|utiliza|necesita|tourne"
    r"|utilise|dépend)\b|\A(?:使用|用|运行|は.{0,8}(?:使|動))"
)
# Who speaks of himself alone; a sentence that begins with who was named before.
I = (  # noqa: E741
    r"\b(?:i|i['’]m|my|me|mine|myself|ich|mein\w*|mir|mich|yo|mis?|mí|je|mon|ma|mes|moi)\b|\bj['’]|[我私僕]"
)
HE = (
    r"\W*(?:(?:and|but|also|so|und|aber|auch|y|pero|et|mais),? )?(?:he|she|his|her|er|sie|seine?|ihre?|él|ella"
    r"|su|il|elle|son|sa|ses)\b|\W*[他她彼]"
)
# What joins two halves of a sentence of which each can stand alone; what gives a reason ("because") is none.
CONNECTIVE = r",?\s+(?:and|but|so|und|aber|y|pero|et|mais)\s+|[，、](?:但是?|而且|所以|でも)"
# With which a sentence of talk begins and which says nothing, a name that is called behind it or not.
LEADS = (
    r"wow|yeah|yep|yup|yes|oh|hey|hi|hello|haha|ha|aw+|hm+|ah|ooh|well|so|anyway|anyhow|by the way"
    r"|btw|fyi|ok(?:ay)?|sure|great"
    r"|cool|nice|awesome|thanks|thank you|thx|right|good (?:catch|point|question)|exactly|definitely|absolutely"
    r"|totally|of course|actually|honestly"
    r"|no worries|also|ja|ach|also|übrigens|genau|klar|danke|na ja|sí|bueno|vale|gracias|claro|por cierto|oui"
    r"|ah bon|bien sûr|merci|au fait"
    r"|tiens"
)
LEADS_WIDE = r"对了|嗯|好的|哦|哈哈|谢谢|そういえば|はい|うん|ええ|ありがとう"
NAMED = r"(?:,? (?-i:[A-ZÄÖÜÉ])\w+)?"  # whom it is said to
LEAD = rf"\A\W*(?:(?:{LEADS}){NAMED}\s*[,!.:…–—]+\s*)+|\A(?:{LEADS_WIDE})[，,。、！!]+"
# What only says that somebody has heard it, likes it, or thinks the same.
ASSENT = (
    r"no (?:problem|worries|doubts?)|(?:(?:that|it) )?sounds (?:\w+ )?(?:great|good|nice|cool|fun|awesome"
    r"|amazing|lovely|perfect)|(?:that|it)(?:['’]s| is| was) (?:(?:so|really|very|such|quite|a|an"
    r"|just) )*(?:great|good|nice|cool|awesome|amazing|wonderful|fantastic|lovely|beautiful|perfect|true"
    r"|fine)(?: (?:idea|memory|news|point|thing))?|sure thing|nice one|agreed|(?:totally|completely"
    r"|fully) agree|i (?:\w+ )?agree(?: with you)?|i could(?:n['’]t| not) agree more|i (?:get|see|hear) (?:it"
    r"|you|that)|you(?:['’]re| are) (?:\w+ )?(?:right|welcome)|(?:it|that) means a lot(?: to me)?"
    r"|(?:i['’]m )?(?:so )?glad (?:to hear (?:it|that)|you (?:like|liked) it)|good (?:for you|luck|to hear)"
    r"|same here|me too|for sure|got it|kein problem|keine ursache|(?:das )?(?:klingt|ist) (?:\w+ )?(?:gut"
    r"|super|toll|schön|klasse)|(?:das )?stimmt|sehe ich auch so|gern(?:e)? geschehen|(?:das )?freut mich"
    r"|verstehe|alles klar|du hast recht|sin problema|(?:eso )?suena (?:\w+ )?(?:bien|genial)"
    r"|(?:estoy )?de acuerdo|tienes razón|de nada|qué (?:bien|bueno|genial)|me alegro|(?:ya )?entiendo"
    r"|pas de (?:problème|souci)|(?:ça a l['’]air|c['’]est) (?:\w+ )?(?:super|génial|bien)"
    r"|(?:je suis )?d['’]accord|ça marche|tu as raison|de rien|je comprends"
)
ASSENT_WIDE = (
    r"没问题|没关系|我?同意|你说得对|不客气|我?(?:知道|明白)了|太[好棒]了|听起来不错"
    r"|了解(?:です|しました)?|同感です?|問題(?:ない|ありません)|どういたしまして|いいですね|なるほど"
)
NOTHING = rf"\W*(?:(?:{LEADS}|{ASSENT}){NAMED}(?:\W+|\Z)|(?:{LEADS_WIDE}|{ASSENT_WIDE})(?:\W*|\Z))+"
# How glad somebody is of something, or hopes to be, where no single word of it is glad.
GLAD = (
    r"\b(?:can(?:['’]?t|not) wait|stoked|looking forward|(?:gives?|gave) (?:us|me|you|them|people) hope"
    r"|dreams? come true|reach (?:my|our|your|their) dreams|(?:a|such a|what a) blessing"
    r"|means? (?:so much|everything|the world) to me"
    r"|rooting for|not alone|never give up|stay (?:strong|positive)|can['’]?t imagine (?:life|\w+ing) without"
    r"|kann es kaum erwarten|freue? mich (?:so |sehr |schon )?(?:auf|darauf)|tengo (?:muchas )?ganas|no veo la hora"
    r"|(?:j['’]ai|trop) hâte|vivement que)\b|楽しみ(?:だ|です|にして)|待ちきれない|好期待|等不及"
)
# Signs by which a statement's place is learned (koog/knowledge/rating.py); no one of them decides.
SIGNS = {
    # what is settled
    "settle": (
        r"\b(?:decid\w+|decision|settled|agreed|approved|voted|chose|chosen|final|we(?:'re| are) (?:going"
        r"|replacing|moving|dropping|switching)|let's|let us|we(?:'ll| will| won't)|i(?:'ll| will)|go(?:es"
        r"|ing)? with|we (?:take|keep|go|stay|drop|use|put|cut|freeze|postpone|charge|buy|sell|host|sign|signed"
        r"|stick|start|stop|switch|treat|set|show|accept)|okay then|ok then|all right|then we|so we|beschlossen"
        r"|entschieden|wir nehmen|wir streichen|dann nehmen|decidido|nos quedamos|vamos a|acordado|on (?:prend"
        r"|abandonne|garde|passe)|tranché|décidé|convenu)\b|决定|定了|就用|改成|推迟|ことにし|に決め"
    ),
    # from now on otherwise
    "change": (
        r"\b(?:from (?:now|today|next|may|june|monday)\b|from \w+ on|any ?more|no longer|instead|nowadays|gets?"
        r"|moves? to|becomes?|goes into|will be called|replaced|switch(?:ed)? off|turn off|stays?|not \w+ any"
        r"|only from|ab (?:jetzt|sofort|oktober|montag)|künftig|nicht mehr|statt|en vez de|ya no|pasa a"
        r"|a partir de|désormais|au lieu|ne plus|dès)\b|从现在|不再|改为|今後|代わりに"
    ),
    # it begins with an order
    "imper": (
        r"\A(?:and |so |then |also |yes,? |ok(?:ay)?,? )*(?:set|put|make|use|add|drop|delete|remove|exclude|reject"
        r"|write|let|turn|cut|keep|kill|resize|clear|lower|raise|move|stop|give|send|test|alert|tag|order|don't"
        r"|do not|never|always|be|take|check|ship|call)\b"
    ),
    # has to be, may be
    "must": (
        r"\b(?:ha(?:s|ve) to|must(?:n't)?|needs? (?:to|a|an|the|two|three|ads)|need \w+ \w+|requires?|may (?:not"
        r"|only|be)|only \w+ may|not allowed|mandatory|muss|müssen|braucht|darf|dürfen|hay que|debe\w*|tiene que"
        r"|se (?:rellena|firma|cierra)|il faut|doit|doivent|se (?:signale|fait))\b|必须|要先|需要|必ず|前に"
    ),
    # each time, everybody
    "every": (
        r"\b(?:every|each|any(?:body|one|thing)?|whoever|whenever|always|never|nobody|no one|everybody"
        r"|all \w+ (?:are|go|get|have)|otherwise|else (?:it|they|the)|rule|standing|usually|normally|jede[rsn]?"
        r"|alle|immer|nie|niemand|sonst|cada|siempre|nunca|todos|chaque|toujours|jamais|toute?)\b|每|总是|所有|都要|毎|全て"
    ),
    # one thing after the other
    "order": (
        r"\b(?:first\b.{3,60}\bthen|before (?:you|they|any|it|the|we|a)|after(?:wards| that| a)|then (?:you|we|the"
        r"|it)|by hand|goes? through|run(?:s)? (?:the|make|it)|step|erst\b.{3,60}(?:dann|danach)|vorher|primero"
        r"|después|luego|antes de|d'abord|puis|avant de)\b|先.{1,30}再|然后|最后|てから"
    ),
    # in which case
    "when": (
        r"\A\W*(?:when|if|for (?:a|the|every|each) new|to \w+|how (?:we|to)|before|after a|wenn|falls|zum|cuando"
        r"|si|para|pour|quand)\b|\A如果|\A当|場合"
    ),
    "learn": LESSON,
    # what is so in general
    "gener": (
        r"\A(?:a|an|anything|something|if nobody|things?|ein|eine|un|una|une) \w+.{0,60}\b(?:is|will|proves|means"
        r"|says|looks|fails|beats|hide|ist|beweist|es|est)\b|\blooks? (?:exactly )?like\b|\bmeans?\b"
        r"|\bsays? nothing\b|\bproves?\b"
    ),
    # why
    "cause": (
        r"\b(?:because|since|cause[ds]?|reason|that's why|so that|root|due to|as (?:the|it|they|we)|weil|deshalb"
        r"|da (?:die|der|das)|porque|por eso|parce que|car|puisque)\b|因为|所以|ので|から"
    ),
    # who somebody is
    "role": (
        r"\b(?:is|was|are|'s|as) (?:our|my|the|their|her|his|a|an) (?:\w+[ -]){0,3}?(?:lead|head|boss|manager"
        r"|owner|officer|intern|trainee|assistant|designer|developer|engineer|dba|admin|accountant|bookkeeper"
        r"|auditor|lawyer|teacher|doctor|nurse|vet|caretaker|landlord|landlady|neighbou?r|colleague|contact|mentor"
        r"|coach|director|secretary|chef|cook|plumber|student|professor|guy|friend|sister|brother|mother|father"
        r"|daughter|son|wife|husband|cousin|aunt|uncle|partner|client|customer|supplier|driver|drummer|keeper"
        r"|founder|ceo|cto|hr)\b|\b(?:contact|boss|lead|owner|landlord|mentor|neighbou?r|accountant|auditor"
        r"|colleague|intern|trainee|designer|secretary)\b.{0,20}\b(?:is|named|called|there)\b|\b(?:brother|sister"
        r"|mother|father|daughter|son|wife|husband|cousin|aunt|uncle|niece|nephew|schwägerin|tochter|sohn|bruder"
        r"|schwester|chefin?|hermana?|hija?|jefa?|cousine?|sœur|frère|fille|fils)\b|\bist (?:unser\w*|mein\w*|die"
        r"|der) \w+|\bes (?:la|el|mi|nuestr[oa]) \w+|\best (?:notre|mon|ma|la|le) \w+|是我们的|负责|担当|老师|さん"
    ),
    # what somebody does, likes, and when he is there
    "life": (
        r"\b(?:works? (?:at|for|in|from|on)|sits? in|lives? in|used to|speaks?|prefers?|likes?|hates?|joined"
        r"|leav(?:es|ing)|left (?:us|for|the)|parental leave|part[- ]time|not in on|off on|only (?:around|there|on"
        r"|in)|vegetarian|allergic|plays?|studied|comes? in|stays? (?:till|until)|born|retire[sd]?|moved (?:to"
        r"|from)|replies|answers|reach(?:able|es)?|calls? back|wohnt|arbeitet|spricht|mag|trabaja|vive|prefiere"
        r"|habla|habite|travaille|préfère|parle)\b|住在|喜欢|住んで|好き"
    ),
    # he, she
    "he": (r"\b(?:he|she|his|her|him|er|sie|ihm|él|ella|il|elle)\b|[他她彼]"),
    # it was
    "past": (
        r"\b(?:was|were|had|did|went|got|came|died|happened|sold|lost|found|moved|broke|ran|finished|stopped"
        r"|failed|cancelled|called|signed|opened|closed|sent|passed|dropped|caused|complained|installed|created"
        r"|cost|bought|gave|took|saw|said|told|\w{3,}ed|war|waren|hatte|kam|ging|ist \w+ge\w+|wurde\w*|fue|fueron"
        r"|cayó|vendimos|llegó|estuvo|a été|a duré|est arrivé\w*|était|avons)\b|了(?:[，。]|$)|ました|した(?:。|$)"
    ),
    # when it was
    "when_past": (
        r"\b(?:yesterday|last (?:night|week|year|month|autumn|winter|spring|summer|time|monday|friday)"
        r"|this morning|tonight|today|ago|in (?:january|february|march|april|may|june|july|august|september"
        r"|october|november|december|20\d\d)|on (?:monday|tuesday|wednesday|thursday|friday|saturday"
        r"|sunday)(?! (?:only|before|and))|at \d\d?:\d\d|\d\d:\d\d to|gestern|am (?:montag|dienstag|mittwoch"
        r"|donnerstag|freitag|samstag|sonntag)|ayer|el (?:lunes|martes|sábado|viernes)"
        r"|hier|昨|昨日)\b|昨天|周[一二三四五六日]"
        r"|昨日"
    ),
    # of a log
    "log": (
        r"\b(?:for the log|incident|outage|downtime|result|notes?:|update:|visitors|session|grant|operation"
        r"|interview went|delivery)\b"
    ),
    # it is
    "state": (
        r"\b(?:is|are|has|have|runs?|uses?|costs?|holds?|listens?|belongs?|allows?|covers?|takes?|sends?|keeps?"
        r"|stores?|lives in|stands?|fits|needs|reads?|closes|opens|delivers|answers|ist|sind|hat|läuft|fasst|heißt"
        r"|es|son|tiene|está|cierra|est|sont|tourne|court)\b|是|有|用的|到|です|ある|閉ま"
    ),
    # contracts, limits, rates
    "until": (
        r"\b(?:contract|lease|licen[cs]e|notice|guarantee|warranty|until|runs until|per (?:minute|day|month|hour"
        r"|week)|percent|a (?:day|month|year|minute|week)|maximum|minimum|limit|capacity|port|version|vertrag"
        r"|contrato|bail|préavis)\b|合同|租约|押金"
    ),
    # a figure
    "num": (r"\d"),
    # a name of code
    "code": (r"[`_]|\w\.\w|--\w|/\w"),
    # I
    "self": (r"\b(?:i|i'm|i've|me|my|ich|mich|yo|je|j')\b|我(?!们)|私"),
    # we
    "we": (r"\b(?:we|our|us|wir|uns|unser\w*|nosotros|nuestr\w+|hemos|on|nous|notre)\b|我们"),
    # it will be
    "will": (r"\b(?:will|going to|tomorrow|next (?:week|month|year|season)|wird|mañana|va a|demain)\b|明年|将"),
    # a colon
    "colon": (r"\w:\s"),
    # no, not
    "neg": (r"\b(?:not|no|never|n't|don't|without|nicht|kein\w*|no|sin|pas|sans|ne)\b|不|没|ない"),
}


LEFT_CHARS = 12  # of a sentence whose lead is left out


def begins(pattern: str, text: str) -> bool:
    """Return whether a text begins with one of the words of a cue."""
    return compiled(pattern, re.IGNORECASE).match(text) is not None


def has(pattern: str, text: str) -> bool:
    """Return whether a text has one of the words of a cue.

    >>> has(BLOCKED, "wartet noch auf die Zugangsdaten"), has(DONE, "We shipped it"), has(LESSON, "nice weather")
    (True, True, False)
    """
    return compiled(pattern, re.IGNORECASE).search(text) is not None


def says_nothing(text: str) -> bool:
    """Return whether a sentence only says that somebody has heard something, likes it, or thinks the same.

    >>> says_nothing("Yeah, Maria, I agree."), says_nothing("Klingt gut!"), says_nothing("Sounds good, but not Friday")
    (True, True, False)
    """
    return compiled(NOTHING, re.IGNORECASE).fullmatch(text) is not None


def without_lead(text: str) -> str:
    """Return a sentence without the words at its beginning that say nothing, where enough is left.

    >>> without_lead("Yeah, Mel! By the way, the office moved to Porto."), without_lead("Sure, fine.")
    ('The office moved to Porto.', 'Sure, fine.')
    """
    rest = compiled(LEAD, re.IGNORECASE).sub("", text, count=1)
    return rest[:1].upper() + rest[1:] if len(rest) >= LEFT_CHARS else text


def place(pattern: str, text: str) -> int | None:
    """Return where in a text one of the words of a cue stands first, None where it has none."""
    found = compiled(pattern, re.IGNORECASE).search(text)
    return found.start() if found else None


def is_of_project(word: str) -> bool:
    """Return whether a word says of a name before it that it is a project's: release, backend."""
    return compiled(rf"(?:{OF_PROJECT})", re.IGNORECASE).fullmatch(word) is not None


def of_project(text: str, start: int, end: int) -> float:
    """Return how much what stands around a name speaks for a project, 0 for nothing.

    >>> of_project("The Apollo release is due", 4, 10) > 0, of_project("Tom called", 0, 3)
    (True, 0.0)
    """
    before, behind = text[max(0, start - 40) : start], text[end : end + 40]
    found = 1.0 if has(PROJECT_BEHIND, behind) else 0.0
    found += 1.0 if has(PROJECT_BEFORE, before) else 0.0
    found += 0.5 if has(FOR_PROJECT, before) else 0.2 if has(IN_PROJECT, before) else 0.0
    return found + (1.0 if has(RUNS_BEHIND, behind) else 0.0)
