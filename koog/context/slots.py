"""What goes where: the fixed slots P0 and P1 and the topics' P2, each within its room.  [autopoiesis §6.2, §6.3]

Filled by priority, and shown in the order of assembly.KINDS. Beyond the seed the effective playbook and the
observations are P1 too: each as large as the core memory, and both together half of what the seed's own sources leave;
and so are the rules of no one project, as large as the core memory.
Nothing of P0 and P1 depends on the message: it is the beginning that a provider's cache holds.

Every slot has what the reader may be told, and no more (context/texts.py). In a group that is who the agent is, what
was said in that group and the files that are listed for it; those that are listed by their names stand where the core
memory would.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

from koog.context import budget
from koog.context.assembly import Part
from koog.context.contents import INACTIVE_MODULE, INCLUDED, MISSING, PRIVATE, TAKEN, UNREADABLE, Contents
from koog.context.texts import OBSERVATIONS
from koog.core.errors import KoogError
from koog.core.files import daily
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import tokens
from koog.core.text.shares import Amount, Piece
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.topics.topics import Topic

IDENTITY_FOLDER = "knowledge/identity"
IDENTITY_FILES = ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md")
# Of the folder's files, in this order; others behind.
IDENTITY_NAMES = ("soul", "identity", "user", "rules", "agents", "tools")
CORE_MEMORY = ("MEMORY.md", "knowledge/memory/MEMORY.md")
JOURNAL_FOLDER = "knowledge/journal"
PROJECTS = "knowledge/projects/_active.md"
PROJECTS_KB = 1
RULES = "knowledge/procedures/general.md"  # how things are done here, of no one project: they hold for every message
MEMORY_KB = 3
MAGIC = r"[*?]"  # of a pattern that names no single file
# Before each source in the effective playbook, by stack.merge.
PLAYBOOK_SOURCE = r"<!-- (?:(module|guidance): (\S+?)(?: \(priority -?\d+\))?|base-playbook) -->"
OF_SOURCE = {"module": "patterns.md", "guidance": "guidance.md"}
MARKS = ("🔴", "🟡")  # of observations, the most important first


# P0


def identity(contents: Contents) -> None:
    """Who the agent is and how it works: always there, cut at passages with a warning when it is too long."""
    room = contents.kb("identityKb")
    cut = []
    for path in _identity_files(contents):
        if contents.texts.hides(path):
            if contents.texts.roots.is_file(path):
                contents.left_out("identity", path)
        elif pieces := contents.texts.pieces(path):
            part = Part("identity", path, pieces)
            room = room.minus(contents.put(part, room))
            if part.why != TAKEN:
                cut.append(path)
    if cut:
        contents.run.warnings.append(f"identity does not fit its room and is cut: {', '.join(cut)}")


def _identity_files(contents: Contents) -> list[str]:
    """Return the folder's files; where it has none that may be told, those of the root."""

    def rank(name: str) -> tuple[int, str]:
        stem = name.removesuffix(".md").lower()
        return (IDENTITY_NAMES.index(stem) if stem in IDENTITY_NAMES else len(IDENTITY_NAMES)), name

    names = contents.run.workspace.names(IDENTITY_FOLDER, ".md")
    paths = [f"{IDENTITY_FOLDER}/{name}" for name in sorted(names, key=rank)]
    return paths if any(not contents.texts.hides(path) for path in paths) else list(IDENTITY_FILES)


# P1


def session(contents: Contents) -> None:
    """What every session begins with: core memory, journal, projects; then playbook and observations.

    None of it has what is kept for the question: for topics that the message wakes, and for what the search finds.
    """
    kept = budget.of_question(contents.left)
    contents.left -= kept
    _memory(contents)
    _journal(contents)
    _put_file(contents, "projects", PROJECTS, budget.kilobytes(PROJECTS_KB, units=contents.left))
    _rules(contents)
    share = int((contents.left + kept) * budget.EXTRA_SHARE)
    extra = Amount(min(contents.left, share), _memory_kb(contents).size)
    used = _playbook(contents, extra)
    _observations(contents, Amount(extra.units - used.units, extra.size))
    contents.left += kept


