"""One topic file: its frontmatter by JSON Schema, its triggers, its instructions.  [autopoiesis §2.2, §4.4]

Whatever is wrong with it is told with its line; a topic is whole or not at all, because a
misspelled `activation: manual` that is passed over would do what its author forbade.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from koog.core import schema
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.topics import topic_yaml
from koog.topics.triggers import languages, links, literals, schedule

SCHEMA = Path(__file__).with_name("topics.schema.json")
KINDS = "pattern glob keyword mention url code language urgency webhook cron".split()
LISTS = ("subscriptions", "keywords", "tags")
OPTIONAL = ("activation", "priority", "max_context_kb", "similarity", "similarity_threshold", "sentiment", "updated")
# What a value of these keys is, where jsonschema would cite the expression that it does not match.
MEANT = {
    "name": "a name of at most 100 characters without slashes",
    "subscriptions": "a path inside the workspace",
    "sentiment": "negative, positive, any, or a number from -1 to 1",
    "match": "something to look for",
    "source": "a name",
    "event": "a name",
}
OPAQUE = compiled(r"(.*) (?:does not match|is not valid under any of)", re.DOTALL)
TRUTH = compiled(r"(?:True|False) is not of type 'string'")
STEP = compiled(r"\[(\d+)\]|([^.\[\]]+)")

Where = tuple[str | int, ...]
Fault = tuple[Where, str]


class Trigger(NamedTuple):
    """One watcher of a topic.

    match             what it looks for: one regular expression, or globs, words, names, links, languages
    scope             "input", "output" or "both"
    source, event     a webhook's; no event is any of the source
    schedule          cron's five fields
    literals, tame    of a pattern: see `literals.Needs`
    """

    type: str
    line: int = 1
    match: tuple[str, ...] = ()
    scope: str = "both"
    correction_hint: str = ""
    source: str = ""
    event: str = ""
    schedule: str = ""
    literals: tuple[str, ...] = ()
    tame: bool = False


class Topic(NamedTuple):
    """One topic.

    description            the frontmatter's, else the body's first paragraph, on one line
    instructions           the body, from `body_line` to `end_line` of the file
    max_context_kb         None: no limit of its own
    similarity_threshold   None: the config's
    """

    name: str
    path: str
    title: str
    description: str
    instructions: str
    triggers: tuple[Trigger, ...] = ()
    subscriptions: tuple[str, ...] = ()
    activation: str = "gated"
    priority: str = "medium"
    max_context_kb: float | None = None
    similarity: str = "tfidf"
    similarity_threshold: float | None = None
    sentiment: str | float | None = None
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    updated: str | None = None
    body_line: int = 1
    end_line: int = 1

    @property
    def said(self) -> str:
        """Return what a topic says of itself."""
        return "\n".join((self.title, self.description, self.instructions, *self.keywords))


class Problem(NamedTuple):
    """What is wrong with a topic file, and at which line."""

    file: str
    line: int
    message: str


def parse(text: str, *, path: str) -> Topic | list[Problem]:
    """Return the topic of a file's text, or all that is wrong with it."""
    try:
        front = topic_yaml.read(text)
    except topic_yaml.Malformed as e:
        return [Problem(path, e.line, e.message)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's opinion of a pattern is not news for stderr
        value = {key: inner for key, inner in front.value.items() if inner is not None}  # `tags:` and nothing after it
        if faults := list(_faults(value)):
            return [Problem(path, topic_yaml.line_of(front, where), message) for where, message in faults]
        return _topic(front._replace(value=value), path)


# What may be wrong


def _faults(value: dict[str, Any]) -> Iterator[Fault]:
    """Yield each fault of a topic's frontmatter with the path of the key at fault."""
    properties = schema.load(SCHEMA)["$defs"]["topic"]["properties"]
    yield from _of_keys(value, properties, ())
    triggers = value.get("triggers")
    for i, trigger in enumerate(triggers if isinstance(triggers, list) else ()):
        if isinstance(trigger, dict):
            yield from _of_trigger(trigger, ("triggers", i))


def _of_keys(value: dict[str, Any], properties: schema.Schema, at: Where) -> Iterator[Fault]:
    """Yield the unknown keys of an object, and what its known ones have that they may not."""
    for key, inner in value.items():
        if key not in properties:
            yield (*at, key), f"unknown key {key!r}{_or_nearest(key, properties)}"
        elif wrong := schema.problem(inner, {**properties[key], "$defs": schema.load(SCHEMA)["$defs"]}):
            where, _, message = wrong.partition(": ")
            steps = [int(m[1]) if m[1] else m[2] for m in STEP.finditer(where if where != "top level" else "")]
            if told := OPAQUE.match(message):
                message = f"{told[1]} is not {MEANT[key]}"
            hint = " (to YAML yes, no, on and off are true and false: quote them)" if TRUTH.match(message) else ""
            yield (*at, key, *steps), f"{key}: {message}{hint}"


def _of_trigger(trigger: dict[str, Any], at: Where) -> Iterator[Fault]:
    kind = trigger.get("type")
    if kind not in KINDS:
        told = f"no trigger type {kind!r}{_or_nearest(str(kind), KINDS)}" if kind else "a trigger has a type"
        yield (*at, "type"), f"{told}: {', '.join(KINDS)}"
        return
    shape = schema.load(SCHEMA)["$defs"][f"trigger.{kind}"]
    trigger = {**trigger, "match": _several(trigger["match"])} if "match" in trigger else trigger
    for key in shape.get("required", ()):
        if key not in trigger:
            yield at, f"a {kind} trigger needs {key!r}"
    faults = list(_of_keys(trigger, shape["properties"], at))
    yield from faults or _of_meaning(trigger, at)


def _of_meaning(trigger: dict[str, Any], at: Where) -> Iterator[Fault]:
    """Yield what a schema cannot see: a pattern that is none, a language nobody knows, a schedule that never comes."""
    given = list(enumerate(trigger.get("match", ())))
    kind = trigger["type"]
    try:
        if kind == "pattern" and given:
            re.compile(trigger["match"][0], re.IGNORECASE)
        if kind == "glob":
            [links.path_pattern(glob) for _, glob in given]
    except (re.error, OverflowError, RecursionError) as e:
        yield (*at, "match"), f"the {kind} does not compile: {e}"
    if kind == "language":
        for i, name in given:
            if languages.code(name) is None:
                known = [*languages.NAMES, *languages.NAMES.values()]
                yield (*at, "match", i), f"no language {name!r} is known{_or_nearest(name, known)}"
    if kind == "cron" and "schedule" in trigger:
        try:
            schedule.parse(trigger["schedule"])
        except ValueError as e:
            yield (*at, "schedule"), f"no cron schedule: {e}"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most like a mistyped one, None when none is like it."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), 1, 0.6)), None)


def _or_nearest(word: str, known: Iterable[str]) -> str:
    found = nearest(word, known)
    return f", did you mean {found!r}?" if found else ""


# A topic out of values that are right


def _topic(front: topic_yaml.Front, path: str) -> Topic:
    value = front.value
    name = value.get("name") or " ".join(path.rsplit("/", 1)[-1].removesuffix(".md").split())
    lines = front.body.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    instructions = front.body.strip()
    heading = next((line[2:].strip() for line in lines if line.startswith("# ")), "")
    optional: dict[str, Any] = {key: tuple(value.get(key, ())) for key in LISTS}
    optional |= {key: value[key] for key in OPTIONAL if key in value}
    return Topic(
        name=name,
        path=path,
        title=heading or name,
        description=" ".join((value.get("description") or _first_paragraph(instructions)).split()),
        instructions=instructions,
        triggers=tuple(
            _trigger(given, topic_yaml.line_of(front, ("triggers", i)))
            for i, given in enumerate(value.get("triggers", ()))
        ),
        body_line=front.body_line + first,
        end_line=front.body_line + first + instructions.count("\n"),
        **optional,
    )


def _trigger(given: dict[str, Any], line: int) -> Trigger:
    match = tuple(_several(given.get("match", ())))
    needs = literals.needs(match[0]) if given["type"] == "pattern" else literals.Needs((), tame=False)
    return Trigger(**{**given, "line": line, "match": match, "literals": needs.literals, "tame": needs.tame})


def _several(value: Any) -> list[Any]:
    """Return a list: `match` may be one thing or several."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _first_paragraph(body: str) -> str:
    """Return the first paragraph that is no heading."""
    paragraph: list[str] = []
    for line in body.split("\n"):
        if line.strip() and not line.startswith("#"):
            paragraph.append(line)
        elif paragraph:
            break
    return "\n".join(paragraph)
