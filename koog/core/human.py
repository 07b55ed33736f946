"""`--human`: the same reply as Rich tables, for a person at a terminal. Loaded by nothing else."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text


def show(value: dict[str, Any]) -> None:
    """Print one reply: scalars as a table of two columns, lists of objects as tables of their own.

    Rich obeys NO_COLOR and leaves colour out where stdout is no terminal.
    """
    console = Console(highlight=False)
    meta = value.get("_meta", {})
    body = {k: v for k, v in value.items() if k not in ("ok", "_meta")}
    if not value.get("ok"):
        error = value["error"]
        console.print(Text(f"{error['code']}: {error['message']}", style="red"))
        if error["hint"]:
            console.print(Text(f"try: {error['hint']}"))
        return
    console.print(_pairs(body))
    for key, items in body.items():
        if _is_rows(items):
            console.print(_rows(key, items))
    for change in meta.get("changes", []):
        console.print(Text(f"[{change['action']}] {change['path']} — {change['summary']}", style="dim"))
    for warning in meta.get("warnings", []):
        console.print(Text(f"warning: {warning}", style="yellow"))


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
        return Text("\n".join(f"{k}: {_text(v)}" for k, v in value.items()))
    if isinstance(value, list):
        return Text("\n".join(f"• {item}" for item in value))
    return Text(str(value))
