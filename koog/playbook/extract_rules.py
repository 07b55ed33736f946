"""The built-in answer to `module extract`: sort what was written, add nothing  [sinain §5.5].

A playbook line belongs to the domain when it shares its words, or the words that
keep company with them, or, where word vectors are installed, is near it in meaning;
log and note sentences count as further sightings of a line, or become lines of their
own once they recur. Texts leave without their tags.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from koog.core.clip import clip
from koog.core.named import NamedTuple
from koog.core.text.compare import JOINS, candidates, compare
from koog.core.text.measures import STOPWORDS, WORD, cosine, document_frequency, stem, stems
from koog.playbook.texts import RUNTIMES, log_sentences, patterns, sentences

if TYPE_CHECKING:
    from koog.search.alike import Likeness

# Two shared words decide; the floor keeps out the long sentence that shares two by accident. Of the 56
# labelled lines in tests/playbook/test_extract_rules.py 26 belong: every floor up to 0.11 finds 23 and
# takes one wrong line, 0.12 finds 22, 0.2 finds 20. The highest round one that costs nothing is taken.
DOMAIN_FLOOR = 0.1
# Of search/alike.py's likeness, from the domains in tests/playbook/data/domains.txt: what is said of a domain is .12
# above the lowest quarter of the lines, as far as that is no more than .06 (a playbook may be all of one domain). The
# best line of a domain that is there mostly has .2 and more; of ten that are not, eight have less.
MEANT, ABOVE, MOST_USUAL, SURE = 0.12, 0.12, 0.06, 0.2
ESTABLISHED_SCORE = 0.5  # sinain §5.5 "high scores"; the same bound as the curator's `stability`
ESTABLISHED_SIGHTINGS = 3  # emerging is "seen once or twice" (sinain §5.5)
COMPANY_WORDS = 12  # more, and the expanded domain is everything
MIN_KEYWORDS, MAX_KEYWORDS, MAX_TERMS, MAX_PATTERNS = 3, 10, 20, 40
MAX_TEXT_CHARS = 300

LISTED = r"(?i)[,;:/()&]|\s(?:and|or|und|oder|et|ou|y|e|o)\s"  # what a description's parts stand between
PROVEN = re.compile(r"\b(?:established|proven|promoted)\b", re.IGNORECASE)
STATUS = re.compile(r"\b(?:established|proven|promoted|emerging|deferred|patterns)\b", re.IGNORECASE)  # no subject
# Words in a domain's description that say what kind of thing it is, not what it is about.
GENERIC = frozenset(stems("development dev engineering work working domain knowledge patterns general project best "
                          "practice tips module skills everything expertise new using use"))  # fmt: skip
# Words too common in notes to be worth a trigger, beyond the stopwords.
DULL = frozenset(stems("run use fix add make get set try need work check change always never first next time keep user "
                       "failed fails error again before instead without new day today one two old"))  # fmt: skip
# What joins words in other languages that notes are kept in: no company.
LINKING = frozenset(
    """
    der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war wird werden hat
    haben bei mit von vom zum zur für auf aus nach vor bis über unter zwei drei nur auch immer im am an in zu als wenn
    dann sich er sie es wir ab um durch ohne gegen noch schon sehr mehr alle
    le la les un une des du de et ou mais ne pas est sont était a ont avec pour sur dans par sans plus ce cette ces son
    sa ses leur au aux que qui on nous vous ils elle
    el los las una unos unas y o pero no es son era con por para en sin más se su sus lo al del que como
    """.split()
)
KIN, SAME_BEGINNING = 4, 0.7  # letters that two words share at least; and of the longer word
EXTENSIONS = frozenset(
    """
    bat c cc cfg clj cmake conf cpp cs css csv dart ex exs fish go gradle graphql h hpp hs html ini ipynb java jl js
    json jsx kt kts less lua m md mdx mjs ml mm odt pdf php pl plist png pptx proto ps1 py pyi r rb rs rst sass scala
    scss sh sql svelte svg swift tex tf toml ts tsx txt vue xlsx xml yaml yml zig
    """.split()
)
FILE = re.compile(r"(?<![\w.])([\w*/.-]*)\.([A-Za-z][A-Za-z0-9]{0,6})\b(?!\.?\w)")
# A colon also introduces advice ("Metro: clear the cache"), so it defines only before an article,
# or after an abbreviation.
DEFINITIONS = (
    re.compile(r"^(?P<term>[^\W_][\w./+#-]*(?:\s[\w./+#-]+){0,3}) (?:is|are|means|stands for) "
               r"(?P<meaning>(?:an?|the|our|what|where|when|how|short for)\s.+)"),
    re.compile(r"^(?P<term>[^\W_][\w./+#-]*) (?:ist|sind|bedeutet|heißt|est|sont|signifie|es|son|significa) "
               r"(?P<meaning>(?:ein|eine|der|die|das|kurz für|un|une|le|la|les|una|el|los|las)\s.+|l['’].+)"),
    re.compile(r"^(?P<term>[^\W_][\w./+#-]*(?:\s[\w./+#-]+){0,3}): (?P<meaning>(?:an?|the|our)\s.+)"),
    re.compile(r"^(?P<term>[A-Z][A-Z0-9]{1,6}): (?P<meaning>.+)"),
    re.compile(r"(?:^|\s)(?P<term>[A-Z][\w./+#-]+(?:\s[\w./+#-]+)?) \((?P<meaning>[^()\d][^()]*\s[^()]+)\)"),
)  # fmt: skip
SAID = DEFINITIONS[:2]  # by a verb
NO_TERM = re.compile(r"^(?:when|if|after|before|always|never|use|note|fix|todo|cause|next|on|for|in|this|that|it|"
                     r"see|warning|result|reason|lesson|error|decision|user|remember|the|an?)\b", re.I)  # fmt: skip
ASIDE = re.compile(r"^(?:e\.g|i\.e|see|again|seen|since|from|but|not|twice|once|about|or|and|if|when)\b", re.IGNORECASE)


@dataclass(frozen=True)
class ExtractInput:
    module_id: str
    domain: str
    playbook: str
    logs: tuple[dict[str, Any], ...]  # the last 7 days
    notes: tuple[tuple[str, str], ...] = ()  # (path, text)
    likeness: Likeness | None = None  # how near in meaning texts are to a name; None without word vectors


class Term(TypedDict):
    term: str
    definition: str


class ExtractAnswer(TypedDict):
    name: str
    description: str
    established: list[str]
    emerging: list[str]
    vocabulary: list[Term]
    keywords: list[str]
    filePatterns: list[str]


class Sighting(NamedTuple):
    """One text and where it stands; two sightings in one source are one."""

    text: str
    source: str
    section: str = ""
    strong: bool = False  # high score, or called established where it stands


def answer(given: ExtractInput) -> ExtractAnswer:
    """Return the domain's patterns, terms and triggers that the texts really hold.

    Lists are empty where nothing was found; `keywords` then holds the words of the
    domain's own description.
    """
    seen = sightings(given)
    domain = specific(given.domain)
    named = [word for word in own_words(specific(given.module_id.replace("-", " "))) if word not in own_words(domain)]
    domain = "; ".join(filter(None, [domain, *named]))
    inside = members(domain, seen, name=specific(given.domain), likeness=given.likeness)
    groups = [g for g in grouped(inside) if g[0].source == "playbook" or len(sources(g)) > 1]
    established = [g[0].text for g in groups if is_established(g)]
    emerging = [g[0].text for g in groups if not is_established(g)]
    texts = [s.text for s in inside]
    others = [s.text for s in dict.fromkeys(seen).keys() - set(inside)]
    return {
        "name": title(given),
        "description": f"Patterns for {clip(' '.join(given.domain.split()) or title(given), 200)}",
        "established": established[:MAX_PATTERNS],
        "emerging": emerging[:MAX_PATTERNS],
        "vocabulary": vocabulary(domain, texts),
        "keywords": keywords(domain, texts, others=others),
        "filePatterns": file_patterns(texts),
    }


def specific(text: str) -> str:
    """Return a description without the words that say what kind of thing a domain is."""
    return WORD.sub(lambda word: "" if set(stems(word[0])) & GENERIC else word[0], text).strip(" ,;:")


def sightings(given: ExtractInput) -> list[Sighting]:
    """Return every text that may carry a pattern: playbook bullets first, then logs, then notes."""
    promoted = [text for log in given.logs for text in promotions(log)]
    out = []
    for p in patterns(given.playbook):
        raised = any(compare(p.text, text).kind in JOINS for text in promoted)
        strong = raised or bool(PROVEN.search(p.section)) or (p.score or 0) >= ESTABLISHED_SCORE
        out.append(Sighting(clip(p.text, MAX_TEXT_CHARS), "playbook", p.section, strong))
    for i, log in enumerate(given.logs):
        out += [Sighting(clip(s, MAX_TEXT_CHARS), f"log {i}") for s in log_sentences(log)]
    for path, text in given.notes:
        out += [Sighting(clip(s, MAX_TEXT_CHARS), path) for s in sentences(text)]
    return out


def promotions(log: object) -> list[str]:
    """Return the patterns that one tick's curator promoted."""
    changes = log.get("playbookChanges") if isinstance(log, dict) else None
    promoted = changes.get("promoted") if isinstance(changes, dict) else None
    return [text for text in promoted if isinstance(text, str)] if isinstance(promoted, list) else []


