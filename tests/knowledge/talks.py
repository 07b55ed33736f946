"""Sessions for the tests of `extract`, told by `koog transcript` as a host without readers would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Koog = Callable[..., tuple[int, dict[str, Any]]]
TIME = "2026-03-10T09:{minute:02d}:00Z"
# What is said in it has a place in several files.
APOLLO = (
    ("user", "Let's look at the Apollo release."),
    ("agent", "Sure, Apollo currently runs on Postgres 14."),
    (
        "user",
        "We decided to cut the Apollo release from main on Thursdays, because Friday rollbacks ruined two weekends.",
    ),
    ("user", "Mara Lindqvist is our new accountant, she used to work for the city and sits in Bergen."),
    ("user", "Lesson learned: we should have run the migration on a copy, it locked the orders table for 40 minutes."),
    ("user", "To deploy Apollo: 1. tag the commit 2. run make ship 3. watch the dashboard for ten minutes"),
    ("user", "Yesterday the Apollo server was down from 9:10 to 9:55, somebody had unplugged the rack."),
    ("user", "thanks, what's the weather like?"),
)


def tell(
    koog: Koog, turns: Sequence[tuple[str, str]], *, session: str = "ses_1", ends: bool = True, hour: int = 9
) -> str:
    """Tell a session turn by turn; return the path of its transcript."""
    at = TIME.replace("09:", f"{hour:02d}:")
    code, told = koog("--now", at.format(minute=0), "transcript", "start", "--session", session)
    assert code == 0, told
    for n, (role, text) in enumerate(turns):
        code, told = koog(
            "--now", at.format(minute=n + 1), "transcript", "message", text, "--role", role, "--session", session
        )
        assert code == 0, told
    if ends:
        code, line = koog("--now", at.format(minute=len(turns) + 1), "transcript", "end", "--session", session)
        assert code == 0, line
    return str(told["path"])
