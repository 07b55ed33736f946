"""A seeded set of texts with secrets in them, of texts without, and the judge of what was redacted.

    for planted in secrets("a"):             # 120 texts, 25 kinds
        found = not planted.left_in(clean(planted.text))
    for line in ordinary("a"):               # 200 lines
        assert clean(line) == line

Every secret is drawn at run time from random characters, so that no file holds one. Group "a" is for
development; "b" has a seed and phrases of its own (tests/fakes/secret_lines.py) and is the held-out one.
"""

from __future__ import annotations

import base64
import random
import re
import string
from collections.abc import Callable
from typing import NamedTuple

from tests.fakes.secret_lines import BLOCKS, NAMED, ORDINARY, TOKENS

Make = Callable[[random.Random], str]

SEEDS = {"a": 2026, "b": 7301}
SECRETS, LINES = 120, 200
RUN = 6  # characters of a secret that may not stand together in what is left
LETTERS = string.ascii_letters
DIGITS = string.digits
HEX = "0123456789abcdef"
BASE62 = LETTERS + DIGITS
URL64 = BASE62 + "-_"
BASE64 = BASE62 + "+/"
BASE32 = string.ascii_uppercase + "234567"
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
WORDS = "amsel birke cobalt dahlia eimer falter granit hafen ingwer jasmin kiesel laterne mistral nebula".split()


