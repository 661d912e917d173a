"""What a service says of a folder that it cannot use, and that it does not start with it."""

import datetime
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID
from laelo_common.testing.authority import DAY, Authority
from laelo_common.tls import TlsError, files

Spoil = Callable[[Path], object]
OURS = Authority()


def spoilt(folder: Path, spoil: Spoil) -> str:
    OURS.issue(folder, "table")
    spoil(folder)
    with pytest.raises(TlsError) as error:
        files.read(folder, "table")
    return str(error.value)


@pytest.mark.parametrize("file", files.FILES)
def test_a_missing_file_is_named(tmp_path: Path, file: str) -> None:
    words = spoilt(tmp_path, lambda folder: (folder / file).unlink())
    assert words.startswith(f"{tmp_path / file} cannot be read (No such file or directory)")
    assert "the folder needs tls.crt, tls.key and ca.crt" in words


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "ca.crt").write_text("hello"), "no certificate of an authority"),
        (lambda folder: (folder / "ca.crt").write_text(""), "no certificate of an authority"),
        (lambda folder: (folder / "tls.crt").write_text("hello"), "no certificate and its key"),
        (
            lambda folder: (folder / "tls.key").write_bytes(
                (OURS.issue(folder / "other", "table") / "tls.key").read_bytes()
            ),
            "no certificate and its key",
        ),
        (lambda folder: OURS.issue(folder, "bots"), "it needs the DNS name 'table'"),
        (lambda folder: OURS.issue(folder, "table", lasts=-DAY), "certificate has expired"),
        (
            lambda folder: (folder / "ca.crt").write_bytes(Authority().certificate),
            "is no certificate of ca.crt for 'table'",
        ),
        (
            lambda folder: OURS.issue(folder, "table", usages=[ExtendedKeyUsageOID.SERVER_AUTH]),
            "client auth",
        ),
        (
            lambda folder: OURS.issue(folder, "table", usages=[ExtendedKeyUsageOID.CLIENT_AUTH]),
            "server auth",
        ),
    ],
    ids=[
        "authority",
        "nothing",
        "certificate",
        "key",
        "name",
        "expired",
        "other",
        "server",
        "client",
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, spoil: Spoil, said: str) -> None:
    assert said in spoilt(tmp_path, spoil)


def test_what_is_right_is_read(tmp_path: Path) -> None:
    OURS.issue(tmp_path, "table", "table.laelo.svc", lasts=datetime.timedelta(hours=1))
    pems = files.read(tmp_path, "table")
    assert pems.authority == OURS.certificate
    assert 3500 < pems.ends - time.time() < 3700
    assert files.read(tmp_path, "table.laelo.svc") == pems


def test_the_three_belong_together_while_a_volume_changes(tmp_path: Path) -> None:
    """As Kubernetes mounts secrets: one link moves, all files are others."""
    for version in ("..1", "..2"):
        OURS.issue(tmp_path / version, "table")
    link = tmp_path / "..data"
    link.symlink_to("..1")
    for file in files.FILES:
        (tmp_path / file).symlink_to(f"..data/{file}")
    first, seen = files.read(tmp_path, "table"), files.stamp(tmp_path)
    newer = tmp_path / "..new"
    newer.symlink_to("..2")
    os.replace(newer, link)
    assert files.stamp(tmp_path) != seen
    second = files.read(tmp_path, "table")
    assert second.certificate == (tmp_path / "..2/tls.crt").read_bytes() != first.certificate
