"""What `init --host` did for one workspace, kept in its state root, so that `koog uninstall` takes back just that.

    {"hosts": {HOST: {"at": TIME, "lines": {EVENT: LINE}, "wants": {KEY: [VALUE]}}},   KEY: of the operator's entry
     "wrote": {KEY: [VALUE]}, "told": {PROJECT: [GLOB]} or null, "had": {KEY: BLANKS}}

Two hosts may want one project: it goes with the last of them. What the operator's entry had before koog came is never
taken out, nor what a person has put there since.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from koog.core import clock, operator
from koog.core.errors import KoogError
from koog.core.run import Run
from koog.host import hook_lines
from koog.operate import installed_for

NAME = "installed"
SOURCES, INCLUDE, TOLD = "observe.sources", "observe.projects.include", "paths.projects"
AROUND = ("observe", SOURCES, "observe.projects", INCLUDE, "paths", TOLD)
LISTS = (SOURCES, INCLUDE)


def of(run: Run) -> dict[str, Any]:
    """Return what is kept; empty where nothing is, or it cannot be read."""
    state = run.state_root
    try:
        value = state.get(NAME) if state else None
    except KoogError:
        value = None
    kept = value if isinstance(value, dict) else {}
    hosts = {name: _row(row) for name, row in _object(kept, "hosts").items() if isinstance(row, dict)}
    had = {key: inside if isinstance(inside, str) else None for key, inside in _object(kept, "had").items()}
    return {"hosts": hosts, "wrote": _lists(kept, "wrote"), "told": _object(kept, "told"), "had": had}


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """Return what is kept of a host, whatever an older koog has left out or a person has written there."""
    lines = _object(row, "lines")
    return {
        "at": row.get("at"),
        "lines": {event: line for event, line in lines.items() if isinstance(line, str)},
        "wants": _lists(row, "wants"),
    }


def _lists(row: dict[str, Any], key: str) -> dict[str, list[str]]:
    found = _object(row, key)
    return {
        name: [v for v in values if isinstance(v, str)] for name, values in found.items() if isinstance(values, list)
    }


def lines(run: Run, host: str, root: Path) -> Collection[str] | None:
    """Return a host's hooks for a folder as koog wrote them, None where that was never noted."""
    found = of(run)["hosts"].get(host, {}).get("lines", {})
    is_of_it = any(line.endswith(hook_lines.ending(host, event, root)) for event, line in found.items())
    return [*found.values()] if is_of_it else None


def installed_at(run: Run, host: str) -> str | None:
    """Return when a host was last installed, None where that was never noted."""
    at = of(run)["hosts"].get(host, {}).get("at")
    return at if isinstance(at, str) else None


class Footing:
    """The operator's entry before an `init --host`: noted before anything is written, and again as it came out.

    program   the words that start koog in the host's hooks
    """

    def __init__(self, run: Run, host: str, project: str | None, program: tuple[str, ...]) -> None:
        self.run, self.host, self.program = run, host, program
        self.asked = {SOURCES: [host], INCLUDE: installed_for.included(run, host, project)}
        self.own, self.kept = _own(run), of(run)
        try:
            is_first = not any(row["wants"] for row in self.kept["hosts"].values())
            self.had = self.kept["had"] if not is_first else operator.standing(run.root, AROUND)
        except KoogError:
            self.had = {}

    def begin(self, planned: installed_for.Plan) -> None:
        """Note what is about to be written, so that what is killed half way can be taken back."""
        if planned != installed_for.current(self.run):
            self._keep({SOURCES: planned.sources, INCLUDE: planned.include, TOLD: planned.told}, is_done=False)

    def keep(self) -> None:
        """Note what was installed. Where no state is kept it is not, and `koog uninstall` cuts out what it finds."""
        self._keep(_own(self.run), is_done=True)

    def _keep(self, now: dict[str, Any], *, is_done: bool) -> None:
        run, host, kept = self.run, self.host, self.kept
        if run.dry_run or not run.state_root:
            return
        before = kept["hosts"].get(host, {})
        row = {
            "at": clock.iso(run.now),
            "lines": hook_lines.wanted(host, run.root, self.program) if host in hook_lines.EVENTS else {},
            "wants": {key: _joined(before.get("wants", {}).get(key, []), self.asked[key]) for key in LISTS},
        }
        if not is_done:  # the hooks are still as they were
            row["lines"] = before.get("lines", row["lines"])
        wrote = {key: _joined(kept["wrote"].get(key, []), _without(now[key], self.own[key])) for key in LISTS}
        told = now[TOLD] if now[TOLD] != self.own[TOLD] else kept["told"]
        value = {"hosts": {**kept["hosts"], host: row}, "wrote": wrote, "told": told or None, "had": self.had}
        try:
            run.state_root.put(NAME, value)
        except KoogError as e:
            run.warnings.append(f"what was installed is not noted: {e.message}")


