"""What anybody may hand to a command line: arguments, JSON nearly right, bytes in files. For tests/test_fuzz.py.

The strategies know koog's table of commands and nothing of their code: a new command is fuzzed because it is there.
"""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import typer
from hypothesis import strategies as st

from koog import wiring
from koog.cli import COMMANDS, GROUP_HELP

OUTSIDE = "@outside@"  # stands for the absolute path of the folder beside the workspace
GIVEN = re.compile(r"^(-?-?[\w-]*=)?[/~]+")


class Option(NamedTuple):
    """An option or argument: its names ([] for an argument), whether it is a flag, and the words it takes."""

    names: list[str]
    flag: bool
    choices: list[str]


ENDLESS = {"watch"}  # a stream that goes on until a signal; tests/observe/test_watch.py


def paths() -> list[tuple[str, ...]]:
    """Return every command that ends, as its words: ("module", "stack")."""
    return [
        path
        for name, target in COMMANDS.items()
        if name not in ENDLESS
        for path in ([(name,)] if isinstance(target, str) else [(name, sub) for sub in target])
    ]


def options(path: tuple[str, ...]) -> list[Option]:
    """Return what a command takes, as Typer was told."""
    found: Any = typer.main.get_command(wiring._app(COMMANDS, GROUP_HELP, list(path)))
    for word in path:
        found = found.commands[word]
    return [
        Option(
            names=[*p.opts, *p.secondary_opts] if p.param_type_name == "option" else [],
            flag=getattr(p, "is_flag", False),
            choices=list(getattr(p.type, "choices", [])),
        )
        for p in found.params
    ]


def _inside(text: str) -> str:
    """Return the text so that it names nothing above the test's own folder: the tests may run as root."""
    return GIVEN.sub(r"\1", text.replace("..", "."))


BYTES = st.binary(max_size=30)
# As the system hands arguments over: any bytes but NUL, those that are no UTF-8 as half surrogates.
TEXT = (st.text(max_size=30) | BYTES.map(os.fsdecode)).map(
    lambda t: _inside(os.fsdecode(t.encode("utf-8", "surrogatepass")).replace("\0", ""))
)
WORDS = st.sampled_from(
    f"""
    - -- -x --no-such 0 -1 1 70 007 1e309 nan inf -inf 0x10 ١ 99999999999999999999999999 null true [] {{}} ""
    memory modules .git .koog no/such . {OUTSIDE} {OUTSIDE}/file {OUTSIDE}/new ../outside/file base-behaviors
    react-native-dev MODULE.bundle.json --help --version --human --dry-run --idle module list tick
    2026-02-28 2026-02-30 2026-02-28T12:00:00Z 9999-12-31T23:59:59Z 0001-01-01 7d useful error:x 30m 5m 7m
    auto llm builtin [redacted:x] <private> </private> % {{}}x \\ \u2028 \ud83d\ude00
    """.encode("utf-16", "surrogatepass")
    .decode("utf-16")
    .split()
)
ANYTHING = WORDS | TEXT | st.integers().map(str) | st.floats().map(str) | st.just("")

# --- JSON

JUNK = st.deferred(
    lambda: (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.sampled_from(
            [10**400, -1, 0, 2**63, 1e308, "", "\0", "\ud800", "2026-02-30", "a" * 3000, [[]], {"": None}]
        )
        | st.text(max_size=20)
        | st.lists(st.integers() | st.text(max_size=5) | st.none(), max_size=3)
        | st.dictionaries(st.text(max_size=8), st.integers() | st.none(), max_size=3)
    )
)
NO_JSON = st.sampled_from(
    [
        "",
        " ",
        "[" * 300,
        "[" * 100000,
        '{"a":' * 300 + "1" + "}" * 300,
        "NaN",
        '"\\ud800"',
        "{'a': 1}",
        '{"a":1}{}',
        "1e999",
    ]
)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a value: its list or object, and the index or key."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


