"""koog curate: archive the playbook, then add, prune and promote.  [sinain §4.6, design §5]

Reads   the base playbook, the logs of 30 days, what was mined and not yet curated
Writes  the base playbook, its archive, the effective playbook, cursors.json, pending-memories.md
Asks    the `playbook_curator` route, once; and once for each other project or group that something was mined for
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock, forgotten, proposals
from koog.core.errors import UsageError
from koog.core.files import jsonfiles
from koog.core.files.door import Door
from koog.core.refused import MOST, Refusal, refusal
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import object_or_stdin
from koog.core.task import Task
from koog.core.text.voices import AGENT, PERSON
from koog.heartbeat import (
    candidates,
    curate_forms,
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
    whose,
)
from koog.heartbeat.curate_rules import CurateInput
from koog.heartbeat.findings import Finding
from koog.heartbeat.parts import Parts
from koog.heartbeat.signal import brief
from koog.heartbeat.whose import OWN
from koog.playbook import document, item, origin, stack
from koog.sessions import audience
from koog.sessions.audience import Audience
from koog.sessions.labels import Label

TAKEN = 24  # findings of one curation; the rest waits for the next
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
    forms=lambda value, given: curate_forms.operations(value, given.lines),
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
    parts = Parts(audience.own(run), workspace.in_memory(document.NAME))
    measured = feedback.measure(run)
    directive = directive or measured.directive
    kept = cursors.parse(workspace.text(workspace.in_memory(cursors.NAME)))
    pending = _first(kept["mine"]["pending"])
    told = _told(mined, kept["mine"]["pending"]) if mined else {}
    mined_for = _mined_for(run, parts.own, [*pending, *filter(None, [told])])
    asked = Asked(run, parts, directive, measured, kept["curate"])
    body = document.parse(workspace.text(parts.path) or document.EMPTY).body
    plans, refused = {}, {}
    for label, given in mined_for.items():
        is_asked = ask and (label == OWN or bool(given.findings))
        plans[label], refused[label] = asked.plan(body, label, given, is_asked=is_asked)
    done = _write(run, plans, parts, measured, given=mined_for, curated=pending, later=asked.later)
    made = done.revision or revision.revise_parts(body, plans, parts)
    not_taken = refused[OWN] + made.refused
    if len(not_taken) > MOST:
        run.meta_extra["truncated"] = True
    return {
        "changes": {"added": made.added, "pruned": made.pruned, "promoted": made.promoted},
        "elsewhere": made.elsewhere,
        "rewritten": made.rewritten,
        "staleItemActions": made.stale_item_actions,
        "playbookLines": done.lines,
        "curateDirective": directive,
        "refused": [refusal(**row) for row in not_taken[:MOST]],  # whatever refused it: texts as they were given
        "proposals": made.proposals,
        "archive": done.archive,
    }


def _first(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows that one curation takes: the oldest, at least one."""
    taken, size = list[dict[str, Any]](), 0
    for row in rows:
        size += findings.count(row)
        if taken and size > TAKEN:
            break
        taken.append(row)
    return taken


@dataclass(frozen=True)
class Given:
    """What was mined for one label and is not curated yet."""

    findings: tuple[Finding, ...] = ()
    summary: str = ""
    sighted: tuple[sightings.Sighting, ...] = ()


def _told(mined: dict[str, Any], pending: list[dict[str, Any]]) -> dict[str, Any]:
    """Return mine's line as a caller has passed it: that a person said something is known from cursors.json alone.

    pending   what waits there: other projects' findings are taken from it, with whose they are
    """
    others = {f.text for row in pending if whose.of_row(row) != OWN for f in findings.read(row)}
    given = findings.read(mined)
    left = [f for f in given if f.text not in others]
    if len(left) < len(given):
        mined = {**mined, **findings.as_row(left), "findings": findings.summary(mined)}
    evidence = mined.get("evidence")
    rows = [row for row in evidence if isinstance(row, dict)] if isinstance(evidence, list) else []
    return {**mined, "evidence": [{**row, "trust": AGENT} if findings.trust(row) == PERSON else row for row in rows]}


def _mined_for(run: Run, own: Audience, rows: list[dict[str, Any]]) -> dict[Label, Given]:
    """Return what was mined, label by label, the own project's first; what is not learned from any more is left out."""
    gone = forgotten.of(run.workspace)
    found: dict[Label, list[Finding]] = {OWN: []}
    of: dict[Label, list[dict[str, Any]]] = {OWN: []}
    for row in rows:
        label = whose.of_row(row)
        of.setdefault(label, []).append(row)
        for each in (f for f in findings.read(row) if not gone.holds(f.text)):
            # A row without a label may be older than labels, or have been put together by a caller.
            noted = own.label_of((each.source or "").rpartition(":")[0]) if label == OWN and each.source else label
            found.setdefault(noted, []).append(each)
    known = [label for label in dict.fromkeys([*found, *of]) if label == OWN or whose.is_taken(run, label)]
    return {
        label: Given(
            tuple(_distinct(found.get(label, []))),
            " ".join(dict.fromkeys(filter(None, map(findings.summary, of.get(label, []))))),
            sightings.read(of.get(label, [])),
        )
        for label in known
    }


