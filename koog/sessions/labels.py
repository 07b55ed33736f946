"""What a line says of where it was said: `dc:project=… dc:scope=… dc:group=…` in its comment. Pure.  [design §3]"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote, unquote

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.sessions.place import GROUP, OPENCLAW, PRIVATE, UNKNOWN, Place

WITHOUT_NAMES = ("claude", "codex")  # hosts whose sessions' keys name no project
COMMENT = r"<!--((?:(?!-->).)*)-->"
VALUE = r"(?:^|\s)dc:(project|scope|group|source)=(\S*)"


class Label(NamedTuple):
    """Where a line was said.

    project   "" where it does not say so, and counts as its file does
    is_heard  it names the session that it was heard in, of Claude Code or Codex: without a project some project's
    """

    project: str = ""
    scope: str = PRIVATE
    group: str = ""
    is_heard: bool = False

    @property
    def is_group(self) -> bool:
        return self.scope == GROUP

    @property
    def stored(self) -> tuple[str, str, str]:
        """Return project, scope and group as an index keeps them."""
        return self.project or (UNKNOWN if self.is_heard else ""), self.scope, self.group

    @property
    def place(self) -> Place:
        return Place(self.project, self.scope, self.group)


NONE = Label()


def of_place(place: Place) -> Label:
    """Return the label of what is said in a place."""
    return Label(place.project, place.scope, place.group)


def of_values(values: Mapping[str, str], *, source: str = "") -> Label:
    """Return the label in a comment's values, as they stand there.

    source   the `dc:source` of an older line: an OpenClaw session's key names its agent

    >>> of_values({}, source="openclaw/ops/3f#a1").project
    'openclaw/ops'
    """
    project = unquote(values.get("project", ""))
    host, _, rest = source.partition("/")
    if not project and host == OPENCLAW and "/" in rest:
        project = f"{OPENCLAW}/{unquote(rest.partition('/')[0])}".lower()
    scope = GROUP if values.get("scope") == GROUP else PRIVATE
    is_heard = not project and host in WITHOUT_NAMES
    return Label(project, scope, unquote(values.get("group", "")) if scope == GROUP else "", is_heard)


def of_line(line: str) -> Label:
    """Return the label of a line by the comments in it; NONE where it has none."""
    if "dc:" not in line:
        return NONE
    values = dict(v for comment in compiled(COMMENT).findall(line) for v in compiled(VALUE).findall(comment))
    return of_values(values, source=values.get("source", ""))


def carried(rows: Sequence[str], known: Mapping[int, Label]) -> dict[int, Label]:
    """Return the labels of the rows that stand below a labelled one, deeper than it: they go on with what it says.

    known   number of a row, from 0 → its own label

    >>> carried(["- a", "  more", "  - b", "", "- c"], {0: Label("/srv/app")})[2].project
    '/srv/app'
    """
    found: dict[int, Label] = {}
    above: list[tuple[int, Label]] = []  # indent and label of the rows that one stands below
    for at, row in enumerate(rows):
        if not row.strip():
            continue
        indent = len(row) - len(row.lstrip())
        own = known.get(at, NONE)
        if own != NONE and above and above[-1][1] == own and indent > above[-1][0]:
            continue  # it goes on with the one above
        while above and above[-1][0] >= indent:
            above.pop()
        if own != NONE:
            above.append((indent, own))
        elif above:
            found[at] = above[-1][1]
    return found


def joint(found: Iterable[Label]) -> Label:
    """Return the label of what says something of several places; NONE where one of them is the workspace's own.

    A group comes first: what was said there is told nowhere else.

    >>> joint([Label("/srv/app"), NONE]) == NONE
    True
    """
    said = set(found)
    return NONE if NONE in said else min(said, key=lambda each: (not each.is_group, each), default=NONE)


def values(label: Label) -> tuple[tuple[str, str], ...]:
    """Return what a comment says of a label, name by name; nothing of one that says nothing."""
    if not label.project and not label.is_group:
        return ()
    found = [("project", quoted(label.project)), ("scope", label.scope)]
    return (*found, ("group", quoted(label.group))) if label.is_group else tuple(found)


def comment(label: Label) -> str:
    """Return a label as a comment of its own, "" for one that says nothing.

    >>> comment(Label("/srv/my app"))
    '<!-- dc:project=/srv/my%20app dc:scope=private -->'
    """
    told = " ".join(f"dc:{name}={value}" for name, value in values(label))
    return f"<!-- {told} -->" if told else ""


def quoted(text: str) -> str:
    """Return a value that has no space and cannot end its comment.

    >>> quoted("my project--x")
    'my%20project-%2Dx'
    """
    return quote(text, safe="/:@.,+~", errors="replace").replace("--", "-%2D")
