"""What is left of a line's words when its Markdown is taken off: emphasis, the targets of links, struck words. Pure."""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled

LABEL = r"[^\[\]\n]{1,200}"
MARKUP = (
    r"(?P<code>(?<!`)(?P<ticks>`++)[^`\n]{1,1000}(?P=ticks)(?!`))"  # stays as it is: nothing in it is markup
    rf"|\[\[(?:[^\[\]|\n]{{1,200}}\|)?(?P<wiki>{LABEL})\]\]"
    rf"|!?\[(?P<label>{LABEL})\](?:\([^()\s]{{0,500}}(?:\([^()\s]{{0,100}}\))?[^()\n]{{0,200}}\)|\[{LABEL}\])"
    r"|(?P<gone>~~(?=\S)[^~\n]{1,300}(?<=\S)~~|\[\^[\w-]{1,20}\]|<br ?/?>)"
    r"|\*\*(?P<strong>(?=\S)[^*\n]{1,300}(?<=\S))\*\*|(?<![\w*])\*(?P<em>[^\s*](?:[^*\n]{0,300}[^\s*])?)\*(?![\w*])"
    r"|(?<![\w/*])\*{2,3}(?![/*])|(?<![/*])\*{2,3}(?![\w/*])"  # of emphasis that goes over several lines
    r"|(?<!\w)(?P<under>__?)(?!(?<=__)[a-z]{1,30}__)(?P<inner>[^\s_](?:[^_\n]{0,300}[^\s_])?)(?P=under)(?!\w)"
)


def plain(text: str) -> str:
    """Return the words of a text on one line, without emphasis, link targets and what is struck out.

    >>> plain("**Decided**: we use [Postgres](https://x.org) *only*, see `a*b*c` ~~MySQL~~ and __init__.py")
    'Decided: we use Postgres only, see `a*b*c` and __init__.py'
    """
    if not compiled(r"[`*_\[~<]").search(text):
        return " ".join(text.split())
    return " ".join(compiled(MARKUP).sub(_kept, text).split())


def _kept(found: re.Match[str]) -> str:
    if found["gone"]:
        return " " if found["gone"][0] != "[" else ""
    if inner := found["strong"] or found["em"] or found["inner"]:
        return plain(inner)
    return found["code"] or found["wiki"] or found["label"] or ""
