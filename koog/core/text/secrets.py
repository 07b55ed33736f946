"""Secrets in a text: API keys, private keys, passwords, bearers.  [design.md §4]

Pure and linear in the length of the text. A line break is "\\n" here, and none is ever
lost, so that file:line stays true. Everything errs towards hiding too much, except
where an ordinary line would be spoilt: those are listed in the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

MARK = "[redacted:"  # a text that holds it was redacted before


class Secret(NamedTuple):
    """A secret's kind and where it lies: text[start:end]."""

    kind: str
    start: int
    end: int


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
    (
        "gitlab",
        "glpat- glptt- gldt- glrt- glcbt- gloas- glsoat- glft- glagent- glimt-",
        r"gl[a-z]{2,7}-[\w-]{20,}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?",
    ),
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
    # From the start of a word only: looked for at every eyJ, a text of nothing else takes quadratic time.
    (
        "jwt",
        "eyJ",
        r"(?:(?:(?<![\w-])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))eyJ[\w-]{8,}|(?<=KEY-----)eyJ[\w-]{8,500})"
        r"\.eyJ[\w-]{8,}\.[\w-]{8,}",
    ),
    ("age", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
)
PARTS = [(part, kind, shape) for kind, parts, shape in TOKENS for part in parts.split()]
# A word begins after anything but a letter or digit, after an escaped line break ("\nghp_…" in raw JSON) and after %3D.
WORD_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))"

PASSWORDS = (
    r"pass(?:wor[dt]|wd|phrase|code)|pwd|kennwort|mot de passe|contraseña|"
    r"(?-i:PASS(?<=_PASS))|(?:admin|db|ftp|mail|root|smtp|user)_?pass"  # SMTP_PASS, dbPass; not `first_pass`
)
OTHER_SECRETS = (
    r"secret|token(?<!pagetoken)(?<!page[_-]token)|credential|"  # a page token is a place in a list
    r"(?:api|app|secret|access|private|encryption|signing|master|account|auth|license|consumer|shared)[_. -]?key"
)
BARE = r"[^\s\"'`“”‘’«»,;()\[\]{}<>&|\\]|\\(?![nrt\"'\\])"  # a character of a value without quotes
# Name, separator, value. The name is the end of an identifier, so that `passwordField=` and `token budget:` are none;
# **name**: and \"name\": \"value\" (JSON inside JSON) are some. The letters are those a name may begin with: a
# glance that saves half the time.
ASSIGNMENT = (
    rf"(?=[acdefklmprstu])(?<!\[redacted:)(?:(?P<password>{PASSWORDS})|(?P<secret>{OTHER_SECRETS}))"
    r"(?P<sep>\\*[\"'`*]{0,2}\]?[ \t]*(?::=|=>|[:=])[ \t]*\\*)"
    r"(?:(?P<quote>[\"'`])(?P<quoted>(?:(?!(?P=quote))[^\n]){1,4096})(?:(?P=quote)|$)"
    rf"|(?P<bare>(?:{BARE}){{6,256}}))"
)
# Options and settings with a blank between name and value: --api-key VALUE, ENV APP_TOKEN VALUE.
ARGUMENT = rf"[_-](?:{PASSWORDS}|{OTHER_SECRETS})[ \t]+[\"'`]?(?P<value>(?:{BARE}){{8,}})"
BEARER = (
    r"(?:\bauthorization\\*[\"']?[ \t]*[:=][ \t]*\\*[\"']?(?:(?:bearer|(?P<basic>basic)|token|bot|apikey)[ \t]+)?"
    r"|\bbearer[ \t]+)"
    r"(?P<value>[\w.~+/=-]{8,})"
)
# In lower case: one of these is in whatever the expressions above find.
SECRET_WORDS = ("pass", "pwd", "kennwort", "contrase", "secret", "token", "credential", "key")
BEARER_WORDS = ("bearer", "authorization")
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
MASK = r"[$<{…]|\.{3}|your|%(?:[sdr]$|\(|\w+%$)|.*[_-](?:your[_-]|(?:\.{3}|…)$)"
CODE = compiled(r"(?!.*\d{3})[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\.?$")  # os.environ, settings.SECRET
SHAPED = r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])"  # a digit and a letter
BASE64_KEY = r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?:[\w+/]{40}|[\w+/]{43}=)$"  # one of 64 begins like a path


