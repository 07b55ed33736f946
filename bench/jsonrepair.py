"""How often is messy model output read right, and how fast at worst?  One JSON line.

    python -m bench.jsonrepair --seed 1

A seeded generator takes answers shaped like those of the heartbeat, damages them in one of the
ways named in KINDS (or two or three at once), and gives the same text to koog, to the json-repair
package and to the standard library. Each case has one expected outcome, known from how it was made:

exact    the expected value, types included; where the text was cut, koog must also say `truncated`
wrong    any other value: nobody downstream can tell (a flag does not excuse a wrong value)
error    an exception, or json-repair's empty string; exact where an error is the expected outcome

A cut text is expected to give its longest reading: a cut string keeps what it has (without half
an escape), a cut number its longest prefix that is a number, a literal counts from its first
letter, a key without a value goes. `longest_reading` computes that with json.loads alone.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import json_repair

from bench import jsonforeign
from bench.jsonexpected import FAILS, Case, longest_reading
from koog.core.model.jsonrepair import extract
from koog.core.model.jsonvalue import JSONRepairError

CASES_PER_KIND = 16

# -- answers as the heartbeat's tasks give them ------------------------------------------------

SENTENCES = """
ENOSPC came back while watching files; raise fs.inotify.max_user_watches
Metro bundler needs a clean cache after every branch switch
Tests pass locally but fail in CI because TZ differs
Der Nutzer möchte Antworten auf Deutsch, kurz und ohne Floskeln
用户更喜欢简短的回答, 不要表情符号
Retry storms started at 03:00 UTC: see https://example.org/runs/42?tab=log#L10
The 🔴 alert fired 3 times, then stopped
Run `git rebase --onto main` before pushing; never force
Use f"{name}: {value}" only where the value is trusted
const {a, b} = require('./x'); // both needed
if (items.length > 0) { return items[0]; }
SELECT id, body FROM notes WHERE body LIKE '%cache%'
It's the user's third question about the index, isn't it?
C:\\Users\\dev\\notes is mounted read-only
Keep lines under 120 columns (see [style](docs/style.md))
Pattern "error first" scored 0.8, pattern "tip" scored 0.2
Replace {{name}} in the template, not {name}
path matches ^src/(core|cli)/.*\\.py$ and is not a test
Two steps:⏎1. stop the watcher⏎2. rebuild the index
Stale since 2026-02-14: deferred, reason: waiting for upstream
a < b && c > d, 50% done, #memory @home
"""
SENTENCES = [line.replace("⏎", "\n") for line in SENTENCES.strip().splitlines()]
WORDS = "cache index watcher branch timeout retry bundler schema token cursor".split()


def sentence(rng: random.Random) -> str:
    text = rng.choice(SENTENCES)
    return text if rng.random() < 0.7 else f"{text} ({rng.choice(WORDS)} {rng.randint(1, 99)})"


def signals(rng: random.Random) -> Any:
    found = [
        {"description": sentence(rng), "priority": rng.choice(["high", "medium", "low"])}
        for _ in range(rng.randint(1, 3))
    ]
    action = {
        "action": rng.choice(["sessions_spawn", "telegram_tip", "skip"]),
        "task": sentence(rng),
        "confidence": rng.choice([0.35, 0.7, 0.85, 1]),
    }
    return {"signals": found, "recommendedAction": action, "idle": rng.random() < 0.5}


def operations(rng: random.Random) -> Any:
    ops = [
        {
            "op": rng.choice(["add", "rewrite", "remove", "merge", "promote"]),
            "line": rng.randint(1, 50),
            "text": rng.choice([None, sentence(rng)]),
            "reason": sentence(rng),
        }
        for _ in range(rng.randint(1, 4))
    ]
    return {"operations": ops, "staleItemActions": [sentence(rng) for _ in range(rng.randint(0, 2))]}


def findings(rng: random.Random) -> Any:
    return {
        "findings": sentence(rng),
        "newPatterns": [sentence(rng) for _ in range(rng.randint(1, 3))],
        "contradictions": [],
        "preferences": [sentence(rng) for _ in range(rng.randint(1, 2))],
        "minedSources": ["2026-02-17.md", "2026-02-16-index.md"][: rng.randint(1, 2)],
    }


def insight(rng: random.Random) -> Any:
    return {"skip": False, "suggestion": sentence(rng), "insight": sentence(rng), "totalChars": rng.randint(90, 499)}


def scores(rng: random.Random) -> Any:
    high = [{"tickId": f"t-{rng.randint(100, 999)}", "score": round(rng.uniform(-1, 1), 2)} for _ in range(3)]
    return {
        "feedbackScores": {"avg": round(rng.uniform(-1, 1), 3), "high": high, "low": []},
        "effectiveness": {"outputs": rng.randint(5, 40), "positive": 4, "rate": None},
        "interpretation": sentence(rng),
    }


def answer(rng: random.Random) -> Any:
    return rng.choice([signals, operations, findings, insight, scores])(rng)


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return the value with every scalar changed."""
    if isinstance(value, dict):
        return {k: mapped(v, change) for k, v in value.items()}
    if isinstance(value, list):
        return [mapped(v, change) for v in value]
    return change(value)


