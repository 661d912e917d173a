"""Prepares this checkout: packages, generated code and the page.

Needs nothing but the standard library of Python 3.11, so that a fresh machine can run it. What is
up to date stays as it is: each step keeps a digest of what it was made from.

    python3 tools/bootstrap.py python     the environment in .venv and the generated code
    python3 tools/bootstrap.py analysts   what exports to Parquet and reports need beside that
    python3 tools/bootstrap.py notebook   those, and Jupyter
    python3 tools/bootstrap.py fuzz       the fuzzer of `make fuzz`
    python3 tools/bootstrap.py lock       requirements.lock from the members' pyproject.toml
    python3 tools/bootstrap.py lock-check is requirements.lock what `lock` would write?
    python3 tools/bootstrap.py web        web/dist
    python3 tools/bootstrap.py npm ARGS   npm in web/, with the packages of its lock installed
    python3 tools/bootstrap.py peers      the other servers of bench/peers; prints the node for them
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCAL = ROOT / ".local"
WEB = ROOT / "web"
PEERS = ROOT / "bench" / "peers"
LOCK = ROOT / "requirements.lock"
TOOL_LOCKS = ROOT / "tools" / "locks"
GROUPS = ("analysts", "notebook", "fuzz")
"""Of packages that only some work needs; each has a lock and a step of its own."""

MEMBERS = [ROOT / "libs/common", *sorted((ROOT / "services").glob("*")), ROOT / "tools"]
OLDEST_PYTHON = (3, 11)
FUZZING_PYTHONS = ((3, 11), (3, 13))
"""The oldest and the newest for which the fuzzer comes ready-made, on Linux on x86-64."""
OLDEST_UV = (0, 9)
OLDEST_NODE = (20, 19)
OLDEST_NODE_OF_PEERS = (22,)


class SetupError(Exception):
    """One sentence for the person at the terminal: what is wrong and what to do."""


def say(text: str) -> None:
    """Progress goes to standard error: standard output belongs to what is run afterwards."""
    print(f"set-up: {text}", file=sys.stderr, flush=True)


# --- digests ---------------------------------------------------------------------------------


def digest(paths: Iterable[Path], *extra: str) -> str:
    """One digest over names and contents of files, and whatever else matters."""
    total = hashlib.sha256("\0".join(extra).encode())
    for path in sorted(paths):
        total.update(f"\0{path.relative_to(ROOT)}\0".encode())
        total.update(path.read_bytes())
    return total.hexdigest()


def is_fresh(stamp: Path, value: str) -> bool:
    """Whether the step behind this stamp was made from the same inputs."""
    return stamp.is_file() and stamp.read_text() == value


def files_below(folder: Path, *without: str) -> list[Path]:
    """All files of a folder but those in folders of the given names."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in without]
        found += [Path(place, name) for name in names]
    return found


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """One set-up at a time in one checkout; a second one waits and then finds all done."""
    LOCAL.mkdir(exist_ok=True)
    with (LOCAL / "bootstrap.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another make in this checkout")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- running other programs ------------------------------------------------------------------

NETWORK_SIGNS = re.compile(
    r"dns error|failed to lookup|error sending request|connection (refused|reset)|timed? ?out"
    r"|network is unreachable|name resolution|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT"
    r"|NewConnectionError|client error \(Connect\)|tunnel error",
    re.IGNORECASE,
)


