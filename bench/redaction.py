"""How many secrets are found before a text is written down, and how many ordinary lines are spoilt?  One JSON line.

    python -m bench.redaction

The seeded set of tests/fakes/secret_set.py: 120 texts with a secret of 25 kinds and 200 lines without one; group "a" is
for development, "b" has phrases of its own. In the same run, on the same texts, two references:

prefixes    a dozen well-known beginnings, each followed by 16 word characters or more
entropy     the rule of the usual scanners: a word of 20 characters or more, of base64 or hex letters, whose entropy
            is at least 4.5 bits a character (hex: 3.0); and a quoted value after a telling name

A secret counts as found when no six characters of its last two thirds stand together in what is left; a line is a false
hit when it is changed at all. (The name is not `secrets`: the standard library has a module of that name.)
"""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from koog.core.text.untrusted import clean
from tests.fakes.secret_set import Planted, ordinary, secrets

MIB = 1 << 20
STARTS = "AKIA ghp_ github_pat_ glpat- xoxb- xoxp- sk_live_ sk- AIza npm_ pypi- SG. hf_ eyJ hvs.".split()
PREFIX = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, STARTS)) + r")[\w.-]{16,}")
WORD = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
KEYWORD = re.compile(r"(?i)((?:password|passwd|secret|token|api_?key)\w*[\"']?\s*[:=]\s*)([\"'])([^\"'\n]{4,})\2")
LINES = ["a", "-", "token=", 'token:"', "://a:", "eyJaaaaaaaa.", "-" * 5 + "BEGIN PRIVATE KEY-----", "_token a1a1a1a1"]


def prefixes(text: str) -> str:
    return PREFIX.sub("[redacted]", text)


def entropy_rule(text: str) -> str:
    named = KEYWORD.sub(r"\1\2[redacted]\2", text)
    return WORD.sub(lambda m: "[redacted]" if is_random(m[0]) else m[0], named)


def is_random(word: str) -> bool:
    limit = 3.0 if re.fullmatch(r"[0-9a-fA-F]+", word) else 4.5
    shares = [count / len(word) for count in Counter(word).values()]
    return -sum(share * math.log2(share) for share in shares) >= limit


FINDERS: dict[str, Callable[[str], str]] = {"koog": clean, "prefixes": prefixes, "entropy": entropy_rule}


def figures(redact: Callable[[str], str], planted: list[Planted], lines: list[str]) -> dict[str, Any]:
    """Return the found share in total and of each kind that is not found whole, the false hits and the seconds."""
    started = time.perf_counter()
    cleaned = [redact(p.text) for p in planted]
    spoilt = sum(redact(line) != line for line in lines)
    seconds = time.perf_counter() - started
    of_kind = Counter(p.kind for p in planted)
    found = Counter(p.kind for p, left in zip(planted, cleaned, strict=True) if not p.left_in(left))
    return {
        "found": round(found.total() / len(planted), 4),
        "falseHits": spoilt,
        "seconds": round(seconds, 4),
        "kinds": {kind: round(found[kind] / count, 2) for kind, count in of_kind.items()},
    }


def slowest() -> dict[str, Any]:
    """Return the seconds that a line of one MiB takes at worst, of the repetitions in LINES."""
    seconds = {}
    for part in LINES:
        text = (part * (MIB // len(part) + 1))[:MIB]
        started = time.perf_counter()
        clean(text)
        seconds[part] = round(time.perf_counter() - started, 2)
    worst = max(seconds, key=lambda part: seconds[part])
    return {"line": worst, "seconds": seconds[worst]}


def main() -> None:
    clean("warm")  # the patterns are compiled at first use
    groups = {
        group: {name: figures(redact, secrets(group), ordinary(group)) for name, redact in FINDERS.items()}
        for group in ("a", "b")
    }
    goal = {"found": 0.9, "falseHits": 0}
    print(json.dumps({"bench": "redaction", "groups": groups, "slowestMiB": slowest(), "goal": goal}))


if __name__ == "__main__":
    main()
