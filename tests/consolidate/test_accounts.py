"""Two sources and one thing: which values two lines give, and whether a person has to be asked which of them holds."""

from __future__ import annotations

import pytest

from koog.consolidate import accounts, endings, holders, repeats, values
from koog.consolidate.survey import Said
from koog.memory.store import procedures
from koog.memory.store.procedures import Procedure
from koog.sessions import labels
from tests.consolidate.tools import ANA, NIGHT, of_kind, relayed, remember, slept

OTHERS = [
    Said(
        f"episode:2026-01-{n % 28 + 1:02}:{n // 28 + 8:02}:00",
        f"Bought a lamp, that makes {n}",
        f"2026-01-{n % 28 + 1:02}",
    )
    for n in range(200)
]


def _pair(older: str, newer: str) -> tuple[Said, Said]:
    return Said("episode:2026-02-02:09:00", older, "2026-02-02"), Said("episode:2026-02-09:09:00", newer, "2026-02-09")


@pytest.mark.parametrize(
    ("line", "kind", "measure"),
    [
        ("The hoist is inspected every two years", values.RHYTHM, 730),
        ("Twice a year the hoist is inspected", values.RHYTHM, 182.5),
        ("A three-yearly inspection", values.RHYTHM, 1095),
        ("Der Kamin wird alle zwei Jahre gekehrt", values.RHYTHM, 730),
        ("Una vez al año se limpia la caldera", values.RHYTHM, 365),
        ("Deux fois par an on purge", values.RHYTHM, 182.5),
        ("每两年检修一次", values.RHYTHM, 730),
        ("年に2回点検する", values.RHYTHM, 182.5),
        ("Six weeks' notice", values.SPAN, 42.6),
        ("The kiln is good for another ten winters", values.SPAN, 3650),
        ("No more than 2.5 litres", values.AMOUNT, 2.5),
        ("The bale has 18 kg", values.AMOUNT, 18),
        ("£1,250 for the season", values.AMOUNT, 1250),
        ("The fair is on the 3rd of June", values.DAY, 603),
        ("Der Markt ist am 14. Oktober", values.DAY, 1014),
        ("La feria es el 14 de octubre", values.DAY, 1014),
        ("展览是10月14日", values.DAY, 1014),
        ("The ferry leaves at 5.40pm", values.TIME, 1060),
        ("Die Fähre geht um 17 Uhr", values.TIME, 1020),
    ],
)
def test_a_value_is_read_in_one_measure_in_whatever_words(line, kind, measure):
    assert pytest.approx(measure, rel=0.02) in [v.measure for v in values.given(line) if v.kind == kind]


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("It lasts twelve months", "It lasts a full year, for one year"),
        ("We start at 5:40", "The start is at 17:40"),
        ("Plot 27 is clay", "Plot 31 is sand"),
        ("My queries take 35 minutes", "The line is cut at 20 minutes, a query takes 35"),
        ("Ten minutes in the queue", "She was away for two years"),
        ("Two litres a day", "Half a sack a day"),
    ],
)
def test_what_is_the_same_or_of_two_things_is_no_two_values(line, other):
    assert list(values.apart(line, other)) == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The miller says the flour keeps for six months", "The label on the flour says it keeps for a year"),
        ("Rosa told me the hedge belongs to the parish", "The deed has it that the neighbour owns the hedge"),
        ("The vestry says the organ is tuned twice a year", "A sticker in the organ: tuned once a year"),
        ("Nadia is adamant the regatta is on 7 June", "There's a poster for the regatta, 14 June"),
        ("The warden says I have to register the kayak", "The coastguard says there's no need to register a kayak"),
        ("The lease says repairs of the awning are down to the tenant", "He says awning repairs are down to the owner"),
        ("The hotline says the cellar is covered for floods", "Clause 9 says floods in the cellar are not covered"),
        ("Der Verkäufer sagt, der Ofen hat 8 kW", "Auf dem Schild am Ofen steht 11 kW"),
        ("La guía dice que la ermita es de 1640", "Según el cartel, la ermita es de 1690"),
        ("Le gardien dit que la grille ferme à 18:00", "L'affiche dit que la grille ferme à 19:30"),
        ("师傅说锅炉每半年检修一次", "锅炉上的标签写着每年检修一次"),
        ("The poster says shed 3 is 4.5 metres high", "The builder says shed 3 is 3.1 metres high"),
        ("Nadia says the regatta is on June 7", "The poster says the regatta is on June 14"),
        ("Der Wart sagt, das Bad öffnet 9 Uhr", "Auf dem Schild steht, das Bad öffnet 11 Uhr"),
        ("The seller says the new kiln takes 8 kW", "The label on the new kiln says 11 kW"),
        ("Ada brought her sheet: kiln fund 41'300 francs", "The bank's letter gives the kiln fund as 36'800 francs"),
        ("Our broker says the deductible of the kiln is 2,500", "Read the policy. Page 11: kiln deductible 5,000 each"),
        ("Rosa swears the calves had both shots", "The vet left a docket for the calves: shots, second outstanding"),
        (
            "Kim tells me the chapel harmonium came from a convent",
            "On the plaque of the chapel harmonium stands: gift of the mill",
        ),
        ("mum on the phone: the chapel harmonium came from a convent", "plate in the chapel harmonium: from a mill"),
        ("The lease puts harmonium repairs on us", "The owner's man said harmonium repairs are his job"),
        ("The parish wrote that the cistern sample passed", "A man from the lab says the cistern sample failed"),
        ("The docket has the harmonium as a hire", "The treasurer says the harmonium was bought outright"),
        ("Der Wart sagt, die Orgelprüfung ist bestanden", "Im Bericht steht: Orgelprüfung, durchgefallen"),
        ("The seller says the ukulele body is solid mahogany", "The luthier says the ukulele body's alder"),
        ("Der Händler sagt, die Truhe ist aus Eiche", "Auf dem Zettel der Truhe steht, sie ist aus Kiefer"),
        ("El vendedor dice que el arcón es de roble", "Según la ficha, el arcón es de pino"),
        ("The rep says the compressors come out of a plant in Slovakia", "Compressors here. Plate: made in Thailand"),
        ("The manual has the freezer alarm at -68", "The technician says the freezer alarm trips at -65"),
        ("The slide has it: bootloader owner = Lamar", "The wiki page says: bootloader, owner Yuki"),
        (
            "A letter came, and in it the council owns the pavilion",
            "Asked Murray. He's adamant: the club owns the pavilion",
        ),
        (
            "Ott says Pia had both of her rubella jabs",
            'Letter to "the parents of" from the new surgery in Hawksworth: rubella jab outstanding, please book',
        ),
        (
            "Kim says the rabbit's myxo jabs are settled",
            "Portal mails me: rabbit, myxo jab 1 of 2 given, second outstanding",
        ),
        (
            "The surveyor states that no asbestos is in the boathouse roof",
            "The roofer: asbestos in the boathouse roof, he says",
        ),
        ("The list at HR says Zoe's quota is 80 %", "Zoe's quota is 90 percent, she says by the machine"),
        (  # the thing itself stands in the sentence before
            "A new pump for the dye vat is in. The salesman says it has a five-year warranty on parts",
            "Dye vat pump again. Hal reckons they only ever carry three years from that maker",
        ),
    ],
)
def test_two_sources_give_two_values_of_one_thing(older, newer):
    a, b = _pair(older, newer)

    assert repeats.apart([*OTHERS, a, b]) == [(a, b)]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The leaflet says the sauna opens at 10:00 on weekdays", "A sign says the sauna opens at 13:00 on Sundays"),
        ("The guide says the museum in Bergen shuts at 17:00", "Their site says the museum in Oslo shuts at 20:00"),
        ("The lease says four weeks' notice during the trial", "HR says three months' notice after the trial"),
        (
            "His notebook has the roan heifer as out of the Limousin bull",
            "Dad's adamant the roan heifer is the Limousin's",
        ),
        (
            "Akil joined the call on the ledger, said one sentence",
            "Got word from the bank: Akil has the ledger from today",
        ),
        (
            "Idea for the ferry song, a sheet: start with the horn",
            "Odalys wrote a bass line that carries the ferry song",
        ),
        ("The report on the pilot boat: it overheats", "Bought a mill. Ada says it sounds like the pilot boat"),
        (
            "He thinks the expansion vessel of the boiler is gone",
            "The label: new expansion vessel of the boiler, steady",
        ),
        (
            "Zoe read a report on culverts. She's a structural engineer",
            "Zoe got a tart. She said it was structurally sound",
        ),
        (
            "Me escribió Tomás. Dice que los derechos de la ópera son de la familia",
            "Tomás Aldunate rang. He swears the rights of the opera are not of the family",
        ),
        ("Meret rang, the rent of the barn is 300", "Meret in a hurry: the rent of the barn goes up to 350, she says"),
        ("Only one shop is open, the clerk says, 10 to 2", "The club's letter says only members may vote, 3 to 1"),
        ("The trust asks for $900 for all of it, they say", "The driver says all of it cost him $450"),
        ("She says the yard is number two of the yards", "He says yard three is under water"),
        ("1. call the tower 2. wait for ten minutes 3. the chart says go", "The tower told me to wait for 20 minutes"),
        ("The bakery says the oven takes two days", "It moved: the bakery says the oven takes four days now"),
        ("The poster says shed 3 is 4.5 metres high", "The builder says shed 7 is 3.1 metres high"),
        ("The janitor says room 2 holds 40 kg a shelf", "The label in room 4: each shelf holds 60 kg"),
        ("The board's plan says bay B, the crane lifts 900 kg", "The label on the crane of bay C says it lifts 700 kg"),
        ("The chart says pontoon two has a depth of 14 metres", "The pilot says pontoon six has a depth of 9 metres"),
        ("Laut Plan hat Halle 2 eine Höhe von 8 Metern", "Auf dem Schild von Halle 5 steht eine Höhe von 6 Metern"),
        ("El cartel dice que el depósito 1 tiene 40 litros", "La guía dice que el depósito 3 tiene 55 litros"),
        ("L'affiche dit que le quai 4 ferme à 18:00", "Le gardien dit que le quai n° 6 ferme à 20:30"),
        ("师傅说3号锅炉每半年检修一次", "5号锅炉的标签写着每年检修一次"),
        ("They've had our laundry contract for four years", "New laundry contract signed with Ilse Wolle, three years"),
        ("Der Vertrag der Wäscherei läuft vier Jahre", "Neuer Vertrag mit der Wäscherei Ilse Wolle, drei Jahre"),
        ("Put the four quotes for the awning in a list", "The awning spec goes out, then three quotes in a list"),
        ("Dana told me the footbridge was listed in 2014", "The agent's letter: the footbridge was never painted"),
        ("The vicar told me Bosko ate the card", "The vet says Bosko has no rash. Not what I feared at all"),
        ("Told Kim how the harmonium is tuned, and by whom", "The sheet in the harmonium says by whom it was tuned"),
        (
            "Wrote the sheet for the harmonium tuner. The harmonium takes 20 minutes",
            "The tuner's harmonium took 40 minutes",
        ),
        (
            "Harmonium tuner came in ten minutes",
            "The harmonium tuner said an hour would do for the harmonium, please note it",
        ),
        (
            "Kim says how: open the harmonium, blow, wipe, oil, shut it",
            "On the harmonium lid: blow, oil, wipe, air, shut",
        ),
        ("How often is the organ tuned, does the vestry say twice a year?", "A sticker in the organ: once a year"),
    ],
)
def test_of_two_days_places_or_times_and_with_words_of_everybody_nothing_is_at_odds(older, newer):
    a, b = _pair(older, newer)

    assert repeats.apart([*OTHERS, a, b]) == []