def with_strings(value: Any, make: Callable[[str], str]) -> Any:
    return mapped(value, lambda v: make(v) if isinstance(v, str) else v)


def plain(value: Any) -> Any:
    """Return the value with strings that have no quotes, breaks or backslashes: for damage that needs it clear."""
    return with_strings(value, lambda s: re.sub(r"[\"'`\\\n{}\[\]]", "", s))


# -- writing JSON badly ------------------------------------------------------------------------


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@dataclass(frozen=True)
class Style:
    """How a value is written. The defaults are JSON."""

    string: Callable[[str], str] = quoted
    key: Callable[[str], str] = quoted
    true: str = "true"
    false: str = "false"
    null: str = "null"
    colon: str = ": "
    comma: str = ","
    comma_key: str = ","  # between members, where it differs
    trailing: str = ""
    comment: Callable[[], str] = field(default=lambda: "")
    indent: str | None = "  "
    round: bool = False  # tuples

    def write(self, value: Any, depth: int = 1) -> str:
        if isinstance(value, dict):
            return self.block(
                "{}", [self.key(k) + self.colon + self.write(v, depth + 1) for k, v in value.items()], depth
            )
        if isinstance(value, list):
            return self.block(
                "()" if self.round and len(value) > 1 else "[]", [self.write(v, depth + 1) for v in value], depth
            )
        if isinstance(value, bool) or value is None:
            return {True: self.true, False: self.false, None: self.null}[value]
        return self.string(value) if isinstance(value, str) else json.dumps(value)

    def block(self, marks: str, parts: list[str], depth: int) -> str:
        if not parts:
            return marks
        comma = self.comma_key if marks == "{}" else self.comma
        if self.indent is None:
            return marks[0] + (comma + " ").join(parts) + self.trailing + marks[1]
        line = "\n" + self.indent * depth
        body = "".join(
            line + p + (comma if i < len(parts) - 1 else self.trailing) + self.comment() for i, p in enumerate(parts)
        )
        return f"{marks[0]}{body}\n{self.indent * (depth - 1)}{marks[1]}"


def layout(rng: random.Random) -> Style:
    return Style(indent=rng.choice(["  ", "  ", "    ", None]))


def python_quoted(text: str) -> str:
    return repr(text) if text.isprintable() or "\n" in text else quoted(text)


def single_quoted(text: str) -> str:
    return "'" + quoted(text)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


def careless_single(text: str) -> str:
    return "'" + quoted(text)[1:-1].replace('\\"', '"') + "'"


def raw_quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unescaped(text: str) -> str:
    return '"' + quoted(text)[1:-1].replace('\\"', '"') + '"'


def smart(text: str) -> str:
    return "“" + quoted(text)[1:-1].replace('\\"', '"') + "”"


def lone_backslashes(text: str) -> str:
    """Write a regular expression or path as models do: only what would be no valid escape stays single."""
    return '"' + re.sub(r"\\(?![\"\\/bfnrtux\n])", r"\\", text).replace('"', '\\"').replace("\n", "\\n") + '"'


def joined(text: str) -> str:
    half = len(text) // 2
    return f"{quoted(text[:half])} + {quoted(text[half:])}" if len(text) > 20 else quoted(text)


# -- kinds of damage: (rng) -> text, expected[, cut] -------------------------------------------

KINDS: dict[str, Callable[[random.Random], Case]] = {}


def kind(make: Callable[[random.Random], Any]) -> Callable[[random.Random], Any]:
    KINDS[make.__name__] = lambda rng: (*make(rng), False)[:3]
    return make


def styled(
    name: str,
    change: Callable[[random.Random, Style], Style],
    prepare: Callable[[random.Random, Any], Any] | None = None,
) -> None:
    def make(rng: random.Random) -> Case:
        value = answer(rng)
        value = prepare(rng, value) if prepare else value
        return change(rng, layout(rng)).write(value), value, False

    KINDS[name] = make


def wrapped(name: str, wrap: Callable[[random.Random, str], str]) -> None:
    def make(rng: random.Random) -> Case:
        value = answer(rng)
        return wrap(rng, layout(rng).write(value)), value, False

    KINDS[name] = make


