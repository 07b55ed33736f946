"""What was recorded, sentence by sentence, each with its day and place: the material of a synthesis.  [sinain §4.7]

Notes, log entries and dated playbook lines become one list. What koog composed itself is
left out, and a log sentence that retells a note counts once, as the note's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from koog.core.clip import clip
from koog.core.named import NamedTuple
from koog.core.text.measures import content_words, stems
from koog.heartbeat import synthesize_cues as cues
from koog.heartbeat.troubles import Trouble, clauses, same, troubles
from koog.playbook.texts import DAY, log_sentences, patterns

if TYPE_CHECKING:
    from koog.core.text.statement import Statement

MAX_OBSERVATIONS = 600
QUOTE_CHARS, PLACE_CHARS = 80, 36  # so that two quotes with their places fit into one insight
NOW_CHARS = 48  # the suggestion beside it quotes the same
LEAST_SUBJECT = 2  # stems; "Gone since the 25th." has none and belongs to the sentence before it
SUBJECT_SHARED = 2
BOX = r"\s*[-*+] \[(?P<box>[ xX])\] "
HOUR = rf"^{DAY}[T ](\d\d):\d\d"


class Observation(NamedTuple):
    """One sentence that somebody wrote down.

    day      YYYY-MM-DD
    source   a note's path, "log TIMESTAMP", or "playbook"
    hour     of a log entry, in UTC
    heading  what stands above it in the note: often its subject
    now      it is of the tick that is being answered
    kept     the playbook keeps it: known, and perhaps no longer so
    box      of a note's "- [ ]": " " or "x"
    """

    text: str
    day: str
    source: str
    hour: int | None = None
    heading: str = ""
    speaker: str = ""
    now: bool = False
    kept: bool = False
    box: str = ""

    def where(self) -> str:
        if self.now:
            return "now"
        if self.source.startswith("log "):
            return f"tick of {self.day}"
        place = self.source[-PLACE_CHARS:]
        return place if self.day in place or not self.day else f"{self.day}, {place}"

    def cited(self, chars: int | None = None) -> str:
        """Return who said what and where, for the reader to check."""
        said = f"{self.speaker}: " if self.speaker else ""
        return f"{said}{quote(self.text, chars or (NOW_CHARS if self.now else QUOTE_CHARS))} ({self.where()})"


def quote(text: str, chars: int = QUOTE_CHARS) -> str:
    """Return the text in quotation marks, cut to so many characters."""
    bare = text.replace("“", '"').replace("”", '"').strip()
    return f"“{clip(bare.rstrip('.'), chars)}”"


def observe(*, logs: Sequence[dict[str, Any]], notes: Sequence[tuple[str, str]], playbook: str) -> list[Observation]:
    """Return the observations, newest first. What has no date cannot be placed and is left out.

    logs   newest first; the first is the tick to be answered
    """
    written = [o for path, text in notes for o in _of_note(path, text)]
    told = " | ".join(" ".join(stems(o.text)) for o in written)
    out = [*_of_logs(logs, told), *written]
    read = {path for path, _ in notes}
    out += [
        Observation(p.text, p.day, p.source or "playbook", kept=True)
        for p in patterns(playbook)
        if p.day and p.source not in read
    ]
    return sorted(out, key=lambda o: (o.now, o.day), reverse=True)[:MAX_OBSERVATIONS]


def _of_logs(logs: Sequence[dict[str, Any]], told: str) -> Iterator[Observation]:
    """Yield what logs recorded, less what retells a note or, in a signal, the summary above it.

    told   the notes' sentences as stems, in a row
    """
    for i, log in enumerate(logs):
        ts = log.get("ts") if isinstance(log, dict) else None
        day, hour = (re.match(DAY, ts), re.match(HOUR, ts)) if isinstance(ts, str) else (None, None)
        if not day:
            continue
        seen: set[str] = set()
        for said in log_sentences(log):
            words = set(stems(said))
            retold = f" {' '.join(stems(said))} " in f" {told} " and (i > 0 or bool(log.get("idle")))
            if not retold and not (words and len(words - seen) <= 0.4 * len(words)):
                yield Observation(said, day[0], f"log {ts}", int(hour[1]) if hour else None, now=i == 0)
            seen |= words


def _of_note(path: str, text: str) -> list[Observation]:
    """Return a note's sentences; one without a subject of its own joins the one before it in its bullet."""
    from koog.core.text.notes import of_note  # curate reads observations and needs none of this
    from koog.core.text.voices import ASSISTANT, QUOTED

    day = re.search(DAY, path)
    out: list[tuple[int, Observation]] = []
    rows = text.splitlines()
    for said in of_note(text, path=path, day=day[0]) if day else ():
        if said.trace or said.role == ASSISTANT or said.trust == QUOTED or said.text.startswith("("):
            continue
        leans = len(about(said.text)) < LEAST_SUBJECT or re.match(cues.CLAIM, said.text)
        if leans and out and out[-1][0] == said.turn:
            last = out[-1][1]
            out[-1] = (said.turn, last._replace(text=f"{last.text} {said.text}"))
        elif not said.text.rstrip("\"”' ").endswith("?"):
            box = re.match(BOX, rows[said.line - 1]) if 0 < said.line <= len(rows) else None
            o = _observation(said, path, day[0] if day else "")
            out.append((said.turn, o._replace(box=box["box"].lower() if box else "")))
    return [o for _, o in out]


