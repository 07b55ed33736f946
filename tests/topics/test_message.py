"""The sides of a message: its language, its code, its links and paths, and whether it presses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.topics.triggers import code_language, languages, links, urgency
from koog.topics.triggers.message import CLIP, LOOKED_AT, Message, clip

SENTENCES = {
    "ar": "لماذا يفشل الاختبار اليوم",
    "bn": "পরীক্ষা কেন ব্যর্থ হচ্ছে",
    "cs": "Můžeš se podívat, proč test neprochází?",
    "da": "Kan du se, hvorfor testen ikke virker? Den er blevet rød igen.",
    "de": "Der Build schlägt fehl, weil das Paket nicht gefunden wird.",
    "el": "Γιατί αποτυγχάνει το τεστ",
    "en": "Can you check why the deploy failed last night?",
    "es": "¿Puedes mirar por qué no funciona la página?",
    "fa": "چرا تست شکست می‌خورد پس بگو",
    "fi": "Voitko katsoa miksi testi ei mene läpi, kiitos?",
    "fr": "Est-ce que tu peux regarder pourquoi le test ne passe pas ?",
    "he": "למה הבדיקה נכשלת היום",
    "hi": "परीक्षण क्यों विफल होता है",
    "hu": "Meg tudod nézni, hogy miért nem megy a teszt?",
    "it": "Puoi controllare perché il test non passa?",
    "ja": "テストが失敗した理由を調べて",
    "ko": "테스트가 왜 실패하는지 확인해 주세요",
    "nl": "Kun je kijken waarom de test niet werkt?",
    "no": "Kan du sjekke hvorfor testen ikke går gjennom?",
    "pl": "Czy możesz sprawdzić, dlaczego test nie przechodzi?",
    "pt": "Você pode verificar por que o teste não passa?",
    "ro": "Poți să verifici de ce nu trece testul?",
    "ru": "Почему тест не проходит, ты знаешь?",
    "sv": "Kan du titta på varför testet inte går igenom?",
    "ta": "சோதனை ஏன் தோல்வியடைகிறது",
    "th": "ทำไมการทดสอบจึงล้มเหลว",
    "tr": "Test neden geçmiyor, lütfen bakar mısın?",
    "uk": "Чому тест не проходить і що з ним?",
    "zh": "请检查为什么测试失败",
}


# --- natural languages


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_tells_its_language(language):
    assert languages.guess(SENTENCES[language]).language == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Danke!",
        "git push origin main",
        "npm ERR! code ENOENT path package.json",
        "Кот",
        "the and der und",
        "12 34 56 78 90",
    ],
)
def test_what_tells_no_language_has_none(text):
    found = languages.guess(text)

    assert found.language is None
    assert found.why


def test_code_and_links_do_not_tell_the_language():
    text = "Kannst du das bitte prüfen?\n```\nif the test is not in the list of all that you have: the end\n```"

    assert languages.guess(text).language == "de"


def test_words_of_two_languages_are_named_by_the_greater_part():
    assert languages.guess("Wir haben den Fehler gefunden, er ist in der Datei, see below").language == "de"
    assert languages.guess("The German word 日本 is what you have to put in there").language == "en"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("de", "de"),
        ("German", "de"),
        ("Deutsch", "de"),
        ("pt-BR", "pt"),
        ("zh_CN", "zh"),
        ("nb", "no"),
        ("xx", None),
        ("", None),
    ],
)
def test_a_language_has_several_names(name, code):
    assert languages.code(name) == code


def test_every_profile_and_script_is_of_a_language_with_a_name():
    assert {*languages.WORDS, *(name for _, _, name in languages.SCRIPTS)} <= set(languages.NAMES)
    assert set(languages.OWN_NAMES.values()) <= set(languages.NAMES) == set(SENTENCES)


# --- code


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("```py\nx = 1\n```", "python"),
        ("~~~ yaml\na: 1\n~~~", "yaml"),
        ("```{.rust}\nx\n```", "rust"),
        ("```C++\nx\n```", "cpp"),
        ("```unknownlang\nx\n```", "unknownlang"),
        ("```\ndef f(x):\n    return x\n```", "python"),
        ("```\nFROM python:3.11\nRUN pip install x\n```", "dockerfile"),
        ("so:\n\n    package main\n\n    func main() {\n", "go"),
        ("print 'hello'\nfor x in y:\n    pass", "python"),
        ("const x = () => {\n  console.log(1)\n}", "javascript"),
        ("interface A {\n  x: string\n}\nconst a: string = 'x'", "typescript"),
        ("fn main() {\n    let mut x = 1;\n}", "rust"),
        ("SELECT a FROM b\nWHERE c = 1;", "sql"),
        ("#include <stdio.h>\nint main() {\n  printf(\"x\");\n}", "c"),
        ("#include <iostream>\nint main() {\n  std::cout << 1;\n}", "cpp"),
        ("public class A {\n  @Override\n  public void f() {}\n}", "java"),
        ("using System;\nnamespace A.B\n{\n  Console.WriteLine(1);\n}", "csharp"),
        ("require 'json'\ndef hi\n  puts 'x'\nend", "ruby"),
        ("<?php\n$a = 1;\n", "php"),
        ("<div class='a'>\n</div>", "html"),
        ("why does this fail\nx = compute(3)\nprint(x)\nreturn x", "python"),
        ("import os\nimport sys\n", "python"),
        ("def add(a, b):\n    return a + b", "python"),
        ('Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nNameError: no g', "python"),
        ("const a = 5;\nreturn a + 1;", "javascript"),
        ("int x = 5;\nString s = foo(x);\nSystem.out.println(s);", "java"),
        ("int main(void) {\n  return 0;\n}", "c"),
        ("git add .\ngit commit -m fix", "bash"),
        ("total = price(item)\nship(total)", ""),
        ("foo = bar(baz);\nif (foo) {\n}", ""),
        ("#!/bin/bash\nexport A=${B}\n", "bash"),
        ("diff --git a/x b/x\n@@ -1,2 +1,2 @@", "diff"),
    ],
)  # fmt: skip
def test_code_tells_its_language(text, language):
    assert language in code_language.found(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Select one from the list; then do it.\nCan you import the data from there?",
        "I think: we should do it.\nFor example:\n- a: b\n",
        "Dear all,\n\nMeeting notes:\n1. foo\n2. bar\n\nClass: maths\n",
        "Hi;\nwhere is it;\nthanks (really) = good",
        "def is short for definition, print is a verb",
        "git is nice\ngit for you is better",
        "The sum (see below) = 5, import duties fell\nreturn to sender",
        "For each item:\nif you like:\nwhile at it:",
        "Note(s):\n- call Tom (he knows)",
        "Hallo Anna;\nkommst du (heute) mit;\nGrüße",
    ],
)
def test_prose_is_no_code(text):
    assert code_language.found(text) == {}


def test_a_fence_that_nothing_tells_is_code_all_the_same():
    assert code_language.found("```\nplain words\n```") == {"": "a fence"}


def test_an_alias_leads_to_a_language_that_is_known_or_to_its_own_name():
    assert not set(code_language.ALIASES.values()) & set(code_language.ALIASES)


# --- urgency


@pytest.mark.parametrize(
    "text",
    [
        "URGENT: see below",
        "please do it asap",
        "prod is down",
        "what?!",
        "now!!!",
        "Thanks for yesterday, great work! Where is my order???",
        "This is terrible!!!",
        "HELP THIS KEEPS FAILING AGAIN",
        "Es eilt, bitte sofort",
        "no rush, but ASAP would be good",
        "🚨 disk full",
    ],
)
def test_what_presses_is_seen(text):
    assert urgency.signs(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "this is not urgent",
        "it isn't critical at all",
        "nicht dringend",
        "the API and SDK URL",
        "NASA ESA JAXA",
        "great!",
        "thanks, that's great!!!",
        "Danke, das ist super!!!",
        "Merci, c'est génial !!!",
        "¡Gracias, es genial!!!",
        "谢谢，太好了！！！",
        "ありがとう、最高です！！！",
        "really?",
        "`x!!! = y?!`",
        "https://example.org/urgent/!!!",
    ],
)
def test_a_calm_text_has_no_signs(text):
    assert urgency.signs(text) == []


# --- links and paths


@given(st.text("ab./\\:@-~ \n"))
def test_paths_and_links_stand_one_a_line(text):
    message = Message(text, "input")

    assert message.paths.split("\n") == (links.paths(text) or [""])
    assert all("\n" not in found for found in [*links.paths(text), *links.links(text)])


def test_no_more_paths_are_kept_than_anybody_names():
    text = " ".join(f"dir/{n}.py" for n in range(5000)) + " " + "x/" * 5000

    assert len(links.paths(text)) == links.MOST


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("*.py", "a.py", True),
        ("*.py", "a/b.py", True),
        ("*.py", "a.pyc", False),
        ("a/*.py", "x/a/b.py", True),
        ("a/*.py", "a/x/b.py", False),
        ("a/**", "a/x/b.py", True),
        ("**/b.py", "b.py", True),
        ("/a/b.py", "a/b.py", True),
        ("./a/b.py", "x/a/b.py", True),
        ("a?.py", "a/.py", False),
        ("[!a].py", "b.py", True),
        ("[!a].py", "a.py", False),
        ("[.py", "[.py", True),
        ("a{b.py", "a{b.py", True),
        ("{a,{b,c}}.py", "c.py", True),
        ("a,b.py", "a,b.py", True),
    ],
)
def test_a_glob_fits_paths(glob, path, fits):
    assert bool(links.path_pattern(glob).search(path)) is fits


# --- the message itself


def test_of_a_very_long_message_the_beginning_is_looked_at():
    assert len(Message("x" * 2_000_000, "input").text) == LOOKED_AT


@given(st.text())
def test_a_clipped_text_is_one_short_line(text):
    line = clip(text)

    assert len(line) <= CLIP
    assert len(line.splitlines()) <= 1
