"""Writes the dashboards and the rules of the objectives where Kustomize finds them."""

import json
from collections.abc import Iterator
from pathlib import Path

from deploy.monitoring.boards import BOARDS
from deploy.monitoring.objectives import manifest
from deploy.monitoring.panels import written

FOLDER = Path(__file__).resolve().parents[1] / "k8s/components/monitoring"


def files() -> Iterator[tuple[Path, str]]:
    """Every file, and what is to stand in it."""
    yield FOLDER / "slo.yaml", manifest()
    for board in BOARDS:
        text = json.dumps(written(board), indent=1, ensure_ascii=False) + "\n"
        yield FOLDER / f"dashboards/{board.name}.json", text


def main() -> None:
    """Write them."""
    (FOLDER / "dashboards").mkdir(exist_ok=True)
    for path, text in files():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
