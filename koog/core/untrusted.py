"""Text from outside is data: secrets, private blocks, hidden characters, directives.  [design.md §4]

    clean           what may go to disk, log and git: no private block, no secret
    visible         what a person would see: no comment, no hidden character
    defang          what may stand between <name> and </name> in a prompt
    is_directive    does a line try to steer the agent? then a person decides about it

Pure and linear in the length of the text. A line break is "\\n" here, and none is ever
lost, so that file:line stays true. Everything errs towards hiding too much, except
where an ordinary line would be spoilt: those are listed in the test.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

MARK = "[redacted:"  # a text that holds it was redacted before


class Secret(NamedTuple):
    """A secret's kind and where it lies: text[start:end]."""

    kind: str
    start: int
    end: int


# --- secrets

# kind, the parts of which such a secret has one (looked for first: almost every text has none), shape. Each shape
# is tried only where no letter or digit stands directly before it, and takes in what is left of the word.
TOKENS = (
    ("anthropic", "sk-ant-", r"sk-ant-[\w-]{20,}"),
    ("openrouter", "sk-or-", r"sk-or-[\w-]{20,}"),
    ("openai", "sk-", r"sk-(?:proj-|svcacct-|admin-)[\w-]{20,}|sk-[A-Za-z0-9]{20,}"),
    ("groq", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    ("xai", "xai-", r"xai-[A-Za-z0-9]{60,}"),
    ("perplexity", "pplx-", r"pplx-[A-Za-z0-9]{32,}"),
    ("replicate", "r8_", r"r8_[A-Za-z0-9]{32,}"),
    ("huggingface", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    ("nvidia", "nvapi-", r"nvapi-[\w-]{40,}"),
    ("github", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9_]{30,}"),
    ("github", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,}"),
    ("gitlab", "glpat- glptt- gldt- glrt- glcbt- gloas- glsoat- glft- glagent- glimt-", r"gl[a-z]{2,5}-[\w-]{20,}"),
    ("slack", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("slack", "xapp-", r"xapp-\d-[A-Za-z0-9-]{10,}"),
    ("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[\w/-]{20,}"),
    ("aws", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![\w/+])"),
    ("google", "AIza", r"AIza[\w-]{35,}"),
    ("google-oauth", "GOCSPX-", r"GOCSPX-[\w-]{20,}"),
    ("google-oauth", "ya29.", r"ya29\.[\w-]{20,}"),
    ("stripe", "k_live_ k_test_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("webhook", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}=*"),
    ("twilio", "SK", r"SK[0-9a-f]{32}(?!\w)"),
    ("sendgrid", "SG.", r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    ("mailgun", "key-", r"key-[0-9a-f]{32}(?!\w)"),
    ("npm", "npm_", r"npm_[A-Za-z0-9]{36,}"),
    ("pypi", "pypi-", r"pypi-Ag[\w-]{40,}"),
    ("rubygems", "rubygems_", r"rubygems_[0-9a-f]{40,}"),
    ("docker", "dckr_", r"dckr_[po]at_[\w-]{20,}"),
    ("telegram", ":AA", r"\d{8,10}:AA[\w-]{32,}"),
    ("discord", ".", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}"),
    ("discord-webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d+/[\w-]{40,}"),
    ("digitalocean", "_v1_", r"do[opr]_v1_[0-9a-f]{40,}"),
    ("databricks", "dapi", r"dapi[0-9a-f]{32}"),
    ("azure", "8Q~", r"[\w~.]{3}8Q~[\w~.-]{31,}"),
    ("azure", "AccountKey=", r"AccountKey=[A-Za-z0-9+/]{40,}=*"),
    ("azure-sas", "sig=", r"sig=[A-Za-z0-9%]{40,}"),
    ("shopify", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("linear", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("notion", "ntn_", r"ntn_[A-Za-z0-9]{40,}"),
    ("vault", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}"),
    ("terraform", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}"),
    ("grafana", "glc_ glsa_", r"gl(?:c_[A-Za-z0-9+/]{32,}=*|sa_[A-Za-z0-9_]{32,})"),
    ("doppler", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}"),
    ("tailscale", "tskey-", r"tskey-[\w-]{16,}"),
    ("supabase", "sbp_ sb_secret_", r"sbp_[0-9a-f]{40,}|sb_secret_[\w-]{20,}"),
    ("atlassian", "ATATT3", r"ATATT3[\w=-]{60,}"),
    ("figma", "figd_", r"figd_[\w-]{36,}"),
    ("jwt", "eyJ", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
    ("age", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
)
# A word begins after anything but a letter or digit, after an escaped line break ("\nghp_…" in raw JSON) and after %3D.
WORD_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))"

PASSWORDS = r"pass(?:word|wd|phrase|code)|pwd"
OTHER_SECRETS = (
    r"secret|token|credential|"
    r"(?:api|app|secret|access|private|encryption|signing|master|account|auth|license|consumer|shared)[_. -]?key"
)
BARE = r"[^\s\"'`“”‘’«»,;()\[\]{}<>&|\\]|\\(?![nrt\"'\\])"  # a character of a value without quotes
# Name, separator, value. The name is the end of an identifier, so that `passwordField=` and `token budget:` are none;
# **name**: and \"name\": \"value\" (JSON inside JSON) are some.
ASSIGNMENT = (
    rf"(?<!\[redacted:)(?:(?P<password>{PASSWORDS})|(?P<secret>{OTHER_SECRETS}))"
    r"(?P<sep>\\*[\"'`*]{0,2}\]?[ \t]*(?::=|=>|[:=])[ \t]*\\*)"
    r"(?:(?P<quote>[\"'`])(?P<quoted>(?:(?!(?P=quote))[^\n]){1,4096})(?:(?P=quote)|$)"
    rf"|(?P<bare>(?:{BARE}){{6,256}}))"
)
BEARER = (
    r"(?:\bauthorization\\*[\"']?[ \t]*[:=][ \t]*\\*[\"']?(?:(?:bearer|basic|token|bot|apikey)[ \t]+)?|\bbearer[ \t]+)"
    r"(?P<value>[\w.~+/=-]{8,})"
)
URL_LOGIN = r"://[^\s/:@\"'<>?#]{0,256}:(?P<value>[^\s/\"'<>?#]{1,2048})@"
PEM_BEGIN = r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
PEM_END = r"-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
# What a key without its end is made of: headers, then long runs of base64, one a line (real or escaped line breaks).
PEM_REST = (
    r"(?:(?:\\[nr]|[\s>#|*\"'])+(?:[A-Za-z-]{4,20}: [^\n\\]{1,100}|[A-Za-z0-9+/=]{16,}))*"
    r"(?:(?:\\[nr]|\s)+[A-Za-z0-9+/=]{1,15}\s*\Z)?"
)
PEM_LONGEST = 64 * 1024  # characters; two markers further apart are two mentions, not one key

# What stands for a value in examples and code, and is none.
NO_VALUE = frozenset(
    """
    password passwd passphrase passcode secret token api_key apikey string required optional hidden redacted missing
    undefined changeme change_me example placeholder value default invalid expired unknown enabled disabled
    """.split()
)
CODE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\.?$")  # os.environ, settings.SECRET


def redact_secrets(text: str) -> str:
    """Return the text with each secret replaced by "[redacted:kind]"; doing it twice changes nothing more.

    >>> redact_secrets("url = postgres://app:s3cr3t@db/app")
    'url = postgres://app:[redacted:password]@db/app'
    """
    out, last = [], 0
    for kind, start, end in find_secrets(text):
        out += [text[last:start], f"{MARK}{kind}]", _breaks(text[start:end])]
        last = end
    return "".join((*out, text[last:]))


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets of a text in order, none overlapping; of an assignment or URL only the value."""
    found = [*_tokens(text), *_private_keys(text), *_url_passwords(text), *_bearers(text), *_assignments(text)]
    found.sort(key=lambda secret: secret.start)
    apart: list[Secret] = []
    for secret in found:
        if apart and secret.start < apart[-1].end:
            kind, start, end = apart[-1]
            apart[-1] = Secret(kind, start, max(end, secret.end))
        else:
            apart.append(secret)
    return apart


def _tokens(text: str) -> Iterator[Secret]:
    for kind, parts, shape in TOKENS:
        if any(part in text for part in parts.split()):
            for match in _pattern(f"{WORD_START}(?:{shape})[A-Za-z0-9_-]*", re.ASCII).finditer(text):
                yield Secret(kind, *match.span())


def _private_keys(text: str) -> Iterator[Secret]:
    begins = list(_pattern(PEM_BEGIN).finditer(text)) if "PRIVATE KEY" in text else []
    for i, begin in enumerate(begins):
        limit = begins[i + 1].start() if i + 1 < len(begins) else len(text)
        end = _pattern(PEM_END).search(text, begin.end(), min(limit, begin.end() + PEM_LONGEST))
        rest = end or _pattern(PEM_REST).match(text, begin.end(), limit)
        yield Secret("private-key", begin.start(), rest.end() if rest else begin.end())


def _url_passwords(text: str) -> Iterator[Secret]:
    if "://" in text:
        for match in _pattern(URL_LOGIN).finditer(text):
            if not _is_mask(match["value"]):
                yield Secret("password", *match.span("value"))


def _bearers(text: str) -> Iterator[Secret]:
    for match in _pattern(BEARER, re.IGNORECASE | re.ASCII).finditer(text):
        if any(c.isdigit() for c in match["value"]):  # prose about bearers has words there
            yield Secret("authorization", *match.span("value"))


def _assignments(text: str) -> Iterator[Secret]:
    pattern = _pattern(ASSIGNMENT, re.IGNORECASE | re.MULTILINE | re.ASCII)
    start = 0
    while match := pattern.search(text, start):
        start = match.end("sep")  # what looked like a value may hold the next name: token=https://…?api_key=…
        if match["quote"]:
            begin, end = start + 1, start + 1 + len(match["quoted"].rstrip("\\"))
            secret = _is_quoted_secret(match, text[begin:end])
        else:
            begin, end = start, match.end()
            secret = _is_bare_secret(match, text[begin:end], text[end : end + 1])
        if secret:
            rest = None if match["quote"] else _pattern(f"(?:{BARE})*").match(text, end)  # past the first 256
            start = rest.end() if rest else end
            yield Secret("password" if match["password"] else "secret", begin, start)


def _is_mask(value: str) -> bool:
    """Is this a mask, a variable or a gap to fill in: ***, $NAME, <your key>, {{key}}, %s, your-key-here?"""
    return MARK in value or value.lower().startswith(("$", "<", "{", "%", "...", "…", "your")) or len(set(value)) == 1


def _is_quoted_secret(match: re.Match[str], value: str) -> bool:
    """Quotes mean a value, unless it is a sentence (a label, a help text); only a passphrase has spaces."""
    if len(value) < 6 or _is_mask(value) or value.lower() in NO_VALUE:
        return False
    return not re.search(r"\s", value) or match[0].lower().startswith("passphrase")


def _is_bare_secret(match: re.Match[str], value: str, following: str) -> bool:
    """Without quotes it may be code, a path or prose: `token = get_token()`, `pwd: /home/me`, `password: ask Ann`."""
    if _is_mask(value) or value.lower() in NO_VALUE or value.startswith(("/", "~", "./", "../", "http")):
        return False
    if following in tuple("([") or CODE.match(value):
        return False
    digits = sum(c.isdigit() for c in value)
    if digits == len(value):
        return bool(match["password"])  # token: 128000 is a number
    return digits > 0 or match["sep"] == "="


# --- private blocks

# An unfinished tag counts, and so does <private/>: whoever wrote it meant something to stay private.
PRIVATE = re.compile(r"<\s*(?P<close>/?)\s*private(?![\w:-])[^<>]*(?:>|(?=<)|\Z)", re.IGNORECASE)


def strip_private(text: str) -> str:
    """Return the text without its <private>…</private> blocks, their line breaks kept.

    Depth is counted; unclosed means to the end; a closing tag too many is removed.

    >>> strip_private("a <private>b <PRIVATE why='x'>c</private> d</private> e </private>f")
    'a  e f'
    """
    return _until_stable(text, _without_private, found=PRIVATE)


def _without_private(text: str) -> str:
    out, last, depth = [], 0, 0
    for tag in PRIVATE.finditer(text):
        before = text[last : tag.start()]
        out += [_breaks(before) if depth else before, _breaks(tag[0])]
        depth = max(0, depth - 1) if tag["close"] else depth + 1
        last = tag.end()
    rest = text[last:]
    return "".join((*out, _breaks(rest) if depth else rest))


def clean(text: str) -> str:
    """Return what may go to disk, log and git: without private blocks and secrets."""
    return redact_secrets(strip_private(text))


def _breaks(text: str) -> str:
    """Return only the line breaks of a text, as they are written."""
    return "".join(re.findall(r"\r?\n", text))


def _until_stable(text: str, remove: Callable[[str], str], *, found: re.Pattern[str]) -> str:
    """Remove until nothing is found: taking one thing out can put another together ("<pri<private></private>vate>").

    Who nests that deeper than a few levels attacks; then the `<` of the rest becomes `‹`.
    """
    for _ in range(4):
        if not found.search(text):
            return text
        text = remove(text)
    return found.sub(lambda match: match[0].replace("<", "‹"), text)


# --- what a person would see

# Zero-width and joining characters, bidi controls, fillers, variation selectors but the two of emoji, musical and
# shorthand controls, interlinear marks, tags; half a surrogate pair.
HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff"
)
CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
# CSI sequences, then strings (window titles, links; unfinished ones end with the line), then the short ones. Not their
# one-byte forms: those bytes are in every text that was decoded wrongly, and would take the line with them.
ANSI = r"\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?"
COMMENT = re.compile(r"<!--.*?(?:--!?>|\Z)", re.DOTALL)


def visible(text: str) -> str:
    """Return the text without HTML comments, hidden characters, terminal escapes and control characters.

    An unclosed comment ends with the text. Tab and line break stay, carriage returns go.
    """
    text = _hidden().sub("", text)
    return _until_stable(text, lambda t: COMMENT.sub(lambda comment: _breaks(comment[0]), t), found=COMMENT)


def defang(text: str, names: Iterable[str]) -> str:
    """Return a text that opens and closes none of these tags: their `<` becomes `‹`.

    >>> defang("see </Notes > and <b>", ["notes"])
    'see ‹/Notes > and <b>'
    """
    hidden = f"[{HIDDEN}{CONTROLS}]*"
    spelled = "|".join(hidden.join(map(re.escape, name)) for name in sorted(names) if name)
    if not spelled or "<" not in text:
        return text
    return re.sub(rf"<(?=[\s/\\{HIDDEN}{CONTROLS}]*(?:{spelled})(?!\w))", "‹", text, flags=re.IGNORECASE)


# --- directives

AI = r"(?:ai|a\.i\.|llm|model|assistant|agent|bot|chatbot|claude|chatgpt|gpt|copilot|codex|gemini)s?"
# Whoever reads "the previous instructions" out of a note is being steered, wherever it stands in the line.
INJECTION = (
    r"\b(?:ignore|disregard|forget|override|bypass)(?:\W+\w+){0,2}?\W+(?:"
    r"(?:previous|prior|above|earlier|preceding|your|system|all|any|these|those)(?:\W+\w+){0,3}?"
    r"\W+(?:instructions?|prompts?|rules|guidelines|guardrails|directives)"
    r"|(?:previous|prior|above|earlier|preceding) (?:text|messages?|context)"
    r"|(?:everything|all|anything) (?:above|before))\b"
    r"|\bnew (?:system )?instructions?:|\bdo anything now\b|\byou are now (?:an?|in|the|free|no longer)\b"
    r"|<\|?(?:im_start|system|/?inst)\b|\[/?inst\]"
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
    plain = _hidden().sub("", text).replace("’", "'").replace("*", "").lower()  # hidden comments are read, too
    return _pattern(INJECTION).search(plain) is not None or any(map(_is_order_line, plain.split("\n")))


def _is_order_line(line: str) -> bool:
    line = _pattern(BULLET).sub("", line)
    if not line:
        return False
    if _pattern(ADDRESS).match(line):
        return True
    for sentence in _pattern(SENTENCE_END).split(line):
        # After a colon only the strong forms: "Lesson: always run …" is one, "Fix: delete the lock" is what helped.
        _, *clauses = sentence.split(": ")
        if _is_order(sentence, plain_verbs=True) or any(_is_order(clause, plain_verbs=False) for clause in clauses):
            return True
    return False


def _is_order(sentence: str, *, plain_verbs: bool) -> bool:
    """Does one sentence, in lower case, begin as an order?"""
    sentence = _pattern(BULLET).sub("", sentence)
    opening = _pattern(LEAD_IN + CONDITION + LEAD_IN).match(sentence)
    rest = sentence[opening.end() :] if opening else sentence
    if _pattern(ORDER).match(rest) or (plain_verbs and _pattern(IMPERATIVE).match(rest)):
        return True
    always = _pattern(ALWAYS).match(rest)
    return always is not None and _is_plain_verb(always["verb"])


def _is_plain_verb(word: str) -> bool:
    if word in NO_PLAIN_VERB or (word.endswith("s") and not word.endswith(("ss", "us"))):
        return False
    return not word.endswith(("ed", "ing")) or word in ("need", "feed", "embed", "proceed", "speed", "bring", "ping")


def _hidden() -> re.Pattern[str]:
    return _pattern(f"{ANSI}|[{HIDDEN}{CONTROLS}]")


@cache
def _pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile at first use: most commands never look for most of these."""
    return re.compile(pattern, flags)
