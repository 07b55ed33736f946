"""Which natural language a text is written in: by its script, and by its small words.  Pure.  [autopoiesis §4.2]

No model and no tables of letter statistics: a script names most languages that do not use
Latin letters, and the forty most common words of a language name it within a sentence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, lru_cache

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.markdown import without_code

LEAST_WORDS = 4  # fewer say too little: "ok, danke" may be a quotation
LEAST_WEIGHT = 1.0  # of hits; a word that two languages have counts half for each
LEAST_SHARE = 0.12  # of a text's words; running text has 0.3 to 0.6
LEAD = 1.25  # times the second language's weight
LEAST_LETTERS = 4  # of a script
LOOKED_AT = 20_000  # characters

NAMES = {
    "ar": "arabic",
    "bn": "bengali",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "he": "hebrew",
    "hi": "hindi",
    "hu": "hungarian",
    "it": "italian",
    "ja": "japanese",
    "ko": "korean",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "th": "thai",
    "tr": "turkish",
    "uk": "ukrainian",
    "zh": "chinese",
}
OWN_NAMES = {
    "deutsch": "de",
    "français": "fr",
    "español": "es",
    "italiano": "it",
    "português": "pt",
    "nederlands": "nl",
    "nb": "no",
    "nn": "no",
    "farsi": "fa",
    "ua": "uk",
    "jp": "ja",
    "cn": "zh",
}

SCRIPTS = (  # first and last letter, and the language that most who write it write
    ("\u0370", "\u03ff", "el"),
    ("\u0400", "\u04ff", "ru"),
    ("\u0590", "\u05ff", "he"),
    ("\u0600", "\u077f", "ar"),
    ("\u0900", "\u097f", "hi"),
    ("\u0980", "\u09ff", "bn"),
    ("\u0b80", "\u0bff", "ta"),
    ("\u0e00", "\u0e7f", "th"),
    ("\u1100", "\u11ff", "ko"),
    ("\u1f00", "\u1fff", "el"),
    ("\u3040", "\u30ff", "ja"),
    ("\u3400", "\u4dbf", "zh"),
    ("\u4e00", "\u9fff", "zh"),
    ("\uac00", "\ud7af", "ko"),
)
# Letters that only one of the languages of a script has.
TELLING = {
    "ru": {"uk": "іїєґ", "ru": "ыэё"},
    "ar": {"fa": "پچژگ"},
}

WORDS = {
    "en": """the and of to in is that it for was on are with as be at this have from or had by not but what all were we
        when your can there an which their if will how about they would you my please could should just""",
    "de": """der die das und ist nicht ich ein eine einen einem einer zu den von mit auf für im dem des sich auch es an
        wie als noch wird bei aber wir was kann du ihr sie haben hat sind oder bitte mir schon nur wenn""",
    "fr": """le la les des et est une un dans que qui pour pas sur ce cette avec il elle nous vous je ne plus au aux du
        en par mais ou sont être avoir fait comme tout bien très merci votre mon""",
    "es": """el la los las de que y en un una es por con para no se del al lo como más pero sus le ya este esta cuando
        muy sin sobre también me hasta hay donde está son tiene puede gracias favor qué""",
    "it": """il lo la gli di che è un una per non con del della dei sono si da come più anche ma nel alla questo questa
        ha ho se ci le al perché molto quando essere grazie può dove tutto mi sul""",
    "pt": """o os as de que e do da em um uma para é com não se na no por mais dos das como mas ao ele foi você seu sua
        ou quando muito já está são também pelo pela isso ela obrigado fazer""",
    "nl": """de het een en van ik te dat die is op niet zijn met voor aan er maar om hem ook als dan wat door bij nog
        naar heeft hebben dit deze wij jij je kun kan graag wordt worden geen uit waarom hoe dank""",
    "sv": """och att det som en på är av för med till den har inte om ett men jag var sig så från vi kan när ska de här
        hur eller mycket också skulle där måste alla bara denna du varför efter tack gärna något
        igen nej fungerar vad""",
    "da": """og at det som en på er af for med til den har ikke om et men jeg var sig så fra vi kan når skal de her
        hvordan eller meget også skulle hvor må alle bare denne hvad blev du hvorfor efter tak
        gerne hvis noget igen nej virker""",
    "no": """og at det som en på er av for med til den har ikke om et men jeg var seg så fra vi kan når skal de her
        hvordan eller mye også skulle hvor må alle bare denne hva ble etter du hvorfor takk
        gjerne hvis noe igjen nei sjekke fungerer""",
    "pl": """i w na nie z się do że to jest o jak ale co za po od dla tego czy tak już przez tylko może być było są mi
        ja ten jego jej który która proszę dziękuję przy""",
    "cs": """a v na se že je to s z do o k ale jako pro za by si jsem tak po jeho jak který která není nebo už jen jsou
        být má také byl když prosím děkuji proč""",
    "fi": """ja on ei se että hän oli mutta kun niin ovat myös mitä tämä joka ole kuin minä sinä voi olla nyt vain tai
        sitä mikä siitä ollut hyvin kiitos miten jos sekä""",
    "hu": """a az és hogy nem is egy van meg ez de csak már mint azt volt ha fel ki vagy lesz még kell el minden ezt
        kérem köszönöm nagyon miért itt most akkor ami""",
    "ro": """de și în la cu pe nu este o un că din care pentru mai sunt fi ce să se dar prin cum ca sau fost după foarte
        acest această aceasta mulțumesc când unde""",
    "tr": """ve bir bu da de için ile çok ne var gibi daha ama en kadar olarak ben sen o değil mi mı sonra ya her şey
        lütfen nasıl neden olan olduğu bana şu yok""",
}
LETTERS = {
    "de": "ß",
    "es": "ñ¿¡",
    "pt": "ãõ",
    "fr": "œùêç",
    "pl": "łąęńśźż",
    "cs": "řůěď",
    "hu": "őű",
    "tr": "ğış",
    "ro": "țșă",
}
LATIN_WORD = r"[^\W\d_]+(?:['’](?=[^\W\d_]))?"


class Guess(NamedTuple):
    """A language's code, or None and why not."""

    language: str | None
    why: str


