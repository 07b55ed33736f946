"""Which programming languages a message holds: what its fences say, else what its lines look like.  Pure.

[autopoiesis §4.2 code detection]
"""

from __future__ import annotations

import re
from functools import cache

from koog.core.lazy_regex import compiled
from koog.core.text.markdown import FENCE, blocks, fence

LOOKED_AT = 20_000  # characters of a text; and of a line, because many signs reach to its end:
LINE_CHARS = 300
SURE = 2  # different signs of a language outside a fence; within one, a single sign is enough

ALIASES = {
    "py": "python",
    "python2": "python",
    "python3": "python",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "node": "javascript",
    "ts": "typescript",
    "tsx": "typescript",
    "sh": "bash",
    "shell": "bash",
    "zsh": "bash",
    "console": "bash",
    "shellsession": "bash",
    "c++": "cpp",
    "cc": "cpp",
    "h": "c",
    "cs": "csharp",
    "c#": "csharp",
    "golang": "go",
    "rb": "ruby",
    "rs": "rust",
    "kt": "kotlin",
    "yml": "yaml",
    "md": "markdown",
    "ps1": "powershell",
    "postgres": "sql",
    "postgresql": "sql",
    "mysql": "sql",
    "sqlite": "sql",
}
LANGUAGE = r"\{?\.?([\w+#.-]*)"  # behind the mark of a fence
INDENTED = r"(?:\A|\n[ \t]*\n)((?:(?: {4}|\t)[^\n]*(?:\n|\Z))+)"
CODELIKE = r"[{}\[\]=;<$@\\]|\w\(|[:\"]$|^[ \t]*[#@$]|^git |\b(?:SELECT|FROM)\b|^[ \t]*(?:def|class|import|from|end)\b"
# A line that is a statement in one language or another: an assignment, a call, what opens or closes a block …
STATEMENT = (
    r"[ \t]*(?:(?:const|let|var|val|auto|final|int|long|float|double|char|bool|[A-Z]\w*) )?"
    r"[$@]?[A-Za-z_][\w.\[\]'\"$]*(?:: ?[\w\[\]<>]+)? ?[-+*/|&:]?= ?[^=\s].*"
    r"|[ \t]*(?:(?:await|return|throw|raise|yield|new) )*[A-Za-z_$][\w.$]*\(.*\)[;,:]?[ \t]*\{?[ \t]*"
    r"|[ \t]*(?:async |export |pub )?(?:def|class|func|fn|function) \w.*[:{][ \t]*"
    r"|[ \t]*import [\w.]+(?: as \w+)?[ \t]*|[ \t]*from [\w.]+ import \w.*"
    r"|.*[(=<>].*[;{][ \t]*|[ \t]*[}\])]+[;,)]*[ \t]*|[ \t]*<(\w+)\b[^>]*>.*</\1>[ \t]*|[ \t]*\$ \w.*"
    r"|[ \t]*(?:sudo|git|npm|pip|docker|kubectl|curl|cd|rm|mkdir|make) (?:.* )?(?:-\w|\./|/\w|--\w|\.$).*"
)
# … and one that may be prose by itself, but not beside those.
BESIDE = (
    r"[ \t]*(?:if|elif|for|while|with|try|except|else|case|switch)\b.*[:{][ \t]*|[ \t]*return\b.*"
    r"|[ \t]*@\w[\w.]*(?:\(.*\))?|Traceback \(most recent call last\):|[ \t]*File \".*\", line \d.*"
    r"|[\w.]+(?:Error|Exception)(?::.*)?|[ \t]*(?:git|npm) \w+"
)
IN_A_ROW = 2
DATA = ("json", "yaml", "css")  # a closing brace alone does not tell them