@st.composite
def mutated(draw: st.DrawFn, value: Any) -> Any:
    """Return the value with one to three of its parts replaced, doubled or gone."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(value))
        if not places or draw(st.integers(0, 20)) == 0:
            return draw(JUNK)
        box, key = places[draw(st.integers(0, len(places) - 1))]
        if draw(st.booleans()) or not isinstance(key, str):
            box[key] = draw(JUNK)
        else:
            kept = box.pop(key)
            box.update(draw(st.sampled_from([{}, {key.upper(): kept}, {key: [kept]}, {key: {key: kept}}])))
    return value


def json_text(valid: Any) -> st.SearchStrategy[str]:
    """Return texts that are the valid value, one that is nearly it, or no JSON at all."""
    return st.just(valid).map(json.dumps) | mutated(valid).map(json.dumps) | mutated(valid).map(json.dumps) | NO_JSON


# --- command lines


def command_line(path: tuple[str, ...], valid: Mapping[str, Any]) -> st.SearchStrategy[list[str]]:
    """Return calls of a command: some of its options with values right, nearly right and wild, its names among them.

    valid   option → a JSON value that it takes
    """
    own = options(path)
    parts = [_part(option, valid) for option in own]
    needed = [part for part, option in zip(parts, own, strict=True) if not option.names]
    chosen = st.lists(st.one_of(parts), max_size=4).map(lambda found: [word for part in found for word in part])
    arguments = st.tuples(*needed).map(lambda found: [word for part in found for word in part])
    given = st.tuples(arguments, chosen).map(lambda both: [*path, *both[0], *both[1]])
    return given | given | st.lists(ANYTHING, max_size=4).map(lambda rest: [*path, *rest])


def _part(option: Option, valid: Mapping[str, Any]) -> st.SearchStrategy[list[str]]:
    name = option.names[0] if option.names else ""
    if option.flag:
        return st.sampled_from(option.names).map(lambda n: [n])
    value = json_text(valid[name]) | ANYTHING if name in valid else ANYTHING
    if option.choices:
        value = st.sampled_from(option.choices) | value
    if not name:
        return value.map(lambda v: [v])
    return value.map(lambda v: [name, v]) | value.map(lambda v: [f"{name}={v}"])


# --- what stands in a file

SNIPPETS = [
    *(
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\r\n",
        b"\r",
        b"\n",
        b"\xe2\x80\xa8",
        b"\x1b[31m",
        b"\x85",
        b"{",
        b"}",
        b"[",
        b'"',
    ),
    *(
        b"<private>",
        b"</private>",
        b"<!--",
        b"-->",
        b"```\n",
        b"---\n",
        b"<<<<<<< HEAD\n",
        b"=======\n",
        b"# ",
        b"## ",
        b"- ",
    ),
    *(
        b"[score: 1e999]",
        b"[deferred: 2026-02-30, reason: x]",
        b"(seen 99999999999999999999 times)",
        b"2026-13-45",
        b"|",
        b"- \n",
    ),
    *(
        b"null",
        b"1e400",
        b"-1",
        b"NaN",
        b"\xed\xa0\x80",
        b"99999999999999999999999",
        b"T25:61:61Z",
        b"A" * 5000,
        b"@import ",
    ),
]


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Return the bytes with one to four cuts and insertions."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        until = draw(st.sampled_from([at, at, at + 1, at + 20, len(data)]))
        data = data[:at] + draw(st.sampled_from(SNIPPETS) | BYTES) + data[until:]
    return data


def content(data: bytes) -> st.SearchStrategy[bytes]:
    """Return what may stand in a file that held these bytes; JSON and JSON lines are changed by their parts, too."""
    ways = [damaged(data), damaged(data), BYTES, st.lists(st.sampled_from(SNIPPETS), max_size=8).map(b"".join)]
    lines = data.strip().split(b"\n")
    for text in (data, lines[-1]):
        try:
            value = json.loads(text)
        except ValueError:
            continue
        whole = text == data
        ways += 2 * [mutated(value).map(lambda v, whole=whole: _written(lines, v, whole=whole))]
        ways.append(NO_JSON.map(str.encode))
    return st.one_of(ways)


def _written(lines: list[bytes], value: Any, *, whole: bool) -> bytes:
    text = json.dumps(value).encode()
    return text if whole else b"\n".join([*lines[:-1], text, b""])
