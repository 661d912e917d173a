"""Generate the protobuf and gRPC modules and their type stubs into the `laelo` package.

Run at set-up and in the image build: `python libs/common/generate.py`. What it writes is
never committed.
"""

import shutil
import sys
import sysconfig
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
PROTO = HERE.parents[1] / "proto"
OUT = HERE / "src" / "laelo"


def main() -> int:
    """Generate into a fresh folder, then put it in place of the old one."""
    sources = sorted(str(p.relative_to(PROTO)) for p in PROTO.glob("laelo/**/*.proto"))
    scripts = Path(sysconfig.get_path("scripts"))
    with tempfile.TemporaryDirectory(dir=HERE) as scratch:
        args = [
            "protoc",
            f"--proto_path={PROTO}",
            f"--proto_path={files('grpc_tools') / '_proto'}",
            f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
            f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
            f"--python_out={scratch}",
            f"--grpc_python_out={scratch}",
            f"--mypy_out=quiet:{scratch}",
            f"--mypy_grpc_out=quiet:{scratch}",
            *sources,
        ]
        if protoc.main(args) != 0:
            return 1
        made = Path(scratch) / "laelo"
        (made / "py.typed").touch()
        old = Path(scratch) / "old"
        if OUT.exists():
            OUT.rename(old)
        made.rename(OUT)
        shutil.rmtree(old, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