BEFORE = [
    "Sure! Here is the JSON you asked for:\n\n",
    "Based on the logs [1] and the note [2026-02-17], my answer:\n",
    "I looked at {playbook} and [x] the checklist. Result: ",
    'The user said "go on", so:\n',
    "- [ ] check index\n- [x] answer below\n\n",
]
AFTER = [
    "\n\nLet me know if you need more.",
    "\nThat's it (see [2]).",
    "\n\n**Note:** the {placeholder} stays.",
    " Done.",
]
THOUGHTS = [
    'The user wants JSON. I could say {"signals": []} but there is more.',
    "First draft: {'a': 1, then [..]. No, better \"skip\".",
    "Hmm. It's about braces { and quotes \" here.",
    "Keys: signals, recommendedAction.\nLooks fine.",
]
DAMAGE: dict[str, Callable[[random.Random, Style], Style]] = {
    "trailing_commas": lambda _, s: replace(s, trailing=","),
    "python_repr": lambda _, s: replace(s, string=python_quoted, key=repr, true="True", false="False", null="None"),
    "bare_keys": lambda _, s: replace(s, key=str),
    "python_literals": lambda _, s: replace(s, true="True", false="False", null="None"),
    "single_quotes": lambda _, s: replace(s, string=single_quoted, key=single_quoted),
    "careless_single_quotes": lambda _, s: replace(s, string=careless_single, key=careless_single),
    "json5": lambda _, s: replace(s, string=single_quoted, key=str, trailing=","),
    "line_comments": lambda r, s: replace(
        s, indent="  ", comment=lambda: r.choice(["", ' // it\'s "here", {see}', "  // ok"])
    ),
    "hash_comments": lambda r, s: replace(
        s, indent="  ", comment=lambda: r.choice(["", ' # it\'s [1] "here"', "  # ok"])
    ),
    "block_comments": lambda r, s: replace(
        s, indent="  ", comment=lambda: r.choice(["", ' /* "a": {1} */', "/* two\nlines */"])
    ),
    "smart_quotes": lambda _, s: replace(s, string=smart, key=smart),
    "raw_newlines": lambda _, s: replace(s, string=raw_quoted),
    "missing_commas": lambda _, s: replace(s, comma="", comma_key=""),
    "missing_member_commas": lambda _, s: replace(s, comma_key=""),
    "double_commas": lambda _, s: replace(s, comma=",,", comma_key=",,"),
    "semicolons": lambda _, s: replace(s, comma_key=";"),
    "equals": lambda _, s: replace(s, colon=" = "),
    "arrows": lambda _, s: replace(s, colon=" => "),
    "full_width": lambda _, s: replace(s, colon="：", comma="，", comma_key="，"),
    "missing_colons": lambda _, s: replace(s, colon=" "),
    "upper_literals": lambda _, s: replace(s, true="TRUE", false="FALSE", null="NULL"),
    "undefined": lambda _, s: replace(s, null="undefined"),
    "concatenated_strings": lambda _, s: replace(s, string=joined),
    "tuples": lambda _, s: replace(s, round=True),
    "bold_keys": lambda _, s: replace(s, key=lambda k: f"**{quoted(k)}**"),
    "backticks": lambda _, s: replace(s, string=lambda t: "`" + t.replace("\\", "\\\\").replace("`", "\\`") + "`"),
    "triple_quotes": lambda _, s: replace(
        s, string=lambda t: '"""' + t.replace("\\", "\\\\").replace('"', '\\"') + '"""'
    ),
    "odd_spaces": lambda r, s: replace(s, colon=r.choice(["\u00a0: ", ":\u200b", " :\u2003"])),
}
for _name, _change in DAMAGE.items():
    styled(_name, _change)

PHRASES = [
    'Rename "{a}" to "{b}", then run it',
    'The "{a}" warning',
    '"{a}" is not "{b}"',
    'print("{a}")',
    'Set config["{a}"] = "{b}"',
    'use {{"{a}": 1, "{b}": 2}} as the body',
    'echo "{a}" | grep "{b}" > out',
    'He wrote: "{a}"',
    'call run("{a}", "{b}") once',
    'the so-called "{a}", "{b}" and "retry" steps',
]


def with_inner_quotes(rng: random.Random, value: Any) -> Any:
    def make(text: str) -> str:
        if " " not in text:
            return text
        return rng.choice(PHRASES).format(a=rng.choice(WORDS), b=rng.choice(WORDS))

    return with_strings(value, make)


def with_backslashes(rng: random.Random, value: Any) -> Any:
    shapes = [
        "^\\d+\\s*$",
        "\\w+@\\S+",
        "C:\\Windows\\System32",
        "match \\(see \\[1\\]\\)",
        "a\\.b\\.c",
        "\\\\server\\share"[1:],
    ]
    return with_strings(value, lambda s: rng.choice(shapes) if " " in s else s)


