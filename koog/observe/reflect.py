"""koog reflect: consolidate the observations when they have grown long.  [seed openclaw-memory, design §4, §5]

Reads   observations.md
Writes  observations.md, observation-backups/ (one more; the oldest over observe.keepBackups go), cursors.json
Asks    the `reflector` route, once for each project and group that has several lines

The lines of one project or group are put to the engine, and held to the laws, on their own: none of them is joined
with another's, goes for it, or is shown beside it. `overLimit` is how many words over observe.reflectWords are left:
nothing more may yield, since all of it is 🔴, of this week, without a day, of an excluded project, or a person's text;
or the file was not looked at, and `reason` says why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import forgotten, reply
from koog.core.errors import KoogError, LLMUnusable, Refused, WorkspaceError
from koog.core.files import jsonfiles
from koog.core.files.door import Door
from koog.core.files.workspace import PRIVATE
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.task import Task
from koog.observe import cursors, mined, observations, reflect_rules, reflection, telling
from koog.observe.observations import Observation
from koog.observe.reflect_rules import RawOperation, ReflectInput
from koog.observe.reflection import Operation, Reflected, Told
from koog.sessions import taken
from koog.sessions.labels import Label

BACKUPS = "observation-backups"
BACKUP = r"observations-(\d{4}-\d\d-\d\d-\d{6})(?:-(\d+))?\.md"
LEAST_LINES = 2  # of a project, for which a model is asked: it joins lines, and replaces one by another
LAST = "reflected.json"  # in .koog/: what the last reflection did, and how many words it left; its failures
MOST_ROUNDS = 5
GROWTH = 1.1  # so much longer than the last reflection left it, a file is reflected upon again on the same day
TRIES = 2  # answers that could not be used, after which a day's further ones are not asked for
NOTHING_YIELDS = (
    "what is left is 🔴, of this week, undated, excluded or no observation; "
    "raise observe.reflectWords, or lower marks by hand"
)
# The reply's lists, and what they tell.
LISTS = {"dropped": "dropped", "merged": "merged", "rewritten": "rewritten", "linked": "linked", "keptAgainst": "kept"}
REPLY_CHARS = 7000  # of the lists in the reply; the whole account is in LAST

TASK = Task(
    file=Path(__file__),
    route="reflector",
    rules=reflect_rules.answer,
    render=lambda given: {
        "today": given.today.isoformat(),
        "observations": "\n".join(f"{n}: {_shown(o)}" for n, o in enumerate(given.lines, 1)),
    },
)


class Wanted(NamedTuple):
    """What code decides and what engines ask for, and what they asked of lines that there are not."""

    operations: dict[Label, list[Operation]]
    unknown: list[Told]

    @property
    def all(self) -> list[Operation]:
        return [operation for operations in self.operations.values() for operation in operations]

    def without(self, failed: Collection[Label]) -> Wanted:
        return Wanted({label: own for label, own in self.operations.items() if label not in failed}, self.unknown)


class Written(NamedTuple):
    """What the write did to the text that really stood there."""

    before: str
    done: Reflected
    backup: str | None
    removed: list[str]


def reflect(
    ctx: typer.Context,
    force: Annotated[bool, typer.Option("--force", help="Also below observe.reflectWords.")] = False,
) -> Reply:
    """Consolidate the observations: join repeats, drop what is replaced or old, keep every 🔴 line that stands."""
    return Reply("koog.reflect/1", **consolidate(ctx.obj, force=force))


def consolidate(run: Run, *, force: bool = False) -> dict[str, Any]:
    """Reflect once if the observations are long enough; return the reply's keys. Takes the write lock itself.

    Raises Refused for an answer that would leave more, or under a fifth, and what asking raises.
    """
    text = run.workspace.text(run.workspace.in_memory(observations.NAME)) or ""
    if why := "" if force else _too_early(run, text):
        return _keys(run, Written(text, Reflected(text), None, []), why, was_looked_at=False)
    today = run.now.astimezone(run.zone).date()
    try:
        rounds = _rounds(run, text, today)
    except (Refused, LLMUnusable):
        _remember(run, {**_last(run), "failures": _failures(run) + 1})
        raise
    written = _write(run, rounds, _followed(run, text, rounds, today), today)
    keys = _keys(run, written, "" if written.backup else "nothing to consolidate")
    _remember(run, {**keys, "words": keys["wordsAfter"]})
    return _short(run, keys)


def _too_early(run: Run, text: str) -> str:
    """Return why this is not the moment, "" when it is."""
    words, limit = observations.words(text), run.settings.get("observe.reflectWords")
    if words < limit:
        return f"{words} words of {limit}: --force reflects now"
    left = _last(run).get("words")
    if isinstance(left, int) and words < GROWTH * left:
        return f"reflected today already, {left} words were left: --force reflects again"
    if (failures := _failures(run)) >= TRIES:
        return f"{failures} answers were refused today: --force asks again"
    return ""


def _rounds(run: Run, text: str, today: date) -> list[Wanted]:
    """Return what is to be done, one after the other: doubles, what an engine asks for, what is too old by then.

    A 🟢 line that puts another right weighs as much as that from then on: it must not have gone before. The built-in
    engine is asked until nothing is left: what was joined or is free now is looked at again. A model is asked once;
    what it leaves it leaves. A project whose answer cannot be used stays as it is: that is a warning, and raised where
    nothing else is to be done.
    """
    failed: dict[Label, KoogError] = {}
    rounds = [_by_code(run, text, reflect_rules.doubled)]
    text = reflection.reflect(text, rounds[0].all, today=today).text
    for n in range(1 if run.asker.uses_model else MOST_ROUNDS):
        wanted = _asked(run, text, today, failed)
        after = reflection.reflect(text, wanted.all, today=today).text
        if n and after == text:
            break
        rounds.append(wanted)
        text = after
    rounds.append(_by_code(run, text, lambda lines: reflect_rules.expired(lines, today)))
    rounds = [wanted.without(failed) for wanted in rounds]
    if failed and not any(wanted.all for wanted in rounds):
        raise next(iter(failed.values()))
    run.warnings += [f"not all was reflected upon: {e.code}: {reply.told(e.message)}" for e in failed.values()]
    return rounds


def _by_label(run: Run, text: str) -> dict[Label, list[Observation]]:
    """Return the observations of each project and group; excluded projects', and fenced ones, stay as they are."""
    found: dict[Label, list[Observation]] = defaultdict(list)
    for line in observations.lines(text):
        if line.seen and not line.is_fenced:
            found[line.seen.label].append(line.seen)
    taking = taken.of(run)
    return {label: lines for label, lines in found.items() if not taking.excludes(label.place)}


