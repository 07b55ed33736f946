"""`--human`: the same reply as Rich tables, for a person at a terminal. Loaded by nothing else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from koog.core import view as views
from koog.core.view import Cell, Section

# Rich leaves ESC and the one-byte CSI in; tab and line break are layout.
CONTROLS = {c: "\N{REPLACEMENT CHARACTER}" for c in (*range(0x20), *range(0x7F, 0xA0)) if chr(c) not in "\t\n"}

STYLES = {
    views.PLAIN: "",
    views.STRONG: "bold",
    views.DIM: "dim",
    views.GOOD: "green",
    views.WARN: "yellow",
    views.BAD: "red",
}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Say no more; Rich would end the process with a failure."""
        self.quiet = True


def show(value: dict[str, Any], view: Sequence[Section] | None = None) -> None:
    """Print one reply: its own view, else scalars as a table of two columns and lists of objects as tables.

    Rich obeys NO_COLOR and leaves colour out where stdout is no terminal.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal of ASCII shows ? where a bar would be
    console = _Console(highlight=False)
    meta = value.get("_meta", {})
    body = {k: v for k, v in value.items() if k not in ("ok", "_meta")}
    if not value.get("ok"):
        error = value["error"]
        console.print(_plain(f"{error['code']}: {error['message']}", style="red"))
        if error["hint"]:
            console.print(_plain(f"try: {error['hint']}"))
        return
    for section in view or ():
        if section.title:  # not the table's own, which is no wider than its columns
            console.print(_plain(f"\n{section.title}", style="bold"))
        console.print(_section(section))
    for table in _generic(body) if view is None else ():
        console.print(table)
    for change in meta.get("changes", []):
        console.print(_plain(f"[{change['action']}] {change['path']} — {change['summary']}", style="dim"))
    for warning in meta.get("warnings", []):
        console.print(_plain(f"warning: {warning}", style="yellow"))


def _generic(body: dict[str, Any]) -> list[Table]:
    return [_pairs(body), *(_rows(key, items) for key, items in body.items() if _is_rows(items))]


def _section(section: Section) -> Table:
    box = SIMPLE_HEAD if section.heads else None
    table = Table(box=box, show_edge=False, pad_edge=False)
    table.show_header = bool(section.heads)
    for i in range(max(map(len, section.rows), default=0)):
        head = section.heads[i] if section.heads else ""
        justify: Literal["right", "left"] = "right" if i in section.right else "left"
        table.add_column(head, justify=justify, no_wrap=i in section.whole, overflow="fold", header_style="dim")
    for row in section.rows:
        table.add_row(*map(_cell, row))
    return table


def _cell(cell: Cell) -> Text:
    return _plain(cell.text, style=STYLES[cell.level])


def _pairs(body: dict[str, Any]) -> Table:
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for key, item in body.items():
        if not _is_rows(item):
            table.add_row(key, _text(item))
    return table


def _rows(title: str, items: list[dict[str, Any]]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    columns = list(dict.fromkeys(k for item in items for k in item))
    for column in columns:
        table.add_column(column, overflow="fold")
    for item in items:
        table.add_row(*(_text(item.get(c)) for c in columns))
    return table


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(i, dict) for i in value)


def _text(value: Any) -> Text:
    if value is None or value == []:
        return Text("–", style="dim")
    if isinstance(value, dict):
        return _plain("\n".join(f"{k}: {_text(v)}" for k, v in value.items()))
    if isinstance(value, list):
        return _plain("\n".join(f"• {item}" for item in value))
    return _plain(str(value))


def _plain(text: str, style: str = "") -> Text:
    """Return what a note holds as text and nothing else: no escape that drives the terminal, no half character."""
    return Text(text.translate(CONTROLS).encode("utf-8", "replace").decode(), style=style)