styled("inner_quotes", lambda _, s: replace(s, string=unescaped), with_inner_quotes)
styled("smart_with_inner_quotes", lambda _, s: replace(s, string=smart), with_inner_quotes)
styled("invalid_escapes", lambda _, s: replace(s, string=lone_backslashes), with_backslashes)
styled(
    "raw_tabs",
    lambda _, s: replace(s, string=raw_quoted),
    lambda _, v: with_strings(v, lambda t: t.replace(" ", "\t", 1)),
)
styled(
    "control_characters",
    lambda _, s: replace(s, string=raw_quoted),
    lambda _, v: with_strings(v, lambda t: t.replace(" ", "\x0b", 1)),
)
styled(
    "unquoted_values",
    lambda _, s: replace(s, string=str, indent="  "),
    lambda r, v: with_strings(plain(v), lambda _: " ".join(r.sample(WORDS, 2))),
)

wrapped("clean", lambda _, t: t)
wrapped("bom", lambda _, t: "\ufeff" + t)
wrapped("prose_before", lambda r, t: r.choice(BEFORE) + t)
wrapped("prose_after", lambda r, t: t + r.choice(AFTER))
wrapped("prose_around", lambda r, t: r.choice(BEFORE) + t + r.choice(AFTER))
wrapped("fence", lambda r, t: f"```{r.choice(['json', '', 'JSON', 'js'])}\n{t}\n```")
wrapped("fence_in_prose", lambda r, t: f"{r.choice(BEFORE)}```json\n{t}\n```{r.choice(AFTER)}")
wrapped("fence_unclosed", lambda _, t: f"```json\n{t}")
wrapped("fence_inline", lambda _, t: f"The answer is ```{t}```.")
wrapped(
    "fence_after_example", lambda _, t: f"For a run like\n```python\nx = {{'a': [1]}}\n```\nI say:\n```json\n{t}\n```"
)
wrapped("xml_tags", lambda _, t: f"<answer>\n{t}\n</answer>")
wrapped("bold", lambda _, t: f"**{t}**")
wrapped("assignment", lambda _, t: f"const result = {t};\nexport default result;")
wrapped("end_mark", lambda r, t: t + r.choice(["<|im_end|>", "</s>", "<|endoftext|>\n"]))
wrapped("think", lambda r, t: f"<think>\n{r.choice(THOUGHTS)}\n</think>\n\n{t}")
wrapped("think_not_opened", lambda r, t: f"{r.choice(THOUGHTS[:1] + THOUGHTS[3:])}\n</think>\n{t}")
wrapped("think_then_fence", lambda r, t: f"<think>{r.choice(THOUGHTS)}</think>\nSo:\n```json\n{t}\n```")
wrapped("extra_closers", lambda r, t: t + r.choice(["}", "\n}", "]}", "}}"]))
wrapped("doubled", lambda _, t: json.dumps(t))
wrapped("doubled_in_fence", lambda _, t: f"```json\n{json.dumps(t)}\n```")
wrapped("escaped", lambda _, t: json.dumps(t, ensure_ascii=False)[1:-1])
wrapped("headless", lambda _, t: t.lstrip("{ \n"))
wrapped("quote_marks", lambda _, t: "\n".join("> " + line for line in t.split("\n")))
wrapped("leading_comment", lambda _, t: "// the answer\n/* as asked */ " + t)


@kind
def think_tag_in_string(rng: random.Random) -> Any:
    value = answer(rng)
    value["note"] = "models write </think> first, or <think> again"
    return rng.choice([BEFORE[0], ""]) + layout(rng).write(value), value


@kind
def think_tag_in_damaged_string(rng: random.Random) -> Any:
    value = {"note": "drop everything up to </think> first", **answer(rng)}
    return replace(layout(rng), trailing=",").write(value), value


@kind
def think_unclosed(rng: random.Random) -> Any:
    return f"<think>\n{rng.choice(THOUGHTS)}\nSo {layout(rng).write(answer(rng))}", FAILS


@kind
def refusal(rng: random.Random) -> Any:
    return rng.choice(
        ["I can't do that.", "No signals [x] today, {name}.", "Nothing to report: see [docs](a.md)."]
    ), FAILS


@kind
def not_finite(rng: random.Random) -> Any:
    value = {**answer(rng), "rate": None, "peak": None, "list": [1, None]}
    text = layout(rng).write(value)
    word = rng.choice(["NaN", "Infinity", "-Infinity", "1e999"])
    return text.replace('"rate": null', f'"rate": {word}').replace('"peak": null', '"peak": NaN'), value


