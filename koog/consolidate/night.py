"""One night's plan: what both engines propose, held to the laws, the weightiest first.  [moltbot §10.3]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from koog.consolidate import (
    changing,
    core_lines,
    endings,
    fading,
    fitting,
    holders,
    laws,
    matters,
    plan_rows,
    repeats,
    together,
    unsettled,
    unsure,
)
from koog.consolidate.decided import Decided
from koog.consolidate.drafts import Drafts
from koog.consolidate.laws import Refused
from koog.consolidate.matters import Found
from koog.consolidate.plan import ARCHIVE, OPPOSE, Operation, Plan, Question
from koog.consolidate.plan_rows import Place
from koog.consolidate.survey import Said, Survey
from koog.core import approval, clock
from koog.core.named import NamedTuple
from koog.core.refused import Refusal
from koog.core.text import trust
from koog.core.text.voices import AGENT, NOTE
from koog.memory.store import entities, ids
from koog.memory.store import line as lines
from koog.memory.store.line import Line
from koog.memory.store.memories import SEMANTIC

if TYPE_CHECKING:
    from koog.core.run import Run

MOST = 40  # operations of a night: as many as a person reads
MOST_EPISODES = 6000  # the newest, that are compared with each other: what is older has gone to the entities
MOST_ARCHIVED = 15  # of them, where others wait
MOST_QUESTIONS = 8
STILL_RELEVANT_DAYS = 60  # for which a fact of somebody was not used: a person is asked


class Night(NamedTuple):
    """What came of one night.

    refused   operations that are not proposed, and why
    unread    rows of a model that are no operations
    left      lines at which the model did not come to look
    """

    plan: Plan
    refused: list[Refused]
    unread: Sequence[Refusal] = ()
    left: Sequence[Said] = ()


class Own(NamedTuple):
    """What the built-in engine finds. open: two lines each that are at odds, and are no line of an entity"""

    operations: list[Operation]
    open: list[tuple[Said, Said]]


def place(run: Run, plan: Plan) -> Place:
    """Return where a plan's files lie."""
    return Place(plan, run.workspace.in_memory, run.settings.get("memory.coreTokens"))


def digest(survey: Survey) -> str:
    """Return the digest of all that a reflection goes by: memory that is the same gives the same night."""
    said = sorted((m.id, m.text, survey.scores[m.id]["status"]) for m in survey.memories.values())
    waiting = [f"{e.number} {e.content} {e.status}" for e in survey.proposals]
    return approval.digest(*("\0".join(row) for row in said), *waiting)


def in_common(survey: Survey) -> Found:
    """Return what the lines of a memory have in common."""
    newest = sorted(survey.episodes, key=lambda each: each.day)[-MOST_EPISODES:]
    known = [*survey.facts.values(), *survey.core_lines.values()]
    return matters.find([each for each in (*newest, *known) if _is_of(each)])


def unread(survey: Survey, known: Decided) -> list[Said]:
    """Return the episodes that no reflection has seen."""
    seen: Counter[str] = Counter()
    found = []
    for each in survey.episodes:
        seen[each.day] += 1
        if seen[each.day] > known.read.get(each.day, 0):
            found.append(each)
    return found


def read(episodes: Iterable[Said], left: Iterable[Said]) -> list[str]:
    """Return the day of each episode that was read: of a day those before the first that was left."""
    waiting, stopped, days = {each.id for each in left}, set[str](), []
    for each in episodes:
        if each.id in waiting:
            stopped.add(each.day)
        if each.day not in stopped:
            days.append(each.day)
    return days


def builtin(run: Run, survey: Survey, known: Decided, found: Found) -> Own:
    """Return what the built-in engine proposes, and what it would ask."""
    drafts = Drafts(run.workspace.in_memory, run.today)
    every = [said for matter in found.matters for said in matter.lines]
    ended = [*endings.found(every), *holders.found(every)]
    told = {each.id for each in survey.episodes}
    found = found.without({said.id for ending in ended for said in ending.older} & told)
    core = list(core_lines.proposed(survey, found.matters, drafts))
    taken = {source for op in core for source in op.sources}
    asking = [each for each in survey.episodes if not repeats.is_told(each)]  # a line may say something, and then ask
    apart = repeats.apart([*(said for matter in found.matters for said in matter.lines), *asking, *survey.ways])
    rest = [each for each in found.matters if taken.isdisjoint(said.id for said in each.lines)]
    made = [
        *core,
        *repeats.ended(survey, ended, drafts),
        *repeats.proposed(survey, Found(rest, found.pairs), drafts, apart),
        *together.proposed(survey, drafts),
        *unsure.moved(survey, found.matters, drafts),
        *unsure.processed(survey, drafts, survey.today),
    ]
    opposed = {op.sources for op in made if op.kind == OPPOSE}
    odd = repeats.standing(survey)
    open_ = [
        (older, newer)
        for older, newer in apart
        if (older.id, newer.id) not in opposed and Line(newer.text).hash not in odd.get(Line(older.text).hash, ())
    ]
    kept = {id_ for op in made for id_ in (op.target, *op.sources)} | {each.id for pair in open_ for each in pair}
    kept |= {f"{ids.ENTITY}:{ids.parse(id_).entity}" for id_ in kept if id_.startswith(f"{ids.FACT}:")}
    return Own([*made, *fading.proposed(survey, drafts, kept, partial(known.holds, survey=survey))], open_)


def _is_of(said: Said) -> bool:
    """Return whether a line counts: what is known for good does, however it is put."""
    return bool(said.entity) or said.id.startswith("core:") or repeats.is_told(said)


