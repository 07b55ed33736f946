"""Whose a line is: what is told of another, or denies or moves something else, takes no place of what still holds."""

from __future__ import annotations

import pytest

from koog.memory.store import gate
from tests.memory.test_changes import told

pytestmark = pytest.mark.usefixtures("workspace")

OF_OTHERS_MOUTH = [  # who speaks of himself is another
    ("I live in York", "She told me: we moved to Lyon"),
    ("Ich wohne in Bern", "Ana sagte: wir sind nach Bonn gezogen"),
    ("Vivo en Lima", "Ana dijo: nos mudamos a Cusco"),
    ("J'habite à Lille", "Claire a dit : on a déménagé à Lyon"),
]
OF_ANOTHER = [  # what holds of another says nothing of him
    ("I'm allergic to penicillin", "My son is no longer allergic to penicillin"),
    ("I'm allergic to cats", "My stepmother is no longer allergic to cats"),
    ("Ich bin vegan", "Mein Stiefvater ist nicht mehr vegan"),
    ("Ich bin allergisch gegen Penicillin", "Mein Sohn ist nicht mehr allergisch gegen Penicillin"),
    ("Soy alérgico a la penicilina", "Mi hijo ya no es alérgico a la penicilina"),
    ("Je suis allergique à la pénicilline", "Mon fils n'est plus allergique à la pénicilline"),
    ("我对青霉素过敏", "我儿子对青霉素不再过敏"),
    ("私はペニシリンアレルギーです", "息子はもうペニシリンアレルギーではありません"),
    ("I have type 1 diabetes", "My dad has type 2 diabetes now"),
    ("I'm on warfarin, 5 mg", "Mum is on warfarin, 3 mg now"),
    ("I'm pregnant, due in May", "My sister is not pregnant any more"),
    ("I'm allergic to cats", "Ana is not allergic to cats any more"),
    ("Ana Ruiz is allergic to nuts", "Ana Ruiz's son is no longer allergic to nuts"),
    ("I'm vegetarian", "My brother is not vegetarian any more"),
    ("My son is allergic to eggs", "I'm no longer allergic to eggs"),
    ("My son is allergic to eggs", "My daughter is no longer allergic to eggs"),
    ("Tom is allergic to bees", "Tom's wife is no longer allergic to bees"),
    ("I have asthma", "Our neighbour no longer has asthma"),
    ("Ich habe Asthma", "Omas Asthma ist weg, sie hat kein Asthma mehr"),
    ("Tengo celiaquía", "Mi hermana ya no tiene celiaquía"),
    ("J'ai de l'asthme", "Ma mère n'a plus d'asthme"),
    ("我有哮喘", "我妈妈不再有哮喘了"),
    ("I'm allergic to penicillin", "The neighbour's kid is no longer allergic to penicillin"),
    ("I have type 1 diabetes", "Grandpa has type 2 diabetes now"),
    ("I take 20 mg of citalopram", "My wife takes 10 mg of citalopram now"),
    ("My wife takes 20 mg of citalopram", "I take 10 mg of citalopram now"),
    ("I'm a vegan", "Our daughter is not a vegan any more"),
    ("Eva is allergic to wasps", "Eva's brother Max is no longer allergic to wasps"),
    ("Ana is vegan", "Ben is no longer vegan"),
    ("Ich nehme 5 mg Ramipril", "Oma nimmt jetzt 10 mg Ramipril"),
    ("Ich habe eine Nussallergie", "Meine Schwester hat keine Nussallergie mehr"),
    ("Jan ist Vegetarier", "Jans Frau ist keine Vegetarierin mehr"),
    ("Tomo 5 mg de warfarina", "Mi madre toma ahora 3 mg de warfarina"),
    ("Soy vegetariano", "Mi hermano ya no es vegetariano"),
    ("Je suis végétarien", "Ma sœur n'est plus végétarienne"),
    ("Je prends 5 mg de warfarine", "Papa prend maintenant 3 mg de warfarine"),
    ("我是素食者", "我哥哥不再是素食者了"),
    ("我每天吃5毫克华法林", "我爸爸现在每天吃3毫克华法林"),
    ("私はベジタリアンです", "妹はもうベジタリアンではありません"),
    ("I drive a Volvo", "My boss drives a Volvo no longer"),
    ("My dog is called Rex", "My neighbour's dog is no longer called Rex"),
    ("I speak Dutch", "She no longer speaks Dutch"),
    ("I live in Lisbon", "I saw Ana yesterday, she moved to Braga"),
    ("I live in Lisbon", "My parents moved to Braga"),
    ("Wir wohnen in Bern", "Meine Eltern sind nach Basel gezogen"),
    ("Vivo en Lima", "Mis padres se mudaron a Cusco"),
    ("J'habite à Lille", "Mes parents ont déménagé à Nice"),
    ("我住在上海", "我父母搬到杭州了"),
    ("私は東京に住んでいます", "両親は大阪に引っ越しました"),
]
DENIED = [  # what is denied is not what is known
    ("I live in Zurich", "I no longer live in Bern"),
    ("Ich wohne in Zürich", "Ich wohne nicht mehr in Bern"),
    ("J'habite à Zurich", "Je n'habite plus à Berne"),
    ("I work at Lumen", "I don't work at Nine any more"),
    ("Ana Ruiz likes tea", "Ana Ruiz is no longer in accounting"),
    ("Vivo en Sevilla", "Ya no vivo en Cádiz"),
    ("我住在上海", "我不再住在北京"),
    ("I'm allergic to penicillin", "I'm no longer allergic to strawberries"),
    ("Ana Ruiz speaks French", "Ana Ruiz no longer speaks Dutch"),
    ("Tom drives a Volvo", "Tom no longer drives a Fiat"),
    ("Our CI runs on Jenkins", "Our CI no longer runs on Travis"),
    ("Jan Petersen arbeitet bei Siemens", "Jan Petersen arbeitet nicht mehr bei Bosch"),
    ("I use Vim", "I no longer use Emacs"),
    ("We meet on Tuesdays", "We no longer meet on Fridays"),
    ("Ben plays the cello", "Ben no longer plays the violin"),
    ("Eva ist Lehrerin", "Eva ist nicht mehr in Elternzeit"),
    ("Uso Postgres", "Ya no uso MySQL"),
    ("Mi hija va al colegio Cervantes", "Mi hija ya no va al conservatorio"),
    ("Je travaille chez Renault", "Je ne travaille plus chez Peugeot"),
    ("我在腾讯工作", "我不再在百度工作"),
    ("私は京都に住んでいます", "私はもう奈良に住んでいません"),
]
MOVED = [  # who has moved is else what he was
    ("Ana Ruiz works at Lumen", "Ana Ruiz moved to Bonn"),
    ("Ana Ruiz es vegana", "Ana Ruiz se mudó a Bonn"),
    ("Halde Logistics invoices monthly", "Halde Logistics moved to Bonn"),
    ("Ben sings", "Ben moved to Braga"),
    ("Ana Ruiz is allergic to nuts", "Ana Ruiz moved to Bonn"),
    ("Ana Ruiz is my sister", "Ana Ruiz moved to Bonn"),
    ("Jan Petersen spielt Geige", "Jan Petersen ist nach Ulm gezogen"),
    ("Louise Petit chante", "Louise Petit a déménagé à Nantes"),
    ("田中さんは歌います", "田中さんは大阪に引っ越しました"),
    ("安娜喜欢唱歌", "安娜搬到北京了"),
    ("Tom paints", "Tom relocated to Faro"),
    ("Tom plays the drums", "Tom moved to Oslo"),
    ("Eva Lind is our treasurer", "Eva Lind moved to Turku"),
    ("Jan ist Vegetarier", "Jan ist nach Ulm gezogen"),
    ("Luis Prado toca el piano", "Luis Prado se mudó a Lima"),
    ("Claire Duval joue du piano", "Claire Duval a déménagé à Nice"),
]
NO_HOME = [  # what is no home, or not for long
    ("I live in York", "We moved to Zoom for the calls"),
    ("I live in York", "We moved to Paris time for meetings"),
    ("I live in York", "I moved to Table Lisbon"),
    ("I live in York", "We moved to Room Porto for the standup"),
    ("I live in York", "We moved to Frankfurt as AWS region"),
    ("I live in York", "I dreamt we moved to Paris"),
    ("I live in York", "We visited my parents, who moved to Leeds"),
    ("I live in York", "We moved to Porto for the summer"),
    ("Ich wohne in Bern", "Wir sind nach Microsoft gezogen"),
    ("Ich wohne in Bern", "Ich habe geträumt, wir sind nach Paris gezogen"),
    ("Ich wohne in Bern", "Wir sind für den Sommer nach Porto gezogen"),
    ("Vivo en Sevilla", "Nos mudamos a Slack"),
    ("Vivo en Sevilla", "Nos mudamos a Oporto para el verano"),
    ("J'habite à Lyon", "On a déménagé à Paris pour l'été"),
    ("我住在上海", "我们搬到飞书了"),
    ("I live in York", "We moved to Berlin time zone"),
    ("I live in York", "My cousins, who moved to Leeds, say hi"),
    ("I live in York", "We moved to Teams for the demo"),
    ("I live in York", "We moved to Oslo time last week"),
    ("I live in York", "I moved to Desk Porto"),
    ("I live in York", "We moved to Dublin as our AWS region"),
    ("I live in York", "I dreamed that I moved to Rome"),
    ("I live in York", "We met the Smiths, who moved to Kent"),
    ("I live in York", "I moved to Bristol for two weeks"),
    ("Ich wohne in Bern", "Wir sind nach Raum Porto gezogen"),
    ("Ich wohne in Bern", "Ich träumte, ich bin nach Rom gezogen"),
    ("Ich wohne in Bern", "Wir sind für zwei Wochen nach Porto gezogen"),
    ("Vivo en Lima", "Soñé que nos mudamos a París"),
    ("Vivo en Lima", "Nos mudamos a Cusco por dos meses"),
    ("Vivo en Lima", "Nos mudamos a Teams para las reuniones"),
    ("J'habite à Lille", "J'ai rêvé que nous avons déménagé à Rome"),
    ("J'habite à Lille", "Nous avons déménagé à Nice pour les vacances"),
    ("我住在上海", "我们搬到三楼了"),
    ("我住在上海", "我们搬到杭州过夏天"),
    ("私は東京に住んでいます", "私たちはスラックに引っ越しました"),
    ("私は東京に住んでいます", "夏の間、私たちは京都に引っ越しました"),
]
NO_WORK = [  # what is started with somebody is no job
    ("I work at Lumen", "I started Spanish with Duolingo"),
    ("I work at Lumen", "We started the pilot with Siemens last week"),
    ("Ana works at Lumen", "Ana started a diet with Ben at home"),
    ("Ana works at Lumen", "Ana started with Chapter 3"),
    ("Ich arbeite bei Lumen", "Ich habe bei Regen angefangen"),
    ("Tom works at Lumen", "Tom was hired by Ana"),
    ("I work at Lumen", "I started a course at Stanford"),
    ("I work at Lumen", "We hired a designer at Nine"),
    ("I work at Lumen", "I started a podcast with Spotify"),
    ("I work at Lumen", "We started the migration with Accenture"),
    ("Ana works at Lumen", "Ana started therapy with Dr. Kim"),
    ("Ana works at Lumen", "Ana started at Level 2"),
    ("I work at Lumen", "We hired a plumber at Nine"),
    ("Ich arbeite bei Lumen", "Wir haben bei Kapitel 3 angefangen"),
]
OF_KIN = [  # a relative's new value
    ("Ana lives in Porto", "Ana's sister lives in Faro now"),
    ("My daughter Lena goes to the Montessori school", "My nephew no longer goes to the Montessori school"),
    ("Ana's number is 0171 5555555", "Ben has Ana's old number; his new number is 0171 7777777"),
    ("Ana works at Lumen", "Ana's husband works at Nine now"),
    ("Jan wohnt in Kiel", "Jans Schwester wohnt jetzt in Ulm"),
    ("Luis vive en Sevilla", "La hermana de Luis vive ahora en Cádiz"),
    ("Louise habite à Lyon", "Le frère de Louise habite maintenant à Paris"),
    ("安娜住在上海", "安娜的妹妹现在住在北京"),
    ("Ben lives in Porto", "Ben's boss lives in Faro now"),
    ("Ben works at Lumen", "The wife of Ben works at Nine now"),
    ("Eva wohnt in Kiel", "Der Bruder von Eva wohnt jetzt in Ulm"),
    ("Eva's number is 0171 5555555", "Tom lost Eva's number; his new number is 0171 7777777"),
    ("My son Kim goes to the Waldorf school", "My niece no longer goes to the Waldorf school"),
]
TRUE = [  # what a person truly corrects
    ("I'm allergic to penicillin", "I'm no longer allergic to penicillin"),
    ("I live in Zurich", "I no longer live in Zurich, I moved to Bern"),
    ("I work at Lumen", "I don't work at Lumen any more, I work at Nine now"),
    ("Ana Ruiz lives in Porto", "Ana Ruiz moved to Braga"),
    ("Ana Ruiz works at Lumen", "Ana Ruiz works at Nine now"),
    ("Ana Ruiz is allergic to nuts", "Ana Ruiz is no longer allergic to nuts"),
    ("My sister Eva lives in Rome", "Eva moved to Pisa"),
    ("My son Tim is allergic to eggs", "My son Tim is no longer allergic to eggs"),
    ("I have type 2 diabetes", "I no longer have type 2 diabetes"),
    ("I'm vegetarian", "I'm not vegetarian any more"),
    ("Standup is at 9:30", "Standup is at 10:15 from Monday, no more 9:30"),
    ("Halde Logistics invoices monthly", "Halde Logistics invoices weekly now, no longer monthly"),
    ("I moved to York", "I live in Leeds now"),
    ("I live in Lisbon", "I moved to Braga last week"),
    ("Our database is Postgres", "Our database is no longer Postgres, we switched to MySQL"),
    ("Ich wohne in Zürich", "Ich wohne nicht mehr in Zürich, ich bin nach Bern gezogen"),
    ("Ich wohne in Kiel", "Ich bin nach Ulm gezogen"),
    ("Ich bin allergisch gegen Penicillin", "Ich bin nicht mehr allergisch gegen Penicillin"),
    ("Jan Petersen wohnt in Kiel", "Jan Petersen ist nach Ulm gezogen"),
    ("Jan Petersen arbeitet bei Siemens", "Jan Petersen arbeitet jetzt bei Bosch"),
    (
        "Meine Tochter Lea geht in die Waldschule",
        "Meine Tochter Lea geht nicht mehr in die Waldschule, sondern in die Seeschule",
    ),
    ("Vivo en Sevilla", "Me mudé a Cádiz"),
    ("Soy alérgico a la penicilina", "Ya no soy alérgico a la penicilina"),
    ("Luis Prado vive en Sevilla", "Luis Prado se mudó a Cádiz"),
    ("Luis Prado trabaja en Telmex", "Luis Prado trabaja ahora en Iberdrola"),
    ("J'habite à Lyon", "J'ai déménagé à Paris"),
    ("Je suis allergique à la pénicilline", "Je ne suis plus allergique à la pénicilline"),
    ("Louise Petit habite à Lyon", "Louise Petit a déménagé à Nantes"),
    ("Louise Petit travaille chez Renault", "Louise Petit travaille maintenant chez Airbus"),
    ("我住在上海", "我搬到北京了"),
    ("我对青霉素过敏", "我对青霉素不再过敏"),
    ("安娜住在上海", "安娜搬到北京了"),
    ("私は東京に住んでいます", "大阪に引っ越しました"),
    ("田中さんは京都に住んでいます", "田中さんは大阪に引っ越しました"),
    ("Ana Ruiz's phone number is 0151 2345678", "Ana Ruiz has a new number: 0176 9988776"),
    ("My dentist is Dr. Weber", "My dentist is no longer Dr. Weber, it's Dr. Hahn now"),
    ("I'm on warfarin, 5 mg", "I'm on warfarin, 3 mg now"),
    ("My mum is allergic to cats", "Mum is no longer allergic to cats"),
    ("I live in York", "We moved to Leeds for good"),
    ("I live in York", "I moved to Porto for work last month"),
    ("I work at Lumen", "I started a new job at Nine"),
    ("I work at Lumen", "I started at Siemens on Monday"),
    ("Ana works at Lumen", "Ana was hired by Siemens"),
    ("Ana works at Lumen", "Ana joined Nine last week"),
    ("Ich arbeite bei Lumen", "Ich habe bei Bosch angefangen"),
    ("I'm allergic to penicillin", "Good news, the doctor told me I'm not allergic to penicillin any more"),
    ("My boss is Kim", "My boss is Lena now, no longer Kim"),
    ("My son goes to the Montessori school", "My son no longer goes to the Montessori school"),
    ("Ana is vegan", "I talked to Ana, she is no longer vegan"),
    ("Wir wohnen in Bern", "Wir sind nach Basel gezogen"),
    ("Vivo en Lima", "Nos mudamos a Cusco"),
    ("J'habite à Lille", "On a déménagé à Nice"),
    ("Mi madre toma 5 mg de warfarina", "Mi madre toma ahora 3 mg de warfarina"),
    ("我住在上海", "我们搬到杭州了"),
    ("I live in New York", "I moved to York"),
    ("I live in Lisbon", "My husband and I moved to San Marino"),
    ("Ich wohne in Bern", "Anna und ich sind nach Köln gezogen"),
    ("Vivo en Lima", "Ana y yo nos mudamos a Cusco"),
    ("J'habite à Lille", "Léa et moi avons déménagé à Nice"),
    ("我住在上海", "安娜和我搬到北京了"),
    ("I live in York", "I moved to New York last month"),
    ("I live in Lisbon", "I moved to San José"),
    ("Vivo en San José", "Me mudé a San Francisco"),
    ("I live in Lisbon", "Ana and I moved to Faro"),
    ("I live in Porto", "My wife and I moved to Braga"),
]


