"""Who may talk to whom: exactly who has to, as the services' own settings say."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .manifests import NAME, OPTIONAL, SERVICES, Document, named, of_kind, pods, selects, variables

_ADDRESS = re.compile(r"(?:dns:|@|^)([a-z][a-z0-9.-]*):(\d+)")
POSTGRES = {"cnpg.io/cluster": "postgres"}
OUTSIDE = {
    ("laelo/edge", "gateway", 8080),
    ("laelo/edge", "console", 8090),
    ("cnpg-system", "postgres", 5432),
    ("cnpg-system", "postgres", 8000),
    ("keda", "nats", 8222),
    ("laelo/monitoring", "postgres", 9187),
    *(("laelo/monitoring", name, 9090) for name in (*SERVICES, *OPTIONAL)),
    ("laelo/monitoring", "nats", 7777),
}
"""Who comes from elsewhere in the cluster, and where to."""
PAGES = ("gateway", "console")
"""Where people sign in, with an issuer that is elsewhere."""


class Edge(NamedTuple):
    """Somebody may open connections to somebody else's port."""

    source: str
    target: str
    port: int


def parties(documents: list[Document]) -> dict[str, dict[str, str]]:
    """All pods of the house, by the name of their workload: their labels."""
    found = {pod.name: pod.labels for pod in pods(documents)}
    if of_kind(documents, "Cluster"):
        found["postgres"] = POSTGRES
    return found


def needed(documents: list[Document]) -> set[Edge]:
    """The edges that the addresses in the settings ask for, and those of servers among them."""
    edges = {Edge("nats", "nats", 6222)}
    edges |= {Edge("postgres", "postgres", port) for port in (5432, 8000)}
    for pod in pods(documents):
        for container in pod.containers:
            for value in variables(container).values():
                for host, port in _ADDRESS.findall(value.replace(",", ",@").replace("/", "@")):
                    target = host.split(".")[-1].removesuffix("-rw")
                    edges.add(Edge(pod.name, target, int(port)))
    return {edge for edge in edges if edge.target in (*SERVICES, "nats", "postgres")}


def _policies(documents: list[Document]) -> list[Document]:
    return [policy["spec"] for policy in of_kind(documents, "NetworkPolicy")]


def _peers(documents: list[Document], peers: list[Document]) -> Iterator[str]:
    """Names of the parties of a rule; of namespaces, the label that chooses them."""
    for peer in peers:
        if "namespaceSelector" in peer:
            ((label, value),) = peer["namespaceSelector"]["matchLabels"].items()
            yield value if label == "kubernetes.io/metadata.name" else label
        elif "ipBlock" in peer:
            yield peer["ipBlock"]["cidr"]
        else:
            for name, labels in parties(documents).items():
                if selects(peer["podSelector"], labels):
                    yield name


def allowed(documents: list[Document], direction: str) -> set[Edge]:
    """The edges that one side allows: `ingress` or `egress`."""
    side: dict[str, Any] = {"ingress": "from", "egress": "to"}
    edges = set()
    for policy in _policies(documents):
        mine = [
            n for n, labels in parties(documents).items() if selects(policy["podSelector"], labels)
        ]
        for rule in policy.get(direction, ()):
            others = list(_peers(documents, rule.get(side[direction], []))) or ["anywhere"]
            for one in mine:
                for other in others:
                    pair = (other, one) if direction == "ingress" else (one, other)
                    edges |= {
                        Edge(*pair, port["port"]) for port in rule.get("ports", [{"port": 0}])
                    }
    return edges


def denies_everything_first(documents: list[Document]) -> Iterator[str]:
    wanted = {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    if wanted not in _policies(documents):
        yield "what no policy names is allowed"


def allows_what_is_needed_and_no_more(documents: list[Document]) -> Iterator[str]:
    inside = set(parties(documents))
    wanted = needed(documents)
    goes_in = allowed(documents, "ingress")
    goes_out = {edge for edge in allowed(documents, "egress") if edge.target in inside}
    for edge in sorted(wanted - goes_in):
        yield f"{edge.target} refuses {edge.source} on {edge.port}"
    for edge in sorted(wanted - goes_out):
        yield f"{edge.source} may not call {edge.target} on {edge.port}"
    for edge in sorted({e for e in goes_in if e.source in inside} - wanted):
        yield f"{edge.target} lets {edge.source} in on {edge.port} for nothing"
    for edge in sorted(goes_out - wanted):
        yield f"{edge.source} may call {edge.target} on {edge.port} for nothing"


def lets_nobody_in_from_elsewhere(documents: list[Document]) -> Iterator[str]:
    inside = set(parties(documents))
    for edge in sorted(allowed(documents, "ingress")):
        if edge.source not in inside and edge not in OUTSIDE:
            yield f"{edge.target} lets {edge.source} in on {edge.port}"


def lets_nobody_out_but_the_gateway_and_backups(documents: list[Document]) -> Iterator[str]:
    known = {("kube-system", 53), ("laelo/monitoring", 4317)}
    inside = set(parties(documents))
    for edge in sorted(allowed(documents, "egress")):
        if edge.target in inside or (edge.target, edge.port) in known:
            continue
        if edge.source in PAGES and edge[1:] == ("0.0.0.0/0", 443):
            continue
        if edge.source == "postgres" and edge[1:] in (("anywhere", 443), ("anywhere", 6443)):
            continue
        yield f"{edge.source} may reach {edge.target} on {edge.port}"
    private = {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"}
    for policy in _policies(documents):
        for rule in policy.get("egress", ()):
            blocks = [peer["ipBlock"] for peer in rule.get("to", ()) if "ipBlock" in peer]
            if any(not private <= set(block.get("except", ())) for block in blocks):
                yield "private addresses may be reached by the way to the issuer"


def leads_where_somebody_listens(documents: list[Document]) -> Iterator[str]:
    """Every address in the settings is a port of a Service whose pods have it."""
    services = {service["metadata"]["name"]: service for service in of_kind(documents, "Service")}
    listening = {
        pod.labels.get(NAME): {
            port["name"]: port["containerPort"] for c in pod.containers for port in c["ports"]
        }
        for pod in pods(documents, "Deployment", "StatefulSet")
    }
    for edge in sorted(needed(documents)):
        if edge.target == "postgres":
            continue  # its services are made by the operator
        ports = services[edge.target]["spec"]["ports"] if edge.target in services else []
        names = {port["targetPort"] for port in ports if port["port"] == edge.port}
        reached = {listening[edge.target].get(name) for name in names} if names else set()
        if reached != {edge.port}:
            yield f"{edge.source} calls {edge.target} on {edge.port}, where nobody listens"


def keeps_sockets_open(documents: list[Document]) -> Iterator[str]:
    rules = named(documents, "HTTPRoute", "site")["spec"]["rules"]
    sockets = [r for r in rules if r["matches"] == [{"path": {"type": "Exact", "value": "/ws"}}]]
    if len(sockets) != 1:
        yield "/ws has no route of its own"
        return
    if sockets[0].get("timeouts") != {"request": "0s", "backendRequest": "0s"}:
        yield "a match may be cut off by a time limit of the proxy"
    (backend,) = sockets[0]["backendRefs"]
    ports = named(documents, "Service", "gateway")["spec"]["ports"]
    speaks = {port["port"]: port.get("appProtocol") for port in ports}
    if speaks.get(backend["port"]) != "kubernetes.io/ws":
        yield "the proxy is not told that the gateway speaks WebSocket"
