"""What stands against each other in the stores, put there as it was told, and nobody was asked which of it holds. Pure.

`remember` keeps a line beside another where the two may not go together, which is often no more than that both are
about one thing. So a person is asked where the night, which knows what else was said, finds them at odds as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from koog.consolidate import accounts, shared, taken_back
from koog.consolidate.survey import Said, Survey


def found(survey: Survey) -> Iterator[tuple[Said, Said]]:
    """Yield every two lines that hold, stand against each other and are at odds, the older first."""
    pairs = dict.fromkeys(_beside(survey))
    count = shared.counted(survey.every.values()) if pairs else shared.counted(())
    for older, newer in pairs:
        if taken_back.at_odds(older, newer) or accounts.differs(older, newer, count):
            yield older, newer


def _beside(survey: Survey) -> Iterator[tuple[Said, Said]]:
    for said in survey.every.values():
        for other in said.against:
            if other in survey.every:
                older, newer = sorted((said, survey.every[other]), key=lambda s: (s.day, s.id))
                yield older, newer
