"""Tools that only deployment needs, each in an environment of its own below .local/tools.

What is installed stands in tools/locks/<name>.txt, with hashes and whatever each needs, so that
nothing else comes along. `python deploy/toolbox.py k8s` installs one and prints where it is.
"""

import io
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import bootstrap  # noqa: E402


def tool(name: str) -> Path:
    """The folder of a tool's programs; installed if it is not yet. Raises SetupError."""
    home = bootstrap.LOCAL / "tools" / name
    lock = bootstrap.TOOL_LOCKS / f"{name}.txt"
    stamp, wanted = home / ".ok", bootstrap.digest([lock], sys.version)
    if not bootstrap.is_fresh(stamp, wanted):
        bootstrap.say(f"fetching what {lock.relative_to(ROOT)} names")
        python = bootstrap.make_environment(home)
        install = bootstrap.uv_pip(python, "--no-deps", "--require-hashes", "-r", lock)
        bootstrap.run(f"installing {name}", install)
        if name == "k8s":
            unpack_kubectl(home)
        stamp.write_text(wanted)
    return home / "bin"


def unpack_kubectl(home: Path) -> None:
    """Take kubectl out of the package that brings it along: a zip in a tar in a wheel."""
    (archive,) = home.rglob("lambda-layer-kubectl-*.tgz")
    with tarfile.open(archive) as outer:
        layer = outer.extractfile("package/lib/layer.zip")
        if layer is None:
            raise bootstrap.SetupError(f"{archive.name} has no kubectl")
        inner = zipfile.ZipFile(io.BytesIO(layer.read()))
    target = home / "bin/kubectl"
    with inner.open("kubectl/kubectl") as source, target.open("wb") as copy:
        shutil.copyfileobj(source, copy)
    target.chmod(0o755)


def main(names: list[str]) -> int:
    """Install tools and print their folders; the exit status."""
    bootstrap.trust_the_system()
    try:
        for name in names:
            print(tool(name))
    except bootstrap.SetupError as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
