"""A progress bar on stderr for people who wait; nothing at all where stderr is no terminal.  [design §2]"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar of so many steps; yield what is to be called, with its name, before each."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=total)
        begun = False

        def begin(name: str) -> None:
            nonlocal begun
            shown.update(task, description=name, advance=1 if begun else 0)
            begun = True

        yield begin
