"""The words that the built-in signal engine listens for: failures, repairs, loops, steps, topics.  [sinain §4.3]

Data only, and plain strings: `re.search` compiles a pattern at its first use and keeps it, so
importing this costs nothing where the engine is not asked.
"""

from __future__ import annotations

from koog.core.text.says import NUMBERS

# --- clauses and failures ---

CLAUSE_END = (  # within a sentence
    r"(?<=;)\s+|,?\s+(?:but|however|although|whereas)\s+|,\s+(?:and\s+)?(?:then|now)\s+(?!at \d|again\b|just now)"
    r"|\s+[—–]\s+"
)
NAME = (
    r"\b(?:\w+\.)*(?P<exception>[A-Z]\w*(?:Error|Exception|Fault))\b"
    r"|\b(?P<errno>E(?:ACCES|ADDRINUSE|AGAIN|AI_AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|HOSTUNREACH|"
    r"INTEGRITY|INTR|INVAL|IO|ISDIR|LIFECYCLE|MFILE|NETUNREACH|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|"
    r"RESOLVE|ROFS|TIMEDOUT|TIMEOUT|XDEV))\b|\b(?P<signal>SIG(?:SEGV|KILL|ABRT|BUS|ILL)|OOM|TS\d{4}|E0\d{3})\b"
    r"|\b(?P<exit>(?i:exit)(?:ed)?(?: with)?(?:[ -](?i:code)| status)? [1-9]\d{0,2})\b"
    r"|\b(?:(?:HTTP|status|error|returns?|returned|got)(?: code| an?)? (?=5)|"
    r"(?=5\d\d (?:error|response|Bad|Internal|Service|Gateway)))(?P<http>5[012]\d)\b(?! [a-z]+s\b)"  # not "500 rows"
)
FAILURE = (
    r"(?i)\b(?:fail(?:s|ed|ing|ures?)?|error(?:s|ed)?|exceptions?|crash(?:es|ed|ing)?|panic(?:s|ked)?|segfault(?:s"
    r"|ed)?|"
    r"timed out|times out|timeouts?|broken?|broke down|jam(?:s|med)|leak(?:s|ed|ing)|bounced|hangs"
    r"|(?<!she )(?<!he )hung|"
    r"deadlock(?:s|ed)?|out of memory|oomkilled|(?:permission|access) denied|not working|segmentation fault|"
    r"(?:does|do|did)(?:n['’]t| not) (?:work|start|build|load)|won['’]t (?:start|build|boot|open|load|connect)|"
    r"disconnect(?:s|ed)|fr(?:oze|eezes|ozen)|went down|goes down|corrupt(?:ed)?|unresponsive|stopped (?:working"
    r"|responding)|"
    r"dropp?(?:s|ed) (?:out|the connection|off)|connection (?:lost|dropped|refused|reset|closed)|"
    r"(?:gave|gives|got|returned|returns|with|answered|responded|an?) (?:a |an |HTTP )?(?:40[0139]|429"
    r"|50[0234])(?! [a-z]+s\b)|"
    r"50[0234](?= (?:on|from|at|in|again)\b)|refuses to|(?:payment|card|login|upload) (?:was |got )?"
    r"(?:declined|rejected|refused)|(?:died|dies|ended|stopped|stops) with|"
    r"(?:builds?|runs?|suite|tests?|e2e|pipeline|ci)(?: (?:is|was|are|were|went|still))* red"
    r"|red (?:builds?|runs?|tests?)"
    r"|[5]\d\d (?:bad gateway|gateway time-?out|service unavailable|internal server error)"
    r"|fehler(?:meldung|n)?|fehlgeschlagen|schl(?:ug|ägt|agen) fehl|abgestürzt|stürzt ab|abgebrochen|bricht ab|hängt"
    r"|erreurs?|échou\w+|échecs?|plant(?:e|é|ée|ait)|(?:est|a) tombée?s?|en panne"
    r"|error(?:es)|fall(?:o|os|a|ó|an|aron|ado)|se (?:cae|cayó|cuelga|colgó))\b"
    r"|失败|失敗|错误|錯誤|报错|崩溃|超时|异常|エラー|落ち(?:た|まし|る)|クラッシュ|タイムアウト|例外"
)
# Of what comes back these are failures, too: once, each of them may be anything.
SOFT = (
    r"(?i)\b(?:lost|los(?:es|ing)|vanish\w*|disappear\w*|duplicat\w+|twice the|stall(?:s|ed)|kicked out"
    r"|logged (?:me |him |her |us )?out|reject(?:s|ed)|drops?|dropped"
    r"|reboot(?:s|ed)|restarts? (?:itself|by itself)|unreachable|blank|cut off|killed|dead|died|missing|wrong"
    r"|refused|declined|expired|exceeded|exhausted|denied"
    r"|full|slow\w*|overload\w*|bricht|bleibt (?:hängen|stehen)|verschw\w+|weg|tot|leer|se pierde|desaparec\w+"
    r"|se corta|perdu\w*|dispara\w+|coup(?:e|é|ée))\b"
    r"|\b(?:did|does|do|was|were|could|can|is|are)(?: not|n['’]t) (?!only|yet|even|just|a |an |the |matter|mean|need"
    r"|want|know|have|say|see"
    r"|look|think|try|tried|touch|change|decide|been)\w+|\bcannot \w+|\bunable to\b|\bnever (?:finish|arriv|end|return"
    r"|came|start|reach)\w*"
    r"|\bstop(?:s|ped)? \w+ing\b|\bpil(?:e|es|ed) up\b|\bjump(?:s|ed)\b|\bspik(?:e|es|ed)\b|\bstale\b|\bempty\b"
    r"|\bgarbled\b|\bblack\b"
    r"|\brestart(?:s|ed) (?:at|by itself|itself|too|on its own)\b|\bperd(?:ió|ieron|e|en|ía)\b|\bno (?:llega|llegan"
    r"|llegó|responde|arranca|carga)\w*"
    r"|\bse (?:detuvo|apagó|quedó)\b|\bn['’](?:arriv|est pas parti|a pas répond|ont pas)\w*|\bne (?:répond"
    r"|sont pas parti|démarre|charge)\w*"
    r"|\b(?:noir|vide|muet)(?:e?s?)\b|\bausgefallen\b|\bausfall\b|\b(?:kommt|kommen|kamen|läuft|lief|antwortet"
    r"|startet) nicht\b|\bschwarz\b"
    r"|\bskipped\b|\bverlier\w*\b|\bno (?:sale|abre|funciona|carga|entra)\w*|\bne (?:sort|passe|marche"
    r"|s['’]ouvre)\w* pas"
    r"|丢(?:了|失|包|单)|漏(?:了|单|发)|真っ白|届か|反映され|表示され"
    r"|收不到|没(?:有)?(?:收到|响应|反应|到)|打不开|不通|不足|断(?:开|线|了)|丢失|卡死|挂了|连不上|切れ|消え|止ま(?:っ|る)|固ま"
)
# Within quotation marks these, too, tell of a failure: "jwt expired", "Connection pool exhausted".
BAD = (
    r"(?i)\b(?:expired|exceeded|exhausted|mismatch|denied|refused|detected|unknown|invalid|unreachable|underrun|overrun"
    r"|overflow|missing|not found|unable|cannot|can['’]t|could not|aborted|killed|lost|rejected|conflict|unavailable"
    r"|violat\w+|unexpected|no (?:route|space|response|answer|match|connection|permission|access)|undefined|reset"
    r"|full|no such|already|too (?:many|large|old|long)|does not exist|unresolved"
    r"|abgelaufen|ungültig|nicht gefunden|verweigert|expir\w+|introuvable|refusée?|no encontrad[oa]|denegad[oa])\b"
)
QUOTED = r"(?:[\"“`]|(?<!\w)')([^\"”`'\n]{4,80})(?:[\"”`]|'(?!\w))"
CODE = r"`[^`\s]*[-/][^`\s]*`"  # a branch or a file that is called after an error
# Talk about errors that is no error: denied, counted as none, or a compound word.
DENIED = (
    r"(?i)\b(?:no|zero|0|without(?: an?y?)?|never|not (?:a single|any|an?)|free of|any) (?:[\w-]+ ){0,2}"
    r"(?:errors?|fail(?:s|ed|ing|ures?)?|crash\w*|exceptions?|timeouts?|leaks?)\b"
    r"|\b(?:keine?[nrm]?|ohne|ni un solo|ningún|sin|aucune?|pas une? seule?|plus (?:une?|d['’])) ?(?:\w+ )?"
    r"(?:fehler|absturz|abstürze|ausfall|error(?:es)?|fallos?|caídas?|erreurs?|pannes?|coupures?|incidente?s?)\b"
    r"|\b(?:errors?|failures?|crashes|failed|timeouts?)\s*[:=]\s*(?:0|none)\b"
    r"|\berror[- ](?:handl\w+|boundar\w+|messages?|pages?|budgets?|codes?|types?|report\w*|log\w*|rates?|prevention)\b"
    r"|\b(?:bug|crash|error) ?fix(?:es)?\b|\bfail(?:[- ](?:safe|fast|over)|safe|over)\b"
    r"|\b(?:docs?|blog|article|chapter|book|lesson) (?:about|on) .*"
)
# Somebody did something about it, so that it is over however often it came …
REPAIRED = (
    r"(?i)\b(?:fixed|fixes (?:it|the|this|that|both)\b|resolve[sd]|solve[sd]|sorted out|repaired|cured|no longer"
    r"|(?:root )?cause (?:is |was )?found"
    r"|(?:found|spotted) the (?:root )?cause|patched|(?:hasn['’]t|has not|not|never|nothing) (?:\w+ ){0,2}since"
    r"|(?:none|zero|nothing|quiet|stable|clean|not (?:one|a single \w+)) (?:\w+ )?since|corrected|turned out to be"
    r"|closed the (?:ticket|issue|case)|gone since|(?:got|has|had|have) (?:its|their|a|the) fix\b|fix is in\b"
    r"|was an? forgotten"
    r"|(?:hasn['’]t|has not|didn['’]t|did not) (?:come back|return\w*|re-?appear\w*|happen\w* again)|since (?:then"
    r"|that|the (?:fix|change|upgrade|update))\b"
    r"|behoben|gelöst|repariert|ist (?:er|sie|es) weg|seitdem|seither"
    r"|arreglad[oa]s?|resuelt[oa]s?|solucionad[oa]s?|corregid[oa]s?|desde entonces"
    r"|corrigée?s?|résolue?s?|réglée?s?|réparée?s?|depuis,? plus)\b"
    r"|修复|修好|解决了|已解决|解決|修正(?:し|済)|(?<![れりし])直(?:った|り|し)"
)
# … or it is merely fine at the moment, which is no end of what comes and goes.
MENDED = (
    REPAIRED + r"|\b(?:went away|is gone|are gone|"
    r"disappeared|work(?:s|ing)? (?:now|again|fine)|back (?:up|online)|"
    r"pass(?:es|ed|ing)?(?! on (?:a |the )?(?:re-?run|retry))|green|"
    r"succeed(?:s|ed))\b"
)
# What makes it fine for a while only, each time anew.
WORKAROUND = (
    r"(?i)\b(?:each time|every time|always|whenever|retr(?:y|ies|ied|ying)|re-?r[ua]n(?:ning)?|re-?load\w*|attempt"
    r"|by hand"
    r"|manually|by itself|itself|on its own|von hand|von selbst|jedes mal|jeweils|a mano|cada vez|à la main"
    r"|chaque fois)\b|每次|手动|毎回|手動"
)
# Others are at it, or it is meant to happen: nothing to look for.
HANDLED = (
    r"(?i)(?<!nobody )(?<!no one )\b(?:(?:is|are) (?:already )?(?:working on (?:it|that|this|a fix)|looking (?:into"
    r"|at) (?:it|that|this|the [\w -]{2,40})|aware|on (?:it|the case)|handling|investigating|taking care)|(?:has"
    r"|have) taken (?:it )?over"
    r"|(?:opened|filed|has|have) (?:a |an )?(?:ticket|incident|case)\b|known (?:issue|incident|problem|outage)"
    r"|on their side|assigned to|being (?:handled|investigated|worked on)|kümmer(?:t|n) sich|s['’]en occupe\w*"
    r"|se encargan?)\b"
    r"|负责处理|正在处理|対応中|担当"
)
EXPECTED = (
    r"(?i)(?<!not )(?<!un)\b(?:expected|on purpose|intentional\w*|deliberate\w*|wanted|by design|supposed to"
    r"|meant to|as planned|simulat\w+|fire drill|drill|chaos|negative test|fixtures?|sample logs?|harmless"
    r"|known and accepted"
    r"|as (?:an )?example|for example|in the (?:tutorial|docs|documentation|manual|style guide|book)|the tutorial"
    r"|(?:test|check) (?:that|which) (?:switches|kills|checks|breaks|provokes)|what the .{0,40}test (?:checks|expects)"
    r"|erwartet|absichtlich|gewollt|beispiel|esperado|a propósito|ejemplo|attendu|exprès|voulu|exemple)\b"
    r"|预期|故意|例如|示例|想定(?:内|どおり|通り)|わざと|例として"
)
# A repair that names nothing of its own: "Solved at 11", "cause is found".
BARE_MEND = (
    r"(?i)(?:now |then |but |and |is |was )*(?:solved|fixed|resolved|sorted out|root cause|cause|gelöst|behoben"
    r"|resuelto|réglé)\b"
)
NOT_MENDED = (
    r"(?i)\b(?:not|never|nothing|nobody|none of them|none|cannot|\w+n['’]t|nicht|nie|no|pas)(?: \w+){0,2} "
    r"(?:fix|resolv|solv|work|pass|gone|go away|succeed|behoben|gelöst|arreglad|resuelt|corrig|résol|réglé)"
)
EXPLAINED = r"(?i)\b(?:comes? from|came from|caused by|because of|due to|points? to|root cause|looks like)\b"
THAT = r"(?i)\b(?:it|that|this|them|the (?:error|issue|problem|bug|crash|failure|exception))\b"
OFTEN = (  # one in so many, so many a day, ever since
    r"(?i)\b(?:every (?:other|second|third|fourth|fifth|tenth|few) \w+|(?:one|two) (?:in|out of) (?:\d+|three|four"
    r"|five|ten)|(?:several|many|a few|multiple) times"
    r"|now and then|since (?:yesterday|last \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"|jede[rnms]? (?:zweite|dritte|vierte|fünfte|zehnte)\w* \w+|mehrmals|mehrfach|immer wieder|seit (?:gestern"
    r"|vorgestern|dem \w+|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)"
    r"|une fois sur \w+|plusieurs fois|depuis (?:hier|lundi|mardi|mercredi|jeudi|vendredi|la \w+|le \w+)"
    r"|una de cada \w+|varias veces|desde (?:ayer|anoche|el \w+|la \w+)|(?:y )?ya pasó)\b"
    r"|上周也|昨天也|昨日も|先週も|时不时|多次|たびたび|何回も"
)
REPORTS = (  # as many who say so
    rf"(?i)\b(?P<n>\d{{1,2}}|{'|'.join(word for word in NUMBERS if len(word) > 1)}) (?:\w+ )?(?:complaints?|tickets?"
    rf"|reports?|(?:users?|customers?) (?:report|complain)\w*"
    r"|beschwerden|meldungen|plaintes|signalements|quejas|avisos)\b"
    r"|(?P<wide>\d{1,2}|[二两三四五六七八九十])(?:件|起|笔|名用户|个用户|位)"
)
AGAIN = (
    r"(?i)\b(?:again|keeps?|kept|once more|another|twice|persists?|repeated(?:ly)?|recurring|recurs|every time|"
    r"each time|every (?:day|night|morning|hour)|now and then|on and off|same as (?:yesterday|before|last)|"
    r"(?:came|comes|is|are) back(?! (?:to|from|with|in)\b)|same (?:error|failure|exception|crash|problem|issue)|"
    r"likewise|as (?:it did )?(?:yesterday|before|on (?:sun|mon|tues|wednes|thurs|fri|satur)day)|schon wieder|wieder"
    r"|erneut|genauso|alle paar \w+|immer noch|jedes mal|jede nacht|täglich|"
    r"otra vez|de nuevo|igual que (?:ayer|antes|anoche|la semana)|(?:vuelve|volvió|vuelto) a|cada (?:vez|día|noche"
    r"|mañana)|a diario|"
    r"à nouveau|de nouveau|encore une fois|chaque (?:fois|jour|nuit|matin)|sans cesse)\b"
    r"|comme (?:hier|avant|la veille)\b"
    r"|又|再次|反复|每[次天晚]|同样|也出现过|和(?:昨天|前天)一样|再び|また|何度も|毎[回日晩朝]|たび"
)
ORDINALS = """
    second zweiten zweite segunda deuxième;third dritten dritte tercera tercer troisième;
    fourth vierten vierte cuarta quatrième;fifth fünften fünfte quinta cinquième;sixth sechsten sechste sexta sixième;
    seventh siebten siebte séptima septième;eighth achten achte octava huitième
"""
ORDINAL = {word: n for n, words in enumerate(ORDINALS.split(";"), 2) for word in words.split()}
NUMBER = "|".join(word for word in (*NUMBERS, *ORDINAL) if len(word) > 1)
# "three times", "seven occurrences", "the third night in a row", "zum dritten Mal", "第三次".
COUNTED = (
    rf"(?i)\b(?P<n>\d{{1,2}}|{NUMBER})"
    r"(?:st|nd|rd|th|[.]|[eº]|ème|ª)? (?:\w+ )??"
    r"(?:times?(?! (?:faster|slower|as|more|less|bigger|larger|smaller|the)\b)|attempts?|tr(?:y|ies)|crash(?:es)?"
    r"|failures?"
    r"|occurrences?|(?:night|day|morning|evening|week|run|build|job)s?(?: in a row| running| in succession| in Folge"
    r"| hintereinander| de suite| seguid[oa]s?)|mal|fehler"
    r"|vez|veces|fois)\b"
    rf"|\b(?P<fails>\d{{1,2}}|{NUMBER}) (?:[\w-]+ ){{0,2}}(?:failed|crashed|timed out|broke)\b"
    r"|\b(?P<x>[2-9]|1\d)(?:x|×)(?! (?:faster|slower|as|more|bigger|larger|smaller)\b)|\b(?P<ger>zwei|drei|vier|fünf"
    r"|sechs|sieben|acht|neun|zehn)mal\b"
    r"|\b(?P<twice>twice|doppelt)\b|第?(?P<wide>\d{1,2}|[二两三四五六七八九十])(?:次|回)(?!元|答|复)"
)
HOUR = r"(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])|\b(?:minute|a las|um) \d{1,2}\b"
# A clause without a failure of its own that says when, or that, the one before it came.
RECURS = (
    r"(?i)\b(?:it|this|that|happen(?:s|ed)|occur(?:s|red)|passiert\w*|das|es|esto|eso|pasó|ocurr\w+|cela|ça|c['’]est"
    r"|arriv\w+)\b|^(?:third|fourth|fifth|again|at|on|\d)\b|这|发生|これ|発生"
)
# What is done as often as the failure comes: it came more than once.
EACH = (
    r"(?i)\b(?:each time|every time|each of them|whenever|retried each|jedes mal|beide male|jeweils|cada vez"
    r"|(?:à )?chaque fois"
    r"|(?:les deux|both) (?:fois|times))\b|每次|毎回|その都度|たび"
)
LAST_ONE = r"(?i)\b(?:error|failure|exception|crash)\b.{0,9}\b(?:persists?|remains|again|(?:is|came) back)\b"
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
    r"tried|attempted|(?:we|i|have|has) pushed|probiert|versucht|probado|intentado|essayé|tenté|trying|retr(?:ied"
    r"|ying)|re-?r[au]n(?:ning)?|re(?:start|install|vert|mount)(?:ed|ing)|rebuil[td]\w*|redid"
)
RETRIED = rf"(?i)\b(?:{RETRY})\b|试[了过]|試し"
# "tried four fixes", "rebuilt it nine times": how often, or how many.
TRIES = (
    rf"(?i)\b(?P<n>\d{{1,2}}|{NUMBER}|several|many|all (?:kinds|sorts) of|mehrere|varias|plusieurs)(?: \w+)?? "
    r"(?:fix(?:es)?|ways|approaches|things|variants?|versions|settings|options|commits|combinations|solutions|ideas"
    r"|theories"
    r"|times|changes|tries|attempts|lösungen|wege|varianten|mal|soluciones|formas|maneras|veces|solutions|façons"
    r"|fois)\b"
)
# One after the other, and undone: "changed it, changed it back, set X, unset X".
UNDONE = (
    r"(?i)\b(?:back|undid|revert\w*|unset|unpin\w*|unfroze|remov\w+ (?:it|them|\w+) again|re-?add\w*|put back|flip\w*"
    r"|zurück|rückgängig|remis|de vuelta|otra vez)\b|改回|戻し"
)
CHANGES = (
    r"(?i)\b(?:tried|set|unset|add(?:ed)?|remov(?:e|ed)|chang(?:e|ed)|swapp?(?:ed)?|bump(?:ed)?|pinn?(?:ed)?|skip"
    r"|unskip"
    r"|froze|unfroze|switch(?:ed)?|clear(?:ed)?|reinstall(?:ed)?|restart(?:ed)?|revert(?:ed)?|reset|disabl(?:ed?)"
    r"|enabl(?:ed?)"
    r"|replac(?:ed?)|renam(?:ed?)|upgrad(?:ed)?|downgrad(?:ed)?|rebuilt|touché|changé|remis|refait|retiré|redémarré"
    r"|geändert|entfernt|getauscht|neu gestartet|cambi(?:ado|é|amos)"
    r"|quitado|reiniciado|reinstalado|probado)\b|改[了成为]|换[了成]|重启|重装|変え(?:て|た)|再起動|再インストール|(?:入れ|作り|やり)直"
)

