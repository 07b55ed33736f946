"""Answers as other programs ask for them, damaged on their text: the foreign half of bench.jsonrepair.

Shares no shape, no sentence and no way of writing with the generator there: values are drawn blindly,
written by the standard library or by `repr`, and damaged afterwards, as text. What a case means is
known before it is damaged. Only the reading of a cut text is the same one (`longest_reading`).
"""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable
from typing import Any

from bench.jsonexpected import FAILS, Case, longest_reading

KEYS = """name title id status message steps tags items user_name createdAt error-code price qty parameters query
path reasoning tool arguments result 说明 größe next_step is_done due labels source meta options""".split()
PROSE = """
The build failed because the lockfile was stale; I deleted it & ran it again.
Beat the eggs, add 250 g flour, stir (not too long!) and rest for 30 min.
Der Kunde wartet seit Montag – bitte zurückrufen.
El pedido n.º 4711 llegó tarde: ¿se reembolsa?
La réunion est à 14:30, salle B; ordre du jour : budget, embauche
会議は金曜日の午後三時です。資料を送ってください。
请把日志级别改成 debug, 然后重启服务。
Check /etc/hosts, then ping 10.0.0.1 -c 4 || exit 1
Version 2.0 > 1.9, so upgrade <soon>
100% of #3 and #4 passed
don't touch the user's rows
see https://example.com/a?b=1&c=2#top
multi word value, with commas, and more
x
TODO
""".strip().splitlines()


def scalar(rng: random.Random) -> Any:
    roll = rng.random()
    if roll < 0.62:
        return rng.choice(PROSE)
    if roll < 0.8:
        return rng.choice([0, 7, -3, 1024, 19.99, -0.5, 1e21, 20261123])
    return rng.choice([True, False, None, "", [], {}])


def value_of(rng: random.Random, depth: int = 0) -> Any:
    if depth >= 3 or (depth and rng.random() < 0.5):
        return scalar(rng)
    if depth and rng.random() < 0.45:
        return [value_of(rng, depth + 1) for _ in range(rng.randint(1, 4))]
    keys = rng.sample(KEYS, rng.randint(2, 5))
    return {key: value_of(rng, depth + 1) for key in keys}


def written(rng: random.Random, value: Any) -> str:
    indent = rng.choice([None, 1, 2, 4, "\t"])
    return json.dumps(value, ensure_ascii=rng.random() < 0.15, indent=indent)


def texts_changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {k: texts_changed(v, change) for k, v in value.items()}
    if isinstance(value, list):
        return [texts_changed(v, change) for v in value]
    return change(value) if isinstance(value, str) else value


KINDS: dict[str, Callable[[random.Random], Case]] = {}


def kind(make: Callable[[random.Random], Any]) -> Callable[[random.Random], Any]:
    KINDS[f"foreign_{make.__name__}"] = lambda rng: (*make(rng), False)[:3]
    return make


def lines_of(rng: random.Random) -> tuple[list[str], Any]:
    value = value_of(rng)
    return json.dumps(value, ensure_ascii=False, indent=2).split("\n"), value


