"""koog module extract: take a domain's patterns out of what was learned.  [sinain §5.5]

Reads   the base playbook, the logs and notes of 7 days; word vectors, where the extra `vectors` is installed
Writes  modules/<id>/{manifest.json,patterns.md}, the registry (suspended)
Asks    the `module_manager` route, once
"""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock
from koog.core.errors import Refused
from koog.core.files import daily, jsonfiles
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.task import Task
from koog.core.text.compare import SAME, compare
from koog.core.text.trust import PATTERN, TAKEN, verdict
from koog.core.text.untrusted import clean, visible
from koog.core.text.voices import AGENT, NOTE
from koog.playbook import document, extract_rules, heard, item, registry
from koog.playbook.extract_rules import ExtractInput
from koog.playbook.module import new_entry, register
from koog.sessions import audience
from koog.sessions.audience import Seen
from koog.sessions.notes import group_of_note

DAYS = 7
RANGE = (10, 90)  # sinain names none for extracted modules: below locked ones' 100, above the base's 0
DEFAULT_PRIORITY = 50
NOTE_CHARS = 8000

TASK = Task(
    file=Path(__file__),
    route="module_manager",
    rules=extract_rules.answer,
    render=lambda given: {
        "domain": f"{given.module_id}: {given.domain}",
        "playbook": given.playbook,
        "logs": "\n".join(jsonfiles.line(row) for row in given.logs),
        "notes": "\n\n".join(f"File {path}\n{text}" for path, text in given.notes),
    },
)


def extract(
    ctx: typer.Context,
    module_id: Annotated[str, typer.Argument(help="The new module's id.")],
    domain: Annotated[str, typer.Option(help="What the domain is, in a few words; commas part what it is made of.")],
    force: Annotated[bool, typer.Option("--force", help="Replace an existing module of that id.")] = False,
) -> Reply:
    """Make a module of a domain's patterns; it starts suspended."""
    run: Run = ctx.obj
    registry.check_free(run.workspace, module_id, force=force)
    given = gather(run, module_id, domain)
    asked = run.ask(TASK, given)
    answer, dropped = asked.value, [row["text"] for row in asked.refused]
    known = [i.text for i in map(item.parse, given.playbook.splitlines()) if i]
    lists = {k: _lines(answer[k], known, dropped) for k in ("established", "emerging")}
    vocabulary = [(t["term"], t["definition"]) for t in answer["vocabulary"]]
    terms = [(term, meaning) for term, meaning in vocabulary if _may_stand(f"{term}: {meaning}")]
    dropped += [meaning for term, meaning in vocabulary if (term, meaning) not in terms]
    if not any(lists.values()) and not terms:
        raise Refused(
            f"nothing in playbook, logs and notes belongs to {domain!r}", hint="name the domain by more of its words"
        )
    manifest = _manifest(module_id, answer)
    patterns = render(manifest["name"], established=lists["established"], emerging=lists["emerging"], terms=terms)
    with run.workspace.writing() as door:
        registry.check_free(run.workspace, module_id, force=force)
        folder = run.workspace.in_modules(module_id)
        door.write(f"{folder}/manifest.json", jsonfiles.pretty(manifest), summary=f"extracted {module_id}")
        door.write(f"{folder}/patterns.md", patterns, summary=f"extracted {module_id}")
        register(door, module_id, new_entry(manifest), summary=f"registered {module_id}, suspended")
    return Reply(
        "koog.module.extract/1",
        id=module_id,
        name=manifest["name"],
        status="suspended",
        established=len(lists["established"]),
        emerging=len(lists["emerging"]),
        vocabulary=len(terms),
        patternLines=sum(1 for line in patterns.splitlines() if line.strip()),
        dropped=dropped,
        path=f"{folder}/patterns.md",
        next=f"koog module activate {module_id}",
    )


