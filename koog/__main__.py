"""python -m koog, and the console script: what a host tells a hook is on disk before the rest of koog is imported."""

from __future__ import annotations

import sys


def entry() -> None:
    """Run one command and end the process."""
    if "hook" in sys.argv:
        from koog.host import arrival

        if arrival.is_hook(sys.argv[1:]):
            arrival.begin(sys.argv[1:])
    from koog import cli

    cli.entry()


if __name__ == "__main__":
    entry()