def redact_secrets(text: str) -> str:
    """Return the text with each secret replaced by "[redacted:kind]"; doing it twice changes nothing more.

    >>> redact_secrets("url = postgres://app:s3cr3t@db/app")
    'url = postgres://app:[redacted:password]@db/app'
    """
    out, last = [], 0
    for kind, start, end in find_secrets(text):
        out += [text[last:start], f"{MARK}{kind}]", line_breaks(text[start:end])]
        last = end
    return "".join((*out, text[last:]))


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets of a text in order, none overlapping; of an assignment or URL only the value."""
    found = [*_tokens(text), *_private_keys(text), *_url_passwords(text)]
    low = text.lower()
    if any(word in low for word in BEARER_WORDS):  # almost no text has one: its expressions are not even compiled
        found += _bearers(text)
    if any(word in low for word in SECRET_WORDS):
        found += [*_assignments(text), *_arguments(text)]
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
    for kind, shape in dict.fromkeys((kind, shape) for part, kind, shape in PARTS if part in text):
        for match in compiled(f"{WORD_START}(?:{shape})[A-Za-z0-9_-]*", re.ASCII).finditer(text):
            if not _is_filled_up(match[0]):
                yield Secret(kind, *match.span())


def _private_keys(text: str) -> Iterator[Secret]:
    begins = list(compiled(PEM_BEGIN).finditer(text)) if "PRIVATE KEY" in text else []
    for i, begin in enumerate(begins):
        limit = begins[i + 1].start() if i + 1 < len(begins) else len(text)
        end = compiled(PEM_END).search(text, begin.end(), min(limit, begin.end() + PEM_LONGEST))
        rest = end or compiled(PEM_REST).match(text, begin.end(), limit)
        yield Secret("private-key", begin.start(), rest.end() if rest else begin.end())


def _url_passwords(text: str) -> Iterator[Secret]:
    if "://" in text:
        for match in compiled(URL_LOGIN).finditer(text):
            if not _is_mask(match["value"]):
                yield Secret("password", *match.span("value"))


def _bearers(text: str) -> Iterator[Secret]:
    for match in compiled(BEARER, re.IGNORECASE | re.ASCII).finditer(text):
        mixed = match["basic"] and compiled(r"[a-z][A-Z]").search(match["value"])  # base64 has not always a digit
        if mixed or any(c.isdigit() for c in match["value"]):  # prose about bearers has words there
            yield Secret("authorization", *match.span("value"))


def _assignments(text: str) -> Iterator[Secret]:
    pattern = compiled(ASSIGNMENT, re.IGNORECASE | re.MULTILINE | re.ASCII)
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
            rest = None if match["quote"] else compiled(f"(?:{BARE})*").match(text, end)  # past the first 256
            start = rest.end() if rest else end
            yield Secret("password" if match["password"] else "secret", begin, start)


def _arguments(text: str) -> Iterator[Secret]:
    """Only a value with digits and letters: a blank separates words of prose and code, too."""
    for match in compiled(ARGUMENT, re.IGNORECASE | re.ASCII).finditer(text):
        value = match["value"]
        if compiled(SHAPED).match(value) and not (_is_mask(value) or _is_path(value) or CODE.match(value)):
            yield Secret("secret", *match.span("value"))


def _is_mask(value: str) -> bool:
    """Is this a mask, a variable or a gap to fill in: ***, $NAME, <your key>, {{key}}, %s, your-key-here, sk-...?"""
    if MARK in value or len(set(value)) == 1:
        return True
    return compiled(MASK, re.IGNORECASE).match(value) is not None or _is_filled_up(value)


def _is_filled_up(value: str) -> bool:
    """Is most of this one letter, as people write in place of a secret: ghp_xxxxxxxxxxxx?"""
    run = compiled(r"([xX0*.•_-])\1{5,}").search(value)
    return run is not None and 2 * len(run[0]) >= len(value)


def _is_path(value: str) -> bool:
    return value.startswith(("/", "~", "./", "../", "http")) and not compiled(BASE64_KEY).match(value)


def _is_quoted_secret(match: re.Match[str], value: str) -> bool:
    """Quotes mean a value, unless it is a sentence (a label, a help text); only a passphrase has spaces."""
    if len(value) < 6 or _is_mask(value) or value.lower() in NO_VALUE:
        return False
    return not re.search(r"\s", value) or match[0].lower().startswith("passphrase")


def _is_bare_secret(match: re.Match[str], value: str, following: str) -> bool:
    """Without quotes it may be code, a path or prose: `token = get_token()`, `pwd: /home/me`, `password: ask Ann`."""
    if _is_mask(value) or value.lower() in NO_VALUE or _is_path(value):
        return False
    if following in tuple("([") or CODE.match(value):
        return False
    digits = sum(c.isdigit() for c in value)
    if digits == len(value):
        return bool(match["password"])  # token: 128000 is a number
    return digits > 0 or match["sep"] == "="


# A person tells a credential in words: never remembered, whoever found it.
TOLD = (
    r"\[redacted:|\b(?:password|passphrase|passcode|passwd|pin(?: code| number)?|secret(?: key)?|api[ -]?key"
    r"|access key|auth token"
    r"|bearer|credentials?|cvv|security code|recovery codes?)\b\s*(?:for (?:\S+ ){1,4})?(?:is|are|=|:|was)\s*(?!in\b"
    r"|at\b|the\b|a\b|an\b"
    r"|stored|kept|rotated|set\b|managed|required|needed|expired|wrong|not\b|now\b|too\b|never|always|under|with|on\b"
    r"|to\b|only|by\b"
    r"|still|shared|handled|loaded|read\b|encrypted|due|missing|valid|invalid|different|known|changed|reset|your|my"
    r"|our)\S+"
    r"|(?:passwort|kennwort|zugangscode|contraseña|clave|mot de passe|mdp|密码|口令|密钥|パスワード"
    r"|暗証番号)[^.。!?\n]{0,30}?"
    r"(?:\bist\b|lautet|\bes\b|\best\b|是|为|は|[:：=])\s*(?=\S*\d)[^\s。，]{4,}"
)


def tells_credential(text: str) -> bool:
    """Return whether a sentence tells a password, a key or a pin.

    >>> tells_credential("the pin is 4711"), tells_credential("the password is stored in the vault")
    (True, False)
    """
    return compiled(TOLD, re.IGNORECASE).search(text) is not None


def line_breaks(text: str) -> str:
    """Return only the line breaks of a text, as they are written."""
    return "".join(re.findall(r"\r?\n", text))
