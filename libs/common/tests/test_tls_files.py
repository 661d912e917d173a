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


def volume(folder: Path) -> Callable[[], None]:
    """As Kubernetes mounts secrets: one link moves, and all files are others."""
    for version in ("..1", "..2"):
        OURS.issue(folder / version, "table")
    (folder / "..data").symlink_to("..1")
    for file in files.FILES:
        (folder / file).symlink_to(f"..data/{file}")

    def renew() -> None:
        (folder / "..new").symlink_to("..2")
        os.replace(folder / "..new", folder / "..data")

    return renew


def test_a_volume_that_changes_is_seen(tmp_path: Path) -> None:
    renew = volume(tmp_path)
    first, seen = files.read(tmp_path, "table"), files.stamp(tmp_path)
    renew()
    assert files.stamp(tmp_path) != seen
    second = files.read(tmp_path, "table")
    assert second.certificate == (tmp_path / "..2/tls.crt").read_bytes() != first.certificate


def after_the_first(change: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Do it once a file was read."""
    real, changes = Path.read_bytes, [change]

    def read_bytes(path: Path) -> bytes:
        found = real(path)
        if changes:
            changes.pop()()
        return found

    monkeypatch.setattr(Path, "read_bytes", read_bytes)


def test_the_three_belong_together_while_a_volume_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_the_first(volume(tmp_path), monkeypatch)
    pems = files.read(tmp_path, "table")
    for file, content in zip(files.FILES, pems, strict=False):
        assert (tmp_path / "..1" / file).read_bytes() == content


def test_files_that_change_while_they_are_read_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    OURS.issue(tmp_path, "table")
    after_the_first(lambda: OURS.issue(tmp_path, "table"), monkeypatch)
    with pytest.raises(TlsError, match="changed while they were read"):
        files.read(tmp_path, "table")
