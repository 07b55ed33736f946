"""How a reconstruction begins, or goes on: its name is free, and what it was begun with is what it ends with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from koog.core import clock
from koog.core.errors import NotFound, Refused
from koog.core.git import tags
from koog.knowledge import reading, registry
from koog.knowledge.replay import folder, outcome, plan
from koog.knowledge.replay.plan import Plan

if TYPE_CHECKING:
    from koog.core.git.repository import Git
    from koog.core.run import Run
    from koog.knowledge.extractor import Extractor

ROUTE = "knowledge_extractor"
LLM, BUILTIN = "llm", "builtin"


def look_for_name(git: Git, name: str, made: Plan | None) -> None:
    """See that branch and tag can be made at the end, before anything is done. Raises Refused.

    made   one under way, which may have made them before it was killed
    """
    tip, tag = git.refs.resolve(f"{plan.BRANCH}{name}"), git.refs.resolve(tags.named(tags.EXTRACT, name))
    if made and tip and tag in (None, tip) and git.ask("rev-parse", f"{tip}^@").decode().strip() == made.base:
        return
    giving_up = f"koog reconstruct --drop --branch {name}; " if made else ""
    if tip:
        hint = f"{giving_up}koog reconstruct --accept --branch {name}; git branch -D extract/{name}; another --branch"
        raise Refused(f"there is a branch extract/{name} already", hint=hint)
    if tag:
        raise Refused(f"there is a tag memory/extract/{name} already", hint=f"{giving_up}another --branch")


def planned(run: Run, git: Git, name: str, named: str | None, model: str | None) -> Plan:
    """Return a new plan. Raises NotFound without a transcript or a commit, Refused where a file has moved since one."""
    head = git.head()
    paths = tuple(each.path for each in reading.ended(run, reading.listed(run)))
    if head is None or not paths:
        why = "no transcript of a session that has ended" if head else "no commit yet"
        raise NotFound(f"there is {why}", hint="koog transcript import brings in what hosts keep")
    waiting = [] if run.workspace.dry_run else git.status()
    inside = outcome.folders(run, folder.layout_of(run))
    if gone := [path for code, path in waiting if "D" in code and outcome.may_change(path, inside)]:
        # It would begin with them where they were, and end without them where they are: a killed command may have
        # put them away.
        raise Refused(f"{gone[0]} is gone or was moved, and that is not committed yet", hint="koog backup commits it")
    if waiting:
        run.warnings.append(f"{len(waiting)} files are not committed yet, and not in what it begins with: koog backup")
    extractors = tuple(each.name for each in registry.chosen(named, run.warnings))
    engine = LLM if run.asker.uses_model else BUILTIN
    return Plan(name, head, clock.iso(run.now), extractors, model, paths, engine=engine)


def chosen(run: Run, made: Plan, named: str | None, model: str | None) -> list[Extractor]:
    """Return the plan's extractors, and let engine and model be the plan's.

    Raises Refused for a call that says otherwise.
    """
    wanted = registry.chosen(named, run.warnings) if named is not None else None
    is_other = wanted is not None and tuple(each.name for each in wanted) != made.extractors
    is_other |= run.settings.get("engine") in {LLM, BUILTIN} - {made.engine} and bool(made.engine)
    if is_other or (model is not None and model != made.model):
        engine = f" --engine {made.engine}" if made.engine else ""
        hint = f"koog{engine} reconstruct --branch {made.name} goes on with it; or another --branch"
        raise Refused(f"extract/{made.name} was begun with other extractors, engine or model", hint=hint)
    changed: dict[str, Any] = {"engine": made.engine} if made.engine else {}
    if made.model is not None:
        scripts = run.settings.get("scripts")
        changed["scripts"] = {**scripts, ROUTE: {**scripts.get(ROUTE, {}), "model": made.model}}
    settings = run.settings._replace(values={**run.settings.values, **changed})
    run.__dict__["settings"] = run.asker.settings = settings
    return registry.chosen(",".join(made.extractors), run.warnings)
