"""Whether a text says no: the one list of denials, in six languages.  [design §4 "one reading"]"""

from __future__ import annotations

from koog.core.lazy_regex import compiled

# Words that turn a sentence. Of Chinese and Japanese, the letters and pairs that words.tokens makes of them.
WORDS = frozenset(
    """
    not no nor never none nobody nothing neither without cannot don't doesn't didn't won't can't isn't aren't wasn't
    weren't shouldn't wouldn't couldn't mustn't haven't hasn't hadn't ain't except unless
    nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder außer
    no nunca jamás sin ningún ninguna ninguno nada nadie tampoco ni salvo excepto
    ne pas jamais aucun aucune sans rien ni non sauf
    不 没 沒 未 勿 别 別 无 無 非 禁止 ない なく ませ ずに
    """.split()
)
SAYS_NO = (
    r"(?i)\b(?:not|never|no longer|cannot|without|neither|nobody|none of|stopp?(?:ed|s)? (?!at\b|by\b)|\w+n[’']t"
    r"|(?:dislike|hate|loathe)[ds]?|hass(?:t|en)|odi[ao]n?|détest\w+"
    r"|nicht|kein(?:e[nmrs]?)?|nie(?:mals|mand)?|nichts|ohne|weder"
    r"|nunca|jamás|sin|ning[uú]n[oa]?|nadie|tampoco|pas|jamais|aucune?|sans|rien|n(?:e |['’])[^\s.,;]+ plus"
    r"|no(?=\s+(?!\d|one\b|doubt|problem|worries|wonder)\w))\b"
    r"|不(?!仅|但|错|过|同|断|少|久|管|论|妨|僅|錯|過|斷)|[没沒勿]|(?<![特分级类区个性识差])[别別](?![的人名处處])|[无無](?!论|論)|未(?![来來])"
    r"|禁止|ない|なかった|ません|ずに|なし(?=[、。で]|\Z)|讨厌|嫌い"
)
# What looks like a denial and is none: "not only", a must in Japanese, "can't wait".
NO_DENIAL = (
    r"(?i)\bnot (?:only|just|sure)\b|\bwhy not\b|\bca[nN][’']?t (?:wait|believe|help|imagine|say)\b"
    r"|\bdo(?:es)?n[’']t (?:know|mind|forget|worry)\b|\bnicht nur\b|\bno s[oó]lo\b|\bnon seulement\b|\bsin falta\b"
    r"|没关系|差不多|な(?:ければ|くては|いと)(?:な|いけ)(?:らない|りません|ない|ません)|かもしれ(?:ない|ません)|しかない"
)


def is_denied(text: str) -> bool:
    """Return whether a sentence denies something, forbids it or says that it is over.

    >>> is_denied("Never deploy on Fridays"), is_denied("nicht nur freitags"), is_denied("不用MySQL")
    (True, False, True)
    """
    return bool(compiled(SAYS_NO).search(compiled(NO_DENIAL).sub("", text)))