@pytest.mark.parametrize(("older", "newer"), [*OF_OTHERS_MOUTH, *DENIED, *MOVED, *NO_HOME, *NO_WORK, *OF_KIN])
def test_what_still_holds_is_not_replaced(older: str, newer: str) -> None:
    _, new = told(older, newer)

    assert new["replaced"] == []


@pytest.mark.parametrize(("older", "newer"), [("Ana Ruiz is allergic to nuts", "Ana Ruiz moved to Bonn"), *OF_ANOTHER])
def test_what_is_told_of_another_does_not_even_stand_against_it(older: str, newer: str) -> None:
    _, new = told(older, newer)

    assert (new["replaced"], new["against"]) == ([], [])


@pytest.mark.parametrize(("older", "newer"), TRUE)
def test_what_somebody_corrects_gives_way(older: str, newer: str) -> None:
    old, new = told(older, newer)

    assert {old["id"], old["coreId"]} & {*new["replaced"]}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ich bin Veganerin", "Ich bin keine Veganerin mehr"),
        ("私は東京に住んでいます", "今は大阪に住んでいます"),
        ("我住在上海", "我现在住在杭州"),
    ],
)
def test_the_speakers_own_change_takes_the_older_ones_place(older: str, newer: str) -> None:
    old, new = told(older, newer)

    assert new["replaced"] == [old["id"]]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ana has diabetes and takes Metformin", "Ben has diabetes now and takes Metformin"),
        ("Ana reminded me: Ben is allergic to walnuts", "Ana again about the walnut allergy, no cake for Ben"),
        ("I am allergic to penicillin", "The penicillin allergy test was cancelled"),
        ("Marta is the treasurer of the rowing club", "Jonas is the treasurer of the chess club now"),
        ("Marta is head of the nursery", "Jonas was head of the nursery until Marta took over"),
    ],
)
def test_what_is_of_another_of_health_or_another_role_takes_no_place(older, newer):
    assert not gate.opens(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I am allergic to penicillin", "I am no longer allergic to penicillin"),
        ("Ana has diabetes and takes Metformin", "Ana has diabetes and takes insulin now"),
        ("Marta is head of the nursery", "Since May Jonas is head of the nursery"),
    ],
)
def test_what_he_says_of_himself_and_a_role_that_is_handed_over_does(older, newer):
    assert gate.opens(older, newer)


def test_what_is_over_is_told_of_whoever_its_own_clause_is_of():
    older, newer = "Pauline handed in the polytunnel form", "Letter for Reg and me: polytunnel turned down"

    assert gate.opens(older, newer, {"polytunnel"})
    assert not gate.opens("Ana is in the Quarzlicht choir", "Ben quit the Quarzlicht choir", {"quarzlicht"})


def test_a_line_of_somebodys_health_stays_when_another_has_the_same(workspace, koog):
    koog("--now", "2026-01-05", "remember", "Ana has diabetes and takes Metformin")
    koog("--now", "2026-03-05", "remember", "Ben has diabetes now and takes Metformin")

    assert "- Ana has diabetes and takes Metformin" in (workspace / "MEMORY.md").read_text()