class Leaving:
    """The operator's entry out of which one host after the other is taken; under --dry-run in memory alone."""

    def __init__(self, run: Run) -> None:
        self.run, self.kept, self.own = run, of(run), _own(run)

    def take_back(self, host: str, *, stays: bool) -> tuple[list[str], list[str]]:
        """Take out of the entry what `init --host` put there; return (what was done, what is left).

        stays   hooks that a person changed are still there: the next uninstall has to know koog's own from them

        Raises ConfigError, WorkspaceError, Busy.
        """
        kept, own, file, had = self.kept, self.own, operator.path(), self.kept["had"]
        known = kept["hosts"].get(host)
        others = {name: row for name, row in kept["hosts"].items() if name != host and row["wants"]}
        if known is None:  # of an older koog: the source is the host's, the projects may be a person's
            mine = {SOURCES: [host]} if not others else {}
            whose = (INCLUDE, TOLD) if mine and own[SOURCES] else ()
            left = [f"{file}: {key} stays as it is" for key in whose if own[key]]
        else:
            mine, left = {key: _goes(key, kept, known, others) for key in LISTS}, []
        did = []
        for key, values in mine.items():
            if gone := [value for value in own[key] if value in values]:
                did += [f"{file}: {key}: took out {', '.join(gone)}"]
                own[key] = _without(own[key], gone)
                if not self.run.dry_run:
                    operator.withdraw(self.run.root, key, gone, had=had)
        if known is not None and not others and own[TOLD] and kept["told"]:
            if own[TOLD] != kept["told"]:
                left.append(f"{file}: {TOLD} was changed since and stays")
            else:
                did.append(f"{file}: took out {TOLD}")
                own[TOLD] = kept["told"] = {}
                if not self.run.dry_run:
                    operator.withdraw_key(self.run.root, TOLD, had=had)
        if known is not None:
            self._forget(host, {**known, "wants": {}} if stays else None, mine)
        return did, left

    def _forget(self, host: str, row: dict[str, Any] | None, gone: dict[str, list[str]]) -> None:
        """Keep nothing of a host any more but this row."""
        hosts = {name: each for name, each in self.kept["hosts"].items() if name != host} | ({host: row} if row else {})
        wrote = {key: _without(values, gone.get(key, [])) for key, values in self.kept["wrote"].items()}
        self.kept = {**self.kept, "hosts": hosts, "wrote": wrote}
        if self.run.state_root and not self.run.dry_run:
            if hosts:
                self.run.state_root.put(NAME, {**self.kept, "told": self.kept["told"] or None})
            else:
                self.run.state_root.remove(NAME)


def _goes(key: str, kept: dict[str, Any], known: dict[str, Any], others: dict[str, Any]) -> list[str]:
    """Return the values of a list that koog wrote and that only this host has asked for."""
    wrote: list[str] = kept["wrote"].get(key, [])
    if not others:
        return wrote
    wanted = {value for row in others.values() for value in row["wants"].get(key, [])}
    return [value for value in wrote if value in known["wants"].get(key, []) and value not in wanted]


def _own(run: Run) -> dict[str, Any]:
    """Return what the workspace's own entry says, without the general settings."""
    try:
        found = operator.entry(run.root)
    except KoogError:
        found = None
    values = found.values if found else {}
    observe, paths = _object(values, "observe"), _object(values, "paths")
    lists = {SOURCES: observe.get("sources"), INCLUDE: _object(observe, "projects").get("include")}
    own: dict[str, Any] = {key: value if isinstance(value, list) else [] for key, value in lists.items()}
    return own | {TOLD: _object(paths, "projects")}


def _object(values: dict[str, Any], key: str) -> dict[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def _joined(first: Collection[str], then: Collection[str]) -> list[str]:
    return list(dict.fromkeys([*first, *then]))


def _without(values: Collection[str], gone: Collection[str]) -> list[str]:
    return [value for value in values if value not in gone]