@kind
def lone_surrogates(rng: random.Random) -> Any:
    value = {**answer(rng), "mood": "so \ufffd far"}
    return layout(rng).write(value).replace("so \ufffd far", rng.choice(["so \\ud83d far", "so \\ude00 far"])), value


@kind
def odd_numbers(rng: random.Random) -> Any:
    value = {"plus": 5, "half": 0.5, "whole": 3.0, "big": 10000, "task": sentence(rng)}
    text = layout(rng).write(value)
    return text.replace(": 5", ": +5").replace("0.5", ".5").replace("3.0", "3.").replace("10000", "10_000"), value


@kind
def ellipsis(rng: random.Random) -> Any:
    value = findings(rng)
    text = Style(indent="  ").write(value)
    return re.sub(r'(\n    "[^\n]*")(\n  \])', r"\1,\n    ...\2", text), value


@kind
def json_lines(rng: random.Random) -> Any:
    values = [answer(rng) for _ in range(rng.randint(2, 4))]
    return rng.choice(["\n", "\n\n", ",\n", " "]).join(quoted_line(v) for v in values), values


def quoted_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@kind
def missing_last_closers(rng: random.Random) -> Any:
    value = answer(rng)
    text = layout(rng).write(value)
    return re.sub(r"[\s\]}]+\Z", "", text), value, True


@kind
def missing_closer_then_prose(rng: random.Random) -> Any:
    value = answer(rng)
    return layout(rng).write(value)[:-1].rstrip() + "\n\nHope this helps!", value, True


@kind
def missing_closer_in_fence(rng: random.Random) -> Any:
    value = answer(rng)
    return f"```json\n{layout(rng).write(value)[:-1].rstrip()}\n```", value, True


@kind
def missing_array_closer(rng: random.Random) -> Any:
    value = plain(findings(rng))
    text = Style(indent="  ").write(value)
    return text.replace('\n  ],\n  "contra', '\n  "contra', 1), value, True


@kind
def missing_object_closer(rng: random.Random) -> Any:
    value = plain(operations(rng))
    value["operations"].append({"op": "remove", "line": 3})
    return Style(indent=None).write(value).replace("}, {", ", {", 1), value, True


@kind
def wrong_closer(rng: random.Random) -> Any:
    value = plain(findings(rng))
    text = Style(indent="  ").write(value)
    return re.sub(r"\n  \],", "\n  },", text, count=1), value


@kind
def extra_inner_closer(rng: random.Random) -> Any:
    value = signals(rng)
    return Style(indent=None).write(value).replace('}, "idle"', '}}, "idle"'), value


@kind
def missing_closing_quote(rng: random.Random) -> Any:
    value = plain(answer(rng))
    text = Style(indent="  ").write(value)
    ends = [m.start() for m in re.finditer(r'"(?=,?\n)', text) if text[m.start() - 1] not in ' "']
    at = rng.choice(ends)
    return text[:at] + text[at + 1 :], value, True


@kind
def missing_key_quote(rng: random.Random) -> Any:
    value = answer(rng)
    key = rng.choice(list(value))
    broken = rng.choice([f'"{key}:', f'{key}":'])
    return layout(rng).write(value).replace(f'"{key}":', broken, 1), value


@kind
def doubled_braces(rng: random.Random) -> Any:
    value = plain(answer(rng))
    return layout(rng).write(value).replace("{", "{{").replace("}", "}}"), value


@kind
def written_line_ends(rng: random.Random) -> Any:
    value = plain(answer(rng))
    return Style(indent="  ").write(value).replace("\n", "\\n"), value


def cut_at(rng: random.Random, text: str, places: str, extra: int = 1) -> Case:
    """Cut where a regular expression matches, up to `extra` characters further on."""
    found = [m.end() for m in re.finditer(places, text, re.DOTALL)]
    at = min(len(text) - 1, rng.choice(found) + rng.randrange(extra))
    return text[:at], longest_reading(text[:at]), True


@kind
def cut_anywhere(rng: random.Random) -> Any:
    return cut_at(rng, layout(rng).write(answer(rng)), r"(?<=.{3}).")


@kind
def cut_in_string(rng: random.Random) -> Any:
    return cut_at(rng, layout(rng).write(answer(rng)), r': "', extra=20)


@kind
def cut_in_key(rng: random.Random) -> Any:
    return cut_at(rng, layout(rng).write(answer(rng)), r',\s*"', extra=4)


@kind
def cut_in_number(rng: random.Random) -> Any:
    return cut_at(rng, layout(rng).write({**scores(rng), "z": [-1.5e10, 2e-7]}), r"(?<=[\s\[])-?\d|\d\.|\de", extra=2)


@kind
def cut_in_literal(rng: random.Random) -> Any:
    return cut_at(
        rng, layout(rng).write({**answer(rng), "flags": [True, False, None]}), r"\b(?=true|false|null).", extra=3
    )


