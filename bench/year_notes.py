"""The world of `bench/year.py`: a project's notes, what is true in it, and what a host measures. Deterministic by seed.

The statements are in year_plants.txt, each with two wordings that were looked at while the curation was built and
two that were held out. The seed draws which are true: true and false ones have the same form, so nothing in a
sentence tells them apart. Only the world does: a false one stops being noted, fails in the bad season, and advice
that rests on it is measured as bad.
"""

from __future__ import annotations

import random
import re
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

PLANTS = Path(__file__).with_name("year_plants.txt")
DENIED = re.compile(
    r"no longer|does not|did not|did nothing|made no difference|saves nothing|not the cause|coincidence"
)
FIRST_DAY = date(2026, 1, 1)

# What a season does: the share of occasions that are about a false pattern, and how often advice that rests on a
# true one is measured as good. Advice that rests on a false one
# is measured as bad in a bad season, else as nothing much.
SEASONS = {"quiet": (0.2, 0.8), "good": (0.1, 0.95), "middle": (0.2, 0.65), "bad": (0.7, 0.5), "away": (0.0, 0.0)}
YEAR = (
    ("quiet", 21),
    ("good", 84),
    ("away", 17),
    ("middle", 38),
    ("bad", 60),
    ("middle", 25),
    ("good", 40),
    ("away", 20),
    ("middle", 30),
    ("good", 30),
)
OFFERS = {"quiet": 0.15, "good": 0.85, "middle": 0.85, "bad": 0.85, "away": 0.0}  # chance of an occasion, twice a day

NOISE = (
    "Call with {who}, {n} minutes, about the {part}",
    "Reviewed pull request {pr}: {part}",
    "Merged the {part} branch in the afternoon",
    "Rebased the {part} branch, two conflicts",
    "Read through the {part} code, took notes on paper",
    "{who} was ill today",
    "Lunch with {who}",
    "Ran {n} minutes in the park",
    "Pairing with {who} on the {part}",
    "Mail from support about the {part}, answered",
    "Upgraded the {part} to {a}.{b}",
    "Wrote {n} lines for the {part}",
    "Meeting about the {part} moved to {hour}:30",
    "The {part} took {n} ms on staging today",
    "Ticket {pr}: the {part} shows an empty page once, could not repeat it",
    "Set the pool of the {part} to {n} on staging for a trial",
    "{who} sent new texts for the {part}",
    "Cleaned up the desk, backlog down to {n} tickets",
)
PARTS = "login screen,search box,export,billing page,admin view,sync engine,map layer,onboarding,importer,mailer".split(
    ","
)
WHO = ("Ines", "Tomas", "Lena", "Piet", "support", "the client")
AGAIN = ("{0}", "{0}", "{0}", "Again: {0}", "{0} ({1})", "Seen today: {0}")
# Problems without a way out: some get one, most do not.
OPEN = (
    "The {part} fails on {day} afternoons, cause unknown",
    "The {part} is stuck for a minute after each start, cause unknown",
    "The {part} crashes on the old tablet, unsolved",
)
ADVICE = ("For today: {0}.", "{0}; worth a look before you go on.", "This looks like an earlier case: {0}.")
HEADS = ("Lessons", "Decisions and findings", "Learned today")  # half of the patterns stand under one, noise never does
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Plant(NamedTuple):
    """One statement: the words that say it, its wordings, and the sentence on which it fails."""

    name: str
    keys: tuple[re.Pattern[str], ...]
    wordings: tuple[str, ...]
    held_out: tuple[str, ...]
    fails: str

    def said_in(self, line: str) -> bool:
        """Return whether a line says it: it holds all its words and denies nothing."""
        low = line.lower()
        return all(key.search(low) for key in self.keys) and not DENIED.search(low)


class Planted(NamedTuple):
    """A statement in a year: whether it is true, and the days on which a note says it, or says that it fails."""

    plant: Plant
    true: bool
    days: tuple[int, ...]
    fails_on: int | None

    @property
    def since(self) -> int:
        return self.days[0]


class Occasion(NamedTuple):
    """A moment in which a pattern would help, and what the host will measure if advice rests on it."""

    planted: Planted
    score: float
    words: str
    said: str  # the statement inside the words


class World(NamedTuple):
    """A year: `notes` and `occasions` by day from 0, `seasons` the name of each day's season."""

    planted: tuple[Planted, ...]
    seasons: tuple[str, ...]
    notes: tuple[tuple[tuple[str, str], ...], ...]  # per day (file name, text) in the order of writing
    occasions: tuple[tuple[Occasion | None, ...], ...]  # per day one for the morning, one for the afternoon

    def day(self, number: int) -> date:
        return FIRST_DAY + timedelta(days=number)


def plants() -> tuple[Plant, ...]:
    """Return the statements of year_plants.txt."""
    lines = [line for line in PLANTS.read_text("utf-8").splitlines() if not line.startswith("#")]
    blocks = [block.splitlines() for block in "\n".join(lines).strip().split("\n\n")]
    return tuple(_plant(block) for block in blocks)


def world(*, seed: int, seasons: tuple[tuple[str, int], ...] = YEAR, pairs: int = 24, held_out: bool = False) -> World:
    """Return a world of so many true and as many false patterns.

    seasons    (name, days) in order
    held_out   take the wordings that were not looked at
    """
    draw = random.Random(seed)
    by_day = tuple(name for name, days in seasons for _ in range(days))
    drawn = draw.sample(plants(), 2 * pairs)
    planted = [_planted(plant, n < pairs, by_day, draw) for n, plant in enumerate(drawn)]
    draw.shuffle(planted)
    said = {p.plant.name: p.plant.held_out if held_out else p.plant.wordings for p in planted}
    return World(
        planted=tuple(planted),
        seasons=by_day,
        notes=tuple(_notes(n, planted, by_day, said, draw) for n in range(len(by_day))),
        occasions=tuple(_occasions(n, planted, by_day, said, draw) for n in range(len(by_day))),
    )


