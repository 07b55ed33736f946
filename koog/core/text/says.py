"""What one line says, read once so that comparing it with many is cheap.  [design §4 "one reading"]

    says    a line → its words as ideas, numbers with what they count, names, denials, how it speaks of a change

Six languages. Words that mean nearly the same are one idea, members of one kind ("Tuesday", "Friday") exclude one
another; both stand in compare.txt. Nothing is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from unicodedata import normalize

from koog.core import shipped
from koog.core.lazy_regex import WIDE, compiled, for_text
from koog.core.named import NamedTuple
from koog.core.text import dates, negation
from koog.core.text.measures import STOPWORDS, stem

MOST_CHARS = 600  # of a line: what is longer is compared by its beginning
MOST_WORDS = 60
LABEL = (
    r"(?i)\s*(?:[-*•]\s+)?(?:[🔴🟡🟢]\ufe0f?\s*)?(?:\d\d:\d\d\s+)?(?:\[[^\]\n]{1,30}\]\s*)*"
    r"(?:(?:group: ?)?(?:user|agent|human|assistant|nutzer(?:in)?|usuari[oa]|utilisat(?:eur|rice)|用户|ユーザー)"
    r"\s?[:：]\s*)?"
)
TAGS = r"\s*(?:<!--.*?(?:-->|\Z)|[\[(](?:since|score|deferred|seen|source)\b[^\])]*[\])])"
PIECE = (
    rf"\d+(?:[.,:/-]\d+)*(?:k|h)?(?![^\W_])|\d+(?:[.,:/-]\d+)*"
    rf"|`[^`]+`|[^\W{WIDE}]+(?:[._/'+#@-][^\W{WIDE}]+)*[+#]*|[{WIDE}]+|[€$%]|[.!?;:,。！？；：，、]|\s[-–—]\s"
)
CLITIC = r"(?i)(?:[ldjnmtsc]|qu)'(?=[^\W\d_]{2})"
CLAUSE = r"[.!?;:,。！？；：，、—–-]"
ENDS = frozenset(CLAUSE[1:-1])
SENTENCE = frozenset(".!?:。！？：")
THOUSANDS = r"\d{1,3}(?:[.,]\d{3})+"
LONGEST = 6  # letters of a wide word in compare.txt
LONGEST_SAID = 4  # words of it that are one
NOUNS = frozenset(
    "der das dem den und ist sind nicht ein eine einen einer im zum zur mit auf für von wird wir ich sich bei nur ab "
    "um kein keine hat haben am an aus nach vor seit jetzt läuft gibt unser unsere als auch".split()
)
TEENS = """
    two zwei dos deux 两 二 couple pair zweimal;three drei tres trois 三;four vier cuatro quatre 四;
    five fünf cinco cinq 五;six sechs seis 六;seven sieben siete sept 七;eight acht ocho huit 八;
    nine neun nueve neuf 九;ten zehn diez dix 十;eleven elf once onze 十一;twelve zwölf doce douze dozen 十二;
    thirteen dreizehn trece treize 十三;fourteen vierzehn catorce quatorze 十四;fifteen fünfzehn quince quinze 十五;
    sixteen sechzehn dieciséis seize 十六;seventeen siebzehn diecisiete dix-sept 十七;
    eighteen achtzehn dieciocho dix-huit 十八;nineteen neunzehn diecinueve dix-neuf 十九
"""
TENS = """
    twenty zwanzig veinte vingt 二十;thirty dreißig treinta trente 三十;forty vierzig cuarenta quarante 四十;
    fifty fünfzig cincuenta cinquante 五十;sixty sechzig sesenta soixante 六十;
    seventy siebzig setenta soixante-dix 七十;
    eighty achtzig ochenta quatre-vingts 八十;
    ninety neunzig noventa quatre-vingt-dix 九十;hundred hundert cien cent 一百