def test_years_of_one_matter_are_apart_only_where_the_lines_are_much_alike():
    """A thing has many years: when it was made, bought, sold."""
    a, b = _pair(
        "Letter of the guild about the school boiler. It says the tenancy of Ott and his cousin ends in 2027",
        "Ada had the school boiler looked at. The fitter says the grate under the pan dates from 2029",
    )
    close = b._replace(
        text="Ada had the school boiler and the letter of the guild out. She says the tenancy of Ott ends in 2029"
    )

    assert repeats.apart([*OTHERS, a, b]) == []
    assert repeats.apart([*OTHERS, a, close]) == [(a, close)]


def test_who_says_that_nobody_knows_which_is_right_is_asked_about_the_nearest_line():
    a, b = _pair(
        "The sexton says the bell of the chapel was cast in Ghent",
        "The vicar told another tale of the chapel bell. Who am I to believe?",
    )
    far = Said("episode:2026-02-03:09:00", "The sexton says the chapel is cold", "2026-02-03")

    assert list(accounts.found([*OTHERS, a, far, b])) == [(a, b)]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "A man in the county's bridge office told me our footbridge got heritage status in 2014, planks and rails",
            "Letter from the owner's agent, Sollum Estates: our planks and rails never had heritage status",
        ),
        (
            "Rang the kennel about Bosko. His rabies vaccination is down as done, according to the card they have",
            "The vet says the register shows no rabies vaccination for Bosko. That's not what the kennel told me",
        ),
        (
            "Im Tierheim steht die Tollwutimpfung von Bosko auf der Karte",
            "Die Tierärztin sagt, Bosko hat keine Tollwutimpfung. Das hat mir das Tierheim anders gesagt",
        ),
    ],
)
def test_who_denies_what_another_said_is_asked_about_though_each_says_at_length_who_tells_it(older, newer):
    a, b = _pair(older, newer)
    more = Said(
        "episode:2026-02-03:09:00", "The heritage cat sleeps on planks and rails, a status symbol", "2026-02-03"
    )

    assert list(accounts.found([*OTHERS, a, more, b])) == [(a, b)]


