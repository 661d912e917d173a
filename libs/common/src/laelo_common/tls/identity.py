"""Who a service is to others, and how it knows them."""

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self, cast

import grpc

from laelo_common.stream.dial import Dial
from laelo_common.tls import files
from laelo_common.tls.channel import RenewedChannel
from laelo_common.tls.files import Pems, TlsError

_log = logging.getLogger(__name__)


class Identity:
    """The certificate of a service, read anew whenever its files have changed.

    `name` is the service's, which its certificate names and others ask for.
    """

    def __init__(self, name: str, folder: Path, seen: files.Stamp, pems: Pems) -> None:
        self.name = name
        self._folder = folder
        self._seen = seen
        self._pems = pems
        self._lock = threading.Lock()

    @classmethod
    def of(cls, name: str, folder: Path) -> Self:
        """Read it. Raises TlsError."""
        seen = files.stamp(folder)
        return cls(name, folder, seen, files.read(folder, name))

    def current(self) -> Pems:
        """The same object until the files change. Files that are not good are left alone: what
        was read before them stays, and so does the service. Called from gRPC's threads too.
        """
        with self._lock:
            try:
                seen = files.stamp(self._folder)
                if seen != self._seen:
                    self._seen = seen
                    self._pems = files.read(self._folder, self.name)
                    _log.info("the certificate was renewed")
            except TlsError as error:
                _log.error("the certificate stays as it was: %s", error)
            return self._pems

    def server_credentials(self) -> grpc.ServerCredentials:
        """For a port on which nobody is heard without a certificate of our authority; each new
        connection gets the newest one of ours.
        """
        given = self.current()

        def renewed() -> grpc.ServerCertificateConfiguration | None:
            nonlocal given
            pems = self.current()
            if pems is given:
                return None
            given = pems
            return _configuration(pems)

        # None is for "as before", which the types of gRPC do not know.
        fetch = cast(Callable[[], grpc.ServerCertificateConfiguration], renewed)
        return grpc.dynamic_ssl_server_credentials(
            _configuration(given), fetch, require_client_authentication=True
        )

    def dial(self, service: str) -> Dial:
        """Channels to replicas of a service: whoever answers has to be that service."""
        return lambda address: RenewedChannel(address, service, self.current)


def _configuration(pems: Pems) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration(
        [(pems.key, pems.certificate)], root_certificates=pems.authority
    )
