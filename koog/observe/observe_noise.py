"""The words that take away from a sentence, for the built-in observer.  [seed openclaw-memory]

Data only: `observe_rules` adds it up. EMPTY is a sentence of thanks and greetings alone, no
content at all; CREDENTIAL is never kept, whoever found it; the others only weigh.
"""

from __future__ import annotations

EMPTY = (
    r"^(?:(?:oh|ah|aw+|wow|hey|hi|hello|yo|good (?:morning|evening|afternoon|night)|morning|evening|bye|goodbye|"
    r"see (?:you|ya)|cya|later|cheers|thanks?|thank you|thx|ty|"
    r"great|nice|cool|awesome|perfect|amazing|excellent|wonderful|lovely|sweet|super|brilliant|beautiful|"
    r"fantastic|sure|ok|okay|k|kk|yes|yeah|yep|yup|no|nope|nah|right|alright|"
    r"got it|gotcha|understood|noted|done|exactly|absolutely|definitely|totally|agreed|indeed|true|correct|"
    r"fair enough|makes sense|sounds? (?:good|great|fine|like a plan)|will do|on it|"
    r"lol|haha+|hehe|hm+|uh+|um+|brb|afk|np|no (?:worries|problem|rush|idea)|of course|my bad|sorry|oops|whatever|"
    r"anyway|please|congrats|congratulations|well done|good (?:job|work|luck|one|point|idea|call)|"
    r"how are you|what's up|you too|same here|me too|(?:just )?before (?:i forget|we (?:start|continue|go on))|"
    r"one (?:more|last|other) thing|another thing|by the way|btw|quick (?:note|update|question)|never mind|nvm|"
    r"one (?:sec|moment|second)|hang on|hold on|"
    r"take care|have (?:a|fun)|there|all|so much|again|man|mate|buddy|everyone|team|folks|friend|very much|a lot|"
    r"a (?:ton|million|bunch)|for (?:that|this|the help|your help|everything|now|today)|then|that|it|guys|dear|"
    r"already|too|today)\b[\s,.!~–—-]*)+$"
)
BRACKETED = r"\[\w+:[^\]]*\]?"  # [tool: …] is a command to a program, not a word to anybody
TALK = (
    r"^(?:thanks|thank you|thx|congrat\w*|cheers|welcome|sorry|bravo|kudos|hats off|happy (?:to|for)|glad|"
    r"so (?:glad|happy|proud|excited|cool)|hope (?:you|your|it|that)|enjoy|have (?:a|fun)|take care|talk (?:to|"
    r"soon|later)|see (?:you|ya)|catch (?:you|up)|long time|good to (?:see|hear)|nice to|great to|how (?:cool|"
    r"sweet|great|nice|about|are|is|was)|what an?\b|can't wait)\b"
    r"|^(?:that|this|it|those|these|they|everything|which)(?:'s|’s| is|'re| are| was| were| must| sounds?| looks?|"
    r" seems?| feels?| really| makes| helps?| worked| works)(?: \w+){0,3} (?:good|great|nice|cool|awesome|amazing|"
    r"fine|perfect|better|sense|fun|sweet|lovely|right|wrong|weird|odd|strange|true|bad|sad|hard|tough|inspiring|"
    r"important|ok|okay|funny|interesting|exciting|impressive|wonderful|beautiful|beautifully|well|now|nicely|"
    r"helpful|handy|clear|clever|neat|ugly|annoying|slow|fast|quick|tricky|confusing|wild|crazy)\b"
    r"|^(?:I (?:agree|see|get it|understand|hear you|bet|guess|totally|know what|know,|wonder|mean)|you(?:'re|'ve|"
    r"'ll|r)? |looks? (?:good|great|fine|like)|seems? (?:good|fine|ok|like)|sounds? |works (?:now|for me now|fine|"
    r"great|like a charm)|no (?:worries|problem|rush|hurry|idea|clue|luck)|never mind|nothing (?:much|new|special|"
    r"to (?:add|report|see)|else|yet))\b"
    r"|\b(?:proud of you|happy for you|let me know|i appreciate (?:it|you|that|your)|means (?:a lot|so much)|"
    r"keep (?:it up|going)|fingers crossed|good luck|you're the best|no pressure|take your time|good question|"
    r"nice work|well done)\b"
)
MOMENT = (
    r"\b(?:brb|afk|be right back|back in (?:a|five|ten|\d+)|one (?:sec|moment|second|minute)|hang on|hold on|"
    r"give me a (?:sec|second|minute|moment)|just a (?:sec|second|minute|moment)|coffee|tea break|lunch break|"
    r"from lunch|grabbing|some tea|snack|the weather|it's (?:so |really |very )?(?:raining|rainy|snowing|sunny|"
    r"hot|cold|chilly|humid|freezing|late|early)|raining again|traffic|noisy|drilling|connection is|on the train|"
    r"on my phone|my laptop|my machine|stack trace|line \d+|semicolon|printed|prints|half asleep|staring|"
    r"thinking out loud|must have (?:deleted|missed|broken|forgotten|typed|hit|clicked|changed|closed)|"
    r"another look|(?:for|in) this (?:folder|file|repo|function|directory|branch)|\d+ (?:files?|matches|tests|"
    r"results|errors|warnings|classes|functions) (?:in|pass|fail|found)|took \d+ s\w* to (?:build|run|load)|"
    r"mixing up|from the top|was right about|were right about|crashed again|broke again|failed again|went cold|"
    r"ran it|tried it|again and again|neighbou?rs?' dog|sleepy|yawn|tired|hungry|headache|long day|rough day|"
    r"busy day|slept|weekend was|monday mornings?|mondays, (?:am|right)|the cat (?:is|just|walked)|my cat (?:is|"
    r"just|walked)|the dog (?:is|just)"
    r"|right now|at the moment|for a moment|for now|a second ago|a minute ago|just now|let me (?:see|check|look|"
    r"think|try|know|read|find|grab|pull|run|take)|looking (?:at|into) (?:it|this|that)|reading (?:it|this|that|"
    r"through)|trying (?:it|this|that)|checking|still (?:loading|waiting|running|building|compiling|installing|"
    r"looking|reading|thinking)|where was i|where were we|typo|scroll\w*|copy-?past\w*|the (?:tests?|build|"
    r"pipeline|ci|page|screen|terminal) (?:is|are|just|still) |same (?:error|thing|result|problem|"
    r"issue)(?: again)?$|another (?:error|one)$|(?:it|that|this|still|just) (?:didn't|doesn't|isn't|"
    r"not) work(?:ing)?|it (?:works|worked|broke|failed|crashed|hangs)\b|anyway|funny (?:how|that|thing|story))\b"
)
REQUEST = (
    r"^(?:(?:now|then|ok(?:ay)?|and|next|first|also|so|please|just|quickly|hey|great|good|perfect|alright|maybe|"
    r"kindly)[,:]? )*"
    r"(?:(?:can|could|would|will) (?:you|we|u|somebody)|run|rerun|re-run|fix|check|show|open|look|try|retry|"
    r"explain|print|list|find|grep|search|paste|undo|redo|revert|read|give|tell|help|remind|summari[sz]e|compare|"
    r"describe|generate|draft|translate|debug|inspect|review|refactor|clean|format|compile|build|install|restart|"
    r"start|continue|go (?:on|ahead|back)|proceed|wait|pull|push|fetch|download|upload|delete|remove|rename|add|"
    r"insert|update|change|create|make (?:a|an|the|it|this|that|me)\b|write (?:a|an|the|me|it|some|down)\b|send|"
    r"copy|move (?:it|this|that|the)|click|scroll|have a look|take (?:a|another) look|do (?:it|that|this|the)|"
    r"see (?:if|whether|what|how|the)|double-?check|rephrase|shorten|sort|implement|test|log in|count|plot|"
    r"convert|extract|split|merge|bump|commit|deploy|post|let's (?:see|look|check|try|run|test|start|continue|"
    r"debug|get))\b"
)
OFFER = (  # what an agent says of its own next step
    r"^(?:(?:now|ok(?:ay)?|so|then|first|next|great|good|perfect|sure|done|alright|got it|understood|"
    r"noted)[,.!:]? )*(?:I(?:'ll| will|'m going to| can| could|'ve (?:now |just )?(?:noted|updated|added|saved|"
    r"recorded|read|checked|looked)|'d be| am going to| have (?:noted|updated|added|read))|let me|shall I|"
    r"should I|would you|do you|want me|here(?:'s| is| are)|you(?:'re|'ve| can| could| may| might| should| will)|"
    r"happy to|glad|feel free|note that|looking|running|checking|reading|opening|the file|this (?:file|function|"
    r"code|test|change|command|will|means|is|should)|to (?:do|fix|run|use)|if you)\b"
)
SENTIMENT = (  # how somebody feels about the moment, or about the listener: nothing that is looked up later
    r"\b(?:heart|joy|grateful|gratitude|thankful|inspir\w+|amazing|awesome|incredible|wonderful|beautiful|magical|"
    r"infectious|heartwarming|meaningful|special to me|means? (?:a lot|so much|the world)|memories|peace(?:ful)?|"
    r"stay positive|courage|resilien\w+|journey|blessed|supportive|encourag\w+|uplift\w+|difference|worth it|"
    r"strength|hope(?:ful)?|proud|excited|love to hear|feels? (?:so|good|great|like)|life is|life's|embrac\w+|"
    r"passion(?:ate)?|soothing|refresh\w*|rewarding|had (?:a blast|so much fun|fun)|tough|priceless|cherish\w*|"
    r"reminds? me|appreciate|such a|so (?:much|many|happy|glad|cool|fun|nice|good)|happiness|smiles?|motivated|"
    r"kindness|brighten\w*|keep (?:pushing|going)|great work|here's (?:a|an|the|my|another|one)|pics?|photos?|"
    r"helping others|obstacles|each other|have (?:my|our) back|love and|no matter what life|grow(?:ing|th)? as)\b|"
    r"!$"
)
WORKPIECE = (  # what lies on the table at this moment
    r"\b(?:the|this|that|these|those|an?) (?:\w+ )?(?:files?|tabs?|pages?|buttons?|windows?|outputs?|errors?|"
    r"logs?|console|diffs?|snippets?|lines?|functions?|variables?|methods?|class(?:es)?|tests?|(?:test )?suite|"
    r"scripts?|commands?|branch|commit|bracket|spinner|paragraph|screen|loop|codebase|options?)\b|\b(?:my|"
    r"the) (?:internet|wifi|connection|laptop|computer|screen|headset|battery|keyboard|mouse|headphones?|"
    r"lunch|tea) (?:is|was|are|"
    r"went|keeps?|got)\b|\bwithout errors\b|\b(?:few|couple of|\d+) seconds?\b"
)
HEDGE = (
    r"\b(?:maybe|might|perhaps|someday|if only|not sure|I guess|I wonder|wondering|probably|could be|would be|"
    r"what if|hypothetically|in theory|suppose|imagine|say,|could we|undecided|haven't decided|no decision|"
    r"thinking about whether|on the fence|let me think|either .* or)\b"
)
STRONG = (
    r"\b(?:really|strongly|absolutely|seriously|definitely|by far|always|never|ever|strictly|hard|must|important|"
    r"critical|crucial|vital|please|only|every)\b"
)
CREDENTIAL = (
    r"\[redacted:|\b(?:password|passphrase|passcode|passwd|pin(?: code| number)?|secret(?: key)?|api[ -]?key|"
    r"access key|auth token|bearer|credentials?|cvv|security code|recovery codes?)\b"
    r"\s*(?:for (?:\S+ ){1,4})?(?:is|are|=|:|was)\s*(?!in\b|at\b|the\b|a\b|an\b|stored|kept|rotated|set\b|managed|"
    r"required|needed|expired|wrong|not\b|now\b|too\b|never|always|under|with|on\b|to\b|only|by\b|still|shared|"
    r"handled|loaded|read\b|encrypted|due|missing|valid|invalid|different|known|changed|reset|your|my|our)\S+"
)
FIRST = r"\b(?:I|I'm|I've|I'd|I'll|my|me|mine|myself|we|we're|we've|we'll|we'd|our|us|you|your)\b"
LEANS = (
    r"^(?:(?:it|that|this|these|those|they|he|she|them|both|neither|same|so|which|option|number|then|because)\b"
    r"|the (?:first|second|third|last|latter|former|other) (?:one|option)?|(?:yes|no|ok|okay)[,.!])"
)
LEAD = (
    r"^(?:(?:oh|ah|well|so|and|but|also|ok|okay|right|alright|yeah|yes|yep|hey|hi|hello|btw|fyi|by the way|"
    r"one more thing|one thing|another thing|before i forget|before we (?:start|continue|go on)|speaking of which|"
    r"on another note|quick note|side note|"
    r"just so you know|for the record|for your information|heads[- ]up|unrelated(?: note)?|random|anyway|anyways|"
    r"actually|honestly|basically|look|listen|small thing|remind me|note to self|ps|p\.s\.|thanks|perfect|great|"
    r"cool|nice|sure|hmm+|oh and|you know what|good news|bad news|update)\b[\s,:.!…–—-]+)+"
)
QUESTION = (
    r"^(?:what|where|when|why|who|how|which|whose|is|are|was|were|do|does|did|can|could|would|should|shall|will|"
    r"has|have|had|any|isn't|aren't|doesn't|don't you|didn't)\b"
)
CHOICE = (  # what somebody asks whose question is settled by the answer
    r"\b(?:\w+ or \w+|which|prefer|(?:should|shall) (?:we|I|it|they)|do you (?:want|like)|would you (?:like|rather)"
    r"|what (?:\w+ ){0,3}(?:should|shall|do you|would you)|how (?:many|often|long|much) (?:should|do|shall|can|may|is)"
    r"|(?:when|where|who|whose) (?:should|shall|is the|do you|do we|will|can|owns)"
    r"|always|default|from now on|deadline|every)\b"
)
TO_YOU = (
    r"\b(?:you|your|you're|you've|ya|this|that|it|these|those)\b|^(?:just|still|back|almost|nope|hopefully|typing|"
    r"reading|looking|next|same|another|why|how|what|sorry|ugh|okay|well)\b|^I(?:'m| am|'ve| have|'ll| will| just|"
    r" think| guess| keep| ran| did| tried| thought| got| see)\b"
)
BARE = r"^(?:yes|no|yeah|yep|nope|sure|ok(?:ay)?|both|neither|always|never)[.!,]?$"
LASTING = (  # a plain yes to such a question holds for longer than the next step
    r"\b(?:always|default|from now on|deadline|every|prefer|permanent\w*|standard|policy|rule)\b"
)
