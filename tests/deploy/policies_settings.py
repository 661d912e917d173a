"""Settings, secrets and alerts: every name in the manifests is one that the code knows."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

from laelo_archive.settings import ArchiveSettings
from laelo_bots.settings import BotsSettings
from laelo_common.log.prepare import DeploySettings
from laelo_common.settings import ServiceSettings
from laelo_common.settings import variables as settings_of
from laelo_gateway.console.settings import ConsoleSettings
from laelo_gateway.settings import GatewaySettings
from laelo_matchmaking.settings import MatchmakingSettings
from laelo_table.settings import TableSettings
from laelo_tournament.settings import TournamentSettings

from tests.metrics_page import documented, series_of

from .log_users import ACCOUNTS
from .manifests import ROOT, Document, named, of_kind, pods, variables
from .policies_identity import made_by_cert_manager, secret_of

KINDS: dict[str, Any] = {
    "rules": ServiceSettings,
    "bots": BotsSettings,
    "table": TableSettings,
    "matchmaking": MatchmakingSettings,
    "tournament": TournamentSettings,
    "archive": ArchiveSettings,
    "gateway": GatewaySettings,
    "console": ConsoleSettings,
    "deploy": DeploySettings,
}
TRACED = {
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector.monitoring:4317",
    "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
    "OTEL_TRACES_SAMPLER_ARG": "0.01",
}
TRACES = TRACED.keys()
OTHERS = {"NATS_PASSWORD", "PG_PASSWORD", "SSL_CERT_FILE", "POD_NAME", "GOMEMLIMIT"} | TRACES
OUTSIDE_THE_LOG = ("rules", "bots", "gateway", "console")
MADE_BY_OPERATORS = {"nats-tls": {"ca.crt", "tls.crt", "tls.key"}, "postgres-ca": {"ca.crt"}}
_LITERAL = re.compile(r"://[^\s:@/]+:(?!\$\()[^\s@/]+@")
_SERIES = re.compile(r"\blaelo_\w+")


@cache
def known_variables() -> dict[str, bool]:
    """Names of all settings, and whether they have to be set."""
    found = [v for service, kind in KINDS.items() for v in settings_of(kind, service)]
    return {variable.name: variable.default == "(required)" for variable in found}


def unknown_variables(service: str, given: dict[str, str]) -> Iterator[str]:
    """What a service would not start with: names it does not know, and those that it lacks."""
    known = known_variables()
    for name in given.keys() - known.keys() - OTHERS:
        yield f"{service}: {name} is no setting"
    for name in known:
        if name.startswith(f"LAELO_{service.upper()}_") and known[name] and name not in given:
            yield f"{service} would not start without {name}"


def sets_what_the_code_knows(documents: list[Document]) -> Iterator[str]:
    for pod in pods(documents):
        if pod.name == "nats":
            continue
        service = "deploy" if pod.name == "prepare-log" else pod.name
        if pod.name.startswith("migrate-"):
            service = pod.name.removeprefix("migrate-")
        (container,) = pod.containers
        given = variables(container)
        found = unknown_variables(service, given)
        # A migration needs to know of its database alone.
        yield from (f for f in found if not pod.name.startswith("migrate-") or "is no" in f)
        if pod.name.startswith("migrate-") and f"LAELO_{service.upper()}_PG_DSN" not in given:
            yield f"{pod.name} does not know its database"


def runs_what_there_is(documents: list[Document]) -> Iterator[str]:
    for pod in pods(documents):
        for container in pod.containers:
            if container["name"] in ("service", "step"):
                (module,) = container["args"]
                if find_spec(module) is None:
                    yield f"{pod.name}: there is no module {module}"


def is_as_strict_as_production(documents: list[Document]) -> Iterator[str]:
    loose = ("_LOCAL", "_CLOCK_SCALE", "_REFLECTION", "_ORIGINS", "_ISSUER")
    for pod in pods(documents):
        for container in pod.containers:
            for name, value in variables(container).items():
                if name.endswith(loose):
                    yield f"{pod.name}: {name} is for one machine"
                if name.endswith("_PG_DSN") and "sslmode=verify-full" not in value:
                    yield f"{pod.name}: anybody may say to be PostgreSQL"


def holds_no_secret(documents: list[Document]) -> Iterator[str]:
    for secret in of_kind(documents, "Secret"):
        yield f"Secret {secret['metadata']['name']} stands in the manifests"
    for pod in pods(documents):
        for container in pod.containers:
            for name, value in variables(container).items():
                is_one = name.endswith(("PASSWORD", "SECRET", "TOKEN"))
                if (value and is_one) or _LITERAL.search(value):
                    yield f"{pod.name}: {name} has its secret in the manifest"


def finds_its_secrets(documents: list[Document]) -> Iterator[str]:
    """Every secret that is used is fetched from the store or made by an operator."""
    there: dict[str, set[str]] = {name: set(keys) for name, keys in MADE_BY_OPERATORS.items()}
    there |= made_by_cert_manager(documents)
    for external in of_kind(documents, "ExternalSecret"):
        spec = external["spec"]
        keys = {entry["secretKey"] for entry in spec["data"]}
        there[spec["target"]["name"]] = keys | set(
            spec["target"].get("template", {}).get("data", ())
        )
    for name, key in _used(documents):
        if key not in there.get(name, set()):
            yield f"nobody makes {key} of the secret {name}"


def _used(documents: list[Document]) -> Iterator[tuple[str, str]]:
    for pod in pods(documents):
        for container in pod.containers:
            yield from _used_by(container)
        for volume in pod.spec.get("volumes", ()):
            if secret := volume.get("secret"):
                for item in secret.get("items", ({"key": "tls.key"},)):
                    yield secret["secretName"], item["key"]
    for cluster in of_kind(documents, "Cluster"):
        for role in cluster["spec"]["managed"]["roles"]:
            yield role["passwordSecret"]["name"], "username"


def _used_by(container: Document) -> Iterator[tuple[str, str]]:
    for entry in container.get("env", ()):
        if reference := entry.get("valueFrom", {}).get("secretKeyRef"):
            yield reference["name"], reference["key"]
    for source in container.get("envFrom", ()):
        for name in re.findall(r"\$(NATS_\w+)", ACCOUNTS.read_text()):
            yield source["secretRef"]["name"], name


def keeps_authorities_to_themselves(documents: list[Document]) -> Iterator[str]:
    """Whoever only has to trust an authority does not get a key as well."""
    for pod in pods(documents):
        for volume in pod.spec.get("volumes", ()):
            keys = {item["key"] for item in volume.get("secret", {}).get("items", ())}
            own = volume.get("secret", {}).get("secretName") == secret_of(pod.name)
            if "secret" in volume and pod.name != "nats" and keys != {"ca.crt"} and not own:
                yield f"{pod.name} gets keys with {volume['secret']['secretName']}"


def has_one_user_of_the_log_each(documents: list[Document]) -> Iterator[str]:
    for pod in pods(documents):
        users = {"prepare-log": "deploy"}
        for container in pod.containers:
            for name, value in variables(container).items():
                wanted = f"nats://{users.get(pod.name, pod.name)}:"
                servers = value.split(",")
                if name.endswith("_NATS_URL") and not all(s.startswith(wanted) for s in servers):
                    yield f"{pod.name} comes to the log as somebody else"
            if "NATS_PASSWORD" in variables(container) and pod.name in OUTSIDE_THE_LOG:
                yield f"{pod.name} has no business with the log"


def alerts_on_what_is_measured(documents: list[Document]) -> Iterator[str]:
    measured = set().union(*(series_of(name, one) for name, one in documented().items()))
    groups = named(documents, "PrometheusRule", "laelo")["spec"]["groups"]
    for rule in (rule for group in groups for rule in group["rules"]):
        for series in set(_SERIES.findall(rule["expr"])) - measured:
            yield f"{rule['alert']}: nothing measures {series}"
        page = ROOT / rule["annotations"]["runbook"]
        if not page.is_file() or rule["alert"] not in page.read_text(encoding="utf-8"):
            yield f"{rule['alert']}: no page says what to do"
        if rule["labels"]["severity"] not in ("page", "ticket"):
            yield f"{rule['alert']}: nobody knows whom to wake"


def decides_once_what_is_traced(documents: list[Document]) -> Iterator[str]:
    """Traces begin in several services: all take the same share of them, and to one place."""
    for pod in pods(documents, "Deployment"):
        given = variables(pod.containers[0])
        if {name: given.get(name) for name in TRACES} != TRACED:
            yield f"{pod.name} has traces of its own"


def is_measured(documents: list[Document]) -> Iterator[str]:
    monitors = of_kind(documents, "ServiceMonitor")
    for service in of_kind(documents, "Service"):
        ports = {port["name"] for port in service["spec"]["ports"]}
        labels = service["metadata"].get("labels", {})
        seen = any(
            monitor["spec"]["selector"]["matchLabels"].items() <= labels.items()
            and {endpoint["port"] for endpoint in monitor["spec"]["endpoints"]} <= ports
            for monitor in monitors
        )
        if not seen and service["metadata"]["name"] != "nats":
            yield f"nobody measures {service['metadata']['name']}"
