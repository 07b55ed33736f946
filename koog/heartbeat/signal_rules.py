"""The built-in answer to `signal`: what the summary itself says, counted  [sinain §4.3].

Four detectors read the summary clause by clause: errors that came back, a user in a
loop, a next step left open, a topic that is new here. Each counts its evidence, and the
count is the confidence (`CONFIDENCE`); the strongest detector names the action, always
in the summary's own words. What a clause denies or reports as mended does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

from koog.core.similarity import cosine, jaccard, stems
from koog.playbook.extract_rules import RUNTIMES, clip, log_sentences, patterns, plain

# Confidence by number of sightings: 1, 2, 3, 4 or more. From 0.5 on `signal` acts (design §5), so one
# sighting of an error or a topic is a signal but no action, while a step that the user named is one.
CONFIDENCE = {
    "error": (0.3, 0.7, 0.8, 0.9),  # a sighting: each clause, each "again", each recent log; a playbook line
    "stuck": (0.5, 0.65, 0.75, 0.85),  # each cue: "stuck", "tried … again", "still failing", a tick without progress
    "step": (0.6, 0.75, 0.8, 0.8),  # each cue on the same step: named, and due today or tomorrow
    "topic": (0.3, 0.5, 0.6, 0.7),  # each mention; put to use +1, explored on purpose +2
}
ACT_FROM = 0.5
MAX_CHARS = 20_000  # of a summary; it should be three sentences
CLAUSE_CHARS = 400
TASK_CHARS = 160
MAX_SIGNALS = 8
SAME_TROUBLE = 0.5  # Jaccard of the words around a nameless failure: "docker build failed", "build in docker fails"
SAME_TICK = 0.7  # Jaccard of two summaries: above it they differ by a word or two
# A playbook line answers an error when they share about a third of their words. An exception's name
# in it needs one word more (two shared stems of about eight each give 0.25): there are many TypeErrors.
# A code such as ENOSPC means one thing, and suffices.
PLAYBOOK_FLOOR, EXCEPTION_FLOOR = 0.33, 0.2

CLAUSE_END = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<=[.!?])\s+|\n+|;\s+|,?\s+(?:but|however|although|whereas)\s+"
    r"|,\s+(?:and\s+)?(?:then|now)\s+|\s+[—–]\s+"
)
NAME = re.compile(
    r"\b(?:\w+\.)*(?P<exception>[A-Z]\w*(?:Error|Exception|Fault))\b"
    r"|\b(?P<errno>E(?:ACCES|ADDRINUSE|AGAIN|AI_AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|HOSTUNREACH|"
    r"INTEGRITY|INTR|INVAL|IO|ISDIR|LIFECYCLE|MFILE|NETUNREACH|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|"
    r"RESOLVE|ROFS|TIMEDOUT|TIMEOUT|XDEV))\b|\b(?P<signal>SIG(?:SEGV|KILL|ABRT|BUS|ILL)|OOM|TS\d{4}|E0\d{3})\b"
    r"|\b(?P<exit>(?i:exit)(?:ed)?(?: with)?(?: code| status)? [1-9]\d{0,2})\b"
    r"|\b(?:(?:HTTP|status|error|returns?|returned|got)(?: code| an?)? (?=5)|"
    r"(?=5\d\d (?:error|response|Bad|Internal|Service|Gateway)))(?P<http>5[012]\d)\b(?! [a-z]+s\b)"  # not "500 rows"
)
FAILURE = re.compile(
    r"\b(?:fail(?:s|ed|ing|ures?)?|error(?:s|ed)?|exceptions?|crash(?:es|ed|ing)?|panic(?:s|ked)?|segfault(?:s|ed)?|"
    r"timed out|times out|timeouts?|broken?|broke down|jam(?:s|med)|leak(?:s|ed|ing)|bounced|hangs|hung|"
    r"deadlock(?:s|ed)?|out of memory|(?:permission|access) denied|not working|"
    r"(?:does|do|did)(?:n['’]t| not) (?:work|start|build|load)|won['’]t (?:start|build|boot|open|load|connect)|"
    r"refuses to|(?:payment|card|login|upload) (?:was |got )?"
    r"(?:declined|rejected|refused))\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r"[\"“`]([^\"”`\n]{4,80})[\"”`]")
# Talk about errors that is no error: denied, counted as none, or a compound word.
DENIED = re.compile(
    r"\b(?:no|zero|0|without(?: an?y?)?|never|not (?:a single|any|an?)|free of|any) (?:[\w-]+ ){0,2}"
    r"(?:errors?|fail(?:s|ed|ing|ures?)?|crash\w*|exceptions?|timeouts?|leaks?)\b"
    r"|\b(?:errors?|failures?|crashes|failed|timeouts?)\s*[:=]\s*(?:0|none)\b"
    r"|\berror[- ](?:handl\w+|boundar\w+|messages?|pages?|budgets?|codes?|types?|report\w*|log\w*|rates?|prevention)\b"
    r"|\bfail(?:[- ](?:safe|fast|over)|safe|over)\b|\b(?:docs?|blog|article|chapter|book|lesson) (?:about|on) .*",
    re.IGNORECASE,
)
MENDED = re.compile(
    r"\b(?:fix(?:es|ed)|resolve[sd]|solve[sd]|sorted out|repaired|cured|went away|is gone|are gone|no longer|"
    r"disappeared|work(?:s|ing)? (?:now|again|fine)|back (?:up|online)|pass(?:es|ed|ing)?|green|succeed(?:s|ed))\b",
    re.IGNORECASE,
)
NOT_MENDED = re.compile(
    r"\b(?:not|never|nothing|cannot|\w+n['’]t)(?: \w+){0,2} (?:fix|resolv|solv|work|pass|gone|go away|succeed)",
    re.IGNORECASE,
)
EXPLAINED = re.compile(
    r"\b(?:comes? from|came from|caused by|because of|due to|points? to|root cause|looks like)\b", re.I
)
THAT = re.compile(r"\b(?:it|that|this|them|the (?:error|issue|problem|bug|crash|failure|exception))\b", re.IGNORECASE)
AGAIN = re.compile(
    r"\b(?:again|keeps?|kept|once more|another|twice|persists?|repeated(?:ly)?|recurring|recurs|every time|each time|"
    r"(?:came|comes|is|are) back|same (?:error|failure|exception|crash|problem|issue))\b",
    re.IGNORECASE,
)
LAST_ONE = re.compile(
    r"\b(?:error|failure|exception|crash)\b.{0,9}\b(?:persists?|remains|again|(?:is|came) back)\b", re.I
)
COUNTED = re.compile(
    r"\b(?:(?P<word>second|third|fourth|fifth)|(?P<digit>[2-9])(?:nd|rd|th)|(?P<times>two|three|four|five|[2-9]|1\d)) "
    r"(?:times?|attempts?|try|tries|crash(?:es)?|failures?)\b|\b(?P<x>[2-9])x\b",
    re.IGNORECASE,
)
COUNT_WORDS = {"second": 2, "two": 2, "third": 3, "three": 3, "fourth": 4, "four": 4, "fifth": 5, "five": 5}
RETRY = (
    r"tried|trying|retr(?:ied|ying)|re-?r[au]n(?:ning)?|re(?:start|install|vert|mount)(?:ed|ing)|rebuil[td]\w*|redid"
)
RETRIED = re.compile(rf"\b(?:{RETRY})\b", re.IGNORECASE)
ATTEMPT = re.compile(rf"\b(?:{RETRY}|(?:edit|chang|clear|patch)(?:ed|ing)|rewr\w+|ran|running)\b", re.IGNORECASE)
TRIED_AGAIN = re.compile(r"\b(?:again|once more|twice|repeatedly|every time)\b", re.IGNORECASE)
TARGET = re.compile(r"`[^`\n]+`|[\w-]+(?:[./][\w-]+)+")
STUCK = re.compile(
    r"\bstuck\b(?! (?:to|with|at home|inside|in traffic))|\bin circles\b|\bback to square one\b|\bover and over\b"
    r"|\bagain and again\b|\bno progress\b|\bnothing (?:helped|helps|works|worked|changed)\b"
    r"|\bsame (?:step|command|change|edit|approach|place|spot)\b"
    r"|\bstill (?:(?:not|no) (?:work|fix|solv|resolv|pass|build|start|load|luck)\w*|fail\w*|broken|stuck|the same|"
    r"unresolved|crash\w*|hang\w*|(?:can|does|do|wo)n['’]t (?:work|start|build|load|connect|open|run|pass))\b",
    re.IGNORECASE,
)
SUBJECT = re.compile(r"^(?:the )?user(?: has been| is| was)? ", re.IGNORECASE)
NOT_STUCK = re.compile(r"\b(?:no longer|not|isn['’]t|never|un) ?stuck\b|\bgot (?:it )?unstuck\b", re.IGNORECASE)
PROGRESS = re.compile(
    r"\b(?:finished|done|completed?|merged|shipped|released|delivered|submitted|sent|paid|booked)\b", re.I
)
QUIET = re.compile(
    r"\b(?:no (?:new )?activity|idle|quiet|nothing (?:new|happened|to report)|away|asleep)\b", re.IGNORECASE
)
# What names a step, and how the tip puts it; without a group `step` the whole clause is the step. No pattern
# begins with `.*`: two of those in one pattern took minutes on a long clause.
STEPS = tuple(
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (r"\b(?:next(?: steps?)?(?: is| are)?|to[- ]?do|remaining|left to do)\s*:\s*(?:to )?(?P<step>\S.{3,})", "{}"),
        (r"\bnext (?:up|step)(?: is| will be) (?:to )?(?P<step>\S.{3,})", "{}"),
        (r"\b(?:still|yet) (?:needs?|has|have) to (?P<step>.{4,})", "{}"),
        (r"\bstill (?:needs?|missing|waiting for|waits for)[: ]+(?P<step>(?!to\b).{4,})", "Still needed: {}"),
        (r"\b(?:forgot|forgotten) to (?P<step>.{4,})", "{}"),
        (r"\b(?:should|must|needs? to|has to|have to) (?P<step>(?!not\b|n't)[^,;]{3,80}? before .{3,})", "{}"),
        (r"\b(?:not|\w+n['’]t)\b[^.]{4,80} yet\b|\bnot yet \w{3}", "Open: {}"),
        (r"\b(?:uncommitted|unpushed|unsaved|not (?:been )?(?:committed|pushed|saved|merged))\b", "{}"),
        (r"\b(?:without|not|\w+n['’]t) (?:been )?re-?r[ua]n(?:ning)?\b", "{}"),
        (r"^(?P<step>.{4,}?) (?:remains?|is still open|are still open|is left|are left)\b", "{}"),
    )
)
DUE = re.compile(r"\b(?:due|deadline|expires?|submit|deliver|hand in|by|before|until|exam|appointment|flight)\b", re.I)
DUE_DAY = re.compile(r"\b(?:today|tonight|tomorrow)\b", re.IGNORECASE)
POINTS_BACK = re.compile(r"\b(?:it|them|this|that|these|those)\b", re.IGNORECASE)
PRONOUN = re.compile(r"(?:it|this|that|they|these)\b", re.IGNORECASE)
NO_STEP = re.compile(
    r"\b(?:no|nothing|none)(?: \w+){0,2} (?:next|remain\w*|left|open|uncommitted|unpushed|to-?do|missing)\b"
    r"|\bnothing is left\b|\b(?:to-?do|remaining|next(?: steps?)?)(?: list)?(?: is|:)? (?:none|nothing|empty|-)\W*$"
    r"|\b(?:no longer|not) need",
    re.IGNORECASE,
)
FAILED_TEST = re.compile(r"(?<![a-z])(?:tests?|specs?|suite)(?![a-z])", re.IGNORECASE)
EDITED = re.compile(r"\b(?:chang|edit|patch|adjust|rewrote|rewrit|updat|refactor|mended|fixed)\w*", re.IGNORECASE)
RERUN = re.compile(
    r"\bre-?r[ua]n|\b(?:ran|runs?|pass(?:es|ed|ing)?|green|still fail\w*|fails? again|tests? (?:are|is) fine)\b", re.I
)
EXPLORED = re.compile(
    r"\b(?:explor(?:ing|ed)|evaluat(?:ing|ed)|look(?:ing|ed) into|research(?:ing|ed)|read(?:ing)? (?:up )?(?:about|on)|"
    r"trying out|tried out|experiment(?:ing|ed) with|learning about|first time (?:using|with))\s+"
    r"(?:(?:an?|the|how|whether|using|to|its?) )*(?P<name>[\w.+#/-]+(?: (?!(?:for|to|as|and|or|because|in|with|"
    r"instead|on|vs|versus|against|from|after|before|while|which|that|at|by|is|was|again)\b)[\w.+#/-]+){0,2})",
    re.IGNORECASE,
)
USED = re.compile(
    r"\b(?i:set(?:ting)? up|install(?:ed|ing)|integrat(?:ed|ing)|configur(?:ed|ing)|adopt(?:ed|ing)|added|learning|"
    r"compar(?:ed|ing)|consider(?:ed|ing)|looking at|(?:deploy|migrat|switch|mov|upgrad)(?:ed|ing) (?:to|with|on)|"
    r"prototyp(?:ed|ing) (?:with|in)|play(?:ed|ing) with)\s+"
    r"(?P<name>[A-Z][\w.+#/-]*(?: [A-Z][\w.+#/-]*)?|[a-z]+(?:[.-][a-z]+)+)"
)
CAMEL = re.compile(r"\b(?:[A-Z][a-z0-9]+){2,}\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+\.(?:js|io|ai|rs|py|NET)\b")
ERROR_NAME = re.compile(r"(?:Error|Exception|Fault)$")
FILE_NAME = re.compile(r"/|\.(?:py|tsx?|jsx?|kt|swift|go|rs|md|json|ya?ml|toml|sh|css|html|sql|txt|csv|pdf)$")
STUDIED = re.compile(r"\b(?:look\w* into|research\w*|evaluat\w*|read\w* (?:up )?(?:about|on))\b", re.IGNORECASE)
NO_TOPIC = frozenset(
    """
    a all and bug code connections different error his issue it logs more my new on options other our outside problem
    some something stuff that their them these things this those various ways what why
    """.split()
)


@dataclass(frozen=True)
class SignalInput:
    playbook: str
    recent_logs: tuple[dict[str, Any], ...]  # the last 3, newest first
    session_summary: str


class Signal(TypedDict):
    description: str
    priority: str  # high | medium | low


class Action(TypedDict):
    action: str  # sessions_spawn | telegram_tip | skip
    task: str | None
    confidence: float


class SignalAnswer(TypedDict):
    signals: list[Signal]
    recommendedAction: Action


class Trouble(NamedTuple):
    """One clause that reports a failure; `name` is its normalised signature, or "" when it has none."""

    name: str
    words: frozenset[str]
    clause: str
    place: int
    sightings: int = 1


class Finding(NamedTuple):
    """A signal with what it would have the agent do."""

    signal: Signal
    action: Action
    place: int


def answer(given: SignalInput) -> SignalAnswer:
    """Return the signals by priority, then by place in the summary, and the best action on them."""
    parts = clauses(given.session_summary)
    logs = [log_sentences(log) for log in given.recent_logs]
    found = [
        *errors(parts, logs=logs, playbook=given.playbook),
        *stuck(given.session_summary, parts, logs=given.recent_logs),
        *steps(parts),
        *topics(parts, known=[given.playbook, *(s for log in logs for s in log)]),
    ]
    rank = {"high": 0, "medium": 1, "low": 2}
    ordered = sorted(found, key=lambda f: (rank[f.signal["priority"]], f.place))[:MAX_SIGNALS]
    best = max(found, key=lambda f: f.action["confidence"], default=None)  # the first of equals: the order above
    if best is None or best.action["confidence"] < ACT_FROM:
        best_action = skip(best.action["confidence"] if best else 0.0)
    else:
        best_action = best.action
    return {"signals": [f.signal for f in ordered], "recommendedAction": best_action}


def skip(confidence: float) -> Action:
    return {"action": "skip", "task": None, "confidence": confidence}


def clauses(text: str) -> list[str]:
    """Return the parts of a text that can be denied or affirmed by themselves.

    >>> clauses("Tests pass, but the deploy failed. No errors in the log")
    ['Tests pass', 'the deploy failed.', 'No errors in the log']
    """
    return [c for part in CLAUSE_END.split(text[:MAX_CHARS]) if part and (c := clip(plain(part), CLAUSE_CHARS))]


def confidence(kind: str, sightings: int) -> float:
    """Return the confidence of so many sightings, at least 1, from the table.

    >>> [confidence("error", n) for n in (1, 2, 9)]
    [0.3, 0.7, 0.9]
    """
    row = CONFIDENCE[kind]
    return row[min(sightings, len(row)) - 1]


def finding(kind: str, *, label: str, text: str, task: str, sightings: int, place: int, priority: str) -> Finding:
    """Return a finding; a task of kind "step" is a tip, all others are work for a subagent."""
    action = "telegram_tip" if kind == "step" else "sessions_spawn"
    signal: Signal = {"description": f"{label}: {clip(text, TASK_CHARS)}", "priority": priority}
    return Finding(
        signal, {"action": action, "task": clip(task, TASK_CHARS), "confidence": confidence(kind, sightings)}, place
    )


# --- errors that came back ---


def troubles(parts: Sequence[str]) -> list[Trouble]:
    """Return the failures that a text reports and does not report as mended, in order.

    The same signature twice is one trouble with two sightings, described by its first clause.
    """
    open_: list[Trouble] = []
    for place, clause in enumerate(parts):
        bare = DENIED.sub(" ", clause)
        name, failed = signature(bare), FAILURE.search(bare)
        mended = MENDED.search(clause) and not NOT_MENDED.search(clause)
        if mended and not re.search(r"\b[1-9]\d*(?: tests?)? (?:fail|error)", bare):
            open_ = without_mended(open_, clause=clause, name=name)
        elif (name or failed) and not (EXPLAINED.search(clause) and open_):
            words = frozenset(stems(AGAIN.sub(" ", FAILURE.sub(" ", bare))))
            if open_ and not name and LAST_ONE.search(clause):
                name, words = open_[-1].name, open_[-1].words
            open_ = merged(open_, Trouble(name, words, clause, place, repeats(clause)))
    return open_


def signature(clause: str) -> str:
    """Return the error's name as far as it stays the same from one occurrence to the next, else "".

    >>> signature("java.lang.NullPointerException at 0x7f"), signature("it got 503"), signature("all is well")
    ('nullpointerexception', 'http 5xx', '')
    """
    match = NAME.search(clause)
    if match:
        return "http 5xx" if match["http"] else re.sub(r"ed with| with", "", match[match.lastgroup or 0].lower())
    quoted = QUOTED.search(clause) if FAILURE.search(clause) else None
    return re.sub(r"0x[0-9a-f]+|\S*/\S*|\d+", "#", quoted[1].lower()) if quoted else ""


def repeats(clause: str) -> int:
    """Return how often a clause says that its failure happened: "third time" 3, "again" 2, else 1."""
    match = COUNTED.search(clause)
    if match:
        count = match["word"] or match["digit"] or match["times"] or match["x"]
        return COUNT_WORDS.get(count.lower()) or int(count)
    return 2 if AGAIN.search(clause) else 1


def same(a: Trouble, b: Trouble) -> bool:
    """Tell whether two reports are about one failure: by name, else by the words around it."""
    if a.name and b.name:
        return a.name == b.name
    shared, all_ = len(a.words & b.words), len(a.words | b.words)
    return shared > 0 and shared >= SAME_TROUBLE * all_


def merged(seen: Sequence[Trouble], new: Trouble) -> list[Trouble]:
    """Return the troubles with one more report; "it failed again" adds to the last one."""
    for i, old in enumerate(seen):
        if same(old, new) or (i == len(seen) - 1 and not new.name and not new.words):
            total = old.sightings + new.sightings - (1 if new.sightings > 1 else 0)  # "again" counts the earlier one
            return [*seen[:i], old._replace(sightings=total), *seen[i + 1 :]]
    return [*seen, new]


def without_mended(seen: Sequence[Trouble], *, clause: str, name: str) -> list[Trouble]:
    """Return the troubles that a clause about a repair leaves open: not the named one, not "it" (the last)."""
    words = set(stems(clause))
    left = [t for t in seen if not (t.name == name if name and t.name else t.words & words)]
    return left[:-1] if len(left) == len(seen) and THAT.search(clause) else left


def errors(parts: Sequence[str], *, logs: Sequence[Sequence[str]], playbook: str) -> list[Finding]:
    """Return a finding per error; one that the playbook knows becomes a tip which quotes it."""
    earlier = [troubles([c for s in log for c in clauses(s)]) for log in logs]
    found = []
    for t in troubles(parts):
        count = t.sightings + sum(any(same(t, old) for old in log) for log in earlier)
        label, priority = (f"Error seen {count} times", "high") if count > 1 else ("Error seen once", "medium")
        line = remedy(t, playbook)
        shown = finding("error", label=label, text=t.clause, task=f"Find root cause for: {t.clause}",
                        sightings=count + bool(line), place=t.place, priority=priority)  # fmt: skip
        if line:
            tip = f"Playbook: “{clip(line, TASK_CHARS)}” (for: {clip(t.clause, 80)})"
            shown.action.update({"action": "telegram_tip", "task": tip})
        found.append(shown)
    return found


def remedy(trouble: Trouble, playbook: str) -> str | None:
    """Return the playbook line most like the error, or None when none is like it enough."""
    best, score = None, 0.0
    for p in patterns(playbook):
        floor = PLAYBOOK_FLOOR
        if trouble.name and re.search(rf"(?<!\w){re.escape(trouble.name)}(?!\w)", p.text, re.IGNORECASE):
            floor = EXCEPTION_FLOOR if trouble.name.endswith(("error", "exception", "fault")) else 0.0
        value = cosine(trouble.clause, p.text)
        if value >= floor and value > score:
            best, score = p.text, value
    return best


# --- a user in a loop ---


def stuck(summary: str, parts: Sequence[str], *, logs: Sequence[dict[str, Any]]) -> list[Finding]:
    """Return at most one finding: all cues of a loop in one summary are about one loop."""
    cues = [i for i, c in enumerate(parts) if is_loop(c)]
    tries: dict[str, list[int]] = {}
    for i, clause in enumerate(parts):
        for target in TARGET.findall(clause) if ATTEMPT.search(clause) else []:
            tries.setdefault(target.strip("`").lower(), []).append(i)
    cues += [places[-1] for places in tries.values() if len(places) >= 3 or (len(places) == 2 and cues)]
    cues += [0] * unchanged_ticks(summary, logs)
    if not cues:
        return []
    clause = parts[cues[0]]
    return [
        finding(
            "stuck",
            label="Stuck",
            text=clause,
            task=f"Debug: {SUBJECT.sub('', clause)}",
            sightings=len(cues),
            place=cues[0],
            priority="high",
        )
    ]


def is_loop(clause: str) -> bool:
    """Tell whether a clause says that the same thing is being tried in vain."""
    if NOT_STUCK.search(clause) or (MENDED.search(clause) and not NOT_MENDED.search(clause)):
        return False
    return bool(STUCK.search(clause)) or bool(
        RETRIED.search(clause) and (TRIED_AGAIN.search(clause) or COUNTED.search(clause))
    )


def unchanged_ticks(summary: str, logs: Iterable[object]) -> int:
    """Return how many cues the last ticks give: 0 unless two busy ones in a row read like this one."""
    if PROGRESS.search(summary) or QUIET.search(summary) or len(stems(summary)) < 4:
        return 0
    alike = 0
    for log in logs:
        said = log.get("sessionHistorySummary") if isinstance(log, dict) and not log.get("idle") else None
        if not isinstance(said, str) or jaccard(summary, said) < SAME_TICK:
            break
        alike += 1
    return alike if alike >= 2 else 0


# --- a next step left open ---


def steps(parts: Sequence[str]) -> list[Finding]:
    """Return a finding per clause that names a step still to take, a due date, or a test not run again."""
    found = []
    for place, clause in enumerate(parts):
        step, cues = open_step(clause)
        if cues:
            words = step.removeprefix("Due: ").removeprefix("Open: ")
            if place and (PRONOUN.match(words) or len(words.split()) < 3):  # "It is due tomorrow", "not pushed": what?
                step = f"{parts[place - 1].rstrip('.')}; {clause}"
            found.append(finding("step", label="Next step", text=clause, task=step, sightings=cues, place=place,
                                 priority="high" if is_due(clause) else "medium"))  # fmt: skip
    return found + untested(parts)


def open_step(clause: str) -> tuple[str, int]:
    """Return the step that a clause leaves open, in its own words, and by how many cues; 0 when none.

    >>> open_step("Still need to push the branch.")
    ('Push the branch', 1)
    """
    if NO_STEP.search(clause):
        return "", 0
    due = is_due(clause)
    for pattern, form in STEPS:
        match = pattern.search(clause)
        if match:
            named = match.groupdict().get("step") or clause
            step = (clause if POINTS_BACK.search(named) else named).strip(" .,:;-!")
            return capital(form.format(step)), 2 if due else 1
    return (f"Due: {clause.strip(' .')}", 2) if due and not PROGRESS.search(clause) else ("", 0)


def is_due(clause: str) -> bool:
    return bool(DUE.search(clause) and DUE_DAY.search(clause))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def untested(parts: Sequence[str]) -> list[Finding]:
    """Return a finding when a test failed, something was changed after it, and nothing was run since."""
    for place, clause in enumerate(parts):
        rest = parts[place + 1 :]
        failing = FAILED_TEST.search(clause) and FAILURE.search(DENIED.sub(" ", clause))
        if failing and any(EDITED.search(c) for c in rest) and not any(RERUN.search(c) for c in rest):
            return [finding("step", label="Test not run since the change", text=clause, task=f"Run it again: {clause}",
                            sightings=1, place=place, priority="medium")]  # fmt: skip
    return []


# --- a topic that is new here ---


def topics(parts: Sequence[str], *, known: Sequence[str]) -> list[Finding]:
    """Return a finding per technical term or explored subject that neither playbook nor recent logs hold."""
    weights: dict[str, tuple[str, int, int]] = {}
    for place, clause in enumerate(parts):
        for name, weight in mentions(clause):
            shown, total, first = weights.get(name.lower(), (name, 0, place))
            weights[name.lower()] = (shown, total + weight, first)
    heard = f" {' '.join(stem for text in known for stem in stems(text))} "
    return [
        finding("topic", label="New topic", text=name, task=f"Research {name}", sightings=total, place=place,
                priority="medium" if total > 2 else "low")
        for name, total, place in weights.values()
        if stems(name) and f" {' '.join(stems(name))} " not in heard
    ]  # fmt: skip


def mentions(clause: str) -> list[tuple[str, int]]:
    """Return the terms of a clause with their weight: 3 explored, 2 put to use, 1 merely named."""
    found: dict[str, int] = {}
    for form, weight in ((EXPLORED, 3), (USED, 2)):
        for match in form.finditer(clause):
            found.setdefault(match["name"].strip(".,-/"), weight)
    for match in CAMEL.finditer(clause):
        if not any(match[0] in name for name in found):
            found[match[0]] = 1
    return [(name, weight) for name, weight in found.items() if is_term(name, clause)]


def is_term(name: str, clause: str) -> bool:
    """Tell whether a name can be looked up: no error, no file, no filler; plain words only where studied."""
    words = name.split()
    if not words or words[0].lower() in NO_TOPIC or ERROR_NAME.search(name):
        return False
    if FILE_NAME.search(name) and name.lower().removesuffix(".js") not in RUNTIMES:
        return False
    return bool(re.search(r"[A-Z\d]|\w[.-]\w", name)) or bool(STUDIED.search(clause))