@dataclass(frozen=True)
class Asked:
    """One curation: of the playbook's lines, each label's are shown and moved apart from the others.

    later   label → the texts that the built-in curator had no room for, to be curated with the next
    """

    run: Run
    parts: Parts
    directive: str
    measured: feedback.Found
    curated: dict[str, Any]
    later: dict[Label, frozenset[str]] = field(default_factory=dict)

    def plan(
        self, body: tuple[str, ...], label: Label, given: Given, *, is_asked: bool
    ) -> tuple[revision.Plan, list[Refusal]]:
        """Return what is to be done with a label's lines, and the operations that were refused at once.

        What the ticks said and how it was received is of the own project, and is neither shown nor counted elsewhere.
        """
        run, is_own = self.run, label == OWN
        lines = self.parts.seen(body, label, audience.of_label(run, label))
        recent = ticks.window(self.measured.log.entries, least=RECENT) if is_own else []
        recent = recent if whose.hears_ticks(run) else []
        question = CurateInput(
            lines=lines,
            directive=self.directive,
            findings=given.findings,
            summary=given.summary,
            logs=tuple(recent),
            today=run.now.astimezone(run.zone).date(),
            waiting=candidates.read(self.curated, label),
        )
        wanted, unread = self._wanted(question, label) if is_asked else ([], [])
        sourced = [_sourced(operation, findings.sources(given.findings)) for operation in wanted]
        if label.is_group:
            sourced = [{**operation, "section": None} for operation in sourced if operation["op"] != "promote"]
        anchored, refused = operations.anchor(sourced, lines, label=self.parts.comment(label))
        said = [*(f.text for f in given.findings), *map(ticks.text_of, recent), *lines]
        anchored, unsaid = operations.grounded(operations.attributed(anchored, given.findings), said)
        fresh = [f for f in given.findings if f.mark not in _texts(self.curated, "seen")]
        history = ticks.read(run.workspace, now=run.now, days=ticks.HISTORY_DAYS).entries
        plan = revision.Plan(
            operations=tuple(anchored),
            directive=self.directive,
            today=run.now.astimezone(run.zone).date(),
            entries=history if is_own else (),
            heard=_heard(self.measured, set(self.curated["counted"])) if is_own else (),
            contradicted=findings.contradicted([f for f in fresh if candidates.may_stand(f)]),
            sighted=given.sighted,
            seen_again=tuple(f.text for f in fresh if f.kind != "contradictions"),
            max_lines=run.settings.get("heartbeat.playbookLines"),
            max_deferred=run.settings.get("heartbeat.deferredItems"),
        )
        return plan, unread + refused + unsaid

    def _wanted(self, question: CurateInput, label: Label) -> tuple[list[dict[str, Any]], list[Refusal]]:
        answer = self.run.ask(TASK, question)
        gone = forgotten.of(self.run.workspace)
        wanted: list[dict[str, Any]] = [
            each for each in answer.value["operations"] if not gone.holds(str(each.get("text") or ""))
        ]
        added = {operation.get("text") for operation in wanted if operation["op"] == "add"}
        if answer.engine == "builtin" and len(added) >= curate_rules.MOST_ADDED:
            self.later[label] = frozenset(f.text for f in question.findings if operations.one_line(f.text) not in added)
        return wanted, list(answer.refused)


