"""Does a sentence speak of whoever says it, or to somebody by his name? Pure."""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled, personal

OWN = (
    r"\b(?:i|me|my|mine|myself|we|our|us|ich|mich|mir|mein\w*|wir|uns|unser\w*|yo|mí?|mis|me|nos|nosotros|nuestr\w+"
    r"|je|j|moi|mon|ma|mes|nous|notre|nos)\b|[我咱]|私|僕|俺|うち"
)
SELF = OWN + r"|\b(?:you|your|du|dir|dich|ihr|tú?|tus?|tu|vous|votre)\b|[你您]|あなた"
# A name that a sentence is said to: "Thanks Maria", "…, Maria!", "Maria, I'm glad".
CALLS = (
    r"(?:hi|hey|hello|dear|thanks|thank you|yes|yeah|yep|yup|yea|no|nope|wow|oh|bye|ok(?:ay)?|sure|absolutely"
    r"|definitely|totally|exactly|congrat\w*|no (?:worries|problem)|nice(?: work| job)?|awesome|great|cool|right"
    r"|of course|hallo|liebe[rs]?|danke|ja|nein|tschüss|genau|klar|stimmt|hola|gracias|sí|claro|adiós|vale|salut"
    r"|bonjour|chère?|merci|oui|non|d'accord|bien sûr|嗨|谢谢|是的|对|好的?|不是)"
)
GREETED = rf"\b{CALLS}[,!]?\s+\Z"
ANSWERS = rf"\A\W*{CALLS}(?: [^\W\d_]+)?\s*[,!.，！。]"
BEFORE = r"(?:\A|[.!?…,，]\s*)\Z"
TO_HIM = (
    r"[,，]\s*(?:[我你您]|(?:i|you|we|let|so|how|what|ich|du|wir|yo|tú|je|tu|nous|vous|that['’]?s|it['’]?s|thanks?)\b)"
)
BEHIND = rf"\s*(?:[.!?…]|\Z|{TO_HIM})"
CALLED = rf"\s*(?:!|{TO_HIM})"


def is_of_self(text: str) -> bool:
    """Return whether a sentence speaks of its speaker, so that it has to be said who that is.

    >>> is_of_self("My sister lives in Porto"), is_of_self("Ana lives in Porto")
    (True, False)
    """
    return compiled(SELF, re.IGNORECASE).search(text) is not None


def is_of_speaker(text: str) -> bool:
    """Return whether a sentence speaks of its speaker, and not of whoever hears it alone.

    >>> is_of_speaker("I live in Porto"), is_of_speaker("You've got this")
    (True, False)
    """
    return compiled(OWN, re.IGNORECASE).search(text) is not None


def answers(text: str) -> bool:
    """Return whether a sentence begins as an answer: it was said to what somebody else had said.

    >>> answers("Yeah, it's my studio"), answers("It's my studio")
    (True, False)
    """
    return compiled(ANSWERS, re.IGNORECASE).match(text) is not None


def is_spoken_to(text: str, name: str) -> bool:
    """Return whether a name is nothing but that of whoever a text is said to, wherever it stands.

    >>> is_spoken_to("Thanks, Maria! I will.", "Maria"), is_spoken_to("Maria, my boss, wants PDFs", "Maria")
    (True, False)
    """
    places = list(personal(rf"\b{re.escape(name)}\b", re.IGNORECASE).finditer(text))
    return bool(places) and all(_is_call(text[: each.start()], text[each.end() :]) for each in places)


def is_greeted(text: str, name: str) -> bool:
    """Return whether a name stands behind a greeting or thanks alone, or is called first: nothing is said of whoever
    has it, if it is one and no exclamation.

    >>> is_greeted("Thanks Maria, I moved", "Maria"), is_greeted("Fired today. Colm.", "Colm")
    (True, False)
    >>> is_greeted("Woah, that's great", "Woah"), is_greeted("Maria, my boss, wants PDFs", "Maria")
    (True, False)
    """
    places = list(personal(rf"\b{re.escape(name)}\b", re.IGNORECASE).finditer(text))
    return bool(places) and all(_is_greeting_or_call(text[: each.start()], text[each.end() :]) for each in places)


def _is_greeting_or_call(before: str, behind: str) -> bool:
    is_first = compiled(r"\W*").fullmatch(before) is not None
    return _is_greeting(before, behind) or (is_first and compiled(CALLED, re.IGNORECASE).match(behind) is not None)


def _is_greeting(before: str, behind: str) -> bool:
    is_behind = compiled(GREETED, re.IGNORECASE).search(before) is not None
    return is_behind and compiled(r"\s*(?:[.!?…,，]|\Z)").match(behind) is not None


def _is_call(before: str, behind: str) -> bool:
    is_told = compiled(BEHIND, re.IGNORECASE).match(behind) is not None
    return _is_greeting(before, behind) or (is_told and compiled(BEFORE).search(before) is not None)
