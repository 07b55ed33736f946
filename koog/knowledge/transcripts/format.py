"""A transcript's text: what is written of a session, and `read`, which reads it back.  [autopoiesis §2.1]

The frontmatter is written by hand in the seed's order and style; a value that YAML would take for something else is
quoted as JSON quotes it. Whatever was said is cleaned first: no private block, no secret, no control character. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import untrusted
from koog.core.text.untrusted import ANSI, clean
from koog.sessions.transcript import (
    AGENT,
    ATTACHMENT,
    MEMORY,
    SAID,
    SYSTEM,
    TOOL,
    USER,
    Transcript,
    Turn,
    escaped,
    read,
)
from koog.sessions.transcript_head import EARLIEST, Head, Problem, label_of

__all__ = [
    "AGENT",
    "ATTACHMENT",
    "MEMORY",
    "SAID",
    "SYSTEM",
    "TOOL",
    "USER",
    "Head",
    "Problem",
    "Transcript",
    "Turn",
    "label_of",
    "read",
]

PLAIN = r"[^\W\d_][\w./@+-]*(?: [\w./@+-]+)*"  # letters first: no number, no date
WORDS = frozenset("true false null yes no on off y n".split())  # which YAML takes for values of its own
CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
UNPRINTABLE = "[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # what YAML's readers refuse
NAME_CHARS, LINE_CHARS, PATH_CHARS = 60, 200, 1000
MOST_CHANGES = 100  # in one frontmatter: a head of more than 400 lines is none to whoever searches
ARROW = " → "
PRIVATE = "<private>"


class Last(NamedTuple):
    """What stands at a transcript's end: it decides whether what comes needs a heading.

    day    of the last turn
    time   HH:MM of the last heading, "" above the first
    role   whose turn it is; memory: it is one of memory operations
    said   whether words were said in it: what is said next begins another
    line   whether one line of a tool's is the last
    """

    day: date
    time: str = ""
    role: str = ""
    memory: bool = False
    said: bool = False
    line: bool = False


# --- one turn


def turn(given: Turn) -> Turn | None:
    """Return a turn as it can be written: cleaned, to the minute; None where nothing of it is left."""
    at = max(given.at, EARLIEST).replace(second=0, microsecond=0)
    if given.kind == SAID:
        text, name = plain(given.text).strip(), ""
    else:
        text = one_line(given.text, most=PATH_CHARS if given.kind == ATTACHMENT else 2 * LINE_CHARS + len(ARROW))
        name = (
            compiled(r"[\s\]\[]+").sub("_", one_line(given.name, most=NAME_CHARS)) if given.kind != ATTACHMENT else ""
        )
        text = text.replace("[", "(").replace("]", ")") if given.kind == ATTACHMENT else text
    return Turn(at, given.role, text, given.kind, name) if text or name else None


def plain(text: str) -> str:
    """Return a text without private blocks, secrets, terminal escapes and control characters; lines end with \\n.

    What stands before the end of a block that began in another text is private, too.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.encode("utf-8", "replace").decode("utf-8")  # half of a letter is none
    text = compiled(rf"{ANSI}|{CONTROLS}").sub("", text)
    return clean(f"{PRIVATE}{text}" if untrusted.is_closed_here(text) else text)


def one_line(text: str, *, most: int = LINE_CHARS) -> str:
    """Return a text as one line of so many characters, cut at a word.

    >>> one_line("make  test\\nok", most=20), one_line("a longer line", most=9)
    ('make test ok', 'a longer…')
    """
    line = " ".join(plain(text).split())
    if len(line) <= most:
        return line
    return f"{line[:most].rpartition(' ')[0] or line[: most - 1]}…"


def written(turns: Iterable[Turn], last: Last) -> tuple[str, Last]:
    """Return the lines that some turns add to a transcript, and what then stands at its end."""
    parts: list[str] = []
    for each in turns:
        at, words = Last(each.at.date(), f"{each.at:%H:%M}", each.role, each.kind == MEMORY), each.kind == SAID
        is_new = at != last._replace(said=False, line=False) or (words and last.said)
        if at.day != last.day:
            parts.append(f"\nDate: {at.day.isoformat()}\n")
        if is_new:
            parts.append(f"\n## {at.time} — {each.role}{' [memory]' if at.memory else ''}\n")
        elif words or not last.line:
            parts.append("\n")
        parts.append(_line(each))
        last = at._replace(said=words or (last.said and not is_new), line=not words)
    return "".join(parts), last


def _line(turn: Turn) -> str:
    if turn.kind == SAID:
        return f"{escaped(turn.text)}\n"
    if turn.kind == ATTACHMENT:
        return f"> [attachment:{turn.text}]\n"
    return f"> [{'knowledge' if turn.kind == MEMORY else 'tool'}:{turn.name}] {turn.text}".rstrip() + "\n"


# --- the whole


def begun(head: Head) -> str:
    """Return a transcript in which nothing was said yet."""
    title = " ".join(word[:1].upper() + word[1:] for word in head.topic.split())
    return f"{front(head)}\n# {title or head.session}\n"


def ended(text: str, head: Head) -> str:
    """Return a transcript with another frontmatter, its body byte for byte."""
    return front(head) + text[read(text).body :]


def front(head: Head) -> str:
    """Return the frontmatter, its two marks included."""
    rows = [f"session_id: {value(head.session)}", f"started: {clock.iso(head.started)}"]
    if head.ended:
        rows.append(f"ended: {clock.iso(head.ended)}")
    told = (("model", head.model), ("channel", head.channel), ("topic", head.topic))
    rows += [f"{key}: {value(text)}" for key, text in told if text]
    rows.append(f"tags: [{', '.join(map(value, head.tags))}]")
    if head.ended:
        rows += [f"tokens_in: {head.tokens_in}", f"tokens_out: {head.tokens_out}"]
    label = head.label
    owner = (("project", label.project), ("scope", label.scope), ("group", label.group), ("source", head.source))
    rows += [f"{key}: {value(text)}" for key, text in owner if text]
    if head.ended:
        rows += _changes(head.knowledge_changes[:MOST_CHANGES])
    return "\n".join(["---", *rows, "---", ""])


def _changes(changes: Sequence[dict[str, str]]) -> list[str]:
    if not changes:
        return ["knowledge_changes: []"]
    rows = ["knowledge_changes:"]
    for change in changes:
        for mark, key in (("- ", "path"), ("  ", "action"), ("  ", "summary")):
            rows.append(f"  {mark}{key}: {value(one_line(change.get(key, '')))}")
    return rows


def value(text: str) -> str:
    """Return a text as a value of the frontmatter.

    >>> value("claude-opus-4.6"), value("1e5"), value("Tea: green"), value("no")
    ('claude-opus-4.6', '"1e5"', '"Tea: green"', '"no"')
    """
    line = " ".join(compiled(UNPRINTABLE).sub("\ufffd", text).split())
    is_plain = compiled(PLAIN).fullmatch(line) is not None and line.lower() not in WORDS
    return line if is_plain else json.dumps(line, ensure_ascii=False)
