"""The words that the built-in signal engine listens for: failures, repairs, loops, steps, topics.  [sinain §4.3]

Data only, and plain strings: `re.search` compiles a pattern at its first use and keeps it, so
importing this costs nothing where the engine is not asked.
"""

from __future__ import annotations

# --- clauses and failures ---

CLAUSE_END = (  # within a sentence
    r"(?<=;)\s+|,?\s+(?:but|however|although|whereas)\s+|,\s+(?:and\s+)?(?:then|now)\s+|\s+[—–]\s+"
)
NAME = (
    r"\b(?:\w+\.)*(?P<exception>[A-Z]\w*(?:Error|Exception|Fault))\b"
    r"|\b(?P<errno>E(?:ACCES|ADDRINUSE|AGAIN|AI_AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|HOSTUNREACH|"
    r"INTEGRITY|INTR|INVAL|IO|ISDIR|LIFECYCLE|MFILE|NETUNREACH|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|"
    r"RESOLVE|ROFS|TIMEDOUT|TIMEOUT|XDEV))\b|\b(?P<signal>SIG(?:SEGV|KILL|ABRT|BUS|ILL)|OOM|TS\d{4}|E0\d{3})\b"
    r"|\b(?P<exit>(?i:exit)(?:ed)?(?: with)?(?: code| status)? [1-9]\d{0,2})\b"
    r"|\b(?:(?:HTTP|status|error|returns?|returned|got)(?: code| an?)? (?=5)|"
    r"(?=5\d\d (?:error|response|Bad|Internal|Service|Gateway)))(?P<http>5[012]\d)\b(?! [a-z]+s\b)"  # not "500 rows"
)
FAILURE = (
    r"(?i)\b(?:fail(?:s|ed|ing|ures?)?|error(?:s|ed)?|exceptions?|crash(?:es|ed|ing)?|panic(?:s|ked)?|segfault(?:s|ed)?|"
    r"timed out|times out|timeouts?|broken?|broke down|jam(?:s|med)|leak(?:s|ed|ing)|bounced|hangs|hung|"
    r"deadlock(?:s|ed)?|out of memory|(?:permission|access) denied|not working|"
    r"(?:does|do|did)(?:n['’]t| not) (?:work|start|build|load)|won['’]t (?:start|build|boot|open|load|connect)|"
    r"refuses to|(?:payment|card|login|upload) (?:was |got )?"
    r"(?:declined|rejected|refused)|"
    r"(?:builds?|runs?|suite|tests?|e2e|pipeline|ci)(?: (?:is|was|are|were|went|still))* red"
    r"|red (?:builds?|runs?|tests?))\b"
)
QUOTED = r"[\"“`]([^\"”`\n]{4,80})[\"”`]"
# Talk about errors that is no error: denied, counted as none, or a compound word.
DENIED = (
    r"(?i)\b(?:no|zero|0|without(?: an?y?)?|never|not (?:a single|any|an?)|free of|any) (?:[\w-]+ ){0,2}"
    r"(?:errors?|fail(?:s|ed|ing|ures?)?|crash\w*|exceptions?|timeouts?|leaks?)\b"
    r"|\b(?:errors?|failures?|crashes|failed|timeouts?)\s*[:=]\s*(?:0|none)\b"
    r"|\berror[- ](?:handl\w+|boundar\w+|messages?|pages?|budgets?|codes?|types?|report\w*|log\w*|rates?|prevention)\b"
    r"|\b(?:bug|crash|error) ?fix(?:es)?\b|\bfail(?:[- ](?:safe|fast|over)|safe|over)\b"
    r"|\b(?:docs?|blog|article|chapter|book|lesson) (?:about|on) .*"
)
MENDED = (
    r"(?i)\b(?:fix(?:es|ed)|resolve[sd]|solve[sd]|sorted out|repaired|cured|went away|is gone|are gone|no longer|"
    r"disappeared|work(?:s|ing)? (?:now|again|fine)|back (?:up|online)|"
    r"pass(?:es|ed|ing)?(?! on (?:a |the )?(?:re-?run|retry))|green|"
    r"succeed(?:s|ed))\b"
)
NOT_MENDED = (
    r"(?i)\b(?:not|never|nothing|cannot|\w+n['’]t)(?: \w+){0,2} (?:fix|resolv|solv|work|pass|gone|go away|succeed)"
)
EXPLAINED = r"(?i)\b(?:comes? from|came from|caused by|because of|due to|points? to|root cause|looks like)\b"
THAT = r"(?i)\b(?:it|that|this|them|the (?:error|issue|problem|bug|crash|failure|exception))\b"
AGAIN = (
    r"(?i)\b(?:again|keeps?|kept|once more|another|twice|persists?|repeated(?:ly)?|recurring|recurs|every time|"
    r"each time|(?:came|comes|is|are) back|same (?:error|failure|exception|crash|problem|issue))\b"
)
LAST_ONE = r"(?i)\b(?:error|failure|exception|crash)\b.{0,9}\b(?:persists?|remains|again|(?:is|came) back)\b"
COUNTED = (
    r"(?i)\b(?:(?P<word>second|third|fourth|fifth)|(?P<digit>[2-9])(?:nd|rd|th)|"
    r"(?P<times>two|three|four|five|[2-9]|1\d)) (?:times?|attempts?|try|tries|crash(?:es)?|failures?)\b"
    r"|\b(?P<x>[2-9])x\b"
)
COUNT_WORDS = {"second": 2, "two": 2, "third": 3, "three": 3, "fourth": 4, "four": 4, "fifth": 5, "five": 5}