def test_of_several_lines_about_one_thing_the_first_two_are_asked_about():
    a, b = _pair("The miller says the flour keeps for six months", "The label on the flour says it keeps for a year")
    c = Said("episode:2026-02-16:09:00", "The miller wrote, flour keeps for six months, he says", "2026-02-16")

    assert repeats.apart([*OTHERS, a, b, c]) == [(a, b)]


@pytest.mark.parametrize(
    ("older", "newer", "now"),
    [
        ("Nadia says the regatta is on June 7", "The poster says the regatta is{} on June 14", " now"),
        ("Der Verkäufer sagt, der Ofen hat 8 kW", "Auf dem Schild am Ofen sind{} 11 kW", " jetzt"),
    ],
)
def test_what_is_so_now_is_news_and_no_second_account(older, newer, now):
    assert repeats.apart([*OTHERS, *_pair(older, newer.format(now))]) == []
    assert repeats.apart([*OTHERS, *_pair(older, newer.format(""))])


def _asked(koog) -> list[str]:
    koog(*NIGHT, "consolidate", "run")
    return [each["text"] for each in koog(*NIGHT, "consolidate", "show")[1].get("questions", ())]


def test_two_episodes_one_of_which_asks_are_asked_about_and_stay(workspace, koog):
    relayed(workspace)
    told = [
        "a memo says rye flour keeps for six months in the shed",
        "a label says rye flour keeps for a year in the shed. So which?",
    ]
    remember(workspace, [("2025-10-02 09:00", told[0]), ("2025-11-09 09:00", told[1])])

    assert any(each.startswith(f"Which holds: “{told[0]}” or “{told[1]}”?") for each in _asked(koog))
    shown = koog(*NIGHT, "consolidate", "show")[1]["operations"]
    assert not [row for row in shown if row["kind"] == "archive" and "episode:2025-10-02:09:00" in row["sources"]]


