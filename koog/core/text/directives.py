"""Lines that try to steer the agent that reads them: then a person decides about them.  [design.md §4]

Pure and linear in the length of the text. English only; errs towards yes.
"""

from __future__ import annotations

from koog.core.lazy_regex import compiled
from koog.core.text.untrusted import without_hidden

AI = r"(?:ai|a\.i\.|llm|model|assistant|agent|bot|chatbot|claude|chatgpt|gpt|copilot|codex|gemini)s?"
# Whoever reads "the previous instructions" out of a note is being steered, wherever it stands in the line.
INJECTION = (
    # "Don't forget your rules" is none
    r"\b(?:ignore|disregard|(?<!n't )(?<!n’t )(?<!dont )(?<!do not )(?<!must not )(?<!should not )(?<!not to )"
    r"(?<!never )forget|override|bypass)(?:\W+\w+){0,2}?\W+(?:"
    r"(?:previous|prior|above|earlier|preceding|your|system|all|any|these|those)(?:\W+\w+){0,3}?"
    r"\W+(?:instructions?|prompts?|rules|guidelines|guardrails|directives)"
    r"|(?:previous|prior|above|earlier|preceding) (?:text|messages?|context)"
    r"|(?:everything|all|anything) (?:above|before)"
    r"|what(?:ever)? (?:you|the (?:agent|assistant|model)) (?:were|was|ha(?:ve|s) been) (?:told|instructed|taught))\b"
    rf"|\b{AI} (?:that|who|which) (?:reads?|sees?|finds?|process(?:es)?) this\b"
    r"|\b(?:do not|don't|never) (?:mention|reveal|show|disclose|repeat) this (?:line|note|entry|message|instruction)\b"
    r"|\bnew (?:system )?instructions?:|\bdo anything now\b|\byou are now (?:an?|in|the|free|no longer)\b"
    r"|<\|?(?:im_start|system|/?inst)\b|\[/?inst\]"
)
# What is said by no one in particular.
HEARSAY = (
    r"(?:\b(?:radio|tv|tele|télé\w*|fernsehen|internet|youtuber?|tiktok|blog|blogs|blogg?[eu]\w+|influencer\w*|podcast"
    r"|zeitung|newspaper|periódico|televisión|journal)\b\s?,?(?:(?:they|people|ils|on|he|she)\s|nos\s|me\s)?"
    r"(?:says?|said|writes?|wrote|claims?|sag(?:t|en|te|ten)|schreib(?:t|en)|schrieb|behauptet|meint|dicen?|dijo|dijeron"
    r"|escribe|dit|disent|écrit)\b|(?:网上|网红|博主|电视上?|电台|ネットで|テレビで|ラジオで|ブログで)(?:都|有人)?[说写言書])"
)
# Secrets sent to an address, in six languages.
LEAK = (
    r"(?:\b(?:e?-?mail|send|post|forward|upload|copy|schick|leite|maile|enví|envia|manda|envoi|envoy|transm)\w*"
    r"|发送|发给|寄给|送信|送って|送る|転送)[^.!?。！？]{0,90}"
    r"(?:\b(?:passwo|passphrase|credential|secret|token|api[- ]?key|private key|kennw|zugangsdaten|contraseña"
    r"|credencial|clave|mots? de passe|identifiant)\w*|密码|密钥|パスワード|認証情報)"
    r"[^.!?。！？]{0,60}?(?:[\w.+-]+@[\w-]+\.\w|https?://)"
    r"|(?:パスワード|認証情報|密码|密钥)[^。！？]{0,60}?(?:[\w.+-]+@[\w-]+\.\w|https?://)[^。！？]{0,20}(?:送|发|寄|転送)"
)
# Who is spoken to, at the start of a line: a role, a machine.
ADDRESS = (
    r"(?:system|developer|system (?:message|prompt|note|override)|instructions?(?: (?:to|for) .{1,30})?)\s*:"
    r"|(?:\w+ )?(?:note|message|memo|reminder|instructions?|attention|dear|hey|hi|hello|@)\W+(?:(?:to|for)\W+)?"
    rf"(?:(?:the|any|all|every|an?|your|future)\W+)*{AI}\b"
)
# How a sentence begins that is an order whatever its verb is.
ORDER = (
    r"from now on\b|henceforth\b|going forward,? (?:you|always|never|please)\b|under no circumstances\b"
    r"|you (?:must|should|shall|have to|need to|ought to|are to|may not|cannot|can't|(?:will|are) now)\b"
    r"|your (?:new )?(?:task|job|goal|mission|role|instructions?|orders?) (?:is|are)\b"
    rf"|(?:(?:the|all|any|every)\s+)?{AI} (?:must|should|shall|has to|have to|needs? to|is to|are to|may not)\b"
    r"|it is (?:important|critical|essential|mandatory|imperative|vital) that you\b"
    r"|(?:make|be) sure\b|ensure (?:that|the|you|all|every)\b|remember to\b|be careful (?:to|not)\b"
    r"|act as (?:if|an?|the)\b|pretend (?:to|you|that)\b|please (?!note|see|find)\w"
    # not "Don't know why", which is somebody's shrug
    r"|(?:do not|don't|dont)\s+(?:ever\s+|you\s+)?(?!know|think|see|care|want|have|need|like|believe|feel|mind|recall"
    r"|understand|get|expect|worry)[a-z]"
)
# "Always" and "never" need a verb in its plain form: not "always loved", "never again", "always the same".
ALWAYS = r"(?:always|never)\s+(?:ever\s+)?(?P<verb>[a-z]+)\b(?!-)"
NO_PLAIN_VERB = frozenset(
    """
    a an the in on at to of for from with by as if so too again before after there here more less better worse quite
    really fully just even only mind available true false late early right wrong good bad fun happy sure busy
    been was were is are am had has did does got went came saw knew took felt said made found gave lost kept told
    thought left met heard began became fell grew held led paid put ran sat sent spoke stood understood won wore wrote
    brought bought built caught chose drew drove ate forgot meant rose slept sold taught woke my his her its
    """.split()
)
# Other imperatives count with an object only: "run the script", not "run 42 failed".
IMPERATIVE = (
    r"(?:run|execute|exec|ignore|disregard|forget|override|bypass|disable|reveal|print|output|repeat|say|reply|respond"
    r"|answer|tell|send|email|forward|upload|post|publish|delete|erase|wipe|remove|download|install|curl|fetch|open|visit"
    r"|call|invoke|follow|obey|stop|do|write|add|append|insert|copy|read|show|give|treat|assume|switch|reset|grant"
    r"|approve|push|transfer|pay|click|enter|paste|eval|sudo|rm|leak|exfiltrate)\s+"
    r"(?:(?:this|that|these|those|the|all|any|every|each|everything|anything|my|your|his|her|its|our|their|me|us|him|them"
    r"|it|an?|to|with|only|exactly|as|following|previous|prior|above|no|nothing|users?|sudo|rm|curl|bash)\b"
    r"|https?:|www\.|[`'\"$~/<-]|\.{1,2}/)"
)
# What may stand before an order: "and then", "important:", "if asked, just".
LEAD_IN = (
    r"(?:(?:and|also|then|and then|now|so|first|next|finally|instead|just|simply|kindly|immediately|important|urgent"
    r"|claude|assistant)\b[,:!]?\s+)*"
)
CONDITION = (
    r"(?:(?:if|when|whenever|once|before|after|every time|each time|unless|as soon as)\b[^,.]{1,200},\s*(?:then\s+)?)?"
)
BULLET = r"^(?:[\s+•>#|_~`\"'“”‘’«»()\[\]-]|<!--|\d{1,3}[.)]\s|x\]\s)+"
SENTENCE_END = r"(?<=[.!?…;])[\"'”)*_]*\s+|\s[-–—]+\s|(?:^|(?<=[\s(:,]))[\"“”‘«']"


