"""An authority and a server's certificate, as cert-manager would make them."""

import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAY = datetime.timedelta(days=1)


def write_certificates(folder: Path, *names: str) -> None:
    """`ca.crt`, `tls.crt` and `tls.key` for a server of these names."""
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority = _named("authority", authority_key.public_key())
    authority = authority.issuer_name(_name("authority")).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    server = (
        _named("server", key.public_key())
        .issuer_name(_name("authority"))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(n) for n in names]), critical=False
        )
        .add_extension(x509.ExtendedKeyUsage(usages), critical=False)
    )
    pem = serialization.Encoding.PEM
    sign = hashes.SHA256()
    folder.joinpath("ca.crt").write_bytes(authority.sign(authority_key, sign).public_bytes(pem))
    folder.joinpath("tls.crt").write_bytes(server.sign(authority_key, sign).public_bytes(pem))
    folder.joinpath("tls.key").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _named(name: str, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
    )