def _write(
    run: Run,
    plans: dict[Label, revision.Plan],
    parts: Parts,
    measured: feedback.Found,
    *,
    given: dict[Label, Given],
    curated: list[dict[str, Any]],
    later: dict[Label, frozenset[str]],
) -> Curated:
    """Apply the plans to the playbook as it stands under the lock.

    given     what the engine saw of each label
    curated   the pending rows that it stands in
    later     what of that it had no room for
    """
    done = Curated()
    workspace = run.workspace
    path, directive = parts.path, plans[OWN].directive

    def change(text: str) -> str:
        old = document.parse(text or document.EMPTY)
        done.revision = revision.revise_parts(old.body, plans, parts)
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
            door.edit(path, change, summary=_summary(done.revision, directive))
        if before is not None and document.parse(before).body != document.parse(after).body:
            done.archive = _archive(door, before, run)
        if done.revision:
            asked = [proposals.Proposal(text) for text in done.revision.proposals]
            proposals.stage(door, asked, command="curate", when=run.now)
        scored = [s.mark for s in measured.scored if s.final]
        old, new = (document.parse(text or document.EMPTY).body for text in (before, after))
        body = {label: parts.of(new, label) for label in given}
        unproven = {label: _unproven(parts.of(old, label), plan) for label, plan in plans.items()}
        is_full = done.lines >= run.settings.get("heartbeat.playbookLines")
        later = {} if is_full else later
        before_of = {label: parts.of(old, label) for label in given}
        stood = {label: frozenset(i.text for i in map(item.parse, rows) if i) for label, rows in before_of.items()}
        _settle(
            door, curated=curated, scored=scored, given=given, body=body, unproven=unproven, stood=stood, later=later
        )
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
    door: Door,
    *,
    curated: list[dict[str, Any]],
    scored: list[str],
    given: dict[Label, Given],
    body: dict[Label, list[str]],
    unproven: dict[Label, list[str]],
    stood: dict[Label, frozenset[str]],
    later: dict[Label, frozenset[str]],
) -> None:
    """Note what is curated, counted and without a place; what was mined meanwhile, or comes later, stays pending.

    stood      what stood in the playbook before, as koog or a person had left it
    unproven   what had a place, and has nothing against it: where it is pruned it waits like what never had one
    """

    def change(text: str) -> str:
        value = cursors.parse(text)
        before = cursors.render(value)
        bullets = {label: [i for i in map(item.parse, body[label]) if i] for label in given}
        unplaced = {label: _unplaced(later, label, bullets) for label in later}
        again = [findings.only(row, unplaced.get(whose.of_row(row), frozenset())) for row in curated]
        fresh = [row for row in value["mine"]["pending"] if row not in curated]
        waiting_rows = [*filter(findings.count, again), *fresh]
        value["mine"]["pending"] = [*waiting_rows, *_passed(given, unplaced, waiting_rows)]
        value["curate"]["counted"] = list(dict.fromkeys([*value["curate"]["counted"], *scored]))[-COUNTED:]
        left: dict[Label, Sequence[str]] = dict(candidates.read_all(value["curate"]))
        for label, each in given.items():
            told = [f for f in each.findings if f.text not in later.get(label, ())]
            left[label] = candidates.after(
                left.get(label, ()), told, bullets[label], back=unproven[label], stood=stood[label]
            )
        waiting, marks = candidates.rows(left), [f.mark for each in given.values() for f in each.findings]
        seen = list(dict.fromkeys([*_texts(value["curate"], "seen"), *marks]))[-COUNTED:]
        value["curate"] |= {key: texts for key, texts in (("waiting", waiting), ("seen", seen)) if texts}
        if not waiting:
            value["curate"].pop("waiting", None)
        after = cursors.render(value)
        return text if after == before else after

    door.edit(door.workspace.in_memory(cursors.NAME), change, summary="findings curated, feedback counted")


def _unproven(lines: Sequence[str], plan: revision.Plan) -> list[str]:
    """Return the texts of lines that no evidence speaks against, neither before nor now."""
    stands = [(item.parse(line), item.parse(revision.moved(line, plan))) for line in lines]
    least = curate_rules.BARE
    return [
        old.text
        for old, new in stands
        if old and new and not (old.since or old.deferred) and (new.score or 0.0) >= max(least, old.score or 0.0)
    ]


def _passed(
    given: dict[Label, Given], unplaced: dict[Label, frozenset[str]], waiting: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return what a caller has passed and no row holds yet, of what comes later, as rows that wait."""
    held = {(whose.of_row(row), each.kind, each.text) for row in waiting for each in findings.read(row)}
    rows = []
    for label, texts in unplaced.items():
        left = [f for f in given[label].findings if f.text in texts and f.kind != "contradictions"]
        left = [f for f in left if (label, f.kind, f.text) not in held]
        rows += [{**findings.as_row(left), **whose.as_row(label)}] if left else []
    return rows


def _unplaced(
    later: dict[Label, frozenset[str]], label: Label, bullets: dict[Label, list[item.Item]]
) -> frozenset[str]:
    """Return of what comes later what the playbook does not say yet."""
    there = bullets.get(label, [])
    texts = later.get(label, frozenset())
    return frozenset(t for t in texts if not any(operations.says(i.text, operations.one_line(t)) for i in there))


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
    """Return the operation without a source that no finding has: a model must not make up where a line comes from.

    One that it names without its day or folder has them back.
    """
    told = operation.get("source")
    if told in known:
        return operation
    places = {origin.place(each): each for each in sorted(known, reverse=True)}
    meant = [places[at] for at in sorted(places) if told and (at == told or at.endswith(f"/{told}"))]
    return {**operation, "source": meant[0] if meant else None}


def _distinct(given: list[Finding]) -> list[Finding]:
    """Return the findings without the same ones twice: an agent passes mine's line, and cursors.json holds it too."""
    seen: dict[tuple[str, str], Finding] = {}
    for finding in given:
        key = (finding.kind, finding.text)
        if key not in seen or seen[key].source is None or (finding.trust == PERSON != seen[key].trust):
            seen[key] = finding
    return list(seen.values())


def _summary(made: revision.Revision | None, directive: str) -> str:
    if made is None or not (made.changed or made.elsewhere):
        return f"curated ({directive}): scores and comments"
    parts = [(len(made.added), "added"), (len(made.pruned), "pruned"), (len(made.promoted), "promoted")]
    parts += [(len(made.rewritten), "rewritten"), (made.elsewhere, "of other projects")]
    told = [f"{n} {word}" for n, word in parts if n]
    return f"curated ({directive}): {', '.join(told)}"