def run(what: str, argv: Sequence[str | Path], **options: object) -> str:
    """Run a program quietly; its failure becomes one sentence, then what it said."""
    result = subprocess.run(  # type: ignore[call-overload]
        [str(part) for part in argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **{"cwd": ROOT, **options},
    )
    output: str = result.stdout
    if result.returncode == 0:
        return output
    if NETWORK_SIGNS.search(output):
        raise SetupError(
            f"{what} failed because the network or the package registry could not be reached;"
            f" the first set-up needs it once. Connect and run make again.\n{tail(output, 1)}"
        )
    raise SetupError(f"{what} failed:\n{tail(output, 30)}")


def tail(text: str, lines: int) -> str:
    """The last lines of an output, indented."""
    return "\n".join("    " + line for line in text.strip().splitlines()[-lines:])


def trust_the_system() -> None:
    """Let uv and node trust the certificates that this machine trusts, if it has any.

    By themselves they trust only those that they bring along, which fails behind a company's
    proxy; a bare container has no others.
    """
    places = ssl.get_default_verify_paths()
    folder = Path(places.capath or "/nowhere")
    if places.cafile or (folder.is_dir() and any(folder.iterdir())):
        for setting in ("UV_SYSTEM_CERTS", "NODE_USE_SYSTEM_CA"):
            os.environ.setdefault(setting, "1")


def version_of(program: str | Path) -> tuple[int, ...]:
    """The version that `program --version` names; () if it can't be run."""
    try:
        done = subprocess.run(
            [str(program), "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except OSError:
        return ()
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", done.stdout)
    return tuple(int(part) for part in found.groups()) if found and not done.returncode else ()


# --- Python ----------------------------------------------------------------------------------


def uv() -> list[str | Path]:
    """The uv to use: from PATH if it is new enough, else one of our own below .local."""
    found = shutil.which("uv")
    if found and version_of(found) >= OLDEST_UV:
        return [found]
    home = LOCAL / "tools" / "uv"
    stamp, wanted = home / ".ok", digest([TOOL_LOCKS / "uv.txt"], sys.version)
    if not is_fresh(stamp, wanted):
        if importlib.util.find_spec("ensurepip") is None:
            raise SetupError(
                "this Python can't make virtual environments. Install its venv package"
                " (Debian, Ubuntu: apt-get install python3-venv), or put uv on the PATH."
            )
        say("fetching uv")
        run("making an environment for uv", [sys.executable, "-m", "venv", "--clear", home])
        pip = [str(home / "bin/python"), "-m", "pip", "install", "--quiet", "--retries", "2"]
        run("fetching uv", [*pip, "--require-hashes", "-r", TOOL_LOCKS / "uv.txt"])
        stamp.write_text(wanted)
    return [home / "bin" / "uv"]


def uv_pip(python: Path, *args: str | Path) -> list[str | Path]:
    """`uv pip install` into the environment of the given Python."""
    return [*uv(), "pip", "install", "--python", python, "--compile-bytecode", *args]


def make_environment(home: Path) -> Path:
    """An empty virtual environment for the Python that runs this; kept if there is one."""
    python = home / "bin" / "python"
    if version_of(python) != sys.version_info[:3]:
        base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
        chosen = base if base.exists() else Path(sys.executable)
        run("making .venv", [*uv(), "venv", "--clear", "--no-project", "--python", chosen, home])
    return python


def prepare_python() -> None:
    """Fill .venv, and write the page's types from those of the wire."""
    install_python()
    common = ROOT / "libs/common/src/laelo_common"
    stamp, wanted = (
        VENV / ".types",
        digest([*files_below(common / "wire", "__pycache__"), common / "errors.py"]),
    )
    if not (is_fresh(stamp, wanted) and (WEB / "src/net/protocol.gen.ts").is_file()):
        say("writing the page's types")
        run("writing types", [VENV / "bin/python", "-m", "laelo_common.wire.typescript"])
        stamp.write_text(wanted)


def install_python() -> None:
    """Fill .venv from the lock, generate the protobuf code, install the members in place."""
    manifests = [ROOT / "pyproject.toml", *(m / "pyproject.toml" for m in MEMBERS), LOCK]
    generator = ROOT / "libs/common/generate.py"
    sources = [*files_below(ROOT / "proto"), generator]
    generated = ROOT / "libs/common/src/laelo"
    whole = digest([*manifests, *sources], sys.version, str(ROOT))
    if is_fresh(VENV / ".ok", whole) and generated.is_dir():
        return
    python = make_environment(VENV)
    packages = digest([LOCK], sys.version)
    if not is_fresh(VENV / ".packages", packages):
        say("fetching and installing the locked packages (about half a minute)")
        run("installing packages", uv_pip(python, "--require-hashes", "-r", LOCK))
        (VENV / ".packages").write_text(packages)
    say("generating code from proto/")
    run("generating code from proto/", [python, generator])
    say("installing the members of the workspace in place")
    members = [part for member in MEMBERS for part in ("--editable", member)]
    run("installing members", uv_pip(python, "--no-deps", "--no-build-isolation", *members))
    (VENV / ".ok").write_text(whole)


def install_group(group: str) -> None:
    """Add to .venv what only some work needs: it is large, and nobody plays with it."""
    stamp, wanted = VENV / f".{group}", digest([lock_of(group)], sys.version)
    if not is_fresh(stamp, wanted):
        say(f"fetching and installing the packages of group {group}")
        # Not compiled beforehand, which would take longer than all the rest of it.
        argv = [*uv(), "pip", "install", "--python", VENV / "bin/python", "--require-hashes"]
        run(f"installing group {group}", [*argv, "-r", lock_of(group)])
        stamp.write_text(wanted)


def prepare_groups(*groups: str) -> None:
    """Fill .venv, and add groups to it."""
    prepare_python()
    for group in groups:
        install_group(group)


def prepare_fuzz() -> None:
    """Fill .venv, and add the fuzzer to it, where there is one."""
    oldest, newest = FUZZING_PYTHONS
    here = f"{sys.platform}-{platform.machine()}"
    if not oldest <= sys.version_info[:2] <= newest or here != "linux-x86_64":
        versions = " to ".join(".".join(map(str, one)) for one in FUZZING_PYTHONS)
        raise SetupError(
            f"the fuzzer (atheris) is there for Python {versions} on linux-x86_64 only, and this is"
            f" Python {platform.python_version()} on {here}: run make fuzz PYTHON=… with another"
            " one. `make test` tries the same targets without it, on fewer inputs."
        )
    prepare_groups("fuzz")


def lock_of(group: str) -> Path:
    """The lock of a group that is not in the lock of all."""
    return TOOL_LOCKS / f"{group}.txt"


def compile_locks(lock: Path, *groups: Path) -> None:
    """Write the neutral locks: hashes, markers for all platforms, no addresses.

    First that of all, then those of the groups in `GROUPS`.
    """
    names = [
        re.search(r'^name = "(.+)"$', (member / "pyproject.toml").read_text(), re.MULTILINE)
        for member in MEMBERS
    ]
    without = [part for name in names if name for part in ("--no-emit-package", name[1])]
    folders = [Path(), *(member.relative_to(ROOT) for member in MEMBERS)]
    manifests = [str(folder / "pyproject.toml") for folder in folders]
    how = "--quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate"
    compile_ = [*uv(), "pip", "compile", *how.split()]
    what = [*without, "--group", "dev", "--group", "lint", *manifests]
    say("resolving the dependencies of all members")
    run("resolving dependencies", [*compile_, *what, "-o", lock])
    for number, group in enumerate(GROUPS):
        # What several locks have has to be the same version in each.
        before = [part for one in (lock, *groups[:number]) for part in ("--constraints", one)]
        what = [*before, "--group", group, "-o", groups[number]]
        run(f"resolving group {group}", [*compile_, *what])


def locks() -> list[Path]:
    """All that `compile_locks` writes."""
    return [LOCK, *map(lock_of, GROUPS)]


def check_lock() -> None:
    """Compile into copies, which keep their pins, and compare."""
    copies = [LOCAL / lock.name for lock in locks()]
    for lock, copy in zip(locks(), copies, strict=True):
        shutil.copyfile(lock, copy)
    compile_locks(*copies)
    for lock, copy in zip(locks(), copies, strict=True):
        if copy.read_bytes() != lock.read_bytes():
            raise SetupError(f"{lock.name} is not what the members ask for: run make lock.")


# --- the page --------------------------------------------------------------------------------


def node_folder(oldest: tuple[int, ...] = OLDEST_NODE) -> Path:
    """The folder of a node and npm that are new enough: on PATH, else fetched below .local."""
    found = shutil.which("node")
    if found and shutil.which("npm") and version_of(found) >= oldest:
        return Path(found).parent
    home = LOCAL / "tools" / "node"
    stamp, wanted = home / ".ok", digest([TOOL_LOCKS / "node.txt"], sys.version)
    if not is_fresh(stamp, wanted):
        say("fetching node (60 MB)")
        python = make_environment(home)
        argv = [*uv(), "pip", "install", "--python", python, "--require-hashes"]
        run("fetching node", [*argv, "-r", TOOL_LOCKS / "node.txt"])
        stamp.write_text(wanted)
    return home / "bin"


def npm_environment(node: Path | None = None) -> dict[str, str]:
    """PATH with our node first, so that npm's scripts find the same one."""
    path = f"{node or node_folder()}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**os.environ, "PATH": path}


def npm_ci(what: str, folder: Path, node: Path | None = None) -> None:
    """`npm ci` in a folder, when its lock changed."""
    stamp = folder / "node_modules" / ".ok"
    wanted = digest([folder / "package-lock.json", folder / "package.json"])
    if is_fresh(stamp, wanted):
        return
    say(f"installing {what}")
    argv = ["npm", "ci", "--no-audit", "--no-fund"]
    run("npm ci", argv, cwd=folder, env=npm_environment(node))
    stamp.write_text(wanted)


def install_web_packages() -> None:
    """What the page is built with."""
    npm_ci("the page's packages", WEB)


def prepare_peers() -> None:
    """Install the servers that we are compared with; the node to run them goes to stdout."""
    node = node_folder(OLDEST_NODE_OF_PEERS)
    npm_ci("the peers' packages", PEERS, node)
    # What lies in the folder may be a script that starts it, and who kills that leaves it behind.
    print(run("finding node", [node / "node", "--print", "process.execPath"]).strip())


def prepare_web() -> None:
    """Build web/dist, when its sources changed."""
    stamp = LOCAL / "web.ok"
    wanted = digest(
        files_below(WEB, "node_modules", "dist", "test-results", "tests", "__pycache__")
    )
    if is_fresh(stamp, wanted) and (WEB / "dist" / "index.html").is_file():
        return
    install_web_packages()
    say("building the page")
    run("building the page", ["npm", "run", "build"], cwd=WEB, env=npm_environment())
    stamp.write_text(wanted)


def npm(*args: str) -> None:
    """Hand over to npm in web/."""
    with alone():
        install_web_packages()
    done = subprocess.run(["npm", *args], cwd=WEB, env=npm_environment(), check=False)
    if done.returncode:
        raise SystemExit(done.returncode)


def main(argv: list[str]) -> int:
    """Run one step; see the head of this file."""
    if sys.version_info < OLDEST_PYTHON:
        have, need = sys.version.split()[0], ".".join(map(str, OLDEST_PYTHON))
        print(f"Python {need} or newer is needed, this is {have}: make PYTHON=…", file=sys.stderr)
        return 1
    os.environ["UV_PYTHON_DOWNLOADS"] = "never"
    os.environ.pop("VIRTUAL_ENV", None)
    trust_the_system()
    steps = {
        "python": prepare_python,
        "analysts": lambda: prepare_groups("analysts"),
        "notebook": lambda: prepare_groups("analysts", "notebook"),
        "fuzz": prepare_fuzz,
        "lock": lambda: compile_locks(*locks()),
        "lock-check": check_lock,
        "web": prepare_web,
        "peers": prepare_peers,
    }
    try:
        if argv[:1] == ["npm"]:
            npm(*argv[1:])
        elif len(argv) == 1 and argv[0] in steps:
            with alone():
                steps[argv[0]]()
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except SetupError as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
