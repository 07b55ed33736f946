"""What tells a change is told with the sentence that names what of."""

from koog.core.text.statement import Statement
from koog.core.text.talk import Said, of_turns
from koog.knowledge import whereof


def told(text: str, *, role: str = "user") -> list[str]:
    return [each.told for each in whereof.told(of_turns([Said(role, text)]))]


def test_what_tells_a_change_has_the_sentence_before_it_that_names_of_what() -> None:
    said = "Little tour of the new place, Torrent House on Mill Lane. Cancelled my old membership on the way out."
    assert told(said)[-1] == said


def test_and_those_between() -> None:
    said = "The Marlin is ours!! Six years old, with a cabin. The old one was sold for parts this morning."
    assert told(said)[-1] == said


def test_what_names_something_itself_stands_alone() -> None:
    assert told("Saw Ana in Porto. We have moved the archive to Berlin.")[-1] == "We have moved the archive to Berlin."


def test_so_does_what_tells_no_change_and_what_nothing_is_named_before() -> None:
    assert (
        told("Saw Ana in Porto. We had a coffee and a long talk there.")[-1] == "We had a coffee and a long talk there."
    )
    assert (
        told("A wet and windy day today. We cancelled the membership there.")[-1]
        == "We cancelled the membership there."
    )


def test_a_long_sentence_is_kept_by_itself() -> None:
    before = "Saw Ana in Porto where she has been living since the spring with two friends of hers and a very old dog."
    assert told(f"{before} We cancelled the old membership there.")[-1] == "We cancelled the old membership there."


def test_an_agents_words_stay_as_they_are() -> None:
    said = whereof.told([Statement("The Marlin is here.", "assistant", "agent", turn=1),
                         Statement("The old one was sold.", "assistant", "agent", turn=1)])  # fmt: skip
    assert said[-1].leans == ()