def members(
    domain: str, seen: Sequence[Sighting], *, name: str = "", likeness: Likeness | None = None
) -> list[Sighting]:
    """Return the sightings that belong to the domain, in order.

    A text belongs when it names the domain (below), when it shares two words with it or with what keeps its
    company (looked up once) and is like them as a whole, or when it means the same (`likeness`). The heading above
    a line counts as part of it. One shared word of several is chance: "native" is in the newsletter too.

    name   the domain without the words of the module's id, for its meaning
    """
    documents = [f"{'' if STATUS.search(s.section) else s.section} {s.text}" for s in seen]
    words = [set(stems(text)) for text in documents]
    frequency = document_frequency(documents)
    home = set(stems(domain))
    seeds = naming(domain, documents, words)
    seeds |= {i for i, w in enumerate(words) if len(w & home) >= 2}
    seeds = seeds or {i for i, w in enumerate(words) if w & home}
    near = company([words[i] for i in sorted(seeds)], frequency) - home
    query = " ".join([domain, *sorted(near)])
    like = {
        i
        for i, text in enumerate(documents)
        if len(words[i] & (home | near)) >= 2
        and cosine(query, text, frequency=frequency, documents=len(documents)) >= DOMAIN_FLOOR
    }
    if likeness:
        like |= meant(likeness(name or domain, documents))
    return [seen[i] for i in sorted(like | seeds)]