# Signs: each is a line, or the beginning of one, that is hardly prose.
SIGNS: dict[str, tuple[str, ...]] = {
    "python": (
        r"^[ \t]*(?:async )?def \w+\(.*\)(?: ->.*)?:[ \t]*$",
        r"^[ \t]*class \w+(?:\([\w., ]*\))?:[ \t]*$",
        r"^[ \t]*from [\w.]+ import \w",
        r"^[ \t]*import \w[\w.]*(?: as \w+)?[ \t]*$",
        r"^[ \t]*(?:if|elif|for|while|with|try|except|else)\b.*:[ \t]*$",
        r"^[ \t]*@\w[\w.]*(?:\(.*\))?[ \t]*$",
        r"\bself\.\w|\b__\w+__\b",
        r"^[ \t]*print(?:\(.*\)|\s+['\"].*['\"])[ \t]*$",
        r"^Traceback \(most recent call last\):",
    ),
    "javascript": (
        r"^[ \t]*(?:export )?(?:const|let|var) [\w{\[].*=",
        r"\bfunction\s*\w*\(.*\)\s*\{",
        r"=>\s*[\w({\[]",
        r"^[ \t]*import .* from ['\"]",
        r"\brequire\(['\"]",
        r"\bconsole\.\w+\(",
        r"\basync function\b|\bawait \w+[.(]",
        r"^[ \t]*\}\);?[ \t]*$",
        r"===|!==",
    ),
    "typescript": (
        r"^[ \t]*(?:export )?interface \w+.*\{",
        r"^[ \t]*(?:export )?type \w+(?:<.*>)? =",
        r"\b(?:const|let|function)\b.*[\w)]: ?(?:string|number|boolean|void|any|Promise|Record|Array)\b",
        r"\bas (?:const|unknown|any)\b.*;|<\w+(?:\[\])?>\(",
        r"^[ \t]*(?:private|public|readonly) \w+[?!]?: ",
    ),
    "java": (
        r"^[ \t]*(?:public|private|protected) (?:static |final |abstract )*(?:class|interface|enum|void|[A-Z]\w*) ?\w*",
        r"\bSystem\.out\.print",
        r"^[ \t]*import (?:static )?java[\w.]*;",
        r"^[ \t]*@Override\b",
        r"\bnew [A-Z]\w*(?:<.*>)?\(.*\);",
        r"^[ \t]*package [\w.]+;",
    ),
    "csharp": (
        r"^[ \t]*using [A-Z][\w.]*;",
        r"^[ \t]*namespace [A-Z][\w.]*",
        r"\bConsole\.Write",
        r"\{ get; (?:private |init|set)",
        r"\bpublic (?:static )?(?:async )?Task\b",
    ),
    "c": (
        r"^[ \t]*#include <\w+\.h>",
        r"^[ \t]*(?:static |unsigned |const )*(?:int|void|char|float|double|size_t) \*?\w+\(.*\)\s*\{?[ \t]*$",
        r"\bprintf\(\"|\bmalloc\(|\bsizeof\(",
        r"^[ \t]*#(?:define|ifdef|ifndef|endif)\b",
        r"^[ \t]*(?:struct|typedef) \w+.*\{",
    ),
    "cpp": (
        r"^[ \t]*#include <(?:iostream|vector|string|map|memory|algorithm)>",
        r"\bstd::\w",
        r"^[ \t]*template\s*<",
        r"^[ \t]*using namespace \w+;",
        r"\b(?:cout|cerr) <<",
    ),
    "go": (
        r"^[ \t]*package \w+[ \t]*$",
        r"^[ \t]*func (?:\(\w+ \*?\w+\) )?\w+\(.*\).*\{[ \t]*$",
        r"\w :?= .*\bmake\(|\bif err != nil\b",
        r"\bfmt\.\w+\(",
        r"^[ \t]*type \w+ (?:struct|interface) \{",
        r"\bgo func\(|\bdefer \w",
    ),
    "rust": (
        r"^[ \t]*(?:pub )?(?:async )?fn \w+.*\{?[ \t]*$",
        r"^[ \t]*let mut \w",
        r"^[ \t]*use (?:std|crate|super)::",
        r"^[ \t]*impl(?:<.*>)? \w",
        r"\b(?:println|vec|panic|format)!\s*[(\[]",
        r"\b(?:unwrap|expect)\(|Ok\(|Err\(|-> Result<",
        r"^[ \t]*#\[\w+",
    ),
    "ruby": (
        r"^[ \t]*def \w+[?!]?(?:\(.*\))?[ \t]*$",
        r"^[ \t]*require(?:_relative)? ['\"]",
        r"\bdo \|\w",
        r"^[ \t]*(?:module|class) [A-Z]\w*(?: < [A-Z]\w*)?[ \t]*$",
        r"^[ \t]*end[ \t]*$",
        r"^[ \t]*puts ['\"]|\battr_(?:reader|accessor)\b",
    ),
    "php": (r"<\?php", r"\$\w+ ?= ?.*;[ \t]*$", r"\$this->|\$\w+->\w", r"^[ \t]*echo ['\"$].*;"),
    "sql": (
        r"(?i)^[ \t]*select\b.*\bfrom\b|^[ \t]*SELECT\s",
        r"(?i)^[ \t]*insert into \w+.*\bvalues\b|^[ \t]*update \w+ set\b|^[ \t]*delete from \w",
        r"(?i)^[ \t]*(?:create|alter|drop) (?:table|index|view)\b",
        r"(?i)\b(?:inner|left|right|outer) join \w+.* on\b",
        r"\bWHERE \w|\bGROUP BY\b|\bORDER BY\b|\bFROM \w+",
    ),
    "bash": (
        r"^#!.*\b(?:ba|z)?sh\b",
        r"^[ \t]*\$ \w",
        r"^[ \t]*(?:sudo|apt(?:-get)?|cd|mkdir|chmod|export|curl|grep|echo|git|npm|pip|docker|kubectl|rm) [-\w./$'\"]",
        r"^[ \t]*(?:if|while) \[\[? .*\]|; then[ \t]*$|^[ \t]*(?:fi|done|esac)[ \t]*$",
        r"\$\{\w+\}|\$\(\w",
        r"\s\|\s(?:grep|awk|sed|sort|xargs|head|tail|jq)\b",
    ),
    "html": (
        r"<!DOCTYPE html|<html\b",
        r"</(?:div|span|p|a|ul|li|body|head|table|script)>",
        r"<(?:div|span|a|img|script) \w+=",
    ),
    "css": (
        r"^[ \t]*[.#]?[\w-]+(?:[ ,:>.#][\w .,:>#-]*)?\{[ \t]*$",
        r"^[ \t]*[\w-]+:\s*[^;{}]+;[ \t]*$",
        r"^[ \t]*@(?:media|import|keyframes)\b",
    ),
    "json": (r"^[ \t]*[{\[][ \t]*$", r"^[ \t]*\"[\w$-]+\":\s*[\w\"\[{-]", r"^[ \t]*[}\]],?[ \t]*$"),
    "yaml": (r"^---[ \t]*$", r"^[\w-]+:[ \t]*$", r"^[ \t]+- [\w-]+: \S", r"^[ \t]{2,}[\w-]+: \S"),
    "dockerfile": (r"^FROM [\w./:-]+(?: AS \w+)?[ \t]*$", r"^(?:RUN|COPY|WORKDIR|ENTRYPOINT|CMD|EXPOSE|ENV) \S"),
    "diff": (r"^diff --git ", r"^@@ -\d+", r"^(?:\+\+\+|---) [ab]/"),
}
LIKE = {"typescript": "javascript", "cpp": "c"}  # what holds also the other's signs


