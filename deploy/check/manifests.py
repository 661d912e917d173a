"""Renders the overlays and holds each document against its schema.

    python deploy/check/manifests.py render FOLDER    deploy/k8s/overlays/* as YAML and as JSON
    python deploy/check/manifests.py schemas FILE…    exit status 1 if a document is not right

Kubernetes' own kinds are held against the schemas of one of its versions, strictly: unknown
fields are errors. All others need a schema in the folder that LAELO_CRD_SCHEMAS names, or in
`deploy/check/schemas`, where are those that we had to write ourselves, of what is used here; a kind
without one is an error, for nobody would have looked at it. Runs with the tools of
`deploy/toolbox.py k8s`.
"""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import yaml
from kubernetes_validate import utils

ROOT = Path(__file__).resolve().parents[2]
OVERLAYS = ROOT / "deploy/k8s/overlays"
VERSION = "1.35"
CRD_SCHEMAS = Path(os.environ.get("LAELO_CRD_SCHEMAS", ROOT.parent / "shared/crd-schemas"))
OWN_SCHEMAS = Path(__file__).with_name("schemas")

# Without this each document would have all definitions read anew.
utils.schema_contents = functools.cache(utils.schema_contents)

Document = dict[str, Any]


def rendered(overlay: Path) -> str:
    """An overlay as kubectl would apply it. Raises CalledProcessError."""
    kubectl = Path(sys.executable).with_name("kubectl")
    argv = [str(kubectl), "kustomize", str(overlay)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        raise SystemExit(f"{overlay.relative_to(ROOT)} cannot be rendered:\n{done.stderr}")
    return done.stdout


def documents(text: str) -> list[Document]:
    """All documents of a file."""
    return [document for document in yaml.safe_load_all(text) if document]


def render(folder: Path) -> None:
    """Write each overlay as YAML, and as JSON for those who have no parser of YAML.

    The compose file is written as JSON, too.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for overlay in sorted(path for path in OVERLAYS.iterdir() if path.is_dir()):
        text = rendered(overlay)
        (folder / f"{overlay.name}.yaml").write_text(text)
        (folder / f"{overlay.name}.json").write_text(json.dumps(documents(text)))
    compose = documents((ROOT / "deploy/compose/compose.yaml").read_text())
    (folder / "compose.json").write_text(json.dumps(compose))


@functools.cache
def crd_schema(group: str, kind: str, version: str) -> Any:
    """The schema of a custom resource, None if there is none."""
    name = f"{group}_{kind}_{version}.json".lower()
    for file in (CRD_SCHEMAS / name, OWN_SCHEMAS / name):
        if file.is_file():
            return json.loads(file.read_text())
    return None


def faults(document: Document) -> Iterator[str]:
    """What is wrong with a document."""
    try:
        kubernetes_validate.validate(document, VERSION, strict=True)
    except kubernetes_validate.ValidationError as error:
        yield _sentence(error)
    except kubernetes_validate.SchemaNotFoundError:
        group, _, version = document["apiVersion"].partition("/")
        schema = crd_schema(group, document["kind"], version)
        if schema is None:
            yield f"there is no schema for it in {CRD_SCHEMAS}: set LAELO_CRD_SCHEMAS"
            return
        yield from map(_sentence, jsonschema.Draft202012Validator(schema).iter_errors(document))


def _sentence(error: jsonschema.ValidationError) -> str:
    place = ".".join(str(part) for part in error.absolute_path)
    return f"{place}: {error.message[:300]}"


def check(files: list[Path]) -> int:
    """Tell all faults; the exit status."""
    status, number = 0, 0
    for file in files:
        for document in documents(file.read_text()):
            number += 1
            for fault in faults(document):
                status = 1
                print(f"{file.name}: {document['kind']} {document['metadata']['name']}: {fault}")
    print(f"{number} documents, Kubernetes {VERSION}: {'not all are' if status else 'all'} right")
    return status


def main(argv: list[str]) -> int:
    """Run a command; the exit status."""
    match argv:
        case ["render", folder]:
            render(Path(folder))
            return 0
        case ["schemas", *files] if files:
            return check([Path(file) for file in files])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
