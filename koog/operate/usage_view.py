"""`koog usage --human`: the reply as sections for a person. Data in, data out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from koog.core.view import BAD, DIM, PLAIN, STRONG, Cell, Section
from koog.operate import ledger, words

HEADS = ("calls", "failed", "in", "out", "cost", "")


def sections(keys: dict[str, Any]) -> list[Section]:
    """Return what `koog usage --human` shows: the sum, then who, what and when, each with its share."""
    found = [_head(keys)]
    for title, name in (("By command", "command"), ("By model", "model"), ("By day", "day")):
        if rows := keys[f"by{name.capitalize()}"]:
            found.append(_table(title, name, rows))
    return found


def _head(keys: dict[str, Any]) -> Section:
    total, budget = keys["total"], keys["budget"]
    calls = (
        f"{words.count(total['calls'], 'call')}, {words.number(total['failed'])} failed, {total['ms'] / 1000:,.1f} s"
    )
    tokens = f"{words.number(total['promptTokens'])} in, {words.number(total['completionTokens'])} out"
    if total["estimatedCalls"]:
        tokens += f" ({words.count(total['estimatedCalls'], 'call')} estimated)"
    today = f"{_of(words.number(budget['tokensUsed']), budget['tokensPerDay'])} tokens, "
    today += _of(words.dollars(budget["usdUsed"]), budget["usdPerDay"])
    rows = [
        ("from", Cell(f"{keys['since']} to {keys['until']}")),
        ("calls", Cell(calls)),
        ("tokens", Cell(tokens)),
        ("cost", Cell(words.dollars(total["usd"]))),
        ("today", Cell(today, BAD if ledger.used_up(budget) else PLAIN)),
    ]
    if keys["unreadable"]:
        rows.append(("unreadable", Cell(words.count(keys["unreadable"], "line") + " of the ledger", BAD)))
    return Section("", [[Cell(name, STRONG), value] for name, value in rows], whole=[0])


def _table(title: str, name: str, rows: Sequence[dict[str, Any]]) -> Section:
    most = max(map(_tokens, rows))
    table = [
        [
            Cell(row[name] or "no answer", PLAIN if row[name] else DIM),
            Cell(words.number(row["calls"])),
            Cell(words.number(row["failed"]), BAD if row["failed"] else DIM),
            Cell(words.number(row["promptTokens"])),
            Cell(words.number(row["completionTokens"])),
            Cell(words.dollars(row["usd"])),
            Cell(words.bar(_tokens(row) / most if most else 0, width=6)),
        ]
        for row in rows
    ]
    return Section(title, table, (name, *HEADS), right=(1, 2, 3, 4, 5), whole=range(1, 7))


def _tokens(row: dict[str, Any]) -> int:
    return int(row["promptTokens"] + row["completionTokens"])


def _of(used: str, limit: float | None) -> str:
    return used if limit is None else f"{used} of {words.number(limit)}"
