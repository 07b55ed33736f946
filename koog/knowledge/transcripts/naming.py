"""What a transcript is called: its path, its topic, its tags.  [autopoiesis §2.1, §8.2]

    raw/conversations/2026/02/16/1845-ses_a1b2c3d4-autopoiesis-restructuring.md
    raw/conversations/groups/telegram-group-100123/2026/02/16/…       what was said in a group

Pure. Built without a model: the topic is what the person began with, the tags are words that came again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice

from koog.core.files.raw_root import CONVERSATIONS
from koog.core.lazy_regex import compiled
from koog.core.text import measures, words
from koog.core.text.untrusted import visible
from koog.knowledge.transcripts.format import SAID, USER, Turn, one_line
from koog.memory.store import ids
from koog.sessions.labels import Label
from koog.sessions.transcript_head import unquoted

GROUPS = "groups"
UNNAMED = "session"
FIRST, TOLD = 3, 3  # turns that are looked at; words that make a topic, which a greeting has not
ID_CHARS, SLUG_CHARS, SLUG_BYTES, TOPIC_CHARS, TOPIC_WORDS = 64, 48, 120, 60, 8
DAY = r"\d{4}/\d\d/\d\d"
PATH = rf"{CONVERSATIONS}/(?:{GROUPS}/[^/]+/)?{DAY}/\d{{4}}-[^/]+\.md"
ENDS = r"[\n。！？；：]+|[.!?;:]+(?:\s|\Z)"
MOST_TAGS, TAG_CHARS, TAG_TURNS = 5, 5, 3


def path(label: Label, started: datetime, session: str, topic: str, *, number: int = 1) -> str:
    """Return where a transcript lies, as it is cited. number: of those that would be called the same"""
    folder = f"{GROUPS}/{_bounded(ids.slug(label.group)) or UNNAMED}/" if label.is_group else ""
    name = f"{started:%H%M}-{safe(session)}-{slug(topic)}{f'-{number}' if number > 1 else ''}"
    return f"{CONVERSATIONS}/{folder}{started:%Y/%m/%d}/{name}.md"


def renamed(path: str, topic: str, *, number: int = 1) -> str:
    """Return where a transcript lies that has no topic yet, when it has one; of any other its own path.

    >>> renamed("raw/conversations/2026/02/16/1845-ses_1-session.md", "Tea")
    'raw/conversations/2026/02/16/1845-ses_1-tea.md'
    """
    unnamed = f"-{UNNAMED}.md"
    if not path.endswith(unnamed) or slug(topic) == UNNAMED:
        return path
    return f"{path.removesuffix(unnamed)}-{slug(topic)}{f'-{number}' if number > 1 else ''}.md"


def safe(session: str) -> str:
    """Return a session's id as it may stand in a file's name.

    >>> safe("ses_a1b2"), safe("../x y")
    ('ses_a1b2', 'x-y')
    """
    return compiled(r"[^A-Za-z0-9_]+").sub("-", session).strip("-")[:ID_CHARS] or UNNAMED


def slug(topic: str) -> str:
    """Return a topic as it stands in a file's name."""
    return _bounded(ids.slug(topic)) or UNNAMED


def _bounded(text: str) -> str:
    whole = text if len(text) <= SLUG_CHARS else text[:SLUG_CHARS].rpartition("-")[0] or text[:SLUG_CHARS]
    return whole.encode()[:SLUG_BYTES].decode(errors="ignore").strip("-")


def slug_of(path: str, text: str) -> str:
    """Return the slug in a transcript's name."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    found = compiled(r"(?m)^session_id: (.*)$").search(text)
    return stem[5:].removeprefix(f"{safe(unquoted(found[1])) if found else ''}-") or UNNAMED


def is_path(path: str) -> bool:
    """Return whether a path may be a transcript's: what stands in the workspace is anybody's to write."""
    parts = path.split("/")
    return compiled(PATH).fullmatch(path) is not None and ".." not in parts and "\0" not in path


def topic(turns: Iterable[Turn]) -> str:
    """Return what a conversation is about, by the person's first words that say something; "" where he said none.

    >>> from datetime import UTC
    >>> topic([Turn(datetime(2026, 2, 16, tzinfo=UTC), "user", "Good morning! Read all open issues. Then stop.")])
    'Read all open issues'
    """
    own = islice((each for each in turns if each.role == USER and each.kind == SAID), FIRST)
    spoken = [part for each in own for part in compiled(ENDS).split(visible(each.text).strip()) if ids.slug(part)]
    told = max(spoken, key=lambda part: min(TOLD, len(measures.content_words(part))), default="")
    return one_line(" ".join(told.strip("#>*_- ").split()[:TOPIC_WORDS]), most=TOPIC_CHARS).rstrip("…")


def tags(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return the words that came up in several of a person's turns, the most frequent first."""
    found: Counter[str] = Counter()
    for each in turns:
        if each.role == USER and each.kind == SAID:
            said = {word.lower() for word in words.tokens(each.text)}
            found.update(w for w in said if len(w) >= TAG_CHARS and w.isalpha() and w not in measures.STOPWORDS)
    often = [(-times, word) for word, times in found.items() if times >= TAG_TURNS]
    return tuple(word for _, word in sorted(often)[:MOST_TAGS])