def _by_code(run: Run, text: str, rule: Callable[[Sequence[Observation]], list[RawOperation]]) -> Wanted:
    """Return what needs no judgement, whichever engine is asked."""
    lines = _by_label(run, text)
    return Wanted({label: reflection.anchor(rule(own), own)[0] for label, own in lines.items()}, [])


def _asked(run: Run, text: str, today: date, failed: dict[Label, KoogError]) -> Wanted:
    """Return what the engine asks for, project by project and group by group. failed: why an answer was no use"""
    found, gone = Wanted({}, []), forgotten.of(run.workspace)
    for label, lines in _by_label(run, text).items():
        if len(lines) < (LEAST_LINES if run.asker.uses_model else 1):
            continue
        try:
            answer = run.ask(TASK, ReflectInput(tuple(lines), today))
            wanted = [each for each in answer.value["operations"] if not gone.holds(str(each.get("text") or ""))]
            asked, unknown = reflection.anchor(wanted, lines)
            reflection.check(asked, lines)
        except (Refused, LLMUnusable) as e:
            failed[label] = e
            continue
        unread = [Told("kept", label, {"line": row["text"], "reason": row["reason"]}) for row in answer.refused]
        found.operations[label] = asked
        found.unknown.extend(unread + unknown)
    return found


def _followed(run: Run, text: str, rounds: Sequence[Wanted], today: date) -> Wanted:
    """Return which of the lines that will be left are to name each other."""
    return _by_code(run, _done(run, text, rounds, today).text, reflect_rules.followed)


def _done(run: Run, text: str, rounds: Sequence[Wanted], today: date) -> Reflected:
    """Return what a text becomes, at last short enough."""
    taking, limit = taken.of(run), run.settings.get("observe.reflectWords")
    done = Reflected(text)
    for wanted in rounds:
        done = done.then(reflection.reflect(done.text, wanted.all, today=today), wanted.unknown)
    may_yield = {o.label: not taking.excludes(o.label.place) for o in observations.observations(text)}
    return done.then(reflection.fitted(done.text, limit, today=today, may_yield=may_yield.__getitem__))


