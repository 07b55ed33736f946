"""A piece of text → its sentences, in six languages.  [design §4 "one reading"]

A full stop ends a sentence when what follows begins one: a capital, a figure, a script without capitals, or a
lower-case word of somebody who writes no capitals. It ends none in names, versions, paths and numbers, behind
abbreviations and German ordinals ("am 30. November"), nor in code. A blank behind it is not needed where no name could
be meant ("done.Next"). A semicolon ends none, because its second half explains or mends the first ("it failed; a new
cable helped"), but where the whole would be too long to be one thought. Nothing but white space
is ever lost. Pure and linear.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from koog.core.lazy_regex import compiled

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
CLOSING = "\"'”’»›)\\]*_」』）》】〉"
# A run of marks with what closes behind it; a semicolon; two dashes in the middle. Each begins only behind a non-mark.
STOP = (
    rf"(?P<wide>[。！？｡]+[。！？｡…!?.]*[{CLOSING}]*)|(?P<stop>[.!?…]+(?P<closed>[{CLOSING}]*))|(?P<semicolon>;(?=\s)|；)"
    r"|(?<=\S)(?P<dash>\s)\s*(?=[-–—]{2}\s)"
)
CODE = r"`[^`\n]+`"
OPENING = "([{\"“„«‹'‘`*_@#¿¡「『（《【"
FOLLOWING = rf"(\s*)[{re.escape(OPENING)}]*(.?)"
LONG = 280  # characters; a longer sentence is cut at its semicolons
FAR = 40  # characters before a stop that are looked at: no abbreviation is longer

# Behind these no sentence ends; behind the second list, one does only when what begins is a word that begins sentences;
# behind the third, none does before a figure.
NEVER = frozenset(
    """
    e.g i.e eg ie cf vs viz al approx dr mr mrs ms prof rev gen sen jr sr hr fr frl st
    bzw vgl ggf evtl inkl exkl zzgl bspw sog ca d.h z.b u.a s.o s.u i.d.r o.ä v.a m.e
    ej p.ej sra srta dra ud uds aprox ex p.ex cf mme mlle mgr c.-à-d c.à.d
    """.split()
)
RARELY = frozenset(
    "etc usw usf incl inc ltd co corp a.m p.m am pm u.s u.k env resp dept est ext bros gmbh & a.c d.c".split()
)
NUMBERED = frozenset("no nr nº núm num fig abb abs art kap cap ch sec p pp s vol v ver min max pág págs tel".split())
MONTHS = "jan feb mär mar apr mai may jun jul aug sep sept okt oct nov dez dec".split()
BEFORE_ORDINAL = frozenset(
    """
    am der die das dem den des zum zur vom beim im ab bis seit jeder jede jedes jeden jedem ein eine einen einem einer
    mein meine unser unsere ihr ihre sein seine dieser diese dieses diesen und oder montag dienstag mittwoch donnerstag
    freitag samstag sonntag mo di mi do fr sa so
    """.split()
)
# Words with which sentences begin and names of code hardly do.
STARTERS = frozenset(
    """
    the this that these those there then next now here we i i'm i'll i've you he she they it it's its our my your his
    her and but so or if when while after before because also please always never don't do does did not no yes ok
    let let's use what why how who where which as for from in on at with all some every nobody everyone
    wir ich du er sie es das der die dies diese dann danach jetzt hier unser mein dein und aber oder wenn weil bitte
    immer nie kein keine nicht nein ja was warum wie wer wo alle jeder
    el la los las un una esto eso este esta entonces luego ahora aquí nosotros yo tú ella ellos y pero o si cuando
    porque por siempre nunca sí qué cómo quién dónde todos cada hay usa
    le les une ce cette ces ensuite puis maintenant ici nous je tu il elle ils on et mais ou quand parce toujours jamais
    non oui que comment qui où tous chaque c'est j'ai
    """.split()
)
# What stands before the dot of a name that is written without code marks: time.Now, http.Client, React.Component.
QUALIFIERS = frozenset(
    """
    http https time fmt os io sync json yaml strings string math errors error context log logging net url path paths
    system react vue node java spring pandas numpy torch keras django flask rails kotlin scala this self super module
    exports window document console process regexp datetime collections typing
    """.split()
)


def split(text: str) -> list[tuple[int, str]]:
    """Return the sentences of a text in their order, each with the place where it begins.

    >>> split("Abgabe ist am 30. November. Done.Next we ship v1.2, e.g. on Friday!")
    [(0, 'Abgabe ist am 30. November.'), (28, 'Done.'), (33, 'Next we ship v1.2, e.g. on Friday!')]
    >>> split("发布在周五。周四备份！")
    [(0, '发布在周五。'), (6, '周四备份！')]
    """
    found, begin = [], 0
    for end in [*_ends(text), len(text)]:
        if sentence := text[begin:end].strip():
            found.append((begin + len(text[begin:end]) - len(text[begin:end].lstrip()), sentence))
        begin = end
    return found


def ends(text: str) -> bool:
    """Return whether a row's words end with a full stop that ends a sentence.

    >>> ends("We ship."), ends("We ship, e.g."), ends("今天发布。")
    (True, False, True)
    """
    row = text.rstrip()
    stop = compiled(rf"(?:[。！？｡…!?]|(?P<dot>\.))[.!?…。！？]*[{CLOSING}]*\Z").search(row[-FAR:])
    if stop is None:
        return False
    return not stop["dot"] or not _is_short(row[-FAR:][: stop.start()], "")


def _ends(text: str) -> Iterator[int]:
    """Yield the places where a sentence ends and another follows."""
    code = [(span.start(), span.end()) for span in compiled(CODE).finditer(text)] if "`" in text else []
    starts = [start for start, _ in code]
    begin, halves = 0, list[int]()  # of the sentence that is being read; where its semicolons are
    for stop in compiled(STOP).finditer(text):
        inside = bisect_right(starts, stop.start()) - 1
        if inside >= 0 and stop.start() < code[inside][1]:
            continue
        if stop.lastgroup == "semicolon":
            halves.append(stop.end())
        elif stop.lastgroup == "dash" or _is_end(text, begin, stop.start(), stop.end(), stop.lastgroup or ""):
            yield from halves if stop.end() - begin > LONG else ()
            begin, halves = stop.end(), []
            yield begin
    yield from halves if len(text) - begin > LONG else ()


def _is_end(text: str, begin: int, at: int, end: int, kind: str) -> bool:
    """Return whether the mark at a place ends the sentence that began at `begin`."""
    following = compiled(FOLLOWING).match(text, end)
    blank, first = (following[1], following[2]) if following else ("", "")
    if not first:
        return False  # the text ends here
    if kind == "wide":
        # 「はい。」と言った goes on behind the quotation.
        return text[end - 1] not in "」』）》】" or first not in "とっはがをのにでもやへ，,、"
    before, marks = text[max(begin, at - FAR) : at], text[at:end]
    if not blank:
        return _is_end_without_blank(text, before, marks, end)
    if "!" in marks or "?" in marks:
        return marks[-1] in "!?…" or not first.islower()
    if first.islower():
        return marks == "." and _is_word(before, _word_at(text, end).lower() in STARTERS)
    return marks[0] == "…" or marks.startswith("..") or not _is_short(before, _word_at(text, end))


def _is_end_without_blank(text: str, before: str, marks: str, end: int) -> bool:
    """Return whether a mark ends a sentence though the next one is written close behind it."""
    first = text[end]
    if compiled(f"[{CJK}]").match(first) and (marks[0] in "!?…" or compiled(f"[{CJK}]").match(before[-1:])):
        return True
    left = _last_words(before)[1]
    right = compiled(r"([^\W\d_]+(?:['’][^\W\d_]+)?)([,;:]?\s+(\S?))?").match(text, end)
    if right is None or not left.isalpha() or len(left) < 2 or marks[-1] not in ".!?":
        return False
    word, low = right[1], right[1].lower().replace("’", "'")
    if not word[0].isupper() or not (word[1:].islower() or len(word) == 1) or not right[2]:
        return False
    if marks != ".":
        return True
    return left.lower() not in QUALIFIERS and (low in STARTERS or (len(left) > 2 and right[3].islower()))


def _is_word(before: str, begins: bool) -> bool:
    """Return whether a sentence may end with this word though the next begins in lower case, with a starter or not."""
    word = _last_words(before)[1].lower()
    return len(word) > 2 - begins and word.isalpha() and word not in NEVER | RARELY | NUMBERED


def _is_short(before: str, following: str) -> bool:
    """Return whether what stands before a full stop is an abbreviation or an ordinal, given the word behind it."""
    last, word = (each.lower() for each in _last_words(before))
    begins = following.lower().replace("’", "'") in STARTERS
    if word.isdigit() and len(word) < 3:
        month = following.lower().rstrip(".")[:3] in MONTHS
        return not last or month or (last in BEFORE_ORDINAL and not begins)
    if len(word) == 1 and word.isalpha():
        # z. B. Postgres, J. Smith; but "plan B. Then we go" and "so do I. We go".
        return (len(last) == 2 and last[1] == ".") or (not begins and (word != "i" or not last))
    if word in NEVER:
        return True
    if word in NUMBERED:
        return following[:1].isdigit()
    return word in RARELY and not begins


def _last_words(before: str) -> tuple[str, str]:
    """Return the last two words before a stop; the last is "" behind a blank."""
    words = before.rsplit(None, 2)[-2:] if before and not before[-1].isspace() else [*before.rsplit(None, 1)[-1:], ""]
    return words[0] if len(words) > 1 else "", words[-1].lstrip(OPENING) if words else ""


def _word_at(text: str, at: int) -> str:
    """Return the word behind a stop: letters or figures."""
    word = compiled(r"\W*([^\W_]+(?:['’][^\W_]+)?\.?)").match(text, at, at + FAR)
    return word[1] if word else ""