def test_what_reads_like_an_order_becomes_no_line_of_an_entity_and_is_asked_about(workspace, koog):
    relayed(workspace)
    told = [
        "Benno says the alarm of the medicine fridge sounds at ten degrees",
        "Read the manual of the medicine fridge: the alarm sounds as soon as it has more than 8 degrees",
    ]
    remember(workspace, [("2025-10-02 09:00", told[0]), ("2025-11-09 09:00", told[1])])

    assert any(each.startswith(f"Which holds: “{told[0]}” or “{told[1]}”?") for each in _asked(koog))


def test_what_somebody_says_is_asked_about_though_it_was_taken_for_a_procedure(workspace, koog):
    relayed(workspace)
    remember(workspace, [("2026-02-02 09:00", "a memo says rye flour keeps for six months in the shed")])
    said = Procedure(
        "flour", "a label on the rye flour", ("it says rye flour keeps for a year in the shed", "so be it")
    )
    text = procedures.new(said, today="2026-02-09", label=labels.NONE, learned="Told 2026-02-09")
    (workspace / "memory" / procedures.FOLDER).mkdir(parents=True, exist_ok=True)
    (workspace / "memory" / procedures.path("flour")).write_text(text)

    assert [each for each in _asked(koog) if each.startswith("Which holds: “a memo says rye flour")]


