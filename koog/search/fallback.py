"""Search without an index: ripgrep if it is there, else every file is read.  [autopoiesis §7.4]

    scan    words → the passages that have most of them

It covers what the index covers, in the same passages and categories. Words are looked
for as they are written, without their English endings, at the beginning of a word;
nothing of a query is ever taken for a pattern. ripgrep only tells in which files to look.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from koog.core.named import NamedTuple
from koog.core.text.measures import stem
from koog.core.text.voices import AGENT
from koog.core.text.words import UNSPACED
from koog.search import origins, passages, sources, visible
from koog.search.labelled import NOTHING, Said
from koog.search.passages import Passage
from koog.search.sources import Reader, Roots, Source

if TYPE_CHECKING:
    from koog.sessions.audience import Audience

RIPGREP, PLAIN = "ripgrep", "scan"
TIMEOUT_S = 20.0  # for ripgrep on all files; then they are read here
FILES_AT_ONCE = 1000  # of ripgrep's arguments: 100 kB of paths
MOST_WORDS = 64
IN_HEADING = 0.5  # of a word in the passage itself


class Match(NamedTuple):
    """A passage that has words of the query; score is the share of them, 0 to 1; name: as in search/hits.py."""

    path: str
    line: int
    end: int
    section: int
    heading: str
    speaker: str
    category: str
    date: str | None
    text: str
    score: float
    said: Said = NOTHING
    name: str = ""
    trust: str = AGENT


class Matches(NamedTuple):
    """The best passages, how many there were in all, and what found them: ripgrep or scan."""

    best: list[Match]
    total: int
    engine: str


def scan(
    roots: Roots,
    words: Iterable[str],
    *,
    limit: int,
    category: str | None = None,
    since: str | None = None,
    who: Audience | None = None,
    timeout_s: float = TIMEOUT_S,
) -> Matches:
    """Return the passages with most of the words, the newest first among equals.

    since      ISO day: what is older, or of no day, is left out
    who        who reads: what he may not see is neither found nor counted
    timeout_s  for ripgrep
    """
    wanted = list(dict.fromkeys(filter(None, (_root(word) for word in words))))[:MOST_WORDS]
    if not wanted:
        return Matches([], 0, PLAIN)
    looked = sources.scan(roots)
    covered = [source for folder in looked.folders for source in folder.sources(roots)]
    covered = [source for source in covered if category in (None, source.category)]
    reader = Reader(roots)
    named = _by_ripgrep(roots, covered, wanted, timeout_s=timeout_s)
    found = [
        match
        for source in (covered if named is None else named)
        for match in _told(_matches(roots, reader, source, wanted), who, looked.own_name(source.path))
        if since is None or (match.date or "") >= since
    ]
    found.sort(key=lambda match: (match.path, match.line))
    found.sort(key=lambda match: (match.score, match.date or ""), reverse=True)
    return Matches(found[:limit], len(found), PLAIN if named is None else RIPGREP)


def _root(word: str) -> str:
    """Return what is looked for: the word without its ending, where that is only cut off."""
    word = "".join(c for c in word if c.isprintable()).strip().casefold()
    root = stem(word)
    while not word.startswith(root):  # entries: entry
        root = root[:-1]
    return root or word


def _by_ripgrep(
    roots: Roots, covered: Sequence[Source], wanted: Sequence[str], *, timeout_s: float
) -> list[Source] | None:
    """Return the files that have one of the words in any line; None when there is no ripgrep, or it failed.

    The files are named to it one by one: so it covers what the index does, whatever .gitignore and links say. Its
    word is a hint and no more: each file is read here, by its root, and what has none of the words is left out.
    """
    by_place = {roots.file(source.path): source for source in covered}
    places = list(by_place)
    until = time.monotonic() + timeout_s
    found: list[Source] = []
    for start in range(0, len(places), FILES_AT_ONCE):
        named = _listed(places[start : start + FILES_AT_ONCE], wanted, timeout_s=until - time.monotonic())
        if named is None:
            return None
        found += [by_place[place] for place in named if place in by_place]
    return found


def _listed(places: Sequence[str], wanted: Sequence[str], *, timeout_s: float) -> Iterator[str] | None:
    import subprocess

    options = ["--no-config", "--files-with-matches", "--null", "--fixed-strings", "--ignore-case", "--text"]
    patterns = [f"--regexp={word}" for word in wanted]
    try:
        done = subprocess.run(
            ["rg", *options, *patterns, "--", *places],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=max(timeout_s, 0.0),
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    if done.returncode not in (0, 1):  # 1: nothing found
        return None
    return (os.fsdecode(place) for place in done.stdout.split(b"\0") if place)


def _matches(roots: Roots, reader: Reader, source: Source, wanted: Sequence[str]) -> Iterator[Match]:
    try:
        data = reader.read(source.path, source.size).data
    except OSError:
        return
    if sources.is_binary(data):
        return
    text = roots.shelved.shown(source.path, passages.decoded(data))
    if not any(word in text.casefold() for word in wanted):
        return
    rows = text.split("\n")
    for passage in passages.cut(text, path=source.path).passages:
        if score := _score(passage, wanted):
            line, end, section, heading, speaker, date, shown, said = passage
            trust = origins.trust(source.path, source.category, rows[line - 1 : end], head=rows[0], speaker=speaker)
            found = (source.path, line, end, section, heading, speaker, source.category, date, shown, score, said)
            yield Match(*found, trust=trust)


def _told(found: Iterable[Match], who: Audience | None, own: str) -> Iterator[Match]:
    """Yield what a reader may see; own: the file's own name."""
    if who is None:
        yield from found
        return
    from koog.sessions.audience import Seen

    for match in found:
        if visible.of_passage(who, match.said, match.path, own) is Seen.HIDDEN:
            continue
        told = match._replace(name=visible.name(who, match.said, match.path, own))
        is_whole = visible.tells_headings(who, match.said, match.path, own)
        yield told if is_whole else told._replace(heading="", speaker="")


def _score(passage: Passage, wanted: Sequence[str]) -> float:
    """Return the share of the words that a passage has; one that only its headings have counts less."""
    text, above = passage.text.casefold(), passages.head(passage).casefold()
    own = sum(_has(text, word) for word in wanted)
    return (own + IN_HEADING * sum(not _has(text, word) and _has(above, word) for word in wanted)) / len(wanted)


def _has(text: str, word: str) -> bool:
    """Return whether a word of the text begins so; in scripts without blanks, whether it is there."""
    begin = "" if re.match(f"[{UNSPACED}]", word) else r"(?<!\w)"
    return word in text and re.search(begin + re.escape(word), text) is not None
