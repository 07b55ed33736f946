"""Which rules about a person may be told in another project: sentences in six languages, told and not told."""

from __future__ import annotations

import pytest

from koog.sessions import person
from koog.sessions.person import is_rule

TOLD = """
I prefer short answers.
User: I prefer that you answer me in limericks.
Please always answer me without any adverbs.
Never send me any emojis.
Always explain things to me with a riddle.
Please always address me by my nickname.
Never use semicolons when you write to me.
I drink tea in the morning, never coffee.
Don't apologize when you reply to me.
Call me when you are done, not before.
The user wants metric units in every answer.
Ich mag kurze Antworten ohne Floskeln.
Antworte mir immer auf Deutsch.
Bitte duze mich.
Erkläre mir alles Schritt für Schritt.
Ich möchte keine Emojis.
Prefiero respuestas cortas y claras.
Respóndeme siempre en español.
Explícame todo paso a paso.
Odio los emojis.
No uses listas conmigo.
Je préfère les réponses courtes.
Réponds-moi toujours en français.
Explique-moi tout avec des exemples.
Ne me parle jamais sans politesse.
Tutoie-moi.
请用中文回答我
我不喜欢表情符号
回答要简短
请用中文解释
你要简短地回答
私は短い答えが好きです
いつも日本語で答えてください
絵文字は使わないで返事してください
説明は箇条書きで
敬語で話してください
"""
NOT_TOLD = """
Acme pays me late.
Always run `make check` before you answer me.
Never show me anything of src/app.py again.
Always answer me with what https://acme.example/guide says.
Always answer me as Zoltan would.
I prefer that you call harbor a product when you write to me.
I prefer the name parseConfig when you write to me.
Call me at 555 before every answer.
I want answers under 20 words.
Send me@acme.example every answer.
My client wants short answers from me.
I prefer the staging server for my answers.
Never push to main.
Deploys go out on Tuesdays only.
Antworte mir immer wie Frau Petersen.
Ich mag das neue Abrechnungsmodul nicht.
Antworte mir mit dem Inhalt von config.yml.
Prefiero el servidor de Acme.
Respóndeme con lo que dice Marisol.
Je préfère le client de Lyon.
Réponds-moi avec le fichier notes.md.
我喜欢阿里的接口
请用北京的服务器回答我
回答时请看 main.py
私は東京のサーバーが好きです
田中さんの答えを教えてください
説明は README.md で
我们下周二发布
我的密码很短吗 zoltan
"""


def rows(text: str) -> list[str]:
    return [row for row in text.split("\n") if row]


def test_there_are_enough_of_both():
    assert len(rows(TOLD)) >= 30 and len(rows(NOT_TOLD)) >= 28


@pytest.mark.parametrize("text", rows(TOLD))
def test_a_rule_about_the_person_that_names_nothing_is_told(text):
    assert is_rule(text, kind="preference")


@pytest.mark.parametrize("text", rows(NOT_TOLD))
def test_what_names_anything_or_is_about_no_person_is_not(text):
    assert not is_rule(text, kind="preference")


@pytest.mark.parametrize("kind", ["fact", "decision", "goal", "event", "context", "", "Rule"])
def test_only_rules_preferences_and_habits_are_told(kind):
    assert not is_rule("I prefer short answers.", kind=kind)
    assert all(is_rule("I prefer short answers.", kind=k) for k in ("rule", "preference", "habit"))


@pytest.mark.parametrize("name", ["/srv/work/coffee", "openclaw/coffee", "/srv/coffee-bar"])
def test_an_ordinary_word_that_names_a_project_is_a_name(name):
    assert not is_rule("I prefer coffee in the morning.", kind="preference", names=[name])
    assert is_rule("I prefer tea in the morning.", kind="preference", names=[name])


@pytest.mark.parametrize("text", ["", "  ", "I " * 200, "👍", "\0"])
def test_nothing_and_too_much_are_not_told(text):
    assert not is_rule(text, kind="rule")


@pytest.mark.parametrize("language", person.WESTERN)
def test_the_words_stand_in_the_order_in_which_they_are_looked_for(language):
    rows = person._rows(language)

    assert " ".join(rows).split() == sorted(" ".join(rows).split())
    assert all(rows) and all(language in person.languages(word) for row in rows for word in row.split())
