"""`--human`: the same reply as Rich tables, for a person at a terminal. Loaded by nothing else."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

# Rich leaves ESC and the one-byte CSI in; tab and line break are layout.
CONTROLS = {c: "\N{REPLACEMENT CHARACTER}" for c in (*range(0x20), *range(0x7F, 0xA0)) if chr(c) not in "\t\n"}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Say no more; Rich would end the process with a failure."""
        self.quiet = True


def show(value: dict[str, Any]) -> None:
    """Print one reply: scalars as a table of two columns, lists of objects as tables of their own.

    Rich obeys NO_COLOR and leaves colour out where stdout is no terminal.
    """
    console = _Console(highlight=False)
    meta = value.get("_meta", {})
    body = {k: v for k, v in value.items() if k not in ("ok", "_meta")}
    if not value.get("ok"):
        error = value["error"]
        console.print(_plain(f"{error['code']}: {error['message']}", style="red"))
        if error["hint"]:
            console.print(_plain(f"try: {error['hint']}"))
        return
    console.print(_pairs(body))
    for key, items in body.items():
        if _is_rows(items):
            console.print(_rows(key, items))
    for change in meta.get("changes", []):
        console.print(_plain(f"[{change['action']}] {change['path']} — {change['summary']}", style="dim"))
    for warning in meta.get("warnings", []):
        console.print(_plain(f"warning: {warning}", style="yellow"))


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
