"""Text: what a sentence of a note needs beside it so that it can be understood alone.  [sinain §4.5]

Three things make a line readable outside its note: the sentence before it ("I adopted her in May"),
the error that it announces ("It failed with this:"), and the heading above it ("Fixed by …"). All
are the note's own words. What still speaks of something unnamed *dangles*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from koog.core.text.measures import stems
from koog.heartbeat.mine_cues import FIRST, TIME
from koog.heartbeat.mine_talk import EXPLAINED, SECOND, TALK_START
from koog.heartbeat.mine_weight import proper_names
from koog.heartbeat.note_lines import Statement

BROUGHT = 2  # sentences that may come along
NAME_REACH = 12  # sentences of talk in which the one is looked for whose name is told
SHORT = 9  # words up to which a line without a verb is taken for one that its heading completes

LEANS = re.compile(r"(?:[^\s,;–—-]+ ){1,5}(?:it|its|them|their|her|him|his|there|she|he|one)\b", re.IGNORECASE)
_VERB = (
    r"(?: (?:is|was|are|were|will|would|has|had|have|can|could|should|may|might|must|all|also|just|really|both|then|do|"
    r"does|did|made|makes?|helps?|helped|means?|meant|gave|gives?|got|gets?|keeps?|kept|explains?|treats?|shows?)\b)"
)
POINTS_BACK = re.compile(
    rf"(?:it|its|it['’]s|they|they['’]re|them|she|she['’]s|he|he['’]s|there|(?:his|her|their) name)\b"
    rf"|(?:that|this|those|these)(?:['’]s|\b(?={_VERB}))"
    r"|(?:while|when|after|before|since|because of|despite|with) (?:that|this|it|those)\b",
    re.IGNORECASE,
)
CONCLUDES = re.compile(r"So (?:the|it|that|this|we|no|a)\b|\w+ (?:it|them)\b(?! (?:is|was|has))")
NAMES = re.compile(r"(?:his|her|their) names?\b", re.IGNORECASE)
SOMEBODY = re.compile(
    r"\b(?:adopt\w*|pup|puppy|puppies|dogs?|cats?|kittens?|pets?|baby|born|son|daughter)\b", re.IGNORECASE
)
_CLAUSE_END = r"(?=\s*(?:[,.;!]|$|\b(?:and|but|when|because|so|for|last|yesterday|recently)\b))"
# A noun that is missing in the middle: "my uncle bought me that and …", "I taught myself, but …", "I saw her at …".
UNNAMED = re.compile(
    rf"\b(?:me|us|him|her|them) (?:that|this|those|these|it)\b{_CLAUSE_END}"
    rf"|\b(?:through|about|from|after|before|without) (?:that|this|those)\b{_CLAUSE_END}"
    rf"|\btaught (?:myself|himself|herself|ourselves|themselves)\b{_CLAUSE_END}"
    r"|^(?:I|we) (?:\w+ ){1,2}(?:them|him|her(?= (?:at|in|on|and|from|for|when|last)\b))\b",
    re.IGNORECASE,
)
SOLVED = re.compile(r"\b(?:fixed|solved|resolved|(?:is|are) gone|went away)\b", re.IGNORECASE)

SUBJECTLESS = re.compile(
    r"(?!(?:Decided|Agreed|Found)\b)(?:[A-Z][a-z]+ed|Set|Sent|Went|Ran|Took|Built|Put|Cut|Made|Kept|Broke|Hung|Came|Got)"
    r"\b(?!:)|(?i:same|now|not|only|also|again|because|still|then|due|by hand|to be|this time|second|third|"
    r"fourth|fifth)\b|\d"
)
LABELLED = re.compile(r"[A-Z][\w-]*:\s|[\"“`]")
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|wants|needs|uses|runs|starts|stays|prefers|(?:dis)?likes|must|should|"
    r"will|can|cannot|says|shows?|takes?|comes?|goes|expires?|changed|noticed|moved|keeps?|lives?|works?|fails?|\w+ed)\b",
    re.IGNORECASE,
)
DATED = re.compile(r"\s*\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d\S*)?(?: \(\w+\))?[\s:,–—-]*")
ASIDE = re.compile(r"[,;(]")  # "Backup, root cause": what follows says what kind of line it is, not of what
# Headings that name a part of a day or of a note name no subject.
GENERIC = TIME | frozenset(
    stems(
        "morning noon afternoon evening night day daily note notes preference preferences decision decisions decided "
        "lesson lessons learned gotcha fix fixes result results change changes proof state thing things said plan "
        "plans planning standup misc other todo open done summary session log talk review afterwards later context "
        "background conversation focus block cut short break looking back together outcome facts personal update "
        "updates status utc"
    )
)


def dangles(text: str, said: Statement) -> bool:
    """Return whether a sentence says little without the one before it ("I adopted her two years ago")."""
    if POINTS_BACK.match(text) or UNNAMED.search(text) or (LEANS.match(text) and not proper_names(text)):
        return True
    return not said.speaker and (bool(CONCLUDES.match(text)) or is_unexplained(text))


def continues(said: Sequence[Statement], i: int) -> bool:
    """Return whether a log's sentence goes on about what its bullet has begun: "…. To be done by Friday"."""
    each = said[i]
    return bool(i and not each.speaker and said[i - 1].turn == each.turn and SUBJECTLESS.match(each.text))