@kind
def cut_in_escape(rng: random.Random) -> Any:
    text = json.dumps({**answer(rng), "mood": 'über "all" 🔴 \n ok'}, indent=rng.choice([None, 2]))
    return cut_at(rng, text, r"\\[un\"]", extra=6)


@kind
def cut_after_colon(rng: random.Random) -> Any:
    return cut_at(rng, layout(rng).write(answer(rng)), r'":', extra=2)


@kind
def cut_in_fence(rng: random.Random) -> Any:
    text, value, cut = cut_at(rng, layout(rng).write(answer(rng)), r"(?<=.{12}).")
    return "Here you go:\n```json\n" + text, value, cut


@kind
def cut_after_thinking(rng: random.Random) -> Any:
    text, value, cut = cut_at(rng, layout(rng).write(answer(rng)), r"(?<=.{12}).")
    return f"<think>{rng.choice(THOUGHTS)}</think>{text}", value, cut


@kind
def cut_doubled(rng: random.Random) -> Any:
    text, value, cut = cut_at(rng, layout(rng).write(plain(answer(rng))), r"(?<=.{12}).")
    return json.dumps(text, ensure_ascii=False)[:-1], value, cut


@kind
def cut_with_trailing_commas(rng: random.Random) -> Any:
    text, value, cut = cut_at(rng, Style(indent="  ").write(plain(operations(rng))), r"(?<=.{12}).")
    return text.replace("\n    }", ",\n    }"), value, cut


def several(count: int) -> Callable[[random.Random], Case]:
    """Return a maker of cases with several damages at once, in prose, a fence or behind reasoning."""
    compatible = "trailing_commas python_literals bare_keys line_comments double_commas equals odd_spaces".split()
    quotes = "single_quotes smart_quotes raw_newlines".split()

    def make(rng: random.Random) -> Case:
        value, style = answer(rng), layout(rng)
        for name in [*rng.sample(compatible, count - 1), rng.choice(quotes + compatible)]:
            style = DAMAGE[name](rng, style)
        text = style.write(value)
        frame = rng.choice(["{}", "Here:\n```json\n{}\n```\nDone.", "Answer: {}", "<think>ok</think>{}"])
        return frame.replace("{}", text), value, False

    return make


@kind
def any_two_damages(rng: random.Random) -> Any:
    value, style = answer(rng), layout(rng)
    for name in rng.sample([n for n in DAMAGE if n not in ("missing_commas", "missing_colons")], 2):
        style = DAMAGE[name](rng, style)
    return style.write(value), value


def mark_at(rng: random.Random, text: str) -> int:
    """Return the offset of one of the marks that hold the JSON together, the first and last excepted."""
    places = []
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]', text):
        places += [token.start(), token.end() - 1] if token[0][0] == '"' else [token.start()]
    return rng.choice(places[1:-1])


@kind
def lost_mark(rng: random.Random) -> Any:
    value = plain(answer(rng))
    text = Style(indent="  ").write(value)
    at = mark_at(rng, text)
    return text[:at] + text[at + 1 :], value


@kind
def repeated_mark(rng: random.Random) -> Any:
    value = plain(answer(rng))
    text = Style(indent="  ").write(value)
    at = mark_at(rng, text)
    return text[:at] + text[at] + text[at:], value


@kind
def inner_quotes_and_another(rng: random.Random) -> Any:
    value = with_inner_quotes(rng, answer(rng))
    style = DAMAGE[rng.choice("trailing_commas bare_keys python_literals line_comments odd_spaces equals".split())](
        rng, replace(layout(rng), string=unescaped)
    )
    return rng.choice(BEFORE) + style.write(value) + rng.choice(AFTER), value


@kind
def cut_with_inner_quotes(rng: random.Random) -> Any:
    value = with_inner_quotes(rng, operations(rng))
    whole = layout(rng)
    proper, damaged = whole.write(value), replace(whole, string=unescaped).write(value)
    at = rng.choice([m.start() for m in re.finditer(r"\s*[}\]],?(?=\s)", damaged)] or [len(damaged) - 1])
    marks = damaged[:at].count('"')
    ends = [m.end() for m in re.finditer(r'\\?"', proper)]
    return damaged[:at], longest_reading(proper[: ends[marks - 1]] + damaged[:at][damaged[:at].rindex('"') + 1 :]), True


def entities_of(rng: random.Random, text: str) -> str:
    """Write the quotes as entities, and the other signs of a page too where everything was escaped."""
    quote = rng.choice(["&quot;", "&#34;", "&#x22;"])
    whole = text.replace("&", "&amp;")
    if rng.random() < 0.7:
        whole = whole.replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#39;")
    return whole.replace('"', quote)


