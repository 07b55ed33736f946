"""The five layouts: what is written is read again, a person's hand stays, and every memory has one id."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.errors import UsageError
from koog.core.text.says import says
from koog.memory.names import mentions
from koog.memory.names.entries import Name
from koog.memory.names.known import FEW, Known
from koog.memory.store import core_memory, entities, episodes, graph_index, ids, procedures, stores, vault
from koog.memory.store import line as lines
from koog.memory.store.episode_day import NEAREST, EpisodeDay
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.memory.store.procedures import Procedure
from koog.sessions import labels
from koog.sessions.labels import NONE, Label
from tests.conftest import Koog

WORDS = st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=60).map(lines.words).filter(ids.slug)
LABELS = st.sampled_from([NONE, Label("/srv/my app"), Label("openclaw/main", "group", "telegram:-100--1")])
PLAIN = st.text("abcdefgh -", min_size=1, max_size=12).map(str.strip).filter(bool)


# --- ids


@pytest.mark.parametrize(
    "good",
    [
        "episode:2026-02-02:14:30",
        "episode:2026-02-02:14:30:2",
        "entity:concept--oauth2-pkce",
        "entity:person--müller",
        "fact:person--alex:0a1b2c3d",
        "procedure:how-to-deploy",
        "core:0a1b2c3d",
        "vault:の詩",
    ],
)
def test_an_id_is_read(good):
    found = ids.parse(good)

    assert f"{found.kind}:{found.name}" == good


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "core:",
        "core:0a1b",
        "entity:../../etc",
        "entity:person--../x",
        "entity:person--a/b",
        "procedure:../x",
        "procedure:.hidden",
        "vault:a\nb",
        "episode:2026-02-02",
        "fact:person--alex",
        "nothing:x",
        "vault:" + "a" * 400,
    ],
)
def test_what_escapes_or_is_half_is_no_id(bad):
    with pytest.raises(UsageError):
        ids.parse(bad)


@given(WORDS)
def test_a_name_makes_an_id_that_is_one(name):
    assert ids.parse(f"entity:{ids.entity('person', name)}").kind == "entity"


# --- one line


@given(text=WORDS, label=LABELS, until=st.none() | st.just("2026-03-04"), other=st.none() | WORDS)
def test_a_line_is_read_as_it_was_written(text, label, until, other):
    values = {k: v for k, v in {"to": until, "by": other}.items() if v}
    made = Line(text, label, values)

    found = lines.read(made.raw)

    assert (found.text, found.label, dict(found.values)) == (text, label, values)
    assert "\n" not in made.raw


def test_a_persons_own_line_has_the_same_id_as_koogs():
    assert lines.read("Lives in **Lisbon**").hash == Line("lives in Lisbon", Label("/srv/app")).hash


def test_what_is_private_or_secret_is_not_remembered():
    assert lines.words("call Ana <private>her PIN is 1234</private> <!-- x --> at ten") == "call Ana at ten"
    assert "sk-" not in lines.words("the key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")


# --- core memory


def test_core_memory_has_four_blocks_and_keeps_a_persons_own():
    text = "# Mine\n\nHello.\n\n## Wishes\n- a bike\n\n## Identity\n- Name: Ana\n"

    made = core_memory.added(text, "critical", Line("allergic to nuts"), most=3000)

    assert made.startswith(text)
    assert [(e.block, e.line.text) for e in core_memory.entries(core_memory.Sections(made, "MEMORY.md"))] == [
        ("", "a bike"),
        ("identity", "Name: Ana"),
        ("critical", "allergic to nuts"),
    ]
    new = core_memory.added("", "persona", Line("be brief"), most=3000)
    assert [s.title for s in core_memory.Sections(new, "MEMORY.md").sections] == list(core_memory.TITLES.values())
    assert "~3,000 tokens" in new


def test_what_gives_way_is_the_oldest_of_what_lasts_least_and_never_a_pin():
    text = core_memory.new(3000)
    for n in range(90):
        text = core_memory.added(text, "context", Line(f"context {n} " + "word " * 20), most=3000)
        text = core_memory.added(text, "critical", Line(f"critical {n} " + "word " * 5), most=3000)
    assert core_memory.size(text, 3000).is_over

    gone = core_memory.to_prune(text, 3000)
    left = core_memory.without(text, gone)

    assert gone[0].line.text.startswith("context 0 ")
    assert {e.block for e in gone} == {"context"}
    assert not core_memory.size(left, 3000).is_over
    assert left.count("critical ") == text.count("critical ")


# --- episodes


@given(st.lists(st.tuples(WORDS, st.sampled_from(["09:15", "14:30"]), LABELS, st.lists(PLAIN, max_size=3)), max_size=6))
def test_a_days_log_is_read_as_it_was_written(rows):
    present, day = list[Episode](), EpisodeDay(())
    text = episodes.header("2026-02-02")
    for words, time, label, tags in rows:
        entry = Episode(
            "2026-02-02",
            time,
            Line(words, label),
            "decision",
            "high",
            tuple(tags),
            "user-explicit",
            ("person--alex", "project--x"),
        )
        entry = day.add(entry)
        present.append(entry)
        text += f"\n{entry.raw}"

    found = episodes.read(text, "2026-02-02")

    assert [each._replace(row=0) for each in found] == present
    assert len({each.id for each in found}) == len(found)


def test_a_persons_own_entry_is_one_and_ids_hold_when_more_is_added():
    text = "# My day\n\n## 9:05\nmet Ana\n\n## Thoughts\nnothing\n\n## 09:05 | emotion\nglad\n"

    found = episodes.read(text, "2026-02-02")
    later = episodes.read(f"{text}\n## 09:05 | fact\nmore\n", "2026-02-02")

    assert [(e.id, e.type, e.line.text) for e in found] == [
        ("episode:2026-02-02:09:05", "fact", "met Ana"),
        ("episode:2026-02-02:09:05:2", "emotion", "glad"),
    ]
    assert [e.id for e in later[:2]] == [e.id for e in found]


# --- entities

ENTITY = """# project--moltbot-memory

