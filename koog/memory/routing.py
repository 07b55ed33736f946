"""Where a thing belongs: the router is asked, and what must not be remembered is refused.  [moltbot §8.2]"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from koog.core.errors import Refused, UsageError
from koog.core.run import Run
from koog.core.text import frontmatter, trust
from koog.core.text.untrusted import clean, visible
from koog.core.text.voices import AGENT, NOTE, PERSON
from koog.memory import whom
from koog.memory.remember_rules import RouterInput
from koog.memory.store import episodes, ids
from koog.memory.store import line as lines
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, VAULT
from koog.memory.trigger import triggers
from koog.memory.wanted import AUTO, Wanted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from koog.core.task import Answer, Task
    from koog.memory.names.known import Known

MOST_CHARS = 4000  # of one thing; a text for the vault may have as many as standard input

# What a model may leave out.
UNSAID: dict[str, Any] = {
    "type": "fact",
    "block": None,
    "entities": [],
    "relations": [],
    "tags": [],
    "confidence": episodes.MEDIUM,
    "core_update": False,
    "trigger": None,
    "steps": [],
    "is_held": False,
}


def routed(
    run: Run,
    task: Task[RouterInput],
    wanted: Wanted,
    names: Known,
    core: str,
    *,
    is_persons: bool,
    asks: bool,
) -> tuple[Wanted, Answer]:
    """Return a thing and the router's answer. Raises UsageError, and Refused for what is not to be remembered.

    names, core   the entities and MEMORY.md, as what was told before leaves them
    """
    from koog.core.task import Answer, builtin

    wanted = _cleaned(_without_trigger(wanted))
    text = lines.words(wanted.text)
    if not text:
        raise UsageError("there is nothing to remember in it", hint="private blocks, comments and secrets are left out")
    if len(text) > MOST_CHARS and wanted.store != VAULT:
        raise UsageError(f"one thing has at most {MOST_CHARS} characters", hint="--store vault, or in parts")
    if wanted.replaces and ":" in wanted.replaces and wanted.replaces.partition(":")[0] in ids.KINDS:
        ids.parse(wanted.replaces)
    given = RouterInput(
        content=wanted.text if wanted.store in (AUTO, VAULT) else text,
        explicit=wanted.explicit or is_persons,
        names={**whom.of_core(run, text, core).within(text), **names.within(text)},
        today=date.fromisoformat(run.today),
        core=core if wanted.store == AUTO else "",
        store="" if wanted.store == AUTO else wanted.store,
    )
    is_asked = asks and wanted.store == AUTO
    answer = run.ask(task, given) if is_asked else Answer(builtin(task, given), "builtin")
    value = {**UNSAID, **answer.value}
    value["summary"] = lines.words(value["summary"]) or text
    if answer.engine == "builtin" or wanted.store != AUTO:
        value["summary"] = text
    if wanted.store != AUTO:
        value |= {"store": wanted.store, "confidence": episodes.HIGH if given.explicit else value["confidence"]}
    if wanted.store == AUTO and wanted.replaces.startswith(f"{ids.CORE}:"):
        value |= {"store": CORE}  # what takes a line's place stands where that stood
    if wanted.block:
        value |= {"block": wanted.block, "store": CORE if wanted.store == AUTO else value["store"]}
    if wanted.confidence:
        value |= {"confidence": wanted.confidence}
    value["core_update"] = value["core_update"] or wanted.is_core
    _check(text, value, is_persons=is_persons, is_routed=wanted.store == AUTO)
    for name in (wanted.entity, *wanted.tags, *(each for edge in wanted.edges for each in edge)):
        _check_name(name, is_persons=is_persons)
    return wanted, answer._replace(value=value)


def _without_trigger(wanted: Wanted) -> Wanted:
    """Return a thing without the words that only ask for it to be remembered: "please remember that …"."""
    content = triggers.asked(wanted.text)
    return wanted._replace(text=content, explicit=True) if content else wanted


def _cleaned(wanted: Wanted) -> Wanted:
    """Return a thing without comments, secrets and private blocks, so that these also name nobody and are no steps.

    Its names and tags stand on one line. What is kept word for word keeps its head, too.
    """
    edges = tuple((lines.words(relation), lines.words(to)) for relation, to in wanted.edges)
    entity = lines.words(wanted.entity)
    if (wanted.entity and not entity) or not all(map(all, edges)):
        raise UsageError("a name has nothing in it", hint="private blocks, comments and secrets are left out")
    for name in (entity, *(to for _, to in edges)):
        if name.partition("--")[0] in ids.ENTITY_TYPES and "--" in name and not ids.is_entity(name):
            raise UsageError(f"{name!r} is no id of an entity", hint="one as koog graph show names it: person--ana")
    text = wanted.text if wanted.store == VAULT else frontmatter.without(wanted.text)
    return wanted._replace(text=clean(visible(text)), tags=tags(wanted.tags), entity=entity, edges=edges)


def tags(told: Iterable[str]) -> tuple[str, ...]:
    """Return tags as they may stand in an episode's heading, whose signs are none of theirs."""
    bare = (lines.words(tag).translate(str.maketrans(",|[]", "    ")) for tag in told)
    return tuple(filter(None, (" ".join(tag.split()) for tag in bare)))


def _check_name(name: str, *, is_persons: bool) -> None:
    """Raise Refused for a name that is an order: it is shown beside what is remembered."""
    if name and trust.verdict(name, PERSON if is_persons else AGENT, register=NOTE, kind="fact") != trust.TAKEN:
        raise Refused("a name in it reads like an order to whoever reads it", hint="a shorter name")


def _check(text: str, value: dict[str, Any], *, is_persons: bool, is_routed: bool) -> None:
    """Raise Refused for what would steer who reads it; what an agent says becomes no rule by itself, but an episode.

    Core memory and procedures are what an agent goes by as it stands.
    """
    kind = trust.PATTERN if value["store"] in (CORE, PROCEDURAL) else "fact"
    found = trust.verdict(text, PERSON if is_persons else AGENT, register=NOTE, kind=kind)
    if found == trust.TAKEN and kind == trust.PATTERN and not is_persons and _asks_for_ever(text):
        found = trust.LEFT
    if found == trust.LEFT and (is_routed or value["store"] == EPISODIC):
        value |= {"store": EPISODIC, "confidence": episodes.LOW, "core_update": False, "is_held": True}
    elif found != trust.TAKEN:
        raise Refused("this reads like an order to whoever reads it", hint="a person remembers it, in a terminal")


def of_group(answer: Answer) -> Answer:
    """Return where something belongs that was said in a group: core memory is the user's alone."""
    value = dict(answer.value)
    if value["store"] in (CORE, VAULT):
        value |= {"store": EPISODIC}
    return answer._replace(value=value | {"core_update": False})


def _asks_for_ever(text: str) -> bool:
    """Return whether a question asks that something hold from now on, and not how its speaker is to be written to."""
    if not ("?" in text or "？" in text):
        return False
    from koog.core.text import replies  # its patterns are long

    return replies.is_standing_wish(text) and not replies.is_wish_of_manner(text)
