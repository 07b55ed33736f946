"""Things that somebody remembers, made up: for the benches of the memory."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count as naturals
from itertools import islice
from typing import Any

from koog.core.text import trust
from koog.core.text.voices import AGENT, NOTE
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, VAULT

FIRST = "Harbour,Atlas,Linden,Copper,Falcon,Orchid,Granite,Willow,Saffron,Juniper,Cobalt,Amber,Maple,Onyx,Heron".split(
    ","
)
LAST = "Gateway,Ledger,Importer,Archive,Scanner,Planner,Mirror,Console,Exporter,Beacon,Router,Kiosk,Index,Vault".split(
    ","
)
MORE = "North,South,East,West,Alpha,Beta,Gamma,Delta,Prime,Lite,Cloud,Edge,Core,Labs".split(",")
WHO = "Ana,Piotr,Mei,Jonas,Lucia,Omar,Ingrid,Tomas,Yuki,Fatima,Hugo,Sofia,Ravi,Elena,Kofi,Nora".split(",")
DID = "repaired,measured,reviewed,moved,bought,painted,described,ordered,tested,translated,sketched,shipped".split(",")
WHAT = (
    "the river map,the nightly backup,the map tiles,the garden fence,the invoice template,the coffee machine,"
    "the release notes,the water meter,the bicycle brakes,the search index,the parser tests,the holiday calendar,"
    "the kitchen shelf,the camera lens,the payment form,the solar panels,the bread recipe,the deployment script"
).split(",")
WHERE = "in Lisbon,at the office,near the harbour,in the cellar,on the train,at the workshop,in Tampere,at home".split(
    ","
)
KNOWN = (
    "uses {} for storage,is written in {},belongs to {},costs {} euros a month,has {} rooms,is hosted in {}"
).split(",")
WITH = "Redis,Postgres,Rust,Kotlin,Elixir,Zurich,Oslo,Madrid,Kafka,Nginx,Sqlite,Grafana,Terraform,Swift".split(",")


def entities(count: int) -> list[str]:
    """Return names of projects."""
    names = [f"{a} {b}" for a in FIRST for b in LAST]
    names += [f"{name} {more}" for more in MORE for name in names]
    return names[:count]


def happened(dice: random.Random) -> str:
    """Return what happened on a day."""
    what = f"{dice.choice(DID)} {dice.choice(WHAT)} {dice.choice(WHERE)}"
    return f"{dice.choice(WHO)} {what}, ticket {dice.randrange(99999)}"


def fact(dice: random.Random, name: str) -> str:
    """Return what is known of a project."""
    value = dice.choice([*WITH, str(dice.randrange(2, 9999))])
    return f"{name} {dice.choice(KNOWN).format(value)}, like {dice.choice(WHAT)} of {dice.choice(WHO)}"


def things(dice: random.Random, count: int, *, names: list[str]) -> Iterator[dict[str, Any]]:
    """Yield lines of `koog remember --batch`, each with its store; what reads like an order is left out."""
    every = (_thing(dice, n, names) for n in naturals())
    yield from islice((row for row in every if is_taken(row)), count)


def is_taken(row: dict[str, Any]) -> bool:
    kind = trust.PATTERN if row["store"] in (CORE, PROCEDURAL) else "fact"
    return trust.verdict(row["text"], AGENT, register=NOTE, kind=kind) == trust.TAKEN


def _thing(dice: random.Random, n: int, names: list[str]) -> dict[str, Any]:
    """Return one thing: 60 episodes of a hundred, 34 facts, 3 procedures, 2 for the vault, 40 lines of core."""
    share = n % 100
    if share < 60:
        return {"text": happened(dice), "store": EPISODIC}
    if share < 94:
        name = dice.choice(names)
        return {"text": fact(dice, name), "store": SEMANTIC, "entity": name}
    if share < 97:
        way = f"The way for {dice.choice(WHAT)} {dice.choice(WHERE)}, number {n}: {dice.choice(WHO)} is told first"
        return {"text": way, "store": PROCEDURAL}
    if share < 99 or n >= 4000:
        return {"text": f"Letter {n} of {dice.choice(WHO)}: {happened(dice)}", "store": VAULT}
    return {"text": f"{dice.choice(WHO)} prefers {dice.choice(WHAT)} {n}", "store": CORE, "block": "context"}