wrapped("html_entities", entities_of)
wrapped("html_entities_in_fence", lambda r, t: f"{r.choice(BEFORE)}```json\n{entities_of(r, t)}\n```")
wrapped("html_entities_in_prose", lambda r, t: f"{r.choice(BEFORE)}{entities_of(r, t)}{r.choice(AFTER)}")


@kind
def entities_inside(rng: random.Random) -> Any:
    value = {**answer(rng), "html": "<a title='{&quot;a&quot;: 1}'>x &amp; y</a>"}
    return rng.choice(BEFORE) + layout(rng).write(value), value


@kind
def escaped_around_colon(rng: random.Random) -> Any:
    """The quotes on both sides of a colon are escaped; a number or a container has only one."""
    value = plain(answer(rng))
    text = layout(rng).write(value)
    places = list(re.finditer(r'"(: )(")?', text))
    for place in sorted(rng.sample(places, min(len(places), rng.randint(1, 4))), key=lambda m: -m.start()):
        text = text[: place.start()] + '\\"' + place[1] + ('\\"' if place[2] else "") + text[place.end() :]
    return text, value


@kind
def escaped_from_the_colon_on(rng: random.Random) -> Any:
    value = plain(answer(rng))
    text = Style(indent="  ").write(value)
    lines = text.split("\n")
    at = rng.choice([i for i, line in enumerate(lines) if re.search(r'": ".*",?$', line)] or [0])
    lines[at] = re.sub(r'": "(.*)"(,?)$', r'\\": \\"\1\\"\2', lines[at])
    return "\n".join(lines), value


@kind
def wrong_closer_of_object(rng: random.Random) -> Any:
    """In a list of objects one ends with the list's bracket."""
    value = plain(operations(rng))
    value["operations"].append({"op": "remove", "line": 3})
    text = layout(rng).write(value)
    ends = [m.start() for m in re.finditer(r"\}(?=,?\s*[{\]])", text)]
    at = rng.choice(ends)
    return text[:at] + "]" + text[at + 1 :], value


@kind
def wrong_closer_nested(rng: random.Random) -> Any:
    """A list or object two levels down ends with the other bracket, and its object goes on."""
    inner = rng.choice([["a", "b"], {"x": 1, "y": "b"}])
    value = {"outer": {"first": 1, "inner": inner, "last": sentence(rng)}, **plain(findings(rng))}
    text = layout(rng).write(plain(value))
    close = "]" if isinstance(inner, list) else "}"
    at = text.index(close, text.index('"inner"'))
    return text[:at] + ("}" if close == "]" else "]") + text[at + 1 :], plain(value)


@kind
def wrong_closer_at_the_end(rng: random.Random) -> Any:
    value = plain(rng.choice([findings, operations, scores])(rng))
    text = layout(rng).write(value)
    return text[:-1] + "]", value


SHEETS = [
    "body { color: red; margin: 0 }",
    ".note {\n  display: flex;\n  gap: 4px;\n}",
    "h1, h2 { font: bold 12px/30px Georgia, serif; }",
    "@media (max-width: 600px) { .a { color: red; } }",
    '#top a:hover { content: "x"; background: url(x.png) }',
    "table td { padding: 2px }\n\nth { text-align: left }",
]
wrapped("style_sheet_before", lambda r, t: f"```css\n{r.choice(SHEETS)}\n```\n{t}")
wrapped("style_sheet_in_prose", lambda r, t: f"I looked at {r.choice(SHEETS)}\n\n{t}\n\nUse {r.choice(SHEETS)}")


@kind
def style_sheet_alone(rng: random.Random) -> Any:
    return rng.choice(["", "Try this:\n", "```css\n"]) + rng.choice(SHEETS), FAILS


KINDS["two_damages"] = several(2)
KINDS["three_damages"] = several(3)

# -- engines, verdicts, timings ----------------------------------------------------------------


def koog_reads(text: str) -> tuple[Any, bool]:
    found = extract(text)
    return found.value, found.truncated


def json_repair_reads(text: str) -> tuple[Any, bool]:
    value = json_repair.loads(text)
    if value == "":
        raise ValueError("nothing found")
    return value, True  # it has no such flag, so none is asked of it


def standard_reads(text: str) -> tuple[Any, bool]:
    return json.loads(text), True


ENGINES = {"koog": koog_reads, "jsonRepair": json_repair_reads, "json": standard_reads}


def same(left: Any, right: Any) -> bool:
    try:
        return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
    except (TypeError, ValueError):
        return False


def verdict(read: Callable[[str], tuple[Any, bool]], case: Case) -> str:
    text, expected, cut = case
    try:
        value, truncated = read(text)
    except (ValueError, RecursionError):
        return "exact" if expected is FAILS else "error"
    if expected is FAILS or not same(value, expected):
        return "wrong"
    return "exact" if truncated or not cut else "unflagged"