def name(language: str) -> str:
    """Return the one name of a language that has several.

    >>> name("PY"), name("Rust")
    ('python', 'rust')
    """
    low = language.strip().lower()
    return ALIASES.get(low, low)


def found(text: str) -> dict[str, str]:
    """Return language → where it was seen; a fence or block whose language nothing tells is "".

    >>> found("look:\\n```py\\nx = 1\\n```\\n")
    {'python': 'fenced as py'}
    """
    text = "\n".join(line[:LINE_CHARS] for line in text[:LOOKED_AT].split("\n"))
    told: dict[str, str] = {}
    rows = text.split("\n")
    for kind, start, stop in blocks(rows):
        if kind == FENCE:
            info, code = fence(rows, start, stop)
            language, where = _fenced(info, "\n".join(code))
            told.setdefault(language, where)
            rows[start:stop] = [""] * (stop - start)
    rest = "\n".join(rows)
    if not compiled(CODELIKE, re.MULTILINE).search(rest):
        return told
    indented = [m[1] for m in compiled(INDENTED).finditer(rest)]
    for part, where in [*((block, "an indented block") for block in indented), (rest, "lines")]:
        if language := _likely(part, least=SURE):
            told.setdefault(language, f"{where} that read{'' if where == 'lines' else 's'} as {language}")
    if not told and (lines := _statements(rest)):
        likely = _likely(lines, least=1)
        language = "" if likely in DATA else likely
        told[language] = f"lines that read as {language or 'code'}"
    return told


def _statements(text: str) -> str:
    """Return the first lines in a row that are statements, "" where no two are."""
    statement, beside = compiled(STATEMENT), compiled(BESIDE)
    row: list[str] = []
    is_sure = False
    for line in [*text.split("\n"), ""]:
        sure = statement.fullmatch(line) is not None
        if sure or beside.fullmatch(line):
            row.append(line)
            is_sure = is_sure or sure
            continue
        if len(row) >= IN_A_ROW and is_sure:
            return "\n".join(row)
        row, is_sure = [], False
    return ""


def _fenced(info: str, code: str) -> tuple[str, str]:
    """Return the language of a fence and how that is known."""
    said = compiled(LANGUAGE).match(info)
    if said and said[1]:
        return name(said[1]), f"fenced as {said[1]}"
    language = _likely(code, least=1)
    return language, f"a fence that reads as {language}" if language else "a fence"


def _likely(code: str, *, least: int) -> str:
    """Return the language that most signs speak for, "" where fewer than `least` do."""
    counts = {language: sum(bool(sign.search(code)) for sign in signs) for language, signs in _compiled().items()}
    for special, general in LIKE.items():
        if counts[special]:
            counts[special] += counts[general]
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= least else ""


@cache
def _compiled() -> dict[str, list[re.Pattern[str]]]:
    return {language: [re.compile(sign, re.MULTILINE) for sign in signs] for language, signs in SIGNS.items()}