def _observation(said: Statement, path: str, day: str) -> Observation:
    return Observation(said.text, day, path, heading=said.heading, speaker=said.speaker)


# --- how two of them stand to each other ---


def is_after(new: Observation, old: Observation) -> bool:
    """Tell whether one observation was surely made after another; of two notes of one day nobody knows."""
    if new.source == old.source or old.now:
        return False
    if new.now or new.day > old.day:
        return True
    both_timed = new.hour is not None and old.hour is not None
    return both_timed and new.source > old.source


def subject(o: Observation) -> AbstractSet[str]:
    """Return the stems that say what an observation is about: no numbers, no words of every failure."""
    return about(f"{o.heading} {o.text}")


@lru_cache(maxsize=2048)  # every observation is held against every other
def about(text: str) -> AbstractSet[str]:
    return {root for root in content_words(text) if root not in cues.COMMON and not root[0].isdigit()}


def reported(o: Observation) -> list[Trouble]:
    """Return the failures that an observation reports as open; what the playbook keeps is no report."""
    return [] if o.kept or is_claim(o) else failures(o.text)


@lru_cache(maxsize=2048)
def failures(text: str) -> list[Trouble]:
    """Return the open failures of a text; not to be changed, for it is kept."""
    return troubles(clauses(text))


def is_claim(o: Observation) -> bool:
    """Tell whether an observation says that a failure is gone for good."""
    return claims(o.text)


@lru_cache(maxsize=2048)
def claims(text: str) -> bool:
    return bool(re.search(cues.CLAIM, text)) and not re.search(cues.WISHED, text)


def concerns(claim: Observation, trouble: Trouble, o: Observation) -> bool:
    """Tell whether a claim is about the failure that an observation reports: its name, or two of its words."""
    if trouble.name and trouble.name in claim.text.lower():
        return True
    if any(same(trouble, t) for t in failures(claim.text)):
        return True
    return is_akin(claim, o)


def is_akin(a: Observation, b: Observation) -> bool:
    """Tell whether two observations are about one thing."""
    return len(subject(a) & subject(b)) >= SUBJECT_SHARED


def is_settled(trouble: Trouble, o: Observation, seen: Iterable[Observation]) -> bool:
    """Tell whether somebody said since that the failure is gone."""
    return any(is_after(c, o) and is_claim(c) and concerns(c, trouble, o) for c in seen)
