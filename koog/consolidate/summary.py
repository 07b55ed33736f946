"""memory/meta/pending-reflection.md: what a person reads before he approves.  [moltbot §10.5]

Made of the plan beside it, which alone is applied: whoever edits this text changes nothing. Behind each line stands the
id by which it is approved or refused. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from koog.consolidate import plan_rows
from koog.consolidate.plan import (
    APPLIED,
    ARCHIVE,
    CORE,
    EPISODE,
    FACT,
    OPPOSE,
    PROCEDURE,
    REJECTED,
    RELATION,
    REPLACE,
    UNFIT,
    WITHDRAWN,
    Operation,
    Plan,
)
from koog.memory.store import entities, ids, procedures

NAME = "meta/pending-reflection.md"  # in the memory folder
LEARNING, UNDERSTANDING, THEME = INSIGHTS = (
    "What I've Learned About Learning",
    "Evolving Understanding",
    "Emergent Theme",
)
NONE = "- None this cycle"
STATES = {
    APPLIED: " ✓ applied",
    REJECTED: " ✗ rejected",
    UNFIT: " ✗ did not fit",
    WITHDRAWN: " ✗ taken back",
}


def render(plan: Plan, *, archive_below: float, upcoming: str) -> str:
    """Return the file's text. upcoming: when the next reflection is scheduled, "" where none is"""
    counts = plan.counts
    parts = [
        f"# Reflection Summary — {plan.day}",
        _section("🧠 New Knowledge Extracted", knowledge(plan)),
        _section("🔗 New Connections", connections(plan)),
        _section(f"📦 Proposed Archival (decay score < {archive_below:g})", archival(plan)),
        _section("⚠️ Contradictions Detected", contradictions(plan)),
        _section("✏️ Core Memory Changes", core(plan)),
        "## 🌱 Philosophical Evolution\n" + "\n\n".join(insights(plan)),
        _section("❓ Questions for You", [f"- {plan_rows.shown(each.text)} (`{each.id}`)" for each in plan.questions]),
        "---",
    ]
    told = [
        f"**Reflection #**: {plan.number}",
        f"**Token budget used**: {counts.get('tokens', 0):,} / {counts.get('cap', 0):,}",
        f"**Memories processed**: {counts.get('episodes', 0)} episodes, {counts.get('entities', 0)} entities, "
        f"{counts.get('procedures', 0)} procedures",
        f"**Reflections reviewed**: {counts.get('reflections', 0)} past reflections",
        f"**Next scheduled reflection**: {upcoming or 'none is scheduled'}",
    ]
    if plan.later:
        waiting = ", ".join(f"{n} {kind}" for kind, n in sorted(plan.later.items()))
        told.append(f"**Waiting for another night**: {waiting}")
    ask = (
        f"> Reply with `approve`, `approve with changes`, or `reject` to apply this reflection.\n"
        f"> `koog consolidate approve {plan.id} --confirm {plan.shown_digest}` (`--only o1,o2`, `--except o3`), or "
        f"`koog consolidate reject {plan.id} --why …`"
    )
    return "\n\n".join(parts) + "\n" + "\n".join(told) + f"\n\n{ask}\n"


def _section(title: str, rows: Sequence[str]) -> str:
    return "\n".join((f"## {title}", *(rows or [NONE])))


def _behind(op: Operation) -> str:
    return f" (`{op.id}`){STATES.get(op.state, '')}"


def knowledge(plan: Plan) -> list[str]:
    """Return what was learned, line by line."""
    return [f"- {told(op)}{_behind(op)}" for op in plan.operations if op.kind in (FACT, REPLACE, PROCEDURE, EPISODE)]


def told(op: Operation) -> str:
    """Return in words what an operation does, and why."""
    return f"{_does(op)} — {op.reason}" if op.kind != ARCHIVE else f"{_archived(op)} ({op.reason})"


def _does(op: Operation) -> str:
    said = plan_rows.shown(op.after) if op.after and op.kind != PROCEDURE else ""
    before = plan_rows.shown(op.before or "")
    if op.kind == FACT:
        return f"Learned of {name(op)}: {said}"
    if op.kind == REPLACE:
        return f"{name(op)}: “{before}” " + (f"became “{said}”" if said else "does not hold any more")
    if op.kind == OPPOSE:
        return f"{name(op)}: “{before}” and “{said}” cannot both hold"
    if op.kind == PROCEDURE:
        return f"New procedure: {op.name}: {'; '.join(procedures.steps(op.after or '', op.file))}"
    if op.kind == EPISODE:
        return f"Logged: {said}"
    if op.kind == RELATION:
        edge = next(entities.edges_of(op.target, op.after or ""))
        return f"{edge.start} → {edge.relation} → {edge.to} (NEW)"
    if before and said:
        return f"“{before}” becomes “{said}”"
    return f"“{before}” leaves MEMORY.md" if before else f"“{said}” comes to {op.anchor}"


def name(op: Operation) -> str:
    """Return how the entity is called that an operation is about."""
    id_ = op.target if op.kind in (FACT, RELATION) else ids.parse(op.target).entity
    return op.name or id_.partition("--")[2].replace("-", " ").title()


def called(op: Operation) -> str:
    """Return what an operation is called where it is told why it was refused."""
    return plan_rows.shown(op.after) if op.after else f"{op.kind} {op.target}"


def _archived(op: Operation) -> str:
    kind, _, told_of = op.target.partition(":")
    words = plan_rows.shown(op.before or "")
    if len(op.sources) > 1:
        return words
    return f"Episode {told_of[:10]}: {words}" if kind == ids.EPISODE else f"{kind.capitalize()}: {told_of}"


def connections(plan: Plan) -> list[str]:
    """Return the new relations, line by line."""
    return [f"- {told(op)}{_behind(op)}" for op in plan.operations if op.kind == RELATION]


def archival(plan: Plan) -> list[str]:
    """Return what would be archived, line by line."""
    return [f"- {told(op)}{_behind(op)}" for op in plan.operations if op.kind == ARCHIVE]


def contradictions(plan: Plan) -> list[str]:
    """Return what cannot both hold, line by line."""
    return [f"- {told(op)}{_behind(op)}" for op in plan.operations if op.kind == OPPOSE]


def core(plan: Plan) -> list[str]:
    """Return what changes in MEMORY.md, as a diff."""
    blocks: dict[str, list[Operation]] = {}
    for op in plan.operations:
        if op.kind == CORE:
            blocks.setdefault(op.anchor, []).append(op)
    rows = [row for title, found in blocks.items() for row in (f"## {title}", *_diff(found))]
    return ["```diff", *rows, "```"] if rows else []


def _diff(found: Sequence[Operation]) -> Iterator[str]:
    for op in found:
        if op.before:
            yield f"- {op.before}" + ("" if op.after else _behind(op))
        if op.after:
            yield f"+ {plan_rows.shown(op.after)}{_behind(op)}"


def insights(plan: Plan) -> list[str]:
    """Return the parts of what the reflection says of itself."""
    return [f"### {title}\n{plan.insights[title]}" for title in INSIGHTS if plan.insights.get(title)] or [NONE]
