"""A host's turns as a transcript has them: who spoke, a tool's result as one line.  [autopoiesis §2.1]

user, origin user            user
user, origin subagent, koog  system: what another program said to the agent in the person's place
assistant                    agent
tool                         a line of the agent's: its name, its command, how it ended
origin heartbeat, cron       left out: nobody's conversation, and forty-eight of them a day
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from koog.core.lazy_regex import compiled
from koog.knowledge.transcripts import format
from koog.knowledge.transcripts.format import AGENT, ARROW, ATTACHMENT, SYSTEM, TOOL, USER
from koog.sessions import turn as hosts

UNATTENDED = ("heartbeat", "cron")
# How sessions/records.py tells a result: `exec `make`, exit 2: output`.
RESULT = r"(?s)(?P<name>[^`]*?)(?: `(?P<command>.*?)`)?(?:, (?P<outcome>exit -?\d+|failed))?(?:: (?P<output>.*))?"


def turns(given: Iterable[hosts.Turn]) -> list[format.Turn]:
    """Return what of a host's turns a transcript has, in their order."""
    attended = [each for each in given if each.origin not in UNATTENDED]
    found = [format.turn(turn) for each in attended for turn in (_turn(each), *_attached(each))]
    return [each for each in found if each is not None]


def _attached(given: hosts.Turn) -> Iterator[format.Turn]:
    role = _turn(given).role
    return (format.Turn(given.at, role, path, ATTACHMENT) for path in given.attached)


def _turn(given: hosts.Turn) -> format.Turn:
    if given.role == "tool":
        return _tool(given)
    if given.role == "assistant":
        return format.Turn(given.at, AGENT, given.text)
    return format.Turn(given.at, USER if given.origin == "user" else SYSTEM, given.text)


def _tool(given: hosts.Turn) -> format.Turn:
    """Return a tool's result as one line: `make → exit 2: the first line of what it printed`."""
    told = compiled(RESULT).fullmatch(format.plain(given.text))
    if told is None:
        return format.Turn(given.at, AGENT, "", TOOL, given.text)
    output = (told["output"] or "").strip()
    first = format.one_line(output.partition("\n")[0])
    more = output.count("\n")
    shown = f"{first} … ({more + 1} lines)" if more else first
    result = ": ".join(filter(None, [told["outcome"], shown]))
    summary = format.one_line(told["command"] or "")
    return format.Turn(given.at, AGENT, f"{summary}{ARROW}{result}".strip() if result else summary, TOOL, told["name"])
