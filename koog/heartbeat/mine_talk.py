"""The words by which the built-in miner tells talk and log remarks from content.  [sinain §4.5]

Data only: `mine_weight` takes off for it, `mine_context` looks for what a sentence leans on.
"""

from __future__ import annotations

import re

from koog.core.text.measures import stems
from koog.heartbeat.mine_cues import any_of

# Where talk is about the listener, the photo or the moment, nothing lasting is said.
TALK_START = any_of(
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
    r"(?:you|your|you're|you've|you'll)\b|(?:this|that|these|those) (?:\w+ )?(?:pics?|photos?|pictures?)\b",
    r"(?:I agree|I totally|I completely|I'm (?:here for you|with you|so proud|proud of you|"
    r"glad (?:you|to hear|that you|it|we|I could)|happy (?:for you|to (?:help|hear))|so happy for|"
    r"sure (?:you|it|they)|really (?:glad|proud|happy for))|I (?:know you|bet|hear you|understand|"
    r"appreciate|believe in you|hope you|hope it|wish you|can (?:imagine|see|tell|relate)|"
    r"couldn't agree|love (?:that|your|how|the way|it|this|them)|like (?:that|your|how|the way|it)|"
    r"think (?:you|that's|it's)|feel you|see what))\b",
    r"(?:I'll (?:let you|keep you|keep that|definitely (?:let|keep|check|look)|think about|be (?:here|"
    r"there|sure)|check it|do my best|try it))\b",
)
TALK = any_of(
    r"\byou guys\b|\bhere's (?:an?|one|the|my|our|some)\b|\bcheck (?:it |this |them )?out\b|"
    r"\btake a look\b|\bmy (?:tip|advice|suggestion)\b|\b(?:just|always) remember\b|\bbe sure to\b|"
    r"\b(?:this|that) (?:\w+ )?(?:pic|photo|picture)\b|\bI have a (?:pic|photo|picture)\b|"
    r"\bwanted to (?:tell|let|share|ask|check)\b|\bkey to\b|\b(?:is|are) (?:so |really |super )?(?:key|crucial|"
    r"vital|essential|important)\b|\bwe (?:should|must|"
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
HYPOTHETICAL = re.compile(
    r"\b(?:maybe|might|perhaps|someday|would be|could be|if only|not sure|I guess|I wonder|wondering)\b", re.I
)

# What is said of the moment, not of a life: that people talked, an announcement whose content stays out, sentiment.
VAGUE = any_of(
    r"\b(?:I|we|us) (?:\w+ )?(?:talked|chatted|spoke|discussed|realized|reflected|reminisced|thought|bonded)\b",
    r"\b(?:an?|some) (?:(?:not|so|very|really|pretty|quite|such|cool|new)[ -]){0,3}(?:unexpected|bad|crazy|wild|weird|"
    r"great|good|amazing|special|interesting|incredible|tough|cool|wicked|fun|inspiring|recent) (?:incident|experience|"
    r"spot|things?|day|time|moment|memory|stor(?:y|ies)|stuff|conversation|insight)s?\b",
    r"\bsome(?: \w+){0,2} (?:stuff|things?|people|folks)\b|\bsome(?:one|body) (?:who|that)\b",
    r"\b(?:a good|the|this) cause\b|\bspecial place\b|\bone special\b|\b(?:place in|close to) (?:my|our) hearts?\b",
    r"\b(?:got the idea|mix of things|lots of help|came across|stumbled (?:up)?on|better understanding|"
    r"made me realize)\b",
    r"\b(?:appreciate|embrace) the (?:little|simple)\b",
    r"\b(?:emotional|wild|crazy) ride\b|\b(?:show|showed) (?:my|our) appreciation\b|\bone idea I had\b",
)
# Once done, an outing is soon forgotten; as a habit or a favourite it counts.
OUTING = any_of(
    r"\b(?:park|caf[eé]|coffee|restaurant|beach|movies?|stroll|picnic|lunch|dinner|brunch|drinks|shopping|mall|bar|"
    r"pub|ice cream|game night|barbecue|bbq|hang(?:ing)? out|chill(?:ing)?|quiet (?:day|evening|weekend)|day out|"
    r"(?:easy|long|short|quick) (?:run|walk|ride))\b"
)
INTENTION = any_of(
    r"\b(?:gonna|going to|planning|thinking (?:of|about)|considering|hoping to|looking (?:into|for)|excited to)\b"
)

# What a note's writer did about the log, or ticked off, when nothing was found by it.
CONDUCT = any_of(
    r"^(?:said|told|asked|answered|replied|mentioned|noted|filed|marked|looked|thanked|apologi[sz]ed|talked|spoke|"
    r"waited|reminded)\b|^same (?:\w+ ){1,3}as\b|\b(?:nothing|no \w+) from (?:me|us)\b",
    r"\bI (?:said|told|asked|answered|looked|waited|noted|held back|took notes)\b|\bso I looked\b",
    r"\b(?:decision (?:postponed|pending|deferred|open)|asked why|shrugged|wrote to|thanked|prais(?:e|es|ed)|"
    r"noted (?:as|here|only))\b",
)
FOUND = any_of(r":\s|\b(?:because|since|so that|turn(?:s|ed) out|caused?|lessons?|found)\b")
OUTCOME = any_of(r"\b(?:green|red|fine|okay?|success\w*|done|pass(?:ed|es)|merged|in place)\b")
CAUSE = any_of(r"\b(?:because|since|so|by \w+ing|caused?|found|whenever|each time)\b")
ONE_OCCASION = any_of(
    r"\bat \d{1,2}:\d\d\b|^by hand\b|\b(?:today|tonight|last night|the same day)\b|"
    r"\b(?:first|second|third|fourth|fifth) (?:night|day|time|run)\b"
)
REGULAR = any_of(r"\b(?:every|each|always|never|starts|runs|must|should|wants|prefers|because|since|so that)\b")
RECURRENCE = any_of(
    r"(?<!green )(?<!fine )(?<!works )\bagain\b|\b(?:once more|as before|in a row)\b|"
    r"\bsame (?:\w+ )?(?:as|text|assertion)\b",
    r"\b(?:second|third|fourth|fifth|another) (?:time|night|day|friday|monday)\b",
)
EXPLAINED = re.compile(
    r"\b(?:by \w+ing|by (?:an?|the)|with|using|through|via|after|because|since|so that|causes?)\b|[:`=→]",
    re.IGNORECASE,
)
# A quotation of nobody in particular, or of a page: whatever it wants, the user does not.
STRANGER = re.compile(
    r"(?:an?|some\w*|one|another|every\w*|(?:the|this|that) (?:answer|comment|page|post|read ?me|docs?|article|site|"
    r"thread|banner|error|message|forum|e?mail|bot|tool|output|file|issue))\b[^\"“]{0,100}"
    r"\b(?:reads?|said|says|wrote|writes|states?|stated|claims?|claimed|goes|posted|told)\b[^\"“]{0,20}[\"“]",
    re.IGNORECASE,
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

INTERJECTIONS = (
    r"oh|ah|aw+|wow|woah|whoa|yeah|yep|yup|yes|hey|hi|hello|well|so|anyways?|btw|by the way|ok|okay|sure|haha|"
    r"actually|totally|absolutely|definitely|for sure|congrats|thanks|awesome|cool|nice|great|speaking of|and|but|"
    r"also|guess what|oh my gosh|on another note|in the meantime|since (?:we|the) last \w+|since we \w+ last|"
    r"(?:so much|a lot|lots)(?:'s| has| have)? (?:happened |been going on )?since we (?:last )?\w+"
)
