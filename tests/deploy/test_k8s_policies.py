"""The rendered overlays keep every policy, and each policy finds a manifest that breaks it."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from . import policies_identity as identity
from . import policies_network as network
from . import policies_pods as pod
from . import policies_settings as settings
from .manifests import RENDERED, ROOT, Document, named, of_kind, overlay

pytestmark = pytest.mark.k8s

Policy = Callable[[list[Document]], Iterator[str]]
Break = Callable[[list[Document]], Any]


def spec(documents: list[Document], name: str, kind: str = "Deployment") -> Any:
    return named(documents, kind, name)["spec"]["template"]["spec"]


def container(documents: list[Document], name: str, kind: str = "Deployment") -> Any:
    return spec(documents, name, kind)["containers"][0]


def variable(documents: list[Document], name: str, entry: str) -> Any:
    (found,) = (e for e in container(documents, name)["env"] if e["name"] == entry)
    return found


def drop(documents: list[Document], kind: str, name: str) -> None:
    documents.remove(named(documents, kind, name))


def rule_of(documents: list[Document], name: str, direction: str = "ingress") -> Any:
    return named(documents, "NetworkPolicy", name)["spec"][direction]


def peer(name: str) -> Document:
    return {"podSelector": {"matchLabels": {"app.kubernetes.io/name": name}}}


def certificate(documents: list[Document], name: str) -> Any:
    return named(documents, "Certificate", name)["spec"]


def identity_mount(documents: list[Document], name: str) -> Any:
    mounts = container(documents, name)["volumeMounts"]
    (found,) = (mount for mount in mounts if mount["name"] == "identity")
    return found


def postgres_volume(documents: list[Document], name: str) -> Any:
    (found,) = (v["secret"] for v in spec(documents, name)["volumes"] if v["name"] == "postgres-ca")
    return found


def identity_volume(documents: list[Document], name: str) -> Any:
    (found,) = (v["secret"] for v in spec(documents, name)["volumes"] if v["name"] == "identity")
    return found


def config(documents: list[Document]) -> Any:
    (found,) = (m["data"] for m in of_kind(documents, "ConfigMap") if "nats.conf" in m["data"])
    return found


def replace(holder: Any, key: str, old: str, new: str) -> None:
    assert old in holder[key]
    holder[key] = holder[key].replace(old, new)


# Each policy with ways to break it.
POLICIES: list[tuple[Policy, list[Break]]] = [
    (pod.all_services_are_there, [lambda d: drop(d, "Deployment", "bots")]),
    (
        pod.survives_a_drained_node,
        [
            lambda d: drop(d, "PodDisruptionBudget", "table"),
            lambda d: drop(d, "PodDisruptionBudget", "nats"),
            lambda d: named(d, "PodDisruptionBudget", "table")["spec"].update(maxUnavailable=2),
        ],
    ),
    (
        pod.there_are_two_of_each,
        [
            lambda d: named(d, "Deployment", "archive")["spec"].update(replicas=1),
            lambda d: drop(d, "HorizontalPodAutoscaler", "rules"),
            lambda d: named(d, "ScaledObject", "table")["spec"].update(minReplicaCount=1),
            lambda d: named(d, "Deployment", "table")["spec"].update(replicas=3),
            lambda d: drop(d, "Deployment", "rules"),
        ],
    ),
    (
        pod.goes_down_one_at_a_time,
        [
            lambda d: named(d, "HorizontalPodAutoscaler", "gateway")["spec"].pop("behavior"),
            lambda d: named(d, "ScaledObject", "table")["spec"].pop("advanced"),
        ],
    ),
    (
        pod.is_spread,
        [
            lambda d: spec(d, "table").pop("topologySpreadConstraints"),
            lambda d: spec(d, "table")["topologySpreadConstraints"][0]["labelSelector"].update(
                matchLabels={"app.kubernetes.io/part-of": "other"}
            ),
        ],
    ),
    (
        pod.has_bounds,
        [
            lambda d: container(d, "rules")["resources"].pop("limits"),
            lambda d: container(d, "migrate-archive", "Job").pop("resources"),
        ],
    ),
    (
        pod.is_restricted,
        [
            lambda d: spec(d, "table").pop("securityContext"),
            lambda d: spec(d, "table")["securityContext"].update(runAsUser=0),
            lambda d: spec(d, "table").update(hostNetwork=True),
            lambda d: container(d, "gateway")["securityContext"].update(
                readOnlyRootFilesystem=False
            ),
            lambda d: container(d, "nats", "StatefulSet").pop("securityContext"),
            lambda d: spec(d, "rules").update(
                volumes=[{"name": "node", "hostPath": {"path": "/"}}]
            ),
            lambda d: spec(d, "rules").update(initContainers=[{"name": "first"}]),
        ],
    ),
    (
        pod.has_no_right_on_the_cluster,
        [
            lambda d: spec(d, "bots").update(automountServiceAccountToken=True),
            lambda d: spec(d, "bots").pop("serviceAccountName"),
            lambda d: d.append({"kind": "RoleBinding", "metadata": {"name": "all"}}),
        ],
    ),
    (
        pod.gets_no_variables_of_the_cluster,
        [lambda d: spec(d, "gateway").pop("enableServiceLinks")],
    ),
    (
        pod.says_how_it_is,
        [
            lambda d: container(d, "gateway").pop("readinessProbe"),
            lambda d: container(d, "rules").pop("startupProbe"),
            lambda d: container(d, "table")["readinessProbe"].update(httpGet={"path": "/livez"}),
            lambda d: container(d, "table")["livenessProbe"].update(httpGet={"path": "/readyz"}),
        ],
    ),
    (
        pod.ends_in_time,
        [
            lambda d: container(d, "gateway").pop("lifecycle"),
            lambda d: spec(d, "gateway").update(terminationGracePeriodSeconds=12),
        ],
    ),
    (
        pod.is_replaced_without_a_gap,
        [lambda d: named(d, "Deployment", "table")["spec"].pop("strategy")],
    ),
    (
        pod.keeps_the_log_three_times,
        [
            lambda d: named(d, "StatefulSet", "nats")["spec"].update(replicas=1),
            lambda d: spec(d, "nats", "StatefulSet").pop("affinity"),
            lambda d: named(d, "StatefulSet", "nats")["spec"].pop("volumeClaimTemplates"),
            lambda d: named(d, "StatefulSet", "nats")["spec"].update(
                persistentVolumeClaimRetentionPolicy={"whenDeleted": "Delete"}
            ),
            lambda d: replace(config(d), "nats.conf", "sync_interval: always", ""),
            lambda d: replace(config(d), "nats.conf", "verify: true", ""),
            lambda d: container(d, "prepare-log", "Job")["env"].clear(),
        ],
    ),
    (
        network.denies_everything_first,
        [lambda d: drop(d, "NetworkPolicy", "deny-everything")],
    ),
    (
        network.allows_what_is_needed_and_no_more,
        [
            lambda d: drop(d, "NetworkPolicy", "rules"),
            lambda d: rule_of(d, "table", "egress").pop(),
            lambda d: rule_of(d, "nats")[0]["from"].append(peer("gateway")),
            lambda d: rule_of(d, "gateway", "egress")[0]["to"].append(peer("rules")),
            lambda d: variable(d, "table", "LAELO_TABLE_BOTS_ADDRESSES").update(
                value="dns:archive:7000"
            ),
            lambda d: rule_of(d, "archive")[0].pop("ports"),
            lambda d: rule_of(d, "bots")[0].update({"from": [{"podSelector": {}}]}),
        ],
    ),
    (
        network.lets_nobody_in_from_elsewhere,
        [
            lambda d: rule_of(d, "table").append({"ports": [{"port": 7000}]}),
            lambda d: rule_of(d, "gateway")[0]["ports"].append({"port": 9090}),
        ],
    ),
    (
        network.lets_nobody_out_but_the_gateway_and_backups,
        [
            lambda d: rule_of(d, "table", "egress").append({"ports": [{"port": 443}]}),
            lambda d: rule_of(d, "gateway", "egress")[-1]["to"][0]["ipBlock"].pop("except"),
        ],
    ),
    (
        network.leads_where_somebody_listens,
        [
            lambda d: variable(d, "matchmaking", "LAELO_MATCHMAKING_TOURNAMENT_ADDRESSES").update(
                value="dns:tournament:7001"
            ),
            lambda d: container(d, "rules")["ports"][0].update(containerPort=7001),
            lambda d: drop(d, "Service", "bots"),
        ],
    ),
    (
        network.keeps_sockets_open,
        [
            lambda d: named(d, "HTTPRoute", "site")["spec"]["rules"][0].pop("timeouts"),
            lambda d: named(d, "HTTPRoute", "site")["spec"]["rules"].pop(0),
            lambda d: named(d, "Service", "gateway")["spec"]["ports"][1].pop("appProtocol"),
        ],
    ),
    (
        settings.sets_what_the_code_knows,
        [
            lambda d: variable(d, "table", "LAELO_TABLE_BOTS_ADDRESSES").update(
                name="LAELO_TABLE_BOT_ADDRESSES"
            ),
            lambda d: container(d, "archive")["env"].pop(),
            lambda d: container(d, "prepare-log", "Job")["env"].clear(),
            lambda d: container(d, "migrate-gateway", "Job")["env"].pop(),
        ],
    ),
    (
        settings.runs_what_there_is,
        [lambda d: container(d, "bots").update(args=["laelo_bots.nothing"])],
    ),
    (
        settings.is_as_strict_as_production,
        [
            lambda d: container(d, "table")["env"].append(
                {"name": "LAELO_TABLE_LOCAL", "value": "true"}
            ),
            lambda d: replace(
                variable(d, "archive", "LAELO_ARCHIVE_PG_DSN"), "value", "verify-full", "prefer"
            ),
        ],
    ),
    (
        settings.holds_no_secret,
        [
            lambda d: d.append({"kind": "Secret", "metadata": {"name": "mine"}}),
            lambda d: replace(
                variable(d, "table", "LAELO_TABLE_NATS_URL"), "value", "$(NATS_PASSWORD)", "x"
            ),
            lambda d: container(d, "table")["env"].append({"name": "PG_PASSWORD", "value": "x"}),
        ],
    ),
    (
        settings.finds_its_secrets,
        [
            lambda d: drop(d, "ExternalSecret", "nats-archive"),
            lambda d: named(d, "ExternalSecret", "nats-server")["spec"]["data"].pop(),
            lambda d: named(d, "ExternalSecret", "postgres-gateway")["spec"]["target"].pop(
                "template"
            ),
        ],
    ),
    (
        settings.keeps_authorities_to_themselves,
        [
            lambda d: postgres_volume(d, "gateway").pop("items"),
            lambda d: identity_volume(d, "bots").update(secretName="operator-identity"),
        ],
    ),
    (
        settings.has_one_user_of_the_log_each,
        [
            lambda d: replace(
                variable(d, "archive", "LAELO_ARCHIVE_NATS_URL"), "value", "//archive:", "//table:"
            ),
            lambda d: container(d, "bots").update(env=[{"name": "NATS_PASSWORD"}]),
        ],
    ),
    (
        settings.alerts_on_what_is_measured,
        [
            lambda d: replace(
                named(d, "PrometheusRule", "laelo")["spec"]["groups"][1]["rules"][4],
                "expr",
                "act_failures",
                "act_faults",
            ),
            lambda d: named(d, "PrometheusRule", "laelo")["spec"]["groups"][0]["rules"][0][
                "annotations"
            ].update(runbook="README.md#nowhere"),
        ],
    ),
    (
        settings.decides_once_what_is_traced,
        [
            lambda d: variable(d, "table", "OTEL_TRACES_SAMPLER_ARG").update(value="0.5"),
            lambda d: container(d, "rules").pop("env"),
        ],
    ),
    (
        settings.is_measured,
        [lambda d: named(d, "Service", "bots")["spec"]["ports"].pop()],
    ),
    (
        identity.each_service_has_its_certificate,
        [
            lambda d: drop(d, "Certificate", "table"),
            lambda d: certificate(d, "rules").update(dnsNames=["rules", "gateway"]),
            lambda d: certificate(d, "rules").update(secretName="gateway-identity"),
            lambda d: certificate(d, "bots")["usages"].remove("client auth"),
            lambda d: certificate(d, "bots").pop("renewBefore"),
            lambda d: certificate(d, "bots").pop("privateKey"),
            lambda d: certificate(d, "gateway").update(
                issuerRef={"kind": "ClusterIssuer", "name": "laelo-internal"}
            ),
        ],
    ),
    (
        identity.nobody_else_is_certified,
        [
            lambda d: certificate(d, "bots")["dnsNames"].append("*"),
            lambda d: certificate(d, "bots").update(dnsNames=["nobody"]),
            lambda d: certificate(d, "bots").update(isCA=True),
        ],
    ),
    (
        identity.each_service_shows_its_certificate,
        [
            lambda d: variable(d, "table", "LAELO_TABLE_TLS_FOLDER").update(value=""),
            lambda d: variable(d, "table", "LAELO_TABLE_TLS_FOLDER").update(value="/etc/other"),
            lambda d: container(d, "archive")["volumeMounts"].clear(),
            lambda d: identity_mount(d, "archive").pop("readOnly"),
            lambda d: identity_mount(d, "archive").update(subPath="tls.crt"),
            lambda d: identity_volume(d, "bots").update(secretName="gateway-identity"),
        ],
    ),
    (
        identity.the_authority_is_of_this_namespace,
        [
            lambda d: drop(d, "Issuer", "services"),
            lambda d: drop(d, "Issuer", "services-root"),
            lambda d: certificate(d, "services-authority").pop("isCA"),
            lambda d: certificate(d, "services-authority")["privateKey"].update(
                rotationPolicy="Always"
            ),
            lambda d: identity_volume(d, "bots").update(secretName="services-authority"),
        ],
    ),
    (
        identity.callers_are_those_that_policies_let_in,
        [
            lambda d: rule_of(d, "rules")[0]["from"].append(peer("gateway")),
            lambda d: rule_of(d, "bots")[0]["from"].pop(),
            lambda d: drop(d, "NetworkPolicy", "tournament"),
        ],
    ),
]
ONLY_IN_PRODUCTION: list[tuple[Policy, list[Break]]] = [
    (
        pod.is_chosen_by_digest,
        [
            lambda d: container(d, "table").update(image="registry.example.org/laelo:1.0"),
            lambda d: named(d, "Cluster", "postgres")["spec"].pop("imageName"),
        ],
    ),
]
# What is special to the console.
WITH_CONSOLE: list[tuple[Policy, list[Break]]] = [
    (
        network.allows_what_is_needed_and_no_more,
        [
            lambda d: drop(d, "NetworkPolicy", "table-from-console"),
            lambda d: drop(d, "NetworkPolicy", "postgres-from-console"),
            lambda d: rule_of(d, "console", "egress")[0]["to"].append(peer("matchmaking")),
            lambda d: rule_of(d, "console")[0]["from"].append(peer("gateway")),
        ],
    ),
    (
        network.lets_nobody_in_from_elsewhere,
        [lambda d: rule_of(d, "console")[0]["ports"].append({"port": 9090})],
    ),
    (
        network.lets_nobody_out_but_the_gateway_and_backups,
        [lambda d: rule_of(d, "console", "egress")[-1]["to"][0]["ipBlock"].pop("except")],
    ),
    (pod.is_restricted, [lambda d: spec(d, "console").pop("securityContext")]),
    (pod.survives_a_drained_node, [lambda d: drop(d, "PodDisruptionBudget", "console")]),
    (pod.ends_in_time, [lambda d: container(d, "console").pop("lifecycle")]),
    (pod.is_chosen_by_digest, [lambda d: container(d, "console").update(image="laelo")]),
    (settings.finds_its_secrets, [lambda d: drop(d, "ExternalSecret", "postgres-console")]),
    (
        identity.each_service_has_its_certificate,
        [lambda d: drop(d, "Certificate", "console-identity")],
    ),
    (
        identity.each_service_shows_its_certificate,
        [lambda d: identity_volume(d, "console").update(secretName="gateway-identity")],
    ),
    (
        identity.callers_are_those_that_policies_let_in,
        [lambda d: drop(d, "NetworkPolicy", "archive-from-console")],
    ),
    (
        settings.sets_what_the_code_knows,
        [lambda d: container(d, "console")["env"].append({"name": "LAELO_CONSOLE_ROLE"})],
    ),
    (
        settings.has_one_user_of_the_log_each,
        [lambda d: container(d, "console")["env"].append({"name": "NATS_PASSWORD"})],
    ),
]
# Of one machine less is asked: it has one of each, one network, and no secrets.
ON_ONE_MACHINE: list[Policy] = [
    pod.all_services_are_there,
    pod.has_bounds,
    pod.gets_no_variables_of_the_cluster,
    settings.sets_what_the_code_knows,
    settings.runs_what_there_is,
    settings.has_one_user_of_the_log_each,
]


def name_of(policy: object) -> str:
    return getattr(policy, "__name__", "")


@pytest.mark.parametrize("where", ["staging", "prod", "prod-console"])
@pytest.mark.parametrize("policy", [policy for policy, _ in POLICIES], ids=name_of)
def test_a_policy_is_kept(policy: Policy, where: str) -> None:
    assert list(policy(overlay(where))) == []


@pytest.mark.parametrize("policy", [policy for policy, _ in ONLY_IN_PRODUCTION], ids=name_of)
def test_a_policy_of_production_is_kept(policy: Policy) -> None:
    assert list(policy(overlay("prod"))) == []


@pytest.mark.parametrize("policy", ON_ONE_MACHINE, ids=name_of)
def test_a_policy_is_kept_on_one_machine(policy: Policy) -> None:
    assert list(policy(overlay("local"))) == []


@pytest.mark.parametrize(
    ("policy", "break_it"),
    [
        pytest.param(policy, break_it, id=f"{name_of(policy)}-{number}")
        for policy, breaks in (*POLICIES, *ONLY_IN_PRODUCTION)
        for number, break_it in enumerate(breaks)
    ],
)
def test_a_policy_finds_what_breaks_it(policy: Policy, break_it: Break) -> None:
    documents = overlay("prod")
    break_it(documents)
    assert list(policy(documents)) != []


@pytest.mark.parametrize(
    ("policy", "break_it"),
    [
        pytest.param(policy, break_it, id=f"{name_of(policy)}-{number}")
        for policy, breaks in WITH_CONSOLE
        for number, break_it in enumerate(breaks)
    ],
)
def test_a_policy_finds_what_breaks_the_console(policy: Policy, break_it: Break) -> None:
    documents = overlay("prod-console")
    assert list(policy(documents)) == []
    break_it(documents)
    assert list(policy(documents)) != []


def test_the_console_is_there_only_where_it_is_wanted() -> None:
    def names(where: str) -> set[tuple[str, str]]:
        return {(d["kind"], d["metadata"]["name"]) for d in overlay(where)}

    more = names("prod-console") - names("prod")
    assert all("console" in name for _, name in more)
    assert not any("console" in name for _, name in names("prod") | names("staging"))
    (route,) = (
        d
        for d in of_kind(overlay("prod-console"), "HTTPRoute")
        if ("HTTPRoute", d["metadata"]["name"]) in more
    )
    players = {h for d in of_kind(overlay("prod"), "HTTPRoute") for h in d["spec"]["hostnames"]}
    assert not players & set(route["spec"]["hostnames"])


def test_staging_is_production_but_for_size_names_and_images() -> None:
    def shape(where: str) -> list[tuple[str, str]]:
        return sorted((d["kind"], d["metadata"]["name"]) for d in overlay(where))

    assert shape("staging") == shape("prod")


def checked(documents: list[Document], folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "broken.yaml"
    file.write_text("\n---\n".join(json.dumps(document) for document in documents))
    argv = [ROOT / ".local/tools/k8s/bin/python", ROOT / "deploy/check/manifests.py"]
    return subprocess.run(
        [*map(str, argv), "schemas", str(file)], capture_output=True, text=True, check=False
    )


def test_schemas_find_what_breaks_them(tmp_path: Path) -> None:
    """One document of each kind with a field that nobody knows: each is found, none else."""
    broken = {document["kind"]: document for document in overlay("prod")}
    for document in broken.values():
        # Kinds without a spec have their own fields at the top.
        document.get("spec", document)["bogus"] = True
    done = checked(list(broken.values()), tmp_path)
    assert done.returncode == 1
    for kind in broken:
        assert f"broken.yaml: {kind} " in done.stdout, kind


def test_a_kind_that_nobody_could_look_at_is_an_error(tmp_path: Path) -> None:
    other = {"apiVersion": "example.org/v1", "kind": "Other", "metadata": {"name": "x"}}
    done = checked([other], tmp_path)
    assert done.returncode == 1
    assert "there is no schema for it" in done.stdout


def test_what_was_checked_is_what_is_here() -> None:
    """The rendered files are not older than what they were rendered from."""
    newest = max(os.stat(path).st_mtime for path in (ROOT / "deploy/k8s").rglob("*"))
    assert (RENDERED / "prod.json").stat().st_mtime >= newest
