"""koog module export, import: a module as one JSON file that says where it comes from.  [sinain §5; design §5]

Reads   export: modules/<id>/; import: a bundle
Writes  export: a bundle; import: modules/<id>/, the registry (suspended), the id (in the state root)
Asks    nothing
"""

from __future__ import annotations

import errno
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer

from koog import __version__
from koog.core import clock, schema
from koog.core.errors import NotFound, Refused, UsageError, WorkspaceError
from koog.core.files import jsonfiles, outside
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import LIMIT, text_or_stdin
from koog.core.text import comments
from koog.core.text.secrets import find_secrets, redact_secrets
from koog.core.text.trust import steers
from koog.core.text.untrusted import strip_private, visible
from koog.playbook import registry, trust
from koog.playbook.module import new_entry, register
from koog.playbook.stack import APPROVE
from koog.sessions import audience

SCHEMA = Path(__file__).with_name("bundle.schema.json")
FORMAT = "koog.module-bundle/1"
INLINE_CHARS = 8000  # the reply line stays under 10,000 characters
EXPORTS = "exports"


def export_module(
    ctx: typer.Context,
    module_id: Annotated[str, typer.Argument(help="The module's id.")],
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the bundle into the workspace at this path.")
    ] = None,
) -> Reply:
    """Bundle a module with its provenance: in the line when it is short, else into a file."""
    run: Run = ctx.obj
    audience.own(run)
    bundle = pack(run, module_id)
    text = jsonfiles.pretty(bundle)
    path = out or (run.workspace.in_modules(f"{EXPORTS}/{module_id}.json") if len(text) > INLINE_CHARS else None)
    if path:
        with run.workspace.writing() as door:
            door.write(path, text, summary=f"exported {module_id}")
    return Reply(
        "koog.module.export/1",
        id=module_id,
        path=path,
        bundle=None if path else bundle,
        sha256=bundle["provenance"]["sha256"],
        bytes=len(text.encode()),
    )


def import_module(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A bundle; '-' reads stdin.")],
    force: Annotated[bool, typer.Option("--force", help="Replace an existing, unlocked module.")] = False,
) -> Reply:
    """Take in a bundle as untrusted text; the module starts suspended."""
    run: Run = ctx.obj
    bundle = parse(_text(run, file))
    module_id = registry.check_id(bundle["id"])
    patterns, redacted = _safe(bundle["patterns"])
    guidance, more = _safe(bundle["guidance"] or "")
    manifest = {**bundle["manifest"], "importedFrom": {**bundle["provenance"], "importedAt": clock.iso(run.now)}}
    with run.workspace.writing() as door:
        registry.check_free(run.workspace, module_id, force=force)
        folder = run.workspace.in_modules(module_id)
        door.write(f"{folder}/manifest.json", jsonfiles.pretty(manifest), summary=f"imported {module_id}")
        door.write(f"{folder}/patterns.md", _marked(patterns, bundle), summary=f"imported {module_id}")
        if guidance.strip() or run.workspace.exists(f"{folder}/guidance.md"):
            door.write(f"{folder}/guidance.md", guidance, summary=f"imported {module_id}")
        register(door, module_id, new_entry(manifest), summary=f"registered {module_id}, suspended")
        trust.remember(run.workspace, module_id, when=clock.iso(run.now))
    return Reply(
        "koog.module.import/1",
        id=module_id,
        status="suspended",
        locked=manifest["locked"],
        patternLines=sum(1 for line in patterns.splitlines() if line.strip()),
        instructions=[line.strip() for line in (patterns + guidance).splitlines() if steers(line)][:20],
        redacted=redacted + more,
        provenance=manifest["importedFrom"],
        next=f"read {folder}/patterns.md; a person approves it: {APPROVE.format(module_id)}",
    )


def pack(run: Run, module_id: str) -> dict[str, Any]:
    """Return a module's bundle. Its hash covers manifest, patterns and guidance: a reader can tell they are whole."""
    manifest = registry.manifest(run.workspace, module_id)
    origin = manifest.pop("importedFrom", None)
    patterns = run.workspace.text(run.workspace.in_modules(f"{module_id}/patterns.md"))
    if patterns is None:
        raise NotFound(f"module {module_id!r} has no patterns.md", hint=f"koog module info {module_id}")
    patterns = redact_secrets(strip_private(patterns))
    guidance = run.workspace.text(run.workspace.in_modules(f"{module_id}/guidance.md"))
    guidance = redact_secrets(strip_private(guidance)) if guidance else None
    git = run.commits.git
    return {
        "format": FORMAT,
        "id": module_id,
        "manifest": manifest,
        "patterns": patterns,
        "guidance": guidance,
        "provenance": {
            "exportedAt": clock.iso(run.now),
            "koog": __version__,
            "commit": git.head() if git else None,
            "sha256": digest(manifest, patterns, guidance),
            "importedFrom": origin,
        },
    }


def parse(text: str) -> dict[str, Any]:
    """Return a checked bundle. Raises UsageError for what is no bundle, Refused for one that was changed."""
    try:
        bundle = jsonfiles.loads(text)
    except ValueError as e:
        raise UsageError(f"bundle: {e}", hint="koog module export makes one") from None
    if wrong := schema.problem(bundle, schema.definition(SCHEMA, "bundle")):
        raise UsageError(f"bundle: {wrong}", hint="koog module export makes one")
    manifest = bundle["manifest"]
    if wrong := schema.problem(manifest, schema.definition(registry.SCHEMA, "manifest")):
        raise UsageError(f"bundle: manifest: {wrong}")
    if manifest["id"] != bundle["id"]:
        raise UsageError(f"bundle: id {bundle['id']!r}, manifest {manifest['id']!r}")
    if digest(manifest, bundle["patterns"], bundle["guidance"]) != bundle["provenance"]["sha256"]:
        raise Refused("bundle: its content is not what its hash says", hint="ask for it again where it comes from")
    return dict(bundle)


def digest(manifest: dict[str, Any], patterns: str, guidance: str | None) -> str:
    """Return the SHA-256 of a bundle's content."""
    return sha256(jsonfiles.line([manifest, patterns, guidance]).encode()).hexdigest()


def _safe(text: str) -> tuple[str, int]:
    """Return imported text without hidden characters, comments and secrets, and how many secrets it had."""
    shown = visible(strip_private(text))
    return redact_secrets(shown), len(find_secrets(shown))


def _marked(patterns: str, bundle: dict[str, Any]) -> str:
    """Return the patterns under a comment that says where they come from."""
    source = bundle["provenance"]
    value = f"{source['sha256'][:12]} of {source['exportedAt'][:25]}, trust: imported"
    return comments.comment("imported", value) + "\n" + patterns


def _text(run: Run, file: str) -> str:
    if file == "-":
        return text_or_stdin(file, what="FILE")
    try:
        data = outside.given(file, workspace=run.workspace.files, limit=LIMIT)
    except FileNotFoundError:
        raise NotFound(f"no bundle {Path(file).name}", hint="koog module export ID --out FILE makes one") from None
    except OSError as e:
        if e.errno == errno.EFBIG:
            raise UsageError(f"{Path(file).name}: {e.strerror}") from None
        raise WorkspaceError(f"{Path(file).name}: {e.strerror}") from None
    return data.decode("utf-8", "replace")