ATTEMPT = rf"(?i)\b(?:{RETRY}|(?:edit|chang|clear|patch)(?:ed|ing)|rewr\w+|ran|running)\b"
TRIED_AGAIN = r"(?i)\b(?:again|once more|twice|repeatedly|every time)\b"
TARGET = r"`[^`\n]+`|[\w-]+(?:[./][\w-]+)+"
STUCK = (
    r"(?i)\bstuck\b(?! (?:to|with|at home|inside|in traffic))|\b(?:in|round in) circles\b|\bthat circle\b"
    r"|\bback (?:to|at) (?:square one|the (?:first|start)\w*)\b|\bover and over\b"
    r"|\bagain and again\b|\bno progress\b|\bnothing (?:helped|helps|works|worked|changed)\b"
    r"|\bnone of (?:them|these|it|which|the \w+)(?: has| have)? (?:work|help|chang|made)\w*"
    r"|\bsame (?:step|command|change|edit|approach|place|spot)\b|\bround and round\b|\bback and forth\b"
    r"|\b(?:this|that|the same|through this) loop\b|\blost count\b|\bidentical every time\b"
    r"|\bevery change\b.{0,80}\bbreaks\b|\bout of ideas\b|\bevery (?:attempt|try|variant|combination) (?:ends?|lands?"
    r"|fails?|gives)\b"
    r"|\beach (?:of them )?(?:lands?|ends?) (?:at|in|with|on) the same\b|\bback (?:at|to) the original \w+"
    r"|\bstill fighting\b|\b(?:two|three|four|five|\d+) (?:hours|days|evenings|afternoons) (?:on|with|at|into) (?:the"
    r"|this|it|one)\b"
    r"|\b(?:without|zero) (?:any )?(?:success|effect|luck|result|improvement)\b|\bto no avail\b|\bin vain\b"
    r"|\b(?:second|third|fourth|fifth|sixth|\d+(?:nd|rd|th)) (?:hour|day|afternoon|round|attempt|try) (?:on|of|with"
    r"|at)\b"
    r"|\bstill (?:(?:not|no) (?:work|fix|solv|resolv|pass|build|start|load|luck)\w*|fail\w*|broken|stuck|the same|"
    r"unresolved|crash\w*|hang\w*|(?:can|does|do|wo)n['’]t (?:work|start|build|load|connect|open|run|pass))\b"
    r"|\b(?:dreh\w* (?:uns|mich|sich)(?: \w+)? im kreis|im kreis|hin und her|stecke?n?(?: \w+)? fest|festgefahren"
    r"|nichts (?:hilft|half|hat geholfen)|ohne erfolg|vergeblich|keinen schritt weiter|immer noch (?:nicht"
    r"|das ?selbe))\b"
    r"|\b(?:dando vueltas|en círculos|atascad[oa]s?|sin éxito|nada (?:funciona|ayuda|ha funcionado)|sin avanzar"
    r"|(?:vuelta|ronda) tras (?:vuelta|ronda)|sigue (?:sin|igual))\b"
    r"|\b(?:tourn\w+ en rond|va-et-vient|bloquée?s?|rien n['’](?:y fait|aide|a marché)|sans succès|toujours (?:le"
    r"|la) même"
    r"|n['’]en peu(?:t|x) plus|retour (?:au point de départ|à la case départ)|sans (?:aucun )?résultat|toujours (?:au"
    r"|le) même \w+|(?:deuxi|troisi|quatri|cinqui|sixi)ème (?:tour|essai|tentative))\b"
    r"|\b(?:ningun[oa] (?:sirve|funciona|ayuda|cambia)|keine[rs]? (?:davon )?(?:hilft|half|geht|wirkt)"
    r"|aucune? (?:ne )?(?:marche|fonctionne|aide|change))\b"
    r"|\bexactly (?:what|as) it (?:said|was|did)\b|\bweiterhin\b.{0,12}\b(?:ab|nicht)\b|\blehnt .{0,12}weiterhin\b"
    r"|毫无头绪|没有头绪|结果都一样|何を試しても|手詰まり|来回|兜圈|绕圈|反复试|试了.{0,12}(?:都|还是)(?:不|没)|卡住|毫无进展|没有进展|堂々巡り|行き詰ま|行ったり来たり"
    r"|どれも(?:だめ|駄目|効)"
)
# Of a thing, not of work or of who does it: "the tablets are stuck on Safari 16".
THING = (
    r"(?<!\w)(?!(?i:i|we|you|he|she|they|it|this|that|user|everything|everybody|everyone|builds?|tests?|ci|jobs?"
    r"|pipeline"
    r"|deploy\w*|migrations?|process|installs?|installer|upgrade|update|release|agent|work|task)\b)"
    r"[a-z][\w-]* (?:is|are|was|were) (?:still |all )?stuck (?:on|at) "
)
SUBJECT = r"(?i)^(?:the )?user(?: has been| is| was)? "
# A choice was made, or it went well: no loop, and nothing to look into.
# Nothing changes, or it takes hours: with attempts beside it, a loop.
NO_EFFECT = (
    r"(?i)\b(?:no (?:difference|change|effect|success|luck|improvement|idea (?:why|what))|(?:makes?"
    r"|made) no difference|nothing (?:changes|happens)"
    r"|(?:(?:the |very )*same|identical) (?:error|result|outcome|message|failure|picture|thing|output|assertion"
    r"|as before|as ever|again)"
    r"|each time the same|(?:always|still|stays|remains) (?:wrong|off|there|red|empty|broken|blank|slow|the same"
    r"|shifted|failing)"
    r"|(?:for|in) (?:the )?(?:last |past )?(?:two|three|four|five|six|several|\d+|many) hours|all (?:day|morning"
    r"|afternoon)|(?:third|fourth|fifth) (?:hour|day)"
    r"|frustrat\w+|annoyed|out of ideas|getting nowhere|no matter (?:what|which|how)|(?:won['’]t|doesn['’]t) budge"
    r"|whack-a-mole|yet another"
    r"|kein(?:en)? unterschied|ändert (?:sich )?nichts|(?:immer|jedes mal) das ?selbe|gleiche[rs]? (?:fehler"
    r"|ergebnis)|ratlos|seit \w+ stunden|genervt"
    r"|sin cambios?|(?:el|la) mism[oa] (?:error|resultado|fallo)|(?:lleva\w*|hace) \w+ horas|no hay manera"
    r"|desesperad\w+|no cambia nada"
    r"|aucun changement|(?:la|le) même (?:erreur|résultat|problème|décalage)|depuis \w+ heures|ne change rien"
    r"|rien ne change)\b"
    r"|\b(?:regardless|byte for byte|all the same|as ever|either way|whatever (?:i|we) (?:do|try))\b"
    r"|(?:结果|还是)(?:都|全)?一样|結果は同じ|消えない|同样的(?:错误|结果|报错)|还是(?:一样|不行|报错|失败)|没用|没有(?:变化|效果|用)|无效|小时了|同じ(?:エラー"
    r"|結果)|変わら(?:ない|ず)|何時間も"
)
DECIDED = (
    r"(?i)\b(?:decided (?:against|for|on|to (?:use|go|stay|keep))|(?:decision|choice) (?:is|was|has been) made"
    r"|we (?:took|take|chose|use)\b"
    r"|took \w+ (?:since|because)|went with|settled on|chosen|won['’]t use|dropp(?:ed|ing) (?:it|the idea)"
    r"|entschieden (?:gegen|für)"
    r"|entscheidung (?:ist )?gefallen|decidi(?:do|mos)|décidé|choisi)\b|决定(?:用|不|采用)|选定|決め(?:た|まし)|採用"
)
WORKED = (
    r"(?i)\b(?:worked|works now|it works|did the trick|implemented|klappt jetzt|funktioniert jetzt|ya funciona"
    r"|marche maintenant)\b|成功了|うまくい"
)
NOT_STUCK = r"(?i)\b(?:no longer|not|isn['’]t|never|un) ?stuck\b|\bgot (?:it )?unstuck\b"
PROGRESS = r"(?i)\b(?:finished|done|completed?|merged|shipped|released|delivered|submitted|sent|paid|booked)\b"
QUIET = r"(?i)\b(?:no (?:new )?activity|idle|quiet|nothing (?:new|happened|to report)|away|asleep)\b"

