"""The words by which the built-in synthesis tells a claim from a report, and advice from either.  [sinain §4.7]

Data only, plain strings as in `signal_cues`.
"""

from __future__ import annotations

from koog.core.text import dates
from koog.core.text.measures import stems

# Somebody says that a failure will not come back; not that he wishes so.
CLAIM = (
    r"(?i)\b(?:gone(?! (?:to|for|through|up|down|over|from))|went away|fixed(?! (?:time|point|price|size|rate|date|in "
    r"advance)s?)|solved|resolved|cured|sorted out|no longer (?:fail|crash|happen|hang|break|leak)\w*"
    r"|no (?:\S+ ){1,3}since|works? again|(?:is|are|now) in place|in place$|for good$)\b"
)
WISHED = (
    r"(?i)\b(?:not|never|n['’]t|wants?|needs?|must|should|could|will|to be|until|unless|if|deadline|due|plan\w*|hopes?"
    r"|try|trying|why|how)\b[^.;]{0,40}\b(?:gone|fixed|solved|resolved|in place|sorted out)\b|\bfix (?:planned|needs)\b"
)
BECAUSE = r"(?i)\b(?:because|since (?!the\b|then|\d)|so that|due to|caused by|comes? from|which is why|without which)\b"
CLOCK = r"(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])"
FINE = r"(?i)\b(?:fine|succe\w+|pass(?:es|ed)|green|works|worked|ran through|went through|ok)\b"
# What runs by itself, as against what somebody noticed at that hour.
SCHEDULED = (
    r"(?i)\b(?:starts?|runs?|begins?|is seeded|cron|schedul\w+|timer|every (?:night|day|morning|\w+day)|nightly)\b"
)

# "never X", "no longer likes X", "I don't want X": X, up to the words that only say where and when.
DENIAL = (
    r"(?i)\b(?:never|no longer|(?:do|does)(?:n['’]t| not))\s(?:(?:wants?|likes?|needs?|uses?|runs?|have)\s)?(?:to\s)?"
    r"(?!know|think|mind|worry|forget|feel|believe|care|understand|want|like)"
    r"(?P<what>[^\s,.;:()—]+(?:\s[^\s,.;:()—]+){0,2}?)"
    r"(?=\s(?:on|in|at|for|from|before|after|as|when|without|to|until|again|any|because|since)\b|[,.;:()—\"”]|$)"
)
ADOPTED = (
    r"(?i)\b(?:changed (?:his|her|my|our|their) minds?|after all|installed|adopted|switched|moved to|started using"
    r"|uses|using|signed up|bought)\b"
)
FORBIDS = (
    r"(?i)\b(?:no|never|not|don['’]t|free of|without)\b[^.;:]{0,60}"
    rf"\b(?P<day>{dates.WEEKDAY}|weekend)s?\b"
)
WISH = (
    r"(?i)\b(?:wants?|wish(?:es)?|hopes?|would (?:love|like|rather)|dream\w*|goal|passionate|interested in"
    r"|can['’]t wait|thinking (?:of|about)|considering|plann?(?:s|ed|ing)?)\b"
)
DONE = (
    r"(?i)\b(?:finished|done|completed?|merged|shipped|released|delivered|submitted|sent|paid|booked|bought|ready|went"
    r"|fixed|solved|renewed|cancel\w+|dropped)\b"
)
CALENDAR = frozenset(stems(" ".join((*dates.WEEKDAYS, *dates.MONTHS))))
UNITS = frozenset(
    """
    kb mb gb tb kib mib gib ms km kg cm mm px min sec utc ios android mac linux windows web app api ui ux url ci cd pr
    prs http https json html css sql xml pdf csv id ids ok tv usa uk eu cpu gpu ram ssd usb wifi wi-fi e2e ai mp
    """.split()
)
# What every report of a failure says: sharing these is no subject in common.
COMMON = frozenset(
    stems(
        """
        fail failed failure error errors crash again time times same first second third minute minutes hour hours day
        days week month today tonight cause fix fixed gone solved since start stop stopped one two three new old still
        red green work works working happen back place problem issue user now
        """
    )
)
