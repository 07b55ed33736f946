"""What each type of trigger looks for in a message, and what it says when it found nothing.  [autopoiesis §4.2]"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from fnmatch import fnmatchcase

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.topics.topic_file import Trigger
from koog.topics.triggers import code_language, languages, links, schedule
from koog.topics.triggers.events import CRON, WEBHOOK
from koog.topics.triggers.literals import fold
from koog.topics.triggers.message import Message, clip

KEYWORD, MENTION = "keyword", "mention"
WORD = compiled(r"\w+")
VOWELS = "aeiou"
GERMAN_NOUNS = ("ung", "heit", "keit", "ion", "schaft")
OTHER_NAME = r"[ \u00a0-](?!I\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b)([^\W\d_]{2,})"
UNSPACED = {"th", "ja", "zh", "ko"}  # written without spaces, or with endings, so that a word has no edges


class Search(NamedTuple):
    """A pattern and the side of a message it is held against; tame: it cannot take long."""

    pattern: re.Pattern[str]
    side: str
    tame: bool


# What a trigger needs, and how it looks


def needed(trigger: Trigger) -> tuple[str, ...]:
    """Return folded literals of which the text holds one wherever the trigger can fire; () when it is always asked."""
    if trigger.type == "pattern":
        return trigger.literals
    if trigger.type in (KEYWORD, MENTION):
        return tuple(fold(max(word.split(), key=len)) for word in trigger.match)
    if trigger.type in ("glob", "url"):
        parts = tuple(fold(links.fixed_part(glob, link=trigger.type == "url")) for glob in trigger.match)
        return parts if all(parts) else ()
    return ()


def searches(trigger: Trigger) -> list[Search]:
    """Return the patterns of a trigger that looks for something in a side of the message."""
    match trigger.type:
        case "pattern":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python's opinion of a pattern is not news for stderr
                pattern = re.compile(trigger.match[0], re.IGNORECASE)
            return [Search(pattern, "text", trigger.tame)]
        case "keyword" | "mention":
            inflects = trigger.type == KEYWORD
            each = [_whole(word, inflects=inflects) for word in trigger.match]
            return [Search(re.compile("|".join(each)), "folded", tame=True)]
        case "glob":
            plain = [_whole(glob) for glob in trigger.match if links.is_plain(glob)]
            wild = [glob for glob in trigger.match if not links.is_plain(glob)]
            found = [Search(links.path_pattern(glob), "paths", glob.count("*") < 3) for glob in wild]
            return [*found, *([Search(re.compile("|".join(plain)), "folded", tame=True)] if plain else [])]
        case _:
            globs = trigger.match or ("*",)
            return [Search(links.link_pattern(glob), "links", glob.count("*") < 3) for glob in globs]


def _whole(word: str, *, inflects: bool = False) -> str:
    """Return the pattern of a word or a phrase that stands by itself in a folded text; any space parts its words.

    inflects   its last word may have the usual endings

    >>> bool(re.search(_whole("C++"), "c++ and")), bool(re.search(_whole("@ada"), "mail to b@ada.org"))
    (True, False)
    """
    folded = fold(word.strip())
    *words, last = folded.split()
    ends = "|".join(map(re.escape, inflected(last) if inflects else [last]))
    body = r"\s+".join([*map(re.escape, words), f"(?:{ends})"])
    before, after = _edge(folded[0]), _edge(folded[-1])
    return (r"(?<![\w.@])" if folded[0] == "@" else r"(?<!\w)" if before else "") + body + (r"(?!\w)" if after else "")


def inflected(word: str) -> list[str]:
    """Return a folded word, and it as a plural or a verb writes it: by the endings that need no dictionary.

    >>> inflected("query"), inflected("plan"), inflected("c++")
    (['query', 'queries', 'queried', 'querying'], ['plan', 'plans', 'planned', 'planning'], ['c++'])
    """
    if not word.isalpha() or len(word) < 3 or not _edge(word[-1]):
        return [word]
    before, end = word[-2], word[-1]
    if end == "y" and before not in VOWELS:
        return [word, *(word[:-1] + ending for ending in ("ies", "ied", "ying"))]
    if end == "e":
        return [word, *(word[:-1] + ending for ending in ("es", "ed", "ing", "en"))]
    doubled = end not in VOWELS + "hwxy" and before in VOWELS and word[-3] not in VOWELS
    verb = word + end if doubled and len(word) < 5 else word
    found = [word, word + "s", verb + "ed", verb + "ing"]
    if end in "sxzhorld":  # English, and Spanish
        found.append(word + "es")
    if word.endswith(GERMAN_NOUNS):
        found.append(word + "en")
    return found


def has_other_name(message: Message, found: re.Match[str]) -> str:
    """Return the second name that follows a mention of one name, "" for none.

    In German any noun has a capital, so that a capital tells nothing.
    """
    words = set(WORD.findall(message.folded))
    german, english = (len(words.intersection(languages.WORDS[code].split())) for code in ("de", "en"))
    text, end = message.text, found.end()
    if not found[0].isalpha() or not text[found.start()].isupper():
        return ""
    after = re.compile(OTHER_NAME).match(text, end)
    return after[1] if after and after[1].istitle() and german <= english else ""


def has_edges(entry: str) -> bool:
    """Return whether a word or phrase is found by one of its words: it has one, of a script with spaces."""
    return bool(WORD.search(entry)) and not any(languages.script(c) in UNSPACED for c in entry)


def _edge(letter: str) -> bool:
    return (letter.isalnum() or letter == "_") and languages.script(letter) not in UNSPACED


# The sides of a message that are worked out, and the events


def _code(trigger: Trigger, message: Message) -> str | None:
    wanted = [code_language.name(language) for language in trigger.match] or list(message.code)
    return next((message.code[language] for language in wanted if language in message.code), None)


def _language(trigger: Trigger, message: Message) -> str | None:
    found = message.language
    return found.why if found.language in map(languages.code, trigger.match) and found.language else None


def _urgency(_: Trigger, message: Message) -> str | None:
    return ", ".join(message.urgency) or None


def _webhook(trigger: Trigger, message: Message) -> str | None:
    event = message.event
    if event is None or event.type != WEBHOOK or not fnmatchcase(fold(event.source), fold(trigger.source)):
        return None
    fits = not trigger.event or fnmatchcase(fold(event.event), fold(trigger.event))
    return f"{event.source}: {event.event or 'any event'}" if fits else None


def _cron(trigger: Trigger, message: Message) -> str | None:
    moment = message.event.moment if message.event and message.event.type == CRON else None
    if moment is None or not schedule.parse(trigger.schedule).holds(moment):
        return None
    return f"{moment:%Y-%m-%d %H:%M} in {trigger.schedule}"


SIDES: dict[str, Callable[[Trigger, Message], str | None]] = {
    "code": _code,
    "language": _language,
    "urgency": _urgency,
    WEBHOOK: _webhook,
    CRON: _cron,
}


# Why not


def why_not(trigger: Trigger, message: Message) -> str:
    event = message.event
    if trigger.scope not in ("both", message.direction):
        return f"it watches the {trigger.scope} only"
    match trigger.type:
        case "pattern":
            return "not in the text"
        case "keyword":
            return "none of its words stands in the text"
        case "mention":
            return "nobody of its names is mentioned"
        case "glob":
            return "none of the paths fits" if message.paths else "the text names no path"
        case "url":
            return "none of the links fits" if message.links else "the text has no link"
        case "code":
            return f"the code is {', '.join(filter(None, message.code)) or 'unknown'}" if message.code else "no code"
        case "language":
            return message.language.why
        case "urgency":
            return "nothing in the text presses"
        case "webhook" if event and event.type == WEBHOOK:
            return f"the event is {clip(event.source)}: {clip(event.event) or 'any event'}"
        case "cron" if event and event.moment:
            return f"{event.moment:%Y-%m-%d %H:%M} is not in {trigger.schedule}"
        case _:
            return f"it waits for a {trigger.type} event"