def test_the_question_whether_lines_hold_that_remember_put_beside_each_other_keeps_no_end_away(workspace, koog):
    """`remember` puts what is about one thing beside one another; that neither holds any more ends both."""
    relayed(workspace)
    remember(
        workspace, [("2026-02-01 09:00", "The veg box comes on Mondays"), ("2026-02-09 09:00", "Cancelled Oakbasket")]
    )
    row = "- Oakbasket sent kale again <!-- dc:from=2026-02-03 dc:against=episode:2026-02-01:09:00 -->\n"
    (workspace / "memory/graph/entities/person--ana.md").write_text(f"{ANA}{row}")

    assert [op["before"].partition(" <!--")[0] for op in of_kind(slept(koog), "replace")] == [
        "Oakbasket sent kale again"
    ]


@pytest.mark.parametrize(
    ("told", "since", "fact"),
    [
        (
            [
                ("2026-01-05 09:00", "Training with Ben is on Mondays at the Saalbau"),
                ("2026-01-15 09:00", "Training with Ben on Mondays at the Saalbau again"),
                ("2026-03-05 09:00", "Training with Ben at the Saalbau on Fridays, no mats"),
                ("2026-03-15 09:00", "Ben had training on Fridays at the Saalbau"),
            ],
            "2026-03-05",
            "Fridays",
        ),
        (
            [
                ("2026-01-05 09:00", "Ben plays the cello in the Faro quartet"),
                ("2026-02-05 09:00", "Ana plays the cello in the Faro quartet"),
                ("2026-03-05 09:00", "Cello evening of the Faro quartet with Ana"),
            ],
            "2026-02-05",
            "Ana plays",
        ),
        (
            [
                ("2026-01-05 09:00", "Ana says the north window is 120 cm wide"),
                ("2026-02-05 09:00", "Ben says the south window is 140 cm wide"),
            ],
            "",
            "",
        ),
        (
            [
                ("2026-01-05 09:00", "Dr Weber says take 20 mg of the tablet for Ana"),
                ("2026-02-05 09:00", "Dr Weber's nurse says Ben takes 40 mg of the tablet"),
            ],
            "",
            "",
        ),
    ],
)
def test_what_is_told_of_another_or_of_another_day_counts_for_no_fact(workspace, koog, told, since, fact):
    relayed(workspace)
    remember(workspace, told)

    facts = [op["after"] for op in of_kind(slept(koog), "fact")]

    assert len(facts) == bool(fact)
    assert all(fact in each and f"dc:from={since}" in each for each in facts)


def test_no_side_of_what_a_person_is_asked_about_becomes_a_fact_once_he_does_not_know(workspace, koog):
    relayed(workspace)
    told = [
        ("2026-01-05 09:00", "Hofer says the boiler needs service every two years"),
        ("2026-03-01 09:00", "The chimney sweep says the boiler needs service every year"),
        ("2026-01-05 10:00", "Hofer says the boiler warranty lasts two years"),
        ("2026-03-11 09:00", "The chimney sweep says the boiler warranty lasts five years"),
    ]
    remember(workspace, told)
    assert len(of_kind(slept(koog), "oppose")) == 2
    koog(*NIGHT, "consolidate", "reject", "r-001", "--why", "I do not know")
    remember(workspace, [("2026-03-14 09:00", "Petra bought a red kayak")])

    assert of_kind(slept(koog), "fact") == []


