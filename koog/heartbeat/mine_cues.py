"""The words that the built-in miner listens for: cues and their kinds, what is specific, what is talk.  [sinain §4.5]

Data only: `mine_weight` adds it up. To teach the miner a new turn of phrase, add it here, run
`bench/mined_sample.py` and read what it lets in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from koog.core.similarity import stems

Kind = Literal["preference", "decision", "error", "fix", "lesson", "event", "fact"]


@dataclass(frozen=True)
class Cue:
    """Words that say what a sentence is; weight from 1.4 (somebody noted it) to 3 (it says so itself)."""

    kind: Kind
    weight: float
    pattern: re.Pattern[str]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


WHEN = _any(
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
OCCASION = _any(r"\b(?:yesterday|tonight|last|next|ago|tomorrow|this (?:morning|week(?:end)?|month))\b")
NUMBER = re.compile(r"(?<![\w.])[$€£v~]?\d[\d.,:]*\s?(?:%|[a-zA-Z]{1,3}\b)?")
TECHNICAL = re.compile(
    r"`[^`]+`|\b[A-Z]{3,}\d*\b|\b\w+[._/]\w[\w./]*|(?<!\w)--?[a-z][\w-]+|\b\w*[a-z][A-Z]\w*|\b[a-zA-Z]+\d[\w.]*"
)
PROPER = re.compile(r"(?<=[a-z0-9,;:)’'&-] )[\"“]?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")
TITLE = re.compile(r"[\"“][A-Z][^\"”]{2,60}[\"”]")
PEOPLE = _any(
    r"\b(?:my|our|his|her|their|user's) (?:\w+ ){0,2}?(?:wife|husband|partner|girlfriend|boyfriend|"
    r"fianc[eé]e?|son|daughter|kids?|children|baby|mom|mum|mother|dad|father|parents|brother|sister|"
    r"cousin|aunt|uncle|grandma|grandpa|grandmother|grandfather|nephew|niece|roommate|neighbou?r|boss|"
    r"manager|mentor|teacher|coach|colleagues?|co-?workers?|team|dogs?|cats?|pup|puppy|puppies|"
    r"kittens?|pets?)\b",
)
LIFE = _any(
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

# Where talk is about the listener, the photo or the moment, nothing lasting is said.
TALK_START = _any(
    r"(?:thanks|thank you|thx|congrat\w*|cheers|welcome|sorry|please (?:let|tell|share)|bravo|kudos|hats off)\b",
    r"(?:hi|hey|hello|bye|goodbye|good (?:morning|night|evening|luck|to (?:see|hear)|for you)|"
    r"long time|take care|have (?:a|fun)|see (?:you|ya)|talk (?:to|soon)|catch)\b",
    r"(?:wow|woah|whoa|yay|woohoo|aww*|haha|lol|ok|okay|got it|sure thing|no (?:worries|problem|"
    r"doubts?)|you bet|of course|exactly|agreed|absolutely|definitely|totally)\b",
    r"(?:that|this|it|those|these|they|everything|they all|what)(?:'s|’s| is|'re| are| was| were|"
    r" must| sounds?| looks?| seems?| feels?| really| makes| reminds| shows)\b",
    r"(?:sounds?|looks?|seems?|must|love (?:that|this|the|your|it|how)|glad|happy (?:to|for)|"
    r"so (?:glad|happy|proud|cool|true|excited)|can't wait|excited (?:to see|for you)|let's|let me|"
    r"let us|keep|don't (?:forget to (?:take|enjoy|have)|worry|give up)|enjoy|nice|great|awesome|"
    r"amazing|beautiful|cool|wonderful|what an?|how (?:cool|sweet|great|nice))\b",
    r"(?:here's|here’s|here is|here are|check|take a look|look at|have a look|see (?:the|this|"
    r"attached)|guess what|tell me|fingers crossed)\b",
    r"(?:you|your|you're|you've|you'll)\b",
    r"(?:I agree|I totally|I completely|I'm (?:here for you|with you|so proud|proud of you|"
    r"glad (?:you|to hear|that you|it|we|I could)|happy (?:for you|to (?:help|hear))|so happy for|"
    r"sure (?:you|it|they)|really (?:glad|proud|happy for))|I (?:know you|bet|hear you|understand|"
    r"appreciate|believe in you|hope you|hope it|wish you|can (?:imagine|see|tell|relate)|"
    r"couldn't agree|love (?:that|your|how|the way|it|this|them)|like (?:that|your|how|the way|it)|"
    r"think (?:you|that's|it's)|feel you|see what))\b",
    r"(?:I'll (?:let you|keep you|keep that|definitely (?:let|keep|check|look)|think about|be (?:here|"
    r"there|sure)|check it|do my best|try it))\b",
)
TALK = _any(
    r"\byou guys\b|\bhere's (?:an?|one|the|my|our|some)\b|\bcheck (?:it |this |them )?out\b|"
    r"\btake a look\b|\bmy (?:tip|advice|suggestion)\b|\b(?:just|always) remember\b|\bbe sure to\b|"
    r"\bthis (?:pic|photo|picture)\b|\bwanted to (?:tell|let|share|ask|check)\b|\bkey to\b|\b(?:is|"
    r"are) (?:so |really |super )?(?:key|crucial|vital|essential|important)\b|\bwe (?:should|must|"
    r"all need)\b|\b(?:proud of|happy for|thank(?:s|ful)? (?:to|for)? ?you|rooting for) ?you\b|"
    r"\bwith you\b|\blet me know\b|\bi appreciate\b|\bmeans? (?:a lot|so much|the world)\b",
    r"\byour (?:support|help|words|encouragement|friendship|advice|kind\w*)\b|\bkeep (?:it up|going|"
    r"up the)\b|\bmak(?:e|es|ing) (?:a|such a|the|a real|a big) difference\b",
    r"\bwe can\b|\btogether we\b|\bit's (?:so |really |super |all )?(?:important|amazing|great|"
    r"awesome|worth|about|inspiring|nice|crucial)\b|\bsince we last\b|\bcan you (?:believe|imagine)\b",
    r"\b(?:catch|talk|chat|speak) (?:to you )?(?:soon|later|again)\b|\b(?:never|don't) give up\b|"
    r"\blife is\b|\bfeel free\b|\bany ?time\b",
)
DIRECTIVE = re.compile(
    r"\b(?:ignore|disregard|forget) (?:\w+ ){0,3}(?:previous|above|prior|earlier|your) ", re.IGNORECASE
)
SECOND = re.compile(r"\b(?:you|your|you're|you've|you'd|you'll|ya|yours)\b", re.IGNORECASE)
POINTS_AWAY = re.compile(
    r"\b(?:made|painted|took|got|did|found|drew|wrote|baked|bought|saw|missed|do|tried|like|"
    r"love) (?:it|this|that|them|one|these)\b|\bsome(?:thing| (?:stuff|things))\b",
    re.I,
)
LEANS = re.compile(r"(?:[^\s,;–—-]+ ){1,5}(?:it|its|them|their|her|him|his|there|she|he|one)\b", re.IGNORECASE)
VAGUE_START = re.compile(
    r"(?:it|its|it's|they|they're|them|she|she's|he|he's|that|this|those|these|there)\b", re.IGNORECASE
)
HYPOTHETICAL = re.compile(
    r"\b(?:maybe|might|perhaps|someday|would be|could be|if only|not sure|I guess|I wonder|wondering)\b", re.I
)

# Words that fit any day of anybody: stems, as similarity.stems returns them.
SOFT = frozenset(
    stems(
        """
        able absolutely actually adventure already always amaze amazing anxious appreciate around away
        awesome beautiful believe best better big bit blast bless breakthrough bring brought calm care
        carefree chance chat cherish chill come comfort community confident connect connection cool courage
        course crazy create cute day dear definitely difference different easy encourage encouragement
        energy enjoy even ever every everyone everything excite excited exciting experience express face
        fantastic far feedback feel feeling feelings felt find flyer forget forward free freeing fresh
        friend friends full fun get getting give glad go going gonna good goodness got grateful great
        grounded grow growth guess guys happen happy hard head hear heard heart help helped helping hope
        hopeful hopefully hug huge idea imagine imagined impact importance important impressive incredible
        inspiration inspire inspiring interesting journey joy keen keep kind know lately laugh let life like
        little live look lot lots love loved lovely lucky magic major make making matter maybe mean
        meaningful memories memory milestone mind moment moments motivate motivated motivation much need
        nervous never new nice nostalgic okay one opportunity overwhelm overwhelmed overwhelming particular
        passion passionate path peace peaceful people perfect place plan positive power powerful pretty
        priceless promise proud push put quite ready real realize really reason refresh relax relaxed
        relaxing relief relieved remember remind resilience resonate resonated reward rewarding right rock
        sad safe say scared scary see sense setback share sharing show side small smile someone something
        soon soul sound special spend spirit spirits spoke spread start stay still stories story strength
        stressed stressful strong struggle stuff such super support supportive sure surprised sweet take
        talk team tell terrific thank thankful thing things think thought thrilled thrilling throwback time
        times tip together touched tough treasure treat true truly try two understand understanding
        unforgettable uplift upset use valuable value vibe vibes want way while whole wild wish wonder
        wonderful word words work world worry worth wow yeah year yet you
        """
    )
)

TIME = frozenset(
    stems(
        "january february march april may june july august september october november december "
        "monday tuesday wednesday thursday friday saturday sunday fri yesterday today tomorrow tonight last next "
        "week weekend weeks month months year years recently ago since"
    )
)

CUES = (
    # What a person likes, wants, avoids, and does by habit.
    Cue(
        "preference",
        3.0,
        _any(
            r"\b(?:I|we|user|he|she|[A-Z]\w+) (?:really |much |always |strongly |would |'d )?(?:prefers?|"
            r"rather)\b|\bprefers\b|\bpreferences?:|\bi'd rather\b"
        ),
    ),
    Cue("preference", 2.8, _any(r"\b(?:I|we) (?:always|never|only) (?:want|need|like|expect)\b")),
    Cue(
        "preference",
        2.6,
        _any(
            r"\b(?:my|our|user's|\w+'s) (?:\w+ )?(?:favou?rites?|go-to)\b|\bfavou?rite (?!part\b)\w+ (?:is|"
            r"are|was)\b|\bgo-to\b"
        ),
    ),
    Cue(
        "preference",
        2.4,
        _any(
            r"\b(?:can't|cannot|can not) stand\b|\b(?:hates?|dislikes?|despise|loathe)\b|\bdo(?:n't|es not|"
            r"esn't| not) (?:like|want(?! to\b)|enjoy|eat|drink|care for)\b|\bdoes(?:n't| not) want\b|"
            r"\bnot a (?:big )?fan of\b|\bpet peeve\b|\bannoy(?:s|ed|ing) (?:me|by|when)\b"
        ),
    ),
    Cue(
        "preference",
        2.6,
        _any(
            r"\b(?:the )?user (?:\w+ )?(?:asked (?:for|that|to|not)|wants?|likes?|insists|expects|requested|"
            r"needs|said)\b|\b(?:I|user) wants? (?:you|all|every|it|the|tests?|answers?|no)\b|"
            r"\basked (?:me )?(?:not to|to always|to never|for \w+er)\b"
        ),
    ),
    Cue(
        "preference",
        2.2,
        _any(
            r"\b(?:please )?(?:always|never) (?:use|run|write|ask|send|commit|push|call|start|include|add|"
            r"show|put|deploy|merge|schedule|book)\b|\bplease (?:use|write|keep|stop|don't|do not|avoid|"
            r"make sure|answer|reply)\b|\bfrom now on\b|\bstop (?:using|sending|asking|adding)\b|"
            r"\bno (?:meetings|calls|emojis?)\b"
        ),
    ),
    Cue(
        "preference",
        2.3,
        _any(
            r"\b(?:I'm|I am|we're|been|he's|she's) (?:really |so |also |totally |very |big |super |"
            r"always )*(?:a (?:\w+ )?fan of|a (?:\w+ )?\w+ (?:lover|person|fan|buff|geek|nerd)|into|keen on|"
            r"obsessed with|passionate about|crazy about|fond of|addicted to|drawn to|interested in|"
            r"allergic to|vegan|vegetarian|afraid of|scared of)\b|\bmy (?:passion|hobby|hobbies|dream|goal)\b"
        ),
    ),
    Cue(
        "preference",
        2.1,
        _any(
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
        _any(
            r"\b(?:I|we) (?:usually|always|often|rarely|mostly|typically|generally|try to|never (?:eat|drink|"
            r"use|work|answer|take|read|miss|skip|go|do|buy|travel)) \w+|\bevery (?:morning|evening|night|day|"
            r"week|weekend|month|year|summer|sunday|monday|friday|saturday)\b|\b(?:once|twice|\w+ times) (?:a|"
            r"per) (?:day|week|month|year)\b|\bhelps? me (?:relax|de-?stress|unwind|focus|express|stay|clear|"
            r"sleep)\b|\bto (?:relax|unwind|de-?stress)\b|\b(?:I|we) (?:really |also )?want to\b|"
            r"\bI've always wanted\b|\bdream(?:ed|ing|t)? (?:of|about|is|to)\b"
        ),
    ),
    # What was decided.
    Cue(
        "decision",
        3.0,
        _any(
            r"^(?:decision|decided|agreed|resolution)\b\s?:?|\b(?:we|I|team|user|"
            r"[A-Z]\w+) (?:\w+ )?(?:decided|agreed|settled on|opted|chose|picked)\b|\bdecided (?:to|on|"
            r"against|that|not)\b|\b(?:going|went|go) with\b(?! (?:the flow|my|a friend|friends|the (?:kids|family)|"
            r"him|her|them|us|me|you)\b)|\bsettled on\b|\bchose \w+"
        ),
    ),
    Cue(
        "decision",
        2.8,
        _any(
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
        _any(
            r"\b(?:root cause|turn(?:s|ed) out (?:that|to|the|it|he|she|they|we|a|an|our|my|there)|culprit|"
            r"traced (?:it )?(?:back )?to)\b|\b(?:fix(?:ed)?|resolved|solved|solution|workaround)\b(?: (?:it |"
            r"this |that )?(?:by|with|in|was)\b|:)|\bfixed\b|\bresolved by\b|\bsolved\b|\bwent away (?:after|"
            r"when|once)\b|\bworked after\b|\b(?:raising|clearing|pinning|restarting|reverting|downgrading|"
            r"upgrading|deleting) .{3,80}\b(?:fixed|helped|solved|did it|worked)\b"
        ),
    ),
    Cue(
        "error",
        2.6,
        _any(
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
        _any(
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
        _any(
            r"\b(?:deployed|shipped|released|merged|launched|rolled out|published|tagged|reverted|configured|"
            r"enabled|disabled|renamed|introduced|implemented|benchmarked|measured)\b|\b(?:runs?|listens?|"
            r"lives?|stored|hosted|served|deploys?) (?:on|at|in|under|behind|from)\b|\b(?:down|up) from\b|"
            r"\bdropped from\b|\bfrom \d\S* ?\w* to \d|\b(?:deadline|due|release|launch|freeze|demo|"
            r"milestone)\b.{0,40}\b(?:is|on|by|moved|in)\b|\brequires?\b|\bdepends on\b|\bsupports only\b|"
            r"\blimit(?:ed)? (?:is|to)\b"
        ),
    ),
    Cue("fact", 2.9, _any(r"\b(?:named|called|name is|names are|name's|aka) (?-i:[\"“]?[A-Z])\w+")),
    Cue(
        "fact",
        2.0,
        _any(
            r"^(?:todo|to do|reminder|open|next|deadline|blocked|blocker|follow-?up)\b\s?:|\b(?:needs?|must|"
            r"has to|have to) .{3,60}\b(?:by|before|until)\b|\b(?:on leave|takes over|took over|in charge of|"
            r"responsible for|owns|assigned to)\b"
        ),
    ),
    # What happened in a life, what is planned, how things stand.
    Cue(
        "event",
        1.8,
        _any(
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
        _any(
            r"\b(?:I've|we've|I have|we have|been) (?:also |just |recently |finally |always |already |never |"
            r"even )?(?:been|had|started|got|gotten|decided|known|done|lived|worked|played|joined|finished|"
            r"wanted|made|taken|gone|seen|written|read|painted|learned|tried|busy)\b|^(?:just|been|finally|"
            r"recently) \w+(?:ed|ing)\b|^just (?:got|went|started|bought)\b"
        ),
    ),
    Cue(
        "event",
        1.7,
        _any(
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
        _any(
            r"\b(?:I|we) (?:have|own|work|live|play|teach|run|study|collect|speak|know|keep|use|do) (?!to\b|"
            r"that\b|it\b|you\b)\w+|\bI've got\b|\bI'm (?:an?|from|originally|\d+|married|single|divorced|"
            r"engaged|pregnant|in my)\b|\bmy (?:\w+ ){1,2}(?:is|are|was|were|has|have|works?|lives?|got|gave|"
            r"made|passed|died|turned|started)\b|\bgift from\b|\b(?:it|this|that|she|he) (?:was|is) (?:made|"
            r"written|given|painted|built) by\b|\b\d+ years (?:old|already|ago|now)\b|^(?:yesterday|last|next|"
            r"this (?:week|month|year|summer))\b"
        ),
    ),
)


INTERJECTIONS = (
    r"oh|ah|aw+|wow|woah|whoa|yeah|yep|yup|yes|hey|hi|hello|well|so|anyways?|btw|by the way|ok|okay|sure|haha|"
    r"actually|totally|absolutely|definitely|for sure|congrats|thanks|awesome|cool|nice|great|speaking of|and|but|"
    r"also|oh my gosh|on another note|in the meantime|since (?:we|the) last \w+|since we \w+ last|"
    r"(?:so much|a lot|lots)(?:'s| has| have)? (?:happened |been going on )?since we (?:last )?\w+"
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