def _memory(contents: Contents) -> None:
    texts = contents.texts
    found = [path for path in CORE_MEMORY if texts.roots.is_file(path)]
    path = next((path for path in found if not texts.hides(path)), None)
    if path:
        _put_file(contents, "memory", path, _core_room(contents))
    elif found:
        contents.left_out("memory", found[0])
    room = _memory_kb(contents)
    for path in _of_group(contents):
        room = room.minus(_put_file(contents, "memory", path, room))


def _core_room(contents: Contents) -> Amount:
    """Return the room of core memory: what the config says, else the cap that `remember` keeps it under."""
    settings = contents.run.settings
    if settings.get("context.memoryKb") is not None:
        return contents.kb("memoryKb")
    return budget.unlimited(min(contents.left, settings.get("memory.coreTokens") * tokens.UNITS))


def _memory_kb(contents: Contents) -> Amount:
    """Return the room of what has as much as the seed gives core memory: playbook, observations, a group's files."""
    told = contents.run.settings.get("context.memoryKb")
    return budget.kilobytes(MEMORY_KB if told is None else told, units=contents.left)


def _of_group(contents: Contents) -> list[str]:
    """Return the files that the operator lists for the reader's group by their names."""
    from koog.sessions.taken import fits_group

    who = contents.texts.who
    keys = [(key.removeprefix(audience.GROUP_KEY), globs) for key, globs in who.files if who.is_group]
    listed = [path for key, globs in keys if fits_group(key, who.group) for path in globs]
    named = [path for path in dict.fromkeys(listed) if path.endswith(".md") and not compiled(MAGIC).search(path)]
    known = ("identity", "topic")  # which have their own slots
    return [path for path in named if contents.category(path) not in known and contents.texts.roots.is_file(path)]


