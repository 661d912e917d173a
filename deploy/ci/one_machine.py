"""Runs the overlay `local` by podman: `up`, `down`; `make local-up` and `make local-down`.

The manifests are the overlay's own. podman knows no Jobs, so that the steps of a release become
pods that run once; it has no order either, so that first the servers come, then the steps.
"""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
RENDERED: Final = ROOT / ".local/k8s"
SERVERS: Final = {"nats": 14222, "postgres": 15432}
URL: Final = "http://127.0.0.1:18080"
PATIENCE_SECONDS: Final = 120

Document = dict[str, Any]


class OneMachineError(Exception):
    """One sentence: what did not work, and what was said about it."""


def render() -> list[Document]:
    """The overlay's documents."""
    python = ROOT / ".local/tools/k8s/bin/python"
    script = ROOT / "deploy/check/manifests.py"
    subprocess.run([python, script, "render", RENDERED], check=True)
    documents: list[Document] = json.loads((RENDERED / "local.json").read_text())
    return documents


def as_pod(job: Document) -> Document:
    """A Job's pod, to be run once."""
    template = job["spec"]["template"]
    metadata = {"name": job["metadata"]["name"], "labels": template["metadata"]["labels"]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}


class Parts(NamedTuple):
    """The overlay in the order in which it is started."""

    servers: list[Document]
    steps: list[Document]
    services: list[Document]


def parts(documents: list[Document]) -> Parts:
    """The documents that podman has a use for."""
    config = [d for d in documents if d["kind"] in ("ConfigMap", "PersistentVolumeClaim")]
    deployments = [d for d in documents if d["kind"] == "Deployment"]
    servers = [d for d in deployments if d["metadata"]["name"] in SERVERS]
    services = [d for d in deployments if d["metadata"]["name"] not in SERVERS]
    return Parts(
        [*config, *servers], [as_pod(d) for d in documents if d["kind"] == "Job"], services
    )


def podman(*arguments: str, seconds: int = 300) -> str:
    """What podman says. Raises OneMachineError."""
    try:
        done = subprocess.run(
            ["podman", *arguments], capture_output=True, text=True, check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        raise OneMachineError(f"podman {arguments[0]} took more than {seconds} s") from error
    if done.returncode:
        raise OneMachineError(f"podman {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def write(name: str, documents: list[Document]) -> str:
    """A file for podman; JSON is YAML."""
    file = RENDERED / f"{name}.podman.yaml"
    file.write_text("\n---\n".join(json.dumps(document) for document in documents))
    return str(file)


def wait_for(name: str, port: int) -> None:
    """Wait until a server can be connected to. Raises OneMachineError."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError as error:
            if time.monotonic() > until:
                raise OneMachineError(f"{name} does not listen on {port}") from error
            time.sleep(0.1)
        else:
            return


def up(more: Mapping[str, Mapping[str, str]] | None = None) -> None:
    """Start everything; the services may need some seconds more. Raises OneMachineError.

    `more` adds variables to the environment of services, by their names.
    """
    wanted = parts(render())
    for service in wanted.services:
        (container,) = service["spec"]["template"]["spec"]["containers"]
        for name, value in (more or {}).get(service["metadata"]["name"], {}).items():
            container["env"].append({"name": name, "value": value})
    # Of what is stored the volumes may be there already, which podman would refuse.
    there = volumes()
    servers = [d for d in wanted.servers if d["metadata"]["name"] not in there]
    podman("kube", "play", write("servers", servers))
    for name, port in SERVERS.items():
        wait_for(name, port)
    podman("kube", "play", write("steps", wanted.steps))
    for step in wanted.steps:
        container = f"{step['metadata']['name']}-step"
        if podman("wait", container, seconds=PATIENCE_SECONDS).strip() != "0":
            raise OneMachineError(f"{container} failed; podman logs {container} says why")
    podman("kube", "down", write("steps", wanted.steps))
    podman("kube", "play", write("services", wanted.services))


def down() -> None:
    """Stop everything; what was played stays in volumes."""
    documents = [d for part in reversed(parts(render())) for d in part]
    # Later versions of podman leave the number out.
    pods = [
        pod
        for name in sorted(names(documents, "Deployment", "Pod"))
        for pod in (name, f"{name}-pod", f"{name}-pod-0")
    ]
    podman("pod", "rm", "--force", "--ignore", *pods)
    for volume in sorted(volumes() & names(documents, "ConfigMap")):
        podman("volume", "rm", volume)


def names(documents: list[Document], *kinds: str) -> set[str]:
    """Names of the documents of some kinds."""
    return {d["metadata"]["name"] for d in documents if d["kind"] in kinds}


def volumes() -> set[str]:
    """Names of the volumes that there are."""
    return set(podman("volume", "ls", "--quiet").split())


def container_of(service: str) -> str:
    """The container of a service that runs. Raises OneMachineError."""
    for name in podman("ps", "--format", "{{.Names}}").split():
        if name.startswith(f"{service}-pod") and not name.endswith("-infra"):
            return name
    raise OneMachineError(f"{service} does not run")


def restart(service: str) -> None:
    """End a service's pod and start it again. Raises OneMachineError."""
    for name in podman("pod", "ps", "--format", "{{.Name}}").split():
        if name.startswith(f"{service}-pod"):
            podman("pod", "stop", name)
            podman("pod", "start", name)


def main(arguments: list[str]) -> int:
    """Run a command; the exit status."""
    commands: dict[str, Callable[[], None]] = {"up": up, "down": down}
    if len(arguments) != 1 or arguments[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        commands[arguments[0]]()
    except OneMachineError as error:
        print(f"one machine: {error}", file=sys.stderr)
        return 1
    print(f"{URL} in some seconds" if arguments[0] == "up" else "stopped; volumes are kept")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
