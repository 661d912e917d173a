"""The compose file for one machine: as strict as the cluster, and every name in it is known."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .log_users import ACCOUNTS
from .manifests import OPTIONAL, ROOT, SERVICES, overlay
from .policies_settings import unknown_variables

pytestmark = pytest.mark.k8s

Compose = dict[str, Any]
SERVERS = ("nats", "postgres")
STEPS = ("prepare-log", "migrate-gateway", "migrate-tournament", "migrate-archive")
_ADDRESS = re.compile(r"(?:dns:|@|^|,)([a-z]+):(\d+)")


def compose() -> Compose:
    (found,) = overlay("compose")
    return found


def parts(house: Compose) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from house["services"].items()


def has_all_parts(house: Compose) -> Iterator[str]:
    yield from {*SERVICES, *OPTIONAL, *SERVERS, *STEPS} ^ house["services"].keys()


def is_restricted(house: Compose) -> Iterator[str]:
    for name, part in parts(house):
        if part.get("cap_drop") != ["ALL"] or not part.get("mem_limit"):
            yield f"{name} may do or take more than it has to"
        if part.get("security_opt") != ["no-new-privileges:true"]:
            yield f"{name} may become somebody else"
        if name != "postgres" and not part.get("read_only"):
            yield f"{name} may change its programs"
        if (
            part.get("privileged")
            or part.get("network_mode")
            or (part.get("cap_add", []) and (name != "postgres"))
        ):
            yield f"{name} is not apart from the machine"


PAGES = ("gateway", *OPTIONAL)


def is_reached_by_its_pages_alone(house: Compose) -> Iterator[str]:
    for name, part in parts(house):
        ports = part.get("ports", [])
        if (name in PAGES) != bool(ports):
            yield f"{name}: {ports}"
        if any(not port.startswith("127.0.0.1:") for port in ports):
            yield f"{name} can be reached from other machines"
        if "outside" in part["networks"] and name not in PAGES:
            yield f"{name} may reach the internet"
    if not house["networks"]["house"].get("internal"):
        yield "everybody may reach the internet"


def sets_what_the_code_knows(house: Compose) -> Iterator[str]:
    for name in (*SERVICES, *OPTIONAL):
        yield from unknown_variables(name, house["services"][name].get("environment", {}))
    yield from unknown_variables("deploy", house["services"]["prepare-log"]["environment"])


def leads_to_parts_that_listen(house: Compose) -> Iterator[str]:
    ports = {"nats": 4222, "postgres": 5432, **dict.fromkeys(SERVICES, 7000)}
    for name, part in parts(house):
        for value in part.get("environment", {}).values():
            for host, port in _ADDRESS.findall(value):
                if ports.get(host) != int(port):
                    yield f"{name} looks for {host} on {port}"


def comes_in_order(house: Compose) -> Iterator[str]:
    for name in SERVICES:
        environment = house["services"][name].get("environment", {})
        waits = house["services"][name].get("depends_on", {})
        for variable, step in (("_NATS_URL", "prepare-log"), ("_PG_DSN", f"migrate-{name}")):
            wanted = any(v.endswith(variable) for v in environment)
            done = waits.get(step, {}).get("condition") == "service_completed_successfully"
            if wanted != done:
                yield f"{name} starts before {step} is done"


def has_no_secret(house: Compose) -> Iterator[str]:
    for name, part in parts(house):
        for variable, value in part.get("environment", {}).items():
            if variable.endswith("PASSWORD") and not value.startswith("${"):
                yield f"{name}: {variable}"
            if re.search(r"://\w+:(?!\$\{)", value):
                yield f"{name}: {variable}"


def says_how_it_is(house: Compose) -> Iterator[str]:
    for name in (*SERVICES, *OPTIONAL, "postgres"):
        if not house["services"][name].get("healthcheck"):
            yield f"{name} does not say how it is"


def change(name: str, **values: Any) -> Callable[[Compose], None]:
    return lambda house: house["services"][name].update(values)


def setting(name: str, variable: str, value: str) -> Callable[[Compose], None]:
    return lambda house: house["services"][name]["environment"].update({variable: value})


POLICIES: list[tuple[Callable[[Compose], Iterator[str]], list[Callable[[Compose], Any]]]] = [
    (has_all_parts, [lambda house: house["services"].pop("bots")]),
    (
        is_restricted,
        [
            change("table", cap_drop=[]),
            change("nats", read_only=False),
            change("rules", security_opt=[]),
            change("rules", privileged=True),
            change("rules", cap_add=["SYS_ADMIN"]),
            change("bots", mem_limit=None),
        ],
    ),
    (
        is_reached_by_its_pages_alone,
        [
            change("nats", ports=["127.0.0.1:4222:4222"]),
            change("gateway", ports=["8080:8080"]),
            change("table", networks=["house", "outside"]),
            lambda house: house["networks"].update(house={}),
        ],
    ),
    (
        sets_what_the_code_knows,
        [
            setting("table", "LAELO_TABLE_BOT_ADDRESSES", "bots:7000"),
            lambda house: house["services"]["gateway"]["environment"].pop("LAELO_GATEWAY_PG_DSN"),
        ],
    ),
    (
        leads_to_parts_that_listen,
        [setting("table", "LAELO_TABLE_RULES_ADDRESSES", "dns:rule:7000")],
    ),
    (comes_in_order, [change("archive", depends_on={})]),
    (
        has_no_secret,
        [
            setting("nats", "NATS_TABLE_PASSWORD", "hunter2"),
            setting("table", "LAELO_TABLE_NATS_URL", "nats://table:hunter2@nats:4222"),
        ],
    ),
    (says_how_it_is, [change("gateway", healthcheck=None)]),
]


@pytest.mark.parametrize("policy", [policy for policy, _ in POLICIES], ids=lambda p: p.__name__)
def test_a_policy_is_kept_by_compose(policy: Callable[[Compose], Iterator[str]]) -> None:
    assert list(policy(compose())) == []


@pytest.mark.parametrize(
    ("policy", "break_it"),
    [
        pytest.param(policy, break_it, id=f"{policy.__name__}-{number}")
        for policy, breaks in POLICIES
        for number, break_it in enumerate(breaks)
    ],
)
def test_a_policy_finds_what_breaks_compose(
    policy: Callable[[Compose], Iterator[str]], break_it: Callable[[Compose], Any]
) -> None:
    house = compose()
    break_it(house)
    assert list(policy(house)) != []


def test_there_is_a_password_for_everybody() -> None:
    script = ROOT / "deploy/compose/passwords.py"
    runs = [
        subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    made = dict(line.split("=") for line in runs[0].splitlines())
    text = (ROOT / "deploy/compose/compose.yaml").read_text()
    assert set(re.findall(r"\$\{(\w+):\?", text)) == made.keys()
    assert set(re.findall(r"\$(NATS_\w+)", ACCOUNTS.read_text())) <= made.keys()
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9]{31}", value) for value in made.values())
    assert len({*runs[0].splitlines(), *runs[1].splitlines()}) == 2 * len(made)