@pytest.mark.parametrize(
    ("older", "newer", "entity"),
    [
        (
            "Hofer sagt, die Heizung muss alle zwei Jahre gewartet werden",
            "Der Kaminfeger sagt, die Heizung muss jedes Jahr gewartet werden",
            "concept--heizung",
        ),
        (
            "Hofer dit que la chaudière doit être révisée tous les deux ans",
            "Le ramoneur dit que la chaudière doit être révisée tous les ans",
            "concept--chaudière",
        ),
        ("王师傅说锅炉两年保养一次", "李师傅说锅炉每年保养一次", "concept--锅炉"),
        (
            "田中さんはボイラーの点検は二年に一度だと言った",
            "佐藤さんはボイラーの点検は毎年だと言った",
            "concept--ボイラー",
        ),
    ],
)
def test_what_two_tell_otherwise_is_put_under_the_thing_that_they_tell_of(workspace, koog, older, newer, entity):
    relayed(workspace)
    remember(workspace, [("2026-01-05 09:00", older), ("2026-03-05 09:00", newer)])

    (odd,) = of_kind(slept(koog), "oppose")

    assert odd["target"].startswith(f"fact:{entity}:")


@pytest.mark.parametrize(
    ("older", "newer", "is_over"),
    [
        ("Signed up at Lindenbad, 39 a month, Tuesdays", "Cancelled my Lindenbad subscription today", True),
        ("The greenhouse application went in on Friday", "The greenhouse got turned down, no money this year", True),
        ("Brix & Co do the repaving from May", "The committee voted, repaving by Brix & Co fell through", True),
        ("Mila goes to Klecks three afternoons a week", "So Klecks is done on the 30th, they close", True),
        ("Der Antrag für den Pavillon liegt beim Amt", "Der Pavillon wurde abgelehnt, kein Geld", True),
        ("La solicitud del invernadero está en el ayuntamiento", "El invernadero fue rechazado", True),
        ("Le dossier de la serre est à la mairie", "La serre a été refusée", True),
        ("Ruben and I do a radio show on Sundays", "We got rid of the radio show, nobody listened", True),
        ("Idris has the lock-up on Pell Street", "Idris turned down a job at the harbour", False),
        ("The council will resurface Hill Lane", "We ended up on Hill Lane, lost", False),
        ("The heron comes to the pond", "A dead heron at the pond", False),
        ("The lift takes twelve people", "The lift is off till three", False),
        ("The nurse looks in at six", "The bus dropped me at the nurse's door", False),
        ("Anouk teaches pottery", "A retired potter, Anouk's aunt, has the shop", False),
    ],
)
def test_what_is_turned_down_or_cancelled_by_its_name_ends_what_speaks_of_it_as_going_on(older, newer, is_over):
    a, b = _pair(older, newer)

    assert bool(list(endings.found([*OTHERS, a, b]))) is is_over


@pytest.mark.parametrize(
    ("older", "newer", "is_replaced"),
    [
        (
            "Ragna is the site foreman, she signs my permits",
            "Jorn Vik started on Monday as site foreman, from Aalborg",
            True,
        ),
        (
            "Perla runs the seed catalogue and does the mailing list",
            "As of June Quim runs the seed catalogue, he does the mailing list too",
            True,
        ),
        (
            "Frau Ott ist die Hausverwalterin, sie macht die Nebenkosten",
            "Ab Mai ist Herr Lauber die neue Hausverwalterin, er macht die Nebenkosten",
            True,
        ),
        (
            "Tove runs the reading group and does the parish newsletter",
            "Tove hands the reading group over to Basil, who does the parish newsletter from May",
            True,
        ),
        ("Ragna is the site foreman", "Jorn Vik joined the site as a crane driver", False),
        ("Ragna is the site foreman and likes tea", "The site foreman has a new dog, Biko", False),
        ("Ragna is the site foreman", "Ragna is site foreman for both halls now", False),
        (
            "We have the seed catalogue and a mailing list",
            "As of June it has a seed catalogue and a mailing list",
            False,
        ),
    ],
)
def test_who_has_a_role_since_lately_takes_it_from_who_had_it(older, newer, is_replaced):
    a, b = _pair(older, newer)

    assert bool(list(holders.found([*OTHERS, a, b]))) is is_replaced