class Planted(NamedTuple):
    """A text and the secret that it holds."""

    kind: str
    text: str
    secret: str

    def left_in(self, cleaned: str) -> bool:
        """Return whether a part of the secret still stands there. Its beginning, which tells the kind, may."""
        body = re.sub(r"-----[A-Z ]+-----", "", self.secret)
        for piece in re.split(r"\s+|\\n", body):
            tail = piece[len(piece) // 3 :]
            run = min(RUN, len(tail))
            if run > 2 and any(tail[i : i + run] in cleaned for i in range(len(tail) - run + 1)):
                return True
        return False


def secrets(group: str) -> list[Planted]:
    """Return the group's texts with secrets: the kinds in turn, each kind's shapes in turn, the phrase by chance."""
    rng = random.Random(SEEDS[group])
    kinds = list(KINDS)
    return [plant(kinds[i % len(kinds)], i // len(kinds), group, rng) for i in range(SECRETS)]


def ordinary(group: str) -> list[str]:
    """Return the group's lines without secrets: every phrase in turn, its ids and sums by chance."""
    rng = random.Random(SEEDS[group])
    phrases = ORDINARY[group]
    return [filled(phrases[i % len(phrases)], rng) for i in range(LINES)]


def plant(kind: str, turn: int, group: str, rng: random.Random) -> Planted:
    shapes = KINDS[kind]
    make, phrases = shapes[turn % len(shapes)]
    secret = make(rng)
    return Planted(kind, filled(rng.choice(phrases[group]).replace("‹s›", secret), rng), secret)


def filled(phrase: str, rng: random.Random) -> str:
    """Return the phrase with its ‹names› drawn: ids, sums, words."""
    return re.sub(r"‹(\w+)›", lambda m: PARTS[m[1]](rng), phrase).replace("⏎", "\n")


# -- drawing


def some(rng: random.Random, alphabet: str, count: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(count))


def after(prefix: str, alphabet: str, least: int, most: int | None = None) -> Make:
    """Return a maker of prefix + that many characters."""
    return lambda rng: prefix + some(rng, alphabet, rng.randint(least, most or least))


def password(rng: random.Random) -> str:
    """Return a password as people and generators make them; at least a digit in each."""
    length = rng.randint(10, 20)
    generated = some(rng, BASE62 + "!#%*+-_.^~", length - 1) + rng.choice(DIGITS)
    worded = f"{rng.choice(WORDS)}-{rng.choice(WORDS)}-{rng.randint(10, 9999)}"
    mixed = f"{rng.choice(WORDS).title()}{rng.randint(100, 99999)}{rng.choice('!_.*')}{some(rng, LETTERS, 3)}"
    return rng.choice([generated, generated, worded, mixed])


def uuid(rng: random.Random) -> str:
    return "-".join(some(rng, HEX, n) for n in (8, 4, 4, 4, 12))


def slack_bot(rng: random.Random) -> str:
    kind, first, second = rng.choice("bp"), some(rng, DIGITS, 12), some(rng, DIGITS, 13)
    return f"xox{kind}-{first}-{second}-{some(rng, BASE62, 24)}"


def slack_hook(rng: random.Random) -> str:
    upper = string.ascii_uppercase + DIGITS
    parts = f"T{some(rng, upper, 10)}/B{some(rng, upper, 10)}/{some(rng, BASE62, 24)}"
    return "https://hooks.slack.com/services/" + parts


def openai(prefix: str, around: int) -> Make:
    """Return a maker of keys with the maker's mark in their middle."""
    return lambda rng: prefix + some(rng, BASE62, around) + "T3Blbk" + "FJ" + some(rng, BASE62, around)


def discord(rng: random.Random) -> str:
    user = base64.b64encode(some(rng, "123456789", 18).encode()).decode()
    return f"{user}.{some(rng, URL64, 6)}.{some(rng, URL64, 38)}"


def jwt(rng: random.Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = f'{{"sub":"{rng.randint(1, 9**9)}","jti":"{uuid(rng)}"}}'
    return f"{head}.{base64.urlsafe_b64encode(body.encode()).decode().rstrip('=')}.{some(rng, URL64, 43)}"


def basic(rng: random.Random) -> str:
    return base64.b64encode(f"{rng.choice(WORDS)}:{password(rng)}".encode()).decode()


def pem(label: str) -> Make:
    """Return a maker of a private key's whole block."""

    def make(rng: random.Random) -> str:
        body = "\n".join([*(some(rng, BASE64, 64) for _ in range(rng.randint(3, 12))), some(rng, BASE64, 38) + "=="])
        return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----"

    return make


def folded(make: Make) -> Make:
    """Return a maker of the same text on one line, as JSON writes it."""
    return lambda rng: make(rng).replace("\n", "\\n")


KINDS: dict[str, list[tuple[Make, dict[str, list[str]]]]] = {
    "aws": [
        (after("AKIA", BASE32, 16), TOKENS),
        (after("", BASE64, 40), NAMED["aws"]),
        (after("ASIA", BASE32, 16), TOKENS),
    ],
    "github": [
        (after("ghp_", BASE62, 36), TOKENS),
        (lambda rng: f"github_pat_{some(rng, BASE62, 22)}_{some(rng, BASE62, 59)}", TOKENS),
        (after("ghs_", BASE62, 36), TOKENS),
        (after("gho_", BASE62, 36), TOKENS),
    ],
    "gitlab": [
        (after("glpat-", URL64, 20), TOKENS),
        (lambda rng: f"glpat-{some(rng, URL64, 27)}.01.{some(rng, HEX, 9)}", TOKENS),
        (after("glrt-", URL64, 20), TOKENS),
    ],
    "slack": [
        (slack_bot, TOKENS),
        (slack_hook, TOKENS),
        (lambda rng: f"xapp-1-A{some(rng, BASE32, 10)}-{some(rng, DIGITS, 13)}-{some(rng, HEX, 64)}", TOKENS),
    ],
    "stripe": [
        (after("sk_live_", BASE62, 24), TOKENS),
        (after("rk_live_", BASE62, 99), TOKENS),
        (after("whsec_", BASE62, 32), TOKENS),
    ],
    "openai": [
        (openai("sk-", 20), TOKENS),
        (openai("sk-proj-", 74), TOKENS),
        (openai("sk-svcacct-", 58), TOKENS),
    ],
    "anthropic": [(lambda rng: f"sk-ant-api03-{some(rng, URL64, 93)}AA", TOKENS)],
    "openrouter": [(after("sk-or-v1-", HEX, 64), TOKENS)],
    "google": [
        (after("AIza", URL64, 35), TOKENS),
        (after("GOCSPX-", URL64, 28), TOKENS),
        (after("ya29.a0", URL64, 120, 200), TOKENS),
    ],
    "package registry": [(after("npm_", BASE62, 36), TOKENS), (after("pypi-AgEIcHlwaS5vcmc", URL64, 150), TOKENS)],
    "digitalocean": [(after("dop_v1_", HEX, 64), TOKENS), (after("doo_v1_", HEX, 64), TOKENS)],
    "sendgrid": [(lambda rng: f"SG.{some(rng, URL64, 22)}.{some(rng, URL64, 43)}", TOKENS)],
    "twilio": [(after("SK", HEX, 32), TOKENS), (after("", HEX, 32), NAMED["twilio"])],
    "telegram": [(lambda rng: f"{some(rng, '123456789', 10)}:AA{some(rng, URL64, 33)}", TOKENS)],
    "discord": [(discord, TOKENS)],
    "jwt": [(jwt, TOKENS)],
    "private key": [
        (pem("RSA PRIVATE KEY"), BLOCKS),
        (pem("OPENSSH PRIVATE KEY"), BLOCKS),
        (folded(pem("PRIVATE KEY")), NAMED["folded"]),
        (pem("EC PRIVATE KEY"), BLOCKS),
    ],
    "url": [(lambda rng: re.sub(r"[#%^]", "x", password(rng)), NAMED["url"]), (password, NAMED["dsn"])],
    "assignment": [(password, NAMED["env"]), (password, NAMED["field"])],
    "header": [(after("", BASE62, 32, 64), NAMED["bearer"]), (basic, NAMED["basic"])],
    "azure": [
        (lambda rng: some(rng, BASE64, 86) + "==", NAMED["azure storage"]),
        (lambda rng: some(rng, BASE64, 43) + "=", NAMED["azure bus"]),
    ],
    "hugging face": [(after("hf_", LETTERS, 34), TOKENS)],
    "cloudflare": [(after("", URL64, 40), NAMED["cloudflare"]), (after("", HEX, 37), NAMED["cloudflare"])],
    "vault": [(after("hvs.", URL64, 91, 100), TOKENS), (after("hvb.", URL64, 138), TOKENS)],
    "age": [(after("AGE-SECRET-KEY-1", BECH32, 58), TOKENS)],
}

PARTS: dict[str, Make] = {
    "sha1": after("", HEX, 40),
    "sha7": after("", HEX, 7),
    "md5": after("", HEX, 32),
    "sha256": after("", HEX, 64),
    "uuid": uuid,
    "sri": lambda rng: some(rng, BASE64, 86) + "==",
    "b64": lambda rng: "iVBORw0KGgo" + some(rng, BASE64, 301),
    "key64": after("", BASE64, 68),
    "word": lambda rng: rng.choice(WORDS),
    "n": lambda rng: str(rng.randint(2, 9999)),
    "day": lambda rng: f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
    "colour": after("#", HEX, 6),
    "digits": after("", DIGITS, 9),
    "ip": lambda rng: f"10.{rng.randint(0, 255)}.{rng.randint(0, 255)}.{rng.randint(1, 254)}",
    "base58": after("", BASE62, 21),
    "bech32": lambda rng: some(rng, BECH32, 58).lower(),
}