def code(name: str) -> str | None:
    """Return the code of a language that is named by its code or its name, None for one that is not known.

    >>> code("German"), code("de"), code("pt-BR"), code("klingon")
    ('de', 'de', 'pt', None)
    """
    low = name.strip().lower()
    for known, english in NAMES.items():
        if low == english or re.fullmatch(rf"{known}(?:[-_].*)?", low):
            return known
    return OWN_NAMES.get(low)


def guess(text: str) -> Guess:
    """Return the language that most of a text is in.

    >>> guess("Kannst du mir bitte sagen, wie das geht?").language
    'de'
    """
    text = without_code(text[:LOOKED_AT])
    if script := _by_script(text):
        return Guess(script, f"its script is that of {NAMES[script]}")
    words = [word.lower().strip("'’") for word in compiled(LATIN_WORD).findall(text)]
    if len(words) < LEAST_WORDS:
        return Guess(None, f"too few words to tell: {len(words)}")
    weights = _weights(words)
    (best, weight), (_, second) = sorted(weights.items(), key=lambda found: (-found[1], found[0]))[:2]
    if weight < LEAST_WEIGHT or weight < LEAST_SHARE * len(words) or weight < LEAD * second:
        return Guess(None, "no language is plain")
    return Guess(best, f"its small words are {NAMES[best]}")


def _by_script(text: str) -> str | None:
    if text.isascii():
        return None
    counts = Counter(script(c) or "" for c in text if c.isalpha())
    letters = counts.total()
    counts.pop("", None)
    if counts["ja"] >= LEAST_LETTERS / 2:
        counts["ja"] += counts.pop("zh", 0)  # Japanese writes both; Chinese has no kana
    best, many = max(counts.items(), key=lambda found: found[1], default=("", 0))
    if many < LEAST_LETTERS or 2 * many < letters:
        return None
    low = text.lower()
    told = {name: sum(low.count(c) for c in own) for name, own in TELLING.get(best, {}).items()}
    return max(told, key=lambda name: told[name]) if any(told.values()) else best


@lru_cache(maxsize=4096)
def script(letter: str) -> str | None:
    """Return the language that a letter's script stands for, None for Latin and what is not known.

    By comparison: to compile a set of forty thousand letters takes longer than all the rest.
    """
    if letter < SCRIPTS[0][0]:
        return None
    return next((name for low, high, name in SCRIPTS if low <= letter <= high), None)


def _weights(words: list[str]) -> dict[str, float]:
    weights = dict.fromkeys(WORDS, 0.0)
    for word in words:
        speakers = _speakers().get(word, ())
        for language in speakers:
            weights[language] += 1 / len(speakers)
        if not word.isascii():
            for language, own in LETTERS.items():
                weights[language] += 0.5 * any(c in own for c in word)
    return weights


@cache
def _speakers() -> dict[str, tuple[str, ...]]:
    """Return word → the languages that have it among their most common."""
    found: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for language, words in WORDS.items():
        for word in dict.fromkeys(words.split()):
            found[word] += (language,)
    return dict(found)
