"""What somebody else has written of the user, as he would say it himself: "the user lives in Rome". Pure.

So agents note things, and what is told so is the user's as if he had said "I". Six languages.
"""

from __future__ import annotations

import re
from functools import lru_cache

from koog.core.lazy_regex import compiled

HINTS = ("user", "nutzer", "benutzer", "usuari", "utilisat", "用户", "ユーザー")
MEANWHILE = r"(?:(?:currently|now|still|also|usually|always|really|only|just|recently|mostly) )?"
# As it is told of him, and by himself; in this order.
ENGLISH = (
    (r"\b(?:the )?user['’]s\b", "my"),
    (rf"\b(?:the )?user ({MEANWHILE})is\b", r"I \1am"),
    (rf"\b(?:the )?user ({MEANWHILE})has\b", r"I \1have"),
    (rf"\b(?:the )?user ({MEANWHILE})(was|does not|doesn['’]t)\b", r"I \1\2"),
    (rf"\b(?:the )?user ({MEANWHILE})([a-z]+(?:sh|ch|ss|x|o))es\b", r"I \1\2"),
    (rf"\b(?:the )?user ({MEANWHILE})([a-z]+[bcdfghklmnpqrtvwz])ies\b", r"I \1\2y"),
    (rf"\b(?:the )?user ({MEANWHILE})([a-z]+[a-rt-z])s\b", r"I \1\2"),
    (r"\bI (?:does not|doesn['’]t)\b", "I don't"),
    (r"\b(?:the user|user(?= (?:and|moved|can|will|should|must|had|went|got|started|left|grew)\b))", "I"),
)
OTHERS = (
    (r"\b(?:des|der) (?:be)?nutzer(?:s|in)\b(?! \w+t\b)", "von mir"),
    (r"\b(?:der|die) (?:be)?nutzer(?:in)? ist\b", "ich bin"),
    (r"\b(?:der|die) (?:be)?nutzer(?:in)? hat\b", "ich habe"),
    (r"\b(?:der|die) (?:be)?nutzer(?:in)? (\w+[a-zß])t\b", r"ich \1e"),
    (r"\b(?:el usuario|la usuaria) se llama\b", "me llamo"),
    (r"\b(?:el usuario|la usuaria) se mudó\b", "me mudé"),
    (r"\b(?:el usuario|la usuaria) es\b", "soy"),
    (r"\b(?:el usuario|la usuaria) tiene\b", "tengo"),
    (r"\b(?:el usuario|la usuaria) está\b", "estoy"),
    (r"\b(?:el usuario|la usuaria) (\w+[bcdfgjlmnprstvz])(?:a|e)\b", r"\1o"),
    (r"\bl['’]utilisat(?:eur|rice) s['’]appelle\b", "je m'appelle"),
    (r"\bl['’]utilisat(?:eur|rice) est\b", "je suis"),
    (r"\bl['’]utilisat(?:eur|rice) a\b", "j'ai"),
    (r"\bl['’]utilisat(?:eur|rice) (?=[aeéhiou])", "j'"),
    (r"\bl['’]utilisat(?:eur|rice) ", "je "),
    (r"(?<!\w)用户(?!们|名|体验|界面|组|数|群)", "我"),  # "每个用户" is anybody
    (r"(?<!\w)ユーザー(?=[はのもが])", "私"),  # "アプリのユーザー" is whoever uses it
)
# "every user" is nobody, and the user's name in a program not what he is called.
NOT_HIS = (
    r"\b(?:each|every|any|an?|one|another|this|that|no|per|our|jeder?|kein|cada|chaque) user\b"
    r"|\busers? (?:of|who|that|with|from|in|on|at)\b|\butilisat\w+ (?:de|du|des|qui|que|dans|avec|sur)\b"
    r"|\butilisat\w+ d['’]|\busuari\w+ (?:de|del|que|con|en)\b"
    r"|\b(?:be)?nutzer(?:in)? (?:der|des|von|vom|in|im|mit|aus|am|an)\b|\b(?:be)?nutzer(?:in)?, (?:der|die)\b"
    # Who works a program is whoever that is: "the user clicks Save".
    r"|\buser (?:can |may |must |should |will |then |first )?(?:clicks?|taps?|selects?|enters?|types?|submits?"
    r"|press(?:es)?|scrolls?|uploads?|sees?|opens?|drags?|hovers?|(?:logs?|signs?) (?:in|on|up|out))\b"
    r"|\b(?:user|usuari|nutzer|utilisat)\w*[- ](?:names?|ids?|accounts?|groups?|stories|story|interface|tests?)\b"
)


@lru_cache(maxsize=512)
def own(text: str) -> str:
    """Return a line as the user would say it of himself, where it is written of him; else as it is.

    >>> own("The user lives in Rome and the user's wife is Ana"), own("User is allergic to nuts")
    ('I live in Rome and my wife is Ana', 'I am allergic to nuts')
    >>> own("Der Nutzer wohnt in Rom"), own("El usuario vive en Roma"), own("L'utilisateur habite à Rome")
    ('ich wohne in Rom', 'vivo en Roma', "j'habite à Rome")
    >>> own("The user interface is slow"), own("Every user has a key")
    ('The user interface is slow', 'Every user has a key')
    >>> own("The user of our app moved to Milan"), own("每个用户搬到了米兰"), own("用户住在上海")
    ('The user of our app moved to Milan', '每个用户搬到了米兰', '我住在上海')
    >>> own("The user clicks Save and the page closes")
    'The user clicks Save and the page closes'
    """
    low = text.casefold()
    if not any(hint in low for hint in HINTS) or compiled(NOT_HIS, re.IGNORECASE).search(text):
        return text
    for told, said in (*ENGLISH, *OTHERS):
        text = compiled(told, re.IGNORECASE).sub(said, text)
    return text
