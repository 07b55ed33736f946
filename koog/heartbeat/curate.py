"""koog curate: archive the playbook, then add, prune and promote.  [sinain §4.6, design §5]

Reads   the base playbook, the logs of 30 days, what was mined and not yet curated
Writes  the base playbook, its archive, the effective playbook, cursors.json, pending-memories.md
Asks    the `playbook_curator` route, once
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock, proposals
from koog.core.errors import UsageError
from koog.core.files import jsonfiles
from koog.core.files.door import Door
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import object_or_stdin
from koog.core.task import Task
from koog.heartbeat import (
    candidates,
    curate_rules,
    cursors,
    effectiveness,
    feedback,
    findings,
    operations,
    revision,
    sightings,
    standing,
    ticks,
)
from koog.heartbeat.curate_rules import CurateInput
from koog.heartbeat.findings import Finding
from koog.heartbeat.signal import brief
from koog.playbook import document, item, stack

RECENT = 6  # entries an engine sees, and those of the same quarter of a day
DIRECTIVES = ("aggressive_prune", "normal", "stability", "insufficient_data")
ARCHIVE = "playbook-archive"
COUNTED = 500  # tickIds and findings kept as counted; seven days of half-hour ticks are 336

TASK = Task(
    file=Path(__file__),
    route="playbook_curator",
    rules=curate_rules.answer,
    render=lambda given: {
        "playbook": "\n".join(f"{n}: {line}" for n, line in enumerate(given.lines, 1)),
        "directive": given.directive,
        "findings": "\n".join(
            [given.summary, *(f"- {f.kind} ({f.source or 'no source'}): {f.text}" for f in given.findings)]
        ),
        "recent_logs": "\n".join(jsonfiles.line(brief(e)) for e in reversed(given.logs)),
    },
)


@dataclass
class Curated:
    """What the write did; filled in under the lock, for the text that really stood there."""

    revision: revision.Revision | None = None
    archive: str | None = None
    lines: int = 0
    keys: dict[str, Any] = field(default_factory=dict)


def curate(
    ctx: typer.Context,
    curate_directive: Annotated[
        str | None, typer.Option(metavar="|".join(DIRECTIVES), help="Default: what feedback computes.")
    ] = None,
    mining_findings: Annotated[
        str | None, typer.Option(metavar="JSON|-", help="koog mine's line. Default: what was mined and not curated.")
    ] = None,
) -> Reply:
    """Archive the playbook and curate it by operations, within the laws."""
    run: Run = ctx.obj
    if curate_directive is not None and curate_directive not in DIRECTIVES:
        raise UsageError(f"--curate-directive {curate_directive!r}", hint=f"one of {', '.join(DIRECTIVES)}")
    mined = None
    if mining_findings is not None:
        mined = object_or_stdin(mining_findings, what="--mining-findings", hint="pass koog mine's line")
    return Reply("koog.curate/1", **work(run, directive=curate_directive, mined=mined))


def work(run: Run, *, directive: str | None, mined: dict[str, Any] | None = None, ask: bool = True) -> dict[str, Any]:
    """Curate once; return the reply's keys.

    mined   koog mine's line, beside what cursors.json holds as mined and not yet curated
    ask     False where nothing is new: then only what code decides is done, ageing and the laws
    """
    workspace = run.workspace
    measured = feedback.measure(run)
    directive = directive or measured.directive
    kept = cursors.parse(workspace.text(workspace.in_memory(cursors.NAME)))
    rows = [*([mined] if mined else []), *kept["mine"]["pending"]]
    given = _distinct([f for row in rows for f in findings.read(row)])
    body = document.parse(workspace.text(workspace.in_memory(document.NAME)) or document.EMPTY).body
    recent = ticks.window(measured.log.entries, least=RECENT)
    question = CurateInput(
        lines=body,
        directive=directive,
        findings=tuple(given),
        summary=" ".join(dict.fromkeys(filter(None, map(findings.summary, rows)))),
        logs=tuple(recent),
        today=run.now.astimezone(run.zone).date(),
        waiting=candidates.read(kept["curate"]),
    )
    wanted = run.ask(TASK, question).value["operations"] if ask else []
    asked = [_sourced(operation, findings.sources(given)) for operation in wanted]
    anchored, refused = operations.anchor(asked, body)
    said = [*(f.text for f in given), *map(ticks.text_of, recent), *body]
    anchored, unsaid = operations.grounded(anchored, said)
    fresh = [f for f in given if f.mark not in _texts(kept["curate"], "seen")]
    plan = revision.Plan(
        operations=tuple(anchored),
        directive=directive,
        today=run.now.astimezone(run.zone).date(),
        entries=ticks.read(workspace, now=run.now, days=ticks.HISTORY_DAYS).entries,
        heard=_heard(measured, set(kept["curate"]["counted"])),
        contradicted=findings.contradicted(fresh),
        sighted=sightings.read(kept["mine"]["pending"]),
        seen_again=tuple(f.text for f in fresh if f.kind != "contradictions"),
        max_lines=run.settings.get("heartbeat.playbookLines"),
        max_deferred=run.settings.get("heartbeat.deferredItems"),
    )
    done = _write(run, plan, measured, given=given, curated=kept["mine"]["pending"])
    made = done.revision or revision.revise(body, plan)
    return {
        "changes": {"added": made.added, "pruned": made.pruned, "promoted": made.promoted},
        "rewritten": made.rewritten,
        "staleItemActions": made.stale_item_actions,
        "playbookLines": done.lines,
        "curateDirective": directive,
        "refused": (refused + unsaid + made.refused)[:20],
        "proposals": made.proposals,
        "archive": done.archive,
    }


def _write(
    run: Run, plan: revision.Plan, measured: feedback.Found, *, given: list[Finding], curated: list[dict[str, Any]]
) -> Curated:
    """Apply the plan to the playbook as it stands under the lock.

    given     the findings that the engine saw
    curated   the pending rows that they stand in
    """
    done = Curated()
    workspace = run.workspace
    path = workspace.in_memory(document.NAME)

    def change(text: str) -> str:
        old = document.parse(text or document.EMPTY)
        done.revision = revision.revise(old.body, plan)
        done.lines = document.content_lines(done.revision.body)
        new = old.with_body(done.revision.body).render()
        if not measured.scored:
            return new
        value = effectiveness.footer(measured.effectiveness)
        return document.set_comment(new, document.EFFECTIVENESS, value, at_end=True)

    with workspace.writing() as door:
        before = door.text(path)
        after = change(before or "")
        if before != after:
            door.edit(path, change, summary=_summary(done.revision, plan.directive))
        if before is not None and document.parse(before).body != document.parse(after).body:
            done.archive = _archive(door, before, run)
        if done.revision:
            asked = [proposals.Proposal(text) for text in done.revision.proposals]
            proposals.stage(door, asked, command="curate", when=run.now)
        scored = [s.mark for s in measured.scored if s.final]
        _settle(door, curated=curated, scored=scored, given=given, body=document.parse(after).body)
        stack.stage(door)
    return done


def _archive(door: Door, text: str, run: Run) -> str:
    """Stage a copy under a name that is free; two curations within a minute get two copies."""
    stem = f"{ARCHIVE}/sinain-playbook-{clock.iso(run.now)[:10]}-{run.now:%H%M}"
    path, number = door.workspace.in_memory(f"{stem}.md"), 1
    while door.workspace.exists(path):
        number += 1
        path = door.workspace.in_memory(f"{stem}-{number}.md")
    door.write(path, text, summary="as it stood before curation")
    return path


def _settle(
    door: Door, *, curated: list[dict[str, Any]], scored: list[str], given: list[Finding], body: tuple[str, ...]
) -> None:
    """Note what is curated, counted and without a place; what was mined meanwhile stays pending."""
    bullets = [i for i in map(item.parse, body) if i]

    def change(text: str) -> str:
        value = cursors.parse(text)
        before = cursors.render(value)
        value["mine"]["pending"] = [row for row in value["mine"]["pending"] if row not in curated]
        value["curate"]["counted"] = list(dict.fromkeys([*value["curate"]["counted"], *scored]))[-COUNTED:]
        waiting = candidates.after(candidates.read(value["curate"]), given, bullets)
        seen = list(dict.fromkeys([*_texts(value["curate"], "seen"), *(f.mark for f in given)]))[-COUNTED:]
        value["curate"] |= {key: texts for key, texts in (("waiting", waiting), ("seen", seen)) if texts}
        if not waiting:
            value["curate"].pop("waiting", None)
        after = cursors.render(value)
        return text if after == before else after

    door.edit(door.workspace.in_memory(cursors.NAME), change, summary="findings curated, feedback counted")


def _texts(curated: dict[str, Any], key: str) -> list[str]:
    texts = curated.get(key)
    return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []


def _heard(measured: feedback.Found, counted: set[str]) -> tuple[standing.Heard, ...]:
    """Return the outputs whose scores no curation has counted yet, with all they said."""
    said = {
        e["tickId"]: f"{e['output']['suggestion']} {e['output']['insight']}"
        for e in measured.log.entries
        if e["output"]
    }
    return tuple(
        standing.Heard(said.get(s.tick_id, s.suggestion), s.score)
        for s in measured.scored
        if s.final and s.mark not in counted
    )


def _sourced(operation: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """Return the operation without a source that no finding has: a model must not make up where a line comes from."""
    return operation if operation.get("source") in known else {**operation, "source": None}


def _distinct(given: list[Finding]) -> list[Finding]:
    """Return the findings without the same ones twice: an agent passes mine's line, and cursors.json holds it too."""
    seen: dict[tuple[str, str], Finding] = {}
    for finding in given:
        key = (finding.kind, finding.text)
        if key not in seen or seen[key].source is None:
            seen[key] = finding
    return list(seen.values())


def _summary(made: revision.Revision | None, directive: str) -> str:
    if made is None or not (made.added or made.pruned or made.promoted or made.rewritten):
        return f"curated ({directive}): scores and comments"
    parts = [(len(made.added), "added"), (len(made.pruned), "pruned"), (len(made.promoted), "promoted")]
    told = [f"{n} {word}" for n, word in [*parts, (len(made.rewritten), "rewritten")] if n]
    return f"curated ({directive}): {', '.join(told)}"
