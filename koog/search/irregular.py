"""English words whose forms share no stem, so that "when did she go" also finds "I went".

The index cuts regular endings (porter). What is left is this list: verbs of everyday notes, and plurals.
"""

from __future__ import annotations

from functools import cache

FORMS = """
    become became; begin began begun; bite bit bitten; blow blew blown; break broke broken; bring brought; build
    built; burn burnt; buy bought; catch caught; choose chose chosen; come came; deal dealt; dig dug; draw drew
    drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight
    fought; find found; fly flew flown; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
    get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden; hold
    held; keep kept; know knew known; lay laid; lead led; learn learnt; leave left; lend lent; light lit; lose
    lost; make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung; rise rose risen; run ran;
    say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken; shine shone; shoot shot; show
    shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke
    spoken; spend spent; spin spun; stand stood; steal stole stolen; stick stuck; swear swore sworn; sweep
    swept; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought;
    throw threw thrown; understand understood; wake woke woken; wear wore worn; win won; write wrote written;
    child children; foot feet; goose geese; half halves; knife knives; leaf leaves; life lives; man men; mouse
    mice; person people; shelf shelves; tooth teeth; wife wives; wolf wolves; woman women; mom mum mother; dad
    father; bad worse worst; good better best; index indices; criterion criteria; analysis analyses
"""


@cache
def _table() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in FORMS.split(";"):
        words = group.split()
        for word in words:
            found[word] = tuple(other for other in words if other != word)
    return found


def forms(word: str) -> tuple[str, ...]:
    """Return the other forms of a lower-case word that no stem joins with it.

    >>> forms("went"), forms("walk")
    (('go', 'gone'), ())
    """
    return _table().get(word, ())
