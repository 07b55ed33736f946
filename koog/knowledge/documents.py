"""A knowledge file: a head of YAML, and sections of bullets, edited row by row.  [autopoiesis §2.2, §2.3]

    ---
    type: project_context
    project: autopoiesis
    updated: 2026-02-16
    ---

    # Autopoiesis — Architecture Context

    ## Key Decisions
    - 2026-02-16: Files are the source of truth <!-- dc:source=ses_a1b2c3d4:45 -->

What is not touched stays byte for byte, a head that a person wrote in his own way among it. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from koog.core import schema
from koog.core.lazy_regex import compiled
from koog.core.text import frontmatter
from koog.memory.store import line as lines
from koog.memory.store import sections
from koog.memory.store.entry import Entry

SCHEMA = Path(__file__).with_name("documents.schema.json")
PLAIN = r"[^\W\d_][\w ./@+–—-]*|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?|\d{1,9}"  # what YAML reads as it stands
WORDS = frozenset("true false yes no on off null y n ~".split())  # which YAML takes for something else
SOURCE = "source"  # in a line's comment: session and line of the transcript
DAY = lines.DAY  # in a line's comment: when it was said, where no date stands in front


def head(values: Mapping[str, object]) -> str:
    """Return a head of plain keys and values.

    >>> head({"type": "journal", "date": "2026-02-16", "sessions": ["ses_a"]})
    '---\\ntype: journal\\ndate: 2026-02-16\\nsessions: [ses_a]\\n---\\n'
    """
    return "---\n" + "".join(f"{key}: {_value(value)}\n" for key, value in values.items()) + "---\n"


def with_head(text: str, **values: object) -> str:
    """Return a file with other values in its head, each in its row; a file without a head has none afterwards either.

    >>> with_head("---\\ntype: person\\nupdated: 2026-01-01  # by hand\\n---\\nx\\n", updated="2026-02-16")
    '---\\ntype: person\\nupdated: 2026-02-16\\n---\\nx\\n'
    """
    rows = text.split("\n")
    end = frontmatter.lines(rows)
    if not end:
        return text
    kept, body = rows[1 : end - 1], rows[end - 1 :]
    for key, value in values.items():
        at = next((n for n, row in enumerate(kept) if row.partition(":")[0] == key and ":" in row), None)
        row = f"{key}: {_value(value)}"
        if at is None:
            kept.append(row)
            continue
        last = at + 1
        while last < len(kept) and kept[last][:1] in (" ", "-", "\t"):  # a value over several rows
            last += 1
        kept[at:last] = [row]
    return "\n".join((rows[0], *kept, *body))


def with_updated(text: str, day: str) -> str:
    """Return a file whose head says of a day that something was said in it then, where it has nothing later.

    >>> with_updated("---\\nupdated: 2026-02-16\\n---\\n", "2026-01-01")
    '---\\nupdated: 2026-02-16\\n---\\n'
    """
    before = str(values(text).get("updated", ""))[:10]
    return text if before >= day else with_head(text, updated=day)


def values(text: str) -> dict[str, object]:
    """Return what a file's head says, {} for one that is no YAML."""
    try:
        return dict(frontmatter.parse(text)[0])
    except ValueError:
        return {}


def listed(text: str, key: str) -> list[str]:
    """Return a list in a file's head, [] where it has none."""
    found = values(text).get(key)
    return [str(each) for each in found] if isinstance(found, list) else []


def problem(text: str, kind: str) -> str | None:
    """Return what is wrong with the head of a file of a type, None when nothing is."""
    try:
        told, _ = frontmatter.parse(text)
    except ValueError as e:
        return str(e)
    shape = schema.load(SCHEMA)["$defs"]
    if kind not in shape:
        return f"{kind!r} is no type of a knowledge file"
    plain = json.loads(json.dumps(told, default=_iso))
    return schema.problem(plain, schema.definition(SCHEMA, kind))


def _iso(value: object) -> str:
    """Return a day or a moment that YAML has read as a text again."""
    told = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return str(told).replace("+00:00", "Z")


def entries(text: str, path: str, *titles: str) -> Sequence[Entry]:
    """Return the bullets of some sections; of all without any."""
    found = sections.of(text, path).entries
    wanted = {title.casefold() for title in titles}
    return [each for each in found if each.section.casefold() in wanted] if wanted else found


def with_line(text: str, path: str, section: str, raw: str, *, order: Sequence[str] = ()) -> str:
    """Return a file with one bullet more in a section. Raises WorkspaceError where something above is not closed."""
    return sections.of(text, path).with_item(section, raw, order=order)


def without(text: str, gone: Sequence[Entry]) -> str:
    """Return a file without some of its bullets."""
    rows = {row for each in gone for row in range(each.item.row, each.item.end)}
    return "\n".join(row for n, row in enumerate(text.split("\n")) if n not in rows)


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    text = " ".join(str(value).split())
    is_plain = compiled(PLAIN).fullmatch(text) and text.casefold() not in WORDS
    return text if is_plain else json.dumps(text, ensure_ascii=False)
