"""What an overlay renders to, and how its documents are asked."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
RENDERED = ROOT / ".local/k8s"
SERVICES = ("rules", "bots", "table", "matchmaking", "tournament", "archive", "gateway")
OPTIONAL = ("console",)
"""What an overlay may leave out."""
NAME = "app.kubernetes.io/name"

Document = dict[str, Any]


@cache
def _text(overlay: str) -> str:
    return (RENDERED / f"{overlay}.json").read_text()


def overlay(name: str) -> list[Document]:
    """All documents of an overlay; a copy of one's own, to be broken at will."""
    found: list[Document] = json.loads(_text(name))
    return found


def of_kind(documents: list[Document], *kinds: str) -> list[Document]:
    return [document for document in documents if document["kind"] in kinds]


def named(documents: list[Document], kind: str, name: str) -> Document:
    (found,) = (d for d in of_kind(documents, kind) if d["metadata"]["name"] == name)
    return found


class Pods(NamedTuple):
    """A workload, and the pods that it makes."""

    name: str
    workload: Document
    spec: Document
    labels: dict[str, str]

    @property
    def containers(self) -> list[Document]:
        found: list[Document] = self.spec["containers"]
        return found


def pods(documents: list[Document], *kinds: str) -> Iterator[Pods]:
    """Workloads of these kinds (all, if none is given)."""
    for document in of_kind(documents, *(kinds or ("Deployment", "StatefulSet", "Job"))):
        template = document["spec"]["template"]
        name = document["metadata"]["name"]
        yield Pods(name, document, template["spec"], template["metadata"]["labels"])


def variables(container: Document) -> dict[str, str]:
    """Variables with their values; empty where the value comes from elsewhere."""
    return {entry["name"]: entry.get("value", "") for entry in container.get("env", ())}


def selects(selector: Document, labels: dict[str, str]) -> bool:
    """Whether a selector means pods with these labels."""
    wanted: dict[str, str] = selector.get("matchLabels", {})
    assert set(selector) <= {"matchLabels"}, "a kind of selector that is not understood here"
    return wanted.items() <= labels.items()