def naming(domain: str, documents: Sequence[str], words: Sequence[set[str]]) -> set[int]:
    """Return the places of the texts that name one of the things which a domain's description lists.

    "Postgres, SQL and backups" lists three, each enough by itself; of "React Native mobile" two words are needed. A
    word stands for what it is put together with ("Urlaub", "Urlaubsantrag"), and several words for their initials.
    """
    known = {word for text in documents for word in own_words(text)}
    found = set()
    for phrase in re.split(LISTED, domain):
        own = list(dict.fromkeys(stems(phrase)))
        kin = [{stem(word), *(root for other in known if is_kin(word, other) for root in stems(other))}
               for word in own_words(phrase) if set(stems(word)) & set(own)]  # fmt: skip
        short = "".join(word[0] for word in WORD.findall(phrase)).upper()
        initials = re.compile(rf"\b{re.escape(short)}s?\b") if len(own) > 1 else None
        for i, w in enumerate(words):
            shared = sum(bool(w & same) for same in kin)
            if (own and shared >= min(2, len(own))) or (initials and initials.search(documents[i])):
                found.add(i)
    return found


def own_words(phrase: str) -> list[str]:
    return [word.lower() for word in WORD.findall(phrase)]


def is_kin(word: str, other: str) -> bool:
    """Tell whether one of two words is put together with the other, or both are one word with two endings.

    >>> is_kin("urlaub", "urlaubsantrag"), is_kin("rechnungen", "rechnung"), is_kin("flights", "light")
    (True, True, False)
    """
    short, long = sorted((word, other), key=len)
    if len(short) < KIN or not short.isalpha():
        return False
    whole = long.startswith(short) or (long.endswith(short) and len(long) - len(short) >= KIN)
    shared = max(KIN + 1, round(SAME_BEGINNING * len(long)))
    return whole or (shared <= len(short) and long.startswith(short[:shared]))