def planned(
    run: Run,
    survey: Survey,
    known: Decided,
    operations: Iterable[Operation],
    made: Plan,
    *,
    grounded: Sequence[Operation] = (),
    more: Sequence[Question] = (),
    open_: Sequence[tuple[Said, Said]] = (),
) -> Night:
    """Return the plan of some operations: lawful, not decided upon before, the weightiest first, as many as are read.

    grounded   of them those whose words were taken from their sources as they stand
    more       questions of a model
    open_      two lines each that are at odds, of which no operation tells
    """
    own = {id(op) for op in grounded}
    refused, lawful = list[Refused](), list[Operation]()
    for op in operations:
        if known.holds(op, survey):
            continue
        if why := laws.check(op, survey, run.workspace.in_memory, is_grounded=id(op) in own):
            refused.append(Refused(op, why))
        else:
            lawful.append(op)
    ranked = sorted(lawful, key=lambda op: (-op.weight, op.kind, op.target, op.after or ""))
    kept, misfits = fitting.fitting(ranked, made, partial(place, run), run.workspace.text)
    tonight = _tonight(kept)
    later = Counter(op.kind for op in kept if op not in tonight)
    numbered = tuple(op._replace(id=f"o{n}") for n, op in enumerate(tonight, 1))
    wanted = [q for q in (*questions(survey, numbered, open_), *_fair(more)) if not known.rests(q, survey.today)]
    once = {q.mark: q for q in reversed(wanted)}.values()
    asked = [q._replace(id=f"q{n}") for n, q in enumerate(list(once)[::-1][:MOST_QUESTIONS], 1)]
    plan = made._replace(operations=numbered, later=dict(later), questions=tuple(asked))
    return Night(plan, [*refused, *misfits])


def still(run: Run, made: Night, survey: Survey, known: Decided) -> Night:
    """Return a night without what was decided, or does not fit any more, since it was planned; ids stay as they are."""
    memory, plan = run.workspace.in_memory, made.plan
    refused, lawful = list[Refused](), list[Operation]()
    for op in plan.operations:
        if known.holds(op, survey):
            continue
        if why := laws.check(op, survey, memory, is_grounded=True):  # its words were looked at when it was planned
            refused.append(Refused(op, why))
        else:
            lawful.append(op)
    kept, misfits = fitting.fitting(lawful, plan, partial(place, run), run.workspace.text)
    gone = {op.sources for op in plan.operations if op.kind == OPPOSE and op not in kept}
    asked = tuple(q for q in plan.questions if q.sources not in gone and not known.rests(q, survey.today))
    return made._replace(
        plan=plan._replace(operations=tuple(kept), questions=asked), refused=[*made.refused, *refused, *misfits]
    )


def _tonight(kept: Sequence[Operation]) -> list[Operation]:
    """Return the operations of one night: archiving does not push aside what is learned."""
    learned = [op for op in kept if op.kind != ARCHIVE]
    gone = [op for op in kept if op.kind == ARCHIVE]
    room = max(MOST_ARCHIVED, MOST - len(learned))
    chosen = learned[: MOST - min(len(gone), room)] + gone[:room]
    return chosen[:MOST]


def questions(
    survey: Survey, operations: Sequence[Operation], open_: Sequence[tuple[Said, Said]] = ()
) -> Iterator[Question]:
    """Yield what only a person knows: what is at odds, what waits for him, what is unanswered or unused."""
    for op in operations:
        if op.kind == "oppose":
            asked = changing.question(op.before or "", plan_rows.shown(op.after or ""))
            yield Question("", Line(f"{asked} ({op.id} keeps both.)", op.label).raw, op.sources, asked)
    yield from unsure.asked(survey)
    for older, newer in (*open_, *unsettled.found(survey)):
        asked = changing.question(older.text, newer.text)
        yield Question("", Line(asked, newer.label).raw, (older.id, newer.id), asked)
    for entity in sorted(survey.entities.values(), key=lambda e: e.id):
        for fact in entity.facts(entities.QUESTIONS):
            if not fact.line.is_past:
                told = Line(f"{entity.label}: {fact.line.text}", fact.line.label).raw
                yield Question("", told, (fact.id,), fact.line.text)
    for id_, entry in sorted(survey.scores.items(), key=lambda pair: pair[1]["last_accessed"]):
        memory, days = survey.memories[id_], survey.unused_days(id_) or 0
        if memory.store == SEMANTIC and entry["status"] == "dormant" and days >= STILL_RELEVANT_DAYS:
            name = survey.entities[id_.partition(":")[2]].label if id_.partition(":")[2] in survey.entities else id_
            told = Line(f"{name} was not spoken of for {days} days. Still relevant?", memory.label).raw
            yield Question("", told, (id_,), id_)


def _fair(asked: Iterable[Question]) -> Iterator[Question]:
    """Yield the questions of a model that give nobody orders."""
    for each in asked:
        if trust.verdict(each.text, AGENT, register=NOTE, kind="fact") == trust.TAKEN:
            yield each._replace(text=Line(lines.words(plan_rows.shown(each.text)), each.label).raw)


def begun(run: Run, session: str, *, engine: str, trigger: str, counts: dict[str, int]) -> Plan:
    """Return an empty plan of this moment."""
    at = run.now.astimezone(run.zone)
    return Plan(session, clock.iso(run.now), run.today, f"{at:%H:%M}", engine, trigger, (), counts=counts)