@kind
def cut(rng: random.Random) -> Any:
    text = written(rng, value_of(rng))
    text = text[: rng.randint(len(text) // 3 + 2, len(text) - 1)]
    return rng.choice(["", "```json\n", "Here is the result:\n\n"]) + text, longest_reading(text), True


@kind
def markdown_around(rng: random.Random) -> Any:
    value = value_of(rng)
    text = written(rng, value)
    frames = [
        "# Result\n\nSome *notes* on it:\n\n```json\n@\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "### Answer\n\n@\n\n---\n*Confidence:* high",
        "1. I read the file.\n2. I changed [it](a.md).\n\n~~~json\n@\n~~~\n",
        "**JSON:**\n\n    @\n",
        "<details><summary>Result</summary>\n\n```json\n@\n```\n\n</details>",
        "- result:\n```JSON\n@\n```",
        "<tool_call>\n@\n</tool_call>",
        "<json>@</json>",
        "Final Answer: @",
        "[INFO] done in 3 s\n@\n[INFO] bye",
    ]
    return rng.choice(frames).replace("@", text), value


@kind
def quoted_block(rng: random.Random) -> Any:
    lines, value = lines_of(rng)
    return "As you asked:\n\n" + "\n".join(f"> {line}" for line in lines) + "\n\nOK?", value


@kind
def comments(rng: random.Random) -> Any:
    lines, value = lines_of(rng)
    remarks = [" // as told", " // TODO: check, maybe {later}", " # see above", " /* it's here */"]
    out = []
    for i, line in enumerate(lines):
        if i and rng.random() < 0.2:
            out.append("    " + rng.choice(["// next one", "/* the rest: [1], [2] */", "# note"]))
        out.append(line + (rng.choice(remarks) if rng.random() < 0.25 else ""))
    return "\n".join(out), value


@kind
def python_repr(rng: random.Random) -> Any:
    value = value_of(rng)
    return rng.choice(["@", "result = @", "```python\n@\n```"]).replace("@", repr(value)), value


@kind
def python_words(rng: random.Random) -> Any:
    value = value_of(rng)
    text = json.dumps(value, ensure_ascii=False, indent=2)
    for word, other in (("true", "True"), ("false", "False"), ("null", "None")):
        text = re.sub(rf"(?m)(?<=[ ]){word}(?=,?$)", other, text)
    return text, value


@kind
def single_quotes(rng: random.Random) -> Any:
    value = texts_changed(value_of(rng), lambda s: s.replace("don't", "do not").replace("user's", "users"))
    return written(rng, value).replace('"', "'"), value


@kind
def typographic(rng: random.Random) -> Any:
    value = texts_changed(value_of(rng), lambda s: s.replace("'", "’"))
    pairs = rng.choice(["“”", "„“", "””"])
    return re.sub(r'"([^"]*)"', rf"{pairs[0]}\1{pairs[1]}", json.dumps(value, ensure_ascii=False, indent=2)), value


@kind
def talk_behind(rng: random.Random) -> Any:
    value = value_of(rng)
    tails = [
        " I hope that helps! Use {name} as a placeholder.",
        '\n\nNote: "status" may be missing.',
        "\n\nLet me know if {you} want [more].",
        "\n\n(Generated in 2.3 s)",
        "\nHuman: thanks",
        ";",
        ".",
        "\n\nExplanation:\n- `name`: the name\n- `items[0]`: the first\n",
    ]
    return written(rng, value) + rng.choice(tails), value


@kind
def key_twice(rng: random.Random) -> Any:
    value = {**value_of(rng), "zz": 1}
    text = json.dumps(value, ensure_ascii=False, indent=2)
    comma = rng.choice(["", ","])
    return '{\n  "zz": "draft",' + text[1:-2] + comma + "\n}", value


@kind
def several_objects(rng: random.Random) -> Any:
    values = [value_of(rng) for _ in range(rng.randint(2, 3))]
    return rng.choice(["", "\n", "\n\n", ", ", "\t"]).join(written(rng, v) for v in values), values


@kind
def draft_then_answer(rng: random.Random) -> Any:
    value = {**value_of(rng), "why": rng.choice(PROSE[:9]), "also": [rng.choice(PROSE) for _ in range(9)]}
    return f'First try: {{"id": 1}}\nThat is wrong. Better:\n{written(rng, value)}', value


@kind
def line_breaks_in_strings(rng: random.Random) -> Any:
    value = texts_changed(value_of(rng), lambda s: s.replace(", ", ",\n").replace("; ", ";\n\n"))
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\\n", "\n"), value


@kind
def quotes_in_strings(rng: random.Random) -> Any:
    def said(text: str) -> str:
        words = text.split(" ")
        if len(words) < 4:
            return text
        at = rng.randint(1, len(words) - 2)
        word = words[at].strip(",;:.")
        return " ".join([*words[:at], words[at].replace(word, f'"{word}"', 1) if word else words[at], *words[at + 1 :]])

    value = texts_changed(value_of(rng), said)
    return json.dumps(value, ensure_ascii=False, indent=rng.choice([None, 2])).replace('\\"', '"'), value


@kind
def entities(rng: random.Random) -> Any:
    value = value_of(rng)
    return rng.choice(["@", "```json\n@\n```", "<pre>@</pre>", "The answer:\n@"]).replace(
        "@", html.escape(written(rng, value), quote=rng.random() < 0.5).replace('"', "&quot;")
    ), value


@kind
def encoded_twice(rng: random.Random) -> Any:
    value = value_of(rng)
    text = json.dumps(written(rng, value), ensure_ascii=False)
    return rng.choice(["@", "Result: @", "```json\n@\n```"]).replace("@", text), value


@kind
def escaped_once_too_often(rng: random.Random) -> Any:
    value = texts_changed(value_of(rng), lambda s: s.replace("\\", ""))
    return json.dumps(value, ensure_ascii=False, indent=rng.choice([None, 2])).replace('"', '\\"'), value


@kind
def escaped_colons(rng: random.Random) -> Any:
    value = value_of(rng)
    text = json.dumps(value, ensure_ascii=False, indent=rng.choice([None, 2]))
    return re.sub(r'": "', r'\\": \\"', text, count=rng.randint(1, 3)), value


@kind
def underscores_escaped(rng: random.Random) -> Any:
    value = {**value_of(rng), "user_name": "a_b", "next_step": 1}
    return written(rng, value).replace("_", "\\_"), value


@kind
def loose_commas(rng: random.Random) -> Any:
    lines, value = lines_of(rng)
    at = rng.choice([i for i, line in enumerate(lines) if line.strip() in ("}", "]") or i == len(lines) - 1])
    if lines[at - 1].endswith(("{", "[", ",")):
        return "\n".join(lines), value
    return "\n".join([*lines[: at - 1], lines[at - 1] + ",", *lines[at:]]), value


@kind
def comma_lost(rng: random.Random) -> Any:
    lines, value = lines_of(rng)
    at = rng.choice([i for i, line in enumerate(lines) if line.endswith(",")] or [0])
    return "\n".join([*lines[:at], lines[at].rstrip(","), *lines[at + 1 :]]), value


@kind
def unquoted_keys(rng: random.Random) -> Any:
    value = value_of(rng)
    return re.sub(r'(?m)^(\s*)"(\w+)":', r"\1\2:", json.dumps(value, ensure_ascii=False, indent=2)), value


@kind
def last_brackets_lost(rng: random.Random) -> Any:
    value = value_of(rng)
    text = written(rng, value).rstrip()
    ends = re.search(r"[\s\]}]+\Z", text)
    brackets = [i for i in range(ends.start(), len(text)) if text[i] in "]}"] if ends else []
    # An empty container's own bracket is no last bracket: it is kept.
    keep = brackets[0] + 1 if brackets and text[brackets[0] - 1] in "[{" else brackets[0]
    return text[:keep] if keep < len(text) else text[:-1], value, True


@kind
def brackets_too_many(rng: random.Random) -> Any:
    value = value_of(rng)
    return written(rng, value) + rng.choice(["}", "]", "}}", "\n}", "]}"]), value


@kind
def wrong_bracket(rng: random.Random) -> Any:
    lines, value = lines_of(rng)
    at = rng.choice([i for i, line in enumerate(lines) if line.strip(" ,") in ("}", "]") and i < len(lines) - 1] or [0])
    return "\n".join(
        [*lines[:at], lines[at].translate(str.maketrans("]}", "}]")), *lines[at + 1 :]]
    ) if at else "\n".join(lines), value


@kind
def wrong_bracket_inline(rng: random.Random) -> Any:
    value = {"items": [value_of(rng, 1) for _ in range(2)], "steps": [{"id": 1, "title": rng.choice(PROSE)}, {"id": 2}]}
    return json.dumps(value, ensure_ascii=False).replace("}, {", "], {", 1), value


@kind
def style_sheet_before(rng: random.Random) -> Any:
    value = value_of(rng)
    sheets = [
        "body { margin: 0; font: 16px/1.5 Georgia, serif; }",
        ".card {\n  display: flex;\n  gap: 8px;\n}\n.card:hover { color: #333 }",
        "@media (max-width: 40em) { nav a { display: none } }",
        ':root { --accent: #08f; }\n.tag::before { content: "#"; }',
        "ul > li { list-style: none; padding: 0 4px }",
    ]
    sheet = rng.choice(sheets)
    frame = rng.choice(["```css\n@\n```\nand\n```json\n%\n```", "@\n%", "I used\n\n@\n\n%"])
    return frame.replace("@", sheet).replace("%", written(rng, value)), value


@kind
def code_only(rng: random.Random) -> Any:
    texts = [
        "p { color: red; }",
        ".box { width: 10px; height: 10px }\n.box a { color: blue }",
        "Use `h1 { font-size: 2em; }` for that.",
        "I cannot answer this.",
        "#main { border: 1px solid }",
    ]
    return rng.choice(texts), FAILS


@kind
def thinking_before(rng: random.Random) -> Any:
    value = value_of(rng)
    thought = rng.choice(['Maybe {"id": 2}? No.', "The user's list is [1, 2, 3].", "OK, let me {think}."])
    return f"<thinking>\n{thought}\n</thinking>\n{written(rng, value)}", value


@kind
def apostrophes_unescaped(rng: random.Random) -> Any:
    value = value_of(rng)
    return written(rng, value).replace('\\"', '"').replace('"', "'"), value


@kind
def html_comments(rng: random.Random) -> Any:
    value = value_of(rng)
    return f"<!-- result for {{id}} -->\n{written(rng, value)}\n<!-- end -->", value


@kind
def breaks_and_quotes(rng: random.Random) -> Any:
    """A long text of several lines with a quotation in it, nothing escaped."""
    text = f'He said: "{rng.choice(PROSE[:9])}"\n\nThen he left.\n- one\n- two'
    value = {**value_of(rng), "message": text, "zz": rng.choice([1, None, "x"])}
    return written_raw(value), value


def written_raw(value: Any) -> str:
    return re.sub(r'\\(["n])', lambda m: {'"': '"', "n": "\n"}[m[1]], json.dumps(value, ensure_ascii=False, indent=2))


@kind
def code_in_a_string(rng: random.Random) -> Any:
    code = rng.choice(
        [
            'def f(x):\n    return {"a": x}',
            "const a = [1, 2];\nconsole.log(`${a}`);",
            "SELECT * FROM t WHERE name = 'x';",
            "```bash\nnpm ci && npm test\n```",
            "<div class='a'>{{ name }}</div>",
            ".a { color: red; }",
        ]
    )
    value = {"path": "a/b.txt", **value_of(rng), "arguments": {"code": code, "title": "x"}}
    return rng.choice(["```json\n@\n```", "@", "Sure:\n\n@\n\nDone."]).replace("@", written(rng, value)), value


def in_python(word: re.Match[str]) -> str:
    return {"null": "None"}.get(word[1], word[1].title())


WAYS: list[Callable[[str], str]] = [
    lambda t: re.sub(r'(?m)^(\s*)"(\w+)":', r"\1\2:", t),
    lambda t: re.sub(r'(?m)(?<=[\w"])(?=\n\s*[}\]])', ",", t),
    lambda t: re.sub(r"(?m)(?<=,)$", "  // ok", t, count=2),
    lambda t: re.sub(r'(?m)(?<=": )(true|false|null)(?=,?$)', in_python, t),
    lambda t: re.sub(r'(?m)",$', '"', t, count=1),
]


@kind
def two_at_once(rng: random.Random) -> Any:
    lines, value = lines_of(rng)
    text = "\n".join(lines)
    for way in rng.sample(WAYS, 2):
        text = way(text)
    return rng.choice(["@", "```json\n@\n```", "Here you go: @ Cheers!", "@\n\n---\nNotes: {none}"]).replace(
        "@", text
    ), value


@kind
def cut_in_a_fence_with_breaks(rng: random.Random) -> Any:
    value = {"title": "x", "message": "one\ntwo; three\n\nfour", "tail": value_of(rng)}
    text = json.dumps(value, ensure_ascii=False, indent=2)
    at = rng.randint(text.index("four"), len(text) - 1)
    return "```json\n" + text[:at].replace("\\n", "\n"), longest_reading(text[:at]), True
