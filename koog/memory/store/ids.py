"""What a memory is called: one thing remembered, one id.  [moltbot §9.3]

    episode:DATE:HH:MM[:n]   the n-th entry of that minute, from 2
    entity:<id>              id is TYPE--NAME
    fact:<entity id>:<8 hex> of the fact's words
    procedure:<name>  vault:<name>  core:<8 hex>

An id of words is the same however often the file around them was edited, and another one once the words are.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from hashlib import blake2b

from koog.core.errors import UsageError
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

EPISODE, ENTITY, FACT, PROCEDURE, VAULT, CORE = KINDS = ("episode", "entity", "fact", "procedure", "vault", "core")
ENTITY_TYPES = ("person", "project", "concept", "tool", "place", "organization")
INDEFINITE = frozenset("a an ein eine un una une".split())
ARTICLES = INDEFINITE | frozenset("the der die das dem den el la los las le les l".split())
MOST_CHARS, MOST_BYTES = 80, 200  # of a name: file systems end at 255 bytes, and a file is written under a longer one
NAME = r"[\w](?:[\w.-]*[\w])?"  # letters and figures of any script; no path, no dot in front
SHAPES = {
    EPISODE: r"\d{4}-\d\d-\d\d:\d\d:\d\d(?::[1-9]\d{0,4})?",
    ENTITY: rf"[a-z]+--{NAME}",
    FACT: rf"[a-z]+--{NAME}:[0-9a-f]{{8}}",
    PROCEDURE: NAME,
    VAULT: NAME,
    CORE: r"[0-9a-f]{8}",
}


class Id(NamedTuple):
    """An id's parts: what it is of, and what stands behind the first colon."""

    kind: str
    name: str

    @property
    def entity(self) -> str:
        """Return the entity that a fact is about."""
        return self.name.rpartition(":")[0]

    @property
    def hash(self) -> str:
        """Return the figures at the end of the id of a fact."""
        return self.name.rpartition(":")[2]


def parse(text: str) -> Id:
    """Return an id's parts. Raises UsageError for what is none.

    >>> parse("fact:person--alex:0a1b2c3d").entity
    'person--alex'
    """
    kind, _, name = text.strip().partition(":")
    shape = SHAPES.get(kind)
    if not shape or len(name) > 3 * MOST_CHARS or not compiled(shape).fullmatch(name):
        raise UsageError(
            f"{text!r} is no id of a memory",
            hint="one as koog search, detect and decay show name it: fact:person--alex:…",
        )
    return Id(kind, name)


def is_entity(text: str) -> bool:
    """Return whether a text is the id of an entity, as its file is called."""
    return len(text) <= 2 * MOST_CHARS and bool(compiled(SHAPES[ENTITY]).fullmatch(text))


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a procedure, or of something in the vault."""
    return len(text) <= 2 * MOST_CHARS and bool(compiled(NAME).fullmatch(text))


@lru_cache(maxsize=1024)
def of_words(text: str) -> str:
    """Return the eight figures that stand for a line's words; marks, case and blanks make no difference.

    >>> of_words("Lives in **Berlin**.") == of_words("lives in Berlin")
    True
    """
    words = " ".join(compiled(r"\w+").findall(unicodedata.normalize("NFKC", text).casefold()))
    return blake2b((words or text.strip()).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def spelled(name: str) -> str:
    """Return a name with the signs in words that tell it from another one: C, C++ and C# are three.

    >>> spelled("C++"), spelled("F#")
    ('C plus plus', 'F sharp')
    """
    return compiled(r"(?<=\w)#(?!\w)").sub(" sharp", compiled(r"(?<=\w)\+\+").sub(" plus plus", name))


def slug(name: str) -> str:
    """Return a name as a file may be called; "" for one without a letter or figure.

    >>> slug("OAuth2 PKCE flow"), slug("Müller & Söhne"), slug("東京")
    ('oauth2-pkce-flow', 'müller-söhne', '東京')
    """
    words = compiled(r"[\w]+").findall(unicodedata.normalize("NFC", spelled(name)).casefold().replace("_", " "))
    return "-".join(words)[:MOST_CHARS].encode()[:MOST_BYTES].decode(errors="ignore").strip("-")


def without_article(name: str) -> str:
    """Return a name without the article before it.

    >>> without_article("the shelter"), without_article("Der Spiegel"), without_article("La")
    ('shelter', 'Spiegel', 'La')
    """
    first, _, rest = name.strip().partition(" ")
    return rest if rest.strip() and first.casefold() in ARTICLES else name


def entity(kind: str, name: str) -> str:
    """Return the id of an entity of a type and a name. Raises UsageError for a name without letters.

    >>> entity("person", "Alex")
    'person--alex'
    """
    if not (named := slug(without_article(name))):
        raise UsageError(f"{name!r} is no name", hint="a name has letters or figures")
    return f"{kind if kind in ENTITY_TYPES else 'concept'}--{named}"
