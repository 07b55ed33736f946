"""How glad or angry a text sounds, by its words: −1 to 1.  Pure, local, no model.  [autopoiesis §4.2]

A word has a weight; what stands before it turns it ("not good"), raises it ("really good") or
lowers it ("a bit slow"); capitals and exclamation marks raise the whole. What comes after
"but" counts more than what comes before. Code and links have no mood.
"""

from __future__ import annotations

import math
from functools import cache

from koog.core.lazy_regex import compiled
from koog.core.text.markdown import without_code
from koog.core.text.measures import stem

LOOKED_AT = 20_000  # characters
NOTABLE = 0.3  # from here a mood is meant, not an accident of words
SCALE = 5.0  # one strong word (3) gives 0.54, two give 0.83
BACK = 3  # words before one that turn or raise it
TURNED = -0.7  # "not good" is bad, but less than "bad"
SHOUTED = 1.4
BEFORE_BUT, AFTER_BUT = 0.6, 1.3
MARKS_MOST, MARK = 3, 0.12  # each of at most three exclamation marks

WORDS: dict[float, str] = {
    3.0: """love loved adore amazing awesome fantastic brilliant excellent perfect perfectly superb wonderful thrilled
        delighted overjoyed outstanding magnificent genial großartig fantastisch wunderbar perfekt genialer fantastique
        merveilleux maravilloso fantástico splendido""",
    2.0: """great thank thanks thankful grateful happy glad beautiful impressive impressed excited enjoy enjoyed lovely
        appreciate appreciated win success successful delightful proud kudos congratulations congrats hooray yay
        elegant danke prima toll klasse freut merci génial gracias genial grazie ottimo bravo""",
    1.0: """good nice fine better best solved helpful useful smooth smoothly welcome improve improved improvement
        interesting cool neat handy reliable calm super gut schön gerne bien bon bueno bene""",
    -0.6: """bug bugs issue issues problem problems error errors warning wrong missing fail fails failed failing failure
        slow late delay delayed sorry leider langsam fehler problème problema lento lent""",
    -1.2: """confusing confused unclear unfortunately broken breaks crash crashed crashes tired annoying messy flaky odd
        weird worried worry concerned complain stuck mühsam kaputt cassé roto rotto""",
    -2.0: """bad worse angry upset unhappy
        disappointed disappointing disappointment frustrated frustrating frustration annoyed poor poorly ugly useless
        unusable unacceptable ridiculous lost sad hurt hate mess nonsense stupid refund complaint outage
        ignored waste wasted schlecht wütend ärgerlich verärgert enttäuscht nervig cassé fâché déçu enfadado
        arrabbiato""",
    -3.0: """terrible horrible awful worst disaster disastrous catastrophe catastrophic furious outraged outrageous
        disgusting disgusted pathetic garbage crap shit fuck fucking damn hell nightmare despise appalling abysmal
        infuriating unbelievable scam katastrophe furchtbar schrecklich scheiße scheisse unverschämt horreur merde
        catastrophe horrible mierda terribile schifo""",
}
SIGNS = {
    2.0: "🙂 😀 😃 😄 😊 😍 🥰 🎉 👍 ❤ 🙏 🚀 ✨ 💯 谢谢 太好了 太棒了 ありがとう 最高 嬉しい :) :-) :D ;) <3",
    -2.0: "🙁 ☹ 😞 😢 😭 😠 😡 🤬 👎 💔 😤 😩 🤦 :( :-( :'( >:(",
}
TURNS = frozenset(
    """not no never none nothing neither nor cannot without hardly barely don't doesn't didn't won't can't couldn't
    isn't aren't wasn't weren't wouldn't shouldn't haven't hasn't ain't nicht kein keine keinen nie pas jamais sin
    nunca non mai""".split()
)
RAISES = frozenset(
    """very really so extremely totally absolutely completely utterly incredibly such too deeply highly truly quite
    sehr wirklich total echt völlig très vraiment muy molto""".split()
)
LOWERS = frozenset("slightly somewhat bit little kinda sorta fairly partly mildly barely hardly etwas bisschen".split())
BUT = frozenset("but however though yet aber jedoch doch mais pero ma".split())

WORD_OR_MARK = r"[^\W\d_]+(?:['’][^\W\d_]+)?|[.,!?;\n]"
ENDS = frozenset(".!?;\n")
PARTS = ENDS | {","}


def valence(text: str) -> float:
    """Return the mood of a text, −1 to 1; 0 for one without any.

    >>> round(valence("This is terrible, it fails AGAIN!!!"), 2), round(valence("Not bad at all, thanks"), 2)
    (-0.75, 0.59)
    """
    text = without_code(text[:LOOKED_AT])
    tokens = compiled(WORD_OR_MARK).findall(text)
    shouting = text.isupper()  # then capitals raise nothing: all of it has them
    total = sum(_weight(tokens, i, shouting=shouting) for i in range(len(tokens)))
    total += sum(weight * text.count(sign) for weight, signs in SIGNS.items() for sign in signs.split())
    marks = min(MARKS_MOST, text.count("!"))
    return math.tanh(total * (1 + MARK * marks + 0.2 * shouting) / SCALE)


def _weight(tokens: list[str], at: int, *, shouting: bool) -> float:
    """Return what one word adds, by the words around it in its sentence."""
    weight = _known().get(_key(tokens[at]), 0.0)
    if not weight:
        return 0.0
    if tokens[at].isupper() and len(tokens[at]) > 2 and not shouting:
        weight *= SHOUTED
    for word in _before(tokens, at):
        if word in TURNS:
            weight *= TURNED
        elif word in RAISES:
            weight *= 1.3
        elif word in LOWERS:
            weight *= 0.6
    return weight * _side_of_but(tokens, at)


def _before(tokens: list[str], at: int) -> list[str]:
    """Return the words just before one, within its part of the sentence."""
    found: list[str] = []
    for token in reversed(tokens[max(0, at - BACK) : at]):
        if token in PARTS:
            break
        found.append(_low(token))
    return found


def _side_of_but(tokens: list[str], at: int) -> float:
    """Return the factor of a word that stands before or after a "but" of its sentence."""
    for token in tokens[at + 1 : at + 15]:
        if token in ENDS:
            break
        if _low(token) in BUT:
            return BEFORE_BUT
    for token in reversed(tokens[max(0, at - 15) : at]):
        if token in ENDS:
            break
        if _low(token) in BUT:
            return AFTER_BUT
    return 1.0


def _low(token: str) -> str:
    return token.lower().replace("’", "'")


def _key(token: str) -> str:
    return stem(_low(token))


@cache
def _known() -> dict[str, float]:
    """Return stem → weight; of a word in two lists the stronger one."""
    pairs = [(_key(word), weight) for weight, words in WORDS.items() for word in words.split()]
    return dict(sorted(pairs, key=lambda pair: abs(pair[1])))
