"""What a person sees of `koog history` under --human: the answer first, then what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from koog.core.view import BAD, DIM, GOOD, PLAIN, STRONG, WARN, Cell, Section

MARKS = {"learned": ("+", GOOD), "gone": ("−", BAD), "changed": ("~", WARN), "moved": ("→", DIM)}
Keys = Mapping[str, Any]


def when(keys: Keys) -> list[Section]:
    first = keys["first"]
    if first is None and not keys["stands"]:
        return [Section(f"“{keys['query']}”", [[Cell("never learned, as far as git and you may know", STRONG)]])]
    if first is None:
        answer = "it stands here, but no commit has it yet"
    else:
        known = f"known since {_day(keys['since'])}" if keys["since"] else "not known any more"
        answer = f"learned {_day(first['ts'])}, {known}"
    rows = [[*_marked(e["change"], _moment(e["ts"])), Cell(_text(e)), Cell(_place(e), DIM)] for e in keys["events"]]
    told = [Section(f"“{keys['query']}”", [[Cell(answer, STRONG)]]), Section("What became of it", rows)]
    return [*told, *_more(keys)]


def where(keys: Keys) -> list[Section]:
    found = []
    for line in keys["lines"]:
        rows = [[Cell("line", DIM), Cell(line["text"], STRONG)]]
        if origin := line["origin"]:
            by = origin["actor"] or "somebody"
            rows.append([Cell("came", DIM), Cell(f"{_moment(origin['ts'])} by {by}: {origin['subject']}")])
        else:
            rows.append([Cell("came", DIM), Cell("no commit has it yet", WARN)])
        for said in line["heard"]:
            quoted = f"{said['role']} said: {said['said']}" if said["said"] else "that session's transcript is not here"
            place = f"{said['path'] or said['session']}:{said['line']}"
            rows.append([Cell("heard", DIM), Cell(f"{quoted}\n{place}")])
        found.append(Section(f"{line['path']}:{line['line']}", rows))
    return [*found, *_more(keys)]


def diff(keys: Keys) -> list[Section]:
    title = f"{_point(keys['from'])} → {_point(keys['to'])}"
    found = [Section(title, [[Cell(keys["words"], STRONG)]])]
    by_path: dict[str, list[Sequence[Cell]]] = {}
    for line in keys["lines"]:
        text = f"{line['was']}\n→ {line['text']}" if line["was"] else line["text"]
        moved = f"from {line['from']}" if line["from"] else line["section"]
        by_path.setdefault(line["path"], []).append([*_marked(line["change"], ""), Cell(text), Cell(moved, DIM)])
    return [*found, *(Section(path, rows) for path, rows in by_path.items()), *_more(keys)]


learned = diff


def show(keys: Keys) -> list[Section]:
    title = f"Known at {_point(keys['then'])}"
    if keys["text"] is not None:
        rows = [[Cell(row)] for row in keys["text"].split("\n") if row.strip()]
        return [Section(f"{title}: {keys['path']}", rows), *_more(keys)]
    if keys["about"] is not None:
        rows = [[Cell(line["text"]), Cell(_place(line), DIM)] for line in keys["lines"]]
        return [Section(f"{title} of “{keys['about']}”", rows or [[Cell("nothing", STRONG)]]), *_more(keys)]
    rows = [[Cell(row["path"]), Cell(str(row["lines"]), DIM)] for row in keys["files"]]
    table = Section(title, rows or [[Cell("nothing yet", STRONG)]], heads=("file", "lines"), right=(1,))
    return [table, *_more(keys)]


def _more(keys: Keys) -> list[Section]:
    """Return how many rows the reply had no room for, and how to see them."""
    return [Section("", [[Cell(f"and {keys['more']} more: --offset {keys['next']}", DIM)]])] if keys["more"] else []


def _marked(change: str, beside: str) -> list[Cell]:
    mark, level = MARKS.get(change, ("", PLAIN))
    return [Cell(f"{mark} {change}", level), *([Cell(beside, DIM)] if beside else [])]


def _text(row: Keys) -> str:
    return f"{row['text']} (from {row['from']})" if row["from"] else str(row["text"])


def _place(row: Keys) -> str:
    return f"{row['path']}, {row['section']}" if row["section"] else str(row["path"])


def _point(point: Keys) -> str:
    return f"{point['named']} ({point['commit']})" if point["commit"] else f"{point['named']} (before anything)"


def _day(ts: str) -> str:
    return ts[:10]


def _moment(ts: str) -> str:
    return ts[:16].replace("T", " ")