def is_unexplained(text: str) -> bool:
    """Return whether a line says that something is fixed, but not how."""
    return bool(SOLVED.search(text)) and not EXPLAINED.search(text)


def carries(before: str) -> bool:
    """Return whether a sentence can be quoted for the sake of the one that leans on it."""
    if before.endswith("?") or not 3 <= len(before.split()) <= 30:
        return False
    return not TALK_START.match(before) and not SECOND.search(before)


def before(said: Sequence[Statement], i: int, trim: Callable[[str], str]) -> list[int]:
    """Return the sentences that a dangling one needs, first to last; [] when they cannot be had."""
    first = i
    while i - first < BROUGHT:
        first -= 1
        if first < 0 or not _belongs(said[first], said[i]) or not carries(trim(said[first].text)):
            break
        if not dangles(trim(said[first].text), said[first]) and not _opens_up(said, first, i):
            return list(range(first, i))
    return _named_before(said, i, trim) if said[i].speaker and NAMES.match(said[i].text) else []


def _named_before(said: Sequence[Statement], i: int, trim: Callable[[str], str]) -> list[int]:
    """Return where a speaker told, a turn or two before, of the one whose name now falls."""
    for earlier in range(i - 1, max(-1, i - 1 - NAME_REACH), -1):
        text = trim(said[earlier].text)
        if said[earlier].speaker == said[i].speaker and SOMEBODY.search(text) and carries(text):
            return [earlier]
    return []


def _opens_up(said: Sequence[Statement], first: int, i: int) -> bool:
    """Return whether a fix's bullet has one more sentence above: the trouble is told at its beginning."""
    more = first > 0 and i - first < BROUGHT and said[first - 1].turn == said[i].turn
    return more and bool(SUBJECTLESS.match(said[i].text)) and not said[i].speaker


def _belongs(earlier: Statement, later: Statement) -> bool:
    """Return whether two sentences stand together: in one turn, or as neighbours in a list of notes."""
    if earlier.turn == later.turn:
        return True
    listed = not earlier.speaker + later.speaker and not earlier.trace and earlier.heading == later.heading
    points = POINTS_BACK.match(later.text) or CONCLUDES.match(later.text) or UNNAMED.search(later.text)
    return listed and bool(points)


def joined(sentences: Sequence[str]) -> str:
    """Return sentences as one text; a bullet without a full stop gets one."""
    *earlier, last = sentences
    return " ".join([*(text if text.rstrip("\"”')*`")[-1:] in ".!?…" else f"{text}." for text in earlier), last])


def announced(said: Sequence[Statement], i: int) -> str:
    """Return the error line that a sentence ending in a colon announces, or ""."""
    if not said[i].text.endswith(":") or i + 1 == len(said):
        return ""
    after = said[i + 1]
    return after.text if after.trace and after.heading == said[i].heading else ""


def titled(text: str, said: Statement) -> str:
    """Return a line of a hand-written note with its heading before it, when only that says what it is about.

    >>> titled("Fixed by raising the limit", Statement("", "", 1, 1, heading="2026-02-10: Metro bundler"))
    'Metro bundler: Fixed by raising the limit'
    """
    if said.speaker or not said.heading or LABELLED.match(text):
        return text
    title = ASIDE.split(DATED.sub("", said.heading), maxsplit=1)[0].strip(" :.")
    about = {root for root in stems(title) if root not in GENERIC and not root[0].isdigit()}
    told = len(about & set(stems(text)))
    if not about or 2 * told > len(about) or len(title.split()) > SHORT or not _lacks_subject(text):
        return text
    return f"{title}: {text}"


def _lacks_subject(text: str) -> bool:
    if SUBJECTLESS.match(text) or dangles(text, Statement(text, "", 0, 0)):
        return True
    return len(text.split()) <= SHORT and not VERB.search(text) and not FIRST.match(text)
