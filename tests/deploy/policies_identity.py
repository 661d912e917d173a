"""Certificates between services: each has its own, shows it, and is asked by whom it has to be."""

from collections.abc import Iterator

from laelo_common.tls import CALLERS
from laelo_common.tls.callers import OPERATOR

from .manifests import OPTIONAL, SERVICES, Document, Pods, of_kind, pods, variables
from .policies_network import allowed

ISSUER = {"kind": "Issuer", "name": "services"}
FILES = {"tls.crt", "tls.key", "ca.crt"}
GRPC = 7000
USAGES = ["digital signature", "server auth", "client auth"]


def secret_of(service: str) -> str:
    """Where a service's certificate is."""
    return f"{service}-identity"


def made_by_cert_manager(documents: list[Document]) -> dict[str, set[str]]:
    """Secrets with certificates, and their keys."""
    found = of_kind(documents, "Certificate")
    return {one["spec"]["secretName"]: FILES for one in found}


def _services(documents: list[Document]) -> Iterator[Pods]:
    return (pod for pod in pods(documents) if pod.name in (*SERVICES, *OPTIONAL))


def _identities(documents: list[Document]) -> list[Document]:
    certificates = [one["spec"] for one in of_kind(documents, "Certificate")]
    return [spec for spec in certificates if spec["issuerRef"] == ISSUER]


def each_service_has_its_certificate(documents: list[Document]) -> Iterator[str]:
    specs = _identities(documents)
    for pod in _services(documents):
        mine = [spec for spec in specs if spec.get("dnsNames") == [pod.name]]
        if len(mine) != 1:
            yield f"{pod.name} has {len(mine)} certificates"
            continue
        if mine[0]["secretName"] != secret_of(pod.name):
            yield f"{pod.name}: its certificate is in {mine[0]['secretName']}"
        if mine[0].get("usages") != USAGES:
            yield f"{pod.name}: its certificate is not good for both sides"
        if (mine[0].get("duration"), mine[0].get("renewBefore")) != ("2160h", "720h"):
            yield f"{pod.name}: its certificate is not renewed as certificates.md says"
        if mine[0].get("privateKey", {}).get("rotationPolicy") != "Always":
            yield f"{pod.name} keeps its key when its certificate is renewed"


def nobody_else_is_certified(documents: list[Document]) -> Iterator[str]:
    names = {OPERATOR, *(pod.name for pod in _services(documents))}
    for spec in _identities(documents):
        others = {"ipAddresses", "uris", "emailAddresses", "commonName", "isCA"} & spec.keys()
        if len(spec.get("dnsNames", ())) != 1 or not names.issuperset(spec["dnsNames"]) or others:
            yield f"{spec['secretName']} is a certificate of more than one service"


def each_service_shows_its_certificate(documents: list[Document]) -> Iterator[str]:
    for pod in _services(documents):
        (container,) = pod.containers
        folder = variables(container).get(f"LAELO_{pod.name.upper()}_TLS_FOLDER")
        if not folder:
            yield f"{pod.name} talks in the clear"
        mounts = [m for m in container.get("volumeMounts", ()) if m["mountPath"] == folder]
        if len(mounts) != 1 or not mounts[0].get("readOnly") or "subPath" in mounts[0]:
            yield f"{pod.name} has no certificate that is renewed where it looks for one"
            continue
        volumes = [v for v in pod.spec.get("volumes", ()) if v["name"] == mounts[0]["name"]]
        if [v.get("secret") for v in volumes] != [{"secretName": secret_of(pod.name)}]:
            yield f"{pod.name} shows a certificate that is not its own"


def the_authority_is_of_this_namespace(documents: list[Document]) -> Iterator[str]:
    issuers = {one["metadata"]["name"]: one["spec"] for one in of_kind(documents, "Issuer")}
    secret = issuers.get(ISSUER["name"], {}).get("ca", {}).get("secretName")
    mine = [
        spec
        for spec in (one["spec"] for one in of_kind(documents, "Certificate"))
        if spec["secretName"] == secret and spec.get("isCA")
    ]
    if len(mine) != 1 or "selfSigned" not in issuers.get(mine[0]["issuerRef"]["name"], {}):
        yield "nobody here is the authority of the services' certificates"
    elif mine[0].get("privateKey", {}).get("rotationPolicy") != "Never":
        yield "a new key of the authority would set services against each other"
    for pod in pods(documents):
        for volume in pod.spec.get("volumes", ()):
            if volume.get("secret", {}).get("secretName") == secret:
                yield f"{pod.name} could certify anybody"


def callers_are_those_that_policies_let_in(documents: list[Document]) -> Iterator[str]:
    """What the services know of each other is what the network's policies know."""
    there = {pod.name for pod in _services(documents)}
    let_in = {
        (edge.source, edge.target)
        for edge in allowed(documents, "ingress")
        if edge.port == GRPC and {edge.source, edge.target} <= there
    }
    listed = {(who, service) for service, callers in CALLERS.items() for who in callers}
    for source, target in sorted(let_in - listed):
        yield f"{target} lets {source} in, which may ask nothing of it"
    for source, target in sorted(listed - let_in):
        if {source, target} <= there:
            yield f"{source} may ask {target}, which does not let it in"
