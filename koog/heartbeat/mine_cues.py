"""The words that the built-in miner listens for: cues and their kinds, what is specific, what is talk.  [sinain §4.5]

Data only: `mine_weight` adds it up. To teach the miner a new turn of phrase, add it here, run
`bench/mined_sample.py` and read what it lets in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from koog.core.text.measures import stems

Kind = Literal["preference", "decision", "error", "fix", "lesson", "event", "fact"]


@dataclass(frozen=True)
class Cue:
    """Words that say what a sentence is; weight from 1.4 (somebody noted it) to 3 (it says so itself)."""

    kind: Kind
    weight: float
    pattern: re.Pattern[str]


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one pattern, of either case, that finds any of these."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


WHEN = any_of(
    r"\b(?:yesterday|tomorrow|tonight|today|this (?:morning|afternoon|evening|week(?:end)?|month|"
    r"summer|winter|spring|fall|year))\b",
    r"\b(?:last|next|past|few|two|three|couple of) (?:few )?(?:days?|nights?|weeks?|weekends?|months?|"
    r"years?|summer|winter|spring|fall|mon|tues?|wed|thurs?|fri|sat|sun)(?:day|nesday|urday)?\b",
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b",
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\bin may\b|\bmay \d",
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|few|many) (?:days?|weeks?|months?|years?)\b",
    r"\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:recently|since I|since we|when I was|"
    r"growing up|as a (?:kid|child))\b",
)
OCCASION = any_of(r"\b(?:yesterday|tonight|last|next|ago|tomorrow|this (?:morning|week(?:end)?|month))\b")
NUMBER = re.compile(r"(?<![\w.])[$€£v~]?\d[\d.,:]*\s?(?:%|[a-zA-Z]{1,3}\b)?")
TECHNICAL = re.compile(
    r"`[^`]+`|\b[A-Z]{3,}\d*\b|\b\w+[._/]\w[\w./]*|(?<!\w)--?[a-z][\w-]+|\b\w*[a-z][A-Z]\w*|\b[a-zA-Z]+\d[\w.]*"
)
PROPER = re.compile(r"(?<=[a-z0-9,;:)’'&-] )[\"“]?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")
TITLE = re.compile(r"[\"“][A-Z][^\"”]{2,60}[\"”]")
PEOPLE = any_of(
    r"\b(?:my|our|his|her|their|user's) (?:\w+ ){0,2}?(?:wife|husband|partner|girlfriend|boyfriend|"
    r"fianc[eé]e?|son|daughter|kids?|children|baby|mom|mum|mother|dad|father|parents|brother|sister|"
    r"cousin|aunt|uncle|grandma|grandpa|grandmother|grandfather|nephew|niece|roommate|neighbou?r|boss|"
    r"manager|mentor|teacher|coach|colleagues?|co-?workers?|team|dogs?|cats?|pup|puppy|puppies|"
    r"kittens?|pets?)\b",
)
LIFE = any_of(
    r"\b(?:jobs?|promot(?:ed|ion)|interviews?|hired|fired|laid off|resign\w*|retire\w*|career|"
    r"internship|business|startup|clients?|salary|mortgage|loan|rent)\b",
    r"\b(?:wedding|married|engaged|divorced?|pregnant|birthday|anniversary|born|funeral|passed away|"
    r"died|lost (?:my|our|his|her))\b",
    r"\b(?:surgery|hospital|doctor|diagnos\w+|allerg\w+|asthma|diabet\w+|injur\w+|accident|sick|"
    r"illness|therapy|therapist|medication|vegan|vegetarian|gluten|weight|diet)\b",
    r"\b(?:moved|moving|apartment|house|home ?town|home country|immigrat\w*|visa|trip|travel\w*|"
    r"vacation|road ?trip|flight|camping|hik(?:e|ing|ed))\b",
    r"\b(?:degree|graduat\w+|university|college|school|course|class|classes|exam|test|certificat\w+|"
    r"workshop|training|lessons?)\b",
    r"\b(?:adopt\w*|volunteer\w*|donat\w+|fundraiser|charity|church|shelter|campaign|conference|"
    r"tournament|competition|contest|award|medal|prize|marathon|race|concert|festival|exhibition|"
    r"gallery|recital|show|parade)\b",
    r"\b(?:deadline|launch\w*|release[ds]?|project|budget|contract|certificate|licen[sc]e|car|dog|"
    r"puppy|pup|cat|kitten|kitty|pets?|garden|guitar|piano|violin|clarinet|book|novel|recipe)\b",
)
FIRST = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|my|me|mine|we|we're|we've|we'll|our)\b", re.IGNORECASE)

TIME = frozenset(
    stems(
        "january february march april may june july august september october november december "
        "monday tuesday wednesday thursday friday saturday sunday fri yesterday today tomorrow tonight last next "
        "week weekend weeks month months year years recently ago since"
    )
)

# What is done regularly: a person's habit, but a machine's schedule when no person is in the sentence.
HABIT = Cue(
    "preference",
    2.0,
    any_of(
        r"\b(?:I|we) (?:usually|always|often|rarely|mostly|typically|generally|try to|never (?:eat|drink|"
        r"use|work|answer|take|read|miss|skip|go|do|buy|travel)) \w+|\bevery (?:morning|evening|night|day|"
        r"week|weekend|month|year|summer|sunday|monday|friday|saturday)\b|\b(?:once|twice|\w+ times) (?:a|"
        r"per) (?:day|week|month|year)\b|\b(?:\d+|two|three|four|five) \w+s (?:a|per) (?:day|week|month)\b|"
        r"\bon (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends)\b"
    ),
)

CUES = (
    HABIT,
    # What a person likes, wants, avoids, and does by habit.
    Cue(
        "preference",
        3.0,
        any_of(
            r"\b(?:I|we|user|he|she|[A-Z]\w+) (?:really |much |always |strongly |would |'d )?(?:prefers?|"
            r"rather)\b|\bprefers\b|\bpreferences?:|\bi'd rather\b"
        ),
    ),
    Cue("preference", 2.8, any_of(r"\b(?:I|we) (?:always|never|only) (?:want|need|like|expect)\b")),
    Cue(
        "preference",
        2.6,
        any_of(
            r"\b(?:my|our|user's|\w+'s) (?:\w+ )?(?:favou?rites?|go-to)\b|\bfavou?rite (?!part\b)\w+ (?:is|"
            r"are|was)\b|\bgo-to\b"
        ),
    ),
    Cue(
        "preference",
        2.4,
        any_of(
            r"\b(?:can't|cannot|can not) stand\b|\b(?:hates?|dislikes?|despise|loathe)\b|\bdo(?:n't|es not|"
            r"esn't| not) (?:like|want(?! to\b)|enjoy|eat|drink|care for)\b|\bdoes(?:n't| not) want\b|"
            r"\bnot a (?:big )?fan of\b|\bpet peeve\b|\bannoy(?:s|ed|ing) (?:me|by|when)\b"
        ),
    ),
    Cue(
        "preference",
        2.6,
        any_of(
            r"\b(?:the )?user (?:\w+ )?(?:asked (?:for|that|to|not)|wants?|likes?|insists|expects|requested|"
            r"needs|said)\b|\b(?:I|user) wants? (?:you|all|every|it|the|tests?|answers?|no)\b|"
            r"\b(?<!had )asked (?:me )?(?:not to|to always|to never|for \w+er)\b"
        ),
    ),
    Cue(
        "preference",
        2.2,
        any_of(
            r"\b(?:please )?(?:always|never) (?:use|run|write|ask|send|commit|push|call|start|include|add|"
            r"show|put|deploy|merge|schedule|book)\b|\bplease (?:use|write|keep|stop|don't|do not|avoid|"
            r"make sure|answer|reply)\b|\bfrom now on\b|\bstop (?:using|sending|asking|adding)\b|"
            r"\bno (?:meetings|calls|emojis?)\b"
        ),
    ),
    Cue(
        "preference",
        2.3,
        any_of(
            r"\b(?:I'm|I am|we're|been|he's|she's) (?:really |so |also |totally |very |big |super |"
            r"always )*(?:a (?:\w+ )?fan of|a (?:\w+ )?\w+ (?:lover|person|fan|buff|geek|nerd)|into|keen on|"
            r"obsessed with|passionate about|crazy about|fond of|addicted to|drawn to|interested in|"
            r"allergic to|vegan|vegetarian|afraid of|scared of)\b|\bmy (?:passion|hobby|hobbies|dream|goal)\b"
        ),
    ),
    Cue(
        "preference",
        2.1,
        any_of(
            r"\b(?:I|we) (?:also |really |just |absolutely |always |usually |especially |mostly |still |both |"
            r"all )*(?:love|like|enjoy|adore|loved|enjoyed)\b(?! (?:that|this|it|your|how|them|the|all the|"
            r"seeing how|hearing)\b)|\b(?:kids?|son|daughter|wife|husband|dogs?|cats?|he|she|they|"
            r"who) (?:also |really |all |just )*(?:loves?|enjoys?|likes?)\b(?! (?:it|that|this|them)\b)|"
            r"^(?:love|enjoy|like) \w+ing\b"
        ),
    ),
    Cue(
        "preference",
        1.8,
        any_of(
            r"\bhelps? me (?:relax|de-?stress|unwind|focus|express|stay|clear|"
            r"sleep)\b|\bto (?:relax|unwind|de-?stress)\b|\b(?:I|we) (?:really |also )?want to\b|"
            r"\bI've always wanted\b|\bdream(?:ed|ing|t)? (?:of|about|is|to)\b"
        ),
    ),
    # What was decided.
    Cue(
        "decision",
        3.0,
        any_of(
            r"^(?:decision|decided|agreed|resolution)\b\s?:?|\b(?:we|I|team|user|"
            r"client|(?-i:[A-Z]\w+)) (?:\w+ )?(?:decided|agreed|settled on|opted|chose|picked)\b|\bdecided (?:to|on|"
            r"against|that|not)\b|\b(?:going|went|go) with\b(?! (?:the flow|my|a friend|friends|the (?:kids|family)|"
            r"him|her|them|us|me|you)\b)|\bsettled on\b|\bchose \w+"
        ),
    ),
    Cue(
        "decision",
        2.8,
        any_of(
            r"\b(?:switch(?:ed|ing)?|migrat(?:ed|ing)|moved|upgraded|downgraded|bumped|"
            r"changed) (?:\S+ ){0,5}(?:from|to|over to)\b (?=\S)|\breplac(?:ed|ing) \S+(?: \S+){0,5} (?:with|"
            r"by)\b|\bin favou?r of\b|\binstead of\b|\bno longer\b|\bdropped (?:support|the)\b|\bwill use\b|"
            r"\bstandardi[sz]ed? on\b"
        ),
    ),
    # What went wrong and what solved it.
    Cue(
        "fix",
        3.0,
        any_of(
            r"\b(?:root cause|(?:was|were) the cause|culprit|"
            r"turn(?:s|ed) out (?:that|to|the|it|he|she|they|we|a|an|our|my|there)|"
            r"traced (?:it )?(?:back )?to)\b|\b(?:fix(?:ed)?|resolved|solved|solution|workaround)\b(?: (?:it |"
            r"this |that )?(?:by|with|in|was)\b|:)|\bfixed\b|\bresolved by\b|\bsolved\b|\bwent away (?:after|"
            r"when|once)\b|\bworked after\b|\b(?:raising|clearing|pinning|restarting|reverting|downgrading|"
            r"upgrading|deleting) .{3,80}\b(?:fixed|helped|solved|did it|worked)\b"
        ),
    ),
    Cue(
        "error",
        2.6,
        any_of(
            r"(?-i:\b\w*(?:Error|Exception)\b|\bE[A-Z]{4,9}\b)|\b(?:error|exception|crash(?:ed|es|ing)?|"
            r"timed? ?out|segfault|OOM|stack overflow|regression|flaky|deadlock|outage|bug)\b|\b(?:build|test|"
            r"tests|deploy|deployment|migration|pipeline|job|install|upload|login|"
            r"CI) (?:\w+ ){0,2}(?:fail(?:s|ed|ing)?|broke|breaks|hangs?|hung)\b|\bfail(?:s|ed|ing) (?:with|on|"
            r"because|when|to (?:build|start|load|connect|compile|install|resolve))\b|\bHTTP [45]\d\d\b"
        ),
    ),
    # What was learned.
    Cue(
        "lesson",
        2.8,
        any_of(
            r"\b(?:lessons?(?: learn(?:ed|t))?|learn(?:ed|t) (?:that|the hard way)|TIL|note to self|gotcha|"
            r"caveat|takeaway|rule of thumb|pro tip)\b|\bworks? (?:much |far |a lot )?(?:better|best|fine|"
            r"only) (?:when|if|with|after|in)\b|\bnext time\b|\bthe trick is\b|\b(?:remember|make sure|"
            r"be sure) to\b|\bonly works (?:when|if|with|after)\b|\bmust be (?:set|run|called|restarted)\b"
        ),
    ),
    # Measured and configured facts of a project.
    Cue(
        "fact",
        2.2,
        any_of(
            r"\b(?:deployed|shipped|released|merged|launched|rolled out|published|tagged|reverted|configured|"
            r"enabled|disabled|renamed|introduced|implemented|benchmarked|measured)\b|\b(?:runs|we run|listens?|"
            r"lives?|stored|hosted|served|deploys?) (?:on|at|in|under|behind|from)\b|\b(?:down|up) from\b|"
            r"\bdropped from\b|\bfrom \d\S* ?\w* to \d|\b(?:deadline|due|release|launch|freeze|demo|"
            r"milestone)\b.{0,40}\b(?:is|on|by|moved|in)\b|\brequires?\b|\bdepends on\b|\bsupports only\b|"
            r"\blimit(?:ed)? (?:is|to)\b"
        ),
    ),
    Cue("fact", 2.9, any_of(r"\b(?:named|called|name is|names are|name's|aka) (?-i:[\"“]?[A-Z])\w+")),
    Cue(
        "fact",
        2.0,
        any_of(
            r"^(?:todo|to do|reminder|open|next|deadline|blocked|blocker|follow-?up)\b\s?:|\b(?:needs?|must|"
            r"has to|have to) .{3,60}\b(?:by|before|until)\b|\b(?:on leave|takes over|took over|in charge of|"
            r"responsible for|owns|assigned to)\b"
        ),
    ),
    # What happened in a life, what is planned, how things stand.
    Cue(
        "event",
        1.8,
        any_of(
            r"\b(?:I|we|she|he|they|my \w+|our \w+|and|just|recently|finally|also|already)(?: (?:also|just|"
            r"finally|recently|actually|even|already|both|once|first|officially|then))* (?:got|went|joined|"
            r"started|began|bought|adopted|donated|moved|met|lost|won|passed|failed|finished|completed|"
            r"graduated|launched|opened|signed|attended|visited|took|made|painted|drew|ran|organi[sz]ed|"
            r"hosted|volunteered|received|applied|accepted|quit|retired|published|wrote|read|built|broke|died|"
            r"tried|learned|taught|created|set up|raised|helped|saw|watched|participated|performed|played|"
            r"cooked|baked|planted|found|came|hiked|traveled|travelled|celebrated|entered|submitted|sold|"
            r"booked|hired|spent|ended up|enrolled|gave|had|did|named|called|retook|held|caught|hit|fell|hurt|"
            r"explored|wanted|used to|grew up|was (?:diagnosed|born|promoted|hired|laid|in|out|at)|were (?:in|"
            r"out|at))\b"
        ),
    ),
    Cue(
        "event",
        1.8,
        any_of(
            r"\b(?:I've|we've|I have|we have|been) (?:also |just |recently |finally |always |already |never |"
            r"even )?(?:been|had|started|got|gotten|decided|known|done|lived|worked|played|joined|finished|"
            r"wanted|made|taken|gone|seen|written|read|painted|learned|tried|busy)\b|^(?:just|been|finally|"
            r"recently) \w+(?:ed|ing)\b|^just (?:got|went|started|bought)\b"
        ),
    ),
    Cue(
        "event",
        1.7,
        any_of(
            r"\b(?:I|we) (?:start|leave|begin|move|fly|retire|graduate|turn \d+)\b|"
            r"\b(?:I'm|we're|I am|we are|she's|he's)(?: (?:also|just|currently|still|actually|now|really|"
            r"thinking|even))* (?:planning|going|gonna|thinking (?:of|about)|looking (?:into|for|at|to)|"
            r"working (?:on|at|as|with|for)|applying|starting|moving|training|studying|learning|writing|"
            r"reading|building|saving|preparing|organizing|hosting|taking|trying|doing|having|getting|"
            r"researching|volunteering|considering|expecting|teaching|running|hoping to|launching|opening|"
            r"creating|developing|heading|off to|headed|excited to (?:start|go|try))\b|^(?:gonna|planning|"
            r"researching|working on|thinking (?:of|about)|considering|looking into|hoping to)\b|"
            r"\bI'll (?:be )?\w+ .*\b(?:tomorrow|next|this|tonight|on)\b|\bmy (?:next|goal|plan)\b|"
            r"\bI (?:plan|hope|intend|aim) to\b"
        ),
    ),
    Cue(
        "fact",
        1.8,
        any_of(
            r"\b(?:I|we) (?:have|own|work|live|play|teach|run|study|collect|speak|know|keep|use|do) (?!to\b|"
            r"that\b|it\b|you\b)\w+|\bI've got\b|\bI'm (?:an?|from|originally|\d+|married|single|divorced|"
            r"engaged|pregnant|in my)\b|\bmy (?:\w+ ){1,2}(?:is|are|was|were|has|have|works?|lives?|got|gave|"
            r"made|passed|died|turned|started)\b|\bgift from\b|\b(?:it|this|that|she|he) (?:was|is) (?:made|"
            r"written|given|painted|built) by\b|\b\d+ years (?:old|already|ago|now)\b|^(?:yesterday|last|next|"
            r"this (?:week|month|year|summer))\b"
        ),
    ),
)

HEADING_WEIGHT = 2.6
HEADINGS: dict[str, Cue] = {
    "decision": Cue("decision", HEADING_WEIGHT, re.compile("")),
    "lesson": Cue("lesson", HEADING_WEIGHT, re.compile("")),
    "learned": Cue("lesson", HEADING_WEIGHT, re.compile("")),
    "gotcha": Cue("lesson", HEADING_WEIGHT, re.compile("")),
    "preference": Cue("preference", HEADING_WEIGHT, re.compile("")),
    "fixes": Cue("fix", HEADING_WEIGHT, re.compile("")),
}
