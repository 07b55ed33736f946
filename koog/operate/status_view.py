"""`koog status --human`: the reply as sections for a person. Data in, data out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from koog.core.view import BAD, DIM, GOOD, PLAIN, STRONG, WARN, Cell, Section
from koog.heartbeat.effectiveness import HIGH_RATE, LOW_RATE
from koog.operate import ledger, words

DIRECTIVES = {"aggressive_prune": BAD, "stability": GOOD, "insufficient_data": DIM}


def sections(keys: dict[str, Any], *, now: datetime) -> list[Section]:
    """Return what `koog status --human` shows: the state first, then what waits, then what was."""
    found = [_state(keys), _facts(keys, now)]
    if keys["due"]:
        found.append(_due(keys["due"], now))
    if keys["history"]:
        found.append(_weeks(keys["history"]))
    if keys["spawnsAwaited"]:
        found.append(_spawns(keys["spawnsAwaited"], now))
    if keys["failures"]:
        found.append(_failures(keys["failures"], now))
    if keys["cronErrors"]:
        found.append(Section("What cron said", [[Cell(line, WARN)] for line in keys["cronErrors"]]))
    return found


def _state(keys: dict[str, Any]) -> Section:
    wrong = keys["problems"]
    head = (
        Cell("● healthy", GOOD)
        if keys["healthy"]
        else Cell(f"● {len(wrong)} problem{'s' if len(wrong) > 1 else ''}", BAD)
    )
    return Section("", [[head], *([Cell(f"  ✗ {words_}", BAD)] for words_ in wrong), [Cell(keys["workspace"], DIM)]])


def _facts(keys: dict[str, Any], now: datetime) -> Section:
    rows = [
        ("last tick", _last(keys["lastTick"], now)),
        ("directive", Cell(keys["directive"] or "–", DIRECTIVES.get(keys["directive"], PLAIN))),
        ("last 7 days", _effect(keys["effectiveness"])),
        ("today", _budget(keys["budget"])),
        ("modules", Cell(", ".join(f"{m['id']} {m['priority']}" for m in keys["modules"] or ()) or "–")),
        ("git", _git(keys["git"])),
        ("reads", _observes(keys["observes"])),
        ("transcripts", _transcripts(keys["transcripts"], now)),
        ("knowledge", _knowledge(keys["knowledge"])),
        ("on its way", _way(keys["way"], now)),
        ("memory", _memory(keys["memory"])),
    ]
    return Section("Now", [[Cell(name, STRONG), value] for name, value in rows], whole=[0])


def _last(tick: dict[str, Any] | None, now: datetime) -> Cell:
    if tick is None:
        return Cell("none yet", DIM)
    told = [words.ago(tick["ts"], now), "idle" if tick["idle"] else "active"]
    told += [f"degraded: {', '.join(tick['degraded'])}"] if tick["degraded"] else []
    return Cell(f"{' · '.join(told)}\n{tick['receipt'] or tick['tickId']}", WARN if tick["degraded"] else PLAIN)


def _effect(found: dict[str, Any] | None) -> Cell:
    if not found or found["rate"] is None:
        return Cell("no output scored", DIM)
    told = f"{words.bar(found['rate'])} {words.percent(found['rate'])} good: {found['positive']} of {found['outputs']}"
    return Cell(f"{told}, {found['negative']} bad", _level(found["rate"]))


def _budget(found: dict[str, Any] | None) -> Cell:
    if found is None:
        return Cell("–", DIM)
    tokens = _used(found["tokensUsed"], found["tokensPerDay"], f"{words.number(found['tokensUsed'])} tokens")
    usd = _used(found["usdUsed"], found["usdPerDay"], words.dollars(found["usdUsed"]))
    return Cell(f"{tokens} · {usd}", BAD if ledger.used_up(found) else PLAIN)


def _used(used: float, limit: float | None, told: str) -> str:
    if limit is None:
        return told
    return f"{words.bar(used / limit if limit else 1)} {told} of {words.number(limit)}"


def _git(found: dict[str, Any] | None) -> Cell:
    if found is None:
        return Cell("no repository", WARN)
    told = [found["branch"] or "no branch", f"{found['uncommitted']} uncommitted"]
    told.append("no remote" if found["remote"] is None else f"{found['unpushed'] or 0} unpushed to {found['remote']}")
    told += [found["hindrance"]] if found["hindrance"] else []
    return Cell(" · ".join(told), BAD if found["hindrance"] else PLAIN)


def _observes(found: dict[str, Any] | None) -> Cell:
    if found is None:
        return Cell("–", DIM)
    told = [", ".join(found["sources"]) or "the hosts' sessions of this folder"]
    told += [", ".join(found["include"])] if found["include"] else []
    told += [f"not {', '.join(found['exclude'])}"] if found["exclude"] else []
    told += [f"groups {', '.join(found['groups'])}"] if found["groups"] else []
    others = found["linesOfOthers"]
    told += [f"{words.count(others, 'line')} of other projects: koog doctor"] if others else []
    return Cell(" · ".join(told), WARN if others else PLAIN)


def _transcripts(found: dict[str, Any] | None, now: datetime) -> Cell:
    if found is None:
        return Cell("–", DIM)
    if not found["files"]:
        return Cell("none yet", DIM)
    told = f"{words.number(found['files'])} · the newest {words.ago(found['newest'], now)} · {found['open']} open"
    return Cell(told, WARN if found["silent"] else PLAIN)


def _knowledge(found: dict[str, Any] | None) -> Cell:
    if found is None:
        return Cell("–", DIM)
    told = [
        f"{words.count(found[key], one)}" for key, one in (("projects", "project"), ("journals", "day")) if found[key]
    ]
    told += [f"{found['people']} people"] if found["people"] else []
    told += [f"{words.count(found['waiting'], 'transcript')} to extract"] if found["waiting"] else []
    return Cell(" · ".join(told) or "nothing yet", PLAIN if told else DIM)


def _way(rows: Sequence[dict[str, Any]], now: datetime) -> Cell:
    told = [
        f"{row['stage']} {words.number(row['count'])}"
        + (f", {words.ago(row['newest'], now)}" if row["newest"] else "")
        + (f", {row['due']} due" if row["due"] else "")
        for row in rows
    ]
    return Cell(" → ".join(told) or "–", WARN if any(row["due"] for row in rows) else PLAIN)


def _memory(found: dict[str, Any] | None) -> Cell:
    if found is None:
        return Cell("–", DIM)
    counts = list(found["stores"].values())
    total, fading = sum(sum(of.values()) for of in counts), sum(of["fading"] + of["dormant"] for of in counts)
    told = [f"{words.number(total)} remembered", f"{fading} fading"] if total else []
    told += [f"{found['contradictions']} at odds"] if found["contradictions"] else []
    told += [f"{found['reflection']} waits for your word"] if found["reflection"] else []
    return Cell(" · ".join(told) or "nothing yet", PLAIN if told else DIM)


def _due(rows: Sequence[dict[str, Any]], now: datetime) -> Section:
    table = [
        [Cell(r["what"], STRONG), Cell(words.ago(r["since"], now), WARN), Cell(f"{r['detail']}\n→ {r['command']}")]
        for r in rows
    ]
    return Section("Due", table, ("what", "since", "what to do"), whole=[0, 1])


def _weeks(rows: Sequence[dict[str, Any]]) -> Section:
    table = [
        [
            Cell(r["week"]),
            Cell(words.number(r["ticks"])),
            Cell(words.number(r["outputs"])),
            Cell(words.number(r["positive"])),
            Cell(words.number(r["negative"])),
            Cell("" if r["rate"] is None else words.bar(r["rate"], width=8), _level(r["rate"])),
            Cell(words.percent(r["rate"])),
            Cell(r["directive"], DIRECTIVES.get(r["directive"], PLAIN)),
        ]
        for r in rows
    ]
    heads = ("week", "ticks", "outputs", "good", "bad", "", "rate", "directive")
    title = f"By week  {words.spark([r['rate'] for r in rows])}"
    return Section(title, table, heads, right=(1, 2, 3, 4, 6), whole=range(7))


def _spawns(rows: Sequence[dict[str, Any]], now: datetime) -> Section:
    table = [
        [Cell(words.ago(r["since"], now)), Cell(str(r["ticks"])), Cell(f"{r['spawnId']}\n{r['task']}")] for r in rows
    ]
    return Section("Spawns awaited", table, ("since", "ticks", "what"), right=[1], whole=[0, 1])


def _failures(rows: Sequence[dict[str, Any]], now: datetime) -> Section:
    table = [
        [Cell(words.ago(r["ts"], now)), Cell(r["command"], STRONG), Cell(f"{r['code']}: {r['message']}")] for r in rows
    ]
    return Section("Failures", table, ("when", "command", "why"), whole=[0])


def _level(rate: float | None) -> str:
    if rate is None:
        return DIM
    return BAD if rate < LOW_RATE else GOOD if rate > HIGH_RATE else WARN
