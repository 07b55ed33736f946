"""koog-config.json: six layers, one schema, and what the agent may not choose.  [design §7, sinain §4.8]

Highest first: a flag, an environment variable `KOOG_*`, this workspace's entry in the
operator's `$XDG_CONFIG_HOME/koog/config.json`, that file's general keys, the workspace's
`koog-config.json`, the shipped file; merged key by key. The agent can write its
workspace, so whatever decides where the key is sent, what is spent, what is pushed, what
is read from elsewhere and whom to trust is ignored there, with a warning that names it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from koog.core import operator, schema, shipped
from koog.core.errors import ConfigError, WorkspaceError
from koog.core.files import jsonfiles, outside
from koog.core.files.roots import Root
from koog.core.named import NamedTuple

SCHEMA = Path(__file__).with_name("config.schema.json")
NAME = "koog-config.json"
KEY_LIMIT = 64 * 1024  # bytes; a key has some hundred

PATTERNS = ("paths.journal", "paths.notes")  # which of the workspace's own files are notes
NOTES_ROOT = f"paths.{operator.NOTES_ROOT}"
PROTECTED = (
    "provider",
    "models",
    "budget",
    "audit",
    "approval",
    "memory.trustedAgents",
    "memory.mainAgent",
    "memory.reviewMode",
    "git.remote",
    "git.push",
    "git.backup",
    "git.trustLocalConfig",
    "paths.linked",
    NOTES_ROOT,
    "paths.projects",
    "observe.sources",
    "observe.projects",
    "observe.groups",
    "context.otherProjects",
    "workspaces",
)
# A variable is set by whoever calls; these take a person's own file.
NOT_BY_VARIABLE = (
    "approval",
    "memory.trustedAgents",
    "memory.mainAgent",
    "memory.reviewMode",
    "git.push",
    "git.backup",
    "git.trustLocalConfig",
    NOTES_ROOT,
    "context.otherProjects",
)


class Settings(NamedTuple):
    """The merged configuration: read by dotted path, so that a key is written as the file spells it.

    workspace_id   the id that the operator's file gives the workspace, None where it names none
    """

    values: dict[str, Any]
    warnings: tuple[str, ...] = ()
    workspace_id: str | None = None

    def get(self, dotted: str) -> Any:
        """Return a value by its path, such as `git.commit`. Raises KeyError for a path that nothing defines."""
        value: Any = self.values
        for part in dotted.split("."):
            value = value[part]
        return value

    def script(self, name: str) -> dict[str, Any]:
        """Return one script's model, maxTokens, timeout and temperature, the defaults filled in, aliases resolved."""
        merged = {**self.values["defaults"], **self.values["scripts"].get(name, {})}
        merged["model"] = self.values["models"].get(merged["model"], merged["model"])
        return merged


def load(*, workspace: Path | None, operator_file: Path | None, flags: dict[str, Any]) -> Settings:
    """Merge the layers into Settings.

    workspace       the workspace's root; its koog-config.json is the least trusted layer
    operator_file   `--config FILE`, in place of the operator's own file
    flags           dotted path → value, from the command line

    Raises ConfigError naming the file and the key.
    """
    warnings: list[str] = []
    merged: dict[str, Any] = {}
    ours = operator_file or operator.path()
    inside = workspace is not None and Path(outside.real(ours)).is_relative_to(outside.real(workspace))
    general = _own(ours) if ours != operator_file else _named(ours)
    found = _entry(general if not inside else {}, workspace, named=operator_file is not None)
    layers = [(_layer(shipped.data(shipped.shipped(NAME)), NAME), NAME, True)]
    if workspace:
        layers.append((_workspaces(workspace), NAME, False))
    layers.append((general, ours.name, not inside))
    if found:
        where = f"{ours.name}: {operator.WORKSPACES}.{found.id}"
        if wrong := schema.problem(found.values, _schema()):
            raise ConfigError(f"{where}: {wrong}", hint=_nearest_key(found.values))
        layers.append((found.values, where, True))
    aliases = {alias for layer, _, trusted in layers if trusted for alias in layer.get("models", {})}
    # The patterns count in the folder around the workspace then, which nobody has given to the agent.
    protected = (*PROTECTED, *PATTERNS) if found and found.notes_root else PROTECTED
    for layer, name, trusted in layers:
        counted = layer
        if layer is general and trusted:
            counted = _for_all(layer, name, warnings)
        elif not trusted:
            counted = _untrusted(layer, aliases, name, warnings, workspace=workspace, protected=protected)
        _merge(merged, counted)
    merged.pop(operator.WORKSPACES, None)
    for dotted, value in {**_environment(), **flags}.items():
        _put(merged, dotted, value)
    if wrong := schema.problem(merged, _schema()):
        raise ConfigError(f"environment or flag: {wrong}")
    return Settings(merged, tuple(warnings), found.id if found else None)


