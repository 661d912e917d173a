"""Licences of all packages that we depend on, from what they say of themselves.

    python -m laelo_tools.licences > docs/licences.md

Those of Python are asked where they are installed, those of the page stand in its lock. What a
service needs is shipped in the image, and what the page needs is sent to browsers: there fewer
licences are allowed than for what only builds and tests.
"""

import json
import re
from collections.abc import Iterator
from email.message import Message
from importlib.metadata import Distribution, distributions
from typing import Final, NamedTuple, cast

from laelo_tools.state import ROOT

SHIPPED: Final = frozenset(
    {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"}
    | {"MPL-2.0", "PSF-2.0", "Zlib"}
)
"""Allowed in what is handed on: all let others do as they like with the whole."""
TOOLS: Final = SHIPPED | {"GPL-2.0-only"}
"""Allowed in what only builds and tests, and is handed on to nobody."""

_LOCKS: Final = ("requirements.lock", "tools/locks/analysts.txt")
_SPDX: Final = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
_UNSAID: Final = {"axe-playwright-python": "MIT AND MPL-2.0"}
"""Read in the licence files of packages whose metadata says nothing; axe-core is in this one."""
_PINNED: Final = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
_WORDS: Final = re.compile(r"\s+(?:AND|OR)\s+|[()]")


class Package(NamedTuple):
    """One that we depend on. `shipped`: a service, or the page, cannot run without it."""

    name: str
    licence: str
    shipped: bool

    @property
    def is_allowed(self) -> bool:
        """Whether its licence, each part of it, is on the list."""
        allowed = SHIPPED if self.shipped else TOOLS
        return all(part in allowed for part in _WORDS.split(self.licence) if part)


def normal(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked() -> set[str]:
    """Names of all packages that the locks of Python name."""
    texts = [(ROOT / lock).read_text("utf-8") for lock in _LOCKS]
    return {normal(name) for text in texts for name in _PINNED.findall(text)}


def of_python() -> list[Package]:
    """Those that are locked and installed here, by name."""
    found = {normal(one.name): one for one in distributions()}
    shipped = _needed(found)
    names = sorted(found.keys() & locked())
    return [Package(name, licence_of(found[name]), name in shipped) for name in names]


def of_the_page() -> list[Package]:
    """Those of the page's lock, by name."""
    packages = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))["packages"]
    found = {
        path.rpartition("node_modules/")[2]: Package(
            path.rpartition("node_modules/")[2], one.get("license", ""), not one.get("dev", False)
        )
        for path, one in packages.items()
        if path
    }
    return [found[name] for name in sorted(found)]


def licence_of(package: Distribution) -> str:
    """What a package says, as SPDX; what is not known as such is given as it stands."""
    metadata = cast(Message, package.metadata)
    said = metadata.get("License-Expression") or _UNSAID.get(normal(package.name))
    if said:
        return str(said)
    short = str(metadata.get("License") or "")
    if short and "\n" not in short and len(short) < 40:
        return _SPDX.get(short, short)
    kinds = [str(one) for one in metadata.get_all("Classifier", [])]
    named = [one.rpartition(" :: ")[2] for one in kinds if one.startswith("License ::")]
    return " AND ".join(_SPDX.get(one, one) for one in named) or "unknown"


def _needed(found: dict[str, Distribution]) -> set[str]:
    """What the services need, and what that needs, and so on; our own tools are none."""
    todo = [name for name in found if name.startswith("laelo-") and name != "laelo-tools"]
    needed: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in needed and name in found:
            needed.add(name)
            todo += _requires(found[name])
    return needed


def _requires(package: Distribution) -> Iterator[str]:
    for line in package.requires or ():
        match = _NAME.match(line)
        if match is not None and "extra ==" not in line:
            yield normal(match[0])


def page() -> str:
    """`docs/licences.md`."""
    return "\n".join(
        [
            "# Licences of what we depend on",
            "",
            "Written by `python -m laelo_tools.licences`; a test holds it against what is"
            " installed. Versions and hashes are in the locks.",
            "",
            "*Shipped* is what a service or the page cannot run without. Allowed there:"
            f" {', '.join(sorted(SHIPPED))}; in what only builds and tests also"
            f" {', '.join(sorted(TOOLS - SHIPPED))}.",
            "",
            "## Python",
            "",
            *_table(of_python()),
            "",
            "## The page",
            "",
            *_table(of_the_page()),
            "",
        ]
    )


def _table(packages: list[Package]) -> list[str]:
    rows = [f"| {p.name} | {p.licence} | {'yes' if p.shipped else ''} |" for p in packages]
    return ["| package | licence | shipped |", "|---|---|---|", *rows]


if __name__ == "__main__":
    print(page(), end="")
