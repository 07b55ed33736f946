"""One line of observations.md, and who is behind it: the one reader of both. Pure.  [design §3, §4]

- 🔴 09:14 Deploys go out on Tuesdays only <!-- dc:type=rule dc:importance=9 dc:source=openclaw/main/3f#a1 -->
"""

from __future__ import annotations

from collections.abc import Mapping

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.voices import AGENT, PERSON, QUOTED, TRUSTS

HIGH, MEDIUM, LOW = "🔴", "🟡", "🟢"
HEAD = rf"[-*] ({HIGH}|{MEDIUM}|{LOW})\ufe0f? *(?:(\d\d:\d\d)(?= |$))? *"
VALUES = r"<!--((?: dc:[^\s=]+=\S*)+) -->"
OF_USER = "User: "  # how a line begins that the user has said of himself
OF_AGENT = "Agent: "  # how a line begins that an agent has said
GROUP = "group"


class Row(NamedTuple):
    """values   the comment's, by name, as they stand there; {} without one"""

    mark: str
    time: str
    text: str
    values: dict[str, str]


def read(row: str) -> Row | None:
    """Return what a line observes, None for a line that is no observation."""
    found = compiled(HEAD).match(row)
    if not found:
        return None
    rest = row[found.end() :].rstrip(" \t")
    # Looked for from behind and matched once: a long line must not cost more than its length.
    told = compiled(VALUES).fullmatch(rest, rest.rfind("<!--")) if rest.endswith("-->") else None
    text = rest[: told.start()].rstrip(" \t") if told else rest
    if not text or "\n" in text:
        return None
    values = dict(pair.removeprefix("dc:").split("=", 1) for pair in told[1].split()) if told else {}
    return Row(found[1], found[2] or "", text, values)


def behind(text: str, values: Mapping[str, str], *, source: str) -> str:
    """Return who is behind an observation, as a Statement has it.

    values   of its comment
    source   where it was heard, "" when unknown

    What a line says of itself holds; a word that nobody knows makes it a quotation. What says nothing is the person's
    own, but for what an agent has said, what nobody knows the source of, and what anybody said in a group.

    >>> behind("Use pnpm", {}, source="claude/p/s#a1"), behind("Use pnpm", {"trust": "boss"}, source="claude/p/s#a1")
    ('person', 'quoted')
    """
    if told := values.get("trust"):
        return told if told in TRUSTS else QUOTED
    is_others = values.get("scope") == GROUP or not source or text.startswith(OF_AGENT)
    return AGENT if is_others else PERSON
