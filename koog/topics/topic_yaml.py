"""The frontmatter of a topic file, with the line of each of its keys.  [autopoiesis §2.2, §4.4]

A topic's YAML is read here and not by core/text/frontmatter.py alone: beside the value for the schema,
the tree of nodes for the line numbers that an error names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from koog.core.named import NamedTuple
from koog.core.text import frontmatter

if TYPE_CHECKING:
    import yaml

FRONTMATTER_CHARS = 50_000
NODES = 5_000  # a topic has some fifty; aliases of aliases would have millions
DIGITS = 18  # of a number; 64 bits hold as many
DEPTH = 200  # brackets open at once; at ten thousands the C parser runs out of stack and takes the process with it
BREAKS = dict.fromkeys(
    map(ord, "\r\x85\u2028\u2029"), " "
)  # line breaks to YAML and to no editor: they shift its numbers
NESTED = re.compile(rf"(?:[-?:][ \t]+){{{DEPTH}}}")


class Malformed(ValueError):
    """Frontmatter that cannot be read; `line` counts within the file."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


class Front(NamedTuple):
    """A file's frontmatter as a value, its nodes, and what follows it."""

    value: dict[str, Any]
    node: yaml.Node | None
    body: str
    body_line: int


def read(text: str) -> Front:
    """Return a file's frontmatter and body. Raises Malformed, with the line at fault."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        raise Malformed(1, "a topic begins with frontmatter: a line of ---, its keys, another ---")
    taken = frontmatter.lines(lines)
    if not taken:
        raise Malformed(1, "the frontmatter has no closing ---")
    head, body = lines[1 : taken - 1], "\n".join(lines[taken:])
    if sum(map(len, head)) > FRONTMATTER_CHARS:
        raise Malformed(1, f"more than {FRONTMATTER_CHARS} characters of frontmatter")
    _check_depth("\n".join(head))
    try:
        value, node = _parsed(head)
    except Malformed:
        lifted = lift(head)
        if lifted == head:
            raise
        value, node = _parsed(lifted)
    return Front(value, node, body, taken + 1)


def lift(lines: Sequence[str]) -> list[str]:
    """Return the lines with keys that stand among the triggers' items moved out to the top level.

    The design writes `similarity_threshold` and `activation` below the last trigger, as deep as
    the dashes (§4.4). Strictly that is no YAML; what it means is plain. Line numbers stay.

    >>> lift(["triggers:", "  - type: urgency", "  activation: auto"])
    ['triggers:', '  - type: urgency', 'activation: auto']
    """
    out, depth = [], ""
    for line in lines:
        if dash := re.match(r"( +)- ", line):
            depth = depth or dash[1]
        elif line and not line[0].isspace() and not line.startswith("#"):
            depth = ""
        elif depth and re.match(rf"{depth}[a-z_]+:(?: |$)", line):
            out.append(line.removeprefix(depth))
            continue
        out.append(line)
    return out


def line_of(front: Front, path: Sequence[str | int]) -> int:
    """Return the file's line of the key or item that a path leads to, or of what of it there is."""
    import yaml

    node, line = front.node, 2
    for step in path:
        found: tuple[yaml.Node, yaml.Node] | None = None
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == str(step)), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            found = (node.value[step], node.value[step])
        if found is None:
            break
        line, node = found[0].start_mark.line + 2, found[1]
    return line


def _parsed(lines: Sequence[str]) -> tuple[dict[str, Any], yaml.Node | None]:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one is ten times as fast where it is built
    try:
        loader = base("\n".join(lines).translate(BREAKS))
        try:
            node = loader.get_single_node()
            _check(node)
            value = loader.construct_document(node) if node else {}
        finally:
            loader.dispose()
        if value is None or isinstance(value, dict):
            return _plain(value or {}), node
    except Malformed:
        raise
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        raise Malformed(mark.line + 2 if mark else 2, f"no YAML: {e.problem or e.context}") from None
    except (yaml.YAMLError, UnicodeError, RecursionError) as e:
        raise Malformed(2, f"no YAML: {type(e).__name__}") from None
    except (ValueError, TypeError) as e:  # a date such as 2026-13-45, a key that is a list
        raise Malformed(2, f"no YAML: {e}") from None
    raise Malformed(2, "the frontmatter is no list of keys and values")


def _check_depth(text: str) -> None:
    depth = 0
    for bracket in re.finditer(r"[\[{\]}]", text):
        depth += 1 if bracket[0] in "[{" else -1 if depth else 0
        if depth > DEPTH:
            raise Malformed(text.count("\n", 0, bracket.start()) + 2, f"more than {DEPTH} brackets are open")
    if nested := NESTED.search(text):
        raise Malformed(text.count("\n", 0, nested.start()) + 2, f"more than {DEPTH} levels on one line")


def _check(root: yaml.Node | None) -> None:
    """Raise Malformed for a key given twice (YAML would keep one), a bomb of aliases, a number that is none."""
    import yaml

    waiting, seen = [root] if root else [], 0
    while waiting:
        node = waiting.pop()
        seen += 1
        if seen > NODES:
            raise Malformed(2, f"more than {NODES} values in the frontmatter")
        if isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode) and key.value in keys:
                    raise Malformed(key.start_mark.line + 2, f"the key {key.value!r} stands here a second time")
                keys.add(str(key.value))
                waiting.append(value)
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.ScalarNode) and _is_no_json_number(node):
            raise Malformed(node.start_mark.line + 2, f"{node.value[:DIGITS]!r} is no number of a topic")


def _is_no_json_number(node: yaml.ScalarNode) -> bool:
    """Return whether YAML reads a number that JSON has not: .inf and .nan, or more digits than 64 bits hold."""
    kind = node.tag.rpartition(":")[2]
    endless = node.value.lstrip("+-").lower() in (".inf", ".nan")
    return kind in ("int", "float") and (endless or len(node.value) > DIGITS)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: dates as their ISO text, keys as text, no half of a surrogate pair."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return value.isoformat() if isinstance(value, date) else value
