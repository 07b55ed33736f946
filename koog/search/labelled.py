"""What the rows of a file say of where they were said, so that no passage holds two labels.  [design §3, §7]

A row without a label counts as its file. What goes on with a labelled bullet is of that bullet, and what waits raw for
a model is of the session that its block names. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import frontmatter
from koog.core.text.bullets import MARKS
from koog.core.text.markdown import BULLET, blocks
from koog.search.categories import CONVERSATIONS
from koog.sessions import labels, notes, transcript, transcript_head
from koog.sessions.labels import NONE, Label
from koog.sessions.person import KINDS, LONGEST_CHARS
from koog.sessions.place import GROUP

HINTS = ("dc:", "<!-- koog:raw ", notes.HINT)  # one of them stands in every file with labels
RAW_BEGIN = r"<!-- koog:raw ((?:(?!-->).)*)-->"
RAW_END = "<!-- /koog:raw -->"
RAW_VALUE = r"(?:^|\s)(project|scope|group|session)=(\S*)"
TYPE = r"(?:^|\s)dc:type=(\S+)"
# The playbook has no types: what stands under this heading is wished.
PLAYBOOK, WISHES, PREFERENCE = "sinain-playbook", r"#{1,2} +Preferences *", "preference"
HEADING = r"#{1,2} "
TITLE, COMMENTS = r"#{1,6} ", r"[ \t]*(?:<!--(?:(?!-->).)*-->[ \t]*)+\r?"
OF_LABEL = r"[ \t]*<!--(?=(?:(?!-->).)*\sdc:)(?:(?!-->).)*-->"
# What stands before and behind the words of an observation, and of a line of the playbook.
BEFORE = rf"\A[ \t]*(?:{MARKS})?[ \t]*(?:(?:🔴|🟡|🟢)\ufe0f? *(?:\d\d:\d\d(?= |$))?)?"
BEHIND = r"[ \t]*(?:\(score: *-?\d+(?:\.\d+)?\)|\[(?:since|deferred): *\d{4}-\d\d-\d\d[^\]]*\]|\[error-prevention\])"


class Said(NamedTuple):
    """What a row says of itself.

    label   where it was said; labels.NONE: it counts as its file
    kind    its type, where it may be a rule about the person
    text    its words alone, where it may be one
    """

    label: Label = NONE
    kind: str = ""
    text: str = ""


NOTHING = Said()


def rows(text: str, *, path: str) -> dict[int, Said]:
    """Return what the labelled rows of a text say of themselves, by their number from 0; {} for most files.

    >>> rows("- a\\n- b <!-- dc:type=fact dc:project=/srv/app -->", path="x.md")[1].label.project
    '/srv/app'
    """
    if path.startswith(f"{CONVERSATIONS}/") and (label := transcript_head.label_of(text)) != NONE:
        return _of_transcript(text, label)
    if not any(hint in text for hint in HINTS):
        return {}
    lines = text.split("\n")
    if group := notes.group_of_note(text):
        return dict.fromkeys(range(len(lines)), Said(Label(scope=GROUP, group=group)))  # nobody's own words
    found = _own(lines, is_playbook=path.rpartition("/")[2].startswith(PLAYBOOK))
    if found:
        _go_on(lines, found)
        carried = labels.carried(lines, {at: said.label for at, said in found.items()})
        found |= {at: Said(label) for at, label in carried.items()}
        found |= _around(lines, found)
    return found


def _around(lines: Sequence[str], found: Mapping[int, Said]) -> dict[int, Said]:
    """Return the front matter and comments of a file in which each line has a label: names that were said there.

    Of several places it is a group's first: what was said there is told nowhere else. A line without a label makes the
    file nobody else's.
    """
    start = frontmatter.lines(lines) or 0
    around = list(range(start))
    for at, row in enumerate(lines[start:], start):
        if at in found or not row.strip() or compiled(TITLE).match(row):
            continue
        if not compiled(COMMENTS).fullmatch(row):
            return {}
        around.append(at)
    said = Said(labels.joint([each.label for each in found.values()]))
    return dict.fromkeys(around, said)


def _of_transcript(text: str, label: Label) -> dict[int, Said]:
    """Return what a transcript's rows say of themselves: whose it is, and nothing in one of the own project's.

    A turn's heading tells a time and a role, and stays a heading.
    """
    from koog.sessions.taken import HERE

    if label == Label(HERE):
        return {}
    heading = compiled(transcript.HEADING)
    return {at: Said(label) for at, row in enumerate(text.split("\n")) if not heading.fullmatch(row)}


def _own(lines: Sequence[str], *, is_playbook: bool) -> dict[int, Said]:
    """Return what each row says by its own comment, or by the raw block it stands in."""
    found: dict[int, Said] = {}
    raw: Said | None = None
    wishes = False
    for at, row in enumerate(lines):
        if begin := compiled(RAW_BEGIN).match(row):
            raw = Said(_of_raw(begin[1]))
        if raw is not None:
            if raw != NOTHING:
                found[at] = raw
            raw = None if row.startswith(RAW_END) else raw
            continue
        if is_playbook and compiled(HEADING).match(row):
            wishes = compiled(WISHES).fullmatch(row) is not None
        label = labels.of_line(row)
        if label != NONE:
            found[at] = _said(row, label, wishes=wishes)
    return found


def _of_raw(values: str) -> Label:
    told = dict(compiled(RAW_VALUE).findall(values))
    return labels.of_values(told, source=told.get("session", ""))


def _said(row: str, label: Label, *, wishes: bool) -> Said:
    types = [kind for comment in compiled(labels.COMMENT).findall(row) for kind in compiled(TYPE).findall(comment)]
    kind = types[-1] if types else PREFERENCE if wishes else ""
    if kind not in KINDS:
        return Said(label)
    text = words(row)
    return Said(label, kind, text) if len(text) <= LONGEST_CHARS else Said(label)


def words(row: str) -> str:
    """Return the words of a line, without bullet, mark, time, tags and comments.

    >>> words("- 🔴 09:14 I prefer tea (score: 0.8) <!-- dc:type=rule -->")
    'I prefer tea'
    """
    text = compiled(labels.COMMENT).sub("", row)
    return compiled(BEHIND).sub("", compiled(BEFORE).sub("", text, count=1)).strip()


def bare(text: str) -> str:
    """Return a text without the comments that hold labels: they are long, and none of its words.

    >>> bare("- a <!-- from: x.md:3 --> <!-- dc:type=rule dc:project=/srv/app -->")
    '- a <!-- from: x.md:3 -->'
    """
    return compiled(OF_LABEL).sub("", text) if "<!--" in text else text


def _go_on(lines: Sequence[str], found: dict[int, Said]) -> None:
    """Give the rows of a labelled bullet that have no label its own. Such a bullet is no rule: it says more."""
    for kind, start, stop in blocks(lines):
        own = [at for at in range(start, stop) if at in found] if kind == BULLET and stop - start > 1 else []
        if not own:
            continue
        label = found[own[0]].label
        for at in range(start, stop):
            label = found[at].label if at in found else label
            found[at] = Said(label)


def runs(found: Mapping[int, Said], start: int, stop: int) -> list[tuple[int, int]]:
    """Return the stretches of some rows that have one label each, as (first row, row behind the last)."""
    cuts = [at for at in range(start + 1, stop) if found.get(at) != found.get(at - 1)]
    return list(zip([start, *cuts], [*cuts, stop], strict=True))


def kept(text: str, left: str) -> str:
    """Return what is left of a text with the labels that its rows had: what is private may have taken one along."""
    before = rows(text, path="")
    if not before:
        return left
    now = rows(left, path="")
    lines = left.split("\n")
    for at, said in before.items():
        if at < len(lines) and lines[at].strip() and now.get(at, NOTHING).label != said.label:
            lines[at] = f"{re.sub(labels.COMMENT, '', lines[at]).rstrip()} {labels.comment(said.label)}"
    return "\n".join(lines)
