"""What has to hold for pods: each policy gives one sentence for each thing that is not right."""

from collections.abc import Iterator

from .manifests import OPTIONAL, SERVICES, Document, Pods, named, of_kind, pods, selects

ENDING_SECONDS = 10
"""What a service takes to end at most (laelo_common.runtime)."""
LONG_RUNNING = ("Deployment", "StatefulSet")


def _services(documents: list[Document]) -> Iterator[Pods]:
    return (
        found for found in pods(documents, "Deployment") if found.name in (*SERVICES, *OPTIONAL)
    )


def all_services_are_there(documents: list[Document]) -> Iterator[str]:
    missing = set(SERVICES) - {found.name for found in _services(documents)}
    yield from (f"{name} is not deployed" for name in sorted(missing))


def survives_a_drained_node(documents: list[Document]) -> Iterator[str]:
    budgets = [budget["spec"] for budget in of_kind(documents, "PodDisruptionBudget")]
    for found in pods(documents, *LONG_RUNNING):
        mine = [budget for budget in budgets if selects(budget["selector"], found.labels)]
        if len(mine) != 1:
            yield f"{found.name} has {len(mine)} disruption budgets"
        elif mine[0].get("maxUnavailable") != 1:
            yield f"{found.name}: more than one may go at a time"


def there_are_two_of_each(documents: list[Document]) -> Iterator[str]:
    least = {
        scaler["spec"]["scaleTargetRef"]["name"]: scaler["spec"].get(
            "minReplicas", scaler["spec"].get("minReplicaCount", 0)
        )
        for scaler in of_kind(documents, "HorizontalPodAutoscaler", "ScaledObject")
    }
    names = {found.name for found in pods(documents, *LONG_RUNNING)}
    yield from (f"{name} is scaled and does not exist" for name in sorted(least.keys() - names))
    for found in pods(documents, *LONG_RUNNING):
        fixed = found.workload["spec"].get("replicas")
        if found.name in least and fixed is not None:
            yield f"{found.name}: each deploy would undo what its autoscaler did"
        if (least.get(found.name) or fixed or 1) < 2:
            yield f"{found.name} may be alone"


def goes_down_one_at_a_time(documents: list[Document]) -> Iterator[str]:
    for scaler in of_kind(documents, "HorizontalPodAutoscaler", "ScaledObject"):
        spec = scaler["spec"]
        if scaler["kind"] == "ScaledObject":
            spec = spec.get("advanced", {}).get("horizontalPodAutoscalerConfig", {})
        down = spec.get("behavior", {}).get("scaleDown", {})
        policies = [(policy["type"], policy["value"]) for policy in down.get("policies", ())]
        if policies != [("Pods", 1)] or down.get("stabilizationWindowSeconds", 0) < 300:
            yield f"{scaler['metadata']['name']} may go down faster than its clients come back"


def is_spread(documents: list[Document]) -> Iterator[str]:
    for found in pods(documents, "Deployment"):
        keys = {c["topologyKey"] for c in found.spec.get("topologySpreadConstraints", ())}
        if keys != {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}:
            yield f"{found.name} is not spread over zones and nodes"
        for constraint in found.spec.get("topologySpreadConstraints", ()):
            if not selects(constraint["labelSelector"], found.labels):
                yield f"{found.name} is spread among pods that are not its own"


def has_bounds(documents: list[Document]) -> Iterator[str]:
    for found in pods(documents):
        for container in found.containers:
            resources = container.get("resources", {})
            asked, most = resources.get("requests", {}), resources.get("limits", {})
            if not {"cpu", "memory"} <= asked.keys() or "memory" not in most:
                yield f"{found.name}/{container['name']} says not what it needs and may take"