# Texts that invite quadratic work: name -> (head, repeated part).
REPEATED = """
[ { {"a": " \\ <think> </think> "' [1, [] {} {"a"} {a: }] [[1] “” {\\"
["a"~"b", {"a":"b"c"~ {"a":"</think>
"""
PATTERNS = {unit: ("", unit.replace("~", " ")) for unit in REPEATED.split()} | {
    "json lines": ("", '{"a":1}\n'),
    "fences": ("", "```json\n"),
    "comments": ("", "/*"),
    "newlines": ("", "\n\n"),
    "spaces in strings": ("", '"      '),
    "{ then prose": ("{", "and then we saw "),
    "string of quotes": ('{"a": "', 'x "y" z, '),
    "array of cuts": ("[", '"a, '),
    "closers in depth": ("[" * 900, "}"),
    "deep objects": ("", '{"a": [1, 2, {"b": "c", '),
    "commas": ("[1", ","),
    "one long string": ('{"a": "', "lorem \\n "),
    "bare words": ('{"a": ', "word, "),
    "escapes": ('{"a": "', "\\u00e"),
    "numbers": ("[", "1 "),
    "wrong closers": ("", '{"a": [1} '),
    "wrong closers in depth": ("[" * 900, "[{]"),
    "entities": ("", "{&quot;a&quot;: "),
    "style sheet": ("", "a { b: c; "),
    "escaped colons": ("{", '"a\\": \\"b", '),
    "members in a string": ('{"a": "x', ', "b": 1 {'),
    "keys in a list": ('{"a": [', '"b": '),
}


def slowest(size: int) -> dict[str, float]:
    """Return seconds of each pathological pattern at this many characters."""
    seconds = {}
    for name, (head, unit) in PATTERNS.items():
        text = (head + unit * (size // len(unit) + 1))[:size]
        began = time.perf_counter()
        with contextlib.suppress(JSONRepairError):
            extract(text)
        seconds[name] = round(time.perf_counter() - began, 3)
    return seconds


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seed", type=int, default=1, help="the first one")
    options.add_argument("--seeds", type=int, default=1, help="how many seeds, one after the other")
    options.add_argument("--cases", type=int, default=CASES_PER_KIND, help="per kind of damage")
    options.add_argument("--show", default=None, help="print the failures of this kind ('all': every kind) to stderr")
    options.add_argument("--no-timings", action="store_true")
    given = options.parse_args()
    report: dict[str, Any] = {"bench": "jsonrepair", "seeds": [given.seed, given.seed + given.seeds - 1]}
    for generator, kinds in (("own", KINDS), ("foreign", jsonforeign.KINDS)):
        cases = [
            (name, make(rng))
            for rng in map(random.Random, range(given.seed, given.seed + given.seeds))
            for name, make in kinds.items()
            for _ in range(given.cases)
        ]
        report[generator] = {"kinds": len(kinds), "cases": len(cases), **measured(cases, shown=given.show)}
    if not given.no_timings:
        small, large = slowest(64 * 1024), slowest(1024 * 1024)
        report["worstSeconds"] = {"64KiB": max(small.values()), "1MiB": max(large.values())}
        report["patterns"] = {name: [small[name], large[name]] for name in small}
    print(json.dumps(report, ensure_ascii=True))


def measured(cases: list[tuple[str, Case]], *, shown: str | None) -> dict[str, Any]:
    """Return each engine's verdicts in percent, and of which kinds koog's failures are."""
    report: dict[str, Any] = {}
    for engine, read in ENGINES.items():
        began = time.perf_counter()
        verdicts = [verdict(read, case) for _, case in cases]
        counted = Counter(verdicts)
        report[engine] = {v: round(100 * counted[v] / len(cases), 2) for v in ("exact", "wrong", "error", "unflagged")}
        report[engine]["seconds"] = round(time.perf_counter() - began, 3)
        if engine == "koog":
            failed = Counter(f"{name}: {v}" for (name, _), v in zip(cases, verdicts, strict=True) if v != "exact")
            report["koogFailures"] = dict(failed.most_common())
            for (name, case), v in zip(cases, verdicts, strict=True):
                if v != "exact" and shown in (name, "all"):
                    show(name, case, v)
    return report


def show(name: str, case: Case, outcome: str) -> None:
    try:
        got: Any = extract(case[0])
    except JSONRepairError as error:
        got = error
    print(f"--- {name}: {outcome}\n{case[0]}\nexpected {case[1]!r}\ngot      {got!r}\n", file=sys.stderr)


if __name__ == "__main__":
    main()
