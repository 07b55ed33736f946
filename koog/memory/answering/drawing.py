"""The graph as other programs draw it: Graphviz, Mermaid, JSON. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from koog.memory.names.entries import Link, Name

Draw = Callable[[Sequence[Name], Sequence[Link]], str]


def dot(nodes: Sequence[Name], links: Sequence[Link]) -> str:
    r"""Return a graph for Graphviz.

    >>> dot([Name("person--ana", 'Ana "A"', ())], [])
    'digraph memory {\n  "person--ana" [label="Ana \\"A\\""];\n}\n'
    """
    rows = [f"  {_quoted(each.id)} [label={_quoted(each.label)}];" for each in nodes]
    rows += [f"  {_quoted(each.start)} -> {_quoted(each.to)} [label={_quoted(each.relation)}];" for each in links]
    return "\n".join(("digraph memory {", *rows, "}\n"))


def mermaid(nodes: Sequence[Name], links: Sequence[Link]) -> str:
    r"""Return a flowchart for Mermaid, where a node's name may hold no sign of its own.

    >>> mermaid([Name("person--ana", "Ana [A]", ())], [])
    'graph LR\n  n0["Ana #91;A#93;"]\n'
    """
    number = {each.id: f"n{n}" for n, each in enumerate(nodes)}
    rows = [f'  {number[each.id]}["{_escaped(each.label)}"]' for each in nodes]
    rows += [f'  {number[each.start]} -->|"{_escaped(each.relation)}"| {number[each.to]}' for each in links]
    return "\n".join(("graph LR", *rows, ""))


def as_json(nodes: Sequence[Name], links: Sequence[Link]) -> str:
    """Return the graph as one JSON object: nodes and edges."""
    entities = [{"id": each.id, "type": each.type, "label": each.label, "names": list(each.names)} for each in nodes]
    edges = [
        {"from": e.start, "relation": e.relation, "to": e.to, "confidence": e.confidence, "since": e.first or None}
        for e in links
    ]
    return json.dumps({"entities": entities, "edges": edges}, ensure_ascii=False) + "\n"


def _quoted(text: str) -> str:
    return '"' + " ".join(text.replace("\\", "\\\\").replace('"', '\\"').split()) + '"'


def _escaped(text: str) -> str:
    return "".join(c if c.isalnum() or c in " .,-_" else f"#{ord(c)};" for c in " ".join(text.split()))


FORMS: dict[str, Draw] = {"dot": dot, "mermaid": mermaid, "json": as_json}
