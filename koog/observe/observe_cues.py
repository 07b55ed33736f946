"""The words that the built-in observer listens for.  [seed openclaw-memory]

Data only: `observe_rules` adds it up. A cue says what a sentence is; what takes away from
one is in `observe_noise`. To teach the observer a new turn of phrase, add it here.
"""

from __future__ import annotations

from typing import NamedTuple

NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|sixty|ninety|"
    r"hundred)"
)
DAY = r"(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?s?"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
WHEN = (
    r"(?:\b(?:next|this|coming|following|last) (?:week(?:end)?|month|quarter|year|spring|summer|autumn|fall|"
    rf"winter|{DAY})\b"
    rf"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b{MONTH}\.? ?\d{{1,2}}(?:st|nd|rd|th)?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}\b|\b20\d\d-\d\d-\d\d\b|\b\d{{1,2}}/\d{{1,2}}\b|"
    rf"\b\d{{1,2}}\.\d{{1,2}}\."
    r"|\b(?:tomorrow|tonight|yesterday|today|noon|midnight|eod|eow|cob|q[1-4])\b|\bend of (?:the )?(?:day|week|"
    r"month|quarter|year)\b"
    rf"|\b(?:in|within) (?:\d+|an?|{NUMBER_WORD}|a few|a couple of) (?:hours?|days?|weeks?|months?|years?)\b"
    rf"|\b(?:\d+|an?|{NUMBER_WORD}|a few) (?:days?|weeks?|months?|years?) (?:ago|from now)\b|\bthe \d{{1,2}}(?:st|"
    r"nd|rd|th)\b"
    r"|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b"
    rf"|\b\d{{1,2}}(?::\d\d)? ?(?:am|pm|o'clock)\b|\b\d{{1,2}}:\d\d\b)"
)
EVERY = (
    r"\b(?:every|each) (?:other |second |single |working |week)?(?:morning|evening|night|day|week|weekend|month|"
    rf"quarter|year|{DAY}|\d+ \w+)\b"
    r"|\bon (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|weekdays)\b|\b(?:once|twice|\d+ times|"
    rf"{NUMBER_WORD} times)"
    r" (?:a|per|every|each) (?:day|week|month|year|quarter)\b|\b(?:daily|weekly|nightly|monthly|most (?:days|"
    r"mornings|evenings))\b"
)
NUMBER = (
    r"(?:[$€£]\s?\d[\d.,]*\s?[kKmM]?\b|\b\d[\d.,:]*\s?(?:%|percent\b|[kKMGT]i?[bB]\b|ms\b|s\b|sec(?:ond)?s?\b|"
    r"min(?:ute)?s?\b|hours?\b|hrs?\b"
    r"|days?\b|weeks?\b|months?\b|years?\b|rpm\b|rps\b|qps\b|req(?:uest)?s?\b|euros?\b|dollars?\b|bucks\b|eur\b|"
    r"usd\b|gbp\b|chf\b|k\b|m\b|km\b"
    r"|kg\b|people\b|users?\b|seats?\b|customers?\b|clients?\b|lines?\b|words?\b|chars?\b|characters\b|tokens?\b|"
    r"retries\b|attempts\b|workers\b"
    r"|replicas\b|nodes\b|cores\b|gigs?\b|pages\b|points?\b|items?\b|rows\b|records\b)|\bv?\d+\.\d+(?:\.\d+)?\b|"
    r"\b\d{2,}\b)"
)
COPULA = (
    r"(?:is|are|was|were|'s|'re|'m|be|stays?|remains?|equals?|costs?|takes?|holds?|has|have|gets?|needs?|allows?|"
    r"caps?|capped|limited|set|runs?|running"
    r"|listens?|uses?|comes?|came|went|goes|dropped|rose|grew|fell|expires?|starts?|ends?|lasts?|pays?|paid|"
    r"charges?|supports?|handles?|contains?"
    r"|serves?|rotates?|retains?|keeps?|measures?|weighs?|averages?|reached|hit|sits|lives|opens?|closes?|=)"
)
ME = (
    r"(?:I|we|the team|our team|everyone|the client|the customer|management|legal|my (?:boss|manager|wife|husband|"
    r"partner))"
)
NO_RULE = (  # "don't know" forbids nothing
    r"know|think|see|care|want|have|need|like|believe|feel|mind|recall|understand|get|expect|worry|remember|"
    r"forget|even|really|bother|seem|look"
    r"|suppose|quite|trust|eat|drink|love|enjoy|agree|we\b|you (?:think|have|like|know|want)|take (?:long|"
    r"it personally)|be (?:sorry|silly)"
)


class Cue(NamedTuple):
    """Words that say what a sentence is; weight from 2 (may be kept) to 3 (says so itself); importance 1 to 10."""

    type: str
    weight: float
    importance: int
    pattern: str


