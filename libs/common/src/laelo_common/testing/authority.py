"""An authority for the time of a run: makes certificates as cert-manager would."""

import datetime
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAY: Final = datetime.timedelta(days=1)
BOTH: Final = (ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH)
_PEM: Final = serialization.Encoding.PEM


class Authority:
    """Its key is nowhere but in this object. It and what it certifies last so long."""

    def __init__(self, lasts: datetime.timedelta = DAY) -> None:
        self._lasts = lasts
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = (
            _begun("authority", self._key.public_key(), lasts)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(self._key, hashes.SHA256())
            .public_bytes(_PEM)
        )

    def issue(
        self,
        folder: Path,
        *names: str,
        lasts: datetime.timedelta | None = None,
        usages: Iterable[x509.ObjectIdentifier] = BOTH,
    ) -> Path:
        """`ca.crt`, `tls.crt` and `tls.key` for who has these DNS names; the folder."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternatives = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
        certificate = (
            _begun(names[0], key.public_key(), lasts or self._lasts)
            .add_extension(alternatives, critical=False)
            .add_extension(x509.ExtendedKeyUsage(usages), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        folder.mkdir(parents=True, exist_ok=True)
        secret = key.private_bytes(
            _PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        (folder / "ca.crt").write_bytes(self.certificate)
        (folder / "tls.crt").write_bytes(certificate.public_bytes(_PEM))
        file = folder / "tls.key"
        file.touch(mode=0o600)
        file.write_bytes(secret)
        return folder


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _begun(
    name: str, key: ec.EllipticCurvePublicKey, lasts: datetime.timedelta
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .issuer_name(_name("authority"))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 2 * DAY)
        .not_valid_after(now + lasts)
    )
