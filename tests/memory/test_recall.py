"""koog recall: what answers, how sure that is, what is hidden, what was replaced; nobody is told what is not his."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from koog.memory import recall_view
from tests.conftest import Koog

pytestmark = pytest.mark.usefixtures("workspace")
NOW = ("--now", "2026-03-20T10:00:00Z")


def told(koog: Koog, text: str, *more: str, at: str = "2026-03-04T09:00:00Z") -> dict[str, Any]:
    code, line = koog("--now", at, "remember", text, *more)
    assert code == 0, line
    return line


def asked(koog: Koog, question: str, *more: str, now: tuple[str, ...] = NOW) -> dict[str, Any]:
    code, line = koog(*now, "recall", question, *more)
    assert code == 0, line
    return line


def of(koog: Koog, name: str, text: str, *more: str, at: str = "2026-03-04T09:00:00Z") -> dict[str, Any]:
    return told(koog, text, "--store", "semantic", "--entity", name, *more, at=at)


# --- what answers


def test_an_answer_says_where_it_stands_and_since_when_it_holds(koog: Koog) -> None:
    kept = of(koog, "Ana Ruiz", "Ana Ruiz is allergic to peanuts")

    line = asked(koog, "What is Ana allergic to?")

    (first, *_) = line["results"]
    assert (line["found"], line["source"]) == (True, "stores")
    assert (first["id"], first["store"], first["path"]) == (kept["id"], "semantic", kept["path"])
    assert Path(first["path"]).read_text().splitlines()[first["line"] - 1].startswith("- Ana Ruiz is allergic")
    assert (first["date"], first["from"], first["until"]) == ("2026-03-04", "2026-03-04", None)
    assert (first["trust"], first["project"], first["scope"]) == ("agent", None, "private")
    assert first["confidence"] >= 0.5


def test_what_was_never_told_is_not_found_and_the_nearest_is_weak(koog: Koog) -> None:
    of(koog, "Ana Ruiz", "Ana Ruiz is allergic to peanuts")

    line = asked(koog, "What is Ana's middle name?")

    assert (line["found"], line["source"], line["results"]) == (False, None, [])
    assert line["weak"][0]["confidence"] < 0.5


def test_a_line_beside_what_is_asked_for_is_no_sure_answer(koog: Koog) -> None:
    told(koog, "We're booked on the ferry from Cork to Roscoff, cabins for 28", "--store", "episodic")
    told(koog, "The ferry tickets cost 4,120 euros", "--store", "episodic")

    beside = asked(koog, "How much did the ferry cost per cabin?", "--brief")
    told_ = asked(koog, "How much did the ferry tickets cost?", "--brief")

    assert (beside["found"], beside["brief"].splitlines()[0]) == (False, "Not sure; the nearest that is remembered:")
    assert "28" in beside["brief"]
    assert (told_["found"], "4,120" in told_["brief"].splitlines()[0]) == (True, True)


def test_what_somebody_asks_of_himself_is_not_answered_by_what_is_known_of_another(koog: Koog) -> None:
    told(koog, "My name is Levan Kereselidze", "--store", "core", "--block", "identity")
    of(koog, "Maria", "Maria works at Hotel Adria")

    line, other = asked(koog, "Where do I work?"), asked(koog, "Where does Maria work?")
    of(koog, "Levan Kereselidze", "Levan works at Netz")
    own = asked(koog, "Where do I work?")

    assert (line["found"], line["weak"][0]["text"]) == (False, "Maria works at Hotel Adria")
    assert [row["text"] for row in other["results"]] == ["Maria works at Hotel Adria"]
    assert [row["text"] for row in own["results"]] == ["Levan works at Netz"]


def test_nobody_known_is_not_mixed_up_with_somebody_known(koog: Koog) -> None:
    of(koog, "Ana Ruiz", "Ana Ruiz plays the cello")

    assert asked(koog, "Does Zelda play the cello?")["found"] is False


KINDS = {
    "When did we choose Postgres?": "when",
    "Wann haben wir uns für Postgres entschieden?": "when",
    "¿Cuándo elegimos Postgres?": "when",
    "Quand avons-nous choisi Postgres ?": "when",
    "我们什么时候选择了Postgres?": "when",
    "Postgresはいつ選んだ?": "when",
    "How do we deploy the shop?": "how",
    "Wie machen wir ein Release?": "how",
    "¿Cómo hacemos el despliegue?": "how",
    "Comment faire une sauvegarde ?": "how",
    "怎么部署?": "how",
    "Why did we leave Redis?": "why",
    "Warum nutzen wir Redis nicht mehr?": "why",
    "¿Por qué dejamos Redis?": "why",
    "Pourquoi Redis ?": "why",
    "为什么不用Redis?": "why",
    "What's the latest on the move?": "latest",
    "Was gibt's Neues vom Umzug?": "latest",
    "Quoi de neuf sur le projet ?": "latest",
    "¿Qué hay de nuevo con el proyecto?": "latest",
    "搬家最近怎么样?": "latest",
    "Who runs the choir?": "who",
    "Wer leitet den Chor?": "who",
    "¿Quién dirige el coro?": "who",
    "谁负责合唱团?": "who",
    "What do you know about Ana?": "about",
    "Was weißt du über Ana?": "about",
    "¿Qué sabes de Ana?": "about",
    "Que sais-tu de Ana ?": "about",
    "Does Ana drink coffee?": "general",
}


def test_the_question_says_how_it_is_answered(koog: Koog) -> None:
    assert {question: asked(koog, question)["kind"] for question in KINDS} == KINDS


def test_a_procedure_answers_how_something_is_done(koog: Koog) -> None:
    told(koog, "Deploying the shop: run the tests; tag the commit; tell Mara", "--store", "procedural")
    told(koog, "The shop has new shelves", "--store", "episodic")

    line = asked(koog, "How do we deploy the shop?")

    assert line["results"][0]["steps"] == ["run the tests", "tag the commit", "tell Mara"]


def test_a_procedure_that_is_called_by_its_first_step_tells_that_once(koog: Koog) -> None:
    told(koog, "Soak the beans overnight, boil them with bay, salt them last", "--store", "procedural")

    line = asked(koog, "How do I soak the beans?", "--brief")

    assert "1. Soak the beans overnight; 2. boil them with bay" in line["brief"]
    assert line["brief"].count("Soak the beans") == 1


def test_a_name_is_found_by_its_alias_and_with_a_letter_wrong(koog: Koog) -> None:
    of(koog, "Oluwaseun Adeyemi", "Oluwaseun Adeyemi keeps the keys of the boathouse")
    path = Path("memory/graph/entities/concept--oluwaseun-adeyemi.md")
    path = path if path.exists() else next(Path("memory/graph/entities").glob("*adeyemi.md"))
    path.write_text(
        path.read_text().replace("<!-- Label: Oluwaseun Adeyemi", "<!-- Label: Oluwaseun Adeyemi | Aliases: Seun")
    )

    by_alias = asked(koog, "What does Seun keep?")
    misspelt = asked(koog, "What does Adeyami keep?")

    assert by_alias["entities"][0]["id"] == misspelt["entities"][0]["id"] == path.stem
    assert "boathouse" in by_alias["results"][0]["text"]
    assert "boathouse" in [*misspelt["results"], *misspelt["weak"]][0]["text"]


def test_of_two_of_one_first_name_the_other_words_tell(koog: Koog) -> None:
    of(koog, "Stefan Ahlers", "Stefan Ahlers works in accounting")
    of(koog, "Stefan Brandt", "Stefan Brandt works in the kitchen")

    line = asked(koog, "Which Stefan works in the kitchen?")

    assert {each["id"] for each in line["entities"]} == {"person--stefan-ahlers", "person--stefan-brandt"}
    assert "Brandt" in line["results"][0]["text"]


def test_what_is_two_steps_away_is_found_and_not_without_depth(koog: Koog) -> None:
    of(koog, "Mira Kovac", "Mira Kovac leads the Atlas team", "--edge", "develops:Atlas Gateway")
    of(koog, "Atlas Gateway", "It listens on port 4100")

    near = asked(koog, "What is the port of Mira's gateway?", "--explain")
    bare = asked(koog, "What is the port of Mira's gateway?", "--explain", "--depth", "0")

    hops = [{each["text"]: each["why"]["hop"] for each in [*line["results"], *line["weak"]]} for line in (near, bare)]
    assert hops[0]["It listens on port 4100"] == 1
    assert hops[1]["It listens on port 4100"] is None
    (edge,) = near["related"]
    assert (edge["from"], edge["relation"], edge["hop"]) == ("person--mira-kovac", "develops", 0)
    assert edge["to"].endswith("--atlas-gateway")


def test_what_is_known_of_a_neighbour_is_not_told_as_sure(koog: Koog) -> None:
    of(koog, "Ana Ruiz", "Ana Ruiz lives in Lisbon", "--edge", "knows:Bruno Keller")

    line = asked(koog, "Where does Bruno live?")

    assert (line["found"], line["results"]) == (False, [])
    assert line["weak"][0]["text"] == "Ana Ruiz lives in Lisbon"


def test_a_first_name_inside_a_whole_one_means_nobody_else(koog: Koog) -> None:
    of(koog, "Ana", "Ana plays the cello")
    of(koog, "Ana Schmidt", "Ana Schmidt plays the drums")

    of_one, of_both = asked(koog, "What does Ana Schmidt play?"), asked(koog, "Do Ana and Ana Schmidt play?")

    assert [each["label"] for each in of_one["entities"]] == ["Ana Schmidt"]
    assert {each["label"] for each in of_both["entities"]} == {"Ana", "Ana Schmidt"}


# --- what was replaced


def test_the_newer_stands_first_and_says_what_it_replaced(koog: Koog) -> None:
    old = of(koog, "Ana Ruiz", "Ana Ruiz lives in Berlin", at="2026-01-10T09:00:00Z")
    new = of(koog, "Ana Ruiz", "Ana Ruiz lives in Lisbon now", "--replaces", old["id"])

    line = asked(koog, "Where does Ana live?")

    (first, *others) = line["results"]
    assert (first["id"], first["from"]) == (new["id"], "2026-03-04")
    assert first["replaced"] == [
        {"id": old["id"], "text": "Ana Ruiz lives in Berlin", "from": "2026-01-10", "until": "2026-03-04"}
    ]
    assert old["id"] not in [each["id"] for each in others]


def test_as_of_a_day_the_older_one_holds(koog: Koog) -> None:
    old = of(koog, "Ana Ruiz", "Ana Ruiz lives in Berlin", at="2026-01-10T09:00:00Z")
    of(koog, "Ana Ruiz", "Ana Ruiz lives in Lisbon now", "--replaces", old["id"])

    then = asked(koog, "Where does Ana live?", "--as-of", "2026-02-01")
    before = asked(koog, "Where does Ana live?", "--as-of", "2026-01-01")

    assert [(each["id"], each["until"]) for each in then["results"]] == [(old["id"], None)]
    assert (before["found"], before["results"], before["weak"]) == (False, [], [])


def test_as_of_a_day_nobody_and_nothing_is_told_that_came_later(koog: Koog) -> None:
    of(koog, "Ana Ruiz", "Ana Ruiz leads Atlas", "--edge", "develops:Atlas", at="2026-01-10T09:00:00Z")
    of(koog, "Ana Ruiz", "Ana Ruiz and Bruno Keller sing together", "--edge", "knows:Bruno Keller")

    then, now = (asked(koog, "What do Ana and Bruno Keller do?", *more) for more in (("--as-of", "2026-02-01"), ()))

    assert {each["label"] for each in now["entities"]} - {each["label"] for each in then["entities"]} == {
        "Bruno Keller"
    }
    assert [{each["relation"] for each in line["related"]} for line in (then, now)] == [
        {"develops"},
        {"develops", "knows"},
    ]


def test_a_correction_among_episodes_is_known_by_its_words(koog: Koog) -> None:
    told(koog, "The standup is at 9:30", "--store", "episodic", at="2026-02-02T09:00:00Z")
    told(koog, "From now on the standup is at 10:15, no longer 9:30", "--store", "episodic")

    line = asked(koog, "When is the standup?", "--brief")

    first = line["brief"].splitlines()[0]
    assert "10:15" in first
    assert "(until 2026-03-04: The standup is at 9:30)" in first


LATER = ("Our translator is Aino Rautio, freelance, 0.14 euro a word", "Aino Rautio wrote, her rate is 0.16 since May")


@pytest.mark.parametrize(
    ("older", "later", "question", "first"),
    [
        (*LATER, "How much does the freelance translator charge per word?", "0.16"),
        (*LATER, "How much did the freelance translator originally charge per word?", "0.14"),
        (LATER[0], "Bruno sings 0.16 octaves lower", "How much does the freelance translator charge per word?", "0.14"),
        (LATER[0], "Aino Rautio likes tea", "How much does the freelance translator charge per word?", "0.14"),
    ],
    ids=["what came of it", "what was before", "another matter", "no number"],
)
def test_what_came_of_a_thing_stands_before_what_was_said_of_it_first(
    koog: Koog, older: str, later: str, question: str, first: str
) -> None:
    told(koog, older, "--store", "episodic", at="2026-02-02T09:00:00Z")
    told(koog, later, "--store", "episodic")

    line = asked(koog, question, "--brief")

    rows = [row for row in line["brief"].splitlines() if row.startswith("- ")]
    assert first in rows[0]
    assert "out of date" not in line["brief"]  # nobody said so


def test_it_stands_before_every_older_one(koog: Koog) -> None:
    told(koog, "Aino Rautio translates for 0.14 euro a word", "--store", "episodic", at="2026-02-01T09:00:00Z")
    told(koog, "Aino Rautio translates Finnish for 0.15 euro", "--store", "episodic", at="2026-02-02T09:00:00Z")
    told(koog, "Aino Rautio wrote, it is 0.16 since May", "--store", "episodic")

    line = asked(koog, "How much a word does Aino Rautio take, who translates Finnish?")

    assert "0.16" in (line["results"] + line["weak"])[0]["text"]
    assert len(line["results"] + line["weak"]) == 3


def test_a_line_of_core_memory_that_was_replaced_answers_what_held_then(koog: Koog) -> None:
    told(koog, "My day rate is 420 euros", "--store", "core", "--block", "identity", at="2026-01-10T09:00:00Z")
    old = json.loads(Path("memory/meta/access.jsonl").read_text().splitlines()[-1])["id"]
    told(koog, "My day rate is 465 euros", "--store", "core", "--block", "identity", "--replaces", old)

    now = asked(koog, "What is my day rate?")
    then = asked(koog, "What is my day rate?", "--as-of", "2026-02-01")

    assert "465" in now["results"][0]["text"]
    assert [each["text"] for each in now["results"][0]["replaced"]] == ["My day rate is 420 euros"]
    assert [each["text"] for each in then["results"]] == ["My day rate is 420 euros"]


# --- what fades


def test_what_has_faded_is_shown_where_nothing_else_answers_and_else_counted(koog: Koog) -> None:
    told(koog, "The boat is painted green", "--store", "episodic", at="2025-06-01T09:00:00Z")

    alone = asked(koog, "How is the boat painted?")
    told(koog, "The boat is painted green and white", "--store", "episodic", at="2026-03-19T09:00:00Z")
    beside = asked(koog, "How is the boat painted?")
    every = asked(koog, "How is the boat painted?", "--dormant")

    assert [each["status"] for each in alone["results"]] == ["dormant"]
    assert ([each["status"] for each in beside["results"]], beside["hidden"]["dormant"]) == (["active"], 1)
    assert len(every["results"]) == 2


def test_what_somebody_archived_is_told_by_its_id_only(koog: Koog) -> None:
    kept = told(koog, "The boat is painted green", "--store", "episodic")
    log = Path("memory/meta/access.jsonl")
    line = {"ts": "2026-03-05T09:00:00Z", "id": kept["id"], "op": "archive", "store": "episodic", "why": "forget"}
    log.write_text(log.read_text() + json.dumps(line) + "\n")

    asked_for = asked(koog, "How is the boat painted?")
    by_id = asked(koog, kept["id"])

    assert (asked_for["found"], asked_for["weak"], asked_for["hidden"]["archived"]) == (False, [], 1)
    assert [(each["text"], each["status"]) for each in by_id["results"]] == [("The boat is painted green", "archived")]


def test_what_was_forgotten_is_told_in_no_answer_and_by_its_id(koog: Koog) -> None:
    kept = of(koog, "Ana Ruiz", "Ana Ruiz keeps a falcon")
    told(koog, "Ana Ruiz keeps a falcon", "--store", "episodic")
    Path("memory/2026-03-02.md").write_text("# 2026-03-02\n\n- Ana Ruiz keeps a falcon\n")

    code, _ = koog("--now", "2026-03-10T09:00:00Z", "forget", "--confirm", kept["id"])
    asked_for = asked(koog, "What does Ana keep, a falcon?")
    brief = asked(koog, "What does Ana keep?", "--brief")
    by_id = asked(koog, kept["id"])

    assert code == 0
    assert "falcon" not in json.dumps([asked_for["results"], asked_for["weak"], asked_for["sessions"], brief])
    assert [(each["text"], each["status"]) for each in by_id["results"]] == [("Ana Ruiz keeps a falcon", "archived")]


def test_a_forgotten_line_of_core_memory_is_told_by_its_id(koog: Koog) -> None:
    kept = told(koog, "The gate code is 4471", "--store", "core", "--block", "identity")
    koog("--now", "2026-03-10T09:00:00Z", "forget", "--confirm", kept["id"])

    by_id = asked(koog, kept["id"])

    assert "4471" not in json.dumps(asked(koog, "What is the gate code?"))
    assert [(each["text"], each["status"]) for each in by_id["results"]] == [("The gate code is 4471", "archived")]


def test_being_shown_strengthens_nothing_and_being_used_does(koog: Koog) -> None:
    kept = told(koog, "The boat is painted green", "--store", "episodic")
    before = Path("memory/meta/access.jsonl").read_text()

    asked(koog, "Which colour is the boat?")
    shown = Path("memory/meta/access.jsonl").read_text()
    line = asked(koog, "Which colour is the boat?", "--used", kept["id"])

    last = json.loads(Path("memory/meta/access.jsonl").read_text().splitlines()[-1])
    assert shown == before
    assert line["used"] == [kept["id"]]
    assert (last["id"], last["op"], last["why"]) == (kept["id"], "access", "used")


def test_another_agent_recalls_and_strengthens_nothing(koog: Koog) -> None:
    kept = told(koog, "The boat is painted green", "--store", "episodic")

    code, line = koog(*NOW, "--agent", "scout", "recall", "How is the boat painted?")
    refused, error = koog(*NOW, "--agent", "scout", "recall", "--used", kept["id"])

    assert (code, line["results"][0]["id"]) == (0, kept["id"])
    assert (refused, error["error"]["code"]) == (5, "refused")


def test_an_id_that_nothing_has_is_said(koog: Koog) -> None:
    code, line = koog(*NOW, "recall", "--used", "episode:2026-01-01:10:00")

    assert (code, line["error"]["code"]) == (4, "not_found")


# --- who is told


def test_a_group_is_told_what_was_said_in_it_and_nothing_else(koog: Koog, monkeypatch: pytest.MonkeyPatch) -> None:
    told(koog, "The boat is painted green", "--store", "episodic")
    of(koog, "Ana Ruiz", "Ana Ruiz paints boats", "--edge", "uses:Tar")
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.setenv("KOOG_SESSION_KEY", "agent:main:telegram:group:-1001")
    told(koog, "The group paints the boat on Sunday", "--store", "episodic")

    line = asked(koog, "Who paints the boat, Ana?")

    assert [each["text"] for each in [*line["results"], *line["weak"]]] == ["The group paints the boat on Sunday"]
    assert (line["related"], line["entities"]) == ([], [])


def test_who_was_spoken_of_in_a_group_is_nobody_in_another(koog: Koog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.setenv("KOOG_SESSION_KEY", "agent:main:telegram:group:-1001")
    of(koog, "Zora Vale", "Zora Vale paints boats")
    monkeypatch.setenv("KOOG_SESSION_KEY", "agent:main:telegram:group:-1002")

    line = asked(koog, "What do you know about Zora?")
    code, shown = koog("graph", "show", "Zora")

    assert (line["entities"], line["results"], line["weak"]) == ([], [], [])
    assert (code, "Vale" in json.dumps(shown)) == (4, False)


def test_a_private_block_is_never_told(koog: Koog) -> None:
    path = Path("memory/episodes/2026-03-04.md")
    path.parent.mkdir(parents=True)
    path.write_text("# 2026-03-04\n\n## 09:00 | fact\nThe gate code is <private>4471</private> as ever\n")

    line = asked(koog, "What is the gate code?")

    assert "4471" not in json.dumps(line)
    assert line["results"][0]["text"] == "The gate code is as ever"


# --- the raw sessions


def test_the_daily_notes_answer_where_the_stores_are_silent(koog: Koog) -> None:
    Path("memory/2026-03-02.md").write_text("# 2026-03-02\n\n- The plumber Okafor mended the boiler valve\n")
    told(koog, "The garden has new fences", "--store", "episodic")

    line = asked(koog, "Which plumber mended the boiler valve?")

    assert (line["found"], line["source"], line["results"]) == (True, "sessions", [])
    assert (line["sessions"][0]["path"], line["sessions"][0]["line"]) == ("memory/2026-03-02.md", 3)


def test_of_a_passage_the_brief_has_what_answers_and_not_its_greeting(koog: Koog) -> None:
    greeting = "Hello there! It has been ages, I hope that the move went well and everybody has settled in nicely. "
    said = (
        "## 09:00 — user\n"
        + greeting * 2
        + "\nThe spare oars of the boat hang in the barn. <!-- dc:day=2026-03-02 -->\n"
    )
    Path("memory/2026-03-02.md").write_text(f"# 2026-03-02\n\n{said}")

    brief = asked(koog, "Where do the spare oars of the boat hang?", "--brief")["brief"].splitlines()[0]

    assert "barn" in brief
    assert "##" not in brief and "<!--" not in brief


def test_what_the_stores_know_needs_no_sessions(koog: Koog) -> None:
    Path("memory/2026-03-02.md").write_text("# 2026-03-02\n\n- The plumber Okafor mended the boiler valve\n")
    told(koog, "The plumber Okafor mended the boiler valve", "--store", "episodic")

    line = asked(koog, "Which plumber mended the boiler valve?")

    assert (line["source"], line["sessions"]) == ("stores", [])


# --- the knowledge files


def knowledge(path: str, *rows: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    head = "---\ntype: reference\nupdated: 2026-03-02\n---\n\n# Decisions\n\n## Key Decisions\n"
    Path(path).write_text(head + "".join(f"- {row}\n" for row in rows))


def test_what_was_decided_is_told_in_other_words_and_what_it_replaced_is_not(koog: Koog) -> None:
    knowledge(
        "knowledge/reference/decisions.md",
        "2026-01-07: Vacation requests are out of scope for the roster <!-- dc:source=ses_a:4 -->",
        "~~2026-01-05: Holiday requests go through the roster~~ (until 2026-01-07) <!-- dc:to=2026-01-07 -->",
    )

    line = asked(koog, "Does the roster cover holidays?")

    (first,) = (each for each in line["sessions"] if each["path"] == "knowledge/reference/decisions.md")
    assert first["text"] == "Vacation requests are out of scope for the roster"
    assert (first["line"], first["date"], first["trust"]) == (9, "2026-01-07", "agent")
    assert "go through" not in json.dumps(line)


def test_what_condensing_has_moved_is_still_told_and_once(koog: Koog) -> None:
    path = "archive/reference/valves.md"
    knowledge(path, "2026-01-07: The boiler valve is mended by Okafor alone <!-- dc:source=ses_a:4 -->")
    Path("memory/2026-01-07.md").write_text("# 2026-01-07\n\n- The boiler valve is mended by Okafor alone\n")

    line = asked(koog, "Who mends the boiler valve?")

    assert (line["found"], [each["path"] for each in line["sessions"]]) == (True, [path])


def test_a_line_of_another_project_is_told_to_nobody_else(koog: Koog) -> None:
    knowledge("knowledge/reference/decisions.md", "The boiler valve is Okafor's <!-- dc:project=/srv/other -->")

    line = asked(koog, "Whose is the boiler valve?")

    assert "Okafor" not in json.dumps(line)


def test_what_became_of_a_thing_is_told_beside_what_the_question_finds(koog: Koog) -> None:
    """It has no word of the question: only beside the older line can anybody see what it is about."""
    knowledge(
        "knowledge/reference/decisions.md",
        "2026-01-07: My desk is in the portakabin at the back of the depot yard",
        "2026-02-11: Goodbye yard, I've been moved into the old ticket office, my desk is under the clock",
        "2026-02-12: The porridge is made with oat milk now",
        *(f"2026-01-{day}: Bus {day} went to the wash" for day in range(10, 30)),
    )

    line = asked(koog, "Where in the depot do I sit?")

    old, new, *_ = (each["text"].split()[-1] for each in line["sessions"])
    assert (old, new) == ("yard", "clock")
    assert line["sessions"][1]["weak"] is True
    assert "porridge" not in json.dumps(line)


def conversation(day: str, *said: str, role: str = "user") -> None:
    name = f"ses_{day.replace('-', '')}"
    path = Path.cwd().parent / f"{Path.cwd().name}-raw/conversations/{day.replace('-', '/')}/0900-{name}-talk.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    head = f"---\nsession_id: {name}\nstarted: {day}T09:00:00Z\nscope: private\n---\n\n# Talk\n"
    path.write_text(head + "".join(f"\n## 09:0{n} — {role}\n{each}\n" for n, each in enumerate(said)))


def test_of_the_kind_that_is_asked_of_what_was_said_later_is_told_though_no_line_was_made_of_it(koog: Koog) -> None:
    """It tells no change and has no word of the question or of the older line: only both are makes of one thing."""
    knowledge(
        "knowledge/reference/decisions.md",
        "2026-01-07: Rain again, I take the Merida with the mudguards, it is my only way to the office",
        *(f"2026-01-{day}: Bus {day} went to the wash" for day in range(10, 30)),
    )
    conversation("2026-02-11", "Walked home with an Orbea, second hand and dark green", "The baker was shut, sadly")
    for day in range(10, 32):  # nearer to the question
        conversation(f"2025-12-{day}", f"Day {day} at the office, what a ride", "I ride the lift at the office")

    line = asked(koog, "Which bike do I ride to the office?")

    told_ = [each["text"] for each in line["sessions"]]
    assert any("Merida" in each for each in told_)
    assert next(each for each in line["sessions"] if "Orbea" in each["text"])["weak"] is True


@pytest.mark.parametrize("role", ["agent", "tool"])
def test_what_an_agent_or_a_tool_said_is_not_what_became_of_a_thing(koog: Koog, role: str) -> None:
    knowledge(
        "knowledge/reference/decisions.md", "2026-01-07: I take the Merida to the office, it is my only way there"
    )
    conversation("2026-02-11", "Walked home with an Orbea, second hand and dark green", role=role)
    for day in range(10, 32):
        conversation(f"2025-12-{day}", f"Day {day} at the office, what a ride", "I ride the lift at the office")

    line = asked(koog, "Which bike do I ride to the office?")

    assert "Merida" in line["sessions"][0]["text"]
    assert not any("Orbea" in each["text"] for each in line["sessions"])


def test_without_vectors_words_in_common_tell_it(koog: Koog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "none")
    knowledge(
        "knowledge/reference/decisions.md",
        "2026-01-07: A double day for Orlaith at the pharmacy that my wife works in",
        "2026-02-11: Orlaith got it, from now on she starts at six in the hospital",
        "2026-02-12: The porridge is made with oat milk now",
    )

    line = asked(koog, "Where does my wife work?")

    assert [each["date"] for each in line["sessions"]][:2] == ["2026-01-07", "2026-02-11"]
    assert "porridge" not in json.dumps(line)


def test_who_asks_for_a_day_is_told_of_no_change_without_one(koog: Koog) -> None:
    knowledge(
        "knowledge/reference/decisions.md",
        "2026-01-07: The choir sings on Tuesdays in the parish hall",
        "2026-02-11: From now on the parish hall is locked by the sexton",
        "2026-02-12: The parish hall is ours on Mondays now",
    )

    line = asked(koog, "On which evening is the choir?")

    assert [each["date"] for each in line["sessions"]][:2] == ["2026-01-07", "2026-02-12"]


def test_what_was_so_before_is_told_as_it_was(koog: Koog) -> None:
    knowledge(
        "knowledge/reference/decisions.md",
        "2026-01-07: My desk is in the portakabin at the back of the depot yard",
        "2026-02-11: Goodbye yard, I've been moved into the old ticket office, my desk is under the clock",
    )

    line = asked(koog, "Where in the depot did I use to sit originally?")

    assert "ticket office" not in json.dumps(line)


def test_what_lasts_is_told_beside_a_sure_line_of_the_stores(koog: Koog) -> None:
    """The words of a question may stand in a line of another matter."""
    told(koog, "The purchase orders of panels wait for the permit", "--store", "episodic")
    knowledge("knowledge/procedures/general.md", "Gail takes purchase orders till 10:30, what is later waits for a day")

    line = asked(koog, "By what time do purchase orders have to be in?")

    assert [each["text"][:14] for each in line["sessions"]] == ["Gail takes pur"]


def test_a_line_that_denies_a_value_of_the_older_tells_what_became_of_it(koog: Koog) -> None:
    knowledge(
        "knowledge/reference/decisions.md",
        "2026-01-07: On the number 23 to work again, standing room only",
        "2026-01-20: I keep standing on the wrong side of the room at work",
        "2026-02-11: That's the e-bike four days running, no more 23 for me",
        *(f"2026-01-{day}: The cook at work has the soup of day {day}, the wrong one" for day in range(10, 30)),
    )

    line = asked(koog, "How do I get to work?")

    ends = [each["text"].split()[-1] for each in line["sessions"]]
    assert ends[ends.index("only") + 1] == "me"


def test_a_change_of_another_project_is_told_beside_no_line_of_this_one(koog: Koog) -> None:
    knowledge(
        "knowledge/reference/decisions.md",
        "2026-01-07: My desk is in the portakabin at the back of the depot yard <!-- dc:project=/srv/a -->",
        "2026-02-11: I've been moved, my desk is in the ticket office of the yard <!-- dc:project=/srv/b -->",
        *(f"2026-01-{day}: Bus {day} went to the wash" for day in range(10, 30)),
    )

    line = asked(koog, "Where in the depot do I sit?", "--project", "all")

    places = {each["text"].split()[-1]: each["project"] for each in line["sessions"][:2]}
    assert places.get("yard") != "/srv/b" and len({each["project"] for each in line["sessions"][:2]} - {None}) == 1


def test_what_became_of_many_things_is_told_of_few(koog: Koog) -> None:
    rooms = ("attic", "cellar", "pantry", "nursery", "study", "porch", "loft", "larder", "stable")
    knowledge(
        "knowledge/reference/decisions.md",
        *(f"2026-01-07: The paint of the {room} is from Okafor" for room in rooms),
        *(f"2026-02-11: The {room} has been moved to wallpaper by Lindqvist" for room in rooms),
    )

    line = asked(koog, "Whose is the paint of Okafor?", "--limit", "9")

    assert sum("wallpaper" in each["text"] for each in line["sessions"]) == 5


def test_a_decision_is_of_its_day_and_not_of_the_day_of_asking(koog: Koog) -> None:
    decided = "2026-02-08: From now on my office is in room 12 on the second floor"
    Path("MEMORY.md").write_text(f"# Memory\n\n## Key Decisions\n\n- {decided} <!-- dc:source=ses_a:17 -->\n")
    told(koog, "My office is in room 40 on the fourth floor now", "--explicit", at="2026-03-01T10:00:00Z")

    line = asked(koog, "Where is my office?")

    old = next(each for each in line["results"] if "room 12" in each["text"])
    assert (old["date"], old["replaced"]) == ("2026-02-08", [])
    assert "room 40" in line["results"][0]["text"] and line["results"][0]["until"] is None


@pytest.mark.parametrize(
    ("first", "second", "question"),
    [
        (
            "2026-02-12: My sister Clara works at the pharmacy in Linden as a cashier",
            "2026-02-14: From now on Peter works at the pharmacy in Limmer",
            "Where does Clara work?",
        ),
        (
            "2026-01-12: The backup of the staging server runs at 3:00 at night",
            "2026-02-14: The backup of the production server runs at 5:00 at night from now on",
            "When does the backup of the staging server run?",
        ),
    ],
)
def test_what_is_said_of_one_hides_nothing_that_is_said_of_another(
    koog: Koog, first: str, second: str, question: str
) -> None:
    knowledge("knowledge/reference/decisions.md", first, second)

    line = asked(koog, question)

    assert first[12:] in [each["text"] for each in line["sessions"]]


def test_a_line_is_found_by_what_another_of_its_turn_says(koog: Koog) -> None:
    drinks = ("tea", "milk", "water", "juice", "beer", "wine", "coffee", "cocoa")
    others = (f"2026-01-0{n}: The cook takes {drink} <!-- dc:source=ses_b:{n} -->" for n, drink in enumerate(drinks, 1))
    knowledge(
        "knowledge/reference/decisions.md",
        "2026-01-07: Got the Skoda serviced at last <!-- dc:source=ses_a:4 -->",
        "2026-01-07: The lad says it takes 0W-30 and nothing else <!-- dc:source=ses_a:4 -->",
        *others,
    )

    line = asked(koog, "What oil does the Skoda take?")

    assert [each["text"][:14] for each in line["sessions"][:2]] == ["Got the Skoda ", "The lad says i"]


# --- its form


def test_the_brief_is_short_and_names_the_ids_of_the_nearest(koog: Koog) -> None:
    from koog.core.text import tokens

    for n in range(30):
        of(koog, "Ana Ruiz", f"Ana Ruiz bought boat number {n} of the {n} boats in harbour {n}")

    line = asked(koog, "Which boats did Ana buy?", "--brief")

    assert tokens.estimate(line["brief"]) <= 450
    assert line["results"] == []
    rows = line["brief"].splitlines()
    assert all(row.startswith("- ") and "[2026-03-04 fact:" in row for row in rows[:2])
    assert len(rows) > 6
    assert all(row.startswith("- ") and row.endswith(" [03-04]") for row in rows[2:])


def test_a_brief_has_what_is_less_sure_behind_what_is_sure(koog: Koog) -> None:
    of(koog, "Ana Ruiz", "Ana Ruiz is allergic to peanuts")
    told(koog, "Bo is allergic to cats", "--store", "episodic")

    rows = asked(koog, "What is Ana Ruiz allergic to?", "--brief")["brief"].splitlines()

    assert "peanuts" in rows[0]
    assert (rows[-2], "cats" in rows[-1]) == ("Less sure:", True)


def test_what_sessions_surely_say_stands_before_what_is_not_sure(koog: Koog) -> None:
    told(koog, "The boat is painted green", "--store", "episodic")
    Path("memory/2026-03-02.md").write_text("# 2026-03-02\n\n- The spare oars of the boat hang in the barn\n")

    line = asked(koog, "Where do the spare oars of the boat hang?", "--brief")

    assert (line["found"], line["source"]) == (True, "sessions")
    assert "barn" in line["brief"].splitlines()[0]


def test_a_brief_of_nothing_says_so(koog: Koog) -> None:
    line = asked(koog, "Who is Zelda?", "--brief")

    assert (line["found"], line["brief"]) == (False, "Nothing remembered answers this.")


def test_the_line_stays_short_whatever_is_remembered(koog: Koog) -> None:
    for n in range(40):
        told(koog, f"Boat {n} {'has a long story of oars and sails ' * 12}", "--store", "episodic")

    line = asked(koog, "Which boat has a story of oars?", "--limit", "40", "--explain")

    assert len(json.dumps(line)) < 10_000
    assert line["_meta"]["truncated"] is True


def test_the_config_says_how_many_and_how_good(koog: Koog) -> None:
    for n in range(4):
        told(koog, f"The boat number {n} is painted green", "--store", "episodic")
    Path("koog-config.json").write_text(json.dumps({"memory": {"maxResults": 2}}))

    few = asked(koog, "Which boat is painted green?")
    Path("koog-config.json").write_text(json.dumps({"memory": {"minScore": 1.0}}))
    none = asked(koog, "Is a boat in the harbour painted green or white or yellow?")

    assert len(few["results"]) == 2
    assert none["results"] == []


def test_without_an_index_the_files_themselves_answer(koog: Koog) -> None:
    told(koog, "The boat is painted green", "--store", "episodic")
    Path(".koog").mkdir(exist_ok=True)
    for each in Path(".koog").glob("index.db*"):
        each.unlink()
    Path(".koog/index.db").mkdir()

    line = asked(koog, "How is the boat painted?")

    assert (line["found"], line["results"][0]["text"]) == (True, "The boat is painted green")


@pytest.mark.parametrize(
    "argv", [(), ("",), ("  ",), ("x", "--as-of", "soon"), ("x", "--depth", "3"), ("fact:no such",), ("--used", "x")]
)
def test_a_wrong_call_is_said(koog: Koog, argv: tuple[str, ...]) -> None:
    code, line = koog(*NOW, "recall", *argv)

    assert (code, line["error"]["code"]) == (2, "usage") if argv != ("fact:no such",) else code == 0


def test_a_person_is_shown_sections(koog: Koog) -> None:
    old = of(koog, "Ana Ruiz", "Ana Ruiz lives in Berlin", at="2026-01-10T09:00:00Z")
    of(koog, "Ana Ruiz", "Ana Ruiz lives in Lisbon now", "--replaces", old["id"])

    sure = recall_view.sections(asked(koog, "Where does Ana Ruiz live?"))
    none = recall_view.sections(asked(koog, "Where does Zelda live?"))

    texts = [cell.text for section in sure for row in section.rows for cell in row]
    assert {"Ana Ruiz lives in Lisbon now", "until 2026-03-04: Ana Ruiz lives in Berlin"} <= set(texts)
    assert any("memory/graph/entities/" in text for text in texts)
    assert "nothing that surely answers it" in [cell.text for row in none[0].rows for cell in row]


def test_of_a_memory_that_has_just_begun_not_every_line_is_near(koog: Koog) -> None:
    others = ("ladder", "saw", "paint", "rope", "barrow", "hose", "spade", "drill", "lamp")
    for text in ("the lease costs 1350 a month", *(f"the {thing} is in the shed" for thing in others)):
        told(koog, text)

    _, line = koog("recall", "how much is the lease?", "--brief")

    lines = line["brief"].splitlines()
    assert "1350" in lines[0]
    assert len(lines) <= 2 + 3  # the answer, the heading, the nearest
