"""What a model is asked for: survey, meta-reflection, consolidation, core memory.  [moltbot §10.3, §10.4]

Each is a task of the `consolidator` route. What a model answers are numbers of lines, names and words: which file is
changed is not for it to say (anchoring.py). All that it puts out in one night stays within consolidate.outputTokens. An
answer is kept in `.koog/` until the night is over: a reflection that was killed, or whose model failed, goes on there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from koog.consolidate import anchoring, areas, extraction, laws, meta, rewriting
from koog.consolidate.anchoring import Anchored
from koog.consolidate.drafts import Drafts
from koog.consolidate.matters import Found
from koog.consolidate.plan import Question
from koog.consolidate.summary import LEARNING, THEME, UNDERSTANDING
from koog.consolidate.survey import Said, Survey
from koog.core import approval, prompt, schema
from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles
from koog.core.named import NamedTuple
from koog.core.refused import Refusal, refusal
from koog.core.task import Task
from koog.core.text import tokens
from koog.memory.store import core_memory
from koog.memory.store import line as store_lines
from koog.memory.store.line import Line

if TYPE_CHECKING:
    from koog.core.run import Run

Given = dict[str, str]
PASS_TOKENS = 6000  # of numbered lines that one question holds
TAIL_CHARS = 12_000  # of the log and of evolution.md that are looked back on: their ends
KEPT = "reflection.json"  # in .koog/
MOST_PASSES = 20
PARTS = {"learning": LEARNING, "understanding": UNDERSTANDING, "theme": THEME}


class Asked(NamedTuple):
    """What the model's phases gave.

    tokens   of all answers together
    left     lines for which the tokens did not last: another night looks at them
    """

    anchored: Anchored
    questions: list[Question]
    insights: dict[str, str]
    tokens: int
    left: Sequence[Said] = ()


class Phases:
    """Asks the phases of one night, as long as the tokens last."""

    def __init__(self, run: Run, survey: Survey, drafts: Drafts) -> None:
        self.run, self.survey, self.drafts = run, survey, drafts
        self.cap = run.settings.get("consolidate.outputTokens")
        self.call = run.settings.script(extraction.TASK.route)["maxTokens"]
        self.spent = 0
        self.refused: list[Refusal] = []
        self.kept = self._kept()

    def asked(self, found: Found, log: str, evolution: str, unread: Sequence[Said]) -> Asked:
        """Return what the model proposes; without anything new it is not asked. unread: what no reflection has seen"""
        if not unread:
            return Asked(Anchored([], []), [], {}, 0)
        past = self._ask(meta.TASK, {"log": log[-TAIL_CHARS:], "evolution": evolution[-TAIL_CHARS:]}) if log else None
        guidance = store_lines.words(str((past or {}).get("guidance") or ""))
        made = Anchored([], [])
        questions: list[Question] = []
        passes, left = self._passes(found, unread)
        for at, lines in enumerate(passes):
            given = {"today": self.run.today, "guidance": guidance, "lines": _numbered(lines)}
            value = self._ask(extraction.TASK, given, spare=self.call if at else 0)
            if value is None:
                left += [each for rest in passes[at:] for each in rest]
                break
            made.add(anchoring.extraction(value["operations"], lines, self.survey, self.drafts))
            questions += [Question("", Line(q["text"], lines[0].label).raw) for q in value.get("questions") or ()]
        made.add(self._core(guidance, unread))
        insights = self._insights(past or {})
        made.unread += self.refused
        return Asked(made, questions, insights, self.spent, left)

    def _insights(self, past: dict[str, Any]) -> dict[str, str]:
        """Return what a model has understood, heading by heading, as far as it may be told."""
        found = {name: str(past[key]) for key, name in PARTS.items() if past.get(key)}
        told = {name: laws.sentence(self.run, text) for name, text in found.items()}
        self.refused += [refusal(found[name], laws.ORDER) for name, text in told.items() if not text]
        return {name: text for name, text in told.items() if text}

    def _passes(self, found: Found, unread: Sequence[Said]) -> tuple[list[list[Said]], list[Said]]:
        """Return the lines to work on, in the order of their importance, as many at a time as fit; one label each.

        And those that nobody was asked about.
        """
        groups: dict[object, list[Said]] = {}
        for each in unread:
            groups.setdefault(each.label, []).append(each)
        chosen: list[list[Said]] = []
        beside = {said.id: matter.lines for matter in found.matters for said in matter.lines}
        parts = [part for lines in groups.values() for part in _parts(lines)]
        for at, part in enumerate(parts):
            given = {"today": self.run.today, "core": _core(self.survey), "lines": _numbered(part)}
            value = self._ask(areas.TASK, given, spare=self.call if at else 0)
            if value is None:
                return _joined(chosen)[:MOST_PASSES], [each for rest in parts[at:] for each in rest]
            for area in value["areas"]:
                named = [part[n - 1] for n in area["lines"] if 0 < n <= len(part)]
                mates = [s for each in named for s in beside.get(each.id, ())]
                if named:
                    chosen.append(list({s.id: s for s in (*mates, *named)}.values()))
        passes = _joined(chosen)
        return passes[:MOST_PASSES], [each for rest in passes[MOST_PASSES:] for each in rest]

    def _core(self, guidance: str, unread: Sequence[Said]) -> Anchored:
        """Ask for changes of MEMORY.md, which holds what is the workspace's own alone."""
        own = [each for each in unread if not each.label.project and not each.label.is_group]
        lines = next(iter(_parts(own)), [])
        text = self.run.workspace.text(core_memory.FILE) or ""
        most = self.run.settings.get("memory.coreTokens")
        room = f"{max(0, most - core_memory.size(text, most).tokens)} of {most} tokens"
        given = {"today": self.run.today, "guidance": guidance, "room": room, "core": _core(self.survey)}
        value = self._ask(rewriting.TASK, {**given, "lines": _numbered(lines)}) if lines else None
        return anchoring.rewriting(value["operations"] if value else [], lines, self.survey, self.drafts)

    def _ask(self, task: Task[Given], given: Given, *, spare: int = 0) -> dict[str, Any] | None:
        """Return a phase's answer, of an earlier try where there is one; None where the tokens do not last.

        spare   tokens that the phases to come are left
        """
        key = approval.digest(prompt.load(task.prompt_file).name, *(f"{k}\0{v}" for k, v in sorted(given.items())))
        value, cost = self._known(key, task)
        if value is None:
            if self.spent + self.call + spare > self.cap:
                self.run.warnings.append(f"consolidate.outputTokens: {self.cap} do not last for {task.name}")
                return None
            answer = self.run.ask(task, given)
            self.refused += answer.refused
            value, cost = answer.value, answer.tokens
            self.kept[key] = {"value": value, "tokens": cost}
            self._keep()
        self.spent += cost
        return dict(value)

    def _known(self, key: str, task: Task[Given]) -> tuple[dict[str, Any] | None, int]:
        """Return the answer of an earlier try, with what was put out for it; None for none that can be read."""
        row = self.kept.get(key)
        value, cost = (row.get("value"), row.get("tokens")) if isinstance(row, dict) else (None, None)
        if value is None or type(cost) is not int or cost < 0 or schema.problem(value, task.answer_schema()):
            return None, 0
        return value, cost

    def _kept(self) -> dict[str, Any]:
        try:
            value = jsonfiles.loads(self.run.workspace.cached(KEPT) or "{}")
        except (WorkspaceError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}

    def _keep(self) -> None:
        if not self.run.dry_run:
            self.run.workspace.cache(KEPT, jsonfiles.line(self.kept))

    def over(self) -> None:
        """Forget the answers: the night is over."""
        if self.kept and not self.run.dry_run:
            self.run.workspace.cache(KEPT, "{}")


