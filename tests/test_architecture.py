"""Who may import whom, and who may print, write or connect.  [style.md §1.2, design §4]

Read off the syntax trees, so that a rule is broken in a diff and not in a review.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_contract import NAMES

PACKAGE = Path(__file__).parents[1] / "koog"
MODULES = sorted(PACKAGE.rglob("*.py"))

# A new edge between slices is a reviewed line here.
ALLOWED: dict[str, set[str]] = {
    "core": set(),
    # sessions: who hears a line is asked wherever one is told
    "sessions": {"core"},
    # search: a domain's lines are found by their meaning
    "playbook": {"core", "search", "sessions"},
    # observe: the loop is closed: what was observed is mined as notes are; memory: what is remembered fades at ticks
    # audit: what was changed outside is told before the tick's own changes
    # consolidate: once a day a tick lets the memory be slept on
    "heartbeat": {"audit", "consolidate", "core", "memory", "observe", "playbook", "sessions"},
    # host: `init --host` installs what the host slice makes; search, topics: doctor looks at what they keep
    # observe: how many older sessions were never observed is said by doctor and at `init --host`
    # audit: status shows what nobody has acknowledged
    # knowledge: the transcripts are looked at; init lays the knowledge files out
    # consolidate: status says whether one is due, and which waits
    "operate": {
        "audit",
        "consolidate",
        "core",
        "playbook",
        "heartbeat",
        "host",
        "knowledge",
        "memory",
        "observe",
        "search",
        "sessions",
        "topics",
    },
    # audit: a session begins with what nobody has acknowledged; memory: what was observed is remembered
    # consolidate: that a reflection waits is said when a session begins
    "observe": {"audit", "consolidate", "core", "memory", "playbook", "sessions"},
    # host: what a person asks the memory for in his own turn is done at once
    # consolidate: which plan a person's word is for
    "host": {"consolidate", "core", "memory", "observe", "playbook", "sessions"},
    "search": {"core", "sessions"},
    "topics": {"core", "sessions"},
    # search: what is known already is found by it; memory: what a name is in a file's name
    # observe: what in talk is worth keeping, and who is behind a line, is judged there once
    # audit: whose commit a line came with, and how two versions of a file are joined, is known there once
    "knowledge": {"audit", "core", "memory", "observe", "search", "sessions"},
    # memory: what the stores hold of those whom a message names comes first
    "context": {"core", "memory", "playbook", "search", "sessions", "topics"},
    "memory": {"core", "search", "sessions"},
    # memory: what is looked through and what changes are the stores
    "consolidate": {"core", "memory", "sessions"},
    # memory: a proposal that is committed goes to the stores; it is compared with what is there
    # playbook: what was taken back is made anew
    # consolidate: a plan of which a part was applied tells that it was taken back
    "audit": {"consolidate", "core", "memory", "playbook", "sessions"},
}
TOP = {"cli.py", "wiring.py", "__main__.py"}  # above the slices
COMMAND_FILES = {target.split(":")[0].replace("koog.", "", 1).replace(".", "/") + ".py" for target in NAMES.values()}
MAY_PRINT = {"cli.py", "core/human.py", "wiring.py"}  # wiring: `--version`
MAY_CONNECT = {"core/model/wire.py"}
# The only modules that touch the file system, to read as to write, and what each has to do with it by itself.
MAY_TOUCH = {
    "core/files/roots.py": "named roots: every name of a workspace, of `.koog` and of the state root is walked here",
    "core/files/listing.py": "many files of a root, by the descriptors that roots.py has opened",
    "core/files/pieces.py": "pieces of one large file, by the descriptor that roots.py has opened",
    "core/files/outside.py": "a person's files, a host's and the machine's: no agent plants them",
    "core/files/tree.py": "asks a root for its own folder",
    "core/files/workspace.py": "looks whether a folder is a workspace; makes `.koog`; its caches and logs",
    "core/files/raw_root.py": "makes the folder of the transcripts, which no root holds",
    "core/files/door.py": "puts a removed file aside",
    "core/files/atomic.py": "new versions beside their files, by the spots that a root gives",
    "core/files/journal.py": "the journal's own file, and what a killed command left",
    "core/files/chain.py": "the chain's last record, and its whole when it is cut short",
    "core/files/sweep.py": "any file of a root that holds words which were deleted for good",
    "core/files/swap.py": "two names exchanged in one step",
    "core/files/lock.py": "lock files",
    "core/files/host.py": "the folders of a person's settings",
    "core/files/kept_code.py": "one file in koog's folder of the state home: is it ours, and only ours to write?",
    "core/files/spool.py": "the spool, by descriptors: written before koog is imported",
    "core/files/state_root.py": "the state root's own folder: is it ours, and only ours to write?",
    "core/git/fenced.py": "git's own folder and a working tree, by the spots that a root gives",
    "core/git/making.py": "looks whether another repository begins on the way to a file",
    "core/git/outgoing.py": "looks whether a push address lies in the working tree",
    "core/git/own.py": "makes koog's own git folder",
    "core/git/place.py": "looks for the repository",
    "core/git/push.py": "git's words, in a file without a name",
    "core/git/repository.py": "makes a repository where there is no `.git`",
    "core/shipped.py": "koog's own package and those installed with it: who can write them can write koog",
    "host/arrival.py": "which descriptors the host has left open",
    "observe/alarm.py": "the kernel watches a host's folders by their paths",
    "sessions/openclaw_sqlite.py": "SQLite opens a host's database by its path, for reading only",
    "search/database.py": "SQLite opens the index by its path, and nothing where a link stands in it",
    "operate/checks_git.py": "git's own files",
    "operate/demo.py": "the folder that is to become a workspace",
    "operate/init.py": "the folder that is to become a workspace",
}
# core: the one write door and what it stands on; git_lock: a lock that a killed git left on the branch;
# host: a scheduler's files in the person's own folders.
# operate: the folder that is to become a workspace.
MAY_WRITE = {
    *(f"core/files/{name}.py" for name in "roots workspace door atomic journal swap lock host state_root".split()),
    "core/files/chain.py",
    "core/files/kept_code.py",
    "core/files/spool.py",
    "core/files/sweep.py",  # what a person has deleted for good
    "core/files/raw_root.py",
    "core/git/fenced.py",
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

# What touches the file system by a name, to read as to write. A descriptor is no name: who has one has it from there.
OPENERS = {
    "shutil": {"*"},
    "tempfile": {"*"},
    "glob": {"*"},
    "io": {"open", "open_code", "FileIO"},
    "sqlite3": {"connect"},
    "apsw": {"Connection"},
    "watchfiles": {"watch", "awatch"},
    "linecache": {"*"},
    "zipfile": {"*"},
    "tarfile": {"*"},
}
OS = set(
    "open stat lstat scandir walk fwalk listdir access readlink statvfs getcwd chdir mkdir makedirs remove unlink "
    "rename renames replace rmdir removedirs link symlink truncate chmod lchmod chown lchown utime mkfifo mknod "
    "getxattr setxattr listxattr removexattr pathconf".split()
)
OS_PATH = set("exists lexists isfile isdir islink ismount realpath samefile getsize getmtime getatime getctime".split())
FUNCTIONS = {"os": OS, "os.path": OS_PATH}
# Methods of Path: with any arguments, with none (Workspace.exists has one), with one (str.replace has two).
ANY_PATH = set(
    "read_text read_bytes write_text write_bytes open iterdir rglob mkdir touch rmdir symlink_to hardlink_to lchmod "
    "cwd samefile".split()
)
BARE_PATH = set(
    "exists is_file is_dir is_symlink is_mount is_fifo is_socket is_block_device is_char_device is_junction stat lstat "
    "resolve readlink unlink walk owner group".split()
)
ONE_PATH = {"glob", "rename", "replace", "chmod"}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def every(module: ast.Module) -> tuple[ast.AST, ...]:
    """Return a module's nodes: each rule looks at them all."""
    return (*ast.walk(module),)


