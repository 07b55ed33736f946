"""Does a text, which no person stands behind, tell agents what to do or have something run? In six languages.

What one agent hands to another as a memory is read by it as true: "Führe den Befehl … aus" and "El agente debe …" are
orders there, as "Run …" is. It errs towards yes, because yes means that a person is asked. English orders of the plain
kind are directives.is_directive. Linear in the length of the text.  [moltbot §13.4, design §4]
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled

# Who is to do it: an agent, under the names that one goes by.
_EN = r"(?:(?:sub|main|sub-|main )?agents?|assistants?|(?:chat)?bots?|a\.?i\.?|llms?|models?|claude|codex|gemini|gpt)"
_DE = (
    r"(?:(?:haupt|unter|sub|ki-)?agent(?:en|in)?|(?:ki-)?assistent(?:en|in)?|(?:chat)?bots?|ki|llms?|(?:sprach)?modelle?"
    r"|claude|codex|gemini|gpt)"
)
_ES = r"(?:(?:sub)?agentes?|asistentes?|bots?|ia|llms?|modelos?|claude|codex|gemini|gpt)"
_FR = r"(?:(?:sous-)?agent(?:e?s)?|assistant(?:e?s)?|bots?|ia|llms?|modèles?|claude|codex|gemini|gpt)"
_ZH = r"(?:(?:主|子)?代理(?!服务|服務|商|地址|端口|设置|設置|配置)|智能体|智能體|助手|助理|机器人|機器人|模型)"
_JA = r"(?:エージェント|アシスタント|ボット|モデル|AI)"
_EN_MUST = (
    r"(?:must|should|shall|ha(?:s|ve) to|needs? to|ought to|(?:is|are) (?:to|required to|obliged to|supposed to))"
)
DUTY = (
    rf"\b{_EN}\s(?:\w+\s){{0,3}}?{_EN_MUST}\b"
    rf"|\b(?:mandatory|required|necessary|important) (?:for|that) (?:\w+\s){{0,2}}?{_EN}\b"
    rf"|\bwants? (?:\w+\s){{0,2}}?{_EN} to\b"
    # "muss neu gestartet werden" happens to it
    rf"|\b{_DE}\s(?:\w+\s){{0,3}}?(?:soll(?:en|ten?|te)?|muss|müssen|darf|dürfen)\b(?![^.!?\n]{{0,200}}\bwerden\b)"
    rf"|\b{_DE}\s(?:hat|haben)\s(?:\S+\s){{1,12}}?zu\s\w+en\b|\b{_DE}\s(?:ist|sind)\s(?:\w+\s)?(?:verpflichtet|gehalten)\b"
    rf"|\b(?:will|möchte|verlangt|wünscht)\b[^.!?\n]{{0,40}}\bdass\b[^.!?\n]{{0,40}}\b{_DE}\b"
    # "debe ser", "doit être": what it is, not what it does
    rf"|\b{_ES}\s(?:\w+\s){{0,3}}?(?:debe(?:n|rán?|rían?)?|tienen? que|han? de|están? obligad[oa]s? a)\s"
    r"(?!(?:ser|estar|tener|haber)\b)"
    rf"|(?:^|\n)\W{{0,4}}que (?:el|la|los|las|l['’]|les?)\s?(?:\w+\s)?(?:{_ES}|{_FR})\b"
    rf"|\b(?:quiere|desea|exige|pide)\sque\b[^.!?\n]{{0,40}}\b{_ES}\b"
    rf"|\b{_FR}\s(?:\w+\s){{0,3}}?"
    r"(?:doi(?:t|vent)|devr(?:a|ont|ait|aient)|(?:est|sont) (?:\w+\s)?(?:tenue?s?|obligée?s?))\s(?!(?:être|avoir)\b)"
    rf"|\b(?:veut|souhaite|exige|demande|faut)\s(?:que|qu['’])[^.!?\n]{{0,40}}\b{_FR}\b"
    rf"|{_ZH}[^。！？\n]{{0,20}}?(?:必须|必須|应该?|應該?|应当|應當|需(?!要?\s?\d)要?|务必|務必|总是要?|總是要?|一定要|都要|不得|禁止|须)"
    rf"|(?:希望|要求|想让|想要|让|請|请|叫){_ZH}"
    rf"|{_JA}[^。！？\n]{{0,60}}?(?:べき|(?:なければ|なくては|ねば)(?:なら|いけ)|必要がある|てはならない|てはいけない|こと(?=[。！\s]|\Z))"
)
# Nobody in particular is to do it, so whoever reads it is.
NEEDED = (
    r"\bit is (?:necessary|mandatory|required|obligatory|imperative) to\b"
    r"|\bes ist (?:nötig|notwendig|erforderlich|pflicht)\b[^!?\n]{0,120}\bzu\b|\bman (?:muss|soll|sollte|hat)\b"
    r"|\b(?:hay que|se debe|es (?:necesario|obligatorio|preciso|imprescindible))\s\w+[aei]r\b"
    r"|\b(?:il faut|on doit|il est (?:nécessaire|obligatoire|impératif) (?:de\s|d['’]))\s?\w+(?:er|ir|re)\b"
)
# Whoever reads it is to do it.
READER = (
    r"\b(?:whoever|(?:any|every)(?:one|body))(?: who)? (?:reads?|reading|sees?|seeing|finds?|finding) (?:this|it)\b"
    r"|\bwer\s(?:\w+\s)?(?:das|dies(?:es)?)\s(?:\w+\s)?liest\b"
    r"|\b(?:quien(?:es)?|el que|cualquiera que)\s(?:le[ea]n?|vean?)\sesto\b"
    r"|\b(?:quiconque|(?:celui|celle|ceux) qui|qui)\s(?:lit|lisent|voit)\s(?:ceci|cela|ça)\b"
    r"|(?:读到|讀到|看到)[这這此][^。！？\n]{0,8}(?:的|者)|これを読(?:んだ|む)(?:人|者|エージェント|アシスタント)"
)
# What may stand before an order: "please", "before each answer, first".
_LEAD = (
    r"(?:(?:please|bitte|por favor|s['’]il (?:te|vous) pla[iî]t|also|then|and|und|dann|y|luego|et|puis|first|zuerst"
    r"|zunächst|primero|d['’]abord|immediately|sofort|inmediatamente|immédiatement|always|immer|siempre|toujours)\b[\s,:]{1,3}){0,4}"
)


def _thing(articles: str) -> str:
    """Return what stands behind the verb of an order: a command, a path, an address, "the …"."""
    named = r"(?:\w+\s){0,2}?(?:[\w-]+\.(?:sh|py|js|exe|bat|ps1)\b|make |curl |npm |git |sudo )"
    return rf"(?=\W?(?:[`\"'„“«./~$]|https?:|{named}|(?:{articles})\s))"


_DE_THING = _thing("den|die|das|diesen?|dieses|folgende\\w*|alle\\w*|jede\\w*|immer|zuerst|jetzt|sofort|eine?n?")
_ES_THING = _thing("el|la|los|las|est[ea]|estos|tod[oa]s?|cada|siempre|primero|ahora|una?")
_FR_THING = _thing("le|la|les|l['’]\\w+|ce|cet|cette|ces|tous|toutes|chaque|toujours|d['’]abord|maintenant|une?")
_DE_VERB = (
    r"(?:führe?|starte|installiere|lösche|entferne|sende|schicke|öffne|lade|rufe?|kopiere|leite|überspringe|verwende|nutze"
    r"|benutze|deaktiviere|aktiviere|genehmige|pushe|deploye|schreibe?|antworte|mache?|lass|lasse|stelle)"
)
_ES_VERB = (
    r"(?:ejecut[ae]|lanza|lance|inicia|inicie|arranca|arranque|instal[ae]|borr[ae]|elimin[ae]|envía|envíe|manda|mande|abre"
    r"|abra|descarga|descargue|reenvía|reenvíe|copi[ae]|omit[ae]|desactiv[ae]|activ[ae]|aprueb[ae]|corr[ae]|haz|haga|pon|ponga)"
)
_FR_VERB = (
    r"(?:exécute[rz]?|lance[rz]?|démarre[rz]?|installe[rz]?|supprime[rz]?|efface[rz]?|envo(?:ie|yez|yer)|ouvr(?:e|ez|ir)"
    r"|télécharge[rz]?|transme(?:ts|ttez|ttre)|copie[rz]?|saute[rz]?|désactive[rz]?|active[rz]?|approuve[rz]?|fais|faites|mets|mettez)"
)
_ZH_VERB = (
    r"(?:执行|執行|运行|運行|启动|啟動|安装|安裝|删除|刪除|发送|發送"
    r"|下载|下載|打开|打開|调用|調用|转发|轉發|上传|上傳|复制|複製|跳过|跳過|批准)"
)
_ZH_THING = (
    r"(?=\s?(?:[`\"'“「./~$]|[A-Za-z]|以下|下列|这|這|那|该|該|所有|全部|任何|每|一[个個]|命令|脚本|腳本|指令|测试|測試|部署|文件|邮件|郵件|日志|日誌|密码|密碼))"
    r"(?![^。！？\n]{0,30}(?:需要?\s?\S{0,3}(?:分|秒|小时|天)|了|失败|失敗|是))"
)
IMPERATIVE = (
    rf"(?:{_DE_VERB}\s(?:sie\s)?{_DE_THING}|(?:starten|führen|installieren|löschen|senden|schicken|öffnen)\ssie\b"
    rf"|{_ES_VERB}\s{_ES_THING}|{_FR_VERB}\s{_FR_THING}|(?:veuillez|merci de|prière de)\s\w+"
    rf"|(?:(?:请|請|务必|務必|立即|立刻|马上|先|首先|总是|始终|每次)[^。！？\n]{{0,6}}?{_ZH_VERB}|(?:你?(?:要|得|须|須|需要)先?)?{_ZH_VERB}{_ZH_THING}))"
)
BEGINS = rf"(?:^|[.!?;:。！？；：\n]\s?)[\s>*#_•\"“„«「-]{{0,6}}{_LEAD}"
# A Japanese order stands at its sentence's end; a German one may be no more than "is to be run".
ENDS = (
    r"(?:て|で)(?:ください|下さい|くれ)|(?:し|り|い|き|べ|み|ち)なさい|せよ|(?:して|しろ)(?=[。！!」\s]|\Z)|(?:ないで|ぬよう)"
    r"|\b(?:vor|bei|nach|immer|stets|zuerst|jedes mal)\b[^!?\n]{0,120}\b(?:ist|sind)\b[^!?\n]{0,120}"
    r"\b\w{2,7}zu\w+en(?=[\s.!]|\Z)"
)


def is_command(text: str) -> bool:
    """Return whether a text tells an agent, or whoever reads it, what to do.

    >>> is_command("El agente debe ejecutar setup.sh"), is_command("El agente corre en Oslo")
    (True, False)
    >>> is_command("Führe den Befehl `make` aus"), is_command("Der Befehl für Backups ist restic")
    (True, False)
    """
    return any(
        compiled(pattern, re.I).search(text) is not None
        for pattern in (DUTY, NEEDED, READER, rf"{BEGINS}{IMPERATIVE}", ENDS)
    )
