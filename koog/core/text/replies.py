"""How a sentence answers what was said before it: yes, no, a value, not sure.  [design §4 "one reading"]

The few words with which six languages agree and refuse; what is worth keeping is not judged here. Pure.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.kinds import is_standing
from koog.core.text.measures import content_words
from koog.core.text.negation import is_denied

YES, NO, VALUE = "yes", "no", "value"
TAG_CHARS = 16  # what is shorter than that before its tag is a question all the same
DOUBT_WORDS = 4
COURTESY_WORDS = 4  # beside thanks or a greeting: marks among them
POINT_WORDS = 3  # of a question that is a point of a list: "And the deadline?"
VALUE_CHARS, VALUE_WORDS = 80, 9  # what is longer says itself what it is about

# Said in front of an answer.
FILLER = (
    r"(?:(?:god|oh|ah|a+nd|hm+|um+|ok(?:ay)?|alright|well|so|then|na|naja|also|bueno|pues|ben|bah|alors|嗯|哦|啊|哎|那|あ|えっと"
    r"|じゃあ?)[\s,，、]+)*"
)
# Yes in so many words, also in front of more words; and words that agree to what was proposed or stated.
PLAIN = (
    r"(?:(?:yes|yeah|yep|yup|ja|jo|jep|jawohl|sí|oui|ouais)(?!\w)|はい|うん|ええ|(?:是的|是|对|好的|好|嗯|行"
    r"|要)(?=[，,。.！!、\s]|$))"
)
FIRM = (
    r"(?:(?:i )?agreed?\b|exactly (?:that|this|so|like that)|genau (?:so|das)|exactement|deal\b|(?:that(?:'s| is) "
    r"|i'm |i am |all )?(?:fine|good|ok(?:ay)?|happy) (?:with|by|for) (?:me|us|that|it)\b"
    r"|(?:that )?works(?: for (?:me|us))?\b|(?:that )?sounds? (?:good|right|fine|great|like a plan)|(?:let's "
    r"|let us )?go (?:with|for) (?:that|it|this)\b"
    r"|(?:let's |please )?do (?:that|it that way|it like that|so)\b|(?:then |so )(?:that|this)(?: one)?\b|that one\b"
    r"|as you (?:say|suggest\w*|propose\w*)|make it so"
    r"|einverstanden|abgemacht|(?:so |das |dann )?machen wir(?: (?:das|es))?(?: so)?|mach(?:t|en sie)? (?:das"
    r"|es)(?: so)?\b|in ordnung|geht klar|passt(?: so| für mich| mir)?\b"
    r"|von mir aus|(?:dann|also) (?:das|so)\b|bin dafür|meinetwegen"
    r"|de acuerdo|me parece (?:bien|perfecto|bueno)|trato hecho|así(?: está bien| quedamos)?\b"
    r"|(?:entonces )?eso(?: entonces)?\b|por mí (?:bien|vale)|hazlo así"
    r"|d'accord|entendu|ça marche|ça me (?:va|convient)|(?:on fait|faisons|fais) (?:ça|comme ça|ainsi)|va pour"
    r"|alors ça|pour moi c'est bon|c'est (?:bon|d'accord)"
    r"|同意|没问题|就这样|就这么\w{1,2}|就按\w{1,6}|那就|可以|没意见|成交"
    r"|賛成|それで(?:いい|お願い|いこう|行こう)?|そうして|そうしましょう|そうしよう|いいと思)"
)
# Yes when nothing but a comma follows: said of anything that pleases.
LIGHT = (
    r"(?:ok(?:ay)?|k|nice|cool|sure|right|correct|exactly|perfect|fine|good|great|please(?: do)?|of course|absolutely"
    r"|definitely|go ahead|do it|super|klar|gut|genau|"
    r"gern(?:e)?|stimmt|richtig|perfekt|bitte|vale|claro|bueno|bien|perfecto|exacto|correcto|adelante|hazlo|si|parfait"
    r"|exact|voilà|bien sûr|"
    r"très bien|vas-y|ok pour moi|好啊|好吧|当然|了解|いいよ|いいです(?:ね)?|お願い(?:します|ね)?|そうです(?:ね)?"
    r"|大丈夫(?:です)?|もちろん)"
)
DENIAL = (
    r"(?:nope|nah|nein|nee|non|no|not|doch nicht|不是|不用|不要|不行|不对|不|别|没有|いや|いいえ|違う|違います|ううん)"
)
END = r"(?=\s*(?:[,.;:!、，。！；…–—-]|$))"
# Neither: it is put off, or left to the other.
UNSURE = (
    r"\b(?:not sure|(?:don'?t|do not) know|dunno|no idea|maybe|perhaps|later|let me (?:think|see|check)|you (?:decide"
    r"|choose)|up to you|whatever|depends|why|hmm+"
    r"|keine ahnung|wei(?:ß|ss) (?:ich )?nicht|vielleicht|später|mal sehen|egal|unsicher|no sé|quizás?|tal vez|luego"
    r"|depende|da igual|ya veremos"
    r"|(?:je )?(?:ne )?sais pas|peut-être|plus tard|on verra|aucune idée|ça dépend)\b|不知道|不确定|也许|可能|再说"
    r"|随便|想想|考虑|わからない"
    r"|分からない|たぶん|後で|かも|考え|どっちでも"
)
# Thanks, greetings and jokes answer nothing.
SOCIAL = (
    r"\b(?:thanks?|thank you|thx|cheers|hi|hello|hey|morning|bye|lol|haha\w*|wow|yay|aw+|congrat\w*|bravo"
    r"|danke\w*|hallo|moin|tschüss|gracias|hola|adiós|jaja\w*|merci|bonjour|salut|ptdr|mdr|felicidades"
    r"|félicitations|glückwunsch)\b"
    r"|谢谢|你好|再见|哈哈|辛苦|恭喜|おめでとう|ありがとう|こんにちは|お疲れ|おはよう"
)


# Said when what was said before is taken back or put right.
CORRECTS = (
    r"\b(?:hang on|hold on|wait|sorry|scratch that|correction|actually|i mea?nt|(?:that|it)(?:'s| is| was) wrong"
    r"|not \S+ but|no longer|instead"
    r"|moment|warte|halt|korrektur|ich meinte?|eigentlich|stimmt nicht|nicht \S+,? sondern|doch nicht|statt(?:dessen)?"
    r"|i said .{1,40}\bbut|ich sagte|dije|j'ai dit|entschuldigung|verzeihung|disculpa|excuse[zs]?|désolée?"
    r"|espera|perd[oó]na?|corrección|en realidad|quise decir|mejor dicho|sino|en vez"
    r"|attends|pardon|correction|en fait|je voulais dire|finalement|plutôt|au lieu)\b"
    r"|,? not (?:on |at |in |the )*[\d\"'`]|不对|等等|说错|更正|其实|而不是|不是.{1,12}(?:是|，)|訂正|間違|すみません"
    r"|ごめん|抱歉|不好意思|じゃなくて|ではなく|やっぱり|待って"
)
# Said behind what somebody wants or has found: why, or what helped.
EXPLAINS = (
    r"\b(?:otherwise|or else|because|(?:it |that |which )?(?:helped|fixed|solved)|works? (?:now|again|fine)|sonst"
    r"|nämlich|weil|geholfen|behoben|gelöst|(?:läuft|geht) (?:wieder|jetzt)|si no|porque|ya (?:va|funciona)"
    r"|arreglad[oa]|solucionad[oa]|sinon|parce que|réglé|résolu|(?:re)?marche (?:bien|de nouveau|maintenant))\b"
    r"|不然|否则|因为|就好了|解决了|修好|直り|治り|動きました|解決し"
    r"|(?:だと|ないと|すると)[^。]{1,12}(?:ない|なる|ます)|(?:から|ので)[。]?\Z"
)
# A wish that is put as a question.
REQUEST = (
    r"\W*+(?:(?:please|hey|ok(?:ay)?|and|also|so|bitte|por favor|oye|et|y|und)[,\s]+)*(?:[^,，?？.!]{1,30}[,，]\s*)?"
    r"(?:(?:can|could|would|will) (?:you|we|u)\b|would you mind\b|would it (?:kill|hurt|bother) you\b"
    r"|(?:why don't|how about|what if) (?:you|we)\b|(?:würde?s?t?|macht) es dir .{0,12}(?:ausmachen|etwas aus)\b"
    r"|te (?:importaría|molestaría|costaría)\b|(?:ça|cela) (?:te|vous) (?:dérangerait|embêterait|gênerait)\b"
    r"|(?:kannst|könntest|könnt|können|könnten|würdest|würden|magst) (?:du|ihr|sie)\b|(?:me )?(?:puedes|podrías|puede"
    r"|podría|podéis)\b"
    r"|(?:est-ce que )?(?:tu peux|peux-tu|pourrais-tu|tu pourrais|vous pouvez|pouvez-vous|pourriez-vous)\b|(?:请|你|您"
    r"|麻烦)*(?:能不能|可不可以|可以|能)|[^。？！?!]{1,12}?(?:能不能|可不可以|能否)"
    r"|.*(?:もらえ|くれ|いただけ|ください))"
)
# "Stop that", behind the question why it is done; what a wish leaves out; and for the moment only.
STOPS = (
    r"\W*(?:(?:please|just|bitte|por favor|s'il (?:te|vous) plaît|请|もう)[,\s]*)?(?:(?:stop|quit|drop|cut) (?:that|it"
    r"|this|doing)\b|lass(?:t|en sie)? (?:das|es)\b|hör(?:t|en sie)? (?:bitte )?(?:damit )?auf\b|déjalo\b|deja de\b"
    r"|para ya\b|arrête[zr]?\b|别(?:这样|再)|不要(?:这样|再)|やめて)"
)
OMITS = (
    r"\b(?:leave .{1,40} out|spare (?:me|us)|skip|avoid|weglass\w*|lass .{1,40} weg|evitar|omitir|éviter|omettre)\b"
    r"|省|略"
)
# How somebody wants to be written to, of no one thing: "dates as ISO"; "the date" is one thing, now.
MANNER = (
    r"\b(?:(?:writ(?:e|ing)|answer(?:ing)?|reply(?:ing)?|keep(?:ing)?|format(?:ting)?|spell(?:ing)?)\b"
    r"(?!.*\b(?:the|this|that|these|those|an?)\b).* (?:as|in|with|without|small|short|\w+er)\b"
    r"|call(?:ing)? me (?-i:[A-Z])"
    r"|us(?:e|ing) (?:\w+ )?\w+s\b|duzen\b|siezen\b|(?:als|in|mit|auf|ohne) \w+ (?:schreiben|antworten)\b"
    r"|tutear\w*|(?:escribir|responder)(?!.* (?:el|la|una?|est[ea])\b).* (?:en|con|sin)\b|tutoyer\b|vouvoyer\b"
    r"|(?:écrire|répondre)(?!.* (?:le|la|une?|cet?|cette)\b).* (?:en|avec|sans)\b)"
    r"|用.{1,12}(?:写|回复|回答)|で(?:書い|答え|返信)"
)
NOW = (
    r"\b(?:yet|right now|just now|for now|today|noch nicht|gerade|heute|todavía|hoy|pas encore|aujourd'hui)\b"
    r"|先|今天|今日|まだ"
)
# What somebody is about to do, or would; and what is proposed or suggested.
INTENDS = (
    r"\b(?:i'd|i would|i'll|i will|i can|i could|let's|let me|i suggest|i propose|i recommend|ich (?:würde|werde|kann"
    r"|könnte|schlage|empfehle)"
    r"|propongo|sugiero|recomiendo|haría|dejaría|pondría|podría|voy a|je (?:vais|peux|pourrais|suggère|propose"
    r"|recommande))\b"
    r"|我(?:建议|提议|打算|会|来|可以)|しましょう|ましょう|つもり|提案|おすすめ|します[。.]?$"
)
PROPOSES = (
    rf"{INTENDS}|\b(?:we'll|could|should|shall|would|how about|what about|plan to|werde\w*|würde\w*|soll(?:te)?n?"
    rf"|könnten?|vorschlag|podr\w+|deber\w+|pourrai\w+|devrai\w+)\b"
    r"|(?:^|[.!] )(?:je|j'|¿(?!c[uó])[^\W\d_]+o\b)[^.!?]+[?]"
    r"|建议|提议|应该|不如|要不|好吗|行吗|可以吗|べき|予定|よろしい|いいですか"
)
# A question though no mark says so; and a mark that only asks for a nod.
ASKS = (
    r"(?:(?:and|but|so|ok|und|aber|y|et|mais) )*(?:what|whose|who|when|where|why|how|which|what if|if (?:we|i|they"
    r"|it) (?:only|just)|was|wer|wessen|wann|wo|warum|wie|welche\w*|qué|quién|cuándo|dónde|por qué|cómo"
    r"|cuál|que se passe|qui|quand|où|pourquoi|comment|quel\w*)\b(?:['’]\w+)?(?!.*,)(?: \S+){0,8}\W*\Z"
)
# A request in the order of a question: no mark is needed.
INVERTED = (
    r"\W*(?:(?:please|hey|ok(?:ay)?|and|so|bitte|und|et)[,\s]+)*(?:(?:can|could|would|will) (?:you|u)\b"
    r"|(?:kannst|könntest|könnt|würdest) (?:du|ihr)\b|(?:peux|pourrais)-tu\b|(?:pouvez|pourriez)-vous\b)"
)
NODS = r", (?:is|are|was|were|do|does|did|has|have|ca|wo|would|could|should)n['’]?t (?:it|we|you|they|he|she)\W*\Z"
TAG = (
    r"[,，、] ?(?:ok(?:ay)?|right|alright|yeah|please|you know|oder|ja|gell|ne|klar|vale|no|verdad|sí|hein|non|d'accord"
    r"|n'est-ce pas|好吗|好不好|行吗|可以吗|对吧|ね|よね) ?[?？]\W*\Z"
)
# An offer of the next step.
OFFER = (
    r"\b(?:(?:shall|should|can|may|could) i|(?:do you )?want me to|would you like me to|like me to|soll ich|sollen wir"
    r"|möchte(?:st du|n sie),? dass ich|darf ich"
    r"|quieres que|te parece si|lo hago|veux-tu que|voulez-vous que|je (?:le )?fais|tu veux que)\b|要我|需要我|我来"
    r"|しましょうか"
    r"|ましょうか"
)
# Chosen from what was laid out: "la granja entonces", "b, minus the cache".
THEN = (
    r"\b(?:then|dann|entonces|alors|rather|lieber|mejor|plutôt)\W*$|^(?:then|dann|entonces|alors|rather|lieber|mejor"
    r"|plutôt)\b"
    r"|^(?:the (?:first|second|third|last|former|latter|other)|option|[a-e1-9])\b(?! \w+ \w+ \w+ \w+)|^那?就|^选"
    r"|^第[一二三]"
    r"|にします|がいい"
)
# With which an agent opens a talk: whatever is said next does not answer it.
OPENS = (
    r"\b(?:(?:how|what) (?:can|may|could|shall|should|do|would) (?:i|we|you) (?:\w+ ){0,2}?(?:help|do|start|begin|need"
    r"|want|like)(?: (?:you|today|now|first|with|to do|me to do|for you))*\W*\Z|what(?:['’]s| is) (?:up|new|next"
    r"|on your mind)|where (?:do|shall|should) we (?:start|begin)"
    r"|(?:any(?:thing|body)?|what) (?:is |else )?(?:new|fun|going on|up)\b|how(?: are you|['’]s (?:it|everything))"
    r"|wie geht|quoi de neuf|(?:comment )?ça va\b|qué tal\b|cómo (?:estás|va)"
    r"|womit .{0,12}(?:fangen|beginnen|starten|helfen)|wie kann ich .{0,12}helfen|was (?:kann|soll|darf) ich .{0,16}tun"
    r"|was (?:steht an|gibt['’]?s)|en qué (?:te|le|os|puedo)|cómo (?:te|le|puedo) ayud\w+|qué (?:hacemos|necesitas)\b"
    r"|por dónde empezamos|(?:que|comment|en quoi) puis-je|par quoi (?:on )?commen\w+)"
    r"|(?:做|干)(?:点|些)?(?:什么|啥)|最近怎么样|元気(?:です)?か|有什么.{0,6}(?:帮|需要)|从哪.{0,3}开始|何を(?:しま|お手伝|始め)|何から|ご用件"
)
FIGURE = (
    rf"{FILLER}\W{{0,3}}(?:(?:make (?:it|that)|say|rather|more like|nimm|mach(?:en wir)?|eher|lieber|besser|sagen wir"
    rf"|pon|que sean|mejor|digamos|mets|plutôt|disons|改成|改为)\s?)?\d[\d.,:]*(?: ?[^\W\d_]{{1,8}})?\W*\Z"
)
CHOICE = r"\b(?:or|oder|o|ou|options?|opciones|optionen)\b|还是|或者|[(（]?[AB1][)）]|それとも|または"


class Reply(NamedTuple):
    """How a sentence answers.

    kind   yes, no, value
    firm   2: it settles what was said, in so many words; 1: it agrees; 0: it may be no more than praise
    rest   what it says beyond yes and no
    """

    kind: str
    firm: int
    rest: str


def reply(text: str, *, asked: str) -> Reply | None:
    """Return how a sentence answers what was asked or stated, None when it does not.

    >>> reply("yes, and Fatima signs off", asked="I could share the folder.")
    Reply(kind='yes', firm=1, rest='and Fatima signs off')
    >>> reply("50", asked="Page size?"), reply("50", asked="The tests pass.")
    (Reply(kind='value', firm=2, rest='50'), None)
    """
    text = compiled(r"\A[^?？.!。！]{1,40}[?？]\s*(?=\S)").sub("", text)  # "vegan? no, …"
    if is_question(text) or _matches(ASKS, text):
        return None
    short = is_short(text)
    said = compiled(FILLER, re.I).sub("", text, count=1)
    if short and _found(UNSURE, said):
        return None
    if found := _agreed(text):
        return found
    if _found(SOCIAL, text) and short:
        return None
    if _matches(FIGURE, text) and proposes(asked):
        return Reply(VALUE, firm=2, rest=said)
    if is_question(asked) or (short and _found(THEN, text)) or _chooses(text, asked):
        return Reply(VALUE, firm=2, rest=text)
    return None


def _agreed(text: str) -> Reply | None:
    """Return the yes or no with which a text begins, however often it is said: "yes, do that"."""
    kind, firm, rest = "", 0, text
    while rest:
        said = next(((m, k, f) for p, k, f in PATTERNS if (m := compiled(rf"{FILLER}(?:{p})", re.I).match(rest))), None)
        if said is None or (kind and said[1] != kind):
            break
        kind, firm = said[1], max(firm, said[2])
        rest = rest[said[0].end() :].strip(" ,.;:!、，。！；…–—-")
    if _found(SOCIAL, rest):
        rest = ""
    return Reply(kind, max(firm, int(bool(rest))), rest) if kind else None


def is_question(text: str) -> bool:
    """Return whether a text ends with a question."""
    return (
        compiled(r"[?？][\"'”’»」』)）\]*_~\s]*\Z|(?:吗|呢|ですか|ますか|でしょうか)[。.]?\Z").search(text) is not None
    )


def without_tag(text: str) -> str:
    """Return a statement without the question behind it that only asks for a nod.

    >>> without_tag("nobody gives him aspirin for his back, ok?"), without_tag("Ok?")
    ('nobody gives him aspirin for his back', 'Ok?')
    """
    tag = compiled(TAG, re.I).search(text) if text.endswith(("?", "？")) else None
    return text[: tag.start()] if tag and tag.start() > TAG_CHARS else text


def is_short(text: str) -> bool:
    """Return whether a text is no longer than a value."""
    return len(text) <= VALUE_CHARS and len(text.split()) <= VALUE_WORDS


def is_standing_wish(text: str) -> bool:
    """Return whether a question asks for nothing but says what shall hold from now on.

    >>> is_standing_wish("can you stop writing those long summaries?"), is_standing_wish("can you run it?")
    (True, False)
    """
    return (_matches(REQUEST, text) and is_standing(text)) or _found(rf"[?？]\s*{STOPS}", text)


def is_refusing_wish(text: str) -> bool:
    """Return whether a question asks that something be left out or left alone.

    >>> is_refusing_wish("would you mind not explaining each flag?"), is_refusing_wish("could you check it?")
    (True, False)
    """
    return _matches(REQUEST, text) and (is_denied(text) or _found(OMITS, text)) and not _found(NOW, text)


def is_wish_of_manner(text: str) -> bool:
    """Return whether a question asks how its speaker wants to be written to, of no one thing.

    >>> is_wish_of_manner("would you mind writing dates as ISO?"), is_wish_of_manner("could you write the date down?")
    (True, False)
    """
    return _matches(REQUEST, text) and _found(MANNER, text) and not _found(NOW, text)


def stops(text: str) -> bool:
    """Return whether a sentence wishes that what was just asked about would end."""
    return _matches(STOPS, text)


def is_offer(text: str) -> bool:
    """Return whether a question offers the next step, and names nothing that outlasts it."""
    return _found(OFFER, text) and not (is_standing(text) or _found(rf"\d|{CHOICE}", text))


def opens(text: str) -> bool:
    """Return whether a question only opens a talk.

    >>> opens("Womit fangen wir an?"), opens("What can I do for you?"), opens("What do we need for the choir?")
    (True, True, False)
    """
    return _found(OPENS, text)


def proposes(text: str) -> bool:
    """Return whether something is proposed or intended."""
    return is_question(text) or _found(PROPOSES, text)


def leaves_open(text: str) -> bool:
    """Return whether an answer settles what was said: a proposal, an offer, a choice, a point of a list.

    >>> [leaves_open(t) for t in ("Shall I drop the CSV format?", "Page size?", "Do they enjoy wearing the hats?")]
    [True, True, False]
    """
    return _found(PROPOSES, text) or _found(OFFER, text) or _found(CHOICE, text) or len(text.split()) <= POINT_WORDS


def intends(text: str) -> bool:
    """Return whether somebody says what he is about to do, or would."""
    return _found(INTENDS, text)


def asks(text: str) -> bool:
    """Return whether a sentence asks, with a mark or without."""
    return is_question(text) or _matches(ASKS, text) or _matches(INVERTED, text) or _found(NODS, text)


def is_doubt(text: str) -> bool:
    """Return whether an answer is no more than a doubt."""
    return len(text.split()) <= DOUBT_WORDS and len(text) <= VALUE_CHARS and _found(UNSURE, text)


def corrects(text: str) -> bool:
    """Return whether a sentence puts right what was said before."""
    return _found(CORRECTS, text)


def explains(text: str) -> bool:
    """Return whether a sentence says why, or what helped."""
    return _found(EXPLAINS, text)


def denies(text: str) -> bool:
    """Return whether a sentence begins by denying what was said before."""
    return (found := _agreed(text)) is not None and found.kind == NO


def is_social(text: str) -> bool:
    """Return whether a sentence thanks, greets or laughs."""
    return _found(SOCIAL, text)


def is_courtesy(text: str) -> bool:
    """Return whether a text only thanks, greets or agrees: nothing is asked for, and nothing said.

    >>> [is_courtesy(each) for each in ("thanks, great!", "Ja, gern", "thanks, and where are they", "hi?")]
    [True, True, False, False]
    """
    if is_question(text):
        return False
    agreed = reply(text, asked="")
    rest = compiled(SOCIAL, re.I).sub(" ", text)
    is_bare = len(content_words(rest)) <= 1 and len(rest.split()) <= COURTESY_WORDS
    return (is_social(text) and is_bare) or (agreed is not None and not agreed.rest)


def _chooses(text: str, asked: str) -> bool:
    """Return whether a sentence begins with one of the choices that were laid out."""
    first = compiled(r"\W*([^\W_]+)").match(text)
    return bool(first and _found(CHOICE, asked) and _found(rf"\b{re.escape(first[1])}\b", asked))


PATTERNS = (
    (FIRM, YES, 2),
    (PLAIN, YES, 1),
    (LIGHT + END, YES, 0),
    (rf"(?:{DENIAL}[\s,]+)*{DENIAL}{END}|(?:(?:nah|nope|nein|nee|non)(?!\w)|いや|哎?不对)\s?", NO, 1),
)


def _found(pattern: str, text: str) -> bool:
    return compiled(pattern, re.I).search(text) is not None


def _matches(pattern: str, text: str) -> bool:
    return compiled(pattern, re.I).match(text) is not None
