"""What other people's tools find in the rendered production: nothing; but they do look."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from .manifests import RENDERED, ROOT, Document
from .rules_files import groups

pytestmark = pytest.mark.k8s

CARELESS = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "careless", "namespace": "laelo"},
    "spec": {
        "selector": {"matchLabels": {"app": "careless"}},
        "template": {
            "metadata": {"labels": {"app": "careless"}},
            "spec": {
                "hostNetwork": True,
                "containers": [
                    {
                        "name": "service",
                        "image": "laelo:latest",
                        "securityContext": {"privileged": True},
                    }
                ],
            },
        },
    },
}
PRIVILEGED, SHARES_THE_NETWORK, LATEST, NO_MEMORY_LIMIT = (
    "CKV_K8S_16",
    "CKV_K8S_19",
    "CKV_K8S_14",
    "CKV_K8S_13",
)


def test_checkov_finds_only_what_is_careless(tmp_path: Path) -> None:
    shutil.copy(RENDERED / "prod.yaml", tmp_path)
    (tmp_path / "careless.yaml").write_text(json.dumps(CARELESS))
    checkov = ROOT / ".local/tools/checkov/bin/checkov"
    config = ROOT / "deploy/check/checkov.yaml"
    done = subprocess.run(
        [checkov, "--config-file", config, "--directory", tmp_path, "--output", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    results = report["results"]
    failed = [(found["resource"], found["check_id"]) for found in results["failed_checks"]]
    assert [entry for entry in failed if entry[0] != "Deployment.laelo.careless"] == []
    wanted = {PRIVILEGED, SHARES_THE_NETWORK, LATEST, NO_MEMORY_LIMIT}
    assert wanted <= {check for _, check in failed}
    assert report["summary"]["passed"] > 500


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool (Debian: prometheus) is not installed"
)
def test_prometheus_understands_the_alerts(tmp_path: Path) -> None:
    rules = {"groups": groups()}
    assert promtool(rules, tmp_path).returncode == 0
    rules["groups"][0]["rules"][0]["expr"] += " of"
    assert promtool(rules, tmp_path).returncode != 0


def promtool(rules: Document, folder: Path) -> subprocess.CompletedProcess[bytes]:
    file = folder / "rules.yaml"
    file.write_text(json.dumps(rules))
    return subprocess.run(["promtool", "check", "rules", file], capture_output=True, check=False)
