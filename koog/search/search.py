"""koog search: the passages that answer a question, each with its file and lines.  [autopoiesis §7]

Reads   .koog/index.db, the files that it covers; what of them the reader may see
Writes  .koog/index.db, which may be deleted: files that have changed are taken in first; with --in one among the caches
Asks    the embedding endpoint, where `search.embedding` names one

A query is text: whatever it holds, it is never SQL, FTS5 syntax or a pattern, unless --raw says so.
"""

from __future__ import annotations

import bisect
import json
import re
from datetime import date, timedelta
from typing import Annotated, Any, Literal

import typer

from koog.core import clock
from koog.core.errors import UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.search import elsewhere
from koog.search.categories import CATEGORIES
from koog.search.find import LIMIT, Found, find
from koog.search.hits import Hit
from koog.sessions import audience

MOST = 100  # hits
LINE_CHARS = 9000  # of the reply that hits may take
TEXT_CHARS, LEAST_TEXT_CHARS = 700, 90  # of one hit
QUERY_CHARS, HEADING_CHARS = 200, 200
MOST_REPLACED = 5  # lines of one hit
SINCE_HINT = "--since 2026-02-01, --since 30d"


def search(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question or some words; '-' reads stdin.")],
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="How many hits at most.")] = LIMIT,
    offset: Annotated[int, typer.Option(min=0, help="Go on behind so many hits.")] = 0,
    category: Annotated[str | None, typer.Option(metavar="|".join(CATEGORIES), help="Only such files.")] = None,
    mode: Annotated[
        Literal["hybrid", "keyword", "vector"], typer.Option(help="By words, by meaning, or by both.")
    ] = "hybrid",
    since: Annotated[
        str | None, typer.Option(metavar="DATE|Nd", help="From that day on; 7d is today and the six days before.")
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="QUERY is an FTS5 expression.")] = False,
    folder: Annotated[
        str | None, typer.Option("--in", metavar="DIR", help="Any folder of Markdown, in place of the workspace.")
    ] = None,
    project: Annotated[
        str | None, typer.Option(metavar="P|all", help="For that project, or for all; else for that of this folder.")
    ] = None,
) -> Reply:
    """Find the passages that answer a question, by words and by meaning."""
    run: Run = ctx.obj
    if category is not None and category not in CATEGORIES:
        raise UsageError(f"--category {category!r} is not one of {', '.join(CATEGORIES)}")
    if folder is not None:
        if project is not None:
            raise UsageError("--in and --project: a folder that is no workspace has no projects")
        elsewhere.search_in(run, folder)
    else:
        audience.named(run, project)
    text = text_or_stdin(query, what="QUERY")
    day = beginning(since, today=date.fromisoformat(run.today)) if since is not None else None
    found = find(run, text, limit=limit, offset=offset, mode=mode, category=category, since=day, raw=raw)
    if found.no_index:
        run.warnings.append(f"no index ({found.no_index}): the files themselves were searched")
    shown = told(found.hits)
    reply = Reply(
        "koog.search/1",
        query=clipped(text, QUERY_CHARS)[0],
        mode=found.mode,
        hits=shown,
        total=found.total,
        limit=limit,
        offset=offset,
        truncated=offset + len(shown) < found.total or any(hit["clipped"] for hit in shown),
        stale=found.state.stale,
        staleReason=found.state.reason,
        refreshed=_refreshed(found),
        engine=found.engine,
        embedding={"id": found.model, "reason": found.without},
    )
    if run.human:
        from koog.search import search_view

        reply.view = search_view.sections(reply.keys)
    return reply


def beginning(text: str, *, today: date) -> str:
    """Return the first day of a span as an ISO day.

    >>> beginning("7d", today=date(2026, 2, 28)), beginning("2026-02-01", today=date(2026, 2, 28))
    ('2026-02-22', '2026-02-01')

    Raises UsageError for another text.
    """
    if span := re.fullmatch(r"([0-9]{1,5})d", text):
        return max(today - timedelta(days=max(0, int(span[1]) - 1)), date(clock.FIRST_YEAR, 1, 1)).isoformat()
    day = clock.parse_day(text)
    if day is None:
        raise UsageError(f"--since {text!r} is no day and no number of days", hint=SINCE_HINT)
    return day.isoformat()