def _core(survey: Survey) -> str:
    return "\n".join(f"{n}: {e.block or 'own'}: {e.line.text}" for n, e in enumerate(survey.core, 1))


def _numbered(lines: Iterable[Said]) -> str:
    return "\n".join(f"{n}: {_shown(each)}" for n, each in enumerate(lines, 1))


def _shown(said: Said) -> str:
    kind = f"fact of {said.entity}" if said.entity else "core" if said.id.startswith("core:") else "episode"
    return f"{said.day} {kind}: {said.text}".strip()


def _parts(lines: Sequence[Said]) -> list[list[Said]]:
    """Return lines in parts that fit into one question."""
    return _joined([[each] for each in lines])


def _joined(groups: Sequence[Sequence[Said]]) -> list[list[Said]]:
    """Return groups put together as long as they fit; of one that is too long what fits; a line once in each."""
    found: list[list[Said]] = []
    room = 0
    for group in groups:
        cost = sum(tokens.estimate(_shown(each)) + 3 for each in group)
        is_other = bool(found) and bool(group) and found[-1][0].label != group[0].label
        if not found or cost > room or is_other:
            found.append([])
            room = PASS_TOKENS
        known = {each.id for each in found[-1]}
        for each in group:
            price = tokens.estimate(_shown(each)) + 3
            if each.id not in known and price <= room:
                found[-1].append(each)
                room -= price
    return [group for group in found if group]
