"""Makes the base of the product's image from Debian's packages: Python, and what it is linked to.

No shell, no package manager, nobody but `laelo` (10001). Needs mmdebstrap (Debian, Ubuntu:
apt-get install mmdebstrap) and the machine's own package sources; takes about 20 s.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

SUITE = "bookworm"
PROGRAM = "python3.11"
PACKAGES = (
    "base-files,ca-certificates,libbz2-1.0,libc6,libexpat1,libffi8,liblzma5,libpython3.11-stdlib,"
    "libsqlite3-0,libssl3,libstdc++6,libuuid1,netbase,python3.11-minimal,tzdata,zlib1g"
)
# What a program looks up, and nothing would have written, since no package was configured.
FILES = {
    "etc/passwd": "laelo:x:10001:10001::/nonexistent:/nonexistent\n",
    "etc/group": "laelo:x:10001:\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
# Nothing is installed by dpkg, so it would know of nothing, and neither would scanners.
LIST_PACKAGES = """
for deb in "$1"/var/cache/apt/archives/*.deb; do
    dpkg-deb --field "$deb"
    printf 'Status: install ok installed\\n\\n'
done > "$1/var/lib/dpkg/status"
"""
UNUSED = (
    "usr/share/doc",
    "usr/share/man",
    "usr/share/lintian",
    "usr/share/bug",
    "usr/sbin",
    "usr/share/debconf",
    "usr/share/perl5",
    "usr/lib/apt",
    "usr/lib/dpkg",
    "var/cache",
    "var/lib/apt",
    "var/log",
    "etc/apt",
    "bin",
    "sbin",
)


class BaseError(Exception):
    """One sentence: what is missing and how to get it."""


def sources() -> list[str]:
    """The files of the machine's package sources."""
    found = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    return [str(path) for path in found if path.suffix in (".list", ".sources") and path.is_file()]


def make_root(root: Path) -> None:
    """Fill a folder with the base's files. Raises BaseError."""
    if shutil.which("mmdebstrap") is None:
        raise BaseError(
            "mmdebstrap makes the base image and is not installed: apt-get install mmdebstrap,"
            " or name another base with BASE= (deploy/images/Containerfile says which)."
        )
    how = ["mmdebstrap", "--quiet", "--mode=root", "--variant=extract", f"--include={PACKAGES}"]
    how.append(f"--extract-hook={LIST_PACKAGES}")
    done = subprocess.run(
        [*how, SUITE, str(root), *sources()], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BaseError(f"mmdebstrap failed:\n{done.stderr[-2000:]}")
    tidy(root)


def tidy(root: Path) -> None:
    """Leave the one program and its libraries; write what the packages' scripts would have."""
    certificates = sorted((root / "usr/share/ca-certificates").rglob("*.crt"))
    bundle = root / "etc/ssl/certs/ca-certificates.crt"
    bundle.parent.mkdir(parents=True, exist_ok=True)
    bundle.write_bytes(b"".join(certificate.read_bytes() for certificate in certificates))
    for name in UNUSED:
        place = root / name
        if place.is_symlink():
            place.unlink()
        else:
            shutil.rmtree(place, ignore_errors=True)
    for program in (root / "usr/bin").iterdir():
        if program.name != PROGRAM:
            program.unlink()
    for name, text in FILES.items():
        (root / name).write_text(text)
    (root / "tmp").mkdir(mode=0o1777, exist_ok=True)
    (root / "tmp").chmod(0o1777)


def import_base(engine: str, tag: str) -> None:
    """Make the base and give it to the engine under a tag. Raises BaseError."""
    with tempfile.TemporaryDirectory(prefix="laelo-base-") as scratch:
        root = Path(scratch) / "root"
        make_root(root)
        tar = ["tar", "--numeric-owner", "--owner=0", "--group=0", "-C", str(root), "-c", "."]
        with subprocess.Popen(tar, stdout=subprocess.PIPE) as packing:
            done = subprocess.run(
                [engine, "import", "-", tag], stdin=packing.stdout, capture_output=True, check=False
            )
        if packing.returncode or done.returncode:
            raise BaseError(f"the base could not be imported:\n{done.stderr.decode()[-2000:]}")