<!-- Type: project | Created: 2026-01-15 | Last updated: 2026-02-02 -->
<!-- Decay score: 0.95 | Access count: 14 | Pinned: no -->

## Summary
Building an intelligent memory system.

## Facts
- Architecture: hybrid multi-store
- Forgetting: decay model

## Timeline
- 2026-01-15: Initial research began

## Open Questions
- Decay function parameters

## Relations
- Developed by: [[person--alex]]
- Built on: [[tool--openclaw]]
- Inspired by: [[concept--letta-sleep-time]], [[concept--cognitive-memory-systems]]
"""


def test_the_seeds_own_entity_is_read():
    found = entities.read(ENTITY, "project--moltbot-memory", "e.md")

    assert (found.type, found.label, found.is_pinned) == ("project", "Moltbot Memory", False)
    assert [f.line.text for f in found.facts(entities.FACTS)] == [
        "Architecture: hybrid multi-store",
        "Forgetting: decay model",
    ]
    assert {(e.start, e.relation, e.to) for e in found.edges} == {
        ("person--alex", "develops", "project--moltbot-memory"),
        ("project--moltbot-memory", "built-on", "tool--openclaw"),
        ("project--moltbot-memory", "inspired-by", "concept--letta-sleep-time"),
        ("project--moltbot-memory", "inspired-by", "concept--cognitive-memory-systems"),
    }


@given(label=WORDS, alias=WORDS)
def test_an_entity_keeps_its_names(label, alias):
    text = entities.new("person--x", label=label, today="2026-02-02")
    found = entities.read(text, "person--x", "e.md")

    made = entities.read(entities.with_alias(text, found, alias), "person--x", "e.md")

    assert made.label == found.label
    assert len(made.names) <= len(found.names) + 1
    assert made.fields["Created"] == "2026-02-02"


def test_a_field_is_changed_where_it_stands_and_nothing_else():
    made = entities.with_field(ENTITY, "Pinned", "yes")

    assert made == ENTITY.replace("Pinned: no", "Pinned: yes")
    assert entities.read(made, "project--x", "e.md").is_pinned
    assert entities.with_field("# x\n", "Pinned", "yes") == "# x\n"


def test_the_index_has_every_relation_once_and_escapes_what_would_end_a_cell():
    one = entities.read(ENTITY, "project--moltbot-memory", "e.md")
    two = entities.read(
        "# person--alex\n\n<!-- Label: Alex | Moreau -->\n<!-- Label: A/M -->\n\n## Relations\n"
        "- Develops: [[project--moltbot-memory]] <!-- dc:from=2026-01-15 dc:confidence=high -->\n",
        "person--alex",
        "e.md",
    )

    text = graph_index.text([one, two], {"person--alex": graph_index.Standing(0.5, "2026-02-02")})

    assert text.count("| develops |") == 1
    assert "| person--alex | develops | project--moltbot-memory | high | 2026-01-15 | 2026-02-02 |" in text
    assert "| person--alex | person | A/M | entities/person--alex.md | 0.50 |" in text
    assert "tool--openclaw" not in text  # it has no file
    assert graph_index.text([one], {one.id: graph_index.Standing(0, "", is_archived=True)}).count("project--") == 0


# --- procedures, vault


def test_a_procedure_is_read_as_it_was_written():
    made = procedures.new(
        Procedure("how-to-deploy", "When asked to deploy", ("run the tests", "push the tag")),
        today="2026-02-02",
        label=Label("/srv/app"),
        learned="Episode 2026-02-02 14:30",
    )

    found = procedures.memory(made, "how-to-deploy", "p.md")

    assert procedures.steps(made, "p.md") == ["run the tests", "push the tag"]
    assert (found.id, found.at, found.label) == ("procedure:how-to-deploy", "2026-02-02", Label("/srv/app"))
    assert found.text == "When asked to deploy run the tests push the tag"


def test_a_procedure_that_is_called_by_its_first_step_says_that_once():
    made = procedures.new(
        Procedure("soak-the-beans", "Soak the beans", ("Soak the beans overnight", "salt them last")),
        today="2026-02-02",
        label=labels.NONE,
    )

    assert procedures.memory(made, "soak-the-beans", "p.md").text == "Soak the beans overnight salt them last"


@given(st.text(max_size=200).filter(lambda text: "<" not in text and "\r" not in text))
def test_the_vault_keeps_a_text_word_for_word(text):
    if not ids.slug(vault.title(text)):
        return
    made = vault.new(text, name=vault.title(text), today="2026-02-02", label=NONE)

    assert vault.words(made) == lines.clean(lines.visible(text)).strip()


# --- names


def known(*entries: tuple[str, ...]) -> Known:
    return Known({id_: Name(id_, names[0], names) for id_, *names_ in entries for names in [tuple(names_)]})


def test_two_people_of_one_first_name_stay_two():
    two = known(("person--stefan-brandt", "Stefan Brandt"), ("person--stefan-ahlers", "Stefan Ahlers", "accounting"))

    assert two.meant("Stefan", "person").is_open
    assert two.meant("Stefan Brandt", "person").id == "person--stefan-brandt"
    assert two.meant("Stefan", "person", about=["the bill from accounting"]).id == "person--stefan-ahlers"
    assert two.meant("Stefan Cole", "person").id is None
    assert known(("person--ana-ruiz", "Ana Ruiz")).meant("Ana", "person").id == "person--ana-ruiz"


def test_another_spelling_is_offered_and_only_the_same_one_is_taken():
    one = known(("concept--oauth-pkce", "OAuth PKCE"), ("tool--server-1", "server 1"))

    near = one.meant("OAuth2 PKCE flow", "concept")

    assert (near.id, [c.id for c in near.candidates]) == (None, ["concept--oauth-pkce"])
    assert one.meant("oauth-pkce", "tool").id == "concept--oauth-pkce"
    assert one.meant("server 2", "tool").candidates == ()


def test_the_first_word_of_an_organization_means_it_unless_somebody_is_called_so():
    one = known(("organization--halde-logistics", "Halde Logistics"))
    text = "Halde sent the invoice"

    assert one.within(text) == {"halde": "organization--halde-logistics"}
    assert [m.kind for m in mentions.found(text, one.within(text))] == ["organization"]
    assert one.meant("Halde", "organization").id == "organization--halde-logistics"
    assert {m.kind for m in mentions.found("Mr Halde left", one.within("Mr Halde left"))} == {"person"}
    two = known(("organization--halde-logistics", "Halde Logistics"), ("person--rosa-halde", "Rosa Halde"))
    assert two.within(text) == {"halde": "person--rosa-halde"}


SAID = st.lists(
    st.sampled_from(["Ana", "Ruiz", "the", "planner", "server", "1", "Köln", "東京", "港"]), min_size=1, max_size=3
)


@given(
    st.lists(st.tuples(st.sampled_from(["person", "tool", "place", "organization"]), SAID), max_size=6),
    st.lists(SAID, min_size=1, max_size=3),
)
def test_the_first_texts_and_the_later_ones_have_the_same_names(named, texts):
    one = known(*((f"{kind}--n{at}", " ".join(words)) for at, (kind, words) in enumerate(named)))
    said = [" ".join(words) for words in texts] + ["".join(words) for words in texts]

    first = [one.within(text) for text in said]
    for _ in range(FEW):
        one.within("")

    assert [one.within(text) for text in said] == first


@pytest.mark.parametrize("more", [0, 300])
def test_of_many_entries_the_one_that_says_the_same_is_found(more):
    place = Label("/srv/app")
    texts = [f"Paid invoice {n} of the harbour office" for n in range(more)] + ["The deploy of staging failed at night"]
    day = EpisodeDay([Episode("2026-02-02", "09:00", Line(text, place)) for text in texts])
    asked = list[str]()

    def is_same(older: Line, newer: Line) -> bool:
        asked.append(older.text)
        return older.text == texts[-1]

    said = "At night the deploy of staging failed"
    assert day.same(Line(texts[-1], place), is_same) is not None and not asked
    assert day.same(Line(said), is_same) is None and not asked
    found = day.same(Line(said, place), is_same)
    assert found and found.line.text == texts[-1]
    assert len(asked) <= NEAREST
    assert day.add(Episode("2026-02-02", "09:00", Line("more"))).nth == len(texts) + 1


ELSEWHERE = "<!-- dc:project=/srv/secret dc:scope=private -->"


def test_an_entity_is_of_the_place_where_all_of_it_was_said() -> None:
    of_one = entities.read(
        f"# project--zeppelin\n\n## Facts\n- Flies in May {ELSEWHERE}\n", "project--zeppelin", "z.md"
    )
    of_both = entities.read(
        f"# project--atlas\n\n## Facts\n- Uses Redis {ELSEWHERE}\n- Is written in Go\n", "project--atlas", "a.md"
    )

    assert of_one.place == Label("/srv/secret")
    assert of_both.place == NONE
    assert stores.told(of_both) == "Atlas Is written in Go"


def test_the_index_says_of_each_row_where_it_was_said() -> None:
    zeppelin = entities.read(
        f"# project--zeppelin\n\n## Facts\n- Flies in May {ELSEWHERE}\n\n## Relations\n"
        f"- Uses: [[tool--helium]] {ELSEWHERE}\n",
        "project--zeppelin",
        "z.md",
    )
    helium = entities.read("# tool--helium\n\n## Facts\n- Is light\n", "tool--helium", "h.md")

    rows = graph_index.text([zeppelin, helium], {}).splitlines()

    told = [row for row in rows if "zeppelin" in row]
    assert len(told) == 2 and all(labels.of_line(row) == Label("/srv/secret") for row in told)
    assert next(row for row in rows if row.startswith("| tool--helium")).endswith("|")


def test_no_search_of_another_project_finds_an_entitys_name(koog: Koog) -> None:
    folder = Path("memory/graph/entities")
    folder.mkdir(parents=True)
    (folder / "project--zeppelin.md").write_text(f"# project--zeppelin\n\n## Facts\n- Flies in May {ELSEWHERE}\n")
    (folder / "tool--helium.md").write_text("# tool--helium\n\n## Facts\n- Helium is light\n")
    koog("decay", "run")
    assert "project--zeppelin" in Path("memory/graph/index.md").read_text()

    _, line = koog("search", "zeppelin helium")
    _, shown = koog("decay", "show")

    assert "zeppelin" not in json.dumps(line["hits"]).lower()
    assert "zeppelin" not in json.dumps(shown).lower()
    assert "helium" in json.dumps(line["hits"]).lower()


def test_doctor_names_the_comment_that_keeps_koog_from_writing(workspace: Path, koog: Koog) -> None:
    """Whoever has broken an entity's file by hand is told by `remember`, and must be told by `doctor` too."""
    file = workspace / "memory/graph/entities/person--ana.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# person--ana\n\n<!-- Type: person\n\n## Facts\n- plays chess\n")

    _, refused = koog("remember", "Ana plays go", "--store", "semantic", "--entity", "Ana")
    _, line = koog("doctor")

    assert "person--ana.md" in refused["error"]["message"]
    found = next(each for each in line["findings"] if (each["file"] or "").endswith("person--ana.md"))
    assert (found["level"], found["line"]) == ("error", 3)


WHAT = st.sampled_from("boiler pump gauge meter valve".split())
TOLD = st.lists(st.tuples(WHAT, WHAT, st.lists(st.integers(1, 4), max_size=2)), min_size=1, max_size=14)


@given(TOLD)
def test_of_a_day_those_are_compared_that_differ_in_no_number_and_share_most(rows):
    texts = [f"the {one} and the {other} in {' and '.join(map(str, numbers))}" for one, other, numbers in rows]
    *before, last = [Line(text) for text in texts]
    day = EpisodeDay([Episode("2026-02-02", "09:00", each) for each in before])
    asked = list[Line]()
    said = says(last.text)
    common = [len(says(each.text).ideas & said.ideas) for each in before]
    fitting = [
        at
        for at, each in enumerate(before)
        if common[at] and ((own := says(each.text).numbers.keys()) <= said.numbers.keys() or said.numbers.keys() <= own)
    ]

    found = day.same(last, lambda older, _: bool(asked.append(older)))

    if found is None:
        assert asked == [before[at] for at in sorted(fitting, key=lambda at: (-common[at], at))[:NEAREST]]
    else:
        assert found.line.hash == last.hash and not asked