def _journal(contents: Contents) -> None:
    """Take today's notes first and of each its end: what was written last. Yesterday's are shown before them."""
    today = date.fromisoformat(contents.run.today)
    days = [today, today - timedelta(days=1)]
    room = contents.kb("journalKb")
    shown: list[Part] = []
    for paths in (_of_day(contents, day) for day in days):
        parts = [Part("journal", path, pieces) for path in paths if (pieces := contents.texts.pieces(path))]
        # The short ones first, each at most its share: what they leave is the long ones'.
        for waiting, part in zip(
            range(len(parts), 0, -1),
            sorted(parts, key=lambda each: each.amount(range(len(each.pieces))).size),
            strict=True,
        ):
            own = Amount(min(room.units, contents.left) // waiting, room.size // waiting)
            room = room.minus(contents.put(part, own, range(len(part.pieces) - 1, -1, -1)))
        for path in paths:
            if path in contents.texts.cut:
                contents.left_out("journal", path)
        shown = parts + shown
    contents.parts = [part for part in contents.parts if part not in shown] + shown


def _rules(contents: Contents) -> None:
    """Take the rules that hold whatever is asked: a question in other words than theirs does not find them."""
    pieces = contents.texts.pieces(RULES)
    newest_first = range(len(pieces) - 1, -1, -1)
    _put_pieces(contents, Part("memory", RULES, pieces), _memory_kb(contents), newest_first)


def _of_day(contents: Contents, day: date) -> list[str]:
    """Return the paths of a day's journal and of its daily notes."""
    journal = f"{JOURNAL_FOLDER}/{day}.md"
    return [path for path in (journal, *daily.of_day(contents.run.workspace, day)) if contents.texts.exists(path)]


def _playbook(contents: Contents, room: Amount) -> Amount:
    from koog.playbook import document, stack

    run, texts = contents.run, contents.texts
    path = run.workspace.in_memory(document.EFFECTIVE)
    if contents.is_group:
        contents.left_out("playbook", path)
        return Amount()
    before = len(run.warnings)
    try:
        text = stack.effective(run.workspace)
    except KoogError as e:
        run.warnings.append(f"playbook: {e.message}")
        contents.not_taken("playbook", path, UNREADABLE)
        return Amount()
    if not texts.who.is_own:
        del run.warnings[before:]  # they name modules
    pieces = texts.of(text, path=path, paths=_playbook_sources(contents, text))
    if path in texts.cut:
        contents.left_out("playbook", path)
    return _put_pieces(contents, Part("playbook", path, pieces), room)


def _playbook_sources(contents: Contents, text: str) -> dict[int, str]:
    """Return the rows of the effective playbook, from 0 → the file that each of them is from."""
    from koog.playbook import document

    workspace = contents.run.workspace
    found: dict[int, str] = {}
    source = base = workspace.in_memory(document.NAME)
    for at, row in enumerate(text.split("\n")):
        if begin := compiled(PLAYBOOK_SOURCE).fullmatch(row):
            source = workspace.in_modules(f"{begin[2]}/{OF_SOURCE[begin[1]]}") if begin[1] else base
        found[at] = source
    return found


def _observations(contents: Contents, room: Amount) -> None:
    path = contents.run.workspace.in_memory(OBSERVATIONS)
    pieces = contents.texts.pieces(path)
    if path in contents.texts.cut:
        contents.left_out("observations", path)
    newest_first = range(len(pieces) - 1, -1, -1)
    order = sorted(newest_first, key=lambda i: _importance(pieces[i]))
    _put_pieces(contents, Part("observations", path, pieces), room, order)


def _importance(piece: Piece) -> int:
    return next((rank for rank, mark in enumerate(MARKS) if mark in piece.text), len(MARKS))


# P2


class Subscribed(NamedTuple):
    """What became of one of a topic's subscriptions."""

    path: str
    why: str


def topics(contents: Contents, active: Sequence[Topic]) -> dict[str, list[Subscribed]]:
    """Put in what active topics say and what they subscribe to, most important first; return it by topic."""
    room = contents.kb("topicKb")
    found = {}
    for topic in active:
        own = room.size if topic.max_context_kb is None else min(room.size, int(topic.max_context_kb * budget.KB))
        left = Amount(room.units, own)
        part = Part("topic", topic.path, contents.texts.pieces(topic.path), of=topic.name)
        used = _put_pieces(contents, part, left, _not_yet_in(contents, part))
        rows = []
        for path in dict.fromkeys(topic.subscriptions):
            why, added = _subscription(contents, topic, path, left.minus(used))
            if why != PRIVATE:  # a group does not learn what there is
                rows.append(Subscribed(path, why))
            used = used.plus(added)
        found[topic.name] = rows
        room = room.minus(used)
    return found


def _subscription(contents: Contents, topic: Topic, path: str, room: Amount) -> tuple[str, Amount]:
    if contents.texts.hides(path) and not contents.texts.pieces(path):  # one that is hidden may have lines that are not
        return contents.left_out("subscription", path), Amount()
    why = _unusable(contents, path)
    part = Part("subscription", path, [] if why else contents.texts.pieces(path), of=topic.name)
    order = _not_yet_in(contents, part)
    if why or (part.pieces and not order):
        why = why or INCLUDED
        contents.not_taken("subscription", path, why)
        return why, Amount()
    used = _put_pieces(contents, part, room, order)
    return part.why, used


def _not_yet_in(contents: Contents, part: Part) -> list[int]:
    had = contents.included(part.path)
    return [i for i in range(len(part.pieces)) if i not in had]


def _unusable(contents: Contents, path: str) -> str | None:
    if contents.is_inactive_module(contents.texts.own_name(path)):  # by a link, too
        return INACTIVE_MODULE
    if contents.texts.exists(path):
        return None
    return UNREADABLE if path in contents.texts.unreadable else MISSING


def _put_file(contents: Contents, kind: str, path: str, room: Amount) -> Amount:
    pieces = contents.texts.pieces(path)
    if path in contents.texts.cut:
        contents.left_out(kind, path)
    return _put_pieces(contents, Part(kind, path, pieces), room)


def _put_pieces(contents: Contents, part: Part, room: Amount, order: Sequence[int] | None = None) -> Amount:
    return contents.put(part, room, order) if part.pieces else Amount()
