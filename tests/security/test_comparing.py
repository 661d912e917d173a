"""Secrets are compared in constant time, or not at all: by their hash, as the key of a row."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECRET = re.compile(r"(^|_)(token|secret|mac|signature|password|passwd|verifier|state|csrf)$")
EQUAL = (ast.Eq, ast.NotEq)


def sources() -> list[Path]:
    found = sorted((ROOT / "services/gateway/src").rglob("*.py"))
    return [path for path in found if "testing" not in path.parts]


def names(node: ast.expr) -> Iterator[str]:
    """The names that a side of a comparison is made of."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def compared(text: str) -> list[str]:
    """Comparisons by == of what is called like a secret."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Compare)
        and any(isinstance(operator, EQUAL) for operator in node.ops)
        and any(
            SECRET.search(name) for side in (node.left, *node.comparators) for name in names(side)
        )
        and not any(isinstance(side, ast.Constant) for side in node.comparators)
    ]


def test_no_secret_is_compared_letter_by_letter() -> None:
    found = {path.name: compared(path.read_text("utf-8")) for path in sources()}
    # A connection's state is none.
    odd = {name: [one for one in many if "State." not in one] for name, many in found.items()}
    assert {name: many for name, many in odd.items() if many} == {}


def test_it_would_be_found() -> None:
    assert compared("if given != self._token: pass") == ["given != self._token"]
    assert compared("hmac.compare_digest(a.mac, b)") == []
