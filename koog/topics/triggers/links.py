"""File paths and links in a text, and the globs that topics hold against them.  Pure.  [autopoiesis §4.2]"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from koog.core.lazy_regex import compiled

MOST = 2_000  # different paths or links of one text
WORD_CHARS = 500
LINK = r"(?:https?://|\bwww\.)[^\s<>\"'`|\\^{}\[\]]+"
BARE = r"(?<![\w@./:-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|ai|co|edu|gov|eu|uk|de|ch|fr)/[\w./?=&#%~+-]*"
# Every run of such letters is looked at once: without the guard a text of one long word takes quadratic time.
PATH = r"(?<![\w./\\~@+-])[\w./\\~@+-]*[./\\]\w[\w./\\~@+-]*"
FILE = r"[\w./\\~@+-]*\.[a-z]\w*"
CHOICES = r"[\[{].*[\]}]"


def links(text: str) -> list[str]:
    """Return the links of a text, each as it stands there: with a scheme, `www.`, or a well-known host's path.

    >>> links("see https://github.com/acme/x/pull/7, or www.example.org.")
    ['https://github.com/acme/x/pull/7', 'www.example.org']
    """
    return _first(
        m[0].rstrip(".,;:!?)*_~") for pattern in (LINK, BARE) for m in compiled(pattern, re.IGNORECASE).finditer(text)
    )


def paths(text: str) -> list[str]:
    """Return the words of a text that have a folder or an extension, links aside; folders are parted by `/`.

    >>> paths("open koog/cli.py:12 and C:\\\\src\\\\a.ts, e.g. now")
    ['koog/cli.py', '/src/a.ts', 'e.g']
    """
    return _first(
        m[0].rstrip(".").replace("\\", "/")
        for m in compiled(PATH).finditer(compiled(LINK, re.IGNORECASE).sub(" ", text))
    )


def is_whole(text: str) -> bool:
    """Return whether a text is one link, or one file name with its extension, and nothing besides.

    >>> is_whole("https://github.com/a/b/pull/7"), is_whole("src/poetry.lock"), is_whole("deploy"), is_whole("v2.15")
    (True, True, False, False)
    """
    return any(compiled(pattern, re.IGNORECASE).fullmatch(text) for pattern in (LINK, BARE, FILE))


def is_plain(glob: str) -> bool:
    """Return whether a glob is a mere name: `Makefile` looks like any word, and is found as one."""
    return not set("*?[{/") & set(glob)


@lru_cache(maxsize=8192)
def path_pattern(glob: str) -> re.Pattern[str]:
    """Return the pattern of a line that is a path which fits a glob; one without a slash asks for the name alone.

    `*` and `?` stay within a folder, `**` crosses folders, `[…]` and `{a,b}` are choices; letters
    fit in either case. Raises re.error for a range that runs backwards.

    >>> bool(path_pattern("src/**/*.{ts,tsx}").search("app/src/ui/a.tsx"))
    True
    """
    body = _translated(glob.removeprefix("./").removeprefix("/"))
    return re.compile(rf"^(?:.*/)?{body}$", re.IGNORECASE | re.MULTILINE)


@lru_cache(maxsize=8192)
def link_pattern(glob: str) -> re.Pattern[str]:
    """Return the pattern of a line that is a link which fits a host, the beginning of a link, or a glob.

    Subdomains belong to their host; `*` stands for anything.

    >>> bool(link_pattern("github.com/*/pull").search("https://github.com/acme/x/pull/7#top"))
    True
    """
    body = "".join(".*" if part == "*" else re.escape(part) for part in re.split(r"(\*)", bare(glob)))
    return re.compile(
        rf"^(?:https?://)?(?:[^/@\n]*@)?(?:[^/?#\n]*\.)?{body}(?::\d+)?(?:[/?#].*)?$", re.IGNORECASE | re.MULTILINE
    )


def bare(link: str) -> str:
    """Return a link, or the glob of one, without its scheme, its `www.` and its last slash."""
    return re.sub(r"^(?:https?:|\*:)?//", "", link.strip(), flags=re.IGNORECASE).removeprefix("www.").rstrip("/")


def fixed_part(glob: str, *, link: bool) -> str:
    """Return the longest run of a glob that stands as it is in all that fits it, "" for none.

    >>> fixed_part("src/**/test_*.py", link=False), fixed_part("https://github.com/*/pull", link=True)
    ('test_', 'github.com/')
    """
    parts = bare(glob).split("*") if link else re.split(r"[*?/\\]+", compiled(CHOICES, re.DOTALL).sub("*", glob))
    return max(parts, key=len)


def _translated(glob: str) -> str:
    out, at, depth = [], 0, 0
    while at < len(glob):
        c = glob[at]
        at += 1
        if glob.startswith("**/", at - 1):
            out.append("(?:.*/)?")
            at += 2
        elif c == "*":
            deep = glob.startswith("*", at)
            out.append(".*" if deep else r"[^/\n]*")
            at += deep
        elif c == "?":
            out.append(r"[^/\n]")
        elif c == "[" and (end := glob.find("]", at + 1)) > 0:
            inner = glob[at:end].replace("\\", r"\\").replace("[", r"\[")
            out.append(rf"[^/\n{inner[1:]}]" if inner[0] == "!" else f"[{inner}]")
            at = end + 1
        elif c == "{" and "}" in glob[at:]:
            out.append("(?:")
            depth += 1
        elif c in "},":
            out.append({"}": ")", ",": "|"}[c] if depth else re.escape(c))
            depth -= c == "}" and depth > 0
        else:
            out.append(re.escape(c))
    return "".join(out) + ")" * depth


def _first(found: Iterable[str]) -> list[str]:
    """Return the first MOST different ones of a reasonable length."""
    kept: dict[str, None] = {}
    for one in found:
        if len(one) <= WORD_CHARS:
            kept[one] = None
        if len(kept) == MOST:
            break
    return list(kept)
