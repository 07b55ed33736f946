"""Who may import whom, and who may print, write or connect.  [style.md §1.2, design §4]

Read off the syntax trees, so that a rule is broken in a diff and not in a review.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_contract import NAMES

PACKAGE = Path(__file__).parents[1] / "koog"
MODULES = sorted(PACKAGE.rglob("*.py"))

# A new edge between slices is a reviewed line here.
ALLOWED: dict[str, set[str]] = {
    "core": set(),
    "playbook": {"core"},
    "heartbeat": {"core", "playbook"},
    # host: `init --host` installs what the host slice makes; search, topics: doctor looks at what they keep
    "operate": {"core", "playbook", "heartbeat", "host", "search", "topics"},
    "observe": {"core", "playbook"},
    "host": {"core", "observe", "playbook"},
    "search": {"core"},
    "topics": {"core"},
    "context": {"core", "playbook", "search", "topics"},
}
TOP = {"cli.py", "wiring.py", "__main__.py"}  # above the slices
COMMAND_FILES = {target.split(":")[0].replace("koog.", "", 1).replace(".", "/") + ".py" for target in NAMES.values()}
MAY_PRINT = {"cli.py", "core/human.py", "wiring.py"}  # wiring: `--version`
MAY_CONNECT = {"core/model/wire.py"}
# core: the one write door and what it stands on; git_lock: a lock that a killed git left on the branch;
# host: a scheduler's files in the person's own folders.
# operate: the folder that is to become a workspace.
MAY_WRITE = {f"core/files/{name}.py" for name in "workspace atomic journal swap lock host".split()} | {
    "core/git/folder.py",
    "core/git/own.py",
    "operate/init.py",
    "operate/demo.py",
    "search/database.py",  # puts a rebuilt index in the place of the old one, in .koog
}
NETWORK = {"requests", "urllib3", "http", "socket", "ssl", "httpx", "aiohttp", "ftplib", "smtplib"}
HEAVY = {"requests", "jsonschema", "frontmatter", "git", "rich", "watchfiles", "zstandard", "wordllama", "sqlite_vec"}
HEAVY |= {"numpy", "tokenizers"}  # all of them cost start-up time
WRITING = {"write_text", "write_bytes", "mkdir", "touch", "unlink", "rmdir", "rename", "symlink_to", "hardlink_to"}
WRITING_OS = {"mkdir", "makedirs", "remove", "unlink", "rename", "replace", "rmdir", "link", "symlink", "truncate"}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports(nodes: Iterator[ast.AST]) -> set[str]:
    """Return the dotted names that these nodes import; `from koog.core import clock` is `koog.core.clock`."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "koog imports by full names"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def outer(module: ast.Module) -> Iterator[ast.AST]:
    """Yield what runs when a module is imported: not the bodies of functions, not what only type checkers read."""
    waiting: list[ast.AST] = list(module.body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        waiting += ast.iter_child_nodes(node)


def packages(path: Path, *, at_import: bool = False) -> set[str]:
    """Return the top-level packages that a module imports: anywhere in it, or when it is imported itself."""
    module = tree(path)
    return {name.split(".")[0] for name in imports(outer(module) if at_import else ast.walk(module))}


def graph(sources: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Return module → the modules that it imports: anywhere in it, for type checkers too."""
    found = {}
    for name, module in sources.items():
        told = {_known(imported, sources) for imported in imports(ast.walk(module))}
        found[name] = {other for other in told if other and other != name}
    return found


def _known(imported: str, sources: dict[str, ast.Module]) -> str:
    """Return the module that an imported name is, or is in: "" for another package's."""
    while imported and imported not in sources:
        imported = imported.rpartition(".")[0]
    return imported


def circles(edges: dict[str, set[str]]) -> set[str]:
    """Return the nodes from which a way leads back to themselves."""
    reached = {name: set(others) for name, others in edges.items()}
    grown = True
    while grown:
        grown = False
        for name, others in reached.items():
            further = set().union(*(reached[other] for other in others)) - others
            reached[name] = others | further
            grown = grown or bool(further)
    return {name for name, others in reached.items() if name in others}


def calls(path: Path) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, ast.Call))


def prints(call: ast.Call) -> bool:
    function = ast.unparse(call.func)
    return function in ("print", "typer.echo", "console.print") or function.startswith("sys.stdout.")


