"""Is a sentence a rule about the person that names nothing of a project? Pure.  [design §7, context.otherProjects]

What is told across projects must be of no project. So a sentence passes that speaks of the person ("I prefer …") or
of how the agent is to answer, and that has none but ordinary words (ordinary_words.txt): no path, address, code or
number, and no name, whoever thought of it. What is not understood is not told.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from koog.core import shipped
from koog.core.lazy_regex import WIDE, compiled, for_text
from koog.core.text.measures import stem

KINDS = ("rule", "preference", "habit")
LONGEST_CHARS = 240
# The person, or what the agent says to the person.
PERSON = (
    r"(?i)\b(?:I|I['’]m|I['’]d|I['’]ve|me|my|mine|myself|user|"
    r"answer(?:s|ing)?|repl(?:y|ies|ying)|respond|responses?|explain|explanations?|explaining|call me|speak|talk|"
    r"ich|mir|mich|meine?[mnrs]?|antworte?n?|erkläre?n?|sprich|duzen?|siezen?|"
    r"yo|mí|mi|mis|me|conmigo|prefiero|quiero|odio|responde(?:r|rme)?|respóndeme|explica|explícame|háblame|tutéame|"
    r"je|moi|mon|ma|mes|réponds|répondez|répondre|explique[rz]?|parle[rz]?|tutoie(?:-moi)?|vouvoie)\b"
    r"|\b[jm]['’]|我|回答|回复|解释|私|僕|返事|答え|説明|話し"
)
SPEAKER = r"\A(?:User|Agent): "
NAMED = r"[`@#$_\\{}<>=|/&+*^~\[\]]|\d|\w\.\w|::|\(\)|[a-z][A-Z]"
WORD = r"[^\W\d_](?:['’-]?[^\W\d_]+)*"
WESTERN = ("english", "german", "spanish", "french")
# What projects and private affairs are about, and what an ordinary word could be taken for once it has lost its ending:
# how the agent is to answer does not need these words.
OF_PROJECTS = set(
    """
    deploy deployment server database repository release branch vendor client customer contract merger budget
    invoice patient lawsuit api cluster staging production project company firm seller buyer deal price money sell
    sold buy bought sign signed pay paid pays salary wage loan debt bank tax rent cost costs cheap expensive win
    lose lost owe lawyer court police judge boss colleague team staff partner wife husband spouse girlfriend
    boyfriend lover affair divorce marry marriage wedding child children kid kids son daughter mother father
    parent brother sister baby pregnant ill illness sick disease cancer pill pills drug drugs surgery doctor
    dentist nurse house home flat key keys pin password secret secretly code account card visit hire hired
    fire fired layoff quit resign leave job interview offer offers launch dead death die died hide hidden lie lied
    we we're we've us our ours kunde kunden firma vertrag preis geld verkaufen kaufen gehalt chef kollege frau
    mann scheidung kind kinder krank haus wohnung geheim geheimnis projekt wir uns unser unsere cliente clientes
    empresa contrato precio dinero vender comprar sueldo jefe esposa esposo marido mujer divorcio hijo hija hijos
    enfermo casa secreto proyecto nosotros nuestro nuestra prix argent vendre acheter salaire patron collègue
    femme mari enfant enfants malade maison projet nous notre nos entreprise contrat clients
    """.split()
)
EASTERN_AFFAIRS = (
    r"客户|公司|合同|价格|钱|工资|老板|同事|离婚|孩子|病|房子|秘密|项目|我们|"
    r"顧客|会社|契約|価格|お金|給料|上司|離婚|子供|家|我々"
)
# How the agent is to answer or to be; else it must be a liking or a habit, told in the first person.
FRAME = (
    r"(?i)\b(?:answer|reply|replies|respond|response|explain|explanation|write|speak|talk|call me|tell me|send me|"
    r"ask me|show me|give me|greet|address me|summar|format|tone|language|style|sentence|paragraph|emoji|bullet|"
    r"polite|formal|"
    r"antwort|erklär|schreib|sprich|sag|duz|siez|respon|respón|explic|explíc|us[ea]s?|escrib|habl|dime|tute|répon|expliqu|écri|parl|dis|tuto|"
    r"vouvo)"
    r"|回答|回复|解释|说|写|用|称呼|答え|返事|説明|話し|書い|敬語|使"
)
LIKING = (
    r"(?i)\A(?:I (?:\w+ )?(?:prefer|like|love|hate|dislike|enjoy|drink|eat|work|get up|sleep|read|use)|ich (?:mag|"
    r"hasse|liebe|trinke|esse|arbeite|benutze)|(?:me gusta|prefiero|odio|uso)|j['’]aime|"
    r"je (?:préfère|déteste|bois|mange)|"
    r"我(?:不|更)?(?:喜欢|讨厌|偏好|想要|希望)|(?:私|僕)は)"
)
NUMBERS = r"(?i)(?:\b(?:one|two|three|four|five|six|seven|eight|nine|zero)\b[ ,-]*){3}"
LONGEST_PIECE = 10  # characters
BEGINS = 2  # letters that no ending takes away
LAST = "\uffff"  # behind all letters
CJK = f"[{WIDE}]"


def is_rule(text: str, *, kind: str, names: Iterable[str] = ()) -> bool:
    """Return whether a line may be told in another project than the one it was said in.

    kind    its type; only KINDS pass
    names   names of projects, of which no word may be in it

    >>> is_rule("User: I prefer short answers", kind="preference"), is_rule("acme pays me late", kind="preference")
    (True, False)
    """
    said = compiled(SPEAKER).sub("", text.strip())
    if kind not in KINDS or not 0 < len(said) <= LONGEST_CHARS or not compiled(PERSON).search(said):
        return False
    if compiled(NAMED).search(said) or compiled(EASTERN_AFFAIRS).search(said) or compiled(NUMBERS).search(said):
        return False
    if not compiled(FRAME).search(said) and not compiled(LIKING).search(said):
        return False
    own = {part.lower() for name in names for part in re.findall(r"[^\W_]+", name) if len(part) > 2}
    found = [word.lower().replace("’", "'") for word in compiled(WORD).findall(said)]
    return bool(found) and all(word not in own and is_ordinary(word) for word in found)


def is_ordinary(word: str) -> bool:
    if for_text(CJK, word).search(word):
        return _is_made_of(word, _eastern())
    if {word, word.removesuffix("s")} & OF_PROJECTS:
        return False
    return all(languages(part) or (root := _root(part)) in _roots(root[:BEGINS]) for part in word.split("-"))


def languages(word: str) -> list[str]:
    """Return the languages with letters in which a word in small letters is an ordinary one just as it stands."""
    return [language for language in WESTERN if _has(language, word)]


@lru_cache(maxsize=16384)  # of a batch or a night, the same words again
def _has(language: str, word: str) -> bool:
    """Return whether a word is listed: in the last row that does not begin behind it."""
    rows = _rows(language)
    return word in rows[bisect_right(rows, f"{word} {LAST}") - 1].split()


@cache
def _eastern() -> frozenset[str]:
    return frozenset(" ".join((*_rows("chinese"), *_rows("japanese"))).split())


@cache
def _rows(language: str) -> list[str]:
    """Return the ordinary words of a language in their order, several a row.

    Of thousands a line needs a few: a set of all would be most of what it costs to look for names in it.
    """
    return _listed()[language].decode().splitlines()


@cache
def _listed() -> dict[str, bytes]:
    """Return language → its ordinary words."""
    parts = shipped.data(Path(__file__).with_name("ordinary_words.txt")).split(b"\n[")[1:]
    return {language.decode(): rows for language, _, rows in (part.partition(b"]\n") for part in parts)}


@cache
def _roots(begins: str) -> frozenset[str]:
    """Return the stems of the English words that begin so: of each one form is listed."""
    rows = _rows("english")
    near = rows[max(0, bisect_left(rows, begins) - 1) : bisect_left(rows, f"{begins}{LAST}")]
    return frozenset(_root(word) for row in near for word in row.split() if word[:BEGINS] == begins)


def _root(word: str) -> str:
    """Return a word without its ending, a comparison's too."""
    bare = word
    if word.endswith(("est", "ier")):  # of thousands of words, few: the pattern would be half of what this costs
        bare = compiled(r"(?<=\w\w\w)(?:i?est|ier)$").sub("", word)
    root = stem(bare)
    return root.removesuffix("e").removesuffix("y") if len(root) > 3 else root


def _is_made_of(word: str, pieces: frozenset[str]) -> bool:
    """Return whether a text without blanks can be cut into these pieces, whichever way."""
    reached = {0}
    for end in range(1, len(word) + 1):
        if any(start in reached and word[start:end] in pieces for start in range(max(0, end - LONGEST_PIECE), end)):
            reached.add(end)
    return len(word) in reached