def is_restricted(documents: list[Document]) -> Iterator[str]:
    for found in pods(documents):
        pod = found.spec.get("securityContext", {})
        if not pod.get("runAsNonRoot") or pod.get("runAsUser", 0) < 10_000:
            yield f"{found.name} may run as root or as a user of the node"
        if pod.get("seccompProfile") != {"type": "RuntimeDefault"}:
            yield f"{found.name} may make any system call"
        if {"hostNetwork", "hostPID", "hostIPC"} & found.spec.keys():
            yield f"{found.name} shares something with the node"
        if any("hostPath" in volume for volume in found.spec.get("volumes", ())):
            yield f"{found.name} sees files of the node"
        for container in [*found.containers, *found.spec.get("initContainers", ())]:
            wanted = {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            if container.get("securityContext") != wanted:
                yield f"{found.name}/{container['name']} may do more than it has to"


def has_no_right_on_the_cluster(documents: list[Document]) -> Iterator[str]:
    accounts = {account["metadata"]["name"] for account in of_kind(documents, "ServiceAccount")}
    for found in pods(documents):
        if found.spec.get("automountServiceAccountToken") is not False:
            yield f"{found.name} has a token of the API server"
        if found.workload["kind"] in LONG_RUNNING and (
            found.spec.get("serviceAccountName") != found.name or found.name not in accounts
        ):
            yield f"{found.name} has no account of its own"
    for right in of_kind(documents, "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"):
        yield f"{right['kind']} {right['metadata']['name']}: nobody here needs the API server"


def gets_no_variables_of_the_cluster(documents: list[Document]) -> Iterator[str]:
    for found in pods(documents):
        if found.spec.get("enableServiceLinks") is not False:
            yield f"{found.name} gets LAELO_… variables that its settings refuse"


def says_how_it_is(documents: list[Document]) -> Iterator[str]:
    for found in pods(documents, *LONG_RUNNING):
        for container in found.containers:
            wanted = {"readinessProbe", "livenessProbe"}
            if container["name"] != "metrics":
                wanted.add("startupProbe")
            if missing := wanted - container.keys():
                yield f"{found.name}/{container['name']} lacks {', '.join(sorted(missing))}"
    for found in _services(documents):
        (container,) = found.containers
        ready, alive = container.get("readinessProbe", {}), container.get("livenessProbe", {})
        if ready.get("httpGet", {}).get("path") != "/readyz":
            yield f"{found.name} is not asked for its health"
        if alive.get("httpGet", {}).get("path") != "/livez":
            yield f"{found.name} would be killed for what others lack"


def ends_in_time(documents: list[Document]) -> Iterator[str]:
    for found in _services(documents):
        (container,) = found.containers
        stop = container.get("lifecycle", {}).get("preStop", {})
        waits = stop.get("sleep", {}).get("seconds", 0)
        if not waits:
            yield f"{found.name} ends before it is forgotten by those who call it"
        if found.spec.get("terminationGracePeriodSeconds", 30) < waits + ENDING_SECONDS + 5:
            yield f"{found.name} is killed before it has ended"


def is_replaced_without_a_gap(documents: list[Document]) -> Iterator[str]:
    for found in _services(documents):
        update = found.workload["spec"].get("strategy", {}).get("rollingUpdate", {})
        if update.get("maxUnavailable") != 0:
            yield f"{found.name}: there are fewer of it during a deploy"


def is_chosen_by_digest(documents: list[Document]) -> Iterator[str]:
    images = {
        f"{found.name}/{container['name']}": container["image"]
        for found in pods(documents)
        for container in found.containers
    }
    for cluster in of_kind(documents, "Cluster"):
        images["postgres"] = cluster["spec"].get("imageName", "")
    for name, image in images.items():
        _, _, digest = image.partition("@sha256:")
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            yield f"{name}: {image} may be another one tomorrow"


def keeps_the_log_three_times(documents: list[Document]) -> Iterator[str]:
    nats = named(documents, "StatefulSet", "nats")["spec"]
    if nats["replicas"] != 3:
        yield "the log does not have three servers"
    affinity = nats["template"]["spec"].get("affinity", {}).get("podAntiAffinity", {})
    if not affinity.get("requiredDuringSchedulingIgnoredDuringExecution"):
        yield "two servers of the log may be lost with one node"
    if "data" not in {claim["metadata"]["name"] for claim in nats.get("volumeClaimTemplates", ())}:
        yield "what the log stores goes with its pod"
    keeps = nats.get("persistentVolumeClaimRetentionPolicy", {})
    if set(keeps.values()) != {"Retain"}:
        yield "what the log stores goes with its servers"
    (config,) = (m for m in of_kind(documents, "ConfigMap") if "nats.conf" in m["data"])
    text = config["data"]["nats.conf"]
    if "sync_interval: always" not in text:
        yield "what is acknowledged may not be on any disk"
    if "verify: true" not in text or "no_advertise: true" not in text:
        yield "servers of the log do not know each other, or tell clients of ways in"
    (step,) = named(documents, "Job", "prepare-log")["spec"]["template"]["spec"]["containers"]
    copies = {entry["name"]: entry.get("value") for entry in step["env"]}
    if copies.get("LAELO_DEPLOY_REPLICAS") != "3":
        yield "messages are not kept by all three servers"