def writes(call: ast.Call) -> bool:
    """Return whether a call changes a file, or opens one to change it."""
    function = ast.unparse(call.func)
    owner, _, method = function.rpartition(".")
    if function == "tempfile.TemporaryFile":
        return False  # it has no name: nothing is left, and nothing can be overwritten
    if owner in ("os", "shutil", "tempfile"):
        return owner != "os" or method in WRITING_OS or (method == "open" and "O_CREAT" in ast.unparse(call))
    if method == "open":
        given = [*call.args, *(k.value for k in call.keywords if k.arg == "mode")]
        modes = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        return any(set(mode) <= set("rwaxbt+") and set(mode) & set("wax+") for mode in modes)
    return method in WRITING


# --- the rules


def test_imports_go_from_cli_to_slices_to_core():
    wrong = {}
    for path in PACKAGE.glob("*/**/*.py"):
        home = path.relative_to(PACKAGE).parts[0]
        used = {name.split(".")[1] for name in imports(ast.walk(tree(path))) if name.startswith("koog.")}
        if extra := used - ALLOWED[home] - {home, "__version__"}:
            wrong[name_of(path)] = extra

    assert wrong == {}


def test_every_slice_has_its_line_in_the_table():
    assert set(ALLOWED) == {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {path.name for path in PACKAGE.glob("*.py")} == TOP | {"__init__.py"}


def test_no_module_imports_itself_by_way_of_others():
    """An import inside a function, or for type checkers only, is one too: it is understood by reading both."""
    names = {
        ".".join(("koog", *p.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): p for p in MODULES
    }

    assert circles(graph({name: tree(path) for name, path in names.items()})) == set()


def test_only_cli_and_command_files_know_typer():
    assert {name_of(p) for p in MODULES if "typer" in packages(p)} <= COMMAND_FILES | TOP


def test_only_the_model_client_connects():
    fetching = {name_of(p) for p in MODULES if any(n.startswith("urllib.request") for n in imports(ast.walk(tree(p))))}

    assert {name_of(p) for p in MODULES if packages(p) & NETWORK} | fetching == MAY_CONNECT


def test_only_the_write_door_writes():
    written = {name_of(p): [ast.unparse(call) for call in calls(p) if writes(call)] for p in MODULES}

    assert {name: told for name, told in written.items() if told and name not in MAY_WRITE} == {}
    assert {name for name in MAY_WRITE if not written[name]} == set()


def test_only_cli_prints():
    printed = {name_of(p): [ast.unparse(call) for call in calls(p) if prints(call)] for p in MODULES}

    assert {name: told for name, told in printed.items() if told and name not in MAY_PRINT} == {}
    assert {name for name in MAY_PRINT if not printed[name]} == set()


def test_what_costs_start_up_time_is_imported_by_the_function_that_needs_it():
    early = {name_of(p): packages(p, at_import=True) & HEAVY for p in MODULES}

    assert {name: found for name, found in early.items() if found} == {"core/human.py": {"rich"}}


# --- the rules' own eyes


@pytest.mark.parametrize(
    "code",
    ["p.write_text('x')", "open(p, 'w')", "p.open('ab')", "p.mkdir()", "os.replace(a, b)", "shutil.rmtree(p)"],
)
def test_a_write_is_seen(code):
    assert writes(ast.parse(code, mode="eval").body)


@pytest.mark.parametrize("code", ["p.read_text()", "open(p)", "p.open('rb')", "text.replace(a, b)", "door.write(a, b)"])
def test_a_read_is_no_write(code):
    assert not writes(ast.parse(code, mode="eval").body)


def test_an_import_inside_a_function_is_not_made_at_import():
    module = ast.parse("import os\ndef f():\n    import git\nclass C:\n    import rich\n")

    assert imports(outer(module)) == {"os", "rich"}


@pytest.mark.parametrize(
    "how", ["import koog.a", "def f():\n    from koog import a", "if TYPE_CHECKING:\n    from koog.a import A"]
)
def test_a_circle_is_seen(how):
    sources = {"koog.a": "from koog.b import B", "koog.b": "import koog.c", "koog.c": how, "koog.d": "import koog.a"}

    assert circles(graph({name: ast.parse(code) for name, code in sources.items()})) == {"koog.a", "koog.b", "koog.c"}
