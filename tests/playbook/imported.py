"""A module from elsewhere, for tests of what it needs before it speaks."""

from __future__ import annotations

import json

from koog.playbook import bundle

RN = "rn-copy"
SOURCE = "react-native-dev"


def bring_in(koog, workspace, *options, module_id=RN):
    """Export a module of the workspace's own and import it under another id."""
    koog("module", "export", SOURCE, "--out", "bundle.json")
    value = json.loads((workspace / "bundle.json").read_text())
    value = {**value, "id": module_id, "manifest": {**value["manifest"], "id": module_id}}
    value["provenance"]["sha256"] = bundle.digest(value["manifest"], value["patterns"], value["guidance"])
    (workspace / "in.json").write_text(json.dumps(value))
    code, line = koog("module", "import", "in.json", *options)
    assert code == 0
    return line


def activate(koog, *options, module_id=RN):
    return koog("module", "activate", module_id, *options)