def words(node: ast.expr) -> str:
    """Return a name or an attribute as `ast.unparse` does, which takes twenty times as long."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute | ast.Name):
        return f"{words(node.value)}.{node.attr}"
    return ast.unparse(node)


def imports(nodes: Iterable[ast.AST]) -> set[str]:
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
    return {name.split(".")[0] for name in imports(outer(module) if at_import else every(module))}


def graph(sources: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Return module → the modules that it imports: anywhere in it, for type checkers too."""
    found = {}
    for name, module in sources.items():
        told = {_known(imported, sources) for imported in imports(every(module))}
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
    return (node for node in every(tree(path)) if isinstance(node, ast.Call))


def prints(call: ast.Call) -> bool:
    function = words(call.func)
    return function in ("print", "typer.echo", "console.print") or function.startswith("sys.stdout.")


def modules_of_koog(module: ast.Module) -> set[str]:
    """Return the names under which a module has other modules of koog: they answer for `outside.exists(path)`."""
    found = set()
    for node in every(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "koog":
            inside = PACKAGE.parent.joinpath(*(node.module or "").split("."))
            found |= {a.asname or a.name for a in node.names if (inside / f"{a.name}.py").exists()}
    return found


def taken(module: ast.Module) -> dict[str, str]:
    """Return name → `os.stat` and its like, for what a module takes out of a module that touches the file system."""
    found = {}
    for node in every(module):
        if isinstance(node, ast.ImportFrom) and node.module in (*OPENERS, "os", "os.path"):
            found |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            found |= {a.asname or a.name: a.name for a in node.names}
    return found


def touches(module: ast.Module) -> list[str]:
    """Return the calls by which a module touches the file system by a name: to read, to list, to look, to write."""
    known, names = modules_of_koog(module), taken(module)
    found = []
    for node in every(module):
        is_call = isinstance(node, ast.Call) and touching(node, known=known, names=names)
        is_name = isinstance(node, ast.Attribute | ast.Name) and names_a_touch(node, names, FUNCTIONS)
        found += [ast.unparse(node)] if is_call or is_name else []
    return found


def names_a_touch(node: ast.expr, names: dict[str, str], functions: dict[str, set[str]]) -> bool:
    """Return whether a name is a function that touches the file system, called or handed on: `map(os.stat, paths)`."""
    first, dot, rest = words(node).partition(".")
    owner, _, method = (names.get(first, first) + dot + rest).rpartition(".")
    if owner == "Path":
        return method in ANY_PATH | BARE_PATH | ONE_PATH
    if first not in names:
        return False
    known = functions.get(owner, set())
    return method in known or "*" in known


def touching(call: ast.Call, *, known: set[str], names: dict[str, str]) -> bool:
    """Return whether a call is one of a Path's, or of `open`."""
    function = words(call.func)
    owner, _, method = function.rpartition(".")
    if names_a_touch(call.func, names, OPENERS):
        return True
    if owner in known or owner in names:
        return False  # a module: it answers for itself, or is looked at by the name of its function
    if not owner:
        return method == "open"
    if method in ANY_PATH:
        return True
    given = len(call.args)
    return (method in BARE_PATH and given == 0) or (method in ONE_PATH and given == 1 and not call.keywords)


def writes(call: ast.Call) -> bool:
    """Return whether a call changes a file, or opens one to change it."""
    function = words(call.func)
    owner, _, method = function.rpartition(".")
    if function == "tempfile.TemporaryFile":
        return False  # it has no name: nothing is left, and nothing can be overwritten
    if owner in ("os", "shutil", "tempfile"):
        return owner != "os" or method in WRITING_OS or (method == "open" and _opens_to_write(call))
    if method == "open":
        if _opens_to_write(call):
            return True
        given = [*call.args, *(k.value for k in call.keywords if k.arg == "mode")]
        modes = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        return any(set(mode) <= set("rwaxbt+") and set(mode) & set("wax+") for mode in modes)
    return method in WRITING


def _opens_to_write(call: ast.Call) -> bool:
    return any(flag in ast.unparse(call) for flag in ("O_CREAT", "O_WRONLY", "O_RDWR", "O_TRUNC", "O_APPEND"))


# --- the rules


def test_imports_go_from_cli_to_slices_to_core():
    wrong = {}
    for path in PACKAGE.glob("*/**/*.py"):
        home = path.relative_to(PACKAGE).parts[0]
        used = {name.split(".")[1] for name in imports(every(tree(path))) if name.startswith("koog.")}
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
    fetching = {name_of(p) for p in MODULES if any(n.startswith("urllib.request") for n in imports(every(tree(p))))}

    assert {name_of(p) for p in MODULES if packages(p) & NETWORK} | fetching == MAY_CONNECT


def test_only_the_write_door_writes():
    written = {name_of(p): [ast.unparse(call) for call in calls(p) if writes(call)] for p in MODULES}

    assert {name: told for name, told in written.items() if told and name not in MAY_WRITE} == {}
    assert {name for name in MAY_WRITE if not written[name]} == set()


def test_only_these_modules_touch_the_file_system():
    touching = {name_of(p): touches(tree(p)) for p in MODULES}

    assert {name: told for name, told in touching.items() if told and name not in MAY_TOUCH} == {}
    assert {name for name in MAY_TOUCH if not touching[name]} == set()


def test_only_cli_prints():
    printed = {name_of(p): [ast.unparse(call) for call in calls(p) if prints(call)] for p in MODULES}

    assert {name: told for name, told in printed.items() if told and name not in MAY_PRINT} == {}
    assert {name for name in MAY_PRINT if not printed[name]} == set()


def test_what_is_compiled_for_good_is_made_of_nobodys_words():
    """It would stand on the disk after they are forgotten: `personal` is for names."""
    made = [
        (name_of(path), call.lineno)
        for path in MODULES
        for call in calls(path)
        if isinstance(call.func, ast.Name) and call.func.id == "compiled"
        for inner in ast.walk(ast.Tuple(call.args))
        if isinstance(inner, ast.Call) and words(inner.func).endswith("escape")
        if not (isinstance(inner.args[0], ast.Name) and inner.args[0].id.isupper())
    ]

    assert made == []


def test_what_costs_start_up_time_is_imported_by_the_function_that_needs_it():
    early = {name_of(p): packages(p, at_import=True) & HEAVY for p in MODULES}

    assert {name: found for name, found in early.items() if found} == {"core/human.py": {"rich"}}


# --- the rules' own eyes


@pytest.mark.parametrize(
    "code",
    [
        "p.write_text('x')",
        "open(p, 'w')",
        "p.open('ab')",
        "spot.open(os.O_RDWR)",
        "os.open(p, os.O_CREAT)",
        "p.mkdir()",
        "os.replace(a, b)",
        "shutil.rmtree(p)",
    ],
)
def test_a_write_is_seen(code):
    assert writes(ast.parse(code, mode="eval").body)


@pytest.mark.parametrize("code", ["p.read_text()", "open(p)", "p.open('rb')", "text.replace(a, b)", "door.write(a, b)"])
def test_a_read_is_no_write(code):
    assert not writes(ast.parse(code, mode="eval").body)


@pytest.mark.parametrize(
    "code",
    [
        "open(p)",
        "p.open()",
        "p.open('rb')",
        "root.open().sync()",
        "p.read_text('utf-8')",
        "p.read_bytes()",
        "p.exists()",
        "p.is_file(follow_symlinks=False)",
        "Path(p).is_dir()",
        "p.stat().st_size",
        "p.lstat()",
        "p.resolve()",
        "list(p.iterdir())",
        "p.glob('*.md')",
        "p.rglob('*.md')",
        "p.replace(q)",
        "p.rename(q)",
        "p.chmod(0o600)",
        "p.mkdir(parents=True)",
        "Path.cwd()",
        "import os\nos.open(p, os.O_RDONLY)",
        "import os\nos.path.realpath(p)",
        "import os\nos.path.exists(p)",
        "import os\nos.scandir(fd)",
        "import os as system\nsystem.stat(p)",
        "from os import stat\nstat(p)",
        "from os import path\npath.isfile(p)",
        "from os.path import exists as there\nthere(p)",
        "from shutil import which\nwhich('git')",
        "def f():\n    import shutil\n    shutil.copy(p, q)",
        "import tempfile\ntempfile.mkdtemp()",
        "import glob\nglob.glob('*')",
        "import io\nio.open(p)",
        "import sqlite3\nsqlite3.connect(p)",
        "def f():\n    import apsw\n    apsw.Connection(p)",
        "import watchfiles\nwatchfiles.watch(p)",
        "import os\nlist(map(os.stat, paths))",
        "sorted(paths, key=Path.exists)",
    ],
)
def test_a_look_at_the_file_system_is_seen(code):
    assert touches(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        "workspace.exists(path)",
        "roots.is_file(path)",
        "entry.is_folder",
        "text.replace('a', 'b')",
        "moment.replace(hour=3)",
        "run.workspace.chmod(path, 0o755)",
        "from koog.core.files import outside\noutside.is_file(p)",
        "from koog.core.files import outside\noutside.opened(p)",
        "from koog.core.files import host\nhost.read(folder, name)",
        "import os\nos.fstat(fd)",
        "import os\nos.path.join(a, b)",
        "import os\nos.environ.get('A')",
        "glob.startswith('**/')",
        "import re\nre.compile('a')",
        "import orjson\norjson.loads(data)",
    ],
)
def test_what_looks_at_nothing_is_none(code):
    assert not touches(ast.parse(code))


def test_an_import_inside_a_function_is_not_made_at_import():
    module = ast.parse("import os\ndef f():\n    import git\nclass C:\n    import rich\n")

    assert imports(outer(module)) == {"os", "rich"}


@pytest.mark.parametrize(
    "how", ["import koog.a", "def f():\n    from koog import a", "if TYPE_CHECKING:\n    from koog.a import A"]
)
def test_a_circle_is_seen(how):
    sources = {"koog.a": "from koog.b import B", "koog.b": "import koog.c", "koog.c": how, "koog.d": "import koog.a"}

    assert circles(graph({name: ast.parse(code) for name, code in sources.items()})) == {"koog.a", "koog.b", "koog.c"}