def gather(run: Run, module_id: str, domain: str) -> ExtractInput:
    """Read the base playbook and the last seven days: what is of the own project, whose file a module is."""
    from koog.search import alike  # who asks a model needs none of it

    workspace = run.workspace
    own, path = audience.own(run), workspace.in_memory(document.NAME)
    since = (run.now - timedelta(days=DAYS)).date().isoformat()
    until = run.now.date().isoformat()
    # Notes have the user's days, logs those of UTC.
    first = (date.fromisoformat(run.today) - timedelta(days=DAYS)).isoformat()
    notes = [note.path for note in daily.every(workspace) if first <= note.day <= run.today]
    texts = ((path, workspace.text(path) or "") for path in sorted(notes))
    return ExtractInput(
        module_id=module_id,
        domain=clean(domain),
        playbook=heard.part(workspace.text(path) or "", path, own, others=False),
        logs=tuple(_logs(run, since, until)),
        notes=tuple((p, clean(t)[:NOTE_CHARS]) for p, t in texts if own.file(p) is Seen.TOLD and not group_of_note(t)),
        likeness=alike.of(run),
    )


def render(name: str, *, established: list[str], emerging: list[str], terms: list[tuple[str, str]]) -> str:
    """Return patterns.md: the three categories of sinain §5.5, empty ones left out."""
    parts = [f"# {name}"]
    for heading, lines in (("Established", established), ("Emerging", emerging)):
        if lines:
            parts.append("\n".join([f"## {heading}", *(f"- {line}" for line in lines)]))
    if terms:
        parts.append("\n".join(["## Vocabulary", *(f"- **{term}**: {meaning}" for term, meaning in terms)]))
    return "\n\n".join(parts) + "\n"


def _manifest(module_id: str, answer: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": module_id,
        "name": _told(answer["name"]) or module_id,
        "description": _told(answer["description"]),
        "version": "1.0.0",
        "priority": {"default": DEFAULT_PRIORITY, "range": list(RANGE)},
        "triggers": {
            "keywords": list(dict.fromkeys(_line(k).lower() for k in answer["keywords"] if _line(k))),
            "filePatterns": list(dict.fromkeys(_line(p) for p in answer["filePatterns"] if _line(p))),
        },
        "locked": False,
    }


def _lines(texts: list[str], known: list[str], dropped: list[str]) -> list[str]:
    """Return the texts as single lines; what is shaped like an instruction is dropped and reported.

    known   the playbook's own lines: what was let in there may be worded as a rule
    """
    kept: list[str] = []
    for text in map(_line, texts):
        if text and not _may_stand(text) and not any(compare(line, text).kind == SAME for line in known):
            dropped.append(text)
        elif text and text not in kept:
            kept.append(text)
    return kept


def _told(text: str) -> str:
    """Return a text as one line, "" for one that steers: a module's name is read with its patterns."""
    return line if _may_stand(line := _line(text)) else ""


def _may_stand(text: str) -> bool:
    """Return whether a text may be a pattern without a person's word: notes and logs are an agent's."""
    return verdict(text, AGENT, register=NOTE, kind=PATTERN) == TAKEN


def _line(text: str) -> str:
    return " ".join(visible(clean(text)).split()).removeprefix("- ").strip()


def _logs(run: Run, since: str, until: str) -> list[dict[str, Any]]:
    """Return the log rows of these days, newest first, as far as they can be read."""
    own, folder = audience.own(run), run.workspace.in_memory("playbook-logs")
    found = []
    for name in run.workspace.names(folder, ".jsonl"):
        is_told = own.file(f"{folder}/{name}") is Seen.TOLD
        if not since <= name.removesuffix(".jsonl") <= until or not is_told:
            continue
        for raw in (run.workspace.read(f"{folder}/{name}") or b"").splitlines():
            try:
                row = jsonfiles.loads(raw)
            except ValueError:
                continue
            if isinstance(row, dict) and not row.get("_type") and clock.parse(row.get("ts")):
                found.append(row)
    return sorted(found, key=lambda row: str(row["ts"]), reverse=True)
