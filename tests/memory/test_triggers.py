"""What of a message asks the memory for something, and what only looks so.  [moltbot §8.1, §14]

triggers.jsonl was written by another hand and is frozen: its floors are the figures that were reached. That hand's
triggers_held.jsonl was counted once, when the rules were made. The table trigger_cases.jsonl grew with the rules.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.memory.trigger import trigger_words, triggers
from koog.memory.trigger.own_thoughts import read
from koog.memory.trigger.triggers import Trigger, asked, detect

HERE = Path(__file__).parent
SIZE, SECONDS = 64 * 1024, 2.5  # ten times what it takes: nothing here is to be timed, only the square of it found
LISTED = [  # moltbot §8.1, each as it stands there
    ("remember that the rent is due", "remember", "the rent is due"),
    ("don't forget the rent is due", "remember", "the rent is due"),
    ("keep in mind the rent is due", "remember", "the rent is due"),
    ("note that the rent is due", "remember", "the rent is due"),
    ("important: the rent is due", "remember", "the rent is due"),
    ("for future reference the rent is due", "remember", "the rent is due"),
    ("save this: the rent is due", "remember", "the rent is due"),
    ("FYI for later: the rent is due", "remember", "the rent is due"),
    ("forget about the old rent", "forget", "the old rent"),
    ("never mind about the old rent", "forget", "the old rent"),
    ("disregard the old rent", "forget", "the old rent"),
    ("the old rent, that's no longer relevant", "forget", "the old rent"),
    ("scratch that, it was Tuesday", "scratch", ""),
    ("ignore what I said about the old rent", "forget", "the old rent"),
    ("remove from memory the old rent", "forget", "the old rent"),
    ("delete the memory about the old rent", "forget", "the old rent"),
    ("reflect on the last week", "reflect", "the last week"),
    ("consolidate your memories", "reflect", ""),
    ("what do you remember about the rent?", "search", "the rent"),
    ("review your memories", "reflect", ""),
    ("clean up your memory", "reflect", ""),
]
SHORTER = [  # moltbot §14: only with an object
    ("remember the rent", "remember"),
    ("never mind the old rent", "forget"),
    ("the old rent is no longer relevant", "forget"),
    ("delete memory of the old rent", "forget"),
    ("consolidate memories", "reflect"),
    ("review memories", "reflect"),
    ("clean up memory", "reflect"),
    ("remember", None),
    ("don't forget", None),
    ("keep in mind", None),
    ("never mind", None),
    ("forget about", None),
    ("important:", None),
]


def lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


def bare(content: str) -> str:
    return " ".join(normalize("NFKC", content).casefold().strip(" .!?。！？\"'").split())


def kind(text: str) -> str:
    found = detect(text)
    return found[0].kind if found else "none"


# --- the lines of another hand


def test_the_kinds_of_the_frozen_lines_are_found():
    told, right, wanted = Counter[str](), Counter[str](), Counter[str]()
    for line in lines("triggers.jsonl"):
        found = kind(line["text"])
        told[found] += 1
        wanted[line["kind"]] += 1
        right[found] += found == line["kind"]

    assert {name: (right[name] / told[name], right[name] / wanted[name]) for name in wanted} == dict.fromkeys(
        wanted, (1.0, 1.0)
    )


def test_the_contents_of_the_frozen_lines_are_exact():
    wanted = [line for line in lines("triggers.jsonl") if line["content"]]

    wrong = [
        line["text"] for line in wanted if [bare(t.content) for t in detect(line["text"])] != [bare(line["content"])]
    ]

    assert len(wanted) > 40
    assert wrong == []


def test_most_of_the_lines_that_nobody_looked_at_are_understood():
    """Reached: 105 of 120, and 33 of 37 contents."""
    held = lines("triggers_held.jsonl")

    right = [line for line in held if kind(line["text"]) == line["kind"]]
    told = [line for line in right if line["content"]]
    exact = [line for line in told if bare(detect(line["text"])[0].content) == bare(line["content"])]

    assert len(right) >= 104
    assert len(exact) >= 0.85 * len(told)


# --- phrases


def test_a_message_asks_for_what_it_says():
    for line in lines("trigger_cases.jsonl"):
        found = detect(line["text"])

        asked = (found[0].kind, bare(found[0].content)) if found else ("none", "")
        assert asked == (line["kind"], bare(line["content"])), line["text"]


@pytest.mark.parametrize(("text", "kind", "content"), LISTED)
@pytest.mark.parametrize("before", ["", "Thanks, that worked! ", "ok so ", "1. ", "The build is red again.\n\n"])
def test_every_phrase_of_the_list_is_found_wherever_it_stands(before, text, kind, content):
    [found] = detect(f"{before}{text}\n\nWhat is next?")

    assert (found.kind, found.content) == (kind, content)


@pytest.mark.parametrize(("text", "kind"), SHORTER)
def test_a_shorter_form_needs_an_object(text, kind):
    assert [t.kind for t in detect(text)] == ([kind] if kind else [])


@pytest.mark.parametrize(
    "form",
    ["> {}", '"{}"', "“{}”", "```\n{}\n```", "~~~\n{}", "- ```\n  {}\n  ```", "`{}`", "He said: {}", "fwd: {}",
     "they told me to {}", "why {}?", "I never {}", "    {}", "Translate: {}", "<Tom> {}\n<Ann> {}"],
)  # fmt: skip
def test_what_is_quoted_told_or_denied_is_no_trigger(form):
    texts = [text for text, kind, _ in LISTED if kind != "search"]
    asked = [text.replace("the old rent, that's no longer relevant", "disregard the old rent") for text in texts]
    told = [form.replace("{}", text) for text in asked]

    assert [text for text in told if detect(text)] == []


def test_a_word_that_only_holds_a_phrase_is_none():
    for text in ("misremember that it rains", "unforgettable about it", "test_remember that", "re-remember that x"):
        assert detect(text) == (), text


# --- contents


def test_a_phrase_at_the_end_is_about_what_stands_before_it():
    for text in (
        "The pool opens at 6 – remember that.",
        "The pool opens at 6, don't forget it!",
        "Hi! The pool opens at 6. Remember this please.",
        "The pool opens at 6\n\nremember that",
        "- The pool opens at 6\n- keep that in mind",
    ):
        assert [bare(t.content) for t in detect(text)] == ["the pool opens at 6"], text


def test_a_colon_and_a_newline_take_the_whole_block():
    block = "- the pool opens at 6\n- the sauna at 9"

    for gap in ("\n", "\n\n"):
        assert [t.content for t in detect(f"Please remember this:{gap}{block}\n\nAnd now the tests.")] == [block]
    assert [t.content for t in detect("save this:\n```sh\nmake -j2\n```\nok?")] == ["make -j2"]
    assert [t.content for t in detect("Merk dir:\nDie Sauna öffnet um 9.\nDer Pool um 6.\n\nGut.")] == [
        "Die Sauna öffnet um 9.\nDer Pool um 6."
    ]


def test_two_wishes_in_a_sentence_are_two():
    found = detect("Remember that Tom is vegan, and forget about the steak house. Also, never forget that Ann is deaf.")

    assert [(t.kind, t.content) for t in found] == [
        ("remember", "Tom is vegan"), ("forget", "the steak house"), ("pin", "Ann is deaf"),
    ]  # fmt: skip


def test_what_is_a_content_already_is_none_of_another():
    assert [t.content for t in detect("Remember this:\n- important: a\n- note that b")] == [
        "- important: a\n- note that b"
    ]
    assert [(t.kind, t.content) for t in detect("Forget about Oslo, don't forget it.")] == [("forget", "Oslo")]


def test_a_request_that_only_announces_is_about_what_follows():
    [found] = detect("Hi. Can you save this for later? My locker is 214")

    assert (found.kind, found.content) == ("remember", "My locker is 214")


def test_a_question_that_only_asks_for_a_yes_is_a_wish():
    for text in ("Remember that Tom is vegan, ok?", "Merk dir, dass Tom Veganer ist, ja?", "记住汤姆吃素，好吗？"):
        assert kind(text) == "remember", text
    for text in ("Remember that Tom is vegan?", "记得带伞？"):
        assert kind(text) == "none", text


def test_what_a_program_printed_and_the_head_of_a_note_are_no_triggers():
    assert detect("why?\n\nwarning: note that the old API is gone") == ()
    assert detect("---\nimportant: the old API is gone\n---\nwhat is this file for") == ()


def test_a_trigger_has_its_place():
    text = "Ok. **Don’t forget** that the pool\nopens at 6."

    assert detect(text) == (Trigger("remember", "Don’t forget", "the pool\nopens at 6", 6, 18),)


# --- any text


PHRASES = st.sampled_from([text for text, *_ in LISTED] + [line["text"] for line in lines("trigger_cases.jsonl")])
MARKS = st.sampled_from(
    ["\n", "\n\n", "\r\n", "```\n", "~~~", "> ", "- ", "# ", "| ",
     '"', "'", "`", "„", "«", "「", ": ", ", ", " ", "’"]
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.text(max_size=12), PHRASES, MARKS), max_size=12).map("".join)


@given(TEXTS)
def test_any_text_has_triggers_that_stand_in_it(text):
    last = 0
    for found in detect(text):
        assert last <= found.start < found.end <= len(text)
        assert found.phrase == text[found.start : found.end]
        assert found.content in text
        assert found.kind in {"remember", "forget", "search", "reflect", "scratch", "pin"}
        assert found.content or found.kind in {"scratch", "reflect"}
        last = found.end


@given(
    PHRASES,
    st.sampled_from(["```", "~~~", "````"]),
    st.text(max_size=20).filter(lambda t: "`" not in t and "~" not in t),
)
def test_a_trigger_in_a_fence_is_none(phrase, fence, words):
    if fence[0] in phrase or "~" in phrase:
        return
    assert detect(f"see here\n{fence}\n{words}\n{phrase}\n{fence}\n") == ()


@given(TEXTS)
def test_the_thoughts_of_any_text_lie_in_it_in_their_order(text):
    spans = [(thought.start, thought.end) for thought in read(text).thoughts]

    assert spans == sorted(spans)
    assert all(0 <= start <= end <= len(text) for start, end in spans)


STEMS = " ".join(stem for rule in trigger_words._read()[0] for stem in rule.stems)


@pytest.mark.wide(9)
@pytest.mark.parametrize(
    "seed",
    ["remember that. ", "remember ", "please remember x, and ", "记住，", "覚えておいて、", "“remember ", "`remember",
     "'a ", "forget about ", "ok ok ok remember, ", "remember *", "- remember that\n", "remember this:\n\n", "keep x ",
     "。覚え", "what do you know about ", "<!-- remember ", "remember\n\n\n\n", "is no longer relevant ", "把记忆",
     "remember x) ", "remember x" + ")" * SIZE, "remember x" + ", ok" * SIZE, "remember x" + "*" * SIZE, "« ",
     "> remember\n",      STEMS],
)  # fmt: skip
def test_long_texts_are_read_in_time(seed):
    text = (seed * (SIZE // len(seed) + 1))[:SIZE]
    detect(text[:2000])

    began = time.process_time()
    detect(text)

    assert time.process_time() - began < SECONDS


# --- the phrases' own file


def test_every_rule_has_stems_in_lower_case_and_is_tried_by_them():
    rules = trigger_words._read()[0]

    assert len(rules) > 100
    assert {rule.lang for rule in rules} == {"en", "de", "es", "fr", "zh", "ja"}
    assert {rule.kind for rule in rules} == {"remember", "forget", "search", "reflect", "scratch", "pin"}
    for rule in rules:
        assert all(stem and stem == stem.lower() for stem in rule.stems), rule
        assert rule.compiled().match("") is None, rule


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("please remember that Ana is vegan", "Ana is vegan"),
        ("hey, could you please remember that Ana is vegan? thanks", "Ana is vegan"),
        ("remember please, Bo isn't from Linz", "Bo isn't from Linz"),
        ("Ana is vegan, please remember that", "Ana is vegan"),
        ("Kannst du dir bitte merken, dass Ana vegan lebt?", "Ana vegan lebt"),
        ("Recuerda por favor que Ana es vegana", "Ana es vegana"),
        ("Souviens-toi s'il te plaît qu'Ana est végane", "Ana est végane"),
        ("请记住安娜吃素", "安娜吃素"),
        ("アナは菜食だと覚えておいて", "アナは菜食だ"),
        ("I moved house, remember that my key is with Bo", ""),
        ("I'm at the vet. Remember that Bo bites", ""),
        ("Ana is vegan", ""),
    ],
)
def test_a_message_that_only_asks_is_what_it_asks_for(text: str, thing: str) -> None:
    assert asked(text) == thing


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "Merk dir bitte: Tilda hat Epilepsie. Nichts mit Flackern für sie.",
            "Tilda hat Epilepsie. Nichts mit Flackern für sie.",
        ),
        ("Please remember: the port is 8080. Ana said so.", "the port is 8080. Ana said so."),
        ("Merke: für Mails an Frau Lin ganz einfaches Chinesisch.", "für Mails an Frau Lin ganz einfaches Chinesisch"),
        ("Ana is here. Remember: she is vegan, as Bo is.", ""),
        ("Ich merke: das wird nichts mehr. Bo kommt nicht.", ""),
    ],
)
def test_what_follows_the_words_that_ask_is_all_asked_for(text: str, content: str) -> None:
    assert triggers.asked(text) == content