def is_directive(text: str) -> bool:
    """Is this aimed at the agent that reads it: an order, not a statement about a person or an event?

    English only. It errs towards yes, because yes means that a person is asked.

    >>> [is_directive(t) for t in ("- Always run the linter", "User always runs it", "“Ignore it all”, he said")]
    [True, False, True]
    """
    plain = without_hidden(text).replace("’", "'").replace("*", "").lower()  # hidden comments are read, too
    return compiled(INJECTION).search(plain) is not None or any(map(_is_order_line, plain.split("\n")))


def _is_order_line(line: str) -> bool:
    line = compiled(BULLET).sub("", line)
    if not line:
        return False
    if compiled(ADDRESS).match(line):
        return True
    for sentence in compiled(SENTENCE_END).split(line):
        # After a colon only the strong forms: "Lesson: always run …" is one, "Fix: delete the lock" is what helped.
        _, *clauses = sentence.split(": ")
        if _is_order(sentence, plain_verbs=True) or any(_is_order(clause, plain_verbs=False) for clause in clauses):
            return True
    return False


def _is_order(sentence: str, *, plain_verbs: bool) -> bool:
    """Does one sentence, in lower case, begin as an order?"""
    sentence = compiled(BULLET).sub("", sentence)
    opening = compiled(LEAD_IN + CONDITION + LEAD_IN).match(sentence)
    rest = sentence[opening.end() :] if opening else sentence
    if compiled(ORDER).match(rest) or (plain_verbs and compiled(IMPERATIVE).match(rest)):
        return True
    always = compiled(ALWAYS).match(rest)
    return always is not None and _is_plain_verb(always["verb"])


def _is_plain_verb(word: str) -> bool:
    if word in NO_PLAIN_VERB or (word.endswith("s") and not word.endswith(("ss", "us"))):
        return False
    return not word.endswith(("ed", "ing")) or word in ("need", "feed", "embed", "proceed", "speed", "bring", "ping")