def _plant(block: list[str]) -> Plant:
    head, *rest = block
    return Plant(
        name=head,
        keys=tuple(re.compile(key.replace("_", "[_ ]").replace(" ", r"\s")) for key in head.split(" + ")),
        wordings=tuple(line for line in rest if line[0] not in "=!"),
        held_out=tuple(line[2:] for line in rest if line[0] == "="),
        fails=next(line[2:] for line in rest if line[0] == "!"),
    )


def _planted(plant: Plant, true: bool, by_day: tuple[str, ...], draw: random.Random) -> Planted:
    """Draw when a statement is noted.

    A true one comes up in the first two thirds of the year and every three to six weeks from then on; a false one
    in the first third, one to three times within a month, and half of them are noted as failed in the bad season.
    """
    length = len(by_day)
    bad = [n for n, name in enumerate(by_day) if name == "bad"]
    scale = length / 365
    if true:
        day, days = draw.uniform(0, 0.55 * length), list[int]()
        while day < length:
            days.append(int(day))
            day += draw.uniform(21, 42) * max(scale, 0.25)
        return Planted(plant, true, tuple(_present(days, by_day)), None)
    first = draw.uniform(0, 0.3 * length)
    days = sorted(int(first + draw.uniform(0, 30 * scale)) for _ in range(draw.randint(1, 3)))
    failed = draw.choice(bad) if bad and draw.random() < 0.5 else None
    return Planted(plant, true, tuple(_present(days, by_day)), failed)


def _present(days: list[int], by_day: tuple[str, ...]) -> list[int]:
    """Return the days moved behind absences: nobody takes notes there."""
    moved = list[int]()
    for wanted in days:
        back = (n for n in range(wanted, len(by_day)) if by_day[n] != "away")
        moved.append(next(back, len(by_day) - 1))
    return sorted(set(moved))


def _notes(
    n: int, planted: list[Planted], by_day: tuple[str, ...], said: dict[str, tuple[str, ...]], draw: random.Random
) -> tuple[tuple[str, str], ...]:
    """Return what the host writes on a day: a note, now and then one on a subject of its own, or nothing."""
    day = FIRST_DAY + timedelta(days=n)
    told = [
        draw.choice(AGAIN).format(draw.choice(said[p.plant.name]), draw.choice(WHO)) for p in planted if n in p.days
    ]
    told += [p.plant.fails for p in planted if p.fails_on == n]
    off = by_day[n] == "away" or (day.weekday() > 4 and draw.random() < 0.7) or draw.random() < 0.05
    if off and not told:
        return ()
    apart = [line for line in told if draw.random() < 0.5]
    log = [line for line in told if line not in apart] + [_noise(draw) for _ in range(draw.randint(1, 5))]
    if draw.random() < 0.06:
        log.append(draw.choice(OPEN).format(part=draw.choice(PARTS), day=draw.choice(DAYS[:5])))
    draw.shuffle(log)
    name = f"{day.isoformat()}.md"
    text = f"# {day.isoformat()} ({DAYS[day.weekday()]})\n\n## 09:{draw.randint(10, 59)}\n{_bullets(log)}"
    if not apart:
        return ((name, text),)
    if draw.random() < 0.1:
        return ((name, text), (f"{day.isoformat()}-{draw.choice(PARTS).replace(' ', '-')}.md", _bullets(apart)))
    return ((name, text), (name, f"\n## {draw.choice(HEADS)}\n{_bullets(apart)}"))


def _bullets(lines: list[str]) -> str:
    return "".join(f"- {line}\n" for line in lines)


def _noise(draw: random.Random) -> str:
    return draw.choice(NOISE).format(
        who=draw.choice(WHO),
        part=draw.choice(PARTS),
        pr=draw.randint(100, 999),
        n=draw.randint(5, 90),
        a=draw.randint(1, 9),
        b=draw.randint(0, 30),
        hour=draw.randint(9, 17),
    )


def _occasions(
    n: int, planted: list[Planted], by_day: tuple[str, ...], said: dict[str, tuple[str, ...]], draw: random.Random
) -> tuple[Occasion | None, ...]:
    return tuple(_occasion(n, planted, by_day, said, draw) for _ in range(2))


def _occasion(
    n: int, planted: list[Planted], by_day: tuple[str, ...], said: dict[str, tuple[str, ...]], draw: random.Random
) -> Occasion | None:
    """Draw one moment of a day in which a pattern noted before would be followed; None when there is none."""
    season = by_day[n]
    about_false, good = SEASONS[season]
    wanted = draw.random() >= about_false
    known = [p for p in planted if p.true is wanted and p.since < n]
    if draw.random() >= OFFERS[season] or not known:
        return None
    chosen = draw.choice(known)
    if chosen.true:
        score = draw.uniform(0.3, 0.9) if draw.random() < good else draw.uniform(-0.05, 0.15)
    else:
        score = draw.uniform(-0.8, -0.3) if season == "bad" else draw.uniform(-0.05, 0.35)
    statement = draw.choice(said[chosen.plant.name])
    return Occasion(chosen, round(score, 2), draw.choice(ADVICE).format(statement), statement)