def meant(values: Sequence[float]) -> set[int]:
    """Return the places of the texts that are clearly nearer to the domain than texts on other things are.

    None where not one of them is surely about it: of what nobody wrote about something is always the nearest.
    """
    if max(values, default=0.0) < SURE:
        return set()
    usual = min(sorted(values)[len(values) // 4], MOST_USUAL)
    return {i for i, value in enumerate(values) if value >= max(MEANT, usual + ABOVE)}


def company(seeds: Sequence[set[str]], frequency: Counter[str]) -> set[str]:
    """Return the recurring stems that keep to the seeds: at least a quarter of their texts are seeds."""
    together = Counter(word for words in seeds for word in sorted(words))
    close = [
        w for w, n in together.most_common() if frequency[w] >= 2 and 4 * n >= frequency[w] and w not in DULL | LINKING
    ]
    return set(close[:COMPANY_WORDS])


def grouped(inside: Sequence[Sighting]) -> list[list[Sighting]]:
    """Return the sightings of the same pattern together, each group led by the earliest."""
    home = dict[int, int]()
    for i, j in sorted(candidates([s.text for s in inside]), key=lambda pair: pair[::-1]):
        if j not in home and i not in home and compare(inside[i].text, inside[j].text).kind in JOINS:
            home[j] = i
    groups: dict[int, list[Sighting]] = {}
    for at, s in enumerate(inside):
        groups.setdefault(home.get(at, at), []).append(s)
    return list(groups.values())


def sources(group: Sequence[Sighting]) -> set[str]:
    return {s.source for s in group}


def is_established(group: Sequence[Sighting]) -> bool:
    """Tell whether the evidence is strong: a high score, a promotion, or sightings in three places."""
    return any(s.strong for s in group) or len(sources(group)) >= ESTABLISHED_SIGHTINGS


def title(given: ExtractInput) -> str:
    """Return the domain's description where it is short enough for a name, else the module's id in words."""
    words = given.domain.strip().rstrip(".").split()
    if 0 < len(words) <= 5 and len(given.domain) <= 60:
        return " ".join(words)
    return given.module_id.replace("-", " ").title()


def vocabulary(domain: str, texts: Iterable[str]) -> list[Term]:
    """Return the terms that the texts themselves define: "X is a …", "X: …", "X (…)".

    X must be written as a name (a capital beyond the first letter, a digit, a dot), be one of the domain's words, or
    be one word that the sentence says to be something ("Roux is …"); "After a rename: …" defines nothing.
    """
    found: dict[str, Term] = {}
    home = set(stems(domain))
    for text in texts:
        for match in filter(None, (form.search(text.replace("*", "").replace("`", "")) for form in DEFINITIONS)):
            term, meaning = match["term"], match["meaning"].strip(" .")
            said = match.re in SAID and len(stems(term)) == 1
            named = said or bool(set(stems(term)) & home) or bool(re.search(r"[A-Z].*[A-Z]|\d|\w\.\w", term))
            if named and not NO_TERM.match(term) and not ASIDE.match(meaning) and len(meaning.split()) > 1:
                found.setdefault(term.lower(), {"term": term, "definition": clip(meaning, 200)})
    return list(found.values())[:MAX_TERMS]


def keywords(domain: str, texts: Sequence[str], *, others: Sequence[str]) -> list[str]:
    """Return up to ten lower-case trigger words: the domain's own, then those that set its texts apart.

    others   texts outside the domain: a word as common there triggers nothing
    """
    inside, outside = document_frequency(texts), document_frequency(others)
    surface: Counter[str] = Counter(w.lower() for text in texts for w in WORD.findall(text))
    form: dict[str, str] = {}
    for word, _ in surface.most_common():
        for root in stems(word):
            form.setdefault(root, word)
    own = [w for w in own_words(domain) if w not in STOPWORDS | LINKING]
    usable = {w for w in inside.keys() - DULL - GENERIC - LINKING if re.fullmatch(r"[a-z][a-z0-9.+#-]{2,}", form[w])}
    telling = [w for w in usable if inside[w] > outside[w]]
    telling.sort(key=lambda w: (outside[w] - inside[w], form[w]))
    recurring = [form[w] for w in telling if inside[w] > 1]
    return list(dict.fromkeys([*own, *recurring, *(form[w] for w in telling[:MIN_KEYWORDS])]))[:MAX_KEYWORDS]


def file_patterns(texts: Iterable[str]) -> list[str]:
    """Return `*.ext` for the extensions of file names in the texts, the most frequent first."""
    count: Counter[str] = Counter()
    for text in texts:
        for name, ending in FILE.findall(text):
            if ending.lower() in EXTENSIONS and name.lower() not in RUNTIMES:
                count[ending.lower()] += 1
    return [f"*.{ending}" for ending, _ in count.most_common(MAX_KEYWORDS)]