CUES = (
    # What holds from now on.
    Cue(
        "rule",
        3.0,
        9,
        r"\b(?:from now on|from here on|going forward|henceforth|as a rule|rule of thumb|house rule|hard rule|"
        r"(?:new|our|the|my|one|another|standing) (?:rule|policy)\b|ground rule"
        r"|rule:|policy:|under no circumstances|no matter what|without exceptions?|no exceptions|by default|"
        r"off[- ]limits|hands off|standing (?:order|instruction))",
    ),
    Cue(
        "rule",
        3.0,
        9,
        r"(?:^|[,:;] |\b(?:please|but|so|should|must|you|to|can|will) )(?:always|never|only ever) (?!know\b|"
        r"been\b|had\b|was\b|knew\b|remember our\b|remember the\b|loved\b|liked\b|wanted\b|again\b|mind\b|heard\b|"
        r"seen\b|thought\b|saw\b|the same\b)[a-z]+",
    ),
    Cue(
        "rule",
        2.9,
        9,
        r"\b(?:must(?:n't| not)? (?!be (?:\w+ing\b|super|really|such|quite|pretty|like|feeling|one of|amazing|"
        r"incredible|"
        r"nice|hard|fun|great|tough|tired|kidding|so|a|the|really|very|due|in\b|done|ready|finished|out)|have\b|"
        r"feel\b|admit\b|say\b|confess\b|mean\b)[a-z]+|(?:has|have|need|needs|ought) to (?:always|never|"
        r"be (?:reviewed|approved|signed|tested|encrypted|tagged|squashed|rebased|documented|logged))|(?:not|n't|"
        r"never) (?:be )?allowed"
        r"|(?:is|are) (?:forbidden|prohibited|mandatory|required|compulsory|obligatory|banned|not (?:optional|"
        r"negotiable|ok(?:ay)?|acceptable))|non-?negotiable|no-?go\b|may not\b|(?:nobody|no one|"
        r"no-one) (?:\w+ )?(?:pushes|merges|deploys|touches|gets|may|should|is|can|must|edits|changes|ships|uses|"
        r"calls))",
    ),
    Cue(
        "rule",
        2.8,
        9,
        r"(?:^|[,:;–—-] ?|\b(?:please|just|so|and|but|again|really) )(?:do not|don't|dont|please no|stop|avoid|"
        rf"refrain from|quit) (?:ever )?(?!{NO_RULE})[a-z]+",
    ),
    Cue(
        "rule",
        2.7,
        8,
        r"\bplease (?:make sure|ensure|use|keep|write|answer|reply|respond|stick|refer|call me|address|prefix|"
        r"format|ask me|ask first|check with|confirm|remember|include|leave)\b|"
        r"(?<!I'll )(?<!I will )(?<!I )(?<!to )\b(?:make|be) sure (?:to (?!take|check out|visit|enjoy)|that|you|"
        r"we|every|all|it|the)\b|\bremember (?:to|that)\b|\bkeep in mind\b"
        r"|\b(?:you|we|agents?|everyone|everybody|people|bots?) (?:should(?:n't| not)?|shall|ought to|"
        r"are (?:not )?to|need to|have to) (?:always|never|not|only|avoid|use|ask|keep|write|"
        r"go through|stay|stick|wait|refer|include|sign|leave|assume|treat)\b",
    ),
    Cue(
        "rule",
        2.7,
        8,
        r"\b(?:ask|check with|consult|confirm with|run it by|warn|tell|ping|wait for) me (?:first|before|prior|"
        r"every)|\bask (?:me )?before\b|\bwithout (?:my|asking|telling|checking|an?|explicit|prior|"
        r"written)\s?(?:ok|okay|consent|approval|permission|review|me|with me|go-ahead|sign-?off|ticket|test|"
        r"tests)?\b|\bneeds? (?:(?:my|an?|at least|two|one|explicit|written|\w+'s) )?(?:\w+ )?(?:approval|review|"
        r"reviews|reviewer|reviewers|sign-?off|ok|consent|permission)"
        r"|^(?:when(?:ever)?|if|before|after|each time|every time|any ?time|once|"
        r"unless) [^,?]{4,120}, (?:then )?(?:please )?(?:always|never|just|make|use|ask|tell|ping|stop|don't|"
        r"do not|run|check|add|put|write|send|open|wait|go|leave|skip|revert|call|assume|treat|file|create|post|"
        r"prefix|log|answer|reply|notify|keep|you should|we should|it should|it must)\b"
        r"|^no (?!worries|problem|idea|doubt|way|need|rush|thanks|one|clue|luck|wonder|pressure|biggie|sweat|"
        r"thank|matter|more questions|news|questions?)[\w -]{2,60} (?:without|before|after|on|in|during|unless|"
        r"until|while|outside|past|at|please|ever|for|over|with)\b"
        r"|^only (?!if|when|because|just|kidding|the|one|two|a |problem|thing|question)\w+ .{0,60}(?:may|can|"
        r"should|gets?|pushes?|deploys?|merges?|on|after|between|in)\b|\bevery (?:\w+ ){1,3}(?:must|needs|has to|"
        r"should|gets|requires)\b|\ball (?:\w+ ){1,4}(?:must|need|have to|should|go(?:es)? (?:through|to|in|into)|"
        r"are to)\b|\bstick (?:to|with) \w+",
    ),
    Cue(
        "rule",
        2.6,
        8,
        r"^(?:please )?(?:use|write|keep|put|name|format|prefix|tag|sign|answer|reply|report|treat|consider|log|"
        r"store|send|run|commit|start|end|round|spell|quote|cite|indent|sort|mark|label|escape|group|leave|count|"
        r"wrap|test|file) .{2,120}\b(?:when(?:ever)?|every|each|always|everywhere|in all|for all|for any|unless|"
        r"until|only|by default|before|after) \w+|^(?:please )?keep (?!going|in touch|it up|at it|me posted|"
        r"trying|an eye|calm)\w+ .{2,60}\b(?:in|out|under|below|at|on|as|to|short|private|brief|simple|"
        r"up to date)\b|^(?:please )?use (?!the (?:other|same|new|old)|it|this|that)[\w'’ -]{2,40} (?:for|in|with|"
        r"as|on|throughout)\b|^treat .{2,80} as\b|^(?!I |we |they |he |she |it |you |who |let|and |there |this |"
        r"that |(?:my|our) (?:kids|family|friends?)|things |everything )(?:the |all |"
        r"our )?\w+(?: \w+){0,3} (?:go(?:es)?|belongs?) (?:in|into|next to|under|to|on|at|through|first|before|"
        r"after|between|inside|below|above) (?!the (?:gym|office|doctor|store|shop|beach|park)\b)"
        r"|\b(?:(?:should|shall) (?:be|have|go|start)|(?:should|shall|must) (?:stay|remain|only|never|always|use|"
        r"live|contain|include|follow|end|fit|match)) (?!been\b|so\b|a blast|fun\b|lots|fine|ok|okay|good|able|"
        r"working|back|here|there|done|easy|enough|possible|nice|great|fun|a look|there)|(?<!^No), not (?!yet\b|"
        r"really\b|at all\b|sure\b|quite\b)(?:an?|in|on|the|"
        r"by|for|to|as|from|with|at|\w+) ?[\w'’ -]{0,30}[.!]?$",
    ),
    Cue(
        "rule",
        2.5,
        8,
        r"\b(?:you|agents?|bots?) (?:are|is) (?:not |never |only )?to [a-z]+|\byou (?:may|can) (?:not|only|"
        r"never)\b|\bwhatever (?:you do|happens)\b|\b(?:is|are|as) (?:an? )(?:absolute |clear )?(?:must|no-no|"
        r"requirement)\b|^no [\w -]{3,60}, (?:ever|period|please|full stop|at all|thanks)\b|\bnowhere else\b|"
        r"\bnothing (?:gets|is|goes|leaves|ships) .{3,60}\b(?:before|until|without|unless)\b|\b(?:has|"
        r"have) to (?:go through|carry|be \w+ed|come with|include|use|pass)\b"
        r"|^(?:leave|speak|talk|address|spell|give me|tell me|send me|show me|refer|stay|wait|assume|"
        r"expect) .{2,80}\b(?:when(?:ever)?|first|alone|always|in (?-i:[A-Z])\w+|instead|as is|untouched|until|"
        r"unless|before)\b|\bonly (?:when|if|after|once|with|by|in case|during|between)\b|\b(?:and|"
        r"for) \w+ only[.!]?$|^(?:each|every) (?:[\w-]+ ){1,4}(?:needs|must|has|gets|requires|goes)\b|^(?!I |we |"
        r"it |this |that |you |he |she |they )[\w' -]{3,50} gets? (?!there|it|a |the |to |worse|better|stuck|lost|"
        r"slow|hot|cold|weird)\w+ed\b|, (?:and )?no (?:[\w-]+ ){1,4}(?:then|there|ever|after|before|during|in|on|"
        r"for|without|please)\b|, always[.!]?$|\bwhoever \w+ .{3,40}\b(?:fixes|pays|cleans|writes|owns|does|has|"
        r"must)\b|\bneeds? (?-i:[A-Z])\w+'s \w+|\b\w+ over \w+ for (?:any|every|all)\w*\b|\bis (?:not|"
        r"never) (?:okay|ok|acceptable|an option|fine|up for discussion|to be)\b|^if .{4,80}, (?:\w+ )?(?:it|them|"
        r"rather|instead|delete|drop|use|ask|stop|tell|skip|don't|never|always|revert|roll)\b|^(?!(?:one|once|try|"
        r"again|now|yes|no|ok|okay)\b).{12,}[,;]? please(?:, .{3,40})?[.!]?$"
        r"|^(?!I |we |it |this |that |you |he |she |they |there |the (?:test|build|page|file|server|script|"
        r"error)s? )[\w' -]{3,50}? (?:gets?|are|is|have to be|has to be) (?:always |never |only |to be )?(?:\w+ed|"
        r"written|sent|kept|done|made|read|shown|paid|held|put|spelt|given|taken|built|run|set|cut|out|through|"
        r"first|last)\b.{0,60}\b(?:before|after|until|unless|when|first|always|every|each)\b|^(?!I |"
        r"we )[\w' -]{3,40} (?:go|goes) (?:out|in|live|through|to) (?:on|at|every|only|by|in|before|after)\b",
    ),
    Cue("preference", 3.0, 8, r"\b(?i:call|address) me (?-i:[A-Z])\w+"),
    Cue(
        "rule",
        2.6,
        8,
        r"\bin (?:your|my|our|all) (?:answers?|replies|responses|messages|mails?|commits?|docs|code|reports?|"
        r"summar\w+|reviews?|comments?)\b|\bdefaults? to\b|\b(?:on|off|enabled|disabled) (?:by|per) default\b"
        r"|\byou(?:'ll)? need (?:my|an?|two|explicit|written|permission|approval)\b|\bmake it a habit\b"
        r"|^(?:please )?(?!show|list|find|print|fix|check|run|rerun|remove|rename|delete|give|open|read|try|see|look|"
        r"get|tell|restart|close|update|what|how|is|are|was|do|does|did|can|could|i|we|you|it|there|that|this|the|"
        r"my|our|they|he|she|in|at|on|of|for|with|so|all|after|when|love|like)[a-z]+ (?:every|each|all|any) \w+",
    ),
    Cue(
        "rule", 2.6, 8, r"^(?:if|when(?:ever)?|once|unless) [^,?]{4,120}, (?:please )?(?:let|have|get) (?-i:[A-Z])\w+ "
    ),
    # What was decided.
    Cue(
        "decision",
        3.0,
        8,
        r"\bdecid(?:ed|ing|es?) (?:to|on|against|that|not|it|we|I|for|in favou?r|upon)\b|\b(?:decision|decided|"
        r"agreed|resolution|verdict|conclusion|outcome|final (?:call|answer|decision|say|word|choice))\s?(?::|is|"
        r"was|=|–|—|-)|\b(?:have|has|had|'ve|'s|finally|just|already|was|been|jointly) (?:\w+ )?(?:decided|agreed|"
        r"settled)\b"
        r"|\bsettl(?:ed|e|ing) (?:on|for)\b|\bopt(?:ed|ing)? (?:for|to|out|against|in)\b|\bagreed (?:to|on|that|"
        r"with \w+ (?:to|that))\b|\b(?:made up (?:my|our) minds?|made the call|my mind is made up|it's (?:settled|"
        r"decided|official|final)|that's (?:settled|decided|final)|the (?:call|plan|choice|consensus|"
        r"decision) (?:is|was|stands))\b|\bdecision\b.{0,30}\b(?:to|is|was|made|stands|final)\b",
    ),
    Cue(
        "decision",
        2.9,
        8,
        r"\b(?:go|going|goes|went|gone|run|roll|stick|sticking|stay|staying) with (?!the flow|my (?:kids|family|"
        rf"friend)|a friend|friends|him|her|them|me\b)[\w\"'“]|\b(?:{ME}|(?-i:[A-Z])\w+) (?:\w+ )?(?:chose|picked|"
        r"selected|approved|rejected|vetoed|signed off|green-?lit|ruled out|ruled|dropped|scrapped|cancel+ed|"
        r"postponed|canned|shelved|ditched|abandoned|killed|confirmed)\b(?! (?:off|by|in|up)\b)|\b(?:ended up|"
        r"wound up) (?:with|choosing|picking|using|going)\b",
    ),
    Cue(
        "decision",
        2.8,
        8,
        r"\b(?:switch(?:ed|ing)?|migrat(?:e|ed|ing)|mov(?:e|ing)|chang(?:e|ed|ing)|convert(?:ed|ing)?|"
        r"transition(?:ed|ing)?) (?:\S+ ){0,6}(?:from|over to|away from|back to|off|onto)\b|\b(?:switch(?:ed|"
        r"ing)?|migrat(?:e|ed|ing)|standardi[sz](?:e|ed|ing)|upgrad(?:e|ed|ing)|mov(?:e|ed|"
        r"ing)) (?:\S+ ){0,3}(?:to|on) (?-i:[A-Z`\d])|\breplac(?:e|ed|ing|es) (?:\S+ ){1,6}(?:with|by)\b|"
        r"\bin favou?r of\b|\b(?:instead of|rather than) \w+|\b(?:we|I)(?:'re| are|'m| am) (?:not going to|"
        r"dropping|ditching|scrapping|killing|retiring|sunsetting|deprecating|cancell?ing|postponing|skipping|"
        r"adopting|hiring|keeping|cutting|standardi[sz]ing|replacing|freezing|picking|choosing)"
        r"|\b(?:no longer|not (?:using|doing|supporting|shipping|building) \w+ any ?more|won't be (?:using|doing|"
        r"supporting|shipping|building)|will (?:not |no longer )?(?:use|be using|adopt|support|ship|build|keep|"
        r"drop|stay|remain|replace|host|be (?:written|hosted|called|named|built|dropped|replaced|moved|"
        r"postponed))|shall use|we'll (?:use|do|keep|have|build|ship|drop|adopt|store|write|host|call|name|"
        r"start with|launch|support|take|put|leave|skip|postpone|split|stay|hold)|I'll (?:take|go for|use|adopt|"
        r"stick))\b",
    ),
    Cue(
        "decision",
        2.6,
        8,
        r"^(?:(?:ok(?:ay)?|right|alright|yes|yeah|fine|so|then|and|well|good|great|actually|"
        r"in that case)[,.!]? )*(?:let's|lets|let us) (?!make a (?:change|difference)|keep (?:improving|going|up|"
        r"it|in touch|at it|pushing|doing|working|spread)|enjoy|do (?:it|this|that)|all |both |be |not |never |"
        r"celebrate|hang|meet|plan |explore|spread|support|stand|make (?:it|the|some|this)\b(?! (?:\d|default))|"
        r"hear|support|see|look|check|go\b(?! (?:with|for))|try\b|start\b(?! with)|continue|talk|think|wait|get\b|"
        r"test|run|hope|find|say|review|debug|discuss|catch|chat|take a|figure|focus|walk|have a (?:look|chat)|"
        r"dive|begin|pick (?:this|it|that) up|be honest|face it)\w+"
        r"|\b[\w.-]+ it is\b(?: then)?[.!]?$|\b(?:postpone|push|move|shift|bring|delay|reschedul|bump|brought|"
        r"pull)(?:ed|ing|d)? (?:\S+ ){0,6}(?:to|until|till|by|forward|back|from)\b.*\b(?:" + WHEN[3:-1] + r")|"
        r"\b(?:wins|won) (?:over|out)\b|\bthe winner is\b|\b(?:approved|signed off on|greenlit|committed to|"
        r"bet on|vote[ds]? for)\b|(?-i:\b[A-Z]\w+)(?: and [A-Z]\w+)? (?:will|is going to|is to|are to) (?:own|"
        r"lead|handle|take|review|run|write|present|cover|manage|be responsible|be in charge|join|drive|prepare|"
        r"do|replace|approve|decide)\b|^(?:scrap|drop|ditch|forget about|skip|cancel|keep|rename|call it|make it|"
        r"name it) (?:the|that|our|it|all)?\b.*\b(?:for good|altogether|entirely|completely|as|instead|to|at|"
        r"from)\b",
    ),
    Cue(
        "decision",
        2.5,
        8,
        r"\b(?:verdict|ruling|bottom line|the upshot|plan of record)\b|\b(?:right|final|tough) call\b|\bsh(?:ook|"
        r"ake) hands on\b|\b(?:goes|go|going) ahead (?:in|with|as|on|without)\b|^(?:forget|scrap|drop|ditch|bye|"
        r"goodbye) (?:about )?(?-i:[A-Z])\w+|\b(?:is|are|will be) (?:enough|plenty|good enough|"
        r"out of the question|off the table|out of scope|not happening|dead|settled)\b|\b(?:we|I)(?:'ll|"
        r" will) be \w+ing\b|\bI(?:'m| am) (?:taking|accepting|turning down|joining|leaving|quitting|buying|"
        r"selling|keeping) (?:the|my|our|an?) \w+|\bany ?more\b|\b(?:is|are) (?:now )?(?:our|the) (?:new |"
        r"official |only |main )*(?:baseline|standard|default|minimum|choice|policy|primary|reference|way to go|"
        r"winner)\b|\b(?:we|I) (?:accept|decline|reject|refuse|approve|abandon|adopt|commit|rely on|bet on)\b|"
        r"\b(?:done|finished|through) (?:with (?-i:[A-Z])|discussing|debating|arguing)|\b(?:is|are) (?:in|out|"
        r"gone|staying)[.!]?$|\b(?:stays?|remains?) (?:as|the|in|on|green|blue|red|open|closed|private|public|"
        r"free|weekly|daily|monthly|where|put|off|unchanged)|\bput (?:it |this |that )?to a vote\b|"
        r"\bI'd say (?:ship|go|drop|keep|use|take|do|skip|cut|leave)\b|\bcan wait\b|\b(?:our|the|"
        r"my) answer .{2,40}is\b|^after (?:thinking|sleeping|talking|discussing|weighing|a lot of|some|much|"
        r"long)\b|\b(?:we|I) (?:stay|remain|keep|drop|skip|leave|take|want|choose|pick) (?:in|on|at|with|the|our|"
        r"my|it as)\b(?! (?:to|getting|having|seeing))|\b(?:went|going|go) for (?:the|an?|two|three) (?!run|walk|"
        r"ride|swim|hike|coffee|drink|bite)\w+|\bout of (?:scope|the race|the running)\b|\b(?:shut(?:s|ting)?|"
        r"sunset|phased?|rolled|wind|wound) (?:down|out|off|back)\b.*(?:" + WHEN[3:-1] + r")",
    ),
    Cue(
        "decision",
        2.6,
        8,
        r"\bafter all\b|\b(?:turned down|voted (?:for|against|to)|signed off|pulled the plug|gave the green light|"
        r"said (?:yes|no) to|backed out|struck a deal)\b|\b(?:sold|set|all in) on\b|\bthat(?:'s| is) "
        r"(?:agreed|decided|settled|final)\b|\b(?:we|I)(?:'re| are|'m| am) not (?!sure|going anywhere|getting|seeing|"
        r"feeling|following|understanding|working|talking|asking|saying|kidding|looking|trying|being|doing)\w+ing\b",
    ),
    Cue(
        "decision",
        2.4,
        7,
        r"^(?:the|our|all|every|each|(?-i:[A-Z])\w+)\b(?! (?:test|build|page|file|script|server|error))[\w' -]{2,40} "
        r"(?:will|shall) (?:be|stay|remain|have|get|cost|include|run|go|move|use) |\b(?:I|we)(?:'ve| have) (?:\w+ )?"
        r"(?:chosen|picked|ruled out|settled|approved|rejected|opted|committed|dropped|cancel+ed|booked|signed)\b",
    ),
    # When something must be done.
    Cue(
        "goal",
        3.0,
        8,
        r"\b(?:deadline|due(?: date)?|cut-?off|hard stop|expir\w+|no later than|at the latest|latest by|runs out|"
        rf"last day|drop-?dead)\b.*(?:{WHEN}|\d)|{WHEN}.*\b(?:deadline|is due|are due|due date|cut-?off|"
        rf"at the latest|hard stop|expires?)\b|\bdeadline\b.{{0,40}}\b(?:is|for|was|moved|to|got)\b",
    ),
    Cue(
        "goal",
        2.9,
        8,
        r"\b(?:by|before|until|till|no later than|not later than) (?:the )?(?:(?:early|late|mid|close of|start of|"
        rf"end of|beginning of|morning of|coming|next|this) )*(?:{WHEN}|monday|the (?:end|start|beginning) of)|"
        r"\b(?:ship|launch|release|deliver|submit|publish|go live|goes live|going live|freeze|freezes|hand in|"
        r"file|renew|pay|present|migrate|finish|complete|deploy|cut over|roll out|demo|kick off|opens?|closes?|"
        rf"ends?|starts?|begins?|moves?)(?:s|es|d|ed|ing)?\b.{{0,60}}\b(?:on|in|at|by|until|for|this|next|"
        rf"from) (?:the )?{WHEN}"
        r"|\b(?:launch|release|demo|freeze|go-?live|milestone|review|audit|exam|presentation|hand-?over|renewal|"
        r"submission|kick-?off|rollout|board meeting|trial|contract|lease|visa|certificate|licen[sc]e|"
        rf"subscription|domain)\b.{{0,50}}{WHEN}",
    ),
    # What a person likes and wants.
    Cue(
        "preference",
        3.0,
        7,
        r"\b(?:prefer(?:s|red|ring)?|preference|preferably|I'd (?:much |far )?rather|would (?:much |far )?rather|"
        r"rather not|favou?rites?|my go-to|first choice|of choice)\b",
    ),
    Cue(
        "preference",
        3.0,
        8,
        r"\b(?:can't stand|cannot stand|can't bear|hates?|hated|loathes?|detests?|despises?|allerg\w+|"
        r"intoleran\w+|vegan|vegetarian|celiac|coeliac|halal|kosher|drives? me (?:nuts|crazy|mad|up the wall|"
        r"insane)|pet peeve|deal-?breaker|gets? on my nerves)\b",
    ),
    Cue(
        "preference",
        2.7,
        7,
        r"\b(?:don't|do not|doesn't|does not|never) (?:really |particularly |actually )?(?:like|enjoy|want|"
        r"care for|eat|drink|love|appreciate|trust)\b|\bnot (?:a|an|much of an?|my)? ?(?:big |huge |"
        r"great )?(?:fan|friend|cup of tea|keen|into|fond)\b|\b(?:annoy|bother|irritat|distract|bug)(?:s|es|ed|"
        r"ing)? (?:me|by|us)\b|\b(?:don't|doesn't|do not|does not|won't) work (?:\w+ )?for (?:me|us)\b|"
        r"\bsick (?:and tired )?of\b|\btired of \w+ing\b|\bfed up\b|\bdislikes?\b",
    ),
    Cue(
        "preference",
        2.6,
        7,
        r"\b(?:I|we)(?:'d| would)? (?:really |also |always |only |much |very much |still )*(?:like|want|need|"
        r"expect|appreciate|love)(?: it)? (?:you|your|my|our|the|all|every|answers|replies|responses|reports|"
        r"summaries|commits|code|messages|things|to (?:have|see|get|keep|be|use|read|hear|receive)|when|if|short|"
        r"brief|plain|no)\b|\b(?:works?|suits?|fits?) (?:\w+ )?(?:best|better|well|fine) (?:for|with) (?:me|us)\b|"
        r"\b(?:easier|better|nicer|best|simpler|clearer|more comfortable|gentler|kinder|harder) (?:for|on) (?:me|"
        r"us|my)\b|\bthe way I (?:like|want|work|prefer)\b|\bmore of an?\b.*\b(?:person|guy|type|fan)\b|"
        r"\bI'm (?:not )?(?:an?|more|no|such an?) (?:\w+ ){0,3}(?:person|fan|lover|type|guy|girl|buff|nerd|owl|"
        r"bird)\b|\bsweet spot for me\b|\bI (?:work|read|think|sleep|code|learn|focus|concentrate) (?:best|"
        r"better)\b",
    ),
    Cue(
        "preference",
        2.5,
        7,
        r"\b(?:drain|exhaust|stress|scare|bore|tire|energi[sz]e|motivate|relax|calm|confuse|overwhelm|slow)(?:s|"
        r"es)? me\b|\bmakes? me (?!think|wonder|laugh|smile|feel|happy|sad)\w+|\bnothing beats\b|\b(?:worst|best|"
        r"ideal|perfect|hard|tough|painful|torture|hell|heaven) for me\b|\bI can(?:'t|not) (?:deal|work|live|cope|"
        r"concentrate|focus|sleep|do without|function|think) ?(?:with|without|in|when|if)?\b|^what (?:I|"
        r"we) (?:value|like|hate|want|need|love|care about|appreciate|dislike|enjoy)\b|\btastes? like\b|"
        r"\bI do my best\b|\bthat's how I (?:roll|like|work|want)\b|\bI (?:sleep|feel|work|focus|write|"
        r"function) (?:badly|poorly|well|worse|awful|terrible)\b|\bhappiest\b|\bway more than\b|\bI find (?!it\b|"
        r"that\b|out\b|myself|the (?:bug|file|problem|error|issue))\w+|\bI (?:need|want|expect) (?:an?|the|all|"
        r"every|each|no|two|my|more|fewer|less) .{3,80}\b(?:each|every|in|with|first|before|for|not|without|"
        r"instead)\b|\bget along\b|\bnot my (?:thing|style|cup|favou?rite)\b|\bis my (?:thing|colou?r|style|jam|"
        r"comfort|happy place|weakness)\b|\bnot so much[.!]?$|\b(?:I|we) (?:need|want|expect) [\w ]{3,40} (?:over|"
        r"rather than|before|instead of) \w+|\bI avoid\b|\bI steer clear\b|\bI swear by\b|\bI go for\b|"
        r"\bI insist\b|\bwithout fail\b",
    ),
    Cue(
        "preference",
        2.2,
        5,
        r"\b(?:I|we|he|she|they|my \w+|our \w+|(?-i:[A-Z])\w+) (?:(?:also|really|just|absolutely|always|usually|"
        r"especially|mostly|still|both|all|totally|do|quite) )*(?:loves?|likes?|enjoys?|adores?|enjoyed|"
        r"loved)\b(?! (?:that|this|it|your|how|them|the idea|the way|you|to (?:know|see|hear))\b)|\b(?:I'm|I am|"
        r"we're|he's|she's|is|are|been) (?:(?:really|so|also|very|quite|pretty|totally|super|big|always|"
        r"a) )*(?:into|keen on|obsessed with|passionate about|crazy about|fond of|partial to|addicted to|"
        r"interested in|afraid of|scared of|fans? of|big on|particular about|picky about)\b|\bmy (?:passion|hobby|"
        r"hobbies)\b",
    ),
    Cue(
        "preference",
        2.6,
        7,
        r"^my (?:ideal|perfect|preferred|usual|dream)\b|\b(?:is|are) (?:not|n't) (?:my|to my|our)\b|\brefuse to\b|"
        r"\bnever got used to\b|\b(?:my|our) taste\b|\bsomething (?:I|we) (?:love|hate|refuse|avoid|insist|value)\b",
    ),
    # What is aimed at.
    Cue(
        "goal",
        2.6,
        7,
        r"\b(?:goals?|objectives?|target|aim|ambition|okrs?|north star|resolution|mission|priority|"
        r"priorities) (?:for \w+(?: \w+){0,3} )?(?:is|are|was|remains|this|of|:)|\b(?:my|our|"
        r"the) (?:\w+ )?(?:goal|dream|aim|objective|ambition|target|priority)\b|\b(?:aim(?:ing)?|hop(?:e|ing)|"
        r"plan(?:ning)?|intend(?:ing)?|determined|working toward?s?|striving|on track|trying|training|"
        r"saving(?: up)?|studying|preparing) (?:to|for|on|towards?) (?!see|hear|figure|understand|know|look|"
        r"go\b(?! to)|get back|help|be there)\w+|\bI (?:really )?(?:want|need|have|would like|'d like|"
        r"'d love) to (?:be able to|learn|become|finish|build|write|run|lose|save|reach|publish|launch|ship|start|"
        r"quit|move|visit|pass|complete|improve|reduce|cut|get (?:better|the|our|my|under|below|above|to)|grow|"
        r"hit|double|buy|open|apply|submit|renew|hire|sell)\b|\b(?:I|we)'ve always wanted\b|\bdream(?:ed|ing|"
        r"t)? (?:of|about|is)\b",
    ),
    Cue(
        "goal",
        2.3,
        6,
        r"\b(?:I|we) want to (?!see|know|look|check|show|ask|say|thank|try|talk|hear|tell|go over|make sure|"
        r"understand|share|be clear)\w+|\b(?:is|are) all about\b|\bfluent\b|\b(?:we|I) (?:want|need|"
        r"have) to (?:be|have|get) .{3,60}\b(?:by|before|until|within|this|next)\b|\b(?:on|for) (?:my|"
        r"our) (?:bucket list|roadmap|to-?do list)\b|\b(?:promised|committed|pledged|vowed|agreed) to\b|\b(?:my|"
        r"our) (?:plan|idea|intention|hope) is\b",
    ),
    # What is done regularly.
    Cue(
        "habit",
        2.6,
        6,
        rf"(?:{EVERY})|\b(?:I|we|he|she|they|my \w+) (?:usually|always|often|mostly|typically|generally|normally|"
        r"regularly|tend to|almost always|rarely|hardly ever|never) [a-z]+|\b(?:usually|typically|normally) (?:I|"
        r"we)\b|\b(?:my|our) (?:\w+ )?(?:routine|ritual|habit)\b|\bfirst thing in the\b|\bin the habit of\b|"
        r"\bI start (?:my|the|work) ",
    ),
    Cue(
        "habit",
        2.5,
        6,
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:mornings|evenings|afternoons|weekends|summers|"
        r"winters)\b(?! (?:was|were))|\bI [a-z]+ .{0,60}\b(?:before|after|during|on (?:my|the) way to) (?:work|"
        r"breakfast|lunch|dinner|bed|school|class|each|every)\b",
    ),
    # Figures.
    Cue(
        "fact",
        2.7,
        7,
        r"\b(?:budget|limit|quota|cap|maximum|minimum|max|min|threshold|ceiling|at most|at least|no more than|"
        r"up to|not exceed|retention|rate|price|cost|fee|salary|rent|sla|capacity|timeout|target|coverage|size|"
        r"headcount|version|port|interval|ttl|window|balance|invoice|total|average|weight|height|age|seats?|"
        rf"discount|margin|revenue|runway|burn)\b.{{0,60}}{NUMBER}|{NUMBER}.{{0,40}}\b(?:budget|limit|quota|cap|"
        r"maximum|minimum|threshold|ceiling|retention|timeout|sla|port|version|seats|discount|margin|revenue|"
        r"runway|headcount)\b",
    ),
    Cue("fact", 2.2, 6, rf"\b{COPULA}\b.{{0,50}}{NUMBER}"),
    # How things stand.
    Cue(
        "fact",
        2.5,
        6,
        r"\b(?:called|named|name is|name's|known as|stands for|nicknamed|short for|code-?name[d]?|aka)\b|"
        r"\b(?:lives?|stored|hosted|located|kept|deployed|based|documented|configured|defined|runs?|running|saved|"
        r"backed up|mirrored|installed|tracked|built) (?:\w+ )?(?:in|on|at|under|behind|from|by|to|via|"
        r"with) (?!it\b|that\b|this\b|me\b|the (?:same|moment|way))[\w`'\"]|\b(?:in charge of|responsible for|"
        r"owns|owner of|maintains|takes over|took over|reports to|contact for|point of contact|handles|on call|"
        r"leads|manages|heads up|head of)\b|\b(?:birthday|anniversary|born (?:on|in)|time ?zone|phone number|"
        r"address|email|e-mail|serial|account number|room|floor|locker|plate) (?:\w+ )?(?:is|are|=|:)",
    ),
    Cue(
        "fact",
        2.3,
        6,
        r"\b(?:my|our|his|her|their|the (?:client|customer|team|company|project|repo|server|staging|production|"
        r"backend|frontend|app|api|database|vendor|landlord|office)(?:'s)?) (?:[\w-]+ ){0,4}?(?:is|are|has|have|"
        r"was|were|works?|lives?|uses?|runs?|speaks?|needs?|requires?|supports?|expects?|only|comes?|goes|"
        r"sits) (?!so (?:good|nice|bad|much)\b|great\b|nice\b|cool\b|good\b|fine\b|ok\b|okay\b|doing\b|happy\b|"
        r"excited\b|running\b|failing\b|broken\b|still\b|not working\b|slow\b|acting\b)|\bI(?:'m| am) (?:an? |"
        r"the )(?!bit\b|little\b|fan\b|lot\b|person\b|big\b)\w+|\bI(?:'m| am) (?:from|originally|based|married|"
        r"single|divorced|pregnant|engaged|\d+)\b|\b(?:I|we) (?:live|work|own|use|run|host|deploy|speak|teach|"
        r"study|have|employ|play|collect|build|develop|sell|store|keep|support|"
        r"rely on|depend on|serve) (?!\w+ed\b|to\b|"
        r"that\b|it\b|you\b|this\b|no idea\b|a (?:question|look|feeling|moment|minute|bit)\b|been\b|fun\b)\w+|"
        r"\b(?:requires?|depends? on|supports? only|only (?:supports?|works?|accepts?|runs?)|is compatible|"
        r"is incompatible)\b|\bI've got\b",
    ),
    Cue(
        "fact",
        2.2,
        6,
        r"^(?:the|our|my|his|her|their|all|(?-i:[A-Z])[\w-]+)\b[\w'’ -]{2,50}? (?:is|are|sits?|lies?|stands?|"
        r"lives?|hangs?|goes) (?:\w+ )?(?:under|behind|inside|above|below|between|near|next to|across|in the|"
        r"on the|at the|in (?-i:[A-Z])|on (?-i:[A-Z])|at (?-i:[A-Z]))\b|"
        r"(?-i:^[A-Z][a-z]+(?: [A-Z][a-z]+)?) (?:runs|leads|owns|manages|handles|teaches|works|lives|studies|"
        r"speaks|plays|reports|signs|approves|pays|takes care|looks after|keeps|does the|knows|collects|wants|"
        r"needs|expects)\b|\b(?:came from|comes from|was due to|is due to|happened because|because of)\b|"
        r"\bmy \w+(?: \w+)? (?:is|are|was|has|have) ",
    ),
    Cue(
        "event",
        2.1,
        5,
        rf"\b(?:on|by|until|before|from|since|after|at|for) (?:the )?(?:{WHEN[3:-1]})|^(?:\w+ ){{1,6}}(?:in|on|"
        rf"by) (?:{MONTH}|{DAY})\b",
    ),
    Cue(
        "fact", 2.3, 6, r"(?-i:\b[A-Z]\w+(?: [A-Z]\w+)?) (?:is|are|was) (?:our|my|his|her|their|an?) (?!bit\b|lot\b)\w+"
    ),
    # What went wrong, why, and what helped.
    Cue(
        "fact",
        2.6,
        6,
        r"\b(?:root cause|culprit|turn(?:s|ed) out|traced (?:it )?(?:back )?to|lesson|learn(?:ed|t) (?:that|"
        r"the hard way)|gotcha|caveat|workaround|the (?:fix|trick|reason|problem|issue|catch) (?:is|was))\b|"
        r"\b(?:fixed|solved|resolved|caused|went away) (?:\w+ )?(?:by|when|after|with|once)\b",
    ),
    # What happened, and what will.
    Cue(
        "event",
        2.2,
        5,
        r"\b(?:I|we|she|he|they|my \w+|our \w+|the \w+|(?-i:[A-Z])\w+)(?: (?:also|just|finally|recently|actually|"
        r"already|both|once|first|officially|have|has|'ve))*(?:'ve| have| has)? (?:got (?!it\b|you\b|that\b|to\b|"
        r"this\b)|went (?:to|on|down|live|through|camping|hiking)|joined|started|began|bought|adopted|met|lost|"
        r"won|passed|failed|finished|completed|graduated|launched|opened|signed|attended|visited|hired|fired|"
        r"resigned|retired|quit|moved|received|applied|accepted|published|released|shipped|deployed|merged|"
        r"announced|raised|hosted|organi[sz]ed|volunteered|married|died|sold|booked|broke|crashed|celebrated|"
        r"enrolled|submitted|presented|performed|painted|wrote|built|promoted|cancel+ed|was (?:born|promoted|"
        r"hired|diagnosed|laid off|rejected|accepted|down|hacked|charged)|were (?:acquired|down|hit))\b",
    ),
    Cue(
        "event",
        2.3,
        5,
        r"\b(?:meeting|appointment|call|flight|trip|interview|wedding|birthday|party|dinner|lunch|conference|"
        r"workshop|concert|exam|surgery|visit|vacation|holiday|leave|offsite|retro|stand-?up|1:1|check-?up|"
        rf"training|webinar|move|delivery|maintenance|outage|downtime|incident)\b.{{0,60}}{WHEN}|"
        rf"{WHEN}.{{0,60}}\b(?:meeting|appointment|flight|trip|interview|wedding|party|conference|workshop|exam|"
        r"surgery|vacation|holiday|offsite|maintenance|outage|downtime|incident)\b|\b(?:I|we|he|she|they|"
        r"(?-i:[A-Z])\w+)(?:'m|'re|'s| am| are| is|'ll| will)(?: be)? (?:away|out(?: of (?:the )?(?:office|"
        r"town))?|off|on (?:leave|vacation|holiday|pto|sick leave|parental leave)|in (?-i:[A-Z])\w+|travel+ing|"
        r"flying|visiting|moving|leaving|arriving|joining|starting|getting married|expecting)\b",
    ),
    Cue(
        "context",
        2.1,
        4,
        r"\b(?:I'm|we're|I am|we are|he's|she's|they're|currently|been) (?:\w+ )?(?:working on|building|writing|"
        r"learning|reading|developing|researching|redesigning|refactoring|rewriting|preparing|organi[sz]ing|"
        r"considering|planning|blocked (?:by|on|until)|waiting (?:for|on) (?!you|me|it|the (?:build|test|ci)))\b",
    ),
)