"""
NUMBERS = {word: n for n, words in enumerate(TEENS.split(";"), 2) for word in words.split()} | {
    word: 10 * n for n, words in enumerate(TENS.split(";"), 2) for word in words.split()
}
HUNDRED = 100
NE_REACH = 4  # words between the two halves of "ne … plus" and "kein … mehr"
ONLY_CUES = frozenset("now onward rather wrong back moved".split())  # words that say no more than that
JOINED = 9  # letters of a word that ends in what it stands on: "Hausordnung"
ONES = frozenset("one ein eins un uno une".split())
WIDE_DIGITS = {char: n for n, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
WIDE_SCALE = {"十": 10, "百": 100, "千": 1000, "万": 10000, "億": 10**8, "亿": 10**8}
WIDE_NUMBER = (
    r"([零〇一二两三四五六七八九十百千万億亿]+)(?=[号號点點时時月日年周週岁歳人名个個天分秒层階楼床份次回度円元块本台頭匹"
    r"只隻カか件条枚米メ期番組组折倍割つ])"
)
NO_NUMBER = ("一个", "一次", "一点", "一番", "一人", "一名", "一条", "一周", "一本", "一回", "一件")


class Says(NamedTuple):
    """What one line says.

    words    its ideas in order, numbers among them as "#5", and what they are: NUMBER, NAME, KIND, MAYBE a name, WORD
    ideas    the distinct ones without numbers
    numbers  value → what it counts, or what it is the number of
    names    what surely is one; `maybe`: what may be one, since it begins a sentence or is a noun with a capital
    kinds    kind → the members that are named
    denied   ideas that stand in a clause which says no
    cues     how it tells a change, and `source`, `self`, `past`
    told     cue → ideas and numbers that stand in a clause with it: "we dropped Redis" says of what
    text     the line without who said it
    """

    words: tuple[str, ...]
    marks: tuple[str, ...]
    ideas: frozenset[str]
    numbers: Mapping[str, frozenset[str]]
    names: frozenset[str]
    maybe: frozenset[str]
    kinds: Mapping[str, frozenset[str]]
    denied: frozenset[str]
    denials: int
    cues: frozenset[str]
    told: Mapping[str, frozenset[str]]
    text: str
    wide: bool


NUMBER, NAME, KIND, MAYBE, WORD = "number", "name", "kind", "maybe", "word"


class Entry(NamedTuple):
    what: str  # cue, kind, near, stop, deny, self
    name: str
    member: str


class Table(NamedTuple):
    """The words of compare.txt: whole ones, how others begin, and those of a wide script."""

    whole: dict[str, tuple[Entry, ...]]
    begun: dict[str, tuple[Entry, ...]]
    wide: dict[str, tuple[Entry, ...]]


@lru_cache(maxsize=1)
def table() -> Table:
    """Return what compare.txt knows."""
    whole: dict[str, tuple[Entry, ...]] = {}
    begun: dict[str, tuple[Entry, ...]] = {}
    wide: dict[str, tuple[Entry, ...]] = {}
    for line in shipped.text(shipped.PACKAGE / "core/text/compare.txt").splitlines():
        what, _, rest = line.partition(" ")
        if what not in ("cue", "kind", "near", "stop", "deny", "self", "past", "source"):
            continue
        name, words = (what, rest) if what in ("stop", "deny", "self", "past", "source") else rest.split(None, 1)
        for n, member in enumerate(words.split(";")):
            entry = (Entry(what, name, f"{name}{n}"),)
            for word in member.split():
                if word[0] >= "\u3040":
                    known, key = wide, word
                elif word[-1] == "*":
                    known, key = begun, word[:-1]
                else:
                    known, key = whole, word.removesuffix("_")
                known[key] = known[key] + entry if key in known else entry
    return Table(whole, begun, wide)


@lru_cache(maxsize=16384)
def _entries(word: str) -> tuple[Entry, ...]:
    """Return what is known of a word: as a whole, else by the longest beginning that is."""
    known = table()
    found = known.whole.get(word, ()) or known.whole.get(stem(word), ())
    if "-" in word and word.isascii():
        return found  # "release-a" is another thing than "release-b"
    for end in range(len(word), 2, -1):
        if begun := known.begun.get(word[:end]):
            return found + begun
    return found


def is_of_source(word: str) -> bool:
    """Return whether a word says that somebody else says so: says, according, record."""
    return any(entry.what == "source" for entry in _entries(word))


def is_of_relay(word: str) -> bool:
    """Return whether a word passes on what somebody said or wrote: told, wrote, memo."""
    return is_of_letter(word) or any(entry.what == "cue" and entry.name == "reports" for entry in _entries(word))


def is_of_letter(word: str) -> bool:
    """Return whether a word says that something was told or written, and not only that somebody called."""
    return word in _row("relays")


def is_of_voice(word: str) -> bool:
    """Return whether a word tells by whom or in what a view is given: sure, poster, clause."""
    return word in _row("voices") or stem(word) in _row("voices")


def is_of_paper(word: str) -> bool:
    """Return whether a word is what something stands on: lease, plate, minutes; German joins it to what it is of."""
    return word in _row("papers") or (len(word) >= JOINED and word.endswith(_joined()))


@cache
def _joined() -> tuple[str, ...]:
    return tuple(_row("joined"))


def is_what_papers_do(word: str) -> bool:
    """Return whether a word says that a paper has something: lists, puts, has."""
    return word in _row("holds")


def is_of_sureness(word: str) -> bool:
    """Return whether a word says that somebody is sure of something: adamant."""
    return word in _row("sure")


def has_wide_voice(text: str) -> bool:
    """Return whether a text has such a word of a script that is written without blanks."""
    return any(word in text for word in _row("voices") if word[0] >= WIDE[0])


@cache
def _row(name: str) -> frozenset[str]:
    rows = shipped.text(shipped.PACKAGE / "core/text/compare.txt").splitlines()
    return frozenset(word for row in rows if row.startswith(f"{name} ") for word in row.split()[1:])


@lru_cache(maxsize=16384)
def _idea(word: str) -> str:
    """Return a word as the idea that it stands for, "" when it carries nothing."""
    entries = _entries(word)
    for what in ("kind", "near", "self"):
        for entry in entries:
            if entry.what == what:
                return f"<{entry.member}>" if what == "kind" else f"<{entry.name}>"
    if word in STOPWORDS or any(entry.what == "stop" for entry in entries):
        return ""
    root = _rooted(word)
    return root.removesuffix("e") if len(root) > 4 else root


def _rooted(word: str) -> str:
    word = word.removesuffix("'s")  # whose it is: he is called "Doutzen", as in "Doutzen's"
    root = stem(word)
    if root == word and len(word) > 4:
        for ending in ("en", "er", "es", "em", "os", "as", "e", "n", "o", "a"):
            if word.endswith(ending) and len(word) - len(ending) >= 4:
                return word.removesuffix(ending)
    return root


@lru_cache(maxsize=16384)  # a night reads the lines of a whole memory several times over; 2 kB each
def says(line: str) -> Says:
    """Return what a line says."""
    text = bare(line)
    reader = _Reader(text)
    for piece in for_text(PIECE, text).finditer(text):
        reader.take(piece[0])
    return reader.result()


def bare(line: str) -> str:
    """Return a line without who said it, marks and tags.

    >>> bare("- 🔴 09:14 User: Use tabs (score: 0.5) <!-- dc:type=rule -->")
    'Use tabs'
    """
    text = normalize("NFKC", line[: 2 * MOST_CHARS]).replace("’", "'")
    text = compiled(TAGS).sub("", text)
    return text[compiled(LABEL).match(text).end() :].strip()[:MOST_CHARS]  # type: ignore[union-attr]


class _Reader:
    """Takes a line's pieces one by one."""

    def __init__(self, text: str) -> None:
        self.text = text
        low = text.lower()
        self.has_nouns = (not text.isascii() and bool(re.search("[äöüß]", low))) or not NOUNS.isdisjoint(low.split())
        self.words: list[str] = []
        self.marks: list[str] = []
        self.ideas: set[str] = set()
        self.numbers: dict[str, set[str]] = {}
        self.names: set[str] = set()
        self.maybe: set[str] = set()
        self.kinds: dict[str, set[str]] = {}
        self.cues: set[str] = set()
        self.clause: list[str] = []
        self.tells: set[str] = set()  # the clause's cues
        self.told: dict[str, set[str]] = {}
        self.denied: set[str] = set()
        self.denials = 0
        self.said: list[str] = []
        self.sizes: list[int] = []  # how many words there were before each that was said
        self.begins = True
        self.waits: str = ""  # a number that has not met what it counts
        self.wide = False
        self.no = (
            frozenset(m.start() for m in compiled(negation.SAYS_NO).finditer(text))
            if negation.is_denied(text)
            else frozenset()
        )
        self.at = 0
        if compiled(dates.WAS).search(text):
            self.cues.add("past")

    def take(self, piece: str) -> None:
        start = self.text.find(piece, self.at)
        self.at = start + len(piece)
        if self.no and any(start <= at < self.at for at in self.no):
            self.denials += 1
            self.clause.append("")
        if (sign := piece.strip()) in ENDS:
            self._ends(sign)
        elif piece[0].isdigit() and piece[-1] == "k":
            self._number(
                f"{float(piece[:-1].replace(',', '.')) * 1000:.0f}"
                if re.fullmatch(r"\d+(?:[.,]\d+)?k", piece)
                else piece[:-1]
            )
        elif piece[0].isdigit() and not re.search(r"[^\W\d_]", piece.removesuffix("h")):
            self._number(piece.removesuffix("h"))
        elif "\u3040" <= piece[0] <= "\u9fff":
            self._wide(piece)
        else:
            self._word(piece.strip("`"))

    def _ends(self, sign: str) -> None:
        self._deny()
        self.waits = ""
        self.begins = sign in SENTENCE

    def _deny(self) -> None:
        if "" in self.clause:
            self.denied.update(idea for idea in self.clause if idea)
        for cue in self.tells:
            self.told.setdefault(cue, set()).update(idea for idea in self.clause if idea)
        self.clause, self.tells = [], set()

    def _add(self, idea: str, mark: str) -> None:
        if len(self.words) < MOST_WORDS:
            self.words.append(idea)
            self.marks.append(mark)
        self.clause.append(idea)
        if mark == NUMBER:
            return
        self.ideas.add(idea)
        if self.waits:
            self.numbers[self.waits].add(idea)
            self.waits = ""

    def _number(self, piece: str) -> None:
        value = re.sub("[.,]", "", piece) if compiled(THOUSANDS).fullmatch(piece) else piece
        self._value(re.sub(r"(?<=\d)[.,]0+\Z", "", value).lstrip("0") or "0")

    def _value(self, value: str) -> None:
        before = self.words[-1] if self.words and self.marks[-1] != NUMBER else ""
        self.numbers.setdefault(value, set()).update([before] if before else ())
        self._add(f"#{value}", NUMBER)
        self.waits = value
        self.begins = False

    def _spoken(self, value: int) -> None:
        """Take a number in words; "two hundred and twelve" is one."""
        last = self.words[-1] if self.words else ""
        before = int(last[1:]) if last[1:].isdigit() and last[0] == "#" and last[1:] == self.waits else 0
        if before and ((value == HUNDRED and before < HUNDRED) or (before % HUNDRED == 0 and value < HUNDRED)):
            del self.numbers[self.waits]
            self.words.pop()
            self.marks.pop()
            value = before * value if value == HUNDRED else before + value
        self._value(str(value))

    def _word(self, piece: str) -> None:
        if "'" in piece and (clitic := compiled(CLITIC).match(piece)):
            if clitic[0].lower() == "n'":
                self._said("ne")
            piece = piece[clitic.end() :]
        low = "mai" if piece == "May" and not self.begins else piece.lower()
        is_no_more = (low == "plus" and "ne" in self.said[-NE_REACH:]) or (
            low == "mehr"
            and any(word.startswith("kein") for word in self.said[-NE_REACH:])
            and self.said[-1] not in ("auf", "nach", "noch")  # "keine Lust auf mehr"
        )
        self._said(low)
        begins, self.begins = self.begins, False
        if is_no_more:
            self.cues.add("onward")
            self.tells.add("onward")
            return
        if n := self._of_change(low):
            self._forget(n)
            return
        if low in NUMBERS or ("-" in low and all(part in NUMBERS or part in ONES for part in low.split("-"))):
            self._spoken(sum(NUMBERS.get(part, 1) for part in low.split("-")) if low not in NUMBERS else NUMBERS[low])
            return
        is_letter = len(piece) == 1 and piece.isupper() and not begins and piece != "I"  # "pump A"
        idea = low if is_letter else _idea(low)
        if not idea:
            return
        if (
            piece[0].isupper()
            and not begins
            and not self.has_nouns
            and not any(e.what == "kind" for e in _entries(low))
        ):
            idea = low if len(low) < 5 else _rooted(low)  # "Bath", "Port": a name, whatever the word means
        mark = WORD
        if is_letter or compiled(r"\d").search(piece):  # "choir1's" is no other word for a choir
            mark, idea = NAME, idea if is_letter else low.removesuffix("'s").removesuffix("’s")
            self.names.add(idea)
        elif idea.startswith("<"):
            mark = KIND if any(e.what == "kind" for e in _entries(low)) else WORD
        elif compiled(r"[._/@]|[a-z][A-Z]|[+#]\Z").search(piece) or (piece.isupper() and len(piece) > 1):
            mark, idea = NAME, low
            self.names.add(idea)
        elif piece[0].isupper():
            mark = MAYBE if begins or self.has_nouns else NAME
            (self.maybe if mark == MAYBE else self.names).add(idea)
        self._add(idea, mark)

    def _of_change(self, low: str) -> int:
        """Take what is known of a word, alone and behind others; return how many tell only that something changed."""
        if (entries := _entries(low)) and self._known(entries, alone=True):
            return 1
        whole = table().whole
        for n in range(2, min(LONGEST_SAID, len(self.said)) + 1):
            if (entries := whole.get("_".join(self.said[-n:]), ())) and self._known(entries, alone=False):
                return n
        return 0

    def _said(self, word: str) -> None:
        self.said.append(word)
        self.sizes.append(len(self.words))

    def _forget(self, n: int) -> None:
        """Take back what the last n words said: they tell no more than that something changed."""
        size = min(self.sizes[-n], len(self.words))
        gone = set(self.words[size:])
        del self.words[size:], self.marks[size:]
        self.ideas -= gone - set(self.words)

    def _known(self, entries: Sequence[Entry], *, alone: bool) -> bool:
        """Take what is known of a word; return whether it tells no more than that something changed."""
        for entry in entries:
            if entry.what in ("cue", "past", "source", "self"):
                self._cue(entry)
            elif entry.what == "kind":
                self.kinds.setdefault(entry.name, set()).add(entry.member)
                if not alone:
                    self.ideas.add(f"<{entry.member}>")
            elif entry.what == "deny":
                self.denials += 1
                self.clause.append("")
            elif entry.what == "near" and not alone:
                self.ideas.add(f"<{entry.name}>")
        return any(e.what == "cue" and e.name in ONLY_CUES for e in entries) and all(e.what != "kind" for e in entries)

    def _cue(self, entry: Entry) -> None:
        self.cues.add(entry.name)
        if entry.what == "cue":
            self.tells.add(entry.name)

    def _wide(self, run: str) -> None:
        self.wide, self.begins = True, False
        known = table().wide
        taken = [False] * len(run)
        for match in compiled(WIDE_NUMBER).finditer(run):
            if run[match.start() : match.end() + 1] not in NO_NUMBER:
                taken[match.start() : match.end()] = [True] * len(match[1])
        numbers = {m.start(): m[1] for m in compiled(WIDE_NUMBER).finditer(run) if taken[m.start()]}
        at = 0
        while at < len(run):
            if at in numbers:
                self._value(str(_wide_value(numbers[at])))
                at += len(numbers[at])
                continue
            for size in range(min(LONGEST, len(run) - at), 0, -1):
                entries = known.get(run[at : at + size], ())
                for entry in entries:
                    if entry.what in ("cue", "past", "source", "self"):
                        self._cue(entry)
                    elif entry.what == "kind":
                        self.kinds.setdefault(entry.name, set()).add(entry.member)
                    elif entry.what == "deny":
                        self.denials += 1
                        self.clause.append("")
                of_idea = [
                    entry
                    for entry in entries
                    if entry.what in ("kind", "near", "stop") or (entry.what == "cue" and entry.name in ONLY_CUES)
                ]
                if of_idea:
                    entry = of_idea[0]
                    if entry.what in ("kind", "near"):
                        idea = f"<{entry.member}>" if entry.what == "kind" else f"<{entry.name}>"
                        self._add(idea, KIND if entry.what == "kind" else WORD)
                    at += size
                    break
            else:
                at = self._letters(run, at)

    def _letters(self, run: str, at: int) -> int:
        """Take what no list knows: two letters, or a whole run of katakana. Hiragana alone tells nothing."""
        if "\u30a1" <= run[at] <= "\u30ff":
            end = at + 1
            while end < len(run) and "\u30a1" <= run[end] <= "\u30ff":
                end += 1
            self._add(run[at:end], WORD)
            return end
        if run[at] >= "\u3400":
            following = run[at + 1 : at + 2]
            if following >= "\u3400":
                self._add(run[at : at + 2], WORD)
            elif not (at and run[at - 1] >= "\u3400"):
                self._add(run[at], WORD)
        return at + 1

    def result(self) -> Says:
        self._deny()
        return Says(
            words=tuple(self.words),
            marks=tuple(self.marks),
            ideas=_lasting(self.ideas),
            numbers=_all_lasting(self.numbers),
            names=_lasting(self.names),
            maybe=_lasting(self.maybe),
            kinds=_all_lasting(self.kinds),
            denied=_lasting(self.denied),
            denials=self.denials,
            cues=_lasting(self.cues),
            told=_all_lasting(self.told),
            text=self.text.casefold(),
            wide=self.wide,
        )


NOTHING: frozenset[str] = frozenset()  # each of its own would take 216 bytes, and most of a line's are empty
NO_KEYS: Mapping[str, frozenset[str]] = MappingProxyType({})


def _lasting(found: set[str]) -> frozenset[str]:
    return frozenset(found) if found else NOTHING


def _all_lasting(found: Mapping[str, set[str]]) -> Mapping[str, frozenset[str]]:
    return {key: _lasting(values) for key, values in found.items()} if found else NO_KEYS


def _wide_value(figures: str) -> int:
    """Return the number that Chinese figures write.

    >>> _wide_value("二十五"), _wide_value("一百二十"), _wide_value("两千五百")
    (25, 120, 2500)
    """
    total, part, digit = 0, 0, 0
    for char in figures:
        if char in WIDE_DIGITS:
            digit = 10 * digit + WIDE_DIGITS[char] if digit else WIDE_DIGITS[char]
        elif WIDE_SCALE[char] >= 10000:
            total, part, digit = (total + (part + digit or 1)) * WIDE_SCALE[char], 0, 0
        else:
            part, digit = part + (digit or 1) * WIDE_SCALE[char], 0
    return total + part + digit
