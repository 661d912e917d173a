"""The list of callers names methods that there are, and leaves none out."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.tls.callers import CALLERS, anything, commands


def methods(service: str) -> dict[str, Any]:
    """Of a service's proto, by name."""
    file = import_module(f"laelo.{service}.v1.{service}_pb2").DESCRIPTOR
    (found,) = file.services_by_name.values()
    return dict(found.methods_by_name)


def rights() -> Iterator[tuple[str, str, str, Any]]:
    for service, callers in CALLERS.items():
        for caller, allowed in callers.items():
            for method, allows in allowed.items():
                yield service, caller, method, allows


@pytest.mark.parametrize("service", CALLERS)
def test_every_method_is_somebodys_and_none_is_invented(service: str) -> None:
    named = {method for where, _, method, _ in rights() if where == service}
    assert named == set(methods(service))


def test_what_looks_at_requests_gets_one() -> None:
    """Of a stream of requests nothing is known when it is opened."""
    narrow = [(service, method) for service, _, method, allows in rights() if allows != anything]
    assert narrow
    for service, method in narrow:
        assert not methods(service)[method].client_streaming


def test_only_the_gateway_speaks_for_players() -> None:
    of_the_house = {table_pb2.KIND_OPEN_MATCH, table_pb2.KIND_CANCEL, table_pb2.KIND_SHUT}
    for caller, allowed in CALLERS["table"].items():
        if caller == "gateway":
            continue
        assert not {"Connect", "Watch"} & allowed.keys()
        for kind in table_pb2.Kind.values():
            request = table_pb2.SubmitRequest(command=table_pb2.Command(kind=kind))
            if "Submit" in allowed and allowed["Submit"](request):
                assert kind in of_the_house


def test_commands_are_told_apart_by_their_kind() -> None:
    allows = commands(table_pb2.KIND_SHUT)
    shut = table_pb2.Command(kind=table_pb2.KIND_SHUT)
    assert allows(table_pb2.SubmitRequest(command=shut))
    assert not allows(table_pb2.SubmitRequest())