# --- a next step left open ---

# Somebody could, and didn't: "has not been started", "no one clicked it", "gebucht ist noch nicht", "还没".
LEFT = (
    r"\b(?:ha(?:s|ve)(?: not|n['’]t)|(?:was|were)(?: not|n['’]t)(?! (?:able|sure|clear|necessary|needed))) (?:yet )?"
    r"(?:been )?(?:\w+ly )?(?!been\b|seen\b|heard\b|decided|tried|coded|come\b|happened|failed|changed|looked|read\b"
    r"|had\b)"
    r"(?:\w+ed|\w+en|sent|set|put|run|made|done|built|paid|told|begun|bought)\b"
    r"|\b(?:nobody|no one|noone|none of (?:us|them)|neither of them) (?:has |have |yet )?(?!(?:has )?(?:looked"
    r"|knows?|tried|asked why))\w+ed\b"
    r"|\bonly (?:thing|step|part|bit) (?:that(?:['’]s| is) |still )?(?:missing|left|open|remaining)\b"
    r"|\ball that(?:['’]s| is) (?:left|missing)\b|\bwhat(?:['’]s| is) (?:still )?(?:missing|left)\b"
    r"|\bremains to be\b|\bready to (?:be )?(?:merge|deploy|send|ship|publish|sign|submit|release|go out)\w*"
    r"|\bonly (?:has|have|needs?) to be\b|\bn['’]est (?:toujours |encore )?pas (?:encore )?(?!clair|décid"
    r"|sûr)\w+[éi]e?\b"
    r"|\b(?:just|only) needs? (?:to|a|an|one|the|his|her|your)\b|\bone click\b|\bwait(?:s|ing) (?:only )?for (?:a|an"
    r"|his|her|your|the user|somebody|someone)\b(?! (?:reply|answer|response|review))"
    r"|\b(?:expires?|closes?|ends?|runs out|gets? (?:purged|deleted)) (?:today|tonight|tomorrow|at \d"
    r"|in \w+ (?:hours?|minutes))\b"
    r"|\bmuss nur noch\b|\b(?:läuft|endet) (?:heute|morgen)\b|\bwartet (?:nur )?auf (?:eine?n?|die|den"
    r"|das) (?:freigabe|unterschrift|klick)|\blist[oa]s? para\b|\bbasta con\b|\bprête?s? à\b|\bil suffit\b|只需|等着"
    r"|\b(?:todavía|aún) faltan?\b|\bpero falta\w*\b|\bil manque (?:encore|toujours)\b|\bfehlen? (?:noch|nur)\b"
    r"|\b(?:lies|lying|sits|sitting|liegt) (?:[\w#]+ ){0,4}(?:since|for|seit) |\bwaits? for (?:my|our) \w+"
    r"|\bis blocked by (?:it|me|us|this)\b"
    r"|\bstill (?:pending|unsigned|unsent|unpaid|unassigned|unread|unanswered|unbooked|untouched|outstanding|to do)\b"
    r"|\b(?:ist|sind|wurden?|hat|haben) (?:[^,.;]{0,30} )?noch nicht\b|\bnoch nicht (?!klar|sicher|entschieden)\w+"
    r"|\bfehlt (?:nur )?noch\b|\bsteht (?:nur )?noch aus\b|\b(?:niemand|keiner) hat\b(?!.{0,30}(?:geschaut|versucht))"
    r"|\b(?:todavía|aún) no\b|\bno (?:\w+ ){0,3}(?:todavía|aún)\b|\b(?:solo|sólo|nada más) (?:falta|queda)n?\b"
    r"|\bqueda por\b"
    r"|\bfalta (?:por )?(?:solo |sólo )?\w+[aei]r\b|\bnadie (?:lo |la |los |las )?ha\b(?!.{0,20}(?:mirado|probado))"
    r"|\bsigue sin (?!saber|func)\w+"
    r"|\bpas encore (?!clair|décid|essay)|\b(?:n['’]a|n['’]ont|ne l['’]a) (?:toujours |encore )?pas\b"
    r"|\b(?:il ne )?(?:reste|manque) (?:plus )?(?:qu|à|juste)"
    r"|\bpersonne (?:ne l['’]a|ne les a|n['’]a)\b(?!.{0,20}(?:regardé|essayé))"
    r"|一直没有?(?!决定|试|结论|看|问题)|没有(?:续|交|发|付|合并|回复|签)|还没有?(?!决定|试|结论|看)|尚未(?!决定)|只差|还差|没(?:有)?人(?!看|查|知道)"
    r"|まだ.{1,20}(?:ていない|ていません"
    r"|でいない)(?<!決めていない)|あとは.{1,20}だけ|残っている"
)
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
        (r"\b(?:should|must|needs? to|has to|have to) (?P<step>(?!not\b|n't|be\b)[^,;]{3,80}? before .{3,})", "{}"),
        (
            r"\b(?:not|\w+n['’]t)\b(?! (?:been |yet )?(?:chosen|clear|decided|know|sure|understand)\b)[^.]{4,80} yet\b"
            r"|\bnot yet (?!clear|decided|sure)\w{3}",
            "Open: {}",
        ),
        (r"\b(?:uncommitted|unpushed|unsaved|not (?:been )?(?:committed|pushed|saved|merged))\b", "{}"),
        (r"\b(?:without|not|\w+n['’]t) (?:been )?re-?r[ua]n(?:ning)?\b", "{}"),
        (LEFT, "Open: {}"),
        (r"^(?P<step>.{4,}?) (?:remains?|is still open|are still open|is left|are left)\b", "{}"),
    )
)
# A thing is due where something ends, is promised or handed in, and a day just ahead is named with it.
DUE = (
    r"(?i)\b(?:due|deadline|expires?|(?:runs?|running) out|submit|deliver|hand in|by|before|until|exam|appointment"
    r"|flight|scheduled|must"
    r"|bis|fällig|frist|abgabe|läuft ab|endet|muss|müssen|termin"
    r"|vencen?|hasta|antes del?|plazo|entrega|caduca|expira|hay que|tiene que"
    r"|avant|d['’]ici|échéance|expire|à rendre|livraison|doit|doivent)\b"
    r"|截止|到期|之前|要交|必须|提交|締切|締め切り|期限|までに|納期|提出"
)
DUE_DAY = (
    r"(?i)\b(?:today|tonight|tomorrow|heute|übermorgen|(?<!guten )(?<!am )morgen|hoy|(?<!la )mañana(?! por)"
    r"|aujourd['’]hui|demain|ce soir)\b"
    r"|今天|今晚|明天|后天|今日|本日|明日|明後日"
)
# A day of the week is ahead only where something ends on it or somebody waits for it, not with every "by".
DUE_WEEKDAY = (
    r"(?i)(?<!last )(?<!since )(?<!from )(?<!seit )(?<!letzten )\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?!['’]s)"
    r"|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miércoles|jueves|viernes"
    r"|lundi|mardi|mercredi|jeudi|vendredi)\b|(?:周|星期)[一二三四五六日]|[月火水木金]曜"
)
ENDS = (
    r"(?i)\b(?:due|deadline|expires?|(?:runs?|running) out|(?:wants?|needs?|expects?|asked for|must|has to"
    r"|have to) .{2,60}\bby\b"
    r"|fällig|frist|läuft (?:\w+ ){0,3}ab|endet|muss .{2,60}\bbis\b|vencen?|plazo|caduca|expira|échéance|expire"
    r"|à rendre|doit .{2,60}\bavant\b"
    r"|ends?)\b|截止|到期|前(?:要|必须|得|需)|までに|締切|期限"
)
POINTS_BACK = r"(?i)\b(?:it|them|this|that|these|those)\b"
PRONOUN = r"(?i)(?:it|this|that|they|these)\b"
NO_STEP = (
    r"(?i)\b(?:no|nothing|none)(?: \w+){0,2} (?:next|remain\w*|left|open|uncommitted|unpushed|to-?do|missing)\b"
    r"|\b(?:nichts|nada|rien|keine?n?|aucune?)\b.{0,30}\b(?:offen|pendiente|queda|ouvert|en attente|übrig)"
    r"|\b(?:answers?|replies|reply|comes? back|continues?) (?:tomorrow|on \w+day|next week)\b|\bruns? (?:by itself"
    r"|overnight)\b"
    r"|\bqueda nada\b|\bnot (?:been )?(?:a|any) (?:problem|issue)\b"
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
    r"\b(?i:set(?:ting)? up|install(?:ed|ing)|integrat(?:ed|ing)|configur(?:ed|ing)|adopt(?:ed|ing)|added|"
    r"(?:deploy|migrat|switch|upgrad)(?:ed|ing) (?:to|with|on))\s+"
    r"(?P<name>[A-Z][\w.+#/-]*(?: [A-Z][\w.+#/-]*)?|[a-z]+(?:[.-][a-z]+)+)"
)
WEIGHED = (
    r"\b(?i:learning|compar(?:ed|ing)|consider(?:ed|ing)|looking at|prototyp(?:ed|ing) (?:with|in)|play(?:ed"
    r"|ing) with)\s+"
    r"(?P<name>[A-Z][\w.+#/-]*(?: [A-Z][\w.+#/-]*)?|[a-z]+(?:[.-][a-z]+)+)"
)
CAMEL = r"\b(?:[A-Z][a-z0-9]+){2,}\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+\.(?:js|io|ai|rs|py|NET)\b"
# Somebody is about to learn of a thing; what he names with it is the topic.
STUDY = (
    r"(?i)\b(?:look(?:s|ing|ed)? (?:into|at)|explor\w+|evaluat\w+|investigat\w+|research\w*|curious|interested in"
    r"|wants? to (?:understand|know|learn|find out|try|see (?:if|whether|how))|wonder\w*|(?:asks?|asked"
    r"|asking) (?:about|whether|if|how|what)"
    r"|came across|heard (?:of|about)|candidates?|suggest(?:s|ed)|propos(?:es|ed)|recommend(?:s|ed)|opened (?:the"
    r"|its|their|a) "
    r"(?:docs|spec\w*|manual|site|website|tutorial|documentation|repo|guide)|new (?:topic|subject|idea)"
    r"|never (?:used|worked with|touched)"
    r"|consider\w*|thinking (?:about|of)|could (?:be used|replace|help)|might (?:be used|replace|help)|pros and cons"
    r"|(?:first|half a) (?:page|look|steps?)|read(?:s|ing)? (?:up )?(?:about|on|the)|questions (?:about|on)"
    r"|learn(?:s|ing)? (?:about|how|what)"
    r"|compar(?:es|ing)|alternatives?|replacement|tutorials?|how (?:it|this) works"
    r"|neues thema|überleg\w+|informier\w+|schaut? sich|evaluier\w+|erkundig\w+|prüf(?:t|en) ob|liest sich"
    r"|einarbeit\w*|vorgeschlagen|kandidat\w*"
    r"|fragen zu|frag(?:t|te|en),? (?:ob|wie|nach)|will (?:wissen|verstehen)|interessier\w+|möchte (?:wissen"
    r"|verstehen|ausprobieren)"
    r"|investiga\w*|explora\w*|eval[uú]a\w*|valora\w*|leyendo sobre|pregunt(?:a|ó|an) (?:si|por|cómo)"
    r"|quiere (?:saber|entender|probar)|tema nuevo|nuevo tema"
    r"|candidat[oa]s?|propuso|plantea\w*|considera\w*|se renseign\w+|étudi\w+|regard\w+|envisag\w+|s['’]intéress\w+"
    r"|découvr\w+"
    r"|se demande\w*|demande (?:si|comment)|veut (?:savoir|comprendre|essayer)|nouveau sujet|propos[ée]\w*"
    r"|candidate?s?|piste)\b"
    r"|\b(?:vot(?:e|ed)|opt(?:ed)?) for\b|\bplan is to (?:try|use|move|switch)|\blean(?:s|ing)? towards?\b"
    r"|\bwants? to (?:get rid of|(?:move|switch) (?:to|from|away)|replace)"
    r"|\b(?:steigen|umsteigen|wechseln) .{0,30}\b(?:auf|zu|um)\b|\b(?:want|wollen|möchten"
    r"|planen) .{0,40}\b(?:umsteigen|wechseln|ablösen|ersetzen)\b"
    r"|\bwant(?:ed|ing)? to (?:try|use)|\bprüf(?:t|en),? ob\b|\bqueremos (?:pasar|probar|usar)|\bon (?:veut|voudrait"
    r"|pense) "
    r"|研究|了解|调研|考虑|评估|想(?:知道|试)|问.{0,10}(?:能不能|是否|怎么)|新(?:话题|课题)|対象|調べ|検討|興味"
    r"|気になって|学び"
)
# Nothing has come of it yet.
UNSURE = (
    r"(?i)\b(?:no (?:conclusions?|decision|clear picture|result|opinion|verdict|answer|plan)"
    r"|nothing (?:\w+ )?(?:tried|coded|decided|installed|chosen|built|written|concrete)"
    r"|(?:lots of|many|several|only|some|open|first) questions|not (?:yet )?(?:decided|tried|clear)|undecided"
    r"|no idea|so far only|(?:has|have) (?:just )?(?:begun|started) to"
    r"|(?:none of us|nobody|no one|niemand|keiner|nadie|personne|ninguno)\b.{0,24}\b(?:experience|erfahrung"
    r"|experiencia|expérience)"
    r"|open is|offen ist|bisher nur|hasta ahora solo|pour l['’]instant seulement"
    r"|unclear|cannot (?:say|tell) (?:yet )?(?:if|whether|how)|(?:nobody|no one|none of us|never)(?: here"
    r"| yet)* (?:has |have |had )?(?:ever )?(?:run|used|touched|worked|knows?|tried|seen)"
    r"|do(?:es)? not (?:yet )?(?:understand|know)|installed nothing|only the (?:landing|start|first) page|read half"
    r"|whether .{3,60} at all"
    r"|unklar|kennt (?:es |ihn |sie )?(?:hier )?(?:niemand|keiner)|(?:keiner|niemand) kennt|nur die startseite"
    r"|nadie (?:del \w+ |lo |la )*conoce|no sé si|apenas"
    r"|personne (?:ne |n['’])\w*conna[iî]t|je ne sais pas si"
    r"|noch (?:nichts|keine|unklar|nicht (?:entschieden|klar|ausprobiert))|(?:keine|eine) entscheidung"
    r"|nada (?:decidido|probado|instalado)|sin (?:decidir|decisión|conclusión|probar)|ninguna decisión"
    r"|rien (?:de )?(?:décidé|testé|essayé|installé|concret)|pas encore (?:décidé|essayé|clair)|aucune (?:décision"
    r"|conclusion))\b"
    r"|还没(?:有)?(?:决定|试|结论)|没有结论|尚未决定|まだ(?:決|試)|未定|結論は"
)
# The name itself, from the surest place to the least: after what introduces it, then any that is written as one.
INTRODUCED = (
    r"(?i:\b(?:candidates?(?: is| are|:)?|suggest(?:s|ed)|propos(?:es|ed|ó|é)|recommend(?:s|ed)|mentioned"
    r"|came across|heard (?:of|about)"
    r"|called|named|(?:asks?|asked) (?:about|whether|if|how)|whether|curious about|interested in|tr(?:y"
    r"|ying)(?: out)?|consider(?:s|ing|ed)?|vot(?:e|ed) for|opt(?:ed)? for|towards?|pasar a"
    r"|compar(?:es|ing)|evaluat(?:e|es|ing)|explor(?:e|es|ing)|look(?:s|ing|ed)? (?:into|at)|read(?:s"
    r"|ing)? (?:up )?(?:about|on)|learn(?:s|ing)?(?: about)?"
    r"|(?:switch|mov|migrat)(?:e|ing)? to|with|about|of|kandidat(?:in)? ist|vermutlich|mit|auf|über|zu|nach|ob|sobre"
    r"|con|por|si|sur|à|avec|vers)"
    r"\s+)(?i:(?:the|an?|using|der|die|das|ein(?:e|en)?|el|la|le|un|une)\s+|l['’])*"
)
CALLED = (
    r"(?i:\b(?:candidate(?: is|:)|called|kandidat(?:in)? ist|candidat[oa]? es|candidat est)\s+(?!(?:the|an?|our|der"
    r"|die|das|el|la|le)\b))"
)
NAMED = r"[A-Z][\w+#]*(?:[.-][\w+#]+)*(?: (?:[A-Z][\w.+#-]*|\d[\d.]*|flakes|tags))?"
ODD = (
    r"\b(?:[A-Z]{2,}[a-z]*\d*|[A-Za-z]*[a-z][A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[a-z]+\d+\w*|[A-Za-z]+\.(?:js|io|ai|rs|py"
    r"|NET)|[A-Za-z]+-[A-Z]\w+)\b"
)
# Given up, so no topic: all that a clause names …
GIVEN_UP = (
    r"(?i)\b(?:drop(?:s|ped|ping)?|leave it|leaving|too (?:expensive|slow|heavy|old|complex|limited)|abandon\w*"
    r"|giv(?:e|ing|en) up|gave up|get(?:ting)? rid of"
    r"|is (?:out|going away)|phas(?:e|ed|ing) out|end of life|discontinued|no longer|not an option|zu (?:teuer|langsam"
    r"|schwer)"
    r"|fällt weg|fliegt raus|aufgegeben|weg von"
    r"|demasiado (?:car[oa]|lent[oa])|descartad[oa]s?|dejamos|trop (?:ch[eè]re?|lente?|lourde?)|abandonn\w+"
    r"|laisse tomber)\b|放弃|不再用|太贵|やめ|高すぎ"
)
# … or the one that this stands before.
INSTEAD = (
    r"(?:(?i:\b(?:instead of|replac(?:e|es|ing|ed|ement (?:for|of))|away from|rather than|mov(?:e|ing) from"
    r"|migrat(?:e|ing) from|switch(?:ing)? from|successor (?:of|to)"
    r"|drop(?:s|ped|ping)?|alternatives? (?:to|for)|statt|anstelle von|anstatt|ersatz für|weg von|ablösung von"
    r"|alternative (?:zu|à)|en lugar de|en vez de|sustitu\w+ (?:a )?|reemplaz\w+ (?:a )?|au lieu d[e'’]|remplac\w+"
    r"|à la place de)"
    r"\s+(?:the |our |den |die |das |el |la |le |l['’])?)|代替|取代|替换|放弃)\s*(?P<name>[\w.+#-]+)"
)
ERROR_NAME = r"(?:Error|Exception|Fault)$|^[A-Z]{1,5}-?\d{3,}$"
FILE_NAME = r"/|\.(?:py|tsx?|jsx?|kt|swift|go|rs|md|json|ya?ml|toml|sh|css|html|sql|txt|csv|pdf)$"
STUDIED = r"(?i)\b(?:look\w* into|research\w*|evaluat\w*|read\w* (?:up )?(?:about|on))\b"
NO_TOPIC = frozenset(
    """
    a all and bug code connections different error his issue it logs more my new on options other our outside problem
    some something stuff that their them these things this those various ways what why
    """.split()
)