def _for_all(layer: dict[str, Any], name: str, warnings: list[str]) -> dict[str, Any]:
    """Return what of the operator's general keys can hold for every workspace: around each lie other notes."""
    if operator.NOTES_ROOT not in layer.get("paths", {}):
        return layer
    warnings.append(f"{name}: {NOTES_ROOT} ignored: it holds for one workspace, in its entry of {operator.WORKSPACES}")
    return {**layer, "paths": {key: value for key, value in layer["paths"].items() if key != operator.NOTES_ROOT}}


def _entry(values: dict[str, Any], workspace: Path | None, *, named: bool) -> operator.Entry | None:
    """Return the workspace's entry in this operator's config; of one that was named, else in the person's own."""
    if workspace is None:
        return None
    if found := operator.among(values, workspace):
        return found
    return operator.among(_own(operator.path()), workspace) if named else None


def api_key(settings: Settings) -> str | None:
    """Return the model's key, from the environment or a private file; None when the endpoint needs none or none is set.

    Raises ConfigError when the named file is missing or others may read it.
    """
    name, file = settings.get("provider.apiKeyEnv"), settings.get("provider.apiKeyFile")
    if name and os.environ.get(name):
        return os.environ[name].strip()
    if not file:
        return None
    try:
        path = Path(file).expanduser()  # RuntimeError: nobody has that home
        with outside.opened(path) as opened:
            mode = os.fstat(opened.fileno()).st_mode
            text = opened.read(KEY_LIMIT).decode("utf-8").strip()
    except (OSError, RuntimeError, UnicodeDecodeError) as e:
        if isinstance(e, OSError) and e.errno == errno.EINVAL:
            raise ConfigError("provider.apiKeyFile is not a regular file", hint="a pipe may never end") from None
        raise ConfigError(f"provider.apiKeyFile: {e.__class__.__name__}", hint="the file holds the key alone") from None
    if mode & 0o077:
        raise ConfigError("provider.apiKeyFile: others may read it", hint="chmod 600 it")
    return text or None


def wants_model(settings: Settings) -> bool:
    """Return whether `--engine auto` means the model: its key is there, or the endpoint needs none."""
    provider = settings.get("provider")
    if provider["apiKeyEnv"] is None and provider["apiKeyFile"] is None:
        return True
    return api_key(settings) is not None


def _schema() -> schema.Schema:
    return schema.definition(SCHEMA, "config")


def _named(path: Path) -> dict[str, Any]:
    """Read the file of `--config`: a person may name a pipe (`<(…)`)."""
    try:
        return _layer(outside.streamed(path), path.name)
    except FileNotFoundError:
        raise ConfigError(f"no config file {path.name}", hint="--config takes an existing file") from None
    except OSError as e:
        raise ConfigError(f"{path.name}: {e.strerror}") from None


def _own(path: Path) -> dict[str, Any]:
    """Read the operator's own file, which need not be there."""
    try:
        return _layer(outside.read(path), path.name)
    except FileNotFoundError:
        return {}
    except OSError as e:
        raise ConfigError(f"{path.name}: {e.strerror}") from None


def _workspaces(workspace: Path) -> dict[str, Any]:
    """Read the workspace's own file by its root: the agent may have put a pipe there, or a link that leads outside."""
    try:
        return _layer(Root(workspace).read(NAME) or b"", NAME)
    except WorkspaceError as e:
        raise ConfigError(e.message, hint=e.hint) from None


def _layer(data: bytes, name: str) -> dict[str, Any]:
    """Return one layer's values. Raises ConfigError."""
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").strip() or b"{}"
        value = jsonfiles.loads(text)
    except ValueError as e:
        raise ConfigError(f"{name}: {e}", hint="mend the JSON") from None
    if wrong := _wrong(text):
        raise ConfigError(f"{name}: {wrong}", hint=_nearest_key(value))
    return dict(value)


@lru_cache(maxsize=8)
def _wrong(text: bytes) -> str | None:
    """Return what is wrong with a layer; a process that runs many commands meets the same few."""
    return schema.problem(jsonfiles.loads(text), _schema())