# --- what answers a failure ---

AFTER = r"(?i)\b(?:after|when|while|during|following|whenever)\s+(?P<cause>[^,.;:]{3,60})"
VERBS = (
    "add|archive|ask|avoid|build|call|change|check|clean|clear|close|commit|compare|copy|create|delete|deploy|disable"
    "|do not|don['’]t|drop|enable|ensure|exclude|export|fix|give|hold|increase|install|keep|kill|limit|look|lower|make"
    "|measure|move|name|never|always|pack|pass|pin|poll|prefer|prove|pull|push|put|raise|read|rebase|rebuild|reduce"
    "|remember|remove|rename|replace|reproduce|reset|resize|restart|restore|retry|revert|run|save|send|set|skip|split"
    "|start|stop|store|stream|switch|take|test|turn|unlock|update|upgrade|use|verify|wait|wrap|write"
)
ADVICE = (
    rf"(?i)(?:^|[:;,→]\s*[\"“]?|\bthen )(?:{VERBS})\b(?! (?:of|is|was|are|were)\b)"
    rf"|^(?:on|for|when|if|after|before|in|with)\b[^.]{{3,60}}? (?:{VERBS})\b"
    r"|\b(?:never|always|must|don['’]t|do not|instead of|rather than|from now on)\b|^(?:decision|decided|rule|fix)\b"
)
EXPLAINS = r"(?i)\b(?:means?|comes? from|caused by|because|due to|root cause|is the limit|looks like)\b"
DENIES = r"(?i)\b(?:no|not|never|avoid|without|instead of|rather than|no longer|\w+n['’]t)\b"

# --- a user in a loop ---

RETRY = (
    r"tried|trying|retr(?:ied|ying)|re-?r[au]n(?:ning)?|re(?:start|install|vert|mount)(?:ed|ing)|rebuil[td]\w*|redid"
)
RETRIED = rf"(?i)\b(?:{RETRY})\b"
ATTEMPT = rf"(?i)\b(?:{RETRY}|(?:edit|chang|clear|patch)(?:ed|ing)|rewr\w+|ran|running)\b"
TRIED_AGAIN = r"(?i)\b(?:again|once more|twice|repeatedly|every time)\b"
TARGET = r"`[^`\n]+`|[\w-]+(?:[./][\w-]+)+"
STUCK = (
    r"(?i)\bstuck\b(?! (?:to|with|at home|inside|in traffic))|\bin circles\b|\bback to square one\b|\bover and over\b"
    r"|\bagain and again\b|\bno progress\b|\bnothing (?:helped|helps|works|worked|changed)\b"
    r"|\bsame (?:step|command|change|edit|approach|place|spot)\b"
    r"|\bstill (?:(?:not|no) (?:work|fix|solv|resolv|pass|build|start|load|luck)\w*|fail\w*|broken|stuck|the same|"
    r"unresolved|crash\w*|hang\w*|(?:can|does|do|wo)n['’]t (?:work|start|build|load|connect|open|run|pass))\b"
)
# Of a thing, not of work or of who does it: "the tablets are stuck on Safari 16".
THING = (
    r"(?<!\w)(?!(?i:i|we|you|he|she|they|it|this|that|user|everything|everybody|everyone|builds?|tests?|ci|jobs?|pipeline"
    r"|deploy\w*|migrations?|process|installs?|installer|upgrade|update|release|agent|work|task)\b)"
    r"[a-z][\w-]* (?:is|are|was|were) (?:still |all )?stuck (?:on|at) "
)
SUBJECT = r"(?i)^(?:the )?user(?: has been| is| was)? "
NOT_STUCK = r"(?i)\b(?:no longer|not|isn['’]t|never|un) ?stuck\b|\bgot (?:it )?unstuck\b"
PROGRESS = r"(?i)\b(?:finished|done|completed?|merged|shipped|released|delivered|submitted|sent|paid|booked)\b"
QUIET = r"(?i)\b(?:no (?:new )?activity|idle|quiet|nothing (?:new|happened|to report)|away|asleep)\b"

