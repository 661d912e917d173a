"""What the image sets for all services is what they can be told, and what the manifests expect."""

import re

from .manifests import OPTIONAL, ROOT, SERVICES
from .policies_settings import known_variables

CONTAINERFILE = (ROOT / "deploy/images/Containerfile").read_text()
DEFAULTS = dict(re.findall(r"\b(LAELO_\w+)=(\S+)", CONTAINERFILE))


def test_every_default_is_a_setting() -> None:
    assert DEFAULTS.keys() <= known_variables().keys()


def test_every_service_listens_where_the_manifests_look() -> None:
    listening = {"gateway": ("9090", "8080"), "console": ("9090", "8090")}
    for service in (*SERVICES, *OPTIONAL):
        prefix = f"LAELO_{service.upper()}_"
        ports = (DEFAULTS[prefix + "PORT"], DEFAULTS[prefix + "HTTP_PORT"])
        assert ports == listening.get(service, ("7000", "9090"))
        assert DEFAULTS[prefix + "HOST"] == "0.0.0.0"


def test_it_runs_as_nobody_of_the_machine() -> None:
    assert re.search(r"^USER 10001:10001$", CONTAINERFILE, re.MULTILINE)