def _write(run: Run, rounds: Sequence[Wanted], links: Wanted, today: date) -> Written:
    """Do it on what stands there under the lock, which may have grown since it was read; first keep a copy."""
    workspace = run.workspace
    path = workspace.in_memory(observations.NAME)
    done = Reflected("")
    backup, removed = None, []

    def change(text: str) -> str:
        nonlocal done
        done = _done(run, text, rounds, today)
        done = done.then(reflection.reflect(done.text, links.all, today=today))
        return done.text

    def carried(text: str) -> str:
        return mined.carried(text, path, done.made)

    with workspace.writing() as door:
        before = door.text(path) or ""
        if before != change(before):
            backup = _free_name(door, run)
            door.write(backup, before, summary="as it stood before reflection")
            door.edit(path, change, summary=_summary(done))
            door.edit(workspace.in_memory(cursors.NAME), carried, summary="what was mined stays so")
            removed = _remove_oldest(door, keep=run.settings.get("observe.keepBackups"))
    return Written(before, done, backup, removed)


def _free_name(door: Door, run: Run) -> str:
    """Return a backup's path by this moment; two reflections within a second get two."""
    stem = f"{BACKUPS}/observations-{run.now.astimezone(run.zone):%Y-%m-%d-%H%M%S}"
    path, number = door.workspace.in_memory(f"{stem}.md"), 1
    while door.workspace.exists(path):
        number += 1
        path = door.workspace.in_memory(f"{stem}-{number}.md")
    return path


def _remove_oldest(door: Door, *, keep: int) -> list[str]:
    """Stage the removal of koog's own backups over the limit; what else lies there stays.

    The one that this reflection makes is not on disk yet: it counts, and never goes.
    """
    folder = door.workspace.in_memory(BACKUPS)
    found = []
    for name in door.workspace.names(folder, ".md"):
        if match := compiled(BACKUP).fullmatch(name):
            found.append((match[1], int(match[2] or 1), f"{folder}/{name}"))
    old = [path for _, _, path in sorted(found)]
    return [p for p in old[: max(0, len(old) + 1 - keep)] if door.remove(p, summary=f"more than {keep} backups")]


def _summary(done: Reflected) -> str:
    words = {"dropped": "dropped", "merged": "merged", "rewritten": "shortened", "linked": "linked"}
    parts = [(len(done.rows(kind)), word) for kind, word in words.items()]
    return f"reflected: {', '.join(f'{n} {word}' for n, word in parts if n)}"


def _keys(run: Run, written: Written, why_not: str, *, was_looked_at: bool = True) -> dict[str, Any]:
    """Return the reply's keys; what became of lines only of those that the run's reader may hear."""
    done = written.done
    before, after = observations.words(written.before), observations.words(done.text)
    over = max(0, after - run.settings.get("observe.reflectWords"))
    reason = why_not or f"{before} words became {after}"
    if over and was_looked_at:  # else what is left may well yield: nobody has tried
        reason = f"{reason}; {over} over the limit: {NOTHING_YIELDS}"
    heard = telling.labels_heard(run, {told.label for told in done.told})
    lists = {name: done.rows(kind, heard) for name, kind in LISTS.items()}
    return {
        "reflected": written.backup is not None,
        "reason": reason,
        "overLimit": over,
        "wordsBefore": before,
        "wordsAfter": after,
        "linesBefore": len(observations.observations(written.before)),
        "linesAfter": len(observations.observations(done.text)),
        **lists,
        "backup": written.backup,
        "removedBackups": written.removed,
        "path": run.workspace.in_memory(observations.NAME),
        "report": None,
    }


def _short(run: Run, keys: dict[str, Any]) -> dict[str, Any]:
    """Return the reply with its lists as long as a harness lets through; all of them are in the report."""
    room, cut = REPLY_CHARS, False
    short = dict(keys)
    for name in LISTS:
        short[name] = []
        for row in keys[name]:
            room -= len(reply.line(row))
            if room < 0:
                cut = True
                break
            short[name].append(row)
    if cut:
        run.meta_extra["truncated"] = True
        short["report"] = None if run.dry_run else f"{PRIVATE}/{LAST}"
    return short


def _last(run: Run) -> dict[str, Any]:
    """Return what today's last reflection did, {} without one; forgotten, one is made too many, none too few."""
    try:
        value = jsonfiles.loads(run.workspace.cached(LAST) or "{}")
    except (WorkspaceError, ValueError):
        return {}
    return value if isinstance(value, dict) and value.get("day") == run.today else {}


def _failures(run: Run) -> int:
    """Return how many of today's answers could not be used since the last reflection: asking has its price."""
    found = _last(run).get("failures")
    return found if isinstance(found, int) else 0


def _remember(run: Run, account: dict[str, Any]) -> None:
    if not run.dry_run:
        run.workspace.cache(LAST, reply.line({**account, "day": run.today}) + "\n")


def _shown(o: Observation) -> str:
    return " ".join(filter(None, [o.day, o.time, o.mark, f"{o.type}:", o.text]))