def _merge(into: dict[str, Any], layer: dict[str, Any]) -> None:
    for key, value in layer.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def _untrusted(
    layer: dict[str, Any],
    aliases: set[str],
    name: str,
    warnings: list[str],
    *,
    workspace: Path | None,
    protected: Sequence[str],
) -> dict[str, Any]:
    """Return the layer without its protected keys.

    A script's `model` may pick one of the operator's aliases; a model by name
    would be routing chosen by the agent. A path may name a place in the workspace.
    """
    kept: dict[str, Any] = {}
    for dotted, value in _leaves(layer):
        is_protected = _is_under(dotted, protected)
        names_model = dotted.endswith(".model") and value not in aliases
        if _is_under(dotted, PATTERNS):
            leads_out = any(_leads_out(pattern, workspace) for pattern in value)
        else:
            leads_out = dotted.startswith("paths.") and _leads_out(value, workspace)
        if is_protected or names_model or leads_out:
            warnings.append(f"{name}: {dotted} ignored: only the operator's config may set it")
        else:
            _put(kept, dotted, value)
    return kept


def _is_under(dotted: str, keys: Sequence[str]) -> bool:
    return any(dotted == key or dotted.startswith(f"{key}.") for key in keys)


def _leads_out(value: Any, workspace: Path | None) -> bool:
    """Return whether a path of the config is none inside the workspace."""
    if not isinstance(value, str) or workspace is None:
        return value is not None
    root = outside.real(workspace)
    if "\0" in value or value.startswith("~"):
        return True
    return not Path(outside.real(Path(root, value))).is_relative_to(root)


def _leaves(value: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, item in value.items():
        if isinstance(item, dict) and item:
            found += _leaves(item, f"{prefix}{key}.")
        else:
            found.append((prefix + key, item))
    return found


def _put(into: dict[str, Any], dotted: str, value: Any) -> None:
    *parents, last = dotted.split(".")
    for part in parents:
        into = into.setdefault(part, {})
    into[last] = value


def _environment() -> dict[str, Any]:
    """Return what `KOOG_GIT_COMMIT=off` and its like set: one variable for each scalar key of the schema."""
    given = {k: v for k, v in os.environ.items() if k.startswith("KOOG_")}
    if not given:
        return {}
    names = _variables()
    known = {k: v for k, v in given.items() if k in names and names[k][0] not in NOT_BY_VARIABLE}
    return {names[k][0]: _typed(k, v, names[k][1]) for k, v in known.items()}


@cache
def _variables() -> dict[str, tuple[str, schema.Schema]]:
    """Return variable → the key that it sets, and the key's schema."""
    return {_variable(path): (path, kind) for path, kind in _scalars(schema.load(SCHEMA)["$defs"]["config"])}


def _variable(dotted: str) -> str:
    snake = "".join(f"_{c}" if c.isupper() else c for c in dotted.replace(".", "_"))
    return f"KOOG_{snake.upper()}"


def _scalars(node: schema.Schema, prefix: str = "") -> list[tuple[str, schema.Schema]]:
    found: list[tuple[str, schema.Schema]] = []
    for key, child in node.get("properties", {}).items():
        if "properties" in child:
            found += _scalars(child, f"{prefix}{key}.")
        elif child.get("type") not in ("object", "array") and "$ref" not in child:
            found.append((prefix + key, child))
    return found


def _typed(name: str, text: str, kind: schema.Schema) -> Any:
    if "enum" in kind:
        return text
    types = kind["type"] if isinstance(kind["type"], list) else [kind["type"]]
    if text == "null" and "null" in types:
        return None
    if "string" in types:
        return text
    try:
        value = jsonfiles.loads(text)
    except ValueError:
        raise ConfigError(f"{name}: {text!r} is not a {types[0]}") from None
    return value


def _nearest_key(value: Any) -> str | None:
    """Return a hint for the first unknown key: the known one most like it."""
    from difflib import get_close_matches

    node: Any = schema.load(SCHEMA)["$defs"]
    known = {key for path, _ in _all_paths(node["config"], node) for key in path.split(".")}
    for dotted, _ in _leaves(value) if isinstance(value, dict) else []:
        for part in dotted.split("."):
            if part not in known and (near := get_close_matches(part, known, 1, 0.6)):
                return f"did you mean '{near[0]}' for '{part}'?"
    return None


def _all_paths(node: schema.Schema, defs: schema.Schema, prefix: str = "") -> list[tuple[str, schema.Schema]]:
    found: list[tuple[str, schema.Schema]] = []
    for key, child in node.get("properties", {}).items():
        inner = defs[child["$ref"].rsplit("/", 1)[1]] if "$ref" in child else child
        found.append((prefix + key, inner))
        found += _all_paths(inner, defs, f"{prefix}{key}.")
    return found