def told(hits: list[Hit]) -> list[dict[str, Any]]:
    """Return the hits as the line shows them: as many as it has room for, each with its share of it.

    The share counts characters of the text, whatever they take in the line: the most with which all hits have room,
    and never less than LEAST_TEXT_CHARS.
    """
    rows = [(hit, _row(hit)) for hit in hits]
    fits = bisect.bisect_left(
        range(LEAST_TEXT_CHARS + 1, TEXT_CHARS + 1),
        True,
        key=lambda share: sum(len(json.dumps(_with_text(row, hit, share))) for hit, row in rows) > LINE_CHARS,
    )
    shown: list[dict[str, Any]] = []
    room = LINE_CHARS
    for hit, row in rows:
        whole = _with_text(row, hit, LEAST_TEXT_CHARS + fits)
        room -= len(json.dumps(whole))
        if room < 0:
            break
        shown.append(whole)
    return shown


def _row(hit: Hit) -> dict[str, Any]:
    return {
        "path": hit.path,
        "line": hit.line,
        "lines": list(hit.lines),
        "matches": list(hit.matches),
        "heading": shortened(hit.heading, HEADING_CHARS)[0],
        "category": hit.category,
        "date": hit.date,
        "score": round(hit.score, 4),
        "confidence": None if hit.confidence is None else round(hit.confidence, 2),
        "weak": hit.is_weak,
        "text": "",
        "clipped": False,
        "project": hit.project,
        "scope": hit.scope,
        "trust": hit.trust,
        "replaced": [{"line": each.line, "by": each.by or None, "on": each.on} for each in hit.replaced][
            :MOST_REPLACED
        ],
    }


def _with_text(row: dict[str, Any], hit: Hit, share: int) -> dict[str, Any]:
    """Return a hit's row with as much of its text; whose it is stands behind what is cut off, too."""
    ending = audience.mark(hit.name) if hit.name else ""
    text, is_clipped = shortened(hit.text, share - len(ending) if len(hit.text) > share else share)
    return row | {"text": text + ending if is_clipped else text, "clipped": is_clipped}


def shortened(text: str, chars: int) -> tuple[str, bool]:
    r"""Return a text of no more than `chars` characters, and whether it was cut, as `clipped` does.

    >>> shortened("the metro bundler stopped", 16), shortened("\u6211\u4eec\u53d1\u5e03", 4)[1]
    (('the metro…', True), False)
    """
    if len(text) <= chars:
        return text, False
    return _at_word(text[: max(0, chars - 1)]) + "…", True


def clipped(text: str, chars: int) -> tuple[str, bool]:
    r"""Return a text that takes no more than `chars` of a line of ASCII JSON, and whether it was cut.

    It is cut at a word, but where half of it would be lost: some scripts have no blanks.

    >>> clipped("the metro bundler stopped", 20), clipped("short", 20)
    (('the metro…', True), ('short', False))
    """
    if len(json.dumps(text)) - 2 <= chars:
        return text, False
    head = text[:chars]
    while (taken := len(json.dumps(head)) + 4) > chars and head:  # "…" takes six, the quotes two
        head = head[: min(len(head) - 1, len(head) * chars // taken)]
    return _at_word(head) + "…", True


def _at_word(head: str) -> str:
    words = re.match(r"(?s).*\S(?=\s)", head)
    return words[0] if words and len(words[0]) > len(head) // 2 else head


def _refreshed(found: Found) -> dict[str, Any] | None:
    done = found.state.refreshed
    if done is None:
        return None
    return {"added": done.added, "changed": done.changed, "removed": done.removed, "rebuilt": done.rebuilt}
