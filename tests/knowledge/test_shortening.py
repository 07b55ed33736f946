"""A month's lines in fewer words: what says nothing goes, and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.knowledge.condensing import laws, shortening
from koog.knowledge.condensing.gathering import Said


def short(text: str, trust: str = "person") -> str:
    return shortening.shortened(Said("people", text, "2026-04-01", trust=trust))


@pytest.mark.parametrize(
    ("long", "then"),
    [
        ("Yeah! And the boiler was mended by two plumbers.", "The boiler was mended by two plumbers."),
        ("Wow, great! We went to a shelter in March, you know, and it felt good.", None),
        ("(photo: a photo of a boiler in a cellar)", "(photo: a boiler in a cellar)"),
        ("(Foto: ein Foto von einem Kessel im Keller)", "(Foto: einem Kessel im Keller)"),
        ("→ The boiler was mended by two plumbers.", "The boiler was mended by two plumbers."),
        ("And iPhones were sold at the old mill in Bergen", "iPhones were sold at the old mill in Bergen"),
        ("Thank you! We sold the old mill in Bergen, by the way.", "We sold the old mill in Bergen."),
        ("Übrigens, wir haben, wie gesagt, die alte Mühle verkauft.", "Wir haben, die alte Mühle verkauft."),
        ("Vendimos el molino viejo, ya sabes, en marzo.", "Vendimos el molino viejo, en marzo."),
        ("On a vendu le vieux moulin, tu sais, en mars.", "On a vendu le vieux moulin, en mars."),
        ("我们三月，你知道，去了卑尔根。", "我们三月，去了卑尔根。"),
        ("四月に、えっと、港で会いました。", "四月に、港で会いました。"),
        ("Well, you know, the mill was sold to the harbour master.", "The mill was sold to the harbour master."),
    ],
)
def test_what_carries_nothing_is_cut(long, then):
    assert short(long) == (then or "We went to a shelter in March, and it felt good.")


@pytest.mark.parametrize(
    "line",
    [
        "Thanks, Ana! The boiler was mended by two plumbers.",
        "We build the shed in spring, unless it rains.",
        "Wir bauen den Schuppen im Frühling, falls es trocken bleibt.",
        "除非下雨，我们春天搭棚子。",
        "雨が降らなければ、春に小屋を建てる。",
        "We build the big shed in spring. Unless it rains.",
        "I used to think that Emma keeps three old cats.",
        "J'ai failli acheter la voiture rouge, mais ma femme était contre.",
        'She said "take the old road, you know, then wait" and "leave the car, well, at the mill".',
        "We met the plumbers (two of them, you know, in a red van) at the gate",
        # a word that may be a filler is one of several
        "Cool, dry places keep the potatoes of the harbour fresh.",
        "They dug a ditch, well, and pond behind the mill in Bergen.",
        "Bob spoke calmly, honestly, and clearly to the whole board.",
        "El coche es barato, bueno, y bonito, dice mi madre.",
        "Me too! My sister has diabetes and lives in Bergen.",
        # what stands between commas says how sure it is, whose word, when, where
        "Anna moved to Berlin in March, or so people say in the village.",
        "Maria ist im März nach Berlin gezogen, angeblich, ihre Mutter lacht darüber.",
        *(
            f"Anna works at Acme in Berlin, {how}, and her sister Maria laughs about it in the kitchen."
            for how in (
                "maybe",
                "probably",
                "hopefully",
                "allegedly",
                "they say",
                "he claims",
                "says the horoscope",
                "what a lie",
                "formerly",
                "on paper",
                "in staging",
                "at most",
                "at night",
                "I guess",
                "of course not",
                "vielleicht",
                "hoffentlich",
                "sagt Bob",
                "früher",
                "quizás",
                "ojalá",
                "supuestamente",
                "antiguamente",
                "peut-être",
                "paraît-il",
                "autrefois",
                "たぶん",
            )
        ),
        # a sentence takes another back, says whose word it is, or when and where it holds
        "Maria left me for Bob in Berlin. Just kidding.",
        "Imagine this. Maria was fired from Acme in Berlin in March.",
        "Anna takes 20 mg of statins every day in the morning. She did until the surgery.",
        "We were engaged for 3 years. She moved to Berlin in March with Bob.",
        "I had a strange dream last night. Maria was fired from Acme in Berlin in March.",
        "Bob told me a lie yesterday. Maria was fired from Acme in Berlin in March.",
        "Maria was fired from Acme in Berlin in March. That is what the fortune teller said.",
        "Maria was fired from Acme in Berlin in March. In the movie, of course.",
        "Maria was fired from Acme in Berlin in March. Scratch that.",
        "The deploy to production runs on Friday at 17:00. It is cancelled this week.",
        "Is this right? Maria was fired from Acme in Berlin in March.",
        "Yeah, right. Maria was fired from Acme in Berlin in March.",
        "Haha! Maria was fired from Acme in Berlin in March.",
        "Did Maria leave Acme in Berlin? Yes. She told me in March.",
        "Thanks! That is what the fortune teller said in March.",
        # where it holds stands in front
        "In my novel, the hero Marco kills his brother in Naples in 1950, I wrote two chapters yesterday.",
        "In the simulation, the plant in Lisbon exploded in March, 40 people died there.",
        *(
            f"{where}, the backup of Atlas runs at 3:00 on Sunday."
            for where in (
                "In staging",
                "For guests",
                "On paper",
                "In theory",
                "In the worst case",
                "For now",
                "Previously",
                "Last year",
            )
        ),
        # the second half undoes the first
        "We had booked flights to Rome for May 12, the airline cancelled them all.",
        "Anna moved to Berlin in March, wrong, her mother did.",
        "My doctor claims I have diabetes type 2, my wife Anna disagrees with that and wants a second opinion.",
        "No, Anna moved to Berlin in March with her mother.",
        "The mill was sold and we never went back to Bergen",
        "Wir haben die Mühle verkauft, ach nein, verpachtet.",
    ],
)
def test_what_a_line_says_is_not_cut(line):
    assert short(line) == line


# Not what the code calls empty: what a reader does.
SAYS = (
    "Ana paid 40 euros for the pump",
    "we went to Bergen on 3 March",
    "but Bo did not like the ferry",
    "maybe,",
    "or so they say,",
    "in my novel,",
    "on paper,",
    "at night,",
    "Just kidding.",
    "Scratch that.",
    "She told me so.",
    "unless the harbour master says no",
    "No,",
    "“leave the gate open, you know, and wait for the old ferry”",
    '"we left, well, before the boat came"',
    "(a red door, you know, and a lamp)",
    "Wir waren mit Ilse im Keller",
    "angeblich,",
    "falls der Kessel wieder tropft",
    "nos vimos en el puerto con Juan",
    "dicen,",
    "on a fermé la vanne du jardin",
    "paraît-il,",
    "我们三月去了卑尔根，",
    "听说，",
    "如果下雨就不去了。",
    "四月に港で会いました。",
    "たぶん、",
)
EMPTY = ("Wow!", "Yeah,", "you know,", "By the way,", "Thanks!", "weißt du,", "por cierto,", "tu sais,", "对了，", "→")
MARKS = (".", "?", "!", ",")
PARTS = st.tuples(st.sampled_from(["says", "empty", "mark"]), st.integers(0, 99))


@given(parts=st.lists(PARTS, min_size=1, max_size=8), trust=st.sampled_from(["person", "agent"]))
def test_whatever_says_something_stays_in_its_order_and_once_is_enough(parts, trust):
    of = {"says": SAYS, "empty": EMPTY, "mark": MARKS}
    told = [(kind, of[kind][n % len(of[kind])]) for kind, n in parts]
    long = " ".join(text for _, text in told)

    now = short(long, trust)

    words = re.findall(r"\w+", now.casefold())
    said = re.findall(r"\w+", " ".join(text for kind, text in told if kind == "says").casefold())
    left = iter(words)
    assert all(word in left for word in said), (long, now)
    assert not set(words) - set(re.findall(r"\w+", long.casefold()))
    assert short(now, trust) == now
    assert now == long or laws.is_made_of(now, [Said("t", long, "2026-04-01")])
