"""koog/core/text: whatever a text holds, nothing that reads it raises, and nothing takes more than linear time.

A hook has 20 to 30 s and no deadline interrupts a regular expression; a text that raises stops observe for good.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import contextmanager
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text import (
    bullets,
    commanding,
    comments,
    consent,
    dates,
    directives,
    features,
    frontmatter,
    inline,
    kinds,
    leaning,
    markdown,
    marks,
    measures,
    negation,
    notes,
    notes_of,
    ownwords,
    replies,
    secrets,
    sentences,
    signs,
    talk,
    tokens,
    trust,
    untrusted,
    weigher,
    words,
    wrapping,
)
from koog.core.text.talk import Said
from tests.conftest import NEW_EXAMPLES

CHARS = 20_000
EACH = 4  # of the texts every fourth, unless somebody asks for all (KOOG_EXAMPLES=new)
SECONDS = 8  # of the processor, which has company; what is quadratic takes ten and more


def turns(text: str) -> list[Said]:
    return [Said("assistant", text), Said("user", "yes"), Said("user", text), Said("tool", text)]


READERS: dict[str, Callable[[str], object]] = {
    "bullets": bullets.parse,
    "comments": lambda text: (comments.get(text, "k"), comments.put(text, "k", "v")),
    "commanding": commanding.is_command,
    "consent": consent.approved,
    "dates": lambda text: dates.found(text, date(2026, 11, 22)),
    "directives": directives.is_directive,
    "frontmatter": lambda text: (frontmatter.day(text), frontmatter.read(text.split("\n"))),
    "inline": inline.plain,
    "kinds": lambda text: (kinds.by_cue(text), kinds.is_standing(text)),
    "leaning": leaning.points_back,
    "markdown": lambda text: (list(markdown.pieces(text)), markdown.without_code(text)),
    "marks": lambda text: [f(text) for f in (marks.fenced, marks.contained, marks.balanced, marks.without_koog)],
    "measures": lambda text: (measures.stems(text), measures.numbers(text), measures.content_words(text)),
    "negation": negation.is_denied,
    "notes": lambda text: notes.of_note(text, path="memory/2026-01-01.md"),
    "notes_of": lambda text: (notes_of.cited(text), notes_of.announces(text), notes_of.is_named(text)),
    "ownwords": lambda text: (ownwords.written(text), ownwords.asks_for_draft(text), ownwords.is_anothers(text)),
    "replies": lambda text: [f(text) for f in REPLIES],
    "answers": lambda text: replies.reply(text, asked=text),
    "secrets": lambda text: (secrets.redact_secrets(text), secrets.tells_credential(text)),
    "sentences": lambda text: (sentences.split(text), sentences.ends(text)),
    "signs": lambda text: (signs.shapes(text[: features.MOST_CHARS]), signs.is_foreign(text)),
    "talk": lambda text: talk.of_turns(turns(text)),
    "tokens": tokens.estimate,
    "trust": lambda text: (trust.shown(text, "quoted"), trust.verdict(text, "agent", register="note", kind="fact")),
    "untrusted": lambda text: [f(text) for f in (untrusted.clean, untrusted.visible, untrusted.strip_private)],
    "weigher": lambda text: weigher.weigh(text, register="talk", role="user").keep,
    "words": lambda text: (words.indexed(text), words.tokens(text)),
    "wrapping": lambda text: (list(wrapping.thoughts(text.split("\n"))), wrapping.joined(text.split("\n"))),
}
REPLIES = (
    replies.is_question, replies.without_tag, replies.is_short, replies.is_standing_wish, replies.is_offer,
    replies.proposes, replies.intends, replies.asks, replies.is_doubt, replies.corrects, replies.is_social,
)  # fmt: skip
UNITS = [
    " ", "a", "at :", "„", "[a](", "**a", "|", " | ", "<!--", "- ", "> a\n", "```\n", "a: b\n", "3月5日",
    "hat ", "never ",
    "we say: ", "write a ", "sk-", "{'a':", "user: a\n", "。", "Yes, ", "→ ", "**a** b. c\n", "don't ",
    "\u200b", "if so; ",
]  # fmt: skip
ROWS = {
    "indented": "\n".join(" " * (n % 200) + "x" for n in range(CHARS // 100)),
    "a word behind blanks": " " * CHARS + "x",
    "brackets": "[" * (CHARS // 2) + "]" * (CHARS // 2),
    "quotes in quotes": "\n".join(">" * (n % 100) + " a" for n in range(CHARS // 50)),
    "a turn as JSON": 'user: "' + "\\n" * (CHARS // 2) + '"',
    "wrapped": "and so it goes on, in a row that was wrapped\n" * (CHARS // 45),
}
HOSTILE = {repr(unit): unit * (CHARS // len(unit)) + " z" for unit in UNITS} | ROWS


@contextmanager
def within(seconds: float, what: str):
    def late(*_given: object) -> None:
        raise TimeoutError(what)

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("name", READERS)
def test_hostile_text_is_read_in_linear_time(name: str) -> None:
    first = 0 if NEW_EXAMPLES else list(READERS).index(name) % EACH  # each text is for some readers
    READERS[name]("warm.")
    for kind, text in list(HOSTILE.items())[first :: 1 if NEW_EXAMPLES else EACH]:
        with within(SECONDS, f"{name}: {kind}"):
            READERS[name](text)


@pytest.mark.parametrize("row", [" " * 199 + "x", "at " + ":" * 5000, "“" * 2000, '[ "' * 900, "a | " * 1500])
def test_rows_that_a_program_may_have_printed_take_linear_time(row: str) -> None:
    with within(SECONDS, row[:20]):
        ownwords.written("\n".join([row] * (200_000 // len(row))))


ODD = (
    "ſİıK²٣①\u0300\u200b\u202e\ud800\ufeff\x00\x85\u2028한어를日十月前后。；「」"
    "“\"'`*_[](){}<>|#-+•~\\/:;.!?,=@$% \t\r\naZ1"
)


@pytest.mark.parametrize("name", sorted(READERS.keys() - {"weigher", "trust"}))
@given(text=st.text(max_size=40) | st.text(ODD, max_size=60))
def test_no_text_raises(name: str, text: str) -> None:
    READERS[name](text)
