"""doctor: what is found and when: topics, the gate's log, the search index.  [autopoiesis §2.2, §5.5, §7]"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any

from koog.core import clock, schema
from koog.core.files.tree import PRIVATE
from koog.core.run import Run
from koog.operate.checks_files import rows, whole
from koog.operate.finding import ERROR, INFO, WARN, Finding, edit, examined, few
from koog.search import embedding, sources
from koog.topics import active, decisions
from koog.topics.topics import load

ACTIVE: schema.Schema = {
    "type": "object",
    "properties": {"topics": {"type": "object", "additionalProperties": {"type": "object", "required": ["since"]}}},
}


def topics(run: Run) -> Iterator[Finding]:
    """Look at the topics' files, at what they subscribe to, at what is active, and at what was decided."""
    workspace = run.workspace
    found = load(workspace)
    for _, problems in groupby(found.problems, key=lambda p: p.file):
        yield from few(Finding("topics", ERROR, p.message, p.file, p.line, edit(p.file, p.line)) for p in problems)
    for topic in found.topics:
        missing = [path for path in topic.subscriptions if workspace.size(path) is None]
        if missing:
            message = f"subscribes to what is not there: {', '.join(missing)}"
            yield Finding("topics", WARN, message, topic.path, command=edit(topic.path))
    path = workspace.in_memory(active.NAME)
    judge = partial(whole, shape=ACTIVE, check="topics", command=f"git checkout -- {path}")
    yield from examined(workspace, path, judge, check="topics")
    lines = partial(rows, judge=decided, check="topics")
    yield from examined(workspace, workspace.in_memory(decisions.FILE), lines, check="topics")


def decided(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what keeps `topic stats` from counting a line of the gate's log."""
    if clock.parse(row.get("timestamp")) is None or not isinstance(row.get("topic_name"), str):
        yield INFO, "a decision without its time or topic: nothing counts it"


def search(run: Run) -> Iterator[Finding]:
    """Say by what a search goes here, and whether its index can be asked. Raises ConfigError for half an endpoint."""
    embedder, why = embedding.choose(run.settings, lambda: run.asker)
    if embedder is None and run.settings.get("search.embedding") != "none":
        yield Finding("search", INFO, f"search goes by words only: {why}")
    try:
        from koog.search import database

        database.reader(run.root / PRIVATE / database.NAME).close()
    except ImportError as e:
        message = f"{e.name} is not installed: every search reads every file"
        yield Finding("search", WARN, message, command="pip install apsw")
    except database.Unusable as e:
        if e.reason != "absent":
            yield Finding(
                "search", INFO, f"the index is {e.reason}: the next search builds it anew", command="koog index"
            )
    yield from few(_too_long(sources.of(run)))


def _too_long(roots: sources.Roots) -> Iterator[Finding]:
    """Name the files that are searched in part, or not at all: several smaller ones would be found."""
    for folder in sources.scan(roots).folders:
        for source in folder.sources(roots):
            if why := sources.cut_short(source.size):
                yield Finding("search", WARN, why, source.path, command=edit(roots.file(source.path)))
