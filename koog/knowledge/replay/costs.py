"""What a reconstruction costs, told before it begins: by the transcripts' sizes, at the price that calls had so far."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from koog.core.files import jsonfiles
from koog.core.model import usage
from koog.knowledge.condensing import cursor
from koog.observe.material import PART_CHARS

if TYPE_CHECKING:
    from koog.core.run import Run

BYTES_A_TOKEN = 3.5  # of talk; of most of it more
PROMPT_TOKENS, ANSWER_TOKENS = 900, 250  # of one extractor's question about one piece, beside what was said
CONDENSED = 0.5  # of the tokens of talk: what is read and answered when weeks and months are made of it


def estimate(run: Run, sizes: Sequence[int], extractors: int) -> dict[str, Any]:
    """Return what reading transcripts of so many bytes takes.

    tokens   0 for the built-in engine; usd: None where no call has told its price yet
    """
    is_asked = run.asker.uses_model
    pieces = sum(-(-size // PART_CHARS) for size in sizes)
    talk = sum(sizes) / BYTES_A_TOKEN
    tokens = int(extractors * (talk + pieces * (PROMPT_TOKENS + ANSWER_TOKENS)))
    tokens += int(talk * CONDENSED) if cursor.load(run.workspace).weeks else 0
    price = _price(run) if is_asked else 0.0
    tokens = tokens if is_asked else 0
    left_tokens, left_usd = _left(run)
    return {
        "transcripts": len(sizes),
        "bytes": sum(sizes),
        "engine": "llm" if is_asked else "builtin",
        "tokens": tokens,
        "usd": None if price is None else round(tokens * price, 4),
        "tokensLeftToday": left_tokens,
        "usdLeftToday": left_usd,
    }


def told(found: dict[str, Any]) -> str:
    """Return an estimate in words."""
    if found["engine"] == "builtin":
        return f"{found['transcripts']} transcripts, by the built-in engine: free"
    price = "at an unknown price" if found["usd"] is None else f"about ${found['usd']:.2f}"
    return f"{found['transcripts']} transcripts, about {found['tokens']:,} tokens, {price}"


def is_over(found: dict[str, Any]) -> bool:
    """Return whether it takes more than is left of today's budget."""
    tokens, usd = found["tokensLeftToday"], found["usdLeftToday"]
    return (tokens is not None and found["tokens"] > tokens) or (usd is not None and (found["usd"] or 0.0) > usd)


def _left(run: Run) -> tuple[int | None, float | None]:
    limits = run.settings.get("budget")
    if limits["tokensPerDay"] is None and limits["usdPerDay"] is None:
        return None, None
    tokens, usd = usage.spent(run.workspace, now=run.now, zone=run.zone)
    of_tokens, of_usd = limits["tokensPerDay"], limits["usdPerDay"]
    return (
        None if of_tokens is None else max(0, of_tokens - tokens),
        None if of_usd is None else round(max(0.0, of_usd - usd), 4),
    )


def _price(run: Run) -> float | None:
    """Return what a token of an extraction has cost so far, by the ledger; None where nothing tells."""
    tokens, usd = 0.0, 0.0
    for raw in (run.workspace.read(run.workspace.in_memory(usage.FILE)) or b"").splitlines():
        if b'"extract"' in raw or b'"reconstruct"' in raw:
            with suppress(ValueError, TypeError, AttributeError):
                row = jsonfiles.loads(raw)
                if row.get("costUsd") is not None:
                    tokens += usage.figure(row.get("promptTokens")) + usage.figure(row.get("completionTokens"))
                    usd += usage.figure(row["costUsd"])
    return usd / tokens if tokens else None