# --- a next step left open ---

# What names a step, and how the tip puts it; without a group `step` the whole clause is the step. No pattern
# begins with `.*`: two of those in one pattern took minutes on a long clause.
STEPS = tuple(
    (f"(?i){pattern}", form)
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
DUE = r"(?i)\b(?:due|deadline|expires?|submit|deliver|hand in|by|before|until|exam|appointment|flight)\b"
DUE_DAY = r"(?i)\b(?:today|tonight|tomorrow)\b"
POINTS_BACK = r"(?i)\b(?:it|them|this|that|these|those)\b"
PRONOUN = r"(?i)(?:it|this|that|they|these)\b"
NO_STEP = (
    r"(?i)\b(?:no|nothing|none)(?: \w+){0,2} (?:next|remain\w*|left|open|uncommitted|unpushed|to-?do|missing)\b"
    r"|\bnothing is left\b|\b(?:to-?do|remaining|next(?: steps?)?)(?: list)?(?: is|:)? (?:none|nothing|empty|-)\W*$"
    r"|\b(?:no longer|not) need"
)
FAILED_TEST = r"(?i)(?<![a-z])(?:tests?|specs?|suite)(?![a-z])"
EDITED = r"(?i)\b(?:chang|edit|patch|adjust|rewrote|rewrit|updat|refactor|mended|fixed)\w*"
RERUN = r"(?i)\bre-?r[ua]n|\b(?:ran|runs?|pass(?:es|ed|ing)?|green|still fail\w*|fails? again|tests? (?:are|is) fine)\b"

# --- a topic that is new here ---

EXPLORED = (
    r"(?i)\b(?:explor(?:ing|ed)|evaluat(?:ing|ed)|look(?:ing|ed) into|research(?:ing|ed)|"
    r"read(?:ing)? (?:up )?(?:about|on)|trying out|tried out|experiment(?:ing|ed) with|"
    r"learning about|first time (?:using|with))\s+"
    r"(?:(?:an?|the|how|whether|using|to|its?) )*(?P<name>[\w.+#/-]+(?: (?!(?:for|to|as|and|or|because|in|with|"
    r"instead|on|vs|versus|against|from|after|before|while|which|that|at|by|is|was|again)\b)[\w.+#/-]+){0,2})"
)
USED = (
    r"\b(?i:set(?:ting)? up|install(?:ed|ing)|integrat(?:ed|ing)|configur(?:ed|ing)|adopt(?:ed|ing)|added|learning|"
    r"compar(?:ed|ing)|consider(?:ed|ing)|looking at|(?:deploy|migrat|switch|mov|upgrad)(?:ed|ing) (?:to|with|on)|"
    r"prototyp(?:ed|ing) (?:with|in)|play(?:ed|ing) with)\s+"
    r"(?P<name>[A-Z][\w.+#/-]*(?: [A-Z][\w.+#/-]*)?|[a-z]+(?:[.-][a-z]+)+)"
)
CAMEL = r"\b(?:[A-Z][a-z0-9]+){2,}\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+\.(?:js|io|ai|rs|py|NET)\b"
ERROR_NAME = r"(?:Error|Exception|Fault)$"
FILE_NAME = r"/|\.(?:py|tsx?|jsx?|kt|swift|go|rs|md|json|ya?ml|toml|sh|css|html|sql|txt|csv|pdf)$"
STUDIED = r"(?i)\b(?:look\w* into|research\w*|evaluat\w*|read\w* (?:up )?(?:about|on))\b"
NO_TOPIC = frozenset(
    """
    a all and bug code connections different error his issue it logs more my new on options other our outside problem
    some something stuff that their them these things this those various ways what why
    """.split()
)
